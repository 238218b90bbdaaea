-- One person is one reference (D4 §6.2, §6.5: exclusions and limits are the person's), and limits pass to an
-- account opened again within seven calendar days (Act 186/2016 §14a): to the end of the seventh day after
-- the day of closing, in Prague.
\ir ../helpers/compliance.psql
SELECT no_plan();

-- ---------------------------------------------------------------- one canonical form (R7.31)
CREATE TABLE t.who AS SELECT casino.register_player('Žofie Nová') AS p;
SELECT is(casino.register_player(other), p, format('the same person: %s', about))
  FROM t.who, (VALUES ('Žofie Nová', 'the same text'), ('Žofie Nová ', 'with a space after it'),
               ('  Žofie Nová', 'with spaces before it'),
                      (E'Žofie Nová\n', 'with a newline after it'),
                          (E'\tŽofie Nová\r\n', 'with a tab before it and a line end after it'),
                      (U&'\00a0Žofie Nová\3000', 'with a no-break space and an ideographic space'),
                          (U&'Žofie Nová\2028', 'with a line separator'),
                      (U&'Z\030Cofie Nova\0301', 'decomposed letters'),
                          (U&' Z\030Cofie Nova\0301 ', 'decomposed letters and spaces')) v (other, about);
SELECT is((SELECT count(*) FROM casino.person), 1::bigint, '... is one row of person');
SELECT is((SELECT array_agg(external_ref) FROM casino.player), ARRAY['Žofie Nová'],
          '... kept in its canonical form');
SELECT isnt(casino.register_player(other), p, format('another person: %s', about))
  FROM t.who, (VALUES ('Zofie Nova', 'other letters'), ('žofie nová', 'small letters'),
               ('Žofie  Nová', 'two spaces inside')) v (other, about);

SELECT throws_ok(format('SELECT casino.register_player(%L)', ref), '22023', message,
                 format('refused: %s', about))
  FROM (VALUES ('', 'external_ref must not be empty', 'empty'),
        (E' \t\n', 'external_ref must not be empty', 'white space'),
               (U&'\00a0\2003', 'external_ref must not be empty', 'Unicode white space'),
               (E'Ann\x01', 'external_ref must not contain control characters',
                'a control character at the end'),
               (E'An\nn', 'external_ref must not contain control characters', 'a newline inside'),
               (E'Ann\x7f', 'external_ref must not contain control characters', 'delete'),
               (U&'An\0085n', 'external_ref must not contain control characters',
                'a control character of ISO 8859'),
               (U&'Ann\200B', 'external_ref must not contain control characters', 'a space of no width'),
               (U&'An\00ADn', 'external_ref must not contain control characters', 'a soft hyphen'),
               (U&'\202EAnn', 'external_ref must not contain control characters', 'right to left from here'),
               (U&'\FEFFAnn', 'external_ref must not contain control characters',
                'a byte order mark')) v (ref, message, about);
SELECT throws_ok('SELECT casino.register_player(NULL)', '22023', 'external_ref must not be empty',
                 'refused: NULL');
SELECT is(t.detail($$SELECT casino.register_player(U&'Ann\200B')$$), 'It contains U+200B.',
          'the DETAIL names the character');
SELECT throws_ok($$INSERT INTO casino.person VALUES ('Žofie Nová ', 1)$$, '23514', NULL,
                 'by plain INSERT another form of the person is refused');
SELECT throws_ok($$INSERT INTO casino.person VALUES (U&'Z\030Cofie Nova\0301', 1)$$, '23514', NULL,
                 '... and the decomposed one');
SELECT throws_ok($$INSERT INTO casino.person VALUES (U&'Ann\200B', 1)$$, '22023', NULL,
                 '... and control characters');
SELECT is(casino.canonical_ref(casino.canonical_ref(ref)), casino.canonical_ref(ref),
          'the canonical form is its own canonical form')
  FROM (VALUES (' a '), (U&'e\0301 '), (U&'\0301a'), (U&'\1100\1161 x')) v (ref);

-- an exclusion is not escaped by a space, a limit neither
SELECT casino.exclude_player(p, NULL, 'self', t.at('10:00')) FROM t.who \g /dev/null
SELECT casino.close_account(p, t.at('10:01')) FROM t.who \g /dev/null
SELECT is((SELECT may_bet FROM casino.explain_break(casino.register_player('Žofie Nová ')) b), false,
          '§6.2: under the reference with a space the person is excluded too');

-- ---------------------------------------------------------------- seven calendar days (R7.30)
SELECT is(casino_internal.limits_pass_until(t.at(closed)), t.at(until),
          format('closed at %s: limits pass until %s', closed, until))
  FROM (VALUES ('2026-06-01 00:00:00', '2026-06-09 00:00:00'),
               ('2026-06-01 23:59:59.999999', '2026-06-09 00:00:00'),
               ('2026-06-02 00:00:00', '2026-06-10 00:00:00'),
               -- over the nights when the clocks change: 2026-03-29 and 2026-10-25
               ('2026-03-27 12:00:00', '2026-04-04 00:00:00'), ('2026-03-29 01:59:59', '2026-04-06 00:00:00'),
               ('2026-03-21 12:00:00', '2026-03-29 00:00:00'), ('2026-03-22 12:00:00', '2026-03-30 00:00:00'),
               ('2026-10-24 23:00:00', '2026-11-01 00:00:00'),
                   ('2026-10-18 12:00:00', '2026-10-26 00:00:00')) v (closed, until);
SELECT is(casino_internal.limits_pass_until('2026-06-01 21:59:59.999999+00'),
          timestamptz '2026-06-08 22:00+00',
          'the day is Prague''s: 21:59:59.999999 UTC is still the first of June');
SELECT is(casino_internal.limits_pass_until('2026-06-01 22:00+00'), timestamptz '2026-06-09 22:00+00',
          '... and 22:00 UTC is the second');

-- not over midnight
SELECT pg_sleep(CASE WHEN to_char(clock_timestamp(), 'HH24:MI') = '23:59' THEN 61 ELSE 0 END) \g /dev/null
CREATE TABLE t.reopened (about text, closed timestamptz, passes boolean, former bigint, p bigint);
INSERT INTO t.reopened
SELECT v.about, v.closed, v.passes, t.player(0)
  FROM (SELECT date_trunc('day', clock_timestamp()) AS today) d,
       LATERAL (VALUES ('the same day', d.today + interval '1 microsecond', true),
                       ('seven times 24 hours and more, on the seventh day', d.today - interval '7 days',
                        true),
                       ('on the eighth day', d.today - interval '7 days' - interval '1 microsecond', false),
                       ('long ago', d.today - interval '1 year', false)) v (about, closed, passes);
SELECT casino.set_limit(former, 'stake', 'month', 1500, closed - interval '1 day')
  FROM t.reopened \g /dev/null
SELECT casino.close_account(former, closed) FROM t.reopened \g /dev/null
UPDATE t.reopened r SET p = casino.register_player((SELECT external_ref || ' ' FROM casino.player f
                                                    WHERE f.player_id = r.former));
SELECT isnt(p, former, format('opened again %s: another account', about)) FROM t.reopened;
SELECT is((SELECT array_agg(l.amount) FROM casino.player_limit l WHERE l.player_id = p), CASE
          WHEN passes THEN ARRAY[1500.00] END,
          format('§14a: opened again %s: %s', about, CASE WHEN passes THEN 'the limit passes'
                 ELSE 'it does not' END)) FROM t.reopened;
SELECT is((SELECT limited FROM casino.player n WHERE n.player_id = p), passes,
          format('... %s: and binds him, or not', about)) FROM t.reopened;
SELECT casino.deposit(p, 5000) FROM t.reopened \g /dev/null
SELECT is(t.may(p, 'M1', clock_timestamp()::text, 1500.01), CASE WHEN passes THEN 'KC005'
          ELSE 'ok' END, format('... %s: a stake above it', about)) FROM t.reopened;
-- what is not to be seen, by the property Default_Ignorable_Code_Point: both ends of each range of
-- DerivedCoreProperties.txt, and their neighbours (R7.31)
CREATE TEMP TABLE ignorable (first text, last text) ;
INSERT INTO ignorable VALUES ('00AD', '00AD'), ('034F', '034F'), ('061C', '061C'), ('115F', '1160'),
    ('17B4', '17B5'), ('180B', '180F'), ('200B', '200F'), ('202A', '202E'), ('2060', '206F'),
        ('2800', '2800'),
    ('3164', '3164'), ('FE00', 'FE0F'), ('FEFF', 'FEFF'), ('FFA0', 'FFA0'), ('FFF0', 'FFF8'),
        ('1BCA0', '1BCA3'), ('1D173', '1D17A'), ('E0000', 'E0FFF');
CREATE FUNCTION pg_temp.code(point text) RETURNS integer LANGUAGE sql AS $$ SELECT ('x'
        || lpad(point, 8, '0'))::bit(32)::integer $$;
CREATE FUNCTION pg_temp.refused(point integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.canonical_ref('p1' || chr(point) || 'x');
    RETURN false;
EXCEPTION WHEN invalid_parameter_value THEN RETURN true;
END $$;
SELECT is_empty('SELECT i.first, c
                   FROM ignorable i, generate_series(pg_temp.code(i.first), pg_temp.code(i.last)) c
                  WHERE NOT pg_temp.refused(c)',
                'R7.31: whatever is not to be seen is refused');
SELECT is((SELECT count(*) FROM generate_series(161, 64975) c
           WHERE c NOT BETWEEN 55296 AND 57343 AND chr(c) ~ ('[' || casino_internal.ignorable() || ']')),
          (SELECT sum(pg_temp.code(i.last) - pg_temp.code(i.first) + 1) FROM ignorable i
           WHERE pg_temp.code(i.last) <= 64975), 'R7.31: and nothing else of the first plane');
SELECT is_empty('SELECT i.first, n
                   FROM ignorable i,
                        unnest(ARRAY[pg_temp.code(i.first) - 1, pg_temp.code(i.last) + 1]) n
                  WHERE n NOT BETWEEN 8232 AND 8239
                    AND n NOT BETWEEN 65529 AND 65531
                    AND pg_temp.refused(n)
                    AND NOT EXISTS (SELECT FROM ignorable o
                                     WHERE n BETWEEN pg_temp.code(o.first) AND pg_temp.code(o.last))',
                'R7.31: their neighbours are letters like others');
SELECT is(casino_internal.person_named(U&'Eva\FE0F \034FMalá'), casino_internal.person_named('eva malá'),
          'R7.60: nor does such a character make another person of a name');
SELECT * FROM finish();
