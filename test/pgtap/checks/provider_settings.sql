-- R10.42: a provider's clock, time zone and day are settings of its own, each from one of its days on.
-- tampers with the books
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION late(day date) RETURNS bigint LANGUAGE sql AS
    $$ SELECT count(*) FROM casino_internal.check_provider_late(day, day) $$;
CREATE FUNCTION missing(day date) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.detail ->> 'ref', f.detail ->> 'round_ref'), ', '
                               ORDER BY f.rule, f.detail ->> 'ref'), 'nothing')
      FROM casino_internal.check_provider_missing_there(day, day) f $$;
SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r, register_player('anna') AS a \gset
SELECT deposit(:a, 20000, 'd1', '2026-06-01 08:00') \g /dev/null

-- ------------------------------------------------------------------------------------ tolerance
CREATE FUNCTION report(day date, at timestamptz) RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.load_provider_report('live', day, jsonb_build_array(jsonb_build_object(
        'kind', 'stake', 'table_name', 'R', 'round_ref', day::text, 'external_ref', 'anna', 'ref', day::text,
        'amount', 10, 'at', at),
        jsonb_build_object('kind', 'round', 'table_name', 'R', 'round_ref', day::text,
                           'at', day + time '10:05', 'data', '{"outcome": {"number": 1}}'::jsonb))) $$;
CREATE PROCEDURE play(day date, at time DEFAULT '10:00') LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(1, play.day::text, play.day + play.at);
BEGIN
    PERFORM casino.place_bet(r, 1, 'red@10', play.day::text, at => play.day + play.at + '1 min'),
            casino.settle_round(r, '{"number": 1}', play.day + play.at + '5 min');
END $$;
SELECT format('CALL play(%L)', d::date)
  FROM generate_series(date '2026-06-01', '2026-06-03', '1 day') d \gexec
SELECT lives_ok($$ SELECT casino.set_provider_setting('live', '2026-06-02', 5) $$, 'a setting, twice')
  FROM generate_series(1, 2);
SELECT is((SELECT count(*) FROM casino.provider_setting), 1::bigint, 'is one');
SELECT is(ARRAY[report(day, at::timestamptz), late(day)], ARRAY[2, found]::bigint[], 'R10.42: ' || what)
  FROM (VALUES (date '2026-06-01', '2026-06-01 10:02:00', 0, 'without a setting a minute after is not late'),
               ('2026-06-01', '2026-06-01 10:02:00.000001', 1, 'more than a minute is'),
               ('2026-06-01', '2026-06-01 10:00:00', 0, 'a minute before is not late'),
               ('2026-06-01', '2026-06-01 09:59:59.999999', 1, 'more than a minute before is'),
               ('2026-06-02', '2026-06-02 10:01:05', 0, 'five seconds from the second day on'),
               ('2026-06-02', '2026-06-02 10:01:05.000001', 1, 'more than five'),
               ('2026-06-03', '2026-06-03 10:00:55', 0, 'on later days, too'),
               ('2026-06-03', '2026-06-03 10:00:54.999999', 1, 'and before')) v (day, at, found, what);

-- ------------------------------------------------------------------------------------ days of the provider
-- six in the morning in New York is noon in Prague in summer
SELECT casino.set_provider_setting('live', '2026-06-04', 60, 'America/New_York', '06:00') \g /dev/null
CALL play('2026-06-04', '08:00');
CREATE PROCEDURE round(n integer, at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(1, 'n' || n, round.at);
BEGIN
    PERFORM casino.place_bet(r, 1, 'red@10', 'n' || n, at => round.at),
            casino.settle_round(r, '{"number": 1}', round.at);
END $$;
CALL round(1, '2026-06-05 11:59:59.999999');
CALL round(2, '2026-06-05 12:00:00');
CALL round(3, '2026-06-06 11:59:59.999999');
CALL round(4, '2026-06-06 12:00:00');
SELECT casino.load_provider_report('live', day, format('[{"kind": "round", "table_name": "R",
            "round_ref": "x%s", "at": "%s 13:00", "data": {"voided": true}}]', day, day)::jsonb)
  FROM unnest('{2026-06-04,2026-06-05,2026-06-06}'::date[]) day \g /dev/null
SELECT is(missing('2026-06-04'), 'payout n1 n1, round n1, stake n1 n1',
          'R10.42: until its day ends, which is noon of the next one');
SELECT is(missing('2026-06-05'), 'payout n2 n2, payout n3 n3, round n2, round n3, stake n2 n2, stake n3 n3',
          'R10.42: from noon on, as long');
SELECT is(missing('2026-06-06'), 'payout n4 n4, round n4, stake n4 n4', 'and the next day from then on');
-- the day before the first of the setting ends where the next begins: no instant is in no day
SELECT is((SELECT starts_at FROM casino_internal.provider_setting_of('live', '2026-06-03')),
          timestamptz '2026-06-03 00:00',
          'a day of before begins as it did');
SELECT is((SELECT starts_at FROM casino_internal.provider_setting_of('live', '2026-06-04')),
          timestamptz '2026-06-04 12:00',
          'the first day of the setting by it');
SELECT is((SELECT starts_at FROM casino_internal.provider_setting_of('other', '2026-06-04')),
          timestamptz '2026-06-04 00:00',
          'another provider has its own');
SELECT ok(missing('2026-06-03') ~ 'stake 2026-06-04', 'R10.42: an entry between two settings is asked for');

-- ------------------------------------------------------------------------------------ refusals
CREATE FUNCTION refused(args text, code text, says text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT throws_ok(format('SELECT casino.set_provider_setting(%s)', args), code, NULL, says)
      FROM generate_series(1, 2) $$;
SELECT refused($$'live', '2026-07-01', 60, 'Europe/Praha'$$, '22023', 'a time zone that does not exist');
SELECT refused($$'live', '2026-07-01', -1$$, '23514', 'less than no time');
SELECT refused($$'live', '2026-07-01', 86401$$, '23514', 'more than a day');
SELECT refused($$'live', '2026-07-01', 60, 'UTC', '24:00'$$, '23514', 'an hour that does not exist');
SELECT refused($$'live', 'infinity'$$, '23514', 'a day without end');
SELECT refused($$' ', '2026-07-01'$$, '23514', 'nobody');
SELECT refused($$NULL, '2026-07-01'$$, '22004', 'without a provider');
SELECT refused($$'live', '2026-06-02', 6$$, '23505', 'another one of the same day');
SET casino.clock_skew = 5;
SELECT refused($$'live', '2026-07-01'$$, 'KL005', 'R10.42: dated back') WHERE now() > '2026-07-01';
SELECT refused($$'live', casino.prague_day(clock_timestamp())$$, 'KL005', 'R10.42: from today on');
SELECT lives_ok($$SELECT casino.set_provider_setting('live', casino.prague_day(clock_timestamp()) + 1)$$,
                'R10.42: from tomorrow on');
SELECT throws_ok($$ INSERT INTO casino.provider_setting (provider, valid_from, tolerance_seconds, time_zone,
                                                         day_starts, recorded_at)
                    VALUES ('live', casino.prague_day(clock_timestamp()), 1, 'UTC', '00:00', now()) $$,
                 'KL005', NULL, 'R10.42: by INSERT, too');
SELECT throws_ok($$ INSERT INTO casino.provider_setting (provider, valid_from, tolerance_seconds, time_zone,
                                                         day_starts, recorded_at)
                    VALUES ('live', '2100-01-01', 1, 'Mars', '00:00', now()) $$,
                 '22023', NULL, 'and the time zone');
SELECT throws_ok('UPDATE casino.provider_setting SET tolerance_seconds = 9', 'KL001', NULL, 'append-only');
SELECT throws_ok('DELETE FROM casino.provider_setting', 'KL001', NULL, 'append-only');
SELECT * FROM finish();
