-- R10.51 to R10.54: a provider that has left is asked for no report, its last rounds are, and a round or a
-- report of after its end is a difference.
-- tampers with the books
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION missing(day date, until date DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule,
                                         coalesce(f.detail ->> 'ref', f.detail ->> 'provider'),
                                         f.detail ->> 'round_ref'), ', '
                               ORDER BY f.rule, f.detail ->> 'round_ref', f.detail ->> 'ref'), 'nothing')
      FROM casino_internal.check_provider_missing_there(day, coalesce(until, day)) f $$;
-- the other checks of providers
CREATE FUNCTION others(day date) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM casino_internal.provider_lines(day, day) $$;
CREATE FUNCTION told(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r,
       add_game_table('roulette_synot', 'S', 1, 10000) AS s, register_player('anna') AS a \gset
SELECT deposit(:a, 20000, 'd1', '2026-06-01 08:00') \g /dev/null
-- a round that anna loses, with a stake in it, or two; its lines
CREATE TABLE line (provider text, day date, round_ref text, line jsonb);
CREATE PROCEDURE play(round_ref text, opened_at timestamptz, evaluated_at timestamptz, provider text,
                      name text DEFAULT 'R', second timestamptz DEFAULT NULL, withhold boolean DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round((SELECT t.table_id FROM casino.game_table t WHERE t.name = play.name),
                                  round_ref, opened_at);
BEGIN
    PERFORM casino.place_bet(r, 1, 'red@10', round_ref, at => opened_at);
    INSERT INTO line VALUES (provider, casino.prague_day(opened_at), round_ref, jsonb_build_object(
        'kind', 'stake', 'table_name', name, 'round_ref', round_ref, 'external_ref', 'anna',
        'ref', round_ref, 'amount', 10, 'at', opened_at));
    IF second IS NOT NULL THEN
        PERFORM casino.place_bet(r, 1, 'red@10', round_ref || ' second', at => second);
        INSERT INTO line VALUES (provider, casino.prague_day(second), round_ref, jsonb_build_object(
            'kind', 'stake', 'table_name', name, 'round_ref', round_ref, 'external_ref', 'anna',
            'ref', round_ref || ' second', 'amount', 10, 'at', second));
    END IF;
    PERFORM casino.settle_round(r, '{"number": 1}', evaluated_at, withhold, 'a question');
    INSERT INTO line
    SELECT provider, casino.prague_day(evaluated_at), round_ref, jsonb_build_object('kind', 'payout',
           'table_name', name, 'round_ref', round_ref, 'external_ref', 'anna', 'ref', q.ref, 'amount', 20,
           'at', evaluated_at)
      FROM unnest(ARRAY[round_ref, CASE WHEN second IS NOT NULL THEN round_ref || ' second' END]) q (ref)
     WHERE q.ref IS NOT NULL;
    INSERT INTO line VALUES (provider, casino.prague_day(evaluated_at), round_ref, jsonb_build_object(
        'kind', 'round', 'table_name', name, 'round_ref', round_ref, 'at', evaluated_at,
        'data', '{"outcome": {"number": 1}}'::jsonb));
END $$;
-- the report of a day, with the lines of that day and of more rounds
CREATE FUNCTION report(provider text, day date, more text[] DEFAULT '{}') RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.load_provider_report(report.provider, report.day,
                                       (SELECT jsonb_agg(l.line)
                                          FROM line l
                                         WHERE l.provider = report.provider
                                           AND (l.day = report.day OR l.round_ref = ANY (more)))) $$;
-- three days of live; a round opened a microsecond before the end goes on over midnight, with a stake there,
-- too; one is opened at midnight
CALL play('a', '2026-06-01 10:00', '2026-06-01 10:05', 'live');
CALL play('held', '2026-06-02 10:00', '2026-06-02 10:05', 'live', withhold => true);
CALL play('void', '2026-06-02 11:00', '2026-06-02 11:05', 'live', withhold => true);
CALL play('over', '2026-06-02 23:59:59.999999', '2026-06-03 00:05', 'live', second => '2026-06-03 00:01');
CALL play('at the end', '2026-06-03 00:10', '2026-06-03 00:15', 'live', 'S');
SELECT report('live', '2026-06-01') \g /dev/null

-- ------------------------------------------------------------------------------------ refusals
SELECT is(told('SELECT casino.' || call), answer, 'R10.51: ' || call)
  FROM (VALUES ($$end_provider(NULL, '2026-06-02', 'x')$$,
                '22004 provider, last_day and reason must be given'),
               ($$end_provider('live', NULL, 'x')$$, '22004 provider, last_day and reason must be given'),
               ($$end_provider('live', '2026-06-02', NULL)$$,
                '22004 provider, last_day and reason must be given'),
               ($$resume_provider('live', '2026-06-02', NULL)$$,
                '22004 provider, first_day and reason must be given'),
               ($$end_provider('live', '2026-06-02', ' ')$$, '22023 reason must not be empty'),
               ($$end_provider('live', 'infinity', 'x')$$, '22023 the day must be finite'),
               ($$resume_provider('live', '-infinity', 'x')$$, '22023 the day must be finite'),
               ($$end_provider('lives', '2026-06-02', 'x')$$, '23503 provider "lives" does not exist'),
               ($$resume_provider('live', '2026-06-09', 'x')$$, '55000 provider "live" has not ended'),
               ($$end_provider('live', '2026-05-31', 'x')$$,
                'KL005 day 2026-06-01 is before the last event of provider "live"')) v (call, answer);
SELECT matches(told($$SELECT casino.end_provider('live', '2026-06-02', repeat('x', 1001))$$), '^22001 ',
               'R10.51: a reason of 1001 bytes');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT matches(told('SELECT casino.' || call), '^25001 ', 'R10.51: not by an old snapshot: ' || call)
  FROM unnest(ARRAY[$$end_provider('live', '2026-06-02', 'x')$$,
                    $$resume_provider('live', '2026-06-09', 'x')$$]) call;
COMMIT;
CREATE ROLE provider_ends_night;
SELECT casino.grant_access('provider_ends_night', 'nightly') \g /dev/null
SET ROLE provider_ends_night;
SELECT public.throws_ok('SELECT casino.' || call, '42501', NULL, 'R10.51: for the owner alone: ' || call)
  FROM unnest(ARRAY[$$end_provider('live', '2026-06-02', 'x')$$,
                    $$resume_provider('live', '2026-06-09', 'x')$$]) call;
RESET ROLE;

-- ------------------------------------------------------------------------------------ the end
SELECT is(missing('2026-06-03'), 'report live', 'without an end the report of the next day is missing');
SELECT is(casino.end_provider('live', '2026-06-02', 'its contract is over'), 1, 'R10.51: an end')
  FROM generate_series(1, 2);
SELECT results_eq('SELECT provider, operation_no, resumed, from_day, reason FROM casino.provider_operation',
                  $$VALUES ('live', 1, false, date '2026-06-03', 'its contract is over')$$,
                  'R10.51: ... twice is one row');
SELECT is(told($$SELECT casino.end_provider('live', '2026-06-02', 'another reason')$$),
          '23505 this event of provider "live" is recorded for another reason',
          'R10.51: the same end for another reason');
SELECT is(told($$SELECT casino.end_provider('live', '2026-06-05', 'later')$$),
          '55000 provider "live" has already ended', 'R10.51: another end');
SELECT is(missing('2026-06-02'), 'report live', 'R10.51: the report of the last day is asked');
SELECT report('live', '2026-06-02') \g /dev/null
SELECT is(missing('2026-06-02'), 'nothing', 'R10.51: ... and is there');
SELECT is(others('2026-06-02'), 0::bigint, 'R10.51: ... and agrees');
SELECT is(missing('2026-06-03'),
          'payout over over, payout over second over, round over, stake over second over',
          'R10.51, R10.52: no report of the next day is asked, and the round that had begun is');

-- its lines in the report of the last day
SELECT report('live', '2026-06-02', '{over}') \g /dev/null
SELECT is(missing(d), 'nothing', 'R10.52: reported with the last day: ' || d)
  FROM unnest('{2026-06-02,2026-06-03}'::date[]) d;
SELECT is(others('2026-06-02'), 0::bigint, 'R10.52: ... with their own times');
-- or in one of the day after
SELECT report('live', '2026-06-02') \g /dev/null
SELECT casino.load_provider_report('live', '2026-06-03',
                                   (SELECT jsonb_agg(l.line) FROM line l
                                     WHERE l.day = '2026-06-03' AND l.round_ref = 'over')) \g /dev/null
SELECT is(missing(d), 'nothing', 'R10.52: reported on the day after: ' || d)
  FROM unnest('{2026-06-02,2026-06-03}'::date[]) d;
SELECT is(others('2026-06-03'), 0::bigint, 'R10.52: ... agrees in the other checks');
-- decisions of the house about older rounds
SELECT pay_withheld(r.round_id, '2026-06-03 09:00', reason => 'looked at')
  FROM casino.round r WHERE r.round_ref = 'held' \g /dev/null
SELECT is(missing('2026-06-03'), 'nothing', 'R10.52: winnings paid after the end were reported before');
SELECT void_round(r.round_id, 'the wheel', '2026-06-03 10:00')
  FROM casino.round r WHERE r.round_ref = 'void' \g /dev/null
SELECT is((SELECT count(*) FROM casino.ledger l WHERE l.kind = 'refund'), 1::bigint, 'a stake goes back');
SELECT is(missing('2026-06-03'), 'nothing', 'R10.52: ... which the provider that has left is not asked for');

-- ------------------------------------------------------------------------------------ after the end
SELECT report('live', '2026-06-03') \g /dev/null
SELECT is(missing('2026-06-03'), 'report_after_end live',
          'R10.54: a report with a round that began after it');
SELECT results_eq($$SELECT f.expected, f.found
                      FROM casino_internal.check_provider_missing_there('2026-06-03', '2026-06-03') f$$,
                  $$VALUES ('no report of live on 2026-06-03', '3 lines')$$, 'R10.54: ... with its lines');
SELECT casino.load_provider_report('live', '2026-06-03',
                                   (SELECT jsonb_agg(l.line) FROM line l
                                     WHERE l.day = '2026-06-03' AND l.round_ref = 'over')) \g /dev/null
-- deposits of before and of after
SELECT casino.load_provider_report('live', '2026-06-04', '[{"kind": "deposit", "ref": "d1",
    "external_ref": "anna", "amount": 1, "at": "2026-06-02 23:59:59.999999"}]') \g /dev/null
SELECT is(missing('2026-06-04'), 'nothing', 'R10.54: a report of a deposit of before');
SELECT casino.load_provider_report('live', '2026-06-04', '[{"kind": "deposit", "ref": "d1",
    "external_ref": "anna", "amount": 1, "at": "2026-06-03 00:00"}]') \g /dev/null
SELECT is(missing('2026-06-04'), 'report_after_end live', 'R10.54: of one at midnight after the end');
-- another table is not this provider's; its own is
CALL play('s', '2026-06-05 10:00', '2026-06-05 10:05', 'nobody', 'S');
SELECT is(missing('2026-06-05'), 'nothing', 'R10.53: a table that the provider has not reported of');
CALL play('late', '2026-06-05 11:00', '2026-06-05 11:05', 'live');
SELECT results_eq($$SELECT f.rule, f.expected, f.found
                      FROM casino_internal.check_provider_missing_there('2026-06-05', '2026-06-05') f$$,
                  $$VALUES ('after_end', 'no round of live from 2026-06-03 on', 'R late')$$,
                  'R10.53: a round of the provider''s table after the end');
CALL play('midnight', '2026-06-06 00:00', '2026-06-06 00:05', 'east');
CALL play('later', '2026-06-06 11:00', '2026-06-06 11:05', 'east');
SELECT is(missing('2026-06-06'), 'after_end live later, after_end live midnight', 'R10.53: each, once');
SELECT is(missing('2026-06-05', '2026-06-06'),
          'after_end live late, after_end live later, after_end live midnight',
          'R10.53: ... of several days');
-- the table is another provider's now
SELECT report('east', '2026-06-06') \g /dev/null
SELECT is(missing('2026-06-06'), 'nothing', 'R10.53: a table that another provider reports of');
SELECT is(missing('2026-06-05'), 'after_end live late', 'R10.53: ... from its first report on');
SELECT casino.end_provider('east', '2026-06-06', 'a guest') \g /dev/null
CALL play('sharp', '2026-06-07 00:00', '2026-06-07 00:05', 'nobody');
SELECT is(missing('2026-06-07'), 'after_end east sharp',
          'R10.52, R10.53: a round that began with the end is asked of nobody');
-- a month and more later
CALL play('july', '2026-07-20 11:00', '2026-07-20 11:05', 'nobody');
SELECT results_eq($$SELECT f.rule, f.expected
                      FROM casino_internal.check_provider_missing_there('2026-07-20', '2026-07-20') f$$,
                  $$VALUES ('after_end', 'no round of east from 2026-06-07 on')$$,
                  'R10.53: as long as it lasts, once, of the provider that had the table last');

-- ------------------------------------------------------------------------------------ resumed
SELECT is(told($$SELECT casino.resume_provider('live', '2026-06-02', 'x')$$),
          'KL005 day 2026-06-02 is before the last event of provider "live"', 'R10.51: not before the end');
SELECT is(casino.resume_provider('live', '2026-08-10', 'a new contract'), 2, 'R10.51: resumed')
  FROM generate_series(1, 2);
SELECT is(told($$SELECT casino.resume_provider('live', '2026-08-10', 'other words')$$),
          '23505 this event of provider "live" is recorded for another reason',
          'R10.51: the same day for another reason');
SELECT is(told($$SELECT casino.resume_provider('live', '2026-08-11', 'x')$$),
          '55000 provider "live" has not ended', 'R10.51: another resumption');
SELECT is(casino.end_provider('live', '2026-06-02', 'its contract is over'), 1,
          'R10.51: the end again gives the number of then');
SELECT is(missing('2026-08-09'), 'nothing', 'R10.51: the day before');
SELECT is(missing('2026-08-10'), 'report live', 'R10.51: from its day on its report is asked');
SELECT is(told($$SELECT casino.end_provider('live', '2026-08-08', 'x')$$),
          'KL005 day 2026-08-09 is before the last event of provider "live"',
          'R10.51: no end before a resumption that has begun') WHERE now() >= '2026-08-10';
SELECT is(casino.end_provider('live', '2026-08-10', 'for a day'), 3, 'R10.51: an end of a day');
SELECT is(casino_internal.provider_ended_since('live', day), since::date, 'R10.51: ended at ' || day)
  FROM (VALUES (date '2026-06-02', NULL), ('2026-06-03', '2026-06-03'), ('2026-08-09', '2026-06-03'),
               ('2026-08-10', NULL), ('2026-08-11', '2026-08-11'), ('2030-01-01', '2026-08-11'))
       v (day, since);
-- announced, taken back and brought forward: the newest holds
SELECT casino.prague_day(clock_timestamp()) AS today \gset
CREATE FUNCTION until(day integer) RETURNS date LANGUAGE sql AS
    $$SELECT casino.prague_day(clock_timestamp()) + day$$;
SELECT casino.load_provider_report('west', until(-1), '[{"kind": "round", "table_name": "S", "round_ref": "w",
    "at": "2026-06-01 10:00", "data": {"voided": true}}]') \g /dev/null
SELECT is(casino.end_provider('west', until(40), 'announced'), 1, 'R10.51: an end to come');
SELECT is(casino.resume_provider('west', until(41), 'taken back'), 2, 'R10.51: ... taken back');
SELECT is(casino_internal.provider_ended_since('west', until(60)), NULL, 'R10.51: ... holds no more');
-- a repetition of an event that was taken back is neither answered nor made anew
SELECT casino.load_provider_report('again', until(-1), '[{"kind": "round", "table_name": "A",
    "round_ref": "a", "at": "2026-06-01 10:00", "data": {"voided": true}}]') \g /dev/null
SELECT is(casino.end_provider('again', until(40), 'announced'), 1, 'R10.51: an end to come');
SELECT is(casino.resume_provider('again', until(41), 'taken back'), 2, 'R10.51: taken back');
SELECT is(told($$SELECT casino.end_provider('again', until(40), 'announced')$$),
          '55000 this event of provider "again" was taken back',
          'R10.51: ... the end again is not answered as if it held') FROM generate_series(1, 2);
SELECT is(casino.resume_provider('again', until(41), 'taken back'), 2, 'R10.51: ... the taking back is');
SELECT is(casino.end_provider('again', until(40), 'the old day after all'), 3,
          'R10.51: the same day for another reason is another event') FROM generate_series(1, 2);
SELECT is(casino_internal.provider_ended_since('again', until(60)), until(41), 'R10.51: ... which holds');
SELECT is(told($$SELECT casino.end_provider('again', until(40), 'announced')$$),
          '55000 this event of provider "again" was taken back',
          'R10.51: ... and the one of the same day that was taken back is refused as before');
SELECT is(told($$SELECT casino.end_provider('again', until(40), 'some other words')$$),
          '23505 this event of provider "again" is recorded for another reason',
          'R10.51: ... and a third one is refused');
SELECT is(told($$SELECT casino.resume_provider('again', until(41), 'taken back')$$),
          '55000 this event of provider "again" was taken back', 'R10.51: ... and the one before does not');
SELECT is(casino.end_provider('west', until(30), 'brought forward'), 3, 'R10.51: ... an earlier one');
SELECT is(casino_internal.provider_ended_since('west', until(day)), until(since),
          'R10.51: ... after days: ' || day)
  FROM (VALUES (30, NULL), (31, 31), (41, 31), (60, 31)) v (day, since);

-- ------------------------------------------------------------------------------------ not dated back
SELECT casino.load_provider_report('north', until(-1), '[{"kind": "round", "table_name": "S",
    "round_ref": "n", "at": "2026-06-01 10:00", "data": {"voided": true}}]') \g /dev/null
SET casino.clock_skew = 5;
SELECT is(told($$SELECT casino.end_provider('north', until(-1), 'x')$$),
          'KL005 an end or a resumption of a provider cannot be dated back',
          'R10.51: yesterday was the last day');
SELECT is(told($$SELECT casino.end_provider('north', until(0), 'x')$$), '1', 'R10.51: today is the last day');
SELECT is(told($$SELECT casino.resume_provider('north', until(0), 'x')$$),
          'KL005 an end or a resumption of a provider cannot be dated back', 'R10.51: resumed from today on');
SELECT is(told($$SELECT casino.resume_provider('north', until(1), 'x')$$), '2', 'R10.51: from tomorrow on');
-- by INSERT
SELECT is(told(format('INSERT INTO casino.provider_operation (provider, operation_no, resumed, from_day,
                                                             reason, recorded_at)
                       VALUES (%s, clock_timestamp())', row_is)), answer, 'R10.51: INSERT ' || row_is)
  FROM (VALUES ($$'north', 3, false, until(0), 'x'$$,
                'KL005 an end or a resumption of a provider cannot be dated back'),
               ($$'north', 4, false, until(5), 'x'$$,
                '23505 operation 4 of provider "north" is not the next'),
               ($$'north', 3, true, until(5), 'x'$$, '55000 provider "north" has not ended'),
               ($$'south', 1, false, until(5), 'x'$$, '23503 provider "south" does not exist'))
       v (row_is, answer);
SELECT throws_ok(statement, 'KL001', NULL, 'append-only: ' || statement)
  FROM unnest(ARRAY['UPDATE casino.provider_operation SET from_day = from_day + 1',
                    'DELETE FROM casino.provider_operation', 'TRUNCATE casino.provider_operation']) statement;
SELECT is((SELECT string_agg(e.event || ': ' || e.reason, ', ' ORDER BY e.event)
             FROM casino.significant_event(:'today', :'today') e WHERE e.detail ->> 'provider' = 'north'),
          'setting: provider ended: x, setting: provider resumed: x', 'R7.75: significant events');

-- ------------------------------------------------------------------------------------ planted
CREATE FUNCTION recorded(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    ALTER TABLE casino.provider_operation DISABLE TRIGGER ALL;
    ALTER TABLE casino.replay DISABLE TRIGGER ALL;
    -- no day is marked
    DELETE FROM casino.replay;
    EXECUTE fault;
    SELECT coalesce(string_agg(DISTINCT f.rule || ' ' || (f.detail ->> 'key'), ', '), 'nothing') INTO result
      FROM casino_internal.check_record('2026-06-01', casino.prague_day(clock_timestamp())) f
     WHERE f.detail ->> 'table' = 'provider_operation';
    RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
EXCEPTION WHEN SQLSTATE 'P9999' THEN
    RETURN result;
END $$;
SELECT is(recorded(fault), found, 'R10.51: ' || fault)
  FROM (VALUES ('SELECT', 'nothing'),
               ($$UPDATE casino.provider_operation SET resumed = true
                   WHERE provider = 'west' AND operation_no = 3$$, 'order west/3'),
               ($$UPDATE casino.provider_operation SET from_day = until(0)
                   WHERE provider = 'north' AND operation_no = 1$$, 'order north/1'),
               ($$UPDATE casino.provider_operation SET from_day = until(35)
                   WHERE provider = 'west' AND operation_no = 2$$, 'order west/2'),
               ($$UPDATE casino.provider_operation SET provider = 'south'
                   WHERE provider = 'north' AND operation_no = 1$$, 'number north/2, reference south/1'),
               ($$UPDATE casino.provider_operation SET operation_no = 7
                   WHERE provider = 'north' AND operation_no = 2$$, 'number north/7, order north/7'),
               ($$DELETE FROM casino.provider_operation WHERE provider = 'west' AND operation_no = 1$$,
                'number west/2')) v (fault, found);
SELECT * FROM finish();
