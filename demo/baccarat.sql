\set heading '3. Baccarat: the drawing rules, side bets, a tie'
\ir heading.sql

SELECT open_round(:tatra, 'T-1', '2026-05-20 14:30') AS round \gset
SELECT place_bets(:round, :karel, '{banker@2000, big@500, any_pair@100}', 'karel-1', at => '2026-05-20 14:30:05') \g /dev/null
SELECT place_bets(:round, :radka, '{player@1000, player_pair@200, small@300}', 'radka-1', at => '2026-05-20 14:30:06') \g /dev/null
SELECT place_bets(:round, p.player_id, (ARRAY['{player@150}', '{banker@99.90}', '{tie@50, banker@50}'])[p.player_id % 3 + 1]::bet[],
                  'g-5', at => '2026-05-20 14:30:10')
  FROM (SELECT player_id FROM player WHERE player_id BETWEEN 34 AND 40 ORDER BY player_id) p \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:30:30') \g /dev/null
\echo
\echo 'The provider first reports a banker who drew against the rules. Nothing is paid; the report can be mended and sent again:'
SELECT code, message, detail
  FROM pg_temp.attempt(format($$SELECT casino.settle_round(%s, '{"player": "4h 4d", "banker": "Kc 3s 4d"}', '2026-05-20 14:31')$$, :round)) \gx
SELECT settle_round(:round, '{"player": "4h 4d", "banker": "Kc 7s"}', '2026-05-20 14:31') \g /dev/null
\ir round.sql

-- a tie returns player and banker
SELECT open_round(:tatra, 'T-2', '2026-05-20 14:32') AS round \gset
SELECT place_bets(:round, :karel, '{banker@2000, egalite:6@100}', 'karel-2', at => '2026-05-20 14:32:05') \g /dev/null
SELECT place_bets(:round, :radka, '{player@1000, tie@100, small@300}', 'radka-2', at => '2026-05-20 14:32:06') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:32:30') \g /dev/null
SELECT settle_round(:round, '{"player": "Qh 6d", "banker": "6c Ts"}', '2026-05-20 14:33') \g /dev/null
\ir round.sql

-- six cards: both sides draw; 0.95 to 1 on 100.90 CZK is 95.855, rounded half up to 95.86
SELECT open_round(:praded, 'P-1', '2026-05-20 14:34') AS round \gset
SELECT place_bets(:round, :sona, '{banker@100.90, big@100, perfect_pair@100}', 'sona-2', at => '2026-05-20 14:34:05') \g /dev/null
SELECT close_betting(:round, '2026-05-20 14:34:30') \g /dev/null
SELECT settle_round(:round, '{"player": "2h 2h 5d", "banker": "Kc 4s 3d"}', '2026-05-20 14:35') \g /dev/null
\ir round.sql

\echo
\echo 'A dispute desk may ask what bets would have got on other cards, without any round:'
SELECT * FROM quote('baccarat', '{banker@100.90, big@100, egalite:7@10}', '{"player": "9h 8d", "banker": "7c Ts"}');
