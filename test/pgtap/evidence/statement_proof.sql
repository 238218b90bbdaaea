-- A player's statement with its proof: his entries of a time, none left out, nobody else's; forged ones are
-- refused (R12.16).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
SELECT register_player('anna') AS a, register_player('bedrich') AS b, register_player('cyril') AS c \gset
SELECT deposit(p, 10 * p + n, 'd' || n, '2026-06-01 09:00'::timestamptz + n * interval '1 day')
  FROM generate_series(0, 1) n, unnest(ARRAY[:a, :b, :c]) p \g /dev/null
SELECT casino.seal('2026-06-01') \g /dev/null
SELECT deposit(p, 100 * p + n, 'd' || n, '2026-06-01 09:00'::timestamptz + n * interval '1 day')
  FROM generate_series(2, 4) n, unnest(ARRAY[:a, :b, :c]) p \g /dev/null
SELECT casino.seal('2026-06-02') \g /dev/null
SELECT deposit(:b, 7, 'last', '2026-06-09 09:00') \g /dev/null
CREATE TEMP TABLE root AS SELECT array_agg(root ORDER BY seal_no) AS roots FROM casino.day_seal;

-- entry n of a player is of day n
CREATE FUNCTION pg_temp.numbers(statement jsonb) RETURNS int[] LANGUAGE sql AS
    $$ SELECT array_agg(((e.value ->> 'entry')::jsonb #>> '{ledger,entry_no}')::int ORDER BY p.n, e.n)
         FROM jsonb_array_elements(statement -> 'statement') WITH ORDINALITY p (value, n),
             jsonb_array_elements(p.value -> 'entries') WITH ORDINALITY e (value, n) $$;
SELECT is(pg_temp.numbers(statement_proof(:b, f, t)), want::int[], format('from %s to %s', f, t))
  FROM (VALUES ('2026-06-01'::timestamptz, '2026-06-06'::timestamptz, '{1,2,3,4,5}'),
        ('2026-06-02', '2026-06-04', '{2,3}'), ('2026-06-04', '2026-06-05', '{4}'),
               ('2026-06-02 09:00', '2026-06-03 09:00', '{2}'),
                   ('-infinity', '2026-06-02', '{1}')) v (f, t, want);
SELECT ok(verify_statement(statement_proof(p, '2026-06-01', '2026-06-06'), roots),
          format('statement of player %s', p)) FROM root, unnest(ARRAY[:a, :b, :c]) p;
CREATE TEMP TABLE one AS SELECT statement_proof(:b, '2026-06-01', '2026-06-06') AS s, roots FROM root;
SELECT is_empty(format($$SELECT FROM one, jsonb_path_query(s, 'strict $.**.entry ? (@.type() == "string")') e
                       WHERE ((e #>> '{}')::jsonb #>> '{ledger,player_id}') <> '%s'$$, :b),
                           'it shows entries of nobody else');
SELECT is(provolatile, 'i', 'verify_statement() is immutable: it reads nothing') FROM pg_proc
 WHERE oid = 'casino.verify_statement(jsonb,bytea[])'::regprocedure;

SELECT throws_ok(format($$SELECT statement_proof(%s, '2026-07-01', '2026-07-02')$$, :b), '22023', NULL,
                 'of a time without entries there is none');
SELECT throws_ok(format($$SELECT statement_proof(%s, '2026-06-01', '2026-06-10')$$, :b), '55000', NULL,
                 'nor of what is not sealed');
SELECT throws_ok($$SELECT statement_proof(0, '2026-06-01', '2026-06-10')$$, '23503', NULL, 'nor of nobody');

SELECT ok(NOT verify_statement(forged, roots), 'forged: ' || what)
  FROM one, LATERAL (VALUES
    ('an entry in the middle left out', s #- '{statement,0,entries,1}'),
        ('the first of the second seal left out', s #- '{statement,1,entries,0}'),
    ('an entry twice', jsonb_insert(s, '{statement,0,entries,0}', s #> '{statement,0,entries,0}')),
    ('two entries swapped', jsonb_set(jsonb_set(s, '{statement,1,entries,0}', s #> '{statement,1,entries,1}'),
                                      '{statement,1,entries,1}', s #> '{statement,1,entries,0}')),
    ('seals swapped', jsonb_set(s, '{statement}',
                                jsonb_build_array(s #> '{statement,1}', s #> '{statement,0}'))),
    ('a seal twice', jsonb_insert(s, '{statement,0}', s #> '{statement,0}')),
    ('an amount', replace(s::text, 'amount\":\"20.00', 'amount\":\"99.00')::jsonb),
    ('an entry of another player', jsonb_set(s, '{statement,1}',
                                             statement_proof(:c, '2026-06-03',
                                                             '2026-06-06') #> '{statement,0}')),
    ('the stream of another player', jsonb_set(s, '{statement,0,stream}',
                                               statement_proof(:c, '2026-06-01',
                                                               '2026-06-02') #> '{statement,0,stream}')),
    ('a path of another entry', jsonb_set(s, '{statement,0,entries,0,path}',
                                          s #> '{statement,0,entries,1,path}')),
    ('a longer path', jsonb_insert(s, '{statement,0,entries,0,path,0}',
                                   s #> '{statement,0,entries,0,path,0}')),
                                       ('no path', jsonb_set(s, '{statement,0,entries,0,path}', '[]')),
    ('no entries', jsonb_set(s, '{statement,0,entries}', '[]')),
        ('nothing', jsonb_set(s, '{statement}', '[]')),
            ('index', jsonb_set(s, '{statement,0,stream_index}', '0')),
    ('a member more', jsonb_set(s, '{statement,0,x}', '1')),
        ('a member less', s #- '{statement,0,stream_path}'), ('version', jsonb_set(s, '{version}', '2')),
    ('the seal of another part', jsonb_set(s, '{statement,0,seal}', s #> '{statement,1,seal}')),
        ('a proof', proof(:b, 1)), ('null', 'null'), ('{}', '{}')) v (what, forged);
SELECT ok(NOT verify_statement(s, r), 'roots that are not those')
  FROM one, LATERAL (VALUES (ARRAY[roots[1]]), (ARRAY[roots[2]]), ('{}'::bytea[]), (ARRAY['\x'::bytea]),
                     (ARRAY[NULL::bytea])) v (r)
 WHERE r IS DISTINCT FROM ARRAY[NULL::bytea];
SELECT ok(verify_statement(s, roots), 'the real one holds') FROM one;
SELECT ok(NOT verify_proof(s, roots[1]), 'a statement is no proof of one entry') FROM one;

-- ------------------------------------------------------- the tree of a seal is made once, not for each entry
SELECT is_empty($$SELECT n, p.index FROM generate_series(0, 40) n,
                         LATERAL (SELECT coalesce(array_agg(sha256(int4send(i)) ORDER BY i), '{}') AS hashes
                                  FROM generate_series(1, n) i) h,
                         LATERAL casino.merkle_paths(h.hashes, 0, 1000) p
                   WHERE p.path IS DISTINCT FROM (SELECT array_agg(encode(x, 'hex') ORDER BY o)
                                                  FROM (SELECT coalesce(casino.merkle_path(u, p.index
                                                          ORDER BY k), '{}') AS path
                                                              FROM unnest(h.hashes) WITH ORDINALITY w (u,
                                                                      k)) y,
                                                         unnest(y.path) WITH ORDINALITY z (x, o))
                     AND (n > 1 OR p.path <> '{}')$$, 'all paths of a tree at once are the paths one by one');
SELECT is((SELECT array_agg(index ORDER BY index)
           FROM casino.merkle_paths(ARRAY[sha256('a'), sha256('b')], 5, 9)), NULL,
               'of leaves that are not there none');
SELECT is((SELECT count(*) FROM generate_series(0, 40) n,
           casino.merkle_paths((SELECT array_agg(sha256(int4send(i)) ORDER BY i)
                                FROM generate_series(1, n) i), -3, 1000)), 820::bigint,
                                    'one for each leaf: 1 + 2 + ... + 40');
SELECT is((SELECT array_agg(index ORDER BY index)
           FROM casino.merkle_paths((SELECT array_agg(sha256(int4send(i)) ORDER BY i)
                                     FROM generate_series(1, 9) i), 3, 5)), '{3,4,5}', 'of those asked for');
SELECT throws_ok($$SELECT casino.merkle_paths('{"\\x00"}', 0, 1)$$, '22023', NULL, 'a hash has 32 bytes');
SET track_functions = 'all';
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT coalesce(pg_stat_get_function_calls('casino.merkle_paths(bytea[],bigint,bigint)'::regprocedure),
                0) AS before \gset
SELECT length(statement_proof(:b, '2026-06-01', '2026-06-06')::text) \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT is(pg_stat_get_function_calls('casino.merkle_paths(bytea[],bigint,bigint)'::regprocedure) - :before,
          2::bigint, 'five entries under two seals need two trees');
RESET track_functions;

SELECT * FROM finish();
