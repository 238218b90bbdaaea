\set heading '4. Blackjack: boxes, cards as they fall, a shared box, free bets'
\ir heading.sql

-- Berounka (Synot): Milada plays box 1, Ota bets behind her, Petr plays box 3
SELECT open_round(:berounka, 'B-1', '2026-05-20 14:36') AS round \gset
SELECT place_bets(:round, :milada, '{main@500, player_pair@50}', 'milada-b', seat => 1, at => '2026-05-20 14:36:05') \g /dev/null
SELECT place_bets(:round, :ota,    '{behind@300}',               'ota-b',    seat => 1, at => '2026-05-20 14:36:06') \g /dev/null
SELECT place_bets(:round, :petr,   '{main@200, 21+3@20}',        'petr-b',   seat => 3, at => '2026-05-20 14:36:07') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:36:15') \g /dev/null

\echo
\echo 'The first cards: the dealer shows an ace. Milada insures; Ota, behind her, may not; Petr has no pair to split.'
SELECT deal(:round, '{"dealer": "Ah", "hands": [{"seat": 1, "cards": "8h 8d"}, {"seat": 3, "cards": "Ts 6c"}]}', '2026-05-20 14:36:18') \g /dev/null
SELECT place_bet(:round, :milada, 'insurance@250', 'milada-b2', seat => 1, at => '2026-05-20 14:36:20') \g /dev/null
SELECT code, message, detail FROM try_place_bets(:round, :ota, '{insurance@150}', 'ota-b2', seat => 1, at => '2026-05-20 14:36:21') \gx
SELECT code, message, detail FROM try_place_bets(:round, :petr, '{split_pair@200}', 'petr-b2', seat => 3, hand => 2, at => '2026-05-20 14:36:22') \gx

\echo
\echo 'Milada splits, then doubles her first hand: the bet of Ota, behind her, follows both in the same calls.'
SELECT place_bet(:round, :milada, 'split_pair@500',  'milada-b3', seat => 1, hand => 2, at => '2026-05-20 14:36:24') \g /dev/null
SELECT deal(:round, '{"dealer": "Ah", "hands": [{"seat": 1, "hand": 1, "cards": "8h 3s"}, {"seat": 1, "hand": 2, "cards": "8d Tc"},
                                                {"seat": 3, "cards": "Ts 6c"}]}', '2026-05-20 14:36:28') \g /dev/null
SELECT place_bet(:round, :milada, 'double_down@500', 'milada-b4', seat => 1, hand => 1, at => '2026-05-20 14:36:30') \g /dev/null
SELECT close_actions(:round, '2026-05-20 14:36:38') \g /dev/null
SELECT settle_round(:round, '{"dealer": "Ah 6s", "hands": [{"seat": 1, "hand": 1, "cards": "8h 3s Kd"}, {"seat": 1, "hand": 2, "cards": "8d Tc"},
                                                           {"seat": 3, "cards": "Ts 6c 5h"}]}', '2026-05-20 14:36:45') \g /dev/null
\ir round.sql

-- Lipno (Infinite): one box for all; from the third card on everybody plays his own hand
SELECT open_round(:lipno, 'I-1', '2026-05-20 14:37') AS round \gset
SELECT place_bets(:round, p.player_id, (ARRAY['{main@100}', '{main@200, bust_it@20}', '{main@50, hot3@10}'])[p.player_id % 3 + 1]::bet[],
                  'g-b', at => '2026-05-20 14:37:05')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 28 AND 34 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:37:15') \g /dev/null
SELECT deal(:round, '{"dealer": "6h", "hands": [{"cards": "5s 4c"}]}', '2026-05-20 14:37:18') \g /dev/null
SELECT place_bet(:round, 30, 'double_down@100', 'g-b2', at => '2026-05-20 14:37:20') \g /dev/null
\echo
\echo 'Everybody has 5s 4c. Guest 30 doubles, 31 and 32 draw too much, 33 draws six cards: a Charlie. The others draw once.'
SELECT settle_round(:round, '{"dealer": "6h Jd 3c", "hands": [{"cards": "5s 4c Td"}, {"player": 30, "cards": "5s 4c Ac"},
                              {"players": [31, 32], "cards": "5s 4c 7d 9h"}, {"player": 33, "cards": "5s 4c 2d 2h 3s 3d"}]}',
                    '2026-05-20 14:37:45') \g /dev/null
\ir round.sql

-- Lednice (Free Bet): the house pays for the split and for the double
SELECT open_round(:lednice, 'F-1', '2026-05-20 14:38') AS round \gset
SELECT place_bets(:round, :sona, '{main@100, push22@20}', 'sona-b', seat => 2, at => '2026-05-20 14:38:05') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:38:10') \g /dev/null
SELECT deal(:round, '{"dealer": "7d", "hands": [{"seat": 2, "cards": "9s 9h"}]}', '2026-05-20 14:38:12') \g /dev/null
SELECT place_bet(:round, :sona, 'free_split@100',  'sona-b2', seat => 2, hand => 2, at => '2026-05-20 14:38:14') \g /dev/null
SELECT deal(:round, '{"dealer": "7d", "hands": [{"seat": 2, "hand": 1, "cards": "9s Td"}, {"seat": 2, "hand": 2, "cards": "9h 2c"}]}',
            '2026-05-20 14:38:16') \g /dev/null
SELECT place_bet(:round, :sona, 'free_double@100', 'sona-b3', seat => 2, hand => 2, at => '2026-05-20 14:38:18') \g /dev/null
SELECT settle_round(:round, '{"dealer": "7d Ts", "hands": [{"seat": 2, "hand": 1, "cards": "9s Td"}, {"seat": 2, "hand": 2, "cards": "9h 2c Kh"}]}',
                    '2026-05-20 14:38:30') \g /dev/null
\ir round.sql
\echo
\echo 'The same bets, had the dealer ended on 22:'
SELECT * FROM quote('blackjack_free_bet', '{main@100, push22@20, free_split@100, free_double@100}',
                    '{"dealer": "7d 5s Tc", "hands": [{"hand": 1, "cards": "9s Td"}, {"hand": 2, "cards": "9h 2c Kh"}]}');
