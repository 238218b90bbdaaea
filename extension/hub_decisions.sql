-- The functions that a hub decides, under the names of one server with hub_ before them:
-- casino.settle_round() at a hub runs casino_internal.hub_settle_round() as the owner.  Arguments and
-- answers are
-- those of one server.

CREATE FUNCTION casino_internal.hub_register_player(external_ref text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    home integer;
    account jsonb;
    answers casino.cell_answer[];
BEGIN
    IF person_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(person_ref, 'external_ref', 200);
    -- R12.94: until the cell has the person, no erasure of a former one takes the row
    PERFORM casino_internal.hub_lock('person', person_ref);
    SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = person_ref;
    IF home IS NULL THEN
        PERFORM casino_internal.hub_enter('person', person_ref);
        -- a cell that was not asked yet after the hub was restored may know him
        IF EXISTS (SELECT FROM casino.hub_cell c WHERE NOT c.learned) THEN
            RAISE EXCEPTION 'no new persons are registered before every cell has told the restored '
                            'hub whom it knows'
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = format('Not asked yet: %s.',
                                      (SELECT string_agg('cell ' || c.cell, ', ' ORDER BY c.cell)
                                       FROM casino.hub_cell c WHERE NOT c.learned)),
                      HINT = 'SELECT * FROM casino.catch_up() when it is up again.';
        END IF;
        home := casino.hub_write('person', jsonb_build_object('external_ref', person_ref))::integer;
        IF home IS NULL THEN
            RAISE EXCEPTION 'no cell takes new persons' USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'casino.add_cell() adds one; see casino.cell_status.';
        END IF;
    END IF;
    answers := casino_internal.hub_ask(ARRAY[home], 0, 'register_player',
                                       casino_internal.hub_numbers_of(person_ref, home));
    PERFORM casino_internal.raise_unreached(answers, 'register the person');
    PERFORM casino_internal.raise_refusal(answers);
    account := (answers[1]).result;
    -- R12.100: kept before anybody is told
    IF NOT casino_internal.hub_has_player(account) THEN
        PERFORM casino_internal.hub_may_decide();
        PERFORM casino.hub_write('players', jsonb_build_object('cell', home,
                                                               'accounts', jsonb_build_array(account)));
        IF NOT casino_internal.hub_has_player(account) THEN
            RAISE EXCEPTION 'player % is another person at the hub', account ->> 'player_id'
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = format('Cell %s was put back and gave the number anew, past the hub.', home),
                      HINT = 'Restore the cell again and call casino.catch_up() at the hub.';
        END IF;
    END IF;
    RETURN (account ->> 'player_id')::bigint;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_register_player(text) IS
    'Part of register_player() at a hub: a person has one home cell, which is written down before '
    'it hears of him';

CREATE FUNCTION casino_internal.hub_add_game_table(game text, name text, min_stake numeric, max_stake numeric,
                                                   options jsonb, table_id bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    given jsonb := coalesce(options, '{}');
    settings record;
    present casino.hub_table;
    arguments jsonb;
    number bigint;
BEGIN
    IF game IS NULL OR min_stake IS NULL OR max_stake IS NULL OR coalesce(btrim(name), '') = '' THEN
        RAISE EXCEPTION 'game, name, min_stake and max_stake must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.hub_numbers(table_id);
    name := casino_internal.canonical_text(name, 'name');
    PERFORM casino_internal.bounded(name, 'name', 200);
    SELECT * INTO settings
        FROM casino_internal.table_settings(casino_internal.plan_in_force_or_next(game, clock_timestamp()),
                                                               game, min_stake, max_stake,
                                                               CASE WHEN jsonb_typeof(given) = 'object'
                                                                   THEN given - 'home_cell' ELSE given END);
    PERFORM casino_internal.hub_enter('new table', game || ' ' || name);
    SELECT t.* INTO present FROM casino.hub_table t
     WHERE t.game = hub_add_game_table.game AND t.name = hub_add_game_table.name;
    number := coalesce(present.table_id, nextval('casino.table_id_seq'));
    IF settings.seats IS NOT NULL AND NOT given ? 'home_cell' THEN
        -- the cell with the fewest tables of its own
        given := given || jsonb_build_object('home_cell', coalesce(present.home_cell,
            (SELECT c.cell FROM casino.hub_cell c WHERE c.down_since IS NULL
              ORDER BY (SELECT count(*) FROM casino.hub_table t WHERE t.home_cell = c.cell), c.cell
                  LIMIT 1)));
    END IF;
    arguments := jsonb_build_object('game', game, 'name', name, 'min_stake', min_stake, 'max_stake',
                                    max_stake, 'options', given, 'table_id', number);
    PERFORM casino_internal.raise_refusal(casino_internal.hub_try(number, 'add_game_table', arguments));
    IF present.table_id IS NULL THEN
        IF given ? 'home_cell' AND NOT EXISTS (SELECT FROM casino.hub_cell c
                                               WHERE to_jsonb(c.cell) = given -> 'home_cell') THEN
            RAISE EXCEPTION 'home_cell % is not in use',
                given -> 'home_cell' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        PERFORM casino_internal.hub_decide('add_game_table', number, NULL, arguments);
    END IF;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_add_game_table(text, text, numeric, numeric, jsonb, bigint) IS
    'Part of add_game_table() at a hub: one number in all cells; a table with seats gets a home cell';

CREATE FUNCTION casino_internal.hub_numbers(number bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF number IS NOT NULL THEN
        RAISE EXCEPTION 'a hub numbers tables and rounds itself' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_numbers(bigint) IS 'Part of the hub: 22023 for a number given';

CREATE FUNCTION casino_internal.hub_table_of(table_id bigint) RETURNS casino.hub_call_table
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t casino.hub_call_table;
BEGIN
    IF table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT h.table_id, h.game, h.name, h.home_cell, g.family INTO t FROM casino.hub_table h
      JOIN casino.game g ON g.game = h.game
     WHERE h.table_id = hub_table_of.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    RETURN t;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_table_of(bigint)
    IS 'Part of the hub: a table; 23503: unknown';

-- A round under the lock of its table, as it is now
CREATE FUNCTION casino_internal.hub_round_of(id bigint) RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    at_table bigint;
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'round_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT h.table_id INTO at_table FROM casino.hub_round h WHERE h.round_id = id;
    IF NOT FOUND THEN
        PERFORM casino_internal.hub_enter('round', id::text);
        RAISE EXCEPTION 'round % does not exist', id USING ERRCODE = 'foreign_key_violation';
    END IF;
    PERFORM casino_internal.hub_enter('table', at_table::text);
    SELECT h.round_id, h.table_id, h.status, h.opened_at, h.betting_closed_at, h.actions_closed_at,
           h.evaluated_at, h.outcome, h.reason, t.home_cell,
           EXISTS (SELECT FROM casino.game_plan p JOIN casino.bet_rule b ON b.plan_id = p.plan_id
                   WHERE p.game = t.game AND b.phase <> 'betting')
      INTO r FROM casino.hub_round h JOIN casino.hub_table t ON t.table_id = h.table_id WHERE h.round_id = id;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_round_of(bigint) IS
    'Part of the hub: a round with its table locked; 23503: unknown';

-- The last decision of a kind on a round; 0: none
CREATE FUNCTION casino_internal.hub_decided(round_id bigint, call text) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(d.decision_no), 0) FROM casino.hub_decision d
     WHERE d.round_id = $1 AND d.call = $2 AND casino_internal.hub_stands(d.decision_no)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_decided(bigint, text) IS
    'Part of the hub: number of what was decided on a round';

CREATE FUNCTION casino_internal.hub_round_state(r casino.hub_call_round, detail text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'round % is %', r.round_id, r.status
        USING ERRCODE = 'KR002', CONSTRAINT = 'round_state',
              DATATYPE = jsonb_build_object('round_id', r.round_id, 'status', r.status)::text,
              DETAIL = detail;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_round_state(casino.hub_call_round, text) IS 'Part of the hub: KR002';

CREATE FUNCTION casino_internal.hub_set_table_limits(table_id bigint, min_stake numeric, max_stake numeric,
                                                     options jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t CONSTANT casino.hub_call_table := casino_internal.hub_table_of(table_id);
    arguments jsonb;
    answers casino.cell_answer[];
    last timestamptz;
BEGIN
    PERFORM casino_internal.hub_enter('table', table_id::text);
    SELECT max(r.opened_at) INTO last FROM casino.hub_round r WHERE r.table_id = t.table_id;
    arguments := jsonb_build_object('table_id', table_id, 'min_stake', min_stake, 'max_stake', max_stake,
                                    'options', coalesce(options, '{}'),
                                    'at', casino_internal.event_time(at, last + interval '1 microsecond'));
    answers := casino_internal.hub_try(table_id, 'set_table_limits', arguments);
    PERFORM casino_internal.raise_refusal(answers);
    PERFORM casino_internal.hub_decide('set_table_limits', table_id, NULL, arguments);
    RETURN (SELECT max(a.result::text::integer) FROM unnest(answers) a WHERE a.code = '00000');
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_set_table_limits(bigint, numeric, numeric, jsonb, timestamptz) IS
    'Part of set_table_limits() at a hub';

-- Closing and opening a table: decided at the hub, so that no cell opens a round there (R8.28).
CREATE FUNCTION casino_internal.hub_operate(call text, table_id bigint, reason text, at timestamptz)
    RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t CONSTANT casino.hub_call_table := casino_internal.hub_table_of(table_id);
    last casino.hub_decision;
    ended timestamptz;
    arguments jsonb;
    answers casino.cell_answer[];
BEGIN
    PERFORM casino_internal.hub_enter('table', table_id::text);
    SELECT max(greatest(r.opened_at, r.evaluated_at)) INTO ended
      FROM casino.hub_round r WHERE r.table_id = t.table_id;
    -- the same call again keeps its time
    SELECT d.* INTO last FROM casino.hub_decision d
     WHERE d.table_id = t.table_id AND d.call IN ('close_game_table', 'reopen_game_table')
       AND casino_internal.hub_stands(d.decision_no)
     ORDER BY d.decision_no DESC LIMIT 1;
    arguments := jsonb_build_object('table_id', table_id, 'reason', reason);
    IF last.call = hub_operate.call AND last.arguments - 'at' = arguments
       AND coalesce(at = (last.arguments ->> 'at')::timestamptz, true) THEN
        arguments := last.arguments;
    ELSE
        last := NULL;
        ended := greatest(ended, (SELECT max((d.arguments ->> 'at')::timestamptz)
                                    FROM casino.hub_decision d
                                   WHERE d.table_id = t.table_id
                                     AND d.call IN ('close_game_table', 'reopen_game_table')));
        arguments := arguments || jsonb_build_object('at', casino_internal.event_time(at, ended));
    END IF;
    answers := casino_internal.hub_try(table_id, call, arguments);
    PERFORM casino_internal.raise_refusal(answers);
    IF last.decision_no IS NULL THEN
        PERFORM casino_internal.hub_decide(call, table_id, NULL, arguments);
    END IF;
    RETURN (SELECT max(a.result::text::integer) FROM unnest(answers) a WHERE a.code = '00000');
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_operate(text, bigint, text, timestamptz)
    IS 'Part of close_game_table() and reopen_game_table() at a hub';

CREATE FUNCTION casino_internal.hub_close_game_table(table_id bigint, reason text, at timestamptz)
    RETURNS integer
    LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
    AS $fn$ SELECT casino_internal.hub_operate('close_game_table', $1, $2, $3) $fn$;
COMMENT ON FUNCTION casino_internal.hub_close_game_table(bigint, text, timestamptz)
    IS 'Part of close_game_table() at a hub';

CREATE FUNCTION casino_internal.hub_reopen_game_table(table_id bigint, reason text, at timestamptz)
    RETURNS integer
    LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
    AS $fn$ SELECT casino_internal.hub_operate('reopen_game_table', $1, $2, $3) $fn$;
COMMENT ON FUNCTION casino_internal.hub_reopen_game_table(bigint, text, timestamptz)
    IS 'Part of reopen_game_table() at a hub';

-- Figures of the duties hold in all cells alike (R7.84): every cell agrees first. A cell that is cut off in
-- between is told by the same call again, which changes nothing in the others; until then its plans differ.
CREATE FUNCTION casino_internal.hub_set_duty_rule(name text, value text, valid_from timestamptz,
                                                  paragraph text,
                                                  document text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    cells CONSTANT integer[] := ARRAY(SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell);
    arguments CONSTANT jsonb :=
        jsonb_build_object('name', name, 'value', value, 'valid_from', valid_from, 'paragraph', paragraph,
                           'document', document);
    answers casino.cell_answer[];
BEGIN
    PERFORM casino_internal.hub_enter('duty rule', coalesce(name, ''));
    PERFORM casino_internal.put_duty_rule(name, value, valid_from, paragraph, document);
    FOR dry IN 0 .. 1 LOOP
        answers := casino_internal.hub_ask(cells, 0, 'set_duty_rule', arguments, dry = 0);
        PERFORM casino_internal.raise_refusal(answers);
        IF EXISTS (SELECT FROM unnest(answers) a WHERE casino_internal.hub_silent(a.code)) THEN
            RAISE EXCEPTION 'not every cell could be told of the figure "%"', name
                USING ERRCODE = 'connection_failure',
                      DETAIL = (SELECT string_agg(format('Cell %s: %s', a.cell, a.message), E'\n')
                                  FROM unnest(answers) a WHERE casino_internal.hub_silent(a.code)),
                      HINT =
                          'Call it again before the figure is to hold; casino.cell_status shows the cells.';
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_set_duty_rule(text, text, timestamptz, text, text)
    IS 'Part of set_duty_rule() at a hub: in every cell and here, or 08006';

-- The facts of a round stand in the decision that opened it.
CREATE FUNCTION casino_internal.hub_facts(round_id bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT d.arguments -> 'facts' FROM casino.hub_decision d
     WHERE d.decision_no = casino_internal.hub_decided($1, 'open_round')
$fn$;
COMMENT ON FUNCTION casino_internal.hub_facts(bigint) IS
    'Part of the hub: the facts that a round was opened with; NULL for none';

CREATE FUNCTION casino_internal.hub_open_round(table_id bigint, round_ref text, at timestamptz,
                                               round_id bigint,
                                               betting_until timestamptz, facts jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t CONSTANT casino.hub_call_table := casino_internal.hub_table_of(table_id);
    before casino.hub_round;
    ended timestamptz;
    opened timestamptz;
    plan bigint;
    version integer;
    number bigint;
    arguments jsonb;
    answers casino.cell_answer[];
BEGIN
    IF coalesce(btrim(round_ref), '') = '' THEN
        RAISE EXCEPTION 'table_id and round_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF NOT isfinite(betting_until) THEN
        RAISE EXCEPTION 'betting_until must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    PERFORM casino_internal.hub_numbers(round_id);
    round_ref := casino_internal.canonical_text(round_ref, 'round_ref');
    PERFORM casino_internal.bounded(round_ref, 'round_ref', 200);
    facts := casino_internal.round_facts(facts);
    PERFORM casino_internal.hub_enter('table', table_id::text);
    SELECT r.* INTO before FROM casino.hub_round r
     WHERE r.table_id = t.table_id AND r.round_ref = hub_open_round.round_ref;
    IF before.status = 'withdrawn' THEN
        number := before.round_id;
    ELSIF FOUND THEN
        PERFORM casino_internal.hub_remember(before.round_id);
        IF betting_until <> before.betting_until THEN
            RAISE EXCEPTION 'round "%" was opened with another end of betting', round_ref
                USING ERRCODE = 'KR002', CONSTRAINT = 'opened_otherwise',
                      DATATYPE = jsonb_build_object('round_ref', round_ref, 'round_id', before.round_id,
                                                    'betting_until', before.betting_until)::text,
                      DETAIL = format('betting_until is %s.', before.betting_until);
        END IF;
        IF facts IS DISTINCT FROM casino_internal.hub_facts(before.round_id) THEN
            RAISE EXCEPTION 'round "%" was opened with other facts', round_ref
                USING ERRCODE = 'KR002', CONSTRAINT = 'opened_otherwise',
                      DATATYPE = jsonb_build_object('round_ref', round_ref,
                                                    'round_id', before.round_id)::text,
                      DETAIL = format('Its facts are %s.',
                                      coalesce(casino_internal.hub_facts(before.round_id), '{}'));
        END IF;
        PERFORM casino_internal.hub_hold(casino_internal.hub_decided(before.round_id, 'open_round'));
        RETURN before.round_id;
    END IF;
    opened := casino_internal.event_time(at);
    IF betting_until <= opened THEN
        RAISE EXCEPTION 'betting until % would end before it begins', betting_until
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = format('The round is opened at %s.', opened);
    END IF;
    SELECT r.* INTO before FROM casino.hub_round r
     WHERE r.table_id = t.table_id AND r.status IN ('open', 'closed');
    IF FOUND THEN
        RAISE EXCEPTION 'table "%" has an unevaluated round', t.name
            USING ERRCODE = 'KR002', CONSTRAINT = 'unevaluated_round',
                  DATATYPE = jsonb_build_object('table', t.name, 'round_id', before.round_id,
                                                'round_ref', before.round_ref, 'status', before.status)::text,
                  DETAIL = format('Round %s ("%s") is %s.', before.round_id, before.round_ref, before.status),
                  HINT = 'Settle or void it first.';
    END IF;
    plan := casino.plan_in_force(t.game, opened);
    IF NOT casino_internal.plan_is_checked(plan) THEN
        PERFORM casino_internal.require_plan(plan);
    END IF;
    SELECT p.version INTO version FROM casino.game_plan p WHERE p.plan_id = plan;
    number := coalesce(number, nextval('casino.round_id_seq'));
    arguments := jsonb_build_object('table_id', table_id, 'round_ref', round_ref, 'at', opened, 'round_id',
                                    number, 'plan_version', version,
                                    'betting_until',
                                    coalesce(betting_until,
                                             opened + (SELECT h.betting_time FROM casino.hub h)))
        || jsonb_strip_nulls(jsonb_build_object('facts', facts));
    -- a cell that cannot open it sits it out, which casino.cell_status shows; the others play
    answers := casino_internal.hub_try(table_id, 'open_round', arguments, t.home_cell);
    IF NOT EXISTS (SELECT FROM unnest(answers) a
                   WHERE a.code = '00000' AND coalesce(a.cell = t.home_cell, true)) THEN
        PERFORM casino_internal.raise_refusal(answers);
    END IF;
    PERFORM casino_internal.hub_decide('open_round', table_id, number, arguments);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_open_round(bigint, text, timestamptz, bigint, timestamptz, jsonb) IS
    'Part of open_round() at a hub: one number and one end of betting in all cells';

CREATE FUNCTION casino_internal.hub_close(r casino.hub_call_round, at timestamptz)
    RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.hub_decide('close_betting', r.table_id, r.round_id,
                                       jsonb_build_object('round_id', r.round_id, 'at', at));
    r.status := 'closed';
    r.betting_closed_at := at;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_close(casino.hub_call_round, timestamptz) IS
    'Part of the hub: ends betting in all cells';

CREATE FUNCTION casino_internal.hub_check_time(r casino.hub_call_round, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last CONSTANT timestamptz := greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at);
BEGIN
    IF at < last THEN
        RAISE EXCEPTION 'time % is before what happened last in round %', at, r.round_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', at, 'not_before', last)::text,
                  DETAIL = format('That was at %s.', last);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_check_time(casino.hub_call_round, timestamptz) IS
    'Part of the hub: KL005 for a time before the last event of a round';

CREATE FUNCTION casino_internal.hub_close_betting(round_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    t timestamptz;
BEGIN
    IF r.status = 'open' THEN
        -- R13.36: called at the table while the hub could not hear of it
        IF at >= r.opened_at
           AND at < (SELECT greatest(h.away_until, pg_postmaster_start_time()) FROM casino.hub h) THEN
            t := at;
        ELSE
            t := casino_internal.event_time(at, r.opened_at);
        END IF;
        PERFORM casino_internal.hub_check_time(r, t);
        -- R13.30: before it is written somebody must be there to hear of it
        PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'follow', '{}'));
        PERFORM casino_internal.hub_close(r, t);
    ELSIF r.betting_closed_at IS NULL THEN
        PERFORM casino_internal.hub_round_state(r, 'Its betting was never closed.');
    ELSE
        PERFORM casino_internal.hub_remember(round_id);
        PERFORM casino_internal.hub_hold(casino_internal.hub_decided(round_id, 'close_betting'));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_close_betting(bigint, timestamptz)
    IS 'Part of close_betting() at a hub';

-- R12.160: cards and what follows them come after the cards that lie there, whose times the hub has
CREATE FUNCTION casino_internal.hub_last_dealt(of_round bigint) RETURNS timestamptz
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT max((d.arguments ->> 'at')::timestamptz)
      FROM casino.hub_decision d
     WHERE d.round_id = of_round
       AND d.call IN ('deal', 'correct_deal')
       AND casino_internal.hub_stands(d.decision_no)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_last_dealt(bigint)
    IS 'Part of the hub: the latest time of the cards of a round; NULL: it has no cards';

-- Cards without a time are not dated before a stake in play of any cell, as on one server (R12.158). About
-- another time the cells are asked once more.
CREATE FUNCTION casino_internal.hub_try_cards(r casino.hub_call_round, call text, INOUT arguments jsonb,
                                              at timestamptz, OUT answers casino.cell_answer[])
RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t timestamptz := casino_internal.event_time(at, greatest(r.betting_closed_at,
                                                             casino_internal.hub_last_dealt(r.round_id)));
    placed timestamptz;
BEGIN
    FOR attempt IN 1 .. 2 LOOP
        arguments := arguments || jsonb_build_object('at', t);
        answers := casino_internal.hub_try(r.table_id, call, arguments, r.home_cell);
        PERFORM casino_internal.raise_refusal(answers);
        SELECT max((a.result ->> 'placed')::timestamptz) INTO placed
          FROM unnest(answers) a
         WHERE a.code = '00000';
        EXIT WHEN at IS NOT NULL OR placed IS NULL OR placed <= t;
        t := casino_internal.event_time(NULL, placed);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_try_cards(casino.hub_call_round, text, jsonb, timestamptz)
    IS 'Part of deal() and correct_deal() at a hub: asks the cells about cards, at the time that was given, '
       'or else after the stakes that lie there';

CREATE FUNCTION casino_internal.hub_deal(round_id bigint, partial_outcome jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    arguments jsonb;
    again bigint;
BEGIN
    IF partial_outcome IS NULL THEN
        RAISE EXCEPTION 'partial_outcome must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    r := casino_internal.hub_round_of(round_id);
    SELECT max(d.decision_no) INTO again FROM casino.hub_decision d
     WHERE d.round_id = r.round_id AND d.call IN ('deal', 'correct_deal')
         AND d.arguments -> 'document' = partial_outcome AND casino_internal.hub_stands(d.decision_no);
    IF again IS NOT NULL THEN
        PERFORM casino_internal.hub_hold(again);
        RETURN;
    END IF;
    PERFORM casino_internal.hub_remember(round_id);
    IF r.status <> 'closed' THEN
        PERFORM casino_internal.hub_round_state(r, 'Cards are dealt between the close of betting and the '
                                                   'evaluation.');
    END IF;
    PERFORM casino_internal.hub_check_players(partial_outcome);
    SELECT c.arguments INTO arguments
      FROM casino_internal.hub_try_cards(r, 'deal',
                                         jsonb_build_object('round_id', round_id,
                                                            'document', partial_outcome), at) c;
    PERFORM casino_internal.hub_decide('deal', r.table_id, round_id, arguments);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_deal(bigint, jsonb, timestamptz) IS 'Part of deal() at a hub';

CREATE FUNCTION casino_internal.hub_end_actions(r casino.hub_call_round, at timestamptz)
    RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    arguments CONSTANT jsonb := jsonb_build_object('round_id', r.round_id, 'at', at);
BEGIN
    -- a decision of a player dated after it is KL005 as on one server, for the provider to name another time
    PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'close_actions', arguments,
                                                                  r.home_cell));
    PERFORM casino_internal.hub_decide('close_actions', r.table_id, r.round_id, arguments);
    r.actions_closed_at := at;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_end_actions(casino.hub_call_round, timestamptz) IS
    'Part of the hub: ends the players'' decisions in all cells';

CREATE FUNCTION casino_internal.hub_close_actions(round_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    t timestamptz;
BEGIN
    IF r.actions_closed_at IS NOT NULL THEN
        PERFORM casino_internal.hub_remember(round_id);
        PERFORM casino_internal.hub_hold(casino_internal.hub_decided(round_id, 'close_actions'));
        RETURN;
    END IF;
    IF r.status <> 'closed' THEN
        PERFORM casino_internal.hub_round_state(r, 'Decisions end between the close of betting and the '
                                                   'evaluation.');
    END IF;
    t := casino_internal.event_time(at, greatest(r.betting_closed_at,
                                                 casino_internal.hub_last_dealt(r.round_id)));
    PERFORM casino_internal.hub_check_time(r, t);
    PERFORM casino_internal.hub_end_actions(r, t);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_close_actions(bigint, timestamptz)
    IS 'Part of close_actions() at a hub';

CREATE FUNCTION casino_internal.hub_hand_over_box(round_id bigint, seat integer, player_id bigint,
                                                  at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    arguments jsonb;
BEGIN
    IF seat IS NULL OR player_id IS NULL THEN
        RAISE EXCEPTION 'seat and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF r.home_cell IS NULL THEN
        RAISE EXCEPTION 'round % is played without seats', round_id
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'Its table has no home cell: the players of all cells take part.';
    END IF;
    arguments := jsonb_build_object('round_id', round_id, 'seat', seat, 'player_id', player_id,
                                    'at', casino_internal.event_time(at,
                                                                     greatest(r.opened_at,
                                                                              r.betting_closed_at)));
    PERFORM casino_internal.raise_refusal(ARRAY(SELECT a::casino.cell_answer
                                                FROM unnest(casino_internal.hub_try(r.table_id,
                                                                                    'hand_over_box',
                                                                                        arguments,
                                                                                    r.home_cell)) a
                                                 WHERE a.cell = r.home_cell));
    PERFORM casino_internal.hub_decide('hand_over_box', r.table_id, round_id, arguments, r.home_cell);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_hand_over_box(bigint, integer, bigint, timestamptz) IS
    'Part of hand_over_box() at a hub: in the home cell of the table';

CREATE FUNCTION casino_internal.hub_last_deal(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF round_id IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM casino.hub_round r WHERE r.round_id = hub_last_deal.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    PERFORM casino_internal.hub_remember(round_id);
    RETURN (SELECT d.arguments -> 'document' FROM casino.hub_decision d
            WHERE d.round_id = hub_last_deal.round_id AND d.call IN ('deal', 'correct_deal')
                AND casino_internal.hub_stands(d.decision_no)
             ORDER BY d.decision_no DESC LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_last_deal(bigint) IS 'Part of last_deal() at a hub';
