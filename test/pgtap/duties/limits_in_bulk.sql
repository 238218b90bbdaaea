-- Limits of many players who have just come: what a call reads does not grow with the players. No statistics
-- are known yet.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
-- nothing is analyzed while the test runs
ALTER TABLE casino.player SET (autovacuum_enabled = off);
ALTER TABLE casino.player_limit SET (autovacuum_enabled = off);
ALTER TABLE casino.limit_state SET (autovacuum_enabled = off);
SELECT count(casino.register_player('player ' || n)) FROM generate_series(1, 3000) n \g /dev/null
-- 3001 is a person's second account, whose limits pass on
SELECT casino.set_limit(1, 'stake', 'day', 500) \g /dev/null
SELECT casino.close_account(1) \g /dev/null
SELECT is(casino.register_player('player 1'), 3001::bigint, 'a second account');
-- the planner takes the players for a million, two hundred persons' accounts
UPDATE pg_class
   SET relpages = pg_relation_size(oid) / 8192,
       reltuples = 1000000
 WHERE oid = 'casino.player'::regclass;
CREATE FUNCTION fetched() RETURNS bigint LANGUAGE sql AS $$
    SELECT t.seq_tup_read + t.idx_tup_fetch
      FROM pg_stat_xact_user_tables t
     WHERE t.relid = 'casino.player'::regclass $$;
CREATE FUNCTION rows_of(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    before CONSTANT bigint := fetched();
BEGIN
    EXECUTE statement;
    RETURN fetched() - before;
END $$;
CREATE TABLE calls (what text, statement text);
INSERT INTO calls VALUES
    ('a first limit', 'SELECT casino.set_limit(%s, ''stake'', ''day'', 900)'),
    ('the first limit of a second account''s kind',
     'SELECT casino.set_limit(3001, ''net_loss'', ''month'', %s)'),
    ('limit_usage', 'SELECT casino.limit_usage(%s, clock_timestamp())'),
    ('register_player', 'SELECT casino.register_player(''new %s'')');
SELECT cmp_ok(rows_of(format(c.statement, 2900)), '<', 30::bigint,
              c.what || ' reads a few rows of players, of 3001')
  FROM calls c;
-- a session's kept plans, too
SELECT cmp_ok(sum(rows_of(format('SELECT casino.set_limit(%s, ''stake'', ''day'', 900)', p))),
              '<', 3000::numeric,
              'a hundred first limits in one statement')
  FROM generate_series(2901, 3000) p;
SELECT is((SELECT count(*) FROM casino.limit_state), 103::bigint, 'all have counters');
SELECT * FROM finish();
