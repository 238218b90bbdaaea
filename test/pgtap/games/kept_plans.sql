-- Kept results of a plan version: check_plan() found nothing, and the exact counts. They count for nothing
-- once the plan or a guard of the plans has changed.
BEGIN;
SET client_min_messages = warning;
SET search_path = casino, casino_internal, public;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SET casino.clock_skew = -1;
SELECT plan_id AS baccarat FROM game_plan WHERE game = 'baccarat' \gset
CREATE FUNCTION pg_temp.kept() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM casino.kept_plan';

SELECT set_eq('SELECT plan_id FROM kept_plan', 'SELECT plan_id FROM game_plan',
              'install() keeps that the first versions of all games are right');
SELECT ok(plan_is_checked(:baccarat), 'a session that has judged nothing knows it');
SELECT is(keep_plans(), 0, 'nothing is kept twice');
SELECT is(plan_is_kept(:baccarat) AND NOT plan_is_kept(-1), true, 'kept, and not');
SAVEPOINT s;
SELECT add_plan_version('baccarat', now() + interval '1 day', 'draft') \g /dev/null
SELECT is(keep_plans(), 0, 'a draft is not kept');
ROLLBACK TO s;

-- ----------------------------------------------------------------------------------------------- forgotten
-- a row that comes with the triggers off, as in replication
SET session_replication_role = replica;
INSERT INTO paytable (plan_id, kind, grade, num, den, paragraph) VALUES (:baccarat, 'tie', 'push', 1, 1, 'x');
SET session_replication_role = origin;
SELECT is(plan_is_kept(:baccarat), false, 'a row that was inserted as a replica');
SELECT is(pg_temp.kept(), 15::bigint, 'the other versions stay');
SELECT is(keep_plans(), 0, 'a version that check_plan() finds wrong is not kept');
ROLLBACK TO s;
SELECT is(plan_is_kept(:baccarat), true, 'rolled back it is kept');
-- each guard, put out of action and back
CREATE FUNCTION pg_temp.touched(relation text, guard text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    always boolean := guard <> 'plan_guard';
    kept boolean;
BEGIN
    EXECUTE format('ALTER TABLE casino.%I DISABLE TRIGGER %I', relation, guard);
    EXECUTE format('ALTER TABLE casino.%I ENABLE %s TRIGGER %I', relation,
                   CASE WHEN always THEN 'ALWAYS' ELSE '' END, guard);
    kept := EXISTS (SELECT FROM casino.game_plan p WHERE casino_internal.plan_is_kept(p.plan_id));
    RAISE SQLSTATE 'YYYYY' USING MESSAGE = kept;
EXCEPTION WHEN SQLSTATE 'YYYYY' THEN
    RETURN SQLERRM::boolean;
END $$;
SELECT is(pg_temp.touched(r, g), false,
          format('%s of %s disabled and enabled again: all is judged anew', g, r))
  FROM unnest('{game_plan,plan_rule,bet_rule,paytable,announced_rule}'::text[]) r,
       unnest('{plan_guard,plan_unchanged,plan_forget}'::text[]) g;
SAVEPOINT s;
ALTER TABLE paytable DISABLE TRIGGER plan_guard, DISABLE TRIGGER plan_unchanged;
DELETE FROM paytable WHERE plan_id = :baccarat AND kind = 'tie' AND grade = 'win';
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE paytable ENABLE TRIGGER plan_guard, ENABLE ALWAYS TRIGGER plan_unchanged;
SELECT is(plan_is_checked(:baccarat), false, 'a session sees that, too');
SELECT is(keep_plans(), 15, 'the next night keeps all others again');
ROLLBACK TO s;
DELETE FROM kept_plan WHERE plan_id = :baccarat;
SELECT is(casino.install(), 1, 'install() again');
SELECT is(pg_temp.kept(), 16::bigint, 'keeps the missing one');

-- -------------------------------------------------------------------------------------------------- counts
SELECT add_game_table('baccarat', 'B', 10, 10000) AS tab \gset
SELECT register_player('p') AS p \gset
SELECT deposit(:p, 1000, 'd', '2026-03-01 11:00') \g /dev/null
SELECT open_round(:tab, 'r', '2026-03-01 12:00') AS r \gset
SELECT place_bets(:r, :p, '{banker@100,tie@10}', 'k', at => '2026-03-01 12:01') \g /dev/null
SELECT close_betting(:r, '2026-03-01 12:02') \g /dev/null
SELECT settle_round(:r, '{"player": "9h Kd", "banker": "Kc 7s"}', '2026-03-01 12:03') \g /dev/null
CREATE TEMP TABLE before AS SELECT * FROM daily_table('2026-03-01', '2026-03-01');
SELECT is((SELECT expected_hold IS NOT NULL FROM before), true, 'counted');
SELECT watch_day('2026-03-01') \g /dev/null
SELECT is(keep_returns('2026-03-01'), 2::bigint, 'the night keeps the counts of the kinds staked on');
SELECT is(keep_returns('2026-03-01'), 0::bigint, 'once');
SELECT bag_eq('SELECT kind, selection, rtp, hit_rate, variance, best_num, best_den FROM kept_return',
              format($$SELECT k, c.* FROM unnest('{banker,tie}'::text[]) k, plan_returns(%s, k) c$$,
                     :baccarat),
              'as they are counted');
SELECT bag_eq($$SELECT * FROM daily_table('2026-03-01', '2026-03-01')$$, 'SELECT * FROM before',
              'daily_table() says the same from them');
UPDATE kept_return SET rtp = 0.5 WHERE kind = 'banker';
SELECT is((SELECT rtp FROM known_returns(:baccarat, 'banker')), 0.5, 'the kept count is answered');
SELECT is((SELECT rtp = 0.5 FROM plan_returns(:baccarat, 'banker')), false, 'the night counts itself');
SELECT is(keep_returns('2026-03-01'), 1::bigint, 'and mends the kept one');
SELECT bag_eq($$SELECT * FROM daily_table('2026-03-01', '2026-03-01')$$, 'SELECT * FROM before',
              'it is mended');
UPDATE kept_return SET rtp = 0.5 WHERE kind = 'banker';
ALTER TABLE bet_rule DISABLE TRIGGER plan_guard;
SELECT is((SELECT rtp = 0.5 FROM known_returns(:baccarat, 'banker')), false,
          'a guard out of action: counted anew');
ALTER TABLE bet_rule ENABLE TRIGGER plan_guard;
SELECT is((SELECT rtp = 0.5 FROM known_returns(:baccarat, 'banker')), false, 'and so when it is back');
SELECT is(keep_plans(), 16, 'until the night');
SELECT is((SELECT count(*) FROM kept_return), 0::bigint, 'which throws away the counts from before');
SELECT * FROM finish();
ROLLBACK;
