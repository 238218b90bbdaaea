-- What is kept of a game and of money: deals, outcome documents, disconnections, payments, refusals, the
-- rounds of corrections.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION detail_of(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE d text;
BEGIN
    EXECUTE command;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ': ' || d;
END $$;
CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-01 ' || clock
        || ' Europe/Prague')::timestamptz $$;

SELECT add_game_table('blackjack_synot', 'J', 10, 1000) AS j,
    add_game_table('holdem_cash_25_50', 'T', 25, 5000) AS t,
       add_game_table('roulette_synot', 'R', 1, 1000) AS r,
           add_game_table('blackjack_infinite', 'I', 10, 1000) AS i,
       register_player('A') AS a, register_player('B') AS b \gset
SELECT deposit(:a, 5000, 'a', at('09:00')), deposit(:b, 5000, 'b', at('09:00')) \g /dev/null

-- ---------------------------------------------------------------- deals (D4 §9.2: the record decides)
SELECT open_round(:j, 'j1', at('10:00')) AS j1 \gset
SELECT place_bet(:j1, :a, 'main@100', 'm', 1, at => at('10:00:10')) \g /dev/null
SELECT close_betting(:j1, at('10:00:20')) \g /dev/null
SELECT deal(:j1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 4d"}]}', at('10:00:30')) \g /dev/null
SELECT deal(:j1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 4d"}]}', at('10:00:31')) \g /dev/null
SELECT deal(:j1, '{"hands": [{"cards": "9♣ 4d 2c", "seat": 1}], "dealer": "5h"}', at('10:00:40')) \g /dev/null
SELECT results_eq(format('SELECT deal_no, document, dealt_at FROM casino.deal WHERE round_id = %s ORDER BY 1',
                         :j1),
    $$VALUES (1, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9c 4d"}]}'::jsonb, at('10:00:30')),
             (2, '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9♣ 4d 2c"}]}', at('10:00:40'))$$,
    'each document of deal() is kept as it came, the card that a later one replaced too; '
    'a repetition tells nothing new');
SELECT throws_ok(format($$SELECT casino.deal(%s, '{"dealer": "6h"}', at('10:00:50'))$$, :j1), 'KR001', NULL,
                 'what is refused is not kept');
SELECT is((SELECT count(*) FROM casino.deal WHERE round_id = :j1), 2::bigint, 'nor counted');
SELECT is((SELECT array_agg(cards::text) FROM casino.dealt_hand WHERE round_id = :j1 AND side = 'box'),
          '{9c 4d 2c}', 'dealt_hand has the last');
SELECT is(last_deal(:j1), '{"dealer": "5h", "hands": [{"seat": 1, "cards": "9♣ 4d 2c"}]}',
          'a restarted game server reads it back');
SELECT throws_ok('SELECT casino.last_deal(0)', '23503', NULL, 'of a round that exists');

-- ---------------------------------------------------------------- the outcome as the provider sent it
SELECT settle_round(:j1, '{"dealer": "5h 10c Td", "hands": [{"cards": "9♣ 4d 2c", "seat": 1}]}',
                    at('10:01')) \g /dev/null
SELECT is((SELECT outcome_document FROM casino.round WHERE round_id = :j1),
          '{"dealer": "5h 10c Td", "hands": [{"cards": "9♣ 4d 2c", "seat": 1}]}',
              'the document as it was sent');
SELECT is((SELECT outcome ->> 'dealer' FROM casino.round WHERE round_id = :j1), '5h Tc Td',
          'beside the canonical form, by which it is compared');
SELECT lives_ok(format($$SELECT casino.settle_round(%s,
                                                    '{"dealer": "5h Tc Td", "hands": [{"cards": "9c 4d 2c", '
                                                    '"seat": 1, "hand": 1}]}')$$, :j1),
          'sent again in another form it is the same');
SELECT is((SELECT outcome_document ->> 'dealer' FROM casino.round WHERE round_id = :j1), '5h 10c Td',
          'and the first document stays');
SELECT throws_ok(format($$UPDATE casino.round SET outcome_document = '{}' WHERE round_id = %s$$, :j1),
                 'KR002', NULL, 'it does not change');
SELECT ok((SELECT evaluation_recorded_at BETWEEN now() - interval '1 minute' AND clock_timestamp()
           FROM casino.round WHERE round_id = :j1), 'when the evaluation was written is known');
SELECT throws_ok(c, 'KL001', NULL, c)
  FROM unnest('{DELETE FROM casino.deal,UPDATE casino.deal SET document = NULL,'
              'TRUNCATE casino.deal}'::text[]) c;

-- ---------------------------------------------------------------- the Texas button
SELECT open_round(:t, 't1', at('10:02')) AS t1 \gset
SELECT is(last_deal(:t1), NULL, 'before a deal there is nothing to read');
SELECT place_bet(:t1, :a, 'pot@50', 'p', 1, at => at('10:02')),
    place_bet(:t1, :b, 'pot@50', 'p', 2, at => at('10:02')) \g /dev/null
SELECT close_betting(:t1, at('10:02:10')) \g /dev/null
SELECT deal(:t1, '{"button": 2, "seats": [{"seat": 1, "cards": "As Ad"}, {"seat": 2}]}',
            at('10:02:20')) \g /dev/null
SELECT is(last_deal(:t1) -> 'button', '2', 'the button can be read back');
SELECT void_round(:t1, 'test', at('10:03')) \g /dev/null
SELECT is((SELECT (outcome_document, evaluation_recorded_at IS NULL) FROM casino.round WHERE round_id = :t1),
          (NULL::jsonb, false), 'a void has no document');

-- ------------------------------------ disconnections after the close, and who played (D4 §9.3, R7.13, R7.14)
SELECT open_round(:i, 'i1', at('11:00')) AS i1 \gset
SELECT place_bet(:i1, :a, 'main@100', 'i1', at => at('11:00:01')),
    place_bet(:i1, :b, 'main@100', 'i1', at => at('11:00:01')) \g /dev/null
SELECT disconnect(:i1, :b, at('11:00:05')) AS refunds \gset
SELECT is(:'refunds', (SELECT array_agg(entry_no)::text FROM casino.ledger
                       WHERE player_id = :b AND kind = 'refund' AND reason = 'disconnected'),
          'before the close the refunds tell');
SELECT results_eq('SELECT player_id, round_id, disconnected_at FROM casino.disconnection',
    format($$VALUES (%s::bigint, %s::bigint, at('11:00:05'))$$, :b, :i1),
    'R7.69: and the row that proves their reason');
SELECT is_empty('SELECT * FROM casino.automatic_completion', 'no game is left to be completed');
SELECT place_bet(:i1, :b, 'main@100', 'i2', at => at('11:00:08')) \g /dev/null
SELECT close_betting(:i1, at('11:00:20')) \g /dev/null
SELECT deal(:i1, '{"dealer": "5h", "hands": [{"cards": "9c 4d"}]}', at('11:00:30')) \g /dev/null
SELECT is(disconnect(:i1, :a, at('11:00:35')), '{}', 'after it nothing is returned');
SELECT is(disconnect(:i1, :b, at('11:00:36')), '{}', 'nor of the other');
SELECT is(disconnect(:i1, :b, at('11:00:37')), '{}', 'twice');
SELECT results_eq('SELECT player_id, round_id, disconnected_at FROM casino.disconnection ORDER BY 1, 3',
    format($$VALUES (%s::bigint, %s::bigint, at('11:00:35')), (%s, %s, at('11:00:05')),
                    (%s, %s, at('11:00:36'))$$, :a, :i1, :b, :i1, :b, :i1),
    'but both are recorded, once an absence');
SELECT place_bet(:i1, :b, 'double_down@100', 'd', at => at('11:00:40')) \g /dev/null
SELECT is(disconnect(:i1, :b, at('11:00:45')), '{}', 'he was back and is gone again');
SELECT results_eq('SELECT player_id, disconnected_at, returned_at, automatic, no_action, seen
                     FROM casino.automatic_completion
                    ORDER BY 1, 2',
    format($$VALUES (%s::bigint, at('11:00:35'), NULL::timestamptz, true, 'draw_to_11',
                     '{"dealer": "5h", "hands": [{"cards": "9c 4d"}]}'::jsonb),
                    (%s, at('11:00:36'), at('11:00:40'), false, 'draw_to_11',
                     '{"dealer": "5h", "hands": [{"cards": "9c 4d"}]}'),
                    (%s, at('11:00:45'), NULL, true, 'draw_to_11',
                     '{"dealer": "5h", "hands": [{"cards": "9c 4d"}]}')$$, :a, :b, :b),
    'what the cards were, by which rule the game went on, and whether he decided again');
SELECT settle_round(:i1,
                    format('{"dealer": "5h Tc Td", "hands": [{"cards": "9c 4d"}, '
                           '{"player": %s, "cards": "9c 4d 2h"}]}',
                           :b)::jsonb,
                    at('11:01')) \g /dev/null
SELECT is((SELECT array_agg(DISTINCT (player_id, evaluated_at)::text) FROM casino.automatic_completion),
          ARRAY[format('(%s,"%s")', :a, at('11:01')), format('(%s,"%s")', :b, at('11:01'))],
          'the player''s history shows when it was completed');
SELECT is(disconnect(:i1, :a, at('11:02')), '{}', 'after the evaluation a disconnection concerns no game');
SELECT is((SELECT count(*) FROM casino.disconnection), 4::bigint, 'and is not recorded');
-- twice, with a stake of the same microsecond between, and once more: each has its row
SELECT open_round(:i, 'i3', at('11:02:30')) AS i3 \gset
SELECT place_bet(:i3, :a, 'main@100', 'i3-1', at => at('11:02:31')) \g /dev/null
SELECT cardinality(disconnect(:i3, :a, at('11:02:32'))) AS first_back \gset
SELECT place_bet(:i3, :a, 'main@100', 'i3-2', at => at('11:02:32')) \g /dev/null
SELECT cardinality(disconnect(:i3, :a, at('11:02:33'))) AS second_back \gset
SELECT is(:first_back + :second_back, 2, 'R7.69: both stakes go back');
SELECT place_bet(:i3, :a, 'main@100', 'i3-3', at => at('11:02:33')) \g /dev/null
SELECT close_betting(:i3, at('11:02:34')) \g /dev/null
SELECT is(disconnect(:i3, :a, at('11:02:35')), '{}', 'then the stake plays on');
SELECT results_eq(
    format('SELECT disconnected_at FROM casino.disconnection WHERE round_id = %s ORDER BY 1', :i3),
    $$VALUES (at('11:02:32')), (at('11:02:33')), (at('11:02:35'))$$, 'R7.69: a row for each');
SELECT results_eq(format('SELECT disconnected_at FROM casino.automatic_completion WHERE round_id = %s', :i3),
    $$VALUES (at('11:02:35'))$$, 'the last one alone left a game to be completed');
SELECT void_round(:i3, 'test', at('11:02:40')) \g /dev/null
SELECT open_round(:i, 'i2', at('11:03')) AS i2 \gset
SELECT close_betting(:i2, at('11:03:10')) \g /dev/null
SELECT is(disconnect(:i2, :a, at('11:03:20')), '{}', 'nor of somebody who takes no part');
SELECT is((SELECT count(*) FROM casino.disconnection WHERE round_id = :i2), 0::bigint, 'no row');
SELECT void_round(:i2, 'test', at('11:04')) \g /dev/null
SELECT throws_ok(c, 'KL001', NULL, c)
  FROM unnest('{DELETE FROM casino.disconnection,UPDATE casino.disconnection SET disconnected_at = now(),'
              'TRUNCATE casino.disconnection}'::text[]) c;

-- ---------------------------------------------------------------- money in and out, and corrections
SELECT deposit(:a, 100, 'card', at('12:00'), 'card', 'PSP-778') AS card \gset
SELECT is((SELECT (method, reference, amount) FROM casino.payment_in_clear
            WHERE player_id = :a AND entry_no = :card),
          ('card'::text, 'PSP-778'::text, 100.00), 'a deposit: how it came, and its reference');
SELECT is(deposit(:a, 100, 'card', at('12:01'), 'card', 'PSP-778'), :card::bigint, 'again it is the same');
SELECT is(detail_of(format('SELECT casino.deposit(%s, 100, ''card'', NULL, %s)', :a, args)) LIKE 'KL003: %',
          true, 'another content: ' || args)
  FROM unnest(ARRAY['''cash'', ''PSP-778''', '''card'', ''PSP-779''', '''card''']) args;
SELECT deposit(:a, 1, 'plain', at('12:01')) AS plain \gset
SELECT is((SELECT (method, reference) FROM casino.payment_in_clear
            WHERE player_id = :a AND entry_no = :plain),
          (NULL::text, NULL::text), 'without them it is as before');
SELECT request_withdrawal(:a, 50, 'cash', 'w1', at('12:02')) AS w1,
    set_payment_account(:a, 'CZ1', '2026-01-01') AS acc \gset
SELECT request_withdrawal(:a, 60, 'transfer', 'w2', at('12:03')) AS w2 \gset
SELECT throws_ok(format('SELECT casino.pay_withdrawal(%s, at(''12:04''), ''T-1'', ''Praha'')', :w2), '22023',
                 NULL, 'a transfer has no place');
SELECT pay_withdrawal(:w1, at('12:04'), 'C-1', 'Praha 1') AS p1,
    pay_withdrawal(:w2, at('12:04'), 'T-1') AS p2 \gset
SELECT is((SELECT array_agg((kind, reference, place)::text ORDER BY entry_no) FROM casino.payment_in_clear
           WHERE player_id = :a AND entry_no IN (:p1, :p2)),
          '{"(cash_paid,C-1,\"Praha 1\")","(transfer_paid,T-1,)"}',
              'a payment: reference, and the place of cash');
SELECT is(pay_withdrawal(:w1, NULL, 'C-1', 'Praha 1'), :p1::bigint, 'paid again it is the same');
SELECT is(detail_of(format('SELECT casino.pay_withdrawal(%s, NULL, ''C-2'', ''Praha 1'')', :w1)),
          format('KL004: Entry %s has another reference and the place ''Praha 1''.', :p1),
          'R7.113: under another reference it is another payment, and the reference is not repeated');
SELECT is(detail_of(format('SELECT casino.pay_withdrawal(%s, NULL, ''C-1'', ''Praha 2'')', :w1)),
          format('KL004: Entry %s has the same reference and the place ''Praha 1''.', :p1),
          'at another place, too');
SELECT adjust(:a, 10, 'paid by hand', 'adj', at('12:05'), :j1) AS adj \gset
SELECT is((SELECT round_id FROM casino.ledger WHERE player_id = :a AND entry_no = :adj), :j1::bigint,
          'a correction names its round');
SELECT is(adjust(:a, 10, 'paid by hand', 'adj', at('12:06'), :j1), :adj::bigint, 'again it is the same');
SELECT throws_ok(format('SELECT casino.adjust(%s, 10, ''paid by hand'', ''adj'', round_id => %s)', :a, :i1),
                 'KL003', NULL, 'of another round it is another one');
SELECT throws_ok(format('SELECT casino.adjust(%s, 10, ''r'', round_id => 0)', :a), '23503', NULL,
                 'the round exists');
SELECT is((SELECT (wagers, staked) FROM casino.round WHERE round_id = :j1),
          (SELECT (count(*), sum(staked)) FROM casino.evaluation WHERE round_id = :j1),
              'and nothing of it changes');
-- columns of a payment on other entries
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, reason, %s)
                         VALUES (%s, ''%s'', 1, ''why'', ''x'')',
                        c, :a, k),
                 '22023', NULL, format('%s with %s', k, c))
  FROM (VALUES ('adjustment', 'reference'), ('adjustment', 'place'), ('deposit', 'place'),
        ('adjustment', 'method')) v (k, c);
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, %s)
                         VALUES (%s, ''stake'', %s, ''red@1'', ''x'')',
                        c, :a, :j1),
                 '22023', NULL, 'stake with ' || c)
  FROM unnest('{reference,place}'::text[]) c;
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, method, reference)
                         VALUES (%s, ''withdrawal'', 1, ''cash'', ''x'')',
                        :a),
                 '22023', NULL, 'a request has no reference');
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, reason, round_id, seat)
                         VALUES (%s, ''adjustment'', 1, ''why'', %s, 1)',
                        :a, :j1),
                 '22023', NULL, 'a correction has no seat');

-- ---------------------------------------------------------------- refusals of money
SELECT exclude_player(:b, NULL, 'self', at('13:00')) \g /dev/null
SELECT is((SELECT (accepted, entry_no, code, message, detail)
           FROM try_deposit(:b, 20, 'no', at('13:01'), 'card', 'X')),
          (false, NULL::bigint, 'KC004'::text, format('player %s is excluded from playing', :b),
           'The exclusion has no end (D4 §6.2).'::text), 'try_deposit says why');
SELECT is((SELECT (accepted, entry_no IS NOT NULL, code) FROM try_deposit(:a, 20, 'yes', at('13:01'))),
          (true, true, NULL::text), 'or deposits');
SELECT is((SELECT (accepted, withdrawal_id, code)
           FROM try_request_withdrawal(:b, 10, 'transfer', 'acc', at('13:03'))),
               (false, NULL::bigint, 'KC006'::text), 'without an account');
SELECT try_request_withdrawal(:a, 1, 'transfer', 'w3', at('13:03')) \g /dev/null
SELECT withdrawal_id AS w3 FROM try_request_withdrawal(:a, 1, 'transfer', 'w3', at('13:03')) \gset
SELECT cancel_withdrawal(:w3, at('13:04')) \g /dev/null
SELECT is((SELECT (accepted, entry_no, code) FROM try_pay_withdrawal(:w3, at('13:05'))),
          (false, NULL::bigint, 'KL004'::text), 'try_pay_withdrawal says why');
SELECT is((SELECT (accepted, entry_no) FROM try_pay_withdrawal(:w1, NULL, 'C-1', 'Praha 1')),
          (true, :p1::bigint), 'or answers');
SELECT results_eq('SELECT player_id, action, code, amount, method, request_id, withdrawal_id, round_id, bets
                     FROM casino.refusal
                    WHERE code <> ''KL002'' AND code <> ''KC003''
                    ORDER BY 1, refusal_no',
    format($$VALUES (%s::bigint, 'pay_withdrawal', 'KL004', 1.00, 'transfer', NULL, %s::bigint, NULL::bigint,
                     NULL::casino.bet[]),
                    (%s, 'deposit', 'KC004', 20, 'card', 'no', NULL, NULL, NULL),
                        (%s, 'request_withdrawal', 'KC006', 10, 'transfer', 'acc', NULL, NULL, NULL)$$, :a,
                            :w3, :b, :b),
    'refused money is kept like refused bets');
SELECT throws_ok('SELECT casino.try_deposit(0, 10)', '23503', NULL, 'what is no refusal by rule is an error');
SELECT throws_ok('SELECT casino.try_pay_withdrawal(0)', '23503', NULL, 'of payments too');
SELECT throws_ok(format('SELECT casino.try_deposit(%s, 0.001)', :a), '22003', NULL, 'an amount that is none');
SELECT ok((SELECT refused_at = at('13:01') AND recorded_at > now() - interval '1 minute' FROM casino.refusal
           WHERE player_id = :b AND action = 'deposit'), 'with both times');
SELECT finish();
