-- Which books a question by SQL reads: those that can have its entries (R12.134, R12.135). By plans and by
-- counts of scans, never by time.
SET search_path = public;
SET client_min_messages = warning;
SET plan_cache_mode = auto;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'wheel', 100, 25000) AS wheel \gset
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 3) n \g /dev/null

-- the books of which the plan reads the ledger under that alias; of any: NULL
CREATE FUNCTION planned(statement text, alias text DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || statement INTO plan;
    RETURN (SELECT string_agg(DISTINCT substr(n ->> 'Relation Name', 8), ' ')
              FROM jsonb_path_query(plan, '$.** ? (@."Relation Name" like_regex "^ledger_")') n
             WHERE planned.alias IS NULL OR n ->> 'Alias' ~ format('^%s(_\d+)?$', planned.alias));
END $$;
-- the books of whose tables scans began in the statement
CREATE FUNCTION scanned(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before jsonb;
BEGIN
    SELECT jsonb_object_agg(s.relname, s.seq_scan + coalesce(s.idx_scan, 0)) INTO before
      FROM pg_stat_xact_user_tables s WHERE s.schemaname = 'casino';
    EXECUTE statement;
    RETURN (SELECT string_agg(substr(s.relname, 8), ' ' ORDER BY s.relname)
              FROM pg_stat_xact_user_tables s
             WHERE s.schemaname = 'casino' AND s.relname ~ '^ledger_\d$'
               AND s.seq_scan + coalesce(s.idx_scan, 0) > (before ->> s.relname)::bigint);
END $$;
CREATE FUNCTION settled(round bigint) RETURNS void LANGUAGE sql AS $$
    SELECT casino.settle_round(round, '{"number": 1}') $$;

-- -------------------------------------------------------------------------------------------- four books
-- a round in the first alone; one over the first two, that is paid in the third; one in the second; two in
-- the third, of which one is paid in the fourth. Player 2 is in the first book, player 3 from the third on
SELECT casino.deposit(1, 10000), casino.deposit(2, 10000) \g /dev/null
SELECT casino.open_round(:wheel, 'early') AS early \gset
SELECT casino.place_bet(:early, 1, 'red@100') \g /dev/null
SELECT settled(:early);
SELECT casino.add_game_table('roulette_american', 'other', 100, 25000) AS other \gset
SELECT casino.open_round(:other, 'over') AS over \gset
SELECT casino.place_bet(:over, 1, 'red@100'), casino.place_bet(:over, 2, 'black@100') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT p.last_entry_no + 1 AS second_no FROM casino.player p WHERE p.player_id = 1 \gset
SELECT casino.place_bet(:over, 1, 'odd@100') \g /dev/null
SELECT casino.open_round(:wheel, 'second') AS second \gset
SELECT casino.place_bet(:second, 1, 'red@100') \g /dev/null
SELECT settled(:second);
SELECT casino.turn_book() \g /dev/null
SELECT casino.deposit(3, 10000) \g /dev/null
SELECT settled(:over);
SELECT casino.open_round(:wheel, 'third') AS third \gset
SELECT casino.place_bet(:third, 3, 'red@100') \g /dev/null
SELECT settled(:third);
SELECT casino.open_round(:wheel, 'paid late') AS late \gset
SELECT casino.place_bet(:late, 3, 'red@100') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT settled(:late);

-- ------------------------------------------------------------------------------------- wagers of a round
-- s: stakes, in the books that have some of the round, and the open one. p: what paid them, from the first of
-- these on
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id = %s', x.round), 's') || ', '
          || planned(format('SELECT * FROM casino.wager WHERE round_id = %s', x.round), 'p'),
          x.books, 'R12.134: wagers of a round, ' || x.what)
  FROM (VALUES (:early, '1 4, 1 2 3 4', 'of the first book'),
               (:over, '1 2 4, 1 2 3 4', 'of two books'),
               (:second, '2 4, 2 3 4', 'of the second'),
               (:third, '3 4, 3 4', 'of the third'),
               (:late, '3 4, 3 4', 'paid in the open one')) x (round, books, what);
SELECT results_eq(format('SELECT w.status, w.payout FROM casino.wager w WHERE w.round_id = %s', :late),
                  $$VALUES ('won', 200.00)$$, 'R12.134: an end in a later book than the stake');
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id > %s', :second), 's'), '3 4',
          'R12.134: rounds from one on');
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id BETWEEN %s AND %s', :over, :second),
                  's'), '1 2 4', 'R12.134: rounds of a range');
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id = %s AND player_id = %s', :over,
                         x.player)), x.books, 'R12.134: wagers of a round and player ' || x.player)
  FROM (VALUES (1, '1 2 3 4'), (2, '1 4'), (3, '3 4')) x (player, books);
SELECT is(planned(format('SELECT * FROM casino.round r JOIN casino.wager w ON w.round_id = r.round_id
                           WHERE r.round_id = %s', :third)), '3 4', 'R12.134: through the round');
SELECT is(planned('SELECT * FROM casino.wager WHERE status = ''open'''), '1 2 3 4',
          'R12.134: without a round or a player all are asked');
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id = %s OR player_id = 2', :third)),
          '1 2 3 4', 'R12.134: a condition that has an alternative does not count');

-- ------------------------------------------------------------------------------------ entries of a player
-- l: the entries; of any: stakes that they name, stakes and refunds of disconnected players, too
SELECT is(planned('SELECT * FROM casino.statement WHERE player_id = ' || x.player
                  || ' ORDER BY entry_no DESC LIMIT 50', x.alias), x.books,
          format('R12.134: a page of the statement of player %s, %s', x.player, coalesce(x.alias, 'all')))
  FROM (VALUES (1, 'l', '1 2 3 4'), (2, 'l', '1 4'), (2, NULL, '1 4'), (3, 'l', '3 4'), (3, NULL, '3 4'))
       x (player, alias, books);
SELECT is(planned(format('SELECT * FROM casino.statement WHERE player_id = 1 AND entry_no %s', x.entries),
                  'l'), x.books, 'R12.134: entries ' || x.entries)
  FROM (VALUES ('>= ' || :second_no, '2 3 4'), ('> ' || :second_no - 2, '1 2 3 4'),
               ('> ' || :second_no - 1, '2 3 4'), ('< ' || :second_no, '1 4'),
               ('<= ' || :second_no, '1 2 4'), ('= ' || :second_no, '2 4'), ('= -1', '4'),
               ('= NULL', NULL)) x (entries, books);
-- a parameter: in a plan for its value, not in one for all values
PREPARE page(bigint) AS SELECT * FROM casino.statement WHERE player_id = $1 ORDER BY entry_no DESC LIMIT 50;
SELECT is(planned('EXECUTE page(3)', 'l'), '3 4', 'R12.134: a parameter');
SET plan_cache_mode = force_generic_plan;
SELECT is(planned('EXECUTE page(3)', 'l'), '1 2 3 4', 'R12.134: a plan for all parameters asks all');
RESET plan_cache_mode;

-- --------------------------------------------------------------------------------------- calls on a round
-- once before: a session finds out once how far the books reach. Keys are looked for in the book before, too
SET casino.request_memory = 0;
SELECT casino.open_round(:wheel, 'taken back') AS back \gset
SELECT casino.place_bets(:back, 1, '{red@100,odd@100}', 'a'), casino.place_bet(:back, 1, 'low@100', 'b'),
       casino.place_bet(:back, 3, 'red@100', 'a') \g /dev/null
SELECT casino.cancel_bet(:back, 1, 'b') \g /dev/null
SELECT is(scanned(format('SELECT casino.cancel_bet(%s, 1, ''a'')', :back)), '3 4',
          'R12.131: cancel_bet() of a round of the open book');
SELECT results_eq(format($$SELECT l.entry_no, l.stake_entry_no FROM casino.ledger l
                            WHERE l.round_id = %s AND l.kind = 'refund' AND l.player_id = 1
                              AND l.entry_no = ANY (casino.cancel_bet(%1$s, 1, 'a'))
                            ORDER BY 1$$, :back),
                  format($$SELECT f.entry_no, s.entry_no FROM casino.ledger s
                             JOIN casino.ledger f ON f.player_id = 1 AND f.stake_entry_no = s.entry_no
                            WHERE s.player_id = 1 AND s.request_id = 'a' AND s.round_id = %s
                            ORDER BY 1$$, :back), 'R12.131: again it gives the refunds of both its stakes');
SELECT settled(:back);
SELECT casino.open_round(:wheel, 'empty') AS empty \gset
SELECT is(scanned(format('SELECT settled(%s)', :empty)), '4', 'R12.131: a settlement without a wager');
RESET casino.request_memory;

-- ---------------------------------------------------------------------------------------- nothing is missed
-- the same with a value that the planner does not know
CREATE FUNCTION same(query text, condition text, hidden text) RETURNS text LANGUAGE sql AS $$
    SELECT results_eq(replace(query, '?', condition), replace(query, '?', hidden),
                      query || ' ' || condition) $$;
SELECT same(q.query, c.condition, regexp_replace(c.condition, '(\d+)', '(SELECT \1)', 'g'))
  FROM (VALUES ('SELECT w::text FROM casino.wager w WHERE ? ORDER BY 1'),
               ('SELECT w::text FROM casino.statement w WHERE ? ORDER BY 1'),
               -- rows that the condition of a join does not leave out
               ('SELECT w::text, r.round_id FROM casino.wager w
                   LEFT JOIN casino.round r ON r.round_id = w.round_id AND ? ORDER BY 1, 2'),
               ('SELECT w::text, r.round_id FROM casino.round r
                   LEFT JOIN casino.wager w ON w.round_id = r.round_id AND ? ORDER BY 1, 2'),
               ('SELECT w::text, r.round_id FROM casino.round r
                  RIGHT JOIN casino.wager w ON w.round_id = r.round_id AND ? ORDER BY 1, 2'),
               ('SELECT w::text, r.round_id FROM casino.round r
                   FULL JOIN (SELECT * FROM casino.wager w WHERE ?) w ON w.round_id = r.round_id
                  ORDER BY 1, 2'),
               ('SELECT r.round_id::text FROM casino.round r
                  WHERE EXISTS (SELECT FROM casino.wager w WHERE w.round_id = r.round_id AND ?) ORDER BY 1'),
               ('SELECT r.round_id::text FROM casino.round r
                  WHERE NOT EXISTS (SELECT FROM casino.wager w WHERE w.round_id = r.round_id AND ?)
                  ORDER BY 1'),
               ('SELECT r.round_id::text FROM casino.round r
                  WHERE r.round_id NOT IN (SELECT w.round_id FROM casino.wager w WHERE ?) ORDER BY 1'),
               ('SELECT v::text, w.entry_no FROM casino.wager v
                   JOIN casino.wager w ON w.player_id = v.player_id WHERE ? ORDER BY 1, 2'),
               ('SELECT v::text, (SELECT sum(w.staked) FROM casino.wager w
                                   WHERE w.player_id = v.player_id AND ?) FROM casino.wager v ORDER BY 1'),
               ('SELECT w.player_id::text, sum(w.entry_no) FROM casino.statement w WHERE ?
                  GROUP BY w.player_id HAVING count(*) > 1 ORDER BY 1')) q (query)
 CROSS JOIN (SELECT format('w.round_id = %s', r) FROM unnest(ARRAY[:early, :over, :second, :third, :late]) r
             UNION ALL
             SELECT format('w.player_id = %s', p) FROM generate_series(1, 3) p
             UNION ALL
             SELECT format('w.player_id = %s AND w.entry_no > %s', p, :second_no - 1)
               FROM generate_series(1, 3) p
             UNION ALL
             SELECT format('%s <= w.round_id AND w.player_id = %s', :second, p)
               FROM generate_series(1, 3) p) c (condition);
-- a plan that was kept before a turn finds the entries of the next book
PREPARE kept AS SELECT count(*) FROM casino.statement WHERE player_id = 2;
EXECUTE kept \gset before_
EXECUTE kept \gset before_
SELECT casino.turn_book(), casino.deposit(2, 7) \g /dev/null
EXECUTE kept \gset after_
SELECT is(:after_count - :before_count, 1, 'R12.134: a plan of before a turn finds the next book');
SELECT is(planned('EXECUTE kept', 'l'), '1 5', 'R12.134: and leaves out the book that was turned');
-- taken back, the book before goes on
BEGIN;
SELECT casino.turn_book() \g /dev/null
EXECUTE kept \g /dev/null
ROLLBACK;
SELECT casino.deposit(2, 7) \g /dev/null
EXECUTE kept \gset then_
SELECT is(:then_count - :after_count, 1, 'R12.134: a turn that was taken back');
-- past the guards, into a book that was turned
BEGIN;
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
INSERT INTO casino.ledger
SELECT (jsonb_populate_record(l, '{"book": 2, "entry_no": 99}')).* FROM casino.ledger l
 WHERE l.player_id = 2 AND l.entry_no = 1;
SELECT is(planned('SELECT * FROM casino.statement WHERE player_id = 2', 'l'), '1 2 5',
          'R12.134: an entry that was forged is not hidden');
ROLLBACK;
-- without the index the book is asked
BEGIN;
DROP INDEX casino.ledger_3_round;
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id = %s', :early), 's'), '1 3 5',
          'R12.134: a book without the index');
ROLLBACK;

-- ------------------------------------------------------------------------------ closed books, by their times
SELECT casino.settle_round(r.round_id, '{"number": 1}') FROM casino.round r
 WHERE r.status IN ('open', 'closed') \g /dev/null
SELECT is(casino_internal.last_book_before('infinity'), 0, 'R12.135: no book is closed: all are asked');
SELECT casino.prague_day(now()) AS today \gset
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT count(casino.close_book(b)) FROM generate_series(1, 3) b \g /dev/null
SELECT c.last_recorded_at AS first_ends FROM casino.book_closing c WHERE c.book = 1 \gset
SELECT c.last_recorded_at AS second_ends FROM casino.book_closing c WHERE c.book = 2 \gset
SELECT c.last_recorded_at AS third_ends FROM casino.book_closing c WHERE c.book = 3 \gset
SELECT is(casino_internal.last_book_before(x.since::timestamptz + x.later), x.book,
          format('R12.135: the books before the end of book %s, %s', x.of_book, x.later))
  FROM (VALUES (:'first_ends', interval '0', 0, 1), (:'first_ends', '1 us', 1, 1),
               (:'second_ends', '0', 1, 2), (:'second_ends', '1 us', 2, 2),
               (:'third_ends', '1 us', 3, 3), ('-infinity', '0', 0, 0),
               ('infinity', '0', 3, 3)) x (since, later, book, of_book);
SELECT is(casino_internal.last_book_before(NULL), NULL, 'R12.135: no time');
SELECT is(scanned(format('SELECT casino.%s(%L, %L)', x.figure, :'today'::date + x.later,
                         :'today'::date + x.later)), '4 5',
          format('R12.135: %s(), %s days later', x.figure, x.later))
  FROM (VALUES ('tax_base', 1), ('player_day', 1), ('person_day', 2)) x (figure, later);
SELECT is(scanned(format('SELECT casino.%s(%L, %L)', x.figure, :'today'::date, :'today'::date)),
          '1 2 3 4 5', format('R12.135: %s(), today', x.figure))
  FROM (VALUES ('tax_base'), ('player_day'), ('person_day')) x (figure);

-- the wagers of a day's rounds, in the books of each round: one of a day of the year 2000, in the open book
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2000-01-02', 'a test') \g /dev/null
SELECT casino.open_round(:wheel, 'of a day', at => '2000-01-01 12:00 Europe/Prague') AS replayed \gset
SELECT count(*) FROM casino_internal.figure_wagers('2000-01-01', '2000-01-01') \g /dev/null
SELECT is(scanned($$SELECT count(*) FROM casino_internal.figure_wagers('2000-01-01', '2000-01-01')$$), '5',
          'R12.131: wagers of the rounds of a day');
RESET casino.clock_skew;

-- ------------------------------------------------------------------------------------- a book that is away
SELECT casino.seal(:'today') \g /dev/null
SET casino.request_memory = 0;
SELECT casino.put_away_book(1) \g /dev/null
SELECT is(planned(format('SELECT * FROM casino.wager WHERE round_id = %s', x.round)), x.books,
          'R12.134: the stand-in is asked, and books after it are left out: ' || x.books)
  FROM (VALUES (:early, '2 3 4 5 away'), (:third, '3 4 5 away')) x (round, books);
SELECT throws_ok(format('SELECT * FROM casino.wager WHERE round_id = %s', :early), '55000', NULL,
                 'R12.134: wagers of a book that is away are refused');
SELECT results_eq(format('SELECT w.player_id, w.payout FROM casino.wager w WHERE w.round_id = %s', :third),
                  'VALUES (3::bigint, 200.00)', 'R12.134: of a later round they are answered');
-- the balance carried forward lies in no book: leaving out book 2 does not take it along
SELECT is(planned('SELECT * FROM casino.statement WHERE player_id = 2', 'l'), '5 away',
          'R12.134: a player who is in the first book and the open one');
SELECT results_eq('SELECT s.kind, s.balance FROM casino.statement s WHERE s.player_id = 2
                    ORDER BY s.entry_no',
                  $$VALUES ('carried_forward', 9900.00), ('deposit', 9907.00), ('deposit', 9914.00)$$,
                  'R12.134: the statement begins with the balance carried forward');
SELECT casino.attach_book(1) \g /dev/null
-- more books between than are named one by one
SELECT casino.turn_book(), casino.deposit(1, 10) \g /dev/null
SELECT casino.turn_book(), casino.deposit(1, 10) \g /dev/null
SELECT casino.turn_book(), casino.deposit(1, 10) \g /dev/null
SELECT is(planned('SELECT * FROM casino.statement WHERE player_id = 2'), '1 5 8',
          'R12.134: a player who is in two of eight books');
SELECT results_eq('SELECT s.entry_no FROM casino.statement s WHERE s.player_id = 2 ORDER BY 1',
                  'SELECT l.entry_no FROM casino.ledger l WHERE l.player_id = 2 ORDER BY 1',
                  'R12.134: has all entries');
SELECT * FROM finish();
