-- Checks of the reconciliation: is every haléř where the entries, the cards and the plan put it?  Each reads
-- ledger, rounds and plans and none of what the code that posted has kept for itself; each looks at the
-- entries that happened or were written on the days asked for (R10.1, R10.10).

-- Written into the query that calls it, so that its times are looked up by casino.ledger_day. The checks put
-- OFFSET 0 behind it: each further question is asked of the day's entries. The planner would take the
-- whole history of the players or kinds asked for from another index, and the day from both.
CREATE FUNCTION casino_internal.of_days(posted_at timestamptz, recorded_at timestamptz, since timestamptz,
                                        until timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN posted_at >= since AND posted_at < until OR recorded_at >= since AND recorded_at < until;
COMMENT ON FUNCTION casino_internal.of_days(timestamptz, timestamptz, timestamptz, timestamptz) IS
    'Part of the reconciliation: did an entry happen in that time, or was it written in it (R10.1)';

-- An index answers each part, so that a night reads no more when there are more days.
CREATE FUNCTION casino_internal.rounds_of(since timestamptz, until timestamptz) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.round_id
      FROM casino.round r
     WHERE r.evaluated_at >= rounds_of.since
       AND r.evaluated_at < rounds_of.until
    UNION ALL
    SELECT r.round_id
      FROM casino.round r
     WHERE casino.prague_day(r.evaluated_at) <> casino.prague_day(r.evaluation_recorded_at)
       AND r.evaluation_recorded_at >= rounds_of.since
       AND r.evaluation_recorded_at < rounds_of.until
       AND (r.evaluated_at < rounds_of.since OR r.evaluated_at >= rounds_of.until)
    UNION ALL
    SELECT r.round_id
      FROM casino.round r
     WHERE r.status IN ('open', 'closed')
$fn$;
COMMENT ON FUNCTION casino_internal.rounds_of(timestamptz, timestamptz) IS
    'Part of the reconciliation: rounds that were evaluated in that time, or whose evaluation was written in '
    'it (R10.1), and those that are not evaluated';

-- The same of acts after the evaluation: a release or a void of a withheld round, a correction.
CREATE FUNCTION casino_internal.rounds_ended(since timestamptz, until timestamptz) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE ROWS 10 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.round_id
      FROM casino.round r
     WHERE r.withheld_paid_at >= rounds_ended.since
       AND r.withheld_paid_at < rounds_ended.until
    UNION ALL
    SELECT r.round_id
      FROM casino.round r
     WHERE casino.prague_day(r.withheld_paid_at) <> casino.prague_day(r.withheld_paid_recorded_at)
       AND r.withheld_paid_recorded_at >= rounds_ended.since
       AND r.withheld_paid_recorded_at < rounds_ended.until
    UNION ALL
    SELECT r.round_id
      FROM casino.round r
     WHERE r.voided_at >= rounds_ended.since
       AND r.voided_at < rounds_ended.until
    UNION ALL
    SELECT r.round_id
      FROM casino.round r
     WHERE casino.prague_day(r.voided_at) <> casino.prague_day(r.voided_recorded_at)
       AND r.voided_recorded_at >= rounds_ended.since
       AND r.voided_recorded_at < rounds_ended.until
$fn$;
COMMENT ON FUNCTION casino_internal.rounds_ended(timestamptz, timestamptz) IS
    'Part of the reconciliation: rounds whose withheld winnings were released, or that were voided, in that '
    'time, or of which that was written in it';

-- What an entry adds to the wallet.
CREATE FUNCTION casino_internal.wallet_change(kind text, amount numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN kind IN ('deposit', 'payout', 'refund', 'withdrawal_cancelled', 'adjustment',
                              'correction') THEN amount
                WHEN kind IN ('stake', 'withdrawal') THEN - amount
                WHEN kind IN ('cash_paid', 'transfer_paid') THEN 0.00 END;
COMMENT ON FUNCTION casino_internal.wallet_change(text, numeric) IS
    'Part of the reconciliation: what an entry adds to the wallet; NULL for a kind that does not exist';

-- A stake returned for one of these reasons was never placed (D4 §8, §9).
CREATE FUNCTION casino_internal.never_placed(reason text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(reason IN ('cancelled', 'disconnected', 'late', 'excluded', 'misdealt'), false);
COMMENT ON FUNCTION casino_internal.never_placed(text) IS
    'Part of the reconciliation: was a stake returned for that reason before it was concluded';

-- Errors of passing: a lock that was not given, a resource that ran out, a cancelled or colliding
-- transaction.  They say nothing of the books (R10.20).
CREATE FUNCTION casino_internal.passes(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(code, 2) IN ('40', '53', '55', '57', '58') AND code <> '55000';
COMMENT ON FUNCTION casino_internal.passes(text) IS
    'Part of the reconciliation: is the error with that SQLSTATE one of the moment, which another attempt '
    'may not meet; 55000 is one of the data here';

-- R13.35: written with the refund of the main bet; the clock may have been put back in between (R12.151).
CREATE FUNCTION casino_internal.went_with_main(of_round bigint, player_id bigint, refund_no bigint,
                                               ended timestamptz) RETURNS boolean
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT FROM casino.ledger d
                     JOIN casino.ledger s
                       ON s.player_id = d.player_id
                      AND s.entry_no = d.stake_entry_no
                      AND s.book > casino_internal.last_book_without(of_round)
                     JOIN casino.ledger o
                       ON o.round_id = of_round
                      AND o.kind = 'stake'
                      AND o.seat IS NOT DISTINCT FROM s.seat
                      AND casino.kind(o.bet) = 'main'
                      AND o.book > casino_internal.last_book_without(of_round)
                     JOIN casino.ledger f
                       ON f.player_id = o.player_id
                      AND f.stake_entry_no = o.entry_no
                      AND f.kind = 'refund'
                      AND f.book > casino_internal.last_book_without(of_round)
                    WHERE d.player_id = went_with_main.player_id
                      AND d.entry_no = refund_no
                      AND d.book > casino_internal.last_book_without(of_round)
                      AND casino.kind(s.bet) = 'behind'
                      AND d.reason = CASE f.reason WHEN 'excluded' THEN 'cancelled' ELSE f.reason END
                      AND f.posted_at <= ended
                      -- the bet lay there when the main bet went back
                      AND s.recorded_at <= f.recorded_at
                      AND d.recorded_at - f.recorded_at BETWEEN interval '-1 minute' AND interval '1 minute')
$fn$;
COMMENT ON FUNCTION casino_internal.went_with_main(bigint, bigint, bigint, timestamptz) IS
    'Part of the end of betting and of the checks refund and late_stake: did a bet behind go back with the '
    'main bet of its seat, which went back by a time';

-- The reason of a refund is a word that anybody can write; what it says must be so (R7.66).  Of the player's
-- own stake, or of another one without which it could not stand: in the same round, returned for the same
-- reason, of the same player, or of the main bet that it is behind.
CREATE FUNCTION casino_internal.refund_fault(player_id bigint, refund_no bigint) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d record;
BEGIN
    SELECT l.reason, l.posted_at, l.recorded_at, s.entry_no, s.posted_at AS staked_at, s.bet,
           casino.kind(s.bet) AS kind, s.seat, s.hand, s.round_id,
           r.betting_closed_at, r.betting_until, r.evaluated_at, r.evaluation_recorded_at, b.requires,
           b.phase,
           greatest(b.min_stake, coalesce(m.min_stake, v.min_stake)) AS least
      INTO d
      FROM casino.ledger l
      JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no AND s.kind = 'stake'
      JOIN casino.round r ON r.round_id = s.round_id
      LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet)
      LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
      LEFT JOIN casino.table_limit m ON m.table_id = r.table_id AND m.version = r.table_version
          AND m.kind = b.kind
     WHERE l.player_id = refund_fault.player_id AND l.entry_no = refund_no AND l.kind = 'refund';
    -- of no stake or round: that is another difference
    IF NOT FOUND OR NOT casino_internal.never_placed(d.reason) THEN
        RETURN NULL;
    END IF;
    -- R12.151: an evaluation that claims a later time than its writing was written by a clock that was behind
    IF d.recorded_at > (CASE WHEN d.evaluated_at > d.evaluation_recorded_at
                             THEN d.evaluated_at + interval '1 minute'
                             ELSE d.evaluation_recorded_at END) THEN
        RETURN 'after_evaluation';
    END IF;
    IF d.reason = 'misdealt' THEN
        RETURN NULL;        -- the correction of the cards says which
    END IF;
    IF d.reason = 'late' THEN
        IF d.staked_at > d.betting_closed_at OR d.staked_at >= d.betting_until THEN
            RETURN NULL;
        END IF;
    ELSIF (d.posted_at > coalesce(d.betting_closed_at, d.evaluated_at) OR d.posted_at >= d.betting_until)
          -- a stake of after the close was never in (R11.8)
          AND NOT (coalesce(d.phase, 'betting') = 'betting'
                   AND (coalesce(d.staked_at > d.betting_closed_at, false)
                        OR coalesce(d.staked_at >= d.betting_until, false)))
          -- the end became known afterwards, or the main bet went back before it (R13.35)
          AND NOT EXISTS (SELECT FROM casino.breach x
                          WHERE x.player_id = refund_fault.player_id AND x.entry_no = d.entry_no
                              AND x.rule = 'taken_back_late')
          AND NOT casino_internal.went_with_main(
              d.round_id, refund_fault.player_id, refund_no,
              least(d.betting_closed_at, d.evaluated_at,
                    d.betting_until - interval '1 microsecond')) THEN
        RETURN 'after_close';
    ELSIF d.reason = 'cancelled'
          OR d.reason = 'excluded'
             AND EXISTS (SELECT FROM casino.exclusion e
                          WHERE e.player_id = refund_fault.player_id
                            AND e.excluded_from <= d.posted_at
                            AND e.excluded_until > d.posted_at
                            -- R12.159: the clock may have been put back in between
                            AND e.recorded_at <= d.recorded_at + interval '1 minute'
                            AND NOT EXISTS (SELECT FROM casino.exclusion_end n
                                             WHERE n.player_id = e.player_id
                                               AND n.exclusion_no = e.exclusion_no
                                               AND n.ended_at <= d.posted_at))
          -- written with the refund, at the time of the refund (R7.69)
          OR d.reason = 'disconnected'
             AND EXISTS (SELECT FROM casino.disconnection x
                          WHERE x.player_id = refund_fault.player_id
                            AND x.round_id = d.round_id
                            AND x.disconnected_at = d.posted_at
                            AND x.recorded_at <= d.recorded_at + interval '1 minute') THEN
        RETURN NULL;
    END IF;
    -- what it depends on went back
    IF d.reason = 'late'
       AND EXISTS (SELECT FROM casino.ledger o
                     JOIN casino.ledger f
                       ON f.player_id = o.player_id
                      AND f.stake_entry_no = o.entry_no
                      AND f.kind = 'refund'
                      AND f.reason = d.reason
                    WHERE o.round_id = d.round_id AND o.kind = 'stake'
                      AND o.player_id = refund_fault.player_id
                      AND o.entry_no <> d.entry_no
                      -- the bet that it needs, or a call beside a call (casino_stake_unsupported)
                      AND (casino.kind(o.bet) = d.requires OR d.phase = 'play'
                           OR d.kind = 'call' AND casino.kind(o.bet) = 'call'
                           -- a chip below the minimum alone, put on one that is dated later
                           OR casino.same_position(o.bet, d.bet) AND o.entry_no < d.entry_no
                              AND casino.stake(d.bet) < d.least)
                      AND o.seat IS NOT DISTINCT FROM d.seat
                      AND (o.posted_at > d.betting_closed_at OR o.posted_at >= d.betting_until))
       -- a bet behind goes with the main bet of the seat: the bet behind of an excluded owner, as cancelled
       OR d.kind = 'behind' AND d.reason IN ('late', 'disconnected')
          AND EXISTS (SELECT FROM casino.ledger o
                        JOIN casino.ledger f
                          ON f.player_id = o.player_id
                         AND f.stake_entry_no = o.entry_no
                         AND f.kind = 'refund'
                         AND f.reason = d.reason
                       WHERE o.round_id = d.round_id AND o.kind = 'stake'
                         AND casino.kind(o.bet) = 'main'
                         AND o.seat IS NOT DISTINCT FROM d.seat
                         AND (d.reason = 'disconnected'
                              OR o.posted_at > d.betting_closed_at
                              OR o.posted_at >= d.betting_until)) THEN
        RETURN NULL;
    END IF;
    RETURN 'not_' || d.reason;
END
$fn$;
COMMENT ON FUNCTION casino_internal.refund_fault(bigint, bigint) IS
    'Part of the reconciliation, check refund: the rule that the reason of a refund breaks; NULL: what it '
    'says is so';

CREATE FUNCTION casino_internal.check_entry_gap(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('entry_gap', from_day, to_day)).players;
    -- the book that was open 35 days before: a retry comes no later
    earliest CONSTANT integer := (SELECT max(t.book)
                                    FROM casino.book_turn t
                                   WHERE t.recorded_at <= since - interval '35 days');
BEGIN
    -- keys and ends of withdrawals are unique in each book; two books are looked at here (R12.41)
    RETURN QUERY
        SELECT 'key', l.player_id, l.round_id, l.entry_no, 'the key of one entry',
               'entry ' || o.entry_no || ' in book ' || o.book,
               jsonb_build_object('request_id', l.request_id, 'book', l.book)
          FROM casino.ledger l
          JOIN casino.ledger o
            ON o.player_id = l.player_id
           AND o.request_id = l.request_id
           AND o.request_line = l.request_line
         WHERE casino_internal.of_days(l.posted_at, l.recorded_at, since, until)
           -- of books that were put away the closing asked (R12.51, R12.52)
           AND o.book > (SELECT casino.last_book_away())
           AND o.book >= coalesce(earliest, 1)
           AND o.book < l.book
           AND o.entry_no <> l.entry_no
        UNION ALL
        SELECT 'ended', l.player_id, NULL, l.entry_no, 'one end of withdrawal ' || l.withdrawal_entry_no,
               'entry ' || o.entry_no || ' in book ' || o.book,
               jsonb_build_object('withdrawal_entry_no', l.withdrawal_entry_no, 'book', l.book)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
          JOIN casino.ledger o
            ON o.player_id = l.player_id
           AND o.withdrawal_entry_no = l.withdrawal_entry_no
         WHERE l.withdrawal_entry_no IS NOT NULL
           AND o.book > (SELECT casino.last_book_away())
           AND o.book < l.book
           AND o.entry_no <> l.entry_no;
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.player_id, l.entry_no, l.stake_entry_no, l.withdrawal_entry_no
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE (named IS NULL OR l.player_id = ANY (named))),
        touched AS MATERIALIZED (
            SELECT d.player_id, min(d.entry_no) AS low, max(d.entry_no) AS high FROM day d
             GROUP BY d.player_id),
        -- from the last entry before them on, whatever its number
        span AS (
            SELECT t.player_id, l.entry_no, lag(l.entry_no) OVER (PARTITION BY t.player_id
                                                                  ORDER BY l.entry_no) AS before
              FROM touched t
             CROSS JOIN LATERAL (SELECT coalesce((SELECT b.entry_no FROM casino.carried_entry b
                                                  WHERE b.player_id = t.player_id AND b.entry_no < t.low
                                                   ORDER BY b.entry_no DESC
                                                       LIMIT 1), t.low) AS first OFFSET 0) f
             CROSS JOIN LATERAL (SELECT x.entry_no FROM casino.carried_entry x
                                 WHERE x.player_id = t.player_id
                                     AND x.entry_no BETWEEN f.first AND t.high OFFSET 0) l)
        SELECT 'missing', s.player_id, NULL::bigint, coalesce(s.before, 0) + 1,
               'entry ' || coalesce(s.before, 0) + 1, 'no entry',
               jsonb_build_object('from', coalesce(s.before, 0) + 1, 'to', s.entry_no - 1)
          FROM span s JOIN touched t ON t.player_id = s.player_id
         WHERE s.entry_no > coalesce(s.before, 0) + 1
           -- the first of the span stands after a gap only if nothing at all is before it
           AND (s.before IS NOT NULL OR s.entry_no = t.low)
        UNION ALL
        SELECT 'order', d.player_id, NULL, d.entry_no, 'an entry before ' || d.entry_no,
               'entry ' || coalesce(d.stake_entry_no, d.withdrawal_entry_no), '{}'
          FROM day d WHERE coalesce(d.stake_entry_no, d.withdrawal_entry_no) >= d.entry_no
        UNION ALL
        -- a unique index is one book's, and no entry goes into a book that was turned (R12.40, R12.41)
        SELECT b.rule, b.player_id, NULL, b.entry_no, b.expected, b.found, jsonb_build_object('book', b.book)
          FROM (SELECT CASE WHEN l.before_no = l.entry_no THEN 'twice' ELSE 'book' END AS rule, l.player_id,
                       l.entry_no, l.book,
                       CASE WHEN l.before_no = l.entry_no THEN 'one entry ' || l.entry_no
                            ELSE 'not before book ' || l.before_book END AS expected,
                       'one in book ' || l.book AS found
                  FROM touched t
                 CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.book,
                                            lag(x.entry_no) OVER w AS before_no,
                                            lag(x.book) OVER w AS before_book
                                       FROM casino.carried_entry x
                                      WHERE x.player_id = t.player_id
                                        AND x.entry_no BETWEEN t.low - 1 AND t.high
                                     WINDOW w AS (ORDER BY x.entry_no, x.book)) l
                 WHERE l.before_no = l.entry_no OR l.before_book > l.book) b
        UNION ALL
        -- times do not fall: payouts and refunds bear the time of a decision on their round (R12.21); what is
        -- written has its clock, which may be set back a little
        SELECT v.rule, d.player_id, d.round_id, d.entry_no, 'not before ' || v.earliest, v.found::text,
               jsonb_build_object('kind', d.kind)
          FROM (SELECT t.low, l.*, max(l.posted_at) OVER w AS posted_before,
                max(l.recorded_at) OVER w - interval '5 minutes' AS recorded_before
                  FROM touched t
                 CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.round_id, x.kind, x.posted_at,
                                     x.recorded_at FROM casino.carried_entry x
                                      WHERE x.player_id = t.player_id
                                          AND x.entry_no BETWEEN t.low - 1 AND t.high OFFSET 0) l
                WINDOW w AS (PARTITION BY l.player_id
                             ORDER BY l.entry_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) d
         CROSS JOIN LATERAL (VALUES ('time', d.posted_before, d.posted_at,
                                     d.kind NOT IN ('payout', 'refund', 'correction')),
                                    ('written', d.recorded_before, d.recorded_at, true)) v (rule, earliest,
                                            found, ordered)
         WHERE d.entry_no >= d.low AND v.ordered AND v.found < v.earliest;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_entry_gap(date, date) IS
    'Part of the reconciliation, check entry_gap: the numbers of a player are 1 to n in the order of their '
    'times, and what an entry pays or ends comes before it';

-- All wallets together are what the entries have moved: by the kept totals of days and the entries since.  No
-- history is read, and a wallet is seen that no entry of the days concerns (R10.23).  Totals that do not have
-- every entry say nothing: then each player is asked.
CREATE FUNCTION casino_internal.wallets_fit() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept_until CONSTANT timestamptz := (SELECT casino.day_start(max(d.day) + 1) FROM casino.day_total d);
BEGIN
    RETURN kept_until IS NOT NULL AND coalesce((
        SELECT p.balance = k.balance + n.balance AND p.entries = k.entries + n.entries
          FROM (SELECT coalesce(sum(x.balance), 0) AS balance, coalesce(sum(x.last_entry_no), 0) AS entries
                FROM casino.player x) p
         CROSS JOIN (SELECT coalesce(sum(casino_internal.wallet_change(d.kind, d.amount)), 0) AS balance,
                     coalesce(sum(d.entries), 0) AS entries FROM casino.day_total d) k
         CROSS JOIN (SELECT coalesce(sum(casino_internal.wallet_change(l.kind, l.amount)), 0) AS balance,
                     count(*) AS entries
                       FROM casino.ledger l WHERE l.posted_at >= kept_until) n), false);
END
$fn$;
COMMENT ON FUNCTION casino_internal.wallets_fit() IS
    'Part of the reconciliation, check wallet: is the sum of all wallets what the entries give; false also '
    'where it cannot be said';

CREATE FUNCTION casino_internal.check_wallet(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('wallet', from_day, to_day)).players;
    players CONSTANT bigint[] := (casino_internal.suspects('state', from_day, to_day)).players;
    everybody CONSTANT boolean := players IS NULL OR NOT casino_internal.wallets_fit();
BEGIN
    -- the wallet itself: by the last entry, which has the sum of all
    IF everybody OR players <> '{}' THEN
        RETURN QUERY
            SELECT 'wallet', p.player_id, NULL::bigint, NULL::bigint, coalesce(e.balance, 0)::text,
                   p.balance::text, jsonb_build_object('last_entry_no', coalesce(e.entry_no, 0))
              FROM casino.player p
              -- OFFSET 0: by the key of each player
              LEFT JOIN LATERAL (SELECT l.entry_no, l.balance FROM casino.carried_entry l
                                 WHERE l.player_id = p.player_id
                                  ORDER BY l.entry_no DESC LIMIT 1) e ON true
             WHERE (everybody OR p.player_id = ANY (players))
                 AND p.balance IS DISTINCT FROM coalesce(e.balance, 0);
    END IF;
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- a balance that is wrong alone is one difference: the entry after it is held against the one before it,
    -- too
    RETURN QUERY
        WITH touched AS MATERIALIZED (
            SELECT l.player_id, min(l.entry_no) AS low, max(l.entry_no) AS high
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE (named IS NULL OR l.player_id = ANY (named))
             GROUP BY l.player_id),
        span AS (
            SELECT t.player_id, t.low, l.entry_no, l.kind, l.balance,
                   casino_internal.wallet_change(l.kind, l.amount) AS change, l.round_id,
                   coalesce(lag(l.balance) OVER w, 0) AS before,
                   coalesce(lag(l.balance, 2) OVER w, 0) AS before_that,
                   coalesce(lag(casino_internal.wallet_change(l.kind, l.amount)) OVER w, 0) AS change_before,
                   lag(l.entry_no) OVER w AS no_before
              FROM touched t
             CROSS JOIN LATERAL (SELECT coalesce((SELECT b.entry_no FROM casino.carried_entry b
                                                  WHERE b.player_id = t.player_id AND b.entry_no < t.low
                                                   ORDER BY b.entry_no DESC OFFSET 1 LIMIT 1),
                                                 (SELECT min(b.entry_no) FROM casino.carried_entry b
                                                  WHERE b.player_id = t.player_id)) AS first OFFSET 0) f
             -- OFFSET 0: by the key of each player, however many entries others have
             CROSS JOIN LATERAL (SELECT x.* FROM casino.carried_entry x
                                 WHERE x.player_id = t.player_id
                                     AND x.entry_no BETWEEN f.first AND t.high OFFSET 0) l
            WINDOW w AS (PARTITION BY t.player_id ORDER BY l.entry_no))
        SELECT 'balance', s.player_id, s.round_id, s.entry_no, (s.before + s.change)::text, s.balance::text,
               jsonb_build_object('before', s.before, 'change', s.change, 'kind', s.kind)
          FROM span s
         WHERE s.entry_no >= s.low AND s.balance IS DISTINCT FROM s.before + s.change
           AND NOT coalesce(s.no_before >= s.low AND s.before <> s.before_that + s.change_before
                            AND s.balance = s.before_that + s.change_before + s.change, false);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_wallet(date, date) IS
    'Part of the reconciliation, check wallet: the balance after each entry is the one before it and what '
    'the entry moves, so that it is the sum of all; the wallet is the last of them; all wallets are what '
    'all entries give';

CREATE FUNCTION casino_internal.check_negative(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('negative', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'below_zero', l.player_id, l.round_id, l.entry_no, 'at least 0.00', l.balance::text,
               jsonb_build_object('kind', l.kind, 'amount', l.amount)
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
         WHERE (named IS NULL OR l.player_id = ANY (named))
               AND NOT l.balance BETWEEN 0 AND 92233720368547758.07;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_negative(date, date) IS
    'Part of the reconciliation, check negative: no wallet is below zero, or beyond what it can hold, at '
    'any entry';

CREATE FUNCTION casino_internal.check_trial_balance(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('trial_balance', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.player_id, l.entry_no, l.kind, l.amount, l.round_id, l.bet, l.withdrawal_entry_no
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE (named IS NULL OR l.player_id = ANY (named))),
        free AS MATERIALIZED (SELECT k.kind FROM casino.bet_kinds() k WHERE k.free)
        SELECT x.rule, x.player_id, x.round_id, x.entry_no, x.expected, x.found,
               jsonb_build_object('kind', x.kind)
          FROM (SELECT CASE WHEN casino_internal.wallet_change(d.kind, 0) IS NULL THEN 'kind'
                            WHEN d.kind = 'stake' AND d.amount IS DISTINCT FROM
                                CASE WHEN casino.kind(d.bet) IN (SELECT f.kind FROM free f) THEN 0
                                    ELSE casino.stake(d.bet) END
                            THEN 'stake'
                            WHEN d.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid')
                                AND d.amount IS DISTINCT FROM w.amount THEN 'withdrawal'
                            WHEN d.amount <> trunc(d.amount, 2) OR d.amount = 'NaN' OR d.amount < 0
                                AND d.kind NOT IN ('adjustment', 'correction')
                                 OR d.amount = 0 AND d.kind NOT IN ('stake', 'refund') THEN 'amount'
                       END AS rule, d.player_id, d.round_id, d.entry_no, d.kind, d.amount::text AS found,
                       CASE WHEN casino_internal.wallet_change(d.kind, 0) IS NULL THEN 'a kind of entry'
                            WHEN d.kind = 'stake' THEN
                                CASE WHEN casino.kind(d.bet) IN (SELECT f.kind FROM free f) THEN '0.00'
                                    ELSE casino.stake(d.bet)::text END
                            WHEN w.amount IS NOT NULL THEN w.amount::text
                            WHEN d.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid')
                                THEN 'a withdrawal'
                            ELSE 'an amount of CZK' END AS expected
                  FROM day d
                  LEFT JOIN LATERAL (SELECT o.amount FROM casino.ledger o
                                      WHERE o.player_id = d.player_id AND o.entry_no = d.withdrawal_entry_no
                                          AND o.kind = 'withdrawal' OFFSET 0) w ON true) x
         WHERE x.rule IS NOT NULL
        UNION ALL
        -- what every entry has, and what one of its kind has
        SELECT 'columns', c.player_id, c.round_id, c.entry_no, 'a row of kind ' || coalesce(c.kind, 'NULL'),
               c.wrong, '{}'
          FROM (SELECT l.player_id, l.round_id, l.entry_no, l.kind,
                       concat_ws(', ', CASE WHEN l.player_id IS NULL
                                 THEN 'no player_id' END, CASE WHEN l.entry_no IS NULL
                                     THEN 'no entry_no' END, CASE WHEN l.kind IS NULL THEN 'no kind' END,
                                 CASE WHEN l.amount IS NULL THEN 'no amount' END, CASE WHEN l.balance IS NULL
                                     THEN 'no balance' END,
                                 CASE WHEN isfinite(l.posted_at) IS NOT TRUE
                                     THEN 'posted_at ' || coalesce(l.posted_at::text, 'NULL') END,
                                 CASE WHEN isfinite(l.recorded_at) IS NOT TRUE
                                     THEN 'recorded_at ' || coalesce(l.recorded_at::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('stake', 'payout', 'refund',
                                                       'correction')) > (l.round_id IS NOT NULL)
                                                           THEN 'no round_id' END,
                                 CASE WHEN (l.kind = 'stake') <> (l.bet IS NOT NULL) THEN
                                     CASE WHEN l.bet IS NULL THEN 'no bet' ELSE 'bet ' || l.bet END END,
                                 CASE WHEN (l.kind = 'correction') <> (l.correction_no IS NOT NULL)
                                     THEN 'correction_no ' || coalesce(l.correction_no::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('payout', 'refund', 'correction'))
                                           <> (l.stake_entry_no IS NOT NULL)
                                      THEN 'stake_entry_no ' || coalesce(l.stake_entry_no::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid'))
                                           <> (l.withdrawal_entry_no IS NOT NULL)
                                      THEN 'withdrawal_entry_no '
                                          || coalesce(l.withdrawal_entry_no::text, 'NULL') END) AS wrong
                  FROM (SELECT x.*
                          FROM casino.ledger x
                         WHERE x.book > (SELECT casino.last_book_away())
                           AND (casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                                OR x.posted_at IS NULL
                                OR x.recorded_at IS NULL
                                OR x.posted_at IN ('infinity', '-infinity'))
                        OFFSET 0) l
                 WHERE (named IS NULL OR l.player_id = ANY (named) OR l.player_id IS NULL)) c
         WHERE c.wrong <> ''
        UNION ALL
        -- as often as a withdrawal: paid, or cancelled, once
        SELECT 'ended_twice', y.player_id, NULL, y.entry_no, 'entry ' || y.first || ' alone',
               'entry ' || y.entry_no, jsonb_build_object('withdrawal', y.withdrawal_entry_no)
          FROM (SELECT e.player_id, e.entry_no, e.withdrawal_entry_no,
                min(e.entry_no) OVER (PARTITION BY e.player_id, e.withdrawal_entry_no) AS first
                  FROM (SELECT DISTINCT d.player_id, d.withdrawal_entry_no FROM day d
                        WHERE d.withdrawal_entry_no IS NOT NULL) w
                 CROSS JOIN LATERAL (SELECT o.player_id, o.entry_no, o.withdrawal_entry_no
                                     FROM casino.ledger o
                                      WHERE o.player_id = w.player_id
                                          AND o.withdrawal_entry_no = w.withdrawal_entry_no OFFSET 0) e) y
         WHERE y.entry_no <> y.first
        UNION ALL
        -- the house as a whole: what the wallets gained is what the other accounts gave
        SELECT 'accounts', NULL, NULL, NULL, '0.00', a.balance::text,
               jsonb_build_object('accounts', a.accounts)
          FROM (SELECT sum(b.balance) AS balance, jsonb_object_agg(b.account, b.balance) AS accounts
                  FROM (SELECT v.account, sum(v.amount) AS balance
                          FROM (SELECT d.kind, sum(d.amount) AS amount FROM day d GROUP BY d.kind) t
                          LEFT JOIN casino.entry_kinds() k ON k.kind = t.kind
                         CROSS JOIN LATERAL (VALUES ('player_wallets',
                                                     - casino_internal.wallet_change(t.kind, t.amount)),
                                                    (CASE WHEN k.debit_account <> 'player_wallets'
                                                     THEN k.debit_account END, t.amount),
                                                    (CASE WHEN k.credit_account <> 'player_wallets'
                                                     THEN k.credit_account END,
                                                         - t.amount)) v (account, amount)
                         WHERE v.account IS NOT NULL GROUP BY v.account) b) a
         WHERE a.balance <> 0;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_trial_balance(date, date) IS
    'Part of the reconciliation, check trial_balance: each entry is of a kind that balances and of an '
    'amount that its bet or withdrawal gives, and the accounts sum to zero';

-- Rounds whose wagers are to be looked at: evaluated, paid or voided in the period, or with a payout or
-- refund in it; of what the sieve names only these.
CREATE FUNCTION casino_internal.reconciled_rounds(from_day date, to_day date, named bigint[],
                                                  named_rounds bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE ROWS 10000 SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    IF named IS NULL THEN
        RETURN QUERY SELECT r.round_id FROM casino.round r
            WHERE r.evaluated_at >= since AND r.evaluated_at < until;
    ELSE
        RETURN QUERY
            SELECT r.round_id FROM casino.round r
             WHERE r.evaluated_at >= since AND r.evaluated_at < until
               AND (r.round_id = ANY (named_rounds)
                    -- by the round and the player, not by the players' histories
                    OR EXISTS (SELECT FROM casino.ledger l
                               WHERE l.round_id = r.round_id AND l.kind = 'stake'
                                   AND l.player_id = ANY (named) OFFSET 0));
    END IF;
    RETURN QUERY
        SELECT DISTINCT l.round_id
          FROM (SELECT x.*
                  FROM casino.ledger x
                 WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                OFFSET 0) l
         WHERE l.round_id IS NOT NULL AND l.kind IN ('stake', 'payout', 'refund', 'correction')
               AND (named IS NULL OR l.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.round r
                            WHERE r.round_id = l.round_id AND r.evaluated_at >= since
                                AND r.evaluated_at < until
                              AND (named IS NULL OR r.round_id = ANY (named_rounds)
                                   OR EXISTS (SELECT FROM casino.ledger s
                                              WHERE s.round_id = r.round_id AND s.kind = 'stake'
                                                  AND s.player_id = ANY (named))) OFFSET 0);
END
$fn$;
COMMENT ON FUNCTION casino_internal.reconciled_rounds(date, date, bigint[], bigint[]) IS
    'Part of the reconciliation: rounds evaluated on the days, or with entries of the days; of these '
    'players, and these rounds, alone';

-- What is due now: not what is withheld of the round or of the player and has not ended.
CREATE FUNCTION casino_internal.check_payout_of(rounds bigint[], since timestamptz, until timestamptz,
                                                named bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT r.round_id, r.status, r.evaluated_at, r.withheld_at, r.withheld_paid_at,
                   r.withheld_by <> r.evaluated_by OR r.withheld_at <> r.evaluated_at AS ordered
              FROM casino.round r
             WHERE r.round_id = ANY (rounds)
               -- of whose result was corrected the check correction knows
               AND NOT EXISTS (SELECT FROM casino.correction_decision d
                               WHERE d.round_id = r.round_id AND d.version IS NOT NULL)),
        due AS MATERIALIZED (
            SELECT e.round_id, e.player_id, e.entry_no, e.grade, e.payout, e.bet,
                   CASE WHEN a.status = 'settled' THEN h.player_id IS NULL OR n.how = 'paid'
                       ELSE n.how IS NOT DISTINCT FROM 'paid' END AS payable,
                   -- by hand (R7.45)
                   a.status = 'withheld' AND h.player_id IS NULL AND a.ordered IS FALSE AS may_be_paid,
                   -- what is not withheld is paid with the evaluation; what is, when that ends, and by hand
                   -- before (R12.12, R10.32)
                   CASE WHEN h.player_id IS NOT NULL THEN n.ended_at ELSE a.evaluated_at END AS paid_from,
                   CASE WHEN h.player_id IS NOT NULL THEN n.ended_at WHEN a.withheld_at IS NULL
                       THEN a.evaluated_at
                        ELSE coalesce(greatest(n.ended_at, a.withheld_paid_at), 'infinity') END AS paid_to
              FROM asked a
              JOIN casino.evaluation e ON e.round_id = a.round_id
              LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = e.round_id
              LEFT JOIN casino.withholding_end n ON n.player_id = e.player_id AND n.round_id = e.round_id
             WHERE e.payout > 0),
        -- payouts of their stakes, and of whatever else on these days names the rounds or none
        paid AS MATERIALIZED (
            SELECT p.player_id, p.entry_no, p.stake_entry_no, p.amount, p.grade, p.round_id, p.posted_at,
                   s.round_id AS stake_round_id,
                   row_number() OVER (PARTITION BY p.player_id, p.stake_entry_no ORDER BY p.entry_no) AS nth
              FROM (SELECT s.player_id, s.entry_no, s.round_id FROM asked a
                    JOIN casino.ledger s ON s.round_id = a.round_id AND s.kind = 'stake') s
              JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no
                  AND p.kind = 'payout'
            UNION ALL
            SELECT p.player_id, p.entry_no, p.stake_entry_no, p.amount, p.grade, p.round_id, p.posted_at,
                   p.round_id, 1
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) p
             WHERE (named IS NULL OR p.player_id = ANY (named))
               AND p.kind = 'payout'
               AND (p.round_id = ANY (rounds) OR p.round_id IS NULL)
               AND NOT EXISTS (SELECT FROM casino.ledger s
                               WHERE s.player_id = p.player_id AND s.entry_no = p.stake_entry_no
                                  AND s.kind = 'stake'
                                      AND (s.round_id IS NOT DISTINCT FROM p.round_id
                                           OR s.round_id = ANY (rounds))))
        SELECT CASE WHEN p.entry_no IS NULL THEN 'missing' WHEN p.nth > 1 THEN 'twice' WHEN d.entry_no IS NULL
               THEN 'of_nothing'
                    WHEN NOT d.payable AND NOT d.may_be_paid THEN 'withheld'
                        WHEN (p.amount, p.grade) IS DISTINCT FROM (d.payout, d.grade) THEN 'wrong'
                    WHEN p.round_id IS DISTINCT FROM p.stake_round_id THEN 'round' ELSE 'time' END,
               coalesce(p.player_id, d.player_id), coalesce(d.round_id, p.round_id),
               coalesce(p.entry_no, d.entry_no),
               CASE WHEN d.entry_no IS NULL OR p.nth > 1 OR NOT d.payable AND NOT d.may_be_paid
                   THEN 'no payout'
                    WHEN p.entry_no IS NULL OR (p.amount, p.grade) IS DISTINCT FROM (d.payout, d.grade)
                        THEN concat_ws(' ', d.payout, d.grade)
                    WHEN p.round_id IS DISTINCT FROM p.stake_round_id THEN 'round ' || p.stake_round_id
                    WHEN d.paid_from = d.paid_to THEN 'at ' || d.paid_from
                        ELSE 'from ' || d.paid_from || ' to ' || d.paid_to END,
               CASE WHEN p.entry_no IS NULL THEN 'no payout'
                    WHEN d.entry_no IS NULL OR p.nth > 1 OR NOT d.payable AND NOT d.may_be_paid
                         OR (p.amount, p.grade) IS DISTINCT FROM (d.payout, d.grade)
                             THEN concat_ws(' ', p.amount, p.grade)
                    WHEN p.round_id IS DISTINCT FROM p.stake_round_id
                        THEN 'round ' || coalesce(p.round_id::text, 'none') ELSE p.posted_at::text END,
               jsonb_strip_nulls(jsonb_build_object('stake', coalesce(d.entry_no, p.stake_entry_no), 'bet',
                                                    d.bet::text))
          FROM (SELECT d.* FROM due d) d
          FULL JOIN paid p ON p.player_id = d.player_id AND p.stake_entry_no = d.entry_no
         WHERE CASE WHEN p.entry_no IS NULL THEN d.payable
                    ELSE d.entry_no IS NULL OR p.nth > 1 OR NOT d.payable AND NOT d.may_be_paid
                        OR (p.amount, p.grade) IS DISTINCT FROM (d.payout, d.grade)
                         OR p.round_id IS DISTINCT FROM p.stake_round_id
                             OR p.posted_at BETWEEN d.paid_from AND d.paid_to IS NOT TRUE END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_payout_of(bigint[], timestamptz, timestamptz, bigint[]) IS
    'Part of the reconciliation, check payout: the same for the rounds given';

CREATE FUNCTION casino_internal.check_payout(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    suspect CONSTANT record := casino_internal.suspects('payout', from_day, to_day);
    rounds CONSTANT bigint[] := ARRAY (SELECT r
                                       FROM casino_internal.reconciled_rounds(from_day, to_day,
                                                                              suspect.players,
                                                                              suspect.rounds) r);
    one bigint;
BEGIN
    IF suspect.players = '{}' AND suspect.rounds = '{}' THEN
        RETURN;
    END IF;
    BEGIN
        RETURN QUERY SELECT f.* FROM casino_internal.check_payout_of(rounds, since, until, suspect.players) f;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF casino_internal.passes(SQLSTATE) THEN
            RAISE;
        END IF;
        -- one that cannot be evaluated: found below
    END;
    FOREACH one IN ARRAY rounds LOOP
        BEGIN
            RETURN QUERY SELECT f.*
                FROM casino_internal.check_payout_of(ARRAY[one], since, until, suspect.players) f;
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
COMMENT ON FUNCTION casino_internal.check_payout(date, date) IS
    'Part of the reconciliation, check payout: what casino.evaluation gives is paid, once, and nothing else';

-- Stakes that came after a card that was recorded wrongly, and before it was corrected: by the records, or by
-- the times that they claim (R11.30). No clock changes the order of the records (R12.158).
CREATE FUNCTION casino_internal.misdealt_stake(round_id bigint, OUT player_id bigint, OUT entry_no bigint,
                                               OUT seat integer, OUT amount numeric, OUT bet casino.bet,
                                               OUT corrected_at timestamptz) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, s.entry_no, s.seat, s.amount, s.bet, c.corrected_at
      FROM casino.deal_correction c
      JOIN casino.deal w ON w.round_id = c.round_id AND w.deal_no = c.wrong_deal_no
      JOIN casino.ledger s ON s.round_id = c.round_id AND s.kind = 'stake'
      JOIN casino.round r ON r.round_id = c.round_id
     -- what a bet behind follows with is made with the owner's, though it may be dated later (R11.60)
     CROSS JOIN LATERAL (
            SELECT CASE WHEN casino.kind(s.bet) <> 'behind'
                             AND EXISTS (SELECT FROM casino.ledger b
                                          WHERE b.round_id = s.round_id
                                            AND b.kind = 'stake'
                                            AND b.player_id = s.player_id
                                            AND b.seat = s.seat
                                            AND casino.kind(b.bet) = 'behind')
                        THEN (SELECT min(o.posted_at)
                                FROM casino.ledger o
                               WHERE o.round_id = s.round_id
                                 AND o.kind = 'stake'
                                 AND o.seat = s.seat
                                 AND coalesce(o.hand, 1) = coalesce(s.hand, 1)
                                 AND casino.kind(o.bet) = casino.kind(s.bet)
                                 -- stakes that an earlier correction returned are not among these
                                 AND NOT EXISTS (SELECT FROM casino.ledger f
                                                  WHERE f.player_id = o.player_id
                                                    AND f.stake_entry_no = o.entry_no
                                                    AND f.kind = 'refund'
                                                    AND f.recorded_at < w.recorded_at))
                        ELSE s.posted_at END AS at) m
     WHERE c.round_id = misdealt_stake.round_id
       AND NOT c.wagers_stand
       -- R12.152, R12.157: by the clock, which may have been put back, it may come later
       AND (s.posted_at < r.betting_closed_at) IS NOT TRUE
       AND NOT EXISTS (SELECT FROM casino.bet_rule b
                        WHERE b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet) AND b.phase = 'betting')
       AND (s.recorded_at >= w.recorded_at OR m.at > w.dealt_at)
       AND s.recorded_at < c.recorded_at
$fn$;
COMMENT ON FUNCTION casino_internal.misdealt_stake(bigint) IS
    'Part of the reconciliation, check refund: stakes of a round that a correction of its cards returns';

CREATE FUNCTION casino_internal.check_refund(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('refund', from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.*
              FROM (SELECT x.*
                      FROM casino.ledger x
                     WHERE casino_internal.of_days(x.posted_at, x.recorded_at, since, until)
                    OFFSET 0) l
             WHERE l.kind = 'refund'
               AND (named IS NULL OR l.player_id = ANY (named)))
        SELECT CASE WHEN s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id THEN 'of_nothing'
                    WHEN o.entry_no IS NOT NULL THEN 'twice'
                    WHEN s.amount IS DISTINCT FROM d.amount THEN 'amount'
                    ELSE coalesce(casino_internal.refund_fault(d.player_id, d.entry_no), 'not_due') END,
               d.player_id, d.round_id, d.entry_no,
               CASE WHEN s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id THEN 'no refund'
                    WHEN o.entry_no IS NOT NULL THEN 'entry ' || o.entry_no || ' alone'
                    WHEN s.amount IS DISTINCT FROM d.amount THEN s.amount::text
                    ELSE CASE casino_internal.refund_fault(d.player_id, d.entry_no)
                              WHEN 'after_evaluation' THEN 'recorded before the evaluation was'
                              WHEN 'after_close'
                              THEN 'not after '
                                   || coalesce(r.betting_closed_at, r.betting_until, r.evaluated_at)
                              WHEN 'not_late'
                              THEN 'a stake after ' || coalesce(r.betting_closed_at, r.betting_until)::text
                              WHEN 'not_excluded' THEN 'an exclusion in force'
                              WHEN 'not_disconnected' THEN 'a disconnection at ' || d.posted_at
                              ELSE CASE WHEN d.reason = 'misdealt'
                                        THEN 'no refund: no correction of cards asks for it'
                                        ELSE 'no refund: the round is '
                                             || coalesce(r.status, 'not there') END END END,
               d.amount::text || coalesce(' ' || d.reason, ''), jsonb_build_object('stake', d.stake_entry_no)
          FROM day d
          LEFT JOIN casino.ledger s ON s.player_id = d.player_id AND s.entry_no = d.stake_entry_no
              AND s.kind = 'stake'
          LEFT JOIN casino.round r ON r.round_id = d.round_id
          LEFT JOIN LATERAL (SELECT x.entry_no FROM casino.ledger x
                              WHERE x.player_id = d.player_id AND x.stake_entry_no = d.stake_entry_no
                                  AND x.entry_no < d.entry_no
                              ORDER BY x.entry_no LIMIT 1) o ON true
          LEFT JOIN casino.withholding_end n ON n.player_id = d.player_id AND n.round_id = d.round_id
              AND n.how = 'voided'
         WHERE s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id OR o.entry_no IS NOT NULL
             OR s.amount IS DISTINCT FROM d.amount
            OR NOT (casino_internal.never_placed(d.reason) OR d.reason IS NOT DISTINCT FROM 'voided'
                    AND (r.status IS NOT DISTINCT FROM 'voided' OR n.round_id IS NOT NULL))
            OR casino_internal.refund_fault(d.player_id, d.entry_no) IS NOT NULL
            OR d.reason IS NOT DISTINCT FROM 'misdealt'
               AND NOT EXISTS (SELECT FROM casino_internal.misdealt_stake(d.round_id) m
                               WHERE m.player_id = d.player_id
                                  AND (m.entry_no = d.stake_entry_no OR m.seat IS NOT DISTINCT FROM s.seat)
                                      AND m.corrected_at <= d.posted_at)
        UNION ALL
        -- what came after a wrong card went back, unless the correction lets it stand
        SELECT 'missing', m.player_id, c.round_id, m.entry_no, m.amount || ' returned', 'no refund',
               jsonb_build_object('bet', m.bet::text, 'reason', 'misdealt')
          FROM (SELECT DISTINCT x.round_id FROM casino.deal_correction x
                WHERE casino_internal.of_days(x.corrected_at, x.recorded_at, since, until)) c
         CROSS JOIN LATERAL casino_internal.misdealt_stake(c.round_id) m
         WHERE (named IS NULL OR m.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.ledger f
                           WHERE f.player_id = m.player_id AND f.stake_entry_no = m.entry_no
                               AND f.kind = 'refund')
        UNION ALL
        SELECT 'missing', s.player_id, s.round_id, s.entry_no, s.amount || ' returned', 'no refund',
               jsonb_build_object('bet', s.bet::text)
          FROM casino.round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
         WHERE (named IS NULL OR s.player_id = ANY (named)) AND r.status = 'voided'
             AND coalesce(r.voided_at, r.evaluated_at) >= since AND r.evaluated_at < until
           AND NOT EXISTS (SELECT FROM casino.correction_decision v
                           WHERE v.round_id = r.round_id AND v.version IS NOT NULL)
           AND NOT EXISTS (SELECT FROM casino.ledger f
                           WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)
        UNION ALL
        SELECT 'missing', s.player_id, s.round_id, s.entry_no, s.amount || ' returned', 'no refund',
               jsonb_build_object('bet', s.bet::text)
          FROM casino.withholding_end n
          JOIN casino.ledger s ON s.round_id = n.round_id AND s.kind = 'stake' AND s.player_id = n.player_id
         WHERE (named IS NULL OR s.player_id = ANY (named)) AND n.how = 'voided' AND n.ended_at >= since
             AND n.ended_at < until
           -- a voided round is asked above, and a corrected one by the check correction; that leaves out
           -- players who were withheld alone (R11.39)
           AND NOT EXISTS (SELECT FROM casino.round r
                            WHERE r.round_id = n.round_id
                              AND r.status = 'voided'
                              AND (NOT EXISTS (SELECT FROM casino.withholding h
                                                WHERE h.round_id = n.round_id AND h.player_id = n.player_id)
                                   OR NOT EXISTS (SELECT FROM casino.correction_decision v
                                                   WHERE v.round_id = n.round_id
                                                     AND v.version IS NOT NULL)))
           AND NOT EXISTS (SELECT FROM casino.ledger f
                           WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_refund(date, date) IS
    'Part of the reconciliation, check refund: refunds are of stakes, whole, once, for a reason that is so, '
    'and what was voided went back';

CREATE FUNCTION casino_internal.check_round_figures(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino_internal.suspects('round_figures', from_day, to_day)).rounds;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- a round that cannot be: what happened to it does not follow, or is at no time
    RETURN QUERY
        SELECT 'times', NULL::bigint, r.round_id, NULL::bigint,
               'times in their order, as its status has them',
               concat_ws(', ', coalesce(r.status, 'no status'), 'opened ' || r.opened_at,
                         'closed ' || r.betting_closed_at, 'decided ' || r.actions_closed_at,
                         'evaluated ' || r.evaluated_at),
               jsonb_build_object('betting_until', r.betting_until)
          FROM casino.round r
         WHERE (r.evaluated_at >= since AND r.evaluated_at < until OR r.evaluated_at IS NULL
                OR r.evaluated_at IN ('infinity', '-infinity'))
                    AND (named IS NULL OR r.round_id = ANY (named))
           AND (r.status IN ('open', 'closed', 'withheld', 'settled', 'voided') IS NOT TRUE
                OR isfinite(r.opened_at) IS NOT TRUE OR NOT isfinite(r.betting_closed_at)
                OR NOT isfinite(r.actions_closed_at) OR NOT isfinite(r.evaluated_at)
                    OR NOT isfinite(r.betting_until)
                OR (r.status IN ('open', 'closed')) = (r.evaluated_at IS NOT NULL)
                    OR r.betting_closed_at < r.opened_at OR r.evaluated_at < r.betting_closed_at);
    -- paid: of what is withheld, or was voided for single players, the evaluation says what was to be paid,
    -- which is the check payout's
    RETURN QUERY
        SELECT x.rule, NULL::bigint, f.round_id, NULL::bigint, x.expected::text, x.found::text,
               jsonb_build_object('status', f.status)
          FROM (SELECT r.round_id, r.status, r.wagers, r.players, r.staked, r.paid, c.wagers AS counted,
                c.players AS who, c.staked AS stakes, c.paid AS payouts,
                       (r.status = 'voided' OR r.status = 'settled'
                        AND NOT EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = r.round_id)
                       AND NOT EXISTS (SELECT FROM casino.withholding_end h WHERE h.round_id = r.round_id))
                       AND NOT EXISTS (SELECT FROM casino.correction_decision d
                                       WHERE d.round_id = r.round_id AND d.version IS NOT NULL) AS all_paid
                  FROM casino.round r
                 CROSS JOIN LATERAL (SELECT count(*) AS wagers, count(DISTINCT s.player_id) AS players,
                                     coalesce(sum(s.amount), 0) AS staked,
                                            coalesce(sum(p.amount), 0) AS paid
                                       FROM casino.ledger s
                                       -- a stake counts once, with the first entry that ended it (R10.41)
                                       LEFT JOIN LATERAL (SELECT f.amount,
                                                                 f.kind = 'refund'
                                                            AND casino_internal.never_placed(f.reason) AS gone
                                                            FROM casino.ledger f
                                                           WHERE f.player_id = s.player_id
                                                             AND f.stake_entry_no = s.entry_no
                                                           ORDER BY f.entry_no
                                                           LIMIT 1) p ON true
                                      WHERE s.round_id = r.round_id AND s.kind = 'stake'
                                          AND p.gone IS NOT TRUE OFFSET 0) c
                 WHERE r.evaluated_at >= since AND r.evaluated_at < until
                     AND (named IS NULL OR r.round_id = ANY (named))) f
         CROSS JOIN LATERAL (VALUES ('wagers', f.counted::numeric, f.wagers::numeric, true),
                             ('players', f.who::numeric, f.players::numeric, true),
                                    ('staked', f.stakes, f.staked, true),
                                    ('paid', f.payouts, f.paid, f.all_paid)) x (rule, expected, found,
                                            compared)
         WHERE x.compared AND x.expected IS DISTINCT FROM x.found
        UNION ALL
        -- where winnings are or were withheld, paid is the sum that the evaluation gives (R7.44); voided
        -- wagers are not there to be asked (R10.11)
        SELECT 'paid', NULL, r.round_id, NULL, e.paid::text, r.paid::text,
               jsonb_build_object('status', r.status)
          FROM casino.round r
         CROSS JOIN LATERAL (SELECT coalesce(sum(w.payout), 0) AS paid
                               FROM casino.ledger s
                              CROSS JOIN LATERAL casino_internal.evaluated_wager(s.round_id, s.player_id,
                                                                                 s.entry_no) w
                              WHERE s.round_id = r.round_id AND s.kind = 'stake') e
         WHERE r.evaluated_at >= since AND r.evaluated_at < until
           AND (named IS NULL OR r.round_id = ANY (named))
           AND (r.status = 'withheld'
                OR r.status = 'settled'
                   AND (EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = r.round_id)
                        OR EXISTS (SELECT FROM casino.withholding_end h WHERE h.round_id = r.round_id)))
           AND NOT EXISTS (SELECT FROM casino.correction_decision d
                            WHERE d.round_id = r.round_id AND d.version IS NOT NULL)
           AND NOT EXISTS (SELECT FROM casino.withholding_end h
                            WHERE h.round_id = r.round_id AND h.how = 'voided')
           AND e.paid IS DISTINCT FROM r.paid;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_round_figures(date, date) IS
    'Part of the reconciliation, check round_figures: wagers, players, staked and paid of an evaluated '
    'round are those of its entries';

CREATE FUNCTION casino_internal.check_played(round_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_check_played' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.check_played(bigint) IS
    'Part of the reconciliation, check outcome: KR001 when the round could not have been played so with the '
    'wagers that it has';

-- Cards by which wagers are graded are those of the document: both in one form.
CREATE FUNCTION casino_internal.check_outcome_of(rounds bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- hands have stakes, doubled and split ones the wagers for it; where no wager is placed in play the cards
    -- are anybody's.  Where a player's wagers were voided after the evaluation they had stood, and are not
    -- there to be asked (R10.11)
    PERFORM casino_internal.check_played(r.round_id)
      FROM casino.round r
     WHERE r.round_id = ANY (rounds) AND r.status IN ('settled', 'withheld')
       AND EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = r.plan_id AND b.phase <> 'betting')
       AND NOT EXISTS (SELECT FROM casino.withholding_end e
                       WHERE e.round_id = r.round_id AND e.how = 'voided');
    RETURN QUERY
        WITH given AS MATERIALIZED (
            SELECT r.round_id, g.family, r.outcome,
                   casino.canonical_outcome(g.family, x.rules, r.outcome_document) AS document
              FROM casino.round r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game
             CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(u.rule, u.value), '{}') AS rules
                                 FROM casino.plan_rule u WHERE u.plan_id = r.plan_id OFFSET 0) x
             WHERE r.round_id = ANY (rounds) AND r.outcome IS NOT NULL)
        SELECT 'document', NULL::bigint, o.round_id, NULL::bigint, o.document::text, o.outcome::text,
               '{}'::jsonb
          FROM given o WHERE o.document IS DISTINCT FROM o.outcome
        UNION ALL
        SELECT 'cards', NULL, o.round_id, NULL, c.expected, coalesce(d.cards::text, 'no cards'),
               jsonb_build_object('side', c.side)
          FROM given o
         CROSS JOIN LATERAL (SELECT k.side, nullif(o.document ->> k.side, '') AS expected
                             FROM unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
                              WHERE jsonb_typeof(o.document -> k.side) = 'string') c
          LEFT JOIN casino.dealt_hand d ON d.round_id = o.round_id AND d.side = c.side
         WHERE c.expected IS NOT NULL AND d.cards::text IS DISTINCT FROM c.expected
        UNION ALL
        SELECT 'cards', NULL, o.round_id, NULL, c.expected, c.found, jsonb_build_object('side', 'box')
          FROM given o
         CROSS JOIN LATERAL (SELECT (SELECT string_agg(b.cards, ', ' ORDER BY b.cards)
                                       FROM (SELECT h.value ->> 'cards' AS cards
                                             FROM jsonb_array_elements(coalesce(o.document -> 'hands',
                                                     o.document -> 'seats')) h
                                              WHERE h.value ->> 'cards' <> '') b) AS expected,
                                    (SELECT string_agg(d.cards::text, ', ' ORDER BY d.cards::text)
                                     FROM casino.dealt_hand d
                                      WHERE d.round_id = o.round_id AND d.side = 'box'
                                          AND casino.card_count(d.cards) > 0) AS found) c
         WHERE o.family IN ('blackjack', 'texas_holdem') AND c.expected IS DISTINCT FROM c.found;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_outcome_of(bigint[]) IS
    'Part of the reconciliation, check outcome: the same for the rounds given';

CREATE FUNCTION casino_internal.check_outcome_documents(from_day date, to_day date)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    rounds CONSTANT bigint[] := ARRAY (SELECT r.round_id FROM casino.round r
                                       WHERE r.evaluated_at >= since AND r.evaluated_at < until);
    one bigint;
BEGIN
    RETURN QUERY
        SELECT 'none', NULL::bigint, r.round_id, NULL::bigint, 'an outcome', 'none',
               jsonb_build_object('status', r.status)
          FROM casino.round r
         WHERE r.evaluated_at >= since AND r.evaluated_at < until AND r.status IN ('settled', 'withheld')
             AND (r.outcome IS NULL OR r.outcome_document IS NULL);
    BEGIN
        RETURN QUERY SELECT f.* FROM casino_internal.check_outcome_of(rounds) f;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF casino_internal.passes(SQLSTATE) THEN
            RAISE;
        END IF;
        -- one that could not be dealt so: found below
    END;
    FOREACH one IN ARRAY rounds LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino_internal.check_outcome_of(ARRAY[one]) f;
        EXCEPTION WHEN OTHERS THEN
            DECLARE
                why text;
            BEGIN
                IF casino_internal.passes(SQLSTATE) THEN
                    RAISE;
                END IF;
                GET STACKED DIAGNOSTICS why = PG_EXCEPTION_DETAIL;
                RETURN NEXT ('impossible', NULL, one, NULL, 'an outcome by the rules',
                             (SELECT r.outcome_document::text FROM casino.round r WHERE r.round_id = one),
                             jsonb_build_object('code', SQLSTATE, 'message', SQLERRM, 'why',
                                                why))::casino.finding;
            END;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_outcome_documents(date, date) IS
    'Part of the reconciliation, check outcome: the document that was sent could be dealt so under the '
    'plan, and is what wagers are graded by';
