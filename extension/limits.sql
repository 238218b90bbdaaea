-- Duties of the operator: breaks, exclusions, limits, withdrawals, recorded refusals (D4 general part §6 to §11).

CREATE FUNCTION casino.prague_day(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_day(timestamptz) IS 'Calendar day in Europe/Prague';

CREATE FUNCTION casino.prague_month(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_trunc('month', at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_month(timestamptz) IS 'First day of the calendar month in Europe/Prague';

CREATE FUNCTION casino.note_exclusion(player_id bigint, until timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_exclusion(bigint, timestamptz) IS 'Part of exclude_player(): moves the end of the player''s exclusion, never back';

CREATE FUNCTION casino.note_limits(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_limits' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_limits(bigint, timestamptz) IS 'Part of set_limit(): the player has limits, and counters from here on';

CREATE FUNCTION casino.lock_unevaluated_rounds(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_unevaluated_rounds' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.lock_unevaluated_rounds(bigint) IS 'Part of set_limit(): locks the player and the rounds where he has stakes, none of which is evaluated before the transaction ends';

CREATE FUNCTION casino.lock_open_stakes(accounts bigint[]) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.lock_open_stakes(bigint[]) IS 'Part of exclude_player(): locks the players, the rounds open for betting where they have stakes, and who bets behind them there';

CREATE FUNCTION casino.return_open_stakes(accounts bigint[], at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_return_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.return_open_stakes(bigint[], timestamptz) IS 'Part of exclude_player(): returns the players'' stakes in rounds open for betting, and the bets behind them';

CREATE FUNCTION casino.next_refusal_no(player_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_next_refusal_no' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.next_refusal_no(bigint) IS 'Part of try_place_bets(): number of the player''s next refusal';

CREATE FUNCTION casino.note_closing(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_closing' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_closing(bigint, timestamptz) IS 'Part of close_account(): the account is closed';

CREATE FUNCTION casino.explain_break(player_id bigint, at timestamptz DEFAULT clock_timestamp(), OUT may_bet boolean,
                                     OUT code text, OUT why text, OUT since timestamptz, OUT until timestamptz) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_explain_break' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.explain_break(bigint, timestamptz) IS 'May the player stake into a live round he has not joined, by which rule, since when, until when (D4 §8); of a time that is past, as it was known to hold then';

-- Locks a player's row, so that what is decided next stays true.
CREATE FUNCTION casino.lock_player(player_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.player p WHERE p.player_id = lock_player.player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', player_id USING ERRCODE = 'foreign_key_violation';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.lock_player(bigint) IS 'Locks a player''s row until the end of the transaction; 23503 when there is none';

CREATE FUNCTION casino.exclude_player(player_id bigint, until timestamptz, source text,
                                      at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.exclude_player(bigint, timestamptz, text, timestamptz) IS 'Excludes a player until a time (NULL: no end; panic button: at least 48 hours); several exclusions add up and none can be shortened (D4 §6.2). His stakes go back where betting is still open (reason excluded), others play on. Returns its number';

CREATE FUNCTION casino.exclude_player_as_owner(player_id bigint, until timestamptz, source text,
    at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    origin CONSTANT text := CASE WHEN source IN ('panic', 'panic button') THEN 'panic_button' ELSE source END;
    began timestamptz := at;
    ends timestamptz;
    accounts bigint[];
    number integer;
    later bigint;
BEGIN
    IF origin IS NULL OR origin NOT IN ('self', 'register', 'panic_button', 'operator') THEN
        RAISE EXCEPTION 'the source of an exclusion is self, register, panic_button or operator, not "%"', source
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- against register_player(), which gives a new account the exclusions of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = exclude_player_as_owner.player_id) FOR SHARE;
    -- exclusions are of the person: asked for by the number of a former account they hold for those opened since
    accounts := ARRAY (SELECT n.player_id FROM casino.player p JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id >= p.player_id
                        WHERE p.player_id = exclude_player_as_owner.player_id ORDER BY n.player_id);
    PERFORM casino.lock_open_stakes(accounts);
    PERFORM casino.lock_player(player_id);
    began := coalesce(at, casino.event_time(NULL));
    ends := coalesce(until, CASE WHEN origin = 'panic_button' THEN began ELSE 'infinity' END);
    IF origin = 'panic_button' THEN
        ends := greatest(ends, began + interval '48 hours');
    END IF;
    SELECT e.exclusion_no INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_as_owner.player_id AND e.source = origin AND e.excluded_from = began AND e.excluded_until = ends
     ORDER BY e.exclusion_no DESC LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    PERFORM casino.event_time(at);
    IF ends <= began THEN
        RAISE EXCEPTION 'an exclusion must end after it starts' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT coalesce(max(e.exclusion_no), 0) + 1 INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_as_owner.player_id;
    INSERT INTO casino.exclusion VALUES (player_id, number, origin, began, ends, clock_timestamp());
    PERFORM casino.note_exclusion(player_id, ends);
    FOREACH later IN ARRAY accounts[2:] LOOP
        PERFORM casino.lock_player(later);
        INSERT INTO casino.exclusion
        SELECT later, coalesce(max(e.exclusion_no), 0) + 1, origin, began, ends, clock_timestamp()
          FROM casino.exclusion e WHERE e.player_id = later;
        PERFORM casino.note_exclusion(later, ends);
    END LOOP;
    -- what he has staked where betting is open is not concluded yet
    PERFORM casino.return_open_stakes(accounts, began);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.exclude_player_as_owner(bigint, timestamptz, text, timestamptz) IS 'Body of exclude_player(), run as the owner of the ledger';

CREATE FUNCTION casino.limit_usage(player_id bigint, at timestamptz) RETURNS casino.limit_usage
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.limit_usage(bigint, timestamptz) IS 'Counters of casino.limit_state recomputed from the ledger and the play of other products, for the day and month of a time: with those of a former account of the person whose limits have passed on';

CREATE FUNCTION casino.limit_usage_as_owner(player_id bigint, at timestamptz) RETURNS casino.limit_usage
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    usage casino.limit_usage;
    accounts bigint[];
BEGIN
    -- his account, and former ones of the person whose limits and counters have passed on, see inherit_duties()
    WITH RECURSIVE passed AS (
        SELECT p.player_id, p.external_ref, p.registered_at FROM casino.player p WHERE p.player_id = limit_usage_as_owner.player_id
        UNION ALL
        SELECT f.player_id, f.external_ref, f.registered_at
          FROM passed n
         CROSS JOIN LATERAL (SELECT x.* FROM casino.player x
                              WHERE x.external_ref = n.external_ref AND x.player_id < n.player_id
                              ORDER BY x.player_id DESC LIMIT 1) f
         WHERE n.registered_at < casino.limits_pass_until(f.closed_at)
           AND EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = f.player_id))
    SELECT array_agg(n.player_id) INTO accounts FROM passed n;
    usage.player_id := player_id;
    usage.day := casino.prague_day(at);
    usage.month := casino.prague_month(at);
    SELECT coalesce(sum(s.amount) FILTER (WHERE casino.prague_day(s.posted_at) = usage.day), 0),
           coalesce(sum(s.amount), 0)
      INTO usage.staked_day, usage.staked_month
      FROM casino.ledger s
      JOIN casino.round r ON r.round_id = s.round_id
     WHERE s.player_id = ANY (accounts) AND s.kind = 'stake' AND casino.prague_month(s.posted_at) = usage.month
       AND NOT EXISTS (SELECT FROM casino.ledger f
                        WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'
                          AND (r.betting_closed_at IS NULL OR f.reason IN ('cancelled', 'disconnected', 'late', 'excluded')));
    SELECT coalesce(sum(w.staked - w.payout) FILTER (WHERE casino.prague_day(w.evaluated_at) = usage.day), 0),
           coalesce(sum(w.staked - w.payout) FILTER (WHERE casino.prague_month(w.evaluated_at) = usage.month), 0),
           coalesce(sum(w.staked) FILTER (WHERE w.status = 'open'), 0)
      INTO usage.lost_day, usage.lost_month, usage.open_staked
      FROM casino.wager w
     WHERE w.player_id = ANY (accounts) AND w.status <> 'refunded';
    -- play of other products, too: theirs, and what was counted for any former account since he has this one
    SELECT usage.staked_day + coalesce(sum(o.staked) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.staked_month + coalesce(sum(o.staked), 0),
           usage.lost_day - coalesce(sum(o.result) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.lost_month - coalesce(sum(o.result), 0)
      INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month
      FROM casino.player p
      JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id <= p.player_id
      JOIN casino.other_play o ON o.player_id = f.player_id AND (f.player_id = ANY (accounts) OR o.recorded_at >= p.registered_at)
     WHERE p.player_id = limit_usage_as_owner.player_id AND casino.prague_month(o.played_at) = usage.month;
    RETURN usage;
END
$fn$;
COMMENT ON FUNCTION casino.limit_usage_as_owner(bigint, timestamptz) IS 'Body of limit_usage(), run as the owner of the ledger';

CREATE FUNCTION casino.limits_in_force(player_id bigint, at timestamptz DEFAULT clock_timestamp(), OUT measure text, OUT period text,
                                       OUT amount numeric, OUT next_amount numeric, OUT next_from timestamptz) RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT ROWS 4 SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT k.measure, k.period, f.amount, n.amount, n.effective_from
          FROM (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'), ('net_loss', 'month')) AS k (measure, period)
          LEFT JOIN LATERAL (SELECT l.limit_no, l.amount FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id AND l.measure = k.measure AND l.period = k.period
                                AND l.effective_from <= limits_in_force.at
                              ORDER BY l.limit_no DESC LIMIT 1) f ON true
          LEFT JOIN LATERAL (SELECT l.amount, l.effective_from FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id AND l.measure = k.measure AND l.period = k.period
                                AND l.effective_from > limits_in_force.at AND l.limit_no > coalesce(f.limit_no, 0)
                              ORDER BY l.limit_no DESC LIMIT 1) n ON true;
END
$fn$;
COMMENT ON FUNCTION casino.limits_in_force(bigint, timestamptz) IS 'A player''s limits at a time, from the history of changes alone, each with the laxer one that waits to come into effect; amount NULL: no limit';

CREATE FUNCTION casino.set_limit(player_id bigint, measure text, period text, amount numeric,
                                 at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_limit(bigint, text, text, numeric, timestamptz) IS 'Sets a player''s limit of stake or net_loss a day or month (NULL: none): a stricter one at once, a laxer one after seven days (D4 §6.5). Returns the number of the change';

CREATE FUNCTION casino.set_limit_as_owner(player_id bigint, measure text, period text, amount numeric,
    at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    what CONSTANT text := CASE measure WHEN 'stakes' THEN 'stake' WHEN 'loss' THEN 'net_loss' ELSE measure END;
    wanted CONSTANT numeric := casino.money(amount);
    newest casino.player_limit;
    asked timestamptz;
    in_force numeric;
    number integer;
BEGIN
    IF what IS NULL OR what NOT IN ('stake', 'net_loss') OR period IS NULL OR period NOT IN ('day', 'month') THEN
        RAISE EXCEPTION 'a limit is of stake or net_loss a day or month, not of % a %', measure, period
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- the counters of a first limit start with what is open: evaluations count only for players who have them, and lock no
    -- losers. Rounds before the player, as everywhere
    IF NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = set_limit_as_owner.player_id) THEN
        PERFORM casino.lock_unevaluated_rounds(player_id);
    END IF;
    PERFORM casino.lock_player(player_id);
    -- a limit of a closed account would bind nobody: the person's new one has taken over what was set before
    IF (SELECT p.closed_at FROM casino.player p WHERE p.player_id = set_limit_as_owner.player_id) IS NOT NULL THEN
        RAISE EXCEPTION 'the account of player % is closed', player_id USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    SELECT l.* INTO newest FROM casino.player_limit l
     WHERE l.player_id = set_limit_as_owner.player_id AND l.measure = what AND l.period = set_limit_as_owner.period
     ORDER BY l.limit_no DESC LIMIT 1;
    IF newest.requested_at = at AND newest.amount IS NOT DISTINCT FROM wanted THEN
        RETURN newest.limit_no;
    END IF;
    asked := casino.event_time(at, newest.requested_at);
    IF asked < newest.requested_at THEN
        RAISE EXCEPTION 'time % is before the last change of this limit', asked
            USING ERRCODE = 'KL005', DETAIL = format('It was asked for at %s.', newest.requested_at);
    END IF;
    SELECT l.amount INTO in_force FROM casino.player_limit l
     WHERE l.player_id = set_limit_as_owner.player_id AND l.measure = what AND l.period = set_limit_as_owner.period AND l.effective_from <= asked
     ORDER BY l.limit_no DESC LIMIT 1;
    SELECT coalesce(max(l.limit_no), 0) INTO number FROM casino.player_limit l WHERE l.player_id = set_limit_as_owner.player_id;
    IF wanted <= in_force OR (wanted IS NOT NULL AND in_force IS NULL) THEN
        -- stricter, or the same: at once; a raise that was waiting is taken back by it
        number := number + 1;
        INSERT INTO casino.player_limit VALUES (player_id, number, what, period, wanted, asked, asked, clock_timestamp());
    ELSIF in_force IS NOT NULL THEN
        -- laxer: after seven days of 24 hours, whatever the session's time zone.  What is in force is restated, so that no older raise takes effect meanwhile
        IF newest.effective_from > asked THEN
            number := number + 1;
            INSERT INTO casino.player_limit VALUES (player_id, number, what, period, in_force, asked, asked, clock_timestamp());
        END IF;
        number := number + 1;
        INSERT INTO casino.player_limit VALUES (player_id, number, what, period, wanted, asked, asked + interval '168 hours', clock_timestamp());
    ELSE
        RETURN newest.limit_no;     -- no limit, and none wanted
    END IF;
    PERFORM casino.note_limits(player_id, asked);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.set_limit_as_owner(bigint, text, text, numeric, timestamptz) IS 'Body of set_limit(), run as the owner of the ledger';

CREATE FUNCTION casino.inherit_duties(former bigint, player_id bigint, closed_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    ends timestamptz;
BEGIN
    -- exclusions are of the person, whatever the account
    INSERT INTO casino.exclusion
    SELECT inherit_duties.player_id, row_number() OVER (ORDER BY e.exclusion_no), e.source, e.excluded_from, e.excluded_until, clock_timestamp()
      FROM casino.exclusion_period e
     WHERE e.player_id = former AND e.excluded_until > clock_timestamp();
    SELECT max(e.excluded_until) INTO ends FROM casino.exclusion e WHERE e.player_id = inherit_duties.player_id;
    IF ends IS NOT NULL THEN
        PERFORM casino.note_exclusion(player_id, ends);
    END IF;
    -- within seven calendar days a new account must not be a way around the waiting time (Act 186/2016 §14a)
    IF (SELECT p.registered_at FROM casino.player p WHERE p.player_id = inherit_duties.player_id) < casino.limits_pass_until(inherit_duties.closed_at)
       AND EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = former) THEN
        INSERT INTO casino.player_limit
        SELECT inherit_duties.player_id, l.limit_no, l.measure, l.period, l.amount, l.requested_at, l.effective_from, clock_timestamp()
          FROM casino.player_limit l WHERE l.player_id = former;
        INSERT INTO casino.limit_state (player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked)
        SELECT inherit_duties.player_id, s.day, s.staked_day, s.lost_day, s.month, s.staked_month, s.lost_month, s.open_staked
          FROM casino.limit_state s WHERE s.player_id = former;
        PERFORM casino.note_limits(player_id, clock_timestamp());
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.inherit_duties(bigint, bigint, timestamptz) IS 'Part of register_player(): exclusions, and within seven calendar days limits and counters, pass to the person''s new account';

CREATE FUNCTION casino.close_account(player_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_account(bigint, timestamptz) IS 'Closes a player''s account, which must be empty; the person may open another one';

CREATE FUNCTION casino.close_account_as_owner(player_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account casino.player;
    closing timestamptz;
    paid timestamptz;
BEGIN
    PERFORM casino.lock_player(player_id);
    SELECT p.* INTO account FROM casino.player p WHERE p.player_id = close_account_as_owner.player_id;
    IF account.closed_at IS NOT NULL THEN
        RETURN;
    END IF;
    closing := casino.event_time(at, account.last_posted_at);
    IF account.balance <> 0
       OR EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = account.player_id)
       OR EXISTS (SELECT FROM casino.wager w WHERE w.player_id = account.player_id AND w.status IN ('open', 'withheld')) THEN
        RAISE EXCEPTION 'the account of player % cannot be closed', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('The balance is %s CZK; open wagers, withheld winnings and pending withdrawals must be ended first.', account.balance);
    END IF;
    -- the cash limit is the person's: another account must not start it afresh (D4 §11.2 a)
    SELECT max(l.posted_at) INTO paid FROM casino.ledger l
     WHERE l.player_id = account.player_id AND l.kind = 'cash_paid' AND l.posted_at > closing - interval '24 hours';
    IF paid IS NOT NULL THEN
        RAISE EXCEPTION 'the account of player % cannot be closed yet', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('Cash was paid at %s and counts for 24 hours (D4 §11.2 a).', paid);
    END IF;
    PERFORM casino.note_closing(player_id, closing);
END
$fn$;
COMMENT ON FUNCTION casino.close_account_as_owner(bigint, timestamptz) IS 'Body of close_account(), run as the owner of the ledger';

CREATE FUNCTION casino.set_payment_account(player_id bigint, account text, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_payment_account(bigint, text, timestamptz) IS 'Registers the account that transfers go to; earlier ones are kept (D4 §11.2 b). For 24 hours, and for what was asked for before, it is paid to with approve_withdrawal() only';

CREATE FUNCTION casino.set_payment_account_as_owner(player_id bigint, account text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.payment_account;
    registered timestamptz;
BEGIN
    IF coalesce(btrim(account), '') = '' THEN
        RAISE EXCEPTION 'account must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    account := casino.canonical_text(account, 'account');
    PERFORM casino.bounded(account, 'account', 64);
    PERFORM casino.lock_player(player_id);
    SELECT a.* INTO present FROM casino.payment_account a
     WHERE a.player_id = set_payment_account_as_owner.player_id ORDER BY a.account_no DESC LIMIT 1;
    IF present.account = set_payment_account_as_owner.account THEN
        RETURN present.account_no;
    END IF;
    registered := casino.event_time(at, present.registered_at);
    IF registered < present.registered_at THEN
        RAISE EXCEPTION 'time % is before the last registration of an account', registered
            USING ERRCODE = 'KL005', DETAIL = format('It was registered at %s.', present.registered_at);
    END IF;
    INSERT INTO casino.payment_account (player_id, account_no, account, registered_at, recorded_at)
    VALUES (player_id, coalesce(present.account_no, 0) + 1, account, registered, clock_timestamp());
    RETURN coalesce(present.account_no, 0) + 1;
END
$fn$;
COMMENT ON FUNCTION casino.set_payment_account_as_owner(bigint, text, timestamptz) IS 'Body of set_payment_account(), run as the owner of the ledger';

-- A withdrawal's number carries its player, so that no sequence and no extra index is needed to find it.
CREATE FUNCTION casino.withdrawal_id(player_id bigint, entry_no bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN player_id * 1000000000 + entry_no;
COMMENT ON FUNCTION casino.withdrawal_id(bigint, bigint) IS 'Number of a withdrawal: player_id times 10^9 plus entry_no';

CREATE FUNCTION casino.request_withdrawal(player_id bigint, amount numeric, method text, request_id text DEFAULT NULL,
                                          at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_request_withdrawal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.request_withdrawal(bigint, numeric, text, text, timestamptz) IS 'Takes the amount from the wallet, to be paid by cash or transfer; returns the withdrawal''s number, the same again for the same request';

-- Posts the end of a withdrawal, or answers its repetition.
CREATE FUNCTION casino.end_withdrawal(id bigint, cancel boolean, at timestamptz, reference text DEFAULT NULL,
                                      place text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    asked casino.ledger;
    ended casino.ledger;
    posted bigint;
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
    SELECT l.* INTO ended FROM casino.ledger l WHERE l.player_id = player AND l.withdrawal_entry_no = entry;
    IF FOUND THEN
        IF cancel <> (ended.kind = 'withdrawal_cancelled') THEN
            RAISE EXCEPTION 'withdrawal % has ended', id
                USING ERRCODE = 'KL004', DETAIL = format('It is %s, entry %s.', ended.kind, ended.entry_no);
        END IF;
        IF (ended.reference, ended.place) IS DISTINCT FROM (end_withdrawal.reference, end_withdrawal.place) THEN
            RAISE EXCEPTION 'withdrawal % was paid otherwise', id
                USING ERRCODE = 'KL004',
                      DETAIL = format('Entry %s has the reference %s and the place %s.', ended.entry_no, coalesce(quote_literal(ended.reference), 'none'),
                                      coalesce(quote_literal(ended.place), 'none'));
        END IF;
        RETURN ended.entry_no;
    END IF;
    INSERT INTO casino.ledger AS l (player_id, kind, amount, withdrawal_entry_no, posted_at, reference, place)
    VALUES (player, CASE WHEN cancel THEN 'withdrawal_cancelled' WHEN asked.method = 'cash' THEN 'cash_paid' ELSE 'transfer_paid' END,
            asked.amount, entry, end_withdrawal.at, end_withdrawal.reference, end_withdrawal.place)
    RETURNING l.entry_no INTO posted;
    RETURN posted;
END
$fn$;
COMMENT ON FUNCTION casino.end_withdrawal(bigint, boolean, timestamptz, text, text) IS 'Part of pay_withdrawal() and cancel_withdrawal()';

CREATE FUNCTION casino.pay_withdrawal(id bigint, at timestamptz DEFAULT NULL, reference text DEFAULT NULL,
                                      place text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withdrawal(bigint, timestamptz, text, text) IS 'Records that a withdrawal was paid, with the reference of the payment and the place of cash: cash at most 10 000 CZK in 24 hours, a transfer to the registered account (D4 §11.2). Returns the entry number, the same when repeated';

CREATE FUNCTION casino.pay_withdrawal_as_owner(id bigint, at timestamptz, reference text, place text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.end_withdrawal(id, false, at, reference, place);
END
$fn$;
COMMENT ON FUNCTION casino.pay_withdrawal_as_owner(bigint, timestamptz, text, text) IS 'Body of pay_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.cancel_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_withdrawal(bigint, timestamptz) IS 'Returns the amount of a withdrawal to the wallet. Returns the entry number, the same when repeated';

CREATE FUNCTION casino.cancel_withdrawal_as_owner(id bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.end_withdrawal(id, true, at);
END
$fn$;
COMMENT ON FUNCTION casino.cancel_withdrawal_as_owner(bigint, timestamptz) IS 'Body of cancel_withdrawal(), run as the owner of the ledger';
