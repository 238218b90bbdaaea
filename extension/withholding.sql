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

    CREATE TABLE casino.withholding (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        withheld_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id)
    );
    CREATE INDEX withholding_round ON casino.withholding (round_id);
    COMMENT ON INDEX casino.withholding_round IS 'Finds the players of a round who are withheld';
    COMMENT ON TABLE casino.withholding IS 'Append-only: single players whose winnings of a round are held back while it is investigated (D4 §11.1, D0)';
    COMMENT ON COLUMN casino.withholding.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding.reason IS 'Why';
    COMMENT ON COLUMN casino.withholding.withheld_at IS 'When it was ordered';
    COMMENT ON COLUMN casino.withholding.recorded_at IS 'When it was written';

    CREATE TABLE casino.withholding_end (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        how         text NOT NULL CHECK (how IN ('paid', 'voided')),
        reason      text CHECK (octet_length(reason) <= 1000),
        ended_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id),
        CHECK (reason IS NOT NULL OR how = 'paid')
    );
    COMMENT ON TABLE casino.withholding_end IS 'Append-only: how the withholding of single players ended, also of players paid or voided alone in a round withheld as a whole';
    COMMENT ON COLUMN casino.withholding_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding_end.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding_end.how IS 'paid: what he won was posted; voided: his stakes went back';
    COMMENT ON COLUMN casino.withholding_end.reason IS 'Why the wagers were voided';
    COMMENT ON COLUMN casino.withholding_end.ended_at IS 'When it ended';
    COMMENT ON COLUMN casino.withholding_end.recorded_at IS 'When it was written';

    ALTER TABLE casino.round ADD COLUMN withheld_at timestamptz, ADD COLUMN withheld_reason text CHECK (octet_length(withheld_reason) <= 1000),
        ADD COLUMN voided_at timestamptz;
    COMMENT ON COLUMN casino.round.withheld_at IS 'When it was ordered that its winnings are withheld, of all players';
    COMMENT ON COLUMN casino.round.withheld_reason IS 'Why';
    COMMENT ON COLUMN casino.round.voided_at IS 'When it was voided; later than evaluated_at where it had been withheld';
END
$fn$;
COMMENT ON FUNCTION casino.install_money_out() IS 'Part of casino.install(): approvals of transfers, excused delays, winnings withheld';

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
