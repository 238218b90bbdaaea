-- What a check or a figure of a day reads does not grow with days before, days after, players who did not play, and rounds of others. Counted in buffers, by
-- EXPLAIN: the third run of a statement, when plans and catalogs are known to the session. Evenings of equal size; a third of the players has limits.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
\ir helpers/evenings.psql
SET max_parallel_workers_per_gather = 0;
-- small tables are read whole because they are small: here they stand for great ones
SET enable_seqscan = off;
SET random_page_cost = 1.1;
SELECT setseed(0.4) \g /dev/null

CREATE TABLE asked (name text PRIMARY KEY, statement text);
-- check no_reason reads the days on which was asked for what comes to its day now: those of the figure in force and two more;
-- check record reads, beside the rows of the day, those that no seal has yet: here all of them (R10.33)
INSERT INTO asked SELECT 'check ' || c.check_name, format('SELECT count(*) FROM %s(%%1$L, %%1$L) f', c.function) FROM casino.reconciliation_checks() c
                   WHERE c.check_name NOT LIKE 'provider%' AND c.check_name NOT IN ('plan', 'guard', 'record', 'no_reason');
INSERT INTO asked SELECT f, format('SELECT count(*) FROM casino.%s(%%1$L, %%1$L) f', f)
                    FROM unnest('{tax_base,player_day,person_day,large_win,daily_table,significant_event}'::text[]) f;
CREATE TABLE read (at integer, name text, day date, buffers bigint);
CREATE FUNCTION buffers(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
    least bigint;
BEGIN
    FOR n IN 1 .. 3 LOOP
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
        least := least(least, (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint);
    END LOOP;
    RETURN least;
END $$;
CREATE PROCEDURE measure(n integer, day date) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.summarize_days();
    PERFORM casino.keep_day_totals();
    INSERT INTO read SELECT measure.n, a.name, measure.day, public.buffers(format(a.statement, measure.day)) FROM public.asked a;
END $$;
-- The same day again: at most a tenth more, and what a few ranges of an index by day may add. Another day has other stakes; eight days before it would be seen
CREATE FUNCTION grows(was bigint, now bigint, by numeric, rows integer) RETURNS boolean LANGUAGE sql RETURN now > was * by + 150 + rows;
CREATE FUNCTION compared(a integer, b integer, what text, by numeric DEFAULT 1.1, rows integer DEFAULT 0) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT ok(NOT grows(x.buffers, y.buffers, by, rows), format('%s: %s (%s, then %s)', x.name, what, x.buffers, y.buffers))
      FROM read x JOIN read y ON y.name = x.name WHERE x.at = a AND y.at = b ORDER BY x.name $$;
CREATE FUNCTION evenings(first date, last date, lo integer, hi integer) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('CALL evenings.evening(%L, %s, %s, 24)', d::date, lo, hi) FROM generate_series(first::timestamp, last::timestamp, '1 day') d $$;

CALL evenings.players(1, 60, '2026-04-23 08:00');
CALL evenings.players(61, 100, '2026-04-23 08:00');
SELECT * FROM evenings('2026-04-24', '2026-04-27', 1, 60) \gexec
VACUUM ANALYZE;
CALL measure(1, '2026-04-25');
SELECT * FROM evenings('2026-04-28', '2026-05-04', 1, 60) \gexec
VACUUM ANALYZE;
CALL measure(2, '2026-04-25');
-- the second day of a month, as the other one is the second of all: limits are counted by the month
CALL measure(3, '2026-05-02');
SELECT compared(1, 2, 'days after', 1.5);
SELECT compared(2, 3, 'days before', 3.0);
-- players who have registered, have limits and money, and do not play; then rounds of others
CALL evenings.players(101, 500, '2026-05-05 08:00');
VACUUM ANALYZE;
CALL measure(4, '2026-05-02');
-- of 400 of them their rows are read, each a few times where the planner may not read the table
SELECT compared(3, 4, 'players who do not play', 1.3, 16 * 400);
SELECT * FROM evenings('2026-05-06', '2026-05-11', 61, 100) \gexec
VACUUM ANALYZE;
CALL measure(5, '2026-05-02');
-- the planner's way changes with the tables' sizes; what reads all entries would read more than a third more
SELECT compared(4, 5, 'rounds of others', 1.25);
SELECT * FROM finish();
