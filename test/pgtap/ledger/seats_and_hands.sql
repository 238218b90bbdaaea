-- Seats and hands that a game does not have are 22023 (R11.4): under a number of its own a position
-- would have a maximum of its own.  In every game, by place_bet(), place_bets() and a plain INSERT, twice
-- each.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET search_path = public, casino, casino_internal;
SELECT no_plan();

CREATE FUNCTION pg_temp.verdict(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'ZZZZZ' THEN 'ok' ELSE SQLSTATE END;
END $$;

-- a round of each game, open, and one closed with a main bet where there are wagers in play
CREATE TEMP TABLE place AS
SELECT g.game, g.family, add_game_table(g.game, 'T', 10, 1000, CASE
                                        WHEN g.game = 'blackjack_synot' THEN '{"behind": true}'
                                            ELSE '{}' END::jsonb) AS table_id
  FROM game g;
ALTER TABLE place ADD round_id bigint, ADD seated boolean, ADD hands integer;
UPDATE place p SET round_id = open_round(p.table_id, 'r', '2026-03-02 12:00'),
    seated = (SELECT v.seats IS NOT NULL FROM table_version v
              WHERE v.table_id = p.table_id AND v.version = 1),
       hands = (SELECT r.value::integer FROM plan_rule r
                WHERE r.plan_id = plan_in_force(p.game, now()) AND r.rule = 'max_hands');
-- two players a game: who plays at one live table may not play at another
ALTER TABLE place ADD ann bigint, ADD bob bigint;
UPDATE place SET ann = register_player('ann ' || game), bob = register_player('bob ' || game);
SELECT deposit(ann, 1000000, at => '2026-03-01'), deposit(bob, 1000000, at => '2026-03-01')
  FROM place \g /dev/null

-- verdict of all three ways, when they agree
CREATE FUNCTION pg_temp.may(game text, player bigint, bet text, seat text, hand text,
                            at text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    round CONSTANT bigint := (SELECT p.round_id FROM pg_temp.place p WHERE p.game = may.game);
    said text[];
BEGIN
    FOR i IN 1 .. 2 LOOP
        said := said || pg_temp.verdict(format('SELECT casino.place_bet(%s, %s, %L, %L, %L, %L, %L)', round,
                                               player, bet, 'k', seat, hand, at))
                     || pg_temp.verdict(format('SELECT casino.place_bets(%s, %s, ARRAY[%L]::casino.bet[],
                                                                         NULL, %L, %L, %L)',
                                               round, player, bet, seat, hand, at))
                     || pg_temp.verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet,
                                                                           seat, hand, posted_at)
                                                VALUES (%s, ''stake'', %s, %L, %L, %L, %L)',
                                               player, round, bet, seat, hand, at));
    END LOOP;
    RETURN CASE WHEN said[1] = ALL (said) THEN said[1] ELSE said::text END;
END $$;

-- what is staked before betting closes: every kind that a game offers then
CREATE TEMP TABLE kind AS
SELECT p.game, p.seated, b.kind, b.requires,
       CASE b.kind WHEN 'straight' THEN 'straight:17' WHEN 'split' THEN 'split:17-20'
           WHEN 'street' THEN 'street:1-2-3' WHEN 'trio' THEN 'trio:0-1-2'
                   WHEN 'corner' THEN 'corner:25-26-28-29' WHEN 'six_line' THEN 'six_line:1-2-3-4-5-6'
                       WHEN 'dozen' THEN 'dozen:1' WHEN 'column' THEN 'column:1'
                   WHEN 'egalite' THEN 'egalite:4' ELSE b.kind END || '@' || CASE
                       WHEN b.kind = 'call' THEN '20' ELSE '10' END AS bet
  FROM place p JOIN bet_rule b ON b.plan_id = plan_in_force(p.game, now()) WHERE b.phase <> 'play';
SELECT place_bet(round_id, ann, CASE family WHEN 'blackjack' THEN 'main@100'
                 WHEN 'casino_holdem' THEN 'ante@10' END::bet, NULL, CASE
                     WHEN seated THEN 1 END, NULL, '2026-03-02 12:01')
  FROM place WHERE family IN ('blackjack', 'casino_holdem') \g /dev/null

CREATE TEMP TABLE tried AS
SELECT k.game, k.kind, k.bet, s.seat, h.hand, s.ok AS seat_ok,
       pg_temp.may(k.game, (SELECT CASE WHEN k.kind = 'behind' THEN p.bob ELSE p.ann END FROM place p
                            WHERE p.game = k.game), k.bet, s.seat, h.hand, '2026-03-02 12:02') AS said
  FROM kind k
 CROSS JOIN LATERAL (SELECT '1' AS seat, k.seated AS ok UNION ALL SELECT NULL, NOT k.seated
                     UNION ALL SELECT '0', false
                     UNION ALL SELECT '-1', false UNION ALL SELECT '11', false
                         UNION ALL SELECT '2147483647', false) s
 CROSS JOIN LATERAL (VALUES (NULL), ('1'), ('2'), ('9'), ('0'), ('-1'), ('2147483647')) h (hand);
SELECT is_empty($$ SELECT * FROM tried WHERE NOT seat_ok
                AND said <> '22023' $$,
                    'a seat that the table does not have, or none where there are seats, '
                    'is 22023 for every kind of every game');
SELECT is_empty($$ SELECT * FROM tried WHERE seat_ok AND hand IN ('2', '9', '0', '-1', '2147483647')
                AND said <> '22023' $$,
                'before the cards no bet of any game lies on a second hand: 22023');
SELECT is_empty($$ SELECT t.* FROM tried t JOIN place p USING (game)
                WHERE seat_ok AND hand = '1' AND family IN ('roulette', 'baccarat') AND said <> '22023' $$,
                'roulette and baccarat have no hands at all');
SELECT is_empty($$ SELECT t.* FROM tried t JOIN place p USING (game)
                WHERE seat_ok AND (hand IS NULL OR hand = '1' AND family NOT IN ('roulette', 'baccarat'))
                    AND said <> 'ok' $$,
                'hand 1, or none, is taken');
SELECT cmp_ok((SELECT count(*) FROM tried), '>', 3000::bigint, 'of every kind');

-- the maximum of a position is one
SELECT place_bets(round_id, bob, '{ante@10,aa@20000,razz@10000}', at => '2026-03-02 12:03') FROM place
 WHERE game = 'casino_holdem' \g /dev/null
SELECT is(pg_temp.may('casino_holdem', (SELECT bob FROM place WHERE game = 'casino_holdem'), bet, NULL, hand,
                      '2026-03-02 12:04'), verdict,
                          format('D4 Casino Hold''em §14: %s more on hand %s', bet, hand))
  FROM (VALUES ('aa@20000', '2', '22023'), ('razz@10000', '2', '22023'), ('ante@1000', '2', '22023'),
        ('aa@0.01', '1', 'KB002'), ('aa@0.01', NULL, 'KB002')) v (bet, hand, verdict);

-- in play
SELECT close_betting(round_id, '2026-03-02 12:05') FROM place
 WHERE family IN ('blackjack', 'casino_holdem') \g /dev/null
SELECT is(pg_temp.may('casino_holdem', (SELECT ann FROM place WHERE game = 'casino_holdem'), 'call@20', seat,
                      hand, '2026-03-02 12:06'), verdict,
                          format('D4 Casino Hold''em §10: call on seat %s, hand %s', seat, hand))
  FROM (VALUES (NULL, NULL, 'ok'), (NULL, '1', 'ok'), (NULL, '2', '22023'), ('1', NULL, '22023')) v (seat,
          hand, verdict);
SELECT is(pg_temp.may(p.game, p.ann, k.bet, CASE
                      WHEN p.seated THEN '1' END, h.hand::text, '2026-03-02 12:06'),
          CASE WHEN h.hand > p.hands + CASE WHEN k.bet LIKE '%split%' THEN 1 ELSE 0 END THEN '22023'
              ELSE 'KB005' END,
          format('%s: %s on hand %s', p.game, k.bet, h.hand))
  FROM place p CROSS JOIN (VALUES ('double_down@100'), ('split_pair@100'), ('free_double@100'),
                           ('free_split@100')) k (bet)
 CROSS JOIN generate_series(3, 10) h (hand)
 WHERE p.family = 'blackjack' AND (k.bet NOT LIKE 'free%' OR p.game = 'blackjack_free_bet');
SELECT is(pg_temp.may(p.game, p.ann, 'insurance@50', CASE
                      WHEN p.seated THEN '1' END, h.hand, '2026-03-02 12:06'), CASE
                          WHEN h.hand = '1' THEN 'ok' ELSE '22023' END,
          format('%s: insurance lies on the box, hand %s', p.game, h.hand))
  FROM place p CROSS JOIN (VALUES ('1'), ('2'), ('3')) h (hand) WHERE p.family = 'blackjack';
SELECT * FROM finish();
