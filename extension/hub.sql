-- Setting up a hub, cells that join, fail and come back, and what is read across cells (doc/scale.md).

-- ------------------------------------------------------------------------------------------------ the hub

CREATE FUNCTION casino.install_hub(of_cells integer DEFAULT NULL, role name DEFAULT 'casino_hub', conninfo text DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present record;     -- casino.hub, which is made here
    owner name;
    this text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_language l WHERE l.lanname = 'plproxy') THEN
        RAISE EXCEPTION 'a hub needs PL/Proxy' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'CREATE EXTENSION plproxy (Debian: postgresql-15-plproxy).';
    END IF;
    PERFORM casino.install();
    SELECT pg_get_userbyid(c.relowner) INTO STRICT owner FROM pg_class c WHERE c.oid = 'casino.ledger'::regclass;
    IF to_regclass('casino.hub') IS NULL THEN
        IF EXISTS (SELECT FROM casino.player) OR EXISTS (SELECT FROM casino.game_table) OR EXISTS (SELECT FROM casino.cell) THEN
            RAISE EXCEPTION 'this database has players or tables, or is a cell: it cannot be a hub'
                USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'A hub is a database of its own.';
        END IF;
        IF of_cells IS NULL OR of_cells NOT BETWEEN 1 AND 1024 THEN
            RAISE EXCEPTION 'of_cells must be from 1 to 1024' USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'It is the number of cells there can ever be: player numbers are spread over so many, in use or free.', HINT = 'Take 16, or 64.';
        END IF;
        PERFORM casino.install_hub_tables();
        INSERT INTO casino.hub VALUES (true, of_cells, role, '10 minutes', '1 hour', (SELECT c.system_identifier FROM pg_control_system() c), casino.timeline(),
                                       clock_timestamp());
    END IF;
    SELECT h.* INTO STRICT present FROM casino.hub h;
    IF of_cells <> present.of_cells THEN
        RAISE EXCEPTION 'this hub is made for % cells', present.of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'The numbers of all players say so; that does not change.';
    END IF;
    IF present.system_identifier <> (SELECT c.system_identifier FROM pg_control_system() c) THEN
        -- restored from a dump: it may have decided more since, casino.catch_up() asks
        UPDATE casino.hub SET system_identifier = (SELECT c.system_identifier FROM pg_control_system() c), timeline = 0;
    END IF;
    this := coalesce(conninfo, format('host=%s port=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                      current_setting('port'), quote_literal(current_database())));
    PERFORM casino.install_hub_servers(present.of_cells, present.role, owner, this || format(' user=%s', quote_literal(owner)));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of(player_id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 %% %s)::integer', present.of_cells));
    COMMENT ON FUNCTION casino.cell_of(bigint) IS 'At this hub: cell of a player';
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of_withdrawal(id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 / 1000000000 %% %s)::integer', present.of_cells));
    COMMENT ON FUNCTION casino.cell_of_withdrawal(bigint) IS 'At this hub: cell of the player whose withdrawal it is';
    REVOKE ALL ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint) FROM PUBLIC;
    -- who may bet may ask where
    GRANT EXECUTE ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint) TO PUBLIC;
    CREATE OR REPLACE FUNCTION casino.hub_send(cells integer[], decision_no bigint, call text, arguments jsonb, dry boolean, actor text)
    RETURNS SETOF casino.cell_answer LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT cell, code, message, detail, hint, result FROM casino.obey(decision_no, call, arguments, dry, actor);
    $proxy$;
    COMMENT ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text) IS 'Calls obey() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_fetch(cells integer[], what text, arguments jsonb, OUT cell integer, OUT data jsonb)
    RETURNS SETOF record LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT r.cell, r.data FROM casino.cell_read(what, arguments) r;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_fetch(integer[], text, jsonb) IS 'Calls cell_read() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_write(what text, arguments jsonb) RETURNS jsonb LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_hub'; RUN ON 0;
        SELECT w FROM casino.hub_write_here(what, arguments) w;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_write(text, jsonb) IS 'Writes what was decided, committed when it returns';
    REVOKE ALL ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text), casino.hub_fetch(integer[], text, jsonb),
                           casino.hub_write(text, jsonb) FROM PUBLIC;
    PERFORM casino.route_functions();
    REVOKE ALL ON FUNCTION casino.hub_place_many(bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) FROM PUBLIC;
    RETURN present.of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.install_hub(integer, name, text) IS 'Makes this database the hub of up to so many cells: its tables, owned by the caller, and the functions of one server routed to the cells; run again after a restore or an update. role: as whom the hub calls the cells; conninfo: how it reaches itself, by default over its socket. Returns of_cells';

-- Two servers for the cells: casino for callers, who have the same names there, and casino_cells for what the hub itself tells them; and one
-- for the hub itself.  A number not in use leads nowhere, with a path that says so.
CREATE FUNCTION casino.install_hub_servers(of_cells integer, role name, owner name, this text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    slots CONSTANT text := (SELECT string_agg(format('p%s %L', n, casino.no_such_cell(n)), ', ' ORDER BY n) FROM generate_series(0, of_cells - 1) n);
    server text;
BEGIN
    FOREACH server IN ARRAY '{casino,casino_cells}'::text[] LOOP
        IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = server) THEN
            EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER plproxy OPTIONS (modular_mapping ''1'', connection_lifetime ''3600'', query_timeout ''60'', %s)', server, slots);
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = 'casino_hub') THEN
        EXECUTE format('CREATE SERVER casino_hub FOREIGN DATA WRAPPER plproxy OPTIONS (p0 %L)', this);
    ELSE
        EXECUTE format('ALTER SERVER casino_hub OPTIONS (SET p0 %L)', this);
    END IF;
    CREATE USER MAPPING IF NOT EXISTS FOR PUBLIC SERVER casino;
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_cells OPTIONS (user %L)', owner, role);
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_hub', owner);
    COMMENT ON SERVER casino IS 'Cells, for callers under their own names';
    COMMENT ON SERVER casino_cells IS 'Cells, for what the hub decides';
    COMMENT ON SERVER casino_hub IS 'This database: what is decided is committed over it before a cell hears of it';
END
$fn$;
COMMENT ON FUNCTION casino.install_hub_servers(integer, name, name, text) IS 'Part of install_hub(): the servers of PL/Proxy';

CREATE FUNCTION casino.no_such_cell(cell integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN format('host=/there/is/no/cell/%s dbname=none', cell);
COMMENT ON FUNCTION casino.no_such_cell(integer) IS 'Part of install_hub(): where a cell that is not in use is';

CREATE FUNCTION casino.hub_cells() RETURNS SETOF integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.hub_cells() IS 'Cells in use: a question to all of them is answered by all or by an error';

CREATE FUNCTION casino.hub_cells_impl() RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell;
END
$fn$;
COMMENT ON FUNCTION casino.hub_cells_impl() IS 'Body of hub_cells(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ plans

-- A cell that joins later needs the versions that came since install(): those in force are not added by add_plan_version(), but restored.
CREATE FUNCTION casino.plan_script() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT E'BEGIN;\nSET LOCAL session_replication_role = replica;\n'
           || coalesce(string_agg(format($q$WITH p AS (
    INSERT INTO casino.game_plan SELECT x.* FROM (SELECT %1$L::jsonb || jsonb_build_object('plan_id', nextval('casino.plan_id_seq')) AS r OFFSET 0) v,
           jsonb_populate_record(NULL::casino.game_plan, v.r) x
     WHERE NOT EXISTS (SELECT FROM casino.game_plan g WHERE (g.game, g.version) = (%2$L, %3$s)) RETURNING plan_id)$q$, to_jsonb(p) - 'plan_id' - 'recorded_by', p.game, p.version)
           || (SELECT string_agg(format($q$, %1$s AS (INSERT INTO casino.%1$I SELECT x.* FROM p, jsonb_array_elements(%2$L) r,
           jsonb_populate_record(NULL::casino.%1$I, r || jsonb_build_object('plan_id', p.plan_id)) x)$q$, c.part, c.rows), E'\n')
                 FROM (VALUES ('plan_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.plan_rule r WHERE r.plan_id = p.plan_id)),
                              ('bet_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.bet_rule r WHERE r.plan_id = p.plan_id)),
                              ('paytable', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.paytable r WHERE r.plan_id = p.plan_id)),
                              ('announced_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.announced_rule r WHERE r.plan_id = p.plan_id)))
                      AS c (part, rows))
           || E'\nSELECT 1 FROM p;', E'\n' ORDER BY p.game, p.version), '') || E'\nCOMMIT;'
      FROM casino.game_plan p WHERE p.version > 1
$fn$;
COMMENT ON FUNCTION casino.plan_script() IS 'At a hub: SQL that loads the plan versions added since install() into a cell that does not have them, also those in force; run there by a superuser';

-- ------------------------------------------------------------------------------------------------ cells

CREATE FUNCTION casino.add_cell(cell integer, conninfo text, takes_persons boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    h casino.hub;
    before casino.hub_cell;
    began timestamptz;
    state jsonb;
    problem text;
BEGIN
    PERFORM pg_advisory_xact_lock(casino.hub_lock('cells', ''));
    SELECT x.* INTO STRICT h FROM casino.hub x;
    IF cell IS NULL OR cell < 0 OR cell >= h.of_cells OR coalesce(btrim(conninfo), '') = '' THEN
        RAISE EXCEPTION 'cell must be from 0 to % and conninfo given', h.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF conninfo ~ '\m(user|password)\s*=' THEN
        RAISE EXCEPTION 'conninfo must not name a user or a password'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('Callers have the same names in the cell; the hub itself is %s there.', h.role),
                  HINT = 'Passwords are in the server''s password file, or in a user mapping of the servers casino and casino_cells.';
    END IF;
    -- a cell that hangs must not hold everybody up
    IF conninfo !~ '\mconnect_timeout\s*=' THEN
        conninfo := conninfo || ' connect_timeout=3';
    END IF;
    -- nobody decides anything between here and the end: what is decided before is sent to the new cell, what comes after finds it in use
    PERFORM pg_advisory_xact_lock(casino.hub_lock('table', t.table_id::text)) FROM casino.hub_table t ORDER BY t.table_id;
    SELECT c.* INTO before FROM casino.hub_cell c WHERE c.cell = add_cell.cell;
    EXECUTE format('ALTER SERVER casino OPTIONS (SET p%s %L)', cell, conninfo);
    EXECUTE format('ALTER SERVER casino_cells OPTIONS (SET p%s %L)', cell, conninfo);
    began := clock_timestamp();
    BEGIN
        SELECT f.data INTO state FROM casino.hub_fetch(ARRAY[add_cell.cell], 'report', '{}') f;
    EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION 'cell % cannot be taken in: it does not answer', cell
            USING ERRCODE = 'connection_failure', DETAIL = SQLERRM,
                  HINT = format('In the cell: casino.install(), casino.become_cell(%s, %s), a role %s that may log in, casino.grant_access(%L, ''hub'').', cell, h.of_cells, h.role, h.role);
    END;
    problem := casino.cell_problem(state, cell, began, clock_timestamp());
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cell % cannot be taken in: %', cell, problem USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF before.cell IS NULL AND (state ->> 'players')::bigint > 0 THEN
        -- a cell that a hub had before: it tells whom it knows
        RAISE NOTICE 'cell % has % players, whose home it is', cell, state ->> 'players';
    END IF;
    INSERT INTO casino.hub_cell (cell, conninfo, added_at, takes_persons, persons, learned, system_identifier, timeline)
    VALUES (cell, conninfo, clock_timestamp(), takes_persons, 0, true, (state ->> 'system_identifier')::bigint, (state ->> 'timeline')::integer)
    ON CONFLICT ON CONSTRAINT hub_cell_pkey DO UPDATE SET conninfo = EXCLUDED.conninfo, takes_persons = EXCLUDED.takes_persons;
    IF before.cell IS NULL THEN
        PERFORM casino.hub_keep_person(p.data ->> 'external_ref', add_cell.cell) FROM casino.hub_fetch(ARRAY[add_cell.cell], 'persons', '{"since": "-infinity"}') p;
        -- all tables, and the rounds in play as far as they are
        INSERT INTO casino.hub_answer (decision_no, cell, table_id)
        SELECT d.decision_no, add_cell.cell, d.table_id FROM casino.hub_decision d
          LEFT JOIN casino.hub_round r ON r.round_id = d.round_id
         WHERE d.round_id IS NULL OR r.status IN ('open', 'closed') AND d.call <> 'hand_over_box';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.add_cell(integer, text, boolean) IS 'Takes a cell in, also while others play, or says what is wrong with it; casino.catch_up() then sends it the tables and open rounds. The same cell again: it has moved';

-- What a cell says of itself against what the hub is; NULL: it fits
CREATE FUNCTION casino.cell_problem(state jsonb, cell integer, began timestamptz, ended timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    clock CONSTANT timestamptz := (state ->> 'clock')::timestamptz;
    skew CONSTANT interval := interval '5 seconds';      -- as far as an event's time may be off
    here record;
    problems text[] := '{}';
BEGIN
    SELECT h.of_cells, h.role, e.extversion, (SELECT max(v.version) FROM casino.schema_version v) AS schema_version
      INTO here FROM casino.hub h, pg_extension e WHERE e.extname = 'casino';
    IF state ->> 'cell' IS NULL THEN
        problems := problems || format('it is no cell; there: SELECT casino.become_cell(%s, %s)', cell, here.of_cells);
    ELSIF (state ->> 'cell', state ->> 'of_cells') <> (cell::text, here.of_cells::text) THEN
        problems := problems || format('it is cell %s of %s, not cell %s of %s', state ->> 'cell', state ->> 'of_cells', cell, here.of_cells);
    END IF;
    IF (state ->> 'extension_version', state ->> 'schema_version') IS DISTINCT FROM (here.extversion::text, here.schema_version::text) THEN
        problems := problems || format('it has casino %s with tables of version %s, the hub %s with %s', state ->> 'extension_version', state ->> 'schema_version',
                                       here.extversion, here.schema_version);
    END IF;
    IF state ->> 'plan_digest' IS DISTINCT FROM to_jsonb(casino.plan_digest()) #>> '{}' THEN
        problems := problems || 'its plan versions are not the hub''s (casino.plan_digest() differs)'::text;
    END IF;
    IF clock < began - skew OR clock > ended + skew THEN
        problems := problems || format('its clock is off by %s', CASE WHEN clock < began THEN clock - began ELSE clock - ended END);
    END IF;
    IF jsonb_array_length(state -> 'others') > 0 THEN
        problems := problems || format('calls of the hub are open to others there: %s', (SELECT string_agg(o, ', ') FROM jsonb_array_elements_text(state -> 'others') o));
    END IF;
    RETURN nullif(array_to_string(problems, '; '), '');
END
$fn$;
COMMENT ON FUNCTION casino.cell_problem(jsonb, integer, timestamptz, timestamptz) IS 'Part of add_cell() and cell_status: version, numbering, plans, clock and privileges of a cell';

CREATE FUNCTION casino.cell_states(OUT cell integer, OUT up boolean, OUT problem text, OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text, OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.cell_states() IS 'What the view cell_status of a hub shows: asks every cell';

CREATE FUNCTION casino.cell_states_impl(OUT cell integer, OUT up boolean, OUT problem text, OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text, OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c casino.hub_cell;
    began timestamptz;
    state jsonb;
    reason text;
BEGIN
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        cell := c.cell;
        conninfo := c.conninfo;
        began := clock_timestamp();
        state := NULL;
        reason := NULL;
        BEGIN
            SELECT f.data INTO state FROM casino.hub_fetch(ARRAY[c.cell], 'report', '{}') f;
        EXCEPTION WHEN OTHERS THEN
            reason := SQLERRM;
        END;
        up := state IS NOT NULL;
        SELECT count(*), clock_timestamp() - min(d.decided_at), count(*) FILTER (WHERE NOT casino.passes_by(a.code)),
               coalesce(reason, min(format('decision %s (%s of table %s) is refused: %s', a.decision_no, d.call, a.table_id, a.message)) FILTER (WHERE NOT casino.passes_by(a.code)))
          INTO waiting, oldest, refused, reason
          FROM casino.hub_answer a JOIN casino.hub_decision d ON d.decision_no = a.decision_no
         WHERE a.cell = c.cell AND a.answered_at IS NULL;
        clock_difference := (state ->> 'clock')::timestamptz - (began + (clock_timestamp() - began) / 2);
        same_plans := state ->> 'plan_digest' = to_jsonb(casino.plan_digest()) #>> '{}';
        table_digest := state ->> 'table_digest';
        last_clean_night := (state ->> 'last_clean_night')::date;
        players := (state ->> 'players')::bigint;
        problem := concat_ws('; ', reason,
                             CASE WHEN up AND c.down_since IS NOT NULL THEN 'it was down and waits for casino.catch_up()' END,
                             CASE WHEN up AND c.timeline <> (state ->> 'timeline')::integer THEN 'it was restored and waits for casino.catch_up()' END,
                             CASE WHEN NOT c.learned THEN 'it has not told the restored hub what it knows' END,
                             CASE WHEN up THEN casino.cell_problem(state, c.cell, began, clock_timestamp()) END);
        problem := nullif(problem, '');
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.cell_states_impl() IS 'Body of cell_states(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ catching up

CREATE FUNCTION casino.catch_up(since timestamptz DEFAULT NULL, OUT cell integer, OUT up boolean, OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.catch_up(timestamptz) IS 'At a hub: takes cells back that are up again and sends each what it has not answered; a restored hub first learns what the cells know, a restored cell is told again what it may have lost. since: everything decided since then is sent once more';

CREATE FUNCTION casino.catch_up_impl(since timestamptz, OUT cell integer, OUT up boolean, OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c record;
    p record;
    state jsonb;
    before bigint;
    lock bigint;
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.install_hub() makes one.';
    END IF;
    -- one at a time; the other one does it
    IF NOT pg_try_advisory_xact_lock(casino.hub_lock('catch up', '')) THEN
        RETURN;
    END IF;
    PERFORM casino.hub_read_cells();
    FOR c IN SELECT x.cell FROM casino.hub_cell x ORDER BY x.cell LOOP
        cell := c.cell;
        problem := NULL;
        BEGIN
            SELECT f.data INTO STRICT state FROM casino.hub_fetch(ARRAY[c.cell], 'report', '{}') f;
            IF (state ->> 'cell')::integer IS DISTINCT FROM c.cell THEN
                RAISE EXCEPTION 'cell % answers there', state ->> 'cell';
            END IF;
            PERFORM casino.hub_write('reached', jsonb_build_object('cell', c.cell, 'system_identifier', state -> 'system_identifier', 'timeline', state -> 'timeline', 'since', since));
            up := true;
        EXCEPTION WHEN OTHERS THEN
            up := false;
            problem := SQLERRM;
            PERFORM casino.hub_write('down', jsonb_build_object('cell', c.cell, 'reason', SQLERRM));
        END;
        SELECT count(*) INTO before FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        IF up THEN
            FOR p IN SELECT DISTINCT a.table_id FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL ORDER BY 1 LOOP
                lock := casino.hub_lock('table', p.table_id::text);
                -- a session that decides there at this moment delivers what is waiting itself; the lock is of the session, not held to the end
                IF pg_try_advisory_lock(lock) THEN
                    BEGIN
                        PERFORM casino.hub_deliver(c.cell, p.table_id);
                    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
                        PERFORM pg_advisory_unlock(lock);
                        RAISE;
                    END;
                    PERFORM pg_advisory_unlock(lock);
                END IF;
            END LOOP;
        END IF;
        SELECT count(*), coalesce(problem, min(format('decision %s: %s %s', a.decision_no, a.code, a.message)) FILTER (WHERE a.code IS NOT NULL)) INTO waiting, problem
          FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        sent := before - waiting;
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.catch_up_impl(timestamptz) IS 'Body of catch_up(), run as the owner of the ledger';

-- R13.16: a hub that was restored reads from the cells what it has forgotten: what one of them was told had been decided.
CREATE FUNCTION casino.hub_read_cells() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since timestamptz;
    c record;
    arguments jsonb;
BEGIN
    IF EXISTS (SELECT FROM casino.hub h WHERE h.timeline <> casino.timeline()) THEN
        PERFORM casino.hub_write('restored', '{}');
    ELSIF NOT EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned) THEN
        RETURN;
    END IF;
    SELECT greatest((SELECT max(d.decided_at) FROM casino.hub_decision d), (SELECT max(p.assigned_at) FROM casino.hub_person p))
           - (SELECT h.replayed FROM casino.hub h) INTO since;
    arguments := jsonb_build_object('since', coalesce(since, '-infinity'));
    FOR c IN SELECT x.cell FROM casino.hub_cell x WHERE NOT x.learned ORDER BY x.cell LOOP
        BEGIN
            PERFORM casino.hub_write('learn', jsonb_build_object(
                'cell', c.cell,
                'tables', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[c.cell], 'tables', '{}') f),
                'rounds', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[c.cell], 'rounds', arguments) f),
                'persons', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[c.cell], 'persons', arguments) f)));
        EXCEPTION WHEN connection_exception OR internal_error OR operator_intervention THEN
            NULL;       -- it is down: it is asked when it is up
        END;
    END LOOP;
    -- it decides again when somebody has told it; who was down has not answered anything that others have not heard of
    IF EXISTS (SELECT FROM casino.hub_cell x WHERE x.learned) OR NOT EXISTS (SELECT FROM casino.hub_cell) THEN
        PERFORM casino.hub_write('current', '{}');
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_read_cells() IS 'Part of catch_up(): what a restored hub has forgotten';

CREATE FUNCTION casino.hub_learn(cell integer, tables jsonb, rounds jsonb, persons jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t record;
    r record;
    here casino.hub_round;
BEGIN
    PERFORM casino.hub_keep_person(p.external_ref, hub_learn.cell) FROM jsonb_to_recordset(persons) AS p (external_ref text);
    FOR t IN SELECT x.* FROM jsonb_to_recordset(tables) AS x (table_id bigint, game text, name text, home_cell integer, min_stake numeric, max_stake numeric, options jsonb)
             WHERE NOT EXISTS (SELECT FROM casino.hub_table h WHERE h.table_id = x.table_id) ORDER BY x.table_id LOOP
        PERFORM casino.hub_write_decision('add_game_table', t.table_id, NULL,
            jsonb_build_object('game', t.game, 'name', t.name, 'min_stake', t.min_stake, 'max_stake', t.max_stake, 'options', t.options, 'table_id', t.table_id), 'cell ' || cell);
    END LOOP;
    FOR r IN SELECT x.* FROM jsonb_to_recordset(rounds)
               AS x (round_id bigint, table_id bigint, round_ref text, status text, opened_at timestamptz, betting_until timestamptz, betting_closed_at timestamptz,
                     actions_closed_at timestamptz, evaluated_at timestamptz, withheld_paid_at timestamptz, outcome jsonb, reason text,
                     withheld_reason text, plan_version integer) ORDER BY x.round_id LOOP
        SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
        IF NOT FOUND THEN
            PERFORM casino.hub_write_decision('open_round', r.table_id, r.round_id,
                jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'at', r.opened_at, 'round_id', r.round_id, 'plan_version', r.plan_version,
                                   'betting_until', r.betting_until), 'cell ' || cell);
            SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
        END IF;
        IF here.status = 'open' AND r.betting_closed_at IS NOT NULL THEN
            PERFORM casino.hub_write_decision('close_betting', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', r.betting_closed_at), 'cell ' || cell);
            here.status := 'closed';
        END IF;
        IF here.status = 'closed' AND here.actions_closed_at IS NULL AND r.actions_closed_at IS NOT NULL THEN
            PERFORM casino.hub_write_decision('close_actions', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', r.actions_closed_at), 'cell ' || cell);
        END IF;
        IF here.status = 'closed' AND r.outcome IS NOT NULL AND r.evaluated_at IS NOT NULL THEN
            PERFORM casino.hub_write_decision('settle_round', r.table_id, r.round_id,
                jsonb_build_object('round_id', r.round_id, 'outcome', r.outcome, 'at', r.evaluated_at, 'withhold', r.status = 'withheld' OR r.withheld_paid_at IS NOT NULL,
                                   'withhold_reason', r.withheld_reason), 'cell ' || cell);
            here.status := CASE WHEN r.status = 'withheld' OR r.withheld_paid_at IS NOT NULL THEN 'withheld' ELSE 'settled' END;
        END IF;
        IF here.status <> 'voided' AND r.status = 'voided' THEN
            PERFORM casino.hub_write_decision('void_round', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'reason', r.reason, 'at', r.evaluated_at), 'cell ' || cell);
        ELSIF here.status = 'withheld' AND r.withheld_paid_at IS NOT NULL THEN
            PERFORM casino.hub_write_decision('pay_withheld', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', r.withheld_paid_at), 'cell ' || cell);
        END IF;
    END LOOP;
    UPDATE casino.hub_cell c SET learned = true WHERE c.cell = hub_learn.cell;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn(integer, jsonb, jsonb, jsonb) IS 'Part of catch_up(): writes down what a cell knows and the restored hub does not';

CREATE FUNCTION casino.excuse_cell(cell integer, decision_no bigint, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF casino.hub_write('excuse', jsonb_build_object('cell', cell, 'decision_no', decision_no, 'reason', reason, 'by', session_user))::bigint = 0 THEN
        RAISE EXCEPTION 'decision % is not waiting for cell %', decision_no, cell USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_cell(integer, bigint, text) IS 'At a hub, by its owner: a decision that a cell refuses is not sent to it any more, because somebody has put things right there; who and why is kept';
