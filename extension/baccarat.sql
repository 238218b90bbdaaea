-- Baccarat: points and grading.

CREATE FUNCTION casino.baccarat_points(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_baccarat_points' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.baccarat_points(casino.hand)
    IS 'Points of a baccarat hand, 0 to 9 (D4 Baccarat §5)';

CREATE FUNCTION casino.grade_baccarat(bet casino.bet, player casino.hand, banker casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_baccarat' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_baccarat(casino.bet, casino.hand, casino.hand)
    IS 'win, push, lose or tie_n of a baccarat bet on the cards of both sides (D4 Baccarat §21 to §23)';

CREATE FUNCTION casino_internal.quote_grades_baccarat(rules jsonb, outcome jsonb, bets casino.bet[],
                                                      hands integer[])
RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT casino.grade_baccarat(b.bet, (outcome ->> 'player')::casino.hand,
                                               (outcome ->> 'banker')::casino.hand)
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n)
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades_baccarat(jsonb, jsonb, casino.bet[], integer[])
    IS 'Part of quote(): quote_grades() of the family baccarat';

CREATE FUNCTION casino_internal.install_baccarat() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- The cards are looked up for each wager, by their key: joined, the planner would compare all rounds with
    -- all hands once it has seen how few hands there are. k grades no wager of another game, in whatever
    -- order the planner joins.
    CREATE VIEW casino.graded_baccarat AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               k.kind, k.grade,
               NULL::numeric AS share,
               casino_internal.position_staked(s.bet, s.seat, s.hand)
                   OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    CASE WHEN s.family = 'baccarat'
                                         THEN
                                             casino.grade_baccarat(
                                                 s.bet,
                                                 (SELECT d.cards
                                                    FROM casino.dealt_hand d
                                                   WHERE d.round_id = s.round_id AND d.side = 'player'),
                                                 (SELECT d.cards
                                                    FROM casino.dealt_hand d
                                                   WHERE d.round_id = s.round_id AND d.side = 'banker'))
                                    END AS grade OFFSET 0) k
         WHERE s.family = 'baccarat';

    PERFORM casino_internal.install_evaluation_of('baccarat');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_baccarat()
    IS 'Part of casino.install(): how wagers of the family baccarat are graded';
