-- The sieve of an audit: on clean books of all sixteen games it names only what it leaves to the checks;
-- processes share its work; nobody prepares its result.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
BEGIN;
SELECT no_plan();
\ir ../helpers/night.psql

CREATE FUNCTION pg_temp.named() RETURNS TABLE (parts bigint, player_id bigint,
                                               round_id bigint) LANGUAGE sql AS
    'SELECT a.n[i], a.n[i + 1], a.n[i + 2]
       FROM casino_internal.sieve_all() a (n), generate_series(1, cardinality(a.n), 3) i';
CREATE FUNCTION pg_temp.family(round_id bigint) RETURNS text LANGUAGE sql AS
    'SELECT g.family
       FROM casino.round r
       JOIN casino.game_plan p USING (plan_id)
       JOIN casino.game g USING (game)
      WHERE r.round_id = $1';
SET max_parallel_workers_per_gather = 0;

-- a call that wins, with a side bet
SELECT casino.open_round(pg_temp.tab('casino_holdem'), 'called', pg_temp.t('22:00')) AS called \gset
SELECT casino.place_bets(:called, pg_temp.who('rut'), '{ante@100,call@200,aa@50}', 'called',
                         at => pg_temp.t('22:00:10')) \g /dev/null
SELECT casino.settle_round(:called, '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}',
                           pg_temp.t('22:01')) \g /dev/null

-- part 16, payout: who has played Texas Hold'em, or in a round of which something is withheld
SELECT set_eq('SELECT player_id FROM pg_temp.named() WHERE parts & 16 <> 0 AND player_id <> 0',
    $$SELECT DISTINCT l.player_id FROM casino.ledger l JOIN casino.round r USING (round_id)
       WHERE l.kind = 'stake' AND (pg_temp.family(l.round_id) = 'texas_holdem' AND r.status = 'settled'
                                   OR r.status = 'withheld'
                                   OR l.round_id IN (SELECT round_id FROM casino.withholding
                                                     UNION
                                                     SELECT round_id FROM casino.withholding_end))$$,
    'wagers of the other games are graded by the sieve itself');
SELECT cmp_ok((SELECT count(DISTINCT pg_temp.family(l.round_id)) FROM casino.ledger l
               WHERE l.kind = 'payout'), '=', 5::bigint, 'the books have payouts of all families');
SELECT is_empty('SELECT * FROM pg_temp.named() WHERE parts & 15 <> 0',
                'numbers, wallets and amounts: nobody');
-- what an exclusion or a disconnection gave back, the checks prove: the sieve names whose it was for all that
-- a stake is asked (R7.69)
CREATE VIEW pg_temp.believed AS SELECT l.player_id FROM casino.ledger l
    WHERE l.reason IN ('excluded', 'disconnected');
SELECT set_eq('SELECT player_id FROM pg_temp.named() WHERE parts & 128 <> 0',
    $$SELECT l.player_id FROM casino.ledger l WHERE l.reason = 'late' UNION TABLE pg_temp.believed$$,
    'late stakes: only whose stake was returned for that, or is proved by the checks');
SELECT is_empty('SELECT *
                   FROM pg_temp.named()
                  WHERE parts & 64 <> 0
                    AND round_id NOT IN (SELECT round_id
                                           FROM casino.withholding
                                         UNION
                                         SELECT round_id
                                           FROM casino.withholding_end
                                         UNION
                                         SELECT round_id
                                           FROM casino.round
                                          WHERE status = ''withheld'')',
                'figures of rounds: only where something is withheld');
SELECT set_eq('SELECT player_id FROM pg_temp.named() WHERE parts & 256 <> 0',
    $$SELECT DISTINCT l.player_id FROM casino.ledger l JOIN casino.round r USING (round_id)
        JOIN casino.plan_rule u ON u.plan_id = r.plan_id AND u.rule = 'box_limit' AND u.value = 'together'
       WHERE l.kind = 'stake'
      UNION TABLE pg_temp.believed$$,
          'limits: only who sits at boxes of several players, or is proved by the checks');
SELECT set_eq('SELECT player_id FROM pg_temp.named() WHERE parts & 512 <> 0',
    'SELECT p.player_id
       FROM casino.player p
      WHERE EXISTS (SELECT FROM casino.player o
                     WHERE o.external_ref = p.external_ref AND o.player_id <> p.player_id)
     UNION TABLE pg_temp.believed',
    'sequences: only who has several accounts, or is proved by the checks');

-- as many processes as the planner gives
CREATE TEMP TABLE alone AS SELECT * FROM pg_temp.named();
SET max_parallel_workers_per_gather = 2;
SELECT set_eq('SELECT * FROM pg_temp.named()', 'SELECT * FROM alone', 'several processes name the same');
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE FUNCTION pg_temp.plan() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN
                              SELECT casino_internal.sieve(p.player_id, false, p.balance, p.last_entry_no,
                                                           p.last_posted_at, p.last_round_id,
                                                           p.sequence_started_at)
                                FROM casino.player p';
END $$;
SELECT isnt_empty($$SELECT FROM pg_temp.plan() l
                  WHERE l LIKE '%Workers Planned%'$$, 'the planner gives it some');
SET max_parallel_workers_per_gather = 0;

-- what is no money, a bet of no kind's amount, entries of nobody: named, and no error
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
ALTER TABLE casino.player DISABLE TRIGGER USER;
SELECT max(player_id) AS who FROM casino.ledger WHERE kind = 'payout' \gset
CREATE FUNCTION pg_temp.named_after(fault text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    result bigint;
BEGIN
    BEGIN
        EXECUTE fault;
        SELECT bit_or(n.parts) INTO result FROM pg_temp.named() n
         WHERE n.player_id = current_setting('test.who')::bigint;
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        RETURN result;
    END;
END $$;
SELECT set_config('test.who', :'who', true) \g /dev/null
SELECT is(pg_temp.named_after(format('UPDATE casino.ledger SET %s WHERE player_id = %s AND entry_no = 2', v,
                                     :who)), 16383::bigint, v || ': all checks look at him')
  FROM unnest(ARRAY['amount = ''NaN''', 'amount = ''Infinity''', 'amount = 0.001', 'amount = 1e30',
                    'balance = ''-Infinity''', 'balance = 100.125', 'entry_no = 1000000', 'entry_no = 0',
                        'round_id = NULL', 'round_id = -1',
                    'bet = NULL', 'withdrawal_entry_no = 1']) v;
SELECT is(pg_temp.named_after(format('ALTER TABLE casino.ledger ALTER %1$s DROP NOT NULL;
                                      UPDATE casino.ledger
                                         SET %1$s = NULL
                                       WHERE player_id = %2$s AND entry_no = 2',
                                     v, :who)),
          16383::bigint, v || ' is null: all checks look at him')
  FROM unnest(ARRAY['kind', 'amount', 'balance', 'posted_at']) v;
SELECT is(pg_temp.named_after(format('ALTER TABLE casino.player ALTER %1$s DROP NOT NULL;
                                      UPDATE casino.player SET %1$s = NULL WHERE player_id = %2$s',
                                     v, :who)) & 2048,
          2048::bigint, 'the player''s ' || v || ' is null: his state is looked at')
  FROM unnest(ARRAY['balance', 'last_entry_no']) v;
SELECT is(pg_temp.named_after(format('DELETE FROM casino.player WHERE player_id = %s', :who)), 16383::bigint,
          'entries of a player who is not there');
SELECT is(pg_temp.named_after(format('UPDATE casino.ledger
                                         SET amount = 1%s
                                       WHERE player_id = %s AND entry_no = 2',
                                     repeat('0', n), :who)) & 2,
          2::bigint, '1 and ' || n || ' noughts are read')
  FROM generate_series(0, 18) n
 WHERE n <> 2;
ALTER TABLE casino.ledger ENABLE TRIGGER USER;

-- kept for the steps of a run only
SELECT casino_internal.keep_suspects('{}'), casino_internal.keep_findings('[]') \g /dev/null
SELECT is(casino_internal.kept_suspects(), NULL, 'outside of a run nothing is kept');
SELECT is(casino_internal.kept_findings(), NULL, 'of providers, either');
CREATE ROLE sieve_night;
SELECT casino.grant_access('sieve_night', 'nightly');
SET ROLE sieve_night;
SELECT throws_ok(v, '42501', NULL, v)
FROM unnest(ARRAY[
    'SELECT casino_internal.keep_suspects(''{}'')',
    'SELECT casino_internal.keep_findings(''[]'')',
    'SELECT casino_internal.sieve_all()',
    'SELECT casino_internal.sieve_days(''2026-06-10'', ''2026-06-10'')',
    'SELECT casino_internal.suspects(''entry_gap'', ''2020-01-01'', ''2026-06-10'')']) v;
RESET ROLE;
-- SQL names the parts by words
SELECT is(casino_internal.sieve_part('entry_gap') | casino_internal.sieve_part('self_limit'),
          8193,
          'the first and the last part');
SELECT throws_ok($$SELECT casino_internal.sieve_part('nothing')$$, '22023', NULL,
                 'a word that names no part is refused');
SELECT * FROM finish();
ROLLBACK;
