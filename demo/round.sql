-- prints round :round: how it ended, and one line a player
SELECT format('Round %s, %s (%s): %s', r.round_ref, t.name, t.game,
              CASE WHEN r.status = 'voided' THEN 'void, ' || r.void_reason
                   WHEN r.outcome ? 'number' THEN
                        format('%s %s', r.outcome ->> 'number',
                               CASE WHEN r.outcome ->> 'number' = '0' THEN 'zero'
                                    WHEN grade_roulette('red@1', (r.outcome ->> 'number')::integer) = 'win' THEN 'red'
                                    ELSE 'black' END)
                   ELSE (SELECT string_agg(format('%s %s (%s)', d.side, d.cards, baccarat_points(d.cards)), ', ' ORDER BY d.side DESC)
                           FROM dealt_hand d WHERE d.round_id = r.round_id)
              END) AS title,
       format('%s, wagers: %s, players: %s, staked: %s CZK, %s: %s CZK, house: %s CZK', r.status, r.wagers, r.players, r.staked,
              CASE r.status WHEN 'voided' THEN 'returned' WHEN 'withheld' THEN 'to be paid' ELSE 'paid' END, r.paid,
              to_char(r.staked - r.paid, 'FMS999999990.00')) AS summary
  FROM round r JOIN game_table t ON t.table_id = r.table_id WHERE r.round_id = :round \gset
\echo
\echo :title
\echo :summary
SELECT p.external_ref AS player,
       string_agg(replace(w.bet::text, '.00', '') ||
                  CASE w.status WHEN 'lost' THEN '' WHEN 'refunded' THEN ' back'
                                ELSE format(' %s %s', w.status, replace(w.payout::text, '.00', '')) END,
                  ', ' ORDER BY w.entry_no) AS wagers,
       sum(w.staked) AS staked,
       sum(CASE w.status WHEN 'refunded' THEN w.staked WHEN 'withheld' THEN 0.00 ELSE w.payout END) AS received
  FROM wager w JOIN player p ON p.player_id = w.player_id
 WHERE w.round_id = :round
 GROUP BY p.player_id, p.external_ref ORDER BY p.player_id;
