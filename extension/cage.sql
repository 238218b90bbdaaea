-- The cash desk: its count at the end of a shift, held against the cash of the ledger (R12.80 to R12.86).

CREATE FUNCTION casino_internal.install_cage() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.cage_count (
        desk        text NOT NULL CHECK (desk = casino_internal.canonical_text(desk, 'desk')
                                         AND octet_length(desk) BETWEEN 1 AND 200),
        count_no    integer NOT NULL CHECK (count_no > 0),
        counted_at  timestamptz NOT NULL CHECK (isfinite(counted_at)),
        counted     numeric NOT NULL CHECK (counted >= 0 AND counted < 1000000000000
                                            AND counted = round(counted, 2)),
        moved       numeric NOT NULL CHECK (abs(moved) < 1000000000000 AND moved = round(moved, 2)),
        request_id  text CHECK (btrim(request_id) <> '' AND octet_length(request_id) <= 200),
        note        text CHECK (octet_length(note) <= 1000),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (desk, count_no),
        -- R12.82: the first count is where the desk begins
        CONSTRAINT cage_count_first CHECK (count_no > 1 OR moved = 0)
    );
    CREATE UNIQUE INDEX cage_count_request ON casino.cage_count (desk, request_id)
        WHERE request_id IS NOT NULL;
    CREATE INDEX cage_count_time ON casino.cage_count (counted_at);
    CREATE INDEX cage_count_recorded ON casino.cage_count (recorded_at);
    COMMENT ON INDEX casino.cage_count_request IS 'A request of a desk is recorded once';
    COMMENT ON INDEX casino.cage_count_time IS 'Finds the counts of some days';
    COMMENT ON INDEX casino.cage_count_recorded IS 'Finds the counts that were written on some days';
    COMMENT ON TABLE casino.cage_count
        IS 'Append-only: the counts of the cash desks, at the end of each shift';
    COMMENT ON COLUMN casino.cage_count.desk
        IS 'Cash desk, as the place of its deposits and payments names it';
    COMMENT ON COLUMN casino.cage_count.count_no IS 'Counts the counts of the desk from 1';
    COMMENT ON COLUMN casino.cage_count.counted_at
        IS 'When it was counted: cash from then on belongs to the next shift';
    COMMENT ON COLUMN casino.cage_count.counted IS 'CZK that lay there';
    COMMENT ON COLUMN casino.cage_count.moved
        IS 'CZK brought to the desk since the count before, less CZK taken away; 0 in the first count';
    COMMENT ON COLUMN casino.cage_count.request_id IS 'The client''s key of the request, for safe retries';
    COMMENT ON COLUMN casino.cage_count.note IS 'Remark of the person who counted';
    COMMENT ON COLUMN casino.cage_count.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_append_only('cage_count');
    PERFORM casino_internal.make_recorded('cage_count');
    CREATE TRIGGER in_order BEFORE INSERT ON casino.cage_count
        FOR EACH ROW EXECUTE FUNCTION casino_internal.cage_count_in_order();
    COMMENT ON TRIGGER in_order ON casino.cage_count
        IS 'Refuses a count that is not the next one of its desk (23514), lies before the one before '
           'or ahead of the clock (KL005)';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_cage() IS 'Part of casino.install(): counts of the cash desks';

-- R12.81: a count tells of its time. It may be written down later, and never ahead.
CREATE FUNCTION casino_internal.cage_count_in_order() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    before casino.cage_count;
    skew interval;
BEGIN
    -- R12.153
    PERFORM casino_internal.event_time(NULL);
    skew := current_setting('casino.clock_skew')::interval;
    SELECT c.* INTO before
      FROM casino.cage_count c
     WHERE c.desk = NEW.desk
     ORDER BY c.count_no DESC
     LIMIT 1;
    IF NEW.count_no IS DISTINCT FROM coalesce(before.count_no, 0) + 1 THEN
        RAISE EXCEPTION 'count % of desk "%" is not the next one', NEW.count_no, NEW.desk
            USING ERRCODE = 'check_violation';
    ELSIF NEW.counted_at <= before.counted_at THEN
        RAISE EXCEPTION 'desk "%" was counted at % before', NEW.desk, before.counted_at
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', NEW.counted_at, 'not_before', before.counted_at)::text,
                  DETAIL = format('This count is of %s.', NEW.counted_at);
    ELSIF NEW.counted_at > clock_timestamp() + skew AND skew >= interval '0' THEN
        RAISE EXCEPTION 'desk "%" cannot have been counted at %', NEW.desk, NEW.counted_at
            USING ERRCODE = 'KL005', CONSTRAINT = 'clock_differs',
                  DATATYPE = jsonb_build_object('at', NEW.counted_at, 'clock', clock_timestamp(),
                                                'seconds', extract(epoch FROM skew)::integer)::text,
                  DETAIL = format('It is %s.', clock_timestamp());
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.cage_count_in_order()
    IS 'Trigger of cage_count: the counts of a desk follow each other';

-- R12.80: cash of the ledger by its place. The place stands as it came; the name of a desk has one form, so
-- composed letters and white space at the ends make no other desk.
CREATE FUNCTION casino_internal.cage_cash(since timestamptz, until timestamptz)
RETURNS TABLE (player_id bigint, entry_no bigint, desk text, posted_at timestamptz, paid_in numeric,
               paid_out numeric)
LANGUAGE sql STABLE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT l.player_id, l.entry_no,
           casino_internal.one_form(l.place),
           l.posted_at,
           CASE WHEN l.kind = 'deposit' THEN l.amount ELSE 0.00 END,
           CASE WHEN l.kind = 'cash_paid' THEN l.amount ELSE 0.00 END
      FROM casino.ledger l
     WHERE l.posted_at >= cage_cash.since
       AND l.book > (SELECT casino_internal.last_book_before(cage_cash.since))
       AND l.posted_at < cage_cash.until
       AND (l.kind = 'cash_paid'
            OR l.kind = 'deposit'
               AND l.method IN (SELECT w.method FROM casino.payment_method w WHERE w.is_cash))
$fn$;
COMMENT ON FUNCTION casino_internal.cage_cash(timestamptz, timestamptz)
    IS 'Part of cage_shifts(): cash that was paid in and out, by its place';

-- R12.82: the count before, and the cash paid in, paid out and moved since. Nothing is expected of the first
-- count.
CREATE FUNCTION casino_internal.cage_shift(desk text, count_no integer)
RETURNS TABLE (since timestamptz, until timestamptz, opening numeric, paid_in numeric, paid_out numeric,
               moved numeric, expected numeric, counted numeric, difference numeric)
LANGUAGE sql STABLE STRICT ROWS 1 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT b.counted_at, c.counted_at, b.counted, s.paid_in, s.paid_out, c.moved,
           b.counted + c.moved + s.paid_in - s.paid_out, c.counted,
           c.counted - (b.counted + c.moved + s.paid_in - s.paid_out)
      FROM casino.cage_count c
      LEFT JOIN casino.cage_count b ON b.desk = c.desk AND b.count_no = c.count_no - 1
      LEFT JOIN LATERAL (SELECT coalesce(sum(x.paid_in), 0.00) AS paid_in,
                                coalesce(sum(x.paid_out), 0.00) AS paid_out
                           FROM casino_internal.cage_cash(b.counted_at, c.counted_at) x
                          WHERE x.desk = c.desk) s ON b.desk IS NOT NULL
     WHERE c.desk = cage_shift.desk AND c.count_no = cage_shift.count_no
$fn$;
COMMENT ON FUNCTION casino_internal.cage_shift(text, integer)
    IS 'Part of cage_shifts(): the shift that a count ends';

CREATE FUNCTION casino.cage_shifts(from_day date, to_day date)
RETURNS TABLE (desk text, count_no integer, since timestamptz, until timestamptz, opening numeric,
               paid_in numeric, paid_out numeric, moved numeric, expected numeric, counted numeric,
               difference numeric, request_id text, note text, recorded_at timestamptz, counted_by text)
LANGUAGE plpgsql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    RETURN QUERY
        SELECT c.desk, c.count_no, s.since, s.until, s.opening, s.paid_in, s.paid_out, s.moved, s.expected,
               s.counted, s.difference, c.request_id, c.note, c.recorded_at, coalesce(w.actor, w.login)
          FROM casino.cage_count c
         CROSS JOIN LATERAL casino_internal.cage_shift(c.desk, c.count_no) s
          LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
         WHERE c.counted_at >= casino.day_start(from_day) AND c.counted_at < casino.day_start(to_day + 1)
         ORDER BY c.desk COLLATE "C", c.count_no;
END
$fn$;
COMMENT ON FUNCTION casino.cage_shifts(date, date)
    IS 'Shifts of the cash desks that were counted on Prague days: the count before, paid in and out by the '
       'ledger, moved, expected and counted. difference: counted less expected, NULL of the first count of '
       'a desk';

CREATE FUNCTION casino.record_cage_count(desk text, counted_at timestamptz, counted numeric,
                                         request_id text DEFAULT NULL, moved numeric DEFAULT 0,
                                         note text DEFAULT NULL, OUT count_no integer, OUT expected numeric,
                                         OUT difference numeric) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_cage_count(text, timestamptz, numeric, text, numeric, text)
    IS 'Records the count of a cash desk at the end of a shift (counted_at NULL: now). moved: CZK '
       'brought there since the count before, less CZK taken away. Returns the number of the count, the '
       'expected amount by the ledger, and counted less expected, NULL of the first count; the same for the '
       'same request';

CREATE FUNCTION casino_internal.record_cage_count_impl(desk text, counted_at timestamptz, counted numeric,
                                                       request_id text, moved numeric, note text,
                                                       OUT count_no integer, OUT expected numeric,
                                                       OUT difference numeric) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    at_desk CONSTANT text := casino_internal.canonical_text(desk, 'desk');
    former casino.cage_count;
BEGIN
    IF desk IS NULL OR counted IS NULL OR moved IS NULL THEN
        RAISE EXCEPTION 'desk, counted and moved must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF counted < 0 OR counted >= 1e12 OR counted <> round(counted, 2) THEN
        RAISE EXCEPTION '% is not an amount of cash', counted USING ERRCODE = 'numeric_value_out_of_range';
    ELSIF abs(moved) >= 1e12 OR moved <> round(moved, 2) THEN
        RAISE EXCEPTION '% is not an amount that was moved', moved
            USING ERRCODE = 'numeric_value_out_of_range';
    ELSIF NOT isfinite(counted_at) THEN
        RAISE EXCEPTION 'counted_at must be finite' USING ERRCODE = 'invalid_parameter_value';
    ELSIF btrim(request_id, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'request_id must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(at_desk, 'desk', 200),
        casino_internal.bounded(request_id, 'request_id', 200),
            casino_internal.bounded(note, 'note', 1000);
    PERFORM casino_internal.take_lock('cage ' || at_desk);
    -- R12.86
    SELECT c.* INTO former
      FROM casino.cage_count c
     WHERE c.desk = at_desk AND c.request_id = record_cage_count_impl.request_id;
    IF NOT FOUND THEN
        SELECT coalesce(max(c.count_no), 0) + 1 INTO count_no FROM casino.cage_count c WHERE c.desk = at_desk;
        IF count_no = 1 AND moved <> 0 THEN
            RAISE EXCEPTION 'the first count of desk "%" has nothing moved since one before', at_desk
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        INSERT INTO casino.cage_count (desk, count_no, counted_at, counted, moved, request_id, note,
                                       recorded_at)
        VALUES (at_desk, count_no, coalesce(counted_at, clock_timestamp()), round(counted, 2),
                round(moved, 2), request_id, note, clock_timestamp());
    ELSIF former.counted_at <> coalesce(counted_at, former.counted_at)
          OR (former.counted, former.moved, former.note)
             IS DISTINCT FROM (record_cage_count_impl.counted, record_cage_count_impl.moved,
                               record_cage_count_impl.note) THEN
        RAISE EXCEPTION 'request "%" of desk "%" was used before', request_id, at_desk
            USING ERRCODE = 'KL003', CONSTRAINT = 'request_conflict',
                  DATATYPE = jsonb_build_object('request_id', request_id,
                                                'why', 'count ' || former.count_no)::text,
                  DETAIL = format('It recorded count %s: %s CZK at %s, %s CZK moved.', former.count_no,
                                  former.counted, former.counted_at, former.moved),
                  HINT = 'A retry must have the content of the first request; a new request needs a new key.';
    ELSE
        count_no := former.count_no;
    END IF;
    SELECT s.expected, s.difference INTO expected, difference
      FROM casino_internal.cage_shift(at_desk, record_cage_count_impl.count_no) s;
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_cage_count_impl(text, timestamptz, numeric, text, numeric, text)
    IS 'Body of record_cage_count(), run as the owner of the ledger';

-- R12.83: counts of the days and those written on them. R12.85: a desk that was counted once is counted
-- again.
CREATE FUNCTION casino_internal.check_cage_count(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first CONSTANT timestamptz := casino.day_start(from_day);
    next CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    IF NOT EXISTS (SELECT FROM casino.cage_count) THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT CASE WHEN s.since IS NULL THEN 'first' ELSE 'counted' END, NULL::bigint, NULL::bigint,
               NULL::bigint, format('%s at desk %s', coalesce(s.expected, 0.00), c.desk),
               format('%s counted at %s', CASE WHEN s.since IS NULL THEN c.moved ELSE c.counted END,
                      c.counted_at),
               jsonb_strip_nulls(jsonb_build_object(
                   'desk', c.desk, 'count_no', c.count_no, 'since', s.since, 'until', s.until,
                   'opening', s.opening, 'paid_in', s.paid_in, 'paid_out', s.paid_out, 'moved', s.moved,
                   'ref', c.request_id))
          FROM casino.cage_count c
         CROSS JOIN LATERAL casino_internal.cage_shift(c.desk, c.count_no) s
         WHERE casino_internal.of_days(c.counted_at, c.recorded_at, first, next)
           AND coalesce(s.difference <> 0, c.moved <> 0);
    -- from desk to desk by the key: of each the last count is read, and not all
    RETURN QUERY
        WITH RECURSIVE desk AS (
            (SELECT c.desk FROM casino.cage_count c ORDER BY c.desk LIMIT 1)
            UNION ALL
            SELECT (SELECT c.desk FROM casino.cage_count c WHERE c.desk > d.desk ORDER BY c.desk LIMIT 1)
              FROM desk d
             WHERE d.desk IS NOT NULL)
        SELECT 'missing', NULL::bigint, NULL::bigint, NULL::bigint,
               format('a count of desk %s after %s', n.desk, n.counted_at), 'none',
               jsonb_build_object('desk', n.desk, 'count_no', n.count_no + 1)
          FROM desk d
         CROSS JOIN LATERAL (SELECT c.desk, c.count_no, c.counted_at
                               FROM casino.cage_count c
                              WHERE c.desk = d.desk AND c.counted_at < next
                              ORDER BY c.count_no DESC
                              LIMIT 1) n
         WHERE EXISTS (SELECT
                       FROM casino_internal.cage_cash(greatest(n.counted_at, casino.day_start(to_day - 31)),
                                                             casino.day_start(to_day)) x
                        WHERE x.desk = n.desk);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_cage_count(date, date)
    IS 'Part of the reconciliation, check cage_count: each count of a cash desk equals the count before '
       'with the cash of the ledger, and desks are counted';
