-- Finished days, added up once (R10.40): accounts, tax base, tables, and sums of players with limits. All of
-- it can be made again from the ledger; the check state makes it again and compares. A kept day answers only
-- as long as the books of the day are those that it was made of.

CREATE FUNCTION casino_internal.install_kept_days() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.day_total (
        day     date NOT NULL,
        kind    text NOT NULL,
        entries bigint NOT NULL CHECK (entries > 0),
        amount  numeric NOT NULL,
        PRIMARY KEY (day, kind)
    );
    COMMENT ON TABLE casino.day_total
        IS 'Part of account_movements(): movements of finished Prague days by kind of entry: made by '
           'keep_day_totals() from the ledger, and made anew when an entry was dated back';
    COMMENT ON COLUMN casino.day_total.day IS 'Prague day of the entries';
    COMMENT ON COLUMN casino.day_total.kind IS 'Kind of entry; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.day_total.entries IS 'Entries';
    COMMENT ON COLUMN casino.day_total.amount IS 'CZK, the sum of their amounts';

    CREATE TABLE casino.kept_day (
        day         date PRIMARY KEY,
        entries     bigint NOT NULL CHECK (entries >= 0),
        evaluated   bigint NOT NULL CHECK (evaluated >= 0),
        corrections bigint NOT NULL CHECK (corrections >= 0),
        kept_at     timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.kept_day
        IS 'Finished Prague days that casino.kept_table, kept_game and kept_player have: nothing of them is '
           'open or withheld. A day whose counts differ from the books is not answered from there';
    COMMENT ON COLUMN casino.kept_day.day IS 'Prague day';
    COMMENT ON COLUMN casino.kept_day.entries IS 'Ledger entries of the day';
    COMMENT ON COLUMN casino.kept_day.evaluated IS 'Rounds evaluated or voided on the day';
    COMMENT ON COLUMN casino.kept_day.corrections
        IS 'Corrections of results of these rounds that were decided';
    COMMENT ON COLUMN casino.kept_day.kept_at IS 'When it was added up';

    CREATE TABLE casino.kept_table (
        day       date NOT NULL REFERENCES casino.kept_day ON DELETE CASCADE,
        table_id  bigint NOT NULL,
        plan_id   bigint NOT NULL,
        settled   bigint NOT NULL,
        voided    bigint NOT NULL,
        wagers    bigint NOT NULL,
        staked    numeric NOT NULL,
        won       numeric NOT NULL,
        returned  numeric NOT NULL,
        corrected numeric NOT NULL,
        result    numeric,
        expected  numeric,
        variance  numeric,
        PRIMARY KEY (day, table_id, plan_id)
    );
    COMMENT ON TABLE casino.kept_table IS 'Part of daily_table(): the figures of kept days';
    COMMENT ON COLUMN casino.kept_table.day IS 'Prague day of the evaluation';
    COMMENT ON COLUMN casino.kept_table.table_id IS 'Table';
    COMMENT ON COLUMN casino.kept_table.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.kept_table.settled IS 'Rounds settled';
    COMMENT ON COLUMN casino.kept_table.voided IS 'Rounds voided';
    COMMENT ON COLUMN casino.kept_table.wagers IS 'Wagers that stand';
    COMMENT ON COLUMN casino.kept_table.staked IS 'CZK staked by them';
    COMMENT ON COLUMN casino.kept_table.won IS 'CZK won of them';
    COMMENT ON COLUMN casino.kept_table.returned IS 'CZK of stakes returned';
    COMMENT ON COLUMN casino.kept_table.corrected
        IS 'CZK that corrections posted on the day gave the players';
    COMMENT ON COLUMN casino.kept_table.result IS 'CZK that the house won of bets whose return is counted';
    COMMENT ON COLUMN casino.kept_table.expected IS 'CZK that the house was to win of them';
    COMMENT ON COLUMN casino.kept_table.variance IS 'Variance of that, CZK squared';

    CREATE TABLE casino.kept_game (
        day       date NOT NULL REFERENCES casino.kept_day ON DELETE CASCADE,
        game      text NOT NULL,
        stakes    numeric NOT NULL,
        returned  numeric NOT NULL,
        winnings  numeric NOT NULL,
        corrected numeric NOT NULL,
        PRIMARY KEY (day, game)
    );
    COMMENT ON TABLE casino.kept_game IS 'Part of tax_base(): the figures of kept days';
    COMMENT ON COLUMN casino.kept_game.day IS 'Prague day of the entries';
    COMMENT ON COLUMN casino.kept_game.game IS 'Game';
    COMMENT ON COLUMN casino.kept_game.stakes IS 'CZK of stakes taken';
    COMMENT ON COLUMN casino.kept_game.returned IS 'CZK of stakes returned';
    COMMENT ON COLUMN casino.kept_game.winnings IS 'CZK of winnings paid';
    COMMENT ON COLUMN casino.kept_game.corrected IS 'CZK that corrections of results gave the players';

    CREATE TABLE casino.kept_player (
        day       date NOT NULL REFERENCES casino.kept_day ON DELETE CASCADE,
        player_id bigint NOT NULL,
        staked    numeric NOT NULL,
        lost      numeric NOT NULL,
        PRIMARY KEY (player_id, day)
    );
    CREATE INDEX kept_player_day ON casino.kept_player (day);
    COMMENT ON INDEX casino.kept_player_day IS 'Finds the sums of a day';
    COMMENT ON TABLE casino.kept_player
        IS 'Part of the check self_limit: stakes and losses of kept days, of players who had limits then';
    COMMENT ON COLUMN casino.kept_player.day IS 'Prague day';
    COMMENT ON COLUMN casino.kept_player.player_id IS 'Player';
    COMMENT ON COLUMN casino.kept_player.staked IS 'CZK staked on the day, as limits count it';
    COMMENT ON COLUMN casino.kept_player.lost IS 'CZK lost, net of winnings, in rounds evaluated on the day';

    PERFORM casino_internal.refuse_truncate('kept_day', 'kept_table', 'kept_game', 'kept_player');

    -- totals of days count as long as they and the entries since are all entries that players have. R12.55:
    -- those of the days that books which were put away reach into cannot be counted anew
    CREATE VIEW casino.kept_until AS
        SELECT CASE WHEN n.entries
                         = k.entries + (SELECT count(*) FROM casino.ledger l WHERE l.posted_at >= k.until)
                    THEN k.until
                    WHEN n.entries
                         = (SELECT coalesce(sum(d.entries), 0)
                              FROM casino.day_total d
                             WHERE casino.day_start(d.day + 1) <= a.until)
                           + (SELECT count(*) FROM casino.ledger l WHERE l.posted_at >= a.until)
                    THEN a.until END AS until
          FROM (SELECT (max(d.day) + 1)::timestamp AT TIME ZONE 'Europe/Prague' AS until,
                       coalesce(sum(d.entries), 0) AS entries
                  FROM casino.day_total d) k
         CROSS JOIN (SELECT coalesce(sum(p.last_entry_no), 0) AS entries FROM casino.player p) n
         CROSS JOIN (SELECT casino.day_start(casino.prague_day(max(c.last_posted_at)) + 1) AS until
                       FROM casino.book_closing c
                      WHERE c.book = ANY (casino_internal.books_away())) a;
    COMMENT ON VIEW casino.kept_until
        IS 'How far casino.day_total goes';
    COMMENT ON COLUMN casino.kept_until.until
        IS 'End of the days that casino.day_total has. When an entry has come that it does not have: the end '
           'of the last day of the books that were put away, NULL without such books';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_kept_days()
    IS 'Part of casino.install(): finished days, added up';

-- Days that answer from their kept sums: every count that was taken then is the same now.
CREATE FUNCTION casino_internal.kept_days(from_day date, to_day date)
    RETURNS TABLE (day date, kept_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH u AS MATERIALIZED (
        SELECT x.until FROM casino.kept_until x),
    -- an open round is shown with the day of its opening
    opened AS MATERIALIZED (
        SELECT casino.prague_day(r.opened_at) AS day
          FROM casino.round r
         WHERE r.status IN ('open', 'closed'))
    SELECT k.day, k.kept_at
      FROM u
      JOIN casino.kept_day k ON casino.day_start(k.day + 1) <= u.until
      LEFT JOIN (SELECT d.day, sum(d.entries) AS entries
                   FROM casino.day_total d
                  WHERE d.day BETWEEN kept_days.from_day AND kept_days.to_day
                  GROUP BY d.day) t ON t.day = k.day
      LEFT JOIN (SELECT casino.prague_day(r.evaluated_at) AS day, count(*) AS corrections
                   FROM casino.correction_decision c
                   JOIN casino.round_correction o ON o.correction_no = c.correction_no
                   JOIN casino.round r ON r.round_id = o.round_id
                  -- a round is corrected after its evaluation
                  WHERE c.version IS NOT NULL
                    AND c.decided_at >= casino.day_start(kept_days.from_day)
                  GROUP BY 1) c ON c.day = k.day
     CROSS JOIN LATERAL (SELECT count(*) AS evaluated
                           FROM casino.round r
                          WHERE r.evaluated_at >= casino.day_start(k.day)
                            AND r.evaluated_at < casino.day_start(k.day + 1)
                         OFFSET 0) e
     WHERE k.day BETWEEN kept_days.from_day AND kept_days.to_day
       AND k.entries = coalesce(t.entries, 0)
       AND k.evaluated = e.evaluated
       AND k.corrections = coalesce(c.corrections, 0)
       AND NOT EXISTS (SELECT FROM opened o WHERE o.day = k.day)
$fn$;
COMMENT ON FUNCTION casino_internal.kept_days(date, date)
    IS 'Part of the figures: Prague days that are answered from their kept sums, because nothing has come to '
       'them after that';

-- The days in between, which are counted: as few ranges as there are.
CREATE FUNCTION casino_internal.open_ranges(from_day date, to_day date) RETURNS TABLE (first date, last date)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT x.before + 1, x.day - 1
      FROM (SELECT k.day, lag(k.day) OVER (ORDER BY k.day) AS before
              FROM (SELECT d.day
                      FROM casino_internal.kept_days(open_ranges.from_day, open_ranges.to_day) d
                    UNION ALL
                    VALUES (open_ranges.from_day - 1), (open_ranges.to_day + 1)) k) x
     WHERE x.before + 1 <= x.day - 1
$fn$;
COMMENT ON FUNCTION casino_internal.open_ranges(date, date)
    IS 'Part of the figures: the Prague days that kept_days() does not have, in ranges';

-- Of players with limits: stakes and losses of a day, as the check self_limit counts it (R11.38).
CREATE FUNCTION casino_internal.counted_player(day date)
RETURNS TABLE (player_id bigint, staked numeric, lost numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH limited AS MATERIALIZED (
        SELECT DISTINCT k.player_id FROM casino.player_limit k),
    -- a stake that was placed on the day and whose round was evaluated on it is looked at once
    stake AS MATERIALIZED (
        SELECT v.player_id, v.entry_no, v.round_id, v.staked, bool_or(v.placed) AS placed,
               bool_or(v.evaluated) AS evaluated
          FROM (SELECT l.player_id, l.entry_no, l.round_id, l.amount AS staked, true AS placed,
                       false AS evaluated
                  FROM casino.ledger l
                  JOIN limited m ON m.player_id = l.player_id
                 WHERE l.posted_at >= casino.day_start(counted_player.day)
                   AND l.posted_at < casino.day_start(counted_player.day + 1)
                   AND l.kind = 'stake'
                UNION ALL
                SELECT l.player_id, l.entry_no, l.round_id, l.amount, false, true
                  FROM casino.round r
                 CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.round_id, x.amount
                                       FROM casino.ledger x
                                      WHERE x.round_id = r.round_id AND x.kind = 'stake'
                                     OFFSET 0) l
                  JOIN limited m ON m.player_id = l.player_id
                 WHERE r.evaluated_at >= casino.day_start(counted_player.day)
                   AND r.evaluated_at < casino.day_start(counted_player.day + 1)) v
         GROUP BY v.player_id, v.entry_no, v.round_id, v.staked),
    moved AS (
        SELECT s.player_id, CASE WHEN s.placed THEN s.staked ELSE 0 END AS staked,
               CASE WHEN NOT s.evaluated OR f.kind = 'refund' THEN 0
                    ELSE s.staked - CASE WHEN f.kind = 'payout' THEN f.amount ELSE 0 END END AS lost
          FROM stake s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN LATERAL (SELECT x.player_id, x.entry_no, x.kind, x.amount, x.reason
                               FROM casino.ledger x
                              WHERE x.player_id = s.player_id
                                AND x.stake_entry_no = s.entry_no
                                AND x.correction_no IS NULL
                              ORDER BY x.entry_no
                              LIMIT 1) f ON true
         -- a stake that went back for a reason that is not so was placed (R7.69)
         WHERE NOT (f.kind IS NOT DISTINCT FROM 'refund'
                    AND (r.betting_closed_at IS NULL
                         OR casino_internal.never_placed(f.reason)
                            AND casino_internal.refund_fault(f.player_id, f.entry_no) IS NULL))
        UNION ALL
        SELECT l.player_id, 0, -l.amount
          FROM casino.ledger l
          JOIN limited m ON m.player_id = l.player_id
         WHERE l.posted_at >= casino.day_start(counted_player.day)
           AND l.posted_at < casino.day_start(counted_player.day + 1)
           AND l.kind IN ('correction', 'adjustment')
           AND l.round_id IS NOT NULL)
    SELECT v.player_id, sum(v.staked), sum(v.lost) FROM moved v GROUP BY v.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.counted_player(date)
    IS 'Part of the check self_limit: stakes and losses of a Prague day, of players who have limits';

CREATE FUNCTION casino_internal.keep_one_day(day date) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first CONSTANT timestamptz := casino.day_start(day);
    next CONSTANT timestamptz := casino.day_start(day + 1);
    kept casino.kept_day;
BEGIN
    DELETE FROM casino.kept_day k WHERE k.day = keep_one_day.day;
    -- R12.73: a round that was opened on the day and is open, one whose stakes of the day may go back yet, or
    -- winnings held back may change the day yet; a round from before does not that has no stake of the day
    IF EXISTS (SELECT FROM casino.round r
                WHERE r.status IN ('open', 'closed') AND r.opened_at < next
                  AND (r.opened_at >= first
                       OR EXISTS (SELECT FROM casino.ledger l
                                   WHERE l.round_id = r.round_id AND l.kind = 'stake'
                                     AND l.posted_at >= first AND l.posted_at < next)))
       OR EXISTS (SELECT FROM casino.round r
                   WHERE r.evaluated_at >= first AND r.evaluated_at < next
                     AND (r.status = 'withheld'
                          OR EXISTS (SELECT FROM casino.withholding h
                                      WHERE h.round_id = r.round_id
                                        AND NOT EXISTS (SELECT FROM casino.withholding_end e
                                                         WHERE e.round_id = h.round_id
                                                           AND e.player_id = h.player_id)))) THEN
        RETURN false;
    END IF;
    INSERT INTO casino.kept_day AS n (day, entries, evaluated, corrections, kept_at)
    SELECT keep_one_day.day,
           (SELECT coalesce(sum(d.entries), 0) FROM casino.day_total d WHERE d.day = keep_one_day.day),
           (SELECT count(*) FROM casino.round r WHERE r.evaluated_at >= first AND r.evaluated_at < next),
           (SELECT count(*)
              FROM casino.correction_decision c
              JOIN casino.round_correction o ON o.correction_no = c.correction_no
              JOIN casino.round r ON r.round_id = o.round_id
             WHERE c.version IS NOT NULL AND r.evaluated_at >= first AND r.evaluated_at < next),
           clock_timestamp()
    RETURNING n.* INTO kept;
    IF kept.entries = 0 AND kept.evaluated = 0 THEN
        RETURN true;
    END IF;
    INSERT INTO casino.kept_game (day, game, stakes, returned, winnings, corrected)
    SELECT g.* FROM casino_internal.counted_game(day, day) g;
    INSERT INTO casino.kept_table (day, table_id, plan_id, settled, voided, wagers, staked, won, returned,
                                   corrected, result, expected, variance)
    SELECT t.day, t.table_id, t.plan_id, t.settled, t.voided, t.wagers, t.staked, t.won, t.returned,
           t.corrected, t.result, t.expected, t.variance
      FROM casino_internal.counted_table(day, day) t;
    INSERT INTO casino.kept_player (day, player_id, staked, lost)
    SELECT keep_one_day.day, p.player_id, p.staked, p.lost FROM casino_internal.counted_player(day) p;
    RETURN true;
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    -- a day that cannot be added up is counted when it is asked for, and says why there
    RETURN false;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_one_day(date)
    IS 'Part of keep_day_totals(): adds up a finished Prague day; false: something of it is open or withheld';

CREATE FUNCTION casino.keep_day_totals(to_day date DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.keep_day_totals(date)
    IS 'Keeps the sums of finished Prague days, up to one (NULL: yesterday), so that the figures and the '
       'check self_limit need not read them again; all days anew when an entry was dated back into one. '
       'Returns how many days were kept';

CREATE FUNCTION casino_internal.keep_day_totals_impl(to_day date) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    yesterday CONSTANT date := (clock_timestamp() AT TIME ZONE 'Europe/Prague')::date - 1;
    last CONSTANT date := least(coalesce(keep_day_totals_impl.to_day, yesterday), yesterday);
    kept timestamptz;
    days integer;
BEGIN
    PERFORM casino_internal.take_lock('keep_day_totals');
    SELECT u.until INTO kept FROM casino.kept_until u;
    DELETE FROM casino.day_total d WHERE d.day >= casino.prague_day(coalesce(kept, '-infinity'));
    WITH day AS (
        INSERT INTO casino.day_total AS d (day, kind, entries, amount)
        SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date, l.kind, count(*), sum(l.amount)
          FROM casino.ledger l
         WHERE l.posted_at >= coalesce(kept, '-infinity')
           AND l.posted_at < (last + 1)::timestamp AT TIME ZONE 'Europe/Prague'
         GROUP BY 1, 2
        RETURNING d.day)
    SELECT count(DISTINCT day.day) INTO days FROM day;
    -- those that are not kept, or not of these books any more
    PERFORM casino_internal.keep_one_day(g.day::date)
       FROM (SELECT min(d.day) AS first, max(d.day) AS newest FROM casino.day_total d) f
      CROSS JOIN LATERAL generate_series(f.first::timestamp, f.newest::timestamp, interval '1 day') g (day)
      WHERE g.day::date NOT IN (SELECT k.day FROM casino_internal.kept_days(f.first, f.newest) k);
    RETURN days;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_day_totals_impl(date)
    IS 'Body of keep_day_totals(), run as the owner of the ledger';

-- The kept sums of days are those that the books give (R10.40); days that the books have outgrown are not
-- compared, because they answer nothing.
CREATE FUNCTION casino_internal.check_kept_days(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- of an audit the first day is long before the first entry
    low CONSTANT date := (SELECT greatest(from_day, min(d.day)) FROM casino.day_total d);
BEGIN
    RETURN QUERY
        SELECT 'day_total', NULL::bigint, NULL::bigint, NULL::bigint,
               coalesce(c.entries || ' entries of ' || c.amount, 'none'),
               coalesce(t.entries || ' entries of ' || t.amount, 'none'),
               jsonb_build_object('day', coalesce(c.day, t.day), 'kind', coalesce(c.kind, t.kind))
          FROM (SELECT casino.prague_day(l.posted_at) AS day, l.kind, count(*) AS entries,
                       sum(l.amount) AS amount
                  FROM casino.ledger l
                 WHERE l.posted_at >= casino.day_start(low) AND l.posted_at < casino.day_start(to_day + 1)
                 GROUP BY 1, 2) c
          FULL JOIN (SELECT d.* FROM casino.day_total d WHERE d.day BETWEEN low AND to_day) t
                 ON t.day = c.day AND t.kind = c.kind
         WHERE coalesce(c.day, t.day) < (SELECT casino.prague_day(u.until) FROM casino.kept_until u)
           AND (c.entries, c.amount) IS DISTINCT FROM (t.entries, t.amount);
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT k.day, k.kept_at FROM casino_internal.kept_days(low, to_day) k),
        counted AS MATERIALIZED (
            SELECT 'kept_game' AS rule, d.day, NULL::bigint AS player_id, g.game AS key, to_jsonb(g) AS sums
              FROM day d
             CROSS JOIN LATERAL casino_internal.counted_game(d.day, d.day) g
            UNION ALL
            SELECT 'kept_table', d.day, NULL, t.table_id || ' ' || t.plan_id,
                   to_jsonb(t) - '{held,unevaluated,withheld}'::text[]
              FROM day d
             CROSS JOIN LATERAL casino_internal.counted_table(d.day, d.day) t
            UNION ALL
            SELECT 'kept_player', d.day, p.player_id, p.player_id::text,
                   to_jsonb(p) || jsonb_build_object('day', d.day)
              FROM day d
             CROSS JOIN LATERAL casino_internal.counted_player(d.day) p
             -- who had limits then
             WHERE EXISTS (SELECT FROM casino.player_limit k
                            WHERE k.player_id = p.player_id AND k.recorded_at < d.kept_at)),
        kept AS MATERIALIZED (
            SELECT 'kept_game' AS rule, d.day, NULL::bigint AS player_id, g.game AS key, to_jsonb(g) AS sums
              FROM day d JOIN casino.kept_game g ON g.day = d.day
            UNION ALL
            SELECT 'kept_table', d.day, NULL, t.table_id || ' ' || t.plan_id, to_jsonb(t)
              FROM day d JOIN casino.kept_table t ON t.day = d.day
            UNION ALL
            SELECT 'kept_player', d.day, p.player_id, p.player_id::text, to_jsonb(p)
              FROM day d JOIN casino.kept_player p ON p.day = d.day)
        SELECT coalesce(c.rule, k.rule), coalesce(c.player_id, k.player_id), NULL::bigint, NULL::bigint,
               coalesce(c.sums::text, 'none'), coalesce(k.sums::text, 'none'),
               jsonb_build_object('day', coalesce(c.day, k.day))
          FROM counted c
          -- each row has a key of its own: a hash join that compared the players of a day in pairs was
          -- quadratic
          FULL JOIN kept k ON k.rule = c.rule AND k.day = c.day AND k.key = c.key
         WHERE c.sums IS DISTINCT FROM k.sums;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_kept_days(date, date)
    IS 'Part of the reconciliation, check state: the kept sums of days are those of the books';
