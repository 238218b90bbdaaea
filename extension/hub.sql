-- Setting up a hub, cells that join, fail and come back, and what is read across cells (doc/scale.md).

-- ------------------------------------------------------------------------------------------------ the hub

CREATE FUNCTION casino.install_hub(of_cells integer DEFAULT NULL, role name DEFAULT 'casino_hub',
                                   conninfo text DEFAULT NULL) RETURNS integer
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
    SELECT pg_get_userbyid(c.relowner) INTO STRICT owner FROM pg_class c
     WHERE c.oid = 'casino.ledger'::regclass;
    IF to_regclass('casino.hub') IS NULL THEN
        IF EXISTS (SELECT FROM casino.player) OR EXISTS (SELECT FROM casino.game_table)
            OR EXISTS (SELECT FROM casino.cell) THEN
            RAISE EXCEPTION 'this database has players or tables, or is a cell: it cannot be a hub'
                USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'A hub is a database of its own.';
        END IF;
        IF of_cells IS NULL OR of_cells NOT BETWEEN 1 AND 1024 THEN
            RAISE EXCEPTION 'of_cells must be from 1 to 1024' USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'It is the number of cells there can ever be: player numbers are spread over so many, in use or free.', HINT = 'Take 16, or 64.';
        END IF;
        PERFORM casino.install_hub_tables();
        -- R13.38: a minute of betting where nobody says more
        INSERT INTO casino.hub VALUES (true, of_cells, role, '1 minute', '1 hour',
                                       (SELECT c.system_identifier FROM pg_control_system() c),
                                       casino.timeline(),
                                       (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
                                       'casino.hub'::regclass, casino.hub_new_epoch(0), NULL,
                                       clock_timestamp(), DEFAULT, clock_timestamp());
    END IF;
    SELECT h.* INTO STRICT present FROM casino.hub h;
    IF of_cells <> present.of_cells THEN
        RAISE EXCEPTION 'this hub is made for % cells', present.of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = 'The numbers of all players say so; that does not change.';
    END IF;
    IF present.system_identifier <> (SELECT c.system_identifier FROM pg_control_system() c)
        OR present.superseded_at IS NOT NULL
       OR NOT casino.hub_is_here(present.database, present.relation) THEN
        -- restored from a dump, or another hub has decided meanwhile: there may be more decisions than it
        -- knows, casino.catch_up() asks
        UPDATE casino.hub SET system_identifier = (SELECT c.system_identifier FROM pg_control_system() c),
            timeline = -1, superseded_at = NULL,
                              database = (SELECT d.oid FROM pg_database d
                                          WHERE d.datname = current_database()),
                                              relation = 'casino.hub'::regclass;
    END IF;
    PERFORM casino.check_conninfo(conninfo);
    this := coalesce(conninfo, format('host=%s port=%s dbname=%s',
                                      casino.conninfo_value(btrim(split_part(current_setting('unix_socket_directories'), ',', 1))),
                                      current_setting('port'), casino.conninfo_value(current_database())));
    PERFORM casino.install_hub_servers(present.of_cells, present.role, owner,
                                       this || ' user=' || casino.conninfo_value(owner));
    PERFORM casino.check_way_to_itself(this);
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of(player_id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 %% %s)::integer', present.of_cells));
    COMMENT ON FUNCTION casino.cell_of(bigint) IS 'At this hub: cell of a player';
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of_withdrawal(id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 / 1000000000 %% %s)::integer', present.of_cells));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_to_ask(player_id bigint) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
                   format('SELECT coalesce(abs($1 %% %s)::integer, 0)', present.of_cells));
    COMMENT ON FUNCTION casino.cell_to_ask(bigint) IS 'At this hub: cell that answers a question about a player, or about nobody';
    COMMENT ON FUNCTION casino.cell_of_withdrawal(bigint) IS 'At this hub: cell of the player whose withdrawal it is';
    REVOKE ALL ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint),
        casino.cell_to_ask(bigint) FROM PUBLIC;
    -- who may bet may ask where
    GRANT EXECUTE ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint),
        casino.cell_to_ask(bigint) TO PUBLIC;
    CREATE OR REPLACE FUNCTION casino.hub_send(cells integer[], decision_no bigint, call text,
                                               arguments jsonb, dry boolean, actor text, epoch bigint,
                                               table_id bigint, told jsonb,
                                               in_order boolean)
    RETURNS SETOF casino.cell_answer LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT cell, code, message, detail, hint, result, obeyed, reason, data
            FROM casino.obey(decision_no, call, arguments, dry, actor, epoch, table_id, told, in_order);
    $proxy$;
    COMMENT ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text, bigint, bigint, jsonb,
                                        boolean) IS 'Calls obey() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_fetch(cells integer[], what text, arguments jsonb, OUT cell integer,
                                                OUT data jsonb)
    RETURNS SETOF record LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT r.cell, r.data FROM casino.cell_read(what, arguments) r;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_fetch(integer[], text,
                                         jsonb) IS 'Calls cell_read() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_write(what text,
                                                arguments jsonb) RETURNS jsonb LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_hub'; RUN ON 0;
        SELECT w FROM casino.hub_write_here(what, arguments) w;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_write(text, jsonb) IS 'Writes what was decided, committed when it returns';
    REVOKE ALL ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text, bigint, bigint,
                                           jsonb, boolean), casino.hub_fetch(integer[], text, jsonb),
                           casino.hub_write(text, jsonb) FROM PUBLIC;
    PERFORM casino.route_functions();
    REVOKE ALL ON FUNCTION casino.hub_place_many(text, bigint, bigint[], casino.bet[], text[], integer[],
                                                 integer[], timestamptz) FROM PUBLIC;
    PERFORM casino.guard_mappings();
    RETURN present.of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.install_hub(integer, name, text) IS
    'Makes this database the hub of up to so many cells: its tables, owned by the caller, and the functions '
    'of one server routed to the cells; run again after a restore or an update. role: as whom the hub calls '
    'the cells; conninfo: how it reaches itself, by default over its socket. Returns of_cells';

-- Grows with the clock, so that two copies of one hub that both take over do not have the same
CREATE FUNCTION casino.hub_new_epoch(later_than bigint) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(later_than + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$fn$;
COMMENT ON FUNCTION casino.hub_new_epoch(bigint) IS 'Part of the hub: epoch of a hub that takes over';

-- A value in a connection string of libpq
CREATE FUNCTION casino.conninfo_value(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '''' || replace(replace(value, '\', '\\'), '''', '\''') || ''''
$fn$;
COMMENT ON FUNCTION casino.conninfo_value(text) IS 'Part of the hub: a value quoted for a connection string';

-- Everybody may read the options of a server, and PL/Proxy takes a user named anywhere in the string for all
-- callers.
CREATE FUNCTION casino.check_conninfo(conninfo text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF conninfo ~ '^\s*postgres(ql)?://' THEN
        RAISE EXCEPTION 'conninfo must be a list of keywords and values, not a URI' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF conninfo ~* '(user|password)\s*=' THEN
        RAISE EXCEPTION 'conninfo must not name a user or a password'
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'Everybody who can connect may read it. Callers have the same names in the cells as at the hub.',
                  HINT = 'Passwords are in the password file of the hub''s server; the key of a certificate (sslkey) is in a file without a passphrase.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_conninfo(text) IS
    'Part of install_hub() and add_cell(): 22023 for a user, a password or the passphrase of a key';

CREATE FUNCTION casino.check_way_to_itself(conninfo text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    reached boolean;
    reason text;
BEGIN
    CREATE OR REPLACE FUNCTION casino.hub_itself(OUT system_identifier bigint, OUT database oid,
                                                 OUT login text) RETURNS record LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_hub'; RUN ON 0;
        SELECT c.system_identifier, d.oid AS database, session_user::text AS login
          FROM pg_catalog.pg_control_system() c, pg_catalog.pg_database d
              WHERE d.datname = pg_catalog.current_database();
    $proxy$;
    COMMENT ON FUNCTION casino.hub_itself() IS 'Which database the server casino_hub leads to';
    REVOKE ALL ON FUNCTION casino.hub_itself() FROM PUBLIC;
    BEGIN
        SELECT t.database = d.oid AND t.system_identifier = c.system_identifier INTO reached
          FROM casino.hub_itself() t, pg_control_system() c, pg_database d
              WHERE d.datname = current_database();
    EXCEPTION WHEN OTHERS THEN
        reason := SQLERRM;
    END;
    IF reached THEN
        RETURN;
    END IF;
    RAISE EXCEPTION 'the hub does not reach itself by "%"', conninfo
        USING ERRCODE = 'connection_failure', DETAIL = coalesce(reason, 'It leads to another database.'),
              HINT = 'install_hub(conninfo => ...) names the way; pg_hba.conf must let the owner of the tables in over it.';
END
$fn$;
COMMENT ON FUNCTION casino.check_way_to_itself(text) IS
    'Part of the hub: 08006 when what is decided could not be written';

-- Two servers for the cells: casino for callers, who have the same names there, and casino_cells for what the
-- hub itself tells them; and one for the hub itself.  A number not in use leads nowhere, with a path that
-- says so.
CREATE FUNCTION casino.install_hub_servers(of_cells integer, role name, owner name, this text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    slots CONSTANT text := (SELECT string_agg(format('p%s %L', n, casino.no_such_cell(n)), ', ' ORDER BY n)
                            FROM generate_series(0, of_cells - 1) n);
    server text;
BEGIN
    FOREACH server IN ARRAY '{casino,casino_cells}'::text[] LOOP
        IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = server) THEN
            -- no query_timeout: PL/Proxy looks at it when an answer comes, so that it would refuse a long
            -- settlement that has been done, each time anew
            EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER plproxy OPTIONS (modular_mapping ''1'', connection_lifetime ''3600'', %s)', server, slots);
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = 'casino_hub') THEN
        EXECUTE format('CREATE SERVER casino_hub FOREIGN DATA WRAPPER plproxy OPTIONS (p0 %L)', this);
    ELSE
        EXECUTE format('ALTER SERVER casino_hub OPTIONS (SET p0 %L)', this);
    END IF;
    CREATE USER MAPPING IF NOT EXISTS FOR PUBLIC SERVER casino;
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_cells OPTIONS (user %L)', owner,
                   role);
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_hub', owner);
    COMMENT ON SERVER casino IS 'Cells, for callers under their own names';
    COMMENT ON SERVER casino_cells IS 'Cells, for what the hub decides';
    COMMENT ON SERVER casino_hub IS 'This database: what is decided is committed over it before a cell hears of it';
END
$fn$;
COMMENT ON FUNCTION casino.install_hub_servers(integer, name, name, text) IS
    'Part of install_hub(): the servers of PL/Proxy';

-- R13.20: whoever calls goes on to the cells under his own name, for which PL/Proxy wants USAGE on the
-- server; that would let him make a mapping of his own and go on as somebody else, with a password that is in
-- the server's file.
CREATE FUNCTION casino.guard_mappings() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    others text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_event_trigger t WHERE t.evtname = 'casino_user_mapping') THEN
        CREATE EVENT TRIGGER casino_user_mapping ON ddl_command_end
            WHEN TAG IN ('CREATE USER MAPPING', 'ALTER USER MAPPING')
            EXECUTE FUNCTION casino.refuse_mapping();
        ALTER EVENT TRIGGER casino_user_mapping ENABLE ALWAYS;
        COMMENT ON EVENT TRIGGER casino_user_mapping IS 'Callers go on to the cells under their own names';
    END IF;
    SELECT string_agg(format('%s on %s', u.usename, u.srvname), ', ') INTO others FROM pg_user_mappings u
      JOIN pg_foreign_server s ON s.oid = u.srvid
     WHERE u.srvname IN ('casino', 'casino_cells', 'casino_hub') AND u.umuser NOT IN (0, s.srvowner);
    IF others IS NOT NULL THEN
        RAISE WARNING 'there are user mappings that install_hub() did not make: %',
            others USING HINT = 'DROP USER MAPPING, if they lead to the cells under another name.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.guard_mappings() IS
    'Part of the hub: from then on only the owner of the servers makes user mappings for them';

CREATE FUNCTION casino.refuse_mapping() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    server name;
BEGIN
    SELECT u.srvname INTO server FROM pg_event_trigger_ddl_commands() c
      JOIN pg_user_mappings u ON u.umid = c.objid JOIN pg_foreign_server s ON s.oid = u.srvid
     WHERE c.classid = 'pg_user_mapping'::regclass AND u.srvname IN ('casino', 'casino_cells', 'casino_hub')
         AND NOT pg_has_role(s.srvowner, 'USAGE');
    IF FOUND THEN
        RAISE EXCEPTION 'only its owner makes user mappings for server %', server
            USING ERRCODE = 'insufficient_privilege',
                DETAIL = 'Callers of a hub go on to the cells under their own names.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.refuse_mapping() IS
    'At a hub, event trigger: 42501 for a user mapping that would lead to the cells as somebody else';

CREATE FUNCTION casino.no_such_cell(cell integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN format('host=/there/is/no/cell/%s dbname=none', cell);
COMMENT ON FUNCTION casino.no_such_cell(integer) IS
    'Part of install_hub(): where a cell that is not in use is';

CREATE FUNCTION casino.hub_cells() RETURNS SETOF integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.hub_cells() IS
    'Cells in use: a question to all of them is answered by all or by an error';

CREATE FUNCTION casino.hub_cells_impl() RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell;
END
$fn$;
COMMENT ON FUNCTION casino.hub_cells_impl() IS 'Body of hub_cells(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ plans

-- A cell that joins later needs the versions that came since install(): those in force are not added by
-- add_plan_version(), but restored.
CREATE FUNCTION casino.plan_script() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT E'BEGIN;\nSET LOCAL session_replication_role = replica;\n'
           || coalesce(string_agg(format($q$WITH p AS (
    INSERT INTO casino.game_plan SELECT x.* FROM (SELECT %1$L::jsonb
                                                  || jsonb_build_object('plan_id',
                                                          nextval('casino.plan_id_seq')) AS r OFFSET 0) v,
           jsonb_populate_record(NULL::casino.game_plan, v.r) x
     WHERE NOT EXISTS (SELECT FROM casino.game_plan g WHERE (g.game, g.version) = (%2$L, %3$s))
         RETURNING plan_id)$q$, to_jsonb(p) - 'plan_id' - 'recorded_by', p.game, p.version)
           || (SELECT string_agg(format($q$, %1$s AS (INSERT INTO casino.%1$I SELECT x.*
                                                      FROM p, jsonb_array_elements(%2$L) r,
           jsonb_populate_record(NULL::casino.%1$I, r || jsonb_build_object('plan_id', p.plan_id)) x)$q$,
           c.part, c.rows), E'\n')
                 FROM (VALUES ('plan_rule',
                               (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]')
                                FROM casino.plan_rule r WHERE r.plan_id = p.plan_id)),
                              ('bet_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.bet_rule r WHERE r.plan_id = p.plan_id)),
                              ('paytable', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.paytable r WHERE r.plan_id = p.plan_id)),
                              ('announced_rule',
                               (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]')
                                FROM casino.announced_rule r WHERE r.plan_id = p.plan_id)))
                      AS c (part, rows))
           || E'\nSELECT 1 FROM p;', E'\n' ORDER BY p.game, p.version), '')
           || coalesce((SELECT
               string_agg(format(E'\nINSERT INTO casino.duty_rule (name, valid_from, value, paragraph,'
                                                 ' document, recorded_at) VALUES (%L, %L, %L, %L, %L, %L)'
                                                 ' ON CONFLICT DO NOTHING;', d.name, d.valid_from, d.value,
                                                     d.paragraph,
                                                 d.document, clock_timestamp()), '' ORDER BY d.valid_from,
                                                     d.name)
                          FROM casino.duty_rule d WHERE d.valid_from > '-infinity'), '')
           || E'\nCOMMIT;'
      FROM casino.game_plan p WHERE p.version > 1
$fn$;
COMMENT ON FUNCTION casino.plan_script() IS
    'At a hub: SQL that loads the plan versions and figures of the duties added since install() into a cell that does not have them, also those in force; run there by a superuser';

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
    PERFORM casino.take_lock('hub cells');
    SELECT x.* INTO STRICT h FROM casino.hub x;
    IF cell IS NULL OR cell < 0 OR cell >= h.of_cells OR coalesce(btrim(conninfo), '') = '' THEN
        RAISE EXCEPTION 'cell must be from 0 to % and conninfo given',
            h.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.check_conninfo(conninfo);
    PERFORM casino.hub_not_superseded();
    -- a cell that is cut off must not hold everybody up; PL/Proxy connects without waiting, so that
    -- connect_timeout does nothing there
    IF conninfo !~ '\mtcp_user_timeout\s*=' THEN
        conninfo := conninfo || ' tcp_user_timeout=10000';
    END IF;
    IF conninfo !~ '\mkeepalives' THEN
        conninfo := conninfo || ' keepalives_idle=10 keepalives_interval=5 keepalives_count=2';
    END IF;
    -- nobody decides anything between here and the end: what is decided before is sent to the new cell, what
    -- comes after finds it in use
    PERFORM casino.take_lock('hub table ' || t.table_id) FROM casino.hub_table t ORDER BY t.table_id;
    SELECT c.* INTO before FROM casino.hub_cell c WHERE c.cell = add_cell.cell;
    -- R13.40: a restored hub may not know of the cell yet, and decides again when it has asked this one, too
    IF NOT FOUND AND h.timeline <> 0 THEN
        PERFORM casino.hub_may_decide();
    END IF;
    EXECUTE format('ALTER SERVER casino OPTIONS (SET p%s %L)', cell, conninfo);
    -- a player of a number not in use is refused as on one server, by the cell that was added first
    IF NOT EXISTS (SELECT FROM casino.hub_cell c
                   WHERE c.cell <> add_cell.cell AND c.added_at < coalesce(before.added_at, 'infinity')) THEN
        EXECUTE (SELECT format('ALTER SERVER casino OPTIONS (%s)',
                               string_agg(format('SET p%s %L', n, conninfo), ', '))
                   FROM generate_series(0, h.of_cells - 1) n
                       WHERE n = cell OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = n));
    END IF;
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
        RAISE EXCEPTION 'cell % cannot be taken in: %', cell,
            problem USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF (state ->> 'epoch')::bigint > h.epoch THEN
        IF before.cell IS NOT NULL THEN
            RAISE EXCEPTION 'cell % obeys another hub',
                cell USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = format('Its epoch is %s, this one''s is %s.', state ->> 'epoch', h.epoch),
                HINT = 'Stop that hub, run casino.install_hub() and casino.catch_up() here.';
        END IF;
        UPDATE casino.hub SET epoch = casino.hub_new_epoch((state ->> 'epoch')::bigint);
    END IF;
    IF before.cell IS NULL AND (state ->> 'players')::bigint > 0 THEN
        -- a cell that a hub had before: it tells whom it knows
        RAISE NOTICE 'cell % has % players, whose home it is', cell, state ->> 'players';
    END IF;
    -- R13.40: a copy of this hub from before reads of the new cell in each of the others
    IF before.cell IS NULL AND h.timeline <> 0 THEN
        PERFORM casino.hub_tell_cells(ARRAY(SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell) || cell,
                                      (SELECT count(*)::integer + 1 FROM casino.hub_cell));
    END IF;
    INSERT INTO casino.hub_cell (cell, conninfo, added_at, takes_persons, persons, learned)
    VALUES (cell, conninfo, clock_timestamp(), takes_persons, 0, h.timeline <> 0)
    ON CONFLICT ON CONSTRAINT hub_cell_pkey DO UPDATE SET conninfo = EXCLUDED.conninfo,
        takes_persons = EXCLUDED.takes_persons;
    IF before.cell IS NULL THEN
        PERFORM casino.hub_keep_person(p.data ->> 'external_ref', add_cell.cell)
           FROM casino.hub_fetch(ARRAY[add_cell.cell], 'persons', '{"since": "-infinity"}') p;
        -- all tables, and as far as they are the rounds of which something will be told yet: in play, or
        -- withheld
        INSERT INTO casino.hub_answer (decision_no, cell, table_id)
        SELECT d.decision_no, add_cell.cell, d.table_id FROM casino.hub_decision d
          LEFT JOIN casino.hub_round r ON r.round_id = d.round_id
         WHERE (d.round_id IS NULL OR r.status IN ('open', 'closed', 'withheld')
                AND d.call <> 'hand_over_box')
           AND casino.hub_stands(d.decision_no);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.add_cell(integer, text, boolean) IS
    'Takes a cell in, also while others play, or says what is wrong with it; casino.catch_up() then sends '
    'it the tables and open rounds. The same cell again: it has moved';

CREATE FUNCTION casino.hub_tell_cells(cells integer[], number integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers CONSTANT casino.cell_answer[] :=
        casino.hub_ask(cells, 0, 'cells', jsonb_build_object('cells', number));
    a casino.cell_answer;
BEGIN
    PERFORM casino.raise_refusal(answers);
    FOREACH a IN ARRAY answers LOOP
        IF a.code <> '00000' THEN
            RAISE EXCEPTION 'cell % must know that there is another cell', a.cell
                USING ERRCODE = 'connection_failure', DETAIL = a.message,
                      HINT = 'Add the cell when all others are up.';
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_tell_cells(integer[], integer)
    IS 'Part of the hub: tells cells how many there are; 08006 when one of them does not hear';

-- What a cell says of itself against what the hub is; NULL: it fits
CREATE FUNCTION casino.cell_problem(state jsonb, cell integer, began timestamptz,
                                    ended timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    clock CONSTANT timestamptz := (state ->> 'clock')::timestamptz;
    skew CONSTANT interval := interval '5 seconds';      -- as far as an event's time may be off
    here record;
    problems text[] := '{}';
BEGIN
    SELECT h.of_cells, h.role, e.extversion, (SELECT max(v.version)
                                              FROM casino.schema_version v) AS schema_version
      INTO here FROM casino.hub h, pg_extension e WHERE e.extname = 'casino';
    IF state ->> 'cell' IS NULL THEN
        problems := problems || format('it is no cell; there: SELECT casino.become_cell(%s, %s)', cell,
                                       here.of_cells);
    ELSIF (state ->> 'cell', state ->> 'of_cells') <> (cell::text, here.of_cells::text) THEN
        problems := problems || format('it is cell %s of %s, not cell %s of %s', state ->> 'cell',
                                       state ->> 'of_cells', cell, here.of_cells);
    END IF;
    IF (state ->> 'extension_version', state ->> 'schema_version') IS DISTINCT FROM (here.extversion::text,
            here.schema_version::text) THEN
        problems := problems || format('it has casino %s with tables of version %s, the hub %s with %s',
                                       state ->> 'extension_version', state ->> 'schema_version',
                                       here.extversion, here.schema_version);
    END IF;
    IF state ->> 'plan_digest' IS DISTINCT FROM to_jsonb(casino.plan_digest()) #>> '{}' THEN
        problems := problems || 'its plan versions are not the hub''s (casino.plan_digest() differs)'::text;
    END IF;
    IF clock < began - skew OR clock > ended + skew THEN
        problems := problems || format('its clock is off by %s', CASE WHEN clock < began THEN clock - began
                                       ELSE clock - ended END);
    END IF;
    IF jsonb_array_length(state -> 'others') > 0 THEN
        problems := problems || format('calls of the hub are open to others there: %s',
                                       (SELECT string_agg(o, ', ')
                                        FROM jsonb_array_elements_text(state -> 'others') o));
    END IF;
    RETURN nullif(array_to_string(problems, '; '), '');
END
$fn$;
COMMENT ON FUNCTION casino.cell_problem(jsonb, integer, timestamptz, timestamptz) IS
    'Part of add_cell() and cell_status: version, numbering, plans, clock and privileges of a cell';

CREATE FUNCTION casino.cell_states(OUT cell integer, OUT up boolean, OUT problem text,
                                   OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text,
                                       OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.cell_states() IS 'What the view cell_status of a hub shows: asks every cell';

CREATE FUNCTION casino.cell_states_impl(OUT cell integer, OUT up boolean, OUT problem text,
                                        OUT clock_difference interval, OUT waiting bigint,
                                            OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text,
                                       OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c casino.hub_cell;
    h casino.hub;
    began timestamptz[] := '{}';
    ended timestamptz[] := '{}';
    states jsonb[] := '{}';
    reasons text[] := '{}';
    digests text[] := '{}';
    tables text;
    tables_wait boolean;
    waits text;
    state jsonb;
    reason text;
    i integer := 0;
    cells CONSTANT integer := (SELECT count(*) FROM casino.hub_cell);
BEGIN
    SELECT x.* INTO STRICT h FROM casino.hub x;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        began := began || clock_timestamp();
        SELECT s.state, s.problem INTO state, reason FROM casino.hub_ask_state(c.cell, 'report') s;
        ended := ended || clock_timestamp();
        states := states || state;
        reasons := reasons || reason;
        -- who has carried out everything has the tables of the others
        IF NOT EXISTS (SELECT FROM casino.hub_answer a
                       JOIN casino.hub_decision d ON d.decision_no = a.decision_no
                        WHERE a.cell = c.cell AND a.answered_at IS NULL AND d.round_id IS NULL) THEN
            digests := digests || (state ->> 'table_digest');
        END IF;
    END LOOP;
    SELECT d INTO tables FROM unnest(digests) d WHERE d IS NOT NULL GROUP BY d ORDER BY count(*) DESC, d
     LIMIT 1;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        i := i + 1;
        CONTINUE WHEN i > cardinality(began);
        cell := c.cell;
        conninfo := c.conninfo;
        state := states[i];
        reason := reasons[i];
        up := state IS NOT NULL;
        SELECT count(*), clock_timestamp() - min(d.decided_at),
               count(*) FILTER (WHERE NOT casino.passes_by(a.code)),
               bool_or(d.round_id IS NULL),
               min(format('decision %s (%s of table %s): %s', a.decision_no, d.call, a.table_id,
                          a.message)) FILTER (WHERE a.code = '55P03'),
               coalesce(reason, min(format('decision %s (%s of table %s) is refused: %s', a.decision_no,
                                           d.call, a.table_id,
                                           a.message)) FILTER (WHERE NOT casino.passes_by(a.code)))
          INTO waiting, oldest, refused, tables_wait, waits, reason
          FROM casino.hub_answer a JOIN casino.hub_decision d ON d.decision_no = a.decision_no
         WHERE a.cell = c.cell AND a.answered_at IS NULL;
        clock_difference := (state ->> 'clock')::timestamptz - (began[i] + (ended[i] - began[i]) / 2);
        same_plans := state ->> 'plan_digest' = to_jsonb(casino.plan_digest()) #>> '{}';
        table_digest := state ->> 'table_digest';
        last_clean_night := (state ->> 'last_clean_night')::date;
        players := (state ->> 'players')::bigint;
        problem := concat_ws('; ', reason,
                             CASE WHEN up AND c.down_since IS NOT NULL
                                 THEN 'it was down and waits for casino.catch_up()' END,
                             CASE WHEN up AND casino.hub_lost_tables(c.cell, state) <> '{}'
                                 THEN 'it was restored and waits for casino.catch_up()' END,
                             CASE WHEN waits IS NOT NULL THEN 'it does not answer in time: ' || waits END,
                             CASE WHEN up AND (state ->> 'epoch')::bigint > h.epoch
                                 THEN 'it obeys another hub' END,
                             CASE WHEN (state ->> 'cells')::integer > cells
                                  THEN format('it knows of %s cells, this hub of %s: casino.add_cell()',
                                              state ->> 'cells', cells)
                              END,
                             CASE WHEN NOT c.learned
                                 THEN 'it has not told the restored hub what it knows' END,
                             CASE WHEN up AND table_digest <> tables AND tables_wait IS NOT TRUE
                                  THEN 'its tables or their limits are not those of the other cells (casino.table_digest() differs)' END,
                             CASE WHEN up THEN casino.cell_problem(state, c.cell, began[i], ended[i]) END);
        problem := nullif(problem, '');
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.cell_states_impl() IS 'Body of cell_states(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ catching
-- up

CREATE FUNCTION casino.catch_up(since timestamptz DEFAULT NULL, OUT cell integer, OUT up boolean,
                                OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.catch_up(timestamptz) IS
    'At a hub: takes cells back that are up again and sends each what it has not answered; a restored hub '
    'first learns what the cells know, a restored cell is told again what it may have lost. since: '
    'everything decided since then is sent once more';

CREATE FUNCTION casino.catch_up_impl(since timestamptz, OUT cell integer, OUT up boolean, OUT sent bigint,
                                     OUT waiting bigint, OUT problem text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c record;
    p record;
    one record;
    states jsonb := '{}';
    problems jsonb := '{}';
    before bigint;
    lock text;
    cells integer;
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'casino.install_hub() makes one.';
    END IF;
    PERFORM casino.hub_not_superseded();
    IF NOT (SELECT casino.hub_is_here(h.database, h.relation) FROM casino.hub h) THEN
        RAISE EXCEPTION 'this hub was restored from a dump' USING ERRCODE = 'object_not_in_prerequisite_state',
            DETAIL = 'Where the hub that it is a copy of goes on, the cells would obey this one from here on.', HINT = 'When it is to be the hub: SELECT casino.install_hub().';
    END IF;
    -- one at a time; the other one does it
    IF NOT casino.try_lock('hub catch up') THEN
        RETURN;
    END IF;
    FOR c IN SELECT x.cell FROM casino.hub_cell x ORDER BY x.cell LOOP
        SELECT r.state, r.problem INTO one FROM casino.hub_reach(c.cell, since) r;
        states := states || jsonb_strip_nulls(jsonb_build_object(c.cell, one.state));
        problems := problems || jsonb_strip_nulls(jsonb_build_object(c.cell, one.problem));
    END LOOP;
    PERFORM casino.hub_not_superseded();
    PERFORM casino.hub_read_cells(states);
    cells := (SELECT count(*) FROM casino.hub_cell);
    FOR c IN SELECT x.cell, x.learned FROM casino.hub_cell x ORDER BY x.cell LOOP
        cell := c.cell;
        up := states ? c.cell::text;
        -- it joined while this hub was restored, or was put back
        IF c.learned AND (states -> c.cell::text ->> 'cells')::integer < cells
           AND casino.hub_is_current() THEN
            PERFORM casino.hub_ask(ARRAY[c.cell], 0, 'cells', jsonb_build_object('cells', cells));
        END IF;
        problem := problems ->> c.cell::text;
        SELECT count(*) INTO before FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        IF up THEN
            FOR p IN SELECT DISTINCT a.table_id FROM casino.hub_answer a
                WHERE a.cell = c.cell AND a.answered_at IS NULL AND c.learned
                      UNION SELECT t FROM unnest(casino.hub_lost_tables(c.cell, states -> c.cell::text)) t
                          WHERE c.learned ORDER BY 1 LOOP
                lock := 'hub table ' || p.table_id;
                -- a session that decides there at this moment delivers what is waiting itself; the lock is of
                -- the session, not held to the end
                IF casino.try_lock(lock, of_session => true) THEN
                    BEGIN
                        -- its answer says what it has lost
                        PERFORM casino.hub_ask(ARRAY[c.cell], 0, 'follow', '{}', table_id => p.table_id);
                        PERFORM casino.hub_deliver(c.cell, p.table_id);
                    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
                        PERFORM casino.release_lock(lock);
                        RAISE;
                    END;
                    PERFORM casino.release_lock(lock);
                END IF;
            END LOOP;
        END IF;
        SELECT count(*), coalesce(problem,
               CASE WHEN up AND NOT casino.hub_is_current() AND casino.hub_unknown_cells(states) > 0
                    THEN format('the cells know of %s more: casino.add_cell()',
                                casino.hub_unknown_cells(states))
                END,
               CASE WHEN up AND NOT c.learned
                   THEN 'the hub, restored, waits for the other cells before it reads this one' END,
                       min(format('decision %s: %s %s', a.decision_no, a.code,
                                  a.message)) FILTER (WHERE a.code IS NOT NULL)) INTO waiting, problem
          FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        sent := before - waiting;
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.catch_up_impl(timestamptz) IS 'Body of catch_up(), run as the owner of the ledger';

-- Is a cell up?  What it says of itself, or why not.
CREATE FUNCTION casino.hub_reach(cell integer, since timestamptz DEFAULT NULL, OUT state jsonb,
                                 OUT problem text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
BEGIN
    SELECT s.state, s.problem INTO state, problem FROM casino.hub_ask_state(cell, 'presence') s;
    IF state IS NULL THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', problem));
    ELSIF (state ->> 'epoch')::bigint > epoch AND casino.hub_is_current() THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino.hub_not_superseded();
    ELSE
        PERFORM casino.hub_write('reached', jsonb_build_object('cell', cell, 'since', since));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_reach(integer, timestamptz) IS
    'Part of the hub: asks whether a cell is up, and notes it';

-- R13.31: on which tables has a cell less than it has said?
CREATE FUNCTION casino.hub_lost_tables(of_cell integer, state jsonb) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN ARRAY(SELECT t.table_id FROM casino.hub_told t
                  WHERE t.cell = of_cell
                      AND t.decision_no > coalesce((state -> 'obeyed' ->> t.table_id::text)::bigint, 0)
                          ORDER BY 1);
END
$fn$;
COMMENT ON FUNCTION casino.hub_lost_tables(integer, jsonb) IS
    'Part of the hub: tables of which a cell has lost decisions that it had obeyed';

-- Has a cell been told of what this hub has not decided?  Then it was restored by means that left no other
-- trace.
CREATE FUNCTION casino.hub_knows_less(state jsonb) RETURNS boolean
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
COMMENT ON FUNCTION casino.hub_knows_less(jsonb) IS 'Part of catch_up(): is the hub older than a cell';

CREATE FUNCTION casino.hub_unknown_cells(states jsonb) RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(coalesce((SELECT max((s.value ->> 'cells')::integer) FROM jsonb_each(states) s), 0)
                    - (SELECT count(*)::integer FROM casino.hub_cell), 0)
$fn$;
COMMENT ON FUNCTION casino.hub_unknown_cells(jsonb)
    IS 'Part of catch_up(): of how many more cells the cells know than this hub';

-- R13.40: a hub from before a cell was added does not decide without that cell, unless its owner says so.
CREATE FUNCTION casino.hub_has_all_cells(states jsonb) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.hub_unknown_cells(states) = 0
           OR EXISTS (SELECT FROM casino.hub_takeover t JOIN casino.hub h ON h.epoch = t.epoch)
$fn$;
COMMENT ON FUNCTION casino.hub_has_all_cells(jsonb)
    IS 'Part of catch_up(): does this hub know all cells, or goes it on without by the word of its owner';

-- R13.16, R13.18: a hub that was restored tells the cells to obey no other one, and then reads from them what
-- it has forgotten: what one of them was told had been decided.
CREATE FUNCTION casino.hub_read_cells(states jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    obeyed CONSTANT bigint := (SELECT coalesce(max((s.value ->> 'epoch')::bigint), 0)
                               FROM jsonb_each(states) s);
    since timestamptz;
    c record;
    one integer;
    following integer[] := '{}';
    arguments jsonb;
    known jsonb := '[]';
BEGIN
    IF EXISTS (SELECT FROM casino.hub h WHERE h.timeline NOT IN (0, casino.timeline()) OR h.timeline = 0
               AND obeyed > h.epoch)
       OR EXISTS (SELECT FROM jsonb_each(states) s
                  JOIN casino.hub_cell x ON x.cell = s.key::integer AND x.learned
                      WHERE casino.hub_knows_less(s.value)) THEN
        PERFORM casino.hub_write('restored', jsonb_build_object('epoch', obeyed));
    ELSIF NOT EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned) THEN
        -- killed before it could write that it is current
        IF casino.hub_has_all_cells(states) AND (SELECT h.timeline = 0 FROM casino.hub h) THEN
            PERFORM casino.hub_write('current', '{}');
        END IF;
        RETURN;
    END IF;
    -- every cell obeys this hub before the first is read: what another hub has told them until then is read,
    -- too
    FOR c IN SELECT x.cell FROM casino.hub_cell x WHERE NOT x.learned AND states ? x.cell::text
        ORDER BY x.cell LOOP
        IF (SELECT a.code FROM unnest(casino.hub_ask(ARRAY[c.cell], 0, 'follow', '{}')) a) = '00000' THEN
            following := following || c.cell;
        END IF;
    END LOOP;
    -- R13.33: all, or those that the owner goes on with
    IF following = '{}' AND EXISTS (SELECT FROM casino.hub_cell)
        OR EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned AND x.cell <> ALL (following))
       AND NOT EXISTS (SELECT FROM casino.hub_takeover t JOIN casino.hub h ON h.epoch = t.epoch)
       OR NOT casino.hub_has_all_cells(states) THEN
        RETURN;
    END IF;
    SELECT greatest((SELECT max(d.decided_at) FROM casino.hub_decision d),
                    (SELECT max(p.assigned_at) FROM casino.hub_person p))
           - (SELECT h.replayed FROM casino.hub h) INTO since;
    arguments := jsonb_build_object('since', coalesce(since, '-infinity'));
    FOREACH one IN ARRAY following LOOP
        BEGIN
            known := known || (jsonb_build_object(
                'cell', one,
                'tables', (SELECT coalesce(jsonb_agg(f.data), '[]')
                           FROM casino.hub_fetch(ARRAY[one], 'tables', '{}') f),
                'rounds', (SELECT coalesce(jsonb_agg(f.data), '[]')
                           FROM casino.hub_fetch(ARRAY[one], 'rounds', arguments) f),
                'persons', (SELECT coalesce(jsonb_agg(f.data), '[]')
                            FROM casino.hub_fetch(ARRAY[one], 'persons', arguments) f))
                || (SELECT jsonb_build_object('obeyed', f.data -> 'obeyed', 'last_round',
                                              f.data -> 'last_round', 'last_table', f.data -> 'last_table')
                      FROM casino.hub_fetch(ARRAY[one], 'presence', '{}') f));
        EXCEPTION WHEN connection_exception OR internal_error OR operator_intervention OR lock_not_available
            THEN
            RETURN;     -- it is down: all are asked when it is up
        END;
    END LOOP;
    -- together, so that the end of a round that one cell knows comes before the next round that another one
    -- knows
    PERFORM casino.hub_write('learn', known);
    IF (SELECT h.timeline = 0 FROM casino.hub h) THEN
        PERFORM casino.hub_write('current', '{}');
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_read_cells(jsonb) IS 'Part of catch_up(): what a restored hub has forgotten';

-- R13.33: the owner's word that a restored hub decides again without cells that are lost for long
CREATE FUNCTION casino.decide_without(reason text) RETURNS integer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing integer[];
    unknown integer;
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'casino.install_hub() makes one.';
    END IF;
    PERFORM FROM casino.catch_up();
    IF casino.hub_is_current() THEN
        RETURN '{}';
    END IF;
    missing := ARRAY(SELECT c.cell FROM casino.hub_cell c WHERE NOT c.learned AND c.down_since IS NOT NULL
                     ORDER BY c.cell);
    unknown := casino.hub_unknown_cells((SELECT coalesce(jsonb_object_agg(c.cell, s.state), '{}')
                                           FROM casino.hub_cell c
                                          CROSS JOIN LATERAL casino.hub_ask_state(c.cell, 'presence') s
                                          WHERE c.down_since IS NULL AND s.state IS NOT NULL));
    IF (SELECT h.timeline <> 0 FROM casino.hub h)
       OR missing = '{}' AND unknown = 0
       OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL) THEN
        RAISE EXCEPTION 'no cell has been asked what it knows' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'At least one cell must be up; see casino.cell_status.';
    END IF;
    PERFORM casino.hub_write('without', jsonb_build_object('reason', reason, 'login', session_user,
                                                           'cells', missing, 'unknown', unknown));
    PERFORM FROM casino.catch_up();
    RETURN missing;
END
$fn$;
COMMENT ON FUNCTION casino.decide_without(text) IS
    'At a restored hub, by its owner: it decides again though some cells have not told it what they know. '
    'Recorded in hub_takeover with who, why and which rounds these cells may have been told another end of; '
    'the hub that it was restored from must be stopped before. Returns the cells';

-- known: what some cells know, [{"cell", "tables", "rounds", "persons"}].  Whoever of them knows more of a
-- round completes it.
CREATE FUNCTION casino.hub_learn(known jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t record;
    r record;
BEGIN
    -- R13.34
    IF NOT casino.hub_is_current() THEN
        PERFORM casino.hub_withdraw();
    END IF;
    -- no number that another hub has given is given again
    PERFORM setval('casino.hub_decision_no_seq', greatest(nextval('casino.hub_decision_no_seq'),
                (SELECT max(o.value::bigint) FROM jsonb_array_elements(known) k
                 CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o))),
            setval('casino.round_id_seq', greatest(nextval('casino.round_id_seq'),
                                                   (SELECT max((k.value ->> 'last_round')::bigint)
                                                    FROM jsonb_array_elements(known) k))),
            setval('casino.table_id_seq', greatest(nextval('casino.table_id_seq'),
                                                   (SELECT max((k.value ->> 'last_table')::bigint)
                                                    FROM jsonb_array_elements(known) k)));
    INSERT INTO casino.hub_told
    SELECT (k.value ->> 'cell')::integer, o.key::bigint, o.value::bigint FROM jsonb_array_elements(known) k
     CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no
            WHERE casino.hub_told.decision_no < EXCLUDED.decision_no;
    PERFORM casino.hub_keep_person(p.value ->> 'external_ref', (k.value ->> 'cell')::integer)
       FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'persons') p;
    FOR t IN SELECT x.value ->> 'game' AS game, x.value ->> 'name' AS name,
        (x.value ->> 'table_id')::bigint AS table_id, x.value AS data, k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE x.value ->> 'version' = '1' ORDER BY 3, 5 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_table h
                       WHERE h.table_id = t.table_id OR (h.game, h.name) = (t.game, t.name)) THEN
            PERFORM casino.hub_write_decision('add_game_table', t.table_id, NULL,
                                              t.data - '{home_cell,version,valid_from}'::text[],
                                              'cell ' || t.cell);
        END IF;
    END LOOP;
    FOR r IN SELECT x.value AS data, k.value ->> 'cell' AS cell, (x.value ->> 'table_id')::bigint AS table_id,
        (x.value ->> 'opened_at')::timestamptz AS opened_at
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'rounds') x
               JOIN casino.hub_table h ON h.table_id = (x.value ->> 'table_id')::bigint
              ORDER BY (x.value ->> 'round_id')::bigint, 2 LOOP
        PERFORM casino.hub_learn_limits(known, r.table_id, r.opened_at);
        PERFORM casino.hub_learn_round(r.data, 'cell ' || r.cell);
    END LOOP;
    PERFORM casino.hub_learn_limits(known, h.table_id, 'infinity') FROM casino.hub_table h
      ORDER BY h.table_id;
    UPDATE casino.hub_cell c SET learned = true FROM jsonb_array_elements(known) k
     WHERE c.cell = (k.value ->> 'cell')::integer;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn(jsonb) IS
    'Part of catch_up(): writes down what cells know and the restored hub does not';

CREATE FUNCTION casino.hub_learn_limits(known jsonb, table_id bigint, until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    v record;
BEGIN
    FOR v IN SELECT DISTINCT ON (1) (x.value ->> 'valid_from')::timestamptz AS at, x.value AS data,
        k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE (x.value ->> 'table_id')::bigint = hub_learn_limits.table_id
                  AND (x.value ->> 'version')::integer > 1
                      AND (x.value ->> 'valid_from')::timestamptz <= until
              ORDER BY 1, 3 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_decision d
                       WHERE d.table_id = hub_learn_limits.table_id AND d.round_id IS NULL
                           AND d.call = 'set_table_limits' AND casino.hub_stands(d.decision_no)
                          AND (d.arguments ->> 'at')::timestamptz = v.at) THEN
            PERFORM casino.hub_write_decision('set_table_limits', table_id, NULL,
                                              jsonb_build_object('table_id', table_id, 'min_stake',
                                                                 v.data -> 'min_stake',
                                                  'max_stake', v.data -> 'max_stake', 'options',
                                                  v.data -> 'options', 'at', v.at), 'cell ' || v.cell);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn_limits(jsonb, bigint, timestamptz) IS
    'Part of catch_up(): limits of a table that a restored hub does not know';

CREATE FUNCTION casino.hub_learn_round(round jsonb, source text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r record;
    d record;
    here casino.hub_round;
    withheld boolean;
BEGIN
    SELECT x.* INTO r FROM jsonb_to_record(round)
        AS x (round_id bigint, table_id bigint, round_ref text, status text, opened_at timestamptz,
              betting_until timestamptz, betting_closed_at timestamptz,
              actions_closed_at timestamptz, evaluated_at timestamptz, withheld_at timestamptz,
              withheld_reason text, withheld_paid_at timestamptz, withheld_paid_reason text,
              voided_at timestamptz, outcome jsonb, reason text, plan_version integer, deals jsonb);
    -- a round that is voided after its evaluation was withheld till then
    withheld := r.withheld_at IS NOT NULL OR r.status = 'withheld' OR r.withheld_paid_at IS NOT NULL
        OR r.status = 'voided' AND r.outcome IS NOT NULL;
    SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    IF NOT FOUND OR here.status = 'withdrawn' THEN
        PERFORM casino.hub_write_decision('open_round', r.table_id, r.round_id,
            jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'at', r.opened_at,
                               'round_id', r.round_id, 'plan_version', r.plan_version,
                               'betting_until', r.betting_until), source, learned => true);
        SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    END IF;
    IF here.status = 'open' AND r.betting_closed_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('close_betting', r.table_id, r.round_id,
                                          jsonb_build_object('round_id', r.round_id, 'at',
                                                             r.betting_closed_at), source);
        here.status := 'closed';
    END IF;
    IF here.status IN ('open', 'closed') AND r.withheld_at IS NOT NULL
        AND casino.hub_decided(r.round_id, 'withhold_winnings') = 0 THEN
        PERFORM casino.hub_write_decision('withhold_winnings', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'reason', r.withheld_reason, 'at', r.withheld_at),
            source);
    END IF;
    FOR d IN SELECT x.value -> 'document' AS document, x.value -> 'at' AS at
        FROM jsonb_array_elements(r.deals) WITH ORDINALITY x (value, n) ORDER BY x.n LOOP
        IF here.status = 'closed' AND NOT EXISTS (SELECT FROM casino.hub_decision e
                                                  WHERE e.round_id = r.round_id AND e.call = 'deal'
                                                      AND e.arguments -> 'document' = d.document
                                                            AND casino.hub_stands(e.decision_no)) THEN
            PERFORM casino.hub_write_decision('deal', r.table_id, r.round_id,
                                              jsonb_build_object('round_id', r.round_id, 'document',
                                                                 d.document, 'at', d.at), source);
        END IF;
    END LOOP;
    IF here.status = 'closed' AND here.actions_closed_at IS NULL AND r.actions_closed_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('close_actions', r.table_id, r.round_id,
                                          jsonb_build_object('round_id', r.round_id, 'at',
                                                             r.actions_closed_at), source);
    END IF;
    IF here.status = 'closed' AND r.outcome IS NOT NULL AND r.evaluated_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('settle_round', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'outcome', r.outcome, 'at', r.evaluated_at, 'withhold',
                               withheld, 'withhold_reason', r.withheld_reason), source);
        here.status := CASE WHEN withheld THEN 'withheld' ELSE 'settled' END;
    END IF;
    IF here.status IN ('open', 'closed', 'withheld') AND r.status = 'voided' THEN
        PERFORM casino.hub_write_decision('void_round', r.table_id, r.round_id,
                                          jsonb_build_object('round_id', r.round_id, 'reason', r.reason, 'at',
                                                             coalesce(r.voided_at, r.evaluated_at)), source);
    ELSIF here.status = 'withheld' AND r.withheld_paid_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('pay_withheld', r.table_id, r.round_id,
            -- a cell has released it: so it was allowed
            jsonb_build_object('round_id', r.round_id, 'at', r.withheld_paid_at, 'reason',
                               r.withheld_paid_reason, 'authority', 'all'), source);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn_round(jsonb, text) IS
    'Part of catch_up(): what a cell knows of a round and the restored hub does not';

CREATE FUNCTION casino.excuse_cell(cell integer, decision_no bigint, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- in the caller's transaction, which may have noted that the decision was refused
    IF casino.hub_write_here('excuse', jsonb_build_object('cell', cell, 'decision_no', decision_no, 'reason',
                                                          reason, 'by', session_user))::bigint = 0 THEN
        RAISE EXCEPTION 'decision % is not waiting for cell %', decision_no,
            cell USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_cell(integer, bigint, text) IS
    'At a hub, by its owner: a decision that a cell refuses is not sent to it any more, because somebody '
    'has put things right there; who and why is kept';
