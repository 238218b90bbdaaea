-- Reports of the providers: what they say happened on a day, line by line.

CREATE FUNCTION casino.install_provider() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.provider_report (
        provider    text NOT NULL CHECK (btrim(provider, E' \t\r\n') <> '' AND octet_length(provider) <= 100),
        day         date NOT NULL CHECK (isfinite(day)),
        report_no   integer NOT NULL CHECK (report_no > 0),
        begun_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (provider, day, report_no)
    );
    COMMENT ON TABLE casino.provider_report IS 'Append-only: reports of providers; of a provider and day the last one counts, earlier ones are kept';
    COMMENT ON COLUMN casino.provider_report.provider IS 'The operator''s name of the provider';
    COMMENT ON COLUMN casino.provider_report.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.provider_report.report_no IS 'Counts the reports on a day from 1';
    COMMENT ON COLUMN casino.provider_report.begun_at IS 'Beginning of the transaction that loaded it: lines loaded in one transaction are one report';
    COMMENT ON COLUMN casino.provider_report.recorded_at IS 'When it was written';

    CREATE TABLE casino.provider_record (
        provider     text NOT NULL,
        day          date NOT NULL,
        line_no      bigint NOT NULL CHECK (line_no > 0),
        kind         text NOT NULL CHECK (kind IN ('round', 'stake', 'payout', 'refund', 'deposit', 'withdrawal')),
        ref          text CHECK (btrim(ref, E' \t\r\n') <> '' AND octet_length(ref) <= 200),
        round_ref    text CHECK (octet_length(round_ref) <= 200),
        table_name   text CHECK (octet_length(table_name) <= 200),
        external_ref text CHECK (octet_length(external_ref) <= 200),
        amount       numeric CHECK (amount >= 0 AND amount < 1000000000000 AND amount = round(amount, 2)),
        at           timestamptz NOT NULL CHECK (isfinite(at)),
        data         jsonb CHECK (jsonb_typeof(data) = 'object'),
        report_no    integer NOT NULL,
        PRIMARY KEY (provider, day, report_no, line_no),
        FOREIGN KEY (provider, day, report_no) REFERENCES casino.provider_report,
        CONSTRAINT provider_record_place CHECK (kind IN ('deposit', 'withdrawal') OR (round_ref IS NOT NULL AND table_name IS NOT NULL)),
        CONSTRAINT provider_record_money CHECK (kind = 'round' OR (ref IS NOT NULL AND external_ref IS NOT NULL AND amount IS NOT NULL))
    );
    CREATE INDEX provider_record_ref ON casino.provider_record (ref, kind);
    CREATE INDEX provider_record_round ON casino.provider_record (round_ref, table_name) WHERE kind = 'round';
    CREATE INDEX provider_record_day ON casino.provider_record (day);
    COMMENT ON INDEX casino.provider_record_day IS 'Finds the lines of some days';
    COMMENT ON INDEX casino.provider_record_ref IS 'Finds what was reported of a request or payment';
    COMMENT ON INDEX casino.provider_record_round IS 'Finds what was reported of a round';
    COMMENT ON TABLE casino.provider_record IS 'Append-only: lines of the providers'' reports, loaded by load_provider_report() or COPY';
    COMMENT ON COLUMN casino.provider_record.provider IS 'Provider';
    COMMENT ON COLUMN casino.provider_record.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.provider_record.line_no IS 'Line of the report, from 1';
    COMMENT ON COLUMN casino.provider_record.kind IS 'round, stake, payout, refund, deposit or withdrawal (one that was paid)';
    COMMENT ON COLUMN casino.provider_record.ref IS 'Request of a stake, also of what it was paid or returned; request or payment reference of a deposit or withdrawal. One line a request: its bets together';
    COMMENT ON COLUMN casino.provider_record.round_ref IS 'The provider''s name of the round';
    COMMENT ON COLUMN casino.provider_record.table_name IS 'Table of the round';
    COMMENT ON COLUMN casino.provider_record.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.provider_record.amount IS 'CZK';
    COMMENT ON COLUMN casino.provider_record.at IS 'When it happened; of a round its evaluation';
    COMMENT ON COLUMN casino.provider_record.data IS 'More of it; of a round outcome (its document), or "voided": true';
    COMMENT ON COLUMN casino.provider_record.report_no IS 'Report the line came with, filled in when it is loaded';
    CREATE TRIGGER provider_line BEFORE INSERT ON casino.provider_record FOR EACH ROW EXECUTE FUNCTION casino.provider_line();
    COMMENT ON TRIGGER provider_line ON casino.provider_record IS 'Puts the lines that one transaction loads of a provider and day into one report';

    CREATE VIEW casino.provider_current AS
        SELECT r.* FROM casino.provider_record r
         WHERE r.report_no = (SELECT max(x.report_no) FROM casino.provider_report x WHERE x.provider = r.provider AND x.day = r.day);
    COMMENT ON VIEW casino.provider_current IS 'Lines of the reports that count: the last one of each provider and day';
END
$fn$;
COMMENT ON FUNCTION casino.install_provider() IS 'Part of casino.install(): reports of providers';
