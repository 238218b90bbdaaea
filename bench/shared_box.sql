-- One repetition: a blackjack round of a shared box with :wagers players (as many as setup.sql made), a hundred different
-- hands, doubles, splits and side bets; settled, and then its payouts posted by the plain side. Needs :wagers, :rep.
SELECT table_id AS box FROM casino.game_table WHERE name = 'shared box' \gset
SELECT casino.open_round(:box, 'box ' || :rep) AS round \gset
SELECT count(casino.place_bets(:round, i, CASE WHEN i % 10 < 3 THEN '{main@100,21+3@10,player_pair@10}'::casino.bet[] ELSE '{main@100}' END,
                               'box ' || :round))
  FROM generate_series(1, :wagers) i \g /dev/null
SELECT casino.close_betting(:round) \g /dev/null
SELECT count(casino.place_bet(:round, i, (CASE h.what WHEN 'double' THEN 'double_down@100' ELSE 'split_pair@100' END)::casino.bet, 'play ' || :round,
                              hand => CASE h.what WHEN 'double' THEN 1 ELSE 2 END))
  FROM generate_series(1, :wagers) i
  JOIN bench.box_hand h ON h.no = i % 100
 WHERE h.what IN ('double', 'split') \g /dev/null
SELECT casino.close_actions(:round) \g /dev/null
INSERT INTO bench.plain_ledger SELECT * FROM casino.ledger WHERE round_id = :round;
UPDATE bench.plain_player b SET (balance, last_entry_no, last_posted_at, last_round_id)
       = (p.balance, p.last_entry_no, p.last_posted_at, p.last_round_id)
  FROM casino.player p WHERE p.player_id = b.player_id AND p.last_round_id = :round;
VACUUM ANALYZE;
-- ANALYZE throws plans away; a backend that settles rounds all day has them
SELECT casino.settle_round(casino.open_round(table_id, 'warm ' || :rep), '{"dealer": "Td 8c", "hands": [{"cards": "9h 9d"}]}') FROM casino.game_table WHERE name = 'warm box' \g /dev/null
CHECKPOINT;
-- the dealer has 18: what wins, what pushes and what goes over 21 is about a third each
SELECT jsonb_build_object('dealer', '6c Ts 2d', 'hands', jsonb_agg(jsonb_build_object('players', m.players, 'hand', c.hand, 'cards', c.cards))) AS outcome
  FROM bench.box_hand h
 CROSS JOIN LATERAL unnest(h.hands) WITH ORDINALITY AS c (cards, hand)
 CROSS JOIN LATERAL (SELECT jsonb_agg(i) AS players FROM generate_series(1, :wagers) i WHERE i % 100 = h.no) m \gset
SELECT bench.cpu() AS started \gset
SELECT * FROM casino.settle_round(:round, :'outcome') \g /dev/null
SELECT bench.cpu() - :started AS settle_ms \gset
TRUNCATE bench.due;
INSERT INTO bench.due SELECT * FROM casino.ledger WHERE round_id = :round AND kind = 'payout' ORDER BY player_id, entry_no;
VACUUM ANALYZE bench.due;
CHECKPOINT;
SELECT bench.cpu() AS started \gset
BEGIN;
INSERT INTO bench.plain_ledger SELECT * FROM bench.due;
UPDATE bench.plain_player p
   SET balance = p.balance + d.amount, last_entry_no = d.entry_no, last_posted_at = d.posted_at
  FROM (SELECT player_id, sum(amount) AS amount, max(entry_no) AS entry_no, max(posted_at) AS posted_at
          FROM bench.due GROUP BY player_id) d
 WHERE p.player_id = d.player_id;
COMMIT;
SELECT bench.cpu() - :started AS plain_ms \gset
INSERT INTO bench.result
SELECT 'shared box', :rep, v.side, v.ms, (SELECT count(*) FROM bench.due), (SELECT r.wagers FROM casino.round r WHERE r.round_id = :round)
  FROM (VALUES ('settle', :settle_ms), ('plain', :plain_ms)) v (side, ms);
-- both must have come to the same
SELECT bench.compare_players();
