-- R9.23: text that people typed breaks no page. References, names of tables and rounds, and reasons carry
-- markup, 200 characters, writing from right to left, pictures, control characters and turns of direction.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET casino.operator = U&'"><script>o</script>\202Eo';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
\ir ../helpers/page_faults.psql

CREATE TABLE hostile (n integer PRIMARY KEY, said text NOT NULL, player bigint, gametable bigint,
                      round bigint, void bigint);
INSERT INTO hostile (n, said) VALUES
    (1, '"><script>alert(1)</script>'),
    (2, ']]></style><img src=x onerror=alert(1)>'),
    (3, repeat('W', 200)),
    (4, 'שחקן 12 (ערב) שחקן'),
    (5, '🎰🚀 👩‍👩‍👧 &amp; &#0; &#x202e;'),
    (6, U&'before\202Eafter\2066x\2069'),
    (7, U&'mark\200Eone\200Ftwo\061Cthree\2028four\2029five'),
    (8, E'tab\tbell\x07escape\x1b[31m line\r\nnext'),
    (9, '\0 \x00 \u0000 %00 %s %n $1 {{x}}'),
    (10, '<!-- '' OR 1=1; --><?php ?><![CDATA[');


-- A text that the entry refuses cannot stand on a page; each other text is played.
CREATE FUNCTION pg_temp.taken(call text, VARIADIC args text[]) RETURNS bigint LANGUAGE plpgsql AS $fn$
DECLARE
    number bigint;
BEGIN
    EXECUTE call INTO number USING args[1], args[2];
    RETURN number;
EXCEPTION WHEN invalid_parameter_value OR check_violation THEN
    RETURN NULL;
END
$fn$;
UPDATE hostile SET player = pg_temp.taken('SELECT casino.register_player($1)', said);
UPDATE hostile SET gametable = pg_temp.taken(
    'SELECT casino.add_game_table(''roulette_synot'', $1, 10, 10000)', said);
UPDATE hostile SET gametable = add_game_table('roulette_synot', 'Table ' || n, 10, 10000)
 WHERE gametable IS NULL;
UPDATE hostile SET round = pg_temp.taken(
    'SELECT casino.open_round($2::bigint, $1, ''2026-06-01 10:00+02'')', said, gametable::text);
UPDATE hostile SET round = open_round(gametable, 'round ' || n, '2026-06-01 10:00+02') WHERE round IS NULL;
SELECT cmp_ok(count(player), '>=', 6::bigint, 'most of the texts are references of players') FROM hostile;
SELECT deposit(player, 50000, 'd' || n, '2026-06-01 07:00+02') FROM hostile
 WHERE player IS NOT NULL \g /dev/null
SELECT place_bet(round, player, 'straight:17@100', 'b' || n, at => '2026-06-01 10:00:05+02')
  FROM hostile WHERE player IS NOT NULL \g /dev/null
SELECT settle_round(round, '{"number": 17}', '2026-06-01 10:02+02') FROM hostile ORDER BY n \g /dev/null
UPDATE hostile SET void = open_round(gametable, 'void ' || n, '2026-06-01 11:00+02');
SELECT place_bet(void, player, 'red@100', 'v' || n, at => '2026-06-01 11:00:05+02')
  FROM hostile WHERE player IS NOT NULL \g /dev/null
SELECT pg_temp.taken('SELECT count(*) FROM casino.void_round($2::bigint, $1, ''2026-06-01 11:02+02'')',
                     said, void::text) FROM hostile \g /dev/null
SELECT void_round(void, 'reason ' || n, '2026-06-01 11:02+02') FROM hostile h
  JOIN casino.round r ON r.round_id = h.void AND r.status = 'open' \g /dev/null
CALL casino.reconcile('2026-06-01', '2026-06-01');

CREATE TABLE made AS
SELECT 'round' AS page, n, lang, round_page(round, lang) AS html
  FROM hostile, unnest('{cs,en}'::text[]) lang
UNION ALL
SELECT 'void round', n, lang, round_page(void, lang) FROM hostile, unnest('{cs,en}'::text[]) lang
UNION ALL
SELECT 'player', n, lang, player_page(player, '2026-06-01', '2026-06-01', lang)
  FROM hostile, unnest('{cs,en}'::text[]) lang WHERE player IS NOT NULL
UNION ALL
SELECT 'night', 0, lang, night_page('2026-06-01', lang) FROM unnest('{cs,en}'::text[]) lang
UNION ALL
SELECT 'period', 0, lang, period_page('2026-06-01', '2026-06-01', lang) FROM unnest('{cs,en}'::text[]) lang;
SELECT is(faults(html), '', format('R9.23: page of a %s, text %s, in %s', page, n, lang))
  FROM made ORDER BY page, n, lang;

-- the words that a reader of XML finds on a page
CREATE FUNCTION pg_temp.words(html text) RETURNS text LANGUAGE sql AS $fn$
    SELECT w.said
      FROM XMLTABLE('/' PASSING xmlparse(document substring(html FROM position(E'\n' IN html) + 1))
                    COLUMNS said text PATH 'string(.)') w
$fn$;
-- the carriage return of text 8 is a line end to XML
SELECT ok(position(page_text(p.external_ref) IN pg_temp.words(m.html)) > 0,
          format('R9.23: text %s stands whole on the page of its player, in %s', h.n, m.lang))
  FROM hostile h
  JOIN casino.player p ON p.player_id = h.player
  JOIN made m ON m.page = 'player' AND m.n = h.n
 WHERE h.n <> 8
 ORDER BY h.n, m.lang;
SELECT ok(position(page_text(t.name) IN pg_temp.words(m.html)) > 0,
          format('R9.23: the table named by text %s stands whole on the night''s page, in %s', h.n, m.lang))
  FROM hostile h
  JOIN casino.game_table t ON t.table_id = h.gametable
  JOIN made m ON m.page = 'night'
 WHERE h.n <> 8
 ORDER BY h.n, m.lang;
SELECT ok(position(page_text(r.void_reason) IN pg_temp.words(m.html)) > 0,
          format('R9.23: reason %s of a void round stands whole on the period''s page, in %s', h.n, m.lang))
  FROM hostile h
  JOIN casino.round r ON r.round_id = h.void
  JOIN made m ON m.page = 'period'
 WHERE h.n <> 8
 ORDER BY h.n, m.lang;
SELECT is(page_text(U&'a\200Eb\200Fc\061Cd\2028e\2029f\202Eg\2066h\2069'),
          regexp_replace('a#b#c#d#e#f#g#h#', '#', U&'\FFFD', 'g'),
          'R9.23: marks of direction and ends of lines are shown');
SELECT finish();
