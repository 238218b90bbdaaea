-- The sieve of days: what reaches over their ends. A fault that the checks find without it they find with it,
-- and on clean books it names nobody who has nothing to do with what was before.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();

-- three days of June at one roulette table; the day is the 10th
SELECT casino.add_game_table('roulette_synot', 'T', 10, 10000) AS t,
    casino.add_game_table('roulette_synot', 'U', 10, 10000) AS u \gset
SELECT casino.register_player('ann') AS ann, casino.register_player('bea') AS bea,
    casino.register_player('cyd') AS cyd, casino.register_player('dan') AS dan,
        casino.register_player('fay') AS fay,
       casino.register_player('guy') AS guy, casino.register_player('hal') AS hal \gset
SELECT casino.deposit(p, 10000, 'in', '2026-06-08 10:00')
  FROM unnest(ARRAY[:ann, :bea, :cyd, :dan, :fay, :guy]) p \g /dev/null
SELECT set_config('test.t', :'t', false), set_config('test.u', :'u', false) \g /dev/null
CREATE FUNCTION pg_temp.spin(ref text, who bigint[], bet casino.bet, opened timestamptz, staked timestamptz,
                             evaluated timestamptz, number integer DEFAULT 18, withheld boolean DEFAULT false,
                                 tab text DEFAULT 't')
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(current_setting('test.' || tab)::bigint, ref, opened);
BEGIN
    PERFORM casino.place_bet(r, p, bet, ref, at => staked) FROM unnest(who) p;
    PERFORM casino.close_betting(r, evaluated - interval '1 second');
    PERFORM casino.settle_round(r, jsonb_build_object('number', number), evaluated, withheld, CASE
                                WHEN withheld THEN 'a look' END);
    RETURN r;
END $$;
-- the day before: a round of its own; winnings withheld that are paid on the day, and a round withheld that
-- is voided on it
SELECT pg_temp.spin('D-1', ARRAY[:ann, :bea], 'red@100', '2026-06-09 10:00', '2026-06-09 10:00:10',
                    '2026-06-09 10:01') AS r1,
       pg_temp.spin('D-2', ARRAY[:cyd], 'red@100', '2026-06-09 11:00', '2026-06-09 11:00:10',
                    '2026-06-09 11:01', withheld => true) AS r2,
       pg_temp.spin('D-3', ARRAY[:dan], 'red@100', '2026-06-09 12:00', '2026-06-09 12:00:10',
                    '2026-06-09 12:01', withheld => true) AS r3 \gset
-- opened long before midnight, decided after it: fay has nothing else on the day
SELECT pg_temp.spin('D-4', ARRAY[:fay, :guy], 'red@100', '2026-06-09 16:00', '2026-06-09 16:30',
                    '2026-06-10 00:05', tab => 'u') AS r4 \gset
-- over midnight at both ends, and in between
SELECT pg_temp.spin('E-0', ARRAY[:ann], 'red@100', '2026-06-09 23:59', '2026-06-09 23:59:30',
                    '2026-06-10 00:00:30') AS e0,
       pg_temp.spin('E-1', ARRAY[:ann, :bea], 'red@200', '2026-06-10 12:00', '2026-06-10 12:00:30',
                    '2026-06-10 12:01') AS e1 \gset
SELECT casino.pay_withheld(:r2, '2026-06-10 13:00'),
    casino.void_round(:r3, 'the wheel was bent', '2026-06-10 14:00') \g /dev/null
SELECT pg_temp.spin('E-2', ARRAY[:ann, :bea], 'red@300', '2026-06-10 23:59', '2026-06-10 23:59:30',
                    '2026-06-11 00:00:30') AS e2,
       pg_temp.spin('F-1', ARRAY[:ann, :bea], 'red@400', '2026-06-12 12:00', '2026-06-12 12:00:30',
                    '2026-06-12 12:01') AS f1 \gset
-- everything was written when it happened
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
UPDATE casino.ledger SET recorded_at = posted_at;
ALTER TABLE casino.ledger ENABLE TRIGGER USER;

CREATE FUNCTION pg_temp.named(part integer) RETURNS SETOF bigint LANGUAGE sql AS
    $$SELECT DISTINCT a.n[i + 1] FROM casino_internal.sieve_days('2026-06-10', '2026-06-10') a (n),
        generate_series(1, cardinality(a.n), 3) i WHERE a.n[i] & $1 <> 0 AND a.n[i + 1] <> 0$$;
SELECT set_eq('SELECT pg_temp.named(1|2|4|8|64|128|256|512|1024)', '{}'::bigint[],
              'numbers, wallets, amounts, figures, stakes: nobody');
SELECT set_eq('SELECT pg_temp.named(16)', ARRAY[:cyd, :dan], 'payouts: whose stakes were evaluated days ago');
SELECT set_eq('SELECT pg_temp.named(32)', ARRAY[:cyd, :dan],
              'refunds: the same, and of whom something was voided');
SELECT set_eq('SELECT pg_temp.named(2048)', ARRAY[:ann, :bea],
              'state: whose entries go on more than a day after');

CREATE FUNCTION pg_temp.found(fault text, sieved boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    c record;
    one text[];
    result text[] := '{}';
BEGIN
    BEGIN
        ALTER TABLE casino.ledger DISABLE TRIGGER USER;
        ALTER TABLE casino.round DISABLE TRIGGER USER;
        ALTER TABLE casino.player DISABLE TRIGGER USER;
        EXECUTE fault;
        IF NOT sieved THEN
            CREATE OR REPLACE FUNCTION casino_internal.suspects(part text, from_day date, to_day date,
                                                                OUT players bigint[], OUT rounds bigint[])
            LANGUAGE plpgsql AS 'BEGIN END';
        END IF;
        FOR c IN SELECT * FROM casino.reconciliation_checks()
            WHERE check_name NOT LIKE 'provider%' AND check_name <> 'guard' LOOP
            EXECUTE format($q$SELECT array_agg(format('%%s %%s p%%s e%%s: %%s | %%s', $1, f.rule, f.player_id,
                                                      f.entry_no, f.expected, f.found))
                                                          FROM %s('2026-06-10', '2026-06-10') f$q$,
                                                              c.function) INTO one USING c.check_name;
            result := result || coalesce(one, '{}');
        END LOOP;
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;
-- found with the sieve: what is found without it, and this check's rule
CREATE FUNCTION pg_temp.planted(name text, fault text,
                                VARIADIC rules text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    sieved CONSTANT text[] := ARRAY (SELECT f FROM pg_temp.found(fault, true) f ORDER BY 1);
BEGIN
    RETURN NEXT is(sieved, ARRAY (SELECT f FROM pg_temp.found(fault, false) f ORDER BY 1),
                   name || ': as without the sieve');
    RETURN NEXT is(ARRAY (SELECT DISTINCT substring(f FROM '^\S+ \S+') FROM unnest(sieved) f ORDER BY 1),
                   ARRAY (SELECT r FROM unnest(rules) r ORDER BY 1), name);
END $$;
-- an entry, numbered as the next one
CREATE FUNCTION pg_temp.add(who bigint, what text, amount numeric, at timestamptz, round bigint,
                            stake bigint DEFAULT NULL,
                                bet casino.bet DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
    INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, bet, stake_entry_no, grade,
                               balance, posted_at, recorded_at, recorded_by)
    SELECT who, p.last_entry_no + 1, what, add.amount, round, add.bet, stake, CASE what
        WHEN 'payout' THEN 'win' END, p.balance + casino_internal.wallet_change(what, add.amount), at, at,
            p.registered_by
      FROM casino.player p WHERE p.player_id = who;
    UPDATE casino.player p SET balance = p.balance + casino_internal.wallet_change(what, add.amount),
        last_entry_no = p.last_entry_no + 1, last_posted_at = greatest(p.last_posted_at, at)
     WHERE p.player_id = who $$;

SELECT is_empty('SELECT * FROM pg_temp.found(''SELECT 1'', true)', 'clean books');
-- fay: 1 deposit, 2 the stake of the 9th, 3 its payout of the 10th. ann: 1 deposit, 2 and 3 of D-1, 4 and 5
-- of E-0, 6 and 7 of E-1
SELECT pg_temp.planted('a payout is gone, of who has nothing else on the day',
                       format('DELETE FROM casino.ledger WHERE player_id = %1$s AND entry_no = 3;
                               UPDATE casino.player
                                  SET balance = 9900, last_entry_no = 2, last_posted_at = ''2026-06-09 16:30''
                                WHERE player_id = %1$s',
                              :fay),
    'payout missing', 'round_figures paid');
SELECT pg_temp.planted('the same, and the figures follow',
                       format('DELETE FROM casino.ledger WHERE player_id = %1$s AND entry_no = 3;
                               UPDATE casino.player
                                  SET balance = 9900, last_entry_no = 2, last_posted_at = ''2026-06-09 16:30''
                                WHERE player_id = %1$s;
                               UPDATE casino.round SET paid = paid - 200 WHERE round_id = %2$s',
                              :fay, :r4),
    'payout missing');
SELECT pg_temp.planted('stake and payout are gone, and the figures stand',
                       format('DELETE FROM casino.ledger WHERE player_id = %1$s AND entry_no > 1;
                               UPDATE casino.player
                                  SET balance = 10000, last_entry_no = 1, last_round_id = NULL,
                                      sequence_started_at = NULL, last_posted_at = ''2026-06-08 10:00''
                                WHERE player_id = %1$s',
                              :fay),
    'round_figures wagers', 'round_figures players', 'round_figures staked', 'round_figures paid');
SELECT pg_temp.planted('the entry before the first of the day is gone',
                       format('DELETE FROM casino.ledger WHERE player_id = %s AND entry_no = 2', :fay),
                           'entry_gap missing', 'payout of_nothing',
    'round_figures wagers', 'round_figures players', 'round_figures staked', 'round_figures paid',
        'wallet balance');
SELECT pg_temp.planted('the first balance of the day does not follow from the one before it',
                       format('UPDATE casino.ledger
                                  SET balance = balance + 1
                                WHERE player_id = %1$s AND entry_no >= 5;
                               UPDATE casino.player SET balance = balance + 1 WHERE player_id = %1$s',
                              :ann),
                       'wallet balance');
SELECT pg_temp.planted('a payout of the day of what is no stake, in a round of the day before',
                       format($$SELECT pg_temp.add(%s, 'payout', 200, '2026-06-10 20:00', %s, 1)$$, :guy,
                              :r1), 'payout of_nothing');
SELECT pg_temp.planted('a refund of the day of a stake of long ago',
                       format($$DELETE FROM casino.ledger
                              WHERE player_id = %1$s
                                  AND entry_no = 3; SELECT pg_temp.add(%1$s, 'refund', 100,
                                          '2026-06-10 20:00', %2$s, 2)$$, :ann, :r1),
    'refund not_due', 'entry_gap written');
SELECT pg_temp.planted('what was voided on the day does not go back',
                       format('DELETE FROM casino.ledger WHERE player_id = %1$s AND entry_no = 3;
                               UPDATE casino.player
                                  SET balance = 9900, last_entry_no = 2,
                                      last_posted_at = ''2026-06-09 12:00:10''
                                WHERE player_id = %1$s',
                              :dan),
    'refund missing');
SELECT pg_temp.planted('a stake of the day in a round that was evaluated days ago',
                       format($$SELECT pg_temp.add(%s, 'stake', 100, '2026-06-10 20:00', %s,
                                                   bet => 'odd@100')$$, :guy, :r1), 'late_stake after_close',
                                                       'state last_round_id', 'state sequence_started_at');
SELECT pg_temp.planted('a stake of the day in a round that there is not',
                       format($$SELECT pg_temp.add(%s, 'stake', 100, '2026-06-10 20:00', -1,
                                                   bet => 'odd@100')$$, :guy), 'late_stake no_round');
SELECT pg_temp.planted('a stake over the maximum in a round that goes on after midnight',
                       format($$SELECT pg_temp.add(%s, 'stake', 10001, '2026-06-10 23:59:40', %s,
                                                   bet => 'straight:5@10001')$$, :guy, :e2),
    'stake_limits above_maximum', 'state last_round_id', 'state sequence_started_at');
SELECT pg_temp.planted('balance of a player who has no entry of the day',
                       format($$UPDATE casino.player SET balance = 1, last_posted_at = '2026-06-10 10:00'
                              WHERE player_id = %s$$, :hal), 'wallet wallet', 'state last_posted_at');
SELECT pg_temp.planted('balance of a player who has never had one',
                       format($$UPDATE casino.player SET balance = 1 WHERE player_id = %s$$, :hal),
                           'wallet wallet');
SELECT pg_temp.planted('balance of a player whose entries go on long after',
                       format('UPDATE casino.player SET balance = balance + 1 WHERE player_id = %s', :bea),
                           'wallet wallet');
SELECT pg_temp.planted('a player is gone',
                       format('ALTER TABLE casino.player DISABLE TRIGGER ALL;
                               DELETE FROM casino.player WHERE player_id = %s',
                              :guy),
                       'state player');
SELECT pg_temp.planted('two more tables at a time',
                       format($$SELECT pg_temp.add(%s, 'stake', 100, '2026-06-10 00:00:10', %s,
                                                   bet => 'odd@100')$$, :ann, :r4),
                                                       'second_table second_table', 'round_figures wagers',
                                                           'round_figures players', 'round_figures staked',
    'entry_gap time', 'entry_gap written');
SELECT * FROM finish();
ROLLBACK;
