-- Large adjustments need a second person (R7.73).

CREATE FUNCTION casino_internal.install_adjustments() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.adjustment_approval (
        player_id   bigint NOT NULL,
        approval_no integer NOT NULL,
        request_id  text NOT NULL CHECK (octet_length(request_id) <= 200),
        amount      numeric NOT NULL CHECK (amount <> 0),
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        round_id    bigint,
        approved_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, approval_no)
    );
    COMMENT ON TABLE casino.adjustment_approval
        IS 'Append-only: adjustments above the figure adjust_amount, approved by a second person before they '
           'are posted';
    COMMENT ON COLUMN casino.adjustment_approval.player_id IS 'Player';
    COMMENT ON COLUMN casino.adjustment_approval.approval_no IS 'Counts the approvals of the player from 1';
    COMMENT ON COLUMN casino.adjustment_approval.request_id IS 'Request that may post the adjustment';
    COMMENT ON COLUMN casino.adjustment_approval.amount IS 'CZK, negative to take';
    COMMENT ON COLUMN casino.adjustment_approval.reason IS 'Reason of the adjustment';
    COMMENT ON COLUMN casino.adjustment_approval.round_id IS 'Round that the adjustment concerns';
    COMMENT ON COLUMN casino.adjustment_approval.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.adjustment_approval.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('adjustment_approval');
    PERFORM casino_internal.make_recorded('adjustment_approval');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_adjustments()
    IS 'Part of casino.install(): approvals of adjustments';

CREATE FUNCTION casino.approve_adjustment(player_id bigint, request_id text, amount numeric, reason text,
                                          at timestamptz DEFAULT NULL, round_id bigint DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_adjustment(bigint, text, numeric, text, timestamptz, bigint)
    IS 'Approves, before adjust() is called by somebody else, an adjustment of this player, request, amount, '
       'reason and round. Returns the number of the approval';

-- R7.73, R12.130: one that is older than the books whose keys are remembered may have posted its entry there
CREATE FUNCTION casino_internal.approval_counts(recorded_at timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    forgotten CONSTANT integer := casino_internal.last_book_forgotten();
BEGIN
    RETURN forgotten = 0
        OR EXISTS (SELECT FROM casino.book_turn t
                    WHERE t.book = forgotten + 1 AND t.recorded_at <= approval_counts.recorded_at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.approval_counts(timestamptz)
    IS 'Part of adjust() and approve_adjustment(): whether an entry with the key of an approval of that time '
       'would be known';

CREATE FUNCTION casino_internal.approve_adjustment_impl(player_id bigint, request_id text, amount numeric,
                                                        reason text,
                                                        at timestamptz, round_id bigint) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    me CONSTANT integer := casino_internal.recorded_by();
    number integer;
BEGIN
    IF player_id IS NULL OR request_id IS NULL OR amount IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'player_id, request_id, amount and reason must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' OR btrim(request_id) = '' THEN
        RAISE EXCEPTION 'an adjustment that is approved needs a reason and a request_id'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF amount = 0 OR amount <> round(amount, 2) OR abs(amount) >= 1e12 THEN
        RAISE EXCEPTION '% is not an amount of an adjustment', amount
            USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    PERFORM casino_internal.bounded(request_id, 'request_id', 200);
    PERFORM casino_internal.lock_player(player_id);
    IF round_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM casino.round r WHERE r.round_id = approve_adjustment_impl.round_id) THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT a.approval_no INTO number
      FROM casino.adjustment_approval a
     WHERE a.player_id = approve_adjustment_impl.player_id
       AND a.request_id = approve_adjustment_impl.request_id
       AND a.amount = approve_adjustment_impl.amount
       AND a.reason = approve_adjustment_impl.reason
       AND a.round_id IS NOT DISTINCT FROM approve_adjustment_impl.round_id
       AND casino_internal.approval_counts(a.recorded_at)
       AND EXISTS (SELECT FROM casino.recorder x, casino.recorder y
                    WHERE x.recorder_id = a.recorded_by
                      AND y.recorder_id = me
                      AND (x.role, x.login, x.actor) IS NOT DISTINCT FROM (y.role, y.login, y.actor))
     ORDER BY a.approval_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    IF EXISTS (SELECT FROM casino.ledger l
                WHERE l.player_id = approve_adjustment_impl.player_id
                  AND l.request_id = approve_adjustment_impl.request_id
                  -- R12.130
                  AND l.book > (SELECT casino_internal.last_book_forgotten())) THEN
        RAISE EXCEPTION 'request "%" of player % was posted before', request_id, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'An adjustment is approved before it is posted.';
    END IF;
    SELECT coalesce(max(a.approval_no), 0) + 1 INTO number
      FROM casino.adjustment_approval a WHERE a.player_id = approve_adjustment_impl.player_id;
    INSERT INTO casino.adjustment_approval (player_id, approval_no, request_id, amount, reason, round_id,
                                            approved_at, recorded_at)
    VALUES (player_id, number, request_id, round(amount, 2), reason, round_id,
            casino_internal.event_time(at), clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_adjustment_impl(bigint, text, numeric, text, timestamptz, bigint)
    IS 'Body of approve_adjustment(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.check_adjustment(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'approval', l.player_id, l.round_id, l.entry_no, 'approved by a second person before',
           'above ' || f.most || ' CZK, and not approved',
           jsonb_build_object('amount', l.amount, 'reason', l.reason)
      FROM casino.ledger l
     -- the lower of the figures at its time and when it was written, as they were known then
     CROSS JOIN LATERAL (SELECT min(v.figure) AS most
                           FROM (VALUES (l.posted_at), (l.recorded_at)) e (at)
                          CROSS JOIN LATERAL (SELECT d.value::numeric AS figure
                                                FROM casino.duty_rule d
                                               WHERE d.name = 'adjust_amount'
                                                 AND d.valid_from <= e.at
                                                 AND d.recorded_at <= l.recorded_at
                                               ORDER BY d.valid_from DESC
                                               LIMIT 1) v) f
     WHERE casino_internal.of_days(l.posted_at, l.recorded_at, casino.day_start(from_day),
                                   casino.day_start(to_day + 1))
       AND l.kind = 'adjustment'
       AND abs(l.amount) > f.most
       AND NOT EXISTS (SELECT FROM casino.adjustment_approval a
                        WHERE a.player_id = l.player_id
                          AND a.request_id = l.request_id
                          AND a.amount = l.amount
                          AND a.reason = l.reason
                          AND a.round_id IS NOT DISTINCT FROM l.round_id
                          -- R12.151: the clock may have been put back in between
                          AND a.recorded_at <= l.recorded_at + interval '1 minute'
                          AND casino_internal.same_eyes(a.recorded_by, l.recorded_by) IS NULL)
       -- R12.114
       AND NOT EXISTS (SELECT FROM casino.account_move m
                        WHERE m.player_id = l.player_id
                          AND m.request_id = l.request_id
                          AND CASE m.direction WHEN 'in' THEN l.amount = m.amount
                              ELSE l.amount BETWEEN - m.amount AND 0 END
                          AND l.round_id IS NULL
                          -- its request may come again when it is forgotten (R12.51)
                          AND l.posted_at = m.moved_at)
    UNION ALL
    SELECT m.* FROM casino_internal.check_moves(from_day, to_day) m
$fn$;
COMMENT ON FUNCTION casino_internal.check_adjustment(date, date)
    IS 'Part of the reconciliation, check adjustment: adjustments above the figure in force at their time, '
       'or when they were written, were approved by a second person';
