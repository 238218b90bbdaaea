-- A session keeps the players' wagers of rounds and reads later entries only (kept_wagers.c). The
-- maximum of a position, 1000 CZK, shows its knowledge: ten CZK more are KB002. Expected sums are
-- counted by hand.
-- makes the extension anew
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
CREATE FUNCTION evening(OUT wheel bigint, OUT karel bigint, OUT round bigint) LANGUAGE plpgsql AS $$
BEGIN
    wheel := casino.add_game_table('roulette_evolution', 'kept', 10, 1000);
    karel := casino.register_player('karel');
    PERFORM casino.deposit(karel, 100000);
    round := casino.open_round(wheel, 'first');
END $$;
-- so much the player can still put on the position: ten more are refused, and the ledger says the same
CREATE FUNCTION has_room(round bigint, number integer, room numeric, what text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT throws_ok(format('SELECT casino.place_bet(%s, 1, ''straight:%s@%s'')',
                                 round, number, room + 10),
                          'KB002', NULL, what || ': ten more than ' || room || ' are refused');
    RETURN NEXT is((SELECT coalesce(sum(w.staked), 0) FROM casino.wager w
                     WHERE w.round_id = round
                       AND w.player_id = 1
                       AND w.status = 'open'
                       AND w.kind = 'straight'
                       AND w.bet::text LIKE format('straight:%s@%%', number)),
                   1000 - room, what || ': so much lies there');
END $$;
SELECT * FROM evening() \gset

-- one by one: each stake is judged with those before
SELECT count(casino.place_bet(:round, :karel, 'straight:1@100', 'a' || n))
  FROM generate_series(1, 6) n \g /dev/null
SELECT has_room(:round, 1, 400, 'six stakes of a hundred');
SELECT lives_ok(format('SELECT casino.place_bet(%s, %s, ''straight:1@400'', ''rest'')', :round, :karel),
                'the rest is taken');
SELECT throws_ok(format('SELECT casino.place_bet(%s, %s, ''straight:1@10'')', :round, :karel), 'KB002', NULL,
                 'the position is full');
-- what goes back makes room: an early one, the newest, all of a request
SELECT casino.place_bet(:round, :karel, 'straight:20@10', 'elsewhere') \g /dev/null
SELECT casino.cancel_bet(:round, :karel, 'a2') \g /dev/null
SELECT lives_ok(format('SELECT casino.place_bet(%s, %s, ''straight:1@100'', ''again'')', :round, :karel),
                'the second went back, and is placed again');
SELECT has_room(:round, 1, 0, 'then it is full');
SELECT casino.cancel_bet(:round, :karel, 'again') \g /dev/null
SELECT has_room(:round, 1, 100, 'back again');
SELECT casino.cancel_bet(:round, :karel, 'rest') \g /dev/null
SELECT has_room(:round, 1, 500, 'the newest, too');
SELECT casino.place_bets(:round, :karel, '{straight:1@50,straight:1@50,straight:2@1000}',
                         'three') \g /dev/null
SELECT has_room(:round, 1, 400, 'three in a call');
SELECT casino.cancel_bet(:round, :karel, 'three') \g /dev/null
SELECT has_room(:round, 1, 500, 'and back');
SELECT has_room(:round, 2, 1000, 'on the other position');
-- the same answers by SQL, which keeps nothing
SET casino.store = off;
SELECT has_room(:round, 1, 500, 'by SQL');
SELECT casino.place_bet(:round, :karel, 'straight:1@100', 'by sql') \g /dev/null
RESET casino.store;
SELECT has_room(:round, 1, 400, 'a stake that SQL has written');

-- what fails gives its numbers back: the next entry has the number, and another bet
SELECT last_entry_no AS newest FROM casino.player WHERE player_id = :karel \gset
BEGIN;
SAVEPOINT s;
SELECT casino.place_bet(:round, :karel, 'straight:1@300', 'lost 1') AS first,
       casino.place_bet(:round, :karel, 'straight:1@50', 'lost 2') \g /dev/null
SELECT casino.place_bet(:round, :karel, 'straight:3@50', 'lost 3') \g /dev/null
ROLLBACK TO s;
SELECT casino.place_bet(:round, :karel, 'straight:4@50', 'kept 1') AS again \gset
SELECT is(:again, :newest + 1, 'the number is given again');
SELECT has_room(:round, 1, 400, 'of a savepoint that was rolled back nothing is left');
SELECT casino.place_bet(:round, :karel, 'straight:3@100', 'kept 2') \g /dev/null
SELECT has_room(:round, 3, 900, 'but later entries');
COMMIT;
BEGIN;
SELECT casino.place_bet(:round, :karel, 'straight:5@1000', 'lost 4') \g /dev/null
SELECT casino.place_bet(:round, :karel, 'straight:6@1000', 'lost 5') \g /dev/null
ROLLBACK;
SELECT casino.place_bet(:round, :karel, 'straight:7@500', 'kept 3') \g /dev/null
SELECT has_room(:round, 5, 1000, 'a transaction that was rolled back');
SELECT has_room(:round, 7, 500, 'its number was given to another bet');
DO $$
BEGIN
    PERFORM casino.place_bet(1, 1, 'straight:8@700', 'lost 6');
    PERFORM casino.place_bet(1, 1, 'straight:8@100', 'lost 7');
    RAISE EXCEPTION 'undone';
EXCEPTION WHEN raise_exception THEN
    PERFORM casino.place_bet(1, 1, 'straight:9@700', 'kept 4');
END $$;
SELECT has_room(:round, 8, 1000, 'a block that failed');
SELECT has_room(:round, 9, 300, 'what its handler staked');

-- another round has its own
SELECT casino.open_round(casino.add_game_table('roulette_evolution', 'other', 10, 1000),
                         'second') AS second \gset
SELECT has_room(:second, 1, 1000, 'another round');
SELECT casino.place_bet(:round, :karel, 'straight:11@10', 'last 1') \g /dev/null
SELECT casino.place_bet(:round, :karel, 'straight:11@10', 'last 2') \g /dev/null

-- 65536 wagers at most: of 36 players with 2000 each the last six are kept, less than a megabyte
SELECT casino.open_round(casino.add_game_table('roulette_evolution', 'full', 10, 1000), 'third') AS full
\gset
SELECT count(casino.deposit(casino.register_player('p' || n), 100000))
  FROM generate_series(1, 36) n \g /dev/null
SELECT count(casino.place_bets(:full, :karel + p,
                               (SELECT array_agg(format('straight:%s@10', n % 36)::casino.bet)
                                  FROM generate_series(1, 1000) n)))
  FROM generate_series(1, 2), generate_series(1, 36) p \g /dev/null
SELECT count(casino.place_bet(:full, :karel + p, 'red@10')) FROM generate_series(1, 36) p \g /dev/null
SELECT cmp_ok(coalesce(sum(m.used_bytes), 0), '<', 1000000::numeric,
              'the session keeps a bounded number of wagers')
  FROM pg_backend_memory_contexts m
 WHERE m.name = 'casino wagers';

-- the tables are made anew: same numbers, other stakes
DROP EXTENSION casino CASCADE;
DROP SCHEMA IF EXISTS casino CASCADE;
CREATE EXTENSION casino;
SELECT casino.install() \g /dev/null
SELECT * FROM evening() \gset
SELECT is(ARRAY[:karel, :round]::bigint[], '{1,1}'::bigint[], 'the numbers of before');
SELECT count(casino.place_bet(:round, :karel, 'straight:10@100', 'a' || n)) FROM generate_series(1, 30) n
 WHERE n < 8 \g /dev/null
SELECT has_room(:round, 10, 300, 'a new ledger');
SELECT has_room(:round, 1, 1000, 'and nothing of the old one');
SELECT * FROM finish();
