-- What a game server shows: the bets on offer with the limits that are enforced, the lobby, and what a round
-- has brought each player.

CREATE FUNCTION casino_internal.position_limits_of(table_id bigint, table_version integer, plan_id bigint,
                                                   OUT kind text, OUT min numeric, OUT max numeric,
                                                       OUT min_from text,
                                                   OUT max_from text)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_position_limits_of' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino_internal.position_limits_of(bigint, integer, bigint)
    IS 'Part of position_limits() and offer(): limits in CZK of each kind under a version of the table and '
       'of the game plan';

CREATE FUNCTION casino.position_limits(table_id bigint, at timestamptz DEFAULT clock_timestamp(),
                                       OUT kind text, OUT selection text, OUT phase text, OUT min numeric,
                                       OUT max numeric,
                                       OUT min_from text, OUT max_from text, OUT requires text,
                                       OUT declared_win numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.position_limits(bigint, timestamptz)
    IS 'Limits in CZK that a table enforces at a time on each kind of bet, all chips of one player''s '
       'position together, and where each limit comes from';

CREATE FUNCTION casino_internal.position_limits_impl(table_id bigint, at timestamptz,
                                                     OUT kind text, OUT selection text, OUT phase text,
                                                     OUT min numeric, OUT max numeric,
                                                     OUT min_from text, OUT max_from text, OUT requires text,
                                                     OUT declared_win numeric)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(position_limits_impl.at, clock_timestamp());
    plan bigint;
BEGIN
    IF position_limits_impl.table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT casino.plan_in_force(t.game, moment) INTO plan
      FROM casino.game_table t
     WHERE t.table_id = position_limits_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', position_limits_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    RETURN QUERY
        SELECT l.kind, nullif(k.selection, 'none'), b.phase, l.min, l.max, l.min_from, l.max_from, b.requires,
               b.declared_win
          FROM casino_internal.position_limits_of(position_limits_impl.table_id,
                                      casino_internal.table_version_at(position_limits_impl.table_id, moment),
                                                  plan) l
          JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = l.kind
          JOIN casino.bet_kinds() WITH ORDINALITY k (kind, selection, free, position) ON k.kind = l.kind
         ORDER BY k.position;
END
$fn$;
COMMENT ON FUNCTION casino_internal.position_limits_impl(bigint, timestamptz)
    IS 'Body of position_limits(), run as the owner of the ledger';

CREATE FUNCTION casino.offer(table_id bigint,
                             OUT kind text, OUT selection text, OUT phase text, OUT min numeric,
                             OUT max numeric, OUT declared_win numeric,
                             OUT round_id bigint, OUT round_ref text, OUT status text,
                             OUT opened_at timestamptz,
                             OUT betting_until timestamptz)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.offer(bigint)
    IS 'Bets on offer at a table now: limits in CZK as they are enforced in its round under way, or in the '
       'next one, and that round with its clock';

CREATE FUNCTION casino_internal.offer_impl(table_id bigint,
                                           OUT kind text, OUT selection text, OUT phase text, OUT min numeric,
                                           OUT max numeric,
                                           OUT declared_win numeric, OUT round_id bigint, OUT round_ref text,
                                           OUT status text,
                                           OUT opened_at timestamptz, OUT betting_until timestamptz)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    r casino.round;
    plan bigint;
    version integer;
BEGIN
    IF offer_impl.table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT casino.plan_in_force(t.game, clock_timestamp()),
           casino_internal.table_version_at(t.table_id, clock_timestamp())
      INTO plan, version
      FROM casino.game_table t
     WHERE t.table_id = offer_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', offer_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT o.* INTO r
      FROM casino.round o
     WHERE o.table_id = offer_impl.table_id AND o.status IN ('open', 'closed');
    -- a round keeps the versions that it was opened under (R1.2)
    IF FOUND THEN
        plan := r.plan_id;
        version := r.table_version;
    END IF;
    RETURN QUERY
        SELECT l.kind, nullif(k.selection, 'none'), b.phase, l.min, l.max, b.declared_win,
               r.round_id, r.round_ref,
               CASE WHEN r.betting_until <= clock_timestamp() THEN 'closed' ELSE r.status END,
               r.opened_at, r.betting_until
          FROM casino_internal.position_limits_of(offer_impl.table_id, version, plan) l
          JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = l.kind
          JOIN casino.bet_kinds() WITH ORDINALITY k (kind, selection, free, position) ON k.kind = l.kind
         ORDER BY k.position;
END
$fn$;
COMMENT ON FUNCTION casino_internal.offer_impl(bigint) IS 'Body of offer(), run as the owner of the ledger';

CREATE FUNCTION casino.offers(OUT table_id bigint, OUT table_name text, OUT game text, OUT live boolean,
                              OUT min numeric, OUT max numeric,
                              OUT seats integer, OUT surrender boolean, OUT behind boolean,
                              OUT round_id bigint, OUT round_ref text,
                              OUT status text, OUT opened_at timestamptz, OUT betting_until timestamptz,
                              OUT betting_closed_at timestamptz, OUT table_closed_at timestamptz)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 50;
COMMENT ON FUNCTION casino.offers()
    IS 'The lobby: every table with the limits in CZK of its principal bet, its switches, its round under '
       'way, and since when the table is closed';

CREATE FUNCTION casino_internal.offers_impl(OUT table_id bigint, OUT table_name text, OUT game text,
                                            OUT live boolean,
                                            OUT min numeric,
                                            OUT max numeric, OUT seats integer, OUT surrender boolean,
                                            OUT behind boolean, OUT round_id bigint,
                                            OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                                            OUT betting_until timestamptz,
                                            OUT betting_closed_at timestamptz,
                                            OUT table_closed_at timestamptz)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.table_id, t.name, t.game, g.live, v.min_stake, v.max_stake, v.seats, v.surrender, v.behind,
               r.round_id, r.round_ref,
               CASE WHEN r.betting_until <= clock_timestamp() THEN 'closed' ELSE r.status END,
               r.opened_at, r.betting_until, r.betting_closed_at,
               CASE WHEN NOT o.opened THEN o.happened_at END
          FROM casino.game_table t
          JOIN casino.game g ON g.game = t.game
          LEFT JOIN casino.round r ON r.table_id = t.table_id AND r.status IN ('open', 'closed')
          JOIN casino.table_version v
            ON v.table_id = t.table_id
           AND v.version
               = coalesce(r.table_version, casino_internal.table_version_at(t.table_id, clock_timestamp()))
          -- the last time that the table was closed or opened again (R8.28)
          LEFT JOIN LATERAL (SELECT x.opened, x.happened_at
                               FROM casino.table_operation x
                              WHERE x.table_id = t.table_id
                              ORDER BY x.operation_no DESC
                              LIMIT 1) o ON true
         ORDER BY t.table_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.offers_impl() IS 'Body of offers(), run as the owner of the ledger';

CREATE FUNCTION casino.round_result(round_id bigint,
                                    OUT player_id bigint, OUT wagers bigint, OUT staked numeric,
                                    OUT paid numeric, OUT balance numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.round_result(bigint)
    IS 'What a round has brought each of its players so far: wagers that stand, staked and paid in CZK with '
       'corrections, and the wallet as it is now';

CREATE FUNCTION casino_internal.round_result_impl(round_id bigint,
                                                  OUT player_id bigint, OUT wagers bigint, OUT staked numeric,
                                                  OUT paid numeric, OUT balance numeric)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    IF round_result_impl.round_id IS NULL THEN
        RAISE EXCEPTION 'round_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM FROM casino.round r WHERE r.round_id = round_result_impl.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_result_impl.round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    -- a stake that goes back without having been placed leaves nothing behind; any other entry of the round
    -- that is no stake was paid
    RETURN QUERY
        SELECT e.player_id, e.wagers, e.staked, e.paid, p.balance
          FROM (SELECT l.player_id,
                       count(*) FILTER (WHERE l.kind = 'stake') - count(*) FILTER (WHERE n.never) AS wagers,
                       coalesce(sum(l.amount) FILTER (WHERE l.kind = 'stake'), 0.00)
                           - coalesce(sum(l.amount) FILTER (WHERE n.never), 0.00) AS staked,
                       coalesce(sum(l.amount) FILTER (WHERE l.kind <> 'stake' AND NOT n.never), 0.00) AS paid
                  FROM casino.ledger l
                 CROSS JOIN LATERAL (SELECT l.kind = 'refund' AND casino_internal.never_placed(l.reason)
                                     AS never) n
                 WHERE l.round_id = round_result_impl.round_id AND l.kind <> 'adjustment'
                 GROUP BY l.player_id) e
          JOIN casino.player p ON p.player_id = e.player_id
         WHERE e.wagers > 0
         ORDER BY e.player_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.round_result_impl(bigint)
    IS 'Body of round_result(), run as the owner of the ledger';
