-- Nightly check of bets behind: each follows a double or split of the owner of the box, or a refusal says why
-- not (D4 Blackjack §15, R3.75, R3.78). Read from the books alone.

-- D4 Blackjack §15: only too little money frees; besides, nobody stakes beyond a limit or an exclusion
-- (R11.61).
CREATE FUNCTION casino_internal.stayed_out(player_id bigint, code text, reason text, bets casino.bet[],
                                           refused_at timestamptz, recorded_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    needed numeric;
    wallet numeric;
BEGIN
    CASE code
        WHEN 'KL002' THEN
            SELECT sum(casino.cost(b)) INTO needed FROM unnest(bets) b;
            SELECT l.balance INTO wallet FROM casino.ledger l
             WHERE l.player_id = stayed_out.player_id AND l.recorded_at <= stayed_out.recorded_at
             ORDER BY l.entry_no DESC LIMIT 1;
            RETURN CASE WHEN wallet >= needed THEN format('%s in the wallet', wallet) END;
        WHEN 'KC004' THEN
            RETURN CASE WHEN NOT EXISTS (SELECT FROM casino.exclusion_period e
                                          WHERE e.player_id = stayed_out.player_id
                                            AND e.recorded_at <= stayed_out.recorded_at
                                            AND e.excluded_until > stayed_out.refused_at)
                        THEN 'no exclusion' END;
        WHEN 'KC005' THEN
            RETURN CASE WHEN NOT EXISTS (SELECT FROM casino.player_limit m
                                          WHERE m.player_id = stayed_out.player_id
                                            AND m.recorded_at <= stayed_out.recorded_at)
                        THEN 'no limit' END;
        WHEN 'KB003' THEN
            RETURN NULL;
        ELSE
            RETURN format('%s %s', code, reason);
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino_internal.stayed_out(bigint, text, text, casino.bet[], timestamptz, timestamptz)
    IS 'Part of the check follow: why a refusal "follow" frees nobody; NULL: it is a reason to stay out';

CREATE FUNCTION casino_internal.check_follow(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        -- rounds at tables that offer bets behind, and their stakes that stand
        WITH stake AS MATERIALIZED (
            SELECT l.round_id, l.seat, l.player_id, l.entry_no, casino.kind(l.bet) AS kind,
                   greatest(coalesce(l.hand, 1), 1) AS hand, casino.stake(l.bet) AS staked, l.posted_at
              FROM casino_internal.rounds_of(since, until) d (round_id)
             CROSS JOIN LATERAL (SELECT x.* FROM casino.round x WHERE x.round_id = d.round_id OFFSET 0) r
              JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                                  WHERE x.round_id = r.round_id AND x.kind = 'stake' OFFSET 0) l
             WHERE v.behind
               AND NOT EXISTS (SELECT FROM casino.ledger f
                                WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                                  AND f.kind = 'refund' AND casino_internal.never_placed(f.reason))),
        behind AS (
            SELECT s.round_id, s.seat, s.player_id, sum(s.staked) AS staked, min(s.entry_no) AS entry_no
              FROM stake s
             WHERE s.kind = 'behind'
             GROUP BY s.round_id, s.seat, s.player_id),
        -- the owner has a main bet on the box
        raised AS (
            SELECT s.round_id, s.seat, s.kind, s.hand, max(s.posted_at) AS posted_at
              FROM stake s
              JOIN stake m ON m.round_id = s.round_id AND m.seat = s.seat AND m.player_id = s.player_id
                          AND m.kind = 'main'
             WHERE s.kind IN ('double_down', 'split_pair')
             GROUP BY s.round_id, s.seat, s.kind, s.hand),
        copied AS (
            SELECT s.round_id, s.seat, s.player_id, s.kind, s.hand, sum(s.staked) AS staked,
                   min(s.entry_no) AS entry_no
              FROM stake s
              JOIN behind b ON b.round_id = s.round_id AND b.seat = s.seat AND b.player_id = s.player_id
             WHERE s.kind IN ('double_down', 'split_pair')
             GROUP BY s.round_id, s.seat, s.player_id, s.kind, s.hand)
        SELECT 'not_followed', o.player_id, o.round_id, o.entry_no,
               format('%s of %s with the owner, or the reason why not', o.kind, o.staked),
               coalesce(n.why_not, 'none'),
               jsonb_build_object('seat', o.seat, 'hand', o.hand)
          FROM (SELECT b.player_id, b.round_id, b.seat, b.staked, b.entry_no, r.kind, r.hand, r.posted_at
                  FROM behind b
                  JOIN raised r ON r.round_id = b.round_id AND r.seat = b.seat
                 WHERE NOT EXISTS (SELECT FROM copied c
                                    WHERE (c.round_id, c.seat, c.player_id, c.kind, c.hand)
                                          = (b.round_id, b.seat, b.player_id, r.kind, r.hand))
                   -- a hand that the player has: a bet behind without the split stays with one hand
                   AND (r.hand = 1 OR r.kind = 'split_pair' AND r.hand = 2
                        OR EXISTS (SELECT FROM copied c
                                    WHERE (c.round_id, c.seat, c.player_id, c.kind, c.hand)
                                          = (b.round_id, b.seat, b.player_id, 'split_pair',
                                             CASE r.kind WHEN 'split_pair' THEN r.hand - 1 ELSE r.hand END)))
                OFFSET 0) o
          -- the refusal of this stake of the owner, not of one that went back before
          LEFT JOIN LATERAL (SELECT true AS kept,
                                    casino_internal.stayed_out(f.player_id, f.code, f.reason, f.bets,
                                                               f.refused_at,
                                                               f.recorded_at) AS why_not
                               FROM casino.refusal f
                              WHERE f.player_id = o.player_id AND f.action = 'follow'
                                AND f.round_id = o.round_id AND f.seat = o.seat
                                AND greatest(coalesce(f.hand, 1), 1) = o.hand
                                AND f.refused_at >= o.posted_at
                                AND o.kind IN (SELECT casino.kind(x) FROM unnest(f.bets) x)
                              ORDER BY f.refusal_no DESC
                              LIMIT 1) n ON true
         WHERE n.kept IS NULL OR n.why_not IS NOT NULL
        UNION ALL
        SELECT 'other_amount', c.player_id, c.round_id, c.entry_no, b.staked::text, c.staked::text,
               jsonb_build_object('seat', c.seat, 'hand', c.hand)
          FROM copied c
          JOIN behind b ON b.round_id = c.round_id AND b.seat = c.seat AND b.player_id = c.player_id
         WHERE c.staked <> b.staked
        UNION ALL
        SELECT 'followed_nobody', c.player_id, c.round_id, c.entry_no, 'a ' || c.kind || ' of the owner',
               'none',
               jsonb_build_object('seat', c.seat, 'hand', c.hand)
          FROM copied c
         WHERE NOT EXISTS (SELECT FROM raised r
                            WHERE (r.round_id, r.seat, r.kind, r.hand)
                                  = (c.round_id, c.seat, c.kind, c.hand));
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_follow(date, date)
    IS 'Part of the reconciliation, check follow: a bet behind that did not follow the owner of the box '
       'without a reason, followed with another amount, or raised without the owner';
