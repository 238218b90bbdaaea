-- One repetition: a round with a wager of every player, settled by all three sides. Needs :wagers, :rep,
-- :case.
SELECT table_id AS settle_table FROM casino.game_table WHERE name = 'settle' \gset
SELECT casino.open_round(:settle_table, :'case' || ' ' || :rep) AS round \gset
SELECT count(casino.place_bet(:round, i, bench.bet_of(i, :'case', :rep), 'settle ' || :round))
  FROM generate_series(1, :wagers) i;
SELECT casino.close_betting(:round);

-- the other sides get the stakes too, and the plain one the finished payout rows
INSERT INTO bench.plain_ledger SELECT * FROM casino.ledger WHERE round_id = :round;
INSERT INTO bench.loop_ledger SELECT * FROM casino.ledger WHERE round_id = :round;
UPDATE bench.plain_player b SET (balance, last_entry_no, last_posted_at, last_round_id)
       = (p.balance, p.last_entry_no, p.last_posted_at, p.last_round_id)
  FROM casino.player p WHERE p.player_id = b.player_id AND p.last_round_id = :round;
UPDATE bench.loop_player b SET (balance, last_entry_no, last_posted_at, last_round_id)
       = (p.balance, p.last_entry_no, p.last_posted_at, p.last_round_id)
  FROM casino.player p WHERE p.player_id = b.player_id AND p.last_round_id = :round;
SELECT clock_timestamp() AS at \gset
TRUNCATE bench.due;
INSERT INTO bench.due (player_id, entry_no, kind, amount, round_id, stake_entry_no, grade, balance, posted_at,
                       recorded_at, recorded_by, book)
SELECT s.player_id, p.last_entry_no + 1, 'payout', casino.payout(s.bet, t.grade, t.num, t.den, 'Infinity'),
       s.round_id, s.entry_no, t.grade, p.balance + casino.payout(s.bet, t.grade, t.num, t.den, 'Infinity'),
       :'at', :'at', s.recorded_by, s.book
  FROM casino.ledger s
  JOIN casino.player p ON p.player_id = s.player_id
  JOIN casino.round r ON r.round_id = s.round_id
  JOIN casino.paytable t ON t.plan_id = r.plan_id
    AND t.kind = casino.kind(s.bet)
    AND t.grade = casino.grade_roulette(s.bet, 17)
 WHERE s.round_id = :round AND s.kind = 'stake'
 ORDER BY s.player_id;
VACUUM ANALYZE;
-- ANALYZE throws plans away; a backend that settles rounds all day has them
SELECT casino.settle_round(casino.open_round(table_id, 'warm ' || :'case' || :rep), '{"number": 0}')
  FROM casino.game_table
 WHERE name = 'warm' \g /dev/null
CHECKPOINT;

-- the sides, each as one transaction with its commit
SELECT :rep % 3 AS first \gset
SELECT :first = 0 AS settle_now, :first = 1 AS plain_now, :first = 2 AS loop_now \gset
\i :here/settle_sides.sql
SELECT :first = 2 AS settle_now, :first = 0 AS plain_now, :first = 1 AS loop_now \gset
\i :here/settle_sides.sql
SELECT :first = 1 AS settle_now, :first = 2 AS plain_now, :first = 0 AS loop_now \gset
\i :here/settle_sides.sql

-- all three must have come to the same
SELECT bench.compare(:round);
