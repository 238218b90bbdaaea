-- A player who was disconnected comes back (R11.75 to R11.79): records, times, and answers to a retry.
-- How the hand is judged is in games/absent_players.sql.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
    $$ SELECT ('2026-06-01 ' || clock || ' Europe/Prague')::timestamptz $$;
CREATE FUNCTION refusal(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    reason text;
BEGIN
    EXECUTE command;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS reason = CONSTRAINT_NAME;
    RETURN concat_ws(' ', SQLSTATE, nullif(reason, ''));
END $$;
CREATE FUNCTION back(r bigint, p bigint, clock text) RETURNS text LANGUAGE sql AS
    $$ SELECT refusal(format('SELECT casino.reconnect(%s, %s, %L)', r, p, at(clock))) $$;
CREATE FUNCTION returns(r bigint) RETURNS text LANGUAGE sql AS
    $$ SELECT string_agg(to_char(reconnected_at, 'HH24:MI:SS'), ',' ORDER BY reconnected_at)
         FROM casino.reconnection WHERE round_id = r $$;
CREATE FUNCTION absences(r bigint, p bigint) RETURNS text LANGUAGE sql AS
    $$ SELECT string_agg(to_char(disconnected_at, 'HH24:MI:SS') || '-'
                         || coalesce(to_char(returned_at, 'HH24:MI:SS'), '')
                         || CASE WHEN automatic THEN ' away' ELSE ' back' END, ', ' ORDER BY disconnected_at)
         FROM casino.automatic_completion WHERE round_id = r AND player_id = p $$;
SELECT add_game_table('blackjack_synot', 'J', 10, 1000, '{"behind": true}') AS j, register_player('A') AS a,
       register_player('B') AS b \gset
SELECT deposit(:a, 5000, 'a', at('09:00')), deposit(:b, 5000, 'b', at('09:00')) \g /dev/null
SELECT open_round(:j, 'j1', at('10:00')) AS r \gset
SELECT place_bet(:r, :a, 'main@100', 'a1', 1, at => at('10:00:10')),
       place_bet(:r, :b, 'behind@100', 'b1', 1, at => at('10:00:11')) \g /dev/null

SELECT is(reconnect(:r, :a, at('10:00:15')), NULL, 'R11.76: while betting is open nobody is away');
SELECT is(disconnect(:r, :b, at('10:00:16')) <> '{}', true, 'R7.12: a disconnection then returns the stakes');
SELECT is(reconnect(:r, :b, at('10:00:17')), NULL, 'R11.76: ... and leaves no absence');
SELECT place_bet(:r, :b, 'behind@100', 'b2', 1, at => at('10:00:18')) \g /dev/null
SELECT close_betting(:r, at('10:00:20')) \g /dev/null
SELECT is(reconnect(:r, :a, at('10:00:30')), NULL, 'R11.76: nor does anybody come back who was not away');
SELECT is(returns(:r), NULL, 'R11.76: nothing is recorded');

SELECT is(disconnect(:r, :a, at('10:01')), '{}', 'gone');
SELECT is(absences(:r, :a), '10:01:00- away', 'away');
SELECT is(back(:r, :a, '10:01:00'), 'KL005 backdated',
          'R11.77: a return at the instant of the disconnection');
SELECT is(back(:r, :a, '10:00:59'), 'KL005 backdated', 'R11.77: ... and before it');
SELECT is(reconnect(:r, :b, at('10:01:10')), NULL, 'a bet behind was not away with the owner of the box');
SELECT is(absences(:r, :a), '10:01:00- away', '... and does not bring the owner back');
SELECT is(reconnect(:r, :a, at('10:01:00.000001')), at('10:01:00.000001'),
          'R11.75: a microsecond later: back');
SELECT is(absences(:r, :a), '10:01:00-10:01:00 back', 'R11.75: the absence has ended');
SELECT is(reconnect(:r, :a, at('10:01:30')), at('10:01:00.000001'),
          'R11.76: again: the time of the first');
SELECT is(reconnect(:r, :a), at('10:01:00.000001'), 'R11.76: ... without a time, too');
SELECT is((SELECT count(*) FROM casino.reconnection), 1::bigint, 'R11.76: ... and once recorded');

SELECT is(disconnect(:r, :a, at('10:02')), '{}', 'gone again');
SELECT is(disconnect(:r, :a, at('10:02:01')), '{}', 'R7.14: ... once an absence');
SELECT is(absences(:r, :a), '10:01:00-10:01:00 back, 10:02:00- away', 'R11.75: another absence');
SELECT is(reconnect(:r, :a, at('10:01:00.000001')), at('10:01:00.000001'),
          'R11.76: the first return once more does not end the second absence');
SELECT is(absences(:r, :a), '10:01:00-10:01:00 back, 10:02:00- away', '... which goes on');
SELECT is(back(:r, :a, '10:01:59'), 'KL005 backdated', 'R11.77: nor does a return of before');
SELECT is(disconnect(:r, :b, at('10:02:30')), '{}', 'the one behind is gone, too');
SELECT is(reconnect(:r, :a, at('10:03')), at('10:03'), 'R11.75: back again');
SELECT is(absences(:r, :b), '10:02:30- away', 'R11.75: ... alone');
SELECT is(reconnect(:r, :b, at('10:03:10')), at('10:03:10'), 'a player behind comes back as everybody');
SELECT is((SELECT role IS NOT NULL FROM casino.recorder w
             JOIN casino.reconnection c ON c.recorded_by = w.recorder_id
            WHERE c.player_id = :b), true, 'who recorded it is kept');

-- a stake was first
SELECT is(disconnect(:r, :a, at('10:04')), '{}', 'gone a third time');
SELECT deal(:r, '{"dealer": "6h", "hands": [{"seat": 1, "cards": "5c 6d"}]}', at('10:04:10')) \g /dev/null
SELECT place_bet(:r, :a, 'double_down@100', 'd', 1, 1, at('10:04:20')) \g /dev/null
SELECT is(reconnect(:r, :a, at('10:04:30')), at('10:04:20'), 'R11.75: by a stake the player was back before');
SELECT is(returns(:r), '10:01:00,10:03:00,10:03:10', '... so that nothing is recorded');

-- the end of the decisions, of the round
SELECT is(disconnect(:r, :a, at('10:05')), '{}', 'gone a fourth time');
SELECT close_actions(:r, at('10:06')) \g /dev/null
SELECT is(back(:r, :a, '10:05:30'), 'KR002 actions_over', 'R11.77: the decisions are over');
SELECT is(back(:r, :a, '10:06:30'), 'KR002 actions_over', 'R11.77: ... at any time');
SELECT is(reconnect(:r, :b, at('10:03:10')), at('10:03:10'), 'R11.76: a retry is answered');
SELECT settle_round(:r, '{"dealer": "6h Tc 5s", "hands": [{"seat": 1, "cards": "5c 6d Th"}]}',
                    at('10:07')) \g /dev/null
SELECT is(back(:r, :a, '10:07:30'), 'KR002 round_state', 'R11.77: the round is evaluated');
SELECT is(reconnect(:r, :b, at('10:03:10')), at('10:03:10'), 'R11.76: a retry is answered');
SELECT is(reconnect(:r, :b), at('10:03:10'), 'R11.76: ... without a time, too');
SELECT open_round(:j, 'j2', at('10:10')) AS v \gset
SELECT place_bet(:v, :a, 'main@100', 'v', 1, at => at('10:10:10')), close_betting(:v, at('10:10:20')),
       disconnect(:v, :a, at('10:10:30')), void_round(:v, 'test', at('10:11')) \g /dev/null
SELECT is(back(:v, :a, '10:10:40'), 'KR002 round_state', 'R11.77: the round is voided');
SELECT is(refusal(format('SELECT casino.reconnect(%s)', v)), e, v)
  FROM (VALUES ('NULL, 1', '22004'), ('1, NULL', '22004'), ('-1, 1', '23503'),
               (format('%s, -1', :v), '23503')) x (v, e);
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT throws_ok(format('SELECT casino.reconnect(%s, %s)', :v, :a), '25001', NULL,
                 'an older snapshot would not show an absence');
ROLLBACK;

-- the clock
SET casino.clock_skew = '1 min';
SELECT open_round(:j, 'j3') AS n \gset
SELECT deposit(:a, 1000, 'now'), place_bet(:n, :a, 'main@100', 'n', 1), close_betting(:n),
       disconnect(:n, :a) \g /dev/null
SELECT is(refusal(format('SELECT casino.reconnect(%s, %s, clock_timestamp() - interval ''2 min'')', :n, :a)),
          'KL005 clock_differs', 'R11.77: a return is dated within the clock''s tolerance');
SELECT is(reconnect(:n, :a) > (SELECT max(disconnected_at) FROM casino.disconnection WHERE round_id = :n),
          true, 'R11.75: without a time it is now');
SELECT is((SELECT automatic FROM casino.automatic_completion WHERE round_id = :n), false, 'back');
SELECT reconnected_at + interval '10 seconds' AS later FROM casino.reconnection WHERE round_id = :n \gset
SELECT disconnect(:n, :a, :'later') \g /dev/null
SELECT is(reconnect(:n, :a), :'later'::timestamptz + interval '1 microsecond',
          'R12.7: ... and not before the disconnection');
SELECT is((settle_round(:n, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "5s 6d Ts"}]}')).at,
          :'later'::timestamptz + interval '1 microsecond', 'R12.7: an evaluation is not before the return');
-- later acts are not before a return, or a wager, that is dated ahead (R12.7)
CREATE FUNCTION ahead(r bigint) RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT max(disconnected_at) + interval '5 seconds' FROM casino.disconnection WHERE round_id = r $$;
SELECT register_player('C') AS c, register_player('D') AS d \gset
SELECT deposit(:c, 1000, 'c'), deposit(:d, 1000, 'd'), open_round(:j, 'j4') AS o \gset
SELECT place_bet(:o, :c, 'main@100', 'o', 1), close_betting(:o) \g /dev/null
SELECT deal(:o, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d"}]}'), disconnect(:o, :c)
\g /dev/null
SELECT reconnect(:o, :c, ahead(:o)) AS back \gset
SELECT deal(:o, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d 2s"}]}') \g /dev/null
SELECT is((SELECT max(dealt_at) FROM casino.deal WHERE round_id = :o), :'back'::timestamptz,
          'R12.7: a card of after the return is dealt after it');
SELECT disconnect(:o, :c) \g /dev/null
SELECT is((SELECT array_agg(automatic ORDER BY disconnected_at) FROM casino.automatic_completion
            WHERE round_id = :o), '{f,t}', 'R12.7: a disconnection after the return is another absence');
SELECT is((SELECT max(disconnected_at) FROM casino.disconnection WHERE round_id = :o), :'back'::timestamptz,
          'R12.7: ... from the return on');
-- cards that are dated ahead: of an absent player, and drawn by the player
SELECT ahead(:o) AS next \gset
SELECT deal(:o, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d 2s 2h"}]}', :'next') \g /dev/null
SELECT is(reconnect(:o, :c), :'next'::timestamptz + interval '1 microsecond',
          'R12.7: a return is after the cards that were shown before it');
SELECT ahead(:o) + interval '1 second' AS next \gset
SELECT deal(:o, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d 2s 2h 2d"}]}', :'next') \g /dev/null
SELECT disconnect(:o, :c) \g /dev/null
SELECT is((SELECT max(disconnected_at) FROM casino.disconnection WHERE round_id = :o), :'next'::timestamptz,
          'R12.7: a disconnection is not before the cards that the player has seen');
SELECT void_round(:o, 'test') \g /dev/null
SELECT open_round(:j, 'j5') AS w \gset
SELECT place_bet(:w, :d, 'main@100', 'w', 1), close_betting(:w) \g /dev/null
SELECT deal(:w, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d"}]}'), disconnect(:w, :d)
\g /dev/null
SELECT place_bet(:w, :d, 'double_down@100', 'wd', 1, 1, ahead(:w)) \g /dev/null
SELECT disconnect(:w, :d) \g /dev/null
SELECT is((SELECT array_agg(automatic ORDER BY disconnected_at) FROM casino.automatic_completion
            WHERE round_id = :w), '{f,t}', 'R12.7: nor is a disconnection before a wager of before it');
SELECT void_round(:w, 'test') \g /dev/null
SET casino.clock_skew = -1;

-- ---------------------------------------------------------------------------------------- evidence, reports
SELECT throws_ok(c, 'KL001', NULL, c)
  FROM unnest(ARRAY['DELETE FROM casino.reconnection', 'TRUNCATE casino.reconnection',
                    'UPDATE casino.reconnection SET reconnected_at = now()']) c;
SELECT is((SELECT array_agg(e ->> 'at' ORDER BY e ->> 'at')
             FROM jsonb_array_elements(game_recall(:r) -> 'reconnections') e),
          ARRAY['2026-06-01T10:01:00.000001+02:00', '2026-06-01T10:03:00+02:00', '2026-06-01T10:03:10+02:00'],
          'the recall has the returns');
SELECT is(jsonb_array_length(player_recall(:b, :r) -> 'reconnections'), 1,
          'that of a player the player''s own');
SELECT is((SELECT array_agg(to_char(at, 'HH24:MI:SS') ORDER BY at)
             FROM significant_event('2026-06-01', '2026-06-01')
            WHERE event = 'back after a disconnection'),
          ARRAY['10:01:00', '10:03:00', '10:03:10'], 'they are significant events');
SELECT is((SELECT count(*) FROM casino_internal.unsealed_rows() WHERE section = 'reconnection'), 7::bigint,
          'they are to be sealed');
SELECT seal((now() AT TIME ZONE 'Europe/Prague')::date) \g /dev/null
SELECT is((SELECT count(*) FROM casino.sealed_row WHERE section = 'reconnection'), 7::bigint, '... and are');
SELECT is((SELECT count(*) FROM verify()), 0::bigint, 'which fit');

-- planted: a return without an absence, twice in one, after the evaluation, dated back
CREATE FUNCTION planted(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE 'ALTER TABLE casino.reconnection DISABLE TRIGGER ALL';
    EXECUTE command;
    found := coalesce((SELECT string_agg(concat_ws(' ', f.rule,
                                                   to_char(f.found::timestamptz, 'HH24:MI:SS')), ', '
                                         ORDER BY f.found)
                         FROM casino_internal.check_record('2026-06-01', '2026-06-01') f
                        WHERE f.expected LIKE 'the first after a disconnection%'), 'nothing');
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ', MESSAGE = found;
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN SQLERRM;
END $$;
SELECT is(planted('SELECT'), 'nothing', 'R11.79: the returns fit');
CREATE FUNCTION insertion(r bigint, p bigint, clock text) RETURNS text LANGUAGE sql AS
    $$ SELECT format('INSERT INTO casino.reconnection VALUES (%s, %s, %L, %L, 1)', p, r, at(clock),
                     at(clock)) $$;
SELECT is(planted(insertion(:r, :a, clock)), found, 'R11.79: a return at ' || clock)
  FROM (VALUES ('10:00:50', 'order 10:00:50'), ('10:01:30', 'order 10:01:30'), ('10:04:00', 'order 10:04:00'),
               ('10:04:10', 'nothing'), ('10:07:00', 'nothing'), ('10:08:00', 'nothing'),
               ('10:08:01', 'order 10:08:01'))
       v (clock, found);
SELECT is(planted(format('UPDATE casino.reconnection SET reconnected_at = %L WHERE reconnected_at = %L',
                         at('10:02:29'), at('10:03:10'))), 'order 10:02:29',
          'R11.79: moved to before the disconnection of that player');
SELECT is(planted(insertion(:r, :a, clock) || '; UPDATE casino.reconnection c
                    SET recorded_at = r.evaluation_recorded_at + interval ' || quote_literal(late) || '
                   FROM casino.round r
                  WHERE r.round_id = c.round_id AND c.reconnected_at = ' || quote_literal(at(clock))),
          found, format('R11.79: a return at %s, written %s after the evaluation', clock, late))
  FROM (VALUES ('10:07:01', '0', 'nothing'), ('10:07:01', '1 microsecond', 'order 10:07:01'),
               ('10:07:00', '1 microsecond', 'nothing')) v (clock, late, found);
-- the server that reports the result is a second behind
SET casino.clock_skew = '5 s';
SELECT register_player('E') AS e \gset
SELECT deposit(:e, 1000, 'e'), open_round(:j, 'j6') AS l \gset
SELECT place_bet(:l, :e, 'main@100', 'l', 1),
       close_betting(:l),
       clock_timestamp() AS early,
       pg_sleep(0.1)
\gset
SELECT disconnect(:l, :e), reconnect(:l, :e) \g /dev/null
SELECT settle_round(:l, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "5s 6d Ts"}]}', :'early')
\g /dev/null
SELECT is_empty(format('SELECT * FROM check_record(%L, %L) f WHERE f.round_id = %s', prague_day(now()),
                       prague_day(now()), :l),
                'R11.79: an evaluation of a little before is not a fault of the others');
SET casino.clock_skew = -1;
-- a return that claims an earlier time than it was written
CREATE FUNCTION dated_back(late text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    EXECUTE 'ALTER TABLE casino.reconnection DISABLE TRIGGER ALL';
    UPDATE casino.reconnection SET recorded_at = reconnected_at + late::interval;
    -- the day is one of the books, and no test marked it as replayed
    EXECUTE 'ALTER TABLE casino.replay DISABLE TRIGGER ALL';
    EXECUTE 'ALTER TABLE casino.recorder DISABLE TRIGGER ALL';
    DELETE FROM casino.replay;
    UPDATE casino.recorder SET recorded_at = '2026-01-01';
    SELECT string_agg(to_char((f.detail ->> 'reconnected_at')::timestamptz, 'HH24:MI:SS'), ', '
                      ORDER BY f.detail ->> 'reconnected_at')
      INTO found
      FROM casino_internal.check_dated_back('2026-06-01', '2026-06-01') f
     WHERE f.rule = 'reconnection';
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ', MESSAGE = coalesce(found, 'nothing');
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN SQLERRM;
END $$;
SELECT is(dated_back(late), found, 'R11.79, R7.85: written later by ' || late)
  FROM (VALUES ('1 minute', 'nothing'),
               ('1 minute 0.000001 s', '10:01:00, 10:03:00, 10:03:10')) v (late, found);
SELECT * FROM finish();
