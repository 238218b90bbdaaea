-- Included by settle_case.sql and shared_box.sql: settles the closed round :round with :outcome, then posts
-- the same payouts by the plain side. Milliseconds are those of the backend's CPU. A round at :warm_table
-- with :warm_outcome is settled before. Result under :label, :rep; :fresh: both sides are the first
-- statements of a new session.
INSERT INTO bench.plain_ledger SELECT * FROM casino.ledger WHERE round_id = :round;
UPDATE bench.plain_player b SET (balance, last_entry_no, last_posted_at, last_round_id)
       = (p.balance, p.last_entry_no, p.last_posted_at, p.last_round_id)
  FROM casino.player p WHERE p.player_id = b.player_id AND p.last_round_id = :round;
UPDATE bench.plain_player b
   SET (balance, last_entry_no, last_posted_at) = (p.balance, p.last_entry_no, p.last_posted_at)
  FROM casino.player p WHERE p.player_id = b.player_id AND p.last_entry_no <> b.last_entry_no;
VACUUM ANALYZE;
-- ANALYZE throws plans away; a backend that settles rounds all day has them
SELECT casino.settle_round(casino.open_round(:warm_table, 'warm ' || :'label' || :rep),
                           :'warm_outcome') \g /dev/null
CHECKPOINT;
\if :fresh
  \c -
\endif
SELECT bench.cpu() AS started \gset
SELECT * FROM casino.settle_round(:round, :'outcome') \g /dev/null
SELECT bench.cpu() - :started AS settle_ms \gset
TRUNCATE bench.due;
INSERT INTO bench.due
SELECT *
  FROM casino.ledger
 WHERE round_id = :round AND kind = 'payout'
 ORDER BY player_id, entry_no;
VACUUM ANALYZE bench.due;
CHECKPOINT;
\if :fresh
  \c -
\endif
SELECT bench.cpu() AS started \gset
BEGIN;
INSERT INTO bench.plain_ledger SELECT * FROM bench.due;
UPDATE bench.plain_player p
   SET balance = p.balance + d.amount, last_entry_no = d.entry_no, last_posted_at = d.posted_at
  FROM (SELECT player_id, sum(amount) AS amount, max(entry_no) AS entry_no, max(posted_at) AS posted_at
          FROM bench.due GROUP BY player_id) d
 WHERE p.player_id = d.player_id;
COMMIT;
SELECT bench.cpu() - :started AS plain_ms \gset
INSERT INTO bench.result
SELECT :'label', :rep, v.side, v.ms,
       (SELECT count(*) FROM bench.due), (SELECT r.wagers FROM casino.round r WHERE r.round_id = :round)
  FROM (VALUES ('settle', :settle_ms), ('plain', :plain_ms)) v (side, ms);
-- both must have come to the same
SELECT bench.compare_players();
