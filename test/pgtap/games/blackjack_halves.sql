-- Half of a stake of an odd number of haléře: what the player must stake is rounded down, what he gets half
-- up (R2.5).
SELECT plan(5);
SELECT casino.register_player('half a haléř') AS player \gset
SELECT casino.deposit(:player, 1000) \g /dev/null
SELECT casino.add_game_table('blackjack_endless', 'Halves', 10, 1000) AS shared \gset
SELECT casino.add_game_table('blackjack_synot', 'Halves', 10, 1000, '{"surrender": true}') AS seated \gset
SELECT casino.open_round(:shared, 'insurance') AS insured \gset
SELECT casino.place_bet(:insured, :player, 'main@100.01') \g /dev/null
SELECT casino.close_betting(:insured) \g /dev/null
SELECT throws_ok(format('SELECT casino.place_bet(%s, %s, ''insurance@50.01'')', :insured, :player), 'KB002',
                 NULL, 'R2.5: half of 100.01 is not rounded up for the insurance');
SELECT lives_ok(format('SELECT casino.place_bet(%s, %s, ''insurance@50.00'')', :insured, :player),
                'R2.5: it is rounded down');
SELECT is((casino.settle_round(:insured, '{"dealer": "Ah Kc", "hands": [{"cards": "9c 9d"}]}')).paid, 150.00,
          'D4 Endless §18: the insurance pays 2:1, the main bet is lost');
SELECT casino.open_round(:seated, 'surrender') AS given_up \gset
SELECT casino.place_bet(:given_up, :player, 'main@100.01', seat => 1) \g /dev/null
SELECT is((casino.settle_round(:given_up,
                               '{"dealer": "Th 9c", "hands": [{"seat": 1, "cards": "Ts 6d", '
                               '"surrendered": true}]}')).paid,
          50.01, 'R2.5: half of 100.01 is rounded half up for what the player gets');
SELECT is((SELECT balance FROM casino.player WHERE player_id = :player),
          1000 - 100.01 - 50 + 150 - 100.01 + 50.01, 'and so is his wallet');
SELECT * FROM finish();
