-- Check record of the reconciliation: a row of evidence says who recorded it and when, refers to rows that
-- are there, is numbered without gaps, and has the columns of its kind (R10.33).

-- The columns of one entry against each other, and against the rows beside it.
CREATE FUNCTION casino_internal.check_record_entries(since timestamptz, until timestamptz)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT CASE WHEN w.recorder_id IS NULL THEN 'recorder' ELSE 'recorded_at' END,
               l.player_id, l.round_id, l.entry_no,
               CASE WHEN w.recorder_id IS NULL THEN 'a recorder' ELSE 'written before now' END,
               CASE WHEN w.recorder_id IS NULL
                    THEN coalesce(l.recorded_by::text, 'NULL')
                    ELSE l.recorded_at::text END,
               jsonb_build_object('kind', l.kind)
          FROM casino.ledger l
          LEFT JOIN casino.recorder w ON w.recorder_id = l.recorded_by
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND (w.recorder_id IS NULL OR l.recorded_at > clock_timestamp() + interval '5 minutes');
    -- columns that an entry of its kind does not have, and those that it must have
    -- OFFSET 0: one expression an entry, worked out once
    RETURN QUERY
        SELECT 'columns', l.player_id, l.round_id, l.entry_no, 'a row of kind ' || l.kind, c.wrong,
               '{}'::jsonb
          FROM casino.ledger l
         CROSS JOIN LATERAL (
               SELECT concat_ws(', ',
                          CASE WHEN l.seat IS NOT NULL
                                    AND l.kind NOT IN ('stake', 'payout', 'refund', 'correction')
                               THEN 'seat ' || l.seat END,
                          CASE WHEN l.hand IS NOT NULL
                                    AND l.kind NOT IN ('stake', 'payout', 'refund', 'correction')
                               THEN 'hand ' || l.hand END,
                          CASE WHEN l.grade IS NOT NULL AND l.kind NOT IN ('payout', 'correction')
                               THEN 'grade ' || l.grade END,
                          CASE WHEN l.method IS NOT NULL AND l.kind NOT IN ('deposit', 'withdrawal')
                                    OR l.method IS NULL AND l.kind = 'withdrawal'
                               THEN 'method ' || coalesce(l.method, 'NULL') END,
                          CASE WHEN l.account IS NOT NULL AND l.kind <> 'transfer_paid'
                               THEN 'account ' || l.account END,
                          CASE WHEN l.reference IS NOT NULL
                                    AND l.kind NOT IN ('deposit', 'cash_paid', 'transfer_paid')
                               THEN 'reference ' || l.reference END,
                          CASE WHEN l.place IS NOT NULL
                                    AND l.kind <> 'cash_paid'
                                    -- R12.80: of deposits cash alone
                                    AND (l.kind <> 'deposit'
                                         OR l.method IS NULL
                                         OR l.method NOT IN (SELECT w.method FROM casino.payment_method w
                                                              WHERE w.is_cash))
                               THEN 'place ' || l.place END,
                          CASE WHEN (l.kind = 'correction') <> (l.correction_no IS NOT NULL)
                               THEN 'correction_no ' || coalesce(l.correction_no::text, 'NULL') END,
                          CASE WHEN (l.request_id IS NULL) <> (l.request_line IS NULL) OR l.request_line < 1
                               THEN 'request_line ' || coalesce(l.request_line::text, 'NULL') END) AS wrong
               OFFSET 0) c
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND c.wrong <> '';
    RETURN QUERY
        -- lines of a request follow each other
        SELECT 'request_line', l.player_id, l.round_id, l.entry_no,
               'line ' || l.request_line - 1 || ' of the request before it', 'line ' || l.request_line,
               '{}'::jsonb
          FROM casino.ledger l
          LEFT JOIN casino.ledger b ON b.player_id = l.player_id AND b.entry_no = l.entry_no - 1
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND l.request_line > 1
           AND (b.request_id, b.request_line) IS DISTINCT FROM (l.request_id, l.request_line - 1)
        UNION ALL
        -- a withdrawal is paid in the way that it was asked for
        SELECT 'method', w.player_id, NULL, w.entry_no, p.method, coalesce(w.method, 'none'),
               jsonb_build_object('paid', l.entry_no)
          FROM casino.ledger l
         CROSS JOIN LATERAL (SELECT CASE l.kind WHEN 'cash_paid' THEN 'cash' ELSE 'transfer' END AS method) p
          JOIN casino.ledger w
            ON w.player_id = l.player_id
           AND w.entry_no = l.withdrawal_entry_no
           AND w.kind = 'withdrawal'
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND l.kind IN ('cash_paid', 'transfer_paid')
           AND w.method IS DISTINCT FROM p.method
        UNION ALL
        -- a deposit comes by a method that was offered then (R7.67)
        SELECT 'method', l.player_id, NULL, l.entry_no, 'a method that was offered', l.method, '{}'::jsonb
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
         WHERE l.kind = 'deposit'
           AND l.method IS NOT NULL
           AND (SELECT m.offered
                  FROM casino.payment_method m
                 WHERE m.method = l.method AND m.valid_from <= l.posted_at
                 ORDER BY m.valid_from DESC
                 LIMIT 1) IS NOT TRUE
        UNION ALL
        -- seat and hand: only where the game has boxes or seats; a payment lies where its wager lay
        SELECT 'seat', l.player_id, l.round_id, l.entry_no,
               'seat ' || coalesce(s.seat::text, 'none') || ', hand ' || coalesce(s.hand::text, 'none'),
               'seat ' || coalesce(l.seat::text, 'none') || ', hand ' || coalesce(l.hand::text, 'none'),
               jsonb_build_object('kind', l.kind)
          FROM casino.ledger l
          LEFT JOIN casino.ledger s
            ON s.player_id = l.player_id
           AND s.entry_no = l.stake_entry_no
           AND s.kind = 'stake'
          LEFT JOIN casino.round r ON r.round_id = l.round_id
          LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND l.kind IN ('stake', 'payout', 'refund')
           AND (l.seat IS NOT NULL OR l.hand IS NOT NULL)
           AND (l.seat IS NOT NULL AND l.seat BETWEEN 1 AND v.seats IS NOT TRUE
                -- only a main bet has hands
                OR l.hand IS NOT NULL
                   AND NOT EXISTS (SELECT FROM casino.bet_rule b
                                    WHERE b.plan_id = r.plan_id AND b.kind = 'main')
                OR l.kind <> 'stake' AND (l.seat, l.hand) IS DISTINCT FROM (s.seat, s.hand));
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_record_entries(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check record: entries';

-- Rounds that were evaluated in the time, and those that are not yet.
CREATE FUNCTION casino_internal.check_record_rounds(since timestamptz, until timestamptz)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT r.* FROM casino.round r WHERE r.evaluated_at >= since AND r.evaluated_at < until
            UNION ALL
            SELECT r.* FROM casino.round r WHERE r.status IN ('open', 'closed'))
        SELECT v.rule, NULL::bigint, r.round_id, NULL::bigint, v.expected, v.found,
               jsonb_build_object('status', r.status)
          FROM asked r
         CROSS JOIN LATERAL (
                SELECT 'recorder', 'who recorded ' || w.act, coalesce(w.who::text, 'nobody')
                  FROM (VALUES ('opened_at', r.opened_at, r.opened_by),
                               ('betting_closed_at', r.betting_closed_at, r.betting_closed_by),
                               ('actions_closed_at', r.actions_closed_at, r.actions_closed_by),
                               ('evaluated_at', r.evaluated_at, r.evaluated_by),
                               ('withheld_at', r.withheld_at, r.withheld_by),
                               ('withheld_paid_at', r.withheld_paid_at, r.withheld_paid_by),
                               ('voided_at', r.voided_at, r.voided_by)) w (act, at, who)
                 WHERE w.at IS NOT NULL AND w.who IS NULL
                    -- a correction takes a void back; its recorder stays
                    OR w.at IS NULL AND w.who IS NOT NULL
                       AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id)
                    OR w.who IS NOT NULL
                       AND NOT EXISTS (SELECT FROM casino.recorder c WHERE c.recorder_id = w.who)
                UNION ALL
                SELECT 'recorded_at',
                       format('%s written after its recorder was first met, and before now', w.act),
                       coalesce(w.written::text, 'NULL')
                  FROM (VALUES ('an evaluation', r.evaluated_at, r.evaluated_by, r.evaluation_recorded_at),
                               ('an opening', r.opened_at, r.opened_by, r.opened_recorded_at),
                               ('an end of betting', r.betting_closed_at, r.betting_closed_by,
                                r.betting_closed_recorded_at),
                               ('an end of decisions', r.actions_closed_at, r.actions_closed_by,
                                r.actions_closed_recorded_at),
                               ('an order to withhold', r.withheld_at, r.withheld_by,
                                r.withheld_recorded_at),
                               ('a release', r.withheld_paid_at, r.withheld_paid_by,
                                r.withheld_paid_recorded_at),
                               ('a void', r.voided_at, r.voided_by, r.voided_recorded_at))
                       w (act, at, who, written)
                 WHERE w.at IS NOT NULL AND w.written IS NULL
                    -- a correction takes a void back; when that was written stays
                    OR w.at IS NULL AND w.written IS NOT NULL
                       AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id)
                    OR w.written > clock_timestamp() + interval '5 minutes'
                    OR w.written < (SELECT c.recorded_at - interval '5 minutes'
                                      FROM casino.recorder c
                                     WHERE c.recorder_id = w.who)
                UNION ALL
                SELECT 'reason',
                       CASE WHEN r.withheld_at IS NULL THEN 'no reason to withhold'
                            ELSE 'a reason to withhold' END,
                       coalesce(r.withheld_reason, 'none')
                 WHERE (r.withheld_at IS NULL) <> (r.withheld_reason IS NULL)
                UNION ALL
                SELECT 'reason',
                       CASE WHEN r.status = 'voided' THEN 'a reason to void' ELSE 'no reason to void' END,
                       coalesce(r.void_reason, 'none')
                 WHERE (r.status = 'voided') <> (r.void_reason IS NOT NULL)
                UNION ALL
                SELECT 'ground', 'a ground of the game plan where it is void, else none',
                       coalesce(r.void_ground, 'none')
                 WHERE (r.status = 'voided' AND NOT casino.has_ground(r.plan_id, r.void_ground))
                    OR (r.status <> 'voided' AND r.void_ground IS NOT NULL)
                UNION ALL
                SELECT 'ground', 'a ground of the game plan where it was withheld, else none',
                       coalesce(r.withheld_ground, 'none')
                 WHERE (r.withheld_at IS NOT NULL AND NOT casino.has_ground(r.plan_id, r.withheld_ground))
                    OR (r.withheld_at IS NULL AND r.withheld_ground IS NOT NULL)
                UNION ALL
                SELECT 'facts', 'dealer, shoe, shift and video of at most 200 bytes', r.facts::text
                 WHERE r.facts IS NOT NULL AND NOT casino_internal.are_facts(r.facts)
                UNION ALL
                SELECT 'order', 'opened, withheld, paid or voided in this order',
                       concat_ws(', ', 'opened ' || r.opened_at, 'withheld ' || r.withheld_at,
                                 'paid ' || r.withheld_paid_at, 'voided ' || r.voided_at)
                 WHERE r.withheld_at < r.opened_at
                    OR r.withheld_paid_at < r.withheld_at
                    OR r.voided_at < r.evaluated_at
                    OR r.withheld_paid_at < r.evaluated_at) v (rule, expected, found);
    -- refunds of a voided round bear the time of the void, those of a voided player the time of that decision
    -- (R12.12)
    RETURN QUERY
        SELECT 'time', f.player_id, r.round_id, f.entry_no, v.at::text, f.posted_at::text,
               jsonb_build_object('reason', f.reason)
          FROM casino.round r
          JOIN casino.ledger f ON f.round_id = r.round_id AND f.kind = 'refund'
          LEFT JOIN casino.withholding_end n
            ON n.player_id = f.player_id
           AND n.round_id = f.round_id
           AND n.how = 'voided'
         CROSS JOIN LATERAL (SELECT coalesce(n.ended_at, r.voided_at, r.evaluated_at) AS at) v
         WHERE r.evaluated_at >= since AND r.evaluated_at < until
           AND f.reason = 'voided'
           AND (r.status = 'voided' OR n.round_id IS NOT NULL)
           AND f.posted_at IS DISTINCT FROM v.at;
    -- deals: between opening and evaluation, and the cards that lay are the first ones of those that lie in
    -- the end
    RETURN QUERY
        SELECT 'deal', NULL::bigint, r.round_id, NULL::bigint, v.expected, v.found,
               jsonb_build_object('deal_no', d.deal_no)
          FROM casino.round r
          JOIN casino.deal d ON d.round_id = r.round_id
         -- the outcome of the first evaluation: a correction of it says that the cards were other ones
         CROSS JOIN LATERAL (
                SELECT coalesce((SELECT c.former -> 'outcome'
                                   FROM casino.correction_decision c
                                  WHERE c.round_id = r.round_id AND c.version IS NOT NULL
                                  ORDER BY c.version
                                  LIMIT 1), r.outcome) AS outcome) e
         CROSS JOIN LATERAL (
                SELECT 'not before ' || r.opened_at || ', not after ' || r.evaluated_at, d.dealt_at::text
                 WHERE d.dealt_at NOT BETWEEN r.opened_at AND r.evaluated_at
                UNION ALL
                SELECT k.side || ' ' || coalesce(e.outcome ->> k.side, 'none'),
                       k.side || ' ' || (d.document ->> k.side)
                  FROM unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
                 WHERE jsonb_typeof(d.document -> k.side) = 'string'
                   AND jsonb_typeof(e.outcome) = 'object'
                   -- documents before a correction of the cards are known to be wrong
                   AND d.deal_no >= coalesce((SELECT max(c.deal_no)
                                                FROM casino.deal_correction c
                                               WHERE c.round_id = r.round_id), 1)
                   AND casino_internal.side_differs(k.side, coalesce(e.outcome ->> k.side, ''),
                                                    d.document ->> k.side))
               v (expected, found)
         WHERE r.evaluated_at >= since AND r.evaluated_at < until;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_record_rounds(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check record: rounds and deals';

CREATE FUNCTION casino_internal.check_record(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY SELECT f.* FROM casino_internal.check_record_entries(since, until) f;
    RETURN QUERY SELECT f.* FROM casino_internal.check_record_rounds(since, until) f;
    RETURN QUERY SELECT f.* FROM casino_internal.check_record_rows(since, until) f;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_record(date, date)
    IS 'Part of the reconciliation, check record: each row of evidence was recorded by a recorder who had '
       'been met, at a time that can be, refers to rows that are there, is numbered without gaps, and has '
       'the columns of its kind';
