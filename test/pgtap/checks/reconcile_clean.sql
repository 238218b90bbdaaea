-- Books in which everything fits: all sixteen games, every duty in time. No check finds anything, over the
-- day and over all days (R10.1).
SET client_min_messages = warning;
SET search_path = public;
BEGIN;
SELECT no_plan();
\ir ../helpers/night.psql
SELECT cmp_ok((SELECT count(*) FROM casino.ledger), '>', 150::bigint, 'there are entries');
SELECT is((SELECT count(DISTINCT game) FROM casino.round JOIN casino.game_table USING (table_id)
           WHERE status = 'settled'), 16::bigint, 'of all sixteen games');
SELECT set_eq($$SELECT DISTINCT kind FROM casino.ledger$$, $$SELECT kind FROM casino.entry_kinds()
              WHERE kind NOT IN ('adjustment', 'correction')$$, 'and of all kinds');
CREATE FUNCTION pg_temp.of_check(function text, from_day date,
                                 to_day date) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT f::text FROM %s($1, $2) f', function) USING from_day, to_day;
END $$;
SELECT is_empty(format('SELECT * FROM pg_temp.of_check(%L, %L, %L)', c.function, d.since, d.until),
                format('%s of %s to %s', c.check_name, d.since, d.until))
  FROM casino.reconciliation_checks() c, (VALUES (date '2026-06-10', date '2026-06-10'),
                                          ('2026-06-09', '2026-06-11'),
                                              ('2000-01-01', '2030-12-31')) d (since, until)
                                                  ORDER BY c.check_no, d.since;
SELECT * FROM finish();
ROLLBACK;
