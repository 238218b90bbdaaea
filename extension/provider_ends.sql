-- Providers that leave the operator, and come back (R10.51 to R10.54): from the end on no report is asked,
-- and a round of the provider is a difference. The checks that go by it are in provider.sql.

CREATE FUNCTION casino_internal.install_provider_ends() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.provider_operation (
        provider     text NOT NULL CHECK (btrim(provider, E' \t\r\n') <> ''
                                          AND octet_length(provider) <= 100),
        operation_no integer NOT NULL CHECK (operation_no > 0),
        resumed      boolean NOT NULL,
        from_day     date NOT NULL CHECK (isfinite(from_day)),
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (provider, operation_no)
    );
    COMMENT ON TABLE casino.provider_operation
        IS 'Append-only: when providers have left the operator and come back; of a day the newest row that '
           'has begun holds, and a provider without one reports each day';
    COMMENT ON COLUMN casino.provider_operation.provider IS 'Provider, as its reports are loaded';
    COMMENT ON COLUMN casino.provider_operation.operation_no
        IS 'Counts ends and resumptions of a provider from 1';
    COMMENT ON COLUMN casino.provider_operation.resumed IS 'True: came back; false: left';
    COMMENT ON COLUMN casino.provider_operation.from_day
        IS 'First day of the provider for which no report is asked, or for which one is asked again';
    COMMENT ON COLUMN casino.provider_operation.reason IS 'Why';
    COMMENT ON COLUMN casino.provider_operation.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('provider_operation');
    PERFORM casino_internal.make_recorded('provider_operation');
    CREATE TRIGGER provider_operates BEFORE INSERT ON casino.provider_operation
        FOR EACH ROW EXECUTE FUNCTION casino_internal.provider_operates();
    COMMENT ON TRIGGER provider_operates ON casino.provider_operation
        IS 'A provider that reports ends, and one that has ended is resumed, in the order of their days';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_provider_ends()
    IS 'Part of casino.install(): ends of providers';

CREATE FUNCTION casino_internal.provider_operates() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    before casino.provider_operation;
    first CONSTANT date := (SELECT min(r.day) FROM casino.provider_report r WHERE r.provider = NEW.provider);
    not_before date;
BEGIN
    SELECT o.* INTO before
      FROM casino.provider_operation o
     WHERE o.provider = NEW.provider
     ORDER BY o.operation_no DESC
     LIMIT 1;
    IF first IS NULL THEN
        RAISE EXCEPTION 'provider "%" does not exist', left(NEW.provider, 100)
            USING ERRCODE = 'foreign_key_violation', DETAIL = 'No report of it was loaded.';
    ELSIF NEW.resumed IS NOT DISTINCT FROM coalesce(before.resumed, true) THEN
        RAISE EXCEPTION 'provider "%" % ended', NEW.provider,
            CASE WHEN NEW.resumed THEN 'has not' ELSE 'has already' END
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = CASE WHEN NOT NEW.resumed
                                THEN format('No report is asked from %s on.', before.from_day)
                                WHEN before.from_day IS NULL THEN 'It reports since its first report.'
                                ELSE format('Reports are asked again from %s on.', before.from_day) END;
    ELSIF NEW.operation_no IS DISTINCT FROM coalesce(before.operation_no, 0) + 1 THEN
        RAISE EXCEPTION 'operation % of provider "%" is not the next', NEW.operation_no, NEW.provider
            USING ERRCODE = 'unique_violation';
    END IF;
    PERFORM casino_internal.provider_day_not_back('an end or a resumption of a provider', NEW.from_day);
    -- a resumption that is still to come is overtaken by an earlier end; one that has begun is not
    not_before := greatest(first + 1, CASE WHEN NEW.resumed
                                             OR before.from_day <= casino.prague_day(clock_timestamp())
                                          THEN before.from_day END);
    IF NEW.from_day < not_before THEN
        RAISE EXCEPTION 'day % is before the last event of provider "%"', NEW.from_day, NEW.provider
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', NEW.from_day, 'not_before', not_before)::text,
                  DETAIL = format('It may be from %s on.', not_before);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_operates()
    IS 'Trigger of provider_operation: 55000 where the provider has ended, or has not; 23503 for an unknown '
       'one; KL005 for a day that has begun, or is before the last event';

CREATE FUNCTION casino_internal.put_provider_operation(call text, provider text, resumed boolean,
                                                       from_day date, reason text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    same casino.provider_operation;
    taken_back integer;
    number integer;
BEGIN
    PERFORM casino_internal.bounded(provider, 'provider', 100);
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    IF NOT isfinite(from_day) THEN
        RAISE EXCEPTION 'the day must be finite' USING ERRCODE = 'invalid_parameter_value';
    ELSIF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'reason must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.require_read_committed(call,
                'An older snapshot does not show whether the provider has ended.');
    -- ends and resumptions of a provider are numbered without gaps
    LOCK TABLE casino.provider_operation IN SHARE ROW EXCLUSIVE MODE;
    SELECT o.* INTO same
      FROM casino.provider_operation o
     WHERE (o.provider, o.resumed, o.from_day)
           = (put_provider_operation.provider, put_provider_operation.resumed,
              put_provider_operation.from_day)
     -- a repetition is one of the event with its reason, also where the day has a later one
     ORDER BY o.reason = put_provider_operation.reason DESC, o.operation_no DESC
     LIMIT 1;
    -- an event that was taken back holds no more: a repetition of it is neither answered nor made anew
    SELECT min(o.operation_no) INTO taken_back
      FROM casino.provider_operation o
     WHERE o.provider = same.provider AND o.operation_no > same.operation_no AND o.from_day <= same.from_day;
    IF taken_back IS NOT NULL AND same.reason = put_provider_operation.reason THEN
        RAISE EXCEPTION 'this event of provider "%" was taken back', provider
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('Operation %s, from %s on, by operation %s.', same.operation_no,
                                  same.from_day, taken_back),
                  HINT = 'With another reason it is another event.';
    ELSIF same.reason = put_provider_operation.reason THEN
        RETURN same.operation_no;
    ELSIF same.reason IS NOT NULL AND taken_back IS NULL THEN
        RAISE EXCEPTION 'this event of provider "%" is recorded for another reason', provider
            USING ERRCODE = 'unique_violation',
                  DETAIL = format('Operation %s, from %s on: %s', same.operation_no, same.from_day,
                                  same.reason);
    END IF;
    SELECT count(*) + 1 INTO number
      FROM casino.provider_operation o
     WHERE o.provider = put_provider_operation.provider;
    INSERT INTO casino.provider_operation (provider, operation_no, resumed, from_day, reason, recorded_at)
    VALUES (provider, number, resumed, from_day, reason, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.put_provider_operation(text, text, boolean, date, text)
    IS 'Part of end_provider() and resume_provider(): writes the event, once';

CREATE FUNCTION casino.end_provider(provider text, last_day date, reason text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF provider IS NULL OR last_day IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'provider, last_day and reason must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- the next day of infinity is infinity
    RETURN casino_internal.put_provider_operation('end_provider', provider, false, last_day + 1, reason);
END
$fn$;
COMMENT ON FUNCTION casino.end_provider(text, date, text)
    IS 'Ends a provider: after its last day, which may be today and is not dated back, no report is asked, '
       'and its rounds are differences. Returns the number of the event, the same for the same call again; '
       'for the owner';

CREATE FUNCTION casino.resume_provider(provider text, first_day date, reason text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF provider IS NULL OR first_day IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'provider, first_day and reason must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    RETURN casino_internal.put_provider_operation('resume_provider', provider, true, first_day, reason);
END
$fn$;
COMMENT ON FUNCTION casino.resume_provider(text, date, text)
    IS 'Resumes a provider that was ended: its reports are asked again from a day on, not dated back. An '
       'end that is to come is taken back so. Returns the number of the event, the same for the same call '
       'again; for the owner';

-- R10.51: of a day the newest event that has begun holds. The days of an end follow each other without a gap,
-- so that its first day is that after the last day with a report.
CREATE FUNCTION casino_internal.provider_ended_since(provider text, day date) RETURNS date
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH known AS (
        SELECT o.from_day,
               (SELECT n.resumed
                  FROM casino.provider_operation n
                 WHERE n.provider = o.provider
                   AND n.from_day <= o.from_day
                 ORDER BY n.operation_no DESC
                 LIMIT 1) AS reports
          FROM casino.provider_operation o
         WHERE o.provider = provider_ended_since.provider
           AND o.from_day <= provider_ended_since.day
    )
    SELECT min(k.from_day)
      FROM known k
     WHERE k.from_day > coalesce((SELECT max(r.from_day) FROM known r WHERE r.reports), '-infinity')
$fn$;
COMMENT ON FUNCTION casino_internal.provider_ended_since(text, date)
    IS 'Part of the checks of providers: first day of the end in which a day of the provider is; NULL: its '
       'report is asked';
