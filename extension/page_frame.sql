-- The parts that all pages share: their words,
-- amounts and times in the page's language, tables, the frame with its style. Pages are made by SQL/XML
-- functions, which escape text that people typed: no markup is put together as text.

-- R9.22: a page has one language, and every word, amount and time of it is in that language.
CREATE FUNCTION casino_internal.page_words(lang text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF lang IS NULL OR lang NOT IN ('cs', 'en') THEN
        RAISE EXCEPTION 'pages are in cs and en, not in "%"', left(lang, 20)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN (SELECT jsonb_object_agg(l.key, CASE lang WHEN 'cs' THEN l.cs ELSE l.en END)
                   || jsonb_build_object('lang', lang)
              FROM casino.page_labels() l)
           -- R12.87
           || (SELECT jsonb_object_agg('game.' || g.game,
                                       CASE lang WHEN 'cs' THEN g.name ELSE coalesce(g.name_en, g.name) END)
                 FROM casino.game g);
END
$fn$;
COMMENT ON FUNCTION casino_internal.page_words(text)
    IS 'Part of the pages: page_labels() in one language, as an '
    'object';

-- R9.23: characters that XML does not have, and those that turn the direction of text, are shown as a
-- replacement: no text that somebody typed changes the text beside it.
-- The body is a string: a database of another encoding refuses the script with a sentence, and not at the
-- first character that the encoding lacks.
CREATE FUNCTION casino_internal.page_text(said text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT regexp_replace(said,
        '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069'
        '\ufffe\uffff]',
        U&'\FFFD', 'g')
$fn$;
COMMENT ON FUNCTION casino_internal.page_text(text)
    IS 'Part of the pages: a text without control characters and turns of direction';

CREATE FUNCTION casino_internal.page_word(words jsonb, key text, said text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(words ->> (key || '.' || said), casino_internal.page_text(said));
COMMENT ON FUNCTION casino_internal.page_word(jsonb, text, text)
    IS 'Part of the pages: the name of a code; a code without one stands as it is';

CREATE FUNCTION casino_internal.page_money(words jsonb, amount numeric) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE words ->> 'lang'
                WHEN 'cs' THEN translate(to_char(amount, 'FM999,999,999,999,999,990.00'), ',.-',
                                         U&'\00A0,\2212')
                ELSE translate(to_char(amount, 'FM999,999,999,999,999,990.00'), '-', U&'\2212') END
$fn$;
COMMENT ON FUNCTION casino_internal.page_money(jsonb, numeric)
    IS 'Part of the pages: an amount with its thousands and two decimals, as the language writes it';

-- The hour that the end of summer time repeats is told apart by its zone.
CREATE FUNCTION casino_internal.page_time(words jsonb, at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN NOT isfinite(page_time.at) THEN '–'
                ELSE to_char(t.prague, CASE page_time.words ->> 'lang'
                                            WHEN 'cs' THEN 'FMDD. FMMM. YYYY HH24:MI:SS'
                                            ELSE 'YYYY-MM-DD HH24:MI:SS' END)
                     || CASE WHEN t.prague = (page_time.at + interval '1 hour') AT TIME ZONE 'Europe/Prague'
                                 THEN CASE page_time.words ->> 'lang' WHEN 'cs' THEN ' SELČ' ELSE ' CEST' END
                             WHEN t.prague = (page_time.at - interval '1 hour') AT TIME ZONE 'Europe/Prague'
                                 THEN CASE page_time.words ->> 'lang' WHEN 'cs' THEN ' SEČ' ELSE ' CET' END
                             ELSE '' END END
      FROM (SELECT page_time.at AT TIME ZONE 'Europe/Prague' AS prague) t
$fn$;
COMMENT ON FUNCTION casino_internal.page_time(jsonb, timestamptz) IS 'Part of the pages: a time in Prague';

CREATE FUNCTION casino_internal.page_day(words jsonb, day date) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    RETURN to_char(day, CASE words ->> 'lang' WHEN 'cs' THEN 'FMDD. FMMM. YYYY' ELSE 'YYYY-MM-DD' END);
COMMENT ON FUNCTION casino_internal.page_day(jsonb, date) IS 'Part of the pages: a day';

-- A bet in words: its kind and its choice.
CREATE FUNCTION casino_internal.page_bet(words jsonb, bet text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_word(page_bet.words, 'bet', casino.kind(page_bet.bet::casino.bet))
           || CASE WHEN split_part(split_part(page_bet.bet, '@', 1), ':', 2) = '' THEN ''
                   ELSE ' ' || replace(split_part(split_part(page_bet.bet, '@', 1), ':', 2), '-', ', ') END
$fn$;
COMMENT ON FUNCTION casino_internal.page_bet(jsonb, text)
    IS 'Part of the pages: a bet without its stake, in words';

-- A value of a row as its column shows it.  A column is "name" or "how:name"; how is money, number, time,
-- day, bet, odds, or the first part of a label's key.
CREATE FUNCTION casino_internal.page_value(words jsonb, how text, said text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE page_value.how
                WHEN 'money' THEN casino_internal.page_money(page_value.words, page_value.said::numeric)
                WHEN 'number' THEN casino_internal.page_text(page_value.said)
                WHEN 'share' THEN translate(to_char(100 * page_value.said::numeric, 'FM999990.0'),
                                            CASE page_value.words ->> 'lang' WHEN 'cs' THEN '.-' ELSE '-' END,
                                            CASE page_value.words ->> 'lang' WHEN 'cs' THEN U&',\2212'
                                                 ELSE U&'\2212' END) || U&'\00A0%'
                WHEN 'time' THEN casino_internal.page_time(page_value.words, page_value.said::timestamptz)
                WHEN 'day' THEN casino_internal.page_day(page_value.words, page_value.said::date)
                WHEN 'bet' THEN casino_internal.page_bet(page_value.words, page_value.said)
                WHEN 'flag' THEN page_value.words ->> CASE page_value.said WHEN 'true' THEN 'yes'
                    ELSE 'no' END
                WHEN 'event' THEN coalesce(page_value.words ->> ('event.' || split_part(page_value.said,
                    ': ', 1)),
                                           casino_internal.page_text(split_part(page_value.said, ': ', 1)))
                                  || CASE WHEN position(': ' IN page_value.said) = 0 THEN ''
                                          ELSE ': ' || coalesce(
                                              page_value.words ->> ('action.' || split_part(page_value.said,
                                                  ': ', 2)),
                                              page_value.words ->> ('check.' || split_part(page_value.said,
                                                  ': ', 2)),
                                              page_value.words ->> ('source.' || split_part(page_value.said,
                                                  ': ', 2)),
                                              page_value.words ->> ('how.' || split_part(page_value.said,
                                                  ': ', 2)),
                                              -- R12.88
                                              page_value.words ->> ('about.' || split_part(page_value.said,
                                                  ': ', 2)),
                                              casino_internal.page_text(split_part(page_value.said, ': ',
                                                                                   2))) END
                WHEN '' THEN casino_internal.page_text(page_value.said)
                ELSE casino_internal.page_word(page_value.words, page_value.how, page_value.said) END
$fn$;
COMMENT ON FUNCTION casino_internal.page_value(jsonb, text, text)
    IS 'Part of the pages: a value as a column shows it';

-- R9.33: a word of 25 characters or more is broken where it must be, a shorter one is not.
CREATE FUNCTION casino_internal.page_row(words jsonb, columns text[], said jsonb) RETURNS xml
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name tr, xmlagg(xmlelement(name td,
               xmlattributes(CASE WHEN c.how IN ('money', 'number', 'share') THEN 'n' END AS class,
                             page_row.words ->> ('col.' || c.name) AS "data-label"),
               xmlelement(name bdi, xmlattributes(CASE WHEN v.said ~ '\S{25}' THEN 'long' END AS class),
                          v.said))
                                      ORDER BY c.n))
      FROM (SELECT u.n, CASE WHEN position(':' IN u.c) > 0 THEN split_part(u.c, ':', 1) ELSE '' END AS how,
                   CASE WHEN position(':' IN u.c) > 0 THEN split_part(u.c, ':', 2) ELSE u.c END AS name
              FROM unnest(page_row.columns) WITH ORDINALITY u (c, n)) c
     CROSS JOIN LATERAL (SELECT coalesce(casino_internal.page_value(page_row.words, c.how,
                                                                    page_row.said ->> c.name),
                                         CASE WHEN c.n = 1 AND page_row.said ? '#'
                                             THEN page_row.words ->> 'total' END,
                                         '') AS said) v
$fn$;
COMMENT ON FUNCTION casino_internal.page_row(jsonb, text[], jsonb) IS 'Part of the pages: a row of a table';

-- R9.32: a column that is empty in every row is left out.
CREATE FUNCTION casino_internal.page_columns(rows jsonb, columns text[], totals jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT array_agg(u.c ORDER BY u.n)
      FROM (SELECT c.c, c.n, regexp_replace(c.c, '^.*:', '') AS name
              FROM unnest(page_columns.columns) WITH ORDINALITY c (c, n)) u
     WHERE coalesce(page_columns.totals ->> u.name, '') <> ''
        OR EXISTS (SELECT FROM jsonb_array_elements(page_columns.rows) r
                    WHERE coalesce(r.value ->> u.name, '') <> '')
$fn$;
COMMENT ON FUNCTION casino_internal.page_columns(jsonb, text[], jsonb)
    IS 'Part of page_table(): the columns that have a value';

-- A table; without rows it says "No activity".  Totals are a row of the same columns.
CREATE FUNCTION casino_internal.page_table(words jsonb, title text, rows jsonb, columns text[],
    totals jsonb DEFAULT NULL)
RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name section,
        CASE WHEN page_table.title IS NOT NULL THEN xmlelement(name h2, page_table.title) END,
        CASE WHEN coalesce(jsonb_array_length(page_table.rows), 0) = 0
                 THEN xmlelement(name p, xmlattributes('none' AS class), page_table.words ->> 'no_activity')
             ELSE xmlelement(name "table",
                 xmlattributes(CASE WHEN cardinality(s.columns) > 7 THEN 'many' END AS class),
                 xmlelement(name thead, xmlelement(name tr,
                     (SELECT xmlagg(xmlelement(name th,
                                               xmlattributes('col' AS scope,
                                                             CASE WHEN u.c ~ '^(money|number|share):'
                                                                 THEN 'n' END
                                                                 AS class),
                                               page_table.words ->> ('col.' || regexp_replace(u.c, '^.*:',
                                                   '')))
                                    ORDER BY u.n)
                        FROM unnest(s.columns) WITH ORDINALITY u (c, n)))),
                 -- xmlagg() copies all it has for each row: fifty rows, then fifty of fifty
                 xmlelement(name tbody,
                     (SELECT xmlagg(f.rows ORDER BY f.n)
                        FROM (SELECT g.n / 50 AS n, xmlagg(g.rows ORDER BY g.n) AS rows
                                FROM (SELECT (r.ordinality - 1) / 50 AS n,
                                             xmlagg(casino_internal.page_row(page_table.words, s.columns,
                                                 r.value)
                                                    ORDER BY r.ordinality) AS rows
                                        FROM jsonb_array_elements(page_table.rows) WITH ORDINALITY r
                                       GROUP BY 1) g
                               GROUP BY 1) f)),
                 CASE WHEN page_table.totals IS NOT NULL
                          THEN xmlelement(name tfoot, casino_internal.page_row(page_table.words, s.columns,
                                                                               page_table.totals
                                                                                   || '{"#": 0}')) END) END)
      -- OFFSET 0: counted once, not once a row
      FROM (SELECT casino_internal.page_columns(page_table.rows, page_table.columns, page_table.totals)
            AS columns
            OFFSET 0) s
$fn$;
COMMENT ON FUNCTION casino_internal.page_table(jsonb, text, jsonb, text[], jsonb)
    IS 'Part of the pages: a table with its totals; "No activity" without rows';

-- Names with their values, as a list.
CREATE FUNCTION casino_internal.page_list(words jsonb, VARIADIC said text[]) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name dl, xmlattributes('facts' AS class),
               xmlagg(xmlelement(name div, xmlattributes(CASE WHEN page_list.said[n] = 'seal'
                   THEN 'wide' END AS class),
                                 xmlelement(name dt, page_list.words ->> page_list.said[n]),
                                 xmlelement(name dd, xmlelement(name bdi,
                                     casino_internal.page_text(page_list.said[n + 1]))))
                      ORDER BY n))
      FROM generate_series(1, cardinality(page_list.said), 2) n
     WHERE page_list.said[n + 1] <> ''
$fn$;
COMMENT ON FUNCTION casino_internal.page_list(jsonb,
    text[]) IS 'Part of the pages: names and values; an empty value is left out';

-- R9.24: a page names the seal that covers all it shows; where a part is not covered, it says so.
CREATE FUNCTION casino_internal.page_seal(words jsonb, seal_no bigint, parts bigint, sealed bigint)
    RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN page_seal.sealed > 0 AND page_seal.sealed = page_seal.parts
                    THEN (SELECT format('%s, %s', s.seal_no, encode(s.root, 'hex'))
                            FROM casino.day_seal s WHERE s.seal_no = page_seal.seal_no)
                WHEN page_seal.sealed > 0 THEN page_seal.words ->> 'sealed_partly'
                ELSE page_seal.words ->> 'not_sealed' END
$fn$;
COMMENT ON FUNCTION casino_internal.page_seal(jsonb, bigint, bigint, bigint)
    IS 'Part of the pages: number and root of the last seal of a page, or that it is not sealed '
        'yet';

-- R9.31: without the setting a page says so; the name of a database is not the operator's.
CREATE FUNCTION casino_internal.page_operator(words jsonb) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
    RETURN coalesce(nullif(current_setting('casino.operator', true), ''), words ->> 'operator_missing');
COMMENT ON FUNCTION casino_internal.page_operator(jsonb)
    IS 'Part of the pages: the operator as the setting casino.operator names it, or that it is missing';

CREATE FUNCTION casino_internal.page_style(paper text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ':root{--ink:#1b1b1b;--soft:#595959;--ground:#fff;--panel:#f4f5f7;--rule:#c9ccd1;--accent:#1f5f86;'
        '--good:#1f6b34;--bad:#a3262b;--plus:#2a6f97;--minus:#b5383b;--line:#878c94}'
        '*{box-sizing:border-box}'
        'body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:76em;padding:1.2em;'
        'color:var(--ink);'
        'background:var(--ground);overflow-wrap:break-word}'
        '.long,h1,h3,summary,dd,pre,figcaption{overflow-wrap:anywhere}'
        'h1{font-size:1.6em;line-height:1.2;margin:0 0 .3em}h2{font-size:1.15em;margin:1.7em 0 .5em;'
        'padding-bottom:.2em;border-bottom:2px solid var(--accent)}h3{font-size:1em;margin:1.1em 0 .4em}'
        'p{margin:.4em 0}header{border-bottom:1px solid var(--rule);padding-bottom:.8em}'
        '.none,.soft,footer{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}'
        'dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(15em,1fr));gap:.35em 1.5em;'
        'margin:.6em 0}'
        'dl.facts div{min-width:0}dl.facts .wide{grid-column:1/-1}dt{color:var(--soft);font-size:.82em}'
        'dd{margin:0}'
        'table{border-collapse:collapse;width:100%;font-size:.88em}th,td{padding:.3em .5em;text-align:left;'
        'vertical-align:top;border-bottom:1px solid var(--rule)}thead th{vertical-align:bottom;'
        'color:var(--soft);'
        'font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}'
        'tfoot td{font-weight:700;border-bottom:0;border-top:2px solid var(--ink)}'
        'pre{white-space:pre-wrap;font:12px/1.4 ui-monospace,monospace;background:var(--panel);'
        'padding:.8em;margin:.4em 0;'
        'border-radius:4px}details{margin:.3em 0;border:1px solid var(--rule);border-radius:4px;'
        'padding:.4em .7em}'
        'summary{cursor:pointer;font-weight:600}summary span{font-weight:400;color:var(--soft)}'
        '.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(11em,1fr));gap:.7em;margin:1em 0}'
        '.figures div{background:var(--panel);border-radius:6px;padding:.7em .9em}.figures b{display:block;'
        'font-size:1.35em;line-height:1.25;font-variant-numeric:tabular-nums}.figures '
        'small{color:var(--soft);display:block}'
        '.hands{display:flex;flex-wrap:wrap;gap:1em 1.6em;margin:.6em 0}.hands figure{margin:0;min-width:0;'
        'break-inside:avoid}'
        'figcaption{font-size:.88em;margin-bottom:.3em}.row{display:flex;flex-wrap:wrap;gap:4px}'
        '.card{width:46px;height:64px;display:block}.wheel{width:110px;height:110px;display:block}'
        '.plot{width:100%;max-width:46em;height:auto;display:block}.plot text{fill:var(--ink)}'
        '.timeline{width:100%;height:244px;display:block}.timeline text{fill:var(--ink);font-size:12px}'
        '.timeline line{stroke:var(--line)}.plus{fill:var(--plus)}.minus{fill:var(--minus)}'
        '.small{display:grid;grid-template-columns:repeat(auto-fit,minmax(13em,1fr));gap:1em}.small '
        'figure{margin:0}'
        '.sign{margin-top:3em;border-top:1px solid var(--ink);max-width:24em;font-size:.85em;'
        'padding-top:.2em}'
        'footer{margin-top:2em;font-size:.82em}'
        '@media (prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a9adb3;--ground:#15171a;'
        '--panel:#20242a;'
        '--rule:#434850;--accent:#6db1d6;--good:#7fc98f;--bad:#f09a97;--plus:#6db1d6;--minus:#e57a77;'
        '--line:#757c86}}'
        -- on a narrow screen a row is a list of its columns; tables with many columns need more width
        '@media screen and (max-width:64em){' || replace(s.stacked, '#', 'table.many') || '}'
        '@media screen and (max-width:44em){body{padding:.8em;font-size:14px}'
            || replace(s.stacked, '#', 'table') || '}'
        '@page{size:A4 ' || page_style.paper
            || ';margin:14mm 12mm 16mm;@bottom-right{content:counter(page) " / "'
        ' counter(pages);font:8pt system-ui,sans-serif}}'
        '@media print{:root{--ink:#000;--soft:#444;--ground:#fff;--panel:#f1f1f1;--rule:#aaa;'
        '--accent:#1f5f86;'
        '--good:#1f6b34;--bad:#a3262b;--plus:#2a6f97;--minus:#b5383b;--line:#878c94}'
        'body{max-width:none;padding:0;font-size:9.5pt}table{font-size:7.8pt}th,td{padding:.22em .35em}'
        'tr,figure,.figures{break-inside:avoid}h2,h3{break-after:avoid}thead{display:table-header-group}'
        'details{border:0;padding:0}details::details-content{content-visibility:visible}'
        'table.many{font-size:6.8pt}table.many td,table.many th{padding:.2em .25em}'
        'pre{font-size:7pt}svg *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}'
      FROM (SELECT '# thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}'
                '#,# tbody,# tfoot,# tr,# td{display:block;width:100%}'
                '# tr{padding:.4em 0;border-bottom:1px solid var(--rule)}'
                '# td{border:0;padding:.1em 0;display:grid;grid-template-columns:9em minmax(0,1fr);gap:.6em}'
                '# td.n{text-align:left;white-space:normal}'
                '# td::before{content:attr(data-label);color:var(--soft);font-weight:400;text-align:left}'
                '# td:has(bdi:empty){display:none}# tfoot td{border:0}' AS stacked) s
$fn$;
COMMENT ON FUNCTION casino_internal.page_style(text)
    IS 'Part of the pages: their style; portrait or landscape on '
    'paper';

CREATE FUNCTION casino_internal.page_frame(words jsonb, title text, about text[], body xml,
    paper text DEFAULT 'portrait')
RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '<!DOCTYPE html>' || E'\n' || xmlelement(name html, xmlattributes(page_frame.words ->> 'lang'
        AS lang),
        xmlelement(name head,
            xmlelement(name meta, xmlattributes('utf-8' AS charset)),
            xmlelement(name meta, xmlattributes('viewport' AS name, 'width=device-width, initial-scale=1'
                AS content)),
            xmlelement(name title, casino_internal.page_text(page_frame.title)),
            xmlelement(name style, casino_internal.page_style(page_frame.paper))),
        xmlelement(name body,
            xmlelement(name header,
                xmlelement(name h1, xmlelement(name bdi, casino_internal.page_text(page_frame.title))),
                casino_internal.page_list(page_frame.words, VARIADIC
                    ARRAY['operator', casino_internal.page_operator(page_frame.words)]
                    || page_frame.about
                    || ARRAY['versions',
                             format(page_frame.words ->> 'software',
                                    (SELECT e.extversion FROM pg_extension e WHERE e.extname = 'casino'), 1),
                             'made', format(page_frame.words ->> 'made_by',
                                            casino_internal.page_time(page_frame.words,
                                                                      statement_timestamp()),
                                            session_user)]),
                xmlelement(name p, xmlattributes('soft' AS class), page_frame.words ->> 'zone')),
            xmlelement(name main, page_frame.body),
            xmlelement(name p, xmlattributes('sign' AS class), page_frame.words ->> 'signature')))::text
$fn$;
COMMENT ON FUNCTION casino_internal.page_frame(jsonb, text, text[], xml, text)
    IS 'Part of the pages: title, operator, period, versions, when and by whom, then the body';
