-- What follows from a table's minimum and maximum follows from them alone: a table names none of its
-- principal bet by itself, an inside bet's own maximum only lowers the one derived from the straight, and who
-- puts his last chips into a pot may put in less.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION verdict(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- through the function and as a row; a bet that was accepted is answered when it comes again
CREATE FUNCTION stakes(round bigint, player bigint, bet text,
                       seat integer DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat, posted_at)
                           VALUES (%s, ''stake'', %s, %L, %L, ''2026-05-04 10:02'')',
                          player, round, bet, seat))
$$;
CREATE FUNCTION places(round bigint, player bigint, bet text,
                       seat integer DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(verdict(format('SELECT casino.place_bet(%s, %s, %L, %L, seat => %L,
                                                              at => ''2026-05-04 10:01'')',
                                     round, player, bet, 'key of ' || bet, seat)),
                      ' '
                      ORDER BY n)
      FROM generate_series(1, 2) n
$$;
CREATE FUNCTION person(name text, czk numeric) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    id CONSTANT bigint := casino.register_player(name);
BEGIN
    PERFORM casino.deposit(id, czk, at => '2026-05-04 09:00');
    RETURN id;
END $$;

-- ------------------------------------------------------------- the principal bet, and what is staked in play
SELECT throws_ok(format($$SELECT casino.add_game_table(%L, %L, 10, 1000, %L)$$, game, 'own ' || kind,
                        jsonb_build_object('limits',
                                           jsonb_build_object(kind, jsonb_build_object(bound, 500)))),
                 'KB002', kind || ' has no limits of its own at a table',
                     format('R11.22: %s of %s has those of the table, no %s', kind, game, bound))
  FROM (VALUES ('blackjack_synot', 'main'), ('blackjack_synot', 'behind'),
        ('blackjack_czech_casinos', 'main'), ('blackjack_classic', 'double_down'),
               ('blackjack_house', 'split_pair'), ('blackjack_free_bet', 'insurance'),
                   ('blackjack_free_bet', 'free_split'), ('roulette_synot', 'straight'),
               ('roulette_american', 'straight'), ('casino_holdem', 'ante'), ('casino_holdem', 'call'),
                   ('baccarat', 'player'), ('baccarat', 'banker'),
               ('holdem_cash_25_50', 'pot')) v (game, kind), unnest('{min,max}'::text[]) bound;
SELECT add_game_table('blackjack_synot', 'box', 10, 1000, '{"behind": true}') AS box,
    add_game_table('roulette_synot', 'wheel', 10, 1000,
                   '{"limits": {"split": {"max": 20000}, "corner": {"max": 100}, '
                   '"red": {"max": 100000}}}') AS wheel,
       add_game_table('roulette_american', 'hall', 10, 1000,
                      '{"limits": {"six_line": {"max": 50000}}}') AS hall \gset
SELECT throws_ok(format($$SELECT casino.set_table_limits(%s, 10, 1000, '{"limits": {"main": {"max": 500}}}',
                                                         '2026-05-04 08:00')$$, :box), 'KB002',
                                                             'main has no limits of its own at a table',
                                                                 'R11.22: nor when its limits are changed');
SELECT is((SELECT versions FROM casino.game_table WHERE table_id = :box), 1,
          'R11.22: nothing was kept of that');

-- a bet behind has the limits of the main bet (R3.41), whatever the table is set to
SELECT set_table_limits(:box, 20, 500, at => '2026-05-04 08:00') AS v2 \gset
SELECT person('owner', 10000) AS owner, person('follower', 10000) AS follower,
    open_round(:box, '1', '2026-05-04 10:00') AS r \gset
SELECT is(places(:r, :owner, bet, 1), answer, 'D4 Blackjack §15, R3.41: ' || bet)
  FROM (VALUES ('main@500.01', 'KB002 KB002'), ('main@500', 'ok ok')) v (bet, answer);
SELECT is(places(:r, :follower, bet, 1), answer, 'D4 Blackjack §15, R3.41: ' || bet)
  FROM (VALUES ('behind@19.99', 'KB002 KB002'), ('behind@500.01', 'KB002 KB002'),
        ('behind@500', 'ok ok')) v (bet, answer);
SELECT void_round(:r, 'seen', '2026-05-04 10:03') \g /dev/null

-- ------------------------------------------------------- inside bets (D4 Roulette (Synot) §21 b) to f), §22)
SELECT person('anna', 1000000) AS anna, person('bert', 1000000) AS bert \gset
SELECT open_round(:wheel, '1', '2026-05-04 10:00') AS w, open_round(:hall, '1', '2026-05-04 10:00') AS h \gset
SELECT is(places(:w, :anna, bet), answer || ' ' || answer, 'D4 Roulette (Synot) §22, R4.4: ' || bet)
  FROM (VALUES ('split:1-2@2000.01', 'KB002'), ('split:1-2@2000', 'ok'), ('corner:1-2-4-5@100.01', 'KB002'),
        ('corner:1-2-4-5@100', 'ok'), ('street:1-2-3@3000.01', 'KB002'),
               ('street:1-2-3@3000', 'ok'), ('red@100000', 'ok')) v (bet, answer);
SELECT is(places(:h, :bert, bet), answer || ' ' || answer,
          'R4.3, R4.4: D2 leaves the limits to the table: ' || bet)
              FROM (VALUES ('six_line:1-2-3-4-5-6@50000.01', 'KB002'), ('six_line:1-2-3-4-5-6@50000', 'ok'),
                    ('corner:1-2-4-5@4000.01', 'KB002')) v (bet, answer);
SELECT is(stakes(:w, :anna, bet), answer, 'R12.3, R4.4, a plain INSERT: ' || bet)
  FROM (VALUES ('split:4-5@2000.01', 'KB002'), ('split:4-5@2000', 'ok')) v (bet, answer);
SELECT settle_round(:w, '{"number": 1}', '2026-05-04 10:03'),
    settle_round(:h, '{"number": 1}', '2026-05-04 10:03') \g /dev/null

-- ---------------------------------------------------------------- all in for less than the table's minimum
SELECT add_game_table('holdem_cash_25_50', 'cash', 25, 1000) AS cash,
    add_game_table('baccarat', 'punto', 25, 1000) AS punto, person('short', 10) AS short,
        person('rich', 1000) AS rich,
       person('row', 24.99) AS row_, person('two', 20) AS two \gset
SELECT open_round(:cash, '1', '2026-05-04 10:00') AS p, open_round(:punto, '1', '2026-05-04 10:00') AS b \gset
SELECT is(places(:p, :rich, 'pot@24.99', 2), 'KB002 KB002',
          'R11.5: who has more may not put in less than the minimum');
SELECT is(places(:p, :short, 'pot@9.99', 1), 'KB002 KB002', 'R6.20: nor who keeps a haléř');
SELECT is(places(:p, :short, 'pot@10', 1), 'ok ok',
          'D2 Texas Holdem, Preflop, R6.20: the small blind with all he has, less than the minimum');
SELECT is(places(:p, :rich, 'pot@50', 2), 'ok ok', 'the big blind');
SELECT is(stakes(:p, :row_, 'pot@24.98', 3), 'KB002',
          'R12.3, R6.20: by a plain INSERT all but a haléř is too little');
SELECT is(stakes(:p, :row_, 'pot@24.99', 3), 'ok', 'R12.3, R6.20: and all he has is allowed');
SELECT is(verdict(format($$SELECT casino.place_bets(%s, %s, '{pot@5,pot@15}', seat => 4,
                                                    at => '2026-05-04 10:02')$$, :p, :two)), 'ok',
                                                        'R6.20: all he has in two stakes of one request');
SELECT deposit(:short, 10, at => '2026-05-04 10:01') \g /dev/null
SELECT is(places(:b, :short, 'player@10'), 'KB002 KB002',
          'R11.5: where the house is the other side, the minimum is the minimum');
SELECT is(places(:p, :short, 'pot@4', 1), 'KB002 KB002',
          'R6.20: 14.00 of 20.00 are neither the minimum nor all');
SELECT close_betting(:p, '2026-05-04 10:03') \g /dev/null
SELECT is((settle_round(:p,
                        '{"button": 4, "board": "Kh 9d 5c 3s 2d", "seats": [{"seat": 1, "cards": "Ah As"}, '
                        '{"seat": 2, "cards": "Qh Qs"}, {"seat": 3, "cards": "Jh Js"}, '
                        '{"seat": 4, "cards": "Th Ts"}]}',
                        '2026-05-04 10:04')).paid,
          104.99, 'D2 Texas Holdem: the hand is settled');
-- 4 x 10.00 to the aces; 10.00 + 10.00 + 10.00, 2 x 4.99 and 25.01 back to the queens
SELECT bag_eq(format($$SELECT p.amount FROM casino.ledger p
                     WHERE p.round_id = %s AND p.kind = 'payout'$$, :p), ARRAY[40.00, 64.99],
                         'D2 Texas Holdem, all-in: nobody wins more of another than he put in himself');

-- and nobody else's late stake takes it away
SELECT person('short 2', 10) AS short2, person('rich 2', 1000) AS rich2, person('late', 1000) AS late,
    open_round(:cash, '2', '2026-05-04 11:00') AS p2 \gset
SELECT place_bet(:p2, :short2, 'pot@10', seat => 1, at => '2026-05-04 11:01'),
    place_bet(:p2, :rich2, 'pot@50', seat => 2, at => '2026-05-04 11:01'),
       place_bet(:p2, :late, 'pot@50', seat => 3, at => '2026-05-04 11:03') \g /dev/null
SELECT is((settle_round(:p2,
                        '{"button": 1, "board": "Kh 9d 5c 3s 2d", "seats": [{"seat": 1, "cards": "Ah As"}, '
                        '{"seat": 2, "cards": "Qh Qs"}, {"seat": 3, "folded": true}]}',
                        '2026-05-04 11:02')).staked,
          60.00,
          'R6.20, R11.8: a round settled while open returns the stake dated after it, and leaves the all-in');
SELECT bag_eq(format($$SELECT l.kind, l.amount FROM casino.ledger l
                     WHERE l.round_id = %s AND l.kind <> 'stake'$$, :p2), $$VALUES ('payout', 20.00),
                         ('payout', 40.00), ('refund', 50.00)$$,
              'R6.16: the aces take 10.00 of each, 40.00 were not called');

-- ---------------------------------------- a box together, under a plan with a lower maximum than the table's
SELECT add_game_table('blackjack_czech_casinos', 'three', 10, 1000) AS three,
    add_plan_version('blackjack_czech_casinos', now() + interval '1 day', 'D0, later') AS plan \gset
UPDATE casino.bet_rule SET max_stake = 600 WHERE plan_id = :plan AND kind = 'main';
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:plan) \g /dev/null
CREATE FUNCTION sits(round bigint, name text, bet text) RETURNS text LANGUAGE sql AS $$
    SELECT verdict(format('SELECT casino.place_bet(%s, %s, %L, seat => 1, at => now() + interval ''2 days'')',
                          round, casino.register_player(name), bet))
$$;
SELECT person('d' || n, 2000) FROM generate_series(1, 4) n \g /dev/null
SELECT open_round(:three, 'before', '2026-05-04 10:00') AS before \gset
SELECT is(sits(:before, 'd' || n, 'main@' || czk), answer,
          format('D0 OVLÁDÁNÍ BOXU, R3.40: the table''s maximum, %s CZK of player %s', czk, n))
  FROM (VALUES (1, 600, 'ok'), (2, 400.01, 'KB002'), (2, 400, 'ok')) v (n, czk, answer);
SELECT void_round(:before, 'seen', now() + interval '2 days') \g /dev/null
SELECT open_round(:three, 'after', now() + interval '2 days') AS after \gset
SELECT is(sits(:after, 'd' || n, 'main@' || czk), answer,
          format('D0 OVLÁDÁNÍ BOXU, R3.40: the plan''s maximum, %s CZK of player %s', czk, n))
  FROM (VALUES (3, 600.01, 'KB002'), (3, 300, 'ok'), (4, 300.01, 'KB002'), (4, 300, 'ok'),
        (3, 10, 'KB002')) v (n, czk, answer);

-- the night finds nothing wrong with any of it
SELECT is_empty($$SELECT * FROM casino_internal.check_stake_limits('2026-05-04', '2026-05-04')$$,
                'R10.10: the limits counted anew are these');
\ir ../helpers/no_sieve.psql
SELECT is_empty($$SELECT * FROM casino_internal.check_stake_limits('2026-05-04', '2026-05-04')$$,
                'R10.10: without the sieve, too');
SELECT * FROM finish();
