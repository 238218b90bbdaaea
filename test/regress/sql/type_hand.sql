--
-- casino.hand: text and binary form, order, cards by number, casts
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
SELECT literal, literal::hand AS hand, card_count(literal::hand) AS cards
FROM unnest(ARRAY['', '  ', 'As', 'As Td 5c', 'AsTd5c', '  As   Td5c ', '10d 10h', '10d10h2c', 'As As As',
				  U&'A\2660 K\2665', U&'A\2660K\2665', repeat('As', 24)])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;

-- refused literals
\pset format unaligned
SELECT left(literal, 30) AS literal, pg_temp.outcome(format('SELECT %L::casino.hand', literal))
FROM unnest(ARRAY['A', 'As T', 'As,Td', 'As Td X', 'as td', 'A s', 'As Td 1', 'As-Td', '{As}', 'AsT', 'Asd',
				  E'As\u00a0Td',
				  repeat('As', 25), repeat('As ', 25), repeat('As', 24) || 'x', repeat('2c', 1000)])
	 WITH ORDINALITY AS l (literal, n) ORDER BY n;
\pset format aligned

-- a corpus of hands through text and binary, stored with a one byte header
CREATE TEMP TABLE hand_test (n int, hand hand);
INSERT INTO hand_test
SELECT n,
	   (SELECT coalesce(string_agg(substr('23456789TJQKA', 1 + (n * 7 + i * i * 5 + i) % 13, 1)
								   || substr('cdhs', 1 + (n * 3 + i) % 4, 1),
								   ' ' ORDER BY i), '')
		   FROM generate_series(1, n % 25) AS i)::hand
FROM generate_series(0, 999) AS n;
SELECT count(*), min(card_count(hand)), max(card_count(hand)),
	   bool_and(hand::text::hand = hand) AS same_through_text,
	   bool_and(length(hand_send(hand)) = card_count(hand)) AS a_byte_a_card,
	   bool_and(pg_column_size(hand) = 1 + card_count(hand)) AS short_header
FROM hand_test;
SELECT pg_temp.receive('hand', VARIADIC array_agg(hand_send(hand) ORDER BY n))
	   = string_agg(hand::text, ', ' ORDER BY n) AS same_through_binary
FROM hand_test WHERE n < 200;
SELECT hand_send('2c As Td') AS bytes;

-- hostile bytes
\pset format unaligned
SELECT left(bytes::text, 20) AS bytes, length(bytes),
	   pg_temp.outcome(format('SELECT pg_temp.receive(''casino.hand'', %L)', bytes))
FROM unnest(ARRAY['', '\x0033', '\x34', '\x003400', '\x00ff', '\x80', '\x41732054',
				  decode(repeat('00', 24), 'hex'),
				  decode(repeat('00', 25), 'hex'), decode(repeat('ff', 25), 'hex'),
				  decode(repeat('33', 5000), 'hex')]::bytea[])
	 WITH ORDINALITY AS l (bytes, n) ORDER BY n;
\pset format aligned

-- cards by number: from 1, NULL where there is none
SELECT i, ('As Td 5c'::hand)[i]
  FROM unnest(ARRAY[-2147483648, -1, 0, 1, 2, 3, 4, 2147483647, NULL]) WITH ORDINALITY AS l (i, n)
 ORDER BY n;
SELECT (NULL::hand)[1] AS of_null, (''::hand)[1] AS of_empty, ('As'::hand)[1::bigint] AS bigint,
	   ('As'::hand)['1'] AS literal,
	   pg_typeof(('As'::hand)[1]);
SELECT ('As'::hand)[1.4] AS rounded;
SELECT ('As'::hand)[3000000000];
SELECT ('As'::hand)['x'];
SELECT ('As'::hand)[true];
SELECT ('As Td 5c'::hand)[1:2];
SELECT ('As Td 5c'::hand)[:];
SELECT ('As Td 5c'::hand)[1][2];
SELECT (cards('As Td 5c'))[2:3] AS slice_of_cards;
UPDATE hand_test SET hand[1] = 'As';
UPDATE hand_test SET hand[1:2] = '{As,As}';
INSERT INTO hand_test (n, hand[1]) VALUES (1, 'As');
DO $$ DECLARE h casino.hand := 'As'; BEGIN h[1] := 'Kd'; END $$;
DO $$ DECLARE h casino.hand := 'As Kd'; BEGIN RAISE NOTICE 'second card %', h[2]; END $$;
CREATE TEMP VIEW first_card AS SELECT n, hand[1] AS first FROM hand_test;
SELECT pg_get_viewdef('first_card') LIKE '%hand[1] AS first%' AS written_back;
SELECT first, count(*) FROM first_card WHERE n < 60 GROUP BY first ORDER BY first LIMIT 3;
CREATE INDEX hand_test_first ON hand_test ((hand[1]));
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM hand_test WHERE hand[1] = 'As';
RESET enable_bitmapscan;
RESET enable_seqscan;
DROP INDEX hand_test_first;
CREATE DOMAIN pg_temp.dealt AS hand CHECK (card_count(VALUE) >= 2);
SELECT ('As Kd'::pg_temp.dealt)[2] AS of_domain;

-- casts to and from card[]
SELECT cards('As Td 5c'), cards(''), 'As Td 5c'::hand::card[] AS cast_to,
	   '{As,Td,5c}'::card[]::hand AS cast_from,
	   '{}'::card[]::hand AS empty, hand(ARRAY['As', 'Kd']::card[]) AS made,
	   '[0:1]={As,Kd}'::card[]::hand AS from_0;
SELECT count(*), bool_and(hand(cards(hand)) = hand) AS same_through_array,
	   bool_and(cardinality(cards(hand)) = card_count(hand)) AS counts
  FROM hand_test;
SELECT array_position(cards('As Td 5c As'), 'As'), 'Td' = ANY (cards('As Td 5c')) AS has_td,
	   string_agg(card::text, ',')
  FROM unnest(cards('As Td 5c')) AS card;
SELECT pg_temp.outcome('SELECT ''{As,NULL}''::casino.card[]::casino.hand');
SELECT pg_temp.outcome('SELECT ''{{As,Td},{5c,6c}}''::casino.card[]::casino.hand');
SELECT pg_temp.outcome('SELECT array_fill(''As''::casino.card, ARRAY[25])::casino.hand');
SELECT pg_temp.outcome('SELECT array_fill(''As''::casino.card, ARRAY[24])::casino.hand');
SELECT pg_temp.outcome('SELECT array_fill(NULL::casino.card, ARRAY[1000000])::casino.hand');
SELECT pg_temp.outcome('SELECT array_fill(''As''::casino.card, ARRAY[1000000])::casino.hand');
CREATE TEMP TABLE assigned (h hand, c card[]);
INSERT INTO assigned VALUES (ARRAY['As', 'Kd']::card[], '2c 3c'::hand);
SELECT * FROM assigned;
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext
  FROM pg_cast
 WHERE 'hand'::regtype IN (castsource, casttarget)
 ORDER BY 1;

-- concatenation
SELECT 'As'::hand || 'Td'::card AS card, 'As'::hand || 'Td 5c' AS hand, ''::hand || ''::hand AS empty,
	   'As'::hand || NULL::card AS with_null,
	   NULL::hand || 'As'::hand AS to_null, 'As Td'::hand || ARRAY['5c']::card[]::hand AS array;
SELECT card_count(repeat('As', 23)::hand || 'Kd'::card) AS with_24,
	   card_count(repeat('As', 12)::hand || repeat('As', 12)::hand) AS also_24;
SELECT pg_temp.outcome($$SELECT repeat('As', 24)::casino.hand OPERATOR(casino.||) 'Kd'::casino.card$$);
SELECT pg_temp.outcome($$SELECT repeat('As', 24)::casino.hand OPERATOR(casino.||) 'Kd'::casino.hand$$);
SELECT pg_temp.outcome($$SELECT repeat('As', 24)::casino.hand
							  OPERATOR(casino.||) repeat('As', 24)::casino.hand$$);
SELECT pg_temp.outcome($$SELECT repeat('As', 24)::casino.hand OPERATOR(casino.||) ''::casino.hand$$);

-- order: card by card, a hand before the hands it begins
SELECT hand
  FROM unnest(ARRAY['As', '', 'As 2c', 'Kd As As', '2c', '2d', '2c 2c', '2c As', 'Td 9h']::hand[]) AS hand
 ORDER BY hand;
SELECT count(*) AS pairs,
	   bool_and((a.hand <  b.hand) = (hand_send(a.hand) <  hand_send(b.hand))) AS lt,
	   bool_and((a.hand <= b.hand) = (hand_send(a.hand) <= hand_send(b.hand))) AS le,
	   bool_and((a.hand =  b.hand) = (hand_send(a.hand) =  hand_send(b.hand))) AS eq,
	   bool_and((a.hand <> b.hand) = (hand_send(a.hand) <> hand_send(b.hand))) AS ne,
	   bool_and((a.hand >= b.hand) = (hand_send(a.hand) >= hand_send(b.hand))) AS ge,
	   bool_and((a.hand >  b.hand) = (hand_send(a.hand) >  hand_send(b.hand))) AS gt,
	   bool_and(sign(hand_cmp(a.hand, b.hand))
				= (hand_send(a.hand) > hand_send(b.hand))::int
				  - (hand_send(a.hand) < hand_send(b.hand))::int) AS cmp
FROM hand_test a, hand_test b WHERE a.n < 150 AND b.n < 150;
SELECT hand_eq(NULL, 'As') AS eq, NULL::hand < 'As' AS lt, hand_cmp('As', NULL) AS cmp,
	   hand_hash(NULL) AS hash, card_count(NULL) AS count, cards(NULL) AS cards;

-- hashing: packed or not, equal hands hash alike; the order of the cards counts
SELECT bool_and(hand_hash(hand) = hand_hash(hand::text::hand)) AS packed_alike,
	   bool_and((hand_hash(hand)::bigint & 4294967295)
				= (hand_hash_extended(hand, 0) & 4294967295)) AS extends,
	   bool_or(card_count(hand) > 0
			   AND hand_hash_extended(hand, 0) = hand_hash_extended(hand, 1)) AS seed_ignored,
	   hand_hash('As Kd') = hand_hash('Kd As') AS order_ignored
FROM hand_test;

-- operator classes, indexes, joins, aggregates, partitions
SELECT amname, opcname, opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'hand'::regtype ORDER BY amname;
CREATE INDEX hand_test_btree ON hand_test (hand);
VACUUM ANALYZE hand_test;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT hand FROM hand_test WHERE hand = '8d Jh';
EXPLAIN (COSTS OFF) SELECT hand FROM hand_test WHERE hand > 'Ah' ORDER BY hand;
SELECT count(*) FROM hand_test WHERE hand >= 'Ac';
DROP INDEX hand_test_btree;
CREATE INDEX hand_test_hash ON hand_test USING hash (hand);
EXPLAIN (COSTS OFF) SELECT hand FROM hand_test WHERE hand = '8d Jh';
SELECT count(*) AS found
  FROM (SELECT DISTINCT hand FROM hand_test OFFSET 0) AS d
 WHERE EXISTS (SELECT FROM hand_test t WHERE t.hand = d.hand OFFSET 0);
DROP INDEX hand_test_hash;
RESET enable_bitmapscan;
RESET enable_seqscan;
SELECT count(*) FROM hand_test WHERE hand >= 'Ac';
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM hand_test a JOIN hand_test b USING (hand);
SELECT count(*) AS by_hash FROM hand_test a JOIN hand_test b USING (hand);
RESET enable_mergejoin;
SET enable_hashjoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM hand_test a JOIN hand_test b USING (hand);
SELECT count(*) AS by_merge FROM hand_test a JOIN hand_test b USING (hand);
RESET enable_hashjoin;
RESET enable_nestloop;
SELECT count(*) AS by_text FROM hand_test a JOIN hand_test b ON a.hand::text = b.hand::text;
CREATE TEMP TABLE hand_part (hand hand) PARTITION BY HASH (hand);
CREATE TEMP TABLE hand_part_0 PARTITION OF hand_part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE hand_part_1 PARTITION OF hand_part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hand_part SELECT hand FROM hand_test;
SELECT count(*), count(DISTINCT tableoid) AS partitions FROM hand_part;
