-- The sixteen games and version 1 of each game plan, as the source documents give them.
--
-- Figures stand once: a list that several games share is written once and joined to the games that offer the
-- bet. Every row carries the paragraph it comes from (R1.9): 'D4 Baccarat §20', or the heading where it has
-- no number: 'D0 HRA'. 'R3.14' is a reading (doc/readings.md): what a document leaves open and how it was
-- decided.
--
-- Rules of a plan (casino.plan_rule). Switches: true, false. Numbers: 0 means none, or that the plan sets no
-- limit.
--
--   Those with a + are facts for people (plan_rule.informative), which no code reads.
--
--   blackjack: every game has every rule
--   rule                            values                    meaning
--   decks                           number                    packs of 52 cards
--   hole_card                       true false                dealer's second card is dealt at once, face
--                                                             down
--   dealer_16                       draw either               dealer on 16; either: to draw and to stand are
--                                                             both right
--   double_on                       any 9-11                  first two cards that may be doubled; 9-11: hard
--                                                             totals
--   double_after_split              true false
--   double_split_aces               false
--   split_on                        rank value                king and queen are equal by value, not by rank
--   max_hands                       number                    hands one seat can be split into
--   resplit_aces                    true false
--   cards_on_split_ace              number                    cards dealt to each split ace
--   insurance                       half up_to_half           exactly half of the main stake; at most half of
--                                                             it
--                                   multiple_of_half_minimum  at most half, multiples of half the table
--                                                             minimum
--   insurance_own_blackjack         true false                may a blackjack be insured
--   insurance_behind +              false                     may a bet behind be insured
--   insurance_on_added_stakes       true false                doubled and split stakes count towards it
--   even_money                      none ace ace_or_ten       dealer's first card that lets a blackjack take
--                                                             1:1
--   surrender                       none table                table: the table may offer it
--   charlie_cards                   number                    a hand of so many cards not over 21 wins
--   charlie_beats_dealer_blackjack  true false
--   dealer_22                       players_win push          push: all standing hands but a blackjack
--   doubled_returned_on_ten_ace     true false                the whole doubled stake comes back against ten,
--                                                             then ace
--   box                             seats shared              shared: one box for all players of the table
--   max_seats                       number                    0: the table decides
--   bets_per_box                    number                    players with a main bet on one box; 0: any
--                                                             number
--   box_limit                       together each owner       maximum for all on the box, for each, for its
--                                                             one player
--   owner_precedence                true false                above the box's maximum the others must make
--                                                             room for its owner
--   absent_owner                    none second_player        who decides for the absent owner of a box
--   behind                          none table                bets behind; table: the table may offer them
--   draw_on_21                      true false                may a player draw on 21
--   must_draw_to                    number                    no standing on it or less (doubled hands, split
--                                                             aces may)
--   no_action +                     none stand                how a hand is played whose player does not
--                                                             decide
--                                   draw_to_11 draw_to_16     draw on it or less, then stand
--   free_split_on                   none not_tens             pairs split free of charge: all but ten-values
--   free_double_on                  none 9-11_no_ace          hard totals of two cards doubled free of charge
--   dealer_completes_on_ace_or_ten  true false                before anything is paid, on such a first card
--   In no game may a blackjack be doubled, drawn to or split.
--
--   ground_CODE     a ground of a void or of a withholding, in the document's words, in any family (R11.41)
--
--   roulette        numbers + (pockets), min_turns + (of the ball, with fewer the spin is void; absent: none
--                   named)
--   baccarat        decks
--   casino_holdem   decks +, burnt_cards + (a hand), call_multiple + (of the ante), dealer_qualifies +
--                   (pair_of_fours), board_without_call + (board cards that are enough when nobody called)
--   texas_holdem    decks +, burnt_cards +, small_blind and big_blind (CZK), min_raise_multiple (of the last
--                   bet), rake +, actions_required (true: no settlement without the actions of the hand;
--                   absent: they are optional)
CREATE FUNCTION casino_internal.load_game_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- Columns of the blackjack lists, and where each document speaks of a subject.
    blackjacks CONSTANT text[] := ARRAY[
        'blackjack_czech_casinos', 'blackjack_classic', 'blackjack_house', 'blackjack_free_bet',
        'blackjack_synot', 'blackjack_all_bets', 'blackjack_infinite', 'blackjack_evolution',
        'blackjack_endless'];
    said CONSTANT jsonb := '{
    "cards":       ["KARTY",           "Pravidla hry",   "Pravidla",      "§1",   "§3",  "§3",  "§4",  "§3",  "§3"],
    "deal":        ["HRA",             "Pravidla hry",   "Pravidla",      "§3",   "§10", "§9",  "§11", "§10", "§9"],
    "dealer":      ["VÝHERNÍ SESTAVA", "Pravidla hry",   "Pravidla",      "§3",   "§14", "§13", "§15", "§14", "§13"],
    "draw":        ["HRA",             null,             null,            "§3",   null,  null,  null,  null,  null],
    "no_action":   [null,              null,             null,            "§1",   "§13", "§12", "§14", "§13", "§12"],
    "double":      ["HRA",             "Zdvojení sázky", "Zdvojnásobení", "§5",   "§20", "§18", "§20", "§20", "§17"],
    "split":       ["HRA",             "Rozdělení hry",  "Rozdělení",     "§4",   "§18", "§17", "§19", "§18", "§16"],
    "insurance":   ["HRA",             "Pojištění",      "Pojištění",     "§7",   "§21", "§19", "§21", "§21", "§18"],
    "even_money":  ["HRA",             null,             "Pojištění",     "§3",   null,  null,  null,  null,  null],
    "surrender":   [null,              null,             null,            null,   "§19", null,  null,  "§19", null],
    "charlie":     [null,              null,             null,            null,   null,  "§14", "§16", "§15", null],
    "behind":      [null,              null,             null,            null,   "§15", null,  null,  null,  null],
    "box":         ["OVLÁDÁNÍ BOXU",   "Box",            "Box",           "§1",   "§2",  "§2",  "§3",  "§2",  "§2"],
    "limits":      ["SÁZKY",           "Box",            "Box",           "§1",
        "Základní informace", "Základní informace", "Základní informace", "Základní informace", "Základní informace"],
    "payout":      ["VÝHERNÍ SESTAVA", "Pravidla hry",   "Pravidla",      "§3",   "§27", "§25", "§27", "§27", "§30"],
    "side_bets":   [null,              null,             null,            "§6",   "§26", "§24", "§26", "§26", "§29"],
    "side_payout": [null,              null,             null,            "§6",   "§28", "§26", "§28", "§28", "§31"],
    "free_split":  [null,              null,             null,            "§4.1", null,  null,  null,  null,  null],
    "free_double": [null,              null,             null,            "§5.1", null,  null,  null,  null,  null]
    }';
BEGIN

-- ------------------------------------------------------------------------------------------- games and plans
-- The D4 plan carries a date (2026-05-13) and the others none, and no document names a day from which it
-- holds: version 1 has been in force from the beginning of time (R1.1). The live games are the ten of D4
-- (R1.6).

WITH g(plan_id, game, family, name, source) AS (VALUES
    ( 1, 'blackjack_czech_casinos', 'blackjack',     'Black Jack',                         'D0'),
    ( 2, 'blackjack_classic',       'blackjack',     'Black Jack',                         'D1'),
    ( 3, 'blackjack_house',         'blackjack',     'Blackjack',                          'D2 Blackjack'),
    ( 4, 'roulette_american',       'roulette',      'Americká ruleta',                    'D2 Roulette'),
    ( 5, 'holdem_cash_25_50',       'texas_holdem',  'Texas Holdem Poker Cash Game 25/50', 'D2 Texas Holdem'),
    ( 6, 'blackjack_free_bet',      'blackjack',     'Free Bet Black Jack',                'D3'),
    ( 7, 'blackjack_synot',         'blackjack',     'Blackjack',                          'D4 Blackjack'),
    ( 8, 'roulette_synot',          'roulette',      'Roulette (Synot)',                   'D4 Roulette (Synot)'),
    ( 9, 'blackjack_all_bets',      'blackjack',     'All Bets Blackjack',                 'D4 All Bets Blackjack'),
    (10, 'casino_holdem',           'casino_holdem', 'Casino Hold''em',                    'D4 Casino Hold''em'),
    (11, 'baccarat',                'baccarat',      'Baccarat',                           'D4 Baccarat'),
    (12, 'roulette_evolution',      'roulette',      'Roulette (Evolution)',               'D4 Roulette (Evolution)'),
    (13, 'blackjack_infinite',      'blackjack',     'Infinite Blackjack',                 'D4 Infinite Blackjack'),
    (14, 'blackjack_evolution',     'blackjack',     'Blackjack (Evolution)',              'D4 Blackjack (Evolution)'),
    (15, 'roulette_absolute',       'roulette',      'Roulette (Absolute live gaming)',    'D4 Roulette (Absolute)'),
    (16, 'blackjack_endless',       'blackjack',     'BlackJack - Endless',                'D4 BlackJack - Endless')
), new_game AS (
    INSERT INTO casino.game (game, name, family, live, document, name_en)
    SELECT g.game, g.name, g.family, g.source LIKE 'D4%', left(g.source, 2), e.name_en
      FROM g
      -- the other documents have English names
      LEFT JOIN (VALUES ('roulette_american', 'American roulette')) e (game, name_en) ON e.game = g.game
)
INSERT INTO casino.game_plan (plan_id, game, version, valid_from, document, round_max_stake,
                              declared_round_win)
SELECT g.plan_id, g.game, 1, '-infinity',
       g.source || CASE WHEN g.source LIKE 'D4%' THEN ', 2026-05-13' ELSE '' END,
       r.round_max_stake, r.declared_round_win
FROM g
LEFT JOIN (VALUES                                       -- for one player in one round (R2.10)
    ('casino_holdem',  90000, 4040000),
    ('baccarat',      375000,  967000)
) AS r(game, round_max_stake, declared_round_win) ON r.game = g.game;

-- A paragraph is the plan's source without its date, and the section: split_part(document, ',', 1) || ' ' ||
-- section.

-- ------------------------------------------------------------------------------------------------ blackjack

-- Rules. A star: the document is silent or open, and the reading at the end of the line says what holds.
INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, rtrim(v.value, '*'),
       CASE WHEN v.value LIKE '%*' THEN r.reading
            ELSE split_part(p.document, ',', 1) || ' ' || (said -> r.subject ->> v.n::integer - 1) END
FROM (VALUES
    --                                                 D0     D1     D2     D3     synot  all    inf    evol   endless
    ('decks',                          'cards',       '6      6      6      6      8      8      8      8      8', NULL),
    ('hole_card',                      'deal',        'false  false  false  false  true   true   true   true   true', NULL),
    ('dealer_16',                      'dealer',      'draw   either* draw  draw   draw   draw   draw   draw   draw', 'R3.1'),
    ('double_on',                      'double',      'any    9-11   any    any    any    any    any    any    any', NULL),
    ('double_after_split',             'split',       'true   false* false* true   true   true   true   true   true', 'R3.8'),
    ('double_split_aces',              'split',       'false* false* false* false* false  false  false  false  false', 'R3.7'),
    ('split_on',                       'split',       'rank*  value  value  value  value  value  value  value  value', 'R3.5'),
    ('max_hands',                      'split',       '4      2      4      4      2      2      2      2      2', NULL),
    ('resplit_aces',                   'split',       'true   false  false* true   false  false  false  false  false', 'R3.18'),
    ('cards_on_split_ace',             'split',       '1      1      1      1      1      1      1      1      1', NULL),
    ('insurance',                      'insurance',   'half   half   up_to_half multiple_of_half_minimum
                                                                                   half   half   half   half   half', NULL),
    ('insurance_own_blackjack',        'insurance',   'false  true*  false  true   true*  true*  true*  true*  true*', 'R3.26'),
    ('insurance_behind',               'behind',      'false* false* false* false* false  false* false* false* false*', 'R3.41'),
    ('insurance_on_added_stakes',      'insurance',   'false  false* false* true   false  false  false  false  false', 'R3.27'),
    ('even_money',                     'even_money',  'ace    none*  ace    ace_or_ten none* none* none* none* none*', 'R1.11'),
    ('surrender',                      'surrender',   'none*  none*  none*  none*  table  none*  none*  table  none*', 'R1.11'),
    ('charlie_cards',                  'charlie',     '0*     0*     0*     0*     0*     10     6      6      0*', 'R1.11'),
    ('charlie_beats_dealer_blackjack', 'charlie',     'false* false* false* false* false* false  true   true   false*', 'R1.11'),
    ('dealer_22',                      'payout',      'players_win players_win players_win push
                                                       players_win players_win players_win players_win players_win', NULL),
    ('doubled_returned_on_ten_ace',    'double',      'false* false* false* false* true   true   true   true   true', 'R1.11'),
    ('box',                            'box',         'seats  seats  seats  seats  seats  shared shared seats  shared', NULL),
    ('max_seats',                      'box',         '0*     0*     0*     0*     7      1      1      7      1', 'R1.10'),
    ('bets_per_box',                   'box',         '3      3      3      3      1*     0      0      1*     0', 'R3.40'),
    ('box_limit',                      'box',         'together together together each
                                                                                   owner* each*  each*  owner* each*', 'R3.40'),
    ('owner_precedence',               'box',         'true   false* false* false* false* false* false* false* false*', 'R1.11'),
    ('absent_owner',                   'box',         'none*  none*  none*  second_player
                                                                                   none*  none*  none*  none*  none*', 'R1.11'),
    ('behind',                         'behind',      'none*  none*  none*  none*  table  none*  none*  none*  none*', 'R1.11'),
    ('draw_on_21',                     'draw',        'false  true*  true*  false  true*  true*  true*  true*  true*', 'R3.9'),
    ('must_draw_to',                   'draw',        '0*     0*     0*     11     0*     0*     0*     0*     0*', 'R3.10'),
    -- infinite and evolution say "below 11" and "above 11"; 11 itself draws (R3.20)
    ('no_action',                      'no_action',   'none*  none*  none*  draw_to_16
                                                       stand  stand  draw_to_11 draw_to_11 stand', 'R3.21'),
    ('free_split_on',                  'free_split',  'none*  none*  none*  not_tens none* none* none*  none*  none*', 'R1.11'),
    ('free_double_on',                 'free_double', 'none*  none*  none*  9-11_no_ace none* none* none* none* none*', 'R1.11'),
    ('dealer_completes_on_ace_or_ten', 'deal',        'false* false* false* true   false* false* false* false* false*', 'R3.3')
) AS r(rule, subject, by_game, reading)
CROSS JOIN LATERAL regexp_split_to_table(r.by_game, '\s+') WITH ORDINALITY AS v(value, n)
JOIN casino.game_plan p ON p.game = blackjacks[v.n];

-- Kinds of bet and the games that offer them, NULL: all. D0 to D3 leave every limit to the table, and no
-- document limits doubled, split and insurance stakes but by the main stake. Behind needs the owner's main
-- bet, not one of the bettor's own; so who doubles or splits in Synot need not have a main bet.
INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, requires, phase, paragraph)
SELECT p.plan_id, b.kind,
       CASE WHEN b.kind IN ('main', 'behind') THEN l.main WHEN b.phase = 'betting' THEN l.side END,
       CASE WHEN b.kind IN ('main', 'behind') THEN l.main_win ELSE (l.side_wins ->> b.kind)::numeric END,
       b.table_limits,
       CASE WHEN b.kind IN ('double_down', 'split_pair') AND o.game = 'synot' THEN NULL ELSE b.requires END,
       b.phase,
       split_part(p.document, ',', 1) || ' ' || (said -> b.subject ->> array_position(blackjacks, p.game) - 1)
           || CASE WHEN b.subject IN ('side_bets', 'behind') AND l.game IS NOT NULL
                   THEN ', Základní informace' ELSE '' END
FROM (VALUES
    ('main',        'principal', NULL,   'betting', 'limits',      NULL),
    ('double_down', 'none',      'main', 'play',    'double',      NULL),
    ('split_pair',  'none',      'main', 'play',    'split',       NULL),
    ('insurance',   'none',      'main', 'play',    'insurance',   NULL),
    ('free_split',  'none',      'main', 'play',    'free_split',  '{free_bet}'),
    ('free_double', 'none',      'main', 'play',    'free_double', '{free_bet}'),
    ('push22',      'none',      'main', 'betting', 'side_bets',   '{free_bet}'),
    ('behind',      'principal', NULL,   'betting', 'behind',      '{synot}'),
    ('21+3',        'none',      'main', 'betting', 'side_bets',   '{synot,all_bets,infinite,evolution,endless}'),
    ('player_pair', 'none',      'main', 'betting', 'side_bets',   '{synot,all_bets,infinite,evolution,endless}'),
    ('dealer_pair', 'none',      'main', 'betting', 'side_bets',   '{synot,all_bets}'),
    ('top3',        'none',      'main', 'betting', 'side_bets',   '{synot,all_bets}'),
    ('lucky_lucky', 'none',      'main', 'betting', 'side_bets',   '{all_bets}'),
    ('buster',      'none',      'main', 'betting', 'side_bets',   '{all_bets}'),
    ('bust_it',     'none',      'main', 'betting', 'side_bets',   '{infinite}'),
    ('hot3',        'none',      'main', 'betting', 'side_bets',   '{infinite}')
) AS b(kind, table_limits, requires, phase, subject, games)
JOIN casino.game_plan p ON p.game = ANY (blackjacks)
CROSS JOIN LATERAL substr(p.game, length('blackjack_') + 1) AS o(game)
-- D4, Základní informace of each game. The declared win of the main bet is what one main bet can win (3:2,
-- R2.9, R3.43), no cap on the split and doubled play; of the side bets a declared win is named only for these
-- (R3.49).
LEFT JOIN (VALUES
    ('synot',      100000,  1000,  150000, '{"top3": 270000}'::jsonb),
    ('all_bets',   100000,  1000,  150000, '{"top3": 270000}'),
    ('infinite',   100000,  1000,  150000, '{"bust_it": 250000}'),
    ('evolution',  100000,  1000,  150000, '{"21+3": 100000, "player_pair": 25000}'),
    ('endless',   1000000, 10000, 1500000, '{"21+3": 1000000}')
) AS l(game, main, side, main_win, side_wins) ON l.game = o.game
WHERE b.games IS NULL OR o.game = ANY (b.games::text[]);

-- Odds of the play. A line with a rule is for the games that have it. A doubled hand ends with its third card
-- and never is a Charlie. Who pays free wagers handles their notional.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT b.plan_id, b.kind, o.grade, split_part(o.odds, ':', 1)::integer, split_part(o.odds, ':', 2)::integer,
       CASE WHEN o.subject ~ '^R[0-9]' THEN o.subject
            ELSE split_part(p.document, ',', 1) || ' '
                 || (said -> o.subject ->> array_position(blackjacks, p.game) - 1) END
FROM (VALUES
    ('{main,behind,double_down,split_pair}', 'win',        '1:1',  'payout',      NULL),
    ('{main,behind,double_down,split_pair}', 'push',       '0:1',  'payout',      NULL),
    ('{main,behind}',                        'blackjack',  '3:2',  'payout',      NULL),
    ('{main,behind}',                        'even_money', '1:1',  'even_money',  'even_money'),
    ('{main,behind}',                        'surrender',  '-1:2', 'surrender',   'surrender'),
    ('{main,behind,split_pair}',             'charlie',    '1:1',  'charlie',     'charlie_cards'),
    ('{main,behind,double_down,split_pair}', 'returned',   '0:1',  'double',      'doubled_returned_on_ten_ace'),
    ('{free_split}',                         'win',        '1:1',  'free_split',  NULL),
    ('{free_split}',                         'push',       '0:1',  'free_split',  NULL),
    ('{free_double}',                        'win',        '1:1',  'free_double', NULL),
    ('{free_double}',                        'push',       '0:1',  'free_double', NULL),
    ('{insurance}',                          'win',        '2:1',  'insurance',   NULL),
    -- it was never on offer
    ('{insurance}',                          'returned',   '0:1',  'R3.28',       NULL)
) AS o(kinds, grade, odds, subject, rule)
JOIN casino.bet_rule b ON b.kind = ANY (o.kinds::text[])
JOIN casino.game_plan p ON p.plan_id = b.plan_id AND p.game = ANY (blackjacks)
LEFT JOIN casino.plan_rule r ON r.plan_id = b.plan_id AND r.rule = o.rule
WHERE o.rule IS NULL OR r.value NOT IN ('none', '0', 'false');

-- Odds to 1 of the side bets; equal in all games that offer them, but for the three of a kind of 21+3.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT b.plan_id, b.kind, v.grade, v.odds, 1,
       split_part(p.document, ',', 1) || ' '
           || (said -> 'side_payout' ->> array_position(blackjacks, p.game) - 1)
FROM (VALUES
    ('{21+3}',        '{suited_trips, straight_flush, straight, flush}',  '{100, 40, 10, 5}', NULL),
    ('{21+3}',        '{trips}',                                          '{30}',
                      '{synot,all_bets,infinite,evolution}'),
    ('{21+3}',        '{trips}',                                          '{25}', '{endless}'),
    ('{top3}',        '{suited_trips, straight_flush, trips}',            '{270, 180, 90}', NULL),
    ('{player_pair,dealer_pair}',
                      '{suited_pair, coloured_pair, mixed_pair}',         '{25, 12, 6}', NULL),
    ('{lucky_lucky}', '{suited_777, suited_678, 777, 678, suited_21, 21, 20, 19}',
                      '{200,        100,         50,  25,        15,  3,  2,  2}', NULL),
    ('{buster}',      '{bust_8_blackjack, bust_7_blackjack, bust_8, bust_7, bust_6, bust_5, bust_4, bust_3}',
                      '{2000,                          800,    250,     50,     18,      4,      2,      2}',
                      NULL),
    ('{bust_it}',     '{bust_8, bust_7, bust_6, bust_5, bust_4, bust_3}', '{250, 100, 50, 9, 2, 1}', NULL),
    ('{hot3}',        '{777, suited_21, 21, 20, 19}',                     '{100, 20, 4, 2, 1}', NULL),
    ('{push22}',      '{win}',                                            '{11}', NULL)
) AS o(kinds, grades, odds, games)
CROSS JOIN LATERAL unnest(o.grades::text[], o.odds::integer[]) AS v(grade, odds)
JOIN casino.bet_rule b ON b.kind = ANY (o.kinds::text[])
JOIN casino.game_plan p ON p.plan_id = b.plan_id AND p.game = ANY (blackjacks)
WHERE o.games IS NULL OR substr(p.game, length('blackjack_') + 1) = ANY (o.games::text[]);

-- A blackjack gets its Bust It back.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT p.plan_id, 'bust_it', 'push', 0, 1, 'D4 Infinite Blackjack §26'
FROM casino.game_plan p WHERE p.game = 'blackjack_infinite';

-- ------------------------------------------------------------------------------------------------ roulette

INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, r.value, split_part(p.document, ',', 1) || ' ' || r.section
FROM (VALUES
    -- a single zero, whatever its name (R1.7, R4.9)
    ('roulette_american',  'numbers',   '37', 'Pravidla'),
    ('roulette_synot',     'numbers',   '37', '§3'),
    ('roulette_evolution', 'numbers',   '37', '§3'),
    ('roulette_absolute',  'numbers',   '37', '§3'),
    ('roulette_synot',     'min_turns', '3',  '§11'),
    ('roulette_evolution', 'min_turns', '4',  '§11')
) AS r(game, rule, value, section)
JOIN casino.game_plan p ON p.game = r.game;

-- Kinds with their odds to 1, maxima and declared net wins: columns of synot and evolution, and of absolute.
-- trio and first four have no line in the documents' tables: they are paid and limited as the street and the
-- corner beside which they are described (R4.1). roulette_american leaves the limits to its tables and has no
-- zero but in the straight (R4.3): split is the only kind there that could include it.
WITH k(kinds, inside, odds, max_stake, declared_win, absolute_max, absolute_win) AS (VALUES
    ('{straight}',                    true,  35,  10000, 350000,  10000, 350000),
    ('{split}',                       true,  17,  20000, 340000,  20000, 340000),
    ('{street,trio}',                 true,  11,  30000, 330000,  30000, 330000),
    ('{corner,first_four}',           true,   8,  40000, 320000,  40000, 320000),
    ('{six_line}',                    true,   5,  60000, 300000,  60000, 300000),
    ('{dozen,column}',                false,  2,  65000, 130000, 120000, 240000),
    ('{red,black,odd,even,low,high}', false,  1, 100000, 100000, 200000, 200000)
-- where; NULL: not offered (R4.2)
), s(game, limits, odds, trio, first_four) AS (VALUES
    ('roulette_american',  'Výherní možnosti', 'Výherní možnosti', NULL,     NULL),
    ('roulette_synot',     '§22',              '§26',              '§21 c)', '§21 e)'),
    ('roulette_evolution', '§19',              '§23',              '§18 c)', NULL),
    ('roulette_absolute',  '§26',              '§30',              '§25 c)', '§25 d)')
), offered AS (
    SELECT p.plan_id, p.game, split_part(p.document, ',', 1) || ' ' AS source, k.*, u.kind,
           s.odds AS odds_section,
           CASE u.kind
                WHEN 'trio' THEN s.trio
                WHEN 'first_four' THEN s.first_four
                ELSE s.limits END AS section
    FROM k
   CROSS JOIN LATERAL unnest(k.kinds::text[]) AS u(kind)
   CROSS JOIN s
    JOIN casino.game_plan p ON p.game = s.game
), new_bet_rule AS (
    INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, phase, zero_offered,
                                 paragraph)
    SELECT o.plan_id, o.kind,
           CASE o.game WHEN 'roulette_american' THEN NULL
                       WHEN 'roulette_absolute' THEN o.absolute_max ELSE o.max_stake END,
           CASE o.game WHEN 'roulette_american' THEN NULL
                       WHEN 'roulette_absolute' THEN o.absolute_win ELSE o.declared_win END,
           CASE WHEN o.inside THEN 'covered' ELSE 'minimum' END, 'betting',
           NOT (o.game = 'roulette_american' AND o.kind = 'split'), o.source || o.section
    FROM offered o WHERE o.section IS NOT NULL
)
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT o.plan_id, o.kind, 'win', o.odds, 1,
       CASE WHEN o.kind IN ('trio', 'first_four') THEN 'R4.1' ELSE o.source || o.odds_section END
FROM offered o WHERE o.section IS NOT NULL;

-- Announced bets. Their odds, limits and wins are those of the bets they are made of.
INSERT INTO casino.announced_rule (plan_id, stem, min_neighbours, max_neighbours, paragraph)
SELECT p.plan_id, a.stem, a.min_neighbours, a.max_neighbours,
       split_part(p.document, ',', 1) || ' ' || v.section
FROM (VALUES
    --                              synot                  evolution              absolute
    ('neighbours',      1,    9,    '{§21 Racetrack,       NULL,                  §25 Racetrack}'),
    ('neighbours',      0,    9,    '{NULL,                §18 Racetrack,         NULL}'),
    ('tiers',           NULL, NULL, '{§21 Racetrack a),    §18 Racetrack,         §25 Racetrack}'),
    ('voisins',         NULL, NULL, '{§21 Racetrack b),    §18 Racetrack,         §25 Racetrack}'),
    ('orphelins',       NULL, NULL, '{§21 Racetrack c),    §18 Racetrack,         §25 Racetrack}'),
    ('zero_game',       NULL, NULL, '{§21 Racetrack d),    §18 Racetrack,         §25 Racetrack}'),
    ('complete',        NULL, NULL, '{§21 Moje sázky a),   §18 Moje sázky a),     NULL}'),
    ('semi_complete',   NULL, NULL, '{§21 Moje sázky b),   NULL,                  NULL}'),
    ('finale_plein',    NULL, NULL, '{§21 Moje sázky c),   §18 Moje sázky b),     NULL}'),
    ('finale_cheval',   NULL, NULL, '{NULL,                §18 Moje sázky c),     NULL}'),
    ('jeu_7_9',         NULL, NULL, '{§21 Moje sázky d),   NULL,                  NULL}'),
    ('orphelins_plein', NULL, NULL, '{§21 Moje sázky e),   NULL,                  NULL}')
) AS a(stem, min_neighbours, max_neighbours, sections)
CROSS JOIN LATERAL unnest(a.sections::text[]) WITH ORDINALITY AS v(section, n)
JOIN casino.game_plan p ON p.game = (ARRAY['roulette_synot', 'roulette_evolution', 'roulette_absolute'])[v.n]
WHERE v.section IS NOT NULL;

-- -------------------------------------------------------------------------------------- baccarat and hold'em

INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, r.value,
       CASE WHEN r.section ~ '^R[0-9]' THEN r.section
            ELSE split_part(p.document, ',', 1) || ' ' || r.section END
FROM (VALUES
    -- the document names no number
    ('baccarat',          'decks',              '8',             'R1.3'),
    ('casino_holdem',     'decks',              '1',             '§5'),
    ('casino_holdem',     'burnt_cards',        '1',             '§9'),
    ('casino_holdem',     'call_multiple',      '2',             '§10'),
    ('casino_holdem',     'dealer_qualifies',   'pair_of_fours', '§13'),
    ('casino_holdem',     'board_without_call', '3',             '§7'),
    ('holdem_cash_25_50', 'decks',              '1',             'R1.3'),
    -- none before the flop (R6.6)
    ('holdem_cash_25_50', 'burnt_cards',        '2',             'Turn, River'),
    ('holdem_cash_25_50', 'small_blind',        '25',            'Preflop fáze'),
    ('holdem_cash_25_50', 'big_blind',          '50',            'Preflop fáze'),
    ('holdem_cash_25_50', 'min_raise_multiple', '2',             'Preflop fáze'),
    ('holdem_cash_25_50', 'rake',               '0',             'R6.8')
) AS r(game, rule, value, section)
JOIN casino.game_plan p ON p.game = r.game;

-- Side bets of baccarat stand alone (§19, R5.1, R5.2). The maximum of egalite is that of each of the ten
-- positions: with all of them the maxima add up to the 375 000 of the round. A pot is shared out among the
-- players and has no odds.
INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, requires, phase, paragraph)
SELECT p.plan_id, b.kind, b.max_stake, b.declared_win, b.table_limits, b.requires, b.phase,
       split_part(p.document, ',', 1) || ' ' || b.section
FROM (VALUES
    ('baccarat',          'player',       100000, 100000, 'principal', NULL,   'betting', '§20'),
    ('baccarat',          'banker',       100000,  95000, 'principal', NULL,   'betting', '§20'),
    ('baccarat',          'tie',           25000, 200000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'egalite',        1000, 220000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'big',           50000,  27000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'small',         50000,  75000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'player_pair',   10000, 110000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'banker_pair',   10000, 110000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'any_pair',      10000,  50000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'perfect_pair',  10000, 250000, 'none',      NULL,   'betting', '§20'),
    ('casino_holdem',     'ante',          20000,   NULL, 'principal', NULL,   'betting', 'Základní parametry hry'),
    ('casino_holdem',     'call',          40000,   NULL, 'none',      'ante', 'any',     'Základní parametry hry'),
    ('casino_holdem',     'aa',            20000,   NULL, 'none',      'ante', 'betting', 'Základní parametry hry'),
    ('casino_holdem',     'razz',          10000,   NULL, 'none',      'ante', 'betting', 'Základní parametry hry'),
    ('holdem_cash_25_50', 'pot',            NULL,   NULL, 'principal', NULL,   'any',     'Preflop fáze')
) AS b(game, kind, max_stake, declared_win, table_limits, requires, phase, section)
JOIN casino.game_plan p ON p.game = b.game;

INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT p.plan_id, u.kind, v.grade, split_part(v.odds, ':', 1)::integer, split_part(v.odds, ':', 2)::integer,
       split_part(p.document, ',', 1) || ' ' || o.section
FROM (VALUES
    ('baccarat',      '{player}',                  '{win}', '{1:1}',   '§22'),
    ('baccarat',      '{banker}',                  '{win}', '{19:20}', '§22'),          -- 0.95:1
    ('baccarat',      '{tie}',                     '{win}', '{8:1}',   '§22'),
    ('baccarat',      '{player,banker}',           '{push}', '{0:1}',  '§21'),
    ('baccarat',      '{player_pair,banker_pair}', '{win}', '{11:1}',  '§23'),
    ('baccarat',      '{any_pair}',                '{win}', '{5:1}',   '§23'),
    ('baccarat',      '{perfect_pair}',            '{win}', '{25:1}',  '§23'),
    ('baccarat',      '{big}',                     '{win}', '{27:50}', '§23'),          -- 0.54:1
    ('baccarat',      '{small}',                   '{win}', '{3:2}',   '§23'),          -- 1.5:1
    ('baccarat',      '{egalite}', '{tie_0, tie_1, tie_2, tie_3, tie_4, tie_5, tie_6, tie_7, tie_8, tie_9}',
                                   '{150:1, 215:1, 220:1, 200:1, 120:1, 110:1, 45:1,  45:1,  80:1,  80:1}',
                                   '§23'),
    ('casino_holdem', '{ante}',    '{royal_flush, straight_flush, four_of_a_kind, full_house, flush, win}',
                                   '{100:1,       20:1,           10:1,           3:1,        2:1,   1:1}',
                                   '§17'),
    ('casino_holdem', '{aa}',      '{royal_flush, straight_flush, four_of_a_kind, full_house, flush, pair_of_aces}',
                                   '{100:1,       50:1,           40:1,           30:1,       20:1,  7:1}',
                                   '§15'),
    ('casino_holdem', '{razz}',    '{wheel_suited, wheel, six,  seven, eight, nine, ten, jack}',
                                   '{200:1,        50:1,  25:1, 10:1,  8:1,   6:1,  4:1, 2:1}', '§16'),
    ('casino_holdem', '{call}',                    '{win}', '{1:1}',   '§18'),
    ('casino_holdem', '{ante,call}',               '{push}', '{0:1}',  '§13')
) AS o(game, kinds, grades, odds, section)
CROSS JOIN LATERAL unnest(o.kinds::text[]) AS u(kind)
CROSS JOIN LATERAL unnest(o.grades::text[], o.odds::text[]) AS v(grade, odds)
JOIN casino.game_plan p ON p.game = o.game;

-- --------------------------------------------------------------------------------------------------- grounds
-- Of a void, of a withholding. D1, D2 and D3 name none.
INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, 'ground_' || g.ground, g.said, split_part(p.document, ',', 1) || ' ' || o.section
FROM (VALUES
    ('wrong_record', 'nesprávný záznam karty do centrální databáze systému'),
    ('card_face_up', 'více než jedna karta v balíčcích je otočená lícem nahoru'),
    ('cards_fallen', 'více než dvě karty spadly ze stolu a není možné určit jejich pořadí'),
    ('card_exposed', 'předčasné odkrytí skryté karty'),
    ('few_turns', 'kulička oběhla celé kolo méněkrát, než je stanoveno'),
    ('same_direction', 'kulička byla vhozena ve směru otáčení kola'),
    ('wheel_stopped', 'kolo se přestalo otáčet, zatímco kulička obíhala okolo'),
    ('ball_out', 'kulička během roztočení vypadla z kola rulety'),
    ('foreign_object', 'do kola se během roztočení dostal cizí objekt'),
    ('fault', 'chyba krupiéra nebo zařízení, kterou nelze opravit'),
    ('technical', 'technické nebo síťové důvody'),
    ('shuffle', 'podezření, že byl porušen míchací postup'),
    ('rules_broken', 'podezření na porušení pravidel nebo na dohodu hráčů či krupiérů'),
    ('help_given', 'podezření, že personál hráči radil nebo napomáhal'),
    ('device_used', 'podezření na použití technické pomůcky')
) AS g(ground, said)
JOIN (VALUES
    ('blackjack_synot',         '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§16'),
    ('blackjack_all_bets',      '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§15'),
    ('casino_holdem',           '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§19'),
    ('baccarat',                '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§10'),
    ('blackjack_infinite',      '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§17'),
    ('blackjack_evolution',     '{wrong_record,card_face_up,cards_fallen,card_exposed}', '§16'),
    ('roulette_synot',          '{few_turns,same_direction,wheel_stopped,ball_out,foreign_object}', '§11'),
    ('roulette_evolution',      '{few_turns,same_direction,wheel_stopped,ball_out,foreign_object}', '§11'),
    ('roulette_absolute',       '{fault,technical}', '§11'),
    ('blackjack_endless',       '{fault,technical}', '§14'),
    ('blackjack_czech_casinos', '{shuffle}',              'KARTY'),
    ('blackjack_czech_casinos', '{rules_broken}',         'VÝHERNÍ SESTAVA'),
    ('blackjack_czech_casinos', '{help_given}',           'HRA'),
    ('blackjack_czech_casinos', '{device_used}',          'VŠEOBECNÁ USTANOVENÍ')
) AS o(game, grounds, section) ON g.ground = ANY (o.grounds::text[])
JOIN casino.game_plan p ON p.game = o.game;

-- Which rules are facts for people is the code's to say.
UPDATE casino.plan_rule r SET informative = true
  FROM casino.game_plan p
  JOIN casino.game g ON g.game = p.game
 CROSS JOIN LATERAL casino.plan_rules(g.family) k
 WHERE p.plan_id = r.plan_id AND k.rule = r.rule AND k.informative;

END
$fn$;
COMMENT ON FUNCTION casino_internal.load_game_plans() IS
    'Fill the empty reference tables with the sixteen games and version 1 of each plan: rules, bets, limits '
    'and odds';
