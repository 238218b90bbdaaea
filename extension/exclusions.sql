-- end_exclusion(): the register deletes a person, or a clerk was wrong (D4 §6.2).

CREATE FUNCTION casino.note_exclusion_end(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion_end' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_exclusion_end(bigint) IS 'Part of end_exclusion(): the end of the player''s exclusions is that of the ones that last longest';

CREATE FUNCTION casino.end_exclusion(player_id bigint, exclusion_no integer, reason text, at timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.end_exclusion(bigint, integer, text, timestamptz) IS 'Ends an exclusion of the register or the operator by a decision with its reason, for all accounts of the person; those of the player himself (self, panic_button) are never ended (KC004). Returns when it ended, the same again for the same reason';

CREATE FUNCTION casino.end_exclusion_as_owner(player_id bigint, exclusion_no integer, reason text, at timestamptz) RETURNS timestamptz
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
    PERFORM casino.bounded(reason, 'reason', 1000);
    -- against register_player(), which gives a new account the exclusions that hold of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = end_exclusion_as_owner.player_id) FOR SHARE;
    -- the person's accounts in the order of their numbers; then what is read of their exclusions is final, or 40001
    FOR account IN SELECT a.player_id FROM casino.player p JOIN casino.player a ON a.external_ref = p.external_ref
                    WHERE p.player_id = end_exclusion_as_owner.player_id ORDER BY a.player_id LOOP
        PERFORM casino.lock_player(account);
    END LOOP;
    SELECT e.* INTO wanted FROM casino.exclusion e
     WHERE e.player_id = end_exclusion_as_owner.player_id AND e.exclusion_no = end_exclusion_as_owner.exclusion_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'exclusion % of player % does not exist', exclusion_no, player_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT n.* INTO ended FROM casino.exclusion_end n
     WHERE n.player_id = wanted.player_id AND n.exclusion_no = wanted.exclusion_no;
    IF FOUND THEN
        IF ended.reason <> end_exclusion_as_owner.reason THEN
            RAISE EXCEPTION 'exclusion % of player % was ended before', exclusion_no, player_id
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It was ended at %s: %s', ended.ended_at, ended.reason);
        END IF;
        RETURN ended.ended_at;
    END IF;
    IF wanted.source NOT IN ('register', 'operator') THEN
        RAISE EXCEPTION 'exclusion % of player % cannot be ended', exclusion_no, player_id
            USING ERRCODE = 'KC004',
                  DETAIL = format('The player asked for it himself (%s), until %s; only one of the register or the operator is ended by decision (D4 §6.2).',
                                  wanted.source, wanted.excluded_until);
    END IF;
    at := casino.event_time(at, wanted.excluded_from);
    IF at < wanted.excluded_from THEN
        RAISE EXCEPTION 'time % is before exclusion % of player % began', at, exclusion_no, player_id
            USING ERRCODE = 'KL005', DETAIL = format('It began at %s.', wanted.excluded_from);
    END IF;
    IF at >= wanted.excluded_until THEN
        RAISE EXCEPTION 'exclusion % of player % is over', exclusion_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It ended at %s.', wanted.excluded_until);
    END IF;
    -- the person's accounts have it each under a number of its own
    FOR account IN SELECT e.player_id FROM casino.exclusion e JOIN casino.player a ON a.player_id = e.player_id
                    WHERE a.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = wanted.player_id)
                      AND (e.source, e.excluded_from, e.excluded_until) = (wanted.source, wanted.excluded_from, wanted.excluded_until)
                    ORDER BY e.player_id LOOP
        INSERT INTO casino.exclusion_end (player_id, exclusion_no, reason, ended_at, recorded_at)
        SELECT e.player_id, e.exclusion_no, end_exclusion_as_owner.reason, end_exclusion_as_owner.at, clock_timestamp()
          FROM casino.exclusion e
         WHERE e.player_id = account
           AND (e.source, e.excluded_from, e.excluded_until) = (wanted.source, wanted.excluded_from, wanted.excluded_until);
        PERFORM casino.note_exclusion_end(account);
    END LOOP;
    RETURN at;
END
$fn$;
COMMENT ON FUNCTION casino.end_exclusion_as_owner(bigint, integer, text, timestamptz) IS 'Body of end_exclusion(), run as the owner of the ledger';
