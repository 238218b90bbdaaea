-- Deadlines of payments: what is late, and why (D4 §11, R7.39).

CREATE FUNCTION casino_internal.install_deadlines() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.excused_delay (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        excuse_no   integer NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        excused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, excuse_no)
    );
    COMMENT ON TABLE casino.excused_delay
        IS 'Append-only: why a payment was late, where that is excusable; it stays a breach';
    COMMENT ON COLUMN casino.excused_delay.player_id IS 'Player';
    COMMENT ON COLUMN casino.excused_delay.entry_no
        IS 'Ledger entry of the stake or withdrawal that the breach is of';
    COMMENT ON COLUMN casino.excused_delay.excuse_no IS 'Counts the reasons of one delay from 1';
    COMMENT ON COLUMN casino.excused_delay.reason IS 'Why';
    COMMENT ON COLUMN casino.excused_delay.excused_at IS 'When it was decided';
    COMMENT ON COLUMN casino.excused_delay.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('excused_delay');
    PERFORM casino_internal.make_recorded('excused_delay');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_deadlines() IS 'Part of casino.install(): excused delays';

CREATE FUNCTION casino_internal.install_deadline_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.late_payment AS
        SELECT b.player_id, b.entry_no, b.rule, b.occurred_at AS due_at, s.round_id,
               CASE s.kind WHEN 'withdrawal' THEN s.amount
                   ELSE (b.detail ->> 'amount')::numeric END AS amount,
               coalesce(p.kind, 'unpaid') AS ended, p.entry_no AS ended_entry_no, p.posted_at AS ended_at,
               x.excuse_no IS NOT NULL AS excused, x.reason AS excuse
          FROM casino.breach b
          JOIN casino.ledger s ON s.player_id = b.player_id AND s.entry_no = b.entry_no
          -- of a wager that was corrected the first entry that was too late
          LEFT JOIN LATERAL (SELECT x.kind, x.entry_no, x.posted_at
                               FROM (SELECT l.kind, l.entry_no, l.posted_at
                                       FROM casino.ledger l
                                      WHERE s.kind = 'stake'
                                        AND l.player_id = b.player_id
                                        AND l.stake_entry_no = b.entry_no
                                        AND l.amount >= 0
                                        AND greatest(l.posted_at, l.recorded_at) >= b.occurred_at
                                      -- written late and dated back only where nothing claims to be late
                                      ORDER BY l.posted_at < b.occurred_at, l.entry_no
                                      LIMIT 1) x
                             UNION ALL
                             SELECT l.kind, l.entry_no, l.posted_at FROM casino.ledger l
                              WHERE s.kind = 'withdrawal'
                                AND l.player_id = b.player_id
                                AND l.withdrawal_entry_no = b.entry_no) p ON true
          LEFT JOIN LATERAL (SELECT e.excuse_no, e.reason FROM casino.excused_delay e
                              WHERE e.player_id = b.player_id AND e.entry_no = b.entry_no
                              ORDER BY e.excuse_no DESC
                              LIMIT 1) x ON true
         WHERE b.rule IN ('winnings_late', 'withdrawal_late');
    COMMENT ON VIEW casino.late_payment
        IS 'Winnings and withdrawals that passed their deadline unpaid, what became of them, and whether '
           'the delay was excused (D4 §11)';
    COMMENT ON COLUMN casino.late_payment.entry_no IS 'Ledger entry of the stake or withdrawal';
    COMMENT ON COLUMN casino.late_payment.due_at IS 'First instant that was too late';
    COMMENT ON COLUMN casino.late_payment.ended
        IS 'unpaid, or the kind of the entry that ended it: payout, correction, cash_paid, transfer_paid, '
           'withdrawal_cancelled, or refund when the wager was voided';
    COMMENT ON COLUMN casino.late_payment.ended_entry_no IS 'That entry';
    COMMENT ON COLUMN casino.late_payment.ended_at IS 'When that was';
    COMMENT ON COLUMN casino.late_payment.excused
        IS 'The delay is recorded as excusable; it is a breach all the same';
    COMMENT ON COLUMN casino.late_payment.excuse IS 'The last reason given for it';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_deadline_views() IS 'Part of casino.install(): late payments';

CREATE FUNCTION casino.record_overdue(at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_record_overdue' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_overdue(timestamptz)
    IS 'Records as breaches what has passed its deadline unpaid: winnings the 30th day, withdrawals the '
       '60th (D4 §11), each once. To be called every night; what is being paid meanwhile is left to the '
       'payment. Returns how many it recorded';

CREATE FUNCTION casino.excuse_delay(player_id bigint, entry_no bigint, reason text,
                                    at timestamptz DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.excuse_delay(bigint, bigint, text, timestamptz)
    IS 'Records why a payment, of a stake or withdrawal, was not prompt; what is late stays a breach. '
       'Returns the number of the reason, the same for the same reason';

CREATE FUNCTION casino_internal.excuse_delay_impl(player_id bigint, entry_no bigint, reason text,
                                                  at timestamptz)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    due timestamptz;
    excused timestamptz;
    number integer;
BEGIN
    IF coalesce(btrim(reason, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'an excused delay needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    PERFORM casino_internal.lock_player(player_id);
    SELECT e.excuse_no INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_impl.player_id
       AND e.entry_no = excuse_delay_impl.entry_no
       AND e.reason = excuse_delay_impl.reason;
    IF FOUND THEN
        RETURN number;
    END IF;
    SELECT b.occurred_at INTO due FROM casino.breach b
     WHERE b.player_id = excuse_delay_impl.player_id
       AND b.entry_no = excuse_delay_impl.entry_no
       AND b.rule IN ('winnings_late', 'withdrawal_late');
    IF NOT FOUND THEN
        -- not late yet, or never, but no longer prompt (R7.72)
        SELECT casino.prompt_until(p.asked_at) INTO due
          FROM casino.ledger s
          LEFT JOIN casino.round r ON r.round_id = s.round_id
         CROSS JOIN LATERAL casino_internal.payments_since(coalesce(r.evaluated_at, s.posted_at),
                                                           coalesce(r.evaluated_at, s.posted_at)
                                                               + interval '1 microsecond') p
         WHERE s.player_id = excuse_delay_impl.player_id
           AND s.entry_no = excuse_delay_impl.entry_no
           AND s.kind IN ('stake', 'withdrawal')
           AND p.player_id = s.player_id AND p.entry_no = s.entry_no
           AND (p.ended_at IS NULL OR p.judged_at >= casino.prompt_until(p.asked_at))
           AND casino.prompt_until(p.asked_at) <= coalesce(excuse_delay_impl.at, clock_timestamp());
    END IF;
    IF due IS NULL THEN
        RAISE EXCEPTION 'no late payment of entry % of player % is recorded', entry_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'A reason is taken once the payment is no longer prompt (casino.duty_rule, '
                           'prompt_within).',
                  HINT = 'casino.record_overdue() records what is late.';
    END IF;
    excused := casino_internal.event_time(at, due);
    SELECT coalesce(max(e.excuse_no), 0) + 1 INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_impl.player_id AND e.entry_no = excuse_delay_impl.entry_no;
    INSERT INTO casino.excused_delay (player_id, entry_no, excuse_no, reason, excused_at, recorded_at)
    VALUES (excuse_delay_impl.player_id, excuse_delay_impl.entry_no, number, excuse_delay_impl.reason,
            excused, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.excuse_delay_impl(bigint, bigint, text, timestamptz)
    IS 'Body of excuse_delay(), run as the owner of the ledger';
