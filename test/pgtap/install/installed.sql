-- tampers with the books
-- install() does not say that all is well when it is not: 55000 names what is missing or changed.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();

-- an installation as it was made passes, and what is recorded is all that is there
SELECT is(casino.install(), (SELECT max(version) FROM casino.schema_version), 'install() again');
SELECT bag_eq('SELECT object, state FROM casino.installed_object',
              'SELECT object, state
                 FROM casino_internal.schema_objects()
               UNION ALL
               SELECT object, state
                 FROM casino_internal.code_objects()',
              'all that is there is recorded');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c
                WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
                     AND NOT EXISTS (SELECT FROM casino.installed_object o
                                     WHERE o.object ~ (' ' || c.relname || '$'))$$,
                                         'every table, view and sequence');
SELECT is_empty($$SELECT t.tgname, t.tgrelid::regclass FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                WHERE c.relnamespace = 'casino'::regnamespace AND NOT t.tgisinternal
                     AND NOT EXISTS (SELECT FROM casino.installed_object o
                                     WHERE o.object = format('trigger %s on %s', t.tgname, c.relname))$$,
                                         'every trigger');

-- one thing at a time
CREATE FUNCTION pg_temp.after(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    code text;
    detail text;
BEGIN
    BEGIN
        EXECUTE statement;
        BEGIN
            PERFORM casino.install();
            RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = 'done';
        EXCEPTION WHEN SQLSTATE '55000' THEN
            GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
            RAISE EXCEPTION USING ERRCODE = 'ZZ999', MESSAGE = '55000 ' || detail;
        END;
    EXCEPTION WHEN SQLSTATE 'ZZ999' THEN
        RETURN SQLERRM;
    END;
END $$;
SELECT alike(pg_temp.after(s), CASE d WHEN 'done' THEN d ELSE '55000 ' || d || '%' END, s)
  FROM (VALUES ('DROP TRIGGER ledger_post ON casino.ledger',
                'trigger ledger_post on ledger is missing; trigger ledger_post on ledger_1 is missing.'),
               ('ALTER TABLE casino.ledger DISABLE TRIGGER ledger_post',
                'trigger ledger_post on ledger %disabled, it %enabled before.'),
               ('ALTER TABLE casino.round DISABLE TRIGGER ALL', '%trigger round_guard on round %disabled%'),
               ('ALTER TABLE casino.player ENABLE REPLICA TRIGGER player_guard', '%on replicas%'),
               ('DROP TRIGGER append_only ON casino.breach', 'trigger append_only on breach is missing.'),
               ('DROP VIEW casino.statement', 'view statement is missing.'),
               ('DROP TABLE casino.cancelled_request', 'table cancelled_request is missing.'),
               ('DROP SEQUENCE casino.round_id_seq', 'sequence round_id_seq is missing.'),
               ('ALTER TABLE casino.ledger DROP COLUMN bet CASCADE',
                '%view evaluation is missing%column ledger.bet is missing%'),
               ('ALTER TABLE casino.game_table ALTER name DROP NOT NULL',
                'column game_table.name is text, it was text not null before.'),
               ('ALTER TABLE casino.announced_rule ALTER min_neighbours TYPE bigint',
                'column announced_rule.min_neighbours is bigint, it was integer before.'),
               ('DROP INDEX casino.ledger_stake_entry_no',
                'index casino.ledger_stake_entry_no on ledger_1 is missing.'),
               ('DROP INDEX casino.ledger_stake_entry_no; '
                'CREATE INDEX ledger_stake_entry_no ON casino.ledger_1 (player_id, stake_entry_no)',
                'index casino.ledger_stake_entry_no on ledger_1 is over%was unique%'),
               ('ALTER TABLE casino.ledger_1 DROP CONSTRAINT ledger_pkey',
                'constraint ledger_pkey on ledger_1 is missing; '
                'index casino.ledger_pkey on ledger_1 is missing.'),
               ('ALTER TABLE casino.ledger_1 DISABLE TRIGGER ledger_post',
                'trigger ledger_post on ledger_1 %disabled, it %'),
               ('DROP TABLE casino.ledger_1', 'table ledger_1 is missing%'),
               ('ALTER TABLE casino.ledger DETACH PARTITION casino.ledger_1',
                'trigger append_only on ledger_1 is missing; trigger ledger_post on ledger_1 is missing; '
                'child casino.ledger_1 of ledger is missing%'),
               ('ALTER TABLE casino.ledger DROP CONSTRAINT ledger_kind_check',
                'constraint ledger_kind_check on ledger is missing; '
                'constraint ledger_kind_check on ledger_1 is missing.'),
               ('DELETE FROM casino.installed_object', 'table installed_object is empty.'),
               ('DROP TABLE casino.installed_object', 'table installed_object is missing.'),
               ('TRUNCATE casino.schema_version CASCADE',
                'No step of it is recorded, and there is: sequence %'),
               ('DROP TABLE casino.schema_version CASCADE',
                'No step of it is recorded, and there is: sequence %'),
               ('DROP EXTENSION casino CASCADE; CREATE EXTENSION casino',
                'view %view evaluation is missing%column ledger.bet is missing%trigger append_only on ledger '
                'is missing%trigger ledger_post on ledger is missing%'),
               -- mended, or of the operator's own
               ('ALTER TABLE casino.ledger DISABLE TRIGGER append_only', 'done'),
               ('CREATE TABLE casino.notes (note text)', 'done'),
               ('CREATE INDEX ON casino.ledger (recorded_at)', 'done'),
               ('ALTER TABLE casino.ledger_1 SET (fillfactor = 90)', 'done'),
               ('SELECT 1', 'done')) v (s, d);
SELECT is((SELECT tgenabled FROM pg_trigger WHERE tgrelid = 'casino.ledger'::regclass
           AND tgname = 'append_only'), 'A', 'the guards fire always');

-- the whole of it, for real; then the way out that the message names
DROP EXTENSION casino CASCADE;
CREATE EXTENSION casino;
SELECT throws_ok('SELECT casino.install()', '55000', NULL,
                 'DROP EXTENSION ... CASCADE, CREATE EXTENSION: install() refuses what is left');
SELECT is((SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
           WHERE c.relnamespace = 'casino'::regnamespace
               AND NOT tgisinternal), 0::bigint, 'in which there is no trigger');
DROP SCHEMA casino CASCADE;
CREATE EXTENSION casino;
SELECT is(casino.install(), 1, 'removed and made anew');
SELECT is(casino.deposit(casino.register_player('p'), 10), 1::bigint, 'it works');
SELECT throws_ok('DELETE FROM casino.ledger', 'KL001', NULL, 'and guards');
SELECT * FROM finish();
