-- R9.30: where players play for pots, one payment answers for all a player's stakes of the round.  A page
-- shows the stakes as one position: staked, won from pots, returned because nobody called, rake, paid.  It
-- takes the pots from split_pots(), which the evaluation pays by, too.

CREATE FUNCTION casino_internal.round_pots(round_id bigint)
RETURNS TABLE (pot integer, amount numeric, rake numeric, seat integer, share numeric, plays boolean)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT p.pot, p.amount, p.amount - (SELECT sum(x) FROM unnest(p.shares) x), s.seat::integer, s.share,
           s.seat = ANY (p.contenders)
      FROM casino.texas_hand h
     CROSS JOIN LATERAL casino.split_pots(h.contributed, h.folded, h.hands, h.board, h.button) p
     CROSS JOIN LATERAL unnest(p.shares) WITH ORDINALITY s (share, seat)
     WHERE h.round_id = round_pots.round_id AND (s.share > 0 OR s.seat = ANY (p.contenders))
$fn$;
COMMENT ON FUNCTION casino_internal.round_pots(bigint)
    IS 'Part of round_page(): each pot of an evaluated round by the seats that play for it; pot 0 is money '
       'that nobody called';

CREATE FUNCTION casino_internal.page_pot(words jsonb, pot integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN pot = 0 THEN words ->> 'pot.uncalled'
                WHEN pot = 1 THEN words ->> 'pot.main'
                ELSE format(words ->> 'pot.side', pot - 1) END;
COMMENT ON FUNCTION casino_internal.page_pot(jsonb, integer) IS 'Part of round_page(): the name of a pot';

CREATE FUNCTION casino_internal.page_pots(words jsonb, round_id bigint) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_table(page_pots.words, page_pots.words ->> 'pots',
               jsonb_agg(jsonb_build_object('pot', casino_internal.page_pot(page_pots.words, p.pot),
                                            'amount', p.amount, 'rake', p.rake, 'contenders', p.contenders,
                                            'winners', p.winners)
                         ORDER BY p.pot = 0, p.pot),
               '{pot,money:amount,money:rake,contenders,winners}',
               jsonb_build_object('amount', sum(p.amount), 'rake', sum(p.rake)))
      FROM (SELECT r.pot, r.amount, r.rake,
                   string_agg(n.name, ', ' ORDER BY r.seat) FILTER (WHERE r.plays) AS contenders,
                   string_agg(n.name || ': ' || casino_internal.page_money(page_pots.words, r.share), ', '
                              ORDER BY r.seat) FILTER (WHERE r.share > 0) AS winners
              FROM casino_internal.round_pots(page_pots.round_id) r
             CROSS JOIN LATERAL (
                 SELECT concat_ws(' ', format(page_pots.words ->> 'seat_no', r.seat),
                                  (SELECT max(o.external_ref)
                                     FROM casino.ledger l
                                     JOIN casino.player o ON o.player_id = l.player_id
                                    WHERE l.round_id = page_pots.round_id AND l.kind = 'stake'
                                      AND l.seat = r.seat)) AS name) n
             GROUP BY r.pot, r.amount, r.rake) p
$fn$;
COMMENT ON FUNCTION casino_internal.page_pots(jsonb, bigint) IS 'Part of round_page(): the pots by name';

-- The position of a player: its sums, then its stakes, none of which is won or lost by itself.
CREATE FUNCTION casino_internal.page_position(words jsonb, recall jsonb, player_id bigint) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH wager AS (
        SELECT x.n, x.wager, x.wager ->> 'status' = 'refunded' AS refunded
          FROM jsonb_array_elements(page_position.recall -> 'wagers') WITH ORDINALITY x (wager, n)
         WHERE (x.wager ->> 'player_id')::bigint = page_position.player_id
    ), sums AS (
        SELECT sum((w.wager ->> 'staked')::numeric) FILTER (WHERE NOT w.refunded) AS staked,
               sum((w.wager ->> 'staked')::numeric) FILTER (WHERE w.refunded) AS refunded,
               sum((w.wager ->> 'payout')::numeric) FILTER (WHERE NOT w.refunded) AS paid,
               (SELECT sum((c.value ->> 'amount')::numeric)
                  FROM jsonb_array_elements(page_position.recall -> 'corrections') c
                 WHERE (c.value ->> 'player_id')::bigint = page_position.player_id) AS corrected,
               (SELECT max(y.wager ->> 'status')
                  FROM wager y WHERE y.wager ->> 'status' IN ('withheld', 'open')) AS status
          FROM wager w
    ), pots AS (
        SELECT coalesce(sum(p.share) FILTER (WHERE p.pot > 0), 0.00) AS won,
               coalesce(sum(p.share) FILTER (WHERE p.pot = 0), 0.00) AS uncalled,
               coalesce(sum(round(p.rake * p.share / nullif(p.amount - p.rake, 0), 2)), 0.00) AS rake
          FROM casino_internal.round_pots((page_position.recall #>> '{round,round_id}')::bigint) p
         WHERE p.seat = (SELECT max((w.wager ->> 'seat')::integer) FROM wager w)
    )
    SELECT xmlconcat(
        (SELECT casino_internal.page_list(page_position.words, VARIADIC ARRAY[
                    'staked', casino_internal.page_money(page_position.words, s.staked)]
                    || CASE WHEN page_position.recall #>> '{round,status}' IN ('settled', 'withheld')
                                          AND s.staked IS NOT NULL
                                THEN ARRAY[
                    'won', casino_internal.page_money(page_position.words, p.won),
                    'uncalled', casino_internal.page_money(page_position.words, p.uncalled),
                    'rake', casino_internal.page_money(page_position.words, p.rake),
                    CASE s.status WHEN 'withheld' THEN 'withheld' ELSE 'paid' END,
                    casino_internal.page_money(page_position.words, s.paid),
                    'profit', casino_internal.page_money(page_position.words,
                                                         p.won + p.uncalled - s.staked),
                    'corrections', casino_internal.page_money(page_position.words, s.corrected)]
                            ELSE '{}' END
                    || ARRAY['line.refunds', casino_internal.page_money(page_position.words, s.refunded)])
           FROM sums s
          CROSS JOIN pots p),
        casino_internal.page_table(page_position.words, NULL,
            (SELECT jsonb_agg(w.wager || CASE WHEN w.wager ->> 'status' IN ('open', 'refunded')
                                                  THEN w.wager || '{"grade": null}'
                                              ELSE '{"status": "pooled", "grade": null}' END::jsonb
                              ORDER BY w.n)
               FROM wager w),
            '{time:at,bet:bet,number:seat,money:staked,status:status,number:entry_no}',
            (SELECT jsonb_build_object('staked', coalesce(s.staked, 0) + coalesce(s.refunded, 0))
               FROM sums s)))
$fn$;
COMMENT ON FUNCTION casino_internal.page_position(jsonb, jsonb, bigint)
    IS 'Part of round_page(): the stakes of a player who plays for pots, as one position';
