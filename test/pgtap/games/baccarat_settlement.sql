-- Baccarat: D4 Baccarat §5 to §23; readings R5.1 to R5.3, R2.1, R2.6.
-- What is expected is counted here from the cards and the document's tables typed below.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- ------------------------------------------------------------------------------------ what the document says

-- D4 Baccarat §5
CREATE TEMP TABLE rank_of AS
SELECT *
  FROM (VALUES ('A', 1), ('2', 2), ('3', 3), ('4', 4), ('5', 5), ('6', 6), ('7', 7), ('8', 8), ('9', 9),
               ('T', 0), ('J', 0), ('Q', 0), ('K', 0)) v(rank, points);
CREATE FUNCTION pg_temp.points(cards text) RETURNS integer LANGUAGE sql AS
$$ SELECT (sum(r.points) % 10)::integer
     FROM regexp_split_to_table(cards, ' ') c
     JOIN pg_temp.rank_of r ON r.rank = left(c, 1) $$;

-- D4 Baccarat §9, the banker's table as printed; -1: the player has no third card ("Pokud sázející stojí ...
-- 5 nebo méně")
CREATE TEMP TABLE banker_draws AS
SELECT p.points, t.third, t.third = ANY (p.draws) AS draws
FROM (VALUES (0, '{-1,0,1,2,3,4,5,6,7,8,9}'::integer[]), (1, '{-1,0,1,2,3,4,5,6,7,8,9}'),
             (2, '{-1,0,1,2,3,4,5,6,7,8,9}'),
             (3, '{-1,0,1,2,3,4,5,6,7,9}'), (4, '{-1,2,3,4,5,6,7}'), (5, '{-1,4,5,6,7}'), (6, '{6,7}'),
             (7, '{}'), (8, '{}'), (9, '{}'))
     p(points, draws)
CROSS JOIN generate_series(-1, 9) t(third);

-- §20, §22, §23: odds as printed
CREATE TEMP TABLE bet_of (place serial, bet text, odds numeric, max numeric, win numeric);
INSERT INTO bet_of (bet, odds, max, win) VALUES
    ('player',       1,    100000, 100000), ('banker',       0.95, 100000,  95000),
    ('tie',         8,     25000, 200000),
    ('big',          0.54,  50000,  27000), ('small',        1.5,   50000,  75000),
    ('player_pair', 11,    10000, 110000),
    ('banker_pair',  11,    10000, 110000), ('any_pair',     5,     10000,  50000),
    ('perfect_pair', 25,   10000, 250000),
    ('egalite:0',    150,    1000, 150000), ('egalite:1',    215,    1000, 215000),
    ('egalite:2',   220,    1000, 220000),
    ('egalite:3',    200,    1000, 200000), ('egalite:4',    120,    1000, 120000),
    ('egalite:5',   110,    1000, 110000),
    ('egalite:6',    45,     1000,  45000), ('egalite:7',    45,     1000,  45000),
    ('egalite:8',   80,     1000,  80000),
    ('egalite:9',    80,     1000,  80000);

-- §19, §21: how a bet ends on these hands
CREATE FUNCTION pg_temp.ends(bet text, player text, banker text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    p integer := pg_temp.points(player);
    b integer := pg_temp.points(banker);
    dealt integer := (length(player) + 1) / 3 + (length(banker) + 1) / 3;
    pp boolean := substr(player, 1, 1) = substr(player, 4, 1);
    bp boolean := substr(banker, 1, 1) = substr(banker, 4, 1);
    won boolean;
BEGIN
    IF p = b AND bet IN ('player', 'banker') THEN
        RETURN 'push';
    END IF;
    won := CASE bet WHEN 'player' THEN p > b WHEN 'banker' THEN b > p WHEN 'tie' THEN p = b
                    WHEN 'big' THEN dealt IN (5, 6) WHEN 'small' THEN dealt = 4
                    WHEN 'player_pair' THEN pp WHEN 'banker_pair' THEN bp WHEN 'any_pair' THEN pp OR bp
                    WHEN 'perfect_pair' THEN
                        substr(player, 1, 2) = substr(player, 4, 2)
                            OR substr(banker, 1, 2) = substr(banker, 4, 2)
                    ELSE p = b AND bet = 'egalite:' || p END;
    RETURN CASE WHEN NOT won THEN 'lose' WHEN bet LIKE 'egalite%' THEN 'tie_' || p ELSE 'win' END;
END $$;

-- what a quote says of a deal: 'legal', or the SQLSTATE and the detail
CREATE FUNCTION pg_temp.deal(player text, banker text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM casino.quote('baccarat', ARRAY['player@1']::casino.bet[],
                         jsonb_build_object('player', player, 'banker', banker));
    RETURN 'legal';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || detail;
END $$;

SELECT is_empty($$ SELECT rank, s, points FROM rank_of CROSS JOIN unnest('{c,d,h,s}'::text[]) s
                    WHERE baccarat_points((rank || s)::hand) IS DISTINCT FROM points $$,
                'D4 Baccarat §5: ace 1, 2 to 9 their number, ten and pictures 0');
SELECT is_empty($$ SELECT a.rank, b.rank, c.rank FROM rank_of a CROSS JOIN rank_of b CROSS JOIN rank_of c
                    WHERE baccarat_points((a.rank || 'h' || b.rank || 's' || c.rank || 'c')::hand)
                              <> (a.points + b.points + c.points) % 10
                       OR baccarat_points((a.rank || 'h' || b.rank || 's')::hand)
                              <> (a.points + b.points) % 10 $$,
                'D4 Baccarat §5: of 10 or more points the ten is taken away (7 + 6 = 3, 4 + 6 = 0)');

-- ----------------------------------------------------------------------------------------- drawing rules, §9

-- Points 0 to 9 on two cards each, the player's third card none or 0 to 9, the banker's third card none or
-- one: 2200 deals.
CREATE TEMP TABLE drawn AS
SELECT p, b, t.third, banker_third, player, banker,
       (t.third >= 0) = (p <= 5 AND b <= 7) AS player_right,
       banker_third = (p <= 7 AND d.draws) AS banker_right,
       right(player, 2) AS player_card, right(banker, 2) AS banker_card
FROM generate_series(0, 9) p CROSS JOIN generate_series(0, 9) b CROSS JOIN generate_series(-1, 9) t(third)
CROSS JOIN unnest('{f,t}'::boolean[]) banker_third
JOIN banker_draws d ON d.points = b AND d.third = t.third
CROSS JOIN LATERAL (SELECT (CASE p WHEN 0 THEN 'Kh Td' WHEN 1 THEN 'Kh Ad' ELSE 'Kh ' || p || 'd' END)
                           || (CASE t.third
                                    WHEN -1 THEN ''
                                    WHEN 0 THEN ' Js'
                                    WHEN 1 THEN ' As'
                                    ELSE ' ' || t.third || 's' END) AS player,
                           (CASE b WHEN 0 THEN 'Qc Tc' WHEN 1 THEN 'Qc Ac' ELSE 'Qc ' || b || 'c' END)
                           || (CASE WHEN banker_third THEN ' 3h' ELSE '' END) AS banker) c;
ALTER TABLE drawn ADD answer text;
UPDATE drawn SET answer = pg_temp.deal(player, banker);
SELECT results_eq($$ SELECT count(*), count(*) FILTER (WHERE player_right AND banker_right) FROM drawn $$,
                  -- one way on for each of 36 naturals and 2 x 8 stands of the player, ten third cards for 6
                  -- x 8 draws
                  $$ VALUES (2200::bigint, (36 + 16 + 480)::bigint) $$,
                  'D4 Baccarat §9: 532 of the 2200 combinations are legal');
SELECT is_empty(format($$ SELECT player, banker, answer
                            FROM drawn
                           WHERE b = %s AND player_right AND banker_right AND answer <> 'legal' $$,
                       points),
                format('D4 Baccarat §9: the legal deals with the banker on %s are accepted', points))
FROM generate_series(0, 9) points;
SELECT is_empty(format($$ SELECT player, banker, answer
                            FROM drawn
                           WHERE b = %s
                             AND NOT (player_right AND banker_right)
                             AND answer NOT LIKE 'KR001 %%' $$,
                       points),
                format('D4 Baccarat §9: the illegal deals with the banker on %s are refused (KR001)', points))
FROM generate_series(0, 9) points;
SELECT is_empty($$ SELECT player, banker, answer FROM drawn WHERE NOT player_right AND third >= 0
                      AND NOT (answer LIKE '%player%'
                               AND answer LIKE '% ' || player_card || '%'
                               AND answer LIKE '%§9%') $$,
                'R11.13: a third card too many of the player is named with its side and rule');
SELECT is_empty($$ SELECT player, banker, answer FROM drawn WHERE NOT player_right AND third < 0
                      AND NOT (answer LIKE '%player%must draw%' AND answer LIKE '%§9%') $$,
                'R11.13: a third card that the player lacks is named with its side and rule');
SELECT is_empty($$ SELECT player, banker, answer
                     FROM drawn
                    WHERE player_right AND NOT banker_right AND banker_third
                      AND NOT (answer LIKE '%banker%'
                               AND answer LIKE '% ' || banker_card || '%'
                               AND answer LIKE '%§9%') $$,
                'R11.13: a third card too many of the banker is named with its side and rule');
SELECT is_empty($$ SELECT player, banker, answer
                     FROM drawn
                    WHERE player_right AND NOT banker_right AND NOT banker_third
                      AND NOT (answer LIKE '%banker%must draw%'
                               AND answer LIKE '%§9%'
                               AND (third < 0 OR answer LIKE '% ' || player_card || '%')) $$,
                'R11.13: a third card that the banker lacks is named with its side, the player''s card and '
                'the rule');
SELECT is_empty($$ SELECT player, banker, answer
                     FROM drawn
                    WHERE (p >= 8 OR b >= 8) AND (answer = 'legal') <> (third < 0 AND NOT banker_third) $$,
                'D4 Baccarat §9: 8 or 9 on two cards of either side ends the deal before every other rule');

SELECT ok(pg_temp.deal(player, banker) LIKE 'KR001 %' || side || '%',
          format('D4 Baccarat §8: two or three cards a side, not %s and %s', player, banker))
FROM (VALUES ('9h', '9c Ks', 'player'), ('', '9c Ks', 'player'), ('2h 2d 2s 2c', '9c 7s', 'player'),
             ('9h Kd', '9c', 'banker'),
             ('9h Kd', '', 'banker'), ('2h Kd 3d', '2c Ks 2d 3c', 'banker')) v(player, banker, side);
SELECT throws_ok(format($$ SELECT quote('baccarat', '{player@1}', %L) $$, document), code, NULL,
                 'R11.13: no outcome of baccarat: ' || document)
FROM (VALUES ('{"player": "9h Kd"}', 'KR001'), ('{"banker": "9h Kd"}', 'KR001'),
             ('{"player": "9h Kd", "banker": null}', 'KR001'),
             ('{"player": "9h Kd", "banker": 7}', 'KR001'),
             ('{"player": "9h Kd", "banker": "7c Kd", "dealer": "7c Kd"}', 'KR001'), ('[]', 'KR001'),
             ('{"player": "9h Kd", "banker": "7x Kd"}', '22P02')) v(document, code);

-- Six cards cannot hold nine copies of one, so that eight decks never run out: the check is seen with fewer
-- decks.
SELECT is(pg_temp.deal('As As As', 'As As As'), 'legal', 'R1.3: eight decks, the same card six times');
SELECT lives_ok($$ SELECT canonical_outcome('baccarat', '{"decks": "6"}',
                                            '{"player": "As As As", "banker": "As As As"}') $$,
                'R1.8: a card as often as there are decks');
PREPARE seventh AS
    SELECT canonical_outcome('baccarat', '{"decks": "5"}', '{"player": "As As As", "banker": "As As As"}');
SELECT throws_ok('seventh', 'KR001', 'illegal outcome', 'R1.8: a card more often than there are decks');
PREPARE twice AS
    SELECT canonical_outcome('baccarat', '{"decks": "1"}', '{"player": "9h Kd", "banker": "9h Kc"}');
SELECT throws_ok('twice', 'KR001', 'illegal outcome', 'R1.8: one card on both sides from one deck');

-- ------------------------------------------------------------------------------- every deal from eight decks

-- Point values in the order dealt (player, banker, player, banker, third cards); the drawing rules of this
-- file choose the deals, the product grades them. A deal that ends early stands for all cards that could have
-- followed.
CREATE TEMP TABLE point_deal AS
WITH start AS (
    SELECT a, b, c, d, (a + c) % 10 AS p, (b + d) % 10 AS k
    FROM generate_series(0, 9) a
   CROSS JOIN generate_series(0, 9) b
   CROSS JOIN generate_series(0, 9) c
   CROSS JOIN generate_series(0, 9) d
), player AS (
    SELECT s.*, e, s.p <= 7 AND r.draws AS banker_draws
    FROM start s CROSS JOIN generate_series(-1, 9) e
    JOIN banker_draws r ON r.points = s.k AND r.third = e
    WHERE (e >= 0) = (s.p <= 5 AND s.k <= 7)
)
SELECT s.a, s.b, s.c, s.d, s.e, f
  FROM player s
 CROSS JOIN generate_series(-1, 9) f
 WHERE (f >= 0) = s.banker_draws;
CREATE TEMP TABLE counted AS
SELECT grade_baccarat('player@1', hand(player), hand(banker)) AS grade,
       sum((CASE a WHEN 0 THEN 128 ELSE 32 END)::numeric
         * (CASE b WHEN 0 THEN 128 ELSE 32 END - (b = a)::integer)
         * (CASE c WHEN 0 THEN 128 ELSE 32 END - (c = a)::integer - (c = b)::integer)
         * (CASE d WHEN 0 THEN 128 ELSE 32 END - (d = a)::integer - (d = b)::integer - (d = c)::integer)
         * CASE WHEN e < 0 THEN CASE WHEN f < 0 THEN 412 ELSE 411 END
                ELSE
                    CASE e WHEN 0 THEN 128 ELSE 32 END - (e = a)::integer - (e = b)::integer
                        - (e = c)::integer - (e = d)::integer END
         * CASE WHEN f < 0 THEN 411
                ELSE
                    CASE f WHEN 0 THEN 128 ELSE 32 END - (f = a)::integer - (f = b)::integer
                        - (f = c)::integer - (f = d)::integer - (f = e)::integer END)
       AS ways
FROM point_deal
CROSS JOIN LATERAL (SELECT ARRAY[face[a], face[c]] || CASE WHEN e >= 0 THEN ARRAY[face[e]] END AS player,
                           ARRAY[face[b], face[d]] || CASE WHEN f >= 0 THEN ARRAY[face[f]] END AS banker
                      FROM (SELECT '[0:9]={Ts,Ah,2c,3d,4s,5h,6c,7d,8s,9h}'::card[] AS face) x) y
GROUP BY 1;
SELECT is((SELECT sum(ways) FROM counted), 416::numeric * 415 * 414 * 413 * 412 * 411,
          'every deal of six cards from eight decks is counted once');
SELECT is((SELECT ways FROM counted WHERE grade = g), n::numeric,
          'D4 Baccarat §5, §9, §21: deals from eight decks that ' || what)
FROM (VALUES ('win', 2230518282592256, 'the player wins'), ('lose', 2292252566437888, 'the banker wins'),
             ('push', 475627426473216, 'are ties')) v(g, n, what);

-- ---------------------------------------------------------------------------- all bets on all kinds of deals

-- Two cards by points and pair (none, ranks alike, cards alike), third cards by points; one deal stands for
-- all that are alike in both sides' points, pairs and number of cards.
CREATE TEMP TABLE two AS
SELECT p AS points, pair,
       (CASE WHEN pair = 0 THEN CASE p WHEN 0 THEN 'Kh Td' WHEN 1 THEN 'Kh Ad' ELSE 'Kh ' || p || 'd' END
             ELSE r || 'h ' || r || CASE pair WHEN 1 THEN 's' ELSE 'h' END END) AS cards
FROM generate_series(0, 9) p CROSS JOIN generate_series(0, 2) pair
CROSS JOIN LATERAL (SELECT CASE p / 2 WHEN 0 THEN 'K' WHEN 1 THEN 'A' ELSE (p / 2)::text END AS r) x
WHERE pair = 0 OR p % 2 = 0;
CREATE TEMP TABLE class AS
SELECT row_number() OVER () AS id, split_part(min(deal), '|', 1) AS player,
       split_part(min(deal), '|', 2) AS banker
FROM (
    SELECT pc || '|' || bc AS deal, (p.points + greatest(t.third, 0)) % 10 AS pp,
           (b.points + greatest(f.third, 0)) % 10 AS bp,
           p.pair AS ppair, b.pair AS bpair, (t.third >= 0)::integer + (f.third >= 0)::integer AS thirds
    FROM two p CROSS JOIN two b CROSS JOIN generate_series(-1, 9) t(third)
    JOIN banker_draws d ON d.points = b.points AND d.third = t.third
    CROSS JOIN generate_series(-1, 9) f(third)
    CROSS JOIN LATERAL (SELECT p.cards || CASE t.third
                                               WHEN -1 THEN ''
                                               WHEN 0 THEN ' Qs'
                                               WHEN 1 THEN ' As'
                                               ELSE ' ' || t.third || 's' END AS pc,
                               b.cards || CASE f.third
                                               WHEN -1 THEN ''
                                               WHEN 0 THEN ' Qc'
                                               WHEN 1 THEN ' Ac'
                                               ELSE ' ' || f.third || 'c' END AS bc) c
    WHERE (t.third >= 0) = (p.points <= 5 AND b.points <= 7) AND (f.third >= 0) = (p.points <= 7 AND d.draws)
) x
GROUP BY pp, bp, ppair, bpair, thirds;

CREATE TEMP TABLE graded AS
SELECT c.id, c.player, c.banker, b.bet, b.max, b.odds, pg_temp.ends(b.bet, c.player, c.banker) AS ends,
       q.grade, q.profit, q.payout
FROM class c
CROSS JOIN LATERAL quote('baccarat', (SELECT array_agg((bet || '@' || max)::bet ORDER BY place) FROM bet_of),
                         jsonb_build_object('player', c.player, 'banker', c.banker)) WITH ORDINALITY AS q(
                             bet, grade, profit, payout, place)
JOIN bet_of b ON b.place = q.place;
SELECT ok((SELECT count(*) FROM class) > 1000, 'more than a thousand classes of deals are graded');
SELECT is_empty(format($$ SELECT player, banker, ends, grade, profit, payout FROM graded WHERE bet = %L
        AND (grade, profit, payout) IS DISTINCT FROM
            (ends, CASE ends WHEN 'lose' THEN -max WHEN 'push' THEN 0 ELSE max * odds END,
             CASE ends WHEN 'lose' THEN 0 WHEN 'push' THEN max ELSE max * (1 + odds) END) $$, bet),
                format('D4 Baccarat §19 to §23: %s on every class of points, pairs and number of cards', bet))
FROM bet_of ORDER BY place;
SELECT bag_eq($$ SELECT DISTINCT bet, CASE WHEN grade LIKE 'tie_%' THEN 'win' ELSE grade END FROM graded $$,
              $$ SELECT bet, g
                   FROM bet_of
                  CROSS JOIN unnest('{win,lose,push}'::text[]) g
                  WHERE g <> 'push' OR bet IN ('player', 'banker') $$,
              'D4 Baccarat §21: every bet was seen to win and to lose; player and banker, and they alone, '
              'to be returned');
SELECT is_empty($$ SELECT player, banker, bet, payout FROM graded WHERE bet IN ('player', 'banker')
                      AND (payout = max) <> (pg_temp.points(player) = pg_temp.points(banker)) $$,
                'D4 Baccarat §21: a tie returns the stakes on player and banker, and nothing else does');

-- §20: "Maximální čistá výhra včetně vedlejších sázek je 967 000 CZK"; lost stakes are not deducted (R8.9)
SELECT is((SELECT max(won)
             FROM (SELECT sum(max * odds) FILTER (WHERE ends NOT IN ('lose', 'push')) AS won
                     FROM graded
                    GROUP BY id) x),
          967000.00,
          'D4 Baccarat §20: the odds and maxima of the document allow 967 000 on one deal, and no more');
SELECT is((SELECT max(won)
             FROM (SELECT sum(profit) FILTER (WHERE profit > 0) AS won FROM graded GROUP BY id) x),
          967000.00,
          'D4 Baccarat §20: quotes of all bets at their maxima win 967 000 on some deal and never more');

SELECT results_eq($$ SELECT bet::text, grade, payout
                       FROM quote('baccarat', '{player@10,banker@20,tie@10}', $$ || quote_literal(document)
                            || ')',
                  format($$ VALUES ('player@10.00', %L, %s::numeric), ('banker@20.00', %L, %s),
                                   ('tie@10.00', %L, %s) $$,
                         pg, pp, bg, bp, tg, tp),
                  'D4 Baccarat §21: 10 and 20 CZK on player, banker and tie when ' || what)
FROM (VALUES ('{"player": "9h Kd", "banker": "8c Ks"}', 'win', '20.00', 'lose', '0.00',  'lose',
              '0.00',  'the player has 9'),
             ('{"player": "8h Kd", "banker": "9c Ks"}', 'lose', '0.00',  'win', '39.00', 'lose',
              '0.00',  'the banker has 9'),
             ('{"player": "9h Kd", "banker": "9c Ks"}', 'push', '10.00', 'push', '20.00', 'win',
              '90.00', 'both have 9'))
     v(document, pg, pp, bg, bp, tg, tp, what);
SELECT results_eq(format($$ SELECT selection(bet)::integer, grade, payout
                              FROM quote('baccarat',
                                         (SELECT array_agg(('egalite:' || n || '@10')::bet)
                                            FROM generate_series(0, 9) n),
                                         %L)
                            WHERE payout > 0 $$, jsonb_build_object('player', player, 'banker', banker)),
                  format($$ VALUES (%s, 'tie_%s', %s.00) $$, n, n, 10 + 10 * odds),
                  format('D4 Baccarat §23 Egalite Extra: a tie on %s pays egalite:%s %s:1 and no other', n, n,
                         odds))
FROM (VALUES (0, 150, 'Kh 5d 5s', 'Kc 4s 6s'), (1, 215, 'Kh 5d 6s', 'Kc 5s 6h'),
             (2, 220, 'Kh 5d 7s', 'Kc 5s 7h'), (3, 200, 'Kh 3d Qs', 'Kc 3s Qh'),
             (4, 120, 'Kh 3d As', 'Kc 3s Ah'), (5, 110, 'Kh 4d As', 'Kc 5s'), (6, 45, 'Kh 6d', 'Kc 6s'),
             (7, 45, 'Kh 7d', 'Kc 7s'),
             (8, 80, 'Kh 8d', 'Kc 8s'), (9, 80, 'Kh 9d', 'Kc 9s')) v(n, odds, player, banker);

-- pairs of either side, §19 "například pár kárových sedmiček"
SELECT results_eq($$ SELECT kind(bet), payout
                       FROM quote('baccarat', '{player_pair@1,banker_pair@1,any_pair@1,perfect_pair@1}', $$
                            || quote_literal(document) || ')',
                  format($$ VALUES ('player_pair', %s::numeric), ('banker_pair', %s), ('any_pair', %s),
                                   ('perfect_pair', %s) $$,
                         pp, bp, ap, xp),
                  'D4 Baccarat §19, §23 pairs: ' || what)
FROM (VALUES ('{"player": "7d 7d 2c", "banker": "9c 7s"}',    '12.00', '0.00',  '6.00',
              '26.00', 'two sevens of diamonds of the player'),
             ('{"player": "9c 7s",    "banker": "Kd Kd 5h"}', '0.00', '12.00', '6.00',
              '26.00', 'two kings of diamonds of the banker'),
             ('{"player": "4h 4s",    "banker": "4h 4s"}',    '12.00', '12.00', '6.00',
              '0.00',  'two of one rank on each side pay any pair once'),
             ('{"player": "4h 4h",    "banker": "4s 4s"}',    '12.00', '12.00', '6.00',
              '26.00', 'perfect pairs on both sides pay once'),
             ('{"player": "Kh Qh 8c", "banker": "9c 7s"}',    '0.00', '0.00',  '0.00',
              '0.00',  'king and queen are no pair, equal points or not'),
             ('{"player": "2h 3h 3h", "banker": "9c 7s"}',    '0.00', '0.00',  '0.00',
              '0.00',  'the third card makes no pair'),
             ('{"player": "8h Kd",    "banker": "8h Kd"}',    '0.00', '0.00',  '0.00',
              '0.00',  'no pair across the sides')) v(document, pp, bp, ap, xp, what);
SELECT results_eq($$ SELECT kind(bet), payout
                       FROM quote('baccarat', '{big@100,small@100}', $$ || quote_literal(document) || ')',
                  format($$ VALUES ('big', %s::numeric), ('small', %s) $$, big, small),
                  'D4 Baccarat §19, §23 big and small: ' || what)
FROM (VALUES ('{"player": "6h Kd",    "banker": "7c Ks"}',    '0.00',   '250.00', 'four cards'),
             ('{"player": "2h 3h 3h", "banker": "9c 8s"}',    '154.00',
              '0.00',   'five cards, the player drew'),
             ('{"player": "6h Kd",    "banker": "2c 3s 4d"}', '154.00',
              '0.00',   'five cards, the banker drew'),
             ('{"player": "2h 3h 3h", "banker": "2c Ks 4d"}', '154.00', '0.00',   'six cards')) v(
                 document, big, small, what);

-- ------------------------------------------------------------------------------------------ rounding (R2.1)

CREATE TEMP TABLE rounded AS
SELECT b.kind, h, q.profit, (2 * h * b.num + b.den) / (2 * b.den) AS halere   -- half up, in whole numbers
FROM (VALUES ('banker', 19, 20, '{"player": "2h 3h 6s", "banker": "2c 3s 4d"}'),
             ('big', 27, 50, '{"player": "2h 3h 6s", "banker": "2c 3s 4d"}'),
             ('small', 3, 2, '{"player": "6h Kd", "banker": "7c Ks"}')) b(kind, num, den, document)
CROSS JOIN generate_series(1, 1000) h       -- each by itself: chips of one set lie on one position
CROSS JOIN LATERAL quote('baccarat', ARRAY[(b.kind || '@' || h / 100.0)::bet], b.document::jsonb) q;
SELECT is((SELECT count(*) FROM rounded WHERE kind = k), 1000::bigint, 'a thousand stakes on ' || k)
  FROM unnest('{banker,big,small}'::text[]) k;
SELECT is_empty(format($$ SELECT h, profit, halere
                            FROM rounded
                           WHERE kind = %L AND profit IS DISTINCT FROM halere / 100.0 $$,
                       k),
                format('R2.1: %s rounded half up to 0.01 for every stake of 0.01 to 10.00 CZK', what))
FROM (VALUES ('banker', '0.95:1'), ('big', '0.54:1'), ('small', '1.5:1')) v(k, what);
SELECT results_eq(
    $$ SELECT q.bet::text, q.profit
         FROM unnest(
             '{banker@0.01,banker@0.10,banker@0.30,banker@0.50,banker@33.33,big@0.01,big@0.25,'
             'big@0.75,big@33.33}'::bet[])
                                                WITH ORDINALITY b (bet, n),
                                                quote('baccarat', ARRAY[b.bet],
                                                      '{"player": "2h 3h 6s", "banker": "2c 3s 4d"}') q
                                                ORDER BY b.n $$,
    $$ VALUES ('banker@0.01', 0.01), ('banker@0.10', 0.10), ('banker@0.30', 0.29), ('banker@0.50', 0.48),
              ('banker@33.33', 31.66),
              ('big@0.01', 0.01), ('big@0.25', 0.14), ('big@0.75', 0.41), ('big@33.33', 18.00) $$,
    'R2.1: 0.0095, 0.095, 0.285, 0.475, 31.6635; 0.0054, 0.135, 0.405, 17.9982 CZK, calculated by hand');
SELECT results_eq(
    $$ SELECT q.profit
         FROM unnest('{small@0.01,small@0.02,small@0.03,small@33.33}'::bet[]) WITH ORDINALITY b (bet, n),
                            quote('baccarat', ARRAY[b.bet], '{"player": "6h Kd", "banker": "7c Ks"}') q ORDER
                                BY b.n $$,
    $$ VALUES (0.02), (0.03), (0.05), (50.00) $$, 'R2.1: 0.015, 0.03, 0.045, 49.995 CZK, calculated by hand');

-- ------------------------------------------------------------------------------------------ real rounds

SELECT add_game_table('baccarat', 'deals', 0.01, 100000) AS deals \gset
SELECT register_player('dealt') AS dealt, register_player('greatest') AS greatest \gset
SELECT count(deposit(p, 100000000)) AS entries FROM unnest(ARRAY[:dealt, :greatest]) p \gset
CREATE TEMP TABLE dealt (id bigint, round_id bigint, settlement settlement);
CREATE FUNCTION pg_temp.play(table_id bigint, player_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    c record;
    r bigint;
BEGIN
    FOR c IN SELECT *
               FROM class
              WHERE id % 12 = 0 OR pg_temp.points(player) = pg_temp.points(banker)
              ORDER BY id LOOP
        r := casino.open_round(table_id, 'deal ' || c.id);
        PERFORM casino.place_bets(r, player_id,
                                  (SELECT array_agg((bet || '@' || 10 + 0.37 * place)::casino.bet
                                                    ORDER BY place)
                                     FROM bet_of));
        PERFORM casino.close_betting(r);
        INSERT INTO dealt
        SELECT c.id, r, x
          FROM casino.settle_round(r, jsonb_build_object('player', c.player, 'banker', c.banker)) x;
    END LOOP;
END $$;
SELECT pg_temp.play(:deals, :dealt) \gset
ANALYZE casino.ledger, casino.round, dealt;
CREATE TEMP TABLE dealt_wager AS
SELECT d.id, b.bet, 10 + 0.37 * b.place AS stake, b.odds, g.ends, w.status, w.grade, w.payout
FROM dealt d CROSS JOIN bet_of b JOIN graded g ON g.id = d.id AND g.bet = b.bet
LEFT JOIN wager w
     ON w.round_id = d.round_id AND w.bet::text = b.bet || '@' || (10 + 0.37 * b.place)::numeric(10, 2);
SELECT is_empty($$ SELECT * FROM dealt_wager
        WHERE (status, grade, payout) IS DISTINCT FROM
              (CASE ends WHEN 'lose' THEN 'lost' WHEN 'push' THEN 'pushed' ELSE 'won' END, ends,
               CASE ends WHEN 'lose' THEN 0 WHEN 'push' THEN stake
                   ELSE stake + round(stake * odds, 2) END) $$,
                format('D4 Baccarat §21 to §23: all 19 positions settled in %s real rounds',
                       (SELECT count(*) FROM dealt)));
SELECT bag_eq($$ SELECT DISTINCT bet, status FROM dealt_wager $$,
              $$ SELECT bet, s
                   FROM bet_of
                  CROSS JOIN unnest('{won,lost,pushed}'::text[]) s
                  WHERE s <> 'pushed' OR bet IN ('player', 'banker') $$,
              'D4 Baccarat §21: in the real rounds every bet won once and lost once');
SELECT is_empty($$ SELECT id, (settlement).wagers, (settlement).staked, (settlement).paid FROM dealt
                   EXCEPT
                   SELECT id, count(*), sum(stake),
                          sum(CASE ends
                                   WHEN 'lose' THEN 0
                                   WHEN 'push' THEN stake
                                   ELSE stake + round(stake * odds, 2) END)
                     FROM dealt_wager
                    GROUP BY id $$, 'D4 Baccarat §21: the settlements count wagers, stakes and payouts');
SELECT is((SELECT balance FROM player WHERE player_id = :dealt),
          (SELECT 100000000 - sum(stake) + sum(
              CASE ends WHEN 'lose' THEN 0 WHEN 'push' THEN stake ELSE stake + round(stake * odds, 2) END)
             FROM dealt_wager),
          'the wallet after all these rounds');

-- everything at its maximum on the best deal
SELECT open_round(:deals, 'greatest') AS greatest_round \gset
SELECT lives_ok(format($$ SELECT place_bets(%s, %s,
                                            (SELECT array_agg((bet || '@' || max)::bet) FROM bet_of)) $$,
                       :greatest_round, :greatest),
                'D4 Baccarat §20: every bet at its maximum, together 375 000, is taken');
SELECT results_eq(format($$ SELECT status, wagers, staked, paid
                              FROM settle_round(%s, '{"player": "6h 6h Th", "banker": "As As Kd"}') $$,
                         :greatest_round),
                  -- won: tie, egalite 2, big and four pair bets with 116 000 staked; returned: player and
                  -- banker
                  $$ VALUES ('settled', 19::bigint, 375000.00, 116000.00 + 967000.00 + 200000.00) $$,
                  'D4 Baccarat §20: a tie on 2 with a perfect pair on each side wins the declared 967 000');
SELECT is((SELECT sum(payout - staked) FROM wager WHERE round_id = :greatest_round AND status = 'won'),
          967000.00, 'D4 Baccarat §20: the winning wagers'' profits add up to 967 000');
SELECT is((SELECT count(*) FROM breach), 0::bigint,
          'D4 Baccarat §20: no profit under the document''s own plan is capped');

-- ------------------------------------------------------------------------------------------ limits

CREATE SEQUENCE attempt_no;
SELECT deposit(register_player('attempts'), 100000000) AS entry \gset
-- 'accepted', or the SQLSTATE of the last request refused
CREATE FUNCTION pg_temp.attempt(table_id bigint, VARIADIC requests text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(table_id, 'attempt ' || nextval('attempt_no'));
    answer text := 'accepted';
    one text;
BEGIN
    FOREACH one IN ARRAY requests LOOP
        BEGIN
            PERFORM casino.place_bets(
                r, (SELECT p.player_id FROM casino.player p WHERE p.external_ref = 'attempts'),
                one::casino.bet[]);
        EXCEPTION WHEN OTHERS THEN
            answer := SQLSTATE;
        END;
    END LOOP;
    PERFORM casino.void_round(r, 'an attempt');
    RETURN answer;
END $$;
SELECT is(pg_temp.attempt(:deals, format('{%s@%s}', bet, max)), 'accepted',
          format('D4 Baccarat §20: %s CZK on %s', max, bet))
  FROM bet_of
 ORDER BY place;
SELECT is(pg_temp.attempt(:deals, format('{%s@%s}', bet, max + 0.01)), 'KB002',
          format('D4 Baccarat §20: not %s CZK on %s', max + 0.01, bet))
  FROM bet_of
 ORDER BY place;
SELECT is(pg_temp.attempt(:deals, '{egalite:4@600}', '{egalite:4@400}'), 'accepted',
          'R11.1: several chips on one egalite, together its maximum');
SELECT is(pg_temp.attempt(:deals, '{egalite:4@600}', '{egalite:4@400.01}'), 'KB002',
          'R11.1: several chips on one egalite have one maximum');
SELECT is(pg_temp.attempt(:deals, '{egalite:4@1000,egalite:5@1000}'), 'accepted',
          'D4 Baccarat §19: several Egalite Extra positions at once');

SELECT add_game_table('baccarat', 'small', 50, 500) AS small \gset
SELECT is(pg_temp.attempt(:small, bets), expected,
          format('D4 Baccarat §20, R11.5: a table of 50 to 500 CZK, %s: %s', bets, expected))
FROM (VALUES ('{player@50}', 'accepted'), ('{player@49.99}', 'KB002'), ('{player@500}', 'accepted'),
             ('{player@500.01}', 'KB002'),
             ('{banker@50}', 'accepted'), ('{banker@49.99}', 'KB002'), ('{banker@500}', 'accepted'),
             ('{banker@500.01}', 'KB002'),
             ('{tie@0.01}', 'accepted'), ('{tie@25000}', 'accepted'), ('{tie@25000.01}', 'KB002'),
             ('{perfect_pair@0.01}', 'accepted'),
             ('{big@50000}', 'accepted'), ('{egalite:0@1000}', 'accepted'),
             ('{player@500,banker@500}', 'accepted')) v(bets, expected);
SELECT add_game_table('baccarat', 'own limits', 50, 500,
                      '{"limits": {"tie": {"min": 10, "max": 100}, "egalite": {"max": 20}}}') AS own \gset
SELECT is(pg_temp.attempt(:own, bets), expected,
          format('R11.5: the table''s own limits, %s: %s', bets, expected))
FROM (VALUES ('{tie@10}', 'accepted'), ('{tie@9.99}', 'KB002'), ('{tie@100}', 'accepted'),
             ('{tie@100.01}', 'KB002'),
             ('{egalite:3@20}', 'accepted'), ('{egalite:3@20.01}', 'KB002'),
             ('{small@50000}', 'accepted')) v(bets, expected);
SELECT throws_ok(format($$ SELECT add_game_table('baccarat', %L, 50, %s, %L) $$, name, most, options),
                 'KB002', NULL, 'R11.5: no table beyond the plan: ' || name)
FROM (VALUES ('player 100 000.01', 100000.01, '{}'),
             ('tie 25 000.01', 500, '{"limits": {"tie": {"max": 25000.01}}}')) v(name, most, options);

SELECT is(pg_temp.attempt(:deals, bets), 'accepted',
          'D4 Baccarat §19: a side bet without a main bet: ' || bets)
FROM unnest(ARRAY['{player_pair@1}', '{banker_pair@1}', '{any_pair@1}', '{perfect_pair@1}',
                  '{big@1}', '{small@1}', '{egalite:0@1}', '{player@1,banker_pair@1}']) bets;
SELECT is(pg_temp.attempt(:deals, bets), 'KB004', 'D4 Baccarat §18: not offered: ' || bets)
FROM unnest(ARRAY['{main@1}', '{dealer_pair@1}', '{red@1}', '{straight:0@1}', '{behind@1}', '{21+3@1}']) bets;

SELECT is_empty($$ SELECT bet, max_win('baccarat', (bet || '@' || max)::bet) FROM bet_of
                    WHERE (max_win('baccarat', (bet || '@' || max)::bet),
                           max_win('baccarat', (bet || '@' || 3 * max)::bet),
                           max_win('baccarat', (bet || '@10')::bet))
                               IS DISTINCT FROM (win,
                                                 CASE WHEN bet LIKE 'egalite%' THEN least(3 * win, 220000)
                                                      ELSE win END,
                                                 10 * odds) $$,
                'D4 Baccarat §20: max_win() of the greatest stakes is the declared win, of greater ones no '
                'more, of 10 CZK the odds');

-- --------------------------------------------------------------------------- the round's maximum and the cap

-- Under the document's plan the positions' maxima add up to the round's 375 000, so that it cannot be passed
-- on its own. A later version with a greater tie and better odds shows both bounds.
SELECT is((SELECT sum(max) FROM bet_of), 375000::numeric,
          'D4 Baccarat §20: the maxima of all bets add up to the round''s maximum');
SET casino.clock_skew = -1;
SELECT clock_timestamp() + interval '1 day' AS tomorrow, clock_timestamp() + interval '2 days' AS later \gset
SELECT add_plan_version('baccarat', :'tomorrow', 'test') AS version \gset
UPDATE bet_rule SET max_stake = 30000 WHERE plan_id = :version AND kind = 'tie';
UPDATE paytable SET num = 1, den = 1 WHERE plan_id = :version AND kind = 'banker' AND grade = 'win';
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:version) \g /dev/null
SELECT register_player('later') AS later_player, register_player('other') AS other \gset
SELECT count(deposit(p, 2000000, NULL, :'later')) AS entries FROM unnest(ARRAY[:later_player, :other]) p \gset
SELECT open_round(:deals, 'later', :'later') AS later_round \gset
SELECT array_agg((bet || '@' || max)::bet)::text AS all_but_tie FROM bet_of WHERE bet <> 'tie' \gset
SELECT throws_ok(format($$ SELECT place_bets(%s, %s, array_append(%L::bet[], 'tie@25000.01'), at => %L) $$,
                        :later_round, :later_player, :'all_but_tie', :'later'),
                 'KB003', NULL,
                 'D4 Baccarat §20: 375 000.01 CZK in one request are refused');
SELECT lives_ok(format($$ SELECT place_bets(%s, %s, %L, at => %L) $$, :later_round, :later_player,
                       :'all_but_tie', :'later'),
                '350 000 CZK are taken');
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'tie@25000.01', at => %L) $$, :later_round, :later_player,
                        :'later'),
                 'KB003', NULL,
                 'D4 Baccarat §20: 25 000.01 CZK more are refused');
SELECT lives_ok(format($$ SELECT place_bet(%s, %s, 'tie@25000', at => %L) $$, :later_round, :later_player,
                       :'later'),
                'D4 Baccarat §20: exactly 375 000 CZK are taken');
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'tie@0.01', at => %L) $$, :later_round, :later_player,
                        :'later'),
                 'KB003', NULL,
                 'D4 Baccarat §20: not one haléř above 375 000 CZK');
SELECT lives_ok(format($$ SELECT place_bets(%s, %s, array_append(%L::bet[], 'tie@25000'), at => %L) $$,
                       :later_round, :other, :'all_but_tie', :'later'),
                'D4 Baccarat §20: the round''s maximum is each player''s own');
SELECT settle_round(:later_round, '{"player": "2h 3h 6s", "banker": "2c 3s 4d"}',
                    :'later') AS settlement \gset
SELECT results_eq(format(
    $$ SELECT DISTINCT staked, payout FROM wager WHERE round_id = %s AND kind = 'banker' $$, :later_round),
                  $$ VALUES (100000.00, 195000.00) $$,
                  'R2.6: banker at 1:1 is capped at the declared 95 000');
SELECT bag_eq($$ SELECT player_id, rule, detail ->> 'bet' FROM breach $$,
              format($$ VALUES (%s::bigint, 'declared_win', 'banker@100000.00'),
                               (%s, 'declared_win', 'banker@100000.00') $$,
                     :later_player, :other),
              'R2.6: both capped profits, and nothing else, are recorded as breaches');

SELECT * FROM finish();
