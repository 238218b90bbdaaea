-- Checks break and second_table where a live round was joined more than six hours before the day, and went on
-- (R10.5): found by the sieve and by the checks, without reading more of more days.
-- tampers with the books
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
SELECT casino.prague_day(now()) AS today \gset
SELECT casino.add_game_table('roulette_synot', 'T' || n, 10, 1000) FROM generate_series(1, 100) n \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 10000, at => '2026-05-18 08:00'))
  FROM generate_series(1, 6) n \g /dev/null

-- a round at a table, joined and evaluated at these times
CREATE FUNCTION play(player bigint, place bigint, joined timestamptz, evaluated timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(place, player || ' ' || joined, joined);
BEGIN
    PERFORM casino.place_bet(r, player, 'red@10', at => joined);
    PERFORM casino.close_betting(r, joined);
    PERFORM casino.settle_round(r, '{"number": 2}', evaluated) WHERE evaluated IS NOT NULL;
    RETURN r;
END $$;
-- the differences of a day, by both checks and by check_days()
CREATE FUNCTION differences(day date) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.player_id, f.round_id), ', '
                               ORDER BY f.rule, f.player_id), 'nothing')
      FROM (SELECT * FROM casino_internal.check_break(day, day)
            UNION ALL
            SELECT * FROM casino_internal.check_second_table(day, day)) f
$$;
CREATE FUNCTION of_days(day date) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.player_id, f.round_id), ', '
                               ORDER BY f.rule, f.player_id), 'nothing')
      FROM casino.check_days(day, day) f
     WHERE f.check_name IN ('break', 'second_table', 'state')
$$;
-- the same where the stake of a round had been placed at another time
CREATE FUNCTION planted(r bigint, joined timestamptz, day date, OUT checks text, OUT days text)
LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    ALTER TABLE casino.round DISABLE TRIGGER ALL;
    UPDATE casino.round SET opened_at = least(opened_at, joined),
                            betting_closed_at = least(betting_closed_at, joined)
     WHERE round_id = r;
    UPDATE casino.ledger SET posted_at = joined WHERE round_id = r AND kind = 'stake';
    ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
    ALTER TABLE casino.round ENABLE TRIGGER ALL;
    checks := differences(day);
    SELECT string_agg(d, ', ' ORDER BY d) INTO days
      FROM regexp_split_to_table(of_days(day), ', ') d
     WHERE d !~ 'sequence_started_at|last_posted_at';
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    NULL;
END $$;

-- 18:00 is six hours before the day, 21:00 three
SELECT play(1, 1, '2026-05-19 17:59:59', '2026-05-19 23:55') \g /dev/null
SELECT play(1, 1, '2026-05-20 00:10', '2026-05-20 00:11') AS r \gset
SELECT is(differences('2026-05-20'), 'nothing', 'R10.5: a whole break after a long round is clean');
SELECT is(of_days('2026-05-20'), 'nothing', '... also by check_days()');
SELECT results_eq(format($$SELECT checks, days FROM planted(%s, '2026-05-20 00:09:59.999999', '2026-05-20')$$,
                         :r),
                  format($$VALUES ('break 1 %1$s', 'break 1 %1$s')$$, :r),
                  'R10.5: a break that was broken after a long round is found');
-- two days at once: the long round of before both
SELECT is((SELECT count(*) FROM casino_internal.check_break('2026-05-20', '2026-05-21')), 0::bigint,
          'of two days, too');
-- a second table while the round went on: until it was evaluated, and not from then on
SELECT play(2, 2, '2026-05-19 17:50', '2026-05-20 12:00') \g /dev/null
SELECT play(2, 1, '2026-05-20 12:15', '2026-05-20 12:16') AS r \gset
SELECT is(of_days('2026-05-20'), 'nothing', 'R10.5: a round after a long one is clean');
SELECT results_eq(format($$SELECT checks, days FROM planted(%s, '2026-05-20 11:59:59.999999', '2026-05-20')$$,
                         :r),
                  format($$VALUES ('second_table 2 %1$s', 'second_table 2 %1$s')$$, :r),
                  'R10.5: a stake at another table while a long round goes on is found');
SELECT results_eq(format($$SELECT checks, days FROM planted(%s, '2026-05-20 12:00', '2026-05-20')$$, :r),
                  format($$VALUES ('break 2 %1$s', 'break 2 %1$s')$$, :r),
                  'R10.5: at the instant of its evaluation it is the break alone that is broken');
-- of a round that is evaluated after the day, or not yet; the stake of the day is another player's until then
SELECT play(3, 2, '2026-05-20 17:00', '2026-05-22 10:00') \g /dev/null
SELECT play(4, 1, '2026-05-21 10:00', '2026-05-21 10:01') AS r \gset
CREATE FUNCTION of_player(r bigint, p bigint, day date, OUT checks text, OUT days text) LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    ALTER TABLE casino.round DISABLE TRIGGER ALL;
    UPDATE casino.ledger SET player_id = p, entry_no = entry_no + 100 WHERE round_id = r;
    ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
    ALTER TABLE casino.round ENABLE TRIGGER ALL;
    checks := differences(day);
    SELECT string_agg(f.rule, ', ') INTO days FROM casino.check_days(day, day) f
     WHERE f.check_name IN ('break', 'second_table');
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    NULL;
END $$;
SELECT is(of_days('2026-05-21'), 'nothing', 'R10.5: a round that goes on over the day is clean');
SELECT results_eq(format($$SELECT checks, days FROM of_player(%s, 3, '2026-05-21')$$, :r),
                  format($$VALUES ('second_table 3 %s', 'second_table')$$, :r),
                  'R10.5: a stake elsewhere while a round goes on over the day is found');
SELECT play(5, 2, '2026-05-23 10:00', NULL) AS open \gset
SELECT play(6, 1, '2026-05-24 10:00', '2026-05-24 10:01') AS r \gset
SELECT is(of_days('2026-05-24'), 'nothing', 'R10.5: a round that is not evaluated yet is clean');
SELECT results_eq(format($$SELECT checks, days FROM of_player(%s, 5, '2026-05-24')$$, :r),
                  format($$VALUES ('second_table 5 %s', 'second_table')$$, :r),
                  'R10.5: a stake elsewhere while a round is not evaluated is found');
-- chips that went back were in no round
SELECT casino.void_round(:open, 'x', '2026-05-24 23:00') \g /dev/null
SELECT results_eq(format($$SELECT checks, days FROM of_player(%s, 5, '2026-05-24')$$, :r),
                  format($$VALUES ('second_table 5 %s', 'second_table')$$, :r),
                  'R10.5: a round voided after the close was under way until then');

-- the book with the stakes of a long round is put away: the night of the day after goes on
SELECT play(1, 1, '2030-06-10 10:00', NULL) AS away \gset
SELECT casino.turn_book() \g /dev/null
SELECT play(2, 2, '2030-06-11 10:00', '2030-06-11 10:01') \g /dev/null
SELECT casino.settle_round(:away, '{"number": 2}', '2030-06-12 10:00') \g /dev/null
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT casino.keep_day_totals(), casino.close_book(1), casino.seal(:'today') \g /dev/null
SELECT is((SELECT array_agg(o.round_id) FROM casino_internal.long_stakes('2030-06-11') o),
          ARRAY[:away::bigint], 'before the book is put away');
SET casino.request_memory = 0;
SELECT casino.put_away_book(1) \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.long_stakes('2030-06-11')), 0::bigint,
          'R10.5: the stakes of a book that was put away are not asked for');
SELECT is(differences('2030-06-11'), 'nothing', '... and the checks of a night go on');
SELECT casino.attach_book(1) \g /dev/null

-- a table's old rounds are not read, however many there are, nor those of days since
CREATE FUNCTION pages_of(day date) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM casino_internal.long_stakes(%L)',
                   casino.day_start(day)) INTO plan;
    RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint
           + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;
ALTER TABLE casino.round DISABLE TRIGGER ALL;
INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at, opened_by,
                          betting_closed_at, evaluated_at, opened_recorded_at, evaluation_recorded_at)
SELECT 1000 + n, 1 + n % 100, 1, 'old ' || n, (SELECT max(r.plan_id) FROM casino.round r), 'settled', t.at,
       1, t.at + interval '30 s', t.at + interval '50 s', t.at, t.at + interval '50 s'
  FROM generate_series(1, 20000) n, LATERAL (SELECT '2026-06-20'::timestamptz + n * interval '10 s') t (at);
ALTER TABLE casino.round ENABLE TRIGGER ALL;
ANALYZE casino.round;
SELECT pages_of('2026-06-21') AS warm, pages_of('2026-06-21') AS few \gset
ALTER TABLE casino.round DISABLE TRIGGER ALL;
INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at, opened_by,
                          betting_closed_at, evaluated_at, opened_recorded_at, evaluation_recorded_at)
SELECT 100000 + n, 1 + n % 100, 1, 'new ' || n, (SELECT max(r.plan_id) FROM casino.round r), 'settled', t.at,
       1, t.at + interval '30 s', t.at + interval '50 s', t.at, t.at + interval '50 s'
  FROM generate_series(1, 40000) n,
       LATERAL (SELECT '2026-06-23'::timestamptz + n * interval '10 s') t (at);
ALTER TABLE casino.round ENABLE TRIGGER ALL;
ANALYZE casino.round;
SELECT pages_of('2026-06-21') AS warm, pages_of('2026-06-21') AS many \gset
SELECT diag('pages: ' || :few || ', ' || :many);
SELECT ok(:many <= :few + 5 AND :many < 60, 'R10.5: rounds of before and since are not read');
SELECT * FROM finish();
