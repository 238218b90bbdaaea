-- What arguments share: the one form of a text, bounds of length, times of events.

CREATE FUNCTION casino_internal.bounded(value text, name text, bytes integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_bounded' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.bounded(text, text, integer)
    IS 'Part of the functions that keep texts: the value itself, 22001 naming it when it has more bytes';

CREATE FUNCTION casino_internal.require_days(from_day date, to_day date) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF from_day IS NULL OR to_day IS NULL THEN
        RAISE EXCEPTION 'from_day and to_day must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF NOT isfinite(from_day) OR NOT isfinite(to_day) OR from_day > to_day THEN
        RAISE EXCEPTION 'invalid period: % to %', from_day, to_day USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_days(date, date)
    IS 'Part of the questions about days: 22004 where one lacks, 22023 where the second is before the first: '
       'an empty answer would look like a clean one';

CREATE FUNCTION casino_internal.require_given(given boolean, name text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF given IS NOT TRUE THEN
        RAISE EXCEPTION '% must be given', name USING ERRCODE = 'null_value_not_allowed';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_given(boolean, text)
    IS 'Part of the questions: 22004 where an argument of that name is NULL, because an empty answer would '
       'look like a clean one';

CREATE FUNCTION casino_internal.require_threshold(amount numeric, name text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.require_given(amount IS NOT NULL, name);
    IF amount IN ('NaN', 'Infinity', '-Infinity') THEN
        RAISE EXCEPTION '% must be a number', name USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_threshold(numeric, text)
    IS 'Part of the questions: 22004 or 22023 where an amount in CZK of that name is NULL, or not finite: no '
       'row would reach NaN';

-- One form of what looks the same. Nothing is refused, so that a check can ask it of a text as it stands.
CREATE FUNCTION casino_internal.one_form(given text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- printed ASCII is its own canonical form; the classes of the rest cost a session's first call 1 ms
    IF given ~ '^[!-~]([ -~]*[!-~])?$' THEN
        RETURN given;
    END IF;
    DECLARE
        -- other encodings have no combining characters; beyond ASCII their codes mean something else
        unicode CONSTANT boolean := getdatabaseencoding() = 'UTF8';
        white CONSTANT text := '[\u0009-\u000d\u0020'
            || CASE WHEN unicode THEN '\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000'
                    ELSE '' END
            || ']+';
        composed text := given;
    BEGIN
        IF unicode THEN
            composed := normalize(composed, NFC);
        END IF;
        RETURN regexp_replace(composed, '^' || white || '|' || white || '$', '', 'g');
    END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.one_form(text)
    IS 'Part of canonical_text() and of the cash of a desk: composed letters, and no white space at the ends';

-- One person must be one text: what looks the same on a screen is the same here, or refused.
CREATE FUNCTION casino_internal.canonical_text(given text, name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF given ~ '^[!-~]([ -~]*[!-~])?$' THEN
        RETURN given;
    END IF;
    DECLARE
        unicode CONSTANT boolean := getdatabaseencoding() = 'UTF8';
        -- control characters, breaks of lines, marks of interlinear notes, and what is not to be seen (R7.31,
        -- R7.32)
        unseen CONSTANT text := '[\u0001-\u001f\u007f'
            || CASE WHEN unicode THEN '\u0080-\u009f\u2028-\u202e\ufff9-\ufffb' || casino_internal.ignorable()
                    ELSE '' END
            || ']';
        canonical CONSTANT text := casino_internal.one_form(given);
        found text;
    BEGIN
        IF canonical = '' THEN
            RAISE EXCEPTION '% must not be empty', name USING ERRCODE = 'invalid_parameter_value';
        END IF;
        found := substring(canonical FROM unseen);
        IF found IS NOT NULL THEN
            RAISE EXCEPTION '% must not contain control characters', name
                USING ERRCODE = 'invalid_parameter_value',
                      DETAIL = format('It contains U+%s.', upper(lpad(to_hex(ascii(found)), 4, '0')));
        END IF;
        RETURN canonical;
    END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.canonical_text(text, text)
    IS 'Part of canonical_ref(), set_payment_account(), open_round() and add_game_table(): one form of what '
       'looks the same, called "name" in errors';

CREATE FUNCTION casino_internal.event_time(at timestamptz, not_before timestamptz DEFAULT NULL)
    RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_event_time' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.event_time(timestamptz, timestamptz)
    IS 'Checks the time of an event: finite, and within casino.clock_skew of the clock when the call came '
       '(KL005 else), and returns it; for NULL the clock''s time, or not_before if that is later';
