-- Objects of the operator's own on the tables of casino, as a trigger that tells another system: the owner
-- approves them, and the check guard takes them as they were then (R12.32).

CREATE FUNCTION casino_internal.install_approvals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.approved_object (
        approval_no bigint PRIMARY KEY,
        object      text NOT NULL,
        state       text NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        recorded_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.approved_object
        IS 'Append-only: objects of the operator''s own that the owner of the tables has approved; the '
           'newest row of an object holds';
    COMMENT ON COLUMN casino.approved_object.approval_no IS 'Counts from 1';
    COMMENT ON COLUMN casino.approved_object.object IS 'Object, as the check guard names it';
    COMMENT ON COLUMN casino.approved_object.state IS 'Its definition then, with the code that it calls';
    COMMENT ON COLUMN casino.approved_object.reason IS 'Why it is there';
    COMMENT ON COLUMN casino.approved_object.recorded_at IS 'When it was approved';
    PERFORM casino_internal.make_append_only('approved_object');
    PERFORM casino_internal.make_recorded('approved_object');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_approvals() IS 'Part of casino.install(): approved objects';

-- A trigger is its function: another body under the same name is another trigger.
CREATE FUNCTION casino_internal.own_among(objects text[], states text[], OUT object text, OUT state text)
    RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.object,
           concat(s.state, (SELECT ', code ' || encode(sha256(convert_to(concat_ws(' ', p.prosrc, p.probin,
                                                                                  p.proconfig),
                                                                         'UTF8')), 'hex')
                              FROM pg_trigger t
                              JOIN pg_class c ON c.oid = t.tgrelid
                              JOIN pg_proc p ON p.oid = t.tgfoid
                             WHERE c.relnamespace = 'casino'::regnamespace
                               AND s.object = format('trigger %s on %s', t.tgname, c.relname)))
      FROM unnest(own_among.objects, own_among.states) s (object, state)
     WHERE s.object ~ '^(trigger|rule|policy|child|routine) '
       AND NOT EXISTS (SELECT FROM casino.installed_object i WHERE i.object = s.object)
$fn$;
COMMENT ON FUNCTION casino_internal.own_among(text[], text[])
    IS 'Part of own_objects(): those of the objects that install() has not made';

CREATE FUNCTION casino_internal.own_objects_impl(OUT object text, OUT state text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT o.*
      FROM (SELECT array_agg(x.object) AS objects, array_agg(x.state) AS states
              FROM (SELECT y.object, y.state FROM casino_internal.schema_objects() y
                    UNION ALL
                    SELECT y.object, y.state FROM casino_internal.code_objects() y) x) s
     CROSS JOIN LATERAL casino_internal.own_among(s.objects, s.states) o
$fn$;
COMMENT ON FUNCTION casino_internal.own_objects_impl()
    IS 'Body of own_objects(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.own_objects(OUT object text, OUT state text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.own_objects()
    IS 'Part of the check guard: triggers, rules, policies, child tables and routines in schema casino that '
       'install() has not made, with the code that triggers call';

CREATE FUNCTION casino_internal.install_approval_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.own_object WITH (security_barrier) AS
    SELECT o.object, o.state, a.approval_no, a.reason, a.recorded_at AS approved_at,
           coalesce(a.state = o.state, false) AS approved
      FROM casino_internal.own_objects() o
      LEFT JOIN LATERAL (SELECT x.*
                           FROM casino.approved_object x
                          WHERE x.object = o.object
                          ORDER BY x.approval_no DESC
                          LIMIT 1) a ON true;
    COMMENT ON VIEW casino.own_object
        IS 'Objects of the operator''s own on the tables of casino, and whether they are approved';
    COMMENT ON COLUMN casino.own_object.object IS 'Object';
    COMMENT ON COLUMN casino.own_object.state IS 'Its definition now, with the code that it calls';
    COMMENT ON COLUMN casino.own_object.approval_no IS 'Newest approval of it; NULL: none';
    COMMENT ON COLUMN casino.own_object.reason IS 'Why it was approved';
    COMMENT ON COLUMN casino.own_object.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.own_object.approved IS
        'It is as it was approved: no difference of the check guard';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_approval_views() IS
    'Part of casino.install(): the view of approved objects';

CREATE FUNCTION casino.approve_object(name text, reason text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.own_object;
    number bigint;
BEGIN
    IF name IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'name and reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    IF btrim(reason) = '' THEN
        RAISE EXCEPTION 'an approval needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT pg_has_role(current_user, (SELECT c.relowner FROM pg_class c
                                       WHERE c.oid = 'casino.approved_object'::regclass), 'USAGE') THEN
        RAISE EXCEPTION 'only the owner of the tables approves objects'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    LOCK TABLE casino.approved_object IN SHARE ROW EXCLUSIVE MODE;
    SELECT o.* INTO present FROM casino.own_object o WHERE o.object = name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'object "%" cannot be approved', left(name, 200)
            USING ERRCODE = 'undefined_object',
                  DETAIL = 'It is not among the objects that others than install() have made.',
                  HINT = 'casino.own_object lists the objects by their names.';
    END IF;
    IF present.approved AND present.reason = approve_object.reason THEN
        RETURN present.approval_no;
    END IF;
    SELECT coalesce(max(a.approval_no), 0) + 1 INTO number FROM casino.approved_object a;
    INSERT INTO casino.approved_object (approval_no, object, state, reason, recorded_at)
    VALUES (number, present.object, present.state, approve_object.reason, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.approve_object(text, text)
    IS 'Approves an object of the operator''s own on the tables of casino, named as in casino.own_object, '
       'as it is now: the check guard does not report it until it changes. For the owner of the tables; '
       'recorded and sealed. Returns the number of the approval';
