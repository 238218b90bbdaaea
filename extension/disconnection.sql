-- Disconnections and returns: who lost the connection, the game that went on without the player, and from
-- when on the player decides again (D4 §9.3, R7.13, R11.75).

CREATE FUNCTION casino_internal.install_disconnection() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.disconnection (
        player_id       bigint NOT NULL,
        round_id        bigint NOT NULL,
        disconnected_at timestamptz NOT NULL,
        recorded_at     timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id, disconnected_at)
    );
    CREATE INDEX disconnection_round ON casino.disconnection (round_id);
    COMMENT ON INDEX casino.disconnection_round IS 'Finds the disconnections of a round';
    COMMENT ON TABLE casino.disconnection
        IS 'Append-only: players who were disconnected from a round while they had stakes there. Before its '
           'betting had closed the stakes went back at the same time (refund, reason disconnected)';
    COMMENT ON COLUMN casino.disconnection.player_id IS 'Player';
    COMMENT ON COLUMN casino.disconnection.round_id IS 'Round he takes part in';
    COMMENT ON COLUMN casino.disconnection.disconnected_at IS 'Time of the event';
    COMMENT ON COLUMN casino.disconnection.recorded_at IS 'When it was written';

    CREATE TABLE casino.reconnection (
        player_id      bigint NOT NULL,
        round_id       bigint NOT NULL,
        reconnected_at timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id, reconnected_at)
    );
    CREATE INDEX reconnection_round ON casino.reconnection (round_id);
    COMMENT ON INDEX casino.reconnection_round IS 'Finds the returns of a round';
    COMMENT ON TABLE casino.reconnection
        IS 'Append-only: players who came back to a round that they had been disconnected from, and decide '
           'again';
    COMMENT ON COLUMN casino.reconnection.player_id IS 'Player';
    COMMENT ON COLUMN casino.reconnection.round_id IS 'Round that the player takes part in';
    COMMENT ON COLUMN casino.reconnection.reconnected_at IS 'Time of the event';
    COMMENT ON COLUMN casino.reconnection.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('disconnection', 'reconnection');
    PERFORM casino_internal.make_recorded('disconnection');
    PERFORM casino_internal.make_recorded('reconnection');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_disconnection()
    IS 'Part of casino.install(): disconnections and returns';

CREATE FUNCTION casino_internal.install_disconnection_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- a player who neither came back nor staked again has decided nothing since then: the rule played the
    -- cards beyond "seen"
    CREATE VIEW casino.automatic_completion AS
        SELECT d.player_id, d.round_id, d.disconnected_at, b.returned_at, b.returned_at IS NULL AS automatic,
               (SELECT p.value
                  FROM casino.plan_rule p
                 WHERE p.plan_id = r.plan_id AND p.rule = 'no_action') AS no_action,
               (SELECT c.document
                  FROM casino.deal c
                 WHERE c.round_id = d.round_id AND c.dealt_at <= d.disconnected_at
                 ORDER BY c.deal_no DESC LIMIT 1) AS seen,
               r.evaluated_at,
               -- cards of the instant of the return may be the player's own decision
               (SELECT c.document
                  FROM casino.deal c
                 WHERE c.round_id = d.round_id AND c.dealt_at < b.returned_at
                 ORDER BY c.deal_no DESC LIMIT 1) AS seen_returned
          FROM casino.disconnection d
          JOIN casino.round r ON r.round_id = d.round_id
         -- LIMIT: min() would be planned twice in each book
         CROSS JOIN LATERAL (SELECT least((SELECT s.posted_at FROM casino.ledger s
                                            WHERE s.round_id = d.round_id AND s.kind = 'stake'
                                              AND s.player_id = d.player_id
                                              AND s.posted_at > d.disconnected_at
                                              AND casino_internal.in_books(s.book, s.player_id, s.entry_no,
                                                                           s.round_id, NULL)
                                            ORDER BY s.posted_at LIMIT 1),
                                          -- R11.75
                                          (SELECT min(c.reconnected_at) FROM casino.reconnection c
                                            WHERE c.round_id = d.round_id AND c.player_id = d.player_id
                                              AND c.reconnected_at > d.disconnected_at)) AS returned_at) b
         -- a disconnection that returned the stakes left no game to play to its end
         -- no EXISTS: in_books() could not stand there
         WHERE (SELECT f.entry_no FROM casino.ledger f
                 WHERE f.round_id = d.round_id AND f.kind = 'refund' AND f.player_id = d.player_id
                   AND f.reason = 'disconnected'
                   AND f.posted_at = d.disconnected_at
                   AND casino_internal.in_books(f.book, f.player_id, f.entry_no, f.round_id, NULL)
                 LIMIT 1) IS NULL;
    COMMENT ON VIEW casino.automatic_completion
        IS 'Games that a disconnected player did not play to their end himself, for his history (D4 §9.3)';
    COMMENT ON COLUMN casino.automatic_completion.returned_at
        IS 'When the player was back: by reconnect(), or by the next own wager of the round';
    COMMENT ON COLUMN casino.automatic_completion.automatic
        IS 'He did not come back: all decisions since the disconnection were made by the rule for players '
           'who do not act';
    COMMENT ON COLUMN casino.automatic_completion.no_action
        IS 'That rule of the plan the round is played under; NULL: the game asks for no decisions';
    COMMENT ON COLUMN casino.automatic_completion.seen
        IS 'Cards on the table when he was disconnected, as deal() was given them; NULL: none were reported';
    COMMENT ON COLUMN casino.automatic_completion.seen_returned
        IS 'Cards on the table before the player was back: those beyond "seen" were played by the rule; '
           'NULL: none were reported, or the player was not back';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_disconnection_views()
    IS 'Part of casino.install(): games completed automatically';

CREATE FUNCTION casino.disconnect(round_id bigint, player_id bigint, at timestamptz DEFAULT NULL)
RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_disconnect' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.disconnect(bigint, bigint, timestamptz)
    IS 'Returns a player''s stakes while betting is open; afterwards they stay and casino.disconnection '
       'records it (D4 §9.3 and the games'' paragraphs on disconnection). Gives the refunds'' entry '
       'numbers';

CREATE FUNCTION casino.reconnect(round_id bigint, player_id bigint, at timestamptz DEFAULT NULL)
RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.reconnect(bigint, bigint, timestamptz)
    IS 'Ends the absence that disconnect() recorded: from then on the player decides again (R11.75). Returns '
       'when the player was back; NULL: the player was not away. Until the decisions of the round end';

-- Locks as disconnect() takes them: round, player.  The statements after a lock see all that was committed
-- under it, because the transaction is READ COMMITTED.
CREATE FUNCTION casino_internal.reconnect_impl(round_id bigint, player_id bigint, at timestamptz)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.round;
    away casino.automatic_completion;
    back timestamptz;
BEGIN
    IF round_id IS NULL OR player_id IS NULL THEN
        RAISE EXCEPTION 'round_id and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.require_read_committed(
        'reconnect', 'An older snapshot does not show whether the player was away.');
    PERFORM casino_internal.await_round(round_id);
    SELECT x.* INTO r FROM casino.round x WHERE x.round_id = reconnect_impl.round_id FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    PERFORM casino_internal.lock_player(player_id);
    -- R11.76: a retry has the answer of the first call, also when the round is over or the player gone again
    SELECT a.* INTO away FROM casino.automatic_completion a
     WHERE a.round_id = reconnect_impl.round_id AND a.player_id = reconnect_impl.player_id
     ORDER BY a.disconnected_at DESC LIMIT 1;
    IF EXISTS (SELECT FROM casino.reconnection c
                WHERE c.round_id = reconnect_impl.round_id AND c.player_id = reconnect_impl.player_id
                  AND c.reconnected_at = at) THEN
        RETURN at;
    END IF;
    IF away.returned_at IS NOT NULL THEN
        RETURN away.returned_at;
    END IF;
    -- R11.77
    IF r.status NOT IN ('open', 'closed') THEN
        RAISE EXCEPTION 'round % is %', round_id, r.status
            USING ERRCODE = 'KR002', CONSTRAINT = 'round_state',
                  DATATYPE = jsonb_build_object('round_id', round_id, 'status', r.status)::text,
                  DETAIL = 'A player comes back before the evaluation.';
    END IF;
    IF r.actions_closed_at IS NOT NULL THEN
        RAISE EXCEPTION 'the decisions of round % are over', round_id
            USING ERRCODE = 'KR002', CONSTRAINT = 'actions_over',
                  DATATYPE = jsonb_build_object('round_id', round_id, 'ended_at', r.actions_closed_at)::text,
                  DETAIL = format('They ended at %s.', r.actions_closed_at);
    END IF;
    IF away.disconnected_at IS NULL THEN
        RETURN NULL;
    END IF;
    -- cards that were shown before are not the player's own
    back := casino_internal.event_time(
        at, interval '1 microsecond'
            + greatest(away.disconnected_at,
                       (SELECT max(c.dealt_at) FROM casino.deal c
                         WHERE c.round_id = reconnect_impl.round_id)));
    IF back <= away.disconnected_at THEN
        RAISE EXCEPTION 'time % is before player % was disconnected', back, player_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', back, 'not_before', away.disconnected_at)::text,
                  DETAIL = format('That was at %s.', away.disconnected_at);
    END IF;
    INSERT INTO casino.reconnection (player_id, round_id, reconnected_at, recorded_at)
    VALUES (reconnect_impl.player_id, reconnect_impl.round_id, back, clock_timestamp());
    RETURN back;
END
$fn$;
COMMENT ON FUNCTION casino_internal.reconnect_impl(bigint, bigint, timestamptz)
    IS 'Body of reconnect(), run as the owner of the ledger';
