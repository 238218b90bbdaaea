-- Cards that deal() was told wrongly, corrected before the evaluation (D4 Blackjack §16, All Bets §15, Casino
-- Hold'em §19, Baccarat §10; R11.12, R11.30 to R11.32): both records stay, stakes that came after the wrong
-- card go back and may be placed again.
\ir ../helpers/blackjack.psql
SELECT no_plan();

CREATE FUNCTION t.correct(cards text, why text DEFAULT 'the camera misread a card',
                          stand boolean DEFAULT false) RETURNS integer LANGUAGE sql AS
    'SELECT casino.correct_deal(t.round(), t.cards(cards), why, t.at(), stand)';
CREATE FUNCTION t.deal(cards text)
RETURNS void
LANGUAGE sql AS 'SELECT casino.deal(t.round(), t.cards(cards), t.at())';
CREATE FUNCTION t.standing() RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(p.name || ' ' || w.kind || ' ' || w.status, ', ' ORDER BY p.name, w.entry_no)
      FROM casino.wager w JOIN t.person p ON p.id = w.player_id WHERE w.round_id = t.round() $$;
CREATE FUNCTION t.differences() RETURNS bigint LANGUAGE sql AS
    $$ SELECT count(*) FROM casino_internal.check_refund('2025-01-01', '2027-01-01') $$;

-- -------------------------------------------------------------------- baccarat: nobody stakes after the deal
SELECT casino.add_game_table('baccarat', 'baccarat', 10, 10000) AS baccarat \gset
SELECT casino.open_round(:baccarat, 'b1', '2025-06-01 12:00') AS b1 \gset
SELECT casino.place_bet(:b1, t.p('ann'), 'banker@100', at => '2025-06-01 12:00') \g /dev/null
SELECT casino.close_betting(:b1, '2025-06-01 12:01') \g /dev/null
SELECT throws_ok(format($$ SELECT casino.correct_deal(%s, '{"player": "8h", "banker": "6c"}', 'x',
                                                      '2025-06-01 12:01') $$, :b1), 'KR002', NULL,
                                                          'nothing was dealt: nothing to correct');
SELECT casino.deal(:b1, '{"player": "9h", "banker": "Kd"}', '2025-06-01 12:02') \g /dev/null
SELECT throws_ok(format($$ SELECT casino.settle_round(%s, '{"player": "8h Kd", "banker": "6c Kc"}',
                                                      '2025-06-01 12:03') $$, :b1),
                 'KR001', NULL, 'R11.12: what was dealt stays until it is corrected');
SELECT is(casino.correct_deal(:b1, '{"player": "8h", "banker": "6c"}', 'misread', '2025-06-01 12:03'), 0,
          'R11.12 (D4 Baccarat §10): a plain correction, nothing goes back') FROM generate_series(1, 3);
SELECT results_eq(format('SELECT deal_no, document FROM casino.deal WHERE round_id = %s ORDER BY 1', :b1),
                  $$ VALUES (1, '{"player": "9h", "banker": "Kd"}'::jsonb),
                      (2, '{"player": "8h", "banker": "6c"}') $$,
                          'R11.12: both records stay, retries add none');
SELECT results_eq(format('SELECT deal_no, wrong_deal_no, reason, wagers_stand, returned
                            FROM casino.deal_correction
                           WHERE round_id = %s',
                         :b1),
                  $$ VALUES (2, 1, 'misread', false, 0) $$, 'with which of them was wrong, and why');
SELECT is((SELECT w.role FROM casino.deal_correction c JOIN casino.recorder w ON w.recorder_id = c.recorded_by
           WHERE c.round_id = :b1), current_user::text, 'and who did it');
SELECT is(casino.last_deal(:b1), '{"player": "8h", "banker": "6c"}',
          'what lies on the table is the corrected one');
SELECT lives_ok(format($$ SELECT casino.deal(%s, '{"player": "9h", "banker": "Kd"}', '2025-06-01 12:04') $$,
                       :b1), 'the wrong document sent again by the provider is known (R11.11)');
SELECT bag_eq(format('SELECT side, cards::text FROM casino.dealt_hand WHERE round_id = %s', :b1),
              $$ VALUES ('player', '8h'), ('banker', '6c') $$, 'and changes nothing');
SELECT results_eq(format($$ SELECT status, paid
                         FROM casino.settle_round(%s, '{"player": "8h Kd", "banker": "6c Kc"}',
                                                  '2025-06-01 12:05') $$, :b1),
                                                      $$ VALUES ('settled', 0.00) $$,
                  'R11.12: the round is finished, not cancelled');
SELECT throws_ok(format($$ SELECT casino.correct_deal(%s, '{"player": "9h", "banker": "6c"}', 'x',
                                                      '2025-06-01 12:06') $$, :b1), 'KR002', NULL,
                                                          'after the evaluation cards are not corrected so');
SELECT is(casino.correct_deal(:b1, '{"player": "8h", "banker": "6c"}', 'misread', '2025-06-01 12:03'), 0,
          'a retry is answered, also then');

-- ------------------------------------------------------- blackjack: what came after the wrong card goes back
SELECT t.staked('czech', '{main@100,bob#2 main@100}') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d | 2: 8s 8d') \g /dev/null
SELECT t.place('double_down@100', 'before') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d 9h | 2: 8s 8d 2c') \g /dev/null
SELECT is(t.verdict($$ SELECT t.correct('Td | 1: 5s 6d 8h | 2: 8s 8d 2c') $$), 'ok',
          'a card that was misread is replaced');
SELECT is(t.correct('Td | 1: 5s 6d 8h | 2: 8s 8d 2c'), 0, 'R11.30: a stake before the wrong card stands');
SELECT is(t.standing(), 'ann main open, ann double_down open, bob main open', 'all of them');

SELECT t.staked('czech', '{main@100,bob#2 main@100}') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d | 2: 8s 8d') \g /dev/null
SELECT t.place('double_down@100', 'double') \g /dev/null
SELECT t.place('bob#2/2 split_pair@100', 'split') \g /dev/null
SELECT (SELECT balance FROM casino.player WHERE player_id = t.p('bob')) AS bob \gset
SELECT is(t.verdict($$ SELECT t.correct('Td | 1: 5s 5d 2c 3c | 2: 8s 8c', stand => true) $$), 'KR001',
          'R11.32: what cannot stand by the right cards is refused: a doubled hand of four cards');
SELECT is(t.correct('Td | 1: 5s 6d | 2: 8s 9d'), 2,
          'R11.30: all in-play stakes since the document with the wrong card go back')
              FROM generate_series(1, 2);
SELECT is(t.standing(), 'ann main open, ann double_down refunded, bob main open, bob split_pair refunded',
          'in-play wagers, not the main bets');
SELECT results_eq($$ SELECT l.kind, l.amount, l.reason FROM casino.ledger l
                  WHERE l.round_id = t.round() AND l.kind = 'refund' $$,
                  $$ VALUES ('refund', 100.00, 'misdealt'), ('refund', 100.00, 'misdealt') $$,
                      'once each, with their reason');
SELECT is((SELECT balance FROM casino.player WHERE player_id = t.p('bob')), :bob + 100, 'the money is back');
SELECT throws_ok($$ SELECT t.place('bob#2/2 split_pair@100') $$, 'KB005', NULL,
                 'what the right cards do not allow is refused');
SELECT lives_ok($$ SELECT t.place('double_down@100') $$, 'R11.12: what they allow may be placed again');
SELECT lives_ok($$ SELECT t.settle('Td 8c | 1: 5s 6d 9h | 2: 8s 9d') $$, 'and the round is finished');
SELECT is((SELECT string_agg(w.kind || ' ' || w.status, ', ' ORDER BY w.player_id, w.entry_no)
           FROM casino.wager w WHERE w.round_id = t.round() AND w.player_id = t.p('ann')),
          'main won, double_down refunded, double_down won', 'by the right cards');
SELECT is((SELECT wagers FROM casino.round WHERE round_id = t.round()), 3::bigint,
          'what went back was never placed');

-- standing by the supervisor's word
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.correct('Td | 1: 5s 5d', 'the six was a five', stand => true), 0,
          'R11.30: unless the supervisor lets them stand');
SELECT throws_ok($$ SELECT t.correct('Td | 1: 5s 5d', 'the six was a five') $$, 'KR002', NULL,
                 'R11.31: the same with another answer is refused');
SELECT is(t.standing(), 'ann main open, ann double_down open', 'then the double stands');
-- corrected twice, and back
SELECT is(t.correct('Td | 1: 5s 6d', 'it was a six'), 0,
          'R11.31: corrected back: nothing came after the correction');
SELECT throws_ok($$ SELECT t.correct('Td | 1: 5s 5d', 'the six was a five', stand => true) $$, 'KR002', NULL,
                 'R11.31: an earlier correction again: what is meant cannot be told');
SELECT lives_ok($$ SELECT t.settle('Td 8c | 1: 5s 6d 9h') $$, 'settled by the last');

-- the dealer's up card, and what was seen in a document between
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT t.deal('Ad | 1: 5s 6d') \g /dev/null
SELECT t.place('insurance@50') \g /dev/null
SELECT t.deal('Ad | 1: 5s 6d') \g /dev/null
SELECT is(t.correct('Td | 1: 5s 6d'), 1, 'the insurance against an ace that was none goes back');

SELECT t.staked('evolution', '{main@100}') \g /dev/null
SELECT t.deal('Th 6c | 5s 6d') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.correct('6c Th | 5s 6d'), 1, 'R11.12: which card of the dealer''s lies open');
SELECT t.staked('synot+', '{main@100}') \g /dev/null
SELECT t.deal('Td | 5s 6d') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.correct('Td | 5s 5d !surrender'), 1, 'R11.32: a double that went back forbids no surrender');

-- after the end of the decisions: what goes back cannot be placed again
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT t.deal('6d | 5s 6d') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT casino.close_actions(t.round(), t.at()) \g /dev/null
SELECT is(t.correct('Td | 5s 6d'), 1, 'R11.30: after the decisions have ended, too')
  FROM generate_series(1, 2);
SELECT is(t.verdict($$ SELECT t.place('double_down@100') $$), 'KB005',
          'R11.16: the round takes no double any more');
SELECT lives_ok($$ SELECT t.settle('Td 7h | 5s 6d 9c') $$, 'and is finished with the single stake');

-- a shared box: those whose cards were wrong are found by player
SELECT t.staked('infinite', '{main@100,bob main@100}') \g /dev/null
SELECT t.deal('9c | 5s 6d') \g /dev/null
SELECT t.place('bob double_down@100') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT t.deal('9c | @bob: 5s 6d 9h | 5s 6d') \g /dev/null
SELECT is(t.correct('9c | @bob: 5s 6d 8h | 5s 6d'), 0,
          'R11.30: at a shared box a card of one player''s is wrong: what was staked before it stands');
SELECT is(t.correct('9c | @bob: 5s 7d 8h | 5s 7d', 'the second card, too'), 0,
          'corrected again: only what came after the last correction is asked');

-- times
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d') \g /dev/null
SELECT throws_ok(format($$ SELECT casino.correct_deal(%s, t.cards('Td | 1: 5s 5d'), 'x', %L) $$, t.round(),
                        (SELECT opened_at FROM t.now)), 'KL005', NULL,
                            'a correction does not precede what it corrects');
-- the second document claims an earlier time than the first
SELECT casino.deal(t.round(), t.cards('Td | 1: 5s 6d 2c'), d.dealt_at - interval '1 second')
  FROM casino.deal d
 WHERE d.round_id = t.round() \g /dev/null
SELECT is(t.verdict(format($$ SELECT casino.correct_deal(%s, t.cards('Td | 1: 5s 5d'), 'x', %L) $$, t.round(),
                           d.dealt_at + later)), found, 'nor the last cards: ' || later)
  FROM casino.deal d
 CROSS JOIN (VALUES (interval '-1 microsecond', 'KL005'), ('0', 'ok')) v (later, found)
 WHERE d.round_id = t.round() AND d.deal_no = 1;
SELECT throws_ok(format($$ SELECT casino.correct_deal(%s, t.cards('Td | 1: 5s 5d'), %L, t.at()) $$, t.round(),
                        why), code, NULL, 'a reason is needed: ' || coalesce(why, 'NULL'))
  FROM (VALUES (NULL, '22004'), ('  ', '22023')) v (why, code);
SELECT throws_ok($$ SELECT casino.correct_deal(-1, '{"dealer": "Td"}', 'x') $$, '23503', NULL,
                 'an unknown round');

-- ------------------------------------------------------------------------------- the night, recall, evidence
SELECT is(t.differences(), 0::bigint, 'the night finds nothing where nothing is wrong');
SELECT is_empty($$ SELECT * FROM casino_internal.check_record_rows('-infinity', 'infinity')
                    WHERE detail ->> 'table' = 'deal_correction' $$,
                'R11.63: and says of each correction the same first wrong document');
SELECT is(jsonb_array_length(casino.game_recall(:b1) -> 'deals'), 2, 'recall shows both deals');
SELECT is(casino.game_recall(:b1) -> 'deals' -> 1 -> 'corrects' ->> 'reason', 'misread',
          'and what corrected what');
SELECT is((SELECT count(*) FROM casino.significant_event('2025-06-01', '2025-06-01')
           WHERE event = 'cards corrected'), 1::bigint, 'it is a significant event');
SELECT throws_ok('UPDATE casino.deal_correction SET reason = ''y''', 'KL001', NULL, 'append-only');
SELECT is((SELECT count(*) FROM casino.evidence_layouts() WHERE section = 'deal_correction'), 9::bigint,
          'sealed');

-- planted: a refund that no correction asks for, a stake that should have gone back
CREATE FUNCTION t.planted(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
    ALTER TABLE casino.deal_correction DISABLE TRIGGER ALL;
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    EXECUTE fault;
    SELECT string_agg(f.rule, ' ' ORDER BY f.rule) INTO found
      FROM casino_internal.check_refund('2025-01-01', '2027-01-01') f;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN sqlstate 'ZZZZZ' THEN
    RETURN found;
END $$;
SELECT is(t.planted('UPDATE casino.deal_correction SET wagers_stand = true WHERE returned > 0'),
          'not_due not_due not_due not_due not_due not_due', 'planted: refunds that no correction asks for');
SELECT is(t.planted($$ DELETE FROM casino.ledger WHERE reason = 'misdealt' AND player_id = t.p('bob') $$),
          'missing', 'planted: a stake that did not go back');

-- a shared box whose common hand is there no more: its cards lie in a hand of somebody, or they are gone
-- how many stakes went back, from which document on
CREATE FUNCTION t.parted(dealt text, corrected text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    returned integer;
BEGIN
    PERFORM t.staked('infinite', '{main@100,bob main@100}'), t.deal(dealt), t.place('bob double_down@100');
    returned := t.correct(corrected);
    RETURN concat_ws(' of ', returned, (SELECT c.wrong_deal_no
                                          FROM casino.deal_correction c
                                         WHERE c.round_id = t.round()));
END $$;
SELECT is(t.parted('9c | @bob: 5s 6d | 5s 6d 9h', '9c | @bob: 5s 6d'), '1 of 1',
          'R11.30: a card of the common hand that is gone, of players without a hand of their own');
SELECT is(t.parted('9c | @bob: 5s 6d | 5s 6d 9h', '9c | @bob: 5s 6d | @ann: 5s 6d 8h'), '1 of 1',
          'R11.30: nor in the hand of their own');
SELECT is(t.parted('9c | @bob: 5s 6d | 5s 6d 9h', '9c | @bob: 5s 6d | @ann: 5s 6d 9h'), '0',
          'R11.30: the common hand counts by the hands that all have of their own');
SELECT is(t.parted('9c | @bob: 5s 6d | @ann: 5s 6d | 5s 6d', '9c | @bob: 5s 6d 8h | @ann: 5s 6d'),
          '0', 'R11.30: also where all had them before');
SELECT is(t.parted('9c | @bob: 5s 6d | 5s 6d 9h', '9c | @bob: 5s 6d 9h | 5s 6d'), '1 of 1',
          'R11.30: a card of another hand stands for none of a common hand that is there');

-- a stake that was recorded before the wrong card and claims a later time
CREATE FUNCTION t.claimed(later interval) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz;
BEGIN
    PERFORM t.staked('czech', '{main@100}'), t.deal('Td | 1: 5s 6d');
    at := t.at();
    PERFORM t.place('double_down@100', NULL, at);
    PERFORM casino.deal(t.round(), t.cards('Td | 1: 5s 6d 9h'), at - later);
    RETURN t.correct('Td | 1: 5s 6d 8h');
END $$;
SELECT is(t.claimed(later), returned, 'R11.30: a time later by ' || later)
  FROM (VALUES (interval '0', 0), ('1 microsecond', 1), ('-1 microsecond', 0)) v (later, returned);

-- a bet behind whose stake is dated after its player's last entry follows the owner's stake (R11.60)
CREATE FUNCTION t.behind(owner interval, deposit interval, dealt interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz;
    returned integer;
BEGIN
    PERFORM t.staked('synot+', '{main@100,bob behind@100}'), t.deal('Td | 5s 6d');
    at := t.at();
    PERFORM casino.deposit(t.p('bob'), 10, at => at + deposit);
    PERFORM t.place('double_down@100', NULL, at + owner);
    PERFORM casino.deal(t.round(), t.cards('Td | 5s 6d 9h'), at + dealt);
    returned := casino.correct_deal(t.round(), t.cards('Td | 5s 6d 8h'), 'misread',
                                    at + interval '20 minutes');
    UPDATE t.now SET minute = minute + 30;
    IF returned > 0 THEN
        PERFORM casino.correct_deal(t.round(), t.cards('Td | 5s 6d'), 'not dealt yet', t.at());
        PERFORM t.place('double_down@100', NULL, t.at());
    END IF;
    PERFORM t.settle('Td 7h | 5s 6d 8h');
    RETURN concat_ws(', ', returned, t.standing());
END $$;
SELECT is(t.behind(owner, deposit, dealt), expected,
          format('R11.60: doubled at %s, followed at %s, the wrong card of %s', owner, deposit, dealt))
  FROM (VALUES
    (interval '1 minute', interval '10 minutes', interval '5 minutes',
     '0, ann main won, ann double_down won, bob behind won, bob double_down won'),
    ('5 minutes', '10 minutes', '5 minutes',
     '0, ann main won, ann double_down won, bob behind won, bob double_down won'),
    ('6 minutes', '10 minutes', '5 minutes',
     '2, ann main won, ann double_down refunded, ann double_down won, '
     'bob behind won, bob double_down refunded, bob double_down won'),
    ('6 minutes', '0', '5 minutes',
     '2, ann main won, ann double_down refunded, ann double_down won, '
     'bob behind won, bob double_down refunded, bob double_down won')) v (owner, deposit, dealt, expected);
SELECT is_empty($$ SELECT * FROM casino_internal.check_follow('2025-01-01', '2027-01-01') $$,
                'R3.78: each bet behind has what its owner has');

-- the clock was put back before the cards were dealt: by it the main bet came later than they did
CREATE FUNCTION t.put_back(back interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    PERFORM t.staked('czech', '{main@100}'), t.deal('Td | 1: 5s 6d'), t.place('double_down@100');
    ALTER TABLE casino.deal DISABLE TRIGGER ALL;
    UPDATE casino.deal SET recorded_at = recorded_at - back WHERE round_id = t.round();
    ALTER TABLE casino.deal ENABLE TRIGGER ALL;
    answer := t.correct('Td | 1: 5s 9d') || ', ' || t.standing() || ', ' || t.differences();
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN answer;
END $$;
SELECT is(t.put_back(back), '1, ann main open, ann double_down refunded, 0',
          'R12.152: the main bet stands with the clock put back by ' || back)
  FROM unnest('{0,4 seconds,1 hour}'::interval[]) back;

-- a call that was placed blind came before the cards, one at the instant of the close or later after them
SELECT casino.add_game_table('casino_holdem', 'holdem', 10, 1000) AS holdem \gset
CREATE FUNCTION t.called(at timestamptz, back interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    r bigint := casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'holdem'), 'h',
                                  '2025-08-01 12:00');
    eve bigint := casino.register_player('eve');
BEGIN
    PERFORM casino.deposit(eve, 1000, at => '2025-08-01 11:00'),
            casino.place_bet(r, eve, 'ante@100', at => '2025-08-01 12:00');
    IF at < '2025-08-01 12:01' THEN
        PERFORM casino.place_bet(r, eve, 'call@200', at => at);
    END IF;
    PERFORM casino.close_betting(r, '2025-08-01 12:01'),
            casino.deal(r, '{"player": "As Ks", "board": "Qs Js 2s"}', '2025-08-01 12:02');
    IF at >= '2025-08-01 12:01' THEN
        PERFORM casino.place_bet(r, eve, 'call@200', at => at);
    END IF;
    ALTER TABLE casino.deal DISABLE TRIGGER ALL;
    UPDATE casino.deal d SET recorded_at = d.recorded_at - back WHERE d.round_id = r;
    ALTER TABLE casino.deal ENABLE TRIGGER ALL;
    answer := casino.correct_deal(r, '{"player": "As Ks", "board": "Qs Js 3s"}', 'misread',
                                  '2025-08-01 12:05');
    SELECT answer || string_agg(', ' || w.kind || ' ' || w.status, '' ORDER BY w.entry_no) || ', '
           || t.differences()
      INTO answer FROM casino.wager w WHERE w.round_id = r;
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN answer;
END $$;
SELECT is(t.called(at, back), expected,
          format('R12.157: called at %s, with the clock put back by %s', at, back))
  FROM unnest('{0,4 seconds,1 hour}'::interval[]) back
 CROSS JOIN (VALUES ('2025-08-01 12:00:59.999999'::timestamptz, '0, ante open, call open, 0'),
                    ('2025-08-01 12:03', '1, ante open, call refunded, 0')) v (at, expected);

-- the clock was put back between a stake in play and the cards: the record before is ahead of the clock by
-- "back". All claim one time
CREATE FUNCTION t.double(how text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF how = 'row' THEN
        INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat, posted_at)
        VALUES (t.p('ann'), 'stake', t.round(), 'double_down@100', 1, at);
    ELSE
        PERFORM set_config('casino.store', CASE how WHEN 'store' THEN 'on' ELSE 'off' END, true);
        PERFORM t.place('double_down@100', NULL, at);
        PERFORM set_config('casino.store', 'on', true);
    END IF;
END $$;
-- the last document, or the doubles, were written by a clock that was ahead
CREATE FUNCTION t.cards_ahead(back interval) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.deal DISABLE TRIGGER ALL;
    UPDATE casino.deal d SET recorded_at = d.recorded_at + back
     WHERE d.round_id = t.round()
       AND d.deal_no = (SELECT max(x.deal_no) FROM casino.deal x WHERE x.round_id = t.round());
    ALTER TABLE casino.deal ENABLE TRIGGER ALL;
END $$;
CREATE FUNCTION t.doubles_ahead(back interval) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    UPDATE casino.ledger l SET recorded_at = l.recorded_at + back
     WHERE l.round_id = t.round() AND casino.kind(l.bet) = 'double_down';
    ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
END $$;
CREATE FUNCTION t.turned(first_comes text, how text, back interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz;
    answer text;
BEGIN
    PERFORM t.staked('czech', '{main@100}');
    at := t.at();
    PERFORM casino.deal(t.round(), t.cards('Td | 1: 5s 6d'), at);
    IF first_comes = 'cards' THEN
        PERFORM t.cards_ahead(back), t.double(how, at);
        answer := t.correct('Td | 1: 5s 6h');
    ELSE
        PERFORM t.double(how, at), t.doubles_ahead(back);
        PERFORM casino.deal(t.round(), t.cards('Td | 1: 5s 6d 9h'), at);
        answer := t.correct('Td | 1: 5s 6d 8h');
    END IF;
    answer := concat_ws(', ', answer, t.standing(), t.differences());
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN answer;
END $$;
SELECT is(t.turned(first_comes, how, back), expected || ', 0',
          format('R12.158: the %s came first, the clock was put back by %s since, %s', first_comes, back,
                 how))
  FROM (VALUES ('stake', '0, ann main open, ann double_down open'),
               ('cards', '1, ann main open, ann double_down refunded')) v (first_comes, expected)
 CROSS JOIN unnest('{store,SQL,row}'::text[]) how
 CROSS JOIN unnest('{0,4 seconds,1 hour}'::interval[]) back;

-- stakes that an earlier correction has left are of before, later stakes are not
CREATE FUNCTION t.corrected_twice(back interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz;
    answer text;
BEGIN
    PERFORM t.staked('czech', '{main@100,bob#2 main@100}'), t.deal('Td | 1: 5s 6d | 2: 8s 3d');
    at := t.at();
    PERFORM t.place('double_down@100', NULL, at), t.doubles_ahead(back);
    -- ann's double stands, though the cards were others
    answer := casino.correct_deal(t.round(), t.cards('Td | 1: 5s 5d | 2: 8s 3d'), 'misread', at, true);
    PERFORM t.cards_ahead(back);
    PERFORM t.place('bob#2 double_down@100', NULL, at);
    answer := concat_ws(', ', answer, t.correct('Td | 1: 5s 6h | 2: 8s 3d', 'misread again'), t.standing(),
                        t.differences());
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN answer;
END $$;
SELECT is(t.corrected_twice(back),
          '0, 1, ann main open, ann double_down open, bob main open, bob double_down refunded, 0',
          'R12.158: a stake before the first correction, one after it, the clock put back by ' || back)
  FROM unnest('{0,4 seconds,1 hour}'::interval[]) back;

-- cards without a time come at the clock's, and not before a stake in play that is there
CREATE FUNCTION t.clock_behind(ahead interval, corrected boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
    at CONSTANT timestamptz := clock_timestamp() + ahead;
    asked timestamptz;
BEGIN
    PERFORM t.staked('czech', '{main@100}'), t.deal('Td | 1: 5s 6d');
    PERFORM t.place('double_down@100', NULL, at);
    SET LOCAL casino.clock_skew = 5;
    asked := clock_timestamp();
    BEGIN
        IF corrected THEN
            PERFORM casino.correct_deal(t.round(), t.cards('Td | 1: 5s 6c'), 'misread', NULL, true);
        ELSE
            PERFORM casino.deal(t.round(), t.cards('Td | 1: 5s 6d 9h'));
        END IF;
        SELECT CASE WHEN d.dealt_at = at THEN 'at the stake''s'
                    WHEN d.dealt_at BETWEEN asked AND clock_timestamp() THEN 'at the clock''s'
                    ELSE d.dealt_at::text END INTO answer
          FROM casino.deal d
         WHERE d.round_id = t.round() AND d.deal_no = 2;
    EXCEPTION WHEN SQLSTATE 'KL005' THEN
        answer := SQLSTATE;
    END;
    SET LOCAL casino.clock_skew = -1;
    IF answer <> 'KL005' THEN
        answer := answer || ', '
            || casino.correct_deal(t.round(), t.cards(CASE WHEN corrected THEN 'Td | 1: 5s 6h'
                                                           ELSE 'Td | 1: 5s 6d 8h' END),
                                   'misread again', at + interval '1 hour');
    END IF;
    RAISE EXCEPTION SQLSTATE 'ZZ001';
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    RETURN answer;
END $$;
SELECT is(t.clock_behind(ahead, corrected), expected,
          format('R12.158: the stake is ahead of the clock by %s%s', ahead,
                 CASE WHEN corrected THEN ', the cards are corrected' ELSE '' END))
  FROM (VALUES (interval '-1 second', false, 'at the clock''s, 0'),
               ('4 seconds', false, 'at the stake''s, 0'), ('6 seconds', false, 'KL005'),
               ('-1 second', true, 'at the clock''s, 0'),
               ('4 seconds', true, 'at the stake''s, 0'), ('6 seconds', true, 'KL005'))
       v (ahead, corrected, expected);

-- numbers of a document are numbers
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT t.deal('Td | 1: 5s 6d') \g /dev/null
SELECT t.place('double_down@100') \g /dev/null
SELECT is(t.correct('{"dealer": "Td", "hands": [{"seat": 1.0, "cards": "5s 6d 8h"}]}'), 0,
          'seat 1.0 is seat 1, also to the night');
SELECT is(t.differences(), 0::bigint, 'the night finds every refund due');
SELECT is_empty($$ SELECT * FROM casino_internal.check_record_rows('-infinity', 'infinity')
                    WHERE detail ->> 'table' = 'deal_correction' $$, 'R11.63: and the same wrong documents');
SELECT * FROM finish();
