-- Seals: what has been sealed, and under which root (RFC 9162 trees; doc/evidence.md).

CREATE FUNCTION casino.install_seals() RETURNS void
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
    COMMENT ON TABLE casino.day_seal IS 'Append-only: seals, each over what came since the one before, chained by its root';
    COMMENT ON COLUMN casino.day_seal.seal_no IS 'Counts the seals from 1 without gaps';
    COMMENT ON COLUMN casino.day_seal.day IS 'Prague day that it was made for: entries that were under way are in the next one';
    COMMENT ON COLUMN casino.day_seal.sealed_at IS 'When it was made';
    COMMENT ON COLUMN casino.day_seal.entries IS 'Ledger entries that it covers';
    COMMENT ON COLUMN casino.day_seal.players IS 'Players who have entries among them';
    COMMENT ON COLUMN casino.day_seal.previous IS 'Root of the seal before; zero of the first';
    COMMENT ON COLUMN casino.day_seal.root IS 'Root of its header and sections: with the document kept elsewhere it proves all of it';
    COMMENT ON COLUMN casino.day_seal.recorded_at IS 'When it was written';

    CREATE TABLE casino.seal_section (
        seal_no    bigint NOT NULL REFERENCES casino.day_seal,
        section    text NOT NULL,
        section_no integer NOT NULL,
        rows       bigint NOT NULL CHECK (rows > 0),
        root       bytea NOT NULL CHECK (octet_length(root) = 32),
        PRIMARY KEY (seal_no, section)
    );
    COMMENT ON TABLE casino.seal_section IS 'Append-only: sections of the seals, one for each kind of evidence that came since the seal before';
    COMMENT ON COLUMN casino.seal_section.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.seal_section.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.seal_section.section_no IS 'Its place among the sections';
    COMMENT ON COLUMN casino.seal_section.rows IS 'Rows that were sealed';
    COMMENT ON COLUMN casino.seal_section.root IS 'Root of their leaves; of the ledger, of the streams of players';

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
    COMMENT ON TABLE casino.sealed_player IS 'Append-only: what each seal covers of each player who had entries since the seal before';
    COMMENT ON COLUMN casino.sealed_player.player_id IS 'Player';
    COMMENT ON COLUMN casino.sealed_player.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_player.first_entry_no IS 'His first entry that was not sealed before';
    COMMENT ON COLUMN casino.sealed_player.last_entry_no IS 'His last entry that the seal covers';
    COMMENT ON COLUMN casino.sealed_player.entries IS 'How many there were: those between, without gaps';
    COMMENT ON COLUMN casino.sealed_player.root IS 'Root of the tree of these entries';
    COMMENT ON COLUMN casino.sealed_player.running IS 'His running hash: node of the running hash before (zero at first) and root';
    COMMENT ON COLUMN casino.sealed_player.marks IS 'First 8 bytes of the hash of each entry''s leaf: they tell which entry does not fit';

    CREATE TABLE casino.sealed_row (
        section text NOT NULL,
        row_key text COLLATE "C" NOT NULL,
        seal_no bigint NOT NULL,
        leaf_no bigint NOT NULL CHECK (leaf_no > 0),
        hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (section, row_key)
    );
    CREATE UNIQUE INDEX sealed_row_leaf ON casino.sealed_row (seal_no, section, leaf_no);
    COMMENT ON INDEX casino.sealed_row_leaf IS 'Finds the leaves of a section in their order';
    COMMENT ON TABLE casino.sealed_row IS 'Append-only: rows of all sections but the ledger that have been sealed';
    COMMENT ON COLUMN casino.sealed_row.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.sealed_row.row_key IS 'Key of the row, its values with slashes between';
    COMMENT ON COLUMN casino.sealed_row.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_row.leaf_no IS 'Place among the leaves of the section, from 1, by row_key';
    COMMENT ON COLUMN casino.sealed_row.hash IS 'Hash of the leaf';
END
$fn$;
COMMENT ON FUNCTION casino.install_seals() IS 'Part of casino.install(): seals and what they cover';
