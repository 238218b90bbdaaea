-- Evidence is whole whatever a superuser has written: rows that hold what no code of ours writes, players
-- without a row, seals that were made before their day was over (R12.14, R12.22, R12.23).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public;
SELECT no_plan();

SELECT casino.register_player('anna') AS a, casino.register_player('bob') AS b \gset
SELECT casino.add_game_table('blackjack_synot', 'Lednice', 10, 10000, '{"seats": 7}') AS j \gset
SELECT casino.deposit(:a, 1000, 'd1', '2026-06-01 09:00'),
    casino.deposit(:b, 1000, 'd1', '2026-06-01 09:00') \g /dev/null
SELECT casino.open_round(:j, 'j1', '2026-06-01 10:02') AS r \gset
SELECT casino.place_bet(:r, :b, 'main@100', 'm1', 1, 1, '2026-06-01 10:02:01'),
    casino.close_betting(:r, '2026-06-01 10:02:30') \g /dev/null
SELECT casino.settle_round(:r, '{"dealer": "5h Tc Td", "hands": [{"seat": 1, "cards": "9c 5d 2c"}]}',
                           '2026-06-01 10:03') \g /dev/null
-- a refusal with bets, for the other kind of array
SELECT casino.try_place_bets(:r, :b, '{main@100}', 'late', seat => 1, at => '2026-06-01 10:04') \g /dev/null

-- what verify() says with a change in, which is taken back
CREATE FUNCTION pg_temp.seen(change text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t record;
    result text[];
BEGIN
    BEGIN
        FOR t IN SELECT c.oid::regclass AS relation FROM pg_class c
            WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p') LOOP
            EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', t.relation);
        END LOOP;
        EXECUTE change;
        SELECT array_agg(concat_ws(' ', v.section, v.player_id, v.entry_no, v.problem)) INTO result
          FROM casino.verify() v;
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;

-- ---------------------------------------------------------------- days (R12.22)
SELECT throws_ok(format('SELECT casino.seal(%L)', d), '22023', NULL, 'R12.22: no seal of ' || d)
  FROM unnest('{0001-01-01,1999-12-31}'::text[]) d;
SELECT throws_ok('SELECT casino_internal.begin_reconciliation(NULL, ''0001-01-01'', true)', '22023', NULL,
                 'R12.22: nor a night');
SELECT is((casino.seal('2000-01-01')).seal_no, 1::bigint, 'the first day that there is');
SELECT casino.prague_day(clock_timestamp()) AS today \gset
SELECT casino.deposit(:a, 1, 'e1', '2026-06-02 09:00') \g /dev/null
SELECT is((casino.seal(:'today')).seal_no, 2::bigint, 'a seal of the day that goes on');
SELECT casino.deposit(:a, 1, 'e2', '2026-06-02 10:00') \g /dev/null
SELECT is((casino.seal(:'today')).seal_no, 2::bigint, 'asked again while it goes on: the same');
BEGIN;
ALTER TABLE casino.day_seal DISABLE TRIGGER append_only, DISABLE TRIGGER append_only_statement;
-- the same a day later
UPDATE casino.day_seal SET day = day - 1, sealed_at = sealed_at - interval '1 day',
    recorded_at = recorded_at - interval '1 day' WHERE seal_no = 2;
SELECT results_eq(format('SELECT s.seal_no, s.entries FROM casino.seal(%L::date - 1) s', :'today'),
                  'VALUES (3::bigint, 1::bigint)', 'R12.22: after the day what came later is sealed');
SELECT results_eq(format('SELECT s.seal_no FROM casino.seal(%L::date - 1) s', :'today'), 'VALUES (3::bigint)',
                  'once');
ROLLBACK;
SELECT casino.seal(:'today'::date - 1) \g /dev/null
SELECT is_empty('SELECT * FROM casino.verify()', 'clean');

-- --------------------------------------------------------------- values that no code of ours writes (R12.23)
SELECT is(encode(casino.hash_leaf(casino.evidence_leaf('dealt_hand', h)), 'hex') IS NOT NULL, true,
          v || ' is encoded')
  FROM (SELECT v, (SELECT d FROM casino.dealt_hand d WHERE d.side = 'box' LIMIT 1) AS h
        FROM unnest(ARRAY['{NULL}', '{1,NULL}', '{{1,2},{3,4}}', '[2:3]={1,2}']) v) x;
SELECT is(right(casino.evidence_line('dealt_hand',
                                     jsonb_populate_record(d,
                                                           jsonb_build_object('players', NULL,
                                                                   'even_money_players', v))), length(w)), w,
                                                                       'as a line: ' || v)
  FROM casino.dealt_hand d, (VALUES ('{NULL}', '"even_money_players":{"odd":"{NULL}"}}}'),
                             ('{{1,2},{3,4}}', '"even_money_players":{"odd":"{{1,2},{3,4}}"}}}')) x (v, w)
 WHERE d.side = 'box';
SELECT set_eq(format('SELECT * FROM pg_temp.seen(%L)',
                     $$UPDATE casino.dealt_hand SET even_money_players = '{NULL}'
                         WHERE side = 'box'; UPDATE casino.round SET round_ref = 'other'$$),
              format($$SELECT * FROM (VALUES ('dealt_hand row %1$s/box/1/0/1 was changed'),
                                      ('round row %1$s was changed')) v$$, :r),
                                          'R12.23: it is named, and what else was changed is');
SELECT set_eq(format('SELECT * FROM pg_temp.seen(%L)', $$UPDATE casino.refusal SET bets = '{NULL}'$$),
              format('SELECT %L', 'refusal ' || :b || ' row ' || :b || '/1 was changed'),
                  'in an array of bets, too');
BEGIN;
ALTER TABLE casino.dealt_hand DISABLE TRIGGER ALL;
UPDATE casino.dealt_hand SET even_money_players = '{NULL}' WHERE side = 'box';
SELECT is((SELECT count(*) FROM casino.export_day('2000-01-01')),
          (SELECT sum(rows)::bigint + 2 + (SELECT players FROM casino.day_seal WHERE seal_no = 1)
           FROM casino.seal_section WHERE seal_no = 1), 'R12.23: the day is exported to its end');
SELECT is((SELECT count(*) FROM casino.export_day('2000-01-01') e WHERE e LIKE '%{"odd":"{NULL}"}%'),
          1::bigint, 'with the row as it is');
ROLLBACK;

-- ---------------------------------------------------------------- entries of a player who has no row
BEGIN;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
INSERT INTO casino.ledger (player_id, entry_no, kind, amount, balance, posted_at, recorded_at, recorded_by)
SELECT p, 1, 'deposit', 5, 5, now(), now(), 1 FROM unnest(ARRAY[-7, 0, :b + 1, :b + 5,
                                                                9223372036854775000]) p;
SELECT results_eq($$SELECT player_id FROM casino_internal.unsealed_players()$$,
                  format('VALUES (-7::bigint), (0), (%s), (%s), (9223372036854775000)', :b + 1, :b + 5),
                      'R12.23: entries of nobody are found');
SELECT is((SELECT entries FROM casino.seal('2026-06-03')), 5::bigint, 'and sealed');
SELECT is((SELECT count(*) FROM casino.export_day('2026-06-03') e WHERE e LIKE '{"ledger"%'), 5::bigint,
          'and exported');
DELETE FROM casino.ledger WHERE player_id = :b + 5;
SELECT set_eq('SELECT player_id, problem FROM casino.verify()',
              format('VALUES (%s::bigint, ''the entry was removed'')', :b + 5),
                  'what becomes of them is seen');
ROLLBACK;

-- ---------------------------------------------------------------- what is in no root
SELECT set_eq(format('SELECT * FROM pg_temp.seen(%L)', change), format('SELECT %L', found),
              'named: ' || change)
  FROM (VALUES ('UPDATE casino.day_seal SET recorded_by = 77 WHERE seal_no = 1',
                'the seal says of itself a time or a recorder that cannot be'),
               ('UPDATE casino.day_seal SET recorded_at = recorded_at - interval ''1 year'' '
                'WHERE seal_no = 2',
                'the seal says of itself a time or a recorder that cannot be'),
               ('UPDATE casino.day_seal SET recorded_at = recorded_at + interval ''1 year'' '
                'WHERE seal_no = 2',
                'the seal says of itself a time or a recorder that cannot be'),
               ('UPDATE casino.seal_section SET section_no = 70 WHERE seal_no = 1 AND section = ''ledger''',
                'ledger the section is not at its place in the seal')) v (change, found);

-- -------------------------------------------------------- a page of reports has only characters that XML has
SELECT is(casino_internal.page_table(casino_internal.page_words('en'), 't',
                                     jsonb_build_array(jsonb_build_object('a', U&'x\FFFE\FFFFy\0001z')),
                                     '{a}')::text ~ U&'x\FFFD\FFFDy\FFFDz',
          true, 'U+FFFE, U+FFFF and control characters are U+FFFD');

SELECT * FROM finish();
