-- tampers with the books
-- Reports of providers held against rounds, wagers and ledger: clean reports give nothing, each planted fault
-- its own difference.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SELECT no_plan();
CREATE FUNCTION at(clock text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-01 '
        || clock)::timestamp AT TIME ZONE 'Europe/Prague' $$;
CREATE FUNCTION found() RETURNS TABLE (line text) LANGUAGE plpgsql AS $$
DECLARE c record;
BEGIN
    FOR c IN SELECT * FROM casino.reconciliation_checks() WHERE check_name LIKE 'provider%'
        ORDER BY check_no LOOP
        RETURN QUERY EXECUTE format('SELECT concat_ws('' '', substring(%L, 10), f.rule, f.player_id,
                                                      f.round_id, f.entry_no, ''expected'', f.expected,
                                                      ''found'', f.found)
                                       FROM %s(''2026-06-01'', ''2026-06-01'') f
                                      ORDER BY 1',
                                    c.check_name, c.function);
    END LOOP;
END $$;
SELECT add_game_table('roulette_synot', 'R', 1, 10000) AS r, add_game_table('baccarat', 'B', 50, 100000) AS b,
    register_player('anna') AS a, register_player('bob') AS p \gset
SELECT deposit(:a, 20000, 'd1', at('09:00'), 'bank', 'VS1'), deposit(:p, 5000, 'd2', at('09:00')) \g /dev/null
SELECT open_round(:r, 'r1', at('10:00')) AS r1 \gset
SELECT place_bets(:r1, :a, '{red@1000,straight:17@100}', 's1', at => at('10:01')),
    place_bet(:r1, :p, 'black@500', 's1', at => at('10:02')),
        place_bet(:r1, :p, 'odd@20', 's2', at => at('10:02')) \g /dev/null
SELECT cancel_bet(:r1, :p, 's2', at('10:03')) \g /dev/null
SELECT settle_round(:r1, '{"number": 17}', at('10:05')) \g /dev/null
SELECT open_round(:r, 'r2', at('11:00')) AS r2 \gset
SELECT void_round(:r2, 'ball', at('11:05')) \g /dev/null
SELECT open_round(:b, 'b1', at('13:00')) AS b1 \gset
SELECT place_bet(:b1, :a, 'banker@1000', 's3', at => at('13:01')) \g /dev/null
SELECT settle_round(:b1, '{"player": "Qh 6d", "banker": "7c Ts"}', at('13:05'), true, 'why') \g /dev/null
SELECT set_payment_account(:a, 'CZ1', at('08:00')),
    request_withdrawal(:a, 3000, 'transfer', 'w1', at('14:00')) AS w \gset
SELECT is_empty('SELECT * FROM found()', 'without a provider nothing is compared');

SELECT '[{"kind": "round", "table_name": "R", "round_ref": "r1", "at": "2026-06-01 10:05:01",
             "data": {"outcome": {"number": 17}}},
         {"kind": "round", "table_name": "R", "round_ref": "r2", "at": "2026-06-01 11:05",
             "data": {"voided": true}},
         {"kind": "round", "table_name": "B", "round_ref": "b1", "at": "2026-06-01 13:05",
             "data": {"outcome": {"player": "Qh6d", "banker": "7♣ 10s"}}},
         {"kind": "stake", "table_name": "R", "round_ref": "r1", "external_ref": "anna", "ref": "s1",
             "amount": 1100, "at": "2026-06-01 10:01"},
         {"kind": "stake", "table_name": "R", "round_ref": "r1", "external_ref": "bob", "ref": "s1",
             "amount": 500, "at": "2026-06-01 10:02"},
         {"kind": "stake", "table_name": "R", "round_ref": "r1", "external_ref": "bob", "ref": "s2",
             "amount": 20, "at": "2026-06-01 10:02"},
         {"kind": "refund", "table_name": "R", "round_ref": "r1", "external_ref": "bob", "ref": "s2",
             "amount": 20, "at": "2026-06-01 10:03"},
         {"kind": "payout", "table_name": "R", "round_ref": "r1", "external_ref": "anna", "ref": "s1",
             "amount": 3600, "at": "2026-06-01 10:05"},
         {"kind": "payout", "table_name": "R", "round_ref": "r1", "external_ref": "bob", "ref": "s1",
             "amount": 1000, "at": "2026-06-01 10:05"},
         {"kind": "stake", "table_name": "B", "round_ref": "b1", "external_ref": "anna", "ref": "s3",
             "amount": 1000, "at": "2026-06-01 13:01"},
         {"kind": "payout", "table_name": "B", "round_ref": "b1", "external_ref": "anna", "ref": "s3",
             "amount": 1950, "at": "2026-06-01 13:05"}]' AS clean \gset
SELECT is(load_provider_report('live', '2026-06-01', :'clean'), 11::bigint, 'a report of eleven lines');
SELECT is(load_provider_report('live', '2026-06-01', :'clean'), 11::bigint, 'the same again');
SELECT is((SELECT count(*) FROM casino.provider_report), 1::bigint, 'changes nothing');
SELECT is(load_provider_report('bank', '2026-06-01',
                               '[{"kind": "deposit", "external_ref": "anna", "ref": "VS1", "amount": 20000, '
                               '"at": "2026-06-01 09:00:30"}, {"kind": "deposit", "external_ref": "bob", '
                               '"ref": "d2", "amount": 5000, "at": "2026-06-01 09:00"}]'),
          2::bigint, 'deposits, by reference and by request');
SELECT is_empty('SELECT * FROM found()',
    'R9.9: clean reports: nothing, with winnings held back, in other forms of the cards, within a minute');

-- faults of the report: one line changed, taken away or added at a time
CREATE FUNCTION reported(change text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE lines jsonb := current_setting('test.clean'); f text;
BEGIN
    EXECUTE 'SELECT ' || change INTO lines USING lines;
    PERFORM casino.load_provider_report('live', '2026-06-01', lines);
    RETURN QUERY SELECT line FROM public.found();
END $$;
SELECT set_config('test.clean', :'clean', false) \g /dev/null
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{7,amount}'', ''3700'')')$$,
                  format('VALUES (%L)', 'amount payout ' || :a || ' ' || :r1
                         || ' 2 expected 3700 found 3600.00'), 'a payout of another amount');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{3,amount}'', ''1000'')')$$,
                  format('VALUES (%L)', 'amount stake ' || :a || ' ' || :r1
                         || ' 2 expected 1000 found 1100.00'), 'a stake of another amount');
SELECT results_eq($$SELECT * FROM reported('$1 - 4')$$,
                  format('VALUES (%L)', 'missing_there stake ' || :p || ' ' || :r1
                         || ' 2 expected 500.00 found none'), 'a stake that is not reported');
SELECT results_eq($$SELECT * FROM reported('$1 - 6')$$,
                  format('VALUES (%L)', 'missing_there refund ' || :p || ' ' || :r1
                         || ' 4 expected 20.00 found none'), 'a refund that is not');
SELECT results_eq($$SELECT * FROM reported('$1 - 2')$$,
                  format('VALUES (%L)', 'missing_there round ' || :b1 || ' expected B b1 found none'),
                      'a round that is not');
SELECT results_eq($$SELECT * FROM reported('$1 || jsonb_build_array($1 -> 4)')$$,
                  $$VALUES ('duplicate stake expected once found 2 times')$$, 'a stake reported twice');
SELECT results_eq($$SELECT * FROM reported('$1 || jsonb_build_array(($1 -> 4) || ''{"ref": "s9"}'')')$$,
                  $$VALUES ('missing_here stake expected 500 found none')$$, 'a stake that is not here');
SELECT results_eq($$SELECT * FROM reported('$1 || jsonb_build_array(($1 -> 0) || ''{"round_ref": "r9"}'')')$$,
                  $$VALUES ('missing_here round expected R r9 found none')$$, 'a round that is not here');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{9,external_ref}'', ''"bob"'')')$$,
                  format('VALUES (%L)', 'missing_here other_player ' || :a || ' ' || :b1
                         || ' 5 expected bob found player ' || :a), 'a stake of another player');
-- anna's and bob's requests have the same name: a line of somebody else is about one of them only
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1 - 4, ''{3,external_ref}'', ''"carl"'')')
                  ORDER BY 1$$,
                  format('VALUES (%L), (%L)', 'missing_here other_player ' || :a || ' ' || :r1
                         || ' 2 expected carl found player ' || :a,
                             'missing_there stake ' || :p || ' ' || :r1 || ' 2 expected 500.00 found none'),
                  'R9.10: a line of another player does not stand for two');
SELECT results_eq($$SELECT *
                    FROM reported('jsonb_set(jsonb_set($1, ''{3,external_ref}'', ''"carl"''),
                                             ''{4,external_ref}'', ''"dora"'')')
                   ORDER BY 1$$,
                  format('VALUES (%L), (%L)', 'missing_here other_player ' || :a || ' ' || :r1
                         || ' 2 expected carl found player ' || :a,
                             'missing_here other_player ' || :p || ' ' || :r1
                                 || ' 2 expected dora found player ' || :p),
                  'two such lines stand for two');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{0,data,outcome,number}'', ''18'')')$$,
                  format('VALUES (%L)', 'outcome round ' || :r1
                         || ' expected {"number": 18} found {"number": 17}'), 'another number');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{1,data}'', ''{"outcome": {"number": 1}}'')')$$,
                  format('VALUES (%L)', 'outcome round ' || :r2 || ' expected {"number": 1} found voided'),
                      'a voided round that was played');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{0,data}'', ''{"voided": true}'')')$$,
                  format('VALUES (%L)', 'outcome round ' || :r1 || ' expected voided found {"number": 17}'),
                      'a played round that was voided');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{2,data,outcome,banker}'', ''"7c 7c 7c 7c"'')')$$,
                  format('VALUES (%L)', 'outcome round ' || :b1
                         || ' expected {"banker": "7c 7c 7c 7c", "player": "Qh6d"} found {"banker": "7c Ts", '
                            '"player": "Qh 6d"}'), 'cards that cannot be');
SELECT results_eq($$SELECT * FROM reported('jsonb_set($1, ''{4,at}'', ''"2026-06-01 10:03:00.001"'')')$$,
                  format('VALUES (%L)', 'late stake ' || :p || ' ' || :r1
                         || ' 2 expected 2026-06-01 10:03:00.001+02 found 2026-06-01 10:02:00+02'),
                             'more than a minute apart');
SELECT is_empty($$SELECT *
                  FROM reported('jsonb_set(jsonb_set(jsonb_set($1, ''{4,table_name}'', ''" R "''),
                                                     ''{4,round_ref}'', ''"r1 "''),
                                           ''{4,external_ref}'', ''" bob"'')')$$,
                'names with white space at their ends are those without');
SELECT is_empty($$SELECT * FROM reported('$1')$$, 'the report corrected: nothing');
SELECT cmp_ok((SELECT count(*) FROM casino.provider_report), '>=', 15::bigint, 'all of them are kept');
SELECT load_provider_report('bank', '2026-06-01',
                            '[{"kind": "deposit", "external_ref": "anna", "ref": "VS1", "amount": 20000, '
                            '"at": "2026-06-01 09:00:30"}, {"kind": "withdrawal", "external_ref": "anna", '
                            '"ref": "OUT", "amount": 3000, "at": "2026-06-01 15:00"}]') \g /dev/null
SELECT results_eq('SELECT * FROM found()', format('VALUES (%L), (%L)',
                                                  'missing_here withdrawal expected 3000 found none',
                                                      'missing_there deposit ' || :p
                                                          || ' 1 expected 5000.00 found none'),
    'a withdrawal that was not paid here, a deposit the bank does not know');
-- R7.117: a difference is sealed, and this player stands in no line
SELECT is((SELECT f.detail - 'at'
             FROM casino_internal.check_provider_missing_there('2026-06-01', '2026-06-01') f),
          (SELECT jsonb_build_object('ref', 'd2', 'token', o.token)
             FROM casino.person o WHERE o.external_ref = 'bob'),
          'R7.117: a deposit without a line names the person by the token');
SELECT load_provider_report('bank', '2026-06-01',
                            '[{"kind": "deposit", "external_ref": "bob", "ref": "d2", "amount": 5000,
                               "at": "2026-06-01 09:00:30"}]') \g /dev/null
SELECT results_eq($$SELECT f.detail ->> 'reference', f.detail ->> 'token'
                      FROM casino_internal.check_provider_missing_there('2026-06-01', '2026-06-01') f
                     WHERE f.detail ->> 'ref' = 'd1'$$,
                  $$SELECT l.reference, o.token
                      FROM casino.ledger l CROSS JOIN casino.person o
                     WHERE l.request_id = 'd1' AND o.external_ref = 'anna'$$,
                  'R7.117: ... and its reference by the token');

-- faults of the books: planted past the triggers
SELECT load_provider_report('bank', '2026-06-01',
                            '[{"kind": "deposit", "external_ref": "anna", "ref": "VS1", "amount": 20000, '
                            '"at": "2026-06-01 09:00:30"}, {"kind": "deposit", "external_ref": "bob", '
                            '"ref": "d2", "amount": 5000, "at": "2026-06-01 09:00"}]') \g /dev/null
CREATE FUNCTION planted(fault text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE lines text[];
BEGIN
    BEGIN
        ALTER TABLE casino.ledger DISABLE TRIGGER USER;
        ALTER TABLE casino.round DISABLE TRIGGER USER;
        EXECUTE fault;
        lines := ARRAY(SELECT line FROM public.found() ORDER BY 1);
        RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
    EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN NULL;
    END;
    RETURN lines;
END $$;
SELECT is(planted(format('UPDATE casino.ledger
                             SET amount = 3601
                           WHERE player_id = %s AND kind = ''payout'' AND round_id = %s',
                         :a, :r1)),
          ARRAY['amount payout ' || :a || ' ' || :r1 || ' 2 expected 3600 found 3601'],
          'a payout changed here');
SELECT is(planted(format('DELETE FROM casino.ledger WHERE player_id = %s AND kind = ''payout''', :p)),
          '{"missing_here payout expected 1000 found none"}', 'a payout deleted');
SELECT is(planted(format('DELETE FROM casino.ledger WHERE player_id = %s AND kind = ''deposit''', :p)),
          ARRAY['missing_here deposit expected 5000 found none'], 'a deposit deleted');
SELECT is(planted(format('UPDATE casino.round
                             SET outcome = ''{"number": 18}'', outcome_document = ''{"number": 18}''
                           WHERE round_id = %s',
                         :r1)),
          ARRAY['outcome round ' || :r1 || ' expected {"number": 17} found {"number": 18}'],
          'an outcome changed');
SELECT is(planted(format('UPDATE casino.ledger
                             SET request_id = ''x''
                           WHERE player_id = %s AND request_id = ''s3''',
                         :a)),
          ARRAY['missing_here payout expected 1950 found none', 'missing_here stake expected 1000 found none',
                'missing_there stake ' || :a || ' ' || :b1 || ' 5 expected 1000.00 found none'],
                    'a stake under another request');

-- a withheld payment: the lost wager of the same request has no payment, and its round's evaluation is not
-- the time of one (R10.25)
SELECT open_round(:b, 'b2', at('19:00')) AS b2 \gset
SELECT place_bets(:b2, :a, '{player@100,banker@100}', 's9', at => at('19:01')) \g /dev/null
SELECT settle_round(:b2, '{"player": "9h Kd", "banker": "7c Js"}', at('19:06'), true,
                    'a complaint') \g /dev/null
SELECT pay_withheld(:b2, at('19:30'), reason => 'looked at') \g /dev/null
CREATE FUNCTION late_at(clock text) RETURNS bigint LANGUAGE sql AS $$
    SELECT load_provider_report('live', '2026-06-01',
                                current_setting('test.clean')::jsonb || jsonb_build_array(
        '{"kind": "round", "table_name": "B", "round_ref": "b2", "at": "2026-06-01 19:06", '
        '"data": {"outcome": {"player": "9hKd", "banker": "7cJs"}}}'::jsonb,
        '{"kind": "stake", "table_name": "B", "round_ref": "b2", "external_ref": "anna", "ref": "s9", '
        '"amount": 200, "at": "2026-06-01 19:01"}'::jsonb,
        jsonb_build_object('kind', 'payout', 'table_name', 'B', 'round_ref', 'b2', 'external_ref', 'anna',
                           'ref', 's9', 'amount', 200, 'at', '2026-06-01 ' || clock))) $$;
SELECT late_at('19:30') \g /dev/null
SELECT is_empty('SELECT * FROM found()', 'R10.25: a withheld payment at its own time is not late');
SELECT late_at('19:06') \g /dev/null
SELECT is((SELECT string_agg(split_part(line, ' ', 1) || ' ' || split_part(line, ' ', 2), ',') FROM found()),
          'late payout', 'R10.25: at the time of the evaluation it is');
SELECT late_at('19:30') \g /dev/null
SELECT set_config('test.clean', (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('kind', c.kind,
        'table_name', c.table_name, 'round_ref', c.round_ref, 'external_ref', c.external_ref,
    'ref', c.ref, 'amount', c.amount, 'at', c.at, 'data', c.data)) ORDER BY c.line_no)
        FROM casino.provider_current c WHERE c.provider = 'live')::text, false) \g /dev/null

-- a report that does not come
SELECT deposit(:a, 1, 'later', '2026-06-02 10:00') \g /dev/null
SELECT results_eq($$SELECT rule, expected, found
                  FROM casino_internal.check_provider_missing_there('2026-06-02', '2026-06-02')
                      ORDER BY 2$$, $$VALUES ('report', 'a report of bank on 2026-06-02', 'none'),
                          ('report', 'a report of live on 2026-06-02', 'none')$$,
                              'is one difference, not one for each entry');

-- loading: bad lines (R9.8)
SELECT throws_ok($$SELECT casino.load_provider_report('live', '2026-06-01',
                                                      '[{"kind": "round", "table_name": "R", '
                                                      '"round_ref": "r1", "at": "2026-06-01 10:05:01"}, '
                                                      '{"kind": "stakes", "at": "2026-06-01"}, 7]')$$,
                 '22023', NULL, 'a bad line is refused');
CREATE FUNCTION refusal(lines text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE d text;
BEGIN
    PERFORM casino.load_provider_report('live', '2026-06-01', lines::jsonb);
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ' ' || d;
END $$;
SELECT matches(refusal('[{"kind": "round", "table_name": "R", "round_ref": "r1", "at": "2026-06-01"}, '
                       '{"kind": "stakes", "at": "2026-06-01"}, 7]'),
               '^22023 line 2: .*provider_record_kind_check.*\nline 3: is no object$',
               'with its number and reason, all of them');
SELECT matches(refusal('[{"kind": "stake", "table_name": "R", "round_ref": "r1", "ref": "x", '
                       '"external_ref": "anna", "amount": '
                       || v || ', "at": "2026-06-01"}]'),
               '^22023 line 1: ', 'an amount of ' || v)
  FROM unnest(ARRAY['-1', '0.001', '"NaN"', '"much"', '1e30']) v;
SELECT matches(refusal(v), '^22023 line 1: ', v)
  FROM unnest(ARRAY['[{"kind": "stake", "at": "2026-06-01"}]', '[{"kind": "round", "at": "2026-06-01"}]',
                    '[{"kind": "deposit", "ref": "x", "external_ref": "anna", "amount": 1}]',
                        '[{"kind": "deposit", "ref": "x", "external_ref": "anna", "amount": 1, '
                        '"at": "infinity"}]',
    '[{"kind": "deposit", "ref": " ", "external_ref": "anna", "amount": 1, "at": "2026-06-01"}]',
        '[{"kind": "deposit", "ref": "x", "external_ref": "anna", "amount": 1, '
        '"at": "2026-06-01", "extra": 1}]',
        '[null]']) v;
SELECT throws_ok('SELECT casino.load_provider_report(''live'', ''2026-06-01'', ''{}'')', '22023', NULL,
                 'a report is an array');
SELECT throws_ok('SELECT casino.load_provider_report(''live'', ''2026-06-01'', ''[]'')', '22023', NULL,
                 'and not empty');
SELECT is_empty('SELECT * FROM found()', 'nothing of them was kept: the report before counts');
-- COPY: the lines of one transaction are one report, which replaces the one before
COPY casino.provider_record (provider, day, line_no, kind, ref, external_ref, amount, at)
    FROM STDIN WITH (FORMAT csv);
bank,2026-06-01,1,deposit,VS1,anna,20000,2026-06-01 09:00
bank,2026-06-01,2,deposit,d2,bob,5001,2026-06-01 09:00
\.
SELECT results_eq('SELECT * FROM found()', format('VALUES (%L)',
                                                  'amount deposit ' || :p
                                                      || ' 1 expected 5001 found 5000.00'), 'loaded by COPY');
SELECT throws_ok('UPDATE casino.provider_record SET amount = 1', 'KL001', NULL, 'lines do not change');
SELECT throws_ok('DELETE FROM casino.provider_report', 'KL001', NULL, 'reports stay');
SELECT finish();
