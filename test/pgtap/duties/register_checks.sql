-- D4 §6.2: questions to the register of excluded persons are recorded, and a stake without one is refused
-- where the figure register_check asks for one (R7.76, R7.77): by function and by plain INSERT, both sides of
-- each boundary, planted faults and clean books.
-- tampers with the books
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE FUNCTION t.asked(p bigint, answer text, at text) RETURNS integer LANGUAGE sql AS $$
    SELECT casino.record_register_check(p, answer, t.at(asked.at)) $$;
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(format('%s entry %s', f.rule, f.entry_no), '; ' ORDER BY f.entry_no),
                    'nothing')
      FROM casino_internal.check_excluded('2026-01-01', '2026-12-31') f $$;

-- ---------------------------------------------- questions are recorded
SELECT t.player() AS p \gset
SELECT is(t.asked(:p, 'clear', '09:00'), 1, 'the first question');
SELECT is(t.asked(:p, 'clear', '09:00'), 1, 'the same again is the same');
SELECT is(t.asked(:p, 'clear', '09:00'), 1, '... and a third time');
SELECT is(t.asked(:p, 'unavailable', '09:00'), 2, 'another answer is another question');
SELECT is(t.asked(:p, 'clear', '09:00:00.000001'), 3, 'another time, too');
SELECT results_eq(format('SELECT check_no, answer, checked_at FROM casino.register_check
                           WHERE player_id = %s ORDER BY check_no', :p),
                  $$VALUES (1, 'clear', t.at('09:00')), (2, 'unavailable', t.at('09:00')),
                           (3, 'clear', t.at('09:00:00.000001'))$$, 'when, and with what answer');
SELECT is(t.verdict(statement), code, statement)
  FROM (VALUES (format('SELECT casino.record_register_check(NULL, %L)', 'clear'), '22004'),
               (format('SELECT casino.record_register_check(%s, NULL)', :p), '22004'),
               (format('SELECT casino.record_register_check(%s, %L)', :p, 'Clear'), '22023'),
               (format('SELECT casino.record_register_check(%s, %L)', :p, ''), '22023'),
               (format('SELECT casino.record_register_check(%s, %L, %L)', :p, 'clear', 'infinity'), '22008'),
               (format('SELECT casino.record_register_check(99999, %L)', 'clear'), '23503'),
               ('UPDATE casino.register_check SET answer = ''clear''', 'KL001'),
               ('DELETE FROM casino.register_check', 'KL001'),
               ('TRUNCATE casino.register_check', 'KL001'),
               (format('INSERT INTO casino.register_check VALUES (%s, 9, %L, now(), now())', :p, 'maybe'),
                '23514')) v (statement, code);

-- ---------------------------------------------- no figure, no question
SELECT t.player() AS q \gset
SELECT is(t.may(:q, 'M1', '10:00'), 'ok', 'R7.76: before the figure is set, no question is needed');
SELECT is(t.verdict($$SELECT casino.set_duty_rule('register_check', $$ || quote_literal(value)
                    || $$, '2026-06-01 12:00', 'x', 'x')$$), code, 'R7.76: figure ' || value)
  FROM (VALUES ('24 h', 'ok'), ('0 h', 'ok'), ('9999 hours', 'ok'), ('24', '23514'), ('-1 h', '23514'),
               ('10000 h', '23514'), ('1.5 h', '23514')) v (value, code);
SELECT casino.set_duty_rule('register_check', '24 h', '2026-06-01 12:00', 'rules 3', 'rules of the house');

-- ---------------------------------------------- with it
SELECT is(t.may(:q, 'M1', '11:59:59.999999'), 'ok', 'R7.76: a microsecond before the figure holds');
SELECT is(t.may(:q, 'M1', '12:00'), 'KC004', 'R7.76: from then on, by function and by INSERT');
SELECT is(t.detail(format('SELECT t.stake(%s, %L, %L)', :q, 'M1', '12:00')),
          'Its newest answer in the 24 hours before 2026-06-01 12:00:00+02 is not "clear" (rules 3).',
          'R7.76: the DETAIL cites the figure');
SELECT is(t.may(:p, 'M1', '12:00'), 'ok', 'R7.76: who was asked for may stake');
SELECT is(t.may(:p, 'M1', '2026-06-02 09:00:00.000001'), 'ok', 'R7.76: still 24 hours later');
SELECT is(t.may(:p, 'M1', '2026-06-02 09:00:00.000002'), 'KC004', 'R7.76: ... a microsecond later no more');
SELECT t.asked(:q, 'unavailable', '12:10') \g /dev/null
SELECT is(t.may(:q, 'M1', '12:11'), 'KC004', 'R7.76: the silence of the register does not count');
SELECT t.asked(:q, 'clear', '12:20') \g /dev/null
SELECT is(t.may(:q, 'M1', '12:19:59'), 'KC004', 'R7.76: an answer to come does not count');
SELECT is(t.may(:q, 'M1', '12:20'), 'ok', 'R7.76: clear');
SELECT t.asked(:q, 'unavailable', '12:30') \g /dev/null
SELECT is(t.may(:q, 'M1', '12:31'), 'ok', 'R7.76: silence after an answer leaves the answer');
-- D4 §8.4: a player who takes part stakes on
SELECT t.stake(:p, 'M1', '2026-06-02 08:59:00') AS r \gset
SELECT is(t.may(:p, 'M1', '2026-06-02 09:10'), 'ok', 'R7.76: more stakes in the round are taken');
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1, at => t.at(%L))', :q, '2026-06-05 10:00')), 'ok',
          'R7.76: money is paid in without a question');
SELECT t.settle('M1', '2026-06-02 09:30') \g /dev/null
-- elsewhere
SELECT casino.set_duty_rule('register_check', '24 h', '2026-01-01', 'rules 3', 'rules of the house')
    \g /dev/null
SELECT t.player() AS e \gset
SELECT is(t.verdict(format('SELECT casino.may_stake_elsewhere(%s, %L, 10, %L)', :e, 'slots', 's')), 'KC004',
          'R7.76: a stake in another product asks for it, too');
SELECT casino.record_register_check(:e, 'clear') \g /dev/null
SELECT is(t.verdict(format('SELECT casino.may_stake_elsewhere(%s, %L, 10, %L)', :e, 'slots', 's')), 'ok',
          'R7.76: ... and is taken with it');

-- ---------------------------------------------- the answer excluded
SELECT t.player() AS x \gset
SELECT is(t.asked(:x, 'clear', '2026-06-03 10:00'), 1, 'asked');
SELECT t.stake(:x, 'M2', '2026-06-03 10:01') AS r2 \gset
SELECT is(t.asked(:x, 'excluded', '2026-06-03 10:02'), 2, 'R7.77: the register has the player');
SELECT results_eq(format('SELECT source, excluded_from, excluded_until FROM casino.exclusion
                           WHERE player_id = %s', :x),
                  $$VALUES ('register', t.at('2026-06-03 10:02'), 'infinity'::timestamptz)$$,
                  'R7.77: the answer excludes the player');
SELECT is((SELECT status FROM casino.wager WHERE player_id = :x), 'refunded',
          'R7.77: the stake goes back, as betting is open');
SELECT is(t.asked(:x, 'excluded', '2026-06-03 10:02'), 2, 'R7.77: the same again');
SELECT is(t.asked(:x, 'excluded', '2026-06-03 11:00'), 3, 'R7.77: asked again later');
SELECT is((SELECT count(*) FROM casino.exclusion WHERE player_id = :x), 1::bigint,
          'R7.77: one exclusion');
SELECT casino.end_exclusion(:x, 1, 'deleted', t.at('2026-06-03 12:00')) \g /dev/null
SELECT is(t.may(:x, 'M2', '2026-06-03 12:01'), 'KC004',
          'R7.76: the exclusion is ended, the newest answer is not clear');
SELECT t.asked(:x, 'clear', '2026-06-03 12:02') \g /dev/null
SELECT is(t.may(:x, 'M2', '2026-06-03 12:03'), 'ok', 'R7.76: ... now it is');

-- ---------------------------------------------- the night, events
SELECT is(t.night(), 'nothing', 'R7.76: clean books');
SELECT results_eq(format('SELECT about, count(*) FROM casino.significant_event(''2026-06-03'', ''2026-06-03'')
                           WHERE kind = ''register asked'' AND player_id = %s GROUP BY 1 ORDER BY 1', :x),
                  $$VALUES ('clear', 2::bigint), ('excluded', 2)$$, 'questions are significant events');
ALTER TABLE casino.register_check DISABLE TRIGGER ALL;
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
SELECT l.entry_no AS staked FROM casino.ledger l WHERE l.player_id = :p AND l.kind = 'stake' \gset
SELECT is(t.planted(format('%s WHERE player_id = %s', statement, :p)), format('register entry %s', :staked),
          'R7.76: the night finds ' || statement)
  FROM unnest(ARRAY['DELETE FROM casino.register_check',
                    'UPDATE casino.register_check SET answer = ''excluded''',
                    'UPDATE casino.register_check SET checked_at = checked_at - interval ''1 s''
                        - interval ''1 day''',
                    'UPDATE casino.register_check SET recorded_at = ''infinity''']) statement;
SELECT * FROM finish();
