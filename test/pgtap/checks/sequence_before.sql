-- Check state, the betting sequence (R10.5): it looks at rounds that were joined from six hours before the
-- day on. A round that was joined before, and ended then, may be part of the sequence, however long.
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();

SELECT casino.add_game_table('roulette_synot', n, 10, 1000) FROM unnest('{one,two}'::text[]) n \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 10000, at => '2026-05-18 08:00'))
  FROM generate_series(1, 4) n \g /dev/null

-- a round that the player joins at one time and that is evaluated at another
CREATE FUNCTION play(player bigint, place bigint, joined timestamptz, evaluated timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(place, player || ' ' || joined, joined);
BEGIN
    PERFORM casino.place_bet(r, player, 'red@10', at => joined);
    PERFORM casino.close_betting(r, joined);
    PERFORM casino.settle_round(r, '{"number": 2}', evaluated);
END $$;
CREATE FUNCTION faults() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', f.rule, f.player_id, f.expected::timestamptz, f.found::timestamptz)
      FROM casino_internal.check_state('2026-05-20', '2026-05-20') f
     WHERE f.rule = 'sequence_started_at'
     ORDER BY 1$$;

-- 18:00 is six hours before the day
SELECT play(1, 1, '2026-05-19 17:50', '2026-05-19 18:55') \g /dev/null
SELECT play(1, 1, '2026-05-19 19:05', '2026-05-19 19:06') \g /dev/null
SELECT is((SELECT p.sequence_started_at FROM casino.player p WHERE p.player_id = 1),
          '2026-05-19 17:50'::timestamptz, 'ten minutes after a long round the sequence goes on');
SELECT is_empty('SELECT faults()', 'and so the check knows it');

SELECT play(2, 1, '2026-05-19 17:51', '2026-05-19 19:20') \g /dev/null
SELECT play(2, 1, '2026-05-19 19:35', '2026-05-19 19:36') \g /dev/null
SELECT is((SELECT p.sequence_started_at FROM casino.player p WHERE p.player_id = 2),
          '2026-05-19 19:35'::timestamptz, 'fifteen minutes after it another one begins');
SELECT is_empty('SELECT faults()', 'and so the check knows it, too');

-- planted: without a round before, a start that is not the first stake's
SELECT play(3, 1, '2026-05-19 20:00', '2026-05-19 20:01') \g /dev/null
SET session_replication_role = replica;
UPDATE casino.player SET sequence_started_at = '2026-05-19 19:00' WHERE player_id = 3;
SET session_replication_role = origin;
SELECT results_eq('SELECT faults()',
                  ARRAY['sequence_started_at 3 2026-05-19 20:00:00+02 2026-05-19 19:00:00+02'],
                  'a start that is not the first stake''s is found');
-- the round of another person that went on explains nothing
SELECT play(4, 2, '2026-05-19 17:55', '2026-05-19 19:58') \g /dev/null
SELECT results_eq('SELECT faults()',
                  ARRAY['sequence_started_at 3 2026-05-19 20:00:00+02 2026-05-19 19:00:00+02'],
                  'also where another person''s round went on until then');
SET session_replication_role = replica;
UPDATE casino.player SET sequence_started_at = '2026-05-19 19:00' WHERE player_id = 2;
SET session_replication_role = origin;
SELECT results_eq('SELECT faults()',
                  ARRAY['sequence_started_at 2 2026-05-19 19:35:00+02 2026-05-19 19:00:00+02',
                        'sequence_started_at 3 2026-05-19 20:00:00+02 2026-05-19 19:00:00+02'],
                  'and where the person''s own ended a whole break before');
SELECT * FROM finish();
