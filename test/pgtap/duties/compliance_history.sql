-- A random history of several players at live and other tables.  Before every stake an oracle predicts from
-- the ledger alone what the rules of D4 §6 and §8 say of it; half of the stakes go through the functions,
-- half are plain INSERTs, and the verdict must be the predicted one.  Another seed: CASINO_SEED=0.123 (-1 to
-- 1); more events:
-- CASINO_EVENTS=20000.
\ir ../helpers/compliance.psql
SELECT no_plan();

\set seed 0.20260513
\set events 3000
\getenv seed CASINO_SEED
\getenv events CASINO_EVENTS
SELECT diag(format('seed %s, %s events', :'seed', :'events'));

CREATE TABLE t.verdict_log (
    event integer, at timestamptz, player_id bigint, table_name text, way text, amount numeric, expected text,
        got text,
    gap interval, sequence_length interval, row_is_right boolean, view_agrees boolean, explained boolean);

CREATE TABLE t.limits_log (event integer, player_id bigint, is_right boolean);

-- ---------------------------------------------------------------- the oracle
CREATE TYPE t.prediction AS (verdict text, joined boolean, last_round_id bigint, started_at timestamptz,
                             evaluated_at timestamptz,
                             room numeric);

-- a live stake's place in the sequences, walked through entry by entry
CREATE FUNCTION t.predict(p bigint, into_round bigint, cost numeric,
                          at timestamptz) RETURNS t.prediction LANGUAGE plpgsql AS $$
DECLARE
    r t.prediction;
    part record;
    lim record;
    used numeric;
    is_live boolean;
    today date := (at AT TIME ZONE 'Europe/Prague')::date;
BEGIN
    SELECT g.live INTO is_live FROM casino.round o JOIN casino.game_table g0 USING (table_id)
      JOIN casino.game g USING (game)
     WHERE o.round_id = into_round;
    r.joined := false;
    FOR part IN
        SELECT s.round_id, min(s.posted_at) AS first_at, o.evaluated_at
          FROM casino.ledger s
          JOIN casino.round o USING (round_id) JOIN casino.game_table USING (table_id)
              JOIN casino.game g USING (game)
          LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
              AND f.kind = 'refund'
         WHERE s.player_id = p AND s.kind = 'stake' AND g.live
           AND (f.kind IS NULL OR (o.betting_closed_at IS NOT NULL AND f.reason = 'voided'))
         GROUP BY s.round_id, o.evaluated_at
         ORDER BY min(s.entry_no)
    LOOP
        IF r.started_at IS NULL OR part.first_at - r.evaluated_at >= interval '15 minutes' THEN
            r.started_at := part.first_at;
        END IF;
        r.last_round_id := part.round_id;
        r.evaluated_at := part.evaluated_at;
        r.joined := r.joined OR part.round_id = into_round;
    END LOOP;

    -- limits in force, the latest that has come into effect; net loss with open stakes in full
    FOR lim IN
        SELECT DISTINCT ON (l.measure, l.period) l.* FROM casino.player_limit l
         WHERE l.player_id = p AND l.effective_from <= at ORDER BY l.measure, l.period, l.limit_no DESC
    LOOP
        CONTINUE WHEN lim.amount IS NULL;
        SELECT coalesce(sum(CASE
                 WHEN lim.measure = 'stake' THEN
                     CASE WHEN (f.kind IS DISTINCT FROM 'refund'
                                OR (o.betting_closed_at IS NOT NULL AND f.reason = 'voided'))
                           AND date_trunc(lim.period,
                                          s.posted_at AT TIME ZONE 'Europe/Prague') = date_trunc(lim.period,
                                                  today::timestamp)
                          THEN s.amount END
                 WHEN f.kind = 'refund' THEN 0
                 WHEN o.evaluated_at IS NULL THEN s.amount
                 WHEN date_trunc(lim.period,
                                 o.evaluated_at AT TIME ZONE 'Europe/Prague') = date_trunc(lim.period,
                                         today::timestamp)
                     THEN s.amount - CASE o.status
                         WHEN 'withheld' THEN (SELECT e.payout FROM casino.evaluation e
                                                WHERE e.round_id = o.round_id AND e.player_id = s.player_id
                                                    AND e.entry_no = s.entry_no)
                         ELSE coalesce(f.amount, 0) END END), 0)
          INTO used
          FROM casino.ledger s
          JOIN casino.round o USING (round_id)
          LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
         WHERE s.player_id = p AND s.kind = 'stake';
        r.room := least(r.room, lim.amount - used);
    END LOOP;

    r.verdict := CASE
        WHEN at < (SELECT max(e.excluded_until) FROM casino.exclusion e WHERE e.player_id = p) THEN 'KC004'
        WHEN is_live AND NOT r.joined AND r.last_round_id IS NOT NULL AND r.evaluated_at IS NULL THEN 'KC002'
        WHEN is_live AND NOT r.joined AND r.evaluated_at - r.started_at >= interval '120 minutes'
             AND at - r.evaluated_at < interval '15 minutes' THEN 'KC001'
        WHEN cost > r.room THEN 'KC005'
        WHEN cost > (SELECT sum(l.amount * CASE WHEN l.kind IN ('stake', 'withdrawal') THEN -1
                                WHEN l.kind IN ('cash_paid', 'transfer_paid') THEN 0 ELSE 1 END)
                       FROM casino.ledger l WHERE l.player_id = p) THEN 'KL002'
        ELSE 'ok' END;
    RETURN r;
END $$;

-- ---------------------------------------------------------------- the history
CREATE FUNCTION t.pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
    'SELECT choices[1 + floor(random() * cardinality(choices))]';

CREATE PROCEDURE t.history(seed double precision, events integer) LANGUAGE plpgsql AS $$
DECLARE
    clock timestamptz := '2026-10-24 19:00+02';
    players bigint[];
    p bigint;
    r casino.round;
    table_name text;
    way text;
    amount numeric;
    b casino.bet;
    request text;
    n integer;
    dice double precision;
    forecast t.prediction;
    got text;
    row_right boolean;
    view_right boolean;
    explained text;
    back record;
    boundary timestamptz;
    withdrawal bigint;
BEGIN
    PERFORM setseed(seed);
    FOR i IN 1 .. 7 LOOP
        players := players || casino.register_player('random ' || i);
        PERFORM casino.deposit(players[i], 20000, at => clock);
        PERFORM casino.set_payment_account(players[i], 'CZ' || i, clock - interval '2 days');
    END LOOP;
    FOR event IN 1 .. events LOOP
        IF event % 100 = 0 THEN
            COMMIT;
        END IF;
        IF event IN (200, 500, 1000, 2000, 4000) THEN          -- as autovacuum would in a longer day
            ANALYZE casino.ledger, casino.round, casino.player, casino.dealt_hand;
        END IF;
        -- time goes on by seconds or minutes, seldom by hours or days
        dice := random();
        clock := clock + CASE WHEN dice < 0.70 THEN make_interval(secs => floor(random() * 30e6) / 1e6)
                              WHEN dice < 0.996 THEN make_interval(secs => floor(random() * 110e6) / 1e6)
                              WHEN dice < 0.999 THEN make_interval(mins => 16 + floor(random() * 300)::int)
                              ELSE make_interval(hours => 20 + floor(random() * 40)::int) END;
        p := players[1 + floor(random() * 7)];
        request := format('e%s', event);
        dice := random();

        IF dice < 0.60 THEN                                     -- a stake
            -- who has been at it longest goes on rather than the others, so that sequences get long and
            -- breaks are due
            IF random() < 0.35 THEN
                p := coalesce((SELECT q.player_id FROM casino.player q
                               JOIN casino.round o ON o.round_id = q.last_round_id
                                WHERE o.evaluated_at > clock - interval '15 minutes'
                                    ORDER BY q.sequence_started_at, q.player_id LIMIT 1), p);
            END IF;
            table_name := t.pick('S1', 'S1', 'S2', 'E1', 'A1', 'B1', 'M1', 'M2');
            SELECT o.* INTO r FROM casino.round o JOIN casino.game_table g USING (table_id)
             WHERE g.name = table_name AND o.status IN ('open', 'closed');
            CONTINUE WHEN r.status = 'closed';
            -- now and then at the very boundary of his gap
            IF random() < 0.04 THEN
                forecast := t.predict(p, r.round_id, 0, clock);
                clock := greatest(clock,
                                  forecast.evaluated_at + interval '15 minutes'
                                  + make_interval(secs => (floor(random() * 3) - 1) / 1e6));
            END IF;
            r.round_id := coalesce(r.round_id, t.round(table_name, clock::text));
            -- and at the boundary of his limits
            amount := 1 + floor(random() * 20000) / 100;
            IF random() < 0.25 AND EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = p) THEN
                forecast := t.predict(p, r.round_id, 0, clock);
                IF forecast.room BETWEEN 1 AND 5000 THEN
                    amount := forecast.room + t.pick('0', '0.01')::numeric;
                END IF;
            END IF;
            b := format('%s@%s', CASE WHEN table_name = 'B1' THEN t.pick('player', 'banker')
                        ELSE t.pick('red', 'black', 'even') END, amount)::casino.bet;
            forecast := t.predict(p, r.round_id, amount, clock);
            row_right := (SELECT (q.last_round_id,
                                  q.sequence_started_at) IS NOT DISTINCT FROM (forecast.last_round_id,
                                          forecast.started_at)
                            FROM casino.player q WHERE q.player_id = p);
            view_right := coalesce((SELECT (s.started_at, s.in_round) = (forecast.started_at,
                    forecast.evaluated_at IS NULL)
                                           AND (s.in_round OR s.last_evaluated_at = forecast.evaluated_at)
                                      FROM casino.betting_sequence s WHERE s.player_id = p
                                          ORDER BY s.sequence_no DESC LIMIT 1),
                                   forecast.started_at IS NULL);
            explained := (SELECT coalesce(e.code, 'ok') FROM casino.explain_break(p, clock) e);
            way := t.pick('place_bet', 'place_bets', 'INSERT', 'INSERT');
            BEGIN
                IF way = 'INSERT' THEN
                    INSERT INTO casino.ledger (player_id, kind, round_id, bet, request_id, posted_at)
                    VALUES (p, 'stake', r.round_id, b, request, clock);
                ELSIF way = 'place_bets' THEN
                    PERFORM casino.place_bets(r.round_id, p, ARRAY[b], request, at => clock);
                ELSE
                    PERFORM casino.place_bet(r.round_id, p, b, request, at => clock);
                END IF;
                got := 'ok';
            EXCEPTION WHEN OTHERS THEN
                got := SQLSTATE;
            END;
            INSERT INTO t.verdict_log VALUES (event, clock, p, table_name, way, amount, forecast.verdict, got,
                clock - forecast.evaluated_at, forecast.evaluated_at - forecast.started_at, row_right,
                    view_right,
                CASE WHEN table_name NOT LIKE 'M%' AND NOT forecast.joined
                    AND forecast.verdict NOT IN ('KC005', 'KL002')
                     THEN explained = forecast.verdict END);
            IF got = 'KL002' AND random() < 0.5 THEN
                PERFORM casino.deposit(p, 5000, at => clock);
            END IF;

        ELSIF dice < 0.90 THEN                                  -- something about a round
            SELECT o.* INTO r FROM casino.round o WHERE o.status IN ('open', 'closed')
             ORDER BY md5(event || ' ' || o.round_id) LIMIT 1;
            CONTINUE WHEN NOT FOUND;
            dice := random();
            IF dice < 0.12 THEN
                PERFORM casino.void_round(r.round_id, 'random', clock);
            ELSIF dice < 0.35 THEN
                PERFORM casino.close_betting(r.round_id, clock);
            ELSE
                -- now and then when somebody's sequence gets 120 minutes long
                boundary := (SELECT min(q.sequence_started_at) + interval '120 minutes' FROM casino.player q
                              WHERE q.last_round_id = r.round_id
                                  AND q.sequence_started_at + interval '120 minutes' > clock);
                IF boundary < clock + interval '10 minutes' THEN
                    clock := greatest(clock,
                                      boundary + make_interval(secs => (floor(random() * 3) - 1) / 1e6));
                END IF;
                PERFORM casino.settle_round(r.round_id,
                    CASE WHEN (SELECT g.name FROM casino.game_table g WHERE g.table_id = r.table_id) = 'B1'
                         THEN t.pick('{"player": "9h Kd", "banker": "8c Kd"}',
                                     '{"player": "8h Kd", "banker": "9c Kd"}',
                                         '{"player": "8h Kd", "banker": "8c Kd"}')::jsonb
                         ELSE jsonb_build_object('number', floor(random() * 37)::int) END, clock,
                             withhold => random() < 0.1);
            END IF;

        ELSIF dice < 0.945 THEN                                 -- stakes taken back before betting closes
            SELECT l.player_id, l.request_id, l.round_id, l.entry_no, l.amount INTO back
              FROM casino.round o JOIN casino.ledger l USING (round_id)
             WHERE o.status = 'open' AND l.kind = 'stake'
               AND NOT EXISTS (SELECT FROM casino.ledger f
                               WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no)
             ORDER BY md5(event || ' ' || l.player_id || ' ' || l.entry_no) LIMIT 1;
            CONTINUE WHEN NOT FOUND;
            dice := random();
            IF dice < 0.4 THEN
                PERFORM casino.cancel_bet(back.round_id, back.player_id, back.request_id, clock);
            ELSIF dice < 0.8 THEN
                INSERT INTO casino.ledger (player_id, kind, amount, stake_entry_no, posted_at)
                VALUES (back.player_id, 'refund', back.amount, back.entry_no, clock);
            ELSE
                PERFORM casino.disconnect(back.round_id, back.player_id, clock);
            END IF;

        ELSIF dice < 0.955 THEN                                 -- withheld winnings
            SELECT o.* INTO r FROM casino.round o WHERE o.status = 'withheld'
             ORDER BY md5(event || ' ' || o.round_id) LIMIT 1;
            CONTINUE WHEN NOT FOUND;
            PERFORM casino.pay_withheld(r.round_id, clock);

        ELSIF dice < 0.975 THEN                                 -- money in
            got := t.verdict(format('SELECT casino.deposit(%s, 100, at => %L)', p, clock));
            INSERT INTO t.verdict_log (event, at, player_id, way, expected, got)
            VALUES (event, clock, p, 'deposit',
                    CASE WHEN clock < (SELECT max(e.excluded_until) FROM casino.exclusion e
                                       WHERE e.player_id = p) THEN 'KC004' ELSE 'ok' END, got);

        -- money out; paid in cash, by transfer, or cancelled
        ELSIF dice < 0.985 THEN
            BEGIN
                withdrawal := casino.request_withdrawal(p, 1 + floor(random() * 4000)::numeric,
                                                        t.pick('cash', 'transfer'), at => clock);
                IF random() < 0.3 THEN
                    PERFORM casino.cancel_withdrawal(withdrawal, clock);
                ELSE
                    PERFORM casino.pay_withdrawal(withdrawal, clock);
                END IF;
            EXCEPTION WHEN SQLSTATE 'KL002' OR SQLSTATE 'KC003' THEN
                NULL;
            END;

        ELSIF dice < 0.990 THEN                                 -- an exclusion
            PERFORM casino.exclude_player(p, clock + make_interval(mins => 1 + floor(random() * 200)::int),
                                          t.pick('self', 'operator', 'register'), clock);

        ELSE                                                    -- a limit: set, lowered, raised, removed
            PERFORM casino.set_limit(p, t.pick('stake', 'net_loss'), t.pick('day', 'month'),
                                     CASE WHEN random() < 0.9
                                          THEN 2000 + floor(random() * 30000)::numeric END, clock);
        END IF;
        IF event % 10 = 0 THEN
            INSERT INTO t.limits_log SELECT event, s.player_id, t.limits_are_right(s.player_id, clock::text)
              FROM casino.limit_state s WHERE s.player_id = p;
        END IF;
    END LOOP;
END $$;
SET plan_cache_mode = force_generic_plan;      -- the same few queries thousands of times
CALL t.history(:seed, :events);

-- ---------------------------------------------------------------- what it shows
SELECT is((SELECT jsonb_agg(to_jsonb(v)) FROM (SELECT * FROM t.verdict_log WHERE expected <> got
                                               ORDER BY event LIMIT 5) v), NULL,
          'every verdict is the predicted one: function and INSERT alike');
SELECT is((SELECT jsonb_agg(to_jsonb(v)) FROM (SELECT * FROM t.verdict_log WHERE NOT row_is_right
                                               ORDER BY event LIMIT 5) v), NULL,
          'before every stake the player''s row equals what was walked through');
SELECT is((SELECT jsonb_agg(to_jsonb(v)) FROM (SELECT * FROM t.verdict_log WHERE NOT view_agrees
                                               ORDER BY event LIMIT 5) v), NULL,
          'before every stake betting_sequence equals what was walked through');
SELECT is((SELECT jsonb_agg(to_jsonb(v)) FROM (SELECT * FROM t.verdict_log WHERE NOT explained ORDER BY event
                                               LIMIT 5) v), NULL,
          'explain_break says what the stake gets');
SELECT is((SELECT jsonb_agg(to_jsonb(v)) FROM (SELECT * FROM t.limits_log WHERE NOT is_right ORDER BY event
                                               LIMIT 5) v), NULL,
          'limit_state equals limit_usage() after the events');
SELECT is((SELECT count(*) FROM casino.player p WHERE NOT t.sequence_is_right(p.player_id)), 0::bigint,
          'at the end sequence_started_at and last_round_id equal the recomputed ones');
SELECT is((SELECT count(*) FROM casino.player p
           WHERE p.balance <> (SELECT sum(s.change) FROM casino.statement s WHERE s.player_id = p.player_id)),
               0::bigint,
          'at the end every balance is the sum of the entries');
-- it was a history worth the name
SELECT ok(count(*) >= least(:events / 100, 30), format('%s stakes were %s', count(*), verdict))
  FROM unnest('{ok,KC001,KC002,KC004,KC005}'::text[]) verdict
  LEFT JOIN t.verdict_log v ON v.got = verdict AND v.table_name IS NOT NULL GROUP BY verdict;
SELECT diag(format('%s %s: %s', way, got, n)) FROM (SELECT way, got, count(*) AS n FROM t.verdict_log
                                                    GROUP BY 1, 2 ORDER BY 1, 2) v;
SELECT diag(format('stakes exactly at 15:00: %s, a microsecond before: %s, '
                   'after sequences of exactly 120:00: %s',
                   count(*) FILTER (WHERE gap = '15 minutes'),
                       count(*) FILTER (WHERE gap = '00:14:59.999999'),
                   count(*) FILTER (WHERE sequence_length = '120 minutes')))
  FROM t.verdict_log;
SELECT * FROM finish();
