\set heading '8. Duties: one table, breaks, exclusion, limits, withdrawals'
\ir heading.sql

\echo
\echo 'Karel has a stake at Tatra and wants to bet at Vltava too (D4 §8.2):'
SELECT open_round(:tatra, 'T-3', '2026-05-20 15:10') AS tatra_round \gset
SELECT open_round(:vltava, 'V-4', '2026-05-20 15:10') AS round \gset
SELECT place_bets(:tatra_round, :karel, '{player@1000}', 'karel-3', at => '2026-05-20 15:10:05') \g /dev/null
SELECT code, message, detail FROM try_place_bets(:round, :karel, '{red@100}', 'karel-4', at => '2026-05-20 15:10:10') \gx
SELECT close_betting(:tatra_round, '2026-05-20 15:10:30') \g /dev/null
SELECT settle_round(:tatra_round, '{"player": "9h Kd", "banker": "4c 2s"}', '2026-05-20 15:11') \g /dev/null
SELECT close_betting(:round, '2026-05-20 15:11') \g /dev/null
SELECT settle_round(:round, '{"number": 11}', '2026-05-20 15:11:30') \g /dev/null

\echo
\echo 'Sona plays a round at Praded every ten minutes, from 15:30 to 17:30. A betting sequence of 120 minutes asks for a break (D4 §8.3):'
CREATE PROCEDURE pg_temp.play(at_table bigint, who bigint, ref text, at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
    round_no bigint := casino.open_round(at_table, ref, at);
BEGIN
    PERFORM casino.place_bets(round_no, who, '{player@100}', ref, at => at + interval '5 s');
    PERFORM casino.close_betting(round_no, at + interval '30 s');
    PERFORM casino.settle_round(round_no, '{"player": "Qh 3d 7c", "banker": "4c 3s"}', at + interval '1 min');
END $$;
SELECT format('CALL pg_temp.play(%s, %s, %L, %L)', :praded, :sona, 'P-' || no + 1, '2026-05-20 15:20 Europe/Prague'::timestamptz + no * interval '10 min')
  FROM generate_series(1, 13) no \gexec
SELECT open_round(:praded, 'P-20', '2026-05-20 17:32') AS round \gset
SELECT code, message, detail FROM try_place_bets(:round, :sona, '{player@100}', 'sona-20', at => '2026-05-20 17:32:05') \gx
SELECT may_bet, why, since, until FROM explain_break(:sona, '2026-05-20 17:32:05') \gx
SELECT CASE WHEN accepted THEN 'accepted.' ELSE code END AS answer FROM try_place_bets(:round, :sona, '{player@100}', 'sona-21', at => '2026-05-20 17:46') \gset
\echo 'At 17:46 her stake is' :answer
SELECT close_betting(:round, '2026-05-20 17:46:30') \g /dev/null
SELECT settle_round(:round, '{"player": "Qh 3d 5c", "banker": "4c 3s"}', '2026-05-20 17:47') \g /dev/null

\echo
\echo 'Radka limits her stakes to 5 000 CZK a day, at once; a laxer limit would take seven days (D4 §6.5).'
\echo 'She has staked 4 900 CZK today, the pots of Texas Hold''em included:'
SELECT set_limit(:radka, 'stake', 'day', 5000, '2026-05-20 18:00') AS limit_no \gset
SELECT open_round(:tatra, 'T-4', '2026-05-20 18:05') AS round \gset
SELECT code, message, detail FROM try_place_bets(:round, :radka, '{player@300}', 'radka-3', at => '2026-05-20 18:05:05') \gx
SELECT CASE WHEN accepted THEN 'accepted.' ELSE code END AS answer FROM try_place_bets(:round, :radka, '{player@100}', 'radka-4', at => '2026-05-20 18:05:10') \gset
\echo 'What is left of the limit, 100 CZK, is' :answer
SELECT close_betting(:round, '2026-05-20 18:05:30') \g /dev/null
SELECT settle_round(:round, '{"player": "9h Kd", "banker": "4c 2s"}', '2026-05-20 18:06') \g /dev/null

\echo
\echo 'Tomas presses the panic button: excluded for at least 48 hours, from every game, and from deposits (D4 §6.2).'
SELECT exclude_player(:tomas, NULL, 'panic_button', '2026-05-20 18:10') AS exclusion_no \gset
SELECT * FROM pg_temp.attempt(format($$SELECT casino.deposit(%s, 1000, 'second-deposit', '2026-05-20 18:11')$$, :tomas)) \gx
\echo 'He may still take his money out, as everybody may:'
SELECT request_withdrawal(:tomas, 5000, 'cash', 'tomas-out', '2026-05-20 18:12') AS withdrawal \gset
SELECT pay_withdrawal(:withdrawal, '2026-05-20 18:15') \g /dev/null

\echo
\echo 'Karel takes 12 000 CZK out: cash is limited to 10 000 CZK in 24 hours, judged at the payment, and a transfer needs a registered account (D4 §11.2).'
SELECT request_withdrawal(:karel, 6000, 'cash', 'karel-out-1', '2026-05-20 18:20') AS first \gset
SELECT request_withdrawal(:karel, 6000, 'cash', 'karel-out-2', '2026-05-20 18:21') AS second \gset
SELECT pay_withdrawal(:first, '2026-05-20 18:25') \g /dev/null
SELECT * FROM pg_temp.attempt(format($$SELECT casino.pay_withdrawal(%s, '2026-05-20 18:26')$$, :second)) \gx
SELECT cancel_withdrawal(:second, '2026-05-20 18:27') \g /dev/null
SELECT * FROM pg_temp.attempt(format($$SELECT casino.request_withdrawal(%s, 6000, 'transfer', 'karel-out-3', '2026-05-20 18:28')$$, :karel)) \gx
SELECT set_payment_account(:karel, 'CZ65 0800 0000 1920 0014 5399', '2026-05-20 18:28') \g /dev/null
SELECT request_withdrawal(:karel, 6000, 'transfer', 'karel-out-3', '2026-05-20 18:28') AS third \gset
\echo 'The transfer is waiting to be made:'
SELECT p.external_ref AS player, w.method, w.amount, w.requested_at, w.due_at AS must_be_paid_before
  FROM pending_withdrawals w JOIN player p ON p.player_id = w.player_id;
