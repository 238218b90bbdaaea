-- One profile taken from a role that has several (R12.169).
SET client_min_messages = warning;
SET search_path = public;
BEGIN;
SELECT no_plan();
CREATE ROLE one_role;
CREATE ROLE one_twin;
CREATE ROLE one_owner;

-- all that a role was granted in our schemas, as text
CREATE FUNCTION pg_temp.rights(role name) RETURNS SETOF text LANGUAGE sql STABLE AS
    $$SELECT DISTINCT g.privilege || ' on ' || g.name FROM casino_internal.granted_objects() g
       WHERE g.grantee = (SELECT oid FROM pg_roles WHERE rolname = role)$$;
CREATE FUNCTION pg_temp.of_profile(p text) RETURNS SETOF text LANGUAGE sql STABLE AS
    $$SELECT o.privilege || ' on ' || o.name FROM casino_internal.profile_objects(p) o$$;

-- one of two profiles is taken, the role is as one that has only the other; also where one lies inside the
-- other
CREATE FUNCTION pg_temp.pairs_that_differ() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p text;
    q text;
BEGIN
    FOR p, q IN VALUES ('auditor', 'nightly'), ('nightly', 'auditor'), ('supervisor', 'accountant'),
                       ('desk', 'cashier') LOOP
        PERFORM casino.grant_access('one_role', p), casino.grant_access('one_role', q);
        PERFORM casino.revoke_access('one_role', p);
        IF EXISTS (SELECT pg_temp.rights('one_role') EXCEPT SELECT pg_temp.of_profile(q))
           OR EXISTS (SELECT pg_temp.of_profile(q) EXCEPT SELECT pg_temp.rights('one_role')) THEN
            RETURN NEXT p || ' taken from ' || q;
        END IF;
        PERFORM casino.revoke_access('one_role', q);
        IF EXISTS (SELECT pg_temp.rights('one_role')) THEN
            RETURN NEXT q || ' left something';
        END IF;
    END LOOP;
END $$;
SELECT is_empty('SELECT pg_temp.pairs_that_differ()',
                'R12.169: of two profiles one is taken whole and the other stays whole');
SELECT isnt_empty($$SELECT pg_temp.of_profile('auditor') INTERSECT SELECT pg_temp.of_profile('nightly')$$,
                  'profiles share rights');
SELECT is_empty($$SELECT pg_temp.of_profile('auditor') EXCEPT SELECT pg_temp.of_profile('nightly')
                  EXCEPT SELECT 'EXECUTE on ROUTINE casino_internal.holds_auditor()'$$,
                'and auditor lies inside nightly, but for its mark');

-- used: before, after, and the one that stays
CREATE FUNCTION pg_temp.may(role text, statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE statement;
    RESET ROLE;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
GRANT SELECT ON casino.cage_count TO one_role;
SELECT casino.grant_access('one_role', 'cashier'), casino.grant_access('one_role', 'desk') \g /dev/null
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.payment_account'), 'done', 'cashier: before');
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.player'), 'done', 'both: before');
SELECT casino.revoke_access('one_role', 'cashier') \g /dev/null
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.payment_account'), '42501', 'cashier: after');
SELECT is(pg_temp.may('one_role', 'SELECT casino.set_payment_account(1, ''x'')'), '42501', 'nor its calls');
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.player'), 'done',
          'R12.169: a right that both need stays');
SELECT is(pg_temp.may('one_role', $$SELECT casino.register_player('one')$$), 'done', 'and its calls');
-- the same again, and one that was never given
SELECT casino.revoke_access('one_role', p) FROM unnest('{cashier,cashier,backend}'::text[]) p \g /dev/null
SELECT is(pg_temp.may('one_role', $$SELECT casino.deposit(1, 100)$$), 'done',
          'R12.169: twice, and a profile that was not given: nothing else goes');
SELECT casino.revoke_access('one_role', 'desk') \g /dev/null
SELECT set_eq($$SELECT pg_temp.rights('one_role')$$,
              ARRAY['SELECT on TABLE casino.cage_count', 'USAGE on SCHEMA casino',
                    'USAGE on SCHEMA casino_internal'],
              'R12.169: a right got elsewhere stays, and can be used');
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.cage_count'), 'done', 'it is used');
SELECT casino.revoke_access('one_role') \g /dev/null
SELECT is_empty($$SELECT pg_temp.rights('one_role')$$, 'revoke_access(role) takes all, as before');
-- rights by membership are the other role's
GRANT one_twin TO one_role;
SELECT casino.grant_access('one_twin', 'desk'), casino.grant_access('one_role', 'desk') \g /dev/null
SELECT casino.revoke_access('one_role', 'desk') \g /dev/null
SELECT is_empty($$SELECT pg_temp.rights('one_role')$$, 'nothing of its own');
SELECT is(pg_temp.may('one_role', 'SELECT * FROM casino.player'), 'done', 'the twin''s rights stay');

-- errors
SELECT throws_ok($$SELECT casino.revoke_access('one_role', 'king')$$, '22023', 'unknown profile "king"',
                 'as grant_access() says it');
SELECT throws_ok($$SELECT casino.grant_access('one_role', 'king')$$, '22023', 'unknown profile "king"', 'it');
SELECT throws_ok($$SELECT casino.revoke_access('one_role', NULL)$$, '22023', 'unknown profile "<NULL>"',
                 'NULL is unknown, too, and does not take all');
SELECT throws_ok($$SELECT casino.revoke_access('one_nobody', 'desk')$$, '42704',
                 'role "one_nobody" does not exist', 'an unknown role');
SELECT throws_ok($$SELECT casino.revoke_access(NULL, 'desk')$$, '22004', 'role must be given', 'NULL');
SELECT throws_ok($$SELECT casino.grant_access(NULL, 'desk')$$, '22004', 'role must be given', 'for both');

-- a grant of somebody else is not left in silence
GRANT USAGE ON SCHEMA casino TO one_owner WITH GRANT OPTION;
GRANT SELECT ON casino.player TO one_owner WITH GRANT OPTION;
SET LOCAL ROLE one_owner;
GRANT SELECT ON casino.player TO one_role;
RESET ROLE;
SELECT casino.grant_access('one_role', 'desk'), casino.grant_access('one_role', 'support') \g /dev/null
SELECT lives_ok($$SELECT casino.revoke_access('one_role', 'support')$$,
                'rights that desk needs are not asked for');
SELECT throws_ok($$SELECT casino.revoke_access('one_role', 'desk')$$, '42501',
                 'role "one_role" still has 1 privileges of profile "desk"', 'R12.169: it is said');
SELECT is(pg_temp.may('one_role', $$SELECT casino.deposit(1, 100)$$), 'done', 'and nothing is half taken');
SELECT * FROM finish();
ROLLBACK;
