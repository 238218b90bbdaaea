-- Cards misread before the evaluation, in each game that deals cards (D4 Blackjack §16, All Bets §15, Casino
-- Hold'em §19, Baccarat §10; R11.12, R11.30): both deals are kept and recalled. Stakes placed since go
-- back as misdealt, or stand by the supervisor's word, and may be placed again where the right cards allow
-- it. The night is clean. Expected ends are worked out by hand.
\ir ../helpers/blackjack.psql
SELECT no_plan();

CREATE FUNCTION t.deal(cards text) RETURNS void LANGUAGE sql AS
    'SELECT casino.deal(t.round(), t.cards(cards), t.at())';
-- how many stakes went back; the same call again is answered alike
CREATE FUNCTION t.correct(cards text, stand boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at CONSTANT timestamptz := t.at();
    first CONSTANT integer := casino.correct_deal(t.round(), t.cards(cards), 'misread', at, stand);
    again CONSTANT integer := casino.correct_deal(t.round(), t.cards(cards), 'misread', at, stand);
BEGIN
    RETURN first || CASE WHEN again <> first THEN ', and again ' || again ELSE '' END;
END $$;
CREATE FUNCTION t.standing() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws(' ', p.name, w.kind, w.status, trim_scale(w.payout)), ', '
                      ORDER BY p.name, w.entry_no)
      FROM casino.wager w
      JOIN t.person p ON p.id = w.player_id
     WHERE w.round_id = t.round() $$;
CREATE FUNCTION t.refunds() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws(' ', p.name, trim_scale(l.amount), l.reason), ', '
                      ORDER BY p.name, l.entry_no)
      FROM casino.ledger l
      JOIN t.person p ON p.id = l.player_id
     WHERE l.round_id = t.round() AND l.kind = 'refund' $$;
-- both deals and the correction, as the table and as recall has them
CREATE FUNCTION t.kept(wrong text, right_ text) RETURNS boolean LANGUAGE sql AS $$
    SELECT (SELECT jsonb_agg(d.document ORDER BY d.deal_no) FROM casino.deal d WHERE d.round_id = t.round())
               = jsonb_build_array(t.cards(wrong), t.cards(right_))
           AND (SELECT array_agg((c.deal_no, c.wrong_deal_no, c.reason)::text)
                  FROM casino.deal_correction c
                 WHERE c.round_id = t.round()) = '{"(2,1,misread)"}'
           AND (SELECT jsonb_agg(d -> 'cards') = jsonb_build_array(t.cards(wrong), t.cards(right_))
                       OR jsonb_agg(d -> 'document') = jsonb_build_array(t.cards(wrong), t.cards(right_))
                  FROM jsonb_array_elements(casino.game_recall(t.round()) -> 'deals') d)
           AND casino.game_recall(t.round()) #>> '{deals,1,corrects,reason}' = 'misread' $$;

-- ----------------------------------------------------------------------------- blackjack, each of nine games
-- how 11 is doubled and eights are split there
CREATE TABLE t.kind (name text PRIMARY KEY, twice text, split text, money text);
INSERT INTO t.kind SELECT g.name, 'double_down', 'split_pair', '100' FROM t.games('-free_bet') g;
INSERT INTO t.kind VALUES ('free_bet', 'free_double', 'free_split', '0');
CREATE FUNCTION t.blackjack(game text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    k CONSTANT t.kind := (SELECT x FROM t.kind x WHERE x.name = game);
    shared CONSTANT boolean := (SELECT g.shared FROM t.game g WHERE g.name = game);
    doubled CONSTANT text := CASE WHEN shared THEN '@ann: ' ELSE '' END;
    won CONSTANT text := CASE WHEN k.money = '0' THEN '100' ELSE '200' END;
BEGIN
    -- the dealer's card
    PERFORM t.staked(game, '{main@100}'), t.deal('6d | 5s 6d'), t.place(k.twice || '@100');
    RETURN NEXT is(t.correct('Td | 5s 6d'), '1', game || ': R11.30: a double against a wrong card goes back');
    RETURN NEXT is(t.refunds(), 'ann ' || k.money || ' misdealt', '... as misdealt, once');
    RETURN NEXT is(t.kept('6d | 5s 6d', 'Td | 5s 6d'), true, '... both deals are kept, and recalled');
    PERFORM t.place(k.twice || '@100');
    PERFORM t.settle('Td 7h | ' || doubled || '5s 6d 9c');
    RETURN NEXT is(t.standing(), format('ann main won 200, ann %1$s refunded, ann %1$s won %2$s',
                                        k.twice, won),
                   '... placed again, and the round is finished: 20 against 17');
    -- a pair only by the wrong card
    PERFORM t.staked(game, '{main@100}'), t.deal('6d | 8s 8d'), t.place('ann/2 ' || k.split || '@100');
    RETURN NEXT is(t.correct('6d | 8s 9d') || ' ' || t.refunds(), '1 ann ' || k.money || ' misdealt',
                   game || ': R11.30: a split of cards that do not pair goes back');
    RETURN NEXT is(t.verdict(format('SELECT t.place(%L)', 'ann/2 ' || k.split || '@100')), 'KB005',
                   '... and is refused by the right cards');
    PERFORM t.settle('6d Ts 8h | 8s 9d');
    RETURN NEXT is(t.standing(), format('ann main won 200, ann %s refunded', k.split),
                   '... the round is finished: the dealer has 24');
    -- standing by the supervisor's word
    PERFORM t.staked(game, '{main@100}'), t.deal('6d | 5s 6d'), t.place(k.twice || '@100');
    RETURN NEXT is(t.correct('Td | 5s 6d', true) || ' ' || coalesce(t.refunds(), 'none'), '0 none',
                   game || ': R11.30: unless the supervisor lets it stand');
    RETURN NEXT is(t.kept('6d | 5s 6d', 'Td | 5s 6d'), true, '... both deals are kept, and recalled');
    PERFORM t.settle('Td 7h | ' || doubled || '5s 6d 5c');
    RETURN NEXT is(t.standing(), format('ann main lost 0, ann %s lost 0', k.twice), '... 16 against 17');
    -- stakes placed before the wrong card stand: a third card
    PERFORM t.staked(game, '{main@100}'), t.deal('Td | 5s 6d'), t.place(k.twice || '@100'),
            t.deal('Td | ' || doubled || '5s 6d 9c');
    RETURN NEXT is(t.correct('Td | ' || doubled || '5s 6d 8c') || ' ' || coalesce(t.refunds(), 'none'),
                   '0 none', game || ': R11.30: a stake from before the wrong card stands');
    PERFORM t.settle('Td 7h | ' || doubled || '5s 6d 8c');
    RETURN NEXT is(t.standing(), format('ann main won 200, ann %s won %s', k.twice, won),
                   '... 19 against 17');
    IF NOT shared THEN
        PERFORM t.staked(game, '{main@100,bob#2 main@100}'), t.deal('Td | 5s 6d | 2: Ts 7d'),
                t.place(k.twice || '@100');
        RETURN NEXT is(t.correct('Td | 5s 6d | 2: 9s 7d') || ' ' || t.refunds(),
                       '1 ann ' || k.money || ' misdealt', game || ': R11.30: a card of any box counts');
        PERFORM t.place(k.twice || '@100'), t.settle('Td 7h | 5s 6d 9c | 2: 9s 7d');
        RETURN NEXT is(t.standing(),
                       format('ann main won 200, ann %1$s refunded, ann %1$s won %2$s, bob main lost 0',
                              k.twice, won), '... and the round is finished');
    ELSE
        -- one player's own cards are wrong: the others' stakes since go back, too
        PERFORM t.staked(game, '{main@100,bob main@100}'), t.deal('Td | 5s 6d'),
                t.place('bob ' || k.twice || '@100'), t.deal('Td | @bob: 5s 6d 9c | 5s 6d'),
                t.place(k.twice || '@100');
        RETURN NEXT is(t.correct('Td | @bob: 5s 6d 8c | 5s 6d') || ' ' || t.refunds(),
                       '1 ann 100 misdealt', game || ': R11.30: a card of any player counts');
        PERFORM t.place(k.twice || '@100'), t.settle('Td 7h | @bob: 5s 6d 8c | @ann: 5s 6d 9c');
        RETURN NEXT is(t.standing(), 'ann main won 200, ann double_down refunded, '
                                     'ann double_down won 200, bob main won 200, bob double_down won 200',
                       '... and the round is finished');
    END IF;
END $$;
SELECT t.blackjack(g.name) FROM t.games('*') g;

-- ------------------------------------------------------------------------------------------- the other games
INSERT INTO t.tables VALUES ('baccarat', casino.add_game_table('baccarat', 'baccarat', 10, 10000)),
                            ('holdem', casino.add_game_table('casino_holdem', 'holdem', 10, 1000)),
                            ('texas', casino.add_game_table('holdem_cash_25_50', 'texas', 25, 10000,
                                                            '{"seats": 6}')),
                            ('wheel', casino.add_game_table('roulette_synot', 'wheel', 10, 1000));
-- none of them has boxes
CREATE FUNCTION t.stake(player text, bet text, seat integer DEFAULT NULL) RETURNS bigint LANGUAGE sql AS
    'SELECT casino.place_bet(t.round(), t.p(player), bet::casino.bet, seat => seat, at => t.at())';

-- baccarat: nothing can be staked after the deal
SELECT t.open('baccarat'), t.stake('ann', 'player@100'), t.close() \g /dev/null
SELECT t.deal('{"player": "9h", "banker": "8d"}') \g /dev/null
SELECT is(t.correct('{"player": "6h", "banker": "8d"}') || ' ' || coalesce(t.refunds(), 'none'), '0 none',
          'R11.12 (D4 Baccarat §10): a plain correction');
SELECT is(t.kept('{"player": "9h", "banker": "8d"}', '{"player": "6h", "banker": "8d"}'), true,
          'both deals are kept, and recalled');
SELECT is((t.settle('{"player": "6h Kd", "banker": "8d Kc"}')).status || ' ' || t.standing(),
          'settled ann player lost 0', 'and the round is finished: 6 against 8');

SELECT t.open('baccarat'), t.stake('ann', 'player@100'), t.close(),
       t.deal('{"player": "2h 3h", "banker": "4d 2s"}') \g /dev/null
SELECT is(t.correct('{"player": "2h 9d 3h", "banker": "4d 2s"}'), '0',
          'R11.63: the third card was not one of the two');
SELECT is(t.kept('{"player": "2h 3h", "banker": "4d 2s"}', '{"player": "2h 9d 3h", "banker": "4d 2s"}'), true,
          'both deals are kept, and recalled');
SELECT t.settle('{"player": "2h 9d 3h", "banker": "4d 2s"}') \g /dev/null

-- Casino Hold'em: the flop was wrong, and the ante called
CREATE FUNCTION t.flop(wrong text, right_ text, stand boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.open('holdem'), t.stake('ann', 'ante@10'), t.stake('bob', 'ante@10'), t.close();
    PERFORM t.deal(wrong), t.stake('ann', 'call@20');
    RETURN t.correct(right_, stand) || ' ' || coalesce(t.refunds(), 'none');
END $$;
\set wrong '''{"player": "As Ks", "board": "Qs Js Td"}'''
\set right '''{"player": "As Ks", "board": "Qs Js Ts"}'''
\set royal '''{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}'''
SELECT is(t.flop(:wrong, :right, false), '1 ann 20 misdealt',
          'R11.30 (D4 Casino Hold''em §19): a call on a wrong flop goes back, the antes stay');
SELECT is(t.kept(:wrong, :right), true, 'both deals are kept, and recalled');
SELECT is(t.verdict($$ SELECT t.stake('ann', 'call@10') $$), 'KB002', 'a call is twice the ante, as before');
SELECT t.stake('ann', 'call@20') \g /dev/null
-- a royal flush pays the ante 100 to 1 and the call 1 to 1
SELECT is((t.settle(:royal)).status || ' ' || t.standing(),
          'settled ann ante won 1010, ann call refunded, ann call won 40, bob ante lost 0',
          'called again, and the round is finished');
SELECT is(t.flop(:wrong, :right, true), '0 none', 'R11.30: unless the supervisor lets it stand');
SELECT is((t.settle(:royal)).status || ' ' || t.standing(),
          'settled ann ante won 1010, ann call won 40, bob ante lost 0', 'then the call stands');
-- nobody called by the right cards
SELECT is(t.flop('{"player": "As Ks", "board": "Qs Js Td"}',
                 '{"player": "2s 7d", "board": "Qs Js Td"}', false),
          '1 ann 20 misdealt', 'R11.30: the player''s own cards');
SELECT is((t.settle('{"player": "2s 7d", "board": "Qs Js Td", "dealer": "4h 4d"}')).status || ' '
          || t.standing(), 'settled ann ante lost 0, ann call refunded, bob ante lost 0',
          'who does not call again has folded');

-- the flop was called on the card of the turn
SELECT is(t.flop('{"player": "As Ks", "board": "Qs Js Ts"}',
                 '{"player": "As Ks", "board": "Qs Js 2d Ts"}', false),
          '1 ann 20 misdealt', 'R11.63: a card of the turn was not one of the flop');
SELECT is((t.settle('{"player": "As Ks", "board": "Qs Js 2d Ts 3c", "dealer": "4h 4d"}')).status || ' '
          || t.standing(), 'settled ann ante lost 0, ann call refunded, bob ante lost 0',
          'after the turn nobody calls again');

-- Texas Hold'em: pots are staked during the hand, also on a wrong flop; chips that go back are the seat's
SELECT t.open('texas') \g /dev/null
SELECT casino.bring_to_table(t.round(), t.p('ann'), 300, 1, t.at()) \g /dev/null
SELECT t.stake('ann', 'pot@100', 1), t.stake('bob', 'pot@100', 2) \g /dev/null
SELECT throws_ok(format('SELECT casino.deal(%s, %L)', t.round(), '{"button": 1, "seats": []}'), 'KR002', NULL,
                 'Texas: no cards are dealt before the close');
SELECT t.close() \g /dev/null
\set seats '"seats": [{"seat": 1, "cards": "Qs Kd"}, {"seat": 2, "cards": "7d 7h"}]}'
\set wrong '''{"button": 1, "board": "Qh 7s 2c", ':seats''''
\set right '''{"button": 1, "board": "Qh Qd 2c", ':seats''''
SELECT t.deal(:wrong) \g /dev/null
SELECT t.stake('ann', 'pot@200', 1), t.stake('bob', 'pot@200', 2) \g /dev/null
SELECT is(t.correct(:right) || ' ' || t.refunds(), '2 ann 200 misdealt, bob 200 misdealt',
          'R11.30 (D2 Texas Holdem): stakes on a wrong flop go back, the pot before it stays');
SELECT is(t.kept(:wrong, :right), true, 'both deals are kept, and recalled');
SELECT throws_ok($$ SELECT t.stake('ann', 'pot@200.01', 1) $$, 'KB002', NULL,
                 'R6.30: chips that went back are those of the seat, and no more');
SELECT t.stake('ann', 'pot@200', 1), t.stake('bob', 'pot@200', 2) \g /dev/null
-- R11.18: all that a player wins is paid on the first stake, and nothing on the later ones
SELECT is((t.settle(replace(:right, 'Qh Qd 2c', 'Qh Qd 2c 9s 4h'))).status || ' ' || t.standing(),
          'settled ann pot won 600, ann pot refunded, ann pot lost 0, '
          'bob pot lost 0, bob pot refunded, bob pot lost 0',
          'staked again, and the hand is finished: three queens against two pairs');
SELECT t.open('texas'), t.stake('ann', 'pot@100', 1), t.stake('bob', 'pot@100', 2), t.close(),
       t.deal(:wrong), t.stake('ann', 'pot@50', 1), t.stake('bob', 'pot@50', 2) \g /dev/null
SELECT is(t.correct(:right, true) || ' ' || coalesce(t.refunds(), 'none'), '0 none',
          'R11.30: unless the supervisor lets it stand');
SELECT is((t.settle(replace(:right, 'Qh Qd 2c', 'Qh Qd 2c 9s 4h'))).paid, 300.00, 'then the pot is 300');

-- cards that were thrown away need not be shown any more; shown they are the same
CREATE FUNCTION t.thrown(seat text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    returned text;
BEGIN
    PERFORM t.open('texas'), t.stake('ann', 'pot@100', 1), t.stake('bob', 'pot@100', 2), t.close();
    PERFORM t.deal('{"button": 1, "board": "Qh 7s 2c", '
                   '"seats": [{"seat": 1, "cards": "Qs Kd"}, {"seat": 2}]}');
    PERFORM t.stake('ann', 'pot@50', 1);
    returned := t.correct(format('{"button": 1, "board": "Qh 7s 2c", "seats": [%s, {"seat": 2}]}', seat));
    RETURN concat_ws(' of ', returned, (SELECT c.wrong_deal_no
                                          FROM casino.deal_correction c
                                         WHERE c.round_id = t.round()));
END $$;
SELECT is(t.thrown(seat), found, 'R11.63: ' || seat)
  FROM (VALUES ('{"seat": 1, "folded": true}', '0'),
               ('{"seat": 1, "folded": true, "cards": "Kd Qs"}', '0'),
               ('{"seat": 1, "folded": true, "cards": "Qs Kh"}', '1 of 1'),
               ('{"seat": 1}', '1 of 1')) v (seat, found);

-- roulette: a wheel deals no cards
SELECT t.open('wheel'), t.stake('ann', 'red@100'), t.close() \g /dev/null
SELECT throws_ok(format('SELECT casino.correct_deal(%s, %L, %L)', t.round(), '{"number": 1}', 'misread'),
                 'KR002', NULL, 'roulette: nothing was dealt, nothing is corrected before the evaluation');
SELECT is((t.settle('{"number": 1}')).status || ' ' || t.standing(), 'settled ann red won 200',
          'the number is told once, by settle_round()');

-- a decision that was shown holds, until correct_deal() takes it back (R3.63)
CREATE FUNCTION t.decided(game text, wagers text[], shown text, settled text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked(game, wagers), t.deal(shown);
    RETURN t.verdict(format('SELECT t.settle(%L)', settled));
END $$;
SELECT is(t.decided(game, wagers, shown, settled), expected, 'R3.63: ' || what)
  FROM (VALUES
    ('synot+', '{main@100}'::text[], 'Td | 9h 7d !surrender', 'Td 9c | 9h 7d', 'KR001',
     'who has surrendered gets half, also when the outcome forgets it'),
    ('synot+', '{main@100}', 'Td | 9h 7d !surrender', 'Td 9c | 9h 7d 5c', 'KR001', 'nor plays on'),
    ('synot+', '{main@100}', 'Td | 9h 7d !surrender', 'Td 9c | 9h 7d !surrender', 'ok',
     'half is paid'),
    ('synot+', '{main@100}', 'Td | 9h 7d', 'Td 9c | 9h 7d !surrender', 'ok',
     'the outcome may bring it first'),
    ('synot+', '{main@100,bob#2 main@100}', 'Td | 9h 7d !surrender | 2: 9c 8c',
     'Td 9c | 9h 7d | 2: 9c 8c !surrender', 'KR001', 'of its own box'),
    ('czech', '{main@100,bob main@100}', 'Ad | Ac Kc !even=bob', 'Ad 9c | Ac Kc',
     'KR001', 'even money is paid'),
    ('czech', '{main@100,bob main@100}', 'Ad | Ac Kc !even=bob', 'Ad 9c | Ac Kc !even=ann',
     'KR001', 'to who took it'),
    ('czech', '{main@100,bob main@100}', 'Ad | Ac Kc !even=bob', 'Ad 9c | Ac Kc !even=ann,bob',
     'ok', 'the other may still take it'),
    ('czech', '{main@100,bob main@100}', 'Ad | Ac Kc !even=bob', 'Ad 9c | Ac Kc !even',
     'ok', 'or both at once'),
    ('czech', '{main@100,bob main@100}', 'Ad | Ac Kc !even', 'Ad 9c | Ac Kc !even=ann,bob',
     'KR001', 'taken by all it is taken by all'))
       v (game, wagers, shown, settled, expected, what);
SELECT t.staked('synot+', '{main@100,bob#2 main@100}'),
       t.deal('Td | 9h 7d !surrender | 2: 9c 8c') \g /dev/null
SELECT is(t.verdict(format('SELECT t.deal(%L)', cards)), 'KR001',
          'R3.63: deal() does not forget it: ' || cards)
  FROM unnest('{Td | 9h 7d | 2: 9c 8c,Td | 2: 9c 8c,Td 9d | 9h 7d 2c | 2: 9c 8c 5c}'::text[]) cards;
SELECT is(t.correct('Td | 9h 7d | 2: 9c 8c'), '0', 'R3.63: correct_deal() takes it back');
SELECT t.settle('Td 9c | 9h 7d 5c | 2: 9c 8c') \g /dev/null
SELECT is(t.standing(), 'ann main won 200, bob main lost 0', 'and the hand is played');

-- a card that a seat was shown stays: its player has staked on it (R11.12)
SELECT t.staked('czech', '{main@100,bob#2 main@100}'), t.deal('6d | 8s 8d | 2: 5s 6d') \g /dev/null
SELECT t.place('/2 split_pair@100'), t.place('bob#2 double_down@100') \g /dev/null
SELECT is(t.refusal(format('SELECT t.deal(%L)', cards)), said, 'R11.12: ' || cards)
  FROM (VALUES ('6d | 8s Tc | 8d 3s | 2: 5s 6d 9h', 'ok'),
               ('6d | 8d 3s | 8s Tc | 2: 6d 5s 9h', 'ok'),
               ('6d | 8s 8d', 'ok'),
               ('6d | 8s Tc | 8d 3s | 2: 5s 7d 9h', 'KR001 Seat 2 was dealt 6d.'),
               ('6d | 8s Tc | 8c 3s | 2: 5s 6d 9h', 'KR001 Seat 1 was dealt 8d.'),
               ('6d | 8s 8s | 2: 5s 6d', 'KR001 Seat 1 was dealt 8d.')) v (cards, said);
SELECT is(t.verdict($$ SELECT t.settle('6d Ts 8h | 8s Tc | 8d 3s 9h | 2: 5s 7d 9h') $$), 'KR001',
          'R11.12: nor may the outcome have another');
SELECT is(t.correct('6d | 8s 8d | 2: 5s 7d'), '2',
          'correct_deal() says so, and later stakes go back');
SELECT t.settle('6d Ts 8h | 8s 8d | 2: 5s 7d') \g /dev/null

-- cards as dealt and cards in the end are held against each other as cards, not as text: of all but
-- the dealer only which they are is told (R11.12)
SELECT t.open('holdem'), t.stake('ann', 'ante@10'), t.close(),
       t.deal('{"player": "10s Ks", "board": "Qs Js Td"}'),
       t.settle('{"player": "Ks Ts", "board": "Js Qs  10d 2d 3c", "dealer": "4h 4d"}') \g /dev/null
SELECT t.open('czech'), t.stake('ann', 'main@10', 1), t.close(), t.deal('10d | 5s 6d 7c'),
       t.settle('Td 10h | 5s 6d 7c') \g /dev/null
SELECT t.open('baccarat'), t.stake('ann', 'player@100'), t.close(),
       t.deal('{"player": "3h 2h", "banker": "  4d   2s "}'),
       t.settle('{"player": "2h 3h 9d", "banker": "4d 2s"}') \g /dev/null

-- ---------------------------------------------------------------------------------------------- the night
SELECT is((SELECT count(*) FROM casino.significant_event('2026-01-01', '2026-12-31') e
            WHERE e.event = 'cards corrected'), (SELECT count(*) FROM casino.deal_correction),
          'each is a significant event');
CREATE FUNCTION t.audit() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c record;
    f casino.finding;
    found text;
BEGIN
    FOR c IN SELECT * FROM casino.reconciliation_checks() k WHERE k.check_name NOT LIKE 'provider%' LOOP
        FOR f IN EXECUTE format('SELECT * FROM %s(%L, %L)', c.function, '2025-12-31', '2026-02-28') LOOP
            found := concat_ws('; ', found, format('%s %s player %s round %s entry %s: %s, %s', c.check_name,
                                                   f.rule, f.player_id, f.round_id, f.entry_no, f.expected,
                                                   f.found));
        END LOOP;
    END LOOP;
    RETURN coalesce(found, 'nothing');
END $$;
SELECT is(t.audit(), 'nothing', 'the night finds nothing wrong');
-- R11.63: which document was wrong, forged as a whole, with what went back
CREATE FUNCTION t.forged(value text, game text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := (SELECT min(c.round_id)
                            FROM casino.deal_correction c
                            JOIN casino.round x USING (round_id)
                            JOIN t.tables b ON b.table_id = x.table_id AND b.name = game
                           WHERE c.returned > 0);
    found text;
BEGIN
    ALTER TABLE casino.deal_correction DISABLE TRIGGER ALL;
    EXECUTE format('UPDATE casino.deal_correction SET wrong_deal_no = %s WHERE round_id = %s', value, r);
    SELECT string_agg(f.rule, ' ' ORDER BY f.rule) INTO found
      FROM casino_internal.check_record_rows('-infinity', 'infinity') f
     WHERE f.round_id = r AND f.rule = 'wrong_deal';
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN coalesce(found, 'nothing');
END $$;
SELECT is(t.forged(value, game), found,
          format('R11.63: planted: %s, the first wrong deal is %s', game, value))
  FROM (VALUES ('wrong_deal_no', 'nothing'), ('NULL', 'wrong_deal')) v (value, found),
       unnest('{czech,infinite,holdem,texas}'::text[]) game;
-- R11.12: cards of a document that are not those of the end, forged as a whole
CREATE FUNCTION t.redealt(game text, side text, cards text, which text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := (SELECT max(x.round_id)
                            FROM casino.round x
                            JOIN t.tables b ON b.table_id = x.table_id AND b.name = game
                           WHERE x.outcome IS NOT NULL
                             AND (which IS NOT NULL)
                                 = EXISTS (SELECT
                                             FROM casino.deal_correction c
                                            WHERE c.round_id = x.round_id));
    found text;
BEGIN
    ALTER TABLE casino.deal DISABLE TRIGGER ALL;
    UPDATE casino.deal d
       SET document = jsonb_set(document, ARRAY[side], to_jsonb(cards))
     WHERE d.round_id = r
       AND d.deal_no = (SELECT CASE which WHEN 'first' THEN min(o.deal_no) ELSE max(o.deal_no) END
                          FROM casino.deal o
                         WHERE o.round_id = r);
    SELECT string_agg(concat_ws(', ', f.rule, f.expected, f.found), '; ') INTO found
      FROM casino_internal.check_record_rounds('-infinity', 'infinity') f
     WHERE f.round_id = r;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN coalesce(found, 'nothing');
END $$;
SELECT is(t.redealt(game, side, cards), found, format('R11.12: planted: %s %s', side, cards))
  FROM (VALUES ('holdem', 'board', 'Td Js Qs', 'nothing'),
               ('holdem', 'board', 'Qs Js 2d', 'deal, board Js Qs Td 2d 3c, board Qs Js 2d'),
               ('holdem', 'board', 'Qs Qs Td', 'deal, board Js Qs Td 2d 3c, board Qs Qs Td'),
               ('holdem', 'board', 'Qs', 'deal, board Js Qs Td 2d 3c, board Qs'),
               ('holdem', 'board', 'nought', 'deal, board Js Qs Td 2d 3c, board nought'),
               ('holdem', 'dealer', '4h 4d', 'nothing'),
               ('holdem', 'dealer', '4d 4h', 'deal, dealer 4h 4d, dealer 4d 4h'),
               ('holdem', 'dealer', '4h 4d 2c', 'deal, dealer 4h 4d, dealer 4h 4d 2c'),
               ('baccarat', 'player', '3h 9d', 'deal, player 2h 3h 9d, player 3h 9d'),
               ('baccarat', 'banker', '', 'nothing')) v (game, side, cards, found);
SELECT is(t.redealt('texas', 'board', '2h 3h 4h', which), found, 'R11.12: planted: ' || which || ' document')
  FROM (VALUES ('first', 'nothing'),
               ('last', 'deal, board Qh Qd 2c 9s 4h, board 2h 3h 4h')) v (which, found);
SELECT * FROM finish();
