-- The time of an event.  One that is not given (NULL, the default) is the clock's when the call could act,
-- moved past what the records show already; one that is given is held against the clock, and refused where
-- something later went ahead.  What waits for locks is in test/isolation/specs/waiting_times.
\ir ../helpers/compliance.psql
SELECT no_plan();
RESET casino.clock_skew;

-- -------------------------------------------------------------------------------------------- the signatures
SELECT is((SELECT string_agg(DISTINCT p.proname, ' ') FROM pg_proc p
            WHERE p.pronamespace = ANY (casino_internal.schemas())
              AND p.provolatile = 'v'
              AND p.proname <> 'explain_break'
              AND pg_get_function_arguments(p.oid)
                  LIKE '%at timestamp with time zone DEFAULT clock_timestamp()%'),
          NULL, 'only questions take the clock''s time before they are called');
SELECT is((SELECT count(*) FROM pg_proc p WHERE p.pronamespace = ANY (casino_internal.schemas())
           AND p.proisstrict
              AND pg_get_function_arguments(p.oid) ~ 'at timestamp with time zone DEFAULT NULL'), 0::bigint,
                  'no function whose time may be NULL is STRICT');

-- ----------------------------------------------------------------------------------------------- NULL is now
CREATE FUNCTION t.table(name text)
RETURNS bigint
LANGUAGE sql AS 'SELECT table_id FROM casino.game_table g WHERE g.name = $1';
CREATE TABLE t.who AS SELECT n AS name, casino.register_player(n) AS p
    FROM unnest(ARRAY['null', 'left out', 'refused', 'ahead', 'lost', 'closing']) n;
CREATE FUNCTION t.p(n text) RETURNS bigint LANGUAGE sql AS 'SELECT p FROM t.who WHERE name = n';
-- every function that has a time, with it as NULL and left out; each must act now
CREATE FUNCTION t.all_of(p bigint, at text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    begun timestamptz := clock_timestamp();
    r bigint;
    w bigint;
    done timestamptz;
BEGIN
    EXECUTE format('SELECT casino.deposit(%s, 1000 %s)', p, at);
    EXECUTE format('SELECT casino.adjust(%s, 1, ''why'' %s)', p, at);
    EXECUTE format('SELECT casino.open_round(t.table(''BJ''), %L %s)', 'settled' || at, at) INTO r;
    EXECUTE format('SELECT casino.place_bet(%s, %s, ''main@100'', ''a'', 1 %s)', r, p, at);
    EXECUTE format('SELECT casino.place_bets(%s, %s, ''{main@100}'', ''b'', 2 %s)', r, p, at);
    EXECUTE format('SELECT casino.try_place_bets(%s, %s, ''{main@100}'', ''c'', 3 %s)', r, p, at);
    EXECUTE format('SELECT casino.try_place_bets(%s, %s, ''{main@1}'', ''d'', 4 %s)', r, p, at);
    EXECUTE format('SELECT casino.cancel_bet(%s, %s, ''a'' %s)', r, p, at);
    EXECUTE format('SELECT casino.cancel_bet(%s, %s, ''never'' %s)', r, p, at);
    EXECUTE format('SELECT casino.disconnect(%s, %s %s)', r, p, at);
    EXECUTE format('SELECT casino.place_bet(%s, %s, ''main@100'', NULL, 1 %s)', r, p, at);
    EXECUTE format('SELECT casino.close_betting(%s %s)', r, at);
    EXECUTE format('SELECT casino.deal(%s,
                                       ''{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d"}]}'' %s)',
                   r, at);
    EXECUTE format('SELECT casino.place_bet(%s, %s, ''double_down@100'', NULL, 1 %s)', r, p, at);
    EXECUTE format('SELECT casino.close_actions(%s %s)', r, at);
    EXECUTE format('SELECT casino.settle_round(%s, ''{"dealer": "9h 8c", '
                   '"hands": [{"seat": 1, "cards": "5s 6d Ts"}]}'' %s)',
                   r,
                   CASE at WHEN '' THEN ', withhold => true' ELSE at || ', withhold => true' END);
    EXECUTE format('SELECT casino.pay_withheld(%s %s)', r, at);
    EXECUTE format('SELECT casino.open_round(t.table(''BJ''), %L %s)', 'voided' || at, at) INTO r;
    EXECUTE format('SELECT casino.void_round(%s, ''why'' %s)', r, at);
    EXECUTE format('SELECT casino.request_withdrawal(%s, 10, ''cash'' %s)', p, at) INTO w;
    EXECUTE format('SELECT casino.cancel_withdrawal(%s %s)', w, at);
    EXECUTE format('SELECT casino.request_withdrawal(%s, 10, ''cash'' %s)', p, at) INTO w;
    EXECUTE format('SELECT casino.pay_withdrawal(%s %s)', w, at);
    EXECUTE format('SELECT casino.set_limit(%s, ''stake'', ''day'', 5000 %s)', p, at);
    EXECUTE format('SELECT casino.exclude_player(%s, NULL, ''self'' %s)', p, at);
    done := clock_timestamp();
    RETURN NEXT is((SELECT count(*) FROM casino.ledger l
                    WHERE l.player_id = p AND l.posted_at NOT BETWEEN begun
                        AND done), 0::bigint, 'entries are of now, at' || at);
    RETURN NEXT is((SELECT count(*) FROM casino.ledger l WHERE l.player_id = p), 16::bigint,
                   'and none is missing');
    RETURN NEXT is((SELECT count(*) FROM casino.round x,
                    unnest(ARRAY[x.opened_at, x.betting_closed_at, x.actions_closed_at, x.evaluated_at,
                                 x.withheld_paid_at]) y
                     WHERE x.round_ref IN ('settled' || at, 'voided' || at) AND y NOT BETWEEN begun
                         AND done), 0::bigint, 'so are the rounds'' times');
    RETURN NEXT is((SELECT array_agg(x BETWEEN begun AND done) FROM (
                        SELECT refused_at FROM casino.refusal q WHERE q.player_id = p
                         UNION ALL SELECT cancelled_at FROM casino.cancelled_request q WHERE q.player_id = p
                        UNION ALL SELECT requested_at FROM casino.player_limit q WHERE q.player_id = p
                            UNION ALL SELECT excluded_from FROM casino.exclusion q
                                WHERE q.player_id = p) s (x)),
                   '{t,t,t,t}', 'and refusals, cancellations, limits, exclusions');
END $$;
SELECT casino.add_game_table('blackjack_synot', 'BJ', 10, 1000) \g /dev/null
SELECT t.all_of(t.p('null'), ', at => NULL');
SELECT t.all_of(t.p('left out'), '');
SELECT clock_timestamp() AS before \gset
SELECT casino.close_account(t.p('closing'), NULL) \g /dev/null
SELECT ok(closed_at BETWEEN :'before' AND clock_timestamp(), 'close_account() too') FROM casino.player
 WHERE player_id = t.p('closing');
SELECT is(casino_internal.event_time(NULL, clock_timestamp() - interval '1 h') BETWEEN :'before'
          AND clock_timestamp(), true, 'event_time() of NULL is the clock''s');
SELECT throws_ok(format('SELECT casino.%s(NULL)', f), '22004', NULL, f || '() of no withdrawal')
  FROM unnest(ARRAY['pay_withdrawal', 'cancel_withdrawal']) f;

-- ----------------------------------------------------------------------- moved past what is recorded (R12.7)
SET casino.clock_skew = '1 min';
SELECT clock_timestamp() + interval '50 s' AS ahead \gset
SELECT casino.deposit(t.p('ahead'), 1000, at => :'ahead'), casino.deposit(t.p('ahead'), 1),
    casino.deposit(t.p('lost'), 1000) \g /dev/null
INSERT INTO casino.ledger (player_id, kind, amount) VALUES (t.p('ahead'), 'deposit', 1);
SELECT is((SELECT array_agg(DISTINCT posted_at) FROM casino.ledger WHERE player_id = t.p('ahead')),
          ARRAY[:'ahead'::timestamptz], 'entries after one dated ahead have its time');
SELECT throws_ok(format(statement, t.p('ahead')), 'KL005', NULL, 'a given time is not moved: ' || statement)
  FROM unnest(ARRAY['SELECT casino.deposit(%s, 1, at => clock_timestamp())',
                    'INSERT INTO casino.ledger (player_id, kind, amount, posted_at) '
                    'VALUES (%s, ''deposit'', 1, clock_timestamp())']) statement;
SELECT casino.open_round(t.table('S1'), 'ahead', :'ahead') AS r \gset
SELECT casino.place_bet(:r, t.p('lost'), 'red@10') \g /dev/null
SELECT is((SELECT posted_at FROM casino.ledger WHERE player_id = t.p('lost') AND kind = 'stake'), :'ahead',
          'a stake into a round opened ahead');
SELECT throws_ok(format('SELECT casino.place_bet(%s, t.p(''lost''), ''red@10'', at => clock_timestamp())',
                        :r), 'KL005', NULL, '... a given one is before it was opened');
SELECT casino.close_betting(:r) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r), :'ahead', 'its close');
SELECT is((SELECT count(*) FROM casino.ledger WHERE round_id = :r AND kind = 'refund'), 0::bigint,
          '... returns no stake of that time');
SELECT is((casino.settle_round(:r, '{"number": 0}')).at, :'ahead', 'its evaluation');
-- §8.2: what is judged is what is written
SELECT casino.open_round(t.table('E1'), 'second') AS s \gset
CREATE TABLE t.judged AS SELECT casino.register_player('judged') AS p;
SELECT casino.deposit(p, 100, at => clock_timestamp() - interval '40 s') FROM t.judged \g /dev/null
SELECT casino.open_round(t.table('A1'), 'judged', clock_timestamp() - interval '30 s') AS a \gset
SELECT casino.place_bet(:a, p, 'red@10', at => clock_timestamp() - interval '20 s') FROM t.judged \g /dev/null
SELECT casino.settle_round(:a, '{"number": 0}', clock_timestamp() + interval '40 s') \g /dev/null
SELECT throws_ok(format(statement, :s, p), 'KC002', NULL,
                 'dated before the evaluation of his last live round, which he lost: ' || statement)
  FROM t.judged, unnest(ARRAY['SELECT casino.place_bet(%s, %s, ''red@10'', at => clock_timestamp())',
                              'INSERT INTO casino.ledger (round_id, player_id, kind, bet, posted_at) '
                              'VALUES (%s, %s, ''stake'', ''red@10'', clock_timestamp())']) statement;
SELECT lives_ok(format(statement, :s, p), 'without a time he may: ' || statement)
  FROM t.judged, unnest(ARRAY['SELECT casino.place_bet(%s, %s, ''red@10'')']) statement;
SELECT is((SELECT l.posted_at FROM casino.ledger l WHERE l.player_id = p AND l.round_id = :s),
          (SELECT evaluated_at FROM casino.round WHERE round_id = :a),
          '... and the ledger shows the stake with the evaluation') FROM t.judged;
SELECT ok(t.sequence_is_right(p), '... which is where his row has it') FROM t.judged;
SELECT is((SELECT count(*) FROM casino.live_participation a JOIN casino.live_participation b USING (player_id)
            WHERE a.round_id <> b.round_id AND a.first_stake_at <= b.first_stake_at
                AND b.first_stake_at < coalesce(a.evaluated_at, 'infinity')), 0::bigint,
          '§8.2: nobody takes part at two live tables at any time');

-- R12.163: chips that lie there when betting ends stand, also where they are dated ahead of the clock: those
-- of a player whose last entry is, or by a clock put back since. Those that their caller dates ahead go back
CREATE FUNCTION t.chips_ahead(ref text, ahead timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(casino.add_game_table('roulette_synot', ref, 10, 1000), ref);
    p CONSTANT bigint := casino.register_player(ref);
    q CONSTANT bigint := casino.register_player(ref || ' by the call');
    c CONSTANT bigint := casino.register_player(ref || ' by the clock');
BEGIN
    PERFORM casino.deposit(p, 100, at => ahead - interval '1 s');
    PERFORM casino.place_bets(r, p, '{red@10,black@10}', at => NULL);
    PERFORM casino.deposit(q, 100);
    PERFORM casino.place_bets(r, q, '{red@10,black@10}', at => ahead);
    -- one by a clock that was put back since
    PERFORM casino.deposit(c, 100), casino.place_bet(r, c, 'red@10');
    ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
    UPDATE casino.ledger l SET posted_at = ahead - interval '1 s', recorded_at = ahead - interval '1 s'
     WHERE l.player_id = c AND l.kind = 'stake';
    ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
    RETURN r;
END $$;
-- the state, whether it ended after the chips of the first player, and why stakes of the two went back
CREATE FUNCTION t.end_of(r bigint, ahead timestamptz) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(' ', o.status,
                     CASE WHEN greatest(o.betting_closed_at, o.evaluated_at, o.voided_at)
                               = ahead - interval '1 s'
                          THEN 'at the chips'
                     END,
                     (SELECT string_agg(l.reason, ' ' ORDER BY l.player_id)
                        FROM casino.ledger l
                       WHERE l.round_id = r
                         AND l.kind = 'refund'))
      FROM casino.round o
     WHERE o.round_id = r
$$;
-- far ahead, because a busy machine takes its time
SET casino.clock_skew = '1 h';
SELECT clock_timestamp() + interval '50 min' AS far \gset
CREATE TABLE t.chips AS
    SELECT v.*, t.chips_ahead(v.call, :'far') AS r, t.chips_ahead(v.call || ', given', :'far') AS g
      FROM (VALUES ('close_betting', 'SELECT casino.close_betting(%s%s)',
                    'closed at the chips late late', 'closed late late late late late'),
                   ('settle_round', 'SELECT casino.settle_round(%s, ''{"number": 1}''%s)',
                    'settled at the chips late late', 'settled late late late late late'),
                   ('void_round', 'SELECT casino.void_round(%s, ''why''%s)',
                    'voided at the chips voided voided late late voided',
                    'voided late late late late late')) v (call, statement, ended, given);
SET casino.clock_skew = 5;
SELECT throws_ok(format(statement, r, ''), 'KL005', 'the clock is behind the records by more than 5 s',
                 'R12.163: ' || call || '() when the clock is behind the chips by more than the skew')
  FROM t.chips
 ORDER BY call;
SET casino.clock_skew = '1 h';
SELECT lives_ok(format(statement, r, ''), call || '() without a time')
  FROM t.chips
 ORDER BY call;
SELECT is(t.end_of(r, :'far'), ended, 'R12.163: ' || call || '() without a time is at the chips')
  FROM t.chips
 ORDER BY call;
SELECT lives_ok(format(statement, g, ', at => clock_timestamp()'), call || '() at a time')
  FROM t.chips
 ORDER BY call;
SELECT is(t.end_of(g, :'far'), given, 'R11.8: chips after a time that ' || call || '() was given go back')
  FROM t.chips
 ORDER BY call;

-- R12.163: a stake that R7.3 moves to the evaluation of the player's last live round, where the player lost
SELECT casino.open_round(casino.add_game_table('roulette_synot', 'first live', 10, 1000), 'lost ahead') AS a,
       casino.open_round(casino.add_game_table('roulette_synot', 'second live', 10, 1000), 'won ahead') AS b,
       casino.register_player('rich ahead') AS x,
       casino.register_player('poor ahead') AS p,
       clock_timestamp() + interval '51 min' AS later \gset
SELECT casino.deposit(:x, 100, at => :'later'), casino.deposit(:p, 100) \g /dev/null
SELECT casino.place_bet(:a, q, 'black@10') FROM unnest(ARRAY[:x, :p]) q \g /dev/null
SELECT is((casino.settle_round(:a, '{"number": 1}')).at, :'later', 'R12.163: a result moves after the chips');
SELECT casino.place_bet(:b, :p, 'red@10') \g /dev/null
SELECT results_eq(format($$SELECT paid, at FROM casino.settle_round(%s, '{"number": 1}')$$, :b),
                  format($$VALUES (20.00, %L::timestamptz)$$, :'later'),
                  'R12.163: ... and so does the next one: the stake stands and wins');
-- a stake by a clock that was put back, alone in its round
SELECT casino.open_round(casino.add_game_table('roulette_synot', 'clock', 10, 1000), 'clock alone') AS r,
       casino.register_player('clock alone') AS p \gset
SELECT casino.deposit(:p, 100), casino.place_bet(:r, :p, 'red@10') \g /dev/null
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
UPDATE casino.ledger SET posted_at = :'later', recorded_at = :'later' WHERE player_id = :p AND kind = 'stake';
ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
SELECT casino.close_betting(:r) \g /dev/null
SELECT is(concat_ws(' ', o.betting_closed_at = :'later', (SELECT count(*) FROM casino.ledger l
                                                          WHERE l.round_id = :r AND l.kind = 'refund')),
          't 0', 'R12.163: a clock that was put back returns no stake')
  FROM casino.round o
 WHERE o.round_id = :r;
-- a stake without a time, of a player whose stake in another round the caller has dated ahead
SELECT casino.open_round(casino.add_game_table('roulette_american', 'other round', 10, 1000), 'other') AS a,
       casino.open_round(casino.add_game_table('roulette_american', 'this round', 10, 1000), 'this') AS b,
       casino.register_player('two rounds') AS p \gset
SELECT casino.deposit(:p, 100), casino.place_bet(:a, :p, 'red@10', at => :'later'),
       casino.place_bet(:b, :p, 'red@10') \g /dev/null
SELECT results_eq(format($$SELECT wagers, paid FROM casino.settle_round(%s, '{"number": 1}')$$, :b),
                  'VALUES (1::bigint, 20.00)', 'R12.163: a stake after one in another round stands');
-- chips that were taken back move nothing, where others are there that their caller has dated ahead
SELECT casino.open_round(casino.add_game_table('roulette_american', 'taken away', 10, 1000), 'away') AS r,
       casino.register_player('taken away') AS p,
       casino.register_player('stays ahead') AS q \gset
SELECT casino.deposit(:p, 100, at => :'later'), casino.place_bet(:r, :p, 'red@10', 'away'),
       casino.cancel_bet(:r, :p, 'away'),
       casino.deposit(:q, 100), casino.place_bet(:r, :q, 'red@10', at => :'later') \g /dev/null
SELECT casino.close_betting(:r) \g /dev/null
SELECT ok(o.betting_closed_at < :'later', 'R12.163: chips that were taken back do not move the close')
  FROM casino.round o
 WHERE o.round_id = :r;
-- a stake by a clock that was put back, and one after it, which has its time; the first one is taken back
SELECT casino.open_round(casino.add_game_table('roulette_synot', 'put back', 10, 1000), 'put back') AS r,
       casino.register_player('put back') AS p \gset
SELECT casino.deposit(:p, 100) \g /dev/null
SELECT casino.place_bet(:r, :p, 'red@10', 'taken back') \g /dev/null
ALTER TABLE casino.ledger DISABLE TRIGGER ALL;
ALTER TABLE casino.player DISABLE TRIGGER ALL;
UPDATE casino.ledger SET posted_at = :'later', recorded_at = :'later' WHERE player_id = :p AND kind = 'stake';
UPDATE casino.player SET last_posted_at = :'later' WHERE player_id = :p;
ALTER TABLE casino.ledger ENABLE TRIGGER ALL;
ALTER TABLE casino.player ENABLE TRIGGER ALL;
SELECT casino.place_bet(:r, :p, 'black@10', 'stays') \g /dev/null
SELECT casino.cancel_bet(:r, :p, 'taken back') \g /dev/null
SELECT results_eq(format($$SELECT status, wagers, paid FROM casino.settle_round(%s, '{"number": 2}')$$, :r),
                  $$VALUES ('settled', 1::bigint, 20.00)$$,
                  'R12.163: a stake after one that was taken back stands');
-- R12.165: chips that lay there went back, dated with a later entry of their player. The end comes after
-- that, and then after chips that lay there by that time
CREATE FUNCTION t.taken_ahead(ref text, back timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round(casino.add_game_table('roulette_synot', ref, 10, 1000), ref);
    p CONSTANT bigint := casino.register_player(ref);
    q CONSTANT bigint := casino.register_player(ref || ' later');
BEGIN
    PERFORM casino.deposit(p, 100), casino.place_bet(r, p, 'red@10', 'k');
    PERFORM casino.deposit(p, 100, at => back), casino.cancel_bet(r, p, 'k');
    PERFORM casino.deposit(q, 100, at => back - interval '1 s'), casino.place_bet(r, q, 'red@10', 'k');
    PERFORM casino.deposit(q, 100, at => back + interval '1 s'), casino.cancel_bet(r, q, 'k');
    RETURN r;
END $$;
CREATE TABLE t.taken AS
    SELECT v.call, v.statement, t.taken_ahead(v.call || ' after', :'far') AS r
      FROM (VALUES ('close_betting', 'SELECT casino.close_betting(%s)'),
                   ('settle_round', 'SELECT casino.settle_round(%s, ''{"number": 1}'')'),
                   ('void_round', 'SELECT casino.void_round(%s, ''why'')')) v (call, statement);
SET casino.clock_skew = 5;
SELECT throws_ok(format(statement, r), 'KL005', 'the clock is behind the records by more than 5 s',
                 'R12.165: ' || call || '() when the clock is behind the refunds by more than the skew')
  FROM t.taken
 ORDER BY call;
SET casino.clock_skew = '1 h';
SELECT lives_ok(format(statement, r), call || '() without a time')
  FROM t.taken
 ORDER BY call;
SELECT is(greatest(o.betting_closed_at, o.evaluated_at) - :'far', interval '1 s',
          'R12.165: ' || x.call || '() without a time comes after chips that went back')
  FROM t.taken x
  JOIN casino.round o ON o.round_id = x.r
 ORDER BY x.call;
SELECT is((SELECT count(*) FROM casino.breach b WHERE b.rule = 'taken_back_late'), 0::bigint,
          'R12.165: ... and no chips went back late');
SELECT is_empty($$SELECT f.rule
                    FROM t.taken x,
                         LATERAL (SELECT * FROM casino_internal.check_refund(current_date - 1,
                                                                             current_date + 1)
                                  UNION ALL
                                  SELECT * FROM casino_internal.check_late_stake(current_date - 1,
                                                                                 current_date + 1)) f
                   WHERE f.round_id = x.r$$,
                'R12.165: ... nor does the night find any');
-- a time that is given stays, and they went back after it
SELECT t.taken_ahead('given', :'far') AS r \gset
SELECT casino.close_betting(:r, :'far'::timestamptz - interval '1 microsecond') \g /dev/null
SELECT is((SELECT array_agg(b.detail ->> 'reason') FROM casino.breach b
            WHERE b.rule = 'taken_back_late' AND (b.detail ->> 'round_id')::bigint = :r),
          '{cancelled,cancelled}', 'R13.35: chips that went back after a given end are breaches');
SET casino.clock_skew = '1 min';

-- records of a round that goes on, too: the night holds them against the evaluation
SELECT casino.add_game_table('blackjack_free_bet', 'events', 10, 1000) AS box,
       casino.add_game_table('holdem_cash_25_50', 'stacks', 10, 1000) AS hand,
       clock_timestamp() + interval '55 s' AS later \gset
-- a round whose betting is closed, with two players of its own at a box
CREATE FUNCTION t.closed_box(box bigint, ref text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(box, ref);
    p bigint;
BEGIN
    FOR n IN 1 .. 2 LOOP
        p := casino.register_player(ref || n);
        PERFORM casino.deposit(p, 1000), casino.place_bet(r, p, 'main@100', NULL, 1);
    END LOOP;
    PERFORM casino.close_betting(r);
    RETURN r;
END $$;
CREATE FUNCTION t.box(ref text) RETURNS bigint LANGUAGE sql AS 'SELECT casino.register_player(ref)';
CREATE FUNCTION t.end_box(r bigint) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT (casino.settle_round(r, '{"dealer": "9h 8c", "hands": [{"seat": 1, "cards": "5s 6d Ts"}]}')).at
$$;
SELECT t.closed_box(:box, 'dealt ahead') AS r \gset
SELECT casino.deal(:r, '{"dealer": "9h", "hands": [{"seat": 1, "cards": "5s 6d"}]}', :'later') \g /dev/null
SET casino.clock_skew = 5;
SELECT throws_ok(format('SELECT t.end_box(%s)', :r), 'KL005',
                 'the clock is behind the records by more than 5 s',
                 'R12.7: an evaluation when the clock is behind the cards by more than the skew');
SET casino.clock_skew = '1 min';
SELECT is(t.end_box(:r), :'later', 'R12.7: an evaluation is not before the cards');
SELECT t.closed_box(:box, 'disconnected ahead') AS r \gset
SELECT casino.disconnect(:r, t.box('disconnected ahead1'), :'later') \g /dev/null
SELECT is(t.end_box(:r), :'later', 'R12.7: ... nor before a disconnection');
SELECT t.closed_box(:box, 'handed over ahead') AS r \gset
SELECT casino.hand_over_box(:r, 1, t.box('handed over ahead2'), :'later') \g /dev/null
SELECT is(t.end_box(:r), :'later', 'R12.7: ... nor before a box is handed over');
SELECT casino.open_round(:hand, 'brought ahead') AS r, t.box('brought') AS p \gset
SELECT casino.deposit(:p, 1000), casino.bring_to_table(:r, :p, 300, 1, :'later') \g /dev/null
SELECT casino.close_betting(:r) \g /dev/null
SELECT is((SELECT betting_closed_at FROM casino.round WHERE round_id = :r), :'later',
          'R12.7: betting does not end before chips are brought to the table');
SELECT casino.open_round(:box, 'closed ahead') AS r, t.box('closed') AS p \gset
SELECT casino.deposit(:p, 1000), casino.place_bet(:r, :p, 'main@100', NULL, 1) \g /dev/null
SELECT casino.close_betting(:r, :'later') \g /dev/null
SELECT casino.disconnect(:r, :p) \g /dev/null
SELECT is((SELECT disconnected_at FROM casino.disconnection WHERE round_id = :r), :'later',
          'R12.7: a disconnection after the end of betting is not before it');

-- ------------------------------------------------------------------------------------------------ refusals
SELECT casino.deposit(t.p('refused'), 100, 'money') \g /dev/null
SELECT casino.open_round(t.table('M1'), 'refused') AS r, clock_timestamp() AS before \gset
SELECT is((SELECT array_agg(code) FROM casino.try_place_bets(:r, t.p('refused'), '{red@10}', at => at)),
          '{KL005}', 'a bet at ' || at)
  FROM unnest(ARRAY['2020-01-01', '2099-01-01']::timestamptz[]) at;
SELECT is((SELECT code FROM casino.try_place_bets(:r, t.p('refused'), '{red@10}', 'money',
                                                  at => '2020-01-01')), 'KL003',
                                                      'a refusal before the time is looked at');
SELECT is((SELECT array_agg(refused_at BETWEEN :'before' AND clock_timestamp() ORDER BY refusal_no)
           FROM casino.refusal
            WHERE player_id = t.p('refused')), '{t,t,t}',
                'R12.10: is recorded with the clock''s time: no record has one that no event may have');
SELECT clock_timestamp() - interval '2 s' AS given \gset
SELECT is((SELECT code FROM casino.try_place_bets(:r, t.p('refused'), '{red@0.5}', at => :'given')), 'KL005',
          'a time before the last entry is one that an event may have');
SELECT is((SELECT refused_at FROM casino.refusal WHERE player_id = t.p('refused') ORDER BY refusal_no DESC
           LIMIT 1), :'given', '... and is recorded');
SELECT throws_ok(format('SELECT casino.try_place_bets(%s, t.p(''refused''), ''{red@10}'', at => %L)', :r, at),
                 '22008', NULL, 'at ' || at || ' is no time')
  FROM unnest(ARRAY['infinity', '-infinity']) at;

SELECT * FROM finish();
