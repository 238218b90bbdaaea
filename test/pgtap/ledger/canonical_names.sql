-- What looks the same is the same: payment accounts, names of tables and references of rounds have one
-- canonical form, by the functions and by constraints (R7.32).
\ir ../helpers/compliance.psql
SELECT no_plan();

SELECT t.player() AS p \gset
SELECT is(casino.set_payment_account(:p, 'CZ1'), 1, 'an account');
SELECT is(casino.set_payment_account(:p, w), 1, format('the same written as %L', w))
  FROM unnest(ARRAY['CZ1 ', ' CZ1', E'CZ1\t', U&'\00a0CZ1']) w;
SELECT is((SELECT array_agg(account) FROM casino.account_in_clear WHERE player_id = :p), '{CZ1}',
          '... is one account');
SELECT throws_ok(format('SELECT casino.set_payment_account(%s, %L)', :p, E' \t '), '22023',
                 'account must not be empty', 'an empty one is refused');
SELECT throws_ok(format('SELECT casino.set_payment_account(%s, %L)', :p, U&'CZ\200b1'), '22023',
                 'account must not contain control characters', 'an invisible character is refused');
SELECT throws_ok(format('INSERT INTO casino.payment_account (player_id, account_no, account, registered_at,
                                                             recorded_at)
                         VALUES (%s, 2, ''CZ1 '', now(), now())',
                        :p),
                 '23514', NULL, 'by a plain INSERT too');

SELECT casino.add_game_table('roulette_synot', 'N1', 1, 100) AS n \gset
SELECT is(casino.add_game_table('roulette_synot', ' N1 ', 1, 100), :n::bigint,
          'a table''s name with white space is the same table');
SELECT throws_ok('INSERT INTO casino.game_table (table_id, game, name, versions)
                  VALUES (999, ''roulette_synot'', ''N1 '', 1)',
                 '23514', NULL, 'by a plain INSERT too');

SELECT casino.open_round(:n, 'r', t.at('10:00')) AS r \gset
SELECT is(casino.open_round(:n, w, t.at('10:00')), :r::bigint,
          format('open_round retried with %L is the same round', w))
              FROM unnest(ARRAY['r', 'r ', ' r', E'r\n']) w;
SELECT is(casino.open_round(:n, 'r ', t.at('10:00')), :r::bigint, '... twice');
SELECT is((SELECT array_agg(round_ref) FROM casino.round WHERE table_id = :n), '{r}',
          '... under one reference');
SELECT throws_ok(format('INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id,
                                                   status, opened_at)
                         SELECT 9999, table_id, 1, ''s '', plan_id, ''voided'', opened_at
                           FROM casino.round
                          WHERE round_id = %s',
                        :r),
                 '23514', NULL, 'by a plain INSERT too');
-- R7.31, R7.32: of ASCII white space at the ends is left out, and a control character elsewhere is refused
CREATE FUNCTION pg_temp.form(given text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN 'is ' || casino_internal.canonical_text(given, 'name');
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN SQLERRM;
END $$;
SELECT is_empty(format($$SELECT n, %L AS place, pg_temp.form(given)
                           FROM generate_series(1, 127) n
                          CROSS JOIN LATERAL (SELECT replace(%1$L, 'x', chr(n))) g (given)
                          WHERE pg_temp.form(given) <>
                                CASE WHEN (n BETWEEN 9 AND 13 OR n = 32) AND %1$L <> 'axb' THEN 'is '
                                          || replace(%1$L, 'x', '')
                                     WHEN n BETWEEN 1 AND 31 OR n = 127 THEN
                                         'name must not contain control characters'
                                     ELSE 'is ' || given END$$, place),
                format('each ASCII character as %s', place))
  FROM unnest('{axb,ax,xa}'::text[]) place;
SELECT is(pg_temp.form(' '), 'name must not be empty', 'a blank alone is empty');
SELECT is(pg_temp.form(''), 'name must not be empty', 'and so is nothing');
SELECT is(pg_temp.form('a  b'), 'is a  b', 'white space between is kept');
SELECT * FROM finish();
