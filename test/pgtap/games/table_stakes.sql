-- Table stakes of Texas Hold'em
-- (D2 "ALL-IN, což jsou všechny žetony, které má u stolu k dispozici"; R6.30 to
-- R6.32): a stack per seat,
-- from which pots are staked; money that comes in the middle of a hand stays outside.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
\ir ../helpers/approve.psql
CREATE SCHEMA t;
SELECT add_game_table('holdem_cash_25_50', 'stacks', 25, 100000, '{"seats": 6}') AS tab,
       add_game_table('roulette_american', 'wheel', 10, 100000) AS wheel \gset
CREATE SEQUENCE t.no;
CREATE FUNCTION t.player(money numeric) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := casino.register_player('p ' || nextval('t.no'));
BEGIN
    PERFORM casino.deposit(p, money);
    RETURN p;
END $$;
CREATE FUNCTION t.verdict(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    reason text;
BEGIN
    EXECUTE command;
    RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS reason = CONSTRAINT_NAME;
    RETURN concat_ws(' ', SQLSTATE, nullif(reason, ''));
END $$;
CREATE FUNCTION t.hand(tab bigint) RETURNS bigint LANGUAGE sql AS
    $$ SELECT casino.open_round(tab, 'hand ' || nextval('t.no')) $$;
CREATE FUNCTION t.bet(r bigint, p bigint, amount numeric, seat integer, way text DEFAULT 'function')
    RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    IF way = 'function' THEN
        RETURN t.verdict(format('SELECT casino.place_bet(%s, %s, ''pot@%s'', seat => %s)', r, p, amount,
            seat));
    ELSIF way = 'insert' THEN
        RETURN t.verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat)
                                 VALUES (%s, ''stake'', %s, ''pot@%s'', %s)',
                                p, r, amount, seat));
    ELSIF way = 'try' THEN
        SELECT CASE WHEN x.accepted THEN 'ok' ELSE concat_ws(' ', x.code, x.reason) END INTO said
          FROM casino.try_place_bets(r, p, ARRAY['pot@' || amount]::casino.bet[], 'try ' || nextval('t.no'),
              seat => seat) x;
        RETURN said;
    END IF;
    SELECT CASE WHEN x.accepted THEN 'ok' ELSE concat_ws(' ', x.code, x.reason) END INTO said
      FROM casino.place_many(r, ARRAY[p], ARRAY['pot@' || amount]::casino.bet[], ARRAY['many ' ||
          nextval('t.no')],
                             seats => ARRAY[seat]) x;
    RETURN said;
END $$;
CREATE FUNCTION t.finish(r bigint) RETURNS text LANGUAGE sql AS $$
    SELECT status FROM casino.void_round(r, 'end') $$;

-- ------------------------------------------------------------------ READ COMMITTED only (stack_races)
SELECT t.hand(:tab) AS r, t.player(1000) AS a \gset
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(t.verdict(format('SELECT casino.bring_to_table(%s, %s, 500, 1)', :r, :a)), '25001',
          'R6.31: an older snapshot does not show who has the seat');
COMMIT;
SELECT is(t.verdict(format('SELECT casino.bring_to_table(%s, %s, 500, 1)', :r, :a)), 'ok',
          'R6.31: the same call in READ COMMITTED');
SELECT t.finish(:r) \g /dev/null

-- --------------------------------------------------- the first stake says it,
-- by every way and by both stores
SELECT t.player(100) AS a, t.player(100) AS b, t.player(100) AS c, t.player(100) AS d \gset
CREATE TEMP TABLE way (way text, p bigint, seat integer);
INSERT INTO way VALUES ('function', :a, 1), ('insert', :b, 2), ('try', :c, 3), ('many', :d, 4);
SELECT t.hand(:tab) AS r \gset
SELECT is(t.bet(:r, p, 60, seat, way), 'ok', 'a first stake: ' || way) FROM way;
SELECT count(deposit(p, 5000)) FROM way \g /dev/null
SELECT is(t.bet(:r, p, 40.01, seat, way), 'KB002 above_stack',
    'R6.30: money deposited in a hand cannot enter it: ' || way) FROM way;
SET casino.store = off;
SELECT is(t.bet(:r, p, 5000, seat, way), 'KB002 above_stack', 'R6.30: nor by SQL: ' || way) FROM way;
SELECT is(t.bet(:r, p, 20, seat, way), 'ok', 'R6.30: a stake from the stack: ' || way) FROM way;
RESET casino.store;
SELECT is(t.bet(:r, p, 10, seat, way), 'ok', 'R6.30: all positions together: ' || way) FROM way;
SELECT is(t.bet(:r, p, 10.01, seat, way), 'KB002 above_stack', 'R6.30: a haléř more is not there: ' || way)
    FROM way;
SELECT is(t.bet(:r, p, 10, seat, way), 'ok', 'R6.30: all in is the rest of the stack: ' || way) FROM way;
SELECT is(t.bet(:r, p, 0.01, seat, way), 'KB002 above_stack', 'and then there is nothing: ' || way) FROM way;
SELECT is((SELECT max(f.data ->> 'max') || ' ' || max(f.data ->> 'stake') FROM casino.refusal f
            WHERE f.player_id = :c AND f.reason = 'above_stack' AND f.data ->> 'stake' LIKE '40%'),
                '40.00 40.01',
          'the refusal says how much is left');
SELECT is(t.finish(:r), 'voided', 'the hand ends');
SELECT t.hand(:tab) AS r \gset
SELECT is(t.bet(:r, :a, 5100, 1), 'ok', 'R6.30: in the next hand the wallet says it again');
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- a stake that was taken back says nothing
SELECT t.hand(:tab) AS r, t.player(100) AS e \gset
SELECT place_bet(:r, :e, 'pot@50', 'back', seat => 1), cancel_bet(:r, :e, 'back'), deposit(:e, 100)
    \g /dev/null
SELECT is(t.bet(:r, :e, 150, 1), 'ok', 'R6.30: the first stake that stands says it');
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- ---------------------------------------------------------------------------------- bring_to_table (R6.31)
SELECT t.hand(:tab) AS r, t.player(1000) AS a, t.player(1000) AS b \gset
CREATE FUNCTION t.bring(r text, p text, amount text, seat text) RETURNS text LANGUAGE sql AS
    $$ SELECT t.verdict(format('SELECT casino.bring_to_table(%s, %s, %s, %s)', r, p, amount, seat)) $$;
SELECT is(t.bring(coalesce(r, :'r'), coalesce(p, :'a'), amount, seat), want,
          format('R6.31: bring_to_table(%s, %s, %s, %s)', coalesce(r, 'hand'), coalesce(p, 'player'),
              amount, seat))
FROM (VALUES ('NULL', NULL, '10', '1', '22004'), (NULL, 'NULL', '10', '1', '22004'), (NULL, NULL, 'NULL',
    '1', '22004'),
             (NULL, NULL, '10', 'NULL', '22004'), ('999999', NULL, '10', '1', '23503'), (NULL, '999999',
                 '10', '1', '23503'),
             (NULL, NULL, '-1', '1', '22003'), (NULL, NULL, '0', '1', '22023'), (NULL, NULL, '10.001', '1',
                 '22003'),
             (NULL, NULL, '''NaN''', '1', '22003'), (NULL, NULL, '10', '0', '22023'), (NULL, NULL, '10',
                 '7', '22023'),
             (NULL, NULL, '10', '-1', '22023'),
             (NULL, NULL, '1000.01', '1', 'KL002 insufficient_funds')) v (r, p, amount, seat, want);
SELECT is(t.bring(:'r', :'a', '200', '1'), 'ok', 'R6.31: chips come to the table');
SELECT is(t.bring(:'r', :'a', '200', '1'), 'ok', 'the same again changes nothing');
SELECT is(t.bring(:'r', :'a', '300', '1'), 'KB005 stack_brought', 'R6.31: another amount does');
SELECT is(t.bring(:'r', :'a', '200', '2'), 'KB005 stack_brought', 'and another seat');
SELECT is(t.bring(:'r', :'b', '200', '1'), 'KB005 seat_taken', 'R6.13: one player a seat');
SELECT is(t.bet(:r, :b, 50, 1), 'KB005 seat_taken', 'R6.13: nor by a stake');
SELECT is(t.bet(:r, :a, 50, 2), 'KB005 one_seat', 'R6.13: one seat a player');
SELECT is((SELECT balance FROM player WHERE player_id = :a), 1000.00, 'R6.31: the money stays in the wallet');
SELECT is(t.bet(:r, :a, 200.01, 1), 'KB002 above_stack', 'R6.30: the first stake, too, is from the stack');
SELECT is(t.bet(:r, :a, 150, 1), 'ok', 'a stake from it');
SELECT is(t.bet(:r, :a, 50.01, 1), 'KB002 above_stack', 'R6.30: the wallet has more, the stack has not');
SELECT is(t.bring(:'r', :'a', '200', '1'), 'ok', 'sent again after a stake: a repetition');
SELECT is(t.bet(:r, :b, 50, 2), 'ok', 'another player stakes');
SELECT is(t.bring(:'r', :'b', '50', '2'), 'KB005 hand_begun', 'R6.31: not after the first stake');
SELECT is(t.bet(:r, :a, 50, 1), 'ok', 'R6.30: all in');
SELECT t.player(1000) AS c \gset
SELECT close_betting(:r) \g /dev/null
SELECT is(t.bring(:'r', :'c', '50', '3'), 'KB005 hand_begun', 'R6.31: not once the hand is played');
SELECT is(game_recall(:r) #> '{stacks,0}' ->> 'stack', '200.00', 'recall has the stack');
SELECT is((SELECT amount FROM significant_event(current_date - 1, current_date + 1) e
            WHERE e.round_id = :r AND e.event = 'chips brought to a table'), 200.00,
                'the report of events has it');
SELECT is(t.verdict(c), 'KL001 ledger_immutable', 'append-only: ' || c)
FROM unnest(ARRAY['UPDATE casino.table_stack SET amount = 1', 'DELETE FROM casino.table_stack',
                  'TRUNCATE casino.table_stack']) c;
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- below the minimum of 25 only all in (R6.20, R6.30)
SELECT t.hand(:tab) AS r, t.player(1000) AS a \gset
SELECT bring_to_table(:r, :a, 20, 1) \g /dev/null
SELECT is(t.bet(:r, :a, 19.99, 1), 'KB002 below_minimum', 'R6.20: below the minimum with chips left');
SELECT is(t.bet(:r, :a, 20, 1), 'ok', 'R6.30: all that lies at the table');
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- money that was spent elsewhere is not there (R6.30)
SELECT t.hand(:tab) AS r, t.player(100) AS a \gset
SELECT bring_to_table(:r, :a, 100, 1), place_bet(open_round(:wheel, 'spin'), :a, 'red@90') \g /dev/null
SELECT is(t.bet(:r, :a, 30, 1), 'KL002 insufficient_funds', 'the wallet still bounds it');
SELECT is(t.bet(:r, :a, 10, 1), 'ok', 'R6.20: all in with the whole wallet');
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- no game between players, no stack
SELECT is(t.bring((SELECT max(round_id)::text FROM round WHERE table_id = :wheel), :'b', '10', '1'), '22023',
          'R6.31: a roulette has no stack');

-- may_play() offers the rest
SELECT t.hand(:tab) AS r, t.player(100) AS a, t.player(100) AS b \gset
SELECT place_bet(:r, :a, 'pot@25', seat => 1), place_bet(:r, :b, 'pot@50', seat => 2) \g /dev/null
SELECT deposit(:a, 1000), close_betting(:r) \g /dev/null
SELECT is((SELECT amount FROM may_play(:r, :a) WHERE why_not IS NULL), 75.00,
    'R6.30: may_play() says all in');
SELECT is(t.finish(:r), 'voided', 'the hand ends');

-- --------------------------------------------------------------------------------- actions asked for (R6.32)
SELECT add_plan_version('holdem_cash_25_50', '2100-01-01', 'with actions')
    AS plan \gset
SELECT throws_ok(format('INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
                         VALUES (%s, ''actions_required'', %L, ''x'')', :plan, v),
                 '22023', NULL, 'R6.32: no value ' || v) FROM unnest(ARRAY['yes', 'false', '1', '']) v;
INSERT INTO plan_rule (plan_id, rule, value, paragraph) VALUES (:plan, 'actions_required', 'true',
    'D2 Texas Holdem');
SELECT is_empty(format('SELECT problem FROM check_plan(%s)', :plan), 'the plan is whole');
SELECT pg_temp.approve(:plan) \g /dev/null
SELECT t.hand(:tab) AS old, t.player(100) AS a, t.player(100) AS b \gset
SELECT place_bet(:old, :a, 'pot@50', seat => 1), place_bet(:old, :b, 'pot@50', seat => 2),
    close_betting(:old) \g /dev/null
SELECT is(t.verdict(format('SELECT casino.settle_round(%s, %L)', :old,
    '{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}')),
          'ok', 'R6.32: without the rule actions are optional');
-- a hand of its days
SET casino.clock_skew = -1;
SELECT open_round(:tab, 'with actions', '2101-01-01 12:00') AS new,
    t.player(100) AS c, t.player(100) AS d \gset
SELECT place_bet(:new, :c, 'pot@25', seat => 1, at => '2101-01-01 12:00:10'),
    place_bet(:new, :d, 'pot@50', seat => 2, at => '2101-01-01 12:00:20'),
    close_betting(:new, '2101-01-01 12:00:30') \g /dev/null
SELECT is(t.verdict(format('SELECT casino.settle_round(%s, %L, %L)', :new,
    '{"button": 1, "seats": [{"seat": 1, "folded": true}, {"seat": 2}]}', '2101-01-01 12:01')),
          'KR001 illegal_outcome', 'R6.32: a plan that asks for actions');
SELECT is(t.verdict(format('SELECT casino.settle_round(%s, %L, %L)', :new,
    '{"button": 1, "seats": [{"seat": 1, "folded": true}, {"seat": 2}],
          "actions": [{"street": "preflop", "seat": 1, "action": "small_blind"}, {"seat": 2,
              "action": "big_blind"}, {"seat": 1, "action": "fold"}]}', '2101-01-01 12:01')),
          'ok', 'R6.32: with them it is settled');
RESET casino.clock_skew;

-- ------------------------------------------------------------------------------------------------- the night
CREATE FUNCTION t.found() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(DISTINCT concat_ws(' ', f.rule, f.player_id, f.round_id), ', ')
      FROM casino_internal.check_stake_limits(current_date - 1, current_date + 1) f $$;
CREATE FUNCTION t.planted(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    said text;
BEGIN
    BEGIN
        EXECUTE change;
        said := coalesce(t.found(), 'nothing');
        RAISE EXCEPTION SQLSTATE 'ZZ001';
    EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
        RETURN said;
    END;
END $$;
-- chips dated ahead of the stake and of the end of betting that come after them (R11.86)
SET casino.clock_skew = -1;
SELECT t.hand(:tab) AS ahead, t.player(1000) AS a, t.player(1000) AS b,
       clock_timestamp() + interval '1 second' AS soon \gset
SELECT bring_to_table(:ahead, :a, 200, 1, :'soon'::timestamptz + interval '4 seconds'),
       place_bet(:ahead, :a, 'pot@100', seat => 1, at => :'soon') \g /dev/null
SELECT bring_to_table(:ahead, :b, 200, 2, :'soon'::timestamptz + interval '4 seconds') \g /dev/null
SELECT close_betting(:ahead, :'soon'::timestamptz + interval '1 second') \g /dev/null
CREATE FUNCTION t.stacks_recorded(r bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(f.player_id::text, ', ' ORDER BY f.player_id)
      FROM casino_internal.check_record(current_date - 1, current_date + 1) f
     WHERE f.rule = 'order' AND f.round_id = r $$;
SELECT is(t.stacks_recorded(:ahead), NULL, 'R11.86: chips dated ahead of a stake, and of the end of betting');
BEGIN;
ALTER TABLE casino.table_stack DISABLE TRIGGER ALL;
UPDATE casino.table_stack SET recorded_at = recorded_at + interval '1 second' WHERE round_id = :ahead;
SELECT t.stacks_recorded(:ahead) AS written_later \gset
ROLLBACK;
SELECT is(:'written_later', format('%s, %s', :a, :b), 'R11.86: planted: and written after them');
BEGIN;
ALTER TABLE casino.table_stack DISABLE TRIGGER ALL;
UPDATE casino.table_stack SET brought_at = brought_at + interval '58 seconds' WHERE round_id = :ahead;
SELECT t.stacks_recorded(:ahead) AS minute_later \gset
ROLLBACK;
SELECT is(:'minute_later', format('%s, %s', :a, :b), 'R11.86: planted: dated more than a minute ahead');
SELECT t.finish(:ahead) \g /dev/null
RESET casino.clock_skew;
SELECT is(t.found(), NULL, 'clean books: every stake from its stack');
SELECT t.hand(:tab) AS r, t.player(1000) AS a, t.player(1000) AS b \gset
SELECT bring_to_table(:r, :a, 200, 1), place_bet(:r, :a, 'pot@100', seat => 1), place_bet(:r, :a, 'pot@100',
    seat => 1),
       place_bet(:r, :b, 'pot@200', seat => 2), place_bet(:r, :b, 'pot@100', seat => 2) \g /dev/null
SELECT is(t.found(), NULL, 'clean books with a hand under way');
ALTER TABLE casino.table_stack DISABLE TRIGGER ALL;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
SELECT is(t.planted(format('UPDATE casino.table_stack SET amount = 199.99 WHERE round_id = %s', :r)),
          format('above_stack %s %s', :a, :r), 'planted: less was brought than staked');
SELECT is(t.planted(format('UPDATE casino.table_stack SET amount = 200.01 WHERE round_id = %s', :r)),
    'nothing',
          'a haléř more is right');
-- a had 1000 in the wallet when the chips came
SELECT is(t.planted(format('UPDATE casino.table_stack SET amount = 1000 WHERE round_id = %s', :r)), 'nothing',
          'R6.33: all that the wallet had');
SELECT is(t.planted(format('UPDATE casino.table_stack SET amount = 1000.01 WHERE round_id = %s', :r)),
          format('above_wallet %s %s', :a, :r), 'R6.33: planted: a haléř more than the wallet had');
SELECT is(t.planted(format($$UPDATE casino.ledger SET balance = 50
                                WHERE round_id = %s AND player_id = %s AND amount = 200$$, :r, :b)),
          format('above_stack %s %s', :b, :r), 'planted: the wallet had less before the first stake');
SELECT * FROM finish();
