-- Casino Hold'em: D4 Casino Hold'em §4 to §20, readings R6.1 to R6.7; poker hands of five to seven cards.
-- Expected values were read from the document's tables and worked out by hand.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- ------------------------------------------------------------------------------------------ poker hands

-- Best and worst of each category.  How many kinds a category has, best first: 1, 9, 13 x 12, 13 x 12,
-- C(13,5) - 10, 10,
-- 13 x C(12,2), C(13,2) x 11, 13 x C(12,3), C(13,5) - 10.
CREATE TEMP TABLE known AS
SELECT * FROM (VALUES
    ('As Ks Qs Js Ts', 1,    'royal_flush',     'the royal flush'),
    ('Kh Qh Jh Th 9h', 2,    'straight_flush',  'the best straight flush'),
    ('5h 4h 3h 2h Ah', 10,   'straight_flush',  'the worst straight flush, the ace low'),
    ('As Ah Ad Ac Ks', 11,   'four_of_a_kind',  'the best four of a kind'),
    ('2s 2h 2d 2c 3s', 166,  'four_of_a_kind',  'the worst four of a kind'),
    ('As Ah Ad Kc Ks', 167,  'full_house',      'the best full house'),
    ('2s 2h 2d 3c 3s', 322,  'full_house',      'the worst full house'),
    ('Ad Kd Qd Jd 9d', 323,  'flush',           'the best flush'),
    ('7c 5c 4c 3c 2c', 1599, 'flush',           'the worst flush'),
    ('As Kh Qd Jc Ts', 1600, 'straight',        'the best straight'),
    ('5s 4h 3d 2c As', 1609, 'straight',        'the worst straight, the ace low'),
    ('As Ah Ad Kc Qs', 1610, 'three_of_a_kind', 'the best three of a kind'),
    ('2s 2h 2d 4c 3s', 2467, 'three_of_a_kind', 'the worst three of a kind'),
    ('As Ah Kd Kc Qs', 2468, 'two_pairs',       'the best two pairs'),
    ('3s 3h 2d 2c 4s', 3325, 'two_pairs',       'the worst two pairs'),
    ('As Ah Kd Qc Js', 3326, 'one_pair',        'the best pair'),
    ('As Ah 4d 3c 2s', 3545, 'one_pair',        'the worst pair of aces, 3326 + 220 - 1'),
    ('Ks Kh Ad Qc Js', 3546, 'one_pair',        'the best pair of kings'),
    ('4s 4h 5d 3c 2s', 5745, 'one_pair',        'the worst pair of fours, 3326 + 11 x 220 - 1'),
    ('3s 3h Ad Kc Qs', 5746, 'one_pair',        'the best pair of threes'),
    ('2s 2h 5d 4c 3s', 6185, 'one_pair',        'the worst pair'),
    ('As Kh Qd Jc 9s', 6186, 'high_card',       'the best high card'),
    ('7s 5h 4d 3c 2s', 7462, 'high_card',       'the worst of all')) v(cards, number, category, what);
SELECT is(poker_rank(cards::hand), number, format('D4 Casino Hold''em §14: %s is number %s', what, number))
  FROM known ORDER BY number;
SELECT is(poker_category(cards::hand), category,
          format('D4 Casino Hold''em §14: %s is called %s', what, category)) FROM known ORDER BY number;
SELECT is_empty($$ SELECT k.cards, array_agg(poker_rank(h.hand)) FROM known k
                   CROSS JOIN LATERAL (SELECT hand(array_agg(u.c ORDER BY (u.n * 3 + m) % 5))
                                       FROM unnest(cards(k.cards::hand)) WITH ORDINALITY u(c, n),
                                       generate_series(0, 4) m GROUP BY m) h(hand) GROUP BY k.cards
                                           HAVING count(DISTINCT poker_rank(h.hand)) <> 1 $$,
                'R11.13: the order of the cards does not matter');
SELECT is(poker_rank(a::hand) < poker_rank(b::hand), true, 'D4 Casino Hold''em §13, §14: ' || what)
FROM (VALUES ('Ks Kh Kd 5c 2s', 'Qs Qh Qd Ac Js', 'three kings beat three queens'),
      ('Ah 6h 5h 4h 3h', 'Ks Js Ts 8s 7s', 'a flush A 6 5 4 3 beats K J 10 8 7'),
             ('6s 5h 4d 3c 2s', '5s 4h 3d 2c As', 'a straight to six beats that with the ace low'),
                 ('As Ah 5d 4c 3s', 'Ks Kh Ad Qc Js', 'a pair of aces beats kings'),
             ('As Ah 9d 4c 3s', 'Ad Ac 8d 7c 6s', 'equal pairs: the third card decides'),
                 ('As Ah 9d 4c 3s', 'Ad Ac 9s 4d 2s', 'equal pairs: the fifth card decides'),
             ('Ks Kh 3d 3c As', 'Kd Kc 3s 3h Qs', 'equal two pairs: the fifth card decides'),
                 ('Ks Kh 3d 3c 4s', 'Qd Qc Js Jh As', 'two pairs: the higher pair first'),
             ('5s 5h 5d 2c 2s', '4s 4h 4d Ac As', 'full houses: the three before the pair'),
                 ('As Ts 7d 5c 3s', 'Ad Th 7s 5d 2s', 'high cards: the fifth decides')) v(a, b, what);
SELECT is(poker_rank(a::hand), poker_rank(b::hand), 'D4 Casino Hold''em §13: worth the same: ' || what)
FROM (VALUES ('As Ah 9d 4c 3s', 'Ad Ac 9s 4d 3h', 'suits do not decide'),
      ('Ks Kh 3d 3c As 2s 2h', 'Ks Kh 3d 3c As', 'the third of three pairs does not count'),
             ('As Ks Qs Js Ts Ah Ad', 'As Ks Qs Js Ts', 'cards beside the royal flush'),
                 ('9s 9h 9d 9c Ks 2h 2d', '9s 9h 9d 9c Ks', 'the pair beside four of a kind'),
             ('5s 4h 3d 2c As Ah Kd', '5s 4h 3d 2c As', 'the straight before the pair'),
                 ('7s 7h 7d 4c 4s 4d Ah', '7s 7h 7d 4c 4s', 'two threes are a full house')) v(a, b, what);
SELECT is(best_five(a::hand)::text, best, 'D4 Casino Hold''em §11: the best five of ' || a)
FROM (VALUES ('2d As 3c Ks Js Qs Ts', 'As Ks Qs Js Ts'), ('5s 4h Kd 2c As Ah 3d', '5s 4h 3d 2c As'),
      ('9h 9d 9s 9c 2h Ks', '9s 9h 9d 9c Ks'),
             ('7s 7h 2c 4c 4s 7d 4d', '7s 7h 7d 4s 4c'), ('2s 3h 4d 5c 7s', '7s 5c 4d 3h 2s')) v(a, best);
SELECT is_empty($$ SELECT cards FROM known WHERE poker_rank(best_five(cards::hand)) <> number
                OR card_count(best_five(cards::hand)) <> 5 $$,
                'the best five of a known hand is that hand');
SELECT throws_ok(format('SELECT %s(%L::hand)', f, cards), '22003', NULL,
                 format('D4 Casino Hold''em §5, §11: no poker hand for %s: %s', f, what))
FROM unnest('{poker_rank,poker_category,best_five}'::text[]) f,
     (VALUES ('', 'no card'), ('As Ks Qs Js', 'four cards'), ('As Ks Qs Js Ts 9s 8s 7s', 'eight cards'),
      ('As Ks Qs Js As', 'one card twice'),
             ('As Ks Qs Js Ts 2d 2d', 'the last card twice')) v(cards, what);

-- ---------------------------------------------------------------------------------- deals worked out by hand

-- What 1 CZK gets as profit; NULL: lost, 0: returned.  Without a call everything is lost.
CREATE TEMP TABLE deal (id serial, what text, player text, board text, dealer text, ante integer,
                        call integer, aa integer, razz integer);
INSERT INTO deal (what, player, board, dealer, ante, call, aa, razz) VALUES
    -- §17, §15: each line, the combination made by the first five cards; the dealer qualifies and has less
    ('royal flush',              'As Ks', 'Qs Js Ts 2d 3c', '4h 4d', 100,  1, 100, NULL),
    -- §12: five different cards up to the nine
    ('straight flush',           '9h 8h', '7h 6h 5h Kc Kd', '4s 4c', 20,   1, 50,  6),
    ('straight flush to a king', 'Kh 9h', 'Qh Jh Th 2c 3d', 'Ac Ad', 20,   1, 50,  NULL),
    ('four of a kind',           '9h 9d', '9s 9c 2h Ks Qd', 'Ah Ad', 10,   1, 40,  NULL),
    ('full house',               '8h 8d', '8s 3c 3h Ks Qd', 'Ah Ad', 3,    1, 30,  NULL),
    ('flush',                    'Kh 9h', '7h 4h 2h Ks Qd', 'Ac Ad', 2,    1, 20,  NULL),
    ('straight',                 'Qh Jd', 'Ts 9c 8h 2s 3d', 'Ac Ad', 1,    1, 7,   NULL),
    ('straight, ace high',       'Ah Kd', 'Qs Jc Th 2s 3d', '2c 2d', 1,    1, 7,   NULL),
    ('three of a kind',          '5h 5d', '5s Kc 2h 9s Td', 'Ac Ad', 1,    1, 7,   NULL),
    ('two pairs',                '3s 2h', '3d 2c 4h 9s Jd', 'Ac Ad', 1,    1, 7,   NULL),
    ('worst pair of aces',       'Ah Ad', '4s 3c 2h 9s Jd', 'Kc Kd', 1,    1, 7,   NULL),
    ('best pair of kings',       'Kh Kd', 'As Qc Jh 2s 3d', '8c 8d', 1,    1, NULL, NULL),
    -- §15, §17: AA looks at the first five, ante at all seven (R6.4)
    ('royal on the turn',        'As Ks', 'Qs Js 2d Ts 3c', '4h 4d', 100,  1, NULL, NULL),
    ('royal on the river',       'As Ks', 'Qs Js 2d 3c Ts', '4h 4d', 100,  1, NULL, NULL),
    ('aces on the turn',         'As Kh', 'Qs Js 2d Ac 3c', '4h 4d', 1,    1, NULL, NULL),
    ('full house on the river',  'Ks Kh', 'Kd 9s 2d 3c 9c', '4h 4d', 3,    1, 7,   NULL),
    ('flush becomes straight flush', '9h 8h', '7h 6h 2h 5h Kd', '4s 4c', 20, 1, 20, 6),
    -- §16: each line, the ace low; §12: straight and flush do not count against it (R6.5)
    ('5-4-3-2-A suited',         '5d 4d', '3d 2d Ad Ks Kh', 'Qc Qh', 20,   1, 50,  200),
    ('5-4-3-2-A',                '5d 4h', '3s 2c Ad Ks 9h', 'Kc Qh', 1,    1, 7,   50),
    ('5-4-3-2-A, four suited',   '5d 4d', '3d 2d As Ks 9h', 'Kc Qh', 1,    1, 7,   50),
    ('highest card 6',           '6d 4h', '3s 2c Ad Kh 6c', '4c 4s', 1,    1, NULL, 25),
    ('6-5-4-3-2',                '6d 5h', '4s 3c 2d Kh Ac', 'Ks 9c', 1,    1, 7,   25),
    ('6-5-4-3-2 suited',         '6d 5d', '4d 3d 2d Kh Ac', 'Ks 9c', 20,   1, 50,  25),
    ('6-4-3-2-A suited',         '6d 4d', '3d 2d Ad Kh 9c', 'Ks 8c', 2,    1, 20,  25),
    ('highest card 7',           '7d 5h', '3s 2c Ad Kh 7c', '4h 4s', 1,    1, NULL, 10),
    ('highest card 7, the ante lost', '7d 6h', '3s 2c Ad Kh 7c', '9h 9s', NULL, NULL, NULL, 10),
    ('highest card 8',           '8d 5h', '3s 2c Ad Kh 8c', '6h 6s', 1,    1, NULL, 8),
    ('highest card 9',           '9d 5h', '3s 2c Ad Kh 9c', '6h 6s', 1,    1, NULL, 6),
    ('highest card 10',          'Td 5h', '3s 2c Ad Kh Tc', '6h 6s', 1,    1, NULL, 4),
    ('highest card J',           'Jd 5h', '3s 2c Ad Kh Jc', '6h 6s', 1,    1, NULL, 2),
    ('J-10-9-8-7',               'Jd Th', '9s 8c 7d Kh Ac', 'Ks 2c', 1,    1, 7,   2),
    ('J-9-7-5-3 suited',         'Jd 9d', '7d 5d 3d Kh Ac', 'Ks 2c', 2,    1, 20,  2),
    ('highest card Q',           'Qd 5h', '3s 2c Ad Kh Qc', '6h 6s', 1,    1, NULL, NULL),
    ('highest card K',           'Kd 5h', '3s 2c Ad Qh Kc', '6h 6s', 1,    1, NULL, NULL),
    ('a pair of twos',           '2d 5h', '3s 2c Ad Qh 2h', '6h 6s', 1,    1, NULL, NULL),
    -- 4 with 5 3 2 A: the dealer's straight
    ('a pair on the turn',       '8d 5h', '3s 2c Ad 5c Kh', '4c 4h', NULL, NULL, NULL, 8),
    -- §13 (R6.3): the dealer below a pair of fours: call returned, ante paid by its table, also to the worse
    -- hand
    ('dealer with threes, player worse',  '7h 6d', 'Ac Kd Js 9h 2s', '3h 3d', 1,    0,    NULL, NULL),
    ('dealer with fours, player worse',   '7h 6d', 'Ac Kd Js 9h 2s', '4h 4d', NULL, NULL, NULL, NULL),
    ('dealer with threes, player better', '9d 6d', 'Ac Kd Js 9h 2s', '3h 3d', 1,    0,    NULL, NULL),
    ('dealer with fours, player better',  '9d 6d', 'Ac Kd Js 9h 2s', '4h 4d', 1,    1,    NULL, NULL),
    ('threes with the best cards beside', '7h 6d', 'Ac Kd Qs 9h 2s', '3h 3d', 1,    0,    NULL, NULL),
    -- 4 4 T 7 5 beats T 8 7 6 5
    ('dealer with fours and low cards',   '8h 6c', '7d 5h 3s 2c Ts', '4h 4d', NULL, NULL, NULL, 8),
    ('dealer with an ace alone, player worse', '7h 6d', 'Kc Jd 9s 4h 2s', 'Ah Qd', 1, 0,  NULL, NULL),
    ('dealer with two pairs, threes and twos', 'Ah Kh', '3c 2d Js 9h 6s', '3h 2h', NULL, NULL, NULL, NULL),
    ('fours on the board qualify',        'Ah 7d', '4c 4s Js 9h 2s', 'Kh Qd', 1,    1,    NULL, NULL),
    ('threes on the board do not',        'Ah 7d', '3c 3s Js 9h 2s', 'Kh Qd', 1,    0,    NULL, NULL),
    ('threes on the board, equal hands',  'Ah 7d', '3c 3s Ks Qh Js', 'Ad 7h', 1,    0,    NULL, NULL),
    ('not qualified, the royal is paid',  'As Ks', 'Qs Js Ts 2d 3c', '7h 6d', 100,  0,    100,  NULL),
    ('not qualified, a flush is paid',    'Kh 9h', '7h 4h 2h As Qd', 'Tc 8d', 2,    0,    20,   NULL),
    -- §13: equal hands return ante and call, AA and Razz are graded for themselves
    ('royal on the board',                '4h 2d', 'As Ks Qs Js Ts', '3h 3d', 0,    0,    NULL, NULL),
    ('equal two pairs',                   'Ah 7d', 'As Ks Kh 9h 2s', 'Ad 7h', 0,    0,    7,    NULL),
    ('equal straights',                   'Th 2d', 'As Kd Qc Jh 2s', 'Td 4h', 0,    0,    NULL, NULL),
    ('equal hands, Razz won',             '8h 7d', '2s 3c 5h Kh Kd', '8d 7h', 0,    0,    NULL, 8),
    -- §13: the second to fifth card
    ('pair, the third card',              'Ah Qd', 'As 9c 7h 5h 2d', 'Ad Jh', 1,    1,    7,    NULL),
    ('pair, the third card, lost',        'Ah Jd', 'As 9c 7h 5h 2d', 'Ad Qh', NULL, NULL, 7,    NULL),
    ('pair, the fifth card',              'Ah 8d', 'As Kc Qh 5h 2d', 'Ad 7h', 1,    1,    7,    NULL),
    ('two pairs, the fifth card, lost',   'Kh 8d', '9s 9c Ks 5h 2d', 'Kd Th', NULL, NULL, 7,    NULL),
    ('flush A 6 5 4 3 against three kings', 'Ah 6h', '5h 4h 3h Kd Kc', 'Ks 2s', 2,  1,    20,   25),
    ('flush A 6 5 4 3 against K J 5 4 3', 'Ah 6h', '5h 4h 3h Kd 9c', 'Kh Jh', 2,    1,    20,   25),
    ('three kings against three queens',  'Kh Kd', 'Ks Qc 2h 7s 5d', 'Qh Qd', 1,    1,    7,    NULL),
    ('dealer''s flush beats a straight',  'Qh Jd', 'Ts 9s 8s 2d 3d', 'As 4s', NULL, NULL, 7,    NULL),
    ('AA and Razz with a lost ante',      '6d 5h', '4s 3c 2d 9s Ts', 'As Ks', NULL, NULL, 7,    25);

-- every line that the document prints was dealt
SELECT bag_eq('SELECT DISTINCT ante FROM deal', 'VALUES (100), (20), (10), (3), (2), (1), (0), (NULL)',
              'D4 Casino Hold''em §17: every line of the ante is dealt');
SELECT bag_eq('SELECT DISTINCT aa FROM deal', 'VALUES (100), (50), (40), (30), (20), (7), (NULL)',
              'D4 Casino Hold''em §15: every line of AA is dealt');
SELECT bag_eq('SELECT DISTINCT razz FROM deal', 'VALUES (200), (50), (25), (10), (8), (6), (4), (2), (NULL)',
              'D4 Casino Hold''em §16: every line of Razz is dealt');

CREATE FUNCTION pg_temp.cards(d deal) RETURNS jsonb LANGUAGE sql AS
$$ SELECT jsonb_build_object('player', d.player, 'board', d.board, 'dealer', d.dealer) $$;
-- quote: the four bets as a list of profits
SELECT results_eq(format($$ SELECT kind(bet), profit
                         FROM quote('casino_holdem', '{ante@10,call@20,aa@7,razz@3}', %L) $$,
                             pg_temp.cards(d)),
                  format($$ VALUES ('ante', %s), ('call', %s), ('aa', %s), ('razz', %s) $$,
                         coalesce(ante * 10.00, -10.00), coalesce(call * 20.00, -20.00),
                             coalesce(aa * 7.00, -7.00), coalesce(razz * 3.00, -3.00)),
                  format('D4 Casino Hold''em §13 to §18 by quote(): %s', what)) FROM deal d ORDER BY id;
SELECT results_eq(format($$ SELECT grade, payout
                         FROM quote('casino_holdem', '{ante@10,aa@7,razz@3}', %L) $$, pg_temp.cards(d)),
                  $$ SELECT 'lose', 0.00 FROM generate_series(1, 3) $$,
                      'D4 Casino Hold''em §7, §11, §12 by quote(): folded before ' || what) FROM deal d
                          ORDER BY id;
SELECT results_eq($$ SELECT grade FROM quote('casino_holdem', '{ante@10,call@20,aa@7,razz@3}',
                                             '{"player": "5d 4d", "board": "3d 2d Ad Ks Kh", '
                                             '"dealer": "Qc Qh"}') $$,
                  $$ VALUES ('straight_flush'), ('win'), ('straight_flush'), ('wheel_suited') $$,
                      'D4 Casino Hold''em §15 to §18: grades are words');
SELECT throws_ok(format($$ SELECT quote('casino_holdem', '{%s@10}',
                                        '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", '
                                        '"dealer": "4h 4d"}') $$, kind), 'KB004', NULL,
                 'D4 Casino Hold''em §6: no bet of the game: ' || kind)
                     FROM unnest('{main,player,tie,pot,insurance,"straight:1"}'::text[]) kind;

-- ------------------------------------------------------------------------------------------ real rounds

SELECT add_game_table('casino_holdem', 'deals', 0.01, 20000) AS deals \gset
CREATE TEMP TABLE named AS SELECT name, register_player(name) AS id
    FROM unnest('{late,blind,fold,greatest,attempts,other}'::text[]) name;
SELECT count(deposit(id, 10000000)) AS entries FROM named \gset
CREATE FUNCTION pg_temp.id(text)
RETURNS bigint
LANGUAGE sql AS 'SELECT id FROM pg_temp.named WHERE name = $1';
CREATE TEMP TABLE played (id integer, round_id bigint, settlement settlement);
CREATE FUNCTION pg_temp.play(table_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    d deal;
    r bigint;
BEGIN
    FOR d IN SELECT * FROM pg_temp.deal ORDER BY id LOOP
        r := casino.open_round(table_id, 'deal ' || d.id);
        PERFORM casino.place_bets(r, pg_temp.id('late'), '{ante@10,aa@7,razz@3}'),
                casino.place_bets(r, pg_temp.id('blind'), '{call@201,ante@100.50,aa@0.01,razz@33.33}'),
                casino.place_bets(r, pg_temp.id('fold'), '{ante@5,aa@6,razz@7}');
        PERFORM casino.close_betting(r), casino.deal(r,
                                                     jsonb_build_object('player', d.player, 'board',
                                                             left(d.board, 8)));
        PERFORM casino.place_bet(r, pg_temp.id('late'), 'call@20'), casino.close_actions(r);
        INSERT INTO played SELECT d.id, r, x FROM casino.settle_round(r, pg_temp.cards(d)) x;
    END LOOP;
END $$;
SELECT pg_temp.play(:deals) \gset
-- what each wager gets by the table above
CREATE TEMP TABLE expected AS
SELECT p.round_id, n.name, n.id AS player_id, u.kind, u.stake, CASE
    WHEN n.name <> 'fold' THEN u.odds END AS odds,
       CASE WHEN n.name = 'fold' OR u.odds IS NULL THEN 0.00 ELSE u.stake * (1 + u.odds) END AS payout, d.what
FROM deal d JOIN played p ON p.id = d.id CROSS JOIN named n
CROSS JOIN LATERAL (VALUES ('ante', CASE n.name WHEN 'late' THEN 10.00 WHEN 'blind' THEN 100.50
                            ELSE 5.00 END, d.ante),
                           ('call', CASE n.name WHEN 'late' THEN 20.00 WHEN 'blind' THEN 201.00 END, d.call),
                           ('aa',   CASE n.name WHEN 'late' THEN 7.00 WHEN 'blind' THEN 0.01
                            ELSE 6.00 END, d.aa),
                           ('razz', CASE n.name WHEN 'late' THEN 3.00 WHEN 'blind' THEN 33.33
                            ELSE 7.00 END, d.razz)) u(kind, stake, odds)
WHERE n.name IN ('late', 'blind', 'fold') AND u.stake IS NOT NULL;
SELECT bag_eq(format($$ SELECT player_id, kind, staked, status, payout FROM wager
                     WHERE round_id = %s $$, p.round_id),
              format($$ SELECT player_id, kind, stake, CASE WHEN odds IS NULL THEN 'lost'
                     WHEN odds = 0 THEN 'pushed' ELSE 'won' END, payout
                          FROM expected WHERE round_id = %s $$, p.round_id),
              format('D4 Casino Hold''em §7, §10, §13 to §18 in a round, called after the flop, '
                     'blind and folded: %s',
                     d.what))
FROM deal d JOIN played p ON p.id = d.id ORDER BY d.id;
SELECT is_empty($$ SELECT p.id, (settlement).wagers, (settlement).players, (settlement).staked,
                (settlement).paid, (settlement).house_result FROM played p
                   EXCEPT SELECT p.id, 11, 3, sum(e.stake), sum(e.payout), sum(e.stake - e.payout)
                       FROM played p JOIN expected e ON e.round_id = p.round_id GROUP BY p.id $$,
                'R11.13: settlements count eleven wagers of three players, stakes, payouts and what is left');
SELECT is(balance, (SELECT 10000000 - sum(e.stake - e.payout) FROM expected e WHERE e.name = n.name),
          'the wallet of ' || n.name || ' after all these rounds')
FROM named n JOIN player p ON p.player_id = n.id WHERE n.name IN ('late', 'blind', 'fold');
SELECT is_empty($$ SELECT * FROM ledger l WHERE kind = 'payout'
                AND player_id = pg_temp.id('fold') $$, 'D4 Casino Hold''em §7: who folds gets no row');
SELECT is((SELECT count(*) FROM breach), 0::bigint, 'D4 Casino Hold''em: no breach is recorded');

-- -------------------------------------------------------------------------------------- the declared maximum

SELECT is(max_win('casino_holdem', bet::bet), win::numeric,
          format('D4 Casino Hold''em §15 to §18: %s wins at most %s CZK', bet, win))
FROM (VALUES ('ante@20000', 2000000), ('call@40000', 40000), ('aa@20000', 2000000),
      ('razz@10000', 2000000)) v(bet, win);
SELECT open_round(:deals, 'greatest') AS greatest \gset
SELECT lives_ok(format($$ SELECT place_bets(%s, pg_temp.id('greatest'),
                                            '{ante@20000,call@40000,aa@20000,razz@10000}') $$, :greatest),
                'D4 Casino Hold''em, Základní parametry hry: 90 000 CZK on all four bets');
SELECT results_eq(format($$ SELECT status, wagers, staked, paid
                         FROM settle_round(%s,
                                           '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", '
                                           '"dealer": "4h 4d"}') $$, :greatest),
                  -- 80 000 staked on the winning bets; 20 000 x 100 + 40 000 + 20 000 x 100; Razz lost
                  $$ VALUES ('settled', 4::bigint, 90000.00, 80000.00 + 4040000.00) $$,
                      'D4 Casino Hold''em, Základní parametry hry: a royal flush in the first five wins the '
                      'declared 4 040 000');
SELECT is((SELECT sum(payout - staked) FROM wager WHERE round_id = :greatest AND status = 'won'), 4040000.00,
          'D4 Casino Hold''em: its winning wagers'' profits add up to 4 040 000');
SELECT is((SELECT count(*) FROM breach), 0::bigint,
          'D4 Casino Hold''em: the declared maximum is paid uncapped');
-- Not exceeded.  Ante and call win at most 2 040 000, so AA and Razz would have to win more than 2 000 000
-- together, AA alone at most that.  Razz wins only on five different cards up to the jack: all sets of ranks,
-- of one suit or of two.
CREATE TEMP TABLE low AS
SELECT array_agg(r ORDER BY r) AS ranks, suited
FROM (SELECT m, unnest(ranks) AS r FROM (SELECT m,
                                         ARRAY (SELECT i FROM generate_series(0, 10) i
                                                WHERE m >> i & 1 = 1) AS ranks
                                                    FROM generate_series(0, 2047) m) s
       WHERE cardinality(ranks) = 5) x CROSS JOIN unnest('{f,t}'::boolean[]) suited
GROUP BY m, suited;
ALTER TABLE low ADD player text, ADD board text;
UPDATE low SET player = format('%sh %s%s', f[ranks[1]], f[ranks[2]], CASE WHEN suited THEN 'h' ELSE 's' END),
               board = format('%sh %sh %sh Kd Kc', f[ranks[3]], f[ranks[4]], f[ranks[5]])
  FROM (SELECT '[0:10]={A,2,3,4,5,6,7,8,9,T,J}'::text[] AS f) x;
SELECT is((SELECT count(*) FROM low), 924::bigint, 'C(11,5) sets of ranks of one suit and of two');
CREATE TEMP TABLE low_profit AS
SELECT l.*, (SELECT sum(profit) FROM quote('casino_holdem', '{call@40000,aa@20000,razz@10000}',
                                           jsonb_build_object('player', player, 'board', board, 'dealer',
                                                              'Qd Qc')) q
              WHERE kind(q.bet) IN ('aa', 'razz') AND profit > 0) AS side
FROM low l;
SELECT bag_eq('SELECT ranks, side FROM low_profit WHERE side > 2000000',
              $$ VALUES ('{0,1,2,3,4}'::integer[], 3000000.00) $$,
    'D4 Casino Hold''em §15, §16: AA and Razz win more than 2 000 000 together only on 5-4-3-2-A suited');
SELECT is_empty('SELECT * FROM low_profit WHERE side IS NULL',
                'D4 Casino Hold''em §16: every five different cards from ace to jack win Razz');
CREATE TEMP TABLE steel AS
WITH card AS (SELECT r || s AS c, row_number() OVER () AS n
              FROM unnest('{A,2,3,4,5,6,7,8,9,T,J,Q,K}'::text[]) r CROSS JOIN unnest('{c,d,h,s}'::text[]) s
               WHERE NOT (s = 'd' AND r IN ('A', '2', '3', '4', '5')))
SELECT a.c AS turn, b.c AS river, grade_casino_holdem('ante@20000', '5d 4d',
                                                      ('3d 2d Ad ' || a.c || b.c)::hand,
           (SELECT string_agg(x.c, '') FROM (SELECT c FROM card WHERE c NOT IN (a.c, b.c) AND c ~ '^[79J]'
                                             ORDER BY c LIMIT 2) x)::hand, true) AS grade
FROM card a JOIN card b ON b.n > a.n;
SELECT results_eq('SELECT count(*), min(grade), max(grade) FROM steel',
                  $$ VALUES (1081::bigint, 'straight_flush', 'straight_flush') $$,
                  -- 20 000 x 20 + 40 000 + 3 000 000 = 3 440 000
                  'D4 Casino Hold''em: after 5-4-3-2-A suited the ante never pays more than 20:1, '
                  'so that 4 040 000 is not exceeded');

-- --------------------------------------------------------------------------------- order of the bets, limits

CREATE SEQUENCE attempt_no;
-- Steps: requests of bets ("name {bets}" with a request_id), "close", "actions", "cancel NAME", "gone"
-- (disconnected), "cards {...}" (deal).  'ok' or the SQLSTATE of each, then what lies on the table; the round
-- is voided afterwards.
CREATE FUNCTION pg_temp.attempt(table_id bigint, VARIADIC steps text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(table_id, 'attempt ' || nextval('attempt_no'));
    p CONSTANT bigint := pg_temp.id('attempts');
    answer text := '';
    step text;
BEGIN
    FOREACH step IN ARRAY steps LOOP
        BEGIN
            CASE WHEN step LIKE '{%' THEN PERFORM casino.place_bets(r, p, step::casino.bet[]);
                 WHEN step = 'close' THEN PERFORM casino.close_betting(r);
                 WHEN step = 'actions' THEN PERFORM casino.close_actions(r);
                 WHEN step LIKE 'cards %' THEN PERFORM casino.deal(r, substr(step, 7)::jsonb);
                 WHEN step = 'gone' THEN PERFORM casino.disconnect(r, p);
                 WHEN step LIKE 'cancel %' THEN PERFORM casino.cancel_bet(r, p, r || substr(step, 7));
                 ELSE PERFORM casino.place_bets(r, p, split_part(step, ' ', 2)::casino.bet[],
                                                r || ' ' || split_part(step, ' ', 1));
            END CASE;
            answer := answer || 'ok ';
        EXCEPTION WHEN OTHERS THEN
            answer := answer || SQLSTATE || ' ';
        END;
    END LOOP;
    answer := answer || coalesce((SELECT string_agg(bet::text, ',' ORDER BY entry_no) FROM casino.wager
                                  WHERE round_id = r AND status = 'open'), '-');
    PERFORM casino.void_round(r, 'an attempt');
    RETURN replace(answer, '.00', '');
END $$;
-- nobody calls on cards that decide
SELECT is(pg_temp.attempt(:deals, VARIADIC ARRAY['{ante@10}', 'close'] || cards || ARRAY['{call@20}']),
          answer, 'D4 Casino Hold''em §7: ' || what)
FROM (VALUES
    (ARRAY['cards {"player": "As Ks", "board": "Qs Js 2s"}'], 'ok ok ok ok ante@10,call@20',
     'a call after the flop'),
    (ARRAY['cards {"player": "As Ks", "board": "Qs Js 2s"}',
           'cards {"player": "As Ks", "board": "Qs Js 2s 2d"}'], 'ok ok ok ok KB005 ante@10',
               'no call after the turn'),
    (ARRAY['cards {"player": "As Ks", "board": "Qs Js 2s", "dealer": "4h 3d"}'], 'ok ok ok KB005 ante@10',
     'no call on cards that the dealer has shown')
  ) v (cards, answer, what);
SELECT is(pg_temp.attempt(:deals, VARIADIC steps), answer, what)
FROM (VALUES
    ('{"{ante@10,call@20}"}'::text[],                      'ok ante@10,call@20',
                 'D4 Casino Hold''em §10: the call is placed blind together with the ante'),
    ('{"{call@20,ante@10}"}',                              'ok call@20,ante@10',
                 'D4 Casino Hold''em §10: the call first in the same request'),
    ('{"{ante@10}","{call@20}"}',                          'ok ok ante@10,call@20',
              'D4 Casino Hold''em §10: the call blind in a request of its own'),
    ('{"{ante@10}",close,"{call@20}"}',                    'ok ok ok ante@10,call@20',
           'D4 Casino Hold''em §7: the call after the flop, betting closed'),
    ('{"{ante@10}",close,actions,"{call@20}"}',            'ok ok ok KB005 ante@10',
             'R11.16: no call after the decisions have closed'),
    ('{"{ante@10}","{call@19.99}"}',                       'ok KB002 ante@10',
                   'D4 Casino Hold''em §10: a call one haléř below twice the ante'),
    ('{"{ante@10}","{call@20.01}"}',                       'ok KB002 ante@10',
                   'D4 Casino Hold''em §10: a call one haléř above twice the ante'),
    ('{"{ante@10}","{call@10}","{call@40}","{call@0.01}"}', 'ok KB002 KB002 KB002 ante@10',
      'D4 Casino Hold''em §10: a call of the ante, of four times the ante, of a haléř'),
    ('{"{ante@10,call@19.99}"}',                           'KB002 -',
                            'D4 Casino Hold''em §10: another amount blind'),
    ('{"{ante@10}",close,"{call@19.99}","{call@20.01}","{call@20}"}', 'ok ok KB002 KB002 ok ante@10,call@20',
     'D4 Casino Hold''em §7: another amount after the flop, then the right one'),
    ('{"{ante@10,call@20}","{call@20}"}',                  'ok KB005 ante@10,call@20',
           'R6.1: a second call'),
    ('{"{ante@10,call@20}",close,"{call@20}","{call@0.01}"}', 'ok ok KB005 KB005 ante@10,call@20',
     'R6.1: a second call after the flop, of any amount'),
    ('{"{ante@10}",close,"{call@20}","{call@20}"}',        'ok ok ok KB005 ante@10,call@20',
     'R6.1: a second call after the first after the flop'),
    ('{"{call@20}"}',                                      'KB005 -',
                            'D4 Casino Hold''em §10: a call without ante'),
    ('{"{call@20}","{ante@10}",close,"{call@20}"}',        'KB005 ok ok ok ante@10,call@20',
     'D4 Casino Hold''em §10: a call before the ante, the ante, the call'),
    ('{close,"{ante@10}","{call@20}","{ante@10,call@20}"}', 'ok KB001 KB005 KB001 -',
            'D4 Casino Hold''em §9: nobody joins after betting has closed'),
    ('{"{ante@10}","{ante@5}",close,"{call@30}"}',         'ok ok ok ok ante@10,ante@5,call@30',
     'D4 Casino Hold''em §8: several chips on the ante, the call is twice all'),
    ('{"{ante@10}","{ante@5}",close,"{call@20}"}',         'ok ok ok KB002 ante@10,ante@5',
      'D4 Casino Hold''em §8: not twice one of them'),
    ('{"{ante@10,call@20}","{ante@5}"}',                   'ok KB002 ante@10,call@20',
           'D4 Casino Hold''em §10: the ante cannot grow without the blind call'),
    ('{"{ante@10,call@20}","{ante@5,call@10}"}',           'ok ok ante@10,call@20,ante@5,call@10',
     'D4 Casino Hold''em §10: more chips on Call Blind raise the ante alike'),
    ('{"{ante@10,call@20}","{ante@5,call@20}"}',           'ok KB002 ante@10,call@20',
           'D4 Casino Hold''em §10: more chips on Call Blind, not twice the ante'),
    ('{"{ante@0.01,call@0.02}"}',                          'ok ante@0.01,call@0.02',
             'D4 Casino Hold''em §10: the smallest ante and its call'),
    ('{"{aa@10}","{razz@10}","{aa@10,razz@10}"}',          'KB005 KB005 KB005 -',
                'D4 Casino Hold''em §8: the main bet first, no AA or Razz without ante'),
    ('{"{aa@10,razz@10,ante@10}"}',                        'ok aa@10,razz@10,ante@10',
           'D4 Casino Hold''em §11, §12: AA and Razz together with the ante'),
    ('{"{ante@10}","{aa@10}","{razz@10}"}',                'ok ok ok ante@10,aa@10,razz@10',
     'D4 Casino Hold''em §11, §12: AA and Razz after the ante'),
    ('{"{ante@10}",close,"{aa@10}","{razz@10}","{ante@10}"}', 'ok ok KB001 KB001 KB001 ante@10',
     'D4 Casino Hold''em §9: no ante, AA and Razz after betting has closed'),
    ('{"a {ante@10}","c {call@20}","s {aa@7,razz@3}","cancel a"}', 'ok ok ok ok -',
              'R6.7: a cancelled ante takes the call and the side bets with it'),
    ('{"a {ante@10}","c {call@20}","s {aa@7,razz@3}","cancel c"}', 'ok ok ok ok ante@10,aa@7,razz@3',
     'D4 Casino Hold''em §10: a cancelled blind call leaves the ante'),
    ('{"a {ante@10}","c {call@20}","cancel c","d {call@20}"}', 'ok ok ok ok ante@10,call@20',
     'D4 Casino Hold''em §10: after a cancelled call another'),
    ('{"a {ante@10}","c {call@20}","s {aa@7,razz@3}","cancel s"}', 'ok ok ok ok ante@10,call@20',
     'D4 Casino Hold''em §11, §12: cancelled side bets leave ante and call'),
    ('{"a {ante@10}","b {ante@5}","c {call@30}","s {aa@7}","cancel b"}', 'ok ok ok ok ok ante@10,aa@7',
     'D4 Casino Hold''em §10: a part of the ante cancelled, the call goes with it'),
    ('{"a {ante@10,call@20}","b {ante@5,call@10}","cancel a"}', 'ok ok ok ante@5,call@10',
       'D4 Casino Hold''em §10: one of two blind calls cancelled with its ante'),
    ('{"a {ante@10}",close,"c {call@20}","cancel c","cancel a"}', 'ok ok ok KB001 KB001 ante@10,call@20',
     'R11.10: nothing is cancelled after betting has closed'),
    ('{"{ante@10,call@20,aa@7,razz@3}",gone}',             'ok ok -',
                            'D4 Casino Hold''em §20: disconnected before betting closes, all is returned'),
    ('{"{ante@10,call@20,aa@7,razz@3}",close,gone}',       'ok ok ok ante@10,call@20,aa@7,razz@3',
     'D4 Casino Hold''em §20: disconnected afterwards, all stays'),
    ('{"{ante@20000}","{ante@0.01}"}',                     'ok KB002 ante@20000',
                'D4 Casino Hold''em, Základní parametry hry: ante 20 000 and no haléř more'),
    ('{"{ante@20000.01}"}',                                'KB002 -',
                            'D4 Casino Hold''em, Základní parametry hry: no ante of 20 000.01'),
    ('{"{ante@20000,call@40000}"}',                        'ok ante@20000,call@40000',
           'D4 Casino Hold''em, Základní parametry hry: call 40 000'),
    ('{"{ante@20000}","{call@40000.01}"}',                 'ok KB002 ante@20000',
                'D4 Casino Hold''em, Základní parametry hry: no call of 40 000.01'),
    ('{"{ante@20000.01,call@40000.02}"}',                  'KB002 -',
                            'D4 Casino Hold''em, Základní parametry hry: no call of 40 000.02 with its ante'),
    ('{"{ante@1,aa@20000}","{aa@0.01}"}',                  'ok KB002 ante@1,aa@20000',
           'D4 Casino Hold''em, Základní parametry hry: AA 20 000, above the ante, and no haléř more'),
    ('{"{ante@1,aa@20000.01}"}',                           'KB002 -',
                            'D4 Casino Hold''em, Základní parametry hry: no AA of 20 000.01'),
    ('{"{ante@1,razz@10000}","{razz@0.01}"}',              'ok KB002 ante@1,razz@10000',
         'D4 Casino Hold''em, Základní parametry hry: Razz 10 000 and no haléř more'),
    ('{"{ante@1,razz@10000.01}"}',                         'KB002 -',
                            'D4 Casino Hold''em, Základní parametry hry: no Razz of 10 000.01'),
    ('{"{ante@20000,aa@20000,razz@10000}",close,"{call@40000}"}',
     'ok ok ok ante@20000,aa@20000,razz@10000,call@40000',
                                                           'D4 Casino Hold''em, Základní parametry hry: 90 '
                                                           '000 CZK a round, the call after the '
                                                           'flop')) v(steps, answer, what);
SELECT is((SELECT balance FROM player WHERE player_id = pg_temp.id('attempts')), 10000000.00,
          'R11.15: a voided round returns every stake, before the close and after it');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id('attempts'), 'ante@10', seat => 1) $$,
                        open_round(:deals, 'seat')), '22023', NULL,
                            'D4 Casino Hold''em §3: one shared box, no seats');
SELECT void_round(open_round(:deals, 'seat'), 'no seats') AS settlement \gset

SELECT add_game_table('casino_holdem', 'small', 50, 500) AS small \gset
SELECT is(pg_temp.attempt(:small, steps), answer,
          'R11.5: a table of 50 to 500 CZK limits the ante: ' || steps)
FROM (VALUES ('{ante@50}', 'ok ante@50'), ('{ante@49.99}', 'KB002 -'), ('{ante@500}', 'ok ante@500'),
      ('{ante@500.01}', 'KB002 -'), ('{ante@500,call@1000}', 'ok ante@500,call@1000'),
             ('{ante@50,aa@0.01,razz@0.01}', 'ok ante@50,aa@0.01,razz@0.01'),
                 ('{ante@50,aa@20000}', 'ok ante@50,aa@20000')) v(steps, answer);
SELECT throws_ok($$ SELECT add_game_table('casino_holdem', 'too great', 50, 20000.01) $$, 'KB002', NULL,
                 'R11.5: no table above the plan''s 20 000 CZK');

-- The positions' maxima add up to the round's 90 000; a later version with a greater Razz shows the round's
-- own bound.
CREATE FUNCTION pg_temp.ahead(text) RETURNS timestamptz LANGUAGE sql AS $$ SELECT date_trunc('day',
        now()) + $1::interval $$;
SET casino.clock_skew = -1;
SELECT add_plan_version('casino_holdem', pg_temp.ahead('1 day'), 'test') AS version \gset
UPDATE bet_rule SET max_stake = 20000 WHERE plan_id = :version AND kind = 'razz';
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:version) \g /dev/null
SELECT open_round(:deals, 'later', pg_temp.ahead('2 days')) AS later \gset
SELECT throws_ok(format($$ SELECT place_bets(%s, pg_temp.id('other'),
                                             '{ante@20000,call@40000,aa@20000,razz@10000.01}',
                                                 at => pg_temp.ahead('2 days')) $$, :later), 'KB003', NULL,
                 'D4 Casino Hold''em, Základní parametry hry: 90 000.01 CZK in one request are refused');
SELECT lives_ok(format($$ SELECT place_bets(%s, pg_temp.id('other'), '{ante@20000,aa@20000,razz@10000.01}',
                                            at => pg_temp.ahead('2 days')),
                                 close_betting(%s, pg_temp.ahead('2 days')) $$, :later, :later),
    'D4 Casino Hold''em, Základní parametry hry: 50 000.01 CZK before the flop');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id('other'), 'call@40000',
                                            at => pg_temp.ahead('2 days')) $$, :later), 'KB003', NULL,
                 'D4 Casino Hold''em, Základní parametry hry: the call counts towards the round''s 90 000');
SELECT status FROM void_round(:later, 'no call possible', pg_temp.ahead('2 days')) \gset
RESET casino.clock_skew;

-- ----------------------------------------------------------------------------------------- outcome documents

SELECT add_game_table('casino_holdem', 'outcomes', 0.01, 20000) AS outcomes \gset
SELECT open_round(:outcomes, 'nobody called') AS uncalled \gset
SELECT place_bets(:uncalled, pg_temp.id('late'), '{ante@10,aa@7,razz@3}') AS a,
    place_bets(:uncalled, pg_temp.id('blind'), '{ante@10,call@20}', 'blind') AS b \gset
SELECT is(cardinality(cancel_bet(:uncalled, pg_temp.id('blind'), 'blind')), 2, 'a blind call is cancelled');
CREATE FUNCTION pg_temp.settle(round_id bigint, document text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM casino.settle_round(round_id, document::jsonb);
    RETURN 'settled';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || detail;
END $$;
-- what cannot be dealt, whether somebody called or not (R6.6)
CREATE TEMP TABLE illegal AS
SELECT * FROM (VALUES
    ('{"player": "As", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
                 'KR001 The player has 1 card;%§7%',            'one card of the player'),
    ('{"player": "As Ks 5d", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
           'KR001 The player has 3 cards;%§7%',           'three cards of the player'),
    ('{"player": "", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
                   'KR001 The player has 0 cards;%§7%',           'no card of the player'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h"}',
                 'KR001 The dealer has 1 card;%§7%',            'one card of the dealer'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d 4s"}',
           'KR001 The dealer has 3 cards;%§7%',           'three cards of the dealer'),
    ('{"player": "As Ks", "board": "", "dealer": "4h 4d"}',
                            'KR001 The board has 0 cards;%§7%',            'no board'),
    ('{"player": "As Ks", "board": "Qs Js", "dealer": "4h 4d"}',
                       'KR001 The board has 2 cards;%§7%',            'a board of two'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d", "dealer": "4h 4d"}',
                 'KR001 The board has 4 cards;%§7%',            'a board of four'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c 5c", "dealer": "4h 4d"}',
           'KR001 The board has 6 cards;%§7%',            'a board of six'),
    ('{"player": "As As", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
              'KR001 The card As lies with the player and again with the player%§5%',
                  'a card twice with the player'),
    ('{"player": "As Ks", "board": "Qs Js Ks 2d 3c", "dealer": "4h 4d"}',
              'KR001 The card Ks lies with the player and again on the board%§5%',
                     'a card with the player and on the board'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d Ts", "dealer": "4h 4d"}',
              'KR001 The card Ts lies on the board and again on the board%§5%',
                        'a card twice on the board'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 3c"}',
              'KR001 The card 3c lies on the board and again with the dealer%§5%',
                     'a card on the board and with the dealer'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "As 4d"}',
              'KR001 The card As lies with the player and again with the dealer%§5%', 'a card with both'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4d 4d"}',
              'KR001 The card 4d lies with the dealer and again with the dealer%§5%',
                  'a card twice with the dealer'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c"}',                             'KR001 %dealer%',
     'no dealer'),
    ('{"player": "As Ks", "dealer": "4h 4d"}',                                     'KR001 %board%',
      'no member board'),
    ('{"board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',                             'KR001 %player%',
     'no player'),
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d", "x": 1}',  'KR001 %x%',
          'a member of no meaning'),
    ('{"player": 5, "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',                'KR001 %player%',
     'a number for a hand'),
    ('[]', 'KR001 %', 'an array'), ('17', 'KR001 %', 'a number'),
    ('{"player": "As 1s", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',          '22P02 %',
            'what is no card')) v(document, answer, what);
SELECT alike(pg_temp.settle(:uncalled, document), answer,
             'R11.13: refused with the card and the rule: ' || what) FROM illegal;
SELECT alike(pg_temp.settle(:uncalled, '{"player": "As Ks", "board": "Qs Js 2d", "dealer": "2d 4d"}'),
             'KR001 The card 2d lies on the board and again with the dealer%',
             'R6.2: a board of three is checked too');
SELECT throws_ok(format($$ SELECT quote('casino_holdem', '{ante@10,call@20}', %L) $$, document),
                 left(answer, 5)::char(5), NULL, 'R11.17: quote() refuses ' || what) FROM illegal;
SELECT throws_ok($$ SELECT quote('casino_holdem', '{ante@10,call@20}',
                                 '{"player": "As Ks", "board": "Qs Js Ts", "dealer": "4h 4d"}') $$, 'KR001',
                                     NULL,
                 'D4 Casino Hold''em §7, R11.17: quote() of a call needs five board cards');
SELECT results_eq($$ SELECT grade
                       FROM quote('casino_holdem', '{ante@10,aa@20}',
                                  '{"player": "As Ks", "board": "Qs Js Ts", "dealer": "4h 4d"}') $$,
                  $$ VALUES ('lose'), ('lose') $$,
                 'D4 Casino Hold''em §7: quote() without a call does with three');
SELECT results_eq(format($$ SELECT status, wagers, staked, paid
                         FROM settle_round(%s,
                                           '{"player": "As Ks", "board": "Qs Js Ts", "dealer": "4h 4d"}') $$,
                                               :uncalled),
                  $$ VALUES ('settled', 3::bigint, 20.00, 0.00) $$,
    'R6.2: three board cards are enough when nobody called, a cancelled call apart; all folded');
SELECT results_eq(format('SELECT kind, status, grade, payout
                            FROM wager
                           WHERE round_id = %s AND player_id = pg_temp.id(%L)
                           ORDER BY entry_no',
                         :uncalled, 'late'),
                  $$ VALUES ('ante', 'lost', 'lose', 0.00), ('aa', 'lost', 'lose', 0.00),
                      ('razz', 'lost', 'lose', 0.00) $$,
    'D4 Casino Hold''em §7, §11, §12: a royal flush in the first five, folded, loses ante, AA and Razz');
SELECT open_round(:outcomes, 'all folded, five cards') AS folded \gset
SELECT place_bets(:folded, pg_temp.id('late'), '{ante@10,aa@7,razz@3}') AS a \gset
SELECT results_eq(format($$ SELECT status, paid
                         FROM settle_round(%s,
                                           '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", '
                                           '"dealer": "4h 4d"}') $$, :folded),
                  $$ VALUES ('settled', 0.00) $$, 'R6.2: five board cards without a call are accepted too');

-- one call among several players: five cards, and the retries
SELECT open_round(:outcomes, 'one called') AS called \gset
SELECT place_bets(:called, pg_temp.id('late'), '{ante@10,aa@7}', 'k1') AS a,
    place_bets(:called, pg_temp.id('fold'), '{ante@10}') AS b \gset
SELECT throws_ok(format($$ SELECT deal(%s, '{"player": "As Ks"}') $$, :called), 'KR002', NULL,
                 'R11.11: no cards are dealt before betting has closed');
SELECT close_betting(:called) \gset
SELECT max(entry_no) + 1 AS call_no FROM ledger WHERE player_id = pg_temp.id('late') \gset
SELECT is(place_bet(:called, pg_temp.id('late'), 'call@20', 'call'), :call_no::bigint,
          'R12.1: a call and its retries') FROM generate_series(1, 3);
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id('late'), 'call@21', 'call') $$, :called), 'KL003',
                 NULL, 'R12.1: the same key with another amount');
SELECT is((SELECT count(*) FROM ledger WHERE round_id = :called AND kind(bet) = 'call'), 1::bigint,
          'R12.1: retries of a call place one');
SELECT alike(pg_temp.settle(:called, '{"player": "As Ks", "board": "Qs Js Ts", "dealer": "4h 4d"}'),
             'KR001 %five cards and not 3%§7%', 'R6.2: three board cards are too few once one player called');
SELECT alike(pg_temp.settle(:called, document), answer, 'R11.13: refused with a call in the round: ' || what)
  FROM illegal;
SELECT lives_ok(format($$ SELECT deal(%s, '{"player": "As Ks", "board": "Qs Js Ts"}') $$, :called),
                'R11.11: the player''s cards and the flop, as they fall');
SELECT throws_ok(format('SELECT deal(%s, %L)', :called, document), 'KR001', NULL,
                 'R11.12: what was seen stays: ' || document)
  FROM unnest(ARRAY['{"player": "As Qd", "board": "Qs Js Ts"}', '{"player": "As As", "board": "Qs Js Ts"}',
                    '{"player": "As Ks", "board": "Qs Js Td"}', '{"player": "As Ks", "board": ""}']) document;
SELECT throws_ok(format($$ SELECT settle_round(%s,
                                               '{"player": "As Ks", "board": "Qs Jd Ts 2d 3c", '
                                               '"dealer": "4h 4d"}') $$, :called),
                 'KR001', NULL, 'R11.12: at settlement too');
SELECT lives_ok(format($$ SELECT deal(%s, '{"player": "Ks As", "board": "Ts Qs Js"}') $$, :called),
                'R11.11: in whatever order');
SELECT lives_ok(format($$ SELECT deal(%s,
                                      '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h"}') $$,
                                          :called), 'R11.11: then all cards so far');
SELECT bag_eq(format($$ SELECT side, cards::text FROM dealt_hand WHERE round_id = %s $$, :called),
              $$ VALUES ('player', 'As Ks'), ('board', 'Qs Js Ts 2d 3c'), ('dealer', '4h') $$,
                  'R11.11: they are kept');
SELECT throws_ok(format('SELECT deal(%s, %L)', :called, document), code, NULL,
                 'R11.11: no cards: ' || document)
FROM (VALUES ('{"player": "As Kx"}', '22P02'), ('{"players": "As Ks"}', 'KR001'), ('[]', 'KR001'),
      ('{"dealer": "5h"}', 'KR001')) v(document, code);
SELECT alike(pg_temp.settle(:called, '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "5h 4d"}'),
             'KR001 %dealer%4h%', 'R11.12: the dealer''s card that was seen stays');
SELECT results_eq(format($$ SELECT status, wagers, staked, paid
                         FROM settle_round(%s, %L) $$, :called, document),
                  -- ante 10 and 1000, call 20 and 20, AA 7 and 700
                  $$ VALUES ('settled', 4::bigint, 47.00, 1757.00) $$,
                      'R11.14: settled, and the same outcome again: ' || document)
FROM unnest(ARRAY['{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
                  '{"dealer": "4h4d", "board": "QsJsTs2d3c", "player": "AsKs"}',
                  '{"dealer": "4♥ 4♦", "board": "Q♠ J♠ 10♠ 2♦ 3♣", "player": "A♠ K♠"}']) document;
SELECT throws_ok(format($$ SELECT settle_round(%s,
                                               '{"player": "As Ks", "board": "Qs Js Ts 2d 4c", '
                                               '"dealer": "4h 4d"}') $$, :called),
                 'KR002', NULL, 'R11.14: another outcome afterwards');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id('fold'), 'call@20') $$, :called), 'KB001', NULL,
                 'R11.10: no call after the evaluation');
SELECT is((SELECT count(*) FROM ledger WHERE round_id = :called AND kind = 'payout'), 3::bigint,
          'R11.14: retries pay once');

-- withheld, then paid (R7.42, D4 §11.1)
SELECT open_round(:outcomes, 'withheld') AS withheld \gset
SELECT place_bets(:withheld, pg_temp.id('late'), '{ante@10,call@20}') AS a \gset
SELECT results_eq(format($$ SELECT status, staked, paid
                         FROM settle_round(%s,
                                           '{"player": "7h 6d", "board": "Ac Kd Js 9h 2s", '
                                           '"dealer": "3h 3d"}',
                                           withhold => true) $$, :withheld),
                  $$ VALUES ('withheld', 30.00, 40.00) $$, 'R7.42: a payout is withheld');
SELECT results_eq(format($$ SELECT kind, status, payout FROM wager WHERE round_id = %s
                         ORDER BY entry_no $$, :withheld), $$ VALUES ('ante', 'withheld', 20.00),
                             ('call', 'withheld', 20.00) $$, 'R7.42: it is known');
SELECT results_eq(format($$ SELECT status, staked, paid FROM pay_withheld(%s) $$, :withheld),
                  $$ VALUES ('settled', 30.00, 40.00) $$, 'R7.42: and paid later');

-- ------------------------------------------------------------------------------------------ plain INSERT

SELECT open_round(:outcomes, 'plain') AS plain \gset
CREATE FUNCTION pg_temp.plain(round_id bigint, bet bet) RETURNS text LANGUAGE sql AS $$
    SELECT format('INSERT INTO ledger (player_id, kind, round_id, bet) VALUES (%s, ''stake'', %s, %L)',
                  pg_temp.id('fold'), round_id, bet) $$;
SELECT throws_ok(pg_temp.plain(:plain, 'call@20'), 'KB005', NULL,
                 'R12.3: a plain INSERT of a call without ante');
SELECT throws_ok(pg_temp.plain(:plain, 'aa@20'), 'KB005', NULL, 'R12.3: a plain INSERT of AA without ante');
SELECT throws_ok(pg_temp.plain(:plain, 'ante@20000.01'), 'KB002', NULL,
                 'R12.3: a plain INSERT above the maximum');
SELECT lives_ok(pg_temp.plain(:plain, 'ante@10'), 'R12.3: a plain INSERT of an ante');
SELECT lives_ok(pg_temp.plain(:plain, 'razz@10'), 'R12.3: a plain INSERT of Razz with an ante');
SELECT close_betting(:plain) \gset
SELECT throws_ok(pg_temp.plain(:plain, 'razz@10'), 'KB001', NULL,
                 'R12.3: a plain INSERT of Razz after the close');
SELECT throws_ok(pg_temp.plain(:plain, 'call@19.99'), 'KB002', NULL,
                 'R12.3: a plain INSERT of a call of another amount');
SELECT lives_ok(pg_temp.plain(:plain, 'call@20'), 'R12.3: a plain INSERT of a call after the flop');
SELECT throws_ok(pg_temp.plain(:plain, 'call@20'), 'KB005', NULL, 'R12.3: a plain INSERT of a second call');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, amount, round_id,
                                               stake_entry_no) SELECT player_id, 'payout', 20, round_id,
                                                   entry_no
                             FROM ledger WHERE round_id = %s
                                 AND kind(bet) = 'ante' $$, :plain), 'KL004', NULL,
                                     'R12.5: a plain INSERT of a payout before the evaluation');
SELECT is(pg_temp.settle(:plain, '{"player": "6d 4h", "board": "3s 2c Ad Kh 6c", "dealer": "4c 4s"}'),
          'settled', 'the round of plain stakes');
SELECT results_eq(format('SELECT kind, payout FROM wager WHERE round_id = %s ORDER BY entry_no', :plain),
                  $$ VALUES ('ante', 20.00), ('razz', 260.00), ('call', 40.00) $$,
                  'D4 Casino Hold''em §16: plain stakes are paid like others');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, amount, round_id,
                                               stake_entry_no) SELECT player_id, 'payout', 20, round_id,
                                                   entry_no
                             FROM ledger WHERE round_id = %s
                                 AND kind(bet) = 'ante' $$, :plain), 'KL004', NULL,
                                     'R12.5: a plain INSERT of a payout twice');

-- ------------------------------------------------------------------------------------------ a live game

SELECT add_game_table('casino_holdem', 'second', 0.01, 20000) AS second \gset
SELECT open_round(:outcomes, 'live') AS live, open_round(:second, 'live') AS live2 \gset
SELECT place_bets(:live, pg_temp.id('late'), '{ante@10}') AS a \gset
SELECT throws_ok(format($$ SELECT place_bets(%s, pg_temp.id('late'), '{ante@10}') $$, :live2), 'KC002', NULL,
                 'R1.6, D4 §8.2: Casino Hold''em is a live game, one table at once');
SELECT close_betting(:live) \gset
SELECT throws_ok(format($$ SELECT place_bets(%s, pg_temp.id('late'), '{ante@10}') $$, :live2), 'KC002', NULL,
                 'R7.1, D4 §8.2: who folds plays until the evaluation');
SELECT is(pg_temp.settle(:live, '{"player": "6d 4h", "board": "3s 2c Ad", "dealer": "4c 4s"}'), 'settled',
          'evaluated');
SELECT lives_ok(format($$ SELECT place_bets(%s, pg_temp.id('late'), '{ante@10}') $$, :live2),
                'R1.6, D4 §8.2: afterwards the other table');
-- a run of bets of 120 minutes needs a break, which the call of an earlier ante does not
SET casino.clock_skew = -1;
SELECT register_player('long') AS long \gset
INSERT INTO named VALUES ('long', :long);
SELECT add_game_table('casino_holdem', 'long', 0.01, 20000) AS long_table,
    date_trunc('hour', now()) + interval '10 hours' AS t0, deposit(:long, 1000, at => now()) AS entry \gset
CREATE FUNCTION pg_temp.play_on(table_id bigint, t0 timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    r bigint;
BEGIN
    FOR m IN 0..110 BY 10 LOOP
        r := casino.open_round(table_id, 'long ' || m, t0 + make_interval(mins => m));
        PERFORM casino.place_bet(r, pg_temp.id('long'), 'ante@1', at => t0 + make_interval(mins => m));
        PERFORM casino.settle_round(r, '{"player": "6d 4h", "board": "3s 2c Ad", "dealer": "4c 4s"}',
                                    t0 + make_interval(mins => m + 5));
    END LOOP;
END $$;
SELECT pg_temp.play_on(:long_table, :'t0') \gset
SELECT open_round(:long_table, 'last', :'t0'::timestamptz + interval '119 minutes') AS last \gset
SELECT lives_ok(format($$ SELECT place_bet(%s, %s, 'ante@1',
                                           at => %L::timestamptz + interval '119 minutes') $$, :last, :long,
                                               :'t0'), 'R7.8: an ante after 119 minutes');
SELECT lives_ok(format($$ SELECT close_betting(%s, %L::timestamptz + interval '120 minutes') $$, :last,
                       :'t0'), 'betting closes after 120');
SELECT lives_ok(format($$ SELECT place_bet(%s, %s, 'call@2',
                                           at => %L::timestamptz + interval '121 minutes') $$, :last, :long,
                                               :'t0'),
                'R7.9: the call of it after 121 minutes is always accepted');
SELECT lives_ok(format($$ SELECT settle_round(%s,
                                              '{"player": "6d 4h", "board": "3s 2c Ad Kh 6c", '
                                              '"dealer": "4c 4s"}',
                                              %L::timestamptz + interval '122 minutes') $$, :last, :'t0'),
                'evaluated after 122');
SELECT open_round(:long_table, 'break', :'t0'::timestamptz + interval '123 minutes') AS break \gset
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'ante@1',
                                            at => %L::timestamptz + interval '136 minutes 59 seconds') $$,
                                                :break, :long, :'t0'), 'KC001', NULL,
                                                    'R7.7, D4 §8.3: then a break of 15 minutes');
SELECT lives_ok(format($$ SELECT place_bet(%s, %s, 'ante@1',
                                           at => %L::timestamptz + interval '137 minutes') $$, :break, :long,
                                               :'t0'),
                'R11.10, D4 §8.3: exactly 15 minutes after the evaluation');

SELECT is((SELECT sum(balance) FROM trial_balance), 0.00, 'R12.4: the ledger balances');
SELECT * FROM finish();
