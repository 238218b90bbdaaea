-- Persons: the one form of the operator's reference, and how long limits outlive a closed account.

-- One person must be one text: what looks the same on a screen is the same here, or refused.
CREATE FUNCTION casino.canonical_text(given text, name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- other encodings have no combining characters; beyond ASCII their codes mean something else
    unicode CONSTANT boolean := getdatabaseencoding() = 'UTF8';
    white CONSTANT text := '[\u0009-\u000d\u0020' || CASE WHEN unicode THEN '\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000' ELSE '' END || ']+';
    -- control characters, and those that have no width or turn the direction of writing
    unseen CONSTANT text := '[\u0001-\u001f\u007f' || CASE WHEN unicode THEN '\u0080-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb' ELSE '' END || ']';
    canonical text := given;
    found text;
BEGIN
    IF unicode THEN
        canonical := normalize(canonical, NFC);
    END IF;
    canonical := regexp_replace(canonical, '^' || white || '|' || white || '$', '', 'g');
    IF canonical = '' THEN
        RAISE EXCEPTION '% must not be empty', name USING ERRCODE = 'invalid_parameter_value';
    END IF;
    found := substring(canonical FROM unseen);
    IF found IS NOT NULL THEN
        RAISE EXCEPTION '% must not contain control characters', name
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It contains U+%s.', upper(lpad(to_hex(ascii(found)), 4, '0')));
    END IF;
    RETURN canonical;
END
$fn$;
COMMENT ON FUNCTION casino.canonical_text(text, text) IS 'Part of canonical_ref(), set_payment_account(), open_round() and add_game_table(): one form of what looks the same, called "name" in errors';

CREATE FUNCTION casino.canonical_ref(external_ref text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.canonical_text(external_ref, 'external_ref');
END
$fn$;
COMMENT ON FUNCTION casino.canonical_ref(text) IS 'The form of an external_ref by which a person is known: Unicode NFC, without white space at its ends; one that is empty or contains control or invisible characters is refused (22023)';

CREATE FUNCTION casino.limits_pass_until(closed_at timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN casino.payment_due_at(closed_at, 7);
COMMENT ON FUNCTION casino.limits_pass_until(timestamptz) IS 'First instant at which an account opened again no longer takes over the limits of one closed then: after seven calendar days in Europe/Prague (Act 186/2016 §14a)';
