-- The owner may change the hot tables. The store reads and writes a table only while its shape is the one our
-- code writes: the type, length and collation of each column, the columns, order and predicate of each index.
-- Else SQL does, which converts, or refuses.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();

SELECT casino.add_game_table('roulette_american', 'one', 100, 25000) \g /dev/null
SELECT count(casino.deposit(casino.register_player('p' || n), 10000))
  FROM generate_series(1, 5) n \g /dev/null
SELECT casino.set_limit(3, 'stake', 'day', 5000) \g /dev/null

-- a round with all that writes the hot tables; gives what it left in them
CREATE FUNCTION evening(ref text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r bigint;
BEGIN
    PERFORM casino.deposit(1, 5, 'd' || ref);
    r := casino.open_round(1, ref);
    PERFORM casino.place_bets(r, n, '{red@100,straight:1@200}', ref) FROM generate_series(1, 4) n;
    PERFORM casino.place_bets(r, n, '{red@100,straight:1@200}', ref) FROM generate_series(1, 4) n;
    PERFORM casino.cancel_bet(r, 4, ref);
    PERFORM casino.settle_round(r, '{"number": 1}');
    RETURN (SELECT string_agg(concat_ws(' ', l.player_id, l.entry_no, l.kind, l.amount, l.stake_entry_no,
                                        l.grade, l.balance), ';'
                              ORDER BY l.player_id, l.entry_no) FROM casino.ledger l)
        || (SELECT string_agg(concat_ws(' ', p.player_id, p.balance, p.last_entry_no), ';'
                              ORDER BY p.player_id) FROM casino.player p)
        || (SELECT concat_ws(' ', s.staked_day::numeric(20,2), s.lost_day::numeric(20,2),
                             s.open_staked::numeric(20,2)) FROM casino.limit_state s);
END $$;
-- what a statement would have given after another one; both are rolled back
CREATE FUNCTION after(change text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    BEGIN
        EXECUTE change;
    EXCEPTION WHEN OTHERS THEN
        RETURN 'unchanged';
    END;
    BEGIN
        EXECUTE statement INTO answer;
    EXCEPTION WHEN OTHERS THEN
        answer := SQLSTATE;
    END;
    RAISE EXCEPTION USING ERRCODE = 'ZZ001', MESSAGE = coalesce(answer, 'null');
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    GET STACKED DIAGNOSTICS answer = MESSAGE_TEXT;
    RETURN answer;
END $$;
CREATE FUNCTION evening_after(change text) RETURNS text LANGUAGE sql AS $$SELECT public.after(change,
        'SELECT public.evening(''e'')')$$;
CREATE FUNCTION store_after(change text) RETURNS text LANGUAGE sql AS $$SELECT public.after(change,
        'SELECT casino.store_in_use()')$$;

SELECT evening_after('SELECT 1') AS plain \gset
SELECT matches(:'plain'::text, '1 2 deposit 5', 'an evening is played');
CREATE DOMAIN short AS text CHECK (length(value) < 3);

-- ------------------------------------------------------------------------------------------------ columns
CREATE TABLE change (what text, statement text);
INSERT INTO change VALUES
    ('another type', 'ALTER TABLE casino.ledger ALTER request_line TYPE numeric'),
    ('another type, of players',
     'ALTER TABLE casino.player ALTER last_posted_at DROP DEFAULT, ALTER last_posted_at TYPE text'),
    ('a number shorter', 'ALTER TABLE casino.ledger ALTER request_line TYPE smallint'),
    ('a length', 'ALTER TABLE casino.player ALTER balance TYPE numeric(7,2)'),
    ('a length of times', 'ALTER TABLE casino.player ALTER previous_sequence_started_at TYPE timestamptz(0)'),
    ('a domain',
     'DROP VIEW casino.payment_in_clear; ALTER TABLE casino.ledger ALTER reference TYPE public.short'),
    ('a collation',
     'DROP VIEW casino.payment_in_clear; ALTER TABLE casino.ledger ALTER place TYPE text COLLATE "C"'),
    ('a counter''s type', 'ALTER TABLE casino.limit_state ALTER staked_day TYPE double precision'),
    ('an identity', 'ALTER TABLE casino.ledger ALTER entry_no ADD GENERATED ALWAYS AS IDENTITY'),
    ('a column of values of its own',
     'ALTER TABLE casino.ledger ADD twice numeric GENERATED ALWAYS AS (amount * 2) STORED'),
    ('one column more', 'ALTER TABLE casino.ledger ADD more integer'),
    ('an index of the same name, descending', 'DROP INDEX casino.ledger_round;
      CREATE INDEX ledger_round ON casino.ledger_1
      (round_id, kind, player_id DESC, entry_no)
      WHERE kind IN (''stake'', ''refund'', ''adjustment'', ''correction'')'),
    ('an index of fewer rows', 'DROP INDEX casino.ledger_round;
      CREATE INDEX ledger_round ON casino.ledger_1
      (round_id, kind, player_id, entry_no) WHERE kind = ''adjustment'''),
    ('an index of another collation', 'DROP INDEX casino.ledger_request;
      CREATE UNIQUE INDEX ledger_request ON casino.ledger_1
      (player_id, request_id COLLATE "C", request_line) WHERE request_id IS NOT NULL'),
    ('no index', 'DROP INDEX casino.ledger_stake_entry_no');
SELECT is(CASE WHEN current_setting('casino.store')::boolean THEN store_after(c.statement)
          ELSE 'false' END, 'false',
          c.what || ': the store leaves the table alone')
  FROM change c;
-- an identity or a generated column is the operator's own answer to an INSERT; all else gives what it gave,
-- or is refused
SELECT ok(e IN (:'plain', '42804', '22003', '23514', '428C9'),
          format('%s: the evening is the same, or refused', c.what))
  FROM change c, evening_after(c.statement) e;
SELECT is(after('ALTER TABLE casino.player ALTER balance TYPE numeric(7,2)',
                'SELECT casino.deposit(1, 500000, ''x'')'), '22003',
          'a deposit that the column''s length forbids is refused');
SELECT is(after('DROP VIEW casino.payment_in_clear;
                 ALTER TABLE casino.ledger ALTER reference TYPE public.short',
                'SELECT casino.deposit(1, 5, ''x'', NULL, ''cash'', ''abc'')'),
          '23514', 'a domain is asked');
-- each column of each hot table as each of some types: no crash, nothing else than what was, or an error with
-- a code
SELECT is_empty($$
    SELECT a.attrelid::regclass, a.attname, t.name, e.evening
      FROM pg_attribute a, (VALUES ('text'), ('numeric'), ('integer')) t(name),
           LATERAL evening_after(format('ALTER TABLE %s ALTER %I DROP DEFAULT,
                                         ALTER %I TYPE %s USING %2$I::text::%4$s',
                                        a.attrelid::regclass, a.attname, a.attname, t.name)) AS e(evening)
     WHERE a.attrelid IN ('casino.ledger'::regclass, 'casino.ledger_1'::regclass, 'casino.player'::regclass,
                          'casino.limit_state'::regclass,
                          'casino.round'::regclass, 'casino.cancelled_request'::regclass,
                              'casino.other_play'::regclass)
       AND a.attnum > 0
       AND NOT a.attisdropped
       AND e.evening <> 'unchanged'
       AND e.evening <> $$ || quote_literal(:'plain') || $$
       AND (length(e.evening) <> 5 OR e.evening LIKE 'XX000')$$,
    'every column as every type');
-- NULL where our code knows none
SELECT matches(evening_after(format('ALTER TABLE casino.%s ALTER %I DROP NOT NULL;
                                     UPDATE casino.%1$s SET %2$I = NULL',
                                    t, c)),
               '^(unchanged|.....)$', format('%s.%s is NULL', t, c))
  FROM (VALUES ('player', 'balance'), ('player', 'last_posted_at'), ('player', 'limited'),
        ('limit_state', 'staked_day'),
               ('limit_state', 'day'), ('limit_state', 'open_staked')) v(t, c);

-- ------------------------------------------------------------------------------------------ a dropped column
ALTER TABLE casino.ledger ADD passing integer;
ALTER TABLE casino.player ADD passing text DEFAULT 'x' NOT NULL;
ALTER TABLE casino.limit_state ADD passing text DEFAULT 'x';
SELECT is(casino.store_in_use(), false, 'columns of the operator''s: SQL');
SELECT is(evening_after('SELECT 1'), :'plain', 'which gives the same');
ALTER TABLE casino.ledger DROP passing;
ALTER TABLE casino.player DROP passing;
ALTER TABLE casino.limit_state DROP passing;
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean, 'dropped again: the store');
SELECT is(evening_after('SELECT 1'), :'plain', 'which gives the same');
SELECT evening('e') \g /dev/null
SELECT is((SELECT string_agg(t.relname, ' ')
             FROM (VALUES ('ledger'), ('player'), ('limit_state')) t(relname),
                  LATERAL query_to_xml(format('SELECT count(*)
                                                 FROM casino.%I x
                                                WHERE to_jsonb(x) ? ''passing''',
                                              t.relname),
                                       true, false, '') q
            WHERE q::text NOT LIKE '%>0<%'), NULL, 'and nothing of them is left in a row');
SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance sums to zero');

-- ------------------------------------------------------------------------------------ the session's settings
SET quote_all_identifiers = on;
ALTER TABLE casino.ledger_1 SET (autovacuum_enabled = true);      -- looked at anew
SELECT is(casino.store_in_use(), current_setting('casino.store')::boolean,
          'quoted identifiers change nothing');
SELECT * FROM finish();
