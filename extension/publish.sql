-- The event stream: a publication of the ledger and the rounds. Whoever reads it is ahead of nobody: rows
-- come when they are committed.

CREATE FUNCTION casino.publish(publication name DEFAULT 'casino') RETURNS name
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present CONSTANT pg_publication := (SELECT p FROM pg_publication p WHERE p.pubname = publish.publication);
    missing text;
BEGIN
    IF publication IS NULL THEN
        RAISE EXCEPTION 'publication must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- in the name of casino.ledger, also for entries of other books
    IF NOT present.pubviaroot THEN
        EXECUTE format('ALTER PUBLICATION %I SET (publish_via_partition_root = true)', publication);
    END IF;
    SELECT string_agg('casino.' || t.name, ', ') INTO missing
      FROM unnest('{ledger,round}'::text[]) t (name)
     WHERE NOT EXISTS (SELECT FROM pg_publication_tables p
                        WHERE p.pubname = publish.publication
                          AND p.schemaname = 'casino'
                          AND p.tablename = t.name);
    IF present IS NULL THEN
        EXECUTE format('CREATE PUBLICATION %I FOR TABLE %s WITH (publish_via_partition_root = true)',
                       publication, missing);
        EXECUTE format('COMMENT ON PUBLICATION %I IS %L', publication,
                       'Entries of casino.ledger and rounds of casino as they are committed');
    ELSIF missing IS NOT NULL THEN
        EXECUTE format('ALTER PUBLICATION %I ADD TABLE %s', publication, missing);
    END IF;
    RETURN publication;
END
$fn$;
COMMENT ON FUNCTION casino.publish(name)
    IS 'Makes a publication of the ledger and the rounds for logical replication, or completes it, and '
       'returns its name; the same again changes nothing. Its reader needs a role with REPLICATION and, for '
       'the first copy, the profile stream';
