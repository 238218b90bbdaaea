-- Calls of every day, by players whose old entries were put away: no call may need them. Run by books.pl,
-- by the store and by SQL (:tag); no line may fail.
SELECT max(table_id) FILTER (WHERE game = 'roulette_american') AS wheel,
       max(table_id) FILTER (WHERE game = 'blackjack_synot') AS cards
  FROM casino.game_table \gset
\set ground other
-- limits, accounts, other products
SELECT casino.set_limit(7, 'net_loss', 'month', 1000), casino.set_limit(7, 'stake', 'day', 500);
SELECT casino.set_limit(2, 'stake', 'day', 40000), casino.set_limit(1, 'stake', 'month', 40000);
SELECT casino.set_payment_account(8, 'CZ123'), casino.record_register_check(8, 'clear');
SELECT casino.count_other_play(7, 'slots', 10, -10, :'tag' || ' slots'),
       casino.may_stake_elsewhere(7, 'slots', 10, :'tag' || ' elsewhere');
-- money in and out
SELECT casino.deposit(8, 200, :'tag'), casino.deposit(8, 200, :'tag');
SELECT casino.request_withdrawal(8, 50, 'cash', :'tag' || ' one') AS one \gset
SELECT casino.cancel_withdrawal(:one), casino.cancel_withdrawal(:one);
SELECT casino.request_withdrawal(8, 50, 'cash', :'tag' || ' two') AS two \gset
SELECT casino.pay_withdrawal(:two, place => 'desk', reference => 'r'),
       casino.pay_withdrawal(:two, place => 'desk', reference => 'r');
SELECT casino.adjust(7, 10, 'a gift', :'tag' || ' gift'), casino.adjust(7, 10, 'a gift', :'tag' || ' gift');
-- a wheel: stakes, retries, one taken back, one disconnected, winnings withheld, a result found wrong
SELECT casino.open_round(:wheel, :'tag' || ' wheel') AS round \gset
SELECT casino.place_bet(:round, 7, 'even@10', :'tag' || ' 7'),
       casino.place_bet(:round, 7, 'even@10', :'tag' || ' 7');
SELECT casino.place_bet(:round, 8, 'straight:17@10', :'tag' || ' 8'),
       casino.place_bet(:round, 1, 'odd@10', :'tag' || ' 1');
SELECT casino.cancel_bet(:round, 1, :'tag' || ' 1'), casino.cancel_bet(:round, 1, :'tag' || ' 1'),
       casino.cancel_bet(:round, 1, :'tag' || ' never');
SELECT count(*)
  FROM casino.place_many(:round, '{1,2,3,7,8}', '{even@10,even@10,even@10,even@10,even@10}',
                         ARRAY(SELECT :'tag' || ' many ' || n FROM generate_series(1, 5) n));
SELECT count(*) FROM casino.offer(:wheel);
SELECT count(*) FROM casino.may_play(:round, 7);
SELECT casino.round_view(:wheel, 7) IS NOT NULL, casino.explain_break(7) IS NOT NULL;
SELECT casino.disconnect(:round, 3);
SELECT casino.withhold_winnings(:round, 8, 'under review');
SELECT status FROM casino.settle_round(:round, '{"number": 17}');
SELECT status FROM casino.settle_round(:round, '{"number": 17}');
SELECT status FROM casino.pay_withheld(:round, player_id => 8, reason => 'in order');
SELECT casino.correct_round(:round, '{"number": 4}', 'it lay on 4') AS correction \gset
SET SESSION AUTHORIZATION second;
SELECT status FROM casino.approve_correction(:correction);
RESET SESSION AUTHORIZATION;
SELECT casino.settle_claim(claim_no, 'paid at the desk') FROM casino.open_claim;
SELECT casino.adjust(7, 5, 'a gift', :'tag' || ' of the round', round_id => :round);
SELECT count(*) FROM casino.round_result(:round);
SELECT casino.game_recall(:round) IS NOT NULL, casino.player_recall(7, :round) IS NOT NULL,
       length(casino.round_page(:round, 'en')) > 0;
-- cards: a double, a misread card, one player's wagers void, the round void
SELECT casino.open_round(:cards, :'tag' || ' cards') AS round \gset
SELECT casino.place_bet(:round, 1, 'main@50', :'tag' || ' box 1', 1),
       casino.place_bet(:round, 7, 'main@50', :'tag' || ' box 2', 2);
SELECT casino.close_betting(:round);
SELECT casino.deal(:round, '{"dealer": "7h", "hands": [{"seat": 1, "cards": "Ts 8d"},
                                                       {"seat": 2, "cards": "5s 6d"}]}');
SELECT count(*) FROM casino.may_play(:round, 7);
SELECT casino.correct_deal(:round, '{"dealer": "7h", "hands": [{"seat": 1, "cards": "Ts 8d"},
                                                               {"seat": 2, "cards": "5s 7d"}]}', 'misread');
SELECT status FROM casino.void_round(:round, 'the cards fell');
-- calls that answer with a row, and those in several lines
SELECT casino.open_round(:wheel, :'tag' || ' rows',
                         facts => jsonb_build_object('shoe', :'tag' || ' shoe')) AS round \gset
SELECT accepted FROM casino.try_place_bets(:round, 7, '{even@10,odd@10}', :'tag' || ' tried');
SELECT accepted FROM casino.try_place_bets(:round, 7, '{even@10,odd@10}', :'tag' || ' tried');
SELECT accepted FROM casino.try_place_bets(:round, 7, '{even@1000}', :'tag' || ' too much');
SELECT balance FROM casino.place_bets_balance(:round, 8, '{even@10}', :'tag' || ' balance');
SELECT accepted FROM casino.try_deposit(7, 10, :'tag' || ' tried in', method => 'card');
SELECT accepted FROM casino.try_request_withdrawal(8, 20, 'transfer', :'tag' || ' tried out');
SELECT accepted FROM casino.try_may_stake_elsewhere(7, 'slots', 10, :'tag' || ' tried elsewhere');
SELECT casino.withhold_shoe(:'tag' || ' shoe', 'a marked card', ground => :'ground');
SELECT status FROM casino.settle_round(:round, '{"number": 4}');
SELECT status FROM casino.void_wagers(:round, 7, 'a marked card');
SELECT status FROM casino.pay_withheld(:round, reason => 'in order');
SELECT casino.correct_round(:round, '{"number": 17}', 'it lay on 17') AS correction \gset
SELECT casino.reject_correction(:correction, 'it lay on 4');
SELECT casino.approve_adjustment(7, :'tag' || ' later', 100000, 'a gift');
SET SESSION AUTHORIZATION second;
SELECT casino.approve_withdrawal(max(w.withdrawal_id)) FROM casino.pending_withdrawals w;
RESET SESSION AUTHORIZATION;
SELECT casino.pay_withdrawal(max(w.withdrawal_id), reference => 'r') FROM casino.pending_withdrawals w;
-- boxes of cards
SELECT casino.open_round(:cards, :'tag' || ' boxes') AS round \gset
SELECT casino.place_bet(:round, 1, 'main@50', :'tag' || ' mine', 3);
SELECT casino.close_betting(:round);
SELECT casino.close_actions(:round);
SELECT status FROM casino.void_round(:round, 'the cards fell');
SELECT casino.close_game_table(:cards, 'cleaned'), casino.reopen_game_table(:cards, 'clean');
-- people
SELECT casino.exclude_player(6, clock_timestamp() + interval '1 year', 'self');
SELECT casino.person_file('p7', casino.prague_day(now()), casino.prague_day(now())) IS NOT NULL;
-- lists that people and programs look at
SELECT count(*) FROM casino.pending_withdrawals;
SELECT count(*) FROM casino.unpaid_winnings;
SELECT count(*) FROM casino.open_rounds();
SELECT count(*) FROM casino.statement WHERE player_id = 7;
SELECT count(*) FROM casino.wager WHERE player_id = 7 AND posted_at > now() - interval '1 day';
SELECT count(*) FROM casino.betting_sequence WHERE player_id = 7;
SELECT count(*) FROM casino.round_changes();
SELECT count(*) FROM casino.player_day_changes();
SELECT count(*) FROM casino.bi_daily_table;
SELECT count(*) FROM casino.bi_tax_base;
SELECT count(*) FROM casino.morning();
SELECT count(*) FROM casino.check_days(casino.prague_day(now()) - 1, casino.prague_day(now()) - 1);
