-- Sections of the night's page: the morning's work, the balance statement, the signatures.

CREATE FUNCTION casino_internal.morning_labels(OUT key text, OUT cs text, OUT en text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 40 SET search_path = pg_catalog, pg_temp AS $fn$
    VALUES
        ('morning', 'Ranní práce', 'The morning''s work'),
        ('morning_done', 'Nic nezbývá: všechny rozdíly jsou uzavřeny.',
         'Nothing is left: all differences are finished.'),
        ('morning_open', 'Neuzavřených příčin: %s', 'Causes not finished: %s'),
        ('morning_amount', 've prospěch hráčů %s Kč, ve prospěch kasina %s Kč',
         'in favour of players %s CZK, in favour of the house %s CZK'),
        ('morning_since', 'otevřeno od noci %s', 'open since the night of %s'),
        ('morning_second', 'čeká na druhou osobu', 'waits for a second person'),
        ('morning_consequences', 'Důsledků: %s', 'Consequences: %s'),
        ('morning_command', 'Příkaz k dalšímu kroku', 'Command for the next step'),
        ('step.open', 'otevřeno', 'open'), ('step.asked', 'dotázáno', 'asked'),
        ('step.explained', 'vysvětleno', 'explained'), ('step.written_off', 'odepsáno', 'written off'),
        ('person', 'Osoba', 'Person'), ('request', 'Požadavek', 'Request'), ('amount', 'Částka', 'Amount'),
        ('favour', 'Ve prospěch', 'In favour of'), ('expected_is', 'Má být', 'Expected'),
        ('found_is', 'Je', 'Found'), ('last_step', 'Poslední krok', 'Last step'),
        ('signed', 'Podepsal(a)', 'Signed off by'), ('signed_words', '%s, %s', '%s, %s'),
        ('unsigned', 'Den zatím nikdo nepodepsal.', 'The day is not signed off yet.'),
        ('balance_agrees', 'Souhlasí se včerejškem a se součtem peněženek.',
         'It agrees with yesterday and with the sum of the wallets.'),
        ('balance_first', 'Souhlasí se součtem peněženek; včerejší zpráva není.',
         'It agrees with the sum of the wallets; yesterday has no report.'),
        ('balance_differs', 'Nesouhlasí: začátek %s, včerejší konec %s; konec %s, peněženky %s.',
         'It does not agree: opening %s, yesterday''s closing %s; closing %s, wallets %s.'),
        ('event.difference asked about', 'Dotaz k rozdílu', 'Difference asked about'),
        ('event.difference written off', 'Rozdíl odepsán', 'Difference written off'),
        ('event.difference approved', 'Uzavření rozdílu schváleno', 'Difference approved'),
        ('event.day signed off', 'Den podepsán', 'Day signed off')
$fn$;
COMMENT ON FUNCTION casino_internal.morning_labels() IS 'Part of page_labels(): words of the morning''s work';

-- One difference of the list, fact by fact.
CREATE FUNCTION casino_internal.morning_facts(words jsonb, said jsonb) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_list(f.words, VARIADIC ARRAY[
               'person', coalesce(f.said ->> 'external_ref', ''),
               'table', coalesce(f.said ->> 'table_name', ''), 'round', coalesce(f.said ->> 'round_ref', ''),
               'request', coalesce(f.said ->> 'request_id', ''),
               'amount', coalesce(casino_internal.page_money(f.words, (f.said ->> 'amount')::numeric), ''),
               'favour', coalesce(f.words ->> ('favour.' || (f.said ->> 'favour')), ''),
               'expected_is', coalesce(f.said ->> 'expected', ''),
               'found_is', coalesce(f.said ->> 'found', ''),
               'last_step', coalesce(concat_ws(', ', f.said ->> 'noted_by',
                                               casino_internal.page_time(f.words,
                                                                (f.said ->> 'noted_at')::timestamptz),
                                               f.said ->> 'note'), '')])
      FROM (VALUES (morning_facts.words, morning_facts.said)) f (words, said)
$fn$;
COMMENT ON FUNCTION casino_internal.morning_facts(jsonb, jsonb)
    IS 'Part of the pages: the facts of one difference';

CREATE FUNCTION casino_internal.morning_cause(words jsonb, day date, cause jsonb, consequences jsonb)
    RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name details, xmlattributes('open' AS open),
        xmlelement(name summary,
            casino_internal.page_word(f.words, 'check', f.cause ->> 'check_name'), ' ',
            xmlelement(name span,
                concat_ws(', ', f.words ->> ('step.' || (f.cause ->> 'state')),
                    CASE WHEN (f.cause ->> 'waits_for_second')::boolean
                        THEN f.words ->> 'morning_second' END,
                    CASE WHEN (f.cause ->> 'open_since')::date < f.day
                        THEN format(f.words ->> 'morning_since',
                                    casino_internal.page_day(f.words,
                                                             (f.cause ->> 'open_since')::date)) END))),
        -- R12.89
        xmlelement(name p, coalesce(f.words ->> ('say.' || (f.cause ->> 'check_name')), '')),
        casino_internal.morning_facts(f.words, f.cause),
        CASE WHEN f.cause ->> 'command' IS NOT NULL
            THEN xmlconcat(xmlelement(name p, xmlattributes('soft' AS class), f.words ->> 'morning_command'),
                           xmlelement(name pre, f.cause ->> 'command')) END,
        CASE WHEN jsonb_array_length(f.consequences) > 0
            THEN xmlelement(name details,
                xmlelement(name summary, format(f.words ->> 'morning_consequences',
                                                jsonb_array_length(f.consequences))),
                (SELECT xmlagg(xmlconcat(xmlelement(name h3, casino_internal.page_word(f.words, 'check',
                                                                              c.value ->> 'check_name')),
                                         casino_internal.morning_facts(f.words, c.value))
                                             ORDER BY c.ordinality)
                   FROM jsonb_array_elements(f.consequences) WITH ORDINALITY c
                  WHERE c.ordinality <= 50)) END)
      FROM (VALUES (morning_cause.words, morning_cause.day, morning_cause.cause,
                    morning_cause.consequences)) f (words, day, cause, consequences)
$fn$;
COMMENT ON FUNCTION casino_internal.morning_cause(jsonb, date, jsonb, jsonb)
    IS 'Part of the pages: a cause with its consequences folded under it';

CREATE FUNCTION casino_internal.morning_section(words jsonb, day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH row AS MATERIALIZED (
        SELECT m.*, to_jsonb(m) AS whole, row_number() OVER () AS n
          FROM casino.morning(morning_section.day) m),
    cause AS (
        SELECT r.*, (SELECT coalesce(jsonb_agg(c.whole ORDER BY c.n), '[]')
                       FROM row c
                      WHERE c.run_no = r.run_no AND c.cause_no = r.difference_no
                        AND c.difference_no <> r.difference_no) AS led_to
          FROM row r
         -- a consequence whose cause is not on the list stands by itself
         WHERE r.cause_no = r.difference_no
            OR NOT EXISTS (SELECT FROM row k WHERE k.run_no = r.run_no AND k.difference_no = r.cause_no)),
    sums AS (
        SELECT count(*) FILTER (WHERE NOT c.finished) AS left_open,
               coalesce(sum(c.amount) FILTER (WHERE c.amount > 0 AND NOT c.finished), 0.00) AS to_player,
               coalesce(-sum(c.amount) FILTER (WHERE c.amount < 0 AND NOT c.finished), 0.00) AS to_house
          FROM cause c)
    SELECT xmlelement(name section, xmlattributes('morning' AS id),
        xmlelement(name h2, morning_section.words ->> 'morning'),
        CASE WHEN s.left_open = 0
            THEN xmlelement(name p, xmlattributes('good' AS class), morning_section.words ->> 'morning_done')
            ELSE xmlelement(name p, xmlattributes('bad' AS class),
                     format(morning_section.words ->> 'morning_open', s.left_open) || '; '
                     || format(morning_section.words ->> 'morning_amount',
                               casino_internal.page_money(morning_section.words, s.to_player),
                               casino_internal.page_money(morning_section.words, s.to_house))) END,
        (SELECT xmlagg(casino_internal.morning_cause(morning_section.words, morning_section.day, c.whole,
                                                     c.led_to)
                       ORDER BY c.n)
           FROM (SELECT k.* FROM cause k ORDER BY k.n LIMIT 100) c),
        CASE WHEN (SELECT count(*) FROM cause k) > 100
            THEN xmlelement(name p, format(morning_section.words ->> 'more_rows',
                                           (SELECT count(*) - 100 FROM cause k))) END,
        casino_internal.morning_signatures(morning_section.words, morning_section.day))
      FROM sums s
$fn$;
COMMENT ON FUNCTION casino_internal.morning_section(jsonb, date)
    IS 'Part of the pages: the morning''s work after a Prague day, and the signatures of the day';

CREATE FUNCTION casino_internal.morning_signatures(words jsonb, day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(
        (SELECT xmlagg(xmlelement(name p,
                   format(morning_signatures.words ->> 'signed') || ': ',
                   xmlelement(name bdi, format(morning_signatures.words ->> 'signed_words',
                       casino_internal.page_text(s.name),
                       casino_internal.page_time(morning_signatures.words, s.recorded_at))))
                           ORDER BY s.sign_no)
           FROM casino.day_sign_off s
          WHERE s.day = morning_signatures.day),
        xmlelement(name p, xmlattributes('soft' AS class), morning_signatures.words ->> 'unsigned'))
$fn$;
COMMENT ON FUNCTION casino_internal.morning_signatures(jsonb, date)
    IS 'Part of the pages: who signed a day off';

CREATE FUNCTION casino_internal.balance_section(words jsonb, day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH line AS MATERIALIZED (SELECT b.* FROM casino.balance_statement(balance_section.day) b),
    ends AS (
        SELECT max(l.amount) FILTER (WHERE l.line = 'opening') AS opening,
               max(l.other) FILTER (WHERE l.line = 'opening') AS yesterday,
               max(l.amount) FILTER (WHERE l.line = 'closing') AS closing,
               max(l.other) FILTER (WHERE l.line = 'closing') AS wallets,
               bool_and(l.agrees) AS agrees,
               bool_or(l.line = 'opening' AND l.agrees IS NULL) AS first
          FROM line l)
    SELECT xmlconcat(
        casino_internal.page_table(balance_section.words, balance_section.words ->> 'balance_day',
            (SELECT jsonb_agg(jsonb_build_object('item', balance_section.words ->> ('line.' || l.line),
                                                 'amount', l.amount) ORDER BY l.line_no)
               FROM line l), '{item,money:amount}'),
        xmlelement(name p, xmlattributes(CASE WHEN e.agrees THEN 'good' ELSE 'bad' END AS class),
            CASE WHEN e.agrees AND e.first THEN balance_section.words ->> 'balance_first'
                 WHEN e.agrees THEN balance_section.words ->> 'balance_agrees'
                 ELSE format(balance_section.words ->> 'balance_differs',
                             casino_internal.page_money(balance_section.words, e.opening),
                             coalesce(casino_internal.page_money(balance_section.words, e.yesterday), '–'),
                             casino_internal.page_money(balance_section.words, e.closing),
                             casino_internal.page_money(balance_section.words, e.wallets)) END))
      FROM ends e
$fn$;
COMMENT ON FUNCTION casino_internal.balance_section(jsonb, date)
    IS 'Part of the pages: the balance statement of a Prague day, and whether it agrees';
