-- End of betting (D4 Roulette (Synot) §7, Blackjack §7): a stake dated after close_betting(at), or after
-- settle_round(at) or void_round(at) of a round still open, was never placed and goes back as late, with what
-- depends on it; one dated exactly then stands.  An evaluation, or the end of the decisions, dated before an
-- in-play wager is KL005.
\ir ../helpers/compliance.psql
SELECT no_plan();

CREATE TABLE t.case (name text PRIMARY KEY, p bigint NOT NULL DEFAULT t.player(100000), r bigint);
CREATE FUNCTION t.p(n text) RETURNS bigint LANGUAGE sql AS 'SELECT p FROM t.case WHERE name = n';
CREATE FUNCTION t.r(n text) RETURNS bigint LANGUAGE sql AS 'SELECT r FROM t.case WHERE name = n';
-- what became of a player's stakes in a round: status and reason, in the order of the entries
CREATE FUNCTION t.ends(p bigint, r bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(w.status || coalesce(' ' || f.reason, ''), ', ' ORDER BY w.entry_no)
      FROM casino.wager w LEFT JOIN casino.ledger f ON f.player_id = w.player_id
          AND f.entry_no = w.paid_entry_no AND f.kind = 'refund'
     WHERE w.player_id = p AND w.round_id = r $$;
CREATE FUNCTION t.books() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is((SELECT count(*) FROM casino.player p WHERE p.balance IS DISTINCT FROM
                  (SELECT coalesce(sum(s.change), 0) FROM casino.statement s
                   WHERE s.player_id = p.player_id)), 0::bigint, 'balances are the sums of the ledger')
    UNION ALL
    SELECT is((SELECT sum(balance) FROM casino.trial_balance), 0.00, 'the trial balance is zero')
    UNION ALL
    SELECT is((SELECT count(*) FROM casino.player p WHERE NOT t.sequence_is_right(p.player_id)), 0::bigint,
              '§8: every row is what the ledger alone gives')
    UNION ALL
    SELECT is((SELECT count(*) FROM casino.ledger f
               JOIN casino.ledger s ON s.player_id = f.player_id AND s.entry_no = f.stake_entry_no
                WHERE f.kind = 'refund' AND f.posted_at < s.posted_at), 0::bigint,
                    'no refund is dated before its stake') $$;

-- -------------------------------------------------------------------------------------- the boundary (R11.8)
-- each way of ending: what it is called with, and which stake after it would be late
CREATE FUNCTION t.boundary(way text, command text, inserted boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(1000);
    q bigint := t.player(1000);
    r bigint := t.round('M1', '10:00');
BEGIN
    IF inserted THEN
        INSERT INTO casino.ledger (player_id, kind, round_id, bet, posted_at)
        VALUES (p, 'stake', r, 'red@100', t.at('10:01')),
            (q, 'stake', r, 'red@100', t.at('10:01') + interval '1 us');
    ELSE
        PERFORM casino.place_bet(r, p, 'red@100', at => t.at('10:01')),
                casino.place_bet(r, q, 'red@100', 'late', at => t.at('10:01') + interval '1 us');
    END IF;
    EXECUTE format(command, r);
    RETURN NEXT is(t.ends(p, r), CASE way WHEN 'void' THEN 'refunded voided' WHEN 'close' THEN 'open'
                   ELSE 'won' END, way || ': a stake dated exactly then stands');
    RETURN NEXT is(t.ends(q, r), 'refunded late', way || ': one dated a microsecond later goes back');
    RETURN NEXT is((SELECT balance FROM casino.player WHERE player_id = q), 1000.00, way || ': as a whole');
    IF way = 'close' THEN
        PERFORM casino.settle_round(r, '{"number": 1}', t.at('10:02'));
    END IF;
    RETURN NEXT is((SELECT (s.wagers, s.players, s.staked, s.paid) FROM casino.round s WHERE s.round_id = r),
                   (1::bigint, 1::bigint, 100::numeric, CASE way WHEN 'void' THEN 100 ELSE 200 END::numeric),
                   way || ': the settlement counts it not');
    RETURN NEXT is((SELECT count(*) FROM casino.evaluation e WHERE e.round_id = r AND e.player_id = q),
                   0::bigint, way || ': nor does the evaluation');
END $$;
SELECT b FROM (VALUES ('close', 'SELECT casino.close_betting(%s, t.at(''10:01''))'),
                      ('settle', 'SELECT casino.settle_round(%s, ''{"number": 1}'', t.at(''10:01''))'),
                      ('withhold',
                       'SELECT casino.settle_round(%s, ''{"number": 1}'', t.at(''10:01''), true); '
                       'SELECT casino.pay_withheld(max(round_id), t.at(''10:02'')) FROM casino.round'),
                      ('void', 'SELECT casino.void_round(%s, ''camera'', t.at(''10:01''))')) v (way, command),
              unnest(ARRAY[false, true]) inserted, LATERAL t.boundary(way, command, inserted) b;

-- -------------------------------------------------------------------------------- by the clock, skew an hour
INSERT INTO t.case (name) VALUES ('clock'), ('ahead');
SET casino.clock_skew = '1 h';
UPDATE t.case SET r = casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'M2'), 'clock',
                                        clock_timestamp() - interval '45 min');
SELECT casino.place_bet(r, p, 'straight:17@1000') FROM t.case WHERE name = 'clock' \g /dev/null
SELECT casino.close_betting(r, clock_timestamp() - interval '40 min') FROM t.case
 WHERE name = 'clock' \g /dev/null
SELECT is((casino.settle_round(r, '{"number":17}', clock_timestamp() - interval '30 min')).paid, 0.00,
          'a stake 40 minutes after the close wins nothing')
  FROM t.case WHERE name = 'clock';
SELECT is((SELECT balance FROM casino.player WHERE player_id = t.p('clock')), 100000.00,
          '... and is returned');
UPDATE t.case SET r = casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'M2'), 'ahead');
SELECT casino.place_bet(r, p, 'red@10'), casino.place_bet(r, p, 'red@20',
                                                          at => clock_timestamp() + interval '49 min')
                                                              FROM t.case WHERE name = 'ahead' \g /dev/null
SELECT casino.close_betting(r) FROM t.case WHERE name = 'ahead' \g /dev/null
SELECT is(t.ends(p, r), 'open, refunded late',
          'a close without a time is now: what is dated ahead of it is late') FROM t.case
              WHERE name = 'ahead';
SELECT casino.settle_round(r, '{"number": 0}') FROM t.case WHERE name = 'ahead' \g /dev/null
SET casino.clock_skew = -1;

-- ------------------------------------------------------------------------------- state of the duties, limits
-- a late stake leaves the player as he was: new, in a sequence, due a break, at the table
-- before
CREATE FUNCTION t.as_before(case_name text, first text, last text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    p bigint := t.player(100000);
    before jsonb;
    limits casino.limit_state;
    r bigint;
BEGIN
    PERFORM casino.set_limit(p, 'stake', 'day', 5000, t.at('09:00')),
        casino.set_limit(p, 'net_loss', 'month', 9000, t.at('09:00'));
    IF first IS NOT NULL THEN
        PERFORM t.run(p, t.at(first), last::interval);
    END IF;
    before := t.state(p);
    SELECT * INTO limits FROM casino.limit_state s WHERE s.player_id = p;
    r := t.round('S1', '12:59');
    PERFORM casino.place_bet(r, p, 'red@500', 'x', at => t.at('13:00')),
        casino.place_bet(r, p, 'black@300', 'y', at => t.at('13:00'));
    PERFORM casino.close_betting(r, t.at('12:59:59'));
    RETURN NEXT is(t.state(p), before, case_name || ': his row is as before');
    RETURN NEXT is((SELECT s FROM casino.limit_state s WHERE s.player_id = p), limits,
                   case_name || ': his counters too');
    RETURN NEXT ok(t.limits_are_right(p, '13:00'), case_name || ': which are what the ledger gives');
    RETURN NEXT ok(t.sequence_is_right(p), case_name || ': and so is his sequence');
    RETURN NEXT is(t.may(p, 'E1', '13:00'), 'ok', case_name || ': another live table takes him at once');
    PERFORM t.settle('S1', '13:05');
    RETURN NEXT is(t.state(p), before, case_name || ': the evaluation changes nothing of his');
END $$;
SELECT t.as_before('new', NULL, NULL);
SELECT t.as_before('in a sequence', '11:30', '80 minutes');
SELECT t.as_before('after a break', '10:00', '130 minutes');

-- some of his stakes stay: he takes part since the first of them
INSERT INTO t.case (name) VALUES ('some');
UPDATE t.case SET r = t.round('S1', '14:00') WHERE name = 'some';
SELECT casino.set_limit(p, 'stake', 'day', 1000, t.at('14:00')),
    casino.place_bet(r, p, 'red@100', 'a', at => t.at('14:00')),
       casino.place_bet(r, p, 'red@50', 'b', at => t.at('14:01')),
           casino.place_bets(r, p, '{black@20,odd@30}', 'c', at => t.at('14:02'))
  FROM t.case WHERE name = 'some' \g /dev/null
SELECT casino.close_betting(r, t.at('14:00:30')) FROM t.case WHERE name = 'some' \g /dev/null
SELECT is(t.ends(p, r), 'open, refunded late, refunded late, refunded late',
          'the stake before the close stays') FROM t.case WHERE name = 'some';
SELECT ok(t.limits_are_right(p, '14:02'), 'the counters hold what stays') FROM t.case WHERE name = 'some';
SELECT is((SELECT staked_day FROM casino.limit_state WHERE player_id = t.p('some')), 100.00,
          '... and no more');
SELECT ok(t.sequence_is_right(p), 'the sequence starts with it') FROM t.case WHERE name = 'some';
SELECT is(t.may(p, 'E1', '14:03'), 'KC002', '§8.2: he takes part') FROM t.case WHERE name = 'some';

-- retries: the request is answered, its cancellation too, and no second close changes anything
SELECT is(casino.place_bets(r, p, '{black@20,odd@30}', 'c', at => t.at('14:02')), ARRAY[4, 5]::bigint[],
          'the retry of a late request is answered')
  FROM t.case, generate_series(1, 2) WHERE name = 'some';
SELECT is(casino.cancel_bet(r, p, 'c', t.at('14:03')), ARRAY[7, 8]::bigint[],
          'its cancellation gives the refunds')
  FROM t.case, generate_series(1, 2) WHERE name = 'some';
SELECT throws_ok(format('SELECT casino.cancel_bet(%s, %s, ''a'', t.at(''14:03''))', r, p), 'KB001', NULL,
                 'what stays cannot be cancelled')
  FROM t.case WHERE name = 'some';
CREATE TABLE t.entries AS SELECT count(*) AS n FROM casino.ledger;
SELECT lives_ok(format('SELECT casino.close_betting(%s, %L)', r, at), 'closing again, at ' || at)
  FROM t.case, unnest(ARRAY[t.at('13:59'), t.at('14:00:10'), t.at('14:05')]) at WHERE name = 'some';
SELECT is((SELECT count(*) FROM casino.ledger), n, '... changes nothing') FROM t.entries;
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = t.r('some')), t.at('14:00:30'),
          '... and betting was closed when it was');
SELECT t.settle('S1', '14:10') \g /dev/null
SELECT ok(t.limits_are_right(p, '14:10') AND t.sequence_is_right(p), 'after the evaluation too') FROM t.case
 WHERE name = 'some';

-- an outcome that cannot be is refused, and nothing went back
INSERT INTO t.case (name) VALUES ('illegal');
UPDATE t.case SET r = t.round('B1', '14:30') WHERE name = 'illegal';
SELECT casino.place_bet(r, p, 'player@100', at => t.at('14:31')) FROM t.case
 WHERE name = 'illegal' \g /dev/null
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"player": "9h Kd", "banker": "9h 9h 9h"}'',
                                                    t.at(''14:30''))',
                        r),
                 'KR001', NULL, 'an illegal outcome')
  FROM t.case WHERE name = 'illegal';
SELECT is(t.ends(p, r), 'open', '... returns nothing') FROM t.case WHERE name = 'illegal';
SELECT casino.void_round(r, 'camera', t.at('14:31')) FROM t.case WHERE name = 'illegal' \g /dev/null

-- ---------------------------------------------------------------------------------------- what depends on it
SELECT casino.add_game_table('blackjack_synot', 'BJ', 10, 1000, '{"behind": true}') \g /dev/null
CREATE FUNCTION t.box(at text) RETURNS bigint LANGUAGE sql AS $$
    SELECT casino.open_round((SELECT table_id FROM casino.game_table WHERE name = 'BJ'),
                             'box ' || nextval('t.serial'), t.at(at)) $$;
-- stakes of the three players in one round of the table, each "name time bets"; returns the round
CREATE FUNCTION t.boxes(opened text, VARIADIC stakes text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := t.box(opened);
    s text[];
BEGIN
    INSERT INTO t.case (name) VALUES ('owner ' || r), ('behind ' || r), ('beside ' || r);
    FOR s IN SELECT regexp_split_to_array(x, ' ') FROM unnest(stakes) x LOOP
        PERFORM casino.place_bets(r, t.p(s[1] || ' ' || r), s[3]::casino.bet[], s[1] || ' ' || s[2],
                                  seat => CASE s[1] WHEN 'beside' THEN 2 ELSE 1 END, at => t.at(s[2]));
    END LOOP;
    RETURN r;
END $$;
CREATE FUNCTION t.after(r bigint) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(x || ': ' || t.ends(t.p(x || ' ' || r), r), '; ' ORDER BY n)
      FROM unnest(ARRAY['owner', 'behind', 'beside']) WITH ORDINALITY u (x, n)
          WHERE t.ends(t.p(x || ' ' || r), r) IS NOT NULL $$;

SELECT t.boxes('15:00', 'owner 15:00:00 {main@100}', 'behind 15:00:10 {behind@50}',
               'beside 15:00:10 {main@20}', 'owner 15:00:20 {21+3@10}') AS r \gset
SELECT casino.close_betting(:r, t.at('15:00:10')) \g /dev/null
SELECT is(t.after(:r), 'owner: open, refunded late; behind: open; beside: open',
          'a late side bet goes back alone');
SELECT casino.void_round(:r, 'x', t.at('15:01')) \g /dev/null
SELECT t.boxes('15:10', 'owner 15:10:20 {main@100,21+3@10,top3@20}', 'behind 15:10:00 {behind@50}',
               'beside 15:10:10 {main@20}') AS r \gset
SELECT casino.close_betting(:r, t.at('15:10:10')) \g /dev/null
SELECT is(t.after(:r),
          'owner: refunded late, refunded late, refunded late; behind: refunded late; beside: open',
    'a late main bet goes back with its side bets, and with the bets behind it, whenever they were placed');
SELECT ok(t.sequence_is_right(t.p('behind ' || :r))
          AND (SELECT last_round_id FROM casino.player WHERE player_id = t.p('behind ' || :r)) IS NULL,
          'who bet behind never took part');
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 2, "cards": "Ts 9d"}]}',
                               t.at('15:11'))).wagers, 1::bigint,
          'the outcome needs no hand for the box that is empty');
SELECT t.boxes('15:20', 'owner 15:20:00 {main@100}', 'behind 15:20:20 {behind@50}') AS r \gset
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "Ts 9d"}]}',
                               t.at('15:20:10'))).wagers, 1::bigint, 'a round settled while betting is open');
SELECT is(t.after(:r), 'owner: won; behind: refunded late', 'R11.9: a late bet behind goes back alone');
SELECT t.boxes('15:30', 'owner 15:30:20 {main@100}', 'behind 15:30:00 {behind@50}',
               'beside 15:30:00 {main@10}') AS r \gset
SELECT is((casino.void_round(:r, 'camera', t.at('15:30:10'))).wagers, 1::bigint,
          'a round voided while betting is open');
SELECT is(t.after(:r), 'owner: refunded late; behind: refunded late; beside: refunded voided',
          '... returns what came later as late');
-- check_outcome() answers as settle_round() then does, also where a late main bet leaves a box empty
SELECT t.boxes('15:35', 'owner 15:35:20 {main@100,21+3@10}', 'behind 15:35:00 {behind@50}',
               'beside 15:35:00 {main@10}') AS r \gset
SELECT throws_ok(format($$SELECT casino.check_outcome(%s, '{"dealer": "9h 8c", "hands": [
                            {"seat": 1, "cards": "Ks 9c"}, {"seat": 2, "cards": "Ts 9d"}]}',
                                                      t.at('15:35:10'))$$, :r),
                 'KR001', NULL, 'R11.9: a hand of the box that goes back is refused by check_outcome(), too');
SELECT casino.check_outcome(:r, '{"dealer": "9h 8c", "hands": [{"seat": 2, "cards": "Ts 9d"}]}',
                            t.at('15:35:10'))::text AS checked \gset
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 2, "cards": "Ts 9d"}]}',
                               t.at('15:35:10')))::text, :'checked',
          'R11.9: check_outcome() leaves out the bets behind a late main bet, as settle_round() does');
SELECT is(t.after(:r), 'owner: refunded late, refunded late; behind: refunded late; beside: won',
          '... and so it was');
SELECT t.boxes('15:40', 'owner 15:40:00 {main@15}', 'owner 15:40:10 {main@20}') AS r \gset
SELECT casino.close_betting(:r, t.at('15:40:05')) \g /dev/null
SELECT is(t.after(:r), 'owner: open, refunded late', 'of a position the chips that came later');

-- -------------------------- taken back before the end becomes known: in by then, or never in (R11.8, R13.35)
CREATE FUNCTION t.night_of(p bigint) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT f.rule || ' ' || f.entry_no FROM casino_internal.check_refund('2026-06-01', '2026-06-01') f
     WHERE f.player_id = p
    UNION ALL
    SELECT f.rule || ' ' || f.entry_no FROM casino_internal.check_late_stake('2026-06-01', '2026-06-01') f
     WHERE f.player_id = p
$$;
SELECT t.player(100) AS before, t.player(100) AS exactly, t.player(100) AS after, t.player(100) AS gone,
       t.round('S2', '16:00') AS taken \gset
SELECT casino.place_bet(:taken, :before, 'red@10', 'k', at => t.at('16:00:04')),
       casino.place_bet(:taken, :exactly, 'red@10', 'k', at => t.at('16:00:05')),
       casino.place_bet(:taken, :after, 'red@10', 'k', at => t.at('16:00:05.000001')),
       casino.place_bet(:taken, :gone, 'red@10', 'k', at => t.at('16:00:06')) \g /dev/null
SELECT casino.cancel_bet(:taken, p, 'k', at => t.at('16:00:07'))
  FROM unnest(ARRAY[:before, :exactly, :after]) p \g /dev/null
SELECT casino.disconnect(:taken, :gone, t.at('16:00:07')) \g /dev/null
SELECT casino.close_betting(:taken, t.at('16:00:05')) \g /dev/null
SELECT casino.settle_round(:taken, '{"number": 0}', t.at('16:00:20')) \g /dev/null
SELECT is(ARRAY(SELECT t.night_of(:before)), '{taken_back_late 2}', 'R13.35: it lay there at the end');
SELECT is(ARRAY(SELECT t.night_of(:exactly)), '{taken_back_late 2}', 'R13.35: ... also at that instant');
SELECT is(ARRAY(SELECT t.night_of(:after)), '{}', 'R11.8: staked after the end and cancelled: never in');
SELECT is(ARRAY(SELECT t.night_of(:gone)), '{}', 'R11.8: ... nor was what went back by a disconnection');

-- ------------------------------------------------------------------------------------ in play: KL005 (R12.8)
SELECT throws_ok(format('SELECT casino.place_bet(%s, %s, ''double_down@15'', seat => 1,
                                                 at => t.at(''15:40:04.999999''))',
                        :r, t.p('owner ' || :r)),
                 'KL005', NULL, 'an in-play wager dated before the close');
SELECT throws_ok(format('INSERT INTO casino.ledger (player_id, kind, round_id, bet, seat, posted_at)
                         VALUES (%s, ''stake'', %s, ''double_down@15'', 1, t.at(''15:40:09''))',
                        t.p('owner ' || :r), :r),
                 'KL005', NULL, 'an in-play wager dated before the refund');
SELECT casino.place_bet(:r, t.p('owner ' || :r), 'double_down@15', seat => 1,
                        at => t.at('15:41')) \g /dev/null
SELECT throws_ok(format(command, :r, '15:40:59.999999'), 'KL005', NULL,
                 'before an in-play wager: ' || command)
  FROM unnest(ARRAY['SELECT casino.close_actions(%s, t.at(%L))',
                    'SELECT casino.void_round(%s, ''x'', t.at(%L))',
                    'SELECT casino.settle_round(%s, ''{"dealer": "9h 8c", '
                    '"hands": [{"seat": 1, "cards": "5s 6d Ts"}]}'', t.at(%L))']) command;
SELECT lives_ok(format('SELECT casino.close_actions(%s, t.at(''15:41''))', :r),
                'decisions end with the last of them');
SELECT throws_ok(format('SELECT casino.settle_round(%s, ''{"dealer": "9h 8c", '
                        '"hands": [{"seat": 1, "cards": "5s 6d Ts"}]}'', t.at(''15:40:59''))', :r),
                 'KL005', NULL, 'nor is it settled before their end');
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "5s 6d Ts"}]}',
                               t.at('15:41'))).paid, 60.00, 'it is settled with the last of them');
-- a time that nobody gave comes after what it evaluates, however the clock stands
SELECT t.boxes('2099-01-01 12:00', 'owner 2099-01-01T12:01 {main@15}') AS r \gset
SELECT casino.close_betting(:r, t.at('2099-01-01 12:02')),
    casino.place_bet(:r, t.p('owner ' || :r), 'double_down@15', seat => 1,
                     at => t.at('2099-01-01 12:03')) \g /dev/null
SELECT casino.close_actions(:r) \g /dev/null
SELECT is((SELECT actions_closed_at FROM casino.round WHERE round_id = :r), t.at('2099-01-01 12:03'),
          'close_actions() without a time, behind a wager dated ahead');
SELECT is((casino.settle_round(:r, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "5s 6d Ts"}]}')).at,
          t.at('2099-01-01 12:03'), 'settle_round() too');

SELECT t.books();
SELECT * FROM finish();
