-- Erasure of a person at a hub (R12.93, R12.94): both calls go to the cell of the person under the caller's
-- name; the hub's own row has the token afterwards.

CREATE FUNCTION casino.cell_of_person(external_ref text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cell_of_person(text)
    IS 'At a hub: home cell of a person, named by the reference or by the token; of nobody, a cell that says '
       'so';

CREATE FUNCTION casino_internal.cell_of_person_impl(external_ref text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    home integer;
    one integer;
    silent text;
BEGIN
    SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = person_ref;
    -- the token of a person who is not erased yet: the cell alone has it; a cell that is away matters where
    -- no other one has it
    IF home IS NULL AND person_ref ~ '^[0-9a-f]{64}$' THEN
        FOR one IN SELECT c.cell FROM casino.hub_cell c ORDER BY c.down_since IS NOT NULL, c.cell LOOP
            BEGIN
                IF EXISTS (SELECT FROM casino_internal.hub_read(one, 'person',
                                                                jsonb_build_object('external_ref',
                                                                                   person_ref))) THEN
                    RETURN one;
                END IF;
            EXCEPTION WHEN connection_failure THEN
                silent := concat_ws(E'\n', silent, format('Cell %s: %s', one, SQLERRM));
            END;
        END LOOP;
        IF silent IS NOT NULL THEN
            RAISE EXCEPTION 'a cell that may know the person does not answer'
                USING ERRCODE = 'connection_failure', DETAIL = silent,
                      HINT = 'Call it again when all cells are up; casino.cell_status shows them.';
        END IF;
    END IF;
    RETURN coalesce(home, (SELECT min(c.cell) FROM casino.hub_cell c));
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_of_person_impl(text)
    IS 'Part of the hub: body of cell_of_person(), run as the owner of the ledger';

-- R12.95: a cell that was put back to before an erasure has fewer of them than this hub has noted, and the
-- person again.  Without the row of the reference a registration could go to another cell.
CREATE FUNCTION casino_internal.hub_note_lost_erasures(of_cell integer, erasures bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    noted CONSTANT jsonb := (SELECT jsonb_agg(p.external_ref)
                               FROM casino.hub_person p
                              WHERE p.cell = of_cell
                                AND p.erased_at IS NOT NULL
                             HAVING count(*) > erasures);
BEGIN
    IF noted IS NOT NULL AND casino_internal.hub_is_current() THEN
        PERFORM casino.hub_write('unerased', f || jsonb_build_object('cell', of_cell))
           FROM casino_internal.hub_read(of_cell, 'unerased', jsonb_build_object('tokens', noted)) f;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_note_lost_erasures(integer, bigint)
    IS 'Part of catch_up(): persons whose erasure a cell has lost have their rows again. erasures: how many '
       'the cell has';

CREATE FUNCTION casino_internal.hub_lost_erasures(of_cell integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN count(*) > 0
           THEN format('the erasure of %s person(s) is lost there: erase them anew '
                       '(casino.hub_person.lost_at)', count(*)) END
      FROM casino.hub_person p
     WHERE p.cell = of_cell
       AND p.lost_at IS NOT NULL
$fn$;
COMMENT ON FUNCTION casino_internal.hub_lost_erasures(integer)
    IS 'Part of the hub: the problem of a cell that has lost erasures; NULL: it has lost none';

-- Each erasure once: the salt would fit a person who is registered anew under the same reference, too.
CREATE FUNCTION casino_internal.hub_erase_persons(of_cell integer) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    e record;
    person_ref text;
    lock text;
    done integer := 0;
BEGIN
    -- an older snapshot would miss who was registered since, and each erasure is looked at once
    IF NOT casino_internal.hub_is_current()
       OR current_setting('transaction_isolation') <> 'read committed' THEN
        RETURN 0;
    END IF;
    FOR e IN SELECT f ->> 'token' AS token, decode(f ->> 'salt', 'hex') AS salt, f -> 'numbers' AS numbers
               FROM casino_internal.hub_read(of_cell, 'erased') f
              WHERE NOT EXISTS (SELECT FROM casino.hub_person p
                                 WHERE p.external_ref = f ->> 'token'
                                   AND p.erased_at IS NOT NULL)
    LOOP
        lock := NULL;
        SELECT p.external_ref INTO person_ref
          FROM casino.hub_person p
         WHERE p.cell = of_cell
           AND casino.person_token(p.external_ref, e.salt) = e.token;
        IF person_ref IS NOT NULL THEN
            -- no registration of the person is under way; where one is, it is done another time: a session
            -- that goes on after it must not hold up the cells
            lock := 'hub person ' || person_ref;
            CONTINUE WHEN NOT casino_internal.try_lock(lock, of_session => true);
        END IF;
        BEGIN
            -- R12.94
            IF person_ref IS NOT NULL
               AND EXISTS (SELECT FROM casino_internal.hub_read(of_cell, 'person',
                                                                jsonb_build_object('external_ref',
                                                                                   person_ref))) THEN
                person_ref := NULL;
            END IF;
            PERFORM casino.hub_write('erased', jsonb_build_object('external_ref', person_ref, 'token',
                                                                  e.token, 'cell', of_cell,
                                                                  'numbers', e.numbers));
        EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
            PERFORM casino_internal.release_lock(lock) WHERE lock IS NOT NULL;
            RAISE;
        END;
        PERFORM casino_internal.release_lock(lock) WHERE lock IS NOT NULL;
        done := done + 1;
    END LOOP;
    RETURN done;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_erase_persons(integer)
    IS 'Part of the hub: persons who were erased in a cell are erased here, too; how many erasures were new';

CREATE FUNCTION casino_internal.hub_note_erased(person_ref text, token text, of_cell integer, numbers jsonb)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    gone integer;
    come integer;
BEGIN
    DELETE FROM casino.hub_person p WHERE p.external_ref = person_ref;
    GET DIAGNOSTICS gone = ROW_COUNT;
    INSERT INTO casino.hub_person (external_ref, cell, assigned_at)
    VALUES (token, of_cell, clock_timestamp())
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS come = ROW_COUNT;
    UPDATE casino.hub_person p
       SET erased_at = clock_timestamp(),
           lost_at = NULL
     WHERE p.external_ref = hub_note_erased.token;
    -- by their numbers: who is registered anew under the reference keeps the new one (R12.94)
    UPDATE casino.hub_player p
       SET external_ref = hub_note_erased.token
     WHERE p.player_id IN (SELECT n::bigint FROM jsonb_array_elements_text(numbers) n)
       AND p.external_ref <> hub_note_erased.token;
    UPDATE casino.hub_cell c SET persons = c.persons + come - gone WHERE c.cell = of_cell;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_note_erased(text, text, integer, jsonb)
    IS 'Part of the hub: the token of an erased person stands instead of the reference, of the person and of '
       'the accounts';

-- While catch_up() runs, it does this itself.
CREATE FUNCTION casino_internal.hub_erased(external_ref text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    lock CONSTANT text := 'hub catch up';
BEGIN
    IF NOT casino_internal.hub_is_current()
       OR current_setting('transaction_isolation') <> 'read committed'
       OR NOT casino_internal.try_lock(lock, of_session => true) THEN
        RETURN;
    END IF;
    BEGIN
        PERFORM casino_internal.hub_erase_persons(casino_internal.cell_of_person_impl(external_ref));
    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
        PERFORM casino_internal.release_lock(lock);
        RAISE;
    END;
    PERFORM casino_internal.release_lock(lock);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_erased(text)
    IS 'Part of approve_erasure() at a hub: after the cell has erased the person';
