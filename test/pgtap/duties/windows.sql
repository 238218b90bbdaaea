-- Stakes, winnings and cash of a person in windows of 24 hours (Act 253/2008; R7.92), and of another length
-- (R9.50): both sides of the window and of the figure aml_amount, all accounts together.
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE FUNCTION t.day(p bigint, on_day date) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s %s %s', d.staked_24h, d.won_24h, d.reached)
      FROM casino.person_day(on_day, on_day) d
      JOIN casino.player q ON q.external_ref = d.external_ref
     WHERE q.player_id = p $$;

SELECT t.player(at => '2026-01-01 00:00') AS p \gset
-- two stakes in one window, over midnight
SELECT t.play(:p, 'M1', '2026-05-31 23:00', '2026-05-31 23:01', 2500) \g /dev/null
SELECT t.play(:p, 'M1', '2026-06-01 10:00', '2026-06-01 10:01', 2500, true) \g /dev/null
SELECT is(t.day(:p, '2026-06-01'), '5000.00 5000.00 {}', 'R7.92: staked_24h over midnight, won_24h');
SELECT is(t.day(:p, '2026-05-31'), '2500.00 0.00 {}', 'R7.92: ... of the day before');
SELECT t.play(:p, 'M1', '2026-06-01 23:00', '2026-06-01 23:01', 100) \g /dev/null
SELECT is(t.day(:p, '2026-06-01'), '5000.00 5000.00 {}', 'R7.92: a stake exactly 24 hours before is outside');
SELECT t.play(:p, 'M1', '2026-06-03 10:00', '2026-06-03 10:01', 300) \g /dev/null
SELECT t.play(:p, 'M1', '2026-06-04 09:59:59.999999', '2026-06-04 10:01', 300) \g /dev/null
SELECT is(t.day(:p, '2026-06-04'), '600.00 0.00 {}', 'R7.92: a microsecond less is inside');

-- the figure: 40 000 CZK until another one is set
SELECT is((SELECT DISTINCT d.threshold FROM casino.person_day('2026-06-01', '2026-06-04') d), 40000::numeric,
          'R7.92: the figure');
SELECT t.player(0) AS q \gset
SELECT casino.deposit(:q, amount, method => 'cash', at => t.at(at))
  FROM (VALUES (39999.99, '2026-06-05 10:00'), (0.01, '2026-06-05 11:00')) v (amount, at) \g /dev/null
SELECT is(t.day(:q, '2026-06-05'), '0.00 0.00 {cash_in,money_in}', 'R7.92: exactly the figure is marked');
SELECT t.player(0) AS r \gset
SELECT casino.deposit(:r, 39999.99, method => 'cash', at => t.at('2026-06-05 10:00')) \g /dev/null
SELECT is(t.day(:r, '2026-06-05'), '0.00 0.00 {}', 'R7.92: a haléř less is not');
SELECT casino.set_duty_rule('aml_amount', '300', '2026-06-06', 'Act 253/2008', 'rules of the house')
    \g /dev/null
SELECT t.play(:p, 'M1', '2026-06-06 10:00', '2026-06-06 10:01', 300, true) \g /dev/null
SELECT is(t.day(:p, '2026-06-06'), '300.00 600.00 {staked,won}',
          'R7.92: by the figure in force at the entry: stakes and winnings');
SELECT is(t.day(:p, '2026-06-04'), '600.00 0.00 {}', 'R7.92: days before keep theirs');
-- what goes back was not staked
SELECT t.stake(:p, 'M1', '2026-06-08 10:00', 300, 'gone') AS x \gset
SELECT casino.cancel_bet(:x, :p, 'gone', t.at('2026-06-08 10:01')) \g /dev/null
SELECT is((SELECT d.staked FROM casino.person_day('2026-06-08', '2026-06-08') d), 0.00,
          'R7.92: a stake that went back does not count');
-- another account of the person
SELECT p.external_ref AS ref FROM casino.player p WHERE p.player_id = :r \gset
SELECT casino.adjust(:r, -39999.99, 'emptied', at => t.at('2026-06-09 08:00')),
       casino.close_account(:r, t.at('2026-06-09 09:00')) \g /dev/null
SELECT casino.register_player(:'ref') AS s \gset
SELECT casino.deposit(:s, 200, method => 'cash', at => t.at('2026-06-10 10:00')) \g /dev/null
SELECT casino.set_duty_rule('aml_amount', '500', '2026-06-11', 'Act 253/2008', 'rules of the house')
    \g /dev/null
SELECT is((SELECT d.reached FROM casino.person_day('2026-06-10', '2026-06-10') d
            WHERE d.external_ref = :'ref'),
          '{}', 'R7.92: 200 CZK are below 300');
SELECT throws_ok($$SELECT casino.set_duty_rule('aml_amount', '0', '2026-07-01', 'x', 'x')$$, '23514', NULL,
                 'no figure: 0');
-- ---------------------------------------------------------------- another length (R9.50)
CREATE FUNCTION t.window(on_day date, to_day date, span interval, at_least numeric DEFAULT NULL)
RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('%s %s of %s, %s to %s', w.what, w.amount, w.entries,
                  w.first_at AT TIME ZONE 'Europe/Prague', w.last_at AT TIME ZONE 'Europe/Prague')
      FROM casino.person_window(on_day, to_day, span, at_least) w $$;
SELECT t.player(0) AS w \gset
SELECT casino.deposit(:w, amount, method => method, at => t.at(at))
  FROM (VALUES (10000, 'cash', '2026-07-01 12:00'), (10000, 'cash', '2026-07-04 12:00'),
               (10000, 'card', '2026-07-06 12:00'), (10000, 'cash', '2026-07-08 12:00'))
       v (amount, method, at) \g /dev/null
-- from 8 July 12:00 back: 168 hours leave 1 July 12:00 out, a second more takes it in
SELECT results_eq($$SELECT t.window('2026-07-08', '2026-07-08', '7 days', 0.01)$$,
                  $$VALUES ('money_in 30000.00 of 3, 2026-07-04 12:00:00 to 2026-07-08 12:00:00'),
                           ('cash_in 20000.00 of 2, 2026-07-04 12:00:00 to 2026-07-08 12:00:00')$$,
                  'R9.50: 7 days; an entry exactly so long before is outside');
SELECT results_eq($$SELECT t.window('2026-07-08', '2026-07-08', '168 hours 1 second', 0.01)$$,
                  $$VALUES ('money_in 40000.00 of 4, 2026-07-01 12:00:00 to 2026-07-08 12:00:00'),
                           ('cash_in 30000.00 of 3, 2026-07-01 12:00:00 to 2026-07-08 12:00:00')$$,
                  'R9.50: a second longer it is inside');
-- each day alone is far below the sum of the days
SELECT is((SELECT max(d.money_in_24h) FROM casino.person_day('2026-07-01', '2026-07-31') d), 10000.00,
          'R9.50: what windows of a day do not show');
SELECT results_eq($$SELECT t.window('2026-07-01', '2026-07-31', '7 days', 30000)$$,
                  $$VALUES ('money_in 30000.00 of 3, 2026-07-01 12:00:00 to 2026-07-06 12:00:00')$$,
                  'R9.50: of a month the greatest window, at least so much; of two the earlier one');
SELECT is_empty($$SELECT t.window('2026-07-01', '2026-07-31', '7 days', 30000.01)$$, 'R9.50: a haléř more');
-- stakes, each until it goes back, and winnings
SELECT t.play(:w, 'M1', '2026-07-09 10:00', '2026-07-09 10:01', 300, true) \g /dev/null
SELECT t.play(:w, 'M1', '2026-07-11 10:00', '2026-07-11 10:01', 200) \g /dev/null
SELECT t.stake(:w, 'M1', '2026-07-12 10:00', 50, 'back') AS y \gset
SELECT casino.cancel_bet(:y, :w, 'back', t.at('2026-07-12 10:01')) \g /dev/null
SELECT casino.request_withdrawal(:w, amount, method, at => t.at(at))
  FROM (VALUES (5000, 'cash', '2026-07-12 12:00'), (6000, 'cash', '2026-07-13 12:00:01'))
       v (amount, method, at) \g /dev/null
SELECT casino.pay_withdrawal(p.withdrawal_id, t.at('2026-07-13 12:01')) FROM casino.pending_withdrawals p
 WHERE p.player_id = :w AND p.amount = 5000 \g /dev/null
SELECT casino.pay_withdrawal(p.withdrawal_id, t.at('2026-07-14 12:01')) FROM casino.pending_withdrawals p
 WHERE p.player_id = :w AND p.amount = 6000 \g /dev/null
SELECT results_eq($$SELECT w FROM t.window('2026-07-09', '2026-07-15', '10 days', 1) w
                     WHERE w !~ '_in '$$,
                  $$VALUES ('cash_out 11000.00 of 2, 2026-07-13 12:01:00 to 2026-07-14 12:01:00'),
                           ('won 600.00 of 1, 2026-07-09 10:01:00 to 2026-07-09 10:01:00'),
                           ('staked 550.00 of 3, 2026-07-09 10:00:00 to 2026-07-12 10:00:00')$$,
                  'R9.50: stakes, winnings and cash out');
SELECT throws_ok(format('SELECT * FROM casino.person_window(%L, %L, %L)', f, f, s), code, NULL,
                 format('R9.50: %s of %s', s, f))
  FROM (VALUES ('2026-07-01', '0', '22023'), ('2026-07-01', '-1 day', '22023'),
               ('2026-07-01', '366 days 1 second', '22023'), (NULL, '1 day', '22004'),
               ('2026-07-01', NULL, '22004')) v (f, s, code);
SELECT lives_ok($$SELECT * FROM casino.person_window('2026-07-01', '2026-07-31', '366 days')$$, '366 days');

-- ---------------------------------------------------------------- a threshold in EUR (R9.51)
SELECT casino.set_duty_rule(name, value, t.at(at), 'Act 253/2008', 'rules of the house')
  FROM (VALUES ('aml_euro', '2', '2026-08-02'), ('euro_rate', '24.315', '2026-08-03'),
               ('aml_euro', '0', '2026-08-04')) v (name, value, at) \g /dev/null
SELECT t.player(0) AS e \gset
SELECT casino.deposit(:e, amount, method => 'card', at => t.at(at))
  FROM (VALUES (39.99, '2026-08-01 23:00'), (39.99, '2026-08-02 23:30'), (0.01, '2026-08-02 23:40'),
               (48.62, '2026-08-03 23:50'), (0.01, '2026-08-03 23:55'), (48.64, '2026-08-05 12:00'))
       v (amount, at) \g /dev/null
SELECT results_eq($$SELECT d.day, d.threshold, d.money_in_24h, d.reached
                      FROM casino.person_day('2026-08-01', '2026-08-05') d$$,
                  $$VALUES ('2026-08-01'::date, 500::numeric, 39.99, '{}'::text[]),
                           ('2026-08-02', 40, 40.00, '{money_in}'),
                           ('2026-08-03', 48.630, 48.63, '{money_in}'),
                           ('2026-08-05', 500, 48.64, '{}')$$,
                  'R9.51: in EUR, without a rate at 20, at 24.315, and in CZK again');
SELECT results_eq($$SELECT w.threshold, w.amount
                      FROM casino.person_window('2026-08-03', '2026-08-05', '1 day') w$$,
                  'VALUES (48.630, 48.63)', 'R9.51: a window by the threshold at its last entry');
SELECT throws_ok(format($$SELECT casino.set_duty_rule(%L, %L, '2027-07-01', 'x', 'x')$$, n, v), '23514', NULL,
                 format('R9.51: no figure: %s %s', n, v))
  FROM (VALUES ('euro_rate', '0'), ('euro_rate', '24,3'), ('euro_rate', '24.3155'),
               ('aml_euro', '-1')) w (n, v);
SELECT * FROM finish();
