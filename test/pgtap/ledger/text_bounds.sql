-- Texts from outside are bounded where they come in, by a constraint of their table too, and a void reason is
-- not copied.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION detail_of(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE d text;
BEGIN
    EXECUTE command;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ': ' || SQLERRM || ': ' || d;
END $$;
-- a refused command names the argument and both lengths; one byte less is taken (in bytes, not characters)
CREATE FUNCTION bounded(what text, bytes integer, command text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    fits text := repeat('č', (bytes - 1) / 2);
    long text;
BEGIN
    fits := fits || repeat('x', bytes - octet_length(fits));
    long := overlay(fits placing 'č' from char_length(fits));      -- as many characters, one byte more
    RETURN NEXT is(octet_length(long) - octet_length(fits), 1, what || ': one byte more');
    RETURN NEXT is(detail_of(format(command, long)),
                   format('22001: %s is too long: It has %s bytes, at most %s are kept.', what, bytes + 1,
                          bytes),
                   format('%s of %s bytes is refused', command, bytes + 1));
    RETURN NEXT lives_ok(format(command, fits), format('%s of %s bytes is taken', command, bytes));
END $$;

SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r,
    add_game_table('roulette_synot', 'R2', 1, 10000) AS r2,
       add_game_table('roulette_synot', 'R3', 1, 10000) AS r3, register_player('A') AS p,
           register_player('B') AS other \gset
SELECT deposit(:p, 10000), deposit(:other, 10000), open_round(:r, '1') AS round,
    open_round(:r2, '2') AS round2 \gset
SELECT set_payment_account(:p, 'CZ1') \g /dev/null

SELECT bounded('external_ref', 200, 'SELECT casino.register_player(%L)');
SELECT bounded('name', 200, 'SELECT casino.add_game_table(''roulette_synot'', %L, 1, 100)');
SELECT bounded('round_ref', 200, format('SELECT casino.open_round(%s, %%L)', :r3));
SELECT bounded('account', 64, format('SELECT casino.set_payment_account(%s, %%L)', :p));
SELECT bounded('request_id', 200, format('SELECT casino.deposit(%s, 1, %%L)', :p));
SELECT bounded('reason', 1000, format('SELECT casino.adjust(%s, 1, %%L)', :p));
SELECT bounded('request_id', 200, format('SELECT casino.place_bet(%s, %s, ''black@1'', %%L)', :round,
                                         :other));
SELECT bounded('reason', 1000, format('SELECT casino.void_round(%s, %%L)', :round2));
SELECT bounded('document', 1000,
               'SELECT casino.add_plan_version(''baccarat'', now() + interval ''1 year'', %L)');
-- the others, over their bound only
SELECT is(detail_of(format(c, repeat('k', 201))),
          '22001: request_id is too long: It has 201 bytes, at most 200 are kept.', c)
  FROM unnest(ARRAY[format('SELECT casino.adjust(%s, 1, ''why'', %%L)', :p),
                    format('SELECT casino.place_bets(%s, %s, ''{red@1}'', %%L)', :round, :p),
                    format('SELECT casino.try_place_bets(%s, %s, ''{red@1}'', %%L)', :round, :p),
                        format('SELECT casino.cancel_bet(%s, %s, %%L)', :round, :p),
                    format('SELECT casino.request_withdrawal(%s, 1, ''cash'', %%L)', :p),
                    format('INSERT INTO casino.ledger (player_id, kind, amount, request_id) '
                           'VALUES (%s, ''deposit'', 1, %%L)',
                           :p)]) c;
SELECT is(detail_of(format('INSERT INTO casino.ledger (player_id, kind, amount, reason)
                            VALUES (%s, ''adjustment'', 1, %L)',
                           :p, repeat('w', 1001))),
          '22001: reason is too long: It has 1001 bytes, at most 1000 are kept.',
              'a plain INSERT is held to it too');
SELECT is(detail_of(format('INSERT INTO casino.ledger (player_id, kind, amount, %I)
                            VALUES (%s, ''deposit'', 1, %L)',
                           c, :p, repeat('w', 65))),
          format('22001: %s is too long: It has 65 bytes, at most 64 are kept.', c),
              c || ' of a plain INSERT')
  FROM unnest('{method,account,grade}'::text[]) c;

-- documents: 4 MiB; the bound is far above the largest shared box
SELECT settle_round(:round, '{"number": 0}') \g /dev/null
SELECT add_game_table('baccarat', 'B', 1, 1000) AS b \gset
SELECT open_round(:b, 'big') AS big \gset
SELECT close_betting(:big);
CREATE TEMP TABLE document AS SELECT jsonb_build_object('player', '9h 4d', 'note', repeat('x', 5000000)) AS d;
SELECT matches(detail_of(format('SELECT casino.deal(%s, (SELECT d FROM document))', :big)),
               '^22001: partial_outcome is too long: It has 50\d\d\d\d\d bytes, at most 4194304',
                   'a document dealt is bounded');
SELECT matches(detail_of(format('SELECT casino.settle_round(%s, (SELECT d FROM document))', :big)),
               '^22001: outcome is too long: It has 50\d\d\d\d\d bytes, at most 4194304',
                   'and that of a settlement');

-- constraints: the same bounds for who writes past the functions
SELECT is_empty($$
    SELECT format('%s.%s', c.relname, a.attname)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
          AND a.atttypid = 'text'::regtype
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r'
       AND a.attname IN ('external_ref', 'round_ref', 'void_reason', 'request_id', 'reason', 'account',
                         'reference', 'place')
       AND NOT (c.relname = 'player' AND a.attname = 'external_ref')       -- refers to person
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
                          AND pg_get_constraintdef(k.oid) ~ ('octet_length\(' || a.attname || '\) <= \d+'))$$,
    'every such column has its constraint');
SELECT is((SELECT convalidated FROM pg_constraint
           WHERE conrelid = 'casino.ledger'::regclass
               AND conname = 'ledger_text_bounds'), true, 'the ledger''s is valid');
SELECT ok(pg_get_constraintdef(oid) LIKE '%octet_length(' || c || ') <= ' || n || '%',
          format('the ledger''s %s: %s', c, n))
  FROM pg_constraint, (VALUES ('request_id', 200), ('reason', 1000), ('account', 64)) v (c, n)
 WHERE conrelid = 'casino.ledger'::regclass AND conname = 'ledger_text_bounds';

-- a void reason stands once, in the round
SELECT open_round(:r2, '3') AS voided \gset
SELECT count(place_bet(:voided, :p, format('straight:%s@1', n)::bet))
  FROM generate_series(1, 30) n \g /dev/null
SELECT void_round(:voided, repeat('w', 1000)) \g /dev/null
SELECT is((SELECT array_agg(DISTINCT reason) FROM casino.ledger WHERE round_id = :voided AND kind = 'refund'),
          '{voided}', 'its refunds say voided');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :voided AND kind = 'refund'), 30::bigint,
          'each of them');
SELECT is((SELECT void_reason FROM casino.round WHERE round_id = :voided), repeat('w', 1000),
          'the round says why');
SELECT lives_ok(format('SELECT casino.void_round(%s, repeat(''w'', 1000))', :voided),
                'the same reason again is a repetition');
SELECT throws_ok(format('SELECT casino.void_round(%s, repeat(''w'', 999))', :voided), 'KR002', NULL,
                 'another one is not');
SELECT finish();
