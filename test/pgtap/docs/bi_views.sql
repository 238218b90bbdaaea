-- The figures as views, for tools that cannot call functions: each says as much as its function.
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SET casino.clock_skew = -1;
SELECT add_game_table('roulette_synot', 'W', 10, 10000) AS wheel, register_player('p') AS p \gset
-- all at one time: the day may end meanwhile
SELECT deposit(:p, 500000, 'd', now()) \g /dev/null
SELECT open_round(:wheel, 'today', now()) AS today \gset
SELECT place_bets(:today, :p, '{straight:17@5000,red@100}', 'k', at => now()) \g /dev/null
SELECT settle_round(:today, '{"number": 17}', now()) \g /dev/null
SELECT set_limit(:p, 'stake', 'day', 90000) \g /dev/null
SELECT is((SELECT (first_day, month_ago, today) FROM bi_period),
          (prague_day(now()), prague_day(now()) - 31, prague_day(now())), 'the books began today');
SELECT results_eq('SELECT * FROM ' || v, 'SELECT * FROM ' || f, v || ' is ' || f)
  FROM (VALUES ('bi_daily_table', 'daily_table(prague_day(now()), prague_day(now()))'),
               ('bi_tax_base', 'tax_base(prague_day(now()), prague_day(now()))'),
               ('bi_player_day', 'player_day(prague_day(now()) - 31, prague_day(now()))'),
               ('bi_large_win', 'large_win(prague_day(now()) - 31, prague_day(now()))'),
               ('bi_significant_event', 'significant_event(prague_day(now()) - 31, prague_day(now()))'),
               ('bi_liability', 'liability()'), ('bi_protection', 'protection()')) x (v, f);
SELECT is((SELECT array_agg(v.n ORDER BY v.n)
             FROM (SELECT 'table ' || count(*) || ' ' || sum(staked) FROM bi_daily_table
                   UNION ALL SELECT 'tax ' || count(*) || ' ' || sum(stakes) FROM bi_tax_base
                   UNION ALL SELECT 'player ' || count(*) || ' ' || sum(deposits) FROM bi_player_day
                   UNION ALL SELECT 'win ' || count(*) || ' ' || sum(profit) FROM bi_large_win
                   UNION ALL SELECT 'protection ' || count(*) || ' ' || sum(amount)
                     FROM bi_protection) v (n)),
          '{"player 1 500000.00","protection 1 90000.00","table 1 5100.00","tax 1 5100.00",'
          '"win 1 174900.00"}',
          'and they are not empty');
-- a round from before
SELECT open_round(:wheel, 'before', '2026-05-02 12:00') AS before \gset
SELECT is((SELECT first_day FROM bi_period), '2026-05-02'::date, 'the first round is older');
SELECT is((SELECT rounds_open FROM bi_daily_table WHERE day = '2026-05-02'), 1::bigint, 'and shown');
SELECT * FROM finish();
ROLLBACK;
