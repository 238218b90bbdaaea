-- Questions about days from one to another: an empty answer to days in the wrong order would look clean.
SET client_min_messages = warning;
SELECT no_plan();
SELECT casino.register_player('days') AS p \gset

-- arguments after the two days, where a function has some
CREATE TABLE t_days (call text PRIMARY KEY);
INSERT INTO t_days VALUES
    ('account_movements(%s)'), ('all_daily_table(%s)'), ('cage_shifts(%s)'), ('check_days(%s)'),
    ('daily_table(%s)'), ('gl_export(%s)'), ('large_win(%s)'), ('payment_times(%s)'), ('period_page(%s)'),
    ('person_day(%s)'), ('person_window(%s, ''1 day'')'), ('played_together(%s)'), ('player_day(%s)'),
    (format('player_page(%s, %%s)', :p)), (format('player_statement(%s, %%s)', :p)), ('pot_flow(%s)'),
    ('significant_event(%s)'), ('tax_base(%s)');
SELECT throws_ok(format('SELECT * FROM casino.' || call, '''2026-05-02'', ''2026-05-01'''), '22023', NULL,
                 'days in the wrong order: ' || call)
  FROM t_days
 ORDER BY call;
SELECT throws_ok(format('SELECT * FROM casino.' || call, days), '22023', NULL,
                 'not finite: ' || days || ', ' || call)
  FROM t_days
 CROSS JOIN unnest(ARRAY[$$'2026-05-01', 'infinity'$$, $$'-infinity', '2026-05-01'$$]) days
 ORDER BY call, days;
SELECT lives_ok(format('SELECT * FROM casino.' || call, '''2026-05-01'', ''2026-05-01'''),
                'one day: ' || call)
  FROM t_days
 WHERE call NOT LIKE 'check_days%'
 ORDER BY call;
SELECT throws_ok('SELECT casino.mark_replay(''2026-05-02'', ''2026-05-01'', ''x'')', '23514', NULL,
                 'days in the wrong order: mark_replay()');
SELECT throws_ok('SELECT casino.person_file(''days'', ''2026-05-02'', ''2026-05-01'')', '22008', NULL,
                 'days in the wrong order: person_file()');
-- An empty answer to a question without its day, time, player or amount would look clean, too.
SELECT throws_ok(format('SELECT * FROM casino.' || call, days), '22004', NULL,
                 'no day: ' || days || ', ' || call)
  FROM t_days
 CROSS JOIN unnest(ARRAY[$$NULL, '2026-05-01'$$, $$'2026-05-01', NULL$$]) days
 WHERE call NOT LIKE '%_page(%'
 ORDER BY call, days;
SELECT throws_ok('SELECT * FROM casino.' || question, '22004', NULL, 'an argument lacks: ' || question)
  FROM unnest(ARRAY['balance_statement(NULL)', 'explain_break(NULL)', format('explain_break(%s, NULL)', :p),
                    $$large_win('2026-05-01', '2026-05-01', NULL)$$, 'liability(NULL)',
                    'payment_deadline(NULL)', $$played_together('2026-05-01', '2026-05-01', NULL)$$,
                    $$player_statement(NULL, '2026-05-01', '2026-05-01')$$, 'protection(NULL)']) question
 ORDER BY question;
SELECT throws_ok(format('SELECT * FROM casino.' || question, amount), '22023', NULL,
                 'no number: ' || amount || ', ' || question)
  FROM unnest(ARRAY['large_win(''2026-05-01'', ''2026-05-01'', %L)',
                    'person_window(''2026-05-01'', ''2026-05-01'', ''1 day'', %L)']) question
 CROSS JOIN unnest(ARRAY['NaN', 'Infinity', '-Infinity']) amount
 ORDER BY question, amount;
SELECT lives_ok('SELECT * FROM casino.' || question, 'a default stands for an argument: ' || question)
  FROM unnest(ARRAY[format('explain_break(%s)', :p), $$large_win('2026-05-01', '2026-05-01')$$, 'liability()',
                    'payment_deadline()', $$played_together('2026-05-01', '2026-05-01')$$, 'protection()',
                    $$person_window('2026-05-01', '2026-05-01', '1 day', NULL)$$]) question
 ORDER BY question;
-- the others are parts of these, or no transaction may be open (reconcile_run)
SELECT is((SELECT string_agg(DISTINCT p.proname::text, ' ' ORDER BY p.proname::text)
             FROM pg_proc p
            WHERE p.pronamespace = 'casino'::regnamespace
              AND 'from_day' = ANY (p.proargnames)
              AND NOT EXISTS (SELECT FROM t_days d WHERE d.call LIKE p.proname || '(%')),
          'account_files due_spans mark_replay person_file reconcile', 'every function of days is tried');
SELECT * FROM finish();
