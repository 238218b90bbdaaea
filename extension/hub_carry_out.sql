-- A decision is carried out: tried in the cells, written, sent and noted (doc/scale.md).

-- What a cell has to answer on a table before a decision, in its order; true when nothing is left
CREATE FUNCTION casino_internal.hub_deliver(cell integer, table_id bigint, before bigint DEFAULT NULL)
    RETURNS boolean
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
        answers := casino_internal.hub_ask(ARRAY[cell], d.decision_no, d.call, d.arguments,
                                           actor => d.decided_by,
                                           table_id => table_id, in_order => refused IS NULL);
        IF casino_internal.hub_has_lost(answers[1]) THEN
            RETURN casino_internal.hub_deliver(cell, table_id, before);
        END IF;
        PERFORM casino_internal.hub_note(d.decision_no, a.cell, a.code, a.message, a.result)
            FROM unnest(answers) a;
        IF (answers[1]).code <> '00000' THEN
            IF refused IS NOT NULL OR d.call <> 'open_round'
                OR casino_internal.passes_by((answers[1]).code) THEN
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
    RETURN ended AND casino_internal.hub_deliver(cell, table_id, before);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_deliver(integer, bigint, bigint) IS
    'Part of the hub: sends a cell what it has not answered on a table, until it refuses';

CREATE FUNCTION casino_internal.hub_carry_out(decision_no bigint) RETURNS void
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
        IF NOT c.behind OR casino_internal.hub_deliver(c.cell, d.table_id, d.decision_no) THEN
            cells := cells || c.cell;
        END IF;
    END LOOP;
    answers := casino_internal.hub_ask(cells, d.decision_no, d.call, d.arguments, actor => d.decided_by,
                                       table_id => d.table_id);
    PERFORM casino_internal.hub_note(d.decision_no, a.cell, a.code, a.message, a.result)
        FROM unnest(answers) a
      WHERE NOT casino_internal.hub_has_lost(a);
    PERFORM casino_internal.hub_deliver(a.cell, d.table_id, d.decision_no + 1) FROM unnest(answers) a
      WHERE casino_internal.hub_has_lost(a);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_carry_out(bigint) IS
    'Part of the hub: sends a decision to the cells that have not answered it, and notes their answers';

-- R13.30: what no cell has heard of is not answered, at the first call and at its repetitions
CREATE FUNCTION casino_internal.hub_hold(decision_no bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    call CONSTANT text := (SELECT d.call FROM casino.hub_decision d
                           WHERE d.decision_no = hub_hold.decision_no);
    late text;
BEGIN
    PERFORM casino_internal.hub_carry_out(decision_no);
    PERFORM casino_internal.hub_not_superseded();
    SELECT string_agg(format('Cell %s: %s', a.cell, coalesce(a.message, 'is down or behind')), E'\n'
                      ORDER BY a.cell) INTO late
      FROM casino.hub_answer a WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NULL;
    IF NOT EXISTS (SELECT FROM casino.hub_answer a
                   WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NOT NULL
                       AND a.excused_by IS NULL) THEN
        PERFORM casino_internal.raise_refusal(ARRAY(SELECT (a.cell, coalesce(a.code, '08006'), a.message,
                                                            NULL,
            NULL, NULL, NULL, NULL, NULL)::casino.cell_answer
                                                      FROM casino.hub_answer a
                                                          WHERE a.decision_no = hub_hold.decision_no
                                                              ORDER BY a.cell));
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
COMMENT ON FUNCTION casino_internal.hub_hold(bigint) IS
    'Part of the hub: carries a decision out; 55000 when another hub has taken over, 08006 when no cell has '
    'heard of it';

CREATE FUNCTION casino_internal.hub_decide(call text, table_id bigint, round_id bigint, arguments jsonb,
                                           only_cell integer DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number bigint;
BEGIN
    number := casino.hub_write('decide', jsonb_build_object('call', call, 'table_id', table_id, 'round_id',
                                                            round_id, 'arguments', arguments,
                                                            'by', casino_internal.hub_actor(), 'login',
                                                                session_user,
                                                            'only_cell', only_cell))::bigint;
    PERFORM casino_internal.hub_hold(number);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_decide(text, bigint, bigint, jsonb, integer) IS
    'Part of the hub: writes a decision and carries it out';

-- R13.12, R13.13.  Would the cells carry it out?  All that can be reached are asked, also one that has
-- refused something before: what it refuses now is refused.  Only the cell that never opened the round has no
-- wagers in it, and nothing to say.
CREATE FUNCTION casino_internal.hub_try(table_id bigint, call text, arguments jsonb,
                                        home_cell integer DEFAULT NULL) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[];
BEGIN
    -- before something ends, who was down is asked whether he still is
    IF call IN ('follow', 'close_actions', 'try_outcome', 'check_outcome', 'void_round', 'pay_withheld',
                'correct_deal', 'correct_round', 'approve_correction', 'reject_correction')
       OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL AND c.learned) THEN
        PERFORM casino_internal.hub_reach(c.cell) FROM casino.hub_cell c WHERE c.down_since IS NOT NULL
            AND c.learned;
    END IF;
    -- who is behind for a passing reason can answer after all
    PERFORM casino_internal.hub_deliver(w.cell, hub_try.table_id)
       FROM (SELECT DISTINCT a.cell FROM casino.hub_answer a JOIN casino.hub_cell c ON c.cell = a.cell
              WHERE a.table_id = hub_try.table_id AND a.answered_at IS NULL AND c.down_since IS NULL
                  AND c.learned) w;
    answers := casino_internal.hub_ask_all(ARRAY(SELECT c.cell FROM casino.hub_cell c
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
        PERFORM casino_internal.raise_unreached(ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a
                                                      WHERE a.cell = home_cell),
                                                          format('know (the home cell %s)', home_cell));
    END IF;
    PERFORM casino_internal.raise_unreached(answers, 'know');
    PERFORM casino.hub_write('down', jsonb_build_object('cell', a.cell, 'reason', a.message))
       FROM unnest(answers) a WHERE a.code = '08006';
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_try(bigint, text, jsonb, integer) IS
    'Part of the hub: asks the cells what would come of a call';
