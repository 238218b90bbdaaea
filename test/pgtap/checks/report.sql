-- The report of a day: a value, and a page that is well-formed whatever people typed.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
SELECT lives_ok($$SELECT casino.daily_report_html('2026-05-01')$$,
                'a day on which nothing happened has a page');
SELECT add_game_table('roulette_synot', '<script>alert(1)</script>', 1, 10000) AS r,
    register_player('"><img onerror=alert(1)>') AS a, register_player('Čeněk & synové') AS b \gset
SELECT deposit(:a, 500000, 'd', '2026-06-01 09:00'), deposit(:b, 5000, 'd', '2026-06-01 09:00') \g /dev/null
SELECT open_round(:r, ']]><x>', '2026-06-01 10:00') AS r1 \gset
SELECT place_bet(:r1, :a, 'straight:17@5000', 'x', at => '2026-06-01 10:01'),
    place_bet(:r1, :b, 'red@100', 'x', at => '2026-06-01 10:01') \g /dev/null
SELECT settle_round(:r1, '{"number": 17}', '2026-06-01 10:05') \g /dev/null
SELECT open_round(:r, 'v', '2026-06-01 11:00') AS r2 \gset
SELECT void_round(:r2, E'<b onclick="x">&amp;\x01\x1b</b>', '2026-06-01 11:05') \g /dev/null
SELECT request_withdrawal(:a, 3000, 'cash', 'w', '2026-06-01 23:00') \g /dev/null
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT daily_report('2026-06-01') AS report \gset
SELECT is((:'report'::jsonb #>> '{liability,total}')::numeric, (500000 + 5000 + 175000 - 100)::numeric,
          'what is owed at the end of the day: 35 to 1 on 5000 won, 100 lost');
SELECT is((:'report'::jsonb #>> '{stakes_by_hour,10}')::numeric, 5100.00, 'stakes by hour');
SELECT is(:'report'::jsonb #>> '{deadlines,0,due_day}', '2026-07-31', 'the last day of a deadline');
SELECT is(:'report'::jsonb #>> '{large_wins,0,external_ref}', '"><img onerror=alert(1)>',
          'the value has what people typed as it is');
CREATE TABLE page AS
SELECT html, substring(html FROM position(E'\n' IN html) + 1) AS document
  FROM daily_report_html('2026-06-01') html;
SELECT ok(xml_is_well_formed_document(document), 'the page is well-formed') FROM page;
SELECT is((SELECT count(*)
             FROM xpath('//script | //img | //b[@*[name() != "class"]] | //x | //iframe | //link | //object',
                        document::xml) AS e
            WHERE cardinality(e) > 0), 0::bigint, 'no text that people typed became an element')
  FROM page;
SELECT is((SELECT count(*)
             FROM xpath('//@*[starts-with(local-name(), "on")] | //@src | //@href | '
                        '//@*[local-name() = "href"]',
                        document::xml) AS e
            WHERE cardinality(e) > 0), 0::bigint, 'nor an attribute that runs or fetches')
  FROM page;
SELECT ok(html LIKE '%&lt;script&gt;alert(1)&lt;/script&gt;%', 'the table''s name is text') FROM page;
SELECT ok(html LIKE '%"&gt;&lt;img onerror=alert(1)&gt;%'
          OR html LIKE '%&quot;&gt;&lt;img onerror=alert(1)&gt;%', 'the player''s too') FROM page;
SELECT unalike(html, '%url(%', 'nothing is fetched') FROM page;
SELECT alike(html, '%prefers-color-scheme:dark%', 'light and dark') FROM page;
SELECT alike(html, '%@media print%', 'paper') FROM page;
SELECT ok(html LIKE '%<bdi>2026-06-01 11:05:00</bdi>%', 'times are of Prague') FROM page;
-- but the time at which the page was made
CREATE FUNCTION undated(html text) RETURNS text
    RETURN regexp_replace(html, '<dt>Made</dt><dd>.*?</dd>', '');
SELECT is(undated(daily_report_html('2026-06-01')), undated(night_page('2026-06-01', 'en')),
          'daily_report_html() is night_page() in English');
SET timezone = 'America/New_York';
SELECT is(undated(daily_report_html('2026-06-01')), undated(html), 'wherever the page is asked for')
  FROM page;
SET timezone = 'Europe/Prague';
SELECT ok(html LIKE '%<b class="good">The day is clean</b>%', 'the reconciliation was clean') FROM page;
-- a night on which nothing fitted: the page's time grows as its rows do (as their square it was minutes)
SET statement_timeout = '60s';
CREATE TABLE long AS
SELECT page_table(page_words('en'), 'Differences',
                  (SELECT jsonb_agg(jsonb_build_object('check_name', 'wallet', 'entry_no', n,
                                                       'expected', '{"balance": 1}',
                                                       'found', '{"balance": 2}') ORDER BY n)
                     FROM generate_series(1, 10001) n),
                  '{check_name,number:entry_no,expected,found}')::text AS page;
RESET statement_timeout;
SELECT is((SELECT array_agg(replace(m[1], ',', '')::integer)
             FROM regexp_matches(page, '<td class="n"[^>]*><bdi>([\d,]+)</bdi></td>', 'g') m),
          (SELECT array_agg(n) FROM generate_series(1, 10001) n), '10 001 rows, in their order') FROM long;
SELECT finish();
