-- A round may be opened with the latest time of a stake: from then on betting is closed though nobody closed
-- it (R13.2 to R13.4).
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET search_path = public, casino, casino_internal;
SET casino.clock_skew = -1;
SELECT no_plan();
CREATE FUNCTION told(command text, OUT code text, OUT message text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    IF code = 'ZZZZZ' THEN code := 'ok'; END IF;
END $$;
CREATE FUNCTION verdict(command text) RETURNS text LANGUAGE sql AS 'SELECT (public.told(command)).code';
CREATE FUNCTION at(clock text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$ SELECT ('2026-06-01 ' || clock || ' Europe/Prague')::timestamptz $$;

SELECT add_game_table('roulette_synot', 'R', 1, 1000) AS r,
       add_game_table('roulette_american', 'S', 1, 1000) AS s,
       add_game_table('blackjack_synot', 'J', 10, 1000, '{"behind": true}') AS j,
       add_game_table('casino_holdem', 'C', 10, 1000) AS c, register_player('A') AS a,
       register_player('B') AS b \gset
SELECT deposit(p, 10000, 'd', at('09:00')) FROM unnest(ARRAY[:a, :b]) p \g /dev/null

-- ------------------------------------------------------------------------------------------------ opened so
SELECT is((t).code, wanted, what) FROM (VALUES
    ('not before it opens', '22023',
     format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => at('09:59:59'))$$, :r)),
    ('nor at that instant', '22023',
     format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => at('10:00'))$$, :r)),
    ('a time', '22008',
     format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => 'infinity')$$, :r)),
    ('a time', '22008',
     format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => '-infinity')$$, :r)),
    ('an instant later', 'ok',
     format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => at('10:00:00.000001'))$$, :r)),
    ('by a plain INSERT too', '23514',
     format($$INSERT INTO casino.round (round_id, table_id, table_version, round_ref, plan_id, status,
                                        opened_at, betting_until)
              SELECT 999, %s, 1, 'x', casino.plan_in_force('roulette_synot', now()), 'open', at('10:00'),
                     at('10:00')$$, :r))) v (what, wanted, c), told(c) t;
SELECT open_round(:r, 'r1', at('10:00'), betting_until => at('10:00:30')) AS r1 \gset
SELECT is(open_round(:r, 'r1', at('10:00'), betting_until => at('10:00:30')), :r1::bigint, 'the same again')
  FROM generate_series(1, 2);
SELECT is(verdict(format($$SELECT casino.open_round(%s, 'r1', at('10:00'), betting_until => %s)$$, :r, u)),
          'KR002', 'not with ' || u)
  FROM unnest(ARRAY[$$at('10:00:31')$$, 'NULL']) u;
SELECT open_round(:s, 's1', at('10:00')) AS s1 \gset
SELECT is(verdict(format($$SELECT casino.open_round(%s, 's1', at('10:00'), betting_until => at('10:01'))$$,
                         :s)),
          'KR002', 'one opened without gets none later');
SELECT is(verdict(format('UPDATE casino.round SET betting_until = %s WHERE round_id = %s', u, :r1)), 'KR002',
          'nor by UPDATE: ' || u)
  FROM unnest(ARRAY[$$at('11:00')$$, 'NULL']) u;
SELECT is((SELECT betting_until FROM casino.round WHERE round_id = :r1), at('10:00:30'),
          'it stands with the round');
SELECT is(game_recall(:r1) #>> '{times,betting_until}', to_jsonb(at('10:00:30')) #>> '{}',
          'and is recalled with it');
SELECT ok(EXISTS (SELECT FROM casino.evidence_layouts() WHERE section = 'round' AND field = 'betting_until'),
          'it is evidence');

-- ------------------------------------------------------------------- both sides, by the event's time (R13.2)
SELECT is(verdict(format(c, :r1, :a, t)), wanted, t || ' ' || left(c, 6))
  FROM unnest(ARRAY[$$SELECT casino.place_bet(%s, %s, 'red@10', at => at(%L))$$,
                    $$INSERT INTO casino.ledger (round_id, player_id, kind, bet, posted_at)
                      VALUES (%s, %s, 'stake', 'red@10', at(%L))$$]) c,
       (VALUES ('10:00:00', 'ok'), ('10:00:29.999999', 'ok'), ('10:00:30', 'KB001'),
               ('10:00:30.000001', 'KB001'), ('10:05', 'KB001')) v (t, wanted);
SELECT is((t).message || ': ' || (t).detail,
          format('betting of round %s is closed: It was open until 2026-06-01 10:00:30+02.', :r1), 'and why')
  FROM told(format($$SELECT casino.place_bet(%s, %s, 'red@10', at => at('10:00:30'))$$, :r1, :a)) t;
SELECT place_bet(:r1, :a, 'red@10', 'x', at => at('10:00:10')) AS stake \gset
SELECT is(place_bet(:r1, :a, 'red@10', 'x', at => at('10:05')), :stake::bigint,
          'a request known is answered later, too');
SELECT is(verdict(format('SELECT casino.try_place_bets(%s, %s, ''{red@10}'', ''t'', at => at(''10:00:30''))',
                         :r1, :a)),
          'ok', 'a refusal is kept');
-- what was staked is concluded: it goes back no more
SELECT is(verdict(format(c, t)), wanted, t || ' ' || substr(c, 1, 24))
  FROM (VALUES (format($$SELECT casino.cancel_bet(%s, %s, 'x', at(%%L))$$, :r1, :a), 'KB001'),
               (format($$INSERT INTO casino.ledger (round_id, player_id, kind, amount, stake_entry_no,
                                                    posted_at)
                         VALUES (%s, %s, 'refund', 10, %s, at(%%L))$$,
                       :r1, :a, :stake),
                'KL004')) v (c, late),
       LATERAL (VALUES ('10:00:29.999999', 'ok'), ('10:00:30', late), ('10:05', late)) w (t, wanted);
SELECT is(disconnect(:r1, :a, at('10:00:30')), '{}', 'who is disconnected then has his stake there');
SELECT is((SELECT count(*) FROM casino.disconnection WHERE player_id = :a AND round_id = :r1), 1::bigint,
          'and it is recorded');
BEGIN;
SELECT is(exclude_player(:a, NULL, 'operator', at('10:00:29')) > 0, true, 'who is excluded before');
SELECT is((SELECT reason FROM casino.ledger WHERE round_id = :r1 AND kind = 'refund'), 'excluded',
          'gets his stake back');
ROLLBACK;
SELECT exclude_player(:a, NULL, 'operator', at('10:00:30')) \g /dev/null
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :r1 AND kind = 'refund'), 0::bigint,
          'who is excluded then has it there');
SELECT end_exclusion(:a, 1, 'test', at('10:00:40')) \g /dev/null
SELECT is((SELECT string_agg(o.status, ' ' ORDER BY t)
             FROM unnest(ARRAY['10:00:29', '10:00:30']) t, open_rounds(at(t)) o
            WHERE o.round_id = :r1),
          'open closed', 'so it looks to who watches the tables');

-- closed before, after, never
SELECT close_betting(:r1, at('10:00:20')) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r1), at('10:00:20'),
          'closed before that time');
SELECT settle_round(:r1, '{"number": 1}', at('10:01')) \g /dev/null
SELECT open_round(:r, 'r2', at('11:00'), betting_until => at('11:00:30')) AS r2 \gset
SELECT place_bet(:r2, :a, 'red@10', at => at('11:00:29')) \g /dev/null
SELECT is(settled.paid, 20.00, 'settled without a close')
  FROM settle_round(:r2, '{"number": 1}', at('11:01')) settled;
-- voided after it (R13.3): evaluated for the duties (the stricter reading), voided before it: never placed
CREATE FUNCTION sequence_of(p bigint)
RETURNS timestamptz
LANGUAGE sql AS 'SELECT sequence_started_at FROM casino.player WHERE player_id = p';
SELECT open_round(:r, 'r3', at('12:00'), betting_until => at('12:00:30')) AS r3 \gset
SELECT place_bet(:r3, :a, 'red@10', at => at('12:00:10')) \g /dev/null
BEGIN;
SELECT void_round(:r3, 'test', at('12:00:29.999999')) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r3), NULL,
          'voided before: never closed');
SELECT isnt(sequence_of(:a), at('12:00:10'), 'his stake started no sequence');
ROLLBACK;
SELECT void_round(:r3, 'test', at('12:00:30')) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r3), at('12:00:30'),
          'voided then: closed by its clock');
SELECT is(sequence_of(:a), at('12:00:10'), 'his stake started one');
SELECT is((SELECT max(started_at) FROM casino.betting_sequence WHERE player_id = :a), at('12:00:10'),
          'recomputed it is the same');

-- decisions are not betting (R13.4)
SELECT open_round(:c, 'c1', at('13:00'), betting_until => at('13:00:30')) AS c1 \gset
SELECT place_bet(:c1, :a, 'ante@100', at => at('13:00:10')) \g /dev/null
SELECT is(verdict(format($$SELECT casino.place_bet(%s, %s, 'call@200', at => at('13:00:40'))$$, :c1, :a)),
          'KB001', 'no call while nobody has closed betting');
SELECT close_betting(:c1, at('13:00:30')),
       deal(:c1, '{"player": "As Ks", "board": "Qs Js 9s"}', at('13:00:35')) \g /dev/null
SELECT is(verdict(format($$SELECT casino.place_bet(%s, %s, 'call@200', at => at('13:00:40'))$$, :c1, :a)),
          'ok', 'closed at last, it is in time');
SELECT is(verdict(format($$SELECT casino.place_bet(%s, %s, 'ante@100', at => at('13:00:40'))$$, :c1, :b)),
          'KB001', 'an ante is not');
SELECT void_round(:c1, 'test', at('13:01')) \g /dev/null
-- bets behind go back with the main before, stay after
SELECT open_round(:j, 'j1', at('14:00'), betting_until => at('14:00:30')) AS j1 \gset
SELECT place_bet(:j1, :a, 'main@100', 'm', 1, at => at('14:00:10')),
       place_bet(:j1, :b, 'behind@100', 'b', 1, at => at('14:00:11')) \g /dev/null
SELECT is(verdict(format($$SELECT casino.cancel_bet(%s, %s, 'm', at('14:00:30'))$$, :j1, :a)), 'KB001',
          'a main that others bet behind stays, too');
SELECT is(disconnect(:j1, :a, at('14:00:31')), '{}', 'whoever leaves');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :j1 AND kind = 'refund'), 0::bigint,
          'nothing went back');
SELECT void_round(:j1, 'test', at('14:01')) \g /dev/null

-- a round past it and not evaluated is stuck as one that was closed
SELECT open_round(:r, 'r4', at('15:00'), betting_until => at('15:00:30')) AS r4 \gset
SELECT results_eq($$SELECT rule, round_id, expected
                      FROM casino_internal.check_round_stuck('2026-06-01', '2026-06-01')$$,
                  format($$VALUES ('unevaluated', %s::bigint, 'a result by 2026-06-01 16:00:30+02')$$, :r4),
                  'a round without a result is found though nobody closed it');
SELECT results_eq($$SELECT status, betting_closed_at
                      FROM casino.open_rounds(at('15:00:30')) WHERE round_ref = 'r4'$$,
                  $$VALUES ('closed', at('15:00:30'))$$,
                  'nor is it open: betting ended at betting_until');
SELECT results_eq($$SELECT status, betting_closed_at
                      FROM casino.open_rounds(at('15:00:30') - interval '1 microsecond')
                     WHERE round_ref = 'r4'$$,
                  $$VALUES ('open', NULL::timestamptz)$$, 'an instant before it is open');
-- settled by a call that closes it, too: an hour after betting_until is in time, an instant later is not
BEGIN;
SELECT settle_round(:r4, '{"number": 5}', at('16:00:30')) \g /dev/null
SELECT is_empty($$SELECT * FROM casino_internal.check_round_stuck('2026-06-01', '2026-06-01')$$,
                'a result an hour after betting_until');
ROLLBACK;
BEGIN;
SELECT settle_round(:r4, '{"number": 5}', at('16:00:30') + interval '1 microsecond') \g /dev/null
SELECT results_eq($$SELECT rule, round_id, expected, found
                      FROM casino_internal.check_round_stuck('2026-06-01', '2026-06-01')$$,
                  format($$VALUES ('late', %s::bigint, 'a result by 2026-06-01 16:00:30+02',
                                   '2026-06-01 16:00:30.000001+02')$$, :r4),
                  'a result that came later than an hour after betting_until, though nobody closed betting');
ROLLBACK;
SELECT void_round(:r4, 'test', at('15:01')) \g /dev/null
SELECT is_empty($$SELECT * FROM casino_internal.check_round_stuck('2026-06-01', '2026-06-01')$$,
                'ended it is none');

-- the night sees what passed all this
SELECT is_empty($$SELECT * FROM casino_internal.check_late_stake('2026-06-01', '2026-06-01')$$,
                'clean books');
BEGIN;
ALTER TABLE casino.round DISABLE TRIGGER USER;
UPDATE casino.round SET betting_until = at('11:00:29') WHERE round_id = :r2;
SELECT results_eq($$SELECT rule, round_id, expected
                      FROM casino_internal.check_late_stake('2026-06-01', '2026-06-01')$$,
                  format($$VALUES ('after_until', %s::bigint, 'before 2026-06-01 11:00:29+02')$$, :r2),
                  'a stake at that instant is found');
ROLLBACK;

-- ------------------------------------------------------------------------------------------ and by the clock
-- an hour of clock_skew: however long this machine takes, the times below are within it
SET casino.clock_skew = '1 h';
SELECT deposit(register_player('K'), 1000, at => clock_timestamp() - interval '50 min') \g /dev/null
SELECT register_player('K') AS k \gset
SELECT open_round(:s, 's1') AS was,
       void_round(:s1, 'test', clock_timestamp() - interval '40 min') \g /dev/null
SELECT open_round(:s, 's2', clock_timestamp() - interval '30 min',
                  betting_until => clock_timestamp() + interval '1 h') AS s2 \gset
SELECT lives_ok(format($$SELECT casino.place_bet(%s, %s, 'red@10', 'x',
                                                 at => clock_timestamp() - interval '20 min')$$,
                       :s2, :k),
                'in time');
SELECT lives_ok(format($$INSERT INTO casino.ledger (round_id, player_id, kind, bet, request_id, posted_at)
                         VALUES (%s, %s, 'stake', 'black@10', 'y', clock_timestamp() - interval '20 min')$$,
                                :s2, :k), 'by a plain INSERT too');
-- the time comes
ALTER TABLE casino.round DISABLE TRIGGER USER;
UPDATE casino.round
   SET betting_until = clock_timestamp() - interval '10 min'
 WHERE round_id = :s2
RETURNING betting_until AS until \gset
ALTER TABLE casino.round ENABLE TRIGGER USER;
SELECT is(verdict(format(c, :s2, :k)), wanted, c)
  FROM (VALUES ($$SELECT casino.place_bet(%s, %s, 'red@10')$$, 'KB001'),
               ($$SELECT casino.place_bet(%s, %s, 'red@10', at => clock_timestamp() - interval '45 min')$$,
                'KL005'),
               ($$SELECT casino.cancel_bet(%s, %s, 'x')$$, 'KB001'),
               ($$INSERT INTO casino.ledger (round_id, player_id, kind, bet)
                  VALUES (%s, %s, 'stake', 'red@10')$$,
                'KB001')) v (c, wanted);
SELECT deposit(register_player('L'), 1000, at => clock_timestamp() - interval '40 min') \g /dev/null
-- dated back within casino.clock_skew, to before that time
SELECT is(verdict(format(c, :s2, register_player('L'), :'until')), 'KB001',
          'the clock decides, not what the event is dated: ' || left(c, 6))
  FROM unnest(ARRAY[$$SELECT casino.place_bet(%s, %s, 'red@10',
                                              at => %L::timestamptz - interval '0.1 seconds')$$,
                    $$INSERT INTO casino.ledger (round_id, player_id, kind, bet, posted_at)
                      VALUES (%s, %s, 'stake', 'red@10', %L::timestamptz - interval '0.1 seconds')$$]) c;
SELECT is(verdict(format($$SELECT casino.cancel_bet(%s, %s, 'x', %L::timestamptz - interval '0.1 seconds')$$,
                         :s2, :k, :'until')),
          'KB001', 'of what goes back too');
SELECT is(disconnect(:s2, :k), '{}', 'who is disconnected has his stake there');
SELECT is(exclude_player(:k, NULL, 'operator', :'until'::timestamptz - interval '0.1 seconds'), 1,
          'so has who is excluded');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :s2 AND kind = 'refund'), 0::bigint,
          'nothing went back');
SELECT is((wagers, staked, paid), (2::bigint, 20.00, 20.00), 'they are settled with all others')
  FROM settle_round(:s2, '{"number": 1}');

-- a call without a time comes after the player's last entry, which may be dated ahead: chips that would go
-- back at betting_until or later stay, as after the end (R13.35)
SELECT clock_timestamp() + interval '30 min' AS ends \gset
-- a round at a table of its own until then; the player's last entry is dated
CREATE FUNCTION staked_ahead(name text, last_entry timestamptz, ends timestamptz,
                             OUT r bigint, OUT p bigint) LANGUAGE plpgsql AS $$
BEGIN
    r := casino.open_round(casino.add_game_table('roulette_synot', name, 10, 1000), name,
                           betting_until => ends);
    p := casino.register_player(name);
    PERFORM casino.deposit(p, 100), casino.place_bet(r, p, 'red@10', 'k');
    PERFORM casino.deposit(p, 100, at => last_entry);
END $$;
CREATE TABLE ahead AS
    SELECT v.call, w.shift,
           format(v.command, x.r, x.p, clock_timestamp() + interval '1 min') AS command, x.r, x.p, v.why
      FROM (VALUES ('exclude_player()', 'SELECT casino.exclude_player(%2$s, NULL, ''operator'')', 'excluded'),
                   ('exclude_player() at a time', 'SELECT casino.exclude_player(%2$s, NULL, ''self'', %3$L)',
                    'excluded'),
                   ('the panic button', 'SELECT casino.exclude_player(%2$s, NULL, ''panic_button'')',
                    'excluded'),
                   ('the register', 'SELECT casino.record_register_check(%2$s, ''excluded'')', 'excluded'),
                   ('disconnect()', 'SELECT casino.disconnect(%1$s, %2$s)', 'disconnected'))
           v (call, command, why),
           (VALUES (interval '-1 microsecond'), ('0'), ('1 microsecond')) w (shift),
           LATERAL staked_ahead(v.call || w.shift, :'ends'::timestamptz + w.shift, :'ends') x;
SELECT lives_ok(command, call || ': last entry dated ' || shift || ' from betting_until')
  FROM ahead
 ORDER BY call, shift;
SELECT lives_ok(command, '... and again')
  FROM ahead
 WHERE call <> 'exclude_player() at a time'
 ORDER BY call, shift;
SELECT is((SELECT string_agg(concat_ws(' ', l.reason, l.posted_at - :'ends'), ', ') FROM casino.ledger l
            WHERE l.round_id = r AND l.kind = 'refund'),
          CASE WHEN shift < interval '0' THEN why || ' -00:00:00.000001' END,
          'R13.35: ' || call || ': chips go back before betting_until, and stay from then on: ' || shift)
  FROM ahead
 ORDER BY call, shift;
SELECT is((SELECT string_agg((d.disconnected_at - :'ends')::text, ', ') FROM casino.disconnection d
            WHERE d.round_id = r),
          shift::text, 'R13.35: a disconnection is dated with the last entry: ' || shift)
  FROM ahead
 WHERE call = 'disconnect()'
 ORDER BY shift;
-- bets behind go back with the main bet that they are behind, though their player's last entry is dated later
CREATE FUNCTION behind_ahead(name text, ends timestamptz, OUT r bigint, OUT p bigint, OUT q bigint)
LANGUAGE plpgsql AS $$
BEGIN
    r := casino.open_round(casino.add_game_table('blackjack_synot', name, 10, 1000, '{"behind": true}'), name,
                           betting_until => ends);
    p := casino.register_player(name);
    q := casino.register_player(name || ', behind');
    PERFORM casino.deposit(x, 100) FROM unnest(ARRAY[p, q]) x;
    PERFORM casino.place_bet(r, p, 'main@10', 'k', 1), casino.place_bet(r, q, 'behind@10', 'k', 1);
    PERFORM casino.deposit(q, 100, at => ends);
END $$;
CREATE TABLE followed AS
    SELECT v.call, format(v.command, x.r, x.p) AS command, x.r, x.p, x.q, v.why
      FROM (VALUES ('exclude_player()', 'SELECT casino.exclude_player(%2$s, NULL, ''operator'')',
                    'excluded, cancelled'),
                   ('cancel_bet()', 'SELECT casino.cancel_bet(%1$s, %2$s, ''k'')', 'cancelled, cancelled'),
                   ('disconnect()', 'SELECT casino.disconnect(%1$s, %2$s)', 'disconnected, disconnected'))
           v (call, command, why),
           LATERAL behind_ahead(v.call, :'ends') x;
SELECT lives_ok(command, call || ' of a box behind which somebody bets whose last entry is ahead')
  FROM followed, generate_series(1, 2)
 ORDER BY call;
SELECT is((SELECT string_agg(l.reason, ', ' ORDER BY l.player_id) FROM casino.ledger l
            WHERE l.round_id = r AND l.kind = 'refund'),
          why, 'R13.35: ' || call || ' returns the bet behind, too')
  FROM followed
 ORDER BY call;
SELECT is((SELECT count(*) FROM casino.ledger l
            WHERE l.player_id = q AND l.kind = 'refund' AND l.posted_at = :'ends'),
          1::bigint, '... dated with the last entry of its player')
  FROM followed
 ORDER BY call;
-- who excludes the one behind alone takes nothing back
SELECT r AS alone, q AS second FROM behind_ahead('alone', :'ends') \gset
SELECT casino.exclude_player(:second, NULL, 'self') \g /dev/null
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :alone AND kind = 'refund'), 0::bigint,
          'R13.35: a bet behind stays where its player is excluded and the main bet stays');
CREATE TABLE these AS
    SELECT r, p FROM ahead UNION ALL SELECT r, p FROM followed UNION ALL SELECT r, q FROM followed
    UNION ALL VALUES (:alone, :second);
CREATE FUNCTION differences_of_these() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT DISTINCT concat_ws(' ', d.check_name, d.rule, d.detail)
      FROM casino.check_days((clock_timestamp() - interval '1 h')::date,
                             (clock_timestamp() + interval '1 h')::date) d
     WHERE d.check_name IN ('refund', 'late_stake', 'record')
       AND (d.round_id IN (SELECT t.r FROM public.these t) OR d.player_id IN (SELECT t.p FROM public.these t))
$$;
SELECT is_empty('SELECT differences_of_these()', 'R13.35: no difference while betting has not ended');
-- the end becomes known, at a time of before the refunds of the bets behind
SELECT casino.close_betting(r, :'ends'::timestamptz - interval '1 microsecond')
  FROM (SELECT DISTINCT t.r FROM these t) t \g /dev/null
SELECT is_empty('SELECT differences_of_these()', 'R13.35: ... nor after it');
SELECT is((SELECT count(*) FROM casino.breach b WHERE b.player_id IN (SELECT t.p FROM these t)), 0::bigint,
          'R13.35: ... and no breach');
-- a bet that came after the main bet had gone back, to another one: it is taken back after the end
SELECT casino.open_round(casino.add_game_table('blackjack_synot', 'second', 10, 1000, '{"behind": true}'),
                         'second') AS again, casino.register_player('main, twice') AS twice,
       casino.register_player('behind the second') AS follower \gset
SELECT casino.deposit(x, 100) FROM unnest(ARRAY[:twice, :follower]) x \g /dev/null
SELECT casino.place_bet(:again, :twice, 'main@10', 'm1', 1) \g /dev/null
SELECT casino.cancel_bet(:again, :twice, 'm1') \g /dev/null
SELECT casino.place_bet(:again, :twice, 'main@10', 'm2', 1) \g /dev/null
SELECT casino.place_bet(:again, :follower, 'behind@10', 'b1', 1) AS behind_no \gset
SELECT clock_timestamp() AS over \gset
SELECT casino.cancel_bet(:again, :follower, 'b1') \g /dev/null
SELECT casino.close_betting(:again, :'over') \g /dev/null
SELECT is((SELECT string_agg(b.rule || ' ' || b.entry_no, ', ') FROM casino.breach b
            WHERE b.player_id = :follower),
          'taken_back_late ' || :behind_no,
          'R13.35: a main bet that had gone back before the bet behind came excuses nothing');
SELECT is((SELECT string_agg(f.rule, ', ')
             FROM casino_internal.check_late_stake((clock_timestamp() - interval '1 h')::date,
                                                   (clock_timestamp() + interval '1 h')::date) f
            WHERE f.player_id = :follower), 'taken_back_late', 'R13.35: ... and the night names it');
-- planted: the main bet went back at betting_until, or not with the bet behind
BEGIN;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE casino.ledger l SET posted_at = :'ends'
  FROM followed o
 WHERE l.round_id = o.r AND l.player_id = o.p AND l.kind = 'refund' AND o.call = 'cancel_bet()';
SELECT string_agg(concat_ws(' ', f.rule, f.player_id = o.p), ', ' ORDER BY f.rule, f.player_id) AS found
  FROM followed o,
       LATERAL (SELECT * FROM casino_internal.check_refund(:'ends'::date, :'ends'::date)
                UNION ALL
                SELECT * FROM casino_internal.check_late_stake(:'ends'::date, :'ends'::date)) f
 WHERE o.call = 'cancel_bet()' AND f.round_id = o.r \gset
ROLLBACK;
SELECT is(:'found'::text, 'after_close t, after_close f, taken_back_late t, taken_back_late f',
          'R13.35: a main bet that went back at betting_until is found, and so is the bet behind it');
BEGIN;
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE casino.ledger l SET recorded_at = b.recorded_at - w.shift
  FROM followed o,
       casino.ledger b,
       (VALUES ('disconnect()', interval '-1 minute'), ('exclude_player()', '1 minute'),
               ('cancel_bet()', '60.000001 s')) w (call, shift)
 WHERE l.round_id = o.r AND l.player_id = o.p AND l.kind = 'refund' AND o.call = w.call
   AND b.round_id = o.r AND b.player_id = o.q AND b.kind = 'refund';
UPDATE casino.ledger s SET recorded_at = s.recorded_at - interval '2 minutes'
  FROM followed o
 WHERE s.round_id = o.r AND s.player_id = o.q AND s.kind = 'stake';
SELECT string_agg(concat_ws(' ', f.rule, o.call), ', ' ORDER BY f.rule) AS found
  FROM followed o,
       LATERAL (SELECT * FROM casino_internal.check_refund(:'ends'::date, :'ends'::date)
                UNION ALL
                SELECT * FROM casino_internal.check_late_stake(:'ends'::date, :'ends'::date)) f
 WHERE f.round_id = o.r \gset
ROLLBACK;
SELECT is(:'found'::text, 'after_close cancel_bet(), taken_back_late cancel_bet()',
          'R13.35: a bet behind that was not returned with the main bet, to a minute, is found');
SELECT * FROM finish();
