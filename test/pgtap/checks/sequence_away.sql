-- Check state, the betting sequence, where a book was put away (R10.5, R12.55): the last rounds of a quiet
-- table lie in that book. They are over, so their stakes are not asked for.
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
SELECT casino.prague_day(now()) AS today \gset

SELECT casino.add_game_table('roulette_synot', n, 10, 1000) FROM unnest('{quiet,busy}'::text[]) n \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 5000, at => '2026-03-01 10:00'))
  FROM generate_series(1, 2) n \g /dev/null
SELECT casino.open_round(1, 'first', '2026-03-01 11:00') AS first \gset
SELECT casino.place_bet(:first, 1, 'red@100', 's', at => '2026-03-01 11:00:10') \g /dev/null
SELECT casino.settle_round(:first, '{"number": 2}', '2026-03-01 11:01') \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT casino.open_round(2, 'long', '2026-07-02 10:00') AS long \gset
SELECT casino.place_bet(:long, 2, 'red@100', 's', at => '2026-07-02 10:00:10') \g /dev/null
SELECT casino.settle_round(:long, '{"number": 2}', '2026-07-02 12:00') \g /dev/null
SELECT casino.keep_day_totals(), casino.close_book(1), casino.seal(:'today') \g /dev/null
SET casino.request_memory = 0;
SELECT casino.put_away_book(1) \g /dev/null

CREATE FUNCTION was_in_round(player bigint, joined timestamptz) RETURNS boolean LANGUAGE sql AS $$
    SELECT casino_internal.was_in_round(p.external_ref, '2026-07-02 11:00', joined)
      FROM casino.player p
     WHERE p.player_id = player$$;
SELECT is(was_in_round(2, '2026-07-02 12:14:59'), true, 'fourteen minutes after a round that went on');
SELECT is(was_in_round(2, '2026-07-02 12:15'), false, 'fifteen minutes after it');
SELECT is(was_in_round(1, '2026-07-02 12:10'), false, 'another person was not in it');
SELECT casino.attach_book(1) \g /dev/null
SELECT * FROM finish();
