-- Indexes of the operator's beside ours. The store describes an index once a session and prepares its
-- predicate then, unless the predicate could keep something of one statement: each entry is made in any case,
-- and each error is the row's own.
SET search_path = public;
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION amcheck;

SELECT casino.add_game_table('roulette_american', 'one', 1, 25000) \g /dev/null
SELECT casino.deposit(casino.register_player('p'), 100000) \g /dev/null
SELECT casino.open_round(1, 'r') \g /dev/null

-- the first error of an index that lacks an entry; NULL: each row has one in each index
CREATE FUNCTION lacking() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bt_index_check(i.indexrelid, true)
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE i.indrelid = 'casino.ledger_1'::regclass AND a.amname = 'btree';
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
END $$;
CREATE FUNCTION stake(amount text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino.place_bets(1, 1, ARRAY['red@' || amount]::casino.bet[]);
    RETURN 'placed';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;

SELECT is(stake('1'), 'placed', 'a stake with our indexes alone');
SELECT is(lacking(), NULL, 'each of them has its entry');

-- ----------------------------------------------------------------------- made and dropped between two stakes
CREATE INDEX made ON casino.ledger_1 (player_id, amount) WHERE amount > 5;
SELECT is(stake('6'), 'placed', 'a stake after an index was made');
SELECT is(lacking(), NULL, 'the new index has its entry');
BEGIN;
CREATE INDEX passing ON casino.ledger_1 (amount) WHERE kind = 'stake';
SELECT is(stake('7'), 'placed', 'a stake in the transaction that makes an index');
SELECT is(lacking(), NULL, 'it has its entry there');
ROLLBACK;
SELECT is(stake('8'), 'placed', 'a stake after the index was rolled back');
DROP INDEX casino.made;
SELECT is(stake('9'), 'placed', 'a stake after an index was dropped');
CREATE INDEX made ON casino.ledger_1 (player_id, amount) WHERE amount > 100;
SELECT is(stake('10'), 'placed', 'a stake after an index of the same name was made');
SELECT is(stake('101'), 'placed', 'a stake that the new index covers');
REINDEX INDEX casino.made;
SELECT is(stake('102'), 'placed', 'a stake after the index was built anew');
SELECT is(lacking(), NULL, 'each row has its entry in each index');
DROP INDEX casino.made;

-- ----------------------------------------------------- a whole row: its description belongs to one statement
CREATE INDEX whole_row ON casino.ledger_1 (player_id, entry_no) WHERE NOT (ledger_1 IS NULL);
CREATE INDEX whole_row_too ON casino.ledger_1 (player_id, entry_no)
    WHERE (ledger_1 IS NOT DISTINCT FROM ledger_1);
SELECT is(array_agg(stake(n::text)), '{placed,placed,placed}', 'stakes with predicates of the whole row')
  FROM generate_series(1, 3) n;
SELECT is(stake('4'), 'placed', 'another one in a statement of its own');
SELECT is(lacking(), NULL, 'their indexes have each entry');
DROP INDEX casino.whole_row, casino.whole_row_too;

-- ---------------------------------------------- a function that an error leaves half done (SECURITY DEFINER)
CREATE FUNCTION quotient(n numeric) RETURNS boolean LANGUAGE sql IMMUTABLE SECURITY DEFINER
    AS 'SELECT 1000 / (n - 66) > 1';
CREATE INDEX of_quotient ON casino.ledger_1 (player_id, entry_no) WHERE quotient(amount);
BEGIN;
SELECT is(stake('100'), 'placed', 'a stake with a predicate by a function');
SELECT is(stake('66'), '22012', 'an error of the function is the stake''s');
SELECT is(stake('3000'), 'placed', 'the next stake is judged by itself');
SELECT is(stake('100'), 'placed', 'so is the one after it');
COMMIT;
SELECT is(lacking(), NULL, 'the index has each entry');
DROP INDEX casino.of_quotient;

-- --------------------------------------------------------------------- a domain that gets another constraint
CREATE DOMAIN small AS numeric CHECK (value < 1000000);
CREATE INDEX of_domain ON casino.ledger_1 (player_id, entry_no) WHERE amount::small > 100;
SELECT is(stake('500'), 'placed', 'a stake with a predicate by a domain');
SELECT is(lacking(), NULL, 'the index has each entry');
ALTER DOMAIN small ADD CHECK (value < 400) NOT VALID;
SELECT is(stake('500'), '23514', 'the domain''s new constraint holds at the next stake');
SELECT is(stake('300'), 'placed', 'a stake within it');
DROP INDEX casino.of_domain;

SELECT is((SELECT sum(t.balance) FROM casino.trial_balance t), 0.00, 'the trial balance sums to zero');
SELECT * FROM finish();
