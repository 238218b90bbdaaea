-- Paid at once, or with a reason (D4 §11.1 "bez zbytečného odkladu", §11.2 b "bezodkladně, z omluvitelného
-- důvodu nejpozději do 60 dnů"; R7.70 to R7.72).
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SET search_path = public;
SELECT no_plan();
SELECT casino.register_player('anna') AS a \gset
SELECT casino.set_payment_account(:a, 'CZ01', '2026-01-01') \g /dev/null
SELECT casino.deposit(:a, 10000, at => '2026-01-01') \g /dev/null
SELECT casino.request_withdrawal(:a, 100, 'transfer', at => '2026-02-02 10:00') AS w1 \gset
SELECT casino.request_withdrawal(:a, 200, 'transfer', at => '2026-02-03 10:00') AS w2 \gset
SELECT results_eq($$ SELECT amount, prompt_until, needs_reason
    FROM casino.payment_deadline('2026-02-05 23:59:59.999999') ORDER BY amount $$,
                  $$ VALUES (100.00, timestamptz '2026-02-06 00:00', false), (200.00, '2026-02-07 00:00',
                      false) $$, 'R7.70: prompt to the end of the third day after the day of the request');
SELECT results_eq($$ SELECT amount, needs_reason FROM casino.payment_deadline('2026-02-06 00:00')
    ORDER BY amount $$, $$ VALUES (100.00, true), (200.00, false) $$, 'R7.70: then it needs a reason');
SELECT throws_ok(format($$ SELECT casino.excuse_delay(%s, 2, 'the bank', '2026-02-05 23:59:59.999999') $$,
    :a), '55000', NULL, 'R7.39: a reason is not taken before');
SELECT is(casino.excuse_delay(:a, 2, 'the bank', '2026-02-06 00:00'), 1, 'R7.39: from then on it is')
    FROM generate_series(1, 2);
SELECT results_eq($$ SELECT amount, needs_reason FROM casino.payment_deadline('2026-02-07 00:00')
    ORDER BY amount $$, $$ VALUES (100.00, false), (200.00, true) $$, 'what has a reason needs none');
SELECT results_eq($$ SELECT rule, entry_no,
                  found FROM casino_internal.check_no_reason('2026-02-06', '2026-02-08') $$,
    $$ VALUES ('withdrawal', 3::bigint, 'neither') $$, 'R7.72: the night lists what has none');
SELECT is_empty($$ SELECT * FROM casino_internal.check_no_reason('2026-02-01', '2026-02-06') $$,
    'R7.72: in the night in which that becomes so, not before');
SELECT casino.pay_withdrawal(:w1, '2026-02-10 10:00'), casino.pay_withdrawal(:w2, '2026-02-20 10:00')
    \g /dev/null
SELECT is((SELECT count(*) FROM casino.breach), 0::bigint, 'within sixty days: no breach');
SELECT is(casino.excuse_delay(:a, 3, 'the account was checked', '2026-02-21'), 1,
    'a reason for a payment made');
SELECT is_empty($$ SELECT * FROM casino_internal.check_no_reason('2026-02-01', '2026-03-01') $$,
                'explains it');
SELECT casino.request_withdrawal(:a, 300, 'transfer', at => '2026-02-21 10:00') AS w3 \gset
SELECT casino.pay_withdrawal(:w3, '2026-02-21 12:00') \g /dev/null
SELECT throws_ok(format($$ SELECT casino.excuse_delay(%s, 6, 'why', '2026-03-21') $$, :a), '55000', NULL,
    'a prompt payment has nothing to excuse');
SELECT results_eq($$ SELECT what, payments, median, percentile_95, longest, not_prompt, without_reason
    FROM casino.payment_times('2026-02-01', '2026-02-28') $$,
                  $$ VALUES ('withdrawal', 3::bigint, interval '8 days', interval '17 days',
                      interval '17 days', 2::bigint, 0::bigint) $$,
                      'how long payments took: 2 hours, 8 days, 17 days');
-- another figure, from a day on
SELECT throws_ok(format('SELECT casino.set_duty_rule(%s)', args), code, NULL, 'refused: ' || args)
  FROM (VALUES ($$'prompt_within', '3 weeks', '2026-04-01', '§11', 'x'$$, '23514'), ($$'prompt_within', NULL,
      '2026-04-01', '§11', 'x'$$, '22004'), ($$'no_such', '1', '2026-04-01', '§11', 'x'$$, '23514'),
               ($$'prompt_within', '1 day', 'infinity', '§11', 'x'$$, '22008')) v (args, code);
SELECT lives_ok($$ SELECT casino.set_duty_rule('prompt_within', '1 day', '2026-04-01', 'D4 §11.2 b)',
    'rules of the cash desk 4/2026') $$, 'R7.70: another figure, twice') FROM generate_series(1, 2);
SELECT is(casino.prompt_until('2026-03-31 23:00'), '2026-04-04 00:00'::timestamptz,
    'R7.70: a request before that is judged by the old one');
SELECT is(casino.prompt_until('2026-04-01 00:00'), '2026-04-03 00:00'::timestamptz,
    'R7.70: a request since by the new one');
SET casino.clock_skew = 5;
SELECT throws_ok($$ SELECT casino.set_duty_rule('prompt_within', '2 days', '2026-05-01', 'D4 §11.2 b)',
    'x') $$, 'KL005', NULL, 'not dated back');
SET casino.clock_skew = -1;
SELECT throws_ok($$ UPDATE casino.duty_rule SET value = '9 days' $$, 'KL001', NULL, 'append-only');
-- winnings withheld
SELECT casino.open_round(casino.add_game_table('roulette_american', 'wheel', 10, 1000), 'r1',
    '2026-05-04 12:00') AS r1 \gset
SELECT casino.place_bet(:r1, :a, 'red@100', at => '2026-05-04 12:00') \g /dev/null
SELECT casino.settle_round(:r1, '{"number": 32}', '2026-05-04 12:01', true) \g /dev/null
SELECT is((SELECT needs_reason FROM casino.payment_deadline('2026-05-06 00:00') WHERE what = 'winnings'),
    true, 'R7.71: withheld without a reason: one is needed');
SELECT is((SELECT string_agg(rule, ',') FROM casino_internal.check_no_reason('2026-05-04', '2026-05-07')),
          'winnings',
    'R7.72: and the night says so');
SELECT casino.pay_withheld(:r1, '2026-05-07 12:00') \g /dev/null
SELECT casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'wheel'), 'r2',
    '2026-05-08 12:00') AS r2 \gset
SELECT casino.place_bet(:r2, :a, 'red@100', at => '2026-05-08 12:00') \g /dev/null
SELECT casino.settle_round(:r2, '{"number": 32}', '2026-05-08 12:01', true, 'the police asked') \g /dev/null
SELECT is((SELECT needs_reason FROM casino.payment_deadline('2026-05-20 00:00') WHERE what = 'winnings'),
    false, 'R7.71: why it is withheld is a reason');
SELECT is_empty($$ SELECT * FROM casino_internal.check_no_reason('2026-05-08', '2026-05-20') $$,
    'and the night finds nothing');
SELECT * FROM finish();
