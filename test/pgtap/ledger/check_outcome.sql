-- check_outcome() outside of cells: the settlement that settle_round() would return, with the end of betting
-- that it would mean (R11.8).
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE FUNCTION t.checked(r bigint, at text) RETURNS text LANGUAGE sql AS
    $$ SELECT format('%s wagers, %s staked, %s paid', c.wagers, c.staked, c.paid)
        FROM casino.check_outcome(r, '{"number": 1}', t.at(checked.at)) c $$;

-- stakes of 18:00, 18:02 and 18:03 in a round that is still open
SELECT t.round('S1', '18:00') AS r, t.player() AS a, t.player() AS b \gset
SELECT casino.place_bet(:r, :a, 'red@100', at => t.at('18:00')),
    casino.place_bet(:r, :a, 'red@10', at => t.at('18:02')),
       casino.place_bet(:r, :b, 'black@50', at => t.at('18:03')) \g /dev/null
SELECT is(t.checked(:r, '18:01'), '1 wagers, 100.00 staked, 200.00 paid',
          'R11.8: what is dated after the evaluation of an open round would go back');
SELECT is(t.checked(:r, '18:02'), '2 wagers, 110.00 staked, 220.00 paid',
          '... what is dated exactly then stands');
SELECT is(t.checked(:r, '18:03'), '3 wagers, 160.00 staked, 220.00 paid', '... and all before it');
SELECT throws_ok(format('SELECT t.checked(%s, ''17:59'')', :r), 'KL005', NULL,
                 'not before the round was opened');
SELECT casino.withhold_winnings(:r, NULL, 'wheel', t.at('18:01')) \g /dev/null
SELECT is((casino.check_outcome(:r, '{"number": 1}', t.at('18:02'))).status, 'withheld',
          'of a round that is to be withheld it says so');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :r), 3::bigint, 'it has written nothing');
SELECT is((casino.check_outcome(:r, '{"number": 1}', t.at('18:02')))::text,
          (casino.settle_round(:r, '{"number": 1}', t.at('18:02')))::text,
              'settle_round() returns what it said');
SELECT is((SELECT reason FROM casino.ledger WHERE round_id = :r AND kind = 'refund'), 'late',
          '... and returns the stake that it left out');
-- after the close: not before it
SELECT t.round('S2', '18:00') AS r \gset
SELECT casino.close_betting(:r, t.at('18:04')) \g /dev/null
SELECT throws_ok(format('SELECT t.checked(%s, ''18:03'')', :r), 'KL005', NULL,
                 'not before betting was closed');
SELECT is(t.checked(:r, '18:04'), '0 wagers, 0.00 staked, 0.00 paid', 'with the close it may be');
SELECT * FROM finish();
