-- Setting up a hub: its tables, its servers for PL/Proxy, and its way to itself (doc/scale.md).

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
                DETAIL = 'It is the number of cells there can ever be: player numbers are spread over so '
                         'many, in use or free.',
                HINT = 'Take 16, or 64.';
        END IF;
        PERFORM casino_internal.install_hub_tables();
        PERFORM casino_internal.install_hub_changes();
        PERFORM casino_internal.install_hub_moves();
        -- R13.38: a minute of betting where nobody says more
        INSERT INTO casino.hub VALUES (true, of_cells, role, '1 minute', '1 hour',
                                       (SELECT c.system_identifier FROM pg_control_system() c),
                                       casino.timeline(),
                                       (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
                                       'casino.hub'::regclass, casino_internal.hub_new_epoch(0), NULL,
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
       OR NOT casino_internal.hub_is_here(present.database, present.relation) THEN
        -- restored from a dump, or another hub has decided meanwhile: there may be more decisions than it
        -- knows, casino.catch_up() asks
        UPDATE casino.hub SET system_identifier = (SELECT c.system_identifier FROM pg_control_system() c),
            timeline = -1, superseded_at = NULL,
                              database = (SELECT d.oid FROM pg_database d
                                          WHERE d.datname = current_database()),
                                              relation = 'casino.hub'::regclass;
    END IF;
    PERFORM casino_internal.check_conninfo(conninfo);
    this := coalesce(conninfo, format('host=%s port=%s dbname=%s',
                                      casino_internal.conninfo_value(btrim(split_part(
                                          current_setting('unix_socket_directories'), ',', 1))),
                                      current_setting('port'),
                                          casino_internal.conninfo_value(current_database())));
    PERFORM casino_internal.install_hub_servers(present.of_cells, present.role, owner,
                                                this || ' user=' || casino_internal.conninfo_value(owner));
    PERFORM casino_internal.check_way_to_itself(this);
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of(player_id bigint) RETURNS integer '
                   'LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 %% %s)::integer', present.of_cells));
    COMMENT ON FUNCTION casino.cell_of(bigint) IS 'At this hub: cell of a player';
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of_withdrawal(id bigint) RETURNS integer '
                   'LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 / 1000000000 %% %s)::integer', present.of_cells));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_to_ask(player_id bigint) RETURNS integer '
                   'LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
                   format('SELECT coalesce(abs($1 %% %s)::integer, 0)', present.of_cells));
    COMMENT ON FUNCTION casino.cell_to_ask(bigint)
        IS 'At this hub: cell that answers a question about a player, or about nobody';
    COMMENT ON FUNCTION casino.cell_of_withdrawal(bigint)
        IS 'At this hub: cell of the player whose withdrawal it is';
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
        SELECT w FROM casino_internal.hub_write_here(what, arguments) w;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_write(text, jsonb) IS 'Writes what was decided, committed when it returns';
    REVOKE ALL ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text, bigint, bigint,
                                           jsonb, boolean), casino.hub_fetch(integer[], text, jsonb),
                           casino.hub_write(text, jsonb) FROM PUBLIC;
    PERFORM casino_internal.route_functions();
    REVOKE ALL
        ON FUNCTION casino_internal.hub_place_many(text, bigint, bigint[], casino.bet[], text[], integer[],
                                                          integer[], timestamptz) FROM PUBLIC;
    PERFORM casino_internal.guard_mappings();
    RETURN present.of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.install_hub(integer, name, text) IS
    'Makes this database the hub of up to so many cells: its tables, owned by the caller, and the functions '
    'of one server routed to the cells; run again after a restore or an update. role: as whom the hub calls '
    'the cells; conninfo: how it reaches itself, by default over its socket. Returns of_cells';

-- Grows with the clock, so that two copies of one hub that both take over do not have the same
CREATE FUNCTION casino_internal.hub_new_epoch(later_than bigint) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(later_than + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_new_epoch(bigint)
    IS 'Part of the hub: epoch of a hub that takes over';

-- A value in a connection string of libpq
CREATE FUNCTION casino_internal.conninfo_value(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '''' || replace(replace(value, '\', '\\'), '''', '\''') || ''''
$fn$;
COMMENT ON FUNCTION casino_internal.conninfo_value(text)
    IS 'Part of the hub: a value quoted for a connection string';

-- Everybody may read the options of a server, and PL/Proxy takes a user named anywhere in the string for all
-- callers.
CREATE FUNCTION casino_internal.check_conninfo(conninfo text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF conninfo ~ '^\s*postgres(ql)?://' THEN
        RAISE EXCEPTION 'conninfo must be a list of keywords and values, not a URI'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF conninfo ~* '(user|password)\s*=' THEN
        RAISE EXCEPTION 'conninfo must not name a user or a password'
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'Everybody who can connect may read it. Callers have the same names in the '
                         'cells as at the hub.',
                  HINT = 'Passwords are in the password file of the hub''s server; '
                         'the key of a certificate (sslkey) is in a file without a passphrase.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_conninfo(text) IS
    'Part of install_hub() and add_cell(): 22023 for a user, a password or the passphrase of a key';

CREATE FUNCTION casino_internal.check_way_to_itself(conninfo text) RETURNS void
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
              HINT = 'install_hub(conninfo => ...) names the way; pg_hba.conf must let the owner of the '
                     'tables in over it.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_way_to_itself(text) IS
    'Part of the hub: 08006 when what is decided could not be written';

-- Two servers for the cells: casino for callers, who have the same names there, and casino_cells for what the
-- hub itself tells them; and one for the hub itself.  A number not in use leads nowhere, with a path that
-- says so.
CREATE FUNCTION casino_internal.install_hub_servers(of_cells integer, role name, owner name, this text)
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    slots CONSTANT text := (SELECT string_agg(format('p%s %L', n, casino_internal.no_such_cell(n)),
                                              ', ' ORDER BY n)
                            FROM generate_series(0, of_cells - 1) n);
    server text;
BEGIN
    FOREACH server IN ARRAY '{casino,casino_cells}'::text[] LOOP
        IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = server) THEN
            -- no query_timeout: PL/Proxy looks at it when an answer comes, so that it would refuse a long
            -- settlement that has been done, each time anew
            EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER plproxy '
                           'OPTIONS (modular_mapping ''1'', connection_lifetime ''3600'', %s)',
                           server, slots);
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
    COMMENT ON SERVER casino_hub
        IS 'This database: what is decided is committed over it before a cell hears of it';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_hub_servers(integer, name, name, text) IS
    'Part of install_hub(): the servers of PL/Proxy';

-- R13.20: whoever calls goes on to the cells under his own name, for which PL/Proxy wants USAGE on the
-- server; that would let him make a mapping of his own and go on as somebody else, with a password that is in
-- the server's file.
CREATE FUNCTION casino_internal.guard_mappings() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    others text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_event_trigger t WHERE t.evtname = 'casino_user_mapping') THEN
        CREATE EVENT TRIGGER casino_user_mapping ON ddl_command_end
            WHEN TAG IN ('CREATE USER MAPPING', 'ALTER USER MAPPING')
            EXECUTE FUNCTION casino_internal.refuse_mapping();
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
COMMENT ON FUNCTION casino_internal.guard_mappings() IS
    'Part of the hub: from then on only the owner of the servers makes user mappings for them';

CREATE FUNCTION casino_internal.refuse_mapping() RETURNS event_trigger
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
COMMENT ON FUNCTION casino_internal.refuse_mapping() IS
    'At a hub, event trigger: 42501 for a user mapping that would lead to the cells as somebody else';

CREATE FUNCTION casino_internal.no_such_cell(cell integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN format('host=/there/is/no/cell/%s dbname=none', cell);
COMMENT ON FUNCTION casino_internal.no_such_cell(integer) IS
    'Part of install_hub(): where a cell that is not in use is';

CREATE FUNCTION casino.hub_cells() RETURNS SETOF integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.hub_cells() IS
    'Cells in use: a question to all of them is answered by all or by an error';

CREATE FUNCTION casino_internal.hub_cells_impl() RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_cells_impl() IS 'Body of hub_cells(), run as the owner of the ledger';
