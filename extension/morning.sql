-- The morning's work: differences as a list that people finish. A cause stands first, its consequences behind
-- it (R10.43); a difference is open, asked about, explained or written off, by whom, and from an amount on by
-- two persons (R10.44); it stays on the list until then (R10.45); a day is signed off by name (R10.46).

CREATE FUNCTION casino_internal.install_morning() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.day_sign_off (
        day         date NOT NULL CHECK (isfinite(day)),
        sign_no     integer NOT NULL CHECK (sign_no > 0),
        run_no      bigint NOT NULL REFERENCES casino.reconciliation,
        name        text NOT NULL CHECK (btrim(name) <> '' AND octet_length(name) <= 200),
        differences bigint NOT NULL CHECK (differences >= 0),
        opening     numeric NOT NULL,
        closing     numeric NOT NULL,
        carried     numeric NOT NULL,
        note        text CHECK (octet_length(note) <= 1000),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (day, sign_no)
    );
    COMMENT ON TABLE casino.day_sign_off
        IS 'Append-only: days signed off by name, with the wallets and the differences as they were then';
    COMMENT ON COLUMN casino.day_sign_off.day IS 'Prague day';
    COMMENT ON COLUMN casino.day_sign_off.sign_no IS 'Counts the signatures of the day from 1';
    COMMENT ON COLUMN casino.day_sign_off.run_no IS 'Newest run of the checks over the day that was signed';
    COMMENT ON COLUMN casino.day_sign_off.name IS 'Person who signed, else the login';
    COMMENT ON COLUMN casino.day_sign_off.differences IS 'Differences of the day, all finished';
    COMMENT ON COLUMN casino.day_sign_off.opening IS 'CZK in the wallets when the day began';
    COMMENT ON COLUMN casino.day_sign_off.closing IS 'CZK in the wallets when the day ended';
    COMMENT ON COLUMN casino.day_sign_off.carried IS 'CZK of stakes that were open when the day ended';
    COMMENT ON COLUMN casino.day_sign_off.note IS 'Remark of the person who signed';
    COMMENT ON COLUMN casino.day_sign_off.recorded_at IS 'When it was signed';
    PERFORM casino_internal.make_append_only('day_sign_off');
    PERFORM casino_internal.make_recorded('day_sign_off');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_morning() IS 'Part of casino.install(): days signed off';

-- ------------------------------------------------------------------------------------ cause and consequence

-- The place of a difference in the chain of cause and consequence; NULL: it is always a cause of its own.
CREATE FUNCTION casino_internal.difference_rank(check_name text, rule text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN rule IN ('error', 'more') THEN NULL
        WHEN check_name IN ('outcome', 'provider_outcome') THEN 1
        WHEN check_name IN ('entry_gap', 'payout', 'refund', 'correction', 'adjustment', 'trial_balance')
            THEN 2
        WHEN check_name = 'round_figures' THEN 3
        WHEN check_name IN ('provider_amount', 'provider_missing_here', 'provider_missing_there') THEN 4
        WHEN check_name = 'wallet' THEN 5
        WHEN check_name = 'negative' OR check_name = 'state' AND rule IN ('balance', 'last_entry_no') THEN 6
    END;
COMMENT ON FUNCTION casino_internal.difference_rank(text, text)
    IS 'Part of folded_differences(): how near a difference is to the cause; a lower number is nearer';

-- R10.43: a consequence concerns the same round, or the same player, and no other amount than its cause. A
-- difference of another amount may have another cause beside it, and stays one of its own.
CREATE FUNCTION casino_internal.folded_differences(run_no bigint)
RETURNS TABLE (difference_no bigint, cause_no bigint)
LANGUAGE sql STABLE STRICT ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    WITH RECURSIVE found AS MATERIALIZED (
        SELECT d.difference_no, d.player_id, d.round_id, d.amount,
               casino_internal.difference_rank(d.check_name, d.rule) AS place
          FROM casino.difference d
         WHERE d.run_no = folded_differences.run_no),
    possible AS (
        SELECT c.difference_no, c.amount, p.difference_no AS cause, p.place, p.amount AS cause_amount
          FROM found c
          JOIN found p ON p.round_id = c.round_id
         WHERE p.place < c.place
           AND (p.place = 1 AND c.place IN (2, 3, 4)
                OR p.place = 2 AND c.place = 3
                OR p.place = 2 AND c.place = 4 AND p.player_id = c.player_id)
        UNION ALL
        SELECT c.difference_no, c.amount, p.difference_no, p.place, p.amount
          FROM found c
          JOIN found p ON p.player_id = c.player_id
         WHERE p.place IN (2, 5) AND c.place IN (5, 6) AND p.place < c.place),
    summed AS (
        SELECT p.*, sum(p.cause_amount) OVER (PARTITION BY p.difference_no, p.place) AS together
          FROM possible p),
    parent AS (
        SELECT DISTINCT ON (s.difference_no) s.difference_no, s.cause
          FROM summed s
         WHERE s.amount IS NULL
            OR s.cause_amount IS NULL
            OR abs(s.amount) IN (abs(s.cause_amount), abs(s.together))
         -- nearest to the root, then the one of the same amount
         ORDER BY s.difference_no, s.place, abs(s.amount) = abs(s.cause_amount) DESC NULLS LAST, s.cause),
    chain AS (
        SELECT f.difference_no, f.difference_no AS cause
          FROM found f
         WHERE NOT EXISTS (SELECT FROM parent p WHERE p.difference_no = f.difference_no)
        UNION ALL
        SELECT p.difference_no, c.cause
          FROM chain c
          JOIN parent p ON p.cause = c.difference_no)
    SELECT c.difference_no, c.cause FROM chain c
$fn$;
COMMENT ON FUNCTION casino_internal.folded_differences(bigint)
    IS 'Part of the morning''s work: each difference of a run with its cause, itself where it is one';

-- ------------------------------------------------------------------------------------ the steps taken

-- R10.45: the same difference of a later run is the same work.
CREATE FUNCTION casino_internal.difference_key(check_name text, rule text, player_id bigint, round_id bigint,
                                               entry_no bigint, expected text, found text, detail jsonb)
                                                   RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sha256(convert_to(jsonb_build_array(check_name, rule, player_id, round_id, entry_no, expected,
                                               found, detail)::text, 'UTF8'));
COMMENT ON FUNCTION casino_internal.difference_key(text, text, bigint, bigint, bigint, text, text, jsonb)
    IS 'Part of the morning''s work: differences of several runs that say the same have the same key';

-- Each difference with the last word about it in any run, and whether a second person agreed.
CREATE FUNCTION casino_internal.difference_states()
RETURNS TABLE (key bytea, state text, note text, recorded_by integer, recorded_at timestamptz,
               approved boolean)
LANGUAGE sql STABLE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    WITH said AS MATERIALIZED (
        SELECT casino_internal.difference_key(d.check_name, d.rule, d.player_id, d.round_id, d.entry_no,
                                              d.expected,
                                              d.found, d.detail) AS key,
               n.state, n.note, n.recorded_by, n.recorded_at, n.note_no
          FROM casino.difference_note n
          JOIN casino.difference d ON d.run_no = n.run_no AND d.difference_no = n.difference_no),
    newest AS (
        SELECT DISTINCT ON (s.key) s.*
          FROM said s
         WHERE s.state <> 'approved'
         ORDER BY s.key, s.recorded_at DESC, s.note_no DESC)
    SELECT n.key, n.state, n.note, n.recorded_by, n.recorded_at,
           EXISTS (SELECT FROM said a
                    WHERE a.key = n.key
                      AND a.state = 'approved'
                      AND a.recorded_at > n.recorded_at
                      AND casino_internal.same_eyes(n.recorded_by, a.recorded_by) IS NULL)
      FROM newest n
$fn$;
COMMENT ON FUNCTION casino_internal.difference_states()
    IS 'Part of the morning''s work: the last word about each difference, and whether a second person '
       'has approved it';

-- R10.44: by the figure in force when the difference was finished. An amount that nobody knows is above it.
CREATE FUNCTION casino_internal.needs_second(amount numeric, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(abs(needs_second.amount)
                        >= casino.duty_number('finish_amount', needs_second.at), true)
$fn$;
COMMENT ON FUNCTION casino_internal.needs_second(numeric, timestamptz)
    IS 'Part of the morning''s work: is a difference of this amount finished by two persons';

CREATE FUNCTION casino.morning(day date DEFAULT NULL)
RETURNS TABLE (run_no bigint, difference_no bigint, cause_no bigint, consequences bigint, state text,
               waits_for_second boolean, finished boolean, open_since date, check_name text, rule text,
               external_ref text, table_name text, round_ref text, request_id text, entry_no bigint,
               amount numeric, favour text, expected text, found text, note text, noted_by text,
               noted_at timestamptz, command text)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.morning(date)
    IS 'The morning''s work after a Prague day (NULL: yesterday): differences that the checks of the day '
       'found, and those of days before that are not finished; each cause, then its consequences, with '
       'state, person, table, round, request, amount, in whose favour, and the command for the next step';

CREATE FUNCTION casino_internal.morning_impl(day date)
RETURNS TABLE (run_no bigint, difference_no bigint, cause_no bigint, consequences bigint, state text,
               waits_for_second boolean, finished boolean, open_since date, check_name text, rule text,
               external_ref text, table_name text, round_ref text, request_id text, entry_no bigint,
               amount numeric, favour text, expected text, found text, note text, noted_by text,
               noted_at timestamptz, command text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH wanted AS MATERIALIZED (
        SELECT coalesce(morning_impl.day, casino.prague_day(clock_timestamp()) - 1) AS day),
    each AS MATERIALIZED (
        SELECT d.*, r.to_day,
               casino_internal.difference_key(d.check_name, d.rule, d.player_id, d.round_id, d.entry_no,
                                              d.expected,
                                              d.found, d.detail) AS key
          FROM casino.difference d
          JOIN casino.reconciliation r ON r.run_no = d.run_no
         WHERE r.finished_at IS NOT NULL
           AND r.to_day <= (SELECT w.day FROM wanted w)),
    item AS MATERIALIZED (
        SELECT DISTINCT ON (e.key) e.*, min(e.to_day) OVER (PARTITION BY e.key) AS open_since,
               max(e.to_day) OVER (PARTITION BY e.key) AS last_day
          FROM each e
         ORDER BY e.key, e.run_no DESC, e.difference_no),
    folded AS MATERIALIZED (
        SELECT r.run_no, f.difference_no, f.cause_no
          FROM (SELECT DISTINCT i.run_no FROM item i) r
         CROSS JOIN LATERAL casino_internal.folded_differences(r.run_no) f),
    -- a cause is as large as the largest amount that it has led to
    cause AS MATERIALIZED (
        SELECT f.run_no, f.cause_no, count(*) - 1 AS consequences, max(abs(d.amount)) AS most
          FROM folded f
          JOIN casino.difference d ON d.run_no = f.run_no AND d.difference_no = f.difference_no
         GROUP BY f.run_no, f.cause_no),
    state AS MATERIALIZED (SELECT s.* FROM casino_internal.difference_states() s),
    judged AS MATERIALIZED (
        SELECT i.*, f.cause_no, c.consequences, s.state AS said, s.note, s.recorded_by,
               s.recorded_at AS said_at,
               s.state IN ('explained', 'written_off') AND NOT s.approved
                   AND casino_internal.needs_second(c.most, s.recorded_at) AS waits
          FROM item i
          JOIN folded f ON f.run_no = i.run_no AND f.difference_no = i.difference_no
          JOIN cause c ON c.run_no = f.run_no AND c.cause_no = f.cause_no
          -- of a consequence its own, else that of its cause
          LEFT JOIN each k ON k.run_no = f.run_no AND k.difference_no = f.cause_no
          LEFT JOIN LATERAL (SELECT x.* FROM state x
                              WHERE x.key IN (i.key, k.key)
                              ORDER BY x.key = i.key DESC
                              LIMIT 1) s ON true),
    shown AS (
        SELECT j.*, coalesce(j.said IN ('explained', 'written_off') AND NOT j.waits, false) AS done
          FROM judged j)
    SELECT j.run_no, j.difference_no, j.cause_no,
           CASE WHEN j.cause_no = j.difference_no THEN j.consequences END,
           coalesce(j.said, 'open'), coalesce(j.waits, false), j.done, j.open_since, j.check_name, j.rule,
           coalesce(p.external_ref, j.detail ->> 'external_ref',
                    (SELECT q.external_ref FROM casino.person q WHERE q.token = j.detail ->> 'token')),
           coalesce(t.name, j.detail ->> 'table'), coalesce(o.round_ref, j.detail ->> 'round_ref'),
           coalesce(l.request_id, s.request_id, j.detail ->> 'ref'), j.entry_no, j.amount,
           CASE sign(j.amount) WHEN 1 THEN 'player' WHEN -1 THEN 'house' END,
           j.expected, j.found, j.note, coalesce(w.actor, w.login), j.said_at,
           CASE WHEN j.done THEN NULL
                ELSE format('psql -c "SELECT casino.%s_difference(%s, %s, ''...'')"',
                            CASE WHEN j.waits THEN 'approve' ELSE 'explain' END, j.run_no, j.cause_no) END
      FROM shown j
      LEFT JOIN casino.player p ON p.player_id = j.player_id
      LEFT JOIN casino.round o ON o.round_id = j.round_id
      LEFT JOIN casino.game_table t ON t.table_id = o.table_id
      LEFT JOIN casino.ledger l ON l.player_id = j.player_id AND l.entry_no = j.entry_no
      LEFT JOIN casino.ledger s ON s.player_id = l.player_id
                               AND s.entry_no = coalesce(l.stake_entry_no, l.withdrawal_entry_no)
      LEFT JOIN casino.recorder w ON w.recorder_id = j.recorded_by
     WHERE NOT j.done OR j.last_day = (SELECT x.day FROM wanted x)
     ORDER BY j.done, j.open_since, j.run_no, j.cause_no, j.cause_no <> j.difference_no, j.difference_no
$fn$;
COMMENT ON FUNCTION casino_internal.morning_impl(date) IS 'Body of morning(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------ the steps

CREATE FUNCTION casino_internal.note_difference(run_no bigint, difference_no bigint, state text, note text)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number integer;
BEGIN
    IF run_no IS NULL OR difference_no IS NULL THEN
        RAISE EXCEPTION 'run_no and difference_no must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF coalesce(btrim(note, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'note must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(note, 'note', 4000);
    PERFORM FROM casino.difference d
      WHERE d.run_no = note_difference.run_no AND d.difference_no = note_difference.difference_no
        FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'difference % of reconciliation % does not exist', difference_no, run_no
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- a retry; after a question the same answer is another one, and an approval is one person's
    SELECT n.note_no INTO number
      FROM casino.difference_note n
     WHERE n.run_no = note_difference.run_no
       AND n.difference_no = note_difference.difference_no
       AND n.state = note_difference.state
       AND n.note = note_difference.note
       AND (n.state <> 'approved' OR n.recorded_by = casino_internal.recorded_by())
       AND NOT EXISTS (SELECT FROM casino.difference_note q
                        WHERE q.run_no = n.run_no
                          AND q.difference_no = n.difference_no
                          AND q.note_no > n.note_no
                          AND q.state = 'asked')
     ORDER BY n.note_no
     LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    INSERT INTO casino.difference_note AS n (run_no, difference_no, note_no, state, note, recorded_at)
    SELECT note_difference.run_no, note_difference.difference_no, coalesce(max(x.note_no), 0) + 1,
           note_difference.state, note_difference.note, clock_timestamp()
      FROM casino.difference_note x
     WHERE x.run_no = note_difference.run_no AND x.difference_no = note_difference.difference_no
    RETURNING n.note_no INTO number;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.note_difference(bigint, bigint, text, text)
    IS 'Part of the morning''s work: keeps a step that was taken with a difference, the same once';

CREATE FUNCTION casino.explain_difference(run_no bigint, difference_no bigint, note text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.explain_difference(bigint, bigint, text)
    IS 'Keeps the explanation of a difference, with who gave it; a difference may have several. Returns the '
       'number of the note, the same for the same text';
CREATE FUNCTION casino_internal.explain_difference_impl(run_no bigint, difference_no bigint, note text)
RETURNS integer
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.note_difference(run_no, difference_no, 'explained', note)
$fn$;
COMMENT ON FUNCTION casino_internal.explain_difference_impl(bigint, bigint, text)
    IS 'Body of explain_difference(), run as the owner of the ledger';

CREATE FUNCTION casino.ask_about_difference(run_no bigint, difference_no bigint, note text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.ask_about_difference(bigint, bigint, text)
    IS 'Keeps a question about a difference; one that was finished is open again. '
       'Returns the number of the note';
CREATE FUNCTION casino_internal.ask_about_difference_impl(run_no bigint, difference_no bigint, note text)
RETURNS integer
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.note_difference(run_no, difference_no, 'asked', note)
$fn$;
COMMENT ON FUNCTION casino_internal.ask_about_difference_impl(bigint, bigint, text)
    IS 'Body of ask_about_difference(), run as the owner of the ledger';

CREATE FUNCTION casino.write_off_difference(run_no bigint, difference_no bigint, note text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.write_off_difference(bigint, bigint, text)
    IS 'Keeps that a difference is written off, and why; no entry is posted. Returns the number of the note';
CREATE FUNCTION casino_internal.write_off_difference_impl(run_no bigint, difference_no bigint, note text)
RETURNS integer
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.note_difference(run_no, difference_no, 'written_off', note)
$fn$;
COMMENT ON FUNCTION casino_internal.write_off_difference_impl(bigint, bigint, text)
    IS 'Body of write_off_difference(), run as the owner of the ledger';

CREATE FUNCTION casino.approve_difference(run_no bigint, difference_no bigint, note text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_difference(bigint, bigint, text)
    IS 'A second person agrees with the explanation or the writing off of a difference; 55000 where there is '
       'neither, 42501 for the person who gave it. Returns the number of the note';
CREATE FUNCTION casino_internal.approve_difference_impl(run_no bigint, difference_no bigint, note text)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- before the statement that looks for the row
    number CONSTANT integer := casino_internal.recorded_by();
    said record;
    same text;
BEGIN
    -- not beside another step with it
    PERFORM FROM casino.difference d
      WHERE d.run_no = approve_difference_impl.run_no
        AND d.difference_no = approve_difference_impl.difference_no
        FOR UPDATE;
    SELECT s.* INTO said
      FROM casino.difference d
      JOIN casino_internal.difference_states() s
        ON s.key = casino_internal.difference_key(d.check_name, d.rule, d.player_id, d.round_id, d.entry_no,
                                                  d.expected, d.found, d.detail)
     WHERE d.run_no = approve_difference_impl.run_no
       AND d.difference_no = approve_difference_impl.difference_no;
    IF FOUND AND said.state IN ('explained', 'written_off') THEN
        same := casino_internal.same_eyes(said.recorded_by, number);
        IF same IS NOT NULL THEN
            RAISE EXCEPTION 'difference % of reconciliation % needs the approval of somebody else',
                difference_no, run_no
                USING ERRCODE = 'insufficient_privilege',
                      DETAIL = format('The person who asks to approve has finished it: %s', same),
                      HINT = 'A second person approves it, under another login.';
        END IF;
    ELSIF EXISTS (SELECT FROM casino.difference d
                   WHERE d.run_no = approve_difference_impl.run_no
                     AND d.difference_no = approve_difference_impl.difference_no) THEN
        RAISE EXCEPTION 'difference % of reconciliation % is not explained or written off', difference_no,
            run_no
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'casino.explain_difference() and casino.write_off_difference() finish it.';
    END IF;
    RETURN casino_internal.note_difference(run_no, difference_no, 'approved', note);
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_difference_impl(bigint, bigint, text)
    IS 'Body of approve_difference(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------ the day signed off

CREATE FUNCTION casino.sign_day(day date, note text DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.sign_day(date, text)
    IS 'Signs a Prague day off by the name of the person who calls; 55000 before its night is done, and '
       'while a difference of the day is not finished. Returns the number of the signature, the same for the '
       'same person and run';
CREATE FUNCTION casino_internal.sign_day_impl(day date, note text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- before the statement that looks for the row
    caller CONSTANT integer := casino_internal.recorded_by();
    me casino.recorder;
    run bigint;
    number integer;
    found_on_day bigint;
    open_still bigint;
BEGIN
    IF day IS NULL THEN
        RAISE EXCEPTION 'day must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.bounded(note, 'note', 1000);
    -- signatures are numbered without gaps
    LOCK TABLE casino.day_sign_off IN SHARE ROW EXCLUSIVE MODE;
    SELECT max(r.run_no) INTO run
      FROM casino.reconciliation r
     WHERE sign_day_impl.day BETWEEN r.from_day AND r.to_day AND r.finished_at IS NOT NULL;
    IF NOT EXISTS (SELECT FROM casino.reconciliation r
                    WHERE r.night AND r.to_day = sign_day_impl.day AND r.finished_at IS NOT NULL)
       OR EXISTS (SELECT FROM casino.reconciliation r
                   WHERE r.finished_at IS NULL AND sign_day_impl.day BETWEEN r.from_day AND r.to_day) THEN
        RAISE EXCEPTION 'the night of % is not done', day
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'CALL casino.nightly() goes on with it.';
    END IF;
    SELECT r.* INTO STRICT me FROM casino.recorder r WHERE r.recorder_id = caller;
    SELECT s.sign_no INTO number
      FROM casino.day_sign_off s
      JOIN casino.recorder w ON w.recorder_id = s.recorded_by
     WHERE s.day = sign_day_impl.day
       AND s.run_no = run
       AND (w.role, w.login, w.actor) IS NOT DISTINCT FROM (me.role, me.login, me.actor)
     ORDER BY s.sign_no
     LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    SELECT count(*), count(*) FILTER (WHERE NOT m.finished) INTO found_on_day, open_still
      FROM casino_internal.morning_impl(casino.prague_day(clock_timestamp())) m
      JOIN casino.reconciliation r ON r.run_no = m.run_no
     WHERE sign_day_impl.day BETWEEN r.from_day AND r.to_day OR m.open_since = sign_day_impl.day;
    IF open_still > 0 THEN
        RAISE EXCEPTION 'day % has % differences that are not finished', day, open_still
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = format('casino.morning(%L) lists them, each with its next step.', day);
    END IF;
    INSERT INTO casino.day_sign_off AS s (day, sign_no, run_no, name, differences, opening, closing, carried,
                                          note, recorded_at)
    SELECT sign_day_impl.day,
           (SELECT coalesce(max(x.sign_no), 0) + 1
              FROM casino.day_sign_off x
             WHERE x.day = sign_day_impl.day),
           run, left(coalesce(me.actor, me.login), 200),
           (SELECT count(*)
              FROM casino.difference d
              JOIN casino.reconciliation r ON r.run_no = d.run_no
             WHERE sign_day_impl.day BETWEEN r.from_day AND r.to_day),
           max(b.amount) FILTER (WHERE b.line = 'opening'), max(b.amount) FILTER (WHERE b.line = 'closing'),
           max(b.amount) FILTER (WHERE b.line = 'carried'), sign_day_impl.note, clock_timestamp()
      FROM casino.balance_statement(sign_day_impl.day) b
    RETURNING s.sign_no INTO number;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.sign_day_impl(date, text)
    IS 'Body of sign_day(), run as the owner of the ledger';
