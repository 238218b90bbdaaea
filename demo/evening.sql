\set heading '7. The evening: statements, refusals, the books'
\ir heading.sql

\echo
\echo 'Statement of Jana'
SELECT s.entry_no AS no, to_char(s.posted_at, 'HH24:MI:SS') AS time, s.kind, r.round_ref AS round,
       coalesce(s.bet, w.bet) AS bet, s.change, s.balance
  FROM statement s
  LEFT JOIN round r ON r.round_id = s.round_id
  LEFT JOIN wager w ON w.player_id = s.player_id AND w.paid_entry_no = s.entry_no
 WHERE s.player_id = :jana ORDER BY s.entry_no;
\echo
\echo 'Statement of Karel'
SELECT s.entry_no AS no, to_char(s.posted_at, 'HH24:MI:SS') AS time, s.kind, r.round_ref AS round,
       coalesce(s.bet, w.bet) AS bet, s.change, s.balance
  FROM statement s
  LEFT JOIN round r ON r.round_id = s.round_id
  LEFT JOIN wager w ON w.player_id = s.player_id AND w.paid_entry_no = s.entry_no
 WHERE s.player_id = :karel ORDER BY s.entry_no;

\echo
\echo 'Refusals of the day'
SELECT to_char(f.refused_at, 'HH24:MI:SS') AS time, p.external_ref AS player, t.name AS "table", f.bets, f.code, f.message
  FROM refusal f
  JOIN player p ON p.player_id = f.player_id
  JOIN round r ON r.round_id = f.round_id
  JOIN game_table t ON t.table_id = r.table_id
 ORDER BY f.refused_at, f.player_id, f.refusal_no;

\echo
\echo 'Result by table'
SELECT t.name AS "table", t.game, count(*) AS rounds, sum(r.wagers) AS wagers, sum(r.staked) AS staked,
       sum(r.paid) AS paid, sum(r.staked - r.paid) AS house_result
  FROM round r JOIN game_table t ON t.table_id = r.table_id
 WHERE r.status IN ('settled', 'voided')
 GROUP BY t.table_id, t.name, t.game ORDER BY t.table_id;

\echo
\echo 'Trial balance: every entry has a debit and a credit account, the balances add up to zero'
SELECT coalesce(account, 'sum') AS account, sum(debit) AS debit, sum(credit) AS credit, sum(balance) AS balance
  FROM trial_balance GROUP BY ROLLUP (account) ORDER BY account IS NULL, account;

\echo
\echo 'The ledger cannot be changed, not even by its owner:'
SELECT * FROM pg_temp.attempt('UPDATE casino.ledger SET amount = amount * 2 WHERE kind = ''payout''') \gx
