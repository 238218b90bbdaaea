-- What a settlement books beside the amounts: numbers without gaps, figures of the round, refunds without a
-- grade; what must never be settled for less; and when decisions may end.
SET search_path = public;
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();

CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql AS $$SELECT ('2026-06-01 '
        || clock)::timestamptz$$;
SELECT casino.add_game_table('roulette_american', 'wheel', 10, 2500) AS wheel,
    casino.add_game_table('roulette_absolute', 'absolute', 10, 2500) AS absolute,
       casino.add_game_table('blackjack_free_bet', 'free', 10, 2500) AS free,
           casino.register_player('anna') AS anna, casino.register_player('bob') AS bob \gset
SELECT casino.deposit(:anna, 5000, at => at('08:00')),
    casino.deposit(:bob, 5000, at => at('08:00')) \g /dev/null

-- one wager of a player wins, one loses, one is returned: an entry for each that is paid, none for the lost
-- one
SELECT casino.open_round(:wheel, 'mixed', at('09:00')) AS round \gset
SELECT casino.place_bet(:round, :anna, 'red@100', 'a', at => at('09:01')),
    casino.place_bet(:round, :anna, 'black@100', 'b', at => at('09:01')),
       casino.place_bet(:round, :anna, 'even@100', 'c', at => at('09:01')),
           casino.cancel_bet(:round, :anna, 'c', at('09:02')),
       casino.place_bet(:round, :bob, 'black@100', at => at('09:02')) \g /dev/null
SELECT is((casino.settle_round(:round, '{"number": 1}', at('09:03'))).paid, 200.00, 'red wins');
SELECT results_eq(format('SELECT kind, entry_no, amount, balance
                            FROM casino.ledger
                           WHERE player_id = %s
                           ORDER BY entry_no',
                         :anna),
                  $$VALUES ('deposit', 1::bigint, 5000.00, 5000.00), ('stake', 2, 100.00, 4900.00),
                      ('stake', 3, 100.00, 4800.00), ('stake', 4, 100.00, 4700.00),
                           ('refund', 5, 100.00, 4800.00), ('payout', 6, 200.00, 5000.00)$$,
                               'entries count on without a gap, each with the balance after it');
SELECT is(casino.deposit(:anna, 1, at => at('09:04')), 7::bigint, 'and so does the next one');
SELECT results_eq('SELECT last_entry_no, balance FROM casino.player ORDER BY player_id',
                  'VALUES (7::bigint, 5001.00), (2, 4900.00)',
                      'the players'' rows are those of their entries');

-- a free wager costs nothing and is no stake of the round's figures
SELECT casino.open_round(:free, 'free', at('10:00')) AS round \gset
SELECT casino.place_bet(:round, :anna, 'main@100', NULL, 1, at => at('10:01')),
    casino.close_betting(:round, at('10:02')),
       casino.place_bet(:round, :anna, 'free_split@100', NULL, 1, 2, at('10:03')) \g /dev/null
SELECT results_eq(format($$SELECT wagers, players, staked, paid, house_result FROM casino.settle_round(%s,
                           '{"dealer": "Th 7c", "hands": [{"seat": 1, "cards": "8c Tc"}, '
                           '{"seat": 1, "hand": 2, "cards": "8d 9d"}]}',
                           at('10:05'))$$, :round),
                  $$VALUES (2::bigint, 1::bigint, 100.00, 200.00, -100.00)$$,
    'D3 §4.1: main 18 wins against 17, the free hand of 17 is pushed: staked are 100 CZK, not 200');

-- winnings withheld that end in a void: what goes back has no grade
SELECT casino.open_round(:wheel, 'withheld', at('11:00')) AS round \gset
SELECT casino.place_bet(:round, :anna, 'red@100', at => at('11:01')),
    casino.place_bet(:round, :bob, 'black@100', at => at('11:01')) \g /dev/null
SELECT casino.settle_round(:round, '{"number": 1}', at('11:02'), true, 'a complaint'),
    casino.void_wagers(:round, :anna, 'past posting', at('11:03')) \g /dev/null
SELECT casino.open_round(:wheel, 'voided', at('11:10')) AS again \gset
SELECT casino.place_bet(:again, :anna, 'red@100', at => at('11:11')),
    casino.place_bet(:again, :bob, 'black@100', at => at('11:11')) \g /dev/null
SELECT casino.settle_round(:again, '{"number": 1}', at('11:12'), true, 'a complaint'),
    casino.void_round(:again, 'the wheel', at('11:13')) \g /dev/null
SELECT results_eq(format($$SELECT round_id = %s, player_id = %s, amount, grade FROM casino.ledger
                         WHERE round_id IN (%s, %s) AND kind = 'refund' ORDER BY 1, 2$$,
                         :again, :anna, :round, :again),
                  $$VALUES (false, true, 100.00, NULL::text), (true, false, 100.00, NULL),
                      (true, true, 100.00, NULL)$$, 'refunds after an evaluation have no grade');

-- what must never be settled for less (each in a transaction that is taken back; a superuser with the guards
-- out of action)
CREATE FUNCTION broken_plan(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    round bigint;
BEGIN
    round := casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'absolute'), md5(change),
                               public.at('12:00'));
    PERFORM casino.place_bet(round, 1, 'red@100', at => public.at('12:01'));
    ALTER TABLE casino.paytable DISABLE TRIGGER USER;
    ALTER TABLE casino.ledger DISABLE TRIGGER USER;
    EXECUTE format(change, round);
    PERFORM casino.settle_round(round, '{"number": 1}', public.at('12:02'));
    RETURN 'settled';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(broken_plan($$DELETE FROM casino.paytable t USING casino.game_plan p
                      WHERE p.plan_id = t.plan_id AND p.game = 'roulette_absolute' AND t.kind = 'red'$$),
          '55000 the paytable has no line for red graded win',
              'a grade without its line of the paytable is not settled for nothing');
SELECT is(broken_plan($$ALTER TABLE casino.paytable DROP CONSTRAINT paytable_check;
                        UPDATE casino.paytable t
                           SET num = -3
                          FROM casino.game_plan p
                         WHERE p.plan_id = t.plan_id AND p.game = 'roulette_absolute' AND t.kind = 'red'$$),
          '22003 payout is out of range', 'nobody is paid less than nothing');
SELECT alike(broken_plan($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount, balance, round_id,
                                                      bet, posted_at, recorded_at, recorded_by)
                          VALUES (2, 1000, 'stake', 100, 0, %s, 'banker@100', public.at('12:01'), now(),
                                  1)$$),
             'XX001 wager 1000 of player 2 of round % has no grade',
                 'a wager that no rule of the game grades is not left out');
SELECT is((SELECT count(*) FROM casino.ledger WHERE entry_no = 1000), 0::bigint,
          'and all of it was taken back');

-- decisions end between the close of betting and the evaluation
SELECT casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'free'), 'decisions',
                         at('13:00')) AS round \gset
SELECT casino.place_bet(:round, 1, 'main@100', NULL, 1, at => at('13:01')),
    casino.place_bet(:round, 1, 'main@50', NULL, 1, at => at('13:05')) \g /dev/null
SELECT throws_ok(format('SELECT casino.close_actions(%s, at(''13:06''))', :round), 'KR002', NULL,
                 'close_actions: betting is open');
SELECT casino.close_betting(:round, at('13:02')) \g /dev/null
SELECT throws_ok(format('SELECT casino.close_actions(%s, at(''13:01:59.999999''))', :round), 'KL005', NULL,
                 'close_actions: not before betting closed');
SELECT lives_ok(format('SELECT casino.close_actions(%s, at(''13:03''))', :round),
                'close_actions: before the time of a late stake that went back');
SELECT is((SELECT actions_closed_at FROM casino.round WHERE round_id = :round), at('13:03'),
          'and that is when decisions ended');

SELECT * FROM finish();
