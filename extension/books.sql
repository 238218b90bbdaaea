-- Books: the ledger lies in parts, one of which is open (R12.40). A book is a partition of casino.ledger; the
-- default of column book names the open one.

-- The only place that knows the parts of a book. No unique index can be the whole ledger's, since it would
-- have to contain the book: numbers are given under the lock of the player's row (R12.41).
CREATE FUNCTION casino_internal.make_book(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaf CONSTANT name := format('ledger_%s', book);
    -- the first book's indexes have the names of a ledger that was never turned
    prefix CONSTANT text := CASE book WHEN 1 THEN 'ledger' ELSE leaf END;
BEGIN
    EXECUTE format('CREATE TABLE casino.%I (LIKE casino.ledger INCLUDING ALL,
                                            CONSTRAINT %I PRIMARY KEY (player_id, entry_no))',
                   leaf, prefix || '_pkey');
    EXECUTE format('ALTER TABLE casino.%I ALTER book SET DEFAULT %s', leaf, book);
    EXECUTE format('COMMENT ON TABLE casino.%I IS %L', leaf,
                   format('Part of casino.ledger: book %s, append-only', book));
    PERFORM casino_internal.make_book_index(leaf, prefix || i.name, i.is_unique, i.definition, i.meaning)
       FROM casino_internal.book_indexes() i;
    EXECUTE format('CREATE TRIGGER append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.%I
                        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change()', leaf);
    EXECUTE format('COMMENT ON TRIGGER append_only_statement ON casino.%I IS %L', leaf,
                   'Refuses UPDATE, DELETE and TRUNCATE, under session_replication_role = replica too');
    EXECUTE format('ALTER TABLE casino.%I ENABLE ALWAYS TRIGGER append_only_statement', leaf);
    -- the triggers of rows come with it, enabled as those of the ledger
    EXECUTE format('ALTER TABLE casino.ledger ATTACH PARTITION casino.%I FOR VALUES IN (%s)', leaf, book);
END
$fn$;
COMMENT ON FUNCTION casino_internal.make_book(integer)
    IS 'Part of casino.install(): makes a book of the ledger, empty, with its indexes and guards';

CREATE FUNCTION casino_internal.make_book_index(leaf name, name text, is_unique boolean, definition text,
                                                meaning text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('CREATE %s INDEX %I ON casino.%I %s', CASE WHEN is_unique THEN 'UNIQUE' END, name, leaf,
                   definition);
    EXECUTE format('COMMENT ON INDEX casino.%I IS %L', name, meaning);
END
$fn$;
COMMENT ON FUNCTION casino_internal.make_book_index(name, text, boolean, text, text)
    IS 'Part of make_book(): one of its indexes';

CREATE FUNCTION casino_internal.book_indexes(OUT name text, OUT is_unique boolean, OUT definition text,
                                             OUT meaning text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 8 SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES ('_request', true, '(player_id, request_id, request_line) WHERE request_id IS NOT NULL',
            'A request of a player is posted once'),
           ('_stake_entry_no', true,
            '(player_id, stake_entry_no, correction_no) NULLS NOT DISTINCT WHERE stake_entry_no IS NOT NULL',
            'A stake is paid or returned once, and corrected once by each correction of its round'),
           ('_round', false,
            '(round_id, kind, player_id, entry_no) '
            'WHERE kind IN (''stake'', ''refund'', ''adjustment'', ''correction'')',
            'Finds the stakes of a round, of one player or of all, in the order of players and entries, and '
            'the corrections that name it'),
           ('_withdrawal', true, '(player_id, withdrawal_entry_no) WHERE withdrawal_entry_no IS NOT NULL',
            'A withdrawal is paid or cancelled once'),
           ('_adjustment', false, '(posted_at) WHERE kind = ''adjustment''',
            'Finds the corrections of a day'),
           ('_cash_paid', false, '(player_id, posted_at) WHERE kind = ''cash_paid''',
            'Finds the cash of the last 24 hours (D4 §11.2 a)'),
           ('_withdrawal_ended', false, '(posted_at) WHERE withdrawal_entry_no IS NOT NULL',
            'Finds the withdrawals that ended since a time'),
           -- by when entries happened or were written: they come in that order, so a few bytes a range of
           -- pages tell
           ('_day', false, 'USING brin (posted_at, recorded_at) WITH (pages_per_range = 32)',
            'Finds the entries of a day, in a long history too')
$fn$;
COMMENT ON FUNCTION casino_internal.book_indexes()
    IS 'Part of make_book(): the indexes that each book has beside its primary key';

CREATE FUNCTION casino_internal.install_books() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.book_turn (
        book        integer PRIMARY KEY CHECK (book > 0),
        recorded_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.book_turn
        IS 'Append-only: books of the ledger, each from when it was open';
    COMMENT ON COLUMN casino.book_turn.book IS 'Counts the books from 1 without gaps';
    COMMENT ON COLUMN casino.book_turn.recorded_at
        IS 'When the book was opened: entries of the book before lie before this time';
    INSERT INTO casino.book_turn VALUES (1, clock_timestamp());
    PERFORM casino_internal.make_append_only('book_turn');
    PERFORM casino_internal.make_recorded('book_turn', loaded => true);
    PERFORM casino_internal.install_book_closings();
    PERFORM casino_internal.make_book(1);
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_books()
    IS 'Part of casino.install(): the books of the ledger, the first open';

-- R12.134: the planner puts a condition in the place of in_books() that leaves out books without a row of the
-- query.
-- Not within EXISTS, see src/state/in_books.c.
CREATE FUNCTION casino_internal.in_books_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_in_books_support' LANGUAGE C STRICT;
COMMENT ON FUNCTION casino_internal.in_books_support(internal)
    IS 'Part of in_books(): tells the planner which books a query asks';

CREATE FUNCTION casino_internal.in_books(book integer, player_id bigint, entry_no bigint,
                                         staked_round_id bigint, round_id bigint) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SUPPORT casino_internal.in_books_support
    RETURN true;
COMMENT ON FUNCTION casino_internal.in_books(integer, bigint, bigint, bigint, bigint)
    IS 'Part of wager and statement: true. Columns of an entry: its book, player, number, the round of a '
       'stake, the round of any entry; NULL: not asked by it. A query that says of them which it wants reads '
       'the books alone that can have such entries';

CREATE FUNCTION casino_internal.last_book_before(since timestamptz) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_last_book_before' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.last_book_before(timestamptz)
    IS 'Part of the figures: up to which book all are closed, without entries that happened or were written '
       'at the time or later; 0: not even the first. Those are not read (R12.135)';

CREATE FUNCTION casino_internal.last_book_without(round_id bigint) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_last_book_without' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.last_book_without(bigint)
    IS 'Part of calls on a round: up to which book all were turned without an entry of the round or a later '
       'one; 0: not even the first. Those are not read (R12.131)';

CREATE FUNCTION casino_internal.began_before(since timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN casino.last_book_away() > 0 THEN true
                ELSE EXISTS (SELECT FROM casino.ledger l WHERE l.posted_at < began_before.since) END
$fn$;
COMMENT ON FUNCTION casino_internal.began_before(timestamptz)
    IS 'Part of the checks: has the ledger entries that happened before a time';

CREATE FUNCTION casino_internal.install_book_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.book AS
        SELECT t.book, t.recorded_at AS opened_at,
               lead(t.recorded_at) OVER (ORDER BY t.book) AS turned_at,
               CASE WHEN t.book = ANY (casino_internal.books_away()) THEN k.entries
                    ELSE (SELECT count(*) FROM casino.ledger l WHERE l.book = t.book) END AS entries,
               pg_total_relation_size(c.oid) AS bytes,
               CASE WHEN c.relispartition IS NOT TRUE THEN 'detached'
                    WHEN t.book = max(t.book) OVER () THEN 'open'
                    WHEN k.book IS NOT NULL THEN 'closed'
                    ELSE 'turned' END AS state,
               (SELECT s.seal_no FROM casino.sealed_row s
                 WHERE s.section = 'book_closing' AND s.row_key = k.book::text) AS seal_no
          FROM casino.book_turn t
          LEFT JOIN casino.book_closing k ON k.book = t.book
          LEFT JOIN pg_class c ON c.oid = to_regclass('casino.ledger_' || t.book);
    COMMENT ON VIEW casino.book IS 'Books of the ledger: partitions, of which one is open (R12.40)';
    COMMENT ON COLUMN casino.book.book IS 'Book';
    COMMENT ON COLUMN casino.book.opened_at IS 'When the book was opened';
    COMMENT ON COLUMN casino.book.turned_at IS 'When the next book was opened; NULL: not yet';
    COMMENT ON COLUMN casino.book.entries
        IS 'Entries of the book, counted; of a detached book as they were when it was closed';
    COMMENT ON COLUMN casino.book.bytes IS 'Size of the book with its indexes; NULL: the table is not there';
    COMMENT ON COLUMN casino.book.state
        IS 'open: entries are written into the book. turned: another one is open. closed: its balances and '
           'totals are kept. detached: the book was put away';
    COMMENT ON COLUMN casino.book.seal_no
        IS 'First seal that covers the closing of the book; NULL: not closed, or not sealed since';

    -- the condition stands outside: only so both halves are read in the order of an index
    CREATE VIEW casino.carried_entry AS
        SELECT x.player_id, x.entry_no, x.kind, x.amount, x.round_id, x.balance, x.posted_at, x.recorded_at,
               x.book, x.bet, x.grade, x.reason, x.recorded_by, x.stake_entry_no, x.seat, x.hand
          FROM (SELECT l.player_id, l.entry_no, l.kind, l.amount, l.round_id, l.balance, l.posted_at,
                       l.recorded_at, l.book, l.bet, l.grade, l.reason, l.recorded_by, l.stake_entry_no,
                       l.seat, l.hand, l.book AS lies_in
                  FROM casino.ledger l
                UNION ALL
                -- each with its name and type, as a dump writes them
                SELECT b.player_id, b.entry_no, 'carried_forward'::text AS kind, 0.00 AS amount,
                       NULL::bigint AS round_id, b.balance, b.last_posted_at AS posted_at,
                       b.last_posted_at AS recorded_at, (SELECT casino.last_book_away()) + 1 AS book,
                       NULL::casino.bet AS bet, NULL::text AS grade, NULL::text AS reason,
                       NULL::integer AS recorded_by, NULL::bigint AS stake_entry_no,
                       NULL::integer AS seat, NULL::integer AS hand,
                       -- in no book, so that none that is left out takes it along
                       2147483647 AS lies_in
                  FROM casino.book_balance b
                 WHERE b.book <= (SELECT casino.last_book_away())
                   AND NOT EXISTS (SELECT FROM casino.book_balance n
                                    WHERE n.player_id = b.player_id AND n.book > b.book
                                      AND n.book <= (SELECT casino.last_book_away()))) x
         WHERE x.book > (SELECT casino.last_book_away())
           AND casino_internal.in_books(x.lies_in, x.player_id, x.entry_no, NULL, x.round_id);
    COMMENT ON VIEW casino.carried_entry
        IS 'Entries of the books after the last one that was put away; before them, of each player, one '
           'that carries the balance forward (R12.55)';
    COMMENT ON COLUMN casino.carried_entry.player_id IS 'Player';
    COMMENT ON COLUMN casino.carried_entry.entry_no
        IS 'Entry; carried forward: the player''s last one in books that were put away';
    COMMENT ON COLUMN casino.carried_entry.kind IS 'Kind of the entry; carried_forward: a balance';
    COMMENT ON COLUMN casino.carried_entry.amount IS 'CZK; 0 for a balance that is carried forward';
    COMMENT ON COLUMN casino.carried_entry.round_id IS 'Round of the entry';
    COMMENT ON COLUMN casino.carried_entry.balance IS 'CZK in the wallet after the entry';
    COMMENT ON COLUMN casino.carried_entry.posted_at
        IS 'When it happened; carried forward: the latest time of the entries that were put away';
    COMMENT ON COLUMN casino.carried_entry.recorded_at
        IS 'When it was written; carried forward: as posted_at';
    COMMENT ON COLUMN casino.carried_entry.book
        IS 'Book of the entry; carried forward: the book that begins with the balance';
    COMMENT ON COLUMN casino.carried_entry.bet IS 'The bet of a stake';
    COMMENT ON COLUMN casino.carried_entry.grade IS 'How the wager ended, of payouts and corrections';
    COMMENT ON COLUMN casino.carried_entry.reason IS 'Reason of an adjustment, correction or refund';
    COMMENT ON COLUMN casino.carried_entry.recorded_by IS 'Who recorded the entry: casino.recorder';
    COMMENT ON COLUMN casino.carried_entry.stake_entry_no
        IS 'The stake that a payout pays, a refund returns or a correction corrects';
    COMMENT ON COLUMN casino.carried_entry.seat IS 'Seat (box) of a stake';
    COMMENT ON COLUMN casino.carried_entry.hand IS 'Hand of the seat on which a stake lies';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_book_views() IS 'Part of casino.install(): the view of the books';

CREATE FUNCTION casino.turn_book() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.turn_book()
    IS 'Opens the next book of the ledger, with the storage parameters of the one before, and returns its '
       'number. Commit at once: until then no entry is written. 55P03 while others use the ledger for longer '
       'than a tenth of a second at a time; nothing has changed then';

-- R12.42: who wrote before holds the ledger's lock to the commit; who comes later sees the new default. While
-- the lock is waited for others wait too: for a tenth of a second at most, then they go first.
CREATE FUNCTION casino_internal.turn_book_impl() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $fn$
DECLARE
    following integer;
    turned boolean := false;
BEGIN
    PERFORM casino_internal.require_read_committed('turn_book',
                                                   'The next book follows the last one that was committed.');
    PERFORM casino_internal.take_lock('books');
    SELECT max(t.book) + 1 INTO STRICT following FROM casino.book_turn t;
    PERFORM casino_internal.make_book(following);
    PERFORM casino_internal.keep_storage(following);
    PERFORM casino_internal.record_book(following);
    FOR attempt IN 1 .. 20 LOOP
        BEGIN
            EXECUTE format('ALTER TABLE ONLY casino.ledger ALTER book SET DEFAULT %s', following);
            turned := true;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;
    IF NOT turned THEN
        RAISE EXCEPTION 'book % cannot be opened: the ledger is in use', following
            USING ERRCODE = 'lock_not_available',
                  DETAIL = 'A transaction that has read or written the ledger goes on for seconds.',
                  HINT = 'Call casino.turn_book() again when it has ended; pg_locks shows it.';
    END IF;
    -- with the lock: no entry of the book before is written later
    INSERT INTO casino.book_turn (book, recorded_at) VALUES (following, clock_timestamp());
    RETURN following;
END
$fn$;
COMMENT ON FUNCTION casino_internal.turn_book_impl() IS 'Body of turn_book(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.keep_storage(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    set_before CONSTANT text := (SELECT string_agg(format('%I = %L', split_part(o.setting, '=', 1),
                                                          substring(o.setting FROM '=(.*)$')), ', ')
                                   FROM pg_class c
                                  CROSS JOIN unnest(c.reloptions) o (setting)
                                  WHERE c.oid = to_regclass(format('casino.ledger_%s', book - 1)));
BEGIN
    IF set_before IS NOT NULL THEN
        EXECUTE format('ALTER TABLE casino.%I SET (%s)', 'ledger_' || book, set_before);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_storage(integer)
    IS 'Part of turn_book(): a book has the storage parameters of the one before';

CREATE FUNCTION casino_internal.require_book(book integer) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    open_book CONSTANT integer := (SELECT max(t.book) FROM casino.book_turn t);
BEGIN
    IF require_book.book IS NULL THEN
        RAISE EXCEPTION 'book must not be NULL' USING ERRCODE = 'null_value_not_allowed';
    ELSIF require_book.book NOT BETWEEN 1 AND open_book THEN
        RAISE EXCEPTION 'book % does not exist', require_book.book
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = format('The books are 1 to %s.', open_book);
    END IF;
    RETURN open_book;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_book(integer)
    IS 'Part of close_book(), put_away_book() and attach_book(): returns the open book, refuses one that '
       'was never opened';

-- The guard of the night compares the books that are there; a table that was put away may be dropped.
CREATE FUNCTION casino_internal.record_book(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    parts CONSTANT text := format('\mledger_(%s|away)\M', book);
BEGIN
    DELETE FROM casino.installed_object i WHERE i.object ~ parts;
    INSERT INTO casino.installed_object (object, state, version)
    SELECT s.object, s.state, (SELECT max(v.version) FROM casino.schema_version v)
      FROM casino_internal.schema_objects() s
     WHERE s.object ~ parts;
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_book(integer)
    IS 'Part of turn_book(), put_away_book() and attach_book(): lets the guard of the night know a book';
