-- What a correction gives after the 30 days of D4 §11.1 (R11.37): a breach of the stake, once, on both sides
-- of the boundary, also over the change of the clock; deadline, late payments and the night agree.
-- tampers with the books
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE ROLE supervisor_of_late_1;
CREATE ROLE supervisor_of_late_2;
SELECT casino.grant_access(r, 'supervisor')
  FROM unnest('{supervisor_of_late_1,supervisor_of_late_2}'::name[]) r \g /dev/null
CREATE SCHEMA t;
GRANT USAGE ON SCHEMA t TO PUBLIC;
CREATE SEQUENCE t.serial;
SELECT casino.add_game_table('baccarat', 'B1', 10, 1000) \g /dev/null

-- cards by how a stake on the player ends: 9 against 8, 9 against 9, 8 against 9
CREATE FUNCTION t.cards(outcome text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE outcome WHEN 'won' THEN '{"player": "9h Kd", "banker": "8c Kd"}'::jsonb
                        WHEN 'pushed' THEN '{"player": "9h Kd", "banker": "9c Kd"}'
                        ELSE '{"player": "8h Kd", "banker": "9c Kd"}' END $$;
-- a round with one stake of 100 on the player: its number and that of its own player
CREATE FUNCTION t.round(since timestamptz, outcome text, withhold boolean DEFAULT false,
                        OUT r bigint, OUT p bigint) LANGUAGE plpgsql AS $$
BEGIN
    p := casino.register_player('p ' || nextval('t.serial'));
    PERFORM casino.deposit(p, 1000, at => '2026-01-01');
    r := casino.open_round((SELECT table_id FROM casino.game_table), 'r ' || currval('t.serial'), since);
    PERFORM casino.place_bet(r, p, 'player@100', at => since);
    PERFORM casino.settle_round(r, t.cards(outcome), since, withhold);
END $$;
CREATE FUNCTION t.correct(r bigint, outcome text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM set_config('session_authorization', 'supervisor_of_late_1', true);
    n := casino.correct_round(r, t.cards(outcome), 'misread', at);
    PERFORM set_config('session_authorization', 'supervisor_of_late_2', true);
    PERFORM casino.approve_correction(n, at), casino.approve_correction(n, at);
    PERFORM set_config('session_authorization', (SELECT rolname FROM pg_roles WHERE oid = 10), true);
END $$;
CREATE FUNCTION t.breaches(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(format('%s %s %s', b.rule, b.entry_no, b.detail ->> 'amount'), ', '), 'none')
      FROM casino.breach b WHERE b.player_id = p $$;
CREATE FUNCTION t.late(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', l.amount, l.ended, l.ended_entry_no), ', '), 'none')
      FROM casino.late_payment l WHERE l.player_id = p $$;
CREATE FUNCTION t.owed(p bigint, at timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(concat_ws(' ', d.what, d.amount, d.overdue), ', '), 'nothing')
      FROM casino.payment_deadline(at) d WHERE d.player_id = p $$;
-- findings of the night of the days, but for the late payment itself
CREATE FUNCTION t.night() RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(f.rule || ' ' || f.entry_no, ', ' ORDER BY f.player_id), 'nothing')
      FROM (SELECT * FROM casino_internal.check_correction('2026-01-01', '2026-12-31')
            UNION ALL SELECT * FROM casino_internal.check_winnings_overdue('2026-01-01', '2026-12-31')
                       WHERE rule <> 'overdue') f $$;

-- the 30th day counted on a calendar of 2026: evaluated at, the last instant in time, the first that is late
CREATE FUNCTION t.boundary(since timestamptz, last timestamptz, first timestamptz) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    a record; b record; c record; d record; e record;
BEGIN
    SELECT * INTO a FROM t.round(since, 'lost');
    SELECT * INTO b FROM t.round(since, 'pushed');
    SELECT * INTO c FROM t.round(since, 'lost', true);
    SELECT * INTO d FROM t.round(since, 'won', true);
    SELECT * INTO e FROM t.round(since, 'won');
    PERFORM t.correct(a.r, 'won', last);
    RETURN NEXT is(t.breaches(a.p), 'none',
                   format('R11.37: evaluated at %s: given at the last instant of the 30th day', since));
    -- taken in time, and given back too late
    PERFORM t.correct(e.r, 'lost', last);
    RETURN NEXT is(casino.record_overdue(last), 0::bigint, '... nothing is overdue');
    PERFORM t.correct(b.r, 'won', first);
    RETURN NEXT is(t.breaches(b.p), 'winnings_late 2 100.00',
                   '... one instant later the difference is a breach of its stake, however often approved');
    RETURN NEXT is((SELECT x.occurred_at FROM casino.breach x WHERE x.player_id = b.p), first,
                   '... dated when the deadline passed');
    RETURN NEXT is(t.late(b.p), '100.00 correction 4', '... late_payment: by the correction, entry 4');
    PERFORM t.correct(b.r, 'lost', first + interval '1 hour'),
            t.correct(b.r, 'won', first + interval '2 hours');
    RETURN NEXT is(t.breaches(b.p) || ' / ' || t.late(b.p), 'winnings_late 2 100.00 / 100.00 correction 4',
                   '... taken and given again: one breach, one late payment');
    PERFORM t.correct(e.r, 'won', first);
    RETURN NEXT is(t.breaches(e.p), 'winnings_late 2 200.00',
                   '... money taken in time and given late, too');
    -- withheld: corrected without posting
    RETURN NEXT is(casino.record_overdue(first), 1::bigint, '... the night: winnings that are withheld');
    RETURN NEXT is(t.breaches(d.p) || ' / ' || t.owed(d.p, first) || ' / ' || t.owed(c.p, first),
                   'winnings_late 2 200.00 / winnings 200.00 t / nothing',
                   '... and payment_deadline says the same');
    PERFORM t.correct(c.r, 'won', first + interval '3 hours'),
            t.correct(d.r, 'lost', first + interval '3 hours');
    RETURN NEXT is(t.owed(d.p, first + interval '4 hours') || ' / '
                       || t.owed(c.p, first + interval '4 hours'),
                   'nothing / winnings 200.00 t',
                   '... corrected too late without posting: overdue at once');
    RETURN NEXT is(casino.record_overdue(first + interval '4 hours'), 1::bigint,
                   '... the next night records it');
    RETURN NEXT is(casino.record_overdue(first + interval '4 hours'), 0::bigint, '... once');
    PERFORM casino.pay_withheld(c.r, first + interval '5 hours'),
            casino.pay_withheld(d.r, first + interval '5 hours');
    RETURN NEXT is(t.breaches(c.p) || ' / ' || t.late(c.p), 'winnings_late 2 200.00 / 200.00 payout 3',
                   '... and paid it stays one');
    RETURN NEXT is(t.breaches(d.p) || ' / ' || t.late(d.p), 'winnings_late 2 200.00 / 200.00 unpaid',
                   '... money owed then and not now stays a breach');
    RETURN NEXT is(casino.record_overdue(first + interval '1 day'), 0::bigint, '... nothing is left');
END $$;
SELECT t.boundary('2026-02-27 12:00', '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02');
SELECT t.boundary('2026-06-01 23:59:59.999999', '2026-07-01 23:59:59.999999+02', '2026-07-02 00:00+02');
SELECT t.boundary('2026-09-25 12:00', '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01');

-- the night: clean books, planted faults
SELECT is(t.night(), 'nothing', 'R11.37: clean books');
CREATE FUNCTION t.planted(fault text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    ALTER TABLE casino.breach DISABLE TRIGGER ALL;
    EXECUTE fault;
    SELECT string_agg(DISTINCT f.rule, ' ') || ' ' || count(*) INTO found
      FROM (SELECT * FROM casino_internal.check_correction('2026-01-01', '2026-12-31')
            UNION ALL SELECT * FROM casino_internal.check_winnings_overdue('2026-01-01', '2026-12-31')
                       WHERE rule <> 'overdue') f;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
    RETURN coalesce(found, 'nothing');
END $$;
-- of three evenings: two corrections too late of one wager, and a late payment of money withheld
SELECT is(t.planted($$ DELETE FROM casino.breach WHERE detail ->> 'amount' = '100.00' $$), 'unrecorded 6',
          'planted: corrections without their breach');
SELECT is(t.planted($$ DELETE FROM casino.breach b USING casino.round_correction c
                        WHERE c.round_id = (b.detail ->> 'round_id')::bigint
                          AND c.outcome_document = t.cards('won')
                          AND NOT EXISTS (SELECT FROM casino.ledger l
                                           WHERE l.round_id = c.round_id AND l.kind = 'correction') $$),
          'unrecorded 3', 'planted: winnings that were withheld and corrected without their breach');
SELECT * FROM finish();
