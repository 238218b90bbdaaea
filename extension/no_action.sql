-- Absent players: was the hand of a disconnected player played by the rule for players who do not act (D4
-- Infinite §14, Evolution §13, Synot §13, D3 §1; R3.21, R3.60, R3.61)? The cards lie as they lie: nothing is
-- refused, it is a breach and found by the night.  The hand of a player who came back is judged as it was
-- then (R11.78).

-- Numbers as jsonb, where 1.0 is 1
CREATE FUNCTION casino_internal.last_shown_hand(document jsonb, seat integer, hand integer, player_id bigint)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT x.e
      FROM jsonb_array_elements(CASE jsonb_typeof(document -> 'hands') WHEN 'array' THEN document -> 'hands'
                                     ELSE '[]' END) x (e)
     WHERE coalesce(x.e -> 'seat', '0') = to_jsonb(seat)
       AND coalesce(x.e -> 'hand', '1') = to_jsonb(hand)
       AND (NOT x.e ?| '{player,players}'
            OR x.e -> 'player' = to_jsonb(player_id)
            OR x.e -> 'players' @> to_jsonb(player_id))
     ORDER BY x.e ?| '{player,players}' DESC
     LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.last_shown_hand(jsonb, integer, integer, bigint)
    IS 'Part of the check no_action: a player''s hand in a document of deal()';

CREATE FUNCTION casino_internal.no_action_contradictions(round_id bigint, OUT player_id bigint,
                                                         OUT entry_no bigint,
                                                         OUT seat integer, OUT hand integer, OUT rule text,
                                                         OUT cards text, OUT expected text,
                                                         OUT paragraph text) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    of record;
    drawn integer;
    open integer;
    most CONSTANT integer := 5;      -- with more cards a Charlie may have ended the hand
    bound integer;
BEGIN
    FOR of IN
        SELECT a.player_id, s.entry_no, s.seat, h.hand, a.no_action, a.automatic, p.paragraph,
               -- as many as were shown before the return, and as they lie at last: correct_deal() may have
               -- put them right since
               CASE WHEN a.automatic THEN h.cards
                    ELSE casino.hand(ARRAY (SELECT c
                                              FROM unnest(casino.cards(h.cards)) WITH ORDINALITY u (c, n)
                                             WHERE u.n <= casino.card_count(casino.hand(b.lay ->> 'cards'))
                                             ORDER BY u.n)) END AS cards,
               h.surrendered AND (a.automatic OR coalesce(b.lay -> 'surrendered' = 'true', false))
                   AS surrendered,
               -- cards of the hand that lay there when the player was disconnected; the first two are dealt
               -- to everybody
               greatest(coalesce(casino.card_count(casino.hand(e.lay ->> 'cards')), 0), 2) AS seen,
               coalesce(e.lay -> 'surrendered' = 'true', false) AS had_surrendered,
               (h.even_money OR a.player_id = ANY (h.even_money_players))
                   AND (a.automatic OR coalesce(b.lay -> 'even_money' = 'true'
                                                OR b.lay -> 'even_money' @> to_jsonb(a.player_id), false))
                   AS even_money,
               coalesce(e.lay -> 'even_money' = 'true' OR e.lay -> 'even_money' @> to_jsonb(a.player_id),
                        false) AS had_even_money,
               EXISTS (SELECT FROM casino.dealt_hand d
                        WHERE d.round_id = a.round_id
                          AND d.side = 'dealer'
                          AND casino.is_blackjack(d.cards)) AS dealer_blackjack
          FROM casino.automatic_completion a
          JOIN casino.round r ON r.round_id = a.round_id AND r.status IN ('settled', 'withheld')
          JOIN casino.plan_rule p ON p.plan_id = r.plan_id AND p.rule = 'no_action'
          JOIN LATERAL (SELECT min(l.entry_no) AS entry_no, l.seat FROM casino.ledger l
                         WHERE l.round_id = a.round_id
                           AND l.kind = 'stake'
                           AND l.player_id = a.player_id
                           AND casino.kind(l.bet) = 'main'
                           AND NOT EXISTS (SELECT FROM casino.ledger f
                                            WHERE f.player_id = l.player_id
                                              AND f.stake_entry_no = l.entry_no
                                              AND f.kind = 'refund')
                         GROUP BY l.seat) s ON true
          JOIN casino.dealt_hand h
               ON h.round_id = a.round_id AND h.side = 'box' AND h.seat = coalesce(s.seat, 0)
                                  AND h.group_no = coalesce((SELECT g.group_no FROM casino.dealt_hand g
                                                              WHERE g.round_id = a.round_id
                                                                AND g.side = 'box'
                                                                AND g.seat = h.seat
                                                                AND g.hand = 1
                                                                AND a.player_id = ANY (g.players)), 0)
          -- the player's hand as it was shown last before the absence, and before the return
          LEFT JOIN LATERAL casino_internal.last_shown_hand(a.seen, coalesce(s.seat, 0), h.hand, a.player_id)
                    e (lay) ON true
          LEFT JOIN LATERAL casino_internal.last_shown_hand(a.seen_returned, coalesce(s.seat, 0), h.hand,
                                                       a.player_id) b (lay) ON true
         WHERE a.round_id = no_action_contradictions.round_id
           AND (a.automatic OR b.lay IS NOT NULL)
           AND a.no_action IN ('stand', 'draw_to_11', 'draw_to_16')
           -- the owner of a box that others share decides for it, or the second player does (D3 §1); a bet
           -- behind decides nothing (D4 Blackjack §15)
           AND NOT EXISTS (SELECT FROM casino.ledger o
                            WHERE o.round_id = a.round_id
                              AND o.kind = 'stake'
                              AND o.seat = s.seat
                              AND o.player_id <> a.player_id
                              AND casino.kind(o.bet) = 'main')
           -- an ace that was split gets its one card
           AND NOT (casino.card_count(h.cards) > 0 AND left(h.cards::text, 1) = 'A'
                    AND EXISTS (SELECT FROM casino.dealt_hand g
                                 WHERE g.round_id = a.round_id
                                   AND g.side = 'box'
                                   AND (g.seat, g.group_no, g.hand) = (h.seat, h.group_no, 2)))
           -- a doubled hand gets its one card
           AND NOT EXISTS (SELECT FROM casino.ledger l
                            WHERE l.round_id = a.round_id
                              AND l.kind = 'stake'
                              AND l.player_id = a.player_id
                              AND l.seat IS NOT DISTINCT FROM s.seat
                              AND coalesce(l.hand, 1) = h.hand
                              AND casino.kind(l.bet) IN ('double_down', 'free_double')
                              AND NOT EXISTS (SELECT FROM casino.ledger f
                                               WHERE f.player_id = l.player_id
                                                 AND f.stake_entry_no = l.entry_no
                                                 AND f.kind = 'refund'))
         ORDER BY a.player_id, s.entry_no, h.hand
    LOOP
        drawn := casino.card_count(of.cards);
        bound := CASE of.no_action WHEN 'draw_to_11' THEN 11 WHEN 'draw_to_16' THEN 16 ELSE 0 END;
        -- from the cards that were seen on: as many as the rule draws
        open := of.seen;
        WHILE open <= drawn
              AND casino.blackjack_total(casino.hand(ARRAY (SELECT c
                                                              FROM unnest(casino.cards(of.cards))
                                                                  WITH ORDINALITY u (c, n)
                                                             WHERE u.n <= open
                                                             ORDER BY u.n))) <= bound LOOP
            open := open + 1;
        END LOOP;
        player_id := of.player_id;
        entry_no := of.entry_no;
        seat := of.seat;
        hand := of.hand;
        rule := of.no_action;
        cards := of.cards::text;
        paragraph := of.paragraph;
        IF of.surrendered THEN
            -- given up before the player was gone: nothing is left to play
            CONTINUE WHEN of.had_surrendered;
            expected := 'not surrendered';
            RETURN NEXT;
        ELSIF of.even_money THEN
            CONTINUE WHEN of.had_even_money;
            expected := 'no even money';
            RETURN NEXT;
        ELSIF drawn > open THEN
            expected := format('stands after %s cards', open);
            RETURN NEXT;
        ELSIF of.automatic AND drawn < open AND drawn <= most AND drawn >= 2 AND NOT of.dealer_blackjack THEN
            expected := format('draws a card on %s', casino.blackjack_total(of.cards));
            RETURN NEXT;
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.no_action_contradictions(bigint)
    IS 'Part of the settlement and of the check no_action: hands of disconnected players that were not '
       'played by the plan''s rule for players who do not act, with what that rule asks for';

CREATE FUNCTION casino_internal.check_no_action(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    one bigint;
BEGIN
    FOR one IN SELECT r.round_id FROM casino.round r
                 JOIN casino.disconnection d ON d.round_id = r.round_id
                WHERE r.evaluated_at >= since AND r.evaluated_at < until
                UNION
               -- by the cards of a correction, too
               SELECT c.round_id FROM casino.correction_decision c
                 JOIN casino.disconnection d ON d.round_id = c.round_id
                WHERE c.version IS NOT NULL AND c.decided_at >= since AND c.decided_at < until
                ORDER BY 1 LOOP
        BEGIN
            RETURN QUERY
                SELECT v.rule, c.player_id, one, c.entry_no, v.expected, v.found,
                       jsonb_strip_nulls(jsonb_build_object('seat', c.seat, 'hand', c.hand, 'rule', c.rule,
                                                            'paragraph', c.paragraph))
                  FROM casino_internal.no_action_contradictions(one) c
                 CROSS JOIN LATERAL (VALUES ('hand', c.rule || ': ' || c.expected, c.cards, true),
                                            ('unrecorded', 'a breach no_action', 'none',
                                             NOT EXISTS (SELECT FROM casino.breach b
                                                          WHERE b.player_id = c.player_id
                                                            AND b.entry_no = c.entry_no
                                                            AND b.rule = 'no_action')))
                                    v (rule, expected, found, holds)
                 WHERE v.holds;
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT ('error', NULL, one, NULL, 'the cards can be read', SQLSTATE || ': ' || SQLERRM,
                         '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_no_action(date, date)
    IS 'Part of the reconciliation, check no_action: hands of absent players were played by the rule for '
       'players who do not act, and a breach says where they were not (D4 Infinite §14, Evolution §13, '
       'Synot §13, D3 §1)';
