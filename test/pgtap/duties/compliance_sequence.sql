-- D4 §8: the one live table (§8.2) and the break after a betting sequence (§8.3 to §8.6), on both sides of
-- each boundary; every verdict through place_bet() and through a plain INSERT, which must agree.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE TABLE t.who (name text PRIMARY KEY, p bigint NOT NULL);
CREATE FUNCTION t.p(name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE id bigint;
BEGIN
    SELECT w.p INTO id FROM t.who w WHERE w.name = p.name;
    IF id IS NULL THEN
        id := t.player();
        INSERT INTO t.who VALUES (p.name, id);
    END IF;
    RETURN id;
END $$;
CREATE FUNCTION t.started(name text) RETURNS timestamptz LANGUAGE sql AS
    'SELECT sequence_started_at FROM casino.player WHERE player_id = t.p(name)';
-- ends what lies on a table, so that the next paragraph finds it free
CREATE FUNCTION t.sweep() RETURNS void LANGUAGE sql AS $$
    SELECT casino.void_round(round_id, 'swept', opened_at) FROM casino.round
     WHERE status IN ('open', 'closed') $$;
-- explain_break() at each instant equals what a stake at that instant gets (R7.6)
CREATE FUNCTION t.explains(name text, state text,
                           VARIADIC moments text[]) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is(t.explained(t.p(name), m), t.may(t.p(name), 'A1', m),
              format('explain_break is what a stake gets: %s, at %s', state, m))
      FROM unnest(moments) m $$;

-- ---------------------------------------------------------------- §8.3, §8.6: length of the sequence (R7.8)
SELECT t.run(t.p('120:00'), t.at('10:00'), '120 minutes') \g /dev/null
SELECT t.run(t.p('119:59'), t.at('10:00'), '119 minutes 59.999999 seconds') \g /dev/null
SELECT t.run(t.p('121:00'), t.at('10:00'), '121 minutes') \g /dev/null
SELECT t.play(t.p('one long round'), 'S1', '10:00', '12:00') \g /dev/null
SELECT t.play(t.p('one long round less'), 'S1', '10:00', '11:59:59.999999') \g /dev/null
SELECT is(t.may(t.p('120:00'), 'S1', '12:00:00'), 'KC001',
          '§8.3: a sequence of exactly 120:00 needs a break, at once');
SELECT is(t.may(t.p('119:59'), 'S1', '12:00:00'), 'ok', '§8.3: a sequence of 119:59.999999 needs none');
SELECT is(t.may(t.p('119:59'), 'S1', '12:14:59.999998'), 'ok', '§8.3: nor later, within 15 minutes');
SELECT is(t.may(t.p('121:00'), 'S1', '12:01:00'), 'KC001', '§8.3: one of 121 minutes does');
SELECT is(t.may(t.p('one long round'), 'S1', '12:00:00'), 'KC001',
          '§8.6: one round of 120 minutes is a sequence of 120 minutes');
SELECT is(t.may(t.p('one long round less'), 'S1', '12:00:00'), 'ok',
          '§8.6: one round a microsecond shorter is not');

-- ---------------------------------------------------------------- §8.3, §8.5: the gap (R7.7)
SELECT is(t.may(t.p('120:00'), 'S1', '12:14:59.999999'), 'KC001',
          '§8.3: 14:59.999999 after the last evaluation the break is not over');
SELECT is(t.may(t.p('120:00'), 'S1', '12:15:00'), 'ok', '§8.3: 15:00 after the last evaluation it is');
SELECT is(t.may(t.p('121:00'), 'S1', '12:15:59.999999'), 'KC001',
          '§8.3: the break runs from the evaluation, not from the 120th minute');
SELECT is(t.may(t.p('121:00'), 'S1', '12:16:00'), 'ok', '§8.3: and ends 15 minutes after it');
SELECT t.run(t.p('gap 14:59'), t.at('10:00'), '100 minutes'),
    t.stake(t.p('gap 14:59'), 'S1', '11:54:59.999999') \g /dev/null
SELECT is(t.started('gap 14:59'), t.at('10:00'),
          '§8.5: a stake 14:59.999999 after the last evaluation goes on with the sequence');
SELECT t.settle('S1', '12:00:00') \g /dev/null
SELECT is(t.may(t.p('gap 14:59'), 'S1', '12:00:01'), 'KC001', '§8.5: ... which then is 120 minutes long');
SELECT t.run(t.p('gap 15:00'), t.at('10:00'), '100 minutes'),
    t.stake(t.p('gap 15:00'), 'S1', '11:55:00') \g /dev/null
SELECT is(t.started('gap 15:00'), t.at('11:55'),
          '§8.5: a stake 15:00 after the last evaluation starts a new sequence');
SELECT t.settle('S1', '12:00:00') \g /dev/null
SELECT is(t.may(t.p('gap 15:00'), 'S1', '12:00:01'), 'ok', '§8.5: ... and the old one no longer counts');
SELECT is((SELECT array_agg(format('%s %s %s', started_at::time, length, break_due) ORDER BY sequence_no)
           FROM casino.betting_sequence
            WHERE player_id = t.p('gap 15:00')),
          ARRAY['10:00:00 01:40:00 f', '11:55:00 00:05:00 f'],
              '§8.5, §8.6: betting_sequence shows both sequences');
SELECT is((SELECT format('%s %s %s %s', length, break_due, rounds, ends_at::time) FROM casino.betting_sequence
           WHERE player_id = t.p('120:00')),
          '02:00:00 t 9 12:15:00', '§8.3: betting_sequence shows the break that is due and when it ends');
SELECT t.stake(t.p('120:00'), 'S1', '12:15:00') \g /dev/null
SELECT is(t.started('120:00'), t.at('12:15'), '§8.3: the first stake after the break starts a new sequence');
SELECT t.settle('S1', '12:20') \g /dev/null
SELECT is(t.may(t.p('120:00'), 'S1', '12:20:01'), 'ok', '§8.3: ... of its own length');

-- ---------------------------------------------------------------- KC001 says when
SELECT is(t.detail(format('SELECT t.stake(%s, ''S1'', ''12:07'')', t.p('121:00'))),
          'His betting sequence since 2026-06-01 10:00:00+02 was 121:00 minutes long at the last evaluation '
          'at 2026-06-01 12:01:00+02; '
          'allowed again at 2026-06-01 12:16:00+02 (D4 §8.3).',
              '§8.3: the DETAIL of KC001 has since, length, last evaluation, allowed again at');
SELECT t.run(t.p('odd times'), t.at('10:00:00.123457'), '133 minutes 7.654321 seconds') \g /dev/null
CREATE FUNCTION t.allowed_again(name text, at text) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT substring(t.detail(format('SELECT t.stake(%s, ''S1'', %L)', t.p(name), at))
                     FROM 'allowed again at ([^(]*) \(')::timestamptz $$;
SELECT is(t.allowed_again('odd times', '12:20'), t.at('12:28:07.777778'),
          '§8.3: "allowed again at" is exact to the microsecond');
SELECT is(t.may(t.p('odd times'), 'S1', (t.allowed_again('odd times',
                                                         '12:20') - interval '1 microsecond')::text), 'KC001',
          '§8.3: a microsecond before "allowed again at" he may not');
SELECT is(t.may(t.p('odd times'), 'S1', t.allowed_again('odd times', '12:20')::text), 'ok',
          '§8.3: at "allowed again at" he may');

-- -------------------------------------------------------------- §8.4: what he has begun he may finish (R7.9)
SELECT t.run(t.p('121st minute'), t.at('10:00'), '119 minutes'),
    t.stake(t.p('121st minute'), 'S1', '12:00:00', request => 'first') \g /dev/null
SELECT is(t.may(t.p('121st minute'), 'S1', '12:00:30'), 'ok',
          '§8.4: more chips in the 121st minute, into the round joined before');
SELECT is(t.may(t.p('121st minute'), 'S1', '14:00'), 'ok', '§8.4: ... however long it lasts');
SELECT lives_ok(format('SELECT t.stake(%s, ''S1'', ''12:00:45'', 25)', t.p('121st minute')),
                '§8.4: they are accepted');
SELECT lives_ok(format('SELECT casino.place_bets(t.round(''S1'', ''12:01''), %s, ''{red@1,black@2,odd@3}'',
                                                 at => t.at(''12:01''))',
                       t.p('121st minute')),
                '§8.4: several bets together too');
SELECT is(t.started('121st minute'), t.at('10:00'), '§8.4: and change nothing of the sequence');
SELECT t.settle('S1', '12:02') \g /dev/null
SELECT is(t.may(t.p('121st minute'), 'S1', '12:03'), 'KC001', '§8.3: the next round is refused');
SELECT t.stake(t.p('first round is long'), 'S1', '10:00') \g /dev/null
SELECT is(t.may(t.p('first round is long'), 'S1', '12:30'), 'ok',
          '§8.4: 150 minutes in his first round he may still add chips');
SELECT t.sweep() \g /dev/null
-- decisions in the 121st minute: through place_bet() and through INSERT; afterwards a new round is refused
SELECT casino.add_game_table('blackjack_synot', 'J1', 10, 1000),
    casino.add_game_table('casino_holdem', 'H1', 10, 1000) \g /dev/null
CREATE FUNCTION t.decide(p bigint, r bigint, bet text, seat integer, hand integer,
                         at text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    placed text := t.verdict(format('SELECT casino.place_bet(%s, %s, %L, NULL, %L, %L, %L)', r, p, bet, seat,
                                    hand, t.at(decide.at)));
    inserted text := t.verdict(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat, hand,
                                                                  posted_at)
                                       VALUES (%s, ''stake'', %s, %L, %L, %L, %L)',
                                      p, r, bet, seat, hand, t.at(decide.at)));
BEGIN
    RETURN CASE WHEN placed = inserted THEN placed
        ELSE format('place_bet %s, INSERT %s', placed, inserted) END;
END $$;
CREATE TABLE t.late AS SELECT t.p('decides late') AS p, t.p('calls late') AS c, NULL::bigint AS j,
    NULL::bigint AS h;
SELECT t.run(p, t.at('10:00'), '119 minutes 59 seconds'),
    t.run(c, t.at('10:00'), '119 minutes 59 seconds', '{E1}') FROM t.late \g /dev/null
UPDATE t.late SET j = t.round('J1', '12:00'), h = t.round('H1', '12:00');
SELECT casino.place_bet(j, p, 'main@100', NULL, 1, NULL, t.at('12:00')),
    casino.place_bet(h, c, 'ante@100', NULL, NULL, NULL, t.at('12:00')) FROM t.late \g /dev/null
SELECT casino.close_betting(j, t.at('12:00:10')), casino.close_betting(h, t.at('12:00:10'))
  FROM t.late \g /dev/null
SELECT casino.deal(j, '{"dealer": "Ah", "hands": [{"seat": 1, "cards": "8c 8d"}]}', t.at('12:00:20'))
  FROM t.late \g /dev/null
SELECT is(t.decide(p, j, bet, 1, hand, '12:00:30'), 'ok', '§8.4: a decision in the 121st minute, ' || bet)
  FROM t.late, (VALUES ('double_down@100', NULL), ('split_pair@100', 2), ('insurance@50', NULL)) v (bet,
          hand);
SELECT casino.place_bet(j, p, 'split_pair@100', NULL, 1, 2, t.at('12:00:30')) > 0 FROM t.late \g /dev/null
SELECT casino.deal(j,
                   '{"dealer": "Ah", "hands": [{"seat": 1, "hand": 1, "cards": "8c 3s"}, '
                   '{"seat": 1, "hand": 2, "cards": "8d 2c"}]}',
                   t.at('12:00:40')) FROM t.late \g /dev/null
SELECT is(t.decide(p, j, 'double_down@100', 1, hand, '12:00:50'), 'ok',
          format('§8.4: a double on hand %s after the split, in the 121st minute', hand))
              FROM t.late, generate_series(1, 2) hand;
SELECT is(t.decide(c, h, 'call@200', NULL, NULL, '12:00:30'), 'ok', '§8.4: a call in the 121st minute')
  FROM t.late;
SELECT is(t.decide(c, h, 'call@200', NULL, NULL, '13:30'), 'ok', '§8.4: ... or the 211th') FROM t.late;
SELECT is((t.started('decides late'), t.started('calls late')), (t.at('10:00'), t.at('10:00')),
          '§8.4: they change nothing of the sequences');
SELECT casino.settle_round(j,
                           '{"dealer": "Ah 9c", "hands": [{"seat": 1, "hand": 1, "cards": "8c 3s Td"}, '
                           '{"seat": 1, "hand": 2, "cards": "8d 2c Th"}]}',
                           t.at('12:01:00')),
       casino.settle_round(h, '{"player": "As Ks", "board": "Qs Js 2d", "dealer": "4h 4d"}', t.at('12:01:00'))
           FROM t.late \g /dev/null
SELECT is(t.may(t.p(who), 'S1', '12:01:30'), 'KC001', format('§8.3: who %s is refused the next round', who))
  FROM unnest('{decides late,calls late}'::text[]) who;
SELECT t.sweep() \g /dev/null

-- ---------------------------------------------------------------- §8.5: all live games of the operator
SELECT t.run(t.p('all tables'), t.at('10:00'), '120 minutes', '{S1,E1,A1,B1}') \g /dev/null
SELECT is(t.may(t.p('all tables'), name, '12:01'), 'KC001',
          '§8.5: the sequence goes over providers; refused at ' || name)
  FROM unnest('{S1,S2,E1,A1,B1}'::text[]) name;
SELECT is((SELECT count(DISTINCT l.table_id) FROM casino.live_participation l
           WHERE l.player_id = t.p('all tables')), 4::bigint,
          '§8.5: four tables, one sequence');
SELECT is(t.may(t.p('all tables'), name, '12:15'), 'ok', '§8.3: after the break he may at ' || name)
  FROM unnest('{S1,S2,E1,A1,B1}'::text[]) name;

-- ---------------------------------------------------------------- midnight, month, DST
SELECT t.run(t.p('midnight'), t.at('2026-06-30 23:00'), '120 minutes', '{S1,A1}') \g /dev/null
SELECT is(t.may(t.p('midnight'), 'E1', '2026-07-01 01:14:59.999999'), 'KC001',
          '§8.5: a sequence goes over midnight and the end of the month');
SELECT is(t.may(t.p('midnight'), 'E1', '2026-07-01 01:15'), 'ok', '§8.3: its break ends after 15 minutes');
SELECT t.run(t.p('spring'), t.at('2026-03-29 01:00+01'), '120 minutes', '{S1,E1}') \g /dev/null
SELECT t.run(t.p('spring less'), t.at('2026-03-29 01:00+01'), '119 minutes 59.999999 seconds') \g /dev/null
SELECT is(t.may(t.p('spring'), 'E1', '2026-03-29 04:00+02'), 'KC001',
          '§8.6: 2026-03-29: 01:00 to 04:00 by the clock are 120 minutes');
SELECT is(t.may(t.p('spring'), 'E1', '2026-03-29 04:14:59.999999+02'), 'KC001',
          '§8.3: 2026-03-29: the break to the microsecond');
SELECT is(t.may(t.p('spring'), 'E1', '2026-03-29 04:15+02'), 'ok', '§8.3: 2026-03-29: and over');
SELECT is(t.may(t.p('spring less'), 'E1', '2026-03-29 04:00+02'), 'ok',
          '§8.6: 2026-03-29: 119:59.999999 although the clock says 2:59:59');
SELECT t.play(t.p('spring gap'), 'S1', '2026-03-29 01:40+01', '2026-03-29 01:50+01') \g /dev/null
SELECT t.play(t.p('spring gap less'), 'S1', '2026-03-29 01:40+01', '2026-03-29 01:50+01') \g /dev/null
SELECT t.play(t.p('spring gap'), 'S1', '2026-03-29 03:05+02', '2026-03-29 03:06+02') \g /dev/null
SELECT t.play(t.p('spring gap less'), 'S1', '2026-03-29 03:04:59.999999+02',
              '2026-03-29 03:06+02') \g /dev/null
SELECT is(t.started('spring gap'), t.at('2026-03-29 03:05+02'),
          '§8.5: 2026-03-29: 01:50 to 03:05 is a gap of 15 minutes');
SELECT is(t.started('spring gap less'), t.at('2026-03-29 01:40+01'),
          '§8.5: 2026-03-29: a microsecond less is none');
SELECT t.run(t.p('autumn'), t.at('2026-10-25 01:30+02'), '120 minutes', '{S1,E1}') \g /dev/null
SELECT is(t.may(t.p('autumn'), 'E1', '2026-10-25 02:30+01'), 'KC001',
          '§8.6: 2026-10-25: 01:30 to the second 02:30 are 120 minutes');
SELECT is(t.may(t.p('autumn'), 'E1', '2026-10-25 02:44:59.999999+01'), 'KC001',
          '§8.3: 2026-10-25: the break to the microsecond');
SELECT is(t.may(t.p('autumn'), 'E1', '2026-10-25 02:45+01'), 'ok', '§8.3: 2026-10-25: and over');
SELECT t.play(t.p('autumn gap'), 'S1', '2026-10-25 02:40+02', '2026-10-25 02:50+02') \g /dev/null
SELECT t.play(t.p('autumn gap less'), 'S1', '2026-10-25 02:40+02', '2026-10-25 02:50+02') \g /dev/null
SELECT t.play(t.p('autumn gap'), 'S1', '2026-10-25 02:05+01', '2026-10-25 02:06+01') \g /dev/null
SELECT t.play(t.p('autumn gap less'), 'S1', '2026-10-25 02:04:59.999999+01',
              '2026-10-25 02:06+01') \g /dev/null
SELECT is(t.started('autumn gap'), t.at('2026-10-25 02:05+01'),
          '§8.5: 2026-10-25: 02:50 to the second 02:05 is a gap of 15 minutes');
SELECT is(t.started('autumn gap less'), t.at('2026-10-25 02:40+02'),
          '§8.5: 2026-10-25: a microsecond less is none');

-- ---------------------------------------------------------------- rounds overlapping a break
SELECT t.run(t.p('overlap'), t.at('10:00'), '115 minutes'),
    t.stake(t.p('overlap'), 'S1', '11:58') \g /dev/null
SELECT t.round('E1', '11:59') \g /dev/null
SELECT t.settle('S1', '12:40') \g /dev/null
SELECT is(t.may(t.p('overlap'), 'E1', '12:54:59.999999'), 'KC001',
          '§8.6: a round begun before the 120th minute counts to its evaluation');
SELECT is(t.may(t.p('overlap'), 'E1', '12:55'), 'ok',
          '§8.3: after the break he may join a round that was opened before it');
SELECT t.sweep() \g /dev/null

-- ---------------------------------------------------------------- §9.2, §9.4: voided rounds (R7.11)
SELECT t.run(t.p('void after'), t.at('10:00'), '100 minutes'),
    t.stake(t.p('void after'), 'S1', '11:50') \g /dev/null
SELECT casino.close_betting(t.round('S1', '11:51'), t.at('11:51')) \g /dev/null
SELECT is(t.may(t.p('void after'), 'E1', '12:00'), 'KC002',
          '§8.2: betting has closed, the round is not evaluated');
SELECT casino.void_round(t.round('S1', '11:51'), 'camera', t.at('12:00')) \g /dev/null
SELECT is(t.may(t.p('void after'), 'E1', '12:00'), 'KC001',
          '§8.3: a round voided after betting closed counts as evaluated when it is voided');
SELECT is(t.may(t.p('void after'), 'E1', '12:14:59.999999'), 'KC001', '§8.3: ... to the microsecond');
SELECT is(t.may(t.p('void after'), 'E1', '12:15'), 'ok', '§8.3: ... the break runs from the voiding');
SELECT t.run(t.p('void before'), t.at('10:00'), '100 minutes') \g /dev/null
CREATE TABLE t.before AS SELECT t.state(t.p('void before')) AS state;
SELECT t.stake(t.p('void before'), 'S1', '11:50') \g /dev/null
SELECT casino.void_round(t.round('S1', '11:51'), 'camera', t.at('12:00')) \g /dev/null
SELECT is(t.state(t.p('void before')), state,
          '§9.4: a round voided before betting closed leaves the player''s row as before') FROM t.before;
SELECT is(t.may(t.p('void before'), 'E1', '12:00'), 'ok',
          '§8.5: its stake was never placed: it prolonged nothing');
SELECT t.play(t.p('void before'), 'E1', '12:00', '12:10') \g /dev/null
SELECT is(t.started('void before'), t.at('12:00'),
          '§8.5: 20 minutes after the last evaluation a new sequence starts');

-- ---------------------------------------------------------------- never placed: the state is as before
-- (R7.10) history: none, a sequence that goes on, one that has ended; take back by: cancel_bet, refund by
-- INSERT, disconnect, void
CREATE FUNCTION t.take_back(way text, p bigint, at text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r bigint := t.round('S1', at);
BEGIN
    CASE way
        WHEN 'cancel_bet' THEN PERFORM casino.cancel_bet(r, p, 'mine', t.at(take_back.at));
        WHEN 'disconnect' THEN PERFORM casino.disconnect(r, p, t.at(take_back.at));
        WHEN 'void_round' THEN PERFORM casino.void_round(r, 'no dealer', t.at(take_back.at));
        WHEN 'refund by INSERT' THEN
            INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
            SELECT w.player_id, 'refund', w.staked, w.entry_no, t.at(take_back.at)
              FROM casino.wager w WHERE w.player_id = p AND w.round_id = r AND w.status = 'open';
    END CASE;
END $$;
CREATE FUNCTION t.never_placed(way text, history text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player();
    row_before jsonb;
    state_before jsonb;
    sequence_before jsonb;
    explained_before jsonb;
BEGIN
    IF history <> 'no history' THEN
        PERFORM t.play(p, 'E1', '10:00', '10:10'), t.play(p, 'A1', '10:20', '10:30');
    END IF;
    row_before := to_jsonb(q) - '{balance,last_entry_no,last_posted_at}'::text[] FROM casino.player q
        WHERE q.player_id = p;
    state_before := t.state(p);
    sequence_before := jsonb_agg(to_jsonb(s)) FROM casino.betting_sequence s WHERE s.player_id = p;
    explained_before := to_jsonb(e) FROM casino.explain_break(p, t.at('10:48')) e;
    PERFORM t.stake(p, 'S1', CASE history WHEN 'sequence ended' THEN '10:46'
                    ELSE '10:44' END, request => 'mine');
    PERFORM t.take_back(way, p, '10:47');
    RETURN NEXT is(t.state(p), state_before, format('§8, never placed: %s, %s: the row is as before', way,
                                                    history));
    IF history = 'no history' THEN
        RETURN NEXT is((SELECT to_jsonb(q) - '{balance,last_entry_no,last_posted_at}'::text[]
                        FROM casino.player q WHERE q.player_id = p),
                       row_before, format('§8, never placed: %s, %s: all of it', way, history));
    END IF;
    RETURN NEXT is((SELECT jsonb_agg(to_jsonb(s)) FROM casino.betting_sequence s WHERE s.player_id = p),
                   sequence_before,
                   format('§8, never placed: %s, %s: betting_sequence is as before', way, history));
    RETURN NEXT is((SELECT to_jsonb(e) FROM casino.explain_break(p, t.at('10:48')) e), explained_before,
                   format('§8, never placed: %s, %s: explain_break is as before', way, history));
    RETURN NEXT is(t.may(p, 'E1', '10:48'), 'ok',
                   format('§8.2, never placed: %s, %s: it holds no table', way, history));
    -- he joins the round again, or the next one
    PERFORM t.stake(p, 'S1', '10:50');
    RETURN NEXT is((SELECT sequence_started_at FROM casino.player WHERE player_id = p), t.at('10:50'),
                   format('§8.5, never placed: %s, %s: joined again at 10:50, a sequence starts then', way,
                          history));
    PERFORM t.settle('S1', '10:55');
    RETURN NEXT ok(t.sequence_is_right(p), format('§8, never placed: %s, %s: row equals betting_sequence',
                                                  way, history));
END $$;
SELECT t.never_placed(way, history)
  FROM unnest('{cancel_bet,disconnect,void_round,refund by INSERT}'::text[]) way,
       unnest('{no history,sequence goes on,sequence ended}'::text[]) history;

-- ---------------------------------------------------------------- partial cancellation
SELECT t.stake(t.p('partial'), 'S1', '10:00', request => 'a'),
    t.stake(t.p('partial'), 'S1', '10:02', request => 'b') \g /dev/null
SELECT casino.cancel_bet(t.round('S1', '10:03'), t.p('partial'), 'a', t.at('10:03')) \g /dev/null
SELECT is(t.may(t.p('partial'), 'E1', '10:04'), 'KC002',
          '§8.2: with one of two stakes cancelled he still takes part');
SELECT is(t.started('partial'), t.at('10:02'),
          '§8.6: the cancelled stake was never placed: the sequence starts with the one that stays');
SELECT t.settle('S1', '12:01:59.999999') \g /dev/null
SELECT is(t.may(t.p('partial'), 'S1', '12:02'), 'ok', '§8.6: ... and is 119:59.999999 long');
SELECT ok(t.sequence_is_right(t.p('partial')), '§8.6: row equals betting_sequence');
SELECT t.play(t.p('partial gap'), 'S1', '10:00', '10:10') \g /dev/null
SELECT t.stake(t.p('partial gap'), 'S1', '10:24', request => 'a'),
    t.stake(t.p('partial gap'), 'S1', '10:25', request => 'b') \g /dev/null
SELECT is(t.started('partial gap'), t.at('10:00'),
          '§8.5: a stake after 14 minutes goes on with the sequence');
SELECT casino.cancel_bet(t.round('S1', '10:26'), t.p('partial gap'), 'a', t.at('10:26')) \g /dev/null
SELECT is(t.started('partial gap'), t.at('10:25'),
          '§8.5: it is cancelled, the other one came after 15 minutes: a new sequence');
SELECT casino.cancel_bet(t.round('S1', '10:26'), t.p('partial gap'), 'b', t.at('10:26')) \g /dev/null
SELECT is(t.started('partial gap'), t.at('10:00'), '§8.5: both are cancelled: as before');
SELECT t.stake(t.p('partial insert'), 'S1', '10:27') ,
    t.stake(t.p('partial insert'), 'S1', '10:28') \g /dev/null
INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at) VALUES (t.p('partial insert'),
        'refund', 10, 2, t.at('10:29'));
SELECT is(t.started('partial insert'), t.at('10:28'), '§8.6: the same for a refund by INSERT');
SELECT t.settle('S1', '10:30') \g /dev/null
SELECT ok(t.sequence_is_right(t.p(name)), '§8.5: row equals betting_sequence: ' || name)
  FROM unnest('{partial gap,partial insert}'::text[]) name;

-- ---------------------------------------------------------------- other games do not count
SELECT t.run(t.p('other games'), t.at('10:00'), '120 minutes') \g /dev/null
SELECT is(t.may(t.p('other games'), 'M1', '12:05'), 'ok',
          '§8.3: a game that is not broadcast is not refused during the break');
SELECT t.play(t.p('other games'), 'M1', '12:01', '12:09') ,
    t.stake(t.p('other games'), 'M2', '12:10') \g /dev/null
SELECT is(t.may(t.p('other games'), 'S1', '12:14:59.999999'), 'KC001', '§8.3: nor does it shorten the break');
SELECT is(t.may(t.p('other games'), 'S1', '12:15'), 'ok', '§8.3: or make it longer');
SELECT t.stake(t.p('other games'), 'S1', '12:15') \g /dev/null
SELECT is(t.may(t.p('other games'), 'M1', '12:16'), 'ok',
          '§8.2: a stake at a live table holds no other game');
SELECT t.settle('S1', '12:17') \g /dev/null
SELECT is(t.may(t.p('other games'), 'S1', '12:18'), 'ok',
          '§8.2: an unevaluated stake in another game holds no live table');
SELECT t.sweep() \g /dev/null
SELECT t.play(t.p('other gap'), 'S1', '10:00', '10:10'), t.play(t.p('other gap'), 'M1', '10:12', '10:24'),
    t.stake(t.p('other gap'), 'S1', '10:25') \g /dev/null
SELECT is(t.started('other gap'), t.at('10:25'), '§8.5: another game in the gap does not bridge it');
SELECT t.settle('S1', '10:26') \g /dev/null
SELECT is((SELECT count(*) FROM casino.live_participation WHERE player_id = t.p('other gap')), 2::bigint,
          '§8.2: live_participation knows live games only');

-- ---------------------------------------------------------------- §8.2: one live table (R7.1)
SELECT t.stake(t.p('two tables'), 'S1', '10:00', request => 'x') \g /dev/null
SELECT is(t.may(t.p('two tables'), name, '10:01'), CASE WHEN name IN ('S1', 'M1') THEN 'ok'
          ELSE 'KC002' END, '§8.2: a stake at S1, another at ' || name)
  FROM unnest('{S1,S2,E1,A1,B1,M1}'::text[]) name;
SELECT matches(t.detail(format('SELECT t.stake(%s, ''E1'', ''10:01'')', t.p('two tables'))),
               '^He has a stake in round \d+, which is not evaluated \(D4 §8.2\)\.$',
                   '§8.2: the DETAIL of KC002 names the round');
SELECT throws_ok(format('SELECT t.stake(%s, ''E1'', ''10:01'')', t.p('two tables')), 'KC002',
                 format('player %s takes part at live table "S1"', t.p('two tables')),
                     '§8.2: the message of KC002 names the table');
SELECT casino.close_betting(t.round('S1', '10:02'), t.at('10:02')) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'E1', '10:03'), 'KC002',
          '§8.2: he takes part until the evaluation, also after betting closed');
SELECT is(t.may(t.p('two tables'), 'S2', '11:59'), 'KC002', '§8.2: however long it takes');
SELECT t.settle('S1', '10:04') \g /dev/null
SELECT is(t.may(t.p('two tables'), 'E1', '10:04'), 'ok',
          '§8.2: after the evaluation he may at another table');
SELECT t.stake(t.p('two tables'), 'E1', '10:05') \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:05'), 'KC002', '§8.2: and then no longer at the first');
SELECT casino.void_round(t.round('E1', '10:06'), 'camera', t.at('10:06')) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:06'), 'ok', '§8.2: after voiding he may');
SELECT t.stake(t.p('two tables'), 'A1', '10:07', request => 'y') \g /dev/null
SELECT casino.cancel_bet(t.round('A1', '10:08'), t.p('two tables'), 'y', t.at('10:08')) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:08'), 'ok', '§8.2: after cancelling he may');
SELECT t.stake(t.p('two tables'), 'B1', '10:09', 100) \g /dev/null
SELECT casino.disconnect(t.round('B1', '10:10'), t.p('two tables'), t.at('10:10')) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:10'), 'ok',
          'R7.12: §8.2, §9.4: disconnected while betting was open he may');
SELECT t.stake(t.p('two tables'), 'B1', '10:11', 100) \g /dev/null
SELECT casino.close_betting(t.round('B1', '10:12'), t.at('10:12')),
    casino.disconnect(t.round('B1', '10:12'), t.p('two tables'), t.at('10:12')) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:12'), 'KC002',
          '§8.2, §9.3: disconnected afterwards he still takes part');
SELECT t.settle('B1', '10:13', win => true, withhold => true) \g /dev/null
SELECT is(t.may(t.p('two tables'), 'S1', '10:13'), 'ok', '§8.2: a withheld round is evaluated');
-- evaluations dated after the stake, as clocks may differ; whoever won has an entry of that time, whoever
-- lost has none
SELECT t.stake(t.p('dated back'), 'S1', '10:30'), t.settle('S1', '10:35:03') \g /dev/null
SELECT is(t.may(t.p('dated back'), 'E1', '10:35:02.999999'), 'KC002',
          'R7.2: §8.2: who lost cannot date a stake elsewhere before the evaluation');
SELECT is(t.may(t.p('dated back'), 'S1', '10:35:02.999999'), 'KC002',
          '§8.2: ... nor into the next round there');
SELECT is(t.detail(format('SELECT t.stake(%s, ''E1'', ''10:35:02'')', t.p('dated back'))),
          format('He has a stake in round %s, which was evaluated at 2026-06-01 10:35:03+02 (D4 §8.2).',
                 (SELECT last_round_id FROM casino.player WHERE player_id = t.p('dated back'))),
          '§8.2: ... the DETAIL says when it was');
-- of the past it says what was known: at 10:35:02 nobody could name the time of an evaluation to come
SELECT is((SELECT (may_bet, code, until) FROM casino.explain_break(t.p('dated back'), t.at('10:35:02'))),
          (false, 'KC002'::text, NULL::timestamptz),
              '§8.2: ... explain_break says so too, without a time that was not known then');
SELECT is((SELECT (may_bet, code, until) FROM casino.explain_break(t.p('dated back'), t.at('10:35:03'))),
          (true, NULL::text, t.at('10:50:03')),
              '§8.5: ... and with the evaluation that the sequence goes on');
SELECT is(t.may(t.p('dated back'), 'M1', '10:35:02'), 'ok', '§8.2: ... but in any other game');
SELECT is(t.may(t.p('dated back'), 'E1', '10:35:03'), 'ok', '§8.2: and with the evaluation he may');
-- a time that the caller took before what was evaluated meanwhile is a given one
CREATE FUNCTION t.waited() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    begun timestamptz := clock_timestamp();
BEGIN
    PERFORM t.stake(t.p('waited'), 'S1', (begun - interval '1 second')::text),
        t.settle('S1', clock_timestamp()::text);
    RETURN t.may(t.p('waited'), 'E1', begun::text);
END $$;
SELECT is(t.waited(), 'KC002',
          'R7.3: §8.2: a stake dated before the evaluation is at a second table, whoever took the time');
SELECT ok(t.sequence_is_right(t.p('two tables')), '§8.5: row equals betting_sequence after all this');

-- ---------------------------------------------------------------- withheld rounds
SELECT t.run(t.p('withheld'), t.at('10:15'), '110 minutes'),
    t.stake(t.p('withheld'), 'S1', '12:06') \g /dev/null
SELECT t.settle('S1', '12:15', win => true, withhold => true) \g /dev/null
SELECT is(t.may(t.p('withheld'), 'S1', '12:20'), 'KC001', '§8.6: the evaluation counts, whenever it is paid');
SELECT casino.pay_withheld((SELECT last_round_id FROM casino.player WHERE player_id = t.p('withheld')),
                           t.at('12:25')) \g /dev/null
SELECT is(t.may(t.p('withheld'), 'S1', '12:29:59.999999'), 'KC001', '§8.3: paying does not end the break');
SELECT is(t.may(t.p('withheld'), 'S1', '12:30'), 'ok', '§8.3: nor does it start one');

-- ---------------------------------------------------------------- explain_break in every state
SELECT t.sweep() \g /dev/null
SELECT t.explains('explain', 'never played', '10:00');
SELECT t.stake(t.p('explain'), 'S1', '10:00') \g /dev/null
SELECT t.explains('explain', 'in an open round', '10:01', '12:30');
SELECT is((SELECT (may_bet, code, since) FROM casino.explain_break(t.p('explain'), t.at('10:01'))),
          (false, 'KC002'::text, t.at('10:00')), 'explain_break: §8.2 since the first stake');
SELECT casino.close_betting(t.round('S1', '10:02'), t.at('10:02')) \g /dev/null
SELECT t.explains('explain', 'in a closed round', '10:03');
SELECT t.settle('S1', '10:05') \g /dev/null
SELECT t.explains('explain', 'evaluated', '10:05', '10:19:59.999999', '10:20', '11:00');
SELECT is((SELECT (may_bet, code, since, until) FROM casino.explain_break(t.p('explain'), t.at('10:06'))),
          (true, NULL::text, t.at('10:00'), t.at('10:20')),
              'explain_break: the sequence goes on until 15 minutes after the evaluation');
SELECT is((SELECT (may_bet, code, since, until) FROM casino.explain_break(t.p('explain'), t.at('10:20'))),
          (true, NULL::text, NULL::timestamptz, NULL::timestamptz),
              'explain_break: then a new one would start');
SELECT t.run(t.p('explain'), t.at('10:06'), '114 minutes') \g /dev/null
SELECT t.explains('explain', 'break due', '12:00', '12:14:59.999999', '12:15', '13:00');
SELECT is((SELECT (may_bet, code, since, until) FROM casino.explain_break(t.p('explain'), t.at('12:05'))),
          (false, 'KC001'::text, t.at('10:00'), t.at('12:15')),
              'explain_break: §8.3 since the first stake, until the end of the break');
SELECT matches((SELECT why FROM casino.explain_break(t.p('explain'), t.at('12:05'))), '§8\.3',
               'explain_break: names the paragraph');
SELECT casino.exclude_player(t.p('explain'), t.at('14:00'), 'self', t.at('12:10')) \g /dev/null
SELECT t.explains('explain', 'excluded', '12:10', '12:15', '13:59:59.999999', '14:00');
SELECT is((SELECT (may_bet, code, until) FROM casino.explain_break(t.p('explain'), t.at('12:12'))),
          (false, 'KC004'::text, t.at('14:00')), 'explain_break: §6.2 until the end of the exclusion');
SELECT t.stake(t.p('explain excluded'), 'S1', '10:00') \g /dev/null
SELECT casino.exclude_player(t.p('explain excluded'), NULL, 'register', t.at('10:01')) \g /dev/null
SELECT t.explains('explain excluded', 'excluded in a round', '10:02');
SELECT is(t.may(t.p('explain excluded'), 'S1', '10:02'), 'KC004',
          '§6.2, §8.4: excluded in the middle of a round he may add no chips');
SELECT is(t.may(t.p('explain excluded'), 'M1', '10:02'), 'KC004', '§6.2: nor stake in any other game');
SELECT t.settle('S1', '10:03') \g /dev/null
SELECT t.play(t.p('explain closed'), 'S1', '10:05', '10:10', 1000000 / 100),
    casino.adjust(t.p('explain closed'), -990000, 'emptied', at => t.at('10:11')) \g /dev/null
SELECT casino.close_account(t.p('explain closed'), t.at('10:12')) \g /dev/null
SELECT t.explains('explain closed', 'account closed', '10:13');
SELECT is(t.explained(t.p('explain closed'), '10:13'), '55000', 'explain_break: the account is closed');
SELECT throws_ok('SELECT * FROM casino.explain_break(0)', '23503', NULL, 'explain_break: unknown player');

-- --------------------------------------------------------------- §8.5: the first of the stakes that are left
SELECT t.sweep() \g /dev/null
SELECT t.stake(t.p('joined'), 'S1', '16:00', 10, 'j1') AS round,
    t.stake(t.p('joined'), 'S1', '16:05', 10, 'j2'), t.stake(t.p('joined'), 'S1', '16:10', 10, 'j3') \gset
SELECT casino.cancel_bet(:round, t.p('joined'), 'j1', t.at('16:11')) \g /dev/null
SELECT is(t.started('joined'), t.at('16:05'),
          '§8.5: the first stake was returned: the sequence starts with the first of those that lie there');

-- ----------------------------------------------------- §8.3: the break is the person's, whatever the account
SELECT t.sweep() \g /dev/null
CREATE TABLE t.reopened AS SELECT casino.register_player('opened twice') AS former, NULL::bigint AS next;
SELECT casino.deposit(former, 120, at => t.at('07:00')) FROM t.reopened \g /dev/null
SELECT t.run(former, t.at('08:00'), '120 minutes') FROM t.reopened \g /dev/null
SELECT casino.adjust(former, -(SELECT balance FROM casino.player WHERE player_id = former), 'emptied',
                     at => t.at('10:01')), casino.close_account(former, t.at('10:02'))
                         FROM t.reopened \g /dev/null
UPDATE t.reopened SET next = casino.register_player('opened twice');
SELECT isnt(next, former, '§8.3: another account of the person') FROM t.reopened;
SELECT casino.deposit(next, 1000, at => t.at('10:03')) FROM t.reopened \g /dev/null
SELECT is(t.may(next, 'S1', '10:14:59.999999'), 'KC001',
          '§8.3: a microsecond before 15 minutes after the evaluation of the former account''s last round')
              FROM t.reopened;
SELECT is(t.may(next, 'S1', '10:15'), 'ok', '§8.3: 15 minutes after it') FROM t.reopened;
SELECT t.stake(next, 'S1', '10:15') FROM t.reopened \g /dev/null
SELECT is((SELECT sequence_started_at FROM casino.player WHERE player_id = next), t.at('10:15'),
          '§8.6: with which another sequence starts') FROM t.reopened;

-- ---------------------------------------------------------------- the whole
SELECT is((SELECT count(*) FROM casino.player p WHERE NOT t.sequence_is_right(p.player_id)), 0::bigint,
          '§8: at the end every player''s row equals what the ledger alone gives');
SELECT * FROM finish();
