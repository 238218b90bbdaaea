-- Calendar days and months in Europe/Prague.

CREATE FUNCTION casino.prague_day(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_day(timestamptz) IS 'Calendar day in Europe/Prague';

CREATE FUNCTION casino.prague_month(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_trunc('month', at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_month(timestamptz) IS 'First day of the calendar month in Europe/Prague';

-- First instant of a Prague day.
CREATE FUNCTION casino.day_start(day date) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN day::timestamp AT TIME ZONE 'Europe/Prague';
COMMENT ON FUNCTION casino.day_start(date) IS 'First instant of a calendar day in Europe/Prague';

CREATE FUNCTION casino.payment_due_at(since timestamptz, days integer) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (date_trunc('day', since AT TIME ZONE 'Europe/Prague')
                + make_interval(days => days + 1)) AT TIME ZONE 'Europe/Prague';
COMMENT ON FUNCTION casino.payment_due_at(timestamptz, integer)
    IS 'First instant after that many calendar days in Europe/Prague, the day of the event not counted (D4 '
       '§11)';
