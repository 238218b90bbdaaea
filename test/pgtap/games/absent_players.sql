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
                       FROM casino_internal.check_no_action('2025-01-01', '2027-01-01') f
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
SELECT is(t.absent('free_bet', '{main@100,/2 split_pair@100}', 'Th | As | Ad', 'Th 9d | As 5c | Ad Kd'),
          'fits', 'R3.61: an ace that was split gets its one card: 16 is not drawn to (D3 §4)');
SELECT is(t.absent('free_bet', '{main@100,/2 split_pair@100}', 'Th | 8s | 8d', 'Th 9d | 8s 8c | 8d Kd'),
          'draw_to_16: draws a card on 16 / 8s 8c; breach', 'R3.61: no ace: 16 is drawn to');
SELECT is(t.absent('free_bet', '{main@100}', 'Th | As 5c', 'Th 9d | As 5c'),
          'draw_to_16: draws a card on 16 / As 5c; breach', 'R3.61: nor one that was not split');
SELECT is(t.absent('free_bet', '{main@100,bob main@50}', 'Th | Th 6d', 'Th 9d | Th 6d'), 'fits',
          'R3.61: a box with two main bets: the second player may have decided');
SELECT is(t.absent('synot+', '{main@100,bob behind@50}', 'Th | 5h 3d', 'Th 9d | 5h 3d 9c'),
          'stand: stands after 2 cards / 5h 3d 9c; breach',
          'R3.61: a bet behind decides nothing: the hand of its absent owner is judged');
SELECT is(t.absent('synot+', '{bob main@50,behind@100}', 'Th | 5h 3d', 'Th 9d | 5h 3d 9c'), 'fits',
          'R3.61: of an absent player behind nothing is judged');
SELECT is(t.absent('synot+', '{main@100}', seen, 'Th 9d | 9h 7d !surrender'), found, what)
  FROM (VALUES ('Th | 9h 7d !surrender', 'fits', 'R3.61: a hand surrendered before the disconnection'),
               ('Th | 9h 7d', 'stand: not surrendered / 9h 7d; breach', 'R3.61: absent players stand'),
               (NULL, 'stand: not surrendered / 9h 7d; breach', 'R3.61: nothing was reported'))
       v (seen, found, what);
SELECT is(t.absent('free_bet', '{main@100}', 'Ah | As Kd' || seen, 'Ah | As Kd' || cards), found, what)
  FROM (VALUES (' !even', ' !even', 'fits', 'R3.61: even money taken before'),
               (' !even=ann', ' !even=ann', 'fits', 'R3.61: the player'),
               ('', ' !even', 'draw_to_16: no even money / As Kd; breach',
                'R3.61: absent players take no even money'),
               ('', ' !even=ann', 'draw_to_16: no even money / As Kd; breach', 'R3.61: nor the player'))
       v (seen, cards, found, what);
SELECT is(t.absent('synot', '{main@100}',
                   '{"dealer": "Th", "hands": [{"seat": 1.0, "hand": 1.0, "cards": "5h 3d 2c"}]}',
                   'Th 9d | 5h 3d 2c'), 'fits', 'numbers of a document are numbers');
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
-- a player who comes back (R11.78): cards that were seen at the disconnection, before the return, at its
-- instant, and at last
CREATE FUNCTION t.returned(name text, wagers text[], seen text, before text, at_return text, cards text,
                           gone_again boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    back timestamptz;
BEGIN
    PERFORM t.staked(name, wagers);
    PERFORM casino.deal(t.round(), t.cards(seen), t.at());
    PERFORM casino.disconnect(t.round(), t.p('ann'), t.at());
    IF before IS NOT NULL THEN PERFORM casino.deal(t.round(), t.cards(before), t.at()); END IF;
    back := casino.reconnect(t.round(), t.p('ann'), t.at());
    IF at_return IS NOT NULL THEN PERFORM casino.deal(t.round(), t.cards(at_return), back); END IF;
    IF gone_again THEN PERFORM casino.disconnect(t.round(), t.p('ann'), t.at()); END IF;
    PERFORM t.settle(cards);
    RETURN coalesce((SELECT string_agg(f.expected || ' / ' || f.found, ', ' ORDER BY f.expected)
                       FROM casino_internal.check_no_action('2025-01-01', '2027-01-01') f
                      WHERE f.round_id = t.round() AND f.rule = 'hand'), 'fits')
        || (SELECT CASE count(*) WHEN 0 THEN '' ELSE '; breach' END
              FROM casino.breach b
              JOIN casino.ledger s USING (player_id, entry_no)
             WHERE s.round_id = t.round() AND b.rule = 'no_action');
END $$;
SELECT is(t.returned(game, '{main@100}', seen, before, at_return, cards), found, 'R11.78: ' || what)
  FROM (VALUES
    ('synot', 'Th | 5h 3d', NULL, NULL, 'Th 9d | 5h 3d 9c', 'fits', 'back, the player takes a card'),
    ('synot', 'Th | 5h 3d', NULL, 'Th | 5h 3d 9c', 'Th 9d | 5h 3d 9c', 'fits',
     'a card of the instant of the return is the player''s'),
    ('synot', 'Th | 5h 3d', 'Th | 5h 3d 9c', NULL, 'Th 9d | 5h 3d 9c',
     'stand: stands after 2 cards / 5h 3d 9c; breach', 'one of before was drawn against the rule'),
    ('synot', 'Th | 5h 3d', 'Th | 5h 3d 2c', NULL, 'Th 9d | 5h 3d 2c 9s',
     'stand: stands after 2 cards / 5h 3d 2c; breach', '... also where the player takes another one then'),
    ('infinite', 'Th | 5h 3d', 'Th | 5h 3d 2c', NULL, 'Th 9d | 5h 3d 2c', 'fits',
     'drawn by the rule, and on ten the player stands'),
    ('infinite', 'Th | 5h 3d', NULL, NULL, 'Th 9d | 5h 3d', 'fits', 'back on eight the player stands'),
    ('infinite', 'Th | 5h 3d', 'Th | 5h 3d 2c 9s', NULL, 'Th 9d | 5h 3d 2c 9s 2d', 'fits',
     'on nineteen the player takes a card'),
    ('infinite', 'Th | 5h 3d', 'Th | 5h 3d 2c 9s 2d', NULL, 'Th 9d | 5h 3d 2c 9s 2d',
     'draw_to_11: stands after 4 cards / 5h 3d 2c 9s 2d; breach', 'nobody takes it for an absent player'),
    ('synot+', 'Th | 9h 7d', NULL, NULL, 'Th 9d | 9h 7d !surrender', 'fits', 'back, the player surrenders'),
    ('synot+', 'Th | 9h 7d', 'Th | 9h 7d !surrender', NULL, 'Th 9d | 9h 7d !surrender',
     'stand: not surrendered / 9h 7d; breach', 'nobody surrenders for an absent player'),
    ('synot+', 'Th | 9h 7d !surrender', 'Th | 9h 7d !surrender', NULL, 'Th 9d | 9h 7d !surrender', 'fits',
     'surrendered before the disconnection'),
    ('free_bet', 'Ah | As Kd', NULL, NULL, 'Ah | As Kd !even', 'fits', 'back, the player takes even money'),
    ('free_bet', 'Ah | As Kd', 'Ah | As Kd !even=ann', NULL, 'Ah | As Kd !even=ann',
     'draw_to_16: no even money / As Kd; breach', 'nobody takes even money for an absent player'))
       v (game, seen, before, at_return, cards, found, what);
SELECT is(t.returned('synot', '{main@100}', 'Th | 5h 3d', NULL, 'Th | 5h 3d 2c', cards, true), found,
          'R11.75: gone again, the rule goes on from there: ' || cards)
  FROM (VALUES ('Th 9d | 5h 3d 2c', 'fits'),
               ('Th 9d | 5h 3d 2c 9s', 'stand: stands after 3 cards / 5h 3d 2c 9s; breach')) v (cards, found);
SELECT is(t.returned('infinite', '{main@100,bob main@100}', 'Th | 5h 3d', before, NULL,
                     replace(before, 'Th', 'Th 9d')), found, 'R11.78: a shared box, ' || what)
  FROM (VALUES ('Th | @bob: 5h 3d 2c 9s 2d | 5h 3d', 'fits', 'cards of another player'),
               ('Th | @ann: 5h 3d 2c 9s 2d | 5h 3d',
                'draw_to_11: stands after 4 cards / 5h 3d 2c 9s 2d; breach', 'the player''s own'))
       v (before, found, what);
SELECT is(t.returned('synot+', '{bob main@50,behind@100}', 'Th | 5h 3d', 'Th | 5h 3d 9c', NULL,
                     'Th 9d | 5h 3d 9c'), 'fits', 'R11.78: of a player behind nothing is judged');
-- a wrong card of before the return was corrected after it: what really lay there is judged
CREATE FUNCTION t.misread(before text, right_cards text, cards text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.staked('synot+', '{main@100}');
    PERFORM casino.deal(t.round(), t.cards('Th | 5h 3d'), t.at());
    PERFORM casino.disconnect(t.round(), t.p('ann'), t.at());
    PERFORM casino.deal(t.round(), t.cards(before), t.at());
    PERFORM casino.reconnect(t.round(), t.p('ann'), t.at());
    PERFORM casino.correct_deal(t.round(), t.cards(right_cards), 'misread', t.at());
    PERFORM t.settle(cards);
    RETURN coalesce((SELECT string_agg(f.expected || ' / ' || f.found, ', ' ORDER BY f.expected)
                       FROM casino_internal.check_no_action('2025-01-01', '2027-01-01') f
                      WHERE f.round_id = t.round() AND f.rule = 'hand'), 'fits');
END $$;
SELECT is(t.misread(before, right_cards, cards), found, 'R11.78: ' || what)
  FROM (VALUES
    ('Th | 5h 3d 9c', 'Th | 5h 3d', 'Th 9d | 5h 3d', 'fits', 'a card that was never dealt'),
    ('Th | 5h 3d 9c', 'Th | 5h 3d 8c', 'Th 9d | 5h 3d 8c', 'stand: stands after 2 cards / 5h 3d 8c',
     'another card, drawn against the rule'),
    ('Th | 5h 3d 9c', 'Th | 5h 3d 8c 2c', 'Th 9d | 5h 3d 8c 2c', 'stand: stands after 2 cards / 5h 3d 8c',
     '... and one of the player after it'),
    ('Th | 5h 3d !surrender', 'Th | 5h 3d', 'Th 9d | 5h 3d', 'fits', 'a surrender that never was'))
       v (before, right_cards, cards, found, what);
-- a correction, of another day: its cards are judged, too
CREATE ROLE first_supervisor_of_the_absent;
CREATE ROLE second_supervisor_of_the_absent;
SELECT casino.grant_access(r || '_supervisor_of_the_absent', 'supervisor')
  FROM unnest('{first,second}'::text[]) r \g /dev/null
CREATE FUNCTION t.as(who text, command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM set_config('session_authorization', who || '_supervisor_of_the_absent', true);
    EXECUTE 'SELECT ' || command INTO answer;
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN answer;
END $$;
CREATE FUNCTION t.corrected(cards text, at timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    n text := t.as('first', format('casino.correct_round(%s, %L, %L, %L)', t.round(), t.cards(cards),
                                   'read again: ' || cards, at));
BEGIN
    PERFORM t.as('second', format('casino.approve_correction(%s, %L)', n, at));
    RETURN (SELECT coalesce(string_agg(f.rule || ' ' || f.expected, ', ' ORDER BY f.rule), 'fits')
              FROM casino_internal.check_no_action('2026-12-01', '2026-12-31') f WHERE f.round_id = t.round())
        || (SELECT CASE count(*) WHEN 0 THEN '' ELSE '; breach' END
              FROM casino.breach b
              JOIN casino.ledger s USING (player_id, entry_no)
             WHERE s.round_id = t.round() AND b.rule = 'no_action');
END $$;
SELECT is(t.absent('infinite', '{main@100}', 'Th | 5h 9d', 'Th 9d | 5h 9d'), 'fits', 'played by the rule');
SELECT is(t.corrected('Th 9d | 5h 5d', '2026-12-01 12:00'),
          'hand draw_to_11: draws a card on 10; breach',
          'R3.21: by the right cards the player had to get a card; the night of the correction');
SELECT is(t.corrected('Th 9d | 5h 5d 2c', '2026-12-02 12:00'), 'fits; breach',
          'R3.21: mended by a correction; the breach stays in evidence');

-- planted: the breach is gone
DO $$ BEGIN EXECUTE 'ALTER TABLE casino.breach DISABLE TRIGGER ALL';
      DELETE FROM casino.breach WHERE rule = 'no_action';
      EXECUTE 'ALTER TABLE casino.breach ENABLE TRIGGER ALL';
      END $$;
SELECT is((SELECT count(*) FROM casino_internal.check_no_action('2025-01-01', '2027-01-01')
           WHERE rule = 'unrecorded'),
          (SELECT count(*) FROM casino_internal.check_no_action('2025-01-01', '2027-01-01')
           WHERE rule = 'hand'),
          'planted: a breach that is not there');
SELECT * FROM finish();
