-- Run by tools/walkthrough in a copy of the sources with the toy family and the toy duty: a round of the toy
-- game, and the duty.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SET casino.clock_skew = -1;
SELECT no_plan();
\ir ../pgtap/helpers/approve.psql
SELECT is((SELECT array_agg(family ORDER BY family) FROM families() WHERE family = 'coin'), '{coin}',
          'the registry has the family');

-- its game: rows only
INSERT INTO game (game, family, name, live, document) VALUES ('toss', 'coin', 'Toss', false, 'test');
INSERT INTO game_plan (plan_id, game, version, valid_from, document)
VALUES (900, 'toss', 1, now() + interval '1 day', 'test');
INSERT INTO plan_rule (plan_id, rule, value, paragraph) VALUES (900, 'sides', '2', 'test');
INSERT INTO bet_rule (plan_id, kind, table_limits, phase, paragraph)
VALUES (900, 'red', 'principal', 'betting', 'test'), (900, 'black', 'principal', 'betting', 'test');
INSERT INTO paytable (plan_id, kind, grade, num, den, paragraph)
VALUES (900, 'red', 'win', 1, 1, 'test'), (900, 'black', 'win', 1, 1, 'test');
SELECT is_empty('SELECT * FROM check_plan(900)', 'its plan has no problem');
SELECT pg_temp.approve(900) \g /dev/null

-- a round
SELECT add_game_table('toss', 'Coin', 10, 1000) AS t, register_player('ann') AS p \gset
SELECT deposit(:p, 100, at => now() + interval '2 days') \g /dev/null
SELECT open_round(:t, 'r1', date_trunc('day', now() + interval '3 days') + interval '12 hours') AS r \gset
SELECT place_bets(:r, :p, '{red@10,black@20}', 'k',
                  at => date_trunc('day', now() + interval '3 days') + interval '12 hours') \g /dev/null
SELECT results_eq(format($$SELECT grade, payout
                             FROM quote('toss', '{red@10,black@20}', '{"number": 1}',
                                        now() + interval '3 days')$$),
                  $$VALUES ('win', 20.00), ('lose', 0)$$, 'quoted');
SELECT close_betting(:r,
                     date_trunc('day', now() + interval '3 days') + interval '12 hours 1 second') \g /dev/null
SELECT throws_ok(format($$SELECT settle_round(%s, '{"number": 2}',
                                              date_trunc('day', now() + interval '3 days')
                                              + interval '12 hours 2 seconds')$$, :r),
                 'KR001', NULL, 'a coin has two sides');
SELECT results_eq(format($$SELECT wagers, staked, paid
                             FROM settle_round(%s, '{"number": 1}',
                                               date_trunc('day', now() + interval '3 days')
                                               + interval '12 hours 2 seconds')$$, :r),
                  $$VALUES (2::bigint, 30.00, 20.00)$$, 'settled: heads');
SELECT results_eq(format('SELECT grade, payout FROM casino.evaluation WHERE round_id = %s ORDER BY entry_no',
                         :r),
                  $$VALUES ('win', 20.00), ('lose', 0)$$,
                  'and evaluated a second time by its view');
SELECT is((SELECT balance FROM player WHERE player_id = :p), 90.00, 'the wallet');

-- the duty
SELECT open_round(:t, 'r2', (date_trunc('day', now()) + interval '10 days 02:59')::timestamp
                            AT TIME ZONE 'Europe/Prague') AS r \gset
SELECT throws_ok(format($$SELECT place_bet(%s, %s, 'red@10',
                                           at => (date_trunc('day', now())
                                                  + interval '10 days 03:30')::timestamp
                                                 AT TIME ZONE 'Europe/Prague')$$, :r, :p),
                 'KC007', NULL, 'no stake at half past three');
SELECT throws_ok(format($$INSERT INTO ledger (player_id, kind, round_id, bet, posted_at)
                          VALUES (%s, 'stake', %s, 'red@10',
                                  (date_trunc('day', now()) + interval '10 days 03:30')::timestamp
                                  AT TIME ZONE 'Europe/Prague')$$, :p, :r),
                 'KC007', NULL, 'nor by a plain INSERT');
SELECT lives_ok(format($$SELECT place_bet(%s, %s, 'red@10',
                                          at => (date_trunc('day', now())
                                                 + interval '10 days 04:00')::timestamp
                                                AT TIME ZONE 'Europe/Prague')$$, :r, :p),
                'at four again');
SELECT * FROM finish();
