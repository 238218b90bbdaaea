-- doc/personal-data.md names each column with text, and no other: a new one is told of there.
\set page `cat doc/personal-data.md`
SET client_min_messages = warning;
SET search_path = public;
BEGIN;
SELECT no_plan();
CREATE TEMP TABLE part AS
SELECT (regexp_match(s.section, '^[^\n]*'))[1] AS title, s.section
  FROM regexp_split_to_table(:'page', '\n## ') s (section);
CREATE TEMP TABLE named AS
SELECT p.title, m[1] AS name
  FROM part p, regexp_matches(p.section, '`([a-z_]+\.[a-z_]+)`', 'g') m
 WHERE p.title LIKE 'Columns %'
   AND m[1] NOT LIKE 'casino.%';
-- a hub has its own tables
CREATE TEMP TABLE there AS
SELECT c.relname || '.' || a.attname AS name
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
 WHERE c.relnamespace = 'casino'::regnamespace
   AND c.relkind IN ('r', 'p')
   AND NOT c.relispartition
   AND (t.typcategory = 'S' OR t.typname IN ('json', 'jsonb', 'xml', '_text', '_jsonb', 'inet', 'cidr'));
SELECT cmp_ok((SELECT count(*) FROM there), '>', 120::bigint, 'there are columns with text');
SELECT is_empty('SELECT t.name FROM there t EXCEPT SELECT n.name FROM named n',
                'each column with text is on the page');
SELECT is_empty($$SELECT n.name FROM named n WHERE n.name NOT LIKE 'hub\_%'
                  EXCEPT SELECT t.name FROM there t$$, 'and each column on the page is there');
SELECT is_empty('SELECT n.name FROM named n GROUP BY n.name HAVING count(*) > 1', 'each is named once');
SELECT is_empty($$SELECT l.line
                    FROM part p, string_to_table(p.section, E'\n') l (line)
                   WHERE p.title LIKE 'Columns that may%' AND l.line LIKE '| `%'
                     AND l.line !~ ('^\| [^|]+ \| [^|]+ \| (AML, game|AML, contract|AML|game|contract|staff)'
                                    || ' \| [^|]+ \|$')$$,
                'each has a purpose, a ground and a time');
SELECT ok(:'page' ~ 'art\. 5\(1\)\(e\)' AND :'page' ~ 'art\. 15' AND :'page' ~ 'art\. 17'
          AND :'page' ~ 'Act 253/2008 §16', 'the page names the law');
SELECT is((SELECT d.value FROM casino.duty_rule d WHERE d.name = 'retention_years'),
          substring(:'page' FROM 'figure `retention_years` of `casino.duty_rule`: (\d+)'),
          'the retention is the one of the page');
SELECT * FROM finish();
ROLLBACK;
