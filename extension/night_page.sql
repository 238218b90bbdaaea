-- night_page(): a Prague day on one page.  Five figures come first, then the differences, then the tables.
-- All figures are those of daily_report().

-- R9.34: up to two standard deviations are usual, up to three unusual, more are very rare.
CREATE FUNCTION casino_internal.page_z(z numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN z IS NULL THEN 'none' WHEN abs(z) <= 2 THEN 'usual' WHEN abs(z) <= 3 THEN 'odd'
                ELSE 'rare' END;
COMMENT ON FUNCTION casino_internal.page_z(numeric)
    IS 'Part of night_page(): how usual a result is, by its standard deviations';

-- A figure of the first screen: its name, its value, a word to it.
CREATE FUNCTION casino_internal.page_figure(name text, said text, beside text DEFAULT NULL,
                                            class text DEFAULT NULL)
RETURNS xml
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name div, xmlelement(name small, page_figure.name),
               xmlelement(name b, xmlattributes(page_figure.class AS class), page_figure.said),
               CASE WHEN page_figure.beside IS NOT NULL THEN xmlelement(name small, page_figure.beside) END)
$fn$;
COMMENT ON FUNCTION casino_internal.page_figure(text, text, text, text)
    IS 'Part of the pages: a figure of the first screen';

-- The first rows of a list, and how many more there are.
CREATE FUNCTION casino_internal.page_few(words jsonb, title text, rows jsonb, columns text[],
                                         totals jsonb DEFAULT NULL, most integer DEFAULT 300)
RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlconcat(
        casino_internal.page_table(page_few.words, page_few.title,
            CASE WHEN jsonb_array_length(page_few.rows) > page_few.most
                     THEN (SELECT jsonb_agg(r.value ORDER BY r.ordinality)
                             FROM jsonb_array_elements(page_few.rows) WITH ORDINALITY r
                            WHERE r.ordinality <= page_few.most)
                 ELSE page_few.rows END, page_few.columns, page_few.totals),
        CASE WHEN jsonb_array_length(page_few.rows) > page_few.most
                 THEN xmlelement(name p, format(page_few.words ->> 'more_rows',
                                                jsonb_array_length(page_few.rows) - page_few.most)) END)
$fn$;
COMMENT ON FUNCTION casino_internal.page_few(jsonb, text, jsonb, text[], jsonb, integer)
    IS 'Part of the pages: a table of the first rows, with the number of those left out';

-- R9.24: the seal of days is the last one made for them.
CREATE FUNCTION casino_internal.page_days_seal(words jsonb, from_day date, to_day date) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT casino_internal.page_seal(page_days_seal.words, max(s.seal_no),
                                                      page_days_seal.to_day - page_days_seal.from_day + 1,
                                                      count(DISTINCT s.day))
                       FROM casino.day_seal s
                      WHERE s.day BETWEEN page_days_seal.from_day AND page_days_seal.to_day),
                    page_days_seal.words ->> 'not_sealed')
$fn$;
COMMENT ON FUNCTION casino_internal.page_days_seal(jsonb, date, date)
    IS 'Part of night_page() and period_page(): the last seal of days that are all sealed';

CREATE FUNCTION casino_internal.page_night_figures(words jsonb, report jsonb, overdue jsonb) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name div, xmlattributes('figures' AS class),
        casino_internal.page_figure(format(w.w ->> 'check_run',
                                           coalesce(w.r #>> '{reconciliation,run_no}', '–')),
            w.w ->> CASE WHEN w.r -> 'reconciliation' = 'null' THEN 'not_reconciled'
                         WHEN w.r #>> '{reconciliation,status}' = 'clean' THEN 'go_home' ELSE 'stay' END,
            CASE WHEN w.r -> 'reconciliation' = 'null' THEN NULL
                 WHEN EXISTS (SELECT FROM casino.unfinished_run u
                               WHERE u.run_no = (w.r #>> '{reconciliation,run_no}')::bigint)
                     THEN w.w ->> 'broken_off'
                 WHEN w.r #>> '{reconciliation,status}' = 'clean' THEN w.w ->> 'clean_words'
                 ELSE format(w.w ->> 'stay_words', jsonb_array_length(w.r -> 'differences')) END,
            CASE WHEN w.r #>> '{reconciliation,status}' = 'clean' THEN 'good' ELSE 'bad' END),
        casino_internal.page_figure(w.w ->> 'ggr', casino_internal.page_money(w.w, t.ggr),
                                    format(w.w ->> 'of_stakes', casino_internal.page_money(w.w, t.staked))),
        casino_internal.page_figure(w.w ->> 'hold',
                                    coalesce(casino_internal.page_value(w.w, 'share', t.hold::text), '–'),
                                    CASE WHEN t.expected IS NOT NULL
                                             THEN format(w.w ->> 'expected',
                                                         casino_internal.page_value(w.w, 'share',
                                                                                    t.expected::text)) END),
        casino_internal.page_figure(w.w ->> 'owed_players',
                                    casino_internal.page_money(w.w, (w.r #>> '{liability,total}')::numeric)),
        casino_internal.page_figure(w.w ->> 'overdue',
                                    casino_internal.page_money(w.w, o.amount),
                                        format(w.w ->> 'payments', o.number),
                                    CASE WHEN o.number > 0 THEN 'bad' END))
      FROM (SELECT page_night_figures.words AS w, page_night_figures.report AS r) w
     CROSS JOIN (SELECT coalesce(sum((x ->> 'ggr')::numeric), 0.00) AS ggr,
                        coalesce(sum((x ->> 'staked')::numeric), 0.00) AS staked,
                        sum((x ->> 'ggr')::numeric) / nullif(sum((x ->> 'staked')::numeric), 0) AS hold,
                        sum((x ->> 'expected_hold')::numeric * (x ->> 'staked')::numeric)
                            / nullif(sum((x ->> 'staked')::numeric)
                                         FILTER (WHERE x ->> 'expected_hold' IS NOT NULL), 0) AS expected
                   FROM jsonb_array_elements(page_night_figures.report -> 'tables') x) t
     CROSS JOIN (SELECT coalesce(sum((x ->> 'amount')::numeric), 0.00) AS amount, count(*) AS number
                   FROM jsonb_array_elements(page_night_figures.overdue) x) o
$fn$;
COMMENT ON FUNCTION casino_internal.page_night_figures(jsonb, jsonb, jsonb)
    IS 'Part of night_page(): clean or not, GGR, hold against expectation, owed, overdue';

-- The last fourteen days: stakes and GGR of the house, then GGR by game.
CREATE FUNCTION casino_internal.page_two_weeks(words jsonb, day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH figure AS MATERIALIZED (
        SELECT t.day, t.game, t.staked, t.ggr
          FROM casino.daily_table(page_two_weeks.day - 13, page_two_weeks.day) t
    ), plot AS (
        SELECT 1 AS place, page_two_weeks.words ->> 'col.stakes' AS title, f.day, f.staked AS amount
          FROM figure f
        UNION ALL
        SELECT 2, page_two_weeks.words ->> 'ggr', f.day, f.ggr FROM figure f
        UNION ALL
        SELECT 3, (page_two_weeks.words ->> 'ggr') || ': ' || (page_two_weeks.words ->> ('game.' || f.game)),
               f.day, f.ggr FROM figure f
    )
    SELECT xmlelement(name section, xmlelement(name h2, page_two_weeks.words ->> 'two_weeks'),
        coalesce(
            (SELECT xmlelement(name div, xmlattributes('small' AS class),
                               xmlagg(p.picture ORDER BY p.place, p.title))
               FROM (SELECT s.place, s.title,
                            casino_internal.page_bars(s.title,
                                array_agg(casino_internal.page_day(page_two_weeks.words, s.day)
                                          ORDER BY s.day),
                                array_agg(s.amount ORDER BY s.day),
                                array_agg(casino_internal.page_money(page_two_weeks.words, s.amount)
                                          ORDER BY s.day))
                                AS picture
                       FROM (SELECT k.place, k.title, d.at::date AS day,
                                    coalesce(sum(x.amount), 0.00) AS amount
                               FROM (SELECT DISTINCT p.place, p.title FROM plot p) k
                              CROSS JOIN generate_series((page_two_weeks.day - 13)::timestamp,
                                                         page_two_weeks.day::timestamp,
                                                         interval '1 day') d (at)
                               LEFT JOIN plot x ON x.place = k.place AND x.title = k.title
                                               AND x.day = d.at::date
                              GROUP BY 1, 2, 3) s
                      GROUP BY 1, 2) p),
            xmlelement(name p, xmlattributes('none' AS class), page_two_weeks.words ->> 'no_activity')))
$fn$;
COMMENT ON FUNCTION casino_internal.page_two_weeks(jsonb, date)
    IS 'Part of night_page(): the last fourteen days as small multiples';

CREATE FUNCTION casino.night_page(day date, lang text DEFAULT 'cs') RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.night_page(date, text)
    IS 'A Prague day as one self-contained page in Czech (cs) or English (en): clean or not, GGR, hold, owed '
       'and overdue; the differences; tables, the last fourteen days, deadlines, balances, tax base, events';

CREATE FUNCTION casino_internal.night_page_impl(day date, lang text) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague'
    SET datestyle = 'ISO' AS $fn$
DECLARE
    w CONSTANT jsonb := casino_internal.page_words(lang);
    r CONSTANT jsonb := casino.daily_report(day);
    ends CONSTANT timestamptz := (day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    overdue CONSTANT jsonb := (SELECT coalesce(jsonb_agg(to_jsonb(d)
                                                         || jsonb_build_object('player', p.external_ref)
                                                         ORDER BY d.due_at, d.entry_no), '[]')
                                 FROM casino.payment_deadline(ends - interval '1 microsecond') d
                                 JOIN casino.player p ON p.player_id = d.player_id
                                WHERE d.overdue);
    body xml;
BEGIN
    SELECT xmlconcat(
        casino_internal.page_night_figures(w, r, overdue),
        casino_internal.morning_section(w, day),
        casino_internal.page_few(w, w ->> 'overdue', overdue,
            '{what:what,player,money:amount,time:since,time:due_at,number:entry_no}'),
        casino_internal.page_table(w, w ->> 'tables',
            -- corrections count in the GGR (R9.20); a day without them lacks the column (R9.32)
            (SELECT jsonb_agg(t
                              || jsonb_build_object('z', casino_internal.page_z((t ->> 'z')::numeric),
                                                    'corrected',
                                                      nullif((t ->> 'corrected')::numeric, 0)) ORDER BY n)
               FROM jsonb_array_elements(r -> 'tables') WITH ORDINALITY x (t, n)),
            '{game:game,table_name,number:rounds_settled,number:wagers,money:staked,money:won,money:returned,'
            'money:withheld,money:corrected,money:ggr,share:hold,share:expected_hold,z:z}',
            (SELECT jsonb_build_object('staked', sum((t ->> 'staked')::numeric),
                        'won', sum((t ->> 'won')::numeric), 'returned', sum((t ->> 'returned')::numeric),
                        'withheld', sum((t ->> 'withheld')::numeric),
                        'corrected', nullif(sum((t ->> 'corrected')::numeric), 0),
                        'ggr', sum((t ->> 'ggr')::numeric),
                        'rounds_settled', sum((t ->> 'rounds_settled')::numeric),
                        'wagers', sum((t ->> 'wagers')::numeric))
               FROM jsonb_array_elements(r -> 'tables') t)),
        casino_internal.page_two_weeks(w, day),
        -- hours without stakes are left out
        (SELECT xmlelement(name section, xmlelement(name h2, w ->> 'stakes_by_hour'),
                    CASE WHEN count(*) = 0
                             THEN xmlelement(name p, xmlattributes('none' AS class), w ->> 'no_activity')
                         ELSE casino_internal.page_bars(w ->> 'stakes_by_hour',
                                  array_agg(format('%s:00', h.n - 1) ORDER BY h.n),
                                  array_agg(h.staked ORDER BY h.n),
                                  array_agg(casino_internal.page_money(w, h.staked) ORDER BY h.n)) END)
           FROM (SELECT x.h::text::numeric AS staked, x.n
                   FROM jsonb_array_elements(r -> 'stakes_by_hour') WITH ORDINALITY x (h, n)) h
          WHERE h.staked <> 0),
        casino_internal.page_few(w, w ->> 'deadlines',
            (SELECT coalesce(jsonb_agg(d || jsonb_build_object('number', d -> 'count') ORDER BY n), '[]')
               FROM jsonb_array_elements(r -> 'deadlines') WITH ORDINALITY x (d, n)),
            '{day:due_day,what:what,number:number,money:amount}',
            (SELECT jsonb_build_object('amount', sum((d ->> 'amount')::numeric))
               FROM jsonb_array_elements(r -> 'deadlines') d)),
        casino_internal.balance_section(w, day),
        casino_internal.page_cage(w, day),
        casino_internal.page_table(w, w ->> 'accounts', r -> 'accounts',
            '{account:account,money:opening,money:debits,money:credits,money:closing}',
            (SELECT jsonb_build_object('opening', sum((a ->> 'opening')::numeric),
                                       'debits', sum((a ->> 'debits')::numeric),
                                       'credits', sum((a ->> 'credits')::numeric),
                                       'closing', sum((a ->> 'closing')::numeric))
               FROM jsonb_array_elements(r -> 'accounts') a)),
        casino_internal.page_tax(w, r -> 'tax_base'),
        casino_internal.page_few(w, w ->> 'large_wins',
            (SELECT coalesce(jsonb_agg(x || jsonb_build_object('player', x -> 'external_ref', 'corrected',
                                                               nullif((x ->> 'corrected')::numeric, 0))
                                       ORDER BY n),
                             '[]')
               FROM jsonb_array_elements(r -> 'large_wins') WITH ORDINALITY l (x, n)),
            '{player,game:game,table_name,round_ref,money:staked,money:won,money:profit,money:withheld,'
            'money:corrected}'),
        casino_internal.page_few(w, w ->> 'events', casino_internal.page_named(r -> 'events'),
            '{time:at,event:event,player,number:round_id,number:entry_no,money:amount,reason,role,who}'))
      INTO body;
    RETURN casino_internal.page_frame(w, format('%s %s', w ->> 'night', casino_internal.page_day(w, day)),
                                      ARRAY[
        'period',
            format('%s – %s', casino_internal.page_time(w, casino.day_start(day)),
                   casino_internal.page_time(w, ends)),
        'filters',
            format(w ->> 'filter_days', casino_internal.page_day(w, day), casino_internal.page_day(w, day)),
        'seal', casino_internal.page_days_seal(w, day, day)], body, 'landscape');
END
$fn$;
COMMENT ON FUNCTION casino_internal.night_page_impl(date, text)
    IS 'Body of night_page(), run as the owner of the ledger';

CREATE FUNCTION casino.daily_report_html(day date) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.night_page(daily_report_html.day, 'en')
$fn$;
COMMENT ON FUNCTION casino.daily_report_html(date)
    IS 'night_page() of the day in English';
