-- Which books a call asks: those that can have wagers of its round, or remember its key (R12.130, R12.131).
-- tampers with the books: it dates a turn back
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) AS one,
       casino.add_game_table('roulette_american', 'two', 100, 25000) AS two,
       casino.add_game_table('roulette_american', 'three', 100, 25000) AS three \gset
SELECT count(casino.deposit(casino.register_player('p' || n), 10000, 'in 1'))
  FROM generate_series(1, 4) n \g /dev/null
-- the books whose tables the statement has locked, and its answer; as if it had not been
CREATE FUNCTION asked(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    EXECUTE statement;
    SELECT string_agg(DISTINCT substr(c.relname, 8), ' ') INTO result
      FROM pg_locks k
      JOIN pg_class c ON c.oid = k.relation
     WHERE k.pid = pg_backend_pid() AND c.relname ~ '^ledger_\d$';
    RAISE EXCEPTION USING ERRCODE = 'ZZ001', MESSAGE = coalesce(result, 'none');
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    GET STACKED DIAGNOSTICS result = MESSAGE_TEXT;
    RETURN result;
END $$;
-- by SQL all books are asked
CREATE FUNCTION by_store(books text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN casino.store_in_use() THEN books ELSE '1 2 3' END $$;

-- ------------------------------------------------------------------------------------------- three books
-- a round open from the first on; one of the second; one of the third
SELECT casino.open_round(:one, 'over') AS over \gset
SELECT casino.place_bet(:over, 1, 'red@100', 'over 1'), casino.place_bet(:over, 2, 'red@200') \g /dev/null
SELECT casino.turn_book() \g /dev/null
-- the second book has an earlier round, too: its greatest one counts
SELECT casino.open_round(:three, 'between') AS between \gset
SELECT casino.place_bet(:between, 4, 'red@100') \g /dev/null
SELECT casino.void_round(:between, 'torn') \g /dev/null
SELECT casino.open_round(:two, 'second') AS second \gset
SELECT casino.place_bet(:second, 1, 'red@100', 'second 1') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT casino.open_round(:three, 'third') AS third \gset
SELECT casino.place_bet(:third, 3, 'red@100'), casino.place_bet(:third, 1, 'odd@100') \g /dev/null
-- looked for once a session
SELECT casino.place_bet(:over, 3, 'odd@100') \g /dev/null
SELECT is(asked(format(x.statement, :over, :second, :third)), by_store(x.books), 'R12.131: ' || x.statement)
  FROM (VALUES ('SELECT casino.place_bet(%3$s, 2, ''red@100'')', '3'),
               ('SELECT casino.place_bet(%2$s, 2, ''red@100'')', '2 3'),
               ('SELECT casino.place_bet(%1$s, 2, ''odd@100'')', '1 2 3'),
               ('SELECT casino.deposit(2, 100, ''new'')', '1 2 3')) x (statement, books);

SELECT is(asked('SELECT casino.deposit(2, 100)'), '3', 'R12.131: a deposit without a key asks the open book');

-- the index of an older book is missing: all is by SQL, and nothing is missed
BEGIN;
DROP INDEX casino.ledger_round;
SELECT s.wagers, s.paid FROM casino.settle_round(:over, '{"number": 1}') s \gset over_
ROLLBACK;
SELECT is((:over_wagers, :over_paid::numeric), (3, 800.00), 'R12.131: without an index of the first book');
-- the same while the session keeps the wagers there: 22000 of 25000 on a number, each stake once
BEGIN;
SELECT casino.deposit(4, 100000) \g /dev/null
SELECT count(casino.place_bet(:over, 4, 'straight:1@5000')) FROM generate_series(1, 4) \g /dev/null
DROP INDEX casino.ledger_round;
SELECT casino.place_bet(:over, 4, 'straight:1@1000') \g /dev/null
SELECT lives_ok(format('SELECT casino.place_bet(%s, 4, ''straight:1@1000'')', :over),
                'R12.131: what a player has there');
SELECT throws_ok(format('SELECT casino.place_bet(%s, 4, ''straight:1@3100'')', :over), NULL, NULL,
                 'R12.131: and all of it');
ROLLBACK;
-- a book without a wager
BEGIN;
SELECT casino.turn_book(), casino.turn_book() \g /dev/null
SELECT s.wagers, s.paid FROM casino.settle_round(:over, '{"number": 1}') s \gset over_
SELECT casino.deposit(2, 10000, 'in 1') AS answer \gset
ROLLBACK;
SELECT is((:over_wagers, :over_paid::numeric, :answer::integer), (3, 800.00, 1),
          'R12.131: an empty book between');
-- a turn that was taken back: the book before goes on
SELECT casino.place_bet(:third, 4, 'red@100') \g /dev/null
BEGIN;
SELECT casino.turn_book() \g /dev/null
SELECT casino.place_bet(:third, 4, 'black@100') \g /dev/null
ROLLBACK;
SELECT casino.open_round(:two, 'fourth') AS fourth FROM casino.void_round(:second, 'torn') \gset
SELECT casino.place_bet(:fourth, 4, 'red@100') \g /dev/null
SELECT is((s.wagers::integer, s.paid), (1, 200.00),
          'R12.131: a round that is younger than a turn that was taken back')
  FROM casino.settle_round(:fourth, '{"number": 1}') s;

-- ----------------------------------------------------------------------- keys (R12.130)
-- when the second book opened, before the third: the first is forgotten when that is longer than 62 days
CREATE PROCEDURE turned(since text) LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.book_turn DISABLE TRIGGER USER;
    UPDATE casino.book_turn t SET recorded_at = o.recorded_at - turned.since::interval
      FROM casino.book_turn o WHERE o.book = 3 AND t.book < 3;
    ALTER TABLE casino.book_turn ENABLE TRIGGER USER;
    ALTER TABLE casino.book_turn ENABLE ALWAYS TRIGGER append_only,
                                 ENABLE ALWAYS TRIGGER append_only_statement;
    -- sessions look at the books again
    ALTER TABLE casino.ledger ALTER book SET DEFAULT 3;
END $$;
CREATE FUNCTION again(key text, amount integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    answer := casino.deposit(2, amount, key)::text;
    RAISE EXCEPTION USING ERRCODE = 'ZZ001', MESSAGE = answer;
EXCEPTION
    WHEN SQLSTATE 'ZZ001' THEN
        RETURN SQLERRM;
    WHEN OTHERS THEN
        RETURN SQLSTATE;
END $$;
CREATE FUNCTION plain(key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO casino.ledger (player_id, kind, amount, request_id) VALUES (2, 'deposit', 5, key);
    RAISE EXCEPTION USING ERRCODE = 'ZZ001';
EXCEPTION
    WHEN SQLSTATE 'ZZ001' THEN
        RETURN 'posted';
    WHEN OTHERS THEN
        RETURN SQLSTATE;
END $$;
CREATE FUNCTION approved(key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.approve_adjustment(2, key, 100000, 'a gift');
    RAISE EXCEPTION USING ERRCODE = 'ZZ001';
EXCEPTION
    WHEN SQLSTATE 'ZZ001' THEN
        RETURN 'approved';
    WHEN OTHERS THEN
        RETURN SQLSTATE;
END $$;
SELECT casino.deposit(2, 70, 'in 3') \g /dev/null
CALL turned('1488 hours');
SELECT is(concat_ws(' ', again('in 1', 10000), again('in 1', 5), plain('in 1'), approved('in 1')),
          '1 KL003 KL003 55000', 'R12.130: turned 62 days before the open one opened: remembered');
SELECT is(casino_internal.last_book_forgotten(), 0, '... no book is forgotten');
CALL turned('1488:00:00.000001');
SELECT is(concat_ws(' ', again('in 1', 10000), again('in 1', 5), plain('in 1'), approved('in 1')),
          '4 4 posted approved', 'R12.130: and a moment more: a request comes anew');
SELECT is(casino_internal.last_book_forgotten(), 1, '... of the first book');
SELECT is(asked('SELECT casino.deposit(2, 100, ''new'')'), by_store('2 3'),
          'R12.130: the first book is not asked');
SELECT is(concat_ws(' ', again('in 3', 70), again('in 3', 5)), '3 KL003',
          'R12.130: the open book remembers');
SELECT is((SELECT casino.place_bet(:second, 1, 'red@100', 'second 1') > 0), true,
          'R12.130: and the one before, however old');
-- a stake that lies in an open round goes back, whose key is forgotten; its tombstone would leave it there
BEGIN;
SELECT w.entry_no AS lies FROM casino.wager w WHERE w.round_id = :over AND w.player_id = 1 \gset
SELECT casino.cancel_bet(:over, 1, 'over 1') AS refunds \gset
SELECT (SELECT coalesce(max(l.stake_entry_no), 0) FROM casino.ledger l
         WHERE l.player_id = 1 AND l.entry_no = ANY (:'refunds'::bigint[])) AS returned,
       (SELECT count(*) FROM casino.cancelled_request) AS tombstones \gset
SELECT casino.cancel_bet(:over, 1, 'never') \g /dev/null
SELECT count(*) AS then FROM casino.cancelled_request \gset
ROLLBACK;
SELECT is((:returned::bigint, :tombstones, :then), (:lies::bigint, 0, 1),
          'R12.130: a stake of the first book is cancelled');
BEGIN;
SELECT casino.close_betting(:over) \g /dev/null
SELECT throws_ok(format('SELECT casino.cancel_bet(%s, 1, ''over 1'')', :over), 'KB001', NULL,
                 'R12.130: and not when betting is closed');
ROLLBACK;
-- R7.73: an approval posts one entry, also when the entry's key is forgotten
CREATE ROLE boss SUPERUSER;
BEGIN;
SET LOCAL casino.clock_skew = -1;
SELECT casino.set_duty_rule('adjust_amount', '100', '2020-01-01', 'rules 7', 'rules of the house')
\g /dev/null
SET LOCAL casino.clock_skew = 5;
SET LOCAL SESSION AUTHORIZATION boss;
SELECT casino.approve_adjustment(2, 'gift', 500, 'a gift') AS one \gset gift_
SET LOCAL SESSION AUTHORIZATION DEFAULT;
SELECT casino.adjust(2, 500, 'a gift', 'gift') AS first \gset gift_
SELECT casino.turn_book(), casino.turn_book() \g /dev/null
SET LOCAL casino.request_memory = 0;
SELECT throws_ok($$SELECT casino.adjust(2, 500, 'a gift', 'gift')$$, '42501', NULL,
                 'R7.73: an approval of a forgotten key has posted its entry');
SET LOCAL SESSION AUTHORIZATION boss;
SELECT casino.approve_adjustment(2, 'gift', 500, 'a gift') AS two \gset gift_
SET LOCAL SESSION AUTHORIZATION DEFAULT;
SELECT is((:gift_one, :gift_two, casino.adjust(2, 500, 'a gift', 'gift') - :gift_first), (1, 2, 1::bigint),
          'R7.73: a new approval posts a new one');
ROLLBACK;
DROP ROLE boss;
-- the setting is the session's
SET casino.request_memory = '63 d';
SELECT is(again('in 1', 5), 'KL003', 'R12.130: with 63 days remembered again');
SET casino.request_memory = 0;
SELECT is(concat_ws(' ', again('in 1', 5), again('in 3', 5)), '4 KL003', 'R12.130: with none');
RESET casino.request_memory;
-- clocks that went back: no book is forgotten too early
CALL turned('-1 day');
SELECT is(again('in 1', 5), 'KL003', 'R12.130: an opening later than the next one');
-- the third away, the first turned long ago, the second not: a book away and all before it are forgotten
CALL turned('63 days');
BEGIN;
SELECT casino.turn_book() \g /dev/null
ALTER TABLE casino.ledger DETACH PARTITION casino.ledger_3;
SELECT casino_internal.make_stand_in('{3}') \g /dev/null
SELECT casino_internal.last_book_forgotten() AS away \gset
ROLLBACK;
SELECT is(:away, 3, 'R12.130: a later book is away');
-- all rounds end
SELECT is((s.wagers::integer, s.paid), (3, 800.00), 'R12.131: the round of the first book is settled')
  FROM casino.settle_round(:over, '{"number": 1}') s;
SELECT * FROM finish();
