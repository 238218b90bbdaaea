-- Fills an empty installation: :rounds rounds of roulette, :a_day a day, straight into the tables; :books
-- books (1) have a part of them each.
\if :{?books}
\else
  \set books 1
\endif
SELECT casino.add_game_table('roulette_synot', 'bench', 10, 5000);
SELECT casino.register_player('p' || n) FROM generate_series(1, 4000) n;
SET casino.clock_skew = -1;
SELECT casino.mark_replay('2000-01-01', '2100-12-31', 'a bench');
CREATE TEMP TABLE entry AS
SELECT r, p, k, CASE k WHEN 1 THEN 'stake' ELSE 'payout' END AS kind,
       CASE k WHEN 1 THEN 100.00 ELSE 200.00 END AS amount,
       '2026-01-01 00:00 Europe/Prague'::timestamptz + (r / :a_day) * interval '1 day'
       + (r % :a_day) * (interval '23 hours' / :a_day) AS opened,
       CASE WHEN p % 2 = 0 THEN 'red@100' ELSE 'black@100' END AS bet
  FROM generate_series(0, :rounds - 1) r, LATERAL generate_series((r % 200) * 20 + 1, (r % 200) * 20 + 20) p,
       generate_series(1, 2) k
 WHERE k = 1 OR p % 2 = 0;
SELECT casino.turn_book() FROM generate_series(2, :books) \g /dev/null
-- a book each quarter
ALTER TABLE casino.book_turn DISABLE TRIGGER USER;
UPDATE casino.book_turn SET recorded_at = recorded_at - (:books - book) * interval '91 days';
ALTER TABLE casino.book_turn ENABLE TRIGGER USER;
ALTER TABLE casino.round DISABLE TRIGGER USER;
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
ALTER TABLE casino.player DISABLE TRIGGER USER;
-- indexes are made afterwards, in a third of the time
CREATE TEMP TABLE later AS
SELECT indexrelid::regclass AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
  FROM pg_index
  JOIN pg_inherits ON inhrelid = indrelid
 WHERE inhparent = 'casino.ledger'::regclass AND NOT indisprimary;
SELECT format('DROP INDEX %s', name) FROM later \gexec
INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status, opened_at,
                          betting_closed_at, evaluated_at, evaluation_recorded_at, outcome, outcome_document,
                          wagers, players, staked, paid, opened_by, betting_closed_by, evaluated_by)
SELECT e.r + 1, 1, 1, e.r,
       (SELECT plan_id FROM casino.game_plan WHERE game = 'roulette_synot' AND version = 1), 'settled',
       e.opened, e.opened + interval '5 s', e.opened + interval '9 s',
       e.opened + interval '9 s', '{"number": 18}', '{"number": 18}', 20, 20, 2000, 2000, 1, 1, 1
  FROM (SELECT DISTINCT r, opened FROM entry) e;
INSERT INTO casino.ledger (book, player_id, entry_no, kind, amount, balance, posted_at, recorded_at,
                           recorded_by)
SELECT 1, n, 1, 'deposit', 10000000, 10000000, '2025-12-31 12:00 Europe/Prague',
       '2025-12-31 12:00 Europe/Prague', 1
  FROM generate_series(1, 4000) n;
INSERT INTO casino.ledger (book, player_id, entry_no, kind, amount, round_id, bet, request_id, request_line,
                           stake_entry_no, grade, balance, posted_at, recorded_at, recorded_by)
SELECT 1 + x.r * :books / :rounds, x.p, x.no, x.kind, x.amount, x.r + 1,
       CASE x.k WHEN 1 THEN x.bet::casino.bet END, CASE x.k WHEN 1 THEN 'r' || x.r END,
       CASE x.k WHEN 1 THEN 1 END, CASE x.k WHEN 2 THEN x.no - 1 END, CASE x.k WHEN 2 THEN 'win' END,
       10000000 + x.change, x.opened + CASE x.k WHEN 1 THEN interval '2 s' ELSE interval '9 s' END,
       x.opened + CASE x.k WHEN 1 THEN interval '2 s' ELSE interval '9 s' END, 1
  FROM (SELECT e.*, 1 + row_number() OVER w AS no,
               sum(CASE e.k WHEN 1 THEN - e.amount ELSE e.amount END) OVER w AS change
          FROM entry e WINDOW w AS (PARTITION BY e.p ORDER BY e.r, e.k)) x
 ORDER BY x.r, x.k, x.p;
SELECT definition FROM later \gexec
ANALYZE casino.ledger;
UPDATE casino.player p SET balance = l.balance, last_entry_no = l.entry_no, last_posted_at = l.posted_at
  FROM (SELECT DISTINCT ON (x.player_id) x.player_id, x.balance, x.entry_no, x.posted_at
          FROM casino.ledger x
         ORDER BY x.player_id, x.entry_no DESC) l
 WHERE l.player_id = p.player_id;
UPDATE casino.player p SET last_round_id = l.round_id, sequence_started_at = l.posted_at
  FROM (SELECT DISTINCT ON (x.player_id) x.player_id, x.round_id, x.posted_at
          FROM casino.ledger x
         WHERE x.kind = 'stake'
         ORDER BY x.player_id, x.entry_no DESC) l
 WHERE l.player_id = p.player_id;
ALTER TABLE casino.round ENABLE TRIGGER USER;
ALTER TABLE casino.ledger ENABLE TRIGGER USER;
ALTER TABLE casino.player ENABLE TRIGGER USER;
ALTER TABLE casino.ledger ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER append_only_statement;
