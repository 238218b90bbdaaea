-- R7.140: a proposal to erase a person is taken back, by reject_erasure(). Nobody approves it afterwards, and
-- the person may be proposed anew.
\ir ../helpers/compliance.psql
SET max_parallel_workers_per_gather = 0;
SELECT no_plan();
-- an older snapshot does not show the decision of another one under the lock
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(t.verdict('SELECT casino.' || call), '25001', 'R7.140: not by an old snapshot: ' || call)
  FROM unnest(ARRAY[$$reject_erasure('Anna', 'why')$$, $$approve_erasure('Anna')$$,
                    $$erase_person('Anna', 'why')$$]) call;
COMMIT;
BEGIN;
CREATE ROLE reject_a;
CREATE ROLE reject_b;
CREATE ROLE reject_other;
SELECT casino.grant_access(r, 'compliance') FROM unnest('{reject_a,reject_b}'::text[]) r \g /dev/null
SELECT casino.grant_access('reject_other', 'supervisor') \g /dev/null
GRANT USAGE ON SCHEMA t TO PUBLIC;
-- the answer of a statement under a login, or its SQLSTATE, message and DETAIL
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    told text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS told = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(': ', SQLSTATE, SQLERRM, nullif(told, ''));
END $$;
CREATE FUNCTION t.propose(who text, why text DEFAULT 'request 7') RETURNS text LANGUAGE sql AS
    $$SELECT t.as(who, format('SELECT casino.erase_person(''Anna'', %L)', why))$$;
CREATE FUNCTION t.approve(who text, ref text DEFAULT 'Anna') RETURNS text LANGUAGE sql AS
    $$SELECT t.as(who, format('SELECT casino.approve_erasure(%L)', ref))$$;
CREATE FUNCTION t.reject(who text, ref text DEFAULT 'Anna', why text DEFAULT 'the wrong customer')
    RETURNS text LANGUAGE sql AS
    $$SELECT t.as(who, format('SELECT casino.reject_erasure(%L, %L)', ref, why))$$;
SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'a test') \g /dev/null
SELECT casino.register_player('Anna') AS anna, casino.register_player('bob') AS bob \gset
SELECT casino.close_account(a) FROM unnest(ARRAY[:anna, :bob]::bigint[]) a \g /dev/null
SELECT p.token AS token FROM casino.person p WHERE p.external_ref = 'Anna' \gset

-- ---------------------------------------------------------------- arguments, and nothing to reject
SELECT is(t.as('reject_a', 'SELECT casino.reject_erasure(' || args || ')'), told, 'R7.140: ' || args)
  FROM (VALUES ($$NULL, 'why'$$, '22004: external_ref and reason must be given'),
               ($$'Anna', NULL$$, '22004: external_ref and reason must be given'),
               ($$'Anna', ' '$$, '22023: reason must not be empty'),
               ($$'xaver', 'why'$$, '23503: person "xaver" does not exist')) v (args, told);
SELECT matches(t.reject('reject_a', why => repeat('x', 1001)), '^22001: ', 'R7.140: a reason of 1001 bytes');
SELECT is(t.reject('reject_a'), '55000: nobody has proposed to erase the person',
          'R7.140: without a proposal nothing is rejected');
SELECT matches(t.reject('reject_other'), '^42501: ', 'R7.140: profile compliance alone');
SELECT is(t.propose('reject_a'), :'token', 'one person proposes');
SELECT is(t.reject('reject_b', why => 'Not Anna, the other one'),
          '22023: reason must not name the person: It stays on record when the reference is erased.',
          'R7.140: a reason that names the person');
SELECT is(t.reject('reject_b', :'token', 'Not Anna, the other one'),
          '22023: reason must not name the person: It stays on record when the reference is erased.',
          'R7.140: ... also where the token stands for the person');

-- ---------------------------------------------------------------- rejected
SELECT is(t.reject('reject_b'), :'token', 'R7.140: a second person rejects: the token');
SELECT is(t.reject('reject_b'), :'token', 'R7.140: the same again, the same answer');
SELECT is(t.reject('reject_a', :'token', 'other words'), :'token',
          'R7.140: ... also of the other one, with other words and the token');
SELECT results_eq('SELECT r.proposal_no, r.reason, w.role
                     FROM casino.erasure_rejection r
                     JOIN casino.recorder w ON w.recorder_id = r.recorded_by',
                  $$VALUES (1, 'the wrong customer', 'reject_b')$$, 'R7.140: is one row: who, and why');
SELECT is_empty('SELECT * FROM casino.pending_erasure', 'R7.140: nothing waits');
SELECT is(t.approve(who), told, 'R7.140: a rejected proposal is not approved by ' || who)
  FROM (VALUES ('reject_b'), ('reject_a')) v (who),
       (SELECT format('55000: the proposal to erase the person was rejected: Proposal 1 was rejected at %s: '
                      'the wrong customer', r.recorded_at) AS told FROM casino.erasure_rejection r) x;
SELECT is((SELECT a.external_ref FROM casino.player a WHERE a.player_id = :anna), 'Anna',
          'R7.140: the person is there');
SELECT is_empty('SELECT * FROM casino_internal.check_erasures()', 'R7.140: the night finds nothing');

-- ---------------------------------------------------------------- proposed anew, in the same words
SELECT is(t.propose('reject_a'), :'token', 'R7.140: the same person proposes it anew');
SELECT is(t.propose('reject_a'), :'token', '... and again');
SELECT results_eq('SELECT e.proposal_no, e.reason FROM casino.pending_erasure e',
                  $$VALUES (2, 'request 7')$$, 'R7.140: ... which waits, once');
-- the proposer takes it back; two proposals go together
SELECT is(t.propose('reject_b', 'request 8'), :'token', 'another person proposes it, too');
SELECT is(t.reject('reject_a', why => 'asked to wait'), :'token', 'R7.140: the proposer takes it back');
SELECT results_eq('SELECT r.proposal_no, r.reason FROM casino.erasure_rejection r ORDER BY 1',
                  $$VALUES (1, 'the wrong customer'), (2, 'asked to wait'), (3, 'asked to wait')$$,
                  'R7.140: ... with all that waits of the person');
SELECT is_empty('SELECT * FROM casino.pending_erasure', 'R7.140: nothing waits');
-- an obstacle to an erasure does not keep a proposal
SELECT is(t.propose('reject_a'), :'token', 'proposed for the third time');
SAVEPOINT open;
SELECT casino.register_player('Anna') AS again \gset
SELECT matches(t.approve('reject_b'), '^55000: the person cannot be erased', 'an open account: not approved');
SELECT is(t.reject('reject_b'), :'token', 'R7.140: ... and rejected');
ROLLBACK TO open;

-- ---------------------------------------------------------------- approved
SELECT is(t.approve('reject_b'), :'token', 'R7.140: the newest proposal is approved');
SELECT is(t.reject(who, ref), '55000: the person was erased', 'R7.140: too late: ' || who || ', ' || ref)
  FROM unnest('{reject_a,reject_b}'::text[]) who, unnest(ARRAY['Anna', :'token']) ref;
SELECT is((SELECT count(*) FROM casino.erasure_rejection), 3::bigint, 'R7.140: ... and nothing is recorded');
SELECT is((SELECT e.proposal_no FROM casino.erasure e), 4, 'R7.140: of the proposal that waited');
SELECT throws_ok(statement, 'KL001', NULL, 'append-only: ' || statement)
  FROM unnest(ARRAY['DELETE FROM casino.erasure_rejection', 'TRUNCATE casino.erasure_rejection',
                    'UPDATE casino.erasure_rejection SET reason = ''no''']) statement;
SELECT is_empty($$SELECT * FROM casino_internal.check_state('2020-01-01', '2030-01-01')$$,
                'R7.140: the audit finds nothing in check state');
SELECT casino.prague_day(clock_timestamp()) AS today \gset
SELECT is_empty(format($$SELECT * FROM casino_internal.check_record(%1$L, %1$L)
                          WHERE detail ->> 'table' LIKE 'erasure%%'$$, :'today'), '... nor in check record');
SELECT results_eq(format($$SELECT e.kind, e.reason, e.detail
                             FROM casino.significant_event(%1$L, %1$L) e WHERE e.kind = 'erasure rejected'
                            ORDER BY e.detail$$, :'today'),
                  format($$VALUES ('erasure rejected', 'the wrong customer', %1$L::jsonb),
                                  ('erasure rejected', 'asked to wait', %2$L),
                                  ('erasure rejected', 'asked to wait', %3$L)$$,
                         jsonb_build_object('token', :'token', 'proposal_no', 1),
                         jsonb_build_object('token', :'token', 'proposal_no', 2),
                         jsonb_build_object('token', :'token', 'proposal_no', 3)),
                  'R7.140: significant events');
SELECT casino.seal(:'today') \g /dev/null
SELECT is((SELECT count(*) FROM casino.export_day(:'today') e (line)
            WHERE e.line LIKE '{"erasure_rejection":%'), 3::bigint, 'R7.140: sealed and exported');

-- ---------------------------------------------------------------- planted
CREATE FUNCTION t.found(fault text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    result text[];
BEGIN
    SET LOCAL session_replication_role = replica;
    ALTER TABLE casino.erasure_rejection DISABLE TRIGGER ALL;
    EXECUTE fault;
    result := ARRAY (SELECT f.rule FROM casino_internal.check_state('2020-01-01', '2030-01-01') f
                     UNION ALL
                     SELECT f.rule
                       FROM casino_internal.check_record('2020-01-01', '2030-01-01') f
                      WHERE f.detail ->> 'table' = 'erasure_rejection' ORDER BY 1);
    RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
EXCEPTION WHEN SQLSTATE 'P9999' THEN
    SET LOCAL session_replication_role = origin;
    RETURN result;
END $$;
SELECT is(t.found(fault), found, 'R7.140: ' || name)
  FROM (VALUES ('nothing', 'SELECT', '{}'::text[]),
               ('an erasure of a rejected proposal',
                'INSERT INTO casino.erasure_rejection SELECT 4, reason, recorded_at, recorded_by
                   FROM casino.erasure_rejection WHERE proposal_no = 3', '{erasure_rejected,reference}'),
               ('a rejection of no proposal',
                'UPDATE casino.erasure_rejection SET proposal_no = 77 WHERE proposal_no = 3', '{reference}'),
               ('a rejection before the proposal',
                'UPDATE casino.erasure_rejection SET recorded_at = recorded_at - interval ''2 minutes''
                  WHERE proposal_no = 3', '{reference}'),
               ('a rejection by nobody',
                'UPDATE casino.erasure_rejection SET recorded_by = 0 WHERE proposal_no = 3', '{recorder}'))
       v (name, fault, found);
SELECT ok(EXISTS (SELECT FROM casino.evidence_checks() e
                   WHERE e.section = 'erasure_rejection' AND e.check_name = 'record'),
          'R7.140: rejections are checked');
SELECT * FROM finish();
ROLLBACK;
