-- Persons can be erased (R7.97 to R7.102): the clear reference of a person lies in casino.person and
-- casino.player, which change; seals cover its salted hash. With the salt gone the seals still fit, and
-- the token names no person. Guide: doc/personal-data.md.

CREATE FUNCTION casino.person_token(external_ref text, salt bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT encode(sha256(person_token.salt || convert_to(person_token.external_ref, 'UTF8')), 'hex')
$fn$;
COMMENT ON FUNCTION casino.person_token(text, bytea)
    IS 'The token of a person, a payment account or a reference: SHA-256 of the salt and the text, in '
       'hexadecimal digits (R7.97, R7.110)';

CREATE FUNCTION casino_internal.salt_person() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- a row that is restored brings both
    IF NEW.token IS NULL THEN
        NEW.salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
        NEW.token := casino.person_token(NEW.external_ref, NEW.salt);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.salt_person()
    IS 'Trigger of casino.person: gives the person a random salt and the token';

CREATE FUNCTION casino_internal.install_erasure() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TRIGGER salt BEFORE INSERT ON casino.person
        FOR EACH ROW EXECUTE FUNCTION casino_internal.salt_person();
    COMMENT ON TRIGGER salt ON casino.person IS 'Fills in the salt and the token';

    CREATE TABLE casino.erasure_proposal (
        proposal_no  integer PRIMARY KEY,
        external_ref text NOT NULL CHECK (octet_length(external_ref) <= 200),
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at  timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.erasure_proposal
        IS 'Append-only: persons whose erasure was proposed by erase_person(), by their tokens';
    COMMENT ON COLUMN casino.erasure_proposal.proposal_no IS 'Number of the proposal, without gaps';
    COMMENT ON COLUMN casino.erasure_proposal.external_ref IS 'Token of the person';
    COMMENT ON COLUMN casino.erasure_proposal.reason IS 'Why, without the name of the person';
    COMMENT ON COLUMN casino.erasure_proposal.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('erasure_proposal');
    PERFORM casino_internal.make_recorded('erasure_proposal');

    CREATE TABLE casino.erasure_rejection (
        proposal_no integer PRIMARY KEY REFERENCES casino.erasure_proposal,
        reason      text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.erasure_rejection
        IS 'Append-only: proposals of erasure_proposal that reject_erasure() has ended: nobody approves them';
    COMMENT ON COLUMN casino.erasure_rejection.proposal_no IS 'The proposal';
    COMMENT ON COLUMN casino.erasure_rejection.reason IS 'Why, without the name of the person';
    COMMENT ON COLUMN casino.erasure_rejection.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('erasure_rejection');
    PERFORM casino_internal.make_recorded('erasure_rejection');

    CREATE TABLE casino.erasure (
        erasure_no   integer PRIMARY KEY,
        external_ref text NOT NULL UNIQUE CHECK (octet_length(external_ref) <= 200),
        accounts     integer NOT NULL CHECK (accounts > 0),
        proposal_no  integer NOT NULL REFERENCES casino.erasure_proposal,
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at  timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.erasure
        IS 'Append-only: persons who were erased by approve_erasure(), by their tokens';
    COMMENT ON COLUMN casino.erasure.erasure_no IS 'Number of the erasure, without gaps';
    COMMENT ON COLUMN casino.erasure.external_ref
        IS 'Token that stands in casino.player instead of the reference';
    COMMENT ON COLUMN casino.erasure.accounts IS 'Accounts that the person had';
    COMMENT ON COLUMN casino.erasure.proposal_no IS 'The proposal, by a first person, that was approved';
    COMMENT ON COLUMN casino.erasure.reason IS 'Why: the reason of the proposal';
    COMMENT ON COLUMN casino.erasure.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('erasure');
    PERFORM casino_internal.make_recorded('erasure');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_erasure() IS 'Part of casino.install(): persons that were erased';

CREATE FUNCTION casino_internal.install_erasure_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.player_as_sealed AS
        SELECT a.player_id,
               -- computed, because the seal must fit the clear reference and not only the token beside it
               CASE WHEN p.external_ref = p.token THEN p.token
                    ELSE casino.person_token(p.external_ref, p.salt) END AS external_ref,
               a.registered_at, a.registered_by
          FROM casino.player a
          LEFT JOIN casino.person p ON p.external_ref = a.external_ref;
    COMMENT ON VIEW casino.player_as_sealed
        IS 'Players with the token of the person instead of the reference: seals and exports have it';
    COMMENT ON COLUMN casino.player_as_sealed.external_ref IS 'Token of the person';

    CREATE VIEW casino.pending_erasure AS
        SELECT q.proposal_no, q.external_ref AS token, p.external_ref, p.accounts, q.reason,
               q.recorded_at AS proposed_at, q.recorded_by AS proposed_by
          FROM casino.erasure_proposal q
          JOIN casino.person p ON p.token = q.external_ref
         WHERE p.external_ref <> p.token
           AND NOT EXISTS (SELECT FROM casino.erasure_rejection x WHERE x.proposal_no = q.proposal_no);
    COMMENT ON VIEW casino.pending_erasure
        IS 'Proposals of erase_person() that nobody has approved or rejected: approve_erasure() is the '
           'second person''s';
    COMMENT ON COLUMN casino.pending_erasure.proposal_no IS 'Number of the proposal';
    COMMENT ON COLUMN casino.pending_erasure.token IS 'Token of the person';
    COMMENT ON COLUMN casino.pending_erasure.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.pending_erasure.accounts IS 'Accounts of the person';
    COMMENT ON COLUMN casino.pending_erasure.reason IS 'Why';
    COMMENT ON COLUMN casino.pending_erasure.proposed_at IS 'When it was proposed';
    COMMENT ON COLUMN casino.pending_erasure.proposed_by IS 'Who proposed it: casino.recorder';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_erasure_views()
    IS 'Part of casino.install(): persons as they are sealed';

CREATE FUNCTION casino_internal.note_erasure(external_ref text, token text) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_erasure' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.note_erasure(text, text)
    IS 'Part of erase_person(): writes the token into the accounts of the person';

-- R7.98: ten years from the close of the last account, by the figure of then or of now, whichever is longer.
CREATE FUNCTION casino_internal.erasable_at(closed_at timestamptz, at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague' AS $fn$
    SELECT erasable_at.closed_at
           + make_interval(years => greatest(casino.duty_number('retention_years', erasable_at.closed_at),
                                             casino.duty_number('retention_years', erasable_at.at))::integer)
$fn$;
COMMENT ON FUNCTION casino_internal.erasable_at(timestamptz, timestamptz)
    IS 'From when on a person may be erased whose last account was closed then, by the figures known at a '
       'time (Act 253/2008 §16)';

-- Each reason for which a person must not be erased yet, not only the first.
CREATE FUNCTION casino_internal.erasure_obstacles(external_ref text, at timestamptz) RETURNS SETOF text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT o.obstacle
      FROM (SELECT 1 AS n, a.player_id, format('the account of player %s is open', a.player_id) AS obstacle
              FROM casino.player a
             WHERE a.external_ref = erasure_obstacles.external_ref
               AND a.closed_at IS NULL
            UNION ALL
            SELECT 2, a.player_id,
                   format('the retention of the account of player %s ends at %s', a.player_id,
                          casino_internal.erasable_at(a.closed_at, erasure_obstacles.at))
              FROM casino.player a
             WHERE a.external_ref = erasure_obstacles.external_ref
               AND casino_internal.erasable_at(a.closed_at, erasure_obstacles.at) > erasure_obstacles.at
            UNION ALL
            SELECT 3, a.player_id, format('player %s has money that is not paid', a.player_id)
              FROM casino.player a
             WHERE a.external_ref = erasure_obstacles.external_ref
               AND (a.balance <> 0
                    OR EXISTS (SELECT FROM casino.open_withdrawal w WHERE w.player_id = a.player_id)
                    OR EXISTS (SELECT FROM casino.wager w
                                WHERE w.player_id = a.player_id
                                  AND w.status IN ('open', 'withheld'))
                    OR EXISTS (SELECT FROM casino.open_claim c WHERE c.player_id = a.player_id))
            UNION ALL
            SELECT 4, a.player_id, format('player %s is excluded until %s', a.player_id, a.excluded_until)
              FROM casino.player a
             WHERE a.external_ref = erasure_obstacles.external_ref
               AND a.excluded_until > erasure_obstacles.at
            UNION ALL
            -- R7.101: these rows are sealed in clear, and the night holds them against the accounts
            SELECT 5, NULL, 'a report of a provider names the person'
             WHERE EXISTS (SELECT FROM casino.provider_record r
                            WHERE r.external_ref = erasure_obstacles.external_ref)
            UNION ALL
            -- R12.119: the rows of the other cell would stay, or go while the person plays on there
            SELECT 6, m.player_id, format('player %s has moved %s cell %s', m.player_id,
                                          CASE m.direction WHEN 'in' THEN 'from' ELSE 'to' END, m.cell)
              FROM casino.player a
              JOIN casino.account_move m ON m.player_id = a.player_id
             WHERE a.external_ref = erasure_obstacles.external_ref) o
     ORDER BY o.n, o.player_id
$fn$;
COMMENT ON FUNCTION casino_internal.erasure_obstacles(text, timestamptz)
    IS 'Part of erase_person(): why a person must not be erased at a time; no row: the person may be erased';

-- R7.100: the salt stays a day, so that a call that is sent again has the answer of the first.
CREATE FUNCTION casino_internal.forget_salts(at timestamptz) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    UPDATE casino.person p
       SET salt = NULL
      FROM casino.erasure e
     WHERE e.external_ref = p.external_ref
       AND e.recorded_at <= forget_salts.at - interval '1 day'
       AND p.salt IS NOT NULL
$fn$;
COMMENT ON FUNCTION casino_internal.forget_salts(timestamptz)
    IS 'Throws away the salts of persons who were erased a day ago: from then on no trial of '
       'names shows whose token one is. Each erase_person() and each night does it';

CREATE TYPE casino.person_to_erase AS (external_ref text, accounts integer, salt bytea, token text);
COMMENT ON TYPE casino.person_to_erase
    IS 'Part of erase_person() and approve_erasure(): a row of casino.person';

CREATE FUNCTION casino_internal.words_of(said text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ' ' || btrim(regexp_replace(lower(said), '[^[:alnum:]]+', ' ', 'g')) || ' '
$fn$;
COMMENT ON FUNCTION casino_internal.words_of(text)
    IS 'Part of erase_person(): the words of a text, in small letters, with one space around each';

CREATE FUNCTION casino_internal.erased_token(person_ref text) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT e.external_ref
      FROM casino.erasure e
      JOIN casino.person p ON p.external_ref = e.external_ref
     WHERE e.external_ref = erased_token.person_ref
        OR casino.person_token(erased_token.person_ref, p.salt) = e.external_ref
     ORDER BY e.erasure_no DESC
     LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.erased_token(text)
    IS 'Part of erase_person(): the token of a person who was erased, asked by it or, within a day, by the '
       'reference';

-- All calls lock the person's row first, so that register_player() of the same person waits, and another one
-- of these calls, too. NULL: an unknown person, or an erased one.
CREATE FUNCTION casino_internal.lock_person_to_erase(external_ref text, by_token boolean)
    RETURNS casino.person_to_erase
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person casino.person_to_erase;
BEGIN
    SELECT p.external_ref, p.accounts, p.salt, p.token INTO person
      FROM casino.person p
     WHERE (p.external_ref = lock_person_to_erase.external_ref
            OR by_token AND p.token = lock_person_to_erase.external_ref)
       AND p.external_ref <> p.token
       FOR UPDATE;
    RETURN CASE WHEN FOUND THEN person END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_person_to_erase(text, boolean)
    IS 'Part of erase_person(), approve_erasure() and reject_erasure(): locks a person, named by the '
       'reference or also by the token';

-- A proposal and an approval lock the accounts, too, and nothing must stand against them.
CREATE FUNCTION casino_internal.lock_to_erase(external_ref text, by_token boolean)
    RETURNS casino.person_to_erase
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person CONSTANT casino.person_to_erase :=
        casino_internal.lock_person_to_erase(external_ref, by_token);
    obstacles text;
BEGIN
    IF person IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM casino_internal.lock_player(a.player_id)
       FROM (SELECT x.player_id FROM casino.player x
              WHERE x.external_ref = person.external_ref ORDER BY x.player_id) a;
    SELECT string_agg(o.obstacle, '; ') INTO obstacles
      FROM casino_internal.erasure_obstacles(person.external_ref, clock_timestamp()) o (obstacle);
    IF obstacles IS NOT NULL THEN
        RAISE EXCEPTION 'the person cannot be erased'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = left(upper(left(obstacles, 1)) || substr(obstacles, 2) || '.', 1000),
                  HINT = 'The rows must be kept for the years of retention_years (Act 253/2008 §16).';
    END IF;
    RETURN person;
END
$fn$;
COMMENT ON FUNCTION casino_internal.lock_to_erase(text, boolean)
    IS 'Part of erase_person() and approve_erasure(): locks a person, named by the reference or also by the '
       'token, with the accounts; 55000: the person must not be erased yet';

CREATE FUNCTION casino_internal.no_person_to_erase(person_ref text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    erased CONSTANT text := casino_internal.erased_token(person_ref);
BEGIN
    IF erased IS NULL THEN
        RAISE EXCEPTION 'person "%" does not exist', left(person_ref, 200)
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'A person who was erased more than a day ago is known by the token only: '
                         'casino.erasure.';
    END IF;
    RETURN erased;
END
$fn$;
COMMENT ON FUNCTION casino_internal.no_person_to_erase(text)
    IS 'Part of erase_person() and approve_erasure(): the token of a person who was erased before; 23503: '
       'an unknown person';

CREATE FUNCTION casino_internal.check_erasure_reason(person_ref text, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF person_ref IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'external_ref and reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'reason must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(person_ref, 'external_ref', 200);
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    IF strpos(casino_internal.words_of(reason), casino_internal.words_of(person_ref)) > 0 THEN
        RAISE EXCEPTION 'reason must not name the person'
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'It stays on record when the reference is erased.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_erasure_reason(text, text)
    IS 'Part of erase_person() and reject_erasure(): refuses a reason that is missing, too long, or names '
       'the person';

CREATE FUNCTION casino_internal.check_erasure_snapshot(call text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_read_committed(check_erasure_snapshot.call,
               'An older snapshot does not show how others have decided.')
$fn$;
COMMENT ON FUNCTION casino_internal.check_erasure_snapshot(text)
    IS 'Part of erase_person(), approve_erasure() and reject_erasure(): each sees the rows that the '
       'others have committed, or is refused (25001)';

CREATE FUNCTION casino.erase_person(external_ref text, reason text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.erase_person(text, text)
    IS 'Proposes to erase a person whose retention is over, and returns the token that will stand instead of '
       'the reference; approve_erasure() of a second person erases. The same again gives the same, after the '
       'erasure within a day, and by the token always. 55000: an account is open, the retention runs, money '
       'is not paid, an exclusion runs';

CREATE FUNCTION casino_internal.erase_person_impl(external_ref text, reason text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    me CONSTANT integer := casino_internal.recorded_by();
    person casino.person_to_erase;
BEGIN
    PERFORM casino_internal.check_erasure_reason(person_ref, reason);
    PERFORM casino_internal.check_erasure_snapshot('erase_person');
    -- proposals are numbered without gaps
    LOCK TABLE casino.erasure_proposal IN SHARE ROW EXCLUSIVE MODE;
    PERFORM casino_internal.forget_salts(clock_timestamp());
    person := casino_internal.lock_to_erase(person_ref, false);
    IF person IS NULL THEN
        RETURN casino_internal.no_person_to_erase(person_ref);
    END IF;
    -- the same words of the same person again: nothing new
    IF EXISTS (SELECT FROM casino.erasure_proposal q
                WHERE q.external_ref = person.token
                  AND q.reason = erase_person_impl.reason
                  AND NOT EXISTS (SELECT FROM casino.erasure_rejection x WHERE x.proposal_no = q.proposal_no)
                  AND casino_internal.same_eyes(q.recorded_by, me) IS NOT NULL) THEN
        RETURN person.token;
    END IF;
    INSERT INTO casino.erasure_proposal (proposal_no, external_ref, reason, recorded_at)
    SELECT coalesce(max(q.proposal_no), 0) + 1, person.token, erase_person_impl.reason, clock_timestamp()
      FROM casino.erasure_proposal q;
    RETURN person.token;
END
$fn$;
COMMENT ON FUNCTION casino_internal.erase_person_impl(text, text)
    IS 'Body of erase_person(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.refuse_unproposed_erasure(token text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last casino.erasure_rejection;
    hint CONSTANT text := 'casino.erase_person() proposes it, with the reason.';
BEGIN
    SELECT x.* INTO last
      FROM casino.erasure_rejection x
      JOIN casino.erasure_proposal q ON q.proposal_no = x.proposal_no
     WHERE q.external_ref = token
     ORDER BY x.proposal_no DESC
     LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'nobody has proposed to erase the person'
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = hint;
    END IF;
    RAISE EXCEPTION 'the proposal to erase the person was rejected'
        USING ERRCODE = 'object_not_in_prerequisite_state',
              DETAIL = format('Proposal %s was rejected at %s: %s', last.proposal_no, last.recorded_at,
                              last.reason),
              HINT = hint;
END
$fn$;
COMMENT ON FUNCTION casino_internal.refuse_unproposed_erasure(text)
    IS 'Part of approve_erasure() and reject_erasure(): 55000 where no proposal of the person waits';

CREATE FUNCTION casino.approve_erasure(external_ref text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_erasure(text)
    IS 'Approves what somebody else has proposed by erase_person(), of a person named by the reference or by '
       'the token, and erases the person: the reference, payment accounts and references of payments. '
       'Returns the token; the same again gives the same. 55000: nobody has proposed it, it was rejected, or '
       'the person must not be erased yet; 42501: nobody else has';

-- R7.115
CREATE FUNCTION casino_internal.approve_erasure_impl(external_ref text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    me CONSTANT integer := casino_internal.recorded_by();
    person casino.person_to_erase;
    proposal casino.erasure_proposal;
    same text;
BEGIN
    IF external_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(person_ref, 'external_ref', 200);
    PERFORM casino_internal.check_erasure_snapshot('approve_erasure');
    -- erasures are numbered without gaps
    LOCK TABLE casino.erasure IN SHARE ROW EXCLUSIVE MODE;
    PERFORM casino_internal.forget_salts(clock_timestamp());
    person := casino_internal.lock_to_erase(person_ref, true);
    IF person IS NULL THEN
        RETURN casino_internal.no_person_to_erase(person_ref);
    END IF;
    SELECT q.* INTO proposal
      FROM casino.erasure_proposal q
     WHERE q.external_ref = person.token
       AND NOT EXISTS (SELECT FROM casino.erasure_rejection x WHERE x.proposal_no = q.proposal_no)
     ORDER BY casino_internal.same_eyes(q.recorded_by, me) IS NOT NULL, q.proposal_no DESC
     LIMIT 1;
    IF NOT FOUND THEN
        PERFORM casino_internal.refuse_unproposed_erasure(person.token);
    END IF;
    same := casino_internal.same_eyes(proposal.recorded_by, me);
    IF same IS NOT NULL THEN
        RAISE EXCEPTION 'the erasure needs the approval of a second person'
            USING ERRCODE = 'insufficient_privilege', DETAIL = same,
                  HINT = 'A second person approves it, under an own login.';
    END IF;
    INSERT INTO casino.person (external_ref, accounts, salt, token)
    VALUES (person.token, person.accounts, person.salt, person.token);
    PERFORM casino_internal.note_erasure(person.external_ref, person.token);
    DELETE FROM casino.person p WHERE p.external_ref = person.external_ref;
    -- R7.113
    DELETE FROM casino.clear_text c
     USING casino.player a
     WHERE a.external_ref = person.token
       AND c.player_id = a.player_id;
    INSERT INTO casino.erasure (erasure_no, external_ref, accounts, proposal_no, reason, recorded_at)
    SELECT coalesce(max(e.erasure_no), 0) + 1, person.token, person.accounts, proposal.proposal_no,
           proposal.reason, clock_timestamp()
      FROM casino.erasure e;
    RETURN person.token;
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_erasure_impl(text)
    IS 'Body of approve_erasure(), run as the owner of the ledger';

CREATE FUNCTION casino.reject_erasure(external_ref text, reason text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.reject_erasure(text, text)
    IS 'Rejects the proposals of erase_person() of a person, named by the reference or by the token: nobody '
       'approves them; also by the one who proposed. Returns the token, the same again until the person is '
       'proposed anew. 55000: nobody has proposed it, or the person was erased';

-- R7.140
CREATE FUNCTION casino_internal.reject_erasure_impl(external_ref text, reason text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    person casino.person_to_erase;
BEGIN
    PERFORM casino_internal.check_erasure_reason(person_ref, reason);
    PERFORM casino_internal.check_erasure_snapshot('reject_erasure');
    person := casino_internal.lock_person_to_erase(person_ref, true);
    IF person IS NULL THEN
        PERFORM casino_internal.no_person_to_erase(person_ref);
        RAISE EXCEPTION 'the person was erased'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'An erasure cannot be undone.';
    END IF;
    PERFORM casino_internal.check_erasure_reason(person.external_ref, reason);
    INSERT INTO casino.erasure_rejection (proposal_no, reason, recorded_at)
    SELECT q.proposal_no, reject_erasure_impl.reason, clock_timestamp()
      FROM casino.erasure_proposal q
     WHERE q.external_ref = person.token
       AND NOT EXISTS (SELECT FROM casino.erasure_rejection x WHERE x.proposal_no = q.proposal_no);
    IF NOT FOUND
       AND NOT EXISTS (SELECT FROM casino.erasure_proposal q WHERE q.external_ref = person.token) THEN
        PERFORM casino_internal.refuse_unproposed_erasure(person.token);
    END IF;
    RETURN person.token;
END
$fn$;
COMMENT ON FUNCTION casino_internal.reject_erasure_impl(text, text)
    IS 'Body of reject_erasure(), run as the owner of the ledger';

-- R7.102; that the reference of a person in the books has this token is a rule of check_persons().
CREATE FUNCTION casino_internal.check_erasures() RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT 'erased', NULL::bigint, NULL::bigint, NULL::bigint,
               e.accounts || ' accounts of erasure ' || e.erasure_no,
               coalesce(p.accounts || ' accounts', 'no such person'),
               jsonb_build_object('token', e.external_ref)
          FROM casino.erasure e
          LEFT JOIN casino.person p ON p.external_ref = e.external_ref AND p.token = e.external_ref
         WHERE p.accounts IS DISTINCT FROM e.accounts
        UNION ALL
        SELECT 'salt', NULL, NULL, NULL, 'no salt of erasure ' || e.erasure_no, 'it is still there',
               jsonb_build_object('token', e.external_ref)
          FROM casino.erasure e
          JOIN casino.person p ON p.external_ref = e.external_ref
         WHERE p.salt IS NOT NULL
           AND e.recorded_at < clock_timestamp() - interval '3 days'
        UNION ALL
        -- R7.116
        SELECT 'erasure_approval', NULL, NULL, NULL, 'proposed before by another person',
               coalesce('proposal ' || q.proposal_no || ' of erasure ' || e.erasure_no, 'not proposed'),
               jsonb_build_object('token', e.external_ref)
          FROM casino.erasure e
          LEFT JOIN casino.erasure_proposal q ON q.proposal_no = e.proposal_no
         WHERE (q.external_ref, q.reason) IS DISTINCT FROM (e.external_ref, e.reason)
            OR q.recorded_at > e.recorded_at
            OR casino_internal.same_eyes(q.recorded_by, e.recorded_by) IS NOT NULL
        UNION ALL
        -- R7.140
        SELECT 'erasure_rejected', NULL, NULL, NULL, 'a proposal that was not rejected',
               'proposal ' || e.proposal_no || ' of erasure ' || e.erasure_no,
               jsonb_build_object('token', e.external_ref)
          FROM casino.erasure e
          JOIN casino.erasure_rejection x ON x.proposal_no = e.proposal_no
        UNION ALL
        SELECT 'erasure_proposal', NULL, NULL, NULL, 'a token of a person', 'of nobody',
               jsonb_build_object('token', q.external_ref, 'proposal_no', q.proposal_no)
          FROM casino.erasure_proposal q
         WHERE NOT EXISTS (SELECT FROM casino.person p WHERE p.token = q.external_ref)
        UNION ALL
        SELECT 'erased_text', c.player_id, NULL, NULL, 'no account or reference in clear',
               count(*) || ' are there', jsonb_build_object('token', e.external_ref)
          FROM casino.erasure e
          JOIN casino.player a ON a.external_ref = e.external_ref
          JOIN casino.clear_text c ON c.player_id = a.player_id
         GROUP BY c.player_id, e.external_ref;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_erasures()
    IS 'Part of the reconciliation, check state: persons who were erased have their tokens, no salt and no '
       'clear text, and two people erased them by a proposal that nobody has rejected';
