-- Cells that come back are told all that they missed; a cell put right by hand is excused (doc/scale.md).

CREATE FUNCTION casino.catch_up(since timestamptz DEFAULT NULL, OUT cell integer, OUT up boolean,
                                OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.catch_up(timestamptz) IS
    'At a hub: takes cells back that are up again and sends each what it has not answered; a restored hub '
    'first learns what the cells know, a restored cell is told again what it may have lost. since: '
    'everything decided since then that is still kept is sent once more. Who was erased in a cell is erased '
    'at the hub. Decisions on rounds that ended '
    'before casino.request_memory and are sealed in every cell are let go of';

CREATE FUNCTION casino_internal.catch_up_impl(since timestamptz, OUT cell integer, OUT up boolean,
                                              OUT sent bigint,
                                              OUT waiting bigint, OUT problem text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c record;
    p record;
    one record;
    states jsonb := '{}';
    problems jsonb := '{}';
    again boolean;
    not_read text;
    before bigint;
    lock text;
    cells integer;
BEGIN
    PERFORM casino_internal.must_be_hub();
    PERFORM casino_internal.hub_not_superseded();
    IF NOT (SELECT casino_internal.hub_is_here(h.database, h.relation) FROM casino.hub h) THEN
        RAISE EXCEPTION 'this hub was restored from a dump'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'Where the hub that it is a copy of goes on, the cells would obey this one '
                           'from here on.',
                  HINT = 'When it is to be the hub: SELECT casino.install_hub().';
    END IF;
    -- one at a time; the other one does it
    IF NOT casino_internal.try_lock('hub catch up') THEN
        RETURN;
    END IF;
    FOR c IN SELECT x.cell FROM casino.hub_cell x ORDER BY x.cell LOOP
        SELECT r.state, r.problem INTO one FROM casino_internal.hub_reach(c.cell, since) r;
        not_read := NULL;
        again := false;
        BEGIN
            PERFORM casino_internal.hub_note_lost_erasures(c.cell, (one.state ->> 'erasures')::bigint);
            -- R12.93; a cell that is away, or has an older version, says nothing of erasures
            IF coalesce((one.state ->> 'erased')::bigint, 0) > 0 THEN
                again := casino_internal.hub_erase_persons(c.cell) > 0;
            END IF;
        EXCEPTION WHEN connection_failure THEN
            GET STACKED DIAGNOSTICS not_read = PG_EXCEPTION_DETAIL;
            again := true;
        END;
        -- its last person may be one of them, or the cell is down since
        IF again THEN
            SELECT r.state, r.problem INTO one FROM casino_internal.hub_reach(c.cell, since) r;
        END IF;
        one.problem := coalesce(one.problem, not_read, casino_internal.hub_lost_erasures(c.cell));
        states := states || jsonb_strip_nulls(jsonb_build_object(c.cell, one.state));
        problems := problems || jsonb_strip_nulls(jsonb_build_object(c.cell, one.problem));
    END LOOP;
    PERFORM casino_internal.hub_not_superseded();
    problems := casino_internal.hub_read_cells(states) || problems;
    cells := (SELECT count(*) FROM casino.hub_cell);
    FOR c IN SELECT x.cell, x.learned FROM casino.hub_cell x ORDER BY x.cell LOOP
        cell := c.cell;
        up := states ? c.cell::text;
        -- it joined while this hub was restored, or was put back
        IF c.learned AND (states -> c.cell::text ->> 'cells')::integer < cells
           AND casino_internal.hub_is_current() THEN
            PERFORM casino_internal.hub_ask(ARRAY[c.cell], 0, 'cells', jsonb_build_object('cells', cells));
        END IF;
        problem := problems ->> c.cell::text;
        IF up AND c.learned AND casino_internal.hub_is_current() THEN
            problem := coalesce(problem,
                                casino_internal.hub_catch_up_moves(c.cell, states -> c.cell::text));
        END IF;
        IF up AND c.learned THEN
            problem := nullif(concat_ws('; ', problem,
                                        casino_internal.hub_compare_players(c.cell, states -> c.cell::text),
                                        casino_internal.hub_lost_players(c.cell)), '');
        END IF;
        SELECT count(*) INTO before FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        IF up THEN
            FOR p IN SELECT DISTINCT a.table_id FROM casino.hub_answer a
                WHERE a.cell = c.cell AND a.answered_at IS NULL AND c.learned
                      UNION SELECT t
                          FROM unnest(casino_internal.hub_lost_tables(c.cell, states -> c.cell::text)) t
                          WHERE c.learned ORDER BY 1 LOOP
                lock := 'hub table ' || p.table_id;
                -- a session that decides there at this moment delivers what is waiting itself; the lock is of
                -- the session, not held to the end
                IF casino_internal.try_lock(lock, of_session => true) THEN
                    BEGIN
                        -- its answer says what it has lost
                        PERFORM casino_internal.hub_ask(ARRAY[c.cell], 0, 'follow', '{}',
                                                        table_id => p.table_id);
                        PERFORM casino_internal.hub_deliver(c.cell, p.table_id);
                    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
                        PERFORM casino_internal.release_lock(lock);
                        RAISE;
                    END;
                    PERFORM casino_internal.release_lock(lock);
                END IF;
            END LOOP;
        END IF;
        SELECT count(*), coalesce(problem,
               CASE WHEN up AND NOT casino_internal.hub_is_current()
                   AND casino_internal.hub_unknown_cells(states) > 0
                    THEN format('the cells know of %s more: casino.add_cell()',
                                casino_internal.hub_unknown_cells(states))
                END,
               CASE WHEN up AND NOT c.learned
                   THEN 'the hub, restored, waits for the other cells before it reads this one' END,
                       min(format('decision %s: %s %s', a.decision_no, a.code,
                                  a.message)) FILTER (WHERE a.code IS NOT NULL)) INTO waiting, problem
          FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        sent := before - waiting;
        RETURN NEXT;
    END LOOP;
    PERFORM casino_internal.hub_forget(states);
END
$fn$;
COMMENT ON FUNCTION casino_internal.catch_up_impl(timestamptz)
    IS 'Body of catch_up(), run as the owner of the ledger';

-- Is a cell up?  What it says of itself, or why not.
CREATE FUNCTION casino_internal.hub_reach(cell integer, since timestamptz DEFAULT NULL, OUT state jsonb,
                                          OUT problem text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
BEGIN
    SELECT s.state, s.problem INTO state, problem FROM casino_internal.hub_ask_state(cell, 'presence') s;
    IF casino_internal.hub_too_old(cell, state) IS NOT NULL THEN
        problem := casino_internal.hub_too_old(cell, state);
        state := NULL;
    END IF;
    IF state IS NULL THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', problem));
    ELSIF (state ->> 'epoch')::bigint > epoch AND casino_internal.hub_is_current() THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino_internal.hub_not_superseded();
    ELSE
        PERFORM casino.hub_write('reached', jsonb_build_object('cell', cell, 'since', since));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_reach(integer, timestamptz) IS
    'Part of the hub: asks whether a cell is up, and notes it';

-- R13.31: on which tables has a cell less than it has said?
CREATE FUNCTION casino_internal.hub_lost_tables(of_cell integer, state jsonb) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN ARRAY(SELECT t.table_id FROM casino.hub_told t
                  WHERE t.cell = of_cell
                      AND t.decision_no > coalesce((state -> 'obeyed' ->> t.table_id::text)::bigint, 0)
                          ORDER BY 1);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_lost_tables(integer, jsonb) IS
    'Part of the hub: tables of which a cell has lost decisions that it had obeyed';

-- Has a cell been told of what this hub has not decided?  Then it was restored by means that left no other
-- trace.
CREATE FUNCTION casino_internal.hub_knows_less(state jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (state ->> 'last_round')::bigint > (SELECT s.last_value FROM casino.round_id_seq s)
        OR (state ->> 'last_table')::bigint > (SELECT s.last_value FROM casino.table_id_seq s)
        OR (SELECT max(o.value::bigint) FROM jsonb_each_text(state -> 'obeyed') o) > (SELECT s.last_value
                FROM casino.hub_decision_no_seq s)
        OR state ->> 'last_person' IS NOT NULL
            AND NOT EXISTS (SELECT FROM casino.hub_person p WHERE p.external_ref = state ->> 'last_person');
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_knows_less(jsonb)
    IS 'Part of catch_up(): is the hub older than a cell';

CREATE FUNCTION casino_internal.hub_unknown_cells(states jsonb) RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(coalesce((SELECT max((s.value ->> 'cells')::integer) FROM jsonb_each(states) s), 0)
                    - (SELECT count(*)::integer FROM casino.hub_cell), 0)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_unknown_cells(jsonb)
    IS 'Part of catch_up(): of how many more cells the cells know than this hub';

-- R13.40: a hub from before a cell was added does not decide without that cell, unless its owner says so.
CREATE FUNCTION casino_internal.hub_has_all_cells(states jsonb) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.hub_unknown_cells(states) = 0
           OR EXISTS (SELECT FROM casino.hub_takeover t JOIN casino.hub h ON h.epoch = t.epoch)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_has_all_cells(jsonb)
    IS 'Part of catch_up(): does this hub know all cells, or goes it on without by the word of its owner';

CREATE FUNCTION casino.excuse_cell(cell integer, decision_no bigint, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- in the caller's transaction, which may have noted that the decision was refused
    IF casino_internal.hub_write_here('excuse',
                                      jsonb_build_object('cell', cell, 'decision_no', decision_no, 'reason',
                                                                   reason, 'by', session_user))::bigint
                                                                       = 0 THEN
        RAISE EXCEPTION 'decision % is not waiting for cell %', decision_no,
            cell USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_cell(integer, bigint, text) IS
    'At a hub, by its owner: a decision that a cell refuses is not sent to it any more, because somebody '
    'has put things right there; who and why is kept';
