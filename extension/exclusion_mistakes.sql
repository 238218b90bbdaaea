-- Exclusions that were recorded by mistake: two people say so, and the exclusion ends (R7.78).

CREATE FUNCTION casino_internal.install_exclusion_mistakes() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.exclusion_mistake (
        player_id    bigint NOT NULL,
        exclusion_no integer NOT NULL,
        approval_no  integer NOT NULL,
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        approved_at  timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no, approval_no)
    );
    COMMENT ON TABLE casino.exclusion_mistake
        IS 'Append-only: approvals that an exclusion was recorded by mistake; the second one ends the '
           'exclusion';
    COMMENT ON COLUMN casino.exclusion_mistake.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion_mistake.exclusion_no IS 'Which of the player''s exclusions';
    COMMENT ON COLUMN casino.exclusion_mistake.approval_no IS 'Counts the approvals from 1';
    COMMENT ON COLUMN casino.exclusion_mistake.reason IS 'The mistake, in words';
    COMMENT ON COLUMN casino.exclusion_mistake.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.exclusion_mistake.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('exclusion_mistake');
    PERFORM casino_internal.make_recorded('exclusion_mistake');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_exclusion_mistakes()
    IS 'Part of casino.install(): exclusions that were recorded by mistake';

-- Accounts of one person have the exclusion each under a number of its own; the first row was keyed in.
CREATE FUNCTION casino_internal.same_exclusion(player_id bigint, exclusion_no integer,
                                               OUT account bigint, OUT number integer, OUT recorder integer,
                                               OUT place bigint) RETURNS SETOF record
LANGUAGE sql STABLE ROWS 2 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT o.player_id, o.exclusion_no, o.recorded_by,
           row_number() OVER (ORDER BY o.recorded_at, o.player_id, o.exclusion_no)
      FROM casino.exclusion e
      JOIN casino.player p ON p.player_id = e.player_id
      JOIN casino.player a ON a.external_ref = p.external_ref
      JOIN casino.exclusion o
           ON o.player_id = a.player_id
          AND (o.source, o.excluded_from, o.excluded_until) = (e.source, e.excluded_from, e.excluded_until)
     WHERE e.player_id = same_exclusion.player_id AND e.exclusion_no = same_exclusion.exclusion_no
$fn$;
COMMENT ON FUNCTION casino_internal.same_exclusion(bigint, integer)
    IS 'Part of approve_exclusion_mistake(): the rows of one exclusion in all accounts of the person; place '
       '1 was written first';

CREATE FUNCTION casino_internal.mistake_is_approved(player_id bigint, exclusion_no integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH same AS (SELECT s.* FROM casino_internal.same_exclusion(player_id, exclusion_no) s)
    SELECT EXISTS (SELECT
                     FROM same s
                     JOIN casino.exclusion_mistake a ON a.player_id = s.account AND a.exclusion_no = s.number
                     JOIN same t ON true
                     JOIN casino.exclusion_mistake b ON b.player_id = t.account AND b.exclusion_no = t.number
                     JOIN same f ON f.place = 1
                    WHERE casino_internal.same_eyes(a.recorded_by, b.recorded_by) IS NULL
                      AND casino_internal.same_eyes(f.recorder, a.recorded_by) IS NULL
                      AND casino_internal.same_eyes(f.recorder, b.recorded_by) IS NULL)
$fn$;
COMMENT ON FUNCTION casino_internal.mistake_is_approved(bigint, integer)
    IS 'Part of the reconciliation, check record: have two people, neither of whom recorded the exclusion, '
       'approved that it was a mistake';

CREATE FUNCTION casino.approve_exclusion_mistake(player_id bigint, exclusion_no integer, reason text,
                                                 at timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_exclusion_mistake(bigint, integer, text, timestamptz)
    IS 'Approves that an exclusion was recorded by mistake, that of the player too. The second '
       'of two approvals by different people, neither of whom recorded the exclusion, ends it for all '
       'accounts of the person. Returns when the exclusion ended; NULL: a second approval is missing';

CREATE FUNCTION casino_internal.approve_exclusion_mistake_impl(player_id bigint, exclusion_no integer,
                                                               reason text,
                                                               at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    me CONSTANT integer := casino_internal.recorded_by();
    wanted casino.exclusion;
    former casino.exclusion_mistake;
    ended timestamptz;
    earliest timestamptz;
    same text;
    copy record;
BEGIN
    IF player_id IS NULL OR exclusion_no IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'player_id, exclusion_no and reason must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'an approval needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    PERFORM casino_internal.lock_accounts_of(player_id);
    SELECT e.* INTO wanted FROM casino.exclusion e
     WHERE e.player_id = approve_exclusion_mistake_impl.player_id
       AND e.exclusion_no = approve_exclusion_mistake_impl.exclusion_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'exclusion % of player % does not exist', exclusion_no, player_id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT n.ended_at INTO ended FROM casino.exclusion_end n
     WHERE n.player_id = wanted.player_id AND n.exclusion_no = wanted.exclusion_no;
    IF FOUND AND casino_internal.mistake_is_approved(player_id, exclusion_no) THEN
        RETURN ended;
    ELSIF FOUND THEN
        RAISE EXCEPTION 'exclusion % of player % has already been ended', exclusion_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It was ended at %s.', ended);
    END IF;
    PERFORM casino_internal.refuse_moved(player_id);
    SELECT casino_internal.same_eyes(s.recorder, me) INTO same
      FROM casino_internal.same_exclusion(player_id, exclusion_no) s WHERE s.place = 1;
    same := coalesce(same, casino_internal.carried_eyes(player_id, exclusion_no, me));
    IF same IS NOT NULL THEN
        RAISE EXCEPTION 'exclusion % of player % needs the approval of people who did not record it',
            exclusion_no, player_id
            USING ERRCODE = 'insufficient_privilege', DETAIL = same,
                  HINT = 'Two people, each under an own login, call '
                         'casino.approve_exclusion_mistake().';
    END IF;
    SELECT m.* INTO former
      FROM casino_internal.same_exclusion(player_id, exclusion_no) s
      JOIN casino.exclusion_mistake m ON m.player_id = s.account AND m.exclusion_no = s.number
     ORDER BY casino_internal.same_eyes(m.recorded_by, me) IS NULL, m.recorded_at LIMIT 1;
    IF FOUND THEN
        same := casino_internal.same_eyes(former.recorded_by, me);
        -- the same person again: nothing new
        IF same IS NOT NULL AND former.reason = approve_exclusion_mistake_impl.reason THEN
            RETURN NULL;
        ELSIF same IS NOT NULL THEN
            RAISE EXCEPTION 'exclusion % of player % needs the approval of a second person', exclusion_no,
                player_id
                USING ERRCODE = 'insufficient_privilege', DETAIL = same;
        END IF;
    END IF;
    earliest := greatest(wanted.excluded_from, former.approved_at);
    at := casino_internal.event_time(at, earliest);
    IF at < earliest THEN
        RAISE EXCEPTION 'time % is before exclusion % of player % began or was approved as a mistake first',
            at, exclusion_no, player_id
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', at, 'not_before', earliest)::text,
                  DETAIL = format('That was at %s.', earliest);
    END IF;
    IF at >= wanted.excluded_until THEN
        RAISE EXCEPTION 'exclusion % of player % is over', exclusion_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It ended at %s.', wanted.excluded_until);
    END IF;
    INSERT INTO casino.exclusion_mistake (player_id, exclusion_no, approval_no, reason, approved_at,
                                          recorded_at)
    SELECT wanted.player_id, wanted.exclusion_no, coalesce(max(m.approval_no), 0) + 1,
           approve_exclusion_mistake_impl.reason, at, clock_timestamp()
      FROM casino.exclusion_mistake m
     WHERE m.player_id = wanted.player_id AND m.exclusion_no = wanted.exclusion_no;
    IF former.player_id IS NULL THEN
        RETURN NULL;
    END IF;
    FOR copy IN SELECT s.account, s.number
                  FROM casino_internal.same_exclusion(player_id, exclusion_no) s ORDER BY s.account LOOP
        INSERT INTO casino.exclusion_end (player_id, exclusion_no, reason, ended_at, recorded_at)
        VALUES (copy.account, copy.number, 'recorded by mistake', at, clock_timestamp());
        PERFORM casino_internal.note_exclusion_end(copy.account);
    END LOOP;
    RETURN at;
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_exclusion_mistake_impl(bigint, integer, text, timestamptz)
    IS 'Body of approve_exclusion_mistake(), run as the owner of the ledger';
