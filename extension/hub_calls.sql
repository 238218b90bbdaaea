-- Calls of a hub: a decision is written durably, then sent to every cell, and who has answered is noted
-- (doc/scale.md).  The caller's
-- transaction at the hub writes nothing but who has answered, which is asked again when it is lost: what is
-- decided is committed over a connection of the hub to itself before the first cell hears of it, so that
-- neither a crash nor a ROLLBACK leaves cells that know more than the hub (R13.15).

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

-- R13.18: is it the copy that has asked the cells last?  A promoted standby has another timeline; a dump that
-- was restored is another database, or its tables are others.
CREATE FUNCTION casino.hub_is_current() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT h.superseded_at IS NULL AND h.timeline = casino.timeline()
            AND casino.hub_is_here(h.database, h.relation) FROM casino.hub h);
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_current() IS 'Part of the hub: may it decide';

CREATE FUNCTION casino.hub_is_here(database oid, relation oid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN relation = 'casino.hub'::regclass AND database = (SELECT d.oid FROM pg_database d
                                                             WHERE d.datname = current_database());
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_here(oid, oid) IS 'Part of the hub: false in a dump that was restored';

CREATE FUNCTION casino.hub_not_superseded() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := (SELECT h.superseded_at FROM casino.hub h);
BEGIN
    IF since IS NOT NULL THEN
        RAISE EXCEPTION 'another hub has taken over' USING ERRCODE = 'object_not_in_prerequisite_state',
            DETAIL = format('A cell said so at %s.', since),
            HINT = 'Stop this hub. When it is to be the hub again, stop the other one, run casino.install_hub() and casino.catch_up() here.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_not_superseded() IS 'Part of the hub: 55000 when a cell obeys another one';

-- Asked before a decision, and once more where the decision is written (R13.30)
CREATE FUNCTION casino.hub_may_decide() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    silent CONSTANT text := (SELECT string_agg('cell ' || c.cell, ', ' ORDER BY c.cell) FROM casino.hub_cell c
                             WHERE NOT c.learned);
BEGIN
    IF casino.hub_is_current() THEN
        RETURN;
    END IF;
    PERFORM casino.hub_not_superseded();
    RAISE EXCEPTION 'the hub was restored from a standby or a backup and may not know what it decided last'
        USING ERRCODE = 'object_not_in_prerequisite_state',
              DETAIL = coalesce(format('Not yet read: %s.', silent), 'Not every cell has been asked.'),
              HINT = 'SELECT * FROM casino.catch_up() reads it from the cells. Where a cell is lost for long: casino.decide_without().';
END
$fn$;
COMMENT ON FUNCTION casino.hub_may_decide() IS
    'Part of the hub: 55000 when another hub has taken over, or this one was restored and has not read from '
    'the cells what it decided';

-- Before anything is decided: one session at a time a table or person, and by a hub that knows what its cells
-- know.
CREATE FUNCTION casino.hub_enter(what text, id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a hub decides in transactions that are READ COMMITTED'
            USING ERRCODE = 'feature_not_supported',
                DETAIL = 'What it decides is committed at once, so that the cells hear of nothing else; an older snapshot would not show it.';
    END IF;
    PERFORM casino.take_lock(format('hub %s %s', what, id));
    PERFORM casino.hub_may_decide();
END
$fn$;
COMMENT ON FUNCTION casino.hub_enter(text, text) IS 'Part of the hub: before a decision';

-- ------------------------------------------------------------------------------------------------ asking
-- cells

-- R13.19: the person whom the session names, or else its login
CREATE FUNCTION casino.hub_actor() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN coalesce(nullif(current_setting('casino.actor', true), ''), session_user);
END
$fn$;
COMMENT ON FUNCTION casino.hub_actor() IS
    'Part of the hub: who decides, as the cells record it in casino.actor';

-- R13.31: what a cell says to have obeyed on a table.  One that says less than before was put back to an
-- earlier state: what it had answered since is sent again.
CREATE FUNCTION casino.hub_note_told(of_cell integer, of_table bigint, obeyed bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told CONSTANT bigint := (SELECT t.decision_no FROM casino.hub_told t
                             WHERE t.cell = of_cell AND t.table_id = of_table);
BEGIN
    IF obeyed IS NULL OR obeyed = told OR told IS NULL AND obeyed = 0 THEN
        RETURN;
    END IF;
    IF obeyed < told THEN
        UPDATE casino.hub_answer a SET answered_at = NULL
         WHERE a.cell = of_cell AND a.table_id = of_table AND a.decision_no > obeyed
             AND a.answered_at IS NOT NULL AND a.excused_by IS NULL;
    END IF;
    INSERT INTO casino.hub_told VALUES (of_cell, of_table, obeyed)
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note_told(integer, bigint, bigint) IS
    'Part of the hub: notes what a cell says to have obeyed on a table, and takes back answers that it has '
    'lost';

CREATE FUNCTION casino.hub_has_lost(answer casino.cell_answer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(answer.code = '55000' AND answer.result ? 'obeyed', false);
COMMENT ON FUNCTION casino.hub_has_lost(casino.cell_answer) IS
    'Part of the hub: does a cell say that it has lost what it had obeyed';

-- R13.30: a cell that obeys a later hub says so; this one is silent from then on, and its caller is told
CREATE FUNCTION casino.hub_heard(answers casino.cell_answer[], table_id bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '55000' AND a.result ? 'epoch') THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino.hub_not_superseded();
    END IF;
    IF table_id IS NOT NULL THEN
        -- what this hub has not decided: it was put back to an earlier state, with no other mark of it
        IF EXISTS (SELECT FROM unnest(answers) a
                   WHERE a.obeyed > (SELECT s.last_value FROM casino.hub_decision_no_seq s)) THEN
            PERFORM casino.hub_write('older', '{}');
            PERFORM casino.hub_may_decide();
        END IF;
        PERFORM casino.hub_note_told(a.cell, hub_heard.table_id, a.obeyed) FROM unnest(answers) a
          ORDER BY a.cell;
    END IF;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_heard(casino.cell_answer[], bigint) IS
    'Part of the hub: 55000 when a cell obeys another hub; notes what the cells have obeyed';

CREATE FUNCTION casino.hub_patience() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ceil(extract(epoch FROM h.patience) * 1000)::integer FROM casino.hub h
$fn$;
COMMENT ON FUNCTION casino.hub_patience()
    IS 'Part of the hub: how long an answer of a cell is waited for, in milliseconds';

CREATE FUNCTION casino.hub_no_answer() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('it is connected, and gives no answer within %s', h.patience) FROM casino.hub h
$fn$;
COMMENT ON FUNCTION casino.hub_no_answer() IS 'Part of the hub: the problem of a cell that is frozen';

-- R13.41: a cell's report of itself, asked with patience
CREATE FUNCTION casino.hub_ask_state(of_cell integer, what text, OUT state jsonb, OUT problem text)
RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
BEGIN
    -- a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. 2 LOOP
        BEGIN
            problem := NULL;
            PERFORM casino.wait_at_most(casino.hub_patience());
            SELECT f.data INTO STRICT state FROM casino.hub_fetch(ARRAY[of_cell], what, '{}') f;
            PERFORM casino.wait_at_most(0);
            IF (state ->> 'cell')::integer IS DISTINCT FROM of_cell THEN
                RAISE EXCEPTION 'cell % answers there', state ->> 'cell';
            END IF;
            EXIT;
        EXCEPTION
            WHEN lock_not_available THEN
                state := NULL;
                problem := casino.hub_no_answer();
                EXIT;
            WHEN OTHERS THEN
                PERFORM casino.wait_at_most(0);
                state := NULL;
                problem := SQLERRM;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask_state(integer, text)
    IS 'Part of the hub: the report of a cell, or the reason for its silence';

-- One message to some cells.  A cell that cannot be reached answers 08006 here: PL/Proxy fails as a whole
-- when one connection does, so the cells are then asked one by one.
CREATE FUNCTION casino.hub_message(cells integer[], decision_no bigint, call text, arguments jsonb,
                                   dry boolean, actor text, table_id bigint, told jsonb, in_order boolean)
RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    answers casino.cell_answer[];
    one casino.cell_answer;
    cell integer;
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
    patience CONSTANT integer := casino.hub_patience();
BEGIN
    -- of one cell twice: a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. CASE WHEN cardinality(cells) = 1 THEN 2 ELSE 1 END LOOP
        BEGIN
            PERFORM casino.wait_at_most(patience);
            SELECT array_agg(s) INTO answers FROM casino.hub_send(cells, decision_no, call, arguments, dry,
                                                                  actor, epoch, table_id, told, in_order) s;
            PERFORM casino.wait_at_most(0);
            IF ARRAY(SELECT a.cell FROM unnest(answers) a ORDER BY 1) <> ARRAY(SELECT c FROM unnest(cells) c
                    ORDER BY 1) THEN
                RAISE EXCEPTION 'another cell answers there' USING ERRCODE = 'connection_failure';
            END IF;
            RETURN answers;
        EXCEPTION
            WHEN lock_not_available THEN
                one := (cells[1], '08006', casino.hub_no_answer(), NULL, NULL, NULL, NULL, NULL, NULL);
                EXIT;
            WHEN OTHERS THEN
                PERFORM casino.wait_at_most(0);
                one := (cells[1], '08006', SQLERRM, NULL, NULL, NULL, NULL, NULL, NULL);
        END;
    END LOOP;
    IF cardinality(cells) = 1 THEN
        RETURN ARRAY[one];
    END IF;
    answers := '{}';
    FOREACH cell IN ARRAY cells LOOP
        answers := answers || casino.hub_message(ARRAY[cell], decision_no, call, arguments, dry, actor,
                                                 table_id, told, in_order);
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_message(integer[], bigint, text, jsonb, boolean, text, bigint, jsonb,
                                       boolean) IS
    'Part of the hub: sends cells a call all at once; 08006 for one that cannot be reached';

CREATE FUNCTION casino.hub_ask(cells integer[], decision_no bigint, call text, arguments jsonb,
                               dry boolean DEFAULT false, actor text DEFAULT NULL,
                               table_id bigint DEFAULT NULL,
                               in_order boolean DEFAULT true) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told CONSTANT jsonb := (SELECT jsonb_object_agg(t.cell, t.decision_no) FROM casino.hub_told t
                            WHERE t.table_id = hub_ask.table_id AND t.cell = ANY (cells));
BEGIN
    IF coalesce(cardinality(cells), 0) = 0 THEN
        RETURN '{}';
    END IF;
    RETURN casino.hub_heard(casino.hub_message(cells, decision_no, call, arguments, dry,
                                               coalesce(actor, casino.hub_actor()), table_id, told, in_order),
                                               table_id);
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask(integer[], bigint, text, jsonb, boolean, text, bigint, boolean) IS
    'Part of the hub: asks cells all at once and returns the answer of each; 08006 for one that cannot be '
    'reached';

-- Of what is no decision: a cell that has lost something is told again first, and then asked once more
CREATE FUNCTION casino.hub_ask_all(cells integer[], call text, arguments jsonb, dry boolean,
                                   table_id bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[] := casino.hub_ask(cells, 0, call, arguments, dry, table_id => table_id);
    lost CONSTANT integer[] := ARRAY(SELECT a.cell FROM unnest(answers) a WHERE casino.hub_has_lost(a)
                                     ORDER BY 1);
    one integer;
BEGIN
    FOREACH one IN ARRAY lost LOOP
        IF casino.hub_deliver(one, table_id) THEN
            answers := ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a WHERE a.cell <> one)
                || casino.hub_ask(ARRAY[one], 0, call, arguments, dry, table_id => table_id);
        END IF;
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask_all(integer[], text, jsonb, boolean, bigint) IS
    'Part of the hub: asks cells of what is no decision, after those that have lost something were told '
    'again';

-- What to try again instead of raising an alarm: connections, conflicts of transactions, shortages, shutdowns
CREATE FUNCTION casino.passes_by(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN left(code, 2) IN ('08', '40', '53', '57', '58') OR code = '55P03';
COMMENT ON FUNCTION casino.passes_by(text) IS
    'Part of the hub: is an error one that another attempt need not meet';

-- It cannot be reached, or waits for a lock and has given up: it has not answered, and hears of what is
-- decided later (R13.37)
CREATE FUNCTION casino.hub_silent(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(code IN ('08006', '55P03'), false);
COMMENT ON FUNCTION casino.hub_silent(text) IS 'Part of the hub: has a cell not answered';

-- The first refusal of some answers, as the hub's own error
CREATE FUNCTION casino.raise_refusal(answers casino.cell_answer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a casino.cell_answer;
BEGIN
    FOREACH a IN ARRAY answers LOOP
        IF a.code <> '00000' AND NOT casino.hub_silent(a.code) THEN
            a.detail := format('Cell %s: %s', a.cell, coalesce(nullif(a.detail, ''), a.message));
            IF a.hint <> '' THEN
                RAISE EXCEPTION USING ERRCODE = a.code, CONSTRAINT = coalesce(a.reason, ''),
                    DATATYPE = coalesce(a.data::text, ''),
                    MESSAGE = a.message, DETAIL = a.detail, HINT = a.hint;
            END IF;
            RAISE EXCEPTION USING ERRCODE = a.code, CONSTRAINT = coalesce(a.reason, ''),
                DATATYPE = coalesce(a.data::text, ''), MESSAGE = a.message, DETAIL = a.detail;
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.raise_refusal(casino.cell_answer[]) IS
    'Part of the hub: an error when a cell has refused, with its code';

CREATE FUNCTION casino.raise_unreached(answers casino.cell_answer[], what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE NOT casino.hub_silent(a.code)) THEN
        -- a close of betting that is called meanwhile may come later (R13.36)
        PERFORM casino.hub_write('away', '{}');
        RAISE EXCEPTION 'no cell that has to % could be reached', what
            USING ERRCODE = 'connection_failure',
                  DETAIL = coalesce((SELECT string_agg(format('Cell %s: %s', a.cell, a.message), E'\n')
                                     FROM unnest(answers) a), 'None of them is up.'),
                  HINT = 'casino.cell_status shows the cells; casino.catch_up() takes a cell back that is up again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.raise_unreached(casino.cell_answer[], text) IS
    'Part of the hub: 08006 when nobody has answered';

-- ------------------------------------------------------------------------------------------------ what the
-- hub writes
-- Run over the connection of the hub to itself (casino.hub_write), so that it is committed when it returns.

-- A row that the caller's own transaction has changed would be waited for without end: nobody sees such a
-- wait, the lock's time ends it.
CREATE FUNCTION casino.hub_write_here(what text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    number bigint;
    home integer;
BEGIN
    CASE what
        WHEN 'decide' THEN
            -- R13.30: nothing is written after another hub has taken over
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino.hub_may_decide();
            RETURN to_jsonb(casino.hub_write_decision(a ->> 'call', (a ->> 'table_id')::bigint,
                                                      (a ->> 'round_id')::bigint, a -> 'arguments',
                                                      a ->> 'by',
                                                      (a ->> 'only_cell')::integer, login => a ->> 'login'));
        WHEN 'down' THEN
            UPDATE casino.hub_cell c SET down_since = coalesce(c.down_since, clock_timestamp()),
                down_reason = a ->> 'reason' WHERE c.cell = (a ->> 'cell')::integer;
        WHEN 'reached' THEN
            PERFORM casino.hub_note_reached((a ->> 'cell')::integer, (a ->> 'since')::timestamptz);
        WHEN 'away' THEN
            UPDATE casino.hub SET away_until = clock_timestamp();
        WHEN 'person' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino.hub_may_decide();
            SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = a ->> 'external_ref';
            IF home IS NULL THEN
                SELECT c.cell INTO home FROM casino.hub_cell c WHERE c.takes_persons AND c.down_since IS NULL
                 ORDER BY c.persons, c.cell LIMIT 1;
                IF home IS NOT NULL THEN
                    PERFORM casino.hub_keep_person(a ->> 'external_ref', home);
                END IF;
            END IF;
            RETURN to_jsonb(home);
        WHEN 'learn' THEN
            PERFORM casino.hub_learn(a);
        WHEN 'restored' THEN
            UPDATE casino.hub_cell SET learned = false;
            UPDATE casino.hub SET timeline = 0,
                epoch = casino.hub_new_epoch(greatest(epoch, (a ->> 'epoch')::bigint));
            -- numbers that the lost part of the hub may have given are not given again; of decisions a later
            -- hub has greater ones than any before
            PERFORM setval('casino.round_id_seq', nextval('casino.round_id_seq') + 1000000),
                setval('casino.table_id_seq', nextval('casino.table_id_seq') + 1000),
                    setval('casino.hub_decision_no_seq',
                           greatest(nextval('casino.hub_decision_no_seq'),
                                    (SELECT h.epoch FROM casino.hub h)));
        WHEN 'older' THEN
            UPDATE casino.hub SET timeline = -1;
        WHEN 'current' THEN
            UPDATE casino.hub SET timeline = casino.timeline(), away_until = clock_timestamp();
        WHEN 'without' THEN
            INSERT INTO casino.hub_takeover
            SELECT h.epoch, clock_timestamp(), a ->> 'reason', a ->> 'login',
                   ARRAY(SELECT c::integer FROM jsonb_array_elements_text(a -> 'cells') c),
                   (a ->> 'unknown')::integer,
                   ARRAY(SELECT r.round_id FROM casino.hub_round r
                         WHERE r.status IN ('open', 'closed', 'withheld') ORDER BY 1)
              FROM casino.hub h;
        WHEN 'superseded' THEN
            UPDATE casino.hub SET superseded_at = coalesce(superseded_at, clock_timestamp());
        WHEN 'excuse' THEN
            UPDATE casino.hub_answer x SET answered_at = clock_timestamp(), message = a ->> 'reason',
                excused_by = a ->> 'by'
             WHERE x.decision_no = (a ->> 'decision_no')::bigint AND x.cell = (a ->> 'cell')::integer
                 AND x.answered_at IS NULL;
            GET DIAGNOSTICS number = ROW_COUNT;
            RETURN to_jsonb(number);
        ELSE
            RAISE EXCEPTION 'unknown writing "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_here(text, jsonb) IS
    'Part of the hub: writes what was decided, at the end of hub_write()';

-- What a decision makes of the hub's round; false: it was decided otherwise
CREATE FUNCTION casino.hub_effect(call text, of_table bigint, id bigint, arguments jsonb,
                                  learned boolean DEFAULT false) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a CONSTANT jsonb := arguments;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
BEGIN
    CASE call
        WHEN 'open_round' THEN
            INSERT INTO casino.hub_round AS r (round_id, table_id, round_ref, status, opened_at,
                                               betting_until, learned)
            VALUES (id, of_table, a ->> 'round_ref', 'open', at, (a ->> 'betting_until')::timestamptz,
                    learned)
                ON CONFLICT (round_id) DO UPDATE SET status = 'open', opened_at = EXCLUDED.opened_at,
                    betting_until = EXCLUDED.betting_until, learned = EXCLUDED.learned
             WHERE r.status = 'withdrawn';
        WHEN 'close_betting' THEN
            UPDATE casino.hub_round r SET status = 'closed', betting_closed_at = at
             WHERE r.round_id = id AND r.status = 'open';
        WHEN 'close_actions' THEN
            UPDATE casino.hub_round r SET actions_closed_at = at
             WHERE r.round_id = id AND r.status = 'closed' AND r.actions_closed_at IS NULL;
        WHEN 'settle_round' THEN
            UPDATE casino.hub_round r
               SET status = CASE WHEN (a ->> 'withhold')::boolean THEN 'withheld'
                   ELSE 'settled' END, outcome = a -> 'outcome', evaluated_at = at
             WHERE r.round_id = id AND r.status = 'closed';
        WHEN 'void_round' THEN
            UPDATE casino.hub_round r SET status = 'voided', reason = a ->> 'reason', evaluated_at = at
             WHERE r.round_id = id AND r.status IN ('open', 'closed', 'withheld');
        WHEN 'pay_withheld' THEN
            UPDATE casino.hub_round r SET status = 'settled' WHERE r.round_id = id AND r.status = 'withheld';
        ELSE
            RETURN true;
    END CASE;
    RETURN FOUND;
END
$fn$;
COMMENT ON FUNCTION casino.hub_effect(text, bigint, bigint, jsonb, boolean) IS
    'Part of the hub: what a decision makes of the hub''s round; false when the round is otherwise';

CREATE FUNCTION casino.hub_write_decision(call text, table_id bigint, round_id bigint, arguments jsonb,
                                          decided_by text, only_cell integer DEFAULT NULL,
                                          learned boolean DEFAULT false,
                                          login text DEFAULT session_user) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a CONSTANT jsonb := arguments;
    number bigint;
BEGIN
    IF call = 'add_game_table' THEN
        INSERT INTO casino.hub_table VALUES (table_id, a ->> 'game', a ->> 'name',
                                             (a -> 'options' ->> 'home_cell')::integer);
    END IF;
    -- the caller has looked under the lock of the table: only another copy of this hub could have been faster
    IF NOT casino.hub_effect(call, table_id, round_id, arguments, learned) THEN
        RAISE EXCEPTION '% of round % was decided otherwise', call,
            round_id USING ERRCODE = 'serialization_failure';
    END IF;
    number := nextval('casino.hub_decision_no_seq');
    INSERT INTO casino.hub_decision VALUES (number, call, table_id, round_id, arguments, clock_timestamp(),
                                            decided_by, login);
    INSERT INTO casino.hub_answer (decision_no, cell, table_id)
    SELECT number, c.cell, hub_write_decision.table_id FROM casino.hub_cell c
     WHERE only_cell IS NULL OR c.cell = only_cell;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_decision(text, bigint, bigint, jsonb, text, integer, boolean, text) IS
    'Part of the hub: writes a decision, its effect on the hub''s round, and who has to answer';

-- R13.34: a hub that takes over withdraws what no cell is known to have obeyed: nobody was told that it
-- holds.  What a cell has obeyed without its answer being noted is read from the cell again.
CREATE FUNCTION casino.hub_withdraw() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    withdrawn CONSTANT bigint[] := ARRAY(
        SELECT DISTINCT w.decision_no FROM casino.hub_answer w
          JOIN casino.hub_decision d ON d.decision_no = w.decision_no
         WHERE w.answered_at IS NULL AND d.call <> 'add_game_table'
           AND NOT EXISTS (SELECT FROM casino.hub_answer o
                           WHERE o.decision_no = w.decision_no AND o.answered_at IS NOT NULL));
    r record;
    d record;
BEGIN
    INSERT INTO casino.hub_withdrawal SELECT n, clock_timestamp() FROM unnest(withdrawn) n;
    UPDATE casino.hub_answer a SET answered_at = clock_timestamp(),
        message = 'withdrawn when the hub took over', excused_by = 'hub'
     WHERE a.decision_no = ANY (withdrawn);
    FOR r IN SELECT DISTINCT e.round_id, e.table_id FROM casino.hub_decision e
        WHERE e.decision_no = ANY (withdrawn) AND e.round_id IS NOT NULL ORDER BY 1 LOOP
        UPDATE casino.hub_round h SET status = 'withdrawn', betting_closed_at = NULL,
            actions_closed_at = NULL, evaluated_at = NULL, outcome = NULL, reason = NULL
         WHERE h.round_id = r.round_id;
        FOR d IN SELECT e.call, e.arguments, h.learned FROM casino.hub_decision e
            JOIN casino.hub_round h ON h.round_id = e.round_id
                  WHERE e.round_id = r.round_id AND casino.hub_stands(e.decision_no)
                      ORDER BY e.decision_no LOOP
            PERFORM casino.hub_effect(d.call, r.table_id, r.round_id, d.arguments, d.learned);
        END LOOP;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_withdraw() IS
    'Part of catch_up(): a hub that takes over keeps no decision that no cell has obeyed';

CREATE FUNCTION casino.hub_stands(decision bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT NOT EXISTS (SELECT FROM casino.hub_withdrawal w WHERE w.decision_no = decision)
$fn$;
COMMENT ON FUNCTION casino.hub_stands(bigint) IS 'Part of the hub: was a decision not withdrawn';

-- In the caller's transaction: an answer that is lost with it is asked for again, and a message less for each
-- decision.
CREATE FUNCTION casino.hub_note(decision_no bigint, cell integer, code text, message text,
                                result jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    UPDATE casino.hub_answer a
       SET tried_at = clock_timestamp(), answered_at = CASE WHEN hub_note.code = '00000'
           THEN clock_timestamp() END,
           code = nullif(hub_note.code, '00000'), message = hub_note.message, result = hub_note.result
     WHERE a.decision_no = hub_note.decision_no AND a.cell = hub_note.cell AND a.answered_at IS NULL;
    IF code = '08006' THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', message));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note(bigint, integer, text, text, jsonb) IS
    'Part of the hub: notes the answer of a cell';

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

CREATE FUNCTION casino.hub_note_reached(of_cell integer, since timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF since IS NOT NULL THEN
        UPDATE casino.hub_answer a SET answered_at = NULL
          FROM casino.hub_decision d
         WHERE d.decision_no = a.decision_no AND a.cell = of_cell AND a.answered_at IS NOT NULL
             AND a.excused_by IS NULL AND d.decided_at >= since;
    END IF;
    UPDATE casino.hub_cell c SET down_since = NULL, down_reason = NULL
     WHERE c.cell = of_cell AND c.down_since IS NOT NULL;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note_reached(integer, timestamptz) IS
    'Part of catch_up(): a cell is up; since: it is told again what was decided from then on';

-- ------------------------------------------------------------------------------------------------ carrying
-- out

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
         WHERE a.cell = hub_deliver.cell AND a.table_id = hub_deliver.table_id AND a.answered_at IS NULL
             AND (before IS NULL OR a.decision_no < before)
         ORDER BY a.decision_no
    LOOP
        -- a restored hub may have learned how a round ended after it had learned that the next one was opened
        CONTINUE WHEN refused IS NOT NULL AND (d.round_id IS NULL OR d.round_id >= refused);
        answers := casino.hub_ask(ARRAY[cell], d.decision_no, d.call, d.arguments, actor => d.decided_by,
                                  table_id => table_id, in_order => refused IS NULL);
        IF casino.hub_has_lost(answers[1]) THEN
            RETURN casino.hub_deliver(cell, table_id, before);
        END IF;
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
COMMENT ON FUNCTION casino.hub_deliver(integer, bigint, bigint) IS
    'Part of the hub: sends a cell what it has not answered on a table, until it refuses';

CREATE FUNCTION casino.hub_carry_out(decision_no bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d casino.hub_decision;
    c record;
    cells integer[] := '{}';
    answers casino.cell_answer[];
BEGIN
    SELECT e.* INTO STRICT d FROM casino.hub_decision e WHERE e.decision_no = hub_carry_out.decision_no;
    FOR c IN
        SELECT a.cell, EXISTS (SELECT FROM casino.hub_answer b
                               WHERE b.cell = a.cell AND b.table_id = d.table_id
                                   AND b.decision_no < d.decision_no
                                  AND b.answered_at IS NULL) AS behind
          FROM casino.hub_answer a JOIN casino.hub_cell h ON h.cell = a.cell
         WHERE a.decision_no = d.decision_no AND a.answered_at IS NULL AND h.down_since IS NULL AND h.learned
             ORDER BY a.cell
    LOOP
        IF NOT c.behind OR casino.hub_deliver(c.cell, d.table_id, d.decision_no) THEN
            cells := cells || c.cell;
        END IF;
    END LOOP;
    answers := casino.hub_ask(cells, d.decision_no, d.call, d.arguments, actor => d.decided_by,
                              table_id => d.table_id);
    PERFORM casino.hub_note(d.decision_no, a.cell, a.code, a.message, a.result) FROM unnest(answers) a
      WHERE NOT casino.hub_has_lost(a);
    PERFORM casino.hub_deliver(a.cell, d.table_id, d.decision_no + 1) FROM unnest(answers) a
      WHERE casino.hub_has_lost(a);
END
$fn$;
COMMENT ON FUNCTION casino.hub_carry_out(bigint) IS
    'Part of the hub: sends a decision to the cells that have not answered it, and notes their answers';

-- R13.30: what no cell has heard of is not answered, at the first call and at its repetitions
CREATE FUNCTION casino.hub_hold(decision_no bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    call CONSTANT text := (SELECT d.call FROM casino.hub_decision d
                           WHERE d.decision_no = hub_hold.decision_no);
    late text;
BEGIN
    PERFORM casino.hub_carry_out(decision_no);
    PERFORM casino.hub_not_superseded();
    SELECT string_agg(format('Cell %s: %s', a.cell, coalesce(a.message, 'is down or behind')), E'\n'
                      ORDER BY a.cell) INTO late
      FROM casino.hub_answer a WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NULL;
    IF NOT EXISTS (SELECT FROM casino.hub_answer a
                   WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NOT NULL
                       AND a.excused_by IS NULL) THEN
        PERFORM casino.raise_refusal(ARRAY(SELECT (a.cell, coalesce(a.code, '08006'), a.message, NULL,
            NULL, NULL, NULL, NULL, NULL)::casino.cell_answer
                                             FROM casino.hub_answer a
                                                 WHERE a.decision_no = hub_hold.decision_no ORDER BY a.cell));
        RAISE EXCEPTION '% is decided, but no cell has heard of it', call
            USING ERRCODE = 'connection_failure', DETAIL = late,
                HINT = 'Call it again; casino.catch_up() sends it, too.';
    END IF;
    IF late IS NOT NULL THEN
        RAISE WARNING '% is decided, but not carried out in every cell', call
            USING DETAIL = late,
                HINT = 'casino.catch_up() sends it again; casino.cell_status shows what is waiting.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_hold(bigint) IS
    'Part of the hub: carries a decision out; 55000 when another hub has taken over, 08006 when no cell has '
    'heard of it';

CREATE FUNCTION casino.hub_decide(call text, table_id bigint, round_id bigint, arguments jsonb,
                                  only_cell integer DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number bigint;
BEGIN
    number := casino.hub_write('decide', jsonb_build_object('call', call, 'table_id', table_id, 'round_id',
                                                            round_id, 'arguments', arguments,
                                                            'by', casino.hub_actor(), 'login', session_user,
                                                            'only_cell', only_cell))::bigint;
    PERFORM casino.hub_hold(number);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_decide(text, bigint, bigint, jsonb, integer) IS
    'Part of the hub: writes a decision and carries it out';

-- R13.12, R13.13.  Would the cells carry it out?  All that can be reached are asked, also one that has
-- refused something before: what it refuses now is refused.  Only the cell that never opened the round has no
-- wagers in it, and nothing to say.
CREATE FUNCTION casino.hub_try(table_id bigint, call text, arguments jsonb,
                               home_cell integer DEFAULT NULL) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[];
BEGIN
    -- before something ends, who was down is asked whether he still is
    IF call IN ('follow', 'close_actions', 'try_outcome', 'check_outcome', 'void_round', 'pay_withheld')
       OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL AND c.learned) THEN
        PERFORM casino.hub_reach(c.cell) FROM casino.hub_cell c WHERE c.down_since IS NOT NULL AND c.learned;
    END IF;
    -- who is behind for a passing reason can answer after all
    PERFORM casino.hub_deliver(w.cell, hub_try.table_id)
       FROM (SELECT DISTINCT a.cell FROM casino.hub_answer a JOIN casino.hub_cell c ON c.cell = a.cell
              WHERE a.table_id = hub_try.table_id AND a.answered_at IS NULL AND c.down_since IS NULL
                  AND c.learned) w;
    answers := casino.hub_ask_all(ARRAY(SELECT c.cell FROM casino.hub_cell c
                                        WHERE c.down_since IS NULL AND c.learned ORDER BY c.cell),
                                  call, arguments, call <> 'check_outcome', table_id);
    SELECT coalesce(array_agg(a::casino.cell_answer), '{}') INTO answers FROM unnest(answers) a
     WHERE a.code <> '23503'
        OR NOT EXISTS (SELECT FROM casino.hub_answer w
                       JOIN casino.hub_decision d ON d.decision_no = w.decision_no
                        WHERE w.cell = a.cell AND w.answered_at IS NULL AND d.call = 'open_round'
                            AND d.round_id = (hub_try.arguments ->> 'round_id')::bigint);
    -- the players of a table with seats are all in one cell, and nobody else can answer for it
    IF home_cell IS NOT NULL THEN
        PERFORM casino.raise_unreached(ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a
                                             WHERE a.cell = home_cell),
                                                 format('know (the home cell %s)', home_cell));
    END IF;
    PERFORM casino.raise_unreached(answers, 'know');
    PERFORM casino.hub_write('down', jsonb_build_object('cell', a.cell, 'reason', a.message))
       FROM unnest(answers) a WHERE a.code = '08006';
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_try(bigint, text, jsonb, integer) IS
    'Part of the hub: asks the cells what would come of a call';
