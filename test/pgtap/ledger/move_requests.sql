-- Requests of moves between cells are theirs alone (R12.114): nothing else blocks a move, and no entry that
-- has their names evades the approval of a large adjustment, also when the request is forgotten (R12.130).
SET search_path = public;
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE FUNCTION code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;

SELECT casino.set_duty_rule('adjust_amount', '100', '2020-01-01', 'rules 7', 'rules of the house')
    \g /dev/null
SELECT casino.add_game_table('roulette_american', 'one', 10, 2500) AS one,
       casino.register_player('anna') AS anna \gset
SELECT casino.deposit(:anna, 1000, 'first', clock_timestamp() - interval '3 days', method => 'card')
    \g /dev/null
SELECT casino.open_round(:one, 'one') AS round \gset

-- --------------------------------------------------------------------- before a move
SELECT is(code(format(c.call, :anna, r.request, :round)), '22023',
          format('R12.114: %s as "%s"', c.name, r.request))
  FROM unnest(ARRAY['casino: to cell 1', 'casino: to cell ', 'casino: from cell 0']) r (request)
 CROSS JOIN (VALUES ('a deposit', 'SELECT casino.deposit(%1$s, 10, %2$L)'),
                    ('a small adjustment', 'SELECT casino.adjust(%1$s, 10, ''x'', %2$L)'),
                    ('a large one', 'SELECT casino.adjust(%1$s, -500, ''x'', %2$L)'),
                    ('one by INSERT', 'INSERT INTO casino.ledger (player_id, kind, amount, reason, request_id)
                                       VALUES (%1$s, ''adjustment'', 10, ''x'', %2$L)'),
                    ('a stake', 'SELECT casino.place_bet(%3$s, %1$s, ''red@10'', %2$L)'),
                    ('a stake by INSERT', 'INSERT INTO casino.ledger
                                               (player_id, kind, round_id, bet, request_id)
                                           VALUES (%1$s, ''stake'', %3$s, ''red@10'', %2$L)'),
                    ('a withdrawal', 'SELECT casino.request_withdrawal(%1$s, 10, ''cash'', %2$L)'),
                    ('a bet taken back', 'SELECT casino.cancel_bet(%3$s, %1$s, %2$L)'),
                    ('play elsewhere', 'SELECT casino.count_other_play(%1$s, ''slots'', 1, -1, %2$L)'),
                    ('a stake elsewhere', 'SELECT casino.may_stake_elsewhere(%1$s, ''slots'', 1, %2$L)'))
       c (name, call);
SELECT is((SELECT concat_ws(' ', p.balance, p.last_entry_no) FROM casino.player p WHERE p.player_id = :anna),
          '1000.00 1', 'nothing of it was posted');
SELECT casino.register_player('bert') AS bert \gset
SELECT is(code(format('SELECT casino.adjust(%s, 10, ''x'', %L)', :bert, r.request)), 'done',
          format('another request: "%s"', r.request))
  FROM unnest(ARRAY['casino: to cell', 'casino: to cellar 1', ' casino: to cell 1', 'Casino: to cell 1',
                    'casino: from']) r (request);

-- --------------------------------------------------------------------- the move itself
SELECT is(casino_internal.leave_cell(:anna, 1, false, NULL, NULL) ->> 'amount', '1000.00',
          'R12.114: a move takes more than the figure without an approval, and nothing was in its way');
SELECT casino_internal.enter_cell(77, 2, 300, '{"exclusions": [], "limits": [], "usage": {}}', 'carl', NULL,
                                  NULL, NULL) AS carl \gset
SELECT is((SELECT p.balance FROM casino.player p WHERE p.player_id = :carl), 300.00, '... and brings it');
SELECT is(casino.adjust(:carl, 300, 'moved from cell 2', 'casino: from cell 2', m.moved_at), 1::bigint,
          'a repetition is answered')
  FROM casino.account_move m
 WHERE m.player_id = :carl;

-- --------------------------------------------------------------------- money for the account that has left
SELECT is(code(format('SELECT casino.adjust(%s, %s, ''x'', %L, round_id => %L)', :anna, a.amount, 'n' || a.n,
                      a.round)),
          a.code, 'R12.156: ' || a.what)
  FROM (VALUES (1, 0.01, NULL, 'KB004', 'a gift to the account that has moved is refused'),
               (2, 50, :round, 'done', 'money for a round is posted'),
               (3, -50, NULL, 'done', 'and can be taken')) a (n, amount, round, code, what);

-- --------------------------------------------------------------------- there and back
SELECT casino.register_player('dora') AS dora \gset
SELECT casino_internal.leave_cell(:dora, 1, true, NULL, NULL) \g /dev/null
CREATE FUNCTION back(number bigint) RETURNS text LANGUAGE sql AS $$
    SELECT code(format($q$ SELECT casino_internal.enter_cell(79, 1, 70, '{"exclusions": [], "limits": [],
                                                                       "usage": {}}',
                                                             'dora', NULL, NULL, %L) $q$, number)) $$;
SELECT is(back(NULL), '55000', 'R12.111: no account comes back to the cell that the person left just now');
SELECT is(back(:dora + 100), 'done', 'R12.154: one that a cell that was put back has lost comes again');
SELECT is((SELECT concat_ws(' ', p.external_ref, p.balance, p.closed_at) FROM casino.player p
            WHERE p.player_id = :dora + 100), 'dora 70.00', '... under its number, with its money');
SELECT is(back(NULL), 'done', 'and is there when it is told again');
SELECT is((SELECT count(*) FROM casino.player p WHERE p.external_ref = 'dora'), 2::bigint, '... once');

-- --------------------------------------------------------------------- when the request is forgotten
SELECT casino.turn_book() \g /dev/null
SELECT casino.turn_book() \g /dev/null
SET casino.request_memory = 0;
SELECT is(code(format('SELECT casino.adjust(%s, %s, ''x'', %L)', x.player, x.amount, x.request)), x.answer,
          format('R12.114, R12.130: %s CZK of player %s as "%s"', x.amount, x.player, x.request))
  FROM (VALUES (:carl, 300, 'casino: from cell 2', '22023'), (:carl, 10, 'casino: from cell 2', '22023'),
               (:carl, 300, 'x', '42501'), (:carl, 100, 'y', 'done')) x (player, amount, request, answer);
-- what a correction brought to an account that has left in a cell that was put back
SELECT casino.adjust(:anna, 100, 'a correction', 'c', round_id => :round) \g /dev/null
SELECT is(code(format('SELECT casino.adjust(%s, -100, ''x'', %L)', :anna, 'casino: to cell 1')), '22023',
          'R12.114: an account that has left is closed: its request takes nothing any more');

-- --------------------------------------------------------------------- the night
CREATE FUNCTION night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', f.rule, f.player_id, f.entry_no, f.found), '; '), 'nothing')
      FROM casino_internal.check_adjustment(casino.prague_day(now()) - 1, casino.prague_day(now())) f
     WHERE f.rule = 'approval' $$;
SELECT is(night(), 'nothing', 'clean books');
BEGIN;
SET LOCAL session_replication_role = replica;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE casino.ledger l SET amount = 300, request_id = 'casino: from cell 2'
 WHERE l.player_id = :carl AND l.request_id = 'y';
SELECT night() AS found \gset
ROLLBACK;
SELECT is(:'found'::text, format('approval %s 2 above 100 CZK, and not approved', :carl),
          'R12.114: the night tells an entry that has the request of a move from the one of the move');
SELECT * FROM finish();
