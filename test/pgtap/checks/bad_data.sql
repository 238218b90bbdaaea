-- R10.13: what cannot be read is reported, and hides nothing: NULL where NOT NULL was taken off, NaN and
-- infinity, times that are none, plans, cards and documents that say nothing. Beside each datum stand faults
-- of other players; every check still finds these. tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();
\ir ../helpers/night.psql

-- vic alone plays at a table of his own
SELECT casino.register_player('vic') AS vic,
       casino.add_game_table('roulette_absolute', 'V', 10, 10000) AS tab \gset
INSERT INTO seat_of VALUES ('vic', :tab);
SELECT casino.deposit(:vic, 5000, 'in', pg_temp.t('08:00')) \g /dev/null
SELECT pg_temp.spin('V-1', :vic, '{red@100,straight:18@20}', pg_temp.t('21:00'), 18, 'vic') AS round \gset
SELECT casino.request_withdrawal(:vic, 50, 'cash', 'w', pg_temp.t('21:24')) \g /dev/null
CREATE FUNCTION pg_temp.r(ref text)
RETURNS bigint
LANGUAGE sql AS 'SELECT max(round_id) FROM casino.round WHERE round_ref = $1';
-- written when it happened
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
ALTER TABLE casino.round DISABLE TRIGGER ALL;
ALTER TABLE casino.player DISABLE TRIGGER ALL;
UPDATE casino.ledger SET recorded_at = posted_at;
ALTER TABLE casino.player_limit DISABLE TRIGGER ALL;
UPDATE casino.player_limit SET recorded_at = requested_at;
-- faults of others
UPDATE casino.ledger
   SET amount = amount + 100
 WHERE player_id = pg_temp.who('one roulette_american') AND entry_no = 4;
DELETE FROM casino.ledger WHERE player_id = pg_temp.who('one roulette_evolution') AND entry_no = 5;
UPDATE casino.ledger SET balance = -5 WHERE player_id = pg_temp.who('one casino_holdem') AND entry_no = 3;
UPDATE casino.ledger SET bet = 'black@40' WHERE player_id = pg_temp.who('jan') AND entry_no = 2;
UPDATE casino.ledger SET reason = NULL WHERE player_id = pg_temp.who('jan') AND kind = 'refund';
UPDATE casino.ledger
   SET posted_at = pg_temp.t('16:00:31')
 WHERE player_id = pg_temp.who('pia') AND round_id = pg_temp.r('Y') AND kind = 'stake';
UPDATE casino.ledger
   SET bet = 'red@200000', amount = 200000
 WHERE player_id = pg_temp.who('leo') AND round_id = pg_temp.r('leo-2') AND kind = 'stake';
UPDATE casino.ledger SET account = 'CZ00' WHERE player_id = pg_temp.who('mia') AND kind = 'transfer_paid';
UPDATE casino.round SET outcome = '{"number": 5}' WHERE round_id = pg_temp.r('L');
UPDATE casino.round SET evaluated_at = pg_temp.t('14:10:31') WHERE round_id = pg_temp.r('E-0');
UPDATE casino.ledger
   SET posted_at = '2026-06-11 00:00'
 WHERE player_id = pg_temp.who('old') AND kind = 'withdrawal_cancelled';
UPDATE casino.player SET balance = balance + 1 WHERE player_id = pg_temp.who('rut');
UPDATE casino.player SET excluded_until = NULL WHERE player_id = pg_temp.who('ivo');

-- What the checks find, each run as a run runs it
CREATE FUNCTION pg_temp.found(fault text, from_day date) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    c record;
    result text[];
BEGIN
    BEGIN
        EXECUTE fault;
        INSERT INTO casino.reconciliation (run_no, from_day, to_day, night, started_at, status, done, total)
        VALUES (1, from_day, '2026-06-10', false, now(), 'running', 0, 1);
        FOR c IN SELECT *
                   FROM casino.reconciliation_checks()
                  WHERE check_name <> 'guard' AND check_name NOT LIKE 'provider%' LOOP
            PERFORM casino_internal.run_check(1, c.check_name, c.function, from_day, '2026-06-10');
        END LOOP;
        result := ARRAY (SELECT format('%s %s p%s r%s e%s: %s | %s', d.check_name, d.rule, d.player_id,
                                       d.round_id, d.entry_no, d.expected, d.found)
                           FROM casino.difference d);
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN result;
END $$;
CREATE TEMP TABLE known AS
SELECT d.day, pg_temp.found('SELECT 1', d.day) AS found
    FROM (VALUES (date '2026-06-10'), ('2020-01-01')) d (day);
SELECT set_eq(format('SELECT DISTINCT split_part(f, '' '', 1) FROM known, unnest(found) f WHERE day = %L',
                     day),
    '{wallet,entry_gap,negative,trial_balance,payout,refund,round_figures,outcome,round_stuck,late_stake,'
    'stake_limits,second_table,self_limit,cash_limit,withdrawal_overdue,state,record}'::text[],
    'faults of others are found by these checks from ' || day) FROM known;
SELECT is((SELECT count(*) FROM known, unnest(found) f WHERE f LIKE '% error %'), 0::bigint,
          'and none ends in an error');

-- a datum, and which checks name it
CREATE FUNCTION pg_temp.planted(fault text, VARIADIC checks text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    k record;
    f text[];
    new text[];
    what CONSTANT text := substring(fault FROM 'UPDATE casino.(.*)');
BEGIN
    FOR k IN SELECT * FROM known ORDER BY day DESC LOOP
        f := pg_temp.found(fault, k.day);
        RETURN NEXT is(ARRAY (SELECT unnest(k.found) EXCEPT SELECT unnest(f)), '{}',
                       what || ': hides nothing from ' || k.day);
        new := ARRAY (SELECT DISTINCT substring(x FROM '^\S+ \S+')
                        FROM (SELECT unnest(f) EXCEPT SELECT unnest(k.found)) n (x));
        RETURN NEXT ok(new @> checks,
                       what || ': ' || array_to_string(checks, ', ') || ' from ' || k.day
                       || coalesce(' and not '
                                       || nullif(array_to_string(new, ', '), array_to_string(checks, ', ')),
                                   ''));
    END LOOP;
END $$;
CREATE FUNCTION pg_temp.unset(relation text, assignment text, condition text) RETURNS text LANGUAGE sql AS
    $$SELECT (SELECT coalesce(string_agg(format('ALTER TABLE casino.%I DROP CONSTRAINT %I CASCADE', relation,
                                                c.conname),
                                         '; ' ORDER BY c.contype) || '; ',
                              '')
                FROM pg_constraint c
               WHERE c.conrelid = ('casino.' || relation)::regclass AND c.contype IN ('c', 'f'))
             || format('ALTER TABLE casino.%I DISABLE TRIGGER ALL; ', relation)
             || CASE WHEN assignment ~ 'NULL'
                         THEN format('ALTER TABLE casino.%I ALTER %I DROP NOT NULL; ', relation,
                                     split_part(assignment, ' ', 1))
                     ELSE '' END
             || format('UPDATE casino.%I SET %s WHERE %s', relation, assignment, condition)$$;

-- entries: 1 a deposit, 2 and 3 stakes, 4 and 5 their payouts, 6 a withdrawal
SELECT pg_temp.planted(pg_temp.unset('ledger', a, format('player_id = %s AND entry_no = %s', :vic, e)),
                       VARIADIC c)
  FROM (VALUES (2, 'kind = NULL', '{trial_balance columns}'::text[]),
               (2, 'amount = NULL', '{trial_balance columns}'),
               (4, 'balance = NULL', '{trial_balance columns,wallet balance}'),
               (2, 'posted_at = NULL', '{trial_balance columns}'),
               (2, 'posted_at = ''infinity''', '{trial_balance columns}'),
               (4, 'posted_at = ''-infinity''', '{trial_balance columns}'),
               (2, 'recorded_at = NULL', '{trial_balance columns}'),
               (2, 'bet = NULL', '{trial_balance columns}'),
               (2, 'round_id = NULL', '{trial_balance columns,late_stake no_round}'),
               (4, 'round_id = NULL', '{trial_balance columns}'),
               (4, 'stake_entry_no = NULL', '{trial_balance columns,payout missing}'),
               (1, 'stake_entry_no = 7', '{trial_balance columns}'),
               (4, 'amount = ''NaN''', '{payout wrong,trial_balance amount}'),
               (1, 'amount = ''Infinity''', '{wallet balance}'), (6, 'balance = ''NaN''', '{wallet balance}'),
               (2, 'bet = ''tie@100''', '{stake_limits not_offered,payout error}')) v (e, a, c);
-- rounds
SELECT pg_temp.planted(pg_temp.unset('round', a, format('round_id = %s', :round)), VARIADIC c)
  FROM (VALUES ('status = NULL', '{round_figures times}'::text[]),
               ('status = ''garbage''', '{round_figures times}'),
               ('evaluated_at = NULL', '{round_figures times}'),
               ('evaluated_at = ''infinity''', '{round_figures times}'),
               ('evaluated_at = ''-infinity''', '{round_figures times,late_stake after_evaluation}'),
               ('opened_at = NULL', '{round_figures times}'),
               ('opened_at = ''infinity''', '{round_figures times,late_stake before_open}'),
               ('betting_closed_at = ''infinity''', '{round_figures times}'),
               ('betting_closed_at = ''-infinity''', '{round_figures times,late_stake after_close}'),
               ('outcome = NULL', '{outcome none}'), ('outcome = ''null''', '{outcome document}'),
               ('outcome = ''{"number": "x"}''', '{outcome document,payout error}'),
               ('outcome_document = ''[]''', '{outcome impossible}'),
               ('plan_id = -1', '{payout of_nothing,stake_limits no_limits}'),
               ('plan_id = NULL', '{payout of_nothing,stake_limits no_limits}'),
               ('table_version = -1', '{stake_limits no_limits}'),
               ('wagers = NULL', '{round_figures wagers}'),
               ('staked = ''NaN''', '{round_figures staked}')) v (a, c);
-- cards and plans
SELECT min(round_id) AS cards
  FROM casino.round
 WHERE round_ref = 'N-1' AND table_id = pg_temp.tab('blackjack_classic') \gset
SELECT pg_temp.planted(pg_temp.unset('dealt_hand', a, format('round_id = %s AND side = %L', :cards, s)),
                       VARIADIC c)
  FROM (VALUES ('dealer', 'cards = NULL', '{outcome cards}'::text[]),
               ('box', 'cards = NULL', '{outcome cards}'), ('dealer', 'cards = ''''', '{outcome cards}')) v (
      s, a, c);
SELECT pg_temp.planted(pg_temp.unset('round', 'outcome_document = ''{"dealer": "Zz 9q", "hands": 5}''',
                                     format('round_id = %s', :cards)),
                       'outcome impossible');
SELECT plan_id AS plan FROM casino.game_plan WHERE game = 'blackjack_classic' ORDER BY version LIMIT 1 \gset
SELECT pg_temp.planted(pg_temp.unset(t, a, format('plan_id = %s', :plan) || w), VARIADIC c)
  FROM (VALUES ('plan_rule', 'value = NULL', '', '{plan changed}'::text[]),
               ('plan_rule', 'value = ''garbage''', '', '{plan changed}'),
               ('bet_rule', 'phase = NULL', ' AND kind = ''main''', '{plan changed}'),
               ('bet_rule', 'max_stake = ''NaN''', ' AND kind = ''main''', '{plan changed}'),
               ('bet_rule', 'kind = ''garbage''',
                ' AND kind = ''main''', '{plan removed,plan added,stake_limits not_offered}'),
               ('paytable', 'den = -1', ' AND kind = ''main''', '{plan changed}'),
               ('game_plan', 'game = ''garbage''', '', '{plan changed}')) v (t, a, w, c);
-- players, and what is kept of them
SELECT pg_temp.planted(pg_temp.unset('player', a, format('player_id = %s', :vic)), VARIADIC c)
  FROM (VALUES ('balance = ''NaN''', '{wallet wallet}'::text[]), ('balance = NULL', '{wallet wallet}'),
               ('last_entry_no = NULL', '{state last_entry_no}'),
               ('last_posted_at = ''infinity''', '{state last_posted_at}'),
               ('external_ref = NULL', '{state accounts}'), ('limited = NULL', '{state limited}'),
               ('excluded_until = ''infinity''', '{state excluded_until}')) v (a, c);
SELECT pg_temp.planted(pg_temp.unset('limit_state', a, format('player_id = %s', pg_temp.who('leo'))),
                       VARIADIC c)
  FROM (VALUES ('limit_stake_day = ''NaN''', '{state limit_stake_day}'::text[])) v (a, c);
SELECT * FROM finish();
ROLLBACK;
