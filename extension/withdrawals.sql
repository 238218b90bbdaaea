-- Withdrawals: payment accounts, requests, the second pair of eyes, payment (D4 §11.2).

CREATE FUNCTION casino_internal.install_withdrawals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.payment_account (
        player_id   bigint NOT NULL,
        account_no  integer NOT NULL,
        account     text NOT NULL CHECK (octet_length(account) <= 64),
        registered_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, account_no)
    );
    COMMENT ON TABLE casino.payment_account
        IS 'Append-only: registered payment accounts; the last one counts (D4 §11.2 b)';
    COMMENT ON COLUMN casino.payment_account.player_id IS 'Player';
    COMMENT ON COLUMN casino.payment_account.account_no IS 'Counts the player''s accounts from 1';
    COMMENT ON COLUMN casino.payment_account.account
        IS 'Token of the account, whose text is in casino.clear_text; an INSERT gives the text';
    COMMENT ON COLUMN casino.payment_account.registered_at IS 'When it was registered';
    COMMENT ON COLUMN casino.payment_account.recorded_at IS 'When it was written';

    CREATE TABLE casino.open_withdrawal (
        player_id bigint NOT NULL,
        entry_no  bigint NOT NULL,
        PRIMARY KEY (player_id, entry_no)
    );
    COMMENT ON TABLE casino.open_withdrawal
        IS 'Withdrawals neither paid nor cancelled: put in and taken out by the ledger''s trigger';
    COMMENT ON COLUMN casino.open_withdrawal.player_id IS 'Player';
    COMMENT ON COLUMN casino.open_withdrawal.entry_no IS 'Ledger entry of the withdrawal';

    CREATE TABLE casino.withdrawal_approval (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        approval_no integer NOT NULL,
        account_no  integer NOT NULL,
        approved_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, approval_no)
    );
    COMMENT ON TABLE casino.withdrawal_approval
        IS 'Append-only: transfers to an account that was just registered, approved by a second person, who '
           'neither registered it nor pays';
    COMMENT ON COLUMN casino.withdrawal_approval.player_id IS 'Player';
    COMMENT ON COLUMN casino.withdrawal_approval.entry_no IS 'Ledger entry of the withdrawal';
    COMMENT ON COLUMN casino.withdrawal_approval.approval_no
        IS 'Counts the approvals of the withdrawal from 1';
    COMMENT ON COLUMN casino.withdrawal_approval.account_no IS 'The payment account it is for, and no other';
    COMMENT ON COLUMN casino.withdrawal_approval.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.withdrawal_approval.recorded_at IS 'When it was written';

    CREATE TRIGGER account_token BEFORE INSERT ON casino.payment_account
        FOR EACH ROW EXECUTE FUNCTION casino_internal.token_of_account();
    COMMENT ON TRIGGER account_token ON casino.payment_account
        IS 'Keeps the account in clear, and writes the token';
    PERFORM casino_internal.make_append_only('payment_account', 'withdrawal_approval');
    PERFORM casino_internal.make_recorded('payment_account');
    PERFORM casino_internal.make_recorded('withdrawal_approval');
    PERFORM casino_internal.refuse_truncate('open_withdrawal');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_withdrawals()
    IS 'Part of casino.install(): payment accounts, open withdrawals, approvals of transfers';

CREATE FUNCTION casino_internal.install_withdrawal_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.pending_withdrawals AS
        SELECT casino.withdrawal_id(w.player_id, w.entry_no) AS withdrawal_id, w.player_id, w.entry_no,
               w.method, w.amount,
               w.posted_at AS requested_at, d.due_at, clock_timestamp() >= d.due_at AS overdue,
               (SELECT e.reason
                  FROM casino.excused_delay e
                 WHERE e.player_id = w.player_id AND e.entry_no = w.entry_no
                 ORDER BY e.excuse_no DESC LIMIT 1) AS excuse,
               w.method = 'transfer'
               AND coalesce((SELECT (a.registered_at > w.posted_at
                                     OR clock_timestamp() < a.registered_at + interval '24 hours')
                                    AND NOT EXISTS (SELECT FROM casino.withdrawal_approval p
                                                     WHERE p.player_id = w.player_id
                                                       AND p.entry_no = w.entry_no
                                                       AND p.account_no = a.account_no)
                               FROM casino.payment_account a
                              WHERE a.player_id = w.player_id
                              ORDER BY a.account_no DESC
                              LIMIT 1), false) AS needs_approval
          FROM casino.open_withdrawal o
          JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no
         CROSS JOIN LATERAL (SELECT casino.payment_due_at(w.posted_at, p.number::integer) AS due_at
                               FROM casino.duty_period p
                              WHERE p.name = 'withdrawal_days'
                                AND w.posted_at >= p.valid_from
                                AND w.posted_at < p.valid_until) d;
    COMMENT ON VIEW casino.pending_withdrawals
        IS 'Withdrawals asked for and neither paid nor cancelled, with the end of the 60th day after the '
           'day of the request (D4 §11.2; of the figure withdrawal_days in force then)';
    COMMENT ON COLUMN casino.pending_withdrawals.withdrawal_id
        IS 'Number of the withdrawal, for pay_withdrawal() and cancel_withdrawal()';
    COMMENT ON COLUMN casino.pending_withdrawals.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.pending_withdrawals.overdue IS 'The deadline has passed';
    COMMENT ON COLUMN casino.pending_withdrawals.excuse IS 'The last reason recorded for its delay';
    COMMENT ON COLUMN casino.pending_withdrawals.needs_approval
        IS 'To be paid now it needs casino.approve_withdrawal(): its account is too new';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_withdrawal_views()
    IS 'Part of casino.install(): pending withdrawals';

CREATE FUNCTION casino.set_payment_account(player_id bigint, account text, at timestamptz DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_payment_account(bigint, text, timestamptz)
    IS 'Registers the account that transfers go to; earlier ones are kept (D4 §11.2 b). For 24 hours, and '
       'for withdrawals requested before, a transfer to it needs approve_withdrawal()';

CREATE FUNCTION casino_internal.set_payment_account_impl(player_id bigint, account text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.payment_account;
    registered timestamptz;
BEGIN
    IF player_id IS NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF coalesce(btrim(account), '') = '' THEN
        RAISE EXCEPTION 'account must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    account := casino_internal.canonical_text(account, 'account');
    PERFORM casino_internal.bounded(account, 'account', 64);
    PERFORM casino_internal.lock_player(player_id);
    SELECT a.* INTO present FROM casino.payment_account a
     WHERE a.player_id = set_payment_account_impl.player_id ORDER BY a.account_no DESC LIMIT 1;
    IF casino_internal.fits_token(player_id, present.account, account) THEN
        RETURN present.account_no;
    END IF;
    registered := casino_internal.event_time(at, present.registered_at);
    IF registered < present.registered_at THEN
        RAISE EXCEPTION 'time % is before the last registration of an account', registered
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', registered, 'not_before', present.registered_at)::text,
                  DETAIL = format('It was registered at %s.', present.registered_at);
    END IF;
    INSERT INTO casino.payment_account (player_id, account_no, account, registered_at, recorded_at)
    VALUES (player_id, coalesce(present.account_no, 0) + 1, account, registered, clock_timestamp());
    RETURN coalesce(present.account_no, 0) + 1;
END
$fn$;
COMMENT ON FUNCTION casino_internal.set_payment_account_impl(bigint, text, timestamptz)
    IS 'Body of set_payment_account(), run as the owner of the ledger';

-- A withdrawal's number carries its player, so that no sequence and no extra index is needed to find it.
CREATE FUNCTION casino.withdrawal_id(player_id bigint, entry_no bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN player_id * 1000000000 + entry_no;
COMMENT ON FUNCTION casino.withdrawal_id(bigint, bigint)
    IS 'Number of a withdrawal: player_id times 10^9 plus entry_no';

CREATE FUNCTION casino.request_withdrawal(player_id bigint, amount numeric, method text,
                                          request_id text DEFAULT NULL,
                                          at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_request_withdrawal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.request_withdrawal(bigint, numeric, text, text, timestamptz)
    IS 'Takes the amount from the wallet, to be paid in cash or by transfer; returns the withdrawal''s '
       'number, the same again for the same request';

CREATE FUNCTION casino_internal.lock_withdrawal(id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'the number of a withdrawal must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- no player has no withdrawal: that is what is said below
    PERFORM FROM casino.player p WHERE p.player_id = player FOR NO KEY UPDATE;
    PERFORM FROM casino.ledger l
      WHERE l.player_id = player AND l.entry_no = id % 1000000000 AND l.kind = 'withdrawal';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'withdrawal % does not exist', id
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'casino.request_withdrawal() returns its number, casino.pending_withdrawals has it.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_withdrawal(bigint)
    IS 'Part of pay_withdrawal(), cancel_withdrawal() and approve_withdrawal(): locks the player; 23503 for '
       'a number that is none of a withdrawal';

-- Posts the end of a withdrawal, or answers its repetition.
CREATE FUNCTION casino_internal.end_withdrawal(id bigint, cancel boolean, at timestamptz,
                                               reference text DEFAULT NULL,
                                               place text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    asked casino.ledger;
    ended casino.ledger;
    posted bigint;
BEGIN
    -- in the order in which a row of the ledger is told
    PERFORM casino_internal.bounded(reference, 'reference', 200),
        casino_internal.bounded(place, 'place', 200);
    PERFORM casino_internal.lock_withdrawal(id);
    SELECT l.* INTO STRICT asked FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = entry;
    SELECT l.* INTO ended FROM casino.ledger l WHERE l.player_id = player AND l.withdrawal_entry_no = entry;
    IF FOUND THEN
        ended.reference := casino.clear_text_of(player, ended.reference);
        -- R7.125: money that comes back from the bank is a deposit under a key of the withdrawal
        IF cancel <> (ended.kind = 'withdrawal_cancelled') THEN
            RAISE EXCEPTION 'withdrawal % has ended', id
                USING ERRCODE = 'KL004', CONSTRAINT = 'withdrawal_ended',
                      DATATYPE = jsonb_build_object('withdrawal_id', id, 'how', ended.kind)::text,
                      DETAIL = format('It is %s, entry %s.', ended.kind, ended.entry_no);
        END IF;
        IF (ended.reference, ended.place) IS DISTINCT FROM (end_withdrawal.reference, end_withdrawal.place)
        THEN
            RAISE EXCEPTION 'withdrawal % was paid with another reference or place', id
                USING ERRCODE = 'KL004', CONSTRAINT = 'withdrawal_differs',
                      DATATYPE = jsonb_build_object('entry_no', entry)::text,
                      -- R7.113: a refusal is kept and sealed, so it does not repeat the reference
                      DETAIL = format('Entry %s has %s reference and the place %s.', ended.entry_no,
                                      CASE WHEN ended.reference IS NULL THEN 'no'
                                           WHEN ended.reference = end_withdrawal.reference THEN 'the same'
                                           ELSE 'another' END,
                                      coalesce(quote_literal(ended.place), 'none')),
                      HINT = 'casino.payment_in_clear has the reference.';
        END IF;
        RETURN ended.entry_no;
    END IF;
    INSERT INTO casino.ledger AS l (player_id, kind, amount, withdrawal_entry_no, posted_at, reference, place)
    VALUES (player,
            CASE WHEN cancel THEN 'withdrawal_cancelled'
                 WHEN asked.method = 'cash' THEN 'cash_paid'
                 ELSE 'transfer_paid' END,
            asked.amount, entry, end_withdrawal.at, end_withdrawal.reference, end_withdrawal.place)
    RETURNING l.entry_no INTO posted;
    RETURN posted;
END
$fn$;
COMMENT ON FUNCTION casino_internal.end_withdrawal(bigint, boolean, timestamptz, text, text)
    IS 'Part of pay_withdrawal() and cancel_withdrawal()';

CREATE FUNCTION casino.pay_withdrawal(id bigint, at timestamptz DEFAULT NULL, reference text DEFAULT NULL,
                                      place text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withdrawal(bigint, timestamptz, text, text)
    IS 'Records that a withdrawal was paid, with the reference of the payment and the place of cash: cash '
       'at most 10 000 CZK in 24 hours, a transfer to the registered account (D4 §11.2). Returns the entry '
       'number, the same when repeated';

CREATE FUNCTION casino_internal.pay_withdrawal_impl(id bigint, at timestamptz, reference text, place text)
RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.end_withdrawal(id, false, at, reference, place);
END
$fn$;
COMMENT ON FUNCTION casino_internal.pay_withdrawal_impl(bigint, timestamptz, text, text)
    IS 'Body of pay_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.cancel_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_withdrawal(bigint, timestamptz)
    IS 'Returns the amount of a withdrawal to the wallet. Returns the entry number, the same when repeated';

CREATE FUNCTION casino_internal.cancel_withdrawal_impl(id bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino_internal.end_withdrawal(id, true, at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.cancel_withdrawal_impl(bigint, timestamptz)
    IS 'Body of cancel_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.approve_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_withdrawal(bigint, timestamptz)
    IS 'Approves a transfer to the account registered now, which needs it when that was registered less '
       'than 24 hours before the payment or after the request. Who registered the account cannot approve, '
       'nor can who approved pay. Returns the number of the approval, the same when repeated';

CREATE FUNCTION casino_internal.approve_withdrawal_impl(id bigint, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    me CONSTANT integer := casino_internal.recorded_by();
    asked casino.ledger;
    account casino.payment_account;
    approved timestamptz;
    number integer;
    same text;
BEGIN
    PERFORM casino_internal.lock_withdrawal(id);
    SELECT l.* INTO STRICT asked FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = entry;
    IF asked.method <> 'transfer' THEN
        RAISE EXCEPTION 'withdrawal % is to be paid in cash', id
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Only transfers are approved.';
    END IF;
    SELECT a.*
      INTO STRICT account
      FROM casino.payment_account a
     WHERE a.player_id = player
     ORDER BY a.account_no DESC
     LIMIT 1;
    SELECT p.approval_no INTO number FROM casino.withdrawal_approval p
     WHERE p.player_id = player AND p.entry_no = entry AND p.account_no = account.account_no
       AND EXISTS (SELECT FROM casino.recorder a, casino.recorder b
                    WHERE a.recorder_id = p.recorded_by
                      AND b.recorder_id = me
                      AND (a.role, a.login, a.actor) IS NOT DISTINCT FROM (b.role, b.login, b.actor))
     ORDER BY p.approval_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    IF NOT EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = player AND o.entry_no = entry)
    THEN
        RAISE EXCEPTION 'withdrawal % has ended', id
            USING ERRCODE = 'KL004', CONSTRAINT = 'withdrawal_ended',
                  DATATYPE = jsonb_build_object('withdrawal_id', id)::text,
                  DETAIL = 'It was paid or cancelled before.';
    END IF;
    same := casino_internal.same_eyes(account.recorded_by, me);
    IF same IS NOT NULL THEN
        RAISE EXCEPTION 'withdrawal % needs the approval of somebody else', id
            USING ERRCODE = 'KC006', CONSTRAINT = 'same_person',
                  DATATYPE = jsonb_build_object('withdrawal_id', id, 'registered_at',
                      account.registered_at)::text,
                  DETAIL = format('The person who asks to approve has registered the account at %s: %s',
                                  account.registered_at, same),
                  HINT = 'A second person approves it, under a login of his own.';
    END IF;
    approved := casino_internal.event_time(at, greatest(asked.posted_at, account.registered_at));
    IF approved < greatest(asked.posted_at, account.registered_at) THEN
        RAISE EXCEPTION 'time % is before what is to be approved', approved
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', approved, 'not_before',
                                                greatest(asked.posted_at, account.registered_at))::text,
                  DETAIL = format('The withdrawal was asked for at %s, the account registered at %s.',
                                  asked.posted_at, account.registered_at);
    END IF;
    SELECT coalesce(max(p.approval_no), 0) + 1
      INTO number
      FROM casino.withdrawal_approval p
     WHERE p.player_id = player AND p.entry_no = entry;
    INSERT INTO casino.withdrawal_approval (player_id, entry_no, approval_no, account_no, approved_at,
                                            recorded_at)
    VALUES (player, entry, number, account.account_no, approved, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_withdrawal_impl(bigint, timestamptz)
    IS 'Body of approve_withdrawal(), run as the owner of the ledger';
