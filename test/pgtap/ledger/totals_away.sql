-- Totals of days where a book was put away (R12.55): an entry that is dated back into a kept day, of a cell
-- that was down over midnight say, neither stops the night nor the trial balance.
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET datestyle = 'ISO';
SET casino.clock_skew = -1;
SELECT no_plan();
SELECT casino.prague_day(now()) AS today \gset

-- in the book: 3 deposits of 5000, a stake of 100 that wins 200, all on 1 March
SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) AS one \gset
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 3) n \g /dev/null
SELECT count(casino.deposit(n, 5000, 'd' || n, '2026-03-01 10:00')) FROM generate_series(1, 3) n \g /dev/null
SELECT casino.open_round(:one, 'first', '2026-03-01 11:00') AS first \gset
SELECT casino.place_bet(:first, 1, 'red@100', 's', at => '2026-03-01 11:00:10') \g /dev/null
SELECT casino.close_betting(:first, '2026-03-01 11:00:50'),
       casino.disconnect(:first, 1, '2026-03-01 11:00:55') \g /dev/null
SELECT casino.settle_round(:first, '{"number": 1}', '2026-03-01 11:01') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT casino.seal(:'today'::date - 1) \g /dev/null
-- after it
SELECT casino.open_round(:one, 'after', '2026-07-01 12:00') AS after \gset
SELECT casino.deposit(3, 4, 'next day', '2026-03-02 00:00'),
       casino.deposit(3, 6, 'later', '2026-07-01 10:00'), casino.deposit(2, 10, 'later', '2026-07-02 10:00'),
       casino.place_bet(:after, 3, 'red@100', 's', at => '2026-07-01 12:00:10') \g /dev/null
SELECT casino.settle_round(:after, '{"number": 2}', '2026-07-01 12:01') \g /dev/null
SELECT is(casino.keep_day_totals(), 4, '1 and 2 March, 1 and 2 July');
SELECT casino.close_book(1), casino.seal(:'today') \g /dev/null
SET casino.request_memory = 0;
SELECT casino.put_away_book(1) \g /dev/null
SELECT is((SELECT u.until FROM casino.kept_until u), '2026-07-03', 'the totals stand when the book is away');

SELECT results_eq('SELECT s.kind, s.change, s.automatic
                     FROM casino.player_statement(3, ''2026-07-01'', ''2026-07-03'') s',
                  $$VALUES ('opening', NULL::numeric, NULL::boolean), ('deposit', 6, NULL),
                           ('stake', -100, false), ('closing', -94, NULL)$$,
                  'R12.55: a statement of days after the book asks nothing of a player who was away before');
SELECT is(casino_internal.joined_later(3, s.entry_no - 1, '2026-07-01'), false,
          'R12.55: a round joined later is looked for among the entries that are there')
  FROM casino.ledger s
 WHERE s.round_id = :after
   AND s.kind = 'stake';
-- R12.163: a close after chips that are dated ahead asks nothing of the book
SELECT clock_timestamp() + interval '1 hour' AS ahead \gset
BEGIN;
SELECT casino.open_round(casino.add_game_table('roulette_synot', 'live', 10, 1000), 'ahead') AS r \gset
SELECT casino.deposit(n, 100, 'ahead', at => :'ahead'),
       casino.place_bet(:r, n, 'red@100', 'ahead ' || n)
  FROM generate_series(2, 3) n \g /dev/null
SELECT casino.place_bet(:r, 1, 'red@100', 'of now') \g /dev/null
SELECT casino.close_betting(:r) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r), :'ahead',
          'R12.163: a close after the chips');
SELECT casino.settle_round(:r, '{"number": 2}', :'ahead') \g /dev/null
SELECT casino.open_round(casino.add_game_table('roulette_synot', 'other live', 10, 1000), 'next') AS r \gset
SELECT casino.place_bet(:r, 1, 'black@10', 'next') \g /dev/null
SET LOCAL enable_nestloop = off;
SELECT is((casino.settle_round(:r, '{"number": 2}')).paid, 20.00,
          'R12.163: ... or after the evaluation of the player''s last live round');
ROLLBACK;
CREATE FUNCTION is_right(wallets numeric, base numeric, name text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is((SELECT -b.balance FROM casino.trial_balance b WHERE b.account = 'player_wallets'), wallets,
              name || ': trial balance')
    UNION ALL
    SELECT is((SELECT sum(p.balance) FROM casino.player p), wallets, name || ': wallets')
    UNION ALL
    SELECT is((SELECT -m.closing FROM casino.account_movements('2026-07-02', '2026-07-03') m
                WHERE m.account = 'player_wallets'), wallets, name || ': movements')
    UNION ALL
    SELECT is((SELECT count(*) FROM casino.balance_statement('2026-06-30') s WHERE NOT s.agrees), 0::bigint,
              name || ': the statement of a day before agrees')
    UNION ALL
    SELECT is((SELECT l.wallets FROM casino.liability('2026-06-30') l), 15104.00,
              name || ': 15000, 100 that were won, and 4')
    UNION ALL
    SELECT is((SELECT b.base FROM casino.tax_base('2026-07-01', '2026-07-31') b), base, name || ': tax base')
    UNION ALL
    SELECT is((SELECT b.base FROM casino.tax_base('2026-03-01', '2026-03-01') b), -100.00,
              name || ': tax base of the day in the book')
    UNION ALL
    SELECT is_empty('SELECT * FROM casino_internal.check_kept_days(''2026-07-01'', ''2026-07-05'')',
                    name || ': the night finds nothing') $$;
-- 15100, 20 paid in, 100 lost
SELECT is_right(15020, 100, 'kept');
SELECT casino.deposit(1, 30, 'back', '2026-07-01 13:00') \g /dev/null
SELECT is((SELECT u.until FROM casino.kept_until u), '2026-03-02',
          'R12.55: dated back: the totals of the book''s days stand');
SELECT is_right(15050, 100, 'R12.55: dated back');
SELECT results_eq('SELECT k.day FROM casino_internal.kept_days(''2026-03-01'', ''2026-07-05'') k
                    WHERE k.day IN (''2026-03-01'', ''2026-03-02'', ''2026-07-01'', ''2026-07-02'')',
                  'SELECT date ''2026-03-01''',
                  'R12.55: days after the book''s are counted');
SELECT is(casino.keep_day_totals(), 3, 'R12.55: the days after the book are added up anew');
SELECT is((SELECT u.until FROM casino.kept_until u), '2026-07-03', '... all of them');
SELECT is_right(15050, 100, 'R12.55: added up anew');
-- a forged total of a day of the book is not a total
BEGIN;
UPDATE casino.day_total d SET entries = d.entries + 1 WHERE d.day = '2026-03-01' AND d.kind = 'deposit';
SELECT is((SELECT u.until FROM casino.kept_until u), NULL,
          'totals that do not have every entry do not stand');
ROLLBACK;
-- with the book back every day can be counted anew
SELECT casino.attach_book(1) \g /dev/null
SELECT casino.deposit(1, 40, 'back again', '2026-07-01 14:00') \g /dev/null
SELECT is((SELECT u.until FROM casino.kept_until u), NULL, 'the book is back: no totals stand');
SELECT is_right(15090, 100, 'the book is back');
SELECT is(casino.keep_day_totals(), 4, '... and its day is added up anew, too');
SELECT is_right(15090, 100, 'the book is back, added up anew');
SELECT * FROM finish();
