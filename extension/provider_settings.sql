-- How a provider counts: the seconds by which its clock may differ, its time zone, and when its day begins.
-- A row holds from a day of the provider on (R10.42); without one it is a minute, Prague and midnight.

CREATE FUNCTION casino_internal.install_provider_settings() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.provider_setting (
        provider          text NOT NULL CHECK (btrim(provider, E' \t\r\n') <> ''
                                               AND octet_length(provider) <= 100),
        valid_from        date NOT NULL CHECK (isfinite(valid_from)),
        tolerance_seconds integer NOT NULL CHECK (tolerance_seconds BETWEEN 0 AND 86400),
        time_zone         text NOT NULL CHECK (octet_length(time_zone) <= 100),
        day_starts        text NOT NULL CHECK (day_starts ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
        recorded_at       timestamptz NOT NULL,
        PRIMARY KEY (provider, valid_from)
    );
    COMMENT ON TABLE casino.provider_setting
        IS 'Append-only: how providers count, each row from a day on until the next one';
    COMMENT ON COLUMN casino.provider_setting.provider IS 'Provider, as its reports are loaded';
    COMMENT ON COLUMN casino.provider_setting.valid_from IS 'First day of the provider that it holds for';
    COMMENT ON COLUMN casino.provider_setting.tolerance_seconds
        IS 'Seconds by which a time of the report may differ from ours';
    COMMENT ON COLUMN casino.provider_setting.time_zone IS 'Time zone of its days';
    COMMENT ON COLUMN casino.provider_setting.day_starts
        IS 'When its day begins there, and the day before ends, as 06:00';
    COMMENT ON COLUMN casino.provider_setting.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_recorded('provider_setting');
    PERFORM casino_internal.make_append_only('provider_setting');
    CREATE TRIGGER not_back BEFORE INSERT ON casino.provider_setting
        FOR EACH ROW EXECUTE FUNCTION casino_internal.provider_setting_not_back();
    COMMENT ON TRIGGER not_back ON casino.provider_setting
        IS 'Refuses an unknown time zone (22023), and a day that has begun (KL005)';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_provider_settings()
    IS 'Part of casino.install(): how providers count';

-- A day that was compared keeps the setting that it was compared by.
CREATE FUNCTION casino_internal.provider_day_not_back(subject text, first_day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- R12.153
    PERFORM casino_internal.event_time(NULL);
    IF current_setting('casino.clock_skew') <> '-1'
       AND first_day <= casino.prague_day(clock_timestamp()) THEN
        RAISE EXCEPTION '% cannot be dated back', subject
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', first_day)::text,
                  DETAIL = format('It was to hold from %s, and it is %s.', first_day,
                                  casino.prague_day(clock_timestamp()));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_day_not_back(text, date)
    IS 'Part of the triggers of provider_setting and provider_operation: KL005 for a first day that '
       'has begun';

CREATE FUNCTION casino_internal.provider_setting_not_back() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_timezone_names z WHERE z.name = NEW.time_zone) THEN
        RAISE EXCEPTION 'unknown time zone: "%"', NEW.time_zone
            USING ERRCODE = 'invalid_parameter_value', HINT = 'pg_timezone_names has their names.';
    END IF;
    PERFORM casino_internal.provider_day_not_back('a setting of a provider', NEW.valid_from);
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_setting_not_back()
    IS 'Trigger of provider_setting: its time zone exists, and its first day has not begun';

CREATE FUNCTION casino.set_provider_setting(provider text, valid_from date,
                                            tolerance_seconds integer DEFAULT 60,
                                            time_zone text DEFAULT 'Europe/Prague',
                                            day_starts text DEFAULT '00:00') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF provider IS NULL OR valid_from IS NULL OR tolerance_seconds IS NULL OR time_zone IS NULL
       OR day_starts IS NULL THEN
        RAISE EXCEPTION 'provider, valid_from, tolerance_seconds, time_zone and day_starts must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF EXISTS (SELECT FROM casino.provider_setting s
                WHERE (s.provider, s.valid_from, s.tolerance_seconds, s.time_zone, s.day_starts)
                      = (set_provider_setting.provider, set_provider_setting.valid_from,
                         set_provider_setting.tolerance_seconds, set_provider_setting.time_zone,
                         set_provider_setting.day_starts)) THEN
        RETURN;
    END IF;
    INSERT INTO casino.provider_setting (provider, valid_from, tolerance_seconds, time_zone, day_starts,
                                         recorded_at)
    VALUES (set_provider_setting.provider, set_provider_setting.valid_from,
            set_provider_setting.tolerance_seconds, set_provider_setting.time_zone,
            set_provider_setting.day_starts, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.set_provider_setting(text, date, integer, text, text)
    IS 'Sets how a provider counts, from one of its days on, not dated back: seconds by which its clock may '
       'differ, the time zone of its days, and when they begin; for the owner';

CREATE FUNCTION casino_internal.provider_setting_of(provider text, day date, OUT tolerance interval,
                                                    OUT starts_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT make_interval(secs => coalesce(s.tolerance_seconds, 60)),
           (provider_setting_of.day + coalesce(s.day_starts, '00:00')::time)
               AT TIME ZONE coalesce(s.time_zone, 'Europe/Prague')
      FROM (VALUES (1)) one (n)
      LEFT JOIN LATERAL (SELECT x.*
                           FROM casino.provider_setting x
                          WHERE x.provider = provider_setting_of.provider
                            AND x.valid_from <= provider_setting_of.day
                          ORDER BY x.valid_from DESC
                          LIMIT 1) s ON true
$fn$;
COMMENT ON FUNCTION casino_internal.provider_setting_of(text, date)
    IS 'Part of the checks of providers: by how much a time may differ in the report of a day, and when the '
       'day begins';
