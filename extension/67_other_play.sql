-- count_other_play(): limits hold jointly with the operator's other products (D4 §6.5).

CREATE FUNCTION casino.count_other_play(player_id bigint, product text, staked numeric, result numeric, request_id text DEFAULT NULL,
                                        at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_count_other_play' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.count_other_play(bigint, text, numeric, numeric, text, timestamptz) IS 'Counts play of another product of the operator in the player''s limits, on the Prague day of its own time, which may be long ago: it has happened and is never refused for a limit or an exclusion. Returns its number, the same again for the same request';
