-- The sieve: one pass over the entries of all players, or of those whom some days concern, says whom and
-- which rounds the checks have to look at (src/checks/sieve.h).

CREATE FUNCTION casino_internal.sieve_part(word text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_part' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.sieve_part(text) IS
    'Part of the checks: the bit of a part of the sieve, such as late_stake; all has every bit; 22023 for '
    'another word';

CREATE FUNCTION casino_internal.sieve_player(state internal, player_id bigint, several boolean,
                                             balance numeric,
                                             last_entry_no bigint, last_posted_at timestamptz,
                                             last_round_id bigint, sequence_started_at timestamptz)
                                                 RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_player' LANGUAGE C STABLE PARALLEL SAFE COST 100000;
COMMENT ON FUNCTION casino_internal.sieve_player(internal, bigint, boolean, numeric, bigint, timestamptz,
                                                 bigint,
                                                 timestamptz) IS
    'Part of casino_internal.sieve(): reads the entries of a player';

CREATE FUNCTION casino_internal.sieve_combine(state internal, other internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.sieve_combine(internal, internal) IS
    'Part of casino_internal.sieve(): adds up what two processes have found';

CREATE FUNCTION casino_internal.sieve_serialize(state internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_serialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.sieve_serialize(internal) IS
    'Part of casino_internal.sieve(): what a process has found, for another one';

CREATE FUNCTION casino_internal.sieve_deserialize(state bytea, nothing internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_deserialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.sieve_deserialize(bytea, internal) IS
    'Part of casino_internal.sieve(): what another process has found';

CREATE FUNCTION casino_internal.sieve_suspects(state internal) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_suspects' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.sieve_suspects(internal) IS 'Part of casino_internal.sieve(): its result';

CREATE AGGREGATE casino_internal.sieve(player_id bigint, several boolean, balance numeric,
                                       last_entry_no bigint,
                                       last_posted_at timestamptz, last_round_id bigint,
                                       sequence_started_at timestamptz) (
    SFUNC = casino_internal.sieve_player, STYPE = internal, FINALFUNC = casino_internal.sieve_suspects,
        COMBINEFUNC = casino_internal.sieve_combine,
    SERIALFUNC = casino_internal.sieve_serialize, DESERIALFUNC = casino_internal.sieve_deserialize,
        PARALLEL = SAFE
);
COMMENT ON AGGREGATE casino_internal.sieve(bigint, boolean, numeric, bigint, timestamptz, bigint,
                                           timestamptz) IS
    'Part of an audit: players and rounds that may not fit, as triples of parts, player and round (0: none)';

CREATE FUNCTION casino_internal.sieve_player_of_days(state internal, since timestamptz, until timestamptz,
                                                     first_entry_no bigint, read_to_entry_no bigint,
                                                         player_id bigint,
                                                     several boolean,
                                                     balance numeric, last_entry_no bigint,
                                                         last_posted_at timestamptz,
                                                     last_round_id bigint,
                                                     sequence_started_at timestamptz) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_player_of_days' LANGUAGE C STABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION casino_internal.sieve_player_of_days(internal, timestamptz, timestamptz, bigint, bigint,
                                                         bigint,
                                                         boolean, numeric, bigint, timestamptz, bigint,
                                                             timestamptz) IS
    'Part of casino_internal.sieve_of_days(): reads the entries of a player from the first of the days on';

CREATE AGGREGATE casino_internal.sieve_of_days(since timestamptz, until timestamptz, first_entry_no bigint,
                                               read_to_entry_no bigint, player_id bigint, several boolean,
                                               balance numeric,
                                               last_entry_no bigint, last_posted_at timestamptz,
                                                   last_round_id bigint,
                                               sequence_started_at timestamptz) (
    SFUNC = casino_internal.sieve_player_of_days, STYPE = internal,
        FINALFUNC = casino_internal.sieve_suspects,
        COMBINEFUNC = casino_internal.sieve_combine,
    SERIALFUNC = casino_internal.sieve_serialize, DESERIALFUNC = casino_internal.sieve_deserialize,
        PARALLEL = SAFE
);
COMMENT ON AGGREGATE casino_internal.sieve_of_days(timestamptz, timestamptz, bigint, bigint, bigint, boolean,
                                                   numeric,
                                                   bigint, timestamptz, bigint, timestamptz) IS
    'Part of a night: as casino_internal.sieve(), of entries of days alone';

CREATE FUNCTION casino_internal.keep_suspects(numbers bigint[]) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_keep_suspects' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.keep_suspects(bigint[]) IS
    'Part of the checks: keeps what the sieve has named for the next steps of the run of this session; does '
    'nothing outside of one';

CREATE FUNCTION casino_internal.kept_suspects() RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_kept_suspects' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.kept_suspects() IS
    'Part of the checks: what keep_suspects() keeps; NULL for nothing yet';

CREATE FUNCTION casino_internal.keep_findings(lines jsonb) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_keep_findings' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.keep_findings(jsonb) IS
    'Part of the checks of providers: keeps what they have found for the next steps of the run of this '
    'session; does nothing outside of one';

CREATE FUNCTION casino_internal.kept_findings() RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_kept_findings' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.kept_findings() IS
    'Part of the checks of providers: what keep_findings() keeps; NULL for nothing yet';

-- RETURN QUERY, for a plan of several processes.  A table of players is small; what is done for each of them
-- is not.
CREATE FUNCTION casino_internal.sieve_all() RETURNS SETOF bigint[]
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET parallel_setup_cost = 0
SET parallel_tuple_cost = 0
SET min_parallel_table_scan_size = 0 AS $fn$
BEGIN
    RETURN QUERY
        SELECT casino_internal.sieve(p.player_id, EXISTS (SELECT FROM casino.player o
                                                          WHERE o.external_ref = p.external_ref
                                                              AND o.player_id <> p.player_id), p.balance,
                                     p.last_entry_no, p.last_posted_at, p.last_round_id,
                                         p.sequence_started_at)
          FROM casino.player p;
    -- entries of whom there is no such player
    RETURN QUERY
        WITH RECURSIVE owner (player_id) AS (
            SELECT min(l.player_id) FROM casino.ledger l
            UNION ALL
            SELECT (SELECT min(l.player_id) FROM casino.ledger l WHERE l.player_id > o.player_id) FROM owner o
             WHERE o.player_id IS NOT NULL)
        SELECT n.numbers
          FROM owner o
         CROSS JOIN LATERAL (SELECT ARRAY[casino_internal.sieve_part('all'), o.player_id, 0] AS numbers
                             UNION ALL
                             SELECT DISTINCT ARRAY[casino_internal.sieve_part('round_figures'), 0, l.round_id]
                               FROM casino.ledger l
                              WHERE l.player_id = o.player_id AND l.round_id IS NOT NULL) n
         WHERE o.player_id IS NOT NULL AND NOT EXISTS (SELECT FROM casino.player p
                                                       WHERE p.player_id = o.player_id);
END
$fn$;
COMMENT ON FUNCTION casino_internal.sieve_all() IS 'Part of an audit: what the sieve names';

-- Whom days concern, and from which of his entries on: entries that happened or were written on them, or
-- happened in the hours before, in which a betting sequence may have begun (R10.5); stakes of rounds
-- evaluated on them, whenever they were placed.
CREATE FUNCTION casino_internal.sieve_days(from_day date, to_day date) RETURNS SETOF bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        WITH seen AS MATERIALIZED (
            SELECT l.player_id, l.entry_no FROM casino.ledger l
             WHERE l.posted_at >= since - interval '6 hours' AND l.posted_at < until OR l.recorded_at >= since
                 AND l.recorded_at < until
            UNION ALL
            SELECT s.player_id, s.entry_no
              FROM casino.round r
              JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
             WHERE r.evaluated_at >= since AND r.evaluated_at < until),
        -- an entry without a number: from where on cannot be said
        touched AS MATERIALIZED (
            SELECT s.player_id, CASE WHEN count(*) = count(s.entry_no)
                   THEN min(s.entry_no) END AS low, max(s.entry_no) AS high FROM seen s GROUP BY s.player_id)
        SELECT casino_internal.sieve_of_days(since, until, t.low, t.high, t.player_id,
                                             EXISTS (SELECT FROM casino.player o
                                                     WHERE o.external_ref = p.external_ref
                                                         AND o.player_id <> p.player_id), p.balance,
                                             p.last_entry_no, p.last_posted_at, p.last_round_id,
                                                 p.sequence_started_at)
          FROM (SELECT x.* FROM touched x UNION ALL SELECT NULL, NULL, NULL) t
          LEFT JOIN casino.player p ON p.player_id = t.player_id;
    RETURN QUERY
        SELECT DISTINCT ARRAY[casino_internal.sieve_part('sequence'), o.player_id, 0]
          FROM casino_internal.long_stakes(since) o
          JOIN casino.round r ON r.round_id = o.round_id
         -- those of the days were read above
         WHERE (r.evaluated_at >= since AND r.evaluated_at < until) IS NOT TRUE;
    -- Refunds: a round voided on the days goes back, whenever it was evaluated. State: rows of players that
    -- name the days, and an entry that there is not.
    RETURN QUERY
        SELECT ARRAY[casino_internal.sieve_part('refund'), s.player_id, 0]
          FROM casino.round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
         WHERE r.voided_at >= since AND r.evaluated_at < since
        UNION ALL
        SELECT ARRAY[casino_internal.sieve_part('refund'), n.player_id, 0] FROM casino.withholding_end n
         WHERE n.how = 'voided' AND n.ended_at >= since AND n.ended_at < until
        UNION ALL
        SELECT ARRAY[casino_internal.sieve_part('refund'), s.player_id, 0]
          FROM casino.deal_correction c
          JOIN casino.ledger s ON s.round_id = c.round_id AND s.kind = 'stake'
         WHERE c.corrected_at >= since AND c.corrected_at < until
        UNION ALL
        SELECT ARRAY[casino_internal.sieve_part('state'), p.player_id, 0]
          FROM casino.player p
         WHERE p.last_posted_at = '-infinity' AND (p.balance <> 0 OR p.last_entry_no <> 0)
            OR p.last_posted_at >= since AND p.last_posted_at < until
               AND NOT EXISTS (SELECT FROM casino.ledger l
                               WHERE l.player_id = p.player_id AND l.entry_no = p.last_entry_no
                                   AND l.posted_at = p.last_posted_at);
END
$fn$;
COMMENT ON FUNCTION casino_internal.sieve_days(date, date)
    IS 'Part of a night: what the sieve names of the days';

CREATE FUNCTION casino_internal.suspects(part text, from_day date, to_day date, OUT players bigint[],
                                         OUT rounds bigint[]) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    unreadable CONSTANT bigint[] := '{-1}';
    wanted CONSTANT integer := casino_internal.sieve_part(part);
    numbers bigint[] := casino_internal.kept_suspects();
    one bigint[];
BEGIN
    IF numbers IS NULL THEN
        numbers := '{}';
        BEGIN
            -- days that nothing is before are all there are: an audit
            FOR one IN SELECT a.a FROM casino_internal.sieve_days(from_day, to_day) a (a)
                WHERE casino_internal.began_before(casino.day_start(from_day))
                       UNION ALL
                       SELECT a.a FROM casino_internal.sieve_all() a (a)
                        WHERE NOT casino_internal.began_before(casino.day_start(from_day)) LOOP
                numbers := numbers || one;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            IF casino_internal.passes(SQLSTATE) THEN
                RAISE;
            END IF;
            -- what the sieve cannot read is read by the checks, each for itself (R10.13)
            numbers := unreadable;
        END;
        PERFORM casino_internal.keep_suspects(numbers);
    END IF;
    IF numbers = unreadable THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(DISTINCT numbers[i + 1]) FILTER (WHERE numbers[i + 1] <> 0), '{}'),
           coalesce(array_agg(numbers[i + 2]) FILTER (WHERE numbers[i + 2] <> 0), '{}')
      INTO players, rounds FROM generate_series(1, cardinality(numbers), 3) i WHERE numbers[i] & wanted <> 0;
END
$fn$;
COMMENT ON FUNCTION casino_internal.suspects(text, date, date) IS
    'Part of the checks: players and rounds that the sieve names for a part, of days or, where nothing is '
    'before them, of all entries; NULL where it could not read them';
