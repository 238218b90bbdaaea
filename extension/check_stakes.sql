-- Checks of the reconciliation: was every stake allowed, is anything late?  Limits and sequences are counted
-- anew from entries, rounds, plans and tables; nothing is asked of the code that admits a stake, nor of the
-- player's row.

CREATE FUNCTION casino_internal.check_round_stuck(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    -- betting ends by its own clock, too (R13.2)
    RETURN QUERY
        SELECT 'unevaluated', NULL::bigint, r.round_id, NULL::bigint, 'a result by ' || l.ended, 'none',
               jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'betting_closed_at',
                                  r.betting_closed_at)
          FROM casino.round r
         CROSS JOIN LATERAL (SELECT least(r.betting_closed_at, r.betting_until) AS ended) e
         CROSS JOIN LATERAL (SELECT e.ended + casino.duty_value('stuck_round', e.ended)::interval AS ended) l
         WHERE r.status IN ('open', 'closed') AND e.ended < until AND l.ended <= clock_timestamp()
        UNION ALL
        SELECT 'late', NULL, r.round_id, NULL,
               'a result by ' || e.ended + d.value::interval, r.evaluated_at::text,
               jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'betting_closed_at',
                                  r.betting_closed_at)
          FROM casino.round r
          -- a round that nobody closed was closed by its evaluation
         CROSS JOIN LATERAL (SELECT least(r.betting_closed_at, r.betting_until) AS ended) e
          JOIN casino.duty_period d ON d.name = 'stuck_round'
                                   AND e.ended >= d.valid_from
                                   AND e.ended < d.valid_until
         WHERE r.evaluated_at >= since
           AND r.evaluated_at < until
           AND r.evaluated_at > e.ended + d.value::interval;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_round_stuck(date,
    date) IS
    'Part of the reconciliation, check round_stuck: a round has a result in time after betting closed';

CREATE FUNCTION casino_internal.check_late_stake(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('late_stake', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- phases: betting ends with the close, play begins there and ends with the decisions
    RETURN QUERY
        SELECT x.rule, x.player_id, x.round_id, x.entry_no,
               CASE x.rule WHEN 'no_round' THEN 'a round' WHEN 'before_open' THEN 'not before ' || x.opened_at
                   WHEN 'before_close' THEN 'not before ' || x.betting_closed_at
                           WHEN 'after_close' THEN 'not after ' || x.betting_closed_at WHEN 'after_until'
                               THEN 'before ' || x.betting_until
                           WHEN 'after_actions' THEN 'not after ' || x.actions_closed_at
                           ELSE 'not after ' || x.evaluated_at END,
               x.posted_at::text, jsonb_build_object('bet', x.bet::text, 'phase', x.phase)
          FROM (SELECT l.player_id, l.round_id, l.entry_no, l.posted_at, l.bet, b.phase, r.opened_at,
                r.betting_until, r.betting_closed_at, r.actions_closed_at, r.evaluated_at,
                       CASE WHEN r.round_id IS NULL THEN 'no_round'
                            WHEN l.posted_at < r.opened_at THEN 'before_open'
                            WHEN coalesce(b.phase, 'betting') = 'betting'
                                AND l.posted_at > r.betting_closed_at THEN 'after_close'
                            WHEN l.posted_at >= r.betting_until
                                AND coalesce(b.phase = 'betting' OR l.posted_at < r.betting_closed_at, true)
                                    THEN 'after_until'
                            WHEN b.phase = 'play'
                                AND (r.betting_closed_at IS NULL OR l.posted_at < r.betting_closed_at)
                                    THEN 'before_close'
                            WHEN l.posted_at > r.actions_closed_at THEN 'after_actions'
                            WHEN l.posted_at > r.evaluated_at THEN 'after_evaluation' END AS rule
                  FROM (SELECT x.*
                          FROM casino.ledger x
                         WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                        OFFSET 0) l
                  LEFT JOIN casino.round r ON r.round_id = l.round_id
                  LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(l.bet)
                 WHERE l.kind = 'stake'
                   AND (named IS NULL OR l.player_id = ANY (named))) x
         WHERE x.rule IS NOT NULL
           AND NOT EXISTS (SELECT FROM casino.ledger f
                           WHERE f.player_id = x.player_id AND f.stake_entry_no = x.entry_no
                              AND f.kind = 'refund' AND casino_internal.never_placed(f.reason)
                                  AND casino_internal.refund_fault(f.player_id, f.entry_no) IS NULL OFFSET 0);
    -- R13.35: what lay there at the close stays
    RETURN QUERY
        SELECT 'taken_back_late', f.player_id, f.round_id, s.entry_no,
               'taken back before ' || r.betting_closed_at, f.posted_at::text,
               jsonb_build_object('bet', s.bet::text, 'reason', f.reason, 'refund', f.entry_no)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) f
         -- OFFSET 0: by the key, not all rounds of a plan
         CROSS JOIN LATERAL (SELECT y.plan_id, y.betting_closed_at
                               FROM casino.round y
                              WHERE y.round_id = f.round_id
                             OFFSET 0) r
          JOIN casino.ledger s ON s.player_id = f.player_id AND s.entry_no = f.stake_entry_no
              AND s.posted_at <= r.betting_closed_at
          JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet)
              AND b.phase = 'betting'
         WHERE f.kind = 'refund'
           AND f.posted_at > r.betting_closed_at
           AND f.reason IN ('cancelled', 'disconnected', 'excluded')
           AND (named IS NULL OR f.player_id = ANY (named))
           AND NOT casino_internal.went_with_main(f.round_id, f.player_id, f.entry_no, r.betting_closed_at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_late_stake(date, date) IS
    'Part of the reconciliation, check late_stake: no standing stake is dated outside the time in which its '
    'round took it, and none that lay there at the close was taken back after it';

-- Hands between players are few beside the others: each is looked at, no sieve chooses (R6.30).
CREATE FUNCTION casino_internal.check_stacks(since timestamptz, until timestamptz)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT 'above_stack', k.player_id, h.round_id, k.entry_no, 'at most ' || k.stack, k.staked::text,
               jsonb_build_object('seat', k.seat, 'brought', k.brought)
          FROM casino_internal.rounds_of(since, until) d (round_id)
         CROSS JOIN LATERAL (SELECT x.* FROM casino.round x WHERE x.round_id = d.round_id OFFSET 0) h
          JOIN casino.game_table t ON t.table_id = h.table_id
          JOIN casino.game g ON g.game = t.game
          JOIN casino.families() f ON f.family = g.family
         CROSS JOIN LATERAL casino_internal.stacks_of(h.round_id) k
         WHERE f.between_players AND k.staked > k.stack;
    -- R6.33: chips and debits are written under the player's lock, so that the last entry written before has
    -- the wallet as it was
    RETURN QUERY
        SELECT 'above_wallet', s.player_id, s.round_id, w.entry_no, 'at most ' || coalesce(w.balance, 0),
               s.amount::text, jsonb_build_object('seat', s.seat, 'recorded_at', s.recorded_at)
          -- OFFSET 0: of these rounds alone, before anything is read for a stack
          FROM (SELECT x.*
                  FROM casino_internal.rounds_of(since, until) d (round_id)
                  JOIN casino.table_stack x ON x.round_id = d.round_id
                OFFSET 0) s
          -- from the player's first stake in the hand backwards, however much was played since
         CROSS JOIN LATERAL (SELECT coalesce(min(l.entry_no), 9223372036854775807) AS entry_no
                               FROM casino.ledger l
                              WHERE l.round_id = s.round_id AND l.kind = 'stake'
                                AND l.player_id = s.player_id) m
          LEFT JOIN LATERAL (SELECT l.entry_no, l.balance
                               FROM casino.carried_entry l
                              WHERE l.player_id = s.player_id AND l.recorded_at <= s.recorded_at
                                AND l.entry_no <= m.entry_no
                              ORDER BY l.entry_no DESC
                              LIMIT 1) w ON true
         WHERE s.amount > coalesce(w.balance, 0);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_stacks(timestamptz, timestamptz)
    IS 'Part of the reconciliation, check stake_limits: stakes in a hand between players beyond the '
       'stack that was brought before it, and a stack beyond the wallet';

-- Limits bind what stands in the end: a stake that was returned before it was concluded is none (R10.6).
CREATE FUNCTION casino_internal.check_stake_limits(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('stake_limits', from_day, to_day)).players;
BEGIN
    RETURN QUERY SELECT f.* FROM casino_internal.check_stacks(since, until) f;
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH joined AS MATERIALIZED (
            SELECT DISTINCT l.round_id, l.player_id
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE l.kind = 'stake'
               AND (named IS NULL OR l.player_id = ANY (named))),
        standing AS MATERIALIZED (
            SELECT s.round_id, s.player_id, s.entry_no, s.bet, s.amount, coalesce(s.seat, 0) AS seat,
                   greatest(coalesce(s.hand, 1), 1) AS hand, s.balance
              FROM joined j
             -- OFFSET 0: by the index, wager by wager of the days, however many others there are
             CROSS JOIN LATERAL (SELECT x.entry_no, x.bet, x.amount, x.seat, x.hand, x.round_id, x.player_id,
                                 x.balance FROM casino.ledger x
                                  WHERE x.round_id = j.round_id AND x.kind = 'stake'
                                      AND x.player_id = j.player_id OFFSET 0) s
             WHERE NOT EXISTS (SELECT FROM casino.ledger f
                               WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                  AND f.kind = 'refund' AND casino_internal.never_placed(f.reason)
                                      AND casino_internal.refund_fault(f.player_id, f.entry_no)
                                          IS NULL OFFSET 0)),
        position AS (
            SELECT s.round_id, s.player_id, casino.kind(s.bet) AS kind,
                   casino.selection(s.bet)::text AS selection, s.seat, s.hand,
                   max(s.entry_no) AS entry_no, sum(casino.stake(s.bet)) AS lies,
                   (array_agg(s.bet))[1] AS bet,
                   -- a pot takes less than the minimum from the player who then has nothing left
                   -- (R6.20): of the stack (R6.30), or of the wallet
                   casino.kind(s.bet) = 'pot'
                   AND ((array_agg(s.balance ORDER BY s.entry_no DESC))[1] = 0
                        OR sum(casino.stake(s.bet))
                            = (SELECT k.stack FROM casino_internal.stacks_of(s.round_id) k
                                                        WHERE k.player_id = s.player_id)) AS all_in
              FROM standing s
             GROUP BY s.round_id, s.player_id, casino.kind(s.bet), casino.selection(s.bet)::text, s.seat,
                 s.hand),
        judged AS (
            SELECT p.*, b.kind AS offered, x.least, x.most, b.zero_offered, r.table_id, r.table_version,
                   r.plan_id
              FROM position p
              JOIN casino.round r ON r.round_id = p.round_id
              JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
              LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = p.kind
              LEFT JOIN casino.table_limit t ON t.table_id = r.table_id AND t.version = r.table_version
                  AND t.kind = p.kind
              -- the numbers covered matter where the table's maximum is of a straight
             CROSS JOIN LATERAL (SELECT CASE WHEN b.table_limits IN ('covered', 'minimum')
                                 THEN cardinality(casino.covers(p.bet)) ELSE 1 END AS numbers) c
             CROSS JOIN LATERAL (SELECT CASE WHEN p.all_in THEN 0
                                             ELSE greatest(coalesce(b.min_stake, 0),
                                                           coalesce(t.min_stake,
                                                                   CASE WHEN b.table_limits <> 'none'
                                                                       THEN v.min_stake END, 0)) END AS least,
                                        least(coalesce(b.max_stake, 'Infinity'),
                                              -- where the plan derives inside bets from the straight, the
                                              -- table's own maximum can only lower theirs (R4.4)
                                              CASE WHEN b.table_limits = 'covered'
                                                  AND (t.max_stake IS NULL OR b.max_stake IS NOT NULL)
                                                      THEN v.max_stake * c.numbers END,
                                              coalesce(t.max_stake,
                                                       CASE WHEN b.table_limits = 'principal' THEN v.max_stake
                                                            WHEN b.table_limits = 'minimum'
                                                                AND b.max_stake IS NULL
                                                                    THEN v.max_stake * c.numbers
                                                            WHEN b.table_limits = 'none'
                                                                AND b.phase = 'betting'
                                                                    AND b.max_stake IS NULL
                                                                        THEN v.max_stake END,
                                                       'Infinity')) AS most) x)
        SELECT CASE WHEN j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight'
               AND 0 = ANY (casino.covers(j.bet)) THEN 'not_offered'
                    WHEN j.lies < j.least THEN 'below_minimum' ELSE 'above_maximum' END,
               j.player_id, j.round_id, j.entry_no,
               CASE WHEN j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight'
                   AND 0 = ANY (casino.covers(j.bet)) THEN 'a bet of the plan'
                    WHEN j.lies < j.least THEN 'at least ' || j.least ELSE 'at most ' || j.most END,
               j.lies || ' on ' || j.kind || coalesce(':' || nullif(j.selection, ''), ''),
               jsonb_build_object('seat', j.seat, 'hand', j.hand, 'plan_id', j.plan_id, 'table_id',
                                  j.table_id, 'table_version', j.table_version)
          FROM judged j
         WHERE j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight'
             AND 0 = ANY (casino.covers(j.bet)) OR NOT j.lies BETWEEN j.least AND j.most
        UNION ALL
        SELECT 'round', t.player_id, t.round_id, t.entry_no, 'at most ' || g.round_max_stake, t.staked::text,
               jsonb_build_object('plan_id', g.plan_id)
          FROM (SELECT s.round_id, s.player_id, max(s.entry_no) AS entry_no, sum(s.amount) AS staked
                FROM standing s GROUP BY s.round_id, s.player_id) t
          JOIN casino.round r ON r.round_id = t.round_id
          JOIN casino.game_plan g ON g.plan_id = r.plan_id
         WHERE t.staked > g.round_max_stake
        UNION ALL
        SELECT 'no_limits', s.player_id, s.round_id, max(s.entry_no), 'a version of table and plan', 'none',
               jsonb_build_object('table_id', r.table_id, 'table_version', r.table_version, 'plan_id',
                                  r.plan_id)
          FROM standing s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
          LEFT JOIN casino.game_plan g ON g.plan_id = r.plan_id
         WHERE v.table_id IS NULL OR g.plan_id IS NULL
         GROUP BY s.player_id, s.round_id, r.table_id, r.table_version, r.plan_id
        UNION ALL
        -- boxes of several players: the maximum of the main bet is of all of them together, where the plan
        -- says so
        SELECT 'box', t.player_id, t.round_id, t.entry_no, 'at most ' || t.most, t.lies || ' on main',
               jsonb_build_object('seat', t.seat)
          FROM (SELECT j.round_id, j.seat, max(j.player_id) AS player_id, max(j.entry_no) AS entry_no,
                sum(j.lies) AS lies, max(j.most) AS most, count(*) AS players
                  FROM (SELECT a.* FROM judged a
                         WHERE a.kind = 'main'
                             AND EXISTS (SELECT FROM casino.plan_rule u
                                         WHERE u.plan_id = a.plan_id AND u.rule = 'box_limit'
                                             AND u.value = 'together')) j
                 GROUP BY j.round_id, j.seat) t
         WHERE t.players > 1 AND t.lies > t.most;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_stake_limits(date, date) IS
    'Part of the reconciliation, check stake_limits: positions, boxes and rounds are within the plan and '
    'the version of the table that the round was opened under';

-- R10.5: a round that ended earlier changes nothing. Who went on from it has another sequence of 120 minutes
-- before the days. Rounds of books that were put away are not known.
CREATE FUNCTION casino_internal.long_stakes(since timestamptz, OUT player_id bigint, OUT round_id bigint,
                                            OUT entry_no bigint, OUT posted_at timestamptz)
    RETURNS SETOF record
LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, s.round_id, s.entry_no, s.posted_at
      FROM (SELECT x.round_id, x.plan_id
              FROM casino.round x
             WHERE CASE WHEN isfinite(x.opened_at) AND isfinite(x.evaluated_at)
                        THEN x.evaluated_at - x.opened_at >= interval '3 hours' END
               AND x.evaluated_at > since - interval '3 hours'
               AND x.opened_at < since - interval '6 hours'
            UNION ALL
            SELECT x.round_id, x.plan_id
              FROM casino.round x
             WHERE x.status IN ('open', 'closed')
               AND x.opened_at < since - interval '6 hours'
            OFFSET 0) r
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
      JOIN casino.game g ON g.game = p.game AND g.live
     CROSS JOIN LATERAL (SELECT l.player_id, l.round_id, l.entry_no, l.posted_at
                           FROM casino.ledger l
                          WHERE l.round_id = r.round_id
                            AND l.kind = 'stake'
                            AND l.posted_at < since - interval '6 hours'
                            AND l.book > casino_internal.last_book_without(r.round_id)
                         OFFSET 0) s
     WHERE r.round_id > (SELECT casino_internal.last_round_away())
$fn$;
COMMENT ON FUNCTION casino_internal.long_stakes(timestamptz) IS
    'Part of the sieve and of the checks break, second_table and state: stakes of live rounds that were '
    'joined more than six hours before a day, and not evaluated three hours before it';

-- Live rounds that persons joined from six hours before the days to their end, and earlier ones that went on:
-- long enough to know the sequence that goes on then (R10.5).
CREATE FUNCTION casino_internal.joined_rounds(from_day date, to_day date, named bigint[], OUT person text,
                                              OUT player_id bigint, OUT round_id bigint, OUT entry_no bigint,
                                                  OUT joined_at timestamptz,
                                              OUT evaluated_at timestamptz, OUT busy_until timestamptz,
                                                  OUT any_unevaluated boolean,
                                                      OUT sequence_no bigint) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 100000 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day) - interval '6 hours';
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        WITH stake AS MATERIALIZED (
            SELECT l.player_id, l.round_id, l.entry_no, l.posted_at
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE x.posted_at >= since AND x.posted_at < until
                    OFFSET 0) l
             WHERE l.kind = 'stake'
               AND (named IS NULL OR l.player_id = ANY (named))
            UNION ALL
            SELECT o.player_id, o.round_id, o.entry_no, o.posted_at
              FROM casino_internal.long_stakes(since + interval '6 hours') o
             WHERE (named IS NULL OR o.player_id = ANY (named))),
        round AS MATERIALIZED (
            SELECT r.round_id, r.evaluated_at, r.betting_closed_at
              FROM (SELECT DISTINCT s.round_id FROM stake s) x
             CROSS JOIN LATERAL (SELECT y.* FROM casino.round y WHERE y.round_id = x.round_id OFFSET 0) r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game AND g.live),
        joined AS (
            SELECT coalesce(a.external_ref, s.player_id::text) AS person, s.player_id, s.round_id,
                   min(s.entry_no) AS entry_no, min(s.posted_at) AS joined_at, r.evaluated_at
              FROM stake s
              JOIN round r ON r.round_id = s.round_id
              LEFT JOIN casino.player a ON a.player_id = s.player_id
             -- OFFSET 0: by the key of each stake, however many refunds there are
             WHERE NOT EXISTS (SELECT FROM casino.ledger f
                               WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                   AND f.correction_no IS NULL
                                  AND f.kind = 'refund'
                                      AND (r.betting_closed_at IS NULL
                                           OR casino_internal.never_placed(f.reason)
                                           AND casino_internal.refund_fault(f.player_id, f.entry_no)
                                               IS NULL) OFFSET 0)
             GROUP BY coalesce(a.external_ref, s.player_id::text), s.player_id, s.round_id, r.evaluated_at),
        earlier AS (
            SELECT j.*, max(j.evaluated_at) OVER w AS busy_until,
                   coalesce(bool_or(j.evaluated_at IS NULL) OVER w, false) AS any_unevaluated
              FROM joined j
            WINDOW w AS (PARTITION BY j.person
                         ORDER BY j.joined_at, j.player_id,
                             j.entry_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
        SELECT e.person, e.player_id, e.round_id, e.entry_no, e.joined_at, e.evaluated_at, e.busy_until,
               e.any_unevaluated,
               count(*) FILTER (WHERE coalesce(e.joined_at - e.busy_until >= make_interval(mins =>
                   d.number::integer), true)
                                  AND NOT e.any_unevaluated)
                   OVER (PARTITION BY e.person ORDER BY e.joined_at, e.player_id, e.entry_no)
          FROM earlier e
          -- the figure in force at the stake (R7.80)
          JOIN casino.duty_period d ON d.name = 'break_minutes' AND e.joined_at >= d.valid_from
              AND e.joined_at < d.valid_until;
END
$fn$;
COMMENT ON FUNCTION casino_internal.joined_rounds(date, date, bigint[]) IS
    'Part of the reconciliation: live rounds that persons joined, with the end of those they had joined '
    'before and the betting sequence (D4 §8)';

CREATE FUNCTION casino_internal.check_break(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('sequence', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'break', q.player_id, q.round_id, q.entry_no, 'no stake before '
            || q.busy_until + make_interval(mins => b.number::integer), q.joined_at::text,
               jsonb_build_object('sequence_started_at', q.started_at, 'last_evaluated_at', q.busy_until)
          FROM (SELECT j.*, min(j.joined_at) OVER w AS started_at,
                max(j.evaluated_at) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_at
                  FROM casino_internal.joined_rounds(from_day, to_day, named) j
                WINDOW w AS (PARTITION BY j.person, j.sequence_no
                             ORDER BY j.joined_at, j.player_id, j.entry_no)) q
          JOIN casino.duty_period s ON s.name = 'sequence_minutes' AND q.joined_at >= s.valid_from
              AND q.joined_at < s.valid_until
          JOIN casino.duty_period b ON b.name = 'break_minutes' AND q.joined_at >= b.valid_from
              AND q.joined_at < b.valid_until
         WHERE q.ended_at - q.started_at >= make_interval(mins => s.number::integer) AND NOT q.any_unevaluated
             AND q.joined_at >= q.busy_until
           AND q.joined_at >= since AND q.joined_at < until;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_break(date, date) IS
    'Part of the reconciliation, check break: no live round is joined within 15 minutes after a betting '
    'sequence of 120 minutes (D4 §8.3; of the figures in force at the stake)';

CREATE FUNCTION casino_internal.check_second_table(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('sequence', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'second_table', j.player_id, j.round_id, j.entry_no,
               CASE WHEN j.any_unevaluated THEN 'no stake until his round is evaluated'
                   ELSE 'no stake before ' || j.busy_until END, j.joined_at::text,
               jsonb_build_object('table_id', (SELECT r.table_id FROM casino.round r
                                               WHERE r.round_id = j.round_id))
          FROM casino_internal.joined_rounds(from_day, to_day, named) j
         WHERE (j.any_unevaluated OR j.joined_at < j.busy_until) AND j.joined_at >= since
             AND j.joined_at < until;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_second_table(date, date) IS
    'Part of the reconciliation, check second_table: a person takes part at one live table at a time (D4 '
    '§8.2)';

CREATE FUNCTION casino_internal.check_excluded(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    -- what was written before the exclusion was allowed then, also where one of them is dated back or ahead
    -- as far as an event may
    RETURN QUERY
        SELECT DISTINCT ON (l.player_id, l.entry_no)
               l.kind, l.player_id, l.round_id, l.entry_no,
               'nothing from ' || e.excluded_from || ' to ' || e.excluded_until, l.posted_at::text,
               jsonb_build_object('exclusion_no', e.exclusion_no, 'source', e.source, 'amount', l.amount)
          FROM casino.exclusion_period e
          JOIN casino.ledger l ON l.player_id = e.player_id
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           AND e.excluded_from < until AND e.excluded_until > since AND l.kind IN ('stake', 'deposit')
           AND l.posted_at >= e.excluded_from AND l.posted_at < e.excluded_until
           AND l.recorded_at >= e.recorded_at
           AND NOT EXISTS (SELECT FROM casino.ledger f
                           WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                              AND f.kind = 'refund' AND casino_internal.never_placed(f.reason)
                                  AND casino_internal.refund_fault(f.player_id, f.entry_no) IS NULL OFFSET 0)
         ORDER BY l.player_id, l.entry_no, e.exclusion_no;
    RETURN QUERY SELECT f.* FROM casino_internal.check_register(from_day, to_day) f;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_excluded(date, date) IS
    'Part of the reconciliation, check excluded: no stake and no deposit of an excluded person (D4 §6.2)';

-- The days of the month before a day whose sums are kept: whole, if they are all that have entries.
CREATE FUNCTION casino_internal.kept_before(day date, OUT first date, OUT kept_at timestamptz,
                                            OUT whole boolean)
RETURNS record
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT m.first, k.kept_at, k.days = kept_before.day - least(m.oldest, kept_before.day)
      FROM (SELECT f.first, greatest(f.first, (SELECT min(t.day)
                                                 FROM casino.day_total t, casino.kept_until u
                                                WHERE u.until IS NOT NULL)) AS oldest
              FROM (SELECT date_trunc('month', kept_before.day::timestamp)::date AS first) f) m
     CROSS JOIN LATERAL (SELECT count(*) AS days, min(d.kept_at) AS kept_at
                           FROM casino_internal.kept_days(m.oldest, kept_before.day - 1) d) k
$fn$;
COMMENT ON FUNCTION casino_internal.kept_before(date)
    IS 'Part of the check self_limit: first day of the month of a day, and whether the sums of all its '
       'days before are kept, and since when';

-- R12.161: sums that were kept of the days before say what withheld wagers got in the end. A correction of a
-- paid wager counts on the day posted (R11.38). Withheld wagers of the days are looked for, and not changes
-- since then: a day is asked about with few days before it in its month, and with any number after it.
CREATE FUNCTION casino_internal.losses_changed(first date, day date) RETURNS SETOF bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH held AS MATERIALIZED (
        -- After the evaluation a single player's wagers are withheld only where all are
        SELECT r.round_id, NULL::bigint AS player_id
          FROM casino.round r
         WHERE r.withheld_at >= casino.day_start(losses_changed.first)
           AND r.withheld_at < casino.day_start(losses_changed.day)
        UNION ALL
        SELECT h.round_id, h.player_id
          FROM casino.withholding h
         WHERE h.withheld_at >= casino.day_start(losses_changed.first)
           AND h.withheld_at < casino.day_start(losses_changed.day)
        UNION ALL
        SELECT r.round_id, h.player_id
          FROM casino.round r
          LEFT JOIN casino.withholding h ON h.round_id = r.round_id AND r.withheld_at IS NULL
         WHERE casino.prague_day(r.opened_at) < casino.prague_day(r.evaluated_at)
           AND r.evaluated_at >= casino.day_start(losses_changed.first)
           AND r.evaluated_at < casino.day_start(losses_changed.day)
           AND r.opened_at < casino.day_start(losses_changed.first)
           AND (r.withheld_at IS NOT NULL OR h.player_id IS NOT NULL))
    SELECT DISTINCT l.player_id
      FROM held c
     -- OFFSET 0: by the round, not by its day
     CROSS JOIN LATERAL (SELECT x.round_id, x.evaluated_at, x.voided_at
                           FROM casino.round x
                          WHERE x.round_id = c.round_id
                         OFFSET 0) r
     CROSS JOIN LATERAL (SELECT r.voided_at >= casino.day_start(losses_changed.day)
                                OR (SELECT true
                                      FROM casino.correction_decision d
                                     WHERE d.round_id = r.round_id
                                       AND d.version IS NOT NULL
                                       AND d.decided_at >= casino.day_start(losses_changed.day)
                                     LIMIT 1) AS changed
                         OFFSET 0) n
     CROSS JOIN LATERAL (SELECT c.player_id
                          WHERE n.changed AND c.player_id IS NOT NULL
                         UNION ALL
                         SELECT x.player_id
                           FROM casino.ledger x
                          WHERE n.changed
                            AND c.player_id IS NULL
                            AND x.round_id = r.round_id
                            AND x.kind = 'stake'
                            AND x.book > (SELECT casino.last_book_away())
                         UNION ALL
                         SELECT e.player_id
                           FROM casino.withholding_end e
                          WHERE e.round_id = r.round_id
                            AND e.how = 'voided'
                            AND e.ended_at >= casino.day_start(losses_changed.day)
                         OFFSET 0) l
     WHERE r.evaluated_at >= casino.day_start(losses_changed.first)
       AND r.evaluated_at < casino.day_start(losses_changed.day)
$fn$;
COMMENT ON FUNCTION casino_internal.losses_changed(date, date)
    IS 'Part of the check self_limit: players with withheld stakes in rounds that were evaluated from one '
       'day on and before another, and whose result was changed on that day or later';

-- R10.37: with the least limits that players have ever set, a player who stays below them needs no look.
-- Not known: play elsewhere, stakes from before in rounds that were under way afterwards, sums that are not
-- kept, or that were others then.
CREATE FUNCTION casino_internal.limits_to_sieve(since timestamptz, until timestamptz)
RETURNS TABLE (player_id bigint, stake_day numeric, stake_month numeric, loss_day numeric,
               loss_month numeric, staked numeric, lost numeric, known boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_nestloop = off AS $fn$
    WITH begun AS MATERIALIZED (
        SELECT casino.prague_day(since) AS day, k.first, k.kept_at, k.whole
          FROM casino_internal.kept_before(casino.prague_day(since)) k
         WHERE isfinite(since)),
    kept AS MATERIALIZED (
        SELECT p.player_id, sum(p.staked) AS staked, sum(p.lost) AS lost
          FROM casino.kept_player p
         WHERE p.day >= (SELECT b.first FROM begun b) AND p.day < (SELECT b.day FROM begun b)
         GROUP BY p.player_id),
    under_way AS MATERIALIZED (
        SELECT s.player_id
          FROM (SELECT x.round_id FROM casino.round x
                 WHERE casino.prague_day(x.opened_at) < casino.prague_day(x.evaluated_at)
                   AND x.evaluated_at >= until AND x.opened_at < since
                UNION
                SELECT x.round_id FROM casino.round x
                 WHERE x.status IN ('open', 'closed') AND x.opened_at < since) u
         CROSS JOIN LATERAL (SELECT l.player_id FROM casino.ledger l
                              WHERE l.round_id = u.round_id AND l.kind = 'stake' OFFSET 0) s),
    limited AS MATERIALIZED (
        SELECT k.player_id, min(k.recorded_at) AS recorded_at,
               min(k.amount) FILTER (WHERE k.measure = 'stake' AND k.period = 'day') AS stake_day,
               min(k.amount) FILTER (WHERE k.measure = 'stake' AND k.period = 'month') AS stake_month,
               min(k.amount) FILTER (WHERE k.measure = 'net_loss' AND k.period = 'day') AS loss_day,
               min(k.amount) FILTER (WHERE k.measure = 'net_loss' AND k.period = 'month') AS loss_month
          FROM casino.player_limit k
         GROUP BY k.player_id)
    SELECT l.player_id, l.stake_day, l.stake_month, l.loss_day, l.loss_month, k.staked, k.lost,
           coalesce((SELECT b.whole AND NOT coalesce(b.kept_at < l.recorded_at, false) FROM begun b), true)
           AND l.player_id NOT IN (SELECT u.player_id FROM under_way u)
           AND l.player_id NOT IN (SELECT c.player_id
                                     FROM begun b
                                    CROSS JOIN LATERAL casino_internal.losses_changed(b.first, b.day)
                                                       c (player_id))
           AND NOT EXISTS (SELECT FROM casino.other_play o WHERE o.player_id = l.player_id)
           -- R11.85: who has another account is looked at
           AND l.player_id NOT IN (SELECT y.player_id
                                     FROM casino.person o
                                     JOIN casino.player y ON y.external_ref = o.external_ref
                                    WHERE o.accounts > 1)
      FROM limited l
      LEFT JOIN kept k ON k.player_id = l.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.limits_to_sieve(timestamptz, timestamptz)
    IS 'Part of the sieve: players who have set limits, the least of each, and stakes and losses of the '
       'month before the days';

-- R11.80: what a withheld wager got by each result that held before it was paid or went back: number 0 by the
-- first evaluation, then by each correction that posted nothing. Nothing where no result was corrected, and
-- the wager did not go back.
CREATE FUNCTION casino_internal.withheld_results(round_id bigint, player_id bigint, entry_no bigint,
                                                 OUT number integer, OUT known_at timestamptz,
                                                 OUT payout numeric) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 2 SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    result record;
    staked numeric;
    ended timestamptz;
    went_back boolean;
BEGIN
    SELECT s.amount, coalesce(n.ended_at, r.withheld_paid_at, f.posted_at, 'infinity'),
           f.posted_at IS NOT NULL
      INTO staked, ended, went_back
      FROM casino.ledger s
      JOIN casino.round r ON r.round_id = s.round_id
      LEFT JOIN casino.withholding_end n ON n.player_id = s.player_id AND n.round_id = s.round_id
      LEFT JOIN LATERAL (SELECT x.posted_at
                           FROM casino.ledger x
                          WHERE x.player_id = s.player_id
                            AND x.stake_entry_no = s.entry_no
                            AND x.kind = 'refund'
                            AND x.reason = 'voided'
                          LIMIT 1) f ON true
     WHERE s.player_id = withheld_results.player_id
       AND s.entry_no = withheld_results.entry_no;
    FOR result IN
        WITH version AS (
            SELECT d.version, d.decided_at, d.status,
                   CASE WHEN d.former ->> 'status' <> 'voided' THEN d.former -> 'outcome' END AS former
              FROM casino.correction_decision d
             WHERE d.round_id = withheld_results.round_id
               AND d.version IS NOT NULL),
        held AS (
            SELECT 0 AS version, NULL::timestamptz AS decided_at, NULL::text AS status
            UNION ALL
            SELECT v.version, v.decided_at, v.status
              FROM version v
             -- a correction that makes the round void returns the stakes itself
             WHERE v.decided_at < ended OR v.decided_at = ended AND went_back)
        SELECT h.version, h.decided_at,
               CASE WHEN n.version IS NOT NULL THEN n.former
                    WHEN h.status IS DISTINCT FROM 'voided' THEN r.outcome END AS outcome
          FROM held h
          JOIN casino.round r ON r.round_id = withheld_results.round_id
          LEFT JOIN version n ON n.version = h.version + 1
        UNION ALL
        -- a player's wagers that were voided after the evaluation
        SELECT 1000000, e.ended_at, NULL
          FROM casino.withholding_end e
         WHERE e.round_id = withheld_results.round_id
           AND e.player_id = withheld_results.player_id
           AND e.how = 'voided'
        UNION ALL
        -- R12.161: the whole round was voided while it was withheld, by no correction
        SELECT 1000001, r.voided_at, NULL
          FROM casino.round r
         WHERE r.round_id = withheld_results.round_id
           AND went_back
           AND r.status = 'voided'
           AND r.outcome IS NOT NULL
           AND (SELECT v.status FROM version v ORDER BY v.version DESC LIMIT 1) IS DISTINCT FROM 'voided'
         ORDER BY 1 LOOP
        number := result.version;
        known_at := result.decided_at;
        payout := staked;
        IF result.outcome IS NOT NULL THEN
            SELECT w.payout INTO payout
              FROM casino_internal.reckoned_wagers(withheld_results.round_id, result.outcome) w
             WHERE w.player_id = withheld_results.player_id
               AND w.entry_no = withheld_results.entry_no;
        END IF;
        RETURN NEXT;
    END LOOP;
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    -- a result that no game could have is a difference of its own
    RETURN;
END
$fn$;
COMMENT ON FUNCTION casino_internal.withheld_results(bigint, bigint, bigint)
    IS 'Part of the reconciliation, check self_limit: what a withheld wager got by each result that held '
       'before it was paid or went back';

CREATE FUNCTION casino_internal.check_self_limit(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('self_limit', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- each stake of the days of a player who has limits, with the sums staked, lost and open then; the stakes
    -- of one request are judged one by one.  The sums of the month's days before are kept (R10.40); where
    -- they are not, the player's entries are read from the first of the month on.  Running sums take the
    -- place of a look back from each stake
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT l.player_id, min(l.entry_no) AS low, max(l.entry_no) AS high,
                   casino.prague_day(least(min(l.posted_at), since)) AS day
              -- OFFSET 0: by day, not by the key of each player through the whole history
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE l.kind = 'stake'
               AND (named IS NULL OR l.player_id = ANY (named))
               AND l.player_id IN (SELECT k.player_id FROM casino.player_limit k WHERE k.requested_at < until)
             GROUP BY l.player_id),
        -- R11.85: with the entries of former accounts whose limits have passed on
        account AS MATERIALIZED (
            SELECT a.player_id AS owner, a.player_id, a.low, a.high, a.day
              FROM asked a
            UNION ALL
            SELECT a.player_id, f.player_id, 9223372036854775807, 9223372036854775807, a.day
              FROM (SELECT array_agg(x.player_id) AS players
                      FROM casino.player x
                     WHERE x.external_ref IN (SELECT o.external_ref
                                                FROM casino.player y
                                                JOIN casino.person o ON o.external_ref = y.external_ref
                                               WHERE o.accounts > 1
                                                 AND y.player_id IN (SELECT z.player_id FROM asked z))) m
             CROSS JOIN LATERAL casino_internal.limits_passed_on(m.players) f
              JOIN asked a ON a.player_id = f.later),
        -- all days before of the month that have entries at all
        known AS MATERIALIZED (
            SELECT a.day, m.first, m.kept_at, m.whole
              FROM (SELECT DISTINCT x.day FROM asked x) a
             CROSS JOIN LATERAL casino_internal.kept_before(a.day) m),
        sums AS MATERIALIZED (
            SELECT k.day, p.player_id, sum(p.staked) AS staked, sum(p.lost) AS lost
              FROM known k
              JOIN casino.kept_player p ON p.day >= k.first AND p.day < k.day
             WHERE k.whole
             GROUP BY k.day, p.player_id),
        changed AS MATERIALIZED (
            SELECT k.day, c.player_id
              FROM known k
             CROSS JOIN LATERAL casino_internal.losses_changed(k.first, k.day) c (player_id)
             WHERE k.whole),
        begun AS MATERIALIZED (
            SELECT a.owner, a.player_id, a.low, a.high, x.kept,
                   casino.day_start(CASE WHEN x.kept THEN a.day ELSE k.first END) AS since, k.first AS month,
                   coalesce(s.staked, 0) AS staked, coalesce(s.lost, 0) AS lost
              FROM account a
              JOIN known k ON k.day = a.day
             -- who had no limits then has no sums
             CROSS JOIN LATERAL (SELECT coalesce(k.whole, false)
                                        AND NOT coalesce(k.kept_at < (SELECT min(c.recorded_at)
                                                                        FROM casino.player_limit c
                                                                       WHERE c.player_id = a.player_id),
                                                         false)
                                        AND NOT EXISTS (SELECT FROM changed c
                                                         WHERE c.day = a.day
                                                           AND c.player_id = a.player_id) AS kept) x
              LEFT JOIN sums s ON x.kept AND s.day = a.day AND s.player_id = a.player_id),
        span AS MATERIALIZED (
            SELECT a.owner, a.player_id, a.high, a.since, a.month, a.staked, a.lost,
                   coalesce(f.before, 0) AS before
              FROM begun a
             -- OFFSET 0: backwards by the key of each player
             CROSS JOIN LATERAL (SELECT (SELECT b.entry_no FROM casino.carried_entry b
                                          WHERE b.player_id = a.player_id AND b.entry_no < a.low
                                            AND b.posted_at < a.since
                                          ORDER BY b.entry_no DESC LIMIT 1) AS before OFFSET 0) f),
        -- rounds under way when that begins: stakes of before are still open in them
        under_way AS MATERIALIZED (
            SELECT r.round_id, r.evaluated_at FROM casino.round r
             WHERE casino.prague_day(r.opened_at) < casino.prague_day(r.evaluated_at)
               AND r.evaluated_at >= (SELECT min(a.since) FROM span a)
               AND r.opened_at < (SELECT max(a.since) FROM span a)
            UNION ALL
            SELECT r.round_id, NULL FROM casino.round r WHERE r.status IN ('open', 'closed')),
        stake AS MATERIALIZED (
            SELECT a.owner, s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at,
                   true AS counts
              FROM span a
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                                  WHERE x.player_id = a.player_id AND x.entry_no > a.before
                                    AND x.entry_no <= a.high AND x.kind = 'stake' OFFSET 0) s
            UNION ALL
            SELECT a.owner, s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at, false
              FROM under_way u
             -- OFFSET 0: by the round
             CROSS JOIN LATERAL (SELECT x.*
                                   FROM casino.ledger x
                                  WHERE x.round_id = u.round_id AND x.kind = 'stake'
                                 OFFSET 0) s
              JOIN span a ON a.player_id = s.player_id AND s.entry_no <= a.before
                             AND coalesce(u.evaluated_at >= a.since, true)),
        wager AS MATERIALIZED (
            SELECT s.owner, s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at,
                   s.counts,
                   casino.prague_day(s.posted_at) AS day,
                   r.evaluated_at, casino.prague_day(r.evaluated_at) AS evaluated_day,
                   f.kind = 'refund' AS returned,
                   (r.withheld_at IS NOT NULL OR o.round_id IS NOT NULL)
                   AND (f.reason IS NOT DISTINCT FROM 'voided' AND f.kind = 'refund'
                        OR EXISTS (SELECT FROM casino.correction_decision d
                                    WHERE d.round_id = r.round_id AND d.version IS NOT NULL)) AS held,
                   CASE WHEN f.kind = 'payout' THEN f.amount
                        WHEN f.kind IS NULL AND (r.status = 'withheld' OR o.round_id IS NOT NULL)
                            THEN coalesce(e.payout, 0)
                        ELSE 0 END AS payout
              FROM stake s
              JOIN casino.round r ON r.round_id = s.round_id
              -- the first entry that ended it: another one is a difference of its own (R10.41)
              LEFT JOIN LATERAL (SELECT x.player_id, x.entry_no, x.kind, x.amount, x.reason
                                   FROM casino.ledger x
                                  WHERE x.player_id = s.player_id
                                    AND x.stake_entry_no = s.entry_no
                                    AND x.correction_no IS NULL
                                  ORDER BY x.entry_no
                                  LIMIT 1) f ON true
              LEFT JOIN casino.withholding o ON o.player_id = s.player_id AND o.round_id = s.round_id
              LEFT JOIN LATERAL casino_internal.evaluated_wager(CASE WHEN f.kind IS NULL
                                                                AND (r.status = 'withheld' OR o.round_id
                                                                     IS NOT NULL)
                                                                    THEN r.round_id END,
                                                                s.player_id, s.entry_no) e ON true
             -- a stake that went back for a reason that is not so was placed (R7.69)
             WHERE NOT (f.kind IS NOT DISTINCT FROM 'refund'
                        AND (r.betting_closed_at IS NULL
                             OR casino_internal.never_placed(f.reason)
                                AND casino_internal.refund_fault(f.player_id, f.entry_no) IS NULL))),
        -- R11.80: stakes met the result that held then
        result AS MATERIALIZED (
            SELECT w.owner, w.player_id, w.entry_no, w.posted_at, w.evaluated_at, w.evaluated_day, v.number,
                   v.known_at, v.payout,
                   lag(v.payout) OVER (PARTITION BY w.owner, w.player_id, w.entry_no
                                       ORDER BY v.number) AS before
              FROM wager w
             CROSS JOIN LATERAL casino_internal.withheld_results(w.round_id, w.player_id, w.entry_no) v
             WHERE w.held AND w.evaluated_at IS NOT NULL AND v.payout IS NOT NULL),
        -- R12.162: a correction has one time for all its players. A stake of before its entry can be later
        corrected AS MATERIALIZED (
            SELECT x.owner, x.player_id, x.entry_no, x.posted_at, x.amount,
                   max(x.posted_at) OVER (PARTITION BY x.owner, x.player_id
                                          ORDER BY x.entry_no) AS met_at
              FROM (SELECT s.owner, s.player_id, s.entry_no, s.posted_at, NULL::numeric AS amount
                      FROM stake s
                    UNION ALL
                    SELECT a.owner, c.player_id, c.entry_no, c.posted_at, c.amount
                      FROM span a
                     CROSS JOIN LATERAL (SELECT l.*
                                           FROM casino.ledger l
                                          WHERE l.player_id = a.player_id
                                            AND l.entry_no > a.before
                                            AND l.entry_no <= a.high
                                            AND l.kind IN ('correction', 'adjustment')
                                            AND l.round_id IS NOT NULL
                                         OFFSET 0) c) x),
        -- in the order in which a player's stakes met them: an evaluation at the time of a stake, or before
        -- the stake that it decides, comes before the next one
        event AS (
            SELECT w.owner, w.player_id, w.entry_no, w.round_id, w.amount, w.posted_at, w.recorded_at, w.day,
                   w.posted_at AS t, w.entry_no AS place, 0 AS part, w.amount AS open, 0.00 AS lost,
                   CASE WHEN w.counts THEN w.amount ELSE 0.00 END AS staked
              FROM wager w
            UNION ALL
            SELECT w.owner, w.player_id, NULL, NULL, NULL, NULL, NULL, w.evaluated_day,
                   greatest(w.evaluated_at, w.posted_at), CASE WHEN w.evaluated_at <= w.posted_at
                       THEN w.entry_no ELSE 0 END,
                   CASE WHEN w.evaluated_at <= w.posted_at THEN -1
                       ELSE 0 END, - w.amount, CASE WHEN v.payout IS NOT NULL THEN w.amount - v.payout
                           WHEN w.returned THEN 0.00
                           ELSE w.amount - w.payout END, 0.00
              FROM wager w
              LEFT JOIN result v
                   ON v.owner = w.owner
                  AND v.player_id = w.player_id
                  AND v.entry_no = w.entry_no
                  AND v.number = 0
             WHERE w.evaluated_at IS NOT NULL
            UNION ALL
            SELECT v.owner, v.player_id, NULL, NULL, NULL, NULL, NULL, v.evaluated_day,
                   greatest(v.known_at, v.evaluated_at, v.posted_at), 0, 0, 0.00, v.before - v.payout, 0.00
              FROM result v
             WHERE v.number > 0 AND v.before IS NOT NULL
            UNION ALL
            -- corrections, and adjustments that name a round: on the day posted (R11.38)
            SELECT c.owner, c.player_id, NULL, NULL, NULL, NULL, NULL, casino.prague_day(c.posted_at),
                   c.met_at, c.entry_no, 0, 0.00, - c.amount, 0.00
              FROM corrected c
             WHERE c.amount IS NOT NULL),
        counted AS (
            SELECT e.*, sum(e.open) OVER p AS open_now, sum(e.lost) OVER d AS lost_day,
                   sum(e.lost) OVER m + CASE WHEN x.first THEN a.lost ELSE 0 END AS lost_month,
                   sum(e.staked) OVER d AS staked_day,
                   sum(e.staked) OVER m + CASE WHEN x.first THEN a.staked ELSE 0 END AS staked_month
              FROM event e
              JOIN (SELECT x.owner, x.month, sum(x.staked) AS staked, sum(x.lost) AS lost
                      FROM span x
                     GROUP BY x.owner, x.month) a ON a.owner = e.owner
             CROSS JOIN LATERAL (SELECT date_trunc('month', e.day::timestamp) = a.month AS first) x
            WINDOW p AS (PARTITION BY e.owner
                         ORDER BY e.t, e.player_id, e.place, e.part ROWS UNBOUNDED PRECEDING),
                   m AS (PARTITION BY e.owner, date_trunc('month', e.day::timestamp)
                         ORDER BY e.t, e.player_id, e.place, e.part ROWS UNBOUNDED PRECEDING),
                   d AS (PARTITION BY e.owner, date_trunc('month', e.day::timestamp), e.day
                         ORDER BY e.t, e.player_id, e.place, e.part ROWS UNBOUNDED PRECEDING)),
        -- theirs, and play counted for any former account since the first of these was opened (R7.29)
        elsewhere AS MATERIALIZED (
            SELECT a.owner, f.player_id,
                   CASE WHEN f.player_id >= a.first THEN '-infinity' ELSE p.registered_at END AS since
              FROM (SELECT x.owner, min(x.player_id) AS first FROM account x GROUP BY x.owner) a
              JOIN casino.player p ON p.player_id = a.first
              JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id <= a.owner
             WHERE EXISTS (SELECT FROM casino.other_play o WHERE o.player_id = f.player_id)),
        used AS (
            SELECT w.player_id, w.entry_no, w.round_id, w.amount, k.measure, k.period, k.amount AS bound,
                   CASE k.measure WHEN 'stake' THEN CASE k.period WHEN 'day' THEN w.staked_day
                       ELSE w.staked_month END + coalesce(o.staked, 0)
                                  ELSE w.open_now + CASE k.period WHEN 'day' THEN w.lost_day
                                      ELSE w.lost_month END - coalesce(o.result, 0) END AS used
              FROM counted w
             CROSS JOIN (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'),
                         ('net_loss', 'month')) m (measure, period)
             CROSS JOIN LATERAL (SELECT c.* FROM casino.player_limit c
                                  WHERE c.player_id = w.owner AND c.measure = m.measure
                                      AND c.period = m.period
                                    AND c.effective_from <= w.posted_at AND c.recorded_at <= w.recorded_at
                                  ORDER BY c.limit_no DESC LIMIT 1) k
              LEFT JOIN LATERAL (SELECT sum(x.staked) AS staked, sum(x.result) AS result
                                 FROM elsewhere v
                                 JOIN casino.other_play x ON x.player_id = v.player_id
                                  WHERE v.owner = w.owner AND x.recorded_at >= v.since
                                      AND x.recorded_at <= w.recorded_at AND x.played_at <= w.posted_at
                                    AND x.played_at >= date_trunc(k.period, w.posted_at,
                                                                  'Europe/Prague')) o ON true
             WHERE w.amount > 0 AND w.player_id = w.owner AND k.amount IS NOT NULL
               AND casino_internal.of_days(w.posted_at, w.recorded_at, since, until))
        SELECT u.measure || '_' || u.period, u.player_id, u.round_id, u.entry_no, 'at most ' || u.bound,
               u.used::text, jsonb_build_object('staked', u.amount)
          FROM used u WHERE u.used > u.bound;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_self_limit(date, date) IS
    'Part of the reconciliation, check self_limit: no stake beyond the limits that the player has set (D4 '
    '§6.5)';

CREATE FUNCTION casino_internal.check_cash_limit(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('cash_limit', from_day, to_day)).players;
BEGIN
    -- R7.41, R7.74: the account was too new, and no second person has approved the transfer. R12.151: the
    -- clock may have been put back in between
    RETURN QUERY
        SELECT 'approval', c.player_id, NULL::bigint, c.entry_no, 'approved by a second person before',
               'account registered at ' || a.registered_at || ', and not approved',
               jsonb_build_object('amount', c.amount)
          FROM casino.ledger c
          JOIN casino.ledger w ON w.player_id = c.player_id AND w.entry_no = c.withdrawal_entry_no
         CROSS JOIN LATERAL (SELECT o.*
                               FROM casino.payment_account o
                              WHERE o.player_id = c.player_id
                                AND o.account = c.account
                                AND o.recorded_at <= c.recorded_at
                              ORDER BY o.account_no DESC
                              LIMIT 1) a
         WHERE casino_internal.of_days(c.posted_at, c.recorded_at, since, until)
           AND c.kind = 'transfer_paid'
           AND (a.registered_at > w.posted_at OR c.posted_at < a.registered_at + interval '24 hours')
           AND NOT EXISTS (SELECT FROM casino.withdrawal_approval p
                            WHERE p.player_id = w.player_id
                              AND p.entry_no = w.entry_no
                              AND p.account_no = a.account_no
                              AND p.approved_at <= c.posted_at
                              AND p.recorded_at <= c.recorded_at + interval '1 minute'
                              AND casino_internal.same_eyes(a.recorded_by, p.recorded_by) IS NULL
                              AND casino_internal.same_eyes(p.recorded_by, c.recorded_by) IS NULL);

    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'cash_24_hours', c.player_id, NULL::bigint, c.entry_no, 'at most ' || d.amount || '.00 in '
            || d.hours || ' hours', s.cash::text, jsonb_build_object('amount', c.amount)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) c
         CROSS JOIN LATERAL (SELECT casino.duty_number('cash_amount', c.posted_at) AS amount,
                                    casino.duty_number('cash_window', c.posted_at)::integer AS hours) d
         CROSS JOIN LATERAL (SELECT sum(b.amount) AS cash
                               FROM (SELECT n.player_id FROM casino.player p
                                     JOIN casino.player n ON n.external_ref = p.external_ref
                                         WHERE p.player_id = c.player_id
                                     UNION SELECT c.player_id) a
                               JOIN casino.ledger b ON b.player_id = a.player_id AND b.kind = 'cash_paid'
                              WHERE b.posted_at > c.posted_at - make_interval(hours => d.hours)
                                  AND (b.posted_at, b.player_id, b.entry_no) <= (c.posted_at, c.player_id,
                                  c.entry_no)) s
         WHERE c.kind = 'cash_paid'
           AND (named IS NULL OR c.player_id = ANY (named)) AND s.cash > d.amount
        UNION ALL
        SELECT 'account', c.player_id, NULL, c.entry_no, 'a registered account', coalesce(c.account, 'none'),
               jsonb_build_object('amount', c.amount)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) c
         WHERE c.kind = 'transfer_paid'
           AND (named IS NULL OR c.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.payment_account a
                           WHERE a.player_id = c.player_id AND a.account = c.account
                               AND a.registered_at <= c.posted_at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_cash_limit(date, date) IS
    'Part of the reconciliation, check cash_limit: no more than 10 000 CZK in cash in any 24 hours (the '
    'figures in force at the payment), transfers to registered accounts (D4 §11.2), those to an account '
    'that was too new approved by a second person (R7.41)';

-- What was due at the end of a day has its breach: the night records it before the checks (R10.7).
CREATE FUNCTION casino_internal.check_winnings_overdue_of(round_id bigint) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT v.rule, e.player_id, e.round_id, e.entry_no, v.expected, v.found,
               jsonb_build_object('amount', e.payout, 'evaluated_at', r.evaluated_at)
          FROM (SELECT x.round_id, x.evaluated_at, casino.winnings_due_at(x.evaluated_at) AS due_at
                  FROM casino.round x WHERE x.round_id = check_winnings_overdue_of.round_id) r
          JOIN casino.evaluation e ON e.round_id = r.round_id AND e.payout > 0
          LEFT JOIN LATERAL (SELECT min(casino_internal.judged_at(l.posted_at, l.recorded_at)) AS posted_at
                                FROM casino.ledger l
                              WHERE l.player_id = e.player_id AND l.stake_entry_no = e.entry_no
                                  AND l.kind IN ('payout', 'correction') AND l.amount > 0) p ON true
         CROSS JOIN LATERAL (VALUES ('overdue', 'paid before ' || r.due_at,
                                     coalesce(p.posted_at::text, 'not paid'), true),
                                    ('unrecorded', 'a breach winnings_late', 'none',
                                     NOT EXISTS (SELECT FROM casino.breach b
                                                 WHERE b.player_id = e.player_id AND b.entry_no = e.entry_no
                                                     AND b.rule = 'winnings_late')))
                            v (rule, expected, found, holds)
         WHERE (p.posted_at IS NULL OR p.posted_at >= r.due_at) AND r.due_at <= clock_timestamp() AND v.holds;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_winnings_overdue_of(bigint) IS
    'Part of the reconciliation, check winnings_overdue: the same for the round given';

CREATE FUNCTION casino_internal.check_winnings_overdue(from_day date, to_day date)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    one bigint;
BEGIN
    -- deadlines that ended with one of the days, by the figure in force at the evaluation
    FOR one IN SELECT x.round_id
                 FROM casino.due_spans('winnings_days', from_day, to_day) s
                 JOIN casino.round x ON x.evaluated_at >= s.since AND x.evaluated_at < s.until
                WHERE x.status IN ('settled', 'withheld')
                  AND (x.withheld_at IS NOT NULL
                       OR x.status = 'withheld'
                       OR EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = x.round_id))
                ORDER BY x.round_id LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino_internal.check_winnings_overdue_of(one) f;
        EXCEPTION WHEN OTHERS THEN
            IF casino_internal.passes(SQLSTATE) THEN
                RAISE;
            END IF;
            RETURN NEXT ('error', NULL, one, NULL, 'the round can be evaluated', SQLSTATE || ': ' || SQLERRM,
                         '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_winnings_overdue(date, date) IS
    'Part of the reconciliation, check winnings_overdue: winnings whose 30th day ended with the days were '
    'paid, or their breach is recorded (D4 §11.1)';

CREATE FUNCTION casino_internal.check_withdrawal_overdue(from_day date, to_day date)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT v.rule, w.player_id, NULL::bigint, w.entry_no, v.expected, v.found,
               jsonb_build_object('amount', w.amount, 'requested_at', w.posted_at, 'method', w.method)
          FROM (SELECT l.player_id, l.entry_no, l.amount, l.posted_at, l.method,
              casino.withdrawal_due_at(l.posted_at) AS due_at
                  FROM casino.due_spans('withdrawal_days', from_day, to_day) s
                  JOIN casino.ledger l ON l.posted_at >= s.since AND l.posted_at < s.until
                 WHERE l.kind = 'withdrawal') w
          LEFT JOIN casino.ledger e ON e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no
         CROSS JOIN LATERAL (VALUES ('overdue', 'paid or cancelled before ' || w.due_at,
                                     coalesce(e.kind || ' at ' || e.posted_at, 'neither'), true),
                                    ('unrecorded', 'a breach withdrawal_late', 'none',
                                     NOT EXISTS (SELECT FROM casino.breach b
                                                 WHERE b.player_id = w.player_id AND b.entry_no = w.entry_no
                                                     AND b.rule = 'withdrawal_late')))
                            v (rule, expected, found, holds)
         WHERE (e.posted_at IS NULL OR casino_internal.judged_at(e.posted_at, e.recorded_at) >= w.due_at)
           AND w.due_at <= clock_timestamp()
           AND v.holds;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_withdrawal_overdue(date, date) IS
    'Part of the reconciliation, check withdrawal_overdue: withdrawals whose 60th day ended with the days '
    'were paid or cancelled, or their breach is recorded (D4 §11.2 b)';
