-- Blackjack: who may bet on which box, when, and what (R3.33 to R3.46): every verdict through place_bet() and
-- through a plain INSERT, which must agree.  Tables with a plus take 10 to 1000.
\ir ../helpers/blackjack.psql
SELECT no_plan();

-- what may be said of a wager beside others that lie there; "close": in play
CREATE FUNCTION t.beside(name text, lying text[], spec text,
                         close boolean DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s text;
BEGIN
    IF coalesce(close, t.in_play((t.wager(regexp_replace(spec, ',.*', ''))).bet)) THEN
        PERFORM t.staked(name, lying);
    ELSE
        PERFORM t.open(name);
        FOREACH s IN ARRAY lying LOOP
            PERFORM t.place(s);
        END LOOP;
    END IF;
    RETURN t.may(spec);
EXCEPTION WHEN OTHERS THEN
    RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;
CREATE TABLE t.cases (n serial, games text, about text, lying text[], spec text, expected text, what text);
CREATE FUNCTION t.run(plus text DEFAULT '+') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT format('SELECT is(t.beside(%L, %L, %L), %L, %L)', g.name || plus, c.lying, c.spec,
                               c.expected,
                               format('%s: %s: %s',
                                      coalesce(t.cite(g.name, c.about), CASE
                                               WHEN c.about ~ '^R[0-9]' THEN c.about || ', ' || g.name
                                                   ELSE g.doc || ' ' || c.about END),
                                      c.what, CASE c.expected WHEN 'ok' THEN 'taken' ELSE c.expected END))
                   FROM t.cases c, t.games(c.games) g ORDER BY c.n, g.place;
    TRUNCATE t.cases;
END $$;

-- ------------------------------------------------------------------------------------------ players on a box
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('*', 'R11.5', '{}', 'main@10', 'ok', 'the table''s minimum'),
    ('*', 'R11.5', '{}', 'main@9.99', 'KB002', 'a haléř below the table''s minimum'),
    ('*', 'R11.5', '{}', 'main@1000', 'ok', 'the table''s maximum'),
    ('*', 'R11.5', '{}', 'main@1000.01', 'KB002', 'a haléř above the table''s maximum'),
    ('*', 'R11.1', '{main@500}', 'main@500', 'ok', 'a position has one maximum: chips up to it'),
    ('*', 'R11.1', '{main@500}', 'main@500.01', 'KB002', 'a position has one maximum: chips above it'),
    ('*', 'R11.1', '{main@10}', 'main@0.01', 'ok', 'a chip below the minimum on a position above it'),
    ('czech,classic,house', 'box', '{main@500,bob main@300}', 'cyd main@200', 'ok',
     'three players, together the maximum'),
    ('czech,classic,house', 'box', '{main@500,bob main@300}', 'cyd main@200.01', 'KB002',
     'three players, together a haléř above the maximum'),
    ('czech,classic,house', 'box', '{main@500,bob main@300}', 'main@200', 'ok',
     'one''s own chips count with the others'': the maximum'),
    ('czech,classic,house', 'box', '{main@500,bob main@300}', 'main@200.01', 'KB002',
     'one''s own chips count with the others'': a haléř above it'),
    ('czech,classic,house', 'box', '{main@500,bob main@300}', 'bob#2 main@1000', 'ok',
     'another box has a maximum of its own'),
    ('czech,classic,house,free_bet', 'box', '{main@500,bob main@10}', 'cyd main@9.99', 'KB002',
     'each player stakes the minimum'),
    ('czech,classic,house,free_bet', 'box', '{main@100,bob main@100,cyd main@100}', 'dan main@100', 'KB005',
     'a fourth player'),
    ('czech,classic,house,free_bet', 'box', '{main@100,bob main@100,cyd main@100}', 'dan#2 main@100', 'ok',
     'a fourth player on another box'),
    ('czech,classic,house,free_bet', 'box', '{main@100,bob main@100,cyd main@100}', 'cyd main@100', 'ok',
     'chips of a third player'),
    ('czech,classic,house,free_bet', 'box', '{main@100}', '#2 main@100', 'ok', 'one player at two boxes'),
    ('free_bet', '§1', '{main@1000,bob main@1000}', 'cyd main@1000', 'ok',
     'the maximum holds for each of three'),
    ('free_bet', '§1', '{main@1000,bob main@1000}', 'cyd main@1000.01', 'KB002',
     'a haléř above the maximum of one'),
    ('synot,evolution', 'R3.40', '{main@100}', 'bob main@100', 'KB005', 'the owner bets alone on his box'),
    ('synot,evolution', 'R3.33', '{main@100}', 'bob#2 main@100', 'ok', 'another box is free'),
    ('synot,evolution', 'R3.40', '{main@100}', 'main@100', 'ok', 'chips of the owner'),
    ('synot,evolution', 'R3.33', '{main@100}', '#2 main@100', 'ok', 'one player at two boxes'),
    ('all_bets,infinite,endless', 'R3.40', '{main@1000,bob main@1000,cyd main@1000}', 'dan main@1000', 'ok',
     'any number on the shared box, the maximum for each'),
    ('all_bets,infinite,endless', 'R3.40', '{main@1000,bob main@1000}', 'cyd main@1000.01', 'KB002',
     'a haléř above the maximum of one'),
    ('czech,classic,house,free_bet,synot,evolution', 'R11.4', '{}', '#7 main@100', 'ok', 'seat 7 of seven'),
    ('czech,classic,house,free_bet,synot,evolution', 'R11.4', '{}', '#8 main@100', '22023',
     'seat 8 of seven'),
    ('czech,classic,house,free_bet,synot,evolution', 'R11.4', '{}', '#0 main@100', '22023', 'seat 0'),
    ('all_bets,infinite,endless', 'R11.4', '{}', '#1 main@100', '22023', 'a seat at a shared box'),
    ('*', 'R11.4', '{}', '/2 main@100', '22023', 'the main bet lies on hand 1'),
    ('*', 'R11.4', '{}', '/1 main@100', 'ok', 'the main bet lies on hand 1, which may be said');
SELECT t.run() \gexec
SELECT t.open('czech+') \g /dev/null
SELECT is(t.verdict(format('SELECT casino.place_bet(%s, %s, ''main@100'', at => %L)', t.round(), t.p('ann'),
                           t.at())), '22023', 'R11.4: seats must be given where there are seats');
SELECT is(t.verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at)
                            VALUES (%s, ''stake'', %s, ''main@100'', %L)',
                           t.p('ann'), t.round(), t.at())),
          '22023', 'and by plain INSERT');
-- plan limits of the original stake, which double and split may exceed (R3.43)
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('synot,all_bets,infinite,evolution', 'Základní informace', '{}', 'main@100000', 'ok',
     'the greatest main bet'),
    ('synot,all_bets,infinite,evolution', 'Základní informace', '{}', 'main@100000.01', 'KB002',
     'a haléř above the greatest main bet'),
    ('endless', 'Základní informace', '{}', 'main@1000000', 'ok', 'the greatest main bet'),
    ('endless', 'Základní informace', '{}', 'main@1000000.01', 'KB002',
     'a haléř above the greatest main bet'),
    ('synot,all_bets,infinite,evolution', 'Základní informace', '{main@1}', '21+3@1000', 'ok',
     'the greatest side bet'),
    ('synot,all_bets,infinite,evolution', 'Základní informace', '{main@1}', '21+3@1000.01', 'KB002',
     'a haléř above the greatest side bet'),
    ('synot,all_bets,infinite,evolution', 'Základní informace', '{main@1,21+3@600}', '21+3@400.01', 'KB002',
     'chips above the greatest side bet'),
    ('endless', 'Základní informace', '{main@1}', '21+3@10000', 'ok', 'the greatest side bet'),
    ('endless', 'Základní informace', '{main@1}', '21+3@10000.01', 'KB002',
     'a haléř above the greatest side bet'),
    ('*', 'R3.43', '{main@100000}', 'double_down@100000', 'ok', 'a double may exceed the maximum'),
    ('*', 'R3.43', '{main@100000}', '/2 split_pair@100000', 'ok', 'a split may exceed the maximum');
SELECT t.run('') \gexec

-- ------------------------------------------------------------------------------------------------ side bets
INSERT INTO t.cases (games, about, lying, spec, expected, what)
SELECT s.games, 'sides', c.lying::text[], replace(c.spec, '$', s.kind), c.expected,
    replace(c.what, '$', s.kind)
FROM (VALUES (1, '{}', '$@10', 'KB005', '$ without a main bet'),
             (2, '{main@100}', '$@10', 'ok', '$ after the main bet'),
             (3, '{}', 'main@100, $@10', 'ok', '$ sent together with the main bet'),
             (4, '{}', '$@10, main@100', 'ok', '$ sent together with the main bet, before it'),
             (5, '{bob main@100}', '$@10', 'KB005', '$ on another player''s main bet'),
             (6, '{main@100}', '/2 $@10', '22023', '$ on a second hand')) c (n, lying, spec, expected, what),
     (VALUES (1, '21+3', 'synot,all_bets,infinite,evolution,endless'), (2, 'top3', 'synot,all_bets'),
      (3, 'player_pair', 'synot,all_bets,infinite,evolution,endless'),
             (4, 'dealer_pair', 'synot,all_bets'), (5, 'lucky_lucky', 'all_bets'), (6, 'buster', 'all_bets'),
                 (7, 'bust_it', 'infinite'), (8, 'hot3', 'infinite'),
             (9, 'push22', 'free_bet')) s (n, kind, games) ORDER BY s.n, c.n;
-- what a game does not have
INSERT INTO t.cases (games, about, lying, spec, expected, what)
SELECT '-' || s.games, 'R1.11', '{main@100}'::text[], s.kind || '@10', 'KB004', s.kind || ' is not offered'
FROM (VALUES ('21+3', 'synot,all_bets,infinite,evolution,endless'), ('top3', 'synot,all_bets'),
      ('player_pair', 'synot,all_bets,infinite,evolution,endless'), ('dealer_pair', 'synot,all_bets'),
             ('lucky_lucky', 'all_bets'), ('buster', 'all_bets'), ('bust_it', 'infinite'),
                 ('hot3', 'infinite'), ('push22', 'free_bet'), ('free_split', 'free_bet'),
             ('free_double', 'free_bet'), ('behind', 'synot')) s (kind, games);
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('synot,evolution', 'R3.44', '{main@100}', '#2 21+3@10', 'KB005',
     'a side bet on another seat than the main bet'),
    ('synot,all_bets,infinite,evolution,endless', 'R3.44', '{}', 'main@100, 21+3@10, player_pair@10', 'ok',
     'several side bets sent together'),
    ('*', 'R11.1', '{}', 'main@5, main@5', 'ok', 'chips sent together reach the minimum together'),
    ('*', 'R11.1', '{}', 'main@600, main@600', 'KB002', 'chips sent together are above the maximum together'),
    ('free_bet', 'sides', '{}', 'main@10, push22@1000.01', 'KB002',
     'a side bet has the table''s maximum where the table names none for it'),
    ('free_bet', 'sides', '{}', 'main@10, push22@1000', 'ok', 'a side bet up to the table''s maximum');
SELECT t.run() \gexec

-- a cancelled main bet takes its side bets with it
CREATE FUNCTION t.cancel(who text, request text) RETURNS bigint LANGUAGE sql AS
    'SELECT cardinality(casino.cancel_bet(t.round(), t.p(who), request, t.at()))';
CREATE FUNCTION t.lies(who text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(w.bet::text, ', ' ORDER BY w.entry_no) FROM casino.wager w
     WHERE w.round_id = t.round() AND w.player_id = t.p(who) AND w.status <> 'refunded' $$;
SELECT t.open('all_bets'), t.place('main@100', 'm1'), t.place('21+3@10', 's1'),
    t.place('buster@10', 's2') \g /dev/null
SELECT is(t.cancel('ann', 's1'), 1::bigint, 'D4 All Bets Blackjack §8: a side bet is cancelled alone');
SELECT is(t.lies('ann'), 'main@100.00, buster@10.00', 'and the others lie');
SELECT is(t.cancel('ann', 'm1'), 1::bigint, 'R3.44: the main bet is cancelled');
SELECT is(t.lies('ann'), NULL, 'and its side bets with it');
SELECT t.open('synot'), t.place('main@100', 'c1'), t.place('main@50', 'c2'), t.place('21+3@10', 'c3'),
    t.place('#2 main@30', 'c4'), t.place('#2 top3@10', 'c5') \g /dev/null
SELECT is(t.cancel('ann', 'c1'), 1::bigint, 'one of two chips of the main bet is cancelled');
SELECT is(t.lies('ann'), 'main@50.00, 21+3@10.00, main@30.00, top3@10.00',
          'R3.44: the side bet stands on the other');
SELECT is(t.cancel('ann', 'c2'), 1::bigint, 'the other chip is cancelled');
SELECT is(t.lies('ann'), 'main@30.00, top3@10.00',
          'R3.44: the side bet of that seat goes, that of the other stays');
SELECT t.close() \g /dev/null
SELECT is(t.verdict($$ SELECT t.cancel('ann', 'c4') $$), 'KB001',
          'D4 Blackjack §12: no cancelling after betting has closed');

-- ------------------------------------------------------------------------------------------------ bet behind
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('synot', '§15', '{main@100}', 'bob behind@100', 'ok', 'behind another player''s main bet'),
    ('synot', '§15', '{main@100}', 'bob behind@10', 'ok', 'behind: the main bet''s minimum'),
    ('synot', '§15', '{main@100}', 'bob behind@9.99', 'KB002', 'behind: below the main bet''s minimum'),
    ('synot', '§15', '{main@1000}', 'bob behind@1000', 'ok', 'behind: the main bet''s maximum for itself'),
    ('synot', '§15', '{main@1000}', 'bob behind@1000.01', 'KB002', 'behind: above the main bet''s maximum'),
    ('synot', '§15', '{main@100}', 'behind@100', 'KB005', 'behind one''s own box'),
    ('synot', '§15', '{main@100}', '#2 behind@100', 'KB005', 'behind an empty box'),
    ('synot', '§15', '{}', 'main@100, behind@100', 'KB005', 'behind the main bet sent with it'),
    ('synot', '§15', '{main@100,bob behind@100}', 'cyd behind@100', 'ok', 'a second bet behind'),
    ('synot', '§15', '{main@100,bob behind@100,cyd behind@100,dan behind@100}', 'eve behind@1000', 'ok',
     'a fourth bet behind'),
    ('synot', '§15', '{main@100,bob behind@100}', 'bob main@100', 'KB005',
     'a main bet on a box one bets behind'),
    ('synot', '§15', '{main@100,bob#2 main@100}', 'bob behind@100', 'ok',
     'behind another box than one''s own'),
    ('synot', '§15', '{main@100,bob behind@100}', 'bob#2 main@100', 'ok', 'a box of one''s own beside'),
    ('synot', '§8', '{main@100,bob behind@100}', 'bob 21+3@10', 'KB005', 'no side bets behind'),
    ('synot', '§8', '{main@100}', 'bob behind@100, 21+3@10', 'KB005', 'no side bets behind, sent together'),
    ('synot', '§21', '{main@100,bob behind@100}', 'bob insurance@50', 'KB005', 'no insurance behind'),
    ('synot', '§21', '{main@100,bob behind@100}', 'insurance@50', 'ok', 'insurance of the owner'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100}', 'bob double_down@40', 'KB005',
     'behind has followed the double'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100}', 'bob double_down@40.01', 'KB005',
     'behind stakes nothing more'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100}', 'bob double_down@100', 'KB005',
     'behind stakes no double of the owner''s amount'),
    ('synot', '§15', '{main@100,bob behind@40}', 'bob double_down@40', 'KB005',
     'behind does not double what the owner has not'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100}', 'bob/2 split_pair@40', 'KB005',
     'behind has followed the split'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100}', 'bob/2 split_pair@39.99', 'KB005',
     'behind splits nothing more'),
    ('synot', '§15', '{main@100,bob behind@40}', 'bob/2 split_pair@40', 'KB005',
     'behind does not split what the owner has not'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100,/2 double_down@100}', 'bob/2 double_down@40',
     'KB005', 'who did not follow the split has nothing to double on the new hand'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100,double_down@100}', 'bob double_down@40',
     'KB005',
     'nor on the first hand, doubled with the owner''s'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100}', 'cyd double_down@40', 'KB005',
     'who has no stake on the box doubles nothing'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100}', 'cyd/2 split_pair@40', 'KB005',
     'who has no stake on the box splits nothing');
SELECT t.run() \gexec
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('synot', '§15', '{main@100}', 'bob behind@100', 'KB004', 'behind is a switch of the table');
SELECT t.run('') \gexec

SELECT t.open('synot+'), t.place('main@100', 'o1'), t.place('bob behind@40', 'b1'),
    t.place('cyd#2 main@30', 'k1'), t.place('bob#2 behind@20', 'b2') \g /dev/null
SELECT is(t.cancel('ann', 'o1'), 1::bigint, 'D4 Blackjack §15: the owner cancels');
SELECT is(t.lies('bob'), 'behind@20.00', 'R3.41: the bet behind is returned, that behind another box stays');
SELECT t.place('main@100', 'o2'), t.place('bob behind@40', 'b3') \g /dev/null
SELECT is(cardinality(casino.disconnect(t.round(), t.p('ann'), t.at())), 1,
          'D4 Blackjack §17: the owner is disconnected before betting closes');
SELECT is(t.lies('bob'), 'behind@20.00', 'R3.41: the bet behind is returned');
SELECT t.place('main@60', 'o3'), t.place('main@50', 'o4'), t.place('bob behind@40', 'b4') \g /dev/null
SELECT is(t.cancel('ann', 'o4'), 1::bigint, 'one of two chips of the owner is cancelled');
SELECT is(t.lies('bob'), 'behind@20.00, behind@40.00', 'and the bet behind stands on the other');
SELECT is(t.cancel('bob', 'b2'), 1::bigint, 'a bet behind is cancelled by its player');
SELECT is(t.lies('cyd'), 'main@30.00', 'and the owner''s bet stands');
SELECT t.close() \g /dev/null
SELECT is(cardinality(casino.disconnect(t.round(), t.p('ann'), t.at())), 0,
          'D4 Blackjack §17: disconnected after betting has closed, the bets stay');
SELECT is((t.settle('Td 8c | 1: Ts 9d | 2: Ts 7d')).paid, 200.00, 'and settle: 60 and 40 win, 30 loses');

-- the owner is who staked first; when he cancels, the next is
SELECT t.open('czech'), t.place('main@100', 'w1'), t.place('bob main@40', 'w2'),
    t.place('cyd main@20', 'w3') \g /dev/null
SELECT is(t.cancel('ann', 'w1'), 1::bigint, 'D0 OVLÁDÁNÍ BOXU: the owner leaves');
SELECT t.close() \g /dev/null
SELECT is(t.may('cyd double_down@20'), 'KB005', 'D0 OVLÁDÁNÍ BOXU: a follower does not double first');
SELECT is(t.may('bob double_down@40'), 'ok', 'R3.33: who staked next owns the box');

-- -------------------------------------------------------------------------------------------- wagers in play
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('*', 'doubles', '{main@100}', 'double_down@100', 'ok', 'a double of the stake'),
    ('*', 'doubles', '{main@100}', 'double_down@99.99', 'KB002', 'a double a haléř below the stake'),
    ('*', 'doubles', '{main@100}', 'double_down@100.01', 'KB002', 'a double a haléř above the stake'),
    ('*', 'doubles', '{main@60,main@40}', 'double_down@100', 'ok', 'a double of a stake of two chips'),
    ('*', 'doubles', '{main@100,double_down@100}', 'double_down@100', 'KB005', 'a hand is doubled once'),
    ('*', 'doubles', '{bob main@100}', 'double_down@100', 'KB005', 'a double without a stake'),
    ('*', 'doubles', '{main@100}', '/2 double_down@100', 'KB005', 'a double on a hand that is not there'),
    ('*', 'splits', '{main@100}', '/2 split_pair@100', 'ok', 'a split of the stake'),
    ('*', 'splits', '{main@100}', '/2 split_pair@99.99', 'KB002', 'a split a haléř below the stake'),
    ('*', 'splits', '{main@100}', '/2 split_pair@100.01', 'KB002', 'a split a haléř above the stake'),
    ('*', 'splits', '{main@100}', '/3 split_pair@100', 'KB005', 'the new hand gets the next free number'),
    ('*', 'splits', '{main@100}', '/1 split_pair@100', 'KB005', 'the first hand is no new one'),
    ('*', 'splits', '{main@100}', 'split_pair@100', 'KB005', 'a split names its hand'),
    ('*', 'splits', '{main@100,/2 split_pair@100}', '/2 split_pair@100', 'KB005', 'a hand arises once'),
    ('*', 'splits', '{bob main@100}', '/2 split_pair@100', 'KB005', 'a split without a stake'),
    ('classic,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     '/3 split_pair@100', 'KB005', 'two hands at most'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100}', '/4 split_pair@100',
     'ok', 'four hands'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100,/4 split_pair@100}',
     '/5 split_pair@100', 'KB005', 'four hands at most'),
    ('classic,house', 'R3.8', '{main@100,/2 split_pair@100}', '/2 double_down@100', 'KB005',
     'no double after a split'),
    ('classic,house', 'R3.8', '{main@100,/2 split_pair@100}', 'double_down@100', 'KB005',
     'no double of the first hand after a split'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     '/2 double_down@100', 'ok', 'a double after a split'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     '/1 double_down@100', 'ok', 'a double of the first hand after a split'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits',
     '{main@100,/2 split_pair@100,double_down@100}', '/1 double_down@100', 'KB005',
         'hand 1 is the one without a number'),
    ('*', 'insures', '{main@100}', '/2 insurance@50', '22023', 'insurance lies on the first hand'),
    ('*', 'insures', '{bob main@100}', 'insurance@50', 'KB005', 'insurance without a stake'),
    ('free_bet', '§4.1', '{main@100}', '/2 free_split@100', 'ok', 'a free split of the base stake'),
    ('free_bet', '§4.1', '{main@100}', '/2 free_split@99.99', 'KB002', 'a free split of another amount'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', '/2 split_pair@100', 'KB005',
     'a hand arises once, free or paid'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100,/3 free_split@100,/4 free_split@100}',
     '/5 free_split@100', 'KB005', 'four hands at most'),
    ('free_bet', '§5.1', '{main@100}', 'free_double@100', 'ok', 'a free double of the base stake'),
    ('free_bet', '§5.1', '{main@100}', 'free_double@100.01', 'KB002', 'a free double of another amount'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', 'double_down@100', 'KB005',
     'a hand is doubled once, free or paid'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', '/2 double_down@100', 'ok',
     'a paid double on a free split'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', '/2 double_down@50', 'KB002',
     'which equals the base stake'),
    ('czech,free_bet', 'box', '{main@100,bob main@40,double_down@100}', 'bob double_down@40', 'ok',
     'a follower follows a double'),
    ('czech,free_bet', 'box', '{main@100,bob main@40}', 'bob double_down@40', 'KB005',
     'a follower does not double by himself'),
    ('czech,classic,house,free_bet', 'box', '{main@100,bob main@40}', 'bob/2 split_pair@40', 'KB005',
     'a follower does not split by himself'),
    ('czech,classic,house,free_bet', 'box', '{main@100,bob main@40,/2 split_pair@100}', 'bob/2 split_pair@40',
     'ok', 'a follower follows a split'),
    ('czech', 'box', '{main@100,bob main@40,/2 split_pair@100,/3 split_pair@100}', 'bob/3 split_pair@40',
     'ok', 'a follower follows a later split of the hand he stayed with'),
    ('czech,classic,house,free_bet', 'insures', '{main@100,bob main@40}', 'bob insurance@20', 'ok',
     'each player of a box may insure');
SELECT t.run() \gexec
-- before the close, after the end of decisions, after the evaluation
SELECT t.open('czech'), t.place('main@100') \g /dev/null
SELECT is(t.may(w), 'KB005', 'R11.16: not before betting has closed: ' || w)
  FROM unnest(ARRAY['double_down@100', '/2 split_pair@100', 'insurance@50']) w;
SELECT is(t.verdict('SELECT casino.close_actions(t.round(), t.at())'), 'KR002',
          'R11.16: decisions do not end before betting has closed');
SELECT t.close() \g /dev/null
SELECT is(t.may('main@100'), 'KB001', 'D0 HRA: no bets after betting has closed');
SELECT is(t.may('bob main@100'), 'KB001', 'D0 HRA: no new players after betting has closed');
SELECT is(t.may(w), 'ok', 'R11.16: in play after betting has closed: ' || w)
  FROM unnest(ARRAY['double_down@100', '/2 split_pair@100', 'insurance@50']) w;
SELECT casino.close_actions(t.round(), t.at()) \g /dev/null
SELECT is(t.may(w), 'KB005', 'R11.16: decisions are over: ' || w)
  FROM unnest(ARRAY['double_down@100', '/2 split_pair@100', 'insurance@50']) w;
SELECT lives_ok('SELECT casino.close_actions(t.round(), t.at())', 'R11.16: decisions may be ended twice');
SELECT t.settle('Td 8c | Ts 9d') \g /dev/null
SELECT is(t.may(w), 'KB001', 'R11.10: after the evaluation: ' || w)
  FROM unnest(ARRAY['main@100', 'double_down@100', '/2 split_pair@100', 'insurance@50']) w;

-- a doubled hand gets its card and no more, so that it is not split, whatever the cards are
INSERT INTO t.cases (games, about, lying, spec, expected, what) VALUES
    ('*', 'doubles', '{main@100,double_down@100}', '/2 split_pair@100', 'KB005',
     'a split of the hand that was doubled'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', '/2 free_split@100', 'KB005',
     'a free split of the hand that was doubled free of charge'),
    ('czech,free_bet', 'doubles', '{main@100,/2 split_pair@100,double_down@100}', '/3 split_pair@100', 'ok',
     'a split of the hand that was not doubled'),
    ('czech,free_bet', 'doubles', '{main@100,/2 split_pair@100,double_down@100,/2 double_down@100}',
     '/3 split_pair@100', 'KB005', 'a split where both hands were doubled'),
    ('synot', '§15', '{main@100,bob behind@40,/2 split_pair@100,double_down@100,bob double_down@40}',
     'bob/2 split_pair@40', 'KB005', 'behind has followed the split and the double');
SELECT t.run() \gexec

-- ----------------------------------------------------------------------- on the cards that lie there: deal()
CREATE TABLE t.deals (n serial, games text, about text, lying text[], cards text, spec text, expected text,
                      what text);
INSERT INTO t.deals (games, about, lying, cards, spec, expected, what) VALUES
    ('*', 'insures', '{main@100}', 'Ad | Ts 6d', 'insurance@50', 'ok', 'insurance against an ace'),
    ('*', 'insures', '{main@100}', 'Ad | 5s 6d 2c', 'insurance@50', 'KB005',
     'R3.25: none once the hand has its third card'),
    ('*', 'insures', '{main@100}', 'Kd | Ts 6d', 'insurance@50', 'KB005', 'insurance against a king'),
    ('*', 'insures', '{main@100}', '9d | Ts 6d', 'insurance@50', 'KB005', 'insurance against a nine'),
    ('czech,house', 'insures', '{main@100}', 'Ad | As Kd', 'insurance@50', 'KB005',
     'insurance of a blackjack'),
    ('-czech,house', 'insures', '{main@100}', 'Ad | As Kd', 'insurance@50', 'ok', 'insurance of a blackjack'),
    -- nobody stakes on an end that he knows (R3.52)
    ('synot', 'insures', '{main@100}', 'Ah 6c | 5c 6d', 'insurance@50', 'KB005',
     'insurance once the second card is known'),
    ('synot', 'doubles', '{main@100}', 'Ah 6c | 5c 6d', 'double_down@100', 'ok',
     'R3.4: a double while a hole card lies there'),
    ('synot', 'doubles', '{main@100}', 'Th 6c 9d | 5c 6d', 'double_down@100', 'KB005',
     'a double once the dealer has drawn'),
    ('synot', 'insures', '{main@100}', 'Ah Kc | 8c 8d', 'insurance@50', 'KB005',
     'insurance against a blackjack that lies open'),
    ('synot', 'doubles', '{main@100}', 'Ah Kc | 8c 8d', 'double_down@100', 'KB005',
     'a double against a blackjack that lies open'),
    ('synot', 'splits', '{main@100}', 'Ah Kc | 8c 8d', '/2 split_pair@100', 'KB005',
     'a split against a blackjack that lies open'),
    ('house', 'doubles', '{main@100}', '6h | 5c 6d', 'double_down@100', 'ok',
     'a double against the first card'),
    ('house', 'doubles', '{main@100}', '6h 5c | 5c 6d', 'double_down@100', 'KB005',
     'a double where the second card follows the players'),
    -- nor a wager that the round could not be settled with (R3.42) (R3.25, R3.52)
    ('synot', 'doubles', '{main@100}', '9h | 5c 6d !surrender', 'double_down@100', 'KB005',
     'R3.42: a double on a surrendered hand'),
    ('free_bet', 'insures', '{main@100}', 'Ah | Ac Kd !even', 'insurance@50', 'KB005',
     'R3.29: insurance beside even money'),
    ('*', 'splits', '{main@100}', 'Kd | 8s 8d', '/2 split_pair@100', 'ok', 'a split of a pair'),
    ('*', 'splits', '{main@100}', 'Kd | 8s 9d', '/2 split_pair@100', 'KB005', 'a split of eight and nine'),
    ('*', 'splits', '{main@100}', 'Kd | 8s 8d 8c', '/2 split_pair@100', 'KB005', 'a split of three cards'),
    ('*', 'splits', '{main@100}', 'Kd | 8s', '/2 split_pair@100', 'KB005', 'a split of one card'),
    ('czech', 'splits', '{main@100}', '9d | Ks Qd', '/2 split_pair@100', 'KB005',
     'a split of king and queen'),
    ('-czech', 'splits', '{main@100}', '9d | Ks Qd', '/2 split_pair@100', 'ok', 'a split of king and queen'),
    ('*', 'splits', '{main@100}', '9d | As Ad', '/2 split_pair@100', 'ok', 'a split of aces'),
    ('house', 'splits', '{main@100,/2 split_pair@100}', '9d | As Ad | Ac 5d', '/3 split_pair@100', 'KB005',
     'a second split of aces'),
    ('czech,free_bet', 'splits', '{main@100,/2 split_pair@100}', '9d | As Ad | Ac 5d', '/3 split_pair@100',
     'ok', 'a second split of aces'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100}', '9d | 8s 5d | 8c 8d',
     '/3 split_pair@100', 'ok', 'a split of the second hand'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100}', '9d | 8s 5d | 8c 9d',
     '/3 split_pair@100', 'KB005', 'a split with no pair left'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100}', '9d | 8s 8d', '/3 split_pair@100',
     'KB005', 'a second split of a pair whose cards do not lie apart yet'),
    ('free_bet', '§4.1', '{main@100,/2 free_split@100}', '9d | 8s 8d', '/3 free_split@100', 'KB005',
     'a second free split of a pair whose cards do not lie apart yet'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100}', '9d | 8s 8d | 8c 5d',
     '/4 split_pair@100', 'KB005', 'a third split where the one pair left was split'),
    ('czech,house,free_bet', 'splits', '{main@100,/2 split_pair@100,/3 split_pair@100}', '9d | 8s 8d | 8c 8h',
     '/4 split_pair@100', 'ok', 'a third split of the other pair'),
    ('house', 'splits', '{main@100,/2 split_pair@100}', '9d | As Ad', '/3 split_pair@100', 'KB005',
     'a second split of aces that do not lie apart yet'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     '9d | As Ad', 'double_down@100', 'KB005', 'a double of a split ace that waits for its card'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     '9d | As Ad', '/2 double_down@100', 'KB005', 'a double of the other split ace'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'doubles', '{main@100,/2 split_pair@100}',
     '9d | 8s 8d', 'double_down@100', 'KB005', 'a double of a hand that was split and waits for its card'),
    ('free_bet', '§5.1', '{main@100,/2 free_split@100}', '9d | 5s 5d', 'free_double@100', 'KB005',
     'a free double of a hand that was split and waits for its card'),
    ('-classic', 'doubles', '{main@100,double_down@100}', '9d | 8s 8d', '/2 split_pair@100', 'KB005',
     'a split of a hand that was doubled and waits for its card'),
    ('classic', 'doubles', '{main@100,double_down@100}', '9d | 5s 5d', '/2 split_pair@100', 'KB005',
     'a split of a hand that was doubled and waits for its card'),
    ('free_bet', '§5.1', '{main@100,free_double@100}', '9d | 5s 5d', '/2 free_split@100', 'KB005',
     'a free split of a hand that was doubled free of charge'),
    ('czech,free_bet', 'doubles', '{main@100,/2 split_pair@100,/2 double_down@100}', '9d | 8s 5d | 8c 8d',
     '/3 split_pair@100', 'KB005', 'a split of the doubled one of two hands'),
    ('czech,free_bet', 'doubles', '{main@100,/2 split_pair@100,/2 double_down@100}', '9d | 8s 8h | 8c 8d',
     '/3 split_pair@100', 'ok', 'a split of the other one'),
    ('free_bet', 'splits', '{main@100,bob main@40,/2 split_pair@100,double_down@100,bob double_down@40}',
     '9d | 8s 3d | 8c 7d', 'bob/2 split_pair@40', 'ok',
         'a follower splits after he doubled the hand that both keep'),
    ('*', 'doubles', '{main@100}', 'Kd | 6s 5d', 'double_down@100', 'ok', 'a double of eleven'),
    ('*', 'doubles', '{main@100}', 'Kd | 6s', 'double_down@100', 'KB005', 'a double of one card'),
    ('*', 'doubles', '{main@100}', 'Kd | 2s 3d 6c', 'double_down@100', 'KB005', 'a double of three cards'),
    ('*', 'doubles', '{main@100}', '9d | As Kd', 'double_down@100', 'KB005', 'a double of a blackjack'),
    ('classic', 'doubles', '{main@100}', 'Kd | 8s 4d', 'double_down@100', 'KB005', 'a double of 12'),
    ('classic', 'doubles', '{main@100}', 'Kd | 5s 3d', 'double_down@100', 'KB005', 'a double of 8'),
    ('classic', 'doubles', '{main@100}', 'Kd | 5s 4d', 'double_down@100', 'ok', 'a double of 9'),
    ('classic', 'doubles', '{main@100}', 'Kd | As 9d', 'double_down@100', 'KB005', 'a double of a soft 20'),
    ('-classic', 'doubles', '{main@100}', 'Kd | 8s 4d', 'double_down@100', 'ok', 'a double of 12'),
    ('-classic', 'doubles', '{main@100}', 'Kd | As 9d', 'double_down@100', 'ok', 'a double of a soft 20'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     'Kd | 8s 5d | 8c 3d', '/2 double_down@100', 'ok', 'a double of a split hand'),
    ('czech,free_bet,synot,all_bets,infinite,evolution,endless', 'splits', '{main@100,/2 split_pair@100}',
     'Kd | As 5d | Ac 3d', '/2 double_down@100', 'KB005', 'a double of a split ace'),
    ('czech,free_bet', 'R3.9', '{main@100,/2 split_pair@100}', '9d | Ks Ad | Kc 3d', 'double_down@100',
     'KB005', 'a double of the 21 of a split hand, on which no card may be drawn'),
    ('free_bet', '§4.1', '{main@100}', 'Kd | 8s 8d', '/2 free_split@100', 'ok', 'a free split of eights'),
    ('free_bet', '§4.1', '{main@100}', 'Kd | As Ad', '/2 free_split@100', 'ok', 'a free split of aces'),
    ('free_bet', '§4.1', '{main@100}', '9d | Ks Kd', '/2 free_split@100', 'KB005', 'a free split of kings'),
    ('free_bet', '§4.1', '{main@100}', '9d | Ts Qd', '/2 free_split@100', 'KB005',
     'a free split of ten-values'),
    ('free_bet', '§4.1', '{main@100}', '9d | 8s 9d', '/2 free_split@100', 'KB005', 'a free split of no pair'),
    ('free_bet', '§5.1', '{main@100}', '9d | 6s 3d', 'free_double@100', 'ok', 'a free double of 9'),
    ('free_bet', '§5.1', '{main@100}', '9d | 6s 5d', 'free_double@100', 'ok', 'a free double of 11'),
    ('free_bet', '§5.1', '{main@100}', '9d | 5s 3d', 'free_double@100', 'KB005', 'a free double of 8'),
    ('free_bet', '§5.1', '{main@100}', '9d | 8s 4d', 'free_double@100', 'KB005', 'a free double of 12'),
    ('free_bet', '§5.1', '{main@100}', '9d | As 8d', 'free_double@100', 'KB005', 'a free double with an ace'),
    ('free_bet', '§5.1', '{main@100,/2 free_split@100}', '9d | 8s 3d | 8c 2d', '/2 free_double@100', 'ok',
     'a free double after a free split'),
    ('free_bet', '§5.1', '{main@100,/2 free_split@100}', '9d | 8s 3d | 8c 2d', 'free_double@100', 'ok',
     'a free double on the first hand of a free split'),
    ('free_bet', 'R3.46', '{main@100,/2 split_pair@100}', '9d | 8s 3d | 8c 2d', '/2 free_double@100', 'KB005',
     'a free double after a paid split'),
    ('free_bet', '§5.1', '{main@100,/2 split_pair@100}', 'Td | 8c 2d | 8d 3d', 'free_double@100', 'KB005',
     'a free double on the first hand of a paid split'),
    ('synot', '§15', '{main@100,bob behind@40,double_down@100}', 'Kd | 6s 5d', 'bob double_down@40', 'KB005',
     'behind has followed the double on the cards'),
    ('free_bet', '§5.1', '{main@100,bob main@40,double_down@100}', 'Kd | 8s 4d', 'bob free_double@40',
     'KB005', 'a follower''s free double of 12'),
    ('free_bet', '§4.1', '{main@100,bob main@40,/2 split_pair@100}', '9d | Ks Kd', 'bob/2 free_split@40',
     'KB005', 'a follower''s free split of kings'),
    ('all_bets,infinite,endless', 'splits', '{main@100,bob main@40}', 'Kd | @ann: 8s 8d 3c | @bob: 8s 8d',
     'bob/2 split_pair@40', 'ok', 'bob may split his hand'),
    ('all_bets,infinite,endless', 'splits', '{main@100,bob main@40}', 'Kd | @ann: 8s 8d 3c | @bob: 8s 8d',
     '/2 split_pair@100', 'KB005', 'ann has drawn to hers'),
    ('all_bets,infinite,endless', 'doubles', '{main@100,bob main@40}', 'Kd | 8s 3d | @bob: 8s 3d 2c',
     'double_down@100', 'ok', 'everybody''s hand has two cards'),
    ('all_bets,infinite,endless', 'doubles', '{main@100,bob main@40}', 'Kd | 8s 3d | @bob: 8s 3d 2c',
     'bob double_down@40', 'KB005', 'bob has drawn to his');
CREATE FUNCTION t.on_cards(name text, lying text[], cards text, spec text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked(name, lying);
    PERFORM casino.deal(t.round(), t.cards(cards), t.at());
    RETURN t.may(spec);
EXCEPTION WHEN OTHERS THEN
    RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;
-- "synot+" for bets behind; limits do not matter
SELECT format('SELECT is(t.on_cards(%L, %L, %L, %L), %L, %L)', g.name || '+', d.lying, d.cards, d.spec,
              d.expected,
              format('%s: as the cards lie: %s: %s',
                     coalesce(t.cite(g.name, d.about), CASE
                              WHEN d.about ~ '^R[0-9]' THEN d.about || ', ' || g.name
                                  ELSE g.doc || ' ' || d.about END),
                     d.what, CASE d.expected WHEN 'ok' THEN 'taken' ELSE d.expected END))
FROM t.deals d, t.games(d.games) g ORDER BY d.n, g.place \gexec

-- ------------------------------------------------------------------------------------------------ retries
CREATE FUNCTION t.again(spec text, request text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    first bigint := t.place(spec, request);
    entries bigint := (SELECT count(*) FROM casino.ledger);
BEGIN
    RETURN NEXT is(t.place(spec, request), first, 'R12.1: the same request again: ' || spec);
    RETURN NEXT is(t.place(spec, request, '2025-06-01'), first, 'whenever it comes: ' || spec);
    RETURN NEXT is((SELECT count(*) FROM casino.ledger), entries, 'and is posted once: ' || spec);
    RETURN NEXT is(t.verdict(format('SELECT t.place(%L, %L)', regexp_replace(spec, '@(\d+)', '@1\1'),
                                    request)), 'KL003', 'other content is KL003: ' || spec);
    RETURN NEXT is(t.verdict(format('SELECT t.place(%L, %L)', CASE
                                    WHEN spec LIKE '% %' THEN regexp_replace(spec, '^.*? ', '/3 ')
                                        ELSE '/3 ' || spec END, request)), 'KL003',
                                            'another hand is KL003: ' || spec);
END $$;
SELECT t.open('free_bet') \g /dev/null
SELECT t.again('main@100', 'r1');
SELECT t.again('push22@10', 'r2');
SELECT t.close() \g /dev/null
SELECT t.again('/2 split_pair@100', 'r3');
SELECT t.again('/2 double_down@100', 'r4');
SELECT t.again('insurance@50', 'r5');
SELECT casino.close_actions(t.round(), t.at()) \g /dev/null
SELECT is(t.place('main@100', 'r1'), (SELECT entry_no FROM casino.ledger
                                      WHERE player_id = t.p('ann')
                                          AND request_id = 'r1'),
    'R12.1: the retry of a stake is answered after the close of betting');
SELECT is(t.place('/2 split_pair@100', 'r3'), (SELECT entry_no FROM casino.ledger
                                               WHERE player_id = t.p('ann')
                                                   AND request_id = 'r3'),
                                                       'and of a split after the end of decisions');
SELECT t.settle('Ad Kc | 8s 9d | 8d 3c Kh') \g /dev/null
SELECT is(t.place('insurance@50', 'r5'), (SELECT entry_no FROM casino.ledger
                                          WHERE player_id = t.p('ann')
                                              AND request_id = 'r5'),
                                                  'and of an insurance after the evaluation');
SELECT t.open('synot+'), t.place('main@100', 'x1'), t.place('bob behind@40', 'x2') \g /dev/null
SELECT is(t.cancel('ann', 'x1'), 1::bigint, 'R11.10: a cancellation ...');
SELECT is(t.cancel('ann', 'x1'), 1::bigint, '... again');
SELECT is(t.lies('bob'), NULL, 'and the bet behind was returned once');
SELECT is((SELECT count(*) FROM casino.ledger WHERE player_id = t.p('bob') AND round_id = t.round()
           AND kind = 'refund'), 1::bigint, 'in one refund');

-- free wagers cost nothing and money that is not there is not staked
SELECT t.open('free_bet'), t.place('main@100') \g /dev/null
SELECT t.close() \g /dev/null
CREATE TEMP TABLE wallet AS SELECT balance FROM casino.player WHERE player_id = t.p('ann');
SELECT t.place('/2 free_split@100'), t.place('/2 free_double@100') \g /dev/null
SELECT is((SELECT balance FROM casino.player WHERE player_id = t.p('ann')), (SELECT balance FROM wallet),
          'D3 §4.1, §5.1: a free split and a free double take nothing from the wallet');
SELECT is((SELECT array_agg(amount) FROM casino.ledger
           WHERE round_id = t.round() AND kind = 'stake'
               AND casino.kind(bet) <> 'main'), '{0.00,0.00}', 'and are stakes of nothing in the ledger');
SELECT is((casino.void_round(t.round(), 'the shoe fell', t.at())).paid, 100.00,
          'R11.15: a voided free wager returns nothing');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = t.round() AND kind = 'refund'), 3::bigint,
          'and has its refund of nothing');
SELECT t.open('synot') \g /dev/null
INSERT INTO t.person SELECT 'poor', casino.register_player('poor');
SELECT casino.deposit(t.p('poor'), 150, at => '2025-01-01') \g /dev/null
SELECT t.place('poor main@100') \g /dev/null
SELECT t.close() \g /dev/null
SELECT is(t.may('poor double_down@100'), 'KL002', 'D4 Blackjack §13: a double is paid from the balance');

-- a refund written by hand does not leave bets that cannot stand without the main bet
CREATE FUNCTION t.refund_by_hand(who text, entry bigint) RETURNS text LANGUAGE sql AS $$
    SELECT t.verdict(format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                             VALUES (%s, ''refund'', 100, %s, %L)',
                            t.p(who), entry, t.at())) $$;
SELECT t.open('synot+') \g /dev/null
CREATE TEMP TABLE mine AS SELECT t.place('main@100') AS main;
SELECT is(t.refund_by_hand('ann', main), 'ok', 'a main bet alone may be refunded by hand') FROM mine;
SELECT t.place('bob behind@40') \g /dev/null
SELECT isnt(t.refund_by_hand('ann', main), 'ok', 'R3.41: not while a bet behind stands on it') FROM mine;
CREATE TEMP TABLE other_box AS SELECT t.place('#3 main@100') AS main;
SELECT is(t.refund_by_hand('ann', main), 'ok', 'that of another box of the player may') FROM other_box;
SELECT t.open('synot+') \g /dev/null
CREATE TEMP TABLE cancelled AS SELECT t.place('main@100') AS main,
    t.place('bob behind@40', 'behind') AS behind;
SELECT isnt(t.refund_by_hand('ann', main), 'ok', 'not while a bet behind stands on it') FROM cancelled;
SELECT t.cancel('bob', 'behind') \g /dev/null
SELECT is(t.refund_by_hand('ann', main), 'ok', 'once the bet behind was cancelled it may') FROM cancelled;
SELECT t.open('synot+') \g /dev/null
CREATE TEMP TABLE chips AS SELECT t.place('main@100') AS main;
SELECT t.place('main@100', 'second chip'), t.place('bob behind@40') \g /dev/null
SELECT is(t.refund_by_hand('ann', main), 'ok',
          'R3.41: one of two chips may, as the other one is left to the bet behind') FROM chips;
SELECT t.open('synot+') \g /dev/null
CREATE TEMP TABLE another AS SELECT t.place('main@100') AS main;
SELECT t.place('21+3@10') \g /dev/null
SELECT isnt(t.refund_by_hand('ann', main), 'ok', 'R3.44: not while a side bet stands on it') FROM another;

-- a round without wagers and players of a returned stake
SELECT t.open('czech'), t.place('main@100', 'z1') \g /dev/null
SELECT t.cancel('ann', 'z1'), t.close() \g /dev/null
SELECT is((t.settle('Td')).wagers, 0::bigint, 'a round whose stakes were all returned settles without hands');

SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');
SELECT * FROM finish();
