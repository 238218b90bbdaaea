-- Calls sent twice: which are recognised by their key and which by their content, as the guide's table says.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE SCHEMA t;
-- rows of all tables of the extension but the log of refusals
CREATE FUNCTION t.rows() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    one regclass;
    n bigint;
    total bigint := 0;
BEGIN
    FOR one IN SELECT c.oid FROM pg_class c
                WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r'
                  AND c.relname <> 'refusal' LOOP
        EXECUTE format('SELECT count(*) FROM %s', one) INTO n;
        total := total + n;
    END LOOP;
    RETURN total;
END $$;
CREATE FUNCTION t.answer(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE said text;
BEGIN
    EXECUTE format('SELECT string_agg(x::text, %L) FROM (%s) x', '; ', command) INTO said;
    RETURN said;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- the same call twice: one answer, and nothing more is written
CREATE FUNCTION t.once(command text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    first CONSTANT text := t.answer(command);
    written CONSTANT bigint := t.rows();
BEGIN
    RETURN NEXT public.matches(first, '^\(', 'done: ' || command);
    RETURN NEXT public.is(t.answer(command), first, 'the same answer: ' || command);
    RETURN NEXT public.is(t.rows(), written, 'nothing written: ' || command);
END $$;
-- the same call twice: done twice
CREATE FUNCTION t.each(command text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    first CONSTANT text := t.answer(command);
    written CONSTANT bigint := t.rows();
BEGIN
    RETURN NEXT public.matches(first, '^\(', 'done: ' || command);
    RETURN NEXT public.matches(t.answer(command), '^\(', 'again: ' || command);
    RETURN NEXT public.cmp_ok(t.rows(), '>', written, 'done twice: ' || command);
END $$;
-- another call with that key, or of the same thing: refused
CREATE FUNCTION t.other(command text, code text) RETURNS text LANGUAGE sql AS
    $$SELECT public.is(t.answer(command), code, 'refused: ' || command)$$;
-- a request in other words: answered, and nothing is written
CREATE FUNCTION t.again(command text, name text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    written CONSTANT bigint := t.rows();
BEGIN
    RETURN NEXT public.matches(t.answer(command), '^\(', name);
    RETURN NEXT public.is(t.rows(), written, 'nothing written: ' || name);
END $$;

CREATE FUNCTION t.round() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT max(round_id) FROM casino.round';
-- its number: the request again returns the same
CREATE FUNCTION t.withdrawal(request text) RETURNS bigint LANGUAGE sql AS
    $$SELECT casino.request_withdrawal(1, 100, 'cash', request)$$;

-- by the name of the thing
SELECT t.once($$SELECT casino.add_game_table('roulette_synot', 'Vltava', 10, 1000)$$);
SELECT t.once($$SELECT casino.add_game_table('blackjack_synot', 'Tatra', 100, 10000)$$);
SELECT t.once($$SELECT casino.register_player('a')$$);
SELECT t.once($$SELECT casino.register_player('b')$$);
SELECT t.once($$SELECT casino.open_round(1, 'r1')$$);

-- by key
SELECT t.once($$SELECT casino.deposit(1, 5000, 'd1')$$);
SELECT t.other($$SELECT casino.deposit(1, 5001, 'd1')$$, 'KL003');
SELECT t.once($$SELECT * FROM casino.try_deposit(1, 500, 'd2')$$);
SELECT t.once($$SELECT casino.deposit(2, 5000, 'd1')$$);
SELECT t.once($$SELECT * FROM casino.place_many(1, '{1,2}', '{red@10,red@10}', '{b1,b1}')$$);
SELECT t.once($$SELECT * FROM casino.try_place_bets(1, 1, '{red@10}', 'b2')$$);
SELECT t.once($$SELECT casino.place_bet(1, 1, 'red@10', 'b3')$$);
SELECT t.once($$SELECT casino.place_bets(1, 1, '{red@10}', 'b4')$$);
SELECT t.once($$SELECT * FROM casino.place_bets_balance(1, 1, '{red@10}', 'b5')$$);
SELECT t.other($$SELECT casino.place_bet(1, 1, 'red@11', 'b3')$$, 'KL003');
SELECT t.once($$SELECT casino.cancel_bet(1, 1, 'b3')$$);
-- taken back, and sent again: the first answer, and the stake stays back
SELECT t.again($$SELECT casino.place_bet(1, 1, 'red@10', 'b3')$$, 'R12.105: a request that was taken back');
SELECT public.is(array_agg(DISTINCT w.status), '{refunded}', 'and its stake stays back')
  FROM casino.wager w
  JOIN casino.ledger l USING (player_id, entry_no)
 WHERE l.player_id = 1
   AND l.request_id = 'b3';
-- the key of another player is another request
SELECT t.once($$SELECT casino.place_bet(1, 2, 'red@10', 'b3')$$);
-- the content: the bets in their order, the kind of call; not the function, not the time
SELECT t.once($$SELECT casino.place_bets(1, 1, '{red@10,odd@20}', 'c1')$$);
SELECT t.again($$SELECT * FROM casino.try_place_bets(1, 1, '{red@10.00,odd@20}', 'c1')$$,
               'R12.1: by another function');
SELECT t.again($$SELECT * FROM casino.place_many(1, '{1,1}', '{red@10,odd@20}', '{c1,c1}')$$,
               'R12.1: among many');
SELECT t.again($$SELECT casino.place_bets(1, 1, '{red@10,odd@20}', 'c1', at => '2026-06-01 12:00')$$,
               'R12.1: with another time');
SELECT t.other($$SELECT casino.place_bets(1, 1, '{odd@20,red@10}', 'c1')$$, 'KL003');
SELECT t.other($$SELECT casino.place_bets(1, 1, '{red@10}', 'c1')$$, 'KL003');
SELECT t.other($$SELECT casino.place_bets(1, 1, '{red@10,odd@20}', 'c1', seat => 1)$$, 'KL003');
SELECT t.other($$SELECT casino.deposit(1, 30, 'c1')$$, 'KL003');
SELECT t.once($$SELECT casino.count_other_play(1, 'slots', 10, 5, 'o1')$$);
SELECT t.once($$SELECT casino.request_withdrawal(1, 100, 'cash', 'w1')$$);
SELECT t.once($$SELECT * FROM casino.try_request_withdrawal(1, 100, 'cash', 'w2')$$);
SELECT t.once($$SELECT casino.adjust(1, 10, 'gift', 'a1')$$);

-- by content: a round's end, payments
SELECT t.once($$SELECT casino.close_betting(1)$$);
-- after the close: what never came is used up, what lies there plays on
SELECT t.once($$SELECT casino.cancel_bet(1, 1, 'never')$$);
SELECT t.other($$SELECT casino.place_bet(1, 1, 'red@10', 'never')$$, 'KL003');
SELECT t.other($$SELECT casino.cancel_bet(1, 1, 'b4')$$, 'KB001');
SELECT t.once($$SELECT casino.settle_round(1, '{"number": 17}')$$);
SELECT t.other($$SELECT casino.settle_round(1, '{"number": 18}')$$, 'KR002');
SELECT t.once($$SELECT casino.open_round((SELECT max(table_id) FROM casino.game_table), 'r2')$$);
SELECT t.once($$SELECT casino.place_bet(t.round(), 1, 'main@100', 'm', 1)$$);
SELECT t.other($$SELECT casino.place_bet(t.round(), 1, 'main@100', 'm', 1, 1)$$, 'KL003');
SELECT t.once($$SELECT casino.close_betting(t.round())$$);
SELECT t.once($$SELECT casino.deal(t.round(),
        '{"dealer": "6h", "hands": [{"seat": 1, "cards": "5s 4c"}]}')$$);
SELECT t.once($$SELECT casino.disconnect(t.round(), 1)$$);
SELECT t.once($$SELECT casino.close_actions(t.round())$$);
SELECT t.once($$SELECT casino.void_round(t.round(), 'camera')$$);
SELECT t.once($$SELECT casino.pay_withdrawal(t.withdrawal('w1'))$$);
SELECT t.once($$SELECT casino.cancel_withdrawal(t.withdrawal('w2'))$$);
SELECT t.once($$SELECT casino.set_payment_account(2, 'CZ6508000000192000145399')$$);
SELECT t.once($$SELECT casino.set_limit(2, 'stake', 'day', 4000, '2026-06-01 12:00')$$);
SELECT t.once($$SELECT casino.exclude_player(2, '2031-01-01', 'self', '2026-06-01 12:00')$$);

-- by content, of which the time is a part
SELECT t.each($$SELECT casino.set_limit(2, 'stake', 'day', 3000)$$);
SELECT t.each($$SELECT casino.exclude_player(2, '2032-01-01', 'self')$$);

-- without a key: each time
SELECT t.each($$SELECT casino.deposit(1, 500)$$);
SELECT t.each($$SELECT casino.request_withdrawal(1, 100, 'cash')$$);
SELECT t.each($$SELECT casino.adjust(1, 10, 'gift')$$);
SELECT t.each($$SELECT casino.count_other_play(1, 'slots', 10, 5)$$);
SELECT finish();
