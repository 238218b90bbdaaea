-- Calls of a hub: a decision is written durably, then sent to every cell, and who has answered is noted (doc/scale.md).  The caller's
-- transaction at the hub writes nothing but who has answered, which is asked again when it is lost: what is decided is committed over a connection of the hub to itself before the first cell
-- hears of it, so that neither a crash nor a ROLLBACK leaves cells that know more than the hub (R13.15).

CREATE TYPE casino.hub_call_table AS (
    table_id  bigint,
    game      text,
    name      text,
    home_cell integer,
    family    text
);
COMMENT ON TYPE casino.hub_call_table IS 'Part of the hub: a table that is decided upon';
COMMENT ON COLUMN casino.hub_call_table.table_id IS 'Number of the table';
COMMENT ON COLUMN casino.hub_call_table.game IS 'Game';
COMMENT ON COLUMN casino.hub_call_table.name IS 'Name';
COMMENT ON COLUMN casino.hub_call_table.home_cell IS 'Home cell of a table with seats';
COMMENT ON COLUMN casino.hub_call_table.family IS 'Family of the game';

CREATE TYPE casino.hub_call_round AS (
    round_id          bigint,
    table_id          bigint,
    status            text,
    opened_at         timestamptz,
    betting_closed_at timestamptz,
    actions_closed_at timestamptz,
    evaluated_at      timestamptz,
    outcome           jsonb,
    reason            text,
    home_cell         integer,
    in_play           boolean
);
COMMENT ON TYPE casino.hub_call_round IS 'Part of the hub: a round that is decided upon';
COMMENT ON COLUMN casino.hub_call_round.round_id IS 'Number of the round';
COMMENT ON COLUMN casino.hub_call_round.table_id IS 'Table';
COMMENT ON COLUMN casino.hub_call_round.status IS 'As in casino.round';
COMMENT ON COLUMN casino.hub_call_round.opened_at IS 'When it was opened';
COMMENT ON COLUMN casino.hub_call_round.betting_closed_at IS 'When betting closed';
COMMENT ON COLUMN casino.hub_call_round.actions_closed_at IS 'When the players'' decisions ended';
COMMENT ON COLUMN casino.hub_call_round.evaluated_at IS 'When it was settled or voided';
COMMENT ON COLUMN casino.hub_call_round.outcome IS 'Outcome document it was decided by';
COMMENT ON COLUMN casino.hub_call_round.reason IS 'Why it was voided';
COMMENT ON COLUMN casino.hub_call_round.home_cell IS 'Home cell of its table';
COMMENT ON COLUMN casino.hub_call_round.in_play IS 'Has its game wagers that are placed in play?';

-- R13.18: is it the copy that has asked the cells last?  A promoted standby has another timeline; a dump that was restored is another
-- database, or its tables are others.
CREATE FUNCTION casino.hub_is_current() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT h.superseded_at IS NULL AND h.timeline = casino.timeline() AND casino.hub_is_here(h.database, h.relation) FROM casino.hub h);
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_current() IS 'Part of the hub: may it decide';

CREATE FUNCTION casino.hub_is_here(database oid, relation oid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN relation = 'casino.hub'::regclass AND database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_here(oid, oid) IS 'Part of the hub: false in a dump that was restored';

CREATE FUNCTION casino.hub_not_superseded() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := (SELECT h.superseded_at FROM casino.hub h);
BEGIN
    IF since IS NOT NULL THEN
        RAISE EXCEPTION 'another hub has taken over' USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('A cell said so at %s.', since),
            HINT = 'Stop this hub. When it is to be the hub again, stop the other one, run casino.install_hub() and casino.catch_up() here.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_not_superseded() IS 'Part of the hub: 55000 when a cell obeys another one';

-- Before anything is decided: one session at a time a table or person, and by a hub that knows what its cells know.
CREATE FUNCTION casino.hub_enter(what text, id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a hub decides in transactions that are READ COMMITTED'
            USING ERRCODE = 'feature_not_supported', DETAIL = 'What it decides is committed at once, so that the cells hear of nothing else; an older snapshot would not show it.';
    END IF;
    PERFORM casino.take_lock(format('hub %s %s', what, id));
    IF NOT casino.hub_is_current() THEN
        PERFORM casino.hub_not_superseded();
        RAISE EXCEPTION 'the hub was restored from a standby or a backup and may not know what it decided last'
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'SELECT * FROM casino.catch_up() reads it from the cells.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_enter(text, text) IS 'Part of the hub: before a decision';

-- ------------------------------------------------------------------------------------------------ asking cells

-- R13.19: the person whom the session names, or else its login
CREATE FUNCTION casino.hub_actor() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN coalesce(nullif(current_setting('casino.actor', true), ''), session_user);
END
$fn$;
COMMENT ON FUNCTION casino.hub_actor() IS 'Part of the hub: who decides, as the cells record it in casino.actor';

-- A cell that obeys a later hub says so: this one is told to be silent
CREATE FUNCTION casino.hub_heard(answers casino.cell_answer[]) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '55000' AND a.result ? 'epoch') THEN
        PERFORM casino.hub_write('superseded', '{}');
    END IF;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_heard(casino.cell_answer[]) IS 'Part of the hub: notes that a cell obeys another hub';

-- A cell that cannot be reached answers 08006 here: PL/Proxy fails as a whole when one connection does, so the cells are then asked one by one.
CREATE FUNCTION casino.hub_ask(cells integer[], decision_no bigint, call text, arguments jsonb, dry boolean DEFAULT false, actor text DEFAULT NULL) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    answers casino.cell_answer[];
    one casino.cell_answer;
    cell integer;
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
BEGIN
    IF coalesce(cardinality(cells), 0) = 0 THEN
        RETURN '{}';
    END IF;
    actor := coalesce(actor, casino.hub_actor());
    BEGIN
        SELECT array_agg(s) INTO answers FROM casino.hub_send(cells, decision_no, call, arguments, dry, actor, epoch) s;
        IF ARRAY(SELECT a.cell FROM unnest(answers) a ORDER BY 1) <> ARRAY(SELECT c FROM unnest(cells) c ORDER BY 1) THEN
            RAISE EXCEPTION 'another cell answers than was asked' USING ERRCODE = 'connection_failure';
        END IF;
        RETURN casino.hub_heard(answers);
    EXCEPTION WHEN OTHERS THEN
        IF cardinality(cells) = 1 THEN
            -- a connection that was broken since its last use is opened anew
            BEGIN
                SELECT array_agg(s) INTO answers FROM casino.hub_send(cells, decision_no, call, arguments, dry, actor, epoch) s;
                IF (answers[1]).cell = cells[1] THEN
                    RETURN casino.hub_heard(answers);
                END IF;
                RAISE EXCEPTION 'cell % answers there', (answers[1]).cell USING ERRCODE = 'connection_failure';
            EXCEPTION WHEN OTHERS THEN
                one := (cells[1], '08006', SQLERRM, NULL, NULL, NULL);
                RETURN ARRAY[one];
            END;
        END IF;
    END;
    answers := '{}';
    FOREACH cell IN ARRAY cells LOOP
        answers := answers || casino.hub_ask(ARRAY[cell], decision_no, call, arguments, dry, actor);
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask(integer[], bigint, text, jsonb, boolean, text) IS 'Part of the hub: asks cells all at once and returns the answer of each; 08006 for one that cannot be reached';

-- What to try again instead of raising an alarm: connections, conflicts of transactions, shortages, shutdowns
CREATE FUNCTION casino.passes_by(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN left(code, 2) IN ('08', '40', '53', '57', '58') OR code = '55P03';
COMMENT ON FUNCTION casino.passes_by(text) IS 'Part of the hub: is an error one that another attempt need not meet';

-- The first refusal of some answers, as the hub's own error
CREATE FUNCTION casino.raise_refusal(answers casino.cell_answer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a casino.cell_answer;
BEGIN
    FOREACH a IN ARRAY answers LOOP
        IF a.code NOT IN ('00000', '08006') THEN
            a.detail := format('Cell %s: %s', a.cell, coalesce(nullif(a.detail, ''), a.message));
            IF a.hint <> '' THEN
                RAISE EXCEPTION USING ERRCODE = a.code, MESSAGE = a.message, DETAIL = a.detail, HINT = a.hint;
            END IF;
            RAISE EXCEPTION USING ERRCODE = a.code, MESSAGE = a.message, DETAIL = a.detail;
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.raise_refusal(casino.cell_answer[]) IS 'Part of the hub: an error when a cell has refused, with its code';

CREATE FUNCTION casino.raise_unreached(answers casino.cell_answer[], what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE a.code <> '08006') THEN
        RAISE EXCEPTION 'no cell that has to % could be reached', what
            USING ERRCODE = 'connection_failure', DETAIL = (SELECT string_agg(format('Cell %s: %s', a.cell, a.message), E'\n') FROM unnest(answers) a),
                  HINT = 'casino.cell_status shows the cells; casino.catch_up() takes a cell back that is up again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.raise_unreached(casino.cell_answer[], text) IS 'Part of the hub: 08006 when nobody has answered';

-- ------------------------------------------------------------------------------------------------ what the hub writes
-- Run over the connection of the hub to itself (casino.hub_write), so that it is committed when it returns.

-- A row that the caller's own transaction has changed would be waited for without end: nobody sees such a wait, the lock's time ends it.
CREATE FUNCTION casino.hub_write_here(what text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    number bigint;
    home integer;
BEGIN
    CASE what
        WHEN 'decide' THEN
            RETURN to_jsonb(casino.hub_write_decision(a ->> 'call', (a ->> 'table_id')::bigint, (a ->> 'round_id')::bigint, a -> 'arguments', a ->> 'by',
                                                      (a ->> 'only_cell')::integer, login => a ->> 'login'));
        WHEN 'down' THEN
            UPDATE casino.hub_cell c SET down_since = coalesce(c.down_since, clock_timestamp()), down_reason = a ->> 'reason' WHERE c.cell = (a ->> 'cell')::integer;
        WHEN 'reached' THEN
            PERFORM casino.hub_note_reached((a ->> 'cell')::integer, (a ->> 'system_identifier')::bigint, (a ->> 'timeline')::integer, (a ->> 'since')::timestamptz);
        WHEN 'person' THEN
            SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = a ->> 'external_ref';
            IF home IS NULL THEN
                SELECT c.cell INTO home FROM casino.hub_cell c WHERE c.takes_persons AND c.down_since IS NULL ORDER BY c.persons, c.cell LIMIT 1;
                IF home IS NOT NULL THEN
                    PERFORM casino.hub_keep_person(a ->> 'external_ref', home);
                END IF;
            END IF;
            RETURN to_jsonb(home);
        WHEN 'learn' THEN
            PERFORM casino.hub_learn(a);
        WHEN 'restored' THEN
            UPDATE casino.hub_cell SET learned = false;
            UPDATE casino.hub SET timeline = 0, epoch = casino.hub_new_epoch(greatest(epoch, (a ->> 'epoch')::bigint));
            -- numbers that the lost part of the hub may have given are not given again
            PERFORM setval('casino.round_id_seq', nextval('casino.round_id_seq') + 1000000), setval('casino.table_id_seq', nextval('casino.table_id_seq') + 1000);
        WHEN 'current' THEN
            UPDATE casino.hub SET timeline = casino.timeline();
        WHEN 'superseded' THEN
            UPDATE casino.hub SET superseded_at = coalesce(superseded_at, clock_timestamp());
        WHEN 'excuse' THEN
            UPDATE casino.hub_answer x SET answered_at = clock_timestamp(), message = a ->> 'reason', excused_by = a ->> 'by'
             WHERE x.decision_no = (a ->> 'decision_no')::bigint AND x.cell = (a ->> 'cell')::integer AND x.answered_at IS NULL;
            GET DIAGNOSTICS number = ROW_COUNT;
            RETURN to_jsonb(number);
        ELSE
            RAISE EXCEPTION 'unknown writing "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_here(text, jsonb) IS 'Part of the hub: writes what was decided, at the end of hub_write()';

CREATE FUNCTION casino.hub_write_decision(call text, table_id bigint, round_id bigint, arguments jsonb, decided_by text, only_cell integer DEFAULT NULL,
                                          learned boolean DEFAULT false, login text DEFAULT session_user) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a CONSTANT jsonb := arguments;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
    number bigint;
    done boolean := true;
BEGIN
    CASE call
        WHEN 'add_game_table' THEN
            INSERT INTO casino.hub_table VALUES (table_id, a ->> 'game', a ->> 'name', (a -> 'options' ->> 'home_cell')::integer);
        WHEN 'open_round' THEN
            INSERT INTO casino.hub_round (round_id, table_id, round_ref, status, opened_at, betting_until, learned)
            VALUES (round_id, table_id, a ->> 'round_ref', 'open', at, (a ->> 'betting_until')::timestamptz, learned);
        WHEN 'close_betting' THEN
            UPDATE casino.hub_round r SET status = 'closed', betting_closed_at = at WHERE r.round_id = hub_write_decision.round_id AND r.status = 'open';
            done := FOUND;
        WHEN 'close_actions' THEN
            UPDATE casino.hub_round r SET actions_closed_at = at
             WHERE r.round_id = hub_write_decision.round_id AND r.status = 'closed' AND r.actions_closed_at IS NULL;
            done := FOUND;
        WHEN 'settle_round' THEN
            UPDATE casino.hub_round r
               SET status = CASE WHEN (a ->> 'withhold')::boolean THEN 'withheld' ELSE 'settled' END, outcome = a -> 'outcome', evaluated_at = at
             WHERE r.round_id = hub_write_decision.round_id AND r.status = 'closed';
            done := FOUND;
        WHEN 'void_round' THEN
            UPDATE casino.hub_round r SET status = 'voided', reason = a ->> 'reason', evaluated_at = at
             WHERE r.round_id = hub_write_decision.round_id AND r.status IN ('open', 'closed', 'withheld');
            done := FOUND;
        WHEN 'pay_withheld' THEN
            UPDATE casino.hub_round r SET status = 'settled' WHERE r.round_id = hub_write_decision.round_id AND r.status = 'withheld';
            done := FOUND;
        ELSE
            NULL;
    END CASE;
    -- the caller has looked under the lock of the table: only another copy of this hub could have been faster
    IF NOT done THEN
        RAISE EXCEPTION '% of round % was decided otherwise', call, round_id USING ERRCODE = 'serialization_failure';
    END IF;
    number := nextval('casino.hub_decision_no_seq');
    INSERT INTO casino.hub_decision VALUES (number, call, table_id, round_id, arguments, clock_timestamp(), decided_by, login);
    INSERT INTO casino.hub_answer (decision_no, cell, table_id)
    SELECT number, c.cell, hub_write_decision.table_id FROM casino.hub_cell c WHERE only_cell IS NULL OR c.cell = only_cell;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_decision(text, bigint, bigint, jsonb, text, integer, boolean, text) IS 'Part of the hub: writes a decision, its effect on the hub''s round, and who has to answer';

-- In the caller's transaction: an answer that is lost with it is asked for again, and a message less for each decision.
CREATE FUNCTION casino.hub_note(decision_no bigint, cell integer, code text, message text, result jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    UPDATE casino.hub_answer a
       SET tried_at = clock_timestamp(), answered_at = CASE WHEN hub_note.code = '00000' THEN clock_timestamp() END,
           code = nullif(hub_note.code, '00000'), message = hub_note.message, result = hub_note.result
     WHERE a.decision_no = hub_note.decision_no AND a.cell = hub_note.cell AND a.answered_at IS NULL;
    IF code = '08006' THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', message));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note(bigint, integer, text, text, jsonb) IS 'Part of the hub: notes the answer of a cell';

CREATE FUNCTION casino.hub_keep_person(external_ref text, cell integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.hub_person VALUES (external_ref, cell, clock_timestamp()) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE casino.hub_cell c SET persons = c.persons + 1 WHERE c.cell = hub_keep_person.cell;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_keep_person(text, integer) IS 'Part of the hub: gives a person a home cell';

-- A cell that was restored may have lost what it had answered: it is told again, and answers what it has not lost.
CREATE FUNCTION casino.hub_note_reached(cell integer, system_identifier bigint, timeline integer, since timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    before casino.hub_cell;
BEGIN
    SELECT c.* INTO STRICT before FROM casino.hub_cell c WHERE c.cell = hub_note_reached.cell FOR UPDATE;
    IF (before.system_identifier, before.timeline) IS DISTINCT FROM (hub_note_reached.system_identifier, hub_note_reached.timeline) OR since IS NOT NULL THEN
        UPDATE casino.hub_answer a SET answered_at = NULL
          FROM casino.hub_decision d
         WHERE d.decision_no = a.decision_no AND a.cell = hub_note_reached.cell AND a.answered_at IS NOT NULL AND a.excused_by IS NULL
           AND d.decided_at >= coalesce(since, coalesce(before.down_since, clock_timestamp()) - (SELECT h.replayed FROM casino.hub h));
    END IF;
    UPDATE casino.hub_cell c SET down_since = NULL, down_reason = NULL, system_identifier = hub_note_reached.system_identifier, timeline = hub_note_reached.timeline
     WHERE c.cell = hub_note_reached.cell;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note_reached(integer, bigint, integer, timestamptz) IS 'Part of catch_up(): a cell is up; one that is another copy than before is told again what it may have lost';

-- ------------------------------------------------------------------------------------------------ carrying out

-- What a cell has to answer on a table before a decision, in its order; true when nothing is left
CREATE FUNCTION casino.hub_deliver(cell integer, table_id bigint, before bigint DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d casino.hub_decision;
    answers casino.cell_answer[];
    refused bigint;
    ended boolean := false;
BEGIN
    FOR d IN
        SELECT e.* FROM casino.hub_answer a JOIN casino.hub_decision e ON e.decision_no = a.decision_no
         WHERE a.cell = hub_deliver.cell AND a.table_id = hub_deliver.table_id AND a.answered_at IS NULL AND (before IS NULL OR a.decision_no < before)
         ORDER BY a.decision_no
    LOOP
        -- a restored hub may have learned how a round ended after it had learned that the next one was opened
        CONTINUE WHEN refused IS NOT NULL AND (d.round_id IS NULL OR d.round_id >= refused);
        answers := casino.hub_ask(ARRAY[cell], d.decision_no, d.call, d.arguments, actor => d.decided_by);
        PERFORM casino.hub_note(d.decision_no, a.cell, a.code, a.message, a.result) FROM unnest(answers) a;
        IF (answers[1]).code <> '00000' THEN
            IF refused IS NOT NULL OR d.call <> 'open_round' OR casino.passes_by((answers[1]).code) THEN
                RETURN false;
            END IF;
            refused := d.round_id;
        ELSIF refused IS NOT NULL THEN
            ended := ended OR d.call IN ('settle_round', 'void_round');
        END IF;
    END LOOP;
    IF refused IS NULL THEN
        RETURN true;
    END IF;
    RETURN ended AND casino.hub_deliver(cell, table_id, before);
END
$fn$;
COMMENT ON FUNCTION casino.hub_deliver(integer, bigint, bigint) IS 'Part of the hub: sends a cell what it has not answered on a table, until it refuses';

CREATE FUNCTION casino.hub_carry_out(decision_no bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d casino.hub_decision;
    c record;
    cells integer[] := '{}';
    answers casino.cell_answer[];
BEGIN
    SELECT e.* INTO STRICT d FROM casino.hub_decision e WHERE e.decision_no = hub_carry_out.decision_no;
    FOR c IN
        SELECT a.cell, EXISTS (SELECT FROM casino.hub_answer b WHERE b.cell = a.cell AND b.table_id = d.table_id AND b.decision_no < d.decision_no
                                  AND b.answered_at IS NULL) AS behind
          FROM casino.hub_answer a JOIN casino.hub_cell h ON h.cell = a.cell
         WHERE a.decision_no = d.decision_no AND a.answered_at IS NULL AND h.down_since IS NULL ORDER BY a.cell
    LOOP
        IF NOT c.behind OR casino.hub_deliver(c.cell, d.table_id, d.decision_no) THEN
            cells := cells || c.cell;
        END IF;
    END LOOP;
    IF cells = '{}' THEN
        RETURN '{}';
    END IF;
    answers := casino.hub_ask(cells, d.decision_no, d.call, d.arguments, actor => d.decided_by);
    PERFORM casino.hub_note(d.decision_no, a.cell, a.code, a.message, a.result) FROM unnest(answers) a;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_carry_out(bigint) IS 'Part of the hub: sends a decision to the cells that have not answered it, and notes their answers';

CREATE FUNCTION casino.hub_decide(call text, table_id bigint, round_id bigint, arguments jsonb, only_cell integer DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number bigint;
    late text;
BEGIN
    number := casino.hub_write('decide', jsonb_build_object('call', call, 'table_id', table_id, 'round_id', round_id, 'arguments', arguments,
                                                            'by', casino.hub_actor(), 'login', session_user, 'only_cell', only_cell))::bigint;
    PERFORM casino.hub_carry_out(number);
    SELECT string_agg(format('Cell %s: %s', a.cell, coalesce(a.message, 'is down or behind')), E'\n' ORDER BY a.cell) INTO late
      FROM casino.hub_answer a WHERE a.decision_no = number AND a.answered_at IS NULL;
    IF late IS NOT NULL THEN
        RAISE WARNING '% is decided, but not carried out in every cell', call
            USING DETAIL = late, HINT = 'casino.catch_up() sends it again; casino.cell_status shows what is waiting.';
    END IF;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_decide(text, bigint, bigint, jsonb, integer) IS 'Part of the hub: writes a decision and carries it out';

-- R13.12, R13.13.  Would the cells carry it out?  All that can be reached are asked, also one that has refused something before: what it
-- refuses now is refused.  Only the cell that never opened the round has no wagers in it, and nothing to say.
CREATE FUNCTION casino.hub_try(table_id bigint, call text, arguments jsonb, home_cell integer DEFAULT NULL) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[];
BEGIN
    -- before something ends, who was down is asked whether he still is
    IF call IN ('close_actions', 'try_outcome', 'check_outcome', 'void_round', 'pay_withheld') THEN
        PERFORM casino.hub_reach(c.cell) FROM casino.hub_cell c WHERE c.down_since IS NOT NULL;
    END IF;
    -- who is behind for a passing reason can answer after all
    PERFORM casino.hub_deliver(w.cell, hub_try.table_id)
       FROM (SELECT DISTINCT a.cell FROM casino.hub_answer a JOIN casino.hub_cell c ON c.cell = a.cell
              WHERE a.table_id = hub_try.table_id AND a.answered_at IS NULL AND c.down_since IS NULL) w;
    answers := casino.hub_ask(ARRAY(SELECT c.cell FROM casino.hub_cell c WHERE c.down_since IS NULL ORDER BY c.cell), 0, call, arguments, call <> 'check_outcome');
    SELECT coalesce(array_agg(a::casino.cell_answer), '{}') INTO answers FROM unnest(answers) a
     WHERE a.code <> '23503'
        OR NOT EXISTS (SELECT FROM casino.hub_answer w JOIN casino.hub_decision d ON d.decision_no = w.decision_no
                        WHERE w.cell = a.cell AND w.answered_at IS NULL AND d.call = 'open_round' AND d.round_id = (hub_try.arguments ->> 'round_id')::bigint);
    -- the players of a table with seats are all in one cell, and nobody else can answer for it
    IF home_cell IS NOT NULL THEN
        PERFORM casino.raise_unreached(ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a WHERE a.cell = home_cell), format('know (the home cell %s)', home_cell));
    END IF;
    PERFORM casino.raise_unreached(answers, 'know');
    PERFORM casino.hub_write('down', jsonb_build_object('cell', a.cell, 'reason', a.message)) FROM unnest(answers) a WHERE a.code = '08006';
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_try(bigint, text, jsonb, integer) IS 'Part of the hub: asks the cells what would come of a call';
