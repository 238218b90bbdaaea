\set heading '2. Roulette: four games, inside, outside and announced bets'
\ir heading.sql
\echo 'Each player''s wagers with what they got; nothing behind a wager: it lost.'

-- Vltava (Synot), 14:10: a full layout
SELECT open_round(:vltava, 'V-1', '2026-05-20 14:10') AS round \gset
SELECT place_bets(:round, :jana,   '{straight:17@100, split:17-20@200, red@500}', 'jana-1',   at => '2026-05-20 14:10:05') \g /dev/null
SELECT place_bets(:round, :milada, '{corner:16-17-19-20@400, dozen:2@300, even@200}', 'milada-1', at => '2026-05-20 14:10:06') \g /dev/null
SELECT place_bets(:round, :ota,    '{street:16-17-18@150, six_line:13-14-15-16-17-18@300, column:2@100, low@100}', 'ota-1', at => '2026-05-20 14:10:07') \g /dev/null
SELECT place_bets(:round, p.player_id, (ARRAY['{black@100}', '{odd@200}', '{first_four:0-1-2-3@50, high@100}', '{trio:0-2-3@30}', '{straight:0@20, straight:17@20}'])[p.player_id % 5 + 1]::bet[],
                  'g-1', at => '2026-05-20 14:10:10')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 9 AND 14 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:10:40') \g /dev/null
SELECT settle_round(:round, '{"number": 17}', '2026-05-20 14:11') \g /dev/null
\ir round.sql

-- Vltava again: announced bets are made of bets on the layout and settled through them
SELECT open_round(:vltava, 'V-2', '2026-05-20 14:12') AS round \gset
\echo 'Voisins with chips of 50 CZK are:'
SELECT string_agg(b::text, ', ') AS voisins FROM announced_bets('roulette_synot', 'voisins', 50) b;
SELECT place_bets(:round, :jana, ARRAY(SELECT announced_bets('roulette_synot', 'voisins', 50)), 'jana-2', at => '2026-05-20 14:12:05') \g /dev/null
SELECT place_bets(:round, :milada, ARRAY(SELECT announced_bets('roulette_synot', 'neighbours:26/2', 20)), 'milada-2', at => '2026-05-20 14:12:06') \g /dev/null
SELECT place_bets(:round, :ota, ARRAY(SELECT announced_bets('roulette_synot', 'zero_game', 25)), 'ota-2', at => '2026-05-20 14:12:07') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:12:40') \g /dev/null
SELECT settle_round(:round, '{"number": 0}', '2026-05-20 14:13') \g /dev/null
\ir round.sql

-- Labe (Evolution): the final of 7 on the splits, and Morava (Synot) with limits of its own
SELECT open_round(:labe, 'L-1', '2026-05-20 14:15') AS round \gset
SELECT place_bets(:round, p.player_id, ARRAY(SELECT announced_bets('roulette_evolution', (ARRAY['finale_cheval:3-6', 'finale_plein:7', 'tiers', 'orphelins'])[p.player_id % 4 + 1], 20)),
                  'g-2', at => '2026-05-20 14:15:10')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 15 AND 22 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:15:40') \g /dev/null
SELECT settle_round(:round, '{"number": 12}', '2026-05-20 14:16') \g /dev/null
\ir round.sql

SELECT open_round(:morava, 'M-1', '2026-05-20 14:18') AS round \gset
SELECT place_bets(:round, p.player_id, (ARRAY['{red@100}', '{black@50, column:1@50}', '{split:8-11@100}'])[p.player_id % 3 + 1]::bet[],
                  'g-3', at => '2026-05-20 14:18:10')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 23 AND 27 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:18:40') \g /dev/null
SELECT settle_round(:round, '{"number": 20}', '2026-05-20 14:19') \g /dev/null
\ir round.sql

-- Odra (Absolute): higher limits outside
SELECT open_round(:odra, 'O-1', '2026-05-20 14:20') AS round \gset
SELECT place_bets(:round, :petr, '{high@15000, straight:36@1000}', 'petr-1', at => '2026-05-20 14:20:05') \g /dev/null
SELECT place_bets(:round, p.player_id, (ARRAY['{dozen:3@200}', '{low@150}', '{street:34-35-36@60}'])[p.player_id % 3 + 1]::bet[],
                  'g-4', at => '2026-05-20 14:20:10')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 28 AND 33 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:20:40') \g /dev/null
SELECT settle_round(:round, '{"number": 5}', '2026-05-20 14:21') \g /dev/null
\ir round.sql

-- Hall 1: not a broadcast game, open to players of live tables too
SELECT open_round(:hall, 'H-1', '2026-05-20 14:25') AS round \gset
SELECT place_bets(:round, :sona,  '{split:14-17@40, red@100}', 'sona-1',  at => '2026-05-20 14:25:05') \g /dev/null
SELECT place_bets(:round, :tomas, '{straight:5@20, even@50}',  'tomas-1', at => '2026-05-20 14:25:06') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:25:40') \g /dev/null
SELECT settle_round(:round, '{"number": 14}', '2026-05-20 14:26') \g /dev/null
\ir round.sql
