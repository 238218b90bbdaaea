-- quote() refuses cards that could not have been dealt and played with its bets (KR001), as far as that can
-- be known without a round, by the same check as settle_round(): R2.8, R11.17.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION pg_temp.says(game text, bets text, dealer text,
                             VARIADIC hands text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    d text;
    answer text;
BEGIN
    SELECT string_agg(q.grade, ' ' ORDER BY q.n) INTO answer
      FROM casino.quote('blackjack_' || game, bets::casino.bet[],
                        jsonb_build_object('dealer', dealer, 'hands',
                        (SELECT jsonb_agg(jsonb_build_object('hand', n, 'cards', split_part(h, ' !', 1))
                                          || CASE WHEN h LIKE '%!s' THEN '{"surrendered": true}'
                                              ELSE '{}' END::jsonb
                                          || CASE WHEN h LIKE '%!e' THEN '{"even_money": true}'
                                              ELSE '{}' END::jsonb ORDER BY n)
                                                  FROM unnest(hands) WITH ORDINALITY u (h, n))))
           WITH ORDINALITY q (bet, grade, profit, payout, n);
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || coalesce(d, '');
END $$;
SELECT ok(pg_temp.says(game, bets, dealer, VARIADIC hands) LIKE 'KR001 %' || naming || '%',
          game || ', ' || what)
  FROM (VALUES ('endless', '{main@10}', 'Td 7c 2h', '{Ts 9d}'::text[], '2h', 'the dealer drew on 17'),
               ('endless', '{main@10}', 'Td 6c', '{Ts 9d}', '', 'the dealer stood on 16'),
               ('endless', '{main@10}', 'Td 9c', '{Ts 9d 5c 2h}', '2h', 'a card after 24'),
               ('czech_casinos', '{main@10}', 'Td 9c', '{Ts 9d 2c Ah}', 'Ah', 'D0: a card on 21'),
               ('free_bet', '{main@10}', 'Td 9c', '{5s 5d}', '', 'D3 §3: standing on 10'),
               ('endless', '{main@10}', 'Td 9c', '{As Kd 5c}', '5c', 'a card on a blackjack'),
               ('endless', '{main@10,double_down@10}', 'Td 9c', '{5s 4d 2c 3h}', '',
                'four cards after a double'),
               ('endless', '{main@10,double_down@10}', 'Td 9c', '{Ts 9d}', '', 'two cards after a double'),
               ('classic', '{main@10,double_down@10}', 'Td 9c', '{Ts 5d 2c}', '', 'D1: a double on 15'),
               ('endless', '{main@10}', 'Td 9c', '{8s Td,8d 9c}', 'Hand 2', 'two hands without a split'),
               ('endless', '{main@10,split_pair@10}', 'Td 9c', '{8s Td}', 'hand 2', 'a split with one hand'),
               ('endless', '{main@10,split_pair@10}', 'Td 9c', '{8s Td,9d 9c}', '',
                'a split of what is no pair'),
               ('endless', '{main@10,split_pair@10,split_pair@10}', 'Td 9c', '{8s Td,8d 9c,8h 2c}', '',
                'three hands where two are allowed'),
               ('endless', '{main@10,split_pair@10}', 'Td 9c', '{As Td,Ad 3c 5h}', '5h',
                'two cards on a split ace'),
               ('endless', '{main@10}', 'Td 9c', '{Ts 9d !s}', '', 'surrender where it is not offered'),
               ('house', '{main@10}', 'Kd 9c', '{As Kd !e}', '', 'D2: even money against a ten'),
               ('house', '{main@10}', 'Ad 9c', '{Ts 9d !e}', '', 'even money without a blackjack'),
               ('infinite', '{main@10}', 'Td 9c', '{2s 2d 3c 2h 3s 2c 2d}', '2d', 'a card on a Charlie'),
               ('free_bet', '{main@10,free_double@10}', '7d Ts', '{Ts 5d 2c}', '',
                'D3 §5.1: a free double on 15'),
               ('free_bet', '{main@10,free_split@10}', '7d Ts', '{Ts Kd,Th 9c}', '',
                'D3 §4.1: a free split of tens'),
               ('endless', '{21+3@10}', 'Td 7c 2h', '{Ts 9d}', '2h',
                'side bets alone: the dealer drew on 17'),
               ('endless', '{21+3@10}', 'Td 9c', '{Ts 9d 5c 2h}', '2h',
                'side bets alone: a card after 24')) v (game, bets, dealer, hands, naming, what);
SELECT is(pg_temp.says(game, bets, dealer, VARIADIC hands), expected, game || ', ' || what || ' is answered')
  FROM (VALUES ('endless', '{main@10}', 'Td 7c', '{Ts 9d}'::text[], 'win', 'a dealer who stood on 17'),
               ('endless', '{main@10}', 'Td', '{Ts 9d 5c}', 'lose',
                'a dealer''s hand that nobody waited for'),
               ('endless', '{main@10,split_pair@10,double_down@10}', 'Td 9c', '{8s Td,8d 3c Kh}',
                'lose win win', 'a double of the hand with three cards'),
               ('free_bet', '{main@10,free_split@10,free_double@10}', '7d Ts', '{9s 5d 3c,9h 2c Kh}',
                'push win win', 'the free double of the hand that could be doubled so'),
               ('endless', '{player_pair@10,21+3@10}', 'Td', '{8s Td,8d 9c}', 'mixed_pair lose',
                'side bets alone, whatever was split'),
               ('synot', '{main@10}', 'Td 9c', '{Ts 6d !s}', 'surrender', 'surrender that a table may offer'),
               ('synot', '{behind@10}', 'Td 9c', '{8s Td,8d 9c}', 'lose', 'a bet behind, whose owner split'),
               ('classic', '{main@10}', 'Td 6c', '{Ts 9d}', 'win', 'D1: a dealer who stood on 16')) v (game,
                       bets, dealer, hands, expected, what);
SELECT throws_ok($$ SELECT quote('baccarat', '{player@10}', '{"player": "6h Kd 2c", "banker": "7c Ks"}') $$,
                 'KR001', NULL, 'D4 Baccarat §9: the player drew on 6');
SELECT throws_ok($$ SELECT quote('casino_holdem', '{ante@10,call@20}',
                                 '{"player": "As Ks", "board": "As Js Ts 2d 3c", "dealer": "4h 4d"}') $$,
                                     'KR001', NULL, 'one ace of spades');
SELECT throws_ok($$ SELECT quote('roulette_synot', '{red@1}', '{"number": 37}') $$, 'KR001', NULL,
                 'no number of the wheel');
SELECT * FROM finish();
