-- Money out: who may pay where, and what is late (D4 §11).

-- Role or person are the same: of two recorders, for four eyes.
CREATE FUNCTION casino.same_hand(one integer, other integer) RETURNS boolean
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT a.role = b.role OR coalesce(a.actor = b.actor, false)
              FROM casino.recorder a, casino.recorder b WHERE a.recorder_id = one AND b.recorder_id = other);
END
$fn$;
COMMENT ON FUNCTION casino.same_hand(integer, integer) IS 'Part of approve_withdrawal() and of payments: do two rows of casino.recorder name one role, or one person';

CREATE FUNCTION casino.approve_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_withdrawal(bigint, timestamptz) IS 'Approves a transfer to the account registered now, which needs it when that was registered less than 24 hours before the payment or after the request. Who registered the account cannot approve, nor can who approved pay. Returns the number of the approval, the same when repeated';

CREATE FUNCTION casino.approve_withdrawal_as_owner(id bigint, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    me CONSTANT integer := casino.recorded_by();
    asked casino.ledger;
    account casino.payment_account;
    approved timestamptz;
    number integer;
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'the number of a withdrawal must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- no player has no withdrawal: that is what is said below
    PERFORM FROM casino.player p WHERE p.player_id = player FOR NO KEY UPDATE;
    SELECT l.* INTO asked FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = entry AND l.kind = 'withdrawal';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'withdrawal % does not exist', id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.request_withdrawal() returns its number, casino.pending_withdrawals has it.';
    END IF;
    IF asked.method <> 'transfer' THEN
        RAISE EXCEPTION 'withdrawal % is paid in cash', id
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Transfers are approved.';
    END IF;
    SELECT a.* INTO STRICT account FROM casino.payment_account a WHERE a.player_id = player ORDER BY a.account_no DESC LIMIT 1;
    SELECT p.approval_no INTO number FROM casino.withdrawal_approval p
     WHERE p.player_id = player AND p.entry_no = entry AND p.account_no = account.account_no
       AND EXISTS (SELECT FROM casino.recorder a, casino.recorder b
                    WHERE a.recorder_id = p.recorded_by AND b.recorder_id = me AND (a.role, a.actor) IS NOT DISTINCT FROM (b.role, b.actor))
     ORDER BY p.approval_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    IF NOT EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = player AND o.entry_no = entry) THEN
        RAISE EXCEPTION 'withdrawal % has ended', id
            USING ERRCODE = 'KL004', DETAIL = 'It was paid or cancelled before.';
    END IF;
    IF casino.same_hand(account.recorded_by, me) THEN
        RAISE EXCEPTION 'withdrawal % needs the approval of somebody else', id
            USING ERRCODE = 'KC006', DETAIL = format('The account was registered at %s by the role or person that wants to approve.', account.registered_at),
                  HINT = 'Another role approves it.';
    END IF;
    approved := casino.event_time(at, greatest(asked.posted_at, account.registered_at));
    IF approved < greatest(asked.posted_at, account.registered_at) THEN
        RAISE EXCEPTION 'time % is before what is to be approved', approved
            USING ERRCODE = 'KL005', DETAIL = format('The withdrawal was asked for at %s, the account registered at %s.', asked.posted_at, account.registered_at);
    END IF;
    SELECT coalesce(max(p.approval_no), 0) + 1 INTO number FROM casino.withdrawal_approval p WHERE p.player_id = player AND p.entry_no = entry;
    INSERT INTO casino.withdrawal_approval (player_id, entry_no, approval_no, account_no, approved_at, recorded_at)
    VALUES (player, entry, number, account.account_no, approved, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.approve_withdrawal_as_owner(bigint, timestamptz) IS 'Body of approve_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.record_overdue(at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_record_overdue' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_overdue(timestamptz) IS 'Records as breaches what has passed its deadline unpaid: winnings the 30th day, withdrawals the 60th (D4 §11), each once. For every night; what is being paid meanwhile is left to the payment. Returns how many';

CREATE FUNCTION casino.excuse_delay(player_id bigint, entry_no bigint, reason text, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.excuse_delay(bigint, bigint, text, timestamptz) IS 'Records why a late payment, of a stake or withdrawal, is excusable; it stays a breach. Returns the number of the reason, the same for the same reason';

CREATE FUNCTION casino.excuse_delay_as_owner(player_id bigint, entry_no bigint, reason text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    due timestamptz;
    excused timestamptz;
    number integer;
BEGIN
    IF coalesce(btrim(reason, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'an excused delay needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(reason, 'reason', 1000);
    PERFORM casino.lock_player(player_id);
    SELECT e.excuse_no INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_as_owner.player_id AND e.entry_no = excuse_delay_as_owner.entry_no AND e.reason = excuse_delay_as_owner.reason;
    IF FOUND THEN
        RETURN number;
    END IF;
    SELECT b.occurred_at INTO due FROM casino.breach b
     WHERE b.player_id = excuse_delay_as_owner.player_id AND b.entry_no = excuse_delay_as_owner.entry_no AND b.rule IN ('winnings_late', 'withdrawal_late');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no late payment of entry % of player % is recorded', entry_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.record_overdue() records what is late.';
    END IF;
    excused := casino.event_time(at, due);
    SELECT coalesce(max(e.excuse_no), 0) + 1 INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_as_owner.player_id AND e.entry_no = excuse_delay_as_owner.entry_no;
    INSERT INTO casino.excused_delay (player_id, entry_no, excuse_no, reason, excused_at, recorded_at)
    VALUES (excuse_delay_as_owner.player_id, excuse_delay_as_owner.entry_no, number, excuse_delay_as_owner.reason, excused, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_delay_as_owner(bigint, bigint, text, timestamptz) IS 'Body of excuse_delay(), run as the owner of the ledger';
