-- Milliseconds of the backend's CPU: the plain side (the mean of before and after), seal, verify, export.
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION cpu() RETURNS numeric LANGUAGE sql VOLATILE AS
    $$ SELECT (f[12]::numeric + f[13]::numeric) * 10
         FROM (SELECT string_to_array(regexp_replace(pg_read_file('/proc/' || pg_backend_pid() || '/stat'),
                                                     '^.*\) ', ''),
                                      ' ') AS f) x $$;
SELECT count(sha256(casino.ledger_leaf(l))) FROM casino.ledger l \g /dev/null
SELECT cpu() AS c \gset
SELECT count(sha256(casino.ledger_leaf(l))) FROM casino.ledger l \g /dev/null
SELECT cpu() - :c AS before, cpu() AS c \gset
SELECT casino.seal('2026-01-01') \g /dev/null
SELECT cpu() - :c AS seal, cpu() AS c \gset
SELECT * FROM casino.verify() \g /dev/null
SELECT cpu() - :c AS verify, cpu() AS c \gset
SELECT casino.export_day('2026-01-01') \g /dev/null
SELECT cpu() - :c AS export, cpu() AS c \gset
SELECT count(sha256(casino.ledger_leaf(l))) FROM casino.ledger l \g /dev/null
SELECT cpu() - :c AS after \gset
SELECT round((:before + :after) / 2), :seal, :verify, :export \g (fieldsep=' ')
