-- Locks on names, in C: advisory locks of SQL can be taken by every role that may log in, which would make
-- code of ours wait for ever.

CREATE FUNCTION casino_internal.take_lock(name text, shared boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_take_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.take_lock(text, boolean)
    IS 'Part of functions that go one at a time: the lock of that name until the end of the transaction; in '
       'pg_locks an advisory lock with objsubid -13566';

CREATE FUNCTION casino_internal.try_lock(name text, of_session boolean DEFAULT false) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_try_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.try_lock(text, boolean)
    IS 'Part of functions that go one at a time: the lock of that name if it is free, until the end of the '
       'transaction or until release_lock()';

CREATE FUNCTION casino_internal.release_lock(name text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_release_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.release_lock(text)
    IS 'Part of functions that go one at a time: lets go of a lock that try_lock() took for the session';


-- R13.41: a frozen server keeps its connections, so that no setting of a connection ends the wait.
CREATE FUNCTION casino_internal.wait_at_most(milliseconds integer) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_wait_at_most' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.wait_at_most(integer)
    IS 'Part of the hub: a wait of this session ends with 55P03 after so long; 0: as long as it takes';

CREATE FUNCTION casino_internal.require_read_committed(call text, why text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'casino.%() must be called in a transaction that is READ COMMITTED', call
            USING ERRCODE = 'active_sql_transaction', DETAIL = why;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.require_read_committed(text, text)
    IS 'Part of functions that take a lock and then look at all that was committed under it: refuses a '
       'transaction with an older snapshot (25001)';
