-- The report of a day: its figures in one value, and as a page that reads well on paper, on a phone, in light
-- and dark. The page is made by SQL/XML functions, which escape what people typed; nothing of it is put
-- together as text but numbers.

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

CREATE FUNCTION casino.keep_daily_report(run_no bigint, day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.day_report (day, run_no, report, made_at)
    VALUES (day, run_no, casino.daily_report(day), clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.keep_daily_report(bigint, date)
    IS 'Part of reconciliation_step(): keeps daily_report() of the day as the night found it';

-- Rows of a table from an array of objects; columns by name, those that start with # are numbers.
CREATE FUNCTION casino.report_table(title text, rows jsonb, columns text[]) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name section, xmlelement(name h2, report_table.title),
               CASE WHEN jsonb_array_length(report_table.rows) = 0 THEN xmlelement(name p, 'None.')
                    ELSE xmlelement(name div, xmlattributes('wide' AS class), xmlelement(name "table",
                        xmlelement(name thead,
                                   xmlelement(name tr,
                                              (SELECT xmlagg(xmlelement(
                                                  name th,
                                                  xmlattributes(CASE WHEN c LIKE '#%' THEN 'n' END AS class),
                                                    replace(ltrim(c, '#'), '_', ' ')) ORDER BY n)
                                                 FROM unnest(report_table.columns) WITH ORDINALITY u (c,
                                                         n)))),
                        -- xmlagg() copies all it has for each row: fifty rows, fifty of fifty, and those
                        xmlelement(name tbody, (SELECT xmlagg(m.rows ORDER BY m.n)
                            FROM (SELECT f.n / 50 AS n, xmlagg(f.rows ORDER BY f.n) AS rows
                                    FROM (SELECT (r.ordinality - 1) / 50 AS n,
                                                 xmlagg(xmlelement(
                                                     name tr,
                                                     (SELECT xmlagg(xmlelement(
                                                         name td,
                                                         xmlattributes(
                                                             CASE WHEN c LIKE '#%' THEN 'n' END AS class),
                                                         -- characters that XML does not have
                                                         regexp_replace(
                                                             coalesce(r.value ->> ltrim(c, '#'), ''),
                                                             '[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]',
                                                             '?', 'g')) ORDER BY u.n)
                                                        FROM unnest(report_table.columns) WITH ORDINALITY u (
                                                            c, n)))
                                                       ORDER BY r.ordinality) AS rows
                                            FROM jsonb_array_elements(report_table.rows) WITH ORDINALITY r
                                           GROUP BY 1) f
                                   GROUP BY 1) m)))) END)
$fn$;
COMMENT ON FUNCTION casino.report_table(text, jsonb, text[])
    IS 'Part of daily_report_html(): a table of a page';

-- Bars around zero, one below the other, so that names can be read on a phone too: label and value each; with
-- a band, its middle and half width.
CREATE FUNCTION casino.report_bars(title text, labels text[], amounts numeric[],
                                   middles numeric[] DEFAULT NULL, halves numeric[] DEFAULT NULL)
RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH bar AS (
        SELECT b.n, b.label, coalesce(b.amount, 0) AS amount, b.middle, coalesce(b.half, 0) AS half
          FROM unnest(report_bars.labels, report_bars.amounts, report_bars.middles,
                      report_bars.halves) WITH ORDINALITY b (label, amount, middle, half, n)
    ), scale AS (
        SELECT count(*) AS bars, greatest(max(b.amount), max(b.middle + b.half), 0) AS most,
               least(min(b.amount), min(b.middle - b.half), 0) AS least
          FROM bar b
    ), place AS (
        SELECT b.*, (b.n - 1) * 20 AS y,
               round(170 + 220 * (least(b.amount, 0) - s.least) / nullif(s.most - s.least, 0), 1) AS x,
               round(220 * abs(b.amount) / nullif(s.most - s.least, 0), 1) AS width,
               round(170 + 220 * (b.middle - b.half - s.least) / nullif(s.most - s.least, 0), 1) AS band_x,
               round(440 * b.half / nullif(s.most - s.least, 0), 1) AS band_width,
               round(170 + 220 * (0 - s.least) / nullif(s.most - s.least, 0), 1) AS zero
          FROM bar b CROSS JOIN scale s
    )
    SELECT xmlelement(name section, xmlelement(name h2, report_bars.title),
               CASE WHEN NOT EXISTS (SELECT FROM place p WHERE p.x IS NOT NULL)
                        THEN xmlelement(name p, 'None.')
                    ELSE
               xmlelement(name svg,
                          xmlattributes('http://www.w3.org/2000/svg' AS xmlns,
                                        format('0 0 480 %s',
                                               (SELECT s.bars * 20 + 2 FROM scale s)) AS "viewBox",
                                                      'img' AS role, report_bars.title AS "aria-label"),
                   -- xmlagg() would copy all before for each bar
                   (SELECT xmlparse(CONTENT string_agg(xmlelement(name g,
                        xmlelement(name title, p.label || ': ' || p.amount),
                        CASE WHEN p.middle IS NOT NULL
                                 THEN xmlelement(name rect,
                                                 xmlattributes('band' AS class, p.band_x AS x, p.y + 1 AS y,
                                                               greatest(p.band_width, 1) AS width,
                                                               18 AS height)) END,
                        xmlelement(name rect,
                                   xmlattributes(CASE WHEN p.amount < 0 THEN 'minus' ELSE 'plus' END AS class,
                                                 p.x AS x, p.y + 5 AS y, p.width AS width, 10 AS height)),
                        xmlelement(name text, xmlattributes(0 AS x, p.y + 14 AS y),
                                   CASE WHEN length(p.label) > 26 THEN left(p.label, 25) || '…'
                                        ELSE p.label END),
                        xmlelement(name text, xmlattributes('v' AS class, 480 AS x, p.y + 14 AS y),
                                   p.amount::text))::text, '' ORDER BY p.n)) FROM place p),
                   (SELECT xmlelement(name line,
                                      xmlattributes(max(p.zero) AS x1, max(p.zero) AS x2, 0 AS y1,
                                                    max(p.y) + 20 AS y2))
                      FROM place p)) END)
$fn$;
COMMENT ON FUNCTION casino.report_bars(text, text[], numeric[], numeric[], numeric[])
    IS 'Part of daily_report_html(): bars as SVG, with the band in which they were to be';

CREATE FUNCTION casino.daily_report_html(day date) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT jsonb := casino.daily_report(day);
    style CONSTANT text := 'body{font:15px/1.45 system-ui,sans-serif;margin:0 '
                           'auto;max-width:82em;padding:1em;color:#1b1b1b;background:#fff}'
        'h1{font-size:1.5em}h2{font-size:1.1em;margin:1.4em 0 '
        '.4em}table{border-collapse:collapse;font-size:.9em}th,td{padding:.25em .6em;border-bottom:1px '
        'solid #ccc;text-align:left;vertical-align:top}'
        'th{vertical-align:bottom;font-weight:600}td{min-width:6em;max-width:26em;overflow-wrap:anywhere}td:first-child{min-width:10.5em}td.n{min-width:0}.n{text-align:right;font-variant-numeric:tabular-nums;}td.n{white-space:nowrap}.wide{overflow-x:auto}'
        'svg{width:100%;max-width:640px;height:auto;display:block}svg text{font-size:11px;fill:#333}svg '
        '.v{text-anchor:end;font-variant-numeric:tabular-nums}'
        'svg line{stroke:#888}.plus{fill:#2a6f97}.minus{fill:#b5383b}.band{fill:#e6d9a8}.bad{color:#b5383b}.good{color:#2b7a3d}'
        '@media (min-width:64em){.plots{columns:2}.plots section{break-inside:avoid}.plots '
        'section:first-child h2{margin-top:0}.plots{margin-top:1.4em}}'
        '@media '
        '(prefers-color-scheme:dark){body{color:#e4e4e4;background:#16181b}th,td{border-color:#444}svg '
        'text{fill:#d0d0d0}.plus{fill:#6db1d6}.minus{fill:#e57a77}.band{fill:#4d4526}.bad{color:#ef8a87}.good{color:#7fc98f}}'
        '@media (max-width:40em){body{padding:.6em;font-size:14px}svg text{font-size:12.5px}}'
        '@page{size:A4 landscape;margin:12mm}'
        '@media '
        'print{.plots{break-before:page}h2{break-inside:avoid}body{color:#000;background:#fff;max-width:none;padding:0}.plots{columns:2}svg,tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}table{font-size:7.5pt}th,td{padding:.2em .35em;border-color:#aaa}td{min-width:4em}td:first-child{min-width:8em}'
        'svg text{fill:#000}.plus{fill:#2a6f97}.minus{fill:#b5383b}.band{fill:#e6d9a8}.bad{color:#b5383b}.good{color:#2b7a3d}rect{print-color-adjust:exact}}';
    body xml;
BEGIN
    SELECT xmlconcat(
        xmlelement(name h1, 'Gaming day ' || day),
        xmlelement(name p,
                   xmlattributes(CASE WHEN r #>> '{reconciliation,status}' = 'clean' THEN 'good'
                                      ELSE 'bad' END AS class),
                   CASE WHEN r -> 'reconciliation' = 'null' THEN 'The day was not reconciled.'
                        ELSE
                            format('Reconciliation %s: %s, %s differences.', r #>> '{reconciliation,run_no}',
                                   r #>> '{reconciliation,status}',
                                   jsonb_array_length(r -> 'differences')) END),
        casino.report_table('Differences', r -> 'differences',
                            '{check_name,rule,#player_id,#round_id,#entry_no,expected,found,note}'),
        casino.report_table('Owed at the end of the day, CZK', jsonb_build_array(r -> 'liability'),
                            '{#wallets,#open_stakes,#withheld_winnings,#withdrawals_payable,#total}'),
        casino.report_table('Tables',
                            (SELECT coalesce(jsonb_agg(t || jsonb_build_object(
                                'hold', round((t ->> 'hold')::numeric, 3),
                                   'expected_hold', round((t ->> 'expected_hold')::numeric, 3)) ORDER BY n),
                                   '[]')
                                          FROM jsonb_array_elements(r -> 'tables') WITH ORDINALITY x (t, n)),
                                               '{game,table_name,#rounds_settled,#rounds_withheld,#rounds_voided,#rounds_open,#wagers,#staked,#won,#withheld,#returned,#ggr,#hold,#expected_hold,#z}'),
        xmlelement(name div, xmlattributes('plots' AS class),
            (SELECT casino.report_bars('Hold by table against expectation (band: two standard deviations)',
                                       array_agg(t ->> 'table_name'),
                                       array_agg(round((t ->> 'hold')::numeric, 3)),
                                       array_agg((t ->> 'expected_hold')::numeric),
                                       array_agg(abs(2 * ((t ->> 'hold')::numeric
                                                              - (t ->> 'expected_hold')::numeric)
                                                         / nullif((t ->> 'z')::numeric, 0))))
               FROM jsonb_array_elements(r -> 'tables') t WHERE t ->> 'hold' IS NOT NULL),
            (SELECT casino.report_bars('GGR by game and day, CZK',
                                       array_agg(substr(g ->> 'day', 6) || ' ' || (g ->> 'game') ORDER BY n),
                                       array_agg((g ->> 'ggr')::numeric ORDER BY n))
               FROM jsonb_array_elements(r -> 'ggr') WITH ORDINALITY x (g, n)),
            (SELECT casino.report_bars('Stakes by hour, CZK', array_agg((n - 1)::text ORDER BY n),
                                       array_agg(h::text::numeric ORDER BY n))
               FROM jsonb_array_elements(r -> 'stakes_by_hour') WITH ORDINALITY x (h, n)),
            (SELECT casino.report_bars('Deadlines ahead, CZK by the last day',
                                       array_agg((d ->> 'due_day') || ' ' || (d ->> 'what') ORDER BY n),
                                       array_agg((d ->> 'amount')::numeric ORDER BY n))
               FROM jsonb_array_elements(r -> 'deadlines') WITH ORDINALITY x (d, n))),
        casino.report_table('Accounts, CZK', r -> 'accounts', '{account,#opening,#debits,#credits,#closing}'),
        casino.report_table('Tax base, CZK', r -> 'tax_base',
                            '{game,#stakes,#returned,#winnings,#corrected,#base}'),
        casino.report_table('Large wins', r -> 'large_wins',
                            '{external_ref,game,table_name,round_ref,#staked,#won,#profit,#withheld}'),
        casino.report_table('Events',
                            (SELECT coalesce(jsonb_agg(jsonb_set(e, '{at}',
                                                                 to_jsonb(
                                                                     replace(left(e ->> 'at', 19), 'T', ' ')))
                                                       ORDER BY n),
                                             '[]')
                                FROM jsonb_array_elements(r -> 'events') WITH ORDINALITY x (e, n)),
                                     '{at,event,#player_id,#round_id,#entry_no,#amount,reason,role,actor}'))
                                INTO body;
    RETURN '<!DOCTYPE html>' || E'\n' || xmlelement(name html, xmlattributes('en' AS lang),
        xmlelement(name head, xmlelement(name meta, xmlattributes('utf-8' AS charset)),
                   xmlelement(name meta,
                              xmlattributes('viewport' AS name,
                                            'width=device-width, initial-scale=1' AS content)),
                   xmlelement(name title, 'Gaming day ' || day), xmlelement(name style, style)),
        xmlelement(name body, body))::text;
END
$fn$;
COMMENT ON FUNCTION casino.daily_report_html(date)
    IS 'daily_report() as one self-contained page, for the screen, a phone and paper, light and dark; '
       'nothing in it is a script or fetched, and what people typed is escaped';
