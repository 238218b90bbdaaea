-- Limits that have passed to a person's next account (R7.30, R11.85): stakes and losses of the accounts count
-- together, also where a result of the former one is changed later. Counters, rebuild() and the check
-- self_limit say the same.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE ROLE passed_limits_second;
SELECT grant_access('passed_limits_second', 'supervisor') \g /dev/null
-- registrations bear the time of the clock, and limits pass within seven days: noon of today
SELECT date_trunc('day', now()) + interval '12 hours' AS noon, prague_day(now()) AS d \gset
CREATE FUNCTION at(minute integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT current_setting('t.noon')::timestamptz + minute * interval '1 minute' $$;
SELECT set_config('t.noon', :'noon', false) \g /dev/null
SELECT add_game_table('roulette_american', 'R', 1, 10000) AS r \gset
-- a round of one player; red loses by 0 and wins by 1
CREATE FUNCTION play(r bigint, p bigint, amount numeric, number integer, minute integer,
                     withhold boolean DEFAULT false) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    id CONSTANT bigint := casino.open_round(r, 'round ' || minute, public.at(minute));
BEGIN
    PERFORM casino.place_bet(id, p, format('red@%s', amount)::casino.bet, at => public.at(minute));
    PERFORM casino.settle_round(id, jsonb_build_object('number', number), public.at(minute), withhold,
                                CASE WHEN withhold THEN 'a doubt' END);
    RETURN id;
END $$;
-- closes the account with nothing in it; the person's next one, with money
CREATE FUNCTION again(p bigint, minute integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    opened bigint;
BEGIN
    PERFORM casino.adjust(x.player_id, -x.balance, 'taken out', 'out', public.at(minute))
       FROM casino.player x WHERE x.player_id = p AND x.balance > 0;
    PERFORM casino.close_account(p, public.at(minute));
    opened := casino.register_player((SELECT x.external_ref FROM casino.player x WHERE x.player_id = p));
    PERFORM casino.deposit(opened, 5000, at => public.at(minute));
    RETURN opened;
END $$;
CREATE FUNCTION lost(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s/%s', trim_scale(s.lost_day), trim_scale(s.lost_month))
      FROM casino.limit_state s WHERE s.player_id = p $$;
CREATE FUNCTION found() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', f.player_id, f.rule, f.expected, f.found)
      FROM casino_internal.check_self_limit(casino.prague_day(public.at(0)),
                                            casino.prague_day(public.at(0))) f
     ORDER BY 1 $$;
CREATE PROCEDURE correct(round_id bigint, outcome jsonb, minute integer) LANGUAGE plpgsql AS $$
DECLARE
    n CONSTANT bigint := casino.correct_round(round_id, outcome, 'the camera', public.at(minute));
BEGIN
    PERFORM set_config('session_authorization', 'passed_limits_second', true);
    PERFORM casino.approve_correction(n, public.at(minute));
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;

-- who has won before may lose that, too
SELECT register_player('anna') AS a \gset
SELECT deposit(:a, 1000, at => at(0)), set_limit(:a, 'net_loss', 'day', 500, at(0)),
    set_limit(:a, 'net_loss', 'month', 500, at(0)) \g /dev/null
SELECT play(:r, :a, 400, 1, 1) \g /dev/null
SELECT again(:a, 2) AS a2 \gset
SELECT is(lost(:a2), '-400/-400', 'R7.30: winnings pass on');
SELECT play(:r, :a2, 900, 0, 3) \g /dev/null
SELECT is(lost(:a2), '500/500', 'and may be lost');
SELECT throws_ok(format('SELECT play(%s, %s, 1, 0, 4)', :r, :a2), 'KC005', NULL, 'no more than that');
SELECT is_empty('SELECT found()', 'R11.85: the night counts winnings of the former account');
-- and losses
SELECT register_player('bob') AS b \gset
SELECT deposit(:b, 1000, at => at(10)), set_limit(:b, 'net_loss', 'month', 700, at(10)),
    set_limit(:b, 'stake', 'day', 700, at(10)) \g /dev/null
SELECT play(:r, :b, 400, 0, 11) AS lost_round \gset
SELECT again(:b, 12) AS b2 \gset
SELECT play(:r, :b2, 300, 0, 13) \g /dev/null
SELECT is_empty('SELECT found()', 'R11.85: 700 of 700');
BEGIN;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE ledger SET amount = 301, bet = 'red@301' WHERE player_id = :b2 AND kind = 'stake';
SELECT string_agg(f, ', ') AS beyond FROM found() f \gset
ROLLBACK;
SELECT is(:'beyond',
          format('%1$s net_loss_month at most 700.00 701.00, %1$s stake_day at most 700.00 701.00', :b2),
          'R11.85: a stake beyond the limit, with those of the former account, is found');

-- another result of a round of the former account
CALL correct(:lost_round, '{"number": 1}', 14);
SELECT is(lost(:b), '-400/-400', 'a correction counts in the account that it pays');
SELECT is(lost(:b2), '-100/-100', 'R11.85: and in the one that has taken over its limits');
SELECT is(rebuild(), 0::bigint, 'rebuild() says the same');
SELECT again(:b2, 15) AS b3 \gset
SELECT adjust(:b, -10, 'a mistake', 'wrong', at(16), :lost_round) \g /dev/null
SELECT is(lost(:b2), '-90/-90', 'R11.85: an adjustment that names a round, in the account after it');
SELECT is(lost(:b3), '-90/-90', 'and in the one after that');
SELECT adjust(:b, -10, 'a mistake', 'no round', at(16)) \g /dev/null
SELECT is(lost(:b3), '-90/-90', 'not an adjustment without a round');
SELECT is(rebuild(), 0::bigint, 'rebuild() says the same of three accounts');

-- withheld: the loser may close the account; the round is voided then, or has another result
SELECT register_player('carl') AS c, register_player('no limits') AS o \gset
SELECT deposit(:o, 10, at => at(20)), deposit(:c, 1000, at => at(20)),
    set_limit(:c, 'net_loss', 'month', 700, at(20)) \g /dev/null
SELECT play(:r, :c, 300, 0, 21, true) AS r1 \gset
SELECT open_round(:r, 'two', at(22)) AS r2 \gset
SELECT place_bet(:r2, :c, 'red@200', at => at(22)) \g /dev/null
SELECT place_bet(:r2, :o, 'black@10', at => at(22)) \g /dev/null
SELECT settle_round(:r2, '{"number": 0}', at(22), true, 'a doubt') \g /dev/null
SELECT again(:c, 23) AS c2 \gset
SELECT is(lost(:c2), '500/500', 'lost in rounds that are withheld');
SELECT void_round(:r1, 'the ball', at(24)) \g /dev/null
SELECT is(lost(:c2), '200/200', 'R11.85: the round is voided: it was no loss');
SELECT is(lost(:c), '200/200', 'in the former account neither');
CALL correct(:r2, '{"number": 1}', 25);
SELECT is(lost(:c2), '-200/-200', 'R11.85: another result of winnings withheld');
SELECT is(rebuild(), 0::bigint, 'rebuild() says the same of withheld rounds');
CALL correct(:r2, NULL, 26);
SELECT is(lost(:c2), '0/0', 'R11.85: voided by a correction');
SELECT is(rebuild(), 0::bigint, 'rebuild() says the same of a round that a correction voided');

-- play elsewhere that was booked for an account without limits, while the person had the one after it
SELECT register_player('dora') AS e \gset
SELECT again(:e, 30) AS e2 \gset
SELECT set_limit(:e2, 'net_loss', 'month', 700, at(30)),
    count_other_play(:e, 'slots', 100, -100, 'late', at(31)) \g /dev/null
SELECT is(lost(:e2), '100/100', 'R7.29: it counts in the open account');
SELECT again(:e2, 32) AS e3 \gset
SELECT is(lost(:e3), '100/100', 'R11.85: and passes on with the counters');
SELECT is((limit_usage(:e3, at(33))).lost_month, 100.00, 'limit_usage() says the same');
SELECT is(rebuild(), 0::bigint, 'and rebuild()');
SELECT play(:r, :e3, 600, 0, 34) \g /dev/null
SELECT is_empty('SELECT found()', '700 of 700, with play elsewhere');
-- an account that was opened too late takes over nothing (R7.30)
SELECT register_player('emil') AS f \gset
SELECT deposit(:f, 1000, at => at(-14400)), set_limit(:f, 'net_loss', 'month', 700, at(-14400)) \g /dev/null
SELECT play(:r, :f, 300, 0, -14400) AS old_round \gset
SELECT adjust(:f, -700, 'taken out', 'out', at(-14300)), close_account(:f, at(-14300)) \g /dev/null
SELECT register_player('emil') AS f2 \gset
SELECT deposit(:f2, 1000, at => at(40)), set_limit(:f2, 'net_loss', 'month', 700, at(40)) \g /dev/null
CALL correct(:old_round, '{"number": 1}', 41);
SELECT is(lost(:f2), '0/0', 'R11.85: a result of an account whose limits have not passed on');
SELECT is(rebuild(), 0::bigint, 'rebuild() leaves it out, too');
SELECT * FROM finish();
