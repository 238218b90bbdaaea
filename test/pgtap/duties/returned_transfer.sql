-- A transfer that was paid and comes back from the bank (R7.125): a deposit under a key of the withdrawal, or
-- an adjustment under that key, where no deposit may come; never both.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();
CREATE FUNCTION pg_temp.refusal(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION pg_temp.bank() RETURNS numeric LANGUAGE sql AS
    $$ SELECT debit - credit FROM casino.trial_balance WHERE account = 'cash_and_bank' $$;
CREATE FUNCTION pg_temp.wallet(p bigint) RETURNS numeric LANGUAGE sql AS
    'SELECT balance FROM casino.player WHERE player_id = p';
SELECT casino.register_player('A') AS a \gset
SELECT casino.deposit(:a, 1000, 'd', '2026-05-01 12:00', 'card') AS d,
       casino.set_payment_account(:a, 'CZ1', '2026-01-01') AS account \gset
SELECT casino.request_withdrawal(:a, 400, 'transfer', 'w', '2026-05-02 12:00') AS w \gset
SELECT casino.pay_withdrawal(:w, '2026-05-02 13:00', 'T-1') AS paid \gset
SELECT is(pg_temp.bank(), 600.00, 'paid: the bank has 600 of the 1000');
SELECT is(pg_temp.refusal(format('SELECT casino.cancel_withdrawal(%s)', :w)), 'KL004',
          'a withdrawal that was paid is not cancelled');
SELECT 'returned ' || :w AS key \gset

SELECT casino.deposit(:a, 400, :'key', '2026-05-05 09:00', 'transfer', 'R-1') AS back \gset
SELECT is(pg_temp.wallet(:a), 1000.00, 'R7.125: the money is in the wallet again');
SELECT is(pg_temp.bank(), 1000.00, 'R7.125: ... and at the bank');
SELECT is(casino.deposit(:a, 400, :'key', '2026-05-06 09:00', 'transfer', 'R-1'), :back::bigint,
          'R7.125: entered once more it is the same entry');
SELECT is(pg_temp.refusal(command), 'KL003', 'R7.125: ... never another one: ' || command)
  FROM unnest(ARRAY[format('SELECT casino.deposit(%s, 400.01, %L, NULL, ''transfer'', ''R-1'')', :a, :'key'),
                    format('SELECT casino.deposit(%s, 400, %L, NULL, ''transfer'', ''R-2'')', :a, :'key'),
                    format('SELECT casino.adjust(%s, 400, ''T-1 came back'', %L)', :a, :'key')]) command;
SELECT is(pg_temp.wallet(:a), 1000.00, 'once');
SELECT is((SELECT kind FROM casino.ledger WHERE player_id = :a AND entry_no = :paid), 'transfer_paid',
          'the payment stays as it was');

-- an excluded player
SELECT casino.request_withdrawal(:a, 300, 'transfer', 'w2', '2026-05-07 12:00') AS w2 \gset
SELECT casino.pay_withdrawal(:w2, '2026-05-07 13:00', 'T-2') \g /dev/null
SELECT casino.exclude_player(:a, '2027-05-08 10:00', 'operator', '2026-05-08 10:00') \g /dev/null
SELECT 'returned ' || :w2 AS key2 \gset
SELECT is(pg_temp.refusal(format('SELECT casino.deposit(%s, 300, %L, ''2026-05-09 09:00'', ''transfer'')',
                                 :a, :'key2')), 'KC004', 'an excluded player makes no deposit');
SELECT casino.adjust(:a, 300, 'T-2 came back', :'key2', '2026-05-09 09:10') AS adjusted \gset
SELECT is(pg_temp.wallet(:a), 1000.00, 'R7.125: an adjustment gives the money back');
SELECT is(casino.adjust(:a, 300, 'T-2 came back', :'key2', '2026-05-09 09:20'), :adjusted::bigint,
          'R7.125: ... once');
SELECT is(pg_temp.refusal(format('SELECT casino.deposit(%s, 300, %L, ''2026-05-09 09:30'', ''transfer'')',
                                 :a, :'key2')), 'KL003', 'R7.125: ... and no deposit under the key');
SELECT is(pg_temp.bank(), 700.00, 'R7.125: it stands in adjustments, not at the bank');
SELECT is((SELECT credit - debit FROM casino.trial_balance WHERE account = 'adjustments'), -300.00,
          '... until the accountant moves it');
SELECT is(pg_temp.refusal(format('SELECT casino.request_withdrawal(%s, 300, ''transfer'', ''w3'',
                                                                   ''2026-05-09 10:00'')', :a)), 'accepted',
          'it may be paid out again');
SELECT * FROM finish();
