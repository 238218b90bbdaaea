-- Results decided at a hub: settled, void, withheld and paid, in all cells or for one player (doc/scale.md).

-- KR001: a player whom no cell could know would be missed by all of them.
CREATE FUNCTION casino_internal.hub_check_players(outcome jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    stranger bigint;
BEGIN
    SELECT p INTO stranger FROM unnest(casino.outcome_players(outcome)) p
     WHERE NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = p % (SELECT h.of_cells FROM casino.hub h))
         LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'illegal outcome'
            USING ERRCODE = 'KR001', CONSTRAINT = 'illegal_outcome',
                  DATATYPE = jsonb_build_object('player_id', stranger)::text,
                  DETAIL = format('Player %s is of no cell in use.', stranger);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_check_players(jsonb) IS
    'Part of the hub: KR001 for an outcome that names a player of no cell';

-- What the cells have answered, added up; those that have not are left out, with a notice.
CREATE FUNCTION casino_internal.hub_settlement(round_id bigint, decision_no bigint) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    s casino.settlement;
    missing text;
BEGIN
    -- a correction since has another sum
    decision_no := greatest(decision_no, casino_internal.hub_decided(round_id, 'approve_correction'));
    SELECT hub_settlement.round_id, NULL, coalesce(sum(x.wagers), 0), coalesce(sum(x.players), 0),
           coalesce(sum(x.staked), 0.00),
           coalesce(sum(x.paid), 0.00), coalesce(sum(x.house_result), 0.00), max(x.at)
      INTO s
      FROM casino.hub_answer a CROSS JOIN LATERAL jsonb_populate_record(NULL::casino.settlement, a.result) x
     WHERE a.decision_no = hub_settlement.decision_no AND a.answered_at IS NOT NULL AND a.result IS NOT NULL;
    -- as it is now: what was withheld may have been paid since
    SELECT r.status, coalesce(s.at, r.evaluated_at) INTO s.status, s.at FROM casino.hub_round r
     WHERE r.round_id = hub_settlement.round_id;
    SELECT string_agg(format('cell %s', a.cell), ', ' ORDER BY a.cell) INTO missing
      FROM casino.hub_answer a WHERE a.decision_no = hub_settlement.decision_no
          AND (a.answered_at IS NULL OR a.excused_by IS NOT NULL);
    IF missing IS NOT NULL THEN
        RAISE NOTICE 'the settlement of round % is without %', round_id, missing;
    END IF;
    RETURN s;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_settlement(bigint, bigint) IS
    'Part of the hub: sum of the settlements of all cells';

CREATE FUNCTION casino_internal.hub_settle_round(round_id bigint, outcome jsonb, at timestamptz,
                                                 withhold boolean,
                                                 withhold_reason text, ground text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    t timestamptz;
    arguments jsonb;
    number bigint;
BEGIN
    IF outcome IS NULL THEN
        RAISE EXCEPTION 'outcome must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF withhold IS NULL THEN
        RAISE EXCEPTION 'withhold must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(withhold_reason, 'withhold_reason', 1000);
    PERFORM casino_internal.bounded(ground, 'ground', 64);
    r := casino_internal.hub_round_of(round_id);
    number := casino_internal.hub_decided(round_id, 'void_round');
    IF r.status = 'voided' AND number >= casino_internal.hub_decided(round_id, 'approve_correction') THEN
        PERFORM casino_internal.hub_round_state(r, format('It was voided: %s', r.reason));
    END IF;
    IF r.status NOT IN ('open', 'closed') THEN
        -- settled already: the same outcome is answered, whatever the cells say of how it is written; another
        -- one is KR002. A void by a correction leaves the first settlement its answer, as one server does
        IF r.status = 'voided' OR r.outcome IS DISTINCT FROM outcome THEN
            PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'check_outcome',
                                                                          jsonb_build_object('round_id',
                                                                                             round_id,
                                                                                                 'outcome',
                                                                                  outcome, 'at',
                                                                                      r.evaluated_at,
                                                                'withhold', r.status = 'withheld')));
        END IF;
        PERFORM casino_internal.hub_remember(round_id);
        number := casino_internal.hub_decided(round_id, 'settle_round');
        PERFORM casino_internal.hub_hold(number);
        RETURN casino_internal.hub_settlement(round_id, number);
    END IF;
    t := casino_internal.event_time(at, greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at,
                                                 casino_internal.hub_last_dealt(r.round_id)));
    PERFORM casino_internal.hub_check_time(r, t);
    PERFORM casino_internal.hub_check_players(outcome);
    -- R13.13: an outcome that is refused leaves betting and decisions as they are
    IF r.status = 'open' OR r.actions_closed_at IS NULL AND r.in_play THEN
        PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'try_outcome',
                    jsonb_build_object('round_id', round_id, 'outcome', outcome, 'at', t, 'ground', ground,
                                       'in_play', r.actions_closed_at IS NULL AND r.in_play), r.home_cell));
    END IF;
    -- nothing that the outcome depends on may change in any cell from here on
    IF r.status = 'open' THEN
        r := casino_internal.hub_close(r, t);
    END IF;
    IF r.actions_closed_at IS NULL AND r.in_play THEN
        r := casino_internal.hub_end_actions(r, t);
    END IF;
    arguments := jsonb_build_object('round_id', round_id, 'outcome', outcome, 'at', t, 'ground', ground,
                                    'withhold_reason', casino_internal.hub_ground_reason(round_id, ground,
                                                                                         withhold_reason),
                                    'withhold', withhold
                                        OR casino_internal.hub_decided(round_id, 'withhold_winnings') > 0);
    PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'check_outcome', arguments,
                                                                  r.home_cell));
    number := casino_internal.hub_decide('settle_round', r.table_id, round_id, arguments);
    RETURN casino_internal.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_settle_round(bigint, jsonb, timestamptz, boolean, text, text) IS
    'Part of settle_round() at a hub: closes in all cells, lets all check the outcome, decides it '
    'when no cell has refused, and sends it';

-- The text of the plan where a ground came without one: the decision says all (R11.44).
CREATE FUNCTION casino_internal.hub_ground_reason(round_id bigint, ground text, reason text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce($3, (SELECT g.text
                           FROM casino.hub_round r
                           JOIN casino.hub_table t ON t.table_id = r.table_id
                          CROSS JOIN LATERAL casino.plan_grounds(casino.plan_in_force(t.game, r.opened_at)) g
                          WHERE r.round_id = $1 AND g.ground = $2))
$fn$;
COMMENT ON FUNCTION casino_internal.hub_ground_reason(bigint, text, text) IS
    'Part of the hub: the reason that was given, else the text that the game plan has for the ground';

CREATE FUNCTION casino_internal.hub_void_round(round_id bigint, reason text, at timestamptz,
                                               ground text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    t timestamptz;
    arguments jsonb;
    -- it may be void by a correction
    number bigint := greatest(casino_internal.hub_decided(round_id, 'void_round'),
                              casino_internal.hub_decided(round_id, 'approve_correction'));
BEGIN
    reason := casino_internal.hub_ground_reason(round_id, ground, reason);
    IF r.status = 'voided' THEN
        PERFORM casino_internal.hub_remember(round_id);
    END IF;
    IF r.status = 'voided' AND r.reason IS NOT DISTINCT FROM reason
       AND coalesce(ground, 'other')
           = coalesce((SELECT d.arguments ->> 'ground' FROM casino.hub_decision d
                        WHERE d.decision_no = number),
                      'other') THEN
        PERFORM casino_internal.hub_hold(number);
    ELSE
        t := casino_internal.event_time(at, greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at,
                                                     r.evaluated_at,
                                                     casino_internal.hub_last_dealt(r.round_id)));
        arguments := jsonb_build_object('round_id', round_id, 'reason', reason, 'at', t, 'ground', ground);
        PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'void_round', arguments,
                                                                      r.home_cell));
        number := casino_internal.hub_decide('void_round', r.table_id, round_id, arguments);
    END IF;
    RETURN casino_internal.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_void_round(bigint, text, timestamptz, text)
    IS 'Part of void_round() at a hub';

-- A number of no cell in use is of nobody: any cell refuses it as one server does.
CREATE FUNCTION casino_internal.hub_cell_to_tell(player_id bigint) RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT c.cell FROM casino.hub_cell c
     ORDER BY c.cell <> casino.cell_to_ask($1), c.down_since IS NOT NULL, c.cell
     LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.hub_cell_to_tell(bigint) IS
    'Part of the hub: the cell of a player; another one where the number belongs to no cell in use';

-- What concerns one player is done in his cell, under the lock of the table
CREATE FUNCTION casino_internal.hub_tell(player_id bigint, call text, arguments jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    at_table CONSTANT bigint := (SELECT r.table_id FROM casino.hub_round r
                                 WHERE r.round_id = (arguments ->> 'round_id')::bigint);
    answers casino.cell_answer[];
BEGIN
    answers := casino_internal.hub_ask_all(ARRAY[casino_internal.hub_cell_to_tell(player_id)], call,
                                           arguments || jsonb_build_object('player_id', player_id), false,
                                               at_table);
    PERFORM casino_internal.raise_unreached(answers, 'do it');
    PERFORM casino_internal.raise_refusal(answers);
    RETURN (answers[1]).result;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_tell(bigint, text, jsonb) IS
    'Part of the hub: a call that only the cell of one player is told';

CREATE FUNCTION casino_internal.hub_withhold_winnings(round_id bigint, player_id bigint, reason text,
                                                      at timestamptz, ground text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    arguments CONSTANT jsonb := jsonb_build_object('round_id', r.round_id, 'reason',
                                                   casino_internal.hub_ground_reason(r.round_id, ground,
                                                                                     reason),
                                                   'at', casino_internal.event_time(at), 'ground', ground);
BEGIN
    IF player_id IS NOT NULL THEN
        PERFORM casino_internal.hub_tell(player_id, 'withhold_winnings', arguments);
    ELSE
        PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'withhold_winnings',
                                                                      arguments, r.home_cell));
        PERFORM casino_internal.hub_decide('withhold_winnings', r.table_id, round_id, arguments);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_withhold_winnings(bigint, bigint, text, timestamptz, text) IS
    'Part of withhold_winnings() at a hub';

-- As in one database; the hub knows from its decisions which rounds a shoe had.
CREATE FUNCTION casino_internal.hub_withhold_shoe(shoe text, reason text, at timestamptz, ground text)
    RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    id bigint;
    ids bigint[];
BEGIN
    IF shoe IS NULL THEN
        RAISE EXCEPTION 'shoe must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    shoe := casino_internal.canonical_text(shoe, 'shoe');
    SELECT array_agg(d.round_id ORDER BY d.round_id) INTO ids
      FROM casino.hub_decision d
     WHERE d.call = 'open_round' AND d.arguments #>> '{facts,shoe}' = shoe
       AND d.decision_no = casino_internal.hub_decided(d.round_id, 'open_round');
    IF ids IS NULL THEN
        RAISE EXCEPTION 'no round was dealt from shoe "%"', left(shoe, 64)
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'casino.open_round() is told the shoe of each round.';
    END IF;
    FOREACH id IN ARRAY ids LOOP
        IF EXISTS (SELECT FROM casino.hub_round r WHERE r.round_id = id AND r.status IN ('open', 'closed'))
           AND casino_internal.hub_decided(id, 'withhold_winnings') = 0 THEN
            PERFORM casino_internal.hub_withhold_winnings(id, NULL, reason, at, ground);
        END IF;
    END LOOP;
    RETURN (SELECT count(*) FROM casino.hub_round r
             WHERE r.round_id = ANY (ids)
               AND (r.status = 'withheld' OR r.status IN ('open', 'closed')
                                             AND casino_internal.hub_decided(r.round_id, 'withhold_winnings')
                                                 > 0));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_withhold_shoe(text, text, timestamptz, text)
    IS 'Part of withhold_shoe() at a hub';

CREATE FUNCTION casino_internal.hub_void_wagers(round_id bigint, player_id bigint, reason text,
                                                at timestamptz, ground text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
BEGIN
    IF player_id IS NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    RETURN jsonb_populate_record(NULL::casino.settlement,
                                 casino_internal.hub_tell(player_id, 'void_wagers',
                                                          jsonb_build_object('round_id', r.round_id, 'reason',
                                                              casino_internal.hub_ground_reason(r.round_id,
                                                                                              ground, reason),
                                                              'at', casino_internal.event_time(at), 'ground',
                                                                  ground)));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_void_wagers(bigint, bigint, text, timestamptz, text)
    IS 'Part of void_wagers() at a hub';

CREATE FUNCTION casino_internal.hub_pay_withheld(round_id bigint, at timestamptz, player_id bigint,
                                                 reason text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(round_id);
    arguments jsonb;
    answers casino.cell_answer[];
    number bigint;
BEGIN
    IF reason IS NOT NULL THEN
        PERFORM casino_internal.hub_reason(reason, 'paying withheld winnings');
    END IF;
    IF r.status IN ('open', 'closed') THEN
        PERFORM casino_internal.hub_round_state(r, 'Nothing of it is withheld before the evaluation.');
    END IF;
    arguments := jsonb_build_object('round_id', round_id, 'at',
                                    casino_internal.event_time(at, r.evaluated_at),
                                    'reason', reason, 'authority', casino_internal.release_authority());
    IF player_id IS NOT NULL THEN
        RETURN jsonb_populate_record(NULL::casino.settlement,
                                     casino_internal.hub_tell(player_id, 'pay_withheld', arguments));
    END IF;
    -- single players of it are paid by their cells, one by one
    PERFORM casino_internal.hub_remember(round_id);
    IF r.status = 'withheld' THEN
        PERFORM casino_internal.raise_refusal(casino_internal.hub_try(r.table_id, 'pay_withheld', arguments,
                                                                      r.home_cell));
        number := casino_internal.hub_decide('pay_withheld', r.table_id, round_id, arguments);
    ELSE
        number := casino_internal.hub_decided(round_id, 'pay_withheld');
        IF number = 0 THEN
            -- nothing of it is withheld but what single players won, in the cells that do not refuse
            answers := casino_internal.hub_try(r.table_id, 'pay_withheld', arguments, r.home_cell);
            IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '00000') THEN
                -- a cell that withholds something says why it is not paid; KR002 is said by those that do not
                PERFORM casino_internal.raise_refusal(ARRAY(SELECT a::casino.cell_answer
                                                              FROM unnest(answers) a
                                                             WHERE a.code <> 'KR002'));
                PERFORM casino_internal.raise_refusal(answers);
            END IF;
            answers := casino_internal.hub_ask_all(ARRAY(SELECT a.cell FROM unnest(answers) a
                                                         WHERE a.code = '00000'
                                                         ORDER BY a.cell), 'pay_withheld', arguments, false,
                                                             r.table_id);
            PERFORM casino_internal.raise_refusal(answers);
            IF EXISTS (SELECT FROM unnest(answers) a WHERE casino_internal.hub_silent(a.code))
                OR EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NOT NULL) THEN
                RAISE EXCEPTION 'not every cell has paid what it withheld'
                    USING ERRCODE = 'connection_failure', HINT = 'Call it again when all cells are up.';
            END IF;
            RETURN casino_internal.hub_settlement(round_id,
                                                  casino_internal.hub_decided(round_id, 'settle_round'));
        END IF;
        PERFORM casino_internal.hub_hold(number);
    END IF;
    RETURN casino_internal.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_pay_withheld(bigint, timestamptz, bigint, text) IS
    'Part of pay_withheld() at a hub: one player in his cell, or everybody in all cells';
