-- Winnings withheld while a round is investigated (D4 §11.1; D0 "platbu neprovést, dokud se neprošetří"): of
-- a whole round or of single players, with reason and person, ended by payment or by voiding ("prohlásit hru
-- za neplatnou … sázky pokládat za neplatné").
\ir ../helpers/compliance.psql
SELECT no_plan();

-- a round at a table: players a and b on red, c on black, at 18:00; red wins at 18:05
CREATE FUNCTION t.open(OUT r bigint, OUT a bigint, OUT b bigint, OUT c bigint,
                       name text DEFAULT 'S1') LANGUAGE plpgsql AS $$
BEGIN
    a := t.player(1000); b := t.player(1000); c := t.player(1000);
    r := casino.open_round((SELECT table_id FROM casino.game_table g WHERE g.name = open.name),
                           'w ' || nextval('t.serial'), t.at('18:00'));
    PERFORM casino.place_bets(r, a, '{red@100,straight:1@10,black@50}', at => t.at('18:00')),
        casino.place_bet(r, b, 'red@100', at => t.at('18:00')),
            casino.place_bet(r, c, 'black@100', at => t.at('18:00'));
END $$;
CREATE FUNCTION t.red(r bigint, withhold boolean DEFAULT false,
                      reason text DEFAULT NULL) RETURNS casino.settlement LANGUAGE sql AS
    $$ SELECT casino.settle_round(r, '{"number": 1}', t.at('18:05'), withhold, reason) $$;
CREATE FUNCTION t.balance(p bigint)
RETURNS numeric
LANGUAGE sql AS 'SELECT balance FROM casino.player WHERE player_id = p';
CREATE FUNCTION t.hold(r bigint, p bigint, reason text DEFAULT 'cards under review',
                       at text DEFAULT '18:01') RETURNS text LANGUAGE sql AS
    $$ SELECT format('SELECT casino.withhold_winnings(%s, %s, %L, t.at(%L))', r, coalesce(p::text, 'NULL'),
                     reason, at) $$;
CREATE FUNCTION t.statuses(round bigint, p bigint) RETURNS text LANGUAGE sql AS
    $$ SELECT string_agg(format('%s %s %s', w.bet, w.status, coalesce(w.payout::text, '-')), ', '
                         ORDER BY w.entry_no) FROM casino.wager w
                             WHERE w.round_id = round AND w.player_id = p $$;
CREATE FUNCTION t.books() RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN (SELECT sum(balance) FROM casino.trial_balance) <> 0 THEN 'trial balance'
                WHEN EXISTS (SELECT FROM casino.player p
                             WHERE p.balance <> (SELECT coalesce(sum(s.change), 0) FROM casino.statement s
                                                 WHERE s.player_id = p.player_id)) THEN 'wallets'
                ELSE 'ok' END $$;

-- ---------------------------------------------------------------- one player, before the settlement (R7.42)
SELECT * FROM t.open() \gset
SELECT lives_ok(t.hold(:r, :a), 'a player of an open round is withheld');
SELECT lives_ok(t.hold(:r, :a), 'the same again changes nothing');
SELECT throws_ok(t.hold(:r, :a, 'another reason'), 'KR002', NULL, 'another reason is KR002');
SELECT is((t.red(:r)).paid, 780.00 - 20.00, 'the figures say what is paid or to be paid: 200 + 360 + 200');
SELECT is(status, 'settled', 'the round is settled') FROM casino.round WHERE round_id = :r;
SELECT is(ARRAY[t.balance(:a), t.balance(:b), t.balance(:c)], '{840.00,1100.00,900.00}',
          'the others are paid, he is not');
SELECT is(t.statuses(:r, :a),
          'red@100.00 withheld 200.00, straight:1@10.00 withheld 360.00, black@50.00 lost 0.00',
              'his winning wagers are withheld');
SELECT is(t.statuses(:r, :b), 'red@100.00 won 200.00', 'the others'' are won');
SELECT bag_eq(format($$SELECT player_id, payout, due_at, reason FROM casino.unpaid_winnings
                     WHERE round_id = %s$$, :r),
              format($$VALUES (%1$s::bigint, 200.00, t.at('2026-07-02 00:00'), 'cards under review'),
                     (%1$s, 360.00, t.at('2026-07-02 00:00'), 'cards under review')$$, :a),
                         'unpaid_winnings has them, with deadline and reason');
SELECT is((t.red(:r)).status, 'settled', 'settled again: the same');
SELECT is(t.balance(:a), 840.00, '... and he is still not paid');
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": 2}'', t.at(''18:05''))', :r), 'KR002',
                 NULL, 'another outcome is KR002');
SELECT throws_ok(t.hold(:r, :b, at => '18:06'), 'KR002', NULL, 'who is paid cannot be withheld');
SELECT throws_ok(t.hold(:r, :c, at => '18:06'), 'KR002', NULL, 'who lost neither, once it is settled');
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                         VALUES (%s, ''payout'', 200, 2, t.at(''18:06''))',
                        :a),
                 'KL004', NULL, 'R7.45: a payout by hand of what is withheld is KL004');
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                         VALUES (%s, ''refund'', 50, 4, t.at(''18:06''))',
                        :a),
                 'KL004', NULL, 'and so is a refund by hand');
SELECT throws_ok(format('SELECT casino.void_round(%s, ''all'', t.at(''18:07''))', :r), 'KR002', NULL,
                 'the round is not voided: the others are paid');
SELECT throws_ok(format('SELECT casino.close_account(%s)', :a), '55000', NULL,
                 'his account is not closed meanwhile');
-- paid
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:10''), %s)', :r, :b), 'KR002', NULL,
                 'who is not withheld is not paid so');
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:04:59''), %s)', :r, :a), 'KL005', NULL,
                 'not before the evaluation');
SELECT is((casino.pay_withheld(:r, t.at('2026-07-01 23:59:59.999999'), :a)).paid, 760.00,
          'paid: the same figures');
SELECT is(t.balance(:a), 1400.00, '... his winnings are posted');
SELECT is((casino.pay_withheld(:r, t.at('2026-07-03'), :a)).status, 'settled', 'again is the same');
SELECT is((casino.pay_withheld(:r, t.at('2026-07-03'))).status, 'settled', 'without naming him too');
SELECT is(t.balance(:a), 1400.00, '... and pays nothing more');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''x'', t.at(''2026-07-03''))', :r, :a), 'KR002',
                 NULL, 'what is paid is not voided');
SELECT is((SELECT array_agg(format('%s %s %s', how, coalesce(reason, '-'),
                                   ended_at = t.at('2026-07-01 23:59:59.999999'))) FROM casino.withholding_end
                                       WHERE player_id = :a), '{paid - t}', 'how it ended is kept');
SELECT is((SELECT count(*) FROM casino.breach WHERE player_id = :a), 0::bigint, 'in time: no breach');
SELECT is((SELECT count(*) FROM casino.unpaid_winnings), 0::bigint, 'nothing is owed any more');

-- ---------------------------------------------------------------- one player, his wagers voided (R7.43)
SELECT * FROM t.open() \gset
SELECT casino.set_limit(:a, 'net_loss', 'day', 100000, t.at('17:00')),
    casino.set_limit(:a, 'stake', 'day', 100000, t.at('17:00')) \g /dev/null
SELECT lives_ok(t.hold(:r, :a, at => '18:02'), 'withheld');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''cheated'', t.at(''18:03''))', :r, :a), 'KR002',
                 NULL, 'nothing is voided singly before the evaluation');
SELECT t.red(:r) \g /dev/null
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, %L, t.at(''18:10''))', :r, :a, reason), code, NULL,
                 what)
  FROM (VALUES (' ', '22023', 'voiding needs a reason'), (NULL, '22004', 'not NULL'),
        (repeat('x', 1001), '22001', 'within its bound')) v (reason, code, what);
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''cheated'', t.at(''18:10''))', :r, :b), 'KR002',
                 NULL, 'who is paid keeps it');
SELECT is((casino.void_wagers(:r, :a, 'cheated', t.at('18:10'))).paid, 760.00,
          'R7.44: void_wagers(): the figures stay those of the evaluation');
SELECT is(t.balance(:a), 1000.00, '... his stakes go back, lost ones too');
SELECT is(t.statuses(:r, :a), 'red@100.00 refunded -, straight:1@10.00 refunded -, black@50.00 refunded -',
          '... and his wagers are refunded');
SELECT is((casino.void_wagers(:r, :a, 'cheated', t.at('18:11'))).status, 'settled', 'again is the same');
SELECT is((SELECT last_entry_no FROM casino.player WHERE player_id = :a), 7::bigint, '... and posts nothing');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''other'', t.at(''18:12''))', :r, :a), 'KR002',
                 NULL, 'another reason is KR002');
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:12''), %s)', :r, :a), 'KR002', NULL,
                 'what is voided is not paid');
SELECT is((SELECT format('%s %s', how, reason) FROM casino.withholding_end WHERE player_id = :a),
          'voided cheated', 'the reason is kept');
SELECT is((SELECT ARRAY[s.lost_day, s.lost_month, s.open_staked, s.staked_day] FROM casino.limit_state s
           WHERE s.player_id = :a), '{0.00,0.00,0.00,160.00}',
               '§6.5: voided stakes are no loss, and were staked');
SELECT is((SELECT (s.staked_day, s.lost_day, s.staked_month, s.lost_month, s.open_staked) = (u.staked_day,
        u.lost_day, u.staked_month, u.lost_month, u.open_staked)
             FROM casino.limit_state s, casino.limit_usage(:a, t.at('18:10')) u
                 WHERE s.player_id = :a), true, '... as recomputed from the ledger');
SELECT is((SELECT started_at FROM casino.betting_sequence WHERE player_id = :a), t.at('18:00'),
          '§8.5: he has taken part all the same');
SELECT is((SELECT sequence_started_at FROM casino.player WHERE player_id = :a), t.at('18:00'),
          '... his row says so too');

-- -------------------------------------------------------- a whole round: one paid, one voided, the rest paid
SELECT * FROM t.open() \gset
SELECT is((t.red(:r, true, 'wheel under review')).status, 'withheld', 'a round is withheld as a whole');
SELECT is((SELECT withheld_reason || ' ' || (withheld_at = t.at('18:05')) FROM casino.round
           WHERE round_id = :r), 'wheel under review true', 'with its reason');
SELECT throws_ok(t.hold(:r, NULL, 'other', '18:06'), 'KR002', NULL, 'which does not change');
SELECT throws_ok(format('UPDATE casino.round SET withheld_reason = ''other'' WHERE round_id = %s', :r),
                 'KR002', NULL, 'nor by UPDATE');
SELECT is(ARRAY[t.balance(:a), t.balance(:b), t.balance(:c)], '{840.00,900.00,900.00}', 'nobody is paid');
SELECT is((casino.pay_withheld(:r, t.at('18:10'), :b)).status, 'withheld',
          'one player is paid, the round stays withheld');
SELECT is(t.balance(:b), 1100.00, '... he has it');
SELECT is((casino.pay_withheld(:r, t.at('18:11'), :b)).status, 'withheld', '... once');
SELECT throws_ok(format('SELECT casino.void_round(%s, ''wheel'', t.at(''18:12''))', :r), 'KR002', NULL,
                 'a round of which something is paid is not voided');
SELECT is((casino.void_wagers(:r, :a, 'cheated', t.at('18:13'))).status, 'withheld',
          'R7.43: the other one''s wagers are voided: c, who has lost, stays withheld');
SELECT is(ARRAY[t.balance(:a), t.balance(:b), t.balance(:c)], '{1000.00,1100.00,900.00}',
          '... all as it should be');
SELECT is((casino.pay_withheld(:r, t.at('18:14'))).status, 'settled',
          'what is left of the round is paid: nothing');
SELECT is((casino.pay_withheld(:r, t.at('18:15'))).status, 'settled', 'paying the round again is answered');
-- narrowed to one player
SELECT * FROM t.open() \gset
SELECT t.red(:r, true, 'wheel under review') \g /dev/null
SELECT lives_ok(t.hold(:r, :a, 'his bets', '18:06'),
                'in a withheld round one player gets a reason of his own');
SELECT is((casino.pay_withheld(:r, t.at('18:10'))).status, 'settled', 'the round is paid');
SELECT is(ARRAY[t.balance(:a), t.balance(:b)], '{840.00,1100.00}', '... but for him');
SELECT is((casino.pay_withheld(:r, t.at('18:11'))).status, 'settled', 'a retry');
SELECT is(t.balance(:a), 840.00, '... does not pay him');
SELECT is((SELECT array_agg(DISTINCT reason) FROM casino.unpaid_winnings WHERE player_id = :a), '{his bets}',
          'he is owed, for his own reason');
SELECT casino.pay_withheld(:r, t.at('18:12'), :a) \g /dev/null
SELECT is(t.balance(:a), 1400.00, 'until he is paid by his number');

-- ---------------------------------------------------------------- a whole round voided
SELECT * FROM t.open() \gset
SELECT casino.set_limit(:c, 'net_loss', 'month', 100000, t.at('17:00')) \g /dev/null
SELECT lives_ok(t.hold(:r, NULL, 'wheel under review', '18:03'), 'a round is withheld before it is settled');
SELECT lives_ok(t.hold(:r, NULL, 'wheel under review', '18:03'), 'again is the same');
SELECT is((t.red(:r)).status, 'withheld',
          'so it is when it is settled, though the game server did not ask for it');
SELECT is((SELECT lost_month FROM casino.limit_state WHERE player_id = :c), 100.00,
          '§6.5: what was lost counts');
SELECT throws_ok(format('SELECT casino.void_round(%s, ''wheel broken'', t.at(''18:04''))', :r), 'KL005', NULL,
                 'not before the evaluation');
SELECT is((casino.void_round(:r, 'wheel broken', t.at('18:10')))::text,
          format('(%s,voided,5,3,360.00,360.00,0.00,"%s")', :r, t.at('18:10')),
              'D0: a withheld round is voided: all stakes go back');
SELECT is(ARRAY[t.balance(:a), t.balance(:b), t.balance(:c)], '{1000.00,1000.00,1000.00}',
          '... to everybody');
SELECT is((casino.void_round(:r, 'wheel broken', t.at('18:11'))).status, 'voided', 'again is the same');
SELECT throws_ok(format('SELECT casino.void_round(%s, ''other'', t.at(''18:11''))', :r), 'KR002', NULL,
                 'another reason is KR002');
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": 1}'', t.at(''18:11''))', :r), 'KR002',
                 NULL, 'it is not settled any more');
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:11''))', :r), 'KR002', NULL, 'nor paid');
SELECT throws_ok(t.hold(:r, :a, at => '18:11'), 'KR002', NULL, 'nor withheld');
SELECT is((SELECT lost_month FROM casino.limit_state WHERE player_id = :c), 0.00,
          '§6.5: voided stakes are no loss');
SELECT is((SELECT (evaluated_at, voided_at, outcome) = (t.at('18:05'), t.at('18:10'), '{"number": 1}'::jsonb)
           FROM casino.round WHERE round_id = :r), true, 'evaluation and outcome stay in evidence');
SELECT is_empty(format('SELECT * FROM casino.evaluation WHERE round_id = %s', :r),
                '... and it has no evaluation');
-- an open round with a withheld player is voided as any other
SELECT * FROM t.open() \gset
SELECT lives_ok(t.hold(:r, :a), 'withheld');
SELECT casino.void_round(:r, 'ball', t.at('18:04')) \g /dev/null
SELECT is((SELECT how || ' ' || reason FROM casino.withholding_end WHERE player_id = :a), 'voided ball',
          'with the round his withholding ends');

-- ---------------------------------------------------------------- deadlines (§11.1)
SELECT * FROM t.open() \gset
SELECT lives_ok(t.hold(:r, :a), 'withheld');
SELECT t.red(:r) \g /dev/null
SELECT is(casino.record_overdue(t.at('2026-07-01 23:59:59.999999')), 0::bigint,
          'single players: nothing is overdue on the 30th day');
SELECT is(casino.record_overdue(t.at('2026-07-02 00:00')), 2::bigint,
          '... both winning wagers are in the night after it');
SELECT casino.void_wagers(:r, :a, 'cheated', t.at('2026-07-02 10:00')) \g /dev/null
SELECT is((SELECT array_agg(format('%s %s', entry_no, ended) ORDER BY entry_no) FROM casino.late_payment
           WHERE player_id = :a), '{"2 refund","3 refund"}', '... and stay so when they are voided');
SELECT * FROM t.open() \gset
SELECT t.red(:r, true) \g /dev/null
SELECT casino.void_round(:r, 'late', t.at('2026-07-02 00:00')) \g /dev/null
SELECT is((SELECT count(*) FROM casino.breach WHERE player_id IN (:a, :b, :c)), 3::bigint,
          'a round voided after its 30th day: its winnings were late');
SELECT * FROM t.open() \gset
SELECT lives_ok(t.hold(:r, :a), 'withheld');
SELECT t.red(:r), casino.pay_withheld(:r, t.at('2026-07-02 00:00'), :a) \g /dev/null
SELECT is((SELECT count(*) FROM casino.breach WHERE player_id = :a), 2::bigint,
          'paid after the 30th day: late');

-- ---------------------------------------------------------------- who, and what cannot be
SELECT * FROM t.open() \gset
SET casino.actor = 'Manager';
SELECT lives_ok(t.hold(:r, :a), 'withheld');
SET casino.actor = 'Director';
SELECT t.red(:r), casino.void_wagers(:r, :a, 'cheated', t.at('18:20')) \g /dev/null
RESET casino.actor;
SELECT is((SELECT array_agg(x.actor ORDER BY n)
           FROM (SELECT 1, recorded_by FROM casino.withholding WHERE player_id = :a
                 UNION ALL SELECT 2, recorded_by FROM casino.withholding_end WHERE player_id = :a
            UNION ALL SELECT 3, recorded_by FROM casino.ledger
                WHERE player_id = :a AND kind = 'refund') v (n, who)
                    JOIN casino.recorder x ON x.recorder_id = who),
                        '{Manager,Director,Director,Director,Director}', 'who ordered and who ended it');
SELECT throws_ok(format('UPDATE casino.%I SET reason = ''x''', tab), 'KL001', NULL,
                 format('%s is append-only', tab)) FROM unnest('{withholding,withholding_end}'::text[]) tab;
SELECT * FROM t.open() \gset
SELECT throws_ok(t.hold(:r, :a, reason), code, NULL, what)
  FROM (VALUES (' ', '22023', 'withholding needs a reason'), (NULL, '22004', 'not NULL'),
        (repeat('x', 1001), '22001', 'within its bound')) v (reason, code, what);
SELECT throws_ok(t.hold(:r, 0), '23503', NULL, 'an unknown player');
SELECT throws_ok(t.hold(0, :a), '23503', NULL, 'an unknown round');
SELECT throws_ok(t.hold(:r, t.player()), 'KR002', NULL, 'a player without a wager in it');
SELECT throws_ok(t.hold(:r, :a, at => '17:59'), 'KL005', NULL, 'not before the round was opened');
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:02''), %s)', :r, :a), 'KR002', NULL,
                 'nothing is withheld yet');
SELECT t.red(:r) \g /dev/null
SELECT throws_ok(format('SELECT casino.pay_withheld(%s, t.at(''18:12''))', :r), 'KR002', NULL,
                 'nor of a round that is paid');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''x'', t.at(''18:12''))', :r, :a), 'KR002', NULL,
                 'nor are wagers voided that are paid');
-- a loser of a round withheld as a whole: nothing is posted for him, and his withholding has ended all the
-- same
SELECT * FROM t.open() \gset
SELECT t.red(:r, true, 'cards') \g /dev/null
SELECT is((casino.pay_withheld(:r, t.at('18:10'), :c)).status, 'withheld',
          'c, who has lost, is paid what he won: nothing');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''x'', t.at(''18:12''))', :r, :c), 'KR002', NULL,
                 '... and his wagers are not voided singly any more');
SELECT is(t.balance(:c), 900.00, '... nothing went back');
SELECT is((casino.void_round(:r, 'cards', t.at('18:20'))).paid, 360.00,
          'with the whole round they are: nothing of it was posted');
SELECT is(ARRAY[t.balance(:a), t.balance(:b), t.balance(:c)], '{1000.00,1000.00,1000.00}',
          '... all have their stakes back');
-- a withheld player may still be returned his stakes before the close
SELECT * FROM t.open() \gset
SELECT lives_ok(t.hold(:r, :a), 'withheld');
SELECT is(array_length(casino.disconnect(:r, :a, t.at('18:02')), 1), 3,
          '§9.4: disconnected, his stakes go back');
SELECT t.red(:r) \g /dev/null
SELECT is((SELECT count(*) FROM casino.unpaid_winnings WHERE player_id = :a), 0::bigint,
          '... and nothing is owed');
-- players of a pot are paid from each other's stakes
SELECT casino.add_game_table('holdem_cash_25_50', 'T1', 25, 10000) AS tab, t.player() AS x,
    t.player() AS y \gset
SELECT casino.open_round(:tab, 'pot', t.at('18:00')) AS r \gset
SELECT casino.place_bet(:r, :x, 'pot@50', seat => 1, at => t.at('18:00')),
    casino.place_bet(:r, :y, 'pot@50', seat => 2, at => t.at('18:00')) \g /dev/null
SELECT lives_ok(t.hold(:r, :x), 'a player of a pot is withheld');
SELECT casino.settle_round(:r,
                           '{"button": 1, "board": "2c 3d 7h 9s Jc", "seats": [{"seat": 1, '
                           '"cards": "As Ad"}, {"seat": 2, "cards": "Ks Kd"}]}',
                           t.at('18:05')) \g /dev/null
SELECT is(t.statuses(:r, :x), 'pot@50.00 withheld 100.00', '... and not paid');
SELECT throws_ok(format('SELECT casino.void_wagers(%s, %s, ''x'', t.at(''18:12''))', :r, :x), 'KR002', NULL,
                 '... but his stakes stay in the pot');
SELECT is((casino.pay_withheld(:r, t.at('18:15'))).paid, 100.00, '... until he is paid');
SELECT is(t.books(), 'ok', 'the books fit');
SELECT * FROM finish();
