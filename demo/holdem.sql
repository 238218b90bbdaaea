\set heading '5. Hold''em: against the dealer, and a pot with a side pot'
\ir heading.sql

-- Sazava (Casino Hold'em): guest 35 calls before the cards, 36 and 37 after the flop, 38 folds
SELECT open_round(:sazava, 'S-1', '2026-05-20 14:37') AS round \gset
SELECT place_bets(:round, 35, '{ante@100, call@200}',       'g-h', at => '2026-05-20 14:37:05') \g /dev/null
SELECT place_bets(:round, 36, '{ante@200, aa@50}',          'g-h', at => '2026-05-20 14:37:06') \g /dev/null
SELECT place_bets(:round, 37, '{ante@100, aa@20, razz@20}', 'g-h', at => '2026-05-20 14:37:07') \g /dev/null
SELECT place_bets(:round, 38, '{ante@100, aa@20}',          'g-h', at => '2026-05-20 14:37:08') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:37:20') \g /dev/null
SELECT deal(:round, '{"player": "Ad 4s", "board": "Ah 4h 2c"}', '2026-05-20 14:37:25') \g /dev/null
\echo
\echo 'A call is twice the ante:'
SELECT code, message, detail FROM try_place_bets(:round, 36, '{call@300}', 'g-h2', at => '2026-05-20 14:37:30') \gx
SELECT place_bet(:round, 36, 'call@400', 'g-h3', at => '2026-05-20 14:37:32') \g /dev/null
SELECT place_bet(:round, 37, 'call@200', 'g-h3', at => '2026-05-20 14:37:33') \g /dev/null
SELECT settle_round(:round, '{"player": "Ad 4s", "board": "Ah 4h 2c Ac 9d", "dealer": "Ts Td"}', '2026-05-20 14:38') \g /dev/null
\ir round.sql
SELECT poker_category('Ad 4s Ah 4h 2c Ac 9d') AS player_has, best_five('Ad 4s Ah 4h 2c Ac 9d') AS "with",
       poker_rank('Ad 4s Ah 4h 2c Ac 9d') AS rank, poker_category('Ts Td Ah 4h 2c Ac 9d') AS dealer_has;

-- Hall 2 (Texas Hold'em 25/50): a short stack all in, two who play on; what lies in the pot is staked as it is bet
SELECT open_round(:hall2, 'X-1', '2026-05-20 14:36') AS round \gset
SELECT place_bet(:round, :karel, 'pot@25',   'karel-x',  seat => 2, at => '2026-05-20 14:36:05') \g /dev/null
SELECT place_bet(:round, :radka, 'pot@50',   'radka-x',  seat => 4, at => '2026-05-20 14:36:06') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:36:10') \g /dev/null
SELECT place_bet(:round, 40,     'pot@400',  'g-x',      seat => 5, at => '2026-05-20 14:36:20') \g /dev/null
SELECT place_bet(:round, :tomas, 'pot@800',  'tomas-x',  seat => 1, at => '2026-05-20 14:36:30') \g /dev/null
SELECT place_bet(:round, :radka, 'pot@750',  'radka-x2', seat => 4, at => '2026-05-20 14:36:40') \g /dev/null
SELECT place_bet(:round, :radka, 'pot@600',  'radka-x3', seat => 4, at => '2026-05-20 14:37:00') \g /dev/null
SELECT place_bet(:round, :tomas, 'pot@1200', 'tomas-x2', seat => 1, at => '2026-05-20 14:37:10') \g /dev/null
SELECT place_bet(:round, :radka, 'pot@600',  'radka-x4', seat => 4, at => '2026-05-20 14:37:20') \g /dev/null
SELECT place_bet(:round, :tomas, 'pot@1000', 'tomas-x3', seat => 1, at => '2026-05-20 14:37:40') \g /dev/null
\set hand '"button": 1, "board": "Qh 7s 2c 9d Jc", "seats": [{"seat": 1, "cards": "Qs Kd"}, {"seat": 2, "folded": true}, {"seat": 4, "folded": true}, {"seat": 5, "cards": "7d 7h"}]'
\set actions '[{"street": "preflop", "seat": 2, "action": "small_blind"}, {"seat": 4, "action": "big_blind"}, {"seat": 5, "action": "all_in", "to": 400}, {"seat": 1, "action": "raise", "to": 800}, {"seat": 2, "action": "fold"}, {"seat": 4, "action": "call"}, {"street": "flop", "seat": 4, "action": "bet", "to": 600}, {"seat": 1, "action": "raise", "to": 1200}, {"seat": 4, "action": "call"}, {"street": "turn", "seat": 4, "action": "check"}, {"seat": 1, "action": "bet", "to": 1000}, {"seat": 4, "action": "fold"}]'
\echo
\echo 'The betting is replayed. With the raise on the flop to 1000 in the report it could not have gone so:'
SELECT replace(:'actions', '1200', '1000') AS wrong \gset
SELECT code, message, detail
  FROM pg_temp.attempt(format('SELECT casino.settle_round(%s, %L, %L)', :round, '{' || :'hand' || ', "actions": ' || :'wrong' || '}',
                              '2026-05-20 14:38:30')) \gx
SELECT settle_round(:round, ('{' || :'hand' || ', "actions": ' || :'actions' || '}')::jsonb, '2026-05-20 14:38:30') \g /dev/null
\ir round.sql
\echo
\echo 'Pot 1 was for all, pot 2 for those who had more; pot 0 is what nobody called. Seat n is the nth share:'
SELECT * FROM split_pots('{3000, 25, 0, 2000, 400}', '{f, t, f, t, f}', '{Qs Kd, NULL, NULL, NULL, 7d 7h}', 'Qh 7s 2c 9d Jc', 1);
