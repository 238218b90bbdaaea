-- Reports of providers: loading them, and holding them against rounds, wagers and ledger.

CREATE FUNCTION casino_internal.install_provider() RETURNS void
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
    COMMENT ON TABLE casino.provider_report
        IS 'Append-only: reports of providers; of a provider and day the last one counts, earlier ones are '
           'kept';
    COMMENT ON COLUMN casino.provider_report.provider IS 'The operator''s name of the provider';
    COMMENT ON COLUMN casino.provider_report.day IS 'Day reported on, as the provider counts its days';
    COMMENT ON COLUMN casino.provider_report.report_no IS 'Counts the reports on a day from 1';
    COMMENT ON COLUMN casino.provider_report.begun_at
        IS 'Beginning of the transaction that loaded it: lines loaded in one transaction are one report';
    COMMENT ON COLUMN casino.provider_report.recorded_at IS 'When it was written';

    CREATE TABLE casino.provider_record (
        provider     text NOT NULL,
        day          date NOT NULL,
        line_no      bigint NOT NULL CHECK (line_no > 0),
        kind         text NOT NULL CHECK (kind IN ('round', 'stake', 'payout', 'refund', 'deposit',
                                                   'withdrawal')),
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
        CONSTRAINT provider_record_place CHECK (kind IN ('deposit', 'withdrawal')
                                                OR (round_ref IS NOT NULL AND table_name IS NOT NULL)),
        CONSTRAINT provider_record_money CHECK (kind = 'round'
                                                OR (ref IS NOT NULL AND external_ref IS NOT NULL
                                                    AND amount IS NOT NULL))
    );
    CREATE INDEX provider_record_ref ON casino.provider_record (ref, kind, round_ref, table_name,
                                                                external_ref);
    CREATE INDEX provider_record_round ON casino.provider_record (round_ref, table_name) WHERE kind = 'round';
    CREATE INDEX provider_record_day ON casino.provider_record (day);
    COMMENT ON INDEX casino.provider_record_day IS 'Finds the lines of some days';
    COMMENT ON INDEX casino.provider_record_ref IS 'Finds what was reported of a request or payment';
    COMMENT ON INDEX casino.provider_record_round IS 'Finds what was reported of a round';
    COMMENT ON TABLE casino.provider_record
        IS 'Append-only: lines of the providers'' reports, loaded by load_provider_report() or, by the '
           'owner, COPY';
    COMMENT ON COLUMN casino.provider_record.provider IS 'Provider';
    COMMENT ON COLUMN casino.provider_record.day IS 'Day reported on, as the provider counts its days';
    COMMENT ON COLUMN casino.provider_record.line_no IS 'Line of the report, from 1';
    COMMENT ON COLUMN casino.provider_record.kind
        IS 'round, stake, payout, refund, deposit or withdrawal (one that was paid)';
    COMMENT ON COLUMN casino.provider_record.ref
        IS 'Request of a stake, also of what it was paid or returned; request or payment reference of a '
           'deposit or withdrawal. One line a request: its bets together';
    COMMENT ON COLUMN casino.provider_record.round_ref IS 'The provider''s name of the round';
    COMMENT ON COLUMN casino.provider_record.table_name IS 'Table of the round';
    COMMENT ON COLUMN casino.provider_record.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.provider_record.amount IS 'CZK';
    COMMENT ON COLUMN casino.provider_record.at IS 'When it happened; of a round its evaluation';
    COMMENT ON COLUMN casino.provider_record.data
        IS 'More of it; of a round outcome (its document), or "voided": true';
    COMMENT ON COLUMN casino.provider_record.report_no
        IS 'Report the line came with, filled in when it is loaded';
    CREATE TRIGGER provider_line BEFORE INSERT ON casino.provider_record
        FOR EACH ROW EXECUTE FUNCTION casino_internal.provider_line();
    COMMENT ON TRIGGER provider_line ON casino.provider_record
        IS 'Puts the lines that one transaction loads of a provider and day into one report';

    CREATE VIEW casino.provider_current AS
        SELECT r.* FROM casino.provider_record r
         WHERE r.report_no = (SELECT max(x.report_no) FROM casino.provider_report x
                              WHERE x.provider = r.provider AND x.day = r.day);
    COMMENT ON VIEW casino.provider_current
        IS 'Lines of the reports that count: the last one of each provider and day';

    PERFORM casino_internal.make_append_only('provider_report', 'provider_record');
    PERFORM casino_internal.make_recorded('provider_report');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_provider() IS 'Part of casino.install(): reports of providers';

CREATE FUNCTION casino_internal.provider_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- as the tables, rounds and persons here are called
    NEW.table_name := casino_internal.canonical_text(NEW.table_name, 'table_name');
    NEW.round_ref := casino_internal.canonical_text(NEW.round_ref, 'round_ref');
    NEW.external_ref := casino.canonical_ref(NEW.external_ref);
    SELECT r.report_no INTO NEW.report_no FROM casino.provider_report r
     WHERE r.provider = NEW.provider AND r.day = NEW.day AND r.begun_at = transaction_timestamp()
         ORDER BY r.report_no DESC LIMIT 1;
    IF NOT FOUND THEN
        INSERT INTO casino.provider_report AS r (provider, day, report_no, begun_at, recorded_at)
        SELECT NEW.provider, NEW.day, coalesce(max(x.report_no), 0) + 1, transaction_timestamp(),
               clock_timestamp()
          FROM casino.provider_report x WHERE x.provider = NEW.provider AND x.day = NEW.day
        RETURNING r.report_no INTO NEW.report_no;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_line() IS
    'Trigger of casino.provider_record: names in their one form; the lines that one transaction loads of a '
    'provider and day are one report';

CREATE FUNCTION casino.load_provider_report(provider text, day date, records jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.load_provider_report(text, date, jsonb) IS
    'Loads a provider''s report on one of its days, an array of objects with kind, ref, round_ref, '
    'table_name, external_ref, amount, at and data; all lines or none, 22023 with the number and reason of '
    'those that are bad. The same report again changes nothing; of another one the lines count from then on, '
    'and those before are kept. Returns the number of its lines';

CREATE FUNCTION casino_internal.load_provider_report_impl(provider text, day date, records jsonb)
    RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    line record;
    bad text[] := '{}';
    lines bigint := 0;
    last integer;
    reason text;
BEGIN
    IF coalesce(btrim(provider, E' \t\r\n'), '') = '' OR day IS NULL OR records IS NULL THEN
        RAISE EXCEPTION 'provider, day and records must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF jsonb_typeof(records) <> 'array' OR jsonb_array_length(records) = 0 THEN
        RAISE EXCEPTION 'records must be a JSON array of at least one line'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT isfinite(day) THEN
        RAISE EXCEPTION 'day must be finite' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(provider, 'provider', 100);
    PERFORM casino_internal.take_lock('provider ' || provider || ' ' || day);
    SELECT max(r.report_no) INTO last FROM casino.provider_report r
     WHERE r.provider = load_provider_report_impl.provider AND r.day = load_provider_report_impl.day;
    -- a report of its own, also of one transaction with another (R9.8)
    INSERT INTO casino.provider_report (provider, day, report_no, begun_at, recorded_at)
    VALUES (provider, day, coalesce(last, 0) + 1, transaction_timestamp(), clock_timestamp());
    FOR line IN SELECT e.value, e.ordinality AS number
        FROM jsonb_array_elements(records) WITH ORDINALITY e LOOP
        lines := lines + 1;
        BEGIN
            IF jsonb_typeof(line.value) <> 'object' THEN
                RAISE EXCEPTION 'is no object';
            END IF;
            SELECT 'has an unknown member "' || min(k) || '"' INTO reason FROM jsonb_object_keys(line.value) k
             WHERE k <> ALL (ARRAY['line_no', 'kind', 'ref', 'round_ref', 'table_name', 'external_ref',
                                   'amount', 'at', 'data']);
            IF reason IS NOT NULL THEN
                RAISE EXCEPTION '%', reason;
            END IF;
            INSERT INTO casino.provider_record (provider, day, line_no, kind, ref, round_ref, table_name,
                                                external_ref, amount, at, data)
            VALUES (provider, day, coalesce((line.value ->> 'line_no')::bigint, line.number),
                    line.value ->> 'kind', line.value ->> 'ref', line.value ->> 'round_ref',
                    line.value ->> 'table_name',
                    line.value ->> 'external_ref', (line.value ->> 'amount')::numeric,
                    (line.value ->> 'at')::timestamptz, nullif(line.value -> 'data', 'null'));
        EXCEPTION WHEN OTHERS THEN
            bad := bad || format('line %s: %s', line.number, SQLERRM);
        END;
    END LOOP;
    IF bad <> '{}' THEN
        RAISE EXCEPTION 'the report of % on % has % bad lines of %: %', provider, day, cardinality(bad),
            lines, bad[1]
            USING ERRCODE = 'invalid_parameter_value', DETAIL = left(array_to_string(bad, E'\n'), 10000),
                  HINT = 'Nothing of it was loaded; what was loaded before stays.';
    END IF;
    -- the same again: nothing is kept of it
    IF last IS NOT NULL AND NOT EXISTS (
        SELECT n.line_no, n.kind, n.ref, n.round_ref, n.table_name, n.external_ref, n.amount, n.at, n.data
          FROM casino.provider_record n
         WHERE n.provider = load_provider_report_impl.provider AND n.day = load_provider_report_impl.day
             AND n.report_no = last + 1
        EXCEPT
        SELECT o.line_no, o.kind, o.ref, o.round_ref, o.table_name, o.external_ref, o.amount, o.at, o.data
          FROM casino.provider_record o
         WHERE o.provider = load_provider_report_impl.provider AND o.day = load_provider_report_impl.day
             AND o.report_no = last)
       AND lines = (SELECT count(*) FROM casino.provider_record o
                     WHERE o.provider = load_provider_report_impl.provider
                         AND o.day = load_provider_report_impl.day AND o.report_no = last) THEN
        RAISE EXCEPTION 'the same' USING ERRCODE = 'KX001';
    END IF;
    RETURN lines;
EXCEPTION WHEN SQLSTATE 'KX001' THEN
    RETURN lines;
END
$fn$;
COMMENT ON FUNCTION casino_internal.load_provider_report_impl(text, date, jsonb) IS
    'Body of load_provider_report(), run as the owner of the ledger';

-- What stands here of a line: of a request all its bets together, wherever the day is.
CREATE FUNCTION casino_internal.provider_here(kind text, ref text, table_name text, round_ref text,
                                              at timestamptz)
RETURNS TABLE (player_id bigint, external_ref text, round_id bigint, entry_no bigint, amount numeric,
               happened_at timestamptz, evaluation numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, p.external_ref, s.round_id, min(s.entry_no),
           sum(CASE provider_here.kind WHEN 'stake' THEN s.amount WHEN 'payout' THEN
               CASE WHEN e.kind = 'payout' THEN e.amount WHEN e.kind IS NULL AND q.held
                   THEN coalesce(v.payout, 0) ELSE 0 END
                                       ELSE CASE WHEN e.kind = 'refund' THEN e.amount ELSE 0 END END),
           -- the time of the payments that exist: a wager that lost has none (R10.25)
           CASE provider_here.kind WHEN 'stake' THEN min(s.posted_at)
                                   ELSE coalesce(min(e.posted_at) FILTER (WHERE e.kind = provider_here.kind),
                                                 min(r.evaluated_at)) END, sum(v.payout)
      FROM casino.game_table t
      JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = provider_here.round_ref
      JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
          AND s.request_id = provider_here.ref
      JOIN casino.player p ON p.player_id = s.player_id
      LEFT JOIN casino.ledger e ON e.player_id = s.player_id AND e.stake_entry_no = s.entry_no
          AND e.correction_no IS NULL
      LEFT JOIN LATERAL casino_internal.evaluated_wager(CASE WHEN provider_here.kind = 'payout'
                                                        THEN s.round_id END, s.player_id, s.entry_no) v
                                                            ON true
     CROSS JOIN LATERAL (SELECT r.status = 'withheld'
                         OR EXISTS (SELECT FROM casino.withholding h
                                    WHERE h.player_id = s.player_id AND h.round_id = s.round_id) AS held) q
     WHERE t.name = provider_here.table_name AND provider_here.kind IN ('stake', 'payout', 'refund')
     GROUP BY s.player_id, p.external_ref, s.round_id
    HAVING provider_here.kind = 'stake'
        OR bool_or(e.kind = provider_here.kind)
            OR (provider_here.kind = 'payout' AND sum(v.payout) FILTER (WHERE e.kind IS NULL AND q.held) > 0)
    UNION ALL
    SELECT l.player_id, p.external_ref, NULL, l.entry_no, l.amount, l.posted_at, NULL
      FROM casino.ledger l
      JOIN casino.player p ON p.player_id = l.player_id
      LEFT JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
      LEFT JOIN casino.text_of_token c ON c.player_id = l.player_id AND c.token = l.reference
     WHERE l.posted_at > provider_here.at - interval '3 days'
         AND l.posted_at < provider_here.at + interval '3 days'
       AND ((provider_here.kind = 'deposit' AND l.kind = 'deposit')
            OR (provider_here.kind = 'withdrawal' AND l.kind IN ('cash_paid', 'transfer_paid')))
       AND provider_here.ref IN (c.clear, l.request_id, w.request_id)
$fn$;
COMMENT ON FUNCTION casino_internal.provider_here(text, text, text, text, timestamptz) IS
    'Part of the checks of providers: what rounds, wagers and ledger have of a request or payment';

CREATE FUNCTION casino_internal.provider_outcome_is(round_id bigint, outcome jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    played record;
BEGIN
    SELECT r.outcome, r.outcome_document, r.plan_id, g.family INTO played
      FROM casino.round r JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game WHERE r.round_id = provider_outcome_is.round_id;
    IF outcome IN (played.outcome, played.outcome_document) THEN
        RETURN true;
    END IF;
    RETURN coalesce(casino.canonical_outcome(played.family,
                                             (SELECT jsonb_object_agg(x.rule, x.value) FROM casino.plan_rule x
                                              WHERE x.plan_id = played.plan_id),
                                             outcome) = played.outcome, false);
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    RETURN false;       -- what could not have been dealt was not
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_outcome_is(bigint, jsonb) IS
    'Part of the checks of providers: is it the outcome of the round, in whatever form';

-- Requests are the player's own: a line is about its person's entry, or, where he has none here, about one of
-- a person that no other line names; lines of several such persons are about one such entry each (R9.10).
CREATE FUNCTION casino_internal.provider_match(kind text, ref text, table_name text, round_ref text,
                                               at timestamptz,
                                               person text)
RETURNS TABLE (player_id bigint, external_ref text, round_id bigint, entry_no bigint, amount numeric,
               happened_at timestamptz, evaluation numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH here AS MATERIALIZED (
        SELECT x.* FROM casino_internal.provider_here(provider_match.kind, provider_match.ref,
                                                      provider_match.table_name, provider_match.round_ref,
                                                      provider_match.at) x
    ), reported AS MATERIALIZED (
        SELECT DISTINCT y.external_ref FROM casino.provider_current y
         WHERE y.ref = provider_match.ref AND y.kind = provider_match.kind
           AND (y.table_name, y.round_ref) IS NOT DISTINCT FROM (provider_match.table_name,
                                                                 provider_match.round_ref)
    )
    SELECT h.* FROM here h WHERE h.external_ref = provider_match.person
    UNION ALL
    (SELECT h.* FROM here h
      WHERE NOT EXISTS (SELECT FROM here o WHERE o.external_ref = provider_match.person)
        AND h.external_ref NOT IN (SELECT r.external_ref FROM reported r)
      ORDER BY h.player_id, h.entry_no
     OFFSET (SELECT count(*) FROM reported r WHERE r.external_ref < provider_match.person
             AND r.external_ref NOT IN (SELECT o.external_ref FROM here o))
      LIMIT 1)
    LIMIT 1
$fn$;
COMMENT ON FUNCTION casino_internal.provider_match(text, text, text, text, timestamptz, text) IS
    'Part of the checks of providers: the entry here that a line is about';

-- Reported and not here, or otherwise here: line by line of the days' reports (R9.9).
CREATE FUNCTION casino_internal.provider_lines(from_day date, to_day date)
RETURNS TABLE (check_name text, rule text, player_id bigint, round_id bigint, entry_no bigint, expected text,
               found text, detail jsonb)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH line AS MATERIALIZED (
        SELECT c.*, t.tolerance, row_number() OVER (PARTITION BY c.kind, c.external_ref, c.ref, c.table_name,
                                                    c.round_ref ORDER BY c.day, c.provider, c.line_no) AS nth,
               jsonb_build_object('provider', c.provider, 'day', c.day, 'line_no', c.line_no, 'kind', c.kind,
                                  'ref', c.ref, 'table', c.table_name, 'round_ref', c.round_ref,
                                  'external_ref', c.external_ref, 'at', c.at) AS whole
          FROM casino.provider_current c
          JOIN (SELECT r.provider, r.day, o.tolerance
                  FROM (SELECT DISTINCT x.provider, x.day
                          FROM casino.provider_report x
                         WHERE x.day BETWEEN provider_lines.from_day AND provider_lines.to_day) r
                 CROSS JOIN LATERAL casino_internal.provider_setting_of(r.provider, r.day) o) t
               ON t.provider = c.provider AND t.day = c.day
         WHERE c.day BETWEEN provider_lines.from_day AND provider_lines.to_day
    ), own_wager AS MATERIALIZED (
        -- lines of play about their person's own request, all together; the others are looked for one by one
        SELECT l.provider, l.day, l.line_no, l.kind, s.player_id, r.round_id, s.entry_no, s.amount,
               s.posted_at, r.evaluated_at,
               e.kind AS end_kind, e.amount AS end_amount, e.posted_at AS ended_at,
               e.kind IS NULL AND l.kind = 'payout'
                   AND (r.status = 'withheld'
                        OR EXISTS (SELECT FROM casino.withholding h
                                    WHERE h.player_id = s.player_id AND h.round_id = s.round_id)) AS held
          FROM line l
          JOIN casino.game_table t ON t.name = l.table_name
          JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = l.round_ref
          JOIN casino.player p ON p.external_ref = l.external_ref
          -- OFFSET 0: by the player's request
         CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                             WHERE x.player_id = p.player_id AND x.request_id = l.ref
                                 AND x.kind = 'stake' OFFSET 0) s
          LEFT JOIN LATERAL (SELECT x.* FROM casino.ledger x
                              WHERE x.player_id = s.player_id AND x.stake_entry_no = s.entry_no
                                  AND x.correction_no IS NULL OFFSET 0) e ON true
         WHERE l.kind IN ('stake', 'payout', 'refund') AND l.nth = 1 AND s.round_id = r.round_id
    ), own AS MATERIALIZED (
        SELECT DISTINCT ON (o.provider, o.day, o.line_no) o.*
          FROM (SELECT w.provider, w.day, w.line_no, w.kind, w.player_id, w.round_id,
                min(w.entry_no) AS entry_no,
                       sum(CASE w.kind WHEN 'stake' THEN w.amount
                                       WHEN 'payout' THEN CASE WHEN w.end_kind = 'payout' THEN w.end_amount
                                           WHEN w.held THEN coalesce(v.payout, 0) ELSE 0 END
                                       ELSE CASE WHEN w.end_kind = 'refund' THEN w.end_amount
                                           ELSE 0 END END) AS amount,
                       CASE w.kind WHEN 'stake' THEN min(w.posted_at)
                                   ELSE coalesce(min(w.ended_at) FILTER (WHERE w.end_kind = w.kind),
                                                 min(w.evaluated_at)) END AS happened_at,
                       w.kind = 'stake' OR coalesce(bool_or(w.end_kind = w.kind), false)
                       OR w.kind = 'payout' AND coalesce(sum(v.payout) FILTER (WHERE w.held), 0) > 0 AS there
                  FROM own_wager w
                  LEFT JOIN LATERAL casino_internal.evaluated_wager(CASE WHEN w.held
                                                                    THEN w.round_id END, w.player_id,
                                                                        w.entry_no) v ON true
                 GROUP BY w.provider, w.day, w.line_no, w.kind, w.player_id, w.round_id) o
         WHERE o.there
         ORDER BY o.provider, o.day, o.line_no, o.player_id
    ), cash AS MATERIALIZED (
        -- read once, and where there are such lines
        SELECT x.player_id, x.entry_no, x.amount, x.posted_at, CASE WHEN x.kind = 'deposit' THEN 'deposit'
               ELSE 'withdrawal' END AS kind,
               ARRAY[c.clear, x.request_id, w.request_id] AS refs
          FROM casino.ledger x
          LEFT JOIN casino.ledger w ON w.player_id = x.player_id AND w.entry_no = x.withdrawal_entry_no
          LEFT JOIN casino.text_of_token c ON c.player_id = x.player_id AND c.token = x.reference
         WHERE x.posted_at >= casino.day_start(provider_lines.from_day - 4)
             AND x.posted_at < casino.day_start(provider_lines.to_day + 5)
           AND x.kind IN ('deposit', 'cash_paid', 'transfer_paid')
               AND EXISTS (SELECT FROM line l WHERE l.kind IN ('deposit', 'withdrawal'))
    ), own_cash AS MATERIALIZED (
        SELECT DISTINCT ON (l.provider, l.day, l.line_no) l.provider, l.day, l.line_no, c.player_id,
            c.entry_no, c.amount, c.posted_at
          FROM line l
          JOIN casino.player p ON p.external_ref = l.external_ref
          JOIN cash c ON c.player_id = p.player_id AND c.kind = l.kind AND l.ref = ANY (c.refs)
                     AND c.posted_at > l.at - interval '3 days' AND c.posted_at < l.at + interval '3 days'
         WHERE l.nth = 1
         ORDER BY l.provider, l.day, l.line_no, c.player_id, c.entry_no
    ), found AS MATERIALIZED (
        SELECT o.provider, o.day, o.line_no, o.player_id, o.round_id, o.entry_no, o.amount, o.happened_at
          FROM own o
        UNION ALL
        SELECT c.provider, c.day, c.line_no, c.player_id, NULL, c.entry_no, c.amount, c.posted_at
          FROM own_cash c
    ), money AS MATERIALIZED (
        SELECT l.*, o.player_id, o.round_id AS its_round, o.entry_no, o.amount AS here, o.happened_at,
               l.external_ref AS its_person
          FROM line l
          JOIN found o ON o.provider = l.provider AND o.day = l.day AND o.line_no = l.line_no
        UNION ALL
        SELECT l.*, h.player_id, h.round_id, h.entry_no, h.amount, h.happened_at, h.external_ref
          FROM line l
          LEFT JOIN LATERAL casino_internal.provider_match(l.kind, l.ref, l.table_name, l.round_ref, l.at,
                                                           l.external_ref) h ON true
         WHERE l.kind <> 'round' AND l.nth = 1
           AND NOT EXISTS (SELECT FROM found o
                           WHERE o.provider = l.provider AND o.day = l.day AND o.line_no = l.line_no)
    ), played AS MATERIALIZED (
        SELECT l.*, r.round_id, r.status, r.evaluated_at, r.outcome_document, r.outcome
          FROM line l
          LEFT JOIN casino.game_table t ON t.name = l.table_name
              AND EXISTS (SELECT FROM casino.round x
                          WHERE x.table_id = t.table_id AND x.round_ref = l.round_ref)
          LEFT JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = l.round_ref
         WHERE l.kind = 'round' AND l.nth = 1
    )
    SELECT 'provider_duplicate', l.kind, NULL::bigint, NULL::bigint, NULL::bigint, 'once', l.nth || ' times',
           l.whole FROM line l WHERE l.nth > 1
    UNION ALL
    SELECT 'provider_missing_here', m.kind, NULL, NULL, NULL, m.amount::text, 'none', m.whole FROM money m
     WHERE m.player_id IS NULL AND m.amount > 0
    UNION ALL
    SELECT 'provider_missing_here', 'other_player', m.player_id, m.its_round, m.entry_no, m.external_ref,
           -- R7.117: the line names a person, and this player is another one
           'player ' || m.player_id, m.whole FROM money m WHERE m.its_person <> m.external_ref
    UNION ALL
    SELECT 'provider_amount', m.kind, m.player_id, m.its_round, m.entry_no, m.amount::text, m.here::text,
           m.whole || jsonb_strip_nulls(jsonb_build_object('evaluation', CASE WHEN m.kind = 'payout' THEN (
               SELECT h.evaluation
                   FROM casino_internal.provider_here(m.kind, m.ref, m.table_name, m.round_ref, m.at) h
                WHERE h.player_id = m.player_id) END))
      FROM money m WHERE m.its_person = m.external_ref AND m.amount <> m.here
    UNION ALL
    SELECT 'provider_late', m.kind, m.player_id, m.its_round, m.entry_no, m.at::text, m.happened_at::text,
           m.whole
      FROM money m
     WHERE m.its_person = m.external_ref
       AND (m.at > m.happened_at + m.tolerance OR m.at < m.happened_at - m.tolerance)
    UNION ALL
    SELECT 'provider_missing_here', 'round', NULL, NULL, NULL, l.table_name || ' ' || l.round_ref, 'none',
           l.whole FROM played l WHERE l.round_id IS NULL
    UNION ALL
    SELECT 'provider_outcome', 'round', NULL, l.round_id, NULL,
           coalesce(l.data ->> 'outcome', CASE WHEN (l.data ->> 'voided')::boolean THEN 'voided'
                    ELSE 'none' END),
           CASE WHEN l.status = 'voided' THEN 'voided'
               ELSE coalesce(l.outcome_document::text, l.status) END, l.whole
      FROM played l
     WHERE l.round_id IS NOT NULL
       AND CASE WHEN l.status = 'voided' THEN (l.data -> 'voided') IS DISTINCT FROM 'true'
                ELSE coalesce((l.data -> 'voided') = 'true', false) OR l.data -> 'outcome' IS NULL
                    OR NOT casino_internal.provider_outcome_is(l.round_id, l.data -> 'outcome') END
    UNION ALL
    SELECT 'provider_late', 'round', NULL, l.round_id, NULL, l.at::text,
           coalesce(l.evaluated_at::text, 'not evaluated'), l.whole
      FROM played l
     WHERE l.round_id IS NOT NULL
       AND (l.at > l.evaluated_at + l.tolerance OR l.at < l.evaluated_at - l.tolerance)
$fn$;
COMMENT ON FUNCTION casino_internal.provider_lines(date, date) IS
    'Part of the checks of providers: lines of the reports on Prague days that rounds, wagers and ledger do '
    'not bear out';

-- Here and not reported, by the providers' own days (R10.42).  A table is asked of the providers that have
-- reported of it in the month before, deposits and withdrawals of those who have reported such; a provider
-- whose report of a day is missing altogether is one difference.  A provider that has ended is asked for the
-- rounds that had begun (R10.52), and has no others (R10.53).
CREATE FUNCTION casino_internal.check_provider_missing_there(from_day date, to_day date)
    RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM casino.provider_report) THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH source AS MATERIALIZED (
        SELECT c.provider, c.table_name, c.kind IN ('deposit', 'withdrawal') AS cash,
               CASE WHEN c.kind IN ('deposit', 'withdrawal') THEN c.kind END AS kind, min(c.day) AS first
          FROM casino.provider_record c
         WHERE c.day BETWEEN check_provider_missing_there.from_day - 31
                         AND check_provider_missing_there.to_day
         GROUP BY 1, 2, 3, 4
    ), span AS MATERIALIZED (
        SELECT p.provider, d.day, (casino_internal.provider_setting_of(p.provider, d.day)).starts_at AS since,
               (casino_internal.provider_setting_of(p.provider, d.day + 1)).starts_at AS until,
               EXISTS (SELECT FROM casino.provider_report r
                        WHERE r.provider = p.provider AND r.day = d.day) AS there,
               e.ended, (casino_internal.provider_setting_of(p.provider, e.ended)).starts_at AS ended_at
          -- lines of a provider without any report are a report that is missing
          FROM (SELECT x.provider, min(x.day) AS first
                  FROM (SELECT r.provider, r.day
                          FROM casino.provider_report r
                         UNION ALL
                        SELECT s.provider, s.first
                          FROM source s) x
                 GROUP BY x.provider) p
         CROSS JOIN LATERAL (SELECT g.day::date AS day
                               FROM generate_series(greatest(check_provider_missing_there.from_day,
                                                             p.first)::timestamp,
                                                    check_provider_missing_there.to_day::timestamp,
                                                    interval '1 day') g (day)) d
         CROSS JOIN LATERAL casino_internal.provider_ended_since(p.provider, d.day) e (ended)
    ), whole AS MATERIALIZED (
        SELECT min(s.since) AS since, max(s.until) AS until FROM span s
    ), entry AS MATERIALIZED (
        SELECT l.player_id, l.round_id, min(l.entry_no) AS entry_no, sum(l.amount) AS amount,
               min(l.posted_at) AS at,
               CASE WHEN l.kind IN ('cash_paid', 'transfer_paid') THEN 'withdrawal' ELSE l.kind END AS kind,
               coalesce(l.request_id, s.request_id, w.request_id) AS ref, l.reference
          FROM casino.ledger l
          LEFT JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no
          LEFT JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
         WHERE l.posted_at >= (SELECT x.since FROM whole x) AND l.posted_at < (SELECT x.until FROM whole x)
           AND l.kind IN ('stake', 'payout', 'refund', 'deposit', 'cash_paid', 'transfer_paid')
           AND l.amount > 0
         GROUP BY l.player_id, l.round_id, 6, 7, 8
    ), wanted AS MATERIALIZED (
        SELECT e.player_id, e.round_id, e.entry_no, e.amount, e.at, e.kind, e.ref, c.clear AS reference,
               e.reference AS reference_token, p.external_ref, o.token AS person_token,
               t.name AS table_name, r.round_ref
          FROM entry e
          LEFT JOIN casino.text_of_token c ON c.player_id = e.player_id AND c.token = e.reference
          JOIN casino.player p ON p.player_id = e.player_id
          LEFT JOIN casino.person o ON o.external_ref = p.external_ref
          LEFT JOIN casino.round r ON r.round_id = e.round_id
          LEFT JOIN casino.game_table t ON t.table_id = r.table_id
         WHERE EXISTS (SELECT FROM source s
                         JOIN span d ON d.provider = s.provider AND d.day >= s.first
                        WHERE CASE WHEN e.round_id IS NULL THEN s.kind = e.kind
                                   ELSE NOT s.cash AND s.table_name = t.name END
                          AND e.at >= d.since AND e.at < d.until
                          AND CASE WHEN d.ended IS NULL THEN d.there
                                   ELSE r.opened_at < d.ended_at
                                        AND coalesce(r.evaluated_at >= d.ended_at, true) END)
    ), loose AS MATERIALIZED (
        -- rounds that began after an end, at a table that no other provider reports of
        SELECT d.provider, d.ended, r.round_id, r.opened_at, t.name AS table_name, r.round_ref
          FROM span d
         CROSS JOIN casino.game_table t
          JOIN casino.round r ON r.table_id = t.table_id AND r.opened_at >= d.since AND r.opened_at < d.until
         WHERE d.ended IS NOT NULL
           AND NOT EXISTS (SELECT FROM source s
                             JOIN span o ON o.provider = s.provider AND o.day >= s.first
                            WHERE s.table_name = t.name AND o.ended IS NULL
                              AND r.opened_at >= o.since AND r.opened_at < o.until)
    ), left_behind AS MATERIALIZED (
        -- OFFSET 0: a month of lines is read where there are such rounds
        SELECT l.provider, l.ended, c.table_name
          FROM (SELECT DISTINCT x.provider, x.ended FROM loose x) l
         CROSS JOIN LATERAL (SELECT DISTINCT y.table_name
                               FROM casino.provider_record y
                              WHERE y.provider = l.provider AND y.day BETWEEN l.ended - 31 AND l.ended - 1
                             OFFSET 0) c
    )
    SELECT 'report', NULL::bigint, NULL::bigint, NULL::bigint,
           'a report of ' || a.provider || ' on ' || a.day,
           'none', jsonb_build_object('provider', a.provider, 'day', a.day)
      FROM span a
     WHERE NOT a.there AND a.ended IS NULL AND a.day < casino.prague_day(clock_timestamp())
    UNION ALL
    SELECT * FROM (
        SELECT DISTINCT ON (l.round_id) 'after_end', NULL::bigint, l.round_id, NULL::bigint,
               'no round of ' || l.provider || ' from ' || l.ended || ' on',
               l.table_name || ' ' || l.round_ref,
               jsonb_build_object('provider', l.provider, 'table', l.table_name, 'round_ref', l.round_ref,
                                  'at', l.opened_at)
          FROM loose l
          JOIN left_behind b ON b.provider = l.provider AND b.ended = l.ended AND b.table_name = l.table_name
         ORDER BY l.round_id, l.ended DESC, l.provider) x
    UNION ALL
    SELECT 'report_after_end', NULL, NULL, NULL, 'no report of ' || a.provider || ' on ' || a.day,
           c.lines || ' lines', jsonb_build_object('provider', a.provider, 'day', a.day)
      FROM span a
     CROSS JOIN LATERAL (
            SELECT count(*) AS lines
              FROM casino.provider_current y
             WHERE y.provider = a.provider AND y.day = a.day
               AND CASE WHEN y.kind IN ('deposit', 'withdrawal') THEN y.at >= a.ended_at
                        ELSE NOT EXISTS (SELECT
                                           FROM casino.game_table t
                                           JOIN casino.round r ON r.table_id = t.table_id
                                          WHERE t.name = y.table_name AND r.round_ref = y.round_ref
                                            AND r.opened_at < a.ended_at) END) c
     WHERE a.ended IS NOT NULL AND a.there AND c.lines > 0
    UNION ALL
    SELECT w.kind, w.player_id, w.round_id, w.entry_no, w.amount::text, 'none',
           -- R7.117: no line names the person or the reference, so the sealed difference has tokens
           jsonb_strip_nulls(jsonb_build_object('ref', w.ref, 'reference', w.reference_token,
                                                'token', w.person_token, 'table', w.table_name,
                                                'round_ref', w.round_ref, 'at', w.at))
      FROM wanted w
     -- OFFSET 0: by the request, its round and its person; what is left is looked for line by line
     WHERE NOT EXISTS (SELECT FROM casino.provider_current c
                        WHERE c.ref = w.ref AND c.kind = w.kind AND c.table_name = w.table_name
                            AND c.round_ref = w.round_ref AND c.external_ref = w.external_ref OFFSET 0)
     -- of another player: the line says so, of one
       AND NOT EXISTS (SELECT FROM casino.provider_current c
                        WHERE c.ref IN (w.ref, w.reference) AND c.kind = w.kind
                            AND (w.round_id IS NULL
                                 OR (c.table_name = w.table_name AND c.round_ref = w.round_ref))
                          AND (c.external_ref = w.external_ref
                               OR EXISTS (SELECT
                                          FROM casino_internal.provider_match(c.kind, c.ref, c.table_name,
                                                                              c.round_ref,
                                                  c.at, c.external_ref) h WHERE h.player_id = w.player_id)))
    UNION ALL
    SELECT 'round', NULL, r.round_id, NULL, t.name || ' ' || r.round_ref, 'none',
           jsonb_build_object('table', t.name, 'round_ref', r.round_ref, 'at', r.evaluated_at)
      FROM casino.round r
      JOIN casino.game_table t ON t.table_id = r.table_id
     WHERE r.evaluated_at >= (SELECT x.since FROM whole x) AND r.evaluated_at < (SELECT x.until FROM whole x)
       AND EXISTS (SELECT FROM source s
                     JOIN span d ON d.provider = s.provider AND d.day >= s.first
                    WHERE NOT s.cash AND s.table_name = t.name
                      AND r.evaluated_at >= d.since AND r.evaluated_at < d.until
                      AND CASE WHEN d.ended IS NULL THEN d.there ELSE r.opened_at < d.ended_at END)
       AND NOT EXISTS (SELECT FROM casino.provider_current c
                       WHERE c.kind = 'round' AND c.table_name = t.name AND c.round_ref = r.round_ref);
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_provider_missing_there(date, date) IS
    'Part of the reconciliation, check provider_missing_there: rounds and entries that no provider has '
    'reported, reports that did not come, rounds and reports of a provider after its end';

-- The lines are compared once for all these checks of a run.
CREATE FUNCTION casino_internal.provider_findings(check_name text, from_day date,
                                                  to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    lines jsonb := casino_internal.kept_findings();
BEGIN
    IF lines IS NULL THEN
        SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') INTO lines
          FROM casino_internal.provider_lines(from_day, to_day) l;
        PERFORM casino_internal.keep_findings(lines);
    END IF;
    RETURN QUERY
        SELECT l.rule, l.player_id, l.round_id, l.entry_no, l.expected, l.found, l.detail
          FROM jsonb_to_recordset(lines) AS l (check_name text, rule text, player_id bigint, round_id bigint,
                                               entry_no bigint, expected text, found text, detail jsonb)
         WHERE l.check_name = provider_findings.check_name;
END
$fn$;
COMMENT ON FUNCTION casino_internal.provider_findings(text, date, date) IS
    'Part of the checks of providers: what provider_lines() has for one of them';

DO $do$
DECLARE
    c record;
BEGIN
    FOR c IN SELECT * FROM (VALUES ('missing_here',
                                    'what a provider reports stands here, of the same person'),
                                    ('amount', 'it has the same amount'),
                                   ('outcome', 'a round has the outcome that its provider reports'),
                                   ('duplicate', 'a provider reports it once'),
                                   ('late',
                                    'its time is the one that the provider reports, '
                                    'within the tolerance set for the provider')) v (name, meaning) LOOP
        EXECUTE format($sql$
            CREATE FUNCTION casino_internal.check_provider_%1$s(from_day date,
                                                       to_day date) RETURNS SETOF casino.finding
            LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
                SELECT f.*
                    FROM casino_internal.provider_findings('provider_%1$s', check_provider_%1$s.from_day,
                                                                  check_provider_%1$s.to_day) f
            $fn$;
            COMMENT ON FUNCTION casino_internal.check_provider_%1$s(date, date) IS %2$L$sql$, c.name,
                'Part of the reconciliation, check provider_' || c.name || ': ' || c.meaning);
    END LOOP;
END
$do$;
