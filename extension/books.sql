-- Books: the ledger lies in parts, one of which is open (R12.40). A book is a partition of casino.ledger; the
-- default of column book names the open one.

-- The only place that knows the parts of a book. No unique index can be the whole ledger's, since it would
-- have to contain the book: numbers are given under the lock of the player's row (R12.41).
CREATE FUNCTION casino.make_book(book integer) RETURNS void
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
    PERFORM casino.make_book_index(leaf, prefix || i.name, i.is_unique, i.definition, i.meaning)
       FROM casino.book_indexes() i;
    EXECUTE format('CREATE TRIGGER append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.%I
                        FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change()', leaf);
    EXECUTE format('COMMENT ON TRIGGER append_only_statement ON casino.%I IS %L', leaf,
                   'Refuses UPDATE, DELETE and TRUNCATE, under session_replication_role = replica too');
    EXECUTE format('ALTER TABLE casino.%I ENABLE ALWAYS TRIGGER append_only_statement', leaf);
    -- the triggers of rows come with it, enabled as those of the ledger
    EXECUTE format('ALTER TABLE casino.ledger ATTACH PARTITION casino.%I FOR VALUES IN (%s)', leaf, book);
END
$fn$;
COMMENT ON FUNCTION casino.make_book(integer)
    IS 'Part of casino.install(): makes a book of the ledger, empty, with its indexes and guards';

CREATE FUNCTION casino.make_book_index(leaf name, name text, is_unique boolean, definition text,
                                       meaning text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('CREATE %s INDEX %I ON casino.%I %s', CASE WHEN is_unique THEN 'UNIQUE' END, name, leaf,
                   definition);
    EXECUTE format('COMMENT ON INDEX casino.%I IS %L', name, meaning);
END
$fn$;
COMMENT ON FUNCTION casino.make_book_index(name, text, boolean, text, text)
    IS 'Part of make_book(): one of its indexes';

CREATE FUNCTION casino.book_indexes(OUT name text, OUT is_unique boolean, OUT definition text,
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
COMMENT ON FUNCTION casino.book_indexes()
    IS 'Part of make_book(): the indexes that each book has beside its primary key';
