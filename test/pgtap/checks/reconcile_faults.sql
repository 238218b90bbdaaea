-- Each check finds what is planted against it by a superuser past all triggers, with player, entry, expected
-- and found; what else follows from the fault is listed with it, and nothing more is found (R10.10).
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
-- one process: two are the sieve's own test
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();
\ir ../helpers/night.psql

-- The sieve is run once for each fault: outside of a run each check would run it anew
CREATE OR REPLACE FUNCTION casino_internal.suspects(part text, from_day date, to_day date,
                                                    OUT players bigint[],
                                                    OUT rounds bigint[]) LANGUAGE plpgsql AS $$
DECLARE
    numbers CONSTANT bigint[] := nullif(current_setting('test.suspects'), '')::bigint[];
BEGIN
    IF numbers IS NOT NULL THEN
        SELECT coalesce(array_agg(DISTINCT numbers[i + 1]) FILTER (WHERE numbers[i + 1] <> 0), '{}'),
            coalesce(array_agg(numbers[i + 2]) FILTER (WHERE numbers[i + 2] <> 0), '{}')
          INTO players, rounds FROM generate_series(1, cardinality(numbers), 3) i
              WHERE numbers[i] & casino_internal.sieve_part(part) <> 0;
    END IF;
END $$;
SELECT casino_internal.record_code();
-- A forger is past all triggers. They are put out of action once: with each fault anew, all plans would be
-- made anew.
CREATE TABLE pg_temp.triggers AS
SELECT t.tgrelid::regclass AS relation, t.tgname, t.tgenabled
  FROM pg_trigger t
  JOIN pg_class k ON k.oid = t.tgrelid
 WHERE k.relnamespace = 'casino'::regnamespace AND NOT t.tgisinternal;
SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', t.relation, t.tgname) FROM pg_temp.triggers t \gexec
-- All findings of all checks over the day, or of the audit to it, with the fault in, which is taken back:
-- check rule player entry: expected | found. With the sieve before them, which names whom they look at, and
-- without.
-- Check guard reads the catalog only: it is asked where the fault touches that, with the triggers in place.
-- tools/line_mutants asks the changed checks alone
CREATE FUNCTION pg_temp.asked(name text) RETURNS boolean LANGUAGE sql STABLE AS
    $$SELECT coalesce(name ~ ('^(' || nullif(current_setting('test.checks', true), '') || ')$'), true)$$;
CREATE FUNCTION pg_temp.found(fault text, from_day date DEFAULT '2026-06-10', sieved boolean DEFAULT true)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    guarded CONSTANT boolean := fault ~ '^(after:|SELECT 1$)|DROP |ALTER |CREATE |GRANT ';
    off record;
    result text[] := '{}';
    c record;
    one text[];
BEGIN
    BEGIN
        IF fault !~ 'after:' THEN
            EXECUTE fault;
        END IF;
        IF guarded THEN
            FOR off IN SELECT * FROM pg_temp.triggers LOOP
                EXECUTE format('ALTER TABLE %s ENABLE %s TRIGGER %I', off.relation,
                               CASE off.tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, off.tgname);
            END LOOP;
        END IF;
        IF fault ~ 'after:' THEN
            EXECUTE replace(fault, 'after:', '');
        END IF;
        PERFORM set_config('test.suspects', CASE WHEN sieved THEN coalesce(
            (SELECT array_agg(n)::text
               FROM (SELECT d.d FROM casino_internal.sieve_days(found.from_day, '2026-06-10') d (d)
                      WHERE found.from_day = '2026-06-10'
                     UNION ALL
                     SELECT a.a FROM casino_internal.sieve_all() a (a)
                         WHERE found.from_day < '2026-06-10') x (one),
                    unnest(x.one) n), '{}') END, true);
        FOR c IN SELECT *
                   FROM casino.reconciliation_checks() k
                  WHERE k.check_name NOT LIKE 'provider%' AND (k.check_name <> 'guard' OR guarded)
                    AND pg_temp.asked(k.check_name)
                  ORDER BY k.check_no LOOP
            EXECUTE format($q$SELECT array_agg(format('%%s %%s%%s%%s: %%s | %%s', $1, f.rule,
                                                      ' p' || f.player_id,
                                                      ' e' || f.entry_no, f.expected, f.found)
                                               ORDER BY f.player_id, f.entry_no, f.rule)
                                FROM %s($2, '2026-06-10') f$q$, c.function)
                                    INTO one USING c.check_name, from_day;
            result := result || coalesce(one, '{}');
        END LOOP;
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;

-- Somebody's entry of a kind, the nth
CREATE FUNCTION pg_temp.e(player bigint, what text, nth integer DEFAULT 1) RETURNS bigint LANGUAGE sql AS
    'SELECT entry_no
       FROM casino.ledger
      WHERE player_id = $1 AND kind = $2
      ORDER BY entry_no
     OFFSET $3 - 1
      LIMIT 1';
CREATE FUNCTION pg_temp.r(ref text)
RETURNS bigint
LANGUAGE sql AS 'SELECT max(round_id) FROM casino.round WHERE round_ref = $1';
-- A careful forger's entry: numbered, with its balance, the player's row and the figures of the round
-- following
CREATE FUNCTION pg_temp.forge(player bigint, kind text, amount numeric, at timestamptz,
                              round bigint DEFAULT NULL, bet casino.bet DEFAULT NULL,
                                  stake bigint DEFAULT NULL,
                              method text DEFAULT NULL,
                                  withdrawal bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, bet, stake_entry_no, grade,
                               method, withdrawal_entry_no, balance, posted_at, recorded_at, recorded_by)
    SELECT player, p.last_entry_no + 1, forge.kind, forge.amount, round, forge.bet, stake, CASE
        WHEN forge.kind = 'payout' THEN 'win' END, forge.method, withdrawal,
           p.balance + casino_internal.wallet_change(forge.kind, forge.amount), at, clock_timestamp(),
               p.registered_by
      FROM casino.player p WHERE p.player_id = player;
    UPDATE casino.player p SET balance = p.balance + casino_internal.wallet_change(forge.kind, forge.amount),
        last_entry_no = p.last_entry_no + 1, last_posted_at = greatest(p.last_posted_at, at)
     WHERE p.player_id = player;
    IF forge.kind = 'stake' THEN
        UPDATE casino.round r SET (wagers, players, staked) = (SELECT count(*), count(DISTINCT l.player_id),
                                                               sum(l.amount) FROM casino.ledger l
                                                                WHERE l.round_id = round AND l.kind = 'stake'
                                                                  AND NOT EXISTS (
                                                                      SELECT FROM casino.ledger f
                                                                       WHERE f.player_id = l.player_id
                                                                         AND f.stake_entry_no = l.entry_no
                                                                         AND casino_internal.never_placed(
                                                                                 f.reason)))
         WHERE r.round_id = round;
        UPDATE casino.player p SET last_round_id = round, sequence_started_at = CASE
            WHEN p.last_round_id IS NULL THEN at ELSE p.sequence_started_at END
         WHERE p.player_id = player AND p.last_posted_at <= at;
    END IF;
END $$;

CREATE TABLE pg_temp.faults (nth integer GENERATED ALWAYS AS IDENTITY, name text, fault text,
                             expected text[]);
CREATE FUNCTION pg_temp.planted(name text, fault text,
                                VARIADIC expected text[]) RETURNS SETOF text LANGUAGE sql AS
    $$INSERT INTO pg_temp.faults (name, fault, expected) VALUES (name, fault, expected);
      SELECT set_eq(format('SELECT * FROM pg_temp.found(%L, %L, %L)', fault, d.day, d.sieved), expected,
                    name || d.period)
        FROM (VALUES (1, date '2026-06-10', true, ''), (2, '2026-06-10', false, ': without the sieve'),
              (3, '2020-01-01', true, ': the audit')) d (n, day, sieved, period) ORDER BY d.n$$;
-- psql -v mutants=FILE: the faults are not looked for here but by each mutant of FILE (tools/line_mutants)
\if :{?mutants}
CREATE OR REPLACE FUNCTION pg_temp.planted(name text, fault text,
                                           VARIADIC expected text[]) RETURNS SETOF text LANGUAGE sql AS
    'INSERT INTO pg_temp.faults (name, fault, expected) VALUES (name, fault, expected)
     RETURNING ''# '' || name';
\ir ../helpers/planted_mutants.psql
\endif

-- every column of evidence, as the catalog has them; test/tap/forged.pl forges each of them
SELECT is_empty($$SELECT l.section, l.field FROM casino.evidence_layouts() l
                   WHERE (SELECT count(*) FROM casino.evidence_checks() c
                          WHERE c.section = l.section AND c.field = l.field) <> 1$$,
                'R10.30: each column of evidence has its check in casino.evidence_checks(), '
                'or the reason why there is none; a new one needs a row there');
SELECT is_empty($$SELECT c.* FROM casino.evidence_checks() c WHERE (c.check_name IS NULL) = (c.reason IS NULL)
                     OR c.check_name NOT IN (SELECT k.check_name FROM casino.reconciliation_checks() k)$$,
                         'R10.30: a check that the night makes');

-- R10.30: a column of an evidence table, or of a section, without a row in evidence_checks() is named
CREATE FUNCTION pg_temp.unchecked(OUT relation text, OUT field text) RETURNS SETOF record LANGUAGE sql AS $$
    SELECT c.relname::text, a.attname::text
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'casino'::regnamespace
       AND EXISTS (SELECT FROM pg_trigger t
                    WHERE t.tgrelid = c.oid
                      AND t.tgname = 'append_only'
                      AND t.tgfoid = 'casino_internal.refuse_change'::regproc)
       AND c.relname NOT IN ('day_seal', 'seal_section', 'sealed_player', 'sealed_row')
       -- a book has the ledger's columns, and an entry does not contain its place
       AND NOT c.relispartition
       AND (c.relname, a.attname) <> ('ledger', 'book')
       AND NOT EXISTS (SELECT FROM casino.evidence_layouts() l
                         JOIN casino.evidence_checks() k ON k.section = l.section AND k.field = l.field
                        WHERE l.relation = c.relname AND l.field = a.attname)
     ORDER BY 1, 2 $$;
SELECT is_empty('SELECT * FROM pg_temp.unchecked()',
                'R10.30: no column of an append-only table is without a check');
SAVEPOINT named;
ALTER TABLE casino.exclusion ADD COLUMN whispered text;
SELECT results_eq('SELECT * FROM pg_temp.unchecked()', $$VALUES ('exclusion', 'whispered')$$,
                  'R10.30: a new column without a check is named');
ROLLBACK TO named;
SAVEPOINT named;
CREATE TABLE casino.whispers (whisper_no integer PRIMARY KEY);
SELECT casino_internal.make_append_only('whispers');
SELECT results_eq('SELECT * FROM pg_temp.unchecked()', $$VALUES ('whispers', 'whisper_no')$$,
                  'R10.30: so is a new table of evidence');
ROLLBACK TO named;
SAVEPOINT named;
DO $do$ BEGIN
    EXECUTE replace(pg_get_functiondef('casino.evidence_checks()'::regprocedure),
                    'excluded_until', 'excluded_from2');
END $do$;
SELECT results_eq('SELECT * FROM pg_temp.unchecked()', $$VALUES ('exclusion', 'excluded_until')$$,
                  'R10.30: so is a column of a section whose row in the list is gone');
ROLLBACK TO named;

SELECT is_empty($$SELECT * FROM pg_temp.found('SELECT 1')$$, 'without a fault nothing is found');
SELECT is_empty($$SELECT * FROM pg_temp.found('SELECT 1', '2020-01-01')$$, 'nor by the audit');

-- who is who
SELECT pg_temp.who('one roulette_american') AS amy, pg_temp.who('eva') AS eva, pg_temp.who('ivo') AS ivo,
    pg_temp.who('jan') AS jan, pg_temp.who('leo') AS leo, pg_temp.who('mia') AS mia,
       pg_temp.who('ota') AS ota, pg_temp.who('pia') AS pia, pg_temp.who('rut') AS rut,
           pg_temp.who('tom') AS tom, pg_temp.who('old') AS old, pg_temp.who('may') AS may,
               pg_temp.who('uma') AS uma, pg_temp.who('vit') AS vit \gset
-- amy: 1 deposit 50000, 2 red@100, 3 straight:18@20, 4 and 5 their payouts 200 and 720, 6 and 7 stakes, 8 and
-- 9 refunds of the voided round

-- ------------------------------------------------------------------------------------------------ money
SELECT pg_temp.planted('a wrong payout',
                       format('UPDATE casino.ledger
                                  SET amount = amount + 100
                                WHERE player_id = %s AND entry_no = 4',
                              :amy),
    format('payout wrong p%s e4: 200.00 win | 300.00 win', :amy),
        format('wallet balance p%s e4: 50180.00 | 50080.00', :amy),
    'round_figures paid: 1020.00 | 920.00');
SELECT round_id AS l_round, plan_id AS l_plan,
    (SELECT plan_id FROM casino.game_plan WHERE game = 'roulette_evolution' LIMIT 1) AS other_plan,
        pg_temp.e(:eva, 'payout', 14) AS eva_paid FROM casino.round WHERE round_id = pg_temp.r('L') \gset
SELECT round_id AS amy_round FROM casino.ledger WHERE player_id = :amy AND entry_no = 2 \gset
SELECT pg_temp.planted('R12.12, R10.32: a payout of another time',
                       format($$UPDATE casino.ledger SET posted_at = posted_at - interval '1 microsecond'
                              WHERE player_id = %s AND entry_no = 4$$, :amy),
    format('payout time p%s e4: at 2026-06-10 12:13:00+02 | 2026-06-10 12:12:59.999999+02', :amy));
SELECT pg_temp.planted('R10.32: a payout of another round',
                       format($$UPDATE casino.ledger SET round_id = pg_temp.r('L')
                              WHERE player_id = %s AND entry_no = 4$$, :amy),
    format('payout round p%s e4: round %s | round %s', :amy, :amy_round, :l_round));
SELECT pg_temp.planted('an evaluation moved, its payouts not',
                       $$UPDATE casino.round SET evaluated_at = evaluated_at + interval '1 second'
                           WHERE round_ref = 'E-20'$$,
    format('payout time p%s e%s: at 2026-06-10 15:17:01+02 | 2026-06-10 15:17:00+02', :eva, :eva_paid));
SELECT pg_temp.planted('R10.31: a round under the plan of another game',
                       $$UPDATE casino.round SET plan_id = (SELECT plan_id FROM casino.game_plan
                                                            WHERE game = 'roulette_evolution' LIMIT 1)
                                                                WHERE round_id = pg_temp.r('L')$$,
    format('plan not_in_force: %s | %s', :l_plan, :other_plan));
SELECT pg_temp.planted('R10.33: an entry that nobody recorded',
                       format('UPDATE casino.ledger
                                  SET recorded_by = 77777
                                WHERE player_id = %s AND entry_no = 4',
                              :amy),
    format('record recorder p%s e4: a recorder | 77777', :amy));
SELECT pg_temp.planted('a missing payout',
                       format('DELETE FROM casino.ledger WHERE player_id = %s AND entry_no = 5', :amy),
    format('payout missing p%s e3: 720.00 win | no payout', :amy),
        format('entry_gap missing p%s e5: entry 5 | no entry', :amy),
    format('wallet balance p%s e6: 49980.00 | 50700.00', :amy), 'round_figures paid: 200.00 | 920.00');
SELECT pg_temp.planted('a payout of nothing', format($$SELECT pg_temp.forge(%s, 'payout', 100,
        pg_temp.t('12:14'), pg_temp.r('E-0'), stake => 1)$$, :eva),
    format('payout of_nothing p%s e30: no payout | 100 win', :eva));
SELECT pg_temp.planted('a payout twice, with the index that forbids it away',
    format($$DROP INDEX casino.ledger_stake_entry_no; SELECT pg_temp.forge(%s, 'payout', 200,
            pg_temp.t('20:00'), pg_temp.r('E-20'), stake => %s)$$, :eva, pg_temp.e(:eva, 'stake', 14)),
    -- R10.41
    format('payout twice p%s e30: no payout | 200 win', :eva),
    'guard missing: is unique over player_id, stake_entry_no, correction_no of some rows | not there');
SELECT pg_temp.planted('a doubled refund, likewise',
    format($$DROP INDEX casino.ledger_stake_entry_no; SELECT pg_temp.forge(%s, 'refund', 50,
            pg_temp.t('20:00'), pg_temp.r('L'), stake => %s);
             UPDATE casino.ledger SET reason = 'late'
              WHERE player_id = %s AND entry_no = 5$$, :jan, pg_temp.e(:jan, 'stake', 2), :jan),
    -- R10.41
    format('refund twice p%s e5: entry 4 alone | 50 late', :jan),
        'guard missing: is unique over player_id, stake_entry_no, correction_no of some rows | not there');
SELECT pg_temp.planted('a refund of a stake that had lost',
    format($$SELECT pg_temp.forge(%s, 'refund', 100, pg_temp.t('20:00'), pg_temp.r('L'), stake => %s)$$, :jan,
           pg_temp.e(:jan, 'stake', 1)),
    format('refund not_due p%s e5: no refund: the round is settled | 100', :jan),
        'round_figures paid: 100 | 0.00');
SELECT pg_temp.planted('a refund of less than the stake',
                       format('UPDATE casino.ledger SET amount = 49 WHERE player_id = %s AND entry_no = 4',
                              :jan),
    format('refund amount p%s e4: 50.00 | 49 late', :jan),
    format('wallet balance p%s e4: 49899.00 | 49900.00', :jan));
SELECT pg_temp.planted('a refund in another round than its stake',
                       format($$UPDATE casino.ledger SET round_id = pg_temp.r('leo-2')
                              WHERE player_id = %s AND entry_no = 4$$, :jan),
    format('refund of_nothing p%s e4: no refund | 50.00 late', :jan));
-- D4 §10: what ends a withdrawal is the whole of it
SELECT pg_temp.planted('less cash than was asked for',
                       format($$UPDATE casino.ledger SET amount = 5999
                              WHERE player_id = %s AND kind = 'cash_paid'$$, :mia),
    format('trial_balance withdrawal p%s e3: 6000.00 | 5999', :mia));
SELECT pg_temp.planted('less by transfer than was asked for',
                       format($$UPDATE casino.ledger SET amount = 499
                              WHERE player_id = %s AND kind = 'transfer_paid'$$, :mia),
    format('trial_balance withdrawal p%s e5: 500.00 | 499', :mia));
-- what the reason says must be so (R7.66): a lost stake given back under each word that would take it out of
-- the round, with the round's figures set to match
CREATE FUNCTION pg_temp.given_back(reason text, at text) RETURNS text LANGUAGE sql AS $$
    SELECT format($q$SELECT pg_temp.forge(%1$s, 'refund', 100, %2$L, pg_temp.r('L'), stake => %3$s);
                     UPDATE casino.ledger SET reason = %4$L WHERE player_id = %1$s AND entry_no = 5;
                     UPDATE casino.round SET wagers = wagers - 1, players = players - 1, staked = staked - 100
                      WHERE round_id = pg_temp.r('L')$q$,
                  pg_temp.who('jan'), at, pg_temp.e(pg_temp.who('jan'), 'stake', 1), reason) $$;
SELECT pg_temp.planted('a lost stake given back as ' || v.reason || ', dated ' || v.at,
                       pg_temp.given_back(v.reason, v.at),
                           format('refund %s p%s e5: %s | 100 %s', v.rule, :jan, v.expected, v.reason))
  FROM (VALUES ('late', '2026-06-10 20:00:00', 'after_evaluation', 'recorded before the evaluation was'),
        ('cancelled', '2026-06-10 15:30:15', 'after_evaluation', 'recorded before the evaluation was'),
               ('excluded', '2026-06-10 15:30:15', 'after_evaluation',
                'recorded before the evaluation was')) v (reason, at, rule, expected);
-- with the time of its recording forged, too
CREATE FUNCTION pg_temp.given_back_before(reason text, at text) RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.given_back(reason, at)
        || format('; UPDATE casino.ledger SET recorded_at = (SELECT evaluation_recorded_at FROM casino.round '
                  'WHERE round_id = pg_temp.r(''L'')) WHERE player_id = %s AND entry_no = 5',
                  pg_temp.who('jan')) $$;
SELECT pg_temp.planted('the same recorded before the evaluation: ' || v.reason || ', dated ' || v.at,
                       pg_temp.given_back_before(v.reason, v.at),
                           format('refund %s p%s e5: %s | 100 %s', v.rule, :jan, v.expected, v.reason))
  FROM (VALUES ('late', '2026-06-10 15:31:00', 'not_late', 'a stake after 2026-06-10 15:30:30+02'),
               ('excluded', '2026-06-10 15:30:30', 'not_excluded', 'an exclusion in force'),
               ('disconnected', '2026-06-10 15:30:30', 'not_disconnected',
                'a disconnection at 2026-06-10 15:30:30+02')) v (reason, at, rule, expected);
-- R12.151: written after the evaluation, whose clock was behind its own time, or was not
CREATE FUNCTION pg_temp.behind(ahead interval, later interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    fault text;
BEGIN
    EXECUTE pg_temp.given_back('cancelled', '2026-06-10 15:30:15');
    UPDATE casino.round SET evaluation_recorded_at = evaluated_at - ahead WHERE round_id = pg_temp.r('L');
    UPDATE casino.ledger l SET recorded_at = r.evaluated_at + later
      FROM casino.round r
     WHERE r.round_id = pg_temp.r('L') AND l.player_id = pg_temp.who('jan') AND l.entry_no = 5;
    fault := coalesce(casino_internal.refund_fault(pg_temp.who('jan')::bigint, 5), 'none');
    RAISE EXCEPTION SQLSTATE 'P9999';
EXCEPTION WHEN SQLSTATE 'P9999' THEN
    RETURN fault;
END $$;
SELECT is(pg_temp.behind(ahead, later), fault,
          format('R12.151: evaluated %s ahead, written %s later', ahead, later))
  FROM (VALUES (interval '0', interval '0', 'none'), ('0', '1 microsecond', 'after_evaluation'),
               ('-1 second', '1 second', 'none'), ('-1 second', '1.000001 second', 'after_evaluation'),
               ('3 seconds', '1 minute', 'none'), ('3 seconds', '60.000001 seconds', 'after_evaluation'))
       v (ahead, later, fault);
-- R7.69: a row that proves the reason, and rows that do not
CREATE FUNCTION pg_temp.disconnection(player text, round text, at text, seconds numeric) RETURNS text
LANGUAGE sql AS $$
    SELECT format('; INSERT INTO casino.disconnection (player_id, round_id, disconnected_at, recorded_at,
                                                       recorded_by)
                     SELECT %s, pg_temp.r(%L), %L, r.evaluation_recorded_at + %L, 1
                       FROM casino.round r WHERE r.round_id = pg_temp.r(''L'')',
                  pg_temp.who(player), round, at, seconds * interval '1 second') $$;
SELECT pg_temp.planted('R7.69: disconnected, proved by ' || v.name,
                       pg_temp.given_back_before('disconnected', '2026-06-10 15:30:30')
                       || pg_temp.disconnection(v.player, v.round, v.at, v.seconds),
                       VARIADIC CASE WHEN v.proves THEN '{}'::text[]
                                     ELSE ARRAY[format('refund not_disconnected p%s e5: '
                                                       'a disconnection at 2026-06-10 15:30:30+02 | '
                                                       '100 disconnected', :jan)]
                                          -- a round that was not open then
                                          || CASE WHEN v.round <> 'L'
                                                  THEN ARRAY[format('record order p%s: '
                                                                    'while the round goes on | '
                                                                    '2026-06-10 15:30:30+02', :jan)] END END)
  FROM (VALUES ('a disconnection then', 'jan', 'L', '2026-06-10 15:30:30', 0, true),
               ('one at another time', 'jan', 'L', '2026-06-10 15:30:29.999999', 0, false),
               ('one of another player', 'ota', 'L', '2026-06-10 15:30:30', 0, false),
               ('one of another round', 'jan', 'leo-2', '2026-06-10 15:30:30', 0, false),
               -- R12.159: the clock may have been put back in between
               ('one recorded a minute later', 'jan', 'L', '2026-06-10 15:30:30', 60, true),
               ('one recorded afterwards', 'jan', 'L', '2026-06-10 15:30:30', 60.000001, false))
       v (name, player, round, at, seconds, proves);
CREATE FUNCTION pg_temp.exclusion(until text, ended text, seconds numeric) RETURNS text LANGUAGE sql AS $$
    SELECT format('; INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from,
                                                   excluded_until, recorded_at, recorded_by)
                     SELECT %1$s, 1, ''operator'', ''2026-06-10 15:30:00'', %2$L,
                            r.evaluation_recorded_at + %4$L, 1
                       FROM casino.round r WHERE r.round_id = pg_temp.r(''L'');
                     INSERT INTO casino.exclusion_end (player_id, exclusion_no, reason, ended_at, recorded_at,
                                                       recorded_by)
                     SELECT %1$s, 1, ''over'', %3$L, r.evaluation_recorded_at, 1
                       FROM casino.round r WHERE r.round_id = pg_temp.r(''L'') AND %3$L IS NOT NULL;
                     UPDATE casino.player SET excluded_until = least(%2$L::timestamptz, %3$L)
                      WHERE player_id = %1$s',
                  pg_temp.who('jan'), until, ended, seconds * interval '1 second') $$;
SELECT pg_temp.planted('R7.66: excluded, proved by ' || v.name,
                       pg_temp.given_back_before('excluded', '2026-06-10 15:30:30')
                       || pg_temp.exclusion(v.until, v.ended, v.seconds),
                       VARIADIC CASE WHEN v.proves THEN '{}'::text[]
                                     ELSE ARRAY[format('refund not_excluded p%s e5: an exclusion in force | '
                                                       '100 excluded', :jan)] END)
  FROM (VALUES ('an exclusion', '2026-06-11 00:00', NULL, 0, true),
               ('one that ended then', '2026-06-10 15:30:30', NULL, 0, false),
               ('one that a decision ended then', '2026-06-11 00:00', '2026-06-10 15:30:30', 0, false),
               ('one recorded a minute later', '2026-06-11 00:00', NULL, 60, true),
               ('one recorded afterwards', '2026-06-11 00:00', NULL, 60.000001, false))
       v (name, until, ended, seconds, proves);
SELECT pg_temp.planted('the same recorded before the evaluation: ' || v.reason || ', dated ' || v.at,
                       pg_temp.given_back_before(v.reason, v.at),
                       format('refund after_close p%s e5: not after 2026-06-10 15:30:30+02 | 100 %s', :jan,
                              v.reason),
                       format('late_stake taken_back_late p%s e2: taken back before 2026-06-10 '
                              '15:30:30+02 | %s',
                              :jan, v.at))
  FROM (VALUES ('cancelled', '2026-06-10 15:30:30.000001+02'),
        ('disconnected', '2026-06-10 15:31:00+02')) v (reason, at);
SELECT pg_temp.planted('a refund for a reason that there is not',
                       pg_temp.given_back_before('a present', '2026-06-10 15:30:30'),
    format('refund not_due p%s e5: no refund: the round is settled | 100 a present', :jan),
        'round_figures wagers: 1 | 0', 'round_figures players: 1 | 0', 'round_figures paid: 100 | 0.00',
            'round_figures staked: 100.00 | 0.00');
SELECT pg_temp.planted('a refund of a voided round that is gone',
                       format('DELETE FROM casino.ledger WHERE player_id = %s AND entry_no = 9', :amy),
    format('refund missing p%s e7: 20.00 returned | no refund', :amy), 'round_figures paid: 100.00 | 120.00',
    format('wallet wallet p%s: 50780.00 | 50800.00', :amy), format('state last_entry_no p%s: 8 | 9', :amy));
SELECT pg_temp.planted('a changed bet', format($$UPDATE casino.ledger SET bet = 'black@100'
                                               WHERE player_id = %s AND entry_no = 2$$, :amy),
    format('payout of_nothing p%s e4: no payout | 200.00 win', :amy));
SELECT pg_temp.planted('a bet of another amount than was taken',
                       format($$UPDATE casino.ledger SET bet = 'black@40'
                              WHERE player_id = %s AND entry_no = 2$$, :jan),
    format('trial_balance stake p%s e2: 40.00 | 100.00', :jan));
SELECT pg_temp.planted('a kind of entry that moves nothing',
                       format($$ALTER TABLE casino.ledger DROP CONSTRAINT ledger_kind_check;
                                UPDATE casino.ledger
                                   SET kind = 'bonus'
                                 WHERE player_id = %s AND entry_no = 1$$,
                              :rut),
    format('trial_balance kind p%s e1: a kind of entry | 50000.00', :rut),
        format('wallet balance p%s e1:  | 50000.00', :rut), 'guard missing: is of type c | not there');
SELECT pg_temp.planted('a deleted entry',
                       format('DELETE FROM casino.ledger WHERE player_id = %s AND entry_no = 1', :tom),
    format('wallet wallet p%s: 0 | 50000.00', :tom), format('state last_entry_no p%s: 0 | 1', :tom),
        format('state last_posted_at p%s: -infinity | 2026-06-10 08:00:00+02', :tom));
SELECT pg_temp.planted('reordered numbers',
    format('UPDATE casino.ledger SET entry_no = 99 WHERE player_id = %1$s AND entry_no = 4;
            UPDATE casino.ledger SET entry_no = 4 WHERE player_id = %1$s AND entry_no = 5;
            UPDATE casino.ledger SET entry_no = 5 WHERE player_id = %1$s AND entry_no = 99',
           :amy),
    format('wallet balance p%s e4: 50600.00 | 50800.00', :amy),
        format('wallet balance p%s e5: 51000.00 | 50080.00', :amy),
            format('wallet balance p%s e6: 49980.00 | 50700.00', :amy));
SELECT pg_temp.planted('a wallet below zero',
                       format('UPDATE casino.ledger SET balance = -5 WHERE player_id = %s AND entry_no = 6',
                              :amy),
    format('negative below_zero p%s e6: at least 0.00 | -5', :amy),
        format('wallet balance p%s e6: 50700.00 | -5', :amy));

-- ------------------------------------------------------------------------------------------------ rounds
SELECT pg_temp.planted('figures of a round edited', $$UPDATE casino.round SET staked = staked + 1
                       WHERE round_id = pg_temp.r('L')$$, 'round_figures staked: 100.00 | 101.00');
SELECT pg_temp.planted('an outcome edited', $$UPDATE casino.round SET outcome = '{"number": 3}'
                       WHERE round_id = pg_temp.r('leo-2')$$,
    'outcome document: {"number": 18} | {"number": 3}');
SELECT pg_temp.planted('an outcome that could not be',
                       $$UPDATE casino.round SET outcome_document = '{"number": 37}'
                           WHERE round_id = pg_temp.r('L')$$,
    'outcome impossible: an outcome by the rules | {"number": 37}');
SELECT pg_temp.planted('R10.11: a hand that nobody had staked on, in document, outcome and cards',
    $$UPDATE casino.round r SET outcome_document = d.document,
        outcome = casino.canonical_outcome('blackjack',
                                           (SELECT jsonb_object_agg(u.rule, u.value) FROM casino.plan_rule u
                                            WHERE u.plan_id = r.plan_id), d.document)
        FROM (VALUES ('{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"}, '
                      '{"seat": 2, "cards": "2c 3d"}]}'::jsonb)) d (document)
       WHERE r.round_ref = 'N-1' AND r.table_id = pg_temp.tab('blackjack_czech_casinos');
      INSERT INTO casino.dealt_hand (round_id, side, seat, cards)
      SELECT round_id, 'box', 2, '2c 3d' FROM casino.round
       WHERE round_ref = 'N-1' AND table_id = pg_temp.tab('blackjack_czech_casinos')$$,
    'outcome impossible: an outcome by the rules | {"hands": [{"seat": 1, "cards": "Ts 9c"}, '
    '{"seat": 2, "cards": "2c 3d"}], "dealer": "9h 8d"}');
SELECT pg_temp.planted('a card exchanged', $$UPDATE casino.dealt_hand SET cards = '7c Qs'
                       WHERE side = 'banker' AND cards::text = '7c Js'
                           AND round_id = (SELECT min(round_id) FROM casino.dealt_hand
                                           WHERE side = 'banker')$$,
    'outcome cards: 7c Js | 7c Qs');
SELECT evaluation_recorded_at AS l_recorded_at FROM casino.round WHERE round_id = pg_temp.r('L') \gset
SELECT pg_temp.planted('a round without a result', $$UPDATE casino.round SET status = 'closed',
                       evaluated_at = NULL, outcome = NULL, outcome_document = NULL
                           WHERE round_id = pg_temp.r('L')$$,
    'round_stuck unevaluated: a result by 2026-06-10 16:30:30+02 | none',
        'record recorder: who recorded evaluated_at | 1',
    'record recorded_at: an evaluation written after its recorder was first met, and before now | '
        || :'l_recorded_at');
SELECT pg_temp.planted('a result after more than an hour',
                       $$UPDATE casino.round SET evaluated_at = pg_temp.t('16:30:30.000001')
                           WHERE round_id = pg_temp.r('L')$$,
    'round_stuck late: a result by 2026-06-10 16:30:30+02 | 2026-06-10 16:30:30.000001+02');

-- ------------------------------------------------------------------------------------- stakes (R10.5, R10.6)
SELECT pg_temp.planted('a stake dated after the close',
                       format($$SELECT pg_temp.forge(%s, 'stake', 100, pg_temp.t('15:30:31'), pg_temp.r('L'),
                                                     'even@100')$$, :ota),
    format('late_stake after_close p%s e2: not after 2026-06-10 15:30:30+02 | 2026-06-10 15:30:31+02', :ota));
SELECT pg_temp.planted('a moved stake', format($$UPDATE casino.ledger SET round_id = pg_temp.r('leo-2')
                                               WHERE player_id = %s AND entry_no = 2$$, :jan),
    format('late_stake before_open p%s e2: not before 2026-06-10 16:05:00+02 | 2026-06-10 15:30:10+02', :jan),
    'round_figures wagers: 0 | 1', 'round_figures players: 0 | 1', 'round_figures staked: 0 | 100.00',
    'round_figures wagers: 2 | 1', 'round_figures players: 2 | 1', 'round_figures staked: 400.00 | 300.00',
    format('state last_round_id p%s: %s | %s', :jan, pg_temp.r('leo-2'), pg_temp.r('L')));
SELECT pg_temp.planted('a stake over the maximum',
                       format($$SELECT pg_temp.forge(%s, 'stake', 10000.01, pg_temp.t('15:30:05'),
                                                     pg_temp.r('L'), 'straight:5@10000.01')$$, :ota),
    format('stake_limits above_maximum p%s e2: at most 10000 | 10000.01 on straight:5', :ota));
SELECT pg_temp.planted('a stake below the minimum',
                       format($$SELECT pg_temp.forge(%s, 'stake', 9.99, pg_temp.t('15:30:05'), pg_temp.r('L'),
                                                     'straight:5@9.99')$$, :ota),
    format('stake_limits below_minimum p%s e2: at least 10.00 | 9.99 on straight:5', :ota));
SELECT pg_temp.planted('a bet that the plan does not offer',
    format($$SELECT pg_temp.forge(%s, 'stake', 20, pg_temp.t('12:11'),
                                  (SELECT round_id FROM casino.round
                                   WHERE round_ref = 'N-1'
                                       AND table_id = pg_temp.tab('roulette_american')), 'split:0-1@20')$$,
                                           :ota),
    format('stake_limits not_offered p%s e2: a bet of the plan | 20.00 on split:0-1', :ota));
SELECT pg_temp.planted('a box of several players over its maximum, which wins',
    format($$SELECT pg_temp.forge(%1$s, 'stake', 9950, pg_temp.t('12:11'),
                                  (SELECT round_id FROM casino.round
                                   WHERE round_ref = 'N-1'
                                       AND table_id = pg_temp.tab('blackjack_czech_casinos')), 'main@9950');
             UPDATE casino.ledger SET seat = 1 WHERE player_id = %1$s AND entry_no = 2$$, :ota),
    format('stake_limits box p%s e2: at most 10000.00 | 10050.00 on main', :ota),
        format('payout missing p%s e2: 19900.00 win | no payout', :ota));
SELECT pg_temp.planted('a stake inside a break: the next one is in it then, too',
    format($$SELECT pg_temp.forge(%s, 'stake', 100, pg_temp.t('15:10:05'), pg_temp.r('X'), 'black@100')$$,
           :eva),
    format('break break p%s e30: no stake before 2026-06-10 15:16:00+02 | 2026-06-10 15:10:05+02', :eva),
    format('entry_gap time p%s e30: not before 2026-06-10 15:17:00+02 | 2026-06-10 15:10:05+02', :eva),
    format('break break p%s e28: no stake before 2026-06-10 15:26:00+02 | 2026-06-10 15:16:10+02', :eva),
    format('state sequence_started_at p%s: 2026-06-10 13:00:10+02 | 2026-06-10 15:16:10+02', :eva));
SELECT pg_temp.planted('a stake at a second table',
                       format($$SELECT pg_temp.forge(%s, 'stake', 100, pg_temp.t('16:00:20'),
                                                     pg_temp.r('leo-1'), 'even@100')$$, :pia),
    format('second_table second_table p%s e4: no stake before 2026-06-10 16:01:00+02 | 2026-06-10 '
           '16:00:20+02',
           :pia));
-- a round joined before the last one is evaluated makes no break, though the sequence has lasted 120 minutes
SELECT pg_temp.planted('a stake at a second table after 120 minutes',
    format($$SELECT pg_temp.forge(%s, 'stake', 100, pg_temp.t('15:00:30'), pg_temp.r('X'), 'black@100')$$,
           :eva),
    format('second_table second_table p%s e30: no stake before 2026-06-10 15:01:00+02 | '
           '2026-06-10 15:00:30+02',
           :eva),
    format('late_stake before_open p%s e30: not before 2026-06-10 15:10:00+02 | 2026-06-10 15:00:30+02',
           :eva),
    format('entry_gap time p%s e30: not before 2026-06-10 15:17:00+02 | 2026-06-10 15:00:30+02', :eva),
    format('break break p%s e28: no stake before 2026-06-10 15:26:00+02 | 2026-06-10 15:16:10+02', :eva),
    format('state sequence_started_at p%s: 2026-06-10 13:00:10+02 | 2026-06-10 15:16:10+02', :eva));
SELECT pg_temp.planted('a stake beyond a limit of his own, with other play of the day counted',
    format($$SELECT pg_temp.forge(%1$s, 'stake', 200.01, pg_temp.t('16:05:20'), pg_temp.r('leo-2'),
                                  'odd@200.01');
             UPDATE casino.limit_state SET staked_day = staked_day + 200.01,
                 staked_month = staked_month + 200.01, lost_day = lost_day + 200.01,
                     lost_month = lost_month + 200.01 WHERE player_id = %1$s$$, :leo),
    format('entry_gap time p%s e5: not before 2026-06-10 16:06:00+02 | 2026-06-10 16:05:20+02', :leo),
    format('self_limit stake_day p%s e5: at most 1000.00 | 1000.01', :leo),
        format('self_limit stake_month p%s e5: at most 1000.00 | 1000.01', :leo));
-- R7.69: a stake beyond the limit that "went back" for a reason that is not so was placed
SELECT pg_temp.planted('R7.69: a stake beyond the limit, given back as ' || v.reason,
    format($$SELECT pg_temp.forge(%1$s, 'stake', 200.01, pg_temp.t('16:05:20'), pg_temp.r('leo-2'),
                                  'odd@200.01'),
                    pg_temp.forge(%1$s, 'refund', 200.01, pg_temp.t('16:05:20'), pg_temp.r('leo-2'),
                                  stake => 5);
             UPDATE casino.ledger SET reason = %2$L WHERE player_id = %1$s AND entry_no = 6;
             UPDATE casino.round SET wagers = wagers - 1, staked = staked - 200.01
              WHERE round_id = pg_temp.r('leo-2')$$,
           :leo, v.reason),
    format('entry_gap time p%s e5: not before 2026-06-10 16:06:00+02 | 2026-06-10 16:05:20+02', :leo),
    format('refund after_evaluation p%s e6: recorded before the evaluation was | 200.01 %s', :leo, v.reason),
    format('self_limit stake_day p%s e5: at most 1000.00 | 1000.01', :leo),
    format('self_limit stake_month p%s e5: at most 1000.00 | 1000.01', :leo))
  FROM (VALUES ('excluded'), ('late'), ('disconnected')) v (reason);
SELECT pg_temp.planted('a stake of an excluded person',
                       format($$SELECT pg_temp.forge(%s, 'stake', 100, pg_temp.t('16:00:05'),
                                                     pg_temp.r('leo-1'), 'red@100')$$, :ivo),
    format('excluded stake p%s e4: nothing from 2026-06-10 15:30:20+02 to 2026-12-24 00:00:00+01 | '
           '2026-06-10 16:00:05+02',
           :ivo));
SELECT pg_temp.planted('a deposit of an excluded person',
                       format($$SELECT pg_temp.forge(%s, 'deposit', 100, pg_temp.t('16:00:05'))$$, :ivo),
    format('excluded deposit p%s e4: nothing from 2026-06-10 15:30:20+02 to 2026-12-24 00:00:00+01 | '
           '2026-06-10 16:00:05+02',
           :ivo));

-- ------------------------------------------------------------------------------------------------ money
-- out
-- (R10.7)
SELECT pg_temp.planted('cash in pieces over 10 000',
    format($$SELECT pg_temp.forge(%1$s, 'withdrawal', 4000.01, pg_temp.t('20:00'),
                                  method => 'cash'); SELECT pg_temp.forge(%1$s, 'cash_paid', 4000.01,
                                          pg_temp.t('20:01'), withdrawal => 8)$$, :mia),
    format('cash_limit cash_24_hours p%s e9: at most 10000.00 in 24 hours | 10000.01', :mia),
    format('entry_gap time p%s e8: not before 2026-06-20 10:00:00+02 | 2026-06-10 20:00:00+02', :mia),
        format('entry_gap time p%s e9: not before 2026-06-20 10:00:00+02 | 2026-06-10 20:01:00+02', :mia));
SELECT pg_temp.planted('a transfer to an account that nobody registered',
                       format($$UPDATE casino.ledger SET account = 'CZ00'
                              WHERE player_id = %s AND kind = 'transfer_paid'$$, :mia),
    format('cash_limit account p%s e5: a registered account | CZ00', :mia));
SELECT pg_temp.planted('a withdrawal cancelled late',
    format($$UPDATE casino.ledger SET posted_at = '2026-06-11 00:00'
           WHERE player_id = %1$s
               AND kind = 'withdrawal_cancelled'; UPDATE casino.player SET last_posted_at = '2026-06-11 00:00'
                   WHERE player_id = %1$s$$, :old),
    format('withdrawal_overdue overdue p%s e2: paid or cancelled before 2026-06-11 00:00:00+02 | '
           'withdrawal_cancelled at 2026-06-11 00:00:00+02',
           :old),
    format('withdrawal_overdue unrecorded p%s e2: a breach withdrawal_late | none', :old));
SELECT pg_temp.planted('winnings paid late',
    format($$UPDATE casino.ledger SET posted_at = '2026-06-11 00:00'
           WHERE player_id = %1$s
               AND kind = 'payout'; UPDATE casino.player SET last_posted_at = '2026-06-11 00:00'
                   WHERE player_id = %1$s;
             UPDATE casino.round SET withheld_paid_at = '2026-06-11 00:00' WHERE round_ref = 'may'$$, :may),
    format('winnings_overdue overdue p%s e2: paid before 2026-06-11 00:00:00+02 | 2026-06-11 00:00:00+02',
           :may),
    format('winnings_overdue unrecorded p%s e2: a breach winnings_late | none', :may));

-- ------------------------------------------------------------------------------ state, plans, guards (R10.9)
SELECT pg_temp.planted('the balance of a player edited',
                       format('UPDATE casino.player SET balance = balance + 1 WHERE player_id = %s', :rut),
    format('wallet wallet p%s: 50000.00 | 50001.00', :rut));
SELECT pg_temp.planted('his betting sequence edited',
                       format($$UPDATE casino.player SET sequence_started_at = pg_temp.t('15:17')
                              WHERE player_id = %s$$, :eva),
    format('state sequence_started_at p%s: 2026-06-10 15:16:10+02 | 2026-06-10 15:17:00+02', :eva));
SELECT pg_temp.planted('an exclusion forgotten',
                       format('UPDATE casino.player SET excluded_until = NULL WHERE player_id = %s', :ivo),
    format('state excluded_until p%s: 2026-12-24 00:00:00+01 | none', :ivo));
SELECT pg_temp.planted('a counter edited',
                       format('UPDATE casino.limit_state SET staked_day = 0 WHERE player_id = %s', :leo),
    format('state staked_day p%s: 800.00 | 0', :leo));
SELECT pg_temp.planted('a limit edited',
                       format('UPDATE casino.limit_state SET limit_stake_month = 5000 WHERE player_id = %s',
                              :leo),
    format('state limit_stake_month p%s: 1000.00 | 5000', :leo));
SELECT pg_temp.planted('a row of withdrawals put in',
                       format('INSERT INTO casino.open_withdrawal VALUES (%s, 2)', :mia),
    format('state open_withdrawal p%s e2: ended by entry 3 | open', :mia));
SELECT pg_temp.planted('a withdrawal that is a deposit',
                       format('INSERT INTO casino.open_withdrawal VALUES (%s, 1)', :mia),
    format('state open_withdrawal p%s e1: no such withdrawal | open', :mia));
SELECT is((SELECT count(*) FROM pg_temp.found($$UPDATE casino.bet_rule SET max_stake = 1000000
                                              WHERE kind = 'red'
                                                  AND plan_id = (SELECT plan_id FROM casino.game_plan
                                                                 WHERE game = 'roulette_synot')$$) f
            WHERE f LIKE 'plan changed: {%"max_stake": 100000,%} | {%"max_stake": 1000000,%}'), 1::bigint,
                'a row of a plan in force changed');
SELECT results_eq($$SELECT left(f, 13)
                  FROM pg_temp.found('DELETE FROM casino.plan_rule
                                       WHERE rule = ''numbers''
                                         AND plan_id = (SELECT plan_id
                                                          FROM casino.game_plan
                                                         WHERE game = ''roulette_absolute'')') f
                  WHERE f LIKE 'plan%'$$,
                  $$VALUES ('plan removed:')$$, 'one taken away');
SELECT pg_temp.planted('a trigger disabled', 'after: ALTER TABLE casino.round DISABLE TRIGGER round_guard',
    'guard changed: calls casino_internal.round_guard() at events 27 and is enabled | '
    'calls casino_internal.round_guard() at events 27 and is disabled');
SELECT pg_temp.planted('a trigger added',
                       $$after: CREATE TRIGGER b BEFORE INSERT ON casino.ledger FOR EACH ROW
                                EXECUTE FUNCTION casino_internal.refuse_change()$$,
    'guard added: not there | calls casino_internal.refuse_change() at events 7 and is enabled');
CREATE ROLE faults_clerk;
SELECT casino.grant_access('faults_clerk', 'cashier');
SELECT pg_temp.planted('a grant too many', 'after: GRANT INSERT ON casino.ledger TO faults_clerk',
                       'guard privilege: none beyond the profiles | INSERT on ledger');
SELECT pg_temp.planted('a function too many',
                       'after: GRANT EXECUTE ON FUNCTION casino.adjust(bigint, numeric, text, text, '
                       'timestamptz, bigint) TO faults_clerk',
    'guard privilege: none beyond the profiles | EXECUTE on adjust(player_id bigint, amount numeric, '
    'reason text, request_id text, at timestamp with time zone, round_id bigint)');
SELECT pg_temp.planted('a grant to everybody', 'after: GRANT SELECT (balance) ON casino.player TO PUBLIC',
                       'guard privilege: none beyond the profiles | SELECT on player.balance');
SELECT pg_temp.planted('an owner changed', 'after: ALTER VIEW casino.trial_balance OWNER TO faults_clerk',
                       format('guard owner: %s | faults_clerk', current_user));

\if :{?mutants}
\i :mutants
\endif
SELECT * FROM finish();
ROLLBACK;
