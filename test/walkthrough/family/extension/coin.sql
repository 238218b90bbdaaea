-- A coin: grading.

CREATE FUNCTION casino.grade_coin(bet casino.bet, side integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_coin' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_coin(casino.bet, integer) IS 'win or lose of a bet on a side of the coin';

CREATE FUNCTION casino_internal.quote_grades_coin(rules jsonb, outcome jsonb, bets casino.bet[],
                                                  hands integer[])
RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT casino.grade_coin(b.bet, (outcome ->> 'number')::integer)
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n)
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades_coin(jsonb, jsonb, casino.bet[], integer[]) IS
    'Part of quote(): quote_grades() of the family coin';

CREATE FUNCTION casino_internal.install_coin() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.graded_coin AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               casino.kind(s.bet) AS kind, casino.grade_coin(s.bet, s.number) AS grade,
               NULL::numeric AS share,
               casino_internal.position_staked(s.bet, s.seat, s.hand)
                   OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'coin';

    PERFORM casino_internal.install_evaluation_of('coin');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_coin() IS
    'Part of casino.install(): how wagers of the family coin are graded';
