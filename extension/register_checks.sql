-- Questions to the register of excluded persons (D4 §6.2), and the figure that asks for one (R7.76, R7.77).

CREATE FUNCTION casino_internal.install_register_checks() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.register_check (
        player_id   bigint NOT NULL,
        check_no    integer NOT NULL,
        answer      text NOT NULL CHECK (answer IN ('clear', 'excluded', 'unavailable')),
        checked_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, check_no)
    );
    COMMENT ON TABLE casino.register_check
        IS 'Append-only: questions to the register of excluded persons, each with its answer';
    COMMENT ON COLUMN casino.register_check.player_id IS 'Player';
    COMMENT ON COLUMN casino.register_check.check_no IS 'Counts the player''s questions from 1';
    COMMENT ON COLUMN casino.register_check.answer
        IS 'clear: the person is not in the register. excluded: the person is. unavailable: the register '
           'did not answer';
    COMMENT ON COLUMN casino.register_check.checked_at IS 'When the register was asked';
    COMMENT ON COLUMN casino.register_check.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('register_check');
    PERFORM casino_internal.make_recorded('register_check');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_register_checks()
    IS 'Part of casino.install(): questions to the register of excluded persons';

CREATE FUNCTION casino.record_register_check(player_id bigint, answer text, at timestamptz DEFAULT NULL)
RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_register_check(bigint, text, timestamptz)
    IS 'Records a question to the register of excluded persons and its answer: clear, excluded or '
       'unavailable. The answer excluded excludes the player as well, without an end: a later clear does '
       'not end it, end_exclusion() does. Returns the number of the question, the same for the same time '
       'and answer';

CREATE FUNCTION casino_internal.record_register_check_impl(player_id bigint, answer text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number integer;
    asked timestamptz;
BEGIN
    IF player_id IS NULL OR answer IS NULL THEN
        RAISE EXCEPTION 'player_id and answer must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF answer NOT IN ('clear', 'excluded', 'unavailable') THEN
        RAISE EXCEPTION 'invalid answer of the register: "%"', left(answer, 200)
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'Answers are clear, excluded and unavailable.';
    END IF;
    SELECT c.check_no INTO number
      FROM casino.register_check c
     WHERE c.player_id = record_register_check_impl.player_id
       AND c.checked_at = at
       AND c.answer = record_register_check_impl.answer
     ORDER BY c.check_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    PERFORM casino_internal.refuse_moved(player_id);
    asked := casino_internal.event_time(at);
    -- R7.77: first, because an exclusion locks open rounds before players
    IF answer = 'excluded'
       AND NOT EXISTS (SELECT FROM casino.exclusion_period e
                        WHERE e.player_id = record_register_check_impl.player_id
                          AND e.source = 'register'
                          AND e.excluded_from <= asked
                          AND e.excluded_until = 'infinity') THEN
        PERFORM casino_internal.exclude_player_impl(player_id, NULL, 'register', asked, NULL);
    END IF;
    PERFORM casino_internal.lock_player(player_id);
    -- the account may have left while this call waited for it
    PERFORM casino_internal.refuse_moved(player_id);
    SELECT coalesce(max(c.check_no), 0) + 1 INTO number
      FROM casino.register_check c WHERE c.player_id = record_register_check_impl.player_id;
    INSERT INTO casino.register_check (player_id, check_no, answer, checked_at, recorded_at)
    VALUES (player_id, number, answer, asked, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_register_check_impl(bigint, text, timestamptz)
    IS 'Body of record_register_check(), run as the owner of the ledger';

-- R7.76: the newest answer in the hours before the stake; the register's silence does not count.
CREATE FUNCTION casino_internal.register_is_clear(player_id bigint, at timestamptz, hours integer,
                                                  known_at timestamptz DEFAULT 'infinity') RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT c.answer = 'clear'
                       FROM casino.register_check c
                      WHERE c.player_id = register_is_clear.player_id
                        AND c.answer <> 'unavailable'
                        AND c.checked_at <= register_is_clear.at
                        AND c.checked_at >= register_is_clear.at - make_interval(hours => hours)
                        AND c.recorded_at <= known_at
                      ORDER BY c.checked_at DESC, c.check_no DESC
                      LIMIT 1),
                    false)
$fn$;
COMMENT ON FUNCTION casino_internal.register_is_clear(bigint, timestamptz, integer, timestamptz)
    IS 'Part of stakes and of the check excluded: is the newest answer of the register in the hours before '
       'a time, as it was known, that the player is not excluded';

CREATE FUNCTION casino_internal.check_register(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'register', l.player_id, l.round_id, l.entry_no,
           'a clear answer of the register in the ' || d.number || ' hours before', 'none',
           jsonb_build_object('amount', l.amount)
      FROM casino.duty_period d
      JOIN casino.ledger l ON l.posted_at >= d.valid_from AND l.posted_at < d.valid_until
     WHERE d.name = 'register_check'
       AND d.number > 0
       AND l.kind = 'stake'
       AND casino_internal.of_days(l.posted_at, l.recorded_at, casino.day_start(from_day),
                                   casino.day_start(to_day + 1))
       -- D4 §8.4: the register was asked when the player joined the round
       AND NOT EXISTS (SELECT FROM casino.ledger e
                        WHERE e.player_id = l.player_id
                          AND e.round_id = l.round_id
                          AND e.kind = 'stake'
                          AND e.entry_no < l.entry_no)
       AND NOT casino_internal.register_is_clear(l.player_id, l.posted_at, d.number::integer, l.recorded_at)
$fn$;
COMMENT ON FUNCTION casino_internal.check_register(date, date)
    IS 'Part of the reconciliation, check excluded: where the figure register_check asks for a question to '
       'the register, no stake without a clear answer';
