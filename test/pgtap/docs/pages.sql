-- The pages that people sign: words in two languages, figures counted by hand, nothing typed becomes markup.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'America/New_York';
SET search_path = public, casino, casino_internal;
SELECT no_plan();

-- the operator at the head of a page
SELECT is(casino_internal.page_operator(page_words('en')), 'not named (setting casino.operator)',
          'R9.31: without a name a page says that the setting is missing');
SET casino.operator = 'Kasino a.s.';
SELECT is(casino_internal.page_operator(page_words('en')), 'Kasino a.s.', 'R9.31: the name of the operator');
RESET casino.operator;

-- R9.21: one list of words
SELECT is((SELECT string_agg(key, ' ') FROM (SELECT key
    FROM casino.page_labels() GROUP BY key HAVING count(*) > 1) k), NULL,
          'R9.21: each key once');
SELECT is((SELECT string_agg(key, ' ') FROM casino.page_labels() WHERE coalesce(btrim(cs),
    '') = '' OR coalesce(btrim(en), '') = ''),
          NULL, 'R9.21: each key in both languages');
CREATE TABLE wanted AS
SELECT 'bet.' || kind AS key FROM casino.bet_rule
UNION SELECT 'grade.' || grade FROM casino.paytable
UNION SELECT 'check.' || check_name FROM casino.reconciliation_checks()
UNION SELECT 'entry.' || kind FROM casino.entry_kinds()
-- R12.89: a sentence for each check
UNION SELECT 'say.' || check_name FROM casino.reconciliation_checks()
UNION SELECT 'account.' || a FROM casino.entry_kinds(), unnest(ARRAY[debit_account, credit_account]) a
UNION SELECT 'grade.' || poker_category(h::hand)
        FROM unnest(ARRAY['As Ks Qs Js Ts', '9s 8s 7s 6s 5s', '9s 9h 9d 9c 5s', '9s 9h 9d 5c 5s',
            'As 9s 7s 4s 2s',
                          '9s 8h 7s 6s 5s', '9s 9h 9d 6c 5s', '9s 9h 6d 6c 5s', '9s 9h 7d 6c 5s',
                              'As 9h 7d 6c 5s']) h
-- the words that functions of the pages ask for by name
UNION SELECT m[1] FROM pg_proc p, regexp_matches(p.prosrc, '(?:words|w) ->> ''([a-z0-9_.]+)''', 'g') m
       WHERE p.pronamespace = ANY (casino_internal.schemas()) AND p.proname ~ '(^page_|_page_impl$)'
-- R12.88: events, breaches, figures of the duties, ways to pay, reasons of refunds
UNION SELECT 'event.' || e[1]
        FROM regexp_matches((SELECT prosrc FROM pg_proc WHERE oid = 'casino.significant_event'::regproc),
                            'SELECT (?:[a-z]+[(][^)]*[)]|[a-z_.]+),\s+''([a-z][a-z ]+)(?:: '' [|][|] |'')',
                            'g') e
UNION SELECT 'event.' || unnest('{table closed,table opened again}'::text[])
UNION SELECT 'about.' || r FROM unnest(string_to_array(
        (SELECT string_agg(m[1], ' ')
           FROM regexp_matches(col_description('casino.breach'::regclass, 3), '([a-z_]+): ', 'g') m), ' ')) r
UNION SELECT 'about.' || name FROM casino.duty_rule
UNION SELECT 'about.' || unnest('{adjust_amount,finish_amount,aml_euro,euro_rate,method_required,'
                                'clear,excluded,unavailable}'::text[])
UNION SELECT 'about.row of a draft ' || unnest('{added,changed,removed}'::text[])
UNION SELECT 'method.' || method FROM casino.payment_method
UNION SELECT 'back.' || unnest('{cancelled,disconnected,late,excluded,voided,misdealt}'::text[])
-- columns of their tables
UNION SELECT 'col.' || regexp_replace(c, '^.*:', '')
        FROM pg_proc p, regexp_matches(p.prosrc, '''\{([a-z_:#,]+)\}''', 'g') m, regexp_split_to_table(m[1],
            ',') c
       WHERE p.pronamespace = ANY (casino_internal.schemas()) AND p.proname ~ '(^page_|_page_impl$)'
           AND m[1] LIKE '%:%';
SELECT is((SELECT string_agg(key, ' ' ORDER BY key) FROM wanted
            WHERE key <> 'lang' AND key NOT IN (SELECT l.key FROM casino.page_labels() l)), NULL,
                'R9.21: no word is missing');
SELECT cmp_ok((SELECT count(*) FROM wanted WHERE key LIKE 'event.%'), '>=', 30::bigint,
              'R12.88: events of the list of events');
SELECT is((SELECT count(*) FROM wanted WHERE key ~ '^about.*(_late|_win|_offered|_action)$'), 6::bigint,
          'R12.88: each kind of breach');
SELECT is(casino_internal.page_value(page_words(l), 'event', e), said, format('R12.88: %s in %s', e, l))
  FROM (VALUES ('cs', 'plan: approved', 'Herní plán: schválen'),
               ('en', 'setting: cash_amount', 'Setting: most in cash'),
               ('cs', 'breach: winnings_late', 'Porušení: výhra vyplacena pozdě'),
               ('cs', 'register asked: clear', 'Dotaz do rejstříku: bez záznamu')) v (l, e, said);
SELECT is(casino_internal.page_value(page_words('cs'), 'method', m), said, format('R12.88: paid by %s', m))
  FROM (VALUES ('cash', 'hotově'), ('crypto', 'crypto')) v (m, said);
SELECT throws_ok($$SELECT casino_internal.page_words('de')$$, '22023', 'pages are in cs and en, not in "de"',
    'R9.22: no third language');

-- R9.22: amounts and times
SELECT is(ARRAY[page_money(page_words('en'), 1234567.8), page_money(page_words('en'), 0),
    page_money(page_words('en'), -999.99),
                page_money(page_words('cs'), 1234567.8), page_money(page_words('cs'), -0.01)],
          ARRAY['1,234,567.80', '0.00', U&'\2212999.99', U&'1\00A0234\00A0567,80', U&'\22120,01'],
              'R9.22: amounts');
SELECT is(ARRAY[page_time(page_words('en'), '2026-06-01 08:05:00+00'), page_time(page_words('cs'),
    '2026-06-01 08:05:00+00'),
                page_time(page_words('en'), '2026-10-25 00:30:00+00'), page_time(page_words('en'),
                    '2026-10-25 01:30:00+00'),
                page_time(page_words('cs'), '2026-10-25 00:30:00+00'), page_time(page_words('cs'),
                    '2026-10-25 01:30:00+00'),
                page_time(page_words('en'), '2026-10-25 02:00:00+00')],
          ARRAY['2026-06-01 10:05:00', '1. 6. 2026 10:05:00', '2026-10-25 02:30:00 CEST',
              '2026-10-25 02:30:00 CET',
                '25. 10. 2026 02:30:00 SELČ', '25. 10. 2026 02:30:00 SEČ', '2026-10-25 03:00:00'],
          'R9.22: times in Prague; the hour that comes twice has its zone');

\ir ../helpers/page_faults.psql

-- R9.23: references that would break a page
CREATE TABLE guest (n integer PRIMARY KEY, ref text, id bigint);
INSERT INTO guest (n, ref) VALUES (1, '"><script>alert(1)</script>'), (2, repeat('w', 200)), (3,
    'شركة الألعاب 12'),
                                  (4, '🎰🚀 &amp; ]]>'), (5, 'Čeněk & synové');
UPDATE guest SET id = register_player(ref);
SELECT deposit(id, 500000, 'd' || n, '2026-06-01 07:00+02') FROM guest \g /dev/null
SELECT add_game_table('roulette_synot', '<b onclick="x">Table</b>', 10, 10000) AS t \gset
SELECT open_round(:t, ']]><x>', '2026-06-01 10:00+02') AS r \gset
SELECT place_bet(:r, id, 'straight:17@100', 'a', at => '2026-06-01 10:01+02'), place_bet(:r, id, 'red@200',
    'b', at => '2026-06-01 10:01+02') FROM guest \g /dev/null
SELECT try_place_bets(:r, (SELECT id FROM guest WHERE n = 1), ARRAY['black@1'::bet], 'c',
    at => '2026-06-01 10:02+02') \g /dev/null
SELECT settle_round(:r, '{"number": 17}', '2026-06-01 10:05+02') \g /dev/null
SELECT round_page(:r, 'en') AS en, round_page(:r, 'cs') AS cs INTO page;
SELECT is(faults(en), '', 'R9.23: a hostile round in English') FROM page;
SELECT is(faults(cs), '', 'R9.23: and in Czech') FROM page;
SELECT is(page_text(E'a\x01b\x1b' || U&'\202Ec\2067'), U&'a\FFFDb\FFFD\FFFDc\FFFD',
    'R9.23: control characters and turns of direction');
-- 35 to 1 on 100 CZK: 3500 and the stake; 17 is black, so 200 CZK on red are lost: 3300 more than before
SELECT alike(en,
    '%<bdi>Straight up 17</bdi>%<bdi>100.00</bdi>%<bdi>won</bdi>%<bdi>3,500.00</bdi>%<bdi>3,600.00</bdi>%',
    'R9.26: profit and payout, counted by hand') FROM page;
SELECT alike(en, '%<bdi>3,300.00</bdi>%', 'R9.26: totals of a player') FROM page;
SELECT alike(cs, U&'%<bdi>Číslo 17</bdi>%<bdi>3\00A0500,00</bdi>%', 'R9.26: in Czech') FROM page;
SELECT is((SELECT count(*) FROM regexp_matches(en, 'staked 1,500\.00, paid 18,000\.00', 'g')), 1::bigint,
    'R9.26: of five players together') FROM page;
SELECT alike(en, '%Number 17, black%', 'the number in its colour') FROM page;
SELECT alike(en, '%<dt>Seal</dt>%not sealed yet%', 'R9.24: not sealed yet') FROM page;
SELECT is((SELECT count(*) FROM regexp_matches(en, '<bdi>KB002</bdi>', 'g')), 1::bigint,
    'the refusal of that round') FROM page;
SELECT casino.seal('2026-06-01') \g /dev/null
SELECT alike(round_page(:r, 'en'), '%<bdi>1, ' || (SELECT encode(root, 'hex') FROM casino.day_seal)
    || '</bdi>%', 'R9.24: the seal''s number and root');
SELECT deposit((SELECT id FROM guest WHERE n = 5), 1, 'late', '2026-06-01 12:00+02') \g /dev/null
SELECT alike(player_page((SELECT id FROM guest WHERE n = 5), '2026-06-01', '2026-06-01', 'en'),
    '%sealed in part%', 'R9.24: an entry that came since');
-- R9.70: of the round of five players the part of the fifth
SELECT player_round_page((SELECT id FROM guest WHERE n = 5), :r, l) AS html, l INTO own
  FROM unnest('{cs,en}'::text[]) l;
SELECT is(faults(html), '', 'R9.70: the page of a player''s part in ' || l) FROM own;
SELECT alike(html, '%<bdi>Straight up 17</bdi>%<bdi>3,500.00</bdi>%<bdi>3,600.00</bdi>%<bdi>3,300.00</bdi>%',
             'R9.70: the wagers, with the profit counted by hand') FROM own WHERE l = 'en';
SELECT alike(html, '%staked 300.00, paid 3,600.00%', 'R9.70: the sums of the player alone')
  FROM own WHERE l = 'en';
SELECT alike(html, '%Number 17, black%', 'R9.70: the result') FROM own WHERE l = 'en';
SELECT alike(html, '%<dt>Player</dt><dd><bdi>Čeněk &amp; synové</bdi>%', 'R9.70: whose page it is')
  FROM own WHERE l = 'en';
SELECT is((SELECT string_agg(g.n::text, ' ')
             FROM guest g
            WHERE g.n <> 5
              AND position(xmlelement(name a, casino_internal.page_text(g.ref))::text IN html) > 0), NULL,
          'R9.70: no other player') FROM own WHERE l = 'en';
SELECT unalike(html, '%KB002%', 'R9.70: nor the refusal of another one') FROM own WHERE l = 'en';
SELECT unalike(html, '%' || session_user || '%', 'R9.70: nobody of the staff')
  FROM (SELECT regexp_replace(html, '^.*<main>', '') AS html FROM own WHERE l = 'en') x;
SELECT alike(player_round_page((SELECT id FROM guest WHERE n = 1), :r, 'en'), '%<bdi>KB002</bdi>%',
             'R9.70: the own refusal');
SELECT throws_ok(format('SELECT player_round_page(%s, %s)', register_player('at home'), :r), '22023', NULL,
                 'R9.70: the player has no stake in the round');
SELECT throws_ok(format('SELECT player_round_page(%s, 999999)', (SELECT id FROM guest WHERE n = 5)), '23503',
                 NULL,
                 'R9.70: an unknown round');
SELECT is(faults(player_page(id, '2026-06-01', '2026-06-01', l)), '',
    format('R9.23: the page of guest %s in %s', n, l)) FROM guest, unnest('{cs,en}'::text[]) l ORDER BY n, l;
-- 500 000 - 300 + 3600
SELECT alike(player_page((SELECT id FROM guest WHERE n = 1), '2026-06-01', '2026-06-01', 'en'),
    '%Opening balance</small><b>0.00</b>%Closing balance</small><b>503,300.00</b>%',
    'balances of the period');
SELECT alike(player_page((SELECT id FROM guest WHERE n = 1), '2026-06-02', '2026-06-02', 'en'),
    '%Opening balance</small><b>503,300.00</b>%Closing balance</small><b>503,300.00</b>%No activity%',
    'one day closes where the next opens');
SELECT throws_ok(format($$SELECT player_page(%s, '2026-06-02', '2026-06-01')$$, (SELECT id FROM guest
    WHERE n = 1)), '22023', NULL, 'a period backwards');
SELECT throws_ok($$SELECT round_page(0)$$, '23503', NULL, 'no such round');

-- R9.27: the appendix is cut out of the page as it stands in the file
SELECT player_page((SELECT id FROM guest WHERE n = 1), '2026-06-01', '2026-06-01', 'cs') AS html INTO cut;
SELECT ok(verify_statement(substring(html FROM '<pre id="proof">(.*?)</pre>')::jsonb, ARRAY (SELECT root
    FROM casino.day_seal)), 'R9.27: the proof cut out is accepted') FROM cut;
SELECT isnt(verify_statement(replace(substring(html FROM '<pre id="proof">(.*?)</pre>'), '500000',
    '500001')::jsonb, ARRAY (SELECT root FROM casino.day_seal)), true,
    'R9.27: one that was changed is not') FROM cut;

-- all sixteen games, each played to its end
CREATE TABLE played (game text PRIMARY KEY, round_id bigint);
DO $$
DECLARE g record; t bigint; r bigint; p bigint; box boolean; at timestamptz := '2026-06-02 10:00+02';
BEGIN
    FOR g IN SELECT * FROM casino.game ORDER BY game LOOP
        p := register_player('of ' || g.game);
        PERFORM deposit(p, 100000, 'd', '2026-06-02 08:00+02');
        t := add_game_table(g.game, 'T', CASE WHEN g.family = 'texas_holdem' THEN 25 ELSE 100 END,
            CASE WHEN g.game = 'roulette_american' THEN 500 ELSE 1000 END);
        box := EXISTS (SELECT FROM casino.table_version v WHERE v.table_id = t AND v.seats IS NOT NULL);
        r := open_round(t, 'r', at);
        IF g.family = 'texas_holdem' THEN
            PERFORM void_round(r, 'no game', at + interval '1 minute');
        ELSE
            PERFORM place_bet(r, p, CASE g.family WHEN 'roulette' THEN 'black@100' WHEN 'baccarat'
                THEN 'player@100' WHEN 'blackjack' THEN 'main@100' ELSE 'ante@100' END::bet,
                              'x', CASE WHEN box THEN 1 END, at => at + interval '1 second');
            PERFORM close_betting(r, at + interval '20 seconds');
            IF g.family = 'casino_holdem' THEN
                PERFORM deal(r, '{"player": "As Ah", "board": "2c 7d 9h"}', at + interval '25 seconds');
                PERFORM place_bet(r, p, 'call@200', 'y', at => at + interval '30 seconds');
            END IF;
            PERFORM settle_round(r, CASE g.family WHEN 'roulette' THEN '{"number": 17}' WHEN 'baccarat'
                THEN '{"player": "9h Kd", "banker": "4c 3s"}'
                WHEN 'casino_holdem' THEN '{"player": "As Ah", "board": "2c 7d 9h Tc 4s", "dealer": "Kd 9c"}'
                ELSE CASE WHEN box THEN '{"hands": [{"seat": 1, "cards": "Ts 9c"}], "dealer": "Th 8d"}'
                    ELSE '{"hands": [{"cards": "Ts 9c"}], "dealer": "Th 8d"}' END END::jsonb,
                at + interval '1 minute');
        END IF;
        INSERT INTO played VALUES (g.game, r);
        at := at + interval '10 minutes';
    END LOOP;
END
$$;
SELECT is(count(*), 16::bigint, 'sixteen games') FROM played;
SELECT is(faults(round_page(round_id, l)), '', format('the page of %s in %s', game, l)) FROM played,
    unnest('{cs,en}'::text[]) l ORDER BY game, l;
-- each of the fifteen was paid 200 CZK on 100, but for the ante and call: pair of aces pays 1:1 on both
SELECT is((SELECT count(*) FROM regexp_matches(round_page(round_id, 'en'),
    '<bdi>100\.00</bdi></td><td[^>]*><bdi>200\.00</bdi>', 'g')),
          CASE WHEN game = 'holdem_cash_25_50' THEN 0 ELSE 2 END::bigint,
              'profit 100, payout 200, in the line and in the total: ' || game) FROM played
              WHERE game <> 'casino_holdem' ORDER BY game;
SELECT is((SELECT count(*) FROM regexp_matches(round_page(round_id, 'en'), 'class="card"', 'g')),
          CASE WHEN game LIKE 'roulette%' OR game LIKE 'holdem%' THEN 0 WHEN game = 'casino_holdem' THEN 9
              ELSE 4 END::bigint, 'cards of ' || game) FROM played ORDER BY game;

-- R9.32: a column is left out when no row has a value there
SELECT is(page_table(page_words('en'), 'T', '[{"rule": "a", "value": ""}, {"rule": "b"}]',
                     '{rule,value,reason}')::text ~ 'Value|Reason',
          false, 'R9.32: empty columns are left out');
SELECT alike(page_table(page_words('en'), 'T', '[{"rule": "a"}, {"rule": "b", "value": "0"}]',
                        '{rule,value,reason}')::text, '%<th scope="col">Value</th></tr>%',
             'R9.32: a column with one value stays');
-- R9.33: only a word of 25 characters or more is broken
SELECT is(page_style('portrait') ~ '(body|td|th|table)[^{}]*{[^}]*overflow-wrap:anywhere', false,
          'R9.33: no column breaks its words');
SELECT is((SELECT array_agg(m[1] ORDER BY n)
             FROM regexp_matches(page_row(page_words('en'), '{rule,value}',
                      jsonb_build_object('rule', repeat('w', 24) || ' ' || repeat('w', 24),
                                         'value', 'a ' || repeat('w', 25)))::text,
                  '<bdi([^>]*)>', 'g') WITH ORDINALITY r (m, n)), ARRAY['', ' class="long"'],
          'R9.33: a long word is broken, words of 24 characters are not');
-- rules for the width of a screen leave paper alone: A4 is narrower than many a screen
SELECT is((SELECT count(*) FROM regexp_matches(page_style('portrait'), '@media \(max-width', 'g')), 0::bigint,
          'on paper a table stays a table');
SELECT alike(page_table(page_words('en'), NULL, '[{"rule": 1, "value": 1, "reason": 1, "at": "2026-06-01",
    "bet": 1, "seat": 1, "hand": 1, "code": 1}]', '{rule,value,reason,day:at,bet,seat,hand,code}')::text,
    '%<table class="many">%', 'a table of eight columns asks for more width');
-- Contrast by WCAG 2: of words on the page and on a panel, light, dark and on paper.
CREATE FUNCTION luminance(colour text) RETURNS numeric LANGUAGE sql AS $fn$
    SELECT sum(f.factor * CASE WHEN c.v <= 0.04045 THEN c.v / 12.92
                               ELSE power((c.v + 0.055) / 1.055, 2.4) END)
      FROM (VALUES (1, 0.2126), (2, 0.7152), (3, 0.0722)) f (n, factor)
     CROSS JOIN LATERAL (SELECT regexp_replace(substr(colour, 2), '^(.)(.)(.)$',
                                                '\1\1\2\2\3\3') AS six) h
     CROSS JOIN LATERAL (SELECT get_byte(decode(substr(h.six, 2 * f.n - 1, 2), 'hex'), 0) / 255.0 AS v) c
$fn$;
SELECT is(luminance('#fff'), 1.0, 'white');
CREATE TABLE colours AS
SELECT r.n AS scheme, c.m[1] AS name, luminance(c.m[2]) AS light
  FROM regexp_matches(page_style('portrait'), ':root{([^}]*)}', 'g') WITH ORDINALITY r (m, n)
 CROSS JOIN regexp_matches(r.m[1], '--([a-z]+):(#[0-9a-f]+)', 'g') c (m);
SELECT is(count(*), 33::bigint, 'eleven colours for light, dark and paper') FROM colours;
SELECT cmp_ok(round((greatest(a.light, b.light) + 0.05) / (least(a.light, b.light) + 0.05), 2), '>=', 4.5,
              format('contrast of %s on %s in scheme %s', a.name, b.name, a.scheme))
  FROM colours a
  JOIN colours b ON b.scheme = a.scheme AND b.name IN ('ground', 'panel')
 WHERE a.name IN ('ink', 'soft', 'good', 'bad')
 ORDER BY a.scheme, a.name, b.name;
-- the selection in words
SELECT alike(round_page(:r, 'en'),
             format('%%<dt>Selection</dt><dd><bdi>only the round with number %s</bdi>%%', :r),
             'the selection of a round in words');
SELECT alike(player_page(1, '2026-06-01', '2026-06-02', 'cs'),
             '%<dt>Výběr</dt><dd><bdi>jen hráč s číslem 1, dny od 1. 6. 2026 do 2. 6. 2026</bdi>%',
             'the selection of a player in words');
-- a timeline has hours: eight marks a day; a week has its days
SELECT is((SELECT string_agg(said, ' ' ORDER BY at)
             FROM page_marks(page_words('en'), d::timestamp AT TIME ZONE 'Europe/Prague',
                             (d + 1)::timestamp AT TIME ZONE 'Europe/Prague')),
          '0:00 3:00 6:00 9:00 12:00 15:00 18:00 21:00', format('hours of %s', d))
  FROM unnest('{2026-06-01,2026-03-29,2026-10-25}'::date[]) d;
SELECT is((SELECT string_agg(said, ' ' ORDER BY at)
             FROM page_marks(page_words('cs'), '2026-06-01 00:00+02', '2026-06-08 00:00+02')),
          '1. 6. 2. 6. 3. 6. 4. 6. 5. 6. 6. 6. 7. 6.', 'days of a week');
SELECT cmp_ok((SELECT count(*)
                 FROM page_marks(page_words('cs'), '2025-06-01 00:00+02', '2026-06-01 00:00+02')),
              '<=', 8::bigint, 'a year has a few marks');
-- a break that was due is on the timeline: two hours of play to the microsecond, and a microsecond less
SELECT add_game_table('roulette_synot', 'Break', 10, 10000) AS bt \gset
SELECT register_player('two hours') AS two, register_player('a little less') AS less \gset
SELECT deposit(p, 1000, 'd', '2026-06-05 09:00+02') FROM unnest(ARRAY[:two, :less]::bigint[]) p \g /dev/null
SELECT open_round(:bt, 'br1', '2026-06-05 10:00+02') AS br1 \gset
SELECT place_bet(:br1, :two, 'red@10', 'x', at => '2026-06-05 10:00+02'),
       place_bet(:br1, :less, 'red@10', 'x', at => '2026-06-05 10:00:00.000001+02') \g /dev/null
SELECT settle_round(:br1, '{"number": 1}', '2026-06-05 12:00+02') \g /dev/null
SELECT results_eq(format($$SELECT s ->> 'lane', (s ->> 'from')::timestamptz, (s ->> 'to')::timestamptz
                             FROM jsonb_array_elements(page_spans(page_words('en'), %s, 'en',
                                                                  '2026-06-05 00:00+02',
                                                                  '2026-06-06 00:00+02')) s
                            WHERE s ->> 'lane' = 'break'$$, :two),
                  $$VALUES ('break', timestamptz '2026-06-05 12:00+02', timestamptz '2026-06-05 12:15+02')$$,
                  'R9.25: a break on the timeline');
SELECT is(page_spans(page_words('en'), :less, 'en', '2026-06-05 00:00+02', '2026-06-06 00:00+02')::text
              ~ '"break"', false, 'R9.25: no break a microsecond before two hours');
-- the second lane; noon is half of the day, a quarter of an hour 1.04 hundredths
SELECT alike(player_page(:two, '2026-06-05', '2026-06-05', 'cs'),
             '%<text x="4" y="60">Povinná přestávka</text>%'
             '<rect class="minus" x="50.00%" y="68" width="1.04%" height="14">%',
             'R9.25: in its lane and at its place');
-- the common hand names who plays it, a group its own players
SELECT add_game_table('blackjack_infinite', 'C', 100, 1000) AS t \gset
SELECT open_round(:t, 'c', '2026-06-03 10:00+02') AS c \gset
CREATE TABLE common AS SELECT register_player('common ' || n) AS id, n FROM generate_series(1, 14) n;
SELECT deposit(id, 1000, 'd', '2026-06-03 08:00+02'),
    place_bet(:c, id, 'main@100', 'm', at => '2026-06-03 10:00:05+02') FROM common \g /dev/null
SELECT close_betting(:c, '2026-06-03 10:00:20+02') \g /dev/null
SELECT settle_round(:c, format('{"hands": [{"cards": "6s 9c"}, {"cards": "6s 9c 2d", "players": [%s]}], '
                               '"dealer": "Th 8d"}', (SELECT id FROM common WHERE n = 14))::jsonb,
                    '2026-06-03 10:01+02') \g /dev/null
SELECT alike(round_page(:c, 'en'), '%<bdi>Common hand · points: 15 · '
             || (SELECT string_agg('common ' || n, ', ' ORDER BY n) FROM generate_series(1, 12) n)
             || ' and 1 more</bdi>%', 'the common hand names its players');
SELECT alike(round_page(:c, 'en'), '%points: 17 · common 14</bdi>%', 'a group names its own');

-- profiles
CREATE ROLE page_reader_c; CREATE ROLE page_reader_d; CREATE ROLE page_reader_b;
SELECT grant_access('page_reader_c', 'compliance'), grant_access('page_reader_d', 'cashier'),
    grant_access('page_reader_b', 'backend') \g /dev/null
SELECT is(array_agg(has_function_privilege(r, f, 'EXECUTE') ORDER BY f, r), '{f,t,t,f,t,f}',
    'a player''s page for compliance and cashier, a round''s for compliance')
  FROM unnest('{page_reader_c,page_reader_d,page_reader_b}'::name[]) r,
      unnest('{casino.round_page(bigint\,text),casino.player_page(bigint\,date\,date\,text)}'::text[]) f;
SET ROLE page_reader_d;
SELECT lives_ok($$SELECT casino.player_page(1, '2026-06-01', '2026-06-01')$$,
    'the cash desk makes a player''s page');
SELECT throws_ok($$SELECT casino.round_page(1)$$, '42501', NULL, 'but no round''s');
RESET ROLE;
DROP OWNED BY page_reader_c, page_reader_d, page_reader_b; DROP ROLE page_reader_c, page_reader_d,
    page_reader_b;
SELECT finish();
