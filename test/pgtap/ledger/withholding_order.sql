-- Withholdings at random: rounds withheld as a whole, by their settlement or by order, single players
-- withheld, and in random order payments, voids of single players and decisions about the whole round. What
-- becomes of each player follows from the decisions about him, not from their order, and the
-- books of all of it are found in order (R7.43, R7.44).
\ir ../helpers/compliance.psql
SELECT no_plan();
SELECT setseed(0.21) \g /dev/null

CREATE TABLE t.seat (n integer PRIMARY KEY, player_id bigint NOT NULL, colour text NOT NULL,
                     fate text NOT NULL, alone boolean NOT NULL, singly boolean NOT NULL DEFAULT false);
-- what the model says of a round: whole (withheld as a whole and not ended), any (some player was withheld
-- alone), ended
CREATE TABLE t.expected (round_id bigint PRIMARY KEY, status text NOT NULL, whole boolean NOT NULL,
                         figures numeric NOT NULL, sets text);
CREATE TABLE t.wrong (round_id bigint, said text, command text);

-- the command: ok, or KR002
CREATE FUNCTION t.said(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    RETURN 'ok';
EXCEPTION WHEN SQLSTATE 'KR002' THEN
    RETURN 'KR002';
END $$;

-- a round of four at table S1, settled with red; whole: 0 no, 1 by the settlement, 2 by order; alone: whose
-- winnings are withheld singly
CREATE FUNCTION t.begin(whole integer, alone boolean[], colours text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := t.round('S1', '18:00');
    p bigint;
BEGIN
    DELETE FROM t.seat;
    FOR i IN 1 .. 4 LOOP
        p := t.player(1000);
        IF i <= 2 THEN
            PERFORM casino.set_limit(p, 'net_loss', 'day', 900, t.at('09:00'));
        END IF;
        PERFORM casino.place_bet(r, p, (colours[i] || '@100')::casino.bet, at => t.at('18:01'));
        INSERT INTO t.seat VALUES (i, p, colours[i], CASE WHEN whole > 0 OR alone[i] THEN 'held'
                                   ELSE 'paid' END, alone[i]);
    END LOOP;
    IF whole = 2 THEN
        PERFORM casino.withhold_winnings(r, NULL, 'the wheel', t.at('18:02'));
    END IF;
    PERFORM casino.withhold_winnings(r, s.player_id, 'his bets', t.at('18:02')) FROM t.seat s WHERE s.alone;
    PERFORM casino.settle_round(r, '{"number": 1}', t.at('18:03'), whole = 1, 'the wheel');
    INSERT INTO t.expected VALUES (r, CASE WHEN whole > 0 THEN 'withheld' ELSE 'settled' END, whole > 0, 0);
    RETURN r;
END $$;

-- one decision, done and reckoned: pay or void a player, pay or void the round
CREATE FUNCTION t.decide(r bigint, what text, who integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    e t.expected := (SELECT x FROM t.expected x WHERE x.round_id = r);
    s t.seat := (SELECT x FROM t.seat x WHERE x.n = who);
    any_alone boolean := EXISTS (SELECT FROM t.seat x WHERE x.alone);
    expected text := 'KR002';
    command text;
BEGIN
    CASE what
        WHEN 'pay' THEN
            command := format('SELECT casino.pay_withheld(%s, t.at(''18:10''), %s)', r, s.player_id);
            IF e.status <> 'voided' AND s.fate <> 'voided'
                AND (e.whole OR s.alone OR e.status = 'withheld') THEN
                expected := 'ok';
                UPDATE t.seat SET fate = 'paid' WHERE n = who;
            END IF;
        WHEN 'void' THEN
            command := format('SELECT casino.void_wagers(%s, %s, ''cheated'', t.at(''18:10''))', r,
                              s.player_id);
            -- again with the same reason is a repetition, whatever became of the round since
            IF s.singly OR e.status <> 'voided' AND s.fate = 'held' THEN
                expected := 'ok';
                UPDATE t.seat SET fate = 'voided', singly = true WHERE n = who;
            END IF;
        WHEN 'pay round' THEN
            command := format('SELECT casino.pay_withheld(%s, t.at(''18:10''))', r);
            IF e.status = 'withheld' OR e.status = 'settled' AND (e.whole OR any_alone) THEN
                expected := 'ok';
                UPDATE t.seat SET fate = 'paid'
                 WHERE fate = 'held' AND (NOT alone OR e.status = 'settled' AND NOT e.whole);
                UPDATE t.expected SET status = 'settled' WHERE round_id = r;
            END IF;
        ELSE
            command := format('SELECT casino.void_round(%s, ''the wheel is bent'', t.at(''18:10''))', r);
            IF e.status = 'withheld' AND NOT EXISTS (SELECT FROM t.seat
                                                     WHERE fate = 'paid' AND colour = 'red')
                                                         OR e.status = 'voided' THEN
                expected := 'ok';
                UPDATE t.seat SET fate = 'voided';
                UPDATE t.expected SET status = 'voided' WHERE round_id = r;
            END IF;
    END CASE;
    INSERT INTO t.wrong SELECT r, g.said, command FROM (SELECT t.said(command)) g (said)
     WHERE g.said <> expected;
    -- after each decision: the status, every wallet, and the figures, which are those of the evaluation
    INSERT INTO t.wrong
        SELECT r, format('round %s', o.status), command FROM casino.round o JOIN t.expected x USING (round_id)
         WHERE o.round_id = r AND (o.status <> x.status OR (o.wagers, o.players, o.staked) <> (4, 4, 400)
                                   OR o.paid <> CASE o.status WHEN 'voided' THEN 400
                                       ELSE 200 * (SELECT count(*) FROM t.seat WHERE colour = 'red') END);
    INSERT INTO t.wrong
        SELECT r, format('player %s has %s, %s', x.n, p.balance, x.fate), command FROM t.seat x
          JOIN casino.player p USING (player_id)
         WHERE p.balance <> CASE WHEN x.fate = 'voided' THEN 1000 WHEN x.fate = 'paid'
             AND x.colour = 'red' THEN 1100 ELSE 900 END;
END $$;

-- ---------------------------------------------------------------- 150 rounds, eight random decisions each
DO $$
DECLARE
    r bigint;
BEGIN
    FOR i IN 1 .. 150 LOOP
        r := t.begin((random() * 2)::integer, ARRAY(SELECT random() < 0.3 FROM generate_series(1, 4)),
                     ARRAY(SELECT CASE WHEN random() < 0.5 THEN 'red' ELSE 'black' END
                           FROM generate_series(1, 4)));
        FOR j IN 1 .. 8 LOOP
            PERFORM t.decide(r, (ARRAY['pay', 'void', 'pay', 'void', 'pay', 'void', 'pay round',
                                       'void round'])[1 + floor(random() * 8)],
                                           1 + floor(random() * 4)::integer);
        END LOOP;
        INSERT INTO t.wrong SELECT r, 'counters of player ' || x.n, '' FROM t.seat x
         WHERE x.n <= 2 AND t.limits_are_right(x.player_id, '23:59') IS NOT TRUE;
    END LOOP;
END $$;
SELECT is_empty('SELECT * FROM t.wrong',
                'R7.43: each decision is taken or refused, and each wallet and figure is, '
                'as the decisions about that player and that round say');
SELECT set_eq('SELECT status FROM t.expected', '{withheld,settled,voided}'::text[],
              '... and rounds ended in all ways, or did not');

-- ---------------------------------------------------------------- the same decisions in two orders
-- what is decided of whom, then of the round, if anything
CREATE FUNCTION t.ends(whole integer, fates text[], colours text[], at_last text,
                       in_order integer[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r bigint := t.begin(whole, ARRAY[false, whole = 0, whole = 0, true], colours);
BEGIN
    FOR i IN 1 .. 4 LOOP
        IF fates[in_order[i]] <> 'wait' THEN
            PERFORM t.decide(r, fates[in_order[i]], in_order[i]);
        END IF;
    END LOOP;
    IF at_last <> '' THEN
        PERFORM t.decide(r, at_last, 1);
    END IF;
    RETURN (SELECT format('%s %s %s', o.status, o.paid,
                          (SELECT array_agg(p.balance ORDER BY s.n) FROM t.seat s
                           JOIN casino.player p USING (player_id))) FROM casino.round o WHERE o.round_id = r);
END $$;
SELECT is_empty($$
    SELECT * FROM (SELECT d.*, t.ends(d.whole, d.fates, d.colours, d.at_last, d.one) AS first,
                   t.ends(d.whole, d.fates, d.colours, d.at_last, d.other) AS second
                     FROM (SELECT i, (random() * 2)::integer AS whole,
                           ARRAY(SELECT (ARRAY['pay', 'void', 'void',
                                               'wait'])[1 + floor(random() * 4 + 0 * i)]
                                                   FROM generate_series(1, 4)) AS fates,
                                  ARRAY(SELECT (ARRAY['red', 'black'])[1 + floor(random() * 2 + 0 * i)]
                                        FROM generate_series(1, 4)) AS colours,
                                  (ARRAY['pay round', 'void round', ''])[1 + floor(random() * 3)] AS at_last,
                                  ARRAY(SELECT n FROM generate_series(1, 4) n
                                        ORDER BY random() + 0 * i) AS one,
                                            ARRAY(SELECT n FROM generate_series(1, 4) n
                                                  ORDER BY random() + 0 * i) AS other
                             FROM generate_series(1, 60) i OFFSET 0) d) e
     WHERE e.first <> e.second $$,
         'R7.43: the end does not hang on the order in which single players were paid and voided');
SELECT is_empty('SELECT * FROM t.wrong', '... and is what was decided');

-- ---------------------------------------------------------------- the review's sequences, by name
SELECT t.begin(1, '{f,f,f,f}', '{red,black,black,black}') AS r \gset
SELECT t.decide(:r, 'void', n) FROM unnest(ARRAY[1, 3, 2]) n \g /dev/null
SELECT is((SELECT status FROM casino.round WHERE round_id = :r), 'withheld',
    'R7.43: the only winner is voided, then losers: the round is withheld until somebody decides on it');
SELECT t.decide(:r, 'void round', 1) \g /dev/null
SELECT is((SELECT format('%s %s %s %s %s', status, wagers, players, staked, paid) FROM casino.round
           WHERE round_id = :r), 'voided 4 4 400.00 400.00',
               'R7.44: voided as a whole after that, its figures count who was voided before');
SELECT is(jsonb_array_length(casino.game_recall(:r) -> 'withholdings'), 3,
          'game_recall() tells of each who was voided alone');
SELECT t.begin(1, '{f,f,f,f}', '{black,black,black,black}') AS r \gset
SELECT t.decide(:r, 'void', 1) \g /dev/null
SELECT is((casino.void_wagers(:r, (SELECT player_id FROM t.seat WHERE n = 2), 'cheated',
                              t.at('18:11'))).status, 'withheld',
                                  'where all have lost one void ends nobody else''s withholding');
SELECT is((casino.pay_withheld(:r, t.at('18:12'))).status, 'settled', '... and the rest is paid: nothing');
SELECT is_empty('SELECT * FROM t.wrong', '... all as reckoned');

SELECT t.begin(1, '{f,f,f,f}', '{red,red,black,black}') AS r \gset
INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at) SELECT player_id, 'payout',
    200, 2, t.at('18:12') FROM t.seat WHERE n = 1;
SELECT is((SELECT status FROM casino.round WHERE round_id = :r), 'withheld',
          'R7.45: a payout by hand of a round that its settlement alone has withheld');

-- ---------------------------------------------------------------- the night, and the state made anew
SELECT is_empty($$SELECT (to_jsonb(s) - 'previous_round_id' - 'previous_sequence_started_at')::text
                FROM casino_internal.player_states() s
                   EXCEPT SELECT (to_jsonb(s) - 'previous_round_id' - 'previous_sequence_started_at')::text
                       FROM casino_internal.player_states() s JOIN casino.player p USING (player_id)
                           WHERE (p.balance, p.last_entry_no) = (s.balance, s.last_entry_no)$$,
                               'players are what a rebuild would make of them');
SELECT is((SELECT string_agg(format('%s %s %s', d.day, d.rounds_settled + d.rounds_withheld + d.rounds_voided,
                                    d.wagers), ', ') FROM casino.daily_table('2026-06-01', '2026-06-01') d),
          (SELECT format('2026-06-01 %s %s', count(*), 4 * count(*) FILTER (WHERE now <> 'voided')
                         - (SELECT count(*) FROM casino.ledger f JOIN casino.round o USING (round_id)
                            WHERE f.kind = 'refund' AND o.status <> 'voided')) FROM t.expected
                                JOIN (SELECT round_id, status AS now FROM casino.round) o USING (round_id)),
          'daily_table() counts all rounds and what stands');
CALL casino.reconcile('2026-06-01', '2026-06-01');
SELECT is_empty('SELECT check_name, rule, player_id, round_id, expected, found FROM casino.difference',
                'R7.44: the night finds nothing in any of it');
CALL casino.reconcile('2026-01-01', '2026-06-02');
SELECT is_empty('SELECT check_name, rule, player_id, round_id, expected, found FROM casino.difference',
                '... nor the audit of all days');
SELECT * FROM finish();
