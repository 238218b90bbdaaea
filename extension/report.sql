-- The report of a day: its figures in one value.  night_page() shows them.

CREATE FUNCTION casino.daily_report(day date) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague'
    SET datestyle = 'ISO' AS $fn$
    SELECT jsonb_build_object(
        'day', daily_report.day,
        'tables',
        (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.game, t.table_name), '[]')
           FROM casino.daily_table(daily_report.day, daily_report.day) t),
        'ggr',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('day', g.day, 'game', g.game, 'ggr', g.ggr)
                                   ORDER BY g.day, g.game),
                         '[]')
           FROM (SELECT t.day, t.game, sum(t.ggr) AS ggr
                   FROM casino.daily_table(daily_report.day - 6, daily_report.day) t
                  GROUP BY t.day, t.game) g),
        'tax_base',
        (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')
           FROM casino.tax_base(daily_report.day, daily_report.day) t),
        'accounts',
        (SELECT jsonb_agg(to_jsonb(a)) FROM casino.account_movements(daily_report.day, daily_report.day) a),
        'liability',
        (SELECT to_jsonb(l)
           FROM casino.liability((daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
                                     - interval '1 microsecond') l),
        'stakes_by_hour', (SELECT jsonb_agg(coalesce(s.staked, 0.00) ORDER BY h.hour)
                             FROM generate_series(0, 23) h (hour)
                             LEFT JOIN (
                                 SELECT extract(hour FROM l.posted_at AT TIME ZONE 'Europe/Prague')::integer
                                     AS hour,
                                        sum(l.amount) AS staked
                                   FROM casino.ledger l
                                  WHERE l.kind = 'stake'
                                    AND l.posted_at
                                            >= daily_report.day::timestamp AT TIME ZONE 'Europe/Prague'
                                    AND l.posted_at
                                            < (daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
                                  GROUP BY 1) s ON s.hour = h.hour),
        'deadlines',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('due_day', d.due, 'what', d.what, 'count', d.number,
                                                      'amount', d.amount) ORDER BY d.due, d.what),
                         '[]')
           FROM (SELECT (p.due_at AT TIME ZONE 'Europe/Prague')::date - 1 AS due, p.what, count(*) AS number,
                        sum(p.amount) AS amount
                   FROM casino.payment_deadline((daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
                                                    - interval '1 microsecond') p
                  GROUP BY 1, 2) d),
        'large_wins',
        (SELECT coalesce(jsonb_agg(to_jsonb(w)), '[]')
           FROM casino.large_win(daily_report.day, daily_report.day) w),
        'events',
        (SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]')
           FROM (SELECT s.at, s.event, s.player_id, s.round_id, s.entry_no, s.amount, s.reason, s.detail,
                        s.recorded_at, s.role, s.actor
                   FROM casino.significant_event(daily_report.day, daily_report.day) s
                  LIMIT 1000) e),
        'differences',
        (SELECT coalesce(jsonb_agg(jsonb_build_object('run_no', d.run_no, 'difference_no', d.difference_no,
                                                      'check_name', d.check_name, 'rule', d.rule,
                     'player_id', d.player_id, 'round_id', d.round_id, 'entry_no', d.entry_no,
                     'expected', d.expected, 'found', d.found,
                     'note',
                     (SELECT n.note
                        FROM casino.difference_note n
                       WHERE n.run_no = d.run_no AND n.difference_no = d.difference_no
                       ORDER BY n.note_no DESC
                       LIMIT 1))
                     ORDER BY d.difference_no), '[]')
           FROM (SELECT x.* FROM casino.difference x
                  WHERE x.run_no = (SELECT max(r.run_no)
                                      FROM casino.reconciliation r
                                     WHERE r.from_day <= daily_report.day AND r.to_day = daily_report.day)
                  ORDER BY x.difference_no LIMIT 1000) d),
        'reconciliation',
        (SELECT to_jsonb(r)
           FROM casino.reconciliation r
          WHERE r.from_day <= daily_report.day AND r.to_day = daily_report.day
          ORDER BY r.run_no DESC
          LIMIT 1))
$fn$;
COMMENT ON FUNCTION casino.daily_report(date)
    IS 'The report of a Prague day in one value: tables, GGR of the week, tax base, accounts, liability at '
       'its end, stakes by hour, deadlines ahead, large wins, events, what the last reconciliation of the '
       'day found';

-- R7.117: a report that is kept is sealed, so that it has tokens where daily_report() has texts of persons.
CREATE FUNCTION casino_internal.report_by_tokens(report jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT report_by_tokens.report || jsonb_build_object(
        'large_wins',
        (SELECT coalesce(jsonb_agg(w.win || jsonb_build_object('external_ref', p.token) ORDER BY w.n), '[]')
           FROM jsonb_array_elements(report_by_tokens.report -> 'large_wins') WITH ORDINALITY w (win, n)
           LEFT JOIN casino.person p ON p.external_ref = w.win ->> 'external_ref'),
        'events',
        (SELECT coalesce(jsonb_agg(CASE WHEN e.event -> 'detail' ? 'account'
                                        THEN jsonb_set(e.event, '{detail,account}',
                                                       coalesce(to_jsonb(a.account), 'null'))
                                        ELSE e.event END ORDER BY e.n), '[]')
           FROM jsonb_array_elements(report_by_tokens.report -> 'events') WITH ORDINALITY e (event, n)
           LEFT JOIN casino.payment_account a
                  ON a.player_id = (e.event ->> 'player_id')::bigint
                 AND a.registered_at = (e.event ->> 'at')::timestamptz))
$fn$;
COMMENT ON FUNCTION casino_internal.report_by_tokens(jsonb)
    IS 'Part of reconciliation_step(): daily_report() with tokens instead of persons and payment accounts';

CREATE FUNCTION casino_internal.keep_daily_report(run_no bigint, day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.day_report (day, run_no, report, made_at)
    VALUES (day, run_no, casino_internal.report_by_tokens(casino.daily_report(day)), clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_daily_report(bigint, date)
    IS 'Part of reconciliation_step(): keeps daily_report() of the day as the night found it';
