-- prints round :round: how it ended, and one line a player
SELECT format('Round %s, %s (%s): %s', r.round_ref, t.name, t.game,
              CASE WHEN r.status = 'voided' THEN 'void, ' || r.void_reason
                   WHEN g.family = 'roulette' THEN
                        format('%s %s', r.outcome ->> 'number',
                               CASE WHEN r.outcome ->> 'number' = '0' THEN 'zero'
                                    WHEN grade_roulette('red@1', (r.outcome ->> 'number')::integer) = 'win' THEN 'red'
                                    ELSE 'black' END)
                   ELSE (SELECT string_agg(format('%s %s%s', d.name, d.cards,
                                                  CASE g.family WHEN 'baccarat' THEN format(' (%s)', baccarat_points(d.cards))
                                                                WHEN 'blackjack' THEN format(' (%s)', blackjack_total(d.cards)) END),
                                           ', ' ORDER BY d.side DESC, d.n)
                           FROM (SELECT h.side, h.cards, row_number() OVER (ORDER BY h.seat, h.group_no, h.hand) AS n,
                                        CASE WHEN h.side <> 'box' THEN h.side
                                             WHEN h.seat > 0 THEN 'seat ' || h.seat
                                             WHEN h.group_no = 0 THEN 'box'
                                             ELSE array_to_string(h.players, '+') END ||
                                        CASE WHEN h.hand > 1 THEN ' hand ' || h.hand ELSE '' END AS name
                                   FROM dealt_hand h WHERE h.round_id = r.round_id AND card_count(h.cards) > 0) d)
              END) AS title,
       format('%s, wagers: %s, players: %s, staked: %s CZK, %s: %s CZK, house: %s CZK', r.status, r.wagers, r.players, r.staked,
              CASE r.status WHEN 'voided' THEN 'returned' WHEN 'withheld' THEN 'to be paid' ELSE 'paid' END, r.paid,
              to_char(r.staked - r.paid, 'FMS999999990.00')) AS summary
  FROM round r JOIN game_table t ON t.table_id = r.table_id JOIN game g ON g.game = t.game WHERE r.round_id = :round \gset
\echo
\echo :title
\echo :summary
SELECT p.external_ref || coalesce(', seat ' || w.seat, '') AS player,
       string_agg(replace(w.bet::text, '.00', '') ||
                  CASE WHEN w.hand > 1 THEN ' on hand ' || w.hand ELSE '' END ||
                  CASE w.status WHEN 'lost' THEN '' WHEN 'refunded' THEN ' back'
                                ELSE format(' %s %s', w.status, replace(w.payout::text, '.00', '')) END,
                  ', ' ORDER BY w.entry_no) AS wagers,
       sum(w.staked) AS staked,
       sum(CASE w.status WHEN 'refunded' THEN w.staked WHEN 'withheld' THEN 0.00 ELSE w.payout END) AS received
  FROM wager w JOIN player p ON p.player_id = w.player_id
 WHERE w.round_id = :round
 GROUP BY p.player_id, p.external_ref, w.seat ORDER BY p.player_id, w.seat;
