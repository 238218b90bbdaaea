-- Runs of CALL nightly() and CALL reconcile(): steps, progress, repetition, notes (R10.2 to R10.4).
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();

CREATE ROLE run_nightly;
SELECT casino.grant_access('run_nightly', 'nightly');
CREATE FUNCTION pg_temp.yesterday()
RETURNS date
LANGUAGE sql RETURN (now() AT TIME ZONE 'Europe/Prague')::date - 1;

SET ROLE run_nightly;
CALL casino.nightly();
RESET ROLE;
SELECT results_eq($$SELECT run_no, from_day, to_day, night, status, step, finished_at >= started_at
                  FROM casino.reconciliation$$,
                  $$SELECT 1::bigint, pg_temp.yesterday(), pg_temp.yesterday(), true, 'clean', NULL, true$$,
                      'the night of the last finished Prague day');
SELECT ok(done = total AND total = (SELECT count(*) FROM casino.reconciliation_checks()) + 4,
          'indexes, deadlines, each check, seal, report') FROM casino.reconciliation;
SELECT is_empty($$SELECT c.relname FROM pg_class c
                WHERE c.relnamespace = 'casino'::regnamespace AND 'autosummarize=on' = ANY (c.reloptions)$$,
                'R10.21: no index asks autovacuum to summarise it');
SELECT is(casino_internal.summarize_days(), 0::bigint, 'R10.21: the night has done so');
CALL casino.nightly();
CALL casino.nightly(pg_temp.yesterday());
SELECT is((SELECT count(*) FROM casino.reconciliation), 1::bigint,
          'a finished day is answered, not done again');

SET ROLE run_nightly;
CALL casino.reconcile('2020-01-01', '2020-01-31');
CALL casino.reconcile('2020-01-01', '2020-01-31');
RESET ROLE;
SELECT results_eq($$SELECT run_no, night, total FROM casino.reconciliation WHERE run_no > 1 ORDER BY 1$$,
                  $$SELECT n::bigint, false, (SELECT count(*)::integer FROM casino.reconciliation_checks())
                      FROM generate_series(2, 3) n$$, 'checks alone, whenever they are asked for');

-- a run that was stopped goes on where it was, with its number (R10.3)
INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, status, step, done, total)
SELECT 9, '2020-02-01', '2020-02-01', true, now(), 'running', 'seal', s.step_no - 1, 0 + s.step_no
  FROM casino_internal.reconciliation_steps(true) s WHERE s.step = 'seal';
CALL casino.nightly('2020-02-01');
SELECT results_eq($$SELECT status, done = total, finished_at IS NOT NULL FROM casino.reconciliation
                  WHERE run_no = 9$$, $$VALUES ('clean', true, true)$$, 'it went on');
SELECT is((SELECT max(run_no) FROM casino.reconciliation), 9::bigint, 'no other run was begun');

-- the steps are no business of their callers
SELECT throws_ok($$CALL casino.nightly()$$, '25001', NULL, 'not inside a transaction block');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation(NULL,
                                                               (now() AT TIME ZONE 'Europe/Prague')::date,
                                                               true)$$, '22023', NULL,
                                                                   'a night comes after its day');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation(NULL, '2020-01-01', false)$$, '22004', NULL,
                 'both days are given');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation('2020-01-02', '2020-01-01', false)$$, '22023',
                 NULL,
                 'in their order');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation('-infinity', '2020-01-01', false)$$, '22023',
                 NULL,
                 'finite ones');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation('2020-01-01',
                                                               (now() AT TIME ZONE 'Europe/Prague')::date,
                                                                   false)$$,
                                                          '22023', NULL, 'R10.22: of days that are over');
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation('2020-01-01', '2100-01-01', false)$$, '22023',
                 NULL,
                 'R10.22: nor days to come');
SELECT lives_ok($$SELECT casino_internal.begin_reconciliation(pg_temp.yesterday(), pg_temp.yesterday(),
                                                              true)$$,
                'yesterday is over');
SET ROLE run_nightly;
SELECT throws_ok($$SELECT casino_internal.begin_reconciliation('2020-01-02', '2020-01-03', false)$$, '42501',
                 NULL,
                 'profile nightly has the procedures');
SELECT throws_ok($$SELECT casino_internal.reconciliation_step(1)$$, '42501', NULL, 'and not their parts');
SELECT throws_ok($$INSERT INTO casino.difference VALUES (1)$$, '42501', NULL, 'nor their tables');
RESET ROLE;
SELECT throws_ok($$UPDATE casino.reconciliation SET status = 'clean'
                 WHERE run_no = 1$$, 'KL001', NULL, 'a finished run does not change');
SELECT throws_ok($$DELETE FROM casino.reconciliation$$, 'KL001', NULL, 'none is deleted');
SELECT throws_ok($$TRUNCATE casino.reconciliation CASCADE$$, 'KL001', NULL, 'nor truncated');

-- a row of a plan in force, changed by a superuser past its triggers (R10.8)
BEGIN;
ALTER TABLE casino.paytable DISABLE TRIGGER USER;
ALTER TABLE casino.plan_rule DISABLE TRIGGER USER;
UPDATE casino.paytable t SET num = 36 FROM casino.game_plan p
 WHERE p.plan_id = t.plan_id AND p.game = 'roulette_synot' AND t.kind = 'straight';
DELETE FROM casino.plan_rule r USING casino.game_plan p
 WHERE p.plan_id = r.plan_id AND p.game = 'baccarat' AND r.rule = 'decks';
ALTER TABLE casino.paytable ENABLE TRIGGER USER;
ALTER TABLE casino.plan_rule ENABLE TRIGGER USER;
ALTER TABLE casino.paytable ENABLE ALWAYS TRIGGER plan_unchanged, ENABLE ALWAYS TRIGGER plan_forget;
ALTER TABLE casino.plan_rule ENABLE ALWAYS TRIGGER plan_unchanged, ENABLE ALWAYS TRIGGER plan_forget;
COMMIT;
CALL casino.reconcile('2020-01-01', '2020-01-31');
SELECT results_eq($$SELECT check_name, rule, detail ->> 'game', detail ->> 'key', (expected::jsonb) ->> 'num',
                  coalesce((found::jsonb) ->> 'num', found)
                      FROM (SELECT d.*, CASE WHEN d.found = 'no row' THEN '{}' ELSE d.found END AS f
                            FROM casino.difference d WHERE run_no = 10 AND rule = 'changed') d ORDER BY 3$$,
                  $$VALUES ('plan', 'changed', 'roulette_synot', 'straight win', '35', '36')$$,
                      'a changed row of the paytable');
SELECT results_eq($$SELECT rule, detail ->> 'game', detail ->> 'key', found FROM casino.difference
                  WHERE run_no = 10 AND rule = 'removed'$$,
                  $$VALUES ('removed', 'baccarat', 'decks', 'no row')$$, 'a rule taken away');
SELECT is((SELECT count(*) FROM casino.difference), 2::bigint, 'nothing else');
SELECT is((SELECT status FROM casino.reconciliation WHERE run_no = 10), 'differences', 'the run says so');

-- explanations
SET ROLE run_nightly;
SELECT is(casino.explain_difference(10, 1, 'printed wrong, see letter 17'), 1, 'a difference is explained');
SELECT is(casino.explain_difference(10, 1, 'printed wrong, see letter 17'), 1, 'the same once');
SELECT is(casino.explain_difference(10, 1, 'put right today'), 2, 'and once more');
SELECT throws_ok($$SELECT casino.explain_difference(10, 3, 'x')$$, '23503', NULL,
                 'one that is not there cannot be');
SELECT throws_ok($$SELECT casino.explain_difference(10, 1, E' \n')$$, '22023', NULL, 'nor by nothing');
RESET ROLE;
SELECT is((SELECT w.role FROM casino.difference_note n JOIN casino.recorder w ON w.recorder_id = n.recorded_by
           WHERE n.note_no = 2), 'run_nightly', 'who explained it is known');
SELECT throws_ok($$DELETE FROM casino.difference_note$$, 'KL001', NULL, 'notes stay');
SELECT throws_ok($$UPDATE casino.difference SET found = expected$$, 'KL001', NULL, 'differences too');

-- a check that cannot be done is a difference, and the others are done (R10.4)
ALTER TABLE casino.other_play RENAME TO other_play_gone;
CALL casino.reconcile('2020-01-05', '2020-01-05');
ALTER TABLE casino.other_play_gone RENAME TO other_play;
SELECT results_eq($$SELECT DISTINCT check_name, rule, left(found, 42) FROM casino.difference d
                  JOIN casino.reconciliation USING (run_no)
                      WHERE from_day = '2020-01-05' AND rule = 'error'
                      ORDER BY check_name$$,
                  $$VALUES ('dated_back', 'error', '42P01: relation "casino.other_play" does n'),
                           ('self_limit', 'error', '42P01: relation "casino.other_play" does n'),
                           ('state', 'error', '42P01: relation "casino.other_play" does n')$$,
                      'a check ends in an error');
SELECT is((SELECT done = total FROM casino.reconciliation WHERE from_day = '2020-01-05'), true,
          'and the run goes on to its end');

-- an error of passing is none of the books: the step is repeated by the next call (R10.20). A lock timeout is
-- what another session's lock gives
CREATE TABLE public.passing (code text);
CREATE OR REPLACE FUNCTION public.passing_by() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE c text;
BEGIN
    SELECT p.code INTO c FROM public.passing p;
    IF FOUND THEN RAISE EXCEPTION 'in passing' USING ERRCODE = c; END IF;
    RETURN true;
END $$;
CREATE FUNCTION public.night_of(day date, code text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE e text; s record;
BEGIN
    DELETE FROM public.passing; INSERT INTO public.passing SELECT code WHERE code IS NOT NULL;
    PERFORM casino_internal.begin_reconciliation(day, day, false);
    LOOP
        SELECT * INTO s
            FROM casino_internal.reconciliation_step((SELECT max(run_no) FROM casino.reconciliation
                                                                  WHERE from_day = day));
        EXIT WHEN NOT s.more;
    END LOOP;
    RETURN (SELECT concat_ws(' ', r.status, r.step, r.error,
                             (SELECT string_agg(d.check_name || ' ' || d.rule, ',') FROM casino.difference d
                              WHERE d.run_no = r.run_no AND d.rule = 'error'))
              FROM casino.reconciliation r WHERE r.from_day = day ORDER BY r.run_no DESC LIMIT 1);
END $$;
BEGIN;
CREATE OR REPLACE FUNCTION casino_internal.check_excluded(from_day date, to_day date)
RETURNS SETOF casino.finding LANGUAGE plpgsql AS $$BEGIN PERFORM public.passing_by(); END$$;
SELECT is(public.night_of('2020-04-01', '55P03'), 'failed excluded 55P03 in passing',
          'R10.20: a lock that is not given fails the step');
SELECT is(public.night_of('2020-04-01', '40001'), 'failed excluded 40001 in passing',
          'R10.20: again, in passing');
SELECT is(public.night_of('2020-04-01', '53200'), 'failed excluded 53200 in passing',
          'R10.20: nor is want of memory of the books');
SELECT is(public.night_of('2020-04-01', '57P01'), 'failed excluded 57P01 in passing',
          'R10.20: nor a server that stops');
SELECT is(public.night_of('2020-04-01', '58030'), 'failed excluded 58030 in passing', 'R10.20: nor a disk');
SELECT is(left(public.night_of('2020-04-01', NULL), 11), 'differences',
          'R10.20: called again it makes the check, and goes on to its end');
SELECT is_empty($$SELECT FROM casino.difference d JOIN casino.reconciliation r USING (run_no)
                WHERE r.from_day = '2020-04-01'
                    AND d.rule = 'error'$$, 'R10.20: and no difference says that it failed');
SELECT is(public.night_of('2020-04-02', '55000'), 'differences excluded error',
          'R10.20: 55000 is of the data: a difference');
ROLLBACK;

-- a step that fails keeps its place
CREATE FUNCTION public.no_paper()
RETURNS trigger
LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no paper' USING ERRCODE = '57000'; END$$;
CREATE TRIGGER no_paper BEFORE INSERT ON casino.day_report FOR EACH ROW EXECUTE FUNCTION public.no_paper();
\set ON_ERROR_STOP 0
CALL casino.nightly('2020-03-01');
\set ON_ERROR_STOP 1
SELECT is(:'LAST_ERROR_SQLSTATE'::text, '57000', 'the call ends in its error');
SELECT results_eq($$SELECT status, step, finished_at IS NULL, total - done, error FROM casino.reconciliation
                  WHERE from_day = '2020-03-01'$$,
                  $$VALUES ('failed', 'report', true, 1, '57000 no paper')$$,
                      'the run tells which step and why');
SELECT is_empty($$SELECT FROM casino.day_report WHERE day = '2020-03-01'$$, 'nothing of it is kept');
DROP TRIGGER no_paper ON casino.day_report;
DROP FUNCTION public.no_paper();
CALL casino.nightly('2020-03-01');
SELECT results_eq($$SELECT status, error, done = total, finished_at IS NOT NULL FROM casino.reconciliation
                  WHERE from_day = '2020-03-01'$$,
                  $$VALUES ('differences', NULL::text, true, true)$$,
                      'called again it goes on with that step');

SELECT is((SELECT count(*) FROM casino.day_report d JOIN casino.reconciliation r USING (run_no)
           WHERE d.day = '2020-03-01' AND r.from_day = '2020-03-01'), 1::bigint, 'and the report is kept');

-- the report of a day, as its night made it
SELECT set_eq($$SELECT day, run_no FROM casino.day_report$$, $$SELECT to_day, run_no
              FROM casino.reconciliation WHERE night$$,
                  'each night keeps the report of its day, a reconciliation none');
SELECT is((SELECT w.role FROM casino.day_report d JOIN casino.recorder w ON w.recorder_id = d.recorded_by
           WHERE d.run_no = 1), 'run_nightly', 'who made it is known');
SELECT results_eq($$SELECT report ->> 'day', report #>> '{reconciliation,run_no}',
                  report #>> '{reconciliation,status}', made_at <= r.finished_at AND made_at >= r.started_at
                      FROM casino.day_report JOIN casino.reconciliation r USING (run_no) WHERE run_no = 1$$,
                  $$VALUES (pg_temp.yesterday()::text, '1', 'clean', true)$$,
                      'it has the day and what its checks found');
-- what is dated back later is in the report of now, not in the one that was kept
SELECT results_eq($$SELECT (casino.daily_report(pg_temp.yesterday()) - 'reconciliation')
                           = (report - 'reconciliation')
                      FROM casino.day_report
                     WHERE run_no = 1$$,
                  'VALUES (true)', 'it is the report of the day');
SET casino.clock_skew = -1;
SELECT casino.deposit(casino.register_player('late'), 100, 'l',
                      (pg_temp.yesterday() + time '12:00') AT TIME ZONE 'Europe/Prague') \g /dev/null
RESET casino.clock_skew;
SELECT results_eq($$SELECT casino.daily_report(pg_temp.yesterday()) #>> '{liability,total}',
                  report #>> '{liability,total}' FROM casino.day_report WHERE run_no = 1$$,
                  $$VALUES ('100.00', '0.00')$$,
                      'and stays as it was when an entry is dated back into the day');
SELECT throws_ok($$UPDATE casino.day_report SET report = '{}'$$, 'KL001', NULL, 'reports do not change');
SELECT throws_ok($$DELETE FROM casino.day_report$$, 'KL001', NULL, 'none is deleted');
SELECT throws_ok($$TRUNCATE casino.day_report$$, 'KL001', NULL, 'nor truncated');
SET ROLE run_nightly;
SELECT throws_ok($$INSERT INTO casino.day_report (day, run_no, report, made_at) VALUES ('2020-01-01', 1, '{}',
        now())$$, '42501', NULL, 'nobody writes one but the night');
SELECT throws_ok($$SELECT casino_internal.keep_daily_report(1, '2020-01-01')$$, '42501', NULL,
                 'nor keeps one by its part');
RESET ROLE;
SELECT set_eq($$SELECT p.profile FROM (SELECT DISTINCT profile FROM casino.access_profiles()) p
                  WHERE EXISTS (SELECT FROM casino.access_profiles() a
                                WHERE a.profile = p.profile AND a.object_type = 'table'
                                    AND a.object_name IN ('*', 'day_report'))$$,
              '{compliance,nightly,auditor,accountant}'::text[],
              'compliance, nightly, auditor, accountant read it');

-- a report is sealed: by the seal of the night after
SELECT casino.seal(casino.prague_day(clock_timestamp())) \g /dev/null
SELECT set_eq($$SELECT row_key FROM casino.sealed_row
              WHERE section = 'day_report'$$, $$SELECT day || '/' || run_no
                  FROM casino.day_report$$, 'all reports are sealed');
SELECT is_empty($$SELECT * FROM casino.verify() WHERE section = 'day_report'$$, 'and are what was sealed');
BEGIN;
ALTER TABLE casino.day_report DISABLE TRIGGER ALL;
UPDATE casino.day_report SET report = jsonb_set(report, '{liability,total}', '1') WHERE run_no = 1;
SELECT string_agg(section || ' ' || problem, '; ') AS problems FROM casino.verify()
 WHERE section = 'day_report' \gset
ROLLBACK;
SELECT is(:'problems', format('day_report row %s/1 was changed', pg_temp.yesterday()),
          'a changed one is found');

SELECT casino.revoke_access('run_nightly');
DROP ROLE run_nightly;
SELECT * FROM finish();
