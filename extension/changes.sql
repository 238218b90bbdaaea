-- Changes since a cursor (R8.26, R8.27). A transaction that changes a round only adds a row, without a
-- number: nobody waits. The reader numbers committed changes, under a lock of readers: a row of a transaction
-- that commits late gets a later number than all that a reader has seen.

CREATE FUNCTION casino_internal.install_changes() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relation name;
BEGIN
    CREATE TABLE casino.round_change (
        round_id  bigint NOT NULL,
        change_no bigint
    );
    CREATE INDEX round_change_new ON casino.round_change (round_id) WHERE change_no IS NULL;
    COMMENT ON INDEX casino.round_change_new IS 'Finds the changes that no reader has numbered';
    CREATE UNIQUE INDEX round_change_no ON casino.round_change (change_no);
    COMMENT ON INDEX casino.round_change_no IS 'Finds the changes after a cursor';
    CREATE INDEX round_change_round ON casino.round_change (round_id);
    COMMENT ON INDEX casino.round_change_round IS 'Finds the earlier changes of a round';
    COMMENT ON TABLE casino.round_change
        IS 'Rounds that have changed, for round_changes(): no evidence, because everything in it is told '
           'by other tables';
    COMMENT ON COLUMN casino.round_change.round_id IS 'Round';
    COMMENT ON COLUMN casino.round_change.change_no
        IS 'Number that the first reader gave to the change; NULL: no reader has seen it';

    CREATE TABLE casino.player_day_change (
        player_id bigint NOT NULL,
        day       date NOT NULL,
        change_no bigint NOT NULL,
        PRIMARY KEY (player_id, day)
    );
    CREATE INDEX player_day_change_no ON casino.player_day_change (change_no);
    COMMENT ON INDEX casino.player_day_change_no IS 'Finds the changes after a cursor';
    COMMENT ON TABLE casino.player_day_change
        IS 'Days of players with entries, for player_day_changes(): no evidence';
    COMMENT ON COLUMN casino.player_day_change.player_id IS 'Player';
    COMMENT ON COLUMN casino.player_day_change.day IS 'Prague day that has entries';
    COMMENT ON COLUMN casino.player_day_change.change_no IS 'Number of its last change';

    CREATE TABLE casino.player_day_seen (
        player_id bigint PRIMARY KEY,
        entry_no  bigint NOT NULL
    );
    COMMENT ON TABLE casino.player_day_seen
        IS 'Up to which entry of each player player_day_changes() has looked';
    COMMENT ON COLUMN casino.player_day_seen.player_id IS 'Player';
    COMMENT ON COLUMN casino.player_day_seen.entry_no IS 'Last entry whose day is numbered';

    FOREACH relation IN ARRAY '{round,deal,deal_correction,round_correction,correction_decision,claim,
                                withholding,withholding_end}'::name[] LOOP
        EXECUTE format('CREATE TRIGGER note_change AFTER INSERT %s ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.note_change()',
                       CASE WHEN relation = 'round' THEN 'OR UPDATE' ELSE '' END, relation);
        EXECUTE format('COMMENT ON TRIGGER note_change ON casino.%I IS %L', relation,
                       'Notes that the round has changed, for round_changes()');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_changes()
    IS 'Part of casino.install(): changes since a cursor';

CREATE FUNCTION casino_internal.note_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.round_change (round_id) VALUES (NEW.round_id);
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino_internal.note_change()
    IS 'Trigger of rounds and of records about them: notes that the round has changed';

-- R8.26: numbers grow with the clock, so that books restored from yesterday's backup give none again that a
-- reader had today.
CREATE FUNCTION casino_internal.next_change_no(last bigint) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(coalesce(last, 0) + 1,
                    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$fn$;
COMMENT ON FUNCTION casino_internal.next_change_no(bigint)
    IS 'Part of round_changes(): the first number that no reader had';

CREATE FUNCTION casino_internal.check_change_reader(since bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- an older snapshot would not show what another reader has numbered
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'changes are read in READ COMMITTED'
            USING ERRCODE = 'invalid_transaction_state',
                  DETAIL = format('The transaction is %s: it may not see what others have numbered.',
                                  upper(current_setting('transaction_isolation')));
    END IF;
    IF since < 0 THEN
        RAISE EXCEPTION 'invalid cursor: %', since
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'Give the greatest change_no that you have, or NULL for everything.';
    END IF;
    PERFORM casino_internal.take_lock('changes');
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_change_reader(bigint)
    IS 'Part of round_changes() and player_day_changes(): the cursor and the isolation, then the lock of '
       'readers';

CREATE FUNCTION casino.round_changes(since bigint DEFAULT NULL, OUT change_no bigint, OUT round_id bigint,
                                     OUT table_id bigint, OUT round_ref text, OUT status text,
                                     OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                     OUT evaluated_at timestamptz, OUT outcome jsonb, OUT wagers bigint,
                                     OUT players bigint, OUT staked numeric, OUT paid numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 1000;
COMMENT ON FUNCTION casino.round_changes(bigint)
    IS 'Rounds whose state, figures, cards or outcome changed after a cursor (the greatest change_no that '
       'the reader has; NULL: all), as they are now, each once, in the order of change_no';

CREATE FUNCTION casino_internal.round_changes_impl(since bigint, OUT change_no bigint, OUT round_id bigint,
                                                   OUT table_id bigint, OUT round_ref text, OUT status text,
                                                   OUT opened_at timestamptz,
                                                       OUT betting_closed_at timestamptz,
                                                   OUT evaluated_at timestamptz, OUT outcome jsonb,
                                                   OUT wagers bigint, OUT players bigint, OUT staked numeric,
                                                   OUT paid numeric)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first bigint;
BEGIN
    PERFORM casino_internal.check_change_reader(since);
    first := casino_internal.next_change_no((SELECT max(c.change_no) FROM casino.round_change c));
    -- one number a round; the number before goes
    WITH new AS MATERIALIZED (
        DELETE FROM casino.round_change c WHERE c.change_no IS NULL RETURNING c.round_id),
    changed AS MATERIALIZED (
        SELECT n.round_id, row_number() OVER (ORDER BY n.round_id) AS place FROM new n GROUP BY n.round_id),
    replaced AS (
        DELETE FROM casino.round_change c USING changed n
         WHERE c.round_id = n.round_id AND c.change_no IS NOT NULL)
    INSERT INTO casino.round_change (round_id, change_no)
    SELECT n.round_id, first + n.place - 1 FROM changed n;
    RETURN QUERY
        SELECT c.change_no, r.round_id, r.table_id, r.round_ref, r.status, r.opened_at, r.betting_closed_at,
               r.evaluated_at, r.outcome, r.wagers, r.players, r.staked, r.paid
          FROM casino.round_change c
          JOIN casino.round r ON r.round_id = c.round_id
         WHERE c.change_no > coalesce(since, 0)
         ORDER BY c.change_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.round_changes_impl(bigint)
    IS 'Body of round_changes(), run as the owner of the ledger';

-- A player's entries are numbered without gaps under the lock of the player: up to which one a reader has
-- looked tells the new ones, and a stake writes nothing more.
CREATE FUNCTION casino.player_day_changes(since bigint DEFAULT NULL, OUT change_no bigint,
                                          OUT player_id bigint, OUT day date)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 1000;
COMMENT ON FUNCTION casino.player_day_changes(bigint)
    IS 'Players'' days (player_day()) that got entries after a cursor (the greatest change_no that the '
       'reader has; NULL: all), each once, in the order of change_no';

CREATE FUNCTION casino_internal.player_day_changes_impl(since bigint, OUT change_no bigint,
                                                        OUT player_id bigint,
                                                        OUT day date)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first bigint;
BEGIN
    PERFORM casino_internal.check_change_reader(since);
    first := casino_internal.next_change_no((SELECT max(c.change_no) FROM casino.player_day_change c));
    WITH new AS MATERIALIZED (
        SELECT l.player_id, casino.prague_day(l.posted_at) AS day, max(l.entry_no) AS entry_no
          FROM casino.player p
          LEFT JOIN casino.player_day_seen s ON s.player_id = p.player_id
          -- days in books that were put away change no more
          JOIN casino.carried_entry l ON l.player_id = p.player_id AND l.entry_no > coalesce(s.entry_no, 0)
         WHERE p.last_entry_no > coalesce(s.entry_no, 0)
           AND l.kind <> 'carried_forward'
         GROUP BY 1, 2),
    seen AS (
        INSERT INTO casino.player_day_seen AS s (player_id, entry_no)
        SELECT n.player_id, max(n.entry_no) FROM new n GROUP BY n.player_id
        ON CONFLICT (player_id) DO UPDATE SET entry_no = excluded.entry_no)
    INSERT INTO casino.player_day_change AS c (player_id, day, change_no)
    SELECT n.player_id, n.day, first + row_number() OVER (ORDER BY n.player_id, n.day) - 1
      FROM new n
    ON CONFLICT (player_id, day) DO UPDATE SET change_no = excluded.change_no;
    RETURN QUERY
        SELECT c.change_no, c.player_id, c.day
          FROM casino.player_day_change c
         WHERE c.change_no > coalesce(since, 0)
         ORDER BY c.change_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_day_changes_impl(bigint)
    IS 'Body of player_day_changes(), run as the owner of the ledger';
