-- install(): the operator's tables, views and triggers. They are made by the caller, belong to him, and are
-- no members of the extension (R12.13), so that pg_dump dumps them whole and DROP EXTENSION refuses while
-- they exist. The tables of a subject are made by the part of that subject: install_SUBJECT(). Each step
-- brings the schema one version further and is never edited once released.

CREATE FUNCTION casino.install() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    newest CONSTANT integer := 1;
    present integer := 0;
    odd text;
    family text;
BEGIN
    PERFORM casino_internal.take_lock('install');
    PERFORM casino_internal.check_owners();
    IF to_regclass('casino.schema_version') IS NOT NULL THEN
        SELECT coalesce(max(version), 0) INTO present FROM casino.schema_version;
    END IF;
    IF present = 0 THEN
        SELECT string_agg(o.object, ', ' ORDER BY o.object) INTO odd
          FROM casino_internal.schema_objects() o
              WHERE o.object ~ '^(table|view|materialized view|sequence) ';
        IF odd IS NOT NULL THEN
            RAISE EXCEPTION 'schema casino contains tables that install() did not create'
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = left(format('No step of it is recorded, and there is: %s.', odd), 1000),
                      HINT = 'Restore a backup. A development installation is removed with DROP SCHEMA '
                             'casino CASCADE and made anew.';
        END IF;
        CREATE TABLE casino.schema_version (
            version      integer PRIMARY KEY,
            installed_at timestamptz NOT NULL
        );
        COMMENT ON TABLE casino.schema_version
            IS 'Part of casino.install(): steps of casino.install() taken so far; the greatest is the '
               'version of these tables';
        COMMENT ON COLUMN casino.schema_version.version IS 'Number of the step';
        COMMENT ON COLUMN casino.schema_version.installed_at IS 'When the step was taken';
        CREATE TABLE casino.installed_object (
            object  text PRIMARY KEY,
            state   text NOT NULL,
            version integer NOT NULL REFERENCES casino.schema_version
        );
        COMMENT ON TABLE casino.installed_object
            IS 'Part of casino.install(): what the steps of casino.install() have made; it refuses to go on '
               'when something of it is missing or changed';
        COMMENT ON COLUMN casino.installed_object.object
            IS 'Table, view, column, index, constraint, trigger or sequence';
        COMMENT ON COLUMN casino.installed_object.state IS 'Its definition';
        COMMENT ON COLUMN casino.installed_object.version IS 'Version of the tables when this was recorded';
    ELSIF present > newest THEN
        RAISE EXCEPTION 'the tables of casino have version %, this extension knows up to %', present, newest
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Run ALTER EXTENSION casino UPDATE.';
    ELSE
        PERFORM casino_internal.enable_append_only();
        PERFORM casino_internal.check_installed();
        -- of a newer extension, not of anybody who replaced a function
        IF NOT EXISTS (SELECT FROM casino.installed_object i
                         JOIN pg_extension e ON e.extname = 'casino' AND i.state = 'is ' || e.extversion
                        WHERE i.object = 'extension casino') THEN
            PERFORM casino_internal.record_code();
            -- another version of the code may have found other problems in a plan
            DELETE FROM casino.kept_plan;
        END IF;
    END IF;
    IF present < 1 THEN
        -- tables
        PERFORM casino_internal.install_recorder();
        PERFORM casino_internal.install_plans();
        PERFORM casino_internal.install_cells();
        PERFORM casino_internal.install_tables();
        PERFORM casino_internal.install_rounds();
        PERFORM casino_internal.install_players();
        PERFORM casino_internal.install_operation();
        PERFORM casino_internal.install_ledger();
        PERFORM casino_internal.install_wagers();
        PERFORM casino_internal.install_refusals();
        PERFORM casino_internal.install_boxes();
        PERFORM casino_internal.install_disconnection();
        PERFORM casino_internal.install_stacks();
        PERFORM casino_internal.install_withholding();
        PERFORM casino_internal.install_corrections();
        PERFORM casino_internal.install_exclusions();
        PERFORM casino_internal.install_exclusion_mistakes();
        PERFORM casino_internal.install_register_checks();
        PERFORM casino_internal.install_limits();
        PERFORM casino_internal.install_other_play();
        PERFORM casino_internal.install_clear_texts();
        PERFORM casino_internal.install_withdrawals();
        PERFORM casino_internal.install_deadlines();
        PERFORM casino_internal.install_duty_rules();
        PERFORM casino_internal.install_erasure();
        PERFORM casino_internal.install_adjustments();
        PERFORM casino_internal.install_moves();
        PERFORM casino_internal.install_replays();
        PERFORM casino_internal.install_approvals();
        -- before the guards of plans, which would refuse versions in force since ever
        PERFORM casino_internal.load_game_plans();
        PERFORM casino_internal.guard_plans();
        PERFORM casino_internal.install_plan_drafts();
        PERFORM casino_internal.install_reconciliation();
        PERFORM casino_internal.install_morning();
        PERFORM casino_internal.install_seals();
        PERFORM casino_internal.install_provider_settings();
        PERFORM casino_internal.install_provider();
        PERFORM casino_internal.install_provider_ends();
        PERFORM casino_internal.install_cage();
        PERFORM casino_internal.install_kept_days();
        PERFORM casino_internal.install_kept_plans();
        PERFORM casino_internal.install_changes();
        -- views, those first that others ask; a row for each family of games
        PERFORM casino_internal.install_standing_stake();
        FOR family IN SELECT f.family FROM casino.families() f LOOP
            EXECUTE format('SELECT casino_internal.%I()', 'install_' || family);
        END LOOP;
        PERFORM casino_internal.install_evaluation();
        PERFORM casino_internal.install_wager_views();
        PERFORM casino_internal.install_disconnection_views();
        PERFORM casino_internal.install_approval_views();
        PERFORM casino_internal.install_book_views();
        PERFORM casino_internal.install_ledger_views();
        PERFORM casino_internal.install_erasure_views();
        PERFORM casino_internal.install_clear_text_views();
        PERFORM casino_internal.install_correction_views();
        PERFORM casino_internal.install_withholding_views();
        PERFORM casino_internal.install_facts();
        PERFORM casino_internal.install_exclusion_views();
        PERFORM casino_internal.install_sequence_views();
        PERFORM casino_internal.install_withdrawal_views();
        PERFORM casino_internal.install_deadline_views();
        PERFORM casino_internal.install_watch();
        PERFORM casino_internal.install_figures();
        PERFORM casino_internal.install_bi_views();
        PERFORM casino_internal.install_record();
        PERFORM casino_internal.keep_plan_rows();
        INSERT INTO casino.schema_version VALUES (1, clock_timestamp());
        -- Under wal_level = minimal a sequence that is made and used in one transaction gives its numbers
        -- again after a crash, because what it keeps in reserve is not logged. setval() leaves nothing in
        -- reserve; nobody else sees the sequences yet.
        PERFORM setval(format('%I.%I', s.schemaname, s.sequencename)::regclass, s.last_value)
           FROM pg_sequences s
          WHERE s.schemaname = 'casino' AND s.last_value IS NOT NULL;
        -- each step for itself: the next one may write rows, and a table with deferred triggers that wait for
        -- the COMMIT cannot be altered
        PERFORM casino_internal.enable_append_only();
    END IF;
    IF present < newest THEN
        PERFORM casino_internal.comment_views();
        PERFORM casino_internal.record_installed(newest);
    END IF;
    PERFORM casino_internal.keep_plans();
    PERFORM casino_internal.set_database();
    IF NOT casino_internal.can_make_pages() THEN
        RAISE WARNING 'this server was built without XML, which pages need'
            USING DETAIL = 'night_page() and the other pages will be 0A000. All else works.',
                  HINT = 'Install a PostgreSQL that was built --with-libxml.';
    END IF;
    RETURN newest;
END
$fn$;
COMMENT ON FUNCTION casino.install()
    IS 'Creates the tables, views and triggers of casino, owned by the caller, and loads the sixteen games; '
       'run again it brings older tables up to date. Returns the schema version';

CREATE FUNCTION casino_internal.can_make_pages() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN xmlelement(name p, 'a page') IS NOT NULL;
EXCEPTION WHEN feature_not_supported THEN
    RETURN false;
END
$fn$;
COMMENT ON FUNCTION casino_internal.can_make_pages()
    IS 'Part of casino.install(): was this server built with XML, which pages need';

CREATE FUNCTION casino_internal.check_owners() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    ledger_owner CONSTANT oid := (SELECT c.relowner
                                    FROM pg_class c
                                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relname = 'ledger');
    caller CONSTANT oid := (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user);
    trusted oid[];
    odd text;
BEGIN
    IF ledger_owner <> caller THEN
        RAISE EXCEPTION 'the tables of casino belong to %', ledger_owner::regrole
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = 'What install() adds belongs to its caller and must have the same owner.',
                  HINT = format('SET ROLE %s, then call it again.', ledger_owner::regrole);
    END IF;
    -- 10 is the role that initdb made; what it owns is not in pg_shdepend
    trusted := ARRAY[10::oid, caller, (SELECT e.extowner FROM pg_extension e WHERE e.extname = 'casino')];
    SELECT string_agg(format('%s of %s', pg_describe_object(o.classid, o.objid, 0), o.refobjid::regrole), ', '
                      ORDER BY o.classid, o.objid)
      INTO odd
      FROM (SELECT d.classid, d.objid
              FROM pg_depend d
             WHERE d.refclassid = 'pg_namespace'::regclass
               AND d.refobjid = ANY (casino_internal.schemas())
            UNION SELECT 'pg_namespace'::regclass, n.oid FROM unnest(casino_internal.schemas()) n (oid)) s
      JOIN pg_shdepend o ON o.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
                        AND o.classid = s.classid AND o.objid = s.objid AND o.deptype = 'o'
     WHERE o.refobjid <> ALL (trusted);
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'schema casino or something in it belongs to somebody else'
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(format('That is: %s.', odd), 1000),
                  HINT = 'All of it must be of the owner of the extension or of the tables. Drop the rest, '
                         'and let nobody else create in the schema.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_owners()
    IS 'Part of casino.install(): 42501 unless the schema and all that is in it is of the owner of the '
       'extension or of the tables';

-- Not the text of views, constraints and indexes: another major version may print it in another way.
CREATE FUNCTION casino_internal.schema_objects(OUT object text, OUT state text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH relation AS (
        SELECT c.oid, c.relname,
               CASE c.relkind
                    WHEN 'v' THEN 'view'
                    WHEN 'S' THEN 'sequence'
                    WHEN 'm' THEN 'materialized view'
                    ELSE 'table' END AS what
          FROM pg_class c
         WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
           -- books that were put away may be dropped and come back
           AND c.relname <> ALL (ARRAY (SELECT 'ledger_' || b FROM unnest(casino_internal.books_away()) b)))
    SELECT format('%s %s', r.what, r.relname),
           concat_ws(' and ', 'is there', CASE WHEN c.relpersistence <> 'p' THEN 'is not logged' END,
                     CASE WHEN c.relrowsecurity THEN 'has row security' END,
                     (SELECT 'has options ' || string_agg(o.o, ' ' ORDER BY o.o)
                        FROM pg_foreign_table f
                       CROSS JOIN unnest(f.ftoptions) o (o)
                       WHERE f.ftrelid = r.oid))
      FROM relation r JOIN pg_class c ON c.oid = r.oid
    UNION ALL
    SELECT format('rule %s on %s', w.rulename, r.relname), format('is at events %s', w.ev_type)
      FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid AND w.rulename <> '_RETURN'
    UNION ALL
    SELECT format('policy %s on %s', p.polname, r.relname), format('is at commands %s', p.polcmd)
      FROM relation r JOIN pg_policy p ON p.polrelid = r.oid
    UNION ALL
    -- the first book of the ledger among them (R12.136)
    SELECT format('child %s of %s', i.inhrelid::regclass, r.relname), 'is there'
      FROM relation r JOIN pg_inherits i ON i.inhparent = r.oid AND r.what <> 'index'
    UNION ALL
    SELECT format('column %s.%s', r.relname, a.attname),
           'is ' || format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
      FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE r.what <> 'sequence'
    UNION ALL
    SELECT format('index %s on %s', i.indexrelid::regclass, r.relname),
           concat_ws(' ', 'is', CASE WHEN i.indisunique THEN 'unique' END, 'over',
                     (SELECT string_agg(coalesce(a.attname, 'an expression'), ', ' ORDER BY k.n)
                        FROM unnest(i.indkey::smallint[]) WITH ORDINALITY k (attnum, n)
                        LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = k.attnum),
                     CASE WHEN i.indpred IS NOT NULL THEN 'of some rows' END,
                     CASE WHEN NOT i.indisvalid THEN 'and invalid' END)
      FROM relation r JOIN pg_index i ON i.indrelid = r.oid
    UNION ALL
    SELECT format('constraint %s on %s', k.conname, r.relname),
           concat_ws(' ', 'is of type', k.contype, CASE WHEN NOT k.convalidated THEN 'and not valid' END)
      FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT format('trigger %s on %s', t.tgname, r.relname),
           format('calls %s at events %s and is %s', t.tgfoid::regprocedure, t.tgtype,
                  CASE t.tgenabled
                       WHEN 'A' THEN 'enabled always'
                       WHEN 'O' THEN 'enabled'
                       WHEN 'D' THEN 'disabled'
                       ELSE 'enabled on replicas' END)
      FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
$fn$;
COMMENT ON FUNCTION casino_internal.schema_objects()
    IS 'Tables, views, columns, indexes, constraints, triggers and sequences of schema casino as they are '
       'now; rules, policies and children too, of which install() makes none';

CREATE FUNCTION casino_internal.record_installed(version integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    DELETE FROM casino.installed_object o WHERE o.object IS NOT NULL;
    INSERT INTO casino.installed_object
    SELECT s.object, s.state, record_installed.version
      FROM casino_internal.schema_objects() s;
    PERFORM casino_internal.record_code();
END
$fn$;
COMMENT ON FUNCTION casino_internal.record_installed(integer)
    IS 'Part of casino.install(): keeps what its steps have made';

CREATE FUNCTION casino_internal.check_installed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    odd text;
    number bigint := 1;
BEGIN
    IF to_regclass('casino.installed_object') IS NULL THEN
        odd := 'table installed_object is missing';
    ELSIF NOT EXISTS (SELECT FROM casino.installed_object) THEN
        odd := 'table installed_object is empty';
    ELSE
        WITH present AS MATERIALIZED (SELECT s.object, s.state FROM casino_internal.schema_objects() s),
        -- code is the guard's: a newer extension brings it
        changed AS MATERIALIZED (
            SELECT i.object, i.state AS was, s.state
              FROM casino.installed_object i
              LEFT JOIN present s ON s.object = i.object
             WHERE (s.object IS NULL OR s.state <> i.state)
               AND i.object !~ '^(extension|routine|body of|definition of) '),
        gone AS MATERIALIZED (
            SELECT c.object, substring(c.object, '^(?:table|view|materialized view) (.*)$') AS relation
              FROM changed c
             WHERE c.state IS NULL AND c.object ~ '^(table|view|materialized view) ')
        SELECT string_agg(x.what, '; ' ORDER BY x.n), count(*) INTO odd, number
          FROM (SELECT CASE WHEN c.state IS NULL THEN c.object || ' is missing'
                            ELSE
                                format('%s %s, it %s before', c.object, c.state,
                                       replace(c.was, 'is ', 'was ')) END AS what,
                       row_number()
                           OVER (ORDER BY c.object !~ '^(table|view|sequence)', c.object !~ '^column',
                                          c.object !~ '^trigger', c.object) AS n
                  FROM changed c
                 -- of a table that is missing its parts are not named too
                 WHERE NOT EXISTS (SELECT FROM gone g
                                    WHERE g.relation = substring(c.object, '(?:^column | on )(\w+)'))) x;
    END IF;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'the tables of casino differ from what install() created: % parts are missing or '
                        'changed',
            number
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = left(odd || '.', 10000),
                  HINT = 'Restore a backup. A development installation is removed with DROP SCHEMA casino '
                         'CASCADE and made anew.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.check_installed()
    IS 'Part of casino.install(): 55000 naming what is missing or changed since its last step';

-- Views of all families of games are large; their estimates make the server compile them, which takes longer
-- than to run them.
CREATE FUNCTION casino_internal.set_database() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    database CONSTANT oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
BEGIN
    IF pg_has_role((SELECT d.datdba FROM pg_database d WHERE d.oid = database), 'USAGE')
       AND NOT pg_is_in_recovery()
       AND NOT EXISTS (SELECT FROM pg_db_role_setting s, unnest(s.setconfig) c (setting)
                        WHERE s.setdatabase = database AND s.setrole = 0 AND c.setting LIKE 'jit=%') THEN
        EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.set_database()
    IS 'Part of casino.install(): turns jit off for sessions of this database, if the caller may and '
       'nothing is set';
