-- Nightly check of bets behind: each follows a double or split of the owner of the box, or a refusal says why
-- not (D4 Blackjack §15, R3.75, R3.78). Read from the books alone.

CREATE FUNCTION casino.check_follow(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        -- rounds at tables that offer bets behind, and their stakes that stand
        WITH stake AS MATERIALIZED (
            SELECT l.round_id, l.seat, l.player_id, l.entry_no, casino.kind(l.bet) AS kind,
                   greatest(coalesce(l.hand, 1), 1) AS hand, casino.stake(l.bet) AS staked
              FROM casino.rounds_of(since, until) d (round_id)
             CROSS JOIN LATERAL (SELECT x.* FROM casino.round x WHERE x.round_id = d.round_id OFFSET 0) r
              JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                                  WHERE x.round_id = r.round_id AND x.kind = 'stake' OFFSET 0) l
             WHERE v.behind
               AND NOT EXISTS (SELECT FROM casino.ledger f
                                WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                                  AND f.kind = 'refund' AND casino.never_placed(f.reason))),
        behind AS (
            SELECT s.round_id, s.seat, s.player_id, sum(s.staked) AS staked, min(s.entry_no) AS entry_no
              FROM stake s
             WHERE s.kind = 'behind'
             GROUP BY s.round_id, s.seat, s.player_id),
        -- the owner has a main bet on the box
        raised AS (
            SELECT DISTINCT s.round_id, s.seat, s.kind, s.hand
              FROM stake s
              JOIN stake m ON m.round_id = s.round_id AND m.seat = s.seat AND m.player_id = s.player_id
                          AND m.kind = 'main'
             WHERE s.kind IN ('double_down', 'split_pair')),
        copied AS (
            SELECT s.round_id, s.seat, s.player_id, s.kind, s.hand, sum(s.staked) AS staked,
                   min(s.entry_no) AS entry_no
              FROM stake s
              JOIN behind b ON b.round_id = s.round_id AND b.seat = s.seat AND b.player_id = s.player_id
             WHERE s.kind IN ('double_down', 'split_pair')
             GROUP BY s.round_id, s.seat, s.player_id, s.kind, s.hand)
        SELECT 'not_followed', b.player_id, b.round_id, b.entry_no,
               format('%s of %s with the owner, or the reason why not', r.kind, b.staked), 'none',
               jsonb_build_object('seat', b.seat, 'hand', r.hand)
          FROM behind b
          JOIN raised r ON r.round_id = b.round_id AND r.seat = b.seat
         WHERE NOT EXISTS (SELECT FROM copied c
                            WHERE (c.round_id, c.seat, c.player_id, c.kind, c.hand)
                                  = (b.round_id, b.seat, b.player_id, r.kind, r.hand))
           AND NOT EXISTS (SELECT FROM casino.refusal n
                            WHERE n.player_id = b.player_id AND n.action = 'follow'
                              AND n.round_id = b.round_id AND n.seat = b.seat
                              AND greatest(coalesce(n.hand, 1), 1) = r.hand
                              AND r.kind IN (SELECT casino.kind(x) FROM unnest(n.bets) x))
           -- a hand that the player has: a bet behind without the split stays with one hand
           AND (r.kind = 'split_pair' OR r.hand = 1
                OR EXISTS (SELECT FROM copied c
                            WHERE (c.round_id, c.seat, c.player_id, c.kind, c.hand)
                                  = (b.round_id, b.seat, b.player_id, 'split_pair', r.hand)))
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
COMMENT ON FUNCTION casino.check_follow(date, date)
    IS 'Part of the reconciliation, check follow: a bet behind that did not follow the owner of the box '
       'without a reason, followed with another amount, or raised without the owner';
