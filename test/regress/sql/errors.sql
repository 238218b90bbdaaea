--
-- Every error code of the extension that can be met now: message, DETAIL, HINT and SQLSTATE.
--
\set QUIET on
\pset format unaligned
\pset tuples_only on
-- a database of its own: tables, players and rounds are numbered from 1, whatever other tests leave behind
SELECT current_database() AS here \gset
CREATE DATABASE regression_casino_errors TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\c regression_casino_errors
SET lc_messages = 'C';
SET timezone = 'UTC';
SET datestyle = 'ISO';
CREATE EXTENSION casino;
-- one statement, and what it says
CREATE FUNCTION pg_temp.says(statement text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    state text;
    message text;
    detail text;
    hint text;
BEGIN
    EXECUTE statement;
    RETURN NEXT 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
        detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN NEXT state || ': ' || message;
    IF detail <> '' THEN
        -- the clock is another one each time
        RETURN NEXT 'DETAIL: ' || regexp_replace(detail, '(The clock shows) .*', '\1 ...');
    END IF;
    IF hint <> '' THEN
        RETURN NEXT 'HINT: ' || hint;
    END IF;
    RETURN NEXT '';
END $$;
-- before install()
SELECT pg_temp.says('SELECT casino.place_bet(1, 1, ''red@10'')');
SELECT casino.install();
SET casino.clock_skew = -1;
-- a wheel, a shoe under a plan with a smaller maximum, two players, rounds in every state
SELECT casino.add_game_table('roulette_synot', 'Wheel', 10, 1000, '{"limits": {"red": {"max": 2000}}}');
SELECT casino.add_game_table('baccarat', 'Shoe', 100, 100000);
SELECT casino.add_game_table('roulette_american', 'Old wheel', 10, 1000);
SELECT casino.add_plan_version('baccarat', '2100-01-01', 'a version for this test');
UPDATE casino.game_plan SET round_max_stake = 150000 WHERE document = 'a version for this test';
SET session_replication_role = replica; -- approved as by a second person (R1.20)
INSERT INTO casino.plan_approval (plan_id, number, approved_by, at)
SELECT plan_id, 'a test', 'the test', '2099-01-01'
  FROM casino.game_plan WHERE document = 'a version for this test';
RESET session_replication_role;
SELECT casino.register_player('ann'), casino.register_player('bob');
SELECT casino.deposit(1, 500000, 'd1', '2101-01-01 12:00'), casino.deposit(2, 100, 'd1', '2101-01-01 12:00');
SELECT casino.open_round(1, 'settled', '2101-01-01 12:00');
SELECT casino.place_bets(1, 1, '{red@10,black@10}', 's1', at => '2101-01-01 12:01');
SELECT casino.close_betting(1, '2101-01-01 12:02');
SELECT casino.settle_round(1, '{"number": 1}', '2101-01-01 12:03');
SELECT casino.open_round(1, 'voided', '2101-01-01 12:04');
SELECT casino.void_round(2, 'wheel defect', '2101-01-01 12:05');
SELECT casino.open_round(1, 'withheld', '2101-01-01 12:06');
SELECT casino.place_bet(3, 1, 'red@10', at => '2101-01-01 12:06');
SELECT casino.settle_round(3, '{"number": 1}', '2101-01-01 12:07', true);
SELECT casino.open_round(1, 'open', '2101-01-01 12:10');
SELECT casino.place_bet(4, 1, 'odd@10', 's4', at => '2101-01-01 12:11');
SELECT casino.open_round(2, 'baccarat', '2101-01-01 12:10');
SELECT casino.open_round(3, 'no zero', '2101-01-01 12:10');
SELECT casino.cancel_bet(4, 1, 'early', '2101-01-01 12:11');

-- KB001 betting_closed
SELECT pg_temp.says($$SELECT casino.place_bet(1, 2, 'red@10', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(2, 2, 'red@10', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.cancel_bet(1, 1, 's1', '2101-01-01 12:12')$$);
-- KB002 stake_out_of_limits
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'straight:7@9.99', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.place_bets(4, 1, '{straight:7@600,straight:7@400.01}',
                                               at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'red@2000.01', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(5, 1, 'egalite:4@1000.01', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.add_game_table('baccarat', 'High', 100, 100000.01)$$);
SELECT pg_temp.says($$SELECT casino.add_game_table('baccarat', 'None', 100, 99.99)$$);
-- KB003 round_limit_exceeded
SELECT pg_temp.says($$SELECT casino.place_bets(5, 1, '{player@100000,banker@50000.01}',
                                               at => '2101-01-01 12:12')$$);
-- KB004 bet_not_offered
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'banker@100', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(6, 1, 'split:0-1@10', at => '2101-01-01 12:12')$$);
SELECT pg_temp.says($$SELECT * FROM casino.announced_bets('roulette_american', 'tiers', 10)$$);
SELECT pg_temp.says($$SELECT * FROM casino.announced_bets('roulette_synot', 'neighbours:17/0', 10)$$);
SELECT pg_temp.says($$SELECT casino.max_win('baccarat', 'red@10')$$);
SELECT pg_temp.says($$SELECT casino.add_game_table('baccarat', 'Odd', 100, 1000,
                                                   '{"limits": {"red": {"max": 10}}}')$$);
-- KB005 bet_not_allowed_now: its kinds come with blackjack and hold'em

-- KR001 illegal_outcome
SELECT pg_temp.says($$SELECT casino.settle_round(4, '{"number": 37}', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(4, '{"colour": "red"}', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(4, '[17]', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(5, '{"player": "9h 4d"}', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(5, '{"player": "2h 3d", "banker": "Kc 7s"}',
                                                 '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(5, '{"player": "8h Kd", "banker": "2c 3s 4d"}',
                                                 '2101-01-01 12:20')$$);
-- KR002 round_state
SELECT pg_temp.says($$SELECT casino.open_round(1, 'second', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(1, '{"number": 2}', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(2, '{"number": 2}', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.void_round(1, 'late', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.void_round(2, 'late', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.close_betting(2, '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.pay_withheld(1, '2101-01-01 12:20')$$);
SELECT pg_temp.says($$UPDATE casino.round SET outcome = '{"number": 2}' WHERE round_id = 1$$);
SELECT pg_temp.says($$UPDATE casino.round SET table_id = 2 WHERE round_id = 1$$);
SELECT pg_temp.says($$DELETE FROM casino.round WHERE round_id = 1$$);

-- KL001 ledger_immutable
SELECT pg_temp.says($$UPDATE casino.ledger SET amount = 0$$);
SELECT pg_temp.says($$DELETE FROM casino.ledger WHERE player_id = 1$$);
SELECT pg_temp.says($$TRUNCATE casino.ledger$$);
SELECT pg_temp.says($$DELETE FROM casino.breach$$);
SELECT pg_temp.says($$TRUNCATE casino.cancelled_request$$);
SELECT pg_temp.says($$UPDATE casino.player SET balance = 1000000 WHERE player_id = 2$$);
SELECT pg_temp.says($$DELETE FROM casino.player WHERE player_id = 2$$);
SELECT pg_temp.says($$TRUNCATE casino.player$$);
-- KL002 insufficient_funds
SELECT pg_temp.says($$SELECT casino.place_bet(4, 2, 'red@100.01', at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.adjust(2, -100.01, 'too much', at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.request_withdrawal(2, 100.01, 'cash', at => '2101-01-01 12:20')$$);
-- KL003 request_conflict
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'odd@11', 's4', at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.deposit(2, 101, 'd1', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'odd@10', 'early', at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.cancel_bet(5, 1, 's4', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.cancel_bet(5, 1, 'early', '2101-01-01 12:20')$$);
SELECT pg_temp.says($$INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at)
                      VALUES (2, 'deposit', 100, 'd1', '2101-01-01 12:20')$$);
-- KL004 payout_mismatch
CREATE FUNCTION pg_temp.pays(kind text, stake bigint, amount numeric, grade text DEFAULT NULL)
RETURNS SETOF text LANGUAGE sql AS
$$ SELECT pg_temp.says(format('INSERT INTO casino.ledger (player_id, kind, stake_entry_no, amount, grade,
                                                          posted_at)
                               VALUES (1, %L, %s, %s, %L, ''2101-01-01 12:20'')',
                              kind, stake, amount, grade)) $$;
SELECT pg_temp.pays('payout', 7, 20);
SELECT pg_temp.pays('payout', 2, 20);
SELECT pg_temp.pays('payout', 3, 20);
SELECT pg_temp.pays('payout', 5, 20.01);
SELECT pg_temp.pays('payout', 5, 20, 'push');
SELECT pg_temp.pays('payout', 1, 20);
SELECT pg_temp.pays('refund', 5, 10);
SELECT pg_temp.pays('refund', 6, 9.99);
SELECT pg_temp.pays('refund', 6, 10, 'win');
-- KL005 backdated
SELECT pg_temp.says($$SELECT casino.deposit(1, 1, at => '2101-01-01 12:10:59.999999')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 2, 'red@10', at => '2101-01-01 12:09:59.999999')$$);
SELECT pg_temp.says($$SELECT casino.close_betting(4, '2101-01-01 12:09:59.999999')$$);
SELECT pg_temp.says($$SELECT casino.pay_withheld(3, '2101-01-01 12:06:59.999999')$$);
SET casino.clock_skew = 5;
SELECT pg_temp.says($$SELECT casino.deposit(1, 1, at => '2101-01-01 12:30')$$);
SET casino.clock_skew = -1;


-- KC001 break_required: a sequence of two hours
SELECT casino.add_game_table('roulette_evolution', 'Other wheel', 10, 1000);
SELECT casino.register_player('cyd'), casino.register_player('dee');
SELECT casino.deposit(3, 50000, at => '2101-01-01 12:00'), casino.deposit(4, 1000, at => '2101-01-01 12:00');
SELECT casino.open_round(4, 'two hours', '2101-01-01 13:00');
SELECT casino.place_bet(8, 3, 'red@10', at => '2101-01-01 13:00');
SELECT casino.settle_round(8, '{"number": 0}', '2101-01-01 15:00');
SELECT casino.open_round(4, 'after it', '2101-01-01 15:01');
SELECT pg_temp.says($$SELECT casino.place_bet(9, 3, 'red@10', at => '2101-01-01 15:14:59.999')$$);
-- KC002 second_table
SELECT pg_temp.says($$SELECT casino.place_bet(9, 1, 'red@10', at => '2101-01-01 15:02')$$);
-- KC003 cash_limit
SELECT pg_temp.says($$SELECT casino.request_withdrawal(3, 10000.01, 'cash', at => '2101-01-01 15:02')$$);
-- KC004 excluded
SELECT casino.exclude_player(2, '2102-01-01', 'self', '2101-01-01 15:03');
SELECT pg_temp.says($$SELECT casino.place_bet(9, 2, 'red@10', at => '2101-01-01 15:04')$$);
SELECT pg_temp.says($$SELECT casino.deposit(2, 10, at => '2101-01-01 15:04')$$);
-- KC005 self_limit
SELECT casino.set_limit(4, 'stake', 'day', 100, '2101-01-01 15:04');
SELECT pg_temp.says($$SELECT casino.place_bet(9, 4, 'red@100.01', at => '2101-01-01 15:05')$$);
-- KC006 no_payment_account
SELECT pg_temp.says($$SELECT casino.request_withdrawal(3, 100, 'transfer', at => '2101-01-01 15:05')$$);

-- PostgreSQL's own codes: amounts, nulls, unknown ids, malformed values, what is not built
SELECT pg_temp.says($$SELECT casino.deposit(1, 'NaN')$$);
SELECT pg_temp.says($$SELECT casino.deposit(1, 0.001)$$);
SELECT pg_temp.says($$SELECT casino.deposit(1, -1)$$);
SELECT pg_temp.says($$SELECT casino.deposit(1, 0, at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.deposit(1, 92233720368547758.08)$$);
SELECT pg_temp.says($$SELECT casino.deposit(1, 92233720368547758.07, at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.adjust(1, 1, ' ', at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, NULL, 'red@10')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(4, NULL)$$);
SELECT pg_temp.says($$SELECT casino.place_bet(99, 1, 'red@10')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 99, 'red@10')$$);
SELECT pg_temp.says($$SELECT casino.open_round(99, 'x')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'split:1-9@10')$$);
SELECT pg_temp.says($$SELECT casino.settle_round(5, '{"player": "9h Xd", "banker": "Kc 7s"}',
                                                 '2101-01-01 12:20')$$);
SELECT pg_temp.says($$SELECT casino.place_bet(4, 1, 'red@10', seat => 1, at => '2101-01-01 12:20')$$);
SELECT pg_temp.says($$INSERT INTO casino.ledger (player_id, kind, amount, round_id, posted_at)
                      VALUES (1, 'deposit', 1, 4, '2101-01-01 12:20')$$);
SELECT pg_temp.says($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount, posted_at)
                      VALUES (1, 1, 'deposit', 1, '2101-01-01 12:20')$$);
SELECT pg_temp.says($$INSERT INTO casino.ledger (player_id, kind, amount, posted_at)
                      VALUES (1, 'gift', 1, '2101-01-01 12:20')$$);
SELECT pg_temp.says($$UPDATE casino.bet_rule SET max_stake = 1000000 WHERE plan_id = 8 AND kind = 'red'$$);
SELECT pg_temp.says($$SELECT casino_internal.ledger_post()$$);

-- blackjack for the first time: a seat, the hand of a split, kinds of another game, names of games
SELECT casino.add_game_table('blackjack_synot', 'Box', 50, 5000) AS t \gset
SELECT casino.register_player('eve') AS p, casino.open_round(:t, 'b', '2101-01-02 12:00') AS r \gset
SELECT casino.deposit(:p, 1000, at => '2101-01-02 12:00') AS d \gset
SELECT pg_temp.says(format('SELECT casino.place_bet(%s, %s, ''main@200'')', :r, :p));
SELECT pg_temp.says(format('SELECT casino.place_bet(%s, %s, ''main@200'', seat => 8)', :r, :p));
SELECT casino.place_bet(:r, :p, 'main@200', seat => 1, at => '2101-01-02 12:01');
SELECT casino.close_betting(:r, '2101-01-02 12:02');
CREATE FUNCTION pg_temp.splits(r bigint, p bigint, bet text, hand text) RETURNS SETOF text LANGUAGE sql AS
$$ SELECT pg_temp.says(format('SELECT casino.place_bet(%s, %s, %L, seat => 1%s, at => ''2101-01-02 12:03'')',
                              r, p, bet, hand)) $$;
SELECT pg_temp.splits(:r, :p, 'split@200', '');
SELECT pg_temp.splits(:r, :p, 'split:17@200', '');
SELECT pg_temp.splits(:r, :p, 'split:17-20@200', '');
SELECT pg_temp.splits(:r, :p, 'cut@200', '');
SELECT pg_temp.splits(:r, :p, 'main', '');
SELECT pg_temp.splits(:r, :p, 'red@200', '');
SELECT pg_temp.splits(:r, :p, 'split_pair@200', '');
SELECT pg_temp.splits(:r, :p, 'split_pair@200', ', hand => 1');
SELECT pg_temp.splits(:r, :p, 'split_pair@200', ', hand => 3');
SELECT pg_temp.splits(:r, :p, 'split_pair@200', ', hand => 2');
SELECT pg_temp.says($$SELECT casino.add_game_table('blackjack', 'Box', 50, 5000)$$);
SELECT pg_temp.says($$SELECT casino.add_game_table('poker', 'Box', 50, 5000)$$);
SELECT pg_temp.says($$SELECT casino.add_plan_version('holdem', '2102-01-01', 'a document')$$);
\c :here
DROP DATABASE regression_casino_errors;
