-- Closing a book of the ledger: its balances and totals, as evidence that stays when the book is put away.

CREATE FUNCTION casino_internal.install_book_closings() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.book_closing (
        book        integer PRIMARY KEY REFERENCES casino.book_turn,
        entries     bigint NOT NULL CHECK (entries >= 0),
        players     bigint NOT NULL CHECK (players BETWEEN 0 AND entries),
        last_round_id    bigint,
        last_posted_at   timestamptz,
        last_recorded_at timestamptz,
        recorded_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.book_closing
        IS 'Append-only: books of the ledger that are closed (R12.47)';
    COMMENT ON COLUMN casino.book_closing.book IS 'Book';
    COMMENT ON COLUMN casino.book_closing.entries IS 'Entries of the book';
    COMMENT ON COLUMN casino.book_closing.players IS 'Players who have entries in the book';
    COMMENT ON COLUMN casino.book_closing.last_round_id
        IS 'The greatest round that an entry of the book names; NULL: none names one';
    COMMENT ON COLUMN casino.book_closing.last_posted_at
        IS 'The latest time at which an entry of the book happened; NULL: the book has no entry';
    COMMENT ON COLUMN casino.book_closing.last_recorded_at
        IS 'The latest time at which an entry of the book was written; NULL: the book has no entry';
    COMMENT ON COLUMN casino.book_closing.recorded_at IS 'When the book was closed';

    CREATE TABLE casino.book_balance (
        player_id   bigint NOT NULL,
        book        integer NOT NULL,
        entry_no    bigint NOT NULL,
        balance     numeric NOT NULL,
        last_posted_at timestamptz NOT NULL,
        sums        jsonb NOT NULL CHECK (jsonb_typeof(sums) = 'object'),
        stream      text NOT NULL CHECK (octet_length(stream) = 64),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, book)
    );
    CREATE INDEX book_balance_book ON casino.book_balance (book);
    COMMENT ON INDEX casino.book_balance_book IS 'Counts the players of a book';
    COMMENT ON TABLE casino.book_balance
        IS 'Append-only: balance and sums of each player with entries in a closed book (R12.48)';
    COMMENT ON COLUMN casino.book_balance.player_id IS 'Player';
    COMMENT ON COLUMN casino.book_balance.book IS 'Book';
    COMMENT ON COLUMN casino.book_balance.entry_no
        IS 'The player''s last entry in the book; the first one follows the last one of the book before';
    COMMENT ON COLUMN casino.book_balance.balance IS 'CZK in the wallet after that entry';
    COMMENT ON COLUMN casino.book_balance.last_posted_at
        IS 'The latest time at which an entry of the player in the book happened';
    COMMENT ON COLUMN casino.book_balance.sums
        IS 'CZK of the player''s entries in the book, by kind of entry';
    COMMENT ON COLUMN casino.book_balance.stream
        IS 'Root of the tree of the player''s entries in the book, by their numbers, in hexadecimal digits';
    COMMENT ON COLUMN casino.book_balance.recorded_at IS 'When the book was closed';

    CREATE TABLE casino.book_total (
        book        integer NOT NULL,
        account     text NOT NULL CHECK (octet_length(account) <= 200),
        debit       numeric NOT NULL,
        credit      numeric NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (book, account)
    );
    COMMENT ON TABLE casino.book_total
        IS 'Append-only: debits and credits of a closed book, by account (R12.48)';
    COMMENT ON COLUMN casino.book_total.book IS 'Book';
    COMMENT ON COLUMN casino.book_total.account IS 'Account, see casino.entry_kinds()';
    COMMENT ON COLUMN casino.book_total.debit IS 'CZK debited by entries of the book';
    COMMENT ON COLUMN casino.book_total.credit IS 'CZK credited by entries of the book';
    COMMENT ON COLUMN casino.book_total.recorded_at IS 'When the book was closed';

    PERFORM casino_internal.make_append_only('book_closing', 'book_balance', 'book_total');
    PERFORM casino_internal.make_recorded('book_closing');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_book_closings()
    IS 'Part of casino.install(): closed books, with balances and totals';

-- R12.47: questions that still need the entries of a book. No entry comes into a book that was turned, but
-- rounds, withdrawals, claims and withheld winnings that began there end later.
CREATE FUNCTION casino_internal.book_hindrances(book integer) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    (SELECT format('Round %s is %s.', r.round_id, r.status)
       FROM casino.round r
      WHERE r.status NOT IN ('settled', 'voided')
        AND EXISTS (SELECT FROM casino.ledger l
                     WHERE l.book = book_hindrances.book AND l.round_id = r.round_id
                       AND l.kind IN ('stake', 'refund', 'adjustment', 'correction'))
      ORDER BY r.round_id
      LIMIT 10)
    UNION ALL
    (SELECT format('Correction %s of round %s is not decided.', c.correction_no, c.round_id)
       FROM casino.pending_correction c
      WHERE EXISTS (SELECT FROM casino.ledger l
                     WHERE l.book = book_hindrances.book AND l.round_id = c.round_id
                       AND l.kind IN ('stake', 'refund', 'adjustment', 'correction'))
      ORDER BY c.correction_no
      LIMIT 10)
    UNION ALL
    (SELECT format('Withdrawal %s is neither paid nor cancelled.',
                   casino.withdrawal_id(o.player_id, o.entry_no))
       FROM casino.open_withdrawal o
       JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no
      WHERE w.book = book_hindrances.book
      ORDER BY o.player_id, o.entry_no
      LIMIT 10)
    UNION ALL
    (SELECT format('Claim %s is not settled.', c.claim_no)
       FROM casino.open_claim c
       JOIN casino.ledger s ON s.player_id = c.player_id AND s.entry_no = c.stake_entry_no
      WHERE s.book = book_hindrances.book
      ORDER BY c.claim_no
      LIMIT 10)
    UNION ALL
    (SELECT format('Winnings of player %s in round %s are withheld.', h.player_id, h.round_id)
       FROM casino.withholding h
      WHERE NOT EXISTS (SELECT FROM casino.withholding_end e
                         WHERE e.player_id = h.player_id AND e.round_id = h.round_id)
        AND EXISTS (SELECT FROM casino.ledger l
                     WHERE l.book = book_hindrances.book AND l.round_id = h.round_id
                       AND l.player_id = h.player_id AND l.kind = 'stake')
      ORDER BY h.player_id, h.round_id
      LIMIT 10)
    UNION ALL
    (SELECT DISTINCT format('Day %s is not sealed.', casino.prague_day(l.recorded_at))
       FROM (SELECT x.player_id, max(x.entry_no) AS entry_no
               FROM casino.ledger x
              WHERE x.book = book_hindrances.book
              GROUP BY x.player_id) p
       LEFT JOIN LATERAL (SELECT s.last_entry_no
                            FROM casino.sealed_player s
                           WHERE s.player_id = p.player_id
                           ORDER BY s.seal_no DESC
                           LIMIT 1) s ON true
       JOIN casino.ledger l ON l.book = book_hindrances.book AND l.player_id = p.player_id
                           AND l.entry_no > coalesce(s.last_entry_no, 0)
      WHERE p.entry_no > coalesce(s.last_entry_no, 0)
      LIMIT 10)
$fn$;
COMMENT ON FUNCTION casino_internal.book_hindrances(integer)
    IS 'Part of close_book(): sentences that name open business of a book, ten of a sort at most';

CREATE FUNCTION casino.close_book(INOUT book integer, OUT entries bigint, OUT players bigint,
                                  OUT closed_at timestamptz)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_book(integer)
    IS 'Closes a book of the ledger that was turned: keeps its balances and totals as evidence, which the '
       'next seal covers. Asked again it gives the same row. 55000 while a book before is not closed, and '
       'while a round, a correction, a withdrawal, a claim, withheld winnings or a day of it is open, which '
       'the DETAIL names';

CREATE FUNCTION casino_internal.close_book_impl(INOUT book integer, OUT entries bigint, OUT players bigint,
                                                OUT closed_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    open_book CONSTANT integer := casino_internal.require_book(close_book_impl.book);
    hindrances text;
BEGIN
    PERFORM casino_internal.require_read_committed('close_book',
                                                   'It looks at all that was committed before.');
    PERFORM casino_internal.take_lock('books');
    IF NOT EXISTS (SELECT FROM casino.book_closing c WHERE c.book = close_book_impl.book) THEN
        hindrances := CASE
            WHEN close_book_impl.book = open_book
            THEN 'It is the open book: casino.turn_book() opens the next.'
            WHEN close_book_impl.book > 1
                 AND NOT EXISTS (SELECT FROM casino.book_closing c WHERE c.book = close_book_impl.book - 1)
            THEN format('Book %s is not closed.', close_book_impl.book - 1)
            ELSE (SELECT string_agg(h, ' ') FROM casino_internal.book_hindrances(close_book_impl.book) h) END;
        IF hindrances IS NOT NULL THEN
            RAISE EXCEPTION 'book % cannot be closed', close_book_impl.book
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = hindrances;
        END IF;
        PERFORM casino_internal.write_book_closing(close_book_impl.book);
    END IF;
    SELECT c.book, c.entries, c.players, c.recorded_at
      INTO close_book_impl.book, close_book_impl.entries, close_book_impl.players, close_book_impl.closed_at
      FROM casino.book_closing c
     WHERE c.book = close_book_impl.book;
END
$fn$;
COMMENT ON FUNCTION casino_internal.close_book_impl(integer)
    IS 'Body of close_book(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.write_book_closing(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    now CONSTANT timestamptz := clock_timestamp();
BEGIN
    INSERT INTO casino.book_balance (book, player_id, entry_no, balance, last_posted_at, sums, stream,
                                     recorded_at)
    SELECT write_book_closing.book, s.player_id, s.entry_no, l.balance, s.last_posted_at, s.sums, s.stream,
           now
      FROM casino_internal.book_streams(write_book_closing.book) s
      JOIN casino.ledger l ON l.book = write_book_closing.book AND l.player_id = s.player_id
                          AND l.entry_no = s.entry_no;
    INSERT INTO casino.book_total (book, account, debit, credit, recorded_at)
    SELECT write_book_closing.book, a.account, sum(a.debit), sum(a.credit), now
      FROM casino.book_balance b
     CROSS JOIN jsonb_each_text(b.sums) s
      JOIN casino.entry_kinds() k ON k.kind = s.key
     CROSS JOIN LATERAL (VALUES (k.debit_account, s.value::numeric, 0.00),
                                (k.credit_account, 0.00, s.value::numeric)) a (account, debit, credit)
     WHERE b.book = write_book_closing.book
     GROUP BY a.account;
    INSERT INTO casino.book_closing (book, entries, players, last_round_id, last_posted_at,
                                     last_recorded_at, recorded_at)
    SELECT write_book_closing.book, r.entries,
           (SELECT count(*) FROM casino.book_balance b WHERE b.book = write_book_closing.book),
           r.last_round_id, r.last_posted_at, r.last_recorded_at, now
      FROM casino_internal.book_reach(write_book_closing.book) r;
END
$fn$;
COMMENT ON FUNCTION casino_internal.write_book_closing(integer)
    IS 'Part of close_book(): balances and totals of the entries of the book';

-- Both read the table of the book, so that a book outside the ledger can be asked, too.
CREATE FUNCTION casino_internal.book_reach(book integer, OUT entries bigint, OUT last_round_id bigint,
                                           OUT last_posted_at timestamptz, OUT last_recorded_at timestamptz)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaf CONSTANT regclass := to_regclass('casino.ledger_' || book);
BEGIN
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT count(*), max(l.round_id), max(l.posted_at), max(l.recorded_at) FROM %s l', leaf)
       INTO entries, last_round_id, last_posted_at, last_recorded_at;
END
$fn$;
COMMENT ON FUNCTION casino_internal.book_reach(integer)
    IS 'Part of close_book(), put_away_book() and attach_book(): number, last round and last times of the '
       'entries in a table of a book; NULL when the table is not there';

CREATE FUNCTION casino_internal.book_streams(book integer, OUT player_id bigint, OUT entry_no bigint,
                                             OUT entries bigint, OUT last_posted_at timestamptz,
                                             OUT sums jsonb, OUT stream text)
RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaf CONSTANT regclass := to_regclass('casino.ledger_' || book);
BEGIN
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format($q$
        SELECT e.player_id, max(e.last_no), sum(e.entries)::bigint, max(e.last_posted_at),
               jsonb_object_agg(e.kind, e.amount), s.stream
          FROM (SELECT l.player_id, l.kind, sum(l.amount) AS amount, count(*) AS entries,
                       max(l.entry_no) AS last_no, max(l.posted_at) AS last_posted_at
                  FROM %1$s l
                 GROUP BY l.player_id, l.kind) e
          JOIN (SELECT l.player_id,
                       encode(casino.merkle_root(casino.hash_leaf(casino.ledger_leaf(l))
                                                 ORDER BY l.entry_no), 'hex') AS stream
                  FROM %1$s l
                 GROUP BY l.player_id) s ON s.player_id = e.player_id
         GROUP BY e.player_id, s.stream$q$, leaf);
END
$fn$;
COMMENT ON FUNCTION casino_internal.book_streams(integer)
    IS 'Part of close_book() and attach_book(): of each player the last entry, the number, the latest time, '
       'the sums by kind and the root of the tree of the entries in a table of a book';
