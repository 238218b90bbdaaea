-- Table stakes: what a player has brought to a table of a game between players (D2 Texas Holdem).

CREATE FUNCTION casino_internal.install_stacks() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.table_stack (
        round_id    bigint NOT NULL,
        player_id   bigint NOT NULL,
        seat        integer NOT NULL CHECK (seat > 0),
        amount      numeric NOT NULL CHECK (amount > 0),
        brought_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id)
    );
    CREATE INDEX table_stack_round ON casino.table_stack (round_id, seat);
    COMMENT ON INDEX casino.table_stack_round IS 'Finds the stacks of a hand';
    COMMENT ON TABLE casino.table_stack
        IS 'Append-only: chips that a player brought to the table before a hand (D2 Texas Holdem). Without a '
           'row the first stake says it: all that the wallet had then';
    COMMENT ON COLUMN casino.table_stack.round_id IS 'Round (hand)';
    COMMENT ON COLUMN casino.table_stack.player_id IS 'Player';
    COMMENT ON COLUMN casino.table_stack.seat IS 'Seat';
    COMMENT ON COLUMN casino.table_stack.amount IS 'CZK that the player may stake in the hand, at most';
    COMMENT ON COLUMN casino.table_stack.brought_at IS 'When the chips came';
    COMMENT ON COLUMN casino.table_stack.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('table_stack');
    PERFORM casino_internal.make_recorded('table_stack');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_stacks() IS 'Part of casino.install(): chips brought to a table';

CREATE FUNCTION casino.bring_to_table(round_id bigint, player_id bigint, amount numeric, seat integer,
                                      at timestamptz DEFAULT NULL)
RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.bring_to_table(bigint, bigint, numeric, integer, timestamptz)
    IS 'Brings chips to a table of a game between players before the first stake of a hand: the player '
       'stakes no more in that hand. Without it the first stake says it: all that the wallet has. The same '
       'again changes nothing';

-- Locks as a stake takes them: round, box, player (R6.31).  The statements after a lock see all that was
-- committed under it, because the transaction is READ COMMITTED.
CREATE FUNCTION casino_internal.bring_to_table_impl(round_id bigint, player_id bigint, amount numeric,
                                                    seat integer,
                                                    at timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r record;
    wallet numeric;
    other bigint;
    before casino.table_stack;
    brought timestamptz;
BEGIN
    IF round_id IS NULL OR player_id IS NULL OR amount IS NULL OR seat IS NULL THEN
        RAISE EXCEPTION 'round_id, player_id, amount and seat must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    amount := casino.checked_amount(amount);
    IF amount = 0 THEN
        RAISE EXCEPTION 'no chips are brought to a table' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.require_read_committed(
        'bring_to_table', 'An older snapshot does not show who has taken the seat meanwhile.');
    PERFORM casino_internal.await_round(round_id);
    PERFORM casino_internal.lock_box(round_id, seat);
    SELECT x.status, x.opened_at, x.betting_until, t.name, t.home_cell, v.seats, f.between_players INTO r
      FROM casino.round x
      JOIN casino.game_table t ON t.table_id = x.table_id
      JOIN casino.table_version v ON v.table_id = x.table_id AND v.version = x.table_version
      JOIN casino.game g ON g.game = t.game
      JOIN casino.families() f ON f.family = g.family
     WHERE x.round_id = bring_to_table_impl.round_id FOR SHARE OF x;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    IF NOT r.between_players OR seat NOT BETWEEN 1 AND coalesce(r.seats, 10) THEN
        RAISE EXCEPTION 'table "%" has no seat % to bring chips to', r.name, seat
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = CASE WHEN r.between_players THEN format('It has seats 1 to %s.', r.seats)
                                ELSE 'Its players are paid by the house, not from each other''s stakes.' END;
    END IF;
    SELECT p.balance INTO wallet FROM casino.player p
     WHERE p.player_id = bring_to_table_impl.player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', player_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.register_player() makes one.';
    END IF;
    SELECT s.* INTO before FROM casino.table_stack s
     WHERE s.round_id = bring_to_table_impl.round_id AND s.player_id = bring_to_table_impl.player_id;
    IF FOUND THEN
        IF before.amount = amount AND before.seat = seat THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'player % has brought chips to round %', player_id, round_id
            USING ERRCODE = 'KB005', CONSTRAINT = 'stack_brought',
                  DATATYPE = jsonb_build_object('seat', before.seat, 'stack', before.amount)::text,
                  DETAIL = format('They are %s CZK on seat %s.', before.amount, before.seat);
    END IF;
    IF EXISTS (SELECT FROM casino.cell c WHERE c.cell <> r.home_cell) THEN
        RAISE EXCEPTION 'table "%" is not played in this cell', r.name
            USING ERRCODE = 'KB004', CONSTRAINT = 'other_cell',
                  DATATYPE = jsonb_build_object('table', r.name, 'cell', r.home_cell)::text,
                  DETAIL = format('It has seats: the players of cell %s take part.', r.home_cell);
    END IF;
    SELECT s.player_id INTO other
      FROM casino.table_stack s
     WHERE s.round_id = bring_to_table_impl.round_id AND s.seat = bring_to_table_impl.seat;
    IF NOT FOUND THEN
        SELECT s.player_id INTO other
          FROM casino.ledger s
         WHERE s.round_id = bring_to_table_impl.round_id AND s.kind = 'stake'
           AND (s.seat = bring_to_table_impl.seat OR s.player_id = bring_to_table_impl.player_id)
           AND NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)
         ORDER BY s.player_id = bring_to_table_impl.player_id LIMIT 1;
    END IF;
    IF other <> player_id THEN
        RAISE EXCEPTION 'seat % is taken', seat
            USING ERRCODE = 'KB005', CONSTRAINT = 'seat_taken',
                  DATATYPE = jsonb_build_object('seat', seat)::text,
                  DETAIL = format('Player %s plays on it.', other);
    END IF;
    IF other = player_id OR r.status <> 'open' OR clock_timestamp() >= r.betting_until THEN
        RAISE EXCEPTION 'chips come to the table before the hand'
            USING ERRCODE = 'KB005', CONSTRAINT = 'hand_begun',
                  DATATYPE = jsonb_build_object('round_id', round_id)::text,
                  DETAIL = CASE WHEN r.status = 'open' THEN format('Player %s has a stake in it.', player_id)
                                ELSE format('Round %s is %s.', round_id, r.status) END;
    END IF;
    brought := casino_internal.event_time(at, r.opened_at);
    IF brought < r.opened_at THEN
        RAISE EXCEPTION 'time % is before round % was opened', brought, round_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', brought, 'not_before', r.opened_at)::text,
                  DETAIL = format('It was opened at %s.', r.opened_at);
    END IF;
    IF wallet < amount THEN
        RAISE EXCEPTION 'player % does not have % CZK', player_id, amount
            USING ERRCODE = 'KL002', CONSTRAINT = 'insufficient_funds',
                  DATATYPE = jsonb_build_object('balance', wallet, 'needed', amount,
                                                'missing', amount - wallet)::text,
                  DETAIL = format('In the wallet are %s CZK.', wallet);
    END IF;
    INSERT INTO casino.table_stack (round_id, player_id, seat, amount, brought_at, recorded_at)
    VALUES (bring_to_table_impl.round_id, bring_to_table_impl.player_id, bring_to_table_impl.seat,
            bring_to_table_impl.amount, brought, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino_internal.bring_to_table_impl(bigint, bigint, numeric, integer, timestamptz)
    IS 'Body of bring_to_table(), run as the owner of the ledger';

-- What each player had to stake in a hand: brought before, or all that the wallet had before the first stake
-- that stands. Read from the books alone.
CREATE FUNCTION casino_internal.stacks_of(round_id bigint, OUT player_id bigint, OUT seat integer,
                                          OUT stack numeric,
                                          OUT staked numeric, OUT entry_no bigint, OUT brought boolean,
                                          OUT seated_at integer)
RETURNS SETOF record
LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, s.seat, coalesce(t.amount, s.had), s.staked, s.entry_no, t.player_id IS NOT NULL,
           t.seat
      FROM (SELECT l.player_id, min(l.seat) AS seat, sum(l.amount) AS staked, max(l.entry_no) AS entry_no,
                   (array_agg(l.balance + l.amount ORDER BY l.entry_no))[1] AS had
              FROM casino.ledger l
             WHERE l.round_id = $1 AND l.kind = 'stake'
               AND NOT EXISTS (SELECT FROM casino.ledger f
                                WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                                  AND f.kind = 'refund' AND casino_internal.never_placed(f.reason))
             GROUP BY l.player_id) s
      LEFT JOIN casino.table_stack t ON t.round_id = $1 AND t.player_id = s.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.stacks_of(bigint)
    IS 'Part of the reconciliation and of game_recall(): stack and stakes of each player of a hand';
