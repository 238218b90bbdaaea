-- One repetition of a settlement: :wagers players bet as bench.case says, the round is settled, and then its
-- payouts are posted by the plain side. Needs :wagers, :rep, :case; :fresh: both sides are
-- the first statements of a new session.
SELECT t.table_id AS case_table, c.outcome, c.warm_outcome, w.table_id AS warm_table
  FROM bench.settle_case c
  JOIN casino.game_table t ON t.name = 'case ' || c.game
  JOIN casino.game_table w ON w.name = 'warm ' || c.game
 WHERE c.name = :'case' \gset
SELECT casino.open_round(:case_table, :'case' || ' ' || :rep || :'fresh') AS round \gset
SELECT count(casino.place_bets(:round, i, c.bets[1 + i % cardinality(c.bets)]::casino.bet[],
                               'case ' || :round))
  FROM generate_series(1, :wagers) i, bench.settle_case c WHERE c.name = :'case' \g /dev/null
SELECT casino.close_betting(:round) \g /dev/null
SELECT :'case' || CASE WHEN :'fresh' = 'true' THEN ', first call of a session' ELSE '' END AS label \gset
\ir settle_measured.sql
