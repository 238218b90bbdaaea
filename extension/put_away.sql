-- Books that were put away (R12.50 to R12.55): their tables have left the ledger, and a stand-in holds
-- their place. It answers that a question has no entry there, or refuses the question.

CREATE FUNCTION casino_internal.put_away_handler() RETURNS fdw_handler
    AS 'MODULE_PATHNAME', 'casino_sql_put_away_handler' LANGUAGE C PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.put_away_handler()
    IS 'Part of put_away_book(): handler of the foreign-data wrapper casino_put_away';

CREATE FUNCTION casino_internal.put_away_validator(options text[], catalog oid) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_put_away_validator' LANGUAGE C STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.put_away_validator(text[], oid)
    IS 'Part of put_away_book(): refuses options that a stand-in does not know';

CREATE FOREIGN DATA WRAPPER casino_put_away
    HANDLER casino_internal.put_away_handler VALIDATOR casino_internal.put_away_validator;
COMMENT ON FOREIGN DATA WRAPPER casino_put_away
    IS 'Books of the ledger that were put away: no rows, and a refusal where a question needs them';

CREATE SERVER casino_put_away FOREIGN DATA WRAPPER casino_put_away;
COMMENT ON SERVER casino_put_away IS 'Of casino.ledger_away, the stand-in of books that were put away';

CREATE FUNCTION casino.last_book_away() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_last_book_away' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.last_book_away()
    IS 'Returns the last book of the ledger that was put away; 0: none was. 55000 when a book is neither '
       'attached nor put away';

CREATE FUNCTION casino_internal.last_book_forgotten() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_last_book_forgotten' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.last_book_forgotten()
    IS 'Part of every call with a key: the last book of the ledger whose requests are forgotten (R12.130); '
       '0: none';

-- As the stand-in has them. No table of ours may say it: a stand-in that is not attached stands for nothing.
CREATE FUNCTION casino_internal.books_away() RETURNS integer[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT string_to_array(o.option_value, ',')::integer[]
                       FROM pg_foreign_table f
                       JOIN pg_inherits i ON i.inhrelid = f.ftrelid
                      CROSS JOIN pg_options_to_table(f.ftoptions) o
                      WHERE i.inhparent = to_regclass('casino.ledger') AND o.option_name = 'books'),
                    '{}')
$fn$;
COMMENT ON FUNCTION casino_internal.books_away()
    IS 'Part of put_away_book(): the books that were put away, ascending';

CREATE FUNCTION casino_internal.last_round_away() RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(c.last_round_id), 0)
      FROM casino.book_closing c
     WHERE c.book = ANY (casino_internal.books_away())
$fn$;
COMMENT ON FUNCTION casino_internal.last_round_away()
    IS 'Part of close_account() and rebuild(): the greatest round of books that were put away; 0: none';

-- R12.52, at a cell too (R12.133): a later question would miss these. Closing a book asks for the rounds of
-- the book; the stand-in knows rounds by their numbers, so older rounds must have ended, too.
CREATE FUNCTION casino_internal.away_hindrances(book integer) RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    reach casino.book_closing;
    memory CONSTANT interval := current_setting('casino.request_memory')::interval;
BEGIN
    IF NOT EXISTS (SELECT FROM casino.book b WHERE b.book = away_hindrances.book AND b.state = 'closed') THEN
        RETURN NEXT format('Book %s is not closed.', away_hindrances.book);
        RETURN;
    ELSIF NOT EXISTS (SELECT FROM casino.book b
                       WHERE b.book = away_hindrances.book AND b.seal_no IS NOT NULL) THEN
        RETURN NEXT format('The closing of book %s is not sealed.', away_hindrances.book);
    END IF;
    SELECT c.* INTO STRICT reach FROM casino.book_closing c WHERE c.book = away_hindrances.book;
    -- R12.51, and a night looks back so far
    IF reach.last_recorded_at > clock_timestamp() - memory THEN
        RETURN NEXT format('Requests of book %s are remembered until %s.', away_hindrances.book,
                           reach.last_recorded_at + memory);
    END IF;
    RETURN QUERY
        SELECT format('Round %s is %s, and older than the last round of the book.', r.round_id, r.status)
          FROM casino.round r
         WHERE r.round_id <= reach.last_round_id AND r.status NOT IN ('settled', 'voided')
         ORDER BY r.round_id
         LIMIT 10;
    RETURN QUERY
        SELECT format('Winnings of player %s in round %s are withheld.', h.player_id, h.round_id)
          FROM casino.withholding h
         WHERE h.round_id <= reach.last_round_id
           AND NOT EXISTS (SELECT FROM casino.withholding_end e
                            WHERE e.player_id = h.player_id AND e.round_id = h.round_id)
         ORDER BY h.player_id, h.round_id
         LIMIT 10;
    RETURN QUERY
        SELECT format('Correction %s of round %s is not decided.', c.correction_no, c.round_id)
          FROM casino.pending_correction c
         WHERE c.round_id <= reach.last_round_id
         ORDER BY c.correction_no
         LIMIT 10;
END
$fn$;
COMMENT ON FUNCTION casino_internal.away_hindrances(integer)
    IS 'Part of put_away_book(): sentences that name the business that still needs a book';

CREATE FUNCTION casino.put_away_book(book integer) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.put_away_book(integer)
    IS 'Takes a closed book out of the ledger; its table casino.ledger_N stays, to be dumped and dropped. '
       'Commit at once. A question that needs its entries is refused from then on. Asked again it changes '
       'nothing. XX001 when its entries are not those of its sealed closing; 55000 while the book is not '
       'closed and sealed, its requests are younger than '
       'casino.request_memory, or a round up to its last one is open, which the DETAIL names; 55P03 while '
       'others use the ledger for longer than a tenth of a second at a time';

-- R12.53, R12.132: in one transaction, so that no question finds the ledger without the book and without the
-- stand-in.
-- DETACH ... CONCURRENTLY cannot do that.
CREATE FUNCTION casino_internal.put_away_book_impl(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    hindrances text;
BEGIN
    PERFORM casino_internal.require_book(put_away_book_impl.book);
    PERFORM casino_internal.require_read_committed('put_away_book',
                                                   'It looks at all that was committed before.');
    PERFORM casino_internal.take_lock('books');
    IF put_away_book_impl.book = ANY (casino_internal.books_away()) THEN
        RETURN;
    END IF;
    SELECT string_agg(h, ' ') INTO hindrances FROM casino_internal.away_hindrances(put_away_book_impl.book) h;
    IF hindrances IS NOT NULL THEN
        RAISE EXCEPTION 'book % cannot be put away', put_away_book_impl.book
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = hindrances;
    END IF;
    -- from now on the stand-in and the carried balances judge by the closing alone
    PERFORM casino_internal.require_closed_entries(put_away_book_impl.book);
    PERFORM casino_internal.move_books(casino_internal.books_away() || put_away_book_impl.book,
                                       format('ALTER TABLE casino.ledger DETACH PARTITION casino.%I',
                                              'ledger_' || put_away_book_impl.book));
    PERFORM casino_internal.record_book(put_away_book_impl.book);
END
$fn$;
COMMENT ON FUNCTION casino_internal.put_away_book_impl(integer)
    IS 'Body of put_away_book(), run as the owner of the ledger';

CREATE FUNCTION casino.attach_book(book integer) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.attach_book(integer)
    IS 'Makes a book that was put away part of the ledger again, when its table casino.ledger_N is there '
       'and each player''s entries are those of its sealed closing. Commit at once. Asked again it changes '
       'nothing. XX001 for a table that is not the one that was put away; 55000 where the table or one of '
       'its indexes, constraints and triggers is missing; 55P03 while others use the ledger for longer than '
       'a tenth of a second at a time';

CREATE FUNCTION casino_internal.attach_book_impl(book integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaf CONSTANT name := 'ledger_' || attach_book_impl.book;
    odd text;
BEGIN
    PERFORM casino_internal.require_book(attach_book_impl.book);
    PERFORM casino_internal.require_read_committed('attach_book',
                                                   'It looks at all that was committed before.');
    PERFORM casino_internal.take_lock('books');
    IF attach_book_impl.book <> ALL (casino_internal.books_away()) THEN
        RETURN;
    ELSIF to_regclass(format('casino.%I', leaf)) IS NULL THEN
        RAISE EXCEPTION 'table casino.% is not there', leaf
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = format('Restore it first: pg_restore --table=%s of the dump that was made when the '
                                'book was put away.', leaf);
    END IF;
    EXECUTE format('LOCK TABLE casino.%I IN ACCESS EXCLUSIVE MODE', leaf);
    PERFORM casino_internal.require_closed_entries(attach_book_impl.book);
    -- looked at now, so that the ledger need not be locked meanwhile
    EXECUTE format('ALTER TABLE casino.%I ADD CONSTRAINT %I CHECK (book = %s)', leaf, leaf || '_attached',
                   attach_book_impl.book);
    PERFORM casino_internal.move_books(array_remove(casino_internal.books_away(), attach_book_impl.book),
                                       format('ALTER TABLE casino.ledger
                                                   ATTACH PARTITION casino.%I FOR VALUES IN (%s)',
                                              leaf, attach_book_impl.book));
    EXECUTE format('ALTER TABLE casino.%I DROP CONSTRAINT %I', leaf, leaf || '_attached');
    odd := casino_internal.odd_part(attach_book_impl.book);
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'table casino.% has other parts than a book', leaf
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = odd,
                  HINT = 'Restore the table with its indexes, constraints and triggers.';
    END IF;
    PERFORM casino_internal.record_book(attach_book_impl.book);
END
$fn$;
COMMENT ON FUNCTION casino_internal.attach_book_impl(integer)
    IS 'Body of attach_book(), run as the owner of the ledger';

-- R12.54: closing and balances are sealed rows; verify() says whether they were changed.
CREATE FUNCTION casino_internal.other_than_closed(book integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH present AS MATERIALIZED (
        SELECT s.* FROM casino_internal.book_streams(other_than_closed.book) s
    ), kept AS MATERIALIZED (
        SELECT b.* FROM casino.book_balance b WHERE b.book = other_than_closed.book
    ), other AS (
        SELECT format('Entries of player %s are not those of the closing.',
                      coalesce(p.player_id, k.player_id))
          FROM present p
          FULL JOIN kept k ON k.player_id = p.player_id
         WHERE (p.entry_no, p.last_posted_at, p.sums, p.stream)
               IS DISTINCT FROM (k.entry_no, k.last_posted_at, k.sums, k.stream)
         ORDER BY coalesce(p.player_id, k.player_id)
         LIMIT 1
    ), reach AS (
        SELECT 'The number, the last round or the last times of the entries are not those of the closing.'
          FROM casino_internal.book_reach(other_than_closed.book) r
          JOIN casino.book_closing c ON c.book = other_than_closed.book
         WHERE (c.entries, c.last_round_id, c.last_posted_at, c.last_recorded_at)
               IS DISTINCT FROM (r.entries, r.last_round_id, r.last_posted_at, r.last_recorded_at)
    ), seal AS (
        -- a forged closing has another hash than the one that was sealed
        SELECT format('verify() finds the closing changed: %s.', v.problem)
          FROM (SELECT DISTINCT s.seal_no
                  FROM casino.sealed_row s
                 WHERE s.section = 'book_closing' AND s.row_key = other_than_closed.book::text) s
         CROSS JOIN LATERAL casino.verify(s.seal_no, s.seal_no) v
         -- no section: the seal itself
         WHERE coalesce(v.section, 'book_closing') IN ('book_closing', 'book_balance', 'book_total')
         LIMIT 1)
    SELECT coalesce((TABLE other), (TABLE reach), (TABLE seal))
$fn$;
COMMENT ON FUNCTION casino_internal.other_than_closed(integer)
    IS 'Part of put_away_book() and attach_book(): a sentence that says where a book''s table differs from '
       'the closing; NULL: nowhere';

CREATE FUNCTION casino_internal.require_closed_entries(book integer) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    other CONSTANT text := casino_internal.other_than_closed(require_closed_entries.book);
BEGIN
    IF NOT EXISTS (SELECT FROM casino.book_closing c WHERE c.book = require_closed_entries.book) THEN
        RAISE EXCEPTION 'book % is not closed', require_closed_entries.book
            USING ERRCODE = 'object_not_in_prerequisite_state';
    ELSIF other IS NOT NULL THEN
        RAISE EXCEPTION 'table casino.ledger_% is not the book that was closed', require_closed_entries.book
            USING ERRCODE = 'data_corrupted', DETAIL = other,
                  HINT = 'SELECT * FROM casino.verify() names all that was changed.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_closed_entries(integer)
    IS 'Part of put_away_book() and attach_book(): refuses a table whose entries are not those of the '
       'closing';

-- Each book has the parts of the open one; names have the number of their book.
CREATE FUNCTION casino_internal.odd_part(book integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH part AS MATERIALIZED (
        SELECT b.book, regexp_replace(s.object, format('\mledger_%s(?!\d)', b.book), 'ledger', 'g') AS object,
               s.state
          FROM casino_internal.schema_objects() s
          JOIN (SELECT odd_part.book AS book
                UNION ALL
                SELECT max(t.book) FROM casino.book_turn t) b
               ON s.object ~ format('\mledger_%s\M', b.book)
    ), here AS (
        SELECT p.object, p.state FROM part p WHERE p.book = odd_part.book
    ), wanted AS (
        SELECT p.object, p.state FROM part p WHERE p.book <> odd_part.book
    )
    SELECT format('%s %s; the open book''s %s.', coalesce(h.object, w.object),
                  coalesce(h.state, 'is missing'), coalesce(w.state, 'is missing'))
      FROM here h
      FULL JOIN wanted w ON w.object = h.object
     WHERE h.state IS DISTINCT FROM w.state
     ORDER BY 1
     LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.odd_part(integer)
    IS 'Part of attach_book(): a sentence that names an index, constraint, trigger or column in which a book '
       'differs from the open one; NULL: none';

-- Others wait for a tenth of a second at most, then go first.
CREATE FUNCTION casino_internal.move_books(away integer[], step text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $fn$
DECLARE
    books CONSTANT integer[] := ARRAY (SELECT DISTINCT b FROM unnest(away) b ORDER BY b);
BEGIN
    FOR attempt IN 1 .. 20 LOOP
        BEGIN
            LOCK TABLE casino.ledger IN ACCESS EXCLUSIVE MODE;
            IF cardinality(casino_internal.books_away()) > 0 THEN
                ALTER TABLE casino.ledger DETACH PARTITION casino.ledger_away;
            END IF;
            EXECUTE step;
            PERFORM casino_internal.make_stand_in(books);
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.2);
        END;
    END LOOP;
    RAISE EXCEPTION 'the books of the ledger cannot be changed: the ledger is in use'
        USING ERRCODE = 'lock_not_available',
              DETAIL = 'A transaction that has read or written the ledger goes on for seconds.',
              HINT = 'Call the function again when it has ended; pg_locks shows it.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.move_books(integer[], text)
    IS 'Part of put_away_book() and attach_book(): one step with the ledger locked, after which the '
       'stand-in stands for these books';

CREATE FUNCTION casino_internal.make_stand_in(books integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    form CONSTANT text := 'YYYY-MM-DD HH24:MI:SS.US+00';
    reach record;
BEGIN
    IF cardinality(books) = 0 THEN
        DROP FOREIGN TABLE IF EXISTS casino.ledger_away;
        RETURN;
    END IF;
    SELECT coalesce(max(c.last_round_id), 0) AS last_round_id,
           coalesce(to_char(max(c.last_posted_at) AT TIME ZONE 'UTC', form), '-infinity') AS last_posted_at,
           coalesce(to_char(max(c.last_recorded_at) AT TIME ZONE 'UTC', form), '-infinity')
               AS last_recorded_at
      INTO reach
      FROM casino.book_closing c
     WHERE c.book = ANY (books);
    IF to_regclass('casino.ledger_away') IS NULL THEN
        EXECUTE format('CREATE FOREIGN TABLE casino.ledger_away (%s)
                            SERVER casino_put_away
                            OPTIONS (books ''0'', last_round_id ''0'', last_posted_at ''-infinity'',
                                     last_recorded_at ''-infinity'')',
                       (SELECT string_agg(x.part, ', ' ORDER BY x.attnum)
                          FROM (SELECT a.attnum,
                                       format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                                              CASE WHEN a.attnotnull THEN ' NOT NULL' END) AS part
                                  FROM pg_attribute a
                                 WHERE a.attrelid = 'casino.ledger'::regclass AND a.attnum > 0
                                   AND NOT a.attisdropped
                                UNION ALL
                                -- a partition has the table's constraints
                                SELECT NULL, format('CONSTRAINT %I %s', k.conname,
                                                    pg_get_constraintdef(k.oid))
                                  FROM pg_constraint k
                                 WHERE k.conrelid = 'casino.ledger'::regclass AND k.contype = 'c') x));
        COMMENT ON FOREIGN TABLE casino.ledger_away
            IS 'Part of casino.ledger: stands for books that were put away, and refuses questions that need '
               'them';
    END IF;
    EXECUTE format('ALTER FOREIGN TABLE casino.ledger_away
                        OPTIONS (SET books %L, SET last_round_id %L, SET last_posted_at %L,
                                 SET last_recorded_at %L)',
                   array_to_string(books, ','), reach.last_round_id,
                   reach.last_posted_at, reach.last_recorded_at);
    EXECUTE format('ALTER TABLE casino.ledger ATTACH PARTITION casino.ledger_away FOR VALUES IN (%s)',
                   array_to_string(books, ', '));
END
$fn$;
COMMENT ON FUNCTION casino_internal.make_stand_in(integer[])
    IS 'Part of put_away_book() and attach_book(): the foreign table that stands for these books';
