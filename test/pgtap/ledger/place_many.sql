-- Bets of several players in one call (place_many), and the wallet in the answer of a bet
-- (place_bets_balance).
SET search_path = casino, casino_internal, public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT add_game_table('roulette_american', 'wheel', 10, 5000) AS wheel,
    add_game_table('blackjack_synot', 'boxes', 100, 10000, '{"behind": true}') AS boxes \gset
SELECT register_player('a') AS a, register_player('b') AS b, register_player('c') AS c \gset
SELECT deposit(p, 1000) FROM unnest(ARRAY[:a, :b, :c]::bigint[]) p \g /dev/null
SELECT open_round(:wheel, 'r1') AS r1 \gset

-- the wallet in the answer: what stands in the ledger after the request's last entry, also when it is asked
-- again later
SELECT is(place_bets_balance(:r1, :a, '{red@100,straight:17@50.50}', 'a1')::text, '("{2,3}",849.50)',
          'place_bets_balance: entry numbers and the wallet');
SELECT is(place_bets(:r1, :a, '{black@100}', 'a2'), '{4}', 'more is placed meanwhile');
SELECT is(place_bets_balance(:r1, :a, '{red@100,straight:17@50.50}', 'a1')::text, '("{2,3}",849.50)',
          'its retry has the first answer');
SELECT is(place_bets_balance(:r1, :a, '{red@100,straight:17@50.50}', 'a1')::text, '("{2,3}",849.50)',
          'twice');
SELECT is(place_bets(:r1, :a, '{red@100,straight:17@50.50}', 'a1'), '{2,3}',
          'place_bets answers the same request');
SELECT throws_ok(format('SELECT place_bets_balance(%s, %s, ''{red@10}'', ''a1'')', :r1, :a), 'KL003', NULL,
                 'other content is KL003');
SELECT throws_ok(format('SELECT place_bets_balance(%s, %s, ''{low@750}'')', :r1, :a), 'KL002', NULL,
                 'more than the wallet is KL002');

-- requests by player, key, seat and hand, each with its bets in order, answered in the order in which they
-- first appear
CREATE FUNCTION pg_temp.many(round_id bigint, player_ids bigint[], bets bet[],
                             request_ids text[] DEFAULT NULL, seats integer[] DEFAULT NULL,
                                 hands integer[] DEFAULT NULL) RETURNS text LANGUAGE sql AS
    $$SELECT string_agg(concat_ws(' ', (SELECT p.external_ref FROM casino.player p
                                        WHERE p.player_id = m.player_id), request_id, seat, hand, CASE
                                            WHEN accepted THEN entry_nos::text || ' ' || balance
                                                ELSE code END), ', ')
        FROM casino.place_many(round_id, player_ids, bets, request_ids, seats, hands) m$$;
SELECT is(pg_temp.many(:r1, ARRAY[:c, :b, :c, :b, :c]::bigint[],
                       '{red@10,black@15,odd@10,even@25,straight:3@20}', '{k,k,l,k,k}'),
          'c k {2,3} 970.00, b k {2,3} 960.00, c l {4} 960.00',
    'place_many: requests in the order in which they first appear, their bets need not stand together');
SELECT results_eq($$SELECT entry_no, bet::text, request_id, request_line FROM casino.ledger
                  WHERE kind = 'stake' AND player_id = (SELECT player_id FROM casino.player
                                                        WHERE external_ref = 'c') ORDER BY entry_no$$,
                  $$VALUES (2::bigint, 'red@10.00', 'k', 1), (3, 'straight:3@20.00', 'k', 2),
                      (4, 'odd@10.00', 'l', 1)$$, 'as place_bets would have posted them');
SELECT is(pg_temp.many(:r1, ARRAY[:c, :b, :c, :b, :c]::bigint[],
                       '{red@10,black@15,odd@10,even@25,straight:3@20}', '{k,k,l,k,k}'),
          'c k {2,3} 970.00, b k {2,3} 960.00, c l {4} 960.00', 'the whole call again has the same answer');
SELECT is(pg_temp.many(:r1, ARRAY[:c, :b]::bigint[], '{odd@10,high@1}', '{l,m}'), 'c l {4} 960.00, b m KB002',
          'a request known and one refused: each has its own answer');

-- R11.20, R11.21. One refusal: the others stand, the refused one has left nothing but its record, and may be
-- asked again
SELECT is(pg_temp.many(:r1, ARRAY[:a, :b, :b, :c]::bigint[], '{red@10,red@10,straight:1@5000,red@10}',
                       '{n,n,n,n}'),
          'a n {5} 739.50, b n KL002, c n {5} 950.00',
              'one who cannot pay: his request is refused as a whole, the others stand');
SELECT is((SELECT count(*) FROM ledger WHERE player_id = :b AND request_id = 'n'), 0::bigint,
          'nothing of it is in the ledger');
SELECT is((SELECT string_agg(concat_ws(' ', action, round_id = :r1, bets, request_id, code), ', '
                             ORDER BY refusal_no) FROM refusal WHERE player_id = :b),
          'place_bets t {high@1.00} m KB002, place_bets t {red@10.00,straight:1@5000.00} n KL002',
              'the refusals are on record, once');
SELECT deposit(:b, 10000) \g /dev/null
SELECT is(pg_temp.many(:r1, ARRAY[:a, :b, :b, :c]::bigint[], '{red@10,red@10,straight:1@500,red@10}',
                       '{n,n,n,n}'),
          'a n {5} 739.50, b n {5,6} 10450.00, c n {5} 950.00',
              'a refusal is no content: the key may come again');
SELECT is(pg_temp.many(:r1, ARRAY[:a]::bigint[], '{red@11}', '{n}'), 'a n KL003',
          'another content of an accepted request is KL003, an answer like any');
SELECT is((SELECT string_agg(detail, '') FROM place_many(:r1, ARRAY[:a]::bigint[], '{low@739.51}')),
          '0.01 CZK are missing.', 'with its DETAIL');

-- R11.21: without a key it is a new request
SELECT is(pg_temp.many(:r1, ARRAY[:c]::bigint[], '{red@10}'), 'c {6} 940.00', 'a request without a key');
SELECT is(pg_temp.many(:r1, ARRAY[:c]::bigint[], '{red@10}'), 'c {7} 930.00', 'is placed again');

-- R11.20: what is no refusal by rule is an error of the whole call, which then places nothing
SELECT max(entry_no) AS before FROM ledger WHERE player_id = :a \gset
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s, -7]::bigint[], ''{red@10,red@10}'')', :r1, :a),
                 '23503', NULL, 'an unknown player');
SELECT throws_ok(format('SELECT place_many(-1, ARRAY[%s]::bigint[], ''{red@10}'')', :a), '23503', NULL,
                 'an unknown round');
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s, %1$s]::bigint[], ''{red@10}'')', :r1, :a), '2202E',
                 NULL, 'arrays of different length');
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s]::bigint[], ''{red@10}'', ''{a,b}'')', :r1, :a),
                 '2202E', NULL, 'keys of another length');
SELECT throws_ok(format('SELECT place_many(%s, ''{}'', ''{}'')', :r1), '22023', NULL, 'no bets');
SELECT throws_ok(format('SELECT place_many(%s, NULL, ''{red@1}'')', :r1), '22004', NULL, 'no players');
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s, NULL]::bigint[], ''{red@10,red@10}'')', :r1, :a),
                 '22004', NULL, 'a player that is NULL');
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s, %2$s]::bigint[], ''{red@10,NULL}'')', :r1, :a),
                 '22004', NULL, 'a bet that is NULL');
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s]::bigint[], ''{red@10}'', ''{" "}'')', :r1, :a),
                 '22023', NULL, 'a key without a visible character');
SELECT is((SELECT max(entry_no) FROM ledger WHERE player_id = :a), :before::bigint,
          'none of them has placed anything');
SELECT count(*) AS refusals FROM refusal \gset
SELECT throws_ok(format('SELECT place_many(%s, ARRAY[%s, %s, -7]::bigint[], ''{red@10,red@5000,red@10}'')',
                        :r1, :c, :a), '23503', NULL, 'one accepted, one refused, one unknown');
SELECT is((SELECT count(*) FROM refusal), :refusals::bigint,
          'nor is the refusal of one in such a call recorded');
SELECT is((SELECT max(entry_no) FROM ledger WHERE player_id = :c), 7::bigint,
          'and the accepted one has no entry');

-- seats: in the order given, so that who follows a box comes after its owner in one call
SELECT register_player('d') AS d, register_player('e') AS e, register_player('f') AS f,
    open_round(:boxes, 'b1') AS b1 \gset
SELECT deposit(p, 1000) FROM unnest(ARRAY[:d, :e, :f]::bigint[]) p \g /dev/null
SELECT is(pg_temp.many(:b1, ARRAY[:f, :e, :e, :d]::bigint[], '{main@100,main@150,main@200,behind@100}', NULL,
                       '{1,3,2,1}'),
          'f 1 {2} 900.00, e 3 {2} 850.00, e 2 {3} 650.00, d 1 {2} 900.00',
              'boxes, and a bet behind one of them');
SELECT is(pg_temp.many(:b1, ARRAY[:d, :f]::bigint[], '{behind@100,main@100}', NULL, '{4,4}'),
          'd 4 KB005, f 4 {3} 800.00', 'behind a box that is free yet: KB005');
SELECT is(pg_temp.many(:b1, ARRAY[:d, :d]::bigint[], '{main@100,main@100}', '{q,q}', '{5,6}'),
          'd q 5 {3} 800.00, d q 6 KL003', 'one key for two boxes is two contents');

-- who may
SET client_min_messages = warning;
CREATE ROLE place_many_backend;
SELECT grant_access('place_many_backend', 'backend') \g /dev/null
SET ROLE place_many_backend;
SELECT lives_ok(format('SELECT casino.place_many(%s, ARRAY[%s]::bigint[], ''{main@100}'', NULL, ''{6}'')',
                       :b1, :d), 'the profile backend may');
SELECT lives_ok(format('SELECT casino.place_bets_balance(%s, %s, ''{main@100}'', NULL, 7)', :b1, :d),
                'place_bets_balance, too');
-- drivers send values as text or varchar: constants of these are cast when the statement is planned, by the
-- types' own functions
SELECT is(concat_ws('|', 'As'::varchar::casino.card, 'As Kd'::text::casino.hand,
                    'red@10'::varchar::casino.bet), 'As|As Kd|red@10.00',
                        'what comes as text becomes a card, a hand and a bet');
SELECT is(concat_ws('|', 'As'::casino.card::text, 'As Kd'::casino.hand::varchar, 'red@10'::casino.bet::text),
          'As|As Kd|red@10.00', 'and text again');
RESET ROLE;
DROP OWNED BY place_many_backend;
DROP ROLE place_many_backend;
SELECT * FROM finish();
