-- What the figures need beside the evidence: totals of finished days, and indexes that find the events of a day.

CREATE FUNCTION casino.install_figures() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    event record;
BEGIN
    CREATE TABLE casino.day_total (
        day     date NOT NULL,
        kind    text NOT NULL,
        entries bigint NOT NULL CHECK (entries > 0),
        amount  numeric NOT NULL,
        PRIMARY KEY (day, kind)
    );
    COMMENT ON TABLE casino.day_total IS 'What finished Prague days have moved, by kind of entry: made by keep_day_totals() from the ledger, and made anew when an entry was dated back';
    COMMENT ON COLUMN casino.day_total.day IS 'Prague day of the entries';
    COMMENT ON COLUMN casino.day_total.kind IS 'Kind of entry; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.day_total.entries IS 'Entries';
    COMMENT ON COLUMN casino.day_total.amount IS 'CZK, the sum of their amounts';

    -- a few bytes a range of pages: events come nearly in the order of their times
    FOR event IN SELECT * FROM (VALUES ('breach', 'occurred_at'), ('exclusion', 'excluded_from'), ('exclusion_end', 'ended_at'), ('player_limit', 'requested_at'),
                                       ('payment_account', 'registered_at'), ('refusal', 'refused_at'), ('disconnection', 'disconnected_at'),
                                       ('withholding', 'withheld_at'), ('withholding_end', 'ended_at'), ('withdrawal_approval', 'approved_at'),
                                       ('excused_delay', 'excused_at'), ('box_handover', 'handed_at')) AS e (name, time) LOOP
        EXECUTE format('CREATE INDEX %I ON casino.%I USING brin (%I) WITH (pages_per_range = 16, autosummarize = on)', event.name || '_day', event.name, event.time);
        EXECUTE format('COMMENT ON INDEX casino.%I IS %L', event.name || '_day', 'Finds the events of a day, whatever the history');
    END LOOP;
    CREATE INDEX round_voided ON casino.round (voided_at) WHERE voided_at IS NOT NULL;
    CREATE INDEX round_withheld_at ON casino.round (withheld_at) WHERE withheld_at IS NOT NULL;
    COMMENT ON INDEX casino.round_voided IS 'Finds the rounds voided on a day';
    COMMENT ON INDEX casino.round_withheld_at IS 'Finds the rounds whose winnings were withheld on a day';
END
$fn$;
COMMENT ON FUNCTION casino.install_figures() IS 'Part of casino.install(): totals of days, indexes by time';
