-- What a game server that was restarted reads back, and what a person watching the tables looks at.

CREATE FUNCTION casino.last_deal(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.round r WHERE r.round_id = last_deal.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN (SELECT d.document FROM casino.deal d WHERE d.round_id = last_deal.round_id ORDER BY d.deal_no DESC LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino.last_deal(bigint) IS 'What lies on the table: the last document that deal() was given, with the button of Texas Hold''em; NULL before the first';

CREATE FUNCTION casino.open_round(at timestamptz DEFAULT NULL, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.open_round(timestamptz) IS 'Rounds not evaluated at a time (default: now), as they were then: status, standing wagers, the last document of deal(); age is the time since they were opened';

-- A table has one unevaluated round, which is the one it opened last.
CREATE FUNCTION casino.open_round_as_owner(at timestamptz, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(open_round_as_owner.at, clock_timestamp());
BEGIN
    RETURN QUERY
        SELECT t.table_id, t.name, t.game, r.round_id, r.round_ref,
               CASE WHEN r.betting_closed_at <= moment THEN 'closed' ELSE 'open' END, r.opened_at,
               CASE WHEN r.betting_closed_at <= moment THEN r.betting_closed_at END,
               CASE WHEN r.actions_closed_at <= moment THEN r.actions_closed_at END,
               moment - r.opened_at, w.players, w.wagers, w.staked, d.document, d.dealt_at
          FROM casino.game_table t
         CROSS JOIN LATERAL (SELECT o.* FROM casino.round o WHERE o.table_id = t.table_id AND o.opened_at <= moment
                              ORDER BY o.opened_at DESC, o.round_id DESC LIMIT 1) r
         CROSS JOIN LATERAL (SELECT count(DISTINCT s.player_id) AS players, count(*) AS wagers, coalesce(sum(s.amount), 0.00) AS staked
                               FROM casino.ledger s
                              WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.posted_at <= moment
                                AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                                   AND f.posted_at <= moment)) w
          LEFT JOIN LATERAL (SELECT c.document, c.dealt_at FROM casino.deal c WHERE c.round_id = r.round_id AND c.dealt_at <= moment
                              ORDER BY c.deal_no DESC LIMIT 1) d ON true
         WHERE r.evaluated_at IS NULL OR r.evaluated_at > moment
         ORDER BY r.opened_at, r.round_id;
END
$fn$;
COMMENT ON FUNCTION casino.open_round_as_owner(timestamptz) IS 'Body of open_round(at), run as the owner of the ledger';
