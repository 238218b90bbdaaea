-- Each duty and figure at the two days a year when a Prague day has 23 or 25 hours, at the ends of months and
-- years, on 29 February, in 2038 and 2100. The instants are worked out by hand from a calendar, in UTC.
\ir ../helpers/compliance.psql
SELECT no_plan();

-- first instant of the day and of the next one, and its hours
CREATE TABLE t.day (day date PRIMARY KEY, since timestamptz, until timestamptz, hours integer);
INSERT INTO t.day VALUES
    ('2026-03-29', '2026-03-28 23:00+00', '2026-03-29 22:00+00', 23),
    ('2026-10-25', '2026-10-24 22:00+00', '2026-10-25 23:00+00', 25),
    ('2026-12-31', '2026-12-30 23:00+00', '2026-12-31 23:00+00', 24),
    ('2028-02-29', '2028-02-28 23:00+00', '2028-02-29 23:00+00', 24),
    ('2038-01-19', '2038-01-18 23:00+00', '2038-01-19 23:00+00', 24),
    ('2038-03-28', '2038-03-27 23:00+00', '2038-03-28 22:00+00', 23),
    ('2038-10-31', '2038-10-30 22:00+00', '2038-10-31 23:00+00', 25),
    ('2100-02-28', '2100-02-27 23:00+00', '2100-02-28 23:00+00', 24),
    ('2100-10-31', '2100-10-30 22:00+00', '2100-10-31 23:00+00', 25),
    ('2100-12-31', '2100-12-30 23:00+00', '2100-12-31 23:00+00', 24);
CREATE FUNCTION t.text(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' $$;

-- ------------------------------------------------------------------------------------ days and months
SELECT is(casino.day_start(day), since, 'a day begins: ' || day) FROM t.day;
SELECT is(casino.day_start(day + 1) - casino.day_start(day), make_interval(hours => hours),
          format('a day of %s hours: %s', hours, day)) FROM t.day;
SELECT is(ARRAY[casino.prague_day(since - interval '1 us'), casino.prague_day(since),
                casino.prague_day(until - interval '1 us'), casino.prague_day(until)],
          ARRAY[day - 1, day, day, day + 1], 'both borders of the day: ' || day) FROM t.day;
SELECT is(casino.prague_month(at), month, 'a month: ' || at)
  FROM (VALUES (timestamptz '2026-12-31 22:59:59.999999+00', date '2026-12-01'),
               ('2026-12-31 23:00+00', '2027-01-01'), ('2028-02-29 22:59:59.999999+00', '2028-02-01'),
               ('2028-02-29 23:00+00', '2028-03-01'), ('2100-02-28 22:59:59.999999+00', '2100-02-01'),
               ('2100-02-28 23:00+00', '2100-03-01'), ('2100-10-31 22:59:59.999999+00', '2100-10-01'),
               ('2100-10-31 23:00+00', '2100-11-01')) v (at, month);

-- ------------------------------------------------------------------------------------ deadlines in days
SELECT is(ARRAY[casino.payment_due_at(casino.day_start(day), days),
                casino.payment_due_at(casino.day_start(day + 1) - interval '1 us', days)],
          ARRAY[late, late], format('R7.38: %s days after %s', days, day))
  FROM (VALUES (date '2026-02-27', 30, timestamptz '2026-03-29 22:00+00'),
               ('2026-09-25', 30, '2026-10-25 23:00+00'), ('2027-12-31', 60, '2028-02-29 23:00+00'),
               ('2037-12-20', 30, '2038-01-19 23:00+00'), ('2099-12-31', 60, '2100-03-01 23:00+00'),
               ('2026-12-31', 60, '2027-03-01 23:00+00')) v (day, days, late);
SELECT is(casino.winnings_due_at(timestamptz '2037-12-20 12:00+00'), timestamptz '2038-01-19 23:00+00',
          'D4 §11.1: winnings, into 2038');
SELECT is(casino.withdrawal_due_at(timestamptz '2099-12-31 12:00+00'), timestamptz '2100-03-01 23:00+00',
          'D4 §11.2 b): a withdrawal, over a February of 28 days in 2100');
SELECT is(casino.prompt_until(since), late, 'R7.70: prompt, from ' || since)
  FROM (VALUES (timestamptz '2026-10-23 10:00+00', timestamptz '2026-10-26 23:00+00'),
               ('2026-03-27 10:00+00', '2026-03-30 22:00+00'), ('2028-02-27 10:00+00', '2028-03-01 23:00+00'),
               ('2100-02-26 10:00+00', '2100-03-01 23:00+00')) v (since, late);

SELECT is(ARRAY[casino_internal.limits_pass_until(casino.day_start(closed)),
                casino_internal.limits_pass_until(casino.day_start(closed + 1) - interval '1 us')],
                    ARRAY[late, late],
          'Act 186/2016 §14a, R7.30: seven calendar days after ' || closed)
  FROM (VALUES (date '2026-03-22', timestamptz '2026-03-29 22:00+00'), ('2026-03-29', '2026-04-05 22:00+00'),
               ('2026-10-18', '2026-10-25 23:00+00'), ('2026-10-25', '2026-11-01 23:00+00'),
               ('2026-12-25', '2027-01-01 23:00+00'), ('2028-02-22', '2028-02-29 23:00+00'),
               ('2028-02-29', '2028-03-07 23:00+00'), ('2038-01-12', '2038-01-19 23:00+00'),
               ('2100-02-22', '2100-03-01 23:00+00')) v (closed, late);
-- ten years by the calendar and the clock on the wall: 29 February has no anniversary in 2038, and on
-- 25 October 2036 no hour comes twice
SELECT is(casino_internal.erasable_at(closed, closed), late,
          'R7.98: retention of ten years from ' || t.text(closed))
  FROM (VALUES (timestamptz '2028-02-29 11:00+00', timestamptz '2038-02-28 11:00+00'),
               ('2026-03-29 01:30+00', '2036-03-29 02:30+00'), ('2026-03-29 00:30+00', '2036-03-29 00:30+00'),
               ('2026-10-25 00:30+00', '2036-10-25 00:30+00'), ('2026-10-25 01:30+00', '2036-10-25 00:30+00'),
               ('2026-12-31 22:59:59.999999+00', '2036-12-31 22:59:59.999999+00'),
               ('2096-02-29 11:00+00', '2106-02-28 11:00+00')) v (closed, late);
-- a payment is overdue from the first instant that is too late for it, and not a microsecond before
CREATE FUNCTION t.overdue(asked timestamptz, late timestamptz) RETURNS boolean[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000, t.text(asked - interval '1 hour'));
BEGIN
    PERFORM t.stake(p, 'S1', t.text(asked - interval '1 min')),
            t.settle('S1', t.text(asked), true, true);
    PERFORM casino.request_withdrawal(p, 10, 'cash', at => asked);
    RETURN ARRAY(SELECT d.overdue
                   FROM unnest(ARRAY[late - interval '1 us', late]) WITH ORDINALITY v (at, n)
                  CROSS JOIN LATERAL casino.payment_deadline(v.at) d
                  WHERE d.player_id = p AND d.what = CASE WHEN late - asked > interval '40 days' THEN
                      'withdrawal'
                                                          ELSE 'winnings' END
                  ORDER BY v.n);
END $$;
SELECT is(t.overdue(asked, late), '{f,t}', format('D4 §11: overdue at the end of the day, asked for at %s',
  t.text(asked)))
  FROM (VALUES (timestamptz '2026-02-27 10:00+00', timestamptz '2026-03-29 22:00+00'),
               ('2026-01-28 10:00+00', '2026-03-29 22:00+00'), ('2026-09-25 21:59+00', '2026-10-25 23:00+00'),
               ('2026-08-26 10:00+00', '2026-10-25 23:00+00'), ('2027-12-31 10:00+00', '2028-02-29 23:00+00'),
               ('2028-01-30 10:00+00', '2028-02-29 23:00+00'), ('2037-12-20 10:00+00', '2038-01-19 23:00+00'),
               ('2100-01-29 10:00+00', '2100-02-28 23:00+00')) v (asked, late);

-- ------------------------------------------------------------------------------------ duties in hours
-- two hours of play, then a quarter of an hour, by hours that pass, not by the clock on the wall
CREATE FUNCTION t.sequence(since timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000, t.text(since - interval '1 hour'));
    q CONSTANT bigint := t.player(1000, t.text(since - interval '1 hour'));
    ended CONSTANT timestamptz := since + interval '2 hours';
BEGIN
    PERFORM t.stake(p, 'S1', t.text(since)), t.stake(q, 'S2', t.text(since));
    PERFORM t.settle('S1', t.text(ended - interval '1 us')), t.settle('S2', t.text(ended));
    RETURN ARRAY[t.may(p, 'S1', t.text(ended)), t.may(q, 'S2', t.text(ended)),
                 t.may(q, 'S2', t.text(ended + interval '15 min' - interval '1 us')),
                 t.may(q, 'S2', t.text(ended + interval '15 min'))];
END $$;
SELECT is(t.sequence(since), '{ok,KC001,KC001,ok}', 'D4 §8.3: two hours of play from ' || t.text(since))
  FROM unnest('{2026-03-29 00:30+00,2026-10-25 00:15+00,2026-12-31 22:30+00,2028-02-29 22:30+00,
                2038-01-19 02:14:07+00,2100-02-28 22:30+00,2100-10-31 00:15+00}'::timestamptz[]) since;
CREATE FUNCTION t.paid_cash(p bigint, at timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT t.verdict(format('SELECT casino.pay_withdrawal(casino.request_withdrawal(%s, 1, ''cash'',
                                                                                    at => %L), %L)',
                            p, at, at)) $$;
CREATE FUNCTION t.cash_again(since timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(100000, t.text(since - interval '1 hour'));
BEGIN
    PERFORM casino.pay_withdrawal(casino.request_withdrawal(p, 10000, 'cash', at => since), since);
    RETURN ARRAY[t.paid_cash(p, since + interval '24 hours' - interval '1 us'),
                 t.paid_cash(p, since + interval '24 hours')];
END $$;
SELECT is(t.cash_again(since), '{KC003,ok}', 'D4 §11.2 a: 24 hours of cash from ' || t.text(since))
  FROM (SELECT d.since + interval '30 min' FROM t.day d) v (since);
CREATE FUNCTION t.panic(since timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000, t.text(since - interval '1 hour'));
BEGIN
    PERFORM casino.exclude_player(p, NULL, 'panic_button', since);
    RETURN ARRAY[t.may(p, 'M1', t.text(since + interval '48 hours' - interval '1 us')),
                 t.may(p, 'M1', t.text(since + interval '48 hours'))];
END $$;
SELECT is(t.panic(since), '{KC004,ok}', 'D4 §6.2: 48 hours after the panic button, from ' || t.text(since))
  FROM (SELECT d.since - interval '12 hours' FROM t.day d) v (since);
CREATE FUNCTION t.laxer(since timestamptz) RETURNS interval LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(0);
BEGIN
    PERFORM casino.set_limit(p, 'stake', 'day', 100, since - interval '1 hour'),
            casino.set_limit(p, 'stake', 'day', 200, since);
    RETURN (SELECT l.effective_from - since FROM casino.player_limit l
             WHERE l.player_id = p ORDER BY l.limit_no DESC LIMIT 1);
END $$;
SELECT is(t.laxer(since), interval '168 hours', 'D4 §6.5: seven times 24 hours, from ' || t.text(since))
  FROM (SELECT d.since - interval '3 days' FROM t.day d) v (since);

-- ------------------------------------------------------------------------------------ days and months of l
CREATE FUNCTION t.limited(period text, until timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000, t.text(until - interval '20 hours'));
    answers text[];
BEGIN
    PERFORM casino.set_limit(p, 'stake', period, 10, until - interval '20 hours');
    PERFORM t.stake(p, 'M1', t.text(until - interval '2 us')),
            t.settle('M1', t.text(until - interval '2 us'));
    answers := ARRAY[t.may(p, 'M1', t.text(until - interval '1 us')), t.may(p, 'M1', t.text(until))];
    RETURN answers;
END $$;
SELECT is(t.limited('day', until), '{KC005,ok}', 'D4 §6.5: a limit of the day ends with it: ' || day)
  FROM t.day;
SELECT is(t.limited('month', until), '{KC005,ok}', 'D4 §6.5: a limit of the month ends with it: ' || until)
  FROM unnest('{2026-10-31 23:00+00,2026-12-31 23:00+00,2028-02-29 23:00+00,2100-02-28 23:00+00,
                2100-10-31 23:00+00}'::timestamptz[]) until;

-- A loss counts on the day of its evaluation: a stake of a microsecond before midnight, lost at midnight,
-- is of the new day, one that is lost a microsecond before midnight of the old one.
CREATE FUNCTION t.lost(period text, until timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000, t.text(until - interval '20 hours'));
    q CONSTANT bigint := t.player(1000, t.text(until - interval '20 hours'));
    answers text[];
BEGIN
    PERFORM casino.set_limit(x, 'net_loss', period, 10, until - interval '20 hours') FROM unnest(ARRAY[p, q])
        x;
    PERFORM t.stake(p, 'M1', t.text(until - interval '3 us')), t.settle('M1', t.text(until - interval
        '2 us'));
    answers := ARRAY[t.may(p, 'M1', t.text(until - interval '1 us'), 1), t.may(p, 'M1', t.text(until), 10)];
    PERFORM t.stake(q, 'M2', t.text(until - interval '1 us')), t.settle('M2', t.text(until));
    RETURN answers || t.may(q, 'M2', t.text(until + interval '1 us'), 1)
                   || t.limits_are_right(p, t.text(until + interval '1 us'))::text
                   || t.limits_are_right(q, t.text(until + interval '1 us'))::text;
END $$;
SELECT is(t.lost('day', until), '{KC005,ok,KC005,true,true}', 'D4 §6.5: losses of the day: ' || day) FROM
  t.day;
SELECT is(t.lost('month', until), '{KC005,ok,KC005,true,true}', 'D4 §6.5: losses of the month: ' || until)
  FROM unnest('{2026-03-31 22:00+00,2026-10-31 23:00+00,2026-12-31 23:00+00,2028-02-29 23:00+00,
                2038-01-31 23:00+00,2100-02-28 23:00+00,2100-10-31 23:00+00}'::timestamptz[]) until;

-- ------------------------------------------------------------------------------------ figures
-- on each day a deposit of 1 at its first instant, of 2 at its last, and of 4 at the first of the next one
SELECT casino.register_player('figures') AS f \gset
CREATE TABLE t.before AS SELECT d.day, a.debits, a.credits
  FROM t.day d, casino.account_movements(d.day, d.day) a WHERE a.account = 'cash_and_bank';
SELECT casino.deposit(:f, v.amount, 'f' || v.amount || d.day, v.at)
  FROM t.day d
 CROSS JOIN LATERAL (VALUES (1, d.since), (2, d.until - interval '1 us'), (4, d.until)) v (amount, at)
 ORDER BY v.at \g /dev/null
SELECT is(a.debits - b.debits, 3.00, 'accounts of the day: ' || d.day)
  FROM t.day d
  JOIN t.before b ON b.day = d.day
 CROSS JOIN LATERAL casino.account_movements(d.day, d.day) a
 WHERE a.account = 'cash_and_bank';
SELECT is((SELECT sum(l.change) FROM casino.player_statement(:f, d.day, d.day) l WHERE l.kind = 'deposit'),
          3.00,
          'statement of the day: ' || d.day) FROM t.day d;
SELECT is((SELECT b.amount FROM casino.balance_statement(d.day) b WHERE b.line = 'opening'),
          (SELECT b.amount FROM casino.balance_statement(d.day - 1) b WHERE b.line = 'closing'),
          'R10.47: a day opens as the day before closed: ' || d.day) FROM t.day d;
SELECT is((SELECT sum(g.debit) FROM casino.gl_export(d.day, d.day) g
            WHERE g.document = d.day || '/deposit' AND g.account = 'cash_and_bank'),
          a.debits, 'R10.48: double entries of the day: ' || d.day)
  FROM t.day d
 CROSS JOIN LATERAL casino.account_movements(d.day, d.day) a
 WHERE a.account = 'cash_and_bank';
-- Rounds evaluated at both borders: of 1 and 2 on the day, of 4 on the next one. Their stakes were taken a
-- microsecond before: of 2 and 4 on the day, of 1 on the day before. Each counts on its own day (R9.1).
CREATE FUNCTION t.evaluated(at timestamptz, amount numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(100, t.text(at - interval '1 min'));
BEGIN
    PERFORM t.stake(p, 'E1', t.text(at - interval '1 us'), amount), t.settle('E1', t.text(at));
END $$;
SELECT t.evaluated(v.at, v.amount)
  FROM t.day d
 CROSS JOIN LATERAL (VALUES (1, d.since), (2, d.until - interval '1 us'), (4, d.until)) v (amount, at)
 ORDER BY v.at \g /dev/null
SELECT is((SELECT b.stakes FROM casino.tax_base(d.day, d.day) b WHERE b.game = 'roulette_evolution'), 6.00,
          'R9.1: tax base of the day: ' || d.day) FROM t.day d;
SELECT is((SELECT b.staked FROM casino.daily_table(d.day, d.day) b WHERE b.table_name = 'E1'), 3.00,
          'table of the day: ' || d.day) FROM t.day d;
SELECT is((SELECT sum(b.stakes) FROM casino.tax_base('2026-01-01', '2100-12-31') b
            WHERE b.game = 'roulette_evolution'), 70.00, 'and each counts once in the whole period');
-- a stake counts for its player on the day on which it was placed
SELECT is((SELECT sum(b.staked) FROM casino.player_day(d.day, d.day) b
            WHERE b.player_id IN (SELECT l.player_id
                                    FROM casino.ledger l
                                    JOIN casino.round r ON r.round_id = l.round_id
                                    JOIN casino.game_table g ON g.table_id = r.table_id AND g.name = 'E1')),
          6.00, 'players of the day: ' || d.day) FROM t.day d;
-- in a session of any zone; in one of them a day begins at one o'clock
CREATE FUNCTION t.in_zone(zone text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('timezone', zone, true);
    RETURN (SELECT md5(string_agg(x.row, '|' ORDER BY x.row))
              FROM (SELECT d.day || v.part || v.row
                      FROM (SELECT * FROM t.day WHERE hours <> 24) d
                     CROSS JOIN LATERAL (
                         SELECT 'tax' AS part, b::text AS row FROM casino.tax_base(d.day, d.day) b
                         UNION ALL SELECT 'table', b::text FROM casino.daily_table(d.day, d.day) b
                         UNION ALL SELECT 'account', b::text FROM casino.account_movements(d.day, d.day) b
                         UNION ALL SELECT 'balance', b::text FROM casino.balance_statement(d.day) b
                         UNION ALL SELECT 'entry', b::text FROM casino.gl_export(d.day, d.day) b
                         UNION ALL SELECT 'player', b::text FROM casino.player_day(d.day, d.day) b
                         UNION ALL SELECT 'late', extract(epoch FROM casino.payment_due_at(d.until, 30))::text
                         UNION ALL SELECT 'kept', extract(epoch FROM casino_internal.erasable_at(d.until,
                             d.until))::text
                         UNION ALL SELECT 'seven',
                             extract(epoch FROM casino_internal.limits_pass_until(d.until))::text
                         UNION ALL SELECT 'prompt', extract(epoch FROM casino.prompt_until(d.until))::text) v)
                             x (row));
END $$;
SELECT is(t.in_zone(zone), t.in_zone('Europe/Prague'), 'figures and deadlines in a session in ' || zone)
  FROM unnest('{UTC,America/Santiago,Asia/Kolkata}'::text[]) zone;
SET timezone = 'Europe/Prague';
-- Midnight of 6 September 2026 does not exist in Santiago: the fortnight of a page has its days all the same
CREATE FUNCTION t.fortnight(zone text) RETURNS xml LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('timezone', zone, true);
    RETURN casino.night_page('2026-09-08');
END $$;
SELECT casino.deposit(t.player(0), 7, 'fortnight', '2026-09-08 10:00+00') \g /dev/null
SELECT is(t.fortnight('America/Santiago')::text, t.fortnight('Europe/Prague')::text,
          'the page of a night, over a midnight that a session does not have');
SET timezone = 'Europe/Prague';
-- the hour that comes twice has the stakes of both
SELECT is((casino.daily_report('2026-10-25') -> 'stakes_by_hour' ->> 2)::numeric
          - coalesce((SELECT sum(l.amount) FROM casino.ledger l WHERE l.kind = 'stake'
                         AND l.posted_at >= '2026-10-25 00:00+00'
                         AND l.posted_at < '2026-10-25 02:00+00'), 0),
          0.00, 'stakes by hour: two hours of 02:00 are one line');
SELECT is(jsonb_array_length(casino.daily_report(day) -> 'stakes_by_hour'), 24,
          'stakes by hour: a day of any length has 24 lines: ' || day)
  FROM t.day WHERE hours <> 24 AND day < '2030-01-01';
SELECT is((SELECT starts_at FROM casino_internal.provider_setting_of('live', day)), since,
          'R10.42: the day of a provider: ' || day) FROM t.day;

-- ------------------------------------------------------------------------------------ evidence
SELECT is((SELECT casino.evidence_line('ledger', l) FROM casino.ledger l
            WHERE l.player_id = :f AND l.posted_at = d.until - interval '1 us')::jsonb
          #>> '{ledger,posted_at}',
          to_char((d.until - interval '1 us') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'a time in an export: ' || d.day) FROM t.day d;
CALL casino.nightly('2026-03-29');
CALL casino.nightly('2026-10-25');
SELECT is((SELECT string_agg(f.check_name, ' ' ORDER BY f.check_name)
             FROM casino.difference f
             JOIN casino.reconciliation r ON r.run_no = f.run_no
            WHERE r.to_day = d.day),
          'winnings_overdue withdrawal_overdue',
          'the night finds the two payments that are too late with the day, and nothing else: ' || d.day)
  FROM t.day d WHERE d.hours <> 24 AND d.day < '2026-11-01';
SELECT * FROM finish();
