-- Part of tools/test_pages: pages on which people have typed words that would break them (R9.23), with the
-- wheel, an exclusion, a limit, a refusal and cash that does not agree; in English, to the folder "work".
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET casino.operator = '"><script>o</script>';
CREATE TEMP TABLE guest (n integer, ref text, id bigint);
INSERT INTO guest (n, ref) VALUES
    (1, '"><script>alert(1)</script>'), (2, repeat('W', 200)), (3, 'שחקן 12 (ערב) שחקן'),
    (4, '🎰🚀 &amp; ]]></style>'), (5, 'Čeněk & synové');
UPDATE guest SET id = casino.register_player(ref);
SELECT casino.add_game_table('roulette_american', '<b onclick="x">Table</b>', 10, 500) AS wheel \gset
SELECT casino.record_cage_count(repeat('Desk', 20), '2026-05-22 06:00', 1000) \g /dev/null
SELECT casino.deposit(id, 50000, 'd', '2026-05-22 07:00', 'cash', repeat('R', 200), repeat('Desk', 20))
  FROM guest \g /dev/null
SELECT casino.record_cage_count(repeat('Desk', 20), '2026-05-22 22:00', 250999, 'k', 0, repeat('note ', 100))
    \g /dev/null
SELECT casino.open_round(:wheel, '<i>' || repeat('r', 150), '2026-05-22 10:00') AS round \gset
SELECT casino.place_bet(:round, id, 'straight:0@50', 's', at => '2026-05-22 10:01'),
       casino.place_bet(:round, id, 'black@100', 'b', at => '2026-05-22 10:01') FROM guest \g /dev/null
SELECT casino.try_place_bets(:round, id, '{red@1}', repeat('k', 200), at => '2026-05-22 10:02')
  FROM guest WHERE n = 2 \g /dev/null
SELECT casino.settle_round(:round, '{"number": 0}', '2026-05-22 10:05') \g /dev/null
SELECT id AS one FROM guest WHERE n = 2 \gset
SELECT casino.set_limit(:one, 'stake', 'day', 1500, '2026-05-22 11:00'),
       casino.exclude_player(:one, '2026-05-22 12:00'::timestamptz + interval '7 days', 'panic_button',
                             '2026-05-22 12:00') \g /dev/null
CALL casino.reconcile('2026-05-22', '2026-05-22');
\cd :work
\o hostile-round.html
SELECT casino.round_page(:round, 'en');
\o hostile-part.html
SELECT casino.player_round_page(:one, :round, 'en');
\o hostile-player.html
SELECT casino.player_page(:one, '2026-05-20', '2026-05-24', 'en');
\o hostile-night.html
SELECT casino.night_page('2026-05-22', 'en');
\o hostile-period.html
SELECT casino.period_page('2026-05-20', '2026-05-24', 'en');
\o
