-- The bound on a wait for a cell (R13.41) ends with the block that set it, whichever way that ends: a session
-- whose call was cancelled, and who caught that, has no timer afterwards.
SET client_min_messages = warning;
SELECT no_plan();
-- sets a bound of 0.2 s in a block that ends in this way, and then takes 0.6 s; the SQLSTATE that comes of it
CREATE FUNCTION pg_temp.after(ending text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        PERFORM casino_internal.wait_at_most(200);
        EXECUTE format('DO %L', 'BEGIN ' || ending || ' END');
        PERFORM casino_internal.wait_at_most(0) WHERE ending = '';
    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
        NULL;
    END;
    PERFORM pg_sleep(0.6);
    RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.after(ending), 'nothing', 'R13.41: ' || how)
  FROM (VALUES ('', 'taken back by the block'),
               ('RAISE query_canceled;', 'cancelled, which is caught'),
               ('ASSERT false;', 'an assertion failed'),
               ('RAISE unique_violation;', 'another error'),
               ('PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(1);', 'cancelled by somebody'))
       v (ending, how);
-- within the block it holds, also after an error that was caught there
CREATE FUNCTION pg_temp.within(inner_block text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM casino_internal.wait_at_most(200);
    BEGIN
        EXECUTE inner_block;
    EXCEPTION WHEN division_by_zero THEN
        NULL;
    END;
    PERFORM pg_sleep(0.6);
    RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.within(statement), '55P03', 'R13.41: a wait is bounded, ' || how)
  FROM (VALUES ('SELECT 1', 'after a block'),
               ('SELECT 1 / 0', 'after a block that failed')) v (statement, how);
-- set in a block that went well it goes on behind it
CREATE FUNCTION pg_temp.behind() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        PERFORM casino_internal.wait_at_most(200);
    EXCEPTION WHEN division_by_zero THEN
        NULL;
    END;
    PERFORM pg_sleep(0.6);
    RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.behind(), '55P03', 'R13.41: ... and behind the block that set it');
-- of the transaction
SELECT casino_internal.wait_at_most(200) \g /dev/null
SELECT lives_ok('SELECT pg_sleep(0.6)', 'R13.41: ... to the end of the transaction');
SELECT * FROM finish();
