-- What an evaluation reads must not depend on when its plan was made: here all of them are made with next to
-- nothing in the tables, as in the first minutes of a new casino, and live on until the next ANALYZE.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'one', 100, 2500),
    casino.add_game_table('roulette_american', 'two', 100, 2500) \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 10000))
  FROM generate_series(1, 300) n \g /dev/null
SELECT casino.set_limit(n, 'stake', 'day', 10000) FROM generate_series(1, 100) n \g /dev/null

-- rows of the ledger that this transaction read
CREATE FUNCTION rows_read() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_all_tables
        WHERE relid IN (SELECT b.relid FROM pg_partition_tree('casino.ledger') b)$$;
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
SELECT casino.cancel_bet(r, 1, 'small'), casino.settle_round(r, '{"number": 0}')
  FROM opened('small', 2) r \g /dev/null
SELECT casino.void_round(r, 'small') FROM opened('small void', 2) r \g /dev/null
SELECT casino.settle_round(r, '{"number": 0}', withhold => true), casino.pay_withheld(r)
  FROM opened('small withheld', 2) r \g /dev/null

BEGIN;
SET LOCAL enable_seqscan = off;     -- whatever autovacuum has found out meanwhile
SELECT is((SELECT count(*) FROM explained('SELECT * FROM casino.evaluation WHERE round_id = 1') e
            WHERE e LIKE '%Index Cond: (kind = ''stake''%'), 0::bigint,
                'the stakes of a round are found by its number, not those of all rounds');
SELECT is((SELECT count(*) FROM explained('SELECT * FROM casino.evaluation WHERE round_id = 1') e
            WHERE e LIKE '%Index Cond: ((kind = ''refund''%'), 0::bigint,
                'a returned stake is found by its number, not among all refunds');
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
            WHERE (s.staked_day, s.lost_day, s.open_staked) <> (u.staked_day, u.lost_day, u.open_staked)),
                0::bigint, 'all counters are right');
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');
-- ------------------------------------------------------------------------------------------------ store and
-- SQL The hot tables are read and written beside the executor, or by SQL where it must be: both give the same
-- rows.
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean,
          'the tables as installed are such as the store writes');
SELECT opened('both ways', 20) AS both \gset
SELECT count(casino.place_bets(:both, n, '{straight:17@100,red@100,red@200}', 'more ' || n))
  FROM generate_series(5, 9) n \g /dev/null
SELECT casino.cancel_bet(:both, 7, 'more 7') \g /dev/null
CREATE FUNCTION settled_rows(r bigint, store text, number integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('casino.store', store, true);
    PERFORM casino.settle_round(r, jsonb_build_object('number', number));
    SELECT (SELECT string_agg(format('%s %s %s %s %s', l.player_id, l.entry_no, l.amount, l.stake_entry_no,
                                     l.grade), ';'
                              ORDER BY l.player_id, l.entry_no) FROM casino.ledger l
                                  WHERE l.round_id = r AND l.kind = 'payout')
        || (SELECT string_agg(format('%s %s %s', p.player_id, p.balance, p.last_entry_no), ';'
                              ORDER BY p.player_id) FROM casino.player p)
        || (SELECT format('%s %s %s %s', o.wagers, o.players, o.staked, o.paid) FROM casino.round o
            WHERE o.round_id = r) INTO answer;
    RAISE EXCEPTION USING MESSAGE = answer;
EXCEPTION WHEN raise_exception THEN
    GET STACKED DIAGNOSTICS answer = MESSAGE_TEXT;
    RETURN answer;
END $$;
SELECT is(settled_rows(:both, 'on', 17), settled_rows(:both, 'off', 17),
          'the same payouts by the store and by SQL');
SELECT is(settled_rows(:both, 'on', 1), settled_rows(:both, 'off', 1), 'with other winners too');
SELECT isnt(settled_rows(:both, 'on', 1), settled_rows(:both, 'on', 17), 'and not because nobody won');
-- a read-only transaction writes nothing
BEGIN READ ONLY;
SELECT throws_ok(format('SELECT casino.place_bet(%s, 1, ''red@100'')', :both), '25006', NULL,
                 'no stake in a read-only transaction');
SELECT throws_ok('SELECT casino.deposit(1, 100)', '25006', NULL, 'no deposit');
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": 1}'')', :both), '25006', NULL,
                 'no settlement');
ROLLBACK;
-- what an operator adds to a table is honoured
CREATE TABLE seen (entry_no bigint);
CREATE FUNCTION see()
RETURNS trigger
LANGUAGE plpgsql AS $$BEGIN INSERT INTO public.seen VALUES (NEW.entry_no); RETURN NEW; END$$;
CREATE TRIGGER operators AFTER INSERT ON casino.ledger FOR EACH ROW
    WHEN (NEW.kind = 'payout') EXECUTE FUNCTION see();
SELECT paid > 0 AS won FROM casino.settle_round(:both, '{"number": 1}') \gset
SELECT is((SELECT count(*) FROM seen), (SELECT count(*) FROM casino.ledger
                                        WHERE round_id = :both AND kind = 'payout'),
          'a trigger of the operator''s on the ledger fires for payouts');
SELECT ok(:'won'::boolean, 'of which there were some');
SELECT ok(NOT casino.store_in_use(), 'because SQL is used then');
DROP TRIGGER operators ON casino.ledger;
SELECT * FROM finish();
