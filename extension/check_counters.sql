-- Check state of the reconciliation: the counters of limits.  A player's own entries give them, counted anew
-- by limit_usage_since(), one player after the other.  That is dear.  So the entries of all players are added
-- up at once first.  A player whose counters these sums do not give is counted alone (R10.35).

-- Whose counters plain sums give as they stand.  A player with anything else than plain stakes, payouts and
-- refunds in the month is not named here: with former accounts, play elsewhere, corrections, winnings
-- withheld, stakes of rounds that were under way when the month or its open days began, free wagers.
CREATE FUNCTION casino_internal.counters_agree(asked bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp
-- The planner does not know how many rows the common tables below have: they are hashed.  LATERAL with
-- OFFSET 0 probes an index.
SET enable_nestloop = off SET enable_mergejoin = off AS $fn$
    WITH month AS MATERIALIZED (
        SELECT n.month, n.kept_at, f.kept_until, casino.day_start(f.kept_until) AS began,
               f.kept_until < n.next AS reads, casino.day_start(n.next) AS ends
          FROM (SELECT x.month, x.kept_until, (x.month + interval '1 month')::date AS next,
                       (SELECT min(d.kept_at) FROM casino.kept_day d
                         WHERE d.day >= x.month AND d.day < x.kept_until) AS kept_at
                  FROM (SELECT z.month, casino_internal.month_kept_until(z.month) AS kept_until
                          FROM (SELECT DISTINCT s.month FROM casino.limit_state s
                                 WHERE s.player_id = ANY (asked)) z) x) n
         CROSS JOIN LATERAL (SELECT CASE WHEN n.kept_at IS NULL THEN n.month
                                         ELSE n.kept_until END AS kept_until) f),
    day AS MATERIALIZED (
        SELECT x.day, casino.day_start(x.day) AS begins, casino.day_start(x.day + 1) AS ends
          FROM (SELECT DISTINCT s.day FROM casino.limit_state s WHERE s.player_id = ANY (asked)) x),
    limited AS MATERIALIZED (
        SELECT k.player_id, min(k.recorded_at) AS since
          FROM casino.player_limit k
         WHERE k.player_id = ANY (asked)
         GROUP BY k.player_id),
    kept AS MATERIALIZED (
        SELECT s.player_id, sum(k.staked) AS staked, sum(k.lost) AS lost,
               sum(k.staked) FILTER (WHERE k.day = s.day) AS staked_day,
               sum(k.lost) FILTER (WHERE k.day = s.day) AS lost_day
          FROM month m
          JOIN casino.limit_state s ON s.month = m.month AND s.player_id = ANY (asked)
          JOIN casino.kept_player k
            ON k.player_id = s.player_id AND k.day >= m.month AND k.day < m.kept_until
         GROUP BY s.player_id),
    span AS MATERIALIZED (
        SELECT s.player_id, s.staked_day, s.staked_month, s.lost_day, s.lost_month, s.open_staked, s.day,
               d.begins, d.ends, m.began, m.ends AS month_ends,
               coalesce(k.staked, 0) AS kept_staked, coalesce(k.lost, 0) AS kept_lost,
               coalesce(k.staked_day, 0) AS kept_staked_day, coalesce(k.lost_day, 0) AS kept_lost_day,
               CASE WHEN m.reads THEN coalesce(b.entry_no, 0) ELSE 9223372036854775807 END AS before
          FROM casino.limit_state s
          JOIN month m ON m.month = s.month
          JOIN day d ON d.day = s.day
          JOIN casino.player p ON p.player_id = s.player_id
          JOIN limited l ON l.player_id = s.player_id
          LEFT JOIN kept k ON k.player_id = s.player_id
         -- entries of a player come in the order of their times
          LEFT JOIN LATERAL (SELECT x.entry_no FROM casino.carried_entry x
                              WHERE m.reads AND x.player_id = s.player_id AND x.posted_at < m.began
                              ORDER BY x.entry_no DESC
                              LIMIT 1) b ON true
         WHERE s.player_id = ANY (asked)
           -- who had no limits when the days were added up has no sums of them
           AND coalesce(l.since < m.kept_at, true)
           AND NOT EXISTS (SELECT FROM casino.player f
                            WHERE f.external_ref = p.external_ref AND f.player_id < p.player_id)
           AND NOT EXISTS (SELECT FROM casino.other_play o WHERE o.player_id = s.player_id)),
    entry AS MATERIALIZED (
        SELECT l.*
          FROM span a
         CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.kind, x.amount, x.round_id, x.posted_at,
                                    x.stake_entry_no, x.correction_no, x.reason
                               FROM casino.ledger x
                              WHERE x.player_id = a.player_id AND x.entry_no > a.before
                             UNION ALL
                             -- ends that are numbered before their stake
                             SELECT x.player_id, x.entry_no, x.kind, x.amount, x.round_id, x.posted_at,
                                    x.stake_entry_no, x.correction_no, x.reason
                               FROM casino.ledger x
                              WHERE x.player_id = a.player_id AND x.stake_entry_no > a.before
                                AND x.entry_no <= a.before
                             OFFSET 0) l),
    -- a stake with its end, put together by its number
    ended AS MATERIALIZED (
        SELECT e.player_id, count(*) FILTER (WHERE e.kind = 'stake') AS stakes,
               count(*) FILTER (WHERE e.kind <> 'stake') AS ends,
               max(e.round_id) AS round_id, min(e.round_id) AS other_round_id,
               sum(e.amount) FILTER (WHERE e.kind = 'stake') AS amount,
               max(e.posted_at) FILTER (WHERE e.kind = 'stake') AS posted_at,
               max(e.kind) FILTER (WHERE e.kind <> 'stake') AS kind,
               max(e.reason) FILTER (WHERE e.kind <> 'stake') AS reason,
               coalesce(sum(e.amount) FILTER (WHERE e.kind <> 'stake'), 0) AS end_amount
          FROM entry e
         WHERE e.kind = 'stake' OR e.stake_entry_no IS NOT NULL
         GROUP BY e.player_id, CASE WHEN e.kind = 'stake' THEN e.entry_no ELSE e.stake_entry_no END),
    round AS MATERIALIZED (
        SELECT r.*,
               EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id) AS corrected,
               r.status = 'withheld'
                   OR EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = r.round_id) AS withheld
          FROM (SELECT DISTINCT w.round_id FROM ended w) x
         CROSS JOIN LATERAL (SELECT o.round_id, o.status, o.betting_closed_at, o.evaluated_at
                               FROM casino.round o WHERE o.round_id = x.round_id OFFSET 0) r),
    wager AS MATERIALIZED (
        SELECT w.player_id, w.amount, w.posted_at, r.evaluated_at, r.status, w.kind AS ended, w.end_amount,
               w.kind IS DISTINCT FROM 'refund'
                   OR r.betting_closed_at IS NOT NULL AND NOT casino_internal.never_placed(w.reason)
                       AS placed,
               coalesce(w.stakes = 1 AND w.ends <= 1 AND w.amount > 0
                        AND w.round_id = w.other_round_id
                        AND NOT r.corrected
                        -- winnings withheld are evaluated
                        AND (w.kind IS NOT NULL OR NOT r.withheld)
                        AND (r.status IN ('open', 'closed', 'settled', 'withheld')
                             OR r.status = 'voided' AND w.kind = 'refund')
                        AND (w.kind IS NULL OR w.kind IN ('payout', 'refund')), false) AS plain
          FROM ended w
          LEFT JOIN round r ON r.round_id = w.round_id),
    added AS MATERIALIZED (
        SELECT a.player_id, bool_and(w.plain) AS plain,
               sum(w.amount) FILTER (WHERE w.placed AND w.posted_at >= a.began) AS staked_month,
               sum(w.amount) FILTER (WHERE w.placed AND w.posted_at >= a.began
                                       AND w.posted_at >= a.begins AND w.posted_at < a.ends) AS staked_day,
               sum(w.amount - w.end_amount) FILTER (WHERE w.ended IS DISTINCT FROM 'refund'
                                                      AND w.evaluated_at >= a.began) AS lost_month,
               sum(w.amount - w.end_amount) FILTER (WHERE w.ended IS DISTINCT FROM 'refund'
                                                      AND w.evaluated_at >= a.began
                                                      AND w.evaluated_at >= a.begins
                                                      AND w.evaluated_at < a.ends) AS lost_day,
               sum(w.amount) FILTER (WHERE w.ended IS DISTINCT FROM 'refund'
                                       AND w.status IN ('open', 'closed')) AS open_staked,
               -- beyond the month: the counters are of an earlier one
               bool_or(w.posted_at >= a.month_ends OR w.evaluated_at >= a.month_ends) AS beyond
          FROM span a
          JOIN wager w ON w.player_id = a.player_id
         GROUP BY a.player_id),
    corrected AS MATERIALIZED (
        SELECT e.player_id FROM entry e WHERE e.kind IN ('correction', 'adjustment')),
    -- stakes from before it whose rounds were under way then, or are now
    under_way AS MATERIALIZED (
        SELECT a.player_id
          FROM (SELECT x.round_id FROM casino.round x
                 WHERE casino.prague_day(x.opened_at) < casino.prague_day(x.evaluated_at)
                   AND x.evaluated_at >= (SELECT min(m.began) FROM month m)
                   AND x.opened_at < (SELECT max(m.began) FROM month m)
                UNION
                SELECT x.round_id FROM casino.round x WHERE x.status IN ('open', 'closed')) u
         CROSS JOIN LATERAL (SELECT l.player_id, l.entry_no FROM casino.ledger l
                              WHERE l.round_id = u.round_id AND l.kind = 'stake' OFFSET 0) s
          JOIN span a ON a.player_id = s.player_id AND s.entry_no <= a.before)
    SELECT a.player_id
      FROM span a
      LEFT JOIN added w ON w.player_id = a.player_id
     WHERE coalesce(w.plain, true) AND NOT coalesce(w.beyond, false)
       AND a.staked_day = a.kept_staked_day + coalesce(w.staked_day, 0)
       AND a.staked_month = a.kept_staked + coalesce(w.staked_month, 0)
       AND a.lost_day = a.kept_lost_day + coalesce(w.lost_day, 0)
       AND a.lost_month = a.kept_lost + coalesce(w.lost_month, 0)
       AND a.open_staked = coalesce(w.open_staked, 0)
       AND a.player_id NOT IN (SELECT x.player_id FROM corrected x)
       AND a.player_id NOT IN (SELECT x.player_id FROM under_way x)
$fn$;
COMMENT ON FUNCTION casino_internal.counters_agree(bigint[])
    IS 'Part of the reconciliation, check state: players whose counters of limits plain sums of their '
       'entries give as they stand';

CREATE FUNCTION casino_internal.check_counters(since timestamptz, until timestamptz)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    from_day CONSTANT date := casino.prague_day(since);
    to_day CONSTANT date := casino.prague_day(until) - 1;
    -- whose counters: of the players who played on these days, or whose counters are of one of them
    asked CONSTANT bigint[] :=
        ARRAY(SELECT s.player_id
                FROM casino.limit_state s
                JOIN casino.player p ON p.player_id = s.player_id
               WHERE (s.day BETWEEN from_day AND to_day
                      OR s.player_id IN (SELECT l.player_id FROM casino.ledger l
                                          WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since,
                                                                        until)
                                            AND l.kind IN ('stake', 'payout', 'refund')))
                 -- counters that passed from a former account are of other entries
                 AND NOT EXISTS (SELECT FROM casino.player f
                                  WHERE f.external_ref = p.external_ref AND f.player_id < p.player_id
                                    AND casino.prague_month(p.registered_at) >= s.month));
    agree CONSTANT bigint[] := ARRAY(SELECT a.a FROM casino_internal.counters_agree(asked) a (a));
BEGIN
    RETURN QUERY
        WITH counted AS MATERIALIZED (
            SELECT s.* FROM casino.limit_state s
             WHERE s.player_id IN (SELECT x.x FROM unnest(asked) x (x)
                                   EXCEPT SELECT x.x FROM unnest(agree) x (x))),
        -- each month is asked once how far it is kept
        month AS MATERIALIZED (
            SELECT x.month, casino_internal.month_kept_until(x.month) AS kept_until
              FROM (SELECT DISTINCT c.month FROM counted c) x)
        SELECT v.rule, s.player_id, NULL::bigint, NULL::bigint, v.expected::text, v.found::text,
               jsonb_build_object('day', s.day, 'month', s.month)
          FROM counted s
          JOIN month m ON m.month = s.month
         CROSS JOIN LATERAL casino_internal.limit_usage_since(
                                s.player_id, casino.day_start(s.day) + interval '12 hours', m.kept_until) u
         CROSS JOIN LATERAL (VALUES ('staked_day', u.staked_day, s.staked_day),
                                    ('lost_day', u.lost_day, s.lost_day),
                                    ('staked_month', u.staked_month, s.staked_month),
                                    ('lost_month', u.lost_month, s.lost_month),
                                    ('open_staked', u.open_staked, s.open_staked)) v (rule, expected, found)
         WHERE s.month = u.month AND v.expected IS DISTINCT FROM v.found;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_counters(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check state: the counters of limits follow from entries and play '
       'elsewhere';
