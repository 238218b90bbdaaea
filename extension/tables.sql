-- Tables: what they are never changes, their limits and switches are versions with a date (R11.6).

CREATE FUNCTION casino_internal.install_tables() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.table_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.table_id_seq IS 'Numbers of tables';

    CREATE TABLE casino.game_table (
        table_id  bigint PRIMARY KEY,
        game      text NOT NULL REFERENCES casino.game,
        name      text NOT NULL CHECK (name = casino_internal.canonical_text(name, 'name')
                                       AND octet_length(name) <= 200),
        versions  integer NOT NULL CHECK (versions > 0),
        home_cell integer CHECK (home_cell >= 0),
        UNIQUE (game, name)
    );
    COMMENT ON TABLE casino.game_table IS 'Game tables; their limits and switches are in table_version';
    COMMENT ON COLUMN casino.game_table.table_id IS 'Number of the table';
    COMMENT ON COLUMN casino.game_table.game IS 'Game played there';
    COMMENT ON COLUMN casino.game_table.name IS 'Name of the table';
    COMMENT ON COLUMN casino.game_table.versions IS 'Versions of its limits and switches so far';
    COMMENT ON COLUMN casino.game_table.home_cell
        IS 'Of a table with seats in a cell: the one cell whose players take part; NULL: players of every '
           'cell, or this database is no cell';

    CREATE TABLE casino.table_version (
        table_id    bigint NOT NULL REFERENCES casino.game_table,
        version     integer NOT NULL CHECK (version > 0),
        valid_from  timestamptz NOT NULL,
        min_stake   numeric NOT NULL CHECK (min_stake > 0),
        max_stake   numeric NOT NULL CHECK (max_stake >= min_stake AND max_stake < 'Infinity'),
        surrender   boolean NOT NULL,
        behind      boolean NOT NULL,
        seats       integer CHECK (seats > 0),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (table_id, version),
        UNIQUE (table_id, valid_from)
    );
    COMMENT ON TABLE casino.table_version
        IS 'Append-only: limits and switches of a table, in force from valid_from until its next version; '
           'rounds keep the version they were opened under';
    COMMENT ON COLUMN casino.table_version.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_version.version IS 'Counts the versions of a table from 1';
    COMMENT ON COLUMN casino.table_version.valid_from
        IS 'When it comes into force; -infinity: with the first round of the table';
    COMMENT ON COLUMN casino.table_version.min_stake
        IS 'CZK least stake of the principal bet; in roulette of every position';
    COMMENT ON COLUMN casino.table_version.max_stake
        IS 'CZK greatest stake of the principal bet; in roulette of a straight';
    COMMENT ON COLUMN casino.table_version.surrender IS 'Surrender is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.behind IS 'Bet behind is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.seats IS 'Seats (boxes); NULL for games without seats';
    COMMENT ON COLUMN casino.table_version.recorded_at IS 'When it was written';

    CREATE TABLE casino.table_limit (
        table_id  bigint NOT NULL,
        version   integer NOT NULL,
        kind      text NOT NULL,
        min_stake numeric CHECK (min_stake > 0),
        max_stake numeric CHECK (max_stake > 0),
        PRIMARY KEY (table_id, version, kind),
        FOREIGN KEY (table_id, version) REFERENCES casino.table_version,
        CHECK (max_stake >= min_stake)
    );
    COMMENT ON TABLE casino.table_limit
        IS 'Append-only: limits that a version of a table sets for single kinds of bet, within the plan''s';
    COMMENT ON COLUMN casino.table_limit.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_limit.version IS 'Version of the table';
    COMMENT ON COLUMN casino.table_limit.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.table_limit.min_stake IS 'CZK least stake on one position';
    COMMENT ON COLUMN casino.table_limit.max_stake IS 'CZK greatest stake on one position';

    CREATE TRIGGER table_guard BEFORE UPDATE OR DELETE ON casino.game_table
        FOR EACH ROW EXECUTE FUNCTION casino_internal.table_guard();
    COMMENT ON TRIGGER table_guard ON casino.game_table IS 'What a table is never changes, none is deleted';

    PERFORM casino_internal.make_append_only('table_version', 'table_limit');
    PERFORM casino_internal.make_recorded('table_version');
    PERFORM casino_internal.make_recorded('table_limit');
    PERFORM casino_internal.refuse_truncate('game_table');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_tables()
    IS 'Part of casino.install(): tables, versions of their limits and switches';

CREATE FUNCTION casino_internal.table_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE'
       OR (OLD.table_id, OLD.game, OLD.name, OLD.home_cell)
              IS DISTINCT FROM (NEW.table_id, NEW.game, NEW.name, NEW.home_cell)
       OR NEW.versions NOT IN (OLD.versions, OLD.versions + 1) THEN
        RAISE EXCEPTION 'cannot change table "%" of %', OLD.name, OLD.game
            USING ERRCODE = 'KL001', CONSTRAINT = 'ledger_immutable',
                  DATATYPE = jsonb_build_object('table', TG_TABLE_NAME)::text,
                  DETAIL = 'Number, game and name of a table never change.',
                  HINT = 'casino.set_table_limits() changes limits and switches; another game is another '
                         'table.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.table_guard()
    IS 'Trigger of casino.game_table: number, game, name and home cell of a table never change, none is '
       'deleted';

-- Limits of a table must lie within the plan's (R11.5).
CREATE FUNCTION casino_internal.check_table_limit(plan_id bigint, kind text, min_stake numeric,
                                                  max_stake numeric)
RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    rule casino.bet_rule;
BEGIN
    SELECT b.* INTO rule FROM casino.bet_rule b
     WHERE b.plan_id = check_table_limit.plan_id AND b.kind = check_table_limit.kind;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the game plan does not offer %', kind
            USING ERRCODE = 'KB004', CONSTRAINT = 'not_offered',
                  DATATYPE = jsonb_build_object('kind', kind)::text,
                  DETAIL = format('No bet of that kind stands in %s.', casino_internal.plan_name(plan_id));
    END IF;
    IF min_stake < rule.min_stake
       OR max_stake > rule.max_stake
       OR min_stake > rule.max_stake
       OR max_stake < min_stake THEN
        RAISE EXCEPTION 'limits % to % CZK of % are outside those of the game plan', min_stake, max_stake,
            kind
            USING ERRCODE = 'KB002', CONSTRAINT = 'table_limits',
                  DATATYPE = jsonb_build_object('kind', kind, 'min', rule.min_stake, 'max',
                      rule.max_stake)::text,
                  DETAIL = format('The plan allows %s to %s CZK (%s).',
                                  coalesce(rule.min_stake::text, 'any minimum'),
                                  coalesce(rule.max_stake::text, 'any maximum'), rule.paragraph);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_table_limit(bigint, text, numeric, numeric)
    IS 'Part of add_game_table() and set_table_limits(): KB002 for a limit outside the plan''s, KB004 for a '
       'kind it does not offer';

-- What add_game_table() and set_table_limits() are given, checked against the plan: what a table may offer,
-- and its limits.
CREATE FUNCTION casino_internal.table_settings(plan_id bigint, game text, INOUT min_stake numeric,
                                               INOUT max_stake numeric, INOUT options jsonb,
                                               OUT surrender boolean, OUT behind boolean, OUT seats integer,
                                               OUT limits jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    seated boolean;
    plan_seats integer;
    family_seats integer;
    odd text;
    lim record;
BEGIN
    options := coalesce(options, '{}');
    IF jsonb_typeof(options) <> 'object' THEN
        RAISE EXCEPTION 'options must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT k
      INTO odd
      FROM jsonb_object_keys(options) k
     WHERE k NOT IN ('surrender', 'behind', 'seats', 'limits')
     LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'unknown option "%" of a table', left(odd, 64)
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'Options are surrender, behind, seats and limits.';
    END IF;
    SELECT k INTO odd FROM unnest(ARRAY['surrender', 'behind']) k
     WHERE options ? k AND jsonb_typeof(options -> k) <> 'boolean' LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'option "%" must be true or false', odd USING ERRCODE = 'invalid_parameter_value';
    END IF;

    -- what the game allows a table to offer (R3.32)
    SELECT k INTO odd FROM unnest(ARRAY['surrender', 'behind']) k
     WHERE (options ->> k)::boolean
       AND NOT EXISTS (SELECT FROM casino.plan_rule r
                        WHERE r.plan_id = table_settings.plan_id AND r.rule = k AND r.value = 'table')
     LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION '% does not offer %', game, odd
            USING ERRCODE = 'KB004', CONSTRAINT = 'not_offered',
                  DATATYPE = jsonb_build_object('game', game, 'kind', odd)::text,
                  DETAIL = format('It is not left to the table by %s.', casino_internal.plan_name(plan_id));
    END IF;
    SELECT f.seats
      INTO family_seats
      FROM casino.game g
      JOIN casino.families() f ON f.family = g.family
     WHERE g.game = table_settings.game;
    seated := family_seats IS NOT NULL
              OR EXISTS (SELECT FROM casino.plan_rule r
                          WHERE r.plan_id = table_settings.plan_id AND r.rule = 'box' AND r.value = 'seats');
    SELECT nullif(r.value, '0')::integer INTO plan_seats FROM casino.plan_rule r
     WHERE r.plan_id = table_settings.plan_id AND r.rule = 'max_seats';
    IF options ? 'seats' THEN
        IF NOT seated THEN
            RAISE EXCEPTION '% is played without seats', game USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF jsonb_typeof(options -> 'seats') <> 'number'
           OR (options ->> 'seats')::numeric NOT IN (1,2,3,4,5,6,7,8,9,10) THEN
            RAISE EXCEPTION 'seats must be a number from 1 to 10' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        seats := (options ->> 'seats')::numeric;
        IF seats > plan_seats THEN
            RAISE EXCEPTION '% has at most % seats', game, plan_seats
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
    ELSIF seated THEN
        seats := coalesce(plan_seats, family_seats, 7);
    END IF;
    min_stake := casino.checked_amount(min_stake);
    max_stake := casino.checked_amount(max_stake);
    surrender := coalesce((options ->> 'surrender')::boolean, false);
    behind := coalesce((options ->> 'behind')::boolean, false);
    IF min_stake = 0 OR max_stake < min_stake THEN
        RAISE EXCEPTION 'invalid table limits: % to % CZK', min_stake, max_stake
            USING ERRCODE = 'KB002', CONSTRAINT = 'table_limits',
                  DATATYPE = jsonb_build_object('min', min_stake, 'max', max_stake)::text,
                  DETAIL = 'The minimum must be above 0 and not above the maximum.';
    END IF;

    -- the table's own limits are those of the principal bet, and of a straight in roulette
    FOR lim IN SELECT b.kind FROM casino.bet_rule b
                WHERE b.plan_id = table_settings.plan_id
                  AND (b.table_limits = 'principal' OR b.kind = 'straight') LOOP
        PERFORM casino_internal.check_table_limit(plan_id, lim.kind, min_stake, max_stake);
    END LOOP;
    limits := coalesce(options -> 'limits', '{}');
    IF jsonb_typeof(limits) <> 'object' THEN
        RAISE EXCEPTION 'limits must be a JSON object of kinds of bet'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- from the principal bet follow those of others: of bets behind, of a box together, of inside bets; from
    -- what lies there the amounts in play (R11.22)
    SELECT b.kind INTO odd FROM casino.bet_rule b
     WHERE b.plan_id = table_settings.plan_id
       AND limits ? b.kind
       AND (b.table_limits = 'principal' OR b.kind = 'straight' OR b.phase <> 'betting')
     ORDER BY b.kind LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION '% has no limits of its own at a table', odd
            USING ERRCODE = 'KB002', CONSTRAINT = 'table_limits',
                  DATATYPE = jsonb_build_object('kind', odd)::text,
                  DETAIL = 'The minimum and maximum of the table are those of its principal bet, from which '
                           'others follow; what is staked in play follows from the stakes.',
                  HINT = 'Give them as min_stake and max_stake.';
    END IF;
    FOR lim IN SELECT key AS kind, value AS bounds FROM jsonb_each(limits) LOOP
        IF jsonb_typeof(lim.bounds) <> 'object' OR lim.bounds - ARRAY['min', 'max'] <> '{}'
           OR EXISTS (SELECT FROM jsonb_each(lim.bounds) b WHERE jsonb_typeof(b.value) <> 'number') THEN
            RAISE EXCEPTION 'limits of % must be an object with numbers min and max', left(lim.kind, 64)
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        PERFORM casino_internal.check_table_limit(plan_id, lim.kind,
                                                  casino.checked_amount((lim.bounds ->> 'min')::numeric),
                                                  casino.checked_amount((lim.bounds ->> 'max')::numeric));
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.table_settings(bigint, text, numeric, numeric, jsonb)
    IS 'Part of add_game_table() and set_table_limits(): limits and switches of a table as they are kept, '
       'checked against a plan version';

CREATE FUNCTION casino_internal.table_limits_of(table_id bigint, version integer) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_object_agg(l.kind,
                                     jsonb_strip_nulls(jsonb_build_object(
                                         'min', l.min_stake, 'max', l.max_stake))),
                    '{}')
      FROM casino.table_limit l WHERE l.table_id = $1 AND l.version = $2
$fn$;
COMMENT ON FUNCTION casino_internal.table_limits_of(bigint, integer)
    IS 'Part of table_limits_at(): limits of single kinds of a version of a table, in the form of the '
       'option limits';

CREATE FUNCTION casino_internal.put_table_version(table_id bigint, version integer, valid_from timestamptz,
                                                  settings record)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.table_version AS v (table_id, version, valid_from, min_stake, max_stake, surrender,
                                           behind, seats, recorded_at)
    VALUES (table_id, version, valid_from, settings.min_stake, settings.max_stake, settings.surrender,
            settings.behind,
            settings.seats, clock_timestamp());
    INSERT INTO casino.table_limit (table_id, version, kind, min_stake, max_stake)
    SELECT table_id, version, l.key, casino.checked_amount((l.value ->> 'min')::numeric),
           casino.checked_amount((l.value ->> 'max')::numeric)
      FROM jsonb_each(settings.limits) l;
END
$fn$;
COMMENT ON FUNCTION casino_internal.put_table_version(bigint, integer, timestamptz, record)
    IS 'Part of add_game_table() and set_table_limits(): writes a version of a table';

-- Is the version of a table what is asked for?
CREATE FUNCTION casino_internal.same_table_version(table_id bigint, version integer, settings record)
    RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT (v.min_stake, v.max_stake, v.surrender, v.behind, v.seats,
                    casino_internal.table_limits_of(v.table_id, v.version))
                   IS NOT DISTINCT FROM (settings.min_stake, settings.max_stake, settings.surrender,
                                         settings.behind, settings.seats,
                                         settings.limits)
              FROM casino.table_version v
             WHERE v.table_id = same_table_version.table_id AND v.version = same_table_version.version);
END
$fn$;
COMMENT ON FUNCTION casino_internal.same_table_version(bigint, integer, record)
    IS 'Part of add_game_table() and set_table_limits(): does a version of a table say the same';

CREATE FUNCTION casino.add_game_table(game text, name text, min_stake numeric, max_stake numeric,
                                      options jsonb DEFAULT '{}', table_id bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino_internal.plan_in_force_or_next(game, clock_timestamp());
    settings record;
    home integer;
    id bigint;
    before casino.game_table;
BEGIN
    IF game IS NULL OR min_stake IS NULL OR max_stake IS NULL OR coalesce(btrim(name), '') = '' THEN
        RAISE EXCEPTION 'game, name, min_stake and max_stake must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    name := casino_internal.canonical_text(name, 'name');
    PERFORM casino_internal.bounded(name, 'name', 200);
    -- whether this is a cell does not change from here on
    LOCK TABLE casino.game_table IN ROW EXCLUSIVE MODE;
    PERFORM casino_internal.check_given_number(table_id, 'table_id');
    SELECT * INTO settings
      FROM casino_internal.table_settings(plan, game, min_stake, max_stake,
                                          CASE WHEN jsonb_typeof(options) = 'object'
                                              THEN options - 'home_cell'
                                               ELSE options END);
    home := casino_internal.table_home_cell(options, game, settings.seats IS NOT NULL);
    LOOP
        INSERT INTO casino.game_table AS t (table_id, game, name, versions, home_cell)
        VALUES (coalesce(add_game_table.table_id, nextval('casino.table_id_seq')), add_game_table.game,
                add_game_table.name, 1, home)
        ON CONFLICT DO NOTHING RETURNING t.table_id INTO id;
        IF FOUND THEN
            PERFORM casino_internal.put_table_version(id, 1, '-infinity', settings);
            RETURN id;
        END IF;
        -- a retry, or another table of that name (R13.7)
        SELECT t.* INTO before FROM casino.game_table t
         WHERE t.game = add_game_table.game AND t.name = add_game_table.name;
        IF FOUND THEN
            IF coalesce(add_game_table.table_id, before.table_id) <> before.table_id
               OR home IS DISTINCT FROM before.home_cell
               OR NOT casino_internal.same_table_version(before.table_id, 1, settings) THEN
                RAISE EXCEPTION 'table "%" of % already exists with other settings', name, game
                    USING ERRCODE = 'unique_violation', DETAIL = format('It is table %s.', before.table_id),
                          HINT = 'casino.set_table_limits() changes limits and switches of a table.';
            END IF;
            RETURN before.table_id;
        END IF;
        SELECT t.* INTO before FROM casino.game_table t WHERE t.table_id = add_game_table.table_id;
        IF FOUND THEN
            RAISE EXCEPTION 'number % is another table''s', before.table_id
                USING ERRCODE = 'unique_violation',
                      DETAIL = format('It is table "%s" of %s.', before.name, before.game);
        END IF;
        -- the number drawn was given to another table: the next one
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.add_game_table(text, text, numeric, numeric, jsonb, bigint)
    IS 'Adds a table with its limits within the game plan''s; options: surrender, behind, seats, limits, in '
       'a cell home_cell. Returns its number, in a cell the one that the hub gives, and the same again for '
       'the same table';

CREATE FUNCTION casino_internal.table_version_at(table_id bigint, at timestamptz) RETURNS integer
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT v.version
      FROM casino.table_version v
     WHERE v.table_id = $1 AND v.valid_from <= $2
     ORDER BY v.version DESC
     LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.table_version_at(bigint, timestamptz)
    IS 'Part of open_round(): version of a table''s limits in force at a time';

CREATE FUNCTION casino.set_table_limits(table_id bigint, min_stake numeric, max_stake numeric,
                                        options jsonb DEFAULT '{}',
                                        at timestamptz DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.table_version;
    at_table casino.game_table;
    held casino.table_version;
    kept jsonb;
    settings record;
    starts timestamptz;
    later timestamptz;
BEGIN
    IF table_id IS NULL OR min_stake IS NULL OR max_stake IS NULL THEN
        RAISE EXCEPTION 'table_id, min_stake and max_stake must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- rounds are opened under the same lock: none is opened under a version that has ended (R11.7)
    SELECT t.*
      INTO at_table
      FROM casino.game_table t
     WHERE t.table_id = set_table_limits.table_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT v.* INTO STRICT present FROM casino.table_version v
     WHERE v.table_id = at_table.table_id AND v.version = at_table.versions;
    IF jsonb_typeof(coalesce(options, '{}')) <> 'object' THEN
        RAISE EXCEPTION 'options must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF options ? 'home_cell' AND at_table.home_cell IS NOT NULL THEN
        IF options -> 'home_cell' <> to_jsonb(at_table.home_cell) THEN
            RAISE EXCEPTION 'the home cell of table "%" does not change', at_table.name
                USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', at_table.home_cell);
        END IF;
        options := options - 'home_cell';
    END IF;
    -- a call come again after other changes is known by its time: it is judged by what held then (R13.8)
    held := present;
    IF at < present.valid_from THEN
        SELECT v.* INTO STRICT held FROM casino.table_version v
         WHERE v.table_id = at_table.table_id
             AND v.version = casino_internal.table_version_at(at_table.table_id, at);
    END IF;
    -- switches and limits that are not named stay
    kept := jsonb_strip_nulls(jsonb_build_object('seats', held.seats))
            || jsonb_build_object('surrender', held.surrender, 'behind', held.behind,
                                  'limits', casino_internal.table_limits_of(held.table_id, held.version));
    SELECT * INTO settings
      FROM casino_internal.table_settings(casino_internal.plan_in_force_or_next(at_table.game,
                                                                                coalesce(at,
                                                                                         clock_timestamp())),
                                          at_table.game,
                                          min_stake, max_stake, kept || coalesce(options, '{}'));
    IF casino_internal.same_table_version(held.table_id, held.version, settings) THEN
        RETURN held.version;
    END IF;
    SELECT max(r.opened_at) INTO later FROM casino.round r WHERE r.table_id = at_table.table_id;
    starts := casino_internal.round_event_time(at,
                                               greatest(present.valid_from,
                                                        later) + interval '1 microsecond');
    IF starts <= greatest(present.valid_from, later) THEN
        RAISE EXCEPTION 'time % is not after the last change of table "%" and its last round', starts,
            at_table.name
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', starts, 'not_before', greatest(present.valid_from,
                      later))::text,
                  DETAIL = format('Version %s is valid from %s, the last round was opened at %s.',
                                  present.version, present.valid_from, later),
                  HINT = 'What held before does not change; leave the time out.';
    END IF;
    UPDATE casino.game_table t SET versions = t.versions + 1 WHERE t.table_id = at_table.table_id;
    PERFORM casino_internal.put_table_version(at_table.table_id, present.version + 1, starts, settings);
    RETURN present.version + 1;
END
$fn$;
COMMENT ON FUNCTION casino.set_table_limits(bigint, numeric, numeric, jsonb, timestamptz)
    IS 'Gives a table other limits and switches, within the game plan''s; options that are not named stay. '
       'A round keeps what it was opened under. Returns the number of the version, the present one when it '
       'says the same';

CREATE FUNCTION casino.table_limits_at(table_id bigint, at timestamptz DEFAULT clock_timestamp(),
                                       OUT version integer, OUT valid_from timestamptz,
                                       OUT valid_until timestamptz, OUT min_stake numeric,
                                       OUT max_stake numeric, OUT surrender boolean,
                                       OUT behind boolean, OUT seats integer, OUT limits jsonb,
                                       OUT recorded_at timestamptz) RETURNS record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.game_table t WHERE t.table_id = table_limits_at.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT v.version, v.valid_from, n.valid_from, v.min_stake, v.max_stake, v.surrender, v.behind, v.seats,
           v.recorded_at
      INTO version, valid_from, valid_until, min_stake, max_stake, surrender, behind, seats, recorded_at
      FROM casino.table_version v
      LEFT JOIN casino.table_version n ON n.table_id = v.table_id AND n.version = v.version + 1
     WHERE v.table_id = table_limits_at.table_id AND v.valid_from <= table_limits_at.at
     ORDER BY v.version DESC LIMIT 1;
    limits := (SELECT coalesce(jsonb_object_agg(l.kind,
                                                jsonb_strip_nulls(jsonb_build_object(
                                                    'min', l.min_stake, 'max', l.max_stake))),
                               '{}')
                 FROM casino.table_limit l
                WHERE l.table_id = table_limits_at.table_id AND l.version = table_limits_at.version);
END
$fn$;
COMMENT ON FUNCTION casino.table_limits_at(bigint, timestamptz)
    IS 'Limits and switches of a table that held at a time, with the version and until when; a round keeps '
       'those it was opened under: casino.round.table_version';
