-- Rounds and players' days that have changed since a cursor (R8.26, R8.27); tables closed and opened again,
-- with their sections of operation (R8.28, R8.29).
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA t;
-- rounds that have changed since the cursor in t.since, which moves on
CREATE FUNCTION t.changed() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    since bigint := nullif(current_setting('t.since', true), '')::bigint;
    found text := '';
    c record;
BEGIN
    FOR c IN SELECT * FROM casino.round_changes(since) LOOP
        IF c.change_no <= coalesce(since, 0) THEN RAISE 'not in order'; END IF;
        found := found || format('%s %s;', c.round_id, c.status);
        since := c.change_no;
    END LOOP;
    PERFORM set_config('t.since', since::text, false);
    RETURN found;
END $$;
SELECT casino.add_game_table('roulette_synot', 'Vltava', 10, 1000) AS wheel,
       casino.register_player('a') AS a, casino.register_player('b') AS b \gset
SELECT casino.deposit(:a, 5000, 'd'), casino.deposit(:b, 5000, 'd') \g /dev/null
SELECT casino.open_round(:wheel, 'one') AS r \gset
SELECT is(t.changed(), format('%s open;', :r), 'R8.26: a round opened is a change');
SELECT is(t.changed(), '', 'R8.26: nothing new');
SELECT casino.place_bet(:r, :a, 'red@100', 's') \g /dev/null
SELECT is(t.changed(), '', 'R8.26: stakes of a round under way do not change its figures');
SELECT casino.close_betting(:r) \g /dev/null
SELECT is(t.changed(), format('%s closed;', :r), 'R8.26: betting closed');
SELECT casino.settle_round(:r, '{"number": 1}') \g /dev/null
SELECT results_eq(format('SELECT round_id, status, wagers, staked, paid, outcome IS NOT NULL
                            FROM casino.round_changes(%s)', current_setting('t.since')),
                  format('VALUES (%s::bigint, ''settled'', 1::bigint, 100.00, 200.00, true)', :r),
                  'R8.26: a round settled comes whole, with figures and outcome');
SELECT is(t.changed(), format('%s settled;', :r), 'R8.26: the same cursor again gives the same');
SELECT casino.settle_round(:r, '{"number": 1}') \g /dev/null
SELECT is(t.changed(), '', 'R8.26: a repeated settlement changes nothing');
SELECT casino.correct_round(:r, '{"number": 2}', 'misread') AS c \gset
SELECT is(t.changed(), format('%s settled;', :r), 'R8.26: a correction proposed');
SELECT casino.open_round(:wheel, 'two') AS r2 \gset
SELECT casino.void_round(:r2, 'the camera') \g /dev/null
SELECT is(t.changed(), format('%s voided;', :r2), 'R8.26: two changes of a round come as one');
SELECT is((SELECT string_agg(c.round_id::text, ' ' ORDER BY c.change_no) FROM casino.round_changes() c),
          format('%s %s', :r, :r2), 'R8.26: without a cursor each round comes once');
SELECT throws_ok('SELECT casino.round_changes(-1)', '22023', NULL, 'R8.26: no cursor');
SELECT is_empty('SELECT FROM casino.round_changes(9223372036854775807)', 'R8.26: a cursor beyond all');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT throws_ok('SELECT casino.round_changes()', '25000', NULL,
                 'R8.26: an old snapshot does not show the numbers of others');
ROLLBACK;
-- a reading that is rolled back gives its numbers to nobody else
BEGIN;
SELECT casino.open_round(:wheel, 'three') AS r3 \gset
SELECT max(change_no) AS told FROM casino.round_changes(current_setting('t.since')::bigint) \gset
ROLLBACK;
SELECT casino.open_round(:wheel, 'four') AS r4 \gset
SELECT cmp_ok((SELECT max(change_no) FROM casino.round_changes(current_setting('t.since')::bigint)), '>',
              :told::bigint, 'R8.26: after a rollback the next number is greater than all that were told');
SELECT casino.void_round(:r4, 'over') \g /dev/null

-- ---- players' days
SELECT set_eq('SELECT player_id, day FROM casino.player_day_changes()',
              'SELECT DISTINCT player_id, casino.prague_day(posted_at) FROM casino.ledger',
              'R8.27: all days with entries');
SELECT max(change_no) AS days FROM casino.player_day_changes() \gset
SELECT is_empty(format('SELECT FROM casino.player_day_changes(%s)', :days), 'R8.27: nothing new');
SELECT casino.deposit(:b, 10, 'd2') \g /dev/null
SELECT results_eq(format('SELECT player_id, day FROM casino.player_day_changes(%s)', :days),
                  format('VALUES (%s::bigint, casino.prague_day(clock_timestamp()))', :b),
                  'R8.27: the day of the player who got an entry');

-- ---- tables closed
SELECT casino.open_round(:wheel, 'five') AS r5 \gset
SELECT throws_ok(format('SELECT casino.close_game_table(%s, ''x'')', :wheel), 'KR002', NULL,
                 'R8.28: not while a round is under way');
SELECT throws_ok(format('INSERT INTO casino.table_operation
                         VALUES (%s, 1, false, ''x'', now(), now())', :wheel),
                 'KR002', NULL, 'R8.28: nor by a plain INSERT');
SELECT casino.void_round(:r5, 'over') \g /dev/null
SELECT throws_ok(format('SELECT casino.close_game_table(%s, '' '')', :wheel), '22004', NULL,
                 'a reason must be given');
SELECT throws_ok('SELECT casino.close_game_table(77777, ''x'')', '23503', NULL, 'an unknown table');
SELECT throws_ok(format('SELECT casino.reopen_game_table(%s, ''x'')', :wheel), '55000', NULL,
                 'R8.28: a table that is open is not opened');
SELECT throws_ok(format('SELECT casino.close_game_table(%s, ''x'', clock_timestamp() - interval ''1 day'')',
                        :wheel), 'KL005', NULL, 'R8.28: not before its last round');
SELECT is(casino.close_game_table(:wheel, 'maintenance'), 1, 'R8.28: a table is closed');
SELECT is(casino.close_game_table(:wheel, 'maintenance'), 1, 'R8.29: the same again');
SELECT is(o.table_closed_at, t.happened_at, 'R8.28: offers() says since when')
  FROM casino.offers() o
  JOIN casino.table_operation t ON t.table_id = o.table_id AND t.operation_no = 1
 WHERE o.table_id = :wheel;
SELECT casino.add_game_table('roulette_american', 'never closed', 10, 1000) \g /dev/null
SELECT is((SELECT count(*) FROM casino.offers() o WHERE o.table_closed_at IS NOT NULL), 1::bigint,
          'R8.28: ... of no other table');
SELECT throws_ok(format('SELECT casino.close_game_table(%s, ''other'')', :wheel), 'KR002', NULL,
                 'R8.29: closed for another reason');
SELECT throws_ok(format('SELECT casino.open_round(%s, ''six'')', :wheel), 'KR002', NULL,
                 'R8.28: no round opens at a closed table');
SELECT throws_ok(format('INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id,
                             status, opened_at)
                         SELECT 777, table_id, table_version, ''six'', plan_id, ''open'',
                             clock_timestamp() FROM casino.round WHERE round_id = %s', :r), 'KR002', NULL,
                 'R8.28: nor by a plain INSERT');
SELECT throws_ok(format('INSERT INTO casino.table_operation
                         VALUES (%s, 2, false, ''x'', now(), now())', :wheel),
                 'KR002', NULL, 'R8.28: a closed table is not closed by a plain INSERT either');
SELECT is(casino.open_round(:wheel, 'one'), :r::bigint, 'a repeated call of an earlier round is answered');
SELECT is(casino.reopen_game_table(:wheel, 'mended'), 2, 'R8.28: opened again');
SELECT is(casino.reopen_game_table(:wheel, 'mended'), 2, 'R8.29: the same again');
SELECT is((SELECT o.table_closed_at FROM casino.offers() o WHERE o.table_id = :wheel), NULL,
          'R8.28: offers() shows an open table');
SELECT lives_ok(format('SELECT casino.void_round(casino.open_round(%s, ''six''), ''over'')', :wheel),
                'R8.28: rounds open again');
SELECT is(casino.close_game_table(:wheel, 'night'), 3, 'R8.28: closed for the night');
SELECT ok((SELECT o.table_closed_at IS NOT NULL FROM casino.offers() o WHERE o.table_id = :wheel),
          'R8.28: offers() shows a closed one again');
SELECT results_eq(format('SELECT section_no, opened_reason, closed_reason, opened_by IS NOT NULL,
                                 closed_by IS NOT NULL, closed_at > opened_at
                            FROM casino.table_section WHERE table_id = %s ORDER BY section_no', :wheel),
                  $$VALUES (1, NULL, 'maintenance', true, true, true),
                           (2, 'mended', 'night', true, true, true)$$,
                  'R8.28: sections of operation: opened and closed, by whom and why');
SELECT results_eq(format($$SELECT e.event, e.reason, (e.detail ->> 'operation_no')::integer,
                                  e.role IS NOT NULL, e.at = o.happened_at
                             FROM casino.significant_event(current_date - 1, current_date + 1) e
                             JOIN casino.table_operation o
                               ON o.table_id = (e.detail ->> 'table_id')::bigint
                              AND o.operation_no = (e.detail ->> 'operation_no')::integer
                            WHERE e.event LIKE 'table %%' AND o.table_id = %s
                            ORDER BY 3$$, :wheel),
                  $$VALUES ('table closed', 'maintenance', 1, true, true),
                           ('table opened again', 'mended', 2, true, true),
                           ('table closed', 'night', 3, true, true)$$,
                  'R7.119: closing and opening a table are significant events');
SELECT throws_ok('UPDATE casino.table_operation SET reason = ''x''', 'KL001', NULL, 'R8.28: append-only');
SELECT throws_ok('DELETE FROM casino.table_operation', 'KL001', NULL, 'R8.28: append-only');

-- ---- the night
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(DISTINCT f.rule, ', '), 'nothing')
      FROM casino_internal.check_record('2000-01-01', current_date + 1) f $$;
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
SELECT is(t.night(), 'nothing', 'R8.28: clean books');
SET session_replication_role = replica;
ALTER TABLE casino.table_operation DISABLE TRIGGER ALL;
SELECT isnt(t.planted(s), 'nothing', 'R8.28: the night finds ' || s)
  FROM unnest(ARRAY['UPDATE casino.table_operation SET opened = NOT opened WHERE operation_no = 2',
                    'UPDATE casino.table_operation SET happened_at = ''2001-02-03'' WHERE operation_no = 1',
                    'UPDATE casino.table_operation SET happened_at = happened_at - interval ''1 hour''
                      WHERE operation_no = 3',
                    'DELETE FROM casino.table_operation WHERE operation_no = 2']) s;
SELECT * FROM finish();
