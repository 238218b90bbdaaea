-- Limits that players set themselves, and their counters (D4 §6.5, R7.20).

CREATE TYPE casino.limit_usage AS (
    player_id    bigint,
    day          date,
    staked_day   numeric,
    lost_day     numeric,
    month        date,
    staked_month numeric,
    lost_month   numeric,
    open_staked  numeric
);
COMMENT ON TYPE casino.limit_usage
    IS 'What a player staked and lost on a Prague day and in its month, and his open stakes, in CZK';

CREATE FUNCTION casino_internal.install_limits() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.player_limit (
        player_id      bigint NOT NULL,
        limit_no       integer NOT NULL,
        measure        text NOT NULL CHECK (measure IN ('stake', 'net_loss')),
        period         text NOT NULL CHECK (period IN ('day', 'month')),
        amount         numeric CHECK (amount >= 0 AND amount < 'Infinity'),
        requested_at   timestamptz NOT NULL,
        effective_from timestamptz NOT NULL CHECK (effective_from >= requested_at),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, limit_no)
    );
    CREATE INDEX player_limit_latest ON casino.player_limit (player_id, measure, period, limit_no);
    COMMENT ON INDEX casino.player_limit_latest
        IS 'Finds the limit in force: the latest that has come into effect';
    COMMENT ON TABLE casino.player_limit
        IS 'Append-only: limits players set themselves (D4 §6.5); in force is the latest that has come into '
           'effect';
    COMMENT ON COLUMN casino.player_limit.player_id IS 'Player';
    COMMENT ON COLUMN casino.player_limit.limit_no IS 'Counts the player''s changes from 1';
    COMMENT ON COLUMN casino.player_limit.measure
        IS 'stake: money staked; net_loss: lost in evaluated rounds, and open stakes in full';
    COMMENT ON COLUMN casino.player_limit.period IS 'day or month, calendar of Europe/Prague';
    COMMENT ON COLUMN casino.player_limit.amount IS 'CZK; NULL: no limit';
    COMMENT ON COLUMN casino.player_limit.requested_at IS 'When the player asked for it';
    COMMENT ON COLUMN casino.player_limit.effective_from
        IS 'At once when it is stricter, seven days of 24 hours later when it is not';
    COMMENT ON COLUMN casino.player_limit.recorded_at IS 'When it was written';

    CREATE TABLE casino.limit_state (
        player_id    bigint PRIMARY KEY,
        day          date NOT NULL,
        staked_day   numeric NOT NULL,
        lost_day     numeric NOT NULL,
        month        date NOT NULL,
        staked_month numeric NOT NULL,
        lost_month   numeric NOT NULL,
        open_staked  numeric NOT NULL,
        limit_stake_day             numeric,
        limit_stake_day_next        numeric,
        limit_stake_day_from        timestamptz,
        limit_stake_month           numeric,
        limit_stake_month_next      numeric,
        limit_stake_month_from      timestamptz,
        limit_net_loss_day          numeric,
        limit_net_loss_day_next     numeric,
        limit_net_loss_day_from     timestamptz,
        limit_net_loss_month        numeric,
        limit_net_loss_month_next   numeric,
        limit_net_loss_month_from   timestamptz
    ) WITH (fillfactor = 70);
    COMMENT ON TABLE casino.limit_state
        IS 'Limits in force and their counters, of players who have set limits: all a stake must know in '
           'one row. casino.limits_in_force() and casino.limit_usage() recompute it';
    COMMENT ON COLUMN casino.limit_state.player_id IS 'Player';
    COMMENT ON COLUMN casino.limit_state.day IS 'Prague day of the day counters';
    COMMENT ON COLUMN casino.limit_state.staked_day IS 'CZK staked on that day';
    COMMENT ON COLUMN casino.limit_state.lost_day
        IS 'CZK lost, net of winnings, in rounds evaluated on that day';
    COMMENT ON COLUMN casino.limit_state.month IS 'First day of the Prague month of the month counters';
    COMMENT ON COLUMN casino.limit_state.staked_month IS 'CZK staked in that month';
    COMMENT ON COLUMN casino.limit_state.lost_month
        IS 'CZK lost, net of winnings, in rounds evaluated in that month';
    COMMENT ON COLUMN casino.limit_state.open_staked
        IS 'CZK staked in rounds not evaluated yet, whenever it was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day IS 'CZK that may be staked a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_next IS 'The same from limit_stake_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_from
        IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month
        IS 'CZK that may be staked a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_next IS 'The same from limit_stake_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_from
        IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day IS 'CZK that may be lost a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_next
        IS 'The same from limit_net_loss_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_from
        IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month
        IS 'CZK that may be lost a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_next
        IS 'The same from limit_net_loss_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_from
        IS 'When a laxer limit asked for comes into effect; NULL: none was';

    PERFORM casino_internal.make_append_only('player_limit');
    PERFORM casino_internal.make_recorded('player_limit');
    PERFORM casino_internal.refuse_truncate('limit_state');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_limits() IS 'Part of casino.install(): limits and their counters';

CREATE FUNCTION casino_internal.note_limits(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_limits' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.note_limits(bigint, timestamptz)
    IS 'Part of set_limit(): the player has limits, and counters from here on';

CREATE FUNCTION casino_internal.lock_unevaluated_rounds(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_unevaluated_rounds' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.lock_unevaluated_rounds(bigint)
    IS 'Part of set_limit(): locks the player and the rounds where he has stakes, none of which is '
       'evaluated before the transaction ends';

CREATE FUNCTION casino_internal.limits_pass_until(closed_at timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN casino.payment_due_at(closed_at, 7);
COMMENT ON FUNCTION casino_internal.limits_pass_until(timestamptz)
    IS 'First instant at which an account opened again no longer takes over the limits of one closed then: '
       'after seven calendar days in Europe/Prague (Act 186/2016 §14a)';

-- R11.85: see inherit_duties()
CREATE FUNCTION casino_internal.limits_passed_on(players bigint[])
RETURNS TABLE (player_id bigint, later bigint)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH RECURSIVE passed AS (
        SELECT p.player_id, p.player_id AS account, p.external_ref, p.closed_at
          FROM casino.player p
         WHERE p.player_id = ANY (players)
        UNION ALL
        SELECT n.player_id, l.player_id, l.external_ref, l.closed_at
          FROM passed n
         CROSS JOIN LATERAL (SELECT x.* FROM casino.player x
                              WHERE x.external_ref = n.external_ref AND x.player_id > n.account
                              ORDER BY x.player_id LIMIT 1) l
         WHERE l.registered_at < casino_internal.limits_pass_until(n.closed_at)
           AND EXISTS (SELECT FROM casino.player_limit k WHERE k.player_id = n.account))
    SELECT p.player_id, p.account FROM passed p WHERE p.account <> p.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.limits_passed_on(bigint[])
    IS 'Accounts that have taken over limits and counters of a former account of the person';

CREATE FUNCTION casino.limit_usage(player_id bigint, at timestamptz) RETURNS casino.limit_usage
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.limit_usage(bigint, timestamptz)
    IS 'Counters of casino.limit_state recomputed from the ledger and the play of other products, for the '
       'day and month of a time: with those of a former account of the person whose limits have passed '
       'on';

-- Sums of the days before open_from are kept (R10.40); from there on entries are read. NULL: it is asked for
-- where the player has kept sums. To know it all players and the entries since are counted, which a first
-- limit does not wait for.
CREATE FUNCTION casino_internal.limit_usage_since(player_id bigint, at timestamptz, open_from date)
RETURNS casino.limit_usage
-- plans for one player's numbers gain nothing over the kept ones, and cost 6 ms a call
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $fn$
DECLARE
    usage casino.limit_usage;
    accounts bigint[];
    one bigint;
    began timestamptz;
    before bigint;
    limited_since timestamptz;
    read_from date;
BEGIN
    -- his account, and former ones of the person whose limits and counters have passed on, see
    -- inherit_duties()
    WITH RECURSIVE passed AS (
        SELECT p.player_id, p.external_ref, p.registered_at
          FROM casino.player p
         WHERE p.player_id = limit_usage_since.player_id
        UNION ALL
        SELECT f.player_id, f.external_ref, f.registered_at
          FROM passed n
         CROSS JOIN LATERAL (SELECT x.* FROM casino.player x
                              WHERE x.external_ref = n.external_ref AND x.player_id < n.player_id
                              ORDER BY x.player_id DESC LIMIT 1) f
         WHERE n.registered_at < casino_internal.limits_pass_until(f.closed_at)
           AND EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = f.player_id))
    SELECT array_agg(n.player_id) INTO accounts FROM passed n;
    usage.player_id := player_id;
    usage.day := casino.prague_day(at);
    usage.month := casino.prague_month(at);
    usage.staked_day := 0;
    usage.staked_month := 0;
    usage.lost_day := 0;
    usage.lost_month := 0;
    usage.open_staked := 0;
    FOREACH one IN ARRAY coalesce(accounts, '{}') LOOP
        -- who had no limits when the days were added up has no sums of them
        SELECT min(l.recorded_at) INTO limited_since FROM casino.player_limit l WHERE l.player_id = one;
        IF open_from IS NULL
           AND EXISTS (SELECT FROM casino.kept_day d
                        WHERE d.day >= usage.month
                          AND d.kept_at > limited_since) THEN
            open_from := casino_internal.month_kept_until(usage.month);
        END IF;
        read_from := CASE WHEN limited_since
                               < (SELECT min(d.kept_at)
                                    FROM casino.kept_day d
                                   WHERE d.day >= usage.month AND d.day < open_from)
                          THEN open_from ELSE usage.month END;
        SELECT usage.staked_day + coalesce(sum(k.staked) FILTER (WHERE k.day = usage.day), 0),
               usage.staked_month + coalesce(sum(k.staked), 0),
               usage.lost_day + coalesce(sum(k.lost) FILTER (WHERE k.day = usage.day), 0),
               usage.lost_month + coalesce(sum(k.lost), 0)
          INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month
          FROM casino.kept_player k
         WHERE k.player_id = one AND k.day >= usage.month AND k.day < read_from;
        began := casino.day_start(read_from);
        -- entries of a player come in the order of their times: the month begins after the last one before
        -- it, found backwards by the key; of a month that is kept whole nothing is read
        before := CASE WHEN casino.prague_month(began) = usage.month
                       THEN coalesce((SELECT l.entry_no FROM casino.carried_entry l
                                       WHERE l.player_id = one AND l.posted_at < began
                                       ORDER BY l.entry_no DESC LIMIT 1), 0)
                       ELSE 9223372036854775807 END;
        WITH standing AS (
            -- what corrections added counts on the day posted, not on that of the evaluation (R11.38)
            SELECT w.staked, w.payout - coalesce(w.corrected, 0) AS payout, w.posted_at, w.evaluated_at,
                   -- a result that was found void may have moved nothing: all is a claim
                   CASE WHEN w.corrected IS NOT NULL OR w.status = 'refunded' AND f.entry_no IS NULL
                        THEN 'corrected' ELSE w.status END AS status,
                   w.status <> 'refunded'
                       OR r.betting_closed_at IS NOT NULL AND NOT casino_internal.never_placed(f.reason)
                           AS placed
              FROM casino.wager w
              JOIN casino.round r ON r.round_id = w.round_id
              LEFT JOIN casino.ledger f
                   ON f.player_id = w.player_id AND f.entry_no = w.paid_entry_no AND f.kind = 'refund'
             WHERE w.player_id = one AND w.entry_no > before
            UNION ALL
            -- and stakes from before it whose round was still under way
            SELECT w.staked, w.payout - coalesce(w.corrected, 0), w.posted_at, w.evaluated_at,
                   CASE WHEN w.corrected IS NOT NULL
                             OR w.status = 'refunded'
                                AND NOT EXISTS (SELECT FROM casino.ledger f
                                                 WHERE f.player_id = w.player_id
                                                   AND f.entry_no = w.paid_entry_no
                                                   AND f.kind = 'refund')
                        THEN 'corrected' ELSE w.status END, false
              FROM (SELECT x.round_id FROM casino.round x
                     WHERE casino.prague_day(x.opened_at) < casino.prague_day(x.evaluated_at)
                       AND x.evaluated_at >= began
                       AND x.opened_at < began
                       AND casino.prague_month(began) = usage.month
                    UNION ALL
                    SELECT x.round_id FROM casino.round x WHERE x.status IN ('open', 'closed')) u
             -- OFFSET 0: by the round
             CROSS JOIN LATERAL (SELECT x.*
                                   FROM casino.wager x
                                  WHERE x.round_id = u.round_id AND x.player_id = one
                                 OFFSET 0) w
             WHERE w.entry_no <= before)
        SELECT usage.staked_day + coalesce(sum(s.staked) FILTER (
            WHERE s.placed AND casino.prague_day(s.posted_at) = usage.day
                     AND s.posted_at >= began),
                                           0),
               usage.staked_month + coalesce(sum(s.staked) FILTER (
                   WHERE s.placed AND casino.prague_month(s.posted_at) = usage.month
                     AND s.posted_at >= began),
                                             0),
               usage.lost_day + coalesce(sum(s.staked - s.payout) FILTER (
                   WHERE s.status <> 'refunded' AND casino.prague_day(s.evaluated_at) = usage.day
                     AND s.evaluated_at >= began),
                                         0),
               usage.lost_month + coalesce(sum(s.staked - s.payout) FILTER (
                   WHERE s.status <> 'refunded' AND casino.prague_month(s.evaluated_at) = usage.month
                     AND s.evaluated_at >= began),
                                           0),
               usage.open_staked + coalesce(sum(s.staked) FILTER (WHERE s.status = 'open'), 0)
          INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month, usage.open_staked
          FROM standing s;
        SELECT usage.lost_day
                   - coalesce(sum(l.amount) FILTER (WHERE casino.prague_day(l.posted_at) = usage.day), 0),
               usage.lost_month - coalesce(sum(l.amount), 0)
          INTO usage.lost_day, usage.lost_month
          FROM casino.ledger l
         WHERE l.player_id = one
           AND l.entry_no > before
           AND l.kind IN ('correction', 'adjustment')
           AND l.round_id IS NOT NULL
           AND casino.prague_month(l.posted_at) = usage.month
           AND l.posted_at >= began;
    END LOOP;
    -- play of other products, too: theirs, and play counted for any former account since the first of these
    -- was opened (R11.85)
    SELECT usage.staked_day
               + coalesce(sum(o.staked) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.staked_month + coalesce(sum(o.staked), 0),
           usage.lost_day
               - coalesce(sum(o.result) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.lost_month - coalesce(sum(o.result), 0)
      INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month
      FROM casino.player p
      JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id <= p.player_id
      JOIN casino.other_play o
           ON o.player_id = f.player_id
          AND (f.player_id = ANY (accounts)
               OR o.recorded_at >= (SELECT min(x.registered_at) FROM casino.player x
                                     WHERE x.player_id = ANY (accounts)))
     WHERE p.player_id = limit_usage_since.player_id AND casino.prague_month(o.played_at) = usage.month;
    RETURN usage;
END
$fn$;
COMMENT ON FUNCTION casino_internal.limit_usage_since(bigint, timestamptz, date)
    IS 'Part of limit_usage(): entries of the month are read from a day on, sums of the days before are kept';

-- The first day of a month that is not kept; the first of the next month when all are.
CREATE FUNCTION casino_internal.month_kept_until(month date) RETURNS date
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (
        SELECT coalesce(min(o.first), (month_kept_until.month + interval '1 month')::date)
          FROM casino_internal.open_ranges(greatest(month_kept_until.month,
                                                    (SELECT min(d.day)
                                                       FROM casino.day_total d, casino.kept_until u
                                                      WHERE u.until IS NOT NULL)),
                                           (month_kept_until.month + interval '1 month')::date - 1) o);
END
$fn$;
COMMENT ON FUNCTION casino_internal.month_kept_until(date)
    IS 'Part of limit_usage(): the first day of a month whose sums are not kept';

CREATE FUNCTION casino_internal.limit_usage_impl(player_id bigint, at timestamptz) RETURNS casino.limit_usage
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.limit_usage_since(limit_usage_impl.player_id, limit_usage_impl.at, NULL)
$fn$;
COMMENT ON FUNCTION casino_internal.limit_usage_impl(bigint, timestamptz)
    IS 'Body of limit_usage(), run as the owner of the ledger';

CREATE FUNCTION casino.limits_in_force(player_id bigint, at timestamptz DEFAULT clock_timestamp(),
                                       OUT measure text, OUT period text,
                                       OUT amount numeric, OUT next_amount numeric,
                                       OUT next_from timestamptz) RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT ROWS 4 SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT k.measure, k.period, f.amount, n.amount, n.effective_from
          FROM (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'),
                       ('net_loss', 'month')) AS k (measure, period)
          LEFT JOIN LATERAL (SELECT l.limit_no, l.amount FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id
                                AND l.measure = k.measure
                                AND l.period = k.period
                                AND l.effective_from <= limits_in_force.at
                              ORDER BY l.limit_no DESC LIMIT 1) f ON true
          LEFT JOIN LATERAL (SELECT l.amount, l.effective_from FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id
                                AND l.measure = k.measure
                                AND l.period = k.period
                                AND l.effective_from > limits_in_force.at
                                AND l.limit_no > coalesce(f.limit_no, 0)
                              ORDER BY l.limit_no DESC LIMIT 1) n ON true;
END
$fn$;
COMMENT ON FUNCTION casino.limits_in_force(bigint, timestamptz)
    IS 'A player''s limits at a time, from the history of changes alone, each with the laxer one that waits '
       'to come into effect; amount NULL: no limit';

CREATE FUNCTION casino_internal.laxer_after(asked timestamptz) RETURNS interval
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT make_interval(hours => 24 * casino.duty_number('laxer_limit_days', laxer_after.asked)::integer)
$fn$;
COMMENT ON FUNCTION casino_internal.laxer_after(timestamptz)
    IS 'Part of set_limit(): how long a laxer limit that is asked for then waits (D4 §6.5, R7.23)';

CREATE FUNCTION casino.set_limit(player_id bigint, measure text, period text, amount numeric,
                                 at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_limit(bigint, text, text, numeric, timestamptz)
    IS 'Sets a player''s limit of stake or net_loss (stakes and loss are read as these) a day or month '
       '(NULL: none): a stricter one at once, a laxer one after seven days of 24 hours (D4 §6.5). Returns '
       'the number of the change';

CREATE FUNCTION casino_internal.set_limit_impl(player_id bigint, measure text, period text, amount numeric,
    at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- other words of programs for the same (R7.46)
    what CONSTANT text :=
        CASE measure WHEN 'stakes' THEN 'stake' WHEN 'loss' THEN 'net_loss' ELSE measure END;
    wanted CONSTANT numeric := casino.checked_amount(amount);
    newest casino.player_limit;
    asked timestamptz;
    in_force numeric;
    number integer;
BEGIN
    IF what IS NULL OR what NOT IN ('stake', 'net_loss') OR period IS NULL OR period NOT IN ('day', 'month')
    THEN
        RAISE EXCEPTION 'invalid limit: % a %', measure, period
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'A limit is of stake or net_loss, a day or a month.';
    END IF;
    -- the counters of a first limit start with what is open: evaluations count only for players who have
    -- them, and lock no losers. Rounds before the player, as everywhere
    IF NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = set_limit_impl.player_id) THEN
        PERFORM casino_internal.lock_unevaluated_rounds(player_id);
    END IF;
    PERFORM casino_internal.lock_player(player_id);
    -- a limit of a closed account would bind nobody: the person's new one has taken over what was set before
    -- (R7.27)
    IF (SELECT p.closed_at FROM casino.player p WHERE p.player_id = set_limit_impl.player_id) IS NOT NULL THEN
        PERFORM casino_internal.refuse_moved(player_id);
        RAISE EXCEPTION 'the account of player % is closed', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    SELECT l.* INTO newest FROM casino.player_limit l
     WHERE l.player_id = set_limit_impl.player_id AND l.measure = what AND l.period = set_limit_impl.period
     ORDER BY l.limit_no DESC LIMIT 1;
    IF newest.requested_at = at AND newest.amount IS NOT DISTINCT FROM wanted THEN
        RETURN newest.limit_no;
    END IF;
    asked := casino_internal.event_time(at, newest.requested_at);
    IF asked < newest.requested_at THEN
        RAISE EXCEPTION 'time % is before the last change of this limit', asked
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', asked, 'not_before', newest.requested_at)::text,
                  DETAIL = format('It was asked for at %s.', newest.requested_at);
    END IF;
    SELECT l.amount INTO in_force FROM casino.player_limit l
     WHERE l.player_id = set_limit_impl.player_id
       AND l.measure = what
       AND l.period = set_limit_impl.period
       AND l.effective_from <= asked
     ORDER BY l.limit_no DESC LIMIT 1;
    SELECT coalesce(max(l.limit_no), 0)
      INTO number
      FROM casino.player_limit l
     WHERE l.player_id = set_limit_impl.player_id;
    IF wanted <= in_force OR (wanted IS NOT NULL AND in_force IS NULL) THEN
        -- stricter, or the same: at once; a raise that was waiting is taken back by it
        number := number + 1;
        INSERT INTO casino.player_limit
        VALUES (player_id, number, what, period, wanted, asked, asked, clock_timestamp());
    ELSIF in_force IS NOT NULL THEN
        -- laxer: after seven days (laxer_limit_days) of 24 hours, in any time zone (R7.23). The one in force
        -- is restated, so that no older raise takes effect meanwhile
        IF newest.effective_from > asked THEN
            number := number + 1;
            INSERT INTO casino.player_limit
            VALUES (player_id, number, what, period, in_force, asked, asked, clock_timestamp());
        END IF;
        number := number + 1;
        INSERT INTO casino.player_limit
        VALUES (player_id, number, what, period, wanted, asked, asked + casino_internal.laxer_after(asked),
                clock_timestamp());
    ELSE
        RETURN newest.limit_no;     -- no limit, and none wanted
    END IF;
    PERFORM casino_internal.note_limits(player_id, asked);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.set_limit_impl(bigint, text, text, numeric, timestamptz)
    IS 'Body of set_limit(), run as the owner of the ledger';
