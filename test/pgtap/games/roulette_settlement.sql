-- Roulette: D2 Americká ruleta, D4 Roulette (Synot), (Evolution), (Absolute live gaming); readings R4.1 to
-- R4.9.
-- What is expected is counted here, from the layout's rows and columns, the wheel's order and the documents'
-- tables; casino.covers() and the plan's own rows are never the measure.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- ------------------------------------------------------------------------------------ what the documents say

CREATE TEMP TABLE game_of AS
SELECT * FROM (VALUES ('roulette_american'), ('roulette_synot'), ('roulette_evolution'),
               ('roulette_absolute')) v(game);

-- D2 "Cylindr": order of the numbers; place 0 is the zero
CREATE TEMP TABLE wheel AS
SELECT w.number, w.place::integer - 1 AS place
FROM unnest('{0,32,15,19,4,21,2,25,17,34,6,27,13,36,11,30,8,23,10,5,24,16,33,1,20,14,31,9,22,18,29,'
            '7,28,12,35,3,26}'::integer[])
     WITH ORDINALITY w(number, place);

-- The layout of the pictures in D4: twelve streets of three; line 0 is 1-4-7..., line 1 is 2-5-8..., line 2
-- is 3-6-9...
CREATE TEMP TABLE spot AS SELECT n, (n - 1) / 3 AS street, (n - 1) % 3 AS line FROM generate_series(1, 36) n;

CREATE TEMP TABLE pos AS
SELECT kind, nullif(selection, '') AS selection, covered FROM (
    SELECT 'straight' AS kind, n::text AS selection, ARRAY[n] AS covered FROM generate_series(0, 36) n
    UNION ALL   -- two numbers side by side or one above the other
    SELECT 'split', a.n || '-' || b.n, ARRAY[a.n, b.n]
      FROM spot a JOIN spot b ON a.n < b.n AND abs(a.street - b.street) + abs(a.line - b.line) = 1
    UNION ALL   -- zero lies along the first street
    SELECT 'split', '0-' || n, ARRAY[0, n] FROM spot WHERE street = 0
    UNION ALL
    SELECT 'street', string_agg(n::text, '-' ORDER BY n), array_agg(n ORDER BY n) FROM spot GROUP BY street
    UNION ALL
    SELECT 'trio', '0-1-2', '{0,1,2}'
    UNION ALL
    SELECT 'trio', '0-2-3', '{0,2,3}'
    UNION ALL   -- a square
    SELECT 'corner', string_agg(b.n::text, '-' ORDER BY b.n), array_agg(b.n ORDER BY b.n)
      FROM spot a JOIN spot b ON b.street - a.street IN (0, 1) AND b.line - a.line IN (0, 1)
     GROUP BY a.n HAVING count(*) = 4
    UNION ALL
    SELECT 'first_four', '', '{0,1,2,3}'
    UNION ALL   -- two streets
    SELECT 'six_line', string_agg(b.n::text, '-' ORDER BY b.n), array_agg(b.n ORDER BY b.n)
      FROM (SELECT DISTINCT street FROM spot) a JOIN spot b ON b.street - a.street IN (0, 1)
     GROUP BY a.street HAVING count(*) = 6
    UNION ALL
    SELECT 'dozen', d::text, array_agg(n ORDER BY n) FROM generate_series(1, 3) d
      JOIN spot ON n > 12 * (d - 1) AND n <= 12 * d GROUP BY d
    UNION ALL
    SELECT 'column', (line + 1)::text, array_agg(n ORDER BY n) FROM spot GROUP BY line
    UNION ALL   -- from the zero on, the wheel's pockets are red and black in turn
    SELECT CASE place % 2 WHEN 1 THEN 'red' ELSE 'black' END, '', array_agg(number ORDER BY number)
      FROM wheel WHERE number <> 0 GROUP BY place % 2
    UNION ALL
    SELECT CASE n % 2 WHEN 1 THEN 'odd' ELSE 'even' END, '', array_agg(n ORDER BY n) FROM spot GROUP BY n % 2
    UNION ALL
    SELECT CASE WHEN n <= 18 THEN 'low' ELSE 'high' END, '', array_agg(n ORDER BY n) FROM spot
     GROUP BY n <= 18
) p;

-- D4 Roulette (Synot) §22, §26; (Evolution) §19, §23; (Absolute) §26, §30; D2 Výherní možnosti (R1.7)
CREATE TEMP TABLE kind_of (kind text, positions integer, covers integer, odds integer,
                           max numeric, win numeric, absolute_max numeric, absolute_win numeric);
INSERT INTO kind_of VALUES
    ('straight',   37,  1, 35,  10000, 350000,  10000, 350000),
    ('split',      60,  2, 17,  20000, 340000,  20000, 340000),
    ('street',     12,  3, 11,  30000, 330000,  30000, 330000),
    ('trio',        2,  3, 11,  30000, 330000,  30000, 330000),
    ('corner',     22,  4,  8,  40000, 320000,  40000, 320000),
    ('first_four',  1,  4,  8,  40000, 320000,  40000, 320000),
    ('six_line',   11,  6,  5,  60000, 300000,  60000, 300000),
    ('dozen',       3, 12,  2,  65000, 130000, 120000, 240000),
    ('column',      3, 12,  2,  65000, 130000, 120000, 240000),
    ('red',         1, 18,  1, 100000, 100000, 200000, 200000),
    ('black',       1, 18,  1, 100000, 100000, 200000, 200000),
    ('odd',         1, 18,  1, 100000, 100000, 200000, 200000),
    ('even',        1, 18,  1, 100000, 100000, 200000, 200000),
    ('low',         1, 18,  1, 100000, 100000, 200000, 200000),
    ('high',        1, 18,  1, 100000, 100000, 200000, 200000);

SELECT is_empty($$ SELECT kind, count(*), min(cardinality(covered)), max(cardinality(covered)) FROM pos
                GROUP BY kind
                   EXCEPT SELECT kind, positions, covers, covers FROM kind_of $$,
                'the counting of this file: 157 positions, 1 to 18 numbers each');
SELECT is((SELECT covered FROM pos WHERE kind = 'red'), '{1,3,5,7,9,12,14,16,18,19,21,23,25,27,30,32,34,36}',
          'the counting of this file: R4.9: red by the wheel''s turns is the layout''s list');
SELECT is_empty($$ SELECT kind, selection, covered FROM pos
                    WHERE covered IS DISTINCT FROM covers(bet(kind, selection, 1)) $$,
    'D2 Výherní možnosti, D4 Roulette (Synot) §21: covers() of every position is what the layout shows');

-- Every position a game offers, with a stake of its own, so that a payout gone to another wager shows.
CREATE TEMP TABLE offer AS
SELECT g.game, p.kind, p.selection, p.covered, k.odds,
       CASE g.game WHEN 'roulette_american' THEN NULL WHEN 'roulette_absolute' THEN k.absolute_max
           ELSE k.max END AS max,
       CASE g.game WHEN 'roulette_american' THEN NULL WHEN 'roulette_absolute' THEN k.absolute_win
           ELSE k.win END AS win,
       row_number() OVER place AS place, 10 + 0.37 * row_number() OVER place AS stake,
       bet(p.kind, p.selection, 10 + 0.37 * row_number() OVER place) AS bet
FROM game_of g CROSS JOIN pos p JOIN kind_of k ON k.kind = p.kind
WHERE CASE g.game
          WHEN 'roulette_american' THEN p.kind NOT IN ('trio', 'first_four')
              AND NOT (p.kind = 'split' AND 0 = ANY (p.covered))
          WHEN 'roulette_evolution' THEN p.kind <> 'first_four'
          ELSE true
      END
WINDOW place AS (PARTITION BY g.game ORDER BY p.kind, p.selection);
ANALYZE offer;

SELECT results_eq($$ SELECT game, count(*) FROM offer GROUP BY game ORDER BY game $$,
                  $$ VALUES ('roulette_absolute', 157::bigint), ('roulette_american', 151),
                            ('roulette_evolution', 156), ('roulette_synot', 157) $$,
                  'R4.1: positions to be tried of each game');

-- ------------------------------------------------------------------------------ every position, every number

CREATE TEMP TABLE quoted AS
SELECT g.game, n.number, o.kind, o.selection, o.stake, n.number = ANY (o.covered) AS wins, o.odds, q.grade,
    q.profit, q.payout
FROM game_of g
CROSS JOIN generate_series(0, 36) AS n(number)
CROSS JOIN LATERAL (SELECT * FROM quote(g.game,
                                        (SELECT array_agg(f.bet ORDER BY f.place) FROM offer f
                                         WHERE f.game = g.game),
                                        jsonb_build_object('number', n.number)) WITH ORDINALITY) AS q
JOIN offer o ON o.game = g.game AND o.place = q.ordinality AND o.bet OPERATOR(casino.=) q.bet;

SELECT is((SELECT count(*) FROM quoted q WHERE q.game = g.game),
          37 * (SELECT count(*) FROM offer o WHERE o.game = g.game),
          g.game || ': every position is quoted on each of the 37 numbers')
FROM game_of g ORDER BY g.game;
SELECT is_empty(format($$ SELECT number, kind, selection, stake, grade, profit, payout FROM quoted
                       WHERE game = %L
        AND (grade, profit, payout) IS DISTINCT FROM
            (CASE WHEN wins THEN 'win' ELSE 'lose' END, CASE WHEN wins THEN stake * odds ELSE -stake END,
             CASE WHEN wins THEN stake * (odds + 1) ELSE 0 END) $$, game),
                game
                || ', D4 Roulette §25 and D2: a covered number pays the stake and the odds, '
                   'any other nothing (quote)')
FROM game_of ORDER BY game;

-- The same through the ledger: 37 rounds a game, one player on every position.
CREATE TEMP TABLE seat AS
SELECT g.game, register_player('spin ' || g.game) AS player_id,
    add_game_table(g.game, 'spins', 0.01, 10000) AS table_id
FROM game_of g;
SELECT count(deposit(player_id, 5000000)) AS deposits FROM seat \gset
CREATE TEMP TABLE spin (game text, number integer, round_id bigint, settlement settlement);
DO $$
DECLARE
    s record;
    r bigint;
BEGIN
    FOR s IN SELECT seat.*, n AS number FROM seat CROSS JOIN generate_series(0, 36) n ORDER BY game, n LOOP
        r := casino.open_round(s.table_id, 'number ' || s.number);
        PERFORM casino.place_bets(r, s.player_id, (SELECT array_agg(bet ORDER BY place)
                                                     FROM offer WHERE game = s.game));
        INSERT INTO spin SELECT s.game, s.number, r, x
          FROM casino.settle_round(r, jsonb_build_object('number', s.number)) x;
    END LOOP;
END $$;

ANALYZE spin, casino.ledger, casino.round;
CREATE TEMP TABLE settled AS
SELECT s.game, s.number, o.kind, o.selection, o.stake, o.odds, s.number = ANY (o.covered) AS wins,
       w.staked, w.status, w.grade, w.payout
FROM spin s
JOIN offer o ON o.game = s.game
LEFT JOIN wager w ON w.round_id = s.round_id AND w.bet OPERATOR(casino.=) o.bet;
SELECT is_empty(format($$ SELECT number, kind, selection, stake, status, grade, payout FROM settled
                       WHERE game = %L
        AND (staked, status, grade, payout) IS DISTINCT FROM
            (stake, CASE WHEN wins THEN 'won' ELSE 'lost' END, CASE WHEN wins THEN 'win' ELSE 'lose' END,
             CASE WHEN wins THEN stake * (odds + 1) ELSE 0 END) $$, game),
                game || ', D4 Roulette §25 and D2: every position in 37 real rounds, one on each number')
FROM game_of ORDER BY game;
SELECT is_empty(format($$ SELECT * FROM (
        SELECT s.number, (s.settlement).status, (s.settlement).wagers, (s.settlement).players,
            (s.settlement).staked, (s.settlement).paid,
               (s.settlement).house_result
          FROM spin s WHERE s.game = %1$L
        EXCEPT
        SELECT number, 'settled', count(*), 1, sum(stake), sum(stake * (odds + 1)) FILTER (WHERE wins),
               sum(stake) - sum(stake * (odds + 1)) FILTER (WHERE wins)
          FROM settled WHERE game = %1$L GROUP BY number) x $$, game),
                game || ': the settlements count wagers, stakes, payouts and the house''s result')
FROM game_of ORDER BY game;
SELECT is((SELECT balance FROM player p WHERE p.player_id = s.player_id),
          5000000 - (SELECT sum(stake) FROM settled d WHERE d.game = s.game)
                  + (SELECT sum(stake * (odds + 1)) FROM settled d WHERE d.game = s.game AND wins),
          s.game || ': the wallet after 37 rounds')
FROM seat s ORDER BY s.game;
SELECT is((SELECT sum(balance) FROM trial_balance), 0.00,
          'R12.4: the trial balance is even after 148 rounds');

-- 37 x p(win) x (odds + 1) = 36: one stake in 37 stays with the house, on every position
SELECT is_empty(format($$ SELECT game, selection, sum(payout), sum(staked) FROM settled WHERE kind = %L
                           GROUP BY game, selection, stake
                               HAVING sum(payout) - sum(staked) IS DISTINCT FROM -stake $$, kind),
                'D2, D4 odds: the expected return of ' || kind
                    || ' is -1/37 exactly, in every game and on every position')
FROM kind_of ORDER BY odds DESC, kind;

SELECT is_empty(format($$ SELECT kind, selection, status, payout FROM settled WHERE game = %L AND number = 0
                            AND kind IN ('dozen', 'column', 'red', 'black', 'odd', 'even', 'low', 'high')
                            AND (status, payout) IS DISTINCT FROM ('lost', 0.00) $$, game),
                game || ', D4 Roulette (Synot) §21 a)-c): zero loses every outside bet')
FROM game_of ORDER BY game;

SELECT results_eq(format($$ SELECT bet::text, grade, profit, payout FROM quote(%L, '{
        straight:17@10, split:17-20@10, street:16-17-18@10,
        corner:16-17-19-20@10, six_line:16-17-18-19-20-21@10, dozen:2@10, column:2@10, black@10, odd@10,
        low@10, red@10, even@10, high@10}',
        '{"number": 17}') $$, game),
    $$ VALUES ('straight:17@10.00', 'win', 350.00, 360.00), ('split:17-20@10.00', 'win', 170.00, 180.00),
              ('street:16-17-18@10.00', 'win', 110.00, 120.00),
                  ('corner:16-17-19-20@10.00', 'win', 80.00, 90.00),
              ('six_line:16-17-18-19-20-21@10.00', 'win', 50.00, 60.00),
                  ('dozen:2@10.00', 'win', 20.00, 30.00),
              ('column:2@10.00', 'win', 20.00, 30.00), ('black@10.00', 'win', 10.00, 20.00),
                  ('odd@10.00', 'win', 10.00, 20.00),
              ('low@10.00', 'win', 10.00, 20.00), ('red@10.00', 'lose', -10.00, 0.00),
                  ('even@10.00', 'lose', -10.00, 0.00),
              ('high@10.00', 'lose', -10.00, 0.00) $$,
    game
    || ', D4 Roulette (Synot) §26, (Evolution) §23, (Absolute) §30, '
       'D2 Výherní možnosti: each line of odds on 17')
FROM game_of ORDER BY game;
SELECT results_eq($$ SELECT bet::text, payout
                       FROM quote('roulette_synot',
                                  '{trio:0-1-2@10,trio:0-2-3@10,first_four@10,split:0-2@10}',
                                  '{"number": 2}') $$,
                  $$ VALUES ('trio:0-1-2@10.00', 120.00), ('trio:0-2-3@10.00', 120.00),
                      ('first_four@10.00', 90.00), ('split:0-2@10.00', 180.00) $$,
                  'R4.1: the combinations with zero pay as those of their size');
SELECT results_eq($$ SELECT payout FROM quote('roulette_absolute',
                                              '{straight:0@0.01,split:1-2@0.03,dozen:1@33.33,red@99999.99}',
                                                  '{"number": 1}') $$,
                  $$ VALUES (0.00), (0.54), (99.99), (199999.98) $$,
                  'R2.1: odd stakes down to one haléř are paid to the haléř');

SELECT throws_ok(format($$ SELECT quote('roulette_synot', '{red@1}', %L) $$, doc), 'KR001', NULL,
                 'D4 Roulette (Synot) §3: no number of the wheel is refused: ' || doc)
FROM unnest(ARRAY['{"number": 37}', '{"number": -1}', '{"number": 0.5}', '{"number": "17"}',
                  '{"number": null}', '{}', '[17]',
                  '{"number": 1, "colour": "red"}', '{"number": 1e30}']) doc;

-- ------------------------------------------------------------------------------------------ announced bets

CREATE TEMP TABLE stem_of (stem text, synot boolean, evolution boolean, absolute boolean, sample text);
INSERT INTO stem_of VALUES  -- D4 Roulette (Synot) §21, (Evolution) §18, (Absolute) §25; D2 has none
    ('tiers',           true,  true,  true,  'tiers'),
    ('voisins',         true,  true,  true,  'voisins'),
    ('orphelins',       true,  true,  true,  'orphelins'),
    ('zero_game',       true,  true,  true,  'zero_game'),
    ('neighbours',      true,  true,  true,  'neighbours:5/2'),
    ('complete',        true,  true,  false, 'complete:17'),
    ('semi_complete',   true,  false, false, 'semi_complete:17'),
    ('finale_plein',    true,  true,  false, 'finale_plein:7'),
    ('finale_cheval',   false, true,  false, 'finale_cheval:0-3'),
    ('jeu_7_9',         true,  false, false, 'jeu_7_9'),
    ('orphelins_plein', true,  false, false, 'orphelins_plein');

-- Chips of each announced bet.  The lists of fixed ones as the documents print them: numbers*chips (R4.6).
CREATE TEMP TABLE announced AS
WITH fixed(stem, chips) AS (VALUES
    ('tiers',           '5-8 10-11 13-16 23-24 27-30 33-36'),
    ('voisins',         '0-2-3*2 25-26-28-29*2 4-7 12-15 18-21 19-22 32-35'),
    ('orphelins',       '1 6-9 14-17 17-20 31-34'),
    ('zero_game',       '26 0-3 12-15 32-35'),
    ('jeu_7_9',         '19 27 7-8 8-9 17-18 28-29'),
    ('orphelins_plein', '17 34 6 1 20 14 31 9')
), chip AS (
    SELECT stem, stem AS name, split_part(c, '*', 1) AS selection,
        coalesce(nullif(split_part(c, '*', 2), ''), '1')::integer AS chips
      FROM fixed CROSS JOIN regexp_split_to_table(chips, ' ') c
    UNION ALL
    SELECT 'neighbours', format('neighbours:%s/%s', m.number, k), n.number::text, 1
      FROM wheel m CROSS JOIN generate_series(0, 9) k
      JOIN wheel n ON least((n.place - m.place + 37) % 37, (m.place - n.place + 37) % 37) <= k
    UNION ALL
    SELECT 'complete', 'complete:' || n, p.selection, 1 FROM generate_series(0, 36) n
      JOIN pos p ON n = ANY (p.covered)
     WHERE p.kind IN ('straight', 'split', 'street', 'trio', 'corner', 'six_line')
    UNION ALL
    SELECT 'semi_complete', 'semi_complete:' || n, p.selection, 1 FROM generate_series(0, 36) n
      JOIN pos p ON n = ANY (p.covered)
     WHERE p.kind IN ('straight', 'split', 'corner')
    UNION ALL
    SELECT 'finale_plein', 'finale_plein:' || n % 10, n::text, 1 FROM generate_series(0, 36) n
    UNION ALL
    SELECT 'finale_cheval', format('finale_cheval:%s-%s', n % 10, n % 10 + 3), n || '-' || n + 3, 1
      FROM generate_series(0, 33) n
)
SELECT g.game, c.stem, c.name, p.kind, p.selection, p.covered, c.chips, k.odds
FROM chip c
JOIN stem_of s ON s.stem = c.stem
JOIN game_of g ON (g.game = 'roulette_synot' AND s.synot) OR (g.game = 'roulette_evolution' AND s.evolution)
               OR (g.game = 'roulette_absolute' AND s.absolute)
JOIN pos p ON p.selection = c.selection AND p.kind NOT IN ('dozen', 'column')
JOIN kind_of k ON k.kind = p.kind
WHERE g.game = 'roulette_evolution' OR c.name NOT LIKE 'neighbours:%/0';

SELECT results_eq($$ SELECT game, stem, count(DISTINCT name), min(chips), max(chips)
                       FROM (SELECT game, stem, name, sum(chips) AS chips FROM announced
                             GROUP BY game, stem, name) x
                      WHERE stem NOT IN ('complete', 'semi_complete') GROUP BY game, stem
                          ORDER BY game, stem $$,
    $$ VALUES ('roulette_absolute', 'neighbours', 333::bigint, 3::bigint, 19::bigint),
        ('roulette_absolute', 'orphelins', 1, 5, 5),
              ('roulette_absolute', 'tiers', 1, 6, 6), ('roulette_absolute', 'voisins', 1, 9, 9),
                  ('roulette_absolute', 'zero_game', 1, 4, 4),
              ('roulette_evolution', 'finale_cheval', 10, 3, 4),
                  ('roulette_evolution', 'finale_plein', 10, 3, 4),
              ('roulette_evolution', 'neighbours', 370, 1, 19), ('roulette_evolution', 'orphelins', 1, 5, 5),
              ('roulette_evolution', 'tiers', 1, 6, 6), ('roulette_evolution', 'voisins', 1, 9, 9),
                  ('roulette_evolution', 'zero_game', 1, 4, 4),
              ('roulette_synot', 'finale_plein', 10, 3, 4), ('roulette_synot', 'jeu_7_9', 1, 6, 6),
              ('roulette_synot', 'neighbours', 333, 3, 19), ('roulette_synot', 'orphelins', 1, 5, 5),
              ('roulette_synot', 'orphelins_plein', 1, 8, 8), ('roulette_synot', 'tiers', 1, 6, 6),
              ('roulette_synot', 'voisins', 1, 9, 9), ('roulette_synot', 'zero_game', 1, 4, 4) $$,
    'the counting of this file: R4.5: chips of the announced bets as in the documents');

CREATE TEMP TABLE expanded AS
SELECT a.game, a.stem, a.name, kind(b) AS kind, selection(b) AS selection, stake(b) AS stake, b AS bet
FROM (SELECT DISTINCT game, stem, name FROM announced) a
    CROSS JOIN LATERAL announced_bets(a.game, a.name, 7.31) b;
SELECT is_empty(format($$ (SELECT 'missing', game, name, kind, selection, chips * 7.31 FROM announced
                           WHERE stem = %1$L
                           EXCEPT SELECT 'missing', game, name, kind, selection, stake FROM expanded)
                          UNION ALL
                          (SELECT 'surplus', game, name, kind, selection, stake FROM expanded
                           WHERE stem = %1$L
                           EXCEPT SELECT 'surplus', game, name, kind, selection, chips * 7.31
                               FROM announced) $$, stem),
                'D4 Roulette (Synot) §21, (Evolution) §18, (Absolute) §25: ' || stem
                    || ' lies where the document puts its chips')
FROM stem_of ORDER BY stem;
SELECT is((SELECT count(*) FROM expanded), (SELECT count(*) FROM announced),
          'R4.5: every announced bet has one bet a position');

-- D4 Roulette (Synot) §21: "Celková sázka ... představuje 6x hodnotu vybraného žetonu"
SELECT is_empty(format($$ SELECT a.game, a.name, a.chips, x.total
        FROM (SELECT game, name, sum(chips) AS chips FROM announced
              WHERE stem <> 'neighbours' OR name LIKE '%%/0' OR name LIKE '%%/9' GROUP BY game, name) a
       CROSS JOIN LATERAL (SELECT sum(stake(b)) AS total FROM announced_bets(a.game, a.name, %1$s) b) x
       WHERE x.total IS DISTINCT FROM a.chips * %1$s $$, chip),
                format('D4 Roulette (Synot) §21: the stakes of an announced bet are its chips times '
                       'the chip of %s CZK',
                       chip))
FROM unnest(ARRAY[0.01, 0.07, 20, 333.33]) chip;
SELECT results_eq($$ SELECT name, sum(stake(b)), count(*)
                  FROM (VALUES ('complete:0'), ('complete:1'), ('complete:2'), ('complete:17'),
                        ('complete:36'), ('semi_complete:0'), ('semi_complete:17'),
                            ('semi_complete:36')) n(name)
                     CROSS JOIN LATERAL announced_bets('roulette_synot', name, 1) b GROUP BY name
                         ORDER BY name $$,
    $$ VALUES ('complete:0', 6.00, 6::bigint), ('complete:1', 8.00, 8), ('complete:17', 12.00, 12),
        ('complete:2', 11.00, 11),
              ('complete:36', 6.00, 6), ('semi_complete:0', 4.00, 4), ('semi_complete:17', 9.00, 9),
                  ('semi_complete:36', 4.00, 4) $$,
    'D4 Roulette (Synot) §21 Moje sázky a), b): chips of a complete bet counted by hand, '
    'without the first four');
SELECT set_eq($$ SELECT (covers(b))[1] FROM announced_bets('roulette_evolution', 'neighbours:5/2', 1) b $$,
              ARRAY[5, 10, 16, 23, 24],
              'D4 Roulette (Synot) §21 Racetrack: "5 a sousední čísla: 5,10,16,23 a 24"');

-- Each of the 37 numbers in each announced bet; of the neighbours four widths are enough, being straights
-- alone
CREATE TEMP TABLE announced_quote AS
SELECT e.game, e.stem, e.name, n.number, sum(q.payout) AS payout
FROM (SELECT game, array_agg(bet ORDER BY name, bet) AS bets, array_agg(name ORDER BY name, bet) AS names,
             array_agg(stem ORDER BY name, bet) AS stems FROM expanded
       WHERE stem <> 'neighbours' OR name ~ '/[0149]$' GROUP BY game) a
CROSS JOIN generate_series(0, 36) AS n(number)
CROSS JOIN LATERAL (SELECT * FROM quote(a.game, a.bets,
                                        jsonb_build_object('number', n.number)) WITH ORDINALITY) q
CROSS JOIN LATERAL (SELECT a.game, a.names[q.ordinality] AS name, a.stems[q.ordinality] AS stem) e
GROUP BY e.game, e.stem, e.name, n.number;
CREATE TEMP TABLE announced_pays AS
SELECT a.game, a.stem, a.name, n.number, sum(a.chips * 7.31 * CASE
                                             WHEN n.number = ANY (a.covered) THEN a.odds + 1
                                                 ELSE 0 END) AS payout
FROM announced a CROSS JOIN generate_series(0, 36) AS n(number)
WHERE a.stem <> 'neighbours' OR a.name ~ '/[0149]$' GROUP BY a.game, a.stem, a.name, n.number;
SELECT is_empty(format($$ SELECT game, name, number, w.payout, q.payout FROM announced_pays w
                       FULL JOIN announced_quote q USING (game, stem, name, number)
                           WHERE stem = %L AND w.payout IS DISTINCT FROM q.payout $$, stem),
                'D4 Roulette (Synot) §21, §26: ' || stem
                    || ' on each of the 37 numbers, in each game that offers it')
FROM stem_of ORDER BY stem;

-- and the fixed ones, a complete bet and neighbours of the number in real rounds
CREATE TEMP TABLE announced_spin AS SELECT game, name, number, payout FROM announced_pays
WHERE stem IN ('tiers', 'voisins', 'orphelins', 'zero_game', 'jeu_7_9', 'orphelins_plein')
   OR name IN ('neighbours:5/4', 'complete:2', 'semi_complete:36', 'finale_plein:7', 'finale_cheval:3-6');
CREATE TEMP TABLE announced_paid (game text, number integer, staked numeric, paid numeric, wagers bigint);
DO $$
DECLARE
    s record;
    a record;
    r bigint;
    x casino.settlement;
BEGIN
    FOR s IN SELECT seat.*, n AS number FROM seat CROSS JOIN generate_series(0, 36) n
        WHERE game <> 'roulette_american' ORDER BY game, n LOOP
        r := casino.open_round(s.table_id, 'announced ' || s.number);
        FOR a IN SELECT name FROM announced_spin WHERE game = s.game AND number = s.number ORDER BY name LOOP
            PERFORM casino.place_bets(r, s.player_id,
                                      ARRAY(SELECT b FROM casino.announced_bets(s.game, a.name, 7.31) b));
        END LOOP;
        x := casino.settle_round(r, jsonb_build_object('number', s.number));
        INSERT INTO announced_paid VALUES (s.game, s.number, x.staked, x.paid, x.wagers);
    END LOOP;
END $$;
SELECT is_empty(format($$ SELECT number, staked, paid FROM announced_paid WHERE game = %1$L EXCEPT
                          SELECT w.number, (SELECT sum(a.chips) * 7.31 FROM announced a WHERE a.game = %1$L
                                              AND a.name IN (SELECT name FROM announced_spin)), sum(w.payout)
                            FROM announced_spin w WHERE w.game = %1$L GROUP BY w.number $$, game),
                game || ', D4 Roulette (Synot) §21: announced bets placed and settled in 37 real rounds')
FROM game_of WHERE game <> 'roulette_american' ORDER BY game;

CREATE FUNCTION pg_temp.announce(game text, name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.announced_bets(game, name, 10);
    RETURN 'offered';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.announce(g.game, s.sample),
          CASE WHEN (g.game = 'roulette_synot' AND s.synot) OR (g.game = 'roulette_evolution' AND s.evolution)
                    OR (g.game = 'roulette_absolute' AND s.absolute) THEN 'offered' ELSE 'KB004' END,
          format('R4.7: does %s offer %s', g.game, s.stem))
FROM game_of g CROSS JOIN stem_of s ORDER BY g.game, s.stem;
SELECT results_eq($$ SELECT game, pg_temp.announce(game, 'neighbours:5/0'),
                  pg_temp.announce(game, 'neighbours:5/1'),
                            pg_temp.announce(game, 'neighbours:5/9') FROM game_of ORDER BY game $$,
    $$ VALUES ('roulette_absolute', 'KB004', 'offered', 'offered'),
        ('roulette_american', 'KB004', 'KB004', 'KB004'),
              ('roulette_evolution', 'offered', 'offered', 'offered'),
                  ('roulette_synot', 'KB004', 'offered', 'offered') $$,
    'D4 Roulette (Synot) §21, (Absolute) §25: 1 to 9 neighbours a side; (Evolution) §18: 0 to 9');
SELECT is(pg_temp.announce('roulette_evolution', name), '22P02', 'R4.7: no announced bet: ' || name)
FROM unnest(ARRAY['neighbours:5/10', 'neighbours:37/1', 'neighbours:5', 'complete:37', 'complete',
                  'finale_plein:10', 'finale_cheval:0-4',
                  'finale_cheval:10-13', 'voisins:1', 'tier', '']) name;

-- -------------------------------------------------------------------------------- what is not offered (R4.2)

CREATE SEQUENCE attempt_no;
-- 'accepted', or the SQLSTATE with which one place_bets() is refused; each element is one request of bets
CREATE FUNCTION pg_temp.attempt(table_id bigint, VARIADIC requests text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(table_id, 'attempt ' || nextval('attempt_no'));
    answer text := 'accepted';
    one text;
BEGIN
    FOREACH one IN ARRAY requests LOOP
        BEGIN
            PERFORM casino.place_bets(r, (SELECT p.player_id FROM casino.player p
                                          WHERE p.external_ref = 'attempts'), one::casino.bet[]);
        EXCEPTION WHEN OTHERS THEN
            answer := SQLSTATE;
        END;
    END LOOP;
    PERFORM casino.void_round(r, 'an attempt');
    RETURN answer;
END $$;
SELECT deposit(register_player('attempts'), 100000000) AS entry \gset

SELECT table_id AS american FROM seat WHERE game = 'roulette_american' \gset
SELECT table_id AS evolution FROM seat WHERE game = 'roulette_evolution' \gset
SELECT table_id AS synot FROM seat WHERE game = 'roulette_synot' \gset
SELECT table_id AS absolute FROM seat WHERE game = 'roulette_absolute' \gset
SELECT is(pg_temp.attempt(:american, '{' || b || '}'), 'KB004',
          'D2 Výherní možnosti, R4.3: roulette_american does not offer ' || b)
FROM unnest(ARRAY['trio:0-1-2@10', 'trio:0-2-3@10', 'first_four@10', 'split:0-1@10', 'split:0-2@10',
                  'split:0-3@10', 'player@10', 'main@10']) b;
SELECT is(pg_temp.attempt(:american, '{straight:0@10}'), 'accepted',
          'R4.3: roulette_american offers the straight zero');
SELECT is(pg_temp.attempt(:evolution, '{first_four@10}'), 'KB004',
          'D4 Roulette (Evolution) §18: no bet on the first four');
SELECT is(pg_temp.attempt(:evolution, '{trio:0-1-2@10,trio:0-2-3@10,split:0-1@10}'), 'accepted',
          'D4 Roulette (Evolution) §18 c): combinations with zero');
SELECT is(pg_temp.attempt(:synot, '{first_four@10,trio:0-1-2@10,split:0-3@10}'), 'accepted',
          'D4 Roulette (Synot) §21 c), e): trio and Basket are offered');
SELECT is(pg_temp.attempt(:absolute, '{first_four@10,trio:0-1-2@10,split:0-3@10}'), 'accepted',
          'D4 Roulette (Absolute) §25 c), d): trio and 0-1-2-3 are offered');
SELECT throws_ok(format($$ SELECT quote(%L, ARRAY[%L]::bet[], '{"number": 0}') $$, game, b), 'KB004', NULL,
                 format('quote(): %s does not offer %s', game, b))
FROM (VALUES ('roulette_american', 'trio:0-1-2@10'), ('roulette_american', 'first_four@10'),
      ('roulette_american', 'split:0-2@10'),
             ('roulette_evolution', 'first_four@10'), ('roulette_synot', 'player@10')) v(game, b);
SELECT throws_ok(format($$ SELECT max_win(%L, %L) $$, game, b), 'KB004', NULL,
                 format('max_win(): %s does not offer %s', game, b))
FROM (VALUES ('roulette_american', 'trio:0-1-2@10'), ('roulette_american', 'first_four@10'),
      ('roulette_american', 'split:0-2@10'),
             ('roulette_evolution', 'first_four@10'), ('roulette_synot', 'player@10')) v(game, b);

-- ------------------------------------------------------------------------------------------ limits

CREATE TEMP TABLE one_of AS  -- a position of each kind of each game
SELECT DISTINCT ON (game, kind) game, kind, kind || coalesce(':' || selection, '') AS position,
    cardinality(covered) AS covers, max, win
FROM offer ORDER BY game, kind, (0 = ANY (covered)), selection;

-- tables whose straight has the plan's maximum: the plan's maxima of all kinds
SELECT is(pg_temp.attempt(s.table_id, format('{%s@%s}', o.position, o.max)), 'accepted',
          format('D4 Roulette (Synot) §22, (Evolution) §19, (Absolute) §26: %s takes %s CZK on %s', o.game,
                 o.max, o.kind))
FROM one_of o JOIN seat s ON s.game = o.game WHERE o.max IS NOT NULL ORDER BY o.game, o.max, o.kind;
SELECT is(pg_temp.attempt(s.table_id, format('{%s@%s}', o.position, o.max + 0.01)), 'KB002',
          format('D4 Roulette (Synot) §22, (Evolution) §19, (Absolute) §26: %s refuses %s CZK on %s', o.game,
                 o.max + 0.01, o.kind))
FROM one_of o JOIN seat s ON s.game = o.game WHERE o.max IS NOT NULL ORDER BY o.game, o.max, o.kind;

-- smaller tables: minimum of every position, maximum of the straight times the numbers covered, outside bets
-- the plan's (R4.4)
CREATE TEMP TABLE small AS SELECT game, add_game_table(game, 'small', 20, 100) AS table_id FROM game_of;
SELECT is_empty(format($$ SELECT o.position, t.* FROM one_of o JOIN small s ON s.game = o.game
        CROSS JOIN LATERAL (SELECT pg_temp.attempt(s.table_id, format('{%%s@20}', o.position)) AS at_min,
                                   pg_temp.attempt(s.table_id, format('{%%s@19.99}', o.position)) AS below) t
        WHERE o.game = %L AND (at_min, below) IS DISTINCT FROM ('accepted', 'KB002') $$, game),
                game
                || ', D4 Roulette (Synot) §23, R11.5: the table minimum is every position''s, to the haléř')
FROM game_of ORDER BY game;
SELECT is_empty(format($$ SELECT o.position, t.* FROM one_of o JOIN small s ON s.game = o.game
        CROSS JOIN LATERAL (SELECT pg_temp.attempt(s.table_id,
                                                   format('{%%s@%%s}', o.position, o.covers * 100)) AS at_max,
                                   pg_temp.attempt(s.table_id,
                                                   format('{%%s@%%s}', o.position,
                                                          o.covers * 100 + 0.01)) AS above) t
        WHERE o.game = %L AND o.covers <= 6 AND (at_max, above) IS DISTINCT FROM ('accepted', 'KB002') $$,
            game),
                game
                || ', D4 Roulette (Synot) §21 b)-f), R11.5: inside bets by the numbers covered, to the haléř')
FROM game_of ORDER BY game;
SELECT is_empty($$ SELECT o.game, o.position, t.* FROM one_of o JOIN small s ON s.game = o.game
        CROSS JOIN LATERAL (SELECT pg_temp.attempt(s.table_id,
                                                   format('{%s@%s}', o.position, o.max)) AS at_max,
                                   pg_temp.attempt(s.table_id,
                                                   format('{%s@%s}', o.position, o.max + 0.01)) AS above) t
        WHERE o.covers >= 12 AND o.max IS NOT NULL
            AND (at_max, above) IS DISTINCT FROM ('accepted', 'KB002') $$,
                'D4 Roulette (Synot) §21 a)-c), R11.5: outside bets keep the plan''s maximum at a table of '
                'smaller straights');

SELECT table_id AS small FROM small WHERE game = 'roulette_synot' \gset
SELECT is(pg_temp.attempt(:small, '{straight:17@60}', '{straight:17@40}'), 'accepted',
          'D4 Roulette (Synot) §7: several chips on one position, together its maximum');
SELECT is(pg_temp.attempt(:small, '{straight:17@60}', '{straight:17@40.01}'), 'KB002',
          'R11.1: several chips on one position have one maximum');
SELECT is(pg_temp.attempt(:small, '{straight:17@60,straight:17@40.01}'), 'KB002',
          'R11.1: chips sent together have one maximum');
SELECT is(pg_temp.attempt(:small, '{straight:17@19.99,straight:17@0.01}'), 'accepted',
          'R11.1: chips sent together reach the minimum together');
SELECT is(pg_temp.attempt(:small, '{straight:17@19.98,straight:17@0.01}'), 'KB002',
          'R11.1: chips sent together stay below the minimum together');
SELECT is(pg_temp.attempt(:small, '{straight:17@100,straight:18@100,split:17-18@200}'), 'accepted',
          'R11.1: positions of the same numbers have a maximum each');
SELECT is(pg_temp.attempt(:small, '{split:20-17@150,split:17-20@50.01}'), 'KB002',
          'R11.1: one position whichever way its numbers are named');
SELECT is(pg_temp.attempt(:small, '{straight:17@20,straight:18@100.01}'), 'KB002',
          'R11.2: all bets of a request or none');
SELECT is_empty($$ SELECT * FROM wager w WHERE w.bet::text IN ('straight:18@100.01', 'straight:17@40.01') $$,
                'R11.2: refused chips leave no wager');

-- announced bets are limited through the bets they are made of
SELECT is(pg_temp.attempt(:synot, (SELECT array_agg(b)::text
                                   FROM announced_bets('roulette_synot', name, chip) b)), expected,
          format('D4 Roulette (Synot) §21, R4.5: %s with chips of %s CZK, limited by %s', name, chip, why))
FROM (VALUES ('tiers',           20000,    'accepted', 'the split'),
                ('tiers',     20000.01, 'KB002', 'the split'),
             ('voisins',         15000,    'accepted', 'two chips on a trio'),
                 ('voisins',   15000.01, 'KB002', 'two chips on a trio'),
             ('orphelins',       10000,    'accepted', 'the straight'),
                        ('orphelins', 10000.01, 'KB002', 'the straight'),
             ('zero_game',       10000,    'accepted', 'the straight'),
                        ('zero_game', 10000.01, 'KB002', 'the straight'),
             ('neighbours:0/9',  10000,    'accepted', 'the straight'),
                        ('neighbours:0/9', 10000.01, 'KB002', 'the straight'))
     v(name, chip, expected, why);

-- a table's own limits of single kinds
SELECT add_game_table('roulette_synot', 'own limits', 20, 100,
                      '{"limits": {"red": {"min": 50, "max": 5000}, "split": {"max": 150}, '
                      '"dozen": {"min": 5}}}') AS own \gset
SELECT add_game_table('roulette_american', 'own limits', 20, 1000,
                      '{"limits": {"red": {"min": 100, "max": 250000}, '
                      '"six_line": {"max": 9999.99}}}') AS own_american \gset
SELECT is(pg_temp.attempt(t, format('{%s@%s}', position, stake)), expected,
          format('D4 Roulette (Synot) §23, R11.5: the table''s own limits, %s CZK on %s: %s', stake, position,
                 expected))
FROM (VALUES (:own, 'red',         50,       'accepted'), (:own, 'red',         49.99,    'KB002'),
             (:own, 'red',         5000,     'accepted'), (:own, 'red',         5000.01,  'KB002'),
             (:own, 'black',       100000,   'accepted'), (:own, 'black',       100000.01, 'KB002'),
             (:own, 'split:17-20', 150,      'accepted'), (:own, 'split:17-20', 150.01,   'KB002'),
             (:own, 'split:17-20', 20,       'accepted'), (:own, 'split:17-20', 19.99,    'KB002'),
             (:own, 'dozen:1',     5,        'accepted'), (:own, 'dozen:1',     4.99,     'KB002'),
             (:own_american, 'red', 250000,  'accepted'), (:own_american, 'red', 250000.01, 'KB002'),
             (:own_american, 'red', 100,     'accepted'), (:own_american, 'red', 99.99,   'KB002'),
             (:own_american, 'six_line:1-2-3-4-5-6', 9999.99, 'accepted'),
                 (:own_american, 'six_line:1-2-3-4-5-6', 10000, 'KB002'),
             (:own_american, 'corner:1-2-4-5', 4000, 'accepted'),
                 (:own_american, 'corner:1-2-4-5', 4000.01, 'KB002'))
     v(t, position, stake, expected);
SELECT lives_ok(format($$ SELECT add_game_table(%L, %L, %s, %s, %L) $$, game, name, least, most, options),
                'R11.5: a table within the plan: ' || name)
FROM (VALUES ('roulette_synot', 'straight 10 000', 1, 10000, '{}'),
      ('roulette_absolute', 'red 200 000', 1, 10, '{"limits": {"red": {"max": 200000}}}'),
             ('roulette_american', 'no plan maximum', 1, 1000000, '{}')) v(game, name, least, most, options);
SELECT throws_ok(format($$ SELECT add_game_table(%L, %L, %s, %s, %L) $$, game, name, least, most, options),
                 code, NULL, 'R11.5: no table beyond the plan: ' || name)
FROM (VALUES ('roulette_synot',     'straight 10 000.01', 1, 10000.01, '{}', 'KB002'),
             ('roulette_synot',     'red 100 000.01', 1, 10, '{"limits": {"red": {"max": 100000.01}}}',
              'KB002'),
             ('roulette_absolute',  'dozen 120 000.01', 1, 10, '{"limits": {"dozen": {"max": 120000.01}}}',
              'KB002'),
             ('roulette_synot',     'minimum above the maximum', 100.01, 100, '{}', 'KB002'),
             ('roulette_synot',     'minimum zero', 0, 100, '{}', 'KB002'),
             ('roulette_evolution', 'first four', 1, 10, '{"limits": {"first_four": {"max": 10}}}',
              'KB004')) v(game, name, least, most, options, code);

-- ------------------------------------------------------------------------------------------ largest wins

SELECT is_empty(format($$ SELECT position, max, win, max_win(game, (position || '@' || max)::bet) FROM one_of
                           WHERE game = %1$L AND (max_win(game,
                                                          (position || '@' || max)::bet) IS DISTINCT FROM win
                                              OR max_win(game,
                                                         (position || '@'
                                                          || 10 * max)::bet) IS DISTINCT FROM win) $$, game),
                game
                || ', declared net wins: max_win() of the greatest stake is the declared win of its kind, '
                   'of a greater one no more')
FROM game_of WHERE game <> 'roulette_american' ORDER BY game;
SELECT results_eq($$ SELECT max_win('roulette_american', b::bet)
                  FROM unnest(ARRAY['straight:0@10', 'split:1-2@0.01', 'red@1000000']) b $$,
                  $$ VALUES (350.00), (0.17), (1000000.00) $$,
                      'D2: roulette_american declares no greatest win');
SELECT is(max_win('roulette_evolution', 'straight:36@123.45'), 4320.75,
          'D4 Roulette (Evolution) §23: max_win() of a smaller stake is 35 times it');

-- A later plan version whose limits and odds would let profits exceed the declared wins, and with odds that
-- need rounding
SET casino.clock_skew = -1;
SELECT clock_timestamp() + interval '1 day' AS tomorrow, clock_timestamp() + interval '2 days' AS later \gset
SELECT add_plan_version('roulette_synot', :'tomorrow', 'test') AS version \gset
UPDATE bet_rule SET max_stake = 200000 WHERE plan_id = :version AND kind IN ('red', 'black');
UPDATE paytable SET num = 36 WHERE plan_id = :version AND kind = 'straight';
UPDATE paytable SET num = 1, den = 2 WHERE plan_id = :version AND kind = 'even';
UPDATE paytable SET num = 2, den = 3 WHERE plan_id = :version AND kind = 'high';
UPDATE paytable SET num = 1, den = 200 WHERE plan_id = :version AND kind = 'column';
\ir ../helpers/approve.psql
SELECT pg_temp.approve(:version) \g /dev/null
CREATE TEMP TABLE late (who integer, bet bet, profit numeric, capped boolean, why text);
INSERT INTO late VALUES   -- 26 is black, even, high and in the second column
    (1, 'straight:26@9722.22', 349999.92, false, '36:1 just below 350 000'),
    (2, 'straight:26@9722.23', 350000,    true,  '36:1 is 350 000.28'),
    (3, 'straight:26@10000',   350000,    true,  '36:1 is 360 000'),
    (1, 'black@100000',        100000,    false, '1:1 is the declared win itself'),
    (2, 'black@100000.01',     100000,    true,  '1:1 is one haléř more'),
    (3, 'black@200000',        100000,    true,  '1:1 is 200 000'),
    (1, 'red@200000',          -200000,   false, 'a lost wager has no profit to cap'),
    (1, 'even@0.01',           0.01,      false, '0.005'), (2, 'even@0.03', 0.02, false, '0.015'),
        (3, 'even@0.04', 0.02, false, '0.02'),
    (1, 'high@0.01',           0.01,      false, '0.00666'), (2, 'high@0.02', 0.01, false, '0.01333'),
        (3, 'high@1', 0.67, false, '0.66666'),
    (1, 'column:2@0.99',       0.00,      false, '0.00495'), (2, 'column:2@1', 0.01, false, '0.005'),
        (3, 'column:2@3', 0.02, false, '0.015');
CREATE TEMP TABLE late_player AS SELECT who, register_player('late ' || who) AS player_id
    FROM generate_series(1, 3) who;
SELECT count(deposit(player_id, 1000000, NULL, :'later')) AS entries FROM late_player \gset
SELECT open_round(:synot, 'later', :'later') AS late_round \gset
SELECT count(place_bets(:late_round, player_id, (SELECT array_agg(bet) FROM late l WHERE l.who = p.who),
                        at => :'later')) AS requests
FROM late_player p \gset
SELECT settle_round(:late_round, '{"number": 26}', :'later') AS settlement \gset
SELECT is(w.payout - w.staked, l.profit,
          format('%s of %s: %s',
                 CASE WHEN l.why LIKE '0%' THEN 'R2.1, profit rounded half up to 0.01,'
                      ELSE 'R2.6, profit capped at the declared win,' END, l.bet, l.why))
FROM late l JOIN late_player p ON p.who = l.who
LEFT JOIN wager w ON w.round_id = :late_round AND w.player_id = p.player_id AND w.bet OPERATOR(casino.=) l.bet
    ORDER BY l.bet, l.who;
SELECT bag_eq(format($$ SELECT b.player_id, b.entry_no, b.detail ->> 'bet', b.rule, b.occurred_at
                          FROM breach b WHERE (b.detail ->> 'round_id')::bigint = %s $$, :late_round),
              format($$ SELECT w.player_id, w.entry_no, l.bet::text, 'declared_win', %2$L::timestamptz
                     FROM late l JOIN late_player p ON p.who = l.who
                          JOIN wager w ON w.round_id = %1$s AND w.player_id = p.player_id
                              AND w.bet OPERATOR(casino.=) l.bet WHERE l.capped $$,
                     :late_round, :'later'),
              'R2.6: every capped profit is recorded as a breach declared_win, and no other');
SELECT results_eq(format($$ SELECT bet::text, profit, payout
                         FROM quote('roulette_synot', '{straight:26@10000,black@100000.01,even@0.01}',
                                    '{"number": 26}', %L) $$, :'later'),
                  $$ VALUES ('straight:26@10000.00', 350000.00, 360000.00),
                      ('black@100000.01', 100000.00, 200000.01), ('even@0.01', 0.01, 0.02) $$,
                  'R11.17: quote() caps and rounds as the settlement does');
SELECT is(max_win('roulette_synot', 'straight:26@10000', :'later'), 350000.00,
          'R2.6: max_win() under raised odds is still the declared win');
SELECT is((SELECT count(*) FROM breach WHERE (detail ->> 'round_id')::bigint <> :late_round), 0::bigint,
          'no profit under the documents'' own plans was ever capped');

SELECT * FROM finish();
