-- Drafts of plan versions (D4 §5.1): approved by a second person with the number of the decision (R1.20 to
-- R1.23), withdrawn (R1.25), held against each other, warned of (R1.24); games that are added.
-- tampers with the books
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE draft_writer;
CREATE ROLE draft_approver;
GRANT USAGE ON SCHEMA casino, casino_internal TO draft_writer, draft_approver;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA casino TO draft_writer, draft_approver;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA casino TO draft_writer, draft_approver;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO draft_writer, draft_approver;
CREATE SCHEMA t;
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN coalesce(nullif(answer, ''), 'ok');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION t.draft(game text, since text) RETURNS bigint LANGUAGE sql AS $$
    SELECT t.as('draft_writer', format('SELECT casino.add_plan_version(%L, %L, %L)', game, since,
                                       'from ' || since))::bigint $$;
CREATE FUNCTION t.approve(plan bigint, who text DEFAULT 'draft_approver', number text DEFAULT 'MF-1/2098')
RETURNS text LANGUAGE sql AS $$
    SELECT t.as(who, format('SELECT casino.approve_plan_version(%s, %L, %L, %L)', plan, number,
                            'Ministry of Finance', '2098-12-01')) $$;

SELECT plan_id AS first FROM casino.game_plan WHERE game = 'baccarat' \gset
SELECT t.draft('baccarat', '2099-01-01') AS plan \gset
SELECT t.as('draft_writer', format('UPDATE casino.bet_rule SET max_stake = 777
                                     WHERE plan_id = %s AND kind = %L RETURNING kind', :plan, 'tie'))
    \g /dev/null
SELECT casino.add_game_table('baccarat', 'B', 10, 100) AS tab \gset

-- ---------------------------------------------------------------- approval
SELECT is(casino.plan_in_force('baccarat', '2099-06-01'), :first::bigint,
          'R1.20: a draft without an approval never comes into force');
SELECT is(t.approve(:plan, 'draft_writer'), '42501',
          'R1.21: the person who wrote the draft does not approve');
SELECT is(t.as('draft_writer', format('INSERT INTO casino.plan_approval (plan_id, number, approved_by, at)
                                       VALUES (%s, %L, %L, now()) RETURNING number', :plan, 'x', 'y')),
          '42501', 'R1.21: ... nor by a plain INSERT');
UPDATE casino.bet_rule SET min_stake = 20 WHERE plan_id = :plan AND kind = 'tie';
SELECT is(t.approve(:plan, session_user), '42501', 'R1.21: ... nor the person who changed a row of it');
SELECT casino.check_plan(:plan) \g /dev/null
-- a row that is gone names nobody
SELECT t.as('draft_approver',
            'SELECT casino.add_plan_version(''baccarat'', ''2099-02-02'', ''x'')') AS beside \gset
SELECT is(t.as('draft_approver', format(statement, :plan, :'beside')), '42501', 'R1.21: ' || name)
  FROM (VALUES ('DELETE FROM casino.paytable WHERE plan_id = %s AND kind = ''tie''',
                'a second person removes no row'),
               ('UPDATE casino.paytable SET plan_id = %2$s WHERE plan_id = %1$s AND kind = ''tie''',
                '... nor moves one to another draft')) v (statement, name);
SELECT t.as('draft_approver',
            format('SELECT casino.withdraw_plan_version(%s, ''x'')', :'beside')) \g /dev/null
SELECT is(t.approve(:plan), 'ok', 'R1.21: a second person does');
SELECT is(t.approve(:plan), 'ok', 'the same again is the same');
SELECT is(t.approve(:plan, number => 'MF-2/2098'), '23505', 'another number is refused');
SELECT results_eq(format('SELECT number, approved_by, at FROM casino.plan_approval
                           WHERE plan_id = %s', :plan),
                  $$VALUES ('MF-1/2098', 'Ministry of Finance', '2098-12-01'::timestamptz)$$,
                  'number, authority, time');
SELECT is(casino.plan_in_force('baccarat', at), plan::bigint, 'R1.20: approved, at ' || at)
  FROM (VALUES ('2098-12-31 23:59:59.999999'::timestamptz, :first), ('2099-01-01', :plan)) v (at, plan);
SELECT casino.open_round(:tab, 'by the draft', '2099-01-02') AS r \gset
SELECT is((SELECT plan_id FROM casino.round WHERE round_id = :r), :plan::bigint, 'a round goes by it');
SELECT throws_ok(statement || ' WHERE plan_id = ' || :plan, '55000', NULL,
                 'R1.23: an approved version does not change: ' || statement)
  FROM unnest(ARRAY['UPDATE casino.paytable SET num = num + 1', 'DELETE FROM casino.announced_rule',
                    'UPDATE casino.game_plan SET valid_from = ''2098-01-01''',
                    'UPDATE casino.bet_rule SET max_stake = 1']) statement
 WHERE statement !~ 'announced';
SELECT throws_ok(statement, 'KL001', NULL, statement)
  FROM unnest(ARRAY['UPDATE casino.plan_approval SET number = ''x''', 'DELETE FROM casino.plan_approval',
                    'DELETE FROM casino.plan_withdrawal', 'TRUNCATE casino.plan_withdrawal']) statement;

-- drafts that cannot be approved
SELECT t.draft('casino_holdem', '2099-01-01') AS broken \gset
SELECT t.as('draft_writer', format('DELETE FROM casino.paytable WHERE plan_id = %s AND kind = %L
                                    RETURNING kind',
                                   :broken, 'call')) \g /dev/null
SELECT is(t.approve(:broken), '22023', 'R1.22: a version that is not whole');
SELECT is(t.approve(:first), '55000', 'R1.22: a version whose day has come');
SELECT is(t.as('draft_approver', statement), code, statement)
  FROM (VALUES ('SELECT casino.approve_plan_version(NULL, ''x'', ''y'')', '22004'),
               (format('SELECT casino.approve_plan_version(%s, NULL, ''y'')', :plan), '22004'),
               (format('SELECT casino.approve_plan_version(%s, '' '', ''y'')', :plan), '22023'),
               ('SELECT casino.approve_plan_version(-1, ''x'', ''y'')', '23503'),
               (format('SELECT casino.approve_plan_version(%s, ''x'', ''y'', ''infinity'')', :plan), '22008'),
               ('SELECT casino.withdraw_plan_version(NULL, ''x'')', '22004'),
               (format('SELECT casino.withdraw_plan_version(%s, '' '')', :plan), '22023'),
               ('SELECT casino.withdraw_plan_version(-1, ''x'')', '23503'),
               (format('SELECT casino.withdraw_plan_version(%s, ''x'')', :first), '55000'),
               (format('SELECT casino.withdraw_plan_version(%s, ''x'')', :plan), '55000'))
       v (statement, code);

-- ---------------------------------------------------------------- withdrawal
SELECT t.draft('roulette_synot', '2099-01-01') AS gone \gset
SELECT is(t.approve(:gone), 'ok', 'approved');
SELECT is(t.as('draft_writer', format('SELECT casino.withdraw_plan_version(%s, %L)', :gone, 'refused')), 'ok',
          'R1.25: withdrawn before its day') FROM generate_series(1, 2);
SELECT isnt(casino.plan_in_force('roulette_synot', '2099-06-01'), :gone::bigint,
            'R1.25: a withdrawn version never comes into force, though it was approved');
SELECT is(t.approve(:gone, number => 'MF-3/2098'), '55000', 'R1.25: ... and is not approved again');
SELECT t.draft('roulette_synot', '2099-01-01') AS instead \gset
SELECT isnt(:instead::bigint, :gone::bigint, 'R1.25: another version may have its date');
SELECT is((SELECT version FROM casino.game_plan WHERE plan_id = :instead), 3, '... with the next number');
SELECT throws_ok(format($$INSERT INTO casino.game_plan (plan_id, game, version, valid_from, document)
                          VALUES (77777, 'roulette_synot', 9, '2099-01-01', 'x')$$), '23505', NULL,
                 'two versions do not begin at once');

-- ---------------------------------------------------------------- the version that is copied
CREATE FUNCTION t.add(game text, since text, from_version text DEFAULT 'NULL') RETURNS text LANGUAGE sql AS $$
    SELECT t.as('draft_writer', format('SELECT casino.add_plan_version(%L, %L, %L, %s)', game, since,
                                       'copy of ' || since, from_version)) $$;
CREATE FUNCTION t.tie(plan text) RETURNS numeric LANGUAGE sql AS $$
    SELECT b.max_stake FROM casino.bet_rule b WHERE b.plan_id = plan::bigint AND b.kind = 'tie' $$;
-- version 2 is approved (777), version 3 was withdrawn; version 4 becomes a draft of 888
SELECT t.add('baccarat', '2099-05-01') AS unapproved \gset
SELECT is(t.tie(:'unapproved'), 777.00, 'R1.27: a copy of the latest version that is approved');
UPDATE casino.bet_rule SET max_stake = 888 WHERE plan_id = :unapproved AND kind = 'tie';
UPDATE casino.game_plan SET round_max_stake = 8888 WHERE plan_id = :unapproved;
SELECT t.add('baccarat', '2099-06-01') AS beside \gset
SELECT is(t.tie(:'beside'), 777.00, 'R1.27: a draft is not copied unless it is named');
SELECT t.add('baccarat', '2099-07-01', '4') AS named \gset
SELECT is(t.tie(:'named'), 888.00, 'R1.27: named it is');
SELECT is((SELECT p.round_max_stake FROM casino.game_plan p WHERE p.plan_id = :named), 8888.00,
          'with the figures of the version itself');
SELECT t.add('baccarat', '2099-08-01', '1') AS oldest \gset
SELECT is(t.tie(:'oldest'), 25000.00, 'R1.27: so is an older one');
SELECT t.as('draft_writer', format('SELECT casino.withdraw_plan_version(%s, ''x'')', :named)) \g /dev/null
SELECT t.add('baccarat', '2099-09-01', '6') AS again \gset
SELECT is(t.tie(:'again'), 888.00, 'R1.27: and a withdrawn one');
SELECT is(t.add('baccarat', '2099-10-01', n), '23503', 'no version ' || n)
  FROM unnest(ARRAY['0', '9', '2147483647']) n;
-- the first version of a game that is added is a draft
SELECT t.as('draft_writer', $$SELECT casino.add_game('baccarat_new', 'New Baccarat', 'baccarat', true,
                                                     'D9 Baccarat', '2099-04-01')$$) AS fresh \gset
SELECT throws_ok('SELECT casino.add_plan_version(''baccarat_new'', ''2099-05-01'', ''x'')', '55000',
                 'no version of the game plan of baccarat_new is approved',
                 'R1.27: nothing is copied that nobody approved');
SELECT ok(t.add('baccarat_new', '2099-05-01', '1') ~ '^\d{4}$', 'unless it is asked for');
-- a corrected version while a later one waits
CREATE FUNCTION t.hint(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE statement;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN SQLSTATE || ' ' || hint;
END $$;
SELECT is(t.hint(format('SELECT casino.add_plan_version(%L, %L, %L)', game, since, 'x')), want,
          format('the next of %s is not from %s', game, since))
  FROM (VALUES ('baccarat', '2099-09-01',
                format('22023 Give a later time, or first withdraw that version: '
                       'casino.withdraw_plan_version(%s, reason).', :again)),
               ('baccarat', 'infinity', '22023 Give a finite time.'),
               ('casino_holdem', '-infinity',
                format('22023 Give a later time, or first withdraw that version: '
                       'casino.withdraw_plan_version(%s, reason).', :broken)),
               ('blackjack_synot', '-infinity', '22023 Give a time to come.')) v (game, since, want);
SELECT t.as('draft_writer', format('SELECT casino.withdraw_plan_version(%s, ''x'')', :again)) \g /dev/null
SELECT ok(t.add('baccarat', '2099-09-01') ~ '^\d{4}$', 'R1.25: withdrawn, it may be from the same day');

-- ---------------------------------------------------------------- difference
SELECT results_eq(format('SELECT part, row_key, field, before, after FROM casino.plan_difference(%s, %s)
                           WHERE part <> %L', :first, :plan, 'game_plan'),
                  $$VALUES ('bet_rule', 'tie', 'max_stake', '25000', '777'),
                           ('bet_rule', 'tie', 'min_stake', NULL, '20')$$, 'what differs');
SELECT is_empty(format('SELECT * FROM casino.plan_difference(%s, %s)', :plan, :plan), 'a version and itself');
SELECT ok(casino.plan_difference_text(:first, :plan) ~ 'sázka tie, nejvyšší sázka v Kč: 25000 → 777',
          'in Czech');
SELECT ok(casino.plan_difference_text(:first, :plan, 'en') ~ 'bet_rule tie, max_stake: 25000 → 777',
          'in English');
SELECT throws_ok(format('SELECT * FROM casino.plan_difference(-1, %s)', :plan), '23503', NULL,
                 'no such version');
SELECT throws_ok(format('SELECT casino.plan_difference_text(%s, %s, %L)', :first, :plan, 'sl'), '22023', NULL,
                 'no such language');

-- ---------------------------------------------------------------- a game
SELECT t.as('draft_writer', $$SELECT casino.add_game('baccarat_small', 'Small Baccarat', 'baccarat', true,
                                                     'D9 Baccarat', '2099-03-01')$$) AS small \gset
SELECT is_empty(format('SELECT * FROM casino.check_plan(%s)', :small), 'a game that is added is whole');
SELECT is(t.as('draft_writer', $$SELECT casino.add_game('baccarat_small', 'Small Baccarat', 'baccarat', true,
                                                        'D9 Baccarat', '2099-03-01')$$), :'small', 'twice');
-- R12.87: a name for each language
SELECT is(t.as('draft_writer', $$SELECT casino.add_game('baccarat_male', 'Malé baccarat', 'baccarat', true,
                                                        'D9 Baccarat', '2099-03-01', 'Little baccarat')
                                        IS NOT NULL$$), 'true', 'R12.87: a game with an English name');
SELECT is(ARRAY[casino_internal.page_words(lang) ->> 'game.baccarat_male',
          casino_internal.page_words(lang) ->> 'game.baccarat',
                casino_internal.page_words(lang) ->> 'game.roulette_american'], names,
          'R12.87: names of games on pages in ' || lang)
  FROM (VALUES ('cs', '{Malé baccarat,Baccarat,Americká ruleta}'::text[]),
               ('en', '{Little baccarat,Baccarat,American roulette}')) v (lang, names);
SELECT is(t.as('draft_writer', $$SELECT casino.add_game('baccarat_male', 'Malé baccarat', 'baccarat', true,
                                                        'D9 Baccarat', '2099-03-01', 'Small baccarat')$$),
          '23505', 'R12.87: another English name is another game');
SELECT is(t.as('draft_writer', $$SELECT casino.add_game('x', 'x', 'baccarat', true, 'x', '2099-01-01',
                                                        ' ')$$),
          '22023', 'an English name may not be blank');
SELECT throws_ok($$UPDATE casino.game SET name_en = 'x' WHERE game = 'baccarat_male'$$, 'KL001', NULL,
                 'R12.87: what a game is called does not change');
SELECT throws_ok($$SELECT casino.plan_in_force('baccarat_small', '2099-06-01')$$, '55000', NULL,
                 'R1.20: its first version needs an approval, too');
SELECT is(t.approve(:small), 'ok', 'approved');
SELECT is(casino.plan_in_force('baccarat_small', '2099-06-01'), :small::bigint, 'in force by its date');
SELECT is(t.as('draft_writer', statement), code, statement)
  FROM (VALUES ('SELECT casino.add_game(NULL, ''x'', ''baccarat'', true, ''x'', ''2099-01-01'')', '22004'),
               ('SELECT casino.add_game(''X y'', ''x'', ''baccarat'', true, ''x'', ''2099-01-01'')', '22023'),
               ('SELECT casino.add_game(''x'', ''x'', ''craps'', true, ''x'', ''2099-01-01'')', '23503'),
               ('SELECT casino.add_game(''x'', ''x'', ''baccarat'', true, ''x'', ''2020-01-01'')', '55000'),
               ('SELECT casino.add_game(''baccarat'', ''x'', ''baccarat'', true, ''x'', ''2099-01-01'')',
                '23505')) v (statement, code);

-- ---------------------------------------------------------------- warnings, events
SELECT is_empty($$SELECT * FROM casino.plan_warnings('2098-12-24 23:59:59')$$,
                'R1.24: more than seven days ahead nothing is said');
SELECT results_eq($$SELECT DISTINCT game, problem FROM casino.plan_warnings('2098-12-25') ORDER BY 1, 2$$,
                  $$SELECT 'casino_holdem', p
                      FROM (SELECT problem AS p FROM casino.check_plan($$ || :broken || $$)
                     UNION SELECT 'it is not approved') x
                    UNION ALL VALUES ('roulette_synot', 'it is not approved') ORDER BY 1, 2$$,
                  'R1.24: seven days ahead: not approved, not whole');
SELECT is((SELECT count(*) FROM casino_internal.check_plan_rows('2098-12-24', '2098-12-24') f
            WHERE f.rule = 'not_ready'), (SELECT count(*) FROM casino.plan_warnings('2098-12-25')),
          'R1.24: the night says so');
SELECT results_eq(format($$SELECT about, detail ->> 'number' FROM casino.significant_event(
                               casino.prague_day(now()), casino.prague_day(now()) + 1)
                            WHERE kind = 'plan' AND (detail ->> 'plan_id')::bigint = %s$$, :gone),
                  $$VALUES ('draft added', NULL), ('approved', 'MF-1/2098'), ('withdrawn', NULL)$$,
                  'drafts are significant events');

-- ---------------------------------------------------------------- who changed which row of a draft (R7.120)
CREATE FUNCTION t.change(who text, plan bigint, part text, content text, remove boolean DEFAULT false)
RETURNS text LANGUAGE sql AS $$
    SELECT t.as(who, format('SELECT casino.change_plan_version(%s, %L, %L, %L)', plan, part, content,
                            remove)) $$;
CREATE FUNCTION t.changes(plan bigint)
RETURNS TABLE (change_no integer, event text, row_key text, before text, after text, role text)
LANGUAGE sql AS $$
    SELECT (e.detail ->> 'change_no')::integer, e.about,
           concat_ws(' ', e.detail ->> 'table', e.detail ->> 'key'), (e.detail -> 'before')::text,
           (e.detail -> 'after')::text, e.role
      FROM casino.significant_event(casino.prague_day(now()), casino.prague_day(now()) + 1) e
     WHERE e.kind = 'plan' AND (e.detail ->> 'plan_id')::bigint = plan AND e.detail ? 'change_no'
     ORDER BY 1 $$;
CREATE FUNCTION t.faults() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', f.detail ->> 'change_no', f.detail ->> 'table', f.detail ->> 'key',
                     f.detail ->> 'field')
      FROM casino_internal.check_plan_rows('2098-12-24', '2098-12-24') f WHERE f.rule = 'change' $$;
SELECT count(casino.withdraw_plan_version(p.plan_id, 'room')) AS withdrawn
  FROM casino.game_plan p
 WHERE p.game = 'baccarat' AND p.valid_from > '2099-02-01'
   AND p.plan_id NOT IN (SELECT plan_id FROM casino.plan_withdrawal)
   AND p.plan_id NOT IN (SELECT plan_id FROM casino.plan_approval) \g /dev/null
SELECT t.draft('baccarat', '2099-11-01') AS logged \gset
SELECT is((SELECT array_agg(c.copied_from) FROM casino.plan_change c WHERE c.plan_id = :logged),
          ARRAY[:plan]::bigint[], 'R7.120: one row says which version was copied');
SELECT is(t.change(who, :logged, part, content, remove), answer, format('%s %s %s', who, part, content))
  FROM (VALUES ('draft_writer', 'paytable', '{"kind": "tie", "grade": "win", "num": 9}', false, 'true'),
               ('draft_approver', 'paytable', '{"kind": "tie", "grade": "win", "num": 8}', false, 'true'),
               ('draft_approver', 'paytable', '{"kind": "tie", "grade": "win", "num": 8}', false, 'false'),
               ('draft_writer', 'bet_rule', '{"kind": "tie", "max_stake": 500}', false, 'true'),
               ('draft_writer', 'plan_rule', '{"rule": "ground_late", "value": "x", "paragraph": "y"}',
                false, 'true'),
               ('draft_writer', 'plan_rule', '{"rule": "ground_late"}', true, 'true'),
               ('draft_writer', 'paytable', '{"kind": "tie", "grade": "win", "num": 10}', false, 'true'))
       v (who, part, content, remove, answer);
UPDATE casino.game_plan SET round_max_stake = 1000 WHERE plan_id = :logged;
UPDATE casino.paytable SET num = 44 WHERE plan_id = :logged AND (kind, grade) = ('egalite', 'tie_7');
SELECT results_eq(format('SELECT * FROM t.changes(%s)', :logged), format($$
    VALUES (1, 'draft added', '', NULL, NULL, 'draft_writer'),
           (2, 'row of a draft changed', 'paytable tie win', '{"num": 8}', '{"num": 9}', 'draft_writer'),
           (3, 'row of a draft changed', 'paytable tie win', '{"num": 9}', '{"num": 8}', 'draft_approver'),
           (4, 'row of a draft changed', 'bet_rule tie', '{"max_stake": 777}', '{"max_stake": 500}',
            'draft_writer'),
           (5, 'row of a draft added', 'plan_rule ground_late', NULL,
            '{"rule": "ground_late", "value": "x", "paragraph": "y", "informative": false}', 'draft_writer'),
           (6, 'row of a draft removed', 'plan_rule ground_late',
            '{"rule": "ground_late", "value": "x", "paragraph": "y", "informative": false}', NULL,
            'draft_writer'),
           (7, 'row of a draft changed', 'paytable tie win', '{"num": 8}', '{"num": 10}', 'draft_writer'),
           (8, 'row of a draft changed', 'game_plan', '{"round_max_stake": 375000}',
            '{"round_max_stake": 1000}', %1$L),
           (9, 'row of a draft changed', 'paytable egalite tie_7', '{"num": 45}', '{"num": 44}', %1$L)$$,
                  current_user), 'R7.120: each change is an event: who, which row, before, after');
-- the row of the paytable names the author alone now
SELECT is(t.approve(:logged), '42501',
          'R7.120: a person whose row another one has written over does not approve');
SELECT is_empty('SELECT * FROM t.faults()', 'R7.120: the changes lead to the rows');
SELECT throws_ok(statement, 'KL001', NULL, 'R7.120: append-only: ' || statement)
  FROM unnest(ARRAY['UPDATE casino.plan_change SET part = NULL', 'DELETE FROM casino.plan_change',
                    'TRUNCATE casino.plan_change']) statement;
-- what a superuser forges
ALTER TABLE casino.plan_change DISABLE TRIGGER USER;
ALTER TABLE casino.paytable DISABLE TRIGGER USER;
CREATE FUNCTION t.forged(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE statement;
    found := (SELECT string_agg(f, ', ' ORDER BY f) FROM t.faults() f);
    RAISE EXCEPTION SQLSTATE 'T0000';
EXCEPTION WHEN SQLSTATE 'T0000' THEN
    RETURN found;
END $$;
SELECT is(t.forged(format('UPDATE casino.plan_change SET %s WHERE (plan_id, change_no) = (%s, %s)', what,
                          :logged, change)), want, format('R7.120: found in change %s: %s', change, what))
  FROM (VALUES ('after = jsonb_set(after, ''{num}'', ''11'')', 2, '3 paytable tie win before'),
               ('before = jsonb_set(before, ''{num}'', ''11'')', 2, '2 paytable tie win before'),
               ('row_key = ''player''', 4, '4 bet_rule player after, 4 bet_rule player before'),
               ('part = ''paytable''', 4, '4 paytable tie after, 4 paytable tie before'),
               ('after = jsonb_set(after, ''{num}'', ''11'')', 7, '7 paytable tie win after'))
       v (what, change, want);
SELECT is(t.forged(format(statement, :logged)), want, 'R7.120: found: ' || statement)
  FROM (VALUES ('DELETE FROM casino.plan_change WHERE (plan_id, change_no) = (%s, 2)',
                '3 paytable tie win before'),
               ('UPDATE casino.paytable SET num = 12 '
                'WHERE plan_id = %s AND (kind, grade) = (''tie'', ''win'')',
                '7 paytable tie win after')) v (statement, want);
ALTER TABLE casino.plan_change ENABLE TRIGGER USER;
ALTER TABLE casino.plan_change ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE casino.plan_change ENABLE ALWAYS TRIGGER append_only_statement;
ALTER TABLE casino.paytable ENABLE TRIGGER USER;
-- a version that is gone has left its changes
SELECT t.draft('roulette_absolute', '2099-11-01') AS unready \gset
SELECT t.as('draft_writer', format($q$WITH gone AS (DELETE FROM casino.%I WHERE plan_id = %s RETURNING 1)
                                      SELECT count(*) FROM gone$q$, part, :unready)) IS NOT NULL AS removed
  FROM unnest('{paytable,bet_rule,plan_rule,announced_rule,game_plan}'::text[]) part \g /dev/null
SELECT results_eq(format('SELECT event, row_key FROM t.changes(%s) ORDER BY change_no DESC LIMIT 1',
                         :unready),
                  $$VALUES ('row of a draft removed', 'game_plan')$$,
                  'R7.120: a draft that was deleted is an event');
SELECT is_empty('SELECT * FROM t.faults()', 'R7.120: and no difference');

-- which games are broadcast
SELECT throws_ok('UPDATE casino.game SET live = NOT live', 'KL001', NULL,
                 'R7.118: a game stays broadcast, or not');
SELECT results_eq($$SELECT DISTINCT g.live FROM casino.game g WHERE g.document = 'D4'$$, 'VALUES (true)',
                  'R7.118, R1.6: all games of D4 are');
SELECT * FROM finish();
