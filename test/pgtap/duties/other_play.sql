-- D4 §6.5: a player's limits hold jointly with the operator's other products.  count_other_play() books
-- stakes and results there:
-- no money of this ledger moves, the counters of the same limits do, by the Prague day of the play's own
-- time.
\ir ../helpers/compliance.psql
SELECT no_plan();
CREATE FUNCTION t.set(p bigint, measure text, period text, amount numeric,
                      at text) RETURNS integer LANGUAGE sql AS
    'SELECT casino.set_limit(p, measure, period, amount, t.at(at))';
CREATE FUNCTION t.other(p bigint, staked numeric, result numeric, at text,
                        request text DEFAULT NULL) RETURNS bigint LANGUAGE sql AS
    'SELECT casino.count_other_play(p, ''sports'', staked, result, request, t.at(at))';
-- staked and lost of the day, of the month, open
CREATE FUNCTION t.counters(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s %s | %s %s | %s', round(staked_day, 2), round(lost_day, 2), round(staked_month, 2),
                  round(lost_month, 2), round(open_staked, 2))
      FROM casino.limit_state WHERE player_id = p $$;
CREATE FUNCTION t.usage(p bigint, at text) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s %s | %s %s | %s', round(staked_day, 2), round(lost_day, 2), round(staked_month, 2),
                  round(lost_month, 2), round(open_staked, 2))
      FROM casino.limit_usage(p, t.at(usage.at)) $$;

-- ---------------------------------------------------------------- it counts in each of the four limits
CREATE TABLE t.each AS SELECT measure, period, t.player() AS p
    FROM unnest('{stake,net_loss}'::text[]) measure, unnest('{day,month}'::text[]) period;
SELECT t.set(p, measure, period, 1000, '09:00') FROM t.each \g /dev/null
SELECT t.other(p, 700, -600, '10:00') FROM t.each \g /dev/null
SELECT is(t.counters(p), '700.00 600.00 | 700.00 600.00 | 0.00',
          format('%s a %s: 700 staked, 600 lost elsewhere', measure, period)) FROM t.each;
SELECT is(t.may(p, 'M1', '11:00', CASE measure WHEN 'stake' THEN 300 ELSE 400 END), 'ok',
          format('%s a %s: what is left may be staked', measure, period)) FROM t.each;
SELECT is(t.may(p, 'M1', '11:00', CASE measure WHEN 'stake' THEN 300.01 ELSE 400.01 END), 'KC005',
          format('%s a %s: and no haléř more', measure, period)) FROM t.each;
SELECT is(t.detail(format('SELECT t.stake(%s, ''M1'', ''11:00'', 300.01)', p)),
          '700.00 CZK of it are used, 300.01 CZK were to be staked (D4 §6.5).',
              'the DETAIL of KC005 counts it') FROM t.each WHERE measure = 'stake' AND period = 'day';
SELECT is((SELECT (balance, last_entry_no)::text FROM casino.player x WHERE x.player_id = p),
          '(1000000.00,1)', format('%s a %s: no money of this ledger has moved', measure, period))
              FROM t.each;
SELECT is((SELECT count(*) FROM casino.ledger l WHERE l.player_id = p), 1::bigint,
          '... and nothing is posted') FROM t.each;
-- a win there gives room for losses, not for stakes
SELECT t.other(p, 0, 200, '10:30') FROM t.each \g /dev/null
SELECT is(t.may(p, 'M1', '11:00', CASE measure WHEN 'stake' THEN 300.01 ELSE 600 END), CASE measure
          WHEN 'stake' THEN 'KC005' ELSE 'ok' END,
              format('%s a %s: after 200 won elsewhere', measure, period)) FROM t.each;
SELECT is(t.may(p, 'M1', '11:00', 600.01), 'KC005', format('%s a %s: ... and no haléř more', measure, period))
  FROM t.each;

-- it has happened: recorded past the limit, and then nothing may be staked here
SELECT is(t.other(p, 5000, -5000, '10:31'), 3::bigint,
          format('%s a %s: play past the limit is recorded', measure, period)) FROM t.each;
SELECT is(t.may(p, 'M1', '11:00', 1), 'KC005',
          format('%s a %s: ... and the next stake refused', measure, period)) FROM t.each;
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1, at => t.at(''11:00''))', p)), 'ok',
          '... a deposit is not') FROM t.each;
SELECT is(t.may(p, 'M1', '2026-06-02 00:00', 1), CASE period WHEN 'day' THEN 'ok'
          ELSE 'KC005' END, format('%s a %s: on the next day', measure, period)) FROM t.each;
SELECT is(t.may(p, 'M1', '2026-07-01 00:00', 1), 'ok', format('%s a %s: in the next month', measure, period))
  FROM t.each;

-- play here counts with it
CREATE TABLE t.both AS SELECT t.player() AS p;
SELECT t.set(p, 'net_loss', 'day', 1000, '09:00') FROM t.both \g /dev/null
SELECT t.play(p, 'M1', '10:00', '10:01', 300) FROM t.both \g /dev/null
SELECT t.stake(p, 'M1', '10:02', 200) FROM t.both \g /dev/null
SELECT t.other(p, 400, -400, '10:03') FROM t.both \g /dev/null
SELECT is(t.counters(p), '900.00 700.00 | 900.00 700.00 | 200.00', 'lost here, open here, lost elsewhere')
  FROM t.both;
SELECT is(t.may(p, 'M2', '10:04', 100), 'ok', '... jointly up to the limit') FROM t.both;
SELECT is(t.may(p, 'M2', '10:04', 100.01), 'KC005', '... and not above') FROM t.both;
SELECT t.settle('M1', '10:05', true) \g /dev/null
SELECT is(t.counters(p), '900.00 500.00 | 900.00 500.00 | 0.00', '... 200 won here') FROM t.both;
SELECT ok(t.limits_are_right(p, '10:05'), 'the counters are those of the evidence') FROM t.both;

-- ------------------------------------------------------------- its own day counts, whenever it comes (R7.28)
CREATE TABLE t.feed AS SELECT t.player() AS p, t.player() AS q;
SELECT t.set(p, 'stake', 'day', 1000, '2026-06-14 09:00') FROM t.feed \g /dev/null
SELECT t.stake(p, 'M1', '2026-06-15 10:00', 100) FROM t.feed \g /dev/null
SELECT t.other(p, 10, -10, '2026-06-14 23:59:59.999999') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '100.00 0.00 | 110.00 10.00 | 100.00',
          'of yesterday''s last microsecond: in the month, not in the day') FROM t.feed;
SELECT t.other(p, 20, -20, '2026-06-15 00:00') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '120.00 20.00 | 130.00 30.00 | 100.00', 'of this midnight: in the day') FROM t.feed;
SELECT t.other(p, 40, -40, '2026-05-31 23:59:59.999999') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '120.00 20.00 | 130.00 30.00 | 100.00', 'of last month: in neither') FROM t.feed;
SELECT t.other(p, 80, -80, '2026-06-01 00:00') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '120.00 20.00 | 210.00 110.00 | 100.00',
          'of the month''s first instant: in the month') FROM t.feed;
SELECT t.other(p, 1, -1, '2020-02-29 12:00') FROM t.feed \g /dev/null
SELECT is(t.usage(p, '2026-06-15 12:00'), t.counters(p), '... and limit_usage() says the same') FROM t.feed;
SELECT is(t.usage(p, '2026-05-31 12:00'), '40.00 40.00 | 40.00 40.00 | 100.00', '... of the month before too')
  FROM t.feed;
SELECT is(t.usage(p, '2020-02-29 12:00'), '1.00 1.00 | 1.00 1.00 | 100.00', '... and of years ago')
  FROM t.feed;
SELECT t.other(p, 7, -7, '2026-06-16 00:00') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '7.00 7.00 | 217.00 117.00 | 100.00', 'a new day begins with it') FROM t.feed;
SELECT t.other(p, 3, 5, '2026-07-01 00:00') FROM t.feed \g /dev/null
SELECT is(t.counters(p), '3.00 -5.00 | 3.00 -5.00 | 100.00', '... and a new month, with a win') FROM t.feed;
-- Prague's day over the nights when the clocks change
SELECT t.set(q, 'stake', 'day', 1000, '2026-03-28 09:00') FROM t.feed \g /dev/null
SELECT casino.count_other_play(q, 'sports', 1, 0, at => '2026-03-28 22:59:59.999999+00')
  FROM t.feed \g /dev/null
SELECT is(t.counters(q), '1.00 0.00 | 1.00 0.00 | 0.00', '2026-03-28 22:59:59.999999 UTC is still the 28th')
  FROM t.feed;
SELECT casino.count_other_play(q, 'sports', 2, 0, at => '2026-03-28 23:00+00') FROM t.feed \g /dev/null
SELECT is(t.counters(q), '2.00 0.00 | 3.00 0.00 | 0.00', '23:00 UTC is the 29th') FROM t.feed;
SELECT casino.count_other_play(q, 'sports', 4, 0, at => '2026-03-29 21:59:59.999999+00')
  FROM t.feed \g /dev/null
SELECT is(t.counters(q), '6.00 0.00 | 7.00 0.00 | 0.00', 'the day of 23 hours ends at 22:00 UTC') FROM t.feed;
SELECT casino.count_other_play(q, 'sports', 8, 0, at => '2026-03-29 22:00+00') FROM t.feed \g /dev/null
SELECT is(t.counters(q), '8.00 0.00 | 15.00 0.00 | 0.00', '... and then the 30th begins') FROM t.feed;

-- counted before there was a limit: the first limit starts with it
CREATE TABLE t.before AS SELECT t.player() AS p;
SELECT t.other(p, 600, -500, '10:00') FROM t.before \g /dev/null
SELECT t.set(p, 'stake', 'day', 1000, '11:00') FROM t.before \g /dev/null
SELECT is(t.counters(p), '600.00 500.00 | 600.00 500.00 | 0.00',
          'a first limit counts what was played elsewhere on its day') FROM t.before;
SELECT is(t.may(p, 'M2', '11:01', 400.01), 'KC005', '... which is used') FROM t.before;

-- ---------------------------------------------------------------- time
CREATE TABLE t.time AS SELECT t.player() AS p;
SET casino.clock_skew = 5;
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, ''sports'', 1, 0,
                                                           at => clock_timestamp() + interval ''4 s'')',
                           p)),
          'ok', 'within the skew ahead of the clock')
  FROM t.time;
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, ''sports'', 1, 0,
                                                           at => clock_timestamp() + interval ''6 s'')',
                           p)),
          'KL005', 'further ahead: nothing is played in the future')
  FROM t.time;
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, ''sports'', 1, 0,
                                                           at => clock_timestamp() - interval ''10 years'')',
                           p)),
          'ok', 'long ago: feeds come late')
  FROM t.time;
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, ''sports'', 1, 0, at => %L)', p, at)), '22008',
          'at no finite time: ' || at) FROM t.time, unnest('{infinity,-infinity}'::text[]) at;
SET casino.clock_skew = -1;
SELECT casino.count_other_play(p, 'sports', 1, 0) FROM t.time \g /dev/null
SELECT ok((SELECT played_at FROM casino.other_play o
           WHERE o.player_id = p) BETWEEN now() - interval '1 minute' AND clock_timestamp(), 'no time: now')
               FROM t.time;

-- ---------------------------------------------------------------- what is refused
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, %s, %s, %s, %s)', p, product, staked, result,
                           request)), code, about)
  FROM t.time, (VALUES ('''sports''', '0', '0', 'NULL', 'ok', 'nothing staked and won'),
                       ('''sports''', '-0.01', '0', 'NULL', '22003', 'a negative stake'),
                       ('''sports''', '0.001', '0', 'NULL', '22003', 'less than a haléř'),
                           ('''sports''', '1', '-0.001', 'NULL', '22003', 'a result of less than a haléř'),
                       ('''sports''', '''NaN''', '0', 'NULL', '22003', 'NaN'),
                           ('''sports''', '1', '''Infinity''', 'NULL', '22003', 'infinity'),
                       ('''sports''', '1000000000000', '-1000000000000', 'NULL', 'ok',
                        'as much as a row may hold'),
                       ('''sports''', '1000000000000.01', '0', 'NULL', '22003', 'a stake above it'),
                           ('''sports''', '0', '-1000000000000.01', 'NULL', '22003', 'a result below it'),
                       ('NULL', '1', '0', 'NULL', '22004', 'no product'),
                           ('''sports''', 'NULL', '0', 'NULL', '22004', 'no stake'),
                               ('''sports''', '1', 'NULL', 'NULL', '22004', 'no result'),
                       (''' ''', '1', '0', 'NULL', '22023', 'an empty product'),
                           ('repeat(''x'', 101)', '1', '0', 'NULL', '22001', 'a product that is too long'),
                       ('''sports''', '1', '0', ''' ''', '22023', 'an empty key'),
                           ('''sports''', '1', '0', 'repeat(''x'', 201)', '22001',
                            'a key that is too long')) v (product, staked, result, request, code, about);
SELECT is(t.verdict('SELECT casino.count_other_play(-1, ''sports'', 1, 0)'), '23503',
          'a player who is not there');
SELECT is(t.verdict(command), 'KL001', 'append-only: ' || command)
  FROM unnest(ARRAY['UPDATE casino.other_play SET staked = 0', 'DELETE FROM casino.other_play',
                    'TRUNCATE casino.other_play']) command;

-- ---------------------------------------------------------------- retries
CREATE TABLE t.again AS SELECT t.player() AS p;
SELECT t.set(p, 'stake', 'day', 1000, '09:00') FROM t.again \g /dev/null
SELECT is(t.other(p, 100, -50, '10:00', 'feed 1'), 1::bigint, 'counted') FROM t.again;
SELECT is(t.other(p, 100, -50, '10:00', 'feed 1'), 1::bigint, 'again: the same answer') FROM t.again;
SELECT is(t.other(p, 100, -50, '12:00', 'feed 1'), 1::bigint, 'and again, dated otherwise') FROM t.again;
SELECT is(t.counters(p), '100.00 50.00 | 100.00 50.00 | 0.00', '... counted once') FROM t.again;
SELECT is(t.verdict(format('SELECT casino.count_other_play(%s, %L, %s, %s, ''feed 1'')', p, product, staked,
                           result)), 'KL003', format('another content: %s %s %s', product, staked, result))
  FROM t.again, (VALUES ('poker', 100, -50), ('sports', 101, -50), ('sports', 100, 50)) v (product, staked,
          result);
SELECT is(t.detail(format('SELECT casino.count_other_play(%s, ''poker'', 1, 1, ''feed 1'')', p)),
          'It posted other play 1: 100.00 CZK staked on "sports", result -50.00 CZK.',
              '... the DETAIL says what was first') FROM t.again;
SELECT is(t.other(p, 100, -50, '10:00'), 2::bigint, 'without a key it is another play') FROM t.again;
-- one space of keys with the ledger's
SELECT casino.deposit(p, 5, 'money', t.at('10:30')),
    casino.cancel_bet(t.round('M2', '10:30'), p, 'gone', t.at('10:30')) FROM t.again \g /dev/null
SELECT is(t.verdict(format('SELECT t.other(%s, 1, 1, ''10:31'', ''money'')', p)), 'KL003',
          'a key of the ledger is used') FROM t.again;
SELECT is(t.verdict(format('SELECT t.other(%s, 1, 1, ''10:31'', ''gone'')', p)), 'KL003',
          'a key that was cancelled too') FROM t.again;
SELECT is(t.verdict(format(command, p)), 'KL003', 'and this key is used for the ledger: ' || command)
  FROM t.again, unnest(ARRAY['SELECT casino.deposit(%s, 5, ''feed 1'', t.at(''10:31''))',
                             'SELECT t.stake(%s, ''M2'', ''10:31'', 10, ''feed 1'')',
                             'SELECT casino.request_withdrawal(%s, 5, ''cash'', ''feed 1'', t.at(''10:31''))',
                                 'SELECT casino.cancel_bet(t.round(''M2'', ''10:31''), %s, ''feed 1'', '
                                 't.at(''10:31''))',
                             'INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at) '
                             'VALUES (%s, ''deposit'', 5, ''feed 1'', t.at(''10:31''))']) command;
SELECT is(t.other((SELECT p FROM t.both), 1, 0, '10:00', 'feed 1'), 2::bigint,
          'another player has keys of his own');

-- ------------------------------------------------------- excluded players, closed accounts, new ones (R7.29)
CREATE TABLE t.gone AS SELECT t.player() AS excluded, t.player(0) AS former, NULL::bigint AS p,
    t.player(0) AS late, NULL::bigint AS l2;
SELECT t.set(excluded, 'stake', 'day', 100, '09:00'),
    casino.exclude_player(excluded, NULL, 'self', t.at('10:00')) FROM t.gone \g /dev/null
SELECT is(t.other(excluded, 50, -50, '11:00'), 1::bigint, 'play of an excluded player is recorded')
  FROM t.gone;
SELECT is(t.counters(excluded), '50.00 50.00 | 50.00 50.00 | 0.00', '... and counts') FROM t.gone;
SELECT casino.set_limit(former, 'stake', 'month', 1000, clock_timestamp() - interval '1 hour')
  FROM t.gone \g /dev/null
SELECT casino.count_other_play(former, 'sports', 100, -100, at => clock_timestamp()) FROM t.gone \g /dev/null
SELECT casino.close_account(former) FROM t.gone \g /dev/null
SELECT is(casino.count_other_play(former, 'sports', 200, -200), 2::bigint,
          'play of a closed account is recorded') FROM t.gone;
UPDATE t.gone SET p = casino.register_player((SELECT external_ref FROM casino.player x
                                              WHERE x.player_id = former));
SELECT casino.deposit(p, 5000) FROM t.gone \g /dev/null
SELECT is(t.may(p, 'E1', clock_timestamp()::text, 700), 'ok', 'the new account carries what was counted')
  FROM t.gone;
SELECT is(t.may(p, 'E1', clock_timestamp()::text, 700.01), 'KC005', '... and no haléř more') FROM t.gone;
SELECT is(casino.count_other_play(former, 'sports', 300, -300), 3::bigint,
          'a feed that knows the former account only') FROM t.gone;
SELECT is(t.may(p, 'E1', clock_timestamp()::text, 400), 'ok',
          '... counts for the account that the person has now') FROM t.gone;
SELECT is(t.may(p, 'E1', clock_timestamp()::text, 400.01), 'KC005', '... and no haléř more') FROM t.gone;
SELECT is(casino.count_other_play(p, 'sports', 100, -100), 1::bigint, 'the new account''s own') FROM t.gone;
SELECT is(t.may(p, 'E1', clock_timestamp()::text, 300.01), 'KC005', '... counts too') FROM t.gone;
-- opened again without limits: a first limit counts what came since, and no more
SELECT casino.count_other_play(late, 'sports', 100, 0) FROM t.gone \g /dev/null
SELECT casino.close_account(late) FROM t.gone \g /dev/null
UPDATE t.gone SET l2 = casino.register_player((SELECT external_ref FROM casino.player x
                                               WHERE x.player_id = late));
SELECT casino.count_other_play(late, 'sports', 20, 0), casino.count_other_play(l2, 'sports', 3, 0)
  FROM t.gone \g /dev/null
SELECT casino.set_limit(l2, 'stake', 'month', 1000) FROM t.gone \g /dev/null
SELECT is((SELECT staked_month FROM casino.limit_state s WHERE s.player_id = l2), 23.00,
          'a first limit of the new account counts what was counted since it was opened') FROM t.gone;

-- ---------------------------------------------------------------- before the play (R7.93)
CREATE TABLE t.asks AS SELECT measure, period, t.player(0) AS p
    FROM unnest('{stake,net_loss}'::text[]) measure, unnest('{day,month}'::text[]) period;
SELECT casino.set_limit(p, measure, period, 1000, clock_timestamp()) FROM t.asks \g /dev/null
CREATE FUNCTION t.ask(p bigint, amount text, request text, product text DEFAULT 'slots') RETURNS text
LANGUAGE sql AS $$
    SELECT format('SELECT casino.may_stake_elsewhere(%s, %L, %s, %L)', p, product, amount, request) $$;
SELECT is(t.verdict(t.ask(p, '1000.01', 'a')), 'KC005',
          format('R7.93: %s a %s: a haléř above', measure, period)) FROM t.asks;
SELECT is(t.counters(p), '0.00 0.00 | 0.00 0.00 | 0.00', '... is not counted') FROM t.asks;
SELECT is((SELECT count(*) FROM casino.other_play o WHERE o.player_id = a.p), 0::bigint, '... nor booked')
  FROM t.asks a;
SELECT is(casino.may_stake_elsewhere(p, 'slots', 400, 'a'), 1::bigint, 'a stake within the limit')
  FROM t.asks;
SELECT is(t.counters(p), '400.00 400.00 | 400.00 400.00 | 0.00', '... staked, lost, and not open')
  FROM t.asks;
SELECT is(casino.may_stake_elsewhere(p, 'slots', 400, 'a'), 1::bigint, '... the same again') FROM t.asks;
SELECT is(t.counters(p), '400.00 400.00 | 400.00 400.00 | 0.00', '... counts once') FROM t.asks;
SELECT is(t.verdict(t.ask(p, '401', 'a')), 'KL003', 'the same request of another amount') FROM t.asks;
SELECT is(t.verdict(t.ask(p, '400', 'a', 'poker')), 'KL003', '... of another product') FROM t.asks;
SELECT is(t.verdict(t.ask(p, '600.01', 'b')), 'KC005', 'the second stake: a haléř above') FROM t.asks;
SELECT is(t.detail(t.ask(p, '600.01', 'b')),
          '400.00 CZK of it are used, 600.01 CZK were to be staked (D4 §6.5).', '... the DETAIL counts it')
  FROM t.asks;
SELECT is(casino.may_stake_elsewhere(p, 'slots', 600, 'b'), 2::bigint, '... and the rest of the limit')
  FROM t.asks;
SELECT casino.count_other_play(p, 'slots', 0, 300, 'won a') FROM t.asks \g /dev/null
SELECT is(t.verdict(t.ask(p, '300', 'c')), CASE measure WHEN 'stake' THEN 'KC005' ELSE 'ok' END,
          'a win gives room for losses, not for stakes') FROM t.asks;
SELECT is(t.verdict(t.ask(p, '300.01', 'd')), 'KC005', '... and no haléř more') FROM t.asks;
SELECT is((SELECT count(*) FROM casino.ledger l WHERE l.player_id = p), 0::bigint, 'no money here moves')
  FROM t.asks;
CREATE TABLE t.other_asks AS SELECT t.player(0) AS free, t.player(0) AS excluded, t.player(0) AS closed;
SELECT casino.exclude_player(excluded, NULL, 'self'), casino.close_account(closed)
  FROM t.other_asks \g /dev/null
SELECT is(t.verdict(t.ask(free, '1000000', 'x')), 'ok', 'a player without limits') FROM t.other_asks;
SELECT is(t.verdict(t.ask(excluded, '1', 'x')), 'KC004', 'an excluded player') FROM t.other_asks;
SELECT is(t.verdict(t.ask(closed, '1', 'x')), '55000', 'a closed account') FROM t.other_asks;
SELECT is(t.verdict(t.ask(-1, '1', 'x')), '23503', 'a player who does not exist');
SELECT is(t.verdict(t.ask(free, amount, request, product)), code,
          format('%s %s %s', amount, request, product))
  FROM t.other_asks, (VALUES ('0', 'y', 'slots', '22023'), ('-1', 'y', 'slots', '22003'),
                             ('NULL', 'y', 'slots', '22004'), ('1', NULL, 'slots', '22004'),
                             ('1', 'y', ' ', '22023'), ('1', 'y', NULL, '22004'),
                             ('1000000000000.01', 'y', 'slots', '22003')) v (amount, request, product, code);

-- ---------------------------------------------------------------- evidence
SET casino.actor = 'feed of the evening';
SELECT t.other(p, 1, 0, '12:00') FROM t.again \g /dev/null
SELECT is((SELECT w.actor FROM casino.other_play o JOIN casino.recorder w ON w.recorder_id = o.recorded_by
           WHERE o.player_id = p ORDER BY o.play_no DESC
               LIMIT 1), 'feed of the evening', 'who recorded it stands with it') FROM t.again;
RESET casino.actor;
-- all counters from the evidence alone, also those that an account took over
SELECT is((SELECT array_agg(s.player_id) FROM casino.limit_state s
           WHERE NOT t.limits_are_right(s.player_id, s.day::text || ' 23:59:59')), NULL,
               'all counters are those of the evidence');
-- the form that returns a refusal as a row
SELECT t.player() AS tried \gset
SELECT casino.set_limit(:tried, 'stake', 'day', 100) \g /dev/null
SELECT results_eq(format($$SELECT accepted, play_no, code
                             FROM casino.try_may_stake_elsewhere(%s, 'slots', 60, 'x')$$,
                         :tried), $$VALUES (true, 1::bigint, NULL::text)$$, 'taken')
  FROM generate_series(1, 2);
SELECT results_eq(format($$SELECT accepted, play_no, code, reason
                             FROM casino.try_may_stake_elsewhere(%s, 'slots', 40.01, 'y')$$, :tried),
                  $$VALUES (false, NULL::bigint, 'KC005', 'self_limit')$$, 'refused as a row');
SELECT is((SELECT count(*) FROM casino.refusal WHERE player_id = :tried AND action = 'stake_elsewhere'
            AND amount = 40.01 AND request_id = 'y'), 1::bigint, '... which is kept');
SELECT is((SELECT sum(staked) FROM casino.other_play WHERE player_id = :tried), 60.00,
          '... and books nothing');
SELECT * FROM finish();
