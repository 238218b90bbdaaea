-- Payment accounts and references of payments (R7.110 to R7.114): sealed rows have tokens, people read the
-- texts, and erase_person() takes the texts away with every seal whole.
-- tampers with the books
\ir ../helpers/compliance.psql
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();
CREATE FUNCTION t.fails(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT casino.set_duty_rule('retention_years', '0', '2020-01-01', '-', 'rules of the house') \g /dev/null
SELECT casino.register_player('Anna') AS anna, casino.register_player('Bob') AS bob \gset
-- the same texts of two players, by the functions, by a plain INSERT and without the store
SELECT casino.set_payment_account(p, 'CZ65 NOVAK', '2026-05-01')
  FROM unnest(ARRAY[:anna, :bob]::bigint[]) p \g /dev/null
SELECT casino.deposit(:anna, 100, 'd', '2026-05-01', 'bank', 'NOVAK 1') AS d,
       casino.deposit(:bob, 100, 'd', '2026-05-01', 'bank', 'NOVAK 1') AS bobs \gset
INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at, method, reference)
VALUES (:anna, 'deposit', 50, 'row', '2026-05-01', 'bank', 'NOVAK 1');
SET casino.store = off;
SELECT casino.deposit(:anna, 50, 'e', '2026-05-01', 'bank', 'NOVAK 2') AS e \gset
RESET casino.store;
SELECT casino.request_withdrawal(:anna, 40, 'transfer', 'w', '2026-05-02') AS w \gset
SELECT casino.pay_withdrawal(:w, '2026-05-03', 'NOVAK out') AS paid \gset
INSERT INTO casino.payment_account (player_id, account_no, account, registered_at, recorded_at)
VALUES (:anna, 2, 'CZ66 NOVAK', '2026-05-04', clock_timestamp());

-- ---------------------------------------------------------------- tokens
SELECT is((SELECT count(*) FROM casino.clear_text c WHERE c.player_id = :anna), 6::bigint,
          'R7.110: two accounts, three deposits and a payment');
SELECT is_empty($$SELECT l.account FROM casino.ledger l
                   WHERE l.reference !~ '^[0-9a-f]{64}$' OR l.account !~ '^[0-9a-f]{64}$'
                  UNION ALL
                  SELECT a.account FROM casino.payment_account a WHERE a.account !~ '^[0-9a-f]{64}$'$$,
                'R7.110: entries and accounts have tokens');
SELECT is((SELECT count(*) FROM casino.clear_text c
            WHERE c.token = encode(sha256(c.salt || convert_to(c.clear, 'UTF8')), 'hex')), 8::bigint,
          'R7.110: SHA-256 of the salt and the text');
SELECT is((SELECT count(DISTINCT c.salt) FROM casino.clear_text c), 8::bigint,
          'R7.110: each text has an own salt, the same text of another entry, too');
SELECT is((SELECT l.account FROM casino.ledger l WHERE l.player_id = :anna AND l.entry_no = :paid),
          (SELECT a.account FROM casino.payment_account a WHERE a.player_id = :anna AND a.account_no = 1),
          'R7.110: a payment has the token of the account that it went to');
-- people read the texts
SELECT results_eq(format('SELECT account_no, account, erased FROM casino.account_in_clear
                           WHERE player_id = %s ORDER BY 1', :anna),
                  $$VALUES (1, 'CZ65 NOVAK', false), (2, 'CZ66 NOVAK', false)$$, 'R7.112: accounts');
SELECT results_eq(format('SELECT kind, method, account, reference FROM casino.payment_in_clear
                           WHERE player_id = %s ORDER BY entry_no', :anna),
                  $$VALUES ('deposit', 'bank', NULL, 'NOVAK 1'), ('deposit', 'bank', NULL, 'NOVAK 1'),
                           ('deposit', 'bank', NULL, 'NOVAK 2'),
                           ('transfer_paid', 'transfer', 'CZ65 NOVAK', 'NOVAK out')$$,
                  'R7.112: payments, by functions, by a plain INSERT and without the store');
SELECT is(jsonb_path_query_array(casino.person_file('Anna'), '$.accounts[0].payment_account[*].account'),
          '["CZ65 NOVAK", "CZ66 NOVAK"]', 'R7.112: the file of a person');
SELECT is(jsonb_path_query_array(casino.person_file('Anna'), '$.accounts[0].ledger[*].reference'),
          '["NOVAK 1", "NOVAK 1", "NOVAK 2", "NOVAK out"]', '... with references');
SELECT is((SELECT array_agg(e.detail ->> 'account' ORDER BY e.at)
             FROM casino.significant_event('2026-05-01', '2026-05-04', 'Anna') e
            WHERE e.kind = 'payment account registered'),
          '{CZ65 NOVAK,CZ66 NOVAK}', 'R7.112: significant events');

-- ---------------------------------------------------------------- reports that the night keeps
INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, status, step, done, total)
VALUES (1, '2026-05-01', '2026-05-01', true, now(), 'running', 'report', 0, 1);
SELECT casino_internal.keep_daily_report(1, '2026-05-01') \g /dev/null
SELECT ok(casino.daily_report('2026-05-01')::text ~ 'CZ65 NOVAK',
          'R7.112: the report of now has the account');
SELECT is((SELECT array_agg(e ->> 'player_id' || ' ' || (e #>> '{detail,account}')
                            ORDER BY (e ->> 'player_id')::bigint)
             FROM casino.day_report d
            CROSS JOIN jsonb_array_elements(d.report -> 'events') e
            WHERE e ->> 'event' = 'payment account registered'),
          (SELECT array_agg(a.player_id || ' ' || a.account ORDER BY a.player_id)
             FROM casino.payment_account a WHERE a.account_no = 1),
          'R7.117: a report that is kept has the token of each account');
SELECT is_empty($$SELECT d.day FROM casino.day_report d WHERE d.report::text ~ 'NOVAK'$$,
                'R7.117: ... and no text, because it is sealed');
SELECT is(casino_internal.report_by_tokens(
              '{"day": "2026-05-01", "events": [{"event": "limit set", "detail": {}}],
                "large_wins": [{"external_ref": "Bob", "won": 2}, {"external_ref": "Anna", "won": 1}]}'),
          (SELECT jsonb_build_object('day', '2026-05-01',
                      'events', '[{"event": "limit set", "detail": {}}]'::jsonb,
                      'large_wins', jsonb_build_array(
                          jsonb_build_object('external_ref', b.token, 'won', 2),
                          jsonb_build_object('external_ref', a.token, 'won', 1)))
             FROM casino.person a CROSS JOIN casino.person b
            WHERE a.external_ref = 'Anna' AND b.external_ref = 'Bob'),
          'R7.117: ... the tokens of who won large sums, and the rest as it was');

-- ---------------------------------------------------------------- retries
SELECT is(casino.deposit(:anna, 100, 'd', NULL, 'bank', 'NOVAK 1'), :d::bigint, 'the same again');
SELECT is(casino.deposit(:anna, 50, 'row', NULL, 'bank', 'NOVAK 1'), 2::bigint, '... of a plain INSERT');
SELECT is(t.fails(format('SELECT casino.deposit(%s, 100, ''d'', NULL, ''bank'', %s)', :anna, reference)),
          'KL003', 'another reference: ' || reference)
  FROM unnest('{''NOVAK 2'',"NULL"}'::text[]) reference;
SELECT is(t.fails(format('SELECT casino.deposit(%s, 100, ''d'', NULL, ''bank'', %L)', :anna,
                         l.reference)),
          'KL003', 'the token is not the text')
  FROM casino.ledger l WHERE l.player_id = :anna AND l.entry_no = :d;
SELECT is(casino.pay_withdrawal(:w, NULL, 'NOVAK out'), :paid::bigint, 'a payment again');
SELECT is(t.fails(format('SELECT casino.pay_withdrawal(%s, NULL, ''NOVAK 1'')', :w)), 'KL004',
          '... with another reference');
SELECT is(casino.set_payment_account(:anna, 'CZ66 NOVAK', '2026-05-05'), 2, 'an account again');
SELECT is((SELECT count(*) FROM casino.clear_text c WHERE c.player_id = :anna), 6::bigint,
          'repetitions keep no other text');
-- R7.113: a refusal is kept and sealed, without the reference
SELECT is((SELECT t.code || ': ' || t.detail FROM casino.try_pay_withdrawal(:w, NULL, 'NOVAK 1') t),
          format('KL004: Entry %s has another reference and the place none.', :paid),
          'R7.113: the refusal of another reference');
SELECT is_empty($$SELECT r FROM casino.refusal r WHERE r::text ~ 'NOVAK'$$,
                'R7.113: a refusal that is kept has no reference');
-- R7.110: a token that is pasted where an account is asked for
SELECT is(t.fails(format(statement, :anna, x.token)), '23514', 'R7.110: pasted, ' || x.name)
  FROM (SELECT 'the token of an account before' AS name, a.account AS token
          FROM casino.payment_account a WHERE a.player_id = :anna AND a.account_no = 1
        UNION ALL
        SELECT 'the token of a reference', l.reference
          FROM casino.ledger l WHERE l.player_id = :anna AND l.entry_no = :d
        UNION ALL
        SELECT 'a token of nobody', repeat('0', 64)) x
 CROSS JOIN unnest(ARRAY['SELECT casino.set_payment_account(%s, %L, ''2026-05-05'')',
                         'INSERT INTO casino.payment_account (player_id, account_no, account, registered_at,
                                                              recorded_at)
                          VALUES (%s, 3, %L, ''2026-05-05'', clock_timestamp())']) statement;
SELECT is((SELECT count(*) FROM casino.payment_account a WHERE a.player_id = :anna), 2::bigint,
          'R7.110: ... registers nothing');
SELECT casino.place_bet(t.round('S1', '2026-05-05 10:00'), :anna, 'red@10', 's', at => '2026-05-05 10:00')
    \g /dev/null
SELECT is((SELECT count(*) FROM casino.clear_text c WHERE c.player_id = :anna), 6::bigint,
          'a stake has no text');
SELECT casino.void_round(r.round_id, 'test', '2026-05-05 10:01') FROM casino.round r \g /dev/null

-- ---------------------------------------------------------------- guards
SELECT is(t.fails(statement), 'KL001', statement)
  FROM (VALUES ('UPDATE casino.clear_text SET clear = ''mine'''), ('DELETE FROM casino.clear_text'),
               ('TRUNCATE casino.clear_text')) v (statement);
SELECT casino.adjust(:anna, -p.balance, 'taken out for the test', at => '2026-05-06')
  FROM casino.player p WHERE p.player_id = :anna \g /dev/null
SELECT casino.close_account(:anna, '2026-05-07') \g /dev/null
SELECT casino.seal(casino.prague_day(clock_timestamp())) \g /dev/null
SELECT casino.prague_day(clock_timestamp()) AS today \gset
CREATE TABLE t.export AS SELECT e.line FROM casino.export_day(:'today') e (line);
SELECT is_empty($$SELECT e.line FROM t.export e WHERE e.line ~ 'NOVAK'$$, 'R7.110: an export has tokens');
CREATE FUNCTION t.found(fault text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    result text[];
BEGIN
    BEGIN
        SET LOCAL session_replication_role = replica;
        ALTER TABLE casino.payment_account DISABLE TRIGGER ALL;
        EXECUTE fault;
        result := ARRAY (SELECT format('%s p%s e%s', f.rule, f.player_id, f.entry_no)
                           FROM casino_internal.check_state('2026-05-01', '2026-05-31') f ORDER BY 1)
                  || ARRAY (SELECT format('%s p%s e%s', f.rule, f.player_id, f.entry_no)
                              FROM casino_internal.check_state('2020-01-01', '2030-01-01') f ORDER BY 1)
                  || ARRAY (SELECT 'verify' FROM casino.verify() LIMIT 1)
                  || ARRAY (SELECT a.account FROM casino.account_in_clear a
                             WHERE a.account_no = 1 AND NOT a.erased ORDER BY a.player_id);
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;
SELECT is(ARRAY (SELECT t.found(fault)), found, 'R7.111: ' || name)
  FROM (VALUES ('nothing', 'SELECT 1', '{CZ65 NOVAK,CZ65 NOVAK}'::text[]),
               ('an account that money would go to, which is not shown (R7.112)',
                format('UPDATE casino.clear_text c SET clear = ''CZ99 MINE''
                          FROM casino.payment_account a
                         WHERE a.player_id = %s AND a.account_no = 1
                           AND (c.player_id, c.token) = (a.player_id, a.account)', :anna),
                ARRAY[format('clear_text p%s e', :anna), format('clear_text p%1$s e', :anna), 'CZ65 NOVAK']),
               ('a reference that reads otherwise',
                format('UPDATE casino.clear_text c SET clear = ''NOVAK 9''
                          FROM casino.ledger l
                         WHERE l.player_id = %s AND l.entry_no = %s
                           AND (c.player_id, c.token) = (l.player_id, l.reference)', :anna, :d),
                ARRAY[format('clear_text p%s e', :anna), format('clear_text p%1$s e', :anna), 'CZ65 NOVAK',
                      'CZ65 NOVAK']),
               ('a reference without its text',
                format('DELETE FROM casino.clear_text c USING casino.ledger l
                         WHERE l.player_id = %s AND l.entry_no = %s
                           AND (c.player_id, c.token) = (l.player_id, l.reference)', :anna, :d),
                ARRAY[format('clear_text p%s e%s', :anna, :d), format('clear_text p%s e%s', :anna, :d),
                      'CZ65 NOVAK', 'CZ65 NOVAK']),
               ('text, salt and token changed together, which seals cover',
                format('WITH c AS (UPDATE casino.clear_text c
                                      SET clear = ''CZ99 MINE'',
                                          token = casino.person_token(''CZ99 MINE'', c.salt)
                                     FROM casino.payment_account a
                                    WHERE a.player_id = %s AND a.account_no = 1
                                      AND (c.player_id, c.token) = (a.player_id, a.account)
                                   RETURNING c.player_id, c.token)
                        UPDATE casino.payment_account a SET account = c.token FROM c
                         WHERE a.player_id = c.player_id AND a.account_no = 1', :anna),
                '{verify,CZ99 MINE,CZ65 NOVAK}')) v (name, fault, found);

-- ---------------------------------------------------------------- erased
SELECT casino.erase_person('Anna', 'request 12') AS token \gset
CREATE ROLE erase_second;
SELECT casino.grant_access('erase_second', 'compliance') \g /dev/null
SET SESSION AUTHORIZATION erase_second;
SELECT casino.approve_erasure('Anna') \g /dev/null
RESET SESSION AUTHORIZATION;
SELECT is((SELECT array_agg(DISTINCT c.player_id) FROM casino.clear_text c), ARRAY[:bob]::bigint[],
          'R7.113: the texts of the person are gone, and of nobody else');
SELECT results_eq('SELECT line FROM casino.export_day(' || quote_literal(:'today') || ') e (line)',
                  'SELECT line FROM t.export', 'R7.113: an export is the same, line by line');
SELECT is_empty('SELECT * FROM casino.verify()', 'R7.113: every seal fits');
SELECT is_empty($$SELECT * FROM casino_internal.check_state('2020-01-01', '2030-01-01')$$,
                'the night finds nothing');
SELECT is_empty($$SELECT * FROM casino_internal.check_cash_limit('2020-01-01', '2030-01-01')$$,
                '... nor of the account that was paid to');
SELECT results_eq(format('SELECT x.account, x.erased FROM casino.account_in_clear x WHERE player_id = %s
                           ORDER BY account_no', :anna),
                  format('SELECT a.account, true FROM casino.payment_account a WHERE a.player_id = %s
                           ORDER BY account_no', :anna), 'R7.112: tokens stand for accounts');
SELECT results_eq(format('SELECT account, reference FROM casino.payment_in_clear WHERE player_id = %s
                           ORDER BY entry_no', :anna),
                  format('SELECT account, reference FROM casino.ledger
                           WHERE player_id = %s AND kind IN (''deposit'', ''transfer_paid'')
                           ORDER BY entry_no', :anna), 'R7.112: ... and for references');
SELECT ok(casino.person_file(:'token')::text !~ 'NOVAK', 'R7.113: nor does the file show them');
SELECT is_empty($$SELECT e.* FROM casino.significant_event('2026-05-01', '2026-05-04') e
                   WHERE e.detail::text ~ 'NOVAK' AND e.player_id <> $$ || :bob, 'R7.113: nor do events');
SELECT is(casino.deposit(:bob, 100, 'd', NULL, 'bank', 'NOVAK 1'), :bobs::bigint, 'others go on');
SELECT is(t.fails(format(statement, :anna)), '55000', 'R7.113: an erased person gets none: ' || statement)
  FROM unnest(ARRAY['SELECT casino.set_payment_account(%s, ''CZ67 NOVAK'', ''2026-05-08'')',
                    'INSERT INTO casino.payment_account (player_id, account_no, account, registered_at,
                                                         recorded_at)
                     VALUES (%s, 3, ''CZ67 NOVAK'', ''2026-05-08'', clock_timestamp())']) statement;
-- a correction gives the closed account money: it is paid, and no text of the payment is kept
SELECT casino.adjust(:anna, 30, 'a result was corrected', at => '2026-05-08') \g /dev/null
SELECT casino.request_withdrawal(:anna, 30, 'transfer', 'late', '2026-05-08') AS late \gset
SELECT is(t.fails(format('SELECT casino.pay_withdrawal(%s, ''2026-05-09'', ''NOVAK late'')', :late)), '55000',
          'R7.113: a late payment to an erased person has no reference in clear');
SELECT isnt(casino.pay_withdrawal(:late, '2026-05-09'), NULL, 'R7.113: ... and is recorded without one');
SELECT is((SELECT count(*) FROM casino.clear_text c WHERE c.player_id = :anna), 0::bigint,
          'R7.113: ... which keeps no text');
SELECT is(ARRAY (SELECT t.found(format('INSERT INTO casino.clear_text (player_id, token, clear, salt)
                                        SELECT %s, casino.person_token(''CZ65 NOVAK'', s.salt),
                                               ''CZ65 NOVAK'', s.salt
                                          FROM (SELECT sha256(''salt'') AS salt) s', :anna))),
          ARRAY[format('erased_text p%s e', :anna), format('erased_text p%s e', :anna), 'CZ65 NOVAK'],
          'R7.111: a text of an erased person that is there');
SELECT * FROM finish();
ROLLBACK;
