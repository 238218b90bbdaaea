-- D4 §6.2 exclusions and §6.5 self-limits, on both sides of each boundary; after each step limit_state must
-- equal limit_usage(), which recomputes it from the ledger.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE FUNCTION t.set(p bigint, measure text, period text, amount numeric,
                      at text) RETURNS integer LANGUAGE sql AS
    'SELECT casino.set_limit(p, measure, period, amount, t.at(at))';
-- the counters kept for a player: staked and lost of the day, of the month, open
CREATE FUNCTION t.counters(p bigint) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s %s | %s %s | %s', round(staked_day, 2), round(lost_day, 2), round(staked_month, 2),
                  round(lost_month, 2), round(open_staked, 2))
      FROM casino.limit_state WHERE player_id = p $$;
-- ends all rounds, so that the next paragraph finds the tables free
CREATE FUNCTION t.sweep() RETURNS void LANGUAGE sql AS $$
    SELECT casino.void_round(round_id, 'swept', greatest(opened_at, betting_closed_at)) FROM casino.round
     WHERE status IN ('open', 'closed') $$;

-- ---------------------------------------------------------------- §6.2: exclusion, each source (R7.15)
CREATE FUNCTION t.exclusion_of(source text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(500);
    w bigint;
BEGIN
    PERFORM casino.set_payment_account(p, 'CZ1', '2026-01-01');
    PERFORM t.stake(p, 'S1', '10:00', 100, 'mine'), t.stake(p, 'M1', '10:00', 50, 'other');
    PERFORM casino.close_betting(t.round('S1', '10:00'), t.at('10:00:30'));
    RETURN NEXT is(casino.exclude_player(p, t.at('2026-06-04 10:01'), source, t.at('10:01')), 1,
                   format('§6.2: %s: exclusion number 1', source));
    RETURN NEXT is((SELECT array_agg(format('%s %s', e.source, e.excluded_until)) FROM casino.exclusion e
                    WHERE e.player_id = p),
                   ARRAY[format('%s 2026-06-04 10:01:00+02', source)],
                       format('§6.2: %s: recorded with its source', source));
    RETURN QUERY SELECT is(t.may(p, name, '10:02'), 'KC004',
                           format('§6.2: %s: no stake at %s, not even into the round he is in', source, name))
               FROM unnest('{S1,E1,M1,M2}'::text[]) name;
    RETURN NEXT is(t.verdict(format('SELECT casino.deposit(%s, 1, at => t.at(''10:02''))', p)), 'KC004',
                   format('§6.2: %s: no deposit', source));
    RETURN NEXT is(t.verdict(format('INSERT INTO casino.ledger (player_id, kind, amount, posted_at)
                                     VALUES (%s, ''deposit'', 1, t.at(''10:02''))',
                                    p)),
                   'KC004', format('§6.2: %s: no deposit by INSERT either', source));
    RETURN NEXT is(t.detail(format('SELECT casino.deposit(%s, 1, at => t.at(''10:02''))', p)),
                   'The exclusion ends at 2026-06-04 10:01:00+02 (D4 §6.2).',
                   format('§6.2: %s: the DETAIL of KC004 says until when', source));
    RETURN NEXT is(t.verdict(format('SELECT casino.cancel_bet(t.round(''M1'', ''10:02''), %s, ''other'',
                                                              t.at(''10:02''))',
                                    p)),
                   'ok',
                   format('§6.2: %s: he may cancel a bet, which has gone back', source));
    RETURN NEXT is((SELECT array_agg(w.status ORDER BY w.entry_no) FROM casino.wager w WHERE w.player_id = p),
                   '{open,refunded}',
                   format('§6.2: %s: his stake goes back where betting is open, not where it is closed',
                          source));
    PERFORM t.settle('S1', '10:03', true);
    RETURN NEXT is((SELECT balance FROM casino.player WHERE player_id = p), 600.00,
                   format('§6.2: %s: his winnings are paid', source));
    w := casino.request_withdrawal(p, 500, 'cash', at => t.at('10:04'));
    RETURN NEXT is((SELECT status FROM casino.wager WHERE player_id = p AND kind = 'red' ORDER BY entry_no
                    LIMIT 1), 'won', format('§6.2: %s: the round plays on', source));
    PERFORM casino.cancel_withdrawal(w, t.at('10:05'));
    w := casino.request_withdrawal(p, 500, 'transfer', at => t.at('10:06'));
    RETURN NEXT lives_ok(format('SELECT casino.pay_withdrawal(%s, t.at(''10:07''))', w),
                         format('§6.2: %s: he may withdraw, cancel, withdraw, and is paid', source));
    PERFORM t.settle('M1', '10:08');
    RETURN NEXT is(t.may(p, 'S1', '2026-06-04 10:00:59.999999'), 'KC004',
                   format('§6.2: %s: to the last microsecond', source));
    RETURN NEXT is(t.may(p, 'S1', '2026-06-04 10:01'), 'ok', format('§6.2: %s: and not longer', source));
END $$;
SELECT t.exclusion_of(source) FROM unnest('{self,register,panic_button,operator}'::text[]) source;

CREATE TABLE t.x AS SELECT t.player() AS panic, t.player() AS forever, t.player() AS several,
    t.player() AS again;
SELECT casino.exclude_player(panic, NULL, 'panic_button', t.at('10:00')) FROM t.x \g /dev/null
SELECT is(t.may(panic, 'M1', '2026-06-03 09:59:59.999999'), 'KC004',
          '§6.2: the panic button excludes for 48 hours') FROM t.x;
SELECT is(t.may(panic, 'M1', '2026-06-03 10:00'), 'ok', '§6.2: ... exactly') FROM t.x;
SELECT is(casino.exclude_player(panic, t.at('2026-06-05 10:30'), 'panic_button', t.at('2026-06-05 10:00')), 2,
          '§6.2: panic button for half an hour') FROM t.x;
SELECT is(t.may(panic, 'M1', '2026-06-07 09:59:59.999999'), 'KC004',
          '§6.2: ... is one for 48 hours all the same') FROM t.x;
SELECT casino.exclude_player(forever, NULL, 'register', t.at('10:00')) FROM t.x \g /dev/null
SELECT is(t.may(forever, 'M1', '2199-01-01 00:00'), 'KC004', '§6.2: an exclusion without end') FROM t.x;
SELECT is(t.detail(format('SELECT t.stake(%s, ''M1'', ''2199-01-01 00:00'')', forever)),
          'The exclusion has no end (D4 §6.2).', '§6.2: ... says so') FROM t.x;
SELECT casino.exclude_player(several, t.at('2026-06-10 10:00'), 'self', t.at('10:00')) FROM t.x \g /dev/null
SELECT casino.exclude_player(several, t.at('2026-06-05 10:00'), 'operator', t.at('11:00'))
  FROM t.x \g /dev/null
SELECT is(t.may(several, 'M1', '2026-06-09 10:00'), 'KC004', '§6.2: a shorter one does not shorten it')
  FROM t.x;
SELECT casino.exclude_player(several, t.at('2026-06-12 10:00'), 'self', t.at('12:00')) FROM t.x \g /dev/null
SELECT is(t.may(several, 'M1', '2026-06-12 09:59:59.999999'), 'KC004', '§6.2: overlapping exclusions add up')
  FROM t.x;
SELECT is(t.may(several, 'M1', '2026-06-12 10:00'), 'ok', '§6.2: ... to the latest end') FROM t.x;
SELECT is((SELECT count(*) FROM casino.exclusion WHERE player_id = several), 3::bigint,
          '§6.2: all three are on record') FROM t.x;
SELECT is(casino.exclude_player(several, t.at('2026-06-12 10:00'), 'self', t.at('12:00')), 3,
          '§6.2: a retry is the same exclusion') FROM t.x;
SELECT is(casino.exclude_player(several, t.at('2026-06-20 10:00'), 'self', t.at('12:00')), 4,
          '§6.2: one until another time is another one, also at the same instant') FROM t.x;
SELECT is(t.may(several, 'M1', '2026-06-19 10:00'), 'KC004', '§6.2: ... and holds') FROM t.x;
SELECT throws_ok(format('SELECT casino.exclude_player(%s, t.at(''10:00''), ''self'', t.at(''10:00''))',
                        again), '22023', NULL, '§6.2: an exclusion ends after it starts') FROM t.x;
SELECT throws_ok(format('SELECT casino.exclude_player(%s, NULL, ''neighbour'', t.at(''10:00''))', again),
                 '22023', NULL, '§6.2: sources are four') FROM t.x;
SELECT throws_ok('SELECT casino.exclude_player(0, NULL, ''self'')', '23503', NULL, '§6.2: unknown player');
SELECT throws_ok(format('UPDATE casino.exclusion SET excluded_until = now() WHERE player_id = %s', several),
                 'KL001', NULL, '§6.2: an exclusion cannot be shortened') FROM t.x;
SELECT throws_ok(format('DELETE FROM casino.exclusion WHERE player_id = %s', several), 'KL001', NULL,
                 '§6.2: nor deleted') FROM t.x;
SELECT throws_ok(format('UPDATE casino.player SET excluded_until = NULL WHERE player_id = %s', several),
                 'KL001', NULL, '§6.2: nor in the player''s row') FROM t.x;
SELECT lives_ok(format('SELECT casino_internal.note_exclusion(%s, ''2026-06-02'')', several),
                '§6.2: the note of a shorter one is taken ...') FROM t.x;
SELECT is(t.may(several, 'M1', '2026-06-19 10:00'), 'KC004', '§6.2: ... and changes nothing') FROM t.x;

-- ---------------------------------------------------------------- §6.2: the person's new account (R7.17)
SELECT casino.adjust(forever, -1000000, 'emptied', at => t.at('10:05')),
    casino.close_account(forever, t.at('10:06')) FROM t.x \g /dev/null
CREATE TABLE t.new AS SELECT casino.register_player((SELECT external_ref FROM casino.player
                                                     WHERE player_id = forever)) AS p FROM t.x;
SELECT isnt(p, forever, '§6.2: the excluded person opens another account') FROM t.new, t.x;
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 100, at => t.at(''2026-07-01''))', p)), 'KC004',
          '§6.2: ... excluded all the same') FROM t.new;
SELECT is((SELECT source FROM casino.exclusion e WHERE e.player_id = n.p), 'register',
          '§6.2: ... by the same source') FROM t.new n;

-- ---------------------------------------------------------------- §6.5: both sides of a limit by one haléř
CREATE FUNCTION t.limit_of(measure text, period text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player();
    what text := format('§6.5: %s a %s', measure, period);
BEGIN
    PERFORM t.set(p, measure, period, 1000, '09:00');
    RETURN NEXT is(t.may(p, 'M1', '10:00', 1000), 'ok', what || ': the limit itself may be staked');
    RETURN NEXT is(t.may(p, 'M1', '10:00', 1000.01), 'KC005', what || ': one haléř more may not');
    PERFORM t.stake(p, 'S1', '10:00', 600, 'a');
    RETURN NEXT ok(t.limits_are_right(p, '10:00'), what || ': counters');
    RETURN NEXT is(t.may(p, 'M1', '10:01', 400), 'ok', what || ': joint across games, the rest');
    RETURN NEXT is(t.may(p, 'M1', '10:01', 400.01), 'KC005', what || ': joint across games, one haléř above');
    RETURN NEXT is(t.may(p, 'S1', '10:01', 400.01), 'KC005', what || ': also into the round he is in');
    RETURN NEXT is(t.detail(format('SELECT t.stake(%s, ''M1'', ''10:01'', 400.01)', p)),
                   '600.00 CZK of it are used, 400.01 CZK were to be staked (D4 §6.5).',
                   what || ': the DETAIL of KC005 has the values');
    RETURN NEXT is(t.verdict(format('SELECT casino.place_bets(t.round(''S1'', ''10:01''), %s,
                                                              ''{black@399,odd@1}''::casino.bet[],
                                                              at => t.at(''10:01''))',
                                    p)),
                   'ok', what || ': bets together, the rest');
    RETURN NEXT is(t.verdict(format('SELECT casino.place_bets(t.round(''S1'', ''10:01''), %s,
                                                              ''{black@399,odd@1.01}''::casino.bet[],
                                                              at => t.at(''10:01''))',
                                    p)),
                   'KC005', what || ': bets together, one haléř above');
    -- cancelled stakes give the room back
    PERFORM casino.cancel_bet(t.round('S1', '10:02'), p, 'a', t.at('10:02'));
    RETURN NEXT is(t.counters(p), '0.00 0.00 | 0.00 0.00 | 0.00',
                   what || ': cancelled: the counters are as before');
    RETURN NEXT is(t.may(p, 'M1', '10:03', 1000), 'ok', what || ': cancelled: the room is back');
    PERFORM t.stake(p, 'S1', '10:03', 1000), casino.disconnect(t.round('S1', '10:04'), p, t.at('10:04'));
    RETURN NEXT is(t.may(p, 'M1', '10:05', 1000), 'ok',
                   what || ': disconnected before the close: the room is back');
    PERFORM t.stake(p, 'S1', '10:05', 1000), casino.void_round(t.round('S1', '10:06'), 'void', t.at('10:06'));
    RETURN NEXT is(t.may(p, 'M1', '10:07', 1000), 'ok',
                   what || ': voided before the close: the room is back');
    PERFORM t.stake(p, 'M1', '10:07', 1000);
    INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
    SELECT p, 'refund', 1000, max(l.entry_no), t.at('10:08') FROM casino.ledger l WHERE l.player_id = p;
    RETURN NEXT is(t.may(p, 'M1', '10:08', 1000), 'ok', what || ': refunded by INSERT: the room is back');
    RETURN NEXT ok(t.limits_are_right(p, '10:08'), what || ': counters after all that');
    -- voided after the close (R7.22)
    PERFORM t.stake(p, 'S1', '10:09', 300), casino.close_betting(t.round('S1', '10:09'), t.at('10:09')),
        casino.void_round(t.round('S1', '10:09'), 'void', t.at('10:10'));
    RETURN NEXT is(t.may(p, 'M1', '10:11', 700.01), CASE measure WHEN 'stake' THEN 'KC005' ELSE 'ok' END,
                   what || ': voided after the close: staked all the same, nothing lost');
    RETURN NEXT ok(t.limits_are_right(p, '10:11'), what || ': counters after that');
    -- a win, a withheld win, a loss
    PERFORM t.play(p, 'M1', '10:12', '10:13', 200, true);
    RETURN NEXT is(t.may(p, 'M2', '10:14', 500), 'ok', what || ': after a win');
    RETURN NEXT is(t.may(p, 'M2', '10:14', 500.01), CASE measure WHEN 'stake' THEN 'KC005'
                   ELSE 'ok' END, what || ': a win restores no stake limit');
    RETURN NEXT is(t.may(p, 'M2', '10:14', 1200.01), 'KC005',
                   what || ': a win counts against the net loss, not beyond');
    PERFORM t.stake(p, 'M1', '10:15', 100), t.settle('M1', '10:16', true, true);
    RETURN NEXT ok(t.limits_are_right(p, '10:16'), what || ': counters after a withheld win');
    PERFORM casino.pay_withheld((SELECT max(round_id) FROM casino.round WHERE status = 'withheld'),
                                t.at('10:17'));
    RETURN NEXT ok(t.limits_are_right(p, '10:17'), what || ': counters after it is paid');
    PERFORM t.play(p, 'M1', '10:18', '10:19', 250);
    RETURN NEXT is(t.counters(p), '850.00 -50.00 | 850.00 -50.00 | 0.00',
                   what || ': staked 300 + 200 + 100 + 250, net won 200 + 100 - 250');
    -- open stakes count in full in the net loss (R7.21)
    PERFORM t.stake(p, 'M1', '10:20', 100);
    RETURN NEXT is(t.may(p, 'M2', '10:21', CASE measure WHEN 'stake' THEN 50 ELSE 950 END), 'ok',
                   what || ': with 100 open, the rest');
    RETURN NEXT is(t.may(p, 'M2', '10:21', CASE measure WHEN 'stake' THEN 50.01 ELSE 950.01 END), 'KC005',
                   what || ': with 100 open, one haléř more');
    PERFORM t.settle('M1', '10:22');
    RETURN NEXT ok(t.limits_are_right(p, '10:22'), what || ': counters at the end');
    RETURN NEXT is(t.may(p, 'M1', '2026-06-02 00:00', 1000), CASE period WHEN 'day' THEN 'ok'
                   ELSE 'KC005' END, what || ': another day');
    RETURN NEXT is(t.may(p, 'M1', '2026-07-01 00:00', 1000), 'ok', what || ': another month');
END $$;
SELECT t.limit_of(measure, period) FROM unnest('{stake,net_loss}'::text[]) measure,
    unnest('{day,month}'::text[]) period;
SELECT t.sweep() \g /dev/null

-- ---------------------------------------------------------------- §6.5: lowering, raising, removing (R7.23)
CREATE TABLE t.l AS SELECT t.player() AS p, t.player() AS q, t.player() AS r;
SELECT is(t.set(p, 'stake', 'day', 500, '10:00'), 1, '§6.5: a limit') FROM t.l;
SELECT is(t.set(p, 'stake', 'day', 500, '10:00'), 1, '§6.5: a retry is the same change') FROM t.l;
SELECT is(t.may(p, 'M1', '10:00', 500.01), 'KC005', '§6.5: in force at once') FROM t.l;
SELECT t.set(p, 'stake', 'day', 300, '11:00') FROM t.l \g /dev/null
SELECT is(t.may(p, 'M1', '11:00', 300.01), 'KC005', '§6.5: lowered at once') FROM t.l;
SELECT t.set(p, 'stake', 'day', 800, '12:00') FROM t.l \g /dev/null
SELECT is(t.may(p, 'M1', '2026-06-08 11:59:59.999999', 300.01), 'KC005', '§6.5: a raise waits seven days')
  FROM t.l;
SELECT is(t.may(p, 'M1', '2026-06-08 12:00', 800), 'ok', '§6.5: ... exactly') FROM t.l;
SELECT is(t.may(p, 'M1', '2026-06-08 12:00', 800.01), 'KC005', '§6.5: ... and is a limit') FROM t.l;
SELECT t.set(p, 'stake', 'day', NULL, '2026-06-09 10:00') FROM t.l \g /dev/null
SELECT is(t.may(p, 'M1', '2026-06-16 09:59:59.999999', 800.01), 'KC005', '§6.5: removing waits seven days')
  FROM t.l;
SELECT is(t.may(p, 'M1', '2026-06-16 10:00', 9000), 'ok', '§6.5: ... exactly') FROM t.l;
SELECT t.set(q, 'net_loss', 'month', 500, '10:00'), t.set(q, 'net_loss', 'month', 900, '2026-06-02 10:00')
  FROM t.l \g /dev/null
SELECT t.set(q, 'net_loss', 'month', 700, '2026-06-05 10:00') FROM t.l \g /dev/null
SELECT is(t.may(q, 'M1', '2026-06-09 10:00', 500.01), 'KC005',
          '§6.5: a later request takes back the raise that waits') FROM t.l;
SELECT is(t.may(q, 'M1', '2026-06-12 09:59:59.999999', 500.01), 'KC005',
          '§6.5: ... and waits seven days itself') FROM t.l;
SELECT is(t.may(q, 'M1', '2026-06-12 10:00', 700), 'ok', '§6.5: ... exactly') FROM t.l;
SELECT is(t.may(q, 'M1', '2026-06-12 10:00', 700.01), 'KC005', '§6.5: ... and is the later amount') FROM t.l;
SELECT t.set(r, 'stake', 'month', 500, '10:00'), t.set(r, 'stake', 'month', NULL, '2026-06-02 10:00'),
    t.set(r, 'stake', 'month', 500, '2026-06-03 10:00') FROM t.l \g /dev/null
SELECT is(t.may(r, 'M1', '2026-06-20 10:00', 500.01), 'KC005',
          '§6.5: asking for what is in force takes back a removal') FROM t.l;
SELECT t.set(r, 'stake', 'month', 900, '2026-06-04 10:00'),
    t.set(r, 'stake', 'month', 400, '2026-06-05 10:00') FROM t.l \g /dev/null
SELECT is(t.may(r, 'M1', '2026-06-20 10:00', 400.01), 'KC005', '§6.5: lowering takes back a raise') FROM t.l;
SELECT is((SELECT array_agg(format('%s from %s', coalesce(amount::text, 'none'), effective_from::date)
                            ORDER BY limit_no) FROM casino.player_limit WHERE player_id = r),
          '{500.00 from 2026-06-01,none from 2026-06-09,500.00 from 2026-06-03,900.00 from 2026-06-11,'
          '400.00 from 2026-06-05}',
          '§6.5: every change is on record') FROM t.l;
SELECT is(t.set(r, 'net_loss', 'day', NULL, '2026-06-06 10:00'), NULL,
          '§6.5: no limit, and none wanted: nothing') FROM t.l;
SELECT is(t.set(r, 'net_loss', 'day', 0, '2026-06-06 10:00'), 6, '§6.5: a limit of nothing') FROM t.l;
SELECT is(t.may(r, 'M1', '2026-06-06 10:00', 1), 'KC005', '§6.5: ... is no play at all') FROM t.l;
SELECT throws_ok(format('UPDATE casino.player_limit SET amount = 1e6 WHERE player_id = %s', r), 'KL001', NULL,
                 '§6.5: a change is immutable') FROM t.l;
SELECT throws_ok(format('SELECT t.set(%s, ''stake'', ''day'', 5, ''2026-06-06 09:00''),
                                t.set(%s, ''stake'', ''day'', 5, ''2026-06-06 08:00'')',
                        r, r),
                 'KL005', NULL, '§6.5: no change before the last one')
  FROM t.l;
SELECT throws_ok(format('SELECT t.set(%s, ''stake'', ''week'', 5, ''10:00'')', r), '22023', NULL,
                 '§6.5: periods are day and month') FROM t.l;
SELECT throws_ok(format('SELECT t.set(%s, ''wins'', ''day'', 5, ''10:00'')', r), '22023', NULL,
                 '§6.5: measures are stake and net_loss') FROM t.l;
SELECT throws_ok(format('SELECT t.set(%s, ''stake'', ''day'', -1, ''10:00'')', r), '22003', NULL,
                 '§6.5: not negative') FROM t.l;
SELECT throws_ok('SELECT casino.set_limit(0, ''stake'', ''day'', 1)', '23503', NULL, '§6.5: unknown player');
-- seven days are 168 hours, also over a DST night and whatever the session's time zone
CREATE TABLE t.dst AS SELECT zone, t.player() AS p FROM unnest('{Europe/Prague,UTC}'::text[]) zone;
CREATE FUNCTION t.raised(zone text, p bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('timezone', zone, true), t.set(p, 'stake', 'day', 100, '2026-03-25 10:00+01'),
        t.set(p, 'stake', 'day', 200, '2026-03-26 10:00+01');
    PERFORM set_config('timezone', 'Europe/Prague', true);
    RETURN p;
END $$;
SELECT t.raised(zone, p) FROM t.dst \g /dev/null
SELECT is(t.may(p, 'M1', '2026-04-02 10:59:59.999999+02', 101), 'KC005',
          '§6.5: seven days over 2026-03-29 are 168 hours, asked for in ' || zone) FROM t.dst;
SELECT is(t.may(p, 'M1', '2026-04-02 11:00+02', 101), 'ok', '§6.5: ... exactly, asked for in ' || zone)
  FROM t.dst;

-- a limit set in the middle of the day and of a round counts what was before
CREATE TABLE t.mid AS SELECT t.player() AS p;
SELECT t.play(p, 'M1', '10:00', '10:05', 300), t.play(p, 'M1', '10:06', '10:07', 100, true),
    t.stake(p, 'S1', '10:10', 50) FROM t.mid \g /dev/null
SELECT t.set(p, 'stake', 'day', 500, '10:12'), t.set(p, 'net_loss', 'day', 400, '10:12')
  FROM t.mid \g /dev/null
SELECT is(t.counters(p), '450.00 200.00 | 450.00 200.00 | 50.00',
          '§6.5: what was staked, lost and is open before the limit counts') FROM t.mid;
SELECT is(t.may(p, 'M1', '10:13', 50), 'ok', '§6.5: both limits, the rest') FROM t.mid;
SELECT is(t.may(p, 'M1', '10:13', 50.01), 'KC005', '§6.5: the nearer of two limits decides') FROM t.mid;
SELECT t.settle('S1', '10:14') \g /dev/null
SELECT ok(t.limits_are_right(p, '10:14'), '§6.5: counters after the round in which it was set') FROM t.mid;

-- -------------------------------------------------------------- §6.5: midnight, month, DST nights, in Prague
CREATE FUNCTION t.boundary(what text, last text, first text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(at => '2025-12-01 00:00');
    period text := CASE WHEN what LIKE '%month%' THEN 'month' ELSE 'day' END;
BEGIN
    PERFORM t.set(p, 'stake', period, 100, (t.at(last) - interval '1 hour')::text),
        t.set(p, 'net_loss', period, 150, (t.at(last) - interval '1 hour')::text);
    PERFORM t.stake(p, 'M1', (t.at(last) - interval '30 minutes')::text, 100);
    RETURN NEXT is(t.may(p, 'M2', last, 1), 'KC005', what || ': the last microsecond belongs to it');
    RETURN NEXT is(t.may(p, 'M2', first, 50), 'ok',
                   what || ': the next is another one; the open stake counts there too');
    RETURN NEXT is(t.may(p, 'M2', first, 50.01), 'KC005', what || ': ... in full');
    PERFORM t.settle('M1', first);
    RETURN NEXT ok(t.limits_are_right(p, first), what || ': counters after an evaluation in the new one');
    RETURN NEXT is((SELECT format('%s %s', round(CASE period WHEN 'day' THEN s.staked_day
                                                 ELSE s.staked_month END, 2),
                                                     round(CASE period WHEN 'day' THEN s.lost_day
                                                           ELSE s.lost_month END, 2))
                      FROM casino.limit_state s
                          WHERE s.player_id = p), '0.00 100.00',
                              what || ': staked in the old one, lost in the new one');
    RETURN NEXT is(t.may(p, 'M2', first, 50), 'ok', what || ': the room after it');
    PERFORM t.stake(p, 'M2', first, 50, 'c'), casino.cancel_bet(t.round('M2', first), p, 'c', t.at(first));
    RETURN NEXT ok(t.limits_are_right(p, first), what || ': counters after a stake and its cancellation');
    PERFORM t.sweep();
END $$;
SELECT t.boundary('§6.5: day', '2026-06-02 23:59:59.999999', '2026-06-03 00:00');
SELECT t.boundary('§6.5: month', '2026-06-30 23:59:59.999999', '2026-07-01 00:00');
SELECT t.boundary('§6.5: month of the year', '2026-12-31 23:59:59.999999', '2027-01-01 00:00');
SELECT t.boundary('§6.5: day of 23 hours begins', '2026-03-28 23:59:59.999999+01', '2026-03-29 00:00+01');
SELECT t.boundary('§6.5: day of 23 hours ends', '2026-03-29 23:59:59.999999+02', '2026-03-30 00:00+02');
SELECT t.boundary('§6.5: day of 25 hours begins', '2026-10-24 23:59:59.999999+02', '2026-10-25 00:00+02');
SELECT t.boundary('§6.5: day of 25 hours ends', '2026-10-25 23:59:59.999999+01', '2026-10-26 00:00+01');
SET timezone = 'America/New_York';
SELECT t.boundary('§6.5: day, whatever the session''s time zone', '2026-06-05 23:59:59.999999+02',
                  '2026-06-06 00:00+02');
SET timezone = 'Europe/Prague';
-- a stake of yesterday cancelled today gives yesterday's room back, which nobody needs, and the open stake
CREATE TABLE t.y AS SELECT t.player() AS p;
SELECT t.set(p, 'stake', 'day', 100, '10:00'), t.set(p, 'stake', 'month', 150, '10:00'),
    t.stake(p, 'S1', '23:50', 100, 'y'), t.stake(p, 'M1', '2026-06-02 00:05', 50) FROM t.y \g /dev/null
SELECT casino.cancel_bet(t.round('S1', '2026-06-02 00:06'), p, 'y', t.at('2026-06-02 00:06'))
  FROM t.y \g /dev/null
SELECT ok(t.limits_are_right(p, '2026-06-02 00:06'),
          '§6.5: counters after cancelling a stake of the day before') FROM t.y;
SELECT is(t.may(p, 'M2', '2026-06-02 00:07', 50), 'ok', '§6.5: the day has its rest') FROM t.y;
SELECT is(t.may(p, 'M2', '2026-06-02 00:07', 50.01), 'KC005', '§6.5: of this day') FROM t.y;
SELECT t.sweep() \g /dev/null
-- events dated back within the clock skew, over midnight: the evaluation was dated after, the stake before it
-- (R7.24)
CREATE TABLE t.back AS SELECT t.player() AS p;
SELECT t.set(p, 'stake', 'day', 100, '10:00'), t.play(p, 'M1', '23:00', '2026-06-02 00:00:01', 10),
    t.stake(p, 'M2', '23:59:59', 40, 'b') FROM t.back \g /dev/null
SELECT is((SELECT staked_day FROM casino.limit_state s WHERE s.player_id = t.back.p), 0::numeric,
          '§6.5: a stake dated before an evaluation of the next day counts in its own day') FROM t.back;
SELECT t.sweep() \g /dev/null

-- ---------------------------------------------------------------- §6.5: free wagers cost nothing (R7.20)
SELECT casino.add_game_table('blackjack_free_bet', 'F1', 10, 1000) \g /dev/null
CREATE TABLE t.free AS SELECT t.player() AS p, t.round('F1', '10:00') AS r;
SELECT t.set(p, m, d, 100, '09:00') FROM t.free, unnest('{stake,net_loss}'::text[]) m,
    unnest('{day,month}'::text[]) d \g /dev/null
SELECT casino.place_bet(r, p, 'main@100', NULL, 1, NULL, t.at('10:00')),
    casino.close_betting(r, t.at('10:01')) FROM t.free \g /dev/null
SELECT is(t.verdict(format('SELECT casino.place_bet(%s, %s, %L, NULL, 1, %L, t.at(''10:02''))', r, p, bet,
                           hand)), verdict,
          format('§6.5: all four limits used to the last haléř: %s: %s', bet, verdict))
  FROM t.free, (VALUES ('free_double@100', NULL, 'ok'), ('free_split@100', 2, 'ok'),
                ('double_down@100', NULL, 'KC005'), ('split_pair@100', 2, 'KC005')) v (bet, hand, verdict);
SELECT casino.place_bet(r, p, 'free_split@100', NULL, 1, 2, t.at('10:02')) > 0 FROM t.free \g /dev/null
SELECT is(t.counters(p), '100.00 0.00 | 100.00 0.00 | 100.00', '§6.5: a free wager is not counted')
  FROM t.free;
SELECT casino.settle_round(r,
                           '{"dealer": "Kc 9d", "hands": [{"seat": 1, "hand": 1, "cards": "8c Tc"}, '
                           '{"seat": 1, "hand": 2, "cards": "8d Th 7s"}]}',
                           t.at('10:05')) FROM t.free \g /dev/null
SELECT is(t.counters(p), '100.00 100.00 | 100.00 100.00 | 0.00', '§6.5: and costs nothing when it loses')
  FROM t.free;
SELECT is((casino.cost('free_split@100'::casino.bet), casino.cost('free_double@100'::casino.bet)),
          (0.00, 0.00), '§6.5: free wagers cost nothing, so limits do not see them');

-- ----------------------------------------------------------- §6.5: limits dated before what is known (R7.25)
CREATE TABLE t.dated AS SELECT t.player() AS p, t.player() AS q, t.player() AS lost;
SELECT t.set(p, 'stake', 'day', 500, '10:00:03'), t.set(p, 'stake', 'day', 2000, '10:00:04'),
    t.set(p, 'net_loss', 'day', 5000, '10:00:01') FROM t.dated \g /dev/null
SELECT is((SELECT format('%s %s %s', limit_stake_day, limit_stake_day_next, limit_stake_day_from)
           FROM casino.limit_state WHERE player_id = p),
          '500.00 2000.00 2026-06-08 10:00:04+02',
              '§6.5: a limit dated before one of another kind leaves that as it is') FROM t.dated;
SELECT is(t.may(p, 'M1', '10:01', 500.01), 'KC005', '§6.5: ... in force') FROM t.dated;
-- the first limit, dated before midnight, finds what was staked and lost after it
SELECT t.stake(q, 'M1', '2026-06-02 00:00:01', 400) FROM t.dated \g /dev/null
SELECT t.set(q, 'stake', 'day', 500, '23:59:59') FROM t.dated \g /dev/null
SELECT is(t.counters(q), '400.00 0.00 | 400.00 0.00 | 400.00',
          '§6.5: a first limit dated before midnight counts what was staked after it') FROM t.dated;
SELECT is(t.may(q, 'M1', '2026-06-02 00:00:02', 100.01), 'KC005', '§6.5: ... once the limit is used up')
  FROM t.dated;
SELECT is(t.may(q, 'M1', '2026-06-02 00:00:02', 100), 'ok', '§6.5: ... and not before') FROM t.dated;
SELECT t.sweep() \g /dev/null
SELECT t.play(lost, 'M1', '2026-06-30 23:59:50', '2026-07-01 00:00:01', 400) FROM t.dated \g /dev/null
SELECT t.set(lost, 'net_loss', 'month', 500, '2026-06-30 23:59:59') FROM t.dated \g /dev/null
SELECT is(t.counters(lost), '0.00 400.00 | 0.00 400.00 | 0.00', '§6.5: ... and what was lost after it')
  FROM t.dated;

-- a round evaluated at a time after midnight while stakes are still dated before it (R7.26)
CREATE TABLE t.ahead AS SELECT t.player() AS p, t.player() AS loser;
SELECT t.sweep() \g /dev/null
SELECT t.set(p, 'stake', 'day', 500, '10:00'), t.set(loser, 'net_loss', 'day', 500, '10:00')
  FROM t.ahead \g /dev/null
SELECT t.stake(p, 'M1', '23:59:50', 400), t.stake(loser, 'M1', '23:59:50', 400),
    t.settle('M1', '2026-06-02 00:00:03') FROM t.ahead \g /dev/null
SELECT is(t.may(p, 'M2', '23:59:58', 100.01), 'KC005',
          '§6.5: an evaluation dated after midnight frees no limit of the day before') FROM t.ahead;
SELECT is(t.detail(format('SELECT t.stake(%s, ''M2'', ''23:59:58'', 100.01)', p)),
          '400.00 CZK of it are used, 100.01 CZK were to be staked (D4 §6.5).',
              '§6.5: ... the DETAIL has what was used then') FROM t.ahead;
SELECT is(t.may(loser, 'M2', '23:59:58', 100.01), 'KC005', '§6.5: ... nor what was open then and is lost')
  FROM t.ahead;
SELECT is(t.may(loser, 'M2', '23:59:58', 100), 'ok', '§6.5: ... the rest may be staked') FROM t.ahead;
SELECT t.stake(p, 'M2', '23:59:58', 100, 'rest') FROM t.ahead \g /dev/null
SELECT is(t.counters(p), '0.00 400.00 | 500.00 400.00 | 100.00', '§6.5: ... and leaves the new day its own')
  FROM t.ahead;
SELECT ok(t.limits_are_right(p, '2026-06-02 00:00:03'), '§6.5: ... as recomputed') FROM t.ahead;
SELECT casino.cancel_bet(t.round('M2', '23:59:58'), p, 'rest', t.at('23:59:59')) FROM t.ahead \g /dev/null
SELECT is(t.counters(p), '0.00 400.00 | 400.00 400.00 | 0.00', '§6.5: ... cancelled it was never placed')
  FROM t.ahead;
SELECT is(t.may(p, 'M2', '2026-06-02 00:00:04', 500), 'ok', '§6.5: the new day has its whole limit')
  FROM t.ahead;

-- --------------------- §6.2: a person's exclusions, by the number of any account (R7.19, R7.122)
CREATE TABLE t.reopened AS SELECT t.player(0) AS former, NULL::bigint AS next, NULL::bigint AS p;
SELECT casino.close_account(former) FROM t.reopened \g /dev/null
SELECT throws_ok(format('SELECT casino.set_limit(%s, ''stake'', ''day'', 10)', former), '55000', NULL,
                 'R7.27: §6.5: a closed account takes no limit, which would bind nobody') FROM t.reopened;
UPDATE t.reopened SET next = casino.register_player((SELECT external_ref FROM casino.player x
                                                     WHERE x.player_id = former));
SELECT casino.exclude_player(next, clock_timestamp() + interval '1 day', 'self') FROM t.reopened \g /dev/null
SELECT casino.close_account(next) FROM t.reopened \g /dev/null
UPDATE t.reopened SET p = casino.register_player((SELECT external_ref FROM casino.player x
                                                  WHERE x.player_id = former));
SELECT is((casino.exclude_player(former, NULL, 'register', t.at('2099-06-01 10:00'))), 1,
          '§6.2: the register knows the person''s first account') FROM t.reopened;
SELECT is((SELECT array_agg(format('%s %s %s', player_id - former, exclusion_no, source)
                            ORDER BY player_id, exclusion_no) FROM casino.exclusion
                                WHERE player_id IN (former, next, p)),
          (SELECT ARRAY['0 1 register', format('%s 1 self', next - former),
                        format('%s 2 register', next - former), format('%s 1 self', p - former),
                            format('%s 2 register', p - former)]),
          '§6.2: ... and the exclusion is of those opened since too') FROM t.reopened;
SELECT is(t.verdict(format('SELECT casino.deposit(%s, 1, at => t.at(''2099-06-01 10:01''))', p)), 'KC004',
          '§6.2: ... for ever') FROM t.reopened;
SELECT is(casino.exclude_player(former, NULL, 'register', t.at('2099-06-01 10:00')), 1,
          '§6.2: asked again, it is the same') FROM t.reopened;
SELECT is((SELECT count(*) FROM casino.exclusion WHERE player_id = p), 2::bigint, '§6.2: ... there too')
  FROM t.reopened;

-- ---------------------------------------------------------------- §6.5: a new account within seven days
CREATE TABLE t.acc AS SELECT t.player(1000, '2025-01-01 00:00') AS p, t.player(1000, '2025-01-01 00:00') AS q,
    NULL::bigint AS p2, NULL::bigint AS q2;
SELECT casino.set_limit(p, 'stake', 'month', 1500, clock_timestamp() - interval '30 days'),
    casino.set_limit(q, 'stake', 'month', 500, clock_timestamp() - interval '30 days') FROM t.acc \g /dev/null
SELECT throws_ok(format('SELECT casino.close_account(%s)', p), '55000', NULL,
                 '§6.5: an account with money is not closed') FROM t.acc;
SELECT t.stake(p, 'M1', (clock_timestamp() - interval '8 days')::text, 1000),
    t.stake(q, 'M1', (clock_timestamp() - interval '8 days')::text, 400) FROM t.acc \g /dev/null
SELECT throws_ok(format('SELECT casino.close_account(%s)', p), '55000', NULL,
                 '§6.5: nor one with open wagers') FROM t.acc;
SELECT t.settle('M1', (clock_timestamp() - interval '8 days')::text) \g /dev/null
SELECT casino.adjust(q, -600, 'emptied', at => clock_timestamp() - interval '8 days') FROM t.acc \g /dev/null
SELECT casino.close_account(p, clock_timestamp() - interval '7 days' + interval '1 minute'),
    casino.close_account(q, date_trunc('day', clock_timestamp()) - interval '7 days 1 microsecond')
        FROM t.acc \g /dev/null
SELECT throws_ok(format('SELECT casino.deposit(%s, 1)', p), '55000', NULL,
                 'a closed account takes no deposit') FROM t.acc;
SELECT is(t.may(p, 'M1', clock_timestamp()::text), '55000', 'nor a stake') FROM t.acc;
UPDATE t.acc SET p2 = casino.register_player((SELECT external_ref FROM casino.player x
                                              WHERE x.player_id = p)),
                 q2 = casino.register_player((SELECT external_ref FROM casino.player x
                                              WHERE x.player_id = q));
SELECT casino.deposit(p2, 5000), casino.deposit(q2, 5000) FROM t.acc \g /dev/null
SELECT is((SELECT array_agg(format('%s %s %s', measure, period, amount)) FROM casino.player_limit
           WHERE player_id = p2), '{stake month 1500.00}',
               '§6.5: opened again within seven days the account has the limits') FROM t.acc;
SELECT is((SELECT l FROM casino.limit_state l WHERE l.player_id = p2) IS NULL, false,
          '§6.5: ... and the counters') FROM t.acc;
SELECT is(t.may(p2, 'M1', clock_timestamp()::text, 1500.01), 'KC005', '§6.5: ... which are in force')
  FROM t.acc;
SELECT is((SELECT count(*) FROM casino.limit_state s
           WHERE s.player_id = p2 AND s.staked_month >= CASE
               WHEN s.month = casino.prague_month(clock_timestamp() - interval '8 days') THEN 1000
                   ELSE 0 END), 1::bigint,
          '§6.5: ... of the month in which they were staked') FROM t.acc;
SELECT casino.close_account(p3) FROM (SELECT p2 AS p3, casino.adjust(p2, -5000, 'emptied')
                                      FROM t.acc) x \g /dev/null
ALTER TABLE t.acc ADD p3 bigint;
UPDATE t.acc SET p3 = casino.register_player((SELECT external_ref FROM casino.player x
                                              WHERE x.player_id = p));
SELECT ok(t.limits_are_right(p3, clock_timestamp()::text),
          '§6.5: opened a third time, the counters are those of all three accounts, from the ledger alone')
              FROM t.acc;
SELECT is((SELECT count(*) FROM casino.player_limit WHERE player_id = q2), 0::bigint,
          '§6.5: opened after seven calendar days it has none') FROM t.acc;
SELECT is(t.may(q2, 'M1', clock_timestamp()::text, 5000), 'ok', '§6.5: ... and is free') FROM t.acc;

SELECT is((SELECT count(*) FROM casino.limit_state s
           JOIN casino.player p USING (player_id),
               LATERAL (SELECT max(at) AS at FROM (SELECT posted_at FROM casino.ledger l
                                                   WHERE l.player_id = s.player_id
                                                       UNION ALL SELECT requested_at
                                                           FROM casino.player_limit l
                                                               WHERE l.player_id = s.player_id) x (at)) e
            WHERE NOT t.limits_are_right(s.player_id,
                                         greatest(e.at,
                                                  s.day::timestamp AT TIME ZONE 'Europe/Prague')::text)),
                                                      0::bigint,
          '§6.5: at the end all counters are those of the ledger, those that a new account took over too');
SELECT * FROM finish();
