-- open_rounds(at): the rounds that are not evaluated, now or at a time in the past, with what a restarted
-- game server needs.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-01 ' || clock
        || ' Europe/Prague')::timestamptz $$;
CREATE FUNCTION seen(moment timestamptz) RETURNS TABLE (line text) LANGUAGE sql AS $$
    SELECT format('%s %s %s %s players %s wagers %s CZK age %s %s', o.table_name, o.round_ref, o.status,
                  o.players, o.wagers, o.staked, o.age, o.dealt -> 'button')
      FROM casino.open_rounds(moment) o $$;

SELECT add_game_table('roulette_american', 'R', 1, 1000) AS r,
    add_game_table('holdem_cash_25_50', 'T', 25, 5000) AS t, add_game_table('baccarat', 'B', 10, 1000) AS b,
       register_player('A') AS p, register_player('B') AS q \gset
SELECT deposit(:p, 5000, 'a', at('09:00')), deposit(:q, 5000, 'b', at('09:00')) \g /dev/null
SELECT is_empty('SELECT * FROM casino.open_rounds()', 'none before the first');
SELECT open_round(:r, 'r1', at('10:00')) AS r1, open_round(:t, 't1', at('10:01')) AS t1 \gset
SELECT place_bets(:r1, :p, '{red@10,straight:5@20}', 'x', at => at('10:02')),
    place_bet(:t1, :p, 'pot@50', 'p', 1, at => at('10:02')),
        place_bet(:t1, :q, 'pot@50', 'p', 2, at => at('10:03')) \g /dev/null
SELECT place_bet(:r1, :q, 'black@5', 'c', at => at('10:04')) \g /dev/null
SELECT cancel_bet(:r1, :q, 'c', at('10:05')) \g /dev/null
SELECT close_betting(:t1, at('10:06')) \g /dev/null
SELECT deal(:t1, '{"button": 2, "seats": [{"seat": 1, "cards": "As Ad"}, {"seat": 2, "cards": "Ks Kd"}]}',
            at('10:07')) \g /dev/null
SELECT deal(:t1,
            '{"button": 2, "board": "2c 3d 4h", "seats": [{"seat": 1, "cards": "As Ad"}, '
            '{"seat": 2, "cards": "Ks Kd"}]}',
            at('10:08')) \g /dev/null
CREATE TABLE live AS SELECT * FROM open_rounds(at('10:09'));
SELECT results_eq('SELECT table_id, table_name, game, round_id, round_ref, status, opened_at,
                          betting_closed_at, actions_closed_at, age, players, wagers, staked, dealt, dealt_at
                     FROM live',
    format($$VALUES (%s::bigint, 'R', 'roulette_american', %s::bigint, 'r1', 'open', at('10:00'),
                     NULL::timestamptz, NULL::timestamptz, interval '9 minutes', 1::bigint, 2::bigint, 30.00,
                         NULL::jsonb, NULL::timestamptz),
                    (%s, 'T', 'holdem_cash_25_50', %s, 't1', 'closed', at('10:01'), at('10:06'), NULL,
                     interval '8 minutes', 2, 2, 100.00,
                     '{"button": 2, "board": "2c 3d 4h", "seats": [{"seat": 1, "cards": "As Ad"}, '
                     '{"seat": 2, "cards": "Ks Kd"}]}',
                     at('10:08'))$$, :r, :r1, :t, :t1),
    'rounds with status, times, wagers and what was dealt, the Texas button with it');
SELECT results_eq($$SELECT line FROM seen(at('10:04:30'))$$,
                  $$VALUES ('R r1 open 2 players 3 wagers 35.00 CZK age 00:04:30 '),
                      ('T t1 open 2 players 2 wagers 100.00 CZK age 00:03:30 ')$$,
                  'asked about a time before: as it was then, with the bet that was cancelled since');
SELECT results_eq($$SELECT line FROM seen(at('10:07:30'))$$,
                  $$VALUES ('R r1 open 1 players 2 wagers 30.00 CZK age 00:07:30 '),
                      ('T t1 closed 2 players 2 wagers 100.00 CZK age 00:06:30 2')$$, 'and the first deal');
SELECT close_actions(:t1, at('10:10')) \g /dev/null
SELECT settle_round(:r1, '{"number": 5}', at('10:11')) \g /dev/null
SELECT open_round(:r, 'r2', at('10:12')) AS r2 \gset
SELECT void_round(:t1, 'test', at('10:13')) \g /dev/null
SELECT open_round(:b, 'b1', at('10:14')) AS b1 \gset
SELECT results_eq('SELECT round_ref, age FROM casino.open_rounds(at(''10:20''))',
                  $$VALUES ('r2', interval '8 minutes'), ('b1', interval '6 minutes')$$,
                      'evaluated and voided rounds are not open');
SELECT results_eq('SELECT round_ref, actions_closed_at FROM casino.open_rounds(at(''10:10:30''))',
                  $$VALUES ('r1', NULL::timestamptz), ('t1', at('10:10'))$$, 'decisions that ended');
SELECT results_eq('SELECT to_jsonb(o) FROM casino.open_rounds(at(''10:09'')) o',
                  'SELECT to_jsonb(o) FROM live o', 'the answer about a time is the one that was given then');
SELECT results_eq('SELECT round_ref FROM casino.open_rounds(at(''10:11''))', $$VALUES ('t1')$$,
                  'evaluated at that instant: not open any more');
SELECT is_empty('SELECT * FROM casino.open_rounds(at(''09:59:59''))', 'none was open before the first');
SELECT is((SELECT count(*) FROM casino.open_rounds()), 2::bigint, 'the default is now');

-- cost: by table, not by history
SELECT add_game_table('baccarat', 'H', 10, 1000) AS h \gset
DO $$ BEGIN
    FOR n IN 1..3000 LOOP
        INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at,
                                  evaluated_at)
        SELECT -n, t.table_id, 1, 'h' || n, p.plan_id, 'voided', at('00:00') - n * interval '1 minute',
            at('00:00') - n * interval '1 minute' + interval '50 s'
          FROM casino.game_table t JOIN casino.game_plan p ON p.game = t.game WHERE t.name = 'H';
    END LOOP;
END $$;
ANALYZE casino.round;
SELECT is((SELECT count(*) FROM casino.open_rounds(at('00:00') - interval '1500 minutes' + interval '20 s')),
          1::bigint, 'one of three thousand');
CREATE FUNCTION scanned() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint; after bigint;
BEGIN
    PERFORM pg_stat_force_next_flush();
    SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) INTO before FROM pg_stat_xact_user_tables
     WHERE relid = 'casino.round'::regclass;
    PERFORM count(*) FROM casino.open_rounds(at('00:00') - interval '1500 minutes');
    SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) INTO after FROM pg_stat_xact_user_tables
     WHERE relid = 'casino.round'::regclass;
    RETURN after - before;
END $$;
SELECT cmp_ok(scanned(), '<', 50::bigint, 'a handful of rounds is read');
SELECT finish();
