-- What the system catalogs say of the extension and of the tables that install() makes (R12.3, R12.4,
-- R12.13).
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

-- members of the extension; tables of install() are in schema casino and no members
CREATE TEMP VIEW member AS
    SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS what
      FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
     WHERE d.deptype = 'e' AND e.extname = 'casino';
CREATE TEMP VIEW member_function AS SELECT p.*, l.lanname FROM member m
    JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
        JOIN pg_language l ON l.oid = p.prolang;
CREATE TEMP VIEW relation AS SELECT c.* FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace;
-- hot tables: rows of players. The cards of a round are reference data, whosever they are; so is what a
-- reconciliation found.
CREATE TEMP TABLE hot AS SELECT c.relname::text AS name FROM relation c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'player_id' AND a.attnum > 0
                          WHERE c.relkind IN ('r', 'p') AND c.relname NOT IN ('dealt_hand', 'difference');
CREATE FUNCTION columns_of(rel oid, keys smallint[]) RETURNS text[] LANGUAGE sql AS
    'SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = $1 AND a.attnum = ANY ($2)';

-- --------------------------------------------------------------------------------------------- whose is what
SELECT is_empty($$SELECT what FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass
                AND c.oid = m.objid WHERE c.relkind <> 'c'$$,
                'no table, view, sequence or index belongs to the extension');
SELECT cmp_ok((SELECT count(*) FROM relation WHERE relkind = 'r'), '>=', 16::bigint, 'install() made tables');
SELECT cmp_ok((SELECT count(*) FROM relation WHERE relkind = 'v'), '>=', 6::bigint, 'and views');
SELECT is_empty($$SELECT what FROM member m JOIN pg_trigger t ON m.classid = 'pg_trigger'::regclass
                AND t.oid = m.objid$$, 'nor triggers');
SELECT is((SELECT extrelocatable FROM pg_extension WHERE extname = 'casino'), false,
          'it lives in schema casino');
SELECT is_empty($$SELECT relname FROM relation
                WHERE relkind IN ('r', 'v', 'S')
                    AND pg_get_userbyid(relowner) <> current_user$$,
                        'what install() made belongs to its caller');
SELECT throws_ok('DROP EXTENSION casino', '2BP01', NULL,
                 'the extension is not dropped while its tables are there');
SELECT is_empty($$SELECT e.extname FROM pg_extension e
                WHERE extname = 'casino' AND extconfig IS NOT NULL$$,
                    'nothing is left to pg_extension_config_dump');

-- ------------------------------------------------------------------------------------------------ comments
SELECT is_empty($$SELECT m.what FROM member m
                   WHERE obj_description(m.objid,
                                         (SELECT relname FROM pg_class WHERE oid = m.classid)) IS NULL
                     AND NOT (m.classid = 'pg_type'::regclass
                              AND (SELECT typsubscript = 'array_subscript_handler'::regproc FROM pg_type
                                   WHERE oid = m.objid))
                     -- the relation behind a composite type
                     AND m.classid <> 'pg_class'::regclass$$, 'every member has a comment');
SELECT is_empty($$SELECT relkind, relname FROM relation c
                WHERE relkind IN ('r', 'v', 'm', 'S', 'p') AND obj_description(oid, 'pg_class') IS NULL$$,
                'every table, view and sequence has a comment');
SELECT is_empty($$SELECT c.relname, a.attname FROM relation c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                   WHERE c.relkind = 'r' AND col_description(c.oid, a.attnum) IS NULL$$,
                       'every column of a table has a comment');
SELECT is_empty($$SELECT c.relname, a.attname
                    FROM relation c
                    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                   WHERE c.relkind = 'v' AND col_description(c.oid, a.attnum) IS NULL
                   ORDER BY 1, 2$$, 'every column of every view has a comment of its own');
-- a comment that is also a table's must be of a column that the view has from that table
SELECT is_empty($$WITH commented AS (
                      SELECT c.oid, c.relname, c.relkind, a.attname, col_description(c.oid, a.attnum) AS said
                        FROM relation c
                        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                       WHERE c.relkind IN ('r', 'p', 'v')
                  ), unlike AS (
                      -- comments of one table alone, so that they can lie elsewhere
                      SELECT t.said, min(t.oid) AS oid
                        FROM commented t
                       WHERE t.relkind <> 'v'
                       GROUP BY t.said HAVING count(*) = 1
                  )
                  SELECT v.relname, v.attname, u.oid::regclass
                    FROM commented v
                    JOIN unlike u ON u.said = v.said
                   WHERE v.relkind = 'v'
                     AND length(v.said) > 35
                     AND NOT EXISTS (SELECT FROM pg_rewrite w
                                       JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass
                                                       AND d.objid = w.oid
                                                       AND d.refclassid = 'pg_class'::regclass
                                      WHERE w.ev_class = v.oid AND d.refobjid = u.oid)$$,
                'no view has the comment of a column that it does not show');
SELECT is_empty($$SELECT m.relation, m.name
                    FROM (SELECT * FROM casino_internal.view_column_meanings()
                          UNION ALL SELECT * FROM casino_internal.bi_column_meanings()) m
                   WHERE m.relation IS NOT NULL
                     AND NOT EXISTS (SELECT FROM pg_attribute a
                                      WHERE a.attrelid = to_regclass('casino.' || m.relation)
                                        AND a.attname = m.name)$$, 'no comment is of a column that is gone');
SELECT is_empty($$SELECT c.relname, t.tgname FROM relation c
                JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
                    WHERE t.tgparentid = 0 AND obj_description(t.oid, 'pg_trigger') IS NULL$$,
                'every trigger has a comment');
SELECT is_empty($$SELECT c.relname FROM relation c
                WHERE c.relkind = 'i' AND obj_description(c.oid, 'pg_class') IS NULL
                     AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)$$,
                         'every index that is no constraint''s has a comment');

-- ----------------------------------------------------------------------- players can be spread over machines
SELECT is_empty($$SELECT c.relname, i.indexrelid::regclass FROM pg_index i
                JOIN relation c ON c.oid = i.indrelid
                   WHERE (i.indisunique OR i.indisexclusion)
                     AND EXISTS (SELECT FROM pg_attribute a
                                 WHERE a.attrelid = c.oid AND a.attname = 'player_id' AND NOT a.attisdropped
                                     AND c.relname <> 'difference')
                     AND NOT 'player_id' = ANY (columns_of(c.oid, i.indkey::smallint[]))$$,
                'every primary key, unique and exclusion of a table with player_id contains it');
SELECT is_empty($$SELECT name FROM hot WHERE name <> 'ledger' AND NOT EXISTS (SELECT FROM relation c
                                                         JOIN pg_index i ON i.indrelid = c.oid
                                                             AND i.indisprimary
                                                          JOIN pg_attribute a ON a.attrelid = c.oid
                                                              AND a.attnum = i.indkey[0]
                                                                  WHERE c.relname = name
                                                                      AND a.attname = 'player_id')$$,
                'the primary keys of hot tables start with player_id; of the ledger each book''s');
SELECT is_empty($$SELECT c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid) FROM relation c
                JOIN hot h ON h.name = c.relname JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
                   WHERE a.attidentity <> '' OR a.attgenerated <> ''
                       OR pg_get_expr(d.adbin,
                                      d.adrelid) ~* 'nextval|uuid|random|now\(|timestamp\(|current_'$$,
                'no identity, sequence, uuid or clock is a default in a hot table');
SELECT is_empty($$SELECT k.conrelid::regclass, k.conname FROM pg_constraint k
                JOIN relation c ON c.oid = k.conrelid JOIN relation f ON f.oid = k.confrelid
                   WHERE k.contype = 'f' AND c.relname IN (SELECT name FROM hot)
                       AND f.relname IN (SELECT name FROM hot)
                     AND NOT ('player_id' = ANY (columns_of(c.oid, k.conkey))
                              AND 'player_id' = ANY (columns_of(f.oid, k.confkey)))$$,
                'foreign keys between hot tables contain player_id');
SELECT is_empty($$SELECT k.conrelid::regclass, k.conname FROM pg_constraint k
                JOIN relation c ON c.oid = k.conrelid JOIN relation f ON f.oid = k.confrelid
                   WHERE k.contype = 'f' AND c.relname NOT IN (SELECT name FROM hot)
                       AND f.relname IN (SELECT name FROM hot)$$, 'reference tables never refer to hot ones');
SELECT is_empty($$SELECT c.relname FROM relation c JOIN hot h ON h.name = c.relname
                WHERE c.relpersistence <> 'p' OR c.relhasrules OR c.relrowsecurity
                    OR (c.relkind = 'p') <> (c.relname = 'ledger')
                    OR c.relispartition <> (c.relname ~ '^ledger_[0-9]+$')$$,
                'hot tables are ordinary tables; the ledger has its books (R12.40)');
SELECT is_empty($$SELECT unnest('{player,ledger,breach,cancelled_request}'::text[]) EXCEPT SELECT name
                FROM hot$$, 'the hot tables are there');
SELECT is_empty($$SELECT t.tgname FROM pg_trigger t JOIN relation c ON c.oid = t.tgrelid
                WHERE t.tgoldtable IS NOT NULL
                    OR t.tgnewtable IS NOT NULL$$, 'no trigger has transition tables');
SELECT is_empty($$SELECT proname FROM member_function
                   WHERE (prosrc ~* '\m(notify|pg_notify|application_name)\M' OR prosrc ~ 'TG_RELNAME')
                     AND proname <> 'guarded_settings'$$,
                'no NOTIFY but that of tell_round(), no application_name or TG_RELNAME');
SELECT is_empty($$SELECT m.what FROM member m JOIN pg_aggregate a ON m.classid = 'pg_proc'::regclass
                AND a.aggfnoid = m.objid WHERE a.aggcombinefn = 0
                     -- trees: their leaves have an order
                     AND m.objid::regproc::text !~ '^casino\.(merkle_root|merkle_path)$'$$,
                         'every aggregate has a combine function');

-- --------------------------------------------------------------------------------------- types and functions
SELECT is_empty($$SELECT t.typname FROM pg_type t
                WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype = 'b'
                    AND (t.typreceive = 0 OR t.typsend = 0)$$, 'every base type has send and receive');
SELECT set_eq($$SELECT typname::text FROM pg_type
              WHERE typnamespace = 'casino'::regnamespace AND typtype = 'b'
                  AND typsubscript <> 'array_subscript_handler'::regproc$$,
              ARRAY['card', 'hand', 'bet'], 'the base types');
SELECT set_eq($$SELECT opcname || ' ' || amname FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod
              WHERE opcnamespace = 'casino'::regnamespace AND amvalidate(pg_opclass.oid) AND opcdefault$$,
              $$SELECT t || '_ops ' || am FROM unnest('{card,hand,bet}'::text[]) t,
                  unnest('{btree,hash}'::text[]) am$$, 'their default operator classes are valid');
SELECT is_empty($$SELECT opcname FROM pg_opclass
                WHERE opcnamespace = 'casino'::regnamespace
                    AND NOT amvalidate(oid)$$, 'no operator class is not');
SELECT is_empty($$SELECT o.oid::regoperator FROM pg_operator o
                WHERE o.oprnamespace = 'casino'::regnamespace
                    AND o.oprname IN ('<', '<=', '=', '<>', '>=', '>')
                     AND (o.oprcom = 0 OR o.oprnegate = 0 OR o.oprrest = 0 OR o.oprjoin = 0
                          OR (o.oprname = '=' AND NOT (o.oprcanhash AND o.oprcanmerge)))$$,
                'comparison operators know commutator, negator and estimators');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                   WHERE (f.proname ~ '^(grade_|baccarat_|blackjack_|poker_|is_|card_|hand_(?!over_)|bet_)'
                          OR f.proname IN ('payout', 'cost', 'money', 'card_count', 'cards', 'hand', 'kind',
                                           'selection', 'stake', 'covers', 'same_position',
                          'announced_stem', 'expand_announced', 'canonical_outcome', 'family_is_built',
                              'entry_kinds', 'payment_due_at'))
                     AND f.proname NOT LIKE 'bet\_return%'      -- reads the plan
                     AND NOT (f.provolatile = 'i' AND f.proisstrict AND f.proparallel = 's')$$,
                         'grading, money and accessors are IMMUTABLE STRICT PARALLEL SAFE');
SELECT is((SELECT array_agg(proname::text ORDER BY proname) FROM member_function
           WHERE proname IN ('grade_roulette', 'grade_baccarat', 'payout', 'is_capped', 'cost')),
          '{cost,grade_baccarat,grade_roulette,is_capped,payout}', 'of which these are there');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.proname LIKE 'grade\_%' AND f.lanname <> 'c'$$, 'grading is C');
SELECT is_empty($$SELECT f.oid::regprocedure, c.relname FROM member_function f
                JOIN relation c ON c.relkind IN ('r', 'v', 'S')
                    AND coalesce(f.prosrc, '')
                        || coalesce(pg_get_function_sqlbody(f.oid),
                                    '') ~ ('casino\.' || c.relname || '\M(?! *\()')
                -- which only names conditions
                WHERE f.provolatile = 'i' AND f.lanname <> 'c'
                    AND f.proname <> 'evidence_sections'$$,
                'no immutable function reads a table');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.prosrc ~ 'nextval\(''casino\.player_id_seq' AND f.proname <> 'next_player_id'$$,
                'players'' numbers are drawn at one place, which knows the cell');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.prorettype = 'trigger'::regtype
                    AND f.provolatile <> 'v'$$, 'trigger functions are volatile');
SELECT set_eq($$SELECT proname::text FROM member_function
              WHERE prorettype = 'trigger'::regtype
                  AND lanname = 'c'$$, ARRAY['ledger_post', 'refuse_change', 'player_guard', 'round_guard',
              'record_who', 'recorder_guard', 'duty_rule_changed', 'tell_round', 'plan_guard',
              'plan_log'],
                  'the trigger functions in C');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                   WHERE f.proname ~ '^(place_|cancel_bet|close_|settle_|void_|pay_|disconnect|deposit|'
                                     'adjust|open_round|register_player|add_|install)'
                     AND (f.provolatile <> 'v' OR f.proparallel <> 'u')$$,
                'functions that write are VOLATILE and PARALLEL UNSAFE');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.prosecdef AND NOT coalesce(f.proconfig,
                                                   '{}') && ARRAY['search_path=pg_catalog, pg_temp']$$,
                'no SECURITY DEFINER function is without search_path = pg_catalog, pg_temp');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.lanname = 'plpgsql' AND NOT coalesce(f.proconfig,
                        '{}') && ARRAY['search_path=pg_catalog, pg_temp']$$,
                'every PL/pgSQL function pins its search_path');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.lanname = 'sql' AND f.prosqlbody IS NULL
                    AND NOT coalesce(f.proconfig, '{}') && ARRAY['search_path=pg_catalog, pg_temp']$$,
                'every SQL function pins its search_path, or is parsed once and for all');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.lanname = 'c' AND f.probin <> '$libdir/casino'$$,
                    'C functions are of $libdir/casino');
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                WHERE f.lanname NOT IN ('c', 'sql', 'plpgsql')
                    AND f.prokind <> 'a'$$, 'no other language is needed');

-- ------------------------------------------------------------------------------------------------ privileges
SELECT is_empty($$SELECT f.oid::regprocedure FROM member_function f
                JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a ON a.grantee = 0$$,
                    'no function is granted to PUBLIC');
SELECT is_empty($$SELECT t.oid::regtype FROM pg_type t
                JOIN LATERAL aclexplode(coalesce(t.typacl, acldefault('T', t.typowner))) a ON a.grantee = 0
                   LEFT JOIN pg_class c ON c.oid = t.typrelid
                   WHERE t.typnamespace = 'casino'::regnamespace
                       AND t.typsubscript <> 'array_subscript_handler'::regproc
                           AND coalesce(c.relkind, 'c') = 'c'$$, 'no type is granted to PUBLIC');
SELECT is_empty($$SELECT c.relname FROM relation c
                JOIN LATERAL aclexplode(coalesce(c.relacl,
                                                 acldefault(CASE c.relkind WHEN 'S' THEN 's'
                                                            ELSE 'r' END::"char",
                                                                c.relowner))) a ON a.grantee = 0
                                                                    WHERE c.relkind IN ('r', 'v', 'S')
                  UNION ALL SELECT c.relname FROM relation c JOIN pg_attribute t ON t.attrelid = c.oid
                      JOIN LATERAL aclexplode(t.attacl) a ON a.grantee = 0$$,
                          'no table, view, column or sequence is granted to PUBLIC');
SELECT is_empty($$SELECT nspname FROM pg_namespace n
                JOIN LATERAL aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a ON a.grantee = 0
                    WHERE nspname = 'casino'$$, 'nor is the schema');
SELECT is_empty($$SELECT c.relname, a.privilege_type FROM relation c
                JOIN LATERAL aclexplode(c.relacl) a ON a.grantee <> c.relowner
                   WHERE c.relname = 'ledger' AND a.privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE')$$,
                       'nobody but the owner may try UPDATE, DELETE or TRUNCATE on the ledger');

-- ------------------------------------------------------------------------------------------------ triggers
SELECT is_empty($$SELECT r FROM unnest('{ledger,breach,cancelled_request}'::text[]) r,
                unnest('{append_only,append_only_statement}'::text[]) n
                   WHERE NOT EXISTS (SELECT FROM pg_trigger
                                     WHERE tgrelid = ('casino.' || r)::regclass AND tgname = n
                                         AND tgenabled = 'A')$$, 'changes are refused always');
SELECT set_eq($$SELECT format('%s %s %s', tgname, tgrelid::regclass, tgenabled) FROM pg_trigger t
              JOIN relation c ON c.oid = t.tgrelid WHERE NOT tgisinternal AND tgenabled <> 'O'$$,
              $$SELECT format('%s %s A', tgname, tgrelid::regclass) FROM pg_trigger
                  WHERE tgfoid = 'casino_internal.refuse_change()'::regprocedure AND tgname ~ '^append_only'
                   UNION ALL SELECT format('%s casino.%s A', n, r)
                       FROM unnest('{plan_unchanged,plan_forget}'::text[]) n,
                            unnest('{game_plan,plan_rule,bet_rule,paytable,announced_rule}'::text[]) r
                   UNION ALL SELECT 'changed casino.duty_rule A'$$,
              'the triggers that refuse changes, and the one that tells of them, are ENABLE ALWAYS');
SELECT set_eq($$SELECT pg_get_triggerdef(oid) FROM pg_trigger
              WHERE tgrelid = 'casino.ledger'::regclass AND NOT tgisinternal$$,
              ARRAY['CREATE TRIGGER ledger_post BEFORE INSERT ON casino.ledger '
                    'FOR EACH ROW EXECUTE FUNCTION casino_internal.ledger_post()',
                    'CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON casino.ledger '
                    'FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change()',
                    'CREATE TRIGGER append_only_statement BEFORE DELETE OR UPDATE OR TRUNCATE '
                    'ON casino.ledger FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.refuse_change()'],
              'the triggers of the ledger');
SELECT set_eq($$SELECT pg_get_triggerdef(oid) FROM pg_trigger
              WHERE tgrelid = 'casino.player'::regclass AND NOT tgisinternal$$,
              ARRAY['CREATE TRIGGER player_guard BEFORE DELETE OR UPDATE OR TRUNCATE ON casino.player '
                    'FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.player_guard()',
                    'CREATE TRIGGER record_who BEFORE INSERT OR UPDATE OF registered_at, registered_by, '
                    'closed_at, closed_by ON casino.player '
                    'FOR EACH ROW EXECUTE FUNCTION casino_internal.record_who('
                    '''registered_at'', ''registered_by'', '''', ''closed_at'', ''closed_by'', '''')',
                    'CREATE TRIGGER player_cell BEFORE INSERT ON casino.player '
                    'FOR EACH ROW EXECUTE FUNCTION casino_internal.player_cell()'],
              'the triggers of the players');

-- ------------------------------------------------------------------------------------------------ install()
-- everything of schema casino that a dump would show, without OIDs
CREATE FUNCTION snapshot() RETURNS TABLE (what text) LANGUAGE sql AS $$
    SELECT format('%s %s %s %s %s', c.relkind, c.relname, c.relowner, c.relacl, c.reloptions) FROM pg_class c
     WHERE relnamespace = 'casino'::regnamespace
    UNION ALL SELECT format('%s.%s %s %s %s %s', a.attrelid::regclass, a.attname, a.attnum,
                            format_type(a.atttypid, a.atttypmod), a.attnotnull,
                                pg_get_expr(d.adbin, d.adrelid))
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'v')
          LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'casino'::regnamespace AND a.attnum > 0
    UNION ALL SELECT format('%s %s', k.conrelid::regclass, pg_get_constraintdef(k.oid)) FROM pg_constraint k
        WHERE k.connamespace = 'casino'::regnamespace
    UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE c.relnamespace = 'casino'::regnamespace
    UNION ALL SELECT format('%s %s', pg_get_triggerdef(t.oid), t.tgenabled) FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'casino'::regnamespace
            AND NOT tgisinternal
    UNION ALL SELECT format('%s %s', c.relname, pg_get_viewdef(c.oid)) FROM pg_class c
        WHERE c.relkind = 'v' AND c.relnamespace = 'casino'::regnamespace
    UNION ALL SELECT format('%s %s %s %s', CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid)
                            ELSE 'CREATE OR REPLACE FUNCTION, an aggregate: ' || p.oid::regprocedure END,
                                p.proowner, p.proacl, p.prosecdef) FROM pg_proc p
                                    WHERE p.pronamespace = ANY (casino_internal.schemas())
    UNION ALL SELECT format('%s %s %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.objsubid,
                            d.description) FROM pg_description d
               WHERE pg_describe_object(d.classoid, d.objoid, d.objsubid) ~ 'casino' $$;
CREATE FUNCTION contents() RETURNS TABLE (what text) LANGUAGE plpgsql AS $$
DECLARE
    t text;
BEGIN
    FOR t IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = 'casino'::regnamespace LOOP
        RETURN QUERY EXECUTE format('SELECT %L || '' '' || x::text FROM %s x', t, t);
    END LOOP;
END $$;
CREATE TEMP TABLE catalog_before AS SELECT * FROM snapshot();
CREATE TEMP TABLE contents_before AS SELECT * FROM contents();
SELECT cmp_ok((SELECT count(*) FROM catalog_before), '>', 500::bigint, 'the snapshot sees the catalog');
SELECT cmp_ok((SELECT count(*) FROM contents_before), '>', 500::bigint, 'and what is loaded');
SELECT is(casino.install(), (SELECT max(version) FROM casino.schema_version), 'install() again')
  FROM generate_series(1, 2);
SELECT bag_eq('SELECT * FROM snapshot()', 'SELECT * FROM catalog_before', 'changes nothing in the catalog');
SELECT bag_eq('SELECT * FROM contents()', 'SELECT * FROM contents_before', 'nor in the tables');
SELECT set_eq('SELECT version FROM casino.schema_version', 'SELECT generate_series(1, casino.install())',
              'every step was taken once');

-- --------------------------------------------------------------------------------------------- another owner
-- The tables may belong to a role that is no superuser. CREATE EXTENSION (by a superuser) comes first;
-- then the role needs USAGE and CREATE on schema casino, EXECUTE on its functions and USAGE on its types, and
-- nothing else.
CREATE SCHEMA apart;
CREATE FUNCTION apart.step(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL ROLE casino_owner_test;
    EXECUTE statement;
    RESET ROLE;
    RETURN 'done';
EXCEPTION WHEN insufficient_privilege THEN
    RESET ROLE;
    RETURN SQLSTATE;
END $$;
BEGIN;
DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT c.oid::regclass::text AS name, c.relkind FROM pg_class c
        WHERE c.relkind IN ('v', 'r', 'p', 'S') AND c.relnamespace = 'casino'::regnamespace
            ORDER BY c.relkind IN ('r', 'p'), c.relkind = 'S' LOOP
        EXECUTE format('DROP %s IF EXISTS %s CASCADE', CASE t.relkind WHEN 'v' THEN 'VIEW'
                       WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, t.name);
    END LOOP;
    CREATE ROLE casino_owner_test;
END $$;
SELECT is(apart.step('SELECT casino.install()'), '42501', 'a role without privileges cannot install()');
GRANT USAGE, CREATE ON SCHEMA casino, casino_internal TO casino_owner_test;
SELECT is(apart.step('SELECT casino.install()'), '42501', 'nor with the schema alone');
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO casino_owner_test;
SELECT is(apart.step('SELECT casino.install()'), '42501', 'nor with the schema and its functions');
GRANT USAGE ON TYPE casino.card, casino.hand, casino.bet TO casino_owner_test;
SELECT is(apart.step('SELECT casino.install()'), 'done', 'with the types too it can');
SELECT is_empty($$SELECT relname FROM relation
                WHERE relkind IN ('r', 'v', 'S')
                    AND pg_get_userbyid(relowner) <> 'casino_owner_test'$$,
                        'tables, views and sequences are his');
SELECT set_eq($$SELECT replace(what, format(' %s ',
                                            (SELECT oid FROM pg_roles WHERE rolname = 'casino_owner_test')),
                                                format(' %s ',
                                                       (SELECT oid FROM pg_roles
                                                        WHERE rolname = current_user)))
                  FROM snapshot() WHERE what !~ '^CREATE OR REPLACE FUNCTION'$$,
              $$SELECT what FROM catalog_before
                  WHERE what !~ '^CREATE OR REPLACE FUNCTION'$$, 'and are the same but for their owner');
SELECT is(apart.step($s$
    DO $d$
    DECLARE
        somebody bigint := casino.register_player('somebody');
        wheel bigint := casino.add_game_table('roulette_synot', 'w', 10, 1000);
        round bigint := casino.open_round(wheel, 'r');
    BEGIN
        PERFORM casino.deposit(somebody, 100);
        PERFORM casino.place_bets(round, somebody, '{red@10,straight:1@10}');
        INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES (somebody, 'stake', round,
                'odd@10');
        PERFORM casino.close_betting(round);
        PERFORM casino.settle_round(round, '{"number": 1}');
        IF (SELECT balance FROM casino.player WHERE player_id = somebody) <> 470 THEN
            RAISE EXCEPTION 'wrong balance';
        END IF;
    END $d$ $s$), 'done', 'a round is played by him');
SELECT throws_ok('DELETE FROM casino.ledger', 'KL001', NULL,
                 'and nothing is deleted, by a superuser neither');
SET LOCAL ROLE casino_owner_test;
SELECT public.throws_ok('DELETE FROM casino.ledger', 'KL001', NULL, 'nor by him');
RESET ROLE;
ROLLBACK;
SELECT is_empty($$SELECT rolname FROM pg_roles WHERE rolname = 'casino_owner_test'$$, 'the role is gone');

SELECT * FROM finish();
