-- How much a difference is, and for whom (R10.24): positive what the player has too much, negative what the
-- player lacks; the run has the sum.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();

SELECT is(casino_internal.difference_amount(c.check_name, c.rule, c.expected, c.found, c.detail::jsonb),
          c.amount,
          format('R10.24: %s %s: %s, %s', c.check_name, c.rule, c.expected, c.found))
  FROM (VALUES ('payout', 'wrong', '200.00 win', '300.00 win', '{}', 100.00),
        ('payout', 'missing', '720.00 win', 'no payout', '{}', -720.00),
               ('payout', 'twice', 'no payout', '200 win', '{}', 200),
                   ('payout', 'of_nothing', 'no payout', '100 win', '{}', 100),
               ('payout', 'error', 'the round can be evaluated', '55000: no rule', '{}', NULL),
               ('refund', 'missing', '20.00 returned', 'no refund', '{}', -20.00),
                   ('refund', 'twice', 'entry 4 alone', '50 late', '{}', 50),
               ('refund', 'not_due', 'no refund: the round is settled', '100', '{}', 100),
                   ('refund', 'amount', '50.00', '60.00 late', '{}', 10.00),
               ('wallet', 'wallet', '50.00', '55.00', '{}', 5.00),
                   ('wallet', 'balance', '55.00', '50.00', '{}', -5.00),
                       ('wallet', 'balance', '55.00', 'NaN', '{}', NULL),
               ('trial_balance', 'stake', '40.00', '100.00', '{}', -60.00),
                   ('trial_balance', 'accounts', '0.00', '5.00', '{}', NULL),
               ('winnings_overdue', 'overdue', 'paid before 2026-01-01', 'not paid', '{"amount": 70.5}',
                -70.5),
               ('winnings_overdue', 'overdue', 'paid before 2026-01-01', '2026-02-01 10:00:00+01',
                '{"amount": 70.5}', NULL),
               ('withdrawal_overdue', 'overdue', 'paid or cancelled before 2026-01-01', 'neither',
                '{"amount": 400}', -400),
               ('provider_amount', 'payout', '3700', '3600.00', '{}', -100.00),
                   ('provider_amount', 'stake', '1000', '1100.00', '{}', -100.00),
               ('provider_missing_here', 'payout', '1000', 'none', '{}', -1000),
                   ('provider_missing_here', 'stake', '500', 'none', '{}', 500),
               ('provider_missing_there', 'deposit', '5000.00', 'none', '{}', 5000.00),
                   ('provider_missing_there', 'stake', '500.00', 'none', '{}', -500.00),
               -- entries pay 400, figures say 200; entries took 100, figures say 101
               ('round_figures', 'paid', '400.00', '200.00', '{}', 200.00),
               ('round_figures', 'staked', '100.00', '101.00', '{}', 1.00),
               ('round_figures', 'wagers', '2', '1', '{}', NULL),
               ('round_figures', 'times', 'in order', 'open', '{}', NULL),
               ('correction', 'wager', '360.00', '60.00', '{"waived": 0.00, "open_claims": 0.00}', -300.00),
               ('correction', 'wager', '0.00', '500.00',
                '{"waived": 100.00, "open_claims": 150.00}', 250.00),
               ('correction', 'wager', '0.00', '100.00', '{"waived": 0.00, "open_claims": 150.00}', -50.00),
               ('correction', 'of_nothing', 'no correction', '-75.00', '{}', -75.00),
               ('correction', 'claim', 'no claim', '30.00', '{}', -30.00),
               ('correction', 'posted', '2 -100.00 0.00', '2 -60.00 40.00', '{}', 40.00),
               ('correction', 'figures', '2 1 100.00 360.00 settled', '2 1 100.00 300.00 settled', '{}',
                60.00),
               ('correction', 'figures', '2 1 100.00 360.00 settled', '2 1 settled', '{}', NULL),
               ('correction', 'approval', 'approved by a second person', 'by the one who proposed it', '{}',
                NULL),
               ('correction', 'error', 'the round can be evaluated', '55000: no rule', '{}', NULL),
               ('provider_missing_there', 'round', 'B b1', 'none', '{}', NULL),
                   ('late_stake', 'after_close', 'not after x', 'y', '{}', NULL))
       c (check_name, rule, expected, found, detail, amount);

SELECT casino.deposit(casino.register_player('amy'), 100, 'd', '2026-06-01 10:00') \g /dev/null
SELECT casino.deposit(casino.register_player('bea'), 100, 'd', '2026-05-01 10:00') \g /dev/null
CALL casino.nightly('2026-06-01');
SELECT results_eq('SELECT status, amount FROM casino.reconciliation', $$VALUES ('clean', NULL::numeric)$$,
                  'a clean night has no amount');
SELECT casino.keep_day_totals() \g /dev/null
ALTER TABLE casino.player DISABLE TRIGGER USER;
UPDATE casino.player SET balance = balance + 7.25 WHERE external_ref = 'amy';
UPDATE casino.player SET balance = balance - 3 WHERE external_ref = 'bea';
ALTER TABLE casino.player ENABLE TRIGGER USER;
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT results_eq($$SELECT p.external_ref, d.check_name, d.rule, d.expected, d.found, d.amount
                  FROM casino.difference d JOIN casino.player p USING (player_id)
                      WHERE d.check_name = 'wallet' ORDER BY 1$$,
    $$VALUES ('amy', 'wallet', 'wallet', '100.00', '107.25', 7.25),
        ('bea', 'wallet', 'wallet', '100.00', '97.00', -3.00)$$,
    'R10.23: both wallets, of a player of the day and of one who did not play, each with its amount');
SELECT is((SELECT amount FROM casino.reconciliation ORDER BY run_no DESC LIMIT 1), 4.25,
          'R10.24: and the run their sum');
-- one check again, after its cause is gone
ALTER TABLE casino.player DISABLE TRIGGER USER;
UPDATE casino.player SET balance = 100 WHERE external_ref = 'amy';
ALTER TABLE casino.player ENABLE TRIGGER USER;
CREATE ROLE amount_nightly;
SELECT casino.grant_access('amount_nightly', 'nightly');
SET ROLE amount_nightly;
SELECT is(casino.recheck(2, 'wallet'), 3::bigint, 'a check of a finished run is made again');
SELECT is(casino.recheck(2, 'payout'), 4::bigint, 'and another one');
RESET ROLE;
SELECT results_eq($$SELECT run_no, from_day, to_day, night, status, amount, repeats, repeated, done = total,
                  finished_at IS NOT NULL FROM casino.reconciliation WHERE run_no > 2 ORDER BY 1$$,
    $$VALUES (3::bigint, '2026-06-01'::date, '2026-06-01'::date, false, 'differences', -3.00, 2::bigint,
              'wallet', true, true),
             (4, '2026-06-01', '2026-06-01', false, 'clean', NULL, 2, 'payout', true, true)$$,
                 'each is a run of its own, of the same days');
SELECT is((SELECT count(*) FROM casino.difference WHERE run_no = 2 AND check_name = 'wallet'), 2::bigint,
          'the run before stays as it was');
SELECT throws_ok($$SELECT casino.recheck(99, 'wallet')$$, '23503', NULL, 'of a run that is not there');
SELECT throws_ok($$SELECT casino.recheck(2, 'wallets')$$, '22023', NULL, 'a check that does not exist');
SELECT throws_ok($$SELECT casino.recheck(2, NULL)$$, '22004', NULL, 'none');
SELECT throws_ok($$SELECT casino.recheck(NULL, 'wallet')$$, '22004', NULL, 'of none');
INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, status, step, done,
                                   total) VALUES (9, '2026-06-02', '2026-06-02', true, now(), 'running',
                                                  'indexes', 0, 31);
SELECT throws_ok($$SELECT casino.recheck(9, 'wallet')$$, '55000', NULL, 'of one that goes on');
SELECT casino.revoke_access('amount_nightly');
DROP ROLE amount_nightly;
SELECT casino.seal('2026-06-02') \g /dev/null
SELECT is_empty($$SELECT * FROM casino.verify() WHERE section = 'difference'$$, 'amounts are sealed');
ALTER TABLE casino.difference DISABLE TRIGGER USER;
UPDATE casino.difference SET amount = 0 WHERE amount = 7.25;
SELECT matches((SELECT string_agg(problem, ',') FROM casino.verify() WHERE section = 'difference'), 'changed',
               'a changed one is found');
SELECT * FROM finish();
