-- Limits and switches of a table are versions with a date, which held at a time can be asked for ever, and
-- what a round was played under stands with the round (R11.6, R11.7).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION verdict(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'ZZZZZ' THEN 'ok' ELSE SQLSTATE END;
END $$;

SELECT add_game_table('blackjack_synot', 'Vltava', 100, 10000,
                      '{"surrender": true, "seats": 5, "limits": {"player_pair": {"min": 10, '
                      '"max": 500}}}') AS t,
       add_game_table('roulette_synot', 'Morava', 10, 1000) AS m, register_player('A') AS p,
           register_player('B') AS q \gset
SELECT deposit(:p, 100000, at => '2026-01-01 10:00'),
    deposit(:q, 100000, at => '2026-01-01 10:00') \g /dev/null

-- ---------------------------------------------------------------- versions and what holds when
SELECT is(to_jsonb(l) - 'recorded_at', jsonb_build_object('version', 1, 'valid_from', '-infinity',
                                                          'valid_until', NULL, 'min_stake', 100.00,
                                                              'max_stake', 10000.00,
              'surrender', true, 'behind', false, 'seats', 5, 'limits',
                  '{"player_pair": {"min": 10.00, "max": 500.00}}'::jsonb),
          'a table starts with version 1') FROM table_limits_at(:t, '2026-01-01') l;
SELECT is(set_table_limits(:t, 200, 5000, '{"behind": true}', '2026-02-01 12:00'), 2,
          'limits set are version 2');
SELECT is((SELECT (version, valid_from, valid_until, min_stake, max_stake, surrender, behind, seats, limits)
           FROM table_limits_at(:t, '2026-02-01 12:00')),
          (2, '2026-02-01 12:00'::timestamptz, NULL::timestamptz, 200.00, 5000.00, true, true, 5,
           '{"player_pair": {"min": 10.00, "max": 500.00}}'::jsonb),
          'in force from its instant; what was not named stayed');
SELECT is((SELECT (version, valid_until, min_stake, max_stake, behind)
           FROM table_limits_at(:t, '2026-02-01 11:59:59.999999')),
          (1, '2026-02-01 12:00'::timestamptz, 100.00, 10000.00, false),
              'until then the first one held, also asked now');
SELECT is(set_table_limits(:t, 200, 5000, '{"behind": true}', '2026-02-01 12:00'), 2,
          'the same again is the same version');
SELECT is(set_table_limits(:t, 200, 5000, NULL, '2026-03-01'), 2, 'and so it is later: nothing changed');
SELECT is((SELECT count(*) FROM casino.table_version WHERE table_id = :t), 2::bigint,
          'no version was added by that');
SELECT is(set_table_limits(:t, 200, 5000, '{"limits": {}, "surrender": false, "seats": 7}', '2026-02-02'), 3,
          'limits of kinds are set as a whole');
SELECT is((SELECT (surrender, behind, seats, limits) FROM table_limits_at(:t, '2026-02-02')),
          (false, true, 7, '{}'::jsonb), 'and switches singly');
SELECT is((SELECT array_agg(l.kind || l.version ORDER BY 1) FROM casino.table_limit l WHERE table_id = :t),
          '{player_pair1,player_pair2}', 'kinds of each version are kept');

-- refusals
SELECT throws_ok(format('SELECT casino.set_table_limits(%s, 1, 2, at => %L)', :t, at), 'KL005', NULL,
                 'not dated back: ' || at)
  FROM unnest('{2026-01-15,2026-02-01 12:00,2026-02-02}'::text[]) at;
SELECT throws_ok('SELECT casino.set_table_limits(0, 1, 2)', '23503', NULL, 'an unknown table');
SELECT throws_ok('SELECT casino.table_limits_at(0)', '23503', NULL, 'asked for, too');
SELECT throws_ok(format('SELECT casino.set_table_limits(%s)', c), code, NULL, c)
  FROM (VALUES (:t || ', 200, NULL', '22004'), ('NULL, 1, 2', '22004'), (:t || ', 5, 4', 'KB002'),
        (:t || ', 0, 4', 'KB002'), (:t || ', 1, 200000', 'KB002'),
               (:t || ', 1.001, 2', '22003'), (:t || ', 1, ''NaN''', '22003'),
                   (:t || ', 1, 2, ''[]''', '22023'), (:t || ', 1, 2, ''{"seats": 8}''', '22023'),
               (:t || ', 1, 2, ''{"colour": 1}''', '22023'),
                   (:t || ', 1, 2, ''{"limits": {"red": {}}}''', 'KB004'),
                       (:t || ', 1, 2, ''{"limits": {"21+3": {"max": 1001}}}''', 'KB002'),
               (:m || ', 1, 2, ''{"surrender": true}''', 'KB004')) v (c, code);
SELECT throws_ok(format('SELECT casino.add_game_table(''blackjack_synot'', ''Vltava'', 200, 5000)'), '23505',
                 NULL, 'another table of that name is none');
SELECT is(add_game_table('blackjack_synot', 'Vltava', 100, 10000,
                         '{"surrender": true, "seats": 5, "limits": {"player_pair": {"min": 10, '
                         '"max": 500}}}'), :t::bigint,
          'adding it again answers by what it was added as');

-- ---------------------------------------------------------------- a round keeps what it was opened under
SELECT open_round(:m, 'before', '2026-02-01 10:00') AS r1 \gset
SELECT set_table_limits(:m, 500, 2000, '{"limits": {"red": {"max": 600}}}', '2026-02-01 10:01') AS v2 \gset
SELECT is(verdict(format('SELECT casino.place_bet(%s, %s, %L, at => %L)', :r1, :p, b, '2026-02-01 10:02')),
          code, 'opened before: ' || b)
  FROM (VALUES ('red@10', 'ok'), ('red@9.99', 'KB002'), ('straight:1@1000', 'ok'),
        ('straight:1@1000.01', 'KB002'), ('red@18000', 'ok')) v (b, code);
SELECT is(verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at)
                          VALUES (%s, ''stake'', %s, %L, %L)',
                         :p, :r1, b, '2026-02-01 10:02')),
          code, 'a plain INSERT: ' || b)
  FROM (VALUES ('red@10', 'ok'), ('straight:1@1000.01', 'KB002')) v (b, code);
SELECT settle_round(:r1, '{"number": 1}', '2026-02-01 10:03') \g /dev/null
SELECT open_round(:m, 'after', '2026-02-01 10:04') AS r2 \gset
SELECT is(verdict(format('SELECT casino.place_bet(%s, %s, %L, at => %L)', :r2, :p, b, '2026-02-01 10:05')),
          code, 'opened after: ' || b)
  FROM (VALUES ('red@10', 'KB002'), ('red@500', 'ok'), ('red@600.01', 'KB002'), ('straight:1@2000', 'ok'),
        ('straight:1@2000.01', 'KB002')) v (b, code);
SELECT is((SELECT array_agg(table_version ORDER BY round_id) FROM casino.round WHERE round_id IN (:r1, :r2)),
          '{1,2}', 'each names its version');
SELECT throws_ok(format('SELECT casino.set_table_limits(%s, 1, 1000, at => %L)', :m, at), 'KL005', NULL,
                 'not dated before the last round: ' || at)
  FROM unnest('{2026-02-01 10:03:59,2026-02-01 10:04}'::text[]) at;
SELECT is(set_table_limits(:m, 1, 1000, at => '2026-02-01 10:04:00.000001'), 3, 'after it, they are');
SELECT throws_ok(format('UPDATE casino.round SET table_version = 1 WHERE round_id = %s', :r2), 'KR002', NULL,
                 'a round''s version does not change');
SELECT throws_ok($$INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status,
                                             opened_at) SELECT -1, table_id, 77, 'x', plan_id, 'voided',
                                                 opened_at FROM casino.round LIMIT 1$$,
                 '23503', NULL, 'and is one of its table');
SELECT is((SELECT seats FROM casino.table_limits_at(:m, '2026-02-01')), NULL,
          'a game without seats has none');

-- the default time: after the last round and the last version, in a table whose rounds are dated by the clock
SELECT add_game_table('roulette_synot', 'Sazava', 10, 1000) AS s \gset
SELECT open_round(:s, 'now') AS now \gset
SELECT is(set_table_limits(:s, 20, 1000), 2, 'without a time it is the clock''s');
SELECT void_round(:now, 'test') \g /dev/null
SELECT open_round(:s, 'next') AS next \gset
SELECT is((SELECT (table_version, opened_at > (table_limits_at(:s)).valid_from) FROM casino.round
           WHERE round_id = :next), (2, true), 'the next round has it');
SET casino.clock_skew = 5;
SELECT throws_ok(format('SELECT casino.set_table_limits(%s, 30, 1000,
                                                        at => clock_timestamp() + interval ''1 hour'')',
                        :s),
                 'KL005', NULL, 'nor in the future');
SET casino.clock_skew = -1;

-- ---------------------------------------------------------------- append-only, and what a table is
SELECT throws_ok(format('%s casino.%s', c, t), 'KL001', NULL, format('%s %s', c, t))
  FROM unnest('{table_version,table_limit}'::text[]) t, unnest('{DELETE FROM,TRUNCATE}'::text[]) c
      WHERE t <> 'table_version' OR c <> 'TRUNCATE';
SELECT throws_ok('UPDATE casino.table_version SET max_stake = max_stake', 'KL001', NULL,
                 'UPDATE table_version');
SELECT throws_ok('UPDATE casino.table_limit SET max_stake = max_stake', 'KL001', NULL, 'UPDATE table_limit');
SELECT throws_ok('SET session_replication_role = replica; DELETE FROM casino.table_version', 'KL001', NULL,
                 'as a replica too');
SET session_replication_role = origin;
SELECT throws_ok(format('UPDATE casino.game_table SET %s', c), 'KL001', NULL, 'a table: ' || c)
  FROM unnest(ARRAY['game = ''baccarat''', 'name = ''x'' || name', 'table_id = -table_id',
                    'versions = versions + 2', 'versions = versions - 1 WHERE versions > 1']) c;
SELECT throws_ok('DELETE FROM casino.game_table', 'KL001', NULL, 'nor is it deleted');
SELECT finish();
