--
-- casino.card: text and binary form, order, operator classes
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

-- accepted literals
SELECT literal, literal::card AS card
FROM unnest(ARRAY['2c', '2d', '2h', '2s', '9h', 'Td', '10d', 'Jc', 'Qd', 'Kh', 'As',
				  U&'A\2660', U&'10\2665', U&'T\2666', U&'2\2663'])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;

-- refused literals
\pset format unaligned
SELECT left(literal, 30) AS literal, pg_temp.outcome(format('SELECT %L::casino.card', literal))
FROM unnest(ARRAY['', ' ', 'A', 's', 'AS', 'as', 'aS', 'sA', '1s', '0s', '11s', '100s', '1', '10', 'Xs', 'Ax',
				  ' As', 'As ', 'A s', 'AsKd', 'Ass', U&'A\2664', U&'\2660A', 'NULL', '51'])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;
\pset format aligned

-- the deck: every card from its byte, text and back
CREATE TEMP TABLE deck AS
SELECT rank * 4 + suit AS byte,
	   (substr('23456789TJQKA', rank + 1, 1) || substr('cdhs', suit + 1, 1))::card AS card, rank, suit
FROM generate_series(0, 12) AS rank, generate_series(0, 3) AS suit;
SELECT string_agg(card::text, ' ' ORDER BY byte) AS deck FROM deck;
SELECT count(*), count(DISTINCT card), bool_and(card::text::card = card) AS same_through_text,
	   bool_and(get_byte(card_send(card), 0) = byte AND length(card_send(card)) = 1) AS byte_as_documented
FROM deck;
SELECT pg_temp.receive('card', VARIADIC array_agg(card_send(card) ORDER BY byte))
	   = string_agg(card::text, ', ' ORDER BY byte) AS same_through_binary
FROM deck;
SELECT DISTINCT pg_column_size(card) FROM deck;

-- hostile bytes
\pset format unaligned
SELECT bytes, pg_temp.outcome(format('SELECT pg_temp.receive(''casino.card'', %L)', bytes))
FROM unnest(ARRAY['', '\x33', '\x34', '\x7f', '\x80', '\xff', '\x0000', '\x4173', '\x00000001']::bytea[])
	 WITH ORDINALITY AS l (bytes, n) ORDER BY n;
\pset format aligned

-- all operators on all pairs against rank and suit
SELECT count(*) AS pairs,
	   bool_and((a.card <  b.card) = (a.byte <  b.byte)) AS lt,
	   bool_and((a.card <= b.card) = (a.byte <= b.byte)) AS le,
	   bool_and((a.card =  b.card) = (a.byte =  b.byte)) AS eq,
	   bool_and((a.card <> b.card) = (a.byte <> b.byte)) AS ne,
	   bool_and((a.card >= b.card) = (a.byte >= b.byte)) AS ge,
	   bool_and((a.card >  b.card) = (a.byte >  b.byte)) AS gt,
	   bool_and(sign(card_cmp(a.card, b.card)) = sign(a.byte - b.byte)) AS cmp
FROM deck a, deck b;
SELECT string_agg(card::text, ' ' ORDER BY card DESC) AS aces_first FROM deck WHERE card >= 'Qc';
SELECT ARRAY(SELECT card FROM deck ORDER BY card) = ARRAY(SELECT card FROM deck ORDER BY byte) AS sorted;
SELECT card_eq(NULL, 'As') AS eq, NULL::card < 'As' AS lt, card_cmp('As', NULL) AS cmp,
	   card_hash(NULL) AS hash;

-- hashing: all cards differ, and the extended hash with seed 0 extends the plain one
SELECT count(DISTINCT card_hash(card)) AS hashes, count(DISTINCT card_hash_extended(card, 1)) AS seeded,
	   bool_and((card_hash(card)::bigint & 4294967295)
				= (card_hash_extended(card, 0) & 4294967295)) AS extends,
	   bool_or(card_hash_extended(card, 0) = card_hash_extended(card, 1)) AS seed_ignored
FROM deck;

-- operator classes
SELECT amname, opcname, opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'card'::regtype ORDER BY amname;

-- indexes
CREATE TEMP TABLE card_test (n int, card card);
INSERT INTO card_test SELECT i, d.card FROM deck d, generate_series(1, 20) AS i;
CREATE INDEX card_test_btree ON card_test (card);
VACUUM ANALYZE card_test;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT card FROM card_test WHERE card = 'As';
EXPLAIN (COSTS OFF) SELECT card FROM card_test WHERE card >= 'Kc' AND card < 'As';
EXPLAIN (COSTS OFF) SELECT card FROM card_test ORDER BY card;
EXPLAIN (COSTS OFF) SELECT count(*) FROM card_test WHERE card = ANY ('{As,Ks}');
SELECT card, count(*) FROM card_test WHERE card >= 'Kc' AND card < 'As' GROUP BY card ORDER BY card;
SELECT count(*) FROM card_test WHERE card = ANY ('{As,Ks}');
DROP INDEX card_test_btree;
CREATE INDEX card_test_hash ON card_test USING hash (card);
EXPLAIN (COSTS OFF) SELECT card FROM card_test WHERE card = 'As';
SELECT count(*) FROM card_test WHERE card = 'As';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- joins and aggregates by hash and by merge
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM card_test a JOIN card_test b USING (card);
SELECT count(*) AS by_hash FROM card_test a JOIN card_test b USING (card);
RESET enable_mergejoin;
SET enable_hashjoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM card_test a JOIN card_test b USING (card);
SELECT count(*) AS by_merge FROM card_test a JOIN card_test b USING (card);
RESET enable_hashjoin;
RESET enable_nestloop;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT card, count(*) FROM card_test GROUP BY card;
SELECT count(*), min(n), max(n) FROM (SELECT card, count(*) AS n FROM card_test GROUP BY card) AS g;
RESET enable_sort;

-- hash partitions: every row arrives and is found, and the planner reads one partition for one card
CREATE TEMP TABLE card_part (card card) PARTITION BY HASH (card);
CREATE TEMP TABLE card_part_0 PARTITION OF card_part FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TEMP TABLE card_part_1 PARTITION OF card_part FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TEMP TABLE card_part_2 PARTITION OF card_part FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO card_part SELECT card FROM deck;
SELECT count(*), count(DISTINCT tableoid) AS partitions FROM card_part;
SELECT count(*) AS found FROM deck d WHERE EXISTS (SELECT FROM card_part p WHERE p.card = d.card);
DO $$
DECLARE
	query text;
	line text;
	scans int;
BEGIN
	FOREACH query IN ARRAY ARRAY['SELECT * FROM card_part WHERE card = ''As''',
								 'SELECT * FROM card_part WHERE card > ''As'''] LOOP
		scans := 0;
		FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
			scans := scans + (line ~ 'Scan on')::int;
		END LOOP;
		RAISE NOTICE '% reads % partition(s)', query, scans;
	END LOOP;
END $$;

-- arrays, and what does not exist: casts to and from numbers
SELECT '{As,Td,2c}'::card[] AS cards, ('{As,Td,2c}'::card[])[2] AS second,
	   ARRAY['As', NULL]::card[] AS with_null;
SELECT pg_temp.outcome('SELECT ''As''::casino.card::int');
SELECT pg_temp.outcome('SELECT 51::casino.card');
