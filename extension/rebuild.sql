-- rebuild(): the state that stakes are decided by, made anew from the evidence: after a restore of the
-- evidence tables only, or to see that it is what it should be. It never reads the state that it makes
-- (R9.6).

CREATE FUNCTION casino_internal.player_states()
RETURNS TABLE (player_id bigint, balance numeric, last_entry_no bigint, last_posted_at timestamptz,
               last_round_id bigint, sequence_started_at timestamptz,
               previous_round_id bigint, previous_sequence_started_at timestamptz, excluded_until timestamptz,
               limited boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH entry AS MATERIALIZED (
        SELECT l.player_id,
               sum(CASE WHEN l.kind = 'carried_forward' THEN l.balance
                        ELSE l.amount * k.wallet_sign END) AS balance,
               max(l.entry_no) AS last_entry_no,
               max(l.posted_at) AS last_posted_at
          FROM casino.carried_entry l
          LEFT JOIN casino.entry_kinds() k ON k.kind = l.kind
         GROUP BY l.player_id
    ), participation AS MATERIALIZED (
        -- of the person: another account is no way around the break
        SELECT q.external_ref, q.player_id, q.round_id, q.place,
               max(q.first_stake_at) FILTER (WHERE q.starts)
                   OVER (PARTITION BY q.external_ref ORDER BY q.place) AS started_at
          FROM (SELECT p.external_ref, l.player_id, l.round_id, l.first_stake_at,
                       row_number() OVER person AS place,
                       coalesce(l.first_stake_at - lag(l.evaluated_at) OVER person
                                    >= make_interval(mins => d.number::integer),
                                true) AS starts
                  FROM casino.live_participation l
                  JOIN casino.duty_period d ON d.name = 'break_minutes'
                                           AND l.first_stake_at >= d.valid_from
                                           AND l.first_stake_at < d.valid_until
                  JOIN casino.player p ON p.player_id = l.player_id
                WINDOW person AS (PARTITION BY p.external_ref
                                  ORDER BY l.player_id, l.first_stake_at, l.round_id)) q
    ), account AS MATERIALIZED (
        SELECT p.player_id, p.external_ref,
               max(m.place) OVER (PARTITION BY p.external_ref ORDER BY p.player_id) AS place
          FROM casino.player p
          LEFT JOIN (SELECT t.player_id, max(t.place) AS place FROM participation t GROUP BY t.player_id) m
               ON m.player_id = p.player_id
    ), joined AS MATERIALIZED (
        -- the round he joined last, be it that all his stakes there went back: then what was before that is
        -- known no more
        SELECT DISTINCT ON (s.player_id) s.player_id, s.round_id
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.game_plan n ON n.plan_id = r.plan_id
          JOIN casino.game g ON g.game = n.game AND g.live
         WHERE s.kind = 'stake'
           AND s.book > (SELECT casino.last_book_away())
         ORDER BY s.player_id, s.entry_no DESC
    ), away AS MATERIALIZED (
        -- R12.55: of a sequence that lies in books that were put away the row itself is all there is
        SELECT w.*
          FROM casino.player w
         WHERE w.last_round_id <= (SELECT casino_internal.last_round_away())
    )
    SELECT p.player_id, coalesce(e.balance, 0), coalesce(e.last_entry_no, 0),
           coalesce(e.last_posted_at, '-infinity'),
           coalesce(t.round_id, a.last_round_id),
           CASE WHEN t.round_id IS NULL THEN a.sequence_started_at ELSE t.started_at END,
           CASE WHEN t.round_id IS NULL THEN a.previous_round_id ELSE b.round_id END,
           CASE WHEN t.round_id IS NULL THEN a.previous_sequence_started_at ELSE b.started_at END,
           (SELECT max(x.excluded_until) FROM casino.exclusion_period x WHERE x.player_id = p.player_id),
           EXISTS (SELECT FROM casino.player_limit x WHERE x.player_id = p.player_id)
      FROM account p
      LEFT JOIN entry e ON e.player_id = p.player_id
      LEFT JOIN participation t ON t.external_ref = p.external_ref AND t.place = p.place
      LEFT JOIN joined j
           ON j.player_id = p.player_id AND t.player_id = p.player_id AND j.round_id = t.round_id
      LEFT JOIN participation b
           ON j.player_id IS NOT NULL AND b.external_ref = p.external_ref AND b.place = p.place - 1
      LEFT JOIN away a ON a.player_id = p.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.player_states()
    IS 'What casino.player should hold of each account, from ledger, rounds, exclusions and limits alone';

CREATE FUNCTION casino_internal.put_player_states() RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_put_player_states' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.put_player_states()
    IS 'Part of rebuild(): brings the rows of players to player_states()';

-- The account whose limits and counters an account took over when it was opened.
CREATE FUNCTION casino_internal.limits_taken_from(player_id bigint) RETURNS bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT max(f.player_id)
      FROM casino.player p
      JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id < p.player_id
      JOIN casino.player_limit l ON l.player_id = f.player_id AND l.limit_no = 1
      JOIN casino.player_limit o ON o.player_id = p.player_id AND o.limit_no = 1
     WHERE p.player_id = limits_taken_from.player_id
       AND (o.measure, o.period, o.requested_at, o.effective_from)
               = (l.measure, l.period, l.requested_at, l.effective_from)
       AND o.amount IS NOT DISTINCT FROM l.amount AND o.recorded_at >= p.registered_at
$fn$;
COMMENT ON FUNCTION casino_internal.limits_taken_from(bigint)
    IS 'Part of rebuild(): the former account of the person whose limits and counters an account has taken '
       'over; NULL: none';

-- The last event that the counters of an account have counted; play of other products only as far as it was
-- recorded before a time.
CREATE FUNCTION casino_internal.last_counted(player_id bigint, recorded_before timestamptz)
    RETURNS timestamptz
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    former CONSTANT bigint := casino_internal.limits_taken_from(player_id);
    began casino.player_limit;
    opened timestamptz;
BEGIN
    SELECT l.*
      INTO began
      FROM casino.player_limit l
     WHERE l.player_id = last_counted.player_id AND l.limit_no = 1;
    SELECT p.registered_at INTO opened FROM casino.player p WHERE p.player_id = last_counted.player_id;
    RETURN greatest(
        CASE WHEN former IS NULL THEN began.requested_at
            ELSE casino_internal.last_counted(former, opened) END,
        (SELECT max(l.posted_at) FROM casino.ledger l
          WHERE l.player_id = last_counted.player_id AND l.book > (SELECT casino.last_book_away())
            AND ((l.kind = 'stake' AND l.amount > 0)
                 OR (l.kind IN ('correction', 'adjustment') AND l.round_id IS NOT NULL)
                 OR (former IS NULL AND l.recorded_at <= began.recorded_at))),
        -- an evaluation counts of who has stakes that stood then; the first limit looks at all rounds he was
        -- in
        (SELECT max(r.evaluated_at) FROM casino.ledger s
           JOIN casino.round r ON r.round_id = s.round_id
           LEFT JOIN casino.ledger f
                ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'
          WHERE s.player_id = last_counted.player_id AND s.kind = 'stake'
            AND s.book > (SELECT casino.last_book_away())
            AND ((r.outcome IS NOT NULL AND (f.entry_no IS NULL OR f.posted_at >= r.evaluated_at))
                 OR (former IS NULL AND r.evaluation_recorded_at <= began.recorded_at))),
        (SELECT max(o.played_at) FROM casino.player p
           JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id <= p.player_id
           JOIN casino.other_play o ON o.player_id = n.player_id
                                   AND (n.player_id = p.player_id
                                        OR o.recorded_at >= CASE WHEN former IS NULL THEN began.recorded_at
                                                                 ELSE opened END)
          WHERE p.player_id = last_counted.player_id AND o.recorded_at < last_counted.recorded_before));
END
$fn$;
COMMENT ON FUNCTION casino_internal.last_counted(bigint, timestamptz)
    IS 'Part of rebuild(): time of the last event that the counters of an account''s limits have counted';

CREATE FUNCTION casino.rebuild() RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.rebuild()
    IS 'Makes the state of players, the counters of their limits and the list of open withdrawals anew from '
       'the evidence: after a restore of the evidence tables only, or where the check state has found a '
       'fault. Stop the clients before: calls that write wait until it has ended. Returns how many rows it '
       'changed: 0 where nothing was wrong';

CREATE FUNCTION casino_internal.rebuild_impl() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    orphan bigint;
    changed bigint;
    made bigint;
BEGIN
    LOCK TABLE casino.player, casino.ledger, casino.round, casino.limit_state, casino.open_withdrawal,
        casino.player_limit, casino.exclusion, casino.other_play
        IN SHARE ROW EXCLUSIVE MODE;
    SELECT min(l.player_id)
      INTO orphan
      FROM casino.ledger l
     WHERE l.book > (SELECT casino.last_book_away())
       AND NOT EXISTS (SELECT FROM casino.player p WHERE p.player_id = l.player_id);
    IF orphan IS NOT NULL THEN
        RAISE EXCEPTION 'player % has entries and is not in casino.player', orphan
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'The person, and when the account was opened and closed, are recorded nowhere '
                           'else.',
                  HINT = 'Restore casino.person and casino.player; balances and counters in them are made '
                         'anew.';
    END IF;
    changed := casino_internal.put_player_states();

    WITH open AS MATERIALIZED (
        SELECT w.player_id, w.entry_no FROM casino.ledger w
         WHERE w.kind = 'withdrawal'
           AND w.book > (SELECT casino.last_book_away())
           AND NOT EXISTS (SELECT FROM casino.ledger e
                            WHERE e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no)
    ), gone AS (
        DELETE FROM casino.open_withdrawal o
         WHERE NOT EXISTS (SELECT FROM open x WHERE x.player_id = o.player_id AND x.entry_no = o.entry_no)
        RETURNING 1
    ), new AS (
        INSERT INTO casino.open_withdrawal (player_id, entry_no)
        SELECT x.player_id, x.entry_no FROM open x
         WHERE NOT EXISTS (SELECT FROM casino.open_withdrawal o
                            WHERE o.player_id = x.player_id AND o.entry_no = x.entry_no)
        RETURNING 1)
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM new) INTO made;
    changed := changed + made;

    -- limits as of the last change asked for, or as of the opening of an account that has taken them over
    WITH limited AS (
        SELECT p.player_id, a.month_after,
               greatest(casino_internal.last_counted(p.player_id, 'infinity'), a.month_after) AS counted_at,
               (SELECT greatest(max(l.requested_at),
                                max(l.recorded_at)
                                    FILTER (WHERE f.former IS NOT NULL
                                              AND l.limit_no = (SELECT max(x.limit_no)
                                                                  FROM casino.player_limit x
                                                                 WHERE x.player_id = f.former)
                                                                       AND l.limit_no
                                                                               = (SELECT max(x.limit_no)
                                                                                    FROM casino.player_limit x
                                                                                   WHERE x.player_id
                                                                                             = p.player_id)))
                  FROM casino.player_limit l WHERE l.player_id = p.player_id) AS limits_at
          FROM casino.player p
         CROSS JOIN LATERAL (SELECT casino_internal.limits_taken_from(p.player_id) AS former) f
         -- counters of a later month know nothing of books that were put away
         CROSS JOIN (SELECT casino.day_start((casino.prague_month(max(c.last_posted_at))
                                              + interval '1 month')::date) AS month_after
                       FROM casino.book_closing c
                      WHERE c.book = ANY (casino_internal.books_away())) a
         WHERE EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = p.player_id)
    ), wanted AS MATERIALIZED (
        SELECT m.player_id, coalesce(k.day, u.day), coalesce(k.staked_day, u.staked_day),
               coalesce(k.lost_day, u.lost_day), coalesce(k.month, u.month),
               coalesce(k.staked_month, u.staked_month), coalesce(k.lost_month, u.lost_month),
               coalesce(k.open_staked, u.open_staked), f.*
          FROM limited m
         CROSS JOIN LATERAL casino_internal.limit_usage_impl(m.player_id, m.counted_at) u
          -- R12.55: all that the row has counted lies in books that were put away
          LEFT JOIN casino.limit_state k
               ON k.player_id = m.player_id AND m.counted_at = m.month_after
              AND k.day < casino.prague_day(m.month_after)
         CROSS JOIN LATERAL (SELECT max(i.amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'day'),
                                    max(i.next_amount)
                                        FILTER (WHERE i.measure = 'stake' AND i.period = 'day'),
                                    max(i.next_from) FILTER (WHERE i.measure = 'stake' AND i.period = 'day'),
                                    max(i.amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'month'),
                                    max(i.next_amount)
                                        FILTER (WHERE i.measure = 'stake' AND i.period = 'month'),
                                    max(i.next_from)
                                        FILTER (WHERE i.measure = 'stake' AND i.period = 'month'),
                                    max(i.amount) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'),
                                    max(i.next_amount)
                                        FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'),
                                    max(i.next_from)
                                        FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'),
                                    max(i.amount)
                                        FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month'),
                                    max(i.next_amount)
                                        FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month'),
                                    max(i.next_from)
                                        FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month')
                               FROM casino.limits_in_force(m.player_id, m.limits_at) i) f
    ), gone AS (
        DELETE FROM casino.limit_state s
         WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.player_id = s.player_id)
        RETURNING 1
    ), put AS (
        INSERT INTO casino.limit_state AS s (player_id, day, staked_day, lost_day, month, staked_month,
                                             lost_month, open_staked,
                limit_stake_day, limit_stake_day_next, limit_stake_day_from, limit_stake_month,
                limit_stake_month_next, limit_stake_month_from,
                limit_net_loss_day, limit_net_loss_day_next, limit_net_loss_day_from, limit_net_loss_month,
                limit_net_loss_month_next, limit_net_loss_month_from)
        SELECT w.* FROM wanted w
            ON CONFLICT (player_id) DO UPDATE
               SET (day, staked_day, lost_day, month, staked_month, lost_month, open_staked,
                    limit_stake_day, limit_stake_day_next, limit_stake_day_from, limit_stake_month,
                    limit_stake_month_next, limit_stake_month_from,
                    limit_net_loss_day, limit_net_loss_day_next, limit_net_loss_day_from,
                    limit_net_loss_month, limit_net_loss_month_next, limit_net_loss_month_from)
                 = (excluded.day, excluded.staked_day, excluded.lost_day, excluded.month,
                    excluded.staked_month, excluded.lost_month, excluded.open_staked,
                    excluded.limit_stake_day, excluded.limit_stake_day_next, excluded.limit_stake_day_from,
                    excluded.limit_stake_month,
                    excluded.limit_stake_month_next, excluded.limit_stake_month_from,
                    excluded.limit_net_loss_day, excluded.limit_net_loss_day_next,
                    excluded.limit_net_loss_day_from, excluded.limit_net_loss_month,
                    excluded.limit_net_loss_month_next, excluded.limit_net_loss_month_from)
             WHERE s.* IS DISTINCT FROM excluded.* RETURNING 1)
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM put) INTO made;
    RETURN changed + made;
END
$fn$;
COMMENT ON FUNCTION casino_internal.rebuild_impl() IS 'Body of rebuild(), run as the owner of the ledger';
