-- Tables of money that is paid out late, withheld or only with another role's approval (D4 §11, D0).

CREATE FUNCTION casino.install_money_out() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.withdrawal_approval (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        approval_no integer NOT NULL,
        account_no  integer NOT NULL,
        approved_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, approval_no)
    );
    COMMENT ON TABLE casino.withdrawal_approval IS 'Append-only: transfers to an account that was just registered, approved by another role than the one that registered it or pays';
    COMMENT ON COLUMN casino.withdrawal_approval.player_id IS 'Player';
    COMMENT ON COLUMN casino.withdrawal_approval.entry_no IS 'Ledger entry of the withdrawal';
    COMMENT ON COLUMN casino.withdrawal_approval.approval_no IS 'Counts the approvals of the withdrawal from 1';
    COMMENT ON COLUMN casino.withdrawal_approval.account_no IS 'The payment account it is for, and no other';
    COMMENT ON COLUMN casino.withdrawal_approval.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.withdrawal_approval.recorded_at IS 'When it was written';

    CREATE TABLE casino.excused_delay (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        excuse_no   integer NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        excused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, excuse_no)
    );
    COMMENT ON TABLE casino.excused_delay IS 'Append-only: why a payment was late, where that is excusable; it stays a breach';
    COMMENT ON COLUMN casino.excused_delay.player_id IS 'Player';
    COMMENT ON COLUMN casino.excused_delay.entry_no IS 'Ledger entry of the stake or withdrawal that the breach is of';
    COMMENT ON COLUMN casino.excused_delay.excuse_no IS 'Counts the reasons of one delay from 1';
    COMMENT ON COLUMN casino.excused_delay.reason IS 'Why';
    COMMENT ON COLUMN casino.excused_delay.excused_at IS 'When it was decided';
    COMMENT ON COLUMN casino.excused_delay.recorded_at IS 'When it was written';
END
$fn$;
COMMENT ON FUNCTION casino.install_money_out() IS 'Part of casino.install(): approvals of transfers, excused delays';

CREATE FUNCTION casino.install_money_out_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.late_payment AS
        SELECT b.player_id, b.entry_no, b.rule, b.occurred_at AS due_at, s.round_id,
               CASE s.kind WHEN 'withdrawal' THEN s.amount ELSE (b.detail ->> 'amount')::numeric END AS amount,
               coalesce(p.kind, 'unpaid') AS ended, p.entry_no AS ended_entry_no, p.posted_at AS ended_at,
               x.excuse_no IS NOT NULL AS excused, x.reason AS excuse
          FROM casino.breach b
          JOIN casino.ledger s ON s.player_id = b.player_id AND s.entry_no = b.entry_no
          LEFT JOIN LATERAL (SELECT l.kind, l.entry_no, l.posted_at FROM casino.ledger l
                              WHERE s.kind = 'stake' AND l.player_id = b.player_id AND l.stake_entry_no = b.entry_no
                             UNION ALL
                             SELECT l.kind, l.entry_no, l.posted_at FROM casino.ledger l
                              WHERE s.kind = 'withdrawal' AND l.player_id = b.player_id AND l.withdrawal_entry_no = b.entry_no) p ON true
          LEFT JOIN LATERAL (SELECT e.excuse_no, e.reason FROM casino.excused_delay e
                              WHERE e.player_id = b.player_id AND e.entry_no = b.entry_no ORDER BY e.excuse_no DESC LIMIT 1) x ON true
         WHERE b.rule IN ('winnings_late', 'withdrawal_late');
    COMMENT ON VIEW casino.late_payment IS 'Winnings and withdrawals that passed their deadline unpaid, what became of them, and whether the delay was excused (D4 §11)';
    COMMENT ON COLUMN casino.late_payment.entry_no IS 'Ledger entry of the stake or withdrawal';
    COMMENT ON COLUMN casino.late_payment.due_at IS 'First instant that was too late';
    COMMENT ON COLUMN casino.late_payment.ended IS 'unpaid, or the kind of the entry that ended it: payout, cash_paid, transfer_paid, withdrawal_cancelled, or refund when the wager was voided';
    COMMENT ON COLUMN casino.late_payment.ended_entry_no IS 'That entry';
    COMMENT ON COLUMN casino.late_payment.ended_at IS 'When that was';
    COMMENT ON COLUMN casino.late_payment.excused IS 'The delay is recorded as excusable; it is a breach all the same';
    COMMENT ON COLUMN casino.late_payment.excuse IS 'The last reason given for it';
END
$fn$;
COMMENT ON FUNCTION casino.install_money_out_views() IS 'Part of casino.install(): late payments';
