-- Every function that a profile may execute, called with arguments that nobody sane would give: it answers or
-- refuses, with an error code of its own, and the backend lives. The functions come from the catalog, so that
-- a new one is called too; those that no profile has are called as the owner. Every call is rolled back.
-- CASINO_FUZZ_SEED=0.3 other combinations.
\set seed `echo "${CASINO_FUZZ_SEED:-0.7}"`
SET client_min_messages = warning;
SET log_min_messages = fatal;       -- thousands of refusals
SET search_path = public;
SELECT no_plan();

CREATE TEMP TABLE backend AS SELECT pg_backend_pid() AS pid;

-- --------------------------------------------------------------------------------------- something to act on
SELECT casino.register_player('hostile') AS p \gset
SELECT casino.deposit(:p, 100000) > 0 AS ok \gset
SELECT casino.add_game_table('roulette_synot', 'h', 10, 10000) AS t1,
    casino.add_game_table('baccarat', 'h', 10, 10000) AS t2,
       casino.add_game_table('blackjack_synot', 'h', 10, 10000) AS t3,
           casino.add_game_table('casino_holdem', 'h', 10, 10000) AS t4,
       casino.add_game_table('holdem_cash_25_50', 'h', 25, 10000) AS t5,
           casino.add_game_table('roulette_american', 'h', 10, 10000) AS t6 \gset
SELECT casino.open_round(:t1, 'h1') AS r1, casino.open_round(:t6, 'h6') AS r6 \gset
SELECT casino.place_bet(:r1, :p, 'red@10', 'h1') + casino.place_bet(:r6, :p, 'red@10', 'h6') AS entry \gset
SELECT casino.settle_round(:r6, '{"number": 1}', withhold => true) \gset s_
SELECT casino.request_withdrawal(:p, 10, 'cash') AS w \gset
CREATE TEMP TABLE round_of AS
SELECT casino.open_round(t, 'h') AS round_id FROM unnest(ARRAY[:t2, :t3, :t4, :t5]) t
 UNION ALL VALUES (:r1), (:r6);

-- -------------------------------------------------------------------------------------------- values, as SQL
CREATE TEMP TABLE hostile (type regtype, value text);
INSERT INTO hostile
SELECT t.type::regtype, format('%L::%s', v.value, t.type)
  FROM (VALUES
    ('boolean',   '{t,f}'::text[]),
    ('integer',   '{0,1,2,9,37,-1,2147483647,-2147483648}'),
    ('bigint',    ARRAY['0', '1', '-1', '4294967296', '9223372036854775807', '-9223372036854775808', :'w']),
    ('double precision', '{0,1,-1,50,1e308,5e-324,NaN,Infinity,-Infinity}'),
    ('numeric',
     '{0,1,10,0.01,0.001,-1,NaN,Infinity,-Infinity,1e1000,-1e-1000,92233720368547758.07,'
     '92233720368547758.08}'),
    ('timestamptz', '{-infinity,infinity,epoch,4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59+00}'),
    ('date',      '{-infinity,infinity,epoch,4714-11-24 BC,5874897-12-31,2026-06-01}'),
    ('interval',  '{0,-1 day,178000000 years,-178000000 years}'),
    ('bytea',     ARRAY['', '\x00', '\xff', '\x' || repeat('a5', 100000)]),
    ('uuid',      '{00000000-0000-0000-0000-000000000000}'),
    ('casino.card', '{As,2c}'),
    ('casino.hand', ARRAY['', 'As', 'As Kd', '2c 2c 2c 2c 2c', 'As Ks Qs Js Ts 9s 8s', '9h 4d 2c',
                          repeat('Ah', 24)]),
    ('casino.bet', '{red@10, straight:17@0.01, banker@100, tie@1, egalite:3@5, main@92233720368547758.07,
                     insurance@5, split_pair@10, free_split@10, double_down@10, 21+3@5, dealer_pair@1,
                     buster@1, ante@10, call@20, razz@1, pot@50, behind@10}'),
    ('text',      ARRAY['', ' ', 'x', E'\x01\x0f\t\r\n\x7f', '%s%n%1$s%', '\', ''';--', 'ř𝄞' || chr(1114111),
                        repeat('x', 300000),
                        'hostile', 'h1', 'roulette_synot', 'blackjack_synot', 'roulette', 'blackjack', 'win',
                            'lose', 'tie_3', 'push',
                        'cash', 'transfer', 'stake', 'day', 'self', 'panic_button', 'neighbours:0/99',
                            'neighbours:26/2', 'tiers', 'complete:0',
                        'finale_cheval:99-1', 'main', '2026-01-01']),
    ('jsonb',     ARRAY['null', 'true', '0', '-1', '1e300', '"x"', '""', '"decks"', '[]', '{}', '[null]',
                        '[[], [{}]]',
                        '["AAA\u000fAAA\u0001", "12345", "xxxxxxxdecks"]', '["decks", "8"]',
                            '[{"decks": "8"}]', '{"decks": 8}',
                        '{"decks": ["8"]}', '{"decks": ""}', '{"decks": "x"}', '{"decks": "-2147483648"}',
                            '{"decks": "99999999999"}', '{"decks": "8"}',
                        '{"number": 17}', '{"number": 1e999}', '{"number": "17"}', '{"number": [17]}',
                            '{"number": {"number": 17}}', '{"\u0001": 1}',
                        '{"player": "9h 4d", "banker": "Kc 7s 2d"}', '{"player": [], "banker": {}}',
                            '{"player": "", "banker": ""}',
                        '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
                            '{"player": null, "board": 1, "dealer": true}',
                        '{"dealer": "Ah 9c", "hands": []}',
                            '{"dealer": "Ah", "hands": [null, 1, "x", [], {}]}', '{"hands": {"seat": 1}}',
                        '{"dealer": "Ah 9c", "hands": [{"seat": 1, "hand": 1, "cards": "Ts 6d 5c"}]}',
                            '{"dealer": "", "hands": [{"cards": ""}]}',
                        '{"dealer": "Ah 9c", "hands": [{"hand": 99999999999999999999, "cards": "As"}]}',
                        '{"dealer": "Ah 9c", "hands": [{"players": [9223372036854775807, 0, -1, 1.5, "1", '
                        'null], "cards": "As"}]}',
                        '{"dealer": "Ah 9c", "hands": [{"player": 1, "even_money": [[]], "cards": "As Kd"}]}',
                        '{"button": 1, "board": "", "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}',
                            '{"button": 1, "seats": [[], 2]}',
                        '{"button": 1, "board": "", "seats": [{"seat": 1, "cards": "As Kd"}, '
                        '{"seat": 2, "cards": "2c 3c"}], "actions": [0]}',
                        '{"button": 1, "board": "", "seats": [{"seat": 1, "cards": "As Kd"},
                                                              {"seat": 2, "cards": "2c 3c"}],
                          "actions": [{"seat": 1, "action": "small_blind", "to": 1e400}]}',
                        '{"main": [1, 1]}', '{"red": {"win": [1]}}', '{"red": {"win": [1, 0]}}',
                            '{"red": {"win": "1"}}', '{"red": [1, 2]}',
                        '{"red": {"win": [1e99, -1e99], "declared_win": -1}}', '{"seats": 1e30}',
                            '{"limits": {"red": [1]}}',
                        '{"limits": {"red": {"min": -1, "max": 1e500}}}', '{"surrender": 1}',
                        repeat('[', 500) || repeat(']', 500), repeat('{"a":', 500) || '1' || repeat('}', 500),
                        '{"' || repeat('k', 100000) || '": "' || repeat('v', 100000) || '"}',
                            (SELECT jsonb_agg(i) FROM generate_series(1, 300) i)::text])
  ) t (type, list), unnest(t.list) v (value);
INSERT INTO hostile VALUES ('timestamptz', 'clock_timestamp()'), ('timestamptz', 'now()');
INSERT INTO hostile SELECT c.type::regtype, replace(h.value, '::text', '::' || c.type)
  FROM hostile h, unnest('{name,cstring,pg_catalog.varchar,regclass}'::text[]) c (type)
                     WHERE h.type = 'text'::regtype AND length(h.value) < 100 AND c.type <> 'regclass';
-- arrays of everything: none, nulls, two dimensions, holes below 1, many
INSERT INTO hostile
SELECT (h.type || '[]')::regtype, v.value
  FROM (SELECT type, array_agg(value ORDER BY random()) AS vs FROM hostile WHERE length(value) < 1000
        GROUP BY type) h
 CROSS JOIN LATERAL (VALUES ('''{}''::' || h.type || '[]'), (format('ARRAY[NULL]::%s[]', h.type)),
                     (format('ARRAY[%s]', h.vs[1])),
                            (format('ARRAY[%s, NULL]', h.vs[1])),
                                (format('ARRAY[[%s], [%s]]', h.vs[1], h.vs[2])),
                                    (format('ARRAY[%s]', array_to_string(h.vs, ', '))),
                            (format('array_fill(%s, ARRAY[2], ARRAY[-5])', h.vs[1])),
                                (format('array_fill(%s, ARRAY[1001])', h.vs[1])),
                            (format('array_fill(NULL::%s, ARRAY[10])', h.type)),
                                (format('array_fill(%s, ARRAY[10])', h.vs[1]))) v (value)
 WHERE h.type <> 'cstring'::regtype AND to_regtype(h.type || '[]') IS NOT NULL;
INSERT INTO hostile SELECT 'xml', format('%L::xml', v)
  FROM unnest(ARRAY['<a/>', 'text', '<a b="&lt;">&amp;</a>', '<script>x</script>', repeat('<b/>', 1000)]) v;
INSERT INTO hostile VALUES ('record', 'ROW(1, ''x'')'), ('record', 'ROW()'),
    ('record', '(SELECT l FROM casino.ledger l LIMIT 1)');
INSERT INTO hostile SELECT 'oid', v
  FROM unnest('{0,1,4294967295,''casino.player''::regclass::oid}'::text[]) v;
-- composite types of the extension and their arrays, and every type: nothing
INSERT INTO hostile SELECT t.typarray, v.value
  FROM pg_type t, LATERAL (VALUES (format('''{}''::%s[]', t.oid::regtype)),
                           (format('ARRAY[NULL]::%s[]', t.oid::regtype))) v (value)
 WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype = 'c' AND t.typarray <> 0;
INSERT INTO hostile SELECT t.oid, 'NULL' FROM pg_type t
 WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype = 'c';
INSERT INTO hostile SELECT DISTINCT type, 'NULL::' || type FROM hostile;

-- what an argument of that name would be; others are taken from the list above
CREATE TEMP TABLE sane (name text, type regtype, value text);
INSERT INTO sane
SELECT 'round_id', 'bigint'::regtype, round_id::text FROM round_of
UNION ALL VALUES ('player_id', 'bigint'::regtype, :'p'), ('entry_no', 'bigint', '2'),
    ('table_id', 'bigint', :'t1'), ('id', 'bigint', :'w'), ('plan_id', 'bigint', '8'),
       ('amount', 'numeric', '10'), ('chip', 'numeric', '10'), ('stake', 'numeric', '10'),
           ('measure', 'text', '''stake'''), ('period', 'text', '''day'''),
       ('method', 'text', '''transfer'''), ('source', 'text', '''self'''), ('seat', 'integer', '1'),
           ('hand', 'integer', '1'), ('button', 'integer', '1'), ('num', 'integer', '1'),
       ('den', 'integer', '1'), ('kind', 'text', '''red'''), ('grade', 'text', '''win'''),
           ('rules', 'jsonb', '''{"decks": "8"}'''),
       ('declared_win', 'numeric', '''Infinity'''), ('request_id', 'text', '''h1'''),
           ('name', 'text', '''tiers'''), ('bets', 'casino.bet[]', '''{red@10}''')
UNION ALL SELECT n, 'timestamptz', 'clock_timestamp()' FROM unnest('{at,since,until,valid_from}'::text[]) n
UNION ALL SELECT 'game', 'text', quote_literal(game) FROM casino.game
UNION ALL SELECT 'family', 'text', quote_literal(family) FROM casino.game
UNION ALL SELECT n, 'jsonb', quote_literal(d) || '::jsonb'
    FROM unnest('{outcome,partial_outcome}'::text[]) n,
        unnest(ARRAY['{"number": 17}', '{"player": "9h 9d", "banker": "Kc 7s"}',
       '{"dealer": "Ah 9c", "hands": [{"seat": 1, "hand": 1, "cards": "Ts 6d 5c"}]}',
           '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
       '{"button": 1, "board": "", "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}']) d;

-- ----------------------------------------------------------------------------------------- who may call what
DO $$ DECLARE profile text; BEGIN
    FOR profile IN SELECT DISTINCT a.profile FROM casino.access_profiles() a LOOP
        EXECUTE format('CREATE ROLE %I', 'hostile_' || profile);
        PERFORM casino.grant_access('hostile_' || profile, profile);
    END LOOP;
END $$;
-- Every value for the first profile that has the function, some for the others. Not called: install() and its
-- parts, which make everything anew; procedures, which commit; trigger functions and those of type internal,
-- which PostgreSQL lets nobody call; those of the owner that take any row; those of a hub, whose tables
-- install_hub() makes (test/tap/cells.pl)
CREATE TEMP TABLE callee AS
SELECT f.oid, f.proname, f.role, row_number() OVER (PARTITION BY f.oid ORDER BY f.role) AS nth,
       coalesce(f.proallargtypes[1:f.pronargs], f.proargtypes::oid[]) AS types,
           coalesce(f.proargnames, '{}') AS names
  FROM (SELECT p.oid, p.proname, p.pronargs, p.proargnames, p.proargtypes,
               (SELECT array_agg(a.t ORDER BY a.n)
                FROM unnest(p.proallargtypes, p.proargmodes) WITH ORDINALITY a (t, m, n)
                    WHERE a.m IN ('i', 'b', 'v')) AS proallargtypes, r.rolname::text AS role
          FROM pg_proc p
          JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
              AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'casino')
          JOIN pg_roles r ON r.rolname LIKE 'hostile\_%' AND has_function_privilege(r.oid, p.oid, 'EXECUTE')
         WHERE p.prokind = 'f' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype,
                                                         'fdw_handler'::regtype)
           AND p.proname !~ '^hub_'
        UNION ALL
        SELECT p.oid, p.proname, p.pronargs, p.proargnames, p.proargtypes,
               (SELECT array_agg(a.t ORDER BY a.n)
                FROM unnest(p.proallargtypes, p.proargmodes) WITH ORDINALITY a (t, m, n)
                    WHERE a.m IN ('i', 'b', 'v')), current_user
          FROM pg_proc p
          JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
              AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'casino')
         WHERE p.prokind = 'f' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype,
                                                         'fdw_handler'::regtype)
           AND p.proargtypes::oid[] && ARRAY['internal', 'record']::regtype[]::oid[] IS FALSE
           AND p.proname !~ '^(install|load_game_plans|enable_append_only|make_append_only|make_recorded|'
                            'refuse_truncate|grant_access|revoke_access|hub_|cell_problem)'
           AND coalesce(obj_description(p.oid, 'pg_proc'), '') !~ '(^Part of the hub|^At a hub)'
           AND NOT EXISTS (SELECT FROM pg_roles r
                           WHERE r.rolname LIKE 'hostile\_%'
                               AND has_function_privilege(r.oid, p.oid, 'EXECUTE'))) f;
SELECT is_empty($$SELECT DISTINCT t::regtype, proname FROM callee, unnest(types) t
                WHERE t NOT IN (SELECT type FROM hostile)$$,
                'every type of argument has values here: add some for a new one');
SELECT cmp_ok((SELECT count(DISTINCT oid) FROM callee), '>', 100::bigint, 'functions are found');

-- ------------------------------------------------------------------------------------------------ calls
CREATE TEMP TABLE result (role text, function text, call text, code text, message text);
CREATE FUNCTION pg_temp.call_as(role text, statement text, OUT code text,
                                OUT message text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    EXECUTE statement;
    RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = 'answered';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
END $$;
CREATE FUNCTION pg_temp.some_value(wanted oid, of_name text) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT coalesce((SELECT s.value FROM sane s WHERE s.name = of_name AND s.type = wanted ORDER BY random()
                     LIMIT 1),
                    (SELECT h.value FROM hostile h WHERE h.type = wanted AND length(h.value) < 1000
                     ORDER BY random() LIMIT 1)) $$;
CREATE FUNCTION pg_temp.call_all() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    f record;
    arguments text[];
    statement text;
    swept record;
BEGIN
    FOR f IN SELECT c.*, row_number() OVER (PARTITION BY role ORDER BY proname, oid) % 40 = 1 AS as_first
               FROM callee c
              ORDER BY role, proname, oid LOOP
        -- a session's first call folds constants by the rights of its caller
        IF f.as_first THEN
            DISCARD PLANS;
        END IF;
        -- every hostile value of each argument, with others beside it; n = 0: nothing hostile
        FOR swept IN SELECT a.n, h.value FROM unnest(f.types) WITH ORDINALITY a (type, n)
            JOIN hostile h ON h.type = a.type
                      WHERE f.nth = 1 OR random() < 0.1
                     UNION ALL SELECT 0, NULL FROM generate_series(1, 3) LOOP
            SELECT array_agg(CASE WHEN a.n = swept.n THEN swept.value
                             ELSE pg_temp.some_value(a.type, coalesce(f.names[a.n], '')) END ORDER BY a.n)
              INTO arguments FROM unnest(f.types) WITH ORDINALITY a (type, n);
            IF (SELECT p.provariadic <> 0 FROM pg_proc p WHERE p.oid = f.oid) THEN
                arguments[cardinality(arguments)] := 'VARIADIC ' || arguments[cardinality(arguments)];
            END IF;
            statement := format('SELECT * FROM %s(%s)', f.oid::regproc, array_to_string(arguments, ', '));
            INSERT INTO result SELECT f.role, f.proname, left(statement, 500), c.*
              FROM pg_temp.call_as(f.role, statement) c;
        END LOOP;
    END LOOP;
END $$;
SELECT setseed(:seed);
SELECT pg_temp.call_all();

SELECT is((SELECT pid FROM backend), pg_backend_pid(), 'the backend is the same');
SELECT cmp_ok(count(*), '>', 3000::bigint, format('%s calls', count(*))) FROM result;
SELECT is_empty($$SELECT r.code, r.message, r.call FROM result r
                WHERE r.code LIKE 'XX%' OR r.code LIKE '58%'$$, 'no call ends in an internal error');
SELECT is_empty($$SELECT r.code, r.message, r.call FROM result r
                WHERE r.code IN ('42883', '42703', '42P01', '42702', '42804', '42P18', '20000', '21000',
                                 'P0002', 'P0003', 'P0004')$$,
                'none in one of our own mistakes');
-- PostgreSQL's own messages: ours say 42501 of a person, too, who may not approve or release alone (R7.65)
SELECT is_empty($$SELECT r.role, r.message, r.call
                    FROM result r
                   WHERE r.code = '42501' AND r.message ~ '^(permission denied for|must be) '$$,
                'and none in a right that its profile lacks');
-- what the profile hub has is answered in a cell only: test/pgtap/cells/cells.sql, test/tap/cells.pl
SELECT is_empty($$SELECT role FROM callee WHERE role <> 'hostile_hub' GROUP BY role EXCEPT SELECT role
                FROM result WHERE code = 'ZZ999' GROUP BY role HAVING count(*) > 50$$,
                'calls of every profile are answered too');
SELECT is_empty($$SELECT DISTINCT proname FROM callee EXCEPT SELECT DISTINCT function
                FROM result$$, 'every function was called');

-- ------------------------------------------------------------------------------------------------ one by one
-- what is read by key is an object (as the owner: no profile may call these)
SELECT throws_ok(format('SELECT casino.%s', c), '22023', NULL, c)
  FROM unnest(ARRAY[
    $$canonical_outcome('baccarat', '["AAA\u000fAAA\u0001", "12345", "xxxxxxxdecks"]',
                        '{"player": "9h 4d", "banker": "Kc 7s 2d"}')$$,
    $$canonical_outcome('blackjack', '["decks", "8"]', '{"dealer": "Ah 9c", "hands": []}')$$,
    $$canonical_outcome('baccarat', '"decks"', '{"player": "9h 4d", "banker": "Kc 7s 2d"}')$$,
    $$canonical_outcome('baccarat', 'null', '{"player": "9h 4d", "banker": "Kc 7s 2d"}')$$,
    $$blackjack_rules('["decks", "8"]')$$, $$blackjack_rules('8')$$, $$blackjack_rules('[]')$$]) c;
SELECT throws_ok(format($$SELECT casino.canonical_outcome('%s', '{"decks": "8"}', '%s')$$, f, d), 'KR001',
                 NULL, f || ' ' || d)
  FROM unnest('{roulette,baccarat,blackjack,casino_holdem,texas_holdem}'::text[]) f,
      unnest('{[],"[{}]",1,"\"number\"","null","[\"number\", 17]"}'::text[]) d;
-- arrays of one dimension, without nulls where a null says nothing
SELECT throws_ok(format($$SELECT casino.grade_blackjack('main@1', 1, 0,
                              casino.blackjack_rules((
                                  SELECT jsonb_object_agg(rule, value)
                                    FROM casino.plan_rule
                                   WHERE plan_id = casino.plan_in_force('blackjack_synot', now()))),
                              %s, 'Ah 9c', false, false)$$, h), code, NULL, h)
  FROM (VALUES ($$ARRAY[['As Kd'], ['2c 2d']]::casino.hand[]$$, '2202E'),
        ($$ARRAY['As Kd', NULL]::casino.hand[]$$, '22004'), ($$'{}'::casino.hand[]$$, '22023')) v (h, code);
SELECT throws_ok(format($$SELECT * FROM casino.split_pots(%s, '{f,f}', ARRAY['As Kd', '2c 2d']::casino.hand[],
                                                          '3c 4c 5c 6c 7c', 1)$$, h), code, NULL, h)
  FROM (VALUES ($$'{{1},{1}}'::numeric[]$$, '2202E'), ($$'{1,NULL}'::numeric[]$$, '22004'),
        ($$'{1,NaN}'::numeric[]$$, '22003'), ($$'{}'::numeric[]$$, '2202E')) v (h, code);
SELECT throws_ok(format('SELECT casino.place_bets(%s, %s, %s)', (SELECT round_id FROM round_of LIMIT 1), :p,
                        b), code, NULL, b)
  FROM (VALUES ($$ARRAY[['red@1'::casino.bet]]$$, '2202E'), ($$ARRAY[NULL::casino.bet]$$, '22004'),
        ($$'{}'::casino.bet[]$$, '22023')) v (b, code);

-- NULL is NULL, and too long is too long, by the codes that others have
SELECT throws_ok(format('SELECT casino.%s', c), code, NULL, 'casino.' || left(c, 60))
  FROM (VALUES ('exclude_player(NULL, NULL, ''self'')', '22004'),
        ('set_payment_account(NULL, ''CZ1'')', '22004'),
               ('load_provider_report(repeat(''x'', 101), ''2026-06-01'', ''[{}]'')', '22001'),
                   ('load_provider_report(''x'', ''infinity'', ''[{}]'')', '22023')) v (c, code);
SELECT * FROM finish();
DO $$ DECLARE r name; BEGIN
    FOR r IN SELECT rolname FROM pg_roles WHERE rolname LIKE 'hostile\_%' LOOP
        EXECUTE format('DROP OWNED BY %I', r);
        EXECUTE format('DROP ROLE %I', r);
    END LOOP;
END $$;
