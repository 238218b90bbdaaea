-- Sections of operation of a table: closed and opened again, by whom and why (R8.28, R8.29).

CREATE FUNCTION casino_internal.install_operation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.table_operation (
        table_id     bigint NOT NULL REFERENCES casino.game_table,
        operation_no integer NOT NULL CHECK (operation_no > 0),
        opened       boolean NOT NULL,
        reason       text NOT NULL CHECK (btrim(reason) <> '' AND octet_length(reason) <= 1000),
        happened_at  timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (table_id, operation_no)
    );
    COMMENT ON TABLE casino.table_operation
        IS 'Append-only: when tables were closed and opened again; a new table is open';
    COMMENT ON COLUMN casino.table_operation.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_operation.operation_no IS 'Counts closings and openings of a table from 1';
    COMMENT ON COLUMN casino.table_operation.opened IS 'True: opened again; false: closed';
    COMMENT ON COLUMN casino.table_operation.reason IS 'Why';
    COMMENT ON COLUMN casino.table_operation.happened_at IS 'Time of the event';
    COMMENT ON COLUMN casino.table_operation.recorded_at IS 'When it was written';
    CREATE TRIGGER operation_guard BEFORE INSERT ON casino.table_operation
        FOR EACH ROW EXECUTE FUNCTION casino_internal.operation_guard();
    COMMENT ON TRIGGER operation_guard ON casino.table_operation
        IS 'An open table is closed, a closed one is opened, and no round of the table is under way';
    CREATE TRIGGER table_operates BEFORE INSERT ON casino.round
        FOR EACH ROW EXECUTE FUNCTION casino_internal.table_operates();
    COMMENT ON TRIGGER table_operates ON casino.round IS 'No round is opened at a closed table';
    PERFORM casino_internal.make_append_only('table_operation');
    PERFORM casino_internal.make_recorded('table_operation');

    CREATE VIEW casino.table_section AS
        SELECT o.table_id, o.operation_no / 2 + 1 AS section_no, o.opened_at, o.opened_by, o.opened_reason,
               c.happened_at AS closed_at, c.recorded_by AS closed_by, c.reason AS closed_reason
          FROM (SELECT v.table_id, 0 AS operation_no, v.recorded_at AS opened_at, v.recorded_by AS opened_by,
                       NULL::text AS opened_reason
                  FROM casino.table_version v
                 WHERE v.version = 1
                UNION ALL
                SELECT p.table_id, p.operation_no, p.happened_at, p.recorded_by, p.reason
                  FROM casino.table_operation p
                 WHERE p.opened) o
          LEFT JOIN casino.table_operation c
                 ON c.table_id = o.table_id AND c.operation_no = o.operation_no + 1;
    COMMENT ON VIEW casino.table_section
        IS 'Sections of operation of tables: from when a table was added or opened until it was closed';
    COMMENT ON COLUMN casino.table_section.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_section.section_no IS 'Counts the sections of a table from 1';
    COMMENT ON COLUMN casino.table_section.opened_at IS 'When it was added, or opened again';
    COMMENT ON COLUMN casino.table_section.opened_by IS 'Who opened it: casino.recorder';
    COMMENT ON COLUMN casino.table_section.opened_reason
        IS 'Why it was opened; NULL: it was added';
    COMMENT ON COLUMN casino.table_section.closed_at IS 'When it was closed; NULL: the section goes on';
    COMMENT ON COLUMN casino.table_section.closed_by IS 'Who closed it: casino.recorder';
    COMMENT ON COLUMN casino.table_section.closed_reason IS 'Why it was closed';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_operation()
    IS 'Part of casino.install(): sections of operation of tables';

-- Both as they are committed now, and not as the snapshot of the transaction has them.
CREATE FUNCTION casino_internal.table_closed_by(table_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_table_closed_by' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.table_closed_by(bigint)
    IS 'Part of open_round(): number of the event that has closed a table; NULL: the table is open';

CREATE FUNCTION casino_internal.table_round(table_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_table_round' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.table_round(bigint)
    IS 'Part of close_game_table(): the round of a table that is not evaluated, or NULL';

CREATE FUNCTION casino_internal.table_last_event(table_id bigint) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest((SELECT max(greatest(r.opened_at, r.evaluated_at)) FROM casino.round r
                      WHERE r.table_id = $1),
                    (SELECT max(o.happened_at) FROM casino.table_operation o WHERE o.table_id = $1))
$fn$;
COMMENT ON FUNCTION casino_internal.table_last_event(bigint)
    IS 'Part of close_game_table(): the last time at which a round of the table was opened or evaluated, or '
       'the table closed or opened';

CREATE FUNCTION casino_internal.refuse_closed_table(table_id bigint, closed_by bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    name CONSTANT text :=
        (SELECT t.name FROM casino.game_table t WHERE t.table_id = refuse_closed_table.table_id);
    closed CONSTANT timestamptz :=
        (SELECT o.happened_at FROM casino.table_operation o
          WHERE o.table_id = refuse_closed_table.table_id AND o.operation_no = closed_by);
BEGIN
    RAISE EXCEPTION 'table "%" is closed', name
        USING ERRCODE = 'KR002', CONSTRAINT = 'table_closed',
              DATATYPE = jsonb_build_object('table', name, 'closed_at', closed)::text,
              DETAIL = format('It was closed at %s.', coalesce(closed::text, 'a time after this snapshot')),
              HINT = 'casino.reopen_game_table() opens it again.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.refuse_closed_table(bigint, bigint)
    IS 'Part of open_round() and close_game_table(): KR002 for a closed table';

-- R8.28: rounds are opened under the lock of the table's row, and so is a table closed.
CREATE FUNCTION casino_internal.table_operates() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    closed bigint;
BEGIN
    PERFORM FROM casino.game_table t WHERE t.table_id = NEW.table_id FOR NO KEY UPDATE;
    closed := casino_internal.table_closed_by(NEW.table_id);
    -- most tables were never closed, and have no sections to look at
    IF closed IS NULL AND EXISTS (SELECT FROM casino.table_operation o WHERE o.table_id = NEW.table_id) THEN
        -- a time given that lies where the table was closed
        SELECT 2 * s.section_no - 1 INTO closed
          FROM casino.table_section s
          LEFT JOIN casino.table_section n ON n.table_id = s.table_id AND n.section_no = s.section_no + 1
         WHERE s.table_id = NEW.table_id AND s.closed_at <= NEW.opened_at
           AND (n.opened_at > NEW.opened_at OR n.opened_at IS NULL);
    END IF;
    IF closed IS NOT NULL THEN
        PERFORM casino_internal.refuse_closed_table(NEW.table_id, closed);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.table_operates()
    IS 'Trigger of casino.round: KR002 for a round of a closed table';

CREATE FUNCTION casino_internal.operation_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    closed bigint;
    under_way bigint;
    at_table casino.game_table;
    going casino.round;
    last CONSTANT timestamptz := casino_internal.table_last_event(NEW.table_id);
BEGIN
    PERFORM FROM casino.game_table t WHERE t.table_id = NEW.table_id FOR NO KEY UPDATE;
    closed := casino_internal.table_closed_by(NEW.table_id);
    IF NEW.opened AND closed IS NULL THEN
        RAISE EXCEPTION 'table % is open', NEW.table_id
            USING ERRCODE = 'object_not_in_prerequisite_state';
    ELSIF NOT NEW.opened AND closed IS NOT NULL THEN
        PERFORM casino_internal.refuse_closed_table(NEW.table_id, closed);
    END IF;
    IF NEW.operation_no IS DISTINCT FROM (SELECT count(*) + 1
                                            FROM casino.table_operation o
                                           WHERE o.table_id = NEW.table_id) THEN
        RAISE EXCEPTION 'operation % of table % is not the next', NEW.operation_no, NEW.table_id
            USING ERRCODE = 'unique_violation';
    END IF;
    under_way := casino_internal.table_round(NEW.table_id);
    IF under_way IS NOT NULL THEN
        SELECT t.* INTO at_table FROM casino.game_table t WHERE t.table_id = NEW.table_id;
        SELECT r.* INTO going FROM casino.round r WHERE r.round_id = under_way;
        RAISE EXCEPTION 'table % has an unevaluated round', NEW.table_id
            USING ERRCODE = 'KR002', CONSTRAINT = 'unevaluated_round',
                  DATATYPE = jsonb_build_object('table', at_table.name, 'round_id', under_way,
                                                'round_ref', going.round_ref, 'status', going.status)::text,
                  DETAIL = format('It is round %s.', under_way), HINT = 'Settle or void it first.';
    END IF;
    IF NEW.happened_at < last OR NEW.happened_at = 'infinity' THEN
        RAISE EXCEPTION 'time % is before the last event at table %', NEW.happened_at, NEW.table_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', NEW.happened_at, 'not_before', last)::text,
                  DETAIL = format('That was at %s.', last);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.operation_guard()
    IS 'Trigger of casino.table_operation: KR002 for a table that is closed already or has a round under '
       'way, KL005 for a time before the last event';

CREATE FUNCTION casino_internal.put_operation(table_id bigint, opened boolean, reason text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    before casino.table_operation;
    number integer;
BEGIN
    IF table_id IS NULL OR coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'table_id and reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    PERFORM FROM casino.game_table t WHERE t.table_id = put_operation.table_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT o.* INTO before FROM casino.table_operation o
     WHERE o.table_id = put_operation.table_id
     ORDER BY o.operation_no DESC LIMIT 1;
    -- the same call again (R8.29)
    IF before.opened = put_operation.opened AND before.reason = put_operation.reason
       AND coalesce(at, before.happened_at) = before.happened_at THEN
        RETURN before.operation_no;
    END IF;
    number := coalesce(before.operation_no, 0) + 1;
    INSERT INTO casino.table_operation (table_id, operation_no, opened, reason, happened_at, recorded_at)
    VALUES (table_id, number, opened, reason,
            casino_internal.round_event_time(at, casino_internal.table_last_event(table_id)),
                clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.put_operation(bigint, boolean, text, timestamptz)
    IS 'Part of close_game_table() and reopen_game_table(): writes the event under the lock of the table';

CREATE FUNCTION casino.close_game_table(table_id bigint, reason text, at timestamptz DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_game_table(bigint, text, timestamptz)
    IS 'Closes a table whose last round is evaluated: no round is opened there until reopen_game_table(). '
       'Returns the number of the event, the same for the same call again';

CREATE FUNCTION casino_internal.close_game_table_impl(table_id bigint, reason text, at timestamptz)
    RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.put_operation(table_id, false, reason, at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.close_game_table_impl(bigint, text, timestamptz)
    IS 'Body of close_game_table(), run as the owner of the ledger';

CREATE FUNCTION casino.reopen_game_table(table_id bigint, reason text, at timestamptz DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.reopen_game_table(bigint, text, timestamptz)
    IS 'Opens a closed table again: a new section of its operation begins. Returns the number of the event, '
       'the same for the same call again';

CREATE FUNCTION casino_internal.reopen_game_table_impl(table_id bigint, reason text, at timestamptz)
    RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.put_operation(table_id, true, reason, at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.reopen_game_table_impl(bigint, text, timestamptz)
    IS 'Body of reopen_game_table(), run as the owner of the ledger';
