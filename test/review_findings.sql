-- Ways around the rules that a review found, each closed.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

CREATE FUNCTION refused(statement text, state text, what text) RETURNS text LANGUAGE sql AS
    $$SELECT public.throws_ok($1, $2::char(5), NULL, $2 || ': ' || $3)$$;
CREATE TABLE bench (game text PRIMARY KEY, table_id bigint NOT NULL);
INSERT INTO bench
SELECT g.game, casino.add_game_table(g.game, 'Review', 10, 10000, g.options)
  FROM (VALUES ('blackjack_synot', '{"surrender": true, "behind": true}'::jsonb), ('blackjack_house', '{}'),
               ('blackjack_free_bet', '{}'), ('blackjack_infinite', '{}'), ('casino_holdem', '{}'), ('roulette_synot', '{}')) g (game, options);
CREATE SEQUENCE serial;
CREATE FUNCTION current_round(game text) RETURNS bigint LANGUAGE sql AS
    $$SELECT r.round_id FROM casino.round r JOIN public.bench b ON b.table_id = r.table_id
       WHERE b.game = $1 AND r.status IN ('open', 'closed')$$;
CREATE FUNCTION opened(game text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.void_round(r.round_id, 'next') FROM casino.round r WHERE r.status IN ('open', 'closed');
    RETURN casino.open_round(b.table_id, 'review ' || nextval('public.serial')) FROM public.bench b WHERE b.game = opened.game;
END $$;
-- a wager in play of player 1 on seat 1, taken back when it was accepted
CREATE FUNCTION in_play(game text, bet casino.bet, seat integer DEFAULT 1, hand integer DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.place_bet(public.current_round(game), 1, bet, NULL, seat, hand);
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'ZZZZZ' THEN 'accepted' ELSE SQLSTATE END;
END $$;
-- a round of the game with a main bet of player 1 on seat 1, closed
CREATE FUNCTION closed(game text, bets casino.bet[] DEFAULT '{main@100}', seat integer DEFAULT 1) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.place_bets(public.opened(game), 1, bets, NULL, seat);
    PERFORM casino.close_betting(public.current_round(game));
END $$;
SELECT count(casino.deposit(casino.register_player('r' || n), 100000)) FROM generate_series(1, 4) n \g /dev/null

-- ------------------------------------------------------------------------------------------------ wagers in play on a known end
SELECT closed('blackjack_synot') \g /dev/null
SELECT casino.deal(current_round('blackjack_synot'), '{"dealer": "Ah", "hands": [{"seat": 1, "cards": "5c 6d"}]}') \g /dev/null
SELECT is(in_play('blackjack_synot', 'insurance@50'), 'accepted', 'insurance against an ace');
SELECT casino.deal(current_round('blackjack_synot'), '{"dealer": "Ah 6c", "hands": [{"seat": 1, "cards": "5c 6d"}]}') \g /dev/null
SELECT is(in_play('blackjack_synot', 'insurance@50'), 'KB005', 'no insurance once the second card is known');
SELECT is(in_play('blackjack_synot', 'double_down@100'), 'accepted', 'R3.4: a double while a hole card lies there');
SELECT closed('blackjack_synot') \g /dev/null
SELECT casino.deal(current_round('blackjack_synot'), '{"dealer": "Th 6c 9d", "hands": [{"seat": 1, "cards": "5c 6d"}]}') \g /dev/null
SELECT is(in_play('blackjack_synot', 'double_down@100'), 'KB005', 'no double once the dealer has drawn');
SELECT closed('blackjack_synot') \g /dev/null
SELECT casino.deal(current_round('blackjack_synot'), '{"dealer": "Ah Kc", "hands": [{"seat": 1, "cards": "8c 8d"}]}') \g /dev/null
SELECT is(in_play('blackjack_synot', 'insurance@50'), 'KB005', 'no insurance against a blackjack that lies open');
SELECT is(in_play('blackjack_synot', 'double_down@100'), 'KB005', 'no double against it');
SELECT is(in_play('blackjack_synot', 'split_pair@100', 1, 2), 'KB005', 'no split against it');
SELECT closed('blackjack_house') \g /dev/null
SELECT casino.deal(current_round('blackjack_house'), '{"dealer": "6h", "hands": [{"seat": 1, "cards": "5c 6d"}]}') \g /dev/null
SELECT is(in_play('blackjack_house', 'double_down@100'), 'accepted', 'a double against the first card');
SELECT casino.deal(current_round('blackjack_house'), '{"dealer": "6h 5c", "hands": [{"seat": 1, "cards": "5c 6d"}]}') \g /dev/null
SELECT is(in_play('blackjack_house', 'double_down@100'), 'KB005', 'no double where the second card follows the players');

-- a wager that made the round impossible to settle (R3.25, R3.52)
SELECT closed('blackjack_synot') \g /dev/null
SELECT casino.deal(current_round('blackjack_synot'), '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5c 6d", "surrendered": true}]}') \g /dev/null
SELECT is(in_play('blackjack_synot', 'double_down@100'), 'KB005', 'R3.42: no double on a surrendered hand');
SELECT closed('blackjack_free_bet') \g /dev/null
SELECT casino.deal(current_round('blackjack_free_bet'), '{"dealer": "Ah", "hands": [{"seat": 1, "cards": "Ac Kd", "even_money": [1]}]}') \g /dev/null
SELECT is(in_play('blackjack_free_bet', 'insurance@50'), 'KB005', 'R3.29: no insurance beside even money');

SELECT closed('casino_holdem', '{ante@100}', NULL) \g /dev/null
SELECT casino.deal(current_round('casino_holdem'), '{"player": "As Ks", "board": "Qs Js 2s"}') \g /dev/null
SELECT is(in_play('casino_holdem', 'call@200', NULL), 'accepted', 'a call after the flop');
SELECT casino.deal(current_round('casino_holdem'), '{"player": "As Ks", "board": "Qs Js 2s 2d"}') \g /dev/null
SELECT is(in_play('casino_holdem', 'call@200', NULL), 'KB005', 'no call after the turn');
SELECT closed('casino_holdem', '{ante@100}', NULL) \g /dev/null
SELECT casino.deal(current_round('casino_holdem'), '{"player": "As Ks", "board": "Qs Js 2s", "dealer": "4h 3d"}') \g /dev/null
SELECT is(in_play('casino_holdem', 'call@200', NULL), 'KB005', 'no call on cards that the dealer has shown');

-- ------------------------------------------------------------------------------------------------ free double on either hand of a free split
SELECT closed('blackjack_free_bet') \g /dev/null
SELECT casino.place_bet(current_round('blackjack_free_bet'), 1, 'free_split@100', NULL, 1, 2) \g /dev/null
SELECT casino.deal(current_round('blackjack_free_bet'), '{"dealer": "Th", "hands": [{"seat": 1, "cards": "8c 2d"}, {"seat": 1, "hand": 2, "cards": "8d 3d"}]}') \g /dev/null
SELECT is(in_play('blackjack_free_bet', 'free_double@100', 1, 1), 'accepted', 'D3 §5.1: free double on hand 1 of a free split');
SELECT is(in_play('blackjack_free_bet', 'free_double@100', 1, 2), 'accepted', 'D3 §5.1: and on hand 2');
SELECT closed('blackjack_free_bet') \g /dev/null
SELECT casino.place_bet(current_round('blackjack_free_bet'), 1, 'split_pair@100', NULL, 1, 2) \g /dev/null
SELECT casino.deal(current_round('blackjack_free_bet'), '{"dealer": "Th", "hands": [{"seat": 1, "cards": "8c 2d"}, {"seat": 1, "hand": 2, "cards": "8d 3d"}]}') \g /dev/null
SELECT is(in_play('blackjack_free_bet', 'free_double@100', 1, 1), 'KB005', 'D3 §5.1: none after a split that was paid');

-- ------------------------------------------------------------------------------------------------ a maximum for every position
SELECT opened('blackjack_free_bet') \g /dev/null
SELECT refused($$SELECT casino.place_bets(current_round('blackjack_free_bet'), 1, '{main@10, push22@10000.01}', NULL, 1)$$, 'KB002',
               'Push 22 has the table''s maximum where the table names none for it');
SELECT lives_ok($$SELECT casino.place_bets(current_round('blackjack_free_bet'), 1, '{main@10, push22@10000}', NULL, 1)$$, 'up to it');

-- ------------------------------------------------------------------------------------------------ refunds by hand beside bets behind
SELECT opened('blackjack_synot') \g /dev/null
SELECT casino.place_bet(current_round('blackjack_synot'), 2, 'main@100', NULL, seat) FROM unnest('{1,3}'::integer[]) seat \g /dev/null
SELECT casino.place_bet(current_round('blackjack_synot'), 3, 'behind@100', 'behind', 3) \g /dev/null
CREATE FUNCTION refund(player bigint, seat integer) RETURNS void LANGUAGE sql AS
    $$INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no)
      SELECT s.player_id, 'refund', s.amount, s.entry_no FROM casino.ledger s
       WHERE s.player_id = $1 AND s.kind = 'stake' AND s.seat = $2 AND s.round_id = public.current_round('blackjack_synot')$$;
SELECT refused('SELECT refund(2, 3)', 'KL004', 'the main bet that somebody bets behind is not returned alone');
SELECT lives_ok('SELECT refund(2, 1)', 'that of another box is');
SELECT casino.cancel_bet(current_round('blackjack_synot'), 3, 'behind') \g /dev/null
SELECT lives_ok('SELECT refund(2, 3)', 'and the first once the bet behind was cancelled');

-- ------------------------------------------------------------------------------------------------ one outcome, written in another order
SELECT opened('blackjack_infinite') \g /dev/null
SELECT casino.place_bet(current_round('blackjack_infinite'), p, 'main@100') FROM generate_series(1, 3) p \g /dev/null
CREATE TABLE shared AS SELECT current_round('blackjack_infinite') AS round_id;
SELECT casino.settle_round(round_id, '{"dealer": "Th 7c", "hands": [{"player": 1, "cards": "Th 2h 8c"}, {"player": 2, "cards": "Th 2h"},
                                                                  {"player": 3, "cards": "Th 2h"}]}') FROM shared \g /dev/null
SELECT lives_ok($$SELECT casino.settle_round(round_id, '{"hands": [{"players": [3, 2], "cards": "Th 2h"}, {"player": 1, "cards": "Th 2h 8c"}],
                                                       "dealer": "Th 7c"}') FROM shared$$, 'players'' hands in another order are the same outcome');
SELECT refused($$SELECT casino.settle_round(round_id, '{"hands": [{"players": [1, 2], "cards": "Th 2h"}, {"player": 3, "cards": "Th 2h 8c"}],
                                                      "dealer": "Th 7c"}') FROM shared$$, 'KR002', 'with other players they are not');

-- ------------------------------------------------------------------------------------------------ the same person, another account
SET casino.clock_skew = -1;
SELECT casino.void_round(r.round_id, 'end') FROM casino.round r WHERE r.status IN ('open', 'closed') \g /dev/null
CREATE TABLE reopened AS SELECT casino.register_player('again') AS former, NULL::bigint AS id;
SELECT casino.deposit(former, 20000, at => '2026-06-01 07:00') FROM reopened \g /dev/null
DO $$
DECLARE
    staked timestamptz := '2026-06-01 08:00';
    r bigint;
BEGIN
    FOR i IN 1 .. 12 LOOP
        r := casino.open_round((SELECT table_id FROM bench WHERE game = 'roulette_synot'), 'long ' || i, staked);
        PERFORM casino.place_bet(r, (SELECT former FROM reopened), 'red@10', at => staked);
        PERFORM casino.settle_round(r, '{"number": 1}', staked + interval '10 minutes');
        staked := staked + interval '10 minutes';
    END LOOP;
END $$;
SELECT casino.pay_withdrawal(casino.request_withdrawal(former, 10000, 'cash', at => '2026-06-01 10:01'), '2026-06-01 10:01') FROM reopened \g /dev/null
SELECT casino.set_payment_account(former, 'account', '2026-05-01'),
       casino.pay_withdrawal(casino.request_withdrawal(former, 10120, 'transfer', at => '2026-06-01 10:02'), '2026-06-01 10:02')
  FROM reopened \g /dev/null
SELECT is(balance, 0.00, 'the account is empty') FROM casino.player, reopened WHERE player_id = former;
SELECT refused('SELECT casino.close_account(former, ''2026-06-02 10:00:59.999'') FROM reopened', '55000',
               'D4 §11.2 a: no other account while cash counts for the limit');
SELECT lives_ok('SELECT casino.close_account(former, ''2026-06-02 10:01'') FROM reopened', 'D4 §11.2 a: 24 hours after the cash it may be closed');
UPDATE reopened SET id = casino.register_player('again');
SELECT isnt(id, former, 'another account') FROM reopened;
SELECT casino.deposit(id, 100, at => '2026-06-01 10:03') FROM reopened \g /dev/null
SELECT casino.open_round((SELECT table_id FROM bench WHERE game = 'roulette_synot'), 'after', '2026-06-01 10:03') \g /dev/null
SELECT refused('SELECT casino.place_bet(current_round(''roulette_synot''), id, ''red@10'', at => ''2026-06-01 10:14:59.999'') FROM reopened', 'KC001',
               'D4 §8.3: the break is the person''s, whatever the account');
SELECT lives_ok('SELECT casino.place_bet(current_round(''roulette_synot''), id, ''red@10'', at => ''2026-06-01 10:15'') FROM reopened', 'D4 §8.3: 15 minutes after the evaluation');

SELECT * FROM finish();
