-- Runs that are not finished and that no session does (R10.59). Runs that go on, kills and old transactions
-- are in test/tap/night.pl.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();

CREATE ROLE unfinished_nightly;
CREATE ROLE unfinished_auditor;
CREATE ROLE unfinished_supervisor;
CREATE ROLE unfinished_desk;
SELECT casino.grant_access('unfinished_' || p, p) FROM unnest('{nightly,auditor,supervisor,desk}'::text[]) p;

SELECT is_empty('SELECT * FROM casino.unfinished_run', 'R10.59: without runs it is empty');

-- all ways in which a run can have been left: in a check, after the checks, and not a night
SELECT casino_internal.begin_reconciliation(NULL, '2020-03-01', true) AS begun \gset
SELECT casino_internal.begin_reconciliation('2020-03-01', '2020-03-31', false) AS audit \gset
INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, status, step, done, total)
SELECT 7, '2020-03-02', '2020-03-02', true, now(), 'clean', 'seal', s.step_no - 1, s.step_no + 1
  FROM casino_internal.reconciliation_steps(true) s WHERE s.step = 'seal';
-- days of before the books are not sealed (R12.166): the report is the first step that misses the table
ALTER TABLE casino.day_report RENAME TO day_report_gone;
\set ON_ERROR_STOP 0
CALL casino.nightly('2020-03-03');
\set ON_ERROR_STOP 1
ALTER TABLE casino.day_report_gone RENAME TO day_report;
CALL casino.nightly('2020-03-04');
SELECT results_eq('SELECT run_no, night, status, step, left(error, 5), command
                     FROM casino.unfinished_run ORDER BY run_no',
                  $$VALUES (1::bigint, true, 'running', 'indexes', NULL,
                            'CALL casino.nightly(''2020-03-01'')'),
                           (2, false, 'running', 'entry_gap', NULL,
                            'CALL casino.reconcile(''2020-03-01'', ''2020-03-31'')'),
                           (7, true, 'clean', 'seal', NULL, 'CALL casino.nightly(''2020-03-02'')'),
                           (8, true, 'failed', 'report', '42P01', 'CALL casino.nightly(''2020-03-03'')')$$,
                  'R10.59: each run that was left, and not the one that has ended');
BEGIN READ ONLY;
SELECT is((SELECT count(*) FROM casino.unfinished_run), 4::bigint,
          'R10.59: in a transaction that is READ ONLY');
COMMIT;

-- who may read it
SET ROLE unfinished_nightly;
SELECT is((SELECT count(*) FROM casino.unfinished_run), 4::bigint, 'R10.59: the night reads it');
SET ROLE unfinished_auditor;
SELECT is((SELECT count(*) FROM casino.unfinished_run), 4::bigint, 'R10.59: the auditor reads it');
SET ROLE unfinished_supervisor;
SELECT is((SELECT count(*) FROM casino.unfinished_run), 4::bigint, 'R10.59: a supervisor reads it');
SET ROLE unfinished_desk;
SELECT throws_ok('SELECT * FROM casino.unfinished_run', '42501', NULL, 'a desk does not');
SELECT throws_ok('SELECT casino_internal.left_unfinished(1)', '42501', NULL, 'nor its function');
RESET ROLE;
SELECT is(casino_internal.left_unfinished(n), false, format('R10.59: run %s: no', coalesce(n::text, 'NULL')))
  FROM unnest('{9,10,-1}'::bigint[]) n;
SELECT is(casino_internal.left_unfinished(NULL), NULL, 'NULL of NULL');

-- on the page
SELECT matches(casino.night_page('2020-03-01', 'en'), 'The night was broken off',
               'R10.59: the page says that the night was broken off');
SELECT matches(casino.night_page('2020-03-01', 'cs'), 'Noc nebyla dokončena', 'in Czech');
SELECT doesnt_match(casino.night_page('2020-03-04', 'en'), 'The night was broken off',
                    'and not of a night that has ended');

-- a later call settles it; the command is one that runs
SELECT command FROM casino.unfinished_run ORDER BY run_no \gexec
SELECT is_empty('SELECT * FROM casino.unfinished_run', 'R10.59: called again each run is settled');
SELECT is_empty('SELECT run_no FROM casino.reconciliation WHERE finished_at IS NULL', 'all have ended');
SELECT casino.revoke_access('unfinished_' || p) FROM unnest('{nightly,auditor,supervisor,desk}'::text[]) p;
DROP ROLE unfinished_nightly, unfinished_auditor, unfinished_supervisor, unfinished_desk;
SELECT * FROM finish();
