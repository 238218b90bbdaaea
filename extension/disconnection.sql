-- Disconnections: who lost the connection, and what was played without him (D4 §9.3, R7.13).

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

    PERFORM casino_internal.make_append_only('disconnection');
    PERFORM casino_internal.make_recorded('disconnection');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_disconnection() IS 'Part of casino.install(): disconnections';

CREATE FUNCTION casino_internal.install_disconnection_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- who has not staked again since then has decided nothing since then: what the cards show beyond "seen"
    -- was played by the rule
    CREATE VIEW casino.automatic_completion AS
        SELECT d.player_id, d.round_id, d.disconnected_at, b.returned_at, b.returned_at IS NULL AS automatic,
               (SELECT p.value
                  FROM casino.plan_rule p
                 WHERE p.plan_id = r.plan_id AND p.rule = 'no_action') AS no_action,
               (SELECT c.document
                  FROM casino.deal c
                 WHERE c.round_id = d.round_id AND c.dealt_at <= d.disconnected_at
                 ORDER BY c.deal_no DESC LIMIT 1) AS seen,
               r.evaluated_at
          FROM casino.disconnection d
          JOIN casino.round r ON r.round_id = d.round_id
         CROSS JOIN LATERAL (SELECT min(s.posted_at) AS returned_at FROM casino.ledger s
                              WHERE s.round_id = d.round_id AND s.kind = 'stake' AND s.player_id = d.player_id
                                AND s.posted_at > d.disconnected_at) b
         -- a disconnection that returned the stakes left no game to play to its end
         WHERE NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.round_id = d.round_id AND f.kind = 'refund' AND f.player_id = d.player_id
                              AND f.reason = 'disconnected'
                              AND f.posted_at = d.disconnected_at);
    COMMENT ON VIEW casino.automatic_completion
        IS 'Games that a disconnected player did not play to their end himself, for his history (D4 §9.3)';
    COMMENT ON COLUMN casino.automatic_completion.returned_at
        IS 'His next own wager of the round: he was back';
    COMMENT ON COLUMN casino.automatic_completion.automatic
        IS 'He did not come back: all decisions since the disconnection were made by the rule for players '
           'who do not act';
    COMMENT ON COLUMN casino.automatic_completion.no_action
        IS 'That rule of the plan the round is played under; NULL: the game asks for no decisions';
    COMMENT ON COLUMN casino.automatic_completion.seen
        IS 'Cards on the table when he was disconnected, as deal() was given them; NULL: none were reported';
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
