-- The hot tables by the access methods and by SQL: the same random evening, once each, leaves the same books.
-- Every call has the same answer or refusal. Five families, limits on a third of the players, several stakes
-- a round, retries, cancellations, disconnections, other products, withholding, voids, withdrawals.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();
CREATE SCHEMA ways;
CREATE TABLE ways.player (way text, n integer, player_id bigint, PRIMARY KEY (way, n));
CREATE TABLE ways.game_table (way text, n integer, table_id bigint, PRIMARY KEY (way, n));
CREATE TABLE ways.round (way text, n integer, round_id bigint, PRIMARY KEY (way, n));
CREATE TABLE ways.answer (way text, n integer GENERATED ALWAYS AS IDENTITY, call text, answer text);

-- Run a call whose text names players as P<n>, tables as T<n> and rounds as R<n>; keep its answer.
CREATE FUNCTION ways.call(way text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    x record;
    query text := call;
    answer text;
BEGIN
    FOR x IN SELECT 'P' || p.n || '\y' AS word, p.player_id::text AS id FROM ways.player p
        WHERE p.way = call.way
             UNION ALL
             SELECT 'T' || t.n || '\y', t.table_id::text FROM ways.game_table t WHERE t.way = call.way
             UNION ALL
             SELECT 'R' || r.n || '\y', r.round_id::text FROM ways.round r WHERE r.way = call.way
    LOOP
        query := regexp_replace(query, '\y' || x.word, x.id, 'g');
    END LOOP;
    BEGIN
        EXECUTE 'SELECT (' || query || ')::text' INTO answer;
    EXCEPTION WHEN OTHERS THEN
        answer := SQLSTATE;
    END;
    -- the number of the player or round, which comes first in a row, is not that of the other way
    answer := regexp_replace(answer, '^\(\d+,', '(');
    INSERT INTO ways.answer (way, call, answer) VALUES (call.way, call, answer);
    RETURN answer;
END $$;

CREATE FUNCTION ways.pick(VARIADIC words text[]) RETURNS text LANGUAGE sql VOLATILE AS
    'SELECT words[1 + floor(random() * cardinality(words))::integer]';

-- A bet of the family, some below the minimum, some above the maximum, some of another game.
CREATE FUNCTION ways.bet(n integer) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN random() < 0.03 THEN 'tie'
                ELSE CASE n WHEN 1 THEN ways.pick('red', 'black', 'straight:7', 'split:1-2', 'even',
                                                  'dozen:1')
                            WHEN 2 THEN ways.pick('player', 'banker', 'tie')
                            WHEN 3 THEN ways.pick('main', 'main', '21+3')
                            WHEN 4 THEN 'ante'
                            ELSE 'main' END END
           || '@' || ways.pick('50', '100', '150', '200', '500', '900', '5', '99999') $$;

CREATE FUNCTION ways.outcome(n integer) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT CASE n WHEN 1 THEN format('{"number": %s}', floor(random() * 37))
                  WHEN 2 THEN ways.pick('{"player": "9h Kd", "banker": "7c Js"}',
                                        '{"player": "8h Kd", "banker": "9c Js"}',
                                        '{"player": "9h Kd", "banker": "9c Js"}')
                  WHEN 3 THEN ways.pick('{"dealer": "6h Tc 5s", "hands": [{"cards": "9c 9d"}]}',
                                        '{"dealer": "6h Tc 4s", "hands": [{"cards": "Tc Ad"}]}',
                                        '{"dealer": "9h 8d", "hands": [{"cards": "9c 8c"}]}')
                  WHEN 4 THEN ways.pick('{"player": "9c 9d", "board": "2c 7h Kd", "dealer": "As Ad"}',
                                        '{"player": "Ac Ad", "board": "2c 7h Kd 3s 4s", "dealer": "Qs Jd"}')
                  ELSE ways.pick('{"dealer": "9h 8d", "hands": [{"seat": 1, "cards": "Ts 9c"},'
                                 ' {"seat": 2, "cards": "Ts 7c"}]}',
                                 '{"dealer": "9h Td", "hands": [{"seat": 1, "cards": "Ts 7c"},'
                                 ' {"seat": 2, "cards": "As Kc"}]}') END $$;

CREATE PROCEDURE ways.evening(way text, rounds integer) LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz := '2026-02-03 18:00';
    r integer;
    t integer;
    c text;
BEGIN
    PERFORM setseed(0.2026);
    FOR p IN 1 .. 12 LOOP
        INSERT INTO ways.player VALUES (way, p, casino.register_player(way || p));
        PERFORM ways.call(way, format('casino.deposit(P%s, %s, ''in'', %L)', p,
                                      ways.pick('500', '5000', '50000'), at));
        CONTINUE WHEN p % 3 <> 0;
        PERFORM ways.call(way, format('casino.set_limit(P%s, %L, %L, %s, %L)', p,
                                      ways.pick('stake', 'net_loss'),
                                      ways.pick('day', 'month'), ways.pick('300', '900', '2000'), at));
    END LOOP;
    FOR n IN 1 .. 5 LOOP
        INSERT INTO ways.game_table
        VALUES (way, n, casino.add_game_table((ARRAY['roulette_synot', 'baccarat', 'blackjack_infinite',
                                                     'casino_holdem',
                                                     'blackjack_czech_casinos'])[n], way || n, 10, 10000));
    END LOOP;
    FOR r IN 1 .. rounds LOOP
        t := 1 + r % 5;
        at := at + interval '7 minutes';
        INSERT INTO ways.round
        SELECT evening.way, r, casino.open_round(g.table_id, evening.way || r, at)
          FROM ways.game_table g
         WHERE g.way = evening.way AND g.n = t;
        FOR n IN 1 .. 14 LOOP
            c := format('casino.place_bets(R%s, P%s, ''{%s}'', %s, %s, NULL, %L)', r,
                        1 + floor(random() * 12),
                        CASE WHEN random() < 0.6 THEN ways.bet(t) ELSE ways.bet(t) || ',' || ways.bet(t) END,
                        CASE WHEN random() < 0.3 THEN 'NULL'
                            ELSE quote_literal('r' || r || ways.pick('a', 'b', 'c')) END,
                        CASE t WHEN 5 THEN ways.pick('1', '2') ELSE 'NULL' END, at + n * interval '2 s');
            PERFORM ways.call(way, c);
            IF random() < 0.2 THEN
                PERFORM ways.call(way, c);
            END IF;
            PERFORM ways.call(way, CASE floor(random() * 12)
                WHEN 0 THEN format('casino.cancel_bet(R%s, P%s, %L, %L)', r, 1 + floor(random() * 12),
                                   'r' || r || ways.pick('a', 'b', 'c', 'd'), at + n * interval '2 s')
                WHEN 1 THEN format('casino.count_other_play(P%s, ''slots'', %s, %s, %L, %L)',
                                   1 + floor(random() * 12),
                                   ways.pick('10', '200'), ways.pick('-10', '0', '50'),
                                       'r' || r || ways.pick('a', 'e'),
                                   at + n * interval '2 s')
                WHEN 2 THEN format('casino.deposit(P%s, 100, ''d%s'', %L)', 1 + floor(random() * 12), r,
                                   at + n * interval '2 s')
                WHEN 3 THEN format('casino.disconnect(R%s, P%s, %L)', r, 1 + floor(random() * 12),
                                   at + n * interval '2 s')
                WHEN 4 THEN format('casino.request_withdrawal(P%s, %s, ''cash'', %L, %L) IS NULL',
                                   1 + floor(random() * 12),
                                   ways.pick('20', '700'), 'w' || r || n, at + n * interval '2 s')
                ELSE format('casino.limit_usage(P%s, %L)', 1 + floor(random() * 12),
                            at + n * interval '2 s') END);
        END LOOP;
        PERFORM ways.call(way, format('casino.close_betting(R%s, %L)', r, at + interval '1 min'));
        c := ways.outcome(t);
        PERFORM ways.call(way, CASE WHEN random() < 0.1
                               THEN format('casino.void_round(R%s, ''the wheel stopped'', %L)', r,
                                           at + interval '2 min')
                               ELSE format('casino.settle_round(R%s, %L, %L, %s)', r, c,
                                           at + interval '2 min',
                                           CASE WHEN random() < 0.2 THEN 'true, ''a complaint'''
                                               ELSE 'false' END) END);
        PERFORM ways.call(way, format('casino.settle_round(R%s, %L, %L)', r, c, at + interval '2 min'));
        IF (SELECT x.status FROM casino.round x JOIN ways.round w USING (round_id)
            WHERE (w.way, w.n) = (evening.way, r)) = 'closed' THEN
            PERFORM ways.call(way, format('casino.void_round(R%s, ''no such outcome'', %L)', r,
                                          at + interval '2 min'));
        END IF;
        PERFORM ways.call(way, CASE floor(random() * 6)
            WHEN 0 THEN format('casino.pay_withheld(R%s, ''no fault found'', at => %L)', r,
                               at + interval '3 min')
            WHEN 1 THEN format('casino.void_wagers(R%s, P%s, ''cheated'', %L)', r, 1 + floor(random() * 12),
                               at + interval '3 min')
            WHEN 2 THEN format('casino.void_round(R%s, ''a card fell'', %L)', r, at + interval '3 min')
            ELSE format('SELECT array_agg((x.wagers, x.staked, x.paid, x.balance)::text ORDER BY x.player_id)'
                        ' FROM casino.round_result(R%s) x', r) END);
    END LOOP;
END $$;

SET casino.store = on;
CALL ways.evening('m', 60);
SET casino.store = off;
CALL ways.evening('s', 60);
SET casino.store = on;

SELECT cmp_ok((SELECT count(*) FROM ways.answer a WHERE a.way = 'm' AND length(a.answer) <> 5), '>',
              500::bigint,
              'many calls have an answer');
SELECT cmp_ok((SELECT count(DISTINCT a.answer) FROM ways.answer a WHERE a.way = 'm' AND length(a.answer) = 5),
              '>', 5::bigint,
              'and many refusals of several kinds');
SELECT cmp_ok((SELECT count(DISTINCT l.kind) FROM casino.ledger l), '>=', 5::bigint,
              'entries of several kinds are posted');
SELECT is(m.answer, s.answer, m.call)
  FROM (SELECT row_number() OVER (ORDER BY a.n) AS n, a.* FROM ways.answer a
        WHERE a.way = 'm') m (i, w, n, call, answer)
  FULL JOIN (SELECT row_number() OVER (ORDER BY a.n) AS n, a.* FROM ways.answer a
             WHERE a.way = 's') s (i, w, n, call, answer)
    USING (i)
 WHERE (m.call, m.answer) IS DISTINCT FROM (s.call, s.answer);
CREATE VIEW ways.books AS
SELECT p.way, p.n, to_jsonb(l) - '{player_id,round_id,recorded_at,correction_no}'::text[]
               || jsonb_build_object('round', r.n) AS entry
  FROM ways.player p
  JOIN casino.ledger l USING (player_id)
  LEFT JOIN ways.round r ON r.round_id = l.round_id
UNION ALL
SELECT p.way, p.n,
    to_jsonb(x) - '{player_id,external_ref,registered_at,last_round_id,previous_round_id}'::text[]
  FROM ways.player p
  JOIN casino.player x USING (player_id)
UNION ALL
SELECT p.way, p.n, to_jsonb(x) - 'player_id'
  FROM ways.player p
  JOIN casino.limit_state x USING (player_id)
UNION ALL
SELECT r.way, r.n,
       to_jsonb(x) - '{round_id,table_id,round_ref,evaluation_recorded_at,opened_recorded_at,
                       betting_closed_recorded_at,actions_closed_recorded_at,
                       withheld_recorded_at,withheld_paid_recorded_at,voided_recorded_at}'::text[]
  FROM ways.round r
  JOIN casino.round x USING (round_id);
SELECT is_empty($$ SELECT b.n, b.entry FROM ways.books b WHERE b.way = 'm'
                   EXCEPT ALL SELECT b.n, b.entry FROM ways.books b WHERE b.way = 's' $$,
                'the books by the access methods are those by SQL');
SELECT is_empty($$ SELECT b.n, b.entry FROM ways.books b WHERE b.way = 's'
                   EXCEPT ALL SELECT b.n, b.entry FROM ways.books b
                       WHERE b.way = 'm' $$, 'and the other way round');
SELECT is_empty(format('SELECT * FROM %s(''2026-02-03'', ''2026-02-04'')', c.function),
                'check ' || c.check_name || ' finds nothing')
  FROM casino.reconciliation_checks() c
 WHERE c.check_name IN ('payout', 'refund', 'wallet', 'state', 'trial_balance', 'round_figures', 'entry_gap',
                        'record');
SELECT * FROM finish();
