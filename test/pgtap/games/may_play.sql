-- may_play(): its offers are taken, and nothing else, at random hands of all blackjacks and both Hold'ems;
-- round_view() of a client that reconnects.
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SET casino.clock_skew = -1;
SELECT setseed(0.4711);
CREATE SCHEMA t;
CREATE TABLE t.seen (game text, kind text, offered boolean, n bigint);
CREATE TABLE t.wrong (game text, said text);

CREATE FUNCTION t.card() RETURNS text LANGUAGE sql AS $$
    -- eights and aces often, so that hands can be split and insured
    SELECT (ARRAY['8', '8', 'A', 'T', 'T', '5', '6', '3', '9', 'K', '2',
                  '7'])[1 + floor(random() * 12)::integer]
           || (ARRAY['c', 'd', 'h', 's'])[1 + floor(random() * 4)::integer]
$$;
CREATE FUNCTION t.taken(r bigint, p bigint, bet text, seat integer,
                        hand integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.place_bet(r, p, bet::casino.bet, NULL, seat, hand);
    RAISE SQLSTATE 'YYYYY';
EXCEPTION
    WHEN SQLSTATE 'YYYYY' THEN RETURN true;
    WHEN SQLSTATE '22023' OR SQLSTATE '22003' OR SQLSTATE '22P02' OR SQLSTATE 'KB001' OR SQLSTATE 'KB002'
        OR SQLSTATE 'KB003'
      OR SQLSTATE 'KB004' OR SQLSTATE 'KB005' OR SQLSTATE 'KL002' THEN RETURN false;
END $$;

-- Every wager in play on every seat and hand is tried by hand and held against what may_play() says of it
CREATE FUNCTION t.compare(game text, r bigint, p bigint, seat integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a_kind text;
    stake numeric;
    a_hand integer;
    taken boolean;
    offered boolean;
BEGIN
    CREATE TEMP TABLE said ON COMMIT DROP AS SELECT * FROM casino.may_play(r, p);
    FOREACH a_kind IN ARRAY '{double_down,split_pair,insurance,free_double,free_split,call}'::text[] LOOP
        FOREACH stake IN ARRAY '{50,100,150,200}'::numeric[] LOOP
            FOR a_hand IN 0 .. 6 LOOP
                taken := t.taken(r, p, a_kind || '@' || stake, seat, nullif(a_hand, 0));
                offered := EXISTS (SELECT FROM said s
                                    WHERE s.why_not IS NULL AND casino.kind(s.bet) = a_kind
                                        AND s.amount = stake
                                      AND s.hand IS NOT DISTINCT FROM nullif(a_hand, 0));
                -- a wager without a hand lies on the first; insurance of less than half is the player's
                -- choice
                CONTINUE WHEN a_hand = 0 AND EXISTS (SELECT FROM said s
                                                     WHERE casino.kind(s.bet) = a_kind
                                                         AND s.hand IS NOT NULL);
                CONTINUE WHEN a_hand <> 0 AND EXISTS (SELECT FROM said s
                                                      WHERE casino.kind(s.bet) = a_kind AND s.hand IS NULL);
                CONTINUE WHEN a_kind = 'insurance' AND stake < 50;
                IF taken <> offered THEN
                    INSERT INTO t.wrong VALUES (game,
                                                format('round %s: %s@%s on seat %s, hand %s: taken %s, '
                                                       'offered %s: %s',
                                                             r, a_kind, stake, seat, a_hand, taken, offered,
                                                                 (SELECT jsonb_agg(s) FROM said s)));
                END IF;
            END LOOP;
        END LOOP;
    END LOOP;
    INSERT INTO t.seen SELECT game, casino.kind(s.bet), s.why_not IS NULL, count(*) FROM said s
     GROUP BY 1, 2, 3;
    DROP TABLE said;
END $$;

-- One round: a stake, two cards, then whatever is offered, at random
CREATE FUNCTION t.play(game text, at_table bigint, p bigint, no integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    seat integer := CASE WHEN (SELECT g.family FROM casino.game g WHERE g.game = play.game) = 'blackjack'
                              AND (SELECT t.seats FROM casino.table_limits_at(at_table) t) > 0 THEN 1 END;
    r bigint := casino.open_round(at_table, 'r' || no);
    -- a pair, a hard eleven, or what comes
    hands text[] := ARRAY[CASE no % 3 WHEN 0 THEN '8h 8s' WHEN 1 THEN '5c 6d'
                          ELSE t.card() || ' ' || t.card() END];
    dealer text := t.card();
    move record;
BEGIN
    PERFORM casino.place_bet(r, p, 'main@100', NULL, seat);
    PERFORM t.compare(game, r, p, seat);
    PERFORM casino.close_betting(r);
    FOR step IN 1 .. 4 LOOP
        BEGIN
            PERFORM casino.deal(r, jsonb_build_object('dealer', dealer, 'hands',
                (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('seat', seat, 'hand', h.n, 'cards',
                        h.cards)) ORDER BY h.n)
                   FROM unnest(hands) WITH ORDINALITY h (cards, n))));
        EXCEPTION WHEN SQLSTATE 'KR001' THEN
            -- too many of a card, or cards that the rules of this game do not let fall so
            EXIT;
        END;
        PERFORM t.compare(game, r, p, seat);
        SELECT m.* INTO move FROM casino.may_play(r, p) m
         WHERE m.why_not IS NULL AND m.bet IS NOT NULL ORDER BY random() LIMIT 1;
        EXIT WHEN NOT FOUND;
        PERFORM casino.place_bet(r, p, move.bet, NULL, move.seat, move.hand);
        IF casino.kind(move.bet) IN ('split_pair', 'free_split') THEN
            hands := hands || (split_part(hands[coalesce(move.hand, 1)], ' ', 2) || ' ' || t.card());
            hands[coalesce(move.hand, 1)] := split_part(hands[coalesce(move.hand, 1)], ' ', 1) || ' '
                || t.card();
        ELSIF casino.kind(move.bet) IN ('double_down', 'free_double') THEN
            hands[coalesce(move.hand, 1)] := hands[coalesce(move.hand, 1)] || ' ' || t.card();
        END IF;
    END LOOP;
    PERFORM casino.void_round(r, 'test');
    PERFORM t.compare(game, r, p, seat);
END $$;
SELECT register_player('rich') AS rich \gset
SELECT deposit(:rich, 1000000, 'money') \g /dev/null
CREATE TABLE t.table AS
SELECT g.game, add_game_table(g.game, 'B', 50, 2000) AS table_id FROM game g WHERE g.family = 'blackjack';
SELECT t.play(b.game, b.table_id, :rich, no) FROM t.table b, generate_series(1, 6) no \g /dev/null

-- Casino Hold'em: the call comes after the flop
SELECT add_game_table('casino_holdem', 'H', 50, 2000) AS holdem \gset
CREATE FUNCTION t.holdem(at_table bigint, p bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(at_table, 'call');
BEGIN
    PERFORM casino.place_bet(r, p, 'ante@100');
    PERFORM t.compare('casino_holdem', r, p, NULL);
    PERFORM casino.close_betting(r);
    PERFORM casino.deal(r, '{"player": "As Ks", "board": "Qs Js 2h"}');
    PERFORM t.compare('casino_holdem', r, p, NULL);
    PERFORM casino.place_bet(r, p, 'call@200');
    PERFORM t.compare('casino_holdem', r, p, NULL);
    PERFORM casino.settle_round(r, '{"player": "As Ks", "board": "Qs Js 2h 3c 4d", "dealer": "9h 9d"}');
    PERFORM t.compare('casino_holdem', r, p, NULL);
END $$;
SELECT t.holdem(:holdem, :rich) \g /dev/null
-- Texas Hold'em: the most that may be put into the pot, and a haléř more, at random wallets and stakes
SELECT add_game_table('holdem_cash_25_50', 'T', 25, 2000, '{"seats": 6}') AS texas \gset
CREATE FUNCTION t.texas(at_table bigint, no integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(at_table, 'pot' || no);
    p bigint[];
    said record;
    seat integer;
BEGIN
    FOR n IN 1 .. 3 LOOP
        p := p || casino.register_player(format('texas %s %s', no, n));
        PERFORM casino.deposit(p[n], 60 + floor(random() * 300000)::integer / 100.0, 'money');
        PERFORM casino.place_bet(r, p[n], format('pot@%s',
            25 + floor(random() * 30)::integer)::casino.bet, NULL, n);
    END LOOP;
    FOR step IN 1 .. 3 LOOP
        CASE step
            WHEN 2 THEN PERFORM casino.close_betting(r);
            WHEN 3 THEN
                PERFORM casino.deal(r,
                    '{"button": 1, "seats": [{"seat": 1, "folded": true}, {"seat": 2}, {"seat": 3}]}');
            ELSE NULL;
        END CASE;
        FOR seat IN 1 .. 3 LOOP
            SELECT m.* INTO said FROM casino.may_play(r, p[seat]) m WHERE casino.kind(m.bet) = 'pot';
            INSERT INTO t.seen VALUES ('holdem', 'pot', said.why_not IS NULL AND said.amount IS NOT NULL, 1);
            IF said.amount IS NULL
               OR t.taken(r, p[seat], 'pot@' || said.amount, seat, NULL) <> (said.why_not IS NULL)
               OR t.taken(r, p[seat], 'pot@' || (said.amount + 0.01), seat, NULL)
               OR (said.why_not IS NULL) <> (step < 3 OR seat <> 1) THEN
                INSERT INTO t.wrong VALUES ('holdem', format('step %s seat %s: %s', step, seat,
                    to_jsonb(said)));
            END IF;
        END LOOP;
    END LOOP;
    PERFORM casino.void_round(r, 'test');
END $$;
SELECT t.texas(:texas, no) FROM generate_series(1, 20) no \g /dev/null
SELECT is_empty('SELECT * FROM t.wrong LIMIT 5', 'what may_play() offers is taken, and nothing else');
SELECT is_empty($$SELECT k
    FROM unnest('{double_down,split_pair,insurance,free_double,free_split,call,pot}'::text[]) k
                   WHERE NOT EXISTS (SELECT FROM t.seen s WHERE s.kind = k AND s.offered)$$,
                       'every kind was on offer at some time');
SELECT is((SELECT count(*) FROM t.seen WHERE NOT offered) > 100, true, 'and often enough not');

-- ----------------------------------------------------------------------- why not, what is left, who is asked
SELECT table_id AS synot FROM t.table WHERE game = 'blackjack_synot' \gset
SELECT open_round(:synot, 'view') AS r, register_player('poor') AS poor \gset
SELECT deposit(:poor, 150, 'money') \g /dev/null
SELECT place_bet(:r, :poor, 'main@100', NULL, 2) AS main \gset
SELECT results_eq(format($$SELECT DISTINCT why_not FROM casino.may_play(%s, %s)
                         WHERE casino.kind(bet) = 'double_down' AND hand = 1$$, :r, :poor),
                  $$VALUES ('double_down@100.00 is not allowed before betting has closed')$$,
                      'before the close');
SELECT close_betting(:r),
    deal(:r, '{"dealer": "Ah", "hands": [{"seat": 2, "hand": 1, "cards": "5h 6d"}]}') \g /dev/null
SELECT results_eq(format($$SELECT why_not FROM casino.may_play(%s, %s)
                         WHERE casino.kind(bet) = 'double_down' AND hand = 1$$, :r, :poor),
                  $$VALUES ('player 2 has 50.00 CZK, 100.00 CZK are needed')$$,
                      'a double that the wallet does not hold')
    WHERE EXISTS (SELECT FROM casino.player WHERE player_id = 2 AND player_id = :poor);
SELECT is((SELECT why_not FROM may_play(:r, :poor) WHERE kind(bet) = 'insurance'), NULL,
          'insurance of half the stake is there');
SELECT is((SELECT count(*) FROM ledger WHERE player_id = :poor), 2::bigint, 'asking leaves no entry');
SELECT is((SELECT count(*) FROM refusal WHERE player_id = :poor), 0::bigint, 'and no refusal');
SELECT is_empty(format('SELECT * FROM casino.may_play(%s, %s)', :r, :rich),
                'who has no stake there plays nothing');
SELECT throws_ok(format('SELECT * FROM casino.may_play(%s)', c), code, NULL, 'may_play(' || c || ')')
  FROM (VALUES ('NULL, 1', '22004'), ('1, NULL', '22004'), ('999999, 1', '23503'),
        ('1, 999999', '23503')) v (c, code);
SELECT throws_ok(format('SELECT casino.round_view(%s)', c), code, NULL, 'round_view(' || c || ')')
  FROM (VALUES ('NULL, 1', '22004'), ('1, NULL', '22004'), ('999999, 1', '23503'),
        ('1, 999999', '23503')) v (c, code);

-- ------------------------------------------------------------------ even money, surrender (R11.70, R3.62)
-- action, hand, whether something stands in the way and why, of decisions that stake nothing
CREATE FUNCTION t.marks(r bigint, p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s: %s', m.seat, m.action,
                             coalesce(m.reason, 'yes') || coalesce(' ' || (m.data ->> 'why'), '')), '; '
                      ORDER BY m.seat, m.action)
      FROM casino.may_play(r, p) m
     WHERE m.bet IS NULL AND m.amount IS NULL AND m.hand = 1 AND (m.why_not IS NULL) = (m.reason IS NULL)
$$;
CREATE FUNCTION t.boxes(game text, options jsonb) RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.open_round(casino.add_game_table(game, game || options, 50, 2000,
                                                   '{"seats": 5}' || options), 'marks')
$$;
SELECT register_player('ann') AS ann, register_player('bob') AS bob \gset
SELECT deposit(p, 100000, 'money') FROM unnest(ARRAY[:ann, :bob]) p \g /dev/null

-- D4 Blackjack §19: the first two cards, where the table offers it, no blackjack, no split, no double
SELECT t.boxes('blackjack_synot', '{"surrender": true, "behind": true}') AS m \gset
SELECT place_bet(:m, :ann, 'main@100', NULL, s) FROM generate_series(1, 4) s \g /dev/null
SELECT place_bet(:m, :bob, 'behind@100', NULL, 1) \g /dev/null
SELECT is(t.marks(:m, :ann), '1 surrender: too_early; 2 surrender: too_early; 3 surrender: too_early; '
    '4 surrender: too_early', 'surrender: not before betting has closed');
SELECT close_betting(:m) \g /dev/null
SELECT is(t.marks(:m, :bob), '1 surrender: behind_decides', 'R3.41: a bet behind goes with the owner''s');
SELECT is((SELECT message_for_player(reason, data, 'en') FROM may_play(:m, :ann)
            WHERE action = 'surrender' AND seat = 1), 'The cards do not allow it (surrender).',
          'nor before the cards');
SELECT deal(:m, '{"dealer": "Th", "hands": [{"seat": 1, "cards": "9h 7d"}, {"seat": 2, "cards": "Ah Kd"},
                                            {"seat": 3, "cards": "8h 8d"}, {"seat": 4, "cards": "5h 6d"}]}')
    \g /dev/null
SELECT is(t.marks(:m, :ann),
          '1 surrender: yes; '
          '2 surrender: not_with_cards Seat 2, hand 1: a blackjack may not be surrendered '
          '(D4 Blackjack §19).; 3 surrender: yes; 4 surrender: yes',
          'D4 Blackjack §19: each hand of two cards but a blackjack');
SELECT place_bet(:m, :ann, 'split_pair@100', NULL, 3, 2), place_bet(:m, :ann, 'double_down@100', NULL, 4)
    \g /dev/null
SELECT is(t.marks(:m, :ann),
          '1 surrender: yes; '
          '2 surrender: not_with_cards Seat 2, hand 1: a blackjack may not be surrendered '
          '(D4 Blackjack §19).; '
          '3 surrender: not_with_cards Seat 3, hand 1: a split hand may not be surrendered '
          '(D4 Blackjack §19).; '
          '4 surrender: not_with_cards Seat 4, hand 1: a doubled hand may not be surrendered '
          '(D4 Blackjack §19).',
          'R3.31: nor after a split, whose cards do not lie apart yet, nor after a double');
SELECT is(round_view((SELECT table_id FROM round WHERE round_id = :m), :ann) -> 'may_play'
          @> '[{"bet": null, "seat": 1, "hand": 1, "amount": null, "action": "surrender"}]', true,
          'round_view() has the decision beside the wagers');
SELECT throws_ok(format($$SELECT deal(%s, '{"dealer": "Th", "hands": [{"seat": 1, "cards": "9h 7d"},
                          {"seat": 2, "cards": "Ah Kd"}, {"seat": 3, "cards": "8h 8d", "surrendered": true},
                          {"seat": 4, "cards": "5h 6d"}]}')$$, :m), 'KR001', NULL,
                 'R3.31: deal() refuses the mark of a hand whose split is staked');
SELECT deal(:m, '{"dealer": "Th", "hands": [{"seat": 1, "cards": "9h 7d", "surrendered": true},
    {"seat": 2, "cards": "Ah Kd"}, {"seat": 3, "cards": "8h 8d"}, {"seat": 4, "cards": "5h 6d"}]}')
    \g /dev/null
SELECT is(split_part(t.marks(:m, :ann), ';', 1), '1 surrender: has_surrendered', 'once');
SELECT is_empty(format('SELECT * FROM casino.may_play(%s, %s) WHERE seat = 1 AND why_not IS NULL', :m, :ann),
                'and nothing else on that hand');
SELECT close_actions(:m) \g /dev/null
SELECT is(split_part(t.marks(:m, :ann), ';', 1), '1 surrender: actions_closed',
          'R3.63: the end of decisions');
SELECT void_round(:m, 'test') \g /dev/null
-- R8.4: before the dealer's second card is looked at; it lies face down
SELECT t.boxes('blackjack_evolution', '{"surrender": true}') AS m \gset
SELECT place_bet(:m, :ann, 'main@100', NULL, 1), close_betting(:m) \g /dev/null
SELECT deal(:m, '{"dealer": "Th 9c", "hands": [{"seat": 1, "cards": "9h 7d"}]}') \g /dev/null
SELECT is(t.marks(:m, :ann), '1 surrender: yes', 'a hole card lies face down');
SELECT void_round(:m, 'test') \g /dev/null
SELECT t.boxes('blackjack_evolution', '{"surrender": true, "seats": 4}') AS m \gset
SELECT place_bet(:m, :ann, 'main@100', NULL, 1), close_betting(:m) \g /dev/null
SELECT deal(:m, '{"dealer": "", "hands": [{"seat": 1, "cards": "9h"}]}') \g /dev/null
SELECT is(t.marks(:m, :ann), '1 surrender: not_with_cards Seat 1, hand 1: a hand is surrendered on '
    'two cards, not on 1 (D4 Blackjack (Evolution) §19).', 'D4 Blackjack (Evolution) §19: not on one');
SELECT throws_ok(format($$SELECT deal(%s, '{"hands": [{"seat": 1, "cards": "9h", "surrendered": true}]}')$$,
                        :m), 'KR001', NULL, 'nor does deal() take it');
SELECT void_round(:m, 'test') \g /dev/null
SELECT t.boxes('blackjack_evolution', '{}') AS m \gset
SELECT place_bet(:m, :ann, 'main@100', NULL, 1), close_betting(:m) \g /dev/null
SELECT deal(:m, '{"dealer": "Th", "hands": [{"seat": 1, "cards": "9h 7d"}]}') \g /dev/null
SELECT is(t.marks(:m, :ann), '1 surrender: not_offered', 'R3.32: a table that does not offer it');
SELECT void_round(:m, 'test') \g /dev/null

-- D0 HRA, D2 Pojištění: even money against an ace; D3 §3: against an ace or a ten; each player alone
CREATE FUNCTION t.even(game text, dealer text, cards text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(casino.add_game_table(game, game || dealer || cards, 50, 2000,
                                                        '{"seats": 5}'), 'even');
    p bigint;
BEGIN
    FOR p IN SELECT x.player_id FROM casino.player x WHERE x.external_ref IN ('ann', 'bob') ORDER BY 1 LOOP
        CONTINUE WHEN game = 'blackjack_synot' AND EXISTS (SELECT FROM casino.wager w WHERE w.round_id = r);
        PERFORM casino.place_bet(r, p, 'main@100', NULL, 1);
    END LOOP;
    PERFORM casino.close_betting(r);
    PERFORM casino.deal(r, jsonb_build_object('dealer', dealer, 'hands', jsonb_build_array(
        jsonb_build_object('seat', 1, 'cards', cards))));
    RETURN r;
END $$;
WITH played AS MATERIALIZED (
    SELECT v.*, t.even('blackjack_' || game, dealer, cards) AS r
      FROM (VALUES
        ('D0 HRA', 'czech_casinos', 'As', 'Ah Kd', '1 even_money: yes'),
        ('D0 HRA', 'czech_casinos', 'Ks', 'Ah Kd',
         '1 even_money: not_with_cards Seat 1, hand 1: there is no even money against Ks (D0 HRA).'),
        ('D0 HRA', 'czech_casinos', 'As', 'Ah 9d',
         '1 even_money: not_with_cards Seat 1, hand 1: even money is for a blackjack (D0 HRA).'),
        ('D2 Pojištění', 'house', 'As', 'Ah Kd', '1 even_money: yes'),
        ('D2 Pojištění', 'house', 'Ts', 'Ah Kd',
         '1 even_money: not_with_cards Seat 1, hand 1: there is no even money against Ts '
         '(D2 Blackjack Pojištění).'),
        ('D3 §3', 'free_bet', 'As', 'Ah Kd', '1 even_money: yes'),
        ('D3 §3', 'free_bet', 'Ts', 'Ah Kd', '1 even_money: yes'),
        ('D3 §3', 'free_bet', '9s', 'Ah Kd',
         '1 even_money: not_with_cards Seat 1, hand 1: there is no even money against 9s (D3 §3).'),
        ('R1.11: D1', 'classic', 'As', 'Ah Kd', NULL),
        ('R1.11: D4 Blackjack', 'synot', 'As', 'Ah Kd', '1 surrender: not_offered'))
           v (doc, game, dealer, cards, said))
SELECT is(t.marks(r, p), said, format('%s: %s against %s', doc, cards, dealer))
  FROM played
 CROSS JOIN unnest(ARRAY[:ann, :bob]) p
 WHERE NOT (game = 'synot' AND p = :bob);
SELECT t.even('blackjack_house', 'Ad', 'Ac Kc') AS m \gset
SELECT deal(:m, format('{"dealer": "Ad", "hands": [{"seat": 1, "cards": "Ac Kc", "even_money": [%s]}]}',
                       :bob)::jsonb) \g /dev/null
SELECT is(t.marks(:m, :ann), '1 even_money: yes',
          'D0 OVLÁDÁNÍ BOXU, R3.62: each player of a box alone');
SELECT is(t.marks(:m, :bob), '1 even_money: even_money_taken', 'and once');
-- on another's box
SELECT open_round(add_game_table('blackjack_house', 'two boxes', 50, 2000, '{"seats": 5}'), 'two') AS m \gset
SELECT place_bet(:m, :ann, 'main@100', NULL, 1), place_bet(:m, :bob, 'main@100', NULL, 2), close_betting(:m),
       deal(:m, '{"dealer": "Ad", "hands": [{"seat": 1, "cards": "Ac Kc"}, {"seat": 2, "cards": "Ah Kh"}]}')
       \g /dev/null
SELECT throws_ok(format('SELECT check_decision(%s, %s, ''even_money'', 2)', :m, :ann), 'KB005', NULL,
                 'R3.62: nobody takes even money on a box without a stake there');
SELECT lives_ok(format('SELECT check_decision(%s, %s, ''even_money'', 1)', :m, :ann), 'but on the own one');
-- R3.29: instead of an insurance, where a blackjack may be insured
SELECT t.even('blackjack_free_bet', 'Ad', 'Ac Kc') AS m \gset
SELECT place_bet(:m, :bob, 'insurance@50', NULL, 1) \g /dev/null
SELECT is(t.marks(:m, :ann), '1 even_money: yes', 'R3.29: who has no insurance');
SELECT is(t.marks(:m, :bob), '1 even_money: not_with_cards Seat 1, hand 1: even money and insurance '
    'exclude each other (D3 §3).', 'R3.29: who has one');
SELECT deal(:m, '{"dealer": "Ad 9c", "hands": [{"seat": 1, "cards": "Ac Kc"}]}') \g /dev/null
SELECT is(t.marks(:m, :ann), '1 even_money: dealer_has_drawn', 'R3.63: not when the second card is open');

SELECT throws_ok(format('SELECT check_decision(%s, %s, %L, 1)', :m, :ann, d), 'KB004', NULL,
                 'no such decision: ' || d)
  FROM unnest('{stand,EVEN_MONEY,""}'::text[]) d;
SELECT throws_ok(format('SELECT check_decision(%s, %s, ''even_money'', %L)', :m, :ann, s), 'KB005', NULL,
                 'nothing is staked on seat ' || coalesce(s::text, 'NULL'))
  FROM unnest('{0,-1,2,2147483647,NULL}'::integer[]) s;
SELECT throws_ok(format('SELECT check_decision(%L, %L, %L, 1)', r, p, d), '22004', NULL, 'NULL for ' || what)
  FROM (VALUES (NULL::bigint, :ann::bigint, 'even_money', 'the round'),
               (:m, NULL, 'even_money', 'the player'),
               (:m, :ann, NULL, 'the decision')) v (r, p, d, what);
-- before the dealer has a card
SELECT t.even('blackjack_free_bet', '', 'Ac Kc') AS m \gset
SELECT is(t.marks(:m, :ann), '1 even_money: not_with_cards Even money is not offered before the dealer''s '
    'first card (R3.30).', 'R3.30: there is nothing yet that even money is against');
SELECT throws_ok(format($$SELECT deal(%s, '{"hands": [{"seat": 1, "cards": "Ac Kc", "even_money": true}]}')$$,
                        :m), 'KR001', NULL, 'nor does deal() take it');

-- the most that insures a box
CREATE FUNCTION t.insures(r bigint, p bigint) RETURNS numeric LANGUAGE sql AS $$
    SELECT m.amount FROM casino.may_play(r, p) m WHERE m.action = 'insurance' AND m.why_not IS NULL
$$;
SELECT open_round(add_game_table('blackjack_free_bet', 'insured', 50, 2000, '{"seats": 5}'), 'D3') AS m \gset
SELECT place_bet(:m, :ann, 'main@60', NULL, 1) \g /dev/null
SELECT close_betting(:m), deal(:m, '{"dealer": "Ad", "hands": [{"seat": 1, "cards": "Tc Kc"}]}') \g /dev/null
SELECT is(t.insures(:m, :ann), 25.00, 'D3 §7: half of 60 in steps of 25');
SELECT place_bet(:m, :ann, 'split_pair@60', NULL, 1, 2) \g /dev/null
SELECT is(t.insures(:m, :ann), 50.00, 'R3.27: half of 120 with the split');
SELECT place_bet(:m, :ann, 'insurance@25', NULL, 1) \g /dev/null
SELECT is(t.insures(:m, :ann), 25.00, 'and the rest of it');
SELECT place_bet(:m, :ann, 'insurance@25', NULL, 1) \g /dev/null
SELECT is(t.insures(:m, :ann), NULL, 'nothing is left');
-- half of 0.03 is not an amount: 0.03 is the least that half the minimum divides
SELECT open_round(add_game_table('blackjack_free_bet', 'odd', 0.03, 2000, '{"seats": 5}'), 'odd') AS m \gset
SELECT place_bet(:m, :ann, 'main@0.11', NULL, 1) \g /dev/null
SELECT close_betting(:m), deal(:m, '{"dealer": "Ad", "hands": [{"seat": 1, "cards": "Tc 9c"}]}') \g /dev/null
SELECT is(t.insures(:m, :ann), 0.03, 'D3 §7: half of 0.11 in steps of half of 0.03');
SELECT open_round(add_game_table('blackjack_house', 'insured 2', 50, 2000, '{"seats": 5}'), 'D2') AS m \gset
SELECT place_bet(:m, :ann, 'main@60', NULL, 1) \g /dev/null
SELECT close_betting(:m), deal(:m, '{"dealer": "Ad", "hands": [{"seat": 1, "cards": "8c 8h"}]}') \g /dev/null
SELECT place_bet(:m, :ann, 'split_pair@60', NULL, 1, 2), place_bet(:m, :ann, 'insurance@12.5', NULL, 1)
    \g /dev/null
SELECT is(t.insures(:m, :ann), 17.50, 'D2 Pojištění: up to half of the main bet, 12.50 are there');

CREATE TABLE t.view AS SELECT round_view(:synot, :poor) AS v;
SELECT is((SELECT v #>> '{round,status}' FROM t.view), 'closed', 'round_view(): the round');
SELECT is((SELECT v #> '{dealt,hands,0,cards}' FROM t.view), '"5h 6d"', 'its cards');
SELECT is((SELECT (v -> 'wagers') #>> '{0,bet}' FROM t.view), 'main@100.00', 'his wagers');
SELECT is((SELECT v -> 'balance' FROM t.view), '50.00', 'his wallet');
SELECT is((SELECT jsonb_agg(p -> 'bet') FROM t.view, jsonb_array_elements(v -> 'may_play') p),
          '["insurance@50.00"]', 'and what he may do');
SELECT settle_round(:r, '{"dealer": "Ah 9c", "hands": [{"seat": 2, "cards": "5h 6d Th"}]}') \g /dev/null
SELECT is(round_view(:synot, :poor) #>> '{wagers,0,status}', 'won', 'after the settlement: how it ended');
SELECT is(round_view(:synot, :poor) -> 'may_play', '[]', 'and nothing more to do');
SELECT is(round_view(:holdem, :poor) -> 'wagers', '[]', 'at another table he has no wagers');
SELECT add_game_table('baccarat', 'new', 50, 100) AS new \gset
SELECT is(round_view(:new, :poor) -> 'round', 'null', 'a table without a round');
SELECT * FROM finish();
ROLLBACK;
