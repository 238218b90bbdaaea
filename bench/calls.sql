-- Time of each call of a game server, in ms: at fifty tables, a roulette round of 100 players and a hand of
-- blackjack, each call 200 times in a session; the first round of a session and of a game for themselves.
CREATE EXTENSION casino;
SELECT casino.install() \g /dev/null
SELECT count(casino.add_game_table('roulette_synot', 'wheel ' || n, 10, 1000))
  FROM generate_series(1, 49) n \g /dev/null
SELECT casino.add_game_table('blackjack_synot', 'boxes', 100, 10000) AS boxes \gset
SELECT casino.register_player('p' || n), casino.deposit(n, 900000, 'd') FROM generate_series(1, 102) n
 ORDER BY n \g /dev/null
VACUUM ANALYZE;
CREATE TABLE public.timed (no integer GENERATED ALWAYS AS IDENTITY, name text, ms numeric);
CREATE PROCEDURE public.timed(name text, command text, times integer DEFAULT 200) LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz;
BEGIN
    IF times > 1 THEN
        EXECUTE command;
    END IF;
    began := clock_timestamp();
    FOR n IN 1 .. times LOOP
        EXECUTE command;
    END LOOP;
    INSERT INTO public.timed (name, ms)
    VALUES (timed.name, extract(epoch FROM clock_timestamp() - began) * 1000 / times);
    COMMIT;
END $$;
-- a session before has read the pages
\c
SELECT casino.open_round(49, 'before') AS before \gset
SELECT casino.void_round(:before, 'bench') \g /dev/null
\c
CALL public.timed('open_round, first of a session', 'SELECT casino.open_round(1, ''r'')', 1);
CALL public.timed('open_round, first of a game', format('SELECT casino.open_round(%s, ''b'')', :boxes), 1);
CALL public.timed('open_round, afterwards', 'SELECT casino.open_round(2, ''r'')', 1);
SELECT max(round_id) AS wheel FROM casino.round WHERE table_id = 1 \gset
CALL public.timed('place_many, 100 players',
    'SELECT count(*) FROM casino.place_many(' || :wheel || ', ARRAY (SELECT generate_series(1, 100)),
        array_fill(''red@10''::casino.bet, ARRAY[100]), array_fill(''k''::text, ARRAY[100]))', 1);
CALL public.timed('place_many, 100 repeated',
    'SELECT count(*) FROM casino.place_many(' || :wheel || ', ARRAY (SELECT generate_series(1, 100)),
        array_fill(''red@10''::casino.bet, ARRAY[100]), array_fill(''k''::text, ARRAY[100]))', 20);
SELECT max(round_id) AS other FROM casino.round WHERE table_id = 2 \gset
-- one request: the first time and again
CALL public.timed('try_place_bets', 'SELECT * FROM casino.try_place_bets(' || :other
    || ', 102, ''{red@10}'', gen_random_uuid()::text)');
CALL public.timed('try_place_bets, refused', 'SELECT * FROM casino.try_place_bets(' || :other
    || ', 102, ''{red@1}'', gen_random_uuid()::text)');
CALL public.timed('try_place_bets, repeated', 'SELECT * FROM casino.try_place_bets(' || :other
    || ', 102, ''{red@10}'', ''one'')');
CALL public.timed('cancel_bet', 'SELECT casino.cancel_bet(' || :other || ', 102, gen_random_uuid()::text)');
CALL public.timed('message_for_player', $$SELECT casino.message_for_player('below_minimum',
    '{"kind": "red", "stake": 1, "min": 10}', 'cs')$$);
CALL public.timed('deposit', 'SELECT casino.deposit(100, 1, gen_random_uuid()::text)');
CALL public.timed('request_withdrawal', 'SELECT casino.request_withdrawal(100, 1, ''cash'', '
    'gen_random_uuid()::text)');
CALL public.timed('offer', 'SELECT count(*) FROM casino.offer(1)');
CALL public.timed('offers, 50 tables', 'SELECT count(*) FROM casino.offers()');
CALL public.timed('open_rounds', 'SELECT count(*) FROM casino.open_rounds()');
CALL public.timed('limit_usage', 'SELECT count(*) FROM casino.limit_usage(1, clock_timestamp())');
SELECT max(round_id) AS hand FROM casino.round WHERE table_id = :boxes \gset
SELECT casino.place_bet(:hand, 101, 'main@100', 'm', 1) \g /dev/null
SELECT casino.close_betting(:hand) \g /dev/null
CALL public.timed('deal', format($$SELECT casino.deal(%s,
    '{"dealer": "6h", "hands": [{"seat": 1, "cards": "5s 4c"}]}')$$, :hand), 1);
CALL public.timed('may_play', format('SELECT count(*) FROM casino.may_play(%s, 101)', :hand));
CALL public.timed('round_view', format('SELECT casino.round_view(%s, 101)', :boxes));
CALL public.timed('close_actions', format('SELECT casino.close_actions(%s)', :hand), 1);
CALL public.timed('void_round', format('SELECT casino.void_round(%s, ''bench'')', :hand), 1);
CALL public.timed('close_betting', format('SELECT casino.close_betting(%s)', :wheel), 1);
CALL public.timed('settle_round, 100 wagers',
    format('SELECT casino.settle_round(%s, ''{"number": 17}'')', :wheel), 1);
CALL public.timed('round_result, 100 players',
    format('SELECT count(*) FROM casino.round_result(%s)', :wheel));
\c
CALL public.timed('daily_table, first',
    'SELECT count(*) FROM casino.daily_table(current_date, current_date)', 1);
CALL public.timed('daily_table, afterwards',
    'SELECT count(*) FROM casino.daily_table(current_date, current_date)', 5);
SELECT name, round(ms, 3) AS ms FROM public.timed ORDER BY no;
