-- Who did it: the role that called, its login and the person it names, kept with every entry and act.

CREATE FUNCTION casino.record_who() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_record_who' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_who() IS 'Trigger of evidence: fills in who did it, by pairs of columns (who, when)';

CREATE FUNCTION casino.recorder_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_recorder_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorder_guard() IS 'Trigger of casino.recorder: only the ledger''s own code enters rows';

CREATE FUNCTION casino.recorded_by() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_recorded_by' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorded_by() IS 'Part of functions that record: number in casino.recorder of who called';

CREATE FUNCTION casino.install_recorder() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.recorder_id_seq AS integer;
    COMMENT ON SEQUENCE casino.recorder_id_seq IS 'Numbers of recorders';

    CREATE TABLE casino.recorder (
        recorder_id integer PRIMARY KEY,
        role        text NOT NULL,
        login       text NOT NULL,
        actor       text,
        recorded_at timestamptz NOT NULL
    );
    CREATE INDEX recorder_role ON casino.recorder (role, login, coalesce(actor, ''));
    COMMENT ON INDEX casino.recorder_role IS 'Finds the number of a combination';
    COMMENT ON TABLE casino.recorder IS 'Append-only: who records. One row for each combination of role, login and person; two numbers of one mean the same';
    COMMENT ON COLUMN casino.recorder.recorder_id IS 'Number that entries and acts keep';
    COMMENT ON COLUMN casino.recorder.role IS 'Database role in effect at the call, by its name then (current_user)';
    COMMENT ON COLUMN casino.recorder.login IS 'Role that had logged in (session_user)';
    COMMENT ON COLUMN casino.recorder.actor IS 'Person on whose behalf, as the session said in casino.actor; NULL: it said nothing';
    COMMENT ON COLUMN casino.recorder.recorded_at IS 'When the combination was first met';
    CREATE TRIGGER recorder_guard BEFORE INSERT ON casino.recorder
        FOR EACH ROW EXECUTE FUNCTION casino.recorder_guard();
    COMMENT ON TRIGGER recorder_guard ON casino.recorder IS 'Only the ledger''s own code enters recorders';

    PERFORM casino.make_append_only('recorder');
END
$fn$;
COMMENT ON FUNCTION casino.install_recorder() IS 'Part of casino.install(): who records';

CREATE FUNCTION casino.make_recorded(relation name, loaded boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('ALTER TABLE casino.%I ADD COLUMN recorded_by integer %s', relation, CASE WHEN NOT loaded THEN 'NOT NULL' END);
    EXECUTE format('COMMENT ON COLUMN casino.%I.recorded_by IS %L', relation,
                   'Who recorded it: casino.recorder' || CASE WHEN loaded THEN '; NULL: install()' ELSE '' END);
    EXECUTE format('CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.%I
                        FOR EACH ROW EXECUTE FUNCTION casino.record_who(%L)', relation, 'recorded_by');
    EXECUTE format('COMMENT ON TRIGGER record_who ON casino.%I IS %L', relation, 'Fills in who recorded the row');
END
$fn$;
COMMENT ON FUNCTION casino.make_recorded(name, boolean) IS 'Part of casino.install(): a table keeps who recorded each row; of plans what install() loads is nobody''s';
