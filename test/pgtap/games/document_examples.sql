-- The documents' own examples and tables of odds. Each test names the paragraph and quotes the sentence;
-- expected values stand in the document, never in the plan's rows. Quotes are shortened (...); rows of
-- tables are quoted with their odds. Each example is played as a real round and
-- asked by quote(). D0 to D4 are the documents in the order of doc/readings.md.
\ir ../helpers/blackjack.psql
SELECT no_plan();

-- ------------------------------------------------------------------------------------------- blackjack
-- money alone: "20, 0" for "win 20, lose 0"
CREATE FUNCTION t.money(ends text) RETURNS text LANGUAGE sql AS
    $$ SELECT regexp_replace(ends, '[a-z_0-9+]+ ([0-9.]+)', '\1', 'g') $$;
CREATE FUNCTION t.gets(name text, place text, said text, wagers text[], cards text, expected text)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE what CONSTANT text := format('%s %s: "%s"', (SELECT g.doc FROM t.game g WHERE g.name =
    rtrim(gets.name, '+')),
                                     place, said);
BEGIN
    RETURN NEXT is(t.money(t.play(name, wagers, cards)), expected, what);
    RETURN NEXT is(t.money(t.quoted(name, wagers, cards)), expected, 'quote: ' || what);
EXCEPTION WHEN OTHERS THEN
    RETURN NEXT fail(what || ' ' || cards || ': ' || SQLSTATE || ' ' || SQLERRM);
END $$;
CREATE TABLE t.example (n serial, games text, place text, said text, wagers text[], cards text, expected
    text);
CREATE FUNCTION t.examples() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    e t.example;
    g text;
BEGIN
    FOR e IN SELECT * FROM t.example ORDER BY n LOOP
        FOREACH g IN ARRAY string_to_array(e.games, ',') LOOP
            -- "infinite:§27": the paragraph of this game
            RETURN QUERY SELECT t.gets(split_part(g, ':', 1), coalesce(nullif(split_part(g, ':', 2), ''),
                e.place), e.said,
                                       e.wagers, e.cards, e.expected);
        END LOOP;
    END LOOP;
    DELETE FROM t.example;
END $$;

-- D0
INSERT INTO t.example (games, place, said, wagers, cards, expected) VALUES
    ('czech', 'HODNOTY KARET',
     'Platí vždy jedna (1), jestliže by jedenáct způsobilo, že by celkový součet karet převyšoval '
     'jedenadvacet (21)',
     '{main@10}', 'Td 7c | As 8d 9c', '20'),
    ('czech', 'HODNOTY KARET', 'Figury (obrázkové karty) platí deset (10)', '{main@10}', 'Td 9c | Ks Qd',
     '20'),
    ('czech', 'HODNOTY KARET', 'Figury (obrázkové karty) platí deset (10)', '{main@10}', 'Jd Ac | Ks Qd',
     '0'),
    ('czech', 'VÝHERNÍ SESTAVA', 'Všichni hráči, kteří mají součet menší než rozdávající, prohráli',
     '{main@10}', 'Td 9c | Ts 8d', '0'),
    ('czech', 'VÝHERNÍ SESTAVA', 'Má-li hráč stejný součet jako rozdávající, potom je to remíza', '{main@10}',
     'Td 9c | Ts 9d', '10'),
    ('czech', 'VÝHERNÍ SESTAVA', 'Všechny vyhrávající sázky se vyplácí v poměru jedna ku jedné (1:1)',
     '{main@10}', 'Td 8c | Ts 9d', '20'),
    ('czech', 'VÝHERNÍ SESTAVA', 'Blackjack (21). Ten se pak vyplatí v poměru tři ku dvěma (3:2)',
     '{main@10}', 'Td 8c | As Td', '25'),
    ('czech', 'VÝHERNÍ SESTAVA', 'Všechny vyhrané pojistné sázky se vyplatí v poměru dvě ku jedné (2:1)',
     '{main@10,insurance@5}', 'Ad Kc | Ts 9d', '0, 15'),
    ('czech', 'HRA',
     'musí polovinu své původní sázky vsadit ... Nevyjde-li rozdávajícímu Blackjack, pojišťovací sázka '
     'propadne',
     '{main@10,insurance@5}', 'Ad 9c | Ts 9d', '0, 0'),
    ('czech', 'HRA',
     'Každému hráči, který si přál Blackjack pojistit proti esu rozdávajícího, se peníze vyplatí v poměru '
     'jedna ku jedné (1:1)',
     '{main@10}', 'Ad Kc | As Td !even', '20'),
    ('czech', 'HRA',
     'Kombinace rozděleného esa a karty s vyznačením hodnoty deset (10) se počítá jen jako dvacet jedna '
     '(21) ... vyplatí se v poměru jedna ku jedné (1:1)',
     '{main@10,/2 split_pair@10}', 'Td 9c | As Td | Ad Kc', '20, 20'),
    ('czech', 'HRA', 'Blackjack vždy "přebije" (je víc než) dvacet jedna (21)', '{main@10,/2 split_pair@10}',
     'Td Ac | As Td | Ad Kc', '0, 0'),
    ('czech', 'HRA', 'rozdělit (splitovat) až třikrát, což má za následek čtyři rozdělené sestavy karet',
     '{main@10,/2 split_pair@10,/3 split_pair@10,/4 split_pair@10}', 'Td 7c | 8s Td | 8d Tc | 8h Ts | 8c Th',
         '20, 20, 20, 20'),
-- D1
    ('classic', 'Pravidla hry', 'tedy 9 znamená 9, 8 znamená 8, např. 4 znamená 4', '{main@10}',
     'Td Tc | 9s 8d 4c', '20'),
    ('classic', 'Pravidla hry', 'Hodnota obrázkových karet (kluk, dáma, král) a desítky se rovná 10',
     '{main@10}', 'Td Jc | Qs Kd', '10'),
    ('classic', 'Pravidla hry', 'dvě esa mají součet buď 2 nebo 12', '{main@10}', 'Td Tc | As Ad 9c', '20'),
    ('classic', 'Pravidla hry', 'dvě esa mají součet buď 2 nebo 12', '{main@10}', 'Td Tc | As Ad Td 9c',
     '20'),
    ('classic', 'Pravidla hry', 'neexistuje žádné Královské oko', '{main@10}', 'Td Tc | As Ad', '0'),
    ('classic', 'Pravidla hry', 'Vyplácí se v poměru 3 : 2, ovšem pouze pokud nemá Black Jack také krupiér',
     '{main@10}', 'Td 8c | As Kd', '25'),
    ('classic', 'Pravidla hry', 'Vyplácí se v poměru 3 : 2, ovšem pouze pokud nemá Black Jack také krupiér',
     '{main@10}', 'Td Ac | As Kd', '10'),
    ('classic', 'Pravidla hry', 'Kdo má víc než krupiér vyhrává. Dostane jedenkrát tolik co vsadil',
     '{main@10}', 'Td 8c | Ts 9d', '20'),
    ('classic', 'Pravidla hry',
     'Přetáhne-li krupiér hodnotu 21, jsou vyplaceni všichni hráči kteří zůstali ve hře', '{main@10}',
     'Td 6c 9h | Ts 2d', '20'),
    ('classic', 'Rozdělení hry',
     'V dělené hře nelze dosáhnout hodnoty "Black Jack", ta dává pouze celkový součet 21',
     '{main@10,/2 split_pair@10}', 'Td 9c | As Td | Ad Kc', '20, 20'),
    ('classic', 'Pojištění',
     'Polovinu svého vkladu vsadí hráč ... dostane vyplacenou pojistnou část v poměru 2:1',
     '{main@10,insurance@5}', 'Ad Kc | Ts 9d', '0, 15'),
-- D2
    ('house', 'Pravidla', 'Hodnoty všech karet odpovídají natištěné hodnotě (tj. 2 Đ 10)', '{main@10}',
     'Td Tc | 2s 3d 4c 5h 7s', '20'),
    ('house', 'Pravidla', 'Hodnoty všech karet odpovídají natištěné hodnotě (tj. 2 Đ 10)', '{main@10}',
     'Td 9c | 6s 8d 7c', '20'),
    ('house', 'Pravidla', 'Jste-li k 21 blíž než dealer, vyhráváte 100 % svého vkladu', '{main@10}',
     'Td 8c | Ts 9d', '20'),
    ('house', 'Pravidla', 'Jste-li k 21 blíž než dealer, vyhráváte 100 % svého vkladu', '{main@0.01}',
     'Td 8c | Ts 9d', '0.02'),
    ('house', 'Pravidla', '... nebo desítkou), budete vyplacen/a v poměru 3 : 2',
     '{main@10}', 'Td 8c | As Td', '25'),
    ('house', 'Pravidla',
     'Váš úspěch může být vyrovnán jen Blackjackem dealera. Tato rovnost znamená "stand off"', '{main@10}',
     'Kd Ac | As Td', '10'),
    ('house', 'Rozdělení',
     'Ve hře po rozdělení neplatí eso s desítkou nebo s kartou s obrázkem za Blackjack, nýbrž jen za '
     'součet 21',
     '{main@10,/2 split_pair@10}', 'Td 9c | As Td | Ad Kc', '20, 20'),
    ('house', 'Pojištění',
     'Takto můžete vsadit max. polovinu ... bude Vám v poměru 2 : 1 vyplacena pojišťovací částka, původní '
     'sázka propadá',
     '{main@10,insurance@5}', 'Ad Kc | Ts 9d', '0, 15'),
    ('house', 'Pojištění', 'můžete žádat okamžité vyplacení ("even money") 1:1', '{main@10}',
     'Ad Kc | As Kd !even', '20'),
-- D3
    ('free_bet', '§5', 'se upošteva seštevek, ki je ugodnejši za igralca (npr. 8+2+As=21)',
     '{main@10,double_down@10}', 'Td Tc | 8s 2d As', '20, 20'),
    ('free_bet', '§2', 'torej 2 dve točki, 5 pet točk itd', '{main@10}', 'Td 9c | 2s 5d 5c 8h', '20'),
    ('free_bet', '§3', 'Zmagovalne kombinacije ... se v primeru zmage plačujejo v razmerju 1:1', '{main@10}',
     'Td 8c | Ts 9d', '20'),
    ('free_bet', '§3',
     'se takšna stava plača v razmerju 3:2, razen v primerih, da ima Black Jack tudi krupje', '{main@10}',
     '9d 8c | As Kd', '25'),
    ('free_bet', '§3',
     'se takšna stava plača v razmerju 3:2, razen v primerih, da ima Black Jack tudi krupje', '{main@10}',
     'Td Ac | As Kd', '10'),
    ('free_bet', '§3', 'lahko krupje igralcu na njegovo željo izplača stavo v razmerju 1:1', '{main@10}',
     'Td Ac | As Kd !even', '20'),
    ('free_bet', '§3', 'Stave ostanejo in se ne plačajo tudi v primeru, ko krupje doseže seštevki 22',
     '{main@10}', 'Td 6c 6h | Ts 9d', '10'),
    ('free_bet', '§3', 'Stava Black Jack, ki jo doseže igralec, je izvzeta iz tega pravila', '{main@10}',
     '9d 7c 6h | As Kd', '25'),
    ('free_bet', '§4.1', 'izplača dobiček osnovne stave in dobiček brezplačne »Free Split« stave',
     '{main@10,/2 free_split@10}', 'Td 8c | 9s Kd | 9d Th', '20, 10'),
    ('free_bet', '§4.1', 'V primeru, ko igralec izgubi, krupje pobere osnovno stavo in »Free Bet« žeton',
     '{main@10,/2 free_split@10}', 'Td 9c | 8s Kd | 8d Th', '0, 0'),
    ('free_bet', '§4.1',
     'V primeru neodločenega izida osnovna stava ostane igralcu, krupje pobere samo »Free Bet« žeton',
     '{main@10,/2 free_split@10}', 'Td 8c | 8s Kd | 8d Th', '10, 0'),
    ('free_bet', '§5.1', 'izplača dobiček osnovne stave in dobiček brezplačne »Free Double« stave',
     '{main@10,free_double@10}', 'Td 8c | 6s 5d Kc', '20, 10'),
    ('free_bet', '§5.1', 'V primeru, ko igralec izgubi, krupje pobere osnovno stavo in »Free Bet« žeton',
     '{main@10,free_double@10}', 'Td 8c | 6s 5d 2c', '0, 0'),
    ('free_bet', '§5.1',
     'V primeru neodločenega izida osnovna stava ostane igralcu, krupje pobere samo »Free Bet« žeton',
     '{main@10,free_double@10}', 'Td 8c | 6s 5d 7c', '10, 0'),
    ('free_bet', '§5.1',
     'podvoji svojo stavo tudi na vsako brezplačno razdelitev »Free Split«, kjer je seštevek dveh kart 9, '
     '10, ali 11',
     '{main@10,/2 free_split@10,free_double@10}', 'Td 8c | 8s 3d Kh | 8d Kc', '20, 0, 10'),
    ('free_bet', '§6', 'v kolikor krupje doseže seštevek 22. Stava "Push 22" se izplačuje v razmerju 11:1',
     '{main@10,push22@10}', 'Td 6c 6h | Ts 9d', '10, 120'),
    ('free_bet', '§6', 'v kolikor krupje doseže seštevek 22', '{main@10,push22@10}', 'Td 6c 7h | Ts 9d',
     '20, 0'),
    ('free_bet', '§7', 'izplača v razmerju 2:1 zavarovalne vsote', '{main@10,insurance@5}', 'Ad Kc | Ts 9d',
     '0, 15'),
    ('free_bet', '§7', 'Igralec lahko zavaruje tudi svojo kombinacijo Black Jack', '{main@10,insurance@5}',
     'Ad Kc | As Kd', '10, 15'),
    ('free_bet', '§4',
     'če k razdeljenim kartam vrednosti 10 točk izide As, to tvori zgolj navaden seštevek 21 točk, ne pa '
     'Black Jack',
     '{main@10,/2 split_pair@10}', 'Td 9c | Ts Ad | Td Ac', '20, 20');
SELECT t.examples();

-- D4, five games of blackjack; what all of them say, each with its own paragraph
INSERT INTO t.example (games, said, wagers, cards, expected)
SELECT 'synot:§27,all_bets:§25,infinite:§27,evolution:§27,endless:§30', v.* FROM (VALUES
     ('účastník v těchto případech vyhrává dvojnásobek své sázky (při sázce 10 Kč, získává 20 Kč - včetně '
      'své sázky)', '{main@10}'::text[], 'Td 8c | Ts 9d', '20'),
     ('Vyhrát však může i tehdy, pokud dosáhne hodnoty nižší než 22 a hodnota krupiérovy kombinace '
      'přesáhne 21 ... (při sázce 10 Kč, získává 20 Kč)', '{main@10}', 'Td 6c 6h | Ts 2d', '20'),
     ('eso a kartu s hodnotou deset, má blackjack a vyhrává 1,5násobek své sázky (při sázce 10 Kč, '
      'získává 25 Kč - včetně své sázky)', '{main@10}', 'Td 8c | As Kd', '25'),
    ('Pokud má s krupiérem stejný součet hodnot karet (17 a více), nevyhrává ani jeden', '{main@10}',
     'Td 7c | Ts 7d', '10'),
    ('Pokud má krupiér blackjack, prohrávají svou sázku všichni účastníci', '{main@10}', 'Ad Kc | Ts 6d 5c',
     '0'),
    ('s výjimkou těch, kteří sami mají blackjack - ti končí nerozhodně', '{main@10}', 'Ad Kc | As Td', '10'),
    ('Pokud je celková hodnota účastníkovy kombinace 22 a více, automaticky prohrává', '{main@10}',
     'Td 6c 9h | Ts 6d 6c', '0'),
    ('Pojištění (Insurance) 2:1', '{main@10,insurance@5}', 'Ad Kc | Ts 9d', '0, 15'),
    ('Blackjack 3:2', '{main@0.02}', 'Td 8c | As Kd', '0.05')) v (said, wagers, cards, expected);
INSERT INTO t.example (games, said, wagers, cards, expected) VALUES
    ('synot:§6,all_bets:§6,infinite:§7,evolution:§6,endless:§6',
     'Jakákoliv kombinace desítky a esa se nazývá blackjack a poráží součet 21',
     '{main@10}', 'Td 6c 5h | As Td', '25'),
    ('synot:§6,all_bets:§6,infinite:§7,evolution:§6,endless:§6', 'např. měkkých 16 nebo tvrdých 17',
     '{main@10}', 'Td 6c 6h | As 5d Kc Ah', '20'),
    ('synot:§14,all_bets:§13,infinite:§15,evolution:§14,endless:§13',
     'Pokud je tento součet 17, včetně měkkých 17 (s esem) či vyšší, krupiér další kartu nebere',
     '{main@10}', 'Ad 6c | Ts 7d', '10'),
    ('synot:§20,all_bets:§18,infinite:§20,evolution:§20,endless:§17',
         'Pokud má první karta krupiéra hodnotu 10 a dostane eso (tzn. má blackjack), obdrží žetony ve '
         'výši dvojnásobku sázky',
     '{main@10,double_down@10}', 'Kd Ac | 6s 5d 9c', '10, 10'),
    ('synot:§18,all_bets:§17,infinite:§19,evolution:§18,endless:§16',
         'Pokud je v rozdělené kombinaci eso a karta s hodnotou deset, považuje se to za 21, nikoli za '
         'blackjack. V tomto případě je výplata 1:1, nikoli 3:2',
     '{main@10,/2 split_pair@10}', 'Td 9c | As Kd | Ad 5c', '20, 0'),
    ('synot:§18,all_bets:§17,infinite:§19,evolution:§18,endless:§16',
     'Kromě rozdělení páru es (A) lze též u nových kombinací použít double',
     '{main@10,/2 split_pair@10,/2 double_down@10}', 'Td 9c | 8s Td | 8d 3c Th', '0, 20, 20'),
    ('synot+:§19,evolution+:§19', 'možnost výplaty 50 % hodnoty sázky po zobrazení prvních dvou karet',
     '{main@10}', 'Td 9c | Ts 6d !surrender', '5'),
    ('all_bets:§14', 'účastník, který vyloží 10 karet, automaticky vyhrává', '{main@10}',
     'Td 5c 6h | 2s 2d Ac As Ad Ah Ac As Ad Ah', '20'),
    ('infinite:§16,evolution:§15',
     'šest karet s celkovou hodnotou 21 a méně, automaticky vyhrává, i když má krupiér blackjack',
     '{main@10}', 'Kd Ac | 2s 3d 2c 3h 2h 4s', '20');
INSERT INTO t.example (games, said, wagers, cards, expected) VALUES
    ('all_bets:§14', 's výjimkou případů, kdy má krupiér blackjack', '{main@10}',
     'Td Ac | 2s 2d Ac As Ad Ah Ac As Ad Ah', '0');
-- 21+3
INSERT INTO t.example (games, said, wagers, cards, expected) VALUES
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'Trojice v barvě ... Příklad: 4 ♥ 4 ♥ 4 ♥; 100:1', '{main@10,21+3@10}', '4h 6d 7c | 4h 4h Ts',
     '20, 1010'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'Postupka v barvě ... Příklad: 5 ♥ 6 ♥ 7 ♥; 40:1', '{main@10,21+3@10}', '7h Td | 5h 6h Ks', '20, 410'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'Eso (A) lze použít na začátku nebo na konci postupky', '{main@10,21+3@10}', 'Ah 7d | Qh Kh', '20, 410'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'Eso (A) lze použít na začátku nebo na konci postupky', '{main@10,21+3@10}', '3h 7d 7c | 2h Ah 8s',
     '20, 410'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26', 'Trojice ... Příklad: 7 ♥ 7 ♦ 7 ♠; 30:1',
     '{main@10,21+3@10}', '7s Td | 7h 7d 4c', '20, 310'),
    ('endless:§29', 'Trojice ... Příklad: 7 ♥ 7 ♦ 7 ♠; 25:1', '{main@10,21+3@10}', '7s Td | 7h 7d 4c',
     '20, 260'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'Postupka ... Příklad: 7 ♥ 8 ♦ 9 ♠; 10:1', '{main@10,21+3@10}', '9s 8h | 7h 8d 3c', '20, 110'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29', 'Barva ... Příklad: 4 ♥ 6 ♥ 8 ♥; 5:1',
     '{main@10,21+3@10}', '8h 9s | 4h 6h Kc', '20, 60'),
    ('synot:§26,all_bets:§24', 'Top 3: Trojice v barvě ... Příklad: 4 ♥ 4 ♥ 4 ♥; 270:1', '{main@10,top3@10}',
     '4h 6d 7c | 4h 4h Ts', '20, 2710'),
    ('synot:§26,all_bets:§24', 'Top 3: Postupka v barvě ... Příklad: 5 ♥ 6 ♥ 7 ♥; 180:1', '{main@10,top3@10}',
     '7h Td | 5h 6h Ks', '20, 1810'),
    ('synot:§26,all_bets:§24', 'Top 3: Trojice ... Příklad: 7 ♥ 7 ♦ 7 ♠; 90:1', '{main@10,top3@10}',
     '7s Td | 7h 7d 4c', '20, 910'),
    ('synot:§26,all_bets:§24', 'Top 3: 7 ♥ 8 ♦ 9 ♠ and 4 ♥ 6 ♥ 8 ♥ are not in the list', '{main@10,top3@10}',
     '9s 8h | 7h 8d 3c', '20, 0'),
    ('synot:§26,all_bets:§24', 'Top 3: 7 ♥ 8 ♦ 9 ♠ and 4 ♥ 6 ♥ 8 ♥ are not in the list', '{main@10,top3@10}',
     '8h 9s | 4h 6h Kc', '20, 0'),
-- pairs
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'v různých k sobě nenáležících barvách ... Příklad: 4 ♦ 4 ♠; 6:1', '{main@10,player_pair@10}',
     'Td 9c | 4d 4s Kh', '0, 70'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     've dvou různých k sobě náležících barvách ... Příklad: 4 ♥ 4 ♦; 12:1', '{main@10,player_pair@10}',
     'Td 9c | 4h 4d Kh', '0, 130'),
    ('synot:§26,all_bets:§24,infinite:§26,evolution:§26,endless:§29',
     'pár stejné barvy ... Příklad: 4 ♦ 4 ♦; 25:1', '{main@10,player_pair@10}', 'Td 9c | 4d 4d Kh', '0, 260'),
    ('synot:§26,all_bets:§24', 'krupiéra (Dealer Perfect Pairs): Příklad: 4 ♦ 4 ♠; 6:1',
     '{main@10,dealer_pair@10}', '4d 4s Kh | Ts 9d', '20, 70'),
    ('synot:§26,all_bets:§24', 'krupiéra (Dealer Perfect Pairs): Příklad: 4 ♥ 4 ♦; 12:1',
     '{main@10,dealer_pair@10}', '4h 4d Kh | Ts 9d', '20, 130'),
    ('synot:§26,all_bets:§24', 'krupiéra (Dealer Perfect Pairs): Příklad: 4 ♦ 4 ♦; 25:1',
     '{main@10,dealer_pair@10}', '4d 4d Kh | Ts 9d', '20, 260'),
-- Lucky Lucky
    ('all_bets:§24', 'Tři 7 v jedné barvě. Příklad: 7 ♠ 7 ♠ 7 ♠; 200:1', '{main@10,lucky_lucky@10}',
     '7s Td | 7s 7s 4c', '20, 2010'),
    ('all_bets:§24', 'Karty 6,7,8 v jedné barvě. Příklad: 6 ♠ 7 ♠ 8 ♠; 100:1', '{main@10,lucky_lucky@10}',
     '8s Td | 6s 7s 8c', '20, 1010'),
    ('all_bets:§24', 'Tři 7 v různých barvách. Příklad: 7 ♠ 7 ♦ 7 ♥; 50:1', '{main@10,lucky_lucky@10}',
     '7h Td | 7s 7d 4c', '20, 510'),
    ('all_bets:§24', 'Karty 6,7,8 v různých barvách. Příklad: 6 ♠ 7 ♦ 8 ♥; 25:1', '{main@10,lucky_lucky@10}',
     '8h Td | 6s 7d 8c', '20, 260'),
    ('all_bets:§26', '21 v barvě 15:1', '{main@10,lucky_lucky@10}', '2s 5d Kc | Ts 9s', '20, 160'),
    ('all_bets:§26', '21 3:1', '{main@10,lucky_lucky@10}', '2h 5d Kc | Ts 9s', '20, 40'),
    ('all_bets:§26', 'Jakákoliv 20 2:1', '{main@10,lucky_lucky@10}', '2h 5d Kc | Ts 8s', '20, 30'),
    ('all_bets:§26', 'Jakákoliv 19 2:1', '{main@10,lucky_lucky@10}', '2h 4d Kc Ts | Ts 7s', '20, 30'),
    ('all_bets:§26', '18 is not in the table', '{main@10,lucky_lucky@10}', '2h 4d Kc Ts | Ts 6s', '20, 0'),
-- Buster Blackjack
    ('all_bets:§26', 'Buster 8+ karet a hráč má blackjack 2000:1', '{main@10,buster@10}',
     '2d 2h 2c 2s 2d 2h 3c Tc | As Kd', '25, 20010'),
    ('all_bets:§26', 'Buster 7 karet a hráč má blackjack 800:1', '{main@10,buster@10}',
     '2d 2h 2c 2s 2d 5h Tc | As Kd', '25, 8010'),
    ('all_bets:§26', 'Buster 8+ karet 250:1', '{main@10,buster@10}', '2d 2h 2c 2s 2d 2h 3c Tc | Ts 9d',
     '20, 2510'),
    ('all_bets:§26', 'Buster 7 karet 50:1', '{main@10,buster@10}', '2d 2h 2c 2s 2d 5h Tc | Ts 9d', '20, 510'),
    ('all_bets:§26', 'Buster 6 karet 18:1', '{main@10,buster@10}', '2d 2h 2c 2s 5d Th | Ts 9d', '20, 190'),
    ('all_bets:§26', 'Buster 6 karet 18:1, of a blackjack too', '{main@10,buster@10}',
     '2d 2h 2c 2s 5d Th | As Kd', '25, 190'),
    ('all_bets:§26', 'Buster 5 karet 4:1', '{main@10,buster@10}', '2d 2h 2c 9s Td | Ts 9d', '20, 50'),
    ('all_bets:§26', 'Buster 3 nebo 4 karty 2:1', '{main@10,buster@10}', '2d 2h Tc Ts | Ts 9d', '20, 30'),
    ('all_bets:§26', 'Buster 3 nebo 4 karty 2:1', '{main@10,buster@10}', 'Td 6h Tc | Ts 9d', '20, 30'),
    ('all_bets:§24', 'výsledný součet karet vyšší než 21', '{main@10,buster@10}', 'Td 6h 5c | Ts 9d', '0, 0'),
-- Bust It
    ('infinite:§28', 'Přes limit s 8 a více kartami 250:1', '{main@10,bust_it@10}',
     '2d 2h 2c 2s 2d 2h 3c Tc | Ts 9d', '20, 2510'),
    ('infinite:§28', 'Přes limit se 7 kartami 100:1', '{main@10,bust_it@10}', '2d 2h 2c 2s 2d 5h Tc | Ts 9d',
     '20, 1010'),
    ('infinite:§28', 'Přes limit se 6 kartami 50:1', '{main@10,bust_it@10}', '2d 2h 2c 2s 5d Th | Ts 9d',
     '20, 510'),
    ('infinite:§28', 'Přes limit se 5 kartami 9:1', '{main@10,bust_it@10}', '2d 2h 2c 9s Td | Ts 9d',
     '20, 100'),
    ('infinite:§28', 'Přes limit se 4 kartami 2:1', '{main@10,bust_it@10}', '2d 2h Tc Ts | Ts 9d', '20, 30'),
    ('infinite:§28', 'Přes limit se 3 kartami 1:1', '{main@10,bust_it@10}', 'Td 6h Tc | Ts 9d', '20, 20'),
    ('infinite:§26', 'Pokud má účastník blackjack, obdrží žetony ve výši jeho původní vedlejší sázky Bust It',
     '{main@10,bust_it@10}', 'Td 8c | As Kd', '25, 10'),
-- HOT 3
    ('infinite:§26', 'Součet 19. Příklad 3 7 9; 1:1', '{main@10,hot3@10}', '9c 8d | 3s 7d Kh', '20, 20'),
    ('infinite:§26', 'Součet 20. Příklad 3 8 9; 2:1', '{main@10,hot3@10}', '9c 8d | 3s 8d Th', '20, 30'),
    ('infinite:§26', 'Součet 21 karet v různých barvách. Příklad 3 8 10; 4:1', '{main@10,hot3@10}',
     'Tc 8d | 3s 8d Th', '20, 50'),
    ('infinite:§26', 'Součet 21 karet v barvě. Příklad 3 8 10; 20:1', '{main@10,hot3@10}', 'Tc 8d | 3c 8c Th',
     '20, 210'),
    ('infinite:§26', '7-7-7. Příklad 7 7 7; 100:1', '{main@10,hot3@10}', '7c Td | 7s 7d 4h', '20, 1010'),
-- the greatest wins
    ('synot,all_bets,infinite,evolution',
     'Nejvyšší možná čistá výhra při hlavní sázce ve výši 100 000 Kč a dosažení Blackjacku ... činí 150 '
     '000 Kč', '{main@100000}', 'Td 8c | As Kd', '250000'),
    ('synot,all_bets',
     'při vedlejší sázce Top 3 ve výši 1 000 Kč a dosažení Trojice v barvě ... činí 270 000 Kč',
     '{main@10,top3@1000}', '4h 6d 7c | 4h 4h Ts', '20, 271000'),
    ('infinite', 'při vedlejší sázce Bust It ve výši 1 000 Kč ... s 8 a více kartami ... činí 250 000 Kč',
     '{main@10,bust_it@1000}', '2d 2h 2c 2s 2d 2h 3c Tc | Ts 9d', '20, 251000'),
    ('evolution', 'při vedlejší sázce 21+3 ve výši 1 000 Kč ... činí 100 000 Kč', '{main@10,21+3@1000}',
     '4h 6d 7c | 4h 4h Ts', '20, 101000'),
    ('evolution', 'při vedlejší sázce Perfect Pairs ve výši 1 000 Kč ... činí 25 000 Kč',
     '{main@10,player_pair@1000}', 'Td 9c | 4d 4d Kh', '0, 26000'),
    ('endless', 'při hlavní sázce ve výši 1 000 000 Kč a dosažení Blackjacku ... činí 1 500 000 Kč',
     '{main@1000000}', 'Td 8c | As Kd', '2500000'),
    ('endless', 'při vedlejší sázce 21+3 ve výši 10 000 Kč ... činí 1 000 000 Kč', '{main@10,21+3@10000}',
     '4h 6d 7c | 4h 4h Ts', '20, 1010000');
UPDATE t.example SET place = 'Základní informace' WHERE games !~ ':';
SELECT t.examples();

-- "Nejvyšší možná hlavní sázka je ..., nejvyšší možná vedlejší sázka je ...": a haléř more is refused
CREATE FUNCTION t.above(name text, main numeric, side text, most numeric) RETURNS SETOF text LANGUAGE plpgsql
    AS $$
DECLARE doc CONSTANT text := (SELECT g.doc FROM t.game g WHERE g.name = above.name);
BEGIN
    PERFORM t.open(name);
    RETURN NEXT is(ARRAY[t.may('main@' || main), t.may('main@' || main + 0.01)], '{ok,KB002}',
                   format('%s Základní informace: "Nejvyšší možná hlavní sázka je %s Kč"', doc, main));
    PERFORM t.place('main@10');
    RETURN NEXT is(ARRAY[t.may(side || '@' || most), t.may(side || '@' || most + 0.01)], '{ok,KB002}',
                   format('%s Základní informace: "nejvyšší možná vedlejší sázka je %s Kč": %s', doc, most,
                       side));
END $$;
SELECT t.above(v.name, v.main, s, v.most)
  FROM (VALUES ('synot', 100000, '{21+3,top3,player_pair,dealer_pair}'::text[], 1000),
               ('all_bets', 100000, '{21+3,top3,player_pair,dealer_pair,lucky_lucky,buster}', 1000),
               ('infinite', 100000, '{21+3,player_pair,bust_it,hot3}', 1000),
               ('evolution', 100000, '{21+3,player_pair}', 1000),
               ('endless', 1000000, '{21+3,player_pair}', 10000)) v (name, main, sides, most)
 CROSS JOIN unnest(v.sides) s;

-- ------------------------------------------------------------------------------------------- other games
-- One player's bets on one outcome, as a real round and by quote(): "1010, 40"
CREATE FUNCTION t.paid(game text, bets text, document text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz := timestamptz '2026-03-01' + nextval('t.hour') * interval '1 hour';
    tab bigint;
    r bigint;
    b text;
    entries bigint[] := '{}';
    played text;
    asked text;
BEGIN
    SELECT g.table_id INTO tab FROM casino.game_table g WHERE g.name = 'examples of ' || paid.game;
    IF tab IS NULL THEN
        tab := casino.add_game_table(paid.game, 'examples of ' || paid.game, 0.01,
                                     CASE paid.game WHEN 'casino_holdem' THEN 20000 WHEN 'baccarat' THEN
                                         100000
                                                    ELSE 10000 END);
    END IF;
    r := casino.open_round(tab, 'example ' || at, at);
    FOREACH b IN ARRAY string_to_array(bets, ' ') LOOP
        IF b LIKE 'call@%' THEN
            PERFORM casino.close_betting(r, at + interval '1 min');
        END IF;
        entries := entries || casino.place_bet(r, t.p('eve'), b::casino.bet, at => at + interval '1 min');
    END LOOP;
    PERFORM casino.settle_round(r, document::jsonb, at + interval '2 min');
    SELECT string_agg(trim_scale(coalesce(l.amount, 0))::text, ', ' ORDER BY u.n)
      INTO played
      FROM unnest(entries) WITH ORDINALITY u (entry_no, n)
      LEFT JOIN casino.ledger l ON l.player_id = t.p('eve') AND l.stake_entry_no = u.entry_no AND l.kind =
          'payout';
    SELECT string_agg(trim_scale(q.payout)::text, ', ' ORDER BY q.n)
      INTO asked
      FROM casino.quote(paid.game, string_to_array(bets, ' ')::casino.bet[], document::jsonb, at)
           WITH ORDINALITY q (bet, grade, profit, payout, n);
    RETURN CASE WHEN played = asked THEN played ELSE format('round %s, quote %s', played, asked) END;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Casino Hold'em
SELECT is(t.paid('casino_holdem', 'ante@10 aa@10 razz@10 call@20', document), expected, 'D4 Casino Hold''em '
  || said)
  FROM (VALUES
    ('{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}', '1010, 1010, 0, 40',
     '§15, §17: "Royal flush 100:1", ante and AA'),
    ('{"player": "9h 8h", "board": "7h 6h 5h 2d Kc", "dealer": "4s 4d"}', '210, 510, 70, 40',
     '§15, §16, §17: "Čistá postupka 20:1", AA "50:1", Razz "Nejvyšší karta 9 6:1"'),
    ('{"player": "Js Jh", "board": "Jd Jc Qs 2d 3c", "dealer": "4h 4d"}', '110, 410, 0, 40',
     '§15, §17: "Čtveřice 10:1", AA "40:1"; §14: "Příklad: J J J J Q"'),
    ('{"player": "Ks Kh", "board": "Kd 5c 5s 2h 3d", "dealer": "4h 4d"}', '40, 310, 0, 40',
     '§15, §17: "Full House 3:1", AA "30:1"; §14: "Příklad: K K K 5 5"'),
    ('{"player": "3c 7c", "board": "8c Tc Jc 2d 2h", "dealer": "4h 4d"}', '30, 210, 30, 40',
     '§15, §16, §17: "Jedna barva 2:1", AA "20:1", Razz "Nejvyšší karta J 2:1"; §14: "Příklad: 3 7 8 10 J"'),
    ('{"player": "6s 7d", "board": "8c 9h Ts 2d 3c", "dealer": "4h 4d"}', '20, 80, 50, 40',
     '§15, §16, §17: "Postupka nebo nižší 1:1", AA "AA nebo vyšší 7:1", Razz "Nejvyšší karta 10 4:1"; '
     '§14: "Příklad: 6 7 8 9 10"'),
    ('{"player": "As 5h", "board": "Ad Ac Js 2d 3c", "dealer": "4h 4d"}', '20, 80, 0, 40',
     '§15: "AA nebo vyšší 7:1"; §14: "Příklad: A 5 A A J"'),
    ('{"player": "3s 3h", "board": "Qd Qc 9s 2d 5c", "dealer": "4h 4d"}', '0, 80, 0, 0',
     '§13: "krupiérova pěti karetní kombinace lepší": Q Q 4 4 beats Q Q 3 3; §14: "Příklad: 3 3 Q Q 9" '
     'is above a pair of aces: AA "7:1"'),
    ('{"player": "As Ah", "board": "6d Tc Ks 2d 3c", "dealer": "4h 4d"}', '20, 80, 0, 40',
     '§11, §15: "AA nebo vyšší 7:1"; §14: "Příklad: A A 6 10 K"'),
    ('{"player": "Ks Kh", "board": "6d Tc As 2d 3c", "dealer": "4h 4d"}', '20, 0, 0, 40',
     '§11: "pár es nebo lepší pokerovou kombinaci": not of kings'),
    ('{"player": "2s 4h", "board": "3d 7c Ks 9d 8h", "dealer": "5h 6d"}', '0, 0, 0, 0',
     '§14: "Vysoká karta. Příklad: 2 4 3 7 K"; §16: "Nejvyšší karta Q a vyšší: sázka prohrává"'),
    ('{"player": "5h 4h", "board": "3h 2h Ah Kd Qc", "dealer": "9s 9d"}', '210, 510, 2010, 40',
     '§16: "5-4-3-2-A v jedné barvě 200:1"'),
    ('{"player": "5h 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '20, 80, 510, 40',
     '§16: "5-4-3-2-A v různých barvách 50:1"; §13: "5, 4, 3, 2, A" is a straight'),
    ('{"player": "6h 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '0, 0, 260, 0',
     '§16: "Nejvyšší karta 6 25:1"'),
    ('{"player": "7h 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '0, 0, 110, 0',
     '§16: "Nejvyšší karta 7 10:1"'),
    ('{"player": "8h 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '0, 0, 90, 0',
     '§16: "Nejvyšší karta 8 8:1"'),
    ('{"player": "9h 4d", "board": "3c 2s Ah Kd Qc", "dealer": "8s 8d"}', '0, 0, 70, 0',
     '§16: "Nejvyšší karta 9 6:1"'),
    ('{"player": "Th 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '0, 0, 50, 0',
     '§16: "Nejvyšší karta 10 4:1"'),
    ('{"player": "Jh 4d", "board": "3c 2s Ah Kd Qc", "dealer": "9s 9d"}', '0, 0, 30, 0',
     '§16: "Nejvyšší karta J 2:1"'),
    ('{"player": "Qh 4d", "board": "3c 2s Ah Kd 9c", "dealer": "8s 8d"}', '0, 0, 0, 0',
     '§12: "obsahuje jakoukoliv Dámu, Krále": the side bet loses'),
    ('{"player": "4h 4d", "board": "3c 2s Ah Kd 9c", "dealer": "8s 8d"}', '0, 0, 0, 0',
     '§12: "Pár": the side bet loses'),
    ('{"player": "As Ah", "board": "6d Tc Ks 2d 4c", "dealer": "3s 3d"}', '20, 80, 0, 20',
     '§13: "alespoň pár čtyřek. Pokud tomu tak není, u sázky Dorovnat účastník obdrží žetony ve výši '
     'původní sázky a sázka Ante se vyplácí"'),
    ('{"player": "As Ah", "board": "6d Tc Ks 2d 3c", "dealer": "4s Qd"}', '20, 80, 0, 20',
     '§13: "alespoň pár čtyřek": not queen high'),
    ('{"player": "2s 2h", "board": "As Ks Qs Js Ts", "dealer": "4s 4d"}', '10, 0, 0, 20',
     '§13: "všech pět karet mají totožné, sázky Ante i sázka Dorovnat se nevyplácí, účastník obdrží '
     'žetony ve výši původní sázky"'),
    ('{"player": "Ks Kh", "board": "Kd 5c 2s 9h 7d", "dealer": "Qs Qh"}', '20, 80, 0, 40',
     '§13: kings against queens'),
    ('{"player": "As 2h", "board": "6s 5s 4s 3s Td", "dealer": "Ks Jd"}', '30, 0, 260, 40',
     '§13: "barva/flush A, 6, 5, 4, 3 je lepší než barva/flush K ..."')) v (document, expected, said);
SELECT is(array_agg(casino.poker_category(cards::casino.hand) ORDER BY n),
              '{royal_flush,straight_flush,four_of_a_kind,full_house,flush,straight,three_of_a_kind,'
              'two_pairs,one_pair,high_card}',
              'D4 Casino Hold''em §14: "Tabulka síly kombinací seřazených sestupně", its ten examples '
              'have its ten names')
  FROM
    unnest('{As Ks Qs Js Ts,3s 4s 5s 6s 7s,Js Jh Jd Jc Qs,Ks Kh Kd 5c 5s,3s 7s 8s Ts Js,6s 7h 8d '
           '9c Ts,As 5h Ad Ac Js,3s 3h Qd Qc 9s,As Ah 6d Tc Ks,2s 4h 3d 7c Ks}'::text[])
       WITH ORDINALITY u (cards, n);
SELECT ok(bool_and(weaker > rank),
  'D4 Casino Hold''em §14: "seřazených sestupně": each example beats the next one')
  FROM (SELECT casino.poker_rank(cards::casino.hand) AS rank, lead(casino.poker_rank(cards::casino.hand)) OVER
    (ORDER BY n) AS weaker
          FROM
            unnest('{As Ks Qs Js Ts,3s 4s 5s 6s 7s,Js Jh Jd Jc Qs,Ks Kh Kd 5c 5s,3s 7s 8s Ts '
                   'Js,6s 7h 8d 9c Ts,As 5h Ad Ac Js,3s 3h Qd Qc 9s,As Ah 6d Tc Ks,2s 4h 3d 7c '
                   'Ks}'::text[])
               WITH ORDINALITY u (cards, n)) x;
SELECT ok(casino.poker_rank(better::casino.hand) < casino.poker_rank(worse::casino.hand),
  'D4 Casino Hold''em §13: "' || said || '"')
  FROM (VALUES ('Ks Kh Kd 3c 2s', 'Qs Qh Qd Ac Ks', 'tři králové jsou lepší než tři dámy'),
               ('As 6s 5s 4s 3s', 'Kh Jh Th 8h 7h',
                'barva/flush A, 6, 5, 4, 3 je lepší než barva/flush K, J, 10, 8, 7'),
               ('As Ks Qd Jc Th', 'Ks Qs Jd Tc 9h',
                'může být kartou s nejvyšší hodnotou v postupce A, K, Q, J, 10'),
               ('6s 5s 4d 3c 2h', '5s 4s 3d 2c Ah',
                'nebo kartou s nejnižší hodnotou v postupce 5, 4, 3, 2, A')) v (better, worse, said);
SELECT is(t.paid('casino_holdem', 'ante@20000 aa@20000 razz@10000 call@40000',
                 '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}'),
                     '2020000, 2020000, 0, 80000',
              'D4 Casino Hold''em Základní parametry: "Nejvyšší možná čistá výhra z jedné hry je 4 040 '
              '000 Kč": 2 000 000 + 2 000 000 + 40 000');

-- Baccarat
SELECT is(t.paid('baccarat', bets, document), expected, 'D4 Baccarat ' || said)
  FROM (VALUES
    ('player@10', '{"player": "7h 6d Kc", "banker": "2c Kd Ks"}', '20',
     '§5: "7 + 6 = 13 - 10 = 3": 3 beats 2'),
    ('player@10 banker@20', '{"player": "4h 6d Kc", "banker": "Ac Kd Ks"}', '0, 39',
     '§5: "4 + 6 = 10 - 10 = 0": 1 beats 0'),
    ('player@10', '{"player": "9h Kd", "banker": "8c Kd"}', '20',
     '§21: "na pozici Hráč ... (při sázce 10 Kč získává 20 Kč - včetně své sázky)"'),
    ('banker@20', '{"player": "8h Kd", "banker": "9c Kd"}', '39',
     '§21: "na pozici Krupiér ... (při sázce 20 Kč získává 39 Kč - včetně své sázky)"'),
    ('tie@10 player@10 banker@10', '{"player": "9h Kd", "banker": "9c Kd"}', '90, 10, 10',
     '§21: "na pozici Remíza ... (při sázce 10 Kč získává 90 Kč - včetně své sázky)", "obdrží žetony ve '
     'výši původní sázky na tyto pozice"'),
    ('player@10 banker_pair@10', '{"player": "9h Kd", "banker": "4c 4d"}', '20, 120',
     '§19: "Lze například vsadit na pozici hlavní sázky sázejícího a na vedlejší sázku Pár krupiéra"'),
    ('banker@20 player_pair@10', '{"player": "4h 4d", "banker": "9c Kd"}', '39, 120', '§19: "a naopak"'),
    ('banker_pair@10', '{"player": "9h Kd", "banker": "4c 4d"}', '120',
     '§19: "lze uzavírat vedlejší sázky bez uzavření hlavní sázky"'),
    ('perfect_pair@10 any_pair@10 player_pair@10 banker_pair@10', '{"player": "7d 7d 2c", "banker": "2h 5d"}',
     '260, 60, 120, 0', '§19: "například pár kárových sedmiček", §23: 25:1, 5:1, 11:1'),
    ('perfect_pair@10', '{"player": "7d 7h 2c", "banker": "2h 5d"}', '0',
     '§19: "pár stejné barvy": not diamonds and hearts'),
    ('egalite:4@10', '{"player": "2d 2h Kc", "banker": "4h Kd"}', '1210',
     '§19: "Egalite Extra 4 vyhrává právě tehdy, když hra skončí remízou s výslednou hodnotou" 4, §23: '
     '120:1'),
    ('egalite:4@10', '{"player": "2d 3h Kc", "banker": "5h Kd"}', '0', '§19: "právě tehdy": a tie on 5'),
    ('egalite:4@10', '{"player": "4d Kh Kc", "banker": "3h Kd 2s"}', '0',
     '§19: "Pokud hra neskončí remízou, všechny sázky Egalite Extra prohrávají"'),
    ('big@10 small@10', '{"player": "9h Kd", "banker": "8c Kd"}', '0, 25',
     '§19, §23: "celkový počet karet 4": "Malá 1,5:1"'),
    ('big@100 small@10', '{"player": "2d 2h Kc", "banker": "7h Kd"}', '154, 0',
     '§19, §23: "5 nebo 6": "Velká 0,54:1"'),
    ('big@100 small@10', '{"player": "2d 2h Kc", "banker": "3h Kd 2s"}', '154, 0',
     '§19, §23: "5 nebo 6": "Velká 0,54:1"'),
    ('tie@25000', '{"player": "9h Kd", "banker": "9c Kd"}', '225000',
     'Základní informace: "Remíza ve výši 25 000 Kč ... činí 200 000 Kč"'),
    ('perfect_pair@10000', '{"player": "7d 7d 2c", "banker": "2h 5d"}', '260000',
     'Základní informace: "Dokonalý pár ve výši 10 000 Kč ... činí 250 000 Kč"'),
    ('player@100000', '{"player": "9h Kd", "banker": "8c Kd"}', '200000',
     '§20: "Hráč 100 000 CZK, 100 000 CZK"'),
    ('banker@100000', '{"player": "8h Kd", "banker": "9c Kd"}', '195000',
     '§20: "Krupiér 100 000 CZK, 95 000 CZK"'),
    ('egalite:2@1000', '{"player": "Ad Ah Kc", "banker": "2h Kd Ks"}', '221000',
     '§20: "Egalite Extra (0-9) 1 000 CZK, 220 000 CZK"'),
    ('big@50000', '{"player": "2d 2h Kc", "banker": "7h Kd"}', '77000',
     '§20: "Velká 50 000 CZK, 27 000 CZK"'),
    ('small@50000', '{"player": "9h Kd", "banker": "8c Kd"}', '125000', '§20: "Malá 50 000 CZK, 75 000 CZK"'),
    ('player_pair@10000', '{"player": "4h 4d", "banker": "9c Kd"}', '120000',
     '§20: "Pár Hráče 10 000 CZK, 110 000 CZK"'),
    ('banker_pair@10000', '{"player": "9h Kd", "banker": "4c 4d"}', '120000',
     '§20: "Pár Krupiéra 10 000 CZK, 110 000 CZK"'),
    ('any_pair@10000', '{"player": "9h Kd", "banker": "4c 4d"}', '60000',
     '§20: "Jakýkoli Pár 10 000 CZK, 50 000 CZK"')) v (bets, document, expected, said);
-- §23: each Egalite on a tie of its points; cards by §9
SELECT is(t.paid('baccarat', 'egalite:' || points || '@10', document), (10 + 10 * odds)::text,
          format('D4 Baccarat §23: "Egalite %s %s:1"', points, odds))
  FROM (VALUES (0, 150, '{"player": "Kd Kh Kc", "banker": "Qh Qd Qs"}'), (1, 215,
    '{"player": "Ad Kh Kc", "banker": "Ah Qd Qs"}'),
               (2, 220, '{"player": "2d Kh Kc", "banker": "2h Qd Qs"}'), (3, 200,
                '{"player": "3d Kh Kc", "banker": "3h Qd Qs"}'),
               (4, 120, '{"player": "4d Kh Kc", "banker": "4h Qd"}'), (5, 110,
                '{"player": "5d Kh Kc", "banker": "5h Qd"}'),
               (6, 45, '{"player": "6d Kh", "banker": "6h Qd"}'), (7, 45,
                '{"player": "7d Kh", "banker": "7h Qd"}'),
               (8, 80, '{"player": "8d Kh", "banker": "8h Qd"}'), (9, 80,
                '{"player": "9d Kh", "banker": "9h Qd"}')) v (points, odds, document);

-- Roulette: odds and maxima of the tables, each on a number that wins and on zero
CREATE TEMP TABLE roulette AS
SELECT * FROM (VALUES
    ('straight:17', 17, 35, 10000, 350000, 'Straight up'), ('split:17-20', 20, 17, 20000, 340000, 'Split'),
    ('street:16-17-18', 18, 11, 30000, 330000, 'Street'), ('corner:16-17-19-20', 16, 8, 40000, 320000,
     'Corner'),
    ('six_line:13-14-15-16-17-18', 13, 5, 60000, 300000, 'Sixline'), ('red', 1, 1, 100000, 100000, 'Červená'),
    ('black', 2, 1, 100000, 100000, 'Černá'), ('odd', 1, 1, 100000, 100000, 'Lichá'), ('even', 2, 1, 100000,
     100000, 'Sudá'),
    ('low', 18, 1, 100000, 100000, 'Nízká'), ('high', 19, 1, 100000, 100000, 'Vysoká'), ('dozen:1', 12, 2,
     65000, 130000, '1. tucet'),
    ('dozen:2', 13, 2, 65000, 130000, '2. tucet'), ('dozen:3', 25, 2, 65000, 130000, '3. tucet'),
    ('column:1', 34, 2, 65000, 130000, '1. sloupec'), ('column:2', 35, 2, 65000, 130000, '2. sloupec'),
    ('column:3', 36, 2, 65000, 130000, '3. sloupec')) v (bet, number, odds, most, win, name);
SELECT is(ARRAY[t.paid(g.game, r.bet || '@10', format('{"number": %s}', r.number)),
                t.paid(g.game, r.bet || '@10', '{"number": 0}')], ARRAY[(10 + 10 * r.odds)::text, '0'],
          format('%s: "%s %s:1"; zero loses', g.place, r.name, r.odds))
  FROM roulette r
 CROSS JOIN (VALUES ('roulette_american', 'D2 Výherní možnosti'), ('roulette_synot',
     'D4 Roulette (Synot) §26'),
                    ('roulette_evolution', 'D4 Roulette (Evolution) §23'),
                    ('roulette_absolute', 'D4 Roulette (Absolute live gaming) §30')) g (game, place);
SELECT is(ARRAY[t.paid(g.game, r.bet || '@' || m.most, format('{"number": %s}', r.number)),
                left(t.paid(g.game, r.bet || '@' || m.most + 0.01, format('{"number": %s}', r.number)), 5)],
          ARRAY[(m.most + m.win)::text, 'KB002'],
          format('%s: "%s: maximální sázka %s CZK, maximální čistá výhra %s CZK"; a haléř more is refused',
              g.place, r.name, m.most, m.win))
  FROM roulette r
 CROSS JOIN (VALUES ('roulette_synot', 'D4 Roulette (Synot) §22', false), ('roulette_evolution',
     'D4 Roulette (Evolution) §19', false),
                    ('roulette_absolute', 'D4 Roulette (Absolute live gaming) §26', true)) g (game, place,
                     absolute)
 CROSS JOIN LATERAL (SELECT CASE WHEN g.absolute AND r.odds = 1 THEN 200000 WHEN g.absolute AND r.odds = 2
     THEN 120000 ELSE r.most END,
                            CASE WHEN g.absolute AND r.odds = 1 THEN 200000 WHEN g.absolute AND r.odds = 2
                                THEN 240000 ELSE r.win END) m (most, win);
-- lists of numbers, as printed
CREATE TEMP TABLE printed AS
SELECT bet, string_to_array(numbers, ',')::integer[] AS numbers, said
  FROM (VALUES ('column:1', '1,4,7,10,13,16,19,22,25,28,31,34', '1. kolona'), ('column:2',
    '2,5,8,11,14,17,20,23,26,29,32,35', '2. kolona'),
               ('column:3', '3,6,9,12,15,18,21,24,27,30,33,36', '3. kolona'), ('dozen:1',
                '1,2,3,4,5,6,7,8,9,10,11,12', 'čísla od 1 do 12'),
               ('dozen:2', '13,14,15,16,17,18,19,20,21,22,23,24', 'čísla od 13 do 24'),
               ('dozen:3', '25,26,27,28,29,30,31,32,33,34,35,36', 'čísla od 25 do 36'),
               ('low', '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18', 'low 1-18'),
               ('high', '19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36', 'high 19-36')) v (bet,
                numbers, said);
SELECT is((SELECT array_agg(n ORDER BY n) FROM generate_series(0, 36) n,
                  casino.quote('roulette_american', ARRAY[(p.bet || '@1')::casino.bet],
                      jsonb_build_object('number', n)) q WHERE q.payout > 0),
          p.numbers, format('D2 Výherní možnosti: "%s": %s', p.said, p.numbers)) FROM printed p;
-- Racetrack: chips as printed, each game that prints them
CREATE FUNCTION t.chips(game text, name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT string_agg(c, ' ' ORDER BY c)
              FROM (SELECT regexp_replace(b::text, '^[a-z_]+:?', '') || '' AS c FROM
                casino.announced_bets(chips.game, chips.name, 1) b) x);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(t.chips(g, v.name),
          (SELECT string_agg(split_part(c, '*', 1) || '@' || to_char(coalesce(nullif(split_part(c, '*', 2),
           ''), '1')::numeric, 'FM0.00'), ' '
                             ORDER BY split_part(c, '*', 1) || '@' || to_char(coalesce(nullif(split_part(c,
                                 '*', 2), ''), '1')::numeric, 'FM0.00'))
             FROM unnest(string_to_array(v.chips, ' ')) c), format('%s, %s: "%s"', g, v.place, v.said))
  FROM (VALUES
    ('{roulette_synot,roulette_evolution,roulette_absolute}'::text[], 'neighbours:5/2', '5 10 16 23 24',
     'Racetrack', 'Například 5 a sousední čísla: 5,10,16,23 a 24'),
    ('{roulette_synot,roulette_evolution,roulette_absolute}', 'tiers', '5-8 10-11 13-16 23-24 27-30 33-36',
     'Racetrack', 'na každý Split se umístí jeden žeton: 5/8; 10/11; 13/16; 23/24; 27/30; 33/36'),
    ('{roulette_synot,roulette_evolution,roulette_absolute}', 'voisins',
     '0-2-3*2 25-26-28-29*2 4-7 12-15 18-21 19-22 32-35', 'Racetrack',
     'dva žetony na trojici 0/2/3, dva žetony jako Rohová sázka na 25/26/28/29 a po jednom žetonu na '
     'splity 4/7, 12/15, 18/21, 19/22 a 32/35'),
    ('{roulette_synot,roulette_evolution,roulette_absolute}', 'orphelins', '1 6-9 14-17 17-20 31-34',
     'Racetrack', 'Jeden žeton ... na číslo 1 a jeden žeton na každý ze splitů: 6/9; 14/17; 17/20 a 31/34'),
    ('{roulette_synot,roulette_evolution,roulette_absolute}', 'zero_game', '26 0-3 12-15 32-35', 'Racetrack',
     'Jeden žeton ... na číslo 26 a jeden žeton na každý ze splitů: 0/3; 12/15; 32/35'),
    ('{roulette_synot}', 'jeu_7_9', '19 27 7-8 8-9 17-18 28-29', '§21 d)',
     'na číslo 19 a 27 a po jednom žetonu na každý ze splitů: 7/8; 8/9; 17/18; 28/29'),
    ('{roulette_synot}', 'orphelins_plein', '17 34 6 1 20 14 31 9', '§21 e)',
     'žetony Straight Up na každou pozici sázky Orphelins: 17, 34, 6 a 1, 20, 14, 31, 9'),
    ('{roulette_evolution}', 'finale_cheval:0-3', '0-3 10-13 20-23 30-33', '§18 c)',
     'Například u Finale a Cheval 0/3 se jeden žeton umístí na split 0/3, jeden na split 10/13, jeden na '
     'split 20/23 a jeden na split 30/33'))
       v (games, name, chips, place, said)
 CROSS JOIN unnest(v.games) g;
SELECT is((SELECT sum(casino.cost(b))::integer FROM casino.announced_bets(g, v.name, 20) b), 20 * v.times,
  format('%s: "Celková sázka ... představuje %sx hodnotu vybraného žetonu"', g, v.times))
  FROM (VALUES ('tiers', 6), ('voisins', 9), ('orphelins', 5), ('zero_game', 4)) v (name, times),
       unnest('{roulette_synot,roulette_evolution,roulette_absolute}'::text[]) g;

-- the paragraph of each, as the document prints it: §18 Racetrack has no letters, §21 Racetrack has four
SELECT results_eq($$SELECT a.stem, split_part(a.paragraph, ' §', 2)
                      FROM casino.announced_rule a
                      JOIN casino.game_plan p ON p.plan_id = a.plan_id
                     WHERE p.game = 'roulette_evolution'
                     ORDER BY 1$$,
                  $$VALUES ('complete', '18 Moje sázky a)'), ('finale_cheval', '18 Moje sázky c)'),
                           ('finale_plein', '18 Moje sázky b)'), ('neighbours', '18 Racetrack'),
                           ('orphelins', '18 Racetrack'), ('tiers', '18 Racetrack'),
                           ('voisins', '18 Racetrack'), ('zero_game', '18 Racetrack')$$,
                  'D4 Roulette (Evolution) §18: paragraphs of announced bets');
SELECT is((SELECT string_agg(split_part(a.paragraph, ' §', 2), ', ' ORDER BY a.paragraph)
             FROM casino.announced_rule a
             JOIN casino.game_plan p ON p.plan_id = a.plan_id
            WHERE p.game = 'roulette_synot' AND a.stem IN ('tiers', 'voisins', 'orphelins', 'zero_game')),
          '21 Racetrack a), 21 Racetrack b), 21 Racetrack c), 21 Racetrack d)',
          'D4 Roulette (Synot) §21: four letters');

-- Texas Hold'em: blinds, raises, all-in. Seat 1 has the button and aces, seat 2 queens, seat 3 jacks.
CREATE FUNCTION t.hand(stakes numeric[], folded integer[], actions text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at CONSTANT timestamptz := timestamptz '2026-06-01' + nextval('t.hour') * interval '1 hour';
    cards CONSTANT text[] := '{As Ad,Qs Qd,Js Jd}';
    tab bigint := (SELECT g.table_id FROM casino.game_table g WHERE g.name = 'cash game');
    shown CONSTANT boolean := cardinality(stakes) - cardinality(folded) > 1;
    r bigint;
    d text;
BEGIN
    IF tab IS NULL THEN
        tab := casino.add_game_table('holdem_cash_25_50', 'cash game', 0.01, 100000);
    END IF;
    r := casino.open_round(tab, 'hand ' || at, at);
    PERFORM casino.place_bet(r, t.p('seat' || chr(96 + n::integer)), ('pot@' || s)::casino.bet, seat =>
        n::integer,
                             at => at + interval '1 s')
       FROM unnest(stakes) WITH ORDINALITY u (s, n)
      WHERE s > 0;
    BEGIN
        PERFORM casino.settle_round(r, jsonb_strip_nulls(jsonb_build_object(
            'button', 1, 'board', CASE WHEN shown THEN 'Kh 9d 5c 3s 2d' WHEN actions ~ ':flop' THEN 'Kh 9d 5c'
                END,
            'seats', (SELECT jsonb_agg(jsonb_build_object('seat', n, 'folded', CASE WHEN n = ANY (folded) THEN
                true END,
                                                          'cards', CASE WHEN shown AND n <> ALL (folded) THEN
                                                              cards[n] END))
                        FROM generate_series(1, cardinality(stakes)) n),
            'actions', (SELECT jsonb_agg(jsonb_build_object('seat', split_part(w, ':', 1)::integer, 'action',
                split_part(w, ':', 2),
                                                            'to', nullif(split_part(w, ':', 3), '')::numeric,
                                                            'street', nullif(split_part(w, ':', 4), '')) ORDER
                                                                BY n)
                          FROM regexp_split_to_table(actions, ' ') WITH ORDINALITY a (w, n)))), at + interval
                            '1 min');
    EXCEPTION WHEN SQLSTATE 'KR001' THEN
        GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL;
        PERFORM casino.void_round(r, 'refused', at + interval '2 min');
        RETURN SQLSTATE || ' ' || d;
    END;
    RETURN (SELECT coalesce(string_agg(l.seat || '=' || trim_scale(l.amount), ' ' ORDER BY l.seat), '')
              FROM casino.ledger l WHERE l.round_id = r AND l.kind = 'payout');
END $$;
SELECT matches(t.hand(v.stakes::numeric[], v.folded::integer[], v.actions), '^' || v.expected || '$',
  'D2 Texas Holdem: ' || v.said)
  FROM (VALUES
    ('{0,25,50}', '{1,2}', '2:small_blind::preflop 3:big_blind 1:fold 2:fold', '3=75',
     'Preflop: "small blind 25 Kč, vedlejší hráč po levé straně vloží big blind 50 Kč"'),
    ('{100,25,50}', '{2,3}', '2:small_blind::preflop 3:big_blind 1:raise:100 2:fold 3:fold', '1=175',
     'Zvýšení: "Minimální částkou pro zvýšení je dvojnásobek big blindu": 100'),
    ('{99,25,50}', '{2,3}', '2:small_blind::preflop 3:big_blind 1:raise:99 2:fold 3:fold',
     'KR001 .*the smallest raise goes to 100.00.*',
     'Zvýšení: "Minimální částkou pro zvýšení je dvojnásobek big blindu": not 99'),
    ('{100,25,200}', '{1,2}', '2:small_blind::preflop 3:big_blind 1:raise:100 2:fold 3:raise:200 1:fold',
     '3=325',
     're-raise: "Toto navýšení musí být opět dvojnásobně vyšší, než poslední sázka": 200 after 100'),
    ('{100,25,199}', '{1,2}', '2:small_blind::preflop 3:big_blind 1:raise:100 2:fold 3:raise:199 1:fold',
     'KR001 .*the smallest raise goes to 200.00.*',
     're-raise: "Toto navýšení musí být opět dvojnásobně vyšší, než poslední sázka": not 199'),
    ('{100,50,50}', '{2,3}',
     '2:small_blind::preflop 3:big_blind 1:call:50 2:call:50 3:check 2:check::flop 3:check 1:bet:50 '
     '2:fold 3:fold', '1=200',
         'Dorovnání: "stejnou velikost jako sázka big blind"; Čekání: "Big blind pak může checknout"; '
         'Flop: "To načíná první hráč sedící nalevo od dealera"'),
    ('{100,100,50}', '{2,3}', '2:small_blind::preflop 3:big_blind 1:raise:100 2:call:100 3:check',
     'KR001 .*seat 3, check: no check.*to 100.00.*',
     'Čekání: "pouze ... v případě, že před ním žádný hráč nenavýšil"'),
    ('{50,100,50}', '{1,3}',
     '2:small_blind::preflop 3:big_blind 1:call:50 2:call:50 3:check 2:bet:50:flop 3:check 1:fold 3:fold',
     'KR001 .*seat 3, check: no check.*to 50.00.*',
     'Flop: "Check již není dále možností"'),
    ('{100,300,300}', '{}',
     '2:small_blind::preflop 3:big_blind 1:all_in:100 2:raise:300 3:call:300 2:check::flop 3:check '
     '2:check::turn 3:check 2:check::river 3:check', '1=300 2=400',
         '"Hráč v all-inu nemůže nikdy vyhrát více, než činila jeho sázka": 100 of each other, the side '
         'pot of 400 is the others''')) v (stakes, folded, actions, expected, said);
SELECT * FROM finish();
