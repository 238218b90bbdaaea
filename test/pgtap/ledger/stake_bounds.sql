-- Bounds of a position that neither the table nor the plan names, and those of a plan that came into force
-- after the table's.
SET search_path = public;
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'wheel', 10, 2500) AS wheel,
    casino.register_player('anna') AS anna \gset
SELECT casino.deposit(:anna, 1000000, at => '2026-06-01 08:00') \g /dev/null
SELECT casino.open_round(:wheel, 'one', '2026-06-01 09:00') AS round \gset

-- R4.4: the plan names no maximum of the outside bets: the straight's for each number that they cover
SELECT throws_ok(format('SELECT casino.place_bet(%s, %s, %L, at => %L)', :round, :anna,
                        bet || '@' || most + 0.01, '2026-06-01 09:01'), 'KB002', NULL,
                 format('R4.4: %s above %s CZK', bet, most))
  FROM (VALUES ('red', 18 * 2500), ('low', 18 * 2500), ('dozen:1', 12 * 2500),
        ('column:3', 12 * 2500)) v (bet, most);
SELECT lives_ok(format('SELECT casino.place_bet(%s, %s, %L, at => %L)', :round, :anna, bet || '@' || most,
                       '2026-06-01 09:02'), format('R4.4: %s up to %s CZK', bet, most))
  FROM (VALUES ('red', 18 * 2500), ('low', 18 * 2500), ('dozen:1', 12 * 2500),
        ('column:3', 12 * 2500)) v (bet, most);
SELECT casino.void_round(:round, 'seen', '2026-06-01 09:03') \g /dev/null

-- a version of the plan with higher minima and lower maxima than the table's, which was there before
SELECT casino.add_plan_version('roulette_american', now() + interval '1 day', 'D2, later') AS plan \gset
UPDATE casino.bet_rule SET min_stake = 50, max_stake = 60
 WHERE plan_id = :plan AND kind IN ('straight', 'red');
UPDATE casino.game_plan SET round_max_stake = 100 WHERE plan_id = :plan;
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:plan) \g /dev/null
SELECT casino.open_round(:wheel, 'two', now() + interval '2 days') AS round \gset
CREATE FUNCTION stake(round bigint, bet text) RETURNS text LANGUAGE sql AS
    $$SELECT format('SELECT casino.place_bet(%s, 1, %L, at => now() + interval ''2 days'')', round, bet)$$;
SELECT throws_ok(stake(:round, bet), 'KB002', NULL,
                 'R11.5: the plan''s bounds hold, whatever the table''s: ' || bet)
  FROM unnest('{straight:7@49.99,straight:7@60.01,red@49.99,red@60.01}'::text[]) bet;
SELECT lives_ok(stake(:round, bet), 'R11.5: within them: ' || bet)
  FROM unnest('{straight:7@50,red@50}'::text[]) bet;
SELECT throws_ok(stake(:round, 'black@10'), 'KB003', NULL,
                 'what one player may stake in a round counts what lies there');
SELECT is((SELECT sum(amount) FROM casino.ledger WHERE round_id = :round AND kind = 'stake'), 100.00,
          'up to it, exactly');

SELECT * FROM finish();
