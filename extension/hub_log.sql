-- A hub's own books: decisions, their effect on its rounds, and answers of the cells (doc/scale.md).
-- Run over the connection of the hub to itself (casino.hub_write), so that it is committed when it returns.

-- A row that the caller's own transaction has changed would be waited for without end: nobody sees such a
-- wait, the lock's time ends it.
CREATE FUNCTION casino_internal.hub_write_here(what text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    number bigint;
    home integer;
BEGIN
    CASE what
        WHEN 'decide' THEN
            -- R13.30: nothing is written after another hub has taken over
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino_internal.hub_may_decide();
            RETURN to_jsonb(casino_internal.hub_write_decision(a ->> 'call', (a ->> 'table_id')::bigint,
                                                               (a ->> 'round_id')::bigint, a -> 'arguments',
                                                               a ->> 'by',
                                                               (a ->> 'only_cell')::integer,
                                                                   login => a ->> 'login'));
        WHEN 'down' THEN
            UPDATE casino.hub_cell c SET down_since = coalesce(c.down_since, clock_timestamp()),
                down_reason = a ->> 'reason' WHERE c.cell = (a ->> 'cell')::integer;
        WHEN 'reached' THEN
            PERFORM casino_internal.hub_note_reached((a ->> 'cell')::integer, (a ->> 'since')::timestamptz);
        WHEN 'away' THEN
            UPDATE casino.hub SET away_until = clock_timestamp();
        WHEN 'person' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino_internal.hub_may_decide();
            SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = a ->> 'external_ref';
            IF home IS NULL THEN
                SELECT c.cell INTO home FROM casino.hub_cell c WHERE c.takes_persons AND c.down_since IS NULL
                 ORDER BY c.persons, c.cell LIMIT 1;
                IF home IS NOT NULL THEN
                    PERFORM casino_internal.hub_keep_person(a ->> 'external_ref', home);
                END IF;
            END IF;
            RETURN to_jsonb(home);
        WHEN 'players' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino_internal.hub_may_decide();
            PERFORM casino_internal.hub_keep_players((a ->> 'cell')::integer, a -> 'accounts', a -> 'lost');
        WHEN 'erased' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino_internal.hub_may_decide();
            PERFORM casino_internal.hub_note_erased(a ->> 'external_ref', a ->> 'token',
                                                    (a ->> 'cell')::integer, a -> 'numbers');
        WHEN 'unerased' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino_internal.hub_may_decide();
            UPDATE casino.hub_person p
               SET erased_at = NULL,
                   lost_at = clock_timestamp()
             WHERE p.external_ref = a ->> 'token';
            PERFORM casino_internal.hub_keep_person(a ->> 'external_ref', (a ->> 'cell')::integer);
            UPDATE casino.hub_player p
               SET external_ref = a ->> 'external_ref'
             WHERE p.external_ref = a ->> 'token';
        WHEN 'move', 'move_refused', 'left', 'entered', 'move_learned' THEN
            PERFORM casino_internal.hub_write_move(what, a);
        WHEN 'learn' THEN
            PERFORM casino_internal.hub_learn(a);
        WHEN 'restored' THEN
            UPDATE casino.hub_cell SET learned = false;
            UPDATE casino.hub SET timeline = 0,
                epoch = casino_internal.hub_new_epoch(greatest(epoch, (a ->> 'epoch')::bigint));
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
COMMENT ON FUNCTION casino_internal.hub_write_here(text, jsonb) IS
    'Part of the hub: writes what was decided, at the end of hub_write()';

-- What a decision makes of the hub's round; false: it was decided otherwise
CREATE FUNCTION casino_internal.hub_effect(call text, of_table bigint, id bigint, arguments jsonb,
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
        WHEN 'approve_correction' THEN
            UPDATE casino.hub_round r
               SET status = CASE WHEN a -> 'outcome' IS NULL THEN 'voided'
                            WHEN r.status = 'withheld' THEN 'withheld' ELSE 'settled' END,
                   outcome = coalesce(a -> 'outcome', r.outcome),
                   reason = CASE WHEN a -> 'outcome' IS NULL THEN a ->> 'reason' END,
                   uncorrected = CASE WHEN r.forgotten_at IS NULL THEN NULL
                                 ELSE coalesce(r.uncorrected,
                                               jsonb_build_object('status', r.status, 'outcome', r.outcome,
                                                                  'reason', r.reason)) END
             WHERE r.round_id = id AND r.status IN ('settled', 'withheld', 'voided');
        ELSE
            RETURN true;
    END CASE;
    RETURN FOUND;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_effect(text, bigint, bigint, jsonb, boolean) IS
    'Part of the hub: what a decision makes of the hub''s round; false when the round is otherwise';

CREATE FUNCTION casino_internal.hub_write_decision(call text, table_id bigint, round_id bigint,
                                                   arguments jsonb,
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
    IF NOT casino_internal.hub_effect(call, table_id, round_id, arguments, learned) THEN
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
COMMENT ON FUNCTION casino_internal.hub_write_decision(text, bigint, bigint, jsonb, text, integer, boolean,
                                                       text) IS
    'Part of the hub: writes a decision, its effect on the hub''s round, and who has to answer';

-- R13.34: a hub that takes over withdraws what no cell is known to have obeyed: nobody was told that it
-- holds.  What a cell has obeyed without its answer being noted is read from the cell again.
CREATE FUNCTION casino_internal.hub_withdraw() RETURNS void
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
         WHERE h.round_id = r.round_id
           AND h.forgotten_at IS NULL;
        -- R12.71: the decisions of the round are forgotten, but for those that came since
        UPDATE casino.hub_round h
           SET status = h.uncorrected ->> 'status',
               outcome = nullif(h.uncorrected -> 'outcome', 'null'),
               reason = h.uncorrected ->> 'reason'
         WHERE h.round_id = r.round_id
           AND h.uncorrected IS NOT NULL;
        FOR d IN SELECT e.call, e.arguments, h.learned FROM casino.hub_decision e
            JOIN casino.hub_round h ON h.round_id = e.round_id
                  WHERE e.round_id = r.round_id AND casino_internal.hub_stands(e.decision_no)
                      ORDER BY e.decision_no LOOP
            PERFORM casino_internal.hub_effect(d.call, r.table_id, r.round_id, d.arguments, d.learned);
        END LOOP;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_withdraw() IS
    'Part of catch_up(): a hub that takes over keeps no decision that no cell has obeyed';

CREATE FUNCTION casino_internal.hub_stands(decision bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT NOT EXISTS (SELECT FROM casino.hub_withdrawal w WHERE w.decision_no = decision)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_stands(bigint) IS 'Part of the hub: was a decision not withdrawn';

-- In the caller's transaction: an answer that is lost with it is asked for again, and a message less for each
-- decision.
CREATE FUNCTION casino_internal.hub_note(decision_no bigint, cell integer, code text, message text,
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
COMMENT ON FUNCTION casino_internal.hub_note(bigint, integer, text, text, jsonb) IS
    'Part of the hub: notes the answer of a cell';

CREATE FUNCTION casino_internal.hub_keep_person(external_ref text, cell integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.hub_person (external_ref, cell, assigned_at)
    VALUES (external_ref, cell, clock_timestamp())
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE casino.hub_cell c SET persons = c.persons + 1 WHERE c.cell = hub_keep_person.cell;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_keep_person(text, integer)
    IS 'Part of the hub: gives a person a home cell';

CREATE FUNCTION casino_internal.hub_note_reached(of_cell integer, since timestamptz) RETURNS void
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
COMMENT ON FUNCTION casino_internal.hub_note_reached(integer, timestamptz) IS
    'Part of catch_up(): a cell is up; since: it is told again what was decided from then on';
