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
CREATE FUNCTION casino_internal.hub_is_current() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT h.superseded_at IS NULL AND h.timeline = casino.timeline()
            AND casino_internal.hub_is_here(h.database, h.relation) FROM casino.hub h);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_is_current() IS 'Part of the hub: may it decide';

CREATE FUNCTION casino_internal.hub_is_here(database oid, relation oid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN relation = 'casino.hub'::regclass AND database = (SELECT d.oid FROM pg_database d
                                                             WHERE d.datname = current_database());
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_is_here(oid, oid)
    IS 'Part of the hub: false in a dump that was restored';

CREATE FUNCTION casino_internal.must_be_hub() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'casino.install_hub() makes one.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.must_be_hub()
    IS 'Part of the hub: 55000 in a database where install_hub() was not called';

CREATE FUNCTION casino_internal.hub_not_superseded() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := (SELECT h.superseded_at FROM casino.hub h);
BEGIN
    IF since IS NOT NULL THEN
        RAISE EXCEPTION 'another hub has taken over' USING ERRCODE = 'object_not_in_prerequisite_state',
            DETAIL = format('A cell said so at %s.', since),
            HINT = 'Stop this hub. When it is to be the hub again, stop the other one, run '
                   'casino.install_hub() and casino.catch_up() here.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_not_superseded()
    IS 'Part of the hub: 55000 when a cell obeys another one';

-- Asked before a decision, and once more where the decision is written (R13.30)
CREATE FUNCTION casino_internal.hub_may_decide() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    silent CONSTANT text := (SELECT string_agg('cell ' || c.cell, ', ' ORDER BY c.cell) FROM casino.hub_cell c
                             WHERE NOT c.learned);
BEGIN
    IF casino_internal.hub_is_current() THEN
        RETURN;
    END IF;
    PERFORM casino_internal.hub_not_superseded();
    RAISE EXCEPTION 'the hub was restored from a standby or a backup and may not know what it decided last'
        USING ERRCODE = 'object_not_in_prerequisite_state',
              DETAIL = coalesce('Not yet read: ' || silent || '.', 'Not every cell has been asked.'),
              HINT = 'SELECT * FROM casino.catch_up() reads it from the cells. '
                     'Where a cell is lost for long: casino.decide_without().';
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_may_decide() IS
    'Part of the hub: 55000 when another hub has taken over, or this one was restored and has not read from '
    'the cells what it decided';

-- Before anything is decided: one session at a time a table or person, and by a hub that knows what its cells
-- know.
CREATE FUNCTION casino_internal.hub_lock(kind text, id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a hub decides in transactions that are READ COMMITTED'
            USING ERRCODE = 'feature_not_supported',
                DETAIL = 'What it decides is committed at once, so that the cells hear of nothing else; '
                         'an older snapshot would not show it.';
    END IF;
    PERFORM casino_internal.take_lock(format('hub %s %s', kind, id));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_lock(text, text)
    IS 'Part of the hub: one session at a time a table or person, which sees all that the one before wrote';

CREATE FUNCTION casino_internal.hub_enter(what text, id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.hub_lock(what, id);
    PERFORM casino_internal.hub_may_decide();
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_enter(text, text) IS 'Part of the hub: before a decision';

CREATE FUNCTION casino_internal.hub_reason(reason text, what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF reason IS NULL THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION '% needs a reason', what USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_reason(text, text)
    IS 'Part of the hub: 22004, 22001 or 22023 for a reason as on one server';

-- ------------------------------------------------------------------------------------------------ asking
-- cells

-- R13.19: the person whom the session names, or else its login
CREATE FUNCTION casino_internal.hub_actor() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN coalesce(nullif(current_setting('casino.actor', true), ''), session_user);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_actor() IS
    'Part of the hub: who decides, as the cells record it in casino.actor';

-- R13.31: what a cell says to have obeyed on a table.  One that says less than before was put back to an
-- earlier state: what it had answered since is sent again.
CREATE FUNCTION casino_internal.hub_note_told(of_cell integer, of_table bigint, obeyed bigint) RETURNS void
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
    INSERT INTO casino.hub_told (cell, table_id, decision_no) VALUES (of_cell, of_table, obeyed)
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_note_told(integer, bigint, bigint) IS
    'Part of the hub: notes what a cell says to have obeyed on a table, and takes back answers that it has '
    'lost';

CREATE FUNCTION casino_internal.hub_has_lost(answer casino.cell_answer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(answer.code = '55000' AND answer.result ? 'obeyed', false);
COMMENT ON FUNCTION casino_internal.hub_has_lost(casino.cell_answer) IS
    'Part of the hub: does a cell say that it has lost what it had obeyed';

-- R13.30: a cell that obeys a later hub says so; this one is silent from then on, and its caller is told
CREATE FUNCTION casino_internal.hub_heard(answers casino.cell_answer[], table_id bigint)
    RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '55000' AND a.result ? 'epoch') THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino_internal.hub_not_superseded();
    END IF;
    IF table_id IS NOT NULL THEN
        answers := casino_internal.hub_in_reach(answers, table_id);
        -- what this hub has not decided: it was put back to an earlier state, with no other mark of it
        IF EXISTS (SELECT FROM unnest(answers) a
                   WHERE a.obeyed > (SELECT s.last_value FROM casino.hub_decision_no_seq s)) THEN
            PERFORM casino.hub_write('older', '{}');
            PERFORM casino_internal.hub_may_decide();
        END IF;
        PERFORM casino_internal.hub_note_told(a.cell, hub_heard.table_id, a.obeyed) FROM unnest(answers) a
          ORDER BY a.cell;
    END IF;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_heard(casino.cell_answer[], bigint) IS
    'Part of the hub: 55000 when a cell obeys another hub; notes what the cells have obeyed';

-- times: a reading of many rows takes longer than the answer to a call
CREATE FUNCTION casino_internal.hub_patience(times integer DEFAULT 1) RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT least(ceil(extract(epoch FROM h.patience) * 1000 * times), 2147483647)::integer FROM casino.hub h
$fn$;
COMMENT ON FUNCTION casino_internal.hub_patience(integer)
    IS 'Part of the hub: how long an answer of a cell is waited for, in milliseconds';

CREATE FUNCTION casino_internal.hub_no_answer(times integer DEFAULT 1) RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('it is connected, and gives no answer within %s', h.patience * times) FROM casino.hub h
$fn$;
COMMENT ON FUNCTION casino_internal.hub_no_answer(integer)
    IS 'Part of the hub: the problem of a cell that is frozen';

-- R13.41: a cell's report of itself, asked with patience
CREATE FUNCTION casino_internal.hub_ask_state(of_cell integer, what text, OUT state jsonb, OUT problem text)
RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
BEGIN
    -- a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. 2 LOOP
        BEGIN
            problem := NULL;
            PERFORM casino_internal.wait_at_most(casino_internal.hub_patience());
            SELECT f.data INTO STRICT state FROM casino.hub_fetch(ARRAY[of_cell], what, '{}') f;
            PERFORM casino_internal.wait_at_most(0);
            IF (state ->> 'cell')::integer IS DISTINCT FROM of_cell THEN
                RAISE EXCEPTION 'cell % answers there', state ->> 'cell';
            END IF;
            EXIT;
        EXCEPTION
            WHEN lock_not_available THEN
                -- the cell itself may have said so
                PERFORM casino_internal.wait_at_most(0);
                state := NULL;
                problem := casino_internal.hub_no_answer();
                EXIT;
            WHEN OTHERS THEN
                PERFORM casino_internal.wait_at_most(0);
                state := NULL;
                problem := SQLERRM;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_ask_state(integer, text)
    IS 'Part of the hub: the report of a cell, or the reason for its silence';

-- R13.41: what a cell answers to a reading
CREATE FUNCTION casino_internal.hub_read(of_cell integer, what text, arguments jsonb DEFAULT '{}',
                                         times integer DEFAULT 1) RETURNS SETOF jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    answered jsonb[];
    others integer[];
    problem text;
BEGIN
    -- a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. 2 LOOP
        BEGIN
            PERFORM casino_internal.wait_at_most(casino_internal.hub_patience(times));
            SELECT array_agg(f.data), array_agg(f.cell) FILTER (WHERE f.cell IS DISTINCT FROM of_cell)
              INTO answered, others
              FROM casino.hub_fetch(ARRAY[of_cell], what, arguments) f;
            PERFORM casino_internal.wait_at_most(0);
            IF others IS NOT NULL THEN
                RAISE EXCEPTION 'cell % answers there', others[1];
            END IF;
            RETURN QUERY SELECT unnest(answered);
            RETURN;
        EXCEPTION
            WHEN lock_not_available THEN
                -- the cell itself may have said so
                PERFORM casino_internal.wait_at_most(0);
                problem := casino_internal.hub_no_answer(times);
                EXIT;
            WHEN OTHERS THEN
                PERFORM casino_internal.wait_at_most(0);
                problem := SQLERRM;
        END;
    END LOOP;
    RAISE EXCEPTION 'cell % does not answer', of_cell
        USING ERRCODE = 'connection_failure', DETAIL = problem;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_read(integer, text, jsonb, integer)
    IS 'Part of the hub: what one cell answers to cell_read(); 08006 where it gives no answer. times: how '
       'many times hub.patience is waited for it';

-- One message to some cells.  A cell that cannot be reached answers 08006 here: PL/Proxy fails as a whole
-- when one connection does, so the cells are then asked one by one.
CREATE FUNCTION casino_internal.hub_message(cells integer[], decision_no bigint, call text, arguments jsonb,
                                            dry boolean, actor text, table_id bigint, told jsonb,
                                                in_order boolean)
RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    answers casino.cell_answer[];
    one casino.cell_answer;
    cell integer;
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
    patience CONSTANT integer := casino_internal.hub_patience();
BEGIN
    -- of one cell twice: a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. CASE WHEN cardinality(cells) = 1 THEN 2 ELSE 1 END LOOP
        BEGIN
            PERFORM casino_internal.wait_at_most(patience);
            SELECT array_agg(s) INTO answers FROM casino.hub_send(cells, decision_no, call, arguments, dry,
                                                                  actor, epoch, table_id, told, in_order) s;
            PERFORM casino_internal.wait_at_most(0);
            IF ARRAY(SELECT a.cell FROM unnest(answers) a ORDER BY 1) <> ARRAY(SELECT c FROM unnest(cells) c
                    ORDER BY 1) THEN
                RAISE EXCEPTION 'another cell answers there' USING ERRCODE = 'connection_failure';
            END IF;
            RETURN answers;
        EXCEPTION
            WHEN lock_not_available THEN
                -- the cell itself may have said so
                PERFORM casino_internal.wait_at_most(0);
                one := (cells[1], '08006', casino_internal.hub_no_answer(), NULL, NULL, NULL, NULL, NULL,
                        NULL);
                EXIT;
            WHEN OTHERS THEN
                PERFORM casino_internal.wait_at_most(0);
                one := (cells[1], '08006', SQLERRM, NULL, NULL, NULL, NULL, NULL, NULL);
        END;
    END LOOP;
    IF cardinality(cells) = 1 THEN
        RETURN ARRAY[one];
    END IF;
    answers := '{}';
    FOREACH cell IN ARRAY cells LOOP
        answers := answers
            || casino_internal.hub_message(ARRAY[cell], decision_no, call, arguments, dry, actor,
                                                          table_id, told, in_order);
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_message(integer[], bigint, text, jsonb, boolean, text, bigint, jsonb,
                                                boolean) IS
    'Part of the hub: sends cells a call all at once; 08006 for one that cannot be reached';

CREATE FUNCTION casino_internal.hub_ask(cells integer[], decision_no bigint, call text, arguments jsonb,
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
    RETURN casino_internal.hub_heard(casino_internal.hub_message(cells, decision_no, call, arguments, dry,
                                                                 coalesce(actor,
                                                                          casino_internal.hub_actor()),
                                                                              table_id, told, in_order),
                                                        table_id);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_ask(integer[], bigint, text, jsonb, boolean, text, bigint, boolean) IS
    'Part of the hub: asks cells all at once and returns the answer of each; 08006 for one that cannot be '
    'reached';

-- Of what is no decision: a cell that has lost something is told again first, and then asked once more
CREATE FUNCTION casino_internal.hub_ask_all(cells integer[], call text, arguments jsonb, dry boolean,
                                            table_id bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[] := casino_internal.hub_ask(cells, 0, call, arguments, dry,
                                                            table_id => table_id);
    lost CONSTANT integer[] := ARRAY(SELECT a.cell FROM unnest(answers) a
                                     WHERE casino_internal.hub_has_lost(a)
                                     ORDER BY 1);
    one integer;
BEGIN
    FOREACH one IN ARRAY lost LOOP
        IF casino_internal.hub_deliver(one, table_id) THEN
            answers := ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a WHERE a.cell <> one)
                || casino_internal.hub_ask(ARRAY[one], 0, call, arguments, dry, table_id => table_id);
        END IF;
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_ask_all(integer[], text, jsonb, boolean, bigint) IS
    'Part of the hub: asks cells of what is no decision, after those that have lost something were told '
    'again';

-- What to try again instead of raising an alarm: connections, conflicts of transactions, shortages, shutdowns
CREATE FUNCTION casino_internal.passes_by(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN left(code, 2) IN ('08', '40', '53', '57', '58') OR code = '55P03';
COMMENT ON FUNCTION casino_internal.passes_by(text) IS
    'Part of the hub: is an error one that another attempt need not meet';

-- It cannot be reached, or waits for a lock and has given up: it has not answered, and hears of what is
-- decided later (R13.37)
CREATE FUNCTION casino_internal.hub_silent(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(code IN ('08006', '55P03'), false);
COMMENT ON FUNCTION casino_internal.hub_silent(text) IS 'Part of the hub: has a cell not answered';

-- The refusal of the first cell, as the hub's own error. Answers come in no order.
CREATE FUNCTION casino_internal.raise_refusal(answers casino.cell_answer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a casino.cell_answer;
BEGIN
    FOR a IN SELECT x.* FROM unnest(answers) x ORDER BY x.cell LOOP
        IF a.code <> '00000' AND NOT casino_internal.hub_silent(a.code) THEN
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
COMMENT ON FUNCTION casino_internal.raise_refusal(casino.cell_answer[]) IS
    'Part of the hub: an error when a cell has refused, with its code';

CREATE FUNCTION casino_internal.raise_unreached(answers casino.cell_answer[], what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE NOT casino_internal.hub_silent(a.code)) THEN
        -- a close of betting that is called meanwhile may come later (R13.36)
        PERFORM casino.hub_write('away', '{}');
        RAISE EXCEPTION 'no cell that has to % could be reached', what
            USING ERRCODE = 'connection_failure',
                  DETAIL = coalesce((SELECT string_agg(format('Cell %s: %s', a.cell, a.message), E'\n')
                                     FROM unnest(answers) a), 'None of them is up.'),
                  HINT = 'casino.cell_status shows the cells; casino.catch_up() takes a cell back that is up '
                         'again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.raise_unreached(casino.cell_answer[], text) IS
    'Part of the hub: 08006 when nobody has answered';
