-- Numbers of players at a hub: kept when a cell has given them, so that a cell that was put back gives them
-- to nobody else (R12.100 to R12.104).

CREATE FUNCTION casino_internal.hub_numbers_of(person_ref text, of_cell integer) RETURNS jsonb
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_build_object('external_ref', person_ref,
                              'above', c.last_player,
                              'numbers', (SELECT coalesce(jsonb_agg(p.player_id ORDER BY p.player_id), '[]')
                                            FROM casino.hub_player p
                                           WHERE p.external_ref = person_ref
                                             AND p.cell = of_cell),
                              -- R12.117
                              'entered', (SELECT coalesce(jsonb_agg(m.new_player_id), '[]')
                                            FROM casino.hub_player p
                                            JOIN casino.hub_move m ON m.new_player_id = p.player_id
                                           WHERE p.external_ref = person_ref
                                             AND p.cell = of_cell
                                             AND m.entered_at IS NOT NULL))
      FROM casino.hub_cell c
     WHERE c.cell = of_cell
$fn$;
COMMENT ON FUNCTION casino_internal.hub_numbers_of(text, integer)
    IS 'Part of register_player() at a hub: a cell has to know this before it gives a number';

CREATE FUNCTION casino_internal.hub_has_player(account jsonb) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT FROM casino.hub_player p
                    WHERE p.player_id = (account ->> 'player_id')::bigint
                      AND p.external_ref = account ->> 'external_ref'
                      AND p.lost_at IS NULL
                      AND p.taken_at IS NULL)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_has_player(jsonb)
    IS 'Part of register_player() at a hub: does the hub have an account as its cell has it';

-- accounts: as the cell has them; lost: numbers that it lacks
CREATE FUNCTION casino_internal.hub_keep_players(of_cell integer, accounts jsonb, lost jsonb DEFAULT '[]')
    RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    given CONSTANT jsonb := coalesce(accounts, '[]');
    come bigint;
    gone bigint;
BEGIN
    -- first: who writes accounts of one cell at the same time waits here
    PERFORM FROM casino.hub_cell c WHERE c.cell = of_cell FOR NO KEY UPDATE;
    WITH account AS (
        SELECT x.*
          FROM jsonb_to_recordset(given) x (external_ref text, player_id bigint, registered_at timestamptz,
                                            erased boolean)),
    former AS (
        SELECT p.player_id, p.lost_at
          FROM casino.hub_player p
          JOIN account a ON a.player_id = p.player_id),
    new AS (
        INSERT INTO casino.hub_player (player_id, external_ref, cell, registered_at)
        SELECT a.player_id, a.external_ref, of_cell, a.registered_at
          FROM account a
            ON CONFLICT DO NOTHING),
    same AS (
        UPDATE casino.hub_player p
           SET external_ref = a.external_ref,
               registered_at = a.registered_at,
               lost_at = NULL,
               taken_at = NULL
          FROM account a
         WHERE p.player_id = a.player_id
           AND (p.external_ref = a.external_ref OR a.erased)
           AND (p.external_ref, p.registered_at, p.lost_at, p.taken_at)
               IS DISTINCT FROM (a.external_ref, a.registered_at, NULL::timestamptz, NULL::timestamptz)),
    -- R12.103
    taken AS (
        UPDATE casino.hub_player p
           SET lost_at = NULL,
               taken_at = clock_timestamp()
          FROM account a
         WHERE p.player_id = a.player_id
           AND p.external_ref <> a.external_ref
           AND NOT a.erased
           AND p.taken_at IS NULL)
    SELECT count(*)
      INTO come
      FROM account a
      LEFT JOIN former f ON f.player_id = a.player_id
     WHERE f.player_id IS NULL OR f.lost_at IS NOT NULL;
    UPDATE casino.hub_player p
       SET lost_at = clock_timestamp(),
           taken_at = NULL
     WHERE p.player_id IN (SELECT n::bigint FROM jsonb_array_elements_text(coalesce(lost, '[]')) n)
       AND p.cell = of_cell
       AND p.lost_at IS NULL;
    GET DIAGNOSTICS gone = ROW_COUNT;
    UPDATE casino.hub_cell c
       SET players = c.players + come - gone,
           last_player = greatest(c.last_player, (SELECT max((a ->> 'player_id')::bigint)
                                                    FROM jsonb_array_elements(given) a))
     WHERE c.cell = of_cell;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_keep_players(integer, jsonb, jsonb)
    IS 'Part of the hub: keeps the numbers that a cell has given, and marks those that differ there';

-- R12.104: the cell's last person tells a number that was given anew from one that was not noted
CREATE FUNCTION casino_internal.hub_players_agree(of_cell integer, state jsonb) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (state ->> 'players')::bigint = c.players
           AND (state ->> 'last_person_no' IS NULL
                OR casino_internal.hub_has_player(
                       jsonb_build_object('player_id', state -> 'last_person_no',
                                          'external_ref', state -> 'last_person')))
      FROM casino.hub_cell c
     WHERE c.cell = of_cell
$fn$;
COMMENT ON FUNCTION casino_internal.hub_players_agree(integer, jsonb)
    IS 'Part of catch_up(): has a cell as many accounts as the hub knows of';

CREATE FUNCTION casino_internal.hub_compare_players(of_cell integer, state jsonb) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    there jsonb := state;
    last CONSTANT bigint := (SELECT c.last_player FROM casino.hub_cell c WHERE c.cell = of_cell);
    restored CONSTANT boolean := casino_internal.hub_lost_tables(of_cell, state) <> '{}';
    since timestamptz;
    mine bigint[];
    -- times hub.patience: of a cell that has many players
    long CONSTANT integer := 20;
    problem text;
BEGIN
    IF NOT casino_internal.hub_is_current()
       OR current_setting('transaction_isolation') <> 'read committed' THEN
        RETURN NULL;
    END IF;
    -- R12.101: before anybody is registered there
    IF last > (state ->> 'last_number')::bigint THEN
        PERFORM casino_internal.hub_ask(ARRAY[of_cell], 0, 'players', jsonb_build_object('above', last));
    END IF;
    -- accounts from shortly before the last one of the cell on; where they do not explain it, all
    FOR attempt IN 1 .. 2 LOOP
        EXIT WHEN casino_internal.hub_players_agree(of_cell, there) AND (attempt > 1 OR NOT restored);
        since := CASE attempt WHEN 1 THEN (there ->> 'registered_at')::timestamptz
                                          - (SELECT h.replayed FROM casino.hub h) END;
        -- before the cell is asked: it has a player first
        mine := ARRAY(SELECT p.player_id
                        FROM casino.hub_player p
                       WHERE p.cell = of_cell
                         AND p.registered_at >= coalesce(since, '-infinity'));
        PERFORM casino.hub_write('players', jsonb_build_object(
                    'cell', of_cell,
                    'accounts', t.accounts,
                    'lost', (SELECT coalesce(jsonb_agg(n), '[]')
                               FROM unnest(mine) n
                              WHERE n NOT IN (SELECT (a ->> 'player_id')::bigint
                                                FROM jsonb_array_elements(t.accounts) a))))
           FROM (SELECT coalesce(jsonb_agg(f), '[]') AS accounts
                   FROM casino_internal.hub_read(of_cell, 'persons',
                                                 jsonb_build_object('since', coalesce(since, '-infinity')),
                                                 long) f) t;
        SELECT f INTO there FROM casino_internal.hub_read(of_cell, 'presence') f;
    END LOOP;
    RETURN NULL;
EXCEPTION WHEN connection_failure THEN
    GET STACKED DIAGNOSTICS problem = PG_EXCEPTION_DETAIL;
    RETURN problem;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_compare_players(integer, jsonb)
    IS 'Part of catch_up(): the accounts of a cell against those that the hub knows of; a cell that was put '
       'back gives no number again. Returns the problem of a cell that could not be read';

-- A person who was erased since is not registered again: the hub has the token alone. Nor is an account that
-- has moved to another cell (R12.155).
CREATE FUNCTION casino_internal.hub_lost_players(of_cell integer) RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT nullif(concat_ws('; ',
                            CASE WHEN count(p.lost_at) > 0
                                 THEN format('%s player(s) are lost there: register them again '
                                             '(casino.hub_player.lost_at)', count(p.lost_at)) END,
                            CASE WHEN count(p.taken_at) > 0
                                 THEN format('%s player number(s) are another person''s there '
                                             '(casino.hub_player.taken_at)', count(p.taken_at)) END), '')
      FROM casino.hub_player p
     WHERE p.cell = of_cell
       AND (p.lost_at IS NOT NULL OR p.taken_at IS NOT NULL)
       AND (p.lost_at IS NULL
            OR NOT EXISTS (SELECT FROM casino.hub_move m
                            WHERE m.player_id = p.player_id
                              AND m.entered_at IS NOT NULL))
       AND NOT EXISTS (SELECT FROM casino.hub_person h
                        WHERE h.external_ref = p.external_ref
                          AND h.erased_at IS NOT NULL)
$fn$;
COMMENT ON FUNCTION casino_internal.hub_lost_players(integer)
    IS 'Part of the hub: the problem of a cell whose accounts are not those that the hub knows of; NULL: '
       'they are';
