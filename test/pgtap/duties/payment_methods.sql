-- Ways in which money comes (R7.67): one spelling, a table of them, and cash told by the table; a loss
-- greater than its stake; since when somebody is excluded; what the desk and a player's own page may do.
\ir ../helpers/compliance.psql
SELECT no_plan();
SELECT t.player(0) AS p \gset
SELECT throws_ok(format('SELECT casino.deposit(%s, 30000, method => %L)', :p, m), '22023',
                 format('"%s" is no method of payment', m), format('R7.67: refused: "%s"', m))
  FROM unnest('{Cash," cash","cash ",hotově,CASH,"",čash,banknotes}'::text[]) m;
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, amount, method)
                         VALUES (%s, ''deposit'', 5, ''Cash'')',
                        :p),
                 '22023', NULL, '... by INSERT too');
SELECT throws_ok(format('SELECT * FROM casino.try_deposit(%s, 5, method => ''Cash'')', :p), '22023', NULL,
                 '... and by try_deposit()');
SELECT lives_ok(format('SELECT casino.deposit(%s, 10, %L, t.at(''10:00''), %L)', :p, m, m), 'taken: ' || m)
  FROM unnest('{cash,transfer,card,bank,wallet,voucher}'::text[]) m;
SELECT lives_ok(format('SELECT casino.deposit(%s, 10, %L, t.at(''10:00''))', :p, 'none'),
                'without one: the operator has not said');
-- R7.121: the operator says that each deposit names its method, from a time on and until a time
SELECT t.player(0) AS named, t.player(0) AS inserted \gset
SELECT casino.set_duty_rule('method_required', value, t.at(at), 'rules 7', 'rules of the house')
  FROM (VALUES ('1', '2026-07-01 10:00'), ('0', '2026-07-01 11:00')) v (value, at) \g /dev/null
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 5, %L, t.at(%L), %L)', :named, at, at, method)), code,
          format('R7.121: %s with %s', at, coalesce(method, 'none')))
  FROM (VALUES ('2026-07-01 09:59:59.999999', NULL, 'ok'), ('2026-07-01 10:00', NULL, '22023'),
               ('2026-07-01 10:00', 'cash', 'ok'), ('2026-07-01 10:59:59.999999', NULL, '22023'),
               ('2026-07-01 11:00', NULL, 'ok')) v (at, method, code);
SELECT is(t.verdict(format('INSERT INTO casino.ledger (player_id, kind, amount, posted_at) '
                           'VALUES (%s, ''deposit'', 5, %L)', :inserted, t.at('2026-07-01 10:30'))), '22023',
          'R7.121: ... by INSERT too');
SELECT is(casino.deposit(:p, 10, 'cash', at => t.at('10:00'), method => 'cash'),
          (SELECT entry_no FROM casino.ledger WHERE player_id = :p AND request_id = 'cash'),
              'again it is the same');
-- a way of the operator's own, from a time on, and until a time
INSERT INTO casino.payment_method (method, valid_from, is_cash, offered, meaning) VALUES
    ('chips', t.at('11:00'), true, true, 'value chips of the hall'),
        ('chips', t.at('12:00'), true, false, 'value chips of the hall');
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 5, %L, t.at(%L), ''chips'')', :p, 'chips', at)), code,
          'chips at ' || at)
  FROM (VALUES ('10:59:59.999999', '22023'), ('11:00', 'ok'), ('11:59:59.999999', 'ok'),
        ('12:00', '22023')) v (at, code);
SELECT casino.deposit(:p, 700, 'chips', t.at('11:00'), 'chips') \g /dev/null
SELECT is((SELECT (cash_in, deposits) FROM casino.person_day('2026-06-01', '2026-06-01')), (710.00, 770.00),
          'money laundering: cash is what the table says is cash');
SELECT throws_ok(format('INSERT INTO casino.payment_method (method, valid_from, is_cash, meaning)
                         VALUES (%L, now(), true, ''x'')',
                        m),
                 '23514', NULL, format('a spelling that there is not: "%s"', m))
  FROM unnest('{Cash," cash"}'::text[]) m;
SELECT throws_ok(c || ' casino.payment_method' || r, 'KL001', NULL, c || ': append-only')
  FROM (VALUES ('DELETE FROM', ''), ('UPDATE', ' SET is_cash = false'), ('TRUNCATE', '')) v (c, r);

-- ---------------------------------------------------------------- play elsewhere
SELECT throws_ok(format('SELECT casino.count_other_play(%s, ''slots'', 10, -1000)', :p), '22023',
                 'a loss of 1000.00 CZK is greater than the stake',
                     'R7.28: nobody loses more than he has staked');
SELECT throws_ok(format('SELECT casino.count_other_play(%s, ''slots'', 10, -10.01)', :p), '22023', NULL,
                 '... by a haléř');
SELECT is(casino.count_other_play(:p, 'slots', 10, -10), 1::bigint, 'all of it he may');
SELECT is(casino.count_other_play(:p, 'slots', 0, 5), 2::bigint, 'and win without a stake');
SELECT throws_ok(format('INSERT INTO casino.other_play (player_id, play_no, product, staked, result,
                                                        played_at, recorded_at)
                         VALUES (%s, 9, ''slots'', 1, -2, now(), now())',
                        :p),
                 '23514', NULL, 'the table refuses it too');

-- ---------------------------------------------------------------- since when
SELECT casino.exclude_player(:p, t.at('2026-06-10 00:00'), 'self', at => t.at('13:00')),
    casino.exclude_player(:p, t.at('2026-06-20 00:00'), 'self', at => t.at('2026-06-05 13:00')) \g /dev/null
SELECT is((SELECT (e.code, e.since, e.until) FROM casino.explain_break(:p, t.at(at)) e),
          ('KC004'::text, t.at(since), t.at('2026-06-20 00:00')),
              'explain_break() of an excluded player, at ' || at)
  FROM (VALUES ('2026-06-09 12:00', '13:00'), ('2026-06-19 12:00', '2026-06-05 13:00')) v (at, since);
SELECT is((SELECT e.since FROM casino.explain_break(:p, t.at('2026-06-20 00:00')) e), NULL,
          'nothing holds since any time when it is over');

-- ---------------------------------------------------------------- since when by law
SELECT t.player(100) AS z \gset
SELECT is(casino.exclude_player(:z, NULL, 'register', t.at('14:00'), t.at('2026-05-30 00:00')), 1,
          'R7.68: learned today, in the register since the day before yesterday');
SELECT is(casino.exclude_player(:z, NULL, 'register', t.at('14:00'), t.at('2026-05-30 00:00')), 1,
          '... again is the same');
SELECT is((SELECT (excluded_from, effective_from) FROM casino.exclusion_period WHERE player_id = :z),
          (t.at('14:00'), t.at('2026-05-30 00:00')), 'both times are kept');
SELECT is(casino.exclude_player(:z, NULL, 'register', t.at('15:00'), t.at('2026-12-01 00:00')), 2,
          'R7.68: one that begins by law in December');
SELECT is((SELECT code FROM casino.explain_break(:z, t.at('15:00'))), 'KC004', '... holds at once');
SELECT throws_ok(format('SELECT casino.exclude_player(%s, NULL, ''register'', t.at(''16:00''), %L)', :z, x),
                 '22008', NULL, x || ' is no beginning') FROM unnest('{infinity,-infinity}'::text[]) x;
SELECT set_eq($$SELECT event, amount, reason FROM casino.significant_event('2026-01-01', '2030-01-01')
              WHERE event ~ '^play of'$$,
              $$VALUES ('play of another product counted', -10.00, NULL),
                  ('play of another product counted', 5.00, NULL)$$,
                      'play elsewhere that was booked is an event');

-- ---------------------------------------------------------------- who
CREATE ROLE methods_desk;
CREATE ROLE methods_be;
SELECT casino.grant_access('methods_desk', 'cashier'),
    casino.grant_access('methods_be', 'backend') \g /dev/null
SET ROLE methods_desk;
SELECT casino.register_player('at the desk') AS q \gset
SELECT is(casino.deposit(:q, 100, 'c', method => 'cash'), 1::bigint, 'D4 §11.2 a): a cash desk takes cash');
SELECT is((SELECT accepted FROM casino.try_deposit(:q, 50, 'd', method => 'cash')), true,
          '... and keeps what is refused');
SELECT is((SELECT may_bet FROM casino.explain_break(:q)), true, '... and says why somebody may not play');
SET ROLE methods_be;
SELECT is((SELECT count(*) FROM casino.player_statement(:q, current_date - 1, current_date + 1)), 4::bigint,
          'the backend shows a player his statement');
SELECT is((casino.limit_usage(:q, clock_timestamp())).staked_day, 0.00, '... what he has used of his limits');
SELECT is((SELECT count(*) FROM casino.exclusion_period WHERE player_id = :p), 2::bigint,
          '... how long he is excluded');
SELECT is_empty('SELECT * FROM casino.pending_withdrawals', '... what he has asked for');
SELECT is_empty('SELECT * FROM casino.unpaid_winnings', '... and what is withheld of his winnings');
SELECT throws_ok('SELECT * FROM casino.ledger', '42501', NULL, '... and reads no ledger');
RESET ROLE;
DROP OWNED BY methods_desk, methods_be;
DROP ROLE methods_desk, methods_be;
SELECT * FROM finish();
