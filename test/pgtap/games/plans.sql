-- Game plans: what version 1 of the sixteen says, and how versions follow one another (R1.1, R1.2, R1.9).
-- The tables below are typed from the documents and compared with the rows that install() loads, both ways.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- ------------------------------------------------------------------------------------------ games

CREATE TEMP TABLE want_game (game text, family text, live boolean, document text, decks text);
INSERT INTO want_game VALUES  -- R1.1
    ('blackjack_czech_casinos', 'blackjack',     false, 'D0', '6'),
        ('blackjack_classic',   'blackjack',     false, 'D1', '6'),
    ('blackjack_house',         'blackjack',     false, 'D2', '6'),
        ('roulette_american',   'roulette',      false, 'D2', NULL),
    ('holdem_cash_25_50',       'texas_holdem',  false, 'D2', '1'),
        ('blackjack_free_bet',  'blackjack',     false, 'D3', '6'),
    ('blackjack_synot',         'blackjack',     true,  'D4', '8'),
        ('roulette_synot',      'roulette',      true,  'D4', NULL),
    ('blackjack_all_bets',      'blackjack',     true,  'D4', '8'),
        ('casino_holdem',       'casino_holdem', true,  'D4', '1'),
    ('baccarat',                'baccarat',      true,  'D4', '8'),
        ('roulette_evolution',  'roulette',      true,  'D4', NULL),
    ('blackjack_infinite',      'blackjack',     true,  'D4', '8'),
        ('blackjack_evolution', 'blackjack',     true,  'D4', '8'),
    ('roulette_absolute',       'roulette',      true,  'D4', NULL),
        ('blackjack_endless',  'blackjack',     true,  'D4', '8');
CREATE TEMP VIEW first_plan AS SELECT * FROM game_plan WHERE version = 1;

SELECT bag_eq($$ SELECT game, family, document FROM game $$, $$ SELECT game, family, document
              FROM want_game $$, 'R1.1: the sixteen games');
SELECT is((SELECT g.live FROM game g WHERE g.game = w.game), w.live,
          format('R1.6, D4 §80 ZHH: is %s a broadcast live game', w.game)) FROM want_game w ORDER BY w.game;
SELECT is((SELECT count(*) FROM game WHERE live), 10::bigint, 'R1.6: ten live games');
SELECT bag_eq($$ SELECT game, valid_from FROM game_plan $$, $$ SELECT game, '-infinity'::timestamptz
              FROM want_game $$,
              'each game has one version, in force from the beginning');
SELECT bag_eq($$ SELECT game, round_max_stake, declared_round_win FROM first_plan
              WHERE round_max_stake IS NOT NULL OR declared_round_win IS NOT NULL $$,
              $$ VALUES ('baccarat', 375000::numeric, 967000::numeric), ('casino_holdem', 90000, 4040000) $$,
    'D4 Baccarat §20, D4 Casino Hold''em Základní parametry: the greatest stake and win of one game');
SELECT bag_eq($$ SELECT game, value FROM first_plan JOIN plan_rule USING (plan_id) WHERE rule = 'decks' $$,
              $$ SELECT game, decks FROM want_game WHERE decks IS NOT NULL $$, 'R1.3: decks');
SELECT bag_eq($$ SELECT game, value FROM first_plan JOIN plan_rule USING (plan_id)
              WHERE rule = 'min_turns' $$,
              $$ VALUES ('roulette_synot', '3'), ('roulette_evolution', '4') $$,
                  'D4 Roulette (Synot) §11: 3 turns of the ball; (Evolution) §11: 4');
SELECT is_empty($$ SELECT 'plan_rule', plan_id, rule, paragraph FROM plan_rule
                WHERE paragraph !~ '^(D[0-4] |R[0-9]+[.][0-9]+$)'
         UNION ALL SELECT 'bet_rule', plan_id, kind, paragraph FROM bet_rule
             WHERE paragraph !~ '^(D[0-4] |R[0-9]+[.][0-9]+$)'
         UNION ALL SELECT 'paytable', plan_id, kind, paragraph FROM paytable
             WHERE paragraph !~ '^(D[0-4] |R[0-9]+[.][0-9]+$)'
         UNION ALL SELECT 'announced_rule', plan_id, stem, paragraph FROM announced_rule
             WHERE paragraph !~ '^(D[0-4] |R[0-9]+[.][0-9]+$)' $$,
                'R1.9: every row of a plan names its document, or the reading');
SELECT is_empty($$ SELECT g.game, r.paragraph FROM first_plan p JOIN game g USING (game)
                     JOIN (SELECT plan_id, paragraph FROM plan_rule UNION ALL SELECT plan_id, paragraph
                           FROM bet_rule
                           UNION ALL SELECT plan_id, paragraph FROM paytable
                               UNION ALL SELECT plan_id, paragraph FROM announced_rule) r USING (plan_id)
                    WHERE left(r.paragraph, 2) <> g.document AND r.paragraph !~ '^R[0-9]' $$,
                'R1.9: no row is taken from another game''s document');

-- ---------------------------------------------------------------------------- kinds of bets and their limits

CREATE TEMP TABLE want_bet (game text, kind text, max numeric, win numeric);
-- D0 to D3 leave the limits to the table
INSERT INTO want_bet
SELECT 'blackjack_' || g, k, NULL, NULL FROM unnest('{czech_casinos,classic,house,free_bet}'::text[]) g
 CROSS JOIN unnest('{main,double_down,split_pair,insurance}'::text[]) k;
-- D3 §4.1, §5.1, §6
INSERT INTO want_bet SELECT 'blackjack_free_bet', k, NULL, NULL
  FROM unnest('{free_split,free_double,push22}'::text[]) k;
-- D4 blackjacks, Základní informace o hře; double, split and insurance are no limit's business
INSERT INTO want_bet SELECT 'blackjack_' || g, k, NULL, NULL
  FROM unnest('{synot,all_bets,infinite,evolution,endless}'::text[]) g
      CROSS JOIN unnest('{double_down,split_pair,insurance}'::text[]) k;
INSERT INTO want_bet VALUES
    ('blackjack_synot',     'main', 100000, 150000), ('blackjack_synot', 'behind', 100000, 150000),
        ('blackjack_synot', '21+3', 1000, NULL),
    ('blackjack_synot',     'top3', 1000, 270000), ('blackjack_synot', 'player_pair', 1000, NULL),
        ('blackjack_synot', 'dealer_pair', 1000, NULL),
    ('blackjack_all_bets',  'main', 100000, 150000), ('blackjack_all_bets', '21+3', 1000, NULL),
        ('blackjack_all_bets', 'top3', 1000, 270000),
    ('blackjack_all_bets',  'player_pair', 1000, NULL), ('blackjack_all_bets', 'dealer_pair', 1000, NULL),
    ('blackjack_all_bets',  'lucky_lucky', 1000, NULL), ('blackjack_all_bets', 'buster', 1000, NULL),
    ('blackjack_infinite',  'main', 100000, 150000), ('blackjack_infinite', '21+3', 1000, NULL),
        ('blackjack_infinite', 'player_pair', 1000, NULL),
    ('blackjack_infinite',  'bust_it', 1000, 250000), ('blackjack_infinite', 'hot3', 1000, NULL),
    ('blackjack_evolution', 'main', 100000, 150000), ('blackjack_evolution', '21+3', 1000, 100000),
        ('blackjack_evolution', 'player_pair', 1000, 25000),
    ('blackjack_endless',   'main', 1000000, 1500000), ('blackjack_endless', '21+3', 10000, 1000000),
        ('blackjack_endless', 'player_pair', 10000, NULL);
-- D4 Roulette (Synot) §22, (Evolution) §19, (Absolute) §26; D2 names the bets and no limit
INSERT INTO want_bet
SELECT 'roulette_' || g, k, CASE g WHEN 'american' THEN NULL WHEN 'absolute' THEN coalesce(absolute_max, max)
    ELSE max END,
       CASE g WHEN 'american' THEN NULL WHEN 'absolute' THEN coalesce(absolute_win, win) ELSE win END
FROM (VALUES ('straight', 10000, 350000, NULL, NULL), ('split', 20000, 340000, NULL, NULL),
      ('street', 30000, 330000, NULL, NULL),
             ('trio', 30000, 330000, NULL, NULL), ('corner', 40000, 320000, NULL, NULL),
                 ('first_four', 40000, 320000, NULL, NULL),
             ('six_line', 60000, 300000, NULL, NULL), ('dozen', 65000, 130000, 120000, 240000),
                 ('column', 65000, 130000, 120000, 240000),
             ('red', 100000, 100000, 200000, 200000), ('black', 100000, 100000, 200000, 200000),
                 ('odd', 100000, 100000, 200000, 200000),
             ('even', 100000, 100000, 200000, 200000), ('low', 100000, 100000, 200000, 200000),
                 ('high', 100000, 100000, 200000, 200000))
     v(k, max, win, absolute_max, absolute_win)
CROSS JOIN unnest('{american,synot,evolution,absolute}'::text[]) g
WHERE NOT (g = 'american' AND k IN ('trio', 'first_four')) AND NOT (g = 'evolution' AND k = 'first_four');
INSERT INTO want_bet VALUES
    ('baccarat', 'player', 100000, 100000), ('baccarat', 'banker', 100000, 95000),
        ('baccarat', 'tie', 25000, 200000), ('baccarat', 'egalite', 1000, 220000),
    ('baccarat', 'big', 50000, 27000), ('baccarat', 'small', 50000, 75000),
        ('baccarat', 'player_pair', 10000, 110000),
    ('baccarat', 'banker_pair', 10000, 110000), ('baccarat', 'any_pair', 10000, 50000),
        ('baccarat', 'perfect_pair', 10000, 250000),
    ('casino_holdem', 'ante', 20000, NULL), ('casino_holdem', 'call', 40000, NULL),
        ('casino_holdem', 'aa', 20000, NULL), ('casino_holdem', 'razz', 10000, NULL),
    ('holdem_cash_25_50', 'pot', NULL, NULL);

SELECT bag_eq(format($$ SELECT kind, min_stake, max_stake, declared_win FROM first_plan
                     JOIN bet_rule USING (plan_id) WHERE game = %L $$, game),
              format($$ SELECT kind, NULL::numeric, max, win FROM want_bet WHERE game = %L $$, game),
              format('%s limits: kinds of bets, greatest stakes and declared wins of %s', document, game))
FROM want_game ORDER BY game;
SELECT is((SELECT count(*) FROM first_plan JOIN bet_rule USING (plan_id)), 130::bigint,
    'kinds of bets of all sixteen: 19 of D0 to D3, 39 of the blackjacks of D4, 57 of roulette, 10, 4 and 1');
SELECT bag_eq($$ SELECT game, kind FROM first_plan JOIN bet_rule USING (plan_id)
              WHERE NOT zero_offered $$, $$ VALUES ('roulette_american', 'split') $$,
              'R4.3: roulette_american has no split with zero');
SELECT is_empty($$ SELECT game, kind, requires FROM first_plan JOIN bet_rule USING (plan_id)
                    WHERE kind = ANY ('{21+3,top3,dealer_pair,lucky_lucky,buster,bust_it,hot3,push22}')
                        AND requires IS DISTINCT FROM 'main'
                       OR kind = 'player_pair' AND requires IS DISTINCT FROM CASE game
                           WHEN 'baccarat' THEN NULL ELSE 'main' END $$,
                'R3.44, D4 Blackjack §8: every side bet of blackjack needs a main bet');
SELECT is_empty($$ SELECT game, kind, requires FROM first_plan JOIN bet_rule USING (plan_id)
                JOIN game USING (game)
                    WHERE family IN ('roulette', 'baccarat')
                        AND (requires IS NOT NULL OR phase <> 'betting') $$,
    'D4 Baccarat §19, R5.2: bets of roulette and baccarat stand alone and are made before betting closes');
SELECT bag_eq($$ SELECT kind, requires FROM first_plan JOIN bet_rule USING (plan_id)
              WHERE game = 'casino_holdem' $$,
              $$ VALUES ('ante', NULL), ('call', 'ante'), ('aa', 'ante'), ('razz', 'ante') $$,
                  'R6.7: call, aa and razz need an ante');
SELECT is_empty($$ SELECT game, kind, table_limits FROM first_plan JOIN bet_rule USING (plan_id)
                JOIN game USING (game)
                    WHERE (table_limits = 'principal') IS DISTINCT FROM
                          (CASE family WHEN 'roulette' THEN false
                           WHEN 'baccarat' THEN kind IN ('player', 'banker')
                                       ELSE kind IN ('main', 'behind', 'ante', 'pot') END) $$,
                'R11.5, D4 Baccarat §20: a table''s limits are those of main, ante, player and banker');

-- ------------------------------------------------------------------------------------------ odds

CREATE TEMP TABLE want_odds (games text[], kind text, lines text);
INSERT INTO want_odds VALUES
    -- D0 VÝHERNÍ SESTAVA, D1, D2, D3 §3; D4 Blackjack §27, All Bets §25, Infinite §27, Evolution §27, Endless
    -- §30
    ('{blackjack_czech_casinos,blackjack_house,blackjack_free_bet}', 'main',
     'win 1:1, push 0:1, blackjack 3:2, even_money 1:1'),
    ('{blackjack_classic}',                      'main', 'win 1:1, push 0:1, blackjack 3:2'),
    ('{blackjack_synot}',                        'main',
     'win 1:1, push 0:1, blackjack 3:2, returned 0:1, surrender -1:2'),
    ('{blackjack_synot}',                        'behind',
     'win 1:1, push 0:1, blackjack 3:2, returned 0:1, surrender -1:2'),
    ('{blackjack_evolution}',                    'main',
     'win 1:1, push 0:1, blackjack 3:2, returned 0:1, surrender -1:2, charlie 1:1'),
    ('{blackjack_all_bets,blackjack_infinite}',  'main',
     'win 1:1, push 0:1, blackjack 3:2, returned 0:1, charlie 1:1'),
    ('{blackjack_endless}',                      'main', 'win 1:1, push 0:1, blackjack 3:2, returned 0:1'),
    ('{blackjack_czech_casinos,blackjack_classic,blackjack_house,blackjack_free_bet}', 'double_down',
     'win 1:1, push 0:1'),
    ('{blackjack_czech_casinos,blackjack_classic,blackjack_house,blackjack_free_bet}', 'split_pair',
     'win 1:1, push 0:1'),
    ('{blackjack_synot,blackjack_endless}',      'double_down', 'win 1:1, push 0:1, returned 0:1'),
    ('{blackjack_synot,blackjack_endless}',      'split_pair', 'win 1:1, push 0:1, returned 0:1'),
    ('{blackjack_all_bets,blackjack_infinite,blackjack_evolution}', 'double_down',
     'win 1:1, push 0:1, returned 0:1'),
    ('{blackjack_all_bets,blackjack_infinite,blackjack_evolution}', 'split_pair',
     'win 1:1, push 0:1, returned 0:1, charlie 1:1'),
    ('{blackjack_czech_casinos,blackjack_classic,blackjack_house,blackjack_free_bet,blackjack_synot,'
     'blackjack_all_bets,blackjack_infinite,blackjack_evolution,blackjack_endless}',
                                                 'insurance', 'win 2:1, returned 0:1'),
    ('{blackjack_free_bet}',                     'free_split', 'win 1:1, push 0:1'),
    ('{blackjack_free_bet}',                     'free_double', 'win 1:1, push 0:1'),
    ('{blackjack_free_bet}',                     'push22', 'win 11:1'),
    -- D4 Blackjack §28, All Bets §26, Infinite §28, Evolution §28, Endless §31
    ('{blackjack_synot,blackjack_all_bets,blackjack_infinite,blackjack_evolution}', '21+3',
     'suited_trips 100:1, straight_flush 40:1, trips 30:1, straight 10:1, flush 5:1'),
    ('{blackjack_endless}',                      '21+3',
     'suited_trips 100:1, straight_flush 40:1, trips 25:1, straight 10:1, flush 5:1'),
    ('{blackjack_synot,blackjack_all_bets}',     'top3',
     'suited_trips 270:1, straight_flush 180:1, trips 90:1'),
    ('{blackjack_synot,blackjack_all_bets,blackjack_infinite,blackjack_evolution,blackjack_endless}',
     'player_pair', 'suited_pair 25:1, coloured_pair 12:1, mixed_pair 6:1'),
    ('{blackjack_synot,blackjack_all_bets}',     'dealer_pair',
     'suited_pair 25:1, coloured_pair 12:1, mixed_pair 6:1'),
    ('{blackjack_all_bets}',                     'lucky_lucky',
     'suited_777 200:1, suited_678 100:1, 777 50:1, 678 25:1, suited_21 15:1, 21 3:1, 20 2:1, 19 2:1'),
    ('{blackjack_all_bets}',                     'buster',
     'bust_8_blackjack 2000:1, bust_7_blackjack 800:1, bust_8 250:1, bust_7 50:1, bust_6 18:1, bust_5 4:1, '
     'bust_4 2:1, bust_3 2:1'),
    ('{blackjack_infinite}',                     'bust_it',
     'bust_8 250:1, bust_7 100:1, bust_6 50:1, bust_5 9:1, bust_4 2:1, bust_3 1:1, push 0:1'),
    ('{blackjack_infinite}',                     'hot3', '777 100:1, suited_21 20:1, 21 4:1, 20 2:1, 19 1:1'),
    -- D2 Výherní možnosti; D4 Roulette (Synot) §26, (Evolution) §23, (Absolute) §30
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'straight', 'win 35:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'split', 'win 17:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'street', 'win 11:1'),
    ('{roulette_synot,roulette_evolution,roulette_absolute}',                   'trio', 'win 11:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'corner', 'win 8:1'),
    ('{roulette_synot,roulette_absolute}',                                      'first_four', 'win 8:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'six_line', 'win 5:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'dozen', 'win 2:1'),
    ('{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', 'column', 'win 2:1'),
    -- D4 Baccarat §21 to §23
    ('{baccarat}', 'player', 'win 1:1, push 0:1'), ('{baccarat}', 'banker', 'win 19:20, push 0:1'),
        ('{baccarat}', 'tie', 'win 8:1'),
    ('{baccarat}', 'egalite',
     'tie_0 150:1, tie_1 215:1, tie_2 220:1, tie_3 200:1, tie_4 120:1, tie_5 110:1, tie_6 45:1, tie_7 45:1, '
     'tie_8 80:1, tie_9 80:1'),
    ('{baccarat}', 'big', 'win 27:50'), ('{baccarat}', 'small', 'win 3:2'),
        ('{baccarat}', 'player_pair', 'win 11:1'),
    ('{baccarat}', 'banker_pair', 'win 11:1'), ('{baccarat}', 'any_pair', 'win 5:1'),
        ('{baccarat}', 'perfect_pair', 'win 25:1'),
    -- D4 Casino Hold'em §13, §15 to §18
    ('{casino_holdem}', 'ante',
     'royal_flush 100:1, straight_flush 20:1, four_of_a_kind 10:1, full_house 3:1, flush 2:1, '
     'win 1:1, push 0:1'),
    ('{casino_holdem}', 'call', 'win 1:1, push 0:1'),
    ('{casino_holdem}', 'aa',
     'royal_flush 100:1, straight_flush 50:1, four_of_a_kind 40:1, full_house 30:1, flush 20:1, '
     'pair_of_aces 7:1'),
    ('{casino_holdem}', 'razz',
     'wheel_suited 200:1, wheel 50:1, six 25:1, seven 10:1, eight 8:1, nine 6:1, ten 4:1, jack 2:1');
INSERT INTO want_odds SELECT '{roulette_american,roulette_synot,roulette_evolution,roulette_absolute}', k,
    'win 1:1'
FROM unnest('{red,black,odd,even,low,high}'::text[]) k;
CREATE TEMP VIEW want_line AS
SELECT g AS game, kind, split_part(line, ' ', 1) AS grade,
    split_part(split_part(line, ' ', 2), ':', 1)::integer AS num, split_part(line, ':', 2)::integer AS den
FROM want_odds CROSS JOIN unnest(games) g CROSS JOIN regexp_split_to_table(lines, ', ') line;

SELECT bag_eq(format($$ SELECT kind, grade, num, den FROM first_plan JOIN paytable USING (plan_id)
                     WHERE game = %L $$, game),
              format($$ SELECT kind, grade, num, den FROM want_line WHERE game = %L $$, game),
                  format('%s odds: the paytable of %s', document, game))
FROM want_game ORDER BY game;
SELECT is((SELECT count(*) FROM paytable), (SELECT count(*) FROM want_line), 'no line of odds beyond these');
SELECT is_empty($$ SELECT game, kind FROM want_bet w
                WHERE kind <> 'pot' AND NOT EXISTS (SELECT FROM want_line l
                                                    WHERE l.game = w.game AND l.kind = w.kind) $$,
                'every kind of bet but the pot has odds');
-- Where one bet at its maximum and the best odds are known the declared win is their product: the documents'
-- own example
SELECT is_empty($$ SELECT w.game, w.kind, w.win, b.best FROM want_bet w
                     JOIN (SELECT p.game, t.kind, max(t.num::numeric / t.den) AS best FROM first_plan p
                           JOIN paytable t USING (plan_id) GROUP BY 1, 2) b USING (game, kind)
                    WHERE w.win IS NOT NULL AND w.win <> w.max * b.best $$,
                'D4: every declared win is its greatest stake times its best odds');

CREATE TEMP TABLE want_announced (game text, stem text, least integer, most integer);
INSERT INTO want_announced  -- D4 Roulette (Synot) §21, (Evolution) §18, (Absolute) §25
SELECT 'roulette_' || g, s, CASE WHEN s = 'neighbours' THEN CASE g WHEN 'evolution' THEN 0
    ELSE 1 END END, CASE WHEN s = 'neighbours' THEN 9 END
FROM (VALUES ('synot',
              '{neighbours,tiers,voisins,orphelins,zero_game,complete,semi_complete,finale_plein,jeu_7_9,'
              'orphelins_plein}'::text[]),
             ('evolution',
              '{neighbours,tiers,voisins,orphelins,zero_game,complete,finale_plein,finale_cheval}'),
             ('absolute', '{neighbours,tiers,voisins,orphelins,zero_game}')) v(g, stems)
                 CROSS JOIN unnest(stems) s;
SELECT bag_eq($$ SELECT game, stem, min_neighbours, max_neighbours FROM first_plan
              JOIN announced_rule USING (plan_id) $$, $$ SELECT * FROM want_announced $$,
              'R4.7: announced bets and the games that offer them');

-- ------------------------------------------------------------------------------- families that are not built

SELECT ok(family_is_built('roulette') AND family_is_built('baccarat'), 'roulette and baccarat are built');
SELECT ok(NOT family_is_built('craps'), 'a family that no game has is not');
CREATE FUNCTION pg_temp.open_one(game text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.open_round(casino.add_game_table(game, 'one', 50, 5000), 'one');
    RETURN 'opened';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.open_one(game), CASE WHEN family_is_built(family) THEN 'opened'
          ELSE '0A000' END, format('a round of %s is opened if its family is built, else refused (0A000)',
                                   game))
FROM want_game ORDER BY game;

-- ------------------------------------------------------------------------------------------ versions

SELECT throws_ok(statement, '55000', NULL, 'R1.2: a version in force does not change: ' || statement)
FROM (SELECT unnest(ARRAY[
    'UPDATE game_plan SET document = ''another'' WHERE plan_id = %1$s',
    'UPDATE game_plan SET valid_from = clock_timestamp() + interval ''1 day'' WHERE plan_id = %1$s',
    'UPDATE game_plan SET round_max_stake = 1 WHERE plan_id = %1$s',
    'DELETE FROM announced_rule WHERE plan_id = %1$s',
    'UPDATE announced_rule SET max_neighbours = 8 WHERE plan_id = %1$s AND stem = ''neighbours''',
    'INSERT INTO announced_rule VALUES (%1$s, ''finale_cheval'', NULL, NULL, ''D4'')',
    'UPDATE bet_rule SET max_stake = 1 WHERE plan_id = %1$s AND kind = ''red''',
    'UPDATE bet_rule SET declared_win = NULL WHERE plan_id = %1$s AND kind = ''red''',
    'DELETE FROM bet_rule WHERE plan_id = %1$s AND kind = ''red''',
    'INSERT INTO bet_rule VALUES (%1$s, ''pot'', NULL, NULL, NULL, ''none'', NULL, ''betting'', true, '
    '''D4'')',
    'UPDATE paytable SET num = 36 WHERE plan_id = %1$s AND kind = ''straight''',
    'DELETE FROM paytable WHERE plan_id = %1$s AND kind = ''straight''',
    'INSERT INTO paytable VALUES (%1$s, ''straight'', ''push'', 0, 1, ''D4'')',
    'UPDATE plan_rule SET value = ''4'' WHERE plan_id = %1$s AND rule = ''min_turns''',
    'DELETE FROM plan_rule WHERE plan_id = %1$s',
    'INSERT INTO plan_rule VALUES (%1$s, ''another'', ''true'', ''D4'')']) AS form) f
CROSS JOIN LATERAL (SELECT format(form, (SELECT plan_id FROM first_plan
                                         WHERE game = 'roulette_synot')) AS statement) x;

SET casino.clock_skew = -1;
SELECT plan_id AS first FROM first_plan WHERE game = 'roulette_synot' \gset
SELECT clock_timestamp() AS now, clock_timestamp() + interval '1 day' AS tomorrow,
    clock_timestamp() + interval '2 days' AS later \gset
SELECT register_player('settled before') AS player \gset
SELECT deposit(:player, 100000, 'd', :'now') AS entry \gset
SELECT add_game_table('roulette_synot', 'settled', 1, 10000) AS settled_table,
    add_game_table('roulette_synot', 'open', 1, 10000) AS open_table,
       add_game_table('roulette_synot', 'new', 1, 10000) AS new_table \gset
SELECT open_round(:settled_table, 'settled before', :'now') AS settled_round \gset
SELECT place_bet(:settled_round, :player, 'straight:17@100', at => :'now') AS entry \gset
SELECT settle_round(:settled_round, '{"number": 17}', :'now') AS before \gset
SELECT open_round(:open_table, 'open before', :'now') AS open_round \gset
SELECT place_bet(:open_round, :player, 'straight:17@100', at => :'now') AS entry \gset

SELECT add_plan_version('roulette_synot', :'tomorrow', 'D4 Roulette (Synot), tomorrow') AS second \gset
SELECT results_eq(format($$ SELECT version, valid_from, document FROM game_plan
                         WHERE plan_id = %s $$, :second),
                  format($$ VALUES (2, %L::timestamptz, 'D4 Roulette (Synot), tomorrow') $$, :'tomorrow'),
                      'add_plan_version(): the next version of its game');
SELECT is_empty(format($$ (SELECT r.rule, r.value, r.paragraph FROM plan_rule r WHERE plan_id = %1$s
                           EXCEPT SELECT rule, value, paragraph FROM plan_rule WHERE plan_id = %2$s)
        UNION ALL (SELECT kind, to_jsonb(b) - '{plan_id,recorded_by}'::text[] #>> '{}', '' FROM bet_rule b
                   WHERE plan_id = %1$s EXCEPT SELECT kind,
                       to_jsonb(b) - '{plan_id,recorded_by}'::text[] #>> '{}', '' FROM bet_rule b
                           WHERE plan_id = %2$s)
        UNION ALL (SELECT kind, to_jsonb(t) - '{plan_id,recorded_by}'::text[] #>> '{}', '' FROM paytable t
                   WHERE plan_id = %1$s EXCEPT SELECT kind,
                       to_jsonb(t) - '{plan_id,recorded_by}'::text[] #>> '{}', '' FROM paytable t
                           WHERE plan_id = %2$s)
        UNION ALL (SELECT stem, to_jsonb(a) - '{plan_id,recorded_by}'::text[] #>> '{}', ''
                   FROM announced_rule a WHERE plan_id = %1$s
                       EXCEPT SELECT stem, to_jsonb(a) - '{plan_id,recorded_by}'::text[] #>> '{}', ''
                           FROM announced_rule a WHERE plan_id = %2$s) $$,
                       :first, :second), 'add_plan_version(): the new version is a copy of the latest');
SELECT lives_ok(statement, 'a draft can be changed: ' || statement)
FROM unnest(ARRAY[
    format('UPDATE paytable SET num = 30 WHERE plan_id = %s AND kind = ''straight''', :second),
    format('UPDATE bet_rule SET max_stake = 500 WHERE plan_id = %s AND kind = ''straight''', :second),
    format('DELETE FROM paytable WHERE plan_id = %s AND kind = ''first_four''', :second),
    format('DELETE FROM bet_rule WHERE plan_id = %s AND kind = ''first_four''', :second),
    format('INSERT INTO announced_rule VALUES (%s, ''finale_cheval'', NULL, NULL, ''D4 test'')', :second),
    format('UPDATE plan_rule SET value = ''4'' WHERE plan_id = %s AND rule = ''min_turns''', :second),
    format('UPDATE game_plan SET round_max_stake = 5000 WHERE plan_id = %s', :second)]) statement;
SELECT is(add_plan_version('roulette_synot', :'tomorrow', 'D4 Roulette (Synot), tomorrow'), :second::bigint,
          'R13.21: the same call again answers with the version') FROM generate_series(1, 2);
SELECT results_eq(format($$ SELECT count(*), max(t.num)::text FROM game_plan p JOIN paytable t USING (plan_id)
                         WHERE p.game = 'roulette_synot' AND p.version > 1 AND t.kind = 'straight' $$),
                  $$ VALUES (1::bigint, '30'::text) $$, 'as it was changed meanwhile, and there is one');
SELECT throws_ok(statement, '55000', NULL, 'R1.2: nothing moves between a draft and a version in force: '
                 || statement)
FROM unnest(ARRAY[
    format('UPDATE paytable SET plan_id = %s WHERE plan_id = %s AND kind = ''red''', :second, :first),
    format('UPDATE bet_rule SET plan_id = %s WHERE plan_id = %s AND kind = ''six_line''', :first, :second),
    format('UPDATE game_plan SET valid_from = clock_timestamp() - interval ''1 s'' WHERE plan_id = %s',
           :second)]) statement;
SELECT throws_ok(format($$ SELECT add_plan_version(%L, %L, 'D4') $$, game, since), code, NULL,
                 format('add_plan_version(): none of %s from %s', game, since))
FROM (VALUES ('roulette_synot', :'tomorrow', '22023'), ('roulette_synot', :'now', '22023'),
      ('baccarat', '2020-01-01', '55000'),
             ('baccarat', '-infinity', '22023'), ('baccarat', 'infinity', '22023'),
                 ('craps', :'tomorrow', '23503')) v(game, since, code);

SELECT is(plan_in_force('roulette_synot', :'later'), :first::bigint,
          'R1.20: without an approval it does not come into force');
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:second) \g /dev/null
SELECT is(plan_in_force('roulette_synot', at), plan::bigint, what)
FROM (VALUES (:'now'::timestamptz, :first, 'before it comes into force the first version holds'),
             (:'tomorrow'::timestamptz - interval '1 us', :first, 'a microsecond before it still does'),
             (:'tomorrow'::timestamptz, :second, 'from valid_from on the second version holds'),
             (:'later'::timestamptz, :second, 'and later')) v(at, plan, what);

-- the open round is settled when the second version is long in force
SELECT results_eq(format($$ SELECT status, paid
                         FROM settle_round(%s, '{"number": 17}', %L) $$, :open_round, :'later'),
                             $$ VALUES ('settled', 3600.00) $$,
                  'R1.2: a round is settled by the version under which it was opened');
SELECT open_round(:new_table, 'opened later', :'later') AS new_round \gset
SELECT bag_eq(format($$ SELECT round_id, plan_id FROM round
                     WHERE round_id IN (%s, %s, %s) $$, :settled_round, :open_round, :new_round),
              format($$ VALUES (%s::bigint, %s::bigint), (%s, %s), (%s, %s) $$, :settled_round, :first,
                     :open_round, :first, :new_round, :second),
              'R1.2: open and settled rounds keep their version, new rounds get the new one');
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'straight:17@500.01', at => %L) $$, :new_round, :player,
                        :'later'), 'KB002', NULL, 'new rounds have the new limits');
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'first_four@10', at => %L) $$, :new_round, :player,
                        :'later'), 'KB004', NULL, 'new rounds have the new kinds of bets');
SELECT throws_ok(format($$ SELECT place_bet(%s, %s, 'red@5000.01', at => %L) $$, :new_round, :player,
                        :'later'), 'KB003', NULL, 'new rounds have the new maximum of a round');
SELECT register_player('a player without a betting sequence') AS fresh \gset
SELECT deposit(:fresh, 1000) \g /dev/null
SELECT lives_ok(format($$ SELECT place_bet(%s, %s, 'straight:17@100', at => %L) $$, :new_round, :fresh,
                       :'later'), 'a bet under the new version');
SELECT results_eq(format($$ SELECT status, paid
                         FROM settle_round(%s, '{"number": 17}', %L) $$, :new_round, :'later'),
                             $$ VALUES ('settled', 3100.00) $$, 'new rounds pay the new odds');
SELECT results_eq($$ SELECT profit FROM quote('roulette_synot', '{straight:17@100}', '{"number": 17}') $$,
                  $$ VALUES (3500.00) $$, 'quote() now: the version in force');
SELECT results_eq(format($$ SELECT profit FROM quote('roulette_synot', '{straight:17@100}', '{"number": 17}',
                                                     %L) $$, :'later'), $$ VALUES (3000.00) $$,
                                                         'quote() later: the version in force then');
SELECT is(settle_round(:settled_round, '{"number": 17}', :'later')::text, :'before',
          'R11.14: settling an old round again gives the same settlement');
SELECT results_eq(format($$ SELECT round_id, payout FROM evaluation WHERE round_id IN (%s, %s, %s)
                         ORDER BY round_id $$, :settled_round, :open_round, :new_round),
                  format($$ VALUES (%s::bigint, 3600.00), (%s, 3600.00), (%s, 3100.00) $$, :settled_round,
                         :open_round, :new_round),
                  'architecture: a reconciliation repeats every round by its own version');
SELECT throws_ok(format('UPDATE paytable SET num = 29 WHERE plan_id = %s AND kind = ''straight''', :second),
                 '55000', NULL,
                 'R1.2: a version under which a round was opened does not change, in force or not');
SELECT add_plan_version('roulette_synot', :'later'::timestamptz + interval '1 day',
                        'D4 Roulette (Synot), third') AS third \gset
SELECT results_eq(format($$ SELECT version, round_max_stake,
                         (SELECT num FROM paytable t WHERE t.plan_id = p.plan_id AND kind = 'straight')
                             FROM game_plan p WHERE plan_id = %s $$, :third),
                  $$ VALUES (3, 5000::numeric, 30) $$,
                      'add_plan_version(): the third version is a copy of the second');
SELECT is((SELECT count(*) FROM game_plan WHERE game <> 'roulette_synot'), 15::bigint,
          'the other games'' plans are left alone');

SELECT * FROM finish();
