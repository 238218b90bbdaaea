-- Repetitions of a settlement after its round was corrected and voided, and a correction that gives and takes
-- the same. A retry after a void by a correction gets its settlement; after void_round() it is KR002.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE first_supervisor_of_voids;
CREATE ROLE second_supervisor_of_voids;
SELECT casino.grant_access('first_supervisor_of_voids', 'supervisor') \g /dev/null
SELECT casino.grant_access('second_supervisor_of_voids', 'supervisor') \g /dev/null
CREATE SCHEMA t;
CREATE FUNCTION t.correct(round_id bigint, outcome jsonb, at timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    correction bigint;
    answer text;
BEGIN
    PERFORM set_config('session_authorization', 'first_supervisor_of_voids', true);
    correction := casino.correct_round(round_id, outcome, 'seen again', at);
    PERFORM set_config('session_authorization', 'second_supervisor_of_voids', true);
    SELECT format('%s: %s of %s', s.status, s.paid, s.staked)
      INTO answer
      FROM casino.approve_correction(correction, at) s;
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
    RETURN answer;
END $$;

SELECT casino.add_game_table('roulette_synot', 'wheel', 10, 5000) AS wheel,
       casino.register_player('ann') AS ann \gset
SELECT casino.deposit(:ann, 1000, at => '2026-03-01 10:00') \g /dev/null
-- a round of 100 on red, withheld after the outcome 1, by its name
CREATE FUNCTION t.withheld(wheel bigint, ann bigint, name text, hour text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    start CONSTANT timestamptz := '2026-03-02 ' || hour || ':00';
    round bigint := casino.open_round(wheel, name, start);
BEGIN
    PERFORM casino.place_bet(round, ann, 'red@100', name, at => start + interval '10 s');
    PERFORM casino.settle_round(round, '{"number": 1}', start + interval '1 min', true, 'looked at');
    RETURN round;
END $$;
SELECT t.withheld(:wheel, :ann, 'plain', '10') AS plain,
       t.withheld(:wheel, :ann, 'corrected', '11') AS corrected,
       t.withheld(:wheel, :ann, 'by_correction', '12') AS by_correction \gset

-- without a correction
SELECT casino.void_round(:plain, 'power cut', '2026-03-02 13:00') \g /dev/null
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": 1}'')', :plain), 'KR002', NULL,
                 'void_round() ended it: the settlement again is refused');
-- with one
SELECT is(t.correct(:corrected, '{"number": 2}', '2026-03-02 13:00'), 'withheld: 0.00 of 100.00',
          'a withheld result is corrected');
SELECT is((SELECT s.status FROM casino.settle_round(:corrected, '{"number": 1}') s), 'withheld',
          'the first settlement again is answered after a correction');
SELECT casino.void_round(:corrected, 'power cut', '2026-03-02 14:00') \g /dev/null
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": %s}'')', :corrected, number), 'KR002',
                 NULL, 'void_round() ended a corrected round: the outcome ' || number || ' again is refused')
  FROM generate_series(1, 2) number;
-- void by a correction, which is not the end of the first call's answer
SELECT is(t.correct(:by_correction, NULL, '2026-03-02 13:00'), 'voided: 100.00 of 100.00',
          'a correction voids');
SELECT is((SELECT s.status FROM casino.settle_round(:by_correction, '{"number": 1}') s), 'voided',
          'the first settlement again is answered after a void by a correction');
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"number": 2}'')', :by_correction), 'KR002', NULL,
                 'another outcome is not');

-- give and take alike: the counters begin the day of the correction, as rebuild() counts them (R11.38)
SELECT casino.register_player('ben') AS ben,
       casino.open_round(:wheel, 'even', '2026-03-02 20:00') AS even \gset
SELECT casino.deposit(:ben, 1000, at => '2026-03-01 10:00') \g /dev/null
SELECT casino.set_limit(:ben, 'net_loss', 'day', 5000, '2026-03-01 11:00') \g /dev/null
SELECT casino.place_bet(:even, :ben, 'red@100', 'e1', at => '2026-03-02 20:00:10'),
       casino.place_bet(:even, :ben, 'black@100', 'e2', at => '2026-03-02 20:00:20') \g /dev/null
SELECT casino.settle_round(:even, '{"number": 1}', '2026-03-02 20:01') \g /dev/null
SELECT is(t.correct(:even, '{"number": 2}', '2026-03-03 09:00'), 'settled: 200.00 of 200.00',
          'red gives 200 back, black gets 200');
SELECT is((SELECT array_agg(l.amount ORDER BY l.amount) FROM casino.ledger l
            WHERE l.player_id = :ben AND l.kind = 'correction'), ARRAY[-200.00, 200.00], 'both are entries');
SELECT is((SELECT format('%s %s %s %s', s.day, s.staked_day, s.lost_day, s.lost_month)
             FROM casino.limit_state s WHERE s.player_id = :ben), '2026-03-03 0.00 0.00 0.00',
          'the counters stand on the day of the correction');
CREATE TEMP TABLE counters AS SELECT * FROM casino.limit_state;
SELECT casino.rebuild() \g /dev/null
SELECT is((SELECT s::text FROM casino.limit_state s WHERE s.player_id = :ben),
          (SELECT c::text FROM counters c WHERE c.player_id = :ben), 'rebuild() finds the same');
-- wagers of one player voided alone, then the round by a correction: it is corrected back (R11.87)
SELECT casino.register_player('cyd') AS cyd, casino.register_player('dan') AS dan,
       casino.register_player('eve') AS eve \gset
SELECT casino.deposit(p, 1000, at => '2026-03-01 10:00') FROM unnest(ARRAY[:cyd, :dan, :eve]) p \g /dev/null
SELECT casino.set_limit(:dan, 'net_loss', 'day', 5000, '2026-03-01 11:00') \g /dev/null
CREATE FUNCTION t.alone(wheel bigint, cyd bigint, dan bigint, eve bigint, name text, hour text,
                        kept boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    start CONSTANT timestamptz := '2026-03-04 ' || hour || ':00';
    round bigint := casino.open_round(wheel, name, start);
BEGIN
    PERFORM casino.place_bet(round, cyd, 'red@100', name, at => start + interval '10 s'),
        casino.place_bet(round, dan, 'red@100', name, at => start + interval '10 s'),
        casino.place_bet(round, eve, 'black@100', name, at => start + interval '10 s');
    PERFORM casino.withhold_winnings(round, cyd, 'looked at', start + interval '20 s');
    IF kept THEN
        PERFORM casino.withhold_winnings(round, eve, 'looked at', start + interval '20 s');
    END IF;
    PERFORM casino.settle_round(round, '{"number": 1}', start + interval '1 min'),
        casino.void_wagers(round, cyd, 'a rule was broken', start + interval '2 min');
    RETURN round;
END $$;
CREATE FUNCTION t.money(round_id bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s %s', p.external_ref, x.amount), ', ' ORDER BY p.external_ref)
      FROM (SELECT l.player_id, sum(CASE l.kind WHEN 'stake' THEN -l.amount ELSE l.amount END) AS amount
              FROM casino.ledger l
             WHERE l.round_id = money.round_id
             GROUP BY l.player_id) x
      JOIN casino.player p ON p.player_id = x.player_id $$;
SELECT t.alone(:wheel, :cyd, :dan, :eve, 'alone', '10', false) AS alone,
       t.alone(:wheel, :cyd, :dan, :eve, 'held', '12', true) AS held \gset
SELECT is(t.money(:alone), 'cyd 0.00, dan 100.00, eve -100.00', 'settled, the wagers of cyd void');
SELECT is(t.correct(:alone, NULL, '2026-03-04 13:00'), 'voided: 300.00 of 300.00', 'a correction voids all');
SELECT is(t.money(:alone), 'cyd 0.00, dan 0.00, eve 0.00', 'everybody has the stake');
SELECT is(t.correct(:alone, '{"number": 2}', '2026-03-04 14:00'), 'settled: 200.00 of 300.00',
          'R11.87: corrected to another result');
SELECT is(t.money(:alone), 'cyd 0.00, dan -100.00, eve 100.00',
          'R11.87: cyd keeps the stake, the others play');
SELECT is(t.correct(:alone, NULL, '2026-03-04 15:00'), 'voided: 300.00 of 300.00', '... void once more');
SELECT is(t.correct(:alone, '{"number": 1}', '2026-03-04 16:00'), 'settled: 400.00 of 300.00',
          'R11.87: ... and back');
SELECT is(t.money(:alone), 'cyd 0.00, dan 100.00, eve -100.00', 'R11.87: as it was settled first');
SELECT is((SELECT s.lost_day FROM casino.limit_state s WHERE s.player_id = :dan), -200.00,
          'R11.87: the counters of dan have 100 won here and 100 in the other round');
-- eve is withheld still: her stake goes back with the void, and is not taken again
SELECT is(t.correct(:held, NULL, '2026-03-04 13:00'), 'voided: 300.00 of 300.00', 'a correction voids it');
SELECT throws_ok(format('SELECT t.correct(%s, ''{"number": 1}'', ''2026-03-04 14:00'')', :held), 'KR002',
                 NULL, 'R11.87: a stake that went back with the void is not taken again');
RESET session_authorization;
SELECT is(t.money(:held), 'cyd 0.00, dan 0.00, eve 0.00', 'R11.87: everybody has the stake');
CREATE TEMP TABLE states AS SELECT s.* FROM casino.limit_state s;
SELECT casino.rebuild() \g /dev/null
SELECT is_empty('SELECT s::text FROM casino.limit_state s EXCEPT SELECT x::text FROM states x',
                'rebuild() finds the same counters');
CALL casino.reconcile('2026-03-01', '2026-03-04');
SELECT is((SELECT string_agg(d.check_name || ' ' || d.detail, '; ') FROM casino.difference d), NULL,
          'the books are clean');
SELECT * FROM finish();
