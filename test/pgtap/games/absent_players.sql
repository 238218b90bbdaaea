-- Absent players (R3.21, R3.60, R3.61; D4 Infinite §14, Evolution §13, Synot §13, D3 §1): a hand that was not
-- played by the plan's rule for players who do not act is a breach and a difference of the night.
\ir ../helpers/blackjack.psql
SELECT no_plan();
-- plays a round of which ann was disconnected after "seen", and says what the night finds
CREATE FUNCTION t.absent(name text, wagers text[], seen text, cards text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked(name, wagers);
    IF seen IS NOT NULL THEN PERFORM casino.deal(t.round(), t.cards(seen), t.at()); END IF;
    PERFORM casino.disconnect(t.round(), t.p('ann'), t.at());
    PERFORM t.settle(cards);
    RETURN coalesce((SELECT string_agg(f.expected || ' / ' || f.found, ', ' ORDER BY f.expected)
                       FROM casino.check_no_action('2025-01-01', '2027-01-01') f
                      WHERE f.round_id = t.round() AND f.rule = 'hand'), 'fits')
        || (SELECT CASE count(*) WHEN 0 THEN '' ELSE '; breach' END
              FROM casino.breach b
              JOIN casino.ledger s USING (player_id, entry_no)
             WHERE s.round_id = t.round() AND b.rule = 'no_action');
END $$;
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d'),
          'draw_to_11: draws a card on 8 / 5h 3d; breach', 'R3.21: he had to get a card (D4 Infinite §14)');
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d 2c 9s'), 'fits',
          'R3.21: drawn to more than eleven');
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d 2c'),
          'draw_to_11: draws a card on 10 / 5h 3d 2c; breach', 'R3.21: one card too few');
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 6d', 'Th 9d | 5h 6d'),
          'draw_to_11: draws a card on 11 / 5h 6d; breach', 'R3.20: eleven itself draws');
SELECT is(t.absent('infinite', '{main@100}', 'Th | Th 8d', 'Th 9d | Th 8d 9c'),
          'draw_to_11: stands after 2 cards / Th 8d 9c; breach', 'R3.21: absent on 18 he had to stand');
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 9d 2c', 'Th 9d | 5h 9d 2c'), 'fits',
          'R3.60: what he had drawn himself before');
SELECT is(t.absent('infinite', '{main@100}', NULL, 'Th 9d | Th 8d'), 'fits',
          'R3.60: nothing was reported: from the first two cards on');
SELECT is(t.absent('evolution', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d'),
          'draw_to_11: draws a card on 8 / 5h 3d; breach', 'R3.21: D4 Evolution §13');
SELECT is(t.absent('synot', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d'), 'fits',
          'R3.21: D4 Synot §13: he stands');
SELECT is(t.absent('synot', '{main@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d 9c'),
          'stand: stands after 2 cards / 5h 3d 9c; breach', 'R3.21: and gets no card');
SELECT is(t.absent('free_bet', '{main@100}', 'Th | Th 6d', 'Th 9d | Th 6d'),
          'draw_to_16: draws a card on 16 / Th 6d; breach', 'R3.21: D3 §1 draws to 16');
SELECT is(t.absent('free_bet', '{main@100}', 'Th | Th 6d', 'Th 9d | Th 6d 2c'), 'fits', 'and stands on more');
SELECT is(t.absent('infinite', '{main@100,double_down@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d 2c'), 'fits',
          'R3.61: a doubled hand gets its one card');
SELECT is(t.absent('czech', '{main@100}', 'Th | Th 8d', 'Th 9d | Th 8d 2c'), 'fits',
          'no rule, no contradiction: D0');
SELECT is(t.absent('infinite', '{main@100,bob main@100}', 'Th | 5h 3d', 'Th 9d | @bob: 5h 3d 2c 9s | 5h 3d'),
          'draw_to_11: draws a card on 8 / 5h 3d; breach', 'a shared box: his own hand');
SELECT is(t.absent('infinite', '{main@100,bob main@100}', 'Th | 5h 3d', 'Th 9d | @ann: 5h 3d 2c 9s | 5h 3d'),
          'fits', 'and nobody else''s');
SELECT is((SELECT detail - 'round_id'
             FROM casino.breach b
             JOIN casino.ledger s USING (player_id, entry_no)
            WHERE b.rule = 'no_action'
            ORDER BY b.entry_no
            LIMIT 1),
          '{"rule": "draw_to_11", "paragraph": "D4 Infinite Blackjack §14", "hands": [{"hand": 1, "cards": '
          '"5h 3d", "expected": "draws a card on 8"}]}',
          'the breach names hand, cards, rule');
SELECT is((SELECT bool_and(automatic)
             FROM casino.player_statement(t.p('ann'), '2025-01-01', '2027-01-01')
            WHERE kind = 'stake'),
          true, 'D4 §9.3: his history shows which games were finished without him');
SELECT is((SELECT bool_or(automatic) FROM casino.statement WHERE player_id = t.p('bob') AND kind = 'stake'),
          false, 'and those that were not');
-- planted: the breach is gone
DO $$ BEGIN EXECUTE 'ALTER TABLE casino.breach DISABLE TRIGGER ALL';
      DELETE FROM casino.breach WHERE rule = 'no_action';
      EXECUTE 'ALTER TABLE casino.breach ENABLE TRIGGER ALL';
      END $$;
SELECT is((SELECT count(*) FROM casino.check_no_action('2025-01-01', '2027-01-01') WHERE rule = 'unrecorded'),
          (SELECT count(*) FROM casino.check_no_action('2025-01-01', '2027-01-01') WHERE rule = 'hand'),
          'planted: a breach that is not there');
SELECT * FROM finish();
