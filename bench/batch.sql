-- One call of place_many() for :wagers players of a table, against what is written in it: COPY of the same
-- rows into a table with the indexes of a book, and the UPDATE of as many players. One session, :rounds
-- rounds, the first of which warms up; milliseconds of the backend's CPU. Needs :wagers, :rounds; prints one
-- line.
SET client_min_messages = warning;
CREATE SCHEMA bench;
\ir cpu.sql
SELECT casino.add_game_table('roulette_evolution', 'batch', 10, 1000) \g /dev/null
SELECT count(casino.deposit(casino.register_player('batch ' || i), 1000000))
  FROM generate_series(1, :wagers) i \g /dev/null
CREATE TABLE bench.plain_ledger (LIKE casino.ledger_1 INCLUDING ALL);
CREATE TABLE bench.plain_player (LIKE casino.player INCLUDING ALL);
INSERT INTO bench.plain_ledger SELECT * FROM casino.ledger;
INSERT INTO bench.plain_player SELECT * FROM casino.player;
CREATE TABLE bench.spent (rep integer PRIMARY KEY, many numeric, plain numeric);
VACUUM ANALYZE;
CREATE PROCEDURE bench.batch(rep integer, wagers integer) LANGUAGE plpgsql AS $$
DECLARE
    place CONSTANT bigint := (SELECT t.table_id FROM casino.game_table t WHERE t.name = 'batch');
    players CONSTANT bigint[] := ARRAY (SELECT generate_series(1, wagers));
    bets CONSTANT casino.bet[] :=
        ARRAY (SELECT ('{red@10,black@20,straight:18@10,dozen:2@50}'::casino.bet[])[1 + i % 4]
                 FROM generate_series(1, wagers) i);
    rows CONSTANT text := current_setting('data_directory') || '/batch.rows';
    r CONSTANT bigint := casino.open_round(place, 'batch ' || rep);
    started numeric;
    many numeric;
BEGIN
    COMMIT;
    started := bench.cpu();
    PERFORM casino.place_many(r, players, bets);
    COMMIT;
    many := bench.cpu() - started;
    EXECUTE format('COPY (SELECT l.* FROM casino.ledger_1 l WHERE l.round_id = %s) TO %L (FORMAT binary)', r,
                   rows);
    started := bench.cpu();
    EXECUTE format('COPY bench.plain_ledger FROM %L (FORMAT binary)', rows);
    UPDATE bench.plain_player p
       SET balance = l.balance, last_entry_no = l.entry_no, last_posted_at = l.posted_at
      FROM bench.plain_ledger l
     WHERE l.round_id = r AND p.player_id = l.player_id;
    COMMIT;
    INSERT INTO bench.spent VALUES (rep, many, bench.cpu() - started);
    PERFORM casino.close_betting(r);
    PERFORM casino.settle_round(r, '{"number": 36}');
    COMMIT;
END $$;
CREATE PROCEDURE bench.batches(rounds integer, wagers integer) LANGUAGE plpgsql AS $$
BEGIN
    FOR rep IN 0 .. rounds LOOP
        CALL bench.batch(rep, wagers);
    END LOOP;
END $$;
CALL bench.batches(:rounds, :wagers);
-- batch, us of a stake of either side, their ratio
SELECT 'batch', round(percentile_disc(0.5) WITHIN GROUP (ORDER BY s.many) * 1000 / :wagers, 1),
       round(percentile_disc(0.5) WITHIN GROUP (ORDER BY s.plain) * 1000 / :wagers, 1),
       round(percentile_disc(0.5) WITHIN GROUP (ORDER BY s.many / s.plain), 2)
  FROM bench.spent s
 WHERE s.rep > 0;
