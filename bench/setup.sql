-- Players, tables, and the other side's copies of player and ledger. Needs :wagers.
SET client_min_messages = warning;
CREATE SCHEMA bench;

-- players 1 to N stake in the settlements and at one table, N + 1 to 2N at 50 tables
SELECT casino.add_game_table('roulette_evolution', 'settle', 10, 1000) AS settle_table \gset
SELECT casino.add_game_table('roulette_evolution', 'one', 10, 1000) AS one_table \gset
SELECT casino.add_game_table('roulette_evolution', 'warm', 10, 1000),
       casino.add_game_table('blackjack_infinite', 'warm box', 100, 1000);
SELECT count(casino.add_game_table('roulette_evolution', 'many ' || i, 10, 1000))
  FROM generate_series(1, 50) i;
SELECT count(casino.deposit(casino.register_player('bench ' || i), 100000))
  FROM generate_series(1, 2 * :wagers) i;

-- the table of the plain INSERT of stakes; the indexes are those of a book, because only books have indexes
CREATE TABLE bench.posting (LIKE casino.ledger_1 INCLUDING ALL);

-- the plain side of the settlement, and the loop's: same columns, indexes, rows and free space
CREATE TABLE bench.plain_ledger (LIKE casino.ledger_1 INCLUDING ALL);
CREATE TABLE bench.plain_player (LIKE casino.player INCLUDING ALL) WITH (fillfactor = 70);
CREATE TABLE bench.loop_ledger (LIKE casino.ledger_1 INCLUDING ALL);
CREATE TABLE bench.loop_player (LIKE casino.player INCLUDING ALL) WITH (fillfactor = 70);
INSERT INTO bench.plain_ledger SELECT * FROM casino.ledger;
INSERT INTO bench.plain_player SELECT * FROM casino.player;
INSERT INTO bench.loop_ledger SELECT * FROM casino.ledger;
INSERT INTO bench.loop_player SELECT * FROM casino.player;
CREATE TABLE bench.due (LIKE casino.ledger);
DO $$
BEGIN
    IF EXISTS (SELECT
                 FROM unnest('{posting,plain_ledger,loop_ledger}'::text[]) t
                WHERE (SELECT count(*) FROM pg_index i WHERE i.indrelid = ('bench.' || t)::regclass)
                   <> (SELECT count(*) FROM pg_index i WHERE i.indrelid = 'casino.ledger_1'::regclass)) THEN
        RAISE EXCEPTION 'the other side has fewer indexes than the ledger';
    END IF;
END
$$;

CREATE TABLE bench.result (kind text, rep integer, side text, ms double precision, paid bigint,
                           wagers bigint);
CREATE VIEW bench.figures AS
    SELECT s.kind, s.rep, s.paid, s.wagers, s.ms AS settle, p.ms AS plain, l.ms AS loop
      FROM bench.result s
      JOIN bench.result p ON (p.kind, p.rep, p.side) = (s.kind, s.rep, 'plain')
      LEFT JOIN bench.result l ON (l.kind, l.rep, l.side) = (s.kind, s.rep, 'loop')
     WHERE s.side = 'settle' AND s.rep > 0;         -- the first one warms up

-- Wager of a player on the number 17: kinds in the proportions of a busy table (about a third wins), or all
-- winning
CREATE FUNCTION bench.bet_of(player bigint, kind text, rep integer) RETURNS casino.bet
LANGUAGE sql IMMUTABLE AS $fn$
    SELECT (b.bets[1 + (player * 7919 + rep * 104729) % cardinality(b.bets)])::casino.bet
      FROM (SELECT CASE kind WHEN 'all_win' THEN
                '{straight:17@10,split:17-20@50,street:16-17-18@20,corner:16-17-19-20@20,dozen:2@50,
                  column:2@100,odd@200,black@100,low@100,six_line:16-17-18-19-20-21@30}'::text[]
            ELSE '{straight:17@10,straight:4@20,straight:32@10,split:17-20@50,split:8-11@20,street:1-2-3@20,
                  corner:25-26-28-29@20,corner:16-17-19-20@20,dozen:1@50,dozen:2@50,dozen:3@100,
                  column:2@100,column:1@50,red@100,black@100,even@200,odd@200,low@100,high@100,
                  six_line:16-17-18-19-20-21@30}'::text[] END) b (bets)
$fn$;

-- What a user would write without settle_round(): a wager at a time, here in plain tables without triggers
CREATE FUNCTION bench.settle_loop(round_id bigint, number integer, at timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $fn$
DECLARE
    plan CONSTANT bigint := (SELECT r.plan_id FROM casino.round r WHERE r.round_id = settle_loop.round_id);
    wager record;
    odds record;
    result text;
    payout numeric;
    last bigint;
    paid bigint := 0;
BEGIN
    FOR wager IN SELECT l.player_id, l.entry_no, l.bet FROM bench.loop_ledger l
                  WHERE l.round_id = settle_loop.round_id AND l.kind = 'stake'
                  ORDER BY l.player_id, l.entry_no LOOP
        PERFORM FROM bench.loop_ledger f
          WHERE f.player_id = wager.player_id AND f.stake_entry_no = wager.entry_no;
        CONTINUE WHEN FOUND;                        -- returned or paid before
        result := casino.grade_roulette(wager.bet, number);
        CONTINUE WHEN result = 'lose';
        SELECT t.num, t.den, coalesce(b.declared_win, 'Infinity') AS declared_win INTO STRICT odds
          FROM casino.bet_rule b
          JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind
         WHERE b.plan_id = plan AND b.kind = casino.kind(wager.bet) AND t.grade = result;
        payout := casino.payout(wager.bet, result, odds.num, odds.den, odds.declared_win);
        SELECT p.last_entry_no INTO STRICT last FROM bench.loop_player p
         WHERE p.player_id = wager.player_id FOR NO KEY UPDATE;
        INSERT INTO bench.loop_ledger (player_id, entry_no, kind, amount, round_id, stake_entry_no, grade,
                                       balance, posted_at, recorded_at, recorded_by)
        VALUES (wager.player_id, last + 1, 'payout', payout, settle_loop.round_id, wager.entry_no, result,
                (SELECT balance + payout FROM bench.loop_player p WHERE p.player_id = wager.player_id), at,
                clock_timestamp(), 1);
        UPDATE bench.loop_player p
           SET balance = p.balance + payout, last_entry_no = last + 1, last_posted_at = at
         WHERE p.player_id = wager.player_id;
        paid := paid + 1;
    END LOOP;
    RETURN paid;
END
$fn$;

-- The same in casino.ledger, by INSERTs that the row trigger checks
CREATE FUNCTION bench.pay_by_hand(round_id bigint) RETURNS void
LANGUAGE plpgsql AS $fn$
DECLARE
    wager record;
BEGIN
    FOR wager IN SELECT u.player_id, u.entry_no, u.payout FROM casino.unpaid_winnings u
                  WHERE u.round_id = pay_by_hand.round_id ORDER BY u.player_id, u.entry_no LOOP
        INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no)
        VALUES (wager.player_id, 'payout', wager.payout, wager.entry_no);
    END LOOP;
END
$fn$;

-- An error unless all three sides paid the same
CREATE FUNCTION bench.compare(round_id bigint) RETURNS void
LANGUAGE plpgsql AS $fn$
DECLARE
    differing bigint;
BEGIN
    SELECT count(*) INTO differing
      FROM (SELECT player_id, entry_no, amount, stake_entry_no, grade FROM casino.ledger l
             WHERE l.round_id = compare.round_id AND l.kind = 'payout') a
      FULL JOIN (SELECT player_id, entry_no, amount, stake_entry_no, grade FROM bench.plain_ledger l
                  WHERE l.round_id = compare.round_id AND l.kind = 'payout') b USING (player_id, entry_no)
      FULL JOIN (SELECT player_id, entry_no, amount, stake_entry_no, grade FROM bench.loop_ledger l
                  WHERE l.round_id = compare.round_id AND l.kind = 'payout') c USING (player_id, entry_no)
     WHERE (a.amount, a.stake_entry_no, a.grade) IS DISTINCT FROM (b.amount, b.stake_entry_no, b.grade)
        OR (a.amount, a.stake_entry_no, a.grade) IS DISTINCT FROM (c.amount, c.stake_entry_no, c.grade);
    IF differing > 0 THEN
        RAISE EXCEPTION 'the sides differ in % payouts', differing;
    END IF;
    SELECT count(*) INTO differing
      FROM casino.player a
      JOIN bench.plain_player b USING (player_id)
      JOIN bench.loop_player c USING (player_id)
     WHERE (a.balance, a.last_entry_no) IS DISTINCT FROM (b.balance, b.last_entry_no)
        OR (a.balance, a.last_entry_no) IS DISTINCT FROM (c.balance, c.last_entry_no);
    IF differing > 0 THEN
        RAISE EXCEPTION 'the sides differ in % players', differing;
    END IF;
END
$fn$;

-- An error unless settle_round and the plain side left the same players' rows
CREATE FUNCTION bench.compare_players() RETURNS void
LANGUAGE plpgsql AS $fn$
DECLARE
    differing bigint;
BEGIN
    SELECT count(*) INTO differing
      FROM casino.player a
      JOIN bench.plain_player b USING (player_id)
     WHERE (a.balance, a.last_entry_no) IS DISTINCT FROM (b.balance, b.last_entry_no);
    IF differing > 0 THEN
        RAISE EXCEPTION 'the sides differ in % players', differing;
    END IF;
END
$fn$;

-- Settles what lies at the tables of the stakes and opens the next rounds, numbered one after the other
CREATE PROCEDURE bench.next_rounds() LANGUAGE plpgsql AS $fn$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT g.table_id, r.round_id FROM casino.game_table g
               LEFT JOIN casino.round r ON r.table_id = g.table_id AND r.status = 'open'
              WHERE (g.name = 'one' OR g.name LIKE 'many %') ORDER BY g.table_id LOOP
        IF t.round_id IS NOT NULL THEN
            PERFORM casino.settle_round(t.round_id, '{"number": 0}');
        END IF;
    END LOOP;
    PERFORM casino.open_round(g.table_id, gen_random_uuid()::text)
       FROM (SELECT table_id
               FROM casino.game_table
              WHERE name = 'one' OR name LIKE 'many %'
              ORDER BY table_id) g;
END
$fn$;
CALL bench.next_rounds();

-- A hundred ways to play 8-8 against a six: drawn to two or three cards more, doubled, split
SELECT casino.add_game_table('blackjack_infinite', 'shared box', 100, 1000);
CREATE TABLE bench.box_hand AS
SELECT row_number() OVER (ORDER BY h.what, h.hands) - 1 AS no, h.*
  FROM (SELECT 'draw' AS what, ARRAY['8h 8d ' || x || y] AS hands
          FROM unnest('{2,3,4,5,6,7,8,9,T,K}'::text[]) x, unnest('{c,d,h,s}'::text[]) y
        UNION ALL
        (SELECT 'double', ARRAY['8h 8d ' || x || y]
           FROM unnest('{2,3,4,5,9,T,J,Q}'::text[]) x, unnest('{c,d,h,s}'::text[]) y
          LIMIT 30)
        UNION ALL
        (SELECT 'split', ARRAY['8h ' || x || 'c', '8d ' || y || 's']
           FROM unnest('{T,9,J,Q,K}'::text[]) x, unnest('{T,9,J,Q,K,A}'::text[]) y)) h;

\ir cpu.sql

-- Settlements: what player n bets is the element n modulo their number; the plain tables are filled up with
-- what came since
CREATE TABLE bench.settle_case (name text PRIMARY KEY, game text, bets text[], outcome jsonb,
                                warm_outcome jsonb);
INSERT INTO bench.settle_case VALUES
    ('roulette, all win', 'roulette_evolution',
     '{"{red@100}","{straight:18@10}","{split:17-18@50}","{even@200}","{low@100}","{dozen:2@50}",'
     '"{column:3@100}","{corner:17-18-20-21@20}"}',
     '{"number": 18}', '{"number": 0}'),
    ('roulette, 45 % win', 'roulette_evolution',
     '{"{red@100}","{straight:18@10}","{split:17-18@50}","{even@200}","{low@100}","{dozen:2@50}",
       "{column:3@100}","{corner:17-18-20-21@20}","{red@20}","{black@100}","{straight:17@10}",
       "{split:8-11@50}","{odd@200}","{high@100}","{dozen:1@50}","{column:2@100}",
       "{corner:16-17-19-20@20}","{black@20}","{dozen:3@100}","{street:1-2-3@20}"}',
     '{"number": 18}', '{"number": 0}'),
    ('roulette, three bets a player', 'roulette_evolution',
     '{"{red@100,straight:18@10,dozen:1@50}","{black@100,straight:17@10,split:17-18@20}",'
     '"{odd@200,column:3@50,low@20}","{even@50,high@20,street:1-2-3@20}"}',
     '{"number": 18}', '{"number": 0}'),
    ('baccarat, 40 % win', 'baccarat',
     '{"{banker@100}","{banker@50}","{player@100}","{player@20}","{tie@10}"}',
     '{"player": "9h 7d", "banker": "Kc 7s"}', '{"player": "9h 7d", "banker": "Kc 7s"}'),
    ('casino_holdem, 40 % call', 'casino_holdem',
     '{"{ante@100,call@200}","{ante@50,call@100,aa@10}","{ante@100}","{ante@20}","{ante@100,aa@50}"}',
     '{"player": "As Ah", "board": "Ac Kd 7h 2s 9c", "dealer": "Qc Qd"}',
     '{"player": "As Ah", "board": "Ac Kd 7h 2s 9c", "dealer": "Qc Qd"}');
SELECT casino.add_game_table(g, k || g, 10, 10000)
  FROM unnest('{roulette_evolution,baccarat,casino_holdem}'::text[]) g, unnest('{"case ","warm "}'::text[]) k;
