-- Personal data (R7.97 to R7.102): seals cover the token of a person, so that the reference can be erased
-- when the retention is over, and every seal fits afterwards.
\ir ../helpers/compliance.psql
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();
CREATE FUNCTION t.fails(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    told text;
BEGIN
    EXECUTE statement;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS told = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(': ', SQLSTATE, nullif(told, ''));
END $$;
CREATE FUNCTION t.erase(ref text) RETURNS text LANGUAGE sql AS
    $$SELECT t.fails(format('SELECT casino.erase_person(%L, ''request 7'')', ref))$$;
CREATE ROLE erase_a;
CREATE ROLE erase_b;
CREATE ROLE erase_other;
SELECT casino.grant_access(r, 'compliance') FROM unnest('{erase_a,erase_b}'::text[]) r \g /dev/null
SELECT casino.grant_access('erase_other', 'supervisor') \g /dev/null
GRANT USAGE ON SCHEMA t TO PUBLIC;
-- the answer of a statement under a login and the name of a person, or its SQLSTATE and DETAIL
CREATE FUNCTION t.as(who text, statement text, actor text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    told text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true), set_config('casino.actor', actor, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true), set_config('casino.actor', '', true);
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS told = PG_EXCEPTION_DETAIL;
    RETURN concat_ws(': ', SQLSTATE, nullif(told, ''));
END $$;
-- as time would have it: an account that was closed then
CREATE FUNCTION t.closed(who bigint, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.player DISABLE TRIGGER USER;
    UPDATE casino.player SET closed_at = at WHERE player_id = who;
    ALTER TABLE casino.player ENABLE TRIGGER USER;
END $$;

-- ---------------------------------------------------------------- the token
SELECT casino.register_player('Anna Nová') AS anna, casino.register_player('bob') AS bob \gset
SELECT casino.deposit(:anna, 100, at => '2026-05-01'), casino.deposit(:bob, 100, at => '2026-05-01')
    \g /dev/null
SELECT p.token AS token, p.salt AS salt FROM casino.person p WHERE p.external_ref = 'Anna Nová' \gset
SELECT is(:'token', encode(sha256(:'salt'::bytea || 'Anna Nová'::bytea), 'hex'),
          'R7.97: the token is SHA-256 of the salt and the reference');
SELECT is((SELECT count(DISTINCT p.salt) FROM casino.person p), 2::bigint,
          'R7.97: each person has an own salt');
SELECT is((SELECT min(octet_length(p.salt)) FROM casino.person p), 32, 'R7.97: ... of 32 bytes');
SELECT is((SELECT x.external_ref FROM casino.player_as_sealed x WHERE x.player_id = :anna), :'token',
          'R7.97: the token is sealed');
SELECT is(casino.register_player('Anna Nová'), :anna::bigint, 'callers go on with the reference');
SELECT is((SELECT a.external_ref FROM casino.player a WHERE a.player_id = :anna), 'Anna Nová',
          '... and tables show it');

-- ---------------------------------------------------------------- refusals of erase_person()
SELECT is(t.fails(statement), told, statement)
  FROM (VALUES ('SELECT casino.erase_person(NULL, ''why'')', '22004'),
               ('SELECT casino.erase_person(''bob'', NULL)', '22004'),
               ('SELECT casino.erase_person(''bob'', '' '')', '22023'),
               ('SELECT casino.erase_person('''', ''why'')', '22023'),
               ('SELECT casino.erase_person(''xaver'', ''why'')', '23503')) v (statement, told);
SELECT matches(t.fails('SELECT casino.erase_person(''bob'', repeat(''x'', 1001))'), '^22001',
               'a reason of 1001 bytes');
SELECT matches(t.fails('SELECT casino.erase_person(''bob'', ''Bob asked'')'), '^22023: It stays on record',
               'R7.99: a reason with the name');
SELECT matches(t.erase('bob'), '^55000: The account of player \d+ is open; .* has money that is not paid\.$',
               'R7.98: an open account');
SELECT casino.adjust(a.player_id, -a.balance, 'taken out for the test', at => '2026-05-02')
  FROM casino.player a WHERE a.player_id IN (:anna, :bob) \g /dev/null
SELECT casino.close_account(a, '2026-05-03') FROM unnest(ARRAY[:anna, :bob]::bigint[]) a \g /dev/null
-- all is sealed and exported
SELECT casino.seal(casino.prague_day(clock_timestamp())) \g /dev/null
SELECT casino.prague_day(clock_timestamp()) AS today \gset
CREATE TABLE t.export AS SELECT e.line FROM casino.export_day(:'today') e (line);
SELECT ok(EXISTS (SELECT FROM t.export e WHERE strpos(e.line, :'token') > 0),
          'R7.97: an export shows the token');
SELECT is_empty($$SELECT e.line FROM t.export e WHERE strpos(e.line, 'Anna') > 0$$,
                'R7.97: ... and no reference of a person');
SELECT is(t.erase('bob'),
          format('55000: The retention of the account of player %s ends at 2036-05-03 00:00:00+02.', :bob),
          'R7.98: ten years from the close');
SAVEPOINT before;
SELECT t.closed(:bob, clock_timestamp() - interval '10 years' + interval '1 minute') \g /dev/null
SELECT matches(t.erase('bob'), '^55000: The retention', 'R7.98: a minute before ten years are over');
SELECT t.closed(:bob, clock_timestamp() - interval '10 years' - interval '1 day') \g /dev/null
SELECT is(t.erase('bob'), 'ok', 'R7.98: after ten years');
ROLLBACK TO before;
-- the longer figure of the close and of now
SELECT casino.set_duty_rule('retention_years', '0', '2026-05-04', '-', 'rules of the house') \g /dev/null
SELECT matches(t.erase('bob'), '^55000: The retention .* 2036', 'R7.98: the figure in force at the close');
ROLLBACK TO before;
SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'rules of the house') \g /dev/null
SELECT casino.set_duty_rule('retention_years', '11', '2026-05-04', '-', 'rules of the house') \g /dev/null
SELECT matches(t.erase('bob'), '^55000: The retention .* 2037', 'R7.98: the figure in force now');
ROLLBACK TO before;
SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'rules of the house') \g /dev/null
SAVEPOINT short;
SELECT casino_internal.note_exclusion(:bob, '2090-01-01') \g /dev/null
SELECT matches(t.erase('bob'), '^55000: Player \d+ is excluded until 2090', 'R7.98: a running exclusion');
ROLLBACK TO short;
SELECT casino.load_provider_report('live', '2026-05-01', '[{"kind": "deposit", "ref": "d", "amount": 100,
    "external_ref": "bob", "at": "2026-05-01"}]') \g /dev/null
SELECT is(t.erase('bob'), '55000: A report of a provider names the person.', 'R7.101: a provider''s report');
ROLLBACK TO short;
SELECT casino.register_player('bob') AS bob2 \gset
SELECT is(t.erase('bob'), format('55000: The account of player %s is open.', :bob2),
          'R7.98: another account of the person');
ROLLBACK TO short;

-- ---------------------------------------------------------------- two people (R7.115)
SELECT is(t.as('erase_b', $$SELECT casino.approve_erasure('Anna Nová')$$), '55000',
          'R7.115: what nobody has proposed is not approved');
SELECT is(t.as('erase_other', statement), '42501', 'R7.115: profile compliance alone: ' || statement)
  FROM unnest(ARRAY[$$SELECT casino.erase_person('Anna Nová', 'x')$$,
                    $$SELECT casino.approve_erasure('Anna Nová')$$]) statement;
SELECT is(t.as('erase_a', $$SELECT casino.erase_person('  Anna Nová ', 'request 12 of 2036')$$, 'Eva'),
          :'token', 'R7.99: the answer is the token');
SELECT is(t.as('erase_a', $$SELECT casino.erase_person('Anna Nová', 'request 12 of 2036')$$, 'Eva'),
          :'token', 'R7.115: the same again');
SELECT results_eq('SELECT q.proposal_no, q.token, q.external_ref, q.accounts, q.reason
                     FROM casino.pending_erasure q',
                  format('VALUES (1, %L, ''Anna Nová'', 1, ''request 12 of 2036'')', :'token'),
                  'R7.115: ... is one proposal, which waits');
SELECT is((SELECT a.external_ref FROM casino.player a WHERE a.player_id = :anna), 'Anna Nová',
          'R7.115: nothing is erased by one person');
SELECT is(t.as('erase_a', $$SELECT casino.approve_erasure('Anna Nová')$$, who),
          '42501: Both are the login "erase_a".', 'R7.115: the same login, named ' || who)
  FROM unnest('{Eva,Jan}'::text[]) who;
SELECT is(t.as('erase_b', $$SELECT casino.approve_erasure('Anna Nová')$$, ' EVA'),
          '42501: Both are the person " EVA".', 'R7.115: the same person under another login');
SAVEPOINT waiting;
SELECT casino.set_duty_rule('retention_years', '20', '2026-05-04', '-', 'rules of the house') \g /dev/null
SELECT matches(t.as('erase_b', $$SELECT casino.approve_erasure('Anna Nová')$$, 'Jan'),
               '^55000: The retention', 'R7.115: what stands against it is asked again at the approval');
ROLLBACK TO waiting;
SELECT is(t.as('erase_b', format('SELECT casino.approve_erasure(%L)', :'token'), 'Jan'), :'token',
          'R7.115: a second person, who names the person by the token');
SELECT is(t.as('erase_b', $$SELECT casino.approve_erasure('Anna Nová')$$, 'Jan'), :'token',
          'R7.115: the same again');
SELECT is_empty('SELECT * FROM casino.pending_erasure', 'R7.115: nothing waits');
-- ---------------------------------------------------------------- erased
SELECT is((SELECT a.external_ref FROM casino.player a WHERE a.player_id = :anna), :'token',
          'R7.99: the account shows the token');
SELECT is((SELECT count(*) FROM casino.person p WHERE p.external_ref = 'Anna Nová'), 0::bigint,
          'R7.99: the reference is gone');
SELECT results_eq('SELECT erasure_no, external_ref, accounts, proposal_no, reason FROM casino.erasure',
                  format('VALUES (1, %L, 1, 1, ''request 12 of 2036'')', :'token'), 'R7.99: it is recorded');
SELECT results_eq('SELECT p.actor, e.actor
                     FROM casino.erasure x
                     JOIN casino.erasure_proposal q ON q.proposal_no = x.proposal_no
                     JOIN casino.recorder p ON p.recorder_id = q.recorded_by
                     JOIN casino.recorder e ON e.recorder_id = x.recorded_by',
                  $$VALUES ('Eva', 'Jan')$$, 'R7.115: with both people');
SELECT is(casino.erase_person('Anna Nová', 'again'), :'token', 'R7.100: the same again, the same answer');
SELECT is(casino.erase_person(:'token', 'again'), :'token', 'R7.100: ... and by the token');
SELECT is((SELECT count(*) FROM casino.erasure), 1::bigint, 'R7.100: ... and no other row');
SELECT is(t.fails(statement), 'KL001: Recorded evidence never changes.', statement)
  FROM (VALUES ('DELETE FROM casino.erasure'), ('UPDATE casino.erasure SET reason = ''no'''),
               ('TRUNCATE casino.erasure')) v (statement);
SELECT is(t.fails(format('SELECT casino.register_player(%L)', :'token')),
          '22023: The person was erased.', 'R7.99: nor is the token a reference');

-- the books fit
SELECT is_empty('SELECT * FROM casino.verify()', 'R7.99: every seal fits');
SELECT results_eq(format('SELECT line FROM casino.export_day(%L) e (line)', :'today'),
                  'SELECT line FROM t.export', 'R7.99: an export of the day is the same, line by line');
SELECT is_empty($$SELECT * FROM casino_internal.check_state('2026-05-01', '2026-05-03')$$,
                'the night finds nothing');
SELECT is_empty($$SELECT * FROM casino_internal.check_state('2020-01-01', '2030-01-01')$$,
                '... nor the audit');
SELECT is((SELECT array_agg(e.kind || ': ' || e.reason)
             FROM casino.significant_event(:'today', :'today') e WHERE e.kind = 'person erased'),
          '{"person erased: request 12 of 2036"}', 'R7.99: a significant event');
SELECT is((SELECT array_agg(e.kind || ': ' || e.reason)
             FROM casino.significant_event(:'today', :'today') e WHERE e.kind = 'erasure proposed'),
          '{"erasure proposed: request 12 of 2036"}', 'R7.115: and so is the proposal');
SELECT is(casino.person_file(:'token') #>> '{accounts,0,player_id}', :'anna'::text,
          'R7.99: the rows that stay are found by the token');
SELECT isnt(casino.register_player('Anna Nová'), :anna::bigint, 'the same name again is another person');
SELECT isnt((SELECT p.token FROM casino.person p WHERE p.external_ref = 'Anna Nová'), :'token',
            '... with another token');
-- the salt
SELECT casino_internal.forget_salts((SELECT e.recorded_at + interval '23:59:59.999999' FROM casino.erasure e))
    \g /dev/null
SELECT isnt((SELECT p.salt FROM casino.person p WHERE p.external_ref = :'token'), NULL,
            'R7.100: the salt stays a day');
SELECT casino_internal.forget_salts((SELECT e.recorded_at + interval '1 day'
                                     FROM casino.erasure e)) \g /dev/null
SELECT is((SELECT p.salt FROM casino.person p WHERE p.external_ref = :'token'), NULL,
          'R7.100: ... and not longer');
SELECT is_empty('SELECT * FROM casino.verify()', '... without it every seal fits, too');
SELECT is(casino.erase_person(:'token', 'again'), :'token', 'R7.100: the token is known without the salt');

-- ---------------------------------------------------------------- findings of the night
CREATE FUNCTION t.found(fault text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    result text[];
BEGIN
    BEGIN
        SET LOCAL session_replication_role = replica;
        ALTER TABLE casino.erasure DISABLE TRIGGER ALL;
        ALTER TABLE casino.erasure_proposal DISABLE TRIGGER ALL;
        EXECUTE fault;
        result := ARRAY (SELECT format('%s p%s', f.rule, f.player_id)
                           FROM casino_internal.check_state('2020-01-01', '2030-01-01') f ORDER BY 1);
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;
SELECT is(ARRAY (SELECT t.found(fault)), found, 'R7.102: ' || name)
  FROM (VALUES ('a changed reference',
                'UPDATE casino.person SET external_ref = ''rob'' WHERE external_ref = ''bob'';
                 UPDATE casino.player SET external_ref = ''rob'' WHERE external_ref = ''bob''',
                ARRAY[format('person p%s', :bob), format('registration p%s', :bob)]),
               ('another salt',
                'UPDATE casino.person SET salt = sha256(''x'') WHERE external_ref = ''bob''',
                ARRAY[format('person p%s', :bob), format('registration p%s', :bob)]),
               ('reference, salt and token changed together',
                $f$UPDATE casino.person SET external_ref = 'rob', token = casino.person_token('rob', salt)
                    WHERE external_ref = 'bob';
                   UPDATE casino.player SET external_ref = 'rob' WHERE external_ref = 'bob'$f$,
                ARRAY[format('registration p%s', :bob)]),
               ('a person who was erased by hand',
                'UPDATE casino.person SET external_ref = token, salt = NULL WHERE external_ref = ''bob'';
                 UPDATE casino.player a SET external_ref = p.token FROM casino.person p
                  WHERE a.external_ref = ''bob'' AND p.salt IS NULL AND p.token NOT IN
                      (SELECT e.external_ref FROM casino.erasure e)',
                ARRAY[format('person p%s', :bob)]),
               ('an erasure that was removed', 'DELETE FROM casino.erasure',
                ARRAY[format('person p%s', :anna)]),
               ('an erasure of another proposal',
                'INSERT INTO casino.erasure_proposal SELECT 2, ''x'', reason, recorded_at, recorded_by
                   FROM casino.erasure_proposal;
                 UPDATE casino.erasure SET proposal_no = 2',
                ARRAY['erasure_approval p', 'erasure_proposal p']),
               ('an erasure by one person (R7.116)',
                'UPDATE casino.erasure e SET recorded_by = q.recorded_by FROM casino.erasure_proposal q',
                ARRAY['erasure_approval p']),
               ('a proposal after the erasure',
                'UPDATE casino.erasure_proposal SET recorded_at = recorded_at + interval ''1 hour''',
                ARRAY['erasure_approval p']),
               ('an erasure for another reason', 'UPDATE casino.erasure SET reason = ''x''',
                ARRAY['erasure_approval p']),
               ('an erasure of more accounts', 'UPDATE casino.erasure SET accounts = 2', ARRAY['erased p']),
               ('a salt that was kept',
                'UPDATE casino.person SET salt = sha256(''x'') WHERE salt IS NULL;
                 UPDATE casino.erasure_proposal SET recorded_at = recorded_at - interval ''4 days'';
                 UPDATE casino.erasure SET recorded_at = recorded_at - interval ''4 days''',
                ARRAY['salt p'])) v (name, fault, found);
-- the seal covers the clear reference, too
SAVEPOINT whole;
SET LOCAL session_replication_role = replica;
UPDATE casino.person SET external_ref = 'rob' WHERE external_ref = 'bob';
UPDATE casino.player SET external_ref = 'rob' WHERE external_ref = 'bob';
SELECT isnt_empty('SELECT * FROM casino.verify()', 'R7.97: verify() finds a changed reference, token or not');
ROLLBACK TO whole;
-- no account goes to another person by the part of erase_person()
SELECT casino_internal.note_erasure('bob', 'Anna Nová') \g /dev/null
SELECT is((SELECT a.external_ref FROM casino.player a WHERE a.player_id = :bob), 'bob',
          'R7.99: only a token stands instead of a reference');
SELECT ok(EXISTS (SELECT FROM casino.evidence_checks() e
                   WHERE e.section = 'erasure' AND e.check_name = 'state'), 'R7.102: erasures are checked');
SELECT * FROM finish();
ROLLBACK;
