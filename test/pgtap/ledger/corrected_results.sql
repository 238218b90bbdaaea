-- Results found wrong after the evaluation (D4 Blackjack §16, R11.33 to R11.38): proposed by one person,
-- approved by a second one; each wager is graded anew, the difference is posted, what cannot be taken back is
-- a claim. Expected money is counted by hand from the odds of the documents.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE first_supervisor_of_corrections;
CREATE ROLE second_supervisor_of_corrections;
SELECT casino.grant_access('first_supervisor_of_corrections', 'supervisor') \g /dev/null
SELECT casino.grant_access('second_supervisor_of_corrections', 'supervisor') \g /dev/null
CREATE SCHEMA t;
GRANT USAGE ON SCHEMA t TO PUBLIC;
CREATE TABLE t.named (name text PRIMARY KEY, id bigint NOT NULL);
CREATE FUNCTION t.id(text)
RETURNS bigint STABLE
LANGUAGE sql SECURITY DEFINER AS 'SELECT id FROM t.named WHERE name = $1';
CREATE FUNCTION t.player(text, numeric DEFAULT 10000,
                         at timestamptz DEFAULT '2026-01-01') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO t.named VALUES ($1, casino.register_player($1));
    IF $2 > 0 THEN PERFORM casino.deposit(t.id($1), $2, at => $3); END IF;
END $$;
CREATE FUNCTION t.table(name text, game text, options jsonb DEFAULT '{}') RETURNS void LANGUAGE sql AS
    'INSERT INTO t.named VALUES ($1, casino.add_game_table($2, $1, 10, 5000, $3))';
CREATE FUNCTION t.balance(text)
RETURNS numeric
LANGUAGE sql SECURITY DEFINER AS 'SELECT balance FROM casino.player WHERE player_id = t.id($1)';
-- proposed by the one, approved by the other
CREATE FUNCTION t.propose(round text, outcome jsonb, reason text,
                          at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'first_supervisor_of_corrections', true);
    n := casino.correct_round(t.id(round), outcome, reason, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN n;
END $$;
CREATE FUNCTION t.approve(n bigint, at timestamptz) RETURNS casino.settlement LANGUAGE plpgsql AS $$
DECLARE s casino.settlement;
BEGIN
    PERFORM set_config('session_authorization', 'second_supervisor_of_corrections', true);
    s := casino.approve_correction(n, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN s;
END $$;
CREATE FUNCTION t.correct(round text, outcome jsonb, reason text,
                          at timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s: %s of %s paid', s.status, s.paid, s.staked)
      FROM (SELECT (t.approve(t.propose(round, outcome, reason, at), at)).*) s $$;
CREATE FUNCTION t.open(round text, tab text, at timestamptz) RETURNS void LANGUAGE sql AS
    'INSERT INTO t.named VALUES (round, casino.open_round(t.id(tab), round, at))';
CREATE FUNCTION t.wagers(round text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s %s %s', n.name, w.kind, w.status, coalesce(w.payout::text, '-')), ', '
                      ORDER BY n.name, w.entry_no)
      FROM casino.wager w JOIN t.named n ON n.id = w.player_id AND n.name ~ '^[a-z]{3}$'
          WHERE w.round_id = t.id(round) $$;
CREATE FUNCTION t.corrections(round text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s', n.name, l.amount), ', ' ORDER BY n.name, l.entry_no)
      FROM casino.ledger l JOIN t.named n ON n.id = l.player_id AND n.name ~ '^[a-z]{3}$'
          WHERE l.round_id = t.id(round) AND l.kind = 'correction' $$;
CREATE FUNCTION t.claims(who text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s', c.amount, coalesce(e.how, 'open')), ', ' ORDER BY c.claim_no)
      FROM casino.claim c LEFT JOIN casino.claim_end e ON e.claim_no = c.claim_no
          WHERE c.player_id = t.id(who) $$;
CREATE FUNCTION t.refused(statement text, code text, what text) RETURNS text LANGUAGE sql AS
    $$ SELECT public.throws_ok(statement, code::char(5), NULL, what) $$;
-- what the whole audit says: nothing is wrong
CREATE FUNCTION t.audit() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c record;
    f casino.finding;
    found text;
BEGIN
    FOR c IN SELECT * FROM casino.reconciliation_checks() LOOP
        -- what is overdue now is not what is corrected; guard and state look at more than the books
        IF c.check_name LIKE '%overdue' OR c.check_name = 'no_reason'
            OR c.check_name LIKE 'provider%' THEN CONTINUE; END IF;
        FOR f IN EXECUTE format('SELECT * FROM %s(%L, %L)', c.function, '2025-12-01', '2026-12-31') LOOP
            found := concat_ws('; ', found, format('%s %s player %s round %s entry %s: %s, %s', c.check_name,
                                                   f.rule, f.player_id, f.round_id, f.entry_no, f.expected,
                                                       f.found));
        END LOOP;
    END LOOP;
    RETURN coalesce(found, 'nothing');
END $$;

SELECT t.player(n) FROM unnest('{ann,bob,cyd}'::text[]) n \g /dev/null
SELECT t.table('wheel 1', 'roulette_american') \g /dev/null

-- --------------------------------------------------------------------- a number misread: red 32 was black 31
SELECT t.open('r1', 'wheel 1', '2026-02-01 12:00') \g /dev/null
SELECT casino.place_bets(t.id('r1'), t.id('ann'), '{red@100,straight:31@10}',
                         at => '2026-02-01 12:00') \g /dev/null
SELECT casino.place_bet(t.id('r1'), t.id('bob'), 'black@200', at => '2026-02-01 12:00') \g /dev/null
SELECT t.refused($$ SELECT casino.correct_round(t.id('r1'), '{"number": 31}', 'x', '2026-02-01 12:01') $$,
                 'KR002', 'a round that is not evaluated has no result to correct');
SELECT casino.settle_round(t.id('r1'), '{"number": 32}', '2026-02-01 12:01') \g /dev/null
SELECT is(t.wagers('r1'), 'ann red won 200.00, ann straight lost 0.00, bob black lost 0.00',
          'as it was evaluated');
SELECT t.refused($$ SELECT casino.correct_round(t.id('r1'), '{"number": 32}', 'x', '2026-02-01 12:02') $$,
                 'KR002', 'the outcome that stands is no correction');
SELECT t.refused($$ SELECT casino.correct_round(t.id('r1'), '{"number": 37}', 'x', '2026-02-01 12:02') $$,
                 'KR001', 'an outcome that cannot be');
SELECT t.refused($$ SELECT casino.correct_round(t.id('r1'), '{"number": 31}', 'x', '2026-02-01 12:00:59') $$,
                 'KL005', 'a correction before the evaluation');
SELECT t.refused(format('SELECT casino.correct_round(%s, %L, %L)', id, '{"number": 31}', why), code,
                 'refused: ' || coalesce(id, 'NULL') || ' ' || coalesce(why, 'NULL'))
  FROM (VALUES ('NULL', 'x', '22004'), ('1', NULL, '22004'), ('1', ' ', '22023'), ('-1', 'x', '23503')) v (id,
          why, code);
SELECT is(t.propose('r1', '{"number": 31}', 'the camera', '2026-02-01 12:02'), 1::bigint,
          'R11.33: proposed, and its retries') FROM generate_series(1, 3);
SELECT is(t.wagers('r1'), 'ann red won 200.00, ann straight lost 0.00, bob black lost 0.00',
          'nothing has changed yet');
SELECT t.refused($$ SELECT t.propose('r1', '{"number": 30}', 'the camera', '2026-02-01 12:02') $$, 'KR002',
                 'R11.33: another one while it waits');
SELECT t.refused($$ SELECT t.propose('r1', NULL, 'the camera', '2026-02-01 12:02') $$, 'KR002', 'nor a void');
SET SESSION AUTHORIZATION first_supervisor_of_corrections;
SELECT public.throws_ok($$ SELECT casino.approve_correction(1, '2026-02-01 12:03') $$, '42501', NULL,
                        'R11.34: who has proposed it does not approve it');
SET casino.actor = 'Petra';
SELECT public.throws_ok($$ SELECT casino.approve_correction(1, '2026-02-01 12:03') $$, '42501', NULL,
                        'R11.34: nor under another name from the same login');
RESET casino.actor;
RESET SESSION AUTHORIZATION;
SELECT t.refused('SELECT casino.approve_correction(99)', '23503', 'an unknown correction');
SELECT t.refused($$ SELECT t.approve(1, '2026-02-01 12:01:59') $$, 'KL005', 'not before it was proposed');
SELECT is((t.approve(1, '2026-02-01 12:03')).paid, 400.00 + 360.00,
          'R11.33: approved, and its retries: black 200 pays 400, straight 10 pays 360')
              FROM generate_series(1, 3);
SELECT is(t.wagers('r1'), 'ann red lost 0.00, ann straight won 360.00, bob black won 400.00',
          'R11.33: wagers follow the last outcome');
SELECT is(t.corrections('r1'), 'ann 360.00, ann -200.00, bob 400.00',
          'the differences are posted once, what is given first');
SELECT is(t.balance('ann') || ' ' || t.balance('bob'), '10250.00 10200.00', 'and the money moved');
SELECT is((SELECT string_agg(format('%s %s', l.stake_entry_no, l.correction_no), ', ' ORDER BY l.entry_no)
           FROM casino.ledger l WHERE l.player_id = t.id('ann') AND l.kind = 'correction'), '3 1, 2 1',
          'each names its stake and its correction');
SELECT is((SELECT outcome::text || ' ' || paid FROM casino.round WHERE round_id = t.id('r1')),
          '{"number": 31} 760.00', 'the round has the right outcome and figures');
SELECT is((SELECT (former ->> 'outcome') || ' ' || (former ->> 'paid') || ' ' || version
           FROM casino.correction_decision WHERE round_id = t.id('r1')), '{"number": 32} 200.00 1',
               'R11.33: the version before is kept');
SELECT is((casino.settle_round(t.id('r1'), '{"number": 32}', '2026-02-01 12:01')).paid, 760.00,
          'a late retry of the settlement is answered with what stands');
SELECT t.refused($$ SELECT casino.settle_round(t.id('r1'), '{"number": 30}', '2026-02-01 12:01') $$, 'KR002',
                 'another outcome is no retry');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
-- corrected twice: it was 32 after all
SELECT is(t.correct('r1', '{"number": 32}', 'the wheel was read again', '2026-02-02 00:10'),
          'settled: 200.00 of 310.00 paid', 'R11.33: corrected twice, across midnight');
SELECT is(t.corrections('r1'), 'ann 360.00, ann -200.00, ann 200.00, ann -360.00, bob 400.00, bob -400.00',
          'the differences again');
SELECT is(t.balance('ann') || ' ' || t.balance('bob'), '10090.00 9800.00',
          'and everybody has what the outcome gives');
SELECT is(t.wagers('r1'), 'ann red won 200.00, ann straight lost 0.00, bob black lost 0.00',
          'payout is payout plus corrections');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- rejected
SELECT is(t.propose('r1', '{"number": 0}', 'a joke', '2026-02-02 00:20'), 3::bigint, 'a third proposal');
SELECT lives_ok($$ SELECT casino.reject_correction(3, 'no', '2026-02-02 00:21') $$, 'rejected, twice')
  FROM generate_series(1, 2);
SELECT t.refused($$ SELECT t.approve(3, '2026-02-02 00:22') $$, 'KR002', 'what was rejected is not approved');
SELECT t.refused($$ SELECT casino.reject_correction(1, 'no') $$, 'KR002', 'what is in force is not rejected');

-- ------------------------------------------------------------------------------------------------ void
SELECT is(t.correct('r1', NULL, 'the ball left the wheel', '2026-02-02 01:00'),
          'voided: 310.00 of 310.00 paid', 'R11.33: an evaluated round is voided');
SELECT is(t.balance('ann') || ' ' || t.balance('bob'), '10000.00 10000.00', 'stakes back, payouts back');
SELECT is(t.wagers('r1'), 'ann red refunded 100.00, ann straight refunded 10.00, bob black refunded 200.00',
          'its wagers are refunded');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is((SELECT ground FROM casino.round_correction WHERE round_id = t.id('r1') AND outcome IS NULL),
          'other', 'R11.41: no ground given is other');
SELECT is(t.correct('r1', '{"number": 31}', 'it had not', '2026-02-02 02:00'),
          'settled: 760.00 of 310.00 paid', 'and evaluated again');
SELECT is(t.balance('ann') || ' ' || t.balance('bob'), '10250.00 10200.00', 'with its money');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT t.open('v1', 'wheel 1', '2026-02-02 12:00') \g /dev/null
SELECT casino.void_round(t.id('v1'), 'power', '2026-02-02 12:01') \g /dev/null
SELECT t.refused($$ SELECT casino.correct_round(t.id('v1'), '{"number": 31}', 'x', '2026-02-02 12:02') $$,
                 'KR002', 'a round voided before its evaluation has no result');

-- ------------------------------------------------------------------------------- after a withdrawal: a claim
SELECT t.player('dan', 100) \g /dev/null
SELECT t.open('r2', 'wheel 1', '2026-02-03 12:00') \g /dev/null
SELECT casino.place_bet(t.id('r2'), t.id('dan'), 'straight:7@100', at => '2026-02-03 12:00') \g /dev/null
SELECT casino.settle_round(t.id('r2'), '{"number": 7}', '2026-02-03 12:01') \g /dev/null
SELECT casino.request_withdrawal(t.id('dan'), 3000, 'cash', at => '2026-02-03 12:05') \g /dev/null
SELECT is(t.correct('r2', '{"number": 8}', 'misread', '2026-02-03 13:00'), 'settled: 0.00 of 100.00 paid',
          'R11.35: a win of 3600 of which 600 are left');
SELECT is(t.balance('dan') || ' ' || t.corrections('r2'), '0.00 dan -600.00',
          'nothing takes a wallet below zero');
SELECT is(t.claims('dan'), '3000.00 open', 'what cannot be taken is a claim');
SELECT is(t.wagers('r2'), 'dan straight lost 3000.00', 'status by the outcome, payout by the money');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT casino.deposit(t.id('dan'), 5000, at => '2026-02-03 14:00') \g /dev/null
SELECT is(t.balance('dan'), 5000.00, 'R11.35: never taken silently later');
SELECT is(t.correct('r2', '{"number": 9}', 'read once more', '2026-02-03 15:00'),
          'settled: 0.00 of 100.00 paid', 'R11.36: a further correction that changes nothing for him');
SELECT is(t.balance('dan') || ' ' || t.claims('dan'), '5000.00 3000.00 open', 'takes nothing of the claim');
SELECT is(t.correct('r2', '{"number": 7}', 'it was seven', '2026-02-03 16:00'),
          'settled: 3600.00 of 100.00 paid', 'R11.36: it was seven all the same');
SELECT is(t.balance('dan') || ' ' || t.claims('dan'), '5600.00 3000.00 corrected',
          'he gets back what was taken, and the claim ends');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT casino.request_withdrawal(t.id('dan'), 5500, 'cash', at => '2026-02-03 16:05') \g /dev/null
SELECT is(t.correct('r2', '{"number": 8}', 'eight', '2026-02-03 17:00'), 'settled: 0.00 of 100.00 paid',
          'and eight again');
SELECT is(t.balance('dan') || ' ' || t.claims('dan'), '0.00 3000.00 corrected, 3500.00 open',
          'another claim');
SELECT t.refused(s, c, 'a claim: ' || s) FROM (VALUES ($$ SELECT casino.settle_claim(-1, 'x') $$, '23503'),
                                               ($$ SELECT casino.settle_claim(t.id('dan') * 1000000000 + 2,
                                                       ' ') $$, '22023'),
    ($$ SELECT casino.settle_claim(t.id('dan') * 1000000000 + 2, NULL) $$, '22004'),
        ($$ SELECT casino.settle_claim(t.id('dan') * 1000000000 + 2, 'x', '2026-02-03 16:59:59') $$,
         'KL005')) v (s, c);
SELECT lives_ok($$ SELECT casino.settle_claim(t.id('dan') * 1000000000 + 2, 'paid at the desk',
                                              '2026-02-04 10:00') $$, 'closed with its reason, twice')
                                                  FROM generate_series(1, 2);
SELECT t.refused($$ SELECT casino.settle_claim(t.id('dan') * 1000000000 + 2, 'paid at the bar',
                                               '2026-02-04 10:00') $$, '55000', 'another reason afterwards');
SELECT is(t.balance('dan') || ' ' || t.claims('dan'), '0.00 3000.00 corrected, 3500.00 paid',
          'it moves no money of the wallet');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is(t.correct('r2', '{"number": 7}', 'seven', '2026-02-05 17:00'), 'settled: 3600.00 of 100.00 paid',
          'R11.36: and seven, when he has paid the claim');
SELECT is(t.balance('dan'), 3600.00, 'he gets all of it');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- ----------------------------------------------------------------------- withheld: corrected without posting
SELECT t.open('r3', 'wheel 1', '2026-02-06 12:00') \g /dev/null
SELECT casino.place_bet(t.id('r3'), t.id('ann'), 'red@100', at => '2026-02-06 12:00'),
    casino.place_bet(t.id('r3'), t.id('bob'), 'black@100', at => '2026-02-06 12:00') \g /dev/null
SELECT casino.settle_round(t.id('r3'), '{"number": 32}', '2026-02-06 12:01', true, 'inquiry') \g /dev/null
SELECT is(t.correct('r3', '{"number": 31}', 'the inquiry', '2026-02-06 13:00'),
          'withheld: 200.00 of 200.00 paid', 'R11.33: a withheld round is corrected');
SELECT ok(t.corrections('r3') IS NULL, 'without posting');
SELECT is(t.wagers('r3'), 'ann red lost 0.00, bob black withheld 200.00', 'what is owed follows');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is((casino.pay_withheld(t.id('r3'), '2026-02-07 12:00')).paid, 200.00, 'and what is right is paid');
SELECT is(t.wagers('r3'), 'ann red lost 0.00, bob black won 200.00', 'to the right player');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
-- a single player withheld, others paid
SELECT t.open('r4', 'wheel 1', '2026-02-08 12:00') \g /dev/null
SELECT casino.place_bet(t.id('r4'), t.id('ann'), 'red@100', at => '2026-02-08 12:00'),
    casino.place_bet(t.id('r4'), t.id('bob'), 'red@100', at => '2026-02-08 12:00'),
       casino.place_bet(t.id('r4'), t.id('cyd'), 'black@100', at => '2026-02-08 12:00') \g /dev/null
SELECT casino.withhold_winnings(t.id('r4'), t.id('bob'), 'inquiry', '2026-02-08 12:00') \g /dev/null
SELECT casino.settle_round(t.id('r4'), '{"number": 32}', '2026-02-08 12:01') \g /dev/null
SELECT is(t.correct('r4', '{"number": 31}', 'misread', '2026-02-08 13:00'), 'settled: 200.00 of 300.00 paid',
          'a player withheld');
SELECT is(t.corrections('r4') || ' / ' || t.wagers('r4'),
          'ann -200.00, cyd 200.00 / ann red lost 0.00, bob red lost 0.00, cyd black won 200.00',
              'nothing is posted for him');
SELECT is(t.correct('r4', '{"number": 30}', 'red after all', '2026-02-08 14:00'),
          'settled: 400.00 of 300.00 paid', 'corrected twice');
SELECT is(t.wagers('r4'), 'ann red won 200.00, bob red withheld 200.00, cyd black lost 0.00',
          'his winnings are withheld again');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is(t.correct('r4', NULL, 'void', '2026-02-08 15:00'), 'voided: 300.00 of 300.00 paid', 'voided');
SELECT is(t.corrections('r4'), 'ann -200.00, ann 200.00, ann -100.00, cyd 200.00, cyd -200.00, cyd 100.00',
          'by corrections for those who were paid');
SELECT is((SELECT l.kind || ' ' || l.amount FROM casino.ledger l
           WHERE l.player_id = t.id('bob') AND l.round_id = t.id('r4')
               AND l.kind <> 'stake'), 'refund 100.00', 'and a refund for who was not');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- -------------------------------------------------------------------------------------- by hand, and 30 days
SELECT t.refused($$ INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no) VALUES (t.id('ann'),
        'correction', 1, 2) $$, 'KL004', 'R11.34: nobody inserts a correction');
SELECT t.refused($$ INSERT INTO casino.ledger (player_id, kind, amount, correction_no) VALUES (t.id('ann'),
        'deposit', 1, 2) $$, '22023', 'nor its number');
SELECT t.refused($$ UPDATE casino.round SET outcome = '{"number": 1}'
                 WHERE round_id = t.id('r1') $$, 'KR002', 'nor changes an evaluated round');
SELECT t.open('r5', 'wheel 1', '2026-03-01 12:00') \g /dev/null
SELECT casino.place_bet(t.id('r5'), t.id('ann'), 'red@100', at => '2026-03-01 12:00'),
    casino.place_bet(t.id('r5'), t.id('cyd'), 'red@100', at => '2026-03-01 12:00') \g /dev/null
SELECT casino.settle_round(t.id('r5'), '{"number": 31}', '2026-03-01 12:01') \g /dev/null
SELECT is(t.correct('r5', '{"number": 32}', 'misread', '2026-03-31 23:59:59.999999'),
          'settled: 400.00 of 200.00 paid', 'R11.37 (D4 §11.1): in the players'' favour on the 30th day');
SELECT is_empty($$ SELECT FROM casino.breach WHERE rule = 'winnings_late' $$, 'no breach');
SELECT t.open('r6', 'wheel 1', '2026-03-02 12:00') \g /dev/null
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT casino.place_bet(t.id('r6'), t.id('bob'), 'red@100', at => '2026-03-02 12:00') \g /dev/null
SELECT casino.settle_round(t.id('r6'), '{"number": 31}', '2026-03-02 12:01') \g /dev/null
SELECT is(t.correct('r6', '{"number": 32}', 'misread', '2026-04-02 00:00'), 'settled: 200.00 of 100.00 paid',
          'R11.37: on the 31st day');
SELECT results_eq($$ SELECT player_id, entry_no, (detail ->> 'amount')::numeric FROM casino.breach
                  WHERE rule = 'winnings_late' $$,
                  $$ SELECT player_id, entry_no, 200.00 FROM casino.ledger
                      WHERE round_id = t.id('r6') AND kind = 'stake' $$, 'R11.37: a breach of that stake');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- ---------------------------------------------------------------------- net loss, on the day posted (R11.38)
SELECT t.player('lim') \g /dev/null
SELECT casino.set_limit(t.id('lim'), 'net_loss', 'day', 1000, '2026-04-03 08:00') \g /dev/null
SELECT t.table('wheel 2', 'roulette_american') \g /dev/null
SELECT t.open('l1', 'wheel 2', '2026-04-03 12:00') \g /dev/null
SELECT casino.place_bet(t.id('l1'), t.id('lim'), 'red@600', at => '2026-04-03 12:00') \g /dev/null
SELECT casino.settle_round(t.id('l1'), '{"number": 31}', '2026-04-03 12:01') \g /dev/null
CREATE FUNCTION t.usage(at timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' ', u.lost_day, u.lost_month) || CASE
        WHEN (s.lost_day, s.lost_month, s.day) IS DISTINCT FROM (u.lost_day, u.lost_month,
                u.day) THEN ' counted otherwise: ' || concat_ws(' ', s.lost_day, s.lost_month) ELSE '' END
      FROM casino.limit_usage(t.id('lim'), at) u JOIN casino.limit_state s ON s.player_id = u.player_id $$;
SELECT is(t.usage('2026-04-03 13:00'), '600.00 600.00', 'lost');
SELECT t.correct('l1', '{"number": 32}', 'misread', '2026-04-03 14:00') \g /dev/null
SELECT is(t.usage('2026-04-03 14:00'), '-600.00 -600.00',
          'R11.38: a correction counts in the net loss of the day posted');
SELECT t.open('l2', 'wheel 2', '2026-04-04 12:00') \g /dev/null
SELECT t.correct('l1', '{"number": 31}', 'misread again', '2026-04-04 10:00') \g /dev/null
SELECT is(t.usage('2026-04-04 10:00'), '1200.00 600.00', 'taken the next day: it is a loss of that day');
SELECT t.refused($$ SELECT casino.place_bet(t.id('l2'), t.id('lim'), 'red@100', at => '2026-04-04 12:00') $$,
                 'KC005', 'and the limit holds');
SELECT casino.adjust(t.id('lim'), 500, 'goodwill', 'adj', '2026-04-04 11:00', t.id('l1')) \g /dev/null
SELECT is((SELECT concat_ws(' ', stakes, winnings, corrected, base)
             FROM casino.tax_base('2026-04-04', '2026-04-04')), '0.00 0.00 -700.00 700.00',
          'R9.20: a correction of -1200 and an adjustment of 500 in the tax base');
SELECT is((SELECT concat_ws(' ', staked, won, corrected, ggr)
             FROM casino.daily_table('2026-04-04', '2026-04-04') WHERE corrected <> 0),
          '0.00 0.00 -700.00 700.00', 'R9.20: and in the GGR of the table');
SELECT is(t.usage('2026-04-04 11:00'), '700.00 100.00', 'R11.38: so does an adjustment that names a round');
SELECT casino.place_bet(t.id('l2'), t.id('lim'), 'red@300', at => '2026-04-04 12:00') \g /dev/null
SELECT casino.settle_round(t.id('l2'), '{"number": 31}', '2026-04-04 12:01', true) \g /dev/null
SELECT is(t.usage('2026-04-04 12:01'), '1000.00 400.00', 'lost in a withheld round');
SELECT t.correct('l2', '{"number": 32}', 'the inquiry', '2026-04-05 12:00') \g /dev/null
SELECT is(t.usage('2026-04-04 12:01'), '400.00 -200.00',
          'corrected without posting: the evaluation itself counts otherwise');
SELECT is((SELECT casino.rebuild()), 0::bigint, 'rebuild() makes what was there');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
-- a won stake of a round that is void then, of whose money nothing is there: a claim, and nothing is posted.
-- The -- wallet before is 10000 - 600 + 1200 - 1200 + 500 - 300 + 600 and later takings
SELECT t.open('l3', 'wheel 2', '2026-04-05 14:00') \g /dev/null
SELECT casino.place_bet(t.id('l3'), t.id('lim'), 'red@100', at => '2026-04-05 14:00') \g /dev/null
SELECT casino.settle_round(t.id('l3'), '{"number": 32}', '2026-04-05 14:01') \g /dev/null
SELECT is(t.usage('2026-04-05 14:01'), '-100.00 -300.00', '100 won');
SELECT casino.request_withdrawal(t.id('lim'), t.balance('lim'), 'cash', 'all of it', '2026-04-05 14:02')
\g /dev/null
SELECT is(t.correct('l3', NULL, 'a second ball', '2026-04-05 14:03'), 'voided: 100.00 of 100.00 paid',
          'the round is void');
SELECT is(concat_ws(' ', t.claims('lim'), t.corrections('l3')), '100.00 open', '100 are a claim');
SELECT is(t.usage('2026-04-05 14:03'), '-100.00 -300.00',
          'R11.38: an amount that was not posted does not count as a loss: the counters, and counted anew');
SELECT is((SELECT casino.rebuild()), 0::bigint, 'so does rebuild()');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- ---------------------------------------------------- blackjack: a shared box, free wagers; Texas: side pots
SELECT t.player(n, 100000) FROM unnest('{eva,fay,gus}'::text[]) n \g /dev/null
SELECT t.table('infinite', 'blackjack_infinite'), t.table('free', 'blackjack_free_bet'),
    t.table('hall', 'holdem_cash_25_50', '{"seats": 9}') \g /dev/null
SELECT t.open('s1', 'infinite', '2026-04-06 12:00') \g /dev/null
SELECT casino.place_bet(t.id('s1'), t.id(n), 'main@100', at => '2026-04-06 12:00')
  FROM unnest('{eva,fay}'::text[]) n \g /dev/null
SELECT casino.close_betting(t.id('s1'), '2026-04-06 12:01') \g /dev/null
SELECT casino.place_bet(t.id('s1'), t.id('eva'), 'double_down@100', at => '2026-04-06 12:02') \g /dev/null
CREATE FUNCTION t.shared(third text, dealer text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('dealer', dealer, 'hands',
                              jsonb_build_array(jsonb_build_object('player', t.id('eva'), 'cards',
                                      '6h 5d ' || third), jsonb_build_object('cards', '6h 5d 9c'))) $$;
SELECT casino.deal(t.id('s1'), t.shared('8c', 'Th'), '2026-04-06 12:03') \g /dev/null
SELECT casino.settle_round(t.id('s1'), t.shared('8c', 'Th 9d'), '2026-04-06 12:03') \g /dev/null
SELECT is(t.wagers('s1'), 'eva main pushed 100.00, eva double_down pushed 100.00, fay main won 200.00',
          'a shared box');
SELECT t.refused($$ SELECT t.propose('s1', t.shared('8c 2d', 'Th 9d'), 'x', '2026-04-06 12:04') $$, 'KR001',
                 'R11.33: a doubled hand of four cards could not have been');
SELECT is(t.correct('s1', t.shared('2c', 'Th 9d'), 'the third card', '2026-04-06 12:05'),
          'settled: 200.00 of 300.00 paid', 'one player''s card was another');
SELECT is(t.wagers('s1'), 'eva main lost 0.00, eva double_down lost 0.00, fay main won 200.00',
          'only that player''s wagers change');
SELECT is((SELECT string_agg(version || ' ' || cards, ', ' ORDER BY version) FROM casino.hand_version
           WHERE round_id = t.id('s1') AND side = 'box'
               AND group_no > 0), '0 6h 5d 8c, 1 6h 5d 2c', 'cards of each version are kept');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is(t.correct('s1', t.shared('2c', 'Kh 9d'), 'the dealer''s card', '2026-04-06 12:06'),
          'settled: 200.00 of 300.00 paid', 'the dealer''s card was another than deal() was told');
SELECT is(t.audit(), 'nothing', 'the deals are held against the outcome before the correction');
SELECT t.open('f1', 'free', '2026-04-07 12:00') \g /dev/null
SELECT casino.place_bet(t.id('f1'), t.id('gus'), 'main@100', seat => 1, at => '2026-04-07 12:00') \g /dev/null
SELECT casino.close_betting(t.id('f1'), '2026-04-07 12:01') \g /dev/null
SELECT casino.place_bet(t.id('f1'), t.id('gus'), 'free_double@100', seat => 1,
                        at => '2026-04-07 12:02') \g /dev/null
SELECT casino.settle_round(t.id('f1'), '{"dealer": "Th 9d", "hands": [{"seat": 1, "cards": "6h 5d 2c"}]}',
                           '2026-04-07 12:03') \g /dev/null
SELECT is(t.wagers('f1'), 'gus main lost 0.00, gus free_double lost 0.00', 'a free double that is lost');
SELECT t.correct('f1', '{"dealer": "Th 9d", "hands": [{"seat": 1, "cards": "6h 5d 9c"}]}', 'a nine',
                 '2026-04-07 12:05') \g /dev/null
SELECT is(t.wagers('f1'), 'gus main won 200.00, gus free_double won 100.00', 'wins by correction');
SELECT t.correct('f1', NULL, 'void', '2026-04-07 12:06') \g /dev/null
SELECT is(t.wagers('f1'), 'gus main refunded 100.00, gus free_double refunded 0.00',
          'and returns nothing when void');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
-- on a ground of the plan (R11.41)
SELECT t.table('studio', 'roulette_synot') \g /dev/null
SELECT t.open('g1', 'studio', '2026-04-07 20:00') \g /dev/null
SELECT casino.place_bet(t.id('g1'), t.id('gus'), 'red@100', at => '2026-04-07 20:00') \g /dev/null
SELECT casino.settle_round(t.id('g1'), '{"number": 32}', '2026-04-07 20:01') \g /dev/null
CREATE FUNCTION t.void(reason text, ground text, outcome jsonb DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'first_supervisor_of_corrections', true);
    n := casino.correct_round(t.id('g1'), outcome, reason, '2026-04-07 23:00', ground);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN n;
END $$;
SELECT t.refused(format('SELECT t.void(%L, %L, %L)', reason, ground, outcome), code,
                 format('R11.41: refused: %s, %s, %s', coalesce(reason, 'no reason'), left(ground, 9),
                        outcome))
  FROM (VALUES (NULL, 'other', NULL, '22004'), (' ', 'ball_out', NULL, '22023'), ('x', 'fire', NULL, '22023'),
               ('x', '', NULL, '22023'), ('x', repeat('x', 65), NULL, '22001'),
               ('x', 'ball_out', '{"number": 3}', '22023')) v (reason, ground, outcome, code);
SELECT t.void(NULL, 'ball_out') AS g1 \gset
SELECT is(t.void(NULL, 'ball_out'), :g1::bigint, 'R11.41: a void on a ground needs no words; a retry');
SELECT t.refused($$ SELECT t.void(NULL, 'few_turns') $$, 'KR002', 'another ground while it waits');
SELECT is((SELECT ground FROM casino.pending_correction WHERE correction_no = :g1), 'ball_out',
          'the second person sees the ground');
-- an adjustment of the round while the correction waits, and one before it
CREATE FUNCTION t.adjusted() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    PERFORM set_config('session_authorization', 'second_supervisor_of_corrections', true);
    SELECT string_agg(correction_no || ' ' || adjusted, ', ' ORDER BY correction_no) INTO found
      FROM casino.pending_correction;
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN found;
END $$;
SELECT is(t.adjusted(), :g1 || ' 0.00', 'R11.62: no adjustment of the round');
SELECT casino.adjust(t.id('gus'), 50, 'another round', 'w1', '2026-04-07 23:00', t.id('f1')),
       casino.adjust(t.id('gus'), 60, 'no round', 'w2', '2026-04-07 23:00') \g /dev/null
SELECT is(t.adjusted(), :g1 || ' 0.00', 'R11.62: another round''s, and one without a round, do not count');
SELECT casino.adjust(t.id('gus'), -70, 'paid in chips', 'w3', '2026-04-07 23:00', t.id('g1'))
  FROM generate_series(1, 2) \g /dev/null
SELECT is(t.adjusted(), :g1 || ' -70.00',
          'R11.62: the second person sees the money taken since the proposal; a retry counts once');
SELECT casino.adjust(t.id('fay'), 20.01, 'goodwill', 'w4', '2026-04-07 23:00', t.id('g1')) \g /dev/null
SELECT is(t.adjusted(), :g1 || ' -49.99', 'R11.62: the sum over the players');
SELECT is((t.approve(:g1, '2026-04-07 23:01')).status, 'voided', 'approved');
SELECT is(t.adjusted(), NULL, 'nothing waits any more');
SELECT is((SELECT void_ground || ': ' || void_reason FROM casino.round WHERE round_id = t.id('g1')),
          'ball_out: kulička během roztočení vypadla z kola rulety',
          'R11.41: with the words of the plan');
SELECT is((casino.void_round(t.id('g1'), NULL, '2026-04-07 23:02', 'ball_out')).status, 'voided',
          'voided again on that ground: answered');
SELECT t.refused($$ SELECT casino.void_round(t.id('g1'), NULL, '2026-04-07 23:02', 'few_turns') $$, 'KR002',
                 'on another ground: refused');
SELECT is(casino.game_recall(t.id('g1')) #>> '{versions,-1,ground}', 'ball_out', 'recall has the ground');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT is(t.correct('g1', '{"number": 31}', 'the ball was seen', '2026-04-07 24:00'),
          'settled: 0.00 of 100.00 paid', 'and evaluated again');
SELECT is((SELECT void_ground FROM casino.round WHERE round_id = t.id('g1')), NULL, 'without a ground');
SELECT t.propose('g1', '{"number": 30}', 'seen once more', '2026-04-08 00:01') AS g2 \gset
SELECT is(t.adjusted(), :g2 || ' -49.99', 'R11.62: an adjustment before the proposal shows, too');
SELECT casino.reject_correction(:g2, 'no', '2026-04-08 00:02') \g /dev/null
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');
SELECT t.open('p1', 'hall', '2026-04-08 12:00') \g /dev/null
SELECT casino.place_bet(t.id('p1'), t.id(n), b::casino.bet, seat => s, at => '2026-04-08 12:00')
  FROM (VALUES ('eva', 'pot@500', 1), ('fay', 'pot@200', 2), ('gus', 'pot@600', 3)) v (n, b, s) \g /dev/null
CREATE FUNCTION t.pot(river text) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('button', 1,
        'board', 'Qh 7s 2c 9d ' || river,
    'seats',
    '[{"seat": 1, "cards": "Qs Kd"}, {"seat": 2, "cards": "7d 7h"}, '
    '{"seat": 3, "cards": "Ac 9c"}]'::jsonb) $$;
SELECT casino.settle_round(t.id('p1'), t.pot('Jc'), '2026-04-08 12:30') \g /dev/null
SELECT is(t.wagers('p1'), 'eva pot won 600.00, fay pot won 600.00, gus pot lost 100.00',
          'sevens win the main pot of 600, queens the side pot of 600, 100 go back');
SELECT is(t.correct('p1', t.pot('9h'), 'the river', '2026-04-08 13:00'), 'settled: 1300.00 of 1300.00 paid',
          'with two nines on the board');
SELECT is(t.wagers('p1'), 'eva pot lost 0.00, fay pot won 600.00, gus pot won 700.00',
          'full house of sevens the main pot, three nines the side pot, 100 go back');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- ------------------------------------------------------------------------------------------------ seals
SELECT casino.seal('2026-04-09') \g /dev/null
SELECT is_empty('SELECT * FROM casino.verify(1, 1)', 'sealed');
SELECT t.correct('p1', t.pot('Jc'), 'after the seal', '2026-04-10 13:00'),
    t.correct('r1', '{"number": 17}', 'after the seal', '2026-04-10 13:00') \g /dev/null
SELECT is_empty('SELECT * FROM casino.verify(1, 1)',
                'R11.33: a correction after a seal changes nothing that was sealed');
SELECT casino.seal('2026-04-10') \g /dev/null
SELECT is_empty('SELECT * FROM casino.verify(1, 2)', 'and is sealed itself');
SELECT is(t.audit(), 'nothing', 'the audit finds nothing wrong');

-- ------------------------------------------------------------------------------------------------ planted
CREATE FUNCTION t.planted(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    x text;
    found text;
BEGIN
    FOREACH x IN ARRAY '{ledger,round_correction,correction_decision,claim,claim_end,round,'
                       'breach}'::text[] LOOP
        EXECUTE format('ALTER TABLE casino.%I DISABLE TRIGGER ALL', x);
    END LOOP;
    EXECUTE fault;
    SELECT string_agg(DISTINCT f.rule, ' ' ORDER BY f.rule) INTO found
      FROM casino_internal.check_correction('2025-12-01', '2026-12-31') f;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN sqlstate 'ZZZZZ' THEN
    RETURN coalesce(found, 'nothing');
END $$;
SELECT is(t.planted('SELECT 1'), 'nothing', 'nothing planted');
SELECT is(t.planted(fault), found, 'planted: ' || fault)
  FROM (VALUES ($$ UPDATE casino.ledger SET amount = amount + 1
                WHERE kind = 'correction' AND round_id = t.id('p1') AND player_id = t.id('gus')
                    AND correction_no = (SELECT max(correction_no) FROM casino.correction_decision
                                         WHERE round_id = t.id('p1')) $$, 'posted wager'),
               ($$ DELETE FROM casino.ledger WHERE kind = 'correction' AND player_id = t.id('fay')
                OR kind = 'correction' AND player_id = t.id('cyd')
                    AND round_id = t.id('r5') $$, 'posted wager'),
               ($$ UPDATE casino.ledger SET correction_no = 99
                WHERE kind = 'correction' AND round_id = t.id('r6') $$, 'of_nothing posted'),
               ($$ UPDATE casino.correction_decision d SET recorded_by = (SELECT c.recorded_by
                       FROM casino.round_correction c WHERE c.correction_no = d.correction_no)
                           WHERE d.round_id = t.id('r6') $$, 'approval'),
               ($$ UPDATE casino.round SET paid = 1 WHERE round_id = t.id('r6') $$, 'figures'),
               ($$ UPDATE casino.round_correction SET round_id = t.id('r5')
                WHERE round_id = t.id('r6') $$, 'proposal'),
               ($$ UPDATE casino.correction_decision SET former = jsonb_set(former, '{outcome}',
                       '{"number": 0}') WHERE round_id = t.id('r1') AND version = 2 $$, 'version'),
               ($$ UPDATE casino.round_correction SET ground = 'few_turns' WHERE ground = 'ball_out' $$,
                'ground'),
               ($$ UPDATE casino.round_correction SET ground = 'fire' WHERE ground = 'ball_out' $$, 'ground'),
               ($$ ALTER TABLE casino.round_correction DROP CONSTRAINT round_correction_check;
                   UPDATE casino.round_correction SET ground = 'other'
                    WHERE round_id = t.id('r6') $$, 'ground'),
               ($$ UPDATE casino.round SET void_ground = 'ball_out' WHERE round_id = t.id('f1') $$, 'ground'),
               ($$ UPDATE casino.round SET void_reason = 'rain' WHERE round_id = t.id('f1') $$, 'ground'),
               ($$ DELETE FROM casino.breach WHERE rule = 'winnings_late' $$, 'unrecorded'),
               ($$ UPDATE casino.claim SET amount = 1
                WHERE claim_no = t.id('dan') * 1000000000 + 2 $$, 'posted wager'),
               ($$ UPDATE casino.claim_end SET how = 'waived'
                WHERE claim_no = t.id('dan') * 1000000000 + 2 $$, 'nothing'),
               ($$ INSERT INTO casino.claim SELECT player_id, 99, round_id, stake_entry_no, 98, 5, claimed_at,
                recorded_at, recorded_by FROM casino.claim
                    WHERE claim_no = t.id('dan') * 1000000000 + 2 $$, 'claim wager')) v (fault, found);
SELECT t.refused('UPDATE casino.' || r || ' SET recorded_at = recorded_at', 'KL001', r || ' is append-only')
  FROM unnest('{round_correction,correction_decision,claim,claim_end}'::text[]) r;

-- ------------------------------------------------------------------------ figures: on the day posted (R9.20)
-- 3 February: stakes 100, won 3600; corrections -600, 0, +600, -100 of the 5600 that he had less a withdrawal
-- of 5500
SELECT is((SELECT concat_ws(' ', stakes, winnings, corrected, base)
           FROM casino.tax_base('2026-02-03', '2026-02-03')), '100.00 3600.00 -100.00 -3400.00',
               'R9.20: tax base');
SELECT is((SELECT concat_ws(' ', staked, won, corrected, ggr, hold)
           FROM casino.daily_table('2026-02-03', '2026-02-03')), '100.00 3600.00 -100.00 -3400.00 -34.000000',
               'R9.20: GGR and hold of the table');
SELECT is((SELECT concat_ws(' ', rounds_settled, staked, corrected, ggr)
           FROM casino.daily_table('2026-02-05', '2026-02-05')), '0 0.00 3600.00 -3600.00',
               'R9.20: a day with a correction and no round');
SELECT is((SELECT concat_ws(' ', corrected, result) FROM casino.player_day('2026-02-05', '2026-02-05')),
          '3600.00 3600.00', 'R9.20: the player''s day');
SELECT is((SELECT concat_ws(' ', day, won, corrected)
           FROM casino.large_win('2026-02-05', '2026-02-05', 3000)), '2026-02-05 3600.00 3600.00',
               'R9.20: a large win on the day of its correction');
SELECT is((SELECT concat_ws(' ', corrected, adjustments, result)
           FROM casino.player_day('2026-04-04', '2026-04-04')
               WHERE player_id = t.id('lim')), '-700.00 500.00 -1000.00',
                   'R9.20: an adjustment that names a round counts, too');
-- the page of the night: the GGR is staked less won, returned and corrected (R9.20, R9.32)
SELECT matches(casino.night_page('2026-02-05', 'en'), 'Corrected.*3[^0-9]?600\.00',
               'R9.20: the page of the night has the corrections, in a column of their own');
SELECT doesnt_match(casino.night_page('2026-02-12', 'en'), 'Corrected',
                    'R9.32: no column on a day without corrections');
SELECT is((SELECT sum(base) FROM casino.tax_base('2026-01-01', '2026-12-31')),
          (SELECT sum(CASE kind WHEN 'stake' THEN amount ELSE -amount END) FROM casino.ledger
           WHERE round_id IS NOT NULL), 'R9.20: the base of all days is what play has brought');
SELECT is(jsonb_array_length(casino.game_recall(t.id('r2')) -> 'versions') || ' '
          || jsonb_array_length(casino.game_recall(t.id('r2')) -> 'claims'), '5 2',
              'recall shows all versions and claims');
SELECT is((SELECT string_agg(event, ', ' ORDER BY event)
           FROM casino.significant_event('2026-02-04', '2026-02-05')),
               'claim ended: paid, correction of a result proposed, result corrected',
                   'they are significant events');
SELECT is((SELECT string_agg(kind || ' ' || change, ', ' ORDER BY line_no)
           FROM casino.player_statement(t.id('dan'), '2026-02-05', '2026-02-05')
               WHERE kind = 'correction'), 'correction 3600.00', 'and lines of the statement');

-- ------------------------------------------------------- a payout of before the correction, at another time
SELECT min(l.round_id) AS r
  FROM casino.ledger l
  JOIN casino.round r ON r.round_id = l.round_id AND r.withheld_at IS NULL
  JOIN casino.correction_decision d ON d.round_id = l.round_id AND d.version = 1
 WHERE l.kind = 'payout'
   AND NOT EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = l.round_id) \gset
CREATE FUNCTION t.found_time() RETURNS TABLE (round_id bigint) LANGUAGE sql AS $$
    SELECT DISTINCT f.round_id
      FROM casino_internal.check_correction('2026-01-01', '2026-12-31') f
     WHERE f.rule = 'time' $$;
SELECT is_empty('SELECT * FROM t.found_time()', 'R12.12: payouts have the time of the first evaluation');
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE casino.ledger SET posted_at = posted_at + interval '1 s' WHERE round_id = :r AND kind = 'payout';
ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
SELECT results_eq('SELECT * FROM t.found_time()', ARRAY[:r::bigint], 'R12.12: another time is found');
SELECT * FROM finish();
