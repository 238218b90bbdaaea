-- Bytes of a row, with its indexes, in the tables that grow beside the ledger: an evening of :players players
-- (1600) in five games and its night, then rounds of blackjack with five hands each and stakes that are
-- refused. tools/withpg psql -X -f bench/beside.sql
\set QUIET on
\pset pager off
\if :{?players}
\else
  \set players 1600
\endif
SET client_min_messages = warning;
CREATE EXTENSION casino;
SELECT casino.install() \g /dev/null
\o /dev/null
\ir evening.sql
SELECT casino.seal(casino.prague_day(now()) - 1) WHERE NOT EXISTS (
    SELECT FROM casino.day_seal s WHERE s.day = casino.prague_day(now()) - 1);
\o
CREATE PROCEDURE bench.blackjack(rounds integer) LANGUAGE plpgsql AS $$
DECLARE
    t CONSTANT bigint := casino.add_game_table('blackjack_synot', 'boxes', 10, 5000);
    r bigint;
BEGIN
    FOR n IN 1 .. rounds LOOP
        r := casino.open_round(t, 'boxes ' || n);
        PERFORM casino.place_bet(r, p, 'main@50', 'box ' || n, p::integer) FROM generate_series(1, 5) p;
        PERFORM casino.close_betting(r);
        PERFORM casino.deal(r, '{"dealer": "7h", "hands": [
            {"seat": 1, "cards": "Ts 8d"}, {"seat": 2, "cards": "Ts 9d"}, {"seat": 3, "cards": "Tc 8c"},
            {"seat": 4, "cards": "9s 8h"}, {"seat": 5, "cards": "Kd Qd"}]}');
        PERFORM casino.settle_round(r, '{"dealer": "7h Td", "hands": [
            {"seat": 1, "cards": "Ts 8d"}, {"seat": 2, "cards": "Ts 9d"}, {"seat": 3, "cards": "Tc 8c"},
            {"seat": 4, "cards": "9s 8h"}, {"seat": 5, "cards": "Kd Qd"}]}');
        PERFORM casino.try_place_bets(r, p, '{main@50}', 'late ' || n) FROM generate_series(1, 5) p;
        COMMIT;
    END LOOP;
END $$;
CALL bench.blackjack(800);
VACUUM ANALYZE;
CREATE FUNCTION bench.rows_of(name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM casino.%I', name) INTO n;
    RETURN n;
END $$;
\pset tuples_only off
SELECT x.relname AS name, x.n AS rows, x.bytes / x.n AS bytes_a_row
  FROM (SELECT c.relname, bench.rows_of(c.relname) AS n, pg_total_relation_size(c.oid) AS bytes
          FROM pg_class c
         WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind = 'r') x
 WHERE x.n >= 200
 ORDER BY x.bytes DESC;
