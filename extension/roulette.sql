-- Roulette: grading, and announced bets.

CREATE FUNCTION casino.grade_roulette(bet casino.bet, number integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_roulette' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_roulette(casino.bet, integer)
    IS 'win or lose of a roulette bet on a number of the wheel';

CREATE FUNCTION casino_internal.announced_stem(name text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_announced_stem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.announced_stem(text)
    IS 'Name of an announced bet up to its colon; NULL for none';

CREATE FUNCTION casino.expand_announced(name text, chip numeric) RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_expand_announced' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 6;
COMMENT ON FUNCTION casino.expand_announced(text, numeric)
    IS 'Bets on the layout that an announced bet is made of, whatever a game offers';

CREATE FUNCTION casino.announced_bets(game text, name text, chip numeric,
                                      at timestamptz DEFAULT clock_timestamp())
RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.announced_bets(text, text, numeric, timestamptz)
    IS 'Bets on the layout that an announced bet of a game is made of, with that value of a chip';

CREATE FUNCTION casino_internal.announced_bets_impl(game text, name text, chip numeric, at timestamptz)
RETURNS SETOF casino.bet
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    rule casino.announced_rule;
    neighbours integer;
BEGIN
    SELECT a.* INTO rule FROM casino.announced_rule a
     WHERE a.plan_id = plan AND a.stem = casino_internal.announced_stem(announced_bets_impl.name);
    IF NOT FOUND AND casino_internal.announced_stem(announced_bets_impl.name) IS NOT NULL THEN
        RAISE EXCEPTION '% does not offer %', game, name
            USING ERRCODE = 'KB004', CONSTRAINT = 'not_offered',
                  DATATYPE = jsonb_build_object('game', game, 'kind', name)::text,
                  DETAIL = format('No such announced bet stands in %s.', casino_internal.plan_name(plan));
    END IF;
    RETURN QUERY SELECT b FROM casino.expand_announced(announced_bets_impl.name, announced_bets_impl.chip) b;
    IF rule.stem = 'neighbours' THEN
        neighbours := split_part(announced_bets_impl.name, '/', 2)::integer;
        IF neighbours NOT BETWEEN rule.min_neighbours AND rule.max_neighbours THEN
            RAISE EXCEPTION '% does not offer %', game, name
                USING ERRCODE = 'KB004', CONSTRAINT = 'not_offered',
                      DATATYPE = jsonb_build_object('game', game, 'kind', name)::text,
                      DETAIL = format('It has %s to %s neighbours a side.', rule.min_neighbours,
                                      rule.max_neighbours);
        END IF;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.announced_bets_impl(text, text, numeric, timestamptz)
    IS 'Body of announced_bets(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.quote_grades_roulette(rules jsonb, outcome jsonb, bets casino.bet[],
                                                      hands integer[])
RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT casino.grade_roulette(b.bet, (outcome ->> 'number')::integer)
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n)
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades_roulette(jsonb, jsonb, casino.bet[], integer[])
    IS 'Part of quote(): quote_grades() of the family roulette';

CREATE FUNCTION casino_internal.install_roulette() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- "before" is what lay on the wager's position before it; see casino_internal.position_staked(). The
    -- windows are
    -- partitioned by round and player, so that either, asked for, gets through to the stakes; and all of a
    -- family are sorted once.
    CREATE VIEW casino.graded_roulette AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               casino.kind(s.bet) AS kind, casino.grade_roulette(s.bet, s.number) AS grade,
               NULL::numeric AS share,
               casino_internal.position_staked(s.bet, s.seat, s.hand)
                   OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'roulette';

    PERFORM casino_internal.install_evaluation_of('roulette');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_roulette()
    IS 'Part of casino.install(): how wagers of the family roulette are graded';
