-- The registry of families of games: whatever lists families follows from it, or is held against it here.
BEGIN;
SET LOCAL search_path = casino, casino_internal, public, pg_catalog;
SELECT no_plan();

CREATE TEMP TABLE known AS SELECT * FROM families();
SELECT results_eq('SELECT family, seats, between_players FROM known',
                  $$VALUES ('roulette', NULL::integer, false), ('baccarat', NULL, false),
                      ('blackjack', NULL, false),
                           ('casino_holdem', NULL, false), ('texas_holdem', 10, true)$$,
    'the families that are built, in the order of the list; ten seats and no house at Texas Hold''em');
SELECT is_empty('SELECT family FROM game EXCEPT SELECT family FROM known', 'every game is of one of them');
SELECT is_empty('SELECT family FROM known EXCEPT SELECT family FROM game', 'each has a game');
SELECT is_empty('SELECT family FROM known WHERE NOT family_is_built(family)', 'each is built');
SELECT throws_ok($$INSERT INTO game (game, family, live, name, document) VALUES ('dice', 'dice', false,
        'Dice', 'D9')$$, '23514', NULL,
                 'a game of another family is refused');
SELECT throws_ok($$SELECT canonical_outcome('dice', '{}', '{}')$$, '0A000', NULL,
                 'and so is an outcome of one');

-- the plan: kinds of bet, rules, and grades wherever the house pays
SELECT is_empty('SELECT family FROM known WHERE NOT EXISTS (SELECT FROM plan_kinds(family))',
                'each has kinds of bet');
SELECT is_empty('SELECT family FROM known WHERE NOT EXISTS (SELECT FROM plan_rules(family))',
                'and rules of its plans');
SELECT is_empty('SELECT family
                   FROM known
                  WHERE between_players = EXISTS (SELECT FROM plan_grades(family, NULL))',
                'and grades, unless the players pay each other');
SELECT is_empty($$SELECT f.family, b.kind FROM known f JOIN game USING (family) JOIN game_plan USING (game)
                JOIN bet_rule b USING (plan_id)
                  EXCEPT SELECT f.family, k FROM known f, plan_kinds(f.family) k$$,
                      'every plan offers kinds of its family only');

-- the views by which its rounds are evaluated a second time
SELECT set_eq($$SELECT relname::text FROM pg_class
              WHERE relnamespace = 'casino'::regnamespace AND relkind = 'v'
                  AND relname ~ '^(graded|evaluation)_'$$,
              $$SELECT v || family FROM known, unnest('{graded_,evaluation_}'::text[]) v$$,
                  'each family has its two views, and nobody else');
SELECT is((SELECT count(DISTINCT columns) FROM (SELECT string_agg(format('%s %s', a.attname,
        a.atttypid::regtype), ', ' ORDER BY a.attnum) AS columns
                                                  FROM pg_class c
                                                      JOIN pg_attribute a ON a.attrelid = c.oid
                                                          AND a.attnum > 0
                                                 WHERE c.relnamespace = 'casino'::regnamespace
                                                     AND c.relkind = 'v' AND c.relname ~ '^graded_'
                                                 GROUP BY c.oid) x), 1::bigint,
                                                     'all views graded_FAMILY have the same columns');

-- quotes
SELECT set_eq($$SELECT proname::text FROM pg_proc
              WHERE pronamespace = ANY (casino_internal.schemas()) AND proname ~ '^quote_grades_'$$,
              $$SELECT 'quote_grades_' || family FROM known
                  WHERE NOT between_players$$,
                      'each family that the house pays has its quote_grades_FAMILY()');
SELECT throws_ok($$SELECT quote_grades('texas_holdem', '{}', '{}', '{}', '{}')$$, '0A000', NULL,
                 'the others are not quoted');

-- Functions and views that name a family: what a new family has to look at beside its own part.  A new place
-- is added here, with its reason.
CREATE TEMP TABLE place (name text, family text, reason text);
INSERT INTO place VALUES
    ('standing_stake', 'blackjack', 'the plan''s rules as a number'),
    ('announced_problem', 'roulette', 'announced bets are roulette''s'),
    ('audit_round', 'roulette', 'everything that covers a number'),
    ('audit_round', 'blackjack', 'rows of a box and of all boxes'),
    ('watched_bets', 'roulette', 'bets that cover numbers'),
    ('counted_table', 'roulette', 'bets that cover numbers'),
    ('watched_cards', 'baccarat', 'cards that came whatever they were'),
    ('watched_cards', 'blackjack', 'cards that came whatever they were'),
    ('watched_cards', 'casino_holdem', 'cards that came whatever they were'),
    ('watch_day', 'roulette', 'numbers of the wheel'),
    ('check_outcome_of', 'blackjack', 'documents with several hands'),
    ('check_outcome_of', 'texas_holdem', 'documents with several hands'),
    ('page_hands', 'baccarat', 'points of a hand'),
    ('page_hands', 'blackjack', 'points of a hand'),
    ('page_of_round', 'roulette', 'a number has a colour');
SELECT set_eq($$SELECT DISTINCT regexp_replace(o.name, '_(as_owner|impl)$', ''), f.family
                  FROM known f
                  JOIN (SELECT proname::text AS name, prosrc AS source FROM pg_proc
                        WHERE pronamespace = ANY (casino_internal.schemas())
                        UNION ALL SELECT viewname, definition FROM pg_views WHERE schemaname = 'casino') o
                    ON o.source ~ ('''' || f.family || '''')
                 WHERE o.name !~ ('(^|_)(' || f.family || '|' || split_part(f.family, '_', 1) || ')(_|$)')
                   -- plan data, and what the installer makes of it
                   AND o.name !~ '^(load_|install)'$$,
              'SELECT name, family FROM place',
                  'a family is named in its own part, and where this list says why');
SELECT * FROM finish();
ROLLBACK;
