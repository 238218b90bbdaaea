-- A closed book is put away and brought back; questions that need its entries are refused by name
-- (R12.50 to R12.55).
-- The years between are in test/tap/books.pl.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();
-- the day may end meanwhile
SELECT casino.prague_day(now()) AS today \gset

CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || detail;
END $$;
CREATE FUNCTION code(statement text) RETURNS text LANGUAGE sql AS $$ SELECT left(refused(statement), 5) $$;

-- ------------------------------------------------------------------------- a book with three players of four
SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) AS one,
       casino.add_game_table('roulette_american', 'two', 100, 25000) AS two \gset
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 4) n \g /dev/null
SELECT casino.deposit(n, 5000, 'd' || n) FROM generate_series(1, 3) n \g /dev/null
SELECT casino.open_round(:two, 'open all the time') AS older \gset
SELECT casino.open_round(:one, 'first') AS round \gset
SELECT casino.place_bet(:round, 1, 'red@100', 's1') AS stake,
       casino.place_bet(:round, 2, 'black@200', 's2') \gset
SELECT casino.settle_round(:round, '{"number": 1}') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT casino.deposit(3, 10, 'later') \g /dev/null

-- ------------------------------------------------------------------------------------------ not yet (R12.52)
SELECT is(code('SELECT casino.put_away_book(' || x.book || ')'), x.code, 'put_away_book(' || x.book || ')')
  FROM (VALUES ('NULL', '22004'), ('0', '22023'), ('3', '22023'), ('1', '55000'),
               ('2', '55000')) x (book, code);
SELECT is(code('SELECT casino.attach_book(' || x.book || ')'), x.code, 'attach_book(' || x.book || ')')
  FROM (VALUES ('NULL', '22004'), ('0', '22023'), ('3', '22023'), ('1', 'done'),
               ('2', 'done')) x (book, code);
SELECT is(refused('SELECT casino.put_away_book(1)'), '55000 Book 1 is not closed.', 'R12.52: not closed');
SELECT casino.close_book(1) \g /dev/null
SELECT alike(refused('SELECT casino.put_away_book(1)'),
            format('55000 The closing of book 1 is not sealed. Requests of book 1 are remembered until %%. '
                   'Round %s is open, and older than the last round of the book.', :older),
            'R12.52: the seal, requests, and an older round');
SELECT casino.seal(:'today') \g /dev/null
SET casino.request_memory = 0;
SELECT is(refused('SELECT casino.put_away_book(1)'),
          format('55000 Round %s is open, and older than the last round of the book.', :older),
          'R12.52: the round alone');
SELECT casino.void_round(:older, 'not played') \g /dev/null
SET casino.request_memory = '1 h';
SELECT alike(refused('SELECT casino.put_away_book(1)'), '55000 Requests of book 1 are remembered until %',
            'R12.51: a book younger than casino.request_memory');
SET casino.request_memory = 0;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT code('SELECT casino.put_away_book(1)') AS put, code('SELECT casino.attach_book(1)') AS attached \gset
ROLLBACK;
SELECT is(:'put'::text, '25001', 'R12.53: not by an old snapshot');
SELECT is(:'attached'::text, '25001', 'R12.53: nor to attach');
SELECT is(left(refused(x.fault || '; SELECT casino.put_away_book(1)'), length(x.answer)), x.answer,
          'R12.54: put away: ' || x.fault)
  FROM (VALUES ('ALTER TABLE casino.ledger_1 DISABLE TRIGGER ALL; UPDATE casino.ledger_1 SET amount = 1
                  WHERE player_id = 1 AND entry_no = 1', 'XX001 Entries of player 1'),
               ('ALTER TABLE casino.book_closing DISABLE TRIGGER ALL;
                 UPDATE casino.book_closing SET last_round_id = 0', 'XX001 The number, the last round'),
               ('ALTER TABLE casino.book_closing DISABLE TRIGGER ALL;
                 UPDATE casino.book_closing SET last_recorded_at = last_recorded_at - interval ''1 s'' ',
                'XX001 The number, the last round'),
               ('ALTER TABLE casino.day_seal DISABLE TRIGGER ALL;
                 UPDATE casino.day_seal SET root = sha256(root) WHERE seal_no = 2',
                'XX001 verify() finds the closing changed')) x (fault, answer);
SELECT is((SELECT b.state FROM casino.book b WHERE b.book = 1), 'closed', 'nothing was moved');

-- ------------------------------------------------------------------------------------------- put away
SELECT lives_ok('SELECT casino.put_away_book(1)', 'R12.50: put away');
SELECT lives_ok('SELECT casino.put_away_book(1)', 'R12.50: again, which changes nothing');
SELECT results_eq('SELECT b.book, b.state, b.entries, b.bytes > 0 FROM casino.book b ORDER BY b.book',
                  $$VALUES (1, 'detached', 6::bigint, true), (2, 'open', 1, true)$$, 'view book');
SELECT is(casino.last_book_away(), 1, 'last_book_away()');
SELECT is(code(s), 'KL001', 'R12.50: the table that was put away is append-only: ' || s)
  FROM unnest('{UPDATE casino.ledger_1 SET amount = 1,DELETE FROM casino.ledger_1,
                TRUNCATE casino.ledger_1}'::text[]) s
 WHERE set_config('session_replication_role', 'replica', false) IS NOT NULL;
SET session_replication_role = origin;
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean, 'the store is in use');
SELECT is_empty('SELECT * FROM casino_internal.check_guard(current_date, current_date)',
                'the guard knows the stand-in');
SELECT is(code($$ALTER FOREIGN TABLE casino.ledger_away OPTIONS (SET last_round_id 'x')$$), '22P02',
          'a letter for a number');
SELECT is(code($$ALTER FOREIGN TABLE casino.ledger_away OPTIONS (ADD other '1')$$), 'HV00D',
          'an option that is unknown');
SELECT is(code($$ALTER FOREIGN TABLE casino.ledger_away OPTIONS (DROP books)$$), 'HV00J', 'a missing option');
BEGIN;
ALTER FOREIGN TABLE casino.ledger_away OPTIONS (SET last_round_id '0');
SELECT string_agg(concat_ws(' ', f.rule, f.detail ->> 'object'), ', ') AS found
  FROM casino_internal.check_guard(current_date, current_date) f \gset
ROLLBACK;
SELECT is(:'found'::text, 'changed table ledger_away', 'a forged reach is found by the guard');

BEGIN;
ALTER FOREIGN TABLE casino.ledger_away OPTIONS (SET last_posted_at '-infinity');
SELECT code('SELECT count(*) FROM casino.ledger') AS answer \gset
ROLLBACK;
SELECT is(:'answer'::text, 'done', 'R12.50: books without an entry have no answer to anything');

-- --------------------------------------------------------------------------- questions, by their conditions
CREATE TABLE question (asked text, answer text);
INSERT INTO question VALUES
    -- all of it
    ('true', '55000'), ('l.kind = ''deposit''', '55000'), ('l.amount > 1', '55000'),
    -- by round: up to the last round of the book, and after
    (format('l.round_id = %s', :round), '55000'), (format('l.round_id = %s', :round + 1), 'done'),
    (format('%s = l.round_id', :round + 1), 'done'), (format('l.round_id > %s', :round), 'done'),
    (format('l.round_id >= %s', :round), '55000'), (format('l.round_id < %s', :round + 9), '55000'),
    (format('l.round_id > %s', :round - 1), '55000'), ('l.round_id = NULL', 'done'),
    ('l.round_id > 9223372036854775807', 'done'),
    -- by time, of each column that has one
    ('l.posted_at > %1$L', 'done'), ('l.posted_at >= %1$L', '55000'),
    ('l.recorded_at > %2$L', 'done'), ('l.recorded_at >= %2$L', '55000'),
    ('l.posted_at < now()', '55000'), ('l.posted_at = now() + interval ''1 h''', 'done'),
    -- by player: one without entries there, one with
    ('l.player_id = 4', 'done'), ('l.player_id = 1', '55000'), ('l.player_id > 3', '55000'),
    ('l.player_id = 1 AND l.entry_no > 3', 'done'), ('l.player_id = 1 AND l.entry_no >= 3', '55000'),
    ('l.player_id = 1 AND l.entry_no = 4', 'done'), ('l.player_id = 1 AND l.entry_no = 3', '55000'),
    ('l.player_id = 1 AND l.stake_entry_no = 3', '55000'),
    ('l.player_id = 1 AND l.stake_entry_no = 4', 'done'),
    ('l.player_id = 1 AND l.withdrawal_entry_no = 4', 'done'),
    ('l.player_id = 1 AND l.request_id = ''s1''', '55000'), ('l.entry_no > 3', '55000'),
    -- by book
    ('l.book = 1', '55000'), ('l.book = 2', 'done'), ('l.book > 1', 'done'), ('l.book >= 1', '55000'),
    ('l.book > casino.last_book_away()', 'done'), ('l.book > (SELECT casino.last_book_away())', 'done'),
    -- alternatives: each must be answered
    ('(l.posted_at > %1$L OR l.recorded_at > %2$L)', 'done'),
    ('(l.posted_at > %1$L OR l.recorded_at >= %2$L)', '55000'),
    ('(l.posted_at > %1$L OR l.amount > 1)', '55000'),
    ('l.player_id = 1 AND (l.entry_no = 4 OR l.stake_entry_no = 4)', 'done'),
    ('l.player_id = 1 AND (l.entry_no = 4 OR l.stake_entry_no = 3)', '55000');
SELECT is(code(format('SELECT count(*) FROM casino.ledger l WHERE '
                      || format(q.asked, c.last_posted_at, c.last_recorded_at))),
          q.answer, 'R12.50: ' || q.asked)
  FROM question q
 CROSS JOIN casino.book_closing c;
-- a value that comes from another table, by each way of joining
SELECT is(code(format('SET LOCAL enable_%s = off; SELECT count(*) FROM casino.round r
                         JOIN casino.ledger l ON l.round_id = r.round_id
                        WHERE r.round_id > %s', x.way, :round)),
          'done', 'R12.50: rounds after, without ' || x.way)
  FROM unnest('{hashjoin,mergejoin}'::text[]) x (way);
SELECT is(code('SELECT count(*) FROM casino.round r JOIN casino.ledger l ON l.round_id = r.round_id'),
          '55000', 'R12.50: all rounds');
SELECT alike(refused('SELECT * FROM casino.wager WHERE round_id = ' || :round),
            format('55000 Round %s can have entries there. Put away: 1. '
                   'Their entries reach up to round %s %%', :round, :round),
            'a refusal names the round and the books');
SELECT alike(refused('SELECT * FROM casino.ledger WHERE player_id = 1'),
            '55000 Player 1 has entries there. %',
            'or the player');
SELECT is(code(q), '55000', 'R12.50: refused: ' || q)
  FROM unnest(ARRAY[format('SELECT casino.game_recall(%s)', :round),
                    format('SELECT casino.round_page(%s, ''en'')', :round),
                    format('SELECT casino.correct_round(%s, ''{"number": 2}'', ''it lay on 2'')', :round),
                    'SELECT casino.proof(1, 1)']) q;
SELECT is(code('SELECT casino.settle_round(' || :round || ', ''{"number": 1}'')'), x.code,
          'R12.50: a settlement again, casino.store = ' || x.store)
  FROM (VALUES ('on', 'done'), ('off', 'done')) x (store, code)
 CROSS JOIN LATERAL set_config('casino.store', x.store, true);

-- --------------------------------------------------------------------------------- the rest goes on (R12.55)
SELECT results_eq('SELECT s.entry_no, s.kind, s.balance FROM casino.statement s WHERE s.player_id = 3
                    ORDER BY s.entry_no',
                  $$VALUES (1::bigint, 'carried_forward', 5000.00), (2, 'deposit', 5010.00)$$,
                  'R12.55: a statement begins with the balance carried forward');
SELECT results_eq('SELECT s.entry_no, s.balance FROM casino.statement s WHERE s.player_id = 1
                    ORDER BY s.entry_no DESC LIMIT 1', 'VALUES (3::bigint, 5100.00)',
                  'R12.55: of a player who has nothing else, too');
SELECT is_empty('SELECT * FROM casino.statement s WHERE s.player_id = 4', 'and no row of a player without');
CREATE PROCEDURE play(name text) LANGUAGE plpgsql AS $$
DECLARE
    id bigint := casino.open_round((SELECT min(t.table_id) FROM casino.game_table t), name);
BEGIN
    PERFORM casino.deposit(1, 100, name), casino.place_bet(id, 1, 'red@100', name || ' 1'),
            casino.place_bet(id, 2, 'red@100', name || ' 2');
    PERFORM casino.place_bet(id, 2, 'red@100', name || ' 2'), casino.deposit(1, 100, name);
    PERFORM casino.cancel_bet(id, 2, name || ' 2');
    PERFORM casino.settle_round(id, '{"number": 1}');
END $$;
SELECT lives_ok('CALL play(''by the store'')', 'play goes on by the store');
SET casino.store = off;
SELECT lives_ok('CALL play(''by SQL'')', 'and by SQL');
RESET casino.store;
SELECT results_eq('SELECT p.player_id, p.balance FROM casino.player p ORDER BY p.player_id',
                  'VALUES (1::bigint, 5500.00), (2, 4800.00), (3, 5010.00), (4, 0)',
                  'with the right wallets');
SELECT is(casino.rebuild(), 0::bigint, 'R12.55: rebuild() changes nothing');
SELECT is_empty('SELECT * FROM casino.verify()', 'R12.55: verify() finds nothing');
-- these look at rows that are younger than casino.request_memory is otherwise
-- a check looks back six hours before its day
SELECT is_empty(format('SELECT * FROM %s(%L, %L)', c.function, :'today'::date + 2, :'today'::date + 2),
                'R12.55: ' || c.check_name)
  FROM casino.reconciliation_checks() c
 WHERE c.check_name NOT IN ('withdrawal_overdue', 'record', 'no_reason');

-- R12.51: a request of the book is a new one
SELECT is(casino.deposit(2, 5000, 'd2'), 7::bigint, 'R12.51: a key that was put away is posted again');

-- ---------------------------------------------------------------------------------------- attached again
SELECT is(left(refused(x.fault || '; SELECT casino.attach_book(1)'), length(x.answer)), x.answer,
          'R12.54: ' || x.fault)
  FROM (VALUES ('ALTER TABLE casino.ledger_1 DISABLE TRIGGER ALL; UPDATE casino.ledger_1 SET amount = 1
                  WHERE player_id = 1 AND entry_no = 1', 'XX001 Entries of player 1'),
               ('ALTER TABLE casino.ledger_1 DISABLE TRIGGER ALL; DELETE FROM casino.ledger_1
                  WHERE player_id = 3', 'XX001 Entries of player 3'),
               ('INSERT INTO casino.ledger_1 SELECT (jsonb_populate_record(k, ''{"player_id": 4}'')).*
                   FROM casino.ledger_1 k WHERE player_id = 3', 'XX001 Entries of player 4'),
               ('DROP TABLE casino.ledger_1', '55000'),
               ('DROP INDEX casino.ledger_request',
                '55000 index casino.ledger_request on ledger is missing; the open book''s is unique over'),
               ('DROP TRIGGER append_only_statement ON casino.ledger_1',
                '55000 trigger append_only_statement on ledger is missing'),
               ('ALTER TABLE casino.ledger_1 DISABLE TRIGGER append_only_statement',
                '55000 trigger append_only_statement on ledger calls casino_internal.refuse_change() at '
                'events 58 '
                'and is disabled'),
               ('CREATE INDEX another ON casino.ledger_1 (amount)',
                '55000 index casino.another on ledger is over'),
               ('ALTER TABLE casino.book_balance DISABLE TRIGGER ALL;
                 ALTER TABLE casino.ledger_1 DISABLE TRIGGER ALL;
                 UPDATE casino.ledger_1 SET reference = ''forged'' WHERE player_id = 3;
                 UPDATE casino.book_balance b SET stream = s.stream
                   FROM casino_internal.book_streams(1) s WHERE s.player_id = b.player_id',
                'XX001 verify() finds the closing changed')) x (fault, answer);
SELECT lives_ok('SELECT casino.attach_book(1)', 'R12.54: attached');
SELECT lives_ok('SELECT casino.attach_book(1)', 'R12.54: again, which changes nothing');
SELECT is(casino.last_book_away(), 0, 'no book is away');
SELECT is(to_regclass('casino.ledger_away'), NULL, 'and the stand-in is gone');
SELECT results_eq('SELECT b.book, b.state FROM casino.book b ORDER BY b.book',
                  $$VALUES (1, 'closed'), (2, 'open')$$, 'view book');
SELECT is_empty('SELECT * FROM casino_internal.check_guard(current_date, current_date)',
                'with all its guards');
SELECT is((SELECT w.payout FROM casino.wager w WHERE w.round_id = :round AND w.player_id = 1), 200.00,
          'the round is answered');
SELECT is(casino.verify_proof(casino.proof(1, :stake), d.root), true, 'an entry of the book is proved')
  FROM casino.day_seal d
 WHERE d.seal_no = (casino.proof(1, :stake) -> 'seal' ->> 'seal_no')::bigint;
SELECT is_empty('SELECT * FROM casino.verify()', 'verify() finds nothing');
-- after the retention
BEGIN;
SELECT casino.put_away_book(1) \g /dev/null
DROP TABLE casino.ledger_1;
SELECT (SELECT count(*) FROM casino_internal.check_guard(current_date, current_date)) AS found,
       (SELECT concat_ws(' ', b.state, b.entries, b.bytes) FROM casino.book b WHERE b.book = 1) AS book \gset
ROLLBACK;
SELECT is(:'found'::text, '0', 'a table that was put away may be dropped');
SELECT is(:'book'::text, 'detached 6', 'view book: as it was closed');

-- ------------------------------------------------------------------- a book that somebody takes off by hand
BEGIN;
SELECT casino.turn_book() \g /dev/null
ALTER TABLE casino.ledger DETACH PARTITION casino.ledger_2;
SELECT array_agg(x.found) AS found
  FROM (SELECT concat_ws(': ', s.store, c.call,
                         refused(format('SELECT set_config(''casino.store'', %L, true); %s', s.store,
                                        c.call)))
                   AS found
          FROM unnest('{on,off}'::text[]) s (store)
         CROSS JOIN unnest(ARRAY['SELECT casino.deposit(1, 100, ''by hand'')', 'SELECT casino.rebuild()',
                                 'SELECT casino.last_book_away()', 'SELECT * FROM casino.statement',
                                 'INSERT INTO casino.ledger (player_id, kind, amount)
                                  VALUES (1, ''deposit'', 1)'])
               c (call)) x \gset
ROLLBACK;
SELECT is(right(f, 90),
          ': 55000 Without the book requests would be posted again and rounds settled without stakes.',
          'R12.50: ' || left(f, -90))
  FROM unnest(:'found'::text[]) f;
SELECT * FROM finish();
