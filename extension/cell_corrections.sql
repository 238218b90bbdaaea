-- Corrections that a hub tells its cells (R13.42): told again in any later state of the round, they are done.

-- R13.44: decisions from before a correction are told again after it, to a cell that was put back, or by a
-- hub that was restored. The round says the corrected result; its first evaluation is asked instead.
CREATE FUNCTION casino_internal.corrected_since(call text, a jsonb) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT
                     FROM casino.round_as_evaluated r
                    WHERE r.round_id = (a ->> 'round_id')::bigint
                      AND CASE call
                          WHEN 'settle_round' THEN r.outcome_document = a -> 'outcome'
                          WHEN 'pay_withheld'
                          THEN r.withheld_paid_at IS NOT NULL AND a ->> 'player_id' IS NULL
                          WHEN 'withhold_winnings'
                          THEN r.withheld_at IS NOT NULL AND a ->> 'player_id' IS NULL
                          END
                      AND EXISTS (SELECT
                                    FROM casino.correction_decision d
                                   WHERE d.round_id = r.round_id AND d.version IS NOT NULL))
$fn$;
COMMENT ON FUNCTION casino_internal.corrected_since(text, jsonb)
    IS 'Part of obey(): was the call carried out here, and the result of its round corrected since';

-- Number here of the correction that the hub means: its round, its time, its content
CREATE FUNCTION casino_internal.correction_here(a jsonb) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT max(c.correction_no)
      FROM casino.round_correction c
     WHERE c.round_id = (a ->> 'round_id')::bigint
       AND c.proposed_at = (a ->> 'proposed_at')::timestamptz
       AND c.outcome_document IS NOT DISTINCT FROM a -> 'outcome'
       AND c.reason = a ->> 'reason'
       AND (c.ground IS NULL OR c.ground = coalesce(a ->> 'ground', 'other'))
$fn$;
COMMENT ON FUNCTION casino_internal.correction_here(jsonb)
    IS 'Part of obey(): number in this cell of a correction of the hub; NULL where it was not proposed';

-- Returns {"again": was it proposed before}
CREATE FUNCTION casino_internal.obey_correct_round(a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    known CONSTANT bigint := coalesce((SELECT max(c.correction_no)
                                         FROM casino.round_correction c
                                        WHERE c.round_id = (a ->> 'round_id')::bigint), 0);
    number bigint := casino_internal.correction_here(a);
BEGIN
    IF number IS NULL THEN
        number := casino.correct_round((a ->> 'round_id')::bigint, a -> 'outcome', a ->> 'reason',
                                       (a ->> 'proposed_at')::timestamptz, a ->> 'ground');
    END IF;
    RETURN jsonb_build_object('again', number <= known);
END
$fn$;
COMMENT ON FUNCTION casino_internal.obey_correct_round(jsonb) IS 'Part of obey(): correct_round() of the hub';

CREATE FUNCTION casino_internal.obey_correction_decision(call text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number CONSTANT bigint := casino_internal.correction_here(a);
    at CONSTANT timestamptz := (a ->> 'at')::timestamptz;
BEGIN
    IF number IS NULL THEN
        RAISE EXCEPTION 'round % has no such correction here', a ->> 'round_id'
            USING ERRCODE = 'KR002', CONSTRAINT = 'round_state',
                  DATATYPE = jsonb_build_object('round_id', (a ->> 'round_id')::bigint)::text,
                  DETAIL = format('The hub''s was proposed at %s: %s', a ->> 'proposed_at', a ->> 'reason');
    END IF;
    IF call = 'reject_correction' THEN
        PERFORM casino.reject_correction(number, a ->> 'because', at);
        RETURN NULL;
    END IF;
    RETURN to_jsonb(casino.approve_correction(number, at));
END
$fn$;
COMMENT ON FUNCTION casino_internal.obey_correction_decision(text, jsonb)
    IS 'Part of obey(): approve_correction() and reject_correction() of the hub';

CREATE FUNCTION casino_internal.obey_correct_deal(a jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    before CONSTANT integer := (
        SELECT c.returned
          FROM casino.deal_correction c
          JOIN casino.deal d ON d.round_id = c.round_id AND d.deal_no = c.deal_no
         WHERE c.round_id = (a ->> 'round_id')::bigint AND d.document = a -> 'document'
           AND c.reason = a ->> 'reason' AND c.wagers_stand = (a ->> 'wagers_stand')::boolean
           AND c.corrected_at = (a ->> 'at')::timestamptz);
BEGIN
    IF before IS NOT NULL THEN
        RETURN before;
    END IF;
    RETURN casino.correct_deal((a ->> 'round_id')::bigint, a -> 'document', a ->> 'reason',
                               (a ->> 'at')::timestamptz, (a ->> 'wagers_stand')::boolean);
END
$fn$;
COMMENT ON FUNCTION casino_internal.obey_correct_deal(jsonb) IS 'Part of obey(): correct_deal() of the hub';

-- R13.45: a cell that was added after a round had ended has no wager in it, and nothing to correct
CREATE FUNCTION casino_internal.obey_correction(call text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.round r WHERE r.round_id = (a ->> 'round_id')::bigint;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN CASE call
           WHEN 'correct_deal' THEN to_jsonb(casino_internal.obey_correct_deal(a))
           WHEN 'correct_round' THEN casino_internal.obey_correct_round(a)
           ELSE casino_internal.obey_correction_decision(call, a)
           END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.obey_correction(text, jsonb)
    IS 'Part of obey(): corrections of cards and results';

-- For a hub that was restored: the proposals of a round in their order, and how each was decided
CREATE FUNCTION casino_internal.corrections_told(of_round bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_agg(CASE WHEN c.outcome_document IS NULL THEN '{}'::jsonb
                          ELSE jsonb_build_object('outcome', c.outcome_document) END
                     || CASE WHEN c.ground IS NULL THEN '{}'::jsonb
                          ELSE jsonb_build_object('ground', c.ground) END
                     || jsonb_build_object('reason', c.reason, 'proposed_at', c.proposed_at,
                                           'proposed_by', w.actor, 'at', d.decided_at,
                                           'decided_by', x.actor, 'rejected', d.status = 'rejected',
                                           'because', d.reason) ORDER BY c.correction_no)
      FROM casino.round_correction c
      LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
      LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no
      LEFT JOIN casino.recorder x ON x.recorder_id = d.recorded_by
     WHERE c.round_id = of_round
$fn$;
COMMENT ON FUNCTION casino_internal.corrections_told(bigint)
    IS 'Part of cell_read(): corrections of a round, as the hub learns them';

CREATE FUNCTION casino_internal.deals_told(of_round bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_agg(jsonb_build_object('document', d.document, 'at', d.dealt_at)
                     || CASE WHEN c.deal_no IS NULL THEN '{}'::jsonb
                        ELSE jsonb_build_object('reason', c.reason, 'wagers_stand', c.wagers_stand,
                                                'at', c.corrected_at) END ORDER BY d.deal_no)
      FROM casino.deal d
      LEFT JOIN casino.deal_correction c ON c.round_id = d.round_id AND c.deal_no = d.deal_no
     WHERE d.round_id = of_round
$fn$;
COMMENT ON FUNCTION casino_internal.deals_told(bigint)
    IS 'Part of cell_read(): documents of cards of a round, with the reasons of those that corrected others';
