-- The evaluation of rounds: from the stakes, the outcome and the plan alone. One view a family of games
-- grades its wagers (graded_*, in the family's part), one applies odds and declared wins to them
-- (evaluation_*, all of one text); casino.evaluation is all of them.

CREATE FUNCTION casino_internal.install_standing_stake() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.plan_odds AS
        SELECT k.plan_id, jsonb_object_agg(k.kind, k.odds) AS odds
          FROM (SELECT b.plan_id, b.kind,
                       coalesce(jsonb_object_agg(t.grade, jsonb_build_array(t.num, t.den))
                                    FILTER (WHERE t.grade IS NOT NULL),
                                '{}')
                       || jsonb_strip_nulls(jsonb_build_object('declared_win', b.declared_win)) AS odds
                  FROM casino.bet_rule b
                  LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind
                 GROUP BY b.plan_id, b.kind) k
         GROUP BY k.plan_id;
    COMMENT ON VIEW casino.plan_odds
        IS 'Part of bet_return() and plan_audit(): paytables and declared wins of each plan version in one '
           'value';
    COMMENT ON COLUMN casino.plan_odds.odds IS 'By kind of bet: declared_win, and by grade [num, den]';

    -- q is what there is to find out once a round: the stakes are joined to q's own round_id, so that the
    -- planner cannot find it out for each of them. Only where something was returned each stake is looked up.
    -- OFFSET 0 keeps these questions from being joined to all rounds, and ORDER BY from reading the ledger
    -- until it meets one, as it would for EXISTS. A plan may be made when the ledger is nearly empty and live
    -- until the next ANALYZE, and in an empty ledger all ways are
    -- equal: so none is left but the right one. A function that returns a set keeps s apart (not OFFSET 0:
    -- the player asked for must get through), and q's round_id is a value there: as a join it could be left
    -- for a filter over the stakes of all rounds. And what became of a stake is asked without the kind, for
    -- which ledger_round would be read from end to end. Nothing here may depend on another row of the join
    -- than the round itself: the planner may try a round with the plan of another game before it finds that
    -- they do not belong together. So what is asked of the outcome is NULL where a family has no such member,
    -- and the rules of a plan are found from the round's own plan, and are NULL (of no rows) if it is not
    -- blackjack. "planner_hint" multiplies what the planner thinks the stakes of a round are, and its boxes:
    -- taking ten thousand for one, as it does before the first ANALYZE, it would evaluate the one anew for
    -- each of the other.
    CREATE VIEW casino.standing_stake AS
        SELECT r.round_id, r.plan_id, g.family, q.number, q.rules, s.player_id, s.entry_no, s.bet, s.seat,
               s.hand, s.amount,
               casino_internal.planned_as_ten_rows() AS planner_hint
          FROM casino.round r
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT r.round_id,
                                    (SELECT f.player_id FROM casino.ledger f
                                      WHERE f.round_id = r.round_id AND f.kind = 'refund'
                                      ORDER BY f.player_id LIMIT 1) IS NOT NULL AS any_returned,
                                    (r.outcome ->> 'number')::integer AS number,
                                    (SELECT casino.blackjack_rules(jsonb_object_agg(x.rule, x.value))
                                       FROM casino.plan_rule x
                                      WHERE x.plan_id = r.plan_id
                                        AND (SELECT y.family
                                               FROM casino.game_plan z
                                               JOIN casino.game y ON y.game = z.game
                                              WHERE z.plan_id = r.plan_id) = 'blackjack') AS rules
                             OFFSET 0) q
         CROSS JOIN LATERAL (SELECT l.player_id, l.entry_no, l.bet, l.seat, l.hand, l.amount,
                                    casino_internal.planned_as_ten_rows() AS planner_hint
                               FROM casino.ledger l
                              WHERE l.round_id = q.round_id AND l.kind = 'stake') s
         WHERE r.status IN ('settled', 'withheld')
           AND NOT (q.any_returned
                    AND (SELECT f.kind FROM casino.ledger f
                          WHERE f.player_id = s.player_id
                            AND f.stake_entry_no = s.entry_no
                            AND f.correction_no IS NULL
                          -- of several the first: the others are differences of their own
                          ORDER BY f.entry_no LIMIT 1) IS NOT DISTINCT FROM 'refund');
    COMMENT ON VIEW casino.standing_stake
        IS 'Part of casino.evaluation: stakes of evaluated rounds, without those returned before betting '
           'closed';
    COMMENT ON COLUMN casino.standing_stake.planner_hint IS 'A hint to the planner';
    COMMENT ON COLUMN casino.standing_stake.number IS 'Roulette: the number; NULL in other games';
    COMMENT ON COLUMN casino.standing_stake.rules
        IS 'Blackjack: rules of the plan version as one number; NULL in other games';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_standing_stake()
    IS 'Part of casino.install(): what the views of the evaluation ask';

CREATE FUNCTION casino_internal.install_evaluation_of(family text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- OFFSET 0 makes the planner look a rule up by its key, once for each kind and grade of the round
    -- (Memoize): free to join as it likes, it knows nothing about kind(bet) and takes 10,000 wagers for a
    -- few. A grade without its line of the paytable is an error of payout(), never a wager left out.
    EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'graded_' || family,
                   'Part of casino.evaluation: standing wagers of evaluated rounds with kind and grade, '
                   'games of the family ' || family);
    EXECUTE format('COMMENT ON COLUMN casino.%I.share IS %L', 'graded_' || family,
                   'CZK from the pots, of games between players; NULL where the paytable pays');
    EXECUTE format('COMMENT ON COLUMN casino.%I.before IS %L', 'graded_' || family,
                   'Haléře on the position before this wager, see casino_internal.position_staked(); NULL '
                   'in games '
                   'between players');
    EXECUTE format($view$
        CREATE VIEW casino.%I AS
            SELECT w.round_id, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.staked, w.grade,
                   CASE WHEN w.share IS NULL
                        THEN
                            casino.payout(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0),
                                          coalesce(o.declared_win, 'Infinity'), w.before)
                        ELSE w.share
                   END AS payout,
                   w.share IS NULL AND o.declared_win IS NOT NULL
                   AND casino_internal.is_capped(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0),
                                                 o.declared_win, w.before) AS capped,
                   CASE WHEN w.grade = 'returned' AND w.kind = 'insurance' THEN 'insurance_not_offered'
                        WHEN w.share IS NULL AND o.declared_win IS NOT NULL
                             AND casino_internal.reaches_cap(w.bet, w.grade, coalesce(o.num, 0),
                                                             coalesce(o.den, 0),
                                                             o.declared_win, w.before)
                        THEN 'declared_win'
                   END AS breach
              FROM casino.%I w
              LEFT JOIN LATERAL (SELECT b.declared_win, t.num, t.den
                                   FROM casino.bet_rule b
                                   LEFT JOIN casino.paytable t
                                        ON t.plan_id = b.plan_id AND t.kind = b.kind AND t.grade = w.grade
                                  WHERE b.plan_id = w.plan_id AND b.kind = w.kind OFFSET 0) o ON true
        $view$, 'evaluation_' || family, 'graded_' || family);
    EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'evaluation_' || family,
                   'Part of casino.evaluation: the wagers of the family ' || family);
    EXECUTE format('COMMENT ON COLUMN casino.%I.payout IS %L', 'evaluation_' || family,
                   'CZK the wager gets back, stake included; 0 when lost');
    EXECUTE format('COMMENT ON COLUMN casino.%I.breach IS %L', 'evaluation_' || family,
                   'Rule that the wager broke, found out by the evaluation; declared_win stands at the '
                   'first wager of a position that is cut');
    EXECUTE format('COMMENT ON COLUMN casino.%I.capped IS %L', 'evaluation_' || family,
                   'The declared net win of the kind bounds the profit of its position, '
                   'as far as this wager');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_evaluation_of(text)
    IS 'Part of casino.install(): what the grades of a family''s wagers are worth';

CREATE FUNCTION casino_internal.install_evaluation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Of all families: each stake asks for its own evaluation, which evaluated_wager() has from its round's
    -- family. A union of the five would take the planner longer than a round takes to evaluate, and could not
    -- be restricted by a join: so it costs what its rows cost, by whatever they are chosen.
    CREATE VIEW casino.evaluation AS
        SELECT s.round_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, e.grade,
               e.payout, e.capped, e.breach,
               r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
         CROSS JOIN LATERAL casino_internal.evaluated_wager(s.round_id, s.player_id, s.entry_no) e
         WHERE s.kind = 'stake' AND r.status IN ('settled', 'withheld');
    COMMENT ON VIEW casino.evaluation
        IS 'What the rules give each wager of an evaluated round, from the stakes, the outcome and the plan '
           'alone: views evaluation_roulette and so on, by the round''s family. The second opinion: '
           'settlement reckons the same in C, reconciliation and checks of payouts by hand ask '
           'here';
    COMMENT ON COLUMN casino.evaluation.payout IS 'CZK the wager gets back, stake included; 0 when lost';
    COMMENT ON COLUMN casino.evaluation.breach
        IS 'Rule that the wager broke, found out by the evaluation; declared_win stands at the first wager '
           'of a position that is cut';
    COMMENT ON COLUMN casino.evaluation.capped
        IS 'The declared net win of the kind bounds the profit of its position, as far as this wager';
    COMMENT ON COLUMN casino.evaluation.evaluated_at
        IS 'When the round was evaluated: days are asked for by this column';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_evaluation()
    IS 'Part of casino.install(): the evaluation of all families';

CREATE FUNCTION casino_internal.planned_as_ten_rows() RETURNS SETOF boolean
    AS 'MODULE_PATHNAME', 'casino_sql_many' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino_internal.planned_as_ten_rows()
    IS 'Part of casino.standing_stake: returns one row, which the planner estimates as ten';

CREATE FUNCTION casino_internal.evaluated_wager(round_id bigint, player_id bigint, entry_no bigint,
                                                OUT grade text,
                                                OUT payout numeric,
                                                OUT capped boolean, OUT breach text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_evaluated_wager' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 1;
COMMENT ON FUNCTION casino_internal.evaluated_wager(bigint, bigint, bigint)
    IS 'Part of casino.evaluation and casino.wager: what the rules give a wager of an evaluated round; no '
       'row for one that was returned';

CREATE FUNCTION casino_internal.reckoned_wagers(round_id bigint, outcome jsonb, OUT player_id bigint,
                                                OUT entry_no bigint, OUT payout numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_reckoned_wagers' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino_internal.reckoned_wagers(bigint, jsonb)
    IS 'Part of the reconciliation, check self_limit: CZK that the wagers of a round get by another outcome '
       'than the one that stands with it';
