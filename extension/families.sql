-- Families of games: which are built, and the canonical form of their outcome documents.

CREATE FUNCTION casino.family_is_built(family text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_family_is_built' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.family_is_built(text) IS 'Can rounds of this family of games be opened and settled';

CREATE FUNCTION casino.canonical_outcome(family text, rules jsonb, outcome jsonb) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_canonical_outcome' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.canonical_outcome(text, jsonb, jsonb) IS 'The outcome document in one form; KR001 when it could not have been dealt so under the rules';
