-- Evidence: seals, their verification, proofs and exports (doc/evidence.md).

CREATE FUNCTION casino_internal.install_seals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.day_seal (
        seal_no     bigint PRIMARY KEY CHECK (seal_no > 0),
        day         date NOT NULL,
        sealed_at   timestamptz NOT NULL,
        entries     bigint NOT NULL CHECK (entries >= 0),
        players     bigint NOT NULL CHECK (players BETWEEN 0 AND entries),
        previous    bytea NOT NULL CHECK (octet_length(previous) = 32),
        root        bytea NOT NULL CHECK (octet_length(root) = 32),
        recorded_at timestamptz NOT NULL
    );
    CREATE INDEX day_seal_day ON casino.day_seal (day, seal_no);
    COMMENT ON INDEX casino.day_seal_day IS 'Finds the seals of a day';
    COMMENT ON TABLE casino.day_seal
        IS 'Append-only: seals, each over what came since the one before, chained by its root';
    COMMENT ON COLUMN casino.day_seal.seal_no IS 'Counts the seals from 1 without gaps';
    COMMENT ON COLUMN casino.day_seal.day
        IS 'Prague day that it was made for. It has all that was committed since the seal before: of '
           'the next day, too, until the night made it';
    COMMENT ON COLUMN casino.day_seal.sealed_at IS 'When it was made';
    COMMENT ON COLUMN casino.day_seal.entries IS 'Ledger entries that it covers';
    COMMENT ON COLUMN casino.day_seal.players IS 'Players who have entries among them';
    COMMENT ON COLUMN casino.day_seal.previous IS 'Root of the seal before; zero of the first';
    COMMENT ON COLUMN casino.day_seal.root
        IS 'Root of its header and sections: with the document kept elsewhere it proves all of it';
    COMMENT ON COLUMN casino.day_seal.recorded_at IS 'When it was written';

    CREATE TABLE casino.seal_section (
        seal_no    bigint NOT NULL REFERENCES casino.day_seal,
        section    text COLLATE "C" NOT NULL,
        section_no integer NOT NULL,
        rows       bigint NOT NULL CHECK (rows > 0),
        root       bytea NOT NULL CHECK (octet_length(root) = 32),
        PRIMARY KEY (seal_no, section)
    );
    COMMENT ON TABLE casino.seal_section
        IS 'Append-only: sections of the seals, one for each kind of evidence that came since the seal '
           'before';
    COMMENT ON COLUMN casino.seal_section.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.seal_section.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.seal_section.section_no IS 'Its place among the sections';
    COMMENT ON COLUMN casino.seal_section.rows IS 'Rows that were sealed';
    COMMENT ON COLUMN casino.seal_section.root
        IS 'Root of their leaves; of the ledger, of the streams of players';

    CREATE TABLE casino.sealed_player (
        player_id      bigint NOT NULL,
        seal_no        bigint NOT NULL,
        first_entry_no bigint NOT NULL,
        last_entry_no  bigint NOT NULL CHECK (last_entry_no >= first_entry_no),
        entries        bigint NOT NULL CHECK (entries > 0),
        root           bytea NOT NULL CHECK (octet_length(root) = 32),
        running        bytea NOT NULL CHECK (octet_length(running) = 32),
        marks          bytea NOT NULL,
        PRIMARY KEY (player_id, seal_no)
    );
    CREATE INDEX sealed_player_seal ON casino.sealed_player (seal_no, player_id);
    ALTER TABLE casino.sealed_player ALTER COLUMN marks SET STORAGE EXTERNAL;
    COMMENT ON INDEX casino.sealed_player_seal IS 'Finds the players of a seal in the order of its leaves';
    COMMENT ON TABLE casino.sealed_player
        IS 'Append-only: what each seal covers of each player who had entries since the seal before';
    COMMENT ON COLUMN casino.sealed_player.player_id IS 'Player';
    COMMENT ON COLUMN casino.sealed_player.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_player.first_entry_no IS 'His first entry that was not sealed before';
    COMMENT ON COLUMN casino.sealed_player.last_entry_no IS 'His last entry that the seal covers';
    COMMENT ON COLUMN casino.sealed_player.entries IS 'Number of these entries, which have no gaps';
    COMMENT ON COLUMN casino.sealed_player.root IS 'Root of the tree of these entries';
    COMMENT ON COLUMN casino.sealed_player.running
        IS 'His running hash: node of the running hash before (zero at first) and root';
    COMMENT ON COLUMN casino.sealed_player.marks
        IS 'First 4 bytes of the hash of each entry''s leaf: they tell which entry does not fit (R12.72)';

    CREATE TABLE casino.sealed_row (
        section text COLLATE "C" NOT NULL,
        row_key text COLLATE "C" NOT NULL,
        seal_no bigint NOT NULL,
        leaf_no bigint NOT NULL CHECK (leaf_no > 0),
        hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (section, row_key)
    );
    CREATE UNIQUE INDEX sealed_row_leaf ON casino.sealed_row (seal_no, section, leaf_no);
    COMMENT ON INDEX casino.sealed_row_leaf IS 'Finds the leaves of a section in their order';
    COMMENT ON TABLE casino.sealed_row
        IS 'Append-only: rows of all sections but the ledger that have been sealed';
    COMMENT ON COLUMN casino.sealed_row.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.sealed_row.row_key IS 'Key of the row, its values with slashes between';
    COMMENT ON COLUMN casino.sealed_row.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_row.leaf_no
        IS 'Place among the leaves of the section, from 1, by row_key';
    COMMENT ON COLUMN casino.sealed_row.hash IS 'Hash of the leaf';

    PERFORM casino_internal.make_append_only('day_seal', 'seal_section', 'sealed_player', 'sealed_row');
    PERFORM casino_internal.make_recorded('day_seal');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_seals() IS 'Part of casino.install(): seals and what they cover';

CREATE FUNCTION casino.evidence_layouts(OUT section_no integer, OUT section text, OUT relation text,
                                        OUT tag integer, OUT version integer,
                                        OUT field_no integer, OUT field text, OUT type text,
                                            OUT is_key boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_layouts' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 300;
COMMENT ON FUNCTION casino.evidence_layouts() IS
    'Sections of a seal in their order, with the columns that make up their leaves: encoding in '
    'doc/evidence.md';

CREATE FUNCTION casino.evidence_leaf(section text, "row" record) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_leaf' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_leaf(text, record) IS
    'The bytes that a row of a section is hashed as, whatever the settings are';

CREATE FUNCTION casino.ledger_leaf("row" record) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_ledger_leaf' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.ledger_leaf(record) IS 'The bytes that a row of casino.ledger is hashed as';

CREATE FUNCTION casino.evidence_line(section text, "row" record) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_line' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_line(text, record) IS 'A row of a section as a line of an export';

CREATE FUNCTION casino.evidence_key(section text, "row" record) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_key' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_key(text, record) IS
    'The key of a row of a section, its values with slashes between';

CREATE FUNCTION casino.hash_leaf(data bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_hash_leaf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hash_leaf(bytea) IS
    'SHA-256 of a leaf of a Merkle tree, of the byte 0 and the data (RFC 9162)';

CREATE FUNCTION casino.hash_node("left" bytea, "right" bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_hash_node' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hash_node(bytea, bytea) IS
    'SHA-256 of a node of a Merkle tree, of the byte 1 and the hashes below (RFC 9162)';

CREATE FUNCTION casino_internal.merkle_add(internal, bytea) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino_internal.merkle_add(internal, bytea, bigint) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino_internal.merkle_end(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_root' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino_internal.merkle_end_path(internal) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_path' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.merkle_add(internal, bytea) IS 'Part of merkle_root()';
COMMENT ON FUNCTION casino_internal.merkle_add(internal, bytea, bigint) IS 'Part of merkle_path()';
COMMENT ON FUNCTION casino_internal.merkle_end(internal) IS 'Part of merkle_root()';
COMMENT ON FUNCTION casino_internal.merkle_end_path(internal) IS 'Part of merkle_path()';

CREATE AGGREGATE casino.merkle_root(hash bytea) (SFUNC = casino_internal.merkle_add, STYPE = internal,
                                                 FINALFUNC = casino_internal.merkle_end, PARALLEL = SAFE);
COMMENT ON AGGREGATE casino.merkle_root(bytea) IS
    'Root of the Merkle tree of these hashes of leaves, in the order given (RFC 9162)';

CREATE AGGREGATE casino.merkle_path(hash bytea, index bigint) (SFUNC = casino_internal.merkle_add,
                                                               STYPE = internal,
        FINALFUNC = casino_internal.merkle_end_path, PARALLEL = SAFE);
COMMENT ON AGGREGATE casino.merkle_path(bytea, bigint) IS
    'Inclusion path of the leaf with this index, from 0, in the tree of these hashes in the order given '
    '(RFC 9162); NULL: there is no such leaf';

CREATE FUNCTION casino.merkle_paths(hashes bytea[], first bigint, last bigint, OUT index bigint,
                                    OUT path text[]) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_paths' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.merkle_paths(bytea[], bigint, bigint) IS
    'Inclusion paths, in hexadecimal digits, of the leaves from the first to the last index, from 0, in the '
    'tree of these hashes, which is made once (RFC 9162); of leaves that are not there none';

CREATE FUNCTION casino.stream_tree(player_id bigint, INOUT first_entry_no bigint, INOUT last_entry_no bigint,
                                   OUT entries bigint, OUT root bytea, OUT marks bytea)
    AS 'MODULE_PATHNAME', 'casino_sql_stream_tree' LANGUAGE C STABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION casino.stream_tree(bigint, bigint, bigint) IS
    'The tree of a player''s entries that are in the ledger from the first to the last number (NULL: all '
    'later ones): their first and last number, how many, the root, and the first 4 bytes of the hash of '
    'each. NULLs: there are none';

CREATE FUNCTION casino.stream_leaf(player_id bigint, first_entry_no bigint, last_entry_no bigint,
                                   entries bigint, root bytea, running bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_stream_leaf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.stream_leaf(bigint, bigint, bigint, bigint, bytea, bytea) IS
    'Hash of the leaf that a player''s stream is in section ledger';

CREATE FUNCTION casino.seal_root(seal_no bigint, day date, sealed_at timestamptz, entries bigint,
                                 players bigint, previous bytea,
                                 sections text[], counts bigint[], roots bytea[]) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_seal_root' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.seal_root(bigint, date, timestamptz, bigint, bigint, bytea, text[], bigint[],
                                     bytea[]) IS
    'Root of a seal: of its header and its sections';

CREATE FUNCTION casino.verify_proof(proof jsonb, root bytea) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_verify_proof' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.verify_proof(jsonb, bytea) IS
    'Does the proof show that its entry was sealed under this root? Reads nothing; false for whatever is '
    'not such a proof (the reason at DEBUG1)';

CREATE FUNCTION casino.verify_statement(statement jsonb, roots bytea[]) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_verify_statement' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.verify_statement(jsonb, bytea[]) IS
    'Does the statement show entries of one player that were all sealed under these roots, none left out '
    'between the first and the last? Reads nothing; false for whatever is not such a statement (the reason '
    'at DEBUG1)';

CREATE TYPE casino.seal AS (
    seal_no   bigint,
    day       date,
    sealed_at timestamptz,
    entries   bigint,
    players   bigint,
    sections  jsonb,
    previous  bytea,
    root      bytea
);
COMMENT ON TYPE casino.seal IS
    'A seal: number, day, when, entries and players covered, sections with rows and root, root of the seal '
    'before, root';

-- Which rows of a section's table can be sealed: those that never change any more.  Parent: the section whose
-- row of the first columns of the key is sealed at the same time.  Recorded: when a row says that it was
-- written.
CREATE FUNCTION casino.evidence_sections(OUT section_no integer, OUT section text, OUT relation text,
                                         OUT condition text,
                                         OUT parent text, OUT parent_columns integer,
                                             OUT recorded text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT l.section_no, l.section,
           -- what a correction changes stays sealed as it was first evaluated; the correction is sealed with
           -- what it changed
           CASE l.section WHEN 'round' THEN 'round_as_evaluated' WHEN 'round_end' THEN 'round_as_evaluated'
               WHEN 'dealt_hand' THEN 'hand_as_evaluated'
               -- R7.97: of the person the token
               WHEN 'player' THEN 'player_as_sealed' ELSE l.relation END,
           CASE l.section
                WHEN 'round' THEN $$t.status IN ('withheld', 'settled', 'voided')$$
                WHEN 'round_end' THEN $$t.status IN ('settled', 'voided')$$
                WHEN 'dealt_hand' THEN $$EXISTS (SELECT FROM casino.round r
                                                 WHERE r.round_id = t.round_id
                                                     AND r.status IN ('withheld', 'settled', 'voided'))$$
                WHEN 'player_closed' THEN 't.closed_at IS NOT NULL'
                -- a version that is not in force yet may still change
                WHEN 'game_plan' THEN 't.valid_from <= statement_timestamp()'
                WHEN 'plan_rule' THEN p.plan WHEN 'bet_rule' THEN p.plan WHEN 'paytable' THEN p.plan
                    WHEN 'announced_rule' THEN p.plan
                ELSE 'true'
           END,
           CASE WHEN l.section IN ('plan_rule', 'bet_rule', 'paytable', 'announced_rule') THEN 'game_plan'
                WHEN l.section = 'dealt_hand' THEN 'round' WHEN l.section = 'table_limit'
                    THEN 'table_version' END,
           CASE WHEN l.section = 'table_limit' THEN 2 ELSE 1 END,
           -- a draft is sealed when its day comes, long after it was added
           CASE WHEN l.section = 'game_plan' THEN NULL
                WHEN l.section = 'round' THEN 'evaluation_recorded_at' WHEN l.section = 'day_report'
               THEN 'made_at'
                WHEN l.section = 'player_closed' THEN 'closed_at'
                WHEN bool_or(l.field = 'recorded_at') THEN 'recorded_at' END
      FROM casino.evidence_layouts() l
     CROSS JOIN (SELECT 'EXISTS (SELECT FROM casino.game_plan p WHERE p.plan_id = t.plan_id '
                        'AND p.valid_from <= statement_timestamp())' AS plan) p
     WHERE l.section <> 'ledger'
     GROUP BY l.section_no, l.section, l.relation, p.plan
$fn$;
COMMENT ON FUNCTION casino.evidence_sections() IS
    'Sections of a seal but the ledger: their tables and which rows can be sealed';

CREATE FUNCTION casino_internal.unsealed_rows(OUT section_no integer, OUT section text, OUT row_key text,
                                              OUT hash bytea, OUT recorded_at timestamptz)
                                                  RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    s record;
BEGIN
    FOR s IN SELECT e.* FROM casino.evidence_sections() e ORDER BY e.section_no LOOP
        RETURN QUERY EXECUTE format($q$
            SELECT %s, %L, k.row_key, casino.hash_leaf(casino.evidence_leaf(%2$L, k.t)), k.recorded_at
              FROM (SELECT casino.evidence_key(%2$L, t) COLLATE "C" AS row_key, t, %s AS recorded_at
                    FROM casino.%I t WHERE %s OFFSET 0) k
             WHERE NOT EXISTS (SELECT FROM casino.sealed_row x
                               WHERE x.section = %2$L AND x.row_key = k.row_key)$q$,
            s.section_no, s.section, CASE WHEN s.recorded IS NULL THEN 'NULL::timestamptz'
                ELSE 't.' || s.recorded END, s.relation, s.condition);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.unsealed_rows() IS
    'Part of seal(): rows of all sections but the ledger that can be sealed and are not';

-- With entries of players who have no row, which a forger wrote or whose row a forger removed: they are
-- evidence too. A list that is whole before seal() writes the first row of casino.sealed_player: what it has
-- written it would read again, and in a plan made for a table that was small.
CREATE FUNCTION casino_internal.unsealed_players(OUT player_id bigint, OUT sealed bigint,
                                                 OUT running bytea) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY EXECUTE $q$
        WITH orphan AS (
            SELECT DISTINCT l.player_id
              FROM (SELECT k.player_id AS after, lead(k.player_id) OVER (ORDER BY k.player_id) AS before
                      FROM (SELECT p.player_id FROM casino.player p
                            UNION ALL VALUES (-9223372036854775808), (9223372036854775807)) k) g
             -- asked only where numbers of players are missing
             CROSS JOIN LATERAL (SELECT x.player_id FROM casino.ledger x
                                  WHERE x.player_id > g.after AND x.player_id < g.before
                                    AND x.book > (SELECT casino.last_book_away()) OFFSET 0) l
             WHERE g.after < g.before - 1)
        SELECT p.player_id, coalesce(s.last_entry_no, 0), coalesce(s.running, decode(repeat('00', 32), 'hex'))
          FROM (SELECT a.player_id FROM casino.player a UNION ALL SELECT o.player_id FROM orphan o) p
          LEFT JOIN LATERAL (SELECT s.last_entry_no, s.running FROM casino.sealed_player s
                              WHERE s.player_id = p.player_id ORDER BY s.seal_no DESC LIMIT 1) s ON true
         WHERE (SELECT true FROM casino.ledger l
                WHERE l.player_id = p.player_id AND l.entry_no > coalesce(s.last_entry_no, 0) LIMIT 1)
         ORDER BY p.player_id$q$;
END
$fn$;
COMMENT ON FUNCTION casino_internal.unsealed_players() IS
    'Part of seal(): players who have entries that are not sealed, with the last that is (0: none) and the '
    'running hash';

CREATE FUNCTION casino.seal_of(seal_no bigint) RETURNS casino.seal
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (d.seal_no, d.day, d.sealed_at, d.entries, d.players,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('section', s.section, 'count', s.rows, 'root',
                                                          encode(s.root, 'hex')) ORDER BY s.section_no), '[]')
               FROM casino.seal_section s WHERE s.seal_no = d.seal_no),
            d.previous, d.root)::casino.seal
      FROM casino.day_seal d WHERE d.seal_no = seal_of.seal_no
$fn$;
COMMENT ON FUNCTION casino.seal_of(bigint) IS 'The seal of that number; NULL: there is none';

CREATE FUNCTION casino.seal(day date) RETURNS casino.seal
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.seal(date) IS
    'Seals all evidence that came since the seal before, under the name of a Prague day that has begun; '
    'asked again for the day it gives the seal that was made, but for one that was made before the day was '
    'over: after the day another is made. Waits for no stake and lets none wait';

CREATE FUNCTION casino_internal.seal_impl(day date) RETURNS casino.seal
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    zero CONSTANT bytea := decode(repeat('00', 32), 'hex');
    number bigint;
    before bytea;
    made timestamptz;
    sections text[];
    counts bigint[];
    roots bytea[];
    covered bigint;
    who bigint;
    top bytea;
BEGIN
    IF seal_impl.day IS NULL OR NOT isfinite(seal_impl.day) OR seal_impl.day < '2000-01-01'
       OR seal_impl.day > casino.prague_day(clock_timestamp()) THEN
        RAISE EXCEPTION 'day % cannot be sealed', coalesce(seal_impl.day::text, 'NULL')
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'Only a Prague day that has begun can be sealed, none before 2000-01-01, '
                           'from which evidence counts its days.';
    END IF;
    PERFORM casino_internal.require_read_committed(
        'seal', 'It looks at what was committed after the last seal, whenever that was.');
    -- one at a time; readers do not notice
    LOCK TABLE casino.day_seal IN SHARE ROW EXCLUSIVE MODE;
    -- a seal that was made while its day went on has not all of the day: after the day there is another one
    -- (R12.22)
    SELECT d.seal_no INTO number FROM casino.day_seal d
     WHERE d.day = seal_impl.day
       AND (d.sealed_at >= casino.day_start(seal_impl.day + 1)
            OR clock_timestamp() < casino.day_start(seal_impl.day + 1))
     ORDER BY d.seal_no LIMIT 1;
    IF FOUND THEN
        RETURN casino.seal_of(number);
    END IF;
    SELECT d.seal_no, d.root INTO number, before FROM casino.day_seal d ORDER BY d.seal_no DESC LIMIT 1;
    number := coalesce(number, 0) + 1;
    before := coalesce(before, zero);
    made := clock_timestamp();

    -- One statement, hence one snapshot: a round is in the seal with all its payouts, or not at all (R12.14).
    -- What commits later is in the next seal: a player's numbers have no gaps and are given under his lock,
    -- and of other rows those are taken that no seal has.
    WITH stream AS (
        INSERT INTO casino.sealed_player (player_id, seal_no, first_entry_no, last_entry_no, entries, root,
                                          running, marks)
        SELECT g.player_id, number, t.first_entry_no, t.last_entry_no, t.entries, t.root,
               casino.hash_node(g.running, t.root), t.marks
          FROM casino_internal.unsealed_players() g
         CROSS JOIN LATERAL casino.stream_tree(g.player_id, g.sealed + 1, NULL) t
        RETURNING player_id, first_entry_no, last_entry_no, entries, root, running),
    sealed AS (
        INSERT INTO casino.sealed_row (section, row_key, seal_no, leaf_no, hash)
        SELECT u.section, u.row_key, number, row_number() OVER (PARTITION BY u.section
                                                                ORDER BY u.row_key COLLATE "C"), u.hash
          FROM casino_internal.unsealed_rows() u
        RETURNING section, leaf_no, hash),
    part AS (
        SELECT r.section, count(*) AS rows, casino.merkle_root(r.hash ORDER BY r.leaf_no) AS root
          FROM sealed r GROUP BY r.section
        UNION ALL
        SELECT 'ledger', sum(s.entries)::bigint,
               casino.merkle_root(casino.stream_leaf(s.player_id, s.first_entry_no, s.last_entry_no,
                                                     s.entries, s.root, s.running) ORDER BY s.player_id)
          FROM stream s HAVING count(*) > 0)
    SELECT array_agg(p.section ORDER BY n.section_no), array_agg(p.rows ORDER BY n.section_no),
           array_agg(p.root ORDER BY n.section_no),
           coalesce(max(p.rows) FILTER (WHERE p.section = 'ledger'), 0), (SELECT count(*) FROM stream)
      INTO sections, counts, roots, covered, who
      FROM part p JOIN (SELECT DISTINCT l.section, l.section_no
                        FROM casino.evidence_layouts() l) n ON n.section = p.section;

    sections := coalesce(sections, '{}');
    counts := coalesce(counts, '{}');
    roots := coalesce(roots, '{}');
    top := casino.seal_root(number, seal_impl.day, made, covered, who, before, sections, counts, roots);
    INSERT INTO casino.day_seal (seal_no, day, sealed_at, entries, players, previous, root, recorded_at)
        -- R12.164: on the day from its making on, also where the clock was put back or forward in between
        VALUES (number, seal_impl.day, made, covered, who, before, top,
                least(greatest(made, clock_timestamp()), made + interval '1 day'));
    INSERT INTO casino.seal_section (seal_no, section, section_no, rows, root)
        SELECT number, u.section, u.n, u.rows, u.root
          FROM unnest(sections, counts, roots) WITH ORDINALITY u (section, rows, root, n);
    RETURN casino.seal_of(number);
END
$fn$;
COMMENT ON FUNCTION casino_internal.seal_impl(date) IS 'Body of seal(), run as the owner of the ledger';

CREATE FUNCTION casino.seal_document(seal_no bigint) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_build_object('version', 1, 'seal_no', s.seal_no, 'day', to_char(s.day, 'YYYY-MM-DD'),
                              'sealed_at', to_char(s.sealed_at AT TIME ZONE 'UTC',
                                                   'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                              'entries', s.entries, 'players', s.players, 'previous',
                              encode(s.previous, 'hex'),
                              'sections', s.sections, 'root', encode(s.root, 'hex'))
      FROM casino.seal_of(seal_no) s
     WHERE s.seal_no IS NOT NULL
$fn$;
COMMENT ON FUNCTION casino.seal_document(bigint) IS
    'A seal as a document to be kept elsewhere; NULL: there is none of that number';

CREATE FUNCTION casino.proof(player_id bigint, entry_no bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    stream casino.sealed_player;
    answer jsonb;
BEGIN
    SELECT s.* INTO stream FROM casino.sealed_player s
     WHERE s.player_id = proof.player_id AND s.first_entry_no <= proof.entry_no ORDER BY s.seal_no DESC
         LIMIT 1;
    IF NOT FOUND OR stream.last_entry_no < proof.entry_no THEN
        IF NOT EXISTS (SELECT FROM casino.player p WHERE p.player_id = proof.player_id) THEN
            RAISE EXCEPTION 'player % does not exist', proof.player_id
                USING ERRCODE = 'foreign_key_violation';
        ELSIF NOT EXISTS (SELECT FROM casino.ledger l
                           WHERE l.player_id = proof.player_id AND l.entry_no = proof.entry_no) THEN
            RAISE EXCEPTION 'entry % of player % does not exist', proof.entry_no, proof.player_id
                USING ERRCODE = 'foreign_key_violation';
        END IF;
        RAISE EXCEPTION 'entry % of player % is not sealed', proof.entry_no, proof.player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'casino.seal() seals what came since the last seal.';
    END IF;
    SELECT jsonb_build_object(
               'version', 1,
               'entry', (SELECT casino.evidence_line('ledger', l) FROM casino.ledger l
                         WHERE l.player_id = proof.player_id AND l.entry_no = proof.entry_no),
               'stream', jsonb_build_object('player_id', stream.player_id, 'first_entry_no',
                                            stream.first_entry_no, 'last_entry_no', stream.last_entry_no,
                                            'entries', stream.entries, 'root', encode(stream.root, 'hex'),
                                            'running', encode(stream.running, 'hex')),
               'path', (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                          FROM (SELECT casino.merkle_path(casino.hash_leaf(casino.ledger_leaf(l)),
                                                          proof.entry_no - stream.first_entry_no
                                                              ORDER BY l.entry_no) AS path
                                  FROM casino.ledger l
                                 WHERE l.player_id = proof.player_id
                                     AND l.entry_no BETWEEN stream.first_entry_no AND stream.last_entry_no) p,
                               unnest(p.path) WITH ORDINALITY h (hash, n)),
               'stream_index', x.index,
               'stream_path', (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                                 FROM (SELECT casino.merkle_path(casino.stream_leaf(s.player_id,
                                         s.first_entry_no, s.last_entry_no, s.entries, s.root, s.running),
                                                                 x.index ORDER BY s.player_id) AS path
                                         FROM casino.sealed_player s WHERE s.seal_no = stream.seal_no) p,
                                      unnest(p.path) WITH ORDINALITY h (hash, n)),
               'seal', casino.seal_document(stream.seal_no))
      INTO answer
      FROM (SELECT count(*) AS index FROM casino.sealed_player s
            WHERE s.seal_no = stream.seal_no AND s.player_id < stream.player_id) x;
    IF casino.verify_proof(answer, (SELECT d.root FROM casino.day_seal d
                                    WHERE d.seal_no = stream.seal_no)) IS NOT TRUE THEN
        RAISE EXCEPTION 'entry % of player % is not what was sealed', proof.entry_no, proof.player_id
            USING ERRCODE = 'data_corrupted',
                DETAIL = format('It, its neighbours or seal %s were changed since.', stream.seal_no),
                  HINT = format('SELECT * FROM casino.verify(%s, %s) names what was.', stream.seal_no,
                                stream.seal_no);
    END IF;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino.proof(bigint, bigint) IS
    'Proof that an entry of a player was sealed: it shows the entry, numbers and hashes, and nobody '
    'else''s. 23503: no such player or entry; 55000: not sealed yet; XX001: it is not what was sealed';

-- All entries between the first and the last of the time, or none (R12.16).
CREATE FUNCTION casino.statement_proof(player_id bigint, "from" timestamptz, "to" timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first bigint;
    last bigint;
    sealed bigint;
    answer jsonb;
BEGIN
    SELECT min(l.entry_no), max(l.entry_no) INTO first, last FROM casino.ledger l
     WHERE l.player_id = statement_proof.player_id AND l.posted_at >= statement_proof."from"
         AND l.posted_at < statement_proof."to";
    IF first IS NULL AND NOT EXISTS (SELECT FROM casino.player p
                                     WHERE p.player_id = statement_proof.player_id) THEN
        RAISE EXCEPTION 'player % does not exist',
            statement_proof.player_id USING ERRCODE = 'foreign_key_violation';
    ELSIF first IS NULL THEN
        RAISE EXCEPTION 'player % has no entries from % to %', statement_proof.player_id,
            statement_proof."from", statement_proof."to"
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT max(s.last_entry_no) INTO sealed FROM casino.sealed_player s
     WHERE s.player_id = statement_proof.player_id;
    IF coalesce(sealed, 0) < last THEN
        RAISE EXCEPTION 'entry % of player % is not sealed', coalesce(sealed, 0) + 1,
            statement_proof.player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'casino.seal() seals what came since the last seal.';
    END IF;
    SELECT jsonb_build_object('version', 1, 'statement', jsonb_agg(jsonb_build_object(
               'seal', casino.seal_document(p.seal_no),
               'stream', jsonb_build_object('player_id', p.player_id, 'first_entry_no', p.first_entry_no,
                                            'last_entry_no', p.last_entry_no,
                                            'entries', p.entries, 'root', encode(p.root, 'hex'), 'running',
                                            encode(p.running, 'hex')),
               'stream_index', x.index, 'stream_path', x.path,
               'entries', (SELECT jsonb_agg(jsonb_build_object('entry', casino.evidence_line('ledger', l),
                                                               'path', to_jsonb(h.path)) ORDER BY l.entry_no)
                             FROM casino.merkle_paths((SELECT array_agg(
                                                                  casino.hash_leaf(casino.ledger_leaf(o))
                                                                  ORDER BY o.entry_no)
                                                         FROM casino.ledger o
                                                        WHERE o.player_id = p.player_id
                                                          AND o.entry_no BETWEEN p.first_entry_no
                                                                             AND p.last_entry_no),
                                                      greatest(first - p.first_entry_no, 0),
                                                      least(last, p.last_entry_no) - p.first_entry_no) h
                             JOIN casino.ledger l ON l.player_id = p.player_id
                                 AND l.entry_no = p.first_entry_no + h.index)) ORDER BY p.seal_no))
      INTO answer
      FROM casino.sealed_player p
     CROSS JOIN LATERAL (SELECT o.index, (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                                            FROM (SELECT casino.merkle_path(casino.stream_leaf(s.player_id,
                                                    s.first_entry_no, s.last_entry_no, s.entries, s.root,
                                                    s.running), o.index
                                                                     ORDER BY s.player_id) AS path
                                                    FROM casino.sealed_player s
                                                        WHERE s.seal_no = p.seal_no) y,
                                                            unnest(y.path) WITH ORDINALITY h (hash,
                                                                    n)) AS path
                           FROM (SELECT count(*) AS index FROM casino.sealed_player s
                                 WHERE s.seal_no = p.seal_no AND s.player_id < p.player_id) o) x
     WHERE p.player_id = statement_proof.player_id AND p.last_entry_no >= first AND p.first_entry_no <= last;
    IF casino.verify_statement(answer, ARRAY (SELECT d.root FROM casino.day_seal d)) IS NOT TRUE THEN
        RAISE EXCEPTION 'the entries of player % are not what was sealed', statement_proof.player_id
            USING ERRCODE = 'data_corrupted', HINT = 'SELECT * FROM casino.verify() names what was changed.';
    END IF;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino.statement_proof(bigint, timestamptz, timestamptz) IS
    'A player''s entries posted from one time until before another, with all between them, and the proof '
    'that they were sealed; nobody else''s. 22023: there are none; 55000: not sealed yet; XX001: they are '
    'not what was sealed';

CREATE FUNCTION casino_internal.export_parts(day date, OUT seal_no bigint, OUT first text, OUT query text,
                                             OUT last boolean) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH sealed AS (SELECT d.seal_no, format('{"seal":{"seal_no":%s,"day":"%s"}}', d.seal_no,
                                             to_char(d.day, 'YYYY-MM-DD')) AS line
                      FROM casino.day_seal d WHERE d.day = export_parts.day),
    part AS (
        SELECT s.seal_no, s.line, e.section_no, format($q$
                   SELECT left(casino.evidence_line(%L, t), -1) || ',"mark":"'
                          || encode(substr(x.hash, 1, 4), 'hex') || '"}'
                     FROM (SELECT x.leaf_no, x.row_key, x.hash FROM casino.sealed_row x
                           WHERE x.section = %1$L AND x.seal_no = $1) x
                     JOIN casino.%I t ON casino.evidence_key(%1$L, t) COLLATE "C" = x.row_key
                    ORDER BY x.leaf_no$q$, e.section, e.relation) AS query
          FROM sealed s
          JOIN casino.seal_section x ON x.seal_no = s.seal_no
          JOIN casino.evidence_sections() e ON e.section = x.section
        UNION ALL
        -- by the order of the index: no day is sorted
        SELECT s.seal_no, s.line, 2147483647, $q$
                   SELECT e.line
                     FROM (SELECT p.* FROM casino.sealed_player p WHERE p.seal_no = $1 ORDER BY p.player_id) p
                    CROSS JOIN LATERAL (
                          SELECT y.line
                            FROM (SELECT 0::bigint AS entry_no,
                                         format('{"stream":{"player_id":%s,"first_entry_no":%s,'
                                                '"last_entry_no":%s,"running":"%s","root":"%s"}}',
                                                p.player_id, p.first_entry_no, p.last_entry_no,
                                                encode(coalesce((SELECT b.running FROM casino.sealed_player b
                                                        WHERE b.player_id = p.player_id
                                                            AND b.seal_no < p.seal_no
                                                                  ORDER BY b.seal_no DESC
                                                                      LIMIT 1), decode(repeat('00', 32),
                                                                              'hex')), 'hex'),
                                                                              encode(p.root, 'hex')) AS line
                                  UNION ALL
                                  SELECT l.entry_no,
                                         left(casino.evidence_line('ledger', l), -1) || ',"mark":"'
                                         || encode(coalesce(nullif(substr(p.marks,
                                                 (4 * (l.entry_no - p.first_entry_no) + 1)::integer, 4), ''),
                                                 decode(repeat('00', 4), 'hex')), 'hex') || '"}'
                                    FROM casino.ledger l
                                   WHERE l.player_id = p.player_id
                                       AND l.entry_no BETWEEN p.first_entry_no AND p.last_entry_no) y
                           ORDER BY y.entry_no) e$q$
          FROM sealed s)
    SELECT p.seal_no, CASE WHEN row_number() OVER w = 1
           THEN p.line END, p.query, row_number() OVER w = count(*) OVER (PARTITION BY p.seal_no)
      FROM part p WINDOW w AS (PARTITION BY p.seal_no ORDER BY p.section_no)
     ORDER BY p.seal_no, p.section_no
$fn$;
COMMENT ON FUNCTION casino_internal.export_parts(date) IS
    'Part of export_day(): the seals of the day with the queries of their lines, in order';

CREATE FUNCTION casino.export_day(day date) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'casino_sql_export_day' LANGUAGE C STABLE STRICT ROWS 1000000;
COMMENT ON FUNCTION casino.export_day(date) IS
    'The evidence sealed for a day as JSON Lines, as it is now: casino-verify holds it against the seal '
    'documents';

-- Entries that were put away are held by the closing of their book, whose rows are sealed, too (R12.55).
CREATE FUNCTION casino_internal.lies_away(player_id bigint, first_entry_no bigint) RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT EXISTS (SELECT FROM casino.book_balance b
                    WHERE b.player_id = lies_away.player_id AND b.entry_no >= lies_away.first_entry_no
                      AND b.book = ANY (casino_internal.books_away()))
$fn$;
COMMENT ON FUNCTION casino_internal.lies_away(bigint, bigint)
    IS 'Part of verify(): lie entries of a player from this one on in a book that was put away';

-- A function of its own, without what keeps the planner from workers: sub-selects of the outer row and LIMIT.
-- Planned anew for each call, so that it knows how many players there are; it thinks that a function that is
-- called again for each row costs next to nothing, hence the costs.
CREATE FUNCTION casino_internal.changed_streams(seal_no bigint, from_player bigint, to_player bigint,
                                                OUT player_id bigint, OUT root bytea,
                                                    OUT marks bytea) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog,
    pg_temp SET min_parallel_table_scan_size = 0 SET min_parallel_index_scan_size = 0
SET parallel_setup_cost = 10 SET parallel_tuple_cost = 0 AS $fn$
BEGIN
    RETURN QUERY EXECUTE $q$
        SELECT p.player_id, t.root, t.marks
          FROM casino.sealed_player p
         CROSS JOIN LATERAL casino.stream_tree(p.player_id, CASE WHEN p.first_entry_no = 1
                                               THEN -9223372036854775808
                                                   ELSE p.first_entry_no END, p.last_entry_no) t
         WHERE p.seal_no = $1 AND p.player_id BETWEEN $2 AND $3
             AND NOT casino_internal.lies_away(p.player_id, p.first_entry_no)
             AND (t.root IS DISTINCT FROM p.root OR t.marks IS DISTINCT FROM p.marks)$q$
        USING changed_streams.seal_no, from_player, to_player;
END
$fn$;
COMMENT ON FUNCTION casino_internal.changed_streams(bigint, bigint, bigint) IS
    'Part of verify(): players of a seal whose entries are not what was sealed, with root and marks as they '
    'are now. It reads with as many processes as max_parallel_workers_per_gather lets it';

CREATE FUNCTION casino.verify(from_seal bigint DEFAULT NULL, to_seal bigint DEFAULT NULL)
    RETURNS TABLE (seal_no bigint, section text, player_id bigint, entry_no bigint, problem text)
-- the lists of what was sealed are small beside what is read for them: the planner must not think that
-- workers are not worth while
LANGUAGE plpgsql STABLE SET search_path = pg_catalog,
    pg_temp SET min_parallel_table_scan_size = '128kB' SET min_parallel_index_scan_size = '128kB' AS $fn$
#variable_conflict use_column
DECLARE
    zero CONSTANT bytea := decode(repeat('00', 32), 'hex');
    newest CONSTANT bigint := (SELECT max(d.seal_no) FROM casino.day_seal d);
    first CONSTANT bigint := coalesce(from_seal, 1);
    last CONSTANT bigint := coalesce(to_seal, newest);
    s record;
    n bigint;
    away bigint;
BEGIN
    IF newest IS NULL AND from_seal IS NULL AND to_seal IS NULL THEN
        RETURN;
    END IF;
    IF first < 1 OR last < first OR last - first > 100000 THEN
        RAISE EXCEPTION 'seals % to % cannot be verified', first, last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Seals are numbered from 1.';
    END IF;
    -- the seals themselves
    RETURN QUERY
        SELECT g.n, NULL::text, NULL::bigint, NULL::bigint,
               CASE WHEN d.seal_no IS NULL THEN 'the seal is missing'
                    WHEN d.previous <> CASE WHEN g.n = 1 THEN zero ELSE coalesce(b.root, d.previous) END
                        THEN 'the seal does not follow from the seal before'
                    WHEN casino.seal_root(d.seal_no, d.day, d.sealed_at, d.entries, d.players, d.previous,
                                          c.sections, c.counts, c.roots) <> d.root
                    THEN 'the seal is not what its root says'
                    -- who made it and when it was written are in no root
                    ELSE 'the seal says of itself a time or a recorder that cannot be' END
          FROM generate_series(first, last) g (n)
          LEFT JOIN casino.day_seal d ON d.seal_no = g.n
          LEFT JOIN casino.day_seal b ON b.seal_no = g.n - 1
          LEFT JOIN LATERAL (SELECT coalesce(array_agg(x.section ORDER BY x.section_no), '{}') AS sections,
                             coalesce(array_agg(x.rows ORDER BY x.section_no), '{}') AS counts,
                                    coalesce(array_agg(x.root ORDER BY x.section_no), '{}') AS roots
                               FROM casino.seal_section x WHERE x.seal_no = g.n) c ON true
         WHERE d.seal_no IS NULL OR d.previous <> CASE WHEN g.n = 1 THEN zero
             ELSE coalesce(b.root, d.previous) END
            OR casino.seal_root(d.seal_no, d.day, d.sealed_at, d.entries, d.players, d.previous, c.sections,
                                c.counts, c.roots) <> d.root
            OR d.recorded_at < d.sealed_at OR d.recorded_at > d.sealed_at + interval '1 day'
            OR NOT EXISTS (SELECT FROM casino.recorder w WHERE w.recorder_id = d.recorded_by);
    -- the places of sections are in no root
    RETURN QUERY
        SELECT x.seal_no, x.section, NULL::bigint, NULL::bigint,
               'the section is not at its place in the seal'::text
          FROM (SELECT y.seal_no, y.section, y.section_no,
                row_number() OVER (PARTITION BY y.seal_no ORDER BY n.section_no) AS place
                  FROM casino.seal_section y
                  LEFT JOIN (SELECT DISTINCT l.section, l.section_no
                             FROM casino.evidence_layouts() l) n ON n.section = y.section
                 WHERE y.seal_no BETWEEN first AND last) x
         WHERE x.section_no <> x.place
         ORDER BY x.seal_no, x.place;
    -- the lists of what they cover
    RETURN QUERY
        SELECT coalesce(x.seal_no, r.seal_no), coalesce(x.section, r.section), NULL::bigint, NULL::bigint,
               'the list of what was sealed is not what the seal says'::text
          FROM (SELECT y.* FROM casino.seal_section y WHERE y.seal_no BETWEEN first AND last) x
          FULL JOIN (SELECT y.seal_no, y.section, count(*) AS rows,
                     casino.merkle_root(y.hash ORDER BY y.leaf_no) AS root
                       FROM casino.sealed_row y WHERE y.seal_no BETWEEN first AND last
                           GROUP BY y.seal_no, y.section
                     UNION ALL
                     SELECT y.seal_no, 'ledger', sum(y.entries)::bigint,
                            casino.merkle_root(casino.stream_leaf(y.player_id, y.first_entry_no,
                                    y.last_entry_no, y.entries, y.root, y.running) ORDER BY y.player_id)
                       FROM casino.sealed_player y WHERE y.seal_no BETWEEN first AND last
                           GROUP BY y.seal_no) r
            ON r.seal_no = x.seal_no AND r.section = x.section
         WHERE (x.rows, x.root) IS DISTINCT FROM (r.rows, r.root);
    -- rows of all sections but the ledger
    FOR s IN SELECT e.*, EXISTS (SELECT FROM casino.evidence_layouts() l
                                 WHERE l.section = e.section AND l.field_no = 1
                                     AND l.field = 'player_id') AS of_player
               FROM casino.evidence_sections() e ORDER BY e.section_no LOOP
        RETURN QUERY EXECUTE format($q$
            SELECT x.seal_no, x.section, %s, NULL::bigint,
                   format(CASE WHEN k.row_key IS NULL THEN 'row %%s was removed'
                          ELSE 'row %%s was changed' END, x.row_key)
              FROM casino.sealed_row x
              LEFT JOIN (SELECT casino.evidence_key(%L, t) COLLATE "C" AS row_key,
                         casino.hash_leaf(casino.evidence_leaf(%2$L, t)) AS hash FROM casino.%I t) k
                     ON k.row_key = x.row_key
             WHERE x.section = %2$L AND x.seal_no BETWEEN $1 AND $2 AND k.hash IS DISTINCT FROM x.hash
             ORDER BY x.seal_no, x.leaf_no$q$,
            CASE WHEN s.of_player THEN $$substring(x.row_key FROM '^\d{1,18}')::bigint$$
                ELSE 'NULL::bigint' END, s.section, s.relation) USING first, last;
    END LOOP;
    -- what was put in after a seal that would have had it
    RETURN QUERY
        SELECT u.seal_no, u.section, NULL::bigint, NULL::bigint,
               format(CASE WHEN u.inserted THEN 'row %s was inserted after seal %s'
                      ELSE 'row %s says that it was recorded before seal %s, which does not have it' END,
                      u.row_key, u.before)
          FROM (SELECT q.seal_no, q.section, q.row_key,
                       p.seal_no < coalesce(q.seal_no, newest + 1) IS TRUE AS inserted,
                       CASE WHEN p.seal_no < coalesce(q.seal_no, newest + 1) THEN p.seal_no
                           ELSE coalesce(q.seal_no, newest + 1) - 1 END AS before,
                       q.recorded_at
                  FROM (SELECT x.seal_no, x.section, x.row_key, NULL::timestamptz AS recorded_at
                        FROM casino.sealed_row x WHERE x.seal_no BETWEEN greatest(first, 2) AND last
                        UNION ALL
                        SELECT NULL, y.section, y.row_key,
                            y.recorded_at FROM casino_internal.unsealed_rows() y
                         WHERE last = newest) q
                  JOIN casino.evidence_sections() e ON e.section = q.section
                  LEFT JOIN casino.sealed_row p
                      ON p.section = e.parent
                     AND p.row_key = CASE e.parent_columns
                                     WHEN 2 THEN split_part(q.row_key, '/', 1) || '/'
                                                 || split_part(q.row_key, '/', 2)
                                     ELSE split_part(q.row_key, '/', 1) END) u
          LEFT JOIN casino.day_seal b ON b.seal_no = u.before
         WHERE u.inserted OR u.recorded_at < b.sealed_at - interval '1 hour';
    -- the entries of the players, seal by seal, so many at a time that progress is seen
    FOR s IN SELECT c.seal_no, c.entries, sum(c.part) OVER (PARTITION BY c.seal_no ORDER BY c.chunk) AS done,
        c.from_player, c.to_player
               FROM (SELECT d.seal_no, y.chunk, max(d.entries) AS entries, sum(y.entries) AS part,
                     min(y.player_id) AS from_player, max(y.player_id) AS to_player
                       FROM casino.day_seal d
                       LEFT JOIN (SELECT p.seal_no, p.player_id, p.entries,
                                  (sum(p.entries) OVER (PARTITION BY p.seal_no
                                                        ORDER BY p.player_id) - 1)::bigint / 500000 AS chunk
                                    FROM casino.sealed_player p
                                        WHERE p.seal_no BETWEEN first AND last) y ON y.seal_no = d.seal_no
                      WHERE d.seal_no BETWEEN first AND last
                      GROUP BY d.seal_no, y.chunk) c
              ORDER BY c.seal_no, c.chunk LOOP
        RETURN QUERY
            SELECT s.seal_no, 'ledger'::text, b.player_id, i.entry_no, i.problem
              FROM (SELECT p.*, CASE WHEN t.player_id IS NULL THEN p.root
                    ELSE t.root END AS found_root, CASE WHEN t.player_id IS NULL THEN p.marks
                        ELSE t.marks END AS found_marks,
                           q.last_entry_no AS sealed_before, q.running AS running_before
                      FROM casino.sealed_player p
                      LEFT JOIN casino_internal.changed_streams(s.seal_no, s.from_player,
                                                                s.to_player) t ON t.player_id = p.player_id
                      LEFT JOIN LATERAL (SELECT o.last_entry_no, o.running FROM casino.sealed_player o
                                          WHERE o.player_id = p.player_id AND o.seal_no < p.seal_no
                                              ORDER BY o.seal_no DESC LIMIT 1) q ON true
                     WHERE p.seal_no = s.seal_no AND p.player_id BETWEEN s.from_player AND s.to_player
                       AND (t.player_id IS NOT NULL OR p.first_entry_no <> coalesce(q.last_entry_no, 0) + 1
                            OR p.entries <> p.last_entry_no - p.first_entry_no + 1
                                OR p.running <> casino.hash_node(coalesce(q.running, zero), p.root))) b
             CROSS JOIN LATERAL (
                    WITH named AS MATERIALIZED (
                        SELECT m.entry_no,
                               CASE WHEN l.player_id IS NULL THEN 'the entry was removed'
                                    WHEN m.mark IS NULL THEN 'the entry was inserted'
                                    ELSE 'the entry was changed' END AS problem
                          FROM (SELECT b.first_entry_no + g AS entry_no,
                                       substr(b.marks, (4 * g + 1)::integer, 4) AS mark
                                  FROM generate_series(0, b.entries - 1) g
                                UNION ALL
                                SELECT l.entry_no, NULL FROM casino.ledger l
                                 WHERE l.player_id = b.player_id
                                   AND b.first_entry_no = 1
                                   AND l.entry_no < 1) m
                          LEFT JOIN casino.ledger l ON l.player_id = b.player_id AND l.entry_no = m.entry_no
                         WHERE b.found_root IS DISTINCT FROM b.root
                           AND b.entries = b.last_entry_no - b.first_entry_no + 1
                           AND (l.player_id IS NULL OR m.mark IS NULL
                                OR substr(casino.hash_leaf(casino.ledger_leaf(l)), 1, 4) <> m.mark))
                    SELECT n.entry_no, n.problem FROM named n
                    UNION ALL
                    SELECT NULL, 'entries were missing when they were sealed'
                     WHERE b.entries <> b.last_entry_no - b.first_entry_no + 1
                         OR b.first_entry_no <> coalesce(b.sealed_before, 0) + 1
                    UNION ALL
                    -- the root alone says that they differ: marks that name no entry hide nothing (R12.72)
                    SELECT NULL, 'the entries are not what was sealed'
                     WHERE b.found_root IS DISTINCT FROM b.root
                       AND NOT EXISTS (SELECT FROM named)
                    UNION ALL
                    SELECT NULL, 'the marks of the entries were changed'
                     WHERE b.found_root = b.root AND b.found_marks <> b.marks
                    UNION ALL
                    SELECT NULL, 'the running hash does not follow'
                     WHERE b.running <> casino.hash_node(coalesce(b.running_before, zero),
                                                         b.root)) i (entry_no, problem)
             ORDER BY b.player_id, i.entry_no NULLS LAST;
        IF s.done < s.entries THEN
            RAISE NOTICE 'seal %: % of % entries verified', s.seal_no, s.done, s.entries;
        ELSE
            away := 0;
            IF casino.last_book_away() > 0 THEN
                SELECT coalesce(sum(p.entries), 0)
                  INTO away
                  FROM casino.sealed_player p
                 WHERE p.seal_no = s.seal_no AND casino_internal.lies_away(p.player_id, p.first_entry_no);
            END IF;
            IF away > 0 THEN
                RAISE NOTICE 'seal %: % entries lie in books that were put away', s.seal_no, away;
            END IF;
            RAISE NOTICE 'seal %: % entries of % players verified', s.seal_no, s.entries - away,
                (SELECT d.players FROM casino.day_seal d WHERE d.seal_no = s.seal_no);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.verify(bigint, bigint) IS
    'Rows that differ from what the seals from_seal to to_seal (default: all) cover; none when nothing was '
    'changed. That the newest seal was removed shows only by its document, which is kept elsewhere';
