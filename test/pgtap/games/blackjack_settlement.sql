-- Blackjack: what each wager gets in each of the nine games, through real rounds and through quote(): the
-- documents and readings R3.1 to R3.50.  Expected amounts are counted by hand from the documents' odds.
\ir ../helpers/blackjack.psql
SELECT no_plan();

CREATE TABLE t.cases (n serial, games text, about text, wagers text[], cards text, expected text, what text);
-- the list as commands for \gexec, each in a transaction of its own; "plus": at the tables that offer more
CREATE FUNCTION t.run(plus text DEFAULT '') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', g.name || plus, c.wagers, c.cards,
                               c.expected,
                               format('%s: %s', coalesce(t.cite(g.name, c.about), g.doc || ' ' || c.about),
                                      c.what))
                   FROM t.cases c, t.games(c.games) g ORDER BY c.n, g.place;
    TRUNCATE t.cases;
END $$;

-- ------------------------------------------------------------------------------------------------ main wager
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('*', 'pays', '{main@100}', 'Td 8c | Ts 9d', 'win 200', '19 against 18 wins 1:1'),
    ('*', 'pays', '{main@0.01}', 'Td 8c | Ts 9d', 'win 0.02', 'a haléř wins a haléř'),
    ('*', 'pays', '{main@100}', 'Td 9c | Ts 8d', 'lose 0', '18 against 19 loses'),
    ('*', 'pays', '{main@100}', 'Td 8c | 9s 9d', 'push 100', '18 against 18 pushes'),
    ('*', 'pays', '{main@100}', 'Td 7c | Qs 7d', 'push 100', '17 against 17 pushes, pictures count 10'),
    ('*', 'pays', '{main@100}', 'Td 8c | As Kd', 'blackjack 250', 'a blackjack pays 3:2'),
    ('*', 'pays', '{main@100}', 'Td 8c | Js Ad', 'blackjack 250', 'a blackjack of jack and ace pays 3:2'),
    ('*', 'pays', '{main@0.01}', 'Td 8c | As Kd', 'blackjack 0.03', '3:2 of 0.01 is 0.015, half up 0.02'),
    ('*', 'pays', '{main@0.02}', 'Td 8c | As Kd', 'blackjack 0.05', '3:2 of 0.02 is 0.03'),
    ('*', 'pays', '{main@0.03}', 'Td 8c | As Kd', 'blackjack 0.08', '3:2 of 0.03 is 0.045, half up 0.05'),
    ('*', 'pays', '{main@99.99}', 'Td 8c | As Kd', 'blackjack 249.98',
     '3:2 of 99.99 is 149.985, half up 149.99'),
    ('*', 'pays', '{main@100}', 'Ad Kc | As Kd', 'push 100',
     'blackjack against blackjack (ace first) pushes'),
    ('*', 'pays', '{main@100}', 'Kc Ad | As Kd', 'push 100',
     'blackjack against blackjack (ten first) pushes'),
    ('*', 'pays', '{main@100}', 'Td 5c 6h | As Kd', 'blackjack 250',
     'a blackjack beats the dealer''s 21 of three cards'),
    ('*', 'pays', '{main@100}', 'Ad Kc | 7s 7d 7c', 'lose 0', 'the dealer''s blackjack (ace first) beats 21'),
    ('*', 'pays', '{main@100}', 'Kc Ad | 7s 7d 7c', 'lose 0', 'the dealer''s blackjack (ten first) beats 21'),
    ('*', 'pays', '{main@100}', 'Kc Ad | Ts 9d', 'lose 0', 'the dealer''s blackjack beats 19'),
    ('*', 'pays', '{main@100}', 'Td 5c 6h | 7s 7d 7c', 'push 100', '21 of three cards on both sides pushes'),
    ('*', 'pays', '{main@100}', 'Td 6c Kh | Ts 6d Kc', 'lose 0',
     'over 21 loses although the dealer is over too'),
    ('*', 'pays', '{main@100}', 'Td 6c Kh | Ts 6d 6c', 'lose 0', '22 loses although the dealer is over too'),
    ('*', 'pays', '{main@100}', 'Td 6c 9h | Ts 3d', 'win 200', 'the dealer over 21 (25) loses to 13'),
    ('*', 'pays', '{main@100}', 'Td 6c 7h | Ts 3d', 'win 200', 'the dealer over 21 (23) loses to 13'),
    ('*', 'pays', '{main@100}', 'Td 6c 5h | Ts Kd', 'lose 0', 'the dealer''s 21 beats 20'),
    ('*', 'pays', '{main@100}', 'Td 8c | As 8d', 'win 200', 'ace and eight are a soft 19'),
    ('*', 'pays', '{main@100}', 'Td 8c | As 8d Kc', 'win 200', 'ace, eight and king are a hard 19'),
    ('*', 'pays', '{main@100}', 'Td 8c | As 7d', 'push 100', 'ace and seven are a soft 18'),
    ('*', 'pays', '{main@100}', 'Td 8c | As Ad', 'lose 0', 'two aces are 12'),
    ('*', 'pays', '{main@100}', 'Td 8c | As Ad 9c', 'win 200', 'two aces and a nine are 21'),
    ('*', 'pays', '{main@100}', 'Td 8c | As 5d 6c 6h', 'push 100', 'an ace counts 1 when 11 is too much: 18'),
    ('*', 'dealer', '{main@100}', 'Td 7c | Ts 8d', 'win 200', 'the dealer stands on 17'),
    ('*', 'dealer', '{main@100}', 'Ad 6c | Ts 8d', 'win 200', 'the dealer stands on a soft 17: 18 wins'),
    ('*', 'dealer', '{main@100}', 'Ad 6c | Ts 7d', 'push 100', 'the dealer stands on a soft 17: 17 pushes'),
    ('*', 'dealer', '{main@100}', '6d Ac | Ts 6d', 'lose 0', 'the dealer stands on a soft 17: 16 loses'),
    ('*', 'dealer', '{main@100}', '3d Ac 3h | Ts 6d', 'lose 0',
     'the dealer stands on a soft 17 of three cards'),
    ('*', 'dealer', '{main@100}', '6d Tc Ah | Ts 7d', 'push 100', 'the dealer draws on 16 to 17'),
    ('*', 'dealer', '{main@100}', 'Ad 5c Kh 2s | Ts 8d', 'push 100',
     'the dealer draws on a soft 16, and on the hard 16 it becomes'),
    ('*', 'dealer', '{main@100}', 'Ad Ac 8h | Ts 9d', 'lose 0', 'the dealer''s aces: 12, then 20'),
    ('classic', 'dealer', '{main@100}', 'Td 6c | Ts 7d', 'win 200',
     'the dealer may stand on 16 ("minimálně 16"): 17 wins'),
    ('classic', 'dealer', '{main@100}', 'Td 6c | Ts 6d', 'push 100', 'the dealer may stand on 16: 16 pushes'),
    ('classic', 'dealer', '{main@100}', 'Td 6c | Ts 5d', 'lose 0', 'the dealer may stand on 16: 15 loses'),
    ('classic', 'dealer', '{main@100}', 'Td 6c 4h | Ts 7d', 'lose 0', 'the dealer may draw on 16 as well'),
    ('classic', 'dealer', '{main@100}', 'Ad 5c | Ts 7d', 'win 200', 'the dealer may stand on a soft 16');
SELECT t.run() \gexec

-- 22: D3 §3 (R3.17)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('-free_bet', 'pays', '{main@100}', 'Td 6c 6h | Ts 8d', 'win 200', 'the dealer on 22 has lost'),
    ('-free_bet', 'pays', '{main@100}', 'Td 6c 6h | Ts 2d', 'win 200', 'the dealer on 22 loses to 12'),
    ('*', 'pays', '{main@100}', 'Td 6c 6h | As Kd', 'blackjack 250',
     'the dealer on 22 loses 3:2 to a blackjack'),
    ('*', 'pays', '{main@100}', 'Td 6c 6h | Ts 6d 6c', 'lose 0', '22 against the dealer''s 22 has lost'),
    ('free_bet', '§3', '{main@100}', 'Td 6c 6h | Ts 8d', 'push 100', 'the dealer''s 22 pushes 18'),
    ('free_bet', '§3', '{main@100}', 'Td 6c 6h | Ts 2d', 'push 100', 'the dealer''s 22 pushes 12'),
    ('free_bet', '§3', '{main@100}', 'Td 6c 6h | 7s 7d 7c', 'push 100', 'the dealer''s 22 pushes 21'),
    ('free_bet', '§3', '{main@100}', 'Td 6c 5h | Ts 8d', 'lose 0', 'the dealer''s 21 is no 22'),
    ('free_bet', '§3', '{main@100}', 'Td 6c 7h | Ts 8d', 'win 200', 'the dealer''s 23 is no 22'),
    ('free_bet', '§3', '{main@100,double_down@100}', 'Td 6c 6h | 6s 5d 9c', 'push 100, push 100',
     'the dealer''s 22 pushes a doubled hand'),
    ('free_bet', '§3', '{main@100,/2 split_pair@100}', 'Td 6c 6h | As Kd | Ad Kc', 'push 100, push 100',
     'the dealer''s 22 pushes 21 of split aces'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 6c 6h | 8s Kd | 8d Kc', 'push 100, push 0',
     'the dealer''s 22 gives nothing to a free split'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 6c 6h | 6s 5d 9c', 'push 100, push 0',
     'the dealer''s 22 gives nothing to a free double');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------------- doubles (R3.54)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 5d 9c', 'win 200, win 200',
     'eleven doubled wins on both stakes'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 4d 9c', 'win 200, win 200', 'ten doubled'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 5s 4d 9c', 'push 100, push 100',
     'nine doubled pushes'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 5d 2c', 'lose 0, lose 0',
     'a doubled hand stands on its third card: 13 loses'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 6c 9h | 6s 5d 2c', 'win 200, win 200',
     'a doubled 13 wins when the dealer is over 21'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 5d Ac', 'lose 0, lose 0',
     'an ace drawn to eleven counts 1'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Ad Kc | 6s 5d Kc', 'lose 0, lose 0',
     'against a blackjack with the ace first both stakes are lost'),
    ('*', 'doubles', '{main@0.01,double_down@0.01}', 'Td 8c | 6s 5d 9c', 'win 0.02, win 0.02',
     'a haléř doubled'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | 8s 4d 9c', 'win 200, win 200',
     'a hard 12 may be doubled'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | 5s 3d Kc', 'push 100, push 100',
     'an 8 may be doubled'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | As 7d 2c', 'win 200, win 200',
     'a soft 18 may be doubled'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | As 2d 8c', 'win 200, win 200',
     'ace and two, doubled with an eight, are 21'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | Ts 2d Kc', 'lose 0, lose 0',
     'a doubled hand over 21 has lost'),
    ('-classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | 8s 8d 4c', 'win 200, win 200',
     'a pair may be doubled'),
    -- D4: "Pokud má první karta krupiéra hodnotu 10 a dostane eso" (R3.15)
    ('synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100,double_down@100}', 'Kd Ac | 8s 3d 9c',
     'returned 100, returned 100', 'ten and ace give the doubled stake back'),
    ('synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100,double_down@100}', 'Td Ac | 8s 3d Kc',
     'returned 100, returned 100', 'ten and ace give the doubled stake back also of 21'),
    ('synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100,double_down@100}', 'Kd Ac | 8s 4d Kc',
     'lose 0, lose 0', 'against ten and ace too a doubled hand over 21 has lost'),
    ('synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100}', 'Kd Ac | 8s 3d 9c', 'lose 0',
     'ten and ace give a stake that was not doubled to the house'),
    ('synot,all_bets,infinite,evolution,endless', 'doubles',
     '{main@100,/2 split_pair@100,/2 double_down@100}', 'Kd Ac | 8s Kd | 8d 3c Kh',
         'lose 0, returned 100, returned 100',
             'ten and ace give the doubled stake of a split hand back, the other is lost'),
    ('synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100,/2 split_pair@100,double_down@100}',
     'Kd Ac | 8s 3d Kh | 8d Kd', 'returned 100, lose 0, returned 100',
         'ten and ace and the first hand doubled'),
    ('czech,classic,house,free_bet', 'doubles', '{main@100,double_down@100}', 'Kd Ac | 8s 3d 9c',
     'lose 0, lose 0', 'against ten and ace the doubled stake is lost'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Kd Ac | 8s 3d 9c', 'lose 0, lose 0',
     'against ten and ace a free double is lost with its stake');
SELECT t.run() \gexec

-- -------------------------------------------------------------------------------------------- splits (R3.11)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | 8s Kd | 8d 3c Kh', 'push 100, win 200',
     'each hand of a split counts for itself'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 3d Kh | 8d Kc', 'win 200, push 100',
     'and the first hand draws too'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 6d Kh | 8d Jc', 'lose 0, push 100',
     'one hand of a split is over 21'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 6c 9h | 8s 6d Kh | 8d 5c', 'lose 0, win 200',
     'the dealer over 21 pays the hand that stands'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | Ks 9d | Kd 7c', 'win 200, lose 0',
     'kings may be split'),
    ('-czech', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | Ks 9d | Qd 7c', 'win 200, lose 0',
     'king and queen are of equal value and may be split'),
    ('-czech', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | Ts 9d | Jd 7c', 'win 200, lose 0',
     'ten and jack are of equal value and may be split'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | As Kd | Ad 9c', 'win 200, win 200',
     'ace and ten after a split are 21 and pay 1:1'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | Ks Ad | Kd 9c', 'win 200, win 200',
     'ten and ace after a split are 21 and pay 1:1'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 5c 6h | As Kd | Ad 9c', 'push 100, lose 0',
     'ace and ten after a split push a 21'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Ad Kc | As Kd | Ad Qc', 'lose 0, lose 0',
     'ace and ten after a split lose to a blackjack'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | As Ad | Ad 5c', 'lose 0, lose 0',
     'split aces stand on their one card, be it an ace'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits',
     '{main@100,/2 split_pair@100,/2 double_down@100}', 'Td 8c | 8s Kd | 8d 3c Kh',
         'push 100, win 200, win 200', 'a hand of a split may be doubled'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits',
     '{main@100,/2 split_pair@100,double_down@100}', 'Td 8c | 8s 3d Kh | 8d 2c Kd',
         'win 200, win 200, win 200', 'the first hand of a split may be doubled'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits',
     '{main@100,/2 split_pair@100,double_down@100,/2 double_down@100}', 'Td 8c | 8s 3d Kh | 8d 3c 2d',
         'win 200, lose 0, win 200, lose 0', 'both hands of a split may be doubled'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100,/4 split_pair@100}',
     'Td 8c | 8s Kd | 8d 3c Kh | 8h 9d | 8c 5d 6c', 'push 100, win 200, lose 0, win 200',
         'three splits, four hands'),
    ('house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100,/4 split_pair@100}',
     'Td 8c | Ks 8d | Qd 9c | Jh 7d | Tc 5d 6c', 'push 100, win 200, lose 0, win 200',
         'four hands of four ten-values'),
    ('czech,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100,/4 split_pair@100}',
     'Td 8c | As Kd | Ad 9c | Ah 7d | Ac 2d', 'win 200, win 200, push 100, lose 0',
         'aces may be split again, to four hands'),
    ('czech,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100,/3 double_down@100}',
     'Td 8c | 8s Kd | 8d Qh | 8h 2d Kd', 'push 100, push 100, win 200, win 200',
         'a hand of a second split may be doubled');
SELECT t.run() \gexec

-- ----------------------------------------------------------------------------------------- insurance (R3.26)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('*', 'insures', '{main@100,insurance@50}', 'Ad Kc | Ts 9d', 'lose 0, win 150',
     'insurance pays 2:1 against a blackjack, the stake is lost'),
    ('*', 'insures', '{main@100,insurance@50}', 'Ad Tc | Ts 9d', 'lose 0, win 150',
     'insurance pays against ace and ten'),
    ('*', 'insures', '{main@100,insurance@50}', 'Ad 8c | Ts 9d', 'push 100, lose 0',
     'insurance is lost when the dealer has no blackjack'),
    ('*', 'insures', '{main@100,insurance@50}', 'Ad 5c 5h | Ts 9d', 'lose 0, lose 0',
     'insurance is lost against 21 of three cards'),
    ('*', 'insures', '{main@100,insurance@50}', 'Ad 5c Th Kd | Ts 9d', 'win 200, lose 0',
     'insurance is lost when the dealer is over 21'),
    ('*', 'insures', '{main@100,insurance@50}', 'Ad Kc | Ts 6d Kc', 'lose 0, win 150',
     'insurance pays for a hand over 21'),
    ('*', 'insures', '{main@100,insurance@50,double_down@100}', 'Ad Kc | 6s 5d 9c', 'lose 0, win 150, lose 0',
     'insurance and a double against a blackjack'),
    ('*', 'insures', '{main@100,insurance@50,/2 split_pair@100}', 'Ad Kc | 8s Kd | 8d Qc',
     'lose 0, win 150, lose 0', 'insurance and a split against a blackjack'),
    ('classic,free_bet,synot,all_bets,infinite,evolution,endless', 'insures', '{main@100,insurance@50}',
     'Ad Kc | As Kd', 'push 100, win 150', 'an insured blackjack against a blackjack'),
    ('classic,free_bet,synot,all_bets,infinite,evolution,endless', 'insures', '{main@100,insurance@50}',
     'Ad 8c | As Kd', 'blackjack 250, lose 0', 'an insured blackjack against none'),
    ('czech,house', 'insures', '{main@100,insurance@50}', 'Ad Kc | As Kd', 'push 100, returned 50',
     'a blackjack cannot be insured: returned'),
    ('czech,house', 'insures', '{main@100,insurance@50}', 'Ad 8c | As Kd', 'blackjack 250, returned 50',
     'a blackjack cannot be insured: returned, nothing lost'),
    ('czech,house', 'insures', '{main@100,insurance@50}', 'Ad Kc | As Kd !even',
     'even_money 200, returned 50', 'even money in place of insurance'),
    ('czech,house', 'insures', '{main@100,insurance@50,/2 split_pair@100}', 'Ad Kc | As Kd | Ad 5c',
     'lose 0, win 150, lose 0', 'ace and ten of a split is no blackjack and may be insured'),
    ('*', 'insures', '{main@100,insurance@50}', 'Kd 8c | Ts 9d', 'win 200, returned 50',
     'insurance without an ace was not on offer: returned'),
    ('*', 'insures', '{main@100,insurance@50}', 'Kd Ac | Ts 9d', 'lose 0, returned 50',
     'insurance against ten and ace was not on offer: returned, not won'),
    ('*', 'insures', '{main@100,insurance@50}', '9d Ac | Ts 9d', 'lose 0, returned 50',
     'insurance against an ace that came second: returned'),
    ('*', 'insures', '{main@0.02,insurance@0.01}', 'Ad Kc | Ts 9d', 'lose 0, win 0.03',
     'insurance of a haléř'),
    ('house,free_bet', 'insures', '{main@100,insurance@20}', 'Ad Kc | Ts 9d', 'lose 0, win 60',
     'less than half may be insured'),
    ('free_bet', 'insures', '{main@100,double_down@100,insurance@100}', 'Ad Kc | 6s 5d 9c',
     'lose 0, lose 0, win 300', 'the doubled stake may be insured'),
    ('free_bet', 'insures', '{main@100,/2 split_pair@100,insurance@100}', 'Ad Kc | 8s Kd | 8d Qc',
     'lose 0, lose 0, win 300', 'the split stake may be insured');
SELECT t.run() \gexec

-- the breach of an insurance that was not on offer
CREATE TEMP TABLE breaches AS SELECT * FROM casino.breach;
SELECT is((SELECT count(*) FROM casino.breach WHERE rule = 'insurance_not_offered')::integer, 4 + 2 + 27,
          'R3.28: each insurance that was not on offer is recorded as a breach');
SELECT is_empty($$ SELECT * FROM casino.breach
                WHERE rule <> 'insurance_not_offered' $$, 'and nothing else is');
SELECT is_empty($$ SELECT b.* FROM casino.breach b JOIN casino.wager w USING (player_id, entry_no)
                WHERE (w.kind, w.status, w.grade) <> ('insurance', 'pushed', 'returned') $$,
                'R3.28: the breach names the insurance wager');

-- amounts: at a table of 10 to 1000 (R3.27)
CREATE FUNCTION t.may_on(name text, lying text[], spec text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked(name, lying);
    RETURN t.may(spec);
END $$;
SELECT format('SELECT is(t.may_on(%L, %L, %L), %L, %L)', name || '+', lying, spec, expected,
              format('%s: insurance of %s on %s is %s', t.cite(name, 'insures'), split_part(spec, '@', 2),
                     lying, CASE expected WHEN 'ok' THEN 'taken' ELSE 'refused' END))
FROM (VALUES
    ('-house,free_bet', '{main@100}', 'insurance@50', 'ok'),
    ('-house,free_bet', '{main@100}', 'insurance@50.01', 'KB002'),
    ('-house,free_bet', '{main@100}', 'insurance@49.99', 'KB002'),
    ('-house,free_bet', '{main@100.01}', 'insurance@50', 'ok'),
    ('-house,free_bet', '{main@100.01}', 'insurance@50.01', 'KB002'),
    ('-house,free_bet', '{main@100,double_down@100}', 'insurance@100', 'KB002'),
    ('-house,free_bet', '{main@100,double_down@100}', 'insurance@50', 'ok'),
    ('*', '{main@100,insurance@50}', 'insurance@50', 'KB002'),
    ('house', '{main@100}', 'insurance@50', 'ok'),
    ('house', '{main@100}', 'insurance@50.01', 'KB002'),
    ('house', '{main@100}', 'insurance@0.01', 'ok'),
    ('house', '{main@100.01}', 'insurance@50', 'ok'),
    ('house', '{main@100.01}', 'insurance@50.01', 'KB002'),
    ('house', '{main@100,insurance@49.99}', 'insurance@0.01', 'ok'),
    ('house', '{main@100,insurance@49.99}', 'insurance@0.02', 'KB002'),
    ('house', '{main@100,double_down@100}', 'insurance@50.01', 'KB002'),
    ('free_bet', '{main@100}', 'insurance@50', 'ok'),
    ('free_bet', '{main@100}', 'insurance@5', 'ok'),
    ('free_bet', '{main@100}', 'insurance@45', 'ok'),
    ('free_bet', '{main@100}', 'insurance@4.99', 'KB002'),
    ('free_bet', '{main@100}', 'insurance@5.01', 'KB002'),
    ('free_bet', '{main@100}', 'insurance@50.01', 'KB002'),
    ('free_bet', '{main@100}', 'insurance@49.99', 'KB002'),
    ('free_bet', '{main@100}', 'insurance@55', 'KB002'),
    ('free_bet', '{main@99.99}', 'insurance@50', 'KB002'),
    ('free_bet', '{main@100,double_down@100}', 'insurance@100', 'ok'),
    ('free_bet', '{main@100,double_down@100}', 'insurance@105', 'KB002'),
    ('free_bet', '{main@100,/2 split_pair@100}', 'insurance@100', 'ok'),
    ('free_bet', '{main@100,/2 split_pair@100}', 'insurance@105', 'KB002'),
    ('free_bet', '{main@100,free_double@100}', 'insurance@55', 'KB002'),
    ('free_bet', '{main@100,/2 free_split@100}', 'insurance@55', 'KB002'),
    ('free_bet', '{main@100,/2 free_split@100,/2 double_down@100}', 'insurance@100', 'ok'),
    ('free_bet', '{main@100,insurance@50,double_down@100}', 'insurance@50', 'ok'),
    ('free_bet', '{main@100,insurance@50,double_down@100}', 'insurance@55', 'KB002')) v (games, lying, spec,
            expected), t.games(v.games) g \gexec

-- ---------------------------------------------------------------------------------------- even money (R3.30)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('czech', 'HRA', '{main@100}', 'Ad Kc | As Kd !even', 'even_money 200',
     'even money against an ace, and he has a blackjack'),
    ('czech', 'HRA', '{main@100}', 'Ad 8c | As Kd !even', 'even_money 200',
     'even money against an ace, and he has none'),
    ('czech', 'HRA', '{main@100}', 'Ad | As Kd !even', 'even_money 200',
     'even money is paid on the dealer''s ace alone'),
    ('house', 'Pojištění', '{main@100}', 'Ad Kc | As Kd !even', 'even_money 200',
     'even money against an ace, and he has a blackjack'),
    ('house', 'Pojištění', '{main@100}', 'Ad 8c | As Kd !even', 'even_money 200',
     'even money against an ace, and he has none'),
    ('free_bet', '§3', '{main@100}', 'Ad Kc | As Kd !even', 'even_money 200',
     'even money against an ace, and he has a blackjack'),
    ('free_bet', '§3', '{main@100}', 'Ad 8c | As Kd !even', 'even_money 200',
     'even money against an ace, and he has none'),
    ('free_bet', '§3', '{main@100}', 'Kd Ac | As Kd !even', 'even_money 200',
     'even money against a king, and he has a blackjack'),
    ('free_bet', '§3', '{main@100}', 'Td 8c | As Kd !even', 'even_money 200',
     'even money against a ten, and he has none'),
    ('free_bet', '§3', '{main@0.01}', 'Td | As Kd !even', 'even_money 0.02',
     'even money is paid on the dealer''s ten alone'),
    ('czech,house,free_bet', 'insures', '{main@100,bob main@40}', 'Ad Kc | As Kd !even=ann',
     'even_money 200, push 40', 'each player of a box decides about even money: who waited pushes'),
    ('czech,house,free_bet', 'insures', '{main@100,bob main@40}', 'Ad 8c | As Kd !even=bob',
     'blackjack 250, even_money 80', 'each player of a box decides about even money: who waited gets 3:2'),
    ('czech,house,free_bet', 'insures', '{main@100,bob main@40,cyd main@20}', 'Ad Kc | As Kd !even=bob,cyd',
     'push 100, even_money 80, even_money 40', 'two of three players take even money'),
    ('czech,house,free_bet', 'insures', '{main@100,bob main@40}', 'Ad Kc | As Kd !even',
     'even_money 200, even_money 80', 'even money for all on the box'),
    ('free_bet', '§7', '{main@100,bob main@40,bob insurance@20}', 'Ad Kc | As Kd !even=ann',
     'even_money 200, push 40, win 60', 'one takes even money, the other has insured');
SELECT t.run() \gexec

-- ----------------------------------------------------------------------------------------- surrender (R3.31)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('synot,evolution', '§19', '{main@100}', 'Td 9c | Ts 6d !surrender', 'surrender 50',
     'surrender gives half'),
    ('synot,evolution', '§19', '{main@100.01}', 'Td 9c | Ts 6d !surrender', 'surrender 50.01',
     'half of 100.01, half up'),
    ('synot,evolution', '§19', '{main@100.03}', 'Td 9c | Ts 6d !surrender', 'surrender 50.02',
     'half of 100.03, half up'),
    ('synot,evolution', '§19', '{main@100}', 'Td 6c Kh | Ts 6d !surrender', 'surrender 50',
     'surrender is final: half also when the dealer is over 21'),
    ('synot,evolution', '§19', '{main@100}', 'Kd Ac | Ts 6d !surrender', 'surrender 50',
     'surrender gives half also against a blackjack'),
    ('synot,evolution', '§19', '{main@100}', 'Td | Ts 6d !surrender', 'surrender 50',
     'surrender needs nothing of the dealer'),
    ('synot,evolution', '§19', '{main@100,insurance@50}', 'Ad Kc | Ts 6d !surrender', 'surrender 50, win 150',
     'insurance placed before settles on its own'),
    ('synot,evolution', '§19', '{main@100,insurance@50}', 'Ad 9c | Ts 6d !surrender', 'surrender 50, lose 0',
     'insurance placed before is lost on its own'),
    ('synot,evolution', '§19', '{main@100,21+3@10,player_pair@10}', '8d 9c | 8s 8h !surrender',
     'surrender 50, trips 310, mixed_pair 70', 'side bets play on'),
    ('synot', '§19', '{main@100,dealer_pair@10,top3@10}', '9d 9c | 8s 8h !surrender',
     'surrender 50, mixed_pair 70, lose 0', 'side bets play on, on the dealer''s cards too');
SELECT t.run('+') \gexec

-- players whose one bet behind takes all their money, and who cannot follow (R3.76)
SELECT casino.adjust(t.p(name), 40 - 1000000000, 'a test', at => '2025-06-01')
  FROM unnest('{boba,bobb,bobc,bobd}'::text[]) name \g /dev/null
-- ------------------------------------------------------------------------------- bets behind (Synot) (R3.32)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('synot', '§15', '{main@100,bob behind@40}', 'Td 8c | Ts 9d', 'win 200, win 80',
     'behind wins with the owner'),
    ('synot', '§15', '{main@100,bob behind@40}', 'Td 8c | As Kd', 'blackjack 250, blackjack 100',
     'behind gets 3:2 with the owner'),
    ('synot', '§15', '{main@100,bob behind@40,cyd behind@20,dan behind@10}', 'Td 8c | 9s 9d',
     'push 100, push 40, push 20, push 10', 'any number may bet behind'),
    ('synot', '§15', '{main@100,bob behind@40}', 'Td 8c | Ts 6d 9c', 'lose 0, lose 0',
     'behind loses with the owner'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100,bob double_down@40}', 'Td 8c | 6s 5d 9c',
     'win 200, win 80, win 200, win 80', 'behind follows a double'),
    ('synot', '§15', '{main@100,boba behind@40,double_down@100}', 'Td 8c | 6s 5d 9c',
     'win 200, win 80, win 200', 'who cannot follow a double has the one card with the single stake'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100,bob/2 split_pair@40}',
     'Td 8c | 8s Kd | 8d 3c Kh', 'push 100, push 40, win 200, win 80', 'behind follows a split'),
    ('synot', '§15', '{main@100,bobb behind@40,/2 split_pair@100}', 'Td 8c | 8s 9d | 8d 3c Kh',
     'lose 0, lose 0, win 200', 'who cannot follow a split stays with the part that keeps its number'),
    ('synot', '§15', '{main@100,bobc behind@40,/2 split_pair@100}', 'Td 8c | As Kd | Ad 3c',
     'win 200, win 80, lose 0', 'who cannot follow the split of aces has a 21 of ace and ten, 1:1'),
    ('synot', '§15',
     '{main@100,bob behind@40,/2 split_pair@100,bob/2 split_pair@40,/2 double_down@100,bob/2 double_down@40}',
         'Td 8c | 8s 9d | 8d 3c Kh', 'lose 0, lose 0, win 200, win 80, win 200, win 80',
             'behind follows the double of a split hand'),
    ('synot', '§20', '{main@100,bobd behind@40,double_down@100}', 'Kd Ac | 6s 5d 9c',
     'returned 100, lose 0, returned 100', 'ten and ace: who could not follow the double gets nothing back'),
    ('synot', '§20', '{main@100,bob behind@40,double_down@100,bob double_down@40}', 'Kd Ac | 6s 5d 9c',
     'returned 100, returned 40, returned 100, returned 40',
         'ten and ace: who followed the double gets both stakes back'),
    ('synot', '§19', '{main@100,bob behind@40.01}', 'Td 8c | Ts 6d !surrender',
     'surrender 50, surrender 20.01', 'behind is surrendered with the owner, half up'),
    ('synot', '§21', '{main@100,bob behind@40,insurance@50}', 'Ad Kc | Ts 6d', 'lose 0, lose 0, win 150',
     'only the owner is insured'),
    ('synot', '§15', '{main@100,#2 main@50,bob#2 behind@40,bob#3 main@30}',
     'Td 8c | 1: Ts 9d | 2: Ts 7d | 3: As Kd', 'win 200, lose 0, lose 0, blackjack 75',
         'behind at one box beside a box of one''s own');
SELECT t.run('+') \gexec

-- who shares a box elsewhere: follow or stay
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('czech', 'OVLÁDÁNÍ BOXU', '{main@100,bob main@40,/2 split_pair@100}', 'Td 8c | 8s 9d | 8d 3c Kh',
     'lose 0, lose 0, win 200', 'who declines a split stays with the first hand'),
    ('czech', 'OVLÁDÁNÍ BOXU', '{main@100,bob main@40,/2 split_pair@100,bob/2 split_pair@40}',
     'Td 8c | 8s 9d | 8d 3c Kh', 'lose 0, lose 0, win 200, win 80', 'or follows it'),
    ('czech', 'OVLÁDÁNÍ BOXU', '{main@100,bob main@40,double_down@100}', 'Td 8c | 6s 5d 9c',
     'win 200, win 80, win 200', 'who declines a double has the one card with the single stake'),
    ('free_bet', '§4', '{main@100,bob main@40,/2 split_pair@100}', 'Td 8c | 8s 9d | 8d 3c Kh',
     'lose 0, lose 0, win 200', 'who does not split moves to the left card'),
    ('free_bet', '§1', '{main@100,bob main@40,/2 free_split@100,bob/2 split_pair@40}',
     'Td 8c | 8s 9d | 8d 3c Kh', 'lose 0, lose 0, win 100, win 80',
         'a follower may pay for his part of a split that was free'),
    ('czech', 'OVLÁDÁNÍ BOXU', '{main@100,bob main@40,bob insurance@20}', 'Ad Kc | Ts 6d',
     'lose 0, lose 0, win 60', 'each player of a box decides about insurance');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------------- Charlie (R3.16)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('infinite', '§16', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards of 16 win against 20'),
    ('infinite', '§16', '{main@100}', 'Ad Kc | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards win against a blackjack with the ace first'),
    ('infinite', '§16', '{main@100}', 'Kd Ac | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards win against a blackjack with the ten first'),
    ('infinite', '§16', '{main@100}', 'Td 5c 6h | 2s 2d 2c 3s 3d 9c', 'charlie 200',
     'six cards of 21 win against 21'),
    ('infinite', '§16', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d Kc', 'lose 0', 'six cards of 22 have lost'),
    ('infinite', '§16', '{main@100}', 'Td Kc | 2s 2d 3c 3s 4d', 'lose 0', 'five cards of 14 lose to 20'),
    ('infinite', '§16', '{main@100}', 'Ad Kc | 2s 2d 3c 4s Kd', 'lose 0',
     'five cards of 21 lose to a blackjack'),
    ('infinite', '§16', '{main@100}', 'Kd | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards win whatever the dealer will have'),
    ('infinite', '§16', '{main@100,/2 split_pair@100}', 'Kd Ac | 2s 2d 2c 3s 3d 4c | 2s Kd',
     'charlie 200, lose 0', 'each hand of a split is judged by itself'),
    ('infinite', '§16', '{main@100,/2 split_pair@100}', 'Kd Kc | 2s Kd | 2s 2d 2c 3s 3d 4c',
     'lose 0, charlie 200', 'six cards of the second hand of a split'),
    ('infinite', '§16', '{main@100,insurance@50}', 'Ad Kc | 2s 2d 2c 3s 3d 4c', 'charlie 200, win 150',
     'six cards and an insurance'),
    ('evolution', '§15', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards of 16 win against 20'),
    ('evolution', '§15', '{main@100}', 'Ad Kc | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards win against a blackjack with the ace first'),
    ('evolution', '§15', '{main@100}', 'Kd Ac | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'six cards win against a blackjack with the ten first'),
    ('evolution', '§15', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d Kc', 'lose 0', 'six cards of 22 have lost'),
    ('evolution', '§15', '{main@100}', 'Td Kc | 2s 2d 3c 3s 4d', 'lose 0', 'five cards of 14 lose to 20'),
    ('evolution', '§15', '{main@100,/2 split_pair@100}', 'Kd Ac | 2s 2d 2c 3s 3d 4c | 2s Kd',
     'charlie 200, lose 0', 'each hand of a split is judged by itself'),
    ('evolution', '§15', '{main@100,/2 split_pair@100}', 'Kd Kc | 2s Kd | 2s 2d 2c 3s 3d 4c',
     'lose 0, charlie 200', 'six cards of the second hand of a split'),
    ('all_bets', '§14', '{main@100}', 'Td Kc | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'charlie 200',
     'ten cards win against 20'),
    ('all_bets', '§14', '{main@100}', 'Td 5c 6h | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'charlie 200',
     'ten cards of 15 win against 21'),
    ('all_bets', '§14', '{main@100}', 'Ad Kc | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'lose 0',
     'ten cards lose to a blackjack with the ace first'),
    ('all_bets', '§14', '{main@100}', 'Kd Ac | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'lose 0',
     'ten cards lose to a blackjack with the ten first'),
    ('all_bets', '§14', '{main@100}', 'Td Kc | As As Ad Ad Ac Ac 2s 2d 2c', 'lose 0',
     'nine cards of 12 lose to 20'),
    ('all_bets', '§14', '{main@100}', 'Td Kc | As As Ad Ad Ac Ac 2s 2d 2c Ks', 'lose 0',
     'ten cards of 22 have lost'),
    ('all_bets', '§14', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d 4c', 'lose 0', 'six cards are nothing here'),
    ('all_bets', '§14', '{main@100,/2 split_pair@100}', 'Td Kc | 2s Kd | 2s Ad Ad Ac Ac As 2d 2c 2c 3s',
     'lose 0, charlie 200', 'ten cards of a split hand'),
    ('czech,classic,house,free_bet,synot,endless', 'pays', '{main@100}', 'Td Kc | 2s 2d 2c 3s 3d 4c',
     'lose 0', 'six cards of 16 lose to 20');
SELECT t.run() \gexec

-- -------------------------------------------------------------------------------- free split and free double
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 8c | 8s 3d Kh | 8d 3c Kh', 'win 200, win 100',
     'a free split wins the profit only'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 8c | 8s Kd | 8d Kh', 'push 100, push 0',
     'a free split that pushes gets nothing'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 8c | 8s 9d | 8d 9h', 'lose 0, lose 0',
     'a free split that loses gets nothing'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 8c | 8s 9d | 8d 3c Kh', 'lose 0, win 100',
     'a free split wins though the stake has lost'),
    ('free_bet', '§4.1', '{main@0.01,/2 free_split@0.01}', 'Td 8c | 8s 9d | 8d 3c Kh', 'lose 0, win 0.01',
     'a free split of a haléř'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100,/3 free_split@100,/4 free_split@100}',
     'Td 8c | 8s 3d Kh | 8d 3c Kh | 8h Kd | 8c 9d', 'win 200, win 100, push 0, lose 0',
         'three free splits, four hands'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100,/3 free_split@100,/4 free_split@100}',
     'Td 8c | As Kd | Ad 9c | Ah 7d | Ac 2d', 'win 200, win 100, push 0, lose 0',
         'aces are split free of charge to four hands, ace and ten pays 1:1'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100,/3 split_pair@100}',
     'Td 8c | 8s 3d Kh | 8d 3c Kh | 8h 2d Kd', 'win 200, win 100, win 200', 'one split free, the next paid'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100,/2 double_down@100}', 'Td 8c | 8s Kd | 8d 3c Kh',
     'push 100, win 100, win 200', 'a paid double on a free split: the base stake'),
    ('free_bet', '§5.1', '{main@100,/2 free_split@100,/2 free_double@100}', 'Td 8c | 8s Kd | 8d 3c Kh',
     'push 100, win 100, win 100', 'a free double on a free split'),
    ('free_bet', '§5.1', '{main@100,/2 free_split@100,free_double@100}', 'Td 8c | 8s 3d Kh | 8d Kc',
     'win 200, push 0, win 100', 'a free double on the hand that was split free of charge'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 6s 5d 9c', 'win 200, win 100',
     'eleven doubled free of charge wins the profit only'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 6s 4d 9c', 'win 200, win 100',
     'ten doubled free of charge'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 6s 3d 9c', 'push 100, push 0',
     'nine doubled free of charge pushes: nothing'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 6s 3d 2c', 'lose 0, lose 0',
     'a free double that loses gets nothing'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 6c Kh | 6s 3d 2c', 'win 200, win 100',
     'a free double wins when the dealer is over 21'),
    ('free_bet', '§5.1', '{main@100,bob main@40,free_double@100,bob free_double@40}', 'Td 8c | 6s 5d 9c',
     'win 200, win 80, win 100, win 40', 'a follower doubles free of charge too'),
    ('free_bet', '§5.1', '{main@100,bob main@40,free_double@100}', 'Td 8c | 6s 5d 9c',
     'win 200, win 80, win 100', 'or does not');
SELECT t.run() \gexec
SELECT is_empty($$ SELECT * FROM casino.ledger
                WHERE kind = 'stake' AND casino.kind(bet) IN ('free_split', 'free_double') AND amount <> 0 $$,
                'D3 §4.1, §5.1: a free wager takes nothing from the wallet');
SELECT ok((SELECT count(*) FROM casino.ledger WHERE kind = 'stake'
           AND casino.kind(bet) IN ('free_split', 'free_double')) > 20, 'and there were some');

-- ------------------------------------------------------------------------------------------------ Push 22
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c 6h | Ts 8d', 'push 100, win 120',
     'the dealer on 22 pays 11:1'),
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c 5h | Ts 8d', 'lose 0, lose 0', 'on 21 it loses'),
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c 7h | Ts 8d', 'win 200, lose 0', 'on 23 it loses'),
    ('free_bet', '§6', '{main@100,push22@10}', '2d 2c 2h 3d 3c 4h 6d | Ts 8d', 'push 100, win 120',
     'a 22 of seven cards'),
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c 6h | As Kd', 'blackjack 250, win 120',
     'beside a blackjack'),
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c 6h | Ts 6d Kc', 'lose 0, win 120',
     'beside a hand over 21'),
    ('free_bet', '§6', '{main@100,push22@0.01}', 'Td 6c 6h | Ts 8d', 'push 100, win 0.12', 'a haléř'),
    ('free_bet', '§6', '{main@100,bob main@40,bob push22@10}', 'Td 6c 6h | Ts 8d',
     'push 100, push 40, win 120', 'of a second player on the box');
SELECT t.run() \gexec

-- ------------------------------------------------------------------- side bets on three cards (R3.48, R3.53)
-- the dealer's hand to a first card: he stands on 17 to 21 and has no blackjack
CREATE FUNCTION t.dealer(up text) RETURNS text LANGUAGE sql AS $$
    SELECT up || CASE WHEN up LIKE 'A%' THEN ' 7c' WHEN up ~ '^[7-9TJQK]' THEN ' Qc' ELSE ' Qc 5c' END $$;
CREATE TABLE t.lines (n serial, kind text, games text, cards text, up text, grade text, odds numeric);
INSERT INTO t.lines (kind, games, cards, up, grade, odds)
SELECT '21+3', g.games, v.cards, v.up, v.grade, CASE WHEN v.odds = 30 THEN g.trips ELSE v.odds END
FROM (VALUES ('synot,all_bets,infinite,evolution', 30), ('endless', 25)) g (games, trips),
     (VALUES ('4h 4h', '4h', 'suited_trips', 100), ('Ks Ks', 'Ks', 'suited_trips', 100),
      ('5h 6h', '7h', 'straight_flush', 40), ('7h 5h', '6h', 'straight_flush', 40),
             ('Ah 2h', '3h', 'straight_flush', 40), ('3h 2h', 'Ah', 'straight_flush', 40),
                 ('Qh Kh', 'Ah', 'straight_flush', 40), ('Ah Kh', 'Qh', 'straight_flush', 40),
             ('7h 7d', '7s', 'trips', 30), ('7h 7h', '7s', 'trips', 30), ('As Ad', 'Ac', 'trips', 30),
                 ('7h 8d', '9s', 'straight', 10), ('9s 7d', '8s', 'straight', 10),
             ('As 2d', '3c', 'straight', 10), ('2d 3c', 'As', 'straight', 10),
                 ('Qs Kd', 'Ac', 'straight', 10), ('Ts Jd', 'Qs', 'straight', 10),
             ('4h 6h', '8h', 'flush', 5), ('4h 4h', '8h', 'flush', 5), ('Kh Ah', '2h', 'flush', 5),
                 ('4h 6h', '8d', 'lose', -1), ('Ks Ad', '2c', 'lose', -1),
             ('Qs Ad', '2c', 'lose', -1), ('7h 7d', '8s', 'lose', -1), ('7h 8d', 'Ts', 'lose', -1),
                 ('Kh Qd', 'Kh', 'lose', -1)) v (cards, up, grade, odds);
INSERT INTO t.lines (kind, games, cards, up, grade, odds) VALUES
    ('top3', 'synot,all_bets', '4h 4h', '4h', 'suited_trips', 270),
        ('top3', 'synot,all_bets', '5h 6h', '7h', 'straight_flush', 180),
    ('top3', 'synot,all_bets', 'Ah 2h', '3h', 'straight_flush', 180),
        ('top3', 'synot,all_bets', 'Kh Ah', 'Qh', 'straight_flush', 180),
    ('top3', 'synot,all_bets', '7h 7d', '7s', 'trips', 90),
        ('top3', 'synot,all_bets', '7h 7h', '7s', 'trips', 90),
    ('top3', 'synot,all_bets', '7h 8d', '9s', 'lose', -1),
        ('top3', 'synot,all_bets', '4h 6h', '8h', 'lose', -1),
            ('top3', 'synot,all_bets', 'Kh Ah', '2h', 'lose', -1),
    ('top3', 'synot,all_bets', '7h 7d', '8s', 'lose', -1);
INSERT INTO t.lines (kind, games, cards, up, grade, odds)
SELECT 'player_pair', 'synot,all_bets,infinite,evolution,endless', v.cards, '9c', v.grade, v.odds
FROM (VALUES ('4d 4d', 'suited_pair', 25), ('4s 4s', 'suited_pair', 25), ('As As', 'suited_pair', 25),
      ('4h 4d', 'coloured_pair', 12), ('4s 4c', 'coloured_pair', 12),
             ('4h 4s', 'mixed_pair', 6), ('4h 4c', 'mixed_pair', 6), ('4d 4s', 'mixed_pair', 6),
                 ('4c 4d', 'mixed_pair', 6), ('Kh Qh', 'lose', -1), ('Th Jh', 'lose', -1),
             ('4h 5h', 'lose', -1)) v (cards, grade, odds);
INSERT INTO t.lines (kind, games, cards, up, grade, odds)
SELECT 'lucky_lucky', 'all_bets', v.cards, v.up, v.grade, v.odds
FROM (VALUES ('7s 7s', '7s', 'suited_777', 200), ('6s 7s', '8s', 'suited_678', 100),
      ('8h 6h', '7h', 'suited_678', 100), ('7d 8d', '6d', 'suited_678', 100),
             ('7s 7d', '7h', '777', 50), ('7s 7s', '7d', '777', 50), ('6s 7d', '8h', '678', 25),
                 ('8s 7s', '6d', '678', 25), ('7s 6d', '8s', '678', 25),
             ('2s 9s', 'Ts', 'suited_21', 15), ('5h 6h', 'Kh', 'suited_21', 15),
                 ('As 9s', 'As', 'suited_21', 15), ('As Ks', 'Ks', 'suited_21', 15),
                     ('5s 8s', '8s', 'suited_21', 15),
             ('2s 9d', 'Th', '21', 3), ('As Ad', '9h', '21', 3), ('As Kd', 'Kh', '21', 3),
                 ('As 4d', '6h', '21', 3), ('5s 8d', '8h', '21', 3), ('9s As', 'Ad', '21', 3),
             ('2s 8d', 'Th', '20', 2), ('As 9d', 'Th', '20', 2), ('As 8d', 'Ah', '20', 2),
                 ('As 4d', '5h', '20', 2), ('2s 8s', 'Ts', '20', 2), ('6s 6d', '8h', '20', 2),
             ('2s 7d', 'Th', '19', 2), ('As 8d', 'Th', '19', 2), ('As 3d', '5h', '19', 2),
                 ('2s 7s', 'Ts', '19', 2), ('As Ad', '7h', '19', 2),
             ('2s 6d', 'Th', 'lose', -1), ('2s Td', 'Th', 'lose', -1), ('As Ad', 'Ah', 'lose', -1),
                 ('As Kd', '7h', 'lose', -1), ('As 5d', '6h', 'lose', -1),
                     ('Ts Kd', 'Kh', 'lose', -1)) v (cards, up, grade, odds);
INSERT INTO t.lines (kind, games, cards, up, grade, odds)
SELECT 'hot3', 'infinite', v.cards, v.up, v.grade, v.odds
FROM (VALUES ('7s 7d', '7h', '777', 100), ('7s 7s', '7s', '777', 100), ('7s 7s', '7d', '777', 100),
      ('3s 8s', 'Ts', 'suited_21', 20), ('6s 7s', '8s', 'suited_21', 20),
             ('As 9s', 'As', 'suited_21', 20), ('As Ks', 'Ks', 'suited_21', 20), ('3s 8d', 'Th', '21', 4),
                 ('6s 7d', '8h', '21', 4), ('As Ad', '9h', '21', 4), ('As Kd', 'Kh', '21', 4),
             ('3s 8d', '9h', '20', 2), ('3s 8s', '9s', '20', 2), ('As 8d', 'Ah', '20', 2),
                 ('As 9d', 'Th', '20', 2), ('3s 7d', '9h', '19', 1), ('3s 7s', '9s', '19', 1),
             ('As 3d', '5h', '19', 1), ('As 8d', 'Th', '19', 1), ('3s 6d', '9h', 'lose', -1),
                 ('3s 9d', 'Th', 'lose', -1), ('As Ad', 'Ah', 'lose', -1)) v (cards, up, grade, odds);

-- each line by a round of its own, and quoted; the main wager's end does not matter here
CREATE FUNCTION t.side(name text, bet text, cards text, expected text,
                       what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT is(regexp_replace(t.play(name, ARRAY['main@1', bet], cards), '^[^,]*, ', ''), expected, what);
    RETURN NEXT is(t.quoted(name, ARRAY[bet], cards), expected, 'quote: ' || what);
END $$;
SELECT format('SELECT t.side(%L, %L, %L, %L, %L)', g.name, l.kind || '@10',
              t.dealer(l.up) || ' | ' || l.cards, l.grade || ' ' || 10 * (1 + l.odds),
              format('%s: %s on %s and the dealer''s %s is %s', t.cite(g.name, 'sides'), l.kind, l.cards,
                     l.up, CASE l.grade WHEN 'lose' THEN 'lost' ELSE l.grade || ', ' || l.odds || ':1' END))
FROM t.lines l, t.games(l.games) g ORDER BY l.n, g.place \gexec
-- after a split the original two cards are the first of hands 1 and 2 (R3.12)
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('synot,all_bets,infinite,evolution,endless', 'sides', '{main@100,player_pair@10,/2 split_pair@100}',
     '9d Kc | 8s Kd | 8s 3c Kh', 'lose 0, suited_pair 260, win 200',
         'the pair of a split hand is that of the first cards'),
    ('synot,all_bets,infinite,evolution,endless', 'sides', '{main@100,player_pair@10,/2 split_pair@100}',
     '9d Kc | 8s 8d Kd | 8h 3c Kh', 'lose 0, mixed_pair 70, win 200', 'not that of the first hand'),
    ('synot,all_bets,infinite,evolution', 'sides', '{main@100,21+3@10,/2 split_pair@100}',
     '8c Kc | 8s Kd | 8d 3c Kh', 'push 100, trips 310, win 200', '21+3 of a split hand'),
    ('all_bets', 'sides', '{main@100,lucky_lucky@10,/2 split_pair@100}', '7c Kc | 7s Kd | 7d Kh',
     'push 100, 777 510, push 100', 'Lucky Lucky of a split hand'),
    ('infinite', 'sides', '{main@100,hot3@10,/2 split_pair@100}', '7c Kc | 7s Kd | 7d Kh',
     'push 100, 777 1010, push 100', 'Hot 3 of a split hand'),
    ('synot,all_bets,infinite,evolution,endless', 'sides', '{main@100,player_pair@10,21+3@10}',
     '9d Kc | 8s 8d Kc', 'lose 0, mixed_pair 70, lose 0', 'side bets beside a hand over 21'),
    ('synot,all_bets,infinite,evolution', 'sides', '{main@1000,21+3@1000}', '9d Kc | 9s 9h Kc',
     'lose 0, trips 31000', 'the greatest side bet'),
    ('evolution', 'sides', '{main@100000,21+3@1000,player_pair@1000}', '9d Kc | 9d 9d Kc',
     'lose 0, suited_trips 101000, suited_pair 26000', 'declared wins are reached, not cut'),
    ('synot,all_bets', 'sides', '{main@100,top3@1000}', '9d Kc | 9d 9d Kc', 'lose 0, suited_trips 271000',
     'declared win of Top 3 is reached, not cut'),
    ('synot,all_bets,infinite,evolution', 'pays', '{main@100000}', '9d Kc | As Kd', 'blackjack 250000',
     'R2.9: declared win of the main bet is reached, not cut'),
    ('endless', 'sides', '{main@1000000,21+3@10000}', '9d Kc | 9d 9d Kc', 'lose 0, suited_trips 1010000',
     'declared win of 21+3 is reached, not cut'),
    ('endless', 'pays', '{main@1000000}', '9d Kc | As Kd', 'blackjack 2500000',
     'declared win of the main bet is reached, not cut'),
    ('synot,all_bets,infinite,evolution', 'pays', '{main@100000,/2 split_pair@100000,/2 double_down@100000}',
     '9d Qc | 8s 3d Kd | 8d 3c Kh', 'win 200000, win 200000, win 200000',
         'it is no cap on split and doubled play');
SELECT t.run() \gexec
SELECT is_empty($$ SELECT * FROM casino.breach WHERE rule = 'declared_win' $$, 'no profit of these was cut');

-- ----------------------------------------------------------------------------------------- the dealer's pair
SELECT format('SELECT t.side(%L, %L, %L, %L, %L)', g.name, 'dealer_pair@10', v.dealer || ' | Ts 9c',
              v.expected,
              format('%s: dealer''s pair on %s: %s', t.cite(g.name, 'sides'), v.dealer, v.expected))
FROM (VALUES ('4d 4d Qc', 'suited_pair 260'), ('9d 9d', 'suited_pair 260'), ('9h 9d', 'coloured_pair 130'),
      ('9s 9c', 'coloured_pair 130'), ('9h 9s', 'mixed_pair 70'),
    ('9c 9d', 'mixed_pair 70'), ('9c 9h', 'mixed_pair 70'), ('9d 9s', 'mixed_pair 70'),
        ('Ah As 7d', 'mixed_pair 70'), ('Kh Kd', 'coloured_pair 130'),
    ('Kh Qh', 'lose 0'), ('9h Ks', 'lose 0'), ('4h 9s 4h', 'lose 0')) v (dealer, expected),
        t.games('synot,all_bets') g \gexec

-- ------------------------------------------------------------------------------------------- Buster, Bust It
CREATE TABLE t.busts (cards integer, dealer text);
INSERT INTO t.busts VALUES (2, 'Td 9c'), (3, 'Td 6c 6h'), (4, '5d 5c 5h Kc'), (5, '3d 3c 4h 5c Kc'),
    (6, '2d 3c 3h 3c 4c Kd'), (7, '2d 2c 2h 3c 3h 3d Kc'),
    (8, '2d 2c 2h 2s 2d 2c 3h Kc'), (9, '2d 2c 2h 2s 2d 2c 2h 2s Kc');
SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', 'all_bets', ARRAY['main@100', 'buster@10'],
              b.dealer || ' | ' || v.cards, main || ', ' || e.grade || ' ' || 10 * (1 + e.odds),
          format('D4 All Bets Blackjack §26: Buster, dealer %s with %s cards, the player with %s: %s',
                 CASE b.cards WHEN 2 THEN 'on 19' ELSE 'over 21' END, b.cards, v.what, e.grade))
FROM t.busts b CROSS JOIN (VALUES (1, 'Ts 8d', '18'), (2, 'As Kd', 'a blackjack'),
                           (3, 'Ts 6d Kc', '26')) v (n, cards, what)
CROSS JOIN LATERAL (SELECT CASE b.cards WHEN 2 THEN 'lose' WHEN 8 THEN 'bust_8' WHEN 9 THEN 'bust_8'
                    ELSE 'bust_' || b.cards END
                           || CASE WHEN v.n = 2 AND b.cards >= 7 THEN '_blackjack' ELSE '' END AS grade,
                           CASE WHEN v.n = 2 AND b.cards >= 8 THEN 2000 WHEN v.n = 2 AND b.cards = 7 THEN 800
                                ELSE CASE b.cards WHEN 2 THEN -1 WHEN 3 THEN 2 WHEN 4 THEN 2 WHEN 5 THEN 4
                                    WHEN 6 THEN 18 WHEN 7 THEN 50 ELSE 250 END END AS odds) e
CROSS JOIN LATERAL (SELECT CASE v.n WHEN 2 THEN 'blackjack 250' WHEN 3 THEN 'lose 0' ELSE CASE b.cards
                    WHEN 2 THEN 'lose 0' ELSE 'win 200' END END AS main) m
ORDER BY b.cards, v.n \gexec
SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', 'infinite', ARRAY['main@100', 'bust_it@10'],
              b.dealer || ' | ' || v.cards, main || ', ' || e.grade || ' ' || 10 * (1 + e.odds),
          format('D4 Infinite Blackjack §26, §28: Bust It, dealer %s with %s cards, the player with %s: %s',
                 CASE b.cards WHEN 2 THEN 'on 19' ELSE 'over 21' END, b.cards, v.what, e.grade))
FROM t.busts b CROSS JOIN (VALUES (1, 'Ts 8d', '18'), (2, 'As Kd', 'a blackjack'),
                           (3, 'Ts 6d Kc', '26')) v (n, cards, what)
CROSS JOIN LATERAL (SELECT CASE WHEN v.n = 2 THEN 'push' WHEN b.cards = 2 THEN 'lose'
                    ELSE 'bust_' || least(b.cards, 8) END AS grade,
                           CASE WHEN v.n = 2 THEN 0 ELSE CASE b.cards WHEN 2 THEN -1 WHEN 3 THEN 1
                               WHEN 4 THEN 2 WHEN 5 THEN 9 WHEN 6 THEN 50 WHEN 7 THEN 100
                                   ELSE 250 END END AS odds) e
CROSS JOIN LATERAL (SELECT CASE v.n WHEN 2 THEN 'blackjack 250' WHEN 3 THEN 'lose 0' ELSE CASE b.cards
                    WHEN 2 THEN 'lose 0' ELSE 'win 200' END END AS main) m
ORDER BY b.cards, v.n \gexec
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('all_bets', '§24', '{main@100,buster@10,/2 split_pair@100}', '2d 2c 2h 3c 3h 3d Kc | As Kd | Ad 3c',
     'win 200, bust_7 510, win 200', 'ace and ten of a split is no blackjack for Buster'),
    ('all_bets', '§24', '{main@100,buster@10}', 'Ad 5c Th Kd | Ts 8d', 'win 200, bust_4 30',
     'Buster with an ace that became 1'),
    ('all_bets', '§24', '{main@100,buster@10}', 'Ad Kc | Ts 8d', 'lose 0, lose 0',
     'Buster against a blackjack'),
    ('all_bets', '§24', '{main@100,buster@10}', 'Td 5c 6h | Ts 8d', 'lose 0, lose 0',
     'Buster: 21 is not over'),
    ('all_bets', '§24', '{main@100,buster@1000}', '2d 2c 2h 2s 2d 2c 3h Kc | As Kd',
     'blackjack 250, bust_8_blackjack 2001000', 'the greatest Buster is not cut (R3.49: no cap is declared)'),
    ('infinite', '§26', '{main@100,bust_it@10,/2 split_pair@100}', 'Td 6c 6h | As Kd | Ad 3c',
     'win 200, bust_3 20, win 200', 'ace and ten of a split is no blackjack for Bust It'),
    ('infinite', '§26', '{main@100,bust_it@10}', '9d | As Kd', 'blackjack 250, push 10',
     'Bust It of a blackjack needs nothing of the dealer'),
    ('infinite', '§26', '{main@100,bust_it@10}', 'Kd Ac | As Kd', 'push 100, push 10',
     'Bust It of a blackjack against a blackjack'),
    ('infinite', '§28', '{main@100,bust_it@1000}', '2d 2c 2h 2s 2d 2c 3h Kc | Ts 8d',
     'win 200, bust_8 251000', 'declared win of Bust It is reached, not cut');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------------------ shared box
INSERT INTO t.cases (games, about, wagers, cards, expected, what) VALUES
    ('all_bets,infinite,endless', 'pays', '{main@100,bob main@40,cyd main@20}',
     'Td 8c | 9h 7d | @bob: 9h 7d 4c | @cyd: 9h 7d Kc', 'lose 0, win 80, lose 0',
         'players of the shared box play on for themselves'),
    ('all_bets,infinite,endless', 'pays', '{main@100,bob main@40,cyd main@20}',
     'Td 8c | @ann,cyd: 9h 7d 5c | @bob: 9h 7d', 'win 200, lose 0, win 40',
         'several players with the same hand'),
    ('all_bets,infinite,endless', 'splits', '{main@100,bob main@40,/2 split_pair@100}',
     'Td 8c | @ann: 8s Kd | @ann: 8d 3c Kh | 8s 8d', 'push 100, lose 0, win 200',
         'one splits, the others do not'),
    ('all_bets,infinite,endless', 'doubles', '{main@100,bob main@40,double_down@100}',
     'Kd Ac | @ann: 6s 5d 9c | 6s 5d 9c', 'returned 100, lose 0, returned 100',
         'ten and ace: who doubled gets both stakes back, who drew the same card none'),
    ('all_bets,infinite,endless', 'insures', '{main@100,bob main@40,bob insurance@20}', 'Ad Kc | 9s 9d',
     'lose 0, lose 0, win 60', 'each insures for himself');
SELECT t.run() \gexec

-- a quote knows the double of the second hand
SELECT is(t.quoted('synot', '{main@100,split_pair@100,double_down@100}', 'Kd Ac | 8s Kd | 8d 3c Kh'),
          'lose 0, returned 100, returned 100', 'quote: the double lies on the hand of three cards');
SELECT throws_ok($$ SELECT quote('blackjack_synot', '{hot3@10}',
                                 '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "Ts 9d"}]}') $$, 'KB004',
                                     NULL, 'quote: KB004 for a bet that the game does not offer');
SELECT throws_ok($$ SELECT quote('blackjack_synot', '{main@10}',
                                 '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "Ts 9d"}, '
                                 '{"seat": 2, "cards": "Ts 9d"}]}') $$,
                 '22023', NULL, 'quote: the cards of one player');

-- a doubled hand has three cards and never is a Charlie (R1.5); the pushes of free wagers post nothing and
-- were seen above
SELECT is_empty($$ SELECT p.game, t.kind, t.grade FROM casino.paytable t
                JOIN casino.game_plan p USING (plan_id) JOIN t.game g ON g.code = p.game
                    WHERE (t.kind, t.grade) NOT IN (('double_down', 'charlie'), ('free_split', 'push'),
                                                    ('free_double', 'push'))
                   EXCEPT
                   SELECT p.game, casino.kind(s.bet), l.grade FROM casino.ledger l
                     JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no
                     JOIN casino.round r ON r.round_id = l.round_id JOIN casino.game_plan p USING (plan_id)
                         WHERE l.kind = 'payout' $$,
                'every line of every paytable of the nine games has been paid');

SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');
SELECT is_empty($$ SELECT p.player_id FROM casino.player p
                JOIN casino.statement s ON s.player_id = p.player_id AND s.entry_no = p.last_entry_no
                    WHERE p.balance <> s.balance $$,
                'balances are the sums of the entries');
SELECT * FROM finish();
