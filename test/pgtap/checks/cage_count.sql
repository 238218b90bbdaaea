-- The cash desk's count at the end of a shift against the cash of the ledger (R12.80 to R12.86).
-- tampers with the books
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE cage_desk;
CREATE ROLE cage_books;
CREATE ROLE cage_clerk;
CREATE ROLE cage_phone;
SELECT casino.grant_access('cage_desk', 'desk'), casino.grant_access('cage_books', 'accountant'),
       casino.grant_access('cage_clerk', 'cashier'), casino.grant_access('cage_phone', 'support') \g /dev/null
CREATE SCHEMA t;
-- what a login is told: the answer, or the error's code
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
-- count_no, expected, difference
CREATE FUNCTION t.count(desk text, at timestamptz, counted numeric, key text DEFAULT NULL,
                        moved numeric DEFAULT 0, note text DEFAULT NULL) RETURNS text LANGUAGE sql
    AS $$ SELECT concat_ws(' ', c.count_no, c.expected, c.difference)
            FROM casino.record_cage_count(desk, at, counted, key, moved, note) c $$;
CREATE FUNCTION t.found(day date) RETURNS SETOF text LANGUAGE sql
    AS $$ SELECT concat_ws('|', f.rule, f.expected, f.found)
        FROM casino_internal.check_cage_count(day, day) f $$;
SELECT casino.register_player('anna') AS anna \gset

-- ------------------------------------------------------------------------------------ places of cash
SELECT lives_ok(format($$ SELECT casino.deposit(%s, 500, 'd1', '2026-06-01 10:00', 'cash', NULL, 'A') $$,
                       :anna),
                'R12.80: a deposit in cash names its desk');
SELECT is((SELECT place FROM casino.ledger WHERE entry_no = 1), 'A', 'R12.80: the ledger has it');
SELECT is(casino.deposit(:anna, 500, 'd1', '2026-06-01 10:00', 'cash', NULL, 'A'), 1::bigint,
          'R12.80: the same again is the same deposit');
SELECT throws_ok(format($$ SELECT casino.deposit(%s, 500, 'd1', '2026-06-01 10:00', 'cash', NULL, %L) $$,
                        :anna, place), 'KL003', NULL, 'R12.80: at another desk it is another deposit')
  FROM (VALUES ('B'), (NULL)) v (place);
SELECT throws_ok(format($$ SELECT casino.deposit(%s, 5, NULL, '2026-06-01 10:00', %L, NULL, 'A') $$, :anna,
                        method), '22023', 'a deposit that is not cash must not have a place',
                 'R12.80: only cash has a place, not ' || coalesce(method, 'money of no known kind'))
  FROM (VALUES ('card'), ('transfer'), (NULL)) v (method);
SELECT results_eq(format($$ SELECT accepted, entry_no
                              FROM casino.try_deposit(%s, 20, 'd2', '2026-06-01 10:01', 'cash', 'r', 'B') $$,
                         :anna), $$ VALUES (true, 2::bigint) $$, 'try_deposit() takes the place, too');
SELECT is_empty($$ SELECT * FROM casino_internal.check_record('2026-06-01', '2026-06-01') $$,
                'R12.80: a deposit in cash may have a place');
BEGIN;
SET LOCAL session_replication_role = replica;
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
UPDATE casino.ledger SET method = 'card' WHERE entry_no = 1;
SELECT results_eq($$ SELECT rule, found FROM casino_internal.check_record('2026-06-01', '2026-06-01') $$,
                  $$ VALUES ('columns', 'place A') $$, 'R12.80: one of a deposit by card is');
ROLLBACK;

-- ------------------------------------------------------------------------------------ counts
SELECT is(t.count('A', '2026-06-01 06:00', 1000, 'k1'), '1',
          'R12.82: of the first count nothing is expected');
SELECT is(t.count('A', '2026-06-01 06:00', 1000, 'k1'), '1', 'R12.86: the same request is the same count');
SELECT is(t.count('A', NULL, 1000, 'k1'), '1', 'R12.86: also without its time');
SELECT throws_ok(format($$ SELECT t.count('A', %L, %s, 'k1', %s, %L) $$, at, counted, moved, note), 'KL003',
                 'request "k1" of desk "A" was used before',
                 format('R12.86: other content: %s %s %s %s', at, counted, moved, note))
  FROM (VALUES ('2026-06-01 06:00:01', 1000, 0, NULL), ('2026-06-01 06:00', 1000.01, 0, NULL),
               ('2026-06-01 06:00', 1000, 1, NULL), ('2026-06-01 06:00', 1000, 0, 'x'))
       v (at, counted, moved, note);
SELECT is(t.count('B', '2026-06-01 06:00', 0, 'k1'), '1', 'R12.86: a key belongs to one desk');
-- 1000 + 500 of ten o'clock; an entry of the instant of the count belongs to the next shift
SELECT casino.deposit(:anna, 70, 'd3', '2026-06-01 14:00', 'cash', NULL, 'A') \g /dev/null
SELECT is(t.count('A', '2026-06-01 14:00', 1500, 'k2'), '2 1500.00 0.00',
          'R12.82: cash of the instant of the count belongs to the next shift');
SELECT casino.pay_withdrawal(casino.request_withdrawal(:anna, 120, 'cash', 'w1', '2026-06-01 15:00'),
                             '2026-06-01 15:00', NULL, 'A'),
       casino.pay_withdrawal(casino.request_withdrawal(:anna, 30, 'cash', 'w2', '2026-06-01 15:01'),
                             '2026-06-01 15:01', NULL, 'B'),
       casino.deposit(:anna, 9000, 'd4', '2026-06-01 15:02', 'card'),
       casino.deposit(:anna, 11, 'd5', '2026-06-01 15:03', 'cash') \g /dev/null
-- 1500 + 70 - 120 - 1000 taken to the safe
SELECT is(t.count('A', '2026-06-01 22:00', 430, 'k3', -1000, 'evening'), '3 450.00 -20.00',
          'R12.82: paid in, paid out, moved: 450 expected, 20 missing');
-- 0 + 20 - 30 and 25.50 too much
SELECT is(t.count('B', '2026-06-01 22:00', 25.5, NULL, 10), '2 0.00 25.50', 'R12.82: and over');
SELECT throws_ok($$ SELECT t.count('A', '2026-06-01 22:00', 430) $$, 'KL005', NULL,
                 'R12.81: not at the time of the count before');
SELECT is(t.count('A', '2026-06-01 22:00:00.000001', 450), '4 430.00 20.00',
          'R12.81: but after it: the twenty crowns were found');
SELECT throws_ok($$ SELECT t.count('C', '2026-06-01 06:00', 5, NULL, 1) $$, '22023', NULL,
                 'R12.82: nothing was moved before the first count');
SELECT throws_ok(format('SELECT t.count(%s)', args), code, NULL, 'refused: ' || args)
  FROM (VALUES ($$ NULL, now(), 1 $$, '22004'), ($$ 'A', now(), NULL $$, '22004'),
               ($$ 'A', now(), 1, 'k', NULL $$, '22004'), ($$ 'A', now(), -0.01 $$, '22003'),
               ($$ 'A', now(), 0.001 $$, '22003'), ($$ 'A', now(), 1e12 $$, '22003'),
               ($$ 'A', now(), 'NaN' $$, '22003'), ($$ 'A', now(), 1, 'k', 0.001 $$, '22003'),
               ($$ 'A', 'infinity', 1 $$, '22023'), ($$ 'A', now(), 1, ' ' $$, '22023'),
               ($$ repeat('x', 201), now(), 1 $$, '22001'),
               ($$ 'A', now(), 1, 'k', 0, repeat('x', 1001) $$, '22001')) v (args, code);
SET casino.clock_skew = 5;
SELECT throws_ok($$ SELECT t.count('C', clock_timestamp() + interval '7 s', 5) $$, 'KL005', NULL,
                 'R12.81: no count is ahead of the clock');
BEGIN;
SELECT is(t.count('C', clock_timestamp() + interval '3 s', 5), '1', 'R12.81: within the skew it is');
ROLLBACK;
BEGIN;
SELECT is(t.count('C', clock_timestamp() - interval '9 hours', 5), '1',
          'R12.81: it may be written down later');
SELECT is_empty($$ SELECT * FROM casino_internal.check_dated_back(current_date - 1, current_date) f
                    WHERE f.rule = 'cage_count' $$, 'R12.81: which is not dated back');
ROLLBACK;
SET casino.clock_skew = -1;
SELECT results_eq($$ SELECT desk, count_no, opening, paid_in, paid_out, moved, expected, counted, difference,
                            counted_by
                       FROM casino.cage_shifts('2026-06-01', '2026-06-01') $$,
                  $$ SELECT d, n, o, i, p, m, e, c, x, session_user::text COLLATE "default"
                       FROM (VALUES ('A', 1, NULL, NULL, NULL, 0.00, NULL, 1000.00, NULL),
                                    ('A', 2, 1000.00, 500.00, 0.00, 0.00, 1500.00, 1500.00, 0.00),
                                    ('A', 3, 1500.00, 70.00, 120.00, -1000.00, 450.00, 430.00, -20.00),
                                    ('A', 4, 430.00, 0.00, 0.00, 0.00, 430.00, 450.00, 20.00),
                                    ('B', 1, NULL, NULL, NULL, 0.00, NULL, 0.00, NULL),
                                    ('B', 2, 0.00, 20.00, 30.00, 10.00, 0.00, 25.50, 25.50))
                            v (d, n, o, i, p, m, e, c, x) $$, 'R12.82: the shifts');
SELECT throws_ok(format('SELECT * FROM casino.cage_shifts(%s)', args), code, NULL, 'shifts of ' || args)
  FROM (VALUES ($$ NULL, '2026-06-01' $$, '22004'), ($$ '2026-06-02', '2026-06-01' $$, '22023'),
               ($$ '2026-06-02', 'infinity' $$, '22023')) v (args, code);

-- ------------------------------------------------------------------------------------ the night
SELECT set_eq($$ SELECT t.found('2026-06-01') $$,
              $$ VALUES ('counted|450.00 at desk A|430.00 counted at 2026-06-01 22:00:00+02'),
                        ('counted|430.00 at desk A|450.00 counted at 2026-06-01 22:00:00.000001+02'),
                        ('counted|0.00 at desk B|25.50 counted at 2026-06-01 22:00:00+02') $$,
              'R12.83: the night of the day has the differences');
SELECT is_empty($$ SELECT t.found('2026-06-02') $$, 'R12.83: the night after has them no more');
SELECT ok(EXISTS (SELECT FROM t.found(casino.prague_day(clock_timestamp())) f WHERE f LIKE 'counted|450.00%'),
          'R12.83: but that of the day on which they were written');
SELECT is(casino_internal.difference_amount('cage_count', 'counted', e, f, '{}'), a,
          format('R12.84: expected %s, found %s', e, f))
  FROM (VALUES ('450.00 at desk A', '430.00 counted', 20.00), ('0.00 at desk B', '25.50 counted', -25.50))
       v (e, f, a);
CALL casino.nightly('2026-06-01');
SELECT results_eq($$ SELECT check_name, rule, amount FROM casino.difference ORDER BY 3 $$,
                  $$ VALUES ('cage_count', 'counted', -25.50), ('cage_count', 'counted', -20.00),
                            ('cage_count', 'counted', 20.00) $$, 'R12.84: missing cash left the house');
SELECT lives_ok(format('SELECT casino.explain_difference(1, %s, ''found in the drawer'')', difference_no),
                'a difference of a count is explained as others are')
  FROM casino.difference WHERE amount = 20;
SELECT is((SELECT state FROM casino.morning('2026-06-01') WHERE amount = 20), 'explained',
          'and stands so on the morning''s list');

-- ------------------------------------------------------------------------------------ desks not counted
-- A was counted at 22:00 of the first; the night of the day after the cash asks for a count
SELECT casino.deposit(:anna, 10, 'd6', '2026-06-02 23:59:59.999999', 'cash', NULL, 'A') \g /dev/null
SELECT is_empty($$ SELECT t.found('2026-06-02') $$, 'R12.85: the shift may go on');
SELECT set_eq($$ SELECT t.found('2026-06-03') $$,
              $$ VALUES ('missing|a count of desk A after 2026-06-01 22:00:00.000001+02|none') $$,
              'R12.85: by the end of the next day it is counted');
-- desks that have counts, from the first of them to the last
BEGIN;
SELECT t.count('0', '2026-06-01 06:00', 0), t.count('Z', '2026-06-01 06:00', 0),
       t.count('quiet', '2026-06-01 06:00', 0) \g /dev/null
SELECT casino.deposit(:anna, 10, 'desk ' || d, '2026-06-03 00:00', 'cash', NULL, d)
  FROM unnest('{0,B,Z}'::text[]) d \g /dev/null
SELECT set_eq($$ SELECT substring(f FROM 'a count of desk (\S+)') FROM t.found('2026-06-04') f $$,
              $$ VALUES ('0'), ('A'), ('B'), ('Z') $$, 'R12.85: each desk with cash of the day before');
SELECT t.count('Z', '2026-06-04 23:59:59.999999', 10), t.count('0', '2026-06-05 00:00', 10) \g /dev/null
SELECT set_eq($$ SELECT substring(f FROM 'a count of desk (\S+)') FROM t.found('2026-06-04') f $$,
              $$ VALUES ('0'), ('A'), ('B') $$, 'R12.85: counted by the end of the day, and not at midnight');
ROLLBACK;
SELECT casino.deposit(:anna, 10, 'd7', '2026-06-04 00:00', 'cash', NULL, 'C') \g /dev/null
SELECT is((SELECT count(*) FROM t.found('2026-06-05')), 1::bigint,
          'R12.85: a desk that was never counted is not asked for');
SELECT is(t.count('A', '2026-06-03 08:00', 460), '5 460.00 0.00', 'counted');
SELECT is_empty($$ SELECT t.found('2026-06-03') $$, 'R12.85: and asked for no more');
SELECT is(casino_internal.difference_amount('cage_count', 'missing', 'a count', 'none', '{}'), NULL,
          'R12.84: how much is missing nobody knows');

-- one desk, as different clients write it: composed, decomposed, with white space at the ends
BEGIN;
SELECT casino.deposit(:anna, d.amount, 'form ' || d.amount, '2026-06-05 10:00', 'cash', NULL, d.place)
  FROM (VALUES (1, U&'Pokladna \010D. 1'), (20, U&'Pokladna c\030C. 1'), (300, U&' Pokladna \010D. 1\00A0'),
               (4000, U&'\3000Pokladna c\030C. 1 '), (50000, U&'Pokladna \010C. 1'),
               (600000, U&'Pokladna  \010D. 1'), (7000000, 'Pokladna c. 1'), (8, 'D'), (90, ' D '))
       d (amount, place) \g /dev/null
SELECT t.count(d, '2026-06-05 06:00', 0) FROM unnest(ARRAY[U&'Pokladna c\030C. 1 ', 'D ']) d \g /dev/null
SELECT is(t.count(U&'Pokladna \010D. 1', '2026-06-05 18:00', 4321), '2 4321.00 0.00',
          'R12.80: a place in another form of the desk''s name is the desk; another letter is another desk');
SELECT is(t.count('D', '2026-06-05 18:00', 98), '2 98.00 0.00', 'R12.80: ... of ASCII, too');
ROLLBACK;
-- ------------------------------------------------------------------------------------ the pages
SELECT alike(casino.night_page('2026-06-01', l), said, format('R12.83: the night''s page, %s', l))
  FROM (VALUES ('cs', '%<h2>Pokladny</h2>%'), ('cs', '%chybí 20,00 Kč, přebývá 45,50 Kč%'),
               -- R12.89: a sentence about each cause
               ('cs', '%<p>Na pokladně leží jiná částka, než má, nebo nebyla spočtena.</p>%'),
               ('cs', '%Hotovost, kterou žádné sčítání nekryje%bez pokladny%<bdi>11,00</bdi>%'),
               ('en', '%<h2>Cash desks</h2>%<bdi>' || U&'\2212' || '20.00</bdi>%'),
               ('en', '%Cash that no count covers%no cash desk named%<bdi>11.00</bdi>%')) v (l, said);
SELECT alike(casino.night_page('2026-06-03', 'en'), '%At each cash desk lies what must lie there.%',
             'a day that agrees says so');
-- A: 500 + 70 + 10 in, 120 out, four shifts, two differ; B: 20 in, 30 out
SELECT alike(casino.period_page('2026-06-01', '2026-06-03', 'en'),
             '%<h2>Cash desks</h2>%<bdi>A</bdi>%<bdi>580.00</bdi>%<bdi>120.00</bdi>%'
             '<bdi>20.00</bdi>%<bdi>20.00</bdi>%<bdi>B</bdi>%<bdi>30.00</bdi>%<bdi>25.50</bdi>%',
             'R12.83: the period''s page has each desk');
SELECT ok((SELECT bool_and(e.event = 'cash desk counted' AND e.actor IS NULL)
             FROM casino.significant_event('2026-06-01', '2026-06-01') e
            WHERE e.event ~ 'desk'), 'each count is an event');

-- ------------------------------------------------------------------------------------ evidence, access
SELECT throws_ok(format('%s casino.cage_count%s', a, b), 'KL001', NULL, 'append-only: ' || a)
  FROM (VALUES ('UPDATE', ' SET counted = 1'), ('DELETE FROM', ''), ('TRUNCATE', '')) v (a, b);
SELECT throws_ok($$ INSERT INTO casino.cage_count (desk, count_no, counted_at, counted, moved, recorded_at)
                    VALUES ('A', 7, '2026-06-05', 1, 0, now()) $$, '23514', NULL, 'numbers have no gaps');
SELECT casino.seal(casino.prague_day(now())) \g /dev/null
SELECT is_empty($$ SELECT * FROM casino.verify(NULL, NULL) WHERE section = 'cage_count' $$, 'sealed');
BEGIN;
SET LOCAL session_replication_role = replica;
ALTER TABLE casino.cage_count DISABLE TRIGGER USER;
UPDATE casino.cage_count SET counted = 450 WHERE desk = 'A' AND count_no = 3;
SELECT matches((SELECT string_agg(problem, ',') FROM casino.verify(NULL, NULL) WHERE section = 'cage_count'),
               'changed', 'verify() names a count that was changed');
ROLLBACK;
SELECT is(t.as('cage_desk', $$ SELECT count_no
                                  FROM casino.record_cage_count('A', '2026-06-05 08:00', 460) $$),
          '6', 'the desk counts');
SELECT is(t.as('cage_books', $$ SELECT count_no
                                  FROM casino.record_cage_count('A', '2026-06-06 08:00', 460) $$),
          '7', 'the accountant, too');
SELECT is(t.as('cage_books', $$ SELECT count(*) FROM casino.cage_shifts('2026-06-01', '2026-06-06') $$), '9',
          'and reads the shifts');
SELECT is(t.as('cage_desk', $$ SELECT count(*) FROM casino.cage_shifts('2026-06-01', '2026-06-06') $$),
          '42501', 'the desk does not');
SELECT is(t.as('cage_clerk', $$ SELECT count_no
                                  FROM casino.record_cage_count('A', '2026-06-07 08:00', 460) $$),
          '8', 'and the cashier');
SELECT is(t.as('cage_phone', $$ SELECT count_no FROM casino.record_cage_count('A', NULL, 460) $$), '42501',
          'nobody else');
SELECT * FROM finish();
