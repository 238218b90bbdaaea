-- Bets of several players in one call: one way to the server and one commit for a table's chips, where each
-- player's request is placed or refused as try_place_bets() would place or refuse it (R11.20); sent again,
-- each is answered for itself (R11.21).

CREATE TYPE casino.placed AS (
    player_id  bigint,
    request_id text,
    seat       integer,
    hand       integer,
    accepted   boolean,
    entry_nos  bigint[],
    balance    numeric,
    code       text,
    message    text,
    detail     text,
    reason     text,
    data       jsonb
);
COMMENT ON TYPE casino.placed
    IS 'Answer of place_many() to one request: accepted with entry numbers and the wallet after them, or '
       'refused with code, message, detail, reason and its values';

CREATE FUNCTION casino.place_many(round_id bigint, player_ids bigint[], bets casino.bet[],
                                  request_ids text[] DEFAULT NULL,
                                  seats integer[] DEFAULT NULL, hands integer[] DEFAULT NULL,
                                  at timestamptz DEFAULT NULL)
RETURNS SETOF casino.placed
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.place_many(bigint, bigint[], casino.bet[], text[], integer[], integer[],
                                      timestamptz)
    IS 'Places bets of several players: element n of each array belongs to bet n. What agrees in player, '
       'request_id, seat and hand is one request, placed as a whole or refused, which is then recorded in '
       'casino.refusal; the others stand. One row a request, in the order in which they first '
       'appear';

CREATE FUNCTION casino_internal.placed_request(round_id bigint, request casino.placed, bets casino.bet[],
                                               at timestamptz)
RETURNS casino.placed
    AS 'MODULE_PATHNAME', 'casino_sql_placed_request' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.placed_request(bigint, casino.placed, casino.bet[], timestamptz)
    IS 'Part of place_many(): one request, placed';

CREATE FUNCTION casino_internal.placed_or_refused(round_id bigint, request casino.placed, bets casino.bet[],
                                                  at timestamptz)
RETURNS casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told text;
BEGIN
    BEGIN
        RETURN casino_internal.placed_request(round_id, request, bets, at);
    EXCEPTION WHEN OTHERS THEN
        -- a refusal by rule; anything else is an error like any other
        IF SQLSTATE NOT LIKE 'K%' THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS request.code = RETURNED_SQLSTATE, request.message = MESSAGE_TEXT,
            request.detail = PG_EXCEPTION_DETAIL, request.reason = CONSTRAINT_NAME,
            told = PG_DATATYPE_NAME;
        request.data := casino_internal.refusal_data(request.reason, told);
    END;
    request.accepted := false;
    PERFORM casino_internal.record_refusal(request.player_id, 'place_bets', at, request.code, request.message,
                                           request.detail, request.reason, request.data, round_id, bets,
                                           request.seat, request.hand, request.request_id);
    RETURN request;
END
$fn$;
COMMENT ON FUNCTION casino_internal.placed_or_refused(bigint, casino.placed, casino.bet[], timestamptz)
    IS 'Part of place_many(): one request, placed, or refused with a row of casino.refusal';

CREATE FUNCTION casino_internal.requests_of(player_ids bigint[], bets casino.bet[], request_ids text[],
                                            seats integer[], hands integer[])
RETURNS TABLE (request casino.placed, request_bets casino.bet[])
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (u.player_id, u.request_id, u.seat, u.hand, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL)::casino.placed,
           array_agg(u.bet ORDER BY u.n)
      FROM unnest(player_ids, bets, request_ids, seats,
                  hands) WITH ORDINALITY u (player_id, bet, request_id, seat, hand, n)
     GROUP BY u.player_id, u.request_id, u.seat, u.hand
     ORDER BY min(u.n)
$fn$;
COMMENT ON FUNCTION casino_internal.requests_of(bigint[], casino.bet[], text[], integer[], integer[])
    IS 'Part of place_many(): the requests with their bets, in the order in which they first appear';

-- The order of locks of the whole ledger, round, boxes, players, their counters, each ascending, and all
-- before the first request is judged
CREATE FUNCTION casino_internal.lock_many(round_id bigint, player_ids bigint[], seats integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    together bigint[];
BEGIN
    PERFORM casino_internal.await_round(round_id);
    PERFORM casino_internal.lock_box(round_id, b.seat)
       FROM (SELECT DISTINCT u.seat FROM unnest(seats) u (seat) ORDER BY u.seat) b;
    -- with those whose bets behind may follow a stake of the call (R3.75)
    SELECT player_ids || coalesce(array_agg(DISTINCT b.player_id), '{}') INTO together
      FROM casino.ledger b
     WHERE b.round_id = lock_many.round_id
       AND b.kind = 'stake'
       AND b.seat = ANY (seats)
       AND casino.kind(b.bet) = 'behind';
    PERFORM FROM casino.player p WHERE p.player_id = ANY (together) ORDER BY p.player_id FOR NO KEY UPDATE;
    PERFORM FROM casino.limit_state s
      WHERE s.player_id = ANY (together)
      ORDER BY s.player_id FOR NO KEY UPDATE;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_many(bigint, bigint[], integer[])
    IS 'Part of place_many(): the locks of all its stakes';

CREATE FUNCTION casino_internal.check_many(round_id bigint, player_ids bigint[], bets casino.bet[],
                                           request_ids text[],
                                           seats integer[], hands integer[])
RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    n CONSTANT integer := cardinality(bets);
BEGIN
    IF round_id IS NULL OR player_ids IS NULL OR bets IS NULL THEN
        RAISE EXCEPTION 'round_id, player_ids and bets must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF n NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'a call must have 1 to 10000 bets, not %', n
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF n <> cardinality(player_ids)
       OR n <> cardinality(request_ids)
       OR n <> cardinality(seats)
       OR n <> cardinality(hands) THEN
        RAISE EXCEPTION 'the arrays differ in length'
            USING ERRCODE = 'array_subscript_error', DETAIL = format('There are %s bets.', n),
                  HINT = 'Element n of each array belongs to bet n.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_many(bigint, bigint[], casino.bet[], text[], integer[], integer[])
    IS 'Part of place_many(): 22004, 22023 or 2202E for arguments that no request could have';

CREATE FUNCTION casino_internal.place_many_impl(round_id bigint, player_ids bigint[], bets casino.bet[],
                                                request_ids text[], seats integer[],
                                                    hands integer[], at timestamptz)
                                                        RETURNS SETOF casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.placed[] := '{}';
BEGIN
    PERFORM casino_internal.check_many(round_id, player_ids, bets, request_ids, seats, hands);
    BEGIN
        -- nearly always nobody is refused: one subtransaction for all of them
        PERFORM casino_internal.lock_many(round_id, player_ids, seats);
        SELECT array_agg(casino_internal.placed_request(place_many_impl.round_id, r.request, r.request_bets,
                                                        place_many_impl.at))
          INTO answers
          FROM casino_internal.requests_of(player_ids, bets, request_ids, seats, hands) r;
    EXCEPTION WHEN OTHERS THEN
        IF SQLSTATE NOT LIKE 'K%' THEN
            RAISE;
        END IF;
        answers := NULL;
    END;
    IF answers IS NULL THEN
        PERFORM casino_internal.lock_many(round_id, player_ids, seats);
        SELECT array_agg(casino_internal.placed_or_refused(place_many_impl.round_id, r.request,
                                                           r.request_bets,
                                                           place_many_impl.at))
          INTO answers
          FROM casino_internal.requests_of(player_ids, bets, request_ids, seats, hands) r;
    END IF;
    RETURN QUERY SELECT a.* FROM unnest(answers) a;
END
$fn$;
COMMENT ON FUNCTION casino_internal.place_many_impl(bigint, bigint[], casino.bet[], text[], integer[],
                                                    integer[],
                                                    timestamptz)
    IS 'Body of place_many(), run as the owner of the ledger';
