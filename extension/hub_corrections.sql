-- Corrections at a hub (R13.42): each is a decision, and every cell agrees before it is written. Nobody is in
-- a hurry, and a cell that refused the correction afterwards would stay with the other result.

CREATE TYPE casino.hub_call_correction AS (
    decision_no bigint,
    round_id    bigint,
    arguments   jsonb,
    decided_by  text,
    login       text
);
COMMENT ON TYPE casino.hub_call_correction IS 'Part of the hub: a correction that is decided upon';
COMMENT ON COLUMN casino.hub_call_correction.decision_no IS 'Number of the correction';
COMMENT ON COLUMN casino.hub_call_correction.round_id IS 'Round';
COMMENT ON COLUMN casino.hub_call_correction.arguments IS 'What the cells are told of it';
COMMENT ON COLUMN casino.hub_call_correction.decided_by IS 'Person who proposed it';
COMMENT ON COLUMN casino.hub_call_correction.login
    IS 'Role that had logged in, or the cell that the hub has it from';

-- 08006 unless every cell has answered, and has nothing left to carry out on the table
CREATE FUNCTION casino_internal.hub_require_all(of_table bigint, answers casino.cell_answer[], what text)
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(format('Cell %s: %s', c.cell,
                             coalesce(a.message, c.down_reason, 'it has not carried out what was decided')),
                      E'\n' ORDER BY c.cell)
      INTO missing
      FROM casino.hub_cell c
      LEFT JOIN unnest(answers) a ON a.cell = c.cell
     WHERE a.cell IS NULL OR casino_internal.hub_silent(a.code)
        OR EXISTS (SELECT
                     FROM casino.hub_answer w
                    WHERE w.cell = c.cell AND w.table_id = of_table AND w.answered_at IS NULL);
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION '% needs every cell', what
            USING ERRCODE = 'connection_failure', DETAIL = missing,
                  HINT = 'Call it again when all cells are up; casino.cell_status shows them.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_require_all(bigint, casino.cell_answer[], text)
    IS 'Part of the hub: 08006 when a cell is away, or behind on the table';

CREATE FUNCTION casino_internal.hub_correct_deal(round_id bigint, cards jsonb, reason text, at timestamptz,
                                                 wagers_stand boolean) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    before casino.hub_decision;
    arguments jsonb;
    answers casino.cell_answer[];
    number bigint;
BEGIN
    IF cards IS NULL OR wagers_stand IS NULL THEN
        RAISE EXCEPTION 'cards and wagers_stand must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.hub_reason(reason, 'correcting cards');
    r := casino_internal.hub_round_of(round_id);
    number := casino_internal.hub_decided(round_id, 'correct_deal');
    SELECT d.* INTO before FROM casino.hub_decision d WHERE d.decision_no = number;
    IF before.arguments -> 'document' = cards AND before.arguments ->> 'reason' = reason
       AND (before.arguments ->> 'wagers_stand')::boolean = wagers_stand THEN
        PERFORM casino_internal.hub_hold(number);
    ELSE
        PERFORM casino_internal.hub_remember(round_id);
        IF r.status <> 'closed' THEN
            PERFORM casino_internal.hub_round_state(r, 'Cards are corrected between the close of betting '
                                                       'and the '
                                                       'evaluation; correct_round() corrects a result.');
        END IF;
        PERFORM casino_internal.hub_check_players(cards);
        SELECT c.arguments, c.answers INTO arguments, answers
          FROM casino_internal.hub_try_cards(r, 'correct_deal',
                                             jsonb_build_object('round_id', round_id, 'document', cards,
                                                                'reason', reason,
                                                                'wagers_stand', wagers_stand), at) c;
        PERFORM casino_internal.hub_require_all(r.table_id, answers, 'correct_deal');
        number := casino_internal.hub_decide('correct_deal', r.table_id, round_id, arguments);
    END IF;
    RETURN (SELECT coalesce(sum((a.result #>> '{}')::integer), 0)
              FROM casino.hub_answer a
             WHERE a.decision_no = number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_correct_deal(bigint, jsonb, text, timestamptz, boolean)
    IS 'Part of correct_deal() at a hub';

-- A proposal as the cells are told of it: without an outcome it has no key "outcome", since JSON's null would
-- be an outcome that was given
CREATE FUNCTION casino_internal.hub_proposal(round_id bigint, outcome jsonb, reason text,
                                             proposed_at timestamptz,
                                             ground text)
RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN jsonb_build_object('round_id', round_id, 'reason', reason, 'proposed_at', proposed_at)
        || CASE WHEN outcome IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('outcome', outcome) END
        || CASE WHEN ground IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('ground', ground) END;
COMMENT ON FUNCTION casino_internal.hub_proposal(bigint, jsonb, text, timestamptz, text)
    IS 'Part of the hub: a correction as the cells are told of it';

-- The decision that ended a proposal in this way; 0: not ended so
CREATE FUNCTION casino_internal.hub_correction_end(proposal bigint, call text) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(d.decision_no), 0)
      FROM casino.hub_decision d
     WHERE d.round_id = (SELECT p.round_id FROM casino.hub_decision p WHERE p.decision_no = proposal)
       AND d.call = hub_correction_end.call
       AND (d.arguments ->> 'proposal')::bigint = proposal
       AND casino_internal.hub_stands(d.decision_no)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_correction_end(bigint, text)
    IS 'Part of the hub: number of the decision that approved or rejected a proposal';

-- The last proposal of a round that was not rejected; 0 without one
CREATE FUNCTION casino_internal.hub_last_proposal(round_id bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(d.decision_no), 0)
      FROM casino.hub_decision d
     WHERE d.round_id = $1 AND d.call = 'correct_round' AND casino_internal.hub_stands(d.decision_no)
       AND casino_internal.hub_correction_end(d.decision_no, 'reject_correction') = 0
$fn$;
COMMENT ON FUNCTION casino_internal.hub_last_proposal(bigint)
    IS 'Part of the hub: number of the last correction of a round that was not rejected';

-- When the result of a round was last found, by its evaluation or by a correction
CREATE FUNCTION casino_internal.hub_result_since(r casino.hub_call_round) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(r.evaluated_at, max((d.arguments ->> 'at')::timestamptz))
      FROM casino.hub_decision d
     WHERE d.round_id = r.round_id AND d.call = 'approve_correction'
         AND casino_internal.hub_stands(d.decision_no)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_result_since(casino.hub_call_round)
    IS 'Part of the hub: time of the last result of a round';

CREATE FUNCTION casino_internal.hub_correct_round(round_id bigint, outcome jsonb, reason text, at timestamptz,
                                                  ground text)
RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    told jsonb;
    answers casino.cell_answer[];
    last bigint;
BEGIN
    PERFORM casino_internal.bounded(ground, 'ground', 64);
    r := casino_internal.hub_round_of(round_id);
    reason := casino_internal.hub_ground_reason(round_id, ground, reason);
    IF coalesce(ground, 'other') = 'other' THEN
        PERFORM casino_internal.hub_reason(reason, 'correcting a result');
    END IF;
    -- of a round without a result the cells say so; its time does not matter
    told := casino_internal.hub_proposal(round_id, outcome, reason,
                                         casino_internal.event_time(CASE WHEN r.evaluated_at IS NOT NULL
                                                                    THEN at END,
                                                                    casino_internal.hub_result_since(r)),
                                         ground);
    last := casino_internal.hub_last_proposal(round_id);
    IF outcome IS NOT NULL THEN
        PERFORM casino_internal.hub_check_players(outcome);
    END IF;
    answers := casino_internal.hub_try(r.table_id, 'correct_round', told, r.home_cell);
    PERFORM casino_internal.raise_refusal(answers);
    IF last > 0 AND EXISTS (SELECT FROM unnest(answers) a WHERE (a.result ->> 'again')::boolean) THEN
        -- with its time a cell knows an earlier one, too
        SELECT coalesce(max(d.decision_no), last) INTO last
          FROM casino.hub_decision d
         WHERE d.round_id = hub_correct_round.round_id AND d.call = 'correct_round'
           AND d.arguments = told
           AND casino_internal.hub_stands(d.decision_no);
        PERFORM casino_internal.hub_hold(last);
        RETURN last;
    END IF;
    PERFORM casino_internal.hub_require_all(r.table_id, answers, 'correct_round');
    RETURN casino_internal.hub_decide('correct_round', r.table_id, round_id, told);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_correct_round(bigint, jsonb, text, timestamptz, text)
    IS 'Part of correct_round() at a hub: the number of the correction is that of the decision';

CREATE FUNCTION casino_internal.hub_proposal_of(correction_no bigint) RETURNS casino.hub_call_correction
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    p casino.hub_call_correction;
BEGIN
    IF correction_no IS NULL THEN
        RAISE EXCEPTION 'correction_no must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT d.decision_no, d.round_id, d.arguments, d.decided_by, d.login INTO p
      FROM casino.hub_decision d
     WHERE d.decision_no = correction_no AND d.call = 'correct_round'
         AND casino_internal.hub_stands(d.decision_no);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'correction % does not exist', correction_no
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.hub_correction has them all.';
    END IF;
    RETURN p;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_proposal_of(bigint)
    IS 'Part of the hub: a correction, 23503 for an unknown number';

-- R13.43: in a cell all calls come from the hub's login, so that the cell compares persons, and the hub
-- logins
CREATE FUNCTION casino_internal.hub_second_person(proposal bigint, login text, named text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF login LIKE 'cell %' THEN
        RAISE EXCEPTION 'the hub was restored since correction % was proposed', proposal
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = format('It has it from %s, which does not know the login.', login),
                  HINT = 'Reject the correction and propose it again.';
    ELSIF login = session_user
          AND NOT (current_setting('casino.shared_logins')::boolean AND named <> login
                   AND casino_internal.hub_actor() <> session_user) THEN
        RAISE EXCEPTION 'correction % needs the approval of a second person', proposal
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = format('Both are the login "%s".', login),
                  HINT = 'A second person approves it, under another login.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_second_person(bigint, text, text)
    IS 'Part of the hub: 42501 where the login that proposed a correction approves it, or is not known';

-- Both ends of a proposal: every cell agrees to it, and hears of it
CREATE FUNCTION casino_internal.hub_end_correction(call text, proposal casino.hub_call_correction,
                                                   at timestamptz,
                                                   because text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino_internal.hub_round_of(proposal.round_id);
    number bigint := casino_internal.hub_correction_end(proposal.decision_no, call);
    arguments jsonb;
    answers casino.cell_answer[];
BEGIN
    IF number > 0 THEN
        PERFORM casino_internal.hub_hold(number);
        RETURN number;
    END IF;
    arguments := proposal.arguments
        || jsonb_build_object('proposal', proposal.decision_no, 'because', because,
                              'at', casino_internal.event_time(at,
                                                               greatest(casino_internal.hub_result_since(r),
                                                                            (proposal.arguments
                                                                        ->> 'proposed_at')::timestamptz)));
    IF call = 'approve_correction'
       AND casino_internal.hub_correction_end(proposal.decision_no, 'reject_correction') = 0 THEN
        PERFORM casino_internal.hub_second_person(proposal.decision_no, proposal.login, proposal.decided_by);
    END IF;
    answers := casino_internal.hub_try(r.table_id, call, arguments, r.home_cell);
    PERFORM casino_internal.raise_refusal(answers);
    PERFORM casino_internal.hub_require_all(r.table_id, answers, call);
    RETURN casino_internal.hub_decide(call, r.table_id, proposal.round_id, arguments);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_end_correction(text, casino.hub_call_correction, timestamptz, text)
    IS 'Part of the hub: approves or rejects a correction in every cell';

CREATE FUNCTION casino_internal.hub_approve_correction(correction_no bigint, at timestamptz)
    RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    p CONSTANT casino.hub_call_correction := casino_internal.hub_proposal_of(correction_no);
BEGIN
    RETURN casino_internal.hub_settlement(p.round_id,
                                          casino_internal.hub_end_correction('approve_correction', p, at,
                                                                             NULL));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_approve_correction(bigint, timestamptz)
    IS 'Part of approve_correction() at a hub';

CREATE FUNCTION casino_internal.hub_reject_correction(correction_no bigint, reason text, at timestamptz)
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.hub_reason(reason, 'rejecting a correction');
    PERFORM casino_internal.hub_end_correction('reject_correction',
                                               casino_internal.hub_proposal_of(correction_no), at, reason);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_reject_correction(bigint, text, timestamptz)
    IS 'Part of reject_correction() at a hub';

-- R13.46: corrections that a cell knows and the restored hub does not, decided until some time
CREATE FUNCTION casino_internal.hub_learn_corrections(of_round bigint, of_table bigint, corrections jsonb,
                                                      until timestamptz, source text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    c jsonb;
    proposal bigint;
    told jsonb;
    call text;
BEGIN
    FOR c IN
        SELECT x.value FROM jsonb_array_elements(corrections) WITH ORDINALITY x (value, n) ORDER BY x.n
    LOOP
        CONTINUE WHEN coalesce((c ->> 'at')::timestamptz, 'infinity') > until;
        told := casino_internal.hub_proposal(of_round, c -> 'outcome', c ->> 'reason',
                                             (c ->> 'proposed_at')::timestamptz, c ->> 'ground');
        SELECT max(d.decision_no) INTO proposal
          FROM casino.hub_decision d
         WHERE d.round_id = of_round AND d.call = 'correct_round'
             AND casino_internal.hub_stands(d.decision_no)
           AND d.arguments -> 'outcome' IS NOT DISTINCT FROM told -> 'outcome'
           AND (d.arguments ->> 'proposed_at')::timestamptz = (c ->> 'proposed_at')::timestamptz;
        IF proposal IS NULL THEN
            proposal := casino_internal.hub_write_decision('correct_round', of_table, of_round, told,
                                                           coalesce(c ->> 'proposed_by', source),
                                                               login => source);
        END IF;
        call := CASE WHEN (c ->> 'rejected')::boolean THEN 'reject_correction' ELSE 'approve_correction' END;
        IF c ->> 'at' IS NOT NULL AND casino_internal.hub_correction_end(proposal, call) = 0 THEN
            PERFORM casino_internal.hub_write_decision(call, of_table, of_round,
                                                       told || jsonb_build_object('proposal', proposal,
                                                                                       'because',
                                                                                           c -> 'because',
                                                                                       'at', c -> 'at'),
                                                       coalesce(c ->> 'decided_by', source), login => source);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_learn_corrections(bigint, bigint, jsonb, timestamptz, text)
    IS 'Part of catch_up(): corrections of a round that a restored hub does not know';

-- R11.62: a cell that is away leaves the money unknown, and hides no correction
CREATE FUNCTION casino_internal.hub_adjusted(round_id bigint) RETURNS numeric
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT sum((r.data #>> '{}')::numeric)
              FROM casino_internal.hub_rows('adjusted', jsonb_build_object('round_id', round_id)) r);
EXCEPTION WHEN connection_failure THEN
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_adjusted(bigint)
    IS 'Part of the hub: CZK that adjustments have posted for a round in all cells; NULL: a cell is away';

CREATE FUNCTION casino.hub_corrections(OUT correction_no bigint, OUT round_id bigint, OUT outcome jsonb,
                                       OUT reason text, OUT proposed_at timestamptz, OUT proposed_by text,
                                       OUT login text, OUT status text, OUT adjusted numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.hub_corrections() IS 'The rows of the view hub_correction of a hub';

CREATE FUNCTION casino_internal.hub_corrections_impl(OUT correction_no bigint, OUT round_id bigint,
                                                     OUT outcome jsonb,
                                                     OUT reason text, OUT proposed_at timestamptz,
                                                     OUT proposed_by text, OUT login text, OUT status text,
                                                     OUT adjusted numeric)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT d.decision_no, d.round_id, d.arguments -> 'outcome', d.arguments ->> 'reason',
               (d.arguments ->> 'proposed_at')::timestamptz, d.decided_by, d.login, s.status,
               CASE WHEN s.status = 'pending' THEN casino_internal.hub_adjusted(d.round_id) END
          FROM casino.hub_decision d
         CROSS JOIN LATERAL (SELECT CASE
                                    WHEN casino_internal.hub_correction_end(d.decision_no,
                                                                            'approve_correction') > 0
                                    THEN 'in force'
                                    WHEN casino_internal.hub_correction_end(d.decision_no,
                                                                            'reject_correction') > 0
                                    THEN 'rejected'
                                    ELSE 'pending' END AS status OFFSET 0) s
         WHERE d.call = 'correct_round' AND casino_internal.hub_stands(d.decision_no)
         ORDER BY d.decision_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_corrections_impl()
    IS 'Body of hub_corrections(), run as the owner of the ledger';
