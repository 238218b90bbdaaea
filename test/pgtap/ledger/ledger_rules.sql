-- The ledger's rules, each on both sides of its boundary, through the functions and by plain INSERT.
SET search_path = public;
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SELECT no_plan();

CREATE TABLE named (name text PRIMARY KEY, id bigint NOT NULL);
CREATE FUNCTION id(text) RETURNS bigint STABLE LANGUAGE sql AS 'SELECT id FROM public.named WHERE name = $1';
CREATE FUNCTION balance(text) RETURNS numeric LANGUAGE sql AS
    'SELECT balance FROM casino.player WHERE player_id = public.id($1)';
CREATE FUNCTION entries(text) RETURNS bigint LANGUAGE sql AS
    'SELECT count(*) FROM casino.ledger WHERE player_id = public.id($1)';
CREATE FUNCTION refused(statement text, state text, what text) RETURNS text LANGUAGE sql AS
    $$SELECT public.throws_ok($1, $2::char(5), NULL, $2 || ': ' || regexp_replace($3, '\s+', ' ', 'g'))$$;
CREATE FUNCTION player(text, numeric) RETURNS void LANGUAGE sql AS
    'INSERT INTO public.named VALUES ($1, casino.register_player($1));
     SELECT casino.deposit(public.id($1), $2)';
-- every player's entries are numbered without gaps, in order of time (settlement is exempt), and sum to his
-- balance, which never was negative
CREATE FUNCTION books_are_right(what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN NEXT public.is_empty($q$
        SELECT l.player_id FROM casino.ledger l GROUP BY l.player_id
        HAVING min(entry_no) <> 1 OR max(entry_no) <> count(*)
        UNION ALL
        SELECT s.player_id FROM casino.statement s WHERE s.balance < 0
        UNION ALL
        SELECT p.player_id FROM casino.player p
          LEFT JOIN (SELECT player_id, sum(change) AS total, count(*) AS entries, max(posted_at) AS latest
                       FROM casino.statement GROUP BY 1) s USING (player_id)
         WHERE p.balance <> coalesce(s.total, 0) OR p.last_entry_no <> coalesce(s.entries, 0)
            OR p.last_posted_at <> coalesce(s.latest, '-infinity')
        UNION ALL
        SELECT player_id FROM (SELECT player_id,
                               posted_at < lag(posted_at) OVER (PARTITION BY player_id ORDER BY entry_no)
                                 AS back FROM casino.ledger WHERE kind NOT IN ('payout', 'refund')) b
                                     WHERE back
        $q$, 'entries, times and balances agree: ' || $1);
    RETURN NEXT public.is((SELECT sum(balance) FROM casino.trial_balance), 0.00,
                          'the trial balance sums to zero: ' || $1);
END $$;

INSERT INTO named VALUES ('wheel', casino.add_game_table('roulette_synot', 'Wheel', 10, 5000)),
                         ('shoe', casino.add_game_table('baccarat', 'Shoe', 100, 100000));
DO $$ BEGIN
    PERFORM player('ann', 1000); PERFORM player('bob', 1000); PERFORM player('cyd', 1000);
END $$;
INSERT INTO named VALUES ('round', casino.open_round(id('wheel'), 'r1'));
INSERT INTO named VALUES ('stake', casino.place_bet(id('round'), id('ann'), 'red@100', 'ann-1'));

-- ------------------------------------------------------------------------------------------------
-- immutability a row to aim at in each append-only table
INSERT INTO casino.breach VALUES (id('ann'), 1, 'declared_win', '{}', now(), now());
SELECT is(casino.cancel_bet(id('round'), id('bob'), 'never-came'), '{}', 'a tombstone');

SELECT refused(format(statement, t), 'KL001', replace(statement, '%1$I', t)
               || coalesce(' as ' || nullif(role, 'origin'), ''))
  FROM unnest(ARRAY['ledger', 'breach', 'cancelled_request']) t,
       unnest(ARRAY['origin', 'replica', 'local']) role,
       unnest(ARRAY['UPDATE casino.%1$I SET player_id = player_id',
                    'UPDATE casino.%1$I SET player_id = 0 WHERE false',
                    'DELETE FROM casino.%1$I',
                    'DELETE FROM casino.%1$I WHERE false',
                    'TRUNCATE casino.%1$I',
                    'TRUNCATE casino.%1$I CASCADE',
                    'MERGE INTO casino.%1$I x USING casino.player p ON p.player_id = x.player_id
                     WHEN MATCHED THEN UPDATE SET player_id = 1',
                    'MERGE INTO casino.%1$I x USING casino.player p ON p.player_id = x.player_id
                     WHEN MATCHED THEN DELETE',
                    'WITH gone AS (DELETE FROM casino.%1$I RETURNING *) SELECT count(*) FROM gone']) statement
 WHERE set_config('session_replication_role', role, false) IS NOT NULL
 ORDER BY role, t, statement;
SELECT refused(statement, 'KL001', statement || ' as ' || role)
  FROM unnest(ARRAY['replica', 'origin']) role,
       unnest(ARRAY['INSERT INTO casino.ledger_1 (player_id, entry_no, kind, amount, posted_at, recorded_at)
                     VALUES (id(''ann''), 1, ''deposit'', 5, now(), now())
                         ON CONFLICT (player_id, entry_no) DO UPDATE SET amount = 1000000',
                    'INSERT INTO casino.breach VALUES (id(''ann''), 1, ''declared_win'', ''{}'', now(), now())
                         ON CONFLICT (player_id, entry_no, rule) DO UPDATE SET detail = ''[]''',
                    'INSERT INTO casino.cancelled_request VALUES (id(''bob''), ''never-came'', 1, now())
                         ON CONFLICT (player_id, request_id) DO UPDATE SET round_id = 2']) statement
 WHERE set_config('session_replication_role', role, false) IS NOT NULL;
-- the whole ledger has no unique index, which would have to contain the book
SELECT refused('INSERT INTO casino.ledger (player_id, entry_no, kind, amount, posted_at, recorded_at)
                VALUES (id(''ann''), 1, ''deposit'', 5, now(), now())
                    ON CONFLICT (player_id, entry_no) DO UPDATE SET amount = 1000000', '42P10',
               'R12.41: no conflict of two entries can be named as ' || role)
  FROM unnest(ARRAY['replica', 'origin']) role
 WHERE set_config('session_replication_role', role, false) IS NOT NULL;
SET session_replication_role = origin;
SELECT refused(statement, 'KL001', statement)
  FROM unnest(ARRAY['UPDATE casino.player SET balance = balance + 1',
                    'UPDATE casino.player SET external_ref = external_ref WHERE player_id = id(''ann'')',
                    'UPDATE casino.player SET last_entry_no = 0',
                    'DELETE FROM casino.player WHERE player_id = id(''ann'')',
                    'TRUNCATE casino.player',
                    'MERGE INTO casino.player p USING (VALUES (1)) v (n) ON p.player_id = id(''ann'')
                     WHEN MATCHED THEN UPDATE SET balance = 0',
                    'INSERT INTO casino.player (player_id, external_ref, registered_at)
                     VALUES (id(''ann''), ''ann'', now())
                         ON CONFLICT (player_id) DO UPDATE SET balance = 1']) statement;
SELECT refused('UPDATE casino.player SET balance = 0 WHERE false', 'KL001', 'an UPDATE of no player, too');
SELECT lives_ok($$MERGE INTO casino.ledger l USING (VALUES (id('cyd'), 'deposit', 7.00)) v (player_id, kind,
        amount)
                     ON l.player_id = v.player_id AND l.request_id = 'merge'
                   WHEN MATCHED THEN DO NOTHING
                   WHEN NOT MATCHED THEN INSERT (player_id, kind, amount, request_id) VALUES (v.player_id,
                           v.kind, v.amount, 'merge')$$,
                'MERGE may insert');
SELECT is(balance('cyd'), 1007.00, 'and what it inserts is booked');
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('cyd'), 'deposit',
        3) ON CONFLICT DO NOTHING$$,
                'ON CONFLICT DO NOTHING changes nothing there is');
SELECT is(balance('cyd'), 1010.00, 'and books what it inserts');
SELECT * FROM books_are_right('after attempts to change what is written');

-- ------------------------------------------------------------------------------------------------ money
SELECT refused(format(statement, amount), '22003', format(statement, amount))
  FROM unnest(ARRAY['SELECT casino.deposit(id(''ann''), %L)',
                    'SELECT casino.adjust(id(''ann''), %L, ''reason'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount)
                     VALUES (id(''ann''), ''deposit'', %L)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, reason)
                     VALUES (id(''ann''), ''adjustment'', %L, ''reason'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount, bet, round_id)
                     VALUES (id(''ann''), ''stake'', %L, ''red@10'', id(''round''))',
                    'INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no)
                     VALUES (id(''ann''), ''refund'', %L, id(''stake''))',
                    'INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no)
                     VALUES (id(''ann''), ''payout'', %L, id(''stake''))']) statement,
       unnest(ARRAY['NaN', 'Infinity', '-Infinity', '0.001', '10.005', '0.0000000001', '-0.001',
                    '92233720368547758.08', '-92233720368547758.09', '1e30', '1e-30', '-1e30']) amount;
SELECT refused(format(statement, amount), '22003', format(statement, amount))
  FROM unnest(ARRAY['SELECT casino.deposit(id(''ann''), %s)',
                    'INSERT INTO casino.ledger (player_id, kind, amount)
                     VALUES (id(''ann''), ''deposit'', %s)']) statement,
       unnest(ARRAY['0', '0.00', '-0.01', '-100']) amount;
SELECT refused(format(statement, '0.00'), '22003', format(statement, '0.00'))
  FROM unnest(ARRAY['SELECT casino.adjust(id(''ann''), %s, ''reason'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount, reason)
                     VALUES (id(''ann''), ''adjustment'', %s, ''r'')']) statement;
SELECT refused($$SELECT casino.place_bet(id('round'), id('ann'), casino.bet('red', NULL, 'NaN'))$$, '22003',
               'a stake of NaN');
SELECT refused($$SELECT casino.place_bet(id('round'), id('ann'), 'red@10.001')$$, '22003',
               'R2.11: a stake of a tenth of a haléř');
SELECT lives_ok(statement, statement)
  FROM unnest(ARRAY['SELECT casino.deposit(id(''ann''), 0.01)',
                    'SELECT casino.deposit(id(''ann''), 0.0100000)',
                    'SELECT casino.deposit(id(''ann''), 1e1)',
                    'SELECT casino.adjust(id(''ann''), 0.01, ''found'')',
                    'SELECT casino.adjust(id(''ann''), -0.01, ''lost'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount) '
                    'VALUES (id(''ann''), ''deposit'', 0.01)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, reason) '
                    'VALUES (id(''ann''), ''adjustment'', -0.01, ''r'')']) statement;
SELECT is(balance('ann'), 910.02, 'and they are exact');
SELECT is((SELECT array_agg(DISTINCT scale(amount)) FROM casino.ledger), ARRAY[2],
          'amounts are kept with two decimals');

INSERT INTO named VALUES ('rich', casino.register_player('rich'));
SELECT lives_ok($$SELECT casino.deposit(id('rich'), 92233720368547758.06)$$,
                'one haléř below the largest amount');
SELECT lives_ok($$SELECT casino.deposit(id('rich'), 0.01)$$, 'the largest balance');
SELECT refused($$SELECT casino.deposit(id('rich'), 0.01)$$, '22003',
               'one haléř more than the largest balance');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('rich'), 'deposit', 0.01)$$,
               '22003',
               'one haléř more by plain INSERT');
SELECT refused($$SELECT casino.adjust(id('rich'), 92233720368547758.07, 'r')$$, '22003',
               'an adjustment beyond the largest balance');
SELECT lives_ok($$SELECT casino.adjust(id('rich'), -92233720368547758.07, 'all of it')$$,
                'all of the largest balance can be taken');
SELECT is(balance('rich'), 0.00, 'which leaves nothing');

-- NULLs and unknown ids
SELECT refused(statement, '22004', statement)
  FROM unnest(ARRAY['SELECT casino.deposit(NULL, 1)', 'SELECT casino.deposit(id(''ann''), NULL)',
                    'SELECT casino.adjust(NULL, 1, ''r'')', 'SELECT casino.adjust(id(''ann''), NULL, ''r'')',
                    'SELECT casino.adjust(id(''ann''), 1, NULL)',
                        'SELECT casino.adjust(id(''ann''), 1, '''')',
                    'SELECT casino.adjust(id(''ann''), 1, E'' \t\n'')',
                    'SELECT casino.place_bet(NULL, id(''ann''), ''red@10'')',
                        'SELECT casino.place_bet(id(''round''), NULL, ''red@10'')',
                    'SELECT casino.place_bet(id(''round''), id(''ann''), NULL)',
                    'SELECT casino.place_bets(NULL, id(''ann''), ''{red@10}'')',
                        'SELECT casino.place_bets(id(''round''), NULL, ''{red@10}'')',
                    'SELECT casino.place_bets(id(''round''), id(''ann''), NULL)',
                        'SELECT casino.place_bets(id(''round''), id(''ann''), ''{red@10,NULL}'')',
                    'SELECT casino.cancel_bet(NULL, id(''ann''), ''x'')',
                        'SELECT casino.cancel_bet(id(''round''), NULL, ''x'')',
                    'SELECT casino.cancel_bet(id(''round''), id(''ann''), NULL)',
                    'SELECT casino.disconnect(NULL, id(''ann''))',
                        'SELECT casino.disconnect(id(''round''), NULL)',
                    'SELECT casino.open_round(NULL, ''x'')', 'SELECT casino.open_round(id(''wheel''), NULL)',
                    'SELECT casino.open_round(id(''wheel''), '' '')',
                    'SELECT casino.close_betting(NULL)',
                    'SELECT casino.settle_round(NULL, ''{"number": 1}'')',
                        'SELECT casino.settle_round(id(''round''), NULL)',
                    'SELECT casino.settle_round(id(''round''), ''{"number": 1}'', withhold => NULL)',
                    'SELECT casino.void_round(NULL, ''x'')', 'SELECT casino.void_round(id(''round''), NULL)',
                    'SELECT casino.pay_withheld(NULL)',
                    'INSERT INTO casino.ledger DEFAULT VALUES',
                    'INSERT INTO casino.ledger (kind, amount) VALUES (''deposit'', 1)',
                    'INSERT INTO casino.ledger (player_id, amount) VALUES (id(''ann''), 1)',
                    'INSERT INTO casino.ledger (player_id, kind) VALUES (id(''ann''), ''deposit'')',
                    'INSERT INTO casino.ledger (player_id, kind, reason)
                     VALUES (id(''ann''), ''adjustment'', ''r'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount)
                     VALUES (id(''ann''), ''adjustment'', 1)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, reason)
                     VALUES (id(''ann''), ''adjustment'', 1, '''')',
                    'INSERT INTO casino.ledger (player_id, kind, amount, reason)
                     VALUES (id(''ann''), ''adjustment'', 1, ''  '')',
                    'INSERT INTO casino.ledger (player_id, kind, bet)
                     VALUES (id(''ann''), ''stake'', ''red@10'')',
                    'INSERT INTO casino.ledger (player_id, kind, round_id)
                     VALUES (id(''ann''), ''stake'', id(''round''))',
                    'INSERT INTO casino.ledger (player_id, kind, amount, round_id)
                     VALUES (id(''ann''), ''payout'', 10, id(''round''))',
                    'INSERT INTO casino.ledger (player_id, kind, amount, round_id)
                     VALUES (id(''ann''), ''refund'', 10, id(''round''))']) statement;
SELECT refused(statement, '23503', statement)
  FROM unnest(ARRAY['SELECT casino.deposit(-1, 1)', 'SELECT casino.adjust(999999, 1, ''r'')',
                    'SELECT casino.place_bet(999999, id(''ann''), ''red@10'')',
                        'SELECT casino.place_bet(id(''round''), 999999, ''red@10'')',
                    'SELECT casino.place_bets(-1, id(''ann''), ''{red@10}'')',
                        'SELECT casino.place_bets(id(''round''), 0, ''{red@10}'')',
                    'SELECT casino.cancel_bet(999999, id(''ann''), ''unknown'')',
                        'SELECT casino.cancel_bet(id(''round''), 999999, ''unknown'')',
                    'SELECT casino.disconnect(999999, id(''ann''))',
                        'SELECT casino.disconnect(id(''round''), 999999)',
                    'SELECT casino.open_round(999999, ''x'')', 'SELECT casino.close_betting(999999)',
                    'SELECT casino.settle_round(999999, ''{"number": 1}'')',
                        'SELECT casino.void_round(999999, ''x'')',
                    'SELECT casino.pay_withheld(999999)',
                    'INSERT INTO casino.ledger (player_id, kind, amount) VALUES (999999, ''deposit'', 1)',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet)
                     VALUES (id(''ann''), ''stake'', 999999, ''red@10'')',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet)
                     VALUES (id(''ann''), ''stake'', -1, ''red@10'')']) statement;
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('ann'), 'gift', 1)$$, '23514',
               'an unknown kind');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('ann'), 'Deposit', 1)$$,
               '23514', 'a kind in capitals');

-- columns that do not belong to a kind, 22023
SELECT refused(format('INSERT INTO casino.ledger (player_id, kind, amount, reason, %s)
                       VALUES (id(''ann''), %L, 1, ''r'', %s)',
                      c, kind, v),
               '22023', kind || ' with ' || c)
  FROM unnest(ARRAY['deposit', 'adjustment']) kind,
       (VALUES ('round_id', 'id(''round'')'), ('bet', '''red@10'''), ('seat', '1'), ('hand', '1'),
        ('stake_entry_no', '1'),
               ('grade', '''win'''), ('request_line', '1'), ('request_id, request_line', '''x'', 2'),
               ('request_id, request_line', '''x'', 0'), ('entry_no', '1'), ('entry_no', '0'),
                   ('entry_no', '999')) bad (c, v)
 WHERE kind <> 'adjustment' OR c <> 'round_id';      -- a correction may name the round that it concerns
SELECT refused(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, %s)
                       VALUES (id(''ann''), ''stake'', id(''round''), ''red@10'', %s)',
                      c, v),
               '22023', 'stake with ' || c)
  FROM (VALUES ('stake_entry_no', 'id(''stake'')'), ('grade', '''win'''), ('seat', '0'), ('seat', '-1'),
        ('hand', '0'), ('seat', '1'),
               ('hand', '1'), ('amount', '9.99'), ('amount', '10.01'), ('amount', '0'), ('amount', '-10'),
                   ('request_line', '1'),
               ('entry_no', '1')) bad (c, v);
SELECT refused(format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, bet)
                       VALUES (id(''ann''), %L, 100, id(''stake''), ''red@100'')',
                      kind),
               '22023', kind || ' with bet') FROM unnest(ARRAY['payout', 'refund']) kind;
SELECT refused(format('SELECT casino.%s(id(''round''), id(''ann''), %s)', f, args), '22023',
               f || ' with ' || args)
  FROM (VALUES ('place_bet', '''red@10'', seat => 0'), ('place_bet', '''red@10'', seat => 1'),
        ('place_bet', '''red@10'', hand => 1'),
               ('place_bet', '''red@10'', hand => -1'), ('place_bets', '''{}'''),
               ('place_bets', 'array_fill(''red@10''::casino.bet, ARRAY[1001])')) bad (f, args);
SELECT refused($$SELECT casino.place_bets(id('round'), id('ann'), '{{red@10},{black@10}}')$$, '2202E',
               'an array of two dimensions');

-- what a client may leave out or give
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES (id('ann'), 'stake',
        id('round'), 'red@10')$$,
                'a stake without its amount');
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, bet, request_id,
                                             request_line, recorded_at)
                  VALUES (id('ann'), (SELECT last_entry_no + 1 FROM casino.player
                                      WHERE player_id = id('ann')),
                          'stake', 10.000, id('round'), 'red@10', 'ann-2', 1, '2000-01-01')$$,
                              'a stake with all that fits');
SELECT results_eq($$SELECT amount, request_line, recorded_at > now() - interval '1 h',
                  posted_at <= recorded_at
                      FROM casino.ledger WHERE player_id = id('ann') AND request_id = 'ann-2'$$,
                  $$VALUES (10.00, 1, true, true)$$, 'the ledger says when it was recorded');
SELECT is(balance('ann'), 890.02, 'both were taken');
SELECT * FROM books_are_right('after amounts, nulls and columns');

-- ------------------------------------------------------------------------------------------------ funds
DO $$ BEGIN PERFORM player('poor', 100); PERFORM player('poor2', 100); END $$;
SELECT refused($$SELECT casino.adjust(id('poor'), -100.01, 'r')$$, 'KL002',
               'taking a haléř more than there is');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount, reason) VALUES (id('poor'), 'adjustment',
        -100.01, 'r')$$, 'KL002',
               'the same by plain INSERT');
SELECT refused($$SELECT casino.place_bet(id('round'), id('poor'), 'red@100.01')$$, 'KL002',
               'a stake of a haléř more');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES (id('poor'), 'stake',
        id('round'), 'red@100.01')$$,
               'KL002', 'the same by plain INSERT');
SELECT refused($$SELECT casino.place_bets(id('round'), id('poor'), '{red@50,black@50.01}')$$, 'KL002',
               'two stakes of a haléř more together');
SELECT is(entries('poor'), 1::bigint, 'of which none is placed');
SELECT lives_ok($$SELECT casino.place_bets(id('round'), id('poor'), '{red@50,black@50.00}')$$,
                'exactly all there is');
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES (id('poor2'), 'stake',
        id('round'), 'red@100')$$,
                'exactly all by plain INSERT');
SELECT refused($$SELECT casino.place_bet(id('round'), id('poor'), 'red@0.01')$$, 'KL002',
               'a haléř of nothing');
SELECT is(balance('poor') + balance('poor2'), 0.00, 'nothing is left');
SELECT lives_ok($$SELECT casino.adjust(id('poor'), 20, 'r')$$, 'an adjustment gives');
SELECT lives_ok($$SELECT casino.adjust(id('poor'), -20, 'r')$$, 'and takes to exactly zero');

-- ------------------------------------------------------------------------------------------- gapless numbers
DO $$ BEGIN PERFORM player('gap', 10); END $$;
BEGIN;
SELECT is(casino.deposit(id('gap'), 1), 2::bigint, 'entry 2 in a transaction');
SELECT is(casino.deposit(id('gap'), 1), 3::bigint, 'entry 3 in it');
ROLLBACK;
SELECT is(casino.deposit(id('gap'), 1), 2::bigint, 'rolled back: entry 2 again');
BEGIN;
SAVEPOINT a;
SELECT is(casino.deposit(id('gap'), 1), 3::bigint, 'entry 3 under a savepoint');
ROLLBACK TO a;
SELECT is(casino.deposit(id('gap'), 2), 3::bigint, 'rolled back to it: entry 3 again');
SAVEPOINT b;
INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('gap'), 'deposit', 4);
RELEASE b;
SAVEPOINT c;
SELECT refused($$SELECT casino.adjust(id('gap'), -1000, 'r')$$, 'KL002', 'a refused entry in between');
ROLLBACK TO c;
COMMIT;
SELECT is(casino.deposit(id('gap'), 1), 5::bigint, 'entry 5 after the commit');
SELECT is(casino.place_bets(id('round'), id('gap'), '{red@10}'), ARRAY[6::bigint], 'a stake goes on');
DO $$ BEGIN
    FOR n IN 1 .. 20 LOOP
        BEGIN
            PERFORM casino.deposit(id('gap'), 1);
            IF n % 3 = 0 THEN RAISE EXCEPTION 'no'; END IF;
        EXCEPTION WHEN raise_exception THEN NULL;
        END;
    END LOOP;
END $$;
SELECT is(entries('gap'), 20::bigint, 'six of twenty rolled back in blocks');
SELECT refused($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount) VALUES (id('gap'), 20,
        'deposit', 1)$$, '22023', 'the last number again');
SELECT refused($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount) VALUES (id('gap'), 22,
        'deposit', 1)$$, '22023', 'the number after next');
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount) VALUES (id('gap'), 21,
        'deposit', 1)$$, 'the next number');
SELECT * FROM books_are_right('after rollbacks');

-- -------------------------------------------------------------------------------------- several rows at once
DO $$ BEGIN PERFORM player('many', 100); END $$;
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, amount, round_id, bet) VALUES
                  (id('many'), 'deposit', 5, NULL, NULL), (id('many'), 'stake', NULL, id('round'), 'red@60'),
                  (id('cyd'), 'deposit', 1, NULL, NULL), (id('many'), 'stake', NULL, id('round'), 'red@45')$$,
                'several rows of several players');
SELECT is(balance('many'), 0.00, 'each is booked on the one before');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount) VALUES (id('many'), 'deposit', 5),
               (id('many'), 'deposit', -5)$$,
               '22003', 'a bad row among good ones');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount, reason)
                 SELECT id('many'), 'adjustment', CASE n WHEN 3 THEN -2.01 ELSE 1 END, 'r'
                   FROM generate_series(1, 3) n$$,
               'KL002', 'a third row overdrawing what two gave');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount, request_id) SELECT id('many'), 'deposit',
               1, 'same' FROM generate_series(1, 2)$$,
               'KL003', 'one request in two rows');
SELECT refused($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount) SELECT id('many'), 5,
               'deposit', 1 FROM generate_series(1, 2)$$,
               '22023', 'one number in two rows');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, round_id, bet)
                 SELECT id('cyd'), 'stake', id('round'), 'straight:7@5000' FROM generate_series(1, 2)$$,
               'KL002', 'two stakes without the money');
SELECT is(casino.deposit(id('many'), 10000.01), 5::bigint, 'money for many');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES
                 (id('many'), 'stake', id('round'), 'straight:7@5000'),
                     (id('many'), 'stake', id('round'), 'straight:7@0.01')$$,
               'KB002', 'two rows above the maximum of a position together');
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES
                  (id('many'), 'stake', id('round'), 'straight:7@4999.99'),
                      (id('many'), 'stake', id('round'), 'straight:7@0.01')$$,
                'two rows at the maximum together');
SELECT lives_ok(format('COPY casino.ledger (player_id, kind, amount) FROM PROGRAM %L',
                       format('printf ''%s\tdeposit\t%%s\n'' 1 2.50', id('many'))), 'COPY FROM');
SELECT is(balance('many'), 5003.51, 'is booked row by row');
SELECT refused(format('COPY casino.ledger (player_id, kind, amount) FROM PROGRAM %L',
                      format('printf ''%s\tdeposit\t%%s\n'' 1 NaN', id('many'))), '22003',
                          'COPY with a NaN in the second row');
SELECT refused(format('COPY casino.ledger (player_id, kind, amount, reason) FROM PROGRAM %L',
                      format('printf ''%s\tadjustment\t%%s\tr\n'' -5003.51 -0.01', id('many'))), 'KL002',
                          'COPY of a haléř too much');
SELECT refused(format('COPY casino.ledger (player_id, kind, amount, entry_no) FROM PROGRAM %L',
                      format('printf ''%s\tdeposit\t1\t1\n''', id('many'))), '22023',
                          'COPY with an old number');
SELECT is(balance('many'), 5003.51, 'of refused COPYs nothing stays');
SELECT * FROM books_are_right('after several rows at once');

-- ------------------------------------------------------------------------------------------------ time
DO $$ BEGIN PERFORM player(n, 1000) FROM unnest(ARRAY['t1', 't2', 't3', 't4', 't5', 't6', 't7']) n; END $$;
SELECT is(current_setting('casino.clock_skew'), '5s', 'clock_skew is 5 s unless set');
SELECT refused(format(statement, 'clock_timestamp() + interval ''7 s'''), 'KL005',
               format(statement, 'in 7 s'))
  FROM unnest(ARRAY['SELECT casino.deposit(id(''t1''), 1, at => %s)',
                    'SELECT casino.adjust(id(''t1''), 1, ''r'', at => %s)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, posted_at)
                     VALUES (id(''t1''), ''deposit'', 1, %s)',
                    'SELECT casino.place_bet(id(''round''), id(''t1''), ''red@10'', at => %s)',
                    'SELECT casino.place_bets(id(''round''), id(''t1''), ''{red@10}'', at => %s)',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at)
                     VALUES (id(''t1''), ''stake'', id(''round''), ''red@10'', %s)',
                    'SELECT casino.cancel_bet(id(''round''), id(''ann''), ''ann-1'', at => %s)',
                    'SELECT casino.cancel_bet(id(''round''), id(''t1''), ''t1-none'', at => %s)',
                    'SELECT casino.disconnect(id(''round''), id(''ann''), at => %s)',
                    'SELECT casino.open_round(id(''shoe''), ''x'', at => %s)',
                    'SELECT casino.close_betting(id(''round''), at => %s)',
                    'SELECT casino.settle_round(id(''round''), ''{"number": 1}'', at => %s)',
                    'SELECT casino.void_round(id(''round''), ''x'', at => %s)']) statement;
SELECT refused(statement, 'KL005', statement)
  FROM unnest(ARRAY['INSERT INTO casino.ledger (player_id, kind, amount, posted_at)
                     SELECT player_id, ''deposit'', 1, clock_timestamp() - interval ''5.000001 s''
                       FROM casino.player
                      WHERE external_ref = ''t1''',
                    'SELECT casino.open_round(id(''shoe''), ''x'',
                                              at => clock_timestamp() - interval ''5.000001 s'')',
                    'SELECT casino_internal.event_time(clock_timestamp() - interval ''5.000001 s'')',
                    'SELECT casino_internal.event_time(''2000-01-01'')',
                        'SELECT casino_internal.event_time(''290000-01-01'')',
                    'SELECT casino_internal.event_time(''4713-01-01 BC'')']) statement;
SELECT lives_ok($$SELECT casino_internal.event_time(clock_timestamp() + interval '5 s')$$,
                '5 s ahead of the clock');
SELECT lives_ok($$SELECT casino_internal.event_time(clock_timestamp() - interval '3 s')$$,
                '3 s behind the clock');
SELECT refused(format(statement, t), '22008', format(statement, t))
  FROM unnest(ARRAY['SELECT casino.deposit(id(''t1''), 1, at => %L)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, posted_at)
                     VALUES (id(''t1''), ''deposit'', 1, %L)',
                    'SELECT casino.place_bet(id(''round''), id(''t1''), ''red@10'', at => %L)',
                    'SELECT casino.close_betting(id(''round''), at => %L)']) statement,
                        unnest(ARRAY['infinity', '-infinity']) t;
SET casino.clock_skew = 0;
SELECT refused($$SELECT casino_internal.event_time(clock_timestamp() - interval '1 us')$$, 'KL005',
               'a microsecond with clock_skew = 0');
SET casino.clock_skew = '1 h';
SELECT lives_ok($$SELECT casino.deposit(id('t2'), 1, at => clock_timestamp() + interval '59 min')$$,
                'R12.6: within a clock_skew of an hour');
SELECT refused($$SELECT casino.deposit(id('t2'), 1, at => clock_timestamp() + interval '61 min')$$, 'KL005',
               'beyond it');
SELECT lives_ok($$SELECT casino.deposit(id('t2'), 1)$$, 'an entry now, when the last one was dated ahead,');
SELECT is((SELECT count(DISTINCT posted_at) FROM casino.ledger
           WHERE player_id = id('t2') AND posted_at > clock_timestamp()), 1::bigint,
          'has the time of that one');
SET casino.clock_skew = '58 min';
SELECT refused($$SELECT casino.deposit(id('t2'), 1)$$, 'KL005',
               'but not further from the clock than clock_skew');
SET casino.clock_skew = -1;
SELECT lives_ok($$SELECT casino_internal.event_time('2000-01-01')$$, 'any time with clock_skew = -1');
SELECT refused($$SELECT casino_internal.event_time('infinity')$$, '22008', 'infinity with clock_skew = -1');
SELECT refused(format('SET casino.clock_skew = %s', v), '22023', 'clock_skew = ' || v)
  FROM unnest(ARRAY['-2', '''soon''']) v;
SELECT is(context, 'superuser', 'clock_skew is for superusers') FROM pg_settings
 WHERE name = 'casino.clock_skew';

-- the order of a player's entries, from here on under a clock of our own
SELECT lives_ok($$SELECT casino.deposit(id('t3'), 1, at => '2030-01-01 12:00:00.000001')$$, 'an entry of t3');
SELECT refused(format(statement, '2030-01-01 12:00:00'), 'KL005', 'a microsecond before it: ' || statement)
  FROM unnest(ARRAY['SELECT casino.deposit(id(''t3''), 1, at => %L)',
                    'SELECT casino.adjust(id(''t3''), 1, ''r'', at => %L)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, posted_at) '
                    'VALUES (id(''t3''), ''deposit'', 1, %L)',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at) '
                    'VALUES (id(''t3''), ''stake'', id(''round''), ''red@10'', %L)',
                    'SELECT casino.place_bet(id(''round''), id(''t3''), ''red@10'', at => %L)']) statement;
SELECT lives_ok(format(statement, '2030-01-01 12:00:00.000001'), 'at the same microsecond: ' || statement)
  FROM unnest(ARRAY['SELECT casino.deposit(id(''t3''), 1, at => %L)',
                    'SELECT casino.adjust(id(''t3''), 1, ''r'', at => %L)',
                    'INSERT INTO casino.ledger (player_id, kind, amount, posted_at) '
                    'VALUES (id(''t3''), ''deposit'', 1, %L)',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at) '
                    'VALUES (id(''t3''), ''stake'', id(''round''), ''red@10'', %L)',
                    'SELECT casino.place_bet(id(''round''), id(''t3''), ''red@10'', at => %L)']) statement;
INSERT INTO named VALUES ('wheel2', casino.add_game_table('roulette_american', 'Wheel 2', 10, 5000));
INSERT INTO named VALUES ('later', casino.open_round(id('wheel2'), 'l1', '2031-01-01 12:00:00.000001'));
SELECT refused(statement, 'KL005', 'a microsecond before the round was opened: ' || statement)
  FROM unnest(ARRAY['SELECT casino.place_bet(id(''later''), id(''t3''), ''red@10'', '
                    'at => ''2031-01-01 12:00'')',
                    'SELECT casino.place_bets(id(''later''), id(''t3''), ''{red@10}'', '
                    'at => ''2031-01-01 12:00'')',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at) '
                    'VALUES (id(''t3''), ''stake'', id(''later''), ''red@10'', ''2031-01-01 12:00'')',
                    'SELECT casino.close_betting(id(''later''), ''2031-01-01 12:00'')',
                    'SELECT casino.settle_round(id(''later''), ''{"number": 1}'', ''2031-01-01 12:00'')',
                    'SELECT casino.void_round(id(''later''), ''x'', ''2031-01-01 12:00'')']) statement;
SELECT lives_ok(statement, 'when it was opened: ' || statement)
  FROM unnest(ARRAY['SELECT casino.place_bet(id(''later''), id(''t3''), ''red@100'', '
                    'at => ''2031-01-01 12:00:00.000001'')',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at) '
                    'VALUES (id(''t3''), ''stake'', id(''later''), ''red@10'', '
                    '''2031-01-01 12:00:00.000001'')']) statement;
SELECT refused($$SELECT casino.disconnect(id('later'), id('t3'), '2031-01-01 12:00')$$, 'KL005',
               'a disconnection before the stakes');
SELECT lives_ok($$SELECT casino.close_betting(id('later'), '2031-01-01 12:01:00.000001')$$,
                'closed a minute later');
SELECT refused($$SELECT casino.settle_round(id('later'), '{"number": 1}', '2031-01-01 12:01')$$, 'KL005',
               'settling a microsecond before the close');
SELECT refused($$SELECT casino.void_round(id('later'), 'x', '2031-01-01 12:01')$$, 'KL005',
               'voiding a microsecond before the close');
SELECT lives_ok($$SELECT casino.deposit(id('t3'), 1, at => '2031-01-01 13:00')$$, 'the player goes on');
SELECT lives_ok($$SELECT casino.settle_round(id('later'), '{"number": 1}', '2031-01-01 12:01:00.000001',
                                             true)$$,
                'settling when betting closed, before the last entry of the player');
SELECT is((SELECT last_posted_at FROM casino.player WHERE player_id = id('t3')),
          '2031-01-01 13:00'::timestamptz,
          'does not bring his time back');
SELECT refused($$SELECT casino.pay_withheld(id('later'), '2031-01-01 12:01')$$, 'KL005',
               'paying a microsecond before the evaluation');
SELECT lives_ok($$SELECT casino.pay_withheld(id('later'), '2031-01-01 12:01:00.000001')$$,
                'paying with the evaluation');
SELECT is((SELECT array_agg(posted_at = '2031-01-01 12:01:00.000001' ORDER BY entry_no) FROM casino.ledger
            WHERE player_id = id('t3') AND kind = 'payout'), ARRAY[true, true],
                'R12.12: payouts carry the time of the payment');
SELECT refused($$SELECT casino.deposit(id('t3'), 1, at => '2031-01-01 12:59')$$, 'KL005',
               'an entry between payout and last time');

-- ------------------------------------------------------------------------------- payouts and refunds by hand
SET casino.clock_skew = -1;
DO $$ BEGIN
    INSERT INTO named VALUES ('w3', casino.add_game_table('roulette_synot', 'Wheel 3', 100, 5000)),
                             ('w4', casino.add_game_table('roulette_synot', 'Wheel 4', 100, 5000));
    PERFORM player(n, 1000) FROM unnest(ARRAY['eve', 'fay', 'gus']) n;
    INSERT INTO named VALUES ('r3', casino.open_round(id('w3'), 'r3', '2032-01-01 12:00'));
    INSERT INTO named VALUES ('win', casino.place_bet(id('r3'), id('eve'), 'red@100',
                                                      at => '2032-01-01 12:00')),
                             ('win2', casino.place_bet(id('r3'), id('eve'), 'straight:1@100',
                                                       at => '2032-01-01 12:00')),
                             ('lost', casino.place_bet(id('r3'), id('eve'), 'black@100',
                                                       at => '2032-01-01 12:00')),
                             ('other', casino.place_bet(id('r3'), id('fay'), 'dozen:1@100',
                                                        at => '2032-01-01 12:00'));
    PERFORM casino.adjust(id('fay'), 1, 'so that the numbers of the two differ', at => '2032-01-01 12:00');
    INSERT INTO named VALUES ('other2', casino.place_bet(id('r3'), id('fay'), 'even@100',
                                                         at => '2032-01-01 12:00'));
END $$;
CREATE FUNCTION plain(who text, kind text, stake text, amount text, rest text DEFAULT 'NULL',
                      at text DEFAULT '2032-01-01 12:02') RETURNS text
LANGUAGE sql AS $$ SELECT format('INSERT INTO casino.ledger (player_id, kind, stake_entry_no, amount, grade,
                                                             posted_at)
                                  VALUES (id(%L), %L, %s, %s, %s, %L)',
                                 who, kind, stake, amount, rest, at) $$;
SELECT refused(plain('eve', 'payout', 'id(''win'')', '200'), 'KL004', 'a payout while betting is open');
SELECT casino.close_betting(id('r3'), '2032-01-01 12:01');
SELECT refused(plain('eve', 'payout', 'id(''win'')', '200'), 'KL004', 'a payout before the evaluation');
SELECT refused(plain('eve', 'refund', 'id(''win'')', '100'), 'KL004', 'a refund after the close');
SELECT is((casino.settle_round(id('r3'), '{"number": 1}', '2032-01-01 12:02', true)).status, 'withheld',
          'settled, payouts withheld');
SELECT is(balance('eve'), 700.00, 'withheld: nothing is paid');
SELECT refused(plain('eve', 'payout', stake, amount, grade), 'KL004', what)
  FROM (VALUES ('id(''win'')', '199.99', 'NULL', 'a payout of a haléř less'),
        ('id(''win'')', '200.01', 'NULL', 'of a haléř more'),
               ('id(''win'')', '-200', 'NULL', 'of the negative amount'),
                   ('id(''win'')', '0', 'NULL', 'of nothing'),
               ('id(''win'')', 'NULL', 'NULL', 'without amount'),
                   ('id(''win'')', '3600', 'NULL', 'of another stake''s amount'),
               ('id(''win'')', '200', '''lose''', 'of the wrong grade'),
                   ('id(''win'')', '200', '''''', 'of an empty grade'),
               ('id(''win'')', '200', '''push''', 'of a push'),
               ('id(''lost'')', '200', 'NULL', 'of a lost wager'),
                   ('id(''lost'')', '0', 'NULL', 'of a lost wager with 0'),
               ('id(''lost'')', '100', '''win''', 'of a lost wager as won'),
               ('1', '200', 'NULL', 'of an entry that is no stake'), ('999', '200', 'NULL', 'of no entry'),
               ('0', '200', 'NULL', 'of entry 0'), ('-1', '200', 'NULL', 'of entry -1'),
               ('id(''other2'')', '300', 'NULL', 'of somebody else''s stake')) v (stake, amount, grade, what);
SELECT refused(plain('fay', 'payout', 'id(''win2'')', '3600'), 'KL004',
               'of somebody else''s stake, as the other one');
SELECT refused(plain('eve', 'refund', 'id(''win'')', '100'), 'KL004', 'a refund after the evaluation');
SELECT refused(format('INSERT INTO casino.ledger (player_id, kind, stake_entry_no, amount, round_id,
                                                  posted_at)
                       VALUES (id(''eve''), ''payout'', id(''win''), 200, id(%L), ''2032-01-01 12:02'')', r),
               'KL004', 'of another round')
  FROM unnest(ARRAY['later', 'round']) r;
SELECT refused(plain('eve', 'payout', 'id(''win'')', '200', at => '2032-01-01 12:01:59.999999'), 'KL005',
               'a payout dated a microsecond before the evaluation');
SELECT lives_ok(plain('eve', 'payout', 'id(''win'')', '200.000'), 'the right payout of a withheld round');
SELECT results_eq($$SELECT kind, amount, round_id, seat, hand, grade, bet IS NULL, stake_entry_no
                  FROM casino.ledger
                     WHERE player_id = id('eve') ORDER BY entry_no DESC LIMIT 1$$,
                  $$SELECT 'payout', 200.00, id('r3'), NULL::int, NULL::int, 'win', true, id('win')$$,
                      'gets its round and grade');
SELECT refused(plain('eve', 'payout', 'id(''win'')', '200', '''win'''), 'KL004', 'the same payout twice');
SELECT refused(plain('eve', 'refund', 'id(''win'')', '100'), 'KL004', 'a refund of what was paid');
SELECT results_eq($$SELECT kind, status, payout FROM casino.wager WHERE player_id = id('eve')
                  ORDER BY entry_no$$,
                  $$VALUES ('red', 'won', 200.00), ('straight', 'withheld', 3600.00),
                      ('black', 'lost', 0.00)$$,
                  'the wager paid by hand is won, the other one withheld');
SELECT results_eq($$SELECT player_id, entry_no, payout FROM casino.unpaid_winnings WHERE round_id = id('r3')
                  ORDER BY 1, 2$$,
                  $$VALUES (id('eve'), id('win2'), 3600.00), (id('fay'), id('other'), 300.00)$$,
                      'unpaid is the rest');
SELECT is((casino.pay_withheld(id('r3'), '2032-01-01 12:03')).paid, 4100.00,
          'pay_withheld gives the round''s figures');
SELECT is(balance('eve'), 4500.00, 'and pays only the rest');
SELECT is((casino.pay_withheld(id('r3'), '2032-01-01 12:04')).paid, 4100.00,
          'paid again: the same settlement');
SELECT is(balance('eve'), 4500.00, 'and nothing more');
SELECT refused(plain('eve', 'payout', 'id(''win2'')', '3600', at => '2032-01-01 12:05'), 'KL004',
               'a payout of what was settled');
SELECT refused(plain('eve', 'payout', 'id(''lost'')', '200', at => '2032-01-01 12:05'), 'KL004',
               'a payout of a lost wager of a settled round');
SELECT results_eq($$SELECT count(*), count(DISTINCT (player_id, stake_entry_no)) FROM casino.ledger
                  WHERE round_id = id('r3') AND kind = 'payout'$$,
                  $$VALUES (3::bigint, 3::bigint)$$, 'three payouts of three stakes');

DO $$ BEGIN
    INSERT INTO named VALUES ('r4', casino.open_round(id('w4'), 'r4', '2032-01-02 12:00'));
    INSERT INTO named VALUES ('a', casino.place_bet(id('r4'), id('gus'), 'red@150',
                                                    at => '2032-01-02 12:00')),
                             ('b', casino.place_bet(id('r4'), id('gus'), 'red@90', at => '2032-01-02 12:00')),
                             ('c', casino.place_bet(id('r4'), id('gus'), 'odd@100',
                                                    at => '2032-01-02 12:00'));
END $$;
SELECT refused(plain('gus', 'refund', stake, amount, grade, '2032-01-02 12:01'), 'KL004', what)
  FROM (VALUES ('id(''a'')', '150', 'NULL', 'a refund that leaves chips below the minimum'),
               ('id(''b'')', '89.99', 'NULL', 'a refund of a haléř less'),
                   ('id(''b'')', '90.01', 'NULL', 'a refund of a haléř more'),
               ('id(''b'')', 'NULL', 'NULL', 'a refund without amount'),
                   ('id(''b'')', '0', 'NULL', 'a refund of nothing'),
               ('id(''b'')', '90', '''win''', 'a refund with a grade'),
                   ('1', '1000', 'NULL', 'a refund of a deposit'),
               ('999', '90', 'NULL', 'a refund of no entry')) v (stake, amount, grade, what);
SELECT refused(plain('gus', 'refund', 'id(''b'')', '90', at => '2032-01-02 11:59:59.999999'), 'KL005',
               'a refund before the stake');
SELECT refused(plain('eve', 'refund', 'id(''b'')', '90', at => '2032-01-02 12:01'), 'KL004',
               'a refund of somebody else''s stake');
SELECT lives_ok(plain('gus', 'refund', 'id(''b'')', '90', at => '2032-01-02 12:01'),
                'a refund that leaves enough');
SELECT lives_ok(plain('gus', 'refund', 'id(''a'')', '150', at => '2032-01-02 12:01'),
                'and of the rest of the position');
SELECT refused(plain('gus', 'refund', 'id(''a'')', '150', at => '2032-01-02 12:01'), 'KL004',
               'a refund twice');
SELECT is(balance('gus'), 900.00, 'both came back');
SELECT is((casino.settle_round(id('r4'), '{"number": 1}', '2032-01-02 12:02', true)).status, 'withheld',
          'settled, payouts withheld');
SELECT refused(plain('gus', 'payout', 'id(''a'')', '300', at => '2032-01-02 12:03'), 'KL004',
               'a payout of a refunded stake');
SELECT lives_ok(plain('gus', 'payout', 'id(''c'')', '200', '''win''', '2032-01-02 12:03'),
                'a payout with its grade');
SELECT is(casino.pay_withheld(id('r4'), '2032-01-02 12:04')::text,
          (SELECT format('(%s,settled,1,1,100.00,200.00,-100.00,"2032-01-02 12:02:00+01")', id('r4'))),
              'nothing is left to pay');
SELECT is(balance('gus'), 1100.00, 'and nothing is paid twice');
SELECT * FROM books_are_right('after payouts and refunds by hand');

-- requests by plain INSERT have no answer, so that a repeated one is refused
SET casino.clock_skew = 5;
DO $$ BEGIN PERFORM player('req', 1000); END $$;
SELECT lives_ok($$INSERT INTO casino.ledger (player_id, kind, amount, request_id) VALUES (id('req'),
        'deposit', 5, 'd')$$, 'a request by INSERT');
SELECT refused($$INSERT INTO casino.ledger (player_id, kind, amount, request_id) VALUES (id('req'), 'deposit',
        5, 'd')$$, 'KL003', 'the same again by INSERT')
  FROM generate_series(1, 2);
SELECT is(casino.deposit(id('req'), 5.0, 'd'), 2::bigint, 'the same through the function is answered')
  FROM generate_series(1, 2);
SELECT refused($$SELECT casino.deposit(id('req'), 5.01, 'd')$$, 'KL003', 'a haléř more with its key');
SELECT refused($$SELECT casino.adjust(id('req'), 5, 'r', 'd')$$, 'KL003', 'an adjustment with its key');
SELECT refused($$SELECT casino.place_bet(id('round'), id('req'), 'red@10', 'd')$$, 'KL003',
               'a stake with its key');
SELECT is(casino.adjust(id('req'), -1, 'fee', 'a'), 3::bigint, 'an adjustment and its retries')
  FROM generate_series(1, 3);
SELECT refused($$SELECT casino.adjust(id('req'), -1, 'other', 'a')$$, 'KL003', 'another reason with its key');
SELECT lives_ok($$SELECT casino.cancel_bet(id('round'), id('req'), 'gone')$$, 'a tombstone');
SELECT refused(s, 'KL003', 'cancelled before it came: ' || s)
  FROM unnest(ARRAY['SELECT casino.deposit(id(''req''), 1, ''gone'')',
                    'SELECT casino.adjust(id(''req''), 1, ''r'', ''gone'')',
                    'INSERT INTO casino.ledger (player_id, kind, amount, request_id)
                     VALUES (id(''req''), ''deposit'', 1, ''gone'')',
                    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id)
                     VALUES (id(''req''), ''stake'', id(''round''), ''red@10'', ''gone'')']) s;
SELECT is(balance('req'), 1004.00, 'each was posted once');

-- kinds that come with withdrawals
SELECT is((SELECT count(*) FROM casino.entry_kinds()), 10::bigint, 'ten kinds of entries');
SELECT is_empty($$SELECT kind FROM casino.entry_kinds()
                WHERE debit_account = credit_account OR wallet_sign NOT IN (-1, 0, 1)
                     OR (wallet_sign = 1) <> (credit_account = 'player_wallets')
                         OR (wallet_sign = -1) <> (debit_account = 'player_wallets')$$,
                'each moves money between two accounts, with the sign of the wallet');

-- ---------------------------------------------------------------------------------------- triggers of others
-- what another trigger inserts is held to the rules, however its own row came
CREATE FUNCTION bonus() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'stake' AND NEW.reason IS NULL THEN
        EXECUTE current_setting('test.nested') USING NEW.player_id, NEW.round_id;
    END IF;
    RETURN NEW;
END $$;
DO $$ BEGIN PERFORM player(n, 1000) FROM unnest(ARRAY['nest', 'friend']) n; END $$;
CREATE FUNCTION nested(stake text, inserting text, state text,
                       what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('test.nested', inserting, false);
    IF state IS NULL THEN
        RETURN NEXT lives_ok(stake, what);
    ELSE
        RETURN NEXT refused(stake, state, what);
    END IF;
END $$;
CREATE FUNCTION all_nested(how text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    stake text;
    way text;
BEGIN
    FOR way, stake IN VALUES ('place_bet',
                              'SELECT casino.place_bet(id(''round''), id(''nest''), ''red@10'')'),
                               ('place_bets',
                                'SELECT casino.place_bets(id(''round''), id(''nest''),
                                                          ''{red@10,black@10}'')'),
                               ('INSERT',
                                'INSERT INTO casino.ledger (player_id, kind, round_id, bet)
                                 VALUES (id(''nest''), ''stake'', id(''round''), ''red@10'')') LOOP
        way := format('%s, %s trigger: ', way, how);
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, kind, amount)
                                           VALUES (public.id(''friend''), ''deposit'', 1)',
                                          NULL, way || 'a right entry of another player');
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, kind, amount)
                                           VALUES (public.id(''friend''), ''deposit'', -1)',
                                          '22003', way || 'a wrong amount');
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, entry_no, kind, amount,
                                                                      posted_at, recorded_at)
                                           VALUES (public.id(''friend''), 77, ''deposit'', 1,
                                                   clock_timestamp(), clock_timestamp())',
                                          '22023', way || 'a number of its own');
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, kind, round_id, bet, reason)
                                           VALUES (public.id(''poor''), ''stake'', $2, ''red@10'',
                                                   ''nested'')',
                                          'KL002', way || 'an overdraft');
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no,
                                                                      posted_at)
                                           VALUES (public.id(''eve''), ''payout'', 200, public.id(''lost''),
                                                   ''2045-01-01'')',
                                          'KL004', way || 'a payout of a lost wager');
        -- rows of the functions are numbered before: the same player's next number is taken
        RETURN QUERY SELECT * FROM nested(stake,
                                          'INSERT INTO casino.ledger (player_id, kind, amount)
                                           VALUES ($1, ''deposit'', 1)',
                                          CASE WHEN way ~ '^place' THEN '23505' END,
                                              way || 'an entry of the same player');
        RETURN QUERY SELECT * FROM nested(stake,
                                          'UPDATE casino.player
                                              SET balance = balance + 1
                                            WHERE player_id = $1',
                                          'KL001', way || 'an UPDATE of the player');
        RETURN QUERY SELECT * FROM nested(stake, 'UPDATE casino.ledger SET amount = 1 WHERE player_id = $1',
                                          'KL001', way || 'an UPDATE of the ledger');
        RETURN QUERY SELECT * FROM nested(stake, 'DELETE FROM casino.ledger WHERE player_id = $1', 'KL001',
                                          way || 'a DELETE');
    END LOOP;
END $$;
SET casino.clock_skew = -1;
CREATE TRIGGER a_first BEFORE INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION bonus();
SELECT * FROM all_nested('a BEFORE');
DROP TRIGGER a_first ON casino.ledger;
CREATE TRIGGER z_last BEFORE INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION bonus();
SELECT * FROM all_nested('a later BEFORE');
DROP TRIGGER z_last ON casino.ledger;
CREATE TRIGGER z_after AFTER INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION bonus();
SELECT * FROM all_nested('an AFTER');
DROP TRIGGER z_after ON casino.ledger;
CREATE CONSTRAINT TRIGGER z_deferred AFTER INSERT ON casino.ledger DEFERRABLE
    FOR EACH ROW EXECUTE FUNCTION bonus();
SELECT * FROM all_nested('a constraint');
DROP TRIGGER z_deferred ON casino.ledger;
SELECT * FROM books_are_right('after nested inserts');

-- ------------------------------------------------------------------------------------- wrong triggers, 39P01
CREATE TABLE elsewhere (LIKE casino.ledger);
INSERT INTO elsewhere SELECT * FROM casino.ledger LIMIT 1;
CREATE VIEW elsewhere_view AS SELECT * FROM elsewhere;
CREATE FUNCTION as_trigger(definition text, fire text, what text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER odd %s', definition);
    RETURN refused(fire, '39P01', what);
END $$;
BEGIN;
SELECT refused(format('SELECT casino_internal.%s()', f), '39P01', f || '() called directly')
  FROM unnest(ARRAY['ledger_post', 'refuse_change', 'player_guard']) f;
DO $$ BEGIN
    CREATE TEMP TABLE odd_trigger (definition text, fire text, what text);
    INSERT INTO odd_trigger
    SELECT replace(definition, 'FUNCTION F', 'FUNCTION casino_internal.' || f), fire,
        f || ' ' || replace(definition, ' EXECUTE FUNCTION F', ' with ')
      FROM (VALUES
        ('ledger_post', 'AFTER INSERT ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('ledger_post', 'BEFORE INSERT ON elsewhere FOR EACH STATEMENT EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('ledger_post', 'BEFORE INSERT ON elsewhere FOR EACH ROW EXECUTE FUNCTION F(''x'')',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('ledger_post', 'BEFORE INSERT ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('ledger_post', 'BEFORE UPDATE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'UPDATE elsewhere SET kind = kind'),
        ('ledger_post', 'BEFORE DELETE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'DELETE FROM elsewhere'),
        ('ledger_post', 'BEFORE TRUNCATE ON elsewhere EXECUTE FUNCTION F()', 'TRUNCATE elsewhere'),
        ('ledger_post', 'INSTEAD OF INSERT ON elsewhere_view FOR EACH ROW EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere_view SELECT * FROM elsewhere'),
        ('ledger_post', 'AFTER INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION F()',
         'SELECT casino.deposit(id(''ann''), 1)'),
        ('ledger_post', 'BEFORE INSERT ON casino.ledger EXECUTE FUNCTION F()',
         'SELECT casino.deposit(id(''ann''), 1)'),
        ('ledger_post', 'BEFORE INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION F(1)',
         'SELECT casino.deposit(id(''ann''), 1)'),
        ('refuse_change', 'BEFORE INSERT ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('refuse_change', 'BEFORE INSERT ON elsewhere EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('refuse_change', 'AFTER DELETE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'DELETE FROM elsewhere'),
        ('refuse_change', 'AFTER UPDATE ON elsewhere EXECUTE FUNCTION F()',
         'UPDATE elsewhere SET kind = kind'),
        ('refuse_change', 'AFTER TRUNCATE ON elsewhere EXECUTE FUNCTION F()', 'TRUNCATE elsewhere'),
        ('refuse_change', 'BEFORE UPDATE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F(''x'')',
         'UPDATE elsewhere SET kind = kind'),
        ('refuse_change', 'INSTEAD OF UPDATE ON elsewhere_view FOR EACH ROW EXECUTE FUNCTION F()',
         'UPDATE elsewhere_view SET kind = kind'),
        ('player_guard', 'BEFORE INSERT ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'INSERT INTO elsewhere SELECT * FROM elsewhere'),
        ('player_guard', 'AFTER UPDATE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'UPDATE elsewhere SET kind = kind'),
        ('player_guard', 'BEFORE UPDATE ON elsewhere FOR EACH ROW EXECUTE FUNCTION F()',
         'UPDATE elsewhere SET kind = kind'),
        ('player_guard', 'BEFORE DELETE ON elsewhere FOR EACH STATEMENT EXECUTE FUNCTION F(''x'')',
         'DELETE FROM elsewhere')) v (f, definition, fire);
END $$;
CREATE FUNCTION try_odd() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    odd odd_trigger;
    on_table text;
BEGIN
    FOR odd IN SELECT * FROM odd_trigger LOOP
        on_table := substring(odd.definition FROM ' ON ([a-z_.]+)');
        RETURN NEXT as_trigger(odd.definition, odd.fire, odd.what);
        EXECUTE format('DROP TRIGGER odd ON %s', on_table);
    END LOOP;
END $$;
SELECT * FROM try_odd();
CREATE TRIGGER right_one BEFORE UPDATE
    OR DELETE ON elsewhere FOR EACH ROW EXECUTE FUNCTION casino_internal.refuse_change();
CREATE TRIGGER right_two BEFORE TRUNCATE ON elsewhere EXECUTE FUNCTION casino_internal.refuse_change();
SELECT refused(s, 'KL001', 'refuse_change() on a table of one''s own: ' || s)
  FROM unnest(ARRAY['UPDATE elsewhere SET kind = kind', 'DELETE FROM elsewhere', 'TRUNCATE elsewhere']) s;
SELECT lives_ok('INSERT INTO elsewhere SELECT * FROM elsewhere', 'which still takes rows');
ROLLBACK;

-- ------------------------------------------------------------------------------------- stopped in the middle
CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.bet::text = 'black@20.00' THEN
        PERFORM pg_sleep(60);
    ELSIF NEW.bet::text = 'odd@20.00' THEN
        PERFORM 1 / 0;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION stopped(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'nothing stopped it';
EXCEPTION WHEN query_canceled OR division_by_zero THEN
    RETURN SQLSTATE;
END $$;
CREATE TEMP TABLE before_it AS SELECT player_id, balance, last_entry_no, last_posted_at FROM casino.player;
CREATE FUNCTION nothing_left(what text) RETURNS text LANGUAGE sql AS $$
    SELECT results_eq('SELECT player_id, balance, last_entry_no, last_posted_at
                         FROM casino.player
                        ORDER BY 1',
                      'SELECT * FROM before_it ORDER BY 1', what) $$;
CREATE TRIGGER slow AFTER INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION slow();
SET statement_timeout = '300ms';
SELECT is(stopped($$SELECT casino.place_bets(id('round'), id('friend'), '{red@20,even@20,black@20}')$$),
          '57014', 'place_bets() runs into statement_timeout');
SET statement_timeout = 0;
SELECT nothing_left('and leaves nothing');
SELECT is(stopped($$SELECT casino.place_bets(id('round'), id('friend'), '{red@20,even@20,odd@20}')$$),
          '22012', 'place_bets() runs into an error');
SELECT nothing_left('and leaves nothing');
SELECT is(stopped($$INSERT INTO casino.ledger (player_id, kind, round_id, bet) VALUES (id('friend'), 'stake',
        id('round'), 'red@20'),
                    (id('friend'), 'stake', id('round'), 'odd@20')$$), '22012',
                        'a plain INSERT runs into an error');
SELECT nothing_left('and leaves nothing');
SELECT refused($$INSERT INTO casino.ledger (player_id, entry_no, kind, amount, posted_at,
                                            recorded_at) VALUES (id('friend'), 99, 'deposit', 1, now(),
                                                                 now())$$,
               '22023', 'afterwards a plain INSERT is checked as ever: a wrong number');
SELECT refused($$UPDATE casino.player SET balance = 5
               WHERE player_id = id('friend')$$, 'KL001', 'and an UPDATE of the player');
SELECT lives_ok($$SELECT casino.place_bets(id('round'), id('friend'), '{red@20,even@20}')$$,
                'and a stake is placed');
DROP TRIGGER slow ON casino.ledger;
-- a settlement that fails half way
CREATE FUNCTION stop_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind IN ('payout', 'refund') AND NEW.player_id = public.id('poor2') THEN
        PERFORM 1 / 0;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER stop_payout AFTER INSERT ON casino.ledger FOR EACH ROW EXECUTE FUNCTION stop_payout();
DROP TABLE before_it;
CREATE TEMP TABLE before_it AS SELECT player_id, balance, last_entry_no, last_posted_at FROM casino.player;
SELECT is(stopped($$SELECT casino.settle_round(id('round'), '{"number": 1}')$$), '22012',
          'settle_round() runs into an error');
SELECT nothing_left('and leaves nothing');
SELECT is(stopped($$SELECT casino.void_round(id('round'), 'x')$$), '22012',
          'void_round() runs into an error');
SELECT nothing_left('and leaves nothing');
SELECT is((SELECT status FROM casino.round WHERE round_id = id('round')), 'open',
          'the round is open as before');
DROP TRIGGER stop_payout ON casino.ledger;
SET casino.clock_skew = -1;
SELECT lives_ok($$SELECT casino.settle_round(id('round'), '{"number": 1}', '2040-01-01')$$,
                'then it is settled');
SELECT * FROM books_are_right('at the end');
SELECT * FROM finish();
