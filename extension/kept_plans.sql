-- Results of a plan version, worked out once and kept in tables, so that no session works them out again:
-- check_plan() found nothing, for open_round(), and the exact counts of daily_table(). A version in force
-- does not change (plan_guard). A kept row counts only while the guards of the plans are those under which it
-- was kept: after one was put out of action all versions are judged and counted anew.

CREATE FUNCTION casino_internal.install_kept_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.kept_plan (
        plan_id bigint PRIMARY KEY,
        guards  text NOT NULL,
        kept_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.kept_plan
        IS 'Part of open_round(): versions in force that check_plan() found without problems. Made by '
           'install() and by each night; nothing is missing when a row is: the version is judged anew';
    COMMENT ON COLUMN casino.kept_plan.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.kept_plan.guards
        IS 'The guards of the plans then, see casino_internal.plan_guards(); under others the row counts '
           'for nothing';
    COMMENT ON COLUMN casino.kept_plan.kept_at IS 'When it was judged';

    CREATE TABLE casino.kept_return (
        plan_id   bigint NOT NULL REFERENCES casino.kept_plan ON DELETE CASCADE,
        kind      text NOT NULL,
        place     integer NOT NULL,
        selection text,
        rtp       numeric,
        hit_rate  numeric,
        variance  numeric,
        best_num  integer,
        best_den  integer,
        PRIMARY KEY (plan_id, kind, place)
    );
    COMMENT ON TABLE casino.kept_return
        IS 'Part of daily_table(): exact counts of the kinds of bet that were staked on. Counted anew by '
           'each night that has such stakes';
    COMMENT ON COLUMN casino.kept_return.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.kept_return.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.kept_return.place IS 'Counts the selections of the kind from 1';
    COMMENT ON COLUMN casino.kept_return.selection IS 'Selection; NULL: the kind has no selections';
    COMMENT ON COLUMN casino.kept_return.rtp IS 'Return of a stake of 1; NULL: not counted';
    COMMENT ON COLUMN casino.kept_return.hit_rate IS 'How often it wins';
    COMMENT ON COLUMN casino.kept_return.variance IS 'Variance of the profit of a stake of 1';
    COMMENT ON COLUMN casino.kept_return.best_num IS 'Profit of its best line, for best_den staked';
    COMMENT ON COLUMN casino.kept_return.best_den IS 'Stake to which best_num belongs';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_kept_plans()
    IS 'Part of casino.install(): results of plan versions, worked out once';

CREATE FUNCTION casino_internal.plan_guards() RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_plan_guards' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.plan_guards()
    IS 'Part of open_round(): the guards of the plan tables as they stand in the catalog; each change of one '
       'gives another text, also when it is undone';

CREATE FUNCTION casino_internal.forget_plan() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF to_regclass('casino.kept_plan') IS NOT NULL THEN
        IF TG_OP IN ('UPDATE', 'DELETE') THEN
            DELETE FROM casino.kept_plan k WHERE k.plan_id = OLD.plan_id;
        END IF;
        IF TG_OP IN ('UPDATE', 'INSERT') THEN
            DELETE FROM casino.kept_plan k WHERE k.plan_id = NEW.plan_id;
        END IF;
    END IF;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino_internal.forget_plan()
    IS 'Trigger of the plan tables: a version that changes is judged and counted anew';

CREATE FUNCTION casino_internal.plan_is_kept(plan_id bigint) RETURNS boolean
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT FROM casino.kept_plan k
                    WHERE k.plan_id = plan_is_kept.plan_id AND k.guards = casino_internal.plan_guards())
$fn$;
COMMENT ON FUNCTION casino_internal.plan_is_kept(bigint)
    IS 'Part of daily_table(): was the version found without problems under the guards that stand now';

-- Only versions whose changes cannot be under way still: see state/plan_bets.c.
CREATE FUNCTION casino_internal.keep_plans() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept integer;
BEGIN
    PERFORM casino_internal.take_lock('keep_plans');
    DELETE FROM casino.kept_plan k WHERE k.guards <> casino_internal.plan_guards();
    INSERT INTO casino.kept_plan (plan_id, guards, kept_at)
    SELECT p.plan_id, casino_internal.plan_guards(), clock_timestamp()
      FROM casino.game_plan p
     WHERE p.valid_from < clock_timestamp() - interval '1 hour'
       AND NOT EXISTS (SELECT FROM casino.kept_plan k WHERE k.plan_id = p.plan_id)
       AND NOT EXISTS (SELECT FROM casino_internal.check_plan_impl(p.plan_id));
    GET DIAGNOSTICS kept = ROW_COUNT;
    RETURN kept;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_plans()
    IS 'Part of install() and nightly(): keeps which versions in force check_plan() finds without problems. '
       'Returns how many are new';

CREATE FUNCTION casino_internal.keep_returns(day date) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept bigint;
BEGIN
    PERFORM casino_internal.keep_plans();
    WITH staked AS MATERIALIZED (
        SELECT DISTINCT w.plan_id, w.kind
          FROM casino.watched_bet w
          JOIN casino.kept_plan k ON k.plan_id = w.plan_id
         WHERE w.day = keep_returns.day
    )
    INSERT INTO casino.kept_return AS k (plan_id, kind, place, selection, rtp, hit_rate, variance, best_num,
                                         best_den)
    SELECT s.plan_id, s.kind, r.place, r.selection, r.rtp, r.hit_rate, r.variance, r.best_num, r.best_den
      FROM staked s
     CROSS JOIN LATERAL casino_internal.plan_returns(s.plan_id, s.kind)
           WITH ORDINALITY AS r (selection, rtp, hit_rate, variance, best_num, best_den, place)
    ON CONFLICT (plan_id, kind, place) DO UPDATE
        SET selection = excluded.selection, rtp = excluded.rtp, hit_rate = excluded.hit_rate,
            variance = excluded.variance, best_num = excluded.best_num, best_den = excluded.best_den
      WHERE (k.selection, k.rtp, k.hit_rate, k.variance, k.best_num, k.best_den) IS DISTINCT FROM
            (excluded.selection, excluded.rtp, excluded.hit_rate, excluded.variance, excluded.best_num,
             excluded.best_den);
    GET DIAGNOSTICS kept = ROW_COUNT;
    RETURN kept;
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_returns(date)
    IS 'Part of nightly(): keeps the exact counts of the kinds of bet staked on that day, and mends those '
       'kept before that are others. Returns how many rows that were';

CREATE FUNCTION casino_internal.known_returns(plan_id bigint, kind text)
RETURNS TABLE (selection text, rtp numeric, hit_rate numeric, variance numeric, best_num integer,
               best_den integer)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    IF casino_internal.plan_is_kept(plan_id) THEN
        RETURN QUERY
        SELECT r.selection, r.rtp, r.hit_rate, r.variance, r.best_num, r.best_den
          FROM casino.kept_return r
         WHERE r.plan_id = known_returns.plan_id AND r.kind = known_returns.kind
         ORDER BY r.place;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    RETURN QUERY SELECT c.* FROM casino_internal.plan_returns(known_returns.plan_id, known_returns.kind) c;
END
$fn$;
COMMENT ON FUNCTION casino_internal.known_returns(bigint, text)
    IS 'Part of daily_table(): plan_returns(), from casino.kept_return where it has the kind. The night '
       'asks plan_returns() itself';
