-- tampers with the books: it drops them
-- Who may create a schema, or create in it, does not become superuser by it: CREATE EXTENSION and install()
-- call nothing that somebody else has put into schema casino, and refuse the schema.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
DROP SCHEMA casino CASCADE;
SELECT is_empty($$SELECT FROM pg_extension WHERE extname = 'casino'$$,
                'DROP SCHEMA casino CASCADE removes a development installation, extension and all');
CREATE SEQUENCE public.seized;         -- counts also what is rolled back
CREATE ROLE planted_mallory;
CREATE ROLE planted_owner;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO planted_mallory', current_database()); END $$;

-- what mallory plants: functions and operators that fit better than those of pg_catalog what the script might
-- write without a schema; each makes him superuser when anybody who can calls it
CREATE FUNCTION pg_temp.plant() RETURNS void LANGUAGE plpgsql AS $plant$
DECLARE
    o text;
    i int := 0;
BEGIN
    CREATE FUNCTION casino.seize() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
            PERFORM pg_catalog.nextval('public.seized');
            ALTER ROLE planted_mallory SUPERUSER;
        END IF;
        RETURN true;
    END $$;
    FOREACH o IN ARRAY ARRAY['= oid regnamespace', '= oid oid', '= name text', '= name name',
                             '= oid regclass', '= oid regproc', '<> text text', '<> name text',
                                 '= "char" "char"',
                             '<> oid oid', '= text text', '= int4 int4', '|| text text'] LOOP
        i := i + 1;
        EXECUTE format('CREATE FUNCTION casino.better%s(%s, %s)
                        RETURNS %s
                        LANGUAGE plpgsql AS ''BEGIN PERFORM casino.seize(); RETURN $1 ''
                                            ''OPERATOR(pg_catalog.%s) $2; END''',
                       i,
                       split_part(o, ' ', 2), split_part(o, ' ', 3), CASE WHEN o LIKE '|| %' THEN 'text'
                           ELSE 'boolean' END, split_part(o, ' ', 1));
        EXECUTE format('CREATE OPERATOR casino.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = casino.better%s)',
                       split_part(o, ' ', 1), split_part(o, ' ', 2), split_part(o, ' ', 3), i);
    END LOOP;
    CREATE FUNCTION casino.format(text,
                                  regprocedure) RETURNS text LANGUAGE sql AS 'SELECT casino.seize()::text';
    CREATE FUNCTION casino.format(text, regtype) RETURNS text LANGUAGE sql AS 'SELECT casino.seize()::text';
    CREATE FUNCTION casino.getdatabaseencoding()
    RETURNS name
    LANGUAGE sql AS 'SELECT casino.seize()::text::name';
    CREATE FUNCTION casino.clock_timestamp()
    RETURNS timestamptz
    LANGUAGE sql AS 'SELECT CASE WHEN casino.seize() THEN now() END';
    CREATE FUNCTION casino.pg_describe_object(oid, oid,
                                              int) RETURNS text LANGUAGE sql AS 'SELECT casino.seize()::text';
END $plant$;
GRANT EXECUTE ON FUNCTION pg_temp.plant() TO planted_mallory;
DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO planted_mallory',
                           (SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema())); END $$;
-- does CREATE EXTENSION refuse (the message), and who is mallory afterwards? All of it is undone.
CREATE FUNCTION pg_temp.attempt(as_role text, first text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
    code text;
    detail text;
BEGIN
    BEGIN
        EXECUTE format('SET LOCAL ROLE %I', as_role);
        EXECUTE first;
        RESET ROLE;
        BEGIN
            EXECUTE statement;
            said := 'done';
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, said = MESSAGE_TEXT,
                detail = PG_EXCEPTION_DETAIL;
            said := code || ' ' || said || ' / ' || detail;
        END;
        IF (SELECT rolsuper FROM pg_roles WHERE rolname = 'planted_mallory') THEN
            said := 'MALLORY IS SUPERUSER: ' || said;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = said;
    EXCEPTION WHEN SQLSTATE 'ZZ999' THEN
        RETURN SQLERRM;
    END;
END $$;

-- ------------------------------------------------------------------------------------------ CREATE EXTENSION
SELECT is(pg_temp.attempt('planted_mallory', 'CREATE SCHEMA casino', 'CREATE EXTENSION casino'),
          '42501 schema casino belongs to planted_mallory / Its owner could replace whatever the '
          'extension puts there.',
          'a schema of somebody else is refused');
SELECT is(pg_temp.attempt('planted_mallory', 'CREATE SCHEMA casino; SELECT pg_temp.plant()',
                          'CREATE EXTENSION casino'),
          '42501 schema casino belongs to planted_mallory / Its owner could replace whatever the '
          'extension puts there.',
          'nothing planted in it is called before');
SELECT alike(pg_temp.attempt('planted_mallory', 'CREATE SCHEMA casino_internal', 'CREATE EXTENSION casino'),
             '42P06 schema "casino_internal" already exists%',
             'a schema that is there already is not taken for the parts');
-- the same in a schema of the superuser in which others may create
CREATE SCHEMA casino;
GRANT ALL ON SCHEMA casino TO planted_mallory;
SELECT alike(pg_temp.attempt('planted_mallory', 'SELECT pg_temp.plant()', 'CREATE EXTENSION casino'),
             '42501 schema casino contains objects that the extension did not create / %function '
             'casino.seize()%',
             'nor in a schema of the superuser');
SELECT alike(pg_temp.attempt('planted_mallory', w, 'CREATE EXTENSION casino'),
             '42501 schema casino contains objects that the extension did not create / That is: ' || d || '%',
                 w)
  FROM (VALUES ($$CREATE FUNCTION casino.eq(oid,
                                            regnamespace) RETURNS boolean LANGUAGE sql AS 'SELECT true';
                                            CREATE OPERATOR casino.= (LEFTARG = oid, RIGHTARG = regnamespace,
                                                                      FUNCTION = casino.eq)$$,
                '%operator casino.=(oid,regnamespace)'),
               ($$CREATE FUNCTION casino.checked_amount(integer)
                  RETURNS numeric
                  LANGUAGE sql AS 'SELECT 0.0'$$,
                'function casino.checked_amount(integer)'),
               ($$CREATE TYPE casino.pair AS (a int);
                  CREATE FUNCTION casino.of_pair(casino.pair) RETURNS oid LANGUAGE sql AS 'SELECT 0::oid';
                  CREATE CAST (casino.pair AS oid) WITH FUNCTION casino.of_pair(casino.pair) AS IMPLICIT$$,
                  '%type casino.pair%'),
               ($$CREATE VIEW casino.plan_odds AS SELECT 1 AS plan_id$$, 'view casino.plan_odds'),
               ($$CREATE TABLE casino.schema_version (version int, installed_at timestamptz)$$,
                'table casino.schema_version'),
               ($$CREATE DOMAIN casino.money AS numeric$$, 'type casino.money'),
               ($$CREATE COLLATION casino.c FROM "C"$$, 'collation casino.c'),
                   ($$CREATE SEQUENCE casino.s$$, 'sequence casino.s')) v (w, d);
SELECT is(pg_temp.attempt(current_user, 'CREATE TABLE casino.mine (i int)', 'CREATE EXTENSION casino'),
          'done', 'tables of who creates the extension may be there, as after DROP EXTENSION ... CASCADE');

SELECT is((SELECT is_called FROM public.seized), false, 'nothing of it was ever called by the superuser');

-- every statement of the script resolves in pg_catalog, the first ones too: what mallory planted is there
-- when the checks are not
CREATE EXTENSION casino;
SELECT is_empty($$SELECT p.oid::regprocedure, c.setting FROM pg_proc p, unnest(p.proconfig) c (setting)
                JOIN LATERAL (SELECT) x ON true
                   WHERE p.pronamespace = ANY (casino_internal.schemas()) AND c.setting LIKE 'search_path=%'
                       AND c.setting <> 'search_path=pg_catalog, pg_temp'$$, 'functions see pg_catalog only');
SELECT is(current_setting('search_path'), 'public', 'the search_path of the script was its own');

-- ------------------------------------------------------------------------------------------------ install()
SELECT alike(pg_temp.attempt('planted_mallory', w, 'SELECT casino.install()'),
             '42501 schema casino or something in it belongs to somebody else / That is: ' || d
                 || ' of planted_mallory%', w)
  FROM (VALUES ($$CREATE FUNCTION casino.eq(oid,
                                            regnamespace) RETURNS boolean LANGUAGE sql AS 'SELECT true';
                                            CREATE OPERATOR casino.= (LEFTARG = oid, RIGHTARG = regnamespace,
                                                                      FUNCTION = casino.eq)$$,
                '%operator casino.=(oid,regnamespace)'),
               ($$CREATE FUNCTION casino.checked_amount(integer)
                  RETURNS numeric
                  LANGUAGE sql AS 'SELECT 0.0'$$,
                'function casino.checked_amount(integer)'),
               ($$CREATE VIEW casino.plan_odds AS SELECT 1 AS plan_id$$, 'view casino.plan_odds'),
               ($$CREATE TABLE casino.schema_version (version int, installed_at timestamptz)$$,
                'table casino.schema_version'),
               ($$CREATE TYPE casino.pair AS (a int)$$, 'type casino.pair')) v (w, d);
SELECT alike(pg_temp.attempt(current_user, 'ALTER SCHEMA casino OWNER TO planted_mallory',
                             'SELECT casino.install()'),
                                 '42501 schema casino or something in it belongs to somebody else / That is: '
                                 'schema casino of planted_mallory%',
                                 'a schema given away');
SELECT is(pg_temp.attempt('planted_mallory', 'SELECT 1', 'SELECT casino.install()'), 'done',
          'without it install() works');
SELECT casino.install();
SELECT alike(pg_temp.attempt('planted_mallory',
                             $$CREATE FUNCTION casino.checked_amount(integer)
                               RETURNS numeric
                               LANGUAGE sql AS 'SELECT 0.0'$$,
                             'SELECT casino.install()'),
             '42501 %function casino.checked_amount(integer) of planted_mallory%',
             'and looks again each time');
SELECT alike(pg_temp.attempt(current_user, 'ALTER VIEW casino.plan_odds OWNER TO planted_mallory',
                             'SELECT casino.install()'), '42501 %view casino.plan_odds of planted_mallory%',
                                 'a view given away too');

-- tables of a role without the rights of a superuser: that role alone installs again
DROP SCHEMA casino CASCADE;
CREATE EXTENSION casino;
GRANT USAGE, CREATE ON SCHEMA casino, casino_internal TO planted_owner;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO planted_owner;
GRANT USAGE ON TYPE casino.card, casino.hand, casino.bet TO planted_owner;
SET ROLE planted_owner;
SELECT casino.install();
SELECT casino.install();
RESET ROLE;
SELECT throws_ok('SELECT casino.install()', '42501', 'the tables of casino belong to planted_owner',
                 'what install() makes has one owner');
SELECT throws_ok('DROP EXTENSION casino', '2BP01', NULL, 'his tables keep the extension');

-- the built script: nothing stands before the search_path
\set script `sed -e '/^--/d' -e '/^\\echo/d' -e '/^$/d' extension/guard.sql | head -n 1`
SELECT is(:'script'::text, 'SET LOCAL search_path = pg_catalog, pg_temp;',
          'the script begins with its search_path');

DROP SCHEMA casino CASCADE;
DROP OWNED BY planted_mallory, planted_owner;
DROP ROLE planted_mallory, planted_owner;
SELECT * FROM finish();
