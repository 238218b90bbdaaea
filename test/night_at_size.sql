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
INSERT INTO asked SELECT 'check ' || c.check_name, format('SELECT count(*) FROM %s(%%1$L, %%1$L) f', c.function) FROM casino.reconciliation_checks() c
                   WHERE c.check_name NOT LIKE 'provider%' AND c.check_name NOT IN ('plan', 'guard');
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
-- at most a tenth more, and what a few ranges of an index by day may add
CREATE FUNCTION grows(was bigint, now bigint) RETURNS boolean LANGUAGE sql RETURN now > was * 1.1 + 150;

CALL evenings.players(1, 60, '2026-05-01 08:00');
DO $$ BEGIN FOR day IN 2 .. 4 LOOP CALL evenings.evening(make_date(2026, 5, day), 1, 60, 24); END LOOP; END $$;
ANALYZE;
CALL measure(1, '2026-05-03');
DO $$ BEGIN FOR day IN 5 .. 12 LOOP CALL evenings.evening(make_date(2026, 5, day), 1, 60, 24); END LOOP; END $$;
ANALYZE;
CALL measure(2, '2026-05-03');
CALL measure(3, '2026-05-11');
SELECT ok(NOT grows(a.buffers, b.buffers), format('%s: days after (%s, then %s)', a.name, a.buffers, b.buffers)) FROM read a JOIN read b USING (name) WHERE a.at = 1 AND b.at = 2 ORDER BY a.name;
SELECT ok(NOT grows(a.buffers, b.buffers), format('%s: days before (%s, then %s)', a.name, a.buffers, b.buffers)) FROM read a JOIN read b USING (name) WHERE a.at = 2 AND b.at = 3 ORDER BY a.name;
SELECT * FROM finish();
