\set heading '6. When something goes wrong: retry, cancellation, disconnection, void, investigation'
\ir heading.sql

SELECT open_round(:vltava, 'V-3', '2026-05-20 14:40') AS round \gset

\echo
\echo 'Jana''s stake is sent, the answer is lost, the backend sends it again: the same entry numbers, one stake.'
SELECT place_bets(:round, :jana, '{red@500, straight:7@50}', 'jana-3', at => '2026-05-20 14:40:05') AS first_answer \gset
SELECT place_bets(:round, :jana, '{red@500, straight:7@50}', 'jana-3', at => '2026-05-20 14:40:09') AS second_answer \gset
\echo '  first answer' :first_answer '- second answer' :second_answer

\echo
\echo 'Milada cancels her bet; Ota''s cancellation overtakes his bet, which is refused when it arrives.'
SELECT place_bets(:round, :milada, '{black@300}', 'milada-3', at => '2026-05-20 14:40:06') \g /dev/null
SELECT cancel_bet(:round, :milada, 'milada-3', '2026-05-20 14:40:12') AS refund \gset
\echo '  Milada: refund in entry' :refund
SELECT cancel_bet(:round, :ota, 'ota-3', '2026-05-20 14:40:12') \g /dev/null
SELECT code, message, detail FROM try_place_bets(:round, :ota, '{odd@100}', 'ota-3', at => '2026-05-20 14:40:13') \gset
\echo '  Ota:' :code :message '-' :detail

\echo
\echo 'Guest 09 loses the connection while betting is open: the stakes go back. Guest 10 loses it later: the bet plays on.'
SELECT place_bets(:round, 9, '{even@100, high@100}', 'g-6', at => '2026-05-20 14:40:14') \g /dev/null
SELECT place_bets(:round, 10, '{red@100}', 'g-6', at => '2026-05-20 14:40:15') \g /dev/null
SELECT disconnect(:round, 9, '2026-05-20 14:40:20') AS refunds \gset
SELECT close_betting(:round, '2026-05-20 14:40:40') \g /dev/null
SELECT disconnect(:round, 10, '2026-05-20 14:40:45') AS later \gset
\echo '  guest 09: refunds in entries' :refunds '- guest 10:' :later
SELECT settle_round(:round, '{"number": 7}', '2026-05-20 14:41') \g /dev/null
\ir round.sql

\echo
\echo 'The recording of the next round is lost (D4 §9.2): it is void, every stake goes back.'
SELECT open_round(:labe, 'L-2', '2026-05-20 14:43') AS round \gset
SELECT place_bets(:round, 15, '{straight:3@50}', 'g-7', at => '2026-05-20 14:43:05') \g /dev/null
SELECT place_bets(:round, 16, '{column:3@200}',  'g-7', at => '2026-05-20 14:43:06') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:43:40') \g /dev/null
SELECT void_round(:round, 'no result was recorded', '2026-05-20 14:45') \g /dev/null
\ir round.sql

\echo
\echo 'Petr''s win is under investigation: the round is evaluated and its payouts are withheld.'
SELECT open_round(:odra, 'O-2', '2026-05-20 14:50') AS round \gset
SELECT place_bets(:round, :petr, '{straight:32@100}', 'petr-2', at => '2026-05-20 14:50:05') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:50:40') \g /dev/null
SELECT settle_round(:round, '{"number": 32}', '2026-05-20 14:51', withhold => true) \g /dev/null
\ir round.sql
SELECT p.external_ref AS player, u.bet, u.payout, u.evaluated_at, u.due_at AS must_be_paid_before
  FROM unpaid_winnings u JOIN player p ON p.player_id = u.player_id;
\echo 'Two hours later it is cleared and paid; paying twice changes nothing.'
SELECT pay_withheld(:round, '2026-05-20 16:51') \g /dev/null
SELECT pay_withheld(:round, '2026-05-20 16:52') \g /dev/null
SELECT count(*) AS payouts, sum(amount) AS paid FROM ledger WHERE round_id = :round AND kind = 'payout';
