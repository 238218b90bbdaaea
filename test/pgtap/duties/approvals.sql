-- Objects of the operator's own: approve_object() and the check guard (R12.32).
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SELECT no_plan();
CREATE SCHEMA t;
CREATE FUNCTION t.guard() RETURNS TABLE (rule text, object text) LANGUAGE sql AS
    $$SELECT rule, detail ->> 'object' FROM casino_internal.check_guard(current_date, current_date)
       WHERE rule IN ('added', 'changed', 'missing')$$;
SELECT is_empty('SELECT * FROM t.guard()', 'clean at first');
SELECT is_empty('SELECT * FROM own_object', 'nothing of the operator''s');

CREATE FUNCTION t.told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER told AFTER INSERT OR UPDATE ON casino.round FOR EACH ROW EXECUTE FUNCTION t.told();
SELECT results_eq('SELECT * FROM t.guard()', $$VALUES ('added', 'trigger told on round')$$,
                  'R12.32: a trigger of the operator''s is a difference');
SELECT results_eq('SELECT object, approved FROM own_object', $$VALUES ('trigger told on round', false)$$,
                  'and is listed');
SELECT is(approve_object('trigger told on round', 'tells the display'), 1::bigint, 'it is approved');
SELECT is_empty('SELECT * FROM t.guard()', 'R12.32: the guard takes it as approved');
SELECT results_eq('SELECT object, approval_no, reason, approved FROM own_object',
                  $$VALUES ('trigger told on round', 1::bigint, 'tells the display', true)$$,
                      'so does the list');
SELECT is(approve_object('trigger told on round', 'tells the display'), 1::bigint,
    'again is the same approval');
SELECT is((SELECT count(*) FROM approved_object), 1::bigint, 'and no second row');
SELECT is((SELECT r.role FROM approved_object a JOIN recorder r ON r.recorder_id = a.recorded_by),
          current_user::text, 'recorded with the role');

-- the function, another function, disabled
CREATE OR REPLACE FUNCTION t.told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM 1; RETURN NULL; END';
SELECT results_eq('SELECT * FROM t.guard()', $$VALUES ('changed', 'trigger told on round')$$,
                  'R12.32: another body of its function is another trigger');
SELECT is(approve_object('trigger told on round', 'tells it twice'), 2::bigint, 'which is approved anew');
SELECT is_empty('SELECT * FROM t.guard()', 'clean again');
ALTER TABLE casino.round DISABLE TRIGGER told;
SELECT results_eq('SELECT * FROM t.guard()', $$VALUES ('changed', 'trigger told on round')$$,
    'disabled: changed');
ALTER TABLE casino.round ENABLE TRIGGER told;
SELECT is_empty('SELECT * FROM t.guard()', 'enabled: as approved');
DROP TRIGGER told ON casino.round;
SELECT is_empty('SELECT * FROM t.guard()', 'an approved object may go');
CREATE TRIGGER told BEFORE DELETE ON casino.round FOR EACH ROW EXECUTE FUNCTION t.told();
SELECT results_eq('SELECT * FROM t.guard()', $$VALUES ('changed', 'trigger told on round')$$,
                  'another trigger of the name is not approved');
DROP TRIGGER told ON casino.round;

-- no object of casino's own, no object at all, no reason
SELECT throws_ok($$SELECT approve_object('trigger round_guard on round', 'x')$$, '42704', NULL,
                 'an object of install() is not approved');
ALTER TABLE casino.round DISABLE TRIGGER round_guard;
SELECT throws_ok($$SELECT approve_object('trigger round_guard on round', 'x')$$, '42704', NULL,
                 'R12.32: nor when it was changed');
SELECT results_eq('SELECT * FROM t.guard()', $$VALUES ('changed', 'trigger round_guard on round')$$,
                  'which stays a difference');
ALTER TABLE casino.round ENABLE TRIGGER round_guard;
SELECT throws_ok($$SELECT approve_object('trigger none on round', 'x')$$, '42704', NULL, 'no such object');
SELECT throws_ok($$SELECT approve_object('trigger told on round', ' ')$$, '22023', NULL,
    'a reason must say something');
SELECT throws_ok($$SELECT approve_object(NULL, 'x')$$, '22004', NULL, 'NULL for the name');
SELECT throws_ok($$SELECT approve_object('x', NULL)$$, '22004', NULL, 'NULL for the reason');
SELECT throws_ok($$SELECT approve_object('x', repeat('x', 1001))$$, '22001', NULL, 'too long a reason');

-- append-only; the owner's alone
SELECT throws_ok('DELETE FROM approved_object', 'KL001', NULL, 'an approval stays');
SELECT throws_ok($$UPDATE approved_object SET reason = 'y'$$, 'KL001', NULL, 'as it is');
CREATE ROLE approvals_backend;
SELECT grant_access('approvals_backend', p) FROM unnest('{backend,supervisor,nightly}'::text[]) p \g /dev/null
SET LOCAL ROLE approvals_backend;
SELECT throws_ok($$SELECT casino.approve_object('x', 'y')$$, '42501', NULL, 'no profile approves');
RESET ROLE;
GRANT EXECUTE ON FUNCTION casino.approve_object(text, text) TO approvals_backend;
SET LOCAL ROLE approvals_backend;
SELECT throws_ok($$SELECT casino.approve_object('x', 'y')$$, '42501', NULL, 'nor one that may call it');
RESET ROLE;
SELECT * FROM finish();
ROLLBACK;
