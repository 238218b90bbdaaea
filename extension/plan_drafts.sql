-- Drafts of plan versions: approved by a second person with the number of the approval, or withdrawn; how two
-- versions differ; games that are added (R1.20 to R1.26).

CREATE FUNCTION casino_internal.install_plan_drafts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    part name;
BEGIN
    CREATE TABLE casino.plan_approval (
        plan_id     bigint PRIMARY KEY REFERENCES casino.game_plan,
        number      text NOT NULL CHECK (btrim(number, E' \t\r\n') <> '' AND octet_length(number) <= 200),
        approved_by text NOT NULL CHECK (btrim(approved_by, E' \t\r\n') <> ''
                                         AND octet_length(approved_by) <= 200),
        at          timestamptz NOT NULL CHECK (isfinite(at)),
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    COMMENT ON TABLE casino.plan_approval
        IS 'Append-only: approvals of plan versions; a version without one never comes into force, but for '
           'the first versions, which install() loads';
    COMMENT ON COLUMN casino.plan_approval.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_approval.number IS 'Number of the decision that approves the version';
    COMMENT ON COLUMN casino.plan_approval.approved_by IS 'Authority that approved the version';
    COMMENT ON COLUMN casino.plan_approval.at IS 'When it was approved';
    COMMENT ON COLUMN casino.plan_approval.recorded_at IS 'When it was written';

    CREATE TABLE casino.plan_withdrawal (
        plan_id     bigint PRIMARY KEY REFERENCES casino.game_plan,
        reason      text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    COMMENT ON TABLE casino.plan_withdrawal
        IS 'Append-only: plan versions that were withdrawn before they came into force, and never do';
    COMMENT ON COLUMN casino.plan_withdrawal.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_withdrawal.reason IS 'Why';
    COMMENT ON COLUMN casino.plan_withdrawal.recorded_at IS 'When it was written';

    -- no foreign key: a draft that is deleted leaves its changes
    CREATE TABLE casino.plan_change (
        plan_id     bigint NOT NULL,
        change_no   integer NOT NULL CHECK (change_no > 0),
        part        text NOT NULL,
        row_key     text NOT NULL,
        before      jsonb,
        after       jsonb,
        copied_from bigint CHECK (copied_from IS NULL OR change_no = 1),
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (plan_id, change_no),
        CHECK (before IS DISTINCT FROM after)
    );
    COMMENT ON TABLE casino.plan_change
        IS 'Append-only: drafts of plan versions, from which version each was copied, and each row that was '
           'added, changed or removed since (R7.120)';
    COMMENT ON COLUMN casino.plan_change.plan_id IS 'Plan version, which may have been deleted since';
    COMMENT ON COLUMN casino.plan_change.change_no IS 'Counts the changes of a version from 1';
    COMMENT ON COLUMN casino.plan_change.part IS 'Table of the row';
    COMMENT ON COLUMN casino.plan_change.row_key
        IS 'Key of the row in it, without the plan''s; empty for the version itself';
    COMMENT ON COLUMN casino.plan_change.before IS 'The row as it was; NULL: it was added';
    COMMENT ON COLUMN casino.plan_change.after IS 'The row as it is since; NULL: it was removed';
    COMMENT ON COLUMN casino.plan_change.copied_from
        IS 'Of the first change: the version of which this one is a copy; NULL: of none';
    COMMENT ON COLUMN casino.plan_change.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('plan_approval', 'plan_withdrawal', 'plan_change');
    PERFORM casino_internal.make_recorded('plan_approval', loaded => true);
    PERFORM casino_internal.make_recorded('plan_withdrawal', loaded => true);
    PERFORM casino_internal.make_recorded('plan_change');
    FOREACH part IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule'] LOOP
        EXECUTE format('CREATE TRIGGER plan_log AFTER INSERT OR UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino_internal.plan_log()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_log ON casino.%I IS %L', part,
                       'Who changed which row of a draft is kept');
    END LOOP;
    CREATE TRIGGER draft_decided BEFORE INSERT ON casino.plan_approval
        FOR EACH ROW EXECUTE FUNCTION casino_internal.draft_decided();
    COMMENT ON TRIGGER draft_decided ON casino.plan_approval
        IS 'Only whole drafts are approved, before their day and by a second person';
    CREATE TRIGGER draft_decided BEFORE INSERT ON casino.plan_withdrawal
        FOR EACH ROW EXECUTE FUNCTION casino_internal.draft_decided();
    COMMENT ON TRIGGER draft_decided ON casino.plan_withdrawal
        IS 'Only drafts are withdrawn, before their day';

    -- versions that come into force by their date (R1.20); what install() loads was approved before
    CREATE VIEW casino.approved_plan AS
        SELECT p.plan_id, p.game, p.version, p.valid_from
          FROM casino.game_plan p
         WHERE (p.version = 1 AND p.recorded_by IS NULL
                OR EXISTS (SELECT FROM casino.plan_approval a WHERE a.plan_id = p.plan_id))
           AND NOT EXISTS (SELECT FROM casino.plan_withdrawal w WHERE w.plan_id = p.plan_id);
    COMMENT ON VIEW casino.approved_plan
        IS 'Plan versions that come into force by their date: approved or loaded by install(), not withdrawn';
    COMMENT ON COLUMN casino.approved_plan.plan_id IS 'Number of the version';
    COMMENT ON COLUMN casino.approved_plan.game IS 'Game';
    COMMENT ON COLUMN casino.approved_plan.version IS 'Counts the versions of one game from 1';
    COMMENT ON COLUMN casino.approved_plan.valid_from
        IS 'When it comes into force, until the next approved version of the same game does';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_plan_drafts()
    IS 'Part of casino.install(): approvals of plan versions';

CREATE FUNCTION casino_internal.draft_decided() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    draft casino.game_plan;
    me CONSTANT integer := casino_internal.recorded_by();
    same text;
    problems text[];
BEGIN
    -- against who changes the draft, who holds the same row
    SELECT p.* INTO draft FROM casino.game_plan p WHERE p.plan_id = NEW.plan_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NEW;         -- the foreign key refuses it
    END IF;
    IF draft.valid_from <= clock_timestamp() OR casino_internal.plan_is_used(draft.plan_id) THEN
        RAISE EXCEPTION 'the day of % has come', casino_internal.plan_name(draft.plan_id)
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It is valid from %s.', draft.valid_from);
    ELSIF EXISTS (SELECT FROM casino.plan_withdrawal w WHERE w.plan_id = draft.plan_id) THEN
        RAISE EXCEPTION '% was withdrawn', casino_internal.plan_name(draft.plan_id)
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Add a version with casino.add_plan_version().';
    ELSIF TG_TABLE_NAME = 'plan_withdrawal' THEN
        RETURN NEW;
    END IF;
    -- the rows that are approved must be the rows that are read
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a plan version is approved in a transaction of READ COMMITTED'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = 'An older snapshot does not see the newest rows of the draft.';
    END IF;
    -- R1.21: of all who wrote rows of the draft
    SELECT casino_internal.same_eyes(r.who, me) INTO same
      FROM (SELECT draft.recorded_by AS who
             UNION SELECT x.recorded_by FROM casino.plan_rule x WHERE x.plan_id = draft.plan_id
             UNION SELECT x.recorded_by FROM casino.bet_rule x WHERE x.plan_id = draft.plan_id
             UNION SELECT x.recorded_by FROM casino.paytable x WHERE x.plan_id = draft.plan_id
             UNION SELECT x.recorded_by FROM casino.announced_rule x WHERE x.plan_id = draft.plan_id
             -- also whose row another person has written over, or removed
             UNION SELECT x.recorded_by FROM casino.plan_change x WHERE x.plan_id = draft.plan_id) r
     WHERE r.who IS NOT NULL AND casino_internal.same_eyes(r.who, me) IS NOT NULL
     LIMIT 1;
    IF same IS NOT NULL THEN
        RAISE EXCEPTION '% needs the approval of a second person', casino_internal.plan_name(draft.plan_id)
            USING ERRCODE = 'insufficient_privilege', DETAIL = same,
                  HINT = 'A person who wrote no row of the draft, under another login, calls '
                         'casino.approve_plan_version().';
    END IF;
    -- R1.22
    problems := ARRAY (SELECT c.problem FROM casino.check_plan(draft.plan_id) c);
    IF cardinality(problems) > 0 THEN
        RAISE EXCEPTION '% is not whole', casino_internal.plan_name(draft.plan_id)
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = array_to_string(problems[1:10], '; ') || '.',
                  HINT = format('SELECT * FROM casino.check_plan(%s) lists the rows.', draft.plan_id);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino_internal.draft_decided()
    IS 'Trigger of plan_approval and plan_withdrawal: which drafts are approved or withdrawn, and by whom';

-- ---------------------------------------------------------------- changes of a draft (R7.120)

-- A row of a plan as casino.plan_row has it.
CREATE FUNCTION casino_internal.plan_row_content(part text, content jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE part
               WHEN 'game_plan' THEN
                   content - 'recorded_by' - 'recorded_at'
                   || jsonb_build_object('valid_from',
                                         (content ->> 'valid_from')::timestamptz AT TIME ZONE 'UTC')
               ELSE content - 'recorded_by'
           END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_row_content(text, jsonb)
    IS 'Part of plan_log(): a row of a plan version without who recorded it';

CREATE FUNCTION casino_internal.plan_row_key(part text, content jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE part WHEN 'game_plan' THEN ''
                     WHEN 'plan_rule' THEN content ->> 'rule'
                     WHEN 'bet_rule' THEN content ->> 'kind'
                     WHEN 'paytable' THEN concat(content ->> 'kind', ' ', content ->> 'grade')
                     ELSE content ->> 'stem' END;
COMMENT ON FUNCTION casino_internal.plan_row_key(text, jsonb)
    IS 'Part of plan_log(): key of a row of a plan version';

-- Who comes here holds the row of casino.game_plan (plan_guard()), so that the numbers have no gap.
CREATE FUNCTION casino_internal.keep_plan_change(plan_id bigint, part text, row_key text, before jsonb,
                                                 after jsonb, copied_from bigint DEFAULT NULL) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    INSERT INTO casino.plan_change (plan_id, change_no, part, row_key, before, after, copied_from)
    SELECT $1, coalesce(max(c.change_no), 0) + 1, $2, $3, $4, $5, $6
      FROM casino.plan_change c
     WHERE c.plan_id = $1
$fn$;
COMMENT ON FUNCTION casino_internal.keep_plan_change(bigint, text, text, jsonb, jsonb, bigint)
    IS 'Part of plan_log() and of add_plan_version(): keeps a change of a draft';

CREATE FUNCTION casino_internal.plan_log_impl() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    part CONSTANT text := TG_TABLE_NAME;
    before CONSTANT jsonb
        := CASE WHEN TG_OP <> 'INSERT' THEN casino_internal.plan_row_content(part, to_jsonb(OLD)) END;
    after CONSTANT jsonb
        := CASE WHEN TG_OP <> 'DELETE' THEN casino_internal.plan_row_content(part, to_jsonb(NEW)) END;
    old_plan CONSTANT bigint := before -> 'plan_id';
    new_plan CONSTANT bigint := after -> 'plan_id';
    old_key CONSTANT text := casino_internal.plan_row_key(part, before);
    new_key CONSTANT text := casino_internal.plan_row_key(part, after);
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- the rows with which a version begins are the version
        IF part <> 'game_plan' AND EXISTS (SELECT FROM casino.plan_change c WHERE c.plan_id = new_plan) THEN
            PERFORM casino_internal.keep_plan_change(new_plan, part, new_key, NULL, after);
        END IF;
    ELSIF TG_OP = 'UPDATE' AND old_plan = new_plan AND old_key = new_key THEN
        IF before <> after THEN
            PERFORM casino_internal.keep_plan_change(new_plan, part, new_key, before, after);
        END IF;
    ELSE
        PERFORM casino_internal.keep_plan_change(old_plan, part, old_key, before, NULL);
        IF TG_OP = 'UPDATE' THEN
            PERFORM casino_internal.keep_plan_change(new_plan, part, new_key, NULL, after);
        END IF;
    END IF;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_log_impl()
    IS 'Body of plan_log(), run as the owner of the ledger';

CREATE FUNCTION casino_internal.plan_log() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.plan_log()
    IS 'Trigger of the plan tables: rows of drafts that are added, changed or removed are kept';

CREATE FUNCTION casino_internal.other_values(content jsonb, than jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN than IS NULL THEN content - 'plan_id'
                ELSE (SELECT jsonb_object_agg(e.key, e.value)
                        FROM jsonb_each(content) e
                       WHERE e.value IS DISTINCT FROM than -> e.key) END
$fn$;
COMMENT ON FUNCTION casino_internal.other_values(jsonb, jsonb)
    IS 'Part of significant_event(): the values of a row that another state of it has otherwise';

CREATE FUNCTION casino.approve_plan_version(plan_id bigint, number text, approved_by text,
                                            at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_plan_version(bigint, text, text, timestamptz)
    IS 'Approves a draft of a plan version, by a person who wrote no row of the draft: number of the '
       'decision, authority, time. An approved version does not change, and comes into force by its date';

CREATE FUNCTION casino_internal.approve_plan_version_impl(plan_id bigint, number text, approved_by text,
                                                          at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF plan_id IS NULL OR number IS NULL OR approved_by IS NULL THEN
        RAISE EXCEPTION 'plan_id, number and approved_by must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(number) = '' OR btrim(approved_by) = '' THEN
        RAISE EXCEPTION 'an approval needs a number and the authority that approved'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(number, 'number', 200);
    PERFORM casino_internal.bounded(approved_by, 'approved_by', 200);
    IF NOT isfinite(at) THEN
        RAISE EXCEPTION 'at must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    IF NOT EXISTS (SELECT FROM casino.game_plan p WHERE p.plan_id = approve_plan_version_impl.plan_id) THEN
        RAISE EXCEPTION 'plan version % does not exist', plan_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF EXISTS (SELECT FROM casino.plan_approval a
                WHERE a.plan_id = approve_plan_version_impl.plan_id
                  AND a.number = approve_plan_version_impl.number
                  AND a.approved_by = approve_plan_version_impl.approved_by
                  AND a.at = coalesce(approve_plan_version_impl.at, a.at)) THEN
        RETURN;
    END IF;
    INSERT INTO casino.plan_approval (plan_id, number, approved_by, at)
    VALUES (approve_plan_version_impl.plan_id, approve_plan_version_impl.number,
            approve_plan_version_impl.approved_by,
            coalesce(approve_plan_version_impl.at, clock_timestamp()));
END
$fn$;
COMMENT ON FUNCTION casino_internal.approve_plan_version_impl(bigint, text, text, timestamptz)
    IS 'Body of approve_plan_version(), run as the owner of the ledger';

-- A person with a profile writes no table: the rows of a draft are changed one by one, by their keys (R1.21).
CREATE FUNCTION casino.change_plan_version(plan_id bigint, part text, content jsonb,
                                           remove boolean DEFAULT false) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.change_plan_version(bigint, text, jsonb, boolean)
    IS 'Changes a row of a draft of a plan version, adds or removes one. part: game_plan, plan_rule, '
       'bet_rule, paytable, announced_rule; content: the columns of the row by name, with the key. Returns '
       'whether something was changed; 55000 once the version was approved, withdrawn or is in force';

CREATE FUNCTION casino_internal.change_plan_version_impl(plan_id bigint, part text, content jsonb,
                                                         remove boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    key_columns text[];
    value_columns text[];
    wrong text;
    matching text;
    found_one boolean;
    changed bigint;
BEGIN
    IF plan_id IS NULL OR part IS NULL OR content IS NULL OR remove IS NULL THEN
        RAISE EXCEPTION 'plan_id, part, content and remove must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    key_columns := CASE part WHEN 'game_plan' THEN '{}'
                             WHEN 'plan_rule' THEN '{rule}'
                             WHEN 'bet_rule' THEN '{kind}'
                             WHEN 'paytable' THEN '{kind,grade}'
                             WHEN 'announced_rule' THEN '{stem}' END;
    IF key_columns IS NULL OR jsonb_typeof(content) <> 'object' OR remove AND part = 'game_plan' THEN
        RAISE EXCEPTION 'no such change of a plan version: % of %', CASE WHEN remove THEN 'removal'
                                                                      ELSE 'content' END, left(part, 64)
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'Parts are game_plan, plan_rule, bet_rule, paytable and announced_rule; the row '
                           'of game_plan is not removed; the content is an object.';
    END IF;
    value_columns := ARRAY (SELECT a.attname::text
                              FROM pg_attribute a
                             WHERE a.attrelid = format('casino.%I', part)::regclass
                               AND a.attnum > 0
                               AND NOT a.attisdropped
                               AND a.attname <> ALL ('{plan_id,game,version,recorded_by,recorded_at}')
                               AND a.attname <> ALL (key_columns)
                             ORDER BY a.attnum);
    SELECT min(k.name) INTO wrong
      FROM jsonb_object_keys(content) k (name)
     WHERE k.name <> ALL (key_columns || CASE WHEN remove THEN '{}' ELSE value_columns END);
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'column "%" of % cannot be changed', left(wrong, 64), part
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT min(k.name) INTO wrong FROM unnest(key_columns) k (name) WHERE content ->> k.name IS NULL;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'the content lacks the key "%" of %', wrong, part
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- against another change of the same row
    PERFORM FROM casino.game_plan p WHERE p.plan_id = change_plan_version_impl.plan_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'plan version % does not exist', plan_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    value_columns := ARRAY (SELECT v.name
                              FROM unnest(value_columns) WITH ORDINALITY v (name, place)
                             WHERE content ? v.name
                             ORDER BY v.place);
    SELECT 't.plan_id = $1' || coalesce(string_agg(format(' AND t.%1$I = n.%1$I', k.name), ''), '')
      INTO matching
      FROM unnest(key_columns) k (name);
    EXECUTE format('SELECT EXISTS (SELECT FROM casino.%1$I t, '
                   'jsonb_populate_record(NULL::casino.%1$I, $2) n WHERE %2$s)', part, matching)
       INTO found_one USING plan_id, content;
    IF remove THEN
        EXECUTE format('DELETE FROM casino.%1$I t USING jsonb_populate_record(NULL::casino.%1$I, $2) n '
                       'WHERE %2$s', part, matching)
          USING plan_id, content;
    ELSIF NOT found_one THEN
        EXECUTE format('INSERT INTO casino.%1$I (plan_id, %2$s) '
                       'SELECT $1, %2$s FROM jsonb_populate_record(NULL::casino.%1$I, $2)', part,
                       (SELECT string_agg(quote_ident(c.name), ', ')
                          FROM unnest(key_columns || value_columns) c (name)))
          USING plan_id, content;
    ELSIF cardinality(value_columns) > 0 THEN
        -- a row that is so already keeps who wrote it
        EXECUTE format('UPDATE casino.%1$I t SET %3$s FROM jsonb_populate_record(NULL::casino.%1$I, $2) n '
                       'WHERE %2$s AND (%4$s) IS DISTINCT FROM (%5$s)', part, matching,
                       (SELECT string_agg(format('%1$I = n.%1$I', c.name), ', ')
                          FROM unnest(value_columns) c (name)),
                       (SELECT string_agg(format('t.%I', c.name), ', ') FROM unnest(value_columns) c (name)),
                       (SELECT string_agg(format('n.%I', c.name), ', ') FROM unnest(value_columns) c (name)))
          USING plan_id, content;
    ELSE
        RETURN false;
    END IF;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed > 0;
END
$fn$;
COMMENT ON FUNCTION casino_internal.change_plan_version_impl(bigint, text, jsonb, boolean)
    IS 'Body of change_plan_version(), run as the owner of the ledger';

CREATE FUNCTION casino.withdraw_plan_version(plan_id bigint, reason text) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.withdraw_plan_version(bigint, text)
    IS 'Withdraws a plan version, approved or not, before its day: it never comes into force, and another '
       'one may have its date';

CREATE FUNCTION casino_internal.withdraw_plan_version_impl(plan_id bigint, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF plan_id IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'plan_id and reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'withdrawing a plan version needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(reason, 'reason', 1000);
    IF NOT EXISTS (SELECT FROM casino.game_plan p WHERE p.plan_id = withdraw_plan_version_impl.plan_id) THEN
        RAISE EXCEPTION 'plan version % does not exist', plan_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF EXISTS (SELECT FROM casino.plan_withdrawal w
                WHERE w.plan_id = withdraw_plan_version_impl.plan_id
                  AND w.reason = withdraw_plan_version_impl.reason) THEN
        RETURN;
    END IF;
    INSERT INTO casino.plan_withdrawal (plan_id, reason)
    VALUES (withdraw_plan_version_impl.plan_id, withdraw_plan_version_impl.reason);
END
$fn$;
COMMENT ON FUNCTION casino_internal.withdraw_plan_version_impl(bigint, text)
    IS 'Body of withdraw_plan_version(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------- games, differences

-- R1.26: a draft is audited before the authority approves it.
CREATE FUNCTION casino_internal.plan_by_date(game text, at timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT p.plan_id
                       FROM casino.game_plan p
                      WHERE p.game = plan_by_date.game
                        AND p.valid_from <= plan_by_date.at
                        AND p.valid_from > clock_timestamp()
                        AND p.plan_id NOT IN (SELECT w.plan_id FROM casino.plan_withdrawal w)
                      ORDER BY p.valid_from DESC
                      LIMIT 1),
                    casino.plan_in_force(plan_by_date.game, plan_by_date.at))
$fn$;
COMMENT ON FUNCTION casino_internal.plan_by_date(text, timestamptz)
    IS 'Part of plan_audit(), bet_return(), quote() and max_win(): the version of a game''s plan at '
       'a time, of a time to come by drafts too';

CREATE FUNCTION casino_internal.copy_plan_rows(from_plan bigint, to_plan bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph, informative)
    SELECT to_plan, r.rule, r.value, r.paragraph, r.informative
      FROM casino.plan_rule r WHERE r.plan_id = from_plan;
    INSERT INTO casino.bet_rule
    SELECT to_plan, b.kind, b.min_stake, b.max_stake, b.declared_win, b.table_limits, b.requires, b.phase,
           b.zero_offered, b.paragraph
      FROM casino.bet_rule b WHERE b.plan_id = from_plan;
    INSERT INTO casino.paytable
    SELECT to_plan, t.kind, t.grade, t.num, t.den, t.paragraph
      FROM casino.paytable t WHERE t.plan_id = from_plan;
    INSERT INTO casino.announced_rule
    SELECT to_plan, a.stem, a.min_neighbours, a.max_neighbours, a.paragraph
      FROM casino.announced_rule a WHERE a.plan_id = from_plan
$fn$;
COMMENT ON FUNCTION casino_internal.copy_plan_rows(bigint, bigint)
    IS 'Part of add_plan_version() and add_game(): the rows of a version copied to another one';

CREATE FUNCTION casino_internal.begin_plan_log(plan_id bigint, copied_from bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.keep_plan_change(r.plan_id, r.part, r.row_key, NULL, r.content, $2)
      FROM casino.plan_row r
     WHERE r.plan_id = $1 AND r.part = 'game_plan'
$fn$;
COMMENT ON FUNCTION casino_internal.begin_plan_log(bigint, bigint)
    IS 'Part of add_plan_version() and add_game(): from which version a draft was copied';

CREATE FUNCTION casino.add_game(game text, name text, like_game text, live boolean, document text,
                                valid_from timestamptz, name_en text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.add_game(text, text, text, boolean, text, timestamptz, text)
    IS 'Adds a game with a draft of its first plan version, a copy of the version in force of another game '
       'of its family, to be changed and approved before its day. name_en: its name on pages in English, '
       'NULL: the same. Returns the plan_id';

CREATE FUNCTION casino_internal.add_game_impl(game text, name text, like_game text, live boolean,
                                              document text,
                                              valid_from timestamptz, name_en text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    model casino.game;
    pattern casino.game_plan;
    plan bigint;
BEGIN
    IF game IS NULL OR name IS NULL OR like_game IS NULL OR live IS NULL OR document IS NULL
       OR valid_from IS NULL THEN
        RAISE EXCEPTION 'game, name, like_game, live, document and valid_from must be given'
            USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF game !~ '^[a-z][a-z0-9_]{0,62}$' OR btrim(name) = '' OR btrim(document) = ''
       OR btrim(name_en) = '' THEN
        RAISE EXCEPTION 'a game needs a code of small letters, digits and underscores, a name and a document'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.bounded(name, 'name', 200), casino_internal.bounded(name_en, 'name_en', 200);
    PERFORM casino_internal.bounded(document, 'document', 1000);
    SELECT g.* INTO model FROM casino.game g WHERE g.game = like_game FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', like_game
            USING ERRCODE = 'foreign_key_violation', HINT = casino_internal.games_like(like_game);
    END IF;
    -- the same call again, as it is made in a hub and all its cells
    SELECT p.plan_id INTO plan
      FROM casino.game_plan p
      JOIN casino.game g ON g.game = p.game
     WHERE g.game = add_game_impl.game AND g.name = add_game_impl.name AND g.live = add_game_impl.live
       AND g.name_en IS NOT DISTINCT FROM add_game_impl.name_en
       AND g.family = model.family AND p.version = 1 AND p.valid_from = add_game_impl.valid_from
       AND p.document = add_game_impl.document;
    IF FOUND THEN
        RETURN plan;
    END IF;
    SELECT p.* INTO STRICT pattern FROM casino.game_plan p
     WHERE p.plan_id = casino.plan_in_force(like_game, clock_timestamp());
    INSERT INTO casino.game (game, name, family, live, document, name_en)
    VALUES (add_game_impl.game, add_game_impl.name, model.family, add_game_impl.live,
            left(add_game_impl.document, 2), add_game_impl.name_en);
    plan := nextval('casino.plan_id_seq');
    INSERT INTO casino.game_plan (plan_id, game, version, valid_from, document, round_max_stake,
                                  declared_round_win)
    VALUES (plan, add_game_impl.game, 1, add_game_impl.valid_from, add_game_impl.document,
            pattern.round_max_stake, pattern.declared_round_win);
    PERFORM casino_internal.copy_plan_rows(pattern.plan_id, plan);
    PERFORM casino_internal.begin_plan_log(plan, pattern.plan_id);
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino_internal.add_game_impl(text, text, text, boolean, text, timestamptz, text)
    IS 'Body of add_game(), run as the owner of the ledger';

CREATE FUNCTION casino.plan_difference(a bigint, b bigint, OUT part text, OUT row_key text, OUT field text,
                                       OUT before text, OUT after text) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 50 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    missing CONSTANT bigint := (SELECT min(n) FROM unnest(ARRAY[a, b]) n
                                 WHERE n NOT IN (SELECT p.plan_id FROM casino.game_plan p));
BEGIN
    IF a IS NULL OR b IS NULL THEN
        RETURN;
    ELSIF missing IS NOT NULL THEN
        RAISE EXCEPTION 'plan version % does not exist', missing USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN QUERY
        SELECT coalesce(x.part, y.part), coalesce(x.row_key, y.row_key), k.field, x.content ->> k.field,
               y.content ->> k.field
          FROM (SELECT r.part, r.row_key, r.content FROM casino.plan_row r WHERE r.plan_id = a) x
          FULL JOIN (SELECT r.part, r.row_key, r.content FROM casino.plan_row r WHERE r.plan_id = b) y
               ON y.part = x.part AND y.row_key = x.row_key
         CROSS JOIN LATERAL (SELECT DISTINCT jsonb_object_keys(coalesce(x.content, '{}')
                                                               || coalesce(y.content, '{}'))) k (field)
         WHERE x.content ->> k.field IS DISTINCT FROM y.content ->> k.field
           AND k.field NOT IN ('plan_id', 'version', 'informative')
         ORDER BY coalesce(x.part, y.part) COLLATE "C", coalesce(x.row_key, y.row_key) COLLATE "C",
                  k.field COLLATE "C";
END
$fn$;
COMMENT ON FUNCTION casino.plan_difference(bigint, bigint)
    IS 'Two plan versions held against each other: a row for each value that differs, with the value of the '
       'one and of the other; NULL: the row is not there, or has no value';

-- Words of the text in Czech; a word that is missing here stays as it stands.
CREATE FUNCTION casino_internal.plan_word(word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT w.czech
                       FROM (VALUES
                         ('game', 'hra'), ('game_plan', 'verze'), ('plan_rule', 'pravidlo'),
                         ('bet_rule', 'sázka'), ('paytable', 'výplatní poměr'),
                         ('announced_rule', 'hlášená sázka'), ('min_stake', 'nejnižší sázka v Kč'),
                         ('max_stake', 'nejvyšší sázka v Kč'),
                         ('declared_win', 'maximální výhra v Kč'),
                         ('round_max_stake', 'nejvyšší sázka v jedné hře v Kč'),
                         ('declared_round_win', 'maximální výhra v jedné hře v Kč'),
                         ('valid_from', 'účinnost od'), ('document', 'dokument'), ('value', 'hodnota'),
                         ('paragraph', 'ustanovení'), ('num', 'výhra'), ('den', 'na sázku'),
                         ('kind', 'druh sázky'), ('grade', 'výsledek'), ('rule', 'označení'),
                         ('name', 'název'), ('name_en', 'anglický název'), ('live', 'přenášená'),
                         ('stem', 'název'),
                         ('min_neighbours', 'nejméně sousedů'), ('max_neighbours', 'nejvíce sousedů'),
                         ('zero_offered', 'i s nulou'), ('requires', 'jen k sázce'),
                         ('phase', 'kdy se přijímá'), ('table_limits', 'limity stolu')) w (word, czech)
                      WHERE w.word = $1), $1)
$fn$;
COMMENT ON FUNCTION casino_internal.plan_word(text)
    IS 'Part of plan_difference_text(): a word of the plans in Czech';

CREATE FUNCTION casino.plan_difference_text(a bigint, b bigint, lang text DEFAULT 'cs') RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    czech CONSTANT boolean := lang = 'cs';
    old casino.game_plan;
    new casino.game_plan;
    lines text;
BEGIN
    IF lang NOT IN ('cs', 'en') THEN
        RAISE EXCEPTION 'unknown language "%"', left(lang, 50)
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Languages are cs and en.';
    END IF;
    SELECT string_agg(format('%s %s, %s: %s %s %s',
                             CASE WHEN czech THEN casino_internal.plan_word(d.part) ELSE d.part END,
                                 d.row_key,
                             CASE WHEN czech THEN casino_internal.plan_word(d.field) ELSE d.field END,
                             coalesce(d.before, CASE WHEN czech THEN '(není)' ELSE '(none)' END), '→',
                             coalesce(d.after, CASE WHEN czech THEN '(není)' ELSE '(none)' END)), E'\n'
                      ORDER BY d.part COLLATE "C", d.row_key COLLATE "C", d.field COLLATE "C")
      INTO lines
      FROM casino.plan_difference(a, b) d;
    SELECT p.* INTO old FROM casino.game_plan p WHERE p.plan_id = a;
    SELECT p.* INTO new FROM casino.game_plan p WHERE p.plan_id = b;
    RETURN format(CASE WHEN czech THEN 'Herní plán %s: změny verze %s oproti verzi %s'
                       ELSE 'Game plan of %s: version %s against version %s' END,
                  new.game, new.version, old.version)
           || E'\n' || coalesce(lines, CASE WHEN czech THEN 'beze změny' ELSE 'no change' END) || E'\n';
END
$fn$;
COMMENT ON FUNCTION casino.plan_difference_text(bigint, bigint, text)
    IS 'plan_difference() as text for the ministry, in Czech or English (lang: cs, en): one line a value';

-- R1.24: a week is left to put right a version that cannot come into force as it is.
CREATE FUNCTION casino.plan_warnings(at timestamptz DEFAULT NULL,
                                     OUT plan_id bigint, OUT game text, OUT version integer,
                                     OUT valid_from timestamptz, OUT problem text) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(at, clock_timestamp());
BEGIN
    RETURN QUERY
        SELECT p.plan_id, p.game, p.version, p.valid_from, c.problem
          FROM casino.game_plan p
         CROSS JOIN LATERAL (SELECT 'it is not approved' AS problem
                              WHERE p.plan_id NOT IN (SELECT o.plan_id FROM casino.approved_plan o)
                             UNION ALL
                             SELECT k.problem FROM casino.check_plan(p.plan_id) k) c
         WHERE p.valid_from > moment
           AND p.valid_from <= moment + interval '7 days'
           AND p.plan_id NOT IN (SELECT w.plan_id FROM casino.plan_withdrawal w)
         ORDER BY p.valid_from, p.plan_id, c.problem;
END
$fn$;
COMMENT ON FUNCTION casino.plan_warnings(timestamptz)
    IS 'Plan versions whose day comes within seven days, and why they cannot come into force as they are: '
       'not approved, not whole';
