-- Nothing is granted to PUBLIC: neither functions nor types.  grant_access() gives roles what their work needs.
DO $do$
DECLARE
    object record;
BEGIN
    FOR object IN SELECT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
                   WHERE p.pronamespace = 'casino'::regnamespace LOOP
        EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', object.name);
    END LOOP;
    FOR object IN SELECT t.oid::regtype AS name FROM pg_catalog.pg_type t
                   WHERE t.typnamespace = 'casino'::regnamespace AND t.typelem = 0
                      OR t.typnamespace = 'casino'::regnamespace AND t.typname = 'hand' LOOP
        EXECUTE format('REVOKE ALL ON TYPE %s FROM PUBLIC', object.name);
    END LOOP;
END
$do$;
