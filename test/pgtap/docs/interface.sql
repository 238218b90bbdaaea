-- doc/interface-1.0.txt is the interface that 1.x keeps: it equals the catalog, line by line
\set written `cat doc/interface-1.0.txt`
\set header `cat src/casino.h`
\i tools/interface.sql
BEGIN;
SELECT no_plan();
CREATE TEMP TABLE written AS SELECT l.line, l.n
    FROM string_to_table(:'written', E'\n') WITH ORDINALITY l (line, n);
CREATE TEMP TABLE wanted AS SELECT line FROM pg_temp.interface(:'header') line;

SELECT is_empty('SELECT line FROM wanted EXCEPT SELECT line FROM written',
                'the catalog has nothing that the list of the interface has not');
SELECT is_empty('SELECT line FROM written EXCEPT SELECT line FROM wanted',
                'the list of the interface has nothing that the catalog has not');
SELECT is((SELECT count(*) FROM written), (SELECT count(*) FROM wanted), 'no line stands twice');
SELECT is_empty($$SELECT w.line FROM (SELECT line, lag(line) OVER (ORDER BY n) AS before
                                     FROM written) w
                   WHERE w.before COLLATE "C" >= w.line COLLATE "C"$$, 'the lines are in the order of bytes');
SELECT is_empty($$SELECT kind
                    FROM regexp_split_to_table('function procedure aggregate table view column type '
                         'operator cast code reason setting leaf check profile', ' ') kind
                   WHERE NOT EXISTS (SELECT FROM written w WHERE w.line LIKE kind || ' %')$$,
                'every kind of object has its lines');
SELECT is((SELECT count(*) FROM written WHERE line LIKE 'code %'),
          (SELECT count(*) FROM regexp_matches(:'header', 'define CASINO_ERRCODE_', 'g')),
          'every code of the header stands in it');

-- a change of any kind is seen
CREATE FUNCTION casino.not_listed(a int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT 1';
ALTER TABLE casino.round ADD COLUMN not_listed int;
SELECT set_eq($$SELECT line FROM pg_temp.interface('') line WHERE line NOT IN (SELECT line FROM written)$$,
              ARRAY['function casino.not_listed(a integer DEFAULT 1) returns integer',
                    'column casino.round.not_listed integer'],
              'a function and a column that are not in the list are found');
SELECT finish();
ROLLBACK;
