-- Payouts in the ledger that the evaluation does not give, and the other way round
SELECT count(*)
  FROM (SELECT l.round_id, l.player_id, l.stake_entry_no, l.amount, l.grade FROM casino.ledger l WHERE l.kind = 'payout') p
  FULL JOIN (SELECT e.round_id, e.player_id, e.entry_no AS stake_entry_no, e.payout AS amount, e.grade
               FROM casino.evaluation e JOIN casino.round r ON r.round_id = e.round_id
              WHERE e.payout > 0 AND r.status = 'settled'
                -- what is withheld of single players waits
                AND NOT EXISTS (SELECT FROM casino.withholding h
                                 WHERE h.player_id = e.player_id AND h.round_id = e.round_id
                                   AND NOT EXISTS (SELECT FROM casino.withholding_end n WHERE n.player_id = h.player_id AND n.round_id = h.round_id))) e USING (player_id, stake_entry_no)
 WHERE (p.amount, p.grade) IS DISTINCT FROM (e.amount, e.grade)
   AND NOT EXISTS (SELECT FROM casino.round r WHERE r.round_id = p.round_id AND r.status = 'withheld')
   -- corrected results: the check correction holds all that was posted against them
   AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = coalesce(p.round_id, e.round_id) AND d.version IS NOT NULL);
