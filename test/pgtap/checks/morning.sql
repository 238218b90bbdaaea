-- The morning's work: causes and consequences (R10.43), two persons from an amount on (R10.44), the list from
-- night to night (R10.45), days signed off by name (R10.46), the balance statement (R10.47), double entries
-- (R10.48).
-- tampers with the books
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE morning_one;
CREATE ROLE morning_two;
CREATE ROLE morning_desk;
SELECT casino.grant_access(r, 'supervisor') FROM unnest('{morning_one,morning_two}'::name[]) r \g /dev/null
SELECT casino.grant_access('morning_desk', 'cashier') \g /dev/null
CREATE SCHEMA t;
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION t.step(who text, step text, run bigint, no bigint, note text DEFAULT 'seen') RETURNS text
LANGUAGE sql AS $$ SELECT t.as(who, format('SELECT casino.%s(%s, %s, %L)', step, run, no, note)) $$;
CREATE FUNCTION t.sign(who text, day date) RETURNS text LANGUAGE sql
    AS $$ SELECT t.as(who, format('SELECT casino.sign_day(%L)', day)) $$;

SELECT casino.add_game_table('roulette_synot', 'Wheel', 1, 10000) AS wheel \gset
SELECT casino.register_player('anna') AS anna, casino.register_player('bert') AS bert \gset
SELECT casino.deposit(p, 10000, 'd', '2026-06-01 08:00') FROM unnest(ARRAY[:anna, :bert]) p \g /dev/null
CREATE PROCEDURE t.round(ref text, at timestamptz, number integer DEFAULT 1) LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(1, ref, at);
BEGIN
    PERFORM casino.place_bet(r, p, 'red@10', ref || p, at => at) FROM unnest('{1,2}'::bigint[]) p;
    PERFORM casino.settle_round(r, jsonb_build_object('number', number), at + interval '1 min');
    -- the provider of the table says the same
    PERFORM casino.load_provider_report('live', at::date, (
        SELECT jsonb_agg(x.line) FROM (
            SELECT jsonb_build_object('kind', 'round', 'table_name', 'Wheel', 'round_ref', ref,
                                      'at', at + interval '1 min',
                                      'data', jsonb_build_object('outcome',
                                                                 jsonb_build_object('number',
                                                                           number))) AS line
            UNION ALL
            SELECT jsonb_build_object('kind', l.kind, 'table_name', 'Wheel', 'round_ref', ref, 'ref',
                      ref || l.player_id,
                                      'external_ref', p.external_ref, 'amount', l.amount, 'at', l.posted_at)
              FROM casino.ledger l JOIN casino.player p USING (player_id)
             WHERE l.round_id = r AND l.kind IN ('stake', 'payout')) x));
END $$;
-- past the triggers, which are as they were afterwards
CREATE TABLE t.fired AS SELECT t.tgname, t.tgenabled FROM pg_trigger t
 WHERE t.tgrelid = 'casino.ledger'::regclass AND NOT t.tgisinternal;
CREATE PROCEDURE t.forge(statement text) LANGUAGE plpgsql AS $$
DECLARE
    f record;
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER USER;
    EXECUTE statement;
    FOR f IN SELECT * FROM t.fired LOOP
        EXECUTE format('ALTER TABLE casino.ledger ENABLE %s TRIGGER %I',
                       CASE f.tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, f.tgname);
    END LOOP;
END $$;
CREATE FUNCTION t.list(day date) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(CASE WHEN m.cause_no = m.difference_no THEN '' ELSE '> ' END || m.check_name,
              ', '
                               ORDER BY m.n), 'nothing')
      FROM (SELECT x.*, row_number() OVER () AS n FROM casino.morning(day) x) m $$;

-- ------------------------------------------------------------------------------------ cause and consequence
CALL t.round('r1', '2026-06-01 10:00');
CALL t.forge($$ UPDATE casino.ledger SET amount = 120 WHERE player_id = 1 AND kind = 'payout' $$);
CALL casino.nightly('2026-06-01');
SELECT is((SELECT count(*) FROM casino.difference), 4::bigint, 'one raised payout is four differences');
SELECT is(t.list('2026-06-01'), 'payout, > wallet, > round_figures, > provider_amount',
          'R10.43: of one raised payout the payout is the cause, and the others are consequences');
SELECT results_eq($$ SELECT external_ref, table_name, round_ref, request_id, amount, favour, state,
          consequences
                       FROM casino.morning('2026-06-01') LIMIT 1 $$,
                  $$ VALUES ('anna', 'Wheel', 'r1', 'r11', 100.00, 'player', 'open', 3::bigint) $$,
                  'person, table, round, request, amount, in whose favour');
SELECT is((SELECT amount FROM casino.reconciliation WHERE run_no = 1), (SELECT sum(amount)
          FROM casino.difference),
          'the run has the sum of its amounts');
SELECT is((SELECT command FROM casino.morning('2026-06-01') LIMIT 1),
          $$psql -c "SELECT casino.explain_difference(1, 2, '...')"$$, 'the next step is ready to paste');

-- another fault of the same player is not hidden behind it
CALL t.round('r2', '2026-06-02 10:00');
CALL t.forge($$ UPDATE casino.ledger SET amount = 50 WHERE player_id = 2 AND kind = 'payout'
          AND round_id = 2 $$);
CALL t.forge($$ UPDATE casino.ledger SET balance = balance + 7 WHERE player_id = 2 AND round_id = 2
                                                                AND kind = 'payout' $$);
CALL casino.nightly('2026-06-02');
SELECT ok((SELECT bool_and(m.cause_no = m.difference_no) FROM casino.morning('2026-06-02') m
            WHERE m.check_name = 'wallet' AND m.open_since = '2026-06-02' AND m.external_ref = 'bert'),
          'R10.43: a consequence of another amount is a cause of its own');
SELECT ok(t.list('2026-06-02') ~ 'payout, > wallet, > round_figures, > provider_amount',
          'R10.45: differences that are not finished stay on the list');
SELECT is((SELECT min(open_since) FROM casino.morning('2026-06-02')), date '2026-06-01',
          'R10.45: with the night since which it is open');

-- ------------------------------------------------------------------------------------ states, two persons
SELECT is(t.step('morning_desk', 'explain_difference', 1, 2), '42501', 'the cash desk explains nothing');
SELECT is(t.step('morning_one', 'ask_about_difference', 1, 2, 'the provider'), '1', 'asked');
SELECT is(t.step('morning_one', 'ask_about_difference', 1, 2, 'the provider'), '1', 'the same question once');
SELECT is((SELECT array_agg(DISTINCT state) FROM casino.morning('2026-06-01')), '{asked}',
          'the state of a cause is that of its consequences');
SELECT is(t.step('morning_two', 'approve_difference', 1, 2), '55000', 'a question needs no approval');
SELECT is(t.step('morning_one', 'write_off_difference', 1, 2), '2', 'written off');
SELECT results_eq($$ SELECT DISTINCT state, waits_for_second, finished, noted_by
          FROM casino.morning('2026-06-01') $$,
                  $$ VALUES ('written_off', true, false, 'morning_one') $$,
                  'R10.44: without a figure a second person must agree');
SELECT is((SELECT command FROM casino.morning('2026-06-01') LIMIT 1),
          $$psql -c "SELECT casino.approve_difference(1, 2, '...')"$$, 'and that is the next step');
SELECT is(t.step('morning_one', 'approve_difference', 1, 2), '42501',
          'R10.44: the same login does not count as a second person')
  FROM generate_series(1, 2);
SELECT is(t.sign('morning_two', '2026-06-01'), '55000', 'R10.46: a day with open differences is not signed');
SELECT is(t.step('morning_two', 'approve_difference', 1, 2), '3', 'a second person agrees')
  FROM generate_series(1, 2);
SELECT results_eq($$ SELECT DISTINCT state, waits_for_second, finished FROM casino.morning('2026-06-01') $$,
                  $$ VALUES ('written_off', false, true) $$, 'finished, the consequences too');
SELECT is(t.list('2026-06-02') ~ '> round_figures.*> round_figures', false,
          'R10.45: and gone from the next list');
SELECT is(t.step('morning_one', 'ask_about_difference', 1, 2, 'again'), '4', 'asked again');
SELECT is((SELECT bool_or(finished) FROM casino.morning('2026-06-01')), false, 'it is open again');
SELECT is(t.step('morning_one', 'write_off_difference', 1, 2), '5', 'the same reason is another step then');
SELECT is((SELECT bool_or(finished) FROM casino.morning('2026-06-01')), false,
          'R10.44: each step needs its own approval');
SELECT is(t.step('morning_two', 'approve_difference', 1, 2), '6',
          'the approval before was of the step before');
SELECT is(t.step('morning_one', s, 1, n, said), code, format('%s: %s', s, code))
  FROM (VALUES (99, 'seen', '23503'), (2, E' \n', '22023')) v (n, said, code),
       unnest('{explain_difference,ask_about_difference,write_off_difference}'::text[]) s;
-- the amount from which two persons are needed: both sides of it
SELECT casino.set_duty_rule('finish_amount', '100', clock_timestamp() - interval '1 s', 'house 9', 'rules')
    \g /dev/null
SELECT is(casino_internal.needs_second(a, clock_timestamp()), n, format('R10.44: of %s CZK', coalesce(a::text,
          'unknown')))
  FROM (VALUES (99.99, false), (-99.99, false), (100, true), (-100, true), (NULL, true)) v (a, n);
SELECT is(casino_internal.needs_second(1, '2026-06-01'), true, 'R10.44: by the figure in force at the time');

-- ------------------------------------------------------------------------------------ found again
CALL t.forge($$ UPDATE casino.ledger SET amount = 20, balance = balance - 7
                 WHERE player_id = 2 AND kind = 'payout' AND round_id = 2 $$);
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT is((SELECT bool_and(finished) FROM casino.morning('2026-06-01')), true,
          'R10.45: the same difference of a later run is finished already');
CALL t.forge($$ UPDATE casino.ledger SET amount = 130 WHERE player_id = 1 AND kind = 'payout'
          AND round_id = 1 $$);
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT ok((SELECT bool_or(NOT finished AND found = '130 win') FROM casino.morning('2026-06-01')),
          'R10.45: another amount is another difference');
CALL t.forge($$ UPDATE casino.ledger SET amount = 120 WHERE player_id = 1 AND kind = 'payout'
          AND round_id = 1 $$);

-- ------------------------------------------------------------------------------------ the day signed off
-- after mending by hand the days are added up anew
DELETE FROM casino.kept_day;
DELETE FROM casino.day_total;
SELECT casino.keep_day_totals() \g /dev/null
CALL t.round('r3', '2026-06-03 10:00', 2);
SELECT is(t.sign('morning_one', '2026-06-03'), '55000', 'R10.46: not before the night');
CALL casino.nightly('2026-06-03');
SELECT is(t.sign('morning_desk', '2026-06-03'), '42501', 'the cash desk signs no day');
SELECT is(t.as('morning_one', $$ SELECT casino.sign_day(NULL) $$), '22004', 'no day');
SELECT is(t.sign('morning_one', '2026-06-03'), '1', 'R10.46: a clean day is signed, twice the same')
  FROM generate_series(1, 2);
SELECT is(t.sign('morning_two', '2026-06-03'), '2', 'another person signs, too');
SELECT results_eq($$ SELECT sign_no, name, differences, closing FROM casino.day_sign_off ORDER BY 1 $$,
                  $$ SELECT n, w, 0::bigint, sum(l.amount * k.wallet_sign)
                       FROM (VALUES (1, 'morning_one'), (2, 'morning_two')) v (n, w), casino.ledger l
                       JOIN casino.entry_kinds() k USING (kind) GROUP BY n, w ORDER BY n $$,
                  'by name, with the wallets');
SELECT throws_ok(format('%s casino.day_sign_off%s', a, b), 'KL001', NULL, 'R10.46: append-only: ' || a)
  FROM (VALUES ('UPDATE', ' SET name = ''x'''), ('DELETE FROM', ''), ('TRUNCATE', '')) v (a, b);
SELECT casino.seal('2026-06-04') \g /dev/null
SELECT is_empty($$ SELECT * FROM casino.verify(NULL, NULL) WHERE section = 'day_sign_off' $$, 'sealed');
ALTER TABLE casino.day_sign_off DISABLE TRIGGER USER;
UPDATE casino.day_sign_off SET name = 'x' WHERE sign_no = 1;
SELECT results_eq($$ SELECT section, problem ~ 'changed' FROM casino.verify(NULL, NULL)
                      WHERE section = 'day_sign_off' $$, $$ VALUES ('day_sign_off', true) $$,
                  'R10.46: verify() names a signature that was changed');
SELECT ok(EXISTS (SELECT FROM casino_internal.check_record('2026-06-01', casino.prague_day(now())) f
                   WHERE f.detail ->> 'table' = 'day_sign_off' AND f.rule = 'name'),
                             'and check record before the seal');
UPDATE casino.day_sign_off SET name = 'morning_one' WHERE sign_no = 1;
ALTER TABLE casino.day_sign_off ENABLE TRIGGER USER;
-- an approval of the same person, forged
SELECT is_empty($$ SELECT * FROM casino_internal.check_record('2026-06-01', casino.prague_day(now())) f
                    WHERE f.detail ->> 'table' IN ('difference_note', 'day_sign_off', 'duty_rule') $$,
                'clean books: no finding about notes, signatures and figures');
BEGIN;
SET LOCAL session_replication_role = replica;
ALTER TABLE casino.difference_note DISABLE TRIGGER USER;
UPDATE casino.difference_note SET recorded_by = (SELECT min(n.recorded_by) FROM casino.difference_note n);
SELECT ok(EXISTS (SELECT FROM casino_internal.check_record('2026-06-01', casino.prague_day(now())) f
                   WHERE f.rule = 'approval'),
                             'R10.44: an approval by the same person is a difference of the night');
ROLLBACK;

-- ------------------------------------------------------------------------------------ the balance statement
CREATE FUNCTION t.line(day date, line text) RETURNS numeric LANGUAGE sql
    AS $$ SELECT b.amount FROM casino.balance_statement(day) b WHERE b.line = $2 $$;
SELECT is(t.line('2026-06-03', 'opening'), t.line('2026-06-02', 'closing'),
          'R10.47: a day opens as the day before closed');
SELECT is((SELECT sum(amount) FROM casino.balance_statement('2026-06-03') WHERE line NOT IN ('closing',
          'carried')),
          t.line('2026-06-03', 'closing'), 'R10.47: opening and movements are the closing');
SELECT is((SELECT agrees FROM casino.balance_statement('2026-06-04') WHERE line = 'opening'), true,
          'R10.47: it agrees with the report of the night before');
SELECT is((SELECT agrees FROM casino.balance_statement('2026-06-03') WHERE line = 'closing'), false,
          'R10.47: wallets that their entries do not give are said');
CALL t.forge($$ UPDATE casino.ledger SET amount = 20 WHERE kind = 'payout' $$);
DELETE FROM casino.day_total;
SELECT is((SELECT agrees FROM casino.balance_statement('2026-06-03') WHERE line = 'closing'), true,
          'R10.47: and wallets that they give are not');
SELECT is((SELECT agrees FROM casino.balance_statement('2026-06-04') WHERE line = 'opening'), false,
          'R10.47: a change in the day before is seen');
-- a stake over midnight
SELECT casino.open_round(:wheel, 'late', '2026-06-04 23:50') AS late \gset
SELECT casino.place_bet(:late, :anna, 'red@30', 'late', at => '2026-06-04 23:59:59.999999') \g /dev/null
SELECT casino.settle_round(:late, '{"number": 1}', '2026-06-05 00:00:00') \g /dev/null
SELECT is(ARRAY[t.line('2026-06-03', 'carried'), t.line('2026-06-04', 'carried'), t.line('2026-06-05',
          'carried')],
          '{0.00,30.00,0.00}', 'R10.47: open stakes are carried over midnight, once');
SELECT is(ARRAY[t.line('2026-06-04', 'stakes'), t.line('2026-06-05', 'payouts')], '{-30.00,60.00}',
          'each movement is of its own day');

-- ------------------------------------------------------------------------------------ double entries
SELECT casino.adjust(:anna, -5, 'misread', 'adj', '2026-06-05 10:00') \g /dev/null
SELECT is_empty($$ SELECT document FROM casino.gl_export('2026-06-01', '2026-06-05') GROUP BY document
                   HAVING sum(debit) <> sum(credit) OR count(*) <> 2 OR min(debit) < 0 OR min(credit) < 0 $$,
                'R10.48: each document is balanced, with positive amounts');
SELECT results_eq($$ SELECT account, sum(debit), sum(credit) FROM casino.gl_export('2026-06-01', '2026-06-05')
                      GROUP BY 1 ORDER BY 1 $$,
                  $$ SELECT a.account, sum(greatest(a.amount, 0)), sum(greatest(-a.amount, 0))
                       FROM casino.ledger l JOIN casino.entry_kinds() k USING (kind)
                      CROSS JOIN LATERAL (VALUES (k.debit_account, l.amount), (k.credit_account, -l.amount))
                                         a (account, amount) GROUP BY 1 ORDER BY 1 $$,
                  'R10.48: each account as the ledger has it');
SELECT results_eq($$ SELECT line_no, account, debit, credit FROM casino.gl_export('2026-06-05', '2026-06-05')
                      WHERE document = '2026-06-05/adjustment/back' $$,
                  $$ SELECT v.n, CASE v.n WHEN 1 THEN k.credit_account ELSE k.debit_account END, v.d, v.c
                       FROM casino.entry_kinds() k, (VALUES (1, 5.00, 0.00), (2, 0.00, 5.00)) v (n, d, c)
                      WHERE k.kind = 'adjustment' $$, 'R10.48: an amount taken changes the sides');
SELECT throws_ok(q, c, NULL, 'gl_export: ' || q) FROM (VALUES
    ($$ SELECT * FROM casino.gl_export(NULL, '2026-06-05') $$, '22004'),
    ($$ SELECT * FROM casino.gl_export('2026-06-06', '2026-06-05') $$, '22023'),
    ($$ SELECT * FROM casino.gl_export('2026-06-06', 'infinity') $$, '22023')) v (q, c);

-- ------------------------------------------------------------------------------------ on the page
SELECT ok(casino_internal.morning_section(casino_internal.page_words(lang), '2026-06-02')::text ~ word,
          'the page says ' || word)
  FROM (VALUES ('cs', 'otevřeno od noci 1\. 6\. 2026'), ('en', 'open since the night of 2026-06-01'),
               ('en', 'psql -c &quot;SELECT|psql -c "SELECT')) v (lang, word);
SELECT ok(casino_internal.morning_section(casino_internal.page_words('en'),
                                          '2026-06-03')::text ~ 'morning_one',
          'the page names who signed');
SELECT ok(casino_internal.balance_section(casino_internal.page_words('cs'), '2026-06-04')::text
              ~ 'Otevřené sázky přes půlnoc',
          'the balance statement stands on the page');
SELECT * FROM finish();
