-- tampers with the books
-- The guard sees each way to put the guards out of action, alone; clean books give nothing (R7.62 to R7.64).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE guard_clerk;
CREATE ROLE guard_owner;
SELECT add_game_table FROM casino.add_game_table('roulette_synot', 'R', 10, 1000) \g /dev/null
CREATE FUNCTION pg_temp.guarded() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', g.rule, g.detail ->> 'object', g.detail ->> 'setting', g.detail ->> 'role')
      FROM casino_internal.check_guard('2026-06-01', '2026-06-01') g $$;
-- what the guard says after a statement, which is taken back
CREATE FUNCTION pg_temp.planted(fault text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    said text[];
BEGIN
    BEGIN
        EXECUTE fault;
        said := ARRAY(SELECT g FROM pg_temp.guarded() g ORDER BY g);
        RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
    EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN NULL;
    END;
    RETURN QUERY SELECT unnest(said);
END $$;
SELECT is_empty('SELECT * FROM pg_temp.guarded()', 'clean books');
SELECT set_eq(format('SELECT * FROM pg_temp.planted(%L)', p.fault), p.expected, p.name)
  FROM (VALUES
    ('another body of a trigger''s function', $$CREATE
     OR REPLACE FUNCTION casino_internal.refuse_change() RETURNS trigger LANGUAGE plpgsql
         AS 'BEGIN RETURN NEW; END'$$,
        '{"changed routine casino_internal.refuse_change()"}'::text[]),
    ('another search_path of a function',
     'ALTER FUNCTION casino_internal.pin_settings() SET search_path = public',
     '{"changed routine casino_internal.pin_settings()"}'),
    ('a function of the owner of the extension',
     'ALTER FUNCTION casino_internal.pin_settings() SECURITY DEFINER',
     '{"changed routine casino_internal.pin_settings()"}'),
    ('a body of standard SQL', $$CREATE OR REPLACE FUNCTION casino.withdrawal_id(player_id bigint,
            entry_no bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN player_id$$,
        '{"changed body of casino.withdrawal_id(bigint,bigint)"}'),
    ('a function that fits its arguments better',
     $$CREATE FUNCTION casino.deposit(integer, integer) RETURNS bigint LANGUAGE sql AS 'SELECT 1'$$,
         '{"added routine casino.deposit(integer,integer)","privilege PUBLIC"}'),
    ('a rule on the ledger', 'CREATE RULE x AS ON INSERT TO casino.ledger DO INSTEAD NOTHING',
     '{"added rule x on ledger"}'),
    ('row security', 'ALTER TABLE casino.ledger ENABLE ROW LEVEL SECURITY', '{"changed table ledger"}'),
    ('a policy', 'CREATE POLICY x ON casino.round USING (false)', '{"added policy x on round"}'),
    ('a child of a table of ours', 'CREATE TABLE public.kid () INHERITS (casino.round)',
     '{"added child public.kid of round"}'),
    ('a book of the ledger elsewhere',
     'CREATE TABLE public.kid PARTITION OF casino.ledger FOR VALUES IN (99)',
     '{"added child public.kid of ledger"}'),
    ('writing everything', 'GRANT pg_write_all_data TO guard_clerk', '{"member guard_clerk"}'),
    ('writing files', 'GRANT pg_write_server_files TO guard_clerk', '{"member guard_clerk"}'),
    ('running programs', 'GRANT pg_execute_server_program TO guard_clerk', '{"member guard_clerk"}'),
    ('membership in a superuser', format('GRANT %I TO guard_clerk', current_user), '{"member guard_clerk"}'),
    ('a setting of a role', 'ALTER ROLE guard_clerk SET casino.clock_skew = -1',
     '{"setting casino.clock_skew"}'),
    ('of the database', format('ALTER DATABASE %I SET casino.clock_skew = 100', current_database()),
     '{"setting casino.clock_skew"}'),
    ('of a role in the database', format('ALTER ROLE guard_clerk IN DATABASE %I SET casino.clock_skew = 100',
                                         current_database()), '{"setting casino.clock_skew"}'),
    ('of everybody', 'ALTER ROLE ALL SET casino.clock_skew = 60', '{"setting casino.clock_skew"}'),
    ('triggers of replicas only', 'ALTER ROLE guard_clerk SET session_replication_role = replica',
     '{"setting session_replication_role"}')) p (name, fault, expected);
-- the views, all of them: the same columns of nothing
SELECT is((SELECT array_agg(g ORDER BY g)
           FROM pg_temp.planted(format('CREATE OR REPLACE VIEW %s AS SELECT %s WHERE false', v.name,
                                       v.columns)) g), ARRAY['changed definition of ' || v.relname],
                                           'another body: ' || v.relname)
  FROM (SELECT c.oid::regclass AS name, c.relname,
               string_agg(format('NULL::%s%s AS %I', format_type(a.atttypid, a.atttypmod), CASE
                                 WHEN a.attcollation <> 0
                                     AND a.attcollation <> 100 THEN format(' COLLATE %s',
                                             a.attcollation::regcollation) ELSE '' END, a.attname), ', '
                                                 ORDER BY a.attnum) AS columns
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
              WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v' GROUP BY c.oid) v;
-- every function of ours in SQL, PL/pgSQL or C: another body of the same signature
SELECT is((SELECT count(*) FROM casino_internal.code_objects() c JOIN casino.installed_object i
           USING (object, state)
           WHERE c.object LIKE 'routine %'),
          (SELECT count(*) FROM pg_proc p WHERE p.pronamespace = ANY (casino_internal.schemas())),
              'every function has its fingerprint');
SELECT is_empty($$SELECT i.state FROM casino.installed_object i
                WHERE i.object ~ '^(body|definition) of '
                    AND i.state !~ '^is [0-9a-f]{64} by [0-9]+$'$$, 'every definition that is printed, too');

-- membership in an owner who is no superuser; settings that are no fault
SELECT is_empty('SELECT * FROM pg_temp.planted(''GRANT guard_owner TO guard_clerk'')',
                'membership in a role that owns nothing is none of ours');
SELECT ok(EXISTS (SELECT FROM casino_internal.guarded_members((SELECT r.oid FROM pg_roles r
                                                               WHERE r.rolname = 'guard_owner'))) = false,
                                                          'an owner without members');
GRANT guard_owner TO guard_clerk;
SELECT results_eq($$SELECT * FROM casino_internal.guarded_members('guard_owner'::regrole)$$,
                  $$VALUES ('guard_clerk'::text, 'guard_owner'::text)$$, 'a member of the owner');
REVOKE guard_owner FROM guard_clerk;
SELECT is_empty(format('SELECT * FROM pg_temp.planted(%L)', f), f)
  FROM unnest('{ALTER ROLE ALL SET casino.store = off,ALTER ROLE guard_clerk SET casino.actor = ''Eva'','
              'ALTER ROLE guard_clerk SET casino.shared_logins = on,'
              'ALTER ROLE guard_clerk SET work_mem = ''8MB'',GRANT pg_read_all_data TO '
              'guard_clerk}'::text[]) f;
SELECT is_empty('SELECT * FROM pg_temp.guarded()',
                'what the session has set is its own doing: its entries bear their dates');

-- install() does not launder what was replaced; a newer extension is recorded
SELECT $r$CREATE OR REPLACE FUNCTION casino_internal.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $b$
           BEGIN
               RETURN NEW;
           END$b$;
           SELECT casino.install();$r$ AS replaced \gset
\set newer 'UPDATE casino.installed_object SET state = $b$is 0.9$b$ WHERE object = $b$extension casino$b$;'
SELECT $r$UPDATE casino.installed_object
             SET state = $b$is $b$ || repeat($b$0$b$, 64) || $b$ by 14$b$
           WHERE object ~ $b$^(body|definition) of $b$;$r$ AS older \gset
SELECT set_eq(format('SELECT * FROM pg_temp.planted(%L)', p.fault), p.expected, p.name)
  FROM (VALUES
    ('install() again says nothing of it, the guard does', :'replaced',
     '{"changed routine casino_internal.refuse_change()"}'::text[]),
    ('a newer extension, before install()', :'replaced' || :'newer',
     '{"changed routine casino_internal.refuse_change()","changed extension casino"}'),
    ('and after it', :'replaced' || :'newer' || 'SELECT casino.install()', '{}'),
    -- another major version of the server prints in another way
    ('R7.62: after pg_upgrade nothing is found', :'older', '{}'),
    ('R7.62: a function that was replaced before is found',
     :'older' || 'ALTER FUNCTION casino_internal.pin_settings() SECURITY DEFINER',
         '{"changed routine casino_internal.pin_settings()"}')) p (name, fault, expected);
SELECT is_empty($$SELECT *
                    FROM pg_temp.planted('UPDATE casino.installed_object
                                             SET state = ''is x by 14''
                                           WHERE object LIKE ''definition of %'';
                                          SELECT casino_internal.record_printed();
                                          DO $d$
                                          BEGIN
                                              IF EXISTS (SELECT FROM casino.installed_object i
                                                          WHERE i.state LIKE ''% by 14'') THEN
                                                  RAISE EXCEPTION ''not recorded'';
                                              END IF;
                                          END $d$')$$, 'R7.62: what is printed now is recorded');

-- the guard reads catalogs, no books: more days cost nothing
CREATE FUNCTION pg_temp.scans() RETURNS numeric LANGUAGE sql AS $$
    SELECT sum(pg_stat_get_xact_numscans(c.oid)) FROM pg_class c
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'i')
         AND c.relname !~ '^(installed_object|cell)' $$;
BEGIN;
SELECT pg_temp.scans() AS before \gset
SELECT count(*) FROM casino_internal.check_guard('2000-01-01', '2026-06-01') \g /dev/null
SELECT is(pg_temp.scans() - :before, 0::numeric, 'no table of the books is read');
SELECT count(*) FROM casino.round \g /dev/null
SELECT isnt(pg_temp.scans() - :before, 0::numeric, 'a read would be counted');
COMMIT;
DROP ROLE guard_clerk, guard_owner;
SELECT * FROM finish();
