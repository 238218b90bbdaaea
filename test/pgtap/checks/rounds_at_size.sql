-- Checks that ask for the rounds of a day read the rounds of that day, however many days there are.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
SELECT add_game_table('blackjack_synot', 'B', 50, 5000, '{"behind": true}') AS boxes,
       add_game_table('holdem_cash_25_50', 'T', 25, 5000) AS pots \gset
SET session_replication_role = replica;
-- 300 days of 60 rounds
INSERT INTO round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at,
                   betting_closed_at, evaluated_at, evaluation_recorded_at, outcome, wagers, players,
                   staked, paid, opened_by)
SELECT 1000 + n, t.table_id, 1, 'r' || n, p.plan_id, 'settled', s.at, s.at, s.at, s.at, '{}', 0, 0, 0, 0, 1
  FROM generate_series(1, 18000) n
 CROSS JOIN LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '24 minutes' AS at) s
  JOIN game_table t ON t.table_id = CASE n % 2 WHEN 0 THEN :boxes ELSE :pots END
  JOIN game_plan p ON p.game = t.game AND p.version = 1;
-- one dated on that day and written on another, one the other way round, one that is not evaluated
UPDATE round SET evaluation_recorded_at = '2026-05-20 12:00' WHERE round_id = 1001;
UPDATE round SET evaluation_recorded_at = '2026-08-01 12:00'
 WHERE round_id = (SELECT min(r.round_id) FROM round r WHERE r.evaluated_at >= '2026-05-20');
UPDATE round SET status = 'open', evaluated_at = NULL, evaluation_recorded_at = NULL WHERE round_id = 19000;
RESET session_replication_role;

SELECT set_eq($$SELECT rounds_of('2026-05-20', '2026-05-21')$$,
              $$SELECT r.round_id FROM round r
                 WHERE r.evaluated_at >= '2026-05-20' AND r.evaluated_at < '2026-05-21'
                    OR r.evaluation_recorded_at >= '2026-05-20' AND r.evaluation_recorded_at < '2026-05-21'
                    OR r.evaluated_at IS NULL$$,
              'R10.1: rounds of a day, those written on that day, and those without an end');
SELECT is((SELECT count(*) FROM rounds_of('2026-05-20', '2026-05-21')), 62::bigint, '60 and two more');

-- Rows of casino.round that a call reads. The session sends its counts when it has no transaction, so each
-- look at them is a statement of its own.
CREATE VIEW rows_read AS
    SELECT s.idx_tup_fetch + s.seq_tup_read AS rows
      FROM pg_stat_all_tables s
     WHERE s.relid = 'casino.round'::regclass;
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS before FROM rows_read r \gset
SELECT count(*) FROM check_follow('2026-05-20', '2026-05-20') \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS after FROM rows_read r \gset
SELECT ok(:after - :before BETWEEN 62 AND 62 * 6,
          format('check_follow without ANALYZE: %s of 18 000 rounds read', :after - :before));
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS before FROM rows_read r \gset
SELECT count(*) FROM check_stacks('2026-05-20', '2026-05-21') \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS after FROM rows_read r \gset
SELECT ok(:after - :before BETWEEN 62 AND 62 * 6,
          format('check_stacks without ANALYZE: %s of 18 000 rounds read', :after - :before));
ANALYZE round;
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS before FROM rows_read r \gset
SELECT count(*) FROM check_follow('2026-05-20', '2026-05-20') \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS after FROM rows_read r \gset
SELECT ok(:after - :before BETWEEN 62 AND 62 * 6,
          format('check_follow with ANALYZE: %s of 18 000 rounds read', :after - :before));
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS before FROM rows_read r \gset
SELECT count(*) FROM check_stacks('2026-05-20', '2026-05-21') \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT r.rows AS after FROM rows_read r \gset
SELECT ok(:after - :before BETWEEN 62 AND 62 * 6,
          format('check_stacks with ANALYZE: %s of 18 000 rounds read', :after - :before));
SELECT * FROM finish();
