-- Blackjack: what holds in every round, tried on random rounds of each game (seed printed), and a tenth
-- version of blackjack that is rows of the plan only (R1.2, R3.2 to R3.31).
\ir ../helpers/blackjack.psql
SELECT no_plan();

SELECT setseed(0.0626) \g /dev/null
SELECT diag('seed 0.0626');

-- --------------------------------------------------------------------------------------------- random rounds
CREATE FUNCTION t.total(cards text[]) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN bool_or(c LIKE 'A%') AND s <= 11 THEN s + 10 ELSE s END
      FROM (SELECT c, (sum(CASE WHEN c LIKE 'A%' THEN 1 WHEN c ~ '^[TJQK]' THEN 10
                           ELSE left(c, 1)::integer END) OVER ())::integer AS s FROM unnest(cards) c) x
     GROUP BY s $$;
CREATE FUNCTION t.draw(rank text DEFAULT NULL) RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT coalesce(rank, substr('23456789TJQKA', 1 + floor(random() * 13)::integer, 1))
        || substr('cdhs', 1 + floor(random() * 4)::integer, 1) $$;
-- what a wager gets: each game's rule once more, typed from the documents
CREATE FUNCTION t.due(game text, kind text, stake numeric, hand text[], hands integer, dealer text[],
                      doubled boolean, decision text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    live boolean := game IN ('synot', 'all_bets', 'infinite', 'evolution', 'endless');
    dealer_blackjack boolean := t.total(dealer[1:2]) = 21;
    mine integer := t.total(hand);
    his integer := t.total(dealer);
    due numeric;
BEGIN
    IF kind = 'insurance' THEN
        RETURN CASE WHEN dealer_blackjack THEN 3 * stake ELSE 0 END;
    END IF;
    due := CASE WHEN decision = 'surrender' THEN stake / 2 WHEN decision = 'even' THEN 2 * stake
                WHEN mine > 21 THEN 0
                WHEN game IN ('infinite', 'evolution') AND cardinality(hand) = 6 THEN 2 * stake
                WHEN game = 'all_bets' AND cardinality(hand) = 10 THEN CASE WHEN dealer_blackjack THEN 0
                    ELSE 2 * stake END
                WHEN hands = 1 AND cardinality(hand) = 2 AND mine = 21 THEN CASE
                    WHEN dealer_blackjack THEN stake ELSE 2.5 * stake END
                WHEN dealer_blackjack THEN CASE WHEN live AND doubled AND dealer[1] !~ '^A' THEN stake
                    ELSE 0 END
                WHEN game = 'free_bet' AND his = 22 THEN stake
                WHEN his > 21 OR mine > his THEN 2 * stake
                WHEN mine = his THEN stake ELSE 0 END;
    RETURN CASE WHEN kind LIKE 'free%' THEN greatest(due - stake, 0) ELSE due END;
END $$;

CREATE TABLE t.random (n serial, game text, specs text[], amounts numeric[], cards text, due numeric[]);
CREATE FUNCTION t.make(game text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s numeric := 10 * (1 + floor(random() * 40));       -- twice of it is within the table's limits
    rank text := substr('23456789TJQKA', 1 + floor(random() * 13)::integer, 1);
    dealer text[] := ARRAY[t.draw(CASE WHEN random() < 0.3 THEN 'A' WHEN random() < 0.2 THEN 'K' END),
                           t.draw(CASE WHEN random() < 0.25 THEN 'K' WHEN random() < 0.2 THEN 'A' END)];
    start text[] := ARRAY[t.draw(rank), t.draw(CASE WHEN random() < 0.4 THEN rank END)];
    specs text[] := '{main}';
    amounts numeric[] := ARRAY[s];
    hand_of integer[] := '{1}';
    cards text := '';
    due numeric[];
    hands jsonb := '[]';
    hand text[];
    doubled boolean[] := '{}';
    decision text;
    blackjack boolean;
    most integer := CASE WHEN make.game IN ('czech', 'house', 'free_bet') THEN 4 ELSE 2 END;
    charlie integer := CASE make.game WHEN 'all_bets' THEN 10 WHEN 'infinite' THEN 6 WHEN 'evolution' THEN 6
        ELSE 20 END;
    splits integer := 0;
    free boolean := false;
    free_double boolean;
    goal integer;
    k text;
BEGIN
    IF random() < 0.1 THEN
        start := ARRAY[t.draw('A'), t.draw('K')];
        dealer[1] := t.draw('A');
    END IF;
    blackjack := t.total(start) = 21;
    FOREACH k IN ARRAY CASE make.game WHEN 'free_bet' THEN '{push22}'
        WHEN 'synot' THEN '{21+3,top3,player_pair,dealer_pair}'
            WHEN 'all_bets' THEN '{21+3,top3,player_pair,dealer_pair,lucky_lucky,buster}'
                                 WHEN 'infinite' THEN '{21+3,player_pair,bust_it,hot3}'
                                     WHEN 'evolution' THEN '{21+3,player_pair}'
                                         WHEN 'endless' THEN '{21+3,player_pair}' ELSE '{}' END::text[] LOOP
        IF random() < 0.5 THEN
            specs := specs || k; amounts := amounts || 4.00; hand_of := hand_of || 0;
        END IF;
    END LOOP;
    IF dealer[1] LIKE 'A%' AND random() < 0.5 AND NOT (blackjack AND make.game IN ('czech', 'house')) THEN
        specs := specs || 'insurance'::text; amounts := amounts || CASE make.game
            WHEN 'free_bet' THEN 5 * floor(s / 10) ELSE s / 2 END; hand_of := hand_of || 1;
    END IF;
    IF blackjack THEN
        IF random() < 0.4 AND ('insurance' <> ALL (specs))
            AND (make.game IN ('czech', 'house', 'free_bet') AND dealer[1] LIKE 'A%' OR make.game = 'free_bet'
                 AND dealer[1] ~ '^[TJQK]') THEN
            decision := 'even';
        END IF;
    ELSIF make.game IN ('synot', 'evolution') AND random() < 0.3 THEN
        decision := 'surrender';
    ELSIF left(start[1], 1) = left(start[2], 1) AND random() < 0.75 THEN
        free := make.game = 'free_bet' AND start[1] !~ '^[TJQK]' AND random() < 0.5;
        splits := CASE WHEN start[1] LIKE 'A%' AND make.game NOT IN ('czech', 'free_bet') THEN 1
            ELSE 1 + floor(random() * (most - 1))::integer END;
        FOR i IN 1 .. splits LOOP
            specs := specs || format('/%s %s', i + 1, CASE WHEN free THEN 'free_split'
                                     ELSE 'split_pair' END); amounts := amounts || s; hand_of := hand_of
                                         || i + 1;
        END LOOP;
    END IF;
    FOR i IN 1 .. splits + 1 LOOP
        hand := CASE WHEN splits = 0 THEN start WHEN i <= 2 THEN ARRAY[start[i], t.draw()]
            ELSE ARRAY[t.draw(left(start[1], 1)), t.draw()] END;
        doubled := doubled || false;
        IF NOT blackjack AND decision IS NULL AND NOT (splits > 0 AND start[1] LIKE 'A%') THEN
            free_double := make.game = 'free_bet' AND (free OR splits = 0) AND random() < 0.6
                AND t.total(hand) BETWEEN 9 AND 11;
            IF random() < (CASE WHEN t.total(hand) BETWEEN 9 AND 11 THEN 0.8 ELSE 0.35 END)
                AND (splits = 0 OR make.game NOT IN ('classic', 'house')) AND t.total(hand) < 21
                    AND (make.game <> 'classic' OR t.total(hand) BETWEEN 9 AND 11) THEN
                specs := specs || (CASE WHEN i > 1 THEN format('/%s ', i) ELSE '' END || CASE
                                   WHEN free_double THEN 'free_double' ELSE 'double_down' END);
                amounts := amounts || s; hand_of := hand_of || i; doubled[i] := true;
                hand := hand || t.draw();
            ELSE
                goal := 12 + floor(random() * 6);
                WHILE t.total(hand) < goal AND cardinality(hand) < charlie LOOP
                    hand := hand || t.draw(CASE WHEN random() < 0.3 THEN '2' END);
                END LOOP;
            END IF;
        END IF;
        hands := hands || jsonb_build_array(to_jsonb(hand));
        cards := cards || ' | ' || array_to_string(hand, ' ') || coalesce(' !' || decision, '');
    END LOOP;
    WHILE t.total(dealer) < CASE WHEN make.game = 'classic' AND random() < 0.5 THEN 16 ELSE 17 END LOOP
        dealer := dealer || t.draw();
    END LOOP;
    FOR i IN 1 .. cardinality(specs) LOOP
        hand := CASE WHEN hand_of[i] > 0 THEN ARRAY(
            SELECT jsonb_array_elements_text(hands -> hand_of[i] - 1)) END;
        due := due || CASE WHEN hand_of[i] = 0 THEN CASE specs[i] WHEN 'push22' THEN CASE t.total(dealer)
            WHEN 22 THEN 12 * amounts[i] ELSE 0 END END
                           ELSE t.due(make.game, regexp_replace(specs[i], '^.* ', ''), amounts[i], hand,
                                      splits + 1, dealer, doubled[hand_of[i]], decision) END;
    END LOOP;
    INSERT INTO t.random (game, specs, amounts, cards, due) VALUES (make.game, specs, amounts,
            array_to_string(dealer, ' ') || cards, due);
END $$;
SELECT t.make(name) FROM t.game CROSS JOIN generate_series(1, 25) ORDER BY place \g /dev/null

CREATE FUNCTION t.wagers(n integer, who text, times numeric DEFAULT 1) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(CASE WHEN s LIKE '/%' THEN who || s ELSE who || ' ' || s END || '@' || a * times
                     ORDER BY i)
      FROM t.random r, unnest(r.specs, r.amounts) WITH ORDINALITY u (s, a, i) WHERE r.n = wagers.n $$;

-- the round is played and every rule held against it: what does not hold
CREATE FUNCTION t.broken(n integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r t.random := (SELECT x FROM t.random x WHERE x.n = broken.n);
    wagers text[] := t.wagers(n, 'ann');
    at_table text := r.game || '+';
    entries bigint[] := t.staked(at_table, wagers);
    first casino.settlement := t.settle(r.cards);
    rows bigint := (SELECT count(*) FROM casino.ledger);
    got numeric[];
    bad text[] := '{}';
    quoted text;
    bets text[];
    alone numeric;
    shared boolean := r.game IN ('all_bets', 'infinite', 'endless');
BEGIN
    got := (SELECT array_agg(coalesce(l.amount, 0) ORDER BY e.i)
            FROM unnest(entries) WITH ORDINALITY e (entry, i)
              LEFT JOIN casino.ledger l ON l.player_id = t.p('ann') AND l.stake_entry_no = e.entry
                  AND l.kind = 'payout');
    bad := bad || ARRAY(SELECT format('%s gets %s, not %s', w, g, d)
                        FROM unnest(wagers, got, r.due) u (w, g, d) WHERE g <> d);
    bad := bad || ARRAY(SELECT format('negative payout %s', l.amount) FROM casino.ledger l
                        WHERE l.round_id = t.round() AND l.kind = 'payout' AND l.amount <= 0);
    bad := bad || ARRAY(SELECT format('free wager %s gets %s', w, g)
                        FROM unnest(wagers, got, r.amounts) u (w, g, a)
                            WHERE w ~ 'free_' AND g NOT IN (0, a));
    IF (first.staked, first.paid, first.house_result, first.wagers) IS DISTINCT FROM
       (SELECT (sum(l.amount) FILTER (WHERE l.kind = 'stake'),
                coalesce(sum(l.amount) FILTER (WHERE l.kind = 'payout'), 0),
                sum(CASE l.kind WHEN 'stake' THEN l.amount ELSE -l.amount END),
                    count(*) FILTER (WHERE l.kind = 'stake')) FROM casino.ledger l
                        WHERE l.round_id = t.round()) THEN
        bad := bad || format('settlement %s is not the ledger', first);
    END IF;
    IF t.settle(r.cards) IS DISTINCT FROM first OR (SELECT count(*) FROM casino.ledger) <> rows THEN
        bad := bad || 'settled again it changes'::text;
    END IF;
    -- a quote takes the double of a hand by the three cards that it has, where another has three as well the
    -- order of its bets
    IF NOT EXISTS (SELECT FROM unnest(r.specs) s WHERE s ~ '(double_down|free_double)')
        OR cardinality(string_to_array(r.cards, '|')) = 2 THEN
        quoted := regexp_replace(t.quoted(at_table, wagers, r.cards), '\w+ ([0-9.]+)', '\1', 'g');
        IF quoted IS DISTINCT FROM (SELECT string_agg(trim_scale(g)::text, ', ') FROM unnest(got) g) THEN
            bad := bad || format('quote: %s', quoted);
        END IF;
    END IF;
    -- two players with half each get together what one gets with the whole; evolution has one player a box,
    -- behind has neither side bets nor insurance
    IF r.game <> 'evolution' THEN
        bets := wagers;
        FOR i IN 1 .. cardinality(wagers) LOOP
            IF r.game <> 'synot' THEN
                bets := bets || replace(wagers[i], 'ann', 'bob');
            ELSIF r.specs[i] = 'main' THEN
                bets := bets || replace(replace(wagers[i], 'ann', 'bob'), 'main', 'behind');
            ELSIF wagers[i] ~ '(split|double)' THEN
                bets := bets || replace(wagers[i], 'ann', 'bob');
            END IF;
        END LOOP;
        bets := ARRAY(SELECT w FROM unnest(bets) WITH ORDINALITY u (w, i)
                      ORDER BY t.in_play((t.wager(w)).bet), i);
        PERFORM t.staked(at_table, bets);
        first := t.settle(r.cards);
        bets := t.wagers(n, 'ann', 2);
        PERFORM t.staked(at_table, bets);
        alone := (t.settle(r.cards)).paid;
        IF r.game = 'synot' THEN        -- beside those, bob's are equal to ann's
            alone := (SELECT sum(g * CASE WHEN w ~ '(main|split|double)' THEN 2 ELSE 1 END)
                      FROM unnest(wagers, got) u (w, g));
        END IF;
        IF first.paid <> alone THEN
            bad := bad || format('two players get %s, one with twice the stakes %s', first.paid, alone);
        END IF;
    END IF;
    RETURN array_to_string(bad, '; ');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT format('SELECT is(t.broken(%s), '''', %L)', n,
              format('R3.14, R3.47: what holds in every round of %s: %s on %s', game,
                     array_to_string(t.wagers(n, 'ann'), ', '), cards))
FROM t.random ORDER BY n \gexec
SELECT ok((SELECT count(DISTINCT game) FROM t.random WHERE specs::text ~ what) >= least_games,
          format('the random rounds have %s in %s games or more', what, least_games))
FROM (VALUES ('double_down', 9), ('split_pair', 9), ('insurance', 9), ('free_split', 1), ('free_double', 1),
      ('/4', 2)) v (what, least_games);
SELECT ok((SELECT count(DISTINCT game) FROM t.random WHERE cards ~ what) >= least_games,
          format('the random rounds have %s in %s games or more', what, least_games))
FROM (VALUES ('!surrender', 2), ('!even', 2)) v (what, least_games);
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');
SELECT is_empty($$ SELECT * FROM casino.breach $$, 'and nothing was cut or out of place');

-- ------------------------------------------------------------------------------------------- a tenth version
-- Rows only: a shared box of two decks, four hands of one rank, doubles on 9 to 11 after splits too,
-- free splits, a Charlie of five cards that loses to a blackjack, 22 pushes, even money against ace or ten,
-- surrender, blackjack 6:5, drawing on 21 forbidden.
INSERT INTO casino.game (game, name, family, live, document) VALUES ('blackjack_tenth', 'Tenth Blackjack',
                                                                     'blackjack', false, 'D9');
INSERT INTO casino.game_plan (plan_id, game, version, valid_from, document) VALUES (900, 'blackjack_tenth', 1,
        clock_timestamp() + interval '1 hour', 'D9');
INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT 900, r.rule, coalesce(v.value, r.value), 'D9 §' || row_number() OVER (ORDER BY r.rule)
  FROM casino.plan_rule r LEFT JOIN (VALUES ('decks', '2'), ('box', 'shared'), ('max_seats', '1'),
                                     ('bets_per_box', '0'), ('box_limit', 'each'), ('max_hands', '4'),
                                         ('split_on', 'rank'),
       ('double_on', '9-11'), ('double_after_split', 'true'), ('free_split_on', 'not_tens'),
           ('charlie_cards', '5'), ('charlie_beats_dealer_blackjack', 'false'), ('dealer_22', 'push'),
       ('even_money', 'ace_or_ten'), ('surrender', 'table'), ('draw_on_21', 'false'),
           ('insurance', 'up_to_half'), ('insurance_own_blackjack', 'false')) v (rule, value) USING (rule)
 WHERE r.plan_id = (SELECT plan_id FROM casino.game_plan WHERE game = 'blackjack_endless');
INSERT INTO casino.bet_rule (plan_id, kind, max_stake, table_limits, requires, phase, paragraph) VALUES
    (900, 'main', 5000, 'principal', NULL, 'betting', 'D9'),
        (900, 'double_down', NULL, 'none', 'main', 'play', 'D9'),
            (900, 'split_pair', NULL, 'none', 'main', 'play', 'D9'),
    (900, 'free_split', NULL, 'none', 'main', 'play', 'D9'),
        (900, 'insurance', NULL, 'none', 'main', 'play', 'D9'),
            (900, 'hot3', 100, 'none', 'main', 'betting', 'D9'),
    (900, 'push22', 100, 'none', 'main', 'betting', 'D9');
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT 900, k, g, num, den, 'D9' FROM (VALUES ('win', 1, 1), ('push', 0, 1), ('charlie', 2, 1),
                                       ('returned', 0, 1)) v (g, num, den),
       unnest('{main,double_down,split_pair,free_split}'::text[]) k
 WHERE (k, g) IN (SELECT x.kind, x.grade FROM casino.plan_grades('blackjack',
         (SELECT jsonb_object_agg(rule, value) FROM casino.plan_rule WHERE plan_id = 900)) x)
UNION ALL VALUES (900, 'main', 'blackjack', 6, 5, 'D9'), (900, 'main', 'even_money', 1, 1, 'D9'),
    (900, 'main', 'surrender', -1, 2, 'D9'), (900, 'insurance', 'win', 2, 1, 'D9'),
    (900, 'insurance', 'returned', 0, 1, 'D9'), (900, 'hot3', '777', 77, 1, 'D9'),
        (900, 'hot3', '21', 3, 1, 'D9'),
    (900, 'hot3', 'suited_21', 20, 1, 'D9'), (900, 'hot3', '20', 2, 1, 'D9'), (900, 'hot3', '19', 1, 1, 'D9'),
        (900, 'push22', 'win', 8, 1, 'D9');
SELECT is_empty('SELECT * FROM casino.check_plan(900)', 'a tenth version: it has no problem before its day');
\ir ../helpers/approve.psql
-- its day is moved to a moment from now and approved before it; on a busy machine the moment is longer
DO $$ BEGIN
    FOR tried IN 1 .. 6 LOOP
        BEGIN
            UPDATE casino.game_plan
               SET valid_from = clock_timestamp() + (2 ^ tried) * interval '1 second'
             WHERE plan_id = 900;
            SET CONSTRAINTS ALL IMMEDIATE;
            PERFORM pg_temp.approve(900);
            EXIT;
        EXCEPTION WHEN object_not_in_prerequisite_state THEN
            IF tried = 6 THEN
                RAISE;
            END IF;
        END;
    END LOOP;
END $$;
SELECT pg_sleep(greatest(0, extract(epoch FROM valid_from - clock_timestamp()) + 0.01)) FROM casino.game_plan
 WHERE plan_id = 900 \g /dev/null
INSERT INTO t.game (name, code, doc, shared) VALUES ('tenth', 'blackjack_tenth', 'D9', true);
INSERT INTO t.tables VALUES ('tenth', casino.add_game_table('blackjack_tenth', 'Tenth', 10, 5000,
                                                            '{"surrender": true}'));
SELECT throws_ok($$ SELECT casino.add_game_table('blackjack_tenth', 'Behind', 10, 5000,
                                                 '{"behind": true}') $$,
                 'KB004', NULL, 'a tenth version: its plan decides what a table may offer');
SELECT throws_ok($$ UPDATE casino.plan_rule SET value = '9'
                 WHERE plan_id = 900 AND rule = 'decks' $$, '55000', NULL,
                     'a tenth version: in force it does not change');
-- from now on the rounds lie after the plan's beginning
ALTER SEQUENCE t.hour RESTART WITH 100000;
SELECT format('SELECT t.pays(%L, %L, %L, %L, %L)', 'tenth', wagers, cards, expected,
              'a tenth version: ' || what)
FROM (VALUES ('{main@100}', 'Td 8c | Ts 9d', 'win 200', 'it plays'),
             ('{main@100}', 'Td 8c | As Kd', 'blackjack 220', 'blackjack pays 6:5'),
             ('{main@100}', 'Kd 9c | 2s 2d 3c 3s 4d', 'charlie 300', 'five cards pay 2:1'),
             ('{main@100}', 'Kd Ac | 2s 2d 3c 3s 4d', 'lose 0', 'five cards lose to a blackjack'),
             ('{main@100,push22@10}', 'Kd 6c 6h | Ts 9d', 'push 100, win 90', '22 pushes, and pays 8:1'),
             ('{main@100,hot3@10}', '7d Kc | 7s 7h 6d', 'win 200, 777 780', 'Hot 3 with its own odds'),
             ('{main@100,hot3@10}', 'Td 8c | 2s 9h 8c', 'win 200, 21 40', 'Hot 3 with its own odds of 21'),
             ('{main@100}', 'Td | As Kd !even', 'even_money 200', 'even money against a ten'),
             ('{main@100}', 'Td | Ts 6d !surrender', 'surrender 50', 'surrender at a shared box'),
             ('{main@100,/2 free_split@100,/2 double_down@100}', 'Td 8c | 8s Kd | 8d 3c Kh',
              'push 100, win 100, win 200', 'a free split and a paid double on it'),
             ('{main@100,/2 free_split@100}', 'Kd Tc | 8s Kd | 8d 2c 2d 3c 2h', 'lose 0, win 100',
              'a free split wins the profit, five cards or not'),
             ('{main@100,insurance@20}', 'Ad Kc | Ts 9d', 'lose 0, win 60', 'insurance up to half'),
             ('{main@100,insurance@20}', 'Ad Kc | As Kd', 'push 100, returned 20',
              'a blackjack is not insured'),
             ('{main@100,bob main@40,cyd main@20}', 'Ad Kc | As Kd !even=bob',
              'push 100, even_money 80, push 20',
                  'even money of one player of a shared box')) v (wagers, cards, expected, what) \gexec
SELECT format('SELECT t.wrong(%L, %L, %L, %L, %L, %L, %L)', 'tenth', wagers, cards, naming, corrected,
              expected, 'a tenth version: ' || what)
FROM (VALUES ('{main@100}', '2s Kc 8h | 2s 2s 8d', '2s %2 decks', '2s Kc 8h | 2s 2d 8d', 'lose 0',
              'two decks'),
             ('{main@100}', 'Td 8c | 7s 7d 7c 2h', '2h%21', 'Td 8c | 7s 7d 7c', 'win 200', 'no card on 21'),
             ('{main@100,/2 split_pair@100}', 'Td 8c | Ks 9d | Qd 7c', 'Ks and Qd%rank',
              'Td 8c | Ks 9d | Kd 7c', 'win 200, lose 0', 'pairs of one rank'),
             ('{main@100,/2 free_split@100}', 'Td 8c | Ks 9d | Kd 7c', 'Ks', 'Td 8c | 9s 9d | 9c 7c',
              'push 100, lose 0', 'no free split of kings'),
             ('{main@100,double_down@100}', 'Td 8c | 8s 4d 9c', '12', 'Td 8c | 7s 4d 9c', 'win 200, win 200',
              'doubles on 9 to 11'),
             ('{main@100}', 'Kd 9c | 2s 2d 3c 3s 4d 2h', '2h', 'Kd 9c | 2s 2d 3c 3s 4d', 'charlie 300',
              'no card after the Charlie'),
             ('{main@100,bob main@40}', 'Kd | As Kd !even=ann', 'second card', 'Kd 5c | As Kd !even=ann',
              'even_money 200, blackjack 88',
                  'who waits on his blackjack needs the dealer''s second card, whoever has the even money'),
             ('{main@100,bob main@40}', 'Kd | As Kd !even=bob', 'second card', 'Kd 5c | As Kd !even=bob',
              'blackjack 220, even_money 80', 'the other way round')) v (wagers, cards, naming, corrected,
                      expected, what) \gexec
SELECT t.open('tenth'), t.place('main@100') \g /dev/null
SELECT is(t.may('main@4900'), 'ok', 'a tenth version: its maximum');
SELECT is(t.may('main@4900.01'), 'KB002', 'a tenth version: a haléř above its maximum');
SELECT is(t.may('21+3@10'), 'KB004', 'a tenth version: what its rows do not offer');
SELECT t.close(), t.place('/2 split_pair@100'), t.place('/3 free_split@100'),
    t.place('/4 split_pair@100') \g /dev/null
SELECT is(t.may('/5 split_pair@100'), 'KB005', 'a tenth version: four hands at most');
SELECT * FROM finish();
