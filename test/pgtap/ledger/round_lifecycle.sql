-- The life of a round: open, place, cancel, disconnect, close, settle, void, withhold, pay; every request
-- twice.
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();

CREATE TABLE named (name text PRIMARY KEY, id bigint NOT NULL);
CREATE FUNCTION id(text) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT id FROM public.named WHERE name = $1';
CREATE FUNCTION balance(text) RETURNS numeric LANGUAGE sql AS
    'SELECT balance FROM casino.player WHERE player_id = public.id($1)';
CREATE FUNCTION refused(statement text, state text, what text) RETURNS text LANGUAGE sql AS
    $$SELECT public.throws_ok($1, $2::char(5), NULL, $2 || ': ' || regexp_replace($3, '\s+', ' ', 'g'))$$;
CREATE FUNCTION players(text[], numeric DEFAULT 10000) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    who text;
BEGIN
    FOREACH who IN ARRAY $1 LOOP
        INSERT INTO named VALUES (who, casino.register_player(who));
        PERFORM casino.deposit(id(who), $2, at => '2030-01-01');
    END LOOP;
END $$;
-- a table of its own for every round, limits 100 to 5000; no live game, in which a player sits at one table
-- only
CREATE FUNCTION wheel(round text, at timestamptz DEFAULT '2030-01-01 12:00') RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.named VALUES ('table of ' || $1,
                                     casino.add_game_table('roulette_american', $1, 100, 5000));
    INSERT INTO public.named VALUES ($1, casino.open_round(public.id('table of ' || $1), $1, $2)) $$;
CREATE FUNCTION status(text)
RETURNS text
LANGUAGE sql AS 'SELECT status FROM casino.round WHERE round_id = public.id($1)';
SELECT lives_ok($$SELECT players(ARRAY['ann', 'bob', 'cyd', 'dee', 'eve'])$$, 'players');

-- ------------------------------------------------------------------------------------------------ open
SELECT lives_ok($$SELECT wheel('r1')$$, 'a round is opened');
SELECT is(casino.open_round(id('table of r1'), 'r1', '2030-01-01 12:00'), id('r1'),
          'opened again: the same number') FROM generate_series(1, 2);
SELECT is(casino.open_round(id('table of r1'), 'r1', '2030-01-01 11:00'), id('r1'), 'whatever its time');
SELECT refused($$SELECT casino.open_round(id('table of r1'), 'r2', '2030-01-01 12:00')$$, 'KR002',
               'a second unevaluated round of the table');
SELECT refused($$SELECT casino.open_round(-1, 'r1')$$, '23503', 'an unknown table');
SELECT refused($$SELECT casino.open_round(casino.add_game_table('blackjack_synot', 'bj', 100, 1000), 'r1')$$,
               '0A000', 'a game that is not built')
 WHERE NOT casino_internal.family_is_built('blackjack');
SELECT results_eq($$SELECT status, betting_closed_at, evaluated_at, outcome, staked, plan_id FROM casino.round
                  WHERE round_id = id('r1')$$,
                  $$SELECT 'open', NULL::timestamptz, NULL::timestamptz, NULL::jsonb, NULL::numeric,
                      casino.plan_in_force('roulette_american', '2030-01-01')$$,
                  'an open round knows its plan and nothing else');

-- ------------------------------------------------------------------------------------------------ place
SELECT is(casino.place_bet(id('r1'), id('ann'), 'red@100', 'k1', at => '2030-01-01 12:00'), 2::bigint,
          'a stake and its retries') FROM generate_series(1, 3);
SELECT is(casino.place_bet(id('r1'), id('ann'), 'red@100.00', 'k1', at => '2030-01-01 12:05'), 2::bigint,
          'a retry at another time, written otherwise');
SELECT is(casino.place_bets(id('r1'), id('ann'), '{red@100}', 'k1', at => '2030-01-01 12:05'),
          ARRAY[2::bigint], 'a retry through place_bets()');
SELECT is(casino.place_bets(id('r1'), id('ann'), '{split:17-20@100,"dozen:2@100"}', 'k2',
                            at => '2030-01-01 12:00'), ARRAY[3, 4]::bigint[], 'two stakes and their retries')
  FROM generate_series(1, 2);
SELECT is(casino.place_bets(id('r1'), id('ann'), '{split:20-17@100.0,"dozen:2@100"}', 'k2',
                            at => '2030-01-01 12:00'), ARRAY[3, 4]::bigint[],
                                'the same split written otherwise');
SELECT is(balance('ann'), 9700.00, 'each was taken once');
SELECT refused(s, 'KL003', 'another content: ' || s)
  FROM unnest(ARRAY['SELECT casino.place_bet(id(''r1''), id(''ann''), ''red@100.01'', ''k1'')',
                    'SELECT casino.place_bet(id(''r1''), id(''ann''), ''black@100'', ''k1'')',
                    'SELECT casino.place_bets(id(''r1''), id(''ann''), ''{red@100,red@100}'', ''k1'')',
                    'SELECT casino.place_bets(id(''r1''), id(''ann''), ''{dozen:2@100,split:17-20@100}'',
                                              ''k2'')',
                    'SELECT casino.place_bets(id(''r1''), id(''ann''), ''{split:17-20@100}'', ''k2'')',
                        'SELECT casino.place_bet(id(''r1''), id(''ann''), ''split:17-20@100'', ''k2'')',
                    'SELECT casino.place_bet(id(''r1''), id(''ann''), ''red@100'', ''k1'', seat => 1)',
                        'SELECT casino.place_bet(id(''r1''), id(''ann''), ''red@100'', ''k1'', hand => 1)',
                    'SELECT casino.place_bet(id(''r1'') + 100, id(''ann''), ''red@100'', ''k1'')',
                        'SELECT casino.place_bet(-1, id(''ann''), ''red@100'', ''k1'')',
                    'SELECT casino.deposit(id(''ann''), 100, ''k1'')',
                        'SELECT casino.adjust(id(''ann''), -100, ''r'', ''k1'')']) s;
SELECT lives_ok($$SELECT casino.deposit(id('ann'), 100, 'd1', '2030-01-01 12:00')$$, 'a deposit');
SELECT refused(s, 'KL003', 'a deposit''s key: ' || s)
  FROM unnest(ARRAY['SELECT casino.place_bet(id(''r1''), id(''ann''), ''red@100'', ''d1'')',
                    'SELECT casino.place_bets(id(''r1''), id(''ann''), ''{red@100}'', ''d1'')',
                    'SELECT casino.cancel_bet(id(''r1''), id(''ann''), ''d1'')',
                        'SELECT casino.deposit(id(''ann''), 99.99, ''d1'')']) s;
SELECT is(casino.place_bet(id('r1'), id('bob'), 'black@500', 'k1', at => '2030-01-01 12:00'), 2::bigint,
          'the same key of another player is another request');
SELECT is(casino.place_bet(id('r1'), id('bob'), 'black@500', 'k1', at => '2030-01-01 12:00'), 2::bigint,
          'with its own answer');
SELECT is(casino.place_bet(id('r1'), id('cyd'), 'even@100', at => '2030-01-01 12:00'), n + 1,
          'without a key every call is a stake') FROM generate_series(1::bigint, 2) n;
SELECT refused($$SELECT casino.place_bets(id('r1'), id('cyd'), '{odd@100,straight:5@5000.01}', 'all',
                                          at => '2030-01-01 12:00')$$, 'KB002', 'one of two too large');
SELECT refused($$SELECT casino.place_bets(id('r1'), id('cyd'), '{odd@100,player@100}', 'all',
                                          at => '2030-01-01 12:00')$$, 'KB004', 'one of two not offered');
SELECT is((SELECT count(*) FROM casino.ledger WHERE player_id = id('cyd') AND kind = 'stake'), 2::bigint,
          'none of them is placed');
SELECT is(casino.place_bets(id('r1'), id('cyd'), '{odd@100}', 'all', at => '2030-01-01 12:00'),
          ARRAY[4::bigint], 'and the key of a refused request is free');
-- judged together: two chips make the minimum of a position, and its maximum
SELECT refused($$SELECT casino.place_bet(id('r1'), id('cyd'), 'low@99.99', at => '2030-01-01 12:00')$$,
               'KB002', 'a haléř below the minimum');
SELECT refused($$SELECT casino.place_bets(id('r1'), id('cyd'), '{low@50,low@49.99}',
                                          at => '2030-01-01 12:00')$$, 'KB002',
                                              'two chips a haléř below the minimum');
SELECT lives_ok($$SELECT casino.place_bets(id('r1'), id('cyd'), '{low@50,low@50}',
                                           at => '2030-01-01 12:00')$$, 'two chips that make the minimum');
SELECT lives_ok($$SELECT casino.place_bet(id('r1'), id('cyd'), 'low@0.01', at => '2030-01-01 12:00')$$,
                'a chip more on what lies there');
SELECT refused($$SELECT casino.place_bets(id('r1'), id('cyd'), '{straight:9@2500,straight:9@2500.01}',
                                          at => '2030-01-01 12:00')$$, 'KB002',
                                              'two chips a haléř above the maximum');
SELECT lives_ok($$SELECT casino.place_bets(id('r1'), id('cyd'), '{straight:9@2500,straight:9@2500}',
                                           at => '2030-01-01 12:00')$$, 'two chips that make the maximum');
SELECT refused($$SELECT casino.place_bet(id('r1'), id('cyd'), 'straight:9@0.01', at => '2030-01-01 12:00')$$,
               'KB002', 'a chip more on that');
SELECT lives_ok($$SELECT casino.place_bet(id('r1'), id('cyd'), 'straight:10@100', at => '2030-01-01 12:00')$$,
                'another number is another position');

-- ------------------------------------------------------------------------------------------------ cancel
SELECT lives_ok($$SELECT wheel('r2')$$, 'a round for cancellations');
SELECT lives_ok($$SELECT casino.place_bets(id('r2'), id('dee'), '{red@100,odd@100}', 'c1',
                                           at => '2030-01-01 12:00')$$, 'a request of two');
SELECT is(casino.cancel_bet(id('r2'), id('dee'), 'c1', '2030-01-01 12:01'), ARRAY[4, 5]::bigint[],
          'cancelled, and its retries') FROM generate_series(1, 3);
SELECT is(balance('dee'), 10000.00, 'both are returned once');
SELECT results_eq($$SELECT kind, amount, round_id, stake_entry_no, reason, posted_at FROM casino.ledger
                  WHERE player_id = id('dee') AND entry_no > 3 ORDER BY entry_no$$,
                  $$SELECT 'refund', 100.00, id('r2'), n, 'cancelled', '2030-01-01 12:01'::timestamptz
                      FROM generate_series(2::bigint, 3) n$$, 'as refunds with their reason');
SELECT is(casino.place_bets(id('r2'), id('dee'), '{red@100,odd@100}', 'c1', at => '2030-01-01 12:02'),
          ARRAY[2, 3]::bigint[], 'placing it again answers as before') FROM generate_series(1, 2);
SELECT is(balance('dee'), 10000.00, 'and places nothing');
SELECT refused($$SELECT casino.cancel_bet(id('r1'), id('dee'), 'c1')$$, 'KL003',
               'its cancellation in another round');
SELECT refused($$SELECT casino.cancel_bet(id('r2'), id('ann'), 'k1')$$, 'KL003',
               'the cancellation of a stake in another round');
-- a cancellation that comes first
SELECT is(casino.cancel_bet(id('r2'), id('dee'), 'late', '2030-01-01 12:02'), '{}',
          'a cancellation of what has not come, and its retries') FROM generate_series(1, 2);
SELECT refused(s, 'KL003', 'what comes after it: ' || s)
  FROM unnest(ARRAY['SELECT casino.place_bet(id(''r2''), id(''dee''), ''red@100'', ''late'')',
                    'SELECT casino.place_bets(id(''r2''), id(''dee''), ''{red@100}'', ''late'')',
                    'SELECT casino.place_bet(id(''r1''), id(''dee''), ''red@100'', ''late'')',
                    'SELECT casino.deposit(id(''dee''), 1, ''late'')',
                        'SELECT casino.cancel_bet(id(''r1''), id(''dee''), ''late'')']) s,
                            generate_series(1, 2);
SELECT lives_ok($$SELECT casino.place_bet(id('r2'), id('eve'), 'red@100', 'late', at => '2030-01-01 12:02')$$,
                'of another player it is free');
SELECT is(casino.cancel_bet(id('r2'), id('dee'), 'late', '2030-01-01 12:02'), '{}', 'cancelled once more');
-- what cannot stand without it goes along (R11.3)
SELECT lives_ok($$SELECT casino.place_bet(id('r2'), id('dee'), 'red@100', 'first',
                                          at => '2030-01-01 12:02')$$, 'a stake at the minimum');
SELECT lives_ok($$SELECT casino.place_bets(id('r2'), id('dee'), '{red@60,black@100}', 'second',
                                           at => '2030-01-01 12:02')$$, 'more on it, and another');
SELECT lives_ok($$SELECT casino.place_bet(id('r2'), id('dee'), 'red@39.99', 'third',
                                          at => '2030-01-01 12:02')$$, 'and more');
SELECT is(array_length(casino.cancel_bet(id('r2'), id('dee'), 'first', '2030-01-01 12:03'), 1), 1,
          'the first is cancelled');
SELECT results_eq($$SELECT request_id, bet::text, status FROM casino.wager
                  WHERE player_id = id('dee') AND round_id = id('r2')
                      AND request_id ~ '^(first|second|third)$' ORDER BY entry_no$$,
                  $$VALUES ('first', 'red@100.00', 'refunded'), ('second', 'red@60.00', 'refunded'),
                      ('second', 'black@100.00', 'open'), ('third', 'red@39.99', 'refunded')$$,
                  'chips a haléř below the minimum go along, the other position stays');
SELECT is(balance('dee'), 9900.00, 'and are returned');
SELECT is(array_length(casino.cancel_bet(id('r2'), id('dee'), 'second', '2030-01-01 12:03'), 1), 2,
          'then the second: what is left of it is returned too') FROM generate_series(1, 2);
SELECT is(balance('dee'), 10000.00, 'all is returned');
SELECT is(array_length(casino.cancel_bet(id('r2'), id('dee'), 'third', '2030-01-01 12:03'), 1), 1,
          'the third has its answer though nothing was left');
SELECT lives_ok($$SELECT casino.place_bet(id('r2'), id('dee'), 'red@100', 'p1', at => '2030-01-01 12:03'),
                casino.place_bet(id('r2'), id('dee'), 'red@100', 'p2', at => '2030-01-01 12:03')$$,
                    'two stakes, each at the minimum');
SELECT is(array_length(casino.cancel_bet(id('r2'), id('dee'), 'p1', '2030-01-01 12:03'), 1), 1,
          'one is cancelled');
SELECT is(balance('dee'), 9900.00, 'the other one stands');

-- ------------------------------------------------------------------------------------------------ disconnect
SELECT lives_ok($$SELECT casino.place_bets(id('r2'), id('eve'), '{even@100,odd@100}', 'e2',
                                           at => '2030-01-01 12:03')$$, 'eve has three stakes');
SELECT is(array_length(casino.disconnect(id('r2'), id('eve'), '2030-01-01 12:04'), 1), 3,
          'disconnected: three are returned');
SELECT is(casino.disconnect(id('r2'), id('eve'), '2030-01-01 12:04'), '{}', 'once more: nothing is left');
SELECT is(balance('eve'), 10000.00, 'all is back');
SELECT is((SELECT array_agg(DISTINCT reason) FROM casino.ledger
           WHERE player_id = id('eve') AND kind = 'refund'), '{disconnected}', 'with the reason');
SELECT is(array_length(casino.cancel_bet(id('r2'), id('eve'), 'e2', '2030-01-01 12:04'), 1), 2,
          'a cancellation that comes after it has its answer');
SELECT lives_ok($$SELECT casino.place_bet(id('r2'), id('eve'), 'low@100', 'e3', at => '2030-01-01 12:04')$$,
                'back again with a stake');
SELECT is(casino.disconnect(id('r2'), id('bob'), '2030-01-01 12:04'), '{}',
          'who has nothing there loses nothing');

-- ------------------------------------------------------------------------------------------------ close
SELECT lives_ok($$SELECT casino.close_betting(id('r2'), '2030-01-01 12:05')$$, 'closed, and again')
  FROM generate_series(1, 2);
SELECT lives_ok($$SELECT casino.close_betting(id('r2'), '2030-01-01 12:06')$$, 'closed again later');
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = id('r2')),
          '2030-01-01 12:05'::timestamptz, 'the first time stays');
SELECT is(casino.disconnect(id('r2'), id('eve'), '2030-01-01 12:06'), '{}',
          'disconnected after the close: the stake stays') FROM generate_series(1, 2);
SELECT is(balance('eve'), 9900.00, 'nothing is returned');
CREATE FUNCTION after_close(round text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    s text;
BEGIN
    FOREACH s IN ARRAY ARRAY['SELECT casino.place_bet(%s, id(''bob''), ''red@100'', at => ''2030-02-01'')',
                             'SELECT casino.place_bets(%s, id(''bob''), ''{red@100,odd@100}'',
                                                       at => ''2030-02-01'')',
                             'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at)
                              VALUES (id(''bob''), ''stake'', %s, ''red@100'', ''2030-02-01'')'] LOOP
        RETURN NEXT refused(format(s, id(round)), 'KB001', status(round) || ': ' || s);
    END LOOP;
END $$;
SELECT * FROM after_close('r2');
SELECT refused($$SELECT casino.cancel_bet(id('r2'), id('eve'), 'e3')$$, 'KB001',
               'a cancellation after the close') FROM generate_series(1, 2);
SELECT is(array_length(casino.cancel_bet(id('r2'), id('eve'), 'e2', '2030-01-01 12:06'), 1), 2,
          'the retry of one before it is answered');
SELECT is(casino.place_bet(id('r2'), id('eve'), 'low@100', 'e3', at => '2030-01-01 12:06') > 0, true,
          'so is the retry of a stake');
SELECT is(casino.cancel_bet(id('r2'), id('eve'), 'never', '2030-01-01 12:06'), '{}',
          'a cancellation of what never came');
SELECT refused($$SELECT casino.open_round(id('table of r2'), 'next', '2030-01-01 12:06')$$, 'KR002',
               'a new round while the closed one is not evaluated');

-- ------------------------------------------------------------------------------------------------ settle
SELECT is(casino.settle_round(id('r2'), '{"number": 1}', '2030-01-01 12:07')::text,
          format('(%s,settled,2,2,200.00,400.00,-200.00,"2030-01-01 12:07:00+01")', id('r2')),
              'settled: dee''s red and eve''s low win');
SELECT is(casino.settle_round(id('r2'), outcome::jsonb, at::timestamptz, withhold)::text,
          format('(%s,settled,2,2,200.00,400.00,-200.00,"2030-01-01 12:07:00+01")', id('r2')),
              'the same again: ' || outcome)
  FROM (VALUES ('{"number": 1}', '2030-01-01 12:07', false), ('{"number": 1}', '2030-01-01 12:07', false),
        ('{"number":1.0}', '2030-01-01 12:09', false),
               ('{ "number" : 1e0 }', '2020-01-01', true)) v (outcome, at, withhold);
SELECT is(balance('eve'), 10100.00, 'is paid once');
SELECT refused(format('SELECT casino.settle_round(id(''r2''), %L)', o), 'KR002', 'another outcome: ' || o)
  FROM unnest(ARRAY['{"number": 2}', '{"number": 0}']) o, generate_series(1, 2);
SELECT refused(format('SELECT casino.settle_round(id(''r2''), %L)', o), 'KR001', 'no outcome: ' || o)
  FROM unnest(ARRAY['{}', '[]', '1', '"1"', 'null', '{"number": 37}', '{"number": -1}', '{"number": 1.5}',
                    '{"number": "1"}', '{"number": null}', '{"number": 1, "x": 1}', '{"number": 1e30}']) o;
SELECT refused($$SELECT casino.void_round(id('r2'), 'x')$$, 'KR002', 'voiding a settled round')
  FROM generate_series(1, 2);
SELECT refused($$SELECT casino.pay_withheld(id('r2'))$$, 'KR002', 'paying what was not withheld')
  FROM generate_series(1, 2);
SELECT lives_ok($$SELECT casino.close_betting(id('r2'), '2030-01-01 12:08')$$,
                'closing is answered after settling');
SELECT * FROM after_close('r2');
SELECT refused($$SELECT casino.cancel_bet(id('r2'), id('eve'), 'e3')$$, 'KB001',
               'a cancellation after settling');
SELECT is(casino.disconnect(id('r2'), id('eve'), '2030-01-01 12:08'), '{}', 'a disconnection after settling');
SELECT is(casino.open_round(id('table of r2'), 'r2', '2030-01-01 12:08'), id('r2'),
          'its reference still names it');
SELECT lives_ok($$INSERT INTO named VALUES ('r2b',
                                            casino.open_round(id('table of r2'), 'r2b',
                                                    '2030-01-01 12:08'))$$, 'and the next round is opened');
SELECT is(casino.settle_round(id('r2b'), '{"number": 0}', '2030-01-01 12:09')::text,
          format('(%s,settled,0,0,0.00,0.00,0.00,"2030-01-01 12:09:00+01")', id('r2b')),
              'a round without stakes') FROM generate_series(1, 2);
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = id('r2b')),
          '2030-01-01 12:09'::timestamptz, 'settling closes what is open');
-- an outcome that is refused changes nothing
SELECT refused($$SELECT casino.settle_round(id('r1'), '{"number": 37}', '2030-01-01 12:09')$$, 'KR001',
               'no number of the wheel');
SELECT is(status('r1'), 'open', 'the round is open as before');
SELECT is((SELECT (s).status || (s).wagers FROM (SELECT casino.settle_round(id('r1'), '{"number": 20}',
        '2030-01-01 12:09') s) x), 'settled13', 'then comes the right one');

-- ------------------------------------------------------------------------------------------------ baccarat
SELECT lives_ok($$INSERT INTO named VALUES ('shoe', casino.add_game_table('baccarat', 'Shoe', 100, 100000))$$,
                'a baccarat table');
SELECT lives_ok($$INSERT INTO named VALUES ('b1', casino.open_round(id('shoe'), 'b1', '2030-01-01 13:00'))$$,
                'and its round');
SELECT lives_ok($$SELECT casino.place_bets(id('b1'), id('bob'),
                                           '{player@100,banker@100.10,tie@100,any_pair@10}',
                                               at => '2030-01-01 13:00')$$, 'bets');
SELECT refused(format('SELECT casino.settle_round(id(''b1''), %L, ''2030-01-01 13:01'')', o), s,
               'an outcome that cannot be: ' || o)
  FROM (VALUES ('{"player": "9h", "banker": "Kc 7s"}', 'KR001'),
        ('{"player": "9h 4d", "banker": "Kc 7s"}', 'KR001'),
               ('{"player": "9h 9d 2c", "banker": "Kc 7s"}', 'KR001'), ('{"player": "9h 9d"}', 'KR001'),
                   ('{"player": "9h Xd", "banker": "Kc 7s"}', '22P02'),
               ('{"player": 9, "banker": "Kc 7s"}', 'KR001'), ('{"number": 7}', 'KR001')) v (o, s);
SELECT is(casino.settle_round(id('b1'), o::jsonb, '2030-01-01 13:01')::text,
          format('(%s,settled,4,1,310.10,195.20,114.90,"2030-01-01 13:01:00+01")', id('b1')),
              'banker wins on 9 against 8: ' || o)
  FROM unnest(ARRAY['{"player": "8h Kd", "banker": "9c Ts"}', '{"banker": "9c 10s", "player": "8hKd"}',
                    '{ "player":"8♥ K♦","banker":"9♣ T♠" }']) o;
SELECT refused(format('SELECT casino.settle_round(id(''b1''), %L)', o), 'KR002',
               'the same points of other cards: ' || o)
  FROM unnest(ARRAY['{"player": "8d Kd", "banker": "9c Ts"}', '{"player": "Kd 8h", "banker": "9c Ts"}',
                    '{"player": "9c Ts", "banker": "8h Kd"}']) o;
SELECT is((SELECT string_agg(kind || ' ' || status || ' ' || payout, ', ' ORDER BY entry_no) FROM casino.wager
           WHERE round_id = id('b1')),
          'player lost 0.00, banker won 195.20, tie lost 0.00, any_pair lost 0.00',
              '0.95:1 of 100.10 is 95.095, rounded half up to 95.10');

-- ------------------------------------------------------------------------------------------------ void
SELECT lives_ok($$SELECT wheel('v1'), wheel('v2'), wheel('v3')$$, 'rounds to be voided');
SELECT lives_ok($$SELECT casino.place_bets(id(r), id('ann'), '{red@100,odd@200}', r, at => '2030-01-01 13:00')
                FROM unnest(ARRAY['v1', 'v2']) r$$, 'with stakes');
SELECT lives_ok($$SELECT casino.place_bet(id('v1'), id('bob'), 'odd@300', 'v1', at => '2030-01-01 13:01')$$,
                'of two players');
SELECT lives_ok($$SELECT casino.place_bet(id('v1'), id('bob'), 'even@300', 'v1b', at => '2030-01-01 13:01'),
                casino.cancel_bet(id('v1'), id('bob'), 'v1b', '2030-01-01 13:01')$$, 'and a cancelled one');
SELECT refused(format('SELECT casino.void_round(id(''v1''), %L)', r), '22023', 'no reason')
  FROM unnest(ARRAY['', ' ', E'\t\n']) r;
SELECT is(casino.void_round(id('v1'), 'wheel defect', '2030-01-01 13:02')::text,
          format('(%s,voided,3,2,600.00,600.00,0.00,"2030-01-01 13:02:00+01")', id('v1')),
              'voided while open, and its retries') FROM generate_series(1, 3);
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = id('v1')), NULL,
          'its betting was never closed');
SELECT is((SELECT array_agg(DISTINCT reason ORDER BY reason) FROM casino.ledger
           WHERE round_id = id('v1') AND kind = 'refund'), '{cancelled,voided}',
               'the refunds say what returned them; why it was voided stands in the round');
SELECT is((SELECT array_agg(DISTINCT status) FROM casino.wager WHERE round_id = id('v1')), '{refunded}',
          'all wagers are returned');
SELECT refused($$SELECT casino.void_round(id('v1'), 'another')$$, 'KR002', 'voided for another reason')
  FROM generate_series(1, 2);
SELECT refused($$SELECT casino.settle_round(id('v1'), '{"number": 1}')$$, 'KR002', 'settling a voided round')
  FROM generate_series(1, 2);
SELECT refused($$SELECT casino.pay_withheld(id('v1'))$$, 'KR002', 'paying a voided round');
SELECT refused($$SELECT casino.close_betting(id('v1'))$$, 'KR002', 'closing a round voided before');
SELECT * FROM after_close('v1');
SELECT is(casino.cancel_bet(id('v1'), id('bob'), 'v1b', '2030-01-01 13:03') IS NOT NULL, true,
          'the retry of a cancellation is answered');
SELECT lives_ok($$SELECT casino.close_betting(id('v2'), '2030-01-01 13:02')$$, 'another one is closed');
SELECT is((casino.void_round(id('v2'), 'dealer error', '2030-01-01 13:03')).paid, 300.00,
          'and voided then, and its retry') FROM generate_series(1, 2);
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = id('v2')),
          '2030-01-01 13:02'::timestamptz, 'when it was closed is kept');
SELECT lives_ok($$SELECT casino.close_betting(id('v2'), '2030-01-01 13:05')$$, 'closing it is a retry');
SELECT is((casino.void_round(id('v3'), 'nobody came', '2030-01-01 13:03')).wagers, 0::bigint,
          'a round without stakes is voided');
SELECT refused($$UPDATE casino.round SET status = 'settled'
               WHERE round_id = id('v1')$$, 'KR002', 'an evaluated round changed by hand');
SELECT refused($$DELETE FROM casino.round WHERE round_id = id('v3')$$, 'KR002', 'a round deleted');

-- ------------------------------------------------------------------------------------------ withhold and pay
SELECT lives_ok($$SELECT wheel('w1'), wheel('w2')$$, 'rounds to be withheld');
SELECT lives_ok($$SELECT casino.place_bets(id('w1'), id('cyd'), '{red@100,black@100,straight:1@100}',
                                           at => '2030-01-01 14:00')$$, 'stakes');
CREATE TABLE cyd_before AS SELECT balance('cyd') AS balance;
SELECT refused($$SELECT casino.pay_withheld(id('w1'))$$, 'KR002', 'paying an open round');
SELECT is(casino.settle_round(id('w1'), '{"number": 1}', '2030-01-01 14:01', true)::text,
          format('(%s,withheld,3,1,300.00,3800.00,-3500.00,"2030-01-01 14:01:00+01")', id('w1')),
              'withheld, and its retries') FROM generate_series(1, 2);
SELECT is((casino.settle_round(id('w1'), '{"number": 1}', '2030-01-01 14:01')).status, 'withheld',
          'a retry that forgets withhold stays withheld');
SELECT refused($$SELECT casino.settle_round(id('w1'), '{"number": 2}', withhold => true)$$, 'KR002',
               'another outcome');
SELECT is(balance('cyd'), (SELECT balance FROM cyd_before), 'nothing is paid');
SELECT results_eq($$SELECT kind, status, grade, payout, paid_entry_no FROM casino.wager
                  WHERE round_id = id('w1') ORDER BY entry_no$$,
                  $$VALUES ('red', 'withheld', 'win', 200.00, NULL::bigint),
                      ('black', 'lost', 'lose', 0.00, NULL), ('straight', 'withheld', 'win', 3600.00, NULL)$$,
                          'the wagers say so');
SELECT results_eq($$SELECT bet::text, payout, due_at, overdue FROM casino.unpaid_winnings
                  WHERE round_id = id('w1') ORDER BY entry_no$$,
                  $$VALUES ('red@100.00', 200.00, '2030-02-01 00:00+01'::timestamptz, false),
                      ('straight:1@100.00', 3600.00, '2030-02-01 00:00+01', false)$$,
                  'the unpaid winnings are due by the end of the 30th day');
SELECT lives_ok($$SELECT casino.open_round(id('table of w1'), 'next', '2030-01-01 14:02')$$,
                'the table plays on');
SELECT is((casino.pay_withheld(id('w1'), '2030-01-02')).status, 'settled', 'paid, and its retries')
  FROM generate_series(1, 3);
SELECT is(balance('cyd'), (SELECT balance + 3800 FROM cyd_before), 'once');
SELECT is_empty($$SELECT * FROM casino.unpaid_winnings$$, 'nothing is unpaid');
SELECT is((casino.settle_round(id('w1'), '{"number": 1}', '2030-01-01 14:01', true)).status, 'settled',
          'a retry of the settlement sees it paid');
SELECT is((SELECT array_agg(status ORDER BY entry_no) FROM casino.wager WHERE round_id = id('w1')),
          '{won,lost,won}', 'the wagers are won and lost');
-- rounds without winners can be withheld too
SELECT is((casino.settle_round(id('w2'), '{"number": 1}', '2030-01-01 14:01', true)).paid, 0.00,
          'nothing to pay');
SELECT is((casino.pay_withheld(id('w2'), '2030-01-02')).status, 'settled', 'is paid all the same');

-- due dates around the nights when clocks change in Prague (2030: March 31st and October 27th)
SELECT is(casino.payment_due_at(since::timestamptz, 30), due::timestamptz,
          'evaluated ' || since || ' means too late from ' || due)
  FROM (VALUES ('2030-03-01 00:00+01', '2030-04-01 00:00+02'),
        ('2030-03-01 23:59:59.999999+01', '2030-04-01 00:00+02'),
            ('2030-03-02 00:00+01', '2030-04-02 00:00+02'),
               ('2030-02-28 23:59:59.999999+01', '2030-03-31 00:00+01'),
                   ('2030-03-31 01:59:59+01', '2030-05-01 00:00+02'),
                       ('2030-03-31 03:00+02', '2030-05-01 00:00+02'),
               ('2030-03-30 22:59:59.999999Z', '2030-04-30 00:00+02'),
                   ('2030-03-30 23:00Z', '2030-05-01 00:00+02'),
               ('2030-03-31 21:59:59.999999Z', '2030-05-01 00:00+02'),
                   ('2030-03-31 22:00Z', '2030-05-02 00:00+02'),
               ('2030-10-27 02:30+02', '2030-11-27 00:00+01'), ('2030-10-27 02:30+01', '2030-11-27 00:00+01'),
                   ('2030-10-26 22:00Z', '2030-11-27 00:00+01'),
               ('2030-10-27 22:59:59.999999Z', '2030-11-27 00:00+01'),
                   ('2030-10-27 23:00Z', '2030-11-28 00:00+01'),
               ('2030-09-26 12:00+02', '2030-10-27 00:00+02'), ('2030-09-27 12:00+02', '2030-10-28 00:00+01'),
               ('2028-01-30 12:00+01', '2028-03-01 00:00+01'),
                   ('2030-12-31 23:59:59+01', '2031-01-31 00:00+01')) v (since, due);
SELECT is(casino.payment_due_at('2030-03-30 23:30Z', 30), '2030-05-01 00:00+02'::timestamptz,
          'whatever the session''s time zone: ' || zone)
  FROM unnest(ARRAY['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) zone
      WHERE set_config('timezone', zone, false) IS NOT NULL;
SET timezone = 'Europe/Prague';
CREATE FUNCTION withheld_at(ref text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM wheel(ref, at - interval '1 min');
    PERFORM casino.place_bet(id(ref), id('w-player'), 'red@100', at => at - interval '1 min');
    PERFORM casino.settle_round(id(ref), '{"number": 1}', at, true);
END $$;
SELECT lives_ok($$INSERT INTO named VALUES ('w-player', casino.register_player('w'));
                  SELECT casino.deposit(id('w-player'), 1000, at => '2020-01-01');
                  SELECT withheld_at('late', '2020-03-29 00:30+01');
                  SELECT withheld_at('yesterday', date_trunc('day', now()) - interval '30 d 1 min');
                  SELECT withheld_at('today', date_trunc('day', now()) - interval '30 d' + interval '1 h')$$,
                      'winnings withheld long ago, 31 and 30 days ago');
SELECT results_eq($$SELECT round_id, due_at, overdue FROM casino.unpaid_winnings
                  WHERE player_id = id('w-player') ORDER BY 1$$,
                  $$VALUES (id('late'), '2020-04-29 00:00+02'::timestamptz, true),
                      (id('yesterday'), date_trunc('day', now()), true),
                           (id('today'), date_trunc('day', now()) + interval '1 d', false)$$,
                               'overdue are the first two');
SELECT is((casino.pay_withheld(id('late'), clock_timestamp())).status, 'settled',
          'what is overdue is still paid');

-- ---------------------------------------------------------------------------------------------- a random day
-- a hundred rounds against sums of our own, kept beside the ledger by plain arithmetic
CREATE TEMP TABLE seed AS
SELECT coalesce(nullif(current_setting('casino_test.seed', true), ''),
                (extract(epoch FROM clock_timestamp())::bigint % 1000000)::text)::integer AS seed;
SELECT diag('seed of the random day: ' || seed) FROM seed;
SELECT setseed(seed / 1000000.0) IS NOT NULL AS seeded FROM seed \gset
CREATE TEMP TABLE expected (who integer, round integer, entry integer, what text, change numeric, status text,
                            payout numeric);
CREATE FUNCTION random_of(text[])
RETURNS text
LANGUAGE sql VOLATILE AS 'SELECT $1[1 + floor(random() * array_length($1, 1))::int]';
-- profit to stake, NULL when lost
CREATE FUNCTION wins(bet text, number integer) RETURNS numeric LANGUAGE sql AS $$
    SELECT CASE split_part(bet, '@', 1)
        WHEN 'red' THEN CASE WHEN number IN (1,3,5,7,9,12,14,16,18,19,21,23,25,27,30,32,34,36) THEN 1 END
        WHEN 'even' THEN CASE WHEN number > 0 AND number % 2 = 0 THEN 1 END
        WHEN 'high' THEN CASE WHEN number > 18 THEN 1 END
        WHEN 'dozen:1' THEN CASE WHEN number BETWEEN 1 AND 12 THEN 2 END
        WHEN 'column:3' THEN CASE WHEN number > 0 AND number % 3 = 0 THEN 2 END
        WHEN 'straight:7' THEN CASE WHEN number = 7 THEN 35 END
        WHEN 'split:17-20' THEN CASE WHEN number IN (17, 20) THEN 17 END
        WHEN 'six_line:1-2-3-4-5-6' THEN CASE WHEN number BETWEEN 1 AND 6 THEN 5 END END $$;
CREATE FUNCTION random_day() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    base CONSTANT timestamptz := '2035-05-05 08:00';
    players bigint[];
    entries integer[] := array_fill(0, ARRAY[12]);
    kinds CONSTANT text[] := '{red,even,high,dozen:1,column:3,straight:7,split:17-20,six_line:1-2-3-4-5-6}';
    tables bigint[];
    rnd bigint;
    at timestamptz;
    bet text;
    amount numeric;
    p integer;
    kind text;
    ended integer;
    number integer;
    i integer;
    key text;
    placed record;
BEGIN
    FOR i IN 1 .. 12 LOOP
        players[i] := casino.register_player('day ' || i);
        amount := 1000000 + round((random() * 1000)::numeric, 2);
        PERFORM casino.deposit(players[i], amount, at => base);
        entries[i] := 1;
        INSERT INTO expected VALUES (i, NULL, 1, 'deposit', amount);
    END LOOP;
    FOR i IN 1 .. 4 LOOP
        tables[i] := casino.add_game_table('roulette_american', 'day ' || i, 1, 5000);
    END LOOP;
    FOR round_no IN 1 .. 100 LOOP
        at := base + round_no * interval '1 min';
        rnd := casino.open_round(tables[1 + round_no % 4], 'day ' || round_no, at);
        INSERT INTO named VALUES ('day ' || round_no, rnd);
        FOR n IN 1 .. floor(random() * 12)::int LOOP
            p := 1 + floor(random() * 12)::int;
            kind := random_of(kinds);
            amount := 1 + round((random() * 100)::numeric, 2);
            bet := kind || '@' || amount;
            key := CASE WHEN random() < 0.5 THEN format('%s/%s', round_no, n) END;
            IF random() < 0.5 THEN
                PERFORM casino.place_bet(rnd, players[p], bet::casino.bet, key, at => at);
            ELSE
                INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, posted_at)
                VALUES (players[p], 'stake', rnd, bet::casino.bet, key, at);
            END IF;
            entries[p] := entries[p] + 1;
            INSERT INTO expected VALUES (p, round_no, entries[p], bet, -amount, 'open');
            IF key IS NOT NULL AND random() < 0.3 THEN
                PERFORM casino.cancel_bet(rnd, players[p], key, at);
                UPDATE expected SET status = 'refunded' WHERE who = p AND entry = entries[p];
                entries[p] := entries[p] + 1;
                INSERT INTO expected VALUES (p, round_no, entries[p], 'refund', amount);
            END IF;
        END LOOP;
        ended := CASE WHEN round_no > 96 THEN 0 WHEN random() < 0.1 THEN 1 WHEN random() < 0.15 THEN 2
            ELSE 3 END;
        number := floor(random() * 37)::int;
        IF ended = 1 THEN
            PERFORM casino.void_round(rnd, 'random', at + interval '30 s');
        ELSIF ended >= 2 THEN
            PERFORM casino.settle_round(rnd, jsonb_build_object('number', number), at + interval '30 s',
                                        ended = 2);
        END IF;
        FOR placed IN SELECT x.* FROM expected x WHERE x.round = round_no AND x.status = 'open'
            ORDER BY x.who, x.entry LOOP
            IF ended = 1 THEN
                amount := -placed.change;
            ELSIF ended = 0 THEN
                amount := NULL;
            ELSE
                amount := round(-placed.change * (1 + wins(placed.what, number)), 2);
            END IF;
            UPDATE expected SET status = CASE WHEN ended = 0 THEN 'open' WHEN ended = 1 THEN 'refunded'
                WHEN amount IS NULL THEN 'lost'
                                              WHEN ended = 2 THEN 'withheld' ELSE 'won' END,
                                payout = CASE WHEN ended >= 2 THEN coalesce(amount, 0) END
             WHERE who = placed.who AND entry = placed.entry;
            IF amount IS NOT NULL AND ended IN (1, 3) THEN
                entries[placed.who] := entries[placed.who] + 1;
                INSERT INTO expected VALUES (placed.who, round_no, entries[placed.who], CASE ended
                                             WHEN 1 THEN 'refund' ELSE 'payout' END, amount);
            END IF;
        END LOOP;
    END LOOP;
END $$;
SELECT lives_ok('SELECT random_day()', 'a random day is played');
CREATE TEMP VIEW day_player AS SELECT substr(external_ref, 5)::int AS who, player_id, balance
    FROM casino.player WHERE external_ref ~ '^day ';
SELECT set_eq($$SELECT d.who, s.entry_no::int, s.change, s.balance FROM casino.statement s
              JOIN day_player d USING (player_id)$$,
              $$SELECT who, entry, change, sum(change) OVER (PARTITION BY who ORDER BY entry)
                  FROM expected$$, 'statement: every entry, change and running balance');
SELECT results_eq($$SELECT who, balance FROM day_player ORDER BY 1$$, $$SELECT who, sum(change) FROM expected
                  GROUP BY 1 ORDER BY 1$$, 'the balances are the sums');
SELECT set_eq($$SELECT d.who, w.entry_no::int, w.bet::text, w.staked, w.status, w.payout, CASE w.status
              WHEN 'refunded' THEN NULL WHEN 'open' THEN NULL WHEN 'lost' THEN 'lose' ELSE 'win' END
                  FROM casino.wager w JOIN day_player d USING (player_id)$$,
              $$SELECT who, entry, what::casino.bet::text, -change, status, payout, CASE status
                  WHEN 'refunded' THEN NULL WHEN 'open' THEN NULL WHEN 'lost' THEN 'lose' ELSE 'win' END
                  FROM expected WHERE status IS NOT NULL$$, 'wager: what became of every stake');
SELECT is_empty($$SELECT w.round_id, w.entry_no FROM casino.wager w JOIN day_player d USING (player_id)
                   WHERE w.grade IS DISTINCT FROM CASE w.status WHEN 'lost' THEN 'lose' WHEN 'won' THEN 'win'
                       WHEN 'withheld' THEN 'win' END$$, 'wager: the grades go with it');
SELECT set_eq($$SELECT d.who, u.entry_no::int, u.payout FROM casino.unpaid_winnings u
              JOIN day_player d USING (player_id)$$,
              $$SELECT who, entry, payout FROM expected
                  WHERE status = 'withheld'$$, 'unpaid_winnings: what is withheld');
SELECT set_eq($$SELECT r.round_ref, r.wagers, r.players, r.staked, r.paid FROM casino.round r
              WHERE r.round_ref ~ '^day ' AND r.wagers > 0$$,
              $$SELECT 'day ' || round, count(*) AS wagers, count(DISTINCT who) AS players,
                  sum(-change) AS staked, sum(coalesce(payout, -change)) AS paid FROM
                  (SELECT * FROM expected x WHERE status IN ('won', 'lost', 'withheld')
                    UNION ALL SELECT s.* FROM expected s
                        WHERE s.status = 'refunded'
                            AND (SELECT status FROM casino.round r
                                 WHERE r.round_ref = 'day ' || s.round) = 'voided'
                       AND NOT EXISTS (SELECT FROM casino.ledger f JOIN day_player d USING (player_id)
                                       WHERE d.who = s.who AND f.stake_entry_no = s.entry
                                           AND f.reason = 'cancelled')) y
                 GROUP BY round$$, 'round: the figures of every settlement');
SELECT set_eq($$SELECT account, debit, credit, balance FROM casino.trial_balance$$,
              $$SELECT a.account, sum(debit) AS debit, sum(credit) AS credit, sum(debit - credit) AS balance
                  FROM casino.ledger l CROSS JOIN LATERAL
                  (VALUES (CASE l.kind WHEN 'deposit' THEN 'cash_and_bank' WHEN 'stake' THEN 'player_wallets'
                           WHEN 'adjustment' THEN 'adjustments' ELSE 'games' END, l.amount, 0.00),
                          (CASE l.kind WHEN 'stake' THEN 'games'
                           ELSE 'player_wallets' END, 0.00, l.amount)) a (account, debit, credit)
                               GROUP BY 1$$,
              'trial_balance: by the accounts of each kind');
SELECT is((SELECT -balance FROM casino.trial_balance WHERE account = 'player_wallets'),
          (SELECT sum(balance) FROM casino.player), 'the wallets are what the players have');
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'and all sums to zero');
SELECT is((SELECT sum(t) FROM (SELECT (casino.settle_round(r.round_id, r.outcome, '2036-01-01')).paid t
                               FROM casino.round r WHERE r.round_ref ~ '^day ' AND outcome IS NOT NULL) x),
          (SELECT sum(paid) FROM casino.round WHERE round_ref ~ '^day ' AND outcome IS NOT NULL),
              'settling all rounds again answers as before');
SELECT results_eq($$SELECT who, balance FROM day_player ORDER BY 1$$, $$SELECT who, sum(change) FROM expected
                  GROUP BY 1 ORDER BY 1$$, 'and pays nothing');
SELECT lives_ok($$SELECT casino.pay_withheld(round_id, '2036-01-01') FROM casino.round
                WHERE round_ref ~ '^day ' AND status = 'withheld'$$, 'what is withheld is paid');
SELECT results_eq($$SELECT who, balance FROM day_player ORDER BY 1$$,
                  $$SELECT who, sum(change) + coalesce(sum(payout) FILTER (WHERE status = 'withheld'), 0)
                      FROM expected GROUP BY 1 ORDER BY 1$$, 'once and exactly');
SELECT * FROM finish();
