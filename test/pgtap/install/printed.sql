-- pg_upgrade prints the bodies of functions and views and reads them again. The night compares their prints
-- with those of the installation: a print that changes when it is read would be a difference each night.
SET client_min_messages = warning;
SELECT plan(4);
CREATE TABLE printed AS
    SELECT 'function' AS what, p.oid, p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS print
      FROM pg_proc p
     WHERE p.pronamespace = ANY (casino_internal.schemas())
       AND p.prosqlbody IS NOT NULL
    UNION ALL
    SELECT 'view', c.oid, c.oid::regclass::text, pg_get_viewdef(c.oid)
      FROM pg_class c
     WHERE c.relnamespace = ANY (casino_internal.schemas())
       AND c.relkind = 'v';
SELECT cmp_ok(count(*), '>', 10::bigint, 'there are ' || what || 's to print')
  FROM printed
 GROUP BY what
 ORDER BY what;
DO $$
DECLARE
    p record;
BEGIN
    FOR p IN SELECT * FROM printed LOOP
        EXECUTE CASE p.what WHEN 'function' THEN p.print
                            ELSE format('CREATE OR REPLACE VIEW %s AS %s', p.name, p.print) END;
    END LOOP;
END $$;
SELECT is_empty('SELECT name FROM printed WHERE what = ''function'' AND pg_get_functiondef(oid) <> print',
                'functions are printed alike when they were read again');
SELECT is_empty('SELECT name FROM printed WHERE what = ''view'' AND pg_get_viewdef(oid) <> print',
                'views are printed alike when they were read again');
SELECT * FROM finish();
