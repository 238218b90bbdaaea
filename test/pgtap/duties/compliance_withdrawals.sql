-- D4 §11: withdrawals in cash and by transfer (§11.2), late payments (§11.1, §11.2), and refusals that are
-- not lost.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE FUNCTION t.ask(p bigint, amount numeric, method text, at text,
                      request text DEFAULT NULL) RETURNS bigint LANGUAGE sql AS
    'SELECT casino.request_withdrawal(p, amount, method, request, t.at(at))';
CREATE FUNCTION t.pay(id bigint, at text) RETURNS bigint LANGUAGE sql AS
    'SELECT casino.pay_withdrawal(id, t.at(at))';
CREATE FUNCTION t.cancel(id bigint, at text) RETURNS bigint LANGUAGE sql AS
    'SELECT casino.cancel_withdrawal(id, t.at(at))';
CREATE FUNCTION t.balance(p bigint)
RETURNS numeric
LANGUAGE sql AS 'SELECT balance FROM casino.player WHERE player_id = p';
CREATE FUNCTION t.insert(columns text, row_values text) RETURNS text LANGUAGE sql AS $$
    SELECT format('INSERT INTO casino.ledger (player_id, kind, %s) VALUES (%s)', columns, row_values) $$;
-- verdict on paying cash at an instant: asked for and paid, both taken back; by function and by INSERT
CREATE FUNCTION t.cash(p bigint, amount numeric, at text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    paid text := t.verdict(format('SELECT t.pay(t.ask(%s, %s, ''cash'', %L), %L)', p, amount, at, at));
    next_entry bigint := (SELECT last_entry_no + 1 FROM casino.player WHERE player_id = p);
    inserted text := t.verdict(t.insert('amount, method, posted_at',
                                        format('%s, ''withdrawal'', %s, ''cash'', t.at(%L)', p, amount, at))
                                            || ';'
                            || t.insert('withdrawal_entry_no, posted_at',
                                        format('%s, ''cash_paid'', %s, t.at(%L)', p, next_entry, at)));
BEGIN
    RETURN CASE WHEN paid = inserted THEN paid
        ELSE format('pay_withdrawal %s, INSERT %s', paid, inserted) END;
END $$;

CREATE TABLE t.x AS SELECT t.player(100000) AS a, t.player(100000) AS b, t.player(100000) AS c,
    t.player(100000) AS d, t.player(100000) AS e;

-- ---------------------------------------------------------------- §11.2 a): cash (R7.34)
SELECT is(t.cash(a, 10000, '10:00'), 'ok', '§11.2 a: 10 000.00 CZK in cash') FROM t.x;
SELECT is(t.cash(a, 10000.01, '10:00'), 'KC003', '§11.2 a: 10 000.01 CZK are too many') FROM t.x;
SELECT t.pay(t.ask(a, 4000, 'cash', '10:00'), '10:00'), t.pay(t.ask(a, 3000, 'cash', '12:00'), '12:00')
  FROM t.x \g /dev/null
SELECT is(t.cash(a, 3000, '12:00'), 'ok', '§11.2 a: several payments, the rest') FROM t.x;
SELECT is(t.cash(a, 3000.01, '12:00'), 'KC003', '§11.2 a: several payments, one haléř above') FROM t.x;
SELECT is(t.detail(format('SELECT t.pay(t.ask(%s, 3000.01, ''cash'', ''12:00''), ''12:00'')', a)),
          format('Player %s was paid 7000.00 CZK in cash in the 24 hours before (D4 §11.2 a).', a),
              '§11.2 a: the DETAIL of KC003') FROM t.x;
SELECT is(t.cash(a, 7000, '2026-06-02 09:59:59.999999'), 'KC003',
          '§11.2 a: one microsecond less than 24 hours ago still counts') FROM t.x;
SELECT is(t.cash(a, 7000, '2026-06-02 10:00'), 'ok', '§11.2 a: exactly 24 hours ago no longer counts')
  FROM t.x;
SELECT is(t.cash(a, 7000.01, '2026-06-02 10:00'), 'KC003', '§11.2 a: the other payment does') FROM t.x;
SELECT is(t.cash(a, 10000, '2026-06-02 12:00'), 'ok', '§11.2 a: until its own 24 hours are over') FROM t.x;
SELECT t.pay(t.ask(b, 10000, 'cash', '2026-03-28 12:00'), '2026-03-28 12:00') FROM t.x \g /dev/null
SELECT is(t.cash(b, 10000, '2026-03-29 12:59:59.999999'), 'KC003',
          '§11.2 a: 24 hours over the DST night of spring end at 13:00') FROM t.x;
SELECT is(t.cash(b, 10000, '2026-03-29 13:00'), 'ok', '§11.2 a: ... exactly') FROM t.x;
SELECT t.pay(t.ask(b, 10000, 'cash', '2026-10-24 12:00'), '2026-10-24 12:00') FROM t.x \g /dev/null
SELECT is(t.cash(b, 10000, '2026-10-25 10:59:59.999999'), 'KC003',
          '§11.2 a: 24 hours over the DST night of autumn end at 11:00') FROM t.x;
SELECT is(t.cash(b, 10000, '2026-10-25 11:00'), 'ok', '§11.2 a: ... exactly') FROM t.x;
-- judged at the payment: asked for yesterday, too much today; the request stands and can be paid later
CREATE TABLE t.w AS SELECT t.ask(c, 6000, 'cash', '10:00') AS first,
    t.ask(c, 6000, 'cash', '10:00') AS second, t.ask(c, 10000, 'cash', '10:00') AS huge FROM t.x;
SELECT is(t.balance(c), 78000.00, '§11.2: what is asked for leaves the wallet at the request') FROM t.x;
SELECT is((SELECT count(*) FROM casino.pending_withdrawals WHERE player_id = c), 3::bigint,
          '§11.2: pending_withdrawals shows them') FROM t.x;
SELECT t.pay(first, '10:05') FROM t.w \g /dev/null
SELECT is(t.verdict(format('SELECT t.pay(%s, ''2026-06-02 10:04:59.999999'')', second)), 'KC003',
          '§11.2 a: judged at the payment, not at the request') FROM t.w;
SELECT is(t.verdict(format('SELECT t.pay(%s, ''2026-06-02 10:05'')', second)), 'ok',
          '§11.2 a: it can be paid when there is room') FROM t.w;
SELECT t.cancel(huge, '10:10') FROM t.w \g /dev/null
SELECT is(t.balance(c), 88000.00, '§11.2: a cancelled request returns to the wallet') FROM t.x;
SELECT is(t.cash(c, 4000, '10:11'), 'ok', '§11.2 a: what was cancelled was not paid') FROM t.x;
-- transfers do not count
SELECT casino.set_payment_account(d, 'CZ65 0800 0000 1920 0014 5399', '2026-01-01') FROM t.x \g /dev/null
SELECT t.pay(t.ask(d, 50000, 'transfer', '10:00'), '10:00') FROM t.x \g /dev/null
SELECT is(t.cash(d, 10000, '10:01'), 'ok', '§11.2 a: transfers are not cash') FROM t.x;

-- ---------------------------------------------------------------- §11.2 b): transfers (R7.36)
SELECT throws_ok(format('SELECT t.ask(%s, 1, ''transfer'', ''10:00'')', e), 'KC006', NULL,
                 '§11.2 b: no transfer without a registered account') FROM t.x;
SELECT throws_ok(t.insert('amount, method, posted_at',
                          format('%s, ''withdrawal'', 1, ''transfer'', t.at(''10:00'')', e)), 'KC006', NULL,
                              '§11.2 b: nor by INSERT') FROM t.x;
SELECT is(casino.set_payment_account(e, 'first', '2026-01-01'), 1, '§11.2 b: an account') FROM t.x;
CREATE TABLE t.v AS SELECT t.ask(e, 100, 'transfer', '10:01') AS w1, t.ask(e, 200, 'transfer', '10:01') AS w2
    FROM t.x;
SELECT t.pay(w1, '10:02') FROM t.v \g /dev/null
SELECT is(casino.set_payment_account(e, 'second', '2026-01-02'), 2, '§11.2 b: another account') FROM t.x;
SELECT is(casino.set_payment_account(e, 'second', '2026-01-02'), 2, '§11.2 b: the same again is the same')
  FROM t.x;
SELECT t.pay(w2, '10:03') FROM t.v \g /dev/null
SELECT is((SELECT array_agg(format('%s to %s', amount, account) ORDER BY entry_no)
             FROM casino.payment_in_clear WHERE player_id = e AND kind = 'transfer_paid'),
          '{100.00 to first,200.00 to second}',
              '§11.2 b: paid to the account registered at the payment, which the entry keeps') FROM t.x;
SELECT is((SELECT array_agg(account ORDER BY account_no) FROM casino.account_in_clear WHERE player_id = e),
          '{first,second}', '§11.2 b: earlier accounts are kept') FROM t.x;
SELECT throws_ok(format('UPDATE casino.payment_account SET account = ''mine'' WHERE player_id = %s', e),
                 'KL001', NULL, '§11.2 b: and do not change') FROM t.x;
SELECT throws_ok(format('SELECT casino.set_payment_account(%s, '' '')', e), '22023', NULL,
                 '§11.2 b: an account has a number') FROM t.x;
SELECT throws_ok('SELECT casino.set_payment_account(0, ''x'')', '23503', NULL, '§11.2 b: unknown player');

-- ---------------------------------------------------------------- request, pay, cancel, twice
CREATE TABLE t.t AS SELECT t.ask(e, 50, 'cash', '11:00', 'r') AS w, t.ask(e, 60, 'cash', '11:00', 's') AS v
    FROM t.x;
SELECT is(t.ask(e, 50, 'cash', '11:30', 'r'), w, '§11.2: the same request again is the same withdrawal')
  FROM t.x, t.t;
SELECT throws_ok(format('SELECT t.ask(%s, 51, ''cash'', ''11:00'', ''r'')', e), 'KL003', NULL,
                 '§11.2: with another amount it is KL003') FROM t.x;
SELECT throws_ok(format('SELECT t.ask(%s, 50, ''transfer'', ''11:00'', ''r'')', e), 'KL003', NULL,
                 '§11.2: with another method too') FROM t.x;
SELECT is(t.pay(w, '11:01'), t.pay(w, '11:02'), '§11.2: paid twice is paid once') FROM t.t;
SELECT is((SELECT count(*) FROM casino.ledger WHERE player_id = e AND kind = 'cash_paid'), 1::bigint,
          '§11.2: one entry') FROM t.x;
SELECT throws_ok(format('SELECT t.cancel(%s, ''11:03'')', w), 'KL004', NULL,
                 '§11.2: what is paid is not cancelled') FROM t.t;
SELECT is(t.cancel(v, '11:04'), t.cancel(v, '11:05'), '§11.2: cancelled twice is cancelled once') FROM t.t;
SELECT throws_ok(format('SELECT t.pay(%s, ''11:06'')', v), 'KL004', NULL,
                 '§11.2: what is cancelled is not paid') FROM t.t;
SELECT throws_ok('SELECT casino.pay_withdrawal(999000000001)', '23503', NULL, '§11.2: unknown withdrawal');
SELECT throws_ok(format('SELECT casino.pay_withdrawal(casino.withdrawal_id(%s, 1))', e), '23503', NULL,
                 '§11.2: a deposit is no withdrawal') FROM t.x;
SELECT is((SELECT count(*) FROM casino.pending_withdrawals WHERE player_id = e), 0::bigint,
          '§11.2: nothing is pending') FROM t.x;
-- amounts and methods
SELECT throws_ok(format('SELECT t.ask(%s, %s, ''cash'', ''12:00'')', e, amount), code, NULL,
                 format('§11.2: amount %s', amount))
  FROM t.x, (VALUES ('0', '22003'), ('-1', '22003'), ('0.001', '22003'), ('''NaN''', '22003'),
             ('''Infinity''', '22003'), ('1e9', 'KC003')) v (amount, code);
SELECT throws_ok(format('SELECT t.ask(%s, 1, %s, ''12:00'')', e, method), '22023', NULL,
                 format('§11.2: method %s', method)) FROM t.x, unnest(ARRAY['''cheque''', 'NULL']) method;
SELECT throws_ok(format('SELECT t.ask(%s, %s, ''transfer'', ''12:00'')', e, t.balance(e) + 0.01), 'KL002',
                 NULL, '§11.2: one haléř more than he has') FROM t.x;
SELECT is(t.verdict(format('SELECT t.ask(%s, %s, ''transfer'', ''12:00'')', e, t.balance(e))), 'ok',
          '§11.2: all he has') FROM t.x;

-- ---------------------------------------------------------------- plain INSERTs
CREATE TABLE t.i AS SELECT t.player(1000) AS p;
SELECT casino.set_payment_account(p, 'CZ1', '2026-01-01') FROM t.i \g /dev/null
SELECT lives_ok(t.insert('amount, method, posted_at',
                         format('%s, ''withdrawal'', 100, ''cash'', t.at(''10:00'')', p)),
                             'INSERT: withdrawal in cash, entry 2') FROM t.i;
SELECT lives_ok(t.insert('amount, method, posted_at',
                         format('%s, ''withdrawal'', 200, ''transfer'', t.at(''10:00'')', p)),
                             'INSERT: withdrawal by transfer, entry 3') FROM t.i;
SELECT lives_ok(t.insert('amount, method, posted_at',
                         format('%s, ''withdrawal'', 300, ''cash'', t.at(''10:00'')', p)),
                             'INSERT: withdrawal in cash, entry 4') FROM t.i;
SELECT is(t.balance(p), 400.00, 'INSERT: they leave the wallet') FROM t.i;
SELECT throws_ok(t.insert(columns, format('%s, %s, t.at(''10:01'')', p, vals)), code, NULL, what)
  FROM t.i, (VALUES
    ('amount, posted_at', '''withdrawal'', 5', '22023', 'INSERT: a withdrawal without method'),
    ('amount, method, withdrawal_entry_no, posted_at', '''withdrawal'', 5, ''cash'', 2', '22023',
     'INSERT: a withdrawal of a withdrawal'),
    ('amount, method, account, posted_at', '''withdrawal'', 5, ''transfer'', ''mine''', '22023',
     'INSERT: a withdrawal with an account of its own'),
    ('method, posted_at', '''withdrawal'', ''cash''', '22004', 'INSERT: a withdrawal without amount'),
    ('amount, method, posted_at', '''withdrawal'', -5, ''cash''', '22003', 'INSERT: a negative withdrawal'),
    ('amount, posted_at', '''cash_paid'', 100', '22004', 'INSERT: cash paid for no withdrawal'),
    ('withdrawal_entry_no, posted_at', '''cash_paid'', 1', 'KL004', 'INSERT: cash paid for a deposit'),
    ('withdrawal_entry_no, posted_at', '''cash_paid'', 77', 'KL004', 'INSERT: cash paid for nothing'),
    ('withdrawal_entry_no, posted_at', '''cash_paid'', 3', 'KL004', 'INSERT: cash paid for a transfer'),
    ('withdrawal_entry_no, posted_at', '''transfer_paid'', 2', 'KL004', 'INSERT: a transfer for cash'),
    ('amount, withdrawal_entry_no, posted_at', '''cash_paid'', 99.99, 2', 'KL004', 'INSERT: another amount'),
    ('withdrawal_entry_no, account, posted_at', '''transfer_paid'', 3, ''mine''', '22023',
     'INSERT: a transfer to another account'),
    ('withdrawal_entry_no, method, posted_at', '''cash_paid'', 2, ''cash''', '22023',
     'INSERT: a payment with a method'),
    ('amount, account, posted_at', '''deposit'', 5, ''mine''', '22023', 'INSERT: a deposit with an account'),
    ('withdrawal_entry_no, round_id, posted_at', '''cash_paid'', 2, 1', '22023',
     'INSERT: a payment with a round'),
    ('withdrawal_entry_no, posted_at', '''withdrawal_cancelled'', 1', 'KL004', 'INSERT: a deposit cancelled')
  ) v (columns, vals, code, what);
SELECT lives_ok(t.insert('withdrawal_entry_no, posted_at',
                         format('%s, ''cash_paid'', 2, t.at(''10:02'')', p)), 'INSERT: cash paid') FROM t.i;
SELECT lives_ok(t.insert('withdrawal_entry_no, posted_at',
                         format('%s, ''transfer_paid'', 3, t.at(''10:02'')', p)), 'INSERT: transfer paid')
                             FROM t.i;
SELECT lives_ok(t.insert('withdrawal_entry_no, amount, posted_at',
                         format('%s, ''withdrawal_cancelled'', 4, 300, t.at(''10:02'')', p)),
                             'INSERT: cancelled') FROM t.i;
SELECT throws_ok(t.insert('withdrawal_entry_no, posted_at',
                          format('%s, %L, %s, t.at(''10:03'')', p, kind, n)), 'KL004', NULL,
                              format('INSERT: %s of entry %s a second time', kind, n))
  FROM t.i, (VALUES ('cash_paid', 2), ('withdrawal_cancelled', 2), ('transfer_paid', 3), ('cash_paid', 4),
             ('withdrawal_cancelled', 4)) v (kind, n);
SELECT is((SELECT array_agg(format('%s %s %s', kind, amount,
                                   coalesce(casino.clear_text_of(player_id, account), '-'))
                            ORDER BY entry_no)
           FROM casino.ledger WHERE player_id = p AND entry_no > 4),
          '{cash_paid 100.00 -,transfer_paid 200.00 CZ1,withdrawal_cancelled 300.00 -}',
              'INSERT: amount and account follow from the withdrawal') FROM t.i;
SELECT is(t.balance(p), 700.00, 'INSERT: payments move no wallet, a cancellation returns') FROM t.i;
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance is zero');

-- ---------------------------------------------------------------- §11.2: 60 days (R7.37)
CREATE FUNCTION t.late_withdrawal(asked text, last text, first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(1000, '2025-01-01 00:00');
    w bigint[];
BEGIN
    PERFORM casino.set_payment_account(p, 'CZ1', '2025-01-01');
    w := ARRAY[t.ask(p, 10, 'transfer', asked), t.ask(p, 20, 'transfer', asked), t.ask(p, 30, 'cash', asked),
               t.ask(p, 40, 'cash', asked)];
    RETURN NEXT is((SELECT DISTINCT due_at FROM casino.pending_withdrawals WHERE player_id = p), t.at(first),
                   format('§11.2: asked for at %s: due_at', asked));
    PERFORM t.pay(w[1], last), t.pay(w[3], last);
    RETURN NEXT is((SELECT count(*) FROM casino.breach WHERE player_id = p), 0::bigint,
                   format('§11.2: asked for at %s: in time to the last microsecond of the 60th day', asked));
    PERFORM t.pay(w[2], first), t.pay(w[4], first);
    RETURN NEXT is((SELECT array_agg(format('%s %s %s %s', b.entry_no, b.rule, b.detail ->> 'amount',
                                            b.occurred_at) ORDER BY b.entry_no) FROM casino.breach b
                                                WHERE b.player_id = p),
                   ARRAY[format('3 withdrawal_late 20.00 %s', t.at(first)),
                         format('5 withdrawal_late 40.00 %s', t.at(first))],
                   format('§11.2: asked for at %s: paid later, and recorded as a breach', asked));
    RETURN NEXT is((SELECT (detail ->> 'requested_at')::timestamptz = t.at(asked)
                    AND (detail ->> 'due_at')::timestamptz = t.at(first)
                        AND (detail ->> 'paid_at')::timestamptz = t.at(first)
                      FROM casino.breach WHERE player_id = p
                          LIMIT 1), true, format('§11.2: asked for at %s: the breach has the values', asked));
END $$;
SELECT t.late_withdrawal('2026-06-01 00:00', '2026-07-31 23:59:59.999999', '2026-08-01 00:00');
SELECT t.late_withdrawal('2026-06-01 23:59:59.999999', '2026-07-31 23:59:59.999999', '2026-08-01 00:00');
SELECT t.late_withdrawal('2026-01-28 12:00', '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02');
SELECT t.late_withdrawal('2026-01-29 12:00', '2026-03-30 23:59:59.999999+02', '2026-03-31 00:00+02');
SELECT t.late_withdrawal('2026-08-26 12:00', '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01');
SELECT t.late_withdrawal('2025-12-31 23:00', '2026-03-01 23:59:59.999999', '2026-03-02 00:00');
-- by INSERT, and a cancellation: late too
CREATE TABLE t.li AS SELECT t.player(1000, '2025-01-01 00:00') AS p;
SELECT t.ask(p, 10, 'cash', '2026-06-01 10:00'), t.ask(p, 20, 'cash', '2026-06-01 10:00')
  FROM t.li \g /dev/null
SELECT lives_ok(t.insert('withdrawal_entry_no, posted_at', format('%s, ''cash_paid'', 2, ''2026-09-01''', p)),
                '§11.2: late by INSERT') FROM t.li;
SELECT lives_ok(t.insert('withdrawal_entry_no, posted_at',
                         format('%s, ''withdrawal_cancelled'', 3, ''2026-09-01''', p)),
                             '§11.2: cancelled late') FROM t.li;
SELECT is((SELECT array_agg(entry_no ORDER BY entry_no) FROM casino.breach WHERE player_id = p), '{2,3}',
          '§11.2: each is a breach of the withdrawal') FROM t.li;
SELECT throws_ok(format('DELETE FROM casino.breach WHERE player_id = %s', p), 'KL001', NULL,
                 'breaches are append-only') FROM t.li;
-- overdue, by the clock
CREATE TABLE t.o AS SELECT t.player(1000, '2025-01-01 00:00') AS p,
    casino.prague_day(clock_timestamp()) AS today;
SELECT t.ask(p, 61, 'cash',
             ((today - 61)::timestamp AT TIME ZONE 'Europe/Prague' + interval '12 hours')::text)
                 FROM t.o \g /dev/null
SELECT t.ask(p, 60, 'cash',
             ((today - 60)::timestamp AT TIME ZONE 'Europe/Prague' + interval '12 hours')::text)
                 FROM t.o \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', amount, overdue) ORDER BY amount) FROM casino.pending_withdrawals
           WHERE player_id = p), '{60.00 f,61.00 t}',
          '§11.2: pending_withdrawals: asked for 61 days ago is overdue, 60 days ago is not') FROM t.o;
SELECT is((SELECT (withdrawal_id, method, requested_at) FROM casino.pending_withdrawals
           WHERE player_id = p AND overdue),
          (casino.withdrawal_id(p, 2), 'cash'::text,
           (today - 61)::timestamp AT TIME ZONE 'Europe/Prague' + interval '12 hours'),
               '§11.2: with its number, method and time') FROM t.o;

-- ---------------------------------------------------------------- §11.1: 30 days (R7.33)
CREATE FUNCTION t.late_winnings(evaluated text, last text,
                                first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint[] := ARRAY[t.player(1000, '2025-01-01 00:00'), t.player(1000, '2025-01-01 00:00'),
                        t.player(1000, '2025-01-01 00:00')];
    r bigint[];
BEGIN
    FOR i IN 1 .. 3 LOOP
        PERFORM t.stake(p[i], 'S1', evaluated, 100);
        r[i] := t.settle('S1', evaluated, true, true);
    END LOOP;
    RETURN NEXT is((SELECT array_agg(format('%s %s %s', payout, grade, due_at)) FROM casino.unpaid_winnings
                    WHERE player_id = p[1]),
                   ARRAY[format('200.00 win %s', t.at(first))],
                       format('§11.1: evaluated at %s: unpaid_winnings, due_at', evaluated));
    PERFORM casino.pay_withheld(r[1], t.at(last));
    RETURN NEXT is((SELECT count(*) FROM casino.breach WHERE player_id = p[1]), 0::bigint,
                   format('§11.1: evaluated at %s: in time to the last microsecond of the 30th day',
                          evaluated));
    PERFORM casino.pay_withheld(r[2], t.at(first));
    INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at) VALUES (p[3], 'payout',
            200, 2, t.at(first));
    RETURN NEXT is((SELECT array_agg(format('%s %s %s', b.entry_no, b.rule, b.detail ->> 'amount')
                                     ORDER BY b.player_id) FROM casino.breach b WHERE b.player_id = ANY (p)),
                   ARRAY['2 winnings_late 200.00', '2 winnings_late 200.00'],
                       format('§11.1: evaluated at %s: paid later by function and by INSERT, '
                              'and recorded as a breach',
                              evaluated));
    PERFORM casino.pay_withheld(r[3], t.at(first) + interval '1 day');
    RETURN NEXT is((SELECT count(*) FROM casino.breach b WHERE b.player_id = p[3]), 1::bigint,
                   format('§11.1: evaluated at %s: once', evaluated));
    RETURN NEXT is((SELECT count(*) FROM casino.unpaid_winnings WHERE player_id = ANY (p)), 0::bigint,
                   format('§11.1: evaluated at %s: all is paid', evaluated));
END $$;
SELECT t.late_winnings('2026-06-01 00:00', '2026-07-01 23:59:59.999999', '2026-07-02 00:00');
SELECT t.late_winnings('2026-06-01 23:59:59.999999', '2026-07-01 23:59:59.999999', '2026-07-02 00:00');
SELECT t.late_winnings('2026-02-27 12:00', '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02');
SELECT t.late_winnings('2026-09-25 12:00', '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01');
-- a withheld round that nobody pays keeps its deadline; only what wins is due
CREATE TABLE t.h AS SELECT t.player(1000, '2025-01-01 00:00') AS p,
    casino.prague_day(clock_timestamp()) AS today;
SELECT t.stake(p, 'S2', ((today - 31)::timestamp AT TIME ZONE 'Europe/Prague')::text),
    t.settle('S2', ((today - 31)::timestamp AT TIME ZONE 'Europe/Prague')::text, true, true)
        FROM t.h \g /dev/null
SELECT t.stake(p, 'S2', ((today - 30)::timestamp AT TIME ZONE 'Europe/Prague')::text, 20),
    t.settle('S2', ((today - 30)::timestamp AT TIME ZONE 'Europe/Prague')::text, true, true)
        FROM t.h \g /dev/null
SELECT t.stake(p, 'S2', ((today - 30)::timestamp AT TIME ZONE 'Europe/Prague')::text, 30),
    t.settle('S2', ((today - 30)::timestamp AT TIME ZONE 'Europe/Prague')::text, false, true)
        FROM t.h \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', payout, overdue) ORDER BY entry_no) FROM casino.unpaid_winnings
           WHERE player_id = p), '{"20.00 t","40.00 f"}',
          '§11.1: unpaid_winnings: evaluated 31 days ago is overdue, 30 days ago is not; '
          'what lost is not due') FROM t.h;
SELECT throws_ok(format('SELECT casino.pay_withheld(round_id), casino.void_round(round_id, ''never mind'')
                           FROM casino.wager
                          WHERE player_id = %s
                          LIMIT 1',
                        p),
                 'KR002', NULL, '§9.2: a round that is paid has its result and is not voided')
  FROM t.h;

-- ---------------------------------------------------------------- refusals: two ways
CREATE TABLE t.r AS SELECT t.player(1000) AS p, t.round('S1', '10:00') AS live,
    t.round('M1', '10:00') AS other;
SELECT is((SELECT (accepted, entry_nos, code, message, detail)
           FROM casino.try_place_bets(live, p, '{red@100,black@50}', 'one', at => t.at('10:00'))),
          (true, '{2,3}'::bigint[], NULL::text, NULL::text, NULL::text),
              'try_place_bets: accepted, with the entry numbers') FROM t.r;
SELECT is((SELECT (accepted, entry_nos) FROM casino.try_place_bets(live, p, '{red@100,black@50}', 'one',
        at => t.at('10:05'))), (true, '{2,3}'::bigint[]),
          'try_place_bets: its retry has the same entries') FROM t.r;
SELECT is((SELECT (accepted, entry_nos, code) FROM casino.try_place_bets(other, p, '{red@10000}', 'two',
        at => t.at('10:06'))), (false, NULL::bigint[], 'KL002'::text), 'try_place_bets: refused') FROM t.r;
SELECT is((SELECT format('%s %s %s %s %s %s %s', refusal_no, round_id = other, bets, request_id, code,
                         refused_at::time, detail) FROM casino.refusal f WHERE f.player_id = t.r.p),
          '1 t {red@10000.00} two KL002 10:06:00 9150.00 CZK are missing.',
              'try_place_bets: the refusal is on record with what was wanted and why') FROM t.r;
SELECT is(t.balance(p), 850.00, 'try_place_bets: a refusal takes nothing') FROM t.r;
SELECT casino.deposit(p, 20000, at => t.at('10:07')) FROM t.r \g /dev/null
SELECT is((SELECT (accepted, entry_nos) FROM casino.try_place_bets(other, p, '{red@10000}', 'two',
        at => t.at('10:08'))), (true, '{5}'::bigint[]),
          'try_place_bets: the same request may be accepted later: a refusal is no content') FROM t.r;
SELECT casino.exclude_player(p, t.at('11:00'), 'self', t.at('10:10')) FROM t.r \g /dev/null
SELECT is((SELECT array_agg(code) FROM casino.try_place_bets(live, p, '{red@1}', at => t.at('10:10'))),
          '{KC004}', 'try_place_bets: KC004') FROM t.r;
SELECT is((SELECT array_agg(code) FROM casino.try_place_bets(live, p, '{red@1}', at => t.at('09:00'))),
          '{KL005}', 'try_place_bets: KL005') FROM t.r;
SELECT is((SELECT array_agg(code) FROM casino.try_place_bets(live, p, '{red@1}', 'one', at => t.at('10:11'))),
          '{KL003}', 'try_place_bets: KL003') FROM t.r;
SELECT is((SELECT array_agg(code) FROM casino.try_place_bets(live, p, '{main@1}', at => t.at('11:00'))),
          '{KB004}', 'try_place_bets: KB004') FROM t.r;
SELECT is((SELECT array_agg(format('%s %s', refusal_no, code) ORDER BY refusal_no) FROM casino.refusal f
           WHERE f.player_id = t.r.p),
          '{1 KL002,2 KC004,3 KL005,4 KL003,5 KB004}', 'try_place_bets: numbered from 1, each on record')
              FROM t.r;
SELECT throws_ok(format('SELECT casino.try_place_bets(0, %s, ''{red@1}'')', p), '23503', NULL,
                 'try_place_bets: an unknown round is an error, not a refusal') FROM t.r;
SELECT throws_ok(format('SELECT casino.try_place_bets(%s, %s, NULL)', live, p), '22004', NULL,
                 'try_place_bets: no bets is an error, not a refusal') FROM t.r;
SELECT throws_ok(format('SELECT casino.place_bet(%s, %s, ''main@1'', at => t.at(''11:00''))', live, p),
                 'KB004', NULL, 'place_bet: refused') FROM t.r;
SELECT is((SELECT count(*) FROM casino.refusal f WHERE f.player_id = t.r.p), 5::bigint,
          'place_bet: its refusal leaves no row: the error took everything back') FROM t.r;
SELECT throws_ok('DELETE FROM casino.refusal', 'KL001', NULL, 'refusals are append-only');
SELECT throws_ok('UPDATE casino.refusal SET code = NULL', 'KL001', NULL, 'refusals do not change');

-- --------------------------------------------- §11.2 a: cash is counted at the person's open account (R7.35)
CREATE TABLE t.closed AS SELECT t.player(0) AS p;
SELECT casino.close_account(p, t.at('10:00')) FROM t.closed \g /dev/null
SELECT casino.adjust(p, 500, 'found later', at => t.at('10:01')) FROM t.closed \g /dev/null
SELECT throws_ok(format('SELECT casino.request_withdrawal(%s, 500, ''cash'', at => t.at(''10:02''))', p),
                 '55000', NULL, '§11.2 a: no cash from a closed account') FROM t.closed;
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, method, amount, posted_at)
                         VALUES (%s, ''withdrawal'', ''cash'', 500, t.at(''10:02''))',
                        p),
                 '55000', NULL,
                 '§11.2 a: ... nor by INSERT') FROM t.closed;
SELECT casino.set_payment_account(p, 'CZ2', '2026-01-01') FROM t.closed \g /dev/null
SELECT lives_ok(format('SELECT casino.pay_withdrawal(casino.request_withdrawal(%s, 500, ''transfer'',
                                                                               at => t.at(''10:02'')),
                                                     t.at(''10:03''))',
                       p),
                '§11.2 b: but a transfer')
  FROM t.closed;

-- ------------------------------------------------- §11.2 a: no other account while cash counts for the limit
CREATE TABLE t.emptied AS SELECT t.player(10000) AS p;
SELECT t.pay(t.ask(p, 10000, 'cash', '10:01'), '10:01') FROM t.emptied \g /dev/null
SELECT is(t.balance(p), 0.00, 'the account is empty') FROM t.emptied;
SELECT throws_ok(format('SELECT casino.close_account(%s, ''2026-06-02 10:00:59.999999'')', p), '55000', NULL,
                 '§11.2 a: not closed less than 24 hours after cash was paid') FROM t.emptied;
SELECT lives_ok(format('SELECT casino.close_account(%s, ''2026-06-02 10:01'')', p),
                '§11.2 a: 24 hours after it') FROM t.emptied;
CREATE TABLE t.again AS SELECT casino.register_player(a.external_ref) AS p FROM t.emptied e
    JOIN casino.player a ON a.player_id = e.p;
SELECT casino.deposit(p, 20000, at => '2026-06-02 09:00') FROM t.again \g /dev/null
SELECT is(t.cash(p, 0.01, '2026-06-02 10:00:59.999999'), 'KC003',
          '§11.2 a, R7.35: paid by another account of the person within the 24 hours, '
          'as events may be dated, it counts') FROM t.again;
SELECT is(t.cash(p, 10000, '2026-06-02 10:01'), 'ok', '§11.2 a, R7.35: ... until they are over') FROM t.again;

-- ---------------------------------------------------------------- values that are not numbers
SELECT throws_ok(format('SELECT casino.%s(%s)', f, id), '23503', format('withdrawal %s does not exist', id),
                 format('%s of %s names the number it was given', f, id))
  FROM unnest('{pay_withdrawal,cancel_withdrawal,approve_withdrawal}'::text[]) f,
      unnest('{1,-1,1000000,999999000000001}'::bigint[]) id;

-- ---------------------------------------------------------------- the whole
SELECT is((SELECT count(*) FROM casino.player p
           WHERE p.balance <> (SELECT coalesce(sum(s.change), 0) FROM casino.statement s
                               WHERE s.player_id = p.player_id)), 0::bigint, 'balances are sums of entries');
SELECT set_eq('SELECT player_id, entry_no FROM casino.open_withdrawal',
              $$SELECT w.player_id, w.entry_no FROM casino.ledger w WHERE w.kind = 'withdrawal'
                 AND NOT EXISTS (SELECT FROM casino.ledger e
                                 WHERE e.player_id = w.player_id
                                     AND e.withdrawal_entry_no = w.entry_no)$$,
                                         'open_withdrawal is what the ledger has open');
SELECT * FROM finish();
