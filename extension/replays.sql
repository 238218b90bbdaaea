-- Days that are replayed: their rows claim a time long before they are written (R7.85). Another such row is
-- dated back, a difference of the night, and a deadline is judged by the time of the writing (R7.86).

CREATE FUNCTION casino_internal.install_replays() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.replay (
        replay_no   integer PRIMARY KEY,
        from_day    date NOT NULL CHECK (isfinite(from_day)),
        to_day      date NOT NULL CHECK (isfinite(to_day)),
        reason      text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at timestamptz NOT NULL,
        CHECK (from_day <= to_day)
    );
    COMMENT ON TABLE casino.replay
        IS 'Append-only: Prague days whose events may be written later than they claim';
    COMMENT ON COLUMN casino.replay.replay_no IS 'Number of the mark';
    COMMENT ON COLUMN casino.replay.from_day IS 'First Prague day';
    COMMENT ON COLUMN casino.replay.to_day IS 'Last Prague day';
    COMMENT ON COLUMN casino.replay.reason IS 'Why they are replayed';
    COMMENT ON COLUMN casino.replay.recorded_at IS 'When it was written; it holds for rows written later';
    PERFORM casino_internal.make_append_only('replay');
    PERFORM casino_internal.make_recorded('replay');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_replays() IS 'Part of casino.install(): days that are replayed';

CREATE FUNCTION casino.mark_replay(from_day date, to_day date, reason text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number integer;
BEGIN
    IF from_day IS NULL OR to_day IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'from_day, to_day and reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    -- marks are numbered without gaps
    LOCK TABLE casino.replay IN SHARE ROW EXCLUSIVE MODE;
    SELECT m.replay_no INTO number
      FROM casino.replay m
     WHERE (m.from_day, m.to_day, m.reason) = (mark_replay.from_day, mark_replay.to_day, mark_replay.reason)
     ORDER BY m.replay_no
     LIMIT 1;
    IF NOT FOUND THEN
        SELECT coalesce(max(m.replay_no), 0) + 1 INTO number FROM casino.replay m;
        INSERT INTO casino.replay (replay_no, from_day, to_day, reason, recorded_at)
        VALUES (number, mark_replay.from_day, mark_replay.to_day, mark_replay.reason, clock_timestamp());
    END IF;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.mark_replay(date, date, text)
    IS 'Marks Prague days as replayed: rows written from now on may claim times of theirs. Returns the '
       'number of the mark, the same for the same content; for the owner';

-- R7.88: days before the books began are a history that was put in.
CREATE FUNCTION casino_internal.claims_hold_since(day date) RETURNS timestamptz
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN claims_hold_since.day
                     >= casino.prague_day((SELECT min(r.recorded_at) FROM casino.recorder r))
                THEN coalesce((SELECT min(m.recorded_at) FROM casino.replay m
                                WHERE m.from_day <= claims_hold_since.day
                                  AND m.to_day >= claims_hold_since.day),
                              'infinity')
                ELSE '-infinity' END
$fn$;
COMMENT ON FUNCTION casino_internal.claims_hold_since(date)
    IS 'Part of the reconciliation, check dated_back: rows written from this time on may claim times of the '
       'Prague day, however late they are; infinity: none may';

CREATE FUNCTION casino_internal.was_dated_back(claimed_at timestamptz, recorded_at timestamptz)
    RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT recorded_at > claimed_at + interval '1 minute'
           AND recorded_at < casino_internal.claims_hold_since(casino.prague_day(claimed_at))
$fn$;
COMMENT ON FUNCTION casino_internal.was_dated_back(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check dated_back: was a row written more than a minute after the time '
       'that it claims, on a day of the books that was not marked by mark_replay() before';

CREATE FUNCTION casino_internal.judged_at(claimed_at timestamptz, recorded_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN casino_internal.was_dated_back(claimed_at, recorded_at) THEN recorded_at
        ELSE claimed_at END
$fn$;
COMMENT ON FUNCTION casino_internal.judged_at(timestamptz, timestamptz)
    IS 'Part of deadlines: the time by which a payment is judged, that of its writing where it is dated back';

-- Tables of evidence and the time that a row of each claims. A breach has the time of its entry (R7.104).
CREATE FUNCTION casino_internal.claimed_times(OUT relation text, OUT claimed text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 25 SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES ('deal', 'dealt_at'), ('deal_correction', 'corrected_at'), ('round_correction', 'proposed_at'),
           ('correction_decision', 'decided_at'), ('claim', 'claimed_at'), ('claim_end', 'ended_at'),
           ('exclusion', 'excluded_from'), ('exclusion_end', 'ended_at'), ('player_limit', 'requested_at'),
           ('payment_account', 'registered_at'), ('withdrawal_approval', 'approved_at'),
           ('adjustment_approval', 'approved_at'), ('excused_delay', 'excused_at'),
           ('disconnection', 'disconnected_at'), ('reconnection', 'reconnected_at'),
           ('withholding', 'withheld_at'), ('withholding_end', 'ended_at'), ('box_handover', 'handed_at'),
           ('exclusion_mistake', 'approved_at'), ('register_check', 'checked_at'),
           ('table_stack', 'brought_at'), ('table_operation', 'happened_at'), ('other_play', 'played_at'),
           ('refusal', 'refused_at'), ('cancelled_request', 'cancelled_at')
$fn$;
COMMENT ON FUNCTION casino_internal.claimed_times()
    IS 'Part of the reconciliation, check dated_back: tables of evidence and the time that their rows claim';

CREATE FUNCTION casino_internal.check_dated_back(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    -- R7.87: a decision of the hub reaches a cell late
    in_cell CONSTANT boolean := EXISTS (SELECT FROM casino.cell);
    one record;
BEGIN
    RETURN QUERY
        WITH late AS MATERIALIZED (
            SELECT 'ledger' AS rule, l.player_id, l.round_id, l.entry_no, l.posted_at AS claimed_at,
                   l.recorded_at, casino.prague_day(l.posted_at) AS day,
                   jsonb_build_object('kind', l.kind) AS detail
              FROM casino.ledger l
             WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
               AND l.recorded_at > l.posted_at + interval '1 minute'
               AND NOT (in_cell AND l.kind IN ('payout', 'refund', 'correction'))
            UNION ALL
            -- R7.103: a round's acts are judged on the day of the evaluation, later ones on their own
            SELECT 'round', NULL, r.round_id, NULL, w.claimed_at, w.recorded_at,
                   casino.prague_day(w.claimed_at), jsonb_build_object('act', w.act)
              FROM casino.round r
             CROSS JOIN LATERAL (
                    VALUES ('opened', r.opened_at, r.opened_recorded_at),
                           ('betting_closed', r.betting_closed_at, r.betting_closed_recorded_at),
                           ('actions_closed', r.actions_closed_at, r.actions_closed_recorded_at),
                           ('withheld', r.withheld_at, r.withheld_recorded_at),
                           ('evaluated', r.evaluated_at, r.evaluation_recorded_at),
                           ('released', r.withheld_paid_at, r.withheld_paid_recorded_at),
                           ('voided', nullif(r.voided_at, r.evaluated_at), r.voided_recorded_at))
                    w (act, claimed_at, recorded_at)
             WHERE NOT in_cell
               -- by the rounds' numbers, however many other rounds there are
               AND r.round_id = ANY (ARRAY(SELECT casino_internal.rounds_of(since, until)
                                            UNION
                                           SELECT casino_internal.rounds_ended(since, until)))
               AND w.recorded_at > w.claimed_at + interval '1 minute'),
        -- asked once a day, because a replay has many rows
        claimed AS MATERIALIZED (
            SELECT d.day, casino_internal.claims_hold_since(d.day) AS hold_since
              FROM (SELECT DISTINCT l.day FROM late l) d)
        SELECT l.rule, l.player_id, l.round_id, l.entry_no, 'written within a minute of ' || l.claimed_at,
               l.recorded_at::text, l.detail
          FROM late l
          JOIN claimed c ON c.day = l.day
         WHERE l.recorded_at < c.hold_since;
    FOR one IN SELECT c.relation, c.claimed FROM casino_internal.claimed_times() c
                WHERE NOT (in_cell AND c.relation IN ('deal', 'deal_correction', 'round_correction',
                                                      'correction_decision', 'claim')) LOOP
        RETURN QUERY EXECUTE format(
            $sql$SELECT %1$L, (v.row ->> 'player_id')::bigint, (v.row ->> 'round_id')::bigint, NULL::bigint,
                        'written within a minute of ' || t.%2$I, t.recorded_at::text, v.row
                   FROM casino.%1$I t
                  CROSS JOIN LATERAL (SELECT to_jsonb(t) AS row) v
                  WHERE t.recorded_at > t.%2$I + interval '1 minute'
                    AND casino_internal.of_days(t.%2$I, t.recorded_at, $1, $2)
                    AND casino_internal.was_dated_back(t.%2$I, t.recorded_at)
                    -- R12.113
                    AND NOT (%1$L IN ('exclusion', 'player_limit', 'other_play')
                             AND EXISTS (SELECT FROM casino.account_move m
                                          WHERE m.player_id = (v.row ->> 'player_id')::bigint
                                            AND m.direction = 'in'
                                            AND m.recorded_at = t.recorded_at))$sql$,
            one.relation, one.claimed)
            USING since, until;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_dated_back(date, date)
    IS 'Part of the reconciliation, check dated_back: no row was written more than a minute after the time '
       'that it claims, unless its day was marked as a replay before';
