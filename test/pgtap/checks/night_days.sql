-- Days of a night: of 23 and 25 hours, without entries, before the first entry, not over; an entry belongs to
-- one Prague day.
-- tampers with the books
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

SELECT is(casino.day_start('2025-03-31') - casino.day_start('2025-03-30'), interval '23 hours',
          'the last Sunday of March');
SELECT is(casino.day_start('2025-10-27') - casino.day_start('2025-10-26'), interval '25 hours',
          'the last Sunday of October');

-- an entry at each end of both days, and at both half past two of October: the balance after it is edited
SELECT register_player('ema') AS ema \gset
CREATE TABLE moment (n integer PRIMARY KEY, at timestamptz, day date);
INSERT INTO moment VALUES (1, '2025-03-29 23:59:59.999999+01', '2025-03-29'),
    (2, '2025-03-30 00:00+01', '2025-03-30'), (3, '2025-03-30 01:59:59.999999+01', '2025-03-30'),
    (4, '2025-03-30 03:00+02', '2025-03-30'), (5, '2025-03-30 23:59:59.999999+02', '2025-03-30'),
        (6, '2025-03-31 00:00+02', '2025-03-31'),
    (7, '2025-10-25 23:59:59.999999+02', '2025-10-25'), (8, '2025-10-26 00:00+02', '2025-10-26'),
        (9, '2025-10-26 02:30+02', '2025-10-26'), (10, '2025-10-26 02:30+01', '2025-10-26'),
    (11, '2025-10-26 23:59:59.999999+01', '2025-10-26'), (12, '2025-10-27 00:00+01', '2025-10-27');
SELECT deposit(:ema, 100, 'd' || n, at) FROM moment ORDER BY n \g /dev/null
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
-- written then, too: else each would be an entry of the day on which this test runs
UPDATE casino.ledger SET recorded_at = posted_at;
CREATE FUNCTION found(n integer) RETURNS TABLE (day date) LANGUAGE plpgsql AS $$
BEGIN
    UPDATE casino.ledger l SET balance = balance + 1 WHERE l.entry_no = n;
    RETURN QUERY SELECT d::date FROM generate_series(timestamp '2025-03-28', '2025-04-01', '1 day') d
        WHERE EXISTS (SELECT FROM casino_internal.check_wallet(d::date, d::date) f WHERE f.entry_no = n);
    RETURN QUERY SELECT d::date FROM generate_series(timestamp '2025-10-24', '2025-10-28', '1 day') d
        WHERE EXISTS (SELECT FROM casino_internal.check_wallet(d::date, d::date) f WHERE f.entry_no = n);
    UPDATE casino.ledger l SET balance = balance - 1 WHERE l.entry_no = n;
END $$;
SELECT results_eq(format('SELECT * FROM found(%s)', n), format('VALUES (date %L)', day),
                  at || ' is of ' || day || ' alone') FROM moment ORDER BY n;
-- the entry after it fits the one before it: one difference, of the first, a middle and the last of a day
CREATE FUNCTION differing(n integer) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    entries bigint[];
BEGIN
    UPDATE casino.ledger l SET balance = balance + 1 WHERE l.entry_no = n;
    SELECT array_agg(f.entry_no ORDER BY f.entry_no) INTO entries
      FROM moment m, casino_internal.check_wallet(m.day, m.day) f WHERE m.n = differing.n;
    UPDATE casino.ledger l SET balance = balance - 1 WHERE l.entry_no = n;
    RETURN entries;
END $$;
SELECT is(differing(n), ARRAY[n::bigint], 'a balance edited at ' || at || ' is one difference')
  FROM moment
 WHERE day = '2025-03-30'
 ORDER BY n;
ALTER TABLE casino.ledger ENABLE TRIGGER USER;
ALTER TABLE casino.ledger ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER append_only_statement;

-- a round evaluated at midnight is of the day that begins: late, and in times that cannot be
BEGIN;
SELECT open_round(add_game_table('roulette_synot', 'M', 10, 1000), 'm', '2025-03-30 20:00',
                  betting_until => '2025-03-30 20:01') AS m \gset
SELECT settle_round(:m, '{"number": 1}', '2025-03-31 00:00') \g /dev/null
SELECT results_eq($$SELECT d::date, f.rule
                      FROM generate_series(timestamp '2025-03-29', '2025-04-01', '1 day') d,
                           casino_internal.check_round_stuck(d::date, d::date) f$$,
                  $$VALUES (date '2025-03-31', 'late')$$, 'a late result of midnight is of one day');
ALTER TABLE casino.round DISABLE TRIGGER USER;
ALTER TABLE casino.round DROP CONSTRAINT round_check;
UPDATE casino.round SET opened_at = '2025-03-31 00:00:01' WHERE round_id = :m;
SELECT results_eq($$SELECT d::date, f.rule
                      FROM generate_series(timestamp '2025-03-29', '2025-04-01', '1 day') d,
                           casino_internal.check_round_figures(d::date, d::date) f$$,
                  $$VALUES (date '2025-03-31', 'times')$$,
                  'times that cannot be, at midnight, are of one day');
ROLLBACK;

-- nights of these days, of days between them, and before the first entry
CALL casino.nightly('2025-03-30');
CALL casino.nightly('2025-10-26');
CALL casino.nightly('2025-06-01');
CALL casino.nightly('2000-02-29');
SELECT results_eq($$SELECT to_day, status, done = total, finished_at IS NOT NULL FROM casino.reconciliation
                  ORDER BY to_day$$,
    $$SELECT d, 'clean', true, true FROM unnest('{2000-02-29,2025-03-30,2025-06-01,2025-10-26}'::date[]) d$$,
        'each of these nights is clean');
SELECT results_eq($$SELECT day, (report #>> '{liability,total}')::numeric FROM casino.day_report
                  ORDER BY day$$,
    $$VALUES ('2000-02-29'::date, 0::numeric), ('2025-03-30', 500), ('2025-06-01', 600),
        ('2025-10-26', 1100)$$, 'and tells what was owed at the end of its day');
SELECT results_eq($$SELECT opening, debits, closing FROM casino.account_movements('2025-10-26', '2025-10-26')
                  WHERE account = 'cash_and_bank'$$,
    'VALUES (700.00, 400.00, 1100.00)', 'the day of 25 hours has four deposits');

-- an hour that comes twice is one hour of the report
SELECT is((SELECT jsonb_array_length(report -> 'stakes_by_hour') FROM casino.day_report
           WHERE day = '2025-10-26'), 24, 'a day of 25 hours has 24 of them');

-- not yet over, never, no day
CREATE FUNCTION refused(day text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino_internal.begin_reconciliation(NULL, day::date, true);
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(refused(d), '22023', 'no night of ' || d)
  FROM unnest(ARRAY['today', 'tomorrow', '5000000-01-01', 'infinity', '-infinity']) d;
SELECT is((SELECT count(*) FROM casino.reconciliation), 4::bigint, 'and none was begun');
-- a night that was missed is done later, in any order; a finished one is answered
CALL casino.nightly('2025-06-01');
SELECT is((SELECT count(*) FROM casino.reconciliation), 4::bigint, 'a finished night is answered');
-- R12.166: the first entry is of 29 March, and the first row of the day on which this test runs
SELECT is((SELECT array_agg(d.day ORDER BY d.day) FROM casino.day_seal d),
          '{2025-03-30,2025-06-01,2025-10-26}', 'R12.166: a night of a day before the books makes no seal');
CALL casino.nightly('2025-03-28');
CALL casino.nightly('2025-03-29');
SELECT is((SELECT array_agg(d.day ORDER BY d.day) FROM casino.day_seal d WHERE d.day < '2025-03-30'),
          '{2025-03-29}', 'R12.166: ... nor of the day before the first entry; that of the entry has one');
ALTER TABLE casino.recorder DISABLE TRIGGER ALL;
UPDATE casino.recorder SET recorded_at = '2025-03-27 00:00';
ALTER TABLE casino.recorder ENABLE TRIGGER ALL;
CALL casino.nightly('2025-03-26');
CALL casino.nightly('2025-03-27');
SELECT is((SELECT array_agg(d.day ORDER BY d.day) FROM casino.day_seal d WHERE d.day < '2025-03-29'),
          '{2025-03-27}', 'R12.166: the first day of the books has one, also without an entry');
SELECT * FROM finish();
