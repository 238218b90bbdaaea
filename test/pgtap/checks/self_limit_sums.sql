-- check_self_limit() counts by running sums. Here each stake looks back over all of the player's stakes, as
-- the rule is written: both find the same on random evenings over a month's turn, with stakes cancelled,
-- rounds voided, withheld and over midnight, other play, and limits lowered behind the books.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
\ir ../helpers/evenings.psql
SELECT setseed(0.21) \g /dev/null
CALL evenings.players(1, 45, '2026-04-27 08:00');
DO $$ BEGIN
    FOR day IN 0 .. 5 LOOP
        CALL evenings.evening(date '2026-04-28' + day, 1, 45, 8);
        PERFORM casino.count_other_play(p.player_id, 'slots', 50, (floor(random() * 100) - 50)::numeric,
                                        day || 'o', (date '2026-04-28' + day + time '11:30')::timestamptz)
           FROM casino.player p WHERE p.player_id % 4 = 0;
    END LOOP;
END $$;

CREATE FUNCTION public.looked_back(from_day date, to_day date) RETURNS TABLE (rule text, player_id bigint,
        round_id bigint, entry_no bigint, expected text, found text)
LANGUAGE sql AS $$
    WITH wager AS MATERIALIZED (
        SELECT s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at,
            s.posted_at::date AS day, r.evaluated_at, r.evaluated_at::date AS evaluated_day,
               f.kind = 'refund' AS returned, w.payout
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.wager w ON w.player_id = s.player_id AND w.entry_no = s.entry_no
          LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
         WHERE s.player_id IN (SELECT k.player_id FROM casino.player_limit k)
           AND NOT (f.kind IS NOT DISTINCT FROM 'refund'
                    AND (coalesce(f.reason IN ('cancelled', 'disconnected', 'late', 'excluded'), false)
                         OR r.betting_closed_at IS NULL))),
    judged AS (
        SELECT w.*, k.measure, k.period, k.amount AS bound
          FROM wager w
         CROSS JOIN (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'),
                     ('net_loss', 'month')) m (measure, period)
         CROSS JOIN LATERAL (SELECT c.* FROM casino.player_limit c
                              WHERE c.player_id = w.player_id AND c.measure = m.measure
                                  AND c.period = m.period AND c.effective_from <= w.posted_at
                                      AND c.recorded_at <= w.recorded_at
                              ORDER BY c.limit_no DESC LIMIT 1) k
         WHERE w.day BETWEEN from_day AND to_day AND k.amount IS NOT NULL AND w.amount > 0),
    other AS (
        SELECT j.player_id, j.entry_no, j.measure, j.period, sum(o.staked) AS staked, sum(o.result) AS result
          FROM judged j
          JOIN casino.other_play o ON o.player_id = j.player_id AND o.recorded_at <= j.recorded_at
              AND o.played_at <= j.posted_at
                                  AND date_trunc(j.period, o.played_at) = date_trunc(j.period, j.posted_at)
         GROUP BY j.player_id, j.entry_no, j.measure, j.period),
    used AS (
        SELECT j.measure, j.period, j.player_id, j.round_id, j.entry_no, j.bound,
               CASE j.measure WHEN 'stake' THEN sum(x.amount) FILTER (WHERE date_trunc(j.period,
                       x.day) = date_trunc(j.period, j.day)) + coalesce(o.staked, 0)
                              ELSE coalesce(sum(x.amount) FILTER (WHERE x.evaluated_at IS NULL
                                                                  OR x.evaluated_at > j.posted_at), 0)
                                   + coalesce(sum(x.amount - x.payout)
                                              FILTER (WHERE x.evaluated_at <= j.posted_at
                                                        AND NOT coalesce(x.returned, false)
                                                        AND date_trunc(j.period, x.evaluated_day)
                                                            = date_trunc(j.period, j.day)), 0)
                                   - coalesce(o.result, 0) END AS used
          FROM judged j
          JOIN wager x ON x.player_id = j.player_id AND x.entry_no <= j.entry_no
          LEFT JOIN other o ON o.player_id = j.player_id AND o.entry_no = j.entry_no AND o.measure = j.measure
              AND o.period = j.period
         GROUP BY j.measure, j.period, j.player_id, j.round_id, j.entry_no, j.bound, o.staked, o.result)
    SELECT u.measure || '_' || u.period, u.player_id, u.round_id, u.entry_no, 'at most ' || u.bound,
        u.used::text FROM used u WHERE u.used > u.bound
$$;
CREATE TABLE period (from_day date, to_day date);
INSERT INTO period SELECT d::date, d::date FROM generate_series(timestamp '2026-04-28', '2026-05-03',
                                                                '1 day') d;
INSERT INTO period VALUES ('2026-04-29', '2026-05-01'), ('2026-05-01', '2026-05-03'),
    ('2026-01-01', '2026-06-01');

SELECT is_empty(format('SELECT * FROM casino_internal.check_self_limit(%L, %L)', from_day, to_day),
                format('as it was played: %s to %s', from_day, to_day)) FROM period;
-- lowered behind the books, as if they had been so from the first; some rounds are withheld for a player,
-- evaluated at the time of a stake, or not evaluated
ALTER TABLE casino.player_limit DISABLE TRIGGER USER;
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
ALTER TABLE casino.round DISABLE TRIGGER USER;
UPDATE casino.player_limit l SET amount = round(amount / (3 + l.player_id % 30), 2)
 WHERE l.amount IS NOT NULL;
UPDATE casino.round r SET evaluated_at = betting_closed_at - interval '40 s' WHERE r.round_id % 9 = 4;
ANALYZE;
SELECT set_eq(format('SELECT rule, player_id, round_id, entry_no, expected, found
                        FROM casino_internal.check_self_limit(%L, %L)',
                     from_day, to_day),
              format('SELECT * FROM public.looked_back(%L, %L)', from_day, to_day),
                  format('the same findings: %s to %s', from_day, to_day)) FROM period;
SELECT cmp_ok((SELECT count(*) FROM casino_internal.check_self_limit('2026-01-01', '2026-06-01')), '>',
              300::bigint,
              'of which there are many');
SELECT is((SELECT count(DISTINCT f.rule) FROM casino_internal.check_self_limit('2026-01-01', '2026-06-01') f),
          4::bigint, 'of all four limits');
SELECT cmp_ok((SELECT count(*) FROM casino.round
               WHERE casino.prague_day(opened_at) < casino.prague_day(evaluated_at)), '>=', 5::bigint,
                   'rounds went over midnight');
SELECT cmp_ok((SELECT count(*) FROM casino.wager w JOIN casino.player p USING (player_id)
               WHERE w.status = 'withheld' AND p.limited), '>', 20::bigint,
                   'and winnings are withheld of players with limits');
SELECT * FROM finish();
