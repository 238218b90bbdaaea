-- Rows that claim a time long before they were written (R7.85, R7.86, R7.87): both sides of the minute,
-- planted faults and clean books, deadlines by the later time.
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE SCHEMA t;
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.player_id, f.round_id, f.entry_no), '; '
                               ORDER BY f.rule, f.player_id, f.entry_no), 'nothing')
      FROM casino_internal.check_dated_back('2026-01-01', '2026-12-31') f $$;
CREATE FUNCTION t.planted(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    BEGIN
        EXECUTE statement;
        found := t.night();
        RAISE EXCEPTION SQLSTATE 'ZZ001';
    EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
        RETURN found;
    END;
END $$;

-- a day of play, marked by the tests before
SELECT casino.add_game_table('roulette_american', 'R', 10, 1000) AS tab \gset
SELECT casino.deposit(casino.register_player('ann'), 10000, 'd', '2026-03-01 10:00') \g /dev/null
SELECT casino.open_round(:tab, 'a', '2026-03-01 10:01') AS one \gset
SELECT casino.place_bet(:one, 1, 'red@100', 's', at => '2026-03-01 10:01:10') \g /dev/null
SELECT casino.settle_round(:one, '{"number": 1}', '2026-03-01 10:02') \g /dev/null
SELECT casino.set_payment_account(1, 'CZ1', '2026-01-01') \g /dev/null
SELECT casino.request_withdrawal(1, 100, 'transfer', 'w1', '2026-03-02') AS w1 \gset
SELECT casino.request_withdrawal(1, 100, 'transfer', 'w2', '2026-03-02') AS w2 \gset
SELECT casino.pay_withdrawal(:w1, '2026-03-03') \g /dev/null
SELECT is(t.night(), 'nothing', 'R7.85: marked days do not differ');
SELECT is((SELECT count(*) FROM casino.breach), 0::bigint,
          'R7.86: and a payment there is judged by its time');

ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
ALTER TABLE casino.round DISABLE TRIGGER ALL;
ALTER TABLE casino.replay DISABLE TRIGGER ALL;
ALTER TABLE casino.payment_account DISABLE TRIGGER ALL;
ALTER TABLE casino.recorder DISABLE TRIGGER ALL;
SELECT is(t.planted('UPDATE casino.replay SET recorded_at = clock_timestamp()'), 'nothing',
          'R7.88: before the books began nothing is dated back');
SELECT is(t.planted(format('UPDATE casino.replay SET recorded_at = clock_timestamp();
                      UPDATE casino.recorder SET recorded_at = %L', began)), found, 'R7.88: began ' || began)
  FROM (VALUES ('2026-03-04 00:00', 'nothing'),
               ('2026-03-03 23:59:59.999999', 'ledger 1 6')) v (began, found);
UPDATE casino.recorder SET recorded_at = '2025-12-31';
SELECT is(t.planted('UPDATE casino.replay SET recorded_at = clock_timestamp()') ~ '^ledger 1 1; ', true,
          'R7.85: a mark made later excuses nothing');
-- the mark of the tests goes, and the rows fit
DELETE FROM casino.replay;
ALTER TABLE casino.replay ENABLE TRIGGER ALL;
UPDATE casino.ledger SET recorded_at = posted_at + interval '1 minute';
UPDATE casino.round
   SET opened_recorded_at = opened_at + interval '1 minute',
       betting_closed_recorded_at = betting_closed_at + interval '1 minute',
       evaluation_recorded_at = evaluated_at + interval '1 minute';
UPDATE casino.payment_account SET recorded_at = registered_at + interval '1 minute';
SELECT is(t.night(), 'nothing', 'R7.85: a minute is in time');
SELECT is(t.planted(statement), found, statement)
  FROM (VALUES ('UPDATE casino.ledger SET recorded_at = recorded_at + interval ''1 us''
                   WHERE kind = ''stake''',
                'ledger 1 1 2'),
               ('UPDATE casino.round SET evaluation_recorded_at = evaluation_recorded_at + interval ''1 us''',
                'round 1'),
               ('UPDATE casino.payment_account SET recorded_at = recorded_at + interval ''1 us''',
                'payment_account 1'),
               ('UPDATE casino.ledger SET posted_at = posted_at - interval ''1 us'' WHERE kind = ''deposit''',
                'ledger 1 1'),
               ('UPDATE casino.ledger SET recorded_at = recorded_at + interval ''300 days''
                   WHERE entry_no = 1',
                'ledger 1 1')) v (statement, found);
-- R7.103: acts of a round before its evaluation
SELECT is(t.planted(format('UPDATE casino.round
                               SET %1$s_at = opened_at + interval ''1 s'',
                                   %1$s_recorded_at = opened_at + interval ''%2$s''', act, late)),
          found, format('R7.103: %s, written %s later', act, late))
  FROM unnest('{betting_closed,actions_closed,withheld}'::text[]) act
 CROSS JOIN (VALUES ('1 minute 1 s', 'nothing'), ('1 minute 1.000001 s', 'round 1')) v (late, found);
SELECT is(t.planted(format('UPDATE casino.round SET opened_recorded_at = opened_at + interval %L', late)),
          found, 'R7.103: opened, written ' || late || ' later')
  FROM (VALUES ('1 minute', 'nothing'), ('1 minute 0.000001 s', 'round 1')) v (late, found);
SELECT is(t.planted('UPDATE casino.round
                        SET status = ''open'', opened_recorded_at = opened_at + interval ''2 minutes'',
                            evaluated_at = NULL, evaluation_recorded_at = NULL'),
          'round 1', 'R7.103: a round that is not evaluated is looked at, too');
-- acts after the evaluation, on days of their own, also where no entry was posted
CREATE FUNCTION t.ended(act text, late interval, day date) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    BEGIN
        EXECUTE format('UPDATE casino.round
                           SET %1$s_at = ''2026-05-04 12:00'',
                               %1$s_recorded_at = ''2026-05-04 12:00''::timestamptz + %2$L::interval',
                       act, late);
        SELECT string_agg(concat_ws(' ', f.rule, f.round_id, f.detail ->> 'act'), '; ') INTO found
          FROM casino_internal.check_dated_back(day, day) f
         WHERE f.rule = 'round';
        RAISE EXCEPTION SQLSTATE 'ZZ001';
    EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
        RETURN coalesce(found, 'nothing');
    END;
END $$;
SELECT is(t.ended(act, late::interval, day::date), found,
          format('R7.103: %s, written %s later: night of %s', act, late, day))
  FROM (VALUES ('withheld_paid', 'released'), ('voided', 'voided')) a (act, said)
 CROSS JOIN LATERAL (
       VALUES ('1 minute', '2026-05-04', 'nothing'),
              ('1 minute 0.000001 s', '2026-05-04', 'round 1 ' || said),
              ('3 days', '2026-05-04', 'round 1 ' || said), ('3 days', '2026-05-07', 'round 1 ' || said),
              ('3 days', '2026-05-05', 'nothing'))
       v (late, day, found);
SELECT is(t.planted($$UPDATE casino.round
                         SET voided_at = evaluated_at,
                             voided_recorded_at = evaluated_at + interval '2 minutes'$$), 'nothing',
          'R7.103: a void that is the evaluation is judged as the evaluation');
-- play elsewhere, refusals, requests cancelled before they came
SELECT casino.count_other_play(1, 'slots', 5, -5, 'o', at => '2026-03-02 12:00') \g /dev/null
SELECT casino.cancel_bet(:one, 1, 'never', '2026-03-02 12:00') \g /dev/null
SELECT code IS NOT NULL AS refused
  FROM casino.try_request_withdrawal(1, 1000000, 'transfer', 'n', '2026-03-02 12:00') \gset
SELECT ok(:'refused', 'a refusal is recorded');
SELECT is(t.night(), 'cancelled_request 1 1; other_play 1; refusal 1',
          'R7.85, R7.105: play elsewhere, a request cancelled before it came, a refusal');
ALTER TABLE casino.other_play DISABLE TRIGGER ALL;
ALTER TABLE casino.cancelled_request DISABLE TRIGGER ALL;
ALTER TABLE casino.refusal DISABLE TRIGGER ALL;
UPDATE casino.other_play SET recorded_at = played_at + interval '1 minute';
UPDATE casino.cancelled_request SET recorded_at = cancelled_at + interval '1 minute';
UPDATE casino.refusal SET recorded_at = refused_at + interval '1 minute';
SELECT is(t.night(), 'nothing', 'R7.85: for them, too, a minute is in time');
SELECT is(t.planted('INSERT INTO casino.cell (cell, of_cells, recorded_at, recorded_by)
                     VALUES (0, 1, now(), 1);
                     UPDATE casino.round SET evaluation_recorded_at = clock_timestamp();
                     UPDATE casino.ledger SET recorded_at = clock_timestamp()
                      WHERE kind IN (''payout'', ''deposit'')'),
          'ledger 1 1', 'R7.87: in a cell decisions of the hub come late, deposits do not');

-- R7.86: the payment of today that claims the second day
ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
SELECT casino.pay_withdrawal(:w2, '2026-03-04') \g /dev/null
SELECT is((SELECT string_agg(concat_ws(' ', b.rule, b.entry_no), ', ') FROM casino.breach b),
          'withdrawal_late 5', 'R7.86: a payment dated back to the second day is late');
SELECT is(t.night(), 'ledger 1 7', 'R7.104: and a difference of the entry alone, not of its breach');
SELECT ok((SELECT count(*) = 1 FROM casino_internal.check_withdrawal_overdue('2026-01-01', '2026-12-31') f
            WHERE f.rule = 'overdue' AND f.entry_no = 5),
          'R7.86: the night judges it by the later time, too');

-- asked for on 2 March, prompt until 5 March
CREATE FUNCTION t.no_reason() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.entry_no), ', '), 'nothing')
      FROM casino_internal.check_no_reason('2026-03-01', '2026-03-31') f $$;
SELECT is(t.no_reason(), 'withdrawal 5', 'R7.86: nor was it prompt; the one paid in time was');
SELECT is((SELECT concat_ws(' ', payments, not_prompt, without_reason)
             FROM casino.payment_times('2026-03-01', '2026-03-31')), '2 1 1',
          'R7.86: the figures say so, too');
SELECT is(jsonb_array_length(casino_internal.page_late('2026-03-01', '2026-04-01')), 1,
          'R7.86: and the page of the period');
SELECT is(casino.excuse_delay(1, 5, 'the bank was closed'), 1, 'R7.86: a reason is taken for it');
SELECT is(t.no_reason(), 'nothing', 'R7.72: which explains it');
SELECT throws_ok($$ SELECT casino.excuse_delay(1, 4, 'x') $$, '55000', NULL,
                 'R7.39: and none for the payment in time');

SELECT is(casino.mark_replay('2026-03-01', '2026-03-04', 'the server was down'),
          casino.mark_replay('2026-03-01', '2026-03-04', 'the server was down'),
          'mark_replay(): twice is once');
SELECT is(t.night(), 'ledger 1 7', 'R7.85: too late for the payment');
SELECT casino.deposit(1, 5, 'd2', '2026-03-04 23:59:59.999999') \g /dev/null
SELECT is(t.night(), 'ledger 1 7', 'R7.85: rows written from then on are excused');
SELECT casino.deposit(1, 5, 'd3', '2026-03-05') \g /dev/null
SELECT is(t.night(), 'ledger 1 7; ledger 1 9', 'R7.85: but not of the next day');
SELECT throws_ok(statement, code, NULL, statement)
  FROM (VALUES ($$SELECT casino.mark_replay(NULL, '2026-03-01', 'x')$$, '22004'),
               ($$SELECT casino.mark_replay('2026-03-01', '2026-03-01', NULL)$$, '22004'),
               ($$SELECT casino.mark_replay('2026-03-01', '2026-03-01', ' ')$$, '23514'),
               ($$SELECT casino.mark_replay('2026-03-02', '2026-03-01', 'x')$$, '23514'),
               ($$SELECT casino.mark_replay('2026-03-01', 'infinity', 'x')$$, '23514')) v (statement, code);
-- R7.86: what a correction gives, within days of the evaluation by its own word. Black loses by number 1.
ALTER TABLE casino.round ENABLE TRIGGER ALL;
CREATE ROLE supervisor_of_replays_1;
CREATE ROLE supervisor_of_replays_2;
SELECT casino.grant_access(r, 'supervisor')
  FROM unnest('{supervisor_of_replays_1,supervisor_of_replays_2}'::name[]) r \g /dev/null
SELECT casino.register_player('bea') AS bea \gset
SELECT casino.deposit(:bea, 1000, 'd', '2026-03-03 09:00') \g /dev/null
SELECT casino.add_game_table('roulette_american', 'S', 10, 1000) AS tab2 \gset
SELECT casino.open_round(:tab2, 'c1', '2026-03-03 10:00') AS c1 \gset
SELECT casino.place_bet(:c1, :bea, 'black@100', at => '2026-03-03 10:00') \g /dev/null
SELECT casino.settle_round(:c1, '{"number": 1}', '2026-03-03 10:01') \g /dev/null
SELECT casino.open_round(:tab2, 'c2', '2026-03-03 10:02') AS c2 \gset
SELECT casino.place_bet(:c2, :bea, 'black@100', at => '2026-03-03 10:02') \g /dev/null
SELECT casino.settle_round(:c2, '{"number": 1}', '2026-03-03 10:03') \g /dev/null
CREATE FUNCTION t.correct(r bigint, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'supervisor_of_replays_1', true);
    n := casino.correct_round(r, '{"number": 2}', 'misread', at);
    PERFORM set_config('session_authorization', 'supervisor_of_replays_2', true);
    PERFORM casino.approve_correction(n, at), casino.approve_correction(n, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;
SELECT t.correct(:c1, '2026-03-04 23:59:59.999999'), t.correct(:c2, '2026-03-05 00:00') \g /dev/null
SELECT is((SELECT string_agg(concat_ws(' ', b.rule, b.entry_no, b.detail ->> 'round_id'), ', ')
             FROM casino.breach b WHERE b.player_id = :bea), 'winnings_late 3 ' || :c2,
          'R7.86: a correction of a marked day is judged by its time, one dated back by its writing');
CREATE FUNCTION t.unrecorded() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(f.rule || ' ' || f.round_id, ', '), 'nothing')
      FROM casino_internal.check_correction('2026-01-01', '2026-12-31') f $$;
SELECT is(t.unrecorded(), 'nothing', 'R7.86: and the night agrees');
ALTER TABLE casino.breach DISABLE TRIGGER ALL;
DELETE FROM casino.breach WHERE player_id = :bea;
SELECT is(t.unrecorded(), 'unrecorded ' || :c2, 'R7.86: planted: without the breach');
ALTER TABLE casino.breach ENABLE TRIGGER ALL;
SELECT throws_ok($$UPDATE casino.replay SET to_day = '2027-01-01'$$, 'KL001', NULL, 'marks are append-only');
SELECT is((SELECT count(*) FROM casino.significant_event('2026-01-01', '2999-12-31') e
            WHERE e.event = 'replay marked'), 1::bigint,
          'a mark is a significant event');
SELECT * FROM finish();
