-- What a hub calls in a cell (doc/scale.md): one function for calls that change something, one for what is
-- read.  Both are for the hub's role (profile hub) and nobody else; they run as the owner of the ledger, so
-- that no other right is needed.

CREATE TYPE casino.cell_answer AS (
    cell    integer,
    code    text,
    message text,
    detail  text,
    hint    text,
    result  jsonb,
    obeyed  bigint,
    reason  text,
    data    jsonb
);
COMMENT ON TYPE casino.cell_answer IS
    'What a cell says to a call of its hub: its own number, the SQLSTATE (00000: done), the message of a '
    'refusal, and the result';
COMMENT ON COLUMN casino.cell_answer.cell IS 'Number of the cell that answers';
COMMENT ON COLUMN casino.cell_answer.code IS 'SQLSTATE; 00000: done, or done before';
COMMENT ON COLUMN casino.cell_answer.message IS 'Why not';
COMMENT ON COLUMN casino.cell_answer.detail IS 'Detail of the message';
COMMENT ON COLUMN casino.cell_answer.hint IS 'Hint of the message';
COMMENT ON COLUMN casino.cell_answer.result IS 'What the function called has returned';
COMMENT ON COLUMN casino.cell_answer.reason IS 'Word of a refusal, of casino.refusal_reasons()';
COMMENT ON COLUMN casino.cell_answer.data IS 'Values of the refusal';
COMMENT ON COLUMN casino.cell_answer.obeyed IS 'Last decision on the table that the cell has obeyed; 0: none';

-- Calls that only the hub makes in a cell: they tell all cells the same, or draw numbers that are the hub's
CREATE FUNCTION casino.hub_calls(OUT name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 18 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT regexp_split_to_table('register_player add_game_table set_table_limits open_round close_betting
                                  deal correct_deal close_actions hand_over_box check_outcome settle_round
                                  void_round pay_withheld withhold_winnings void_wagers correct_round
                                  approve_correction reject_correction close_game_table
                                  reopen_game_table', '\s+')
$fn$;
COMMENT ON FUNCTION casino.hub_calls() IS
    'Functions that in a cell nobody but the hub calls: they must be told to all cells alike';

CREATE FUNCTION casino_internal.in_cell() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN to_regclass('casino.cell') IS NOT NULL AND EXISTS (SELECT FROM casino.cell);
END
$fn$;
COMMENT ON FUNCTION casino_internal.in_cell() IS 'Is this database a cell of a hub';

CREATE FUNCTION casino_internal.for_hub_only(routine oid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.in_cell()
           AND EXISTS (SELECT FROM pg_proc p
                        WHERE p.oid = routine
                          AND p.proname IN (SELECT c.name FROM casino.hub_calls() c));
END
$fn$;
COMMENT ON FUNCTION casino_internal.for_hub_only(oid) IS
    'Part of grant_access(): is it a function that in this cell only the hub calls';

CREATE FUNCTION casino.obey(decision_no bigint, call text, arguments jsonb, dry boolean DEFAULT false,
                            actor text DEFAULT NULL, epoch bigint DEFAULT 0,
                            table_id bigint DEFAULT NULL, told jsonb DEFAULT NULL,
                            in_order boolean DEFAULT true) RETURNS casino.cell_answer
    AS 'MODULE_PATHNAME', 'casino_sql_obey' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.obey(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean) IS
'In a cell: carries out a call of the hub and says what came of it, a refusal too; '
'dry: says what would come of it and changes nothing. A hub of an earlier epoch than one obeyed before is '
'refused. told: what the cells have said to have obeyed on the table, {"cell": decision_no}; '
'a cell that has obeyed less does nothing but say so. in_order: false for a decision before which others are '
'missing';

-- R13.18: of two copies of a hub the one that has asked the cells last decides.  Who is told something holds
-- the lock shared until that is committed, so that a hub that takes over reads the decisions
-- that the other one has told.
CREATE FUNCTION casino_internal.obeys(epoch bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    taken_over CONSTANT text := 'hub epoch';
BEGIN
    IF epoch > (SELECT s.last_value FROM casino.hub_epoch_seq s) THEN
        PERFORM casino_internal.take_lock(taken_over);
        PERFORM setval('casino.hub_epoch_seq',
                       greatest(obeys.epoch, (SELECT s.last_value FROM casino.hub_epoch_seq s)));
    ELSE
        PERFORM casino_internal.take_lock(taken_over, shared => true);
    END IF;
    RETURN epoch >= (SELECT s.last_value FROM casino.hub_epoch_seq s);
END
$fn$;
COMMENT ON FUNCTION casino_internal.obeys(bigint) IS
    'Part of obey(): is it the hub that has taken over last; a later one is noted';

-- R12.160: the hub knows no stakes
CREATE FUNCTION casino_internal.last_placed(of_round bigint, after timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT max(s.posted_at)
      FROM casino.ledger s
     WHERE s.round_id = of_round
       AND s.kind = 'stake'
       AND s.posted_at > after
       AND s.book > casino_internal.last_book_without(of_round)
       AND NOT EXISTS (SELECT FROM casino.ledger f
                        WHERE f.player_id = s.player_id
                          AND f.stake_entry_no = s.entry_no
                          AND f.book > casino_internal.last_book_without(of_round)
                       OFFSET 0)
$fn$;
COMMENT ON FUNCTION casino_internal.last_placed(bigint, timestamptz)
    IS 'Part of obey(): the time of the latest standing stake of a round that is dated after a time';

-- A lock that somebody holds on must not hold up the hub, which goes on with the other cells (R13.37)
CREATE FUNCTION casino_internal.obey_impl(decision_no bigint, call text, arguments jsonb, dry boolean,
                                          actor text,
                                          epoch bigint, table_id bigint, told jsonb, in_order boolean)
RETURNS casino.cell_answer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    tolerance CONSTANT interval := '1 day';
    answer casino.cell_answer;
    told_data text;
    a CONSTANT jsonb := arguments;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
    round_id CONSTANT bigint := (arguments ->> 'round_id')::bigint;
    placed timestamptz;
BEGIN
    SELECT c.cell INTO answer.cell FROM casino.cell c;
    IF answer.cell IS NULL THEN
        RAISE EXCEPTION 'this database is not a cell' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'casino.become_cell() makes it one.';
    END IF;
    -- epochs are the microseconds at which a hub took over: one from days ahead would lock out every hub
    -- until then (R10.36)
    IF epoch > (extract(epoch FROM clock_timestamp() + tolerance) * 1000000)::bigint THEN
        answer.code := '22023';
        answer.message := 'the epoch of the hub is later than the clock of this cell';
        answer.detail := format('The epoch is %s, the clock of the cell says %s.', epoch,
                                (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
        answer.hint := 'Set the clocks of the hub and the cell.';
        RETURN answer;
    END IF;
    IF NOT casino_internal.obeys(coalesce(epoch, 0)) THEN
        answer.code := '55000';
        answer.message := 'another hub has taken over';
        answer.detail := format('This cell obeys a hub of epoch %s, this one is of epoch %s.',
                                (SELECT s.last_value FROM casino.hub_epoch_seq s), coalesce(epoch, 0));
        answer.hint := 'Stop this hub; the other one has read from the cells what was decided.';
        answer.result := jsonb_build_object('epoch', (SELECT s.last_value FROM casino.hub_epoch_seq s));
        RETURN answer;
    END IF;
    -- R13.31: a cell that was put back to an earlier state agrees to nothing, and does nothing, before it has
    -- been told again
    SELECT o.decision_no INTO answer.obeyed FROM casino.obeyed o WHERE o.table_id = obey_impl.table_id;
    answer.obeyed := coalesce(answer.obeyed, 0);
    IF answer.obeyed < (told ->> answer.cell::text)::bigint THEN
        answer.code := '55000';
        answer.message := 'this cell has lost what it had obeyed';
        answer.detail := format('The last decision on table %s that it knows of is %s, '
                                'the hub has its answer to %s.',
                                table_id, answer.obeyed, told ->> answer.cell::text);
        answer.hint := 'casino.catch_up() at the hub tells it again.';
        answer.result := jsonb_build_object('obeyed', answer.obeyed);
        RETURN answer;
    END IF;
    answer.code := '00000';
    -- the person who decided at the hub is recorded with the decision
    PERFORM set_config('casino.actor', coalesce(actor, ''), true);
    BEGIN
        IF dry AND call IN ('deal', 'correct_deal') THEN
            placed := casino_internal.last_placed(round_id, at);
        END IF;
        CASE call
            WHEN 'follow' THEN
                NULL;
            WHEN 'cells' THEN
                PERFORM casino_internal.note_cells((a ->> 'cells')::integer);
            WHEN 'players' THEN
                PERFORM casino_internal.pass_player_numbers((a ->> 'above')::bigint);
            WHEN 'register_player' THEN
                PERFORM casino_internal.pass_player_numbers((a ->> 'above')::bigint);
                PERFORM casino_internal.require_entered(a -> 'entered');
                answer.result := casino_internal.account_told(casino_internal.open_account(
                    a ->> 'external_ref',
                    ARRAY(SELECT n::bigint FROM jsonb_array_elements_text(a -> 'numbers') n)));
            WHEN 'leave_cell' THEN
                answer.result := casino_internal.leave_cell((a ->> 'player_id')::bigint,
                                                            (a ->> 'to_cell')::integer,
                                                            (a ->> 'again')::boolean,
                                                            (a ->> 'told')::numeric, a ->> 'token');
            WHEN 'enter_cell' THEN
                PERFORM casino_internal.pass_player_numbers((a ->> 'above')::bigint);
                answer.result := casino_internal.account_told(casino_internal.enter_cell(
                    (a ->> 'player_id')::bigint, (a ->> 'cell')::integer, (a ->> 'amount')::numeric,
                    a -> 'carried', a ->> 'external_ref', a ->> 'token', decode(a ->> 'salt', 'hex'),
                    (a ->> 'number')::bigint));
            WHEN 'add_game_table' THEN
                answer.result := to_jsonb(casino.add_game_table(a ->> 'game', a ->> 'name',
                        (a ->> 'min_stake')::numeric, (a ->> 'max_stake')::numeric,
                                                                a -> 'options', (a ->> 'table_id')::bigint));
            WHEN 'set_table_limits' THEN
                answer.result := to_jsonb(casino.set_table_limits((a ->> 'table_id')::bigint,
                        (a ->> 'min_stake')::numeric, (a ->> 'max_stake')::numeric,
                                                                  a -> 'options', at));
            WHEN 'close_game_table' THEN
                answer.result := to_jsonb(casino.close_game_table((a ->> 'table_id')::bigint,
                                                                  a ->> 'reason', at));
            WHEN 'reopen_game_table' THEN
                answer.result := to_jsonb(casino.reopen_game_table((a ->> 'table_id')::bigint,
                                                                   a ->> 'reason', at));
            WHEN 'set_duty_rule' THEN
                PERFORM casino_internal.put_duty_rule(a ->> 'name', a ->> 'value',
                                                      (a ->> 'valid_from')::timestamptz,
                                                      a ->> 'paragraph', a ->> 'document');
            WHEN 'open_round' THEN
                answer.result := to_jsonb(casino.open_round((a ->> 'table_id')::bigint, a ->> 'round_ref', at,
                                                            round_id, (a ->> 'betting_until')::timestamptz,
                                                            a -> 'facts'));
                PERFORM casino_internal.require_same_plan(round_id, (a ->> 'plan_version')::integer);
            WHEN 'close_betting' THEN
                PERFORM casino.close_betting(round_id, at);
                PERFORM casino_internal.require_same_end(round_id, at, 'betting');
            WHEN 'deal' THEN
                PERFORM casino.deal(round_id, a -> 'document', at);
            WHEN 'close_actions' THEN
                PERFORM casino.close_actions(round_id, at);
                PERFORM casino_internal.require_same_end(round_id, at, 'actions');
            WHEN 'hand_over_box' THEN
                PERFORM casino.hand_over_box(round_id, (a ->> 'seat')::integer, (a ->> 'player_id')::bigint,
                                             at);
            WHEN 'check_outcome' THEN
                PERFORM casino_internal.require_ground(round_id, a ->> 'ground');
                answer.result := to_jsonb(casino.check_outcome(round_id, a -> 'outcome', at));
            WHEN 'try_outcome' THEN
                -- of a round that is still played: what would come of closing it now
                PERFORM casino_internal.require_ground(round_id, a ->> 'ground');
                PERFORM casino.close_betting(round_id, at);
                IF (a ->> 'in_play')::boolean THEN
                    PERFORM casino.close_actions(round_id, at);
                END IF;
                PERFORM casino.check_outcome(round_id, a -> 'outcome', at);
            WHEN 'settle_round' THEN
                -- told once more after it was withheld and voided
                IF NOT EXISTS (SELECT FROM casino.round r
                               WHERE r.round_id = (a ->> 'round_id')::bigint AND r.status = 'voided'
                                   AND r.outcome_document = a -> 'outcome')
                   AND NOT casino_internal.corrected_since(call, a) THEN
                    answer.result := to_jsonb(casino.settle_round(round_id, a -> 'outcome', at,
                            (a ->> 'withhold')::boolean, a ->> 'withhold_reason', a ->> 'ground'));
                END IF;
            WHEN 'void_round' THEN
                answer.result := to_jsonb(casino.void_round(round_id, a ->> 'reason', at, a ->> 'ground'));
            WHEN 'pay_withheld' THEN
                IF NOT casino_internal.corrected_since(call, a) THEN
                    answer.result := to_jsonb(casino_internal.pay_withheld_for(round_id, at,
                                                                               (a ->> 'player_id')::bigint,
                                                                               a ->> 'reason',
                                                                               a ->> 'authority'));
                END IF;
            WHEN 'withhold_winnings' THEN
                IF NOT casino_internal.corrected_since(call, a) THEN
                    PERFORM casino.withhold_winnings(round_id, (a ->> 'player_id')::bigint,
                                                     a ->> 'reason', at, a ->> 'ground');
                END IF;
            WHEN 'correct_deal', 'correct_round', 'approve_correction', 'reject_correction' THEN
                answer.result := casino_internal.obey_correction(call, a);
            WHEN 'void_wagers' THEN
                answer.result := to_jsonb(casino.void_wagers(round_id, (a ->> 'player_id')::bigint,
                                                             a ->> 'reason', at, a ->> 'ground'));
            ELSE
                RAISE EXCEPTION 'unknown call "%"', call USING ERRCODE = 'invalid_parameter_value';
        END CASE;
        IF dry THEN
            IF call IN ('deal', 'correct_deal') THEN
                answer.result := jsonb_build_object('placed', placed);
            END IF;
            RAISE EXCEPTION 'dry run' USING ERRCODE = 'KD000';
        END IF;
        IF decision_no > 0 AND in_order AND table_id IS NOT NULL THEN
            answer.obeyed := casino_internal.note_obeyed(table_id, decision_no);
        END IF;
    EXCEPTION
        WHEN SQLSTATE 'KD000' THEN
            NULL;
        WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS answer.code = RETURNED_SQLSTATE, answer.message = MESSAGE_TEXT,
                answer.detail = PG_EXCEPTION_DETAIL, answer.hint = PG_EXCEPTION_HINT,
                answer.reason = CONSTRAINT_NAME, told_data = PG_DATATYPE_NAME;
            answer.data := casino_internal.refusal_data(answer.reason, told_data);
            answer.result := NULL;
    END;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino_internal.obey_impl(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb,
                                              boolean) IS
    'Body of obey(), run as the owner of the ledger';

-- Decisions on a table come in their order; an earlier one that comes again changes nothing.
CREATE FUNCTION casino_internal.note_obeyed(of_table bigint, decision bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last bigint;
BEGIN
    INSERT INTO casino.obeyed AS o VALUES (of_table, decision, clock_timestamp())
        ON CONFLICT (table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no,
            obeyed_at = EXCLUDED.obeyed_at WHERE o.decision_no < EXCLUDED.decision_no;
    SELECT o.decision_no INTO STRICT last FROM casino.obeyed o WHERE o.table_id = of_table;
    RETURN last;
END
$fn$;
COMMENT ON FUNCTION casino_internal.note_obeyed(bigint, bigint) IS
    'Part of obey(): the last decision on a table that was carried out here';

-- R13.14: a round is settled by the plan it was opened under, cells that would settle by different ones must
-- not open it
CREATE FUNCTION casino_internal.require_same_plan(round_id bigint, version integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here record;
BEGIN
    SELECT p.game, p.version INTO here FROM casino.round r JOIN casino.game_plan p ON p.plan_id = r.plan_id
     WHERE r.round_id = require_same_plan.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF here.version <> require_same_plan.version THEN
        RAISE EXCEPTION 'version % of the plan of % is in force here, version % at the hub', here.version,
            here.game, require_same_plan.version
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Load the same plan versions at the hub and in all cells, '
                       'then call casino.catch_up() at the hub.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_same_plan(bigint, integer) IS
    'Part of obey(): 55000 when a round would be played by another plan version than at the hub';

-- R13.39: after the owner's switch a cell may have ended betting at another time than the hub says.  The
-- stakes between the two times are in doubt, so that the cell goes on with neither time.
CREATE FUNCTION casino_internal.require_same_end(of_round bigint, at timestamptz, what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here timestamptz;
    state text;
BEGIN
    SELECT CASE what WHEN 'betting' THEN r.betting_closed_at ELSE r.actions_closed_at END, r.status
      INTO here, state
      FROM casino.round r
     WHERE r.round_id = of_round;
    IF here <> at THEN
        RAISE EXCEPTION '% of round % ended at another time here', what, of_round
            USING ERRCODE = 'KR002', CONSTRAINT = 'round_state',
                  DATATYPE = jsonb_build_object('round_id', of_round, 'status', state)::text,
                  DETAIL = format('Here it was %s, the hub says %s.', here, at),
                  HINT = 'Void the round in this cell, then casino.excuse_cell() at the hub.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_same_end(bigint, timestamptz, text)
    IS 'Part of obey(): KR002 when the end of betting, or of actions, came at another time than the hub says';

-- R13.40: a sequence, as the epoch is: a transaction that fails takes nothing back
CREATE FUNCTION casino_internal.note_cells(cells integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM setval('casino.hub_cells_seq', cells)
       FROM casino.hub_cells_seq s
      WHERE s.last_value < cells;
END
$fn$;
COMMENT ON FUNCTION casino_internal.note_cells(integer)
    IS 'Part of obey(): how many cells the hub has, the greatest number heard';

CREATE FUNCTION casino.cell_read(what text, arguments jsonb DEFAULT '{}', OUT cell integer,
                                 OUT data jsonb) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cell_read(text, jsonb) IS
    'In a cell: what the hub reads of it, a row each: report, rounds, tables, persons, and the figures that '
    'are summed';

CREATE FUNCTION casino_internal.cell_read_impl(what text, arguments jsonb, OUT cell integer,
                                               OUT data jsonb) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
#variable_conflict use_column
DECLARE
    a CONSTANT jsonb := arguments;
    me integer;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
    first CONSTANT date := (arguments ->> 'from_day')::date;
    last CONSTANT date := (arguments ->> 'to_day')::date;
    since CONSTANT timestamptz := (arguments ->> 'since')::timestamptz;
BEGIN
    SELECT c.cell INTO me FROM casino.cell c;
    CASE what
        WHEN 'report' THEN
            RETURN QUERY SELECT me,
                to_jsonb(s) || casino_internal.cell_presence() || casino_internal.cell_report()
                FROM casino.cell_state() s;
        WHEN 'presence' THEN
            RETURN QUERY SELECT me, casino_internal.cell_presence();
        WHEN 'rounds' THEN
            RETURN QUERY
                SELECT me, jsonb_build_object('round_id', r.round_id, 'table_id', r.table_id, 'round_ref',
                                              r.round_ref, 'status', r.status, 'opened_at', r.opened_at,
                                              'betting_until', r.betting_until, 'betting_closed_at',
                                              r.betting_closed_at, 'actions_closed_at', r.actions_closed_at,
                                              'evaluated_at', r.evaluated_at, 'outcome', r.outcome_document,
                                              'withheld_paid_at', r.withheld_paid_at, 'withheld_paid_reason',
                                              r.withheld_paid_reason,
                                              'withheld_at', r.withheld_at, 'withheld_reason',
                                              r.withheld_reason, 'withheld_ground', r.withheld_ground,
                                              'facts', r.facts, 'void_ground', r.void_ground,
                                              'voided_at', r.voided_at, 'reason', r.void_reason,
                                              'plan_version', p.version,
                                              'corrections', casino_internal.corrections_told(r.round_id),
                                              'deals', casino_internal.deals_told(r.round_id))
                  FROM casino.round_as_evaluated r JOIN casino.game_plan p ON p.plan_id = r.plan_id
                 WHERE r.status IN ('open', 'closed', 'withheld') OR r.opened_at >= since
                     OR r.evaluated_at >= since OR r.voided_at >= since OR r.withheld_paid_at >= since
                     OR EXISTS (SELECT
                                  FROM casino.round_correction c
                                  LEFT JOIN casino.correction_decision d
                                    ON d.correction_no = c.correction_no
                                 WHERE c.round_id = r.round_id
                                   AND (c.proposed_at >= since OR d.decided_at >= since))
                 ORDER BY r.round_id;
        WHEN 'tables' THEN
            -- a row for each version of its limits
            RETURN QUERY
                SELECT me, jsonb_build_object('table_id', t.table_id, 'game', t.game, 'name', t.name,
                                              'home_cell', t.home_cell, 'min_stake', v.min_stake, 'max_stake',
                                              v.max_stake,
                                              'version', v.version, 'valid_from', v.valid_from,
                                              'options', jsonb_strip_nulls(jsonb_build_object('seats',
                                                      v.seats, 'home_cell', t.home_cell))
                                                         || jsonb_build_object('surrender', v.surrender,
                                                                 'behind', v.behind, 'limits',
                                                                 casino_internal.table_limits_of(t.table_id,
                                                                         v.version)))
                  FROM casino.game_table t JOIN casino.table_version v ON v.table_id = t.table_id
                 ORDER BY t.table_id, v.version;
        WHEN 'persons' THEN
            RETURN QUERY SELECT me, casino_internal.account_told(p.player_id)
                FROM casino.player p WHERE p.registered_at >= since ORDER BY p.player_id;
        WHEN 'moves' THEN
            -- R12.116
            RETURN QUERY
                SELECT me, jsonb_build_object('player_id', m.player_id, 'direction', m.direction,
                                              'cell', m.cell, 'other_player_id', m.other_player_id,
                                              'amount', m.amount, 'moved_at', m.moved_at,
                                              'token', o.token, 'external_ref', o.external_ref)
                  FROM casino.account_move m
                  JOIN casino.player p ON p.player_id = m.player_id
                  JOIN casino.person o ON o.external_ref = p.external_ref;
        WHEN 'person' THEN
            RETURN QUERY SELECT me, '{}'::jsonb
                FROM casino.person p
               WHERE a ->> 'external_ref' IN (p.external_ref, p.token);
        WHEN 'erased' THEN
            -- R12.93: as long as the salt is here, the hub finds its own row of the person by it
            RETURN QUERY SELECT me, jsonb_build_object('token', p.token, 'salt', encode(p.salt, 'hex'),
                                                       'numbers', (SELECT jsonb_agg(l.player_id)
                                                                     FROM casino.player l
                                                                    WHERE l.external_ref = p.external_ref))
                FROM casino.erasure e
                JOIN casino.person p ON p.external_ref = e.external_ref
               WHERE p.salt IS NOT NULL;
        WHEN 'unerased' THEN
            -- R12.95
            RETURN QUERY SELECT me, jsonb_build_object('token', p.token, 'external_ref', p.external_ref)
                FROM jsonb_array_elements_text(a -> 'tokens') t (token)
                JOIN casino.person p ON p.token = t.token AND p.external_ref <> p.token;
        WHEN 'round_figures' THEN
            RETURN QUERY
                SELECT me, jsonb_build_object('round_id', r.round_id, 'status', r.status, 'outcome',
                                              r.outcome, 'wagers', r.wagers, 'players', r.players,
                                              'staked', r.staked, 'paid', r.paid)
                  FROM casino.round r WHERE r.evaluated_at >= casino.day_start(first)
                      AND r.evaluated_at < casino.day_start(last + 1);
        WHEN 'round_changes' THEN
            RETURN QUERY SELECT me, to_jsonb(c)
                FROM casino.round_changes((a -> 'after' ->> me::text)::bigint) c;
        WHEN 'player_day_changes' THEN
            RETURN QUERY SELECT me, to_jsonb(c)
                FROM casino.player_day_changes((a -> 'after' ->> me::text)::bigint) c;
        WHEN 'adjusted' THEN
            RETURN QUERY SELECT me, to_jsonb(casino_internal.round_adjusted((a ->> 'round_id')::bigint));
        WHEN 'trial_balance' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.trial_balance t;
        WHEN 'open_rounds' THEN
            RETURN QUERY SELECT me, to_jsonb(o) FROM casino.open_rounds(at) o;
        WHEN 'daily_table' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.daily_table(first, last) t;
        WHEN 'tax_base' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.tax_base(first, last) t;
        WHEN 'account_movements' THEN
            RETURN QUERY SELECT me, to_jsonb(m) FROM casino.account_movements(first, last) m;
        WHEN 'liability' THEN
            RETURN QUERY SELECT me, to_jsonb(l) FROM casino.liability(at) l;
        WHEN 'table_limits' THEN
            RETURN QUERY
                SELECT me, to_jsonb(l)
                  FROM casino.game_table t
                 CROSS JOIN LATERAL casino.table_limits_at(t.table_id, at) l
                 WHERE t.table_id = (a ->> 'table_id')::bigint;
        WHEN 'game_recall' THEN
            RETURN QUERY
                SELECT me, casino.game_recall(r.round_id)
                  FROM casino.round r
                 WHERE r.round_id = (a ->> 'round_id')::bigint;
        WHEN 'night' THEN
            RETURN QUERY
                SELECT me, to_jsonb(n) || jsonb_build_object('differences',
                        (SELECT count(*) FROM casino.difference d WHERE d.run_no = n.run_no),
                                                             'unfinished',
                        EXISTS (SELECT FROM casino.unfinished_run u WHERE u.run_no = n.run_no),
                                                             'seal', (SELECT max(s.seal_no)
                                                                     FROM casino.day_seal s
                                                                         WHERE s.day = n.to_day))
                  FROM (SELECT r.* FROM casino.reconciliation r WHERE r.night AND r.from_day = first
                        ORDER BY r.run_no DESC LIMIT 1) n;
        ELSE
            RAISE EXCEPTION 'unknown reading "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_read_impl(text, jsonb) IS
    'Body of cell_read(), run as the owner of the ledger';

-- Which copy of the data answers: the timeline of the write-ahead log grows with every promotion and every
-- restore to a point in time
CREATE FUNCTION casino.timeline() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
$fn$;
COMMENT ON FUNCTION casino.timeline() IS
    'Timeline of the server: another one than before tells that a standby was promoted or a backup restored';

-- Volatile: it sees the account that was opened by its own argument
CREATE FUNCTION casino_internal.account_told(player_id bigint) RETURNS jsonb
LANGUAGE sql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_build_object('external_ref', p.external_ref, 'player_id', p.player_id,
                              'registered_at', p.registered_at,
                              'erased', EXISTS (SELECT FROM casino.erasure e
                                                 WHERE e.external_ref = p.external_ref))
      FROM casino.player p
     WHERE p.player_id = account_told.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.account_told(bigint)
    IS 'Part of obey() and cell_read(): an account as a hub keeps it';

CREATE FUNCTION casino_internal.cell_presence() RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last casino.player;
BEGIN
    -- who is erased may have another name at the hub
    SELECT p.* INTO last FROM casino.player p
     WHERE NOT EXISTS (SELECT FROM casino.erasure e WHERE e.external_ref = p.external_ref)
     ORDER BY p.player_id DESC
     LIMIT 1;
    RETURN jsonb_build_object(
        'cell', (SELECT c.cell FROM casino.cell c),
        'obeyed', (SELECT coalesce(jsonb_object_agg(o.table_id, o.decision_no), '{}') FROM casino.obeyed o),
        'epoch', (SELECT s.last_value FROM casino.hub_epoch_seq s),
        'cells', (SELECT s.last_value FROM casino.hub_cells_seq s),
        'sealed_day', (SELECT max(s.day) FROM casino.day_seal s),
        'sealed_at', (SELECT s.sealed_at FROM casino.day_seal s ORDER BY s.seal_no DESC LIMIT 1),
        -- what a hub that is not older than this cell knows, too
        'last_round', (SELECT max(r.round_id) FROM casino.round r),
        'last_table', (SELECT max(t.table_id) FROM casino.game_table t),
        'last_person', last.external_ref,
        'last_person_no', last.player_id,
        'last_number', (SELECT coalesce(pg_sequence_last_value('casino.player_id_seq'), 0) * c.of_cells
                               - (c.of_cells - c.cell) % c.of_cells
                          FROM casino.cell c),
        'registered_at', (SELECT p.registered_at FROM casino.player p ORDER BY p.player_id DESC LIMIT 1),
        'players', (SELECT count(*) FROM casino.player),
        -- R12.116: as many, and the same ones
        'left', (SELECT count(*) || '/' || coalesce(sum(m.player_id), 0)
                   FROM casino.account_move m WHERE m.direction = 'out'),
        'entered', (SELECT count(*) || '/' || coalesce(sum(m.player_id), 0)
                      FROM casino.account_move m WHERE m.direction = 'in'),
        'erasures', (SELECT count(*) FROM casino.erasure),
        'erased', (SELECT count(*)
                     FROM casino.erasure e
                     JOIN casino.person p ON p.external_ref = e.external_ref
                    WHERE p.salt IS NOT NULL));
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_presence() IS
    'Part of cell_read(): that the cell is there, what it has obeyed and what it knows of last';

CREATE FUNCTION casino_internal.cell_report() RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN jsonb_build_object(
        'clock', clock_timestamp(),
        'last_clean_night', (SELECT max(r.to_day) FROM casino.reconciliation r
                             WHERE r.night AND r.status = 'clean'),
        -- who else may make calls that are the hub's; the owner and superusers can whatever is granted
        'others', (SELECT coalesce(jsonb_agg(format('%s may call %s()', CASE x.grantee WHEN 0
                                                    THEN 'everybody'
                                                        ELSE pg_get_userbyid(x.grantee) END,
                                                    p.oid::regproc)
                                             ORDER BY x.grantee, p.proname), '[]')
                     FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl,
                             acldefault('f', p.proowner))) x
                    WHERE p.pronamespace = ANY (casino_internal.schemas()) AND x.grantee <> p.proowner
                        AND casino_internal.for_hub_only(p.oid)
                      AND NOT EXISTS (SELECT FROM pg_class l
                                      WHERE l.oid = 'casino.ledger'::regclass AND l.relowner = x.grantee)));
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_report() IS
    'Part of cell_read(): what the hub compares when a cell joins and from time to time';
