-- The same settlement in the same ledger, wager by wager: evaluated, then each payout inserted past the row
-- trigger. Prints settle_round's milliseconds (median of the all_win ones), the loop's and the ratio. Needs
-- :wagers.
SELECT table_id AS settle_table FROM casino.game_table WHERE name = 'settle' \gset
SELECT casino.open_round(:settle_table, 'by hand') AS round \gset
SELECT count(casino.place_bet(:round, i, bench.bet_of(i, 'all_win', 0), 'settle ' || :round))
  FROM generate_series(1, :wagers) i \g /dev/null
VACUUM ANALYZE;
CHECKPOINT;
SELECT bench.cpu() AS started \gset
BEGIN;
SELECT casino.settle_round(:round, '{"number": 17}', withhold => true) \g /dev/null
SELECT bench.pay_by_hand(:round) \g /dev/null
COMMIT;
SELECT round(s.ms::numeric, 1), round(l.ms::numeric, 1), round((l.ms / s.ms)::numeric, 2)
  FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY settle) AS ms
          FROM bench.figures
         WHERE kind = 'all_win') s,
       (SELECT bench.cpu() - :started AS ms) l;
