-- Texas Hold'em cash game 25/50: D2 Texas Holdem, readings R6.8 to R6.25.  Pots and shares were worked out by
-- hand; a settlement haléř by haléř checks random hands.  Another seed: CASINO_SEED=0.123 (-1 to 1); more
-- hands:
-- CASINO_HANDS=20000.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
\set seed 0.20260513
\set hands 1500
\getenv seed CASINO_SEED
\getenv hands CASINO_HANDS
SELECT no_plan();
SELECT diag(format('seed %s, %s random hands', :'seed', :'hands'));

-- ----------------------------------------------------------------------------------------- constructed hands

-- Two cards each, best first, on the board Kh 9d 5c 3s 2d, where no four, thus no straight, and no flush is
-- dealt.  A1 and A2 are worth the same, as are Q1 and Q2 ...; all W too: K Q J 9 5.
CREATE TEMP TABLE hole (name text PRIMARY KEY, cards hand);
INSERT INTO hole VALUES
    ('K',  'Ks Kd'), ('N',  '9h 9s'), ('A1', 'Ah Ad'), ('A2', 'Ac As'), ('Q1', 'Qh Qd'), ('Q2', 'Qc Qs'),
        ('J1', 'Jh Jd'), ('J2', 'Jc Js'),
    ('T1', 'Th Td'), ('T2', 'Tc Ts'), ('E1', '8h 8d'), ('E2', '8c 8s'), ('S1', '7h 7d'), ('S2', '7c 7s'),
        ('X1', '6h 6d'), ('X2', '6c 6s'),
    ('W1', 'Qh Jh'), ('W2', 'Qd Jd'), ('W3', 'Qc Jc'), ('W4', 'Qs Js');
-- A seat is "cards CZK": a name above, or cards; "f" folded, "K!" folded with cards shown, "n" nothing shown;
-- "-" is empty.
CREATE FUNCTION pg_temp.seat(spec text, OUT paid numeric, OUT folded boolean,
                             OUT cards hand) LANGUAGE plpgsql AS $$
DECLARE
    word CONSTANT text := split_part(spec, ' ', 1);
BEGIN
    paid := coalesce(nullif(split_part(spec, ' ', 2), ''), '0');
    folded := word IN ('f', '-') OR word LIKE '%!';
    IF word NOT IN ('f', 'n', '-') THEN
        SELECT h.cards INTO cards FROM hole h WHERE h.name = rtrim(word, '!');
        IF NOT FOUND THEN
            cards := rtrim(word, '!');
        END IF;
    END IF;
END $$;
CREATE FUNCTION pg_temp.pots(seats text[], button integer,
                             board text DEFAULT 'Kh 9d 5c 3s 2d') RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(CASE p.pot WHEN 0 THEN 'back' ELSE p.amount || ' ' || p.contenders::text || ' >' END
                      || ' ' || w.shares, ' | ' ORDER BY p.place)
      FROM (SELECT array_agg((s).paid ORDER BY n) AS paid, array_agg((s).folded ORDER BY n) AS folded,
            array_agg((s).cards ORDER BY n) AS cards
              FROM unnest($1) WITH ORDINALITY AS u(spec, n) CROSS JOIN LATERAL pg_temp.seat(u.spec) s) h
     CROSS JOIN LATERAL split_pots(h.paid, h.folded, h.cards, $3::hand, $2) WITH ORDINALITY AS p(pot, amount,
             contenders, winners, shares, place)
     CROSS JOIN LATERAL (SELECT string_agg(x.n || '=' || x.share, ' ' ORDER BY x.n) AS shares
                           FROM unnest(p.shares) WITH ORDINALITY AS x(share, n)
                               WHERE x.n = ANY (p.winners)) w $$;

CREATE TEMP TABLE made (id serial, seats text[], button integer, board text DEFAULT 'Kh 9d 5c 3s 2d',
                        pots text, what text);
INSERT INTO made (what, seats, button, pots) VALUES
    -- two players
    ('heads-up',                         '{K 100,A1 100}', 1, '200.00 {1,2} > 1=200.00'),
    ('heads-up, a tie',                  '{A1 100,A2 100}', 1, '200.00 {1,2} > 1=100.00 2=100.00'),
    ('an uncalled raise of the winner',  '{K 100,A1 60}', 1, '120.00 {1,2} > 1=120.00 | back 1=40.00'),
    ('an uncalled raise of the loser',   '{A1 100,K 60}', 1, '120.00 {1,2} > 2=120.00 | back 1=40.00'),
    ('a tie with an uncalled raise',     '{A1 100.01,A2 100}', 2,
     '200.00 {1,2} > 1=100.00 2=100.00 | back 1=0.01'),
    -- won without showdown, no cards
    ('the small blind folds',            '{n 50,f 25}', 2, '50.00 {1} > 1=50.00 | back 1=25.00'),
    ('a fold to an equal stake',         '{n 100,f 100}', 1, '200.00 {1} > 1=200.00'),
    ('all fold to a bet on the river',   '{f 100,f 50,n 180,f 100}', 1,
        -- 80 nobody called; 4 x 50 + 3 x 50
        '350.00 {3} > 3=350.00 | back 3=80.00'),
    ('nobody paid anything but one',     '{n 50,f 0}', 1, 'back 1=50.00'),
    -- three players, all-ins of different height
    ('the short stack is best',          '{K 50,A1 100,Q1 100}', 1,
     '150.00 {1,2,3} > 1=150.00 | 100.00 {2,3} > 2=100.00'),
    ('the short stack is worst',         '{Q1 50,K 100,A1 100}', 1,
     '150.00 {1,2,3} > 2=150.00 | 100.00 {2,3} > 2=100.00'),
    ('three heights, the lowest best',   '{K 30,A1 60,Q1 90}', 2,
     '90.00 {1,2,3} > 1=90.00 | 60.00 {2,3} > 2=60.00 | back 3=30.00'),
    ('three heights, the middle best',   '{A1 30,K 60,Q1 90}', 2,
     '90.00 {1,2,3} > 2=90.00 | 60.00 {2,3} > 2=60.00 | back 3=30.00'),
    ('three heights, the highest best',  '{Q1 30,A1 60,K 90}', 2,
     '90.00 {1,2,3} > 3=90.00 | 60.00 {2,3} > 3=60.00 | back 3=30.00'),
    -- folded money
    -- 3 x 40 + 2 x 60
    ('folded money in the main pot',     '{K 100,f 40,A1 100}', 1, '240.00 {1,3} > 1=240.00'),
    ('folded money in a side pot',       '{K 50,A1 200,f 150,Q1 200}', 3,
        -- 4 x 50; 3 x 100 + 2 x 50
        '200.00 {1,2,4} > 1=200.00 | 400.00 {2,4} > 2=400.00'),
    ('folded money of two in two pots',  '{f 10,K 50,f 70,A1 120,Q1 120}', 3,
        -- 5 x 10 + 4 x 40; 3 x 20 + 2 x 50
        '210.00 {2,4,5} > 2=210.00 | 160.00 {4,5} > 4=160.00'),
    -- 3 x 60 + 2 x 20
    ('folded below an uncalled bet',     '{A1 80,f 60,K 100}', 1, '220.00 {1,3} > 3=220.00 | back 3=20.00'),
    ('a caller folds later, a side pot of one', '{K 50,A1 100,f 100}', 1,
     '150.00 {1,2} > 1=150.00 | 100.00 {2} > 2=100.00'),
    ('all-in below the folded blind',    '{K 5,f 25,A1 50}', 1,
     '15.00 {1,3} > 1=15.00 | 40.00 {3} > 3=40.00 | back 3=25.00'),
    ('a folded best hand wins nothing',  '{K! 50,A1 50,Q1 50}', 1, '150.00 {2,3} > 2=150.00'),
    ('who paid nothing is not in',       '{K! 0,A1 50,Q1 50}', 1, '100.00 {2,3} > 2=100.00'),
    -- four players and more
    ('four heights, the lowest best',    '{K 10,Q1 20,E1 30,X1 40}', 4,
     '40.00 {1,2,3,4} > 1=40.00 | 30.00 {2,3,4} > 2=30.00 | 20.00 {3,4} > 3=20.00 | back 4=10.00'),
    ('four heights, the highest best',   '{X1 10,E1 20,Q1 30,K 40}', 4,
     '40.00 {1,2,3,4} > 4=40.00 | 30.00 {2,3,4} > 4=30.00 | 20.00 {3,4} > 4=20.00 | back 4=10.00'),
    ('two all-ins of one height',        '{K 40,A1 40,Q1 100,J1 100,f 25}', 5,
        -- 5 x 25 + 4 x 15; 2 x 60
        '185.00 {1,2,3,4} > 1=185.00 | 120.00 {3,4} > 3=120.00'),
    ('six players, empty seats between', '{-,K 20,-,A1 60,f 60,Q1 60,-,N 40,J1 10,f 30}', 1,
        -- 7 x 10; 6 x 10; 5 x 10 + 4 x 10; 3 x 20: K, N, A1
        '70.00 {2,4,6,8,9} > 2=70.00 | 60.00 {2,4,6,8} > 2=60.00 | 90.00 {4,6,8} > 8=90.00 '
        '| 60.00 {4,6} > 4=60.00'),
    -- ties in one pot and not in another
    ('a tie in the main pot only',       '{A1 50,A2 100,Q1 100}', 1,
     '150.00 {1,2,3} > 1=75.00 2=75.00 | 100.00 {2,3} > 2=100.00'),
    ('a tie in the side pot only',       '{K 50,A1 100,A2 100}', 1,
     '150.00 {1,2,3} > 1=150.00 | 100.00 {2,3} > 2=50.00 3=50.00'),
    ('a tie in each pot, of others',     '{A1 50,A2 50,Q1 100,Q2 100}', 1,
     '200.00 {1,2,3,4} > 1=100.00 2=100.00 | 100.00 {3,4} > 3=50.00 4=50.00'),
    ('four alike of four heights',       '{W1 10,W2 20,W3 30,W4 40}', 1,
        '40.00 {1,2,3,4} > 1=10.00 2=10.00 3=10.00 4=10.00 | 30.00 {2,3,4} > 2=10.00 3=10.00 4=10.00 '
        '| 20.00 {3,4} > 3=10.00 4=10.00 | back 4=10.00'),
    ('a tie below a better hand',        '{K 10,A1 30,A2 40,Q1 40}', 1,
        -- 4 x 10; 3 x 20; 2 x 10
        '40.00 {1,2,3,4} > 1=40.00 | 60.00 {2,3,4} > 2=30.00 3=30.00 | 20.00 {3,4} > 3=20.00'),
    -- odd haléře, one each from the left of the button
    ('an odd haléř, button with the first',    '{A1 0.05,A2 0.05,f 0.01}', 1, '0.11 {1,2} > 1=0.05 2=0.06'),
    ('an odd haléř, button with the second',   '{A1 0.05,A2 0.05,f 0.01}', 2, '0.11 {1,2} > 1=0.06 2=0.05'),
    ('an odd haléř, button with who folded',   '{A1 0.05,A2 0.05,f 0.01}', 3, '0.11 {1,2} > 1=0.06 2=0.05'),
    ('an odd haléř, button at an empty seat',  '{-,W1 1,-,-,W2 1,-,-,W3 1,f 0.01}', 3,
     '3.01 {2,5,8} > 2=1.00 5=1.01 8=1.00'),
    ('two odd haléře, button at an empty seat', '{-,W1 1,-,-,W2 1,-,-,W3 1,f 0.02}', 6,
     '3.02 {2,5,8} > 2=1.01 5=1.00 8=1.01'),
    ('two odd haléře, button at the last seat', '{-,W1 1,-,-,W2 1,-,-,W3 1,f 0.02}', 10,
     '3.02 {2,5,8} > 2=1.01 5=1.01 8=1.00'),
    ('odd haléře in two pots',                 '{W1 0.05,W2 0.10,W3 0.10,f 0.06}', 4,
        -- 4 x 5 = 20 to 1, 2, 3; 3 x 1 + 2 x 4 = 11 to 2, 3
        '0.20 {1,2,3} > 1=0.07 2=0.07 3=0.06 | 0.11 {2,3} > 2=0.06 3=0.05'),
    ('odd haléře in two pots, another button', '{W1 0.05,W2 0.10,W3 0.10,f 0.06}', 2,
        -- from the left of the button: 3, 1, 2
        '0.20 {1,2,3} > 1=0.07 2=0.06 3=0.07 | 0.11 {2,3} > 2=0.05 3=0.06'),
    -- 5 + 4 + 3 + 4: each for itself would be odd
    ('pots of the same contenders are one',    '{W1 0.05,W2 0.05,f 0.01,f 0.02,f 0.03}', 5,
     '0.16 {1,2} > 1=0.08 2=0.08'),
    -- nine players
    ('nine heights, the lowest best',    '{K 10,N 20,A1 30,Q1 40,J1 50,T1 60,E1 70,S1 80,X1 90}', 9,
        '90.00 {1,2,3,4,5,6,7,8,9} > 1=90.00 | 80.00 {2,3,4,5,6,7,8,9} > 2=80.00 '
        '| 70.00 {3,4,5,6,7,8,9} > 3=70.00 | 60.00 {4,5,6,7,8,9} > 4=60.00'
        ' | 50.00 {5,6,7,8,9} > 5=50.00 | 40.00 {6,7,8,9} > 6=40.00 | 30.00 {7,8,9} > 7=30.00 '
        '| 20.00 {8,9} > 8=20.00 | back 9=10.00'),
    ('nine heights, the highest best',   '{X1 10,S1 20,E1 30,T1 40,J1 50,Q1 60,A1 70,N 80,K 90}', 9,
        '90.00 {1,2,3,4,5,6,7,8,9} > 9=90.00 | 80.00 {2,3,4,5,6,7,8,9} > 9=80.00 '
        '| 70.00 {3,4,5,6,7,8,9} > 9=70.00 | 60.00 {4,5,6,7,8,9} > 9=60.00'
        ' | 50.00 {5,6,7,8,9} > 9=50.00 | 40.00 {6,7,8,9} > 9=40.00 | 30.00 {7,8,9} > 9=30.00 '
        '| 20.00 {8,9} > 9=20.00 | back 9=10.00'),
    ('nine players, seven folded',       '{f 1,f 2,A1 9,f 3,f 4,f 5,A2 9,f 6,f 7}', 8,
        -- 28 folded and 18
        '46.00 {3,7} > 3=23.00 7=23.00');
INSERT INTO made (what, seats, button, board, pots) VALUES
    ('nine players, the royal flush on the board', '{X1 10,X2 10,S1 10,S2 10,E1 10,E2 10,N 10,Q1 10,J1 10}',
     4, 'As Ks Qs Js Ts',
        '90.00 {1,2,3,4,5,6,7,8,9} > 1=10.00 2=10.00 3=10.00 4=10.00 5=10.00 6=10.00 7=10.00 8=10.00 '
        '9=10.00'),
    ('two pairs on the board, the fifth card decides', '{QhTd 50,8c7c 50,3d2c 50}', 1, 'Ah Ad Ks Kc 9h',
     '150.00 {1,2,3} > 1=150.00'),
    ('two pairs and the nine on the board: a tie', '{f 50,8c7c 50,3d2c 50}', 1, 'Ah Ad Ks Kc 9h',
     '150.00 {2,3} > 2=75.00 3=75.00'),
    ('seven cards: one of the hand plays',         '{2h3d 50,AhKc 50,4c5d 50}', 1, 'Qh Jh Th 9h 8d',
     '150.00 {1,2,3} > 2=150.00'),
    ('won on the turn with four cards on the board', '{n 100,f 60}', 2, 'Qh Jh Th 9h',
     '120.00 {1} > 1=120.00 | back 1=40.00');
SELECT is(pg_temp.pots(seats, button, board), pots, format('R6.10, D2 Texas Holdem, Showdown: %s', what))
  FROM made ORDER BY id;
SELECT ok((SELECT count(*) FROM made) >= 30, 'issue 4: at least thirty constructed hands');
SELECT is(pg_temp.pots('{A1 999999999999.99,A2 999999999999.99,f 0.01}', 1),
          '1999999999999.99 {1,2} > 1=999999999999.99 2=1000000000000.00', 'R2.7: the greatest amounts');

-- what each seat gets in all, of the text above
CREATE FUNCTION pg_temp.totals(pots text) RETURNS TABLE (seat integer, amount numeric) LANGUAGE sql AS $$
    SELECT m[1]::integer, sum(m[2]::numeric) FROM regexp_matches($1, '(\d+)=([\d.]+)', 'g') m GROUP BY 1 $$;
SELECT is_empty($$ SELECT id, what
                     FROM made
                    WHERE (SELECT sum(amount) FROM pg_temp.totals(pots))
                          <> (SELECT sum((pg_temp.seat(s)).paid) FROM unnest(seats) s) $$,
                'R6.8: no rake; in these hands all that was paid is given out');
SELECT is_empty($$ SELECT m.id, m.what, x.seat, x.won, x.returned FROM made m
                   CROSS JOIN LATERAL (SELECT array_agg((s).paid ORDER BY n) AS paid,
                                       array_agg((s).folded ORDER BY n) AS folded,
                                           array_agg((s).cards ORDER BY n) AS cards
                                         FROM unnest(m.seats) WITH ORDINALITY AS u(spec, n)
                                             CROSS JOIN LATERAL pg_temp.seat(u.spec) s) h
                   CROSS JOIN LATERAL pot_shares(h.paid, h.folded, h.cards, m.board::hand, m.button) x
                   WHERE x.won IS DISTINCT FROM coalesce((SELECT amount
                                                          FROM pg_temp.totals(regexp_replace(m.pots, 'back.*',
                                                                  '')) t WHERE t.seat = x.seat), 0.00)
                      OR x.returned IS DISTINCT FROM coalesce((SELECT amount
                              FROM pg_temp.totals(substring(m.pots FROM 'back.*')) t
                                  WHERE t.seat = x.seat), 0.00) $$,
                'R6.9: pot_shares() adds up what a seat wins and what it gets back');

SELECT throws_ok(format('SELECT pg_temp.pots(%L, %s, %L)', seats, button, board), code, NULL,
                 'R6.11: no hand: ' || what)
FROM (VALUES ('{f 50,f 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'all folded'),
      ('{-,-}', 1, '', 'KR001', 'nobody paid'),
             ('{f 100,A1 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'the highest folded to his own raise'),
             ('{f 100,f 100,A1 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001',
              'a level that only folded seats paid'),
             ('{f 60,n 50}', 1, '', 'KR001', 'folded with more than the winner paid'),
             ('{A1 50,n 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'no cards at a showdown'),
             ('{A1 50,Q1 50}', 1, '', 'KR001', 'a showdown without board'),
                 ('{A1 50,Q1 50}', 1, 'Kh 9d 5c', 'KR001', 'a showdown on the flop'),
             ('{A1 50,Q1 50}', 1, 'Kh 9d 5c 3s', 'KR001', 'a showdown on the turn'),
                 ('{A1 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d 2c', 'KR001', 'a board of six'),
             ('{n 50,f 50}', 1, 'Kh 9d', 'KR001', 'a board of two'),
                 ('{A1 50,Q1 50}', 1, 'Kh 9d 5c 3s Ah', 'KR001', 'a card in a hand and on the board'),
             ('{A1 50,A1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'a card in two hands'),
                 ('{A1 50,A1! 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'a card in a folded hand too'),
             ('{A1 50,Q1 50}', 1, 'Kh 9d 5c 3s 3s', 'KR001', 'a card twice on the board'),
                 ('{AhAdKc 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'three cards in a hand'),
             ('{Ah 50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', 'KR001', 'one card in a hand'),
                 ('{A1 50,Q1 50}', 0, 'Kh 9d 5c 3s 2d', '22003', 'a button at seat 0'),
             ('{A1 50,Q1 50}', 11, 'Kh 9d 5c 3s 2d', '22003', 'a button at seat 11'),
                 ('{A1 -50,Q1 50}', 1, 'Kh 9d 5c 3s 2d', '22003', 'a negative amount'),
             ('{A1 0.001,Q1 50}', 1, 'Kh 9d 5c 3s 2d', '22003', 'part of a haléř'),
                 ('{A1 NaN,Q1 50}', 1, 'Kh 9d 5c 3s 2d', '22003', 'no number'),
             ('{A1 Infinity,Q1 50}', 1, 'Kh 9d 5c 3s 2d', '22003', 'an infinite amount'),
                 ('{A1 1000000000000,Q1 50}', 1, 'Kh 9d 5c 3s 2d', '22003', 'too large an amount'))
     v(seats, button, board, code, what);
SELECT throws_ok(format('SELECT split_pots(%s)', args), code, NULL, 'R6.14: split_pots() refuses ' || what)
FROM (VALUES ($$'{1,1}', '{f}', '{AhAd,KsKd}', 'Kh9d5c3s2d', 1$$, '2202E', 'arrays of different length'),
      ($$'{1,1}', '{f,f}', '{AhAd}', 'Kh9d5c3s2d', 1$$, '2202E', 'too few hands'),
             ($$'{1,NULL}', '{f,f}', '{AhAd,KsKd}', 'Kh9d5c3s2d', 1$$, '22004', 'no amount'),
                 ($$'{1,1}', '{f,NULL}', '{AhAd,KsKd}', 'Kh9d5c3s2d', 1$$, '22004', 'folded unknown'),
             ($$'{{1,1}}', '{f,f}', '{AhAd,KsKd}', 'Kh9d5c3s2d', 1$$, '2202E', 'two dimensions'),
             ($$array_fill(1::numeric, '{11}'), array_fill(true, '{11}'), array_fill(NULL::hand, '{11}'), '',
              1$$, '22023', 'eleven seats')) v(args, code, what);

-- --------------------------------------------------------------------------------- a slow settlement (R6.16)

-- Each haléř that every seat paid is laid down in turn.  One that only one seat paid goes back.  The others
-- lie in a pot for those who paid that haléř and did not fold; as long as these are the same, it is the same
-- pot.  A pot is handed out one haléř at a time, round the table from the left of the button, to the best
-- hands among them.  NULL: cannot be.
CREATE FUNCTION pg_temp.slow(paid integer[], folded boolean[], hands hand[], board hand,
                             button integer) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
    seats CONSTANT integer := cardinality(paid);
    got integer[] := array_fill(0, ARRAY[seats]);
    pot_money integer[] := '{}';
    pot_for jsonb[] := '{}';
    payers integer[];
    contenders integer[];
    best integer;
    seat integer;
BEGIN
    IF 0 = ALL (paid) THEN
        RETURN NULL;
    END IF;
    FOR unit IN 1 .. (SELECT max(p) FROM unnest(paid) p) LOOP
        payers := ARRAY (SELECT s FROM generate_series(1, seats) s WHERE paid[s] >= unit);
        contenders := ARRAY (SELECT s FROM unnest(payers) s WHERE NOT folded[s]);
        IF contenders = '{}' THEN
            RETURN NULL;
        ELSIF cardinality(payers) = 1 THEN
            got[payers[1]] := got[payers[1]] + 1;
        ELSIF pot_for[cardinality(pot_for)] = to_jsonb(contenders) THEN
            pot_money[cardinality(pot_money)] := pot_money[cardinality(pot_money)] + cardinality(payers);
        ELSE
            pot_for := pot_for || to_jsonb(contenders);
            pot_money := pot_money || cardinality(payers);
        END IF;
    END LOOP;
    FOR pot IN 1 .. cardinality(pot_for) LOOP
        contenders := ARRAY (SELECT s::integer FROM jsonb_array_elements_text(pot_for[pot]) s);
        IF cardinality(contenders) > 1 THEN
            best := (SELECT min(casino.poker_rank(hand(cards(hands[s]) || cards(board))))
                     FROM unnest(contenders) s);
            contenders := ARRAY (SELECT s FROM unnest(contenders) s
                                 WHERE casino.poker_rank(hand(cards(hands[s]) || cards(board))) = best);
        END IF;
        seat := button;
        WHILE pot_money[pot] > 0 LOOP
            seat := seat % 10 + 1;
            IF seat = ANY (contenders) THEN
                got[seat] := got[seat] + 1;
                pot_money[pot] := pot_money[pot] - 1;
            END IF;
        END LOOP;
    END LOOP;
    RETURN got;
END $$;
SELECT is_empty($$ SELECT m.what FROM made m
                   CROSS JOIN LATERAL (SELECT array_agg(((s).paid * 100)::integer ORDER BY n) AS paid,
                                       array_agg((s).folded ORDER BY n) AS folded,
                                           array_agg((s).cards ORDER BY n) AS cards
                                         FROM unnest(m.seats) WITH ORDINALITY AS u(spec, n)
                                             CROSS JOIN LATERAL pg_temp.seat(u.spec) s) h
                   WHERE (SELECT sum(p) FROM unnest(h.paid) p) < 1000
                     AND pg_temp.slow(h.paid, h.folded, h.cards, m.board::hand, m.button)
                         IS DISTINCT FROM ARRAY (SELECT coalesce((SELECT amount * 100
                                 FROM pg_temp.totals(m.pots) t WHERE t.seat = s), 0)::integer
                                     FROM generate_series(1, cardinality(m.seats)) s) $$,
                'the slow settlement agrees with the small hands worked out by hand');

CREATE TEMP TABLE random_hand (id integer, paid integer[], folded boolean[], hands hand[], board hand,
                               button integer, slow integer[], got integer[], code text);
CREATE PROCEDURE pg_temp.random_hands(seed double precision, count integer) LANGUAGE plpgsql AS $$
DECLARE
    deck card[];
    h random_hand;
    players integer[];
    top integer;
BEGIN
    PERFORM setseed(seed);
    FOR i IN 1 .. count LOOP
        h := NULL;
        h.id := i;
        -- boards on which ties are common, and any
        h.board := (ARRAY['As Kd Qh Jc Ts', 'Ah Ad Ks Kc 9h', '8h 8d 8s 8c Ah',
                          'Ah Kh Qd 7s 7c'])[1 + floor(random() * 8)::integer];
        deck := ARRAY (SELECT (r || s)::card FROM unnest('{2,3,4,5,6,7,8,9,T,J,Q,K,A}'::text[]) r
                       CROSS JOIN unnest('{c,d,h,s}'::text[]) s ORDER BY random());
        IF h.board IS NULL THEN
            h.board := hand(deck[48:52]);
        END IF;
        deck := ARRAY (SELECT d.c FROM unnest(deck) WITH ORDINALITY AS d(c, n)
                       WHERE d.c <> ALL (cards(h.board)) ORDER BY d.n);
        players := (SELECT array_agg(s) FROM (SELECT s FROM generate_series(1, 10) s ORDER BY random()
                                              LIMIT 2 + i % 8) x);
        top := (ARRAY[3, 12, 40])[1 + floor(random() * 3)::integer];
        h.button := 1 + floor(random() * 10)::integer;
        FOR s IN 1 .. 10 LOOP
            h.paid[s] := CASE WHEN s <> ALL (players) THEN 0 WHEN random() < 0.5 THEN top
                ELSE floor(random() * (top + 3))::integer END;
            h.folded[s] := s <> ALL (players) OR random() < 0.3;
            h.hands[s] := CASE WHEN NOT h.folded[s] OR random() < 0.2 THEN hand(deck[2 * s - 1 : 2 * s]) END;
        END LOOP;
        h.slow := pg_temp.slow(h.paid, h.folded, h.hands, h.board, h.button);
        BEGIN
            SELECT array_agg(((x.won + x.returned) * 100)::integer ORDER BY x.seat) INTO h.got
              FROM pot_shares(ARRAY (SELECT p * 0.01 FROM unnest(h.paid) p), h.folded, h.hands, h.board,
                              h.button) x;
        EXCEPTION WHEN OTHERS THEN
            h.code := SQLSTATE;     -- compared below
        END;
        INSERT INTO random_hand SELECT h.*;
    END LOOP;
END $$;
CALL pg_temp.random_hands(:seed, :hands);
SELECT is((SELECT count(*) FROM random_hand), :hands::bigint, 'random hands of two to nine players');
SELECT is_empty($$ SELECT * FROM random_hand WHERE slow IS NOT NULL
                AND got IS DISTINCT FROM slow $$,
                    format('R6.16: with seed %s every hand is settled as haléř by haléř', :'seed'));
SELECT is_empty($$ SELECT * FROM random_hand WHERE slow IS NULL
                AND code IS DISTINCT FROM 'KR001' $$, 'R6.11: hands that cannot be are refused');
SELECT is_empty($$ SELECT * FROM random_hand WHERE got IS NOT NULL
                AND (SELECT sum(g) FROM unnest(got) g) <> (SELECT sum(p) FROM unnest(paid) p) $$,
                    'R6.8: money only moves between the players');
SELECT is_empty($$ SELECT h.id, s, h.paid, h.got FROM random_hand h CROSS JOIN generate_series(1, 10) s
                    WHERE h.got[s] > (SELECT sum(least(p, h.paid[s])) FROM unnest(h.paid) p) $$,
    'D2 Texas Holdem, Pravidlo all-in: nobody wins more from another than he put in himself');
SELECT cmp_ok((SELECT count(*) FROM random_hand WHERE slow IS NOT NULL), '>', :hands::bigint / 2,
              'more than half of them are settled');
SELECT cmp_ok((SELECT count(*) FROM random_hand WHERE slow IS NULL), '>', 0::bigint, 'and some refused');
SELECT bag_eq('SELECT DISTINCT (SELECT count(*) FROM unnest(paid, folded) AS x(p, f) WHERE p > 0 OR NOT f)
                 FROM random_hand
                WHERE slow IS NOT NULL
               INTERSECT
               SELECT generate_series(2, 9)::bigint',
              'SELECT generate_series(2, 9)::bigint', 'of each number of players from two to nine');

-- ------------------------------------------------------------------------------------------ real rounds

SELECT add_game_table('holdem_cash_25_50', 'rounds', 0.01, 1000000) AS rounds,
    add_game_table('holdem_cash_25_50', 'six', 25, 1000, '{"seats": 6}') AS six \gset
CREATE TEMP TABLE who AS SELECT seat, register_player('seat ' || seat) AS id FROM generate_series(1, 10) seat;
SELECT count(deposit(id, 1000000)) AS entries FROM who \gset
CREATE FUNCTION pg_temp.id(integer)
RETURNS bigint
LANGUAGE sql AS 'SELECT id FROM pg_temp.who WHERE seat = $1';
CREATE SEQUENCE hand_no;
-- A round in which the player of each seat pays "25+75", in two stakes: the first ones before betting closes,
-- the others after it.
CREATE FUNCTION pg_temp.sit(table_id bigint, paid text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(table_id, 'hand ' || nextval('hand_no'));
BEGIN
    FOR line IN 1 .. 5 LOOP
        PERFORM casino.place_bet(r, pg_temp.id(s), ('pot@' || split_part(paid[s], '+', line))::casino.bet,
                                 seat => s)
           FROM generate_series(1, cardinality(paid)) s WHERE split_part(paid[s], '+', line) NOT IN ('', '0');
        IF line = 1 THEN
            PERFORM casino.close_betting(r);
        END IF;
    END LOOP;
    RETURN r;
END $$;
-- An outcome; seats as above without amounts.  Actions: "preflop 1:small_blind 2:big_blind 3:raise:150
-- 4:all_in:80 flop 2:check ..."
CREATE FUNCTION pg_temp.actions(actions text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    list jsonb := '[]';
    street text;
    word text;
BEGIN
    FOREACH word IN ARRAY regexp_split_to_array(actions, ' +') LOOP
        IF word NOT LIKE '%:%' THEN
            street := word;
            CONTINUE;
        END IF;
        list := list || jsonb_strip_nulls(jsonb_build_object('street', street, 'seat',
                split_part(word, ':', 1)::integer, 'action', split_part(word, ':', 2),
                                          'to', nullif(split_part(rtrim(word, '!'), ':', 3), '')::numeric,
                                              'all_in', CASE WHEN word LIKE '%!' THEN true END));
        street := NULL;
    END LOOP;
    RETURN list;
END $$;
CREATE FUNCTION pg_temp.doc(button integer, board text, seats text[],
                            actions text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object('button', $1, 'board', nullif($2, ''), 'actions', CASE
                                                WHEN $4 IS NOT NULL THEN pg_temp.actions($4) END,
               'seats', (SELECT jsonb_agg(jsonb_build_object('seat', n, 'cards', nullif((s).cards::text, ''),
                       'folded', CASE WHEN (s).folded THEN true END) ORDER BY n)
                           FROM unnest($3) WITH ORDINALITY AS u(spec, n)
                               CROSS JOIN LATERAL pg_temp.seat(u.spec) s WHERE u.spec <> '-'))) $$;
CREATE FUNCTION pg_temp.settle(round_id bigint, document jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    s casino.settlement;
BEGIN
    s := casino.settle_round(round_id, document);
    RETURN format('%s: %s staked, %s paid, house %s', s.status, s.staked, s.paid, s.house_result);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || coalesce(nullif(detail, ''), SQLERRM);
END $$;
-- what the seats of a round were paid: "1=220.00 3=25.00"
CREATE FUNCTION pg_temp.paid(bigint) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(seat || '=' || amount, ' ' ORDER BY seat), '')
      FROM (SELECT seat, sum(amount) AS amount FROM ledger
            WHERE round_id = $1 AND kind IN ('payout', 'refund') GROUP BY seat) x $$;

-- each constructed hand above as a round, half of every stake before the close
CREATE TEMP TABLE dealt (id integer, round_id bigint, answer text);
CREATE FUNCTION pg_temp.play(table_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    m record;
    r bigint;
BEGIN
    FOR m IN SELECT id, seats, button, board, ARRAY (SELECT split_part(s, ' ', 1)
                                                     FROM unnest(seats) s) AS cards,
                    ARRAY (SELECT CASE WHEN paid >= 0.02 THEN paid - round(paid / 2, 2) || '+'
                           || round(paid / 2, 2) ELSE paid::text END
                             FROM unnest(seats) WITH ORDINALITY AS u(spec, n)
                                 CROSS JOIN LATERAL pg_temp.seat(u.spec) s ORDER BY n) AS paid
               FROM pg_temp.made ORDER BY id LOOP
        r := pg_temp.sit(table_id, m.paid);
        INSERT INTO dealt VALUES (m.id, r, pg_temp.settle(r,
                                                          pg_temp.doc(m.button, CASE
                                                                  WHEN m.seats::text !~ 'n ' THEN m.board
                                                                      ELSE '' END, m.cards)));
    END LOOP;
END $$;
SELECT pg_temp.play(:rounds) \gset
SELECT is(pg_temp.paid(d.round_id), (SELECT string_agg(seat || '=' || amount, ' ' ORDER BY seat)
                                     FROM pg_temp.totals(m.pots)),
          'R6.10 in a round: ' || m.what) FROM made m JOIN dealt d ON d.id = m.id ORDER BY m.id;
SELECT is(answer, format('settled: %s staked, %s paid, house 0.00', paid, paid),
          'R6.8: nothing is the house''s: ' || what)
FROM (SELECT m.what, d.answer, (SELECT sum((pg_temp.seat(s)).paid)
                                FROM unnest(m.seats) s)::numeric(10, 2) AS paid FROM made m
                                    JOIN dealt d ON d.id = m.id ORDER BY m.id) x;
SELECT is_empty($$ SELECT l.round_id, sum(l.amount * k.wallet_sign) FROM ledger l
                JOIN entry_kinds() k ON k.kind = l.kind WHERE l.round_id IS NOT NULL
                    GROUP BY l.round_id HAVING sum(l.amount * k.wallet_sign) <> 0 $$,
                        'R6.8: the ledger of every round sums to zero without the house');
SELECT is_empty($$ SELECT round_id, player_id, count(*) FROM ledger WHERE kind = 'payout' GROUP BY 1, 2
                HAVING count(*) > 1 $$,
                'R11.18: one payout row a player, winnings and returned money together');
SELECT is_empty($$ SELECT p.round_id, p.player_id, p.stake_entry_no FROM ledger p WHERE p.kind = 'payout'
                      AND p.stake_entry_no <> (SELECT min(s.entry_no) FROM ledger s
                                               WHERE s.round_id = p.round_id AND s.player_id = p.player_id
                                                   AND s.kind = 'stake') $$,
                'R11.18: the payout stands on the player''s first stake');
SELECT is((SELECT sum(balance) FROM player), 10000000.00,
          'D2 Texas Holdem: all the players'' money together stays');

-- one round looked at row by row
SELECT pg_temp.sit(:rounds, '{25+75+100,50+50,20,100+100.50}') AS r \gset
SELECT is(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,f,Q1}')),
          'settled: 520.50 staked, 520.50 paid, house 0.00',
              'three stakes of one seat, an all-in, a fold, an uncalled haléř');
SELECT results_eq(format('SELECT seat, staked, grade, payout
                            FROM wager
                           WHERE round_id = %s
                           ORDER BY seat, entry_no',
                         :r),
                  -- 20 x 4 + 80 x 3 and 100 x 2 to seat 1, 0.50 back to seat 4
                  $$ VALUES (1, 25.00, 'win', 520.00), (1, 75.00, 'lose', 0.00), (1, 100.00, 'lose', 0.00),
                      (2, 50.00, 'lose', 0.00), (2, 50.00, 'lose', 0.00),
                            (3, 20.00, 'lose', 0.00), (4, 100.00, 'returned', 0.50),
                                (4, 100.50, 'lose', 0.00) $$,
                  'R11.18: winnings and returned money on the first stakes');
SELECT is(pg_temp.settle(:r,
                         '{"seats": [{"seat": 4, "cards": "QhQd"}, {"seat": 3, "folded": true}, '
                         '{"seat": 1, "cards": "Ks Kd", "folded": false}, '
                         '{"cards": "A♥A♦", "seat": 2}], "board": "Kh9d5c3s2d", "button": 4}'),
          'settled: 520.50 staked, 520.50 paid, house 0.00',
              'R11.14: the same outcome, written otherwise, again');
SELECT alike(pg_temp.settle(:r, pg_temp.doc(3, 'Kh 9d 5c 3s 2d', '{K,A1,f,Q1}')), 'KR002 %',
             'R11.14: another button is another outcome');
SELECT is((SELECT count(*) FROM ledger WHERE round_id = :r AND kind = 'payout'), 2::bigint,
          'R11.14: paid once');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, amount, round_id,
                                               stake_entry_no) SELECT player_id, 'payout', 50, round_id,
                                                   entry_no
                             FROM ledger WHERE round_id = %s AND seat = 2 AND kind = 'stake'
                                 LIMIT 1 $$, :r), 'KL004', NULL,
                                     'R12.5: a plain INSERT of a payout that the pots do not give');

-- seats and stakes
SELECT open_round(:rounds, 'seats') AS r \gset
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@25', 'first', seat => 1),
                       place_bet(%s, pg_temp.id(1), 'pot@25', seat => 1) $$, :r, :r),
                           'R6.13: a player stakes twice on his seat');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(2), 'pot@25', seat => 1) $$, :r), 'KB005',
                 'seat 1 is taken', 'R6.13: one player a seat');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@25', seat => 2) $$, :r), 'KB005', NULL,
                 'R6.13: one seat a player');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, round_id, bet, seat) VALUES (pg_temp.id(2),
        'stake', %s, 'pot@25', 1) $$, :r), 'KB005', NULL, 'R12.3: one player a seat, by plain INSERT');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, round_id, bet, seat) VALUES (pg_temp.id(1),
        'stake', %s, 'pot@25', 2) $$, :r), 'KB005', NULL, 'R12.3: one seat a player, by plain INSERT');
SELECT lives_ok(format($$ INSERT INTO ledger (player_id, kind, round_id, bet, seat) VALUES (pg_temp.id(3),
        'stake', %s, 'pot@25', 3) $$, :r), 'R12.3: a stake by plain INSERT');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(2), %L, seat => %s) $$, :r, bet, seat), code, NULL,
                 format('D2 Texas Holdem: no stake %s on seat %s', bet, seat))
FROM (VALUES ('pot@25', '11', '22023'), ('pot@25', 'NULL', '22023'), ('pot@25', '0', '22023'),
      ('main@25', '2', 'KB004'), ('ante@25', '2', 'KB004'),
          ('pot@1000000.01', '2', 'KB002')) v(bet, seat, code);
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(2), 'pot@25', seat => 2, hand => 2) $$, :r),
                 '22023', NULL, 'D2 Texas Holdem: one hand a seat');
SELECT throws_ok(format($$ SELECT place_bets(%s, pg_temp.id(2), '{pot@25,main@25}', seat => 2) $$, :r),
                 'KB004', NULL, 'R11.2: all or none');
SELECT place_bet(:r, pg_temp.id(4), 'pot@50', 'gone', seat => 4) AS entry \gset
SELECT is(cardinality(cancel_bet(:r, pg_temp.id(4), 'gone')), 1, 'a stake is cancelled');
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(5), 'pot@25', seat => 4),
                       place_bet(%s, pg_temp.id(4), 'pot@50', seat => 5) $$, :r, :r),
                           'R6.13: its seat is free, and so is the player');
SELECT close_betting(:r) \gset
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(3), 'pot@25', seat => 3) $$, :r),
                'D2 Texas Holdem, Flop: money is put in after the cards are dealt');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(2), 'pot@25', seat => 1) $$, :r), 'KB005', NULL,
                 'R6.13: one player a seat, also later');
SELECT close_actions(:r) \gset
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(3), 'pot@25', seat => 3) $$, :r), 'KB005', NULL,
                 'R11.16: no money after the decisions have closed');
SELECT is(pg_temp.settle(:r,
                         '{"button": 1, "seats": [{"seat": 1, "folded": true}, {"seat": 3}, '
                         '{"seat": 4, "folded": true}, {"seat": 5, "folded": true}]}'),
          'settled: 175.00 staked, 175.00 paid, house 0.00',
              'R6.12: won without a showdown, the cancelled stake apart');
SELECT is(pg_temp.paid(:r), '3=175.00 4=50.00', 'R6.12: seat 3 gets all, the cancelled stake went back');
SELECT throws_ok($$ SELECT quote('holdem_cash_25_50', '{pot@50}',
                                 '{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}') $$,
                                     '0A000', NULL, 'R11.17: no quote of a game between players');

SELECT open_round(:six, 'small') AS r \gset
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@24.99', seat => 1) $$, :r), 'KB002', NULL,
                 'R11.5: below the table''s minimum');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(7), 'pot@25', seat => 7) $$, :r), '22023', NULL,
                 'a table of six has no seat 7');
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@25', seat => 1),
                       place_bet(%s, pg_temp.id(2), 'pot@50', seat => 2) $$, :r, :r), 'the blinds');
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@975', seat => 1) $$, :r),
                'the table''s maximum of a seat');
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@0.01', seat => 1) $$, :r), 'KB002', NULL,
                 'R11.5: no haléř above it');
SELECT pg_temp.sit(:rounds, '{50,50}') AS other \gset
SELECT is(pg_temp.settle(:other, pg_temp.doc(1, '', '{n,f}')),
          'settled: 100.00 staked, 100.00 paid, house 0.00',
              'R1.6: no live game, a player may sit at two tables');
SELECT alike(pg_temp.settle(:r, pg_temp.doc(1, '', '{n,f,-,-,-,-,f}')),
             'KR001 Table "six" has seats 1 to 6, not 7.', 'a seat that the table has not');
SELECT is((void_round(:r, 'cards exposed')).status, 'voided', 'a hand is void');
SELECT is(pg_temp.paid(:r), '1=1000.00 2=50.00', 'D4 §9.2, R11.15: every stake of a void hand goes back');
SELECT pg_temp.sit(:rounds, '{25+75+100,50+50}') AS r \gset
SELECT is((void_round(:r, 'cards exposed')).paid, 300.00, 'R11.15: void after the close, all is returned');
SELECT is((SELECT count(*) FROM wager WHERE round_id = :r AND status = 'refunded'), 5::bigint,
          'each stake for itself');
SELECT pg_temp.sit(:rounds, '{50,50}') AS r \gset
SELECT is((settle_round(:r, pg_temp.doc(1, '', '{n,f}'), withhold => true)).status, 'withheld',
          'R7.42: a pot is withheld');
SELECT is(pg_temp.paid(:r), '', 'nothing is paid');
SELECT is((pay_withheld(:r)).paid, 100.00, 'R7.42: and paid later');
SELECT is(pg_temp.paid(:r), '1=100.00', 'to the winner');

-- outcome documents
SELECT pg_temp.sit(:rounds, '{50,50,0,50}') AS r \gset
SELECT alike(pg_temp.settle(:r, document::jsonb), answer, 'R11.13: refused: ' || what)
FROM (VALUES
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,A1}')::text,
                    'KR001 Seat 4 has a stake but does not stand in the outcome.',
                        'a staked seat is missing'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,J1}')::text,
              'KR001 Seat 3 has not folded but has no stake.',      'a hand without a stake'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,n,-,J1}')::text,
                'KR001 Seat 2 did not fold and shows no cards%Showdown%', 'no cards at a showdown'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s', '{K,A1,-,J1}')::text,
                  'KR001 The board has 4 cards and 3 seats are left%Showdown%', 'a showdown on the turn'),
    (pg_temp.doc(1, '', '{K,A1,-,J1}')::text,
                             'KR001 The board has 0 cards and 3 seats are left%Showdown%',
                                 'a showdown without a board'),
    (pg_temp.doc(1, 'Kh 9d', '{n,f,-,f}')::text,
                          'KR001 The board has 2 cards%Flop to River%',         'a board of two'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d 4c', '{K,A1,-,J1}')::text,
            'KR001 The board has 6 cards%Flop to River%',         'a board of six'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{f,f,-,f}')::text,
                 'KR001 No seat with money in the pot is left%',       'all folded'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s As', '{K,A2,-,J1}')::text,
               'KR001 As lies twice; the game has one deck.',        'a card on the board and in a hand'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,A1,-,A1!}')::text,
              'KR001 Ah lies twice; the game has one deck.',        'a card in two hands, one folded'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s Kh', '{Q1,A1,-,J1}')::text,
              'KR001 Kh lies twice; the game has one deck.',        'a card twice on the board'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{KsKdQc,A1,-,J1}')::text,
          'KR001 Seat 1 has 3 cards; two are dealt%Preflop%',   'three cards in a hand'),
    (pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{Ks,A1,-,J1}')::text,
              'KR001 Seat 1 has 1 cards; two are dealt%Preflop%',   'one card in a hand'),
    ('{"board": "", "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}',             'KR001 %"button"%',
     'no button'),
    ('{"button": 0, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}',             'KR001 %button%',
       'a button at seat 0'),
    ('{"button": 11, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}',            'KR001 %button%',
       'a button at seat 11'),
    ('{"button": 1.5, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}',           'KR001 %button%',
       'a button between seats'),
    ('{"button": 1}',                                                                  'KR001 %"seats"%',
      'no seats'),
    ('{"button": 1, "seats": [{"seat": 1}]}',
                                              'KR001 %"seats"%2 to 10%', 'one seat'),
    ('{"button": 1, "seats": {"seat": 1}}',
                                                'KR001 %"seats"%array%', 'seats that are no array'),
    ('{"button": 1, "seats": [{"seat": 1}, {"folded": true}]}',
                            'KR001 Each of "seats" must name its seat.', 'a seat without number'),
    ('{"button": 1, "seats": [{"seat": 1}, {"seat": 1, "folded": true}]}',
                 'KR001 Seat 1 stands twice%', 'a seat twice'),
    ('{"button": 1, "seats": [{"seat": 1}, {"seat": 11, "folded": true}]}',            'KR001 %seat%',
         'seat 11'),
    ('{"button": 1, "seats": [{"seat": 1}, 2]}',
                                           'KR001 Each of "seats" must be a JSON object.',
                                               'a seat that is no object'),
    ('{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": "yes"}]}',            'KR001 %folded%',
       'folded that is no flag'),
    ('{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "fold": true}]}',               'KR001 %fold%',
         'an unknown member of a seat'),
    ('{"button": 1, "dealer": "As", "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}', 'KR001 %dealer%',
     'an unknown member'),
    ('[]', 'KR001 %', 'no object')) v(document, answer, what);
SELECT throws_ok(format($$ SELECT deal(%s, '{"button": 1, "board": "Kh 9d 5c", "seats": [{"seat": 1}]}') $$,
                        :r), 'KR001', NULL, 'R11.11: cards as they fall have all seats');
SELECT lives_ok(format($$ SELECT deal(%s,
                                      '{"button": 1, "board": "Kh 9d 5c", "seats": [{"seat": 1}, '
                                      '{"seat": 2, "folded": true}, {"seat": 4}]}') $$, :r),
                'R11.11: cards as they fall, the flop');
SELECT results_eq(format($$ SELECT side, seat, cards::text, folded FROM dealt_hand WHERE round_id = %s
                         ORDER BY side DESC, seat $$, :r),
                  $$ VALUES ('box', 1, '', false), ('box', 2, '', true), ('box', 4, '', false),
                      ('board', 0, 'Kh 9d 5c', false) $$, 'R11.11: they are kept');
SELECT is(pg_temp.settle(:r, pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,f,f,J1}')),
          'settled: 150.00 staked, 150.00 paid, house 0.00',
              'R6.13: who folded without a stake may stand in the outcome');
SELECT is(pg_temp.paid(:r), '1=150.00', 'R11.13: refused outcomes left nothing behind');

-- a fold among the cards as they fall
SELECT pg_temp.sit(:rounds, '{50,50}') AS r \gset
SELECT deal(:r, '{"button": 1, "seats": [{"seat": 1, "folded": true}, {"seat": 2}]}') AS dealt \gset
SELECT throws_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@100', seat => 1) $$, :r), 'KB005',
                 'seat 1 has folded', 'D2 Texas Holdem, Preflop, R6.15: who folded puts in no money');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, round_id, bet, seat) VALUES (pg_temp.id(1),
        'stake', %s, 'pot@100', 1) $$, :r), 'KB005', 'seat 1 has folded',
                 'D2 Texas Holdem, Preflop, R12.3: nor by plain INSERT');
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(2), 'pot@100', seat => 2) $$, :r),
                'D2 Texas Holdem: who has not folded does');
SELECT deal(:r, '{"button": 1, "board": "Kh 9d 5c", "seats": [{"seat": 1}, {"seat": 2}]}') AS dealt \gset
SELECT lives_ok(format($$ SELECT place_bet(%s, pg_temp.id(1), 'pot@100', seat => 1) $$, :r),
                'R6.15: the last cards dealt count, a wrong fold is taken back');
SELECT is(pg_temp.settle(:r, pg_temp.doc(1, 'Kh 9d 5c 3s 2d', '{K,A1}')),
          'settled: 300.00 staked, 300.00 paid, house 0.00',
              'D2 Texas Holdem, Showdown: and the hand is played on');

-- ----------------------------------------------------------------------------------- actions that were legal

-- Seats' money by hand; "paid" as the pots give it.
CREATE TEMP TABLE legal (id serial, what text, button integer, board text, seats text[], money text[],
                         actions text, paid text);
INSERT INTO legal (what, button, board, seats, money, actions, paid) VALUES
    ('a hand through four streets, won without showdown', 1, 'Kh 9d 5c 3s 2d', '{f,f,n}', '{200,25,250}',
     'preflop 2:small_blind 3:big_blind 1:raise:100 2:fold 3:call flop 3:check 1:bet:100 3:call '
     'turn 3:check 1:check river 3:bet:50 1:fold',
     '3=475.00'),
    ('all fold to the big blind', 1, '', '{f,f,n}', '{0,25,50}',
     'preflop 2:small_blind 3:big_blind 1:fold 2:fold', '3=75.00'),
    ('called blinds, checked to the showdown', 3, 'Kh 9d 5c 3s 2d', '{A1,Q1,J1}', '{50,50,50}',
     'preflop 1:small_blind:25 2:big_blind:50 3:call:50 1:call 2:check flop 1:check 2:check 3:check '
     'turn 1:check 2:check 3:check river 1:check 2:check 3:check',
     '1=150.00'),
    ('heads-up the button posts the small blind and acts first', 1, 'Kh 9d 5c 3s 2d', '{A1,Q1}', '{150,150}',
     'preflop 1:small_blind 2:big_blind 1:call 2:check flop 2:bet:50 1:raise:100 2:call '
     'turn 2:check 1:check river 2:check 1:check',
     '1=300.00'),
    ('heads-up, button at an empty seat: the seat left of it posts the small blind', 5, '', '{n,f}',
     '{50,50}', 'preflop 1:small_blind 2:big_blind 1:call 2:fold', '1=100.00'),
    ('the button at an empty seat between', 3, 'Kh 9d 5c 3s 2d', '{-,J1,-,-,Q1,-,-,T1}',
     '{0,50,0,0,50,0,0,50}',
     'preflop 5:small_blind 8:big_blind 2:call 5:call 8:check flop 5:check 8:check 2:check '
     'turn 5:check 8:check 2:check river 5:check 8:check 2:check',
     '5=150.00'),
    ('all in before the flop and called', 1, 'Kh 9d 5c 3s 2d', '{A1,K}', '{1000,1000}',
     'preflop 1:small_blind 2:big_blind 1:all_in:1000 2:call', '2=2000.00'),
    ('all in, the call for less is all in too', 1, 'Kh 9d 5c 3s 2d', '{A1,K}', '{1000,600}',
     'preflop 1:small_blind 2:big_blind 1:all_in:1000 2:all_in:600', '1=400.00 2=1200.00'),
    ('raise and re-raise to exactly twice', 3, 'Kh 9d 5c', '{f,n,f}', '{25,400,200}',
     'preflop 1:small_blind 2:big_blind 3:raise:100 1:fold 2:raise:200 3:call flop 2:bet:200 3:fold',
         '2=625.00'),
    ('the big blind raises after calls', 3, '', '{f,n,f}', '{50,100,50}',
     'preflop 1:small_blind 2:big_blind 3:call 1:call 2:raise:100 3:fold 1:fold', '2=200.00'),
    ('the smallest bet on the flop is the big blind', 3, 'Kh 9d 5c', '{n,f,f}', '{100,50,50}',
     'preflop 1:small_blind 2:big_blind 3:call 1:call 2:check flop 1:bet:50 2:fold 3:fold', '1=200.00'),
    ('an all-in for less than a raise, called by all', 4, 'Kh 9d 5c 3s 2d', '{f,K,A1,Q1}', '{25,150,150,150}',
     'preflop 1:small_blind 2:big_blind 3:raise:100 4:all_in:150 1:fold 2:call:150 3:call:150 '
     'flop 2:check 3:check turn 2:check 3:check river 2:check 3:check',
     '2=475.00'),
    ('who has not acted may raise after an all-in for less', 4, 'Kh 9d 5c 3s 2d', '{f,K,f,Q1}',
     '{25,300,100,150}',
     'preflop 1:small_blind 2:big_blind 3:raise:100 4:all_in:150 1:fold 2:raise:300 3:fold', '2=575.00'),
    ('a full all-in raise reopens', 4, '', '{f,f,n,f}', '{25,50,400,200}',
     'preflop 1:small_blind 2:big_blind 3:raise:100 4:raise:200 1:fold 2:fold 3:all_in:400 4:fold',
         '3=675.00'),
    ('a raise and a call for less marked as all in', 1, 'Kh 9d 5c 3s 2d', '{A1,K}', '{1000,600}',
     'preflop 1:small_blind 2:big_blind 1:raise:1000! 2:call:600!', '1=400.00 2=1200.00'),
    ('the same of three seats, the raise short', 3, 'Kh 9d 5c 3s 2d', '{K,A1,Q1}', '{30,60,90}',
     'preflop 1:small_blind 2:big_blind 3:raise:90! 1:call:30! 2:call:60!', '1=90.00 2=60.00 3=30.00'),
    ('three all-ins of different height', 3, 'Kh 9d 5c 3s 2d', '{K,A1,Q1}', '{30,60,90}',
     'preflop 1:small_blind 2:big_blind 3:all_in:90 1:all_in:30 2:all_in:60', '1=90.00 2=60.00 3=30.00'),
    ('a short small blind is all in', 3, 'Kh 9d 5c 3s 2d', '{K,A1,Q1}', '{10,50,50}',
     'preflop 1:small_blind:10 2:big_blind 3:call 2:check flop 2:check 3:check turn 2:check 3:check '
     'river 2:check 3:check',
     '1=30.00 2=80.00'),
    ('a short big blind is called in full', 3, 'Kh 9d 5c 3s 2d', '{A1,K,Q1}', '{50,30,50}',
     'preflop 1:small_blind 2:big_blind:30 3:call:50 1:call:50 flop 1:check 3:check '
     'turn 1:check 3:check river 1:check 3:check',
     '1=40.00 2=90.00'),
    ('a blind in full that was all he had', 3, 'Kh 9d 5c 3s 2d', '{K,A1,Q1}', '{25,50,50}',
     'preflop 1:small_blind:25! 2:big_blind 3:call 2:check flop 2:check 3:check turn 2:check 3:check '
     'river 2:check 3:check',
     '1=75.00 2=50.00'),
    ('an all-in on the flop below the big blind, raised to it', 3, 'Kh 9d 5c 3s 2d', '{A1,K,f}',
     '{70,100,50}',
     'preflop 1:small_blind 2:big_blind 3:call 1:call 2:check flop 1:all_in:20 2:raise:50 3:fold',
         '2=220.00');
CREATE TEMP TABLE replayed (id integer, round_id bigint, answer text);
CREATE FUNCTION pg_temp.replay(table_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l pg_temp.legal;
    r bigint;
BEGIN
    FOR l IN SELECT * FROM pg_temp.legal ORDER BY id LOOP
        r := pg_temp.sit(table_id, l.money);
        INSERT INTO replayed VALUES (l.id, r, pg_temp.settle(r,
                pg_temp.doc(l.button, l.board, l.seats, l.actions)));
        IF NOT EXISTS (SELECT FROM casino.round x WHERE x.round_id = r AND x.status = 'settled') THEN
            PERFORM casino.void_round(r, 'refused');
        END IF;
    END LOOP;
END $$;
SELECT pg_temp.replay(:rounds) \gset
SELECT is(r.answer || ' ' || pg_temp.paid(r.round_id),
          format('settled: %s staked, %s paid, house 0.00 %s', m, m, l.paid), 'D2 Texas Holdem: ' || l.what)
FROM legal l JOIN replayed r ON r.id = l.id CROSS JOIN LATERAL (SELECT sum(x::numeric)::numeric(10, 2) AS m
                                                                FROM unnest(l.money) x) x ORDER BY l.id;

-- ------------------------------------------------------------------------- actions that break a rule (R6.23)

-- four seats with 50 CZK each, the button at seat 4: 1 posts the small blind, 2 the big blind
SELECT pg_temp.sit(:rounds, '{50,50,50,50}') AS r \gset
\set flop 'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check flop'
\set turn :flop ' 1:check 2:check 3:check 4:check turn'
\set river :turn ' 1:check 2:check 3:check 4:check river'
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,J1}', actions)),
             'KR001 ' || answer, 'D2 Texas Holdem: ' || what)
FROM (VALUES
    ('the small blind is left of the button',     'preflop 2:small_blind 3:big_blind 4:call',
                  'Action 1, seat 2, small_blind: %seat 1''s%'),
    ('the big blind is left of the small blind',  'preflop 1:small_blind 3:big_blind 4:call',
                  'Action 2, seat 3, big_blind: %seat 2''s%'),
    ('the hand begins with the small blind',      'preflop 1:big_blind 2:big_blind',
                           'Action 1, seat 1, big_blind: %small blind%'),
    ('then comes the big blind',                  'preflop 1:small_blind 2:call',
                              'Action 2, seat 2, call: %big blind%'),
    ('no hand without both blinds',               'preflop 1:small_blind',
                                     '%small and the big blind%'),
    ('the small blind is 25',                     'preflop 1:small_blind:30 2:big_blind',
                      'Action 1, seat 1, small_blind: %25.00%'),
    ('the big blind is 50',                       'preflop 1:small_blind 2:big_blind:50.01',
                   'Action 2, seat 2, big_blind: %50.00%'),
    ('blinds on the flop',                        'flop 1:small_blind 2:big_blind',
                            'Action 1, seat 1, small_blind: %begins%'),
    ('a blind is posted once',                    'preflop 1:small_blind 2:big_blind 3:big_blind',
             'Action 3, seat 3, big_blind: %once%'),
    ('left of the big blind begins',              'preflop 1:small_blind 2:big_blind 4:call',
                  'Action 3, seat 4, call: % seat 3''s turn%'),
    ('clockwise',                                 'preflop 1:small_blind 2:big_blind 3:call 1:call',
           'Action 4, seat 1, call: % seat 4''s turn%'),
    ('a seat that was not dealt in',              'preflop 1:small_blind 2:big_blind 3:call 4:call 5:call',
     'Action 5, seat 5, call: % seat 1''s turn%'),
    ('who folded acts no more',
                       'preflop 1:small_blind 2:big_blind 3:fold 4:call 1:call 2:raise:100 3:call',
                           'Action 7, seat 3, call: % seat 4''s turn%'),
    ('who is all in acts no more',
                    'preflop 1:small_blind 2:big_blind 3:all_in:60 4:call 1:call 2:call '
                    'flop 1:check 2:check 3:check',
                    'Action 9, seat 3, check: % seat 4''s turn%'),
    ('no check below the big blind',              'preflop 1:small_blind 2:big_blind 3:check',
                 'Action 3, seat 3, check: %50.00%'),
    ('the small blind cannot check',              'preflop 1:small_blind 2:big_blind 3:call 4:call 1:check',
     'Action 5, seat 1, check: %50.00%'),
    ('the big blind cannot check a raise',
            'preflop 1:small_blind 2:big_blind 3:raise:100 4:fold 1:fold 2:check',
                'Action 6, seat 2, check: %100.00%'),
    ('no check after a bet',                      :'flop' || ' 1:bet:50 2:check',
                              'Action 8, seat 2, check: %50.00%'),
    ('a call is the last bet',                    'preflop 1:small_blind 2:big_blind 3:call:49.99',
            'Action 3, seat 3, call: %50.00%'),
    ('a call is not more',                        'preflop 1:small_blind 2:big_blind 3:raise:100 4:call:150',
     'Action 4, seat 4, call: %100.00%'),
    ('nothing to call for the big blind',
             'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:call',
                 'Action 6, seat 2, call: %nothing to call%'),
    ('nothing to call on the flop',               :'flop' || ' 1:call',
                                        'Action 7, seat 1, call: %nothing to call%'),
    ('raise at least to twice the big blind',     'preflop 1:small_blind 2:big_blind 3:raise:99.99',
           'Action 3, seat 3, raise: %100.00%'),
    ('re-raise at least to twice the last bet',
       'preflop 1:small_blind 2:big_blind 3:raise:150 4:raise:299.99', 'Action 4, seat 4, raise: %300.00%'),
    ('raise of a bet on the flop to twice it',    :'flop' || ' 1:bet:80 2:raise:159.99',
                       'Action 8, seat 2, raise: %160.00%'),
    ('no bet before the flop, the blind is one',  'preflop 1:small_blind 2:big_blind 3:bet:100',
               'Action 3, seat 3, bet: %raised%'),
    ('no raise without a bet',                    :'flop' || ' 1:raise:100',
                                   'Action 7, seat 1, raise: %no bet%'),
    ('no bet upon a bet',                         :'flop' || ' 1:bet:50 2:bet:100',
                            'Action 8, seat 2, bet: %raised%'),
    ('the smallest bet is the big blind',         :'flop' || ' 1:bet:49.99',
                                   'Action 7, seat 1, bet: %50.00%'),
    ('a bet without an amount',                   :'flop' || ' 1:bet',
                                         'Action 7, seat 1, bet: %50.00%'),
    ('nor who was by a marked raise',
                 'preflop 1:small_blind 2:big_blind 3:raise:60! 4:call 1:call 2:call '
                 'flop 1:check 2:check 3:check',
                 'Action 9, seat 3, check: % seat 4''s turn%'),
    ('a marked raise goes above the bet',         'preflop 1:small_blind 2:big_blind 3:raise:50!',
     'Action 3, seat 3, raise: %above 50.00%'),
    ('a marked bet is of something',
                  'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check flop 1:bet:!',
                      'Action 7, seat 1, bet: %'),
    ('a check is not all in',
                         'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check:!',
                             'Action 6, seat 2: a check puts nothing in%'),
    ('all in with no more than lies there',
           'preflop 1:small_blind 2:big_blind 3:call 4:call 1:all_in:25',
               'Action 5, seat 1, all_in: %25.00%'),
    ('an amount with a fold',                     'preflop 1:small_blind 2:big_blind 3:fold:50',
               'Action 3, seat 3, fold: %no amount%'),
    ('an amount with a check',                    :'flop' || ' 1:check:50',
                                    'Action 7, seat 1, check: %no amount%'),
    ('an all-in for less does not reopen',
            'preflop 1:small_blind 2:big_blind 3:raise:100 4:all_in:150 1:fold 2:fold 3:raise:300',
                'Action 7, seat 3, raise: %only call or fold%'),
    ('nor for a second all-in',
                       'preflop 1:small_blind 2:big_blind 3:raise:100 4:all_in:150 1:fold 2:fold '
                       '3:all_in:300',
                       'Action 7, seat 3, all_in: %only call or fold%'),
    ('nor for who called',
                            'preflop 1:small_blind 2:big_blind 3:call 4:raise:100 1:call 2:all_in:150 '
                            '3:call 4:raise:400',
                            'Action 8, seat 4, raise: %only call or fold%'),
    ('the flop before the betting is over',       'preflop 1:small_blind 2:big_blind 3:call flop 1:check',
     'Action 4, seat 1, check: %another street%seat 4%'),
    ('left of the button begins on the flop',     :'flop' || ' 2:check',
                                       'Action 7, seat 2, check: %on the flop%seat 1''s turn%'),
    ('the betting is over',
                           'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check 3:raise:100',
                               'Action 7, seat 3, raise: %over%'),
    ('the turn after no flop',
                        'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check turn 1:check',
                            'Action 7, seat 1, check: %another street%on the flop%'),
    ('no way back',                               :'flop' || ' 1:check preflop 2:check',
                       'Action 8, seat 2, check: %another street%on the flop%'),
    ('the river is the last',                     :'river' || ' 1:check 2:check 3:check 4:check 1:check',
      'Action 19, seat 1, check: %river is over%'),
    ('all others have folded',
                        'preflop 1:small_blind 2:big_blind 3:fold 4:fold 1:fold 2:check',
                            'Action 6, seat 2, check: %folded%'),
    ('all others are all in',
                         'preflop 1:small_blind 2:big_blind 3:all_in:60 4:all_in:60 1:all_in:60 '
                         '2:call flop 2:bet:50',
                         'Action 7, seat 2, bet: %all in%'),
    ('the betting does not end so',               'preflop 1:small_blind 2:big_blind 3:call 4:call',
           'After action 4 %not over, seat 1 %'),
    ('a bet must be answered',                    :'river' || ' 1:bet:50 2:fold 3:fold',
                       'After action 17 %not over, seat 4 %'),
    ('streets are missing',
                           'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check',
                               'After action 6 %on the flop is missing, seat 1 %'),
    ('the river is missing',
                          'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check '
                          'flop 1:check 2:check 3:check 4:check turn 1:check 2:check 3:check 4:check',
     'After action 14 %on the river is missing, seat 1 %'),
    ('won before the flop with five board cards', 'preflop 1:small_blind 2:big_blind 3:fold 4:fold 1:fold',
     'The board has 5 cards%before the flop has 0%'),
    ('won on the turn with five board cards',
         'preflop 1:small_blind 2:big_blind 3:call 4:fold 1:fold 2:check flop 2:check 3:check '
         'turn 2:bet:50 3:fold',
         'The board has 5 cards%on the turn has 4%'),
    ('contributions are the stakes',
                  'preflop 1:small_blind 2:big_blind 3:raise:100 4:call 1:call 2:call '
                  'flop 1:check 2:check 3:check 4:check turn 1:check 2:check 3:check 4:check '
                  'river 1:check 2:check 3:check 4:check',
     'By the actions seat 1 put in 100.00, its stakes are 50.00%'),
    ('folds are those of the actions',
                'preflop 1:small_blind 2:big_blind 3:call 4:call 1:call 2:check '
                'flop 1:check 2:check 3:check 4:fold turn 1:check 2:check 3:check '
                'river 1:check 2:check 3:check',
     'By the actions seat 4 folded%'),
    ('an unknown action',                         'preflop 1:small_blind 2:big_blind 3:straddle:100',
          'Action 3 is none of %'),
    ('an unknown street',                         'preflop 1:small_blind 2:big_blind showdown 3:call',
         'Action 3 is on no street%'),
    ('seat 11',                                   'preflop 1:small_blind 2:big_blind 11:call',
                 '%seat%')) v(what, actions, answer);
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,f}',
                                            :'river' || ' 1:check 2:check 3:check 4:check')),
                                                'KR001 By the actions seat 4 did not fold%',
             'D2 Texas Holdem: a fold that the actions do not tell');
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{f,f,Q1,J1}',
                                            :'river'
                                            || ' 1:check 2:check 3:check 4:bet:50 1:fold 2:fold 3:call')),
             'KR001 By the actions seat 3 put in 100.00, its stakes are 50.00%',
             'D2 Texas Holdem: contributions are the stakes of every seat');
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s', '{K,A1,Q1,J1}',
                                            :'river' || ' 1:check 2:check 3:check 4:check')),
                                                'KR001 The board has 4 cards%showdown has 5%',
             'D2 Texas Holdem, River: board cards at the right time');
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,J1}')
                            || jsonb_build_object('actions', actions::jsonb)), answer,
                                'R11.13: no actions: ' || actions)
FROM (VALUES ('[]', 'KR001 %blind%'), ('{}', 'KR001 %"actions"%array%'), ('[1]', 'KR001 %object%'),
      ('[{"action": "small_blind"}]', 'KR001 Action 1 names no seat.'),
             ('[{"seat": 1}]', 'KR001 Action 1 is none of%'),
                 ('[{"seat": 1, "action": "small_blind", "to": "25"}]', 'KR001 %"to"%amount%'),
             ('[{"seat": 1, "action": "small_blind", "to": 24.999}]', '22003 %'),
                 ('[{"seat": 1, "action": "small_blind", "to": -25}]', '22003 %'),
             ('[{"seat": 1, "action": "small_blind", "amount": 25}]', 'KR001 %amount%'),
                 ('[{"seat": 1, "action": 7}]', 'KR001 %"action"%string%'),
             ('[{"seat": 1, "action": "small_blind", "all_in": 1}]', 'KR001 %all_in%')) v(actions, answer);
SELECT alike(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,J1}')
                            || jsonb_build_object('actions',
                                                  (SELECT jsonb_agg('{"seat": 1, "action": "check"}'::jsonb)
                                                   FROM generate_series(1, 1001)))),
             'KR001 %1000 actions%', 'R11.13: not more than a thousand actions');
SELECT is(pg_temp.settle(:r, pg_temp.doc(4, 'Kh 9d 5c 3s 2d', '{K,A1,Q1,J1}',
                                         :'river' || ' 1:check 2:check 3:check 4:check')),
                                             'settled: 200.00 staked, 200.00 paid, house 0.00',
          'R11.13: after all these refusals the hand is settled as it was played');
SELECT is(pg_temp.paid(:r), '1=200.00', 'and paid to seat 1');
SELECT is((SELECT sum(balance) FROM player), 10000000.00,
          'D2 Texas Holdem: all the players'' money together stays, at the end too');
SELECT is((SELECT sum(balance) FROM trial_balance), 0.00, 'R12.4: the ledger balances');
SELECT is((SELECT count(*) FROM breach), 0::bigint, 'no breach is recorded');
SELECT * FROM finish();
