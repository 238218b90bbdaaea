-- Figures that people look at (chapter 9 of doc/readings.md): CZK, Prague days, both days included. They read
-- the entries of the days asked for (index ledger_day) or the rounds evaluated then (index
-- round_evaluated_at), not the history before them.

CREATE FUNCTION casino_internal.install_figures() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    event record;
BEGIN
    -- a few bytes a range of pages: events come nearly in the order of their times
    FOR event IN SELECT c.relation AS name, c.claimed AS time FROM casino_internal.claimed_times() c
                 UNION ALL
                 VALUES ('breach', 'occurred_at'), ('difference_note', 'recorded_at') LOOP
        EXECUTE format('CREATE INDEX %I ON casino.%I USING brin (%I) WITH (pages_per_range = 16)',
                       event.name || '_day', event.name, event.time);
        EXECUTE format('COMMENT ON INDEX casino.%I IS %L', event.name || '_day',
                       'Finds the events of a day, whatever the history');
    END LOOP;
    CREATE INDEX round_voided ON casino.round (voided_at, evaluated_at) WHERE voided_at IS NOT NULL;
    CREATE INDEX round_released ON casino.round (withheld_paid_at, evaluated_at)
        WHERE withheld_paid_at IS NOT NULL;
    COMMENT ON INDEX casino.round_released IS 'Finds the rounds whose winnings were released on a day';
    CREATE INDEX round_released_late ON casino.round (withheld_paid_recorded_at)
        WHERE casino.prague_day(withheld_paid_at) <> casino.prague_day(withheld_paid_recorded_at);
    CREATE INDEX round_voided_late ON casino.round (voided_recorded_at)
        WHERE casino.prague_day(voided_at) <> casino.prague_day(voided_recorded_at);
    COMMENT ON INDEX casino.round_released_late
        IS 'Finds the releases that were written on another day than that on which they are dated';
    COMMENT ON INDEX casino.round_voided_late
        IS 'Finds the voids that were written on another day than that on which they are dated';
    CREATE INDEX round_withheld_at ON casino.round (withheld_at) WHERE withheld_at IS NOT NULL;
    COMMENT ON INDEX casino.round_voided IS 'Finds the rounds voided on a day';
    COMMENT ON INDEX casino.round_withheld_at IS 'Finds the rounds whose winnings were withheld on a day';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_figures()
    IS 'Part of casino.install(): totals of days, indexes by time';

-- ------------------------------------------------------------------------------------- tables, tax, accounts

-- Rounds of the days: those evaluated or voided then, and of those opened then what is not evaluated yet.
CREATE FUNCTION casino_internal.figure_rounds(from_day date, to_day date)
RETURNS TABLE (day date, round_id bigint, table_id bigint, plan_id bigint, status text,
               evaluated_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (r.evaluated_at AT TIME ZONE 'Europe/Prague')::date, r.round_id, r.table_id, r.plan_id, r.status,
           r.evaluated_at
      FROM casino.round r
     WHERE r.evaluated_at >= from_day::timestamp AT TIME ZONE 'Europe/Prague'
       AND r.evaluated_at < (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
    UNION ALL
    SELECT (r.opened_at AT TIME ZONE 'Europe/Prague')::date, r.round_id, r.table_id, r.plan_id, r.status, NULL
      FROM casino.round r
     WHERE r.status IN ('open', 'closed')
       AND r.opened_at >= from_day::timestamp AT TIME ZONE 'Europe/Prague'
       AND r.opened_at < (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
$fn$;
COMMENT ON FUNCTION casino_internal.figure_rounds(date, date)
    IS 'Part of the figures: rounds evaluated or voided on Prague days, and rounds opened then that are not '
       'evaluated yet';

-- Winnings of a round that are held back: asked only where something of it can be (R9.2).
CREATE FUNCTION casino_internal.figure_wagers(from_day date, to_day date)
RETURNS TABLE (day date, round_id bigint, table_id bigint, plan_id bigint, status text,
               evaluated_at timestamptz, player_id bigint, entry_no bigint,
               staked numeric, returned boolean, paid numeric, withheld numeric, bet casino.bet)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH round AS MATERIALIZED (
        SELECT f.*, f.status = 'withheld'
               OR (f.status = 'settled'
                   AND EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = f.round_id)) AS held
          FROM casino_internal.figure_rounds(figure_wagers.from_day, figure_wagers.to_day) f
    ), held AS MATERIALIZED (
        SELECT w.player_id, w.entry_no, w.payout
          FROM round r
         CROSS JOIN LATERAL casino_internal.withheld_winnings(r.round_id) w
         WHERE r.held
    )
    SELECT r.day, r.round_id, r.table_id, r.plan_id, r.status, r.evaluated_at, s.player_id, s.entry_no,
           s.amount, coalesce(p.kind = 'refund', false),
           CASE WHEN p.kind = 'payout' THEN p.amount ELSE 0.00 END, coalesce(h.payout, 0.00), s.bet
      FROM round r
     -- OFFSET 0: by the round and by the stake, however many others there are
     CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.amount, x.bet, x.book
                           FROM casino.ledger x
                          WHERE x.round_id = r.round_id AND x.kind = 'stake'
                            AND x.book > casino_internal.last_book_without(r.round_id)
                         OFFSET 0) s
      LEFT JOIN LATERAL (SELECT x.kind, x.amount
                           FROM casino.ledger x
                          WHERE x.player_id = s.player_id
                            AND x.stake_entry_no = s.entry_no
                            AND x.correction_no IS NULL
                            -- a payout or refund follows its stake
                            AND x.book >= s.book
                         OFFSET 0) p
           ON true
      LEFT JOIN held h ON h.player_id = s.player_id AND h.entry_no = s.entry_no AND p.kind IS NULL
$fn$;
COMMENT ON FUNCTION casino_internal.figure_wagers(date, date)
    IS 'Part of the figures: wagers of the rounds of figure_rounds(), with what was returned, paid and is '
       'held back';

-- Equal bets of a round together: what a bet is watched as is asked once for all of them.
CREATE FUNCTION casino_internal.figure_bets(from_day date, to_day date)
RETURNS TABLE (day date, round_id bigint, table_id bigint, plan_id bigint, status text, kind text,
               selection text, of_kind boolean, wagers bigint, staked numeric, returned numeric, won numeric,
               withheld numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH bet AS MATERIALIZED (
        SELECT f.day, f.round_id, f.table_id, f.plan_id, f.status, f.bet,
               count(*) FILTER (WHERE NOT f.returned) AS wagers,
               coalesce(sum(f.staked) FILTER (WHERE NOT f.returned), 0.00) AS staked,
               coalesce(sum(f.staked) FILTER (WHERE f.returned), 0.00) AS returned,
               sum(f.paid + f.withheld) AS won, sum(f.withheld) AS withheld
          FROM casino_internal.figure_wagers(figure_bets.from_day, figure_bets.to_day) f
         WHERE f.evaluated_at IS NOT NULL
         GROUP BY f.day, f.round_id, f.table_id, f.plan_id, f.status, f.bet
    ), rules AS MATERIALIZED (
        SELECT p.plan_id, coalesce(bool_or(u.rule = 'surrender' AND u.value = 'table'), false) AS surrender,
               coalesce(bool_or(u.rule = 'insurance_own_blackjack' AND u.value = 'true'), false)
                   AS own_blackjack
          FROM casino.game_plan p
          LEFT JOIN casino.plan_rule u ON u.plan_id = p.plan_id
         GROUP BY p.plan_id
    )
    SELECT b.day, b.round_id, b.table_id, b.plan_id, b.status, k.kind,
           -- of which rows of plan_returns() its main bets and insurances are
           CASE k.kind
                WHEN 'main' THEN CASE WHEN v.surrender AND x.surrender THEN 'surrender' ELSE '' END
                WHEN 'insurance' THEN CASE WHEN x.own_blackjack THEN '' ELSE 'no_blackjack' END
                WHEN 'ante' THEN 'with_call'
                ELSE coalesce(casino.selection(b.bet), '') END,
           casino.kind(b.bet) IN (k.kind, 'behind'), b.wagers, b.staked, b.returned, b.won, b.withheld
      FROM bet b
      JOIN casino.round r ON r.round_id = b.round_id
      JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
      JOIN rules x ON x.plan_id = b.plan_id
     CROSS JOIN LATERAL (SELECT casino_internal.watched_kind(casino.kind(b.bet)) AS kind OFFSET 0) k
$fn$;
COMMENT ON FUNCTION casino_internal.figure_bets(date, date)
    IS 'Part of daily_table() and watch_day(): wagers of rounds evaluated on Prague days by round and bet, '
       'with the kind and selection that they are watched as. wagers and staked are of those that stand; '
       'of_kind: the stake is one of the kind, and was not added to it in play; won includes the stake, paid '
       'or withheld';

-- What changes a result afterwards, on the day posted: corrections of evaluated rounds, and adjustments that
-- name a round (R9.20).
CREATE FUNCTION casino_internal.figure_corrections(from_day date, to_day date)
RETURNS TABLE (day date, player_id bigint, entry_no bigint, round_id bigint, table_id bigint, plan_id bigint,
               amount numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date, l.player_id, l.entry_no, l.round_id, r.table_id,
           r.plan_id, l.amount
      FROM casino.ledger l
      JOIN casino.round r ON r.round_id = l.round_id
     WHERE l.posted_at >= figure_corrections.from_day::timestamp AT TIME ZONE 'Europe/Prague'
       AND l.book > (SELECT casino_internal.last_book_before(casino.day_start(figure_corrections.from_day)))
       AND l.posted_at < (figure_corrections.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
       AND l.kind IN ('correction', 'adjustment')
$fn$;
COMMENT ON FUNCTION casino_internal.figure_corrections(date, date)
    IS 'Part of the figures: corrections of results, and adjustments that name a round, by the day posted';

-- Counted from the ledger; sums in the order of casino.kept_game.
CREATE FUNCTION casino_internal.counted_game(from_day date, to_day date)
RETURNS TABLE (day date, game text, stakes numeric, returned numeric, winnings numeric, corrected numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.day, p.game,
           coalesce(sum(s.amount) FILTER (WHERE s.kind = 'stake'), 0.00),
           coalesce(sum(s.amount) FILTER (WHERE s.kind = 'refund'), 0.00),
           coalesce(sum(s.amount) FILTER (WHERE s.kind = 'payout'), 0.00),
           coalesce(sum(s.amount) FILTER (WHERE s.kind IN ('correction', 'adjustment')), 0.00)
      FROM (SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, l.round_id, l.kind,
                   sum(l.amount) AS amount
              FROM casino.ledger l
             WHERE l.posted_at >= counted_game.from_day::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.posted_at < (counted_game.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.book > (SELECT casino_internal.last_book_before(
                                 casino.day_start(counted_game.from_day)))
               AND l.round_id IS NOT NULL
             GROUP BY 1, 2, 3) s
      JOIN casino.round r ON r.round_id = s.round_id
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
     WHERE s.kind IN ('stake', 'refund', 'payout', 'correction', 'adjustment')
     GROUP BY 1, 2
$fn$;
COMMENT ON FUNCTION casino_internal.counted_game(date, date)
    IS 'Part of tax_base(): its figures, counted from the ledger';

CREATE FUNCTION casino.tax_base(from_day date, to_day date)
RETURNS TABLE (day date, game text, live boolean, stakes numeric, returned numeric, winnings numeric,
               base numeric, corrected numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(tax_base.from_day, tax_base.to_day);
    SELECT e.day, e.game, g.live, e.stakes, e.returned, e.winnings,
           e.stakes - e.returned - e.winnings - e.corrected, e.corrected
      FROM (SELECT k.*
              FROM casino_internal.kept_days(tax_base.from_day, tax_base.to_day) d
              JOIN casino.kept_game k ON k.day = d.day
            UNION ALL
            SELECT c.*
              FROM casino_internal.open_ranges(tax_base.from_day, tax_base.to_day) o
             CROSS JOIN LATERAL casino_internal.counted_game(o.first, o.last) c) e
      JOIN casino.game g ON g.game = e.game
     ORDER BY e.day, e.game
$fn$;
COMMENT ON FUNCTION casino.tax_base(date, date)
    IS 'By Prague day and game (R9.1): stakes taken, stakes returned, winnings paid, and the base, which is '
       'stakes less both and less corrected: what corrections of results, and adjustments that name a '
       'round, gave the players. Each counts on the day it was posted: an open stake on the day it was '
       'taken, withheld winnings on the day they are paid';

-- Movements of each account. What the days before moved is kept day by day (casino.day_total); it is trusted
-- only as long as no entry has come that it does not have, else the ledger is read.
CREATE FUNCTION casino.account_movements(from_day date, to_day date)
RETURNS TABLE (account text, opening numeric, debits numeric, credits numeric, closing numeric)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := account_movements.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (account_movements.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    kept_until timestamptz;
BEGIN
    PERFORM casino_internal.require_days(account_movements.from_day, account_movements.to_day);
    SELECT u.until INTO kept_until FROM casino.kept_until u;
    RETURN QUERY
    WITH moved AS (
        SELECT k.debit_account, k.credit_account, m.before, m.amount
          FROM (SELECT t.kind, t.before, sum(t.amount) AS amount
                  FROM (SELECT d.kind, d.day < account_movements.from_day AS before, d.amount
                          FROM casino.day_total d
                         WHERE d.day < casino.prague_day(kept_until) AND d.day <= account_movements.to_day
                        UNION ALL
                        SELECT l.kind, l.posted_at < first, l.amount
                          FROM casino.ledger l
                         WHERE l.posted_at < next AND l.posted_at >= coalesce(kept_until, '-infinity')
                           AND l.book > (SELECT casino_internal.last_book_before(coalesce(kept_until,
                                                                                        '-infinity')))) t
                 GROUP BY t.kind, t.before) m
          JOIN casino.entry_kinds() k ON k.kind = m.kind
    ), sums AS (
        SELECT a.account, coalesce(sum(a.debit - a.credit) FILTER (WHERE m.before), 0.00) AS opening,
               coalesce(sum(a.debit) FILTER (WHERE NOT m.before), 0.00) AS debits,
               coalesce(sum(a.credit) FILTER (WHERE NOT m.before), 0.00) AS credits
          FROM moved m
         CROSS JOIN LATERAL (VALUES (m.debit_account, m.amount, 0.00),
                                    (m.credit_account, 0.00, m.amount)) AS a (account, debit, credit)
         GROUP BY a.account)
    SELECT n.account, coalesce(s.opening, 0.00), coalesce(s.debits, 0.00), coalesce(s.credits, 0.00),
           coalesce(s.opening + s.debits - s.credits, 0.00)
      FROM (SELECT k.debit_account AS account
              FROM casino.entry_kinds() k
            UNION
            SELECT k.credit_account
              FROM casino.entry_kinds() k) n
      LEFT JOIN sums s ON s.account = n.account
     ORDER BY n.account;
END
$fn$;
COMMENT ON FUNCTION casino.account_movements(date, date)
    IS 'Each account over Prague days: balance before, debits, credits, balance after; a balance is debits '
       'less credits from the first entry on, as in casino.trial_balance, and each of the columns opening '
       'and closing adds up to zero';

-- ---------------------------------------------------------------------------------------------- what is owed

-- What was won and not paid, and asked for and not paid, at a time. It is what is so now, less what came
-- since, and what has ended since.
CREATE FUNCTION casino.payment_deadline(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (what text, player_id bigint, entry_no bigint, round_id bigint, amount numeric,
               since timestamptz, due_at timestamptz, overdue boolean,
               prompt_until timestamptz, needs_reason boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_given(payment_deadline.at IS NOT NULL, 'at');
    SELECT o.what, o.player_id, o.entry_no, o.round_id, o.amount, o.since, d.due_at,
           payment_deadline.at >= d.due_at, d.prompt_until,
           payment_deadline.at >= d.prompt_until AND o.reason IS NULL
           AND NOT EXISTS (SELECT FROM casino.excused_delay x
                            WHERE x.player_id = o.player_id
                              AND x.entry_no = o.entry_no
                              AND x.excused_at <= payment_deadline.at)
      FROM (SELECT 'winnings' AS what, u.player_id, u.entry_no, u.round_id, u.payout AS amount,
                   u.evaluated_at AS since, 'winnings_days' AS days,
                   nullif(u.reason, 'withheld at the settlement') AS reason
              FROM casino.unpaid_winnings u WHERE u.evaluated_at <= payment_deadline.at
            UNION ALL
            -- paid since, or voided since: then only the stake is known to have been owed (R9.7)
            SELECT 'winnings', l.player_id, l.stake_entry_no, l.round_id, l.amount, r.evaluated_at,
                'winnings_days',
                   coalesce((SELECT h.reason
                               FROM casino.withholding h
                              WHERE h.player_id = l.player_id AND h.round_id = l.round_id),
                            nullif(r.withheld_reason, 'withheld at the settlement'))
              -- rounds of which something was held back then
              FROM (SELECT x.round_id
                      FROM casino.round x
                     WHERE x.withheld_paid_at > payment_deadline.at AND x.evaluated_at <= payment_deadline.at
                    UNION
                    SELECT x.round_id
                      FROM casino.round x
                     WHERE x.voided_at > payment_deadline.at AND x.evaluated_at <= payment_deadline.at
                    UNION
                    SELECT n.round_id
                      FROM casino.withholding_end n
                     WHERE n.ended_at > payment_deadline.at) x
             CROSS JOIN LATERAL (SELECT y.*
                                   FROM casino.round y
                                  WHERE y.round_id = x.round_id AND y.evaluated_at <= payment_deadline.at
                                 OFFSET 0) r
             CROSS JOIN LATERAL (SELECT y.player_id, y.entry_no
                                   FROM casino.ledger y
                                  WHERE y.round_id = r.round_id AND y.kind = 'stake'
                                 OFFSET 0) s
             CROSS JOIN LATERAL (SELECT y.*
                                   FROM casino.ledger y
                                  WHERE y.player_id = s.player_id
                                    AND y.stake_entry_no = s.entry_no
                                    AND y.correction_no IS NULL
                                 OFFSET 0) l
             WHERE l.posted_at > payment_deadline.at AND l.kind IN ('payout', 'refund') AND l.amount > 0
            UNION ALL
            SELECT 'withdrawal', w.player_id, w.entry_no, NULL, w.amount, w.posted_at, 'withdrawal_days', NULL
              FROM casino.open_withdrawal o
              JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no
             WHERE w.posted_at <= payment_deadline.at
            UNION ALL
            SELECT 'withdrawal', w.player_id, w.entry_no, NULL, w.amount, w.posted_at, 'withdrawal_days', NULL
              FROM casino.ledger l
              JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
             WHERE l.posted_at > payment_deadline.at
               AND l.book > (SELECT casino_internal.last_book_before(payment_deadline.at))
               AND l.withdrawal_entry_no IS NOT NULL
               AND l.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid')
               AND w.posted_at <= payment_deadline.at) o
     CROSS JOIN LATERAL (SELECT casino.payment_due_at(o.since, casino.duty_number(o.days, o.since)::integer)
         AS due_at,
                                casino.prompt_until(o.since) AS prompt_until) d
     ORDER BY d.due_at, o.player_id, o.entry_no
$fn$;
COMMENT ON FUNCTION casino.payment_deadline(timestamptz)
    IS 'Winnings held back and withdrawals neither paid nor cancelled at a time (default: now), with the '
       'first instant that is too late for them, the next one first; needs_reason: it is no longer paid '
       'promptly, and no reason is recorded (D4 §11.1, §11.2)';

CREATE FUNCTION casino.liability(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (wallets numeric, open_stakes numeric, withheld_winnings numeric, withdrawals_payable numeric,
               total numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_given(liability.at IS NOT NULL, 'at');
    SELECT w.wallets, s.open_stakes, d.withheld, d.withdrawals,
           w.wallets + s.open_stakes + d.withheld + d.withdrawals
      FROM (SELECT CASE WHEN casino.day_start(m.day) <= u.until
                        -- the totals of the days before, and the entries of the day until then
                        THEN coalesce((SELECT sum(d.amount * k.wallet_sign)
                                         FROM casino.day_total d
                                         JOIN casino.entry_kinds() k ON k.kind = d.kind
                                        WHERE d.day < m.day), 0.00)
                             + coalesce((SELECT sum(l.amount * k.wallet_sign)
                                           FROM (SELECT x.kind, sum(x.amount) AS amount
                                                   FROM casino.ledger x
                                                  WHERE x.posted_at >= casino.day_start(m.day)
                                                    AND x.posted_at <= liability.at
                                                    AND x.book > (SELECT casino_internal.last_book_before(
                                                                             casino.day_start(
                                                                                 casino.prague_day(
                                                                                     liability.at))))
                                                  GROUP BY x.kind) l
                                           JOIN casino.entry_kinds() k ON k.kind = l.kind), 0.00)
                        ELSE coalesce((SELECT sum(p.balance) FROM casino.player p), 0.00)
                             - coalesce((SELECT sum(l.amount * k.wallet_sign)
                                           FROM (SELECT x.kind, sum(x.amount) AS amount
                                                   FROM casino.ledger x
                                                  WHERE x.posted_at > liability.at
                                                    AND x.book > (SELECT casino_internal.last_book_before(
                                                                             liability.at))
                                                  GROUP BY x.kind) l
                                           JOIN casino.entry_kinds() k ON k.kind = l.kind), 0.00) END
                       AS wallets
              FROM casino.kept_until u
             CROSS JOIN (SELECT casino.prague_day(liability.at) AS day) m) w
     CROSS JOIN (SELECT coalesce(sum(s.amount), 0.00) AS open_stakes
                   FROM (SELECT r.round_id
                           FROM casino.round r
                          WHERE r.status IN ('open', 'closed') AND r.opened_at <= liability.at
                         UNION ALL
                         SELECT r.round_id
                           FROM casino.round r
                          WHERE r.evaluated_at > liability.at AND r.opened_at <= liability.at
                            AND r.evaluated_at < casino.day_start(casino.prague_day(liability.at) + 1)
                         UNION ALL
                         -- of later days only those that were under way at a midnight
                         SELECT r.round_id
                           FROM casino.round r
                          WHERE r.evaluated_at >= casino.day_start(casino.prague_day(liability.at) + 1)
                            AND r.opened_at <= liability.at
                            AND casino.prague_day(r.opened_at) < casino.prague_day(r.evaluated_at)) r
                   JOIN casino.ledger s
                        ON s.round_id = r.round_id AND s.kind = 'stake' AND s.posted_at <= liability.at
                  WHERE NOT EXISTS (SELECT FROM casino.ledger f
                                     WHERE f.player_id = s.player_id
                                       AND f.stake_entry_no = s.entry_no
                                       AND f.posted_at <= liability.at)) s
     CROSS JOIN (SELECT coalesce(sum(d.amount) FILTER (WHERE d.what = 'winnings'), 0.00) AS withheld,
                        coalesce(sum(d.amount) FILTER (WHERE d.what = 'withdrawal'), 0.00) AS withdrawals
                   FROM casino.payment_deadline(liability.at) d) d
$fn$;
COMMENT ON FUNCTION casino.liability(timestamptz)
    IS 'CZK owed to players at a time (default: now): wallets, stakes of rounds not evaluated, winnings '
       'held back, withdrawals asked for and not paid, and all together';

-- --------------------------------------------------------------------------------------- players and persons

CREATE FUNCTION casino.player_day(from_day date, to_day date)
RETURNS TABLE (day date, player_id bigint, deposits numeric, withdrawn numeric, paid_out numeric,
               adjustments numeric, rounds bigint, wagers bigint,
               staked numeric, returned numeric, winnings numeric, result numeric, corrected numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(player_day.from_day, player_day.to_day);
    SELECT e.day, e.player_id, e.deposits, e.withdrawn, e.paid_out, e.adjustments, e.rounds, e.wagers,
           e.staked, e.returned, e.winnings,
           e.winnings + e.returned - e.staked + e.corrected, e.corrected
      FROM (SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, l.player_id,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'deposit'), 0.00) AS deposits,
                   coalesce(sum(CASE l.kind WHEN 'withdrawal' THEN l.amount ELSE -l.amount END)
                                FILTER (WHERE l.kind IN ('withdrawal', 'withdrawal_cancelled')),
                            0.00) AS withdrawn,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind IN ('cash_paid', 'transfer_paid')),
                            0.00) AS paid_out,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'adjustment'), 0.00) AS adjustments,
                   count(DISTINCT l.round_id) FILTER (WHERE l.kind = 'stake') AS rounds,
                   count(*) FILTER (WHERE l.kind = 'stake') AS wagers,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'stake'), 0.00) AS staked,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'refund'), 0.00) AS returned,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'payout'), 0.00) AS winnings,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind IN ('correction', 'adjustment')
                                                    AND l.round_id IS NOT NULL),
                            0.00) AS corrected
              FROM casino.ledger l
             WHERE l.posted_at >= player_day.from_day::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.book > (SELECT casino_internal.last_book_before(casino.day_start(player_day.from_day)))
               AND l.posted_at < (player_day.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
             GROUP BY 1, 2) e
     ORDER BY e.day, e.player_id
$fn$;
COMMENT ON FUNCTION casino.player_day(date, date)
    IS 'By Prague day and player: money in, withdrawals asked for less those cancelled, money paid out, '
       'corrections, rounds and wagers, stakes, stakes returned, winnings, and the result of play, negative '
       'when he lost; corrected is what of that corrections of results, and adjustments that name a round, '
       'gave; by the day of each posting';

-- One person may have several accounts.
CREATE FUNCTION casino_internal.person_money(since timestamptz, until timestamptz)
RETURNS TABLE (external_ref text, player_id bigint, posted_at timestamptz, money_in numeric, cash_in numeric,
               cash_out numeric, transfer numeric, stake numeric, win numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT p.external_ref, l.player_id, l.posted_at,
           CASE WHEN l.kind = 'deposit' THEN l.amount ELSE 0.00 END,
           CASE WHEN l.kind = 'deposit'
                     AND l.method IN (SELECT w.method FROM casino.payment_method w WHERE w.is_cash)
                    THEN l.amount
                ELSE 0.00 END,
           CASE WHEN l.kind = 'cash_paid' THEN l.amount ELSE 0.00 END,
           CASE WHEN l.kind = 'transfer_paid' THEN l.amount ELSE 0.00 END,
           CASE WHEN l.kind = 'stake' THEN l.amount
                WHEN l.kind = 'refund' THEN -l.amount
                ELSE 0.00 END,
           CASE WHEN l.kind IN ('payout', 'correction') THEN l.amount ELSE 0.00 END
      -- OFFSET 0: by day, not by the key of each player through the whole history
      FROM (SELECT x.player_id, x.posted_at, x.kind, x.amount, x.method
              FROM casino.ledger x
             WHERE x.posted_at > person_money.since
               AND x.book > (SELECT casino_internal.last_book_before(person_money.since))
               AND x.posted_at < person_money.until
               AND x.kind IN ('deposit', 'cash_paid', 'transfer_paid', 'stake', 'refund', 'payout',
                              'correction')
            OFFSET 0) l
      JOIN casino.player p ON p.player_id = l.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.person_money(timestamptz, timestamptz)
    IS 'Part of person_day() and person_window(): entries between two times that move money of a person';

-- The 24 hours end with an entry of the day; one exactly 24 hours before is not among them (D4 §11.2 a,
-- R9.4).
CREATE FUNCTION casino.person_day(from_day date, to_day date)
RETURNS TABLE (day date, external_ref text, accounts bigint, deposits numeric, cash_in numeric,
               cash_out numeric, transfers_out numeric, staked numeric,
               winnings numeric, cash_in_24h numeric, cash_out_24h numeric, money_in_24h numeric,
               staked_24h numeric, won_24h numeric, threshold numeric, reached text[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(person_day.from_day, person_day.to_day);
    SELECT e.day, e.external_ref, count(DISTINCT e.player_id), sum(e.money_in), sum(e.cash_in),
           sum(e.cash_out), sum(e.transfer),
           sum(e.stake), sum(e.win), max(e.cash_in_24h), max(e.cash_out_24h), max(e.money_in_24h),
           max(e.staked_24h), max(e.won_24h), min(d.amount),
           -- R7.92: by the figure in force at the entry that ends the window
           array_remove(ARRAY[CASE WHEN bool_or(e.staked_24h >= d.amount) THEN 'staked' END,
                              CASE WHEN bool_or(e.won_24h >= d.amount) THEN 'won' END,
                              CASE WHEN bool_or(e.cash_in_24h >= d.amount) THEN 'cash_in' END,
                              CASE WHEN bool_or(e.cash_out_24h >= d.amount) THEN 'cash_out' END,
                              CASE WHEN bool_or(e.money_in_24h >= d.amount) THEN 'money_in' END],
                        NULL)
      FROM (SELECT (m.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, m.*,
                   sum(m.cash_in) OVER last_24h AS cash_in_24h, sum(m.cash_out) OVER last_24h AS cash_out_24h,
                   sum(m.money_in) OVER last_24h AS money_in_24h,
                   sum(m.stake) OVER last_24h AS staked_24h, sum(m.win) OVER last_24h AS won_24h
              FROM casino_internal.person_money(person_day.from_day::timestamp AT TIME ZONE 'Europe/Prague'
                                                    - interval '24 hours',
                                                (person_day.to_day + 1)::timestamp
                                                    AT TIME ZONE 'Europe/Prague') m
            WINDOW last_24h AS (PARTITION BY m.external_ref
                                ORDER BY m.posted_at RANGE interval '23:59:59.999999' PRECEDING)) e
      JOIN casino_internal.aml_periods() d ON e.posted_at >= d.valid_from AND e.posted_at < d.valid_until
     WHERE e.day BETWEEN person_day.from_day AND person_day.to_day
     GROUP BY e.day, e.external_ref
     ORDER BY e.day, e.external_ref
$fn$;
COMMENT ON FUNCTION casino.person_day(date, date)
    IS 'By Prague day and person, all accounts together: money in, cash in and out, transfers out, stakes '
       'less those returned, winnings, and the most cash in, cash out, money in, stakes and winnings within '
       'any 24 hours that end on the day, for the duties against money laundering: threshold is the figure '
       'aml_amount, or aml_euro in CZK, reached the sums that came up to it';

-- R9.50: transactions that are linked need not lie within a day. The span is real time, a day 24 hours.
CREATE FUNCTION casino.person_window(from_day date, to_day date, span interval,
                                     at_least numeric DEFAULT NULL)
RETURNS TABLE (external_ref text, what text, amount numeric, entries bigint, accounts bigint,
               first_at timestamptz, last_at timestamptz, threshold numeric)
LANGUAGE plpgsql STABLE ROWS 50 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    length CONSTANT interval := make_interval(secs => extract(epoch FROM span)::double precision);
    first timestamptz;
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    IF span IS NULL THEN
        RAISE EXCEPTION 'span must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF length <= interval '0' OR length > interval '8784 hours' THEN
        RAISE EXCEPTION 'span must be more than 0 and at most 366 days'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.require_threshold(coalesce(at_least, 0), 'at_least');
    first := from_day::timestamp AT TIME ZONE 'Europe/Prague';
    RETURN QUERY
        WITH moved AS MATERIALIZED (
            SELECT m.external_ref, m.player_id, m.posted_at, k.what, k.amount
              FROM casino_internal.person_money(first - length, (to_day + 1)::timestamp
                                                                    AT TIME ZONE 'Europe/Prague') m
             CROSS JOIN LATERAL (VALUES ('staked', m.stake), ('won', m.win), ('cash_in', m.cash_in),
                                        ('cash_out', m.cash_out), ('money_in', m.money_in),
                                        ('transfers_out', m.transfer)) k (what, amount)
             WHERE k.amount <> 0),
        summed AS (
            SELECT m.external_ref, m.what, m.posted_at, sum(m.amount) OVER w AS amount
              FROM moved m
            WINDOW w AS (PARTITION BY m.external_ref, m.what
                         ORDER BY m.posted_at RANGE length - interval '1 microsecond' PRECEDING)),
        greatest_one AS (
            SELECT DISTINCT ON (s.external_ref, s.what) s.external_ref, s.what, s.amount, s.posted_at,
                   d.amount AS threshold
              FROM summed s
              JOIN casino_internal.aml_periods() d
                ON s.posted_at >= d.valid_from AND s.posted_at < d.valid_until
             WHERE s.posted_at >= first
               AND s.amount >= coalesce(at_least, d.amount)
             ORDER BY s.external_ref, s.what, s.amount DESC, s.posted_at)
        SELECT g.external_ref, g.what, g.amount, count(*), count(DISTINCT m.player_id), min(m.posted_at),
               g.posted_at, g.threshold
          FROM greatest_one g
          JOIN moved m
            ON m.external_ref = g.external_ref AND m.what = g.what
           AND m.posted_at > g.posted_at - length AND m.posted_at <= g.posted_at
         GROUP BY g.external_ref, g.what, g.amount, g.posted_at, g.threshold
         ORDER BY g.amount DESC, g.external_ref, g.what;
END
$fn$;
COMMENT ON FUNCTION casino.person_window(date, date, interval, numeric)
    IS 'Who moved at least so much within any time of this length that ends on Prague days, all accounts '
       'together: stakes, winnings, cash in and out, money in, transfers out; of each person and kind the '
       'greatest sum, with its entries. at_least NULL: the threshold in force at the last entry, the figure '
       'aml_amount, or aml_euro in CZK';

CREATE FUNCTION casino.large_win(from_day date, to_day date, at_least numeric DEFAULT 100000)
RETURNS TABLE (day date, evaluated_at timestamptz, player_id bigint, external_ref text, game text,
               table_name text, round_id bigint, round_ref text,
               staked numeric, won numeric, profit numeric, withheld numeric, corrected numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(large_win.from_day, large_win.to_day);
    SELECT casino_internal.require_threshold(large_win.at_least, 'at_least');
    WITH corrected AS MATERIALIZED (
        SELECT c.player_id, c.round_id, max(c.day) AS day, sum(c.amount) AS amount
          FROM casino_internal.figure_corrections(large_win.from_day, large_win.to_day) c
         GROUP BY c.player_id, c.round_id),
    evaluated AS (
        SELECT f.day, f.evaluated_at, f.player_id, f.round_id, f.table_id, sum(f.staked) AS staked,
               sum(f.paid + f.withheld) AS won, sum(f.withheld) AS withheld
          FROM casino_internal.figure_wagers(large_win.from_day, large_win.to_day) f
         WHERE NOT f.returned AND f.evaluated_at IS NOT NULL AND f.status IN ('settled', 'withheld', 'voided')
         GROUP BY f.day, f.evaluated_at, f.player_id, f.round_id, f.table_id),
    -- of rounds that were evaluated before: what the last version gives the player
    later AS (
        SELECT c.day, r.evaluated_at, c.player_id, c.round_id, r.table_id, sum(w.staked) AS staked,
               sum(w.payout) - c.amount AS won, 0.00 AS withheld
          FROM corrected c
          JOIN casino.round r ON r.round_id = c.round_id
          JOIN casino.evaluation w ON w.round_id = c.round_id AND w.player_id = c.player_id
         WHERE NOT EXISTS (SELECT FROM evaluated e
                            WHERE e.round_id = c.round_id AND e.player_id = c.player_id)
         GROUP BY c.day, r.evaluated_at, c.player_id, c.round_id, r.table_id, c.amount)
    SELECT w.day, w.evaluated_at, w.player_id, p.external_ref, t.game, t.name, w.round_id, r.round_ref,
           w.staked, w.won + w.corrected,
           w.won + w.corrected - w.staked, w.withheld, w.corrected
      FROM (SELECT x.*, coalesce(c.amount, 0.00) AS corrected
              FROM (SELECT e.* FROM evaluated e UNION ALL SELECT l.* FROM later l) x
              LEFT JOIN corrected c ON c.round_id = x.round_id AND c.player_id = x.player_id) w
      JOIN casino.player p ON p.player_id = w.player_id
      JOIN casino.game_table t ON t.table_id = w.table_id
      JOIN casino.round r ON r.round_id = w.round_id
     WHERE w.won + w.corrected - w.staked >= large_win.at_least
     ORDER BY w.won + w.corrected - w.staked DESC, w.evaluated_at, w.player_id
$fn$;
COMMENT ON FUNCTION casino.large_win(date, date, numeric)
    IS 'Who won at least so much in one round evaluated on Prague days (R9.5), all his wagers of the round '
       'together: what he got less what he staked on it. withheld is what of it is not paid yet, corrected '
       'what corrections on these days added: a round evaluated before is listed on the day of its '
       'correction';

-- A line an entry, in the order of their times; the balance is reckoned in that order, so that one period
-- closes with what the next opens with.
CREATE FUNCTION casino.player_statement(player_id bigint, from_day date, to_day date)
RETURNS TABLE (line_no bigint, at timestamptz, entry_no bigint, kind text, game text, table_name text,
               round_ref text, bet text, change numeric,
               balance numeric, result text, grade text, payout numeric, reason text, automatic boolean,
               seat integer, hand integer)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 1000;
COMMENT ON FUNCTION casino.player_statement(bigint, date, date)
    IS 'A player''s statement over Prague days: the opening balance first, then the entries in the order of '
       'their times with game, table, round, bet, seat and hand, then the closing balance. The line of a '
       'stake has its end and its payout, as far as they are known now; automatic marks games that were '
       'finished without the player';

CREATE FUNCTION casino_internal.player_statement_impl(player_id bigint, from_day date, to_day date)
RETURNS TABLE (line_no bigint, at timestamptz, entry_no bigint, kind text, game text, table_name text,
               round_ref text, bet text, change numeric,
               balance numeric, result text, grade text, payout numeric, reason text, automatic boolean,
               seat integer, hand integer)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := player_statement_impl.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (player_statement_impl.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    opening numeric;
BEGIN
    PERFORM casino_internal.require_given(player_statement_impl.player_id IS NOT NULL, 'player_id');
    PERFORM casino_internal.require_days(player_statement_impl.from_day, player_statement_impl.to_day);
    SELECT p.balance - coalesce((SELECT sum(l.amount * k.wallet_sign)
                                   FROM casino.ledger l
                                   JOIN casino.entry_kinds() k ON k.kind = l.kind
                                  WHERE l.player_id = player_statement_impl.player_id
                                    AND l.posted_at >= first), 0.00)
      INTO opening FROM casino.player p WHERE p.player_id = player_statement_impl.player_id;
    IF NOT FOUND THEN
        PERFORM casino_internal.refuse_unknown_player(player_statement_impl.player_id);
    END IF;
    RETURN QUERY
    WITH entry AS MATERIALIZED (
        SELECT row_number() OVER in_time AS line_no, l.*, l.amount * k.wallet_sign AS change,
               opening + sum(l.amount * k.wallet_sign) OVER in_time AS balance_then
          FROM casino.ledger l
          JOIN casino.entry_kinds() k ON k.kind = l.kind
         WHERE l.player_id = player_statement_impl.player_id AND l.posted_at >= first AND l.posted_at < next
        WINDOW in_time AS (ORDER BY l.posted_at, l.entry_no)
    )
    SELECT 0::bigint, first, NULL::bigint, 'opening', NULL, NULL, NULL, NULL, NULL::numeric, opening, NULL,
           NULL, NULL::numeric, NULL, NULL::boolean, NULL::integer, NULL::integer
    UNION ALL
    SELECT e.line_no, e.posted_at, e.entry_no, e.kind, t.game, t.name, r.round_ref,
           coalesce(e.bet, s.bet)::text, e.change, e.balance_then,
           w.status, coalesce(e.grade, w.grade), w.payout, e.reason,
           -- EXISTS could be asked of all rounds at once, of those whose book is away too
           CASE WHEN e.kind = 'stake' THEN (SELECT true
                                              FROM casino.automatic_completion a
                                             WHERE a.player_id = e.player_id
                                               AND a.round_id = e.round_id
                                               AND a.automatic
                                             LIMIT 1) IS NOT NULL END,
           coalesce(e.seat, s.seat), coalesce(e.hand, s.hand)
      FROM entry e
      LEFT JOIN casino.round r ON r.round_id = e.round_id
      LEFT JOIN casino.game_table t ON t.table_id = r.table_id
      LEFT JOIN casino.ledger s ON s.player_id = e.player_id AND s.entry_no = e.stake_entry_no
      LEFT JOIN LATERAL (SELECT x.status, x.grade, x.payout FROM casino.wager x
                          WHERE e.kind = 'stake'
                            AND x.player_id = e.player_id
                            AND x.entry_no = e.entry_no) w ON true
    UNION ALL
    SELECT (SELECT count(*) + 1 FROM entry), next, NULL, 'closing', NULL, NULL, NULL, NULL,
           (SELECT coalesce(sum(e.change), 0.00) FROM entry e),
           opening + (SELECT coalesce(sum(e.change), 0.00) FROM entry e), NULL, NULL, NULL, NULL, NULL,
           NULL, NULL
     ORDER BY 1;
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_statement_impl(bigint, date, date)
    IS 'Body of player_statement(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ protection

CREATE FUNCTION casino.protection(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (player_id bigint, external_ref text, protection text, source text, since timestamptz,
               until timestamptz, amount numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_given(protection.at IS NOT NULL, 'at');
    SELECT x.player_id, p.external_ref, x.protection, x.source, x.since, x.until, x.amount
      FROM (SELECT e.player_id, 'exclusion' AS protection, e.source, e.excluded_from AS since,
                   e.excluded_until AS until, NULL::numeric AS amount
              FROM casino.exclusion_period e
             WHERE e.excluded_from <= protection.at AND e.excluded_until > protection.at
            UNION ALL
            SELECT m.player_id, 'limit', f.measure || ' a ' || f.period, h.effective_from, f.next_from,
                   f.amount
              FROM (SELECT DISTINCT l.player_id
                      FROM casino.player_limit l
                     WHERE l.effective_from <= protection.at) m
             CROSS JOIN LATERAL casino.limits_in_force(m.player_id, protection.at) f
             CROSS JOIN LATERAL (SELECT l.effective_from FROM casino.player_limit l
                                  WHERE l.player_id = m.player_id
                                    AND l.measure = f.measure
                                    AND l.period = f.period
                                    AND l.effective_from <= protection.at
                                  ORDER BY l.limit_no DESC LIMIT 1) h
             WHERE f.amount IS NOT NULL
            UNION ALL
            -- a break is due after an evaluation that is not older than one
            SELECT b.player_id, 'break', 'betting sequence', q.started_at, q.ends_at, NULL
              FROM (SELECT DISTINCT s.player_id
                      FROM casino.round r
                      JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
                     WHERE r.evaluated_at > protection.at
                                        - make_interval(mins => casino_internal.duty_longest('break_minutes'))
                       AND r.evaluated_at <= protection.at) b
              JOIN casino.betting_sequence q ON q.player_id = b.player_id
             WHERE q.break_due AND q.last_evaluated_at <= protection.at AND q.ends_at > protection.at) x
      JOIN casino.player p ON p.player_id = x.player_id
     ORDER BY x.player_id, x.protection, x.source, x.since
$fn$;
COMMENT ON FUNCTION casino.protection(timestamptz)
    IS 'Who is protected at a time (default: now) and how: exclusions and breaks with their end, limits '
       'with their amount and the time a laxer one asked for comes into effect (D4 §6.2, §6.5, '
       '§8.3)';

-- -------------------------------------------------------------------------------- tables against expectation

CREATE FUNCTION casino.daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer,
               rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric,
               withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.daily_table(date, date)
    IS 'By Prague day of the evaluation, table and plan version: rounds by status (those not evaluated on '
       'the day they were opened), wagers that stand, stakes, what was won of them, what of that is held '
       'back, stakes returned, GGR (stakes less what was won, less corrected), hold (GGR to stakes), the '
       'hold that the exact counts give for these stakes, and how many standard deviations the result is '
       'off; corrected is what corrections posted on the day, whenever the round was evaluated, gave the '
       'players. NULL where nothing was staked or nothing is counted';

-- Counted from rounds and ledger. The expected result of the stakes: all that one round decides is taken
-- together, of roulette number by number, of other games as if every bet had the same cards, so that the
-- variance is not too small (R9.3).
CREATE FUNCTION casino_internal.counted_table(from_day date, to_day date)
RETURNS TABLE (day date, table_id bigint, plan_id bigint, settled bigint, held bigint, voided bigint,
               unevaluated bigint, wagers bigint, staked numeric, won numeric, withheld numeric,
               returned numeric, corrected numeric, result numeric, expected numeric, variance numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH of_round AS MATERIALIZED (
        SELECT f.day, f.table_id, f.plan_id, count(*) FILTER (WHERE f.status = 'settled') AS settled,
               count(*) FILTER (WHERE f.status = 'withheld') AS held,
               count(*) FILTER (WHERE f.status = 'voided') AS voided,
               count(*) FILTER (WHERE f.status IN ('open', 'closed')) AS unevaluated
          FROM casino_internal.figure_rounds(counted_table.from_day, counted_table.to_day) f
         GROUP BY f.day, f.table_id, f.plan_id
    ), bet AS MATERIALIZED (
        SELECT f.* FROM casino_internal.figure_bets(counted_table.from_day, counted_table.to_day) f
    ), of_wager AS MATERIALIZED (
        SELECT b.day, b.table_id, b.plan_id, sum(b.wagers)::bigint AS wagers, sum(b.staked) AS staked,
               sum(b.won) AS won, sum(b.withheld) AS withheld, sum(b.returned) AS returned
          FROM bet b
         GROUP BY b.day, b.table_id, b.plan_id
    ), of_correction AS MATERIALIZED (
        SELECT c.day, c.table_id, c.plan_id, sum(c.amount) AS amount
          FROM casino_internal.figure_corrections(counted_table.from_day, counted_table.to_day) c
         GROUP BY c.day, c.table_id, c.plan_id
    ), position AS MATERIALIZED (
        SELECT b.day, b.round_id, b.table_id, b.plan_id, b.kind, b.selection,
               coalesce(sum(b.staked) FILTER (WHERE b.of_kind), 0) AS staked, sum(b.won - b.staked) AS won
          FROM bet b
         WHERE b.status IN ('settled', 'withheld') AND b.wagers > 0
         GROUP BY b.day, b.round_id, b.table_id, b.plan_id, b.kind, b.selection
    ), plan_return AS MATERIALIZED (
        SELECT k.plan_id, k.kind, k.covers, coalesce(r.selection, '') AS selection, r.rtp,
               sqrt(r.variance) AS deviation, r.best_num::numeric / r.best_den + 1 AS most
          FROM (SELECT DISTINCT p.plan_id, p.kind, g.family = 'roulette' AS covers
                  FROM position p
                  JOIN casino.game_plan n ON n.plan_id = p.plan_id
                  JOIN casino.game g ON g.game = n.game) k
         CROSS JOIN LATERAL casino_internal.known_returns(k.plan_id, k.kind) r
         WHERE r.rtp IS NOT NULL
    ), counted AS MATERIALIZED (
        SELECT p.*, r.rtp, r.deviation, r.most, r.covers
          FROM position p
          JOIN plan_return r ON r.plan_id = p.plan_id AND r.kind = p.kind AND r.selection = p.selection
    ), number AS (
        SELECT c.round_id, n.number, sum(c.staked * c.most) AS back
          FROM counted c
         CROSS JOIN LATERAL unnest(CASE WHEN c.covers
                                            THEN casino.covers(casino.bet(
                                                c.kind, nullif(c.selection, ''), 1)) END) AS n (number)
         GROUP BY c.round_id, n.number
    ), wheel AS (
        SELECT n.round_id, sum(n.back * n.back) / 37 - (sum(n.back) / 37) ^ 2 AS variance
          FROM number n
         GROUP BY n.round_id
    ), of_result AS (
        SELECT c.day, c.round_id, c.table_id, c.plan_id, -sum(c.won) AS result,
               sum(c.staked * (1 - c.rtp)) AS expected,
               coalesce(max(w.variance), sum(c.staked * c.deviation) ^ 2) AS variance
          FROM counted c
          LEFT JOIN wheel w ON w.round_id = c.round_id
         GROUP BY c.day, c.round_id, c.table_id, c.plan_id
    ), expectation AS MATERIALIZED (
        SELECT o.day, o.table_id, o.plan_id, sum(o.result) AS result, sum(o.expected) AS expected,
               sum(o.variance) AS variance
          FROM of_result o
         GROUP BY o.day, o.table_id, o.plan_id
    )
    SELECT k.day, k.table_id, k.plan_id, coalesce(r.settled, 0), coalesce(r.held, 0), coalesce(r.voided, 0),
           coalesce(r.unevaluated, 0), coalesce(w.wagers, 0), coalesce(w.staked, 0.00), coalesce(w.won, 0.00),
           coalesce(w.withheld, 0.00), coalesce(w.returned, 0.00), coalesce(c.amount, 0.00),
           e.result, e.expected, e.variance
      FROM (SELECT x.day, x.table_id, x.plan_id
              FROM of_round x
            UNION
            SELECT y.day, y.table_id, y.plan_id
              FROM of_correction y) k
      LEFT JOIN of_round r ON r.day = k.day AND r.table_id = k.table_id AND r.plan_id = k.plan_id
      LEFT JOIN of_wager w ON w.day = k.day AND w.table_id = k.table_id AND w.plan_id = k.plan_id
      LEFT JOIN of_correction c ON c.day = k.day AND c.table_id = k.table_id AND c.plan_id = k.plan_id
      LEFT JOIN expectation e ON e.day = k.day AND e.table_id = k.table_id AND e.plan_id = k.plan_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.counted_table(date, date)
    IS 'Part of daily_table(): its figures, counted from rounds and ledger';

CREATE FUNCTION casino_internal.daily_table_impl(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer,
               rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric,
               withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM casino_internal.require_days(daily_table_impl.from_day, daily_table_impl.to_day);
    RETURN QUERY
    SELECT k.day, t.game, k.table_id, t.name, k.plan_id, p.version, k.settled, k.held, k.voided,
           k.unevaluated, k.wagers, k.staked, k.won, k.withheld, k.returned, k.staked - k.won - k.corrected,
           round((k.staked - k.won - k.corrected) / nullif(k.staked, 0), 6),
           round(k.expected / nullif(k.staked, 0), 6),
           round((k.result - k.expected) / nullif(sqrt(k.variance), 0), 3), k.corrected
      FROM (SELECT c.*
              FROM casino_internal.open_ranges(daily_table_impl.from_day, daily_table_impl.to_day) o
             CROSS JOIN LATERAL casino_internal.counted_table(o.first, o.last) c
            UNION ALL
            SELECT x.day, x.table_id, x.plan_id, x.settled, 0, x.voided, 0, x.wagers, x.staked, x.won, 0.00,
                   x.returned, x.corrected, x.result, x.expected, x.variance
              FROM casino_internal.kept_days(daily_table_impl.from_day, daily_table_impl.to_day) d
              JOIN casino.kept_table x ON x.day = d.day) k
      JOIN casino.game_table t ON t.table_id = k.table_id
      JOIN casino.game_plan p ON p.plan_id = k.plan_id
     ORDER BY k.day, t.game, t.name, p.version;
END
$fn$;
COMMENT ON FUNCTION casino_internal.daily_table_impl(date, date)
    IS 'Body of daily_table(), run as the owner of the ledger';

-- -------------------------------------------------------------------------------------------- events, recall

CREATE FUNCTION casino.significant_event(from_day date, to_day date, person text DEFAULT NULL)
RETURNS TABLE (at timestamptz, event text, player_id bigint, round_id bigint, entry_no bigint, amount numeric,
               reason text, detail jsonb,
               recorded_at timestamptz, role text, actor text, kind text, about text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    -- NULL: of everybody
    accounts CONSTANT bigint[] :=
        CASE WHEN person IS NOT NULL THEN ARRAY (SELECT p.player_id
                                                   FROM casino.player p
                                                  WHERE p.external_ref = casino.canonical_ref(person)) END;
    first CONSTANT timestamptz := significant_event.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (significant_event.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    RETURN QUERY
    SELECT e.at, e.event, e.player_id, e.round_id, e.entry_no, e.amount, e.reason,
           jsonb_strip_nulls(e.detail), e.recorded_at, w.role, w.actor,
           substring(e.event FROM '^[^:]*'), substring(e.event FROM ': (.*)$')
      FROM (SELECT b.occurred_at AS at, 'breach: ' || b.rule AS event, b.player_id, NULL::bigint AS round_id,
                   b.entry_no, NULL::numeric AS amount,
                   NULL::text AS reason, b.detail, b.recorded_at, b.recorded_by
              FROM casino.breach b WHERE b.occurred_at >= first AND b.occurred_at < next
            UNION ALL
            SELECT l.posted_at, 'correction', l.player_id, l.round_id, l.entry_no, l.amount, l.reason, '{}',
                   l.recorded_at, l.recorded_by
              FROM casino.ledger l WHERE l.posted_at >= first AND l.posted_at < next AND l.kind = 'adjustment'
            UNION ALL
            SELECT r.voided_at, 'round voided', NULL, r.round_id, NULL, r.paid, r.void_reason,
                   jsonb_build_object('evaluated_at',
                                      CASE WHEN r.voided_at > r.evaluated_at THEN r.evaluated_at END,
                                      'ground', r.void_ground, 'dealer', r.facts -> 'dealer', 'shoe',
                                      r.facts -> 'shoe'),
                   r.voided_recorded_at, r.voided_by
              FROM casino.round r WHERE r.voided_at >= first AND r.voided_at < next
            UNION ALL
            SELECT r.withheld_at, 'winnings of a round withheld', NULL, r.round_id, NULL, r.paid,
                   r.withheld_reason,
                   jsonb_build_object('ground', r.withheld_ground, 'dealer', r.facts -> 'dealer', 'shoe',
                                      r.facts -> 'shoe'), r.withheld_recorded_at, r.withheld_by
              FROM casino.round r WHERE r.withheld_at >= first AND r.withheld_at < next
            UNION ALL
            SELECT r.withheld_paid_at, 'winnings of a round released', NULL, r.round_id, NULL, r.paid,
                   r.withheld_paid_reason,
                   jsonb_build_object('withheld_at', r.withheld_at), r.withheld_paid_recorded_at,
                   r.withheld_paid_by
              FROM casino.round r WHERE r.withheld_paid_at >= first AND r.withheld_paid_at < next
            UNION ALL
            SELECT h.withheld_at, 'winnings of a player withheld', h.player_id, h.round_id, NULL, NULL,
                   h.reason, jsonb_build_object('ground', h.ground), h.recorded_at, h.recorded_by
              FROM casino.withholding h WHERE h.withheld_at >= first AND h.withheld_at < next
            UNION ALL
            SELECT n.ended_at, 'withholding ended: ' || n.how, n.player_id, n.round_id, NULL, NULL, n.reason,
                   jsonb_strip_nulls(jsonb_build_object('ground', n.ground)), n.recorded_at, n.recorded_by
              FROM casino.withholding_end n WHERE n.ended_at >= first AND n.ended_at < next
            UNION ALL
            SELECT x.corrected_at, 'cards corrected', NULL, x.round_id, NULL, NULL, x.reason,
                   jsonb_build_object('deal_no', x.deal_no, 'wrong_deal_no', x.wrong_deal_no,
                                      'wagers_stand', x.wagers_stand, 'returned', x.returned),
                   x.recorded_at, x.recorded_by
              FROM casino.deal_correction x WHERE x.corrected_at >= first AND x.corrected_at < next
            UNION ALL
            SELECT x.proposed_at, 'correction of a result proposed', NULL, x.round_id, NULL, NULL, x.reason,
                   jsonb_strip_nulls(jsonb_build_object('correction_no', x.correction_no,
                                                        'ground', x.ground)),
                   x.recorded_at, x.recorded_by
              FROM casino.round_correction x WHERE x.proposed_at >= first AND x.proposed_at < next
            UNION ALL
            SELECT x.decided_at,
                   CASE x.status
                        WHEN 'rejected' THEN 'correction of a result rejected'
                        ELSE 'result corrected' END,
                   NULL, x.round_id, NULL, x.posted, x.reason,
                   jsonb_build_object('correction_no', x.correction_no, 'version', x.version,
                                      'claimed', x.claimed),
                   x.recorded_at, x.recorded_by
              FROM casino.correction_decision x WHERE x.decided_at >= first AND x.decided_at < next
            UNION ALL
            SELECT x.claimed_at, 'claim', x.player_id, x.round_id, x.stake_entry_no, x.amount, NULL,
                   jsonb_build_object('claim_no', x.claim_no), x.recorded_at, x.recorded_by
              FROM casino.claim x WHERE x.claimed_at >= first AND x.claimed_at < next
            UNION ALL
            SELECT x.ended_at, 'claim ended: ' || x.how, x.claim_no / 1000000000, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('claim_no', x.claim_no), x.recorded_at, x.recorded_by
              FROM casino.claim_end x WHERE x.ended_at >= first AND x.ended_at < next
            UNION ALL
            SELECT d.disconnected_at,
                   CASE WHEN EXISTS (SELECT FROM casino.ledger f
                                      WHERE f.round_id = d.round_id AND f.kind = 'refund'
                                        AND f.player_id = d.player_id AND f.reason = 'disconnected'
                                        AND f.posted_at = d.disconnected_at)
                        THEN 'disconnected, stakes returned'
                        ELSE 'disconnected after betting closed' END,
                   d.player_id, d.round_id, NULL, NULL, NULL, '{}', d.recorded_at, d.recorded_by
              FROM casino.disconnection d WHERE d.disconnected_at >= first AND d.disconnected_at < next
            UNION ALL
            SELECT c.reconnected_at, 'back after a disconnection', c.player_id, c.round_id, NULL, NULL, NULL,
                   '{}', c.recorded_at, c.recorded_by
              FROM casino.reconnection c WHERE c.reconnected_at >= first AND c.reconnected_at < next
            UNION ALL
            SELECT x.excluded_from, 'exclusion: ' || x.source, x.player_id, NULL, NULL, NULL, NULL,
                   jsonb_build_object('until', x.excluded_until, 'effective_from', x.effective_from),
                   x.recorded_at, x.recorded_by
              FROM casino.exclusion x WHERE x.excluded_from >= first AND x.excluded_from < next
            UNION ALL
            SELECT x.ended_at, 'exclusion ended', x.player_id, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('exclusion_no', x.exclusion_no), x.recorded_at, x.recorded_by
              FROM casino.exclusion_end x WHERE x.ended_at >= first AND x.ended_at < next
            UNION ALL
            SELECT x.approved_at, 'exclusion approved as a mistake', x.player_id, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('exclusion_no', x.exclusion_no, 'approval_no', x.approval_no),
                   x.recorded_at, x.recorded_by
              FROM casino.exclusion_mistake x WHERE x.approved_at >= first AND x.approved_at < next
            UNION ALL
            SELECT x.checked_at, 'register asked: ' || x.answer, x.player_id, NULL, NULL, NULL, NULL, '{}',
                   x.recorded_at, x.recorded_by
              FROM casino.register_check x WHERE x.checked_at >= first AND x.checked_at < next
            UNION ALL
            SELECT x.requested_at, 'limit set', x.player_id, NULL, NULL, x.amount, NULL,
                   jsonb_build_object('measure', x.measure, 'period', x.period,
                                      'effective_from', x.effective_from),
                   x.recorded_at, x.recorded_by
              FROM casino.player_limit x WHERE x.requested_at >= first AND x.requested_at < next
            UNION ALL
            SELECT x.registered_at, 'payment account registered', x.player_id, NULL, NULL, NULL, NULL,
                   jsonb_build_object('account', casino.clear_text_of(x.player_id, x.account)),
                   x.recorded_at, x.recorded_by
              FROM casino.payment_account x WHERE x.registered_at >= first AND x.registered_at < next
            UNION ALL
            SELECT x.approved_at, 'transfer approved', x.player_id, NULL, x.entry_no, NULL, NULL, '{}',
                   x.recorded_at, x.recorded_by
              FROM casino.withdrawal_approval x WHERE x.approved_at >= first AND x.approved_at < next
            UNION ALL
            SELECT x.approved_at, 'adjustment approved', x.player_id, x.round_id, NULL, x.amount, x.reason,
                   jsonb_build_object('request_id', x.request_id), x.recorded_at, x.recorded_by
              FROM casino.adjustment_approval x WHERE x.approved_at >= first AND x.approved_at < next
            UNION ALL
            SELECT x.recorded_at, 'replay marked', NULL, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('from_day', x.from_day, 'to_day', x.to_day), x.recorded_at,
                   x.recorded_by
              FROM casino.replay x WHERE x.recorded_at >= first AND x.recorded_at < next
            UNION ALL
            SELECT x.recorded_at, 'erasure proposed', NULL, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('token', x.external_ref, 'proposal_no', x.proposal_no), x.recorded_at,
                   x.recorded_by
              FROM casino.erasure_proposal x WHERE x.recorded_at >= first AND x.recorded_at < next
            UNION ALL
            SELECT x.recorded_at, 'erasure rejected', NULL, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('token', q.external_ref, 'proposal_no', x.proposal_no), x.recorded_at,
                   x.recorded_by
              FROM casino.erasure_rejection x
              JOIN casino.erasure_proposal q ON q.proposal_no = x.proposal_no
             WHERE x.recorded_at >= first AND x.recorded_at < next
            UNION ALL
            SELECT x.recorded_at, 'person erased', NULL, NULL, NULL, NULL, x.reason,
                   jsonb_build_object('token', x.external_ref, 'accounts', x.accounts,
                                      'proposal_no', x.proposal_no), x.recorded_at,
                   x.recorded_by
              FROM casino.erasure x WHERE x.recorded_at >= first AND x.recorded_at < next
            UNION ALL
            SELECT x.excused_at, 'delay excused', x.player_id, NULL, x.entry_no, NULL, x.reason, '{}',
                   x.recorded_at, x.recorded_by
              FROM casino.excused_delay x WHERE x.excused_at >= first AND x.excused_at < next
            UNION ALL
            SELECT x.refused_at, 'refused: ' || x.action, x.player_id, x.round_id, NULL, x.amount, x.message,
                   jsonb_build_object('code', x.code, 'detail', x.detail), x.recorded_at, x.recorded_by
              FROM casino.refusal x WHERE x.refused_at >= first AND x.refused_at < next
            UNION ALL
            SELECT x.brought_at, 'chips brought to a table', x.player_id, x.round_id, NULL, x.amount, NULL,
                   jsonb_build_object('seat', x.seat), x.recorded_at, x.recorded_by
              FROM casino.table_stack x WHERE x.brought_at >= first AND x.brought_at < next
            UNION ALL
            SELECT x.handed_at, 'box handed over', x.owner, x.round_id, NULL, NULL, NULL,
                   jsonb_build_object('seat', x.seat, 'former_owner', x.former_owner), x.recorded_at,
                   x.recorded_by
              FROM casino.box_handover x WHERE x.handed_at >= first AND x.handed_at < next
            UNION ALL
            SELECT greatest(v.valid_from, v.recorded_at), 'table limits set', NULL, NULL, NULL, NULL, NULL,
                   jsonb_build_object('table_id', v.table_id, 'version', v.version, 'min_stake', v.min_stake,
                                      'max_stake', v.max_stake),
                   v.recorded_at, v.recorded_by
              FROM casino.table_version v
             WHERE greatest(v.valid_from, v.recorded_at) >= first
               AND greatest(v.valid_from, v.recorded_at) < next
            UNION ALL
            -- R7.119
            SELECT o.happened_at,
                   CASE WHEN o.opened THEN 'table opened again' ELSE 'table closed' END, NULL, NULL, NULL,
                   NULL, o.reason,
                   jsonb_build_object('table_id', o.table_id, 'operation_no', o.operation_no),
                   o.recorded_at, o.recorded_by
              FROM casino.table_operation o WHERE o.happened_at >= first AND o.happened_at < next
            UNION ALL
            SELECT o.played_at, 'play of another product counted', o.player_id, NULL, NULL, o.result, NULL,
                   jsonb_build_object('product', o.product, 'staked', o.staked), o.recorded_at, o.recorded_by
              FROM casino.other_play o WHERE o.played_at >= first AND o.played_at < next
            UNION ALL
            SELECT y.recorded_at, CASE y.state WHEN 'asked' THEN 'difference asked about'
                                               WHEN 'explained' THEN 'difference explained'
                                               WHEN 'written_off' THEN 'difference written off'
                                               ELSE 'difference approved' END,
                   z.player_id, z.round_id, z.entry_no, NULL, y.note,
                   jsonb_build_object('run_no', y.run_no, 'difference_no', y.difference_no,
                                      'check_name', z.check_name, 'rule', z.rule),
                   y.recorded_at, y.recorded_by
              FROM casino.difference_note y
              JOIN casino.difference z ON z.run_no = y.run_no AND z.difference_no = y.difference_no
             WHERE y.recorded_at >= first AND y.recorded_at < next
            UNION ALL
            SELECT o.recorded_at, 'day signed off', NULL, NULL, NULL, o.closing, o.note,
                   jsonb_build_object('day', o.day, 'sign_no', o.sign_no, 'run_no', o.run_no, 'name', o.name),
                   o.recorded_at, o.recorded_by
              FROM casino.day_sign_off o
             WHERE o.recorded_at >= first AND o.recorded_at < next
            UNION ALL
            SELECT c.counted_at, 'cash desk counted', NULL, NULL, NULL, c.counted, c.note,
                   jsonb_build_object('desk', c.desk, 'count_no', c.count_no, 'moved', c.moved),
                   c.recorded_at, c.recorded_by
              FROM casino.cage_count c
             WHERE c.counted_at >= first AND c.counted_at < next
            UNION ALL
            SELECT a.registered_at, 'account opened', a.player_id, NULL, NULL, NULL, NULL, '{}',
                   a.registered_at, a.registered_by
              FROM casino.player a WHERE a.registered_at >= first AND a.registered_at < next
            UNION ALL
            SELECT a.closed_at, 'account closed', a.player_id, NULL, NULL, NULL, NULL, '{}', NULL,
                   a.closed_by
              FROM casino.player a WHERE a.closed_at >= first AND a.closed_at < next
            UNION ALL
            -- R7.75: the rows that install() writes have no beginning
            SELECT s.recorded_at, 'setting: ' || s.name, NULL, NULL, NULL, NULL, s.document, s.detail,
                   s.recorded_at, s.recorded_by
              FROM (SELECT d.recorded_at, d.recorded_by, d.name, d.document,
                           jsonb_build_object('value', d.value, 'valid_from', d.valid_from,
                                              'paragraph', d.paragraph) AS detail
                      FROM casino.duty_rule d WHERE isfinite(d.valid_from)
                    UNION ALL
                    SELECT v.recorded_at, v.recorded_by, 'provider', NULL,
                           jsonb_build_object('provider', v.provider, 'valid_from', v.valid_from,
                                              'tolerance_seconds', v.tolerance_seconds,
                                              'time_zone', v.time_zone, 'day_starts', v.day_starts)
                      FROM casino.provider_setting v
                    UNION ALL
                    SELECT o.recorded_at, o.recorded_by,
                           CASE WHEN o.resumed THEN 'provider resumed' ELSE 'provider ended' END, o.reason,
                           jsonb_build_object('provider', o.provider, 'from_day', o.from_day)
                      FROM casino.provider_operation o
                    UNION ALL
                    SELECT m.recorded_at, m.recorded_by, 'payment method', m.meaning,
                           jsonb_build_object('method', m.method, 'valid_from', m.valid_from,
                                              'is_cash', m.is_cash, 'offered', m.offered)
                      FROM casino.payment_method m WHERE isfinite(m.valid_from)
                    UNION ALL
                    SELECT o.recorded_at, o.recorded_by, 'approved object', o.reason,
                           jsonb_build_object('object', o.object)
                      FROM casino.approved_object o) s
             WHERE s.recorded_at >= first AND s.recorded_at < next
            UNION ALL
            SELECT x.recorded_at, 'plan: ' || x.what, NULL, NULL, NULL, NULL, x.why,
                   jsonb_build_object('game', p.game, 'version', p.version, 'plan_id', p.plan_id,
                                      'valid_from', p.valid_from, 'number', x.number,
                                      'approved_by', x.approved_by),
                   x.recorded_at, x.recorded_by
              FROM casino.game_plan p
             CROSS JOIN LATERAL (SELECT 'draft added' AS what, p.document AS why, NULL AS number,
                                        NULL AS approved_by, p.recorded_at, p.recorded_by
                                  WHERE p.recorded_by IS NOT NULL
                                    AND NOT EXISTS (SELECT FROM casino.plan_change c
                                                     WHERE c.plan_id = p.plan_id AND c.change_no = 1
                                                       AND c.before IS NULL AND c.part = 'game_plan')
                                 UNION ALL
                                 SELECT 'approved', NULL, a.number, a.approved_by, a.recorded_at,
                                        a.recorded_by
                                   FROM casino.plan_approval a WHERE a.plan_id = p.plan_id
                                 UNION ALL
                                 SELECT 'withdrawn', w.reason, NULL, NULL, w.recorded_at, w.recorded_by
                                   FROM casino.plan_withdrawal w WHERE w.plan_id = p.plan_id) x
             WHERE x.recorded_at >= first AND x.recorded_at < next
            UNION ALL
            -- R7.120: of a row that changed, the values that did
            SELECT c.recorded_at,
                   CASE WHEN c.part = 'game_plan' AND c.before IS NULL THEN 'plan: draft added'
                        WHEN c.before IS NULL THEN 'plan: row of a draft added'
                        WHEN c.after IS NULL THEN 'plan: row of a draft removed'
                        ELSE 'plan: row of a draft changed' END,
                   NULL, NULL, NULL, NULL,
                   CASE WHEN c.part = 'game_plan' AND c.before IS NULL THEN c.after ->> 'document' END,
                   jsonb_build_object('game', v.content -> 'game', 'version', v.content -> 'version',
                                      'plan_id', c.plan_id, 'change_no', c.change_no)
                   || CASE WHEN c.part = 'game_plan' AND c.before IS NULL
                           THEN jsonb_build_object('valid_from', c.after -> 'valid_from',
                                                   'copied_from', c.copied_from)
                           ELSE jsonb_build_object('table', c.part, 'key', nullif(c.row_key, ''),
                                                   'before', casino_internal.other_values(c.before, c.after),
                                                   'after', casino_internal.other_values(c.after, c.before))
                      END,
                   c.recorded_at, c.recorded_by
              FROM casino.plan_change c
              -- of a version that was deleted, too
             CROSS JOIN LATERAL (SELECT coalesce(g.after, g.before) AS content
                                   FROM casino.plan_change g
                                  WHERE g.plan_id = c.plan_id AND g.part = 'game_plan'
                                 UNION ALL
                                 SELECT to_jsonb(p) FROM casino.game_plan p WHERE p.plan_id = c.plan_id
                                 UNION ALL
                                 SELECT NULL
                                  LIMIT 1) v
             WHERE c.recorded_at >= first AND c.recorded_at < next
            UNION ALL
            SELECT p.valid_from, 'plan in force', NULL, NULL, NULL, NULL, p.document,
                   jsonb_build_object('game', p.game, 'version', p.version), NULL,
                   (SELECT o.recorded_by FROM casino.game_plan o WHERE o.plan_id = p.plan_id)
              FROM (SELECT o.* FROM casino.approved_plan k
                      JOIN casino.game_plan o ON o.plan_id = k.plan_id) p
             WHERE p.valid_from >= first AND p.valid_from < next) e
      LEFT JOIN casino.recorder w ON w.recorder_id = e.recorded_by
     WHERE accounts IS NULL
        OR e.player_id = ANY (accounts)
        -- R7.91: an event of a round is one of all who staked there
        OR e.player_id IS NULL
           AND EXISTS (SELECT FROM casino.ledger s
                        WHERE s.player_id = ANY (accounts) AND s.round_id = e.round_id AND s.kind = 'stake')
     ORDER BY e.at, e.event, e.player_id, e.round_id, e.entry_no;
END
$fn$;
COMMENT ON FUNCTION casino.significant_event(date, date, text)
    IS 'What happened on Prague days beside play: breaches, corrections, voided rounds, winnings withheld '
       'and released, disconnections, returns, exclusions, limits, payment accounts, approvals, excuses, '
       'refusals, boxes handed over, cash desks counted, accounts opened and closed, tables closed and '
       'opened again, settings, new limits of tables and plans, all or of one person, each with who recorded '
       'it. To group by: kind is the event up to its colon, about the rest';

CREATE FUNCTION casino.game_recall(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    played casino.round;
BEGIN
    SELECT r.* INTO played FROM casino.round r WHERE r.round_id = game_recall.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', game_recall.round_id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN jsonb_build_object(
        'round',
        jsonb_build_object('round_id', played.round_id, 'round_ref', played.round_ref,
                           'status', played.status, 'void_ground', played.void_ground,
                           'void_reason', played.void_reason, 'withheld_ground', played.withheld_ground,
                           'withheld_reason', played.withheld_reason,
                           'withheld_paid_reason', played.withheld_paid_reason, 'wagers', played.wagers,
                           'players', played.players, 'staked', played.staked,
                           'paid', played.paid),
        'times',
        jsonb_build_object('opened', played.opened_at, 'betting_until', played.betting_until,
                           'betting_closed', played.betting_closed_at,
                           'actions_closed', played.actions_closed_at,
                           'evaluated', played.evaluated_at,
                           'evaluation_recorded', played.evaluation_recorded_at,
                           'withheld', played.withheld_at,
                           'withheld_paid', played.withheld_paid_at, 'voided', played.voided_at),
        'table',
        (SELECT jsonb_build_object('table_id', t.table_id, 'name', t.name, 'game', t.game,
                                   'version', v.version, 'min_stake', v.min_stake,
                                   'max_stake', v.max_stake, 'surrender', v.surrender, 'behind', v.behind,
                                   'seats', v.seats,
                                   'limits',
                                   (SELECT coalesce(jsonb_object_agg(
                                       m.kind, jsonb_build_object('min', m.min_stake, 'max', m.max_stake)),
                                                    '{}')
                                      FROM casino.table_limit m
                                     WHERE m.table_id = v.table_id AND m.version = v.version))
           FROM casino.game_table t
           JOIN casino.table_version v ON v.table_id = t.table_id AND v.version = played.table_version
          WHERE t.table_id = played.table_id),
        'plan',
        (SELECT jsonb_build_object('plan_id', p.plan_id, 'version', p.version, 'document', p.document,
                                   'valid_from', p.valid_from,
                    'round_max_stake', p.round_max_stake, 'declared_round_win', p.declared_round_win,
                    'rules',
                    (SELECT coalesce(jsonb_object_agg(x.rule,
                                                      jsonb_build_object(
                                                          'value', x.value, 'paragraph', x.paragraph)),
                                     '{}')
                       FROM casino.plan_rule x WHERE x.plan_id = p.plan_id),
                    'bets', (SELECT coalesce(jsonb_object_agg(b.kind, jsonb_build_object(
                                        'min_stake', b.min_stake, 'max_stake', b.max_stake,
                                        'declared_win', b.declared_win, 'paragraph', b.paragraph,
                                        'pays',
                                        (SELECT coalesce(jsonb_object_agg(
                                            y.grade,
                                            jsonb_build_object('odds', y.num || ':' || y.den,
                                                               'paragraph', y.paragraph)),
                                                         '{}')
                                           FROM casino.paytable y
                                          WHERE y.plan_id = b.plan_id AND y.kind = b.kind))), '{}')
                               FROM casino.bet_rule b
                              WHERE b.plan_id = p.plan_id
                                AND b.kind IN (SELECT casino.kind(s.bet)
                                                 FROM casino.ledger s
                                                WHERE s.round_id = played.round_id AND s.kind = 'stake')))
           FROM casino.game_plan p WHERE p.plan_id = played.plan_id),
        'facts', coalesce(played.facts, '{}'),
        'document', played.outcome_document,
        'outcome', played.outcome,
        'deals',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('deal_no', d.deal_no, 'at', d.dealt_at,
                                                      'recorded', d.recorded_at, 'document', d.document)
                                     || CASE WHEN c.round_id IS NULL THEN '{}'
                                             ELSE jsonb_build_object('corrects', jsonb_build_object(
                                                    'wrong_deal_no', c.wrong_deal_no, 'reason', c.reason,
                                                    'wagers_stand', c.wagers_stand, 'returned', c.returned,
                                                    'role', w.role, 'actor',
                                                    w.actor)) END ORDER BY d.deal_no), '[]')
           FROM casino.deal d
           LEFT JOIN casino.deal_correction c ON c.round_id = d.round_id AND c.deal_no = d.deal_no
           LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
          WHERE d.round_id = played.round_id),
        'cards',
        (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'side', d.side, 'seat', nullif(d.seat, 0), 'group', nullif(d.group_no, 0), 'hand', d.hand,
'cards', d.cards::text, 'surrendered', nullif(d.surrendered, false), 'folded', nullif(d.folded, false),
'even_money', nullif(d.even_money, false), 'even_money_players', nullif(d.even_money_players, '{}'),
'players', nullif(d.players, '{}')))
                                   ORDER BY d.side, d.seat, d.group_no, d.hand), '[]')
           FROM casino.dealt_hand d WHERE d.round_id = played.round_id),
        'wagers', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'player_id', w.player_id, 'entry_no', w.entry_no, 'at', w.posted_at,
                            'bet', w.bet::text, 'seat', w.seat, 'hand', w.hand, 'staked', w.staked,
                            'request_id', w.request_id, 'status', w.status, 'grade', w.grade,
                            'payout', w.payout, 'paid_entry_no', w.paid_entry_no,
                            'paid_at', p.posted_at, 'paid_kind', p.kind, 'reason',
                            p.reason)) ORDER BY w.posted_at, w.player_id, w.entry_no), '[]')
                     FROM casino.wager w
                     LEFT JOIN casino.ledger p ON p.player_id = w.player_id AND p.entry_no = w.paid_entry_no
                    WHERE w.round_id = played.round_id),
        'handovers',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('seat', h.seat, 'owner', h.owner,
                                                      'former_owner', h.former_owner, 'at', h.handed_at)
                                   ORDER BY h.seat, h.handover_no), '[]')
           FROM casino.box_handover h WHERE h.round_id = played.round_id),
        'stacks',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', s.player_id, 'seat', s.seat,
                                                      'stack', s.amount, 'at', s.brought_at)
                                   ORDER BY s.seat), '[]')
           FROM casino.table_stack s WHERE s.round_id = played.round_id),
        'disconnections',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', d.player_id, 'at', d.disconnected_at)
                                   ORDER BY d.disconnected_at, d.player_id),
                         '[]')
           FROM casino.disconnection d WHERE d.round_id = played.round_id),
        'reconnections',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', c.player_id, 'at', c.reconnected_at)
                                   ORDER BY c.reconnected_at, c.player_id),
                         '[]')
           FROM casino.reconnection c WHERE c.round_id = played.round_id),
        'withholdings',
        (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'player_id', h.player_id, 'reason', h.reason, 'ground', h.ground, 'at', h.withheld_at,
            'ended', h.how, 'ended_at', h.ended_at, 'end_reason', h.end_reason,
            'end_ground', h.end_ground)) ORDER BY h.player_id), '[]')
           FROM (SELECT player_id, w.reason, w.ground, w.withheld_at, e.how, e.reason AS end_reason,
                        e.ground AS end_ground, e.ended_at
                   FROM (SELECT o.* FROM casino.withholding o WHERE o.round_id = played.round_id) w
                   -- of a round withheld as a whole single players are paid or voided, too
                   FULL JOIN (SELECT o.* FROM casino.withholding_end o WHERE o.round_id = played.round_id) e
                       USING (player_id)) h),
        -- a correction names its round, and is one of a player who had a stake there or of nobody else
        'corrections',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', l.player_id, 'entry_no', l.entry_no,
                                                      'amount', l.amount, 'reason', l.reason,
                                                      'at', l.posted_at)
                                   ORDER BY l.posted_at, l.player_id, l.entry_no), '[]')
           FROM casino.ledger l
          WHERE l.round_id = played.round_id AND l.kind IN ('adjustment', 'correction')),
        'versions',
        (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'correction_no', c.correction_no, 'version', d.version, 'decision', coalesce(d.status, 'waits'),
'document', c.outcome_document, 'reason', c.reason, 'ground', c.ground, 'proposed', c.proposed_at,
'decided', d.decided_at,
'rejected_because', d.reason, 'entries', d.entries, 'posted', d.posted, 'claimed', d.claimed,
'proposed_by', p.actor, 'proposed_role', p.role, 'decided_by', q.actor,
'decided_role', q.role)) || jsonb_build_object('former', d.former)
                                   ORDER BY c.correction_no), '[]')
           FROM casino.round_correction c
           LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no
           LEFT JOIN casino.recorder p ON p.recorder_id = c.recorded_by
           LEFT JOIN casino.recorder q ON q.recorder_id = d.recorded_by
          WHERE c.round_id = played.round_id),
        'claims',
        (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'claim_no', m.claim_no, 'player_id', m.player_id, 'stake_entry_no', m.stake_entry_no,
            'amount', m.amount,
'at', m.claimed_at, 'ended', e.how, 'ended_at', e.ended_at, 'end_reason', e.reason)) ORDER BY m.player_id,
m.claim_no), '[]')
           FROM casino.claim m LEFT JOIN casino.claim_end e ON e.claim_no = m.claim_no
          WHERE m.round_id = played.round_id),
        'breaches',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', b.player_id, 'entry_no', b.entry_no,
                                                      'rule', b.rule, 'at', b.occurred_at, 'detail', b.detail)
                                   ORDER BY b.player_id, b.entry_no, b.rule), '[]')
           FROM casino.ledger s JOIN casino.breach b ON b.player_id = s.player_id AND b.entry_no = s.entry_no
          WHERE s.round_id = played.round_id AND s.kind = 'stake'),
        'recorded_by',
        (SELECT jsonb_object_agg(x.act,
                                 jsonb_strip_nulls(jsonb_build_object('role', w.role, 'actor', w.actor)))
           FROM (VALUES ('opened', played.opened_by), ('betting_closed', played.betting_closed_by),
                        ('actions_closed', played.actions_closed_by),
                        ('evaluated', played.evaluated_by), ('withheld', played.withheld_by),
                        ('withheld_paid', played.withheld_paid_by),
                        ('voided', played.voided_by)) AS x (act, recorder)
           JOIN casino.recorder w ON w.recorder_id = x.recorder));
END
$fn$;
COMMENT ON FUNCTION casino.game_recall(bigint)
    IS 'Everything that is kept of a round in one value: limits of the table then, plan with its '
       'paragraphs, times, the outcome document as it was received, deals as they came, cards, wagers with '
       'their decisions and payments, corrections, breaches, and who recorded what';
