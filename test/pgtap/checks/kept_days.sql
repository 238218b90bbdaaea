-- R10.40: a finished day is added up once. The figures and the check of limits answer the same with it as
-- without; a row that comes to the day later is not missed; and the night compares the sums with the books.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
\ir ../helpers/evenings.psql
SELECT setseed(0.3) \g /dev/null
CALL evenings.players(1, 24, '2026-04-28 08:00');
CREATE PROCEDURE day(day date) LANGUAGE plpgsql AS $$
BEGIN
    CALL evenings.evening(day.day, 1, 24, 12);
    PERFORM casino.pay_withheld(r.round_id, reason => 'settled',
                                at => (day.day + 1 + time '09:00')::timestamptz)
       FROM casino.round r
      WHERE r.status = 'withheld' ORDER BY r.round_id;
END $$;
SELECT format('CALL day(%L)', d::date)
  FROM generate_series(timestamp '2026-04-28', '2026-05-03', '1 day') d \gexec
-- limits lowered behind the books, as if they had been so from the first
ALTER TABLE casino.player_limit DISABLE TRIGGER USER;
UPDATE casino.player_limit l
   SET amount = round(amount / (3 + l.player_id % 30), 2)
 WHERE l.amount IS NOT NULL;
ANALYZE;

CREATE FUNCTION answers() RETURNS TABLE (question text, answer jsonb) LANGUAGE sql AS $$
    SELECT 'table', to_jsonb(t) FROM casino.daily_table('2026-04-01', '2026-05-31') t
    UNION ALL SELECT 'base', to_jsonb(b) FROM casino.tax_base('2026-04-01', '2026-05-31') b
    UNION ALL SELECT 'balance', to_jsonb(b) FROM casino.trial_balance b
    UNION ALL SELECT 'movement', to_jsonb(m) FROM casino.account_movements('2026-05-01', '2026-05-02') m
    UNION ALL SELECT 'liability ' || a, to_jsonb(l)
                FROM generate_series(timestamptz '2026-04-28 06:00', '2026-05-05', '3 hours') a
               CROSS JOIN LATERAL casino.liability(a) l
    UNION ALL SELECT 'used ' || p.player_id || d, to_jsonb(u)
                FROM casino.player p
               CROSS JOIN generate_series(timestamptz '2026-04-29 12:00', '2026-05-04', '2 days') d
               CROSS JOIN LATERAL casino.limit_usage(p.player_id, d) u
               WHERE p.limited
    UNION ALL SELECT 'limit ' || d, to_jsonb(f)
                FROM generate_series(date '2026-04-28', '2026-05-04', '1 day') d
               CROSS JOIN LATERAL casino_internal.check_self_limit(d::date, d::date) f $$;
CREATE TABLE before AS SELECT * FROM answers();
SELECT cmp_ok((SELECT count(*) FROM before WHERE question LIKE 'limit%'), '>', 200::bigint,
              'limits are passed');
SELECT is((SELECT count(*) FROM casino.kept_day), 0::bigint, 'nothing is kept before');
SELECT is(casino.keep_day_totals(), 7, 'days that are kept, the last morning too');
SELECT results_eq('SELECT day FROM casino_internal.kept_days(''2026-04-01'', ''2026-05-31'') ORDER BY day',
                  'SELECT d::date FROM generate_series(date ''2026-04-28'', ''2026-05-04'', ''1 day'') d',
                  'R10.40: every day of them answers');
SELECT set_eq('SELECT * FROM answers()', 'SELECT * FROM before',
              'R10.40: the same answers with the days kept');
SELECT is_empty($$ SELECT * FROM casino_internal.check_kept_days('2026-04-01', '2026-05-04') $$,
                'and the kept days are those of the books');

-- ------------------------------------------------------------------------------------ reading
CREATE FUNCTION buffers(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
BEGIN
    FOR n IN 1 .. 2 LOOP
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
    END LOOP;
    RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;
SELECT cmp_ok(buffers(format('SELECT * FROM casino.%s(''2026-04-01'', ''2026-05-31'')', k)), '<',
              buffers(format('SELECT * FROM casino_internal.%s(''2026-04-01'', ''2026-05-31'')', c)),
              k || ' reads less than the books')
  FROM (VALUES ('daily_table', 'counted_table')) v (k, c);

-- a first limit does not ask which days are kept: that counts all players, and the entries since
SET track_functions = 'all';
CREATE FUNCTION asked() RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(pg_stat_get_xact_function_calls('casino_internal.month_kept_until'::regproc), 0) $$;
BEGIN;
ALTER TABLE casino.player_limit ENABLE TRIGGER USER;
SELECT is((SELECT count(casino.set_limit(p.player_id, 'stake', 'day', 5000))
             FROM casino.player p WHERE NOT p.limited), 16::bigint, 'first limits of the others');
SELECT is(asked(), 0::bigint, 'R10.40: a first limit does not ask how far the month is kept');
SELECT count(casino.limit_usage(p.player_id, '2026-05-03 12:00'))
  FROM casino.player p WHERE p.player_id = 3 \g /dev/null
SELECT is(asked(), 1::bigint, 'the usage of a player whose sums are kept does');
ROLLBACK;
RESET track_functions;

-- ------------------------------------------------------------------------------------ later rows
CREATE FUNCTION is_right(case_of text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is((SELECT sum(t.ggr) FROM casino.daily_table('2026-04-01', '2026-05-31') t),
              (SELECT sum(c.staked - c.won - c.corrected)
                 FROM casino_internal.counted_table('2026-04-01', '2026-05-31') c),
              case_of || ': GGR')
    UNION ALL
    SELECT is((SELECT sum(b.base) FROM casino.tax_base('2026-04-01', '2026-05-31') b),
              (SELECT sum(c.stakes - c.returned - c.winnings - c.corrected)
                 FROM casino_internal.counted_game('2026-04-01', '2026-05-31') c), case_of || ': tax base')
    UNION ALL
    SELECT is((SELECT -b.balance FROM casino.trial_balance b WHERE b.account = 'player_wallets'),
              (SELECT sum(p.balance) FROM casino.player p), case_of || ': wallets')
    UNION ALL
    SELECT is((SELECT l.wallets FROM casino.liability('2026-05-20') l),
              (SELECT sum(p.balance) FROM casino.player p),
              case_of || ': liability') $$;
SELECT casino.adjust(1, 7, 'dated back', 'late 1', '2026-05-04 10:00') \g /dev/null
SELECT is_right('an entry dated into a kept day');
SELECT is_empty($$ SELECT * FROM casino_internal.kept_days('2026-04-01', '2026-05-31') $$,
                'no day answers from its kept sums then');
SELECT cmp_ok(casino.keep_day_totals(), '>', 0, 'kept anew');
SELECT is_right('and kept anew');
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-04-01', '2026-05-31')), 7::bigint,
          'all days answer again');
-- a round without stakes: no entry tells of it
SELECT casino.open_round(1, 'dated back', '2026-05-02 04:00') AS late \gset
SELECT is((SELECT array_agg(k.day ORDER BY k.day)
           FROM casino_internal.kept_days('2026-05-01', '2026-05-03') k),
          '{2026-05-01,2026-05-03}'::date[], 'R12.73: a round under way takes the day that it was opened on');
SELECT casino.settle_round(:late, '{"number": 1}', '2026-05-02 04:01') \g /dev/null
SELECT is((SELECT sum(rounds_settled) FROM casino.daily_table('2026-05-02', '2026-05-02')),
          (SELECT sum(settled)::numeric FROM casino_internal.counted_table('2026-05-02', '2026-05-02')),
          'a round dated into a kept day is not missed');
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-05-02', '2026-05-02')), 0::bigint,
          'its day is counted');
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-04-01', '2026-05-31')), 7::bigint,
          'until it is kept anew');
-- winnings held back: their day is not kept until they are paid
SELECT casino.open_round(1, 'held', '2026-05-05 10:00') AS held \gset
SELECT casino.place_bet(:held, 1, 'red@50', 'held', at => '2026-05-05 10:00:10') \g /dev/null
SELECT casino.settle_round(:held, '{"number": 18}', '2026-05-05 10:02', true, 'a complaint') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT count(*) FROM casino.kept_day WHERE day = '2026-05-05'), 0::bigint,
          'a day with winnings held back is not kept');
SELECT casino.pay_withheld(:held, reason => 'it was right', at => '2026-05-06 10:00') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-05-05', '2026-05-06')), 2::bigint,
          'paid, its days are kept');
SELECT is_right('paid late');

-- ------------------------------------------------------------------------------ entries that come to one day
-- a correction without an entry: nobody had a stake
CREATE ROLE first_of_kept;
CREATE ROLE second_of_kept;
SELECT casino.grant_access(r, 'supervisor')
  FROM unnest('{first_of_kept,second_of_kept}'::text[]) r \g /dev/null
SET SESSION AUTHORIZATION first_of_kept;
SELECT casino.correct_round(:late, '{"number": 2}', 'misread', '2026-05-06 11:00') AS correction \gset
SET SESSION AUTHORIZATION second_of_kept;
SELECT casino.approve_correction(:correction, '2026-05-06 11:01') \g /dev/null
RESET SESSION AUTHORIZATION;
SELECT results_eq(format('SELECT k.day FROM casino_internal.kept_days(%L, %L) k ORDER BY 1', v.first, v.last),
                  format('SELECT d FROM unnest(%L::date[]) d', v.days),
                  format('R10.40: a correction approved on 6 May takes 2 May, %s to %s', v.first, v.last))
  FROM (VALUES ('2026-05-01', '2026-05-03', '{2026-05-01,2026-05-03}'), ('2026-05-02', '2026-05-02', '{}'),
               ('2026-05-02', '2026-05-31', '{2026-05-03,2026-05-04,2026-05-05,2026-05-06}'),
               ('2026-05-03', '2026-05-03', '{2026-05-03}')) v (first, last, days);
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-05-02', '2026-05-02')), 1::bigint,
          '... until it is kept anew');
-- a round is open for days: it takes the day of its opening, and a day whose stake comes to light later
CALL evenings.players(25, 25, '2026-05-01 08:00');
SELECT casino.open_round(1, 'for days', '2026-05-02 05:00') AS long, p.player_id AS late_player
  FROM casino.player p WHERE p.external_ref = 'player 25' \gset
CREATE FUNCTION taken() RETURNS date[] LANGUAGE sql AS $$
    SELECT array_agg(d::date ORDER BY d)
      FROM generate_series(date '2026-04-28', '2026-05-06', '1 day') d
     WHERE d NOT IN (SELECT k.day FROM casino_internal.kept_days('2026-04-28', '2026-05-06') k) $$;
SELECT casino.keep_day_totals() \g /dev/null
SELECT is(taken(), '{2026-05-02}', 'R12.73: an open round without stakes takes the day of its opening alone');
SELECT is((SELECT count(*) FROM casino.kept_day k WHERE k.day = '2026-05-02'), 0::bigint,
          'R12.73: that day is not added up');
SELECT casino.place_bet(:long, :late_player, 'red@70', 'for days', at => '2026-05-04 10:00') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is(taken(), '{2026-05-02,2026-05-04}',
          'R12.73: a stake of the open round takes its day, which was kept before');
SELECT is((SELECT count(*) FROM casino.kept_day k WHERE k.day = '2026-05-04'), 0::bigint,
          'R12.73: the day of the stake is not added up');
SELECT is_right('a stake of a round that is open for days');
SELECT casino.void_round(:long, 'not played', '2026-05-06 12:00') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is(taken(), NULL, 'R12.73: voided, the days are kept');
SELECT is_right('voided');
SELECT is_empty($$ SELECT * FROM casino_internal.check_kept_days('2026-04-01', '2026-05-06') $$,
                'the days are those of the books');
-- winnings of one player alone, in a round that is settled
SELECT casino.open_round(1, 'of one', '2026-05-06 13:00') AS of_one \gset
SELECT casino.place_bet(:of_one, p, 'red@50', 'of one', at => '2026-05-06 13:00:10')
  FROM unnest('{2,4}'::bigint[]) p \g /dev/null
SELECT casino.withhold_winnings(:of_one, 2, 'a complaint', '2026-05-06 13:01') \g /dev/null
SELECT casino.settle_round(:of_one, '{"number": 18}', '2026-05-06 13:02') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT r.status || ', ' || (SELECT count(*) FROM casino.kept_day k WHERE k.day = '2026-05-06')
             FROM casino.round r WHERE r.round_id = :of_one),
          'settled, 0', 'a day is not kept while winnings of one player are held back');
SELECT casino.pay_withheld(:of_one, '2026-05-07 10:00', 2, 'it was right') \g /dev/null
SELECT casino.keep_day_totals() \g /dev/null
SELECT is((SELECT count(*) FROM casino_internal.kept_days('2026-05-06', '2026-05-07')), 2::bigint,
          'paid, both days are kept');
SELECT is_right('one player paid late');

-- ------------------------------------------------------------------------------------ planted faults
CREATE FUNCTION found(rule text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM casino_internal.check_state('2026-05-02', '2026-05-02') f
        WHERE f.rule = found.rule $$;
SELECT is_empty($$ SELECT * FROM casino_internal.check_kept_days('2026-05-01', '2026-05-02') $$, 'clean');
SELECT is(found('kept_game'), 0::bigint, 'clean, too');
BEGIN;
UPDATE casino.kept_game SET stakes = stakes + 1 WHERE day = '2026-05-02' AND game = 'baccarat';
SELECT is(found('kept_game'), 1::bigint, 'a forged sum of a game');
ROLLBACK;
BEGIN;
UPDATE casino.kept_table SET won = won - 10 WHERE day = '2026-05-01' AND table_id = 1;
SELECT is(found('kept_table'), 1::bigint, 'a forged sum of a table, of the day before');
ROLLBACK;
BEGIN;
DELETE FROM casino.kept_table WHERE day = '2026-05-02' AND table_id = 1;
SELECT is(found('kept_table'), 1::bigint, 'a table removed');
ROLLBACK;
BEGIN;
UPDATE casino.kept_player SET lost = 0, staked = 0 WHERE day = '2026-05-02' AND player_id = 3;
SELECT is(found('kept_player'), 1::bigint, 'a forged sum of a player');
ROLLBACK;
BEGIN;
DELETE FROM casino.kept_player WHERE day = '2026-05-02';
SELECT cmp_ok(found('kept_player'), '>', 3::bigint, 'sums of players removed');
ROLLBACK;
BEGIN;
UPDATE casino.day_total SET amount = amount + 1 WHERE day = '2026-05-02' AND kind = 'stake';
SELECT is(found('day_total'), 1::bigint, 'a forged total');
ROLLBACK;
-- an audit finds those of every day
UPDATE casino.kept_game SET winnings = winnings + 1 WHERE day = '2026-04-29';
SELECT is((SELECT count(*) FROM casino_internal.check_state('2000-01-01', '2026-05-31') f
           WHERE f.rule = 'kept_game'),
          2::bigint, 'the audit, too');
SELECT * FROM finish();
