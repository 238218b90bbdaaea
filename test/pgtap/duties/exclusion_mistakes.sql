-- D4 §6.2: an exclusion that was recorded by mistake ends by two approvals of different people (R7.78), that
-- one that the player asked for too; end_exclusion() alone still refuses that.
-- tampers with the books
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE ROLE mistake_backend;
CREATE ROLE mistake_a;
CREATE ROLE mistake_b;
CREATE ROLE mistake_c;
SELECT casino.grant_access('mistake_backend', 'backend') \g /dev/null
SELECT casino.grant_access(r, 'supervisor') FROM unnest('{mistake_a,mistake_b,mistake_c}'::text[]) r
    \g /dev/null
-- the SQLSTATE of a statement under a login, or its answer
CREATE FUNCTION t.as(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    me CONSTANT text := session_user;
BEGIN
    PERFORM set_config('session_authorization', who, true);
    EXECUTE statement INTO answer;
    PERFORM set_config('session_authorization', me, true);
    RETURN coalesce(answer, 'none');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION t.says(who text, p bigint, at text, reason text DEFAULT 'another player',
                       number int DEFAULT 1)
RETURNS text LANGUAGE sql AS $$
    SELECT t.as(who, format('SELECT casino.approve_exclusion_mistake(%s, %s, %L, %L)', p, number, reason,
                            t.at(says.at))) $$;

CREATE TABLE t.by AS SELECT source, t.player() AS p
    FROM unnest('{register,operator,self,panic_button}'::text[]) source;
SELECT t.as('mistake_backend', format('SELECT casino.exclude_player(%s, %L, %L, %L)', p,
                                      t.at('2030-01-01 00:00'), source, t.at('10:00'))) FROM t.by \g /dev/null
SELECT is(t.as('mistake_a', format('SELECT casino.end_exclusion(%s, 1, %L, %L)', p, 'mistake',
                                   t.at('10:30'))),
          'KC004', source || ': one decision does not end it') FROM t.by
              WHERE source IN ('self', 'panic_button');
SELECT is(t.says('mistake_a', p, '11:00'), 'none', source || ': R7.78: the first approval ends nothing')
  FROM t.by;
SELECT is(t.may(p, 'M1', '11:30'), 'KC004', source || ': ... the exclusion holds') FROM t.by;
SELECT is(t.says('mistake_a', p, '11:10'), 'none', source || ': ... nor the same person again') FROM t.by;
SELECT is(t.says('mistake_a', p, '11:20', 'other words'), '42501',
          source || ': ... nor the same person in other words') FROM t.by;
SELECT is((SELECT count(*) FROM casino.exclusion_mistake WHERE player_id = p), 1::bigint,
          source || ': one approval is recorded') FROM t.by;
SELECT is(t.as('mistake_backend', format('SELECT casino.approve_exclusion_mistake(%s, 1, %L)', p, 'x')),
          '42501', source || ': the backend does not approve') FROM t.by;
SELECT is(t.says('mistake_b', p, '10:59'), 'KL005', source || ': not before the first approval') FROM t.by;
SELECT is(t.says('mistake_b', p, '12:00', 'the register confirms it'), t.at('12:00')::text,
          source || ': R7.78: the second person ends it') FROM t.by;
SELECT is(t.may(p, 'M1', '11:59:59.999999'), 'KC004', source || ': a microsecond before it held')
  FROM t.by;
SELECT is(t.may(p, 'M1', '12:00'), 'ok', source || ': from then on the player may play') FROM t.by;
SELECT is(t.explained(p, '12:00'), 'ok', source || ': explain_break() says so') FROM t.by;
SELECT is(t.explained(p, '11:00'), 'KC004', source || ': ... and that it held before') FROM t.by;
SELECT is(t.says('mistake_b', p, '13:00', 'again'), t.at('12:00')::text, source || ': a retry') FROM t.by;
SELECT is(t.says('mistake_c', p, '13:00'), t.at('12:00')::text, source || ': ... of anybody') FROM t.by;
SELECT is((SELECT array_agg(format('%s %s', m.approval_no, m.reason) ORDER BY m.approval_no)
             FROM casino.exclusion_mistake m WHERE m.player_id = p),
          '{"1 another player","2 the register confirms it"}', source || ': both are kept') FROM t.by;
SELECT is((SELECT end_reason FROM casino.exclusion_period e WHERE e.player_id = p), 'recorded by mistake',
          source || ': the view says why it ended') FROM t.by;

-- who recorded the exclusion does not approve
SELECT t.player() AS own \gset
SELECT t.as('mistake_a', 'SELECT 1') \g /dev/null
GRANT EXECUTE ON FUNCTION casino.exclude_player TO mistake_a;
SELECT t.as('mistake_a', format('SELECT casino.exclude_player(%s, NULL, %L, %L)', :own, 'self',
                                t.at('10:00')))
    \g /dev/null
SELECT is(t.says('mistake_a', :own, '11:00'), '42501', 'R7.78: who recorded the exclusion does not approve');
SELECT is(t.says('mistake_b', :own, '11:00'), 'none', 'R7.78: two others: one');
SELECT is(t.says('mistake_a', :own, '11:10'), '42501', 'R7.78: ... nor is that person a second');
SELECT is(t.says('mistake_c', :own, '12:00'), t.at('12:00')::text, 'R7.78: ... two');

-- all accounts of the person
SELECT t.player(0) AS first \gset
SELECT p.external_ref AS ref FROM casino.player p WHERE p.player_id = :first \gset
SELECT casino.close_account(:first, t.at('2026-01-01 12:00')) \g /dev/null
SELECT casino.register_player(:'ref') AS second \gset
SELECT t.as('mistake_backend', format('SELECT casino.exclude_player(%s, NULL, %L, %L)', :first, 'self',
                                      t.at('10:00'))) \g /dev/null
SELECT is(t.says('mistake_a', :first, '11:00'), 'none', 'R7.78: approved for one account');
SELECT is(t.says('mistake_b', :second, '12:00'), t.at('12:00')::text, 'R7.78: ... and for another');
SELECT is((SELECT count(*) FROM casino.exclusion_end n WHERE n.player_id IN (:first, :second)), 2::bigint,
          'R7.78: it ends for all');
SELECT is((SELECT array_agg(p.excluded_until) FROM casino.player p WHERE p.player_id IN (:first, :second)),
          ARRAY[t.at('12:00'), t.at('12:00')], '... in the rows that stakes read');

-- refusals
SELECT is(t.as('mistake_a', statement), code, statement)
  FROM (VALUES ('SELECT casino.approve_exclusion_mistake(NULL, 1, ''x'')', '22004'),
               ('SELECT casino.approve_exclusion_mistake(1, NULL, ''x'')', '22004'),
               ('SELECT casino.approve_exclusion_mistake(1, 1, NULL)', '22004'),
               ('SELECT casino.approve_exclusion_mistake(1, 1, '' '')', '22023'),
               ('SELECT casino.approve_exclusion_mistake(1, 77, ''x'')', '23503'),
               ('SELECT casino.approve_exclusion_mistake(99999, 1, ''x'')', '23503')) v (statement, code);
SELECT t.player() AS ended \gset
SELECT casino.exclude_player(:ended, t.at('2030-01-01 00:00'), 'operator', t.at('10:00')),
       casino.end_exclusion(:ended, 1, 'decided', t.at('10:30')) \g /dev/null
SELECT is(t.says('mistake_a', :ended, '11:00'), '55000', 'an exclusion that was ended needs no approval');
SELECT throws_ok(command, 'KL001', NULL, command)
  FROM unnest(ARRAY['UPDATE casino.exclusion_mistake SET reason = ''x''',
                    'DELETE FROM casino.exclusion_mistake',
                    'TRUNCATE casino.exclusion_mistake']) command;

-- the night
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(format('%s %s', f.detail ->> 'table', f.rule), '; '
                               ORDER BY f.detail ->> 'table', f.rule), 'nothing')
      FROM casino_internal.check_record('2026-01-01', casino.prague_day(now())) f
     WHERE f.detail ->> 'table' IN ('exclusion', 'exclusion_end', 'exclusion_mistake') $$;
SELECT is(t.night(), 'nothing', 'clean books');
ALTER TABLE casino.exclusion_mistake DISABLE TRIGGER ALL;
ALTER TABLE casino.exclusion_end DISABLE TRIGGER ALL;
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
SELECT is(t.planted(format('DELETE FROM casino.exclusion_mistake
                              WHERE player_id = %s AND approval_no = 2', :own)),
          'exclusion_end approval', 'R7.78: an end with one approval is found');
SELECT is(t.planted(format('UPDATE casino.exclusion_mistake m SET recorded_by = o.recorded_by
                              FROM casino.exclusion_mistake o
                             WHERE m.player_id = %1$s AND o.player_id = %1$s AND o.approval_no = 1', :own)),
          'exclusion_end approval', 'R7.78: ... and two of one person');
SELECT is(t.planted(format('UPDATE casino.exclusion_mistake m SET exclusion_no = 5
                             WHERE m.player_id = %s AND m.approval_no = 1', :own)),
          'exclusion_end approval; exclusion_mistake number; exclusion_mistake reference',
          'R7.78: ... and one of another exclusion');
SELECT is(t.planted(format('UPDATE casino.exclusion_mistake m SET recorded_by = e.recorded_by
                              FROM casino.exclusion e
                             WHERE m.player_id = %1$s AND e.player_id = %1$s AND m.approval_no = %2$s',
                           :own, approval_no)),
          'exclusion_end approval',
          format('R7.78: ... and one, number %s, of the person who recorded the exclusion', approval_no))
  FROM generate_series(1, 2) approval_no;
SELECT * FROM finish();
