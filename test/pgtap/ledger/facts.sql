-- Facts of a round (dealer, shoe, shift, video) and the ground of a void or of a withholding: kept, sealed,
-- found
-- by one query each (D0 KARTY, D4 §8.1, Blackjack §16).
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE FUNCTION t.told(facts jsonb, name text DEFAULT 'S1', at text DEFAULT '18:00')
    RETURNS bigint LANGUAGE sql AS
    $$ SELECT casino.open_round((SELECT table_id FROM casino.game_table g WHERE g.name = told.name),
                                'f ' || nextval('t.serial'), t.at(told.at), facts => told.facts) $$;
CREATE FUNCTION t.staked(r bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := t.player(1000);
BEGIN
    PERFORM casino.place_bet(r, p, 'red@100', at => t.at('18:00'));
    RETURN p;
END $$;

-- ------------------------------------------------------------------------------------------- facts (R11.42)
SELECT t.told('{"dealer": "d-17", "shoe": "s-4", "shift": "late", "video": "cam3/0815"}') AS r \gset
SELECT is((SELECT facts FROM casino.round WHERE round_id = :r),
          '{"dealer": "d-17", "shoe": "s-4", "shift": "late", "video": "cam3/0815"}'::jsonb,
          'R11.42: open_round keeps dealer, shoe, shift and video');
SELECT is(casino.game_recall(:r) -> 'facts',
          '{"dealer": "d-17", "shoe": "s-4", "shift": "late", "video": "cam3/0815"}'::jsonb,
              'recall has them');
SELECT matches(casino.round_page(:r, 'en'), 'Dealer: d-17, Shift: late, Shoe: s-4, Video: cam3/0815',
               'the page of the round has them');
SELECT round_ref AS ref, table_id AS tab FROM casino.round WHERE round_id = :r \gset
SELECT is(casino.open_round(:tab, :'ref', t.at('18:00'),
    facts => '{"shoe": "s-4", "dealer": "d-17", "video": "cam3/0815", "shift": "late"}'),
          :r::bigint, 'the same facts again are a repetition');
SELECT throws_ok(format('SELECT casino.open_round(%s, %L, facts => %L)', :tab, :'ref', f::jsonb), 'KR002',
    NULL,
                 'R11.42: other facts are another round: ' || coalesce(f, 'none'))
FROM unnest(ARRAY['{"shoe": "s-5", "dealer": "d-17", "video": "cam3/0815", "shift": "late"}',
    '{"shoe": "s-4"}', NULL]::text[]) f;
SELECT throws_ok(format('SELECT t.told(%L)', f), state, NULL, 'R11.42: refused facts: ' || left(f, 40))
FROM (VALUES ('[]', '22023'), ('"s-4"', '22023'), ('7', '22023'), ('null', '22023'),
             ('{"name": "x"}', '22023'), ('{"shoe": 4}', '22023'), ('{"shoe": null}', '22023'),
             ('{"shoe": " "}', '22023'), ('{"shoe": {"a": 1}}', '22023'),
             (format('{"shoe": "%s"}', repeat('x', 201)), '22001')) v (f, state);
SELECT throws_ok(format($$UPDATE casino.round SET facts = '{"shoe": "other"}' WHERE round_id = %s$$, :r),
    'KR002',
                 NULL, 'facts never change');
SELECT casino.void_round(:r, 'cleared', t.at('18:01')) IS NOT NULL AS voided \gset
SELECT t.told('{}') AS r \gset
SELECT is((SELECT facts FROM casino.round WHERE round_id = :r), NULL, 'an empty object keeps no facts');
SELECT casino.void_round(:r, 'cleared', t.at('18:01')) IS NOT NULL AS voided \gset
-- the bounds of each: bytes, not characters
CREATE FUNCTION t.token(fact text, token text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r bigint;
BEGIN
    r := t.told(jsonb_build_object(fact, token));
    PERFORM casino.void_round(r, 'cleared', t.at('18:01'));
    RETURN (SELECT x.facts ->> fact FROM casino.round x WHERE x.round_id = r);
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(t.token(k, token), found, format('R11.42: %s of %s bytes', k, octet_length(token)))
  FROM unnest('{dealer,shoe,shift,video}'::text[]) k
 CROSS JOIN (VALUES ('x', 'x'), (repeat('x', 200), repeat('x', 200)), (repeat('x', 201), '22001'),
                    (repeat('ř', 100), repeat('ř', 100)), (repeat('ř', 100) || 'x', '22001'),
                    ('', '22023'), (' ', '22023'), (E'\t', '22023'), (E'a\u0007b', '22023')) v (token, found);
SELECT is(t.token(k, E'  se\u0301rie 7 '), 'série 7', 'R11.42: ' || k || ' is kept in one form')
  FROM unnest('{dealer,shoe,shift,video}'::text[]) k;
SELECT t.told(format('{"shoe": "%s"}', repeat('x', 200))::jsonb) AS r \gset
SELECT is(length((SELECT facts ->> 'shoe' FROM casino.round WHERE round_id = :r)), 200,
          'R11.42: a token of 200 bytes is kept');
SELECT casino.void_round(:r, 'cleared', t.at('18:01')) IS NOT NULL AS voided \gset

-- ------------------------------------------------------------------------------------------ ground (R11.41)
SELECT bag_eq($$SELECT p.game, g.ground, g.paragraph FROM casino.game_plan p
                CROSS JOIN LATERAL casino.plan_grounds(p.plan_id) g WHERE p.version = 1$$, $$
    SELECT v.game, g, v.paragraph FROM (VALUES
        ('blackjack_synot', 'wrong_record card_face_up cards_fallen card_exposed', 'D4 Blackjack §16'),
        ('blackjack_all_bets', 'wrong_record card_face_up cards_fallen card_exposed',
            'D4 All Bets Blackjack §15'),
        ('casino_holdem', 'wrong_record card_face_up cards_fallen card_exposed', 'D4 Casino Hold''em §19'),
        ('baccarat', 'wrong_record card_face_up cards_fallen card_exposed', 'D4 Baccarat §10'),
        ('blackjack_infinite', 'wrong_record card_face_up cards_fallen card_exposed',
            'D4 Infinite Blackjack §17'),
        ('blackjack_evolution', 'wrong_record card_face_up cards_fallen card_exposed',
         'D4 Blackjack (Evolution) §16'),
        ('roulette_synot', 'few_turns same_direction wheel_stopped ball_out foreign_object',
         'D4 Roulette (Synot) §11'),
        ('roulette_evolution', 'few_turns same_direction wheel_stopped ball_out foreign_object',
         'D4 Roulette (Evolution) §11'),
        ('roulette_absolute', 'fault technical', 'D4 Roulette (Absolute) §11'),
        ('blackjack_endless', 'fault technical', 'D4 BlackJack - Endless §14'),
        ('blackjack_czech_casinos', 'shuffle', 'D0 KARTY'),
        ('blackjack_czech_casinos', 'rules_broken', 'D0 VÝHERNÍ SESTAVA'),
        ('blackjack_czech_casinos', 'help_given', 'D0 HRA'),
        ('blackjack_czech_casinos', 'device_used', 'D0 VŠEOBECNÁ USTANOVENÍ')) v (game, grounds, paragraph)
    CROSS JOIN LATERAL regexp_split_to_table(v.grounds, ' ') g$$,
    'R11.41: the grounds of each document, with the paragraph');
SELECT casino.add_plan_version('baccarat', '2099-03-01', 'draft') AS draft \gset
SELECT throws_ok(format('INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
                         VALUES (%s, %L, %L, ''x'')',
                        :draft, rule, said),
                 '22023', NULL, format('R11.41: no ground %s "%s"', rule, left(said, 10)))
FROM (VALUES ('ground_', 'x'), ('ground_other', 'x'), ('ground_Fire', 'x'), ('ground_fire', ' '),
    ('ground_fire', ''),
             ('ground_a b', 'x'), ('ground_fire', repeat('x', 1001)), ('ground_' || repeat('a', 41), 'x'))
                 v (rule, said);
SELECT lives_ok(format('INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
                         VALUES (%s, %L, %L, ''x'')',
                       :draft, 'ground_fire', 'the studio burns'),
                           'an operator''s plan may name another ground');
SELECT is_empty(format('SELECT problem FROM casino.check_plan(%s)', :draft), 'and has no problem');
SELECT is((SELECT NOT informative FROM casino.plan_rule WHERE rule = 'ground_fire'), true,
    'code reads grounds');

SELECT t.told('{"dealer": "d-1", "shoe": "s-1"}') AS r \gset
SELECT t.staked(:r) AS a \gset
SELECT throws_ok(format('SELECT casino.void_round(%s, %L, ground => %L)', :r, reason, ground), state, said,
                 format('R11.41: ground %s with %s', coalesce(left(ground, 20), 'none'), coalesce(reason,
                     'no reason')))
FROM (VALUES ('fire', 'it burns', '22023', 'the game plan has no ground "fire"'),
             ('other', NULL, '22004', 'reason must not be null'), (NULL, NULL, '22004',
                 'reason must not be null'),
             ('other', ' ', '22023', 'voiding a round needs a reason'),
             ('ball_out', ' ', '22023', 'voiding a round needs a reason'),
             ('', 'it burns', '22023', 'the game plan has no ground ""'),
             (repeat('x', 65), 'x', '22001', 'ground is too long')) v (ground, reason, state, said);
SELECT is((SELECT status FROM casino.round WHERE round_id = :r), 'open', 'and nothing has changed');
SELECT is((casino.void_round(:r, NULL, t.at('18:01'), 'ball_out')).status, 'voided',
          'R11.41: a ground of the plan needs no text');
SELECT is((SELECT void_ground || ': ' || void_reason FROM casino.round WHERE round_id = :r),
          'ball_out: kulička během roztočení vypadla z kola rulety',
          'the text of the plan is the reason');
SELECT is((casino.void_round(:r, NULL, t.at('18:01'), 'ball_out')).status, 'voided',
    'the same again is answered');
SELECT throws_ok(format('SELECT casino.void_round(%s, %L, ground => %L)', :r, reason, ground), 'KR002', NULL,
                 'another ground or text is not it: ' || coalesce(ground, 'none'))
FROM (VALUES ('few_turns', NULL), ('ball_out', 'two balls'),
             (NULL, 'kulička během roztočení vypadla z kola rulety')) v (ground, reason);
SELECT is((SELECT balance FROM casino.player WHERE player_id = :a), 1000.00, 'and stakes went back once');
SELECT is(casino.game_recall(:r) #>> '{round,void_ground}', 'ball_out', 'recall has the ground');
SELECT matches(casino.round_page(:r, 'cs'), 'kulička během roztočení vypadla z kola rulety',
    'the page has it');
SELECT is((SELECT e.detail ->> 'ground' || ' ' || (e.detail ->> 'dealer') || ' ' || (e.detail ->> 'shoe')
             FROM casino.significant_event('2026-06-01', '2026-06-01') e
            WHERE e.round_id = :r AND e.event = 'round voided'), 'ball_out d-1 s-1',
          'the report of events has ground, dealer and shoe');
SELECT throws_ok(format($$UPDATE casino.round SET void_ground = 'few_turns' WHERE round_id = %s$$, :r),
    'KR002',
                 NULL, 'a ground never changes');
SELECT t.told('{"dealer": "d-1", "shoe": "s-1"}') AS r2 \gset
SELECT casino.void_round(:r2, 'a bird in the studio', t.at('18:01')) IS NOT NULL AS voided \gset
SELECT is((SELECT void_ground FROM casino.round WHERE round_id = :r2), 'other',
    'R11.41: no ground given is other');

-- withholding, of all and of one
SELECT t.told('{"dealer": "d-2", "shoe": "s-1"}') AS w \gset
SELECT t.staked(:w) AS a \gset
SELECT t.staked(:w) AS b \gset
SELECT lives_ok(format('SELECT casino.withhold_winnings(%s, %s, NULL, t.at(''18:01''), ''foreign_object'')',
    :w, p),
                'R11.41: winnings withheld on a ground of the plan') FROM (VALUES (:a)) v (p);
SELECT lives_ok(format('SELECT casino.withhold_winnings(%s, %s, NULL, t.at(''18:01''), ''foreign_object'')',
    :w, :a),
                'the same again changes nothing');
SELECT throws_ok(format('SELECT casino.withhold_winnings(%s, %s, NULL, t.at(''18:01''), ''few_turns'')', :w,
    :a),
                 'KR002', NULL, 'another ground is not it');
SELECT throws_ok(format('SELECT casino.withhold_winnings(%s, %s, NULL, t.at(''18:01''), %L)', :w, :b, g),
    state, NULL,
                 'R11.41: withheld without text: ' || coalesce(g, 'no ground'))
FROM (VALUES ('other', '22004'), (NULL, '22004'), ('shuffle', '22023')) v (g, state);
SELECT is((SELECT ground || ': ' || reason FROM casino.withholding WHERE round_id = :w),
          'foreign_object: do kola se během roztočení dostal cizí objekt', 'ground and text are kept');
SELECT is((SELECT e.detail ->> 'ground' FROM casino.significant_event('2026-06-01', '2026-06-01') e
            WHERE e.round_id = :w AND e.event = 'winnings of a player withheld'), 'foreign_object',
          'the report of events has it');
SELECT is((casino.settle_round(:w, '{"number": 2}', t.at('18:05'), true)).status, 'withheld',
    'withheld at the settlement');
SELECT is((SELECT withheld_ground FROM casino.round WHERE round_id = :w), 'other', 'R11.41: which is other');
SELECT t.told('{"dealer": "d-2"}') AS s \gset
SELECT t.staked(:s) AS c \gset
SELECT throws_ok(format($$SELECT casino.settle_round(%s, '{"number": 2}', t.at('18:05'), true, %L, %L)$$, :s,
                        reason, ground), state, said,
                 'R11.41: withheld at the settlement: ' || left(ground, 9))
FROM (VALUES ('fire', 'it burns', '22023', 'the game plan has no ground "fire"'),
             ('', NULL, '22023', 'the game plan has no ground ""'),
             (repeat('x', 65), 'x', '22001', 'ground is too long')) v (ground, reason, state, said);
SELECT is((casino.settle_round(:s, '{"number": 2}', t.at('18:05'), true, ground => 'ball_out')).status,
          'withheld', 'R11.41: withheld at the settlement on a ground, and its retries')
  FROM generate_series(1, 2);
SELECT is((SELECT withheld_ground || ': ' || withheld_reason FROM casino.round WHERE round_id = :s),
          'ball_out: kulička během roztočení vypadla z kola rulety', 'with the words of the plan');
SELECT t.told('{"dealer": "d-2"}') AS s2 \gset
SELECT t.staked(:s2) AS c \gset
SELECT is((casino.settle_round(:s2, '{"number": 2}', t.at('18:05'), true, 'two balls', 'ball_out')).status,
          'withheld', 'or with words of its own');
SELECT is((SELECT withheld_ground || ': ' || withheld_reason FROM casino.round WHERE round_id = :s2),
          'ball_out: two balls', 'which are kept');
SELECT throws_ok(format($$UPDATE casino.round SET withheld_ground = 'few_turns' WHERE round_id = %s$$, :w),
    'KR002',
                 NULL, 'the ground of a withholding never changes');
-- one player's wagers, void on a ground, which may be another than that of the withholding
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, %L, t.at(''18:06''), %L)', :w, :a, reason, ground),
                 state, said, 'R11.41: wagers void: ' || coalesce(left(ground, 9), 'no ground'))
FROM (VALUES ('fire', 'it burns', '22023', 'the game plan has no ground "fire"'),
             ('', NULL, '22023', 'the game plan has no ground ""'),
             (repeat('x', 65), 'x', '22001', 'ground is too long'),
             ('other', NULL, '22004', NULL), (NULL, NULL, '22004', NULL),
             ('ball_out', ' ', '22023', NULL)) v (ground, reason, state, said);
SELECT is((casino.void_wagers(:w, :a, NULL, t.at('18:06'), 'ball_out')).status, 'withheld',
          'R11.41: wagers void on a ground of the plan need no words, and its retries')
  FROM generate_series(1, 2);
SELECT is((SELECT how || ' ' || ground || ': ' || reason FROM casino.withholding_end
            WHERE round_id = :w AND player_id = :a),
          'voided ball_out: kulička během roztočení vypadla z kola rulety', 'ground and text are kept');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, NULL, t.at(''18:06''), ''few_turns'')', :w, :a),
                 'KR002', NULL, 'another ground is not it');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, %L, t.at(''18:06''))', :w, :a,
                        'kulička během roztočení vypadla z kola rulety'),
                 'KR002', NULL, 'nor are the words of the ground without it');
SELECT is((SELECT concat_ws(' ', w ->> 'ground', w ->> 'ended', w ->> 'end_ground')
             FROM jsonb_array_elements(casino.game_recall(:w) -> 'withholdings') w
            WHERE w -> 'player_id' = to_jsonb(:a::bigint)), 'foreign_object voided ball_out',
          'recall has the ground of the withholding and of its end');
SELECT is((SELECT e.detail ->> 'ground' FROM casino.significant_event('2026-06-01', '2026-06-01') e
            WHERE e.round_id = :w AND e.event = 'withholding ended: voided'), 'ball_out',
          'the report of events has it');
SELECT is((casino.void_wagers(:w, :b, 'cheated', t.at('18:06'))).status, 'withheld',
          'of a round withheld as a whole, too');
SELECT is((SELECT ground FROM casino.withholding_end WHERE round_id = :w AND player_id = :b), 'other',
          'R11.41: no ground given is other');
-- a void of the round ends the withholding of single players, on the ground of the void
SELECT t.told('{"dealer": "d-3"}') AS v \gset
SELECT t.staked(:v) AS d \gset
SELECT casino.withhold_winnings(:v, :d, 'review', t.at('18:01')) \g /dev/null
SELECT casino.void_round(:v, NULL, t.at('18:02'), 'few_turns') \g /dev/null
SELECT is((SELECT how || ' ' || ground FROM casino.withholding_end WHERE round_id = :v), 'voided few_turns',
          'R11.41: void with the round: on its ground');
SELECT t.told('{"dealer": "d-3"}') AS v2 \gset
SELECT t.staked(:v2) AS d \gset
SELECT casino.settle_round(:v2, '{"number": 2}', t.at('18:05'), true) \g /dev/null
SELECT casino.withhold_winnings(:v2, :d, 'review', t.at('18:06')) \g /dev/null
SELECT casino.void_round(:v2, NULL, t.at('18:07'), 'foreign_object') \g /dev/null
SELECT is((SELECT how || ' ' || ground FROM casino.withholding_end WHERE round_id = :v2),
          'voided foreign_object', 'R11.41: after the evaluation, too');
SELECT t.told('{"dealer": "d-3"}') AS v3 \gset
SELECT t.staked(:v3) AS d \gset
SELECT casino.withhold_winnings(:v3, :d, 'review', t.at('18:01')) \g /dev/null
SELECT casino.settle_round(:v3, '{"number": 3}', t.at('18:05')) \g /dev/null
SELECT casino.pay_withheld(:v3, t.at('18:07'), reason => 'reviewed') \g /dev/null
SELECT is((SELECT how || ' ' || coalesce(ground, 'no ground') FROM casino.withholding_end
            WHERE round_id = :v3), 'paid no ground', 'R11.41: a release has no ground');

-- ----------------------------------------------------------------------------------- withhold_shoe (R11.43)
SELECT t.told('{"shoe": "s-1", "dealer": "d-2"}', 'S1', '18:06') AS o1 \gset
SELECT t.told('{"shoe": "s-1"}', 'S2', '18:06') AS o2 \gset
SELECT t.told('{"shoe": "s-2"}', 'E1', '18:06') AS o3 \gset
SELECT throws_ok('SELECT casino.withhold_shoe(' || a || ')', state, NULL, 'R11.43: withhold_shoe(' || a ||
    ')')
FROM (VALUES ($$NULL, 'x'$$, '22004'), ($$'s-9', 'x'$$, '23503'), ($$'s-1', NULL$$, '22004'),
             ($$'s-1', ' '$$, '22023'), ($$'s-1', 'x', NULL, 'no such'$$, '22023')) v (a, state);
SELECT is((SELECT count(*) FROM casino.round WHERE withheld_at IS NOT NULL AND round_id IN (:o1, :o2)),
    0::bigint,
          'a refused call withholds nothing');
SELECT is(casino.withhold_shoe('s-1', 'cards were marked', t.at('18:07')), 3::bigint,
          'R11.43: all rounds of the shoe that are not paid are withheld');
SELECT is(casino.withhold_shoe('s-1', 'cards were marked', t.at('18:07')), 3::bigint, 'again: nothing more');
SELECT bag_eq(format('SELECT round_id, withheld_reason FROM casino.round
                       WHERE withheld_at IS NOT NULL AND round_id IN (%s, %s, %s, %s, %s)',
                     :w, :o1, :o2, :o3, :r),
              format($$VALUES (%s::bigint, 'withheld at the settlement'),
                              (%s, 'cards were marked'), (%s, 'cards were marked')$$,
                     :w, :o1, :o2),
                         'R11.43: a withheld round keeps its reason, void rounds and other shoes stay');
SELECT is(casino.withhold_shoe(' s-1 ', 'cards were marked', t.at('18:07')), 3::bigint,
          'R11.43: the shoe in the form of the facts');
-- a round of the shoe that was settled stays so; one that is opened later needs a call of its own
SELECT t.told('{"shoe": "s-3"}', 'A1', '18:00') AS paid \gset
SELECT t.staked(:paid) AS e \gset
SELECT casino.settle_round(:paid, '{"number": 1}', t.at('18:06')) \g /dev/null
SELECT is(casino.withhold_shoe('s-3', 'x', t.at('18:07')), 0::bigint,
          'R11.43: a settled round is not withheld');
SELECT is((SELECT balance FROM casino.player WHERE player_id = :e), 1100.00, 'and its winnings stay paid');
SELECT casino.settle_round(:o1, '{"number": 3}', t.at('18:08')) \g /dev/null
SELECT t.told('{"shoe": "s-1"}', 'S1', '18:09') AS o4 \gset
SELECT is((SELECT withheld_at FROM casino.round WHERE round_id = :o4), NULL,
          'R11.43: a round opened from the shoe later is not withheld');
SELECT is(casino.withhold_shoe('s-1', 'cards were marked', t.at('18:10')), 4::bigint,
          'until it is called again');

-- ------------------------------------------------------------------------------------------ one query each
SELECT bag_eq($$SELECT round_id FROM casino.round_fact WHERE shoe = 's-1'$$,
              format('VALUES (%s::bigint), (%s), (%s), (%s), (%s), (%s)', :r, :r2, :w, :o1, :o2, :o4),
                  'the rounds of a shoe');
SELECT bag_eq($$SELECT dealer, ground, rounds, staked FROM casino.voids_by_dealer
                WHERE day = '2026-06-01' AND dealer = 'd-1'$$,
              $$VALUES ('d-1', 'ball_out', 1::bigint, 100.00), ('d-1', 'other', 1, 0.00)$$,
                  'voids by dealer and ground');
SELECT bag_eq($$SELECT round_id FROM casino.round_fact WHERE void_ground = 'ball_out'$$,
    format('VALUES (%s::bigint)', :r),
              'voids by ground');
-- an evaluated round that a correction makes void is one of them, until it is valid again
CREATE ROLE supervisor_of_facts_1;
CREATE ROLE supervisor_of_facts_2;
SELECT casino.grant_access(x, 'supervisor')
  FROM unnest('{supervisor_of_facts_1,supervisor_of_facts_2}'::name[]) x \g /dev/null
CREATE FUNCTION t.correct(r bigint, outcome jsonb, at text, ground text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    time CONSTANT timestamptz := t.at(correct.at);
    n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'supervisor_of_facts_1', true);
    n := casino.correct_round(r, outcome, 'seen', time, ground);
    PERFORM set_config('session_authorization', 'supervisor_of_facts_2', true);
    PERFORM casino.approve_correction(n, time);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;
SELECT t.told('{"dealer": "d-8"}', 'A1', '18:12') AS dealt \gset
SELECT casino.place_bet(:dealt, t.player(), 'red@70', at => t.at('18:12')) \g /dev/null
SELECT casino.settle_round(:dealt, '{"number": 1}', t.at('18:13')) \g /dev/null
SELECT is_empty($$SELECT FROM casino.voids_by_dealer WHERE dealer = 'd-8'$$,
                'an evaluated round is not void');
SELECT t.correct(:dealt, NULL, '18:14', 'fault') \g /dev/null
SELECT results_eq($$SELECT ground, rounds, wagers, staked FROM casino.voids_by_dealer WHERE dealer = 'd-8'$$,
                  $$VALUES ('fault', 1::bigint, 1::numeric, 70.00)$$,
                  'R11.41: void by a correction: found by dealer and ground');
SELECT t.correct(:dealt, '{"number": 1}', '18:15', NULL) \g /dev/null
SELECT is_empty($$SELECT FROM casino.voids_by_dealer WHERE dealer = 'd-8'$$, 'valid again: not void');
SET enable_seqscan = off;
CREATE FUNCTION t.plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    found text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
        found := found || line;
    END LOOP;
    RETURN found;
END $$;
SELECT matches(t.plan(q), i, 'found by the index ' || i)
FROM (VALUES ('SELECT round_id FROM casino.round_fact WHERE shoe = ''s-1''', 'round_shoe'),
             ('SELECT round_id FROM casino.round_fact WHERE dealer = ''d-1''', 'round_dealer'),
             ('SELECT round_id FROM casino.round_fact WHERE void_ground = ''ball_out''',
                 'round_void_ground')) v (q, i);
RESET enable_seqscan;

-- ---------------------------------------------------------------------------------------------- the night
CREATE FUNCTION t.found() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(DISTINCT f.rule || ' ' || f.round_id, ', ')
      FROM casino_internal.check_record('2026-06-01', '2026-06-01') f WHERE f.rule IN ('ground', 'facts') $$;
SELECT is(t.found(), NULL, 'clean books have no difference of grounds and facts');
ALTER TABLE casino.round DISABLE TRIGGER USER;
CREATE FUNCTION t.planted(change text, r bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    BEGIN
        EXECUTE format('UPDATE casino.round SET %s WHERE round_id = %s', change, r);
        said := t.found();
        RAISE EXCEPTION USING ERRCODE = 'TT001', MESSAGE = coalesce(said, 'nothing');
    EXCEPTION WHEN SQLSTATE 'TT001' THEN
        RETURN SQLERRM;
    END;
END $$;
SELECT is(t.planted(change, r), want || r, 'planted: ' || change)
FROM (VALUES ('void_ground = NULL', :r::bigint, 'ground '), ('void_ground = ''shuffle''', :r, 'ground '),
             ('withheld_ground = ''x''', :w, 'ground '), ('withheld_ground = NULL', :w, 'ground '),
             ('withheld_ground = ''other''', :r, 'ground '), ('void_ground = ''other''', :w, 'ground '),
             ('facts = ''{"name": "x"}''', :r, 'facts '), ('facts = ''[1]''', :w, 'facts '),
             ('facts = ''{"shoe": 1}''', :r, 'facts '), ('facts = ''{}''', :r, 'facts '),
             ('facts = ''"s-1"''', :r, 'facts '), ('facts = ''null''', :r, 'facts '),
             ('facts = ''{"video": " "}''', :r, 'facts '), ('facts = ''{"shift": ""}''', :r, 'facts '),
             ('facts = ''{"dealer": null}''', :r, 'facts '), ('facts = ''{"shoe": {"a": 1}}''', :r, 'facts '),
             ('facts = jsonb_build_object(''video'', repeat(''x'', 201))', :r, 'facts '),
             ('facts = jsonb_build_object(''video'', repeat(''ř'', 101))', :r, 'facts ')) v (change, r, want);
-- another token that could have been given: only the floor knows, and the seal
SELECT is(t.planted(change, :r2), 'nothing', 'R11.42: planted: only the seal knows: ' || change)
  FROM unnest(ARRAY['facts = ''{"dealer": "d-1", "shoe": "s-2"}''', 'facts = NULL',
                    'facts = jsonb_build_object(''video'', repeat(''x'', 200))']) change;
CREATE FUNCTION t.unsealed(change text, r bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    EXECUTE format('UPDATE casino.round SET %s WHERE round_id = %s', change, r);
    SELECT count(*) INTO found FROM casino.verify(1, 1);
    RAISE EXCEPTION USING ERRCODE = 'TT001', MESSAGE = found;
EXCEPTION WHEN SQLSTATE 'TT001' THEN
    RETURN SQLERRM::bigint;
END $$;
SELECT seal_no FROM casino.seal(current_date) \g /dev/null
SELECT is(t.unsealed('facts = facts', :r2), 0::bigint, 'sealed');
SELECT cmp_ok(t.unsealed(change, :r2), '>', 0::bigint, 'R11.42: the seal finds ' || change)
  FROM unnest(ARRAY['facts = ''{"dealer": "d-2", "shoe": "s-1"}''',
                    'facts = ''{"dealer": "d-1", "shoe": "s-2"}''',
                    'facts = facts || ''{"shift": "late"}''', 'facts = facts || ''{"video": "v"}''',
                    'facts = NULL']) change;
ALTER TABLE casino.withholding DISABLE TRIGGER ALL;
ALTER TABLE casino.withholding_end DISABLE TRIGGER ALL;
ALTER TABLE casino.withholding_end DROP CONSTRAINT withholding_end_check1;
CREATE FUNCTION t.planted_rows(change text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE change;
    RAISE EXCEPTION USING ERRCODE = 'TT001', MESSAGE = coalesce(
        (SELECT string_agg(DISTINCT f.rule || ' ' || f.round_id, ', ')
           FROM casino_internal.check_record(current_date - 1, current_date + 1) f
          WHERE f.rule = 'ground'), 'nothing');
EXCEPTION WHEN SQLSTATE 'TT001' THEN
    RETURN SQLERRM;
END $$;
SELECT is(t.planted_rows(format(change, r)), want, 'R11.41: planted: ' || change)
  FROM (VALUES ('SELECT %s', :w::bigint, 'nothing'),
               ('UPDATE casino.withholding SET ground = ''x'' WHERE round_id = %s', :w, 'ground ' || :w),
               ('UPDATE casino.withholding_end SET ground = ''x'' WHERE round_id = %s', :w, 'ground ' || :w),
               ('UPDATE casino.withholding_end SET ground = NULL WHERE round_id = %s', :v, 'ground ' || :v),
               ('UPDATE casino.withholding_end SET ground = ''other'' WHERE round_id = %s', :v3,
                'ground ' || :v3)) v (change, r, want);
SELECT * FROM finish();
