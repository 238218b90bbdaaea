-- rebuild(): state made anew from the evidence is what was there, and what was damaged is put right (R9.6).
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(day integer,
                   clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT (('2026-06-'
                           || lpad(day::text, 2, '0') || ' '
                               || clock)::timestamp AT TIME ZONE 'Europe/Prague') $$;
-- whole rows before and after, numbers as numbers
CREATE TABLE was_player AS SELECT * FROM casino.player WITH NO DATA;
CREATE TABLE was_limit AS SELECT * FROM casino.limit_state WITH NO DATA;
CREATE TABLE was_open AS SELECT * FROM casino.open_withdrawal WITH NO DATA;
CREATE PROCEDURE remember() LANGUAGE sql AS $$
    TRUNCATE was_player, was_limit, was_open;
    INSERT INTO was_player TABLE casino.player;
    INSERT INTO was_limit TABLE casino.limit_state;
    INSERT INTO was_open TABLE casino.open_withdrawal $$;
CREATE VIEW differing AS
    SELECT 'player ' || p.player_id AS what, p::text AS is, w::text AS was FROM casino.player p
      FULL JOIN was_player w USING (player_id) WHERE p.* IS DISTINCT FROM w.*
    UNION ALL
    SELECT 'limits of ' || coalesce(p.player_id, w.player_id), p::text, w::text FROM casino.limit_state p
      FULL JOIN was_limit w ON w.player_id = p.player_id WHERE p.* IS DISTINCT FROM w.*
    UNION ALL
    SELECT 'withdrawal', p::text, w::text FROM casino.open_withdrawal p
      FULL JOIN was_open w ON (w.player_id, w.entry_no) = (p.player_id, p.entry_no)
          WHERE p.* IS DISTINCT FROM w.*;
-- 0 rows changed, and then from nothing the same
CREATE PROCEDURE damage() LANGUAGE sql AS $$
    SET LOCAL session_replication_role = replica;
    UPDATE casino.player SET balance = 0, last_entry_no = 0, last_posted_at = '-infinity',
        last_round_id = NULL, sequence_started_at = NULL, previous_round_id = NULL,
           previous_sequence_started_at = NULL, excluded_until = NULL, limited = false;
    DELETE FROM casino.limit_state; DELETE FROM casino.open_withdrawal;
    SET LOCAL session_replication_role = origin $$;
CREATE FUNCTION same(moment text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    CALL public.remember();
    RETURN NEXT public.is(casino.rebuild(), 0::bigint, moment || ': nothing is otherwise than it was');
    RETURN NEXT public.is_empty('SELECT * FROM public.differing', moment || ': no row');
    CALL public.damage();
    RETURN NEXT public.cmp_ok(casino.rebuild(), '>', 0::bigint, moment || ': from nothing');
    RETURN NEXT public.is_empty('SELECT * FROM public.differing', moment || ': it is made as it was');
END $$;

SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r,
    add_game_table('roulette_synot', 'Q', 1, 10000) AS q,
        add_game_table('roulette_american', 'X', 1, 10000) AS x,
       add_game_table('blackjack_synot', 'J', 10, 1000, '{"behind": true}') AS j,
       register_player('anna') AS a, register_player('bob') AS b, register_player('carl') AS c,
           register_player('dora') AS d, register_player('nobody') AS n \gset
SELECT deposit(v.p, 20000, 'd', at(1, '09:00')) FROM (VALUES (:a), (:b), (:c), (:d)) v (p) \g /dev/null
SELECT * FROM same('money only');

-- limits: a first one in the middle of play, a raise that waits, one taken back
SELECT open_round(:r, 'r1', at(1, '10:00')) AS r1 \gset
SELECT place_bets(:r1, v.p, '{red@100,straight:17@10}', 'r1', at => at(1, '10:01'))
  FROM (VALUES (:a), (:b), (:c)) v (p) \g /dev/null
SELECT set_limit(:a, 'stake', 'day', 5000, at(1, '10:02')),
    set_limit(:b, 'net_loss', 'month', 3000, at(1, '10:02')) \g /dev/null
SELECT * FROM same('a round that is open');
SELECT settle_round(:r1, '{"number": 17}', at(1, '10:05')) \g /dev/null
SELECT set_limit(:a, 'stake', 'day', 8000, at(1, '10:06')),
    set_limit(:a, 'net_loss', 'day', 900, at(1, '10:07')) \g /dev/null
SELECT * FROM same('settled');
-- joined and cancelled: the state before it; then joined again
SELECT open_round(:r, 'r2', at(1, '10:10')) AS r2 \gset
SELECT place_bet(:r2, :a, 'red@50', 'r2a', at => at(1, '10:11')),
    place_bet(:r2, :b, 'red@60', 'r2b', at => at(1, '10:11')),
        place_bet(:r2, :c, 'red@70', 'r2c', at => at(1, '10:11')) \g /dev/null
SELECT cancel_bet(:r2, :a, 'r2a', at(1, '10:12')), disconnect(:r2, :b, at(1, '10:12')) \g /dev/null
SELECT * FROM same('joined and left');
SELECT place_bet(:r2, :a, 'odd@50', 'r2A', at => at(1, '10:12:30')),
    place_bet(:r2, :c, 'odd@5', 'r2C', at => at(1, '10:12:30')) \g /dev/null
SELECT cancel_bet(:r2, :c, 'r2c', at(1, '10:12:40')) \g /dev/null
SELECT * FROM same('joined again, and the first stake cancelled');
SELECT void_round(:r2, 'before betting closed', at(1, '10:13')) \g /dev/null
SELECT * FROM same('voided before betting closed');
-- voided after betting closed; withheld, and voided; a game that is not live
SELECT open_round(:r, 'r3', at(1, '10:40')) AS r3 \gset
SELECT place_bet(:r3, v.p, 'low@40', 'r3', at => at(1, '10:41')) FROM (VALUES (:a), (:b)) v (p) \g /dev/null
SELECT close_betting(:r3, at(1, '10:42')), void_round(:r3, 'after it', at(1, '10:43')) \g /dev/null
SELECT open_round(:q, 'q1', at(1, '10:44')) AS q1 \gset
SELECT place_bet(:q1, v.p, 'low@400', 'q1', at => at(1, '10:45'))
  FROM (VALUES (:a), (:b), (:d)) v (p) \g /dev/null
SELECT settle_round(:q1, '{"number": 3}', at(1, '10:46'), true, 'why') \g /dev/null
SELECT * FROM same('withheld');
SELECT void_wagers(:q1, :d, 'marked', at(1, '10:50')), void_round(:q1, 'ball', at(1, '10:51')) \g /dev/null
SELECT * FROM same('voided when it had been evaluated');
SELECT open_round(:x, 'x1', at(1, '11:00')) AS x1 \gset
SELECT place_bet(:x1, v.p, 'low@40', 'x1', at => at(1, '11:01'))
  FROM (VALUES (:a), (:b), (:d)) v (p) \g /dev/null
-- box: behind goes back with its main; the box's double
SELECT open_round(:j, 'j1', at(1, '11:10')) AS j1 \gset
SELECT place_bet(:j1, :a, 'main@100', 'm', 1, at => at(1, '11:11')),
    place_bet(:j1, :b, 'behind@50', 'm', 1, at => at(1, '11:12')),
        place_bet(:j1, :d, 'main@20', 'm', 2, at => at(1, '11:12')) \g /dev/null
SELECT cancel_bet(:j1, :d, 'm', at(1, '11:13')) \g /dev/null
SELECT close_betting(:j1, at(1, '11:14')), place_bet(:j1, :a, 'double_down@100', 'dd', 1,
                                                     at => at(1, '11:15')) \g /dev/null
SELECT settle_round(:j1, '{"dealer": "5h Tc 8d", "hands": [{"seat": 1, "cards": "9c 2d 4s"}]}',
                    at(1, '11:20')) \g /dev/null
SELECT * FROM same('a box');
-- a stake that comes too late, an exclusion while betting is open, its end, withdrawals of every fate
SELECT open_round(:r, 'r4', at(1, '12:00')) AS r4 \gset
SELECT place_bet(:r4, :a, 'red@10', 'r4', at => at(1, '12:01')),
    place_bet(:r4, :c, 'red@10', 'r4', at => at(1, '12:01')),
        place_bet(:r4, :b, 'red@10', 'r4', at => at(1, '12:05')) \g /dev/null
SELECT exclude_player(:c, at(3, '00:00'), 'self', at(1, '12:03')),
    exclude_player(:d, at(9, '00:00'), 'operator', at(1, '12:03')) \g /dev/null
SELECT close_betting(:r4, at(1, '12:04')) \g /dev/null
SELECT end_exclusion(:d, 1, 'a mistake', at(1, '13:00')) \g /dev/null
SELECT set_payment_account(:a, 'CZ1', at(1, '08:00')) \g /dev/null
SELECT request_withdrawal(:a, 100, 'cash', 'w1', at(1, '14:00')) AS w1,
    request_withdrawal(:a, 200, 'transfer', 'w2', at(1, '14:00')) AS w2,
        request_withdrawal(:b, 300, 'cash', 'w3', at(1, '14:00')) AS w3 \gset
SELECT pay_withdrawal(:w1, at(1, '14:10')), cancel_withdrawal(:w3, at(1, '14:10')) \g /dev/null
SELECT * FROM same('late, excluded, withdrawals');
-- over midnight: who only loses has counters of the new day without an entry of it; other products; a
-- correction
SELECT settle_round(:r4, '{"number": 0}', at(2, '00:01')) \g /dev/null
SELECT count_other_play(:b, 'lottery', 500, -200, 'o1', at(1, '20:00')),
    count_other_play(:a, 'lottery', 70, 30, 'o1', at(2, '00:30')),
        adjust(:b, -5, 'why', 'k', at(2, '01:00')) \g /dev/null
SELECT * FROM same('over midnight');
SELECT settle_round(:x1, '{"number": 3}', at(2, '01:01')) \g /dev/null
-- an account opened again takes over limits, counters and exclusions
SELECT set_limit(:c, 'stake', 'month', 1000, at(2, '02:00')) \g /dev/null
SELECT request_withdrawal(:c, balance, 'transfer', 'all', at(3, '02:00')) IS NULL
  FROM (SELECT set_payment_account(:c, 'CZ3', at(2, '01:00'))) s, casino.player
      WHERE player_id = :c \g /dev/null
SELECT pay_withdrawal(withdrawal_id, at(5, '02:00')) FROM casino.pending_withdrawals
 WHERE player_id = :c \g /dev/null
SET casino.clock_skew = 5;
SELECT register_player('eva') AS e \gset
SELECT deposit(:e, 1000), set_limit(:e, 'stake', 'day', 600),
    set_limit(:e, 'net_loss', 'day', 500) \g /dev/null
SELECT open_round(:q, 'q2') AS q2 \gset
SELECT place_bet(:q2, :e, 'red@200') \g /dev/null
SELECT settle_round(:q2, '{"number": 0}') \g /dev/null
SELECT request_withdrawal(:e, 800, 'transfer') AS w4
  FROM (SELECT set_payment_account(:e, 'CZ4') OFFSET 0) s \gset
SELECT cancel_withdrawal(:w4), adjust(:e, -800, 'taken out by hand') \g /dev/null
SELECT close_account(:e), close_account(:c) \g /dev/null
SELECT register_player('eva') AS e2, register_player('carl') AS c2 \gset
SELECT * FROM same('taken over');
SELECT deposit(:e2, 500) \g /dev/null
SELECT open_round(:q, 'q3') AS q3 \gset
SELECT place_bet(:q3, :e2, 'red@20') \g /dev/null
SELECT count_other_play(:e, 'lottery', 10, -10), count_other_play(:e2, 'lottery', 5, -5) \g /dev/null
SELECT set_limit(:e2, 'stake', 'day', 550) \g /dev/null
SELECT * FROM same('and played on');
SELECT is((SELECT staked_day FROM casino.limit_state WHERE player_id = :e2), 235.00,
          '200 taken over, 20 staked, 15 in other products');

-- what is wrong is counted and put right
CALL remember();
SET session_replication_role = replica;
UPDATE casino.player SET balance = balance + 1 WHERE player_id = :a;
UPDATE casino.limit_state SET staked_day = 0, lost_month = 7 WHERE player_id = :e2;
DELETE FROM casino.open_withdrawal;
INSERT INTO casino.open_withdrawal VALUES (:b, 1);
SET session_replication_role = origin;
SELECT is(rebuild(), 4::bigint, 'a balance, counters, a withdrawal missing and one too many');
SELECT is_empty('SELECT * FROM differing', 'are right again');
-- nobody's business
CREATE ROLE rebuild_nobody;
SELECT grant_access('rebuild_nobody', 'nightly') \g /dev/null
SET ROLE rebuild_nobody;
SELECT throws_ok('SELECT casino.rebuild()', '42501', NULL, 'only the owner makes state anew');
RESET ROLE;
SELECT revoke_access('rebuild_nobody') \g /dev/null
DROP ROLE rebuild_nobody;
CREATE FUNCTION without(id bigint) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL session_replication_role = replica;
    DELETE FROM casino.player WHERE player_id = id;
    PERFORM casino.rebuild();
    RAISE EXCEPTION 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(without(:a), format('55000 player %s has entries and is not in casino.player', :a),
          'who a player is cannot be made up');
SELECT finish();
