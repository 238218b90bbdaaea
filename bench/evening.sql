-- Realistic evenings of two days in an empty installation: five games, :players players, each with two
-- stakes in ten rounds of one table, a third of them with two limits. The night of the first day is behind
-- the night of the second one, yesterday, which is measured. Needs :players (a multiple of 20); prints one
-- line.
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SELECT casino.mark_replay(casino.prague_day(now()) - 3, casino.prague_day(now()), 'a bench');
CREATE SCHEMA IF NOT EXISTS bench;
\ir cpu.sql
CREATE TABLE bench.game (no integer PRIMARY KEY, game text, bets casino.bet[], outcome jsonb,
                         table_id bigint);
INSERT INTO bench.game (no, game, bets, outcome) VALUES
    (0, 'roulette_synot', '{red@100,straight:18@10,black@50,dozen:2@20}', '{"number": 18}'),
    (1, 'roulette_evolution', '{odd@50,column:3@20,even@100,split:17-18@10}', '{"number": 18}'),
    (2, 'baccarat', '{banker@100,tie@10,player@50,tie@20}', '{"player": "9h 7d", "banker": "Kc 7s"}'),
    (3, 'casino_holdem', '{ante@100,call@200,ante@50,aa@10}',
     '{"player": "As Ah", "board": "Ac Kd 7h 2s 9c", "dealer": "Qc Qd"}'),
    (4, 'roulette_american', '{low@100,straight:17@10,high@50,dozen:1@20}', '{"number": 18}');
UPDATE bench.game g SET table_id = casino.add_game_table(g.game, 'evening', 10, 10000);
SELECT count(casino.deposit(casino.register_player('evening ' || i), 1000000,
                            at => casino.day_start(casino.prague_day(now()) - 2)))
  FROM generate_series(1, :players) i;
SELECT count(casino.set_limit(i, m.measure, m.period, 900000,
                              casino.day_start(casino.prague_day(now()) - 2)))
  FROM generate_series(3, :players, 3) i,
       (VALUES ('stake', 'day'), ('net_loss', 'month')) m(measure, period);
CREATE TABLE bench.spent (day date, what text, ms numeric);
-- of each table four groups come one after the other, an hour each from 18:00 on: nobody is due for a break
CREATE PROCEDURE bench.evening(day date, players integer) LANGUAGE plpgsql AS $$
DECLARE
    g bench.game;
    r bigint;
    at timestamptz;
    who bigint[];
    bets casino.bet[];
    started numeric;
    place_ms numeric := 0;
    settle_ms numeric := 0;
BEGIN
    FOR g IN SELECT * FROM bench.game ORDER BY no LOOP
        FOR n IN 0 .. 39 LOOP
            at := casino.day_start(day) + interval '18 hours' + n * interval '6 minutes';
            who := ARRAY (SELECT p FROM generate_series(1, players) p, generate_series(1, 2) stake
                           WHERE p % 5 = g.no AND p / 5 % 4 = n / 10 ORDER BY p, stake);
            bets := ARRAY (SELECT g.bets[1 + (2 * ((i - 1) / 2 + n) + (i - 1) % 2) % 4]
                             FROM generate_series(1, cardinality(who)) i);
            r := casino.open_round(g.table_id, day || ' ' || n, at);
            started := bench.cpu();
            PERFORM casino.place_many(r, who, bets, at => at + interval '10 s');
            COMMIT;
            place_ms := place_ms + bench.cpu() - started;
            PERFORM casino.close_betting(r, at + interval '20 s');
            COMMIT;
            started := bench.cpu();
            PERFORM casino.settle_round(r, g.outcome, at + interval '40 s');
            COMMIT;
            settle_ms := settle_ms + bench.cpu() - started;
        END LOOP;
    END LOOP;
    INSERT INTO bench.spent VALUES (day, 'place', place_ms), (day, 'settle', settle_ms);
END $$;
-- entries were written when they happened, as in life; the rounds stay a replay
CREATE PROCEDURE bench.recorded_in_time() LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE casino.ledger DISABLE TRIGGER USER;
    UPDATE casino.ledger SET recorded_at = posted_at;
    ALTER TABLE casino.ledger ENABLE TRIGGER USER;
    ALTER TABLE casino.ledger ENABLE ALWAYS TRIGGER append_only,
                              ENABLE ALWAYS TRIGGER append_only_statement;
END $$;
CALL bench.evening(casino.prague_day(now()) - 2, :players);
CALL bench.evening(casino.prague_day(now()) - 1, :players);
CALL bench.recorded_in_time();
VACUUM FULL casino.ledger_1;
VACUUM ANALYZE;
-- the night before; then that of the evening, which is measured, against one aggregate over its day
CALL casino.nightly(casino.prague_day(now()) - 2);
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION bench.aggregate() RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM (SELECT player_id, count(*) AS n, sum(amount) AS s FROM casino.ledger
                           WHERE posted_at >= casino.day_start(casino.prague_day(now()) - 1)
                             AND posted_at < casino.day_start(casino.prague_day(now()))
                           GROUP BY player_id) x $$;
SELECT bench.aggregate() \g /dev/null
SELECT bench.cpu() AS started \gset
SELECT bench.aggregate() \g /dev/null
SELECT bench.cpu() - :started AS aggregate \gset
SELECT bench.cpu() AS started \gset
CALL casino.nightly(casino.prague_day(now()) - 1);
SELECT bench.cpu() - :started AS night \gset
SELECT bench.cpu() AS started \gset
SELECT count(*)
  FROM casino_internal.counted_table(casino.prague_day(now()) - 1, casino.prague_day(now()) - 1) \g /dev/null
SELECT bench.cpu() - :started AS counted \gset
SELECT count(*)
  FROM casino.daily_table(casino.prague_day(now()) - 30, casino.prague_day(now()) - 1) \g /dev/null
SELECT bench.cpu() AS started \gset
SELECT count(*)
  FROM casino.daily_table(casino.prague_day(now()) - 30, casino.prague_day(now()) - 1) \g /dev/null
SELECT bench.cpu() - :started AS month \gset
-- evening, entries of the day, us of a stake, us of a wager settled; ms of the aggregate, of the night, of a
-- day counted, of daily_table() of a month; differences
SELECT 'evening', n.entries, round(p.ms * 1000 / n.stakes, 1), round(s.ms * 1000 / n.stakes, 1),
       round(:aggregate), round(:night), round(:counted), round(:month, 1),
       (SELECT count(*) FROM casino.difference)
  FROM (SELECT count(*) AS entries, count(*) FILTER (WHERE l.kind = 'stake') AS stakes
          FROM casino.ledger l
         WHERE casino.prague_day(l.posted_at) = casino.prague_day(now()) - 1) n
  JOIN bench.spent p ON p.day = casino.prague_day(now()) - 1 AND p.what = 'place'
  JOIN bench.spent s ON s.day = casino.prague_day(now()) - 1 AND s.what = 'settle';
