-- Money of a day: the balance statement of the wallets (R10.47), and double entries for the accounting system
-- (R10.48).

-- The opening is reckoned from the first entry on, the closing from the opening and the entries of the day;
-- both are held against other sources: the day before against its kept report, the wallets against their
-- own sum.
CREATE FUNCTION casino.balance_statement(day date)
RETURNS TABLE (line_no integer, line text, amount numeric, agrees boolean, other numeric)
LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_given(balance_statement.day IS NOT NULL, 'day');
    WITH moved AS MATERIALIZED (
        SELECT l.kind, sum(l.amount * k.wallet_sign) AS change
          FROM casino.ledger l
          JOIN casino.entry_kinds() k ON k.kind = l.kind
         WHERE l.posted_at >= casino.day_start(balance_statement.day)
           AND l.posted_at < casino.day_start(balance_statement.day + 1)
           AND l.book > (SELECT casino_internal.last_book_before(casino.day_start(balance_statement.day)))
         GROUP BY l.kind),
    wallets AS MATERIALIZED (
        SELECT o.wallets AS opening,
               o.wallets + coalesce((SELECT sum(m.change) FROM moved m), 0.00) AS closing
          FROM casino.liability(casino.day_start(balance_statement.day) - interval '1 microsecond') o),
    ended AS MATERIALIZED (
        -- the players' own rows, less later entries: not the entries that give the closing
        SELECT coalesce((SELECT sum(p.balance) FROM casino.player p), 0.00)
               - coalesce((SELECT sum(t.amount * k.wallet_sign)
                             FROM (SELECT d.kind, d.amount
                                     FROM casino.day_total d
                                    WHERE d.day < casino.prague_day(u.until)
                                      AND d.day > balance_statement.day
                                   UNION ALL
                                   SELECT l.kind, l.amount
                                     FROM casino.ledger l
                                    WHERE l.posted_at >= greatest(u.until, n.midnight)) t
                             JOIN casino.entry_kinds() k ON k.kind = t.kind), 0.00) AS wallets,
               e.open_stakes
          FROM casino.kept_until u
         CROSS JOIN (SELECT casino.day_start(balance_statement.day + 1) AS midnight) n
         CROSS JOIN LATERAL casino.liability(n.midnight - interval '1 microsecond') e),
    -- as the night before had written it down
    before AS (
        SELECT (r.report #>> '{liability,wallets}')::numeric AS wallets
          FROM casino.day_report r
         WHERE r.day = balance_statement.day - 1
         ORDER BY r.run_no DESC
         LIMIT 1)
    SELECT 1, 'opening', w.opening, b.wallets = w.opening, b.wallets
      FROM wallets w LEFT JOIN before b ON true
    UNION ALL
    SELECT v.line_no, v.line, coalesce(sum(m.change), 0.00), NULL, NULL
      FROM (VALUES (2, 'in', '{deposit}'::text[]), (3, 'out', '{withdrawal}'),
                   (4, 'back', '{withdrawal_cancelled}'), (5, 'stakes', '{stake}'),
                   (6, 'payouts', '{payout}'), (7, 'refunds', '{refund}'),
                   (8, 'corrections', '{correction,adjustment}')) v (line_no, line, kinds)
      LEFT JOIN moved m ON m.kind = ANY (v.kinds)
     GROUP BY v.line_no, v.line
    UNION ALL
    SELECT 9, 'closing', w.closing, w.closing = e.wallets, e.wallets FROM wallets w CROSS JOIN ended e
    UNION ALL
    SELECT 10, 'carried', e.open_stakes, NULL, NULL FROM ended e
     ORDER BY 1
$fn$;
COMMENT ON FUNCTION casino.balance_statement(date)
    IS 'Wallets of a Prague day, CZK: opening, money in and out, closing, and stakes that were '
       'open at midnight. agrees, other: the opening against the closing that the night before kept, and '
       'the closing against the sum of the wallets then';

-- Two lines a document: one account is debited, another credited, with the same amount.
CREATE FUNCTION casino.gl_export(from_day date, to_day date)
RETURNS TABLE (day date, document text, line_no integer, account text, debit numeric, credit numeric,
               currency text, entries bigint, text text)
LANGUAGE plpgsql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    RETURN QUERY
        WITH posted AS (
            -- an amount taken back is a document of its own: accounts change sides, amounts stay positive
            SELECT casino.prague_day(l.posted_at) AS day, l.kind, l.amount < 0 AS back, g.game,
                   sum(abs(l.amount)) AS amount, count(*) AS entries
              FROM casino.ledger l
              LEFT JOIN casino.round r ON r.round_id = l.round_id
              LEFT JOIN casino.game_table g ON g.table_id = r.table_id
             WHERE l.posted_at >= casino.day_start(gl_export.from_day)
               AND l.posted_at < casino.day_start(gl_export.to_day + 1)
               AND l.book > (SELECT casino_internal.last_book_before(casino.day_start(gl_export.from_day)))
               AND l.amount <> 0
             GROUP BY 1, 2, 3, 4)
        SELECT p.day,
               concat_ws('/', to_char(p.day, 'YYYY-MM-DD'), p.kind, p.game, CASE WHEN p.back THEN 'back' END),
               a.line_no, a.account, a.debit, a.credit, 'CZK', p.entries,
               concat_ws(', ', k.meaning, p.game)
          FROM posted p
          JOIN casino.entry_kinds() k ON k.kind = p.kind
         CROSS JOIN LATERAL (VALUES
               (1, CASE WHEN p.back THEN k.credit_account ELSE k.debit_account END, p.amount, 0.00),
               (2, CASE WHEN p.back THEN k.debit_account ELSE k.credit_account END, 0.00, p.amount))
               a (line_no, account, debit, credit)
         ORDER BY 1, 2, 3;
END
$fn$;
COMMENT ON FUNCTION casino.gl_export(date, date)
    IS 'Double entries of Prague days for an accounting system: a document for each day, kind of entry and '
       'game, with a line for the account debited and one for the account credited, of the same amount';
