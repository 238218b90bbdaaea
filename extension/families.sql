-- Families of games: which are built, what they have in common for SQL, and the canonical form of their
-- outcome documents.

CREATE FUNCTION casino.families(OUT family text, OUT seats integer, OUT between_players boolean)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_families' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 5;
COMMENT ON FUNCTION casino.families()
    IS 'The families of games whose logic is built: how many seats every table of theirs has (NULL: as the '
       'plan says), and whether the players are paid from each other''s stakes';

CREATE FUNCTION casino_internal.family_is_built(family text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_family_is_built' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.family_is_built(text)
    IS 'Can rounds of this family of games be opened and settled';

CREATE FUNCTION casino.canonical_outcome(family text, rules jsonb, outcome jsonb) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_canonical_outcome' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.canonical_outcome(text, jsonb, jsonb)
    IS 'The outcome document in one form; KR001 when it could not have been dealt so under the rules';

-- Each family of games that the house pays has its own, quote_grades_FAMILY.
CREATE FUNCTION casino_internal.quote_grades(family text, rules jsonb, outcome jsonb, bets casino.bet[],
                                             hands integer[])
RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    grades text[];
BEGIN
    IF EXISTS (SELECT FROM casino.families() f WHERE f.family = quote_grades.family AND f.between_players)
    THEN
        RAISE EXCEPTION 'cannot quote a game that players play against each other'
            USING ERRCODE = 'feature_not_supported', HINT = 'casino.split_pots() splits the pots of a hand.';
    END IF;
    IF NOT casino_internal.family_is_built(family) THEN
        RAISE EXCEPTION 'there is no family "%"', left(family, 100) USING ERRCODE = 'feature_not_supported';
    END IF;
    EXECUTE format('SELECT casino_internal.%I($1, $2, $3, $4)', 'quote_grades_' || family) INTO grades
        USING rules,
        outcome, bets, hands;
    RETURN grades;
END
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades(text, jsonb, jsonb, casino.bet[], integer[])
    IS 'Part of quote(): grades of one player''s bets, on those hands, on a canonical outcome document, in '
       'their order';

CREATE FUNCTION casino_internal.quote_hands(family text, plan_id bigint, outcome jsonb, bets casino.bet[])
RETURNS integer[]
    AS 'MODULE_PATHNAME', 'casino_sql_quote_hands' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.quote_hands(text, bigint, jsonb, casino.bet[])
    IS 'Part of quote(): hand of each of one player''s bets; KR001 for cards that could not have been '
       'played so with these bets';
