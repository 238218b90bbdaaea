-- Results watched against the exact returns (R8.10 to R8.12): what watch_day() adds up, worked out by hand;
-- what a biased wheel shows, and a fair one does not.  The simulations draw from a fixed seed.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- ------------------------------------------------------------------------------------------------ chi-square
-- tables of the distribution: 5, 1 and 0.1 per cent
SELECT is(round(casino_internal.chi_square_probability(x, d)::numeric, 4), p,
          format('chi-square of %s with %s degrees', x, d))
  FROM (VALUES (3.841, 1, 0.0500), (7.815, 3, 0.0500), (11.345, 3, 0.0100), (21.026, 12, 0.0500),
        (32.909, 12, 0.0010), (50.998, 36, 0.0500), (58.619, 36, 0.0100)) v (x, d, p);
-- of two degrees it is exp(-x / 2)
SELECT ok(abs(casino_internal.chi_square_probability(x, 2) / exp(-x / 2) - 1) < 1e-12,
          format('exact at %s', x))
  FROM unnest('{0.001,0.5,2,3.9,4.1,20,300}'::float8[]) x;
SELECT is(casino_internal.chi_square_probability(0, 36), 1::float8, 'nothing is no surprise');
SELECT is(casino_internal.chi_square_probability('Infinity', 36), 0::float8, 'and anything is less');
SELECT throws_ok($$SELECT casino_internal.chi_square_probability(-1, 3)$$, '22003', NULL,
                 'a chi-square below zero');
SELECT throws_ok($$SELECT casino_internal.chi_square_probability('NaN', 3)$$, '22003', NULL,
                 'one that is no number');
SELECT throws_ok($$SELECT casino_internal.chi_square_probability(1, 0)$$, '22003', NULL,
                 'no degrees of freedom');

-- --------------------------------------------------------------------------------------------- a day by hand
SELECT casino.add_game_table('roulette_american', 'R', 1, 10000) AS r,
    casino.add_game_table('baccarat', 'B', 1, 10000) AS b,
       casino.add_game_table('blackjack_synot', 'J', 1, 10000, '{"behind": true}') AS j,
           casino.add_game_table('blackjack_evolution', 'E', 1, 10000, '{"surrender": true}') AS e,
       casino.add_game_table('casino_holdem', 'H', 1, 10000) AS h,
           casino.add_game_table('blackjack_czech_casinos', 'C', 1, 10000) AS c \gset
SELECT casino.register_player('one') AS p, casino.register_player('two') AS q,
    casino.register_player('three') AS s \gset
SELECT count(casino.deposit(x, 1000000, at => '2026-05-01')) FROM unnest(ARRAY[:p, :q, :s]) x \g /dev/null

-- a roulette round: number 17 is black
SELECT casino.open_round(:r, 'r1', '2026-06-01 00:00') AS round \gset
SELECT casino.place_bets(:round, :p, '{red@100,straight:17@10,split:17-20@20}', 'a',
                         at => '2026-06-01 00:00') \g /dev/null
SELECT casino.place_bets(:round, :q, '{red@50}', 'a', at => '2026-06-01 00:00') \g /dev/null
SELECT casino.place_bets(:round, :q, '{red@500}', 'gone', at => '2026-06-01 00:00') \g /dev/null
SELECT casino.cancel_bet(:round, :q, 'gone', '2026-06-01 00:00') \g /dev/null
SELECT casino.settle_round(:round, '{"number": 17}', '2026-06-01 00:00') \g /dev/null
-- 1 is red; two straights of one round
SELECT casino.open_round(:r, 'r2', '2026-06-01 12:00') AS round \gset
SELECT casino.place_bets(:round, :p, '{red@100,straight:17@10,straight:20@30}', 'b',
                         at => '2026-06-01 12:00') \g /dev/null
SELECT casino.settle_round(:round, '{"number": 1}', '2026-06-01 12:01', withhold => true) \g /dev/null
-- void, and of the days before and after
SELECT casino.open_round(:r, 'r3', '2026-06-01 13:00') AS round \gset
SELECT casino.place_bets(:round, :p, '{red@100}', 'c', at => '2026-06-01 13:00') \g /dev/null
SELECT casino.void_round(:round, 'ball jumped out', '2026-06-01 13:01') \g /dev/null
SELECT casino.open_round(:r, 'r4', '2026-06-01 23:59') AS round \gset
SELECT casino.place_bets(:round, :p, '{red@100}', 'd', at => '2026-06-01 23:59') \g /dev/null
SELECT casino.settle_round(:round, '{"number": 3}', '2026-06-02 00:00') \g /dev/null

-- baccarat: a tie on 6 with a pair of the player: 3 3 against K 6
SELECT casino.open_round(:b, 'b1', '2026-06-01 10:00') AS round \gset
SELECT casino.place_bets(:round, :s, '{player@100,tie@10,egalite:6@5,egalite:8@5,player_pair@20}', 'a',
                         at => '2026-06-01 10:00') \g /dev/null
SELECT casino.settle_round(:round, '{"player": "3h 3d", "banker": "Kc 6d"}', '2026-06-01 10:01') \g /dev/null

-- Casino Hold'em: the ante and its call win against a pair of kings, the other player folds
SELECT casino.open_round(:h, 'h1', '2026-06-01 11:00') AS round \gset
SELECT casino.place_bets(:round, :s, '{ante@100,aa@10}', 'b', at => '2026-06-01 11:00') \g /dev/null
SELECT casino.place_bets(:round, :q, '{ante@100}', 'b', at => '2026-06-01 11:00') \g /dev/null
SELECT casino.close_betting(:round, '2026-06-01 11:00') \g /dev/null
SELECT casino.place_bet(:round, :s, 'call@200', 'c', at => '2026-06-01 11:00') \g /dev/null
SELECT casino.settle_round(:round, '{"player": "As Ad", "board": "2c 7d 9h Js 4c", "dealer": "Kh Kd"}',
                           '2026-06-01 11:01') \g /dev/null

-- Blackjack: a doubled 11 wins, with a straight of 5, 6 and 7, and the bet behind it, which does not follow
SELECT casino.open_round(:j, 'j1', '2026-06-01 15:00') AS round \gset
SELECT casino.place_bets(:round, :s, '{main@100,21+3@10}', 'd', seat => 1,
                         at => '2026-06-01 15:00') \g /dev/null
SELECT casino.place_bets(:round, :q, '{behind@40}', 'd', seat => 1, at => '2026-06-01 15:00') \g /dev/null
SELECT casino.close_betting(:round, '2026-06-01 15:00') \g /dev/null
SELECT casino.place_bet(:round, :s, 'double_down@100', 'e', seat => 1, at => '2026-06-01 15:00') \g /dev/null
SELECT casino.settle_round(:round, '{"dealer": "7h Tc", "hands": [{"seat": 1, "cards": "6s 5d 9h"}]}',
                           '2026-06-01 15:01') \g /dev/null
-- a table that offers surrender, and insurance of who has no blackjack in a game where such cannot be insured
SELECT casino.open_round(:e, 'e1', '2026-06-01 16:00') AS round \gset
SELECT casino.place_bets(:round, :s, '{main@100}', 'f', seat => 1, at => '2026-06-01 16:00') \g /dev/null
SELECT casino.close_betting(:round, '2026-06-01 16:00') \g /dev/null
SELECT casino.settle_round(:round,
                           '{"dealer": "Th", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}',
                               '2026-06-01 16:01') \g /dev/null
SELECT casino.open_round(:c, 'c1', '2026-06-01 17:00') AS round \gset
SELECT casino.place_bets(:round, :s, '{main@100}', 'g', seat => 1, at => '2026-06-01 17:00') \g /dev/null
SELECT casino.close_betting(:round, '2026-06-01 17:00') \g /dev/null
SELECT casino.place_bet(:round, :s, 'insurance@50', 'h', seat => 1, at => '2026-06-01 17:00') \g /dev/null
SELECT casino.settle_round(:round, '{"dealer": "Ah 9c", "hands": [{"seat": 1, "cards": "Ts Kd"}]}',
                           '2026-06-01 17:01') \g /dev/null

SELECT casino.watch_day('2026-06-01') AS rows \gset
SELECT is((SELECT count(*) FROM casino.watched_bet) + (SELECT count(*) FROM casino.watched_face),
          :rows::bigint, 'watch_day() says how many rows it made');
PREPARE day_of(bigint) AS SELECT kind, rounds, wagers, staked, result, round(expected, 4) AS expected,
    round(variance, 2) AS variance FROM casino.watched_bet WHERE table_id = $1;
-- red: 150 and 100 of two rounds; 1/37 of it is expected; variance 1368/1369 of the squares.  Straights: 10,
-- then 10 and 30 of which one can win: (360² + 1080²) / 37 - (1440 / 37)², beside 360² / 37 - (360 / 37)².
-- Split: 360² of 2/37 less (720 / 37)².
SELECT set_eq('EXECUTE day_of(' || :r || ')',
    $$VALUES ('red', 2::bigint, 3::bigint, 250.00, 50.00, round(250 / 37.0, 4),
              round((22500 + 10000) * 1368 / 1369.0, 2)),
             ('straight', 2, 3, 50.00, -310.00, round(50 / 37.0, 4),
              round((129600 + 1166400) / 37.0 - (1440 / 37.0) ^ 2 + 129600 / 37.0 - (360 / 37.0) ^ 2, 2)),
             ('split', 1, 1, 20.00, -340.00, round(20 / 37.0, 4),
              round(2 * 129600 / 37.0 - (720 / 37.0) ^ 2, 2))$$,
    'roulette: cancelled and void stakes apart, withheld winnings counted, positions of one round together');
-- egalite: 46 * 5 back with 96170001308416 ways, 81 * 5 with 54879416675072, of 4998398275503360
SELECT set_eq('EXECUTE day_of(' || :b || ')',
    $$VALUES ('player', 1::bigint, 1::bigint, 100.00, 0.00, 1.2351,
              round(1e4 * (4522770849030144 / 4998398275503360.0 - (61734283845632 / 4998398275503360.0) ^ 2),
                    2)),
             ('tie', 1, 1, 10.00, -80.00, 1.4360,
              round(8100 * 475627426473216.0 / 4998398275503360 * (1 - 475627426473216.0 / 4998398275503360),
                    2)),
             ('egalite', 1, 2, 10.00, -220.00,
              round(10 - (230 * 96170001308416.0 + 405 * 54879416675072.0) / 4998398275503360, 4),
                round((230.0 ^ 2 * 96170001308416 + 405.0 ^ 2 * 54879416675072.0) / 4998398275503360
                      - ((230 * 96170001308416.0 + 405 * 54879416675072.0) / 4998398275503360) ^ 2, 2)),
             ('player_pair', 1, 1, 20.00, -220.00, round(20 * (1 - 12 * 6448 / 86320.0), 4),
              round(400 * 144 * 6448 / 86320.0 * (1 - 6448 / 86320.0), 2))$$,
    'baccarat: points of an egalite together');
SELECT set_eq($$SELECT kind, wagers, staked, result FROM casino.watched_bet WHERE table_id = $$ || :h,
    $$VALUES ('ante', 3::bigint, 200.00, -200.00), ('aa', 1::bigint, 10.00, -70.00)$$,
        'Casino Hold''em: the call belongs to its ante, a folded ante is lost');
SELECT is((SELECT round(expected, 4) FROM casino.watched_bet WHERE table_id = :h AND kind = 'ante'), 4.3153,
          'of antes with the best decision 2.1576 % are expected');
SELECT set_eq($$SELECT kind, wagers, staked, result, round(expected, 3) FROM casino.watched_bet
              WHERE table_id = $$ || :j,
    $$VALUES ('main', 4::bigint, 140.00, -280.00, 0.603), ('21+3', 1::bigint, 10.00, -100.00, 0.370)$$,
        'R8.5: blackjack: the double and the bet behind belong to main');
SELECT is((SELECT array_agg(round(expected, 3)) FROM casino.watched_bet WHERE table_id = :e),
          '{-0.418}'::numeric[], 'R8.4: with surrender the best play wins');
SELECT is((SELECT round(expected, 4) FROM casino.watched_bet WHERE table_id = :c AND kind = 'insurance'),
          3.6888, 'insurance of hands without a blackjack, six decks');
SELECT set_eq($$SELECT face, hits FROM casino.watched_face
              WHERE what = 'number'$$, $$VALUES ('17', 1::bigint), ('1', 1)$$, 'the numbers of the day');
-- five cards of the first five at Hold'em: two aces, 2 7 9; nothing of turn, river and dealer
SELECT set_eq($$SELECT face, hits FROM casino.watched_face
              WHERE what = 'rank' AND table_id = $$ || :h, $$VALUES ('A', 2::bigint), ('2', 1), ('7', 1),
                  ('9', 1)$$, 'cards that came whatever they were');
SELECT set_eq($$SELECT face, hits FROM casino.watched_face
              WHERE what = 'suit' AND table_id = $$ || :b, $$VALUES ('h', 1::bigint), ('d', 2), ('c', 1)$$,
                  'suits');
SELECT set_eq($$SELECT face, hits FROM casino.watched_face
              WHERE what = 'rank' AND table_id = $$ || :j, $$VALUES ('7', 1::bigint), ('T', 1), ('6', 1),
                  ('5', 1), ('9', 1)$$, 'a box of its own');
CREATE TEMP TABLE before AS TABLE casino.watched_bet;
SELECT is(casino.watch_day('2026-06-01'), :rows::bigint, 'done again');
SELECT set_eq('TABLE casino.watched_bet', 'TABLE before', 'it says the same');
SELECT casino.pay_withheld((SELECT round_id FROM casino.round WHERE round_ref = 'r2'),
                           '2026-06-03') \g /dev/null
SELECT is(casino.watch_day('2026-06-01'), :rows::bigint, 'also when what was withheld has been paid');
SELECT set_eq('TABLE casino.watched_bet', 'TABLE before', 'the same again');
SELECT casino.watch_day('2026-06-02') \g /dev/null
SELECT is((SELECT array_agg(result) FROM casino.watched_bet WHERE day = '2026-06-02'), '{-100.00}'::numeric[],
          'midnight begins the next day');
-- of single players: withheld it is won, void it was never staked
SELECT casino.open_round(:r, 'r5', '2026-06-05 12:00') AS round \gset
SELECT casino.place_bets(:round, :p, '{red@100}', 'e', at => '2026-06-05 12:00'),
    casino.place_bets(:round, :q, '{red@50}', 'e', at => '2026-06-05 12:00') \g /dev/null
SELECT casino.close_betting(:round, '2026-06-05 12:00') \g /dev/null
SELECT casino.withhold_winnings(:round, :p, 'looks like the ball was touched',
                                '2026-06-05 12:00') \g /dev/null
SELECT casino.settle_round(:round, '{"number": 3}', '2026-06-05 12:01') \g /dev/null
SELECT casino.watch_day('2026-06-05') \g /dev/null
SELECT is((SELECT array_agg(result) FROM casino.watched_bet WHERE day = '2026-06-05'), '{-150.00}'::numeric[],
          'withheld from one player');
SELECT casino.void_wagers(:round, :p, 'it was', '2026-06-06 12:00') \g /dev/null
SELECT casino.watch_day('2026-06-05') \g /dev/null
SELECT is((SELECT array_agg(result) FROM casino.watched_bet WHERE day = '2026-06-05'), '{-50.00}'::numeric[],
          'and void');
DELETE FROM casino.watched_bet WHERE day = '2026-06-05';
DELETE FROM casino.watched_face WHERE day = '2026-06-05';

SELECT is(casino.watch_day('2026-05-15'), 0::bigint, 'a day without rounds');
SELECT throws_ok('SELECT casino.watch_day(NULL)', '22023', NULL, 'no day');
SELECT throws_ok($$SELECT casino.watch_day('infinity')$$, '22023', NULL, 'a day without end');

SELECT set_eq($$SELECT span, from_day, to_day, staked, result, expected, deviations FROM casino.return_watch
              WHERE kind = 'red'$$,
    $$VALUES ('day', '2026-06-01'::date, '2026-06-01'::date, 250.00, 50.00, 6.76, 0.240),
        ('day', '2026-06-02', '2026-06-02', 100.00, -100.00, 2.70, -1.027),
             ('week', '2026-06-01', '2026-06-07', 350.00, -50.00, 9.46, -0.289),
                 ('all', '2026-06-01', '2026-06-02', 350.00, -50.00, 9.46, -0.289)$$,
    'return_watch: days, the week from Monday, all; (50 - 6.76) / sqrt(32476.26) deviations');
SELECT is((SELECT array_agg(DISTINCT probability) FROM casino.return_watch WHERE what = 'number'),
          '{NULL}'::float8[], 'three numbers say nothing about a wheel');
SELECT is((SELECT chi_square FROM casino.return_watch WHERE what = 'number' AND span = 'all'),
          37 * 3 / 3.0 - 3 + 0.000, 'chi-square of three different numbers');

-- ---------------------------------------------------------------------------------- wheels that are not fair
-- From here on days are put into the tables as watch_day() would make them.
TRUNCATE casino.watched_bet, casino.watched_face;
CREATE TEMP TABLE wheel AS
    SELECT n, casino.add_game_table('roulette_american', 'wheel ' || n, 1, 100) AS table_id, n <= 30 AS biased
      FROM generate_series(1, 38) n;

-- One number comes with 1/30, the others with 29/30 shared among 36.  The alarm is a probability below 0.0001
-- over all days.
-- Chi-square is then about 36 + n w² with variance 2 (36 + 2 n w²), w² the sum of squared differences over
-- 1/37: so many spins n show the wheel nine times out of ten.
CREATE FUNCTION critical(alarm float8) RETURNS float8 LANGUAGE sql AS $$
    WITH RECURSIVE b (low, high, i) AS (
        SELECT 36::float8, 500::float8, 0
        UNION ALL SELECT CASE WHEN casino_internal.chi_square_probability((low + high) / 2,
                36) > alarm THEN (low + high) / 2 ELSE low END,
                         CASE WHEN casino_internal.chi_square_probability((low + high) / 2, 36) > alarm
                             THEN high
                             ELSE (low + high) / 2 END, i + 1 FROM b WHERE i < 60)
    SELECT low FROM b WHERE i = 60 $$;
CREATE FUNCTION spins_needed(alarm float8, q float8) RETURNS integer LANGUAGE sql AS $$
    SELECT min(n) FROM generate_series(1000, 200000, 100) n,
           LATERAL (SELECT n * 37 * ((q - 1 / 37.0) ^ 2 + 36 * ((1 - q) / 36 - 1 / 37.0) ^ 2) AS shift) s
     WHERE 36 + shift - 1.2816 * sqrt(2 * (36 + 2 * shift)) >= critical(alarm) $$;
SELECT spins_needed(0.0001, 1 / 30.0) AS spins \gset
SELECT ok(:spins BETWEEN 35000 AND 45000, format('theory: %s spins, a month of a live table', :spins));

SELECT setseed(0.14) \g /dev/null
-- biased wheels over exactly these spins, in days of 1,200
INSERT INTO casino.watched_face
SELECT day, table_id, 'number', face, count(*)
  FROM (SELECT date '2026-01-01' + i / 1200 AS day, w.table_id, CASE WHEN random() < 1 / 30.0 THEN 17
        ELSE (18 + floor(random() * 36)::integer) % 37 END::text AS face
          FROM wheel w, generate_series(0, :spins - 1) i WHERE w.biased) d
 GROUP BY day, table_id, face;
SELECT cmp_ok((SELECT count(*) FROM casino.return_watch
               WHERE span = 'all' AND what = 'number' AND probability < 0.0001), '>=', 22::bigint,
              'of thirty biased wheels at least 22 show within the spins that theory says (27 expected)');
SELECT cmp_ok((SELECT count(*) FROM casino.return_watch
               WHERE span = 'all' AND what = 'number'
                   AND face = '17'), '>=', 29::bigint, 'and with the number that is biased');
SELECT cmp_ok((SELECT count(*) FROM casino.return_watch
               WHERE span = 'day' AND what = 'number' AND probability < 0.0001), '<=', 15::bigint,
              'a single day cannot show it');
SELECT is((SELECT array_agg(DISTINCT degrees) FROM casino.return_watch WHERE what = 'number'),
          '{36}'::integer[], '36 degrees of freedom');

-- eight fair wheels over a year of 1,000 spins a day
TRUNCATE casino.watched_face;
INSERT INTO casino.watched_face
SELECT day, table_id, 'number', face, count(*)
  FROM (SELECT date '2026-01-01' + i / 1000 AS day, w.table_id, floor(random() * 37)::text AS face
        FROM wheel w, generate_series(0, 364999) i WHERE NOT w.biased) d
 GROUP BY day, table_id, face;
CREATE TEMP TABLE fair AS SELECT span, probability FROM casino.return_watch WHERE what = 'number';
SELECT is((SELECT count(*) FROM fair WHERE span = 'day'), 2920::bigint, 'eight years of days');
-- 1 % of 2,920 is 29.2 with a deviation of 5.4, 10 % 292 with 16
SELECT ok((SELECT count(*) FROM fair WHERE span = 'day' AND probability < 0.01) BETWEEN 12
          AND 46, 'one day in a hundred is below one per cent, as promised');
SELECT ok((SELECT count(*) FROM fair WHERE span = 'day' AND probability < 0.1) BETWEEN 242
          AND 342, 'one in ten below ten');
SELECT ok((SELECT count(*) FROM fair WHERE span = 'day' AND probability < 0.0001) <= 3,
          'below one in ten thousand next to none');
SELECT ok((SELECT count(*) FROM fair WHERE span = 'week' AND probability < 0.01) <= 12,
          'of 424 weeks about four below one per cent');
SELECT is((SELECT count(*) FROM fair WHERE span <> 'day' AND probability < 0.0001), 0::bigint,
          'no week and no year is an alarm');

-- --------------------------------------------------------------------------------------------- cards (R8.12)
-- 400 days of three shoes of eight decks, of which 300 cards are dealt without putting back; and such with a
-- deck that lacks its aces
TRUNCATE casino.watched_face;
INSERT INTO casino.watched_face
SELECT day, :b, k.what, k.face, count(*)
  FROM (SELECT date '2026-01-01' + shoe / 3 AS day, substr('23456789TJQKA', card % 13 + 1, 1) AS rank,
        substr('cdhs', card / 13 % 4 + 1, 1) AS suit,
               row_number() OVER (PARTITION BY shoe ORDER BY random()) AS place
          FROM generate_series(0, 599) shoe, generate_series(0, 415) card) c
 CROSS JOIN LATERAL (VALUES ('rank', c.rank), ('suit', c.suit)) k (what, face)
 WHERE c.place <= 300 GROUP BY day, k.what, k.face;
SELECT ok((SELECT count(*) FROM casino.return_watch
           WHERE span = 'day' AND what IN ('rank', 'suit') AND probability < 0.01) <= 8,
          'cards dealt from a shoe are more even than chance: of 400 not more than one per cent are '
          'below it, and some');
SELECT is((SELECT array_agg(DISTINCT what || ' ' || degrees ORDER BY what || ' ' || degrees)
           FROM casino.return_watch WHERE what <> 'bet'), '{"rank 12","suit 3"}'::text[],
               '12 and 3 degrees of freedom');
SELECT is((SELECT count(*) FROM casino.return_watch WHERE span <> 'day' AND probability < 0.0001), 0::bigint,
          'no alarm');
INSERT INTO casino.watched_face
SELECT day, :e, 'rank', rank, count(*)
  FROM (SELECT date '2026-01-01' + shoe / 3 AS day, substr('23456789TJQKA', card % 13 + 1, 1) AS rank,
               row_number() OVER (PARTITION BY shoe ORDER BY random()) AS place
          FROM generate_series(0, 299) shoe, generate_series(4, 415) card
              WHERE card NOT IN (12, 25, 38, 51)) c
 WHERE c.place <= 300 GROUP BY day, rank;
SELECT cmp_ok((SELECT probability FROM casino.return_watch
               WHERE span = 'all' AND table_id = :e
                   AND what = 'rank'), '<', 1e-6::float8,
                       'a shoe that lacks four aces and four low cards shows in a hundred days');

-- ------------------------------------------------------------------------------------------------ bets
-- (R8.11) Buster at 2000:1, 20 bets of 100 CZK a day for ten years of a fair game: the bound must not be
-- passed more often than it says
TRUNCATE casino.watched_bet, casino.watched_face;
CREATE TEMP TABLE buster AS
    SELECT profit, sum(probability) OVER (ORDER BY profit DESC, grade) - probability AS low,
        sum(probability) OVER (ORDER BY profit DESC, grade) AS high
      FROM casino.bet_return('blackjack_all_bets', 'buster', '2026-06-01');
INSERT INTO casino.watched_bet
SELECT date '2026-01-01' + d, :e, 9, 'buster', 20, 20, 2000, -100 * sum(b.profit), 2000 * a.house_edge,
    20 * 10000 * a.variance, 200100
  FROM (SELECT d, random() AS u FROM generate_series(0, 3649) d, generate_series(1, 20)) x
  JOIN buster b ON x.u >= b.low AND x.u < b.high
 CROSS JOIN (SELECT house_edge, variance FROM casino.plan_audit('blackjack_all_bets', '2026-06-01')
             WHERE kind = 'buster') a
 GROUP BY d, a.house_edge, a.variance;
SELECT ok((SELECT count(*) FROM casino.return_watch
           WHERE what = 'bet' AND span = 'day'
               AND probability < 0.01) <= 36, 'fair bets at long odds: not more alarms than promised');
SELECT is((SELECT count(*) FROM casino.return_watch WHERE what = 'bet' AND probability < 0.0001), 0::bigint,
          'and none that counts');
-- a plan that pays 9:1 where 8:1 is meant: the house's tie, 300 rounds of 1,000 CZK a day, brings 14.36 -
-- 9.52 %
TRUNCATE casino.watched_bet;
INSERT INTO casino.watched_bet
SELECT date '2026-01-01' + d, :b, 11, 'tie', 300, 300, 300000,
    -sum(CASE WHEN u < 0.095155968 THEN 9000 ELSE -1000 END), 300000 * 0.143596284, 300 * 1e6 * 6.9742, 9000
  FROM (SELECT d, random() AS u FROM generate_series(0, 179) d, generate_series(1, 300)) x GROUP BY d;
SELECT cmp_ok((SELECT probability FROM casino.return_watch WHERE what = 'bet' AND span = 'all'), '<',
              0.001::float8, 'odds that are paid wrong show within half a year');
SELECT cmp_ok((SELECT deviations FROM casino.return_watch WHERE what = 'bet' AND span = 'all'), '<', -3.5,
              'with the house below its expectation');

-- ------------------------------------------------------------------------------------------------ each night
TRUNCATE casino.watched_bet, casino.watched_face;
CALL casino.nightly('2026-06-01');
SELECT bag_eq('TABLE casino.watched_bet', 'TABLE before', 'the night adds up its day');

SELECT * FROM finish();
