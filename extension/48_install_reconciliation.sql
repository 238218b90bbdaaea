-- Tables of the nightly reconciliation: runs with their progress, what did not fit, who explained it, and the reports of the days.

CREATE FUNCTION casino.reconciliation_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.finished_at IS NOT NULL
       OR (OLD.run_no, OLD.from_day, OLD.to_day, OLD.night, OLD.started_at) IS DISTINCT FROM (NEW.run_no, NEW.from_day, NEW.to_day, NEW.night, NEW.started_at) THEN
        RAISE EXCEPTION 'reconciliation % does not change', OLD.run_no
            USING ERRCODE = 'KL001', DETAIL = 'Only the progress of the run in hand does.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.reconciliation_guard() IS 'Trigger of casino.reconciliation: only the progress of a run in hand changes';

CREATE FUNCTION casino.install_reconciliation() RETURNS void
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
        CHECK (finished_at IS NULL OR status IN ('clean', 'differences'))
    );
    CREATE UNIQUE INDEX reconciliation_unfinished ON casino.reconciliation (from_day, to_day, night) WHERE finished_at IS NULL;
    CREATE INDEX reconciliation_day ON casino.reconciliation (to_day, from_day);
    COMMENT ON INDEX casino.reconciliation_unfinished IS 'A run that was stopped is found and goes on; there is one of the same days';
    COMMENT ON INDEX casino.reconciliation_day IS 'Finds the runs of a day';
    COMMENT ON TABLE casino.reconciliation IS 'Runs of casino.nightly() and casino.reconcile(); the row of the run in hand shows how far it is, others do not change';
    COMMENT ON COLUMN casino.reconciliation.run_no IS 'Counts the runs from 1';
    COMMENT ON COLUMN casino.reconciliation.from_day IS 'First Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.to_day IS 'Last Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.night IS 'A night: deadlines before the checks, seal and report after them';
    COMMENT ON COLUMN casino.reconciliation.started_at IS 'When it was started';
    COMMENT ON COLUMN casino.reconciliation.finished_at IS 'When its last step was done; NULL: it is in hand, or was stopped and goes on when it is called again';
    COMMENT ON COLUMN casino.reconciliation.status IS 'running; clean or differences as soon as all checks are done; failed: a step ended in an error, and is repeated when the run is called again';
    COMMENT ON COLUMN casino.reconciliation.step IS 'Step in hand; NULL: all are done';
    COMMENT ON COLUMN casino.reconciliation.done IS 'Steps that are done';
    COMMENT ON COLUMN casino.reconciliation.total IS 'Steps of the run';
    COMMENT ON COLUMN casino.reconciliation.error IS 'SQLSTATE and message of the step that failed';

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
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no)
    );
    COMMENT ON TABLE casino.difference IS 'Append-only: what a check found that does not fit';
    COMMENT ON COLUMN casino.difference.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference.difference_no IS 'Counts the differences of a run from 1';
    COMMENT ON COLUMN casino.difference.check_name IS 'Check, see casino.reconciliation_checks()';
    COMMENT ON COLUMN casino.difference.rule IS 'What of the check does not hold; error: the check itself failed; more: it found more than are kept';
    COMMENT ON COLUMN casino.difference.player_id IS 'Player concerned, if one is';
    COMMENT ON COLUMN casino.difference.round_id IS 'Round concerned, if one is';
    COMMENT ON COLUMN casino.difference.entry_no IS 'Ledger entry of the player, if one is concerned';
    COMMENT ON COLUMN casino.difference.expected IS 'What the evidence gives';
    COMMENT ON COLUMN casino.difference.found IS 'What is there';
    COMMENT ON COLUMN casino.difference.detail IS 'Further values';
    COMMENT ON COLUMN casino.difference.recorded_at IS 'When it was found';

    CREATE TABLE casino.difference_note (
        run_no        bigint NOT NULL,
        difference_no bigint NOT NULL,
        note_no       integer NOT NULL CHECK (note_no > 0),
        note          text NOT NULL CHECK (octet_length(note) <= 4000),
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no, note_no),
        FOREIGN KEY (run_no, difference_no) REFERENCES casino.difference
    );
    COMMENT ON TABLE casino.difference_note IS 'Append-only: explanations of differences, who gave them and when (the variance report)';
    COMMENT ON COLUMN casino.difference_note.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference_note.difference_no IS 'Difference that is explained';
    COMMENT ON COLUMN casino.difference_note.note_no IS 'Counts the notes of a difference from 1';
    COMMENT ON COLUMN casino.difference_note.note IS 'The explanation';
    COMMENT ON COLUMN casino.difference_note.recorded_at IS 'When it was written';

    CREATE TABLE casino.day_report (
        day     date NOT NULL,
        run_no  bigint NOT NULL REFERENCES casino.reconciliation,
        report  jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object'),
        made_at timestamptz NOT NULL,
        PRIMARY KEY (day, run_no)
    );
    COMMENT ON TABLE casino.day_report IS 'Append-only: the reports of the days as their nights made them; daily_report() tells what is known of a day now';
    COMMENT ON COLUMN casino.day_report.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.day_report.run_no IS 'Run of casino.nightly() that made it';
    COMMENT ON COLUMN casino.day_report.report IS 'What daily_report() returned; of the run itself it shows the checks, not yet its end';
    COMMENT ON COLUMN casino.day_report.made_at IS 'When it was made';

    CREATE TABLE casino.plan_digest (
        plan_id     bigint NOT NULL REFERENCES casino.game_plan,
        part        text NOT NULL CHECK (part IN ('game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule')),
        row_key     text NOT NULL,
        content     jsonb NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (plan_id, part, row_key)
    );
    COMMENT ON TABLE casino.plan_digest IS 'Append-only: the rows of each plan version as they were when it was loaded or came into force, to hold the plan against';
    COMMENT ON COLUMN casino.plan_digest.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_digest.part IS 'Table of the row';
    COMMENT ON COLUMN casino.plan_digest.row_key IS 'Key of the row in it, without the plan''s; empty for the version itself';
    COMMENT ON COLUMN casino.plan_digest.content IS 'The row as it was';
    COMMENT ON COLUMN casino.plan_digest.recorded_at IS 'When it was kept';

    -- the entries of a day, by when they happened or were written: entries come in that order, so a few bytes a range of pages tell
    CREATE INDEX ledger_day ON casino.ledger USING brin (posted_at, recorded_at) WITH (pages_per_range = 32, autosummarize = on);
    COMMENT ON INDEX casino.ledger_day IS 'Finds the entries of a day, whatever the history';

    CREATE TRIGGER reconciliation_guard BEFORE UPDATE OR DELETE ON casino.reconciliation
        FOR EACH ROW EXECUTE FUNCTION casino.reconciliation_guard();
    COMMENT ON TRIGGER reconciliation_guard ON casino.reconciliation IS 'Only the progress of the run in hand changes';
    -- who recorded a row is no part of a plan
    CREATE VIEW casino.plan_row AS
        SELECT p.plan_id, 'game_plan' AS part, '' AS row_key, to_jsonb(p) - 'recorded_by' || jsonb_build_object('valid_from', p.valid_from AT TIME ZONE 'UTC') AS content FROM casino.game_plan p
        UNION ALL SELECT r.plan_id, 'plan_rule', r.rule, to_jsonb(r) - 'recorded_by' FROM casino.plan_rule r
        UNION ALL SELECT b.plan_id, 'bet_rule', b.kind, to_jsonb(b) - 'recorded_by' FROM casino.bet_rule b
        UNION ALL SELECT t.plan_id, 'paytable', t.kind || ' ' || t.grade, to_jsonb(t) - 'recorded_by' FROM casino.paytable t
        UNION ALL SELECT a.plan_id, 'announced_rule', a.stem, to_jsonb(a) - 'recorded_by' FROM casino.announced_rule a;
    COMMENT ON VIEW casino.plan_row IS 'All rows of all plan versions, one JSON object each, as casino.plan_digest keeps them';
    COMMENT ON COLUMN casino.plan_row.content IS 'The row, but for who recorded it';
END
$fn$;
COMMENT ON FUNCTION casino.install_reconciliation() IS 'Part of casino.install(): runs, differences, notes, reports of days, kept rows of plans';
