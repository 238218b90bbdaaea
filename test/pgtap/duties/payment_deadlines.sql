-- D4 §11.1, §11.2 b): what is not paid by its deadline is a breach, once: in the night it passes, at the
-- payment or at the cancellation; a cash request that could never be paid (§11.2 a) is refused.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE FUNCTION t.breaches(p bigint) RETURNS text[] LANGUAGE sql AS $$
    SELECT coalesce(array_agg(format('%s %s', entry_no, rule) ORDER BY entry_no), '{}') FROM casino.breach
     WHERE player_id = p $$;
CREATE FUNCTION t.night(at text) RETURNS bigint LANGUAGE sql AS 'SELECT casino.record_overdue(t.at(at))';

-- ------------------------ both sides of the boundary, Prague days, also over the change of the clock (R7.38)
-- asked for or evaluated at; the last instant in time; the first
-- that is late: counted on a calendar of 2026
CREATE TABLE t.boundary (days integer, since text, last text, first text);
INSERT INTO t.boundary VALUES
    (60, '2026-06-01 00:00',           '2026-07-31 23:59:59.999999+02', '2026-08-01 00:00+02'),
    (60, '2026-06-01 23:59:59.999999', '2026-07-31 23:59:59.999999+02', '2026-08-01 00:00+02'),
    -- ends on the day of 23 hours
    (60, '2026-01-28 12:00',           '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02'),
    -- ends on the day of 25 hours
    (60, '2026-08-26 12:00',           '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01'),
    (30, '2026-06-01 00:00',           '2026-07-01 23:59:59.999999+02', '2026-07-02 00:00+02'),
    (30, '2026-06-01 23:59:59.999999', '2026-07-01 23:59:59.999999+02', '2026-07-02 00:00+02'),
    (30, '2026-02-27 12:00',           '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02'),
    (30, '2026-09-25 12:00',           '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01');

-- withdrawals of a player: 2 and 3 by transfer, 4 and 5 in cash
CREATE FUNCTION t.asked(since text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(1000, '2025-01-01 00:00');
BEGIN
    PERFORM casino.set_payment_account(p, 'CZ1', '2025-01-01');
    PERFORM casino.request_withdrawal(p, amount, method, at => t.at(since))
       FROM (VALUES (10, 'transfer'), (20, 'transfer'), (30, 'cash'), (40, 'cash')) v (amount, method);
    RETURN p;
END $$;
CREATE FUNCTION t.withdrawal_boundary(since text, last text,
                                      first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.asked(since);
    q bigint := t.asked(since);
BEGIN
    RETURN NEXT is(t.night(last), 0::bigint,
                   format('§11.2 b: asked for at %s: nothing is overdue at the last instant of the 60th day',
                          since));
    RETURN NEXT is(t.breaches(p), '{}', '... and no breach is there');
    PERFORM casino.pay_withdrawal(casino.withdrawal_id(p, 2), t.at(last)),
        casino.cancel_withdrawal(casino.withdrawal_id(p, 4), t.at(last));
    RETURN NEXT is(t.breaches(p), '{}', '... paid or cancelled then is in time');
    RETURN NEXT is(t.night(first), 6::bigint, '... one instant later all that is open is a breach');
    RETURN NEXT is(t.breaches(p) || t.breaches(q),
                   '{3 withdrawal_late,5 withdrawal_late,2 withdrawal_late,3 withdrawal_late,'
                   '4 withdrawal_late,5 withdrawal_late}',
                   '... each of the withdrawal');
    RETURN NEXT is(t.night(first), 0::bigint, '... recorded once');
    PERFORM casino.pay_withdrawal(casino.withdrawal_id(p, 3), t.at(first)),
        casino.cancel_withdrawal(casino.withdrawal_id(p, 5), t.at(first));
    RETURN NEXT is(t.breaches(p), '{3 withdrawal_late,5 withdrawal_late}',
                   '... and paid or cancelled afterwards it stays one breach');
    RETURN NEXT is((SELECT array_agg(DISTINCT b.occurred_at) FROM casino.breach b
                    WHERE b.player_id IN (p, q)), ARRAY[t.at(first)], '... dated when the deadline passed');
    RETURN NEXT is((SELECT array_agg(format('%s %s', l.entry_no, l.ended) ORDER BY l.entry_no)
                    FROM casino.late_payment l
                        WHERE l.player_id = p), '{3 transfer_paid,5 withdrawal_cancelled}',
                            '... late_payment says how they ended');
    -- the others end the list for the next boundary
    PERFORM casino.pay_withdrawal(casino.withdrawal_id(q, e), t.at(first)) FROM generate_series(2, 5) e;
END $$;
SELECT t.withdrawal_boundary(since, last, first) FROM t.boundary WHERE days = 60;
-- without the night: at the payment and at the cancellation
CREATE FUNCTION t.without_night(since text, last text, first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.asked(since);
BEGIN
    PERFORM casino.cancel_withdrawal(casino.withdrawal_id(p, 2), t.at(last));
    PERFORM casino.cancel_withdrawal(casino.withdrawal_id(p, 3), t.at(first)),
        casino.pay_withdrawal(casino.withdrawal_id(p, 4), t.at(first));
    INSERT INTO casino.ledger (player_id, kind, withdrawal_entry_no, posted_at) VALUES (p,
            'withdrawal_cancelled', 5, t.at(first));
    RETURN NEXT is(t.breaches(p), '{3 withdrawal_late,4 withdrawal_late,5 withdrawal_late}',
                   format('§11.2 b: asked for at %s: cancelled (also by INSERT) or paid too late is a breach '
                          'without the night',
                          since));
    PERFORM casino.cancel_withdrawal(casino.withdrawal_id(p, 3), t.at(first));
    RETURN NEXT is((SELECT array_agg(format('%s%s', detail ->> 'cancelled_at' IS NOT NULL,
                                            detail ->> 'paid_at' IS NOT NULL) ORDER BY entry_no)
                                                FROM casino.breach WHERE player_id = p),
                   '{tf,ft,tf}', '... the detail says which');
END $$;
SELECT t.without_night(since, last, first) FROM t.boundary WHERE days = 60;
-- a new request hides nothing
CREATE TABLE t.again AS SELECT t.asked('2026-01-01 10:00') AS p;
SELECT casino.cancel_withdrawal(casino.withdrawal_id(p, 2), '2026-05-01'),
    casino.request_withdrawal(p, 10, 'transfer', at => '2026-05-01') FROM t.again \g /dev/null
SELECT is(t.breaches(p), '{2 withdrawal_late}',
          '§11.2 b: cancelled after the 60th day and asked for again: the breach is there') FROM t.again;
SELECT is(t.night('2026-05-02'), 3::bigint, '§11.2 b: the others that are open become breaches in the night')
  FROM t.again;
SELECT casino.cancel_withdrawal(withdrawal_id, '2026-05-02') FROM t.again
  JOIN casino.pending_withdrawals ON player_id = p \g /dev/null

-- ---------------------------------------------------------------- winnings
-- a withheld round of three winners (2: paid by function, one by hand) and a loser
CREATE FUNCTION t.withheld(since text, OUT r bigint, OUT p bigint[]) LANGUAGE plpgsql AS $$
BEGIN
    p := ARRAY[t.player(), t.player(), t.player()];
    r := casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'M1'),
                           'late ' || nextval('t.serial'), t.at(since));
    PERFORM casino.place_bet(r, p[1], 'red@100', at => t.at(since)),
        casino.place_bet(r, p[2], 'red@100', at => t.at(since)),
            casino.place_bet(r, p[3], 'black@100', at => t.at(since));
    PERFORM casino.settle_round(r, '{"number": 1}', t.at(since), withhold => true);
END $$;
CREATE FUNCTION t.winnings_boundary(since text, last text,
                                    first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    a record; b record; c record;
BEGIN
    SELECT * INTO a FROM t.withheld(since); SELECT * INTO b FROM t.withheld(since); SELECT * INTO c
      FROM t.withheld(since);
    RETURN NEXT is(t.night(last), 0::bigint,
                   format('§11.1: evaluated at %s: nothing is overdue at the last instant of the 30th day',
                          since));
    PERFORM casino.pay_withheld(a.r, t.at(last));
    INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at) VALUES (b.p[1], 'payout',
            200, 2, t.at(last));
    RETURN NEXT is(t.night(first), 3::bigint,
                   '... one instant later every winning wager that is not paid is a breach');
    RETURN NEXT is((SELECT string_agg(t.breaches(u)::text, ' ' ORDER BY n)
                    FROM unnest(ARRAY[a.p[1], b.p[1], b.p[2], c.p[1], c.p[2], c.p[3]]) WITH ORDINALITY x (u,
                            n)),
                   '{} {} {"2 winnings_late"} {"2 winnings_late"} {"2 winnings_late"} {}',
                       '... of the wager; losers have none');
    RETURN NEXT is(t.night(first), 0::bigint, '... recorded once');
    PERFORM casino.pay_withheld(b.r, t.at(first)), casino.pay_withheld(c.r, t.at(first));
    RETURN NEXT is((SELECT array_agg(format('%s %s %s', l.amount, l.ended, l.due_at = t.at(first)))
                    FROM casino.late_payment l WHERE l.player_id = ANY (b.p || c.p)),
                   '{200.00 payout t,200.00 payout t,200.00 payout t}',
                       '... and paid afterwards it stays one breach');
END $$;
SELECT t.winnings_boundary(since, last, first) FROM t.boundary WHERE days = 30;

-- ---------------------------------------------------------------- a delay that is excused (R7.39)
CREATE TABLE t.excuse AS SELECT t.asked('2026-01-01 10:00') AS p;
SELECT throws_ok(format('SELECT casino.excuse_delay(%s, 2, ''bank'', ''2026-01-04 23:59:59'')', p), '55000',
                 NULL, 'R7.39: a delay: it is prompt yet') FROM t.excuse;
SELECT t.night('2026-04-01 00:00') \g /dev/null
SELECT is(casino.excuse_delay(p, 2, 'the bank was closed', '2026-04-02'), 1, 'a delay is excused')
  FROM t.excuse;
SELECT is(casino.excuse_delay(p, 2, 'the bank was closed', '2026-04-03'), 1,
          'the same reason again is the same') FROM t.excuse;
SELECT is(casino.excuse_delay(p, 2, 'the player gave another name', '2026-04-04'), 2, 'another one is added')
  FROM t.excuse;
SELECT is(t.breaches(p), '{2 withdrawal_late,3 withdrawal_late,4 withdrawal_late,5 withdrawal_late}',
          'it stays a breach') FROM t.excuse;
SELECT is((SELECT array_agg(format('%s %s %s', entry_no, excused, coalesce(excuse, '-')) ORDER BY entry_no)
           FROM casino.late_payment l WHERE l.player_id = e.p AND entry_no < 4),
          '{2 t the player gave another name,3 f -}', 'late_payment says which are excused') FROM t.excuse e;
SELECT is((SELECT excuse FROM casino.pending_withdrawals w WHERE w.player_id = e.p AND entry_no = 2),
          'the player gave another name', 'pending_withdrawals too') FROM t.excuse e;
SELECT throws_ok(format('SELECT casino.excuse_delay(%s, 2, %L)', p, reason), code, NULL, what)
  FROM t.excuse, (VALUES (' ', '22023', 'an excuse needs a reason'), (NULL, '22023', 'not NULL'),
                  (repeat('x', 1001), '22001', 'of 1000 bytes')) v (reason, code, what);
SELECT throws_ok(format('SELECT casino.excuse_delay(%s, 77, ''x'')', p), '55000', NULL,
                 'of an entry that is late') FROM t.excuse;
SELECT throws_ok('SELECT casino.excuse_delay(0, 1, ''x'')', '23503', NULL, 'of a player who exists');
SELECT throws_ok('UPDATE casino.excused_delay SET reason = ''none''', 'KL001', NULL,
                 'and stays as it was written');

-- ---------------------------------------------------------------- record_overdue() itself
SELECT throws_ok('SELECT casino.record_overdue(''infinity'')', '22008', NULL,
                 'record_overdue(): a finite time');
SET casino.clock_skew = 5;
SELECT throws_ok('SELECT casino.record_overdue(''2099-01-01'')', 'KL005', NULL,
                 'record_overdue(): not the future');
SELECT lives_ok('SELECT casino.record_overdue()', 'record_overdue(): now');
SET casino.clock_skew = -1;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT throws_ok('SELECT casino.record_overdue()', '25000', NULL,
                 'record_overdue(): never from an old snapshot');
ROLLBACK;
-- the first instant that is late stands two days back, and an event may be dated back by five days
CREATE TABLE t.waits AS
SELECT t.player(1000, '2025-01-01 00:00') AS p, casino.day_start(d.day) AS first,
       casino.day_start(d.day - 61) + interval '12 hours' AS since
  FROM (SELECT casino.prague_day(now()) - 2 AS day) d;
SELECT casino.request_withdrawal(p, 10, 'cash', at => since) FROM t.waits \g /dev/null
SET casino.clock_skew = '5d';
SELECT is(casino.record_overdue(first + interval '120 hours' - interval '1 microsecond'), 0::bigint,
          'R7.38: the night waits as long as an event may be dated back to a time before the deadline')
  FROM t.waits;
SELECT is(casino.record_overdue(first + interval '120 hours'), 1::bigint, 'R7.38: and no longer')
  FROM t.waits;
SELECT is(t.breaches(p), '{2 withdrawal_late}', 'R7.38: then it is a breach') FROM t.waits;
SET casino.clock_skew = -1;

-- ------------------------------------------------- §11.2 a): a cash request that could never be paid (R7.40)
CREATE TABLE t.cash AS SELECT t.player(50000) AS p;
SELECT lives_ok(format('SELECT casino.request_withdrawal(%s, 10000, ''cash'', at => ''2026-06-01'')', p),
                '§11.2 a: 10 000.00 CZK in cash may be asked for') FROM t.cash;
SELECT throws_ok(format('SELECT casino.request_withdrawal(%s, 10000.01, ''cash'', at => ''2026-06-01'')', p),
                 'KC003', NULL, '§11.2 a: 10 000.01 CZK may not') FROM t.cash;
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, method, posted_at)
                         VALUES (%s, ''withdrawal'', 10000.01, ''cash'', ''2026-06-01'')',
                        p),
                 'KC003', NULL, '§11.2 a: nor by INSERT')
  FROM t.cash;
SELECT lives_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, method, posted_at)
                        VALUES (%s, ''withdrawal'', 10000, ''cash'', ''2026-06-01'')',
                       p),
                '§11.2 a: 10 000.00 by INSERT')
  FROM t.cash;
SELECT is((SELECT balance FROM casino.player WHERE player_id = p), 30000.00,
          '§11.2 a: what is refused takes nothing from the wallet') FROM t.cash;
SELECT * FROM finish();
