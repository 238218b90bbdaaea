-- Settlement where players have set limits, and a stake of a player who has some in the round already. Needs
-- :wagers, :rounds; prints kind|first figure|second figure|third figure.
SET client_min_messages = warning;
CREATE SCHEMA bench;
\ir cpu.sql
CREATE TABLE bench.crowd (name text PRIMARY KEY, first bigint, table_id bigint, every integer);
INSERT INTO bench.crowd
VALUES ('none', 0, NULL, NULL), ('third', :wagers, NULL, 3), ('all', 2 * :wagers, NULL, 1);
UPDATE bench.crowd c SET table_id = casino.add_game_table('roulette_evolution', c.name, 10, 1000);
SELECT count(casino.deposit(casino.register_player('bench ' || i), 1000000))
  FROM generate_series(1, 3 * :wagers) i \g /dev/null
SELECT count(casino.set_limit(c.first + i, m.measure, m.period, 900000))
  FROM bench.crowd c, generate_series(1, :wagers) i,
       (VALUES ('stake', 'day'), ('net_loss', 'month')) m(measure, period)
 WHERE i % c.every = 0 \g /dev/null

CREATE TABLE bench.settled (name text, rep integer, ms double precision);
CREATE PROCEDURE bench.settle(wagers integer, rep integer, name text) LANGUAGE plpgsql AS $$
DECLARE
    c CONSTANT bench.crowd := (SELECT c FROM bench.crowd c WHERE c.name = settle.name);
    r CONSTANT bigint := casino.open_round(c.table_id, settle.name || rep);
    started double precision;
BEGIN
    PERFORM casino.place_many(r, ARRAY (SELECT c.first + i FROM generate_series(1, wagers) i),
                              ARRAY (SELECT ('{red@10,black@20,straight:18@10,dozen:2@50}'::casino.bet[])
                                            [1 + i % 4]
                                       FROM generate_series(1, wagers) i));
    PERFORM casino.close_betting(r);
    COMMIT;
    started := bench.cpu();
    PERFORM casino.settle_round(r, '{"number": 18}');
    COMMIT;
    INSERT INTO bench.settled VALUES (settle.name, rep, bench.cpu() - started);
END $$;
CREATE PROCEDURE bench.settle_all(wagers integer, rounds integer) LANGUAGE plpgsql AS $$
DECLARE
    names CONSTANT text[] := '{none,third,all,none,third}';
BEGIN
    -- the order is turned; the first repetition warms up
    FOR rep IN 0 .. rounds LOOP
        FOR i IN 1 .. 3 LOOP
            CALL bench.settle(wagers, rep, names[i + rep % 3]);
        END LOOP;
    END LOOP;
END $$;
VACUUM ANALYZE;
CALL bench.settle_all(:wagers, :rounds);
SELECT 'settle', round(percentile_disc(0.5) WITHIN GROUP (ORDER BY n.ms)::numeric, 1),
       round(percentile_disc(0.5) WITHIN GROUP (ORDER BY t.ms / n.ms)::numeric, 2),
       round(percentile_disc(0.5) WITHIN GROUP (ORDER BY a.ms / n.ms)::numeric, 2)
  FROM bench.settled n
  JOIN bench.settled t USING (rep)
  JOIN bench.settled a USING (rep)
 WHERE (n.name, t.name, a.name) = ('none', 'third', 'all')
   AND rep > 0;

-- 200 players, 120 stakes each, one after the other, on ten positions: microseconds of a stake that finds
-- about 10, 60 and 110
CREATE PROCEDURE bench.pile_up() LANGUAGE plpgsql AS $$
DECLARE
    r CONSTANT bigint := casino.open_round((SELECT c.table_id FROM bench.crowd c WHERE c.name = 'none'),
                                           'pile');
    started double precision;
BEGIN
    CREATE TABLE bench.piled (found integer, us double precision);
    FOR k IN 0 .. 119 LOOP
        started := bench.cpu();
        PERFORM casino.place_bet(r, p,
                                 (ARRAY['straight:1@10', 'straight:2@10', 'red@10', 'black@10', 'odd@10',
                                        'low@10', 'dozen:1@10', 'dozen:2@10', 'column:1@10',
                                        'column:2@10'])[1 + k % 10]::casino.bet, k || 'x')
           FROM generate_series(1, 200) p;
        COMMIT;
        INSERT INTO bench.piled VALUES (k, (bench.cpu() - started) * 1000 / 200);
    END LOOP;
END $$;
CALL bench.pile_up();
SELECT 'pile', round(avg(us) FILTER (WHERE found BETWEEN 5 AND 14)::numeric, 1),
       round(avg(us) FILTER (WHERE found BETWEEN 105 AND 114)::numeric, 1),
       round((regr_slope(us, found))::numeric, 2)
  FROM bench.piled WHERE found > 4;
