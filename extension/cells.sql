-- Cells: a database that has some of the players, with their own numbers, while a hub has tables and rounds.

CREATE FUNCTION casino_internal.install_cells() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.cell (
        cell        integer PRIMARY KEY,
        of_cells    integer NOT NULL CHECK (of_cells BETWEEN 1 AND 1024),
        recorded_at timestamptz NOT NULL,
        CHECK (cell >= 0 AND cell < of_cells)
    );
    CREATE UNIQUE INDEX cell_one ON casino.cell ((true));
    COMMENT ON INDEX casino.cell_one IS 'A database is one cell';
    COMMENT ON TABLE casino.cell
        IS 'Append-only: which cell this database became, one row; none: it has all players';
    COMMENT ON COLUMN casino.cell.cell IS 'Number of the cell: its players'' numbers modulo of_cells';
    COMMENT ON COLUMN casino.cell.of_cells IS 'Numbers of cells there can be, in use or free';
    COMMENT ON COLUMN casino.cell.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('cell');
    PERFORM casino_internal.make_recorded('cell');

    -- R13.31: written with what was obeyed, so that a copy of the database that lacks the one lacks the other
    CREATE TABLE casino.obeyed (
        table_id    bigint PRIMARY KEY,
        decision_no bigint NOT NULL,
        obeyed_at   timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.obeyed
        IS 'In a cell: the last decision of the hub on each table that was carried out here; the hub asks '
           'for it with every call, and tells again what is missing';
    COMMENT ON COLUMN casino.obeyed.table_id IS 'Table';
    COMMENT ON COLUMN casino.obeyed.decision_no IS 'Number of the decision at the hub';
    COMMENT ON COLUMN casino.obeyed.obeyed_at IS 'When it was carried out';

    -- R13.18: a sequence, so that it is kept whatever becomes of the transaction that noted it
    CREATE SEQUENCE casino.hub_epoch_seq AS bigint MINVALUE 0 START 0;
    COMMENT ON SEQUENCE casino.hub_epoch_seq
        IS 'In a cell: epoch of the hub that it obeys; one with an earlier epoch was restored or replaced '
           'since';

    -- R13.40
    CREATE SEQUENCE casino.hub_cells_seq AS bigint MINVALUE 0 START 0;
    COMMENT ON SEQUENCE casino.hub_cells_seq
        IS 'In a cell: how many cells its hub has; a hub that has fewer is from before a cell was added';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_cells()
    IS 'Part of casino.install(): which cell this database is';

CREATE FUNCTION casino.cell_of(player_id bigint, of_cells integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF player_id < 1 OR of_cells NOT BETWEEN 1 AND 1024 THEN
        RAISE EXCEPTION 'player % of % cells is in none', player_id, of_cells
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'Players are numbered from 1, cells from 0; there are at most 1024.';
    END IF;
    RETURN player_id % of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.cell_of(bigint, integer) IS
    'Cell that a player''s number is of, when there can be so many cells';

-- R13.1
CREATE FUNCTION casino.become_cell(cell integer, of_cells integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.cell;
    odd bigint;
BEGIN
    IF cell IS NULL OR of_cells IS NULL THEN
        RAISE EXCEPTION 'cell and of_cells must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF of_cells NOT BETWEEN 1 AND 1024 OR cell < 0 OR cell >= of_cells THEN
        RAISE EXCEPTION 'there is no cell % of %', cell, of_cells
            USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'Cells are numbered from 0; there are at most 1024.',
                  HINT = 'of_cells is the number of cells there can ever be: numbers not in use yet are free '
                         'for cells added later.';
    END IF;
    -- nobody registers a player or adds a table meanwhile
    LOCK TABLE casino.cell IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE casino.player, casino.game_table IN SHARE MODE;
    SELECT c.* INTO present FROM casino.cell c;
    IF FOUND THEN
        IF (present.cell, present.of_cells) = (become_cell.cell, become_cell.of_cells) THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'this database is cell % of %', present.cell, present.of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = 'Its players'' numbers say so; that does not change.';
    END IF;
    SELECT p.player_id INTO odd FROM casino.player p
     WHERE p.player_id % become_cell.of_cells <> become_cell.cell ORDER BY p.player_id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % would not be of cell % of %', odd, cell, of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('His number is of cell %s.', odd % of_cells),
                  HINT = 'A new database becomes a cell; players do not change their numbers.';
    END IF;
    SELECT t.table_id INTO odd FROM casino.game_table t ORDER BY t.table_id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'table % was not numbered by a hub', odd
            USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = 'In a cell the hub numbers tables and rounds.',
                  HINT = 'A new database becomes a cell.';
    END IF;
    INSERT INTO casino.cell (cell, of_cells, recorded_at) VALUES (become_cell.cell, become_cell.of_cells,
                                                                  clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.become_cell(integer, integer) IS
    'Makes this database a cell: it numbers its players as its own among so many cells and takes the '
    'numbers of tables and rounds from a hub. Before the first table; the same again changes nothing';

CREATE FUNCTION casino_internal.next_player_id() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number CONSTANT bigint := nextval('casino.player_id_seq');
BEGIN
    -- of two cells cell 1 has 1, 3, 5 and cell 0 has 2, 4, 6; never less than the number drawn, so that it
    -- goes on behind older players
    RETURN coalesce((SELECT number * c.of_cells - (c.of_cells - c.cell) % c.of_cells FROM casino.cell c),
                    number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.next_player_id() IS
    'Part of register_player(): the next number, in a cell one of its own';

-- R12.101: never backwards, and one at a time: a number drawn meanwhile would be drawn again
CREATE FUNCTION casino_internal.pass_player_numbers(above bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last bigint;
BEGIN
    SELECT (above + (c.of_cells - c.cell) % c.of_cells) / c.of_cells INTO last FROM casino.cell c;
    IF last > coalesce(pg_sequence_last_value('casino.player_id_seq'), 0) THEN
        PERFORM casino_internal.take_lock('player numbers');
        PERFORM setval('casino.player_id_seq', last)
          WHERE last > coalesce(pg_sequence_last_value('casino.player_id_seq'), 0);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.pass_player_numbers(bigint)
    IS 'Part of obey(): a cell gives no number up to this one any more';

-- R12.100, R12.102.  A number of a person who was erased since stays that person's (R12.94).
CREATE FUNCTION casino_internal.number_given_before(numbers bigint[], former bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number CONSTANT bigint := (SELECT min(n)
                                 FROM unnest(numbers) n
                                WHERE n > former
                                  AND NOT EXISTS (SELECT FROM casino.player p
                                                    JOIN casino.erasure e ON e.external_ref = p.external_ref
                                                   WHERE p.player_id = n));
BEGIN
    IF EXISTS (SELECT FROM casino.player p WHERE p.player_id = number) THEN
        RAISE EXCEPTION 'player % is another person here', number
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'The hub has the number of this person; the cell was put back and gave it anew.',
                  HINT = 'Restore the cell again and call casino.catch_up() at the hub.';
    END IF;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.number_given_before(bigint[], bigint)
    IS 'Part of register_player(): the number that the person''s next account had before this cell was put '
       'back; NULL: none. 55000 when it is another person''s here';

CREATE FUNCTION casino_internal.player_cell() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here casino.cell;
BEGIN
    SELECT c.* INTO here FROM casino.cell c;
    IF NEW.player_id % here.of_cells <> here.cell THEN
        RAISE EXCEPTION 'player % is not of this cell', NEW.player_id
            USING ERRCODE = 'check_violation',
                DETAIL = format('This is cell %s of %s, the number is of cell %s.', here.cell, here.of_cells,
                                NEW.player_id % here.of_cells),
                  HINT = 'casino.register_player() gives a number of this cell.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_cell() IS
    'Trigger of casino.player: a cell has players of its own numbers only';

-- A number that a hub gives: needed in a cell, where the database draws none itself.
CREATE FUNCTION casino_internal.check_given_number(number bigint, name text) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_check_given_number' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.check_given_number(bigint, text) IS
    'Part of add_game_table() and open_round(): 22023 for a number below 1, 22004 for none in a cell';

-- A table with seats is played in one cell: who is on a box and its maximum are judged under one lock
-- (R13.10).
CREATE FUNCTION casino_internal.table_home_cell(options jsonb, game text, seated boolean) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    given CONSTANT jsonb := CASE WHEN jsonb_typeof(options) = 'object' THEN options -> 'home_cell' END;
    here casino.cell;
BEGIN
    SELECT c.* INTO here FROM casino.cell c;
    IF given IS NULL THEN
        IF here.cell IS NOT NULL AND seated THEN
            RAISE EXCEPTION 'a table of % needs a home cell', game
                USING ERRCODE = 'null_value_not_allowed',
                    DETAIL = 'It has seats: the players of one cell take part.',
                        HINT = 'Option "home_cell" names it.';
        END IF;
        RETURN NULL;
    END IF;
    IF here.cell IS NULL THEN
        RAISE EXCEPTION 'this database is no cell, its tables have no home cell'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT seated THEN
        RAISE EXCEPTION '% is played without seats, its tables have no home cell', game
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'The players of all cells take part.';
    END IF;
    IF jsonb_typeof(given) <> 'number' OR given::text !~ '^\d{1,4}$' OR given::text::integer >= here.of_cells
        THEN
        RAISE EXCEPTION 'home_cell must be a number from 0 to %',
            here.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN given::text::integer;
END
$fn$;
COMMENT ON FUNCTION casino_internal.table_home_cell(jsonb, text, boolean) IS
    'Part of add_game_table(): option home_cell; 22004 where a table with seats of a cell has none, 22023 '
    'where there can be none';

-- Digests of what hub and cells must have alike: leaves of evidence (doc/evidence.md), without what differs
-- between databases, which is who recorded a row and when, and the numbers that plan versions drew here.
CREATE FUNCTION casino.plan_digest() RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH plan AS (SELECT p.plan_id, row_number() OVER (ORDER BY p.game COLLATE "C", p.version) AS number
                  FROM casino.game_plan p),
    leaf AS (
        SELECT casino.evidence_leaf('game', t) AS leaf FROM casino.game t
        UNION ALL
        SELECT casino.evidence_leaf('game_plan',
                                    jsonb_populate_record(t,
                                                          jsonb_build_object('plan_id', n.number,
                                                                  'recorded_at', NULL,
                                                                  'recorded_by', NULL)))
          FROM casino.game_plan t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('plan_rule',
                                    jsonb_populate_record(t,
                                                          jsonb_build_object('plan_id', n.number,
                                                                  'recorded_by', NULL)))
          FROM casino.plan_rule t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('bet_rule',
                                    jsonb_populate_record(t,
                                                          jsonb_build_object('plan_id', n.number,
                                                                  'recorded_by', NULL)))
          FROM casino.bet_rule t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('paytable',
                                    jsonb_populate_record(t,
                                                          jsonb_build_object('plan_id', n.number,
                                                                  'recorded_by', NULL)))
          FROM casino.paytable t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('announced_rule',
                                    jsonb_populate_record(t,
                                                          jsonb_build_object('plan_id', n.number,
                                                                  'recorded_by', NULL)))
          FROM casino.announced_rule t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('plan_approval',
                                    jsonb_populate_record(t, jsonb_build_object('plan_id', n.number,
                                                             'recorded_at', NULL, 'recorded_by', NULL)))
          FROM casino.plan_approval t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('plan_withdrawal',
                                    jsonb_populate_record(t, jsonb_build_object('plan_id', n.number,
                                                             'recorded_at', NULL, 'recorded_by', NULL)))
          FROM casino.plan_withdrawal t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('duty_rule', jsonb_populate_record(t,
            '{"recorded_at": null, "recorded_by": null}'))
          FROM casino.duty_rule t)
    SELECT casino.merkle_root(casino.hash_leaf(l.leaf) ORDER BY l.leaf) FROM leaf l
$fn$;
COMMENT ON FUNCTION casino.plan_digest() IS
    'SHA-256 over all plan versions with their rules, limits, odds and announced bets, '
    'and the figures of the duties; two databases with the same plans give the same, whatever their settings';

CREATE FUNCTION casino.table_digest() RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH leaf AS (
        SELECT casino.evidence_leaf('game_table', t) AS leaf FROM casino.game_table t
        UNION ALL
        SELECT casino.evidence_leaf('table_version',
                                    jsonb_populate_record(t, '{"recorded_at": null, "recorded_by": null}'))
                                        FROM casino.table_version t
        UNION ALL
        SELECT casino.evidence_leaf('table_limit', jsonb_populate_record(t, '{"recorded_by": null}'))
          FROM casino.table_limit t)
    SELECT casino.merkle_root(casino.hash_leaf(l.leaf) ORDER BY l.leaf) FROM leaf l
$fn$;
COMMENT ON FUNCTION casino.table_digest() IS
    'SHA-256 over all tables with every version of their limits and switches';

CREATE FUNCTION casino.cell_state(OUT cell integer, OUT of_cells integer, OUT schema_version integer,
                                  OUT extension_version text,
                                  OUT plan_digest bytea, OUT table_digest bytea,
                                      OUT clock timestamptz) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cell_state() IS
    'What a hub compares before it takes a cell in and each night: which cell, versions of tables and '
    'extension, digests of plans and tables, the clock';

CREATE FUNCTION casino_internal.cell_state_impl(OUT cell integer, OUT of_cells integer,
                                                OUT schema_version integer,
                                                OUT extension_version text,
                                                    OUT plan_digest bytea, OUT table_digest bytea,
                                                        OUT clock timestamptz) RETURNS record
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT c.cell, c.of_cells, (SELECT max(v.version) FROM casino.schema_version v),
           (SELECT e.extversion FROM pg_extension e WHERE e.extname = 'casino'),
           casino.plan_digest(), casino.table_digest(), clock_timestamp()
      FROM (VALUES (1)) one (row)
      LEFT JOIN casino.cell c ON true
$fn$;
COMMENT ON FUNCTION casino_internal.cell_state_impl()
    IS 'Body of cell_state(), run as the owner of the ledger';

CREATE FUNCTION casino.outcome_players(outcome jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    -- each path is walked once; jsonb_path_query() would move the rest of its list for each value
    SELECT ARRAY (SELECT DISTINCT n.number::bigint
                    FROM (VALUES ('$.hands[*] ? (@.type() == "object").player[*] ? (@.type() == "number")'),
                                 ('$.hands[*] ? (@.type() == "object").players[*] ? (@.type() == "number")'),
                                 ('$.hands[*] ? (@.type() == "object").even_money[*]'
                                  ' ? (@.type() == "number")')) m (path)
                   CROSS JOIN LATERAL jsonb_array_elements(jsonb_path_query_array(outcome, m.path::jsonpath))
                         v (value)
                   CROSS JOIN LATERAL (SELECT (v.value #>> '{}')::numeric AS number) n
                   WHERE n.number BETWEEN 1 AND 9223372036854775807 AND n.number = trunc(n.number)
                   ORDER BY 1)
$fn$;
COMMENT ON FUNCTION casino.outcome_players(jsonb) IS
    'Players whom an outcome document, or one of deal(), names: a hub refuses numbers of cells that are not '
    'in use, which no cell would miss';
