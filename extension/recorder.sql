-- Who did it: the role that called, its login and the person it names, kept with every entry and act.

CREATE FUNCTION casino_internal.record_who() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_record_who' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.record_who()
    IS 'Trigger of evidence: fills in who did it, by pairs of columns (who, when)';

CREATE FUNCTION casino_internal.recorder_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_recorder_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.recorder_guard()
    IS 'Trigger of casino.recorder: only the ledger''s own code enters rows';

CREATE FUNCTION casino_internal.recorded_by() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_recorded_by' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.recorded_by()
    IS 'Part of functions that record: number in casino.recorder of who called';

CREATE FUNCTION casino_internal.install_recorder() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.recorder_id_seq AS integer;
    COMMENT ON SEQUENCE casino.recorder_id_seq IS 'Numbers of recorders';

    CREATE TABLE casino.recorder (
        recorder_id   integer PRIMARY KEY,
        role          text NOT NULL,
        login         text NOT NULL,
        actor         text,
        shared_logins boolean NOT NULL,
        recorded_at   timestamptz NOT NULL
    );
    CREATE INDEX recorder_role ON casino.recorder (role, login, coalesce(actor, ''));
    COMMENT ON INDEX casino.recorder_role IS 'Finds the number of a combination';
    COMMENT ON TABLE casino.recorder
        IS 'Append-only: who records. One row for each combination of role, login, person and '
           'casino.shared_logins; two numbers of one mean the same';
    COMMENT ON COLUMN casino.recorder.recorder_id IS 'Number that entries and acts keep';
    COMMENT ON COLUMN casino.recorder.role
        IS 'Database role in effect at the call, by its name then (current_user)';
    COMMENT ON COLUMN casino.recorder.login IS 'Role that had logged in (session_user)';
    COMMENT ON COLUMN casino.recorder.actor
        IS 'Person on whose behalf, as the session said in casino.actor; NULL: it said nothing';
    COMMENT ON COLUMN casino.recorder.shared_logins
        IS 'Was casino.shared_logins on: two named persons of one login count as two';
    COMMENT ON COLUMN casino.recorder.recorded_at IS 'When the combination was first met';
    CREATE TRIGGER recorder_guard BEFORE INSERT ON casino.recorder
        FOR EACH ROW EXECUTE FUNCTION casino_internal.recorder_guard();
    COMMENT ON TRIGGER recorder_guard ON casino.recorder IS 'Only the ledger''s own code enters recorders';

    PERFORM casino_internal.make_append_only('recorder');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_recorder() IS 'Part of casino.install(): who records';

-- R7.60, R7.61: what a second person must be, for every approval of ours. The login is what a caller cannot
-- choose; role and person he can.
CREATE FUNCTION casino_internal.same_eyes(first integer, second integer) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    one casino.recorder;
    other casino.recorder;
BEGIN
    SELECT r.* INTO one FROM casino.recorder r WHERE r.recorder_id = first;
    SELECT r.* INTO other FROM casino.recorder r WHERE r.recorder_id = second;
    IF one.recorder_id IS NULL OR other.recorder_id IS NULL THEN
        RETURN 'It is not known who did it.';
    ELSIF one.login = other.login AND NOT other.shared_logins THEN
        RETURN format('Both are the login "%s".', other.login);
    ELSIF one.login = other.login AND (one.actor IS NULL OR other.actor IS NULL) THEN
        RETURN format('Both are the login "%s", and a person is not named.', other.login);
    ELSIF casino_internal.person_named(coalesce(one.actor, one.login))
              = casino_internal.person_named(coalesce(other.actor, other.login)) THEN
        RETURN format('Both are the person "%s".', coalesce(other.actor, other.login));
    ELSIF one.login <> other.login AND one.role = other.role THEN
        RETURN format('Both act as the role "%s".', other.role);
    END IF;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino_internal.same_eyes(integer, integer)
    IS 'Part of approvals: why the recorder second does not count as a second person for what the recorder '
       'first did; NULL: it does. The same login never does, unless casino.shared_logins is on for second '
       'and both name persons; nor does the same person, nor the same role';

-- The same name in other letters, with other white space or with characters that are not to be seen is no
-- other person
CREATE FUNCTION casino_internal.person_named(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(btrim(regexp_replace(regexp_replace(normalize(name, NFKC),
                                                     '[' || casino_internal.ignorable() || ']',
                                                     '', 'g'),
                                      '[[:space:]]+', ' ', 'g')));
COMMENT ON FUNCTION casino_internal.person_named(text)
    IS 'Part of same_eyes(): the name by which a person is told apart';

CREATE FUNCTION casino_internal.make_recorded(relation name, loaded boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('ALTER TABLE casino.%I ADD COLUMN recorded_by integer %s', relation,
                   CASE WHEN NOT loaded THEN 'NOT NULL' END);
    EXECUTE format('COMMENT ON COLUMN casino.%I.recorded_by IS %L', relation,
                   'Who recorded it: casino.recorder'
                       || CASE WHEN loaded THEN '; NULL: install()' ELSE '' END);
    EXECUTE format('CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.%I
                        FOR EACH ROW
                            EXECUTE FUNCTION casino_internal.record_who(%L)', relation, 'recorded_by');
    EXECUTE format('COMMENT ON TRIGGER record_who ON casino.%I IS %L', relation,
                   'Fills in who recorded the row');
END
$fn$;
COMMENT ON FUNCTION casino_internal.make_recorded(name, boolean)
    IS 'Part of casino.install(): a table keeps who recorded each row; of plans what install() loads is '
       'nobody''s';
