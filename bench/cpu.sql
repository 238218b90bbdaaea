CREATE SCHEMA IF NOT EXISTS bench;
-- Milliseconds this backend has spent on a CPU: other work on the machine does not count
CREATE FUNCTION bench.cpu() RETURNS numeric LANGUAGE sql VOLATILE AS
    $$SELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::numeric / 1000000$$;
