-- Locks of ours: no role without rights here can take one, because no function of SQL can name it.
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- the class of faults: SQL's advisory locks have 1 and 2 as objsubid, and every role that may connect can
-- take them
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p
                   WHERE p.pronamespace = ANY (casino_internal.schemas())
                       AND p.prosrc ~* 'pg_(try_)?advisory'$$,
                'no function of ours takes an advisory lock of SQL');
SELECT is_empty($$SELECT v.viewname FROM pg_views v
                WHERE v.schemaname = 'casino' AND v.definition ~* 'advisory'$$, 'nor does a view');
CREATE FUNCTION held() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(DISTINCT l.objsubid::text, ' ' ORDER BY l.objsubid::text)
      FROM pg_locks l
     WHERE l.locktype = 'advisory' AND l.pid = pg_backend_pid() $$;
CREATE FUNCTION held_after(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    held text;
BEGIN
    BEGIN
        EXECUTE command;
        held := public.held();
        RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
    EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN NULL;
    END;
    RETURN coalesce(held, 'none');
END $$;
BEGIN;
SELECT become_cell(0, 1) \g /dev/null
SELECT is(held_after('SELECT casino.obey(1, ''close_betting'', ''{}'', true, NULL, 0)'), '-13566',
          'a call of the hub');
SELECT is(held_after('SELECT casino.obey(1, ''close_betting'', ''{}'', true, NULL, 7)'), '-13566',
          'and of a hub that takes over');
ROLLBACK;
SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r, register_player('anna') AS a \gset
SELECT open_round(:r, 'r1') AS r1 \gset
-- 0xCA00 rounds, then boxes; 0xCB01 the night; 0xCB02 names: as int2
SELECT is(held_after(c), classes, c) FROM (VALUES
    ('SELECT casino.install()', '-13566'),
    ('SELECT casino.watch_day(''2026-06-01'')', '-13566'),
    ('SELECT casino.keep_day_totals()', '-13566'),
    ('SELECT casino.load_provider_report(''p'', ''2026-06-01'', ''[{"line_no": 1, "kind": "round", '
     '"round_ref": "r1", "table_name": "R", "at": "2026-06-01T10:00:00+02:00", "data": {}}]'')', '-13566'),
    (format('SELECT casino_internal.await_round(%s)', :r1), '-13824'),
    (format('SELECT casino_internal.lock_box(%s, 3)', :r1), '-13820')) v (c, classes);

SELECT deposit(:a, 100), place_bet(:r1, :a, 'red@10') \g /dev/null
SELECT is(held_after(format('SELECT casino_internal.return_open_stakes(ARRAY[%s], now() + interval ''1 s'')',
                            :a)),
          '-13824', 'stakes go back under the lock of their round, also in a call of its own');

-- one mechanism, by name
SELECT take_lock('a name') IS NULL AS f \g /dev/null
SELECT is(held(), NULL, 'a lock ends with the transaction');
BEGIN;
SELECT is(try_lock('a name'), true, 'a name is locked');
SELECT is((SELECT count(*) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = -13566
           AND l.mode = 'ExclusiveLock' AND l.pid = pg_backend_pid()), 1::bigint, 'exclusively');
SELECT take_lock('another', shared => true) \g /dev/null
SELECT is((SELECT count(*) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = -13566
           AND l.mode = 'ShareLock' AND l.pid = pg_backend_pid()), 1::bigint, 'or shared');
SELECT pg_advisory_lock(((l.classid::bigint << 32) | l.objid::bigint)),
    pg_advisory_unlock(((l.classid::bigint << 32) | l.objid::bigint))
  FROM pg_locks l WHERE l.objsubid = -13566 AND l.mode = 'ExclusiveLock' \g /dev/null
SELECT is((SELECT count(*) FROM pg_locks l WHERE l.objsubid = -13566 AND l.pid = pg_backend_pid()), 2::bigint,
          'unlocking an advisory lock of the same key lets go of nothing of ours');
SELECT pg_advisory_unlock_all() \g /dev/null
SELECT is((SELECT count(*) FROM pg_locks l WHERE l.objsubid = -13566 AND l.pid = pg_backend_pid()), 2::bigint,
          'nor does unlocking all that are the transaction''s');
COMMIT;
SELECT is(try_lock('of the session', of_session => true), true, 'a lock of the session');
SELECT is(held(), '-13566', 'stays after its transaction');
SELECT is(release_lock('of the session'), true, 'until it is let go of');
SELECT is(held(), NULL, 'then it is free');
SELECT throws_ok('SELECT casino_internal.take_lock(NULL)', '22004', NULL, 'a lock has a name');
SELECT throws_ok('SELECT casino_internal.try_lock(NULL)', '22004', NULL, 'and so has one that is tried');
SELECT throws_ok('SELECT casino_internal.release_lock(NULL)', '22004', NULL, 'and one that is let go of');

-- a role with nothing but LOGIN
CREATE ROLE locks_nobody;
SET ROLE locks_nobody;
SELECT throws_ok(format('SELECT casino_internal.%s', c), '42501', NULL, 'a stranger: ' || c)
  FROM unnest(ARRAY['take_lock(''install'')', 'try_lock(''install'')', 'release_lock(''install'')',
                    'await_round(1)', 'lock_box(1, 1)']) c;
RESET ROLE;
SELECT is_empty($$SELECT a.profile, a.object_name FROM casino.access_profiles() a
                WHERE a.object_name ~ '(_lock$|^lock_|^await_)'$$, 'no profile may take a lock by itself');
DROP ROLE locks_nobody;
SELECT * FROM finish();
