-- Who did it: the role that called, its login and the person it names, kept with every entry and act.

CREATE FUNCTION casino.install_recorder() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    evidence text;
    loaded boolean;
BEGIN
    CREATE SEQUENCE casino.recorder_id_seq AS integer;
    COMMENT ON SEQUENCE casino.recorder_id_seq IS 'Numbers of recorders';

    CREATE TABLE casino.recorder (
        recorder_id integer PRIMARY KEY,
        role        text NOT NULL,
        login       text NOT NULL,
        actor       text,
        recorded_at timestamptz NOT NULL
    );
    CREATE INDEX recorder_role ON casino.recorder (role, login, coalesce(actor, ''));
    COMMENT ON INDEX casino.recorder_role IS 'Finds the number of a combination';
    COMMENT ON TABLE casino.recorder IS 'Append-only: who records. One row for each combination of role, login and person; two numbers of one mean the same';
    COMMENT ON COLUMN casino.recorder.recorder_id IS 'Number that entries and acts keep';
    COMMENT ON COLUMN casino.recorder.role IS 'Database role in effect at the call, by its name then (current_user)';
    COMMENT ON COLUMN casino.recorder.login IS 'Role that had logged in (session_user)';
    COMMENT ON COLUMN casino.recorder.actor IS 'Person on whose behalf, as the session said in casino.actor; NULL: it said nothing';
    COMMENT ON COLUMN casino.recorder.recorded_at IS 'When the combination was first met';
    CREATE TRIGGER recorder_guard BEFORE INSERT ON casino.recorder
        FOR EACH ROW EXECUTE FUNCTION casino.recorder_guard();
    COMMENT ON TRIGGER recorder_guard ON casino.recorder IS 'Only the ledger''s own code enters recorders';

    FOREACH evidence IN ARRAY ARRAY['breach', 'cancelled_request', 'exclusion', 'player_limit', 'payment_account', 'refusal', 'exclusion_end', 'other_play', 'box_handover',
                                    'table_version', 'table_limit', 'deal',
                                    'withdrawal_approval', 'excused_delay', 'disconnection', 'withholding', 'withholding_end', 'reconciliation', 'difference_note', 'day_report', 'day_seal', 'provider_report',
                                    'game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule'] LOOP
        -- the plans that install() loads are nobody's decision: it leaves no recorder, so that data can be restored beside them
        loaded := EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = format('casino.%I', evidence)::regclass AND a.attname = 'plan_id');
        EXECUTE format('ALTER TABLE casino.%I ADD COLUMN recorded_by integer %s', evidence, CASE WHEN NOT loaded THEN 'NOT NULL' END);
        EXECUTE format('COMMENT ON COLUMN casino.%I.recorded_by IS %L', evidence,
                       'Who recorded it: casino.recorder' || CASE WHEN loaded THEN '; NULL: install()' ELSE '' END);
        EXECUTE format('CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.record_who(%L)', evidence, 'recorded_by');
        EXECUTE format('COMMENT ON TRIGGER record_who ON casino.%I IS %L', evidence, 'Fills in who recorded the row');
    END LOOP;

    ALTER TABLE casino.round ADD COLUMN opened_by integer NOT NULL, ADD COLUMN betting_closed_by integer,
        ADD COLUMN actions_closed_by integer, ADD COLUMN evaluated_by integer, ADD COLUMN withheld_paid_by integer,
        ADD COLUMN withheld_by integer, ADD COLUMN voided_by integer;
    COMMENT ON COLUMN casino.round.opened_by IS 'Who opened it: casino.recorder';
    COMMENT ON COLUMN casino.round.betting_closed_by IS 'Who closed betting: casino.recorder';
    COMMENT ON COLUMN casino.round.actions_closed_by IS 'Who ended the decisions: casino.recorder';
    COMMENT ON COLUMN casino.round.evaluated_by IS 'Who settled, withheld or voided it: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_paid_by IS 'Who paid what was withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_by IS 'Who ordered that its winnings are withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.voided_by IS 'Who voided it: casino.recorder';
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.round FOR EACH ROW
        EXECUTE FUNCTION casino.record_who('opened_by', 'opened_at', 'betting_closed_by', 'betting_closed_at', 'actions_closed_by', 'actions_closed_at',
                                           'evaluated_by', 'evaluated_at', 'withheld_paid_by', 'withheld_paid_at', 'withheld_by', 'withheld_at', 'voided_by', 'voided_at');
    COMMENT ON TRIGGER record_who ON casino.round IS 'Fills in who did it';

    ALTER TABLE casino.player ADD COLUMN registered_by integer NOT NULL, ADD COLUMN closed_by integer;
    COMMENT ON COLUMN casino.player.registered_by IS 'Who opened the account: casino.recorder';
    COMMENT ON COLUMN casino.player.closed_by IS 'Who closed the account: casino.recorder';
    -- not on every UPDATE: a settlement updates all its players
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE OF registered_at, registered_by, closed_at, closed_by ON casino.player FOR EACH ROW
        EXECUTE FUNCTION casino.record_who('registered_by', 'registered_at', 'closed_by', 'closed_at');
    COMMENT ON TRIGGER record_who ON casino.player IS 'Fills in who opened and closed the account';
END
$fn$;
COMMENT ON FUNCTION casino.install_recorder() IS 'Part of casino.install(): who recorded each row of evidence';
