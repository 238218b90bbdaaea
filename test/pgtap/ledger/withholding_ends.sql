-- How a withholding ends, where more than one holds the same money back or somebody else has paid (D4 §11.1;
-- R7.42, R7.43, R7.45).
\ir ../helpers/compliance.psql
SELECT no_plan();

-- a round in which the players a, b and c, in the order of their numbers, have 100 on red; red wins at 18:05
CREATE FUNCTION t.open(OUT r bigint, OUT a bigint, OUT b bigint, OUT c bigint) LANGUAGE plpgsql AS $$
BEGIN
    a := t.player(1000); b := t.player(1000); c := t.player(1000);
    r := t.round('S1', '18:00');
    PERFORM casino.place_bet(r, p, 'red@100', at => t.at('18:00')) FROM unnest(ARRAY[a, b, c]) p;
END $$;
CREATE FUNCTION t.red(r bigint, withhold boolean DEFAULT false) RETURNS text LANGUAGE sql AS
    $$ SELECT (casino.settle_round(r, '{"number": 1}', t.at('18:05'), withhold, 'wheel')).status $$;
CREATE FUNCTION t.balances(VARIADIC players bigint[]) RETURNS numeric[] LANGUAGE sql AS
    'SELECT array_agg(p.balance ORDER BY p.player_id) FROM casino.player p WHERE p.player_id = ANY (players)';
CREATE FUNCTION t.hold(r bigint, p bigint, at text DEFAULT '18:01') RETURNS void LANGUAGE sql AS
    $$ SELECT casino.withhold_winnings(r, p, 'his bets', t.at(hold.at)) $$;
CREATE FUNCTION t.by_hand(p bigint, amount numeric, at text DEFAULT '18:06') RETURNS text LANGUAGE sql AS
    $$ SELECT format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                      VALUES (%s, ''payout'', %s, 2, t.at(%L))',
                     p, amount, at) $$;

-- ---------------------------------------------------------------- whose money it is, whatever his number
SELECT * FROM t.open() \gset
SELECT t.hold(:r, :b) \g /dev/null
SELECT is(t.red(:r), 'settled', 'of three winners the middle one is withheld');
SELECT is(t.balances(:a, :b, :c), '{1100.00,900.00,1100.00}',
          'R7.42: who comes before him is paid, and who comes after him');
SELECT is((casino.pay_withheld(:r, t.at('18:10'), :b)).status, 'settled', 'then he is paid');
SELECT is(t.balances(:a, :b, :c), '{1100.00,1100.00,1100.00}', '... he alone');
SELECT is((SELECT withheld_at IS NULL AND withheld_paid_at IS NULL FROM casino.round WHERE round_id = :r),
          true, 'the round was never withheld as a whole, and does not say so');
SELECT * FROM t.open() \gset
SELECT t.hold(:r, p) FROM unnest(ARRAY[:a, :c]) p \g /dev/null
SELECT t.red(:r), casino.pay_withheld(:r, t.at('18:10'), :c) \g /dev/null
SELECT is(t.balances(:a, :b, :c), '{900.00,1100.00,1100.00}', 'of two who are withheld one is paid');
SELECT is((casino.pay_withheld(:r, t.at('18:11'))).status, 'settled', 'without a number: who is left');
SELECT is(t.balances(:a, :b, :c), '{1100.00,1100.00,1100.00}', '... all have what they won, once');

-- ---------------------------------------------------------------- a round withheld as a whole
SELECT * FROM t.open() \gset
SELECT t.red(:r, true), casino.pay_withheld(:r, t.at('18:10')) \g /dev/null
SELECT is((casino.pay_withheld(:r, t.at('18:11'), :b))::text, (casino.pay_withheld(:r, t.at('18:12')))::text,
          'paid as a whole: a single player''s payment is a repetition');
SELECT is(t.balances(:a, :b, :c), '{1100.00,1100.00,1100.00}', '... that pays nothing');
SELECT is_empty(format('SELECT * FROM casino.withholding_end WHERE round_id = %s', :r),
                '... and ends no withholding of his own');
-- somebody has paid by hand
SELECT * FROM t.open() \gset
SELECT t.red(:r, true) \g /dev/null
SELECT lives_ok(t.by_hand(:b, 200), 'R7.45: a payout by hand in a round withheld as a whole');
SELECT throws_ok(format('SELECT t.hold(%s, %s, ''18:07'')', :r, :b), 'KR002', NULL,
                 'R7.42: who is paid is not withheld, be it a single wager');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''x'', t.at(''18:07''))', :r, :b), 'KR002', NULL,
                 '... nor are his wagers voided');
SELECT is((casino.pay_withheld(:r, t.at('18:10'))).status, 'settled', 'the round is paid');
SELECT is(t.balances(:a, :b, :c), '{1100.00,1100.00,1100.00}', '... he not twice');
-- by hand after the 30th day (R7.33)
SELECT * FROM t.open() \gset
SELECT t.red(:r, true) \g /dev/null
SELECT lives_ok(t.by_hand(:a, 200, '2026-07-01 23:59:59.999999'),
                '§11.1: paid by hand at the end of the 30th day');
SELECT is((SELECT count(*) FROM casino.breach WHERE player_id = :a), 0::bigint, '... in time');
SELECT lives_ok(t.by_hand(:b, 200, '2026-07-02 00:00'), '... and after it');
SELECT is((SELECT array_agg(rule::text) FROM casino.breach WHERE player_id = :b), '{winnings_late}',
          'R7.33: late, by hand as by pay_withheld()');
SELECT casino.pay_withheld(:r, t.at('2026-07-02 00:00')) \g /dev/null
-- voided with a player who is withheld alone, too
SELECT * FROM t.open() \gset
SELECT t.hold(:r, :b), t.red(:r, true), casino.void_round(:r, 'wheel broken', t.at('18:10')) \g /dev/null
SELECT is((SELECT format('%s %s %s', how, reason, ended_at = t.at('18:10')) FROM casino.withholding_end
           WHERE (player_id, round_id) = (:b, :r)), 'voided wheel broken t',
               'R7.43: with the round his own withholding ends');
SELECT is(t.balances(:a, :b, :c), '{1000.00,1000.00,1000.00}', '... all have their stakes back');
SELECT * FROM finish();
