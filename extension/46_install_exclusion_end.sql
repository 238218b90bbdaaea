-- Ends of exclusions by decision (D4 §6.2): the table and the view that shows what an exclusion amounts to.

CREATE FUNCTION casino.install_exclusion_end() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.exclusion_end (
        player_id    bigint NOT NULL,
        exclusion_no integer NOT NULL,
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        ended_at     timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion_end IS 'Append-only: exclusions of the register or the operator that were ended by a decision before their time';
    COMMENT ON COLUMN casino.exclusion_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion_end.exclusion_no IS 'Which of his exclusions';
    COMMENT ON COLUMN casino.exclusion_end.reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_end.ended_at IS 'From here it excludes no more';
    COMMENT ON COLUMN casino.exclusion_end.recorded_at IS 'When it was written';
END
$fn$;
COMMENT ON FUNCTION casino.install_exclusion_end() IS 'Part of casino.install(): ends of exclusions';

CREATE FUNCTION casino.install_exclusion_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.exclusion_period AS
        SELECT e.player_id, e.exclusion_no, e.source, e.excluded_from,
               least(e.excluded_until, n.ended_at) AS excluded_until,
               e.excluded_until AS asked_until, n.ended_at, n.reason AS end_reason, e.recorded_at,
               n.recorded_at AS end_recorded_at, w.role AS end_role, w.actor AS end_actor
          FROM casino.exclusion e
          LEFT JOIN casino.exclusion_end n ON n.player_id = e.player_id AND n.exclusion_no = e.exclusion_no
          LEFT JOIN casino.recorder w ON w.recorder_id = n.recorded_by;
    COMMENT ON VIEW casino.exclusion_period IS 'Exclusions with the time they really last: to their end, or to the decision that ended them before';
    COMMENT ON COLUMN casino.exclusion_period.excluded_until IS 'Until here, exclusive: what was asked for, or the decision that ended it; infinity for no end';
    COMMENT ON COLUMN casino.exclusion_period.asked_until IS 'Until when it was asked for; infinity for no end';
    COMMENT ON COLUMN casino.exclusion_period.ended_at IS 'When a decision ended it; NULL: none did';
    COMMENT ON COLUMN casino.exclusion_period.end_reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_period.end_recorded_at IS 'When that was written';
    COMMENT ON COLUMN casino.exclusion_period.end_role IS 'Database role that recorded the decision';
    COMMENT ON COLUMN casino.exclusion_period.end_actor IS 'Person on whose behalf, where named';
END
$fn$;
COMMENT ON FUNCTION casino.install_exclusion_views() IS 'Part of casino.install(): how long exclusions really last';
