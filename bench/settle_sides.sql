-- The side whose turn it is, timed with its commit. Needs :settle_now, :plain_now, :loop_now and what
-- settle.sql sets.
SELECT bench.cpu() AS started \gset
\if :settle_now
  SELECT * FROM casino.settle_round(:round, '{"number": 17}') \g /dev/null
  \set side settle
\endif
\if :plain_now
  BEGIN;
  INSERT INTO bench.plain_ledger SELECT * FROM bench.due;
  UPDATE bench.plain_player p
     SET balance = p.balance + d.amount, last_entry_no = d.entry_no, last_posted_at = d.posted_at
    FROM bench.due d WHERE p.player_id = d.player_id;
  COMMIT;
  \set side plain
\endif
\if :loop_now
  SELECT bench.settle_loop(:round, 17, :'at') \g /dev/null
  \set side loop
\endif
INSERT INTO bench.result
SELECT :'case', :rep, :'side', bench.cpu() - :started, count(*), :wagers FROM bench.due;
