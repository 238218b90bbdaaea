-- Append-only tables: what refuses a change, and how a table comes by it.

CREATE FUNCTION casino_internal.refuse_change() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_change' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.refuse_change() IS 'Trigger of append-only tables: KL001';

-- R12.170
CREATE FUNCTION casino_internal.refuse_drop_owned() RETURNS event_trigger
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_drop_owned' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.refuse_drop_owned()
    IS 'Event trigger casino_drop_owned: KL001 for DROP OWNED BY the owner of the ledger';

CREATE EVENT TRIGGER casino_drop_owned ON ddl_command_start WHEN TAG IN ('DROP OWNED')
    EXECUTE FUNCTION casino_internal.refuse_drop_owned();
ALTER EVENT TRIGGER casino_drop_owned ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER casino_drop_owned
    IS 'Refuses DROP OWNED BY the owner of the ledger, which would drop all evidence';

CREATE FUNCTION casino_internal.make_append_only(VARIADIC relations name[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relation name;
BEGIN
    FOREACH relation IN ARRAY relations LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change()', relation);
        EXECUTE format('CREATE TRIGGER append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change()', relation);
        EXECUTE format('COMMENT ON TRIGGER append_only ON casino.%I IS %L', relation,
                       'Refuses UPDATE and DELETE of rows, under session_replication_role = replica too');
        EXECUTE format('COMMENT ON TRIGGER append_only_statement ON casino.%I IS %L', relation,
                       'Refuses UPDATE, DELETE and TRUNCATE, under session_replication_role = replica too');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.make_append_only(name[])
    IS 'Part of casino.install(): makes tables append-only';

CREATE FUNCTION casino_internal.refuse_truncate(VARIADIC relations name[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relation name;
BEGIN
    FOREACH relation IN ARRAY relations LOOP
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change()', relation);
        EXECUTE format('COMMENT ON TRIGGER no_truncate ON casino.%I IS %L', relation, 'Refuses TRUNCATE');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.refuse_truncate(name[])
    IS 'Part of casino.install(): tables whose rows may change but are not emptied';

CREATE FUNCTION casino_internal.enable_append_only() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    weak record;
BEGIN
    FOR weak IN SELECT t.tgrelid::regclass AS relation, t.tgname FROM pg_trigger t
                 WHERE t.tgenabled <> 'A'
                   AND (t.tgname IN ('append_only', 'append_only_statement')
                        AND t.tgfoid = 'casino_internal.refuse_change'::regproc
                        OR t.tgname = 'plan_unchanged' AND t.tgfoid = 'casino_internal.plan_guard'::regproc
                        OR t.tgname = 'plan_forget'
                            AND t.tgfoid = 'casino_internal.forget_plan'::regproc) LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', weak.relation, weak.tgname);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.enable_append_only()
    IS 'Part of casino.install(): the triggers that say append-only fire always, also after something like '
       'pg_dump --disable-triggers made them ordinary ones';
