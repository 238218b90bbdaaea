-- Stakes, winnings and cash of a person in windows of 24 hours (Act 253/2008; R7.92): both sides of the
-- window and of the figure aml_amount, all accounts together.
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
SELECT * FROM finish();
