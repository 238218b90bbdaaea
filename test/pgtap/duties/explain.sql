-- Views show through: what is asked of one player, or of one round, reaches the ledger's indexes, whatever
-- view is asked.
SET search_path = casino, casino_internal, public;
SET client_min_messages = warning;
SELECT no_plan();
SELECT register_player('a') AS a \gset
SELECT deposit(:a, 1000) \g /dev/null
-- in an empty ledger reading all of it is the cheapest: here only what has no other way reads all
SET enable_seqscan = off;
CREATE FUNCTION pg_temp.plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    lines text[] := '{}';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        lines := lines || line;
    END LOOP;
    RETURN array_to_string(lines, E'\n');
END $$;
CREATE TEMP TABLE plan AS
SELECT c.relname, a.attname, pg_temp.plan(format('SELECT * FROM %s WHERE %I = 7', c.oid::regclass,
                                                 a.attname)) AS plan
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('player_id', 'round_id')
 WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v' AND c.relname <> 'plan_row';
SELECT cmp_ok(count(*), '>', 30::bigint, 'views have players and rounds') FROM plan;
SELECT is_empty($$SELECT relname, plan FROM plan
                WHERE attname = 'player_id' AND plan ~ 'Seq Scan on (ledger_1|round|player) '$$,
                    'of one player no view reads a whole table');
SELECT matches(plan, 'Index Scan using ledger_pkey on ledger_1.*\n *Index Cond: \(player_id = 7\)',
               'a statement reads the player''s entries') FROM plan
                   WHERE relname = 'statement' AND attname = 'player_id';
SELECT matches(plan, 'using ledger_round on ledger_1', 'wagers of a round are read by the round') FROM plan
 WHERE relname = 'wager' AND attname = 'round_id';
SELECT * FROM finish();
