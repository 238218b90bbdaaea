-- The evaluation of rounds: from the stakes, the outcome and the plan alone.  One view a family of games grades its wagers
-- (graded_*), one applies odds and declared wins to them (evaluation_*, all of one text); casino.evaluation is all of them.

CREATE FUNCTION casino.install_evaluation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    branch text;
BEGIN
    CREATE VIEW casino.plan_odds AS
        SELECT k.plan_id, jsonb_object_agg(k.kind, k.odds) AS odds
          FROM (SELECT b.plan_id, b.kind,
                       coalesce(jsonb_object_agg(t.grade, jsonb_build_array(t.num, t.den)) FILTER (WHERE t.grade IS NOT NULL), '{}')
                       || jsonb_strip_nulls(jsonb_build_object('declared_win', b.declared_win)) AS odds
                  FROM casino.bet_rule b
                  LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind
                 GROUP BY b.plan_id, b.kind) k
         GROUP BY k.plan_id;
    COMMENT ON VIEW casino.plan_odds IS 'Paytables and declared wins of each plan version in one value, for payout() and is_capped()';
    COMMENT ON COLUMN casino.plan_odds.odds IS 'By kind of bet: declared_win, and by grade [num, den]';

    -- q is what there is to find out once a round: the stakes are joined to q's own round_id, so that the planner cannot find
    -- it out for each of them.  Only where something was returned each stake is looked up.  OFFSET 0 keeps these questions
    -- from being joined to all rounds, and ORDER BY from reading the ledger until it meets one, as it would for EXISTS.
    -- A plan may be made when the ledger is nearly empty and live until the next ANALYZE, and in an empty ledger all ways are
    -- equal: so none is left but the right one.  A function that returns a set keeps s apart (not OFFSET 0: the player asked
    -- for must get through), and q's round_id is a value there: as a join it could be left for a filter over the stakes of all
    -- rounds.  And what became of a stake is asked without the kind, for which ledger_round would be read from end to end.
    -- Nothing here may depend on another row of the join than the round itself: the planner may try a round with the plan of
    -- another game before it finds that they do not belong together.  So what is asked of the outcome is NULL where a family has
    -- no such member, and the rules of a plan are found from the round's own plan, and are NULL (of no rows) if it is not blackjack.
    -- "many" multiplies what the planner thinks the stakes of a round are, and its boxes: taking ten thousand for one, as it
    -- does before the first ANALYZE, it would evaluate the one anew for each of the other.
    CREATE VIEW casino.standing_stake AS
        SELECT r.round_id, r.plan_id, g.family, q.number, q.rules, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               casino.many() AS many
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
                                        AND (SELECT y.family FROM casino.game_plan z JOIN casino.game y ON y.game = z.game
                                              WHERE z.plan_id = r.plan_id) = 'blackjack') AS rules
                             OFFSET 0) q
         CROSS JOIN LATERAL (SELECT l.player_id, l.entry_no, l.bet, l.seat, l.hand, l.amount, casino.many() AS many
                               FROM casino.ledger l
                              WHERE l.round_id = q.round_id AND l.kind = 'stake') s
         WHERE r.status IN ('settled', 'withheld')
           AND NOT (q.any_returned
                    AND (SELECT f.kind FROM casino.ledger f
                          WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no) IS NOT DISTINCT FROM 'refund');
    COMMENT ON VIEW casino.standing_stake IS 'Stakes of evaluated rounds, those apart that were returned before betting closed';
    COMMENT ON COLUMN casino.standing_stake.many IS 'A hint to the planner';
    COMMENT ON COLUMN casino.standing_stake.number IS 'Roulette: the number; NULL in other games';
    COMMENT ON COLUMN casino.standing_stake.rules IS 'Blackjack: rules of the plan version as one number; NULL in other games';

    -- "before" is what lay on the wager's position before it; see casino.position_staked().  The windows are partitioned by round and
    -- player, so that either, asked for, gets through to the stakes; and all of a family are sorted once.
    CREATE VIEW casino.graded_roulette AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               casino.kind(s.bet) AS kind, casino.grade_roulette(s.bet, s.number) AS grade, NULL::numeric AS share,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'roulette';

    -- The cards are looked up for each wager, by their key: joined, the planner would compare all rounds with all hands once it has seen
    -- how few hands there are.  k grades no wager of another game, in whatever order the planner joins.
    CREATE VIEW casino.graded_baccarat AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    CASE WHEN s.family = 'baccarat'
                                         THEN casino.grade_baccarat(s.bet, (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'player'), (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'banker'))
                                    END AS grade OFFSET 0) k
         WHERE s.family = 'baccarat';

    -- Blackjack: hands of each box together; each wager with the marks of its player's wagers on the box and with his group at a shared box, which comes
    -- by the same window: a join of ten thousand players would be as good as the planner's guess of how many there are.
    CREATE VIEW casino.blackjack_box AS
        SELECT d.round_id, d.seat, d.group_no, array_agg(d.cards ORDER BY d.hand) AS hands, bool_or(d.surrendered) AS surrendered,
               bool_or(d.even_money) AS even_money, min(d.even_money_players) FILTER (WHERE d.hand = 1) AS even_money_players,
               (SELECT x.cards FROM casino.dealt_hand x WHERE x.round_id = d.round_id AND x.side = 'dealer') AS dealer,
               casino.many() AS many
          FROM casino.dealt_hand d
         WHERE d.side = 'box'
         GROUP BY d.round_id, d.seat, d.group_no;
    COMMENT ON VIEW casino.blackjack_box IS 'Hands of a seat, or of a group of players at a shared box, in one row';
    COMMENT ON COLUMN casino.blackjack_box.hands IS 'Cards of hands 1, 2 ...';
    COMMENT ON COLUMN casino.blackjack_box.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.blackjack_box.even_money IS 'All with a main bet took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.blackjack_box.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.blackjack_box.many IS 'A hint to the planner, see casino.standing_stake';
    COMMENT ON COLUMN casino.blackjack_box.dealer IS 'The dealer''s cards';

    CREATE VIEW casino.blackjack_member AS
        SELECT d.round_id, d.group_no, p.player_id
          FROM casino.dealt_hand d
         CROSS JOIN LATERAL unnest(d.players) AS p (player_id)
         WHERE d.side = 'box' AND d.hand = 1 AND d.group_no > 0;
    COMMENT ON VIEW casino.blackjack_member IS 'Players with hands of their own at a shared box';
    COMMENT ON COLUMN casino.blackjack_member.player_id IS 'Player of the group';

    CREATE VIEW casino.blackjack_wager AS
        SELECT w.round_id, w.plan_id, w.rules, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.amount, w.marks, w.group_no, w.before
          FROM (SELECT u.round_id, u.plan_id, u.rules, u.player_id, u.entry_no, u.bet, u.seat, u.hand, u.amount,
                       bit_or(u.mark) OVER box AS marks, max(u.group_no) OVER box AS group_no,
                       casino.position_staked(u.bet, u.seat, u.hand) OVER (box ORDER BY u.entry_no) AS before
                  FROM (SELECT s.round_id, s.plan_id, s.rules, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
                               casino.blackjack_mark(s.bet, coalesce(s.hand, 1)) AS mark, 0 AS group_no
                          FROM casino.standing_stake s
                         WHERE s.family = 'blackjack'
                        UNION ALL
                        SELECT m.round_id, NULL, NULL, m.player_id, NULL, NULL, NULL, NULL, NULL, 0, m.group_no
                          FROM casino.blackjack_member m) u
                WINDOW box AS (PARTITION BY u.round_id, u.player_id, coalesce(u.seat, 0))) w
         WHERE w.entry_no IS NOT NULL;
    COMMENT ON VIEW casino.blackjack_wager IS 'Wagers of evaluated blackjack rounds, with the marks of all wagers of the player on the box';
    COMMENT ON COLUMN casino.blackjack_wager.rules IS 'Rules of the plan version as one number';
    COMMENT ON COLUMN casino.blackjack_wager.before IS 'Haléře on the position before this wager, see casino.position_staked()';
    COMMENT ON COLUMN casino.blackjack_wager.marks IS 'Bits of all wagers of the player on the box, see casino.blackjack_mark()';

    CREATE VIEW casino.graded_blackjack AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.blackjack_wager s
          JOIN casino.blackjack_box x ON x.round_id = s.round_id AND x.seat = coalesce(s.seat, 0) AND x.group_no = s.group_no
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_blackjack(s.bet, coalesce(s.hand, 1), s.marks, s.rules, x.hands, x.dealer, x.surrendered,
                                                           x.even_money OR s.player_id = ANY (x.even_money_players)) AS grade
                             OFFSET 0) k;

    -- Casino Hold'em: each wager, and whether its player called.
    CREATE VIEW casino.casino_holdem_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               bool_or(casino.kind(s.bet) = 'call') OVER player AS called,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (player ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'casino_holdem'
        WINDOW player AS (PARTITION BY s.round_id, s.player_id);
    COMMENT ON VIEW casino.casino_holdem_wager IS 'Wagers of evaluated Casino Hold''em rounds';
    COMMENT ON COLUMN casino.casino_holdem_wager.before IS 'Haléře on the position before this wager, see casino.position_staked()';
    COMMENT ON COLUMN casino.casino_holdem_wager.called IS 'The player has called; else he has folded';

    CREATE VIEW casino.graded_casino_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.casino_holdem_wager s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_casino_holdem(s.bet, (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'player'), (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'board'),
                                                               (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'dealer'), s.called) AS grade
                             OFFSET 0) k;

    -- Texas Hold'em: what each seat gets, and each stake with the seat's share on the player's first one.
    CREATE VIEW casino.texas_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               row_number() OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) = 1 AS first
          FROM casino.standing_stake s
         WHERE s.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_wager IS 'Pot stakes of evaluated Texas Hold''em rounds';
    COMMENT ON COLUMN casino.texas_wager.first IS 'The player''s first stake of the round, which carries what his seat gets';

    -- Correlated on the round, so that the hand of one round is found by its number alone; what h asks of its round holds before
    -- it looks at the cards, in whatever order the planner joins.
    CREATE VIEW casino.texas_share AS
        SELECT r.round_id, x.seat, x.won, x.returned
          FROM casino.round r
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT (r.outcome ->> 'button')::integer AS button,
                       (SELECT array_agg(coalesce(c.amount, 0) ORDER BY n.seat)
                          FROM generate_series(1, 10) AS n (seat)
                          LEFT JOIN (SELECT s.seat, sum(s.amount) AS amount FROM casino.ledger s
                                      WHERE s.round_id = r.round_id AND s.kind = 'stake'
                                        AND (SELECT f.kind FROM casino.ledger f
                                              WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)
                                            IS DISTINCT FROM 'refund'
                                      GROUP BY s.seat) c ON c.seat = n.seat) AS contributed,
                       ARRAY (SELECT coalesce((SELECT d.folded FROM casino.dealt_hand d
                                                WHERE d.round_id = r.round_id AND d.side = 'box' AND d.seat = n.seat), true)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS folded,
                       ARRAY (SELECT (SELECT d.cards FROM casino.dealt_hand d
                                       WHERE d.round_id = r.round_id AND d.side = 'box' AND d.seat = n.seat
                                         AND casino.card_count(d.cards) = 2)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS hands,
                       (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = r.round_id AND d.side = 'board') AS board
                 WHERE p.plan_id = r.plan_id AND g.game = p.game AND g.family = 'texas_holdem' OFFSET 0) h
         CROSS JOIN LATERAL casino.pot_shares(h.contributed, h.folded, h.hands, h.board, h.button) x
         WHERE r.status IN ('settled', 'withheld') AND g.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_share IS 'What each seat of an evaluated Texas Hold''em round gets';
    COMMENT ON COLUMN casino.texas_share.won IS 'CZK from all pots';
    COMMENT ON COLUMN casino.texas_share.returned IS 'CZK that nobody called';

    CREATE VIEW casino.graded_texas_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, casino.kind(s.bet) AS kind,
               CASE WHEN s.first AND x.won > 0 THEN 'win' WHEN s.first AND x.returned > 0 THEN 'returned' ELSE 'lose' END AS grade,
               CASE WHEN s.first THEN x.won + x.returned ELSE 0.00 END AS share, NULL::bigint AS before
          FROM casino.texas_wager s
          LEFT JOIN LATERAL (SELECT t.won, t.returned FROM casino.texas_share t
                              WHERE s.first AND t.round_id = s.round_id AND t.seat = s.seat OFFSET 0) x ON true;

    -- OFFSET 0 makes the planner look a rule up by its key, once for each kind and grade of the round (Memoize): free to join
    -- as it likes, it knows nothing about kind(bet) and takes 10,000 wagers for a few.  A grade without its line of the
    -- paytable is an error of payout(), never a wager left out.
    FOREACH branch IN ARRAY ARRAY['roulette', 'baccarat', 'blackjack', 'casino_holdem', 'texas_holdem'] LOOP
        EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'graded_' || branch,
                       'Standing wagers of evaluated rounds with kind and grade, games of the family ' || branch);
        EXECUTE format('COMMENT ON COLUMN casino.%I.share IS %L', 'graded_' || branch,
                       'CZK from the pots, of games between players; NULL where the paytable pays');
        EXECUTE format('COMMENT ON COLUMN casino.%I.before IS %L', 'graded_' || branch,
                       'Haléře on the position before this wager, see casino.position_staked(); NULL in games between players');
        EXECUTE format($view$
            CREATE VIEW casino.%I AS
                SELECT w.round_id, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.staked, w.grade,
                       CASE WHEN w.share IS NULL
                            THEN casino.payout(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), coalesce(o.declared_win, 'Infinity'), w.before)
                            ELSE w.share
                       END AS payout,
                       w.share IS NULL AND o.declared_win IS NOT NULL
                       AND casino.is_capped(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), o.declared_win, w.before) AS capped,
                       CASE WHEN w.grade = 'returned' AND w.kind = 'insurance' THEN 'insurance_not_offered'
                            WHEN w.share IS NULL AND o.declared_win IS NOT NULL
                                 AND casino.reaches_cap(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), o.declared_win, w.before)
                            THEN 'declared_win'
                       END AS breach
                  FROM casino.%I w
                  LEFT JOIN LATERAL (SELECT b.declared_win, t.num, t.den
                                       FROM casino.bet_rule b
                                       LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind AND t.grade = w.grade
                                      WHERE b.plan_id = w.plan_id AND b.kind = w.kind OFFSET 0) o ON true
            $view$, 'evaluation_' || branch, 'graded_' || branch);
        EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'evaluation_' || branch,
                       'The part of casino.evaluation that is of the family ' || branch);
        EXECUTE format('COMMENT ON COLUMN casino.%I.payout IS %L', 'evaluation_' || branch,
                       'CZK the wager gets back, stake included; 0 when lost');
        EXECUTE format('COMMENT ON COLUMN casino.%I.breach IS %L', 'evaluation_' || branch,
                       'Rule that the wager broke, found out by the evaluation; declared_win stands at the first wager of a position that is cut');
        EXECUTE format('COMMENT ON COLUMN casino.%I.capped IS %L', 'evaluation_' || branch,
                       'The declared net win of the kind bounds the profit of its position, as far as this wager');
    END LOOP;

    -- Of all families: each stake asks for its own evaluation, which evaluated_wager() has from its round's family.  A union of the
    -- five would take the planner longer than a round takes to evaluate, and could not be restricted by a join: so it costs
    -- what its rows cost, by whatever they are chosen.
    CREATE VIEW casino.evaluation AS
        SELECT s.round_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, e.grade, e.payout, e.capped, e.breach,
               r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
         CROSS JOIN LATERAL casino.evaluated_wager(s.round_id, s.player_id, s.entry_no) e
         WHERE s.kind = 'stake' AND r.status IN ('settled', 'withheld');
    COMMENT ON VIEW casino.evaluation IS 'What the rules give each wager of an evaluated round, from the stakes, the outcome and the plan alone: views evaluation_roulette and so on, by the round''s family. The second opinion: settlement reckons the same in C, reconciliation and checks of payouts by hand ask here';
    COMMENT ON COLUMN casino.evaluation.payout IS 'CZK the wager gets back, stake included; 0 when lost';
    COMMENT ON COLUMN casino.evaluation.breach IS 'Rule that the wager broke, found out by the evaluation; declared_win stands at the first wager of a position that is cut';
    COMMENT ON COLUMN casino.evaluation.capped IS 'The declared net win of the kind bounds the profit of its position, as far as this wager';
    COMMENT ON COLUMN casino.evaluation.evaluated_at IS 'When the round was evaluated: days are asked for by this column';
END
$fn$;
COMMENT ON FUNCTION casino.install_evaluation() IS 'Part of casino.install(): the views that evaluate rounds';
