-- A cell has players of its own numbers and is told about tables and rounds by a hub (R13.1, R13.5 to
-- R13.11).
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION told(command text, OUT code text, OUT message text, OUT detail text,
                     OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
        hint = PG_EXCEPTION_HINT;
    IF code = 'ZZZZZ' THEN code := 'ok'; END IF;
END $$;
CREATE FUNCTION verdict(command text) RETURNS text LANGUAGE sql AS 'SELECT (public.told(command)).code';
-- what every table holds, so that "changed nothing" can be said; sequences do not matter
CREATE FUNCTION books() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    rows text := '';
    name text;
    part text;
BEGIN
    FOR name IN SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r' ORDER BY 1 LOOP
        EXECUTE format('SELECT count(*) || md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"))
                          FROM casino.%I t',
                       name) INTO part;
        rows := rows || name || coalesce(part, '') || E'\n';
    END LOOP;
    RETURN md5(rows);
END $$;

-- -------------------------------------------------------------------------------- a database that is no cell
SELECT is(to_jsonb(c) - '{plan_digest,table_digest,clock}'::text[],
          jsonb_build_object('cell', NULL, 'of_cells', NULL, 'schema_version', 1, 'extension_version',
                             (SELECT extversion::text FROM pg_extension WHERE extname = 'casino')),
          'no cell, as installed') FROM cell_state() c;
SELECT is(verdict(c), code, c) FROM (VALUES
    ('SELECT casino.become_cell(NULL, 4)', '22004'), ('SELECT casino.become_cell(1, NULL)', '22004'),
    ('SELECT casino.become_cell(4, 4)', '22023'), ('SELECT casino.become_cell(-1, 4)', '22023'),
    ('SELECT casino.become_cell(0, 0)', '22023'),
        ('SELECT casino.become_cell(0, 1025)', '22023')) v (c, code);
SELECT is((SELECT string_agg(cell_of(p, n)::text, ' ' ORDER BY k)
           FROM (VALUES (1, 5::bigint, 1), (2, 5, 4), (3, 5, 1024), (4, 8, 4), (5, 1023, 1024),
                 (6, 1024, 1024), (7, 9223372036854775807, 1000)) v (k, p, n)),
          '0 1 5 0 1023 0 807', 'cell_of() is the remainder');
SELECT is(verdict(c), '22023', c) FROM unnest(ARRAY['SELECT casino.cell_of(0, 4)',
                                                    'SELECT casino.cell_of(-1, 4)',
                                                        'SELECT casino.cell_of(1, 0)',
                                                            'SELECT casino.cell_of(1, 1025)']) c;
SELECT is((SELECT format('%s%s', provolatile, proparallel) FROM pg_proc
           WHERE oid = 'casino.cell_of(bigint,integer)'::regprocedure), 'is',
               'immutable, so that a call can be routed by it');

SELECT is((t).code || ' ' || (t).message || ' ' || (t).hint,
          '55000 this database is no hub casino.install_hub() makes one.', c || ' without a hub')
  FROM (SELECT told('SELECT * FROM casino.' || c) AS t, c
        FROM unnest('{hub_cells(),cell_states(),hub_corrections(),catch_up(),'
                    'cell_of_person(null)}'::text[]) c) x;

-- given numbers in an ordinary database: its own numbers go around them
BEGIN;
SELECT is(add_game_table('roulette_synot', 'Given', 1, 1000, table_id => 2), 2::bigint,
          'a table with a given number');
SELECT is(ARRAY[add_game_table('roulette_synot', 'A', 1, 1000),
                add_game_table('roulette_synot', 'B', 1, 1000)], '{1,3}', 'own numbers pass over it');
SELECT is(open_round(1, 'r', round_id => 2), 2::bigint, 'a round with a given number');
SELECT is(ARRAY[open_round(2, 'r'), open_round(3, 'r')], '{1,3}', 'own numbers pass over it');
SELECT is(verdict($$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000, '{"home_cell": 0}')$$),
          '22023', 'home cells are for cells');
SELECT is((SELECT count(*) FROM (VALUES (register_player('a')), (register_player('b'))) v (p)
           WHERE p IN (1, 2)), 2::bigint, 'players are numbered from 1');
SELECT matches((t).detail, '^His number is of cell', 'players of all numbers do not fit a cell')
  FROM told('SELECT casino.become_cell(0, 2)') t;
SELECT is(verdict('SELECT casino.become_cell(0, 2)'), '55000', 'which is refused');
ROLLBACK;
BEGIN;
SELECT is(add_game_table('roulette_synot', 'Own', 1, 1000) > 0, true, 'a table of its own number');
SELECT is(verdict('SELECT casino.become_cell(0, 1)'), '55000', 'does not fit a cell either');
ROLLBACK;
BEGIN;
SELECT is(setval('casino.player_id_seq', 6), 6::bigint, 'a database whose players all fit');
SELECT is(register_player('seven'), 7::bigint, 'has one of cell 1 of 3');
SELECT lives_ok('SELECT casino.become_cell(1, 3)', 'may become that');
SELECT is(ARRAY[register_player('twenty-two'), register_player('seven'), register_player('twenty-five')],
          '{22,7,25}', 'and goes on behind him');
ROLLBACK;
BEGIN;
SELECT setval('casino.player_id_seq', 1, false), become_cell(0, 3) \g /dev/null
SELECT is(ARRAY[register_player('a'), register_player('b')], '{3,6}', 'cell 0 has the multiples');
ROLLBACK;

-- ------------------------------------------------------------------------------------------------ digests
CREATE TABLE was AS SELECT plan_digest() AS plan, table_digest() AS tables;
SELECT is(octet_length(plan), 32, 'SHA-256') FROM was;
SELECT set_config('datestyle', 'German, DMY', false), set_config('timezone', 'Asia/Tokyo', false),
    set_config('bytea_output', 'escape', false), set_config('extra_float_digits', '-3', false),
        set_config('lc_numeric', 'C', false) \g /dev/null
SELECT is((plan_digest(), table_digest()), (plan, tables), 'whatever the settings') FROM was;
RESET datestyle; RESET bytea_output; RESET extra_float_digits; SET timezone = 'Europe/Prague';
-- versions whose numbers were drawn elsewhere
BEGIN;
SELECT add_plan_version('baccarat', '2100-01-01', 'next') AS one \gset
CREATE TEMP TABLE grown AS SELECT plan_digest() AS plan;
SELECT isnt(plan_digest(), plan, 'another version is another digest') FROM was;
ROLLBACK;
BEGIN;
SELECT nextval('casino.plan_id_seq'), nextval('casino.plan_id_seq'),
    add_plan_version('baccarat', '2100-01-01', 'next') AS two \gset
CREATE TEMP TABLE grown AS SELECT plan_digest() AS plan;
SELECT isnt(:two::bigint, :one::bigint, 'a number drawn otherwise');
UPDATE casino.paytable SET num = num + 1 WHERE plan_id = :two AND kind = 'tie';
SELECT isnt(plan_digest(), plan, 'one changed odds row is another digest') FROM grown;
UPDATE casino.paytable SET num = num - 1 WHERE plan_id = :two AND kind = 'tie';
SELECT is(plan_digest(), plan, 'changed back it is the same') FROM grown;
UPDATE casino.bet_rule SET max_stake = max_stake + 0.01 WHERE plan_id = :two AND kind = 'tie';
SELECT isnt(plan_digest(), plan, 'a limit') FROM grown;
UPDATE casino.bet_rule SET max_stake = max_stake - 0.01 WHERE plan_id = :two AND kind = 'tie';
SELECT is(plan_digest(), plan, '25000.00 is 25000') FROM grown;
UPDATE casino.paytable SET paragraph = paragraph || ' ' WHERE plan_id = :two AND kind = 'tie';
SELECT isnt(plan_digest(), plan, 'a text that nothing reads') FROM grown;
ROLLBACK;

-- --------------------------------------------------------------------------------------- cell 1 of 4 (R13.1)
SELECT setval('casino.player_id_seq', 1, false), become_cell(1, 4), become_cell(1, 4) \g /dev/null
SELECT is((SELECT count(*) FROM casino.cell), 1::bigint, 'the same again changes nothing');
SELECT is((t).code || (t).message, '55000this database is cell 1 of 4', 'other numbers: ' || c)
  FROM unnest(ARRAY['SELECT casino.become_cell(1, 8)', 'SELECT casino.become_cell(2, 4)']) c, told(c) t;
SELECT is(verdict(c), code, c) FROM (VALUES
    ('UPDATE casino.cell SET cell = 2', 'KL001'), ('DELETE FROM casino.cell', 'KL001'),
        ('TRUNCATE casino.cell', 'KL001'), ('INSERT INTO casino.cell VALUES (2, 4, now())', '23505')) v (c,
                code);
SELECT results_eq('SELECT cell, of_cells FROM casino.cell_state()', 'VALUES (1, 4)', 'it says so');
SELECT cmp_ok(clock - clock_timestamp(), '<', interval '1 second', 'with its clock') FROM cell_state();
SELECT results_eq('SELECT plan_digest FROM casino.cell_state()', 'SELECT plan FROM was', 'and its digests');

SELECT register_player('ann') AS ann, register_player('bob') AS bob, register_player('cyd') AS cyd \gset
SELECT is(ARRAY[:ann, :bob, :cyd, register_player(' ann')]::bigint[], '{1,5,9,1}',
          'numbers of its own; a person known keeps his');
SELECT is(verdict($$INSERT INTO casino.player (player_id, external_ref, registered_at) VALUES (2, 'ann',
        now())$$), '23514', 'a plain INSERT of a number of another cell');
SELECT is(verdict($$INSERT INTO casino.player (player_id, external_ref, registered_at) VALUES (13, 'ann',
        now())$$), 'ok', 'and of its own');
SELECT deposit(p, 100000, 'd') FROM unnest(ARRAY[:ann, :bob, :cyd]) p \g /dev/null

-- requests about players of other cells
SELECT is((t).code || ': ' || (t).detail || ' ' || (t).hint,
          '23503: This is cell 1 of 4, his number is of cell 2. Send the request to cell 2, or to the hub.',
              c)
  FROM unnest(ARRAY['SELECT casino.deposit(6, 10)', 'SELECT casino.exclude_player(6, NULL, ''self'')',
                    'SELECT casino.explain_break(6)', 'SELECT casino.set_limit(6, ''stake'', ''day'', 10)',
                    'INSERT INTO casino.ledger (player_id, kind, amount) VALUES (6, ''deposit'', 10)',
                        'SELECT casino.request_withdrawal(6, 10, ''cash'', ''x'')',
                    'SELECT casino.set_payment_account(6, ''CZ1'')',
                        'SELECT * FROM casino.player_statement(6, ''2026-01-01'', ''2026-01-02'')',
                            'SELECT casino.close_account(6)', 'SELECT casino.adjust(6, 1, ''x'')']) c,
                                told(c) t;
SELECT is((t).code || ': ' || (t).hint, '23503: casino.register_player() makes one.',
          'a number of its own that nobody has') FROM told('SELECT casino.deposit(17, 10)') t;

-- ------------------------------------------------------------------------- tables with given numbers (R13.7)
SELECT is((t).code || ': ' || (t).message, '22004: table_id must be given in a cell',
          'in a cell the hub numbers tables') FROM told($$SELECT casino.add_game_table('roulette_synot', 'R',
                  1, 1000)$$) t;
SELECT is(verdict($$SELECT casino.add_game_table('roulette_synot', 'R', 1, 1000, table_id => 0)$$), '22023',
          'from 1');
SELECT is(add_game_table('roulette_synot', 'R', 1, 1000, table_id => 70), 70::bigint, 'here it is')
  FROM generate_series(1, 3);
SELECT is((t).code, '23505', what) FROM (VALUES
    ('the name with another number', $$SELECT casino.add_game_table('roulette_synot', 'R', 1, 1000,
                                                                    table_id => 71)$$),
    ('the number with another name', $$SELECT casino.add_game_table('roulette_synot', 'S', 1, 1000,
                                                                    table_id => 70)$$),
    ('the number with another game', $$SELECT casino.add_game_table('roulette_evolution', 'R', 1, 1000,
                                                                    table_id => 70)$$),
    ('other limits', $$SELECT casino.add_game_table('roulette_synot', 'R', 1, 999,
                                                    table_id => 70)$$)) v (what, c), told(c) t;
SELECT is((SELECT count(*) FROM casino.game_table), 1::bigint, 'one table was added');
SELECT isnt(table_digest(), tables, 'tables have a digest of their own') FROM was;

-- seats: one home cell
SELECT is((t).code, wanted, what) FROM (VALUES
    ('a table with seats needs a home', '22004',
     $$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000, table_id => 80)$$),
    ('Texas too', '22004', $$SELECT casino.add_game_table('holdem_cash_25_50', 'T', 25, 1000,
                                                          table_id => 80)$$),
    ('one that can be', '22023', $$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000,
                                                                '{"home_cell": 4}', 80)$$),
    ('a number', '22023', $$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000,
                                                         '{"home_cell": "1"}', 80)$$),
    ('a whole one', '22023', $$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000,
                                                            '{"home_cell": 1.0}', 80)$$),
    ('not below 0', '22023', $$SELECT casino.add_game_table('blackjack_synot', 'J', 100, 1000,
                                                            '{"home_cell": -1}', 80)$$),
    ('a shared box has none', '22023', $$SELECT casino.add_game_table('blackjack_infinite', 'I', 100, 1000,
                                                                      '{"home_cell": 1}', 80)$$),
    ('nor has roulette', '22023', $$SELECT casino.add_game_table('roulette_synot', 'K', 100, 1000,
                                                                 '{"home_cell": 1}', 80)$$),
    ('options are an object', '22023', $$SELECT casino.add_game_table('roulette_synot', 'K', 100, 1000, '[]',
                                                                      80)$$)) v (what, wanted, c), told(c) t;
SELECT add_game_table('blackjack_synot', 'J1', 100, 1000,
                      '{"home_cell": 1, "behind": true, "surrender": true}', 81),
                          add_game_table('blackjack_synot', 'J2', 100, 1000, '{"home_cell": 2}', 82),
       add_game_table('holdem_cash_25_50', 'T2', 25, 5000, '{"home_cell": 2}', 83),
           add_game_table('blackjack_infinite', 'I', 100, 1000, table_id => 84),
       add_game_table('casino_holdem', 'C', 100, 1000, table_id => 85),
           add_game_table('baccarat', 'B', 100, 1000, table_id => 86) \g /dev/null
SELECT is(add_game_table('blackjack_synot', 'J2', 100, 1000, '{"home_cell": 2}', 82), 82::bigint,
          'the same again');
SELECT is(verdict($$SELECT casino.add_game_table('blackjack_synot', 'J2', 100, 1000, '{"home_cell": 3}',
                                                 82)$$), '23505', 'not with another home');
SELECT is(verdict('UPDATE casino.game_table SET home_cell = 3 WHERE table_id = 82'), 'KL001',
          'it never changes');

-- ------------------------------------------------------------------------- rounds with given numbers (R13.7)
SELECT is((t).code || ': ' || (t).message, '22004: round_id must be given in a cell',
          'in a cell the hub numbers rounds') FROM told($$SELECT casino.open_round(70, 'r')$$) t;
SELECT is(verdict($$SELECT casino.open_round(70, 'r', round_id => 0)$$), '22023', 'from 1');
SELECT is(open_round(70, 'r1', round_id => 500), 500::bigint, 'here it is') FROM generate_series(1, 3);
SELECT is((t).code || ': ' || (t).message, wanted || ': ' || said, what) FROM (VALUES
    ('the reference with another number', 'KR002', 'round "r1" of table 70 was opened otherwise',
     $$SELECT casino.open_round(70, 'r1', round_id => 501)$$),
    ('the number with another reference', 'KR002', 'number 500 is another round''s',
     $$SELECT casino.open_round(70, 'r2', round_id => 500)$$),
    ('the number at another table', 'KR002', 'number 500 is another round''s',
     $$SELECT casino.open_round(86, 'r1', round_id => 500)$$),
    ('while one is not evaluated', 'KR002', 'table "R" has an unevaluated round',
     $$SELECT casino.open_round(70, 'r2', round_id => 501)$$)) v (what, wanted, said, c), told(c) t;
SELECT void_round(500, 'test') \g /dev/null
SELECT is(open_round(70, 'r1', round_id => 500), 500::bigint, 'answered for ever');
SELECT is((SELECT count(*) FROM casino.round), 1::bigint, 'one round was opened');

-- ------------------------------------------------------------------ a table at home in another cell (R13.10)
SELECT open_round(82, 'j2', round_id => 600), open_round(83, 't2', round_id => 601),
    open_round(81, 'j1', round_id => 602) \g /dev/null
SELECT is((t).code || ': ' || (t).hint,
          'KB004: Its home cell is 2; players of other cells find other tables.', c)
  FROM unnest(ARRAY[format('SELECT casino.place_bet(600, %s, %L, seat => 1)', :ann, 'main@100'),
                    format('SELECT casino.place_bet(601, %s, %L, seat => 1)', :ann, 'pot@50'),
                    format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat) '
                           'VALUES (%s, ''stake'', 600, ''main@100'', 1)',
                           :ann)]) c,
       told(c) t;
SELECT is(place_bet(602, :ann, 'main@100', seat => 1) > 0, true, 'at home he plays');
SELECT is(verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat)
                          VALUES (%s, ''stake'', 602, ''main@100'', 2)',
                         :bob)),
          'ok', 'by a plain INSERT too');
-- what the hub sends to all cells goes through here with nothing in it
SELECT close_betting(600), close_betting(601), close_betting(602) \g /dev/null
SELECT deal(600, '{"dealer": "9h", "hands": [{"seat": 3, "cards": "Ts 6d"}]}'),
    deal(601, '{"button": 1, "seats": [{"seat": 1}, {"seat": 2}]}') \g /dev/null
SELECT close_actions(600), close_actions(601) \g /dev/null
SELECT is((status, wagers, staked, paid), ('settled'::text, 0::bigint, 0.00, 0.00), 'checked without wagers')
  FROM check_outcome(600, '{"dealer": "9h 8c", "hands": [{"seat": 3, "cards": "Ts 6d 4c"}]}');
SELECT is((status, wagers, staked, paid), ('settled'::text, 0::bigint, 0.00, 0.00), 'and settled')
  FROM settle_round(600, '{"dealer": "9h 8c", "hands": [{"seat": 3, "cards": "Ts 6d 4c"}]}');
SELECT is((status, wagers), ('settled'::text, 0::bigint), 'Texas too')
  FROM settle_round(601,
                    '{"button": 1, "board": "2c 7h Kd 3c 9s", "seats": [{"seat": 1, "cards": "As Kc"}, '
                    '{"seat": 2, "cards": "Qs Qd"}]}');
SELECT is(verdict($$SELECT casino.settle_round(600, '{"dealer": "9h 7c", "hands": []}')$$), 'KR002',
          'another outcome is refused as anywhere');
SELECT is_empty('SELECT * FROM casino.evaluation WHERE round_id IN (600, 601)', 'nothing is evaluated there');
-- whole, with a plan that knows nothing of the rounds
SELECT lives_ok(format('SELECT count(v) FROM casino.%I v', c.relname), 'view ' || c.relname) FROM pg_class c
 WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v' ORDER BY 1;
SELECT is((t).code, 'KR001', 'cards that could not be are refused here too: ' || c) FROM unnest(ARRAY[
    $$SELECT casino.check_outcome(602,
                                  '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "Ts 6d 4c"}, '
                                  '{"seat": 2, "cards": "Ts Td"}, {"seat": 3, "cards": "2s 2d"}]}')$$]) c,
       told(format('SELECT casino.close_actions(602); %s', c)) t;
SELECT void_round(602, 'test') \g /dev/null

-- -------------------------------------------------------------- players of other cells in an outcome (R13.9)
SELECT open_round(84, 'i1', round_id => 700) \g /dev/null
SELECT place_bet(700, :ann, 'main@100'), place_bet(700, :bob, 'main@200') \g /dev/null
SELECT close_betting(700) \g /dev/null
SELECT deal(700,
            '{"dealer": "9h", "hands": [{"cards": "9c 7d"}, '
            '{"player": 6, "cards": "9c 7d 2s"}]}') \g /dev/null
SELECT close_actions(700) \g /dev/null
SELECT '{"dealer": "9h 8c", "hands": [{"cards": "9c 7d"}, {"players": [5, 6, 7], "cards": "9c 7d 4h"}, '
       '{"player": 2, "cards": "9c 7d Ts"}]}' AS with_other \gset
SELECT is(outcome_players(:'with_other'), '{2,5,6,7}', 'whom it names');
SELECT is(outcome_players('{"hands": [{"player": 3}, {"players": [9, 3, 1.5, "x", -1, 1e30], '
                          '"even_money": [7]}, 5, {"even_money": true}], "player": 4}'),
          '{3,7,9}', 'numbers only');
SELECT is(outcome_players(d), '{}', d::text)
  FROM unnest('{1,"null","\"x\"","{\"hands\": 1}","[{\"player\": 1}]"}'::jsonb[]) d;
SELECT is((wagers, players, staked, paid), (2::bigint, 2::bigint, 300.00, 400.00),
          'ann stands on 16 and loses, bob wins with 20 against 17') FROM check_outcome(700, :'with_other');
SELECT is((t).code || (t).detail, 'KR001Player 9 has cards but no main bet.',
          'a player of this cell without a stake is refused')
  FROM told($$SELECT casino.check_outcome(700,
                                          '{"dealer": "9h 8c", "hands": [{"cards": "9c 7d"}, '
                                          '{"players": [5, 6, 9], "cards": "9c 7d 4h"}]}')$$) t;
SELECT is((t).code, 'KR001', 'also by settle_round()')
  FROM told($$SELECT casino.settle_round(700,
                                         '{"dealer": "9h 8c", "hands": [{"cards": "9c 7d"}, '
                                         '{"players": [5, 6, 9], "cards": "9c 7d 4h"}]}')$$) t;
SELECT is((t).code, 'KR001', 'hands that start otherwise, whosever they are')
  FROM told($$SELECT casino.check_outcome(700,
                                          '{"dealer": "9h 8c", "hands": [{"cards": "9c 7d"}, '
                                          '{"player": 6, "cards": "9c 6d 4h"}]}')$$) t;
SELECT books() AS before \gset
SELECT check_outcome(700, :'with_other') \g /dev/null
SELECT is((t).code, 'KR001', 'refused') FROM told($$SELECT casino.check_outcome(700,
        '{"dealer": "9h 2c", "hands": [{"cards": "9c 7d"}]}')$$) t;
SELECT is(books(), :'before', 'check_outcome() changes nothing, whatever it says');
SELECT is((wagers, players, staked, paid), (2::bigint, 2::bigint, 300.00, 400.00), 'as it was checked')
  FROM settle_round(700, :'with_other');
SELECT is((SELECT array_agg(player_id ORDER BY 1) FROM casino.ledger
           WHERE round_id = 700 AND kind = 'payout'), '{5}', 'paid to whom it is due here');
SELECT is((SELECT array_agg(players) FROM casino.dealt_hand WHERE round_id = 700 AND players && '{6}'),
          '{{5,6,7}}', 'the cards are kept whole, alike in every cell');

-- ------------------------------------------------------------------------------------------------
-- check_outcome() says what settle_round() would (R13.11)
SELECT open_round(70, 'r3', round_id => 503) \g /dev/null
SELECT place_bet(503, :ann, 'straight:17@10') \g /dev/null
SELECT is((t).code || (t).hint, 'KR002Call close_betting() first.', 'in a cell not while stakes may come')
  FROM told($$SELECT casino.check_outcome(503, '{"number": 17}')$$) t;
SELECT close_betting(503) \g /dev/null
SELECT is((t).code, wanted, c) FROM (VALUES
    ('KR001', $$SELECT casino.check_outcome(503, '{"number": 37}')$$),
        ('KR001', $$SELECT casino.check_outcome(503, '{"numbers": 3}')$$),
            ('22004', $$SELECT casino.check_outcome(503, NULL)$$),
    ('23503', $$SELECT casino.check_outcome(999, '{"number": 17}')$$),
        ('22004', $$SELECT casino.check_outcome(NULL, '{"number": 17}')$$),
    ('KL005', $$SELECT casino.check_outcome(503, '{"number": 17}', now() - interval '1 hour')$$),
        ('KL005', $$SELECT casino.check_outcome(503, '{"number": 17}', now() + interval '1 hour')$$),
    ('22008', $$SELECT casino.check_outcome(503, '{"number": 17}', 'infinity')$$)) v (wanted, c), told(c) t;
SELECT is((status, wagers, players, staked, paid, house_result),
          ('settled'::text, 1::bigint, 1::bigint, 10.00, 360.00, -350.00), 'the settlement to come')
              FROM check_outcome(503, '{"number": 17}');
SELECT is((SELECT (status, outcome) FROM casino.round WHERE round_id = 503), ('closed'::text, NULL::jsonb),
          'which has not come');
SELECT settle_round(503, '{"number": 17}') AS settled \gset
SELECT is(check_outcome(503, '{"number": 17}')::text, :'settled', 'settled so: its settlement')
  FROM generate_series(1, 2);
SELECT is(verdict($$SELECT casino.check_outcome(503, '{"number": 18}')$$), 'KR002', 'settled otherwise');
SELECT open_round(70, 'r4', round_id => 504), void_round(504, 'x') \g /dev/null
SELECT is(verdict($$SELECT casino.check_outcome(504, '{"number": 18}')$$), 'KR002', 'voided');
-- decisions that could still change what was checked
SELECT open_round(85, 'c1', round_id => 800), place_bet(800, :ann, 'ante@100'),
    close_betting(800) \g /dev/null
SELECT is((t).code || (t).hint, 'KR002Call close_actions() first.', 'in a cell not while decisions may come')
  FROM told($$SELECT casino.check_outcome(800,
                                          '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", '
                                          '"dealer": "4h 4d"}')$$) t;
SELECT place_bet(800, :ann, 'call@200'), close_actions(800) \g /dev/null
SELECT is((t).code, 'KR001', 'who has called needs five board cards')
  FROM told($$SELECT casino.check_outcome(800,
                                          '{"player": "As Ks", "board": "Qs Js Ts", "dealer": "4h 4d"}')$$) t;
-- royal flush: ante 100:1, call 1:1 against a pair of fours
SELECT is((wagers, paid), (2::bigint, 10100.00 + 400.00), 'ante and call')
  FROM check_outcome(800, '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}');
-- withheld
SELECT withhold_winnings(800, NULL, 'under review') \g /dev/null
SELECT is(status, 'withheld', 'as it would be settled')
  FROM check_outcome(800, '{"player": "As Ks", "board": "Qs Js Ts 2d 3c", "dealer": "4h 4d"}');
SELECT void_round(800, 'test') \g /dev/null

-- ------------------------------------------------------------------------- what is sent again (R13.6, R13.8)
SELECT open_round(84, 'i2', round_id => 701) \g /dev/null
SELECT place_bet(701, :ann, 'main@100') \g /dev/null
SELECT clock_timestamp() AS at \gset
SELECT close_betting(701, :'at') \g /dev/null
SELECT deal(701, '{"dealer": "9h", "hands": [{"cards": "9c"}]}', :'at'),
    deal(701, '{"dealer": "9h", "hands": [{"cards": "9c 2d"}]}', :'at') \g /dev/null
SELECT books() AS before \gset
SELECT open_round(84, 'i2', round_id => 701), open_round(84, 'i2', :'at', 701), close_betting(701, :'at'),
    close_betting(701) FROM generate_series(1, 3) \g /dev/null
SELECT deal(701, '{"dealer": "9h", "hands": [{"cards": "9c 2d"}]}', :'at'),
    deal(701, '{"hands": [{"cards": "9c 2d"}], "dealer": "9h"}') FROM generate_series(1, 2) \g /dev/null
SELECT deal(701, '{"dealer": "9h", "hands": [{"cards": "9c"}]}', :'at'),
    deal(701, '{"dealer": "9h", "hands": [{"cards": "9c"}]}') FROM generate_series(1, 3) \g /dev/null
SELECT is(books(), :'before', 'opened, closed and dealt again, older cards too: nothing changes');
SELECT is(last_deal(701) #>> '{hands,0,cards}', '9c 2d', 'the newest cards lie there');
SELECT is(verdict($$SELECT casino.deal(701, '{"dealer": "8h", "hands": [{"cards": "9c 2d"}]}')$$), 'KR001',
          'another card than was seen is refused');
SELECT is(books(), :'before', 'and changes nothing');
SELECT close_actions(701, :'at') \g /dev/null
SELECT books() AS before \gset
SELECT close_actions(701, :'at'), close_actions(701), close_betting(701, :'at')
  FROM generate_series(1, 3) \g /dev/null
SELECT is(books(), :'before', 'decisions ended again');
SELECT settle_round(701, '{"dealer": "9h 8c", "hands": [{"cards": "9c 2d Ts"}]}', :'at') AS settled \gset
SELECT books() AS before \gset
SELECT is(settle_round(701, '{"dealer": "9h 8c", "hands": [{"cards": "9c 2d Ts"}]}', :'at')::text, :'settled',
          'settled again') FROM generate_series(1, 3);
SELECT close_actions(701, :'at'), close_betting(701, :'at'),
    deal(701, '{"dealer": "9h", "hands": [{"cards": "9c"}]}', :'at'),
        open_round(84, 'i2', :'at', 701) \g /dev/null
SELECT is(books(), :'before', 'all of it again after the settlement');
SELECT is(verdict($$SELECT casino.deal(701, '{"dealer": "9h 8c", "hands": [{"cards": "9c 2d Ts"}]}')$$),
          'KR002', 'cards that were not dealt are not dealt now');
SELECT open_round(70, 'r5', round_id => 505), place_bet(505, :bob, 'red@10'),
    void_round(505, 'the ball left the wheel') AS voided \gset
SELECT books() AS before \gset
SELECT is(void_round(505, 'the ball left the wheel')::text, :'voided', 'voided again')
  FROM generate_series(1, 3);
SELECT is(verdict($$SELECT casino.void_round(505, 'another reason')$$), 'KR002', 'not for another reason');
SELECT is(books(), :'before', 'nothing is returned twice');
-- limits of a table: known by their time
SELECT set_table_limits(86, 2, 900, at => '2026-01-01'),
    set_table_limits(86, 3, 800, at => now()) AS third \gset
SELECT books() AS before \gset
SELECT is(set_table_limits(86, 2, 900, at => '2026-01-01'), 2, 'an older change sent again is answered')
  FROM generate_series(1, 3) WHERE :third = 3;
SELECT is(verdict($$SELECT casino.set_table_limits(86, 2, 901, at => '2026-01-01')$$), 'KL005',
          'another one of that time is refused');
SELECT is(books(), :'before', 'and nothing was added');
SELECT is(verdict($$SELECT casino.set_table_limits(82, 200, 900, '{"home_cell": 3}')$$), '22023',
          'a home does not move');
SELECT is(verdict($$SELECT casino.set_table_limits(82, 100, 1000, '{"home_cell": 2}')$$), 'ok',
          'to say it again is nothing');
-- exclusions: known by source, beginning and end; without a time the same again is another one
SELECT is(ARRAY[exclude_player(:cyd, '2030-01-01', 'operator', :'at'),
                exclude_player(:cyd, '2030-01-01', 'operator', :'at'),
                    exclude_player(:cyd, '2030-01-01', 'operator', :'at')], '{1,1,1}', 'excluded once');
SELECT is((SELECT count(*) FROM casino.exclusion WHERE player_id = :cyd), 1::bigint, 'there is one');
-- a box is handed over once
SELECT add_game_table('blackjack_free_bet', 'F', 100, 1000, '{"home_cell": 1}', 87),
    open_round(87, 'f1', round_id => 900) \g /dev/null
SELECT place_bet(900, :ann, 'main@100', seat => 1) , place_bet(900, :bob, 'main@100', seat => 1) \g /dev/null
SELECT close_betting(900), hand_over_box(900, 1, :bob), hand_over_box(900, 1, :bob),
    hand_over_box(900, 1, :bob) \g /dev/null
SELECT is((SELECT count(*) FROM casino.box_handover WHERE round_id = 900), 1::bigint, 'handed over once');
SELECT void_round(900, 'test') \g /dev/null

-- ------------------------------------------------------------------------------ calls that come late (R13.5)
SELECT is(open_round(70, 'late', '2026-02-01 12:00', 510, '2026-02-01 12:01'), 510::bigint,
          'a cell that was down hears of a round long afterwards');
SELECT is((t).code || (t).detail, 'KB001It was open until 2026-02-01 12:01:00+01.', 'nobody stakes there now')
  FROM told(format('SELECT casino.place_bet(510, %s, ''red@10'')', :ann)) t;
SELECT lives_ok($$SELECT casino.close_betting(510, '2026-02-01 12:00:30'),
                casino.close_actions(510, '2026-02-01 12:00:40'),
                    casino.check_outcome(510, '{"number": 3}', '2026-02-01 12:00:50'),
                        casino.settle_round(510, '{"number": 3}', '2026-02-01 12:00:50')$$,
                            'and of what became of it');
SELECT is((SELECT (betting_closed_at, evaluated_at) FROM casino.round WHERE round_id = 510),
          ('2026-02-01 12:00:30'::timestamptz, '2026-02-01 12:00:50'::timestamptz), 'as the hub dated it');
SELECT is(verdict(c), 'KL005', 'a time to come stays refused: ' || c) FROM unnest(ARRAY[
    $$SELECT casino.open_round(70, 'early', clock_timestamp() + interval '1 hour', 511)$$,
        $$SELECT casino.set_table_limits(70, 4, 700, at => clock_timestamp() + interval '1 hour')$$]) c;
SELECT is(verdict(format('SELECT casino.deposit(%s, 1, at => clock_timestamp() - interval ''1 minute'')',
                         :ann)), 'KL005', 'and a player''s own time stays near the clock');
SELECT open_round(70, 'r6', round_id => 512) \g /dev/null
SELECT is(verdict(format('SELECT casino.place_bet(512, %s, ''red@10'',
                                                  at => clock_timestamp() - interval ''1 minute'')',
                         :ann)),
          'KL005', 'that of his stakes too');
-- decisions that a cell took while it did not hear the hub's end of them: they were never made known at the
-- table
SELECT open_round(85, 'c2', clock_timestamp() - interval '1 second', 801),
    place_bet(801, :bob, 'ante@100') \g /dev/null
SELECT clock_timestamp() AS closed \gset
SELECT close_betting(801, :'closed'), deal(801, '{"player": "As Ks", "board": "Qs Js 9s"}', :'closed'),
    clock_timestamp() AS over, place_bet(801, :bob, 'call@200') > 0 AS called \gset
SELECT is(verdict(format('SELECT casino.close_actions(801, %L)', :'over')), 'KL005',
          'at once it is refused as on one server: the hub has not decided it yet');
SET casino.clock_skew = 0;
SELECT close_actions(801, :'over'), close_actions(801, :'over') \g /dev/null
RESET casino.clock_skew;
SELECT is((SELECT array_agg((amount, reason)::text) FROM casino.ledger
           WHERE round_id = 801 AND kind = 'refund'), '{"(200.00,late)"}',
               'a call after the end of decisions goes back');
SELECT is((SELECT array_agg(status ORDER BY entry_no) FROM casino.wager WHERE round_id = 801),
          '{open,refunded}', 'the ante plays on');
SELECT is((wagers, paid), (1::bigint, 0.00), 'so that the outcome the hub decided can be settled')
  FROM settle_round(801, '{"player": "As Ks", "board": "Qs Js 9s", "dealer": "4h 4d"}', :'over');
SELECT is((SELECT array_agg(status ORDER BY entry_no) FROM casino.wager WHERE round_id = 801),
          '{lost,refunded}', 'without a call he has folded');
SELECT is((SELECT balance FROM casino.player WHERE player_id = :bob),
          (SELECT sum(change) FROM casino.statement WHERE player_id = :bob), 'the wallet fits');
SELECT is_empty($$SELECT * FROM casino_internal.check_late_stake(current_date - 1, current_date + 1)$$,
                'the night finds nothing late');

-- ------------------------------------------------------------------- a row of a player touches his rows only
CREATE FUNCTION touched(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    name text;
    found text;
    all_found text := '';
BEGIN
    EXECUTE command;
    FOR name IN SELECT c.relname FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'player_id'
            WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p')
              AND NOT c.relispartition ORDER BY 1 LOOP
        EXECUTE format('SELECT string_agg(DISTINCT %L || '' of '' || player_id, '', '')
                          FROM casino.%I
                         WHERE xmin::text::bigint = pg_current_xact_id()::text::bigint',
                       name, name) INTO found;
        all_found := concat_ws(', ', nullif(all_found, ''), found);
    END LOOP;
    RETURN all_found;
END $$;
CREATE FUNCTION pg_temp.deep(p bigint)
RETURNS text
LANGUAGE sql AS $$ SELECT format('ledger of %s, player of %s', p, p) $$;
SELECT open_round(81, 'j9', round_id => 603), place_bet(603, :ann, 'main@100', 'm', 1),
    place_bet(603, :bob, 'behind@100', 'b', 1) \g /dev/null
SELECT is(touched(format(c, :bob)), pg_temp.deep(:bob), c) FROM unnest(ARRAY[
    'INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat) '
    'VALUES (%s, ''stake'', 603, ''behind@100'', 1)',
    'INSERT INTO casino.ledger (player_id, kind, amount) VALUES (%s, ''deposit'', 10)',
        'INSERT INTO casino.ledger (player_id, kind, amount, reason) VALUES (%s, ''adjustment'', -10, ''x'')',
    'SELECT casino.place_bet(603, %s, ''behind@100'', ''c'', 1)', 'SELECT casino.cancel_bet(603, %s, ''c'')',
        'SELECT casino.deposit(%s, 10)']) c;
SELECT void_round(603, 'test') \g /dev/null

-- -------------------------------------------------------------------------------- seals and nights of a cell
SELECT is((SELECT count(*) FROM casino.evidence_layouts() WHERE section = 'cell'), 4::bigint,
          'which cell it is is evidence');
SELECT seal((now() AT TIME ZONE 'Europe/Prague')::date) \g /dev/null
SELECT is((SELECT array_agg(row_key) FROM casino.sealed_row WHERE section = 'cell'), '{1}', 'and sealed');
SELECT is_empty('SELECT * FROM casino.verify()', 'all fits');
SELECT is_empty(format('SELECT * FROM %s(%L, %L)', p.oid::regproc, '2026-01-01',
                       (now() AT TIME ZONE 'Europe/Prague')::date), 'a cell is clean by ' || p.proname)
  FROM pg_proc p WHERE p.pronamespace = ANY (casino_internal.schemas())
      AND p.prorettype = 'casino.finding'::regtype
      AND p.proargtypes = '1082 1082'::oidvector ORDER BY 1;
SELECT lives_ok(format('SELECT count(v) FROM casino.%I v', c.relname), 'view ' || c.relname) FROM pg_class c
 WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'v' ORDER BY 1;
-- ------------------------------------------------------------------------------ documents of any size
-- their time grows as the hands do; as their square this file took minutes
SELECT is((SELECT array_agg(p ORDER BY n) FROM unnest(outcome_players(jsonb_build_object('hands', (
               SELECT jsonb_agg(jsonb_build_object('player', h)) FROM generate_series(1, 600000) h))))
                    WITH ORDINALITY x (p, n)),
          (SELECT array_agg(h::bigint) FROM generate_series(1, 600000) h), '600 000 hands');

-- ---------------------------------------------------------------------------- the epoch of a hub (R10.36)
CREATE FUNCTION epoch_in(ahead interval) RETURNS bigint LANGUAGE sql AS
    $$SELECT (extract(epoch FROM clock_timestamp() + ahead) * 1000000)::bigint$$;
SELECT last_value AS epoch FROM casino.hub_epoch_seq \gset
SELECT is((obey(0, 'follow', '{}', epoch => e)).code, '22023', 'R10.36: from ahead of the clock: ' || name)
  FROM (VALUES ('a day and a minute', epoch_in('1 day 1 min')), ('a year', epoch_in('1 year')),
               ('no later one', 9223372036854775807)) v (name, e);
SELECT is((SELECT last_value FROM casino.hub_epoch_seq), :epoch::bigint, 'R10.36: and it is not noted');
SELECT is((obey(0, 'follow', '{}', epoch => e)).code, '55000', 'one before the first: ' || e)
  FROM unnest('{-1,-9223372036854775808}'::bigint[]) e;
SELECT is((obey(0, 'follow', '{}', epoch => :epoch)).code, '00000', 'the hub that is obeyed goes on');
SELECT epoch_in('23 hours 59 min') AS later \gset
SELECT is((obey(0, 'follow', '{}', epoch => :later)).code, '00000', 'R10.36: within a day a hub takes over');
SELECT is((SELECT last_value FROM casino.hub_epoch_seq), :later::bigint, 'R10.36: and is noted');
SELECT is((obey(0, 'follow', '{}', epoch => :epoch)).code, '55000', 'R13.18: the hub before is refused');
SELECT * FROM finish();
