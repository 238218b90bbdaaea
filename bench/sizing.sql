-- Bytes of a stake and of a payout in an empty installation: 10 000 stakes of 2000 players in 20 rounds, each
-- a transaction with a UUID as its key, and the settlements; three times. WAL without and with the images of
-- whole pages that follow a checkpoint.
CREATE EXTENSION casino;
SELECT casino.install() \g /dev/null
SELECT count(casino.add_game_table('roulette_synot', 'sizing ' || n, 10, 5000))
  FROM generate_series(1, 4) n \g /dev/null
SELECT count(casino.register_player('p' || n)) FROM generate_series(1, 2000) n \g /dev/null
SELECT count(casino.deposit(n, 10000, 'd')) FROM generate_series(1, 2000) n \g /dev/null
VACUUM ANALYZE;
CREATE TABLE public.size (no integer GENERATED ALWAYS AS IDENTITY, step text, lsn pg_lsn, ledger bigint,
                          heap bigint, keys bigint, by_round bigint, pkey bigint, by_stake bigint,
                          entries bigint);
CREATE FUNCTION public.note(step text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.size (step, lsn, ledger, heap, keys, by_round, pkey, by_stake, entries)
    SELECT note.step, pg_current_wal_insert_lsn(), pg_total_relation_size('casino.ledger_1'),
           pg_relation_size('casino.ledger_1'), pg_relation_size('casino.ledger_request'),
           pg_relation_size('casino.ledger_round'), pg_relation_size('casino.ledger_pkey'),
           pg_relation_size('casino.ledger_stake_entry_no'), (SELECT count(*) FROM casino.ledger)
$$;
-- 10 000 stakes: five times four rounds of 500 players each, half of whom win
CREATE PROCEDURE public.play(label text) LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    FOR n IN 1 .. 5 LOOP
        ids := ARRAY (SELECT casino.open_round(t, concat_ws(' ', label, n, t)) FROM generate_series(1, 4) t);
        COMMIT;
        PERFORM public.note('start');
        COMMIT;
        FOR p IN 1 .. 2000 LOOP
            PERFORM casino.place_bet(ids[p % 4 + 1], p,
                                     CASE p / 4 % 2 WHEN 0 THEN 'red@100' ELSE 'black@100' END::casino.bet,
                                     gen_random_uuid()::text);
            COMMIT;
        END LOOP;
        PERFORM public.note(label || ' stake');
        COMMIT;
        FOR t IN 1 .. 4 LOOP
            PERFORM casino.settle_round(ids[t], '{"number": 18}');
            COMMIT;
        END LOOP;
        PERFORM public.note(label || ' payout');
        COMMIT;
    END LOOP;
END $$;
CALL public.play('first');
ALTER SYSTEM SET full_page_writes = off;
SELECT pg_reload_conf(), pg_sleep(1) \g /dev/null
CALL public.play('plain');
ALTER SYSTEM SET full_page_writes = on;
SELECT pg_reload_conf(), pg_sleep(1) \g /dev/null
CHECKPOINT;
CALL public.play('after a checkpoint');
\pset tuples_only off
SELECT b.step, sum(b.entries - a.entries) AS entries,
       round(sum(b.lsn - a.lsn) / sum(b.entries - a.entries)) AS wal,
       round(sum(b.ledger - a.ledger) / sum(b.entries - a.entries)) AS bytes,
       round(sum(b.heap - a.heap) / sum(b.entries - a.entries)) AS heap,
       round(sum(b.keys - a.keys) / sum(b.entries - a.entries)) AS request_key,
       round(sum(b.by_round - a.by_round) / sum(b.entries - a.entries)) AS round_index,
       round(sum(b.pkey - a.pkey) / sum(b.entries - a.entries)) AS primary_key,
       round(sum(b.by_stake - a.by_stake) / sum(b.entries - a.entries)) AS stake_index
  FROM public.size b
  JOIN public.size a ON a.no = b.no - 1
 WHERE b.step <> 'start'
 GROUP BY b.step
 ORDER BY min(b.no);
SELECT n_tup_upd AS player_updates, n_tup_hot_upd AS hot, pg_size_pretty(pg_relation_size(relid)) AS players
  FROM pg_stat_user_tables
 WHERE relid = 'casino.player'::regclass;
