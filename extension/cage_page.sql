-- Sections of the pages about the cash desks (R12.83): shifts that were counted, and cash that no count
-- covers.

-- R12.85: cash without a place, at a desk that was never counted, or after the last count of its desk.
CREATE FUNCTION casino_internal.page_cage_open(words jsonb, from_day date, to_day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH cash AS (
        SELECT x.desk, sum(x.paid_in) AS paid_in, sum(x.paid_out) AS paid_out
          FROM casino_internal.cage_cash(casino.day_start(page_cage_open.from_day),
                                         casino.day_start(page_cage_open.to_day + 1)) x
         WHERE (EXISTS (SELECT FROM casino.cage_count b WHERE b.desk = x.desk AND b.counted_at <= x.posted_at)
                AND EXISTS (SELECT FROM casino.cage_count a
                             WHERE a.desk = x.desk AND a.counted_at > x.posted_at)) IS NOT TRUE
         GROUP BY x.desk)
    SELECT CASE WHEN count(*) > 0
                    THEN casino_internal.page_few(page_cage_open.words, page_cage_open.words ->> 'cage_open',
                             jsonb_agg(jsonb_build_object(
                                 'desk', coalesce(c.desk, page_cage_open.words ->> 'cage_no_place'),
                                 'paid_in', c.paid_in, 'paid_out', c.paid_out)
                                       ORDER BY c.desk COLLATE "C" NULLS FIRST),
                             '{desk,money:paid_in,money:paid_out}',
                             jsonb_build_object('paid_in', sum(c.paid_in), 'paid_out', sum(c.paid_out))) END
      FROM cash c
$fn$;
COMMENT ON FUNCTION casino_internal.page_cage_open(jsonb, date, date)
    IS 'Part of the pages: cash of the days that no count of a cash desk covers';

CREATE FUNCTION casino_internal.page_cage(words jsonb, day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlconcat(
        casino_internal.page_few(page_cage.words, page_cage.words ->> 'cage',
            coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object('who', s.counted_by)
                               ORDER BY s.desk COLLATE "C", s.count_no), '[]'),
            '{desk,time:since,time:until,money:opening,money:paid_in,money:paid_out,money:moved,'
            'money:expected,money:counted,money:difference,who,note}',
            CASE WHEN count(*) > 1
                     THEN jsonb_build_object('paid_in', sum(s.paid_in), 'paid_out', sum(s.paid_out),
                                             'difference', sum(s.difference)) END),
        CASE WHEN bool_or(s.difference <> 0)
                 THEN xmlelement(name p, xmlattributes('bad' AS class),
                          format(page_cage.words ->> 'cage_differs',
                                 casino_internal.page_money(page_cage.words,
                                                            coalesce(-sum(s.difference)
                                                                         FILTER (WHERE s.difference < 0),
                                                                             0.00)),
                                 casino_internal.page_money(page_cage.words,
                                                            coalesce(sum(s.difference)
                                                                         FILTER (WHERE s.difference > 0),
                                                                             0.00))))
             WHEN count(s.difference) > 0
                 THEN xmlelement(name p, xmlattributes('good' AS class),
                                 page_cage.words ->> 'cage_agrees') END,
        casino_internal.page_cage_open(page_cage.words, page_cage.day, page_cage.day))
      FROM casino.cage_shifts(page_cage.day, page_cage.day) s
$fn$;
COMMENT ON FUNCTION casino_internal.page_cage(jsonb, date)
    IS 'Part of night_page(): shifts of the cash desks that were counted on the day';

CREATE FUNCTION casino_internal.page_cage_period(words jsonb, from_day date, to_day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH desk AS MATERIALIZED (
        SELECT s.desk, count(*) AS number, coalesce(sum(s.paid_in), 0.00) AS paid_in,
               coalesce(sum(s.paid_out), 0.00) AS paid_out, coalesce(sum(s.moved), 0.00) AS moved,
               count(*) FILTER (WHERE s.difference <> 0) AS differing,
               coalesce(-sum(s.difference) FILTER (WHERE s.difference < 0), 0.00) AS short,
               coalesce(sum(s.difference) FILTER (WHERE s.difference > 0), 0.00) AS over
          FROM casino.cage_shifts(page_cage_period.from_day, page_cage_period.to_day) s
         GROUP BY s.desk)
    SELECT xmlconcat(
        casino_internal.page_few(page_cage_period.words, page_cage_period.words ->> 'cage',
            coalesce(jsonb_agg(to_jsonb(d) ORDER BY d.desk COLLATE "C"), '[]'),
            '{desk,number:number,money:paid_in,money:paid_out,money:moved,number:differing,money:short,'
            'money:over}',
            jsonb_build_object('number', sum(d.number), 'paid_in', sum(d.paid_in),
                               'paid_out', sum(d.paid_out), 'moved', sum(d.moved),
                               'differing', sum(d.differing), 'short', sum(d.short), 'over', sum(d.over))),
        casino_internal.page_cage_open(page_cage_period.words, page_cage_period.from_day,
                                       page_cage_period.to_day))
      FROM desk d
$fn$;
COMMENT ON FUNCTION casino_internal.page_cage_period(jsonb, date, date)
    IS 'Part of period_page(): the cash desks of the days, each with its counts and the amounts '
       'missing or over';
