-- Blackjack: totals, rules and marks as numbers, grading.

CREATE FUNCTION casino.blackjack_total(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_total(casino.hand)
    IS 'Blackjack total of a hand, the best not over 21 if there is one';

CREATE FUNCTION casino.is_soft(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_soft' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_soft(casino.hand) IS 'Does an ace of the hand count 11 in its blackjack total';

CREATE FUNCTION casino.is_blackjack(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_blackjack(casino.hand)
    IS 'Are the cards an ace and a ten-value and nothing else; after a split such a hand is a 21 and no '
       'blackjack';

CREATE FUNCTION casino.blackjack_rules(rules jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_rules' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_rules(jsonb)
    IS 'The rules of a blackjack plan as one number for grade_blackjack()';

CREATE FUNCTION casino_internal.blackjack_mark(bet casino.bet, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_mark' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.blackjack_mark(casino.bet, integer)
    IS 'Bit of a wager among the marks of its player on its box';

CREATE FUNCTION casino.grade_blackjack(bet casino.bet, hand integer, marks bigint, rules bigint,
                                       hands casino.hand[],
                                       dealer casino.hand, surrendered boolean,
                                       even_money boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_blackjack(casino.bet, integer, bigint, bigint, casino.hand[], casino.hand,
                                           boolean, boolean)
    IS 'Grade of a blackjack wager on a hand, from the marks of its player''s wagers, the rules and all '
       'cards it depends on';

CREATE FUNCTION casino_internal.quote_grades_blackjack(rules jsonb, outcome jsonb, bets casino.bet[],
                                                       hands integer[])
RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT array_agg(casino.grade_blackjack(b.bet, b.hand, b.marks, casino.blackjack_rules(rules), o.hands,
                                            (outcome ->> 'dealer')::casino.hand, o.surrendered, o.even_money)
                     ORDER BY b.n)
      FROM (SELECT u.bet, u.hand, u.n, bit_or(casino_internal.blackjack_mark(u.bet, u.hand)) OVER () AS marks
              FROM unnest(bets, hands) WITH ORDINALITY u (bet, hand, n)) b
     CROSS JOIN (SELECT array_agg((h.v ->> 'cards')::casino.hand ORDER BY h.n) AS hands,
                        coalesce(bool_or((h.v ->> 'surrendered')::boolean), false) AS surrendered,
                        coalesce(bool_or(h.v ? 'even_money'), false) AS even_money
                   FROM jsonb_array_elements(outcome -> 'hands') WITH ORDINALITY h (v, n)) o
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades_blackjack(jsonb, jsonb, casino.bet[], integer[])
    IS 'Part of quote(): quote_grades() of the family blackjack';

CREATE FUNCTION casino_internal.install_blackjack() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Blackjack: hands of each box together; each wager with the marks of its player's wagers on the box and
    -- with his group at a shared box, which comes by the same window: a join of ten thousand players would be
    -- as good as the planner's guess of how many there are.
    CREATE VIEW casino.blackjack_box AS
        SELECT d.round_id, d.seat, d.group_no, array_agg(d.cards ORDER BY d.hand) AS hands,
               bool_or(d.surrendered) AS surrendered,
               bool_or(d.even_money) AS even_money,
               min(d.even_money_players) FILTER (WHERE d.hand = 1) AS even_money_players,
               (SELECT x.cards
                  FROM casino.dealt_hand x
                 WHERE x.round_id = d.round_id AND x.side = 'dealer') AS dealer,
               casino_internal.planned_as_ten_rows() AS planner_hint
          FROM casino.dealt_hand d
         WHERE d.side = 'box'
         GROUP BY d.round_id, d.seat, d.group_no;
    COMMENT ON VIEW casino.blackjack_box
        IS 'Part of casino.evaluation: hands of a seat, or of a group of players at a shared box, in one row';
    COMMENT ON COLUMN casino.blackjack_box.hands IS 'Cards of hands 1, 2 ...';
    COMMENT ON COLUMN casino.blackjack_box.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.blackjack_box.even_money IS 'All with a main bet took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.blackjack_box.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.blackjack_box.planner_hint IS 'A hint to the planner, see casino.standing_stake';
    COMMENT ON COLUMN casino.blackjack_box.dealer IS 'The dealer''s cards';

    CREATE VIEW casino.blackjack_member AS
        SELECT d.round_id, d.group_no, p.player_id
          FROM casino.dealt_hand d
         CROSS JOIN LATERAL unnest(d.players) AS p (player_id)
         WHERE d.side = 'box' AND d.hand = 1 AND d.group_no > 0;
    COMMENT ON VIEW casino.blackjack_member
        IS 'Part of casino.evaluation: players with hands of their own at a shared box';
    COMMENT ON COLUMN casino.blackjack_member.player_id IS 'Player of the group';

    CREATE VIEW casino.blackjack_wager AS
        SELECT w.round_id, w.plan_id, w.rules, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.amount,
               w.marks, w.group_no, w.before
          FROM (SELECT u.round_id, u.plan_id, u.rules, u.player_id, u.entry_no, u.bet, u.seat, u.hand,
                       u.amount,
                       bit_or(u.mark) OVER box AS marks, max(u.group_no) OVER box AS group_no,
                       casino_internal.position_staked(u.bet, u.seat, u.hand) OVER (box ORDER BY u.entry_no)
                           AS before
                  FROM (SELECT s.round_id, s.plan_id, s.rules, s.player_id, s.entry_no, s.bet, s.seat, s.hand,
                               s.amount,
                               casino_internal.blackjack_mark(s.bet, coalesce(s.hand, 1)) AS mark,
                                   0 AS group_no
                          FROM casino.standing_stake s
                         WHERE s.family = 'blackjack'
                        UNION ALL
                        SELECT m.round_id, NULL AS plan_id, NULL AS rules, m.player_id, NULL AS entry_no,
                               NULL AS bet, NULL AS seat,
                               NULL AS hand, NULL AS amount, 0 AS mark, m.group_no
                          FROM casino.blackjack_member m) u
                WINDOW box AS (PARTITION BY u.round_id, u.player_id, coalesce(u.seat, 0))) w
         WHERE w.entry_no IS NOT NULL;
    COMMENT ON VIEW casino.blackjack_wager
        IS 'Part of casino.evaluation: wagers of evaluated blackjack rounds, with the marks of all wagers '
           'of the player on the box';
    COMMENT ON COLUMN casino.blackjack_wager.rules IS 'Rules of the plan version as one number';
    COMMENT ON COLUMN casino.blackjack_wager.before
        IS 'Haléře on the position before this wager, see casino_internal.position_staked()';
    COMMENT ON COLUMN casino.blackjack_wager.marks
        IS 'Bits of all wagers of the player on the box, see casino_internal.blackjack_mark()';

    CREATE VIEW casino.graded_blackjack AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.blackjack_wager s
          JOIN casino.blackjack_box x
               ON x.round_id = s.round_id AND x.seat = coalesce(s.seat, 0) AND x.group_no = s.group_no
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_blackjack(s.bet, coalesce(s.hand, 1), s.marks, s.rules,
                                                           x.hands, x.dealer, x.surrendered,
                                                           x.even_money
                                                               OR s.player_id
                                                                      = ANY (x.even_money_players)) AS grade
                             OFFSET 0) k;

    PERFORM casino_internal.install_evaluation_of('blackjack');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_blackjack()
    IS 'Part of casino.install(): how wagers of the family blackjack are graded';
