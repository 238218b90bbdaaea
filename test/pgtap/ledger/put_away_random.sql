-- Random questions while a book is away: each is answered in full, or refused (R12.50). The table of the book
-- says which entries an answer would have left out. CASINO_AWAY: how many questions, CASINO_AWAY_SEED.
SET search_path = public;
SET client_min_messages = warning;
\set questions 600
\set seed 0.5
\getenv questions CASINO_AWAY
\getenv seed CASINO_AWAY_SEED
SELECT no_plan();
SET casino.request_memory = 0;
SELECT casino.prague_day(now()) AS today \gset
SELECT setseed(:seed) \g /dev/null

CREATE PROCEDURE rounds(n integer, tag text) LANGUAGE plpgsql AS $$
DECLARE
    id bigint;
BEGIN
    FOR i IN 1 .. n LOOP
        id := casino.open_round((SELECT min(t.table_id) FROM casino.game_table t), tag || i);
        PERFORM casino.place_bet(id, p, 'even@100', tag || i)
           FROM generate_series(1, 17) p
          WHERE (p + i) % 3 = 0;
        PERFORM casino.settle_round(id, '{"number": 2}');
    END LOOP;
END $$;
SELECT casino.add_game_table('roulette_american', 'one', 100, 100000) \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 500000))
  FROM generate_series(1, 20) n \g /dev/null
CALL rounds(20, 'before');
SELECT casino.request_withdrawal(3, 100, 'cash') AS withdrawal \gset
SELECT casino.pay_withdrawal(:withdrawal) \g /dev/null
SELECT casino.turn_book() \g /dev/null
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT casino.close_book(1) \g /dev/null
SELECT casino.seal(:'today') \g /dev/null
SELECT casino.put_away_book(1) \g /dev/null
CALL rounds(20, 'after');
ANALYZE;
CREATE TABLE moment AS
SELECT l.posted_at, l.recorded_at FROM casino.ledger_1 l
UNION ALL
SELECT l.posted_at, l.recorded_at FROM casino.ledger_2 l;

CREATE FUNCTION one_of(VARIADIC words text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT words[1 + floor(random() * cardinality(words))::integer]
$$;
CREATE FUNCTION number(n integer) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT floor(random() * n)::text
$$;
CREATE FUNCTION condition(depth integer) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF depth > 0 AND random() < 0.7 THEN
        RETURN format('(%s %s %s)', condition(depth - 1), one_of('AND', 'AND', 'OR'), condition(depth - 1));
    END IF;
    RETURN one_of(
        format('l.player_id %s %s', one_of('=', '=', '=', '>', '>=', '<', '<>'), number(23)),
        format('l.entry_no %s %s', one_of('=', '>', '>=', '<', '<='), number(60)),
        format('l.round_id %s %s', one_of('=', '>', '>=', '<', '<='), number(42)),
        format('%s %s l.round_id', number(42), one_of('=', '>', '>=', '<', '<=')),
        format('l.stake_entry_no %s %s', one_of('=', '>', '>='), number(60)),
        format('l.withdrawal_entry_no = %s', number(60)),
        format('l.book %s %s', one_of('=', '>', '>=', '<', '<>'), number(4)),
        format('l.posted_at %s %L', one_of('=', '>', '>=', '<'),
               (SELECT m.posted_at FROM moment m ORDER BY random() LIMIT 1)),
        format('l.recorded_at %s %L', one_of('=', '>', '>=', '<'),
               (SELECT m.recorded_at FROM moment m ORDER BY random() LIMIT 1)),
        'l.kind = ''stake''', 'l.amount > 50', 'l.round_id IS NULL', 'NOT l.round_id > 20',
        'l.player_id = ANY (''{1,19}'')', 'l.player_id = (SELECT 19)',
        'l.player_id IN (SELECT 18 + g FROM generate_series(0, 2) g)',
        'EXISTS (SELECT FROM casino.round r WHERE r.round_id = l.round_id AND r.round_id > 20)',
        'EXISTS (SELECT FROM casino.player p WHERE p.player_id = l.player_id AND p.player_id >= 18)');
END $$;
-- plans differ: each way of joining is taken away now and then
CREATE FUNCTION answer(asked text, OUT refused boolean, OUT left_out bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('enable_' || way, (random() < 0.7)::text, true)
       FROM unnest('{nestloop,hashjoin,mergejoin,indexscan}'::text[]) way;
    EXECUTE 'SELECT count(*) FROM casino.ledger l WHERE ' || asked;
    refused := false;
    EXECUTE 'SELECT count(*) FROM casino.ledger_1 l WHERE ' || asked INTO left_out;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    refused := true;
    left_out := 0;
END $$;
CREATE TABLE answered AS
SELECT q.asked, a.refused, a.left_out
  FROM (SELECT condition(3) AS asked FROM generate_series(1, :questions) OFFSET 0) q
 CROSS JOIN LATERAL answer(q.asked) a;
SELECT is_empty('SELECT a.asked FROM answered a WHERE a.left_out > 0',
                'R12.50: no question is answered short');
SELECT cmp_ok(count(*) FILTER (WHERE NOT refused), '>', :questions / 10::bigint, 'R12.50: many are answered')
  FROM answered;
SELECT cmp_ok(count(*) FILTER (WHERE refused), '>', :questions / 10::bigint, 'R12.50: many are refused')
  FROM answered;
SELECT casino.attach_book(1) \g /dev/null
SELECT * FROM finish();
