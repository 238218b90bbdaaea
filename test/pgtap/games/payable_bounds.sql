-- To the haléř: what may be staked and paid in while wins are open (R2.7). A wallet holds 92 233 720 368 547
-- 758.07 CZK; 2^56 haléře of it, 720 575 940 379 279.36 CZK, are left for modest wins of other rounds. The
-- greatest win of a stake on red is as much again, and a haléř, since the shares of a position are rounded
-- either way.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
SELECT 92233720368547758.07 - 2 ^ 56::numeric / 100 AS most \gset
SELECT is(:most, 91513144428168478.71, 'what balance and open wins may reach together');
SELECT add_game_table('roulette_american', 'high', 1, 90000000000000000) AS tab,
    register_player('rich') AS rich \gset
SELECT open_round(:tab, 'a') AS a \gset
-- with 1000.00 on red: the balance less the stake, the stake, its win, a haléř
SELECT deposit(:rich, :most - 1000.00 - 0.01) \g /dev/null
SELECT throws_ok(format('SELECT place_bet(%s, %s, ''red@%s'')', :a, :rich, stake), '22003', NULL,
                 'R2.7: a stake that could reach a haléř more is refused: ' || stake)
  FROM (VALUES (1000.01), (1000.02)) v (stake);
SELECT throws_ok(format('INSERT INTO ledger (player_id, kind, round_id, bet)
                         VALUES (%s, ''stake'', %s, ''red@1000.01'')',
                        :rich, :a),
                 '22003', NULL, '... by INSERT too');
SELECT lives_ok(format('SELECT place_bet(%s, %s, ''red@1000'', ''one'')', :a, :rich),
                '... one that reaches it exactly is taken');
-- now 1000.00 less in the wallet, and 2000.00 could come
SELECT throws_ok(format('SELECT deposit(%s, 0.02)', :rich), '22003', NULL,
                 'a deposit that could reach a haléř more is refused');
SELECT throws_ok(format('INSERT INTO ledger (player_id, kind, amount) VALUES (%s, ''deposit'', 0.02)', :rich),
                 '22003', NULL, '... by INSERT too');
SELECT throws_ok(format('SELECT adjust(%s, 0.02, ''found'')', :rich), '22003', NULL, '... and a correction');
SELECT lives_ok(format('SELECT deposit(%s, 0.01)', :rich), '... one that reaches it exactly is taken');
SELECT lives_ok(format('SELECT settle_round(%s, ''{"number": 1}'')', :a), 'and the win is paid');
SELECT is((SELECT balance FROM player WHERE player_id = :rich), :most,
          '... into the wallet, beside the reserve');
-- nothing open: nothing is reserved
SELECT lives_ok(format('SELECT deposit(%s, 0.01)', :rich),
                'without open wagers the reserve may be filled, too');
SELECT * FROM finish();
