-- R2.1: profit is reckoned on the position, all chips of one player on one kind and selection of one seat and
-- hand; its wagers share it by cumulative rounding in the order of entry. Expected values are reckoned here,
-- in exact numeric.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

CREATE SCHEMA t;
CREATE TABLE t.tables (game text PRIMARY KEY, table_id bigint);
INSERT INTO t.tables
SELECT game, add_game_table(game, 'chips', 0.01, 1000,
                            CASE WHEN game LIKE 'blackjack_synot'
                                 THEN '{"surrender": true, "behind": true}' ELSE '{}' END::jsonb)
  FROM game
 WHERE family <> 'texas_holdem';
CREATE FUNCTION t.player(name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE id bigint := casino.register_player(name);
BEGIN
    IF (SELECT p.last_entry_no FROM casino.player p WHERE p.player_id = id) = 0 THEN
        PERFORM casino.deposit(id, 10000000, at => '2025-12-31');
    END IF;
    RETURN id;
END $$;
-- each round an hour after the one before
CREATE SEQUENCE t.hour;
CREATE FUNCTION t.at(minute integer DEFAULT 0) RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT timestamptz '2026-01-01' + (SELECT last_value
                                          FROM t.hour) * interval '1 hour' + minute * interval '1 minute' $$;
CREATE FUNCTION t.open(game text) RETURNS bigint LANGUAGE sql AS
    $$ SELECT casino.open_round((SELECT x.table_id FROM t.tables x WHERE x.game = open.game),
                                nextval('t.hour')::text, t.at()) $$;
CREATE FUNCTION t.seated(game text) RETURNS boolean LANGUAGE sql AS
    $$ SELECT EXISTS (SELECT FROM casino.plan_rule r
                      WHERE r.plan_id = casino.plan_in_force(seated.game, t.at()) AND r.rule = 'box'
                          AND r.value = 'seats') $$;
-- n chips of one kind, in haléře
CREATE FUNCTION t.chips(kind text, n integer, halere integer DEFAULT 1) RETURNS bet[] LANGUAGE sql AS
    $$ SELECT array_agg((kind || '@' || halere / 100.0)::casino.bet) FROM generate_series(1, n) $$;

-- ---------------------------------------------------------------------------------- a thousand chips of 0.01
CREATE FUNCTION t.thousand(game text, bets bet[], outcome jsonb,
                           VARIADIC more bet[] DEFAULT '{}') RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    r bigint := t.open(game);
    seat integer := CASE WHEN t.seated(thousand.game) THEN 1 END;
    quoted numeric;
    paid numeric;
BEGIN
    PERFORM casino.place_bets(r, t.player('thousand'), bets, NULL, seat, NULL, t.at(1));
    IF more <> '{}' THEN
        PERFORM casino.place_bets(r, t.player('thousand'), more, NULL, seat, NULL, t.at(1));
    END IF;
    paid := (casino.settle_round(r, outcome, t.at(3))).paid;
    quoted := (SELECT sum(q.payout) FROM casino.quote(game, bets || more, outcome) q);
    IF quoted <> paid THEN
        RAISE EXCEPTION 'quote % round %', quoted, paid;
    END IF;
    RETURN paid;
END $$;
\set five '{"player": "2h 3h 3h", "banker": "9c 8s"}'
\set four '{"player": "6h Kd", "banker": "7c Ks"}'
SELECT is(t.thousand('baccarat', t.chips('big', 1000), :'five'), 15.40,
          'D4 Baccarat §23, R2.1: a thousand chips of 0.01 on big pay 0.54:1');
SELECT is(t.thousand('baccarat', t.chips('small', 1000), :'four'), 25.00, 'and on small 1.5:1');
SELECT is(t.thousand('baccarat', t.chips('banker', 1000), :'four'), 19.50, 'and on banker 0.95:1');
SELECT is(t.thousand('baccarat', t.chips('player', 1000), '{"player": "6h Kd", "banker": "6c Ks"}'), 10.00,
          'a push pays the stakes');
SELECT is(t.thousand('baccarat', t.chips('player', 1000), :'four'), 0.00, 'a lost position nothing');
SELECT is(t.thousand('blackjack_endless', t.chips('main', 1000),
                     '{"dealer": "Td 9c", "hands": [{"cards": "As Kd"}]}'), 25.00,
                         'a blackjack of a thousand chips pays 3:2');
SELECT is(t.thousand('blackjack_synot', t.chips('main', 1000),
                     '{"dealer": "Td 9c", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}'),
                         5.00,
          'a surrender of a thousand chips gives half of them back');
SELECT is(t.thousand('blackjack_synot', t.chips('main', 999),
                     '{"dealer": "Td 9c", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}'),
                         5.00,
          'half of 9.99 is rounded half up once');
SELECT is(t.thousand('baccarat', t.chips('big', 1000), :'five', VARIADIC t.chips('small', 1000)), 15.40,
          'big and small together lose 4.60 of 20.00 when five cards are dealt');
SELECT is(t.thousand('baccarat', t.chips('big', 1000), :'four', VARIADIC t.chips('small', 1000)), 25.00,
          'and win 5.00 when four are, as 20 CZK in one chip each do');
SELECT ok(15.40 * (1 - 0.3789) + 25.00 * 0.3789 < 20.00,
          'D4 Baccarat §19: with the odds of four cards, 37.89 %, the two together lose in the long run');
SELECT is(t.thousand('roulette_synot', t.chips('red', 500), '{"number": 1}',
                     VARIADIC t.chips('straight:1', 500)), 190.00,
                         'whole odds are paid as before: two positions of 500 chips');

-- ------------------------------------------------------------------------------------------ the shares
SELECT results_eq($$ SELECT profit FROM quote('baccarat', t.chips('big', 10),
                                              '{"player": "2h 3h 3h", "banker": "9c 8s"}') $$,
                  $$ SELECT round(n * 0.0054, 2) - round((n - 1) * 0.0054, 2)
                      FROM generate_series(1, 10) n $$,
                          'R2.2: wager k gets round(first k) - round(first k - 1)');
SELECT results_eq($$ SELECT payout FROM quote('blackjack_synot', t.chips('main', 6),
                                              '{"dealer": "Td 9c", "hands": [{"cards": "Ts 6d", '
                                              '"surrendered": true}]}') $$,
                  $$ VALUES (0.01), (0.00), (0.01), (0.00), (0.01), (0.00) $$,
                      'surrendered chips: 0.005 is half up, then the rest of 0.01');
SELECT is(t.player('one') < t.player('two'), true, 'two players');

-- over several requests, with others in between; cancelled chips are no part of the position
SELECT t.open('baccarat') AS r \gset
SELECT place_bets(:r, t.player('one'), t.chips('big', 3), 'a', at => t.at(1)),
    place_bets(:r, t.player('two'), t.chips('big', 3), 'a', at => t.at(1)),
       place_bets(:r, t.player('one'), t.chips('small', 3) || t.chips('big', 4), 'b', at => t.at(2)),
       place_bets(:r, t.player('one'), t.chips('big', 3), 'c', at => t.at(3)) \g /dev/null
SELECT cancel_bet(:r, t.player('one'), 'b', t.at(4)) \g /dev/null
SELECT settle_round(:r, :'five', t.at(5)) \g /dev/null
SELECT results_eq(format($$ SELECT e.payout - e.staked FROM evaluation e
                         WHERE e.round_id = %s AND e.player_id = t.player('one') ORDER BY e.entry_no $$, :r),
                  $$ SELECT round(n * 0.0054, 2) - round((n - 1) * 0.0054, 2) FROM generate_series(1, 6) n $$,
    'a position over several requests, of which one was cancelled: six chips share round(0.0324)');
SELECT is((SELECT sum(amount) FROM ledger WHERE round_id = :r AND kind = 'payout'
           AND player_id = t.player('one')), 0.09, 'so it is posted');
SELECT is((SELECT sum(amount) FROM ledger WHERE round_id = :r AND kind = 'payout'
           AND player_id = t.player('two')), 0.05,
               'another player has a position of his own: 0.03 and round(0.0162)');
SELECT results_eq(format($$ SELECT w.status, w.grade, w.payout FROM wager w
                         WHERE w.round_id = %s AND w.player_id = t.player('two') ORDER BY entry_no $$, :r),
                  $$ VALUES ('won', 'win', 0.02), ('won', 'win', 0.01), ('won', 'win', 0.02) $$,
                      'R2.4: a chip of 0.01 whose share of the profit is 0.00 has won: it is no push');

-- seat and hand: none is seat 0 and hand 1; hands of a split are positions of their own (R2.3)
SELECT results_eq($$ SELECT position_staked(b, s, h) OVER (ORDER BY n) FROM
                       (VALUES (1, 'main@1'::bet, 1, NULL::integer), (2, 'main@2', 1, 1), (3, 'main@4', 2, 1),
                        (4, 'main@8', 1, 2), (5, 'red@16', 1, 1), (6, 'main@32', 1, NULL),
                               (7, 'straight:1@1', NULL, NULL), (8, 'straight:2@1', NULL, NULL),
                                   (9, 'straight:1@1', 0, 1), (10, 'split_pair@1', 1, 2),
                                       (11, NULL, 1, 1)) v (n, b, s, h) ORDER BY n $$,
                  $$ VALUES (0::bigint), (100), (0), (0), (0), (300), (0), (0), (100), (0), (NULL) $$,
                      'kind, selection, seat and hand make a position; no hand is hand 1, no seat is seat 0');
SELECT is((SELECT max(before) FROM (SELECT position_staked(('straight:' || n % 37 || '@0.01')::bet, NULL,
                                                           n % 3 + 1) OVER (ORDER BY n) AS before
                                                               FROM generate_series(1, 11100) n) x),
          99::bigint, 'a hundred chips on each of 111 positions');
SELECT throws_ok($$ SELECT payout('red@0.01', 'win', 1, 1, 'Infinity', 9223372036854775807) $$, '22003', NULL,
                 'what overflows is 22003');
SELECT throws_ok($$ SELECT payout('red@0.01', 'win', 1, 1, 'Infinity', -1) $$, '22003', NULL,
                 'less than nothing cannot lie there');
SELECT throws_ok($$ SELECT payout('red@0.01', 'win', -2, 1, 'Infinity', 0) $$, '22003', NULL,
                 'nothing below zero is paid');

-- ------------------------------------------------------------------------------------------ declared wins
SELECT clock_timestamp() + interval '1 day' AS tomorrow, clock_timestamp() + interval '2 days' AS later \gset
SELECT add_plan_version('roulette_synot', :'tomorrow', 'test') AS version \gset
UPDATE bet_rule SET declared_win = 1.00 WHERE plan_id = :version AND kind IN ('red', 'straight');
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:version) \g /dev/null
SELECT results_eq(format($$ SELECT payout FROM quote('roulette_synot',
                                                     '{red@0.40,black@0.40,red@0.40,red@0.40,red@0.40,'
                                                     'straight:1@0.02,straight:1@0.01,straight:3@0.01}',
                                                     '{"number": 1}', %L) $$, :'later'),
                  $$ VALUES (0.80), (0.00), (0.80), (0.60), (0.40), (0.72), (0.31), (0.00) $$,
                      'R2.6: the declared win bounds the profit of the position: 1.00 of 1.60, 1.00 of 1.05');
SELECT open_round((SELECT table_id FROM t.tables WHERE game = 'roulette_synot'), 'capped',
                  :'later') AS r \gset
SELECT place_bets(:r, t.player('capped'), '{red@0.40,black@0.40,red@0.40}', at => :'later'),
    place_bets(:r, t.player('capped'), '{red@0.40,red@0.40}', at => :'later'),
       place_bets(:r, t.player('uncapped'), '{red@0.50,red@0.50}', at => :'later') \g /dev/null
SELECT settle_round(:r, '{"number": 1}', :'later', withhold => true) \g /dev/null
SELECT results_eq(format($$ SELECT payout, capped, breach FROM evaluation
                         WHERE round_id = %s AND player_id = t.player('capped') ORDER BY entry_no $$, :r),
                  $$ VALUES (0.80, false, NULL), (0.00, false, NULL), (0.80, false, NULL),
                      (0.60, true, 'declared_win'), (0.40, true, NULL) $$,
                  'what is cut says so; the breach stands at the first wager of the position that is');
SELECT results_eq(format($$ SELECT b.player_id, b.detail ->> 'bet', b.detail ->> 'payout' FROM breach b
                         WHERE (b.detail ->> 'round_id')::bigint = %s AND rule = 'declared_win' $$, :r),
                  $$ SELECT t.player('capped'), 'red@0.40', '0.60' $$,
                      'and is recorded once a position, although no single wager reached the declared win');
SELECT is((SELECT count(*) FROM wager WHERE round_id = :r AND status = 'withheld'), 6::bigint,
          'wagers of a withheld round say so');

-- ------------------------------------------------------------------------- payouts by hand, withheld, voided
SELECT t.open('baccarat') AS r \gset
SELECT place_bets(:r, t.player('one'), t.chips('big', 10), 'hand', at => t.at(1)),
    place_bets(:r, t.player('two'), t.chips('big', 10), 'hand', at => t.at(1)) \g /dev/null
SELECT settle_round(:r, :'five', t.at(2), withhold => true) \g /dev/null
CREATE TEMP TABLE before_hand AS SELECT * FROM evaluation WHERE round_id = :r;
SELECT is((SELECT paid FROM round WHERE round_id = :r), 0.30, 'withheld: twice 0.10 and round(0.054)');
SELECT entry_no AS first FROM before_hand WHERE player_id = t.player('one') ORDER BY entry_no LIMIT 1 \gset
SELECT results_eq(format($$ SELECT payout FROM before_hand
                         WHERE player_id = t.player('one') AND entry_no IN (%1$s, %1$s + 1)
                             ORDER BY entry_no $$, :first), $$ VALUES (0.02), (0.01) $$,
                  'the first chip has a haléř of the profit, the second has none');
SELECT throws_ok(format($$ INSERT INTO ledger (player_id, kind, amount, stake_entry_no,
                                               posted_at) VALUES (t.player('one'), 'payout', 0.02, %s + 1,
                                                                  t.at(3)) $$, :first), 'KL004', NULL,
                 'a payout by hand of a chip as if it lay alone is KL004');
SELECT lives_ok(format($$ INSERT INTO ledger (player_id, kind, amount, stake_entry_no,
                                              posted_at) VALUES (t.player('one'), 'payout', 0.01, %s + 1,
                                                                 t.at(3)) $$, :first), 'its share is posted');
SELECT results_eq(format($$ SELECT * FROM evaluation WHERE round_id = %s ORDER BY player_id, entry_no $$, :r),
                  $$ SELECT * FROM before_hand ORDER BY player_id, entry_no $$,
                  'what was paid before changes nobody''s share');
SELECT is((SELECT sum(payout) FROM unpaid_winnings WHERE round_id = :r AND player_id = t.player('one')), 0.14,
          'the rest of it is unpaid');
SELECT is((pay_withheld(:r, t.at(4))).paid, 0.30, 'pay_withheld pays the rest');
SELECT bag_eq(format($$ SELECT player_id, stake_entry_no, amount FROM ledger
                     WHERE round_id = %s AND kind = 'payout' $$, :r), $$ SELECT player_id, entry_no, payout
                         FROM before_hand $$,
              'and each wager its share');
SELECT t.open('baccarat') AS r \gset
SELECT place_bets(:r, t.player('one'), t.chips('big', 10), 'voided', at => t.at(1)) \g /dev/null
SELECT void_round(:r, 'cards', t.at(2)) \g /dev/null
SELECT is((SELECT sum(amount) FROM ledger WHERE round_id = :r AND kind = 'refund'), 0.10,
          'a voided position goes back as it was staked');

-- --------------------------------------------------------------------- any chips: quote, round and an oracle
-- Sets of chips of random haléře, by family: what a round pays, what quote() says,
-- and what is reckoned here from the grades.
CREATE FUNCTION t.split(kind text, total integer, n integer) RETURNS SETOF bet LANGUAGE sql VOLATILE AS $$
    WITH cut AS (SELECT DISTINCT c FROM (SELECT 1 + floor(random() * (total - 1))::integer AS c
                                         FROM generate_series(1, n - 1) WHERE total > 1
                                             UNION ALL SELECT total) x),
         part AS (SELECT c - lag(c, 1, 0) OVER (ORDER BY c) AS halere FROM cut)
    SELECT (kind || '@' || halere / 100.0)::casino.bet FROM part WHERE halere > 0 ORDER BY random() $$;
CREATE TABLE t.scene (game text, outcome jsonb, kinds text[], play text[]);
INSERT INTO t.scene VALUES
    ('baccarat', '{"player": "2h 3h 3h", "banker": "9c 8s"}',
     '{player,banker,tie,big,small,banker_pair,egalite:7}', '{}'),
    ('baccarat', '{"player": "6h Kd", "banker": "7c Ks"}', '{player,banker,tie,big,small,any_pair}', '{}'),
    ('baccarat', '{"player": "6h 6d 5c", "banker": "6c Ks"}', '{player,banker,big,player_pair,any_pair}',
     '{}'),
    ('baccarat', '{"player": "6h Kd", "banker": "6c Ks"}', '{player,banker,tie,egalite:6}', '{}'),
    ('roulette_synot', '{"number": 17}', '{straight:17,split:17-20,red,black,odd,dozen:2,corner:16-17-19-20}',
     '{}'),
    ('roulette_absolute', '{"number": 0}', '{straight:0,trio:0-1-2,first_four,red}', '{}'),
    ('blackjack_endless', '{"dealer": "Td 9c", "hands": [{"cards": "As Kd"}]}', '{main,player_pair,21+3}',
     '{}'),
    ('blackjack_endless', '{"dealer": "Ah Kc", "hands": [{"cards": "9c 9d"}]}', '{main,player_pair}',
     '{insurance}'),
    ('blackjack_infinite',
     '{"dealer": "Td 6c Kd", "hands": [{"cards": "7c Td", "hand": 1}, {"cards": "7d 3s Kc", "hand": 2}]}',
         '{main,bust_it,hot3}', '{split_pair/2,double_down/2}'),
    ('blackjack_all_bets', '{"dealer": "Td Ac", "hands": [{"cards": "5c 6d Kh"}]}', '{main,lucky_lucky}',
     '{double_down}'),
    ('blackjack_synot', '{"dealer": "Td 9c", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}',
     '{main,top3}', '{}'),
    ('blackjack_synot', '{"dealer": "Ad 9c", "hands": [{"seat": 1, "cards": "Ts 6d", "surrendered": true}]}',
     '{main}', '{insurance}'),
    ('blackjack_evolution', '{"dealer": "6d 9c Kh", "hands": [{"seat": 1, "cards": "Ts 6d"}]}', '{main,21+3}',
     '{}'),
    ('blackjack_house', '{"dealer": "Ad 9c", "hands": [{"seat": 1, "cards": "Ts As", "even_money": true}]}',
     '{main}', '{}'),
    ('blackjack_classic', '{"dealer": "Td 7c", "hands": [{"seat": 1, "cards": "As Jd"}]}', '{main}', '{}'),
    ('blackjack_free_bet',
     '{"dealer": "7d Ts", "hands": [{"seat": 1, "hand": 1, "cards": "9s Td"}, '
     '{"seat": 1, "hand": 2, "cards": "9h 2c Kh"}]}',
     '{main,push22}', '{free_split/2,free_double/2}'),
    ('blackjack_czech_casinos', '{"dealer": "Td 7c", "hands": [{"seat": 1, "cards": "As Jd"}]}', '{main}',
     '{}'),
    ('casino_holdem', '{"player": "As Ks", "board": "Qs Js 2s 2d 3c", "dealer": "4h 4d"}', '{ante,aa,razz}',
     '{call}'),
    ('casino_holdem', '{"player": "As 2s", "board": "3s 4d 5h 9c Kd", "dealer": "7h 8d"}', '{ante,aa,razz}',
     '{call}'),
    ('casino_holdem', '{"player": "As Ad", "board": "Qs Js 2s", "dealer": "4h 4d"}', '{ante,aa,razz}', '{}');

-- one round of a scene: the wagers as they were placed, with what each of the three says
CREATE FUNCTION t.play(scene t.scene) RETURNS TABLE (bet bet, hand integer, paid numeric, evaluated numeric,
                                                     quoted numeric, reckoned numeric) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    r bigint := t.open(scene.game);
    who bigint := t.player('random');
    in_seat integer := CASE WHEN t.seated(scene.game) THEN 1 END;
    principal integer := 1 + floor(random() * CASE WHEN random() < 0.5 THEN 20 ELSE 5000 END);
    chips casino.bet[];
    wagered casino.bet[];
    decision text;
BEGIN
    -- side bets with the main bet; the chips of all of them mixed, in two requests
    SELECT array_agg(c ORDER BY random()) INTO chips
      FROM unnest(scene.kinds) k (kind), t.split(k.kind, CASE WHEN k.kind IN ('main', 'ante') THEN principal
                                                 ELSE 1 + floor(random() * 300)::integer END,
                                                     1 + floor(random() * 8)::integer) c;
    PERFORM casino.place_bets(r, who, chips, NULL, in_seat, NULL, t.at(1));
    PERFORM casino.place_bets(r, who, ARRAY(SELECT (k || '@0.01')::casino.bet FROM unnest(scene.kinds) k),
                              NULL, in_seat, NULL, t.at(2));
    principal := principal + 1;
    PERFORM casino.close_betting(r, t.at(3));
    FOREACH decision IN ARRAY scene.play LOOP
        -- a double and a split are one wager each, insurance and call any chips
        IF decision = 'insurance' AND principal < 2 THEN
            CONTINUE;
        END IF;
        SELECT CASE WHEN decision IN ('insurance', 'call')
                    THEN (SELECT array_agg(c) FROM t.split(decision, CASE decision
                                                           WHEN 'call' THEN 2 * principal
                                                               ELSE principal / 2 END,
                                                                   1 + floor(random() * 8)::integer) c)
                    ELSE ARRAY[(split_part(decision, '/', 1) || '@' || principal / 100.0)::casino.bet] END
                        INTO chips;
        PERFORM casino.place_bets(r, who, chips, NULL, in_seat,
                                  nullif(split_part(decision, '/', 2), '')::integer, t.at(4));
    END LOOP;
    PERFORM casino.settle_round(r, scene.outcome, t.at(5));
    SELECT array_agg(l.bet ORDER BY l.entry_no) INTO wagered FROM casino.ledger l
     WHERE l.round_id = r AND l.kind = 'stake';
    RETURN QUERY
    SELECT w.bet, w.hand, coalesce(w.amount, 0.00), w.payout, q.payout,
           CASE WHEN w.grade = 'lose' THEN 0.00
                ELSE casino.cost(w.bet) + CASE WHEN w.num IS NULL THEN NULL
                    ELSE floor(w.staked * w.num / w.den * 100 + 0.5) / 100
                         - floor((w.staked - casino.stake(w.bet)) * w.num / w.den * 100 + 0.5) / 100 END END
      FROM (SELECT e.bet, e.hand, e.entry_no, e.payout, e.grade, t.num::numeric, t.den::numeric, l.amount,
                   sum(casino.stake(e.bet)) OVER (PARTITION BY casino.kind(e.bet), casino.selection(e.bet),
                                                  coalesce(e.hand, 1) ORDER BY e.entry_no) AS staked
              FROM casino.evaluation e
              LEFT JOIN casino.paytable t ON t.plan_id = casino.plan_in_force(scene.game, t.at())
                  AND t.kind = casino.kind(e.bet) AND t.grade = e.grade
              LEFT JOIN casino.ledger l ON l.player_id = e.player_id AND l.stake_entry_no = e.entry_no
             WHERE e.round_id = r) w
      JOIN (SELECT q.payout, row_number() OVER () AS n
            FROM casino.quote(scene.game, wagered, scene.outcome) q) q
        ON q.n = (SELECT count(*) FROM casino.ledger l
                  WHERE l.round_id = r AND l.kind = 'stake' AND l.entry_no <= w.entry_no);
END $$;
SELECT setseed(0.42) \g /dev/null
CREATE TEMP TABLE played AS SELECT s.n, s.scene, p.*
    FROM (SELECT row_number() OVER () AS n, scene FROM t.scene scene) s, generate_series(1, 12) i,
        t.play(s.scene) p;
SELECT cmp_ok(count(*), '>', 2000::bigint, 'some thousand chips are wagered') FROM played;
SELECT is((SELECT count(*) FROM (SELECT FROM played
                                 WHERE n = x.n AND paid = evaluated AND quoted = evaluated
                                     AND reckoned = evaluated) y), count(*),
          format('%s, %s: what is paid, evaluated, quoted and reckoned here is the same', (scene).game,
                 (scene).outcome))
  FROM played x GROUP BY n, scene ORDER BY n;
SELECT is_empty($$ SELECT (scene).game, bet, hand, paid, evaluated, quoted, reckoned FROM played
                WHERE (paid, quoted, reckoned) IS DISTINCT FROM (evaluated, evaluated, evaluated)
                    LIMIT 5 $$, 'none differs');
SELECT cmp_ok(count(*), '>', 30::bigint, 'among them chips whose share is not their own rounded profit')
  FROM played x JOIN paytable t ON t.plan_id = plan_in_force((x.scene).game, t.at())
  AND t.kind = kind(x.bet) WHERE x.evaluated > 0 AND t.den > 1
      AND x.evaluated <> cost(x.bet) + floor(stake(x.bet) * t.num / t.den * 100 + 0.5) / 100;
SELECT is((SELECT sum(balance) FROM trial_balance), 0.00, 'the trial balance sums to zero');
SELECT * FROM finish();
