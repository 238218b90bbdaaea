-- A transfer to an account that was too new is approved by a second person (R7.41): the night finds others
-- (R7.74).  Accounts opened and closed, and settings, are significant events (R7.75).
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE SCHEMA t;
CREATE ROLE transfer_cashier;
CREATE ROLE transfer_supervisor;
SELECT casino.grant_access('transfer_cashier', 'cashier'),
       casino.grant_access('transfer_supervisor', 'supervisor') \g /dev/null
-- a statement under a login
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN answer;
END $$;
-- a row changed past all triggers, which are as before afterwards
CREATE FUNCTION t.forge(relation text, statement text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    x record;
BEGIN
    CREATE TEMP TABLE before AS
    SELECT g.tgname, g.tgenabled FROM pg_trigger g
     WHERE g.tgrelid = relation::regclass AND NOT g.tgisinternal;
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', relation);
    EXECUTE statement;
    FOR x IN SELECT * FROM before LOOP
        EXECUTE format('ALTER TABLE %s ENABLE %s TRIGGER %I', relation,
                       CASE x.tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, x.tgname);
    END LOOP;
    DROP TABLE before;
END $$;
CREATE FUNCTION t.found() RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT concat_ws(' ', rule, 'player', player_id, 'entry', entry_no)
      FROM casino_internal.check_cash_limit('2026-03-01', '2026-03-31') $$;

SELECT casino.deposit(casino.register_player('p' || n), 100000, at => '2026-02-01')
  FROM generate_series(1, 4) n \g /dev/null

-- 1: approved; 2: 24 hours old, asked for afterwards; 3: older than a day, registered after the request
SELECT t.as('transfer_cashier', format('SELECT casino.set_payment_account(%s, %L, %L)', p, 'CZ-' || p, at))
  FROM (VALUES (1, '2026-03-01 10:00'), (2, '2026-03-01 10:00'), (3, '2026-02-01'),
               (4, '2026-03-01 10:00')) v (p, at)
\g /dev/null
SELECT t.as('transfer_cashier', format(
           'SELECT casino.request_withdrawal(%s, 5000, ''transfer'', at => %L)', p, '2026-03-01 11:00'))
  FROM generate_series(1, 4) p \g /dev/null
SELECT t.as('transfer_cashier', 'SELECT casino.set_payment_account(3, ''CZ-33'', ''2026-03-01 12:00'')')
\g /dev/null
SELECT t.as('transfer_supervisor', format('SELECT casino.approve_withdrawal(%s, ''2026-03-01 13:00'')',
                                          casino.withdrawal_id(p, 2)))
  FROM unnest('{1,3,4}'::bigint[]) p \g /dev/null
SELECT t.as('transfer_cashier',
            format('SELECT casino.pay_withdrawal(%s, %L)', casino.withdrawal_id(p, 2), at))
  FROM (VALUES (1, '2026-03-01 14:00'), (2, '2026-03-02 10:00'), (3, '2026-03-04 14:00'),
               (4, '2026-03-01 14:00')) v (p, at) \g /dev/null
SELECT is_empty('SELECT * FROM t.found()', 'R7.74: approved by a second person, or old enough: clean');

-- both sides of the 24 hours
SELECT t.forge('casino.ledger', $$UPDATE casino.ledger SET posted_at = '2026-03-02 09:59:59.999999'
    WHERE player_id = 2 AND entry_no = 3$$) \g /dev/null
SELECT results_eq('SELECT * FROM t.found()', $$VALUES ('approval player 2 entry 3')$$,
                  'R7.74: paid a microsecond before the account is 24 hours old, by one person');
SELECT t.forge('casino.ledger', $$UPDATE casino.ledger SET posted_at = '2026-03-02 10:00'
    WHERE player_id = 2 AND entry_no = 3$$) \g /dev/null
SELECT is_empty('SELECT * FROM t.found()', 'exactly 24 hours old needs no approval');

-- the approver is who registered, who paid, or a login that is not known
CREATE TABLE t.kept AS SELECT * FROM casino.withdrawal_approval;
SELECT casino.withdrawal_id(1, 2) AS w1 \gset
CREATE FUNCTION t.recorder(who text) RETURNS integer LANGUAGE sql AS $$
    SELECT r.recorder_id FROM casino.recorder r WHERE r.login = who ORDER BY 1 LIMIT 1 $$;
SELECT t.forge('casino.withdrawal_approval', format('UPDATE casino.withdrawal_approval SET recorded_by = %s
    WHERE player_id = 1', t.recorder('transfer_cashier'))) \g /dev/null
SELECT results_eq('SELECT * FROM t.found()', $$VALUES ('approval player 1 entry 3')$$,
                  'R7.74: approved by the person who registered the account and pays');
SELECT t.forge('casino.payment_account', format('UPDATE casino.payment_account SET recorded_by = %s
    WHERE player_id = 1', t.recorder('transfer_supervisor'))) \g /dev/null
SELECT t.forge('casino.withdrawal_approval', 'UPDATE casino.withdrawal_approval SET recorded_by = '
    || t.recorder('transfer_supervisor') || ' WHERE player_id = 1') \g /dev/null
SELECT results_eq('SELECT * FROM t.found()', $$VALUES ('approval player 1 entry 3')$$,
                  'R7.74: approved by the person who registered, who does not pay');
SELECT t.forge('casino.withdrawal_approval', format('UPDATE casino.withdrawal_approval SET recorded_by = %s
    WHERE player_id = 1', t.recorder('transfer_cashier'))) \g /dev/null
SELECT results_eq('SELECT * FROM t.found()', $$VALUES ('approval player 1 entry 3')$$,
                  'R7.74: approved by the person who pays, who has not registered');
SELECT t.forge('casino.payment_account', format('UPDATE casino.payment_account SET recorded_by = %s
    WHERE player_id = 1', t.recorder('transfer_cashier'))) \g /dev/null
SELECT t.forge('casino.withdrawal_approval', 'UPDATE casino.withdrawal_approval SET recorded_by = '
    || t.recorder('transfer_supervisor') || ' WHERE player_id = 1') \g /dev/null
SELECT is_empty('SELECT * FROM t.found()', 'as it was: clean');

-- of another account, given after the payment, or not at all
SELECT t.forge('casino.withdrawal_approval', $$UPDATE casino.withdrawal_approval SET account_no = 1
    WHERE player_id = 3$$) \g /dev/null
SELECT t.forge('casino.withdrawal_approval', $$UPDATE casino.withdrawal_approval
    SET recorded_at = recorded_at + interval '1 day' WHERE player_id = 4$$) \g /dev/null
SELECT t.forge('casino.withdrawal_approval', $$DELETE FROM casino.withdrawal_approval WHERE player_id = 1$$)
\g /dev/null
SELECT set_eq('SELECT * FROM t.found()', $$VALUES ('approval player 1 entry 3'),
    ('approval player 3 entry 3'), ('approval player 4 entry 3')$$,
              'R7.74: missing, of another account, written after the payment');
CALL casino.reconcile('2026-03-01', '2026-03-31');
SELECT results_eq($$SELECT count(*), min(expected) FROM casino.difference
    WHERE check_name = 'cash_limit' AND rule = 'approval'$$,
                  $$VALUES (3::bigint, 'approved by a second person before')$$,
                  'the reconciliation has them');

-- ------------------------------------------------------------------------------- significant events (R7.75)
CREATE FUNCTION t.events() RETURNS TABLE (event text, player_id bigint, about text) LANGUAGE sql AS $$
    SELECT e.kind, e.player_id, e.about
      FROM casino.significant_event(casino.prague_day(now()), casino.prague_day(now())) e
     WHERE e.kind IN ('account opened', 'account closed', 'setting') $$;
SELECT results_eq('SELECT event, player_id FROM t.events() ORDER BY player_id',
                  $$SELECT 'account opened', n::bigint FROM generate_series(1, 4) n$$,
                  'R7.75: accounts opened; the rows of install() do not count');
SELECT casino.close_account(casino.register_player('gone')) \g /dev/null
SELECT casino.set_duty_rule('adjust_amount', '500', now() + interval '1 day', 'rules 7', 'rules of the house')
\g /dev/null
SELECT casino.set_provider_setting('studio', casino.prague_day(now()) + 2, 5, 'UTC', '06:00') \g /dev/null
SELECT set_eq($$SELECT * FROM t.events() WHERE event <> 'account opened'$$,
              $$VALUES ('account closed', 5::bigint, NULL), ('setting', NULL, 'adjust_amount'),
                       ('setting', NULL, 'provider')$$, 'R7.75: closed, and settings');
SELECT results_eq($$SELECT reason, detail ->> 'value', role = current_user
    FROM casino.significant_event(casino.prague_day(now()), casino.prague_day(now()))
    WHERE about = 'adjust_amount'$$, $$VALUES ('rules of the house', '500', true)$$,
                  'R7.75: with the document, the value, and who recorded it');
SELECT is_empty($$SELECT * FROM casino.significant_event(casino.prague_day(now()) + 1,
    casino.prague_day(now()) + 1) e WHERE e.kind IN ('account opened', 'account closed', 'setting')$$,
                'R7.75: of the day on which they were written alone');
-- R7.41: paid a microsecond before the approval it is not approved; and without a time it does not precede it
CREATE FUNCTION t.state_as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement;
    PERFORM set_config('session_authorization', me, true);
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT casino.register_player('p5') AS five \gset
SELECT casino.deposit(:five, 100000) \g /dev/null
SELECT t.as('transfer_cashier', format('SELECT casino.set_payment_account(%s, ''CZ-5'')', :five)),
       t.as('transfer_cashier', format('SELECT casino.request_withdrawal(%s, 5000, ''transfer'')', :five))
\g /dev/null
SELECT casino.withdrawal_id(:five, 2) AS w5, date_trunc('second', now()) + interval '1 hour' AS ahead \gset
SELECT t.as('transfer_supervisor', format('SELECT casino.approve_withdrawal(%s, %L)', :w5, :'ahead'))
\g /dev/null
SELECT is(t.state_as('transfer_cashier',
                     format('SELECT casino.pay_withdrawal(%s, %L::timestamptz - interval %L)', :w5, :'ahead',
                            '1 microsecond')), 'KC006',
          'R7.41: paid before the approval');
SELECT is(t.state_as('transfer_cashier', format('SELECT casino.pay_withdrawal(%s)', :w5)), 'ok',
          'R12.7: the clock is behind the approval');
SELECT is(l.posted_at, :'ahead', 'R12.7: the payment is as late as its approval')
  FROM casino.ledger l
 WHERE l.player_id = :five AND l.kind = 'transfer_paid';
-- R12.150: nor does a withdrawal end before its approval when it is cancelled (6), when the account was old
-- enough for a payment without one (7), or by INSERT (8)
SELECT casino.deposit(casino.register_player('p' || n), 100000) FROM generate_series(6, 8) n \g /dev/null
SELECT min(player_id) AS six, min(player_id) + 1 AS seven, min(player_id) + 2 AS eight
  FROM casino.player WHERE external_ref IN ('p6', 'p7', 'p8') \gset
SELECT t.as('transfer_cashier', format('SELECT casino.set_payment_account(%s, ''CZ'', ''2026-02-01'')', p)),
       t.as('transfer_cashier', format('SELECT casino.request_withdrawal(%s, 5000, ''transfer'')', p)),
       t.as('transfer_supervisor', format('SELECT casino.approve_withdrawal(%s, %L)',
                                          casino.withdrawal_id(p, 2), :'ahead'))
  FROM generate_series(:six, :eight) p
\g /dev/null
SELECT :'ahead'::timestamptz - interval '1 microsecond' AS before \gset
SELECT is(t.state_as('transfer_cashier', format('SELECT casino.cancel_withdrawal(%s, %L)',
                                                casino.withdrawal_id(:six, 2), :'before')),
          'KL005', 'R12.150: cancelled before the approval');
SELECT is(t.state_as('transfer_cashier', format('SELECT casino.pay_withdrawal(%s, %L)',
                                                casino.withdrawal_id(:seven, 2), :'before')),
          'KL005', 'R12.150: paid before an approval that was not needed');
SELECT is(t.state_as('transfer_cashier', format('SELECT casino.cancel_withdrawal(%s)',
                                                casino.withdrawal_id(:six, 2))), 'ok',
          'R12.7: cancelled while the clock is behind the approval');
SELECT is(t.state_as('transfer_cashier', format('SELECT casino.pay_withdrawal(%s, %L)',
                                                casino.withdrawal_id(:seven, 2), :'ahead')), 'ok',
          'R12.150: paid in the instant of the approval');
INSERT INTO casino.ledger (player_id, kind, withdrawal_entry_no) VALUES (:eight, 'withdrawal_cancelled', 2);
SELECT results_eq(format('SELECT player_id, kind, posted_at FROM casino.ledger WHERE withdrawal_entry_no = 2'
                         ' AND player_id BETWEEN %s AND %s ORDER BY player_id', :six, :eight),
                  format('VALUES (%s::bigint, %L, %L::timestamptz), (%s, %L, %L), (%s, %L, %L)',
                         :six, 'withdrawal_cancelled', :'ahead', :seven, 'transfer_paid', :'ahead',
                         :eight, 'withdrawal_cancelled', :'ahead'),
                  'R12.150: all three are as late as their approvals');
SELECT is_empty(format($$SELECT * FROM casino_internal.check_record_rows(now() - interval '1 day',
    now() + interval '1 day') WHERE rule = 'order' AND player_id BETWEEN %s AND %s$$, :six, :eight),
                'R12.150: and no night finds a withdrawal that was approved after its end');
-- R12.151: paid while the clock stood before the writing of the approval by a minute, and by more
SELECT t.forge('casino.withdrawal_approval', format(
    $$UPDATE casino.withdrawal_approval p SET recorded_at = l.recorded_at + interval '1 minute'
        FROM casino.ledger l
       WHERE p.player_id = %1$s AND l.player_id = %1$s AND l.kind = 'transfer_paid'$$, :five)) \g /dev/null
CREATE FUNCTION t.found_now(player bigint) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT rule
      FROM casino_internal.check_cash_limit(casino.prague_day(now()), casino.prague_day(now()) + 1) c
     WHERE c.player_id = player $$;
SELECT is_empty(format('SELECT t.found_now(%s)', :five), 'R12.151: approved a minute later by the clock');
SELECT t.forge('casino.withdrawal_approval', format(
    'UPDATE casino.withdrawal_approval SET recorded_at = recorded_at + interval ''1 microsecond'''
    ' WHERE player_id = %s', :five)) \g /dev/null
SELECT results_eq(format('SELECT t.found_now(%s)', :five), ARRAY['approval'],
                  'R12.151: written later than that');
SELECT t.forge('casino.withdrawal_approval', format(
    'UPDATE casino.withdrawal_approval SET recorded_at = recorded_at - interval ''1 day'','
    ' approved_at = approved_at + interval ''1 microsecond'' WHERE player_id = %s', :five)) \g /dev/null
SELECT results_eq(format('SELECT t.found_now(%s)', :five), ARRAY['approval'],
                  'R12.151: a time that the approval claims after the payment');
SELECT * FROM finish();
