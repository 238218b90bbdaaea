-- A refusal says what was there first (R12.1, R11.14): the DETAIL of KL003 names what the request posted,
-- that of KR002 how the round ended.  A request_id without a visible character is no key (22023, R12.2).
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE TABLE t.x AS SELECT t.player(10000) AS p;
CREATE FUNCTION t.round_of_m1() RETURNS bigint LANGUAGE sql AS $$ SELECT t.round('M1', '10:00') $$;

-- ---------------------------------------------------------------- request_id ''
CREATE TABLE t.keys (key text);
INSERT INTO t.keys VALUES (''), (' '), (E'\t\n');
SELECT is(t.verdict(format(command, p, key, t.round_of_m1())), '22023',
          format('%L is no key: %s', key, about))
  FROM t.x, t.keys,
       (VALUES ('deposit()', 'SELECT casino.deposit(%1$s, 1, %2$L, t.at(''10:00''))'),
               ('adjust()', 'SELECT casino.adjust(%1$s, 1, ''why'', %2$L, t.at(''10:00''))'),
               ('request_withdrawal()',
                'SELECT casino.request_withdrawal(%1$s, 1, ''cash'', %2$L, t.at(''10:00''))'),
               ('place_bet()',
                'SELECT casino.place_bet(%3$s, %1$s, ''red@10'', %2$L, at => t.at(''10:00''))'),
               ('place_bets()',
                'SELECT casino.place_bets(%3$s, %1$s, ''{red@10}'', %2$L, at => t.at(''10:00''))'),
               ('try_place_bets()',
                'SELECT casino.try_place_bets(%3$s, %1$s, ''{red@10}'', %2$L, at => t.at(''10:00''))'),
               ('cancel_bet()', 'SELECT casino.cancel_bet(%3$s, %1$s, %2$L, t.at(''10:00''))'),
               ('INSERT of a deposit',
                'INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at)
                 VALUES (%1$s, ''deposit'', 1, %2$L, t.at(''10:00''))'),
               ('INSERT of a stake',
                'INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, posted_at)
                 VALUES (%1$s, ''stake'', %3$s, ''red@10'', %2$L, t.at(''10:00''))'),
               ('INSERT of an adjustment',
                'INSERT INTO casino.ledger (player_id, kind, amount, reason, request_id, posted_at)
                 VALUES (%1$s, ''adjustment'', 1, ''why'', %2$L, t.at(''10:00''))')) v (about, command);
SELECT is((SELECT count(*) FROM casino.refusal), 0::bigint,
          'a call without a key is wrong, no refusal by rule');
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1, NULL, t.at(''10:00''))', p)), 'ok',
          'NULL: no retry is recognised') FROM t.x;

-- ---------------------------------------------------------------- KL003
SELECT casino.deposit(p, 100, 'in', t.at('10:00')), casino.adjust(p, -5, 'broken chip', 'why', t.at('10:00')),
       casino.request_withdrawal(p, 50, 'cash', 'out', t.at('10:00')),
       casino.place_bet(t.round_of_m1(), p, 'straight:17@10', 'one', at => t.at('10:01')),
       casino.place_bets(t.round_of_m1(), p, '{red@10,black@20.50}', 'two', at => t.at('10:01')),
       casino.place_bets(t.round_of_m1(), p, '{odd@1,even@1,low@1,high@1,red@1,black@1,dozen:1@1}', 'seven',
                         at => t.at('10:01')),
       casino.cancel_bet(t.round_of_m1(), p, 'never', t.at('10:02'))
  FROM t.x \g /dev/null
CREATE TABLE t.used (key text, content text);
INSERT INTO t.used VALUES
    ('in', 'It posted entry 2: deposit of 100.00 CZK.'),
    ('why', 'It posted entry 3: adjustment of -5.00 CZK: broken chip.'),
    ('out', 'It posted entry 4: withdrawal of 50.00 CZK by cash.'),
    ('one', format('It posted entry 5: stake straight:17@10.00 in round %s.', t.round_of_m1())),
    ('two', format('It posted entries 6 to 7: stake red@10.00, black@20.50 in round %s.', t.round_of_m1())),
    ('seven',
     format('It posted entries 8 to 14: stake odd@1.00, even@1.00, low@1.00, high@1.00, '
            'red@1.00 and 2 more in round %s.',
            t.round_of_m1())),
    ('never', format('It was cancelled in round %s at 2026-06-01 10:02:00+02, before it arrived.',
                     t.round_of_m1()));
CREATE TABLE t.again (about text, command text);
INSERT INTO t.again VALUES
    ('deposit()', 'SELECT casino.deposit(%1$s, 7, %2$L, t.at(''10:03''))'),
    ('adjust()', 'SELECT casino.adjust(%1$s, 7, ''other'', %2$L, t.at(''10:03''))'),
    ('request_withdrawal()', 'SELECT casino.request_withdrawal(%1$s, 7, ''cash'', %2$L, t.at(''10:03''))'),
    ('place_bet()', 'SELECT casino.place_bet(%3$s, %1$s, ''red@7'', %2$L, at => t.at(''10:03''))'),
    ('place_bets()',
     'SELECT casino.place_bets(%3$s, %1$s, ''{red@7,black@7}'', %2$L, at => t.at(''10:03''))'),
    ('INSERT of a deposit',
     'INSERT INTO casino.ledger (player_id, kind, amount, request_id, posted_at)
      VALUES (%1$s, ''deposit'', 7, %2$L, t.at(''10:03''))'),
    ('INSERT of a stake',
     'INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, posted_at)
      VALUES (%1$s, ''stake'', %3$s, ''red@7'', %2$L, t.at(''10:03''))');
SELECT is(t.verdict(format(command, p, key, t.round_of_m1())), 'KL003',
          format('request "%s" again through %s: refused', key, about)) FROM t.x, t.used, t.again;
SELECT is(t.detail(format(command, p, key, t.round_of_m1())), content,
          format('request "%s" again through %s: says what was first', key, about)) FROM t.x, t.used, t.again;
SELECT is(t.detail(format('SELECT casino.cancel_bet(t.round_of_m1(), %s, ''in'', t.at(''10:03''))', p)),
          (SELECT content FROM t.used WHERE key = 'in'), 'cancel_bet() of a deposit') FROM t.x;
SELECT is(t.detail(format('SELECT casino.cancel_bet(t.round(''M2'', ''10:03''), %s, ''two'',
                                                    t.at(''10:03''))',
                          p)),
          (SELECT content FROM t.used WHERE key = 'two'), 'cancel_bet() of bets in another round')
  FROM t.x;
SELECT is(t.detail(format('SELECT casino.cancel_bet(t.round(''M2'', ''10:03''), %s, ''never'',
                                                    t.at(''10:03''))',
                          p)),
          (SELECT content FROM t.used WHERE key = 'never'),
          'cancel_bet() of a request cancelled in another round')
  FROM t.x;
-- a long reason is cut between characters
SELECT casino.adjust(p, 1, repeat('žluťoučký kůň ', 40), 'long', t.at('10:03')) FROM t.x \g /dev/null
SELECT matches(t.detail(format('SELECT casino.deposit(%s, 7, ''long'', t.at(''10:03''))', p)),
               '^It posted entry 15: adjustment of 1\.00 CZK: žluťoučký kůň .{1,200} \.\.\.\.$',
                   'a long reason is shown in part') FROM t.x;
-- a wager of a box
SELECT casino.add_game_table('blackjack_house', 'H', 10, 1000) AS house \gset
SELECT casino.open_round(:house, 'h', t.at('10:00')) AS h \gset
SELECT casino.place_bet(:h, p, 'main@100', 'box', 3, 1, t.at('10:04')) FROM t.x \g /dev/null
SELECT is(t.detail(format('SELECT casino.place_bet(%s, %s, ''main@100'', ''box'', 2, 1, t.at(''10:04''))', :h,
                          p)), format('It posted entry 16: stake main@100.00 in round %s, seat 3, hand 1.',
                                      :h), 'seat and hand belong to the content') FROM t.x;

-- ---------------------------------------------------------------- KR002
SELECT t.round_of_m1() AS r \gset
SELECT casino.settle_round(:r, '{"number": 17}', t.at('10:05')) \g /dev/null
SELECT is(t.detail(format('SELECT casino.settle_round(%s, ''{"number": 18}'', t.at(''10:06''))', :r)),
          'It was settled with the outcome {"number": 17}', 'KR002: with which outcome it was settled');
SELECT is(t.detail(format('SELECT casino.void_round(%s, ''wheel'', t.at(''10:06''))', :r)),
          'It was settled with the outcome {"number": 17}', 'KR002: a settled round is not voided');
SELECT is(t.detail(format('SELECT casino.pay_withheld(%s, t.at(''10:06''))', :r)),
          'No payouts of it are withheld. It was settled with the outcome {"number": 17}',
              'KR002: it was paid at once');
SELECT casino.void_round(:h, 'shoe defect', t.at('10:07')) \g /dev/null
SELECT is(t.detail(format('SELECT casino.settle_round(%s, ''{"dealer": "Ts 9d"}'', t.at(''10:08''))', :h)),
          'It was voided: shoe defect', 'KR002: a voided round is not settled');
SELECT is(t.detail(format('SELECT casino.void_round(%s, ''another'', t.at(''10:08''))', :h)),
          'It was voided: shoe defect', 'KR002: nor voided for another reason');

-- ------------------------------------------------ the backend shows limits in force and asks for withdrawals
CREATE ROLE first_content_backend;
SELECT casino.grant_access('first_content_backend', 'backend') \g /dev/null
GRANT USAGE ON SCHEMA t TO first_content_backend;
GRANT SELECT ON t.x TO first_content_backend;
SELECT casino.set_limit(p, 'stake', 'day', 500, t.at('10:30')) FROM t.x \g /dev/null
SET ROLE first_content_backend;
SELECT is((SELECT array_agg(f.measure || ' ' || f.period || ' ' || f.amount)
           FROM casino.limits_in_force(p, '2026-06-01 10:31') f
               WHERE f.amount IS NOT NULL), '{stake day 500.00}',
          'profile backend reads the limits in force') FROM t.x;
SELECT ok(casino.request_withdrawal(p, 10, 'cash', 'his wish', '2026-06-01 10:31') > 0,
          '... and asks for a withdrawal') FROM t.x;
SELECT throws_ok('SELECT casino.pay_withdrawal(1)', '42501', NULL, '... which it does not pay');
RESET ROLE;
DROP OWNED BY first_content_backend;
DROP ROLE first_content_backend;
SELECT * FROM finish();
