-- Exclusions: by the player, the register or the operator, and their end by a decision (D4 §6.2, R7.15,
-- R7.17).

CREATE FUNCTION casino_internal.install_exclusions() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.exclusion (
        player_id      bigint NOT NULL,
        exclusion_no   integer NOT NULL,
        source         text NOT NULL CHECK (source IN ('self', 'register', 'panic_button', 'operator')),
        excluded_from  timestamptz NOT NULL,
        excluded_until timestamptz NOT NULL CHECK (excluded_until > excluded_from),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion
        IS 'Append-only: periods in which a player may neither stake nor deposit (D4 §6.2)';
    COMMENT ON COLUMN casino.exclusion.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion.exclusion_no IS 'Counts the player''s exclusions from 1';
    COMMENT ON COLUMN casino.exclusion.source
        IS 'Who asked for it: self, the register of excluded persons, the panic button (48 hours), the '
           'operator';
    COMMENT ON COLUMN casino.exclusion.excluded_from IS 'Start';
    COMMENT ON COLUMN casino.exclusion.excluded_until IS 'End, exclusive; infinity: no end';
    COMMENT ON COLUMN casino.exclusion.recorded_at IS 'When it was written';

    CREATE TABLE casino.exclusion_end (
        player_id    bigint NOT NULL,
        exclusion_no integer NOT NULL,
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        ended_at     timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion_end
        IS 'Append-only: exclusions of the register or the operator that were ended by a decision before '
           'their time';
    COMMENT ON COLUMN casino.exclusion_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion_end.exclusion_no IS 'Which of his exclusions';
    COMMENT ON COLUMN casino.exclusion_end.reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_end.ended_at IS 'When the exclusion ends';
    COMMENT ON COLUMN casino.exclusion_end.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('exclusion', 'exclusion_end');
    PERFORM casino_internal.make_recorded('exclusion');
    ALTER TABLE casino.exclusion ADD COLUMN effective_from timestamptz CHECK (isfinite(effective_from));
    COMMENT ON COLUMN casino.exclusion.effective_from
        IS 'Since when the exclusion is in force by law, as the register has it; NULL: nobody has said';
    PERFORM casino_internal.make_recorded('exclusion_end');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_exclusions()
    IS 'Part of casino.install(): exclusions and their ends';

CREATE FUNCTION casino_internal.install_exclusion_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.exclusion_period AS
        SELECT e.player_id, e.exclusion_no, e.source, e.excluded_from,
               least(e.excluded_until, n.ended_at) AS excluded_until,
               e.excluded_until AS asked_until, n.ended_at, n.reason AS end_reason, e.recorded_at,
               n.recorded_at AS end_recorded_at, w.role AS end_role, w.actor AS end_actor, e.effective_from
          FROM casino.exclusion e
          LEFT JOIN casino.exclusion_end n ON n.player_id = e.player_id AND n.exclusion_no = e.exclusion_no
          LEFT JOIN casino.recorder w ON w.recorder_id = n.recorded_by;
    COMMENT ON VIEW casino.exclusion_period
        IS 'Exclusions with the time they really last: to their end, or to the decision that ended them '
           'before';
    COMMENT ON COLUMN casino.exclusion_period.excluded_until
        IS 'End, exclusive: what was asked for, or the decision that ended it; infinity: no end';
    COMMENT ON COLUMN casino.exclusion_period.asked_until IS 'End that was asked for; infinity: no end';
    COMMENT ON COLUMN casino.exclusion_period.ended_at IS 'When a decision ended it; NULL: none did';
    COMMENT ON COLUMN casino.exclusion_period.end_reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_period.end_recorded_at IS 'When that was written';
    COMMENT ON COLUMN casino.exclusion_period.end_role IS 'Database role that recorded the decision';
    COMMENT ON COLUMN casino.exclusion_period.effective_from
        IS 'Since when it is in force by law, where that was said; the stakes from then to excluded_from '
           'were taken without knowing it';
    COMMENT ON COLUMN casino.exclusion_period.end_actor IS 'Person on whose behalf, where named';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_exclusion_views()
    IS 'Part of casino.install(): how long exclusions really last';

CREATE FUNCTION casino_internal.note_exclusion(player_id bigint, until timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.note_exclusion(bigint, timestamptz)
    IS 'Part of exclude_player(): moves the end of the player''s exclusion, never back';

CREATE FUNCTION casino_internal.lock_open_stakes(accounts bigint[]) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.lock_open_stakes(bigint[])
    IS 'Part of exclude_player(): locks the players, the rounds open for betting where they have stakes, '
       'and who bets behind them there';

CREATE FUNCTION casino_internal.return_open_stakes(accounts bigint[], at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_return_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.return_open_stakes(bigint[], timestamptz)
    IS 'Part of exclude_player(): returns the players'' stakes in rounds open for betting, and the bets '
       'behind them';

CREATE FUNCTION casino.exclude_player(player_id bigint, until timestamptz, source text,
                                      at timestamptz DEFAULT NULL,
                                      effective_from timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.exclude_player(bigint, timestamptz, text, timestamptz, timestamptz)
    IS 'Excludes a player until a time (NULL: no end; panic button: at least 48 hours); several exclusions '
       'add up and none can be shortened (D4 §6.2). His stakes go back where betting is still open (reason '
       'excluded), others play on. Returns its number';

CREATE FUNCTION casino_internal.exclude_player_impl(player_id bigint, until timestamptz, source text,
    at timestamptz, effective_from timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    origin CONSTANT text := CASE WHEN source IN ('panic', 'panic button') THEN 'panic_button' ELSE source END;
    began timestamptz := at;
    ends timestamptz;
    accounts bigint[];
    number integer;
    later bigint;
BEGIN
    IF player_id IS NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF origin IS NULL OR origin NOT IN ('self', 'register', 'panic_button', 'operator') THEN
        RAISE EXCEPTION 'invalid source of an exclusion: "%"', source
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'Sources are self, register, panic_button and operator.';
    END IF;
    IF NOT isfinite(effective_from) THEN
        RAISE EXCEPTION 'effective_from must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    -- against register_player(), which gives a new account the exclusions of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref
                                FROM casino.player p
                               WHERE p.player_id = exclude_player_impl.player_id) FOR SHARE;
    -- exclusions are of the person: asked for by the number of a former account they hold for those opened
    -- since (R7.19, R7.122)
    accounts :=
        ARRAY (SELECT n.player_id
                 FROM casino.player p
                 JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id >= p.player_id
                WHERE p.player_id = exclude_player_impl.player_id ORDER BY n.player_id);
    PERFORM casino_internal.lock_open_stakes(accounts);
    PERFORM casino_internal.lock_player(player_id);
    began := coalesce(at, casino_internal.event_time(NULL));
    ends := coalesce(until, CASE WHEN origin = 'panic_button' THEN began ELSE 'infinity' END);
    IF origin = 'panic_button' THEN
        ends := greatest(ends, began + make_interval(hours => casino.duty_number('panic_hours',
            began)::integer));
    END IF;
    SELECT e.exclusion_no INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_impl.player_id
       AND e.source = origin
       AND e.excluded_from = began
       AND e.excluded_until = ends
       AND e.effective_from IS NOT DISTINCT FROM exclude_player_impl.effective_from
     ORDER BY e.exclusion_no DESC LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    PERFORM casino_internal.refuse_moved(player_id);
    PERFORM casino_internal.event_time(at);
    IF ends <= began THEN
        RAISE EXCEPTION 'an exclusion must end after it starts' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT coalesce(max(e.exclusion_no), 0) + 1 INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_impl.player_id;
    -- what begins by law later holds here at once: the stricter side (R7.68)
    INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from, excluded_until, recorded_at,
                                  effective_from)
    VALUES (player_id, number, origin, began, ends, clock_timestamp(), effective_from);
    PERFORM casino_internal.note_exclusion(player_id, ends);
    FOREACH later IN ARRAY accounts[2:] LOOP
        PERFORM casino_internal.lock_player(later);
        INSERT INTO casino.exclusion (player_id, exclusion_no, source, excluded_from, excluded_until,
                                      recorded_at, effective_from)
        SELECT later, coalesce(max(e.exclusion_no), 0) + 1, origin, began, ends, clock_timestamp(),
               exclude_player_impl.effective_from
          FROM casino.exclusion e WHERE e.player_id = later;
        PERFORM casino_internal.note_exclusion(later, ends);
    END LOOP;
    -- what he has staked where betting is open is not concluded yet
    PERFORM casino_internal.return_open_stakes(accounts, began);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.exclude_player_impl(bigint, timestamptz, text, timestamptz, timestamptz)
    IS 'Body of exclude_player(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.note_exclusion_end(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion_end' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.note_exclusion_end(bigint)
    IS 'Part of end_exclusion(): the end of the player''s exclusions is that of the ones that last longest';

-- Then the person's exclusions are read as they stay, or 40001 (R7.18).
CREATE FUNCTION casino_internal.lock_accounts_of(player_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account bigint;
BEGIN
    -- against register_player(), which gives a new account the exclusions that hold of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref
                                FROM casino.player p
                               WHERE p.player_id = lock_accounts_of.player_id) FOR SHARE;
    FOR account IN SELECT a.player_id
                     FROM casino.player p
                     JOIN casino.player a ON a.external_ref = p.external_ref
                    WHERE p.player_id = lock_accounts_of.player_id ORDER BY a.player_id LOOP
        PERFORM casino_internal.lock_player(account);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_accounts_of(bigint)
    IS 'Part of end_exclusion(): locks the accounts of the player''s person in the order of their numbers';

CREATE FUNCTION casino.end_exclusion(player_id bigint, exclusion_no integer, reason text,
                                     at timestamptz DEFAULT NULL)
RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.end_exclusion(bigint, integer, text, timestamptz)
    IS 'Ends an exclusion of the register or the operator by a decision with its reason, for all accounts '
       'of the person; those of the player himself (self, panic_button) are never ended (KC004). Returns '
       'when it ended, the same again for the same reason';

CREATE FUNCTION casino_internal.end_exclusion_impl(player_id bigint, exclusion_no integer, reason text,
                                                   at timestamptz)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account bigint;
    wanted casino.exclusion;
    ended casino.exclusion_end;
BEGIN
    IF player_id IS NULL OR exclusion_no IS NULL THEN
        RAISE EXCEPTION 'player_id and exclusion_no must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF coalesce(btrim(reason, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'ending an exclusion needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    PERFORM casino_internal.lock_accounts_of(player_id);
    SELECT e.* INTO wanted FROM casino.exclusion e
     WHERE e.player_id = end_exclusion_impl.player_id AND e.exclusion_no = end_exclusion_impl.exclusion_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'exclusion % of player % does not exist', exclusion_no, player_id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT n.* INTO ended FROM casino.exclusion_end n
     WHERE n.player_id = wanted.player_id AND n.exclusion_no = wanted.exclusion_no;
    IF FOUND THEN
        IF ended.reason <> end_exclusion_impl.reason THEN
            RAISE EXCEPTION 'exclusion % of player % has already been ended', exclusion_no, player_id
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = format('It was ended at %s: %s', ended.ended_at, ended.reason);
        END IF;
        RETURN ended.ended_at;
    END IF;
    PERFORM casino_internal.refuse_moved(player_id);
    IF wanted.source NOT IN ('register', 'operator') THEN
        RAISE EXCEPTION 'exclusion % of player % cannot be ended', exclusion_no, player_id
            USING ERRCODE = 'KC004', CONSTRAINT = 'exclusion_stands',
                  DATATYPE = jsonb_build_object('source', wanted.source, 'until',
                      wanted.excluded_until)::text,
                  DETAIL = format('The player asked for it himself (%s), until %s; only one of the register '
                                  'or the operator is ended by decision (D4 §6.2).',
                                  wanted.source, wanted.excluded_until),
                  HINT = 'Two people end an exclusion that was recorded by mistake: '
                         'casino.approve_exclusion_mistake().';
    END IF;
    at := casino_internal.event_time(at, wanted.excluded_from);
    IF at < wanted.excluded_from THEN
        RAISE EXCEPTION 'time % is before exclusion % of player % began', at, exclusion_no, player_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', at, 'not_before', wanted.excluded_from)::text,
                  DETAIL = format('It began at %s.', wanted.excluded_from);
    END IF;
    IF at >= wanted.excluded_until THEN
        RAISE EXCEPTION 'exclusion % of player % is over', exclusion_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It ended at %s.', wanted.excluded_until);
    END IF;
    -- the person's accounts have it each under a number of its own
    FOR account IN SELECT e.player_id
                     FROM casino.exclusion e
                     JOIN casino.player a ON a.player_id = e.player_id
                    WHERE a.external_ref = (SELECT p.external_ref
                                              FROM casino.player p
                                             WHERE p.player_id = wanted.player_id)
                      AND (e.source, e.excluded_from, e.excluded_until)
                              = (wanted.source, wanted.excluded_from, wanted.excluded_until)
                    ORDER BY e.player_id LOOP
        INSERT INTO casino.exclusion_end (player_id, exclusion_no, reason, ended_at, recorded_at)
        SELECT e.player_id, e.exclusion_no, end_exclusion_impl.reason, end_exclusion_impl.at,
               clock_timestamp()
          FROM casino.exclusion e
         WHERE e.player_id = account
           AND (e.source, e.excluded_from, e.excluded_until)
                   = (wanted.source, wanted.excluded_from, wanted.excluded_until);
        PERFORM casino_internal.note_exclusion_end(account);
    END LOOP;
    RETURN at;
END
$fn$;
COMMENT ON FUNCTION casino_internal.end_exclusion_impl(bigint, integer, text, timestamptz)
    IS 'Body of end_exclusion(), run as the owner of the ledger';
