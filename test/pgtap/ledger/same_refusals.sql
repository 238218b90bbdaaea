-- A function and a plain INSERT of the row that it would write refuse the same things, with the same
-- SQLSTATE, and where two are wrong the same one first: each refusal of a stake and of the other entries
-- alone, and every two of them together.
-- What a row cannot do is
-- answer a repetition: a request that was used is KL003 for it, whatever its content.
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();

-- SQLSTATE of a statement, of which nothing stays
CREATE FUNCTION pg_temp.verdict(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RAISE EXCEPTION USING ERRCODE = 'ZZ000';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'ZZ000' THEN 'ok' ELSE SQLSTATE END;
END $$;

-- ------------------------------------------------------------------------------------------------ who, where
CREATE TEMP TABLE who (name text PRIMARY KEY, id bigint);
CREATE TEMP TABLE place (name text PRIMARY KEY, id bigint);
CREATE FUNCTION pg_temp.who(text)
RETURNS bigint
LANGUAGE sql STABLE AS 'SELECT id FROM pg_temp.who WHERE name = $1';
CREATE FUNCTION pg_temp.place(text)
RETURNS bigint
LANGUAGE sql STABLE AS 'SELECT id FROM pg_temp.place WHERE name = $1';
INSERT INTO who SELECT n, register_player(n)
  FROM unnest('{ok,poor,excluded,closed,tired,elsewhere,limited,late,full,owner}'::text[]) n;
INSERT INTO place VALUES
    ('wheel', add_game_table('roulette_synot', 'Wheel', 10, 5000)),
        ('other', add_game_table('roulette_evolution', 'Other', 10, 5000)),
    ('american', add_game_table('roulette_american', 'American', 10, 5000)),
        ('shoe', add_game_table('baccarat', 'Shoe', 100, 100000)),
    ('box', add_game_table('blackjack_synot', 'Box', 100, 10000)),
        ('holdem', add_game_table('casino_holdem', 'Hold''em', 50, 1000)),
    ('gone', add_game_table('roulette_american', 'Gone', 10, 5000)),
        ('next', add_game_table('roulette_american', 'Next', 10, 5000)),
    ('shut', add_game_table('roulette_american', 'Shut', 10, 5000));
INSERT INTO place SELECT 'r_' || name, open_round(id, 'r', CASE name WHEN 'next' THEN '2026-03-02 12:00'
                                                  ELSE '2026-03-02 08:00' END::timestamptz)
                    FROM place WHERE name NOT LIKE 'r\_%';
INSERT INTO place VALUES ('over', add_game_table('roulette_american', 'Over', 10, 5000));
INSERT INTO place VALUES ('r_over', open_round(pg_temp.place('over'), 'r', '2026-03-02 08:00',
                                               betting_until => '2026-03-02 10:00'));
SELECT void_round(pg_temp.place('r_gone'), 'test', '2026-03-02 08:10') \g /dev/null
SELECT close_betting(pg_temp.place('r_shut'), '2026-03-02 08:10') \g /dev/null
SELECT deposit(id, CASE name WHEN 'poor' THEN 5 WHEN 'full' THEN 92233720368540000
               ELSE 900000 END, at => '2026-03-02 07:00') FROM who WHERE name <> 'closed' \g /dev/null
SELECT deposit(id, 1, 'used', '2026-03-02 07:10') FROM who
 WHERE name NOT IN ('excluded', 'closed', 'full') \g /dev/null
SELECT place_bet(pg_temp.place('r_other'), pg_temp.who('elsewhere'), 'red@10',
                 at => '2026-03-02 08:30') \g /dev/null
SELECT place_bet(pg_temp.place('r_box'), pg_temp.who('owner'), 'main@1000', 'o', 1,
                 at => '2026-03-02 08:30') \g /dev/null
SELECT set_limit(pg_temp.who('limited'), 'stake', 'day', 15, '2026-03-01 12:00') \g /dev/null
SELECT exclude_player(pg_temp.who('excluded'), '2027-01-01', 'self', '2026-03-02 07:30') \g /dev/null
SELECT close_account(pg_temp.who('closed'), '2026-03-02 07:30') \g /dev/null
-- two hours of one sequence, evaluated a minute before everybody bets
INSERT INTO place VALUES ('long', add_game_table('roulette_synot', 'Long', 10, 5000));
INSERT INTO place VALUES ('r_long', open_round(pg_temp.place('long'), 'r', '2026-03-02 08:50'));
SELECT place_bet(pg_temp.place('r_long'), pg_temp.who('tired'), 'red@10',
                 at => '2026-03-02 08:55') \g /dev/null
SELECT close_betting(pg_temp.place('r_long'), '2026-03-02 08:56') \g /dev/null
SELECT settle_round(pg_temp.place('r_long'), '{"number": 1}', '2026-03-02 10:59') \g /dev/null
-- a request that was cancelled before it came
SELECT cancel_bet(pg_temp.place('r_wheel'), id, 'cancelled', '2026-03-02 09:00') FROM who \g /dev/null
-- an entry that is later than all that follows
SELECT deposit(pg_temp.who('late'), 1, at => '2026-03-02 11:30') \g /dev/null

-- --------------------------------------------------------------------------------- choices, alone and by two
-- "said" is the SQLSTATE when nothing else is wrong; of no choice: what is given where
-- nothing is to be wrong
CREATE TEMP TABLE choice (kind text, argument text, name text, value text, said text);
-- every one alone and every two of different arguments, with the values of all arguments of the kind
CREATE TEMP VIEW trial AS
    SELECT x.kind, x.name, x.said,
           (SELECT jsonb_object_agg(d.argument, coalesce(x.given -> d.argument, to_jsonb(d.value)))
            FROM choice d WHERE d.kind = x.kind AND d.name IS NULL) AS given
      FROM (SELECT kind, argument || ' ' || name AS name, said, jsonb_build_object(argument, value) AS given
            FROM choice WHERE name IS NOT NULL
            UNION ALL
            SELECT a.kind, format('%s %s, %s %s', a.argument, a.name, b.argument, b.name), NULL,
                jsonb_build_object(a.argument, a.value, b.argument, b.value)
              FROM choice a JOIN choice b ON b.kind = a.kind AND b.argument > a.argument
                  WHERE a.name IS NOT NULL AND b.name IS NOT NULL
            UNION ALL
            SELECT DISTINCT kind, 'nothing wrong', 'ok', '{}'::jsonb FROM choice) x;
CREATE TEMP TABLE answer (kind text, name text, said text, by_function text, by_insert text);

-- arguments are SQL; the statements have them as %(name)
CREATE FUNCTION pg_temp.statement(template text, given jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    argument record;
BEGIN
    FOR argument IN SELECT key, value FROM jsonb_each_text(given) LOOP
        template := replace(template, '%' || argument.key || '%', coalesce(argument.value, 'NULL'));
    END LOOP;
    RETURN template;
END $$;
CREATE FUNCTION pg_temp.ask(what text, by_function text,
                            by_insert text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO answer
    SELECT t.kind, t.name, t.said, pg_temp.verdict(pg_temp.statement(by_function, t.given)),
        pg_temp.verdict(pg_temp.statement(by_insert, t.given))
      FROM trial t WHERE t.kind = what;
    RETURN NEXT cmp_ok((SELECT count(*) FROM answer a WHERE a.kind = what), '>', 10::bigint,
                       format('%s: refusals are looked at', what));
    RETURN NEXT is_empty(format('SELECT a.name, a.said, a.by_function
                                   FROM answer a
                                  WHERE a.kind = %L AND a.said <> a.by_function',
                                what),
                         format('%s: the function says of each alone what is wrong', what));
    RETURN NEXT is_empty(format('SELECT a.name, a.by_function, a.by_insert
                                   FROM answer a
                                  WHERE a.kind = %L AND a.by_function <> a.by_insert',
                                what),
                         format('%s: a plain INSERT says the same, of each alone and of every two', what));
END $$;
-- who, when, with which key: of every kind that has them
CREATE FUNCTION pg_temp.common(kind text, admitted boolean) RETURNS void LANGUAGE sql AS $$
    INSERT INTO choice
    SELECT common.kind, argument, name, value, said
      FROM (VALUES ('player', NULL, pg_temp.who('ok')::text, NULL), ('player', 'missing', NULL, '22004'),
            ('player', 'unknown', '999999', '23503'),
                   ('player', 'excluded', pg_temp.who('excluded')::text, CASE WHEN admitted THEN 'KC004' END),
                   ('player', 'closed', pg_temp.who('closed')::text, CASE WHEN admitted THEN '55000' END),
                   ('player', 'late', pg_temp.who('late')::text, 'KL005'),
                       ('player', 'poor', pg_temp.who('poor')::text, NULL),
                   ('request', NULL, NULL, NULL), ('request', 'empty', '''''', '22023'),
                       ('request', 'blank', '''  ''', '22023'),
                   ('request', 'long', 'repeat(''x'', 5000)', '22001'),
                       ('request', 'used', '''used''', 'KL003'),
                   ('request', 'cancelled', '''cancelled''', 'KL003'),
                   ('at', NULL, '''2026-03-02 11:00''', NULL), ('at', 'infinite', '''infinity''', '22008'),
                       ('at', 'before the last', '''2026-03-02 06:00''', 'KL005'))
           AS c (argument, name, value, said) $$;

-- ------------------------------------------------------------------------------------------------ stakes
SELECT pg_temp.common('stake', true) \g /dev/null
INSERT INTO choice VALUES
    ('stake', 'player', 'in a break', pg_temp.who('tired')::text, 'KC001'),
        ('stake', 'player', 'at another table', pg_temp.who('elsewhere')::text, 'KC002'),
    ('stake', 'player', 'with a limit', pg_temp.who('limited')::text, 'KC005'),
        ('stake', 'player', 'full', pg_temp.who('full')::text, '22003'),
    ('stake', 'round', NULL, pg_temp.place('r_wheel')::text, NULL),
        ('stake', 'round', 'missing', NULL, '22004'), ('stake', 'round', 'unknown', '999999', '23503'),
    ('stake', 'round', 'voided', pg_temp.place('r_gone')::text, 'KB001'),
        ('stake', 'round', 'closed', pg_temp.place('r_shut')::text, 'KB001'),
    ('stake', 'round', 'settled', pg_temp.place('r_long')::text, 'KB001'),
        ('stake', 'round', 'opened later', pg_temp.place('r_next')::text, 'KL005'),
    ('stake', 'round', 'over by its clock', pg_temp.place('r_over')::text, 'KB001'),
    ('stake', 'round', 'of baccarat', pg_temp.place('r_shoe')::text, 'KB004'),
        ('stake', 'round', 'with seats', pg_temp.place('r_box')::text, 'KB004'),
    ('stake', 'round', 'of Hold''em', pg_temp.place('r_holdem')::text, 'KB004'),
        ('stake', 'round', 'American', pg_temp.place('r_american')::text, 'ok'),
    ('stake', 'bet', NULL, '''red@20''', NULL), ('stake', 'bet', 'missing', NULL, '22004'),
        ('stake', 'bet', 'below the minimum', '''red@1''', 'KB002'),
    ('stake', 'bet', 'above the maximum', '''straight:17@9000''', 'KB002'),
        ('stake', 'bet', 'of another game', '''banker@100''', 'KB004'),
    ('stake', 'bet', 'with zero', '''split:0-1@20''', 'ok'),
        ('stake', 'bet', 'of the round''s maximum', '''player@90000000''', 'KB004'),
    ('stake', 'bet', 'main', '''main@100''', 'KB004'), ('stake', 'bet', 'behind', '''behind@100''', 'KB004'),
        ('stake', 'bet', 'side', '''21+3@100''', 'KB004'),
    ('stake', 'bet', 'in play', '''double_down@100''', 'KB004'),
        ('stake', 'bet', 'call', '''call@100''', 'KB004'), ('stake', 'bet', 'aa', '''aa@100''', 'KB004'),
    ('stake', 'seat', NULL, NULL, NULL), ('stake', 'seat', 'zero', '0', '22023'),
        ('stake', 'seat', 'one', '1', '22023'), ('stake', 'seat', 'eight', '8', '22023'),
    ('stake', 'hand', NULL, NULL, NULL), ('stake', 'hand', 'zero', '0', '22023'),
        ('stake', 'hand', 'two', '2', '22023');
SELECT pg_temp.ask('stake', 'SELECT place_bet(%round%, %player%, %bet%, %request%, %seat%, %hand%, %at%)',
                   'INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, seat, hand,
                                               posted_at)
                    VALUES (%player%, ''stake'', %round%, %bet%, %request%, %seat%, %hand%, %at%)');
-- the same by place_bets(), of one bet
CREATE TEMP TABLE by_one AS SELECT name, by_function FROM answer WHERE kind = 'stake';
DELETE FROM answer;
SELECT pg_temp.ask('stake',
                   'SELECT place_bets(%round%, %player%, ARRAY[%bet%]::bet[], %request%, %seat%, %hand%,
                                      %at%)',
                   'INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, seat, hand,
                                               posted_at)
                    VALUES (%player%, ''stake'', %round%, %bet%, %request%, %seat%, %hand%, %at%)');
-- of a box with an owner, each kind of stake
DELETE FROM answer; DELETE FROM choice;
SELECT pg_temp.common('stake', true) \g /dev/null
INSERT INTO choice VALUES
    ('stake', 'bet', NULL, '''main@100''', NULL), ('stake', 'bet', 'side', '''21+3@100''', 'KB005'),
        ('stake', 'bet', 'behind', '''behind@100''', 'KB004'),
    ('stake', 'bet', 'double', '''double_down@100''', 'KB005'),
        ('stake', 'bet', 'split', '''split_pair@100''', 'KB005'),
            ('stake', 'bet', 'insurance', '''insurance@50''', 'KB005'),
    ('stake', 'bet', 'small', '''main@1''', 'KB002'), ('stake', 'bet', 'great', '''main@20000''', 'KB002'),
    ('stake', 'seat', NULL, '2', NULL), ('stake', 'seat', 'missing', NULL, '22023'),
        ('stake', 'seat', 'taken', '1', 'KB005'), ('stake', 'seat', 'too many', '8', '22023'),
    ('stake', 'hand', NULL, NULL, NULL), ('stake', 'hand', 'one', '1', 'ok'),
        ('stake', 'hand', 'two', '2', '22023');
SELECT pg_temp.ask('stake',
                   format('SELECT place_bet(%s, %%player%%, %%bet%%, %%request%%, %%seat%%, %%hand%%,
                                            %%at%%)',
                          pg_temp.place('r_box')),
                   format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, seat, hand,
                                                      posted_at)
                           VALUES (%%player%%, ''stake'', %s, %%bet%%, %%request%%, %%seat%%, %%hand%%,
                                   %%at%%)', pg_temp.place('r_box')));

-- ------------------------------------------------------------------------------------------------ deposits
SELECT pg_temp.common('deposit', true) \g /dev/null
INSERT INTO choice VALUES
    ('deposit', 'player', 'full', pg_temp.who('full')::text, 'ok'),
    ('deposit', 'amount', NULL, '20', NULL), ('deposit', 'amount', 'missing', NULL, '22004'),
        ('deposit', 'amount', 'nothing', '0', '22003'),
    ('deposit', 'amount', 'negative', '-5', '22003'),
        ('deposit', 'amount', 'of less than a haléř', '0.001', '22003'),
            ('deposit', 'amount', 'NaN', '''NaN''', '22003'),
    ('deposit', 'amount', 'too much', '92233720368547758.07', '22003'),
        ('deposit', 'amount', 'out of range', '1e30', '22003'),
    ('deposit', 'method', NULL, '''card''', NULL),
        ('deposit', 'method', 'long', 'repeat(''x'', 5000)', '22001'),
    ('deposit', 'reference', NULL, '''ref''', NULL),
        ('deposit', 'reference', 'long', 'repeat(''x'', 5000)', '22001');
SELECT pg_temp.ask('deposit', 'SELECT deposit(%player%, %amount%, %request%, %at%, %method%, %reference%)',
                   'INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at, method,
                                               reference)
                    VALUES (%player%, ''deposit'', %amount%, %request%, %at%, %method%, %reference%)');

-- ------------------------------------------------------------------------------------------------
-- withdrawals
SELECT pg_temp.common('withdrawal', false) \g /dev/null
INSERT INTO choice VALUES
    ('withdrawal', 'amount', NULL, '20', NULL), ('withdrawal', 'amount', 'missing', NULL, '22004'),
        ('withdrawal', 'amount', 'nothing', '0', '22003'),
    ('withdrawal', 'amount', 'negative', '-5', '22003'),
        ('withdrawal', 'amount', 'of less than a haléř', '0.001', '22003'),
    ('withdrawal', 'amount', 'more cash than may be paid', '10000.01', 'KC003'),
    ('withdrawal', 'method', NULL, '''cash''', NULL), ('withdrawal', 'method', 'missing', NULL, '22023'),
        ('withdrawal', 'method', 'unknown', '''cheque''', '22023'),
    ('withdrawal', 'method', 'long', 'repeat(''x'', 5000)', '22001'),
        ('withdrawal', 'method', 'transfer without account', '''transfer''', 'KC006');
SELECT pg_temp.ask('withdrawal', 'SELECT request_withdrawal(%player%, %amount%, %method%, %request%, %at%)',
                   'INSERT INTO casino.ledger (player_id, kind, amount, method, request_id, posted_at)
                    VALUES (%player%, ''withdrawal'', %amount%, %method%, %request%, %at%)');
SELECT is((SELECT array_agg(DISTINCT said) FROM (SELECT pg_temp.verdict(s) AS said FROM unnest(ARRAY[
                  format('SELECT request_withdrawal(%s, 20, ''cash'', at => ''2026-03-02 11:00'')',
                         pg_temp.who('poor')),
                  format('INSERT INTO casino.ledger (player_id, kind, amount, method, posted_at)
                          VALUES (%s, ''withdrawal'', 20, ''cash'', ''2026-03-02 11:00'')',
                         pg_temp.who('poor'))]) s) x),
          '{KL002}', 'more than he has: both');

-- ------------------------------------------------------------------------------------------------
-- corrections
SELECT pg_temp.common('adjustment', false) \g /dev/null
INSERT INTO choice VALUES
    ('adjustment', 'amount', NULL, '20', NULL), ('adjustment', 'amount', 'missing', NULL, '22004'),
        ('adjustment', 'amount', 'nothing', '0', '22003'),
    ('adjustment', 'amount', 'of less than a haléř', '0.001', '22003'),
        ('adjustment', 'amount', 'more than he has', '-1000000', 'KL002'),
    ('adjustment', 'amount', 'too much', '92233720368547758.07', '22003'),
    ('adjustment', 'reason', NULL, '''why''', NULL), ('adjustment', 'reason', 'missing', NULL, '22004'),
        ('adjustment', 'reason', 'blank', '''  ''', '22004'),
    ('adjustment', 'reason', 'long', 'repeat(''x'', 50000)', '22001'),
    ('adjustment', 'round', NULL, NULL, NULL),
        ('adjustment', 'round', 'of a game', pg_temp.place('r_wheel')::text, 'ok'),
            ('adjustment', 'round', 'unknown', '999999', '23503');
SELECT pg_temp.ask('adjustment', 'SELECT adjust(%player%, %amount%, %reason%, %request%, %at%, %round%)',
                   'INSERT INTO casino.ledger (player_id, kind, amount, reason, request_id, posted_at,
                                               round_id)
                    VALUES (%player%, ''adjustment'', %amount%, %reason%, %request%, %at%, %round%)');

-- ------------------------------------------------------------------------------------------------
-- withdrawals paid and taken back
SELECT set_payment_account(pg_temp.who('ok'), 'CZ1', '2026-03-02 10:30') \g /dev/null
CREATE TEMP TABLE asked AS
    SELECT 'cash' AS name, request_withdrawal(pg_temp.who('ok'), 9000, 'cash', at => '2026-03-02 10:30') AS id
    UNION ALL SELECT 'more cash', request_withdrawal(pg_temp.who('ok'), 5000, 'cash',
                                                     at => '2026-03-02 10:31')
    UNION ALL SELECT 'transfer', request_withdrawal(pg_temp.who('ok'), 100, 'transfer',
                                                    at => '2026-03-02 10:31');
SELECT pay_withdrawal((SELECT id FROM asked WHERE name = 'cash'), '2026-03-02 10:40') \g /dev/null
INSERT INTO choice VALUES
    ('paid', 'id', NULL, (request_withdrawal(pg_temp.who('ok'), 10, 'cash', at => '2026-03-02 10:41'))::text,
     NULL), ('paid', 'id', 'missing', NULL, '22004'),
    ('paid', 'id', 'above the maximum of cash', (SELECT id FROM asked WHERE name = 'more cash')::text,
     'KC003'),
    ('paid', 'id', 'to a new account', (SELECT id FROM asked WHERE name = 'transfer')::text, 'KC006'),
    ('paid', 'at', NULL, '''2026-03-02 11:00''', NULL), ('paid', 'at', 'infinite', '''infinity''', '22008'),
        ('paid', 'at', 'before the last', '''2026-03-02 06:00''', 'KL005'),
    ('paid', 'reference', NULL, '''ref''', NULL),
        ('paid', 'reference', 'long', 'repeat(''x'', 5000)', '22001'),
    ('paid', 'place', NULL, NULL, NULL), ('paid', 'place', 'given', '''desk''', 'ok'),
        ('paid', 'place', 'long', 'repeat(''x'', 5000)', '22001');
SELECT pg_temp.ask('paid', 'SELECT pay_withdrawal(%id%, %at%, %reference%, %place%)',
                   format('INSERT INTO casino.ledger (player_id, kind, withdrawal_entry_no, posted_at,
                                                      reference, place)
                           VALUES (%s, CASE WHEN %%id%% = %s THEN ''transfer_paid'' ELSE ''cash_paid'' END,
                                   mod(%%id%%, 1000000000), %%at%%, %%reference%%, %%place%%)',
                          pg_temp.who('ok'), (SELECT id FROM asked WHERE name = 'transfer')));
INSERT INTO choice SELECT 'taken back', argument, name, value, CASE WHEN said IN ('KC003', 'KC006') THEN 'ok'
    ELSE said END FROM choice WHERE kind = 'paid' AND argument IN ('id', 'at');
SELECT pg_temp.ask('taken back', 'SELECT cancel_withdrawal(%id%, %at%)',
                   format('INSERT INTO casino.ledger (player_id, kind, withdrawal_entry_no, posted_at)
                           VALUES (%s, ''withdrawal_cancelled'', mod(%%id%%, 1000000000), %%at%%)',
                          pg_temp.who('ok')))
;
SELECT * FROM finish();
