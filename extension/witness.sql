-- Seals as a transparency log (R10.49): the leaves of an RFC 9162 tree are the roots of the seals, in their
-- order. A checkpoint says how large the log is and what its root is, in the form of C2SP tlog-checkpoint;
-- signing and witnessing are done outside.

CREATE FUNCTION casino_internal.log_leaves(size bigint) RETURNS bytea[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaves bytea[];
BEGIN
    IF size IS NULL THEN
        RAISE EXCEPTION 'the number of a seal must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT array_agg(casino.hash_leaf(d.root) ORDER BY d.seal_no) INTO leaves
      FROM casino.day_seal d
     WHERE d.seal_no <= size;
    IF size < 1 OR coalesce(cardinality(leaves), 0) <> size THEN
        RAISE EXCEPTION 'seal % does not exist, or one before it is missing', size
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN leaves;
END
$fn$;
COMMENT ON FUNCTION casino_internal.log_leaves(bigint)
    IS 'Part of checkpoint(): hashes of the leaves of the log of seals, from the first to this one';

CREATE FUNCTION casino_internal.log_root(leaves bytea[]) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.merkle_root(l.hash ORDER BY l.n) FROM unnest(leaves) WITH ORDINALITY l (hash, n)
$fn$;
COMMENT ON FUNCTION casino_internal.log_root(bytea[])
    IS 'Part of checkpoint(): root of the tree of these leaves';

CREATE FUNCTION casino.checkpoint(seal_no bigint, origin text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- the name of a key in a signed note has the same form
    IF origin IS NULL OR origin !~ '^[!-*,-~]{1,200}$' THEN
        RAISE EXCEPTION 'origin must be 1 to 200 printable characters of ASCII without spaces and "+"'
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = 'It names the log, as house.example/seals.';
    END IF;
    RETURN format(E'%s\n%s\n%s\n', origin, seal_no,
                  encode(casino_internal.log_root(casino_internal.log_leaves(seal_no)), 'base64'));
END
$fn$;
COMMENT ON FUNCTION casino.checkpoint(bigint, text)
    IS 'The log of seals up to this one as the body of a signed note (C2SP tlog-checkpoint): origin, number '
       'of seals, root of the RFC 9162 tree over their roots. 23503: unknown seal';

CREATE FUNCTION casino.consistency_proof(from_seal bigint, to_seal bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    leaves bytea[];
    path text[] := '{}';
    first bigint := 0;
    m bigint := from_seal;
    n bigint := to_seal;
    k bigint;
    whole boolean := true;
BEGIN
    IF from_seal IS NULL OR to_seal IS NULL THEN
        RAISE EXCEPTION 'from_seal and to_seal must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF from_seal < 1 OR from_seal > to_seal THEN
        RAISE EXCEPTION 'seal % is not after seal %', to_seal, from_seal
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    leaves := casino_internal.log_leaves(to_seal);
    -- RFC 9162 2.1.4.1, from the root down
    WHILE m < n LOOP
        -- the largest power of two below n
        k := 1;
        WHILE k < n - k LOOP
            k := 2 * k;
        END LOOP;
        IF m <= k THEN
            path := encode(casino_internal.log_root(leaves[first + k + 1:first + n]), 'hex') || path;
            n := k;
        ELSE
            path := encode(casino_internal.log_root(leaves[first + 1:first + k]), 'hex') || path;
            first := first + k;
            m := m - k;
            n := n - k;
            whole := false;
        END IF;
    END LOOP;
    IF NOT whole THEN
        path := encode(casino_internal.log_root(leaves[first + 1:first + n]), 'hex') || path;
    END IF;
    RETURN jsonb_build_object('version', 1, 'from_seal', from_seal, 'to_seal', to_seal,
                              'from_root', encode(casino_internal.log_root(leaves[1:from_seal]), 'hex'),
                              'to_root', encode(casino_internal.log_root(leaves), 'hex'), 'path',
                                  to_jsonb(path));
END
$fn$;
COMMENT ON FUNCTION casino.consistency_proof(bigint, bigint)
    IS 'Proof that the log of seals up to the second one has the log up to the first one as its beginning '
       '(RFC 9162 2.1.4): the roots of both and the path, in hexadecimal digits. 23503: unknown seal';
