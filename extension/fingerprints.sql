-- Fingerprints of code: functions and views as the extension and install() made them, so that the guard sees
-- another body of the same name.

-- Constants of dates and intervals are printed as the session has it: here as ours has it.
CREATE FUNCTION casino_internal.code_objects(OUT object text, OUT state text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET TimeZone = 'Europe/Prague' SET DateStyle = 'ISO'
    SET IntervalStyle = 'postgres'
SET extra_float_digits = 1 SET bytea_output = 'hex' AS $fn$
    SELECT 'extension casino', 'is ' || e.extversion FROM pg_extension e WHERE e.extname = 'casino'
    UNION ALL
    -- the text of a body is kept as it was given: the same in a dump that was restored and in a later server
    SELECT format('routine %s', p.oid::regprocedure),
           'is ' || encode(sha256(convert_to(jsonb_build_array(l.lanname, p.prosrc, p.probin, p.proconfig,
                                                               p.prokind, p.prosecdef, p.proleakproof,
                                                               p.proisstrict, p.proretset,
                                                               p.provolatile, p.proparallel,
                                                               p.prosupport::text,
                                                               format_type(p.prorettype, NULL))::text,
                                                               'UTF8')), 'hex')
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = ANY (casino_internal.schemas())
    UNION ALL
    -- what is kept as a tree is printed, by each major version of the server in its own way
    SELECT format('body of %s', p.oid::regprocedure), casino_internal.printed(pg_get_function_sqlbody(p.oid))
      FROM pg_proc p
     WHERE p.pronamespace = ANY (casino_internal.schemas()) AND p.prosqlbody IS NOT NULL
    UNION ALL
    SELECT format('definition of %s', c.relname), casino_internal.printed(pg_get_viewdef(c.oid))
      FROM pg_class c
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('v', 'm')
$fn$;
COMMENT ON FUNCTION casino_internal.code_objects()
    IS 'Functions and views of the extension as they are now, as fingerprints';

CREATE FUNCTION casino_internal.printed(text text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('is %s by %s', encode(sha256(convert_to(text, 'UTF8')), 'hex'),
                  current_setting('server_version_num')::integer / 10000)
$fn$;
COMMENT ON FUNCTION casino_internal.printed(text)
    IS 'Part of code_objects(): the fingerprint of a definition, and the major version of the server that '
       'has printed it';

-- R7.62: under another major version of the server (pg_upgrade, a dump restored there) what is printed is
-- recorded anew, once; texts of functions are compared across versions.
CREATE FUNCTION casino_internal.record_printed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM casino.installed_object i
                WHERE i.object ~ '^(body|definition) of '
                  AND substring(i.state, ' by (\d+)$')::integer
                          <> current_setting('server_version_num')::integer / 10000) THEN
        UPDATE casino.installed_object i SET state = c.state
          FROM casino_internal.code_objects() c
         WHERE c.object = i.object
           AND i.object ~ '^(body|definition) of '
           AND substring(i.state, ' by \d+$') <> substring(c.state, ' by \d+$');
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_printed()
    IS 'Part of the check guard: after a change of the server''s major version, which prints definitions in '
       'another way';

CREATE FUNCTION casino_internal.record_code() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    version CONSTANT integer := (SELECT max(v.version) FROM casino.schema_version v);
BEGIN
    DELETE FROM casino.installed_object i WHERE i.object ~ '^(extension|routine|body of|definition of) ';
    INSERT INTO casino.installed_object SELECT c.object, c.state,
        version FROM casino_internal.code_objects() c;
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_code()
    IS 'Part of casino.install(): keeps the fingerprints of the extension''s functions and of its views';

-- casino.store, casino.notify and casino.operator are not among them: they put no rule out of action.
-- R7.63: settings that put rules out of action, set for all sessions of a role or database, or in force
-- without a session''s own doing
CREATE FUNCTION casino_internal.guarded_settings(OUT setting text, OUT value text, OUT scope text)
    RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT split_part(c.entry, '=', 1), substr(c.entry, strpos(c.entry, '=') + 1),
           concat_ws(' ', CASE WHEN s.setrole <> 0 THEN format('role %s', pg_get_userbyid(s.setrole)) END,
                     CASE WHEN s.setdatabase <> 0 THEN format('database %s', d.datname) END,
                     CASE WHEN s.setrole = 0 AND s.setdatabase = 0 THEN 'everybody' END)
      FROM pg_db_role_setting s
      LEFT JOIN pg_database d ON d.oid = s.setdatabase
     CROSS JOIN LATERAL unnest(s.setconfig) c (entry)
     WHERE (s.setdatabase = 0 OR d.datname = current_database())
       AND (c.entry ~* '^casino\.' AND c.entry !~* '^casino\.(actor|notify|operator|shared_logins|store)='
            OR c.entry ~* '^session_replication_role=(replica|local)')
    UNION ALL
    SELECT s.name, s.reset_val, 'the server'
      FROM pg_settings s
     WHERE (s.name ~ '^casino\.' AND s.name NOT IN ('casino.actor', 'casino.notify', 'casino.operator',
                                                      'casino.shared_logins', 'casino.store')
            OR s.name = 'session_replication_role')
       AND s.reset_val <> s.boot_val AND s.reset_val <> 'origin'
$fn$;
COMMENT ON FUNCTION casino_internal.guarded_settings()
    IS 'Part of the check guard: settings for a role, a database or the server by which rules of casino are '
       'not in force; the person and shared logins are kept with what is recorded';

-- R7.64: who is a member of a role that may write past the functions; a superuser may anyway
CREATE FUNCTION casino_internal.guarded_members(owner oid, OUT member text, OUT role text)
    RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT DISTINCT m.rolname::text, r.rolname::text
      FROM pg_auth_members a
      JOIN pg_roles m ON m.oid = a.member
      JOIN pg_roles r ON r.oid = a.roleid
     WHERE (r.oid = owner
            OR r.rolsuper
            OR r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program'))
       AND NOT m.rolsuper AND m.oid <> owner
$fn$;
COMMENT ON FUNCTION casino_internal.guarded_members(oid)
    IS 'Part of the check guard: members of the owner of the tables, of superusers and of the roles that '
       'may write everything';

