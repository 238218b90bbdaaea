-- The pages of the reference, README.md and the guides say what is there and nothing else. psql reads the
-- files: the server may not.
\set reference `cat doc/reference.md doc/reference-tables.md`
\set others `cat README.md CHANGELOG.md CONTRIBUTING.md doc/plans.md doc/accounting.md doc/compliance.md`
\set others :others '\n' `cat doc/architecture.md doc/readings.md doc/backend.md doc/glossary.md`
\set header `cat src/casino.h`
\i tools/reference.sql
BEGIN;
SELECT no_plan();

-- the generated parts: line by line, so that a failure names the line
CREATE TEMP VIEW written AS SELECT l.line, l.n
    FROM string_to_table(:'reference', E'\n') WITH ORDINALITY l (line, n);
CREATE TEMP VIEW wanted AS SELECT l.line, l.n FROM string_to_table(pg_temp.reference(:'reference'),
                                                                   E'\n') WITH ORDINALITY l (line, n);
SELECT is_empty('SELECT line FROM wanted EXCEPT SELECT line FROM written',
                'the reference has all the catalog has: run make reference');
SELECT is_empty('SELECT line FROM written EXCEPT SELECT line FROM wanted',
                'the reference has nothing that the catalog has not: run make reference');
SELECT is(md5(:'reference'), md5(pg_temp.reference(:'reference')),
          'the reference is as make reference writes it');

-- and independently of the generator: everything is there by name
SELECT is_empty($$SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'casino'::regnamespace
                   AND NOT EXISTS (SELECT FROM written w WHERE w.line ~ ('`' || p.proname || '\('))$$,
                       'every function');
SELECT is_empty($$SELECT c.relname FROM pg_class c
                WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                   AND NOT EXISTS (SELECT FROM written w WHERE w.line = '### ' || c.relname)$$,
                       'every table and view');
SELECT is_empty($$SELECT a.attrelid::regclass, a.attname FROM pg_attribute a
                JOIN pg_class c ON c.oid = a.attrelid
                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                       AND a.attnum > 0 AND NOT a.attisdropped
                     AND NOT EXISTS (SELECT FROM written w
                                     WHERE w.line LIKE '| `' || a.attname || '` | _%')$$, 'every column');
SELECT is_empty($$SELECT w.line FROM written w WHERE w.line ~ '\|  \|$'$$,
                'no column or argument without its meaning');
SELECT is_empty($$SELECT t.typname FROM pg_type t
                JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
                   WHERE t.typnamespace = 'casino'::regnamespace AND t.typcategory <> 'A'
                     AND NOT EXISTS (SELECT FROM written w WHERE w.line LIKE '| `' || t.typname || '` |%')$$,
                         'every type');
SELECT is_empty($$SELECT s.name FROM pg_settings s WHERE s.name LIKE 'casino.%'
                   AND NOT EXISTS (SELECT FROM written w WHERE w.line LIKE '| `' || s.name || '` |%')$$,
                       'every setting');
SELECT isnt_empty($$SELECT FROM pg_settings s WHERE s.name LIKE 'casino.%'$$, 'there are settings');

-- error codes: src/casino.h against the table
CREATE TEMP TABLE header_code AS
SELECT array_to_string(m[2:6], '') AS code, lower(m[1]) AS condition
  FROM regexp_matches(:'header',
                      'CASINO_ERRCODE_([A-Z_]+)\s+'
                      'MAKE_SQLSTATE\(''(.)'', ''(.)'', ''(.)'', ''(.)'', ''(.)''\)', 'g') m;
SELECT ok(count(*) >= 18, 'codes found in src/casino.h') FROM header_code;
SELECT set_eq($$SELECT m[1] AS code, m[2] AS condition
              FROM written, regexp_matches(line, '^\| (K[A-Z][0-9]{3}) \| `([a-z_]+)` \| .+ \| .+ \|$') m$$,
              'SELECT code, condition FROM header_code',
                  'the codes of src/casino.h, no others, each with when and what to do');
SELECT is_empty($$SELECT f.name, e FROM extension_function f, string_to_table(f.errors, ' ') e
                   WHERE e NOT IN (SELECT code FROM header_code)$$, 'functions raise codes that exist');
SELECT is_empty($$SELECT c.name FROM chapter_function c
                WHERE c.name NOT IN (SELECT name FROM extension_function)$$,
                'tools/reference.sql knows no function that does not exist');

-- what all documents mention exists
CREATE TEMP TABLE mention AS
SELECT DISTINCT m[1] AS name FROM regexp_matches(:'reference' || :'others', '\ycasino\.([a-z_0-9]+)\y', 'g') m
 WHERE m[1] NOT IN ('control', 'so', 'h', 'c', 'sql', 'invalid',
                     'ledger_away');     -- there while a book is put away
CREATE TEMP TABLE called AS
SELECT DISTINCT m[1] AS name FROM regexp_matches(:'reference' || :'others', '`(?:casino\.)?([a-z_0-9]+)\(',
                                                 'g') m
 WHERE m[1] !~ '^casino_';         -- functions in C
SELECT is_empty($$SELECT name FROM mention
                   WHERE NOT EXISTS (SELECT FROM pg_proc p
                                     WHERE p.pronamespace = ANY (casino_internal.schemas())
                                         AND p.proname = name)
                     AND NOT EXISTS (SELECT FROM pg_class c
                                     WHERE c.relnamespace = 'casino'::regnamespace AND c.relname = name)
                     AND NOT EXISTS (SELECT FROM pg_type t
                                     WHERE t.typnamespace = 'casino'::regnamespace AND t.typname = name)
                     AND NOT EXISTS (SELECT FROM pg_settings s WHERE s.name = 'casino.' || mention.name)$$,
                'every casino.name in the documents exists');
SELECT is_empty($$SELECT name FROM called WHERE NOT EXISTS (SELECT FROM pg_proc p WHERE p.proname = name)$$,
                'every function() in the documents exists');
SELECT * FROM finish();
ROLLBACK;
