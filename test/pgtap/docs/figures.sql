-- Figures (R9.1 to R9.7) of two evenings worked out by hand: every expected number below is arithmetic on
-- what is written here (stakes, odds of the documents, 1/37 of the wheel, the known counts of baccarat), none
-- is taken from a run.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(day integer,
                   clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT (('2026-06-'
                           || lpad(day::text, 2, '0') || ' '
                               || clock)::timestamp AT TIME ZONE 'Europe/Prague') $$;
CREATE FUNCTION d(day integer) RETURNS date LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-'
        || lpad(day::text, 2, '0'))::date $$;

SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r, add_game_table('baccarat', 'B', 50, 100000) AS b,
       register_player('anna') AS a, register_player('bob') AS p \gset

-- the first day: 20 000 in cash, 5 000 by transfer
SELECT deposit(:a, 20000, 'd', at(1, '09:00'), 'cash'),
    deposit(:p, 5000, 'd', at(1, '09:00'), 'transfer') \g /dev/null
-- 17 is black: anna loses 1000 and wins 35 x 100, bob wins 500.  Staked 1600, won 3600 + 1000
SELECT open_round(:r, 'r1', at(1, '10:00')) AS r1 \gset
SELECT place_bets(:r1, :a, '{red@1000,straight:17@100}', 'r1', at => at(1, '10:01')),
    place_bet(:r1, :p, 'black@500', 'r1', at => at(1, '10:02')) \g /dev/null
SELECT settle_round(:r1, '{"number": 17}', at(1, '10:05')) \g /dev/null
-- 4 is even: bob loses 300; anna's 200 were cancelled
SELECT open_round(:r, 'r2', at(1, '11:00')) AS r2 \gset
SELECT place_bet(:r2, :a, 'red@200', 'r2', at => at(1, '11:00:30')) \g /dev/null
SELECT cancel_bet(:r2, :a, 'r2', at(1, '11:01')) \g /dev/null
SELECT place_bet(:r2, :p, 'odd@300', 'r2', at => at(1, '11:02')) \g /dev/null
SELECT settle_round(:r2, '{"number": 4}', at(1, '11:05')) \g /dev/null
-- voided: 400 go back
SELECT open_round(:r, 'r3', at(1, '12:00')) AS r3 \gset
SELECT place_bet(:r3, :a, 'even@400', 'r3', at => at(1, '12:01')) \g /dev/null
SELECT void_round(:r3, 'the ball left the wheel', at(1, '12:05')) \g /dev/null
-- banker 7 to 6: 1950 for 1000, withheld until the next day
SELECT open_round(:b, 'b1', at(1, '13:00')) AS b1 \gset
SELECT place_bet(:b1, :a, 'banker@1000', 'b1', at => at(1, '13:01')) \g /dev/null
SELECT settle_round(:b1, '{"player": "Qh 6d", "banker": "7c Ts"}', at(1, '13:05'), true,
                    'camera failed') \g /dev/null
SELECT request_withdrawal(:a, 3000, 'cash', 'w', at(1, '23:00')) AS w \gset
-- staked before midnight, lost after it
SELECT open_round(:r, 'r5', at(1, '23:59')) AS r5 \gset
SELECT place_bet(:r5, :p, 'red@100', 'r5', at => at(1, '23:59:30')) \g /dev/null
SELECT settle_round(:r5, '{"number": 0}', at(2, '00:00:30')) \g /dev/null

CREATE FUNCTION tables(from_day date, to_day date) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT concat_ws(' ', day - '2026-06-01' + 1, table_name, 'rounds', rounds_settled, rounds_withheld,
                     rounds_voided, rounds_open, 'wagers', wagers, 'staked', staked,
                     'won', won, withheld, 'returned', returned, 'ggr', ggr, 'hold',
                         coalesce(hold::text, '-'), coalesce(expected_hold::text, '-'),
                             coalesce(z::text, '-'))
      FROM casino.daily_table(from_day, to_day) $$;
-- hold of the wheel: 1/37. Its deviation (R9.3): r1 pays 2000 on 18 numbers, 1000 on 17, 4600 on 17: (37 x
-- 110 160 000 - 57 600^2) / 37^2 = 553 805.70; r2 pays 600 on 18: 89 934.26. z = (-2700 - 1900/37) / sqrt(643
-- 739.96) = -3.429 baccarat by 8 decks: banker wins 2 292 252 566 437 888, player 2 230 518 282 592 256 of 4
-- 998 398 275 503
-- 360: edge 0.010579, deviation 0.927372
SELECT results_eq('SELECT * FROM tables(d(1), d(1))', $$VALUES
    ('1 B rounds 0 1 0 0 wagers 1 staked 1000.00 won 1950.00 1950.00 returned 0.00 ggr -950.00 '
     'hold -0.950000 0.010579 -1.036'),
    ('1 R rounds 2 0 1 0 wagers 4 staked 1900.00 won 4600.00 0.00 returned 600.00 ggr -2700.00 '
     'hold -1.421053 0.027027 -3.429')$$, 'R9.2: tables of the first day, with winnings held back');
SELECT results_eq($$SELECT player_id, won, profit, withheld FROM casino.large_win(d(1), d(1), 950)$$,
    format('VALUES (%s::bigint, 3600.00, 2500.00, 0.00), (%s, 1950.00, 950.00, 1950.00)', :a, :a),
        'R9.5: great wins, the greatest first: all wagers of the round together');

-- the second day
SELECT pay_withdrawal(:w, at(2, '08:00')) \g /dev/null
SELECT pay_withheld(:b1, at(2, '09:00')) \g /dev/null
SELECT open_round(:r, 'r4', at(2, '10:00')) AS r4 \gset
SELECT place_bet(:r4, :p, 'low@250', 'r4', at => at(2, '10:01')) \g /dev/null
SELECT adjust(:p, -50, 'paid twice at the cage', 'k', at(2, '11:00'), :r2) \g /dev/null

-- -------------------------------------------------------------------------------------------- tables and tax
SELECT results_eq('SELECT * FROM tables(d(1), d(2))', $$VALUES
    ('1 B rounds 1 0 0 0 wagers 1 staked 1000.00 won 1950.00 0.00 returned 0.00 ggr -950.00 '
     'hold -0.950000 0.010579 -1.036'),
    ('1 R rounds 2 0 1 0 wagers 4 staked 1900.00 won 4600.00 0.00 returned 600.00 ggr -2700.00 '
     'hold -1.421053 0.027027 -3.429'),
    -- the 50 of the adjustment that names the round count for the house (R9.20); 100 on 18 numbers: (100 -
    -- 100/37) / sqrt((37 x 720 000 - 3600^2) / 37^2) = 97.2973 / 99.9635
    ('2 R rounds 1 0 0 1 wagers 1 staked 100.00 won 0.00 0.00 returned 0.00 ggr 150.00 '
     'hold 1.500000 0.027027 0.973')$$,
    'paid since: the round is settled; a round counts on the day of its evaluation, '
    'an open one on the day it was opened');
SELECT is_empty('SELECT * FROM casino.daily_table(d(3), d(4))', 'a day without rounds has no rows');
SELECT results_eq('SELECT day, game, live, stakes, returned, winnings, base FROM casino.tax_base(d(1), d(2))',
                  $$VALUES
    (d(1), 'baccarat', true, 1000.00, 0.00, 0.00, 1000.00),
        (d(1), 'roulette_synot', true, 2600.00, 600.00, 4600.00, -2600.00),
    (d(2), 'baccarat', true, 0.00, 0.00, 1950.00, -1950.00),
        (d(2), 'roulette_synot', true, 250.00, 0.00, 0.00, 300.00)$$,
            'R9.1, R9.20: tax base: taken, less returned and paid, each on its day');
SELECT is((SELECT sum(base + corrected) FROM casino.tax_base(d(1), d(2))), -3300.00,
          'together what account games says, and the adjustment');

-- ------------------------------------------------------------------------------------------------ accounts
CREATE FUNCTION accounts(from_day date,
                         to_day date) RETURNS TABLE (line text) LANGUAGE sql AS $$ SELECT concat_ws(' ',
                                 account, opening, debits, credits, closing)
                                     FROM casino.account_movements(from_day, to_day) $$;
SELECT results_eq('SELECT * FROM accounts(d(1), d(1))', $$VALUES ('adjustments 0.00 0.00 0.00 0.00'),
                  ('cash_and_bank 0.00 25000.00 0.00 25000.00'), ('games 0.00 5200.00 3600.00 1600.00'),
    ('player_wallets 0.00 6600.00 30200.00 -23600.00'), ('withdrawals_payable 0.00 0.00 3000.00 -3000.00')$$,
        'accounts of the first day');
CREATE TEMP TABLE second_day AS SELECT * FROM (VALUES ('adjustments 0.00 -50.00 0.00 -50.00'),
                                               ('cash_and_bank 25000.00 0.00 3000.00 22000.00'),
                                                   ('games 1600.00 1950.00 250.00 3300.00'),
    ('player_wallets -23600.00 250.00 1900.00 -25250.00'),
        ('withdrawals_payable -3000.00 3000.00 0.00 0.00')) v (line);
SELECT results_eq('SELECT * FROM accounts(d(2), d(2))', 'TABLE second_day',
                  'and of the second, which opens with what the first closed with');
SELECT results_eq($$SELECT account, balance FROM casino.trial_balance ORDER BY 1$$, $$SELECT account, closing
                  FROM casino.account_movements('2020-01-01', d(2))
                      ORDER BY 1$$, 'the last closing is the trial balance');
SELECT is(casino.keep_day_totals(d(1)), 1, 'the first day is kept');
SELECT is((SELECT array_agg(kind || ' ' || entries || ' ' || amount ORDER BY kind) FROM casino.day_total),
          '{"deposit 2 25000.00","payout 2 4600.00","refund 2 600.00","stake 8 3600.00",'
          '"withdrawal 1 3000.00"}',
          'what it moved');
SELECT results_eq('SELECT * FROM accounts(d(2), d(2))', 'TABLE second_day',
                  'with a day kept the answer is the same');
SELECT results_eq('SELECT * FROM accounts(d(1), d(1))', $$VALUES ('adjustments 0.00 0.00 0.00 0.00'),
                  ('cash_and_bank 0.00 25000.00 0.00 25000.00'), ('games 0.00 5200.00 3600.00 1600.00'),
    ('player_wallets 0.00 6600.00 30200.00 -23600.00'), ('withdrawals_payable 0.00 0.00 3000.00 -3000.00')$$,
        'also of the day that is kept');
SELECT is(casino.keep_day_totals(d(1)), 0, 'once');

-- --------------------------------------------------------------------------------------- what is owed (R9.7)
CREATE FUNCTION owed(moment timestamptz) RETURNS numeric[] LANGUAGE sql AS $$ SELECT ARRAY[wallets,
        open_stakes, withheld_winnings, withdrawals_payable, total] FROM casino.liability(moment) $$;
SELECT is(owed(at(1, '08:59')), '{0.00,0.00,0.00,0.00,0.00}', 'before the first entry nothing is owed');
SELECT is(owed(at(1, '10:03')), '{23400.00,1600.00,0.00,0.00,25000.00}',
          'in the first round: 18 900 + 4500, and 1600 on the table');
SELECT is(owed(at(1, '11:00:45')), '{27800.00,200.00,0.00,0.00,28000.00}',
          'with a bet that was cancelled since');
SELECT is(owed(at(2, '00:00')), '{23600.00,100.00,1950.00,3000.00,28650.00}',
          'at midnight: winnings held back, a withdrawal asked for, a stake over midnight');
SELECT is(owed(at(2, '08:30')), '{23600.00,0.00,1950.00,0.00,25550.00}', 'the withdrawal is paid');
SELECT is(owed(at(3, '00:00')), '{25250.00,250.00,0.00,0.00,25500.00}', 'and the winnings');
SELECT is((SELECT total FROM casino.liability()), 25500.00, 'the default is now');
SELECT results_eq($$SELECT what, player_id, entry_no, amount, since, due_at, overdue
                  FROM casino.payment_deadline(at(2, '00:00'))$$,
    format($$VALUES ('winnings', %s::bigint, 9::bigint, 1950.00, at(1, '13:05'),
                     '2026-07-02 00:00 Europe/Prague'::timestamptz, false),
                    ('withdrawal', %s, 10, 3000.00, at(1, '23:00'),
                     '2026-08-01 00:00 Europe/Prague'::timestamptz, false)$$, :a, :a),
    'deadlines as they stood: the 30th and the 60th day to its end');
SELECT is_empty($$SELECT * FROM casino.payment_deadline(at(2, '12:00'))$$, 'paid: none');

-- --------------------------------------------------------------------------------------- players and persons
SELECT results_eq('SELECT day, player_id, deposits, withdrawn, paid_out, adjustments, rounds, wagers, staked,
                          returned, winnings, result
                     FROM casino.player_day(d(1), d(2))',
                  format($$VALUES
    (d(1), %1$s::bigint, 20000.00, 3000.00, 0.00, 0.00, 4::bigint, 5::bigint, 2700.00, 600.00, 3600.00,
     1500.00), (d(1), %2$s, 5000.00, 0.00, 0.00, 0.00, 3, 3, 900.00, 0.00, 1000.00, 100.00),
    (d(2), %1$s, 0.00, 0.00, 3000.00, 0.00, 0, 0, 0.00, 0.00, 1950.00, 1950.00),
        (d(2), %2$s, 0.00, 0.00, 0.00, -50.00, 1, 1, 250.00, 0.00, 0.00, -300.00)$$, :a, :p),
            'a player''s days');
SELECT results_eq('SELECT day, external_ref, accounts, deposits, cash_in, cash_out, transfers_out, staked,
                          winnings, cash_in_24h, cash_out_24h, money_in_24h
                     FROM casino.person_day(d(1), d(2))',
                  $$VALUES
    (d(1), 'anna', 1::bigint, 20000.00, 20000.00, 0.00, 0.00, 2100.00, 3600.00, 20000.00, 0.00, 20000.00),
        (d(1), 'bob', 1, 5000.00, 0.00, 0.00, 0.00, 900.00, 1000.00, 0.00, 0.00, 5000.00),
    (d(2), 'anna', 1, 0.00, 0.00, 3000.00, 0.00, 0.00, 1950.00, 20000.00, 3000.00, 20000.00),
        (d(2), 'bob', 1, 0.00, 0.00, 0.00, 0.00, 250.00, 0.00, 0.00, 0.00, 0.00)$$,
    'a person''s days: the 24 hours before 08:00 of the second day have the deposit of 09:00 of the first');
-- exactly 24 hours apart are not within 24 hours; a microsecond less is (R9.4)
SELECT register_player('carl') AS c, register_player('dora') AS o \gset
SELECT deposit(:c, 6000, '1', at(5, '10:00'), 'cash'), deposit(:c, 7000, '2', at(6, '10:00'), 'cash'),
    deposit(:o, 6000, '1', at(5, '10:00:00.000001'), 'cash'),
        deposit(:o, 7000, '2', at(6, '10:00'), 'cash') \g /dev/null
SELECT results_eq('SELECT external_ref, cash_in, cash_in_24h FROM casino.person_day(d(6), d(6))',
                  $$VALUES ('carl', 7000.00, 7000.00), ('dora', 7000.00, 13000.00)$$,
                      'exactly 24 hours are not within them');
-- two accounts of one person are one person
SELECT request_withdrawal(:c, 10000, 'cash', 'w', at(6, '11:00')) AS w2 \gset
SELECT pay_withdrawal(:w2, at(6, '12:00')), request_withdrawal(:c, 3000, 'cash', 'w3',
                                                               at(8, '09:00')) AS w3 \gset
SELECT pay_withdrawal(:w3, at(8, '10:00')), close_account(:c, at(9, '13:00')),
    register_player('carl') AS c2 \gset
SELECT deposit(:c2, 500, '1', at(9, '14:00'), 'cash') \g /dev/null
SELECT results_eq('SELECT external_ref, accounts, cash_in, cash_out FROM casino.person_day(d(8), d(9))',
                  $$VALUES ('carl', 1::bigint, 0.00, 3000.00), ('carl', 1, 500.00, 0.00)$$,
                      'the new account is the same person''s');
SELECT is_empty($$SELECT * FROM casino.large_win(d(1), d(2))$$, 'no win of 100 000');

CREATE FUNCTION lines(player bigint, from_day date, to_day date) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT concat_ws(' ', line_no, to_char(at, 'HH24:MI:SS'), kind, table_name, round_ref, bet, change,
                     balance, result, grade, payout, reason)
                         FROM casino.player_statement(player, from_day, to_day) $$;
SELECT results_eq(format('SELECT * FROM lines(%s, d(1), d(1))', :a), $$VALUES ('0 00:00:00 opening 0.00'),
                  ('1 09:00:00 deposit 20000.00 20000.00'),
    ('2 10:01:00 stake R r1 red@1000.00 -1000.00 19000.00 lost lose 0.00'),
        ('3 10:01:00 stake R r1 straight:17@100.00 -100.00 18900.00 won win 3600.00'),
    ('4 10:05:00 payout R r1 straight:17@100.00 3600.00 22500.00 win'),
        ('5 11:00:30 stake R r2 red@200.00 -200.00 22300.00 refunded'),
    ('6 11:01:00 refund R r2 red@200.00 200.00 22500.00 cancelled'),
        ('7 12:01:00 stake R r3 even@400.00 -400.00 22100.00 refunded'),
    ('8 12:05:00 refund R r3 even@400.00 400.00 22500.00 voided'),
        ('9 13:01:00 stake B b1 banker@1000.00 -1000.00 21500.00 won win 1950.00'),
    ('10 23:00:00 withdrawal -3000.00 18500.00'), ('11 00:00:00 closing 18500.00 18500.00')$$,
        'a statement: opening first, closing last, each stake with what became of it');
SELECT results_eq(format('SELECT * FROM lines(%s, d(2), d(2))', :a), $$VALUES ('0 00:00:00 opening 18500.00'),
                  ('1 08:00:00 cash_paid 0.00 18500.00'),
                      ('2 09:00:00 payout B b1 banker@1000.00 1950.00 20450.00 win'),
    ('3 00:00:00 closing 1950.00 20450.00')$$, 'the next one opens where it closed');
SELECT results_eq(format('SELECT * FROM lines(%s, d(20), d(21))', :a),
                  $$VALUES ('0 00:00:00 opening 20450.00'), ('1 00:00:00 closing 0.00 20450.00')$$,
                      'of days without entries: both balances');
SELECT throws_ok('SELECT * FROM casino.player_statement(-1, d(1), d(1))', '23503', 'player -1 does not exist',
                 'nobody has no statement');

-- ------------------------------------------------------------------------------------------------
-- protection, events
SELECT set_limit(:p, 'stake', 'day', 500, at(2, '11:30')), set_limit(:p, 'stake', 'day', 800, at(2, '11:40')),
    exclude_player(:a, at(4, '00:00'), 'self', at(2, '12:00')),
        set_payment_account(:p, 'CZ1', at(2, '12:30')) \g /dev/null
SELECT add_game_table('roulette_synot', 'R2', 1, 10000) AS r2t \gset
SELECT open_round(:r2t, 's1', at(7, '10:00')) AS s1 \gset
SELECT place_bet(:s1, :o, 'red@100', 's1', at => at(7, '10:01')) \g /dev/null
SELECT settle_round(:s1, '{"number": 0}', at(7, '12:01')) \g /dev/null
CREATE FUNCTION protected(moment timestamptz)
RETURNS TABLE (line text)
LANGUAGE sql AS $$ SELECT concat_ws(' ', external_ref, protection, source, since, until, amount)
                     FROM casino.protection(moment) $$;
SELECT results_eq($$SELECT * FROM protected(at(2, '12:00'))$$,
                  $$VALUES ('anna exclusion self 2026-06-02 12:00:00+02 2026-06-04 00:00:00+02'),
                      ('bob limit stake a day 2026-06-02 11:30:00+02 2026-06-09 11:40:00+02 500.00')$$,
                  'exclusion, and a limit with the time a laxer one comes into effect');
SELECT results_eq($$SELECT * FROM protected(at(4, '00:00'))$$,
                  $$VALUES ('bob limit stake a day 2026-06-02 11:30:00+02 2026-06-09 11:40:00+02 500.00')$$,
                      'the exclusion is over');
SELECT results_eq($$SELECT * FROM protected(at(9, '11:40'))$$,
                  $$VALUES ('bob limit stake a day 2026-06-09 11:40:00+02 800.00')$$,
                      'the laxer limit is in force');
SELECT results_eq($$SELECT * FROM protected(at(7, '12:15:59.999'))
                  WHERE line LIKE '%break%'$$,
                      $$VALUES ('dora break betting sequence 2026-06-07 10:01:00+02 2026-06-07 '
                                '12:16:00+02')$$,
                      'a break after 120 minutes');
SELECT is_empty($$SELECT * FROM protected(at(7, '12:16'))
                WHERE line LIKE '%break%'$$, 'which ends 15 minutes after the evaluation');
SELECT is_empty($$SELECT * FROM protected(at(7, '12:00:59'))
                WHERE line LIKE '%break%'$$, 'and begins with it');
CREATE FUNCTION events(from_day date,
                       to_day date) RETURNS TABLE (line text) LANGUAGE sql AS $$ SELECT concat_ws(' ',
                               to_char(at, 'HH24:MI'), event, player_id, round_id, entry_no, amount, reason)
                                   FROM casino.significant_event(from_day, to_day) $$;
SELECT results_eq('SELECT * FROM events(d(1), d(1))',
                  format($$VALUES ('12:05 round voided %s 400.00 the ball left the wheel'),
                         ('13:05 winnings of a round withheld %s 1950.00 camera failed')$$, :r3, :b1),
                             'events of the first day');
SELECT results_eq('SELECT * FROM events(d(2), d(2))',
                  format($$VALUES ('09:00 winnings of a round released %4$s 1950.00'),
                         ('11:00 correction %2$s %3$s 7 -50.00 paid twice at the cage'),
                             ('11:30 limit set %2$s 500.00'), ('11:40 limit set %2$s 800.00'),
                                 ('12:00 exclusion: self %1$s'),
    ('12:30 payment account registered %2$s')$$, :a, :p, :r2, :b1), 'and of the second');
SELECT is((SELECT role FROM casino.significant_event(d(1), d(1)) LIMIT 1), current_user::text,
          'with who recorded them');
SELECT try_place_bets(:r4, :p, '{low@100000}', 'much', at => at(2, '13:00')) \g /dev/null
SELECT is((SELECT detail ->> 'code' FROM casino.significant_event(d(2), d(2))
           WHERE event = 'refused: place_bets'), 'KB002', 'refusals too');
SELECT results_eq('SELECT DISTINCT kind, about FROM casino.significant_event(d(2), d(2))
                    WHERE event ~ ''^refused''',
                  $$VALUES ('refused', 'place_bets')$$, 'kind and about, in two columns');
SELECT is_empty($$SELECT event FROM casino.significant_event(d(1), d(9))
    WHERE event <> concat_ws(': ', kind, about)$$,
                'which say the event');

-- ------------------------------------------------------------------------------------------ a round recalled
SELECT casino.game_recall(:r2) AS recalled \gset
SELECT is(:'recalled'::jsonb #>> '{document,number}', '4', 'the document as received');
SELECT is(:'recalled'::jsonb #>> '{corrections,0,reason}', 'paid twice at the cage',
          'the correction that names the round');
SELECT is((SELECT array_agg(concat_ws(' ', w ->> 'bet', w ->> 'status', w ->> 'payout', w ->> 'reason')
                            ORDER BY n)
             FROM jsonb_array_elements(:'recalled'::jsonb -> 'wagers') WITH ORDINALITY x (w, n)),
          '{"red@200.00 refunded cancelled","odd@300.00 lost 0.00"}', 'the wagers with what became of them');
SELECT is((:'recalled'::jsonb #>> '{times,opened}')::timestamptz, at(1, '11:00'), 'its times');
SELECT is(:'recalled'::jsonb #>> '{plan,bets,odd,pays,win,odds}', '1:1', 'the odds of the plan');
SELECT matches(:'recalled'::jsonb #>> '{plan,bets,odd,paragraph}', 'D4 Roulette', 'with their paragraph');
SELECT is(:'recalled'::jsonb #>> '{table,min_stake}', '1.00', 'the limits of the table');
SELECT set_table_limits(:r, 5, 500) \g /dev/null
SELECT is(casino.game_recall(:r2), :'recalled'::jsonb, 'the same after the table has got other limits');
SELECT throws_ok('SELECT casino.game_recall(-1)', '23503', 'round -1 does not exist', 'no such round');
SELECT add_game_table('blackjack_synot', 'J', 10, 1000) AS j \gset
SELECT open_round(:j, 'j1', at(10, '10:00')) AS j1 \gset
SELECT place_bet(:j1, :o, 'main@100', 'm', 1, at => at(10, '10:01')) \g /dev/null
SELECT close_betting(:j1, at(10, '10:02')) \g /dev/null
SELECT deal(:j1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 2d"}]}', at(10, '10:03')) \g /dev/null
SELECT place_bet(:j1, :o, 'double_down@100', 'dd', 1, at => at(10, '10:04')) \g /dev/null
SELECT settle_round(:j1, '{"dealer": "5h Tc 8d", "hands": [{"seat": 1, "cards": "9c 2d 4s"}]}',
                    at(10, '10:06')) \g /dev/null
SELECT is((SELECT array_agg(concat_ws(' ', w ->> 'bet', w ->> 'seat', w ->> 'status', w ->> 'payout')
                            ORDER BY n)
             FROM jsonb_array_elements(casino.game_recall(:j1) -> 'wagers') WITH ORDINALITY x (w, n)),
          '{"main@100.00 1 won 200.00","double_down@100.00 1 won 200.00"}',
              'decisions are wagers, in their order');
SELECT is(jsonb_array_length(casino.game_recall(:j1) -> 'deals'), 1, 'the deals as they came');

-- ----------------------------------------------------------------------------------------- who may read them
CREATE ROLE figures_compliance;
CREATE ROLE figures_nightly;
SELECT grant_access('figures_compliance', 'compliance'),
    grant_access('figures_nightly', 'nightly') \g /dev/null
CREATE FUNCTION asked(role text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    SELECT (SELECT count(*) FROM casino.daily_table('2026-06-01', '2026-06-02')) + (SELECT count(*)
            FROM casino.tax_base('2026-06-01', '2026-06-02')) + (SELECT count(*) FROM casino.liability())
         + (SELECT count(*) FROM casino.account_movements('2026-06-01', '2026-06-02')) + (SELECT count(*)
                 FROM casino.significant_event('2026-06-01', '2026-06-01'))
         + (SELECT count(*) FROM casino.player_statement(1, '2026-06-01', '2026-06-01')) + (SELECT count(*)
                 FROM casino.player_day('2026-06-01', '2026-06-02'))
         + (SELECT count(*) FROM casino.person_day('2026-06-01', '2026-06-02')) + (SELECT count(*)
                 FROM casino.large_win('2026-06-01', '2026-06-02', 900))
         + (SELECT count(*) FROM casino.protection('2026-06-07 12:05')) + (SELECT count(*)
                 FROM casino.payment_deadline('2026-06-02'))
         + (SELECT count(*) FROM jsonb_object_keys(casino.game_recall(1))) INTO n;
    RESET ROLE;
    RETURN n;
END $$;
-- 3 + 4 + 1 + 5 + 2 + 12 + 4 + 4 + 2 + (a limit and a break) 2 + 2 + 20 members
SELECT is(asked('figures_' || p), 61::bigint, p || ' reads all of them')
  FROM unnest('{compliance,nightly}'::text[]) p;
SELECT revoke_access('figures_compliance'), revoke_access('figures_nightly') \g /dev/null
DROP ROLE figures_compliance;
DROP ROLE figures_nightly;

-- ----------------------------------------------------------- cost: by the days asked for, not by the history
-- written past the trigger, as a restore does: 200 000 entries of 200
-- days, a thousand a day
SELECT register_player('many') AS many \gset
SET session_replication_role = replica;
INSERT INTO casino.ledger (player_id, entry_no, kind, amount, balance, posted_at, recorded_at, recorded_by)
SELECT :many, n, 'deposit', 1.00, n, t, t, (SELECT min(recorder_id) FROM casino.recorder)
  FROM generate_series(1, 200000) n,
      LATERAL (SELECT '2025-01-01 12:00'::timestamptz + (n / 1000) * interval '1 day'
                      + (n % 1000) * interval '1 second') x (t);
UPDATE casino.player SET balance = 200000, last_entry_no = 200000 WHERE player_id = :many;
SET session_replication_role = origin;
SELECT brin_summarize_new_values('casino.ledger_day') \g /dev/null
ANALYZE casino.ledger;
CREATE FUNCTION rows_read(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint; after bigint;
BEGIN
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) INTO before FROM pg_stat_xact_user_tables
     WHERE relid IN (SELECT b.relid FROM pg_partition_tree('casino.ledger') b);
    EXECUTE statement;
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) INTO after FROM pg_stat_xact_user_tables
     WHERE relid IN (SELECT b.relid FROM pg_partition_tree('casino.ledger') b);
    RETURN after - before;
END $$;
SELECT cmp_ok(casino.keep_day_totals(), '>', 200,
              'all days are kept, those anew into which entries were dated');
SELECT cmp_ok(rows_read(format('SELECT * FROM casino.%s', q)), '<', 12000::bigint,
              q || ' reads the entries of a day, of 200 000')
  FROM unnest(ARRAY[$$tax_base('2025-03-01', '2025-03-01')$$, $$player_day('2025-03-01', '2025-03-01')$$,
                    $$person_day('2025-03-01', '2025-03-01')$$, $$daily_table('2025-03-01', '2025-03-01')$$,
                    $$daily_table('2026-06-01', '2026-06-02')$$, $$large_win('2026-06-01', '2026-06-02')$$,
                        $$significant_event('2025-03-01', '2025-03-01')$$,
                    $$account_movements('2026-06-02', '2026-06-02')$$,
                        $$account_movements('2025-03-01', '2025-03-01')$$, $$liability(now())$$,
                            $$payment_deadline(now())$$, $$protection(now())$$]) q;
SELECT results_eq($$SELECT account, opening, debits, closing
                  FROM casino.account_movements('2025-03-01', '2025-03-01')
                      WHERE account IN ('cash_and_bank', 'player_wallets') ORDER BY 1$$,
    -- 1 January has entries 1 to 999, each later day a thousand: 59 days before 1 March
    $$VALUES ('cash_and_bank', 58999.00, 1000.00, 59999.00), ('player_wallets', -58999.00, 0.00, -59999.00)$$,
        'and is right');
-- an entry dated back into a day that is kept is not missed
SELECT deposit(:o, 11, 'back', at(10, '11:00')) \g /dev/null
SELECT is((SELECT closing FROM casino.account_movements(d(10), d(10)) WHERE account = 'player_wallets'),
          (SELECT balance - 0.00 FROM casino.trial_balance WHERE account = 'player_wallets'),
              'an entry dated back into a day that is kept is not missed');
SELECT cmp_ok(casino.keep_day_totals(), '>', 200, 'and the days are kept anew');
SELECT finish();
