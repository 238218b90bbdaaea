-- The balance after each entry is kept in the entry: every way of posting fills it in, and a page of a
-- statement is read from the key.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET search_path = public, casino, casino_internal;
SELECT no_plan();
-- entries whose balance is not the sum of the changes up to them
CREATE VIEW wrong AS
    SELECT s.player_id, s.entry_no, s.kind, s.balance, s.reckoned
      FROM (SELECT l.player_id, l.entry_no, l.kind, l.balance,
            sum(l.amount * k.wallet_sign) OVER (PARTITION BY l.player_id ORDER BY l.entry_no) AS reckoned
              FROM casino.ledger l JOIN casino.entry_kinds() k ON k.kind = l.kind) s
     WHERE s.balance IS DISTINCT FROM s.reckoned;

SELECT add_game_table('roulette_american', 'R', 1, 1000) AS r,
    add_game_table('blackjack_synot', 'J', 10, 1000, '{"behind": true}') AS j,
       add_game_table('holdem_cash_25_50', 'T', 25, 5000) AS t,
           add_game_table('baccarat', 'B', 10, 1000) AS b \gset
SELECT register_player('A') AS a, register_player('B') AS b1, register_player('C') AS c \gset
SELECT deposit(p, 10000), adjust(p, -0.07, 'why') FROM unnest(ARRAY[:a, :b1, :c]) p \g /dev/null
-- several payouts of a player in one settlement
SELECT open_round(:r, '1') AS r1 \gset
SELECT place_bets(:r1, :a, '{red@10,straight:5@20,odd@30,black@40,low@7.77}'),
    place_bets(:r1, :b1, '{straight:5@1,split:5-8@2}'), place_bet(:r1, :c, 'black@3') \g /dev/null
SELECT settle_round(:r1, '{"number": 5}') \g /dev/null
SELECT is((SELECT count(*) FROM casino.ledger WHERE player_id = :a AND kind = 'payout'), 4::bigint,
          'four payouts of one player');
SELECT is_empty('SELECT * FROM wrong', 'settled by the store');
SELECT is((SELECT array_agg(balance ORDER BY entry_no) FROM casino.ledger WHERE player_id = :b1),
          '{10000.00,9999.93,9998.93,9996.93,10032.93,10068.93}',
          '0.07 taken, 1 and 2 staked, 36 and 36 won');
-- by SQL, where the store leaves the table alone
ALTER TABLE casino.ledger ADD COLUMN more text;
SELECT is(store_in_use(), false, 'a column more: the store is not used');
SELECT open_round(:r, '2') AS r2 \gset
SELECT place_bets(:r2, :a, '{red@10,straight:5@20,odd@30,black@40,low@7.77}'),
    place_bets(:r2, :b1, '{straight:5@1,split:5-8@2}'), place_bet(:r2, :c, 'black@3') \g /dev/null
SELECT settle_round(:r2, '{"number": 5}') \g /dev/null
SELECT is_empty('SELECT * FROM wrong', 'settled by SQL');
ALTER TABLE casino.ledger DROP COLUMN more;
-- withheld and paid, voided, cancelled with those behind, disconnected
SELECT open_round(:r, '3') AS r3 \gset
SELECT place_bets(:r3, :a, '{red@10,straight:5@20}'), place_bets(:r3, :c, '{straight:5@1,odd@5}') \g /dev/null
SELECT settle_round(:r3, '{"number": 5}', withhold => true) \g /dev/null
SELECT pay_withheld(:r3) \g /dev/null
SELECT is_empty('SELECT * FROM wrong', 'withheld winnings paid');
SELECT open_round(:r, '4') AS r4 \gset
SELECT place_bets(:r4, :a, '{red@10,straight:5@20}'), place_bets(:r4, :c, '{straight:5@1,odd@5}') \g /dev/null
SELECT void_round(:r4, 'why') \g /dev/null
SELECT is_empty('SELECT * FROM wrong', 'voided');
SELECT open_round(:j, '1') AS j1 \gset
SELECT place_bets(:j1, :a, '{main@50,21+3@10}', 'm', 1), place_bet(:j1, :b1, 'behind@20', 'n', 1),
    place_bet(:j1, :c, 'main@30', 'o', 2) \g /dev/null
SELECT cancel_bet(:j1, :a, 'm'), disconnect(:j1, :c) \g /dev/null
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :j1 AND kind = 'refund'), 4::bigint,
          'four stakes returned');
SELECT is_empty('SELECT * FROM wrong', 'cancelled and disconnected');
SELECT void_round(:j1, 'end') \g /dev/null
-- money out, plain INSERT (a balance given is the ledger's), pots
SELECT set_payment_account(:a, 'CZ1') \g /dev/null
SELECT request_withdrawal(:a, 100, 'cash') AS w1, request_withdrawal(:a, 50, 'cash') AS w2 \gset
SELECT pay_withdrawal(:w1), cancel_withdrawal(:w2) \g /dev/null
INSERT INTO casino.ledger (player_id, kind, amount, balance) VALUES (:a, 'deposit', 1, 1000000),
    (:c, 'deposit', 2, NULL);
INSERT INTO casino.ledger (player_id, kind, amount, reason) VALUES (:a, 'adjustment', -1, 'why');
SELECT open_round(:t, '1') AS t1 \gset
SELECT place_bet(:t1, :a, 'pot@50', NULL, 1), place_bet(:t1, :c, 'pot@50', NULL, 2) \g /dev/null
SELECT settle_round(:t1, '{"button": 1, "seats": [{"seat": 1}, {"seat": 2, "folded": true}]}') \g /dev/null
SELECT is_empty('SELECT * FROM wrong', 'withdrawals, plain INSERTs, pots');
SELECT is((SELECT array_agg(p.balance ORDER BY p.player_id) FROM casino.player p),
          (SELECT array_agg(balance ORDER BY player_id)
           FROM (SELECT DISTINCT ON (player_id) player_id, balance FROM casino.ledger
                 ORDER BY player_id, entry_no DESC) l),
          'the last one is the wallet''s');
SELECT throws_ok('UPDATE casino.ledger SET balance = 0', 'KL001', NULL, 'it does not change');
SELECT results_eq(format('SELECT entry_no, change, balance
                            FROM casino.statement
                           WHERE player_id = %s
                           ORDER BY entry_no DESC',
                         :a),
    format('SELECT l.entry_no, l.amount * k.wallet_sign,
                   sum(l.amount * k.wallet_sign) OVER (ORDER BY l.entry_no)
              FROM casino.ledger l
              JOIN casino.entry_kinds() k USING (kind)
             WHERE player_id = %s
             ORDER BY entry_no DESC',
           :a),
    'the statement says the same');

-- a payout has the bet, box and hand of its stake, and so has a refund; a deposit lacks them
CREATE VIEW shown AS
    SELECT s.player_id, s.entry_no, s.kind, s.stake_entry_no, s.staked_on, s.seat, s.hand, s.amount
      FROM casino.statement s;
SELECT register_player('splits') AS d \gset
SELECT deposit(:d, 1000), open_round(:j, 'pairs') AS j2 \gset
SELECT place_bets(:j2, :d, '{main@200,player_pair@10}', 'p1', 3) \g /dev/null
SELECT close_betting(:j2) \g /dev/null
SELECT place_bet(:j2, :d, 'split_pair@200', 'p2', 3, 2) \g /dev/null
SELECT settle_round(:j2, '{"dealer": "Ts 7d", "hands": [{"seat": 3, "hand": 1, "cards": "8h Tc"},
                                                        {"seat": 3, "hand": 2, "cards": "8d 9s"}]}')
    \g /dev/null
SELECT results_eq(format($$SELECT kind, stake_entry_no::int, staked_on::text, seat, hand
                             FROM shown
                            WHERE player_id = %s AND kind <> 'payout'
                            ORDER BY entry_no$$, :d),
                  $$VALUES ('deposit', NULL::int, NULL, NULL::int, NULL::int),
                           ('stake', NULL, 'main@200.00', 3, NULL),
                           ('stake', NULL, 'player_pair@10.00', 3, NULL),
                           ('stake', NULL, 'split_pair@200.00', 3, 2)$$, 'stakes are as they were placed');
SELECT set_eq(format($$SELECT stake_entry_no::int, staked_on::text, seat, hand, amount
                         FROM shown
                        WHERE player_id = %s AND kind = 'payout'$$, :d),
              $$VALUES (2, 'main@200.00', 3, NULL::int, 400.00), (3, 'player_pair@10.00', 3, NULL, 130.00),
                       (4, 'split_pair@200.00', 3, 2, 200.00)$$,
              'two payouts of a split: it is seen of which hand each is');
SELECT set_eq(format($$SELECT kind, bet, seat, hand, change
                         FROM casino.player_statement(%s, prague_day(now()), prague_day(clock_timestamp()))
                        WHERE kind IN ('stake', 'payout')$$, :d),
              $$VALUES ('stake', 'main@200.00', 3, NULL::int, -200.00),
                       ('stake', 'player_pair@10.00', 3, NULL, -10.00),
                       ('stake', 'split_pair@200.00', 3, 2, -200.00),
                       ('payout', 'main@200.00', 3, NULL, 400.00),
                       ('payout', 'player_pair@10.00', 3, NULL, 130.00),
                       ('payout', 'split_pair@200.00', 3, 2, 200.00)$$, 'player_statement() says the same');
SELECT set_eq(format($$SELECT kind, seat, staked_on::text
                         FROM shown
                        WHERE player_id = %s AND stake_entry_no IS NOT NULL AND seat IS NOT NULL$$, :b1),
              $$VALUES ('refund', 1, 'behind@20.00')$$, 'a refund has those of its stake');
SELECT is_empty($$SELECT e.*
                    FROM shown e
                    JOIN casino.ledger s ON s.player_id = e.player_id AND s.entry_no = e.stake_entry_no
                   WHERE (e.staked_on, e.seat, e.hand) IS DISTINCT FROM (s.bet, s.seat, s.hand)$$,
                'and so has every entry that names a stake');

-- a page of a hundred thousand entries
SELECT register_player('many') AS many \gset
-- written past the trigger, as a restore does: a hundred thousand postings take a minute
SET session_replication_role = replica;
INSERT INTO casino.ledger (player_id, entry_no, kind, amount, balance, posted_at, recorded_at, recorded_by)
SELECT :many, n, 'deposit', 1.00, n, now(), now(), (SELECT min(recorder_id) FROM casino.recorder)
  FROM generate_series(1, 100000) n;
UPDATE casino.player SET balance = 100000, last_entry_no = 100000 WHERE player_id = :many;
SET session_replication_role = origin;
ANALYZE casino.ledger;
CREATE FUNCTION buffers(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
    RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::numeric
           + (plan #>> '{0,Plan,Shared Read Blocks}')::numeric;
END $$;
CREATE FUNCTION page(p bigint, before bigint) RETURNS text LANGUAGE sql AS
    $$ SELECT format('SELECT entry_no, kind, change, balance, role
                        FROM casino.statement
                       WHERE player_id = %s AND entry_no < %s
                       ORDER BY entry_no DESC
                       LIMIT 50',
                     p, before) $$;
SELECT cmp_ok(buffers(page(:many, before)), '<', 40::numeric,
              format('50 entries before %s: a few pages are read', before))
  FROM unnest(ARRAY[1000000, 100000, 50000, 60]) before;
SELECT cmp_ok(buffers(format('SELECT entry_no, bet, change FROM casino.statement WHERE player_id = %s', :d)),
              '<',
              buffers(format('SELECT entry_no, staked_on, change FROM casino.statement WHERE player_id = %s',
                             :d)), 'a page that leaves out the bets of payouts does not read their stakes');
SELECT is((SELECT (entry_no, change, balance) FROM casino.statement
           WHERE player_id = :many AND entry_no < 50000 ORDER BY entry_no DESC OFFSET 49
               LIMIT 1), (49950::bigint, 1.00, 49950::numeric), 'and the balance is right');
SELECT finish();
