-- R10.12: whose account a player is, is held against what was recorded when it was opened: an edited
-- reference would take a person's former account out of what break, second_table and cash_limit count
-- together.
-- tampers with the books
SET client_min_messages = warning;
SET search_path = public;
SET casino.clock_skew = -1;
SET timezone = 'Europe/Prague';
SET max_parallel_workers_per_gather = 0;
BEGIN;
SELECT no_plan();

-- zoe plays on one account, closes it, and plays on another; ann has one
SELECT casino.add_game_table('roulette_synot', 'T', 10, 10000) AS t \gset
SELECT casino.register_player('ann') AS ann, casino.register_player('zoe') AS zoe \gset
CREATE FUNCTION pg_temp.spin(ref text, tab bigint, who bigint, opened timestamptz,
                             number integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    r bigint := casino.open_round(tab, ref, opened);
BEGIN
    PERFORM casino.place_bet(r, who, 'red@100', ref, at => opened + interval '10 s');
    PERFORM casino.close_betting(r, opened + interval '30 s');
    PERFORM casino.settle_round(r, jsonb_build_object('number', number), opened + interval '60 s');
    RETURN r;
END $$;
SELECT casino.deposit(:ann, 1000, 'in', '2026-06-10 09:00'),
    casino.deposit(:zoe, 100, 'in', '2026-06-10 09:00') \g /dev/null
SELECT pg_temp.spin('A', :t, :zoe, '2026-06-10 10:00', 17),
    pg_temp.spin('B', :t, :ann, '2026-06-10 10:05', 18) \g /dev/null
SELECT casino.close_account(:zoe, '2026-06-10 10:30') \g /dev/null
SELECT casino.register_player('zoe') AS zoe2 \gset
SELECT casino.deposit(:zoe2, 1000, 'in', '2026-06-10 11:00') \g /dev/null
SELECT pg_temp.spin('C', :t, :zoe2, '2026-06-10 11:30', 18) \g /dev/null
-- of the day there is something before
SELECT casino.register_player('old') AS old \gset
SELECT casino.deposit(:old, 1000, 'in', '2026-06-01 09:00') \g /dev/null

CREATE FUNCTION pg_temp.found(fault text, from_day date) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    result text[];
BEGIN
    BEGIN
        ALTER TABLE casino.player DISABLE TRIGGER ALL;
        EXECUTE fault;
        -- R7.117: a difference is sealed, and names nobody in clear; a token is random
        result := ARRAY (SELECT format('%s p%s: %s | %s', f.rule, f.player_id, f.expected,
                                       regexp_replace(f.found, '[0-9a-f]{64}', 'TOKEN'))
                                || CASE WHEN to_jsonb(f)::text ~ 'zoe|ann|ghost|old'
                                        THEN ' names a person' ELSE '' END
                         FROM casino_internal.check_state(from_day, '2026-06-10') f);
        RAISE EXCEPTION 'back' USING ERRCODE = 'P9999';
    EXCEPTION WHEN SQLSTATE 'P9999' THEN
        NULL;
    END;
    RETURN QUERY SELECT unnest(result);
END $$;
CREATE FUNCTION pg_temp.planted(name text, fault text,
                                VARIADIC expected text[]) RETURNS SETOF text LANGUAGE sql AS
    $$SELECT set_eq(format('SELECT * FROM pg_temp.found(%L, %L)', fault, d.day), expected, name || d.period)
        FROM (VALUES (1, date '2026-06-10', ': by day'), (2, '2020-01-01', ': by audit')) d (n, day, period)
            ORDER BY d.n$$;
SELECT set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true) \g /dev/null
SELECT registered_at AS since FROM casino.player WHERE player_id = :zoe \gset

SELECT pg_temp.planted('clean books', 'SELECT 1', VARIADIC '{}');
SELECT pg_temp.planted('clean books that are sealed', 'SELECT casino.seal(''2026-06-10'')', VARIADIC '{}');
SELECT pg_temp.planted('the former account given to another person',
                       format('UPDATE casino.player SET external_ref = ''ann'' WHERE player_id = %s', :zoe),
    format('accounts p%s: 1 of the person | 2 of the person', :zoe),
        format('accounts p%s: 2 of the person | 1 of the person', :zoe2),
    -- ann has joined a round within 15 minutes of his then
    format('sequence_started_at p%s: 2026-06-10 08:00:10+00 | 2026-06-10 08:05:10+00', :ann));
SELECT pg_temp.planted('to a person who was not there',
                       format('UPDATE casino.player SET external_ref = ''ghost'' WHERE player_id = %s', :zoe),
    format('accounts p%s: 0 of the person | 1 of the person', :zoe),
        format('accounts p%s: 2 of the person | 1 of the person', :zoe2));
SELECT pg_temp.planted('to a person who is put in',
                       format('INSERT INTO casino.person VALUES (''ghost'', 1);
                               UPDATE casino.player SET external_ref = ''ghost'' WHERE player_id = %s',
                              :zoe),
    format('accounts p%s: 2 of the person | 1 of the person', :zoe2));
CREATE FUNCTION pg_temp.careful(who bigint) RETURNS void LANGUAGE sql AS
    $$INSERT INTO casino.person VALUES ('ghost', 1);
      UPDATE casino.person SET accounts = 1 WHERE external_ref = 'zoe';
      UPDATE casino.player SET external_ref = 'ghost' WHERE player_id = who$$;
SELECT pg_temp.planted('the same with the persons'' accounts counted anew, after a seal',
                       format('SELECT casino.seal(''2026-06-10''), pg_temp.careful(%s)', :zoe),
    format('registration p%s: as seal 1 has it | TOKEN, %s', :zoe, :'since'));
SELECT pg_temp.planted('and before any seal, which is what nobody can see',
                       format('SELECT pg_temp.careful(%s)', :zoe), VARIADIC '{}');
SELECT pg_temp.planted('when it was opened, after a seal',
                       format('SELECT casino.seal(''2026-06-10'');
                               UPDATE casino.player
                                  SET registered_at = ''2026-06-01 00:00+00''
                                WHERE player_id = %s',
                              :zoe),
    format('registration p%s: as seal 1 has it | TOKEN, 2026-06-01 00:00:00+00', :zoe));
-- who plays on no account of the days is the audit's
SELECT is_empty(format('SELECT * FROM pg_temp.found(%L, %L)',
                       format('UPDATE casino.player SET external_ref = ''ghost'' WHERE player_id = %s', :old),
                           '2026-06-10'), 'a person who does not play on the day: not by day');
SELECT set_eq(format('SELECT * FROM pg_temp.found(%L, %L)',
                     format('UPDATE casino.player SET external_ref = ''ghost'' WHERE player_id = %s', :old),
                         '2020-01-01'),
    ARRAY[format('accounts p%s: 0 of the person | 1 of the person', :old),
          'accounts p: 1 of the person | 0 of the person'], '... but by the audit');
-- the person's row and the player's bear another reference, whose hash with the salt is another token
SELECT pg_temp.planted('R7.117: a changed reference is told by its token',
                       'WITH former AS (SELECT * FROM casino.person WHERE external_ref = ''ann'')
                        INSERT INTO casino.person (external_ref, accounts, salt, token)
                        SELECT ''ghost'', accounts, salt, repeat(''0'', 64) FROM former;
                        UPDATE casino.player SET external_ref = ''ghost'' WHERE external_ref = ''ann'';
                        DELETE FROM casino.person WHERE external_ref = ''ann''',
    format('person p%s: the reference whose token is %s | one whose token is TOKEN', :ann, repeat('0', 64)));
SELECT * FROM finish();
ROLLBACK;
