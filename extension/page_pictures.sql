-- Pictures of the pages, as SVG: cards,
-- the wheel's number, small multiples, a timeline.  Each has a text that
-- says the same (R9.25).

CREATE FUNCTION casino_internal.page_card(words jsonb, card text) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name svg,
               xmlattributes('http://www.w3.org/2000/svg' AS xmlns, 'card' AS class, '0 0 46 64' AS "viewBox",
                             'img' AS role,
                             format('%s %s', page_card.words ->> ('suit.' || right(page_card.card, 1)),
                                    page_card.words ->> ('rank.' || left(page_card.card, 1)))
                                        AS "aria-label"),
               xmlelement(name rect, xmlattributes(1 AS x, 1 AS y, 44 AS width, 62 AS height, 5 AS rx,
                                                   '#ffffff' AS fill, '#6b6f76' AS stroke)),
               xmlelement(name text, xmlattributes(7 AS x, 23 AS y, s.ink AS fill, 'system-ui,sans-serif'
                   AS "font-family",
                                                   20 AS "font-size", 700 AS "font-weight"),
                          CASE left(page_card.card, 1) WHEN 'T' THEN '10' ELSE left(page_card.card, 1) END),
               xmlelement(name path, xmlattributes(s.shape AS d, s.ink AS fill,
                                                   'translate(15 30) scale(1.25)' AS transform)))
      FROM (VALUES
          ('h', '#b3202a',
              'M10 18C3 12 1 9 1 6a4.5 4.5 0 0 1 9-1.500a4.500 4.500 0 0 1 9 1.500C19 9 17 12 10 18z'),
          ('d', '#b3202a', 'M10 1L17 10L10 19L3 10z'),
          ('s', '#1b1b1b',
              'M10 1C3 7 1 9 1 12a4 4 0 0 0 8 1.500L7.500 19h5L11 13.500a4 4 0 0 0 8-1.500C19 9 17 7 10 1z'),
          ('c', '#1b1b1b',
              'M10 1a4 4 0 0 0-3.500 6A4 4 0 1 0 9 13.500L7.500 19h5L11 13.500A4 4 0 1 0 13.500 7A4 4 0 0 '
              '0 10 1z')
      ) s (suit, ink, shape)
     WHERE s.suit = right(page_card.card, 1)
$fn$;
COMMENT ON FUNCTION casino_internal.page_card(jsonb, text) IS 'Part of round_page(): a card';

-- The hands that a recall has, in the order of the table: dealer and board first, then seats with splits side
-- by side.  On the page of one player (R9.70) no other player is named.
CREATE FUNCTION casino_internal.page_hands(words jsonb, recall jsonb, family text) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name div, xmlattributes('hands' AS class),
               xmlagg(xmlelement(name figure,
                          xmlelement(name figcaption,
                              xmlelement(name bdi, concat_ws(' · ', h.name, h.worth,
                                  casino_internal.page_text(h.named),
                                  CASE WHEN h.folded THEN page_hands.words ->> 'folded' END,
                                  CASE WHEN h.surrendered THEN page_hands.words ->> 'surrendered' END,
                                  CASE WHEN h.even_money THEN page_hands.words ->> 'even_money' END))),
                          xmlelement(name div, xmlattributes('row' AS class),
                              coalesce((SELECT xmlagg(casino_internal.page_card(page_hands.words, c.card)
                                                      ORDER BY c.n)
                                          FROM regexp_split_to_table(h.cards::text, ' ')
                                              WITH ORDINALITY c (card, n)
                                         WHERE c.card <> ''),
                                       xmlelement(name span, xmlattributes('soft' AS class), '–'))))
                      ORDER BY h.place, h.seat, h.group_no, h.hand))
      FROM (SELECT d.*, array_position(ARRAY['dealer', 'board', 'player', 'banker', 'box'], d.side) AS place,
                   CASE WHEN d.side <> 'box' THEN page_hands.words ->> d.side
                        WHEN d.seat > 0 THEN format(page_hands.words ->> 'seat_no', d.seat)
                        ELSE page_hands.words ->> 'common_hand' END
                   || CASE WHEN d.hand > 1 OR EXISTS (SELECT FROM casino.dealt_hand o
                                                       WHERE o.round_id = d.round_id AND o.side = 'box'
                                                         AND d.side = 'box' AND o.seat = d.seat
                                                         AND o.group_no = d.group_no AND o.hand > 1)
                               THEN ', ' || format(page_hands.words ->> 'hand_no', d.hand) ELSE '' END
                                   AS name,
                   -- the worth of a hand is reckoned from its cards, not taken from the wagers
                   CASE WHEN casino.card_count(d.cards) = 0 THEN NULL
                        WHEN page_hands.family = 'blackjack'
                            THEN format(page_hands.words ->> 'points', casino.blackjack_total(d.cards))
                        WHEN page_hands.family = 'baccarat'
                            THEN format(page_hands.words ->> 'points', casino.baccarat_points(d.cards))
                        WHEN d.side <> 'board' AND b.cards IS NOT NULL AND casino.card_count(b.cards) = 5
                            THEN page_hands.words
                                 ->> ('grade.' || casino.poker_category((d.cards::text || ' '
                                     || b.cards::text)::casino.hand))
                   END AS worth,
                   (SELECT string_agg(p.external_ref, ', ' ORDER BY p.n) FILTER (WHERE p.n <= 12)
                           || CASE WHEN count(*) > 12
                                       THEN ' ' || format(page_hands.words ->> 'others', count(*) - 12)
                                   ELSE '' END
                      FROM (SELECT x.external_ref, row_number() OVER (ORDER BY x.player_id) AS n
                              FROM casino.player x
                             WHERE (m.only_player IS NULL OR x.player_id = m.only_player)
                               AND (x.player_id = ANY (o.players)
                                OR d.side = 'box' AND cardinality(o.players) = 0
                                   AND EXISTS (SELECT FROM casino.ledger l
                                                WHERE l.round_id = d.round_id AND l.kind = 'stake'
                                                  AND l.player_id = x.player_id
                                                  AND CASE WHEN d.seat > 0
                                                           THEN l.seat = d.seat
                                                                AND casino.kind(l.bet) IN ('main', 'pot')
                                                           ELSE NOT EXISTS (
                                                               SELECT FROM casino.dealt_hand z
                                                                WHERE z.round_id = d.round_id
                                                                  AND l.player_id = ANY (z.players)) END))) p)
                       AS named
              FROM (SELECT (page_hands.recall #>> '{round,round_id}')::bigint AS round_id,
                           (page_hands.recall ->> 'player_id')::bigint AS only_player) m
              JOIN casino.dealt_hand d ON d.round_id = m.round_id
              LEFT JOIN casino.dealt_hand b ON b.round_id = d.round_id AND b.side = 'board'
             -- a group names its players on its first hand
             CROSS JOIN LATERAL (SELECT coalesce((SELECT y.players FROM casino.dealt_hand y
                                                   WHERE y.round_id = d.round_id AND y.side = d.side
                                                     AND y.seat = d.seat AND y.group_no = d.group_no
                                                     AND y.hand = 1), '{}') AS players) o
             WHERE m.only_player IS NULL
                OR (d.side, d.seat, d.group_no, d.hand) IN (
                       SELECT c.part ->> 'side', coalesce((c.part ->> 'seat')::integer, 0),
                              coalesce((c.part ->> 'group')::integer, 0), (c.part ->> 'hand')::integer
                         FROM jsonb_array_elements(page_hands.recall -> 'cards') c (part))) h
$fn$;
COMMENT ON FUNCTION casino_internal.page_hands(jsonb, jsonb, text)
    IS 'Part of round_page(): the hands as cards';

CREATE FUNCTION casino_internal.page_wheel(words jsonb, number integer) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name svg,
               xmlattributes('http://www.w3.org/2000/svg' AS xmlns, 'wheel' AS class, '0 0 110 110'
                   AS "viewBox",
                             'img' AS role,
                             format(page_wheel.words ->> 'wheel', page_wheel.number,
                                    page_wheel.words ->> ('colour.' || c.colour)) AS "aria-label"),
               xmlelement(name circle, xmlattributes(55 AS cx, 55 AS cy, 51 AS r, '#c9a44a' AS stroke, 6
                   AS "stroke-width",
                   CASE c.colour WHEN 'red' THEN '#a51d24' WHEN 'black' THEN '#1b1b1b' ELSE '#17643a' END
                       AS fill)),
               xmlelement(name text, xmlattributes(55 AS x, 70 AS y, 'middle' AS "text-anchor", '#ffffff'
                   AS fill,
                                                   'system-ui,sans-serif' AS "font-family", 42 AS "font-size",
                                                   700 AS "font-weight"),
                          page_wheel.number::text))
      FROM (SELECT CASE WHEN page_wheel.number = 0 THEN 'zero'
                        WHEN casino.grade_roulette('red@1', page_wheel.number) = 'win' THEN 'red'
                        ELSE 'black' END AS colour) c
$fn$;
COMMENT ON FUNCTION casino_internal.page_wheel(jsonb, integer)
    IS 'Part of round_page(): the number in its colour';

-- A small plot: a bar a day around zero.
CREATE FUNCTION casino_internal.page_bars(title text, names text[], amounts numeric[], said text[])
    RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name figure,
        xmlelement(name figcaption, page_bars.title),
        xmlelement(name svg,
            xmlattributes('http://www.w3.org/2000/svg' AS xmlns, 'plot' AS class, '0 0 280 84' AS "viewBox",
                          'img' AS role,
                          page_bars.title || ': ' || array_to_string(ARRAY(
                              SELECT u.name || ' ' || u.said
                                FROM unnest(page_bars.names, page_bars.said) WITH ORDINALITY u (name, said, n)
                               ORDER BY u.n), '; ') AS "aria-label"),
            (SELECT xmlagg(xmlelement(name rect,
                        xmlattributes(CASE WHEN b.amount < 0 THEN 'minus' ELSE 'plus' END AS class,
                                      round((b.n - 1) * 280.0 / b.bars + 1.5, 1) AS x,
                                      round(4 + 56 * (b.most - greatest(b.amount, 0)) / b.reach, 1) AS y,
                                      round(280.0 / b.bars - 3, 1) AS width,
                                      greatest(round(56 * abs(b.amount) / b.reach, 1), 0.5) AS height),
                        xmlelement(name title, b.name || ': ' || b.said)) ORDER BY b.n)
                    FROM (SELECT u.n, u.name, u.said, coalesce(u.amount, 0) AS amount, count(*) OVER ()
                        AS bars,
                                 greatest(max(u.amount) OVER (), 0) AS most,
                                 coalesce(nullif(greatest(max(u.amount) OVER (), 0)
                                                 - least(min(u.amount) OVER (), 0), 0), 1) AS reach
                            FROM unnest(page_bars.names, page_bars.amounts, page_bars.said)
                                 WITH ORDINALITY u (name, amount, said, n)) b),
            xmlelement(name text, xmlattributes(0 AS x, 80 AS y, 12 AS "font-size"), page_bars.names[1]),
            xmlelement(name text, xmlattributes(280 AS x, 80 AS y, 12 AS "font-size", 'end' AS "text-anchor"),
                       page_bars.names[cardinality(page_bars.names)])))
$fn$;
COMMENT ON FUNCTION casino_internal.page_bars(text, text[], numeric[], text[])
    IS 'Part of night_page() and period_page(): small bars around zero';

-- Where the marks of a timeline stand: hours of up to two days, days of up to two weeks, else weeks.
CREATE FUNCTION casino_internal.page_marks(words jsonb, starts timestamptz, ends timestamptz)
RETURNS TABLE (at timestamptz, said text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT t.at AT TIME ZONE 'Europe/Prague',
           CASE WHEN s.hours THEN to_char(t.at, 'FMHH24:MI')
                WHEN page_marks.words ->> 'lang' = 'cs' THEN to_char(t.at, 'FMDD. FMMM.')
                ELSE to_char(t.at, 'MM-DD') END
      FROM (SELECT d.days <= 2 AS hours,
                   CASE WHEN d.days <= 1 THEN interval '3 hours' WHEN d.days <= 2 THEN interval '6 hours'
                        ELSE make_interval(days => greatest(ceil(d.days / 7)::integer, 1)) END AS step
              FROM (SELECT extract(epoch FROM page_marks.ends - page_marks.starts) / 90000 AS days) d) s
     CROSS JOIN generate_series(page_marks.starts AT TIME ZONE 'Europe/Prague',
                                (page_marks.ends - interval '1 second') AT TIME ZONE 'Europe/Prague',
                                s.step) AS t (at)
$fn$;
COMMENT ON FUNCTION casino_internal.page_marks(jsonb, timestamptz, timestamptz)
    IS 'Part of page_timeline(): the times and words below a timeline';

-- Lanes over a period; a span is {lane, from, to, text}.  Places are shares of the width, so that words have
-- one size on a phone and on paper.
CREATE FUNCTION casino_internal.page_timeline(words jsonb, spans jsonb, starts timestamptz,
    ends timestamptz) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name svg,
        xmlattributes('http://www.w3.org/2000/svg' AS xmlns, 'timeline' AS class, 'img' AS role,
                      page_timeline.words ->> 'timeline_text' AS "aria-label"),
        (SELECT xmlagg(xmlelement(name line,
                    xmlattributes(k.x || '%' AS x1, k.x || '%' AS x2, 0 AS y1, 220 AS y2)) ORDER BY k.x)
           FROM (SELECT round(100 * extract(epoch FROM m.at - page_timeline.starts)
                              / extract(epoch FROM page_timeline.ends - page_timeline.starts), 2) AS x
                   FROM casino_internal.page_marks(page_timeline.words, page_timeline.starts,
                                                   page_timeline.ends) m) k),
        (SELECT xmlagg(xmlelement(name g,
                    xmlelement(name text, xmlattributes(4 AS x, n * 44 - 28 AS y),
                               page_timeline.words ->> ('lane.' || lane)),
                    xmlelement(name line, xmlattributes(0 AS x1, '100%' AS x2, n * 44 AS y1, n * 44 AS y2)))
                        ORDER BY n)
           FROM unnest(ARRAY['play', 'break', 'exclusion', 'limit', 'refused']) WITH ORDINALITY l (lane, n)),
        (SELECT xmlagg(xmlelement(name rect,
                    xmlattributes(CASE WHEN s.lane IN ('play', 'limit') THEN 'plus'
                                       ELSE 'minus' END AS class,
                                  round(100 * a.a, 2) || '%' AS x, s.n * 44 - 20 AS y,
                                  greatest(round(100 * (a.b - a.a), 2), 0.3) || '%' AS width, 14 AS height),
                    xmlelement(name title, s.said)) ORDER BY s.n, a.a)
           FROM (SELECT x.lane,
                        array_position(ARRAY['play', 'break', 'exclusion', 'limit', 'refused'], x.lane) AS n,
                        greatest(x."from", page_timeline.starts) AS since,
                        least(coalesce(x."to", 'infinity'), page_timeline.ends) AS until,
                            casino_internal.page_text(x.said) AS said
                   FROM jsonb_to_recordset(page_timeline.spans)
                        AS x (lane text, "from" timestamptz, "to" timestamptz, said text)) s
          CROSS JOIN LATERAL (SELECT extract(epoch FROM s.since - page_timeline.starts)
                                         / extract(epoch FROM page_timeline.ends - page_timeline.starts) AS a,
                                     extract(epoch FROM s.until - page_timeline.starts)
                                         / extract(epoch FROM page_timeline.ends - page_timeline.starts)
                                             AS b) a
          WHERE s.until >= s.since AND s.since <= page_timeline.ends),
        (SELECT xmlagg(xmlelement(name text, xmlattributes(k.x || '%' AS x, 236 AS y), k.said) ORDER BY k.x)
           FROM (SELECT m.said, round(100 * extract(epoch FROM m.at - page_timeline.starts)
                                      / extract(epoch FROM page_timeline.ends - page_timeline.starts), 2) AS x
                   FROM casino_internal.page_marks(page_timeline.words, page_timeline.starts,
                                                   page_timeline.ends) m) k))
$fn$;
COMMENT ON FUNCTION casino_internal.page_timeline(jsonb, jsonb, timestamptz, timestamptz)
    IS 'Part of player_page(): play, exclusions, limits and refusals over a period';
