--
-- casino.bet: text and binary form, the catalogue of kinds, order, accessors
--
SET search_path = casino, casino_internal, public;

-- what a literal of a type becomes, or how it is refused
CREATE FUNCTION pg_temp.outcome(statement text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
	state text;
	message text;
	detail text;
	hint text;
BEGIN
	EXECUTE statement INTO result;
	RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN regexp_replace(state || ': ' || message || coalesce(' | ' || nullif(detail, ''), '')
						  || coalesce(' | ' || nullif(hint, ''), ''),
						  '([[:alnum:] -]{30})[[:alnum:] -]{150,}', '\1...');
END $$;

-- what binary receive makes of these values, sent with COPY
CREATE FUNCTION pg_temp.receive(type text, VARIADIC payloads bytea[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	stream bytea := '\x5047434f50590aff0d0a000000000000000000';
	payload bytea;
	escaped text;
	result text;
BEGIN
	FOREACH payload IN ARRAY payloads LOOP
		stream := stream || '\x0001'::bytea || int4send(length(payload)) || payload;
	END LOOP;
	stream := stream || '\xffff'::bytea;
	SELECT string_agg('\0' || (b >> 6) || ((b >> 3) & 7) || (b & 7), '' ORDER BY i) INTO escaped
	FROM generate_series(0, length(stream) - 1) AS i, get_byte(stream, i) AS b;
	EXECUTE format('CREATE TEMP TABLE received (value %s)', type);
	EXECUTE format('COPY received FROM PROGRAM %L WITH (FORMAT binary)',
				   format('printf %%b ''%s''', escaped));
	SELECT string_agg(value::text, ', ' ORDER BY ctid) INTO result FROM received;
	DROP TABLE received;
	RETURN result;
END $$;

-- the catalogue of kinds, in the order of their numbers on disk
SELECT * FROM bet_kinds();
SELECT count(*), count(DISTINCT kind) FROM bet_kinds();

-- accepted literals print canonically: numbers ascending, two decimals
SELECT literal, literal::bet AS bet
FROM unnest(ARRAY['straight:17@100', 'straight:0@0.01', 'straight:36@1.5', 'split:20-17@50.00', 'split:0-3@5',
				  'split:3-0@5', 'street:3-1-2@5',
				  'trio:2-0-1@5', 'trio:0-2-3@5', 'corner:29-25-28-26@20', 'first_four@10',
				  'first_four:0-1-2-3@10', 'first_four:3-2-1-0@10',
				  'six_line:36-35-34-33-32-31@60000', 'dozen:2@5', 'column:3@5', 'red@10', 'black@10.1',
				  'odd@10.10', 'even@1', 'low@1', 'high@1',
				  'egalite:4@1', 'egalite:0@1', 'egalite:9@1', 'player@100', 'banker@20', 'tie@5',
				  'player_pair@5', 'main@500', 'double_down@500',
				  'split_pair@500', 'insurance@250', 'free_split@500', 'free_double@500', '21+3@25',
				  'top3@25', 'ante@50', 'call@100', 'pot@0.05',
				  'red@999999999999.99'])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;

-- refused literals: form
\pset format unaligned
SELECT left(literal, 30) AS literal, pg_temp.outcome(format('SELECT %L::casino.bet', literal))
FROM unnest(ARRAY['', '@', ':', 'red', 'red@', '@10', ':17@10', 'red:@10', 'red:1@10', 'Red@10', 'RED@10',
				  'green@10', 'red @10', ' red@10', 'red@10 ', 'red@ 10',
				  'red@10@10', 'red@1e3', 'red@1,5', 'red@10.', 'red@.5', 'red@000010', 'red@00.5',
				  'straight:017@5', 'straight:07@5', 'red@10.123', 'red@10.100', 'red@-10', 'red@+10',
				  'red@NaN', 'red@infinity', 'red@ten',
				  'red@0x10', 'straight@10', 'straight:@10', 'straight:x@10', 'straight:-1@10',
				  'straight:1-@10', 'straight:1--2@10', 'straight: 1@10', 'dozen@10',
				  'dozen:two@10', 'main:1@10', '21+3:1@5', U&'r\00e9d@10', '21+3', 'six_lin@5',
				  'six_lines:1-2-3-4-5-6@5', repeat('x', 100) || '@5'])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;
\pset format aligned

-- refused literals: no position of the layout
\pset format unaligned
SELECT left(literal, 30) AS literal, pg_temp.outcome(format('SELECT %L::casino.bet', literal))
FROM unnest(ARRAY['straight:37@1', 'straight:256@1', 'straight:273@1', 'straight:4294967313@1',
				  'straight:1-2@1', 'split:1-9@5', 'split:3-4@5', 'split:0-4@5', 'split:17-17@5',
				  'split:17@5',
				  'split:17-18-19@5', 'street:2-3-4@5', 'street:0-1-2@5', 'trio:0-1-3@5', 'trio:1-2-3@5',
				  'corner:0-1-2-3@5', 'corner:3-4-6-7@5', 'corner:1-2-3-4@5',
				  'first_four:1-2-3-4@5', 'six_line:2-3-4-5-6-7@5', 'six_line:1-2-3-4-5-6-7@5',
				  'six_line:1-2-3-4-5@5', 'dozen:0@5', 'dozen:4@5', 'dozen:1-2@5', 'column:0@5',
				  'column:4@5', 'egalite@5', 'egalite:10@5', 'egalite:1-2@5',
				  'straight:' || repeat('1-', 500) || '1@5'])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;
\pset format aligned

-- refused literals: amount
\pset format unaligned
SELECT left(literal, 30) AS literal, pg_temp.outcome(format('SELECT %L::casino.bet', literal))
FROM unnest(ARRAY['red@0', 'red@0.00', 'red@1000000000000', 'red@999999999999.995',
				  'red@99999999999999999999', 'red@92233720368547758.08', 'red@184467440737095516.17',
				  'red@' || repeat('9', 200)])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;
\pset format aligned

-- every position of the layout, found by trying all that could be one
CREATE TEMP TABLE bet_test (bet bet);
DO $$
DECLARE
	literal text;
BEGIN
	FOR literal IN
		SELECT 'straight:' || a || '@1' FROM generate_series(0, 40) AS a
		UNION ALL
		SELECT 'split:' || a || '-' || b || '@1'
		  FROM generate_series(0, 36) AS a, generate_series(a + 1, 37) AS b
		UNION ALL
		SELECT kind || ':' || concat_ws('-', a, b, c) || '@1'
		FROM unnest(ARRAY['street', 'trio']) AS kind, generate_series(0, 36) AS a,
			 generate_series(a + 1, a + 4) AS b, generate_series(b + 1, b + 4) AS c
		UNION ALL
		SELECT kind || ':' || concat_ws('-', a, b, c, d) || '@1'
		FROM unnest(ARRAY['corner', 'first_four']) AS kind, generate_series(0, 36) AS a,
			 generate_series(a + 1, a + 5) AS b, generate_series(b + 1, b + 5) AS c,
			 generate_series(c + 1, c + 5) AS d
		UNION ALL
		SELECT 'six_line:' || concat_ws('-', a, a + 1, a + 2, a + 3, a + 4, a + 5) || '@1'
		  FROM generate_series(0, 36) AS a
		UNION ALL
		SELECT kind || ':' || a || '@1'
		  FROM unnest(ARRAY['dozen', 'column', 'egalite']) AS kind, generate_series(0, 40) AS a
		UNION ALL
		SELECT kind || '@1' FROM bet_kinds()
	LOOP
		BEGIN
			INSERT INTO bet_test VALUES (literal::casino.bet);
		EXCEPTION WHEN invalid_text_representation THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT kind, count(DISTINCT bet) AS positions, min(cardinality(covers(bet))) AS covered,
	   max(cardinality(covers(bet))) AS most
FROM bet_kinds() WITH ORDINALITY AS k (kind, selection, free, n)
  LEFT JOIN bet_test ON kind(bet) = k.kind
GROUP BY kind, n
HAVING count(DISTINCT bet) <> 1
ORDER BY n;
SELECT count(*) AS kinds_of_one_position
  FROM (SELECT kind(bet) FROM bet_test GROUP BY kind(bet) HAVING count(DISTINCT bet) = 1) AS k;

-- accessors
SELECT bet, kind(bet), selection(bet), stake(bet), covers(bet)
FROM unnest(ARRAY['straight:17@100', 'split:17-20@50.5', 'street:1-2-3@1', 'trio:0-2-3@1',
				  'corner:25-26-28-29@20', 'first_four@1', 'six_line:31-32-33-34-35-36@1',
				  'dozen:1@5', 'dozen:2@5', 'dozen:3@5', 'column:1@5', 'column:2@5', 'column:3@5', 'red@10',
				  'black@10', 'odd@10', 'even@10', 'low@10', 'high@10',
				  'egalite:4@1', 'banker@20', '21+3@25', 'free_split@500', 'pot@999999999999.99']::bet[])
	 WITH ORDINALITY AS l (bet, n) ORDER BY n;
SELECT kind(NULL) AS kind, selection(NULL) AS selection, stake(NULL) AS stake, covers(NULL) AS covers,
	   same_position(NULL, 'red@1') AS same;
SELECT same_position('split:17-20@50', 'split:20-17@1') AS same,
	   same_position('split:17-20@50', 'split:17-18@50') AS other,
	   same_position('red@1', 'black@1') AS kinds,
	   same_position('first_four@1', 'first_four:0-1-2-3@2') AS fixed;

-- the constructor
SELECT bet('red', NULL, 10), bet('red', '', 10.5), bet('split', '20-17', 50), bet('dozen', '2', 5.00),
	   bet('21+3', NULL, 25.0000), bet('first_four', NULL, 1);
SELECT bet(NULL, NULL, 10) AS no_kind, bet('red', NULL, NULL) AS no_stake, bet(NULL, '17', NULL) AS neither;
SELECT count(*), bool_and(bet(kind(bet), selection(bet), stake(bet)) = bet) AS made_again FROM bet_test;
\pset format unaligned
SELECT call, pg_temp.outcome('SELECT casino.' || call)
FROM unnest(ARRAY['bet(''green'', NULL, 10)', 'bet('''', NULL, 10)', 'bet(''red'', ''1'', 10)',
				  'bet(''straight'', NULL, 10)', 'bet(''straight'', ''17@5'', 10)',
				  'bet(''split'', ''1-9'', 5)',
				  'bet(''split'', '' 17-20'', 5)', 'bet(''red'', NULL, 0)', 'bet(''red'', NULL, -1)',
				  'bet(''red'', NULL, ''NaN'')', 'bet(''red'', NULL, ''Infinity'')',
				  'bet(''red'', NULL, ''-Infinity'')',
				  'bet(''red'', NULL, 0.001)', 'bet(''red'', NULL, 10.005)', 'bet(''red'', NULL, 10.0100)',
				  'bet(''red'', NULL, 1e3)', 'bet(''red'', NULL, 999999999999.99)',
				  'bet(''red'', NULL, 1e12)',
				  'bet(''red'', NULL, 92233720368547758.07)', 'bet(''red'', NULL, 92233720368547758.08)',
				  'bet(''red'', NULL, 922337203685477581)', 'bet(''red'', NULL, 1e100)',
				  'bet(''red'', NULL, 1e-100)'])
	 WITH ORDINALITY AS l (call, n) ORDER BY n;
\pset format aligned

-- through text and binary
INSERT INTO bet_test
SELECT bet(kind(bet), selection(bet), amount)
  FROM bet_test, unnest(ARRAY[0.01, 12.34, 999999999999.99]) AS amount;
SELECT count(*), bool_and(bet::text::bet = bet) AS same_through_text, min(pg_column_size(bet)),
	   max(pg_column_size(bet))
  FROM bet_test;
SELECT pg_temp.receive('bet', VARIADIC array_agg(bet_send(bet) ORDER BY bet))
	   = string_agg(bet::text, ', ' ORDER BY bet) AS same_through_binary
FROM bet_test;
SELECT bet_send('split:17-20@50') AS split, bet_send('red@0.01') AS red,
	   bet_send('pot@999999999999.99') AS pot;

-- hostile bytes: kind, count, numbers, stake
\pset format unaligned
SELECT what, pg_temp.outcome(format('SELECT pg_temp.receive(''casino.bet'', %L)', bytes))
FROM (VALUES
	(1, 'good', '\x0202111400000000000013ba'::bytea),
	(2, 'numbers in another order', '\x0202141100000000000013ba'),
	(3, 'empty', ''),
	(4, 'kind only', '\x02'),
	(5, 'no stake', '\x02021114'),
	(6, 'stake cut', '\x02021114000000000013ba'),
	(7, 'a byte too many', '\x0202111400000000000013ba00'),
	(8, 'fewer numbers than announced', '\x02031114000000000013ba'),
	(9, 'more numbers than announced', '\x0201111400000000000013ba'),
	(10, 'count 255', '\x02ff111400000000000013ba'),
	(11, 'seven numbers', '\x07070102030405060700000000000013ba'),
	(12, 'kind 0', '\x000000000000000013ba'),
	(13, 'kind 255', '\xff0000000000000013ba'),
	(14, 'no position', '\x0202010900000000000013ba'),
	(15, 'number 37', '\x01012500000000000013ba'),
	(16, 'number 255', '\x0101ff00000000000013ba'),
	(17, 'a number twice', '\x0202111100000000000013ba'),
	(18, 'selection where there is none', '\x0a010100000000000013ba'),
	(19, 'no selection where there must be one', '\x010000000000000013ba'),
	(20, 'stake 0', '\x0a000000000000000000'),
	(21, 'stake -1', '\x0a00ffffffffffffffff'),
	(22, 'smallest stake', '\x0a008000000000000000'),
	(23, 'largest stake', '\x0a007fffffffffffffff'),
	(24, 'one haler too many', '\x0a0000005af3107a4000'),
	(25, 'as much as there may be', '\x0a0000005af3107a3fff')
) AS v (n, what, bytes) ORDER BY n;
\pset format aligned

-- order: kind in the order of the catalogue, selection, stake
SELECT bet
  FROM unnest(ARRAY['red@10', 'split:17-20@50', 'straight:2@1', 'straight:17@1', 'split:17-18@50',
					'split:2-3@60', 'straight:2@0.5', 'main@1', 'red@9.99', '21+3@1', 'dozen:2@1',
					'dozen:1@2']::bet[]) AS bet
 ORDER BY bet;
SELECT count(*) AS pairs,
	   bool_and((a.bet = b.bet) = (a.bet::text = b.bet::text)) AS eq,
	   bool_and((a.bet <> b.bet) = (bet_cmp(a.bet, b.bet) <> 0)) AS ne,
	   bool_and((a.bet < b.bet) = (bet_cmp(a.bet, b.bet) < 0)) AS lt,
	   bool_and((a.bet <= b.bet) = (bet_cmp(a.bet, b.bet) <= 0)) AS le,
	   bool_and((a.bet >= b.bet) = (bet_cmp(a.bet, b.bet) >= 0)) AS ge,
	   bool_and((a.bet > b.bet) = (bet_cmp(a.bet, b.bet) > 0)) AS gt,
	   bool_and(sign(bet_cmp(a.bet, b.bet)) = -sign(bet_cmp(b.bet, a.bet))) AS antisymmetric,
	   bool_and(same_position(a.bet, b.bet)
				= (kind(a.bet) = kind(b.bet)
				   AND selection(a.bet) IS NOT DISTINCT FROM selection(b.bet))) AS position
FROM bet_test a, bet_test b WHERE stake(a.bet) < 20 AND stake(b.bet) = 12.34;
SELECT bet_eq(NULL, 'red@1') AS eq, NULL::bet < 'red@1' AS lt, bet_cmp('red@1', NULL) AS cmp,
	   bet_hash(NULL) AS hash;

-- hashing
SELECT bool_and(bet_hash(bet) = bet_hash(bet::text::bet)) AS alike,
	   bool_and((bet_hash(bet)::bigint & 4294967295) = (bet_hash_extended(bet, 0) & 4294967295)) AS extends,
	   bool_or(bet_hash_extended(bet, 0) = bet_hash_extended(bet, 1)) AS seed_ignored,
	   bet_hash('split:17-20@5') = bet_hash('split:20-17@5.00') AS canonical
FROM bet_test;

-- operator classes, indexes, joins, aggregates, partitions
SELECT amname, opcname, opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'bet'::regtype ORDER BY amname;
CREATE INDEX bet_test_btree ON bet_test (bet);
VACUUM ANALYZE bet_test;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT bet FROM bet_test WHERE bet = 'red@1';
EXPLAIN (COSTS OFF) SELECT bet FROM bet_test WHERE bet >= 'dozen:1@0.01' AND bet < 'red@0.01' ORDER BY bet;
SELECT bet FROM bet_test WHERE bet >= 'dozen:3@0.01' AND bet <= 'column:1@1' ORDER BY bet;
DROP INDEX bet_test_btree;
CREATE INDEX bet_test_hash ON bet_test USING hash (bet);
EXPLAIN (COSTS OFF) SELECT bet FROM bet_test WHERE bet = 'red@1';
SELECT bet FROM bet_test WHERE bet = 'red@1';
DROP INDEX bet_test_hash;
RESET enable_bitmapscan;
RESET enable_seqscan;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM bet_test a JOIN bet_test b USING (bet);
SELECT count(*) AS by_hash FROM bet_test a JOIN bet_test b USING (bet);
RESET enable_mergejoin;
SET enable_hashjoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM bet_test a JOIN bet_test b USING (bet);
SELECT count(*) AS by_merge FROM bet_test a JOIN bet_test b USING (bet);
RESET enable_hashjoin;
RESET enable_nestloop;
SELECT count(*) AS by_text FROM bet_test a JOIN bet_test b ON a.bet::text = b.bet::text;
CREATE TEMP TABLE bet_part (bet bet) PARTITION BY HASH (bet);
CREATE TEMP TABLE bet_part_0 PARTITION OF bet_part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE bet_part_1 PARTITION OF bet_part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO bet_part SELECT bet FROM bet_test;
SELECT count(*) = (SELECT count(*) FROM bet_test) AS all_arrived, count(DISTINCT tableoid) AS partitions
  FROM bet_part;
SELECT '{red@1,"split:17-20@5"}'::bet[] AS bets, ('{red@1,"split:17-20@5"}'::bet[])[2] AS second;

-- marks of the functions of the types
SELECT provolatile, proisstrict, proparallel, prosecdef, count(*),
	   min(proname) FILTER (WHERE NOT proisstrict) AS which
FROM pg_proc
WHERE pronamespace = ANY (casino_internal.schemas()) AND prosrc ~ '^casino_sql_(card|hand|bet)_(?!over)'
GROUP BY 1, 2, 3, 4 ORDER BY 5;

-- the setting
SHOW casino.clock_skew;
SET casino.clock_skew = '1min';
SHOW casino.clock_skew;
SET casino.clock_skew = -1;
SHOW casino.clock_skew;
\set VERBOSITY sqlstate
SET casino.clock_skew = -2;
\set VERBOSITY default
SET casino.clock_skews = 1;
CREATE ROLE regress_casino_plain;
SET ROLE regress_casino_plain;
SET casino.clock_skew = 0;
RESET ROLE;
DROP ROLE regress_casino_plain;
