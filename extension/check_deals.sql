-- Which document of cards was the first wrong one (R11.63): the night finds it anew from the documents,
-- because what goes back after correct_deal() follows from it.

-- Whose cards a document shows: a side; a seat; at a shared box a player who is named, or everybody else
CREATE FUNCTION casino_internal.shown_cards(document jsonb, OUT owner text, OUT cards text[],
                                            OUT folded boolean)
RETURNS SETOF record
LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT k.side, casino.cards((document ->> k.side)::casino.hand)::text[], false
      FROM unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
     WHERE jsonb_typeof(document -> k.side) = 'string'
    UNION ALL
    SELECT o.owner,
           coalesce(array_agg(c.card::text) FILTER (WHERE c.card IS NOT NULL), '{}'),
           bool_or(coalesce((h.value ->> 'folded')::boolean, false))
      FROM jsonb_array_elements(coalesce(document -> 'hands', document -> 'seats')) h
     CROSS JOIN LATERAL (
            -- a document may say 1.0
            SELECT 'seat ' || trim_scale((h.value ->> 'seat')::numeric) AS owner
             WHERE h.value ? 'seat'
            UNION ALL
            SELECT 'player ' || trim_scale(p.id::numeric)
              FROM (SELECT h.value ->> 'player' WHERE h.value ? 'player'
                    UNION ALL
                    SELECT e.value FROM jsonb_array_elements_text(h.value -> 'players') e (value)) p (id)
            UNION ALL
            SELECT 'everybody'
             WHERE NOT h.value ?| '{seat,player,players}') o
      LEFT JOIN LATERAL unnest(casino.cards((h.value ->> 'cards')::casino.hand)) c (card) ON true
     GROUP BY o.owner
$fn$;
COMMENT ON FUNCTION casino_internal.shown_cards(jsonb)
    IS 'Part of the reconciliation, check record: cards of a document of deal(), by whose they are';

CREATE FUNCTION casino_internal.lacks_cards(cards text[], wanted text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT
                     FROM unnest(wanted) w (card)
                    GROUP BY w.card
                   HAVING count(*) > (SELECT count(*) FROM unnest(cards) c (card) WHERE c.card = w.card))
$fn$;
COMMENT ON FUNCTION casino_internal.lacks_cards(text[], text[])
    IS 'Part of the reconciliation, check record: is a wanted card missing, or there too seldom';

CREATE FUNCTION casino_internal.side_lost_card(side text, cards text[], shown text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    -- a card of the turn was not one of the flop; of the dealer, whose first card lies open, the order tells
    SELECT CASE side WHEN 'dealer' THEN cards[1:cardinality(shown)] <> shown
                     ELSE casino_internal.lacks_cards(cards[1:cardinality(shown)], shown) END
$fn$;
COMMENT ON FUNCTION casino_internal.side_lost_card(text, text[], text[])
    IS 'Part of the reconciliation, check record: are the first cards of the side others than were shown '
       '(R11.12)';

CREATE FUNCTION casino_internal.side_differs(side text, cards text, shown text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- most often the text is the same
    RETURN NOT starts_with(cards, shown)
       AND casino_internal.side_lost_card(side, casino.cards(cards::casino.hand)::text[],
                                          casino.cards(shown::casino.hand)::text[]);
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    -- no cards
    RETURN true;
END
$fn$;
COMMENT ON FUNCTION casino_internal.side_differs(text, text, text)
    IS 'Part of the reconciliation, check record: are the first cards of the side others than were shown, '
       'or no cards at all';

CREATE FUNCTION casino_internal.shows_wrong_card(seen jsonb, now jsonb) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH s AS MATERIALIZED (SELECT x.* FROM casino_internal.shown_cards(seen) x),
         n AS MATERIALIZED (SELECT x.* FROM casino_internal.shown_cards(now) x),
         -- cards that were shown to somebody, and those that are that player's now
         compared AS (
            SELECT s.owner, s.cards AS shown, coalesce(n.cards, e.cards, a.cards, '{}') AS lie,
                   coalesce(n.folded, false) AS folded
              FROM s
              LEFT JOIN n ON n.owner = s.owner
              -- a player who is named no longer has the common hand
              LEFT JOIN n e ON e.owner = 'everybody' AND s.owner ~ '^player '
              -- where nobody has the common hand any longer, its cards lie in a hand of somebody who is named
              LEFT JOIN LATERAL (SELECT x.cards
                                   FROM n x
                                  WHERE s.owner = 'everybody'
                                    AND n.owner IS NULL
                                    AND x.owner ~ '^player '
                                    AND NOT casino_internal.lacks_cards(x.cards, s.cards)
                                  LIMIT 1) a ON true
            UNION ALL
            SELECT n.owner, s.cards, n.cards, false
              FROM s
              JOIN n ON n.owner ~ '^player ' AND NOT EXISTS (SELECT FROM s x WHERE x.owner = n.owner)
             WHERE s.owner = 'everybody')
    SELECT EXISTS (SELECT
                     FROM compared c
                    WHERE NOT (c.folded AND c.lie = '{}')
                      AND CASE WHEN c.owner IN ('player', 'banker', 'dealer', 'board')
                               THEN casino_internal.side_lost_card(c.owner, c.lie, c.shown)
                               ELSE casino_internal.lacks_cards(c.lie, c.shown) END)
$fn$;
COMMENT ON FUNCTION casino_internal.shows_wrong_card(jsonb, jsonb)
    IS 'Part of the reconciliation, check record: does a document of deal() show a card that the corrected '
       'one does not have';

CREATE FUNCTION casino_internal.first_wrong_deal(round_id bigint, deal_no integer) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT min(w.deal_no)
              FROM casino.deal d
              JOIN casino.deal w
                ON w.round_id = d.round_id
               AND w.deal_no < d.deal_no
               -- documents before the last correction are known to be wrong
               AND w.deal_no >= coalesce((SELECT max(c.deal_no)
                                            FROM casino.deal_correction c
                                           WHERE c.round_id = d.round_id AND c.deal_no < d.deal_no), 1)
             WHERE d.round_id = first_wrong_deal.round_id
               AND d.deal_no = first_wrong_deal.deal_no
               AND casino_internal.shows_wrong_card(w.document, d.document));
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    -- documents that no game could have taken
    RETURN -1;
END
$fn$;
COMMENT ON FUNCTION casino_internal.first_wrong_deal(bigint, integer)
    IS 'Part of the reconciliation, check record: number of the first document since the last correction '
       'that a correction contradicts; NULL: none';
