-- Who: every entry and act keeps the role that called, its login and the person it names (R12.11).
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE ROLE who_backend; CREATE ROLE who_cashier; CREATE ROLE who_owner_friend; CREATE ROLE who_gone;
SELECT casino.grant_access('who_backend', 'backend'),
    casino.grant_access('who_cashier', 'cashier') \g /dev/null
GRANT USAGE ON SCHEMA casino, casino_internal, t TO who_owner_friend, who_gone, who_backend, who_cashier;
GRANT SELECT, INSERT ON casino.ledger TO who_owner_friend;
GRANT EXECUTE ON FUNCTION casino.deposit TO who_gone, who_owner_friend;

-- "role/actor" of a recorder
CREATE FUNCTION t.who(recorder integer)
RETURNS text
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    SELECT r.role || coalesce('/' || r.actor, '') FROM casino.recorder r WHERE r.recorder_id = $1 $$;
-- runs a command as a role that has logged in, on behalf of a person
CREATE FUNCTION t.run(role text, actor text, command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('casino.actor', coalesce(actor, ''), true);
    EXECUTE format('SET LOCAL SESSION AUTHORIZATION %I', role);
    EXECUTE command INTO answer;
    RESET SESSION AUTHORIZATION;
    PERFORM set_config('casino.actor', '', true);
    RETURN answer;
END $$;
CREATE FUNCTION t.last_who(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT t.who(recorded_by) FROM casino.ledger WHERE player_id = p ORDER BY entry_no DESC LIMIT 1 $$;

-- ---------------------------------------------------------------- entries, through the functions
SELECT t.run('who_backend', 'Eva', 'SELECT casino.register_player(''who'')')::bigint AS p,
       t.run('who_backend', NULL, 'SELECT casino.register_player(''who too'')')::bigint AS q \gset
SELECT table_id AS s1 FROM casino.game_table WHERE name = 'S1' \gset
SELECT is(t.who(registered_by), 'who_backend/Eva', 'an account: who opened it') FROM casino.player
 WHERE player_id = :p;
SELECT t.run('who_backend', 'Eva', format('SELECT casino.deposit(%s, 1000, ''d'', ''2026-06-01 10:00'')',
                                          :p)) \g /dev/null
SELECT is(t.last_who(:p), 'who_backend/Eva',
          'a deposit (PL/pgSQL body as the owner): role and person of the caller');
SELECT t.run('who_cashier', 'Max',
             format('SELECT casino.request_withdrawal(%s, 10, ''cash'', ''w'', ''2026-06-01 10:00'')',
                    :p)) AS w \gset
SELECT is(t.last_who(:p), 'who_cashier/Max', 'a withdrawal');
SELECT t.run('who_cashier', NULL, format('SELECT casino.pay_withdrawal(%s, ''2026-06-01 10:00'')',
                                         :w)) \g /dev/null
SELECT is(t.last_who(:p), 'who_cashier', 'its payment, without a person');
SELECT t.run('who_backend', 'Eva', format('SELECT casino.open_round(%s, ''who-1'', ''2026-06-01 10:00'')',
                                          :s1)) AS r \gset
SELECT t.run('who_backend', 'Ota',
             format('SELECT casino.place_bet(%s, %s, ''red@10'', ''b'', at => ''2026-06-01 10:01'')', :r,
                    :p)) \g /dev/null
SELECT is(t.last_who(:p), 'who_backend/Ota', 'a stake (C)');
SELECT t.run('who_backend', 'Iva', format('SELECT casino.cancel_bet(%s, %s, ''b'', ''2026-06-01 10:01'')', :r,
                                          :p)) \g /dev/null
SELECT is(t.last_who(:p), 'who_backend/Iva', 'a refund');
SELECT t.run('who_backend', 'Iva', format('SELECT casino.cancel_bet(%s, %s, ''never'', ''2026-06-01 10:01'')',
                                          :r, :p)) \g /dev/null
SELECT is((SELECT t.who(recorded_by) FROM casino.cancelled_request WHERE player_id = :p), 'who_backend/Iva',
          'a cancelled request');
SELECT t.run('who_backend', 'Ota',
             format('SELECT casino.place_bet(%s, %s, ''red@10'', ''c'', at => ''2026-06-01 10:02'')', :r,
                    :p)) \g /dev/null
SELECT t.run('who_backend', 'Eva', format('SELECT casino.deposit(%s, 1000, ''d'', ''2026-06-01 10:00'')',
                                          :p)) \g /dev/null
SELECT t.run('who_backend', 'Zoe',
             format('SELECT casino.place_bet(%s, %s, ''red@10'', ''c'', at => ''2026-06-01 10:02'')', :r,
                    :p)) \g /dev/null
SELECT is(t.last_who(:p), 'who_backend/Ota', 'a retry by somebody else records nothing');

-- ---------------------------------------------------------------- the round
SELECT t.run('who_backend', 'Ctirad', format('SELECT casino.close_betting(%s, ''2026-06-01 10:03'')', :r)),
       t.run('who_backend', 'Cecil', format('SELECT casino.close_betting(%s, ''2026-06-01 10:03'')', :r)),
       t.run('who_backend', 'Ada', format('SELECT casino.close_actions(%s, ''2026-06-01 10:03'')', :r)),
       t.run('who_backend', 'Sara',
             format('SELECT casino.settle_round(%s, ''{"number": 1}'', ''2026-06-01 10:04'', true)', :r)),
       t.run('who_cashier', 'Pia', format('SELECT casino.pay_withheld(%s, ''2026-06-01 10:05'')',
                                          :r)) \g /dev/null
SELECT is(ARRAY[t.who(opened_by), t.who(betting_closed_by), t.who(actions_closed_by), t.who(evaluated_by),
                t.who(withheld_paid_by)],
          '{who_backend/Eva,who_backend/Ctirad,who_backend/Ada,who_backend/Sara,who_cashier/Pia}',
              'a round: opened, closed (once), actions closed, settled, paid')
  FROM casino.round WHERE round_id = :r;
SELECT is(t.last_who(:p), 'who_cashier/Pia', 'a withheld payout: who paid it');
SELECT t.run('who_backend', 'Eva', format('SELECT casino.open_round(%s, ''who-2'', ''2026-06-01 10:06'')',
                                          :s1)) AS r2 \gset
SELECT t.run('who_backend', 'Ota',
             format('SELECT casino.place_bets(%s, %s, ''{red@10,straight:1@5}'', at => ''2026-06-01 10:07'')',
                    :r2, :p)),
       t.run('who_backend', 'Sara',
             format('SELECT casino.settle_round(%s, ''{"number": 1}'', ''2026-06-01 10:08'')',
                    :r2)) \g /dev/null
SELECT is((SELECT array_agg(DISTINCT kind || ' ' || t.who(recorded_by)
                            ORDER BY kind || ' ' || t.who(recorded_by)) FROM casino.ledger
                                WHERE round_id = :r2),
          '{payout who_backend/Sara,stake who_backend/Ota}', 'payouts: who settled');
SELECT is((SELECT array_agg(t.who(x) ORDER BY n)
           FROM casino.round, unnest(ARRAY[betting_closed_by, evaluated_by,
                                           actions_closed_by]) WITH ORDINALITY u (x, n) WHERE round_id = :r2),
          '{who_backend/Sara,who_backend/Sara,NULL}', 'settled while open: who settled also closed it');
SELECT t.run('who_backend', 'Eva', format('SELECT casino.open_round(%s, ''who-3'', ''2026-06-01 10:09'')',
                                          :s1)) AS r3 \gset
SELECT t.run('who_backend', 'Ota',
             format('SELECT casino.place_bet(%s, %s, ''red@10'', at => ''2026-06-01 10:09'')', :r3, :p)),
       t.run('who_backend', 'Vera', format('SELECT casino.void_round(%s, ''ball'', ''2026-06-01 10:10'')',
                                           :r3)) \g /dev/null
SELECT is(t.who(evaluated_by) || ' ' || t.last_who(:p), 'who_backend/Vera who_backend/Vera',
          'voided: who did, on the round and on the refund') FROM casino.round WHERE round_id = :r3;

-- ---------------------------------------------------------------- acts
SELECT t.run('who_backend', 'Exa',
             format('SELECT casino.exclude_player(%s, ''2026-07-01'', ''operator'', ''2026-06-01 11:00'')',
                    :q)),
       t.run('who_backend', 'Lea',
             format('SELECT casino.set_limit(%s, ''stake'', ''day'', 5, ''2026-06-01 11:00'')', :p)),
       t.run('who_cashier', 'Acc', format('SELECT casino.set_payment_account(%s, ''CZ1'')', :p)),
       t.run('who_backend', 'Ref',
             format('SELECT accepted
                       FROM casino.try_place_bets(%s, %s, ''{red@10}'', at => ''2026-06-01 11:00'')',
                    :r3, :p)) \g /dev/null
SELECT is((SELECT t.who(recorded_by) FROM casino.exclusion WHERE player_id = :q), 'who_backend/Exa',
          'an exclusion');
SELECT is((SELECT t.who(recorded_by) FROM casino.player_limit WHERE player_id = :p), 'who_backend/Lea',
          'a limit');
SELECT is((SELECT t.who(recorded_by) FROM casino.payment_account WHERE player_id = :p), 'who_cashier/Acc',
          'a payment account');
SELECT is((SELECT t.who(recorded_by) FROM casino.refusal WHERE player_id = :p), 'who_backend/Ref',
          'a refusal, whose attempt failed within');
SELECT casino.adjust(:p, 1, 'found', at => '2026-06-01 11:01') \g /dev/null
SELECT is(t.last_who(:p), session_user::text, 'an adjustment by the owner himself');
SET casino.actor = 'Tom';
SELECT casino.add_game_table('roulette_synot', 'who', 1, 100) AS tab,
    casino.add_plan_version('roulette_synot', '2099-01-01', 'who') AS plan \gset
SELECT casino.close_account(:q, '2026-06-01 11:05') \g /dev/null
RESET casino.actor;
SELECT is((SELECT t.who(recorded_by) FROM casino.table_version WHERE table_id = :tab), session_user || '/Tom',
          'a table');
SELECT is(casino.add_game_table('roulette_synot', 'who', 1, 100), :tab::bigint,
          'the same table again, by somebody else, is the same');
SELECT is((SELECT array_agg(DISTINCT t.who(x))
           FROM (SELECT recorded_by FROM casino.game_plan WHERE plan_id = :plan UNION ALL SELECT recorded_by
                 FROM casino.plan_rule WHERE plan_id = :plan
            UNION ALL SELECT recorded_by FROM casino.bet_rule WHERE plan_id = :plan
                UNION ALL SELECT recorded_by FROM casino.paytable WHERE plan_id = :plan) v (x)),
          ARRAY[session_user || '/Tom'], 'a plan version and its rows');
UPDATE casino.bet_rule SET max_stake = 99 WHERE plan_id = :plan AND kind = 'red';
SELECT is((SELECT t.who(recorded_by) FROM casino.bet_rule WHERE plan_id = :plan AND kind = 'red'),
          session_user::text, 'a changed row of a draft: who changed it last');
SELECT is((SELECT t.who(closed_by) || ' ' || t.who(registered_by) FROM casino.player WHERE player_id = :q),
          session_user || '/Tom who_backend', 'a closed account: who closed and who opened it');

-- ---------------------------------------------------------------- plain INSERTs, and what cannot be forged
SET casino.actor = 'Ins';
SET ROLE who_owner_friend;
INSERT INTO casino.ledger (player_id, kind, amount, posted_at) VALUES (:p, 'deposit', 1, '2026-06-01 12:00');
RESET ROLE;
RESET casino.actor;
SELECT is(t.last_who(:p), 'who_owner_friend/Ins', 'INSERT: the role of the statement');
SELECT recorder_id AS other FROM casino.recorder WHERE actor = 'Eva' LIMIT 1 \gset
SET ROLE who_owner_friend;
INSERT INTO casino.ledger (player_id, kind, amount, posted_at, recorded_by) VALUES (:p, 'deposit', 1,
        '2026-06-01 12:00', :other);
RESET ROLE;
SELECT is(t.last_who(:p), 'who_owner_friend', 'INSERT: a given recorded_by is overwritten');
INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from, excluded_until, recorded_at,
                              recorded_by) VALUES (:p, 77, 'operator', '2020-01-01', '2020-01-02', now(),
                                                   :other);
SELECT is((SELECT t.who(recorded_by) FROM casino.exclusion WHERE exclusion_no = 77), session_user::text,
          'INSERT: in the other tables too');
UPDATE casino.round SET opened_by = :other, evaluated_by = :other WHERE round_id = :r3;
SELECT is((SELECT t.who(opened_by) || ' ' || t.who(evaluated_by) FROM casino.round WHERE round_id = :r3),
          'who_backend/Eva who_backend/Vera', 'UPDATE of a round changes no recorder');
SELECT throws_ok(format('UPDATE casino.player SET registered_by = %s', :other), 'KL001', NULL,
                 'nor of a player');
SELECT throws_ok($$INSERT INTO casino.recorder VALUES (12345, 'postgres', 'postgres', 'Eva', false, now())$$,
                 'KL001', NULL, 'nobody enters recorders by hand');
SELECT throws_ok($$UPDATE casino.recorder SET actor = 'Eve'$$, 'KL001', NULL, 'nor changes them');
SELECT throws_ok($$DELETE FROM casino.recorder$$, 'KL001', NULL, 'nor removes them');
SELECT throws_ok($$TRUNCATE casino.recorder$$, 'KL001', NULL, 'nor all of them');
SELECT is_empty($$SELECT x FROM (SELECT recorded_by FROM casino.ledger UNION SELECT recorded_by
                                 FROM casino.breach UNION SELECT opened_by FROM casino.round
                                     UNION SELECT registered_by FROM casino.player) v (x)
                   WHERE NOT EXISTS (SELECT FROM casino.recorder WHERE recorder_id = x)$$,
                       'every recorder that is referred to is there');
SELECT is(t.run('who_cashier', 'Max',
                format('SELECT role || ''/'' || actor
                          FROM casino.statement
                         WHERE player_id = %s AND kind = ''withdrawal''',
                       :p)), 'who_cashier/Max', 'statement shows who');
SELECT throws_ok('SET ROLE who_backend; SELECT * FROM casino.recorder', '42501', NULL,
                 'backends do not read who the others are');
RESET ROLE;

-- ----------------------------------------------- SECURITY DEFINER of somebody else, errors caught on the way
SET ROLE who_owner_friend;
RESET ROLE;
CREATE FUNCTION t.definer(p bigint)
RETURNS bigint
LANGUAGE sql SECURITY DEFINER AS $$ SELECT casino.deposit(p, 1, at => '2026-06-01 13:00') $$;
ALTER FUNCTION t.definer(bigint) OWNER TO who_owner_friend;
SELECT t.run('who_backend', NULL, format('SELECT t.definer(%s)', :p)) \g /dev/null
SELECT is(t.last_who(:p), 'who_owner_friend',
          'a SECURITY DEFINER function of somebody: its owner is the role in effect');
SELECT is((SELECT login FROM casino.recorder r JOIN casino.ledger l ON l.recorded_by = r.recorder_id
           WHERE l.player_id = :p ORDER BY entry_no DESC
               LIMIT 1), 'who_backend', 'the login is kept beside it');
-- an error caught by the client ends the call whose role was kept
CREATE FUNCTION t.caught(p bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        SET LOCAL ROLE who_backend;
        PERFORM casino.deposit(p, -1, at => '2026-06-01 13:01');
    EXCEPTION WHEN OTHERS THEN NULL; END;
    SET LOCAL ROLE who_owner_friend;
    PERFORM casino.deposit(p, 1, at => '2026-06-01 13:01');
    RESET ROLE;
END $$;
SELECT t.caught(:p) \g /dev/null
SELECT is(t.last_who(:p), 'who_owner_friend',
          'after an error that was caught: the role of the next call, not of the failed one');
-- a combination first met in a transaction that is rolled back
CREATE FUNCTION t.fresh(p bigint, fail boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL casino.actor = 'Fresh';
    PERFORM casino.deposit(p, 1, at => '2026-06-01 13:02');
    IF fail THEN RAISE EXCEPTION 'no'; END IF;
END $$;
SELECT throws_ok(format('SELECT t.fresh(%s, true)', :p), 'P0001', 'no', 'a transaction that fails');
SELECT t.fresh(:p, false) \g /dev/null
SELECT is(t.last_who(:p), session_user || '/Fresh', 'its number is not used again for what is not there');
BEGIN;
SET LOCAL casino.actor = 'Rolled back';
SELECT casino.deposit(:p, 1, at => '2026-06-01 13:03') \g /dev/null
ROLLBACK;
BEGIN;
SET LOCAL casino.actor = 'Rolled back';
SELECT casino.deposit(:p, 1, at => '2026-06-01 13:03') \g /dev/null
COMMIT;
SELECT is(t.last_who(:p), session_user || '/Rolled back', 'nor after ROLLBACK');

-- ---------------------------------------------------------------- roles that are renamed and dropped
SELECT t.run('who_gone', 'Ghost', format('SELECT casino.deposit(%s, 1, at => ''2026-06-01 14:00'')',
                                         :p)) \g /dev/null
ALTER ROLE who_gone RENAME TO who_went;
SELECT t.run('who_went', 'Ghost', format('SELECT casino.deposit(%s, 1, at => ''2026-06-01 14:00'')',
                                         :p)) \g /dev/null
SELECT casino.revoke_access('who_went'); REVOKE ALL ON SCHEMA t FROM who_went; DROP ROLE who_went;
SELECT is((SELECT array_agg(t.who(recorded_by) ORDER BY entry_no)
           FROM (SELECT * FROM casino.ledger WHERE player_id = :p ORDER BY entry_no DESC LIMIT 2) l),
               '{who_gone/Ghost,who_went/Ghost}',
          'evidence keeps the names of roles that are renamed and dropped');

-- ---------------------------------------------------------------- the setting
SELECT lives_ok(format('SET casino.actor = %L', repeat('ř', 100)), 'casino.actor: 100 characters');
SELECT throws_ok(format('SET casino.actor = %L', repeat('x', 101)), '22023', NULL, 'casino.actor: not 101');
SELECT throws_ok(E'SET casino.actor = ''a\nb''', '22023', NULL, 'casino.actor: no control characters');
SELECT casino.deposit(:p, 1, at => '2026-06-01 15:00') \g /dev/null
RESET casino.actor;
SELECT is(t.last_who(:p), session_user || '/' || repeat('ř', 100), 'casino.actor: kept whole');
SET ROLE who_backend;
SELECT lives_ok('SET casino.actor = ''anybody''', 'casino.actor: anybody may set it');
SELECT throws_ok('SELECT casino.adjust(1, 1, ''gift'')', '42501', NULL, 'casino.actor: it grants nothing');
RESET ROLE;

-- ---------------------------------------- four eyes: who changes an account does not pay to it alone (R7.41)
CREATE ROLE who_supervisor; CREATE ROLE who_cashier2;
SELECT casino.grant_access('who_supervisor', 'supervisor'),
    casino.grant_access('who_cashier2', 'cashier') \g /dev/null
GRANT USAGE ON SCHEMA t TO who_supervisor, who_cashier2;
CREATE FUNCTION t.code(role text, actor text, command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN coalesce(t.run(role, actor, command), 'ok');
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
END $$;
CREATE FUNCTION t.pay(id bigint, at text) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT casino.pay_withdrawal(%s, %L)', id, at) $$;
CREATE FUNCTION t.approve(id bigint, at text) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT casino.approve_withdrawal(%s, %L)', id, at) $$;
CREATE TABLE t.v AS SELECT t.player(300000) AS p;
SELECT casino.set_payment_account(p, 'CZ-victim', '2026-05-01') FROM t.v \g /dev/null
-- the attack: the cashier alone asks for a victim's withdrawal, changes his account, pays
SELECT t.run('who_cashier', 'Max',
             format('SELECT casino.request_withdrawal(%s, 90000, ''transfer'', at => ''2026-06-01 10:00'')',
                    p)) AS w FROM t.v \gset
SELECT t.run('who_cashier', 'Max',
             format('SELECT casino.set_payment_account(%s, ''CZ-thief'', ''2026-06-01 10:01'')', p))
                 FROM t.v \g /dev/null
SELECT is(t.code('who_cashier', 'Max', t.pay(:w, '2026-06-01 10:02')), 'KC006',
          'a cashier alone takes nothing: the account is younger than the request');
SELECT is(t.code('who_cashier', NULL, t.pay(:w, '2026-06-04 10:02')), 'KC006',
          'nor days later: it was registered after the request');
SELECT is(t.code('who_cashier', 'Max', t.approve(:w, '2026-06-01 10:02')), '42501',
          'nor approves: that is not a cashier''s');
SELECT is(t.detail(format('SELECT casino.pay_withdrawal(%s, ''2026-06-01 10:02'')', :w)),
    'The account was registered at 2026-06-01 10:01:00+02, after the request of 2026-06-01 10:00:00+02.',
          'the DETAIL says why');
SELECT is(t.verdict(format('INSERT INTO casino.ledger (player_id, kind, withdrawal_entry_no, posted_at)
                            SELECT p, ''transfer_paid'', %s, ''2026-06-01 10:02''
                              FROM t.v',
                           :w % 1000000000)),
          'KC006', 'nor does an INSERT');
SELECT is((SELECT needs_approval FROM casino.pending_withdrawals WHERE withdrawal_id = :w), true,
          'pending_withdrawals says that it needs an approval');
SELECT is(t.run('who_cashier', 'Max', format('SELECT casino.cancel_withdrawal(%s, ''2026-06-01 10:03'')',
                                             :w)) IS NOT NULL, true, 'it may be cancelled');
-- account first, request afterwards: the 24 hours
SELECT t.run('who_cashier', 'Max',
             format('SELECT casino.request_withdrawal(%s, 90000, ''transfer'', at => ''2026-06-01 10:04'')',
                    p)) AS w FROM t.v \gset
SELECT is(t.code('who_cashier', 'Max', t.pay(:w, '2026-06-02 10:00:59.999999')), 'KC006',
          'registered less than 24 hours ago: one role is not enough');
SELECT is(t.verdict(format('SELECT casino.pay_withdrawal(%s, ''2026-06-02 10:01'')', :w)), 'ok',
          '24 hours old, and older than the request: it is paid');
SELECT is(t.code('who_cashier2', 'Max', t.pay(:w, '2026-06-01 10:05')), 'KC006',
          'another cashier makes two who may not approve');
-- who registered does not approve, who approved does not pay, and the same person is nobody else
SELECT casino.grant_access('who_cashier2', 'supervisor'),
    casino.grant_access('who_cashier', 'supervisor') \g /dev/null
SELECT is(t.code('who_cashier', 'Eve', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'the role that registered the account does not approve, whatever person it names');
SELECT is(t.code('who_cashier2', 'Max', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'nor the same person under another role');
SELECT is(t.code('who_cashier2', 'Ben', t.approve(:w, '2026-06-01 10:05')), '1',
          'another role and person approves');
SELECT is(t.code('who_cashier2', 'Ben', t.approve(:w, '2026-06-01 10:06')), '1', 'again is the same');
SELECT is(t.code('who_cashier2', 'Tom', t.pay(:w, '2026-06-01 10:07')), 'KC006',
          'the role that approved does not pay');
SELECT is(t.code('who_cashier', 'Ben', t.pay(:w, '2026-06-01 10:07')), 'KC006',
          'nor the person that approved, under another role');
SELECT is((SELECT needs_approval FROM casino.pending_withdrawals WHERE withdrawal_id = :w), false,
          'pending_withdrawals says that it is approved');
SELECT is((SELECT t.who(recorded_by) FROM casino.withdrawal_approval WHERE player_id = p), 'who_cashier2/Ben',
          'an approval: who gave it') FROM t.v;
SELECT throws_ok('UPDATE casino.withdrawal_approval SET account_no = 9', 'KL001', NULL, 'and it stays');
-- an approval is of one account: changed once more, it is worth nothing
SELECT t.run('who_cashier', 'Max',
             format('SELECT casino.set_payment_account(%s, ''CZ-thief too'', ''2026-06-01 10:08'')', p))
                 FROM t.v \g /dev/null
SELECT is(t.code('who_cashier', 'Max', t.pay(:w, '2026-06-01 10:09')), 'KC006',
          'an approval does not hold for another account');
SELECT is(t.code('who_supervisor', 'Sue', t.approve(:w, '2026-06-01 10:10')), '2', 'the supervisor approves');
SELECT is(t.code('who_supervisor', NULL, t.pay(:w, '2026-06-01 10:11')), '42501', 'and cannot pay');
SELECT isnt(t.code('who_cashier', 'Max', t.pay(:w, '2026-06-01 10:11')), 'KC006',
            'the cashier pays what the supervisor approved') ;
SELECT is((SELECT casino.clear_text_of(player_id, account) || ' ' || t.who(recorded_by)
             FROM casino.ledger
            WHERE player_id = p AND kind = 'transfer_paid'),
          'CZ-thief too who_cashier/Max',
          'to the account that was approved')
  FROM t.v;
SELECT is(t.code('who_supervisor', 'Sue', t.approve(:w, '2026-06-01 10:12')), '2',
          'a repeated approval is answered after the payment too');
SELECT is(t.code('who_cashier2', 'Una', t.approve(:w, '2026-06-01 10:12')), 'KL004',
          'a new one is refused: it has ended');
-- what cannot be approved
SELECT casino.request_withdrawal(p, 10, 'cash', at => '2026-06-01 11:00') AS cash,
    casino.request_withdrawal(p, 10, 'transfer', at => '2026-06-01 11:00') AS w FROM t.v \gset
SELECT is(t.code('who_supervisor', 'Sue', t.approve(:cash, '2026-06-01 11:01')), '22023',
          'cash has no account');
SELECT is(t.code('who_supervisor', 'Sue', t.approve(999000000001, '2026-06-01 11:01')), '23503',
          'nor has what nobody asked for');
SELECT is(t.code('who_supervisor', 'Sue', 'SELECT casino.approve_withdrawal(NULL)'), '22004',
          'NULL is no withdrawal');
SELECT is(t.code('who_supervisor', 'Sue', t.approve(:w, '2026-06-01 10:59')), 'KL005',
          'nothing is approved before it was asked for');
SELECT throws_ok(format('SELECT casino.set_payment_account(%s, ''back'', ''2026-05-01'')', p), 'KL005', NULL,
                 'an account is not registered before the last one') FROM t.v;
SET casino.clock_skew = 5;
SELECT throws_ok(format('SELECT casino.set_payment_account(%s, ''back'',
                                                           clock_timestamp() - interval ''25 hours'')',
                        p),
                 'KL005', NULL, 'nor dated back')
  FROM t.v;
SET casino.clock_skew = -1;

-- one login with two roles, as a person with SET ROLE or another name has it (R7.60), and two persons who
-- share a login (R7.61)
CREATE ROLE who_eva LOGIN; CREATE ROLE who_jan LOGIN;
GRANT who_cashier, who_supervisor TO who_eva, who_jan;
CREATE FUNCTION t.act(login text, role text, actor text, command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('casino.actor', coalesce(actor, ''), true);
    EXECUTE format('SET LOCAL SESSION AUTHORIZATION %I', login);
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE command INTO answer;
    RESET SESSION AUTHORIZATION;
    PERFORM set_config('casino.actor', '', true);
    RETURN coalesce(answer, 'ok');
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
END $$;
SELECT casino.revoke_access('who_cashier'), casino.grant_access('who_cashier', 'cashier') \g /dev/null
CREATE FUNCTION t.asked(login text, actor text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(300000);
BEGIN
    PERFORM t.act(login, 'who_cashier', actor,
                  format('SELECT casino.set_payment_account(%s, ''CZ-EVA'', ''2026-06-01 10:01'')', p));
    RETURN t.act(login, 'who_cashier', actor,
                 format('SELECT casino.request_withdrawal(%s, 5000, ''transfer'',
                                                          at => ''2026-06-01 10:04'')',
                        p));
END $$;
SELECT t.asked('who_eva', NULL) AS w \gset
SELECT is(t.act('who_eva', 'who_supervisor', NULL, t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.60: one login with two roles does not approve what it did');
SELECT is(t.act('who_eva', 'who_supervisor', 'Jan', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.60: nor under the name of somebody else');
SELECT is(t.act('who_jan', 'who_supervisor', NULL, t.approve(:w, '2026-06-01 10:05')), '1',
          'R7.60: another login does');
SELECT is(t.act('who_jan', 'who_cashier', NULL, t.pay(:w, '2026-06-01 10:06')), 'KC006',
          'R7.60: and the login that approved does not pay');
SELECT is(t.act('who_jan', 'who_cashier', 'Eva', t.pay(:w, '2026-06-01 10:06')), 'KC006',
          'R7.60: under whatever name');
SELECT matches(t.act('who_eva', 'who_cashier', NULL, t.pay(:w, '2026-06-01 10:06')), '^[0-9]+$',
               'R7.60: the first one pays');
SELECT t.asked('who_eva', 'Eva Malá') AS w \gset
SELECT is(t.act('who_eva', 'who_supervisor', 'Jan Novák', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.61: two persons of one login are one');
SELECT is(t.act('who_jan', 'who_supervisor', n, t.approve(:w, '2026-06-01 10:05')), 'KC006',
          format('R7.60: the same person under another login (%s)', n))
  FROM unnest(ARRAY['Eva Malá', 'EVA  malá', ' eva Malá ', U&'Eva Mala\0301']) n;
SELECT is(t.act('who_jan', 'who_supervisor', 'who_eva', t.approve(:w, '2026-06-01 10:05')), '1',
          'R7.60: a person is known by her name, where she has named one');
SELECT t.asked('who_eva', NULL) AS w \gset
SELECT is(t.act('who_jan', 'who_supervisor', 'Who_Eva', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.60: and else by the name of her login');
SET casino.shared_logins = on;
SELECT t.asked('who_eva', 'Eva Malá') AS w \gset
SELECT is(t.act('who_eva', 'who_supervisor', 'eva malá', t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.61: shared logins: the same person is one');
SELECT is(t.act('who_eva', 'who_supervisor', NULL, t.approve(:w, '2026-06-01 10:05')), 'KC006',
          'R7.61: shared logins: somebody who is not named is nobody else');
SELECT is(t.act('who_eva', 'who_supervisor', 'Jan Novák', t.approve(:w, '2026-06-01 10:05')), '1',
          'R7.61: shared logins: another person approves');
SELECT is(t.act('who_eva', 'who_supervisor', 'Jan Novák', t.approve(:w, '2026-06-01 10:06')), '1',
          'R7.61: again is the same');
SELECT is(t.act('who_eva', 'who_cashier', 'Jan Novák', t.pay(:w, '2026-06-01 10:06')), 'KC006',
          'R7.61: shared logins: who approved does not pay');
SELECT matches(t.act('who_eva', 'who_cashier', 'Eva Malá', t.pay(:w, '2026-06-01 10:06')), '^[0-9]+$',
               'R7.61: shared logins: the first one pays');
SELECT is((SELECT w.login || w.shared_logins FROM casino.withdrawal_approval a
           JOIN casino.recorder w ON w.recorder_id = a.recorded_by
               WHERE a.player_id = :w / 1000000000), 'who_evatrue',
                   'R7.61: the evidence says that it was on');
SET casino.shared_logins = off;
SELECT is((SELECT count(*) FROM casino.recorder w WHERE w.login = 'who_jan' AND w.shared_logins), 0::bigint,
          'R7.61: and that it was off');
-- approved while it was on, paid when it is off again: the payment is judged by what it is then
SET casino.shared_logins = on;
SELECT t.asked('who_eva', 'Eva Malá') AS w \gset
SELECT is(t.act('who_eva', 'who_supervisor', 'Jan Novák', t.approve(:w, '2026-06-01 10:05')), '1',
          'R7.61: approved by a person of the same login') ;
SET casino.shared_logins = off;
SELECT is(t.act('who_eva', 'who_cashier', 'Eva Malá', t.pay(:w, '2026-06-01 10:06')), 'KC006',
          'R7.61: off again, the same login does not pay');
SELECT matches(t.act('who_jan', 'who_cashier', 'Iva', t.pay(:w, '2026-06-01 10:06')), '^[0-9]+$',
               'R7.61: another one does');
SET ROLE who_cashier;
SELECT throws_ok('SET casino.shared_logins = on', '42501', NULL, 'R7.61: no profile turns it on');
RESET ROLE;
SELECT is(casino_internal.same_eyes(NULL, 1) IS NULL OR casino_internal.same_eyes(1, 999999) IS NULL, false,
          'R7.60: who is not known does not count');
SELECT * FROM finish();
DROP OWNED BY who_backend, who_cashier, who_owner_friend, who_supervisor, who_cashier2, who_eva, who_jan;
DROP ROLE who_backend, who_cashier, who_owner_friend, who_supervisor, who_cashier2, who_eva, who_jan;
