-- Requests that return a refusal as a row and keep it, instead of failing: bets, deposits, withdrawals asked
-- for and paid.

CREATE FUNCTION casino_internal.install_refusals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.refusal (
        player_id   bigint NOT NULL,
        refusal_no  bigint NOT NULL,
        action      text NOT NULL CHECK (action IN ('place_bets', 'follow', 'deposit', 'stake_elsewhere',
                                                    'request_withdrawal', 'pay_withdrawal')),
        round_id    bigint,
        bets        casino.bet[],
        seat        integer,
        hand        integer,
        amount      numeric,
        method      text CHECK (octet_length(method) <= 64),
        withdrawal_id bigint,
        request_id  text CHECK (octet_length(request_id) <= 200),
        code        text NOT NULL,
        message     text NOT NULL,
        detail      text,
        reason      text NOT NULL CHECK (octet_length(reason) <= 64),
        data        jsonb NOT NULL,
        refused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, refusal_no),
        CHECK (action NOT IN ('place_bets', 'follow') OR (round_id IS NOT NULL AND bets IS NOT NULL))
    );
    COMMENT ON TABLE casino.refusal
        IS 'Append-only: refusals by a rule that place_many() and the functions try_... answered as a row, '
           'and double or split of bets behind that stayed out (action follow). A refusal that is an error '
           'leaves no row';
    COMMENT ON COLUMN casino.refusal.player_id IS 'Player';
    COMMENT ON COLUMN casino.refusal.refusal_no IS 'Counts the player''s refusals from 1';
    COMMENT ON COLUMN casino.refusal.action
        IS 'What was asked for; follow: the owner of the box doubled or split, and the bet behind stayed out';
    COMMENT ON COLUMN casino.refusal.round_id IS 'Round, of bets';
    COMMENT ON COLUMN casino.refusal.bets IS 'What he wanted to stake';
    COMMENT ON COLUMN casino.refusal.amount IS 'CZK to be deposited or paid';
    COMMENT ON COLUMN casino.refusal.method IS 'How, of deposits and withdrawals';
    COMMENT ON COLUMN casino.refusal.withdrawal_id IS 'Withdrawal that was to be paid';
    COMMENT ON COLUMN casino.refusal.seat IS 'Seat (box)';
    COMMENT ON COLUMN casino.refusal.hand IS 'Hand of the seat';
    COMMENT ON COLUMN casino.refusal.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.refusal.code IS 'SQLSTATE of the refusal';
    COMMENT ON COLUMN casino.refusal.message IS 'Why';
    COMMENT ON COLUMN casino.refusal.detail IS 'The values';
    COMMENT ON COLUMN casino.refusal.reason IS 'Word of casino.refusal_reasons()';
    COMMENT ON COLUMN casino.refusal.data IS 'Values of the reason: amounts in CZK, limits, times';
    COMMENT ON COLUMN casino.refusal.refused_at IS 'Time of the event';
    COMMENT ON COLUMN casino.refusal.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('refusal');
    PERFORM casino_internal.make_recorded('refusal');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_refusals() IS 'Part of casino.install(): refusals';

CREATE FUNCTION casino_internal.next_refusal_no(player_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_next_refusal_no' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.next_refusal_no(bigint)
    IS 'Part of try_place_bets(): number of the player''s next refusal';

CREATE FUNCTION casino_internal.is_refusal(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN code LIKE 'K%';
COMMENT ON FUNCTION casino_internal.is_refusal(text)
    IS 'Part of try_place_bets() and its like: an SQLSTATE of a rule; anything else is an error like any '
       'other';

CREATE FUNCTION casino.refusal_reasons(OUT reason text, OUT code text, OUT data_names text,
                                       OUT english text, OUT czech text)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_refusal_reasons' LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 75;
COMMENT ON FUNCTION casino.refusal_reasons()
    IS 'Every reason for which casino refuses: its word, its SQLSTATE, the names of the values that its data '
       'can have, and what a player is told, {name} standing for a value';

-- A trigger of the operator's may refuse with a code of ours and no values.
CREATE FUNCTION casino_internal.refusal_data(reason text, told text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN EXISTS (SELECT FROM casino.refusal_reasons() r WHERE r.reason = refusal_data.reason)
                THEN told::jsonb ELSE '{}' END
$fn$;
COMMENT ON FUNCTION casino_internal.refusal_data(text, text)
    IS 'Part of try_place_bets() and its like: values of a refusal from its error, which names them as data '
       'type';

CREATE FUNCTION casino_internal.record_refusal(player_id bigint, action text, at timestamptz, code text,
                                               message text,
                                               detail text, reason text, data jsonb,
                                               round_id bigint DEFAULT NULL, bets casino.bet[] DEFAULT NULL,
                                               seat integer DEFAULT NULL,
                                               hand integer DEFAULT NULL, request_id text DEFAULT NULL,
                                               amount numeric DEFAULT NULL,
                                               method text DEFAULT NULL,
                                               withdrawal_id bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    refused timestamptz;
BEGIN
    PERFORM casino_internal.lock_player(player_id);
    BEGIN
        refused := casino_internal.event_time(at);
    EXCEPTION WHEN SQLSTATE 'KL005' THEN
        -- a time that no event may have is none of a record either (R12.10)
        refused := clock_timestamp();
    END;
    INSERT INTO casino.refusal AS f (player_id, refusal_no, action, round_id, bets, seat, hand, amount,
                                     method, withdrawal_id, request_id,
                                     code, message, detail, reason, data, refused_at, recorded_at)
    VALUES (player_id, casino_internal.next_refusal_no(player_id), action, round_id, bets, seat, hand,
            amount, method,
            withdrawal_id, request_id,
            code, message, detail,
            -- words of a trigger of the operator's may be of any length
            CASE WHEN octet_length(reason) <= 64 THEN reason ELSE '' END, data, refused, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_refusal(bigint, text, timestamptz, text, text, text, text, jsonb,
                                                   bigint,
                                                   casino.bet[], integer, integer, text, numeric, text,
                                                       bigint)
    IS 'Part of try_place_bets(), try_deposit(), try_request_withdrawal() and try_pay_withdrawal(): keeps a '
       'refusal';

CREATE FUNCTION casino.try_place_bets(round_id bigint, player_id bigint, bets casino.bet[],
                                      request_id text DEFAULT NULL,
                                      seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                      at timestamptz DEFAULT NULL, OUT accepted boolean,
                                      OUT entry_nos bigint[], OUT balance numeric,
                                      OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_place_bets(bigint, bigint, casino.bet[], text, integer, integer, timestamptz)
    IS 'place_bets() that answers with the wallet after the stakes, and returns a refusal as a row, and '
       'records it in casino.refusal, instead of failing';

CREATE FUNCTION casino_internal.try_place_bets_impl(round_id bigint, player_id bigint, bets casino.bet[],
                                                    request_id text,
    seat integer, hand integer,
    at timestamptz, OUT accepted boolean, OUT entry_nos bigint[], OUT balance numeric,
    OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told text;
BEGIN
    BEGIN
        SELECT p.entry_nos, p.balance INTO entry_nos, balance
          FROM casino.place_bets_balance(round_id, player_id, bets, request_id, seat, hand, at) p;
        accepted := true;
        -- the query is planned anew at each call, and few requests raise the stake of a box
        IF seat IS NOT NULL AND array_to_string(bets, ' ') ~ 'double_down|split_pair' THEN
            data := casino_internal.followed(round_id, player_id, entry_nos, seat, hand);
        END IF;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino_internal.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
        data := casino_internal.refusal_data(reason, told);
    END;
    accepted := false;
    PERFORM casino_internal.record_refusal(player_id, 'place_bets', at, code, message, detail, reason, data,
                                           round_id, bets, seat, hand, request_id);
END
$fn$;
COMMENT ON FUNCTION casino_internal.try_place_bets_impl(bigint, bigint, casino.bet[], text, integer, integer,
                                                        timestamptz)
    IS 'Body of try_place_bets(), run as the owner of the ledger';

CREATE FUNCTION casino.try_deposit(player_id bigint, amount numeric, request_id text DEFAULT NULL,
                                   at timestamptz DEFAULT NULL,
                                   method text DEFAULT NULL, reference text DEFAULT NULL,
                                   place text DEFAULT NULL,
                                   OUT accepted boolean, OUT entry_no bigint,
                                   OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_deposit(bigint, numeric, text, timestamptz, text, text, text)
    IS 'deposit() that returns a refusal as a row, and records it in casino.refusal, instead of failing';

CREATE FUNCTION casino_internal.try_deposit_impl(player_id bigint, amount numeric, request_id text,
                                                 at timestamptz,
    method text, reference text, place text, OUT accepted boolean, OUT entry_no bigint,
    OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told text;
BEGIN
    BEGIN
        entry_no := casino.deposit(player_id, amount, request_id, at, method, reference, place);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino_internal.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
        data := casino_internal.refusal_data(reason, told);
    END;
    accepted := false;
    PERFORM casino_internal.record_refusal(player_id, 'deposit', at, code, message, detail, reason, data,
                                           request_id => request_id, amount => amount, method => method);
END
$fn$;
COMMENT ON FUNCTION casino_internal.try_deposit_impl(bigint, numeric, text, timestamptz, text, text, text)
    IS 'Body of try_deposit(), run as the owner of the ledger';

CREATE FUNCTION casino.try_request_withdrawal(player_id bigint, amount numeric, method text,
                                              request_id text DEFAULT NULL,
                                              at timestamptz DEFAULT NULL, OUT accepted boolean,
                                              OUT withdrawal_id bigint,
                                              OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_request_withdrawal(bigint, numeric, text, text, timestamptz)
    IS 'request_withdrawal() that returns a refusal as a row, and records it in casino.refusal, instead of '
       'failing';

CREATE FUNCTION casino_internal.try_request_withdrawal_impl(player_id bigint, amount numeric, method text,
                                                            request_id text,
    at timestamptz, OUT accepted boolean, OUT withdrawal_id bigint,
    OUT code text, OUT message text, OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told text;
BEGIN
    BEGIN
        withdrawal_id := casino.request_withdrawal(player_id, amount, method, request_id, at);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino_internal.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
        data := casino_internal.refusal_data(reason, told);
    END;
    accepted := false;
    PERFORM casino_internal.record_refusal(player_id, 'request_withdrawal', at, code, message, detail,
                                           reason, data, request_id => request_id, amount => amount,
                                           method => method);
END
$fn$;
COMMENT ON FUNCTION casino_internal.try_request_withdrawal_impl(bigint, numeric, text, text, timestamptz)
    IS 'Body of try_request_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.try_pay_withdrawal(id bigint, at timestamptz DEFAULT NULL, reference text DEFAULT NULL,
                                          place text DEFAULT NULL,
                                          OUT accepted boolean, OUT entry_no bigint, OUT code text,
                                          OUT message text,
                                          OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_pay_withdrawal(bigint, timestamptz, text, text)
    IS 'pay_withdrawal() that returns a refusal as a row, and records it in casino.refusal, instead of '
       'failing';

CREATE FUNCTION casino_internal.try_pay_withdrawal_impl(id bigint, at timestamptz, reference text, place text,
    OUT accepted boolean, OUT entry_no bigint, OUT code text, OUT message text,
    OUT detail text,
    OUT reason text, OUT data jsonb) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    asked casino.ledger;
    told text;
BEGIN
    BEGIN
        entry_no := casino.pay_withdrawal(id, at, reference, place);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino_internal.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, reason = CONSTRAINT_NAME, told = PG_DATATYPE_NAME;
        data := casino_internal.refusal_data(reason, told);
    END;
    accepted := false;
    SELECT l.*
      INTO asked
      FROM casino.ledger l
     WHERE l.player_id = id / 1000000000 AND l.entry_no = id % 1000000000;
    PERFORM casino_internal.record_refusal(asked.player_id, 'pay_withdrawal', at, code, message, detail,
                                           reason, data, amount => asked.amount, method => asked.method,
                                           withdrawal_id => id);
END
$fn$;
COMMENT ON FUNCTION casino_internal.try_pay_withdrawal_impl(bigint, timestamptz, text, text)
    IS 'Body of try_pay_withdrawal(), run as the owner of the ledger';
