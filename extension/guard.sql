-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION casino" to load this file. \quit

-- While this script runs PostgreSQL has schema casino on the search path, where others may have put an
-- operator or a function: what fits its arguments better than that of pg_catalog would be called, as the
-- superuser. Every script begins with this line.
SET LOCAL search_path = pg_catalog, pg_temp;

DO $do$
DECLARE
    trusted CONSTANT oid[] := ARRAY[10::oid, (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user)];
    odd text;
BEGIN
    IF getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'casino needs a database with the encoding UTF8'
            USING ERRCODE = 'feature_not_supported',
                  DETAIL = format('This one has %s.', getdatabaseencoding()),
                  HINT = 'CREATE DATABASE ... ENCODING ''UTF8'' TEMPLATE template0';
    END IF;
    -- whoever owns the schema can replace what is in it (10 is the role that initdb made)
    SELECT n.nspowner::regrole::text
      INTO odd
      FROM pg_namespace n
     WHERE n.nspname = 'casino' AND n.nspowner <> ALL (trusted);
    IF FOUND THEN
        RAISE EXCEPTION 'schema casino belongs to %', odd
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = 'Its owner could replace whatever the extension puts there.',
                  HINT = 'Drop the schema, CREATE EXTENSION makes it; or, if you trust all that is in it, '
                         'change its owner.';
    END IF;
    -- tables and views of a former installation may be there; owners that initdb made are not in pg_shdepend
    SELECT string_agg(pg_describe_object(d.classid, d.objid, 0), ', ' ORDER BY d.classid, d.objid) INTO odd
      FROM pg_depend d
     WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'casino'::regnamespace
       AND d.classid <> ALL (ARRAY['pg_extension'::regclass, 'pg_default_acl'::regclass])
       AND (d.classid <> 'pg_class'::regclass
            OR EXISTS (SELECT FROM pg_shdepend o
                        WHERE o.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
                          AND o.classid = d.classid
                          AND o.objid = d.objid
                          AND o.deptype = 'o'
                          AND o.refobjid <> ALL (trusted)));
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'schema casino contains objects that the extension did not create'
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(format('That is: %s.', odd), 1000),
                  HINT = 'Drop it first.';
    END IF;
END
$do$;

-- The parts of what people and programs call have a schema of their own. As with everything else that this
-- script makes, CREATE fails where somebody was here before.
CREATE SCHEMA casino_internal;
COMMENT ON SCHEMA casino_internal
    IS 'Parts of the functions in schema casino: bodies, triggers, checks of the night; not to be called';

CREATE FUNCTION casino_internal.schemas() RETURNS oid[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY['casino'::regnamespace::oid, 'casino_internal'::regnamespace::oid]
$fn$;
COMMENT ON FUNCTION casino_internal.schemas()
    IS 'Part of grant_access(), the guard and others: the schemas that have functions of the extension';
