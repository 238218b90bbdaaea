-- Decisions in blackjack that concern one hand or one player of a box, and not the others (D0 HRA, D3 §7,
-- R3.45).
\ir ../helpers/blackjack.psql
SELECT no_plan();
CREATE FUNCTION t.deal(cards text)
RETURNS void
LANGUAGE sql AS 'SELECT casino.deal(t.round(), t.cards(cards), t.at())';

-- even money is the player's who takes it: another one of the box, with the same blackjack, may insure it (D3
-- §7: own blackjack too)
SELECT t.staked('free_bet', '{main@100,bob main@40}'), t.deal('Ad | As Kd !even=ann') \g /dev/null
SELECT is(t.may('insurance@50'), 'KB005', 'D3 §7: who has taken even money insures nothing');
SELECT is(t.may('bob insurance@20'), 'ok', '... his neighbour on the box does');
SELECT t.place('bob insurance@20') \g /dev/null
SELECT is((t.settle('Ad Kc | As Kd !even=ann')).paid, 200.00 + 40.00 + 60.00,
          '1:1 for him, the stake and 2:1 of the insurance for the other');

-- a split that waits for its cards is of the pair that lies there; the other hand is whole and may be doubled
-- (R3.45)
SELECT t.staked('czech', '{main@100,/2 split_pair@100}'), t.deal('9d | 8s 8d | 8h 3c') \g /dev/null
SELECT is(t.may('/2 double_down@100'), 'ok', 'D0 HRA: 11 on two cards is doubled');
SELECT t.place('/3 split_pair@100') \g /dev/null
SELECT is(t.may('/2 double_down@100'), 'ok',
          'R3.45: also while the pair beside it waits for the cards of its split');
SELECT is(t.may('/1 double_down@100'), 'KB005', '... the pair itself is not: it is split');
SELECT is(t.may('/4 split_pair@100'), 'KB005', '... nor is there another pair');
SELECT t.deal('9d | 8s 2c | 8h 3c | 8d 7h') \g /dev/null
SELECT is(t.may('/1 double_down@100'), 'ok',
          'with the cards of the split on the table its hands are doubled');

-- two boxes of one player: what he did on the one is no mark of the other (D4 Blackjack §20, R3.15)
SELECT t.pays('synot', '{main@100,#2 main@50,double_down@100}', 'Td Ac | 1: 5s 6d 9c | 2: Ts 9d',
              'returned 100, lose 0, returned 100',
    'D4 Blackjack §20: against ten and ace the doubled stake comes back, that of the other box is lost');

-- handed over again and again (D3 §1): each change has its number, and none is before the last
SELECT t.staked('free_bet', '{main@100,bob main@40}') \g /dev/null
SELECT casino.hand_over_box(t.round(), 1, t.p('bob'), t.at()),
    casino.hand_over_box(t.round(), 1, t.p('ann'), t.at()) \g /dev/null
SELECT t.deal('9d | 5s 6d') \g /dev/null
SELECT is(t.may('double_down@100'), 'ok', 'D3 §1: the last change says who decides');
SELECT is(t.may('bob double_down@40'), 'KB005', '... and who follows');
SELECT handed_at - interval '1 s' AS before FROM casino.box_handover
 WHERE round_id = t.round() AND handover_no = 2 \gset
SELECT is(t.verdict(format('SELECT casino.hand_over_box(t.round(), 1, t.p(''bob''), %L)', :'before')),
          'KL005', 'D3 §1: a third change dated before the second');
SELECT casino.hand_over_box(t.round(), 1, t.p('bob'), t.at()) \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', h.handover_no, p.name) ORDER BY h.handover_no)
           FROM casino.box_handover h JOIN t.person p ON p.id = h.owner WHERE h.round_id = t.round()),
          '{"1 bob","2 ann","3 bob"}', '... after it, it is the third');

-- cards are dealt after betting has closed, by their time too (R11.11)
SELECT t.staked('czech', '{main@100}') \g /dev/null
SELECT betting_closed_at AS closed FROM casino.round WHERE round_id = t.round() \gset
SELECT is(t.verdict(format('SELECT casino.deal(t.round(), t.cards(''9d | 5s 6d''),
                                               %L::timestamptz - interval ''1 us'')',
                           :'closed')),
          'KL005', 'cards dated a microsecond before the close');
SELECT is(t.verdict(format('SELECT casino.deal(t.round(), t.cards(''9d | 5s 6d''), %L)', :'closed')), 'ok',
          '... with it they may be');
SELECT * FROM finish();
