-- One repetition: a blackjack round of a shared box with :wagers players (as many as setup.sql made), a
-- hundred different hands, doubles, splits and side bets; settled, and then its payouts posted by the plain
-- side. Needs :wagers, :rep.
SELECT table_id AS box FROM casino.game_table WHERE name = 'shared box' \gset
SELECT casino.open_round(:box, 'box ' || :rep) AS round \gset
SELECT count(casino.place_bets(:round, i,
                               CASE WHEN i % 10 < 3 THEN '{main@100,21+3@10,player_pair@10}'::casino.bet[]
                                    ELSE '{main@100}' END,
                               'box ' || :round))
  FROM generate_series(1, :wagers) i \g /dev/null
SELECT casino.close_betting(:round) \g /dev/null
SELECT count(casino.place_bet(:round, i,
                              (CASE h.what WHEN 'double' THEN 'double_down@100'
                                           ELSE 'split_pair@100' END)::casino.bet,
                              'play ' || :round,
                              hand => CASE h.what WHEN 'double' THEN 1 ELSE 2 END))
  FROM generate_series(1, :wagers) i
  JOIN bench.box_hand h ON h.no = i % 100
 WHERE h.what IN ('double', 'split') \g /dev/null
SELECT casino.close_actions(:round) \g /dev/null
-- the dealer has 18: what wins, what pushes and what goes over 21 is about a third each
SELECT jsonb_build_object('dealer', '6c Ts 2d', 'hands',
                          jsonb_agg(jsonb_build_object('players', m.players, 'hand', c.hand, 'cards',
                                                       c.cards))) AS outcome
  FROM bench.box_hand h
 CROSS JOIN LATERAL unnest(h.hands) WITH ORDINALITY AS c (cards, hand)
 CROSS JOIN LATERAL (SELECT jsonb_agg(i) AS players
                       FROM generate_series(1, :wagers) i
                      WHERE i % 100 = h.no) m \gset
SELECT table_id AS warm_table FROM casino.game_table WHERE name = 'warm box' \gset
\set warm_outcome '{"dealer": "Td 8c", "hands": [{"cards": "9h 9d"}]}'
\set label 'shared box'
\set fresh false
\ir settle_measured.sql
