-- Written by tools/ignorable: the code points that have the property Default_Ignorable_Code_Point (Unicode
-- Character Database 14.0.0, DerivedCoreProperties.txt), and U+2800, a braille pattern without dots.

CREATE FUNCTION casino_internal.ignorable() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
        || '\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3'
        || '\U0001d173-\U0001d17a\U000e0000-'
        || '\U000e0fff'
$fn$;
COMMENT ON FUNCTION casino_internal.ignorable() IS
    'Part of canonical_text(): characters that are not to be seen, by their Unicode property, as ranges of '
    'a regular expression';

