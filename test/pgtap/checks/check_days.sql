-- check_days(): the findings of a reconciliation of the same days, returned and not written (R10.58).
-- tampers with the books
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE checks_compliance;
CREATE ROLE checks_auditor;
SELECT grant_access('checks_compliance', 'compliance'), grant_access('checks_auditor', 'auditor') \g /dev/null
SELECT add_game_table('roulette_synot', 'V', 10, 10000) AS wheel,
       register_player('anna') AS anna, register_player('bob') AS bob \gset
SELECT deposit(p, 1000, 'd', '2026-05-20 10:00') FROM unnest(ARRAY[:anna, :bob]) p \g /dev/null
SELECT open_round(:wheel, 'r', '2026-05-20 10:00') AS r \gset
SELECT place_bet(:r, p, 'red@100', 'b', at => '2026-05-20 10:01')
  FROM unnest(ARRAY[:anna, :bob]) p \g /dev/null
SELECT close_betting(:r, '2026-05-20 10:02'),
       settle_round(:r, '{"number": 1}', '2026-05-20 10:03') \g /dev/null
SELECT mark_replay('2026-05-20', '2026-05-20', 'test') \g /dev/null

SET ROLE checks_compliance;
BEGIN READ ONLY;
SELECT is_empty($$SELECT * FROM check_days('2026-05-20', '2026-05-20')$$, 'R10.58: clean books');
COMMIT;
RESET ROLE;

-- two wallets, of which one is too small
SET session_replication_role = replica;
UPDATE player SET balance = balance - 50 WHERE player_id = :anna;
UPDATE player SET balance = balance + 7 WHERE player_id = :bob;
RESET session_replication_role;
SELECT count(*) AS runs FROM reconciliation \gset
SET ROLE checks_compliance;
BEGIN READ ONLY;
SELECT is((SELECT array_agg(format('%s %s', d.player_id, d.amount) ORDER BY d.player_id)
             FROM check_days('2026-05-20', '2026-05-20') d
            WHERE (d.check_name, d.rule) = ('wallet', 'wallet')),
          ARRAY[:anna || ' -50.00', :bob || ' 7.00'],
          'R10.58: faults are named, in a transaction that is READ ONLY');
COMMIT;
RESET ROLE;
SELECT is((SELECT count(*) FROM reconciliation), :runs::bigint, 'R10.58: no run is written');
CALL reconcile('2026-05-20', '2026-05-20');
SELECT results_eq($$SELECT check_name, rule, player_id, round_id, entry_no, expected, found, detail, amount
                      FROM difference
                     ORDER BY difference_no$$,
                  $$SELECT * FROM check_days('2026-05-20', '2026-05-20')$$,
                  'R10.58: as a reconciliation of the day keeps them, in its order');
-- the sieve reads the entries once for all checks; the next call reads them again
SET track_functions = 'all';
BEGIN;
SELECT count(*) FROM check_days('2026-05-20', '2026-05-20') \g /dev/null
SELECT is(pg_stat_get_xact_function_calls('casino_internal.sieve_all()'::regprocedure), 1::bigint,
          'one sieve for all checks');
COMMIT;
ALTER FUNCTION casino_internal.check_cage_count(date, date) RENAME TO check_renamed;
SELECT throws_ok($$SELECT * FROM check_days('2026-05-20', '2026-05-20')$$, '42883', NULL,
                 'R10.58: a check that fails is an error');
ALTER FUNCTION casino_internal.check_renamed(date, date) RENAME TO check_cage_count;
SET session_replication_role = replica;
UPDATE player SET balance = balance - 7 WHERE player_id = :bob;
UPDATE player SET balance = balance + 50, last_entry_no = last_entry_no + 1 WHERE player_id = :anna;
RESET session_replication_role;
SELECT is((SELECT array_agg(DISTINCT d.player_id) FROM check_days('2026-05-20', '2026-05-20') d),
          ARRAY[:anna]::bigint[], 'what an earlier call named is forgotten, also after an error');
SET session_replication_role = replica;
UPDATE player SET last_entry_no = last_entry_no - 1 WHERE player_id = :anna;
UPDATE player SET balance = balance + 9 WHERE player_id = :bob;
RESET session_replication_role;
SELECT is((SELECT array_agg(DISTINCT d.player_id) FROM check_days('2026-05-20', '2026-05-20') d),
          ARRAY[:bob]::bigint[], 'a player whom an earlier call did not name is found');
SELECT throws_ok(statement, code, NULL, statement)
  FROM (VALUES ('SELECT * FROM check_days(NULL, ''2026-05-20'')', '22004'),
               ('SELECT * FROM check_days(''2026-05-20'', NULL)', '22004'),
               ('SELECT * FROM check_days(''2026-05-21'', ''2026-05-20'')', '22023'),
               ('SELECT * FROM check_days(''2026-05-20'', ''infinity'')', '22023')) v (statement, code);
SET ROLE checks_auditor;
SELECT throws_ok($$SELECT * FROM check_days('2026-05-20', '2026-05-20')$$, '42501', NULL,
                 'the auditor has verify(), not the checks');
RESET ROLE;
SELECT * FROM finish();
