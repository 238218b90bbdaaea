-- A book is closed when nothing of it is open; its balances and totals are evidence (R12.47, R12.48).
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();
-- the day may end meanwhile
SELECT casino.prague_day(now()) AS today \gset

SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) AS one,
       casino.add_game_table('roulette_american', 'two', 100, 25000) AS two,
       casino.add_game_table('roulette_american', 'three', 100, 25000) AS three \gset
SELECT count(casino.deposit(casino.register_player('p' || n), 5000)) FROM generate_series(1, 4) n \g /dev/null
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

-- ---------------------------------------------------------------------------------- numbers of no book
SELECT is(refused('SELECT casino.close_book(' || x.book || ')'), x.answer, 'R12.47: close_book ' || x.book)
  FROM (VALUES ('NULL', '22004 '), ('0', '22023 The books are 1 to 1.'), ('2', '22023 The books are 1 to 1.'),
               ('-1', '22023 The books are 1 to 1.'),
               ('1', '55000 It is the open book: casino.turn_book() opens the next.')) x (book, answer);

-- ------------------------------------------------------------------------------ a book in which all is
SELECT casino.open_round(:one, 'open') AS open \gset
SELECT casino.open_round(:two, 'kept back') AS back \gset
SELECT casino.open_round(:three, 'wrong') AS wrong \gset
SELECT casino.place_bet(:open, 1, 'red@100'), casino.place_bet(:back, 2, 'red@200'),
       casino.place_bet(:back, 3, 'red@300'), casino.place_bet(:wrong, 4, 'straight:1@100') \g /dev/null
SELECT casino.withhold_winnings(:back, 2, 'under review') \g /dev/null
SELECT casino.settle_round(:back, '{"number": 1}'), casino.settle_round(:wrong, '{"number": 1}') \g /dev/null
SELECT casino.request_withdrawal(1, 150, 'cash') AS withdrawal \gset
SELECT casino.request_withdrawal(4, balance, 'cash') AS all_of_it FROM casino.player WHERE player_id = 4 \gset
SELECT casino.pay_withdrawal(:all_of_it) \g /dev/null
SELECT casino.correct_round(:wrong, '{"number": 2}', 'the ball lay on 2') AS correction \gset
SELECT casino.turn_book(), casino.turn_book() \g /dev/null
SELECT is(refused('SELECT casino.close_book(2)'), '55000 Book 1 is not closed.', 'R12.47: in their order');
SELECT is(refused('SELECT casino.close_book(1)'),
          format('55000 Round %s is open. Correction %s of round %s is not decided. '
                 'Withdrawal %s is neither paid nor cancelled. '
                 'Winnings of player 2 in round %s are withheld. '
                 'Day %s is not sealed.', :open, :correction, :wrong, :withdrawal, :back,
                 casino.prague_day(now())),
          'R12.47: open business is named');
SELECT is_empty('SELECT * FROM casino.book_closing', 'and nothing is closed');

-- each, one after the other
SELECT casino.settle_round(:open, '{"number": 1}'), casino.cancel_withdrawal(:withdrawal) \g /dev/null
SELECT casino.pay_withheld(:back, player_id => 2) \g /dev/null
CREATE ROLE book_second;
GRANT USAGE ON SCHEMA casino, casino_internal TO book_second;
GRANT EXECUTE ON FUNCTION casino.approve_correction TO book_second;
SET SESSION AUTHORIZATION book_second;
SELECT casino.approve_correction(:correction) \g /dev/null
RESET SESSION AUTHORIZATION;
DROP OWNED BY book_second;
DROP ROLE book_second;
SELECT casino.seal(:'today') \g /dev/null
SELECT is(refused('SELECT casino.close_book(1)'), format('55000 Claim %s is not settled.', c.claim_no),
          'R12.47: a claim')
  FROM casino.open_claim c;
SELECT casino.settle_claim(c.claim_no, 'paid at the desk') FROM casino.open_claim c \g /dev/null

-- ----------------------------------------------------------------------------------------- the closing
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(left(refused('SELECT casino.close_book(1)'), 5), '25001', 'R12.47: not by an old snapshot');
ROLLBACK;
SELECT results_eq('SELECT book, entries, players FROM casino.close_book(1)',
                  'VALUES (1, 13::bigint, 4::bigint)', 'R12.47: book 1 is closed');
SELECT is((SELECT c FROM casino.close_book(1) c), (SELECT c FROM casino.close_book(1) c),
          'R12.47: closing again gives the same');
SELECT is((SELECT count(*) FROM casino.book_closing), 1::bigint, 'and one closing');
SELECT results_eq('SELECT b.book, b.state, b.seal_no FROM casino.book b ORDER BY b.book',
                  $$VALUES (1, 'closed', NULL::bigint), (2, 'turned', NULL), (3, 'open', NULL)$$,
                  'view book: not sealed yet');
-- counted by hand: 5000 in; 100 staked and 150 asked for; 200 and 300 staked, of which the latter won 300;
-- 100 staked on a number, 36 for one
SELECT results_eq('SELECT player_id, entry_no, balance, sums FROM casino.book_balance ORDER BY player_id',
                  $$VALUES (1::bigint, 3::bigint, 4750.00,
                            '{"deposit": 5000, "stake": 100, "withdrawal": 150}'::jsonb),
                           (2, 2, 4800.00, '{"deposit": 5000, "stake": 200}'),
                           (3, 3, 5300.00, '{"deposit": 5000, "stake": 300, "payout": 600}'),
                           (4, 5, 0.00, '{"deposit": 5000, "stake": 100, "payout": 3600, "withdrawal": 8500,
                                          "cash_paid": 8500}')$$,
                  'R12.48: balances and sums of the players');
SELECT results_eq('SELECT sum(debit), sum(credit), sum(debit) > 0 FROM casino.book_total',
                  'SELECT sum(amount), sum(amount), true FROM casino.ledger WHERE book = 1',
                  'R12.48: debits and credits are the entries');
SELECT is((SELECT b.stream FROM casino.book_balance b WHERE b.player_id = 2),
          encode(casino.hash_node(casino.hash_leaf(casino.ledger_leaf(one)),
                                  casino.hash_leaf(casino.ledger_leaf(two))), 'hex'),
          'R12.48: the root of a player''s entries')
  FROM casino.ledger one, casino.ledger two
 WHERE (one.player_id, one.entry_no, two.player_id, two.entry_no) = (2, 1, 2, 2);
SELECT is(left(refused(s), 5), 'KL001', 'append-only: ' || s)
  FROM unnest('{DELETE FROM casino.book_closing,UPDATE casino.book_balance SET balance = 1,
                TRUNCATE casino.book_total}'::text[]) s;

-- -------------------------------------------------------------------------------------------- evidence
SELECT is_empty($$SELECT * FROM casino_internal.check_record(current_date - 1, current_date + 1)$$,
                'the night finds the closing right');
CREATE FUNCTION seen(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    ALTER TABLE casino.book_closing DISABLE TRIGGER ALL;
    ALTER TABLE casino.book_balance DISABLE TRIGGER ALL;
    ALTER TABLE casino.book_total DISABLE TRIGGER ALL;
    EXECUTE fault;
    SELECT string_agg(DISTINCT (f.detail ->> 'table') || ' ' || f.rule, ', ') INTO result
      FROM casino_internal.check_record(current_date - 1, current_date + 1) f;
    RAISE EXCEPTION USING ERRCODE = 'ZZ001', MESSAGE = coalesce(result, 'nothing');
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    GET STACKED DIAGNOSTICS result = MESSAGE_TEXT;
    RETURN result;
END $$;
SELECT is(seen(x.fault), x.found, 'R12.48: ' || x.fault)
  FROM (VALUES ('SELECT 1', 'nothing'),
               ('UPDATE casino.book_closing SET entries = 12', 'book_closing book'),
               ('UPDATE casino.book_closing SET players = 3', 'book_closing book'),
               ('DELETE FROM casino.book_balance WHERE player_id = 2',
                'book_closing book, book_closing totals, book_total sums'),
               ('DELETE FROM casino.book_total WHERE account = ''games''', 'book_closing totals'),
               ('UPDATE casino.book_balance SET balance = balance + 1 WHERE player_id = 3',
                'book_balance balance, book_balance book'),
               ('UPDATE casino.book_balance SET entry_no = entry_no + 1 WHERE player_id = 3',
                'book_balance book'),
               ('UPDATE casino.book_balance SET stream = reverse(stream) WHERE player_id = 3',
                'book_balance book'),
               ('UPDATE casino.book_total SET debit = debit + 1 WHERE account = ''player_wallets''',
                'book_closing totals, book_total sums'),
               ('UPDATE casino.book_total SET credit = credit + 1 WHERE account = ''player_wallets''',
                'book_closing totals, book_total sums')
       ) x (fault, found);
SELECT isnt(seen($$UPDATE casino.book_closing SET book = 2; UPDATE casino.book_balance SET book = 2$$),
            'nothing', 'R12.47: a closing of another book');
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT results_eq($$SELECT s.section, s.rows FROM casino.seal_section s
                     WHERE s.section LIKE 'book\_%' AND s.seal_no > 1 ORDER BY s.section_no$$,
                  $$VALUES ('book_closing' COLLATE "C", 1::bigint), ('book_balance', 4),
                           ('book_total', (SELECT count(*) FROM casino.book_total))$$,
                  'R12.48: the next seal covers it');
SELECT is((SELECT b.seal_no FROM casino.book b WHERE b.book = 1), 2::bigint, 'view book names the seal');
SELECT is_empty('SELECT * FROM casino.verify()', 'and it is verified');
SELECT is((SELECT count(*) FROM casino.export_day(:'today'::date - 1) e
            WHERE e LIKE '{"book_balance":%'), 4::bigint, 'and exported');
-- the next books
SELECT results_eq('SELECT book FROM casino.close_book(2)', 'VALUES (2)',
                  'R12.47: an empty book is closed, too');
SELECT casino.deposit(1, 10), casino.turn_book() \g /dev/null
SELECT alike(refused('SELECT casino.close_book(3)'), '55000 Day % is not sealed.%',
             'R12.47: entries that no seal has');
SELECT casino.seal(:'today'::date - 2) \g /dev/null
SELECT results_eq('SELECT book, entries FROM casino.close_book(3)',
                  'SELECT 3, count(*) FROM casino.ledger WHERE book = 3', 'R12.47: and sealed');
SELECT is_empty($$SELECT * FROM casino_internal.check_record(current_date - 1, current_date + 1)$$,
                'the night finds all closings right');
SELECT is_empty($$SELECT a.account FROM casino.trial_balance a
                    LEFT JOIN (SELECT t.account, sum(t.debit) AS debit, sum(t.credit) AS credit
                                 FROM casino.book_total t GROUP BY t.account) t ON t.account = a.account
                   WHERE (a.debit, a.credit) IS DISTINCT FROM (t.debit, t.credit)$$,
                'R12.48: the totals of all books are the trial balance');
SELECT * FROM finish();
