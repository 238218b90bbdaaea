\set heading '1. The house opens: tables and players'
\ir heading.sql

CREATE EXTENSION casino;
-- the day is replayed: event times are given, and may differ from the clock by any amount
SET casino.clock_skew = -1;
SELECT install() AS schema_version \gset
SELECT mark_replay('2000-01-01', '2100-12-31', 'the day of the demo') \g /dev/null

-- what a statement that fails says, as a row
CREATE FUNCTION pg_temp.attempt(statement text, OUT code text, OUT message text, OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
                            detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

SELECT add_game_table('roulette_synot',     'Vltava', 10, 10000) AS vltava \gset
-- a table may set limits of its own for single kinds, within the game plan's
SELECT add_game_table('roulette_synot',     'Morava', 50, 2000, '{"limits": {"red": {"min": 100, "max": 5000}}}') AS morava \gset
SELECT add_game_table('roulette_evolution', 'Labe',   10, 10000) AS labe \gset
SELECT add_game_table('roulette_absolute',  'Odra',   20, 10000) AS odra \gset
SELECT add_game_table('roulette_american',  'Hall 1', 20, 500)   AS hall \gset
SELECT add_game_table('baccarat',           'Tatra',  50, 100000) AS tatra \gset
SELECT add_game_table('baccarat',           'Praded', 100, 20000) AS praded \gset
SELECT add_game_table('blackjack_synot',    'Berounka', 50, 50000, '{"behind": true}') AS berounka \gset
SELECT add_game_table('blackjack_infinite', 'Lipno',  10, 5000) AS lipno \gset
SELECT add_game_table('blackjack_free_bet', 'Lednice', 100, 5000, '{"seats": 5}') AS lednice \gset
SELECT add_game_table('casino_holdem',      'Sazava', 50, 5000)  AS sazava \gset
SELECT add_game_table('holdem_cash_25_50',  'Hall 2', 25, 20000, '{"seats": 9}') AS hall2 \gset

SELECT t.name AS "table", t.game, g.live, l.min_stake AS minimum, l.max_stake AS maximum
  FROM game_table t JOIN game g ON g.game = t.game CROSS JOIN LATERAL table_limits_at(t.table_id) l ORDER BY t.table_id;

-- forty players, a deposit each
SELECT count(deposit(register_player(p.name), p.amount, 'first-deposit', '2026-05-20 14:00 Europe/Prague')) AS players
  FROM (SELECT name, CASE WHEN name LIKE 'guest%' THEN 2000 + 500 * (no % 4) ELSE 20000 END AS amount
          FROM unnest(ARRAY['Jana', 'Karel', 'Milada', 'Ota', 'Petr', 'Radka', 'Sona', 'Tomas'] ||
                      (SELECT array_agg('guest ' || to_char(g, 'FM00')) FROM generate_series(9, 40) g))
               WITH ORDINALITY n (name, no) ORDER BY no) p \gset
\echo :players players are registered and have deposited.
SELECT max(player_id) FILTER (WHERE external_ref = 'Jana')   AS jana,
       max(player_id) FILTER (WHERE external_ref = 'Karel')  AS karel,
       max(player_id) FILTER (WHERE external_ref = 'Milada') AS milada,
       max(player_id) FILTER (WHERE external_ref = 'Ota')    AS ota,
       max(player_id) FILTER (WHERE external_ref = 'Petr')   AS petr,
       max(player_id) FILTER (WHERE external_ref = 'Radka')  AS radka,
       max(player_id) FILTER (WHERE external_ref = 'Sona')   AS sona,
       max(player_id) FILTER (WHERE external_ref = 'Tomas')  AS tomas FROM player \gset
