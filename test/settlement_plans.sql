-- What an evaluation reads must not depend on when its plan was made: here all of them are made with next to nothing in the
-- tables, as in the first minutes of a new casino, and live on until the next ANALYZE.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'one', 100, 2500), casino.add_game_table('roulette_american', 'two', 100, 2500) \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 10000)) FROM generate_series(1, 300) n \g /dev/null
SELECT casino.set_limit(n, 'stake', 'day', 10000) FROM generate_series(1, 100) n \g /dev/null

-- rows of the ledger that this transaction read
CREATE FUNCTION rows_read() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_all_tables WHERE relid = 'casino.ledger'::regclass$$;
CREATE FUNCTION reads(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    before CONSTANT bigint := public.rows_read();
BEGIN
    EXECUTE statement;
    RETURN public.rows_read() - before;
END $$;
CREATE FUNCTION explained(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN ' || statement;
END $$;

CREATE FUNCTION opened(ref text, players integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(1, ref);
BEGIN
    PERFORM casino.place_bet(r, n, 'red@100', ref) FROM generate_series(1, players) n;
    RETURN r;
END $$;

-- the plans
SELECT casino.cancel_bet(r, 1, 'small'), casino.settle_round(r, '{"number": 0}') FROM opened('small', 2) r \g /dev/null
SELECT casino.void_round(r, 'small') FROM opened('small void', 2) r \g /dev/null
SELECT casino.settle_round(r, '{"number": 0}', withhold => true), casino.pay_withheld(r) FROM opened('small withheld', 2) r \g /dev/null

BEGIN;
SET LOCAL enable_seqscan = off;     -- whatever autovacuum has found out meanwhile
SELECT is((SELECT count(*) FROM explained('SELECT * FROM casino.evaluation WHERE round_id = 1') e
            WHERE e LIKE '%Index Cond: (kind = ''stake''%'), 0::bigint, 'the stakes of a round are found by its number, not those of all rounds');
SELECT is((SELECT count(*) FROM explained('SELECT * FROM casino.evaluation WHERE round_id = 1') e
            WHERE e LIKE '%Index Cond: ((kind = ''refund''%'), 0::bigint, 'a returned stake is found by its number, not among all refunds');
COMMIT;

SELECT opened('many', 300) AS round \gset
SELECT count(casino.cancel_bet(:round, n, 'many')) FROM generate_series(1, 100) n \g /dev/null
SELECT casino.close_betting(:round) \g /dev/null
SELECT cmp_ok(reads(format('SELECT casino.settle_round(%s, ''{"number": 0}'')', :round)), '<', 5000::bigint,
              'a settlement with a hundred refunds reads each stake a few times');
SELECT opened('many void', 300) AS round \gset
SELECT cmp_ok(reads(format('SELECT casino.void_round(%s, ''void'')', :round)), '<', 5000::bigint,
              'so does a round voided whose players have limits');
SELECT casino.open_round(2, 'next') AS round \gset
SELECT casino.place_bet(:round, 1, 'red@100') \g /dev/null
SELECT cmp_ok(reads(format('SELECT casino.settle_round(%s, ''{"number": 0}'')', :round)), '<', 50::bigint,
              'one wager is settled without reading those of other rounds');

SELECT is((SELECT count(*) FROM casino.limit_state s, casino.limit_usage(s.player_id, clock_timestamp()) u
            WHERE (s.staked_day, s.lost_day, s.open_staked) <> (u.staked_day, u.lost_day, u.open_staked)), 0::bigint, 'all counters are right');
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');
-- ------------------------------------------------------------------------------------------------ none is left out
-- An evaluation that loses a wager, or does not grade one, settles nothing.
SELECT opened('incomplete', 3) AS incomplete \gset
CREATE FUNCTION settled_with(grade text, condition text, r bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('CREATE OR REPLACE VIEW casino.graded_roulette AS
                    SELECT w.round_id, w.plan_id, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.staked, w.kind, %s AS grade, w.share FROM (%s) w WHERE %s',
                   grade, rtrim(pg_get_viewdef('casino.graded_roulette'::regclass), ';'), condition);
    PERFORM casino.settle_round(r, '{"number": 1}');
    RAISE EXCEPTION 'settled';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS answer = MESSAGE_TEXT;
    RETURN answer;
END $$;
SELECT is(settled_with('w.grade', 'true', :incomplete), 'settled', 'the round as it is settles');
SELECT is(settled_with('w.grade', 'w.player_id <> 2', :incomplete), format('round %s has 3 wagers, and payouts of 2', :incomplete), 'a wager that the evaluation loses stops the settlement');
SELECT is(settled_with('nullif(w.grade, ''win'')', 'true', :incomplete), format('round %s has 3 wagers, and payouts of 0', :incomplete), 'and so does one without a grade');
SELECT is((SELECT status FROM casino.round WHERE round_id = :incomplete), 'open', 'nothing is left of it');
SELECT * FROM finish();
