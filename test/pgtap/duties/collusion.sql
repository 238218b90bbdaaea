-- Players who play for each other: pot_flow() (R7.94), played_together() (R7.95), shared_accounts() (R7.96).
\ir ../helpers/compliance.psql
SELECT no_plan();
SELECT casino.add_game_table('holdem_cash_25_50', 'H', 25, 100000) AS h \gset
SELECT t.player() AS ann \gset
SELECT t.player() AS bob \gset
SELECT t.player() AS cid \gset

-- a hand: stakes of three players, the cards of each seat; the pairs win by the board
CREATE FUNCTION t.hand(tab bigint, at text, stakes text, outcome text, p bigint[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(tab, 'hand ' || nextval('t.serial'), t.at(hand.at));
    s text;
    n integer := 0;
BEGIN
    FOREACH s IN ARRAY string_to_array(stakes, ',') LOOP
        n := n + 1;
        PERFORM casino.place_bet(r, p[n], ('pot@' || s)::casino.bet, NULL, n, at => t.at(hand.at));
    END LOOP;
    PERFORM casino.close_betting(r, t.at(hand.at)), casino.settle_round(r, outcome::jsonb, t.at(hand.at));
    RETURN r;
END $$;
-- ann's aces win 100 of bob and 100 of cid
SELECT t.hand(:h, '10:00', '100,100,100',
              '{"button": 3, "board": "2c 7d 9h Js 3d", "seats": [{"seat": 1, "cards": "As Ad"},
                {"seat": 2, "cards": "Ks Kd"}, {"seat": 3, "cards": "Qs Qd"}]}', ARRAY[:ann, :bob, :cid])
    \g /dev/null
-- bob's kings win 50 of ann
SELECT t.hand(:h, '11:00', '50,50',
              '{"button": 1, "board": "2c 7d 9h Js 3d", "seats": [{"seat": 1, "cards": "Qs Qd"},
                {"seat": 2, "cards": "Ks Kd"}]}', ARRAY[:ann, :bob]) \g /dev/null
-- ann and bob share what cid lost: 100.01 is cut to 50.00 and 50.01
SELECT t.hand(:h, '12:00', '100.01,100.01,100.01',
              '{"button": 3, "board": "2c 7d 9h Js 3d", "seats": [{"seat": 1, "cards": "As Kd"},
                {"seat": 2, "cards": "Ad Ks"}, {"seat": 3, "cards": "Qs 5d"}]}', ARRAY[:ann, :bob, :cid])
    \g /dev/null
SELECT results_eq($$SELECT loser, winner, rounds, amount, back
                      FROM casino.pot_flow('2026-06-01', '2026-06-01') WHERE loser <> $$ || :cid,
                  format('VALUES (%s::bigint, %s::bigint, 1::bigint, 100.00, 50.00),
                                 (%s, %s, 1, 50.00, 100.00)',
                         :bob, :ann, :ann, :bob), 'R7.94: from loser to winner, and back');
SELECT is((SELECT sum(f.amount) FROM casino.pot_flow('2026-06-01', '2026-06-01') f WHERE f.loser = :cid),
          200.01, 'R7.94: the shares add up to the loss');
SELECT is((SELECT array_agg(f.rounds ORDER BY f.winner) FROM casino.pot_flow('2026-06-01', '2026-06-01') f
            WHERE f.loser = :cid), '{2,1}', 'R7.94: in how many rounds');
SELECT is((SELECT sum(f.amount) FROM casino.pot_flow('2026-06-01', '2026-06-01') f),
          (SELECT sum(x.lost) FROM (SELECT greatest(sum(w.staked - coalesce(w.payout, 0)), 0) AS lost
                                      FROM casino.wager w GROUP BY w.round_id, w.player_id) x),
          'R7.94: the flows are the losses of all');
SELECT is((SELECT (f.loser_ref, f.winner_ref)::text FROM casino.pot_flow('2026-06-01', '2026-06-01') f
            WHERE f.loser = :bob),
          (SELECT (b.external_ref, a.external_ref)::text FROM casino.player a, casino.player b
            WHERE a.player_id = :ann AND b.player_id = :bob), 'R7.94: with the persons');
SELECT is_empty($$SELECT * FROM casino.pot_flow('2026-06-02', '2026-06-02')$$, 'R7.94: of another day');
-- a round that is void moves nothing
SELECT casino.open_round(:h, 'void', t.at('13:00')) AS v \gset
SELECT casino.place_bet(:v, :cid, 'pot@70', NULL, 1, at => t.at('13:00')),
       casino.place_bet(:v, :bob, 'pot@70', NULL, 2, at => t.at('13:00')),
       casino.void_round(:v, 'a card face up', t.at('13:01')) \g /dev/null
SELECT is_empty(format($$SELECT * FROM casino.pot_flow('2026-06-01', '2026-06-01')
                          WHERE loser = %s AND winner = %s$$, :cid, :v), 'R7.94: a void round moves nothing');

-- together: three hands of ann and bob, two with cid; a wheel does not count
SELECT t.play(p, 'M1', '14:00', '14:01') FROM unnest(ARRAY[:ann]) p \g /dev/null
SELECT results_eq($$SELECT player_a, player_b, rounds, same_seat, rounds_a, rounds_b
                      FROM casino.played_together('2026-06-01', '2026-06-01', 2)$$,
                  format('VALUES (%1$s::bigint, %2$s::bigint, 3::bigint, 0::bigint, 3::bigint, 3::bigint),
                                 (%1$s, %3$s, 2, 0, 3, 2), (%2$s, %3$s, 2, 0, 3, 2)', :ann, :bob, :cid),
                  'R7.95: who sat together, and how often');
SELECT is((SELECT count(*) FROM casino.played_together('2026-06-01', '2026-06-01', 3)), 1::bigint,
          'R7.95: at least three rounds');
SELECT is((SELECT count(*) FROM casino.played_together('2026-06-01', '2026-06-01', 4)), 0::bigint,
          'R7.95: ... four');
SELECT casino.add_game_table('blackjack_czech_casinos', 'J', 10, 1000) AS j \gset
SELECT casino.open_round(:j, 'one box', t.at('2026-06-03 10:00')) AS b \gset
SELECT casino.place_bet(:b, p, 'main@100', NULL, 1, at => t.at('2026-06-03 10:00'))
  FROM unnest(ARRAY[:ann, :bob]) p \g /dev/null
SELECT casino.close_betting(:b, t.at('2026-06-03 10:01')),
       casino.settle_round(:b, '{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}]}',
                           t.at('2026-06-03 10:02')) \g /dev/null
SELECT results_eq($$SELECT player_a, player_b, rounds, same_seat, result_a, result_b
                      FROM casino.played_together('2026-06-03', '2026-06-03', 1)$$,
                  format('VALUES (%s::bigint, %s::bigint, 1::bigint, 1::bigint, 100.00, 100.00)', :ann, :bob),
                  'R7.95: at one box');

-- accounts
SELECT casino.set_payment_account(:ann, 'CZ11', t.at('08:00')),
       casino.set_payment_account(:bob, 'CZ11', t.at('09:00')),
       casino.set_payment_account(:cid, 'CZ33', t.at('09:00')),
       casino.set_payment_account(:ann, 'CZ22', t.at('09:30')) \g /dev/null
SELECT results_eq('SELECT account, players, first_at, last_at, paid FROM casino.shared_accounts()',
                  format($$VALUES ('CZ11', ARRAY[%s, %s]::bigint[], t.at('08:00'), t.at('09:00'), 0.00)$$,
                         :ann, :bob), 'R7.96: an account of two persons, also a former one');
SELECT * FROM finish();
