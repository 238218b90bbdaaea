-- Holding a provider's report against the books costs by its lines, also where all players of a round share
-- the request id. Counted in buffers.
SET client_min_messages = warning;
SET search_path = public;
SELECT no_plan();
\ir ../helpers/evenings.psql
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
SELECT casino.register_player('player ' || n) AS p FROM generate_series(1, 50) n \g /dev/null
SELECT casino.deposit(player_id, 100000, 'in', '2026-06-01 08:00') FROM casino.player \g /dev/null
CREATE FUNCTION buffers(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
    least bigint;
BEGIN
    FOR n IN 1 .. 3 LOOP
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
        least := least(least,
                       (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint
                       + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint);
    END LOOP;
    RETURN least;
END $$;
-- rounds of fifty stakes each, half of them paid; all players of a round have one request id, or all of the
-- day
CREATE PROCEDURE play(day date, rounds integer, ref text) LANGUAGE plpgsql AS $$
DECLARE
    r bigint;
    at timestamptz;
BEGIN
    FOR n IN 1 .. rounds LOOP
        at := play.day + time '09:00' + n * interval '20 min';
        r := casino.open_round((SELECT g.table_id FROM evenings.game_table g WHERE g.n = 0),
                               play.day || ' ' || n, at);
        PERFORM casino.place_bet(r, p.player_id,
                                 (CASE WHEN p.player_id % 2 = 0 THEN 'red'
                                  ELSE 'black' END || '@10')::casino.bet,
                                 play.ref || CASE WHEN play.ref = 'same ' THEN '' || n
                                     ELSE '' || n || ' ' || p.player_id END, at => at + interval '5 s')
           FROM casino.player p ORDER BY p.player_id;
        PERFORM casino.settle_round(r, '{"number": 18}', at + interval '2 min');
    END LOOP;
    PERFORM casino.load_provider_report('live', play.day, (
        SELECT jsonb_agg(jsonb_build_object('kind', x.kind, 'table_name', 'evening 0', 'round_ref',
                                            x.round_ref, 'external_ref', x.external_ref, 'ref', x.ref,
                                                'amount', x.amount, 'at', x.at,
                                            'data', x.data))
          FROM (SELECT 'round' AS kind, r.round_ref, NULL AS external_ref, NULL AS ref,
                NULL::numeric AS amount, r.evaluated_at AS at,
                    jsonb_build_object('outcome', r.outcome_document) AS data
                  FROM casino.round r WHERE casino.prague_day(r.evaluated_at) = play.day
                UNION ALL
                SELECT l.kind, r.round_ref, p.external_ref, s.request_id, l.amount, l.posted_at, NULL
                  FROM casino.ledger l
                  JOIN casino.ledger s ON s.player_id = l.player_id
                      AND s.entry_no = coalesce(l.stake_entry_no, l.entry_no)
                  JOIN casino.round r ON r.round_id = l.round_id
                  JOIN casino.player p ON p.player_id = l.player_id
                 WHERE casino.prague_day(l.posted_at) = play.day) x));
END $$;
CALL play('2026-06-02', 5, 'own ');
CALL play('2026-06-03', 20, 'another ');
CALL play('2026-06-04', 20, 'same ');
VACUUM ANALYZE;
SELECT casino_internal.summarize_days() \g /dev/null
CREATE TABLE read AS
SELECT d.day::date AS day, d.lines,
    buffers(format('SELECT count(*) FROM casino_internal.provider_lines(%1$L, %1$L)',
                                                   d.day)) AS lines_read,
       buffers(format('SELECT count(*) FROM casino_internal.check_provider_missing_there(%1$L, %1$L)',
                      d.day)) AS there_read
  FROM (VALUES ('2026-06-02', 380), ('2026-06-03', 1520), ('2026-06-04', 1520)) d (day, lines);
SELECT is((SELECT count(*) FROM casino.provider_current c WHERE c.day = r.day), r.lines::bigint,
          'lines of ' || r.day) FROM read r;
SELECT is_empty(format('SELECT * FROM casino_internal.provider_lines(%1$L, %1$L)', day),
                'the report of ' || day || ' is borne out') FROM read;
SELECT is_empty(format('SELECT * FROM casino_internal.check_provider_missing_there(%1$L, %1$L)', day),
                'and complete')
  FROM read;
SELECT cmp_ok(lines_read, '<=', 40 * lines::bigint, format('lines of %s: %s buffers', day, lines_read))
  FROM read;
SELECT cmp_ok(there_read, '<=', 40 * lines::bigint, format('entries of %s: %s buffers', day, there_read))
  FROM read;
SELECT * FROM finish();
