-- may_play() held against place_bet() at random rounds of all sixteen games: each offer is taken, all else is
-- refused. Several players, seats, shared boxes, bets behind, small wallets, changing stakes. Another
-- comparison follows every deal, double, split, insurance, call and raise (D4 Blackjack, R3.2 to R3.31).
-- Even money and surrender are marks in the cards: each is held against deal() (R11.70).
--
-- CASINO_MAY_PLAY rounds of each game (default 2), from the seed CASINO_MAY_PLAY_SEED (default 0.27).
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
\set rounds 2
\set seed 0.27
\getenv rounds CASINO_MAY_PLAY
\getenv seed CASINO_MAY_PLAY_SEED
SELECT no_plan();
SELECT setseed(:seed) \g /dev/null
SELECT diag(:'rounds' || ' rounds of each game, seed ' || :'seed');
CREATE SCHEMA m;
CREATE TABLE m.tried (game text, kind text, offered boolean, taken boolean, times bigint);
CREATE TABLE m.wrong (game text, said text);
CREATE TABLE m.player (n integer PRIMARY KEY, id bigint);
CREATE TABLE m.said (bet casino.bet, seat integer, hand integer, amount numeric, why_not text, action text,
                     reason text, data jsonb);
CREATE TABLE m.hand (player_id bigint, seat integer, no integer, cards text, surrendered boolean,
                     even_money bigint[]);

CREATE FUNCTION m.pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
    'SELECT choices[1 + floor(random() * cardinality(choices))::integer]';
-- eights, aces and tens often: pairs, insurance, blackjacks
CREATE FUNCTION m.card() RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT m.pick('8', '8', 'A', 'A', 'T', 'K', '5', '6', '3', '9', '2', '7', '4', 'Q', 'J')
        || m.pick('c', 'd', 'h', 's') $$;

-- Is the wager taken now? It is taken back in either case.
CREATE FUNCTION m.taken(r bigint, p bigint, bet text, seat integer, hand integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.place_bet(r, p, bet::casino.bet, NULL, seat, hand);
    RAISE SQLSTATE 'YYYYY';
EXCEPTION
    WHEN SQLSTATE 'YYYYY' THEN RETURN true;
    WHEN SQLSTATE '22023' OR SQLSTATE '22003' OR SQLSTATE 'KB001' OR SQLSTATE 'KB002' OR SQLSTATE 'KB003'
        OR SQLSTATE 'KB004' OR SQLSTATE 'KB005' OR SQLSTATE 'KL002' THEN RETURN false;
END $$;

-- Does deal() take the cards that lie there with that mark on hand 1?  NULL: they have it, or no cards lie
-- there.
CREATE FUNCTION m.marked(r bigint, p bigint, action text, seat integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    shown jsonb := casino.last_deal(r);
    document jsonb;
BEGIN
    SELECT jsonb_set(shown, '{hands}', jsonb_agg(
               CASE WHEN (h ->> 'seat')::integer IS DISTINCT FROM marked.seat
                         OR (h ->> 'player')::bigint
                            IS DISTINCT FROM CASE WHEN marked.seat IS NULL THEN p END
                         OR h ->> 'hand' <> '1' THEN h
                    WHEN action = 'surrender' THEN h || '{"surrendered": true}'
                    WHEN h -> 'even_money' @> to_jsonb(p) THEN h
                    ELSE h || jsonb_build_object('even_money', coalesce(h -> 'even_money', '[]')
                                                               || to_jsonb(p)) END
               ORDER BY n))
      INTO document
      FROM jsonb_array_elements(shown -> 'hands') WITH ORDINALITY d (h, n);
    IF document IS NULL OR document = shown THEN
        RETURN NULL;
    END IF;
    PERFORM casino.deal(r, document);
    RAISE SQLSTATE 'YYYYY';
EXCEPTION
    WHEN SQLSTATE 'YYYYY' THEN RETURN true;
    WHEN SQLSTATE 'KR001' OR SQLSTATE 'KR002' THEN RETURN false;
END $$;

-- The decisions that stake nothing, of every player on every seat.  deal() records them, also late; whose
-- they are, and that the dealer's cards and the end of decisions leave none, stands here (R3.62, R3.63).
CREATE FUNCTION m.compare_marks(game text, r bigint, p bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a record;
    taken boolean;
    offered boolean;
    dealer casino.hand := (casino.last_deal(r) ->> 'dealer')::casino.hand;
BEGIN
    FOR a IN SELECT v.action, t.seat,
                    EXISTS (SELECT
                              FROM casino.wager w
                             WHERE w.round_id = r
                               AND w.player_id = p
                               AND w.status = 'open'
                               AND w.seat IS NOT DISTINCT FROM t.seat
                               AND casino.kind(w.bet) = 'main') AS stakes,
                    o.status = 'closed' AND o.actions_closed_at IS NULL AS deciding,
                    casino.card_count(dealer) = 1
                        OR casino.card_count(dealer) = 2 AND h.value = 'true'
                           AND NOT casino.is_blackjack(dealer) AS undecided
               FROM casino.round o
               JOIN casino.plan_rule h ON h.plan_id = o.plan_id AND h.rule = 'hole_card'
              CROSS JOIN (VALUES ('even_money'), ('surrender')) v (action)
              CROSS JOIN (VALUES (NULL), (1), (2), (3)) t (seat)
              WHERE o.round_id = r
    LOOP
        offered := EXISTS (SELECT FROM m.said s
                            WHERE s.why_not IS NULL
                              AND s.action = a.action
                              AND s.seat IS NOT DISTINCT FROM a.seat);
        taken := coalesce(a.stakes AND a.deciding AND a.undecided AND m.marked(r, p, a.action, a.seat),
                          false);
        INSERT INTO m.tried VALUES (game, a.action, offered, taken, 1);
        IF taken <> offered THEN
            INSERT INTO m.wrong VALUES (game, format('round %s, player %s: %s on seat %s: taken %s, '
                'offered %s; cards %s, said %s', r, p, a.action, a.seat, taken, offered, casino.last_deal(r),
                (SELECT jsonb_agg(s) FROM m.said s)));
        END IF;
    END LOOP;
END $$;

-- Every row of may_play(), and wagers that may_play() does not name: other stakes, seats and hands, and, once
-- betting has closed, the kinds of bets placed before the close.
CREATE FUNCTION m.compare(game text, r bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    p bigint;
    a record;
    taken boolean;
    offered boolean;
BEGIN
    FOR p IN SELECT x.id FROM m.player x ORDER BY x.n LOOP
        DELETE FROM m.said;
        INSERT INTO m.said SELECT * FROM casino.may_play(r, p);
        PERFORM m.compare_marks(game, r, p);
        -- each refusal has its reason and its text
        INSERT INTO m.wrong
        SELECT game, format('no reason: %s', to_jsonb(s))
          FROM m.said s
         WHERE (s.why_not IS NULL) <> (s.reason IS NULL)
            OR s.why_not IS NOT NULL
               AND coalesce(casino.message_for_player(s.reason, s.data, 'cs'), '') = '';
        FOR a IN
            SELECT casino.kind(s.bet) AS kind, s.amount AS stake, s.seat, s.hand, true AS said
              FROM m.said s
             WHERE s.bet IS NOT NULL
            UNION ALL
            (SELECT b.kind, k.stake, t.seat, h.hand, false
               FROM casino.round o
               JOIN casino.bet_rule b ON b.plan_id = o.plan_id
              CROSS JOIN (SELECT v.v AS stake FROM unnest('{50,75,100,150,200,300}'::numeric[]) v (v)
                           UNION SELECT s.amount + 0.01 FROM m.said s WHERE s.bet IS NOT NULL) k
              CROSS JOIN (VALUES (NULL), (1), (2), (3)) t (seat)
              CROSS JOIN (VALUES (NULL), (1), (2), (3), (4)) h (hand)
              WHERE o.round_id = r
                AND (b.phase = 'play' OR o.status <> 'open')
                AND b.kind IN (SELECT k.kind FROM casino.bet_kinds() k WHERE k.selection = 'none')
              ORDER BY random() LIMIT 12)
        LOOP
            -- a wager without a hand lies on the first one
            offered := EXISTS (SELECT FROM m.said s
                                WHERE s.why_not IS NULL
                                  AND casino.kind(s.bet) = a.kind
                                  AND s.amount = a.stake
                                  AND s.seat IS NOT DISTINCT FROM a.seat
                                  AND coalesce(s.hand, 1) = coalesce(a.hand, 1));
            -- less than the most is the player's choice
            CONTINUE WHEN NOT offered
                      AND a.kind IN ('insurance', 'pot')
                      AND EXISTS (SELECT FROM m.said s
                                   WHERE casino.kind(s.bet) = a.kind
                                     AND s.amount > a.stake
                                     AND s.seat IS NOT DISTINCT FROM a.seat);
            taken := m.taken(r, p, a.kind || '@' || a.stake, a.seat, a.hand);
            INSERT INTO m.tried VALUES (compare.game, a.kind, offered, taken, 1);
            IF taken <> offered THEN
                INSERT INTO m.wrong VALUES (compare.game,
                    format('round %s, player %s: %s@%s on seat %s, hand %s: taken %s, offered %s; cards %s, '
                           'said %s',
                           r, p, a.kind, a.stake, a.seat, a.hand, taken, offered,
                           casino.last_deal(r), (SELECT jsonb_agg(s) FROM m.said s)));
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- Random bets before the close; many of them are refused.
CREATE FUNCTION m.stake(game text, r bigint, seats integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a record;
BEGIN
    FOR a IN
        SELECT p.id, b.kind, CASE WHEN seats > 0 THEN 1 + floor(random() * 3)::integer END AS seat,
               m.pick('60', '100', '150', '200') AS stake
          FROM casino.round o
          JOIN casino.bet_rule b ON b.plan_id = o.plan_id AND b.phase <> 'play'
         CROSS JOIN m.player p
         WHERE o.round_id = r
           AND b.kind IN (SELECT k.kind FROM casino.bet_kinds() k WHERE k.selection = 'none')
         ORDER BY b.kind NOT IN ('main', 'ante', 'pot'), b.kind = 'behind', random()
         LIMIT 9
    LOOP
        PERFORM FROM casino.try_place_bets(r, a.id, ARRAY[(a.kind || '@' || a.stake)::casino.bet],
                                           gen_random_uuid()::text, a.seat);
    END LOOP;
END $$;

CREATE FUNCTION m.deal(r bigint, dealer text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.deal(r, jsonb_build_object('dealer', dealer, 'hands',
        (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                    'seat', h.seat, 'player', CASE WHEN h.seat IS NULL THEN h.player_id END,
                    'hand', h.no, 'cards', h.cards, 'surrendered', h.surrendered, 'even_money', h.even_money))
                    ORDER BY h.seat, h.player_id, h.no) FROM m.hand h)));
    RETURN true;
EXCEPTION WHEN SQLSTATE 'KR001' THEN
    RETURN false;           -- cards that the rules of this game do not let fall so
END $$;

CREATE FUNCTION m.blackjack(game text, r bigint, nth integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    dealer text := CASE WHEN nth = 1 OR random() < 0.4 THEN 'As' ELSE m.card() END;
    shared text := CASE WHEN random() < 0.4 THEN '8h8s' WHEN random() < 0.3 THEN '5c6d'
                      ELSE m.card() || m.card() END;
    move record;
    mine m.hand;
BEGIN
    DELETE FROM m.hand;
    INSERT INTO m.hand (player_id, seat, no, cards)
    SELECT DISTINCT CASE WHEN w.seat IS NULL THEN w.player_id END, w.seat, 1,
           CASE WHEN w.seat IS NULL THEN shared END
      FROM casino.wager w
     WHERE w.round_id = r AND w.status = 'open' AND casino.kind(w.bet) IN ('main', 'behind');
    UPDATE m.hand SET cards = CASE WHEN random() < 0.3 THEN '8h8d' WHEN random() < 0.5 THEN 'AhKd'
                                   ELSE m.card() || m.card() END
     WHERE cards IS NULL;
    -- one blackjack against an ace at least, where that may be paid at once
    UPDATE m.hand h SET cards = 'AhKd'
     WHERE nth = 1
       AND h.seat = (SELECT min(x.seat) FROM m.hand x)
       AND NOT EXISTS (SELECT
                         FROM casino.round o
                         JOIN casino.plan_rule u ON u.plan_id = o.plan_id
                        WHERE o.round_id = r AND u.rule = 'even_money' AND u.value = 'none');
    FOR step IN 1 .. 5 LOOP
        EXIT WHEN NOT m.deal(r, dealer);
        PERFORM m.compare(game, r);
        SELECT y.* INTO move
          FROM m.player p
         CROSS JOIN LATERAL (SELECT p.id, x.* FROM casino.may_play(r, p.id) x) y
         WHERE y.why_not IS NULL
         ORDER BY y.action = 'insurance', y.action = 'surrender' AND random() < 0.7, random() LIMIT 1;
        IF move.action IN ('even_money', 'surrender') THEN
            SELECT h.* INTO mine FROM m.hand h WHERE h.seat = move.seat AND h.no = 1;
            IF move.action = 'surrender' THEN
                mine.surrendered := true;
            ELSE
                mine.even_money := coalesce(mine.even_money, '{}') || move.id;
            END IF;
        ELSIF FOUND THEN
            PERFORM casino.place_bet(r, move.id, move.bet, NULL, move.seat, move.hand);
            PERFORM m.compare(game, r);
            SELECT h.* INTO mine
              FROM m.hand h
             WHERE (h.seat = move.seat OR h.seat IS NULL AND h.player_id = move.id)
               AND h.no = coalesce(move.hand, 1);
            IF casino.kind(move.bet) IN ('split_pair', 'free_split') THEN
                INSERT INTO m.hand
                SELECT h.player_id, h.seat, max(h.no) + 1, right(mine.cards, 2) || m.card()
                  FROM m.hand h
                 WHERE h.seat = mine.seat OR h.seat IS NULL AND h.player_id = mine.player_id
                 GROUP BY h.player_id, h.seat;
                mine.cards := left(mine.cards, 2) || m.card();
            ELSIF casino.kind(move.bet) IN ('double_down', 'free_double') THEN
                mine.cards := mine.cards || m.card();
            END IF;
        ELSE
            SELECT h.* INTO mine FROM m.hand h ORDER BY random() LIMIT 1;
            mine.cards := mine.cards || m.card();
        END IF;
        UPDATE m.hand h
           SET cards = mine.cards, surrendered = mine.surrendered, even_money = mine.even_money
         WHERE h.seat IS NOT DISTINCT FROM mine.seat
           AND h.player_id IS NOT DISTINCT FROM mine.player_id
           AND h.no = mine.no;
    END LOOP;
    -- the dealer's second card
    IF m.deal(r, dealer || m.card()) THEN
        PERFORM m.compare(game, r);
    END IF;
END $$;

-- One round from the first stake to the end.
CREATE FUNCTION m.play(a_game text, at_table bigint, no integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    family text := (SELECT g.family FROM casino.game g WHERE g.game = a_game);
    r bigint := casino.open_round(at_table, 'm' || no);
    seats integer := (SELECT t.seats FROM casino.table_limits_at(at_table) t);
BEGIN
    PERFORM m.stake(a_game, r, seats);
    PERFORM m.compare(a_game, r);
    PERFORM casino.close_betting(r);
    PERFORM m.compare(a_game, r);
    CASE family
        WHEN 'blackjack' THEN
            IF EXISTS (SELECT FROM casino.wager w WHERE w.round_id = r AND casino.kind(w.bet) = 'main') THEN
                PERFORM m.blackjack(a_game, r, no);
            END IF;
        WHEN 'casino_holdem' THEN
            FOR step IN 1 .. 2 LOOP
                PERFORM casino.deal(r, '{"player": "As Kd", "board": "8c 7d 2h"}');
                PERFORM m.compare(a_game, r);
                PERFORM casino.place_bet(r, y.id, y.bet)
                   FROM (SELECT p.id, x.bet
                           FROM m.player p
                          CROSS JOIN LATERAL casino.may_play(r, p.id) x
                          WHERE x.why_not IS NULL ORDER BY random() LIMIT 1) y;
                PERFORM m.compare(a_game, r);
            END LOOP;
        WHEN 'texas_holdem' THEN
            PERFORM casino.deal(r, jsonb_build_object('button', 1, 'seats',
                (SELECT jsonb_agg(DISTINCT jsonb_build_object('seat', w.seat, 'folded', w.seat % 2 = no % 2))
                   FROM casino.wager w WHERE w.round_id = r AND w.status = 'open')))
              WHERE (SELECT count(DISTINCT w.seat) FROM casino.wager w
                      WHERE w.round_id = r AND w.status = 'open') > 1;
            PERFORM m.compare(a_game, r);
        ELSE NULL;
    END CASE;
    PERFORM casino.close_actions(r);
    PERFORM m.compare(a_game, r);
    PERFORM casino.void_round(r, 'random round');
    PERFORM m.compare(a_game, r);
END $$;

-- the third player can pay for one stake or two
INSERT INTO m.player SELECT n, register_player('m' || n) FROM generate_series(1, 3) n;
SELECT deposit(p.id, CASE p.n WHEN 3 THEN 260 ELSE 1000000 END, 'm') FROM m.player p \g /dev/null
CREATE TABLE m.table (game text, table_id bigint);
DO $$
DECLARE
    g record;
BEGIN
    FOR g IN SELECT x.game, EXISTS (SELECT
                                      FROM casino.game_plan p
                                      JOIN casino.plan_rule u ON u.plan_id = p.plan_id
                                     WHERE p.game = x.game
                                       AND (u.rule, u.value) = ('box', 'shared')) AS shared
               FROM casino.game x LOOP
        -- D4 Blackjack §15, §19: surrender and bets behind where the table offers them (R3.32)
        CONTINUE WHEN g.game IN ('blackjack_synot', 'blackjack_evolution');
        INSERT INTO m.table VALUES (g.game, casino.add_game_table(g.game, 'M', 50, 2000,
            CASE WHEN g.game ~ '^(holdem|blackjack)' AND NOT g.shared THEN '{"seats": 6}'
                 ELSE '{}' END::jsonb));
    END LOOP;
END $$;
INSERT INTO m.table
VALUES ('blackjack_synot', casino.add_game_table('blackjack_synot', 'M', 50, 2000,
                                                 '{"seats": 6, "surrender": true, "behind": true}')),
    ('blackjack_evolution', casino.add_game_table('blackjack_evolution', 'M', 50, 2000,
                                                  '{"seats": 6, "surrender": true}')),
    ('blackjack_evolution', casino.add_game_table('blackjack_evolution', 'without', 50, 2000,
                                                  '{"seats": 6}'));
-- each round in a transaction of its own
SELECT format('DO $do$ BEGIN PERFORM m.play(%L, %s, %s); END $do$', t.game, t.table_id, no)
  FROM m.table t, generate_series(1, :rounds) no \gexec

SELECT is_empty('SELECT * FROM m.wrong LIMIT 5',
                'every offer of may_play() is taken, and all else is refused');
SELECT set_eq('SELECT DISTINCT game FROM m.tried', 'SELECT game FROM game', 'at all sixteen games');
SELECT is_empty($$SELECT DISTINCT b.kind
                    FROM bet_rule b
                   WHERE b.phase <> 'betting'
                     AND NOT EXISTS (SELECT FROM m.tried t WHERE t.kind = b.kind AND t.offered)$$,
                'every kind of wager in play was on offer');
SELECT is_empty($$SELECT DISTINCT p.game, u.rule
                    FROM plan_rule u
                    JOIN game_plan p USING (plan_id)
                   WHERE u.rule IN ('even_money', 'surrender')
                     AND (u.value <> 'none') <> EXISTS (SELECT FROM m.tried t
                                                         WHERE (t.game, t.kind) = (p.game, u.rule)
                                                           AND t.offered)$$,
                'R11.70: even money and surrender were on offer in the games that have them only');
SELECT diag(format('%s: %s wagers, %s taken', t.game, count(*), count(*) FILTER (WHERE t.taken)))
  FROM m.tried t GROUP BY t.game ORDER BY t.game;
SELECT * FROM finish();
