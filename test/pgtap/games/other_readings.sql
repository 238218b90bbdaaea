-- Readings that could be decided otherwise (doc/readings.md, chapter 14): what a plan version or a table can
-- take of them, it takes; both sides of each.
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
\ir ../helpers/approve.psql
CREATE SCHEMA t;
CREATE FUNCTION t.does(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
-- version 2 of a game, from 2099 on, with one row changed
CREATE FUNCTION t.version(game text, part text, content jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan bigint := casino.add_plan_version(game, '2099-01-01', 'other readings');
    problems text;
BEGIN
    IF NOT casino.change_plan_version(plan, part, content) THEN
        RETURN 'nothing changed';
    END IF;
    SELECT string_agg(c.problem, ', ') INTO problems FROM casino.check_plan(plan) c;
    RETURN coalesce(problems, 'whole');
END $$;
SELECT is(t.version(game, part, content), 'whole', format('%s: %s %s', game, part, content))
  FROM (VALUES ('blackjack_classic', 'plan_rule', '{"rule": "dealer_16", "value": "draw"}'::jsonb),
               ('blackjack_house', 'plan_rule', '{"rule": "box_limit", "value": "each"}'),
               ('blackjack_czech_casinos', 'plan_rule', '{"rule": "box_limit", "value": "each"}'),
               ('roulette_american', 'bet_rule', '{"kind": "split", "zero_offered": true}'))
       v (game, part, content);
SELECT pg_temp.approve(p.plan_id) FROM casino.game_plan p WHERE p.document = 'other readings' \g /dev/null
CREATE FUNCTION t.quoted(game text, bet text, outcome jsonb, at timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT q.payout FROM casino.quote(game, ARRAY[bet]::casino.bet[], outcome, at) q);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;

-- ---------------------------------------------------------------- R3.1: the dealer's 16
-- 18 against a dealer's 16: the dealer stood, or drew a five to 21
SELECT is(t.quoted('blackjack_classic', 'main@100', document::jsonb, at::timestamptz), want,
          format('R3.1: %s at %s', document, at))
  FROM (VALUES ('{"dealer": "Th 6s", "hands": [{"cards": "Td 8c"}]}', '2098-12-31', '200.00'),
               ('{"dealer": "Th 6s 5d", "hands": [{"cards": "Td 8c"}]}', '2098-12-31',
                '0.00'),
               ('{"dealer": "Th 6s", "hands": [{"cards": "Td 8c"}]}', '2099-01-01', 'KR001'),
               ('{"dealer": "Th 6s 5d", "hands": [{"cards": "Td 8c"}]}', '2099-01-01',
                '0.00')) v (document, at, want);

-- ---------------------------------------------------------------- R4.3: a split with zero
SELECT is(t.quoted('roulette_american', bet, '{"number": 0}', at::timestamptz), want,
          format('R4.3: %s at %s', bet, at))
  FROM (VALUES ('split:0-1@100', '2098-12-31', 'KB004'), ('split:0-1@100', '2099-01-01', '1800.00'),
               ('split:0-2@100', '2099-01-01', '1800.00'), ('split:0-3@100', '2099-01-01', '1800.00'),
               ('split:1-2@100', '2099-01-01', '0.00'))
       v (bet, at, want);
-- R4.9: zero loses all outside bets
SELECT is(t.quoted('roulette_american', bet, '{"number": 0}', '2098-12-31'), '0.00',
          'R4.9: ' || bet || ' on 0')
  FROM unnest('{even@100,odd@100,red@100,black@100,low@100,high@100,dozen:1@100,column:1@100}'::text[]) bet;

-- ---------------------------------------------------------------- R3.40, R3.35: the maximum of a box
SELECT casino.add_game_table('blackjack_house', 'H', 10, 1000, '{"seats": 3}') AS house,
       casino.add_game_table('blackjack_czech_casinos', 'C', 10, 1000, '{"seats": 3}') AS czech,
       casino.register_player('ann') AS ann, casino.register_player('bob') AS bob \gset
SELECT casino.deposit(p, 100000, at => '2098-01-01') FROM unnest(ARRAY[:ann, :bob]) p \g /dev/null
CREATE FUNCTION t.boxes(tab bigint, ann bigint, bob bigint, at timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(tab, at::text, at);
    answer text;
BEGIN
    PERFORM casino.place_bet(r, bob, 'main@600', seat => 1, at => at);
    SELECT string_agg(t.does(format('SELECT casino.place_bet(%s, %s, ''main@%s'', seat => 1, at => %L)', r,
                                    ann, v.stake, at)), ' ' ORDER BY v.n) INTO answer
      FROM (VALUES (1, 400), (2, 0.01), (3, 599.99), (4, 0.01)) v (n, stake);
    PERFORM casino.void_round(r, 'test', at + interval '1 minute');
    RETURN answer;
END $$;
SELECT is(t.boxes(tab, :ann, :bob, at), want, format('R3.40: %s', at))
  FROM (VALUES (:house, '2098-12-30'::timestamptz, 'ok KB002 KB002 KB002'),
               (:czech, '2098-12-31', 'ok KB002 KB002 KB002')) v (tab, at, want);
SELECT is(t.boxes(tab, :ann, :bob, '2099-01-02'::timestamptz + tab * interval '1 day'), 'ok ok ok KB002',
          'R3.40: each the maximum, from 2099 on')
  FROM unnest(ARRAY[:house, :czech]) tab;

-- ---------------------------------------------------------------- R6.25: no bound but all-in
SELECT casino.add_game_table('holdem_cash_25_50', 'bounded', 50, 10000) AS bounded,
       casino.add_game_table('holdem_cash_25_50', 'free', 50, 1000000000) AS free \gset
SELECT casino.open_round(:bounded, 'a', '2099-02-01') AS a,
       casino.open_round(:free, 'b', '2099-02-01') AS b \gset
SELECT casino.register_player('cyd') AS cyd \gset
SELECT casino.deposit(:cyd, 250000, at => '2099-01-31') \g /dev/null
SELECT is(t.does(format('SELECT casino.place_bet(%s, %s, ''pot@%s'', seat => 1, at => ''2099-02-01 00:01'')',
                        round, :cyd, amount)), want, format('R6.25: all in with %s', amount))
  FROM (VALUES (:a, 10000.01, 'KB002'), (:b, 250000, 'ok')) v (round, amount, want);
SELECT is((SELECT balance FROM casino.player WHERE player_id = :cyd), 0.00, 'R6.25: all the chips');
SELECT * FROM finish();
