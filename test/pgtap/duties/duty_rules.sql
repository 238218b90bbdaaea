-- Figures of the duties as dated data (D4 general part; R7.80 to R7.83): each event is judged by the figure
-- in force at its time, then and later, by the stake, by a plain INSERT, by explain_break() and by the night.
\ir ../helpers/compliance.psql
SELECT no_plan();

SELECT results_eq(
  $$ SELECT name, value, paragraph FROM casino.duty_rule WHERE valid_from = '-infinity' ORDER BY name $$,
  $$ VALUES ('aml_amount', '40000', 'Act 253/2008'),
            ('break_minutes', '15', 'D4 §8.3'), ('cash_amount', '10000', 'D4 §11.2 a'),
            ('cash_window', '24 h', 'D4 §11.2 a'), ('laxer_limit_days', '7', 'D4 §6.5'),
            ('live_tables', '1', 'D4 §8.2'), ('panic_hours', '48', 'D4 §6.2'),
            ('prompt_within', '3 days', 'D4 §11.1, §11.2 b)'), ('register_check', '0 h', 'R7.76'),
            ('retention_years', '10', 'Act 253/2008 §16'),
            ('sequence_minutes', '120', 'D4 §8.3'),
            ('stuck_round', '1 h', 'R7.82'), ('winnings_days', '30', 'D4 §11.1'),
            ('withdrawal_days', '60', 'D4 §11.2 b') $$,
  'R7.80: the figures of D4, from the beginning of time');

-- ---------------------------------------------- which figures are taken (R7.81, R7.83)
SELECT is(t.verdict(format('SELECT casino.set_duty_rule(%L, %L, ''2026-09-01'', ''D4'', ''x'')', name,
    value)), verdict,
          format('R7.81: %s = %s is %s', name, value, verdict))
  FROM (VALUES ('sequence_minutes', '240', 'ok'), ('sequence_minutes', '241', '23514'),
               ('sequence_minutes', '0', '23514'), ('sequence_minutes', '-1', '23514'),
               ('sequence_minutes', '1.5', '23514'), ('sequence_minutes', '99999999999', '23514'),
               ('break_minutes', '60', 'ok'), ('break_minutes', '61', '23514'), ('live_tables', '2', '23514'),
               ('live_tables', '1', 'ok'), ('cash_amount', '1', 'ok'), ('cash_amount', '9999.50', '23514'),
               ('cash_window', '48 hours', 'ok'), ('cash_window', '48', '23514'),
               ('winnings_days', '365', 'ok'), ('winnings_days', '366', '23514'),
               ('stuck_round', '30 min', 'ok'), ('stuck_round', '1 week', '23514'),
               ('no_such', '1', '23514')) v (name, value, verdict);
SELECT is(t.verdict(format('INSERT INTO casino.duty_rule VALUES (%s, now())', columns)), verdict,
          'plain INSERT: ' || columns)
  FROM (VALUES ($$'break_minutes', '2026-09-01', '20', 'D4', 'x'$$, 'ok'),
               ($$'break_minutes', '2026-09-01', '99', 'D4', 'x'$$, '23514'),
               ($$'break_minutes', 'infinity', '20', 'D4', 'x'$$, '23514'),
               ($$'break_minutes', '2026-09-01', '20', ' ', 'x'$$, '23514'),
               ($$'break_minutes', '2026-09-01', '20', 'D4', ''$$, '23514')) v (columns, verdict);
SET casino.clock_skew = 5;
SELECT is(t.verdict($$ INSERT INTO casino.duty_rule VALUES ('break_minutes', now() - interval '1 minute',
    '20', 'D4', 'x', now()) $$),
          'KL005', 'R7.83: not dated back, by INSERT');
SELECT is(t.verdict($$ SELECT casino.set_duty_rule('break_minutes', '20', now() - interval '1 minute', 'D4',
    'x') $$),
          'KL005', 'R7.83: nor by the function');
SELECT is(t.verdict($$ SELECT casino.set_duty_rule('break_minutes', '20', now() + interval '1 minute', 'D4',
    'x');
                       SET CONSTRAINTS casino.in_time IMMEDIATE $$),
          'ok', 'R7.83: taken where it is committed before it is to hold');
SELECT is(t.verdict($$ SELECT casino.set_duty_rule('break_minutes', '20',
    clock_timestamp() + interval '0.1 s', 'D4', 'x');
                       SELECT pg_sleep(0.2);
                       SET CONSTRAINTS casino.in_time IMMEDIATE $$),
          'KL005', 'R7.83: refused where it would be in force before the commit');
SET casino.clock_skew = -1;
SELECT is(t.verdict('DELETE FROM casino.duty_rule'), 'KL001', 'append-only');

-- ---------------------------------------------- §8.3: another length, another break, from 10 June on
CREATE TABLE t.s AS SELECT t.player() AS before, t.player() AS after, t.player() AS less, t.player() AS over,
       t.player() AS second, t.player() AS night;
-- the figures are kept by the session: read before, rolled back, and written
SELECT is(t.verdict(format('SELECT casino.place_bet(%s, %s, ''red@10'', at => %L)', t.round('S2',
    '2026-06-09 09:00'), before,
                           t.at('2026-06-09 09:00'))), 'ok', 'a stake') FROM t.s;
SELECT casino.void_round(t.round('S2', '2026-06-09 09:00'), 'swept', t.at('2026-06-09 09:00')) \g /dev/null
SELECT t.run(before, t.at('2026-06-09 10:00'), '60 minutes') FROM t.s \g /dev/null
SELECT t.run(after, t.at('2026-06-10 10:00'), '60 minutes') FROM t.s \g /dev/null
SELECT t.run(less, t.at('2026-06-10 12:00'), '59 minutes 59.999999 seconds') FROM t.s \g /dev/null
SELECT is(t.may(after, 'A1', '2026-06-10 11:00'), 'ok', 'no figure is set yet: 60 minutes ask for no break')
    FROM t.s;
SELECT is(t.verdict(format($$ SELECT casino.set_duty_rule('sequence_minutes', '60', '2026-06-10', 'D4/2 §8.3',
    'x');
                              DO
                                  'BEGIN IF t.may(%s, ''A1'', ''2026-06-10 11:00'') <> ''KC001'' THEN
                                       RAISE EXCEPTION ''old''; END IF; END' $$, after)),
          'ok', 'R7.80: a new figure holds at once in its own transaction') FROM t.s;
SELECT is(t.may(after, 'A1', '2026-06-10 11:00'), 'ok', 'R7.80: and no longer when that is rolled back')
    FROM t.s;
SELECT casino.set_duty_rule('sequence_minutes', '60', t.at('2026-06-10 00:00'), 'D4/2 §8.3',
    'D4 of June 2026'),
       casino.set_duty_rule('break_minutes', '20', t.at('2026-06-10 00:00'), 'D4/2 §8.3', 'D4 of June 2026'),
       casino.set_duty_rule('live_tables', '1', t.at('2026-06-10 00:00'), 'D4/2 §8.2', 'D4 of June 2026')
  FROM generate_series(1, 2) \g /dev/null
SELECT is(t.may(before, 'A1', '2026-06-09 11:00'), 'ok', 'R7.80: on 9 June 60 minutes ask for no break')
    FROM t.s;
SELECT is(t.may(after, 'A1', '2026-06-10 11:00'), 'KC001', 'R7.80: on 10 June 60:00 do') FROM t.s;
SELECT is(t.may(less, 'A1', '2026-06-10 13:00'), 'ok', 'R7.80: 59:59.999999 do not') FROM t.s;
SELECT is(t.may(after, 'A1', '2026-06-10 11:19:59.999999'), 'KC001',
    'R7.80: a break of 19:59.999999 is too short') FROM t.s;
SELECT is(t.may(after, 'A1', '2026-06-10 11:20'), 'ok', 'R7.80: one of 20:00 is long enough') FROM t.s;
SELECT alike(t.detail(format('SELECT t.stake(%s, ''A1'', ''2026-06-10 11:10'')', after)),
             '% was 60:00 minutes long at the last evaluation at 2026-06-10 11:00:00+02; '
             'allowed again at 2026-06-10 11:20:00+02 (D4/2 §8.3).',
             'R7.80: the message has the figures, and cites the paragraph in force') FROM t.s;
SELECT is(t.explained(p, m), e, format('R7.80: explain_break at %s', m))
  FROM t.s, LATERAL (VALUES (before, '2026-06-09 11:00', 'ok'), (after, '2026-06-10 11:00', 'KC001'),
                            (after, '2026-06-10 11:19:59.999999', 'KC001'), (after, '2026-06-10 11:20', 'ok'),
                            (less, '2026-06-10 13:00', 'ok')) v (p, m, e);
SELECT is((SELECT format('%s until %s', e.why, e.until) FROM casino.explain_break(after,
    t.at('2026-06-10 11:00')) e),
          'the betting sequence is at least 60 minutes long: a break of 20 minutes is due (D4/2 §8.3) until '
          '2026-06-10 11:20:00+02',
          'R7.80: and why') FROM t.s;
-- over the change: a sequence of 70 minutes that ends at midnight
SELECT t.run(over, t.at('2026-06-09 22:49:30'), '70 minutes') FROM t.s \g /dev/null
SELECT is(t.may(over, 'A1', '2026-06-09 23:59:59.999999'), 'ok',
    'R7.80: the last microsecond of the old figure') FROM t.s;
SELECT is(t.may(over, 'A1', '2026-06-10 00:00'), 'KC001', 'R7.80: the first of the new one') FROM t.s;
SELECT is(t.may(over, 'A1', '2026-06-10 00:15'), 'KC001', 'R7.80: and its break') FROM t.s;
SELECT is(t.may(over, 'A1', '2026-06-10 00:19:30'), 'ok', 'R7.80: 20 minutes after the evaluation') FROM t.s;
-- §8.2 cites its version
SELECT t.stake(second, 'A1', '2026-06-10 09:00') FROM t.s \g /dev/null
SELECT matches(t.detail(format('SELECT t.stake(%s, ''E1'', ''2026-06-10 09:01'')', second)),
    'not evaluated \(D4/2 §8\.2\)\.$',
               'R7.80: KC002 cites the paragraph in force') FROM t.s;
SELECT t.settle('A1', '2026-06-10 09:05') \g /dev/null
-- a stake allowed by the old figure is a difference once a smaller one is put before it: the night asks
SELECT t.run(night, t.at('2026-06-05 10:00'), '90 minutes'), t.play(night, 'A1', '2026-06-05 11:35',
    '2026-06-05 11:40') FROM t.s \g /dev/null
SELECT is_empty($$ SELECT * FROM casino_internal.check_break('2026-06-05', '2026-06-05') $$,
    'R7.80: 95 minutes on 5 June were no breach');
SELECT is((SELECT bool_or(break_due) FROM casino.betting_sequence q WHERE q.player_id = night
    AND q.started_at < t.at('2026-06-06 00:00')), false,
          'R7.80: betting_sequence knows the figure of the day') FROM t.s;
BEGIN;
SELECT casino.set_duty_rule('sequence_minutes', '90', t.at('2026-06-05 00:00'), 'D4', 'x') \g /dev/null
SELECT results_eq($$ SELECT rule, expected FROM casino_internal.check_break('2026-06-05', '2026-06-05') $$,
                  $$ VALUES ('break', 'no stake before 2026-06-05 11:45:00+02') $$,
                      'R7.80: with a figure of 90 the night finds it');
ROLLBACK;
BEGIN;
SELECT casino.set_duty_rule('break_minutes', '5', t.at('2026-06-05 00:00'), 'D4', 'x') \g /dev/null
SELECT is((SELECT count(*) FROM casino.betting_sequence q WHERE q.player_id = night
    AND q.started_at < t.at('2026-06-06 00:00')), 2::bigint,
          'R7.80: with a break of 5 minutes they are two sequences') FROM t.s;
SELECT is_empty($$ SELECT * FROM casino_internal.check_break('2026-06-05', '2026-06-05') $$,
                'R7.80: and no breach');
ROLLBACK;
SELECT is_empty($$ SELECT * FROM casino_internal.check_break('2026-06-01', '2026-06-11') $$,
    'R7.80: no breach on the days of the change');
SELECT ok(t.sequence_is_right(p), 'R7.80: the row fits the ledger') FROM t.s, unnest(ARRAY[before,
    after, less, over, second, night]) p;
SELECT is((SELECT count(*) FROM casino.protection(t.at('2026-06-10 11:19:59')) x WHERE x.player_id = after
    AND x.protection = 'break'), 1::bigint,
          'R7.80: protection() knows the longer break') FROM t.s;

-- ---------------------------------------------- §11.2 a: 5 000 CZK in 12 hours from 1 July on
SELECT casino.set_duty_rule('cash_amount', '5000', t.at('2026-07-01 00:00'), 'D4/2 §11.2 a', 'x'),
       casino.set_duty_rule('cash_window', '12 h', t.at('2026-07-01 00:00'), 'D4/2 §11.2 a', 'x') \g /dev/null
CREATE TABLE t.c AS SELECT t.player() AS a, t.player() AS b;
CREATE FUNCTION t.cash(p bigint, amount numeric, asked text, paid text) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT casino.pay_withdrawal(casino.request_withdrawal(%s, %s, ''cash'', at => %L), %L)',
        p, amount, t.at(asked), t.at(paid)) $$;
SELECT is(t.verdict(t.cash(a, amount, asked, paid)), verdict, format('R7.80: %s asked for at %s, paid at %s',
    amount, asked, paid))
  FROM t.c, (VALUES (10000, '2026-06-30 23:59:59.999999', '2026-06-30 23:59:59.999999', 'ok'),
                    (10000.01, '2026-06-30 23:59:59.999999', '2026-06-30 23:59:59.999999', 'KC003'),
                    (5000, '2026-07-01 00:00', '2026-07-01 00:00', 'ok'),
                    (5000.01, '2026-07-01 00:00', '2026-07-01 00:00', 'KC003'),
                    (5000.01, '2026-06-30 23:00', '2026-07-01 00:00', 'KC003')) v (amount, asked, paid,
                        verdict);
SELECT is(t.detail(t.cash(a, 5000.01, '2026-07-01', '2026-07-01')),
    'The request could never be paid (D4/2 §11.2 a).',
          'R7.80: KC003 cites the paragraph in force') FROM t.c;
SELECT t.verdict(t.cash(a, 1, '2026-07-01', '2026-07-01')) FROM t.c \g /dev/null
DO $$ BEGIN EXECUTE t.cash((SELECT a FROM t.c), 5000, '2026-07-02 08:00', '2026-07-02 08:00'); END $$;
SELECT is(t.verdict(t.cash(a, 1, '2026-07-02 19:59:59.999999', '2026-07-02 19:59:59.999999')), 'KC003',
    'R7.80: 12 hours are not over') FROM t.c;
SELECT is(t.verdict(t.cash(a, 1, '2026-07-02 20:00', '2026-07-02 20:00')), 'ok', 'R7.80: 12 hours are over')
    FROM t.c;
DO $$ BEGIN EXECUTE t.cash((SELECT b FROM t.c), 9000, '2026-06-15 08:00', '2026-06-15 08:00'); END $$;
-- another person, within the same 24 hours: together they have more than the maximum of one
DO $$ BEGIN EXECUTE t.cash(t.player(), 8999, '2026-06-15 07:00', '2026-06-15 07:00'); END $$;
SELECT is_empty($$ SELECT * FROM casino_internal.check_cash_limit('2026-06-01', '2026-07-31') $$,
    'R7.80: the night judges each by its day, and each person''s cash alone (D4 §11.2 a)');
BEGIN;
SELECT casino.set_duty_rule('cash_amount', '8999', t.at('2026-06-15 00:00'), 'D4', 'x') \g /dev/null
SELECT results_eq($$ SELECT rule, expected,
                  found FROM casino_internal.check_cash_limit('2026-06-01', '2026-07-31') $$,
                  $$ VALUES ('cash_24_hours', 'at most 8999.00 in 24 hours', '9000.00') $$,
                      'R7.80: and finds what a figure of its day forbids');
ROLLBACK;
SELECT t.verdict('SELECT 1') \g /dev/null
SELECT casino.adjust(a, -(SELECT balance FROM casino.player WHERE player_id = a), 'emptied',
    at => t.at('2026-07-02 08:00')) FROM t.c \g /dev/null
SELECT is(t.verdict(format('SELECT casino.close_account(%s, %L)', a, t.at(m))), v,
    format('R7.80: the account may be closed at %s', m))
  FROM t.c, (VALUES ('2026-07-02 19:59:59.999999', '55000'), ('2026-07-02 20:00', 'ok')) x (m, v);

-- ---------------------------------------------- §11.1, §11.2 b: 10 and 20 days from 1 August on
SELECT casino.set_duty_rule('winnings_days', '10', t.at('2026-08-01 00:00'), 'D4/2 §11.1', 'x'),
       casino.set_duty_rule('withdrawal_days', '20', t.at('2026-08-01 00:00'), 'D4/2 §11.2 b', 'x')
           \g /dev/null
CREATE TABLE t.w AS SELECT t.player() AS old, t.player() AS new;
SELECT casino.set_payment_account(p, 'CZ1', '2026-01-02') FROM t.w, unnest(ARRAY[old, new]) p \g /dev/null
SELECT t.stake(old, 'M1', '2026-07-31 23:59:59.999999'), t.stake(new, 'M2', '2026-07-31 23:59:59.999999')
    FROM t.w \g /dev/null
SELECT t.settle('M1', '2026-07-31 23:59:59.999999', true, true), t.settle('M2', '2026-08-01 00:00', true,
    true) \g /dev/null
SELECT casino.request_withdrawal(old, 10, 'transfer', at => t.at('2026-07-31 23:59:59.999999')),
       casino.request_withdrawal(new, 10, 'transfer', at => t.at('2026-08-01 00:00')) FROM t.w \g /dev/null
SELECT results_eq($$ SELECT what, d.player_id = w.new, due_at FROM t.w,
    casino.payment_deadline(t.at('2026-08-01 01:00')) d
                      WHERE d.player_id IN (w.old, w.new) ORDER BY 1, 2 $$,
                  $$ VALUES ('winnings', false, timestamptz '2026-08-31 00:00+02'), ('winnings', true,
                      '2026-08-12 00:00+02'),
                            ('withdrawal', false, '2026-09-30 00:00+02'), ('withdrawal', true,
                                '2026-08-22 00:00+02') $$,
                  'R7.80: each is due by the figure of its own day');
SELECT results_eq($$ SELECT due_at FROM casino.pending_withdrawals p, t.w WHERE p.player_id IN (w.old, w.new)
    ORDER BY 1 $$,
                  $$ VALUES (timestamptz '2026-08-22 00:00+02'), ('2026-09-30 00:00+02') $$,
                      'R7.80: pending_withdrawals');
SELECT results_eq($$ SELECT due_at FROM casino.unpaid_winnings p, t.w WHERE p.player_id IN (w.old, w.new)
    ORDER BY 1 $$,
                  $$ VALUES (timestamptz '2026-08-12 00:00+02'), ('2026-08-31 00:00+02') $$,
                      'R7.80: unpaid_winnings');
SELECT is((SELECT count(*) FROM casino_internal.check_winnings_overdue('2026-08-10', '2026-08-10')),
          0::bigint,
    'R7.80: on the 9th day nothing is late');
SELECT results_eq($$ SELECT f.rule, f.player_id = w.new FROM t.w,
                  casino_internal.check_winnings_overdue('2026-08-11',
    '2026-08-11') f ORDER BY 1 $$,
                  $$ VALUES ('overdue', true), ('unrecorded', true) $$,
                      'R7.80: the night of the 10th day finds the winnings of August, alone');
SELECT results_eq($$ SELECT f.rule, f.player_id = w.new FROM t.w,
    casino_internal.check_withdrawal_overdue('2026-08-21', '2026-08-21') f ORDER BY 1 $$,
                  $$ VALUES ('overdue', true), ('unrecorded', true) $$,
                      'R7.80: the night of the 20th day finds the request of August, alone');
SELECT is_empty($$ SELECT * FROM casino_internal.check_withdrawal_overdue('2026-08-20', '2026-08-20') $$,
    'R7.80: not before');
SELECT is(casino.record_overdue(t.at('2026-08-11 23:59:59.999999')), 0::bigint,
    'R7.80: nothing is late before');
SELECT is(casino.record_overdue(t.at('2026-08-12 00:00')), 1::bigint,
    'R7.80: winnings of August after ten days');
SELECT is(casino.record_overdue(t.at('2026-08-22 00:00')), 1::bigint,
    'R7.80: the withdrawal of August after twenty');
SELECT results_eq($$ SELECT l.rule, l.due_at, (b.detail ->> 'due_at')::timestamptz FROM casino.late_payment l
    JOIN casino.breach b USING (player_id, entry_no, rule) JOIN t.w ON w.new = l.player_id ORDER BY 1 $$,
                  $$ VALUES ('winnings_late', timestamptz '2026-08-12 00:00+02',
                      timestamptz '2026-08-12 00:00+02'),
                            ('withdrawal_late', '2026-08-22 00:00+02', '2026-08-22 00:00+02') $$,
                                'R7.80: late_payment');
SELECT is(casino.record_overdue(t.at('2026-08-31 00:00')), 1::bigint,
    'R7.80: winnings of July after thirty days');

-- ---------------------------------------------- §6.2, §6.5: 72 hours, 14 days from 1 September on
SELECT casino.set_duty_rule('panic_hours', '72', t.at('2026-09-01 00:00'), 'D4/2 §6.2', 'x'),
       casino.set_duty_rule('laxer_limit_days', '14', t.at('2026-09-01 00:00'), 'D4/2 §6.5', 'x') \g /dev/null
CREATE TABLE t.e AS SELECT t.player() AS old, t.player() AS new;
SELECT casino.exclude_player(old, NULL, 'panic_button', t.at('2026-08-31 23:59:59.999999')),
       casino.exclude_player(new, NULL, 'panic_button', t.at('2026-09-01 00:00')) FROM t.e \g /dev/null
SELECT
    results_eq('SELECT excluded_until - excluded_from FROM casino.exclusion x
                  JOIN t.e ON x.player_id IN (e.old, e.new) ORDER BY 1',
                  $$ VALUES (interval '48 hours'), (interval '72 hours') $$,
                      'R7.80: the panic button by the figure of its day');
CREATE TABLE t.l AS SELECT t.player() AS old, t.player() AS new;
SELECT casino.set_limit(p, 'stake', 'day', 100, t.at('2026-08-01 00:00')) FROM t.l, unnest(ARRAY[old, new]) p
    \g /dev/null
SELECT casino.set_limit(old, 'stake', 'day', 200, t.at('2026-08-31 23:59:59.999999')), casino.set_limit(new,
    'stake', 'day', 200, t.at('2026-09-01 00:00')) FROM t.l \g /dev/null
SELECT
    results_eq('SELECT l.effective_from - l.requested_at FROM casino.player_limit l
                  JOIN t.l x ON l.player_id IN (x.old, x.new) WHERE l.amount = 200 ORDER BY 1',
                  $$ VALUES (interval '7 days'), (interval '14 days') $$,
                      'R7.80: a laxer limit by the figure of the day it is asked for');

-- ---------------------------------------------- a round without a result (R7.82)
SELECT casino.set_duty_rule('stuck_round', '30 min', t.at('2026-10-01 00:00'), 'R7.82', 'x') \g /dev/null
SELECT casino.close_betting(t.round('M1', '2026-09-30 10:00'), t.at('2026-09-30 10:00')), t.settle('M1',
    '2026-09-30 11:00'),
       casino.close_betting(t.round('M2', '2026-10-01 10:00'), t.at('2026-10-01 10:00')), t.settle('M2',
           '2026-10-01 10:30:00.000001') \g /dev/null
SELECT results_eq($$ SELECT rule, expected FROM casino_internal.check_round_stuck('2026-09-30', '2026-10-01')
    WHERE rule = 'late' $$,
                  $$ VALUES ('late', 'a result by 2026-10-01 10:30:00+02') $$,
                      'R7.82: an hour in September, half an hour in October');
SELECT * FROM finish();
