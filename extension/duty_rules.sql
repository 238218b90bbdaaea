-- Figures of D4's general part as dated data, judged by the version in force at the event (R7.70, R7.80).

CREATE FUNCTION casino_internal.duty_value_fits(name text, value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
               WHEN name = 'prompt_within' THEN value ~ '^([1-9]?[0-9]) days?$'
               WHEN name IN ('sequence_minutes', 'break_minutes', 'winnings_days', 'withdrawal_days',
                             'panic_hours', 'laxer_limit_days', 'live_tables', 'cash_amount',
                             'aml_amount')
               THEN CASE WHEN value ~ '^[1-9][0-9]{0,8}$'
                         THEN value::integer <= CASE name WHEN 'sequence_minutes' THEN 240
                                                          WHEN 'break_minutes' THEN 60
                                                          WHEN 'live_tables' THEN 1
                                                          WHEN 'cash_amount' THEN 999999999
                                                          WHEN 'aml_amount' THEN 999999999
                                                          WHEN 'panic_hours' THEN 8760
                                                          ELSE 365 END
                         ELSE false END
               -- 0: every adjustment needs a second person (R7.73), every difference (R10.44)
               WHEN name IN ('adjust_amount', 'finish_amount') THEN value ~ '^(0|[1-9][0-9]{0,8})$'
               -- 0: the threshold against money laundering is the figure in CZK (R9.51)
               WHEN name = 'aml_euro' THEN value ~ '^(0|[1-9][0-9]{0,8})$'
               -- 1: each deposit names its method (R7.121)
               WHEN name = 'method_required' THEN value ~ '^[01]$'
               WHEN name = 'euro_rate' THEN value ~ '^[1-9][0-9]{0,3}([.][0-9]{1,3})?$'
               -- 0: a stake asks for no question to the register (R7.76)
               WHEN name = 'register_check' THEN value ~ '^(0|[1-9][0-9]{0,3}) ?(h|hours?)$'
               -- 0: an account that is closed need not be kept (R7.98)
               WHEN name = 'retention_years' THEN value ~ '^(0|[1-9][0-9]?)$'
               WHEN name = 'cash_window' THEN value ~ '^[1-9][0-9]{0,2} ?(h|hours?)$'
               WHEN name = 'stuck_round' THEN value ~ '^[1-9][0-9]{0,2} ?(h|hours?|min|minutes?)$'
               ELSE false
           END;
COMMENT ON FUNCTION casino_internal.duty_value_fits(text, text)
    IS 'Part of duty_rule: is it a figure that there is, written as it is written (R7.81)';

CREATE FUNCTION casino_internal.install_duty_rules() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.duty_rule (
        name        text NOT NULL,
        valid_from  timestamptz NOT NULL CHECK (valid_from <> 'infinity'),
        value       text NOT NULL,
        paragraph   text NOT NULL CHECK (btrim(paragraph) <> ''),
        document    text NOT NULL CHECK (btrim(document) <> ''),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (name, valid_from),
        CONSTRAINT duty_rule_value CHECK (casino_internal.duty_value_fits(name, value))
    );
    COMMENT ON TABLE casino.duty_rule
        IS 'Append-only: figures of the operator''s duties, each from a time on until the next one';
    COMMENT ON COLUMN casino.duty_rule.name
        IS 'sequence_minutes, break_minutes: length of a betting sequence and of the break after it. '
           'live_tables: at a time. cash_amount, cash_window: CZK of cash paid within hours. winnings_days, '
           'withdrawal_days, prompt_within: calendar days in Europe/Prague. panic_hours: of the panic '
           'button. laxer_limit_days: until a laxer limit. stuck_round: until a round has a result. '
           'register_check: hours before a stake in which the register of excluded persons must have been '
           'asked; 0: no question is needed. aml_amount: CZK in 24 hours that person_day() marks. '
           'aml_euro: the same in EUR, in place of aml_amount unless 0; not set at first. euro_rate: CZK of '
           'one EUR for it; not set at first. method_required: 1: a deposit names its method; not set at '
           'first. '
           'retention_years: from the close of an account until the person may be erased. '
           'adjust_amount: CZK of an adjustment above which a second person approves; not set at first. '
           'finish_amount: CZK from which a difference is finished by two '
           'persons; not set at first';
    COMMENT ON COLUMN casino.duty_rule.valid_from IS 'It holds from then on';
    COMMENT ON COLUMN casino.duty_rule.value IS 'The figure, as 15, 24 h or 3 days';
    COMMENT ON COLUMN casino.duty_rule.paragraph IS 'Where it comes from; messages cite it';
    COMMENT ON COLUMN casino.duty_rule.document IS 'By which document of the operator it was set';
    COMMENT ON COLUMN casino.duty_rule.recorded_at IS 'When it was written';
    PERFORM casino_internal.make_recorded('duty_rule', true);
    INSERT INTO casino.duty_rule (name, valid_from, value, paragraph, document, recorded_at)
    SELECT r.name, '-infinity', r.value, r.paragraph, 'D4', clock_timestamp()
      FROM (VALUES ('sequence_minutes', '120', 'D4 §8.3'),
                   ('break_minutes', '15', 'D4 §8.3'),
                   ('live_tables', '1', 'D4 §8.2'),
                   ('cash_amount', '10000', 'D4 §11.2 a'),
                   ('cash_window', '24 h', 'D4 §11.2 a'),
                   ('winnings_days', '30', 'D4 §11.1'),
                   ('withdrawal_days', '60', 'D4 §11.2 b'),
                   ('prompt_within', '3 days', 'D4 §11.1, §11.2 b)'),
                   ('panic_hours', '48', 'D4 §6.2'),
                   ('laxer_limit_days', '7', 'D4 §6.5'),
                   ('register_check', '0 h', 'R7.76'),
                   ('aml_amount', '40000', 'Act 253/2008'),
                   ('retention_years', '10', 'Act 253/2008 §16'),
                   ('stuck_round', '1 h', 'R7.82')) r (name, value, paragraph);
    UPDATE casino.duty_rule d SET recorded_by = NULL WHERE d.name IS NOT NULL;
    PERFORM casino_internal.make_append_only('duty_rule');

    CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON casino.duty_rule
        FOR EACH STATEMENT EXECUTE FUNCTION casino_internal.duty_rule_changed();
    ALTER TABLE casino.duty_rule ENABLE ALWAYS TRIGGER changed;
    COMMENT ON TRIGGER changed ON casino.duty_rule IS 'Sessions that keep the figures read them again';
    CREATE TRIGGER not_back BEFORE INSERT ON casino.duty_rule
        FOR EACH ROW EXECUTE FUNCTION casino_internal.duty_rule_not_back();
    COMMENT ON TRIGGER not_back ON casino.duty_rule IS 'Refuses a figure that is dated back (KL005)';
    CREATE CONSTRAINT TRIGGER in_time AFTER INSERT ON casino.duty_rule
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION casino_internal.duty_rule_not_back();
    COMMENT ON TRIGGER in_time ON casino.duty_rule
        IS 'Refuses at the COMMIT a figure that would be in force by then (KL005)';

    CREATE VIEW casino.duty_period AS
        SELECT d.name, d.value, substring(d.value FROM '^\d+')::bigint AS number, d.valid_from,
               lead(d.valid_from, 1, 'infinity') OVER (PARTITION BY d.name ORDER BY d.valid_from)
                   AS valid_until,
               d.paragraph, d.document
          FROM casino.duty_rule d;
    COMMENT ON VIEW casino.duty_period IS 'Figures of the operator''s duties, each with the time it holds';
    COMMENT ON COLUMN casino.duty_period.number IS 'The number that the value begins with';
    COMMENT ON COLUMN casino.duty_period.valid_until
        IS 'When the next one begins to hold; infinity: no other is set';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_duty_rules() IS 'Part of casino.install(): figures of the duties';

CREATE FUNCTION casino_internal.duty_rule_changed() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_duty_rule_changed' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.duty_rule_changed()
    IS 'Trigger of duty_rule: all sessions forget the figures that they keep';

-- The past was judged by its own figures. The COMMIT asks again, because sessions hear of the row then.
CREATE FUNCTION casino_internal.duty_rule_not_back() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    earliest CONSTANT timestamptz :=
        CASE WHEN TG_WHEN = 'BEFORE' OR NEW.recorded_at < transaction_timestamp() THEN NEW.recorded_at
             ELSE clock_timestamp() END;
BEGIN
    -- A session may set any value until the module is loaded (R12.153). The COMMIT has no right to the
    -- function: there the caller is the session's user, a hub's login for one.
    IF TG_WHEN = 'BEFORE' THEN
        PERFORM casino_internal.event_time(NULL);
    END IF;
    IF NEW.valid_from < earliest AND current_setting('casino.clock_skew') <> '-1' THEN
        RAISE EXCEPTION 'figure "%" cannot be dated back', NEW.name
            USING ERRCODE = 'KL005', CONSTRAINT = 'backdated',
                  DATATYPE = jsonb_build_object('at', NEW.valid_from)::text,
                  DETAIL = format('It was to hold from %s, and it is %s.', NEW.valid_from, earliest);
    END IF;
    RETURN CASE TG_WHEN WHEN 'BEFORE' THEN NEW END;
END
$fn$;
COMMENT ON FUNCTION casino_internal.duty_rule_not_back() IS
    'Trigger of duty_rule: KL005 for a figure that is dated back';

CREATE FUNCTION casino_internal.put_duty_rule(name text, value text, valid_from timestamptz, paragraph text,
                                              document text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF name IS NULL OR value IS NULL OR valid_from IS NULL
       OR coalesce(btrim(paragraph), '') = '' OR coalesce(btrim(document), '') = '' THEN
        RAISE EXCEPTION 'name, value, valid_from, paragraph and document must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF NOT isfinite(valid_from) THEN
        RAISE EXCEPTION 'valid_from must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    IF EXISTS (SELECT FROM casino.duty_rule d
                WHERE d.name = put_duty_rule.name
                  AND d.valid_from = put_duty_rule.valid_from
                  AND d.value = put_duty_rule.value) THEN
        RETURN;
    END IF;
    INSERT INTO casino.duty_rule (name, valid_from, value, paragraph, document, recorded_at)
    VALUES (put_duty_rule.name, put_duty_rule.valid_from, put_duty_rule.value, put_duty_rule.paragraph,
            put_duty_rule.document, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino_internal.put_duty_rule(text, text, timestamptz, text, text)
    IS 'Part of set_duty_rule(): writes the figure in this database';

CREATE FUNCTION casino.set_duty_rule(name text, value text, valid_from timestamptz, paragraph text,
                                     document text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino_internal.put_duty_rule(name, value, valid_from, paragraph, document);
END
$fn$;
COMMENT ON FUNCTION casino.set_duty_rule(text, text, timestamptz, text, text)
    IS 'Sets a figure of the operator''s duties from a time on, not dated back; at a hub in all cells; for '
       'the owner';

CREATE FUNCTION casino.duty_value(name text, at timestamptz) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT d.value FROM casino.duty_rule d
     WHERE d.name = duty_value.name AND d.valid_from <= duty_value.at ORDER BY d.valid_from DESC LIMIT 1
$fn$;
COMMENT ON FUNCTION casino.duty_value(text, timestamptz)
    IS 'A figure of the operator''s duties as it was in force at a time';

CREATE FUNCTION casino.duty_number(name text, at timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT substring(casino.duty_value(duty_number.name, duty_number.at) FROM '^\d+')::bigint
$fn$;
COMMENT ON FUNCTION casino.duty_number(text, timestamptz)
    IS 'The number of a figure of the operator''s duties as it was in force at a time';

CREATE FUNCTION casino_internal.duty_longest(name text) RETURNS integer
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(p.number), 0)::integer FROM casino.duty_period p WHERE p.name = duty_longest.name
$fn$;
COMMENT ON FUNCTION casino_internal.duty_longest(text)
    IS 'Part of the reconciliation: the greatest number that a figure of the duties ever had or is to have';

-- R9.51: in EUR where the operator says so, at the rate in force; without a rate at 20 CZK, the stricter
-- side.
CREATE FUNCTION casino_internal.aml_periods()
RETURNS TABLE (valid_from timestamptz, valid_until timestamptz, amount numeric)
LANGUAGE sql STABLE ROWS 3 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT t.valid_from, lead(t.valid_from, 1, 'infinity') OVER (ORDER BY t.valid_from),
           coalesce(nullif(casino.duty_value('aml_euro', t.valid_from)::numeric, 0)
                        * coalesce(casino.duty_value('euro_rate', t.valid_from)::numeric, 20),
                    casino.duty_value('aml_amount', t.valid_from)::numeric)
      FROM (SELECT DISTINCT d.valid_from
              FROM casino.duty_rule d
             WHERE d.name IN ('aml_amount', 'aml_euro', 'euro_rate')) t
$fn$;
COMMENT ON FUNCTION casino_internal.aml_periods()
    IS 'Part of person_day() and person_window(): the threshold in CZK against money laundering, from when '
       'until when';

CREATE FUNCTION casino.winnings_due_at(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.payment_due_at(winnings_due_at.since,
                                 casino.duty_number('winnings_days', winnings_due_at.since)::integer)
$fn$;
COMMENT ON FUNCTION casino.winnings_due_at(timestamptz)
    IS 'First instant that is too late to pay winnings of a round evaluated then (D4 §11.1)';

-- Each version of a figure has its own span, so that the payments due on a day are read by an index.
CREATE FUNCTION casino.due_spans(name text, from_day date, to_day date)
RETURNS TABLE (since timestamptz, until timestamptz)
LANGUAGE sql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(p.valid_from, CASE WHEN due_spans.from_day < '2001-01-01' THEN '-infinity'
                                       ELSE casino.day_start(due_spans.from_day - p.number::integer) END),
           least(p.valid_until, casino.day_start(due_spans.to_day - p.number::integer + 1))
      FROM casino.duty_period p
     WHERE p.name = due_spans.name
$fn$;
COMMENT ON FUNCTION casino.due_spans(text, date, date)
    IS 'Times of the events whose payment has its last day on one of these days, by the figure of that name: '
       'a span for each version of the figure';

CREATE FUNCTION casino.withdrawal_due_at(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.payment_due_at(withdrawal_due_at.since,
                                 casino.duty_number('withdrawal_days', withdrawal_due_at.since)::integer)
$fn$;
COMMENT ON FUNCTION casino.withdrawal_due_at(timestamptz)
    IS 'First instant that is too late to pay a withdrawal asked for then (D4 §11.2 b)';

CREATE FUNCTION casino.prompt_until(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino.payment_due_at(prompt_until.since, casino.duty_number('prompt_within',
        prompt_until.since)::integer)
$fn$;
COMMENT ON FUNCTION casino.prompt_until(timestamptz) IS
    'First instant at which what was won or asked for then is no longer paid promptly and needs a recorded '
    'reason (D4 §11.1, §11.2 b)';

-- What was asked for and won, and when that was paid or ended; of winnings those that were held back (R7.71).
CREATE FUNCTION casino_internal.payments_since(since timestamptz, until timestamptz)
RETURNS TABLE (what text, player_id bigint, entry_no bigint, round_id bigint, amount numeric,
               asked_at timestamptz, ended_at timestamptz, ended_kind text, reason text,
               judged_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'withdrawal', w.player_id, w.entry_no, NULL::bigint, w.amount, w.posted_at, e.posted_at, e.kind,
           (SELECT x.reason FROM casino.excused_delay x
            WHERE x.player_id = w.player_id AND x.entry_no = w.entry_no ORDER BY x.excuse_no DESC LIMIT 1),
           casino_internal.judged_at(e.posted_at, e.recorded_at)
      FROM casino.ledger w
      LEFT JOIN casino.ledger e ON e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no
     WHERE w.posted_at >= payments_since.since AND w.posted_at < payments_since.until
         AND w.kind = 'withdrawal'
    UNION ALL
    SELECT 'winnings', e.player_id, e.entry_no, r.round_id, e.payout, r.evaluated_at, p.posted_at, p.kind,
           -- why it was withheld is a reason, unless none was given
           coalesce((SELECT x.reason FROM casino.excused_delay x
                     WHERE x.player_id = e.player_id AND x.entry_no = e.entry_no ORDER BY x.excuse_no DESC
                         LIMIT 1),
                    h.reason, nullif(r.withheld_reason, 'withheld at the settlement')),
           casino_internal.judged_at(p.posted_at, p.recorded_at)
      -- rounds of which something was held back, so that no other round is evaluated
      FROM (SELECT x.round_id
              FROM casino.round x
             WHERE x.evaluated_at >= payments_since.since AND x.evaluated_at < payments_since.until
                 AND x.withheld_at IS NOT NULL
             UNION
            SELECT x.round_id
              FROM casino.withholding o
              JOIN casino.round x ON x.round_id = o.round_id
             WHERE x.evaluated_at >= payments_since.since AND x.evaluated_at < payments_since.until) k
      JOIN casino.round r ON r.round_id = k.round_id AND r.status IN ('settled', 'withheld')
     CROSS JOIN LATERAL (SELECT v.player_id, v.entry_no, v.payout
                           FROM casino.evaluation v
                          WHERE v.round_id = r.round_id AND v.payout > 0 OFFSET 0) e
      LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = r.round_id
      LEFT JOIN casino.ledger p ON p.player_id = e.player_id AND p.stake_entry_no = e.entry_no
          AND p.correction_no IS NULL
     WHERE r.withheld_at IS NOT NULL OR h.round_id IS NOT NULL
$fn$;
COMMENT ON FUNCTION casino_internal.payments_since(timestamptz, timestamptz) IS
    'Part of payment_times() and of the check no_reason: withdrawals asked for, and winnings held back of '
    'rounds evaluated in a time, when they were paid, the reason recorded for their delay, and the time by '
    'which the payment is judged (R7.86)';

-- From the end of a payment to its request: earlier requests are not looked through.
CREATE FUNCTION casino_internal.payments_made(since timestamptz, until timestamptz)
RETURNS TABLE (what text, player_id bigint, entry_no bigint, asked_at timestamptz, ended_at timestamptz,
               reason text, judged_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH paid AS MATERIALIZED (
        SELECT l.player_id, l.kind, l.round_id, l.posted_at, l.recorded_at,
               coalesce(l.withdrawal_entry_no, l.stake_entry_no) AS of_entry
          FROM casino.ledger l
         WHERE l.posted_at >= payments_made.since AND l.posted_at < payments_made.until
           AND l.kind IN ('cash_paid', 'transfer_paid', 'payout') AND l.correction_no IS NULL),
    held AS MATERIALIZED (
        -- OFFSET 0: each round once, by its key
        SELECT x.*
          FROM (SELECT DISTINCT p.round_id FROM paid p WHERE p.kind = 'payout') d
         CROSS JOIN LATERAL (SELECT r.round_id, r.evaluated_at, r.withheld_at, r.withheld_reason,
                                    EXISTS (SELECT FROM casino.withholding o
                                             WHERE o.round_id = r.round_id) AS of_single
                               FROM casino.round r
                              WHERE r.round_id = d.round_id AND r.status IN ('settled', 'withheld')
                             OFFSET 0) x
         WHERE x.withheld_at IS NOT NULL OR x.of_single)
    SELECT 'withdrawal', p.player_id, p.of_entry, w.posted_at, p.posted_at,
           (SELECT x.reason FROM casino.excused_delay x
             WHERE x.player_id = p.player_id AND x.entry_no = p.of_entry ORDER BY x.excuse_no DESC LIMIT 1),
           casino_internal.judged_at(p.posted_at, p.recorded_at)
      FROM paid p
     CROSS JOIN LATERAL (SELECT l.posted_at FROM casino.ledger l
                          WHERE l.player_id = p.player_id AND l.entry_no = p.of_entry
                            AND l.kind = 'withdrawal' OFFSET 0) w
     WHERE p.kind <> 'payout'
    UNION ALL
    SELECT 'winnings', p.player_id, p.of_entry, r.evaluated_at, p.posted_at,
           coalesce((SELECT x.reason FROM casino.excused_delay x
                      WHERE x.player_id = p.player_id AND x.entry_no = p.of_entry
                      ORDER BY x.excuse_no DESC LIMIT 1),
                    h.reason, nullif(r.withheld_reason, 'withheld at the settlement')),
           casino_internal.judged_at(p.posted_at, p.recorded_at)
      FROM paid p
      JOIN held r ON r.round_id = p.round_id
      LEFT JOIN casino.withholding h ON h.player_id = p.player_id AND h.round_id = p.round_id
     WHERE p.kind = 'payout' AND (r.withheld_at IS NOT NULL OR h.round_id IS NOT NULL)
$fn$;
COMMENT ON FUNCTION casino_internal.payments_made(timestamptz, timestamptz) IS
    'Part of payment_times(): withdrawals, and winnings that were held back, paid in a time, when they were '
    'asked for, and the reason recorded for their delay';

-- All payments of a book that was put away had ended when the book was closed.
CREATE FUNCTION casino_internal.payments_begin(since timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN c.closed_at < payments_begin.since
                THEN greatest(c.posted_at + interval '1 microsecond',
                              payments_begin.since - interval '400 days')
                ELSE payments_begin.since - interval '400 days' END
      FROM (SELECT max(k.recorded_at) AS closed_at, max(k.last_posted_at) AS posted_at
              FROM casino.book_closing k
             WHERE k.book = ANY (casino_internal.books_away())) c
$fn$;
COMMENT ON FUNCTION casino_internal.payments_begin(timestamptz)
    IS 'Part of the page of a period: from when on payments are looked at that end from '
       'a time on';

CREATE FUNCTION casino.payment_times(from_day date, to_day date)
RETURNS TABLE (what text, payments bigint, median interval, percentile_95 interval, longest interval,
               not_prompt bigint, without_reason bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(payment_times.from_day, payment_times.to_day);
    SELECT p.what, count(*), percentile_disc(0.5) WITHIN GROUP (ORDER BY p.ended_at - p.asked_at),
           percentile_disc(0.95) WITHIN GROUP (ORDER BY p.ended_at - p.asked_at),
           max(p.ended_at - p.asked_at),
           count(*) FILTER (WHERE p.judged_at >= casino.prompt_until(p.asked_at)),
           count(*) FILTER (WHERE p.judged_at >= casino.prompt_until(p.asked_at) AND p.reason IS NULL)
      FROM casino_internal.payments_made(payment_times.from_day::timestamp AT TIME ZONE 'Europe/Prague',
                                         (payment_times.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague') p
     GROUP BY p.what ORDER BY p.what
$fn$;
COMMENT ON FUNCTION casino.payment_times(date, date) IS
    'How long payments made on Prague days took, from the request or the evaluation (of winnings that were '
    'held back): median, 95th percentile, longest; how many were not prompt, and of these had no recorded '
    'reason (D4 §11)';

CREATE FUNCTION casino_internal.check_no_reason(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT p.what, p.player_id, p.round_id, p.entry_no,
               'paid before ' || u.prompt_until || ', or a reason',
               coalesce(p.ended_kind || ' at ' || p.ended_at, 'neither'),
               jsonb_build_object('amount', p.amount, 'since', p.asked_at)
          -- what comes to the days was asked for so many days before, by the figure in force then
          FROM (SELECT DISTINCT substring(d.value FROM '^\d+')::integer AS days
                  FROM casino.duty_rule d
                 WHERE d.name = 'prompt_within') f
         CROSS JOIN LATERAL casino_internal.payments_since(
                                casino.day_start(greatest(from_day, '2000-01-01') - f.days - 1),
                                casino.day_start(to_day - f.days)) p
         CROSS JOIN LATERAL (SELECT casino.prompt_until(p.asked_at) AS prompt_until) u
         WHERE u.prompt_until = casino.payment_due_at(p.asked_at, f.days)
           AND u.prompt_until <= clock_timestamp()
           AND (p.ended_at IS NULL OR p.judged_at >= u.prompt_until) AND p.reason IS NULL
           -- what the player took back was not paid late
           AND p.ended_kind IS DISTINCT FROM 'withdrawal_cancelled';
EXCEPTION WHEN OTHERS THEN
    IF casino_internal.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    RETURN NEXT ('error', NULL, NULL, NULL, 'what was to be paid can be reckoned',
                 SQLSTATE || ': ' || SQLERRM, '{}')::casino.finding;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_no_reason(date, date) IS
    'Part of the reconciliation, check no_reason: what was not paid promptly has a recorded reason (D4 '
    '§11.1, §11.2 b)';
