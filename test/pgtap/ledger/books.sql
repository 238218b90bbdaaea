-- The ledger lies in books: partitions, of which the one that the default of column book names is open
-- (R12.40). The store writes it and reads all of them; so does SQL.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) AS wheel \gset
SELECT count(casino.deposit(casino.register_player('p' || n), 10000, 'first'))
  FROM generate_series(1, 4) n \g /dev/null
CREATE FUNCTION code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION where_lies(player bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s:%s', l.book, l.entry_no), ' ' ORDER BY l.entry_no)
      FROM casino.ledger l
     WHERE l.player_id = player $$;

-- ------------------------------------------------------------------------------------- the book that is open
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean, 'the store writes the book');
SELECT is((SELECT string_agg(DISTINCT l.tableoid::regclass || ' ' || l.book, ',') FROM casino.ledger l),
          'casino.ledger_1 1', 'R12.40: entries lie in the first one');
SELECT is(code(statement), 'KL001', statement || ' as ' || role)
  FROM unnest('{replica,origin}'::text[]) role,
       unnest('{DELETE FROM casino.ledger_1,TRUNCATE casino.ledger_1,UPDATE casino.ledger_1 SET amount = 1,
                DELETE FROM casino.ledger,TRUNCATE casino.ledger,UPDATE casino.ledger SET book = 2}'::text[])
           statement
 WHERE set_config('session_replication_role', role, false) IS NOT NULL;
SET session_replication_role = origin;
SELECT set_eq($$SELECT t.tgname::text, t.tgenabled::text FROM pg_trigger t
                 WHERE t.tgrelid = 'casino.ledger_1'::regclass$$,
              $$VALUES ('append_only', 'A'), ('append_only_statement', 'A'), ('ledger_post', 'O')$$,
              'a book has the guards of the ledger, which fire always');
SELECT set_eq($$SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull FROM pg_attribute a
                 WHERE a.attrelid = 'casino.ledger_1'::regclass AND a.attnum > 0$$,
              $$SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull FROM pg_attribute a
                 WHERE a.attrelid = 'casino.ledger'::regclass AND a.attnum > 0$$, 'and its columns');

-- ---------------------------------------------------------------------------------- another book is refused
SELECT is(code('INSERT INTO casino.ledger (player_id, kind, amount, book) VALUES (1, ''deposit'', 5, 2)'),
          '23514', 'R12.40: a second book does not exist');
BEGIN;
SELECT casino_internal.make_book(2);
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean,
          'a book that was made and is not open changes nothing');
SELECT is(code(format('INSERT INTO casino.%s (player_id, kind, amount%s) VALUES (1, ''deposit'', 5%s)',
                      x.into_, x.names, x.book)), x.expected,
          format('R12.40: INSERT INTO %s%s', x.into_, x.book))
  FROM (VALUES ('ledger', ', book', ', 2', '22023'), ('ledger_2', '', '', '22023'),
               ('ledger_2', ', book', ', 1', '0A000'), ('ledger', ', book', ', NULL', '23514'),
               ('ledger', ', book', ', 1', 'done'), ('ledger_1', '', '', 'done'), ('ledger', '', '', 'done'),
               ('ledger', ', book', ', DEFAULT', 'done')) x (into_, names, book, expected);
SELECT is(casino.deposit(1, 5, 'still') > 0, true, 'a deposit is posted');
SELECT is((SELECT count(*) FROM casino.ledger_2), 0::bigint, 'into the book that is open');
ROLLBACK;

-- ------------------------------------------------------------------------------------------- two turns later
-- a round open over the turns, a request that is repeated after them, stakes taken back after them
SELECT casino.open_round(:wheel, 'over') AS over \gset
SELECT casino.place_bets(:over, n, '{red@100,straight:1@200}', 'bet')
  FROM generate_series(1, 3) n \g /dev/null
SELECT is(casino.turn_book(), 2, 'R12.42: book 2 is opened');
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean,
          'the store writes the next book');
SELECT results_eq($$SELECT b.book, b.state, b.turned_at IS NULL, b.entries, b.bytes > 0, b.seal_no
                      FROM casino.book b ORDER BY b.book$$,
                  $$VALUES (1, 'turned', false, 10::bigint, true, NULL::bigint),
                           (2, 'open', true, 0, true, NULL)$$,
                  'view book: one turned, one open');
SELECT is((SELECT b.turned_at FROM casino.book b WHERE b.book = 1),
          (SELECT b.opened_at FROM casino.book b WHERE b.book = 2),
          'a book is turned when the next one opens');
SELECT lives_ok('SELECT casino_internal.check_installed()', 'install() knows the new book');
SELECT is_empty($$SELECT g.detail ->> 'object' FROM casino_internal.check_guard(current_date, current_date) g
                   WHERE g.rule IN ('added', 'missing', 'changed')$$, 'and so does the night');
SELECT set_eq($$SELECT replace(o.object, 'ledger_2', 'ledger_1'),
              o.state FROM casino_internal.schema_objects() o
                 WHERE o.object ~ '^(column|trigger|constraint) .*ledger_2'$$,
              $$SELECT regexp_replace(o.object, '^constraint ledger_p', 'constraint ledger_1_p'), o.state
                  FROM casino_internal.schema_objects() o
                 WHERE o.object ~ '^(column|trigger|constraint) .*ledger_1'$$,
              'the new book is as the first one');
SELECT is((SELECT array_agg(regexp_replace(pg_get_indexdef(i.indexrelid), 'ledger_[0-9a-z_]+', '', 'g')
                            ORDER BY pg_get_indexdef(i.indexrelid) COLLATE "C")
             FROM pg_index i
            WHERE i.indrelid = 'casino.ledger_2'::regclass),
          (SELECT array_agg(regexp_replace(pg_get_indexdef(i.indexrelid), 'ledger_[0-9a-z_]+', '', 'g')
                            ORDER BY regexp_replace(pg_get_indexdef(i.indexrelid), 'ledger_', 'ledger_2_')
                                     COLLATE "C")
             FROM pg_index i
            WHERE i.indrelid = 'casino.ledger_1'::regclass), 'with its indexes');
SELECT is(code(statement), 'KL001', statement)
  FROM unnest('{DELETE FROM casino.ledger_2,TRUNCATE casino.ledger_2}'::text[]) statement
 WHERE set_config('session_replication_role', 'replica', false) IS NOT NULL;
SET session_replication_role = origin;
-- the players come to the later book in another order
SELECT casino.place_bets(:over, n, '{black@100}', 'bet2') FROM generate_series(3, 1, -1) n \g /dev/null
SELECT casino.cancel_bet(:over, 3, 'bet2') \g /dev/null
INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id)
VALUES (4, 'stake', :over, 'odd@300', 'plain');
SELECT is(casino.turn_book(), 3, 'R12.42: book 3 is opened');
SELECT results_eq($$SELECT casino.deposit(1, 10000, 'first')$$, 'VALUES (1::bigint)',
                  'R12.1: a deposit of two books ago is answered, not posted again');
SELECT is(code('SELECT casino.deposit(1, 500, ''first'')'), 'KL003', 'R12.1: with another amount refused');
SELECT results_eq(format($$SELECT casino.place_bets(%s, 1, '{red@100,straight:1@200}', 'bet')$$, :over),
                  $$VALUES ('{2,3}'::bigint[])$$, 'and so are stakes');
SELECT is(code(format($$INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id)
                        VALUES (4, 'stake', %s, 'odd@300', 'plain')$$, :over)), 'KL003',
          'R12.1: by a plain INSERT, too');
SELECT results_eq(format('SELECT casino.cancel_bet(%s, 3, ''bet2'')', :over), $$VALUES ('{5}'::bigint[])$$,
                  'R12.1: stakes that were taken back in another book stay so');
SELECT casino.cancel_bet(:over, 2, 'bet') \g /dev/null
SELECT is(where_lies(1), '1:1 1:2 1:3 2:4', 'R12.40: entries of a player lie in the order of the books');
SELECT is((w.wagers, w.paid), (7::bigint, 15400.00), 'stakes of all books are settled')
  FROM casino.settle_round(:over, '{"number": 1}') w;
SELECT results_eq(format($$SELECT l.player_id, l.book, l.kind, l.stake_entry_no, l.amount FROM casino.ledger l
                            WHERE l.round_id = %s AND l.kind IN ('payout', 'refund')
                            ORDER BY l.player_id, l.entry_no$$, :over),
                  $$VALUES (1::bigint, 3, 'payout', 2::bigint, 200.00), (1, 3, 'payout', 3, 7200.00),
                           (2, 3, 'refund', 2, 100.00), (2, 3, 'refund', 3, 200.00),
                           (3, 2, 'refund', 4, 100.00), (3, 3, 'payout', 2, 200.00),
                           (3, 3, 'payout', 3, 7200.00), (4, 3, 'payout', 2, 600.00)$$,
                  'each once, to whom they belong');
SELECT is_empty(format($$SELECT e.player_id, e.entry_no, e.payout, p.paid FROM casino.evaluation e
                           LEFT JOIN LATERAL (SELECT sum(l.amount) AS paid FROM casino.ledger l
                                               WHERE l.player_id = e.player_id AND l.kind = 'payout'
                                                 AND l.stake_entry_no = e.entry_no) p ON true
                          WHERE e.round_id = %s AND e.payout <> coalesce(p.paid, 0)$$, :over),
                'as the evaluation has it');

-- ---------------------------------------------------------------- a trigger added to a book is honoured
BEGIN;
CREATE FUNCTION double() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER mine BEFORE INSERT ON casino.ledger_3 FOR EACH ROW EXECUTE FUNCTION double();
SELECT is(casino.store_in_use(), false, 'a trigger on the open book: SQL');
ROLLBACK;
BEGIN;
CREATE FUNCTION double() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER mine AFTER INSERT ON casino.ledger FOR EACH STATEMENT EXECUTE FUNCTION double();
SELECT is(casino.store_in_use(), false, 'a trigger of statements on the ledger: SQL');
ROLLBACK;
BEGIN;
DROP INDEX casino.ledger_request;
SELECT is(casino.deposit(1, 10000, 'first'), 1::bigint, 'without the index of an old book keys are found');
SELECT is(casino.deposit(1, 7, 'new') > 4, true, 'and entries are posted');
ROLLBACK;
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean, 'all is as it was');
-- a prepared INSERT that was planned before a turn
PREPARE plain AS INSERT INTO casino.ledger (player_id, kind, amount) VALUES (4, 'deposit', 1) RETURNING book;
EXECUTE plain \g /dev/null
SELECT is(casino.turn_book(), 4, 'R12.42: book 4 is opened');
EXECUTE plain \gset after_
SELECT is(:after_book, 4, 'R12.40: an INSERT that was prepared before a turn goes into the open book');
COPY casino.ledger (player_id, kind, amount) FROM stdin;
4	deposit	2
\.
SELECT is((SELECT array_agg(l.book ORDER BY l.entry_no DESC) FROM casino.ledger l
            WHERE l.player_id = 4 AND l.kind = 'deposit'), '{4,4,3,1}', 'and so does COPY');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(casino.deposit(1, 10000, 'first'), 1::bigint, 'R12.1: above READ COMMITTED the key is found, too');
SELECT casino.deposit(1, 10, 'later') \g /dev/null
SELECT is(right(where_lies(1), 3), '4:' || max(l.entry_no), 'and the open book is written')
  FROM casino.ledger l WHERE l.player_id = 1;
COMMIT;

-- --------------------------------------------------------------------------------------- the books are right
SELECT is((SELECT sum(t.balance) FROM casino.trial_balance t), 0.00, 'the trial balance sums to zero');
SELECT is_empty($$SELECT p.player_id FROM casino.player p
                   WHERE p.balance <> (SELECT sum(s.change) FROM casino.statement s
                                        WHERE s.player_id = p.player_id)
                      OR p.last_entry_no <> (SELECT count(*) FROM casino.ledger l
                                              WHERE l.player_id = p.player_id)$$,
                'balances and numbers fit');
SELECT is(casino.rebuild(), 0::bigint, 'rebuild() finds nothing to mend');
SELECT lives_ok('SELECT casino.seal(current_date)', 'all books are sealed');
SELECT is_empty('SELECT * FROM casino.verify()', 'and verified');
SELECT is_empty(format('SELECT * FROM %s(%L, %L)', c.function, current_date - 1, current_date + 1),
                c.check_name || ' finds nothing over four books')
  FROM casino.reconciliation_checks() c
 WHERE c.check_name <> 'guard';

-- ------------------------------------------------------------------------------------------------- the night
CALL casino.nightly();
SELECT ok(EXISTS (SELECT FROM pg_stats s
                   WHERE s.schemaname = 'casino' AND s.tablename = 'ledger' AND s.inherited),
          'R10.50: the night counts the whole ledger for the planner');

-- ------------------------------------------------- entries past the guards, in a book that was turned
CREATE FUNCTION seen(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    EXECUTE fault;
    SELECT string_agg(format('%s %s/%s %s | %s', f.rule, f.player_id, f.entry_no, f.expected, f.found),
                      '; ' ORDER BY f.rule, f.entry_no) INTO result
      FROM casino_internal.check_entry_gap(current_date - 1, current_date + 1) f;
    RAISE EXCEPTION USING ERRCODE = 'ZZ001', MESSAGE = coalesce(result, 'nothing');
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    GET STACKED DIAGNOSTICS result = MESSAGE_TEXT;
    RETURN result;
END $$;
SELECT is(seen('SELECT 1'), 'nothing', 'without a fault');
SELECT is(seen('UPDATE casino.ledger SET book = 2 WHERE player_id = 1 AND entry_no = 1'),
          'book 1/2 not before book 2 | one in book 1', 'R12.40: an entry that lies in another book');
SELECT is(seen($$INSERT INTO casino.ledger
                 SELECT (jsonb_populate_record(l, '{"book": 2}')).* FROM casino.ledger l
                  WHERE l.player_id = 1 AND l.entry_no = 3$$),
          'twice 1/3 one entry 3 | one in book 2', 'R12.41: a number that two books have');
-- ----------------------------------------------------------------------------------------- a turn refused
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(code('SELECT casino.turn_book()'), '25001', 'R12.42: not by an old snapshot');
ROLLBACK;
BEGIN;
SELECT casino.turn_book() \g /dev/null
ROLLBACK;
SELECT is(casino.deposit(1, 3, 'after') > 0, true, 'after a turn that was taken back');
SELECT is((SELECT l.book FROM casino.ledger l WHERE l.request_id = 'after'), 4, 'the book before stays open');
ALTER TABLE casino.ledger_4 SET (fillfactor = 90, autovacuum_vacuum_insert_threshold = 5000);
SELECT is(casino.turn_book(), 5, 'R12.42: the next number');
SELECT is(c.reloptions, '{fillfactor=90,autovacuum_vacuum_insert_threshold=5000}',
          'a book is stored as the one before')
  FROM pg_class c WHERE c.oid = 'casino.ledger_5'::regclass;

-- ----------------------------------------------------------------------------- the same thing in two books
-- in the open book, under the next number of the player
CREATE FUNCTION again(what text) RETURNS text LANGUAGE sql AS $$
    SELECT format('INSERT INTO casino.ledger
                   SELECT (jsonb_populate_record(l, jsonb_build_object(''book'', b.book,
                               ''entry_no'', p.last_entry_no + 1) || %L)).*
                     FROM casino.ledger l
                     JOIN casino.player p USING (player_id)
                    CROSS JOIN (SELECT max(x.book) AS book FROM casino.book_turn x) b
                    WHERE l.book < b.book AND l.%I IS NOT NULL
                    ORDER BY l.player_id, l.entry_no LIMIT 1',
                  CASE what WHEN 'request_id' THEN '{}'
                            ELSE '{"request_id": null, "request_line": null}' END, what) $$;
SELECT casino.pay_withdrawal(casino.request_withdrawal(1, 10, 'cash')) \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT is(seen('SELECT 1'), 'nothing', 'a withdrawal and a turn');
SELECT alike(seen(again('request_id')), '%key 1/% the key of one entry | entry % in book 1%',
             'R12.41: a key that two books have');
SELECT alike(seen(again('withdrawal_entry_no')),
             '%ended 1/% one end of withdrawal % | entry % in book %',
             'R12.41: a withdrawal that ended in two books');

-- ------------------------------------------------------------------------- a ledger that is one table
BEGIN;
CREATE FUNCTION installed() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM casino.install();
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || substring(detail FROM ' child casino.ledger_1 of ledger is missing');
END $$;
ALTER TABLE casino.ledger RENAME TO in_books;
CREATE TABLE casino.ledger (LIKE casino.in_books INCLUDING ALL);
SELECT is(installed(), '55000 child casino.ledger_1 of ledger is missing',
          'R12.136: install() refuses a ledger that is one table');
ROLLBACK;
SELECT lives_ok('SELECT casino.install()', 'R12.136: and takes the ledger in books');

-- ----------------------------------------------------------------------------------------------- publication
CREATE PUBLICATION theirs FOR TABLE casino.round;
SELECT is(casino.publish(p), p, 'publish()')
  -- one that is made by one call, and is not completed by a second one
  FROM unnest('{once,casino,casino,theirs,theirs}'::name[]) p;
SELECT is((SELECT string_agg(t.tablename, ' ' ORDER BY t.tablename) FROM pg_publication_tables t
            WHERE t.pubname = p.pubname), 'ledger round', 'entries of each book come as the ledger''s')
  FROM pg_publication p;
SELECT * FROM finish();
