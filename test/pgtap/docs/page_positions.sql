-- Pages of rounds in which players play for pots: a player's stakes are one position (R9.30).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET casino.operator = 'Kasino a.s.';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- The text of a page's parts, without markup.
CREATE FUNCTION words_of(page text, first text, last text) RETURNS text LANGUAGE sql AS $$
    SELECT btrim(regexp_replace(substring(page FROM first || '(.*?)' || last),
                                '(<[^>]*>\s*)+', '|', 'g'), '|')
$$;

SELECT add_game_table('holdem_cash_25_50', 'Hall', 25, 5000) AS t \gset
SELECT register_player(n) AS id, n AS name INTO seat FROM unnest('{karel,radka,guest,tomas}'::text[]) n;
SELECT deposit(id, CASE name WHEN 'guest' THEN 400 ELSE 5000 END, 'd', '2026-06-01 08:00+02')
  FROM seat \g /dev/null
SELECT open_round(:t, 'X-1', '2026-06-01 10:00+02') AS r \gset
SELECT place_bet(:r, (SELECT id FROM seat WHERE name = who), bet::bet, who || n, seat => s,
                 at => '2026-06-01 10:00+02'::timestamptz + n * interval '2 seconds')
  FROM (VALUES (1, 'karel', 2, 'pot@25'), (2, 'radka', 4, 'pot@50')) v (n, who, s, bet)
 ORDER BY n \g /dev/null
SELECT close_betting(:r, '2026-06-01 10:00:10+02') \g /dev/null
SELECT place_bet(:r, (SELECT id FROM seat WHERE name = who), bet::bet, who || n, seat => s,
                 at => '2026-06-01 10:00+02'::timestamptz + n * interval '5 seconds')
  FROM (VALUES (3, 'guest', 5, 'pot@400'), (4, 'tomas', 1, 'pot@800'), (5, 'radka', 4, 'pot@750'),
               (6, 'radka', 4, 'pot@600'), (7, 'tomas', 1, 'pot@1200'), (8, 'radka', 4, 'pot@600'),
               (9, 'tomas', 1, 'pot@1000')) v (n, who, s, bet)
 ORDER BY n \g /dev/null
SELECT unalike(round_page(:r, 'en'), '%Main pot%', 'a round that goes on has no pots yet');
SELECT alike(round_page(:r, 'en'), '%<dt>Staked</dt><dd><bdi>3,000.00</bdi>%',
             'R9.30: the stakes so far are one position');
SELECT settle_round(:r, '{"button": 1, "board": "Qh 7s 2c 9d Jc", "seats": [{"seat": 1, "cards": "Qs Kd"},
    {"seat": 2, "folded": true}, {"seat": 4, "folded": true}, {"seat": 5, "cards": "7d 7h"}],
    "actions": [{"street": "preflop", "seat": 2, "action": "small_blind"}, {"seat": 4, "action": "big_blind"},
        {"seat": 5, "action": "all_in", "to": 400}, {"seat": 1, "action": "raise", "to": 800},
        {"seat": 2, "action": "fold"}, {"seat": 4, "action": "call"},
        {"street": "flop", "seat": 4, "action": "bet", "to": 600}, {"seat": 1, "action": "raise", "to": 1200},
        {"seat": 4, "action": "call"}, {"street": "turn", "seat": 4, "action": "check"},
        {"seat": 1, "action": "bet", "to": 1000}, {"seat": 4, "action": "fold"}]}',
    '2026-06-01 10:02+02') \g /dev/null
SELECT round_page(:r, 'en') AS en, round_page(:r, 'cs') AS cs INTO page;

-- By hand: seat 1 put in 3000, seat 2 25, seat 4 2000, seat 5 400 and all it had.  Main pot 25 + 3 x 400 =
-- 1225, to three sevens; side pot 2 x 1600 = 3200, to the queens of seat 1, who bet 1000 that nobody called.
SELECT is(words_of(en, '<h3><bdi>tomas</bdi></h3>', '</dl>'),
          'Staked|3,000.00|Won from pots|3,200.00|Returned, nobody called|1,000.00|Rake|0.00'
          '|Paid|4,200.00|Profit|1,200.00', 'R9.30: the position that won the side pot') FROM page;
SELECT is(words_of(en, '<h3><bdi>guest</bdi></h3>', '</dl>'),
          'Staked|400.00|Won from pots|1,225.00|Returned, nobody called|0.00|Rake|0.00'
          '|Paid|1,225.00|Profit|825.00', 'R9.30: the position that won the main pot') FROM page;
SELECT is(words_of(en, '<h3><bdi>radka</bdi></h3>', '</dl>'),
          'Staked|2,000.00|Won from pots|0.00|Returned, nobody called|0.00|Rake|0.00'
          '|Paid|0.00|Profit|' || U&'\2212' || '2,000.00', 'R9.30: a position that folded') FROM page;
-- R9.70: the part of the guest: board, own cards, own position; no pots, which say what others had
SELECT player_round_page((SELECT id FROM seat WHERE name = 'guest'), :r, 'en') AS html INTO own;
SELECT is(words_of(html, '<h3><bdi>guest</bdi></h3>', '</dl>'),
          'Staked|400.00|Won from pots|1,225.00|Returned, nobody called|0.00|Rake|0.00'
          '|Paid|1,225.00|Profit|825.00', 'R9.70: the own position') FROM own;
SELECT is((SELECT string_agg(m[1], ', ' ORDER BY m[1])
             FROM regexp_matches(html, 'class="card"[^>]*aria-label="([^"]+)"', 'g') m),
          'clubs jack, clubs two, diamonds nine, diamonds seven, hearts queen, hearts seven, spades seven',
          'R9.70: the board and the own cards') FROM own;
SELECT is((SELECT string_agg(m[1], ' ') FROM regexp_matches(html, 'tomas|radka|karel|Pots|pot 1', 'g') m),
          NULL,
          'R9.70: nothing of the others') FROM own;
SELECT is(words_of(en, '<h2>Pots</h2>', '</tbody>'),
          'Pot|Amount|Rake|Played for by|Who was paid from it'
          '|Main pot|1,225.00|0.00|Seat 1 tomas, Seat 5 guest|Seat 5 guest: 1,225.00'
          '|Side pot 1|3,200.00|0.00|Seat 1 tomas|Seat 1 tomas: 3,200.00'
          '|Not called|1,000.00|0.00|Seat 1 tomas|Seat 1 tomas: 1,000.00',
          'R9.30: pots by their names, as split_pots() makes them') FROM page;
-- no single stake is said to be won or lost, in the round nor in the player's statement
SELECT is(words_of(p, '<main>', '<h2>(?:Requests refused|Odmítnuté)') ~ '\|(won|lost|výhra|prohra)\|',
          false,
          'R9.30: no stake is won or lost by itself')
  FROM page, unnest(ARRAY[en, cs]) p;
SELECT is((SELECT count(*) FROM regexp_matches(cs, '<bdi>v banku, viz pozice</bdi>', 'g')), 9::bigint,
          'R9.30: nine stakes are in the pot') FROM page;
SELECT is(player_page((SELECT id FROM seat WHERE name = 'tomas'), '2026-06-01', '2026-06-01', 'en')
              ~ '<bdi>(won|lost|loss)</bdi>', false, 'R9.30: nor on the player''s page');
SELECT is((SELECT sum(share) FROM round_pots(:r)), 5425.00,
          'R9.30: the pots hold all the stakes: 3000, 25, 2000, 400');

-- a stake that was given back before the cards is not part of the position
SELECT open_round(:t, 'X-2', '2026-06-01 11:00+02') AS v \gset
SELECT place_bet(:v, (SELECT id FROM seat WHERE name = 'karel'), 'pot@25', 'v', seat => 2,
                 at => '2026-06-01 11:00:05+02') \g /dev/null
SELECT void_round(:v, 'misdeal', '2026-06-01 11:01+02') \g /dev/null
SELECT alike(round_page(:v, 'en'), '%<dt>Stakes returned</dt><dd><bdi>25.00</bdi>%',
             'R9.30: a void round returns the stakes');
SELECT unalike(round_page(:v, 'en'), '%Won from pots%', 'R9.30: and pays nothing');
SELECT finish();
