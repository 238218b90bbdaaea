-- Nights and reconciliations: their steps, one transaction each (R10.2, R10.3).  CALL nightly() and CALL
-- reconcile() are C (src/checks/night.c), which commits between the steps: a procedure that commits can
-- neither be SECURITY DEFINER nor pin its search_path.

CREATE FUNCTION casino_internal.reconciliation_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.finished_at IS NOT NULL
       OR (OLD.run_no, OLD.from_day, OLD.to_day, OLD.night, OLD.started_at, OLD.repeats, OLD.repeated)
          IS DISTINCT FROM (NEW.run_no, NEW.from_day, NEW.to_day, NEW.night, NEW.started_at, NEW.repeats,
                            NEW.repeated) THEN
        RAISE EXCEPTION 'cannot change reconciliation %', OLD.run_no
            USING ERRCODE = 'KL001', CONSTRAINT = 'ledger_immutable',
                  DATATYPE = jsonb_build_object('table', TG_TABLE_NAME)::text,
                  DETAIL = 'Only the progress of the run in hand changes.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.reconciliation_guard() IS
    'Trigger of casino.reconciliation: only the progress of a run in hand changes';

CREATE FUNCTION casino_internal.install_reconciliation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.reconciliation (
        run_no      bigint PRIMARY KEY,
        from_day    date NOT NULL,
        to_day      date NOT NULL CHECK (to_day >= from_day),
        night       boolean NOT NULL,
        started_at  timestamptz NOT NULL,
        finished_at timestamptz,
        status      text NOT NULL CHECK (status IN ('running', 'clean', 'differences', 'failed')),
        step        text,
        done        integer NOT NULL CHECK (done >= 0),
        total       integer NOT NULL CHECK (total >= done),
        error       text,
        amount      numeric,
        repeats     bigint REFERENCES casino.reconciliation,
        repeated    text,
        CHECK ((repeats IS NULL) = (repeated IS NULL)),
        CHECK (finished_at IS NULL OR status IN ('clean', 'differences'))
    );
    CREATE UNIQUE INDEX reconciliation_unfinished ON casino.reconciliation (from_day, to_day, night)
        WHERE finished_at IS NULL AND repeats IS NULL;
    CREATE INDEX reconciliation_day ON casino.reconciliation (to_day, from_day);
    COMMENT ON INDEX casino.reconciliation_unfinished
        IS 'A run that was stopped is found and goes on; there is one of the same days';
    COMMENT ON INDEX casino.reconciliation_day IS 'Finds the runs of a day';
    COMMENT ON TABLE casino.reconciliation
        IS 'Runs of casino.nightly() and casino.reconcile(); the row of the run in hand shows how far it '
           'is, others do not change';
    COMMENT ON COLUMN casino.reconciliation.run_no IS 'Counts the runs from 1';
    COMMENT ON COLUMN casino.reconciliation.from_day IS 'First Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.to_day IS 'Last Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.night
        IS 'A night: deadlines before the checks, seal and report after them';
    COMMENT ON COLUMN casino.reconciliation.started_at IS 'When it was started';
    COMMENT ON COLUMN casino.reconciliation.finished_at
        IS 'When its last step was done; NULL: it is in hand, or was stopped and goes on when it is called '
           'again';
    COMMENT ON COLUMN casino.reconciliation.status
        IS 'running; clean or differences as soon as all checks are done; failed: a step ended in an error, '
           'and is repeated when the run is called again';
    COMMENT ON COLUMN casino.reconciliation.step IS 'Step in hand; NULL: all are done';
    COMMENT ON COLUMN casino.reconciliation.done IS 'Steps that are done';
    COMMENT ON COLUMN casino.reconciliation.total IS 'Steps of the run';
    COMMENT ON COLUMN casino.reconciliation.error IS 'SQLSTATE and message of the step that failed';
    COMMENT ON COLUMN casino.reconciliation.repeats
        IS 'Run of which one check was made again by recheck(); NULL: a run of all checks';
    COMMENT ON COLUMN casino.reconciliation.repeated IS 'The check that was made again';
    COMMENT ON COLUMN casino.reconciliation.amount
        IS 'Sum of the amounts of the differences so far; the same money may be named by several checks; '
           'NULL: none has an amount';

    CREATE TABLE casino.difference (
        run_no        bigint NOT NULL REFERENCES casino.reconciliation,
        difference_no bigint NOT NULL CHECK (difference_no > 0),
        check_name    text NOT NULL,
        rule          text NOT NULL,
        player_id     bigint,
        round_id      bigint,
        entry_no      bigint,
        expected      text,
        found         text,
        detail        jsonb NOT NULL,
        amount        numeric,
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no)
    );
    COMMENT ON TABLE casino.difference IS 'Append-only: what a check found that does not fit';
    COMMENT ON COLUMN casino.difference.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference.difference_no IS 'Counts the differences of a run from 1';
    COMMENT ON COLUMN casino.difference.check_name IS 'Check, see casino.reconciliation_checks()';
    COMMENT ON COLUMN casino.difference.rule
        IS 'What of the check does not hold; error: the check itself failed; more: it found more than are '
           'kept';
    COMMENT ON COLUMN casino.difference.player_id IS 'Player concerned, if one is';
    COMMENT ON COLUMN casino.difference.round_id IS 'Round concerned, if one is';
    COMMENT ON COLUMN casino.difference.entry_no IS 'Ledger entry of the player, if one is concerned';
    COMMENT ON COLUMN casino.difference.expected IS 'What the evidence gives';
    COMMENT ON COLUMN casino.difference.found IS 'What is there';
    COMMENT ON COLUMN casino.difference.detail IS 'Further values';
    COMMENT ON COLUMN casino.difference.amount
        IS 'CZK in dispute: positive what the player has too much, negative what the player lacks; NULL: no '
           'sum of money, or not known';
    COMMENT ON COLUMN casino.difference.recorded_at IS 'When it was found';

    CREATE TABLE casino.difference_note (
        run_no        bigint NOT NULL,
        difference_no bigint NOT NULL,
        note_no       integer NOT NULL CHECK (note_no > 0),
        state         text NOT NULL CHECK (state IN ('asked', 'explained', 'written_off', 'approved')),
        note          text NOT NULL CHECK (octet_length(note) <= 4000),
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no, note_no),
        FOREIGN KEY (run_no, difference_no) REFERENCES casino.difference
    );
    COMMENT ON TABLE casino.difference_note
        IS 'Append-only: steps that people took with differences, who and when (the variance report)';
    COMMENT ON COLUMN casino.difference_note.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference_note.difference_no IS 'Difference that it is about';
    COMMENT ON COLUMN casino.difference_note.note_no IS 'Counts the notes of a difference from 1';
    COMMENT ON COLUMN casino.difference_note.state
        IS 'asked: about it; explained, written_off: finished; approved: a second person agrees with that';
    COMMENT ON COLUMN casino.difference_note.note IS 'The question, the explanation, the reason';
    COMMENT ON COLUMN casino.difference_note.recorded_at IS 'When it was written';

    CREATE TABLE casino.day_report (
        day     date NOT NULL,
        run_no  bigint NOT NULL REFERENCES casino.reconciliation,
        report  jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object'),
        made_at timestamptz NOT NULL,
        PRIMARY KEY (day, run_no)
    );
    COMMENT ON TABLE casino.day_report
        IS 'Append-only: the reports of the days as their nights made them; daily_report() tells what is '
           'known of a day now';
    COMMENT ON COLUMN casino.day_report.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.day_report.run_no IS 'Run of casino.nightly() that made it';
    COMMENT ON COLUMN casino.day_report.report
        IS 'What daily_report() returned, with tokens of persons and accounts; of the run itself it shows '
           'the checks, not yet its end';
    COMMENT ON COLUMN casino.day_report.made_at IS 'When it was made';

    CREATE TABLE casino.plan_digest (
        plan_id     bigint NOT NULL REFERENCES casino.game_plan,
        part        text NOT NULL CHECK (part IN ('game', 'game_plan', 'plan_rule', 'bet_rule', 'paytable',
                                                  'announced_rule')),
        row_key     text NOT NULL,
        content     jsonb NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (plan_id, part, row_key)
    );
    COMMENT ON TABLE casino.plan_digest
        IS 'Append-only: the rows of each plan version as they were when it was loaded or came into force, '
           'to hold the plan against';
    COMMENT ON COLUMN casino.plan_digest.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_digest.part IS 'Table of the row';
    COMMENT ON COLUMN casino.plan_digest.row_key
        IS 'Key of the row in it, without the plan''s; empty for the version itself';
    COMMENT ON COLUMN casino.plan_digest.content IS 'The row as it was';
    COMMENT ON COLUMN casino.plan_digest.recorded_at IS 'When it was kept';

    CREATE TRIGGER reconciliation_guard BEFORE UPDATE OR DELETE ON casino.reconciliation
        FOR EACH ROW EXECUTE FUNCTION casino_internal.reconciliation_guard();
    COMMENT ON TRIGGER reconciliation_guard ON casino.reconciliation
        IS 'Only the progress of the run in hand changes';
    -- who recorded a row is no part of a plan
    CREATE VIEW casino.plan_row AS
        SELECT p.plan_id, 'game_plan' AS part, '' AS row_key,
               to_jsonb(p) - 'recorded_by' - 'recorded_at' || jsonb_build_object('valid_from',
                       p.valid_from AT TIME ZONE 'UTC') AS content FROM casino.game_plan p
        UNION ALL SELECT p.plan_id, 'game', '', to_jsonb(g) FROM casino.game_plan p
            JOIN casino.game g ON g.game = p.game
        UNION ALL SELECT r.plan_id, 'plan_rule', r.rule, to_jsonb(r) - 'recorded_by' FROM casino.plan_rule r
        UNION ALL SELECT b.plan_id, 'bet_rule', b.kind, to_jsonb(b) - 'recorded_by' FROM casino.bet_rule b
        UNION ALL SELECT t.plan_id, 'paytable', t.kind || ' ' || t.grade, to_jsonb(t) - 'recorded_by'
            FROM casino.paytable t
        UNION ALL SELECT a.plan_id, 'announced_rule', a.stem, to_jsonb(a) - 'recorded_by'
            FROM casino.announced_rule a;
    COMMENT ON VIEW casino.plan_row
        IS 'Part of the reconciliation: all rows of all plan versions, one JSON object each, as '
           'casino.plan_digest keeps them';
    COMMENT ON COLUMN casino.plan_row.content IS 'The row, but for who recorded it';

    CREATE VIEW casino.unfinished_run AS
        SELECT r.run_no, r.from_day, r.to_day, r.night, r.started_at, r.status, r.step, r.done, r.total,
               r.error,
               CASE WHEN r.night THEN format('CALL casino.nightly(%L)', r.to_day)
                    ELSE format('CALL casino.reconcile(%L, %L)', r.from_day, r.to_day) END AS command
          FROM casino.reconciliation r
         WHERE r.finished_at IS NULL AND casino_internal.left_unfinished(r.run_no);
    COMMENT ON VIEW casino.unfinished_run
        IS 'Runs of casino.nightly() and casino.reconcile() that are not finished and that no session does: '
           'broken off, or a step failed (status failed); no row at a standby, which does not know the '
           'sessions of its primary';
    COMMENT ON COLUMN casino.unfinished_run.command IS 'What goes on with the run, and so ends its row here';

    PERFORM casino_internal.make_append_only('difference', 'difference_note', 'day_report', 'plan_digest');
    PERFORM casino_internal.make_recorded('reconciliation');
    PERFORM casino_internal.make_recorded('difference_note');
    PERFORM casino_internal.make_recorded('day_report');
    PERFORM casino_internal.refuse_truncate('reconciliation');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_reconciliation() IS
    'Part of casino.install(): runs, differences, notes, reports of days, kept rows of plans';

-- R10.59: as it is now, and not as the snapshot of the transaction has it. Takes no lock of the night.
CREATE FUNCTION casino_internal.left_unfinished(run_no bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_left_unfinished' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.left_unfinished(bigint)
    IS 'Part of the view unfinished_run: is the run not finished, and does no session do it';

CREATE TYPE casino.finding AS (
    rule      text,
    player_id bigint,
    round_id  bigint,
    entry_no  bigint,
    expected  text,
    found     text,
    detail    jsonb
);
COMMENT ON TYPE casino.finding IS 'What a check of the reconciliation found that does not fit';

CREATE PROCEDURE casino.nightly(day date DEFAULT NULL)
    AS 'MODULE_PATHNAME', 'casino_sql_nightly' LANGUAGE C;
COMMENT ON PROCEDURE casino.nightly(date) IS
    'By CALL: the night after a Prague day (NULL: the last finished one): deadlines, checks, seal, report, '
    'each step committed. Stopped anywhere and called again it goes on where it was; a finished day is '
    'answered at once. 55000 while another one is under way';

CREATE PROCEDURE casino.reconcile(from_day date, to_day date)
    AS 'MODULE_PATHNAME', 'casino_sql_reconcile' LANGUAGE C;
COMMENT ON PROCEDURE casino.reconcile(date, date) IS
    'By CALL: all checks over the entries of finished Prague days; over all of them it is the audit from '
    'the first entry on. 22023 where the last one is not over. What does not fit is in casino.difference';

-- The checks in their order.  Each is a function of (from_day date, to_day date) that returns casino.finding;
-- a new one is a row here.
CREATE FUNCTION casino.reconciliation_checks(OUT check_no integer, OUT check_name text,
                                             OUT function text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (row_number() OVER ())::integer, c.name, 'casino_internal.check_' || coalesce(c.function, c.name)
      FROM (VALUES
        ('entry_gap', NULL), ('wallet', NULL), ('negative', NULL), ('trial_balance', NULL), ('payout', NULL),
        ('refund', NULL), ('correction', NULL), ('adjustment', NULL), ('no_action', NULL),
        ('round_figures', NULL), ('outcome', 'outcome_documents'),
        ('round_stuck', NULL), ('late_stake', NULL), ('stake_limits', NULL), ('follow', NULL),
        ('break', NULL),
        ('second_table', NULL), ('excluded', NULL), ('self_limit', NULL),
        ('cash_limit', NULL), ('winnings_overdue', NULL), ('no_reason', NULL), ('withdrawal_overdue', NULL),
        ('state', NULL), ('record', NULL), ('dated_back', NULL), ('plan', 'plan_rows'), ('guard', NULL),
        ('cage_count', NULL),
        ('provider_missing_here', NULL), ('provider_missing_there', NULL), ('provider_amount', NULL),
        ('provider_outcome', NULL), ('provider_duplicate', NULL), ('provider_late', NULL)
      ) c (name, function)
$fn$;
COMMENT ON FUNCTION casino.reconciliation_checks() IS
    'Checks of the reconciliation, in their order: name and function of (from_day, to_day)';

CREATE FUNCTION casino_internal.reconciliation_steps(night boolean, OUT step_no integer, OUT step text,
                                                     OUT function text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (row_number() OVER (ORDER BY s.place, s.check_no))::integer, s.step, s.function
      FROM (SELECT 2 AS place, c.check_no, c.check_name AS step, c.function
            FROM casino.reconciliation_checks() c
            UNION ALL
            SELECT b.place, 0, b.step, NULL FROM (VALUES (0, 'indexes'), (1, 'deadlines'), (3, 'seal'),
                                                  (4, 'report')) b (place, step)
                                                      WHERE reconciliation_steps.night) s
$fn$;
COMMENT ON FUNCTION casino_internal.reconciliation_steps(boolean) IS
    'Part of nightly() and reconcile(): steps of a night, or of a reconciliation alone; those with a '
    'function are checks';

CREATE FUNCTION casino_internal.keep_plan_rows() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.plan_digest (plan_id, part, row_key, content, recorded_at)
    SELECT r.plan_id, r.part, r.row_key, r.content, clock_timestamp()
      FROM casino.plan_row r
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
     WHERE (p.valid_from <= clock_timestamp() OR EXISTS (SELECT FROM casino.round x
                                                         WHERE x.plan_id = p.plan_id))
       AND NOT EXISTS (SELECT FROM casino.plan_digest d WHERE d.plan_id = r.plan_id);
END
$fn$;
COMMENT ON FUNCTION casino_internal.keep_plan_rows() IS
    'Part of nightly() and reconcile(): keeps the rows of plan versions that are in force and not kept yet';

-- The row after a change in the log equals the row now, or the row before the next change. The row before its
-- first change equals that of the version that was copied, where that version could not change any more.
CREATE FUNCTION casino_internal.check_plan_changes() RETURNS SETOF casino.finding
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH change AS (
        SELECT c.plan_id, c.change_no, c.part, c.row_key, c.before, c.after, c.copied_from,
               lag(c.change_no) OVER k AS previous, lag(c.after) OVER k AS was,
               lead(c.change_no) OVER k AS next_one
          FROM casino.plan_change c
        WINDOW k AS (PARTITION BY c.plan_id, c.part, c.row_key ORDER BY c.change_no)),
    -- of a version in force as they were then: what became of them since is another difference
    kept AS (
        SELECT d.plan_id, d.part, d.row_key, d.content
          FROM casino.plan_digest d
        UNION ALL
        SELECT r.plan_id, r.part, r.row_key, r.content
          FROM casino.plan_row r
         WHERE r.plan_id NOT IN (SELECT d.plan_id FROM casino.plan_digest d)),
    source AS (
        SELECT c.plan_id, c.copied_from
          FROM casino.plan_change c
          JOIN casino.approved_plan a ON a.plan_id = c.copied_from
         WHERE c.copied_from IS NOT NULL),
    judged AS (
        SELECT c.plan_id, c.change_no, c.part, c.row_key, 'before' AS field, c.was AS expected,
               c.before AS found
          FROM change c
         WHERE c.previous IS NOT NULL
        UNION ALL
        -- a copy begins with the version itself
        SELECT c.plan_id, c.change_no, c.part, c.row_key, 'before', NULL, c.before
          FROM change c
         WHERE c.copied_from IS NOT NULL
        UNION ALL
        SELECT c.plan_id, c.change_no, c.part, c.row_key, 'before', r.content - 'plan_id',
               c.before - 'plan_id'
          FROM change c
          JOIN source s ON s.plan_id = c.plan_id
          LEFT JOIN kept r
                 ON r.plan_id = s.copied_from AND r.part = c.part AND r.row_key = c.row_key
         WHERE c.previous IS NULL AND c.part <> 'game_plan'
        UNION ALL
        SELECT c.plan_id, c.change_no, c.part, c.row_key, 'after', r.content, c.after
          FROM change c
          LEFT JOIN kept r
                 ON r.plan_id = c.plan_id AND r.part = c.part AND r.row_key = c.row_key
         WHERE c.next_one IS NULL)
    SELECT 'change', NULL::bigint, NULL::bigint, NULL::bigint, coalesce(j.expected::text, 'no row'),
           coalesce(j.found::text, 'no row'),
           jsonb_build_object('plan_id', j.plan_id, 'change_no', j.change_no, 'table', j.part,
                              'key', j.row_key, 'field', j.field)
      FROM judged j
     WHERE j.expected IS DISTINCT FROM j.found
     ORDER BY j.plan_id, j.change_no, j.field
$fn$;
COMMENT ON FUNCTION casino_internal.check_plan_changes()
    IS 'Part of the reconciliation, check plan: changes of drafts that do not lead from the version that was '
       'copied to the rows that are there';

-- The plans are read by their present rows: who recorded them is no part of a plan (R10.8).
CREATE FUNCTION casino_internal.check_plan_rows(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT CASE WHEN r.plan_id IS NULL THEN 'removed' WHEN d.plan_id IS NULL THEN 'added'
               ELSE 'changed' END,
               NULL::bigint, NULL::bigint, NULL::bigint, coalesce(d.content::text, 'no row'),
                   coalesce(r.content::text, 'no row'),
               jsonb_build_object('plan_id', coalesce(d.plan_id, r.plan_id), 'table',
                                  coalesce(d.part, r.part), 'key', coalesce(d.row_key, r.row_key),
                                  'game', p.game, 'version', p.version)
          FROM casino.plan_digest d
          FULL JOIN (SELECT x.* FROM casino.plan_row x
                     WHERE x.plan_id IN (SELECT k.plan_id FROM casino.plan_digest k)) r
            ON r.plan_id = d.plan_id AND r.part = d.part AND r.row_key = d.row_key
          LEFT JOIN casino.game_plan p ON p.plan_id = coalesce(d.plan_id, r.plan_id)
         WHERE d.content IS DISTINCT FROM r.content
         ORDER BY coalesce(d.plan_id, r.plan_id), coalesce(d.part, r.part), coalesce(d.row_key, r.row_key);
    -- a round goes by the versions that were in force when it was opened: of the game of its table, and of
    -- the table (R1.2, R10.31)
    RETURN QUERY
        SELECT v.rule, NULL::bigint, o.round_id, NULL::bigint, coalesce(v.expected, 'none'),
               coalesce(v.found, 'none'),
               jsonb_build_object('table_id', o.table_id, 'opened_at', o.opened_at)
          FROM (SELECT r.* FROM casino.round r
                 WHERE r.evaluated_at >= casino.day_start(from_day)
                     AND r.evaluated_at < casino.day_start(to_day + 1)
                UNION ALL
                SELECT r.* FROM casino.round r WHERE r.status IN ('open', 'closed')) o
          LEFT JOIN casino.game_table t ON t.table_id = o.table_id
         CROSS JOIN LATERAL (VALUES
                ('not_in_force', (SELECT p.plan_id FROM casino.approved_plan p
                                  WHERE p.game = t.game AND p.valid_from <= o.opened_at
                                   ORDER BY p.valid_from DESC LIMIT 1)::text, o.plan_id::text),
                ('table_version', (SELECT k.version FROM casino.table_version k
                                   WHERE k.table_id = o.table_id AND k.valid_from <= o.opened_at
                                    ORDER BY k.version DESC
                                        LIMIT 1)::text, o.table_version::text)) v (rule, expected, found)
         WHERE v.expected IS DISTINCT FROM v.found;
    RETURN QUERY SELECT * FROM casino_internal.check_plan_changes();
    RETURN QUERY
        SELECT 'not_ready', NULL::bigint, NULL::bigint, NULL::bigint, 'approved and whole', w.problem,
               jsonb_build_object('plan_id', w.plan_id, 'game', w.game, 'version', w.version,
                                  'valid_from', w.valid_from)
          FROM casino.plan_warnings(casino.day_start(to_day + 1)) w;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_plan_rows(date, date) IS
    'Part of the reconciliation, check plan: rows of plan versions in force that are not what they were '
    'when the version was loaded or came into force, rounds under other versions of plan and table than '
    'were in force, changes of drafts that do not fit the rows, and versions that are not ready';

CREATE FUNCTION casino_internal.begin_reconciliation(from_day date, to_day date, night boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    today CONSTANT date := casino.prague_day(clock_timestamp());
    first CONSTANT date := CASE WHEN begin_reconciliation.night
        THEN coalesce(begin_reconciliation.to_day, today - 1) ELSE begin_reconciliation.from_day END;
    last CONSTANT date := CASE WHEN begin_reconciliation.night THEN first
        ELSE begin_reconciliation.to_day END;
    run casino.reconciliation;
BEGIN
    IF first IS NULL OR last IS NULL THEN
        RAISE EXCEPTION 'from_day and to_day must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF NOT isfinite(first) OR NOT isfinite(last) OR first > last THEN
        RAISE EXCEPTION 'invalid period: % to %', first, last USING ERRCODE = 'invalid_parameter_value';
    ELSIF night AND last < '2000-01-01' THEN
        RAISE EXCEPTION 'day % has no night', last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Evidence counts its days from 2000-01-01.';
    ELSIF last >= today THEN
        -- what comes later on the day would never be checked by this run (R10.22)
        RAISE EXCEPTION 'day % is not over', last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('In Europe/Prague it is %s.', today);
    END IF;
    SELECT r.* INTO run FROM casino.reconciliation r
     WHERE r.from_day = first AND r.to_day = last AND r.night = begin_reconciliation.night
       AND (r.finished_at IS NULL OR r.night)
     ORDER BY r.run_no DESC LIMIT 1;
    IF run.finished_at IS NOT NULL THEN
        RAISE NOTICE 'the night of % is done, reconciliation %: % differences', run.to_day, run.run_no,
                     (SELECT count(*) FROM casino.difference d WHERE d.run_no = run.run_no);
        RETURN NULL;
    ELSIF run.run_no IS NOT NULL THEN
        UPDATE casino.reconciliation r SET status = CASE r.status WHEN 'failed' THEN 'running'
            ELSE r.status END, error = NULL
         WHERE r.run_no = run.run_no;
    ELSE
        INSERT INTO casino.reconciliation AS r (run_no, from_day, to_day, night, started_at, status, step,
                                                done, total)
        SELECT coalesce((SELECT max(x.run_no) FROM casino.reconciliation x), 0) + 1, first, last,
               begin_reconciliation.night, clock_timestamp(), 'running',
               min(s.step) FILTER (WHERE s.step_no = 1), 0, count(*)
          FROM casino_internal.reconciliation_steps(begin_reconciliation.night) s
        RETURNING r.* INTO run;
    END IF;
    PERFORM casino_internal.keep_plan_rows();
    RETURN run.run_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.begin_reconciliation(date, date, boolean) IS
    'Part of nightly() and reconcile(): the number of the run to do, a new one or the one that was stopped; '
    'NULL when the night is done';

-- How much, and in whose favour (R10.24): by the first number of what was expected and of what was found;
-- what is "no ..." or "none" is nothing.
CREATE FUNCTION casino_internal.first_amount(value text) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value ~ '^-?[0-9]+([.][0-9]+)?( |$)'
        THEN substring(value FROM '^-?[0-9]+(?:[.][0-9]+)?')::numeric
                WHEN value ~ '^(no |none$|not |neither$)' THEN 0 END;
COMMENT ON FUNCTION casino_internal.first_amount(text) IS
    'Part of difference_amount(): the amount that a text of a difference begins with, 0 where it says that '
    'there is none';

CREATE FUNCTION casino_internal.correction_amount(rule text, expected text, found text, detail jsonb)
    RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE rule
        -- more is held than is due; claims, open or waived, explain a part of that
        WHEN 'wager' THEN least(casino_internal.first_amount(found) - casino_internal.first_amount(expected),
                                casino_internal.first_amount(found) - casino_internal.first_amount(expected)
                                - (detail ->> 'open_claims')::numeric - (detail ->> 'waived')::numeric)
        WHEN 'of_nothing' THEN casino_internal.first_amount(found)
        -- the player owes nothing of it
        WHEN 'claim' THEN - casino_internal.first_amount(found)
        -- their numbers: entries, posted, claimed
        WHEN 'posted' THEN casino_internal.first_amount(split_part(found, ' ', 2))
                           - casino_internal.first_amount(split_part(expected, ' ', 2))
        -- their numbers: wagers, players, staked, paid; as those of check round_figures
        WHEN 'figures' THEN casino_internal.first_amount(split_part(expected, ' ', 4))
                            - casino_internal.first_amount(split_part(found, ' ', 4))
                            + casino_internal.first_amount(split_part(found, ' ', 3))
                            - casino_internal.first_amount(split_part(expected, ' ', 3))
    END;
COMMENT ON FUNCTION casino_internal.correction_amount(text, text, text, jsonb)
    IS 'Part of difference_amount(): CZK of a difference of check correction';

CREATE FUNCTION casino_internal.difference_amount(check_name text, rule text, expected text, found text,
                                                  detail jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN rule = 'error' AND check_name IN ('payout', 'refund', 'wallet', 'provider_amount') THEN NULL
        -- paid, returned, or in the wallet
        WHEN check_name IN ('payout', 'wallet')
            THEN casino_internal.first_amount(found) - casino_internal.first_amount(expected)
        WHEN check_name = 'refund'
            THEN CASE WHEN rule IN ('of_nothing', 'twice', 'not_due') THEN casino_internal.first_amount(found)
                      ELSE casino_internal.first_amount(found)
                           - casino_internal.first_amount(expected) END
        -- taken: less than the bet is in the player's favour
        WHEN check_name = 'trial_balance' AND rule = 'stake'
            THEN casino_internal.first_amount(expected) - casino_internal.first_amount(found)
        WHEN check_name IN ('winnings_overdue', 'withdrawal_overdue') AND rule = 'overdue'
            AND found IN ('not paid', 'neither') THEN - (detail ->> 'amount')::numeric
        WHEN check_name IN ('provider_amount', 'provider_missing_here', 'provider_missing_there') THEN
            CASE WHEN check_name = 'provider_missing_there' THEN casino_internal.first_amount(expected)
                ELSE casino_internal.first_amount(found) - casino_internal.first_amount(expected) END
            * CASE WHEN rule IN ('payout', 'refund', 'deposit') THEN 1 WHEN rule IN ('stake', 'withdrawal')
                THEN -1 END
        -- entries beyond the figures of their round: payouts are too much, stakes are lacking
        WHEN check_name = 'round_figures' THEN
            CASE rule WHEN 'paid'
                THEN casino_internal.first_amount(expected) - casino_internal.first_amount(found)
                      WHEN 'staked'
                         THEN casino_internal.first_amount(found) - casino_internal.first_amount(expected) END
        WHEN check_name = 'correction' THEN casino_internal.correction_amount(rule, expected, found, detail)
        -- R12.84: cash that is missing at a desk has left the house
        WHEN check_name = 'cage_count' AND rule <> 'missing'
            THEN casino_internal.first_amount(expected) - casino_internal.first_amount(found)
    END;
COMMENT ON FUNCTION casino_internal.difference_amount(text, text, text, text, jsonb) IS
    'Part of run_check(): CZK of a difference, positive what the player has too much; NULL where it is no '
    'sum of money';

-- One check, in a subtransaction of its own: its error is a difference like another (R10.4), but for one of
-- passing (R10.20).
CREATE FUNCTION casino_internal.run_check(run_no bigint, check_name text, function text, from_day date,
                                          to_day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept CONSTANT integer := 10000;
    last bigint;
    code text;
    message text;
    context text;
BEGIN
    SELECT coalesce(max(d.difference_no), 0) INTO last FROM casino.difference d
     WHERE d.run_no = run_check.run_no;
    BEGIN
        EXECUTE format($q$
            INSERT INTO casino.difference (run_no, difference_no, check_name, rule, player_id, round_id,
                                           entry_no, expected, found, detail, amount, recorded_at)
            SELECT $1, $2 + f.n, $3, CASE WHEN f.n > $6 THEN 'more' ELSE f.rule END, CASE WHEN f.n <= $6
                   THEN f.player_id END,
                   CASE WHEN f.n <= $6 THEN f.round_id END, CASE WHEN f.n <= $6
                       THEN f.entry_no END, CASE WHEN f.n <= $6 THEN f.expected END,
                   CASE WHEN f.n <= $6 THEN f.found ELSE format('%%s differences', f.total) END,
                   CASE WHEN f.n <= $6 THEN coalesce(f.detail, '{}') ELSE '{}' END,
                   CASE WHEN f.n <= $6 AND abs(f.amount) < 1e15 THEN round(f.amount, 2) END, clock_timestamp()
              FROM (SELECT c.*,
                    casino_internal.difference_amount($3, c.rule, c.expected, c.found, c.detail) AS amount,
                           row_number() OVER (ORDER BY c.player_id, c.entry_no, c.round_id) AS n,
                           count(*) OVER () AS total FROM %s($4, $5) c) f
             WHERE f.n <= $6 + 1$q$, function)
        USING run_no, last, check_name, from_day, to_day, kept;
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            context = PG_EXCEPTION_CONTEXT;
        IF casino_internal.passes(code) THEN
            RAISE;
        END IF;
        INSERT INTO casino.difference (run_no, difference_no, check_name, rule, expected, found, detail,
                                       recorded_at)
        VALUES (run_no, last + 1, check_name, 'error', 'the check runs to its end', code || ': ' || message,
                jsonb_build_object('context', context), clock_timestamp());
    END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.run_check(bigint, text, text, date, date) IS
    'Part of reconciliation_step(): one check, its findings or its error kept in casino.difference';

-- Indexes by day know the pages that have been summarised; others are read whole.  Done before the checks,
-- which ask by day, and not by autovacuum while stakes come: its queue of such requests is short, and each
-- one that finds no room there is a line of the log (R10.21).
CREATE FUNCTION casino_internal.summarize_days() RETURNS bigint
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(sum(brin_summarize_new_values(i.indexrelid)), 0)
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_am a ON a.oid = c.relam AND a.amname = 'brin'
     WHERE c.relnamespace = 'casino'::regnamespace
       AND c.relowner = (SELECT l.relowner FROM pg_class l WHERE l.oid = 'casino.ledger'::regclass)
$fn$;
COMMENT ON FUNCTION casino_internal.summarize_days() IS
    'Part of a night: lets the indexes by day know the pages filled since the night before. Returns how '
    'many ranges of pages were new';

CREATE FUNCTION casino_internal.run_night_step(run_no bigint, step text, day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CASE step
        WHEN 'indexes' THEN
            PERFORM casino_internal.summarize_days();
            -- autovacuum looks at each book, and never at all of them (R10.50)
            -- amounts and bets are compared when the entries are found: no plan hangs on their values
            EXECUTE (SELECT format('ANALYZE (SKIP_LOCKED) casino.ledger (%s)',
                                   string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum))
                       FROM pg_attribute a
                      WHERE a.attrelid = 'casino.ledger'::regclass
                        AND a.attnum > 0
                        AND NOT a.attisdropped
                        AND a.attname NOT IN ('amount', 'balance', 'bet'));
        WHEN 'deadlines' THEN
            PERFORM casino.record_overdue(), casino_internal.forget_salts(clock_timestamp());
        WHEN 'seal' THEN
            -- R12.166: nothing of the books is of the day, also where a history was put in
            IF day < (SELECT casino.prague_day(min(w.recorded_at)) FROM casino.recorder w)
               AND NOT casino_internal.began_before(casino.day_start(day + 1)) THEN
                RAISE NOTICE 'day % is not sealed', day
                    USING DETAIL = 'The books begin after it.';
            ELSE
                PERFORM casino.seal(day);
            END IF;
        WHEN 'report' THEN
            PERFORM casino_internal.watch_day_impl(day), casino_internal.keep_returns(day),
                casino_internal.keep_day_totals_impl(day);
            -- last: it reads what the others have added up
            PERFORM casino_internal.keep_daily_report(run_no, day);
        ELSE
            RAISE EXCEPTION 'unknown step of a night: "%"', step USING ERRCODE = 'invalid_parameter_value';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino_internal.run_night_step(bigint, text, date) IS
    'Part of reconciliation_step(): indexes, deadlines, seal, or report: what return_watch and '
    'account_movements() add up, and the report of the day';

CREATE FUNCTION casino_internal.reconciliation_step(run_no bigint, OUT more boolean, OUT error text)
    RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog,
    pg_temp SET jit = off SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
DECLARE
    run casino.reconciliation;
    now_done record;
    following text;
    steps integer;
    checked boolean;
BEGIN
    SELECT r.* INTO run FROM casino.reconciliation r WHERE r.run_no = reconciliation_step.run_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % does not exist',
            coalesce(run_no::text, 'NULL') USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT s.* INTO now_done FROM casino_internal.reconciliation_steps(run.night) s
        WHERE s.step_no = run.done + 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % has no step left', run_no
            USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = format('Its status is %s.', run.status);
    END IF;
    SELECT count(*), min(s.step) FILTER (WHERE s.step_no = run.done + 2),
           coalesce(bool_and(s.function IS NULL) FILTER (WHERE s.step_no > run.done + 1), true)
      INTO steps, following, checked FROM casino_internal.reconciliation_steps(run.night) s;
    BEGIN
        IF now_done.function IS NOT NULL THEN
            PERFORM casino_internal.run_check(run_no, now_done.step, now_done.function, run.from_day,
                                              run.to_day);
        ELSE
            PERFORM casino_internal.run_night_step(run_no, now_done.step, run.to_day);
        END IF;
    EXCEPTION WHEN OTHERS THEN
        error := SQLSTATE || ' ' || SQLERRM;
        UPDATE casino.reconciliation r SET status = 'failed', error = reconciliation_step.error
         WHERE r.run_no = run.run_no;
        more := false;
        RETURN;
    END;
    more := following IS NOT NULL;
    UPDATE casino.reconciliation r
       SET done = r.done + 1, total = steps, step = following,
           status = CASE WHEN NOT checked THEN 'running'
                         WHEN EXISTS (SELECT FROM casino.difference d WHERE d.run_no = run.run_no)
                             THEN 'differences' ELSE 'clean' END,
           finished_at = CASE WHEN NOT more THEN clock_timestamp() END,
           amount = (SELECT sum(d.amount) FROM casino.difference d WHERE d.run_no = run.run_no)
     WHERE r.run_no = run.run_no RETURNING r.* INTO run;
    IF NOT more THEN
        RAISE NOTICE 'reconciliation % of % to %: % differences', run.run_no, run.from_day, run.to_day,
                     (SELECT count(*) FROM casino.difference d WHERE d.run_no = run.run_no);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.reconciliation_step(bigint) IS
    'Part of nightly() and reconcile(): does the next step of a run; more: there is another one; error: '
    'SQLSTATE and message of a step that failed';

CREATE FUNCTION casino.recheck(run_no bigint, check_name text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recheck(bigint, text) IS
    'Makes one check of a finished night or reconciliation again, over its days, and returns the number of '
    'the run that has what it finds now; the run before stays as it was. 55000 while that one is not '
    'finished';

CREATE FUNCTION casino_internal.recheck_impl(run_no bigint, check_name text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog,
    pg_temp SET jit = off SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
DECLARE
    before casino.reconciliation;
    function_name text;
    number bigint;
BEGIN
    IF run_no IS NULL OR check_name IS NULL THEN
        RAISE EXCEPTION 'run_no and check_name must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT r.* INTO before FROM casino.reconciliation r WHERE r.run_no = recheck_impl.run_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % does not exist', run_no USING ERRCODE = 'foreign_key_violation';
    ELSIF before.finished_at IS NULL THEN
        RAISE EXCEPTION 'reconciliation % is not finished', run_no
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Called again it goes on, and makes the check itself.';
    END IF;
    SELECT c.function INTO function_name FROM casino.reconciliation_checks() c
     WHERE c.check_name = recheck_impl.check_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'unknown check: "%"', check_name
            USING ERRCODE = 'invalid_parameter_value',
                HINT = 'casino.reconciliation_checks() has their names.';
    END IF;
    -- a night that begins takes the next number: after this one
    LOCK TABLE casino.reconciliation IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO casino.reconciliation AS r (run_no, from_day, to_day, night, started_at, status, step, done,
                                            total, repeats, repeated)
    SELECT max(x.run_no) + 1, before.from_day, before.to_day, false, clock_timestamp(), 'running',
           recheck_impl.check_name, 0, 1, before.run_no, recheck_impl.check_name
      FROM casino.reconciliation x
    RETURNING r.run_no INTO number;
    PERFORM casino_internal.run_check(number, check_name, function_name, before.from_day, before.to_day);
    UPDATE casino.reconciliation r
       SET done = 1, step = NULL, finished_at = clock_timestamp(),
           status = CASE WHEN EXISTS (SELECT FROM casino.difference d WHERE d.run_no = number)
               THEN 'differences' ELSE 'clean' END,
           amount = (SELECT sum(d.amount) FROM casino.difference d WHERE d.run_no = number)
     WHERE r.run_no = number;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino_internal.recheck_impl(bigint, text)
    IS 'Body of recheck(), run as the owner of the ledger';

-- R10.58: the differences of a night, for a reader. A check that fails is an error here, because no run keeps
-- the failure.
CREATE FUNCTION casino.check_days(from_day date, to_day date, OUT check_name text, OUT rule text,
                                  OUT player_id bigint, OUT round_id bigint, OUT entry_no bigint,
                                  OUT expected text, OUT found text, OUT detail jsonb,
                                  OUT amount numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_check_days' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.check_days(date, date)
    IS 'Runs all checks over the entries of Prague days and returns the differences, with CZK in dispute as '
       'in casino.difference; writes nothing, also in a transaction that is READ ONLY. The days need not be '
       'over';

CREATE FUNCTION casino_internal.check_days_impl(from_day date, to_day date, OUT check_name text,
                                                OUT rule text,
                                                OUT player_id bigint, OUT round_id bigint,
                                                    OUT entry_no bigint,
                                                OUT expected text, OUT found text, OUT detail jsonb,
                                                OUT amount numeric) RETURNS SETOF record
LANGUAGE plpgsql ROWS 100 SET search_path = pg_catalog, pg_temp SET jit = off
SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
DECLARE
    checked record;
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    FOR checked IN SELECT c.check_name AS name, c.function
                     FROM casino.reconciliation_checks() c
                    ORDER BY c.check_no LOOP
        RETURN QUERY EXECUTE format(
            'SELECT %1$L::text, f.rule, f.player_id, f.round_id, f.entry_no, f.expected, f.found, f.detail, '
            'casino_internal.difference_amount(%1$L, f.rule, f.expected, f.found, f.detail) '
            'FROM %2$s($1, $2) f', checked.name, checked.function)
          USING from_day, to_day;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_days_impl(date, date)
    IS 'Body of check_days(), run as the owner of the ledger';
