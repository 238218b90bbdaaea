-- Rounds in which each fault of tools/mutants changes a payout. The tool runs this file on a server of the
-- broken build, and then asks each reader of the books.
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT casino.add_game_table('roulette_american', 'R', 10, 10000) AS roulette,
    casino.add_game_table('baccarat', 'B', 10, 10000) AS baccarat,
    casino.add_game_table('blackjack_classic', 'J', 10, 10000) AS blackjack,
    casino.register_player('ann') AS ann \gset
SELECT casino.deposit(:ann, 100000, at => '2026-05-20 08:00') \g /dev/null

-- two wagers that win
SELECT casino.open_round(:roulette, 'two wagers', '2026-05-20 09:00') AS r \gset
SELECT casino.place_bets(:r, :ann, '{red@100,odd@100}', at => '2026-05-20 09:00:10') \g /dev/null
SELECT casino.settle_round(:r, '{"number": 3}', '2026-05-20 09:01') \g /dev/null

-- one position of two wagers at 0.95:1: 9.595, and 19.38 together, so that the order decides both payouts
SELECT casino.open_round(:baccarat, 'one position', '2026-05-20 10:00') AS r \gset
SELECT casino.place_bet(:r, :ann, 'banker@10.10', at => '2026-05-20 10:00:10') \g /dev/null
SELECT casino.place_bet(:r, :ann, 'banker@10.30', at => '2026-05-20 10:00:20') \g /dev/null
SELECT casino.settle_round(:r, '{"player": "2c 5d", "banker": "4h 4d"}', '2026-05-20 10:01') \g /dev/null

-- two seats: a blackjack and a hand that loses
SELECT casino.open_round(:blackjack, 'two seats', '2026-05-20 11:00') AS r \gset
SELECT casino.place_bet(:r, :ann, 'main@100', seat => 1, at => '2026-05-20 11:00:10') \g /dev/null
SELECT casino.place_bet(:r, :ann, 'main@100', seat => 2, at => '2026-05-20 11:00:20') \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "As Ks"},
                                                              {"seat": 2, "cards": "Ts 6c"}]}',
                           '2026-05-20 11:01') \g /dev/null

-- two hands of a split: 18 wins and 16 loses
SELECT casino.open_round(:blackjack, 'two hands', '2026-05-20 12:00') AS r \gset
SELECT casino.place_bet(:r, :ann, 'main@100', seat => 1, at => '2026-05-20 12:00:10') \g /dev/null
SELECT casino.close_betting(:r, '2026-05-20 12:00:20') \g /dev/null
SELECT casino.place_bet(:r, :ann, 'split_pair@100', seat => 1, hand => 2,
                        at => '2026-05-20 12:00:30') \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "9h 8d",
                                 "hands": [{"seat": 1, "hand": 1, "cards": "8s Tc"},
                                           {"seat": 1, "hand": 2, "cards": "8d 8h"}]}',
                           '2026-05-20 12:01') \g /dev/null

-- a shared box: the first player stands on 18, the second player draws to 27
SELECT casino.add_game_table('blackjack_infinite', 'I', 10, 10000) AS infinite,
    casino.register_player('bob') AS bob \gset
SELECT casino.deposit(:bob, 1000, at => '2026-05-20 12:30') \g /dev/null
SELECT casino.open_round(:infinite, 'two groups', '2026-05-20 13:00') AS r \gset
SELECT casino.place_bet(:r, :ann, 'main@100', at => '2026-05-20 13:00:10') \g /dev/null
SELECT casino.place_bet(:r, :bob, 'main@100', at => '2026-05-20 13:00:10') \g /dev/null
SELECT format('{"dealer": "9h 8d", "hands": [{"players": [%s], "cards": "Ts 8c"},
                                             {"players": [%s], "cards": "Ts 8c 9s"}]}',
              :ann, :bob) AS outcome \gset
SELECT casino.settle_round(:r, :'outcome', '2026-05-20 13:01') \g /dev/null
SELECT casino.seal('2026-05-20') \g /dev/null
CALL casino.reconcile('2026-05-20', '2026-05-20');
