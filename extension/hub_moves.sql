-- The hub moves players from cell to cell (R12.110 to R12.117, doc/scale.md).  A move is written down, then
-- the account leaves one cell, then it enters the other.  Each call answers its repetition, so that a move
-- that was stopped anywhere goes on where it was: by the caller who repeats it, or by catch_up().

CREATE FUNCTION casino_internal.install_hub_moves() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.hub_move (
        player_id     bigint PRIMARY KEY,
        from_cell     integer NOT NULL REFERENCES casino.hub_cell,
        to_cell       integer NOT NULL REFERENCES casino.hub_cell,
        amount        numeric,
        token         text,
        new_player_id bigint,
        decided_at    timestamptz NOT NULL,
        decided_by    text NOT NULL,
        login         text NOT NULL,
        left_at       timestamptz,
        entered_at    timestamptz,
        CHECK (left_at IS NULL OR (amount IS NOT NULL AND token IS NOT NULL)),
        CHECK (entered_at IS NULL OR (left_at IS NOT NULL AND new_player_id IS NOT NULL))
    );
    CREATE INDEX hub_move_new ON casino.hub_move (new_player_id);
    CREATE INDEX hub_move_token ON casino.hub_move (token);
    CREATE INDEX hub_move_on_its_way ON casino.hub_move (player_id) WHERE entered_at IS NULL;
    COMMENT ON INDEX casino.hub_move_new IS 'Finds the account that one was before';
    COMMENT ON INDEX casino.hub_move_token IS 'Finds the moves of a person';
    COMMENT ON INDEX casino.hub_move_on_its_way IS 'Finds moves that are not finished';
    COMMENT ON TABLE casino.hub_move IS 'Accounts that have moved from one cell to another, or are about to';
    COMMENT ON COLUMN casino.hub_move.player_id IS 'Account in the cell that it leaves';
    COMMENT ON COLUMN casino.hub_move.from_cell IS 'Cell that it leaves';
    COMMENT ON COLUMN casino.hub_move.to_cell IS 'Cell that it enters';
    COMMENT ON COLUMN casino.hub_move.amount IS 'CZK that go with it';
    COMMENT ON COLUMN casino.hub_move.token IS 'Token of the person, the same in both cells';
    COMMENT ON COLUMN casino.hub_move.new_player_id IS 'Account in the cell that it has entered';
    COMMENT ON COLUMN casino.hub_move.decided_at IS 'When that was decided';
    COMMENT ON COLUMN casino.hub_move.decided_by
        IS 'Person whom the session named in casino.actor, or else its login; cell N: a hub that was '
           'restored has it from there';
    COMMENT ON COLUMN casino.hub_move.login IS 'Role that had logged in at the hub';
    COMMENT ON COLUMN casino.hub_move.left_at IS 'When the first cell said that it has left';
    COMMENT ON COLUMN casino.hub_move.entered_at IS 'When the other cell said that it has entered';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_hub_moves() IS 'Part of install_hub(): players who move';

CREATE FUNCTION casino.move_player(player_id bigint, to_cell integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    move record;       -- casino.hub_move, which install_hub() makes
    home integer;
    answers casino.cell_answer[];
    goes jsonb;
BEGIN
    PERFORM casino_internal.must_be_hub();
    IF player_id IS NULL OR to_cell IS NULL THEN
        RAISE EXCEPTION 'player_id and to_cell must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.hub_enter('move', player_id::text);
    SELECT m.* INTO move FROM casino.hub_move m WHERE m.player_id = move_player.player_id;
    IF FOUND THEN
        IF move.to_cell <> move_player.to_cell THEN
            RAISE EXCEPTION 'player % has moved to cell %', player_id, move.to_cell
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      HINT = 'casino.moved_to() gives the number of the account there.';
        END IF;
        RETURN coalesce(CASE WHEN move.entered_at IS NOT NULL THEN move.new_player_id END,
                        casino_internal.hub_finish_move(player_id));
    END IF;
    home := casino.cell_of(player_id);
    IF home = to_cell OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = to_cell) THEN
        RAISE EXCEPTION 'player % cannot move to cell %', player_id, to_cell
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = CASE WHEN home = to_cell THEN 'It is the cell of the player.'
                                ELSE 'It is not in use.' END;
    END IF;
    -- both are asked before anything is done
    answers := casino_internal.hub_ask(ARRAY[home], 0, 'leave_cell',
                                       jsonb_build_object('player_id', player_id, 'to_cell', to_cell,
                                                          'again', false), dry => true);
    PERFORM casino_internal.hub_must_answer(answers);
    goes := (answers[1]).result;
    PERFORM casino_internal.hub_must_answer(
        casino_internal.hub_ask(ARRAY[to_cell], 0, 'enter_cell', goes, dry => true));
    -- nobody registers the person meanwhile, or erases it
    PERFORM casino_internal.hub_lock('person', goes ->> 'external_ref');
    PERFORM casino.hub_write('move', jsonb_build_object('player_id', player_id, 'from_cell', home,
                                                        'to_cell', to_cell,
                                                        'by', casino_internal.hub_actor(),
                                                        'login', session_user));
    RETURN casino_internal.hub_finish_move(player_id);
END
$fn$;
COMMENT ON FUNCTION casino.move_player(bigint, integer)
    IS 'At a hub, by its owner: moves a player to another cell, and returns the number of the account there, '
       'the same when called again. The account in the first cell is closed with all its entries; money, '
       'exclusions, limits and their counters go over. 55000 with the reason while something is open '
       'there, or money was moved today or in the last 24 hours; nothing has changed then. 08006: call it '
       'again, or catch_up() '
       'finishes it';

CREATE FUNCTION casino_internal.hub_must_answer(answers casino.cell_answer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF casino_internal.hub_silent((answers[1]).code) THEN
        RAISE EXCEPTION 'cell % does not answer', (answers[1]).cell
            USING ERRCODE = 'connection_failure', DETAIL = (answers[1]).message,
                  HINT = 'Call it again when the cell is up; casino.cell_status shows the cells.';
    END IF;
    PERFORM casino_internal.raise_refusal(answers);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_must_answer(casino.cell_answer[])
    IS 'Part of move_player(): an error when the cell that was asked does not answer, or refuses';

-- Under the lock of the move: a step that was done answers again, the others are done now.
CREATE FUNCTION casino_internal.hub_finish_move(of_account bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    move casino.hub_move;
    answers casino.cell_answer[];
    goes jsonb;
    account jsonb;
BEGIN
    SELECT m.* INTO STRICT move FROM casino.hub_move m WHERE m.player_id = of_account;
    answers := casino_internal.hub_ask(ARRAY[move.from_cell], 0, 'leave_cell',
                                       jsonb_build_object('player_id', of_account, 'to_cell', move.to_cell,
                                                          -- R12.117: it was told before, and was put back
                                                          'again', move.left_at IS NOT NULL,
                                                          'told', move.amount, 'token', move.token));
    IF move.left_at IS NULL AND (answers[1]).code <> '00000'
       AND NOT casino_internal.passes_by((answers[1]).code) THEN
        PERFORM casino.hub_write('move_refused', jsonb_build_object('player_id', of_account));
    END IF;
    PERFORM casino_internal.hub_must_answer(answers);
    goes := (answers[1]).result;
    PERFORM casino.hub_write('left', jsonb_build_object('player_id', of_account, 'amount', goes -> 'amount',
                                                        'token', goes -> 'token'));
    answers := casino_internal.hub_ask(ARRAY[move.to_cell], 0, 'enter_cell',
                                       goes || jsonb_build_object('number', move.new_player_id,
                                                                  'above', (SELECT c.last_player
                                                                              FROM casino.hub_cell c
                                                                             WHERE c.cell = move.to_cell)));
    PERFORM casino_internal.hub_must_answer(answers);
    account := (answers[1]).result;
    -- R12.100
    PERFORM casino.hub_write('players', jsonb_build_object('cell', move.to_cell,
                                                           'accounts', jsonb_build_array(account)));
    PERFORM casino.hub_write('entered', jsonb_build_object('player_id', of_account,
                                                           'number', account -> 'player_id',
                                                           'external_ref', goes -> 'external_ref',
                                                           'token', goes -> 'token'));
    RETURN (account ->> 'player_id')::bigint;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_finish_move(bigint)
    IS 'Part of move_player() and catch_up(): the account leaves, then enters; its number there';

-- The hub's own book, each step committed when it returns (hub_write).
CREATE FUNCTION casino_internal.hub_write_move(what text, a jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    id CONSTANT bigint := (a ->> 'player_id')::bigint;
BEGIN
    PERFORM FROM casino.hub FOR SHARE;
    PERFORM casino_internal.hub_may_decide();
    CASE what
        WHEN 'move' THEN
            INSERT INTO casino.hub_move (player_id, from_cell, to_cell, decided_at, decided_by, login)
            VALUES (id, (a ->> 'from_cell')::integer, (a ->> 'to_cell')::integer, clock_timestamp(),
                    a ->> 'by', a ->> 'login');
        WHEN 'move_refused' THEN
            DELETE FROM casino.hub_move m WHERE m.player_id = id AND m.left_at IS NULL;
        WHEN 'left' THEN
            UPDATE casino.hub_move m
               SET left_at = coalesce(m.left_at, clock_timestamp()),
                   amount = (a ->> 'amount')::numeric,
                   token = a ->> 'token'
             WHERE m.player_id = id;
        WHEN 'entered' THEN
            UPDATE casino.hub_move m
               SET entered_at = coalesce(m.entered_at, clock_timestamp()),
                   new_player_id = (a ->> 'number')::bigint
             WHERE m.player_id = id;
            PERFORM casino_internal.hub_note_home(a ->> 'external_ref', a ->> 'token');
        WHEN 'move_learned' THEN
            INSERT INTO casino.hub_move AS m (player_id, from_cell, to_cell, amount, token, new_player_id,
                                              decided_at, decided_by, login, left_at, entered_at)
            VALUES (id, (a ->> 'from_cell')::integer, (a ->> 'to_cell')::integer,
                    (a ->> 'amount')::numeric, a ->> 'token', (a ->> 'number')::bigint,
                    (a ->> 'moved_at')::timestamptz, a ->> 'by', session_user, clock_timestamp(),
                    CASE WHEN a ->> 'number' IS NOT NULL THEN clock_timestamp() END)
            -- the records of the cells go before those that this hub alone has written
            ON CONFLICT (player_id) DO UPDATE
               SET from_cell = CASE WHEN m.left_at IS NULL THEN EXCLUDED.from_cell ELSE m.from_cell END,
                   to_cell = CASE WHEN m.left_at IS NULL THEN EXCLUDED.to_cell ELSE m.to_cell END,
                   left_at = coalesce(m.left_at, EXCLUDED.left_at),
                   amount = coalesce(m.amount, EXCLUDED.amount),
                   token = coalesce(m.token, EXCLUDED.token),
                   new_player_id = coalesce(EXCLUDED.new_player_id, m.new_player_id),
                   entered_at = coalesce(m.entered_at, EXCLUDED.entered_at);
            PERFORM casino_internal.hub_note_home(a ->> 'external_ref', a ->> 'token');
        ELSE
            RAISE EXCEPTION 'unknown writing "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_write_move(text, jsonb)
    IS 'Part of hub_write(): a step of a move in the hub''s own book';

-- The home of a person is the cell that was entered last. A restored hub learns of moves in any order.
CREATE FUNCTION casino_internal.hub_note_home(person_ref text, of_token text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    home CONSTANT integer := (SELECT m.to_cell
                                FROM casino.hub_move m
                               WHERE m.token = of_token
                                 AND m.entered_at IS NOT NULL
                               ORDER BY m.decided_at DESC, m.player_id DESC
                               LIMIT 1);
    before integer;
BEGIN
    SELECT p.cell INTO before FROM casino.hub_person p WHERE p.external_ref = person_ref FOR UPDATE;
    IF FOUND AND before <> home THEN
        UPDATE casino.hub_person p SET cell = home WHERE p.external_ref = person_ref;
        UPDATE casino.hub_cell c
           SET persons = c.persons + CASE WHEN c.cell = home THEN 1 ELSE -1 END
         WHERE c.cell IN (before, home);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_note_home(text, text)
    IS 'Part of the hub: the cell that a person''s account has entered last is the home cell';

-- ------------------------------------------------------------------------------------------ catch_up()

-- R12.116: which accounts have left a cell, or entered it, as this hub knows: their number and their sum.
-- R12.155: one that was opened since the backup to which the cell was put back is not there to be closed.
CREATE FUNCTION casino_internal.hub_moves_agree(of_cell integer, state jsonb) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT state ->> 'left' IS NULL
           OR (state ->> 'left', state ->> 'entered')
              = (SELECT count(*) FILTER (WHERE m.from_cell = of_cell) || '/'
                        || coalesce(sum(m.player_id) FILTER (WHERE m.from_cell = of_cell), 0),
                        count(*) FILTER (WHERE m.to_cell = of_cell AND m.entered_at IS NOT NULL) || '/'
                        || coalesce(sum(m.new_player_id) FILTER (WHERE m.to_cell = of_cell
                                                                   AND m.entered_at IS NOT NULL), 0)
                   FROM casino.hub_move m
                  WHERE m.left_at IS NOT NULL
                    AND NOT (m.entered_at IS NOT NULL
                             AND EXISTS (SELECT FROM casino.hub_player p
                                          WHERE p.player_id = m.player_id
                                            AND p.cell = of_cell
                                            AND p.lost_at IS NOT NULL)))
$fn$;
COMMENT ON FUNCTION casino_internal.hub_moves_agree(integer, jsonb)
    IS 'Part of the hub: are the accounts that have left and entered a cell those that the hub knows';

-- Learn the moves that only the cell has, and tell the cell again those that only the hub has.
CREATE FUNCTION casino_internal.hub_catch_up_moves(of_cell integer, state jsonb) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    known jsonb := '[]';
    again CONSTANT boolean := NOT casino_internal.hub_moves_agree(of_cell, state);
    m record;
    lock text;
    problem text;
BEGIN
    IF again THEN
        known := (SELECT coalesce(jsonb_agg(r), '[]') FROM casino_internal.hub_read(of_cell, 'moves') r);
        PERFORM casino.hub_write('move_learned',
                                 jsonb_build_object('player_id', CASE r ->> 'direction'
                                                        WHEN 'out' THEN r -> 'player_id'
                                                        ELSE r -> 'other_player_id' END,
                                                    'from_cell', CASE r ->> 'direction'
                                                        WHEN 'out' THEN to_jsonb(of_cell)
                                                        ELSE r -> 'cell' END,
                                                    'to_cell', CASE r ->> 'direction'
                                                        WHEN 'out' THEN r -> 'cell'
                                                        ELSE to_jsonb(of_cell) END,
                                                    'number', CASE r ->> 'direction'
                                                        WHEN 'in' THEN r -> 'player_id' END,
                                                    'amount', r -> 'amount', 'token', r -> 'token',
                                                    'external_ref', r -> 'external_ref',
                                                    'moved_at', r -> 'moved_at',
                                                    'by', format('cell %s', of_cell)))
           FROM jsonb_array_elements(known) r;
    END IF;
    FOR m IN SELECT x.player_id
               FROM casino.hub_move x
              WHERE of_cell IN (x.from_cell, x.to_cell)
                AND (x.entered_at IS NULL
                     OR again AND x.from_cell = of_cell
                        AND NOT EXISTS (SELECT FROM casino.hub_player p
                                         WHERE p.player_id = x.player_id
                                           AND p.lost_at IS NOT NULL)
                        AND NOT EXISTS (SELECT FROM jsonb_array_elements(known) r
                                         WHERE r ->> 'direction' = 'out'
                                           AND (r ->> 'player_id')::bigint = x.player_id)
                     OR again AND x.to_cell = of_cell
                        AND NOT EXISTS (SELECT FROM jsonb_array_elements(known) r
                                         WHERE r ->> 'direction' = 'in'
                                           AND (r ->> 'other_player_id')::bigint = x.player_id))
              ORDER BY x.decided_at, x.player_id LOOP
        lock := 'hub move ' || m.player_id;
        -- a session that moves the player at this moment does it itself
        CONTINUE WHEN NOT casino_internal.try_lock(lock, of_session => true);
        BEGIN
            PERFORM casino_internal.hub_finish_move(m.player_id);
        EXCEPTION
            WHEN query_canceled OR assert_failure THEN
                PERFORM casino_internal.release_lock(lock);
                RAISE;
            WHEN OTHERS THEN
                problem := coalesce(problem, format('move of player %s: %s %s', m.player_id, SQLSTATE,
                                                    SQLERRM));
        END;
        PERFORM casino_internal.release_lock(lock);
    END LOOP;
    RETURN problem;
EXCEPTION WHEN connection_failure THEN
    GET STACKED DIAGNOSTICS problem = PG_EXCEPTION_DETAIL;
    RETURN problem;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_catch_up_moves(integer, jsonb)
    IS 'Part of catch_up(): moves from and to a cell are learned, told again, and finished; returns '
       'obstacles';

-- A problem of cell_status.
CREATE FUNCTION casino_internal.hub_moves_waiting(of_cell integer, state jsonb) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT nullif(concat_ws('; ',
               CASE WHEN NOT casino_internal.hub_moves_agree(of_cell, state)
                    THEN 'the players who have moved are not those that the hub knows: it waits for '
                         'casino.catch_up()' END,
               (SELECT format('%s player(s) on the way from or to it wait for casino.catch_up()', count(*))
                  FROM casino.hub_move m
                 WHERE of_cell IN (m.from_cell, m.to_cell)
                   AND m.entered_at IS NULL
                HAVING count(*) > 0)), '')
$fn$;
COMMENT ON FUNCTION casino_internal.hub_moves_waiting(integer, jsonb)
    IS 'Part of the hub: what a cell''s players who move wait for; NULL: nothing';

-- --------------------------------------------------------------------------------------- who has moved

CREATE FUNCTION casino.moved_to(player_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.moved_to(bigint)
    IS 'At a hub: the account that a player has now; the number itself of one who has never moved, or is on '
       'the way';

CREATE FUNCTION casino_internal.moved_to_impl(player_id bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.must_be_hub();
    RETURN (WITH RECURSIVE now AS (
                SELECT moved_to_impl.player_id AS id, 0 AS n
                UNION ALL
                SELECT m.new_player_id, now.n + 1
                  FROM now
                  JOIN casino.hub_move m ON m.player_id = now.id
                 WHERE m.entered_at IS NOT NULL)
            SELECT now.id FROM now ORDER BY now.n DESC LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino_internal.moved_to_impl(bigint)
    IS 'Body of moved_to(), run as the owner of the ledger';
