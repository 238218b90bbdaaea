-- A check or a figure of a day does not read more with more days before, days after, players who do not play,
-- and rounds of others. Counted in buffers, by EXPLAIN. Every evening is played with the same seed, so that
-- two days differ in their place in the books alone. A third of the players has limits; each evening has
-- cancelled and returned stakes, rounds withheld and paid the next morning, and a corrected result. Each
-- morning players pay in with receipts (R7.111), and the cash desk is counted (R12.83).
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
CREATE ROLE first_supervisor_of_size;
CREATE ROLE second_supervisor_of_size;
SELECT casino.grant_access(r, 'supervisor')
  FROM unnest('{first_supervisor_of_size,second_supervisor_of_size}'::text[]) r \g /dev/null
-- Statistics moved from run to run: an autovacuum came in the midst of the evenings, and random() was called
-- in the order of a scan. Here statistics are taken at fixed places, and each statement is planned for its
-- values.
DO $$
DECLARE
    t regclass;
BEGIN
    FOR t IN SELECT c.oid
               FROM pg_class c
              WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r' LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', t);
    END LOOP;
END $$;
SET max_parallel_workers_per_gather = 0;
SET plan_cache_mode = force_custom_plan;
-- small tables are read whole because they are small: here they stand for great ones
SET enable_seqscan = off;
SET random_page_cost = 1.1;
\ir ../helpers/evenings.psql
SELECT setseed(0.4) \g /dev/null

CREATE TABLE asked (name text PRIMARY KEY, statement text);
INSERT INTO asked
SELECT 'check ' || c.check_name, format('SELECT count(*) FROM %s(%%1$L, %%1$L) f', c.function)
  FROM casino.reconciliation_checks() c
 WHERE c.check_name NOT LIKE 'provider%';
-- every figure of days there is
INSERT INTO asked
SELECT p.proname, format('SELECT count(*) FROM casino.%I(%%1$L, %%1$L) f', p.proname)
  FROM pg_proc p
 WHERE p.pronamespace = 'casino'::regnamespace AND p.prokind = 'f'
   AND p.proargnames[1:2] = '{from_day,to_day}' AND p.pronargs - p.pronargdefaults = 2
   -- its list of late payments looks for them in 400 days before, as it says
   AND p.proname !~ '^(check|sieve|hub|all)_|_impl$|^period_page$';
SELECT cmp_ok((SELECT count(*)
                 FROM asked
                WHERE name ~ '^(tax_base|payment_times|daily_table|player_day)$'),
              '=', 4::bigint, 'the catalog has the figures');
-- payments asked for on the day are due three days and the one of the request later
UPDATE asked
   SET statement = 'SELECT count(*) FROM casino_internal.check_no_reason(date %1$L + 4, date %1$L + 4) f'
 WHERE name = 'check no_reason';
INSERT INTO asked VALUES
    ('persons', 'SELECT count(*) FROM casino_internal.check_persons(%1$L, %1$L) f'),
    ('daily_report', 'SELECT casino.daily_report(%1$L)'),
    ('liability', 'SELECT * FROM casino.liability(casino.day_start(date %1$L + 1))'),
    -- it counts by the month: asked on the second evening of it
    ('limit_usage', $$SELECT casino.limit_usage(3, timestamptz '2026-05-02 20:00'
                                                   - CASE WHEN %1$L < '2026-05' THEN interval '4 days'
                                                          ELSE '0' END)$$);
-- Blocks of the extension's own relations are counted: a session that has lost its caches, because others
-- create much, reads catalogs anew at any time.
CREATE TABLE read (at integer, name text, day date, buffers bigint);
CREATE FUNCTION blocks() RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
               + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))
      FROM pg_statio_all_tables
     WHERE schemaname = 'casino' $$;
CREATE FUNCTION measure(n integer, day date) RETURNS TABLE (counted text, first text, asked text, last text)
LANGUAGE sql AS $$
    SELECT 'DO $do$ BEGIN PERFORM pg_stat_force_next_flush(); END $do$',
           format('INSERT INTO read VALUES (%s, %L, %L, - blocks())', n, a.name, day),
           format('DO $do$ BEGIN EXECUTE %L; PERFORM pg_stat_force_next_flush(); END $do$',
                  format(a.statement, day)),
           format('UPDATE read SET buffers = buffers + blocks() WHERE at = %s AND name = %L', n, a.name)
      FROM asked a $$;
-- The same again: at most a quarter more, and a few ranges of an index by day. Where rows lie, and so which
-- of two plans is chosen, depends on the work of other databases at that time: that alone moved 15 per cent.
-- Eight more days beside four are seen where they are an eighth of all reads.
CREATE FUNCTION compared(a integer, b integer, with_more text, rows integer DEFAULT 0) RETURNS SETOF text
LANGUAGE sql AS $$
    SELECT ok(y.buffers <= x.buffers * 1.25 + 150 + rows,
              format('%s: %s (%s, then %s)', x.name, with_more, x.buffers, y.buffers))
      FROM read x JOIN read y ON y.name = x.name
     WHERE x.at = a AND y.at = b
     ORDER BY x.name $$;

-- an evening, and the next morning: a wheel was read wrongly, and withheld winnings are paid
CREATE PROCEDURE day(day date, lo integer, hi integer) LANGUAGE plpgsql SET enable_seqscan = on AS $$
DECLARE
    morning CONSTANT timestamptz := (day.day + 1 + time '09:00')::timestamptz;
    owner CONSTANT text := (SELECT r.rolname FROM pg_roles r WHERE r.oid = 10);
    wrong bigint;
    n bigint;
BEGIN
    CALL evenings.evening(day.day, lo, hi, 24, 0.4);
    PERFORM casino.pay_withheld(r.round_id, reason => 'settled', at => morning)
       FROM casino.round r
      WHERE r.status = 'withheld' AND r.round_ref <> 'long'
      ORDER BY r.round_id;
    SELECT min(r.round_id) INTO wrong
      FROM casino.round r
      JOIN casino.game_table t ON t.table_id = r.table_id AND t.game = 'roulette_synot'
     WHERE r.opened_at >= day.day::timestamptz AND r.status = 'settled';
    PERFORM set_config('session_authorization', 'first_supervisor_of_size', true);
    n := casino.correct_round(wrong, '{"number": 7}', 'the wheel was misread', morning + interval '1 min');
    PERFORM set_config('session_authorization', 'second_supervisor_of_size', true);
    PERFORM casino.approve_correction(n, morning + interval '2 min');
    PERFORM set_config('session_authorization', owner, true);
    -- each player pays in with five receipts, and the desk is counted
    PERFORM casino.deposit(p.player_id, 10, format('in %s %s', day.day, i), morning + interval '3 min',
                           'cash',
                           format('receipt %s of %s', i, day.day), 'Desk')
       FROM casino.player p
      CROSS JOIN generate_series(1, 5) i
      WHERE p.external_ref IN (SELECT 'player ' || i FROM generate_series(lo, hi) i)
      ORDER BY p.player_id, i;
    PERFORM casino.record_cage_count('Desk', morning + interval '4 min', 1000);
END $$;
CREATE FUNCTION days(first date, last date, lo integer, hi integer) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('CALL day(%L, %s, %s)', d::date, lo, hi)
      FROM generate_series(first::timestamp, last::timestamp, '1 day') d
    UNION ALL SELECT 'CALL night_is_over()' $$;
-- as after a night that took its time: everything before the seal is sealed
CREATE PROCEDURE night_is_over() LANGUAGE plpgsql SET enable_seqscan = on AS $$
BEGIN
    PERFORM casino_internal.summarize_days(), casino.keep_day_totals(), casino_internal.keep_plan_rows();
    PERFORM casino.seal((SELECT casino.prague_day(max(l.posted_at)) + 1 FROM casino.ledger l));
    ALTER TABLE casino.day_seal DISABLE TRIGGER USER;
    UPDATE casino.day_seal SET sealed_at = clock_timestamp() + interval '1 hour';
    ALTER TABLE casino.day_seal ENABLE TRIGGER USER;
END $$;

-- The players' table is written anew before each measurement. A row that changes leaves room behind, which a
-- sum over all players reads. The row may need a new entry of the key, whose second level is a block more for
-- each row that asks for a player.
-- R12.73: a round that stays open for months: a check reads what is open, and not all that
-- came since
CALL evenings.players(501, 506, '2026-02-01 08:00');
CREATE PROCEDURE long(game text, lo integer, hi integer, bet casino.bet, outcome jsonb) LANGUAGE plpgsql AS $$
DECLARE
    at CONSTANT timestamptz := '2026-02-01 10:00';
    r CONSTANT bigint := casino.open_round(casino.add_game_table(game, 'long', 10, 5000), 'long', at);
BEGIN
    PERFORM casino.place_bet(r, p.player_id, bet, 'long', at => at + interval '20 s')
       FROM casino.player p
      WHERE p.external_ref IN (SELECT 'player ' || i FROM generate_series(lo, hi) i)
      ORDER BY p.player_id;
    IF outcome IS NOT NULL THEN
        PERFORM casino.close_betting(r, at + interval '1 min');
        PERFORM casino.settle_round(r, outcome, at + interval '5 min', true, 'a complaint');
    END IF;
END $$;
CALL long('roulette_american', 501, 506, 'red@50', NULL);
-- another is evaluated and stays withheld
CALL evenings.players(507, 512, '2026-02-01 08:00');
CALL long('roulette_evolution', 507, 512, 'red@50', '{"number": 1}');
CALL evenings.players(1, 40, '2026-04-26 08:00', 100);
CALL evenings.players(41, 80, '2026-04-26 08:00', 100);
SELECT * FROM days('2026-04-27', '2026-04-30', 1, 40) \gexec
\ir ../helpers/in_order.psql
VACUUM ANALYZE;
\ir ../helpers/all_visible.psql
SELECT * FROM measure(1, '2026-04-28') \gexec
SELECT * FROM days('2026-05-01', '2026-05-08', 1, 40) \gexec
\ir ../helpers/in_order.psql
VACUUM ANALYZE;
\ir ../helpers/all_visible.psql
SELECT * FROM measure(2, '2026-04-28') \gexec
SELECT * FROM measure(3, '2026-05-07') \gexec
SELECT compared(1, 2, 'days after');
SELECT compared(2, 3, 'days before');
-- players who have registered, have limits and money, and do not play; then rounds of others
CALL evenings.players(81, 480, '2026-05-09 08:00');
CALL night_is_over();
\ir ../helpers/in_order.psql
VACUUM ANALYZE;
\ir ../helpers/all_visible.psql
SELECT * FROM measure(4, '2026-05-07') \gexec
-- of 400 of them their rows are read, each a few times where the planner may not read the table
SELECT compared(3, 4, 'players who do not play', 16 * 400);
SELECT * FROM days('2026-05-10', '2026-05-15', 41, 80) \gexec
\ir ../helpers/in_order.psql
VACUUM ANALYZE;
\ir ../helpers/all_visible.psql
SELECT * FROM measure(5, '2026-05-07') \gexec
SELECT compared(4, 5, 'rounds of others');
SELECT * FROM finish();
