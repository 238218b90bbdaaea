-- In an empty installation: casino.ledger partitioned by hash of player_id, :parts partitions, with the constraints, triggers, foreign
-- keys and views that it had. Not a way to do it to a ledger that has entries. Its views lose their privileges.
CREATE TEMP TABLE views AS
WITH RECURSIVE v (oid, depth) AS (
    SELECT c.oid, 1 FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v'
    UNION
    SELECT r.ev_class, v.depth + 1 FROM v JOIN pg_depend d ON d.refobjid = v.oid AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
      JOIN pg_rewrite r ON r.oid = d.objid AND r.ev_class <> v.oid)
SELECT oid, oid::regclass::text AS name, max(depth) AS depth, pg_get_viewdef(oid) AS definition FROM v GROUP BY oid;
CREATE TEMP TABLE keys AS
SELECT conrelid::regclass AS name, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE confrelid = 'casino.ledger'::regclass AND contype = 'f';
CREATE TEMP TABLE own AS
SELECT pg_get_triggerdef(oid) AS definition, tgname, tgenabled, tgtype & 1 = 1 AS for_rows FROM pg_trigger WHERE tgrelid = 'casino.ledger'::regclass AND NOT tgisinternal;
BEGIN;
CREATE TABLE casino.hashed (LIKE casino.ledger INCLUDING ALL) PARTITION BY HASH (player_id);
SET LOCAL client_min_messages = warning;
DROP TABLE casino.ledger CASCADE;
ALTER TABLE casino.hashed RENAME TO ledger;
SELECT format('CREATE TABLE casino.ledger_%s PARTITION OF casino.ledger FOR VALUES WITH (MODULUS %s, REMAINDER %1$s)', n, :parts) FROM generate_series(0, :parts - 1) n \gexec
SELECT definition FROM own \gexec
SELECT format('ALTER TABLE casino.ledger ENABLE ALWAYS TRIGGER %I', tgname) FROM own WHERE tgenabled = 'A' \gexec
-- what guards a statement guards the table it names only
SELECT replace(definition, ' ON casino.ledger ', format(' ON casino.ledger_%s ', n)) FROM own, generate_series(0, :parts - 1) n WHERE NOT for_rows \gexec
SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', name, conname, definition) FROM keys \gexec
SELECT format('CREATE VIEW %s AS %s', name, definition) FROM views WHERE to_regclass(name) IS NULL ORDER BY depth, oid \gexec
COMMIT;
SELECT DISTINCT 'ALTER INDEX casino.' || quote_ident(i.relname) || ' RENAME TO ' || replace(i.relname, 'hashed', 'ledger')
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = 'casino.ledger'::regclass AND i.relname LIKE 'hashed%' \gexec
