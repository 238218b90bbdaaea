-- Blackjack: outcomes that could not have been played are refused (KR001) naming seat or player, hand, card
-- and paragraph; nothing changes, and the corrected outcome settles.  Readings R11.13, R3.1 to R3.31.
\ir ../helpers/blackjack.psql
SELECT no_plan();

-- {}: the paragraph of the game
CREATE TABLE t.cases (n serial, games text, about text, wagers text[], cards text, naming text,
                      corrected text, expected text, what text);
CREATE FUNCTION t.run(plus text DEFAULT '') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT format('SELECT t.wrong(%L, %L, %L, %L, %L, %L, %L)', g.name || plus, c.wagers,
                               c.cards,
                               replace(c.naming, '{}', x.cited), c.corrected, c.expected,
                                   x.cited || ': ' || c.what)
                   FROM t.cases c, t.games(c.games) g,
                       LATERAL (SELECT coalesce(t.cite(g.name, c.about), CASE
                                                WHEN c.about ~ '^R[0-9]' THEN c.about
                                                    ELSE g.doc || ' ' || c.about END)) x (cited)
                  ORDER BY c.n, g.place;
    TRUNCATE t.cases;
END $$;

-- ------------------------------------------------------------------------------------------ copies of a card
-- eight or six 2s of spades are 16 or 12, one more lies more often than the decks have it
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('czech,classic,house,free_bet', 'R1.8', '{main@100}', 'Td Kc | 2s 2s 2s 2s 2s 2s 2s', '2s %6',
     'Td Kc | 2s 2s 2s 2s 2s 2s 2c', 'lose 0', 'a card lies seven times in six decks'),
    ('synot,all_bets,endless', 'R1.8', '{main@100}', 'Td Kc | 2s 2s 2s 2s 2s 2s 2s 2s 2s', '2s %8',
     'Td Kc | 2s 2s 2s 2s 2s 2s 2s 2s 2c', 'lose 0', 'a card lies nine times in eight decks'),
    ('synot,all_bets,endless', 'R1.8', '{main@100}', '2s Kc 5c | 2s 2s 2s 2s 2s 2s 2s 2s', '2s %8',
     '2h Kc 5c | 2s 2s 2s 2s 2s 2s 2s 2s', 'lose 0', 'the dealer''s cards count with the player''s'),
    ('infinite,evolution', 'R1.8', '{main@100,/2 split_pair@100}', '2s 2s 2s 2s 9c | 2s 2s 2s Kd | 2s 2s 4c',
     '2s %8', '2s 2s 2s 2s 9c | 2s 2s 2s Kd | 2s 2d 4c', 'lose 0, lose 0',
         'a card lies nine times in eight decks, over all hands'),
    ('czech,classic,house,free_bet', 'R1.8', '{main@100,#2 main@50}',
     'Td Kc | 1: 2s 2s 2s 2s 5c | 2: 2s 2s 2s 6c', '2s %6', 'Td Kc | 1: 2s 2s 2s 2s 5c | 2: 2s 2s 2h 6c',
         'lose 0, lose 0', 'copies are counted over the whole table'),
    ('all_bets,endless', 'R3.22', '{main@100,bob main@40}',
     '2s Kc 7c | @ann: 2s 2s 2s 2s 2s 2s 2s 3c | @bob: 2s 2s 2s 2s 2s 2s 2s 2s', '2s %8',
         '2s Kc 7c | @ann: 2s 2s 2s 2s 2s 2s 2s 3c | @bob: 2s 2s 2s 2s 2s 2s 2s 4c', 'lose 0, lose 0',
             'at a shared box each player''s cards are counted with the dealer''s');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------------------ the dealer
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('-classic', 'dealer', '{main@100}', 'Td 7c 2h | Ts 8d', '17%2h%{}', 'Td 7c | Ts 8d', 'win 200',
     'the dealer drew on 17'),
    ('classic', 'dealer', '{main@100}', 'Td 7c 2h | Ts 8d', '17%2h', 'Td 7c | Ts 8d', 'win 200',
     'the dealer drew on 17'),
    ('-classic', 'dealer', '{main@100}', 'Td 9c 2h | Ts 8d', '19%2h%{}', 'Td 9c | Ts 8d', 'lose 0',
     'the dealer drew on 19'),
    ('classic', 'dealer', '{main@100}', 'Td 9c 2h | Ts 8d', '19%2h', 'Td 9c | Ts 8d', 'lose 0',
     'the dealer drew on 19'),
    ('-classic', 'dealer', '{main@100}', 'Ad 6c 2h | Ts 8d', 'soft 17%2h%{}', 'Ad 6c | Ts 8d', 'win 200',
     'the dealer drew on a soft 17'),
    ('classic', 'dealer', '{main@100}', 'Ad 6c 2h | Ts 8d', 'soft 17%2h', 'Ad 6c | Ts 8d', 'win 200',
     'the dealer drew on a soft 17'),
    ('-classic', 'dealer', '{main@100}', 'Td 6c 6h 2s | Ts 8d', '22%2s%{}', 'Td 6c 7h | Ts 8d', 'win 200',
     'the dealer drew on 22'),
    ('classic', 'dealer', '{main@100}', 'Td 6c 6h 2s | Ts 8d', '22%2s', 'Td 6c 7h | Ts 8d', 'win 200',
     'the dealer drew on 22'),
    ('-classic', 'dealer', '{main@100}', 'Ad Kc 2h | Ts 8d', '21%2h%{}', 'Ad Kc | Ts 8d', 'lose 0',
     'the dealer drew on a blackjack'),
    ('classic', 'dealer', '{main@100}', 'Ad Kc 2h | Ts 8d', '21%2h', 'Ad Kc | Ts 8d', 'lose 0',
     'the dealer drew on a blackjack'),
    ('-classic', 'dealer', '{main@100}', 'Td 6c | Ts 8d', '16%must draw%{}', 'Td 6c 5h | Ts 8d', 'lose 0',
     'the dealer stood on 16'),
    ('-classic', 'dealer', '{main@100}', 'Ad 5c | Ts 8d', 'soft 16%must draw%{}', 'Ad 5c 5h | Ts 8d',
     'lose 0', 'the dealer stood on a soft 16'),
    ('classic', 'dealer', '{main@100}', 'Td 5c | Ts 8d', '15%must draw%', 'Td 5c Ah | Ts 8d', 'win 200',
     'the dealer stood on 15; 16 is right'),
    ('classic', 'dealer', '{main@100}', 'Td 6c Ah 2s | Ts 8d', '17%2s%', 'Td 6c Ah | Ts 8d', 'win 200',
     'the dealer drew on the 17 that he drew to'),
    ('*', 'R3.2', '{main@100}', 'Td | Ts 8d', 'Td%second card', 'Td 8c | Ts 8d', 'push 100',
     'the dealer has one card'),
    ('*', 'R3.2', '{main@100}', 'Td 2c | Ts 8d', '12%must draw', 'Td 2c 7h | Ts 8d', 'lose 0',
     'the dealer has two cards of 12'),
    ('*', 'R3.2', '{main@100}', ' | Ts 8d', 'dealer', 'Td 8c | Ts 8d', 'push 100', 'the dealer has no card'),
    ('*', 'R3.2', '{main@100,insurance@50}', 'Ad | Ts 6d Kc', 'second card', 'Ad Kc | Ts 6d Kc',
     'lose 0, win 150', 'an insurance needs the dealer''s second card'),
    ('-free_bet', 'R3.3', '{main@100}', 'Kd | As Kd', 'second card', 'Kd 5c | As Kd', 'blackjack 250',
     'a blackjack against a ten needs the dealer''s second card, and no more'),
    ('-free_bet', 'R3.3', '{main@100}', 'Ad | As Kd', 'second card', 'Ad 5c | As Kd', 'blackjack 250',
     'a blackjack against an ace needs the dealer''s second card, and no more'),
    ('free_bet', '§3', '{main@100}', 'Kd 5c | As Kd', '15%must draw', 'Kd 5c 4h | As Kd', 'blackjack 250',
     'on a ten the dealer completes his hand before a blackjack is paid'),
    ('free_bet', '§3', '{main@100}', 'Ad 5c | As Kd', 'soft 16%must draw', 'Ad 5c 4h | As Kd',
     'blackjack 250', 'on an ace the dealer completes his hand before a blackjack is paid'),
    ('free_bet', '§6', '{main@100,push22@10}', 'Td 6c | Ts 6d Kc', '16%must draw', 'Td 6c 6h | Ts 6d Kc',
     'lose 0, win 120', 'Push 22 needs the dealer''s whole hand'),
    ('all_bets', '§24', '{main@100,buster@10}', 'Td 6c | Ts 6d Kc', '16%must draw', 'Td 6c 6h | Ts 6d Kc',
     'lose 0, bust_3 30', 'Buster needs the dealer''s whole hand'),
    ('infinite', '§26', '{main@100,bust_it@10}', 'Td 6c | Ts 6d Kc', '16%must draw', 'Td 6c 6h | Ts 6d Kc',
     'lose 0, bust_3 20', 'Bust It needs the dealer''s whole hand'),
    ('synot,all_bets', 'sides', '{main@100,dealer_pair@10}', '9d | Ts 6d Kc', 'second card',
     '9d 9c | Ts 6d Kc', 'lose 0, mixed_pair 70', 'the dealer''s pair needs his second card'),
    ('all_bets', '§14', '{main@100}', 'Kd | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'second card',
     'Kd 5c | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'charlie 200',
         'ten cards against a ten need the dealer''s second card');
SELECT t.run() \gexec

-- he may stop early when nothing depends on him: each of these settles
CREATE TABLE t.early (n serial, games text, wagers text[], cards text, expected text, what text);
INSERT INTO t.early (games, wagers, cards, expected, what) VALUES
    ('*', '{main@100}', 'Td | Ts 6d Kc', 'lose 0', 'one card, the player over 21'),
    ('*', '{main@100}', 'Td 2c | Ts 6d Kc', 'lose 0', 'two cards of 12, the player over 21'),
    ('*', '{main@100}', 'Td 2c 3h | Ts 6d Kc', 'lose 0', 'three cards of 15, the player over 21'),
    ('*', '{main@100}', 'Td 2c 7h | Ts 6d Kc', 'lose 0', 'the whole hand, the player over 21'),
    ('*', '{main@100,/2 split_pair@100}', 'Td | 8s 6d Kc | 8d 6c Kd', 'lose 0, lose 0',
     'one card, both hands over 21'),
    ('*', '{main@100}', '9d | As Kd', 'blackjack 250', 'one card without ace or ten against a blackjack'),
    ('*', '{main@100}', '9d 2c | As Kd', 'blackjack 250',
     'two cards without ace or ten first against a blackjack'),
    ('*', '{main@100,insurance@50}', 'Ad 5c | Ts 6d Kc', 'lose 0, lose 0',
     'two cards for an insurance, the player over 21'),
    ('*', '{main@100,insurance@50}', 'Kd | Ts 6d Kc', 'lose 0, returned 50',
     'an insurance that was not on offer needs nothing'),
    ('infinite,evolution', '{main@100}', 'Kd | 2s 2d 2c 3s 3d 4c', 'charlie 200',
     'one card against six cards'),
    ('all_bets', '{main@100}', '9d | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'charlie 200',
     'one card without ace or ten against ten cards'),
    ('synot,all_bets,infinite,evolution,endless', '{main@100,21+3@10,player_pair@10}', 'Td | Ts 6d Kc',
     'lose 0, lose 0, lose 0', 'bets on the first cards need no second one of the dealer');
SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', g.name, e.wagers, e.cards, e.expected,
              format('R3.3: the dealer may stop early (%s): %s', g.code, e.what))
FROM t.early e, t.games(e.games) g ORDER BY e.n, g.place \gexec

-- ---------------------------------------------------------------------------------------- the players' cards
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('czech', 'HRA', '{main@100}', 'Td 8c | 7s 7d 7c 2h', 'Seat 1, hand 1: 2h%21%D0', 'Td 8c | 7s 7d 7c',
     'win 200', 'a card was drawn on 21'),
    ('free_bet', '§3', '{main@100}', 'Td 8c | 7s 7d 7c 2h', 'Seat 1, hand 1: 2h%21%D3 §3', 'Td 8c | 7s 7d 7c',
     'win 200', 'a card was drawn on 21'),
    ('czech,free_bet', 'R3.9', '{main@100}', 'Td 8c | As 5d 5c Kh', 'Seat 1, hand 1: Kh%21',
     'Td 8c | As 5d 5c', 'win 200', 'a card was drawn on a soft 21'),
    ('czech,free_bet', 'R3.9', '{main@100,/2 split_pair@100}', 'Td 8c | Ks Ad 5c | Kd 8h',
     'Seat 1, hand 1: 5c%21', 'Td 8c | Ks Ad | Kd 8h', 'win 200, push 100',
         'a card was drawn on the 21 of a split hand'),
    ('*', 'R3.7', '{main@100}', 'Td 8c | As Kd 5c', 'hand 1: 5c%blackjack', 'Td 8c | As Kd', 'blackjack 250',
     'a card was drawn on a blackjack'),
    ('*', 'R3.14', '{main@100}', 'Td 8c | Ts 6d Kc 2h', 'hand 1: 2h%26', 'Td 8c | Ts 6d Kc', 'lose 0',
     'a card was drawn over 21'),
    ('*', 'R3.19', '{main@100}', 'Td 8c | Ts', 'hand 1%two cards', 'Td 8c | Ts 9d', 'win 200',
     'a hand of one card'),
    ('*', 'R3.19', '{main@100}', 'Td 8c | ', '', 'Td 8c | Ts 9d', 'win 200', 'a hand of no card'),
    ('free_bet', '§3', '{main@100}', 'Td 8c | 6s 5d', 'Seat 1, hand 1%11%D3 §3', 'Td 8c | 6s 5d 2h', 'lose 0',
     'he stood on 11'),
    ('free_bet', '§3', '{main@100}', 'Td 8c | 2s 2d 2c', 'Seat 1, hand 1%6%D3 §3', 'Td 8c | 2s 2d 2c 7h',
     'lose 0', 'he stood on 6'),
    ('free_bet', '§3', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 3d | 8d 9h', 'Seat 1, hand 1%11%D3 §3',
     'Td 8c | 8s 4d | 8d 9h', 'lose 0, lose 0', 'he stood on 11 after a split'),
    ('infinite', '§16', '{main@100}', 'Td 8c | 2s 2d 2c 3s 3d 4c 2h', '2h%D4 Infinite Blackjack §16',
     'Td 8c | 2s 2d 2c 3s 3d 4c', 'charlie 200', 'a card was drawn on six cards'),
    ('evolution', '§15', '{main@100}', 'Td 8c | 2s 2d 2c 3s 3d 4c 2h',
     'Seat 1, hand 1: 2h%D4 Blackjack (Evolution) §15', 'Td 8c | 2s 2d 2c 3s 3d 4c', 'charlie 200',
         'a card was drawn on six cards'),
    ('all_bets', '§14', '{main@100}', 'Td 8c | As As Ad Ad Ac Ac 2s 2d 2c 3s 2h',
     '2h%D4 All Bets Blackjack §14', 'Td 8c | As As Ad Ad Ac Ac 2s 2d 2c 3s', 'charlie 200',
         'a card was drawn on ten cards');
SELECT t.run() \gexec
SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', g.name, e.wagers, e.cards, e.expected,
              format('%s: accepted (%s): %s', 'R3.9, R3.10', g.code, e.what))
FROM (VALUES (1, 'classic,house,synot,all_bets,infinite,evolution,endless', '{main@100}',
              'Td 8c | 7s 7d 7c 2h', 'lose 0', 'a card drawn on 21'),
             (2, 'classic,house,synot,all_bets,infinite,evolution,endless', '{main@100}',
              'Td 8c | As 5d 5c Kh', 'win 200', 'a card drawn on a soft 21'),
             (3, 'free_bet', '{main@100}', 'Td 8c | 8s 4d', 'lose 0', 'standing on 12'),
             (4, '-free_bet', '{main@100}', 'Td 8c | 6s 5d', 'lose 0', 'standing on 11'),
             (5, '-free_bet', '{main@100}', 'Td 8c | 2s 2d', 'lose 0', 'standing on 4'),
             (6, 'free_bet', '{main@100,double_down@100}', 'Td 8c | 4s 3d 4c', 'lose 0, lose 0',
              'R3.10: standing on 11 with a doubled hand'),
             (7, 'free_bet', '{main@100,free_double@100}', 'Td 8c | 5s 4d 2c', 'lose 0, lose 0',
              'standing on 11 with a hand doubled free of charge')) e (n, games, wagers, cards, expected,
                      what), t.games(e.games) g
ORDER BY e.n, g.place \gexec

-- ------------------------------------------------------------------------------------------------ doubles
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 5d', 'hand 1%three cards%{}',
     'Td 8c | 6s 5d 9c', 'win 200, win 200', 'a doubled hand of two cards'),
    ('*', 'doubles', '{main@100,double_down@100}', 'Td 8c | 6s 5d 2c 9h', 'hand 1: 9h%{}', 'Td 8c | 6s 5d 2c',
     'lose 0, lose 0', 'a doubled hand of four cards'),
    ('*', 'R3.7', '{main@100,double_down@100}', 'Td 8c | As Kd 5c', 'hand 1: %blackjack', 'Td 8c | 6s 5d 9c',
     'win 200, win 200', 'a blackjack was doubled'),
    ('classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | 8s 4d 9c', 'Seat 1, hand 1: 8s 4d%12%{}',
     'Td 8c | 7s 4d 9c', 'win 200, win 200', '12 was doubled'),
    ('classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | 5s 3d 9c', 'Seat 1, hand 1: 5s 3d%8%{}',
     'Td 8c | 5s 4d 9c', 'push 100, push 100', '8 was doubled'),
    ('classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | As 8d 9c', 'Seat 1, hand 1: As 8d%19%{}',
     'Td 8c | 5s 4d 9c', 'push 100, push 100', 'R3.6: a soft 19 was doubled: 9, 10, 11 are hard'),
    ('classic', 'doubles', '{main@100,double_down@100}', 'Td 8c | As 9d 9c', 'Seat 1, hand 1: As 9d%20%{}',
     'Td 8c | 6s 4d 9c', 'win 200, win 200', 'a soft 20 was doubled'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits',
     '{main@100,/2 split_pair@100,/2 double_down@100}', 'Td 8c | As 9d | Ad 5c 3h', 'hand 2',
         'Td 8c | 8s 9d | 8d 5c 8h', 'lose 0, win 200, win 200', 'a split ace was doubled'),
    ('czech', 'HRA', '{main@100,/2 split_pair@100,/2 double_down@100}', 'Td 8c | Ks 9d | Kd Ac 5h',
     'Seat 1, hand 2', 'Td 8c | Ks 9d | Kd 5c 6h', 'win 200, win 200, win 200',
         'a 21 of a split was doubled'),
    ('free_bet', '§3', '{main@100,/2 split_pair@100,/2 double_down@100}', 'Td 8c | Ks 9d | Kd Ac 5h',
     'Seat 1, hand 2', 'Td 8c | Ks 9d | Kd 5c 6h', 'win 200, win 200, win 200',
         'a 21 of a split was doubled'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 8s 4d 9c', 'Seat 1, hand 1: 8s 4d%12%D3 §5.1',
     'Td 8c | 7s 4d 9c', 'win 200, win 100', '12 was doubled free of charge'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | 5s 3d 9c', 'Seat 1, hand 1: 5s 3d%8%D3 §5.1',
     'Td 8c | 5s 4d 9c', 'push 100, push 0', '8 was doubled free of charge'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | As 8d 9c', 'Seat 1, hand 1: As 8d%D3 §5.1',
     'Td 8c | 5s 4d 9c', 'push 100, push 0', 'ace and eight were doubled free of charge'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'Td 8c | As 9d 9c', 'Seat 1, hand 1: As 9d%D3 §5.1',
     'Td 8c | 5s 4d 9c', 'push 100, push 0', 'ace and nine were doubled free of charge'),
    ('free_bet', 'R3.46', '{main@100,/2 split_pair@100,/2 free_double@100}', 'Td 8c | 8s 9d | 8d 3c Kh',
     'Seat 1, hand 2%paid', NULL, NULL, 'a hand of a paid split was doubled free of charge'),
    ('free_bet', '§5.1', '{main@100,bob main@40,double_down@100,bob free_double@40}', 'Td 8c | 8s 4d 9c',
     'Seat 1, hand 1%12%D3 §5.1', 'Td 8c | 7s 4d 9c', 'win 200, win 80, win 200, win 40',
         'a follower doubled 12 free of charge'),
    ('free_bet', '§4.1', '{main@100,bob main@40,/2 split_pair@100,bob/2 free_split@40}',
     'Td 8c | Ks 9d | Kd 9c', 'Seat 1, hand 2%D3 §4.1', 'Td 8c | 9s 9d | 9c 9h',
         'push 100, push 40, push 100, push 0', 'a follower split ten-values free of charge');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------- splits (R3.13, R3.45)
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('czech', 'HRA', '{main@100,/2 split_pair@100}', 'Td 8c | Ks 9d | Qd 7c',
     'Seat 1, hand 2: Ks and Qd%rank', 'Td 8c | Ks 9d | Kd 7c', 'win 200, lose 0',
         'king and queen are no pair'),
    ('czech', 'HRA', '{main@100,/2 split_pair@100}', 'Td 8c | Ts 9d | Jd 7c',
     'Seat 1, hand 2: Ts and Jd%rank', 'Td 8c | Ts 9d | Td 7c', 'win 200, lose 0',
         'ten and jack are no pair'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | 9s 9d | 8d 9c', 'hand 2: 9s and 8d',
     'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0', 'nine and eight are no pair'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | As 9d | Kd 9c', 'hand 2: As and Kd',
     'Td 8c | Ks 9d | Kd 9c', 'win 200, win 200', 'ace and king are no pair'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | As 5d 5c | Ad 9c', 'hand 1: 5c%split ace%{}',
     'Td 8c | As 5d | Ad 9c', 'lose 0, win 200', 'a second card on the first split ace'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', 'Td 8c | As 9d | Ad 2c 5h', 'hand 2: 5h%split ace%{}',
     'Td 8c | As 9d | Ad 2c', 'win 200, lose 0', 'a second card on the second split ace'),
    ('house', 'R3.18', '{main@100,/2 split_pair@100,/3 split_pair@100}', 'Td 8c | As 9d | Ad 2c | Ah 3c',
     'Seat 1, hand 3: aces%again', 'Td 8c | 8s 9d | 8d 2c | 8h 3c', 'lose 0, lose 0, lose 0',
         'aces were split again'),
    ('*', 'R3.19', '{main@100}', 'Td 8c | 8s 9d | 8d 3c Kh', 'hand 2', 'Td 8c | 8s 8d', 'lose 0',
     'a hand that came of no split'),
    ('*', 'R3.19', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 8d', 'hand 2%no cards',
     'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0', 'a split without its hand'),
    ('*', 'R3.19', '{main@100,/2 split_pair@100}', 'Td 8c | 8s | 8d 9c', 'hand 1%two cards',
     'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0', 'a split hand of one card'),
    ('czech,house,free_bet', 'R3.19', '{main@100,/2 split_pair@100,/3 split_pair@100}',
     'Td 8c | 8s 9d | 8d 9c', 'hand 3%no cards', 'Td 8c | 8s 9d | 8d 9c | 8h 9h', 'lose 0, lose 0, lose 0',
         'a second split without its hand'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', 'Td 8c | Ks 9d | Kd 9c',
     'Seat 1, hand 2: Ks%D3 §4.1', 'Td 8c | 9s 9d | 9c 9h', 'push 100, push 0',
         'ten-values were split free of charge');
SELECT t.run() \gexec

-- ------------------------------------------------------------------------------------- hands, seats, players
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('*', 'R3.24', '{main@100,/2 split_pair@100}',
     '{"dealer": "Td 8c", "hands": [{"seat": 1, "hand": 1, "cards": "8s 9d"}, '
     '{"seat": 1, "hand": 3, "cards": "8d 9c"}]}',
     'ands', 'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0', 'hands 1 and 3'),
    ('*', 'R3.24', '{main@100}', '{"dealer": "Td 8c", "hands": [{"seat": 1, "hand": 2, "cards": "8s 9d"}]}',
     '', 'Td 8c | 8s 9d', 'lose 0', 'hand 2 alone'),
    ('*', 'R3.24', '{main@100}', '{"dealer": "Td 8c", "hands": [{"seat": 1, "hand": 0, "cards": "8s 9d"}]}',
     '', 'Td 8c | 8s 9d', 'lose 0', 'hand 0'),
    ('*', 'R3.24', '{main@100}',
     '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "8s 9d"}, {"seat": 1, "cards": "8s 9d"}]}', '',
         'Td 8c | 8s 9d', 'lose 0', 'a hand twice'),
    ('*', 'R3.23', '{main@100}', '{"dealer": "Td 8c", "hands": []}', '', 'Td 8c | 8s 9d', 'lose 0',
     'no hand for a stake'),
    ('*', 'R11.13', '{main@100}', '{"dealer": "Td 8c"}', 'hands', 'Td 8c | 8s 9d', 'lose 0', 'no hands'),
    ('*', 'R11.13', '{main@100}', '{"hands": [{"seat": 1, "cards": "8s 9d"}]}', 'dealer', 'Td 8c | 8s 9d',
     'lose 0', 'no dealer'),
    ('*', 'R11.13', '{main@100}',
     '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "8s 9d"}], "number": 5}', '', 'Td 8c | 8s 9d',
         'lose 0', 'a member that blackjack does not know'),
    ('*', 'R11.13', '{main@100}',
     '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "8s 9d", "folded": true}]}', '', 'Td 8c | 8s 9d',
         'lose 0', 'a member of a hand that blackjack does not know'),
    ('czech,classic,house,free_bet,synot,evolution', 'R3.23', '{main@100,bob#2 main@40}', 'Td 8c | 1: 8s 9d',
     'Seat 2', 'Td 8c | 1: 8s 9d | 2: Ts 9c', 'lose 0, win 80', 'no hand for a staked seat'),
    ('czech,classic,house,free_bet,synot,evolution', 'HRA', '{main@100}', 'Td 8c | 1: 8s 9d | 2: Ts 9c',
     'Seat 2', 'Td 8c | 1: 8s 9d', 'lose 0', 'cards on a seat without a stake'),
    ('czech,classic,house,free_bet,synot,evolution', 'R11.13', '{#7 main@100}', 'Td 8c | 8: 8s 9d',
     'seats 1 to 7', 'Td 8c | 7: 8s 9d', 'lose 0', 'a seat that the table does not have'),
    ('czech,classic,house,free_bet,synot,evolution', 'R11.13', '{main@100}',
     '{"dealer": "Td 8c", "hands": [{"cards": "8s 9d"}]}', 'seat', 'Td 8c | 8s 9d', 'lose 0',
         'a hand without its seat'),
    ('all_bets,infinite,endless', 'R11.13', '{main@100}',
     '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "8s 9d"}]}', 'shared box', 'Td 8c | 8s 9d', 'lose 0',
         'a seat at a shared box'),
    ('all_bets,infinite,endless', 'R3.23', '{main@100,bob main@40}', 'Td 8c | @ann: 8s 9d',
     'Player %no cards', 'Td 8c | @ann: 8s 9d | @bob: 8s 9d', 'lose 0, lose 0', 'a player without a hand'),
    ('all_bets,infinite,endless', 'R3.23', '{main@100}', 'Td 8c | @ann: 8s 9d | @bob: 8s 9d',
     'Player %no main bet', 'Td 8c | @ann: 8s 9d', 'lose 0', 'a player without a stake'),
    ('all_bets,infinite,endless', 'R3.22', '{main@100,bob main@40}', 'Td 8c | @ann: 8s 9d | @bob: 8s 9c',
     'same two cards', 'Td 8c | @ann: 8s 9d | @bob: 8s 9d', 'lose 0, lose 0',
         'hands that start with different cards'),
    ('all_bets,infinite,endless', 'R3.22', '{main@100,bob main@40}', 'Td 8c | 8s 9d | @bob: 8s 7d',
     'same two cards', 'Td 8c | 8s 9d | @bob: 9d 8s', 'lose 0, lose 0',
         'everybody''s hand starts with different cards'),
    ('all_bets,infinite,endless', 'R3.22', '{main@100,bob main@40,bob/2 split_pair@40}',
     'Td 8c | 8s 8d | @bob: 8s 9d | @bob: 8c 9c', 'same two cards',
         'Td 8c | 8s 8d | @bob: 8d 9d | @bob: 8s 9c', 'lose 0, lose 0, lose 0',
             'hands of a split that start with different cards');
SELECT t.run() \gexec
SELECT format('SELECT t.wrong(%L, %L, replace(%L, ''BOB'', t.p(''bob'')::text), %L, %L, %L, %L)', g.name,
              '{main@100,bob main@40}',
              '{"dealer": "Td 8c", "hands": [{"player": BOB, "cards": "8s 9d"}, '
              '{"players": [BOB], "cards": "8s 9d"}, {"cards": "8s 9d"}]}',
              'player', 'Td 8c | 8s 9d', 'lose 0, lose 0',
              format('R3.24: %s: a player''s hand stands twice', g.doc))
                  FROM t.games('all_bets,infinite,endless') g \gexec
SELECT format('SELECT t.wrong(%L, %L, replace(%L, ''BOB'', t.p(''bob'')::text), %L, %L, %L, %L)', g.name,
              '{main@100,bob main@40}', d.document, '', 'Td 8c | 8s 9d', 'lose 0, lose 0',
              format('R11.13: %s: %s', g.doc, d.document))
FROM t.games('all_bets') g,
    unnest(ARRAY['{"dealer": "Td 8c", "hands": [{"player": BOB, "players": [BOB], "cards": "8s 9d"}, '
                 '{"cards": "8s 9d"}]}',
    '{"dealer": "Td 8c", "hands": [{"players": [BOB, BOB], "cards": "8s 9d"}, {"cards": "8s 9d"}]}',
        '{"dealer": "Td 8c", "hands": [{"players": [], "cards": "8s 9d"}, {"cards": "8s 9d"}]}',
    '{"dealer": "Td 8c", "hands": [{"seat": 1, "player": BOB, "cards": "8s 9d"}, {"cards": "8s 9d"}]}',
        '{"dealer": "Td 8c", "hands": [{"player": "bob", "cards": "8s 9d"}, {"cards": "8s 9d"}]}',
    '{"dealer": "Td 8c", "hands": {"cards": "8s 9d"}}', '{"dealer": "Td 8c", "hands": ["8s 9d"]}',
        '{"dealer": "Td 8c", "hands": [{"cards": ["8s", "9d"]}]}',
    '{"dealer": "Td 8c", "hands": [{"cards": "8s 9d", "surrendered": "yes"}]}',
        '{"dealer": null, "hands": [{"cards": "8s 9d"}]}']) d (document) \gexec

-- ---------------------------------------------------------------------------------- surrender and even money
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('-synot,evolution', 'R1.11', '{main@100}', 'Td 8c | Ts 6d !surrender', 'hand 1: there is no surrender',
     'Td 8c | Ts 6d', 'lose 0', 'there is no surrender'),
    ('synot,evolution', '§19', '{main@100}', 'Td 8c | Ts 6d !surrender',
     'Seat 1, hand 1: this table%surrender%§19', 'Td 8c | Ts 6d', 'lose 0',
         'the table does not offer surrender'),
    ('classic,synot,all_bets,infinite,evolution,endless', 'R1.11', '{main@100}', 'Ad 8c | As Kd !even',
     'hand 1: there is no even money', 'Ad 8c | As Kd', 'blackjack 250', 'there is no even money'),
    ('czech,house', 'insures', '{main@100}', 'Kd 8c | As Kd !even', 'Seat 1, hand 1%even money%Kd',
     'Kd 8c | As Kd', 'blackjack 250', 'no even money against a ten'),
    ('czech,house,free_bet', 'insures', '{main@100}', '9d 8c | As Kd !even', 'Seat 1, hand 1%even money%9d',
     '9d 8c | As Kd', 'blackjack 250', 'no even money against a nine'),
    ('czech,house,free_bet', 'insures', '{main@100}', 'Ad 8c | As 9d !even', 'Seat 1, hand 1%blackjack',
     'Ad 8c | As 9d', 'win 200', 'no even money for 20'),
    ('czech,house,free_bet', 'insures', '{main@100}', 'Ad 8c | As 5d 5c !even', 'Seat 1, hand 1%blackjack',
     'Ad 8c | As 5d 5c', 'win 200', 'no even money for 21 of three cards'),
    ('czech,house,free_bet', 'insures', '{main@100,/2 split_pair@100}', 'Ad 8c | As Kd !even | Ad 9c',
     'Seat 1, hand 1%blackjack', 'Ad 8c | As Kd | Ad 9c', 'win 200, win 200',
         'no even money for ace and ten of a split'),
    ('czech,house,free_bet', 'insures', '{main@100,bob#2 main@40}', 'Ad 8c | 1: As Kd !even=bob | 2: Ts 9c',
     'Player %seat 1', 'Ad 8c | 1: As Kd !even=ann | 2: Ts 9c', 'even_money 200, push 40',
         'even money of a player who is not on the box'),
    ('free_bet', '§7', '{main@100,insurance@50}', 'Ad Kc | As Kd !even',
     'Seat 1, hand 1%even money and insurance', 'Ad Kc | As Kd', 'push 100, win 150',
         'even money and insurance exclude each other'),
    ('free_bet', '§7', '{main@100,bob main@40,bob insurance@20}', 'Ad Kc | As Kd !even=ann,bob',
     'Seat 1, hand 1%even money and insurance', 'Ad Kc | As Kd !even=ann', 'even_money 200, push 40, win 60',
         'even money of the one who has insured');
SELECT t.run() \gexec
INSERT INTO t.cases (games, about, wagers, cards, naming, corrected, expected, what) VALUES
    ('synot,evolution', '§19', '{main@100}', 'Td 8c | As Kd !surrender', 'Seat 1, hand 1%blackjack%§19',
     'Td 8c | As Kd', 'blackjack 250', 'a blackjack was surrendered'),
    ('synot,evolution', '§19', '{main@100}', 'Td 8c | Ts 2d 4c !surrender', 'Seat 1, hand 1%4c%§19',
     'Td 8c | Ts 2d 4c', 'lose 0', 'surrender after a card'),
    ('synot,evolution', '§19', '{main@100,double_down@100}', 'Td 8c | Ts 2d 4c !surrender',
     'Seat 1, hand 1%doubled%§19', 'Td 8c | Ts 2d 4c', 'lose 0, lose 0', 'surrender of a doubled hand'),
    ('synot,evolution', '§19', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 9d !surrender | 8d 9c',
     'Seat 1, hand 1%split%§19', 'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0', 'surrender of a split hand'),
    ('synot,evolution', '§19', '{main@100,/2 split_pair@100}', 'Td 8c | 8s 9d | 8d 9c !surrender',
     'Seat 1, hand 2%split%§19', 'Td 8c | 8s 9d | 8d 9c', 'lose 0, lose 0',
         'surrender of the other split hand'),
    ('synot', '§15', '{main@100,bob behind@40,bob#2 main@20}', 'Td 8c | 1: 8s 9d | 2: 8s 9d | 3: 8s 9d',
     'Seat 3', 'Td 8c | 1: 8s 9d | 2: 8s 9d', 'lose 0, lose 0, lose 0', 'cards on a seat where nobody bet');
SELECT t.run('+') \gexec

-- a refused outcome does not keep its cards; the seat is the one concerned
SELECT t.wrong('czech', '{main@100,#3 main@50}', 'Td 8c | 1: 8s 9d | 3: 7s 7d 7c 2h', 'Seat 3, hand 1: 2h',
               'Td 8c | 1: 8s 9d | 3: 7s 7d 7c', 'lose 0, win 100',
                   'D0 HRA: a card was drawn on 21 at seat 3');
SELECT t.wrong('infinite', '{main@100,bob main@40,bob double_down@40}',
               'Td 8c | 6s 5d 9c | @bob: 6s 5d 2c 3h', 'Player ' || t.p('bob') || ', hand 1: 3h',
                   'Td 8c | 6s 5d 9c | @bob: 6s 5d 2c', 'win 200, lose 0, lose 0',
               'D4 Infinite Blackjack §20: bob''s doubled hand of four cards');
SELECT t.wrong('infinite', '{main@100,bob main@40,bob double_down@40}', 'Td 8c | 6s 5d 2c 3h',
               'Player ' || t.p('bob') || ', hand 1: 3h', 'Td 8c | 6s 5d 2c 3h | @bob: 6s 5d 2c',
                   'lose 0, lose 0, lose 0',
               'D4 Infinite Blackjack §20: everybody''s hand cannot be bob''s, who doubled');

-- --------------------------------------------------------------------------- the same outcome in other words
CREATE FUNCTION t.same(name text, wagers text[], one text,
                       VARIADIC others text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    first casino.settlement;
    entries bigint;
    document text;
BEGIN
    PERFORM t.staked(name, wagers);
    first := casino.settle_round(t.round(), t.named(one), t.at());
    entries := (SELECT count(*) FROM casino.ledger);
    FOREACH document IN ARRAY others LOOP
        BEGIN
            RETURN NEXT is(casino.settle_round(t.round(), t.named(document), t.at()), first,
                           format('R11.14: the same outcome again (%s): %s', name, document));
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT fail(format('R11.14: the same outcome again (%s): %s: %s', name, document, SQLERRM));
        END;
    END LOOP;
    RETURN NEXT is((SELECT count(*) FROM casino.ledger), entries,
                   format('and nothing was paid again (%s)', name));
    RETURN NEXT is(t.verdict(format('SELECT casino.settle_round(%s, %L, %L)', t.round(),
                                    regexp_replace(t.named(one)::text, '"dealer": "..', '"dealer": "2c'),
                                        t.at())), 'KR002',
                   format('R11.14: another outcome is KR002 (%s)', name));
END $$;
CREATE FUNCTION t.named(document text) RETURNS jsonb LANGUAGE sql AS
    $$ SELECT replace(replace(replace(document, 'ANN', t.p('ann')::text), 'BOB', t.p('bob')::text), 'CYD',
                      t.p('cyd')::text)::jsonb $$;
SELECT t.same('czech', '{main@100,#2 main@50,#2/2 split_pair@50}',
              '{"dealer": "Td 8c", "hands": [{"seat": 1, "hand": 1, "cards": "8s 9d"}, '
              '{"seat": 2, "cards": "8d Kh"}, {"seat": 2, "hand": 2, "cards": "8h Kc"}]}',
    '{"dealer": "Td8c", "hands": [{"seat": 1, "cards": "8s9d"}, {"seat": 2, "cards": "8d Kh"}, '
    '{"seat": 2, "hand": 2, "cards": "8h Kc"}]}',
    '{"dealer": "10d 8c", "hands": [{"seat": 1, "cards": "8♠ 9♦"}, {"seat": 2, "cards": "8d Kh"}, '
    '{"seat": 2, "hand": 2, "cards": "8h Kc"}]}',
    '{"hands": [{"cards": "8h Kc", "hand": 2, "seat": 2}, {"seat": 2, "hand": 1, "cards": "8d Kh"}, '
    '{"seat": 1, "cards": "8s 9d"}], "dealer": "  Td   8c "}',
    '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "8s 9d", "surrendered": false}, '
    '{"seat": 2, "cards": "8d Kh", "even_money": false}, {"seat": 2, "hand": 2, "cards": "8h Kc", '
    '"even_money": []}]}',
    '{"dealer": "Td 8c", "hands": [{"seat": 1.0, "cards": "8s 9d"}, '
    '{"seat": 2, "hand": 1.0, "cards": "8d Kh"}, {"seat": 2, "hand": 2, "cards": "8h Kc"}]}');
SELECT t.same('czech', '{main@100,bob main@50,cyd main@20}',
              '{"dealer": "Ad 8c", "hands": [{"seat": 1, "cards": "As Kd", "even_money": [ANN, BOB]}]}',
    '{"dealer": "Ad 8c", "hands": [{"seat": 1, "cards": "As Kd", "even_money": [BOB, ANN]}]}');
SELECT t.same('infinite', '{main@100,bob main@50,cyd main@20}',
              '{"dealer": "Td 8c", "hands": [{"cards": "8s 9d"}, {"player": ANN, "cards": "8s 9d 2c"}, '
              '{"players": [BOB], "cards": "8s 9d 3c"}]}',
    '{"dealer": "Td 8c", "hands": [{"player": ANN, "cards": "8s 9d 2c"}, '
    '{"players": [BOB], "cards": "8s 9d 3c"}, {"cards": "8s 9d"}]}',
    '{"dealer": "Td 8c", "hands": [{"cards": "8s 9d"}, {"player": BOB, "cards": "8s 9d 3c"}, '
    '{"player": ANN, "cards": "8s 9d 2c"}]}');
SELECT t.same('infinite', '{main@100,bob main@100,cyd main@100}',
              '{"dealer": "Th 7c", "hands": [{"player": ANN, "cards": "Th 2h 8c"}, '
              '{"player": BOB, "cards": "Th 2h"}, {"player": CYD, "cards": "Th 2h"}]}',
              '{"hands": [{"players": [CYD, BOB], "cards": "Th 2h"}, '
              '{"player": ANN, "cards": "Th 2h 8c"}], "dealer": "Th 7c"}');
SELECT is(t.verdict(format('SELECT casino.settle_round(%s, %L)', t.round(),
                           t.named('{"hands": [{"players": [ANN, BOB], "cards": "Th 2h"}, '
                                   '{"player": CYD, "cards": "Th 2h 8c"}], "dealer": "Th 7c"}'))),
          'KR002', 'with hands of other players it is another outcome');
SELECT t.same('infinite', '{main@100,bob main@50,cyd main@20}',
              '{"dealer": "Td 8c", "hands": [{"players": [ANN, BOB, CYD], "cards": "8s 9d 2c"}]}',
    '{"dealer": "Td 8c", "hands": [{"players": [CYD, ANN, BOB], "cards": "8s 9d 2c"}]}',
    '{"dealer": "Td 8c", "hands": [{"player": CYD, "cards": "8s 9d 2c"}, '
    '{"player": ANN, "cards": "8s 9d 2c"}, {"player": BOB, "cards": "8s 9d 2c"}]}',
    '{"dealer": "Td 8c", "hands": [{"players": [BOB, CYD], "cards": "8s 9d 2c"}, '
    '{"player": ANN, "cards": "8s 9d 2c"}]}');
SELECT t.same('infinite', '{main@100,bob main@50,/2 split_pair@100,bob/2 split_pair@50}',
              '{"dealer": "Td 8c", "hands": [{"players": [ANN, BOB], "cards": "8s 9d"}, '
              '{"player": ANN, "hand": 2, "cards": "8d 9c"}, {"player": BOB, "hand": 2, '
              '"cards": "8d 3c 9h"}]}',
    '{"dealer": "Td 8c", "hands": [{"player": BOB, "hand": 2, "cards": "8d 3c 9h"}, '
    '{"players": [BOB, ANN], "cards": "8s 9d"}, {"player": ANN, "hand": 2, "cards": "8d 9c"}]}',
    '{"dealer": "Td 8c", "hands": [{"player": ANN, "cards": "8s 9d"}, '
    '{"player": ANN, "hand": 2, "cards": "8d 9c"}, {"player": BOB, "cards": "8s 9d"}, '
    '{"player": BOB, "hand": 2, "cards": "8d 3c 9h"}]}');
SELECT t.same('synot+', '{main@100}',
              '{"dealer": "Td 8c", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}',
    '{"dealer": "Td 8c", "hands": [{"surrendered": true, "seat": 1, "hand": 1, "even_money": false, '
    '"cards": "Ts 6d"}]}');

-- -------------------------------------------------------------------------------- cards as they fall: deal()
SELECT t.staked('czech', '{main@100,#2 main@50}') \g /dev/null
CREATE FUNCTION t.deal(cards text)
RETURNS void
LANGUAGE sql AS 'SELECT casino.deal(t.round(), t.cards(cards), t.at())';
CREATE FUNCTION t.dealt(cards text)
RETURNS text
LANGUAGE sql AS $$ SELECT t.refusal(format('SELECT t.deal(%L)', cards)) $$;
SELECT is(t.dealt('Td | 1: 8s | 2: 7s'), 'ok', 'R11.11: a card each, as they fall');
SELECT is(t.dealt('Td | 1: 8s'), 'ok', 'R11.11: cards of one seat only, as they fall');
SELECT ok(t.dealt('Td | 1: 8s 9d | 3: 7s') LIKE 'KR001 Seat 3%',
          'D0 HRA: a card on a seat without a stake is seen at once');
SELECT ok(t.dealt('Td | 1: 7s 7d 7c 2h | 2: 7s') LIKE 'KR001 Seat 1, hand 1: 2h%',
          'D0 HRA: a card on 21 is seen at once');
SELECT ok(t.dealt('Td 8c 2h | 1: 7s 7d') LIKE 'KR001 %18%2h%',
          'D0: a card of the dealer on 18 is seen at once');
SELECT lives_ok($$ SELECT t.deal('Td | 1: 8s 8d | 2: 7s 9d') $$, 'two cards each');
SELECT ok(t.dealt('9d | 1: 8s 8d | 2: 7s 9d') LIKE 'KR001 %dealer%Td%',
          'R11.12: the dealer''s first card does not change');
SELECT is(t.verdict($$ SELECT t.settle('9d 8c | 1: 8s 8d | 2: 7s 9d') $$), 'KR001',
          'R11.12: nor at settlement');
SELECT lives_ok($$ SELECT t.deal('Td | 1: 8s 9d | 1: 8d | 2: 7s 9d') $$, 'a split as it falls');
SELECT lives_ok($$ SELECT t.place('/2 split_pair@100') $$, 'and its stake');
SELECT is((t.settle('Td 8c | 1: 8s 9d | 1: 8d Kc | 2: 7s 9d 5c')).paid, 200.00,
          'the round settles on cards that go on from those dealt: 17 lost, 18 pushed, 21 won');
SELECT is(t.verdict($$ SELECT t.deal('Td 8c | 1: 8s 9d | 1: 8d Kc | 2: 7s 9d 5c') $$), 'KR002',
          'R11.10: no cards after the evaluation');
SELECT is(t.verdict($$ SELECT t.deal('Td | 1: 8s 8d | 2: 7s 9d') $$), 'ok',
          'R13.6: what was dealt is answered when it comes again');
SELECT t.open('czech'), t.place('main@100') \g /dev/null
SELECT is(t.verdict($$ SELECT t.deal('Td | 1: 8s') $$), 'KR002',
          'R11.11: no cards before betting has closed');

SELECT * FROM finish();
