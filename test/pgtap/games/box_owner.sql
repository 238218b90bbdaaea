-- Who owns a box and who decides on it: D0 OVLÁDÁNÍ BOXU (precedence of the owner), D1 Box (followers), D3 §1
-- (absent owner).
-- Tables with a plus take 10 to 1000.
\ir ../helpers/blackjack.psql
SELECT no_plan();
CREATE FUNCTION t.hands_over(name text, seat integer DEFAULT 1,
                             at timestamptz DEFAULT t.at()) RETURNS text LANGUAGE sql AS
    $$ SELECT t.verdict(format('SELECT casino.hand_over_box(%s, %s, %s, %L)', t.round(), seat, t.p(name),
                               at)) $$;
CREATE FUNCTION t.why(name text) RETURNS text LANGUAGE sql AS
    $$ SELECT t.refusal(format('SELECT casino.hand_over_box(%s, 1, %s, %L)', t.round(), t.p(name),
                               t.at())) $$;
CREATE FUNCTION t.hand_over(name text, seat integer DEFAULT 1) RETURNS void LANGUAGE sql AS
    $$ SELECT casino.hand_over_box(t.round(), seat, t.p(name), t.at()) $$;
CREATE FUNCTION t.handovers() RETURNS text LANGUAGE sql AS
    $$ SELECT string_agg(format('#%s %s: %s from %s', h.seat, h.handover_no, p.name, f.name), ', '
                         ORDER BY h.seat, h.handover_no)
         FROM casino.box_handover h JOIN t.person p ON p.id = h.owner JOIN t.person f ON f.id = h.former_owner
             WHERE h.round_id = t.round() $$;
-- a stake that is refused: by function and by INSERT, with its DETAIL (R1.10)
CREATE FUNCTION t.refused(spec text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    w record := t.wager(spec);
    at timestamptz := t.at();
    placed text := t.refusal(format('SELECT casino.place_bet(%s, %s, %L, seat => %L, at => %L)', t.round(),
                                    w.player, w.bet, w.seat, at));
    inserted text := t.refusal(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat,
                                                                  posted_at)
                                       VALUES (%s, ''stake'', %s, %L, %L, %L)',
                                      w.player, t.round(), w.bet, w.seat, at));
BEGIN
    RETURN CASE WHEN placed = inserted THEN placed
        ELSE format('place_bet %s, INSERT %s', placed, inserted) END;
END $$;

-- ---------------------------------------------------------------- D0: the owner has precedence (R3.35)
SELECT t.open('czech+'), t.place('main@500'), t.place('bob main@150'), t.place('bob main@150', 'second chip'),
    t.place('cyd main@200', 'of cyd') \g /dev/null
SELECT is(t.refused('main@0.01'),
          format('KB002 The owner of the box has precedence and the others must reduce their stakes: player '
                 '%s 300.00 CZK, player %s 200.00 CZK (D0 OVLÁDÁNÍ BOXU).',
                 t.p('bob'), t.p('cyd')),
          'D0: the owner raises over the maximum: the DETAIL names whose stakes lie there');
SELECT is(t.refused('bob main@0.01'),
          'KB002 The maximum is that of all players of the box together; others have staked 700.00 CZK.',
              'D0: another player has no precedence');

SELECT is(t.may('#2 main@1000'), 'ok', 'D0: another box has its own maximum');
SELECT casino.cancel_bet(t.round(), t.p('cyd'), 'of cyd', t.at()) \g /dev/null
SELECT is(t.may('main@200'), 'ok', 'D0: the others reduce, and the owner raises');
SELECT is(t.refused('main@200.01'),
          format('KB002 The owner of the box has precedence and the others must reduce their stakes: player '
                 '%s 300.00 CZK (D0 OVLÁDÁNÍ BOXU).',
                 t.p('bob')),
          'D0: ... no haléř above');
SELECT casino.cancel_bet(t.round(), t.p('bob'), 'second chip', t.at()) \g /dev/null
SELECT is(t.refused('main@350.01'),
          format('KB002 The owner of the box has precedence and the others must reduce their stakes: player '
                 '%s 150.00 CZK (D0 OVLÁDÁNÍ BOXU).',
                 t.p('bob')),
          'D0: ... whose stakes lie there now');
SELECT t.open('classic+'), t.place('main@500'), t.place('bob main@500') \g /dev/null
SELECT is(t.refused('main@0.01'),
          'KB002 The maximum is that of all players of the box together; others have staked 500.00 CZK.',
              'D1 knows no precedence');
SELECT t.open('house+'), t.place('main@500'), t.place('bob main@500') \g /dev/null
SELECT is(t.refused('main@0.01'),
          'KB002 The maximum is that of all players of the box together; others have staked 500.00 CZK.',
              'D2 knows no precedence');

-- ---------------------------------------------------------------- D1, D0: who does not follow the owner
SELECT t.pays(name, '{main@100,bob main@50,double_down@100}', '7h Tc | 6h 5d Tc', 'win 200, win 100, win 200',
              name || ': the owner doubles, who does not follow stays with the single stake')
  FROM unnest('{classic,czech}'::text[]) name;
SELECT t.pays(name, '{main@100,bob main@50,double_down@100}', '9h Tc | 6h 5d 2c', 'lose 0, lose 0, lose 0',
              name || ': ... and loses it with the owner''s one card')
  FROM unnest('{classic,czech}'::text[]) name;
SELECT t.pays(name, '{main@100,bob main@50,/2 split_pair@100}', '7h Tc | 8h Tc | 8d 5c 9s',
              'win 200, win 100, lose 0', name || ': the owner splits, who does not follow stays with hand 1')
  FROM unnest('{classic,czech}'::text[]) name;
SELECT t.pays(name, '{main@100,bob main@50,/2 split_pair@100}', '7h Tc | 8h 5c 9s | 8d Tc',
              'lose 0, lose 0, win 200', name || ': ... and has nothing of hand 2')
  FROM unnest('{classic,czech}'::text[]) name;
SELECT t.pays(name, '{main@100,bob main@50,/2 split_pair@100,bob/2 split_pair@50}',
              '7h Tc | 8h 5c 9s | 8d Tc', 'lose 0, lose 0, win 200, win 100',
                  name || ': who follows has both')
  FROM unnest('{classic,czech}'::text[]) name;
SELECT t.staked('classic', '{main@100,bob main@50}') \g /dev/null
SELECT is(t.may(spec), 'KB005', 'D1: what the owner has not done nobody else does: ' || spec)
  FROM unnest('{bob double_down@50,bob/2 split_pair@50}'::text[]) spec;

-- ---------------------------------------------------------------- D3 §1: the second player decides (R3.36)
SELECT t.staked('free_bet', '{main@100,bob main@50,cyd main@20,#2 main@100,bob#2 main@50}') \g /dev/null
SELECT is(t.may(spec), 'KB005', 'D3 §1: the owner decides, not ' || spec)
  FROM unnest('{bob double_down@50,bob/2 split_pair@50,bob/2 free_split@50,bob free_double@50}'::text[]) spec;
SELECT is(t.hands_over('cyd'), 'KB005', 'D3 §1: the second player takes over, not the third');
SELECT is(t.why('cyd'), format('KB005 Player %s was the second to bet on it (D3 §1).', t.p('bob')),
          '... the DETAIL says who');
SELECT is(t.why('dan'), 'KB005 He has no main bet on it.', 'D3 §1: nor somebody without a stake');
SELECT is(t.hands_over('ann'), 'ok', 'to its owner: nothing changes');
SELECT t.hand_over('ann') \g /dev/null
SELECT is(t.handovers(), NULL, '... and nothing is recorded');
SELECT t.hand_over('bob') \g /dev/null
SELECT is(t.handovers(), '#1 1: bob from ann', 'the second player decides: recorded');
SELECT is(t.may(spec), 'ok', 'he may ' || spec)
  FROM unnest('{bob double_down@50,bob/2 split_pair@50,bob/2 free_split@50,bob free_double@50}'::text[]) spec;
SELECT is(t.may(spec), 'KB005', 'the absent owner only follows: ' || spec)
  FROM unnest('{double_down@100,/2 split_pair@100,/2 free_split@100,free_double@100}'::text[]) spec;
SELECT is(t.may(spec), 'KB005', 'the third follows him too: ' || spec)
  FROM unnest('{cyd double_down@20,cyd/2 split_pair@20}'::text[]) spec;
SELECT is(t.may('#2 double_down@100'), 'ok', 'on another box its owner decides');
SELECT is(t.may('bob#2 double_down@50'), 'KB005', '... and nobody else');
SELECT is(t.may(spec), 'ok', 'insurance is each player''s own: ' || spec)
  FROM unnest('{insurance@50,bob insurance@25,cyd insurance@10}'::text[]) spec;
-- retries
SELECT t.hand_over('bob'), t.hand_over('bob') \g /dev/null
SELECT is(t.handovers(), '#1 1: bob from ann', 'the same again changes nothing');
SELECT t.place('bob double_down@50') \g /dev/null
SELECT is(t.may('double_down@100'), 'ok', 'the owner may follow what the second player did');
SELECT is(t.may('cyd double_down@20'), 'ok', '... and the third');
SELECT is(t.why('ann'), format('KB005 He has not followed the double of player %s on hand 1.', t.p('bob')),
          'the owner, back at the table, takes over what he has followed');
SELECT t.place('double_down@100') \g /dev/null
SELECT t.hand_over('ann') \g /dev/null
SELECT is(t.handovers(), '#1 1: bob from ann, #1 2: ann from bob', '... and then decides again');
SELECT is(t.may('bob/2 split_pair@50'), 'KB005', '... alone');
SELECT casino.hand_over_box(t.round(), 1, h.owner, h.handed_at) FROM casino.box_handover h
 WHERE h.round_id = t.round() AND h.handover_no = 1 \g /dev/null
SELECT is(t.handovers(), '#1 1: bob from ann, #1 2: ann from bob',
          'the first handover, come again late, changes nothing');
SELECT (t.settle('7h Tc | 1: 6h 5d Tc | 2: Th 9d')).status \g /dev/null
SELECT is((SELECT string_agg(format('%s %s %s', p.name, w.kind, w.status), ', ' ORDER BY p.name, w.kind)
           FROM casino.wager w JOIN t.person p ON p.id = w.player_id
               WHERE w.round_id = t.round() AND w.seat = 1),
          'ann double_down won, ann main won, bob double_down won, bob main won, cyd main won',
              'the round is settled');
SELECT is(t.hands_over('bob'), 'KR002', 'after the evaluation nothing is handed over');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s)', t.round(), t.p('ann'))), 'ok',
          '... but a retry is answered');

-- settlement: the second player's decisions are the box's play
SELECT t.staked('free_bet', '{main@100,bob main@50}'), t.hand_over('bob'), t.place('bob/2 free_split@50'),
    t.place('bob/2 double_down@50') \g /dev/null
SELECT is((t.settle('7h Tc | 8h Tc | 8d 5c 6s')).paid, 450.00,
          'the second player splits and doubles: 200 to the owner on hand 1; '
          '100 on hand 1, 50 of the free and 100 of the doubled hand 2 to him');
SELECT is((SELECT string_agg(format('%s %s %s %s', p.name, w.kind, w.status, w.payout), ', '
                             ORDER BY p.name, w.hand, w.kind) FROM casino.wager w
                                 JOIN t.person p ON p.id = w.player_id WHERE w.round_id = t.round()),
          'ann main won 200.00, bob double_down won 100.00, bob free_split won 50.00, bob main won 100.00',
              '... each his own');
SELECT t.staked('free_bet', '{main@100,bob main@50}') \g /dev/null
SELECT is(t.may('bob/2 free_split@50'), 'KB005', 'without a handover he splits nothing');
SELECT is(t.verdict($$SELECT t.settle('7h Tc | 8h Tc | 8d 5c 6s')$$), 'KR001',
          '... and no such hands can be');
-- cards as they fall (R3.51)
SELECT t.staked('free_bet', '{main@100,bob main@50}'), casino.deal(t.round(), t.cards('7h | 8h 8d'), t.at()),
    t.hand_over('bob'), t.place('bob/2 free_split@50'),
       casino.deal(t.round(), t.cards('7h | 8h 3c | 8d'), t.at()), t.place('bob free_double@50') \g /dev/null
SELECT is((t.settle('7h Tc | 8h 3c Tc | 8d Tc')).paid, 200 + 100 + 50 + 50.00,
          'dealt and decided by the second player: main bets, free split and free double');

-- ---------------------------------------------------------------- what the owner did before
SELECT t.staked('free_bet', '{main@100,bob main@50,/2 split_pair@100}') \g /dev/null
SELECT is(t.why('bob'), format('KB005 He has not followed the split of player %s to hand 2.', t.p('ann')),
          'who has no stake on a hand does not decide on it');
SELECT t.place('bob/2 free_split@50') \g /dev/null
SELECT is(t.hands_over('bob'), 'ok', 'who has followed, free of charge too, may take over');
SELECT t.hand_over('bob'), t.place('bob/3 free_split@50') \g /dev/null
SELECT is(t.may('/4 split_pair@100'), 'KB005', '... and splits on; the owner follows');
SELECT is(t.may('/3 split_pair@100'), 'ok', '... what he did');
SELECT is((t.settle('7h Tc | 8h Tc | 8d Tc | 8s 5c 6s')).paid, 200 + 200 + 100 + 50 + 50.00,
          'settled: hands 1 and 2 of the owner, three hands of the second player, two of them free');

-- ---------------------------------------------------------------- when (R3.37)
SELECT t.open('free_bet'), t.place('main@100', 'of ann'), t.place('bob main@50', 'of bob'),
    t.hand_over('bob') \g /dev/null
SELECT is(t.handovers(), '#1 1: bob from ann', 'while betting is open the owner may be absent too');
SELECT casino.cancel_bet(t.round(), t.p('bob'), 'of bob', t.at()) \g /dev/null
SELECT t.place('cyd main@20'), t.close() \g /dev/null
SELECT is(t.may('double_down@100'), 'ok',
          'when the second player takes his bet back, the owner decides again');
SELECT is(t.hands_over('cyd'), 'ok', '... and who is the second now may take over');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, %L)', t.round(), t.p('cyd'),
                           (SELECT betting_closed_at - interval '1 microsecond' FROM casino.round
                            WHERE round_id = t.round()))), 'KL005', 'not dated before the close');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, %L)', t.round(), t.p('cyd'),
                           (SELECT betting_closed_at FROM casino.round WHERE round_id = t.round()))), 'ok',
                               '... at the close it is');
SELECT casino.close_actions(t.round(), t.at()) \g /dev/null
SELECT is(t.hands_over('cyd'), 'KR002', 'when decisions are over there is nothing to hand over');
SELECT t.open('free_bet'), t.place('main@100'), t.place('bob main@50'),
    casino.void_round(t.round(), 'shoe', t.at()) \g /dev/null
SELECT is(t.hands_over('bob'), 'KR002', 'nor in a voided round');
SELECT t.staked('free_bet', '{main@100,bob main@50}') \g /dev/null
SELECT casino.hand_over_box(t.round(), 1, t.p('bob'), '2029-01-01 10:00') \g /dev/null
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, ''2029-01-01 09:59:59.999999'')',
                           t.round(), t.p('ann'))), 'KL005', 'not before the handover before');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, ''2029-01-01 10:00'')', t.round(),
                           t.p('ann'))), 'ok', '... at its time it is');
SET casino.clock_skew = 5;
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, ''2029-01-01 10:00:01'')', t.round(),
                           t.p('ann'))), 'KL005', 'dated away from the clock');
SET casino.clock_skew = -1;

-- ---------------------------------------------------------------- where
CREATE FUNCTION t.at_table(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t.open(name), t.place('main@100');
    RETURN t.hands_over('ann');
END $$;
SELECT is(t.at_table(name), 'KB004', name || ': nobody decides for the owner')
  FROM unnest('{czech,classic,house,synot,evolution}'::text[]) name;
SELECT is(t.at_table(name), '22023', name || ': a shared box has no owner')
  FROM unnest('{all_bets,infinite,endless}'::text[]) name;
SELECT t.staked('free_bet', '{main@100,bob main@50}') \g /dev/null
SELECT is(t.hands_over('bob', seat), '22023', format('box %s of seven', seat))
  FROM unnest('{0,-1,8,257}'::integer[]) seat;
SELECT is(t.hands_over('bob', 2), 'KB005', 'a box on which he has no bet');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(-1, 1, %s)', t.p('bob'))), '23503',
          'a round that is not there');
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, %s, %s)', r, s, p)), '22004',
          'round, box and player must be given')
  FROM (VALUES ('NULL', '1', '1'), ('1', 'NULL', '1'), ('1', '1', 'NULL')) v (r, s, p);
SELECT casino.add_game_table('holdem_cash_25_50', 'cash', 25, 10000) AS cash \gset
SELECT casino.open_round(:cash, 'cash', '2025-06-01') AS hand \gset
SELECT is(t.verdict(format('SELECT casino.hand_over_box(%s, 1, %s, ''2025-06-01'')', :hand, t.p('bob'))),
          'KB004', 'a seat of Texas Hold''em is its player''s');

-- ---------------------------------------------------------------- plan data and evidence
SELECT bag_eq($$SELECT p.game, r.rule, r.value, r.paragraph FROM casino.plan_rule r
              JOIN casino.game_plan p USING (plan_id)
                  WHERE r.rule IN ('absent_owner', 'owner_precedence') AND r.value NOT IN ('none', 'false')$$,
              $$VALUES ('blackjack_czech_casinos', 'owner_precedence', 'true', 'D0 OVLÁDÁNÍ BOXU'),
                  ('blackjack_free_bet', 'absent_owner', 'second_player', 'D3 §1')$$,
                      'one game each has the rules, with their paragraphs');
SET casino.actor = 'inspector';
SELECT t.hand_over('bob') \g /dev/null
SELECT is((SELECT w.actor FROM casino.box_handover h JOIN casino.recorder w ON w.recorder_id = h.recorded_by
           WHERE h.round_id = t.round()), 'inspector', 'who recorded it stands with it');
RESET casino.actor;
SELECT is(t.verdict(command), 'KL001', 'append-only: ' || command)
  FROM unnest(ARRAY['UPDATE casino.box_handover SET owner = 1', 'DELETE FROM casino.box_handover',
                    'TRUNCATE casino.box_handover']) command;
SELECT * FROM finish();
