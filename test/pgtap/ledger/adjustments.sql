-- Adjustments above the figure that the operator sets need a second person (R7.73): by function and by plain
-- INSERT, both sides of the figure, each retry twice, planted faults and clean books.
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE adjusting_owner;
CREATE ROLE adjusting_supervisor;
SELECT casino.grant_access('adjusting_supervisor', 'supervisor') \g /dev/null
GRANT USAGE ON SCHEMA casino, casino_internal TO adjusting_owner;
GRANT EXECUTE ON FUNCTION casino.adjust, casino.approve_adjustment TO adjusting_owner;
GRANT SELECT, INSERT ON casino.ledger TO adjusting_owner;
CREATE SCHEMA t;
-- the SQLSTATE of a statement under a login, or its answer
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
CREATE FUNCTION t.adjust(amount numeric, request text, reason text DEFAULT 'misread',
    at text DEFAULT '2026-03-01')
RETURNS text LANGUAGE sql AS $$
    SELECT t.as('adjusting_owner', format('SELECT casino.adjust(1, %s, %L, %L, %L)', amount, reason,
        request, at)) $$;
CREATE FUNCTION t.approve(amount numeric, request text, reason text DEFAULT 'misread',
                          who text DEFAULT 'adjusting_supervisor', round text DEFAULT 'NULL')
RETURNS text LANGUAGE sql AS $$
    SELECT t.as(who, format('SELECT casino.approve_adjustment(1, %L, %s, %L, %L, %s)', request, amount,
        reason,
                            '2026-03-01', round)) $$;

SELECT casino.deposit(casino.register_player('ann'), 10000, at => '2026-01-01') \g /dev/null
SELECT is(t.adjust(5000, 'before', at => '2026-01-15'), '2',
    'R7.73: before a figure is set, no amount is large');
SELECT casino.set_duty_rule('adjust_amount', '100', '2026-02-01', 'rules 7', 'rules of the house')
    \g /dev/null
SELECT throws_ok(format('SELECT casino.set_duty_rule(%L, %L, %L, %L, %L)', 'adjust_amount', v,
    '2026-02-02', 'x', 'x'),
                 '23514', NULL, 'no figure: ' || v)
  FROM unnest('{-1,01,1.5,1 CZK,1234567890}'::text[]) v;

SELECT is(t.adjust(200, 'early', at => '2026-01-31'), '42501',
          'R7.73: dated before the figure, written while it holds');
SELECT is(t.adjust(amount, request), answer, format('R7.73: %s CZK without an approval', amount))
  FROM (VALUES (100.00, 'a', '3'), (-100.00, 'b', '4'), (100.01, 'c', '42501'),
               (-100.01, 'd', '42501')) v (amount, request, answer);
SELECT is(t.as('adjusting_owner', $$ INSERT INTO casino.ledger (player_id, kind, amount, reason,
    request_id, posted_at)
    VALUES (1, 'adjustment', 100.01, 'misread', 'c', '2026-03-01') RETURNING entry_no $$), '42501',
        'R7.73: nor by INSERT');
SELECT is(t.as('adjusting_owner', $$ SELECT casino.adjust(1, 200, 'misread', at => '2026-03-01') $$),
    '42501',
          'R7.73: an adjustment without a request has no approval');

SELECT is(t.approve(200, 'c'), '1', 'approved, twice') FROM generate_series(1, 2);
SELECT is(t.adjust(200.01, 'c'), '42501', 'R7.73: another amount');
SELECT is(t.adjust(200, 'c', 'misdealt'), '42501', 'R7.73: another reason');
SELECT is(t.adjust(200, 'e'), '42501', 'R7.73: another request');
SELECT is(t.as('adjusting_supervisor', $$ SELECT casino.adjust(1, 200, 'misread', 'c', '2026-03-01')
    $$), '42501',
          'the supervisor may not adjust');
SELECT is(t.adjust(200, 'c'), '5', 'R7.73: approved by somebody else; twice') FROM generate_series(1, 2);
SELECT is((SELECT balance FROM casino.player WHERE player_id = 1), 15200.00, 'and posted once');
SELECT is(t.approve(200, 'c', who => 'adjusting_owner'), '55000', 'it is approved before it is posted');
SELECT is(t.approve(-300, 'f', who => 'adjusting_owner'), '2', 'the one who adjusts approves it');
SELECT is(t.adjust(-300, 'f'), '42501', 'R7.73, R7.60: which counts for nothing');
SELECT is(t.approve(-300, 'f'), '3', 'another person approves it, too');
SELECT is(t.as('adjusting_owner', $$ INSERT INTO casino.ledger (player_id, kind, amount, reason,
    request_id, posted_at)
    VALUES (1, 'adjustment', -300, 'misread', 'f', '2026-03-01') RETURNING entry_no $$), '6',
        'R7.73: by INSERT');
SELECT is(t.approve(amount, request, reason, round => round), code,
          format('refused: %s %s %s %s', amount, left(request, 9), left(reason, 9), round))
  FROM (VALUES (NULL, 'g', 'x', 'NULL', '42601'), (0, 'g', 'x', 'NULL', '22003'), (1.001, 'g', 'x',
      'NULL', '22003'),
               ('NaN', 'g', 'x', 'NULL', '42703'), (1e12, 'g', 'x', 'NULL', '22003'), (1, NULL, 'x',
                   'NULL', '22004'),
               (1, ' ', 'x', 'NULL', '22023'), (1, 'g', NULL, 'NULL', '22004'), (1, 'g', ' ', 'NULL',
                   '22023'),
               (1, 'g', 'x', '99', '23503'), (1, repeat('g', 201), 'x', 'NULL', '22001'),
               (1, 'g', repeat('x', 1001), 'NULL', '22001')) v (amount, request, reason, round, code);
SELECT throws_ok($$ SELECT casino.approve_adjustment(9, 'g', 1, 'x') $$, '23503', NULL,
    'an unknown player');
SELECT throws_ok($$ SELECT casino.approve_adjustment(1, 'g', 'NaN', 'x') $$, '22003', NULL,
    'no amount: NaN');
SELECT throws_ok('UPDATE casino.adjustment_approval SET amount = 1', 'KL001', NULL, 'append-only');

-- the night
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, 'entry', f.entry_no, f.found), '; '
        ORDER BY f.entry_no), 'nothing')
      FROM casino_internal.check_adjustment('2026-01-01', '2026-12-31') f $$;
SELECT is(t.night(), 'nothing', 'clean books');
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
ALTER TABLE casino.adjustment_approval DISABLE TRIGGER ALL;
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
SELECT is(t.planted(statement), found, statement)
  FROM (VALUES ('UPDATE casino.ledger SET amount = 100.01 WHERE entry_no = 3',
                'approval entry 3 above 100 CZK, and not approved'),
               ('UPDATE casino.ledger SET amount = -100.01 WHERE entry_no = 4',
                'approval entry 4 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval SET amount = 199 WHERE approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval SET request_id = ''x'' WHERE approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval SET reason = ''x'' WHERE approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval SET round_id = 1 WHERE approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval SET recorded_at = ''infinity'' WHERE approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'),
               ('DELETE FROM casino.adjustment_approval WHERE approval_no = 3',
                'approval entry 6 above 100 CZK, and not approved'),
               ('UPDATE casino.adjustment_approval a SET recorded_by = l.recorded_by FROM casino.ledger l
                  WHERE l.entry_no = 5 AND a.approval_no = 1',
                'approval entry 5 above 100 CZK, and not approved'))
       v (statement, found);
SELECT is(t.planted(format('UPDATE casino.adjustment_approval a
                               SET recorded_at = l.recorded_at + interval %L
                              FROM casino.ledger l
                             WHERE l.entry_no = 5 AND a.approval_no = 1', late)), found,
          'R12.151: approved later by the clock by ' || late)
  FROM (VALUES ('1 minute', 'nothing'),
               ('1 minute 0.000001 s', 'approval entry 5 above 100 CZK, and not approved')) v (late, found);
SELECT * FROM finish();
