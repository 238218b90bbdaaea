-- A player who has joined a live round later has the row of that one: check state looks for it among the
-- entries that follow, 16, then 32, then 64 at a time. k: the entries after the first one, a live stake the
-- last.
-- tampers with the books
SET client_min_messages = warning;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SELECT no_plan();
SELECT casino.add_game_table('roulette_synot', 'live', 10, 1000) AS live \gset

CREATE FUNCTION joined(k integer, refunded text, since timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    p CONSTANT bigint := casino.register_player(gen_random_uuid()::text);
    noon CONSTANT timestamptz := '2026-06-01 12:00';
    r CONSTANT bigint := casino.open_round((SELECT t.table_id FROM casino.game_table t LIMIT 1),
                                           gen_random_uuid()::text, noon);
BEGIN
    PERFORM casino.deposit(p, 100, 'd ' || i, noon - interval '1 hour') FROM generate_series(1, k) i;
    PERFORM casino.place_bet(r, p, 'red@10', 's', at => noon);
    IF refunded = 'cancelled' THEN
        PERFORM casino.cancel_bet(r, p, 's', noon);
    END IF;
    IF refunded = 'voided' THEN
        PERFORM casino.close_betting(r, noon), casino.void_round(r, 'a broken wheel', noon);
    ELSE
        PERFORM casino.settle_round(r, '{"number": 1}', noon + interval '1 minute');
    END IF;
    RETURN casino_internal.joined_later(p, 1, since);
END $$;

SELECT is(joined(k, NULL, '2026-06-01'), true, format('a stake %s entries later', k))
  FROM unnest('{1,15,16,17,47,48,49,112,113}'::integer[]) k;
SELECT is(joined(k, NULL, '2026-06-01 12:00:00.000001'), false,
          format('no stake from then on, %s entries later', k))
  FROM unnest('{1,16,48}'::integer[]) k;
SELECT is(joined(20, NULL, '2026-06-01 12:00'), true, 'a stake of that instant');
SELECT is(joined(20, 'cancelled', '2026-06-01'), false, 'a stake that was cancelled did not join');
SELECT is(joined(20, 'voided', '2026-06-01'), true, 'a stake of a round that was voided did');
SELECT is(casino_internal.joined_later(1, 2, '2026-06-01'), false, 'nothing follows the last entry');
SELECT is(casino_internal.joined_later(999999, 0, '2026-06-01'), false, 'nor is there one of a stranger');
-- an entry with a number that nobody could have
ALTER TABLE casino.ledger DISABLE TRIGGER USER;
SELECT lives_ok($$UPDATE casino.ledger SET entry_no = 9223372036854775807
                   WHERE player_id = 1 AND entry_no = 2$$, 'forged: a last number at the end of the range');
SELECT is(casino_internal.joined_later(1, 1, '2026-06-01'), true, 'it is found there');
SELECT * FROM finish();
