-- A win that no wallet could hold (above 92 233 720 368 547 758.07 CZK) is refused when it is staked, so that
-- no round ends in
-- 22003 and no player becomes unusable (R2.7).
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
SELECT add_game_table('roulette_american', 'high 1', 1, 90000000000000000) AS one,
    add_game_table('roulette_american', 'high 2', 1, 90000000000000000) AS two,
       add_game_table('holdem_cash_25_50', 'high pots', 25, 90000000000000000) AS pots \gset
SELECT register_player('rich') AS rich, register_player('poor') AS poor \gset
SELECT deposit(:rich, 90000000000000000) \g /dev/null
-- a straight of the greatest stake, 10^12 - 0.01, wins 35 times it: 43 of them leave room, 44 do not
CREATE FUNCTION pg_temp.straights(n integer)
RETURNS bet[]
LANGUAGE sql AS $$ SELECT array_agg('straight:17@999999999999.99'::casino.bet) FROM generate_series(1, n) $$;
SELECT open_round(:one, 'a') AS a \gset
SELECT open_round(:two, 'b') AS b \gset
SELECT open_round(:pots, 'c') AS c \gset
SELECT throws_ok(format('SELECT place_bets(%s, %s, pg_temp.straights(100), ''all'')', :a, :rich), '22003',
                 NULL,
                 'R2.7: stakes that could win more than a wallet holds are refused when they are placed');
SELECT throws_ok(format('SELECT place_bets(%s, %s, pg_temp.straights(100), ''all'')', :a, :rich), '22003',
                 NULL, 'again, when sent again');
SELECT lives_ok(format('SELECT place_bets(%s, %s, pg_temp.straights(43), ''some'')', :a, :rich),
                'those that a wallet can hold are taken');
SELECT throws_ok(format('SELECT place_bet(%s, %s, ''straight:17@999999999999.99'')', :a, :rich), '22003',
                 NULL, 'one more in the same round is not');
SELECT throws_ok(format('INSERT INTO ledger (player_id, kind, round_id, bet)
                         VALUES (%s, ''stake'', %s, ''straight:17@999999999999.99'')',
                        :rich, :a),
                 '22003', NULL, 'nor by INSERT');
SELECT throws_ok(format('SELECT place_bet(%s, %s, ''straight:1@999999999999.99'')', :b, :rich), '22003', NULL,
                 'nor in another round: all open wagers count');
SELECT lives_ok(format('SELECT place_bet(%s, %s, ''red@1000'', ''small'')', :b, :rich),
                'a modest one is taken there');
SELECT throws_ok(format('SELECT place_bet(%s, %s, ''pot@999999999999.99'', seat => 1)', :c, :rich), '22003',
                 NULL, 'a pot may bring ten times what is put in');
SELECT throws_ok(format('SELECT deposit(%s, 100000000000000)', :rich), '22003', NULL,
                 'a deposit beside open wagers likewise');
SELECT throws_ok(format('INSERT INTO ledger (player_id, kind, amount)
                         VALUES (%s, ''deposit'', 100000000000000)',
                        :rich),
                 '22003', NULL, 'by INSERT too');
SELECT throws_ok(format('SELECT adjust(%s, 100000000000000, ''found'')', :rich), '22003', NULL,
                 'and a correction');
SELECT lives_ok(format('SELECT adjust(%s, -100, ''lost'')', :rich), 'money may always be taken');
SELECT close_betting(:a) \g /dev/null
SELECT throws_ok(format('SELECT deposit(%s, 100000000000000)', :rich), '22003', NULL,
                 'closed betting changes nothing');
SELECT settle_round(:a, '{"number": 17}', withhold => true) \g /dev/null
SELECT throws_ok(format('SELECT deposit(%s, 100000000000000)', :rich), '22003', NULL,
                 'nor do withheld winnings');
SELECT lives_ok(format('SELECT pay_withheld(%s)', :a), 'the whole win fits into the wallet');
SELECT is((SELECT balance FROM player WHERE player_id = :rich),
          90000000000000000 - 1000 - 100 + 43 * 35 * 999999999999.99, 'all of it');
SELECT lives_ok(format('SELECT cancel_bet(%s, %s, ''small'')', :b, :rich), 'his other wagers move');
SELECT set_payment_account(:rich, 'CZ65 0800 0000 1920 0014 5399') \g /dev/null
SELECT lives_ok(format('SELECT request_withdrawal(%s, 91000000000000000, ''transfer'')', :rich),
                'and so does his money');
SELECT lives_ok(format('SELECT deposit(%s, 100000000000000)', :rich), 'with room, he pays in again');
SELECT lives_ok(format('SELECT place_bets(%s, %s, pg_temp.straights(50), ''later'')', :b, :rich),
                'and stakes');
SELECT lives_ok(format('SELECT settle_round(%s, ''{"number": 17}'')', :b), 'and wins');
SELECT lives_ok(format('SELECT deposit(%s, 92233720368547758.07)', :poor),
                'a wallet may be filled to the brim while nothing is open');
SELECT open_round(:one, 'd') AS d \gset
SELECT throws_ok(format('SELECT place_bet(%s, %s, ''red@1'')', :d, :poor), '22003', NULL,
                 'but then nothing can be staked');
SELECT is((SELECT sum(balance) FROM trial_balance), 0.00, 'the trial balance sums to zero');
SELECT * FROM finish();
