-- The audit of the plans (R8.1 to R8.9, R8.13): exact counts, returns, greatest wins against what the plans
-- declare.
-- Figures are from the literature, from formulas, or from another program (test/unit/count.c has more of
-- them).
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
BEGIN;
SELECT no_plan();

-- -------------------------------------------------------------------------------------- the counts are whole
CREATE TEMP TABLE asked AS
    SELECT p.game, b.kind FROM casino.game_plan p JOIN casino.bet_rule b USING (plan_id)
    UNION ALL SELECT p.game, a.stem FROM casino.game_plan p JOIN casino.announced_rule a USING (plan_id);
CREATE TEMP TABLE counted AS
    SELECT k.game, k.kind, r.* FROM asked k CROSS JOIN LATERAL casino.bet_return(k.game, k.kind, now()) r;

SELECT is_empty($$SELECT game, kind, selection FROM counted GROUP BY 1, 2, 3
                HAVING sum(ways) <> min(of) OR min(of) <> max(of)$$,
                'the ways of each bet add up to what they are out of');
SELECT is_empty($$SELECT game, kind, selection, grade FROM counted GROUP BY 1, 2, 3, 4
                HAVING count(*) > 1$$, 'each grade once');
SELECT is_empty($$SELECT game, kind, grade FROM counted
                WHERE profit IS NULL OR ways <= 0 OR ways <> trunc(ways) OR of <> trunc(of)$$,
                'counts are whole numbers, and each grade that occurs has its odds');
SELECT is_empty($$SELECT game, kind, grade FROM counted
                WHERE abs(probability - ways / of) > 1e-16$$, 'probability is their quotient');
SELECT set_eq($$SELECT DISTINCT k.kind FROM asked k
              WHERE NOT EXISTS (SELECT FROM counted c WHERE (c.game, c.kind) = (k.game, k.kind))$$,
              '{double_down,split_pair,free_split,free_double,pot}'::text[],
                  'no rows of their own have only the parts of the play of main, and pots');
-- every line of a paytable can occur
SELECT is_empty($$SELECT p.game, t.kind, t.grade FROM casino.paytable t
                JOIN casino.game_plan p USING (plan_id)
                   WHERE t.kind NOT IN ('main', 'behind', 'double_down', 'split_pair', 'free_split',
                                        'free_double')
                     AND (t.kind, t.grade) <> ('insurance', 'returned')
                     AND NOT EXISTS (SELECT FROM counted c
                                     WHERE (c.game, c.kind, c.grade) = (p.game, t.kind, t.grade))$$,
                'every line of the paytables is counted, but for insurance that was never on offer');

-- ------------------------------------------------------------------------------- counts known from elsewhere
PREPARE counts_of(text, text) AS SELECT grade, ways, of FROM counted WHERE game = $1 AND kind = $2;
SELECT set_eq($$EXECUTE counts_of('blackjack_synot', '21+3')$$,
              $$VALUES ('suited_trips', 2912::numeric, 11912160::numeric),
                  ('straight_flush', 24576, 11912160), ('trips', 61568, 11912160),
                       ('straight', 368640, 11912160), ('flush', 700928, 11912160),
                           ('lose', 10753536, 11912160)$$, '21+3 of eight decks');
SELECT set_eq($$EXECUTE counts_of('blackjack_all_bets', 'dealer_pair')$$,
              $$VALUES ('suited_pair', 1456::numeric, 86320::numeric), ('coloured_pair', 1664, 86320),
                  ('mixed_pair', 3328, 86320), ('lose', 79872, 86320)$$,
              'pairs of eight decks');
SELECT set_eq($$EXECUTE counts_of('baccarat', 'player')$$,
              $$VALUES ('win', 2230518282592256::numeric, 4998398275503360::numeric),
                  ('lose', 2292252566437888, 4998398275503360),
                       ('push', 475627426473216, 4998398275503360)$$, 'baccarat of eight decks');
SELECT set_eq($$SELECT selection, ways, of FROM counted
              WHERE game = 'blackjack_synot' AND kind = 'insurance' AND grade = 'win'
                  AND selection IS DISTINCT FROM 'no_blackjack'$$,
              $$VALUES (NULL, 128::numeric, 415::numeric), ('own_blackjack', 127, 413)$$,
                  'R8.6: insurance: a ten beside the ace');
SELECT set_eq($$SELECT DISTINCT selection FROM counted
              WHERE game = 'blackjack_czech_casinos' AND kind = 'insurance'$$, '{no_blackjack}'::text[],
              'where a blackjack may not be insured, only the others are counted (D0)');
SELECT is((SELECT of FROM counted WHERE game = 'casino_holdem' AND kind = 'ante' AND grade = 'push'),
          27813810024000::numeric, 'all deals of Casino Hold''em');
SELECT set_eq($$SELECT grade, ways FROM counted
              WHERE game = 'casino_holdem' AND kind = 'aa' AND grade <> 'lose'$$,
              $$VALUES ('royal_flush', 4::numeric), ('straight_flush', 36), ('four_of_a_kind', 624),
                  ('full_house', 3744), ('flush', 5108), ('pair_of_aces', 273144)$$,
              'AA: the hands of five cards');

-- the wheel, number by number, as the extension grades it
SELECT is_empty($$SELECT c.game, c.kind, c.selection
                FROM (SELECT * FROM counted JOIN casino.game g USING (game)
                      WHERE g.family = 'roulette' AND grade = 'win' OFFSET 0) c
                   WHERE c.ways <> (SELECT count(*) FROM generate_series(0, 36) n
                                    WHERE casino.grade_roulette(casino.bet(c.kind, c.selection, 1),
                                                                n) = 'win')$$,
                'roulette: as many numbers win as grade_roulette() says');
-- an announced bet, chip by chip
SELECT is_empty($$SELECT c.game, c.kind, c.selection, c.profit FROM counted c
                JOIN casino.announced_rule a ON a.stem = c.kind
                    JOIN casino.game_plan p ON p.plan_id = a.plan_id AND p.game = c.game
                   WHERE c.game = 'roulette_synot'
                     AND c.ways <> (SELECT count(*) FROM generate_series(0, 36) n
                                     WHERE round((SELECT sum(casino.stake(e) * CASE casino.grade_roulette(e,
                                             n) WHEN 'win' THEN t.num ELSE -1 END) / sum(casino.stake(e))
                                              FROM casino.expand_announced(concat_ws(':', c.kind,
                                                      c.selection), 1) e
                                              JOIN casino.paytable t ON t.plan_id = a.plan_id
                                                  AND t.kind = casino.kind(e)), 12) = round(c.profit, 12))$$,
                'announced bets: as many numbers bring each result as their chips do');
SELECT is((SELECT count(DISTINCT selection) FROM counted
           WHERE game = 'roulette_evolution' AND kind = 'neighbours'), 370::bigint,
               'neighbours 0 to 9 (Evolution)');
SELECT is((SELECT count(DISTINCT selection) FROM counted
           WHERE game = 'roulette_absolute' AND kind = 'neighbours'), 333::bigint, '1 to 9 (Absolute)');
SELECT is((SELECT count(DISTINCT selection) FROM counted WHERE game = 'roulette_american' AND kind = 'split'),
          57::bigint, 'no splits with zero (D2)');

-- ------------------------------------------------------------------------------------------------ returns
CREATE TEMP TABLE audit AS SELECT g.game, a.* FROM casino.game g
    CROSS JOIN LATERAL casino.plan_audit(g.game, now()) a;
CREATE TEMP TABLE published (game text, kind text, selection text, percent numeric);
INSERT INTO published VALUES
    -- the literature
    ('baccarat', 'player', NULL, 98.7649), ('baccarat', 'banker', NULL, 98.9421),
        ('baccarat', 'tie', NULL, 85.6404),
    ('roulette_synot', 'red', NULL, 97.2973), ('roulette_american', 'straight', '0', 97.2973),
        ('roulette_absolute', 'voisins', NULL, 97.2973),
    -- another program: walks over multisets of drawn values, in exact fractions
    ('blackjack_synot', '21+3', NULL, 96.2961), ('blackjack_endless', '21+3', NULL, 93.7118),
        ('blackjack_all_bets', 'top3', NULL, 91.0003),
    ('blackjack_all_bets', 'lucky_lucky', NULL, 96.0919), ('blackjack_infinite', 'hot3', NULL, 94.5951),
        ('blackjack_evolution', 'player_pair', NULL, 95.9036),
    ('blackjack_infinite', 'bust_it', NULL, 94.1165), ('blackjack_all_bets', 'buster', NULL, 93.8659),
    -- another program: the best play against an endless shoe (R8.2)
    ('blackjack_czech_casinos', 'main', NULL, 99.4451), ('blackjack_classic', 'main', NULL, 99.1172),
        ('blackjack_house', 'main', NULL, 99.2358),
    ('blackjack_free_bet', 'main', NULL, 99.3220), ('blackjack_synot', 'main', NULL, 99.5693),
        ('blackjack_synot', 'main', 'surrender', 100.2172),
    ('blackjack_all_bets', 'main', NULL, 99.5693), ('blackjack_infinite', 'main', NULL, 99.7778),
        ('blackjack_evolution', 'main', 'surrender', 100.4181),
    ('blackjack_endless', 'main', NULL, 99.5693);
SELECT is_empty($$SELECT p.*, a.rtp FROM published p
                LEFT JOIN audit a ON (a.game, a.kind) = (p.game, p.kind)
                    AND a.selection IS NOT DISTINCT FROM p.selection
                   WHERE round(a.rtp * 100, 4) IS DISTINCT FROM p.percent$$,
                       'returns as published or worked out elsewhere');
SELECT is((SELECT round(rtp * 100, 2) FROM audit
           WHERE (game, kind, selection) = ('casino_holdem', 'ante', 'with_call')), 97.84, 'Casino Hold''em');
SELECT is((SELECT round(rtp * 100, 2) FROM audit WHERE (game, kind) = ('casino_holdem', 'aa')), 93.74,
          'its AA');
SELECT is((SELECT round(100 - percent, 2) FROM published WHERE (game, kind) = ('baccarat', 'banker')), 1.06,
          'the edge of the banker is the well-known one');
SELECT is_empty($$SELECT game, kind FROM audit
                WHERE house_edge <> 1 - rtp$$, 'the edge is what does not come back');
SELECT is_empty($$SELECT a.game, a.kind, a.selection FROM audit a
                    JOIN (SELECT game, kind, selection, sum(probability * (1 + profit)) AS back,
                                 sum(probability) FILTER (WHERE profit > 0) AS hits,
                                 sum(probability * profit * profit)
                                 - sum(probability * profit) ^ 2 AS variance
                            FROM counted GROUP BY 1, 2, 3) c ON (c.game, c.kind) = (a.game, a.kind)
                                AND c.selection IS NOT DISTINCT FROM a.selection
                   WHERE abs(a.rtp - c.back) > 1e-12 OR abs(a.hit_rate - c.hits) > 1e-12
                       OR abs(a.variance - c.variance) > 1e-9$$,
                'return, hit rate and variance follow from the rows of bet_return()');
-- a straight: 1/37 at 35:1: 36 * 36 / 37 * (1 - 1/37)
SELECT is((SELECT round(variance, 12) FROM audit
           WHERE (game, kind, selection) = ('roulette_synot', 'straight', '17')),
               round(1296 * 36.0 / 1369, 12), 'variance of a straight');
SELECT is((SELECT count(*) FROM audit WHERE kind NOT IN ('box', 'round', 'pot', 'double_down', 'split_pair',
                                                         'free_split', 'free_double')
                                                             AND rtp IS NULL), 0::bigint,
          'every bet of the sixteen games is counted');

-- -------------------------------------------------------------------------------------- greatest wins (R8.8)
-- at the plan's maximum, the best line: what the document declares, where it does
SELECT is_empty($$SELECT a.game, a.kind FROM audit a
                   WHERE a.kind NOT IN ('main', 'behind', 'box', 'round') AND a.declared_win IS NOT NULL
                   GROUP BY a.game, a.kind, a.declared_win
                       HAVING max(a.max_profit) <> a.declared_win$$,
                           'the documents declare what their tables and maxima give');
SELECT set_eq($$SELECT game, max_profit, declared_win FROM audit
              WHERE kind = 'main' AND selection IS NULL AND declared_win IS NOT NULL$$,
              $$VALUES ('blackjack_synot', 400000.00, 150000::numeric),
                  ('blackjack_all_bets', 400000.00, 150000), ('blackjack_infinite', 400000.00, 150000),
                       ('blackjack_evolution', 400000.00, 150000),
                           ('blackjack_endless', 4000000.00, 1500000)$$,
    'two split hands, both doubled, win four times the stake; declared is one main bet''s blackjack');
SELECT alike((SELECT verdict FROM audit WHERE (game, kind) = ('blackjack_all_bets', 'main')),
             'best play against an endless shoe; declared 150000 CZK are of the main bet alone; '
             'doubled and split hands win up to 400000.00 CZK (D4 All Bets Blackjack %',
             'which the verdict says');
SELECT is_empty($$SELECT game, kind FROM audit
                   WHERE (rtp IS NOT NULL AND kind IN ('main', 'behind'))
                         <> (verdict LIKE 'best play against an endless shoe;%')$$,
                'the returns that are of an endless shoe, and they only, say so');
SELECT is((SELECT max_profit FROM audit WHERE (game, kind) = ('blackjack_all_bets', 'buster')), 2000000.00,
          'Buster at 2000:1');
SELECT alike((SELECT verdict FROM audit WHERE (game, kind) = ('blackjack_all_bets', 'buster')),
             'no win is declared: wins up to 2000000.00 CZK; the plan names 270000 CZK of top3 only '
             '(D4 All Bets Blackjack §24%',
             'declared is only the win of Top 3');
SELECT is((SELECT verdict FROM audit WHERE (game, kind) = ('baccarat', 'tie')),
          'wins as much as is declared (D4 Baccarat §20)', 'a declared win that is right');
SELECT alike((SELECT verdict FROM audit WHERE (game, kind, selection) = ('baccarat', 'egalite', '6')),
             'declared 220000 CZK are of another selection; this one wins up to 45000.00 CZK%',
             'egalite on six wins less than egalite on two, whose win is declared');
SELECT alike((SELECT verdict FROM audit WHERE (game, kind, selection) = ('blackjack_evolution', 'main',
        'surrender')), 'best play against an endless shoe; returns not less than is staked;%',
             'a surrender before the dealer looks at his second card gives more away than the plan takes');
-- voisins: 9 chips; two of them on a trio of 30 000 at most, which is 15 000 a chip: 135 000 staked, 15 chips
-- won on 0, 2 or 3
SELECT set_eq($$SELECT max_stake, max_profit FROM audit
              WHERE (game, kind) = ('roulette_synot', 'voisins')$$, $$VALUES (135000.00, 225000.00)$$,
                  'an announced bet within the maxima of its positions');
SELECT is_empty($$SELECT game, kind FROM audit
                WHERE game IN ('blackjack_house', 'roulette_american')
                    AND (max_stake IS NOT NULL OR max_profit IS NOT NULL)$$,
                'no greatest win where the plan sets no maximum');

-- a box with everything on it, and a round
SELECT set_eq($$SELECT game, max_profit, declared_win FROM audit
              WHERE kind = 'round' AND declared_win IS NOT NULL$$,
              $$VALUES ('baccarat', 967000.00, 967000::numeric), ('casino_holdem', 4040000.00, 4040000)$$,
                  'R2.10: the declared wins of rounds are those found by search');
-- a blackjack 150 000, buster with eight cards 2 000 000, a suited pair of the dealer 25 000, three cards of
-- one suit 5 000
SELECT is((SELECT max_profit FROM audit WHERE (game, kind) = ('blackjack_all_bets', 'box')), 2180000.00,
          'All Bets: the best box');
-- a split of two, both doubled 400 000; three suited of a kind 100 000 and 270 000; two suited pairs of 25
-- 000
SELECT is((SELECT max_profit FROM audit WHERE (game, kind) = ('blackjack_synot', 'box')), 820000.00,
          'Synot: the best box');
SELECT is((SELECT max_stake FROM audit WHERE (game, kind) = ('blackjack_all_bets', 'box')), 106000::numeric,
          'a main bet and six side bets are staked there');
-- 2 lies in one straight, one street, both trios, the first four, one six line, its dozen, column, low, even
-- and black, in three splits beside that with zero, and in two corners
SELECT is((SELECT max_profit FROM audit WHERE (game, kind, selection) = ('roulette_synot', 'round', '2')),
          350000.00 + 4 * 340000 + 330000 + 2 * 330000 + 2 * 320000 + 320000 + 300000 + 2 * 130000
          + 3 * 100000,
          'roulette: everything that covers 2');

-- --------------------------------------------------------------------------- other versions, wrong questions
SELECT casino.add_plan_version('baccarat', '2099-01-01', 'Baccarat, 2098-11-30') AS plan \gset
UPDATE casino.paytable SET num = 9 WHERE plan_id = :plan AND (kind, grade) = ('tie', 'win');
UPDATE casino.plan_rule SET value = '6' WHERE plan_id = :plan AND rule = 'decks';
SELECT is((SELECT of FROM casino.bet_return('baccarat', 'tie', '2099-06-01') WHERE grade = 'win'),
          312::numeric * 311 * 310 * 309 * 308 * 307,
          'R1.26: a draft can be audited before its day: six decks');
-- the literature has 9.5069 % ties, 44.6279 % and 45.8653 % wins of player and banker, of six decks
SELECT is((SELECT round(rtp / 10 * 100, 4) FROM casino.plan_audit('baccarat', '2099-06-01')
           WHERE kind = 'tie'), 9.5069, 'and ten for a tie');
SELECT alike((SELECT verdict FROM casino.plan_audit('baccarat', '2099-06-01') WHERE kind = 'tie'),
             'wins up to 225000.00 CZK, more than the declared 200000 CZK, to which it is cut%',
                 'whose declared win was forgotten');
UPDATE casino.bet_rule SET declared_win = 300000 WHERE plan_id = :plan AND kind = 'tie';
SELECT alike((SELECT verdict FROM casino.plan_audit('baccarat', '2099-06-01') WHERE kind = 'tie'),
             'wins up to 225000.00 CZK, less than the declared 300000 CZK%', 'or is too high');
DELETE FROM casino.paytable WHERE plan_id = :plan AND (kind, grade) = ('tie', 'win');
SELECT is((SELECT rtp FROM casino.plan_audit('baccarat', '2099-06-01') WHERE kind = 'tie'), NULL,
          'without odds of a grade that occurs there is no return');
SELECT is((SELECT count(*) FROM casino.bet_return('baccarat', 'tie', '2099-06-01') WHERE profit IS NULL),
          1::bigint, 'and the line shows it');

SELECT casino.add_plan_version('casino_holdem', '2099-01-01', 'Casino Hold''em, 2098-11-30') AS plan \gset
UPDATE casino.paytable SET num = 3 WHERE plan_id = :plan AND (kind, grade) = ('ante', 'flush');
SELECT is_empty($$SELECT * FROM casino.bet_return('casino_holdem', 'ante', '2099-06-01')$$,
                'Casino Hold''em under odds whose best decision is not kept is not counted');
SELECT alike((SELECT verdict FROM casino.plan_audit('casino_holdem', '2099-06-01') WHERE kind = 'call'),
             'not counted; %', 'and says so');

SELECT throws_ok($$SELECT casino.bet_return('baccarat', 'main', now())$$, 'KB004', NULL,
                 'a bet that the game does not offer');
SELECT throws_ok($$SELECT casino.bet_return('roulette_american', 'voisins', now())$$, 'KB004', NULL,
                 'nor this announced one');
SELECT throws_ok($$SELECT casino.bet_return('poker', 'main', now())$$, '23503', NULL,
                 'a game that is not there');
SELECT throws_ok($$SELECT casino.plan_audit('poker', now())$$, '23503', NULL, 'nor audited');
SELECT throws_ok($$SELECT casino_internal.count_bet('blackjack', '{}', '{}', 'nonsense')$$, '22023', NULL,
                 'what is no bet');
SELECT throws_ok($$SELECT casino_internal.count_bet('blackjack', '{}', '{}', 'main')$$, '55000', NULL,
                 'blackjack without its rules');
SELECT throws_ok($$SELECT casino_internal.count_bet('roulette', '{}', '[]', 'voisins')$$, '22023', NULL,
                 'odds that are no object');
SELECT throws_ok($$SELECT casino_internal.count_bet('roulette', '{}', '{"split": {"win": [1, 0]}}',
                                                    'voisins')$$,
                 '22023', NULL, 'odds over nothing');
SELECT throws_ok($$SELECT casino_internal.count_bet('baccarat', '{"decks": 8}', '{}', 'tie')$$, '22023', NULL,
                 'a rule that is no text');
SELECT throws_ok($$SELECT casino_internal.best_round('baccarat', '{"decks": "8"}', '{}', '{"tie": "1"}')$$,
                 '22023',
                 NULL, 'a stake that is no number');
SELECT is_empty($$SELECT * FROM casino_internal.count_bet('baccarat', '{"decks": "40"}', '{}', 'tie')$$,
                'more decks than are counted');
SELECT is_empty($$SELECT * FROM casino_internal.count_bet('texas_holdem', '{}', '{}', 'pot')$$,
                'a family without odds');

SELECT * FROM finish();
ROLLBACK;
