-- Cells of a hub: the plans they need, taking them in, and how they are (doc/scale.md).

CREATE FUNCTION casino_internal.plan_content(plan_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    content jsonb;
    found_rows jsonb;
    part text;
BEGIN
    SELECT jsonb_build_object('game', to_jsonb(g))
      INTO content
      FROM casino.game g
      JOIN casino.game_plan p ON p.game = g.game
     WHERE p.plan_id = plan_content.plan_id;
    FOREACH part IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule',
                                'plan_approval', 'plan_withdrawal'] LOOP
        EXECUTE format('SELECT coalesce(jsonb_agg(to_jsonb(r) - ''plan_id'' - ''recorded_by''), ''[]'') '
                       'FROM casino.%I r WHERE r.plan_id = $1', part)
           INTO found_rows USING plan_content.plan_id;
        content := content || jsonb_build_object(part, found_rows);
    END LOOP;
    RETURN content;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_content(bigint)
    IS 'Part of plan_script(): a plan version with its game, its rows, its approval and its withdrawal, '
       'without the numbers and people of this database';

CREATE FUNCTION casino_internal.plan_part_differs(part text, plan_id bigint, wanted jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    differs boolean;
BEGIN
    -- by the bytes that plan_digest() hashes: settings of the other server change nothing
    EXECUTE format($q$
        WITH told AS (
            SELECT casino.evidence_leaf(%1$L, x) AS leaf
              FROM jsonb_array_elements($2) r
             CROSS JOIN LATERAL jsonb_populate_record(NULL::casino.%1$I, r || $3) x),
        own AS (
            SELECT casino.evidence_leaf(%1$L, jsonb_populate_record(t, $3)) AS leaf
              FROM casino.%1$I t
             WHERE t.plan_id = $1)
        SELECT EXISTS (SELECT FROM told FULL JOIN own ON own.leaf = told.leaf
                        WHERE told.leaf IS NULL OR own.leaf IS NULL)$q$, part)
       INTO differs
      USING plan_part_differs.plan_id, wanted,
            jsonb_build_object('plan_id', plan_part_differs.plan_id, 'recorded_at', NULL,
                               'recorded_by', NULL);
    RETURN differs;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_part_differs(text, bigint, jsonb)
    IS 'Part of load_plan_version(): are the rows of a version in one table not those that the hub tells';

-- R13.47: afterwards the version is here as it is there, or nothing was loaded. The second person was needed
-- where it was approved; a session without session_replication_role = replica is judged like any other.
CREATE FUNCTION casino_internal.load_plan_version(content jsonb) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    wanted CONSTANT casino.game_plan
        := jsonb_populate_record(NULL::casino.game_plan, content -> 'game_plan' -> 0);
    decided CONSTANT boolean := content -> 'plan_approval' <> '[]' OR content -> 'plan_withdrawal' <> '[]';
    done text[] := '{}';
    plan bigint;
    known boolean;
    decision boolean;
    part text;
    differs text[];
BEGIN
    -- of nobody's first versions each is in force (R1.20): a draft of a new game is added by a person
    IF wanted.version > 1 OR decided THEN
        INSERT INTO casino.game
        SELECT g.* FROM jsonb_populate_record(NULL::casino.game, content -> 'game') g
        ON CONFLICT DO NOTHING;
    END IF;
    -- against another version of the game meanwhile
    PERFORM FROM casino.game g WHERE g.game = wanted.game FOR NO KEY UPDATE;
    SELECT p.plan_id INTO plan
      FROM casino.game_plan p
     WHERE p.game = wanted.game AND p.version = wanted.version
       FOR UPDATE;
    known := FOUND;
    IF NOT known AND wanted.version = 1 AND NOT decided THEN
        RETURN format('%s, version 1: a draft, casino.add_game() adds it', wanted.game);
    ELSIF NOT known THEN
        plan := nextval('casino.plan_id_seq');
        done := done || 'loaded'::text;
    END IF;
    differs := ARRAY (SELECT 'game'
                        FROM casino.game g
                       WHERE g.game = wanted.game
                         AND casino.evidence_leaf('game', g)
                             <> casino.evidence_leaf('game', jsonb_populate_record(NULL::casino.game,
                                                                                   content -> 'game')));
    FOREACH part IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule',
                                'plan_approval', 'plan_withdrawal'] LOOP
        decision := part IN ('plan_approval', 'plan_withdrawal');
        IF known AND decision AND content -> part <> '[]'
           AND NOT EXISTS (SELECT FROM casino.plan_approval a
                            WHERE a.plan_id = plan AND part = 'plan_approval'
                           UNION ALL
                           SELECT FROM casino.plan_withdrawal w
                            WHERE w.plan_id = plan AND part = 'plan_withdrawal') THEN
            done := done || CASE part WHEN 'plan_approval' THEN 'approved' ELSE 'withdrawn' END;
        ELSIF known THEN
            IF casino_internal.plan_part_differs(part, plan, content -> part) THEN
                differs := differs || part;
            END IF;
            CONTINUE;
        END IF;
        -- a decision is recorded when it comes here: the seals of before do not have it
        EXECUTE format('INSERT INTO casino.%1$I '
                       'SELECT x.* FROM jsonb_array_elements($1) r, '
                       'jsonb_populate_record(NULL::casino.%1$I, r || $2) x', part)
          USING content -> part,
                jsonb_build_object('plan_id', plan)
                || CASE WHEN decision THEN jsonb_build_object('recorded_at', clock_timestamp())
                        ELSE '{}' END;
    END LOOP;
    IF cardinality(differs) > 0 THEN
        RAISE EXCEPTION 'version % of the game plan of % is not that of the hub', wanted.version, wanted.game
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It differs in %s.', array_to_string(differs, ', ')),
                  HINT = 'casino.change_plan_version() makes the rows of a draft those of the hub.';
    END IF;
    RETURN format('%s, version %s: %s', wanted.game, wanted.version,
                  coalesce(nullif(array_to_string(done, ', '), ''), 'as it was'));
END
$fn$;
COMMENT ON FUNCTION casino_internal.load_plan_version(jsonb)
    IS 'Part of plan_script(), called in a cell: loads a plan version with its approval and its withdrawal; '
       'of a version that is there only the decisions that are missing. 55000: it is there and not the same';

-- A cell that joins later needs the versions that came since install(): those in force are not added by
-- add_plan_version(), but restored.
CREATE FUNCTION casino.plan_script() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT E'BEGIN;\nSET LOCAL session_replication_role = replica;\n'
           || coalesce(string_agg(format('SELECT casino_internal.load_plan_version(%L);',
                                         casino_internal.plan_content(p.plan_id)),
                                  E'\n' ORDER BY p.game, p.version), '')
           || coalesce((SELECT
               string_agg(format(E'\nINSERT INTO casino.duty_rule (name, valid_from, value, paragraph,'
                                                 ' document, recorded_at) VALUES (%L, %L, %L, %L, %L, %L)'
                                                 ' ON CONFLICT DO NOTHING;', d.name, d.valid_from, d.value,
                                                     d.paragraph,
                                                 d.document, clock_timestamp()), '' ORDER BY d.valid_from,
                                                     d.name)
                          FROM casino.duty_rule d WHERE d.valid_from > '-infinity'), '')
           || E'\nCOMMIT;'
      FROM casino.game_plan p WHERE p.valid_from > '-infinity'
$fn$;
COMMENT ON FUNCTION casino.plan_script() IS
    'At a hub: SQL that loads the plan versions and figures of the duties added since install() into a '
    'cell, also those in force, with their approvals and withdrawals; of a version that the cell has, the '
    'decisions since. Run there by a superuser, as often as you like; 55000: a version there is not the '
    'same';

CREATE FUNCTION casino.add_cell(cell integer, conninfo text, takes_persons boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    h casino.hub;
    before casino.hub_cell;
    began timestamptz;
    state jsonb;
    accounts jsonb;
    problem text;
BEGIN
    PERFORM casino_internal.take_lock('hub cells');
    SELECT x.* INTO STRICT h FROM casino.hub x;
    IF cell IS NULL OR cell < 0 OR cell >= h.of_cells OR coalesce(btrim(conninfo), '') = '' THEN
        RAISE EXCEPTION 'cell must be from 0 to % and conninfo given',
            h.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino_internal.check_conninfo(conninfo);
    PERFORM casino_internal.hub_not_superseded();
    -- a cell that is cut off must not hold everybody up; PL/Proxy connects without waiting, so that
    -- connect_timeout does nothing there
    IF conninfo !~ '\mtcp_user_timeout\s*=' THEN
        conninfo := conninfo || ' tcp_user_timeout=10000';
    END IF;
    IF conninfo !~ '\mkeepalives' THEN
        conninfo := conninfo || ' keepalives_idle=10 keepalives_interval=5 keepalives_count=2';
    END IF;
    -- nobody decides anything between here and the end: what is decided before is sent to the new cell, what
    -- comes after finds it in use
    PERFORM casino_internal.take_lock('hub table ' || t.table_id) FROM casino.hub_table t ORDER BY t.table_id;
    SELECT c.* INTO before FROM casino.hub_cell c WHERE c.cell = add_cell.cell;
    -- R13.40: a restored hub may not know of the cell yet, and decides again when it has asked this one, too
    IF NOT FOUND AND h.timeline <> 0 THEN
        PERFORM casino_internal.hub_may_decide();
    END IF;
    EXECUTE format('ALTER SERVER casino OPTIONS (SET p%s %L)', cell, conninfo);
    -- a player of a number not in use is refused as on one server, by the cell that was added first
    IF NOT EXISTS (SELECT FROM casino.hub_cell c
                   WHERE c.cell <> add_cell.cell AND c.added_at < coalesce(before.added_at, 'infinity')) THEN
        EXECUTE (SELECT format('ALTER SERVER casino OPTIONS (%s)',
                               string_agg(format('SET p%s %L', n, conninfo), ', '))
                   FROM generate_series(0, h.of_cells - 1) n
                       WHERE n = cell OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = n));
    END IF;
    EXECUTE format('ALTER SERVER casino_cells OPTIONS (SET p%s %L)', cell, conninfo);
    began := clock_timestamp();
    BEGIN
        PERFORM casino_internal.wait_at_most(casino_internal.hub_patience());
        SELECT f.data INTO state FROM casino.hub_fetch(ARRAY[add_cell.cell], 'report', '{}') f;
        PERFORM casino_internal.wait_at_most(0);
    EXCEPTION WHEN OTHERS THEN
        PERFORM casino_internal.wait_at_most(0);
        RAISE EXCEPTION 'cell % cannot be taken in: it does not answer', cell
            USING ERRCODE = 'connection_failure',
                  DETAIL = CASE SQLSTATE WHEN '55P03' THEN casino_internal.hub_no_answer() ELSE SQLERRM END,
                  HINT = format('In the cell: casino.install(), casino.become_cell(%s, %s), a role %s that '
                                'may log in, casino.grant_access(%L, ''hub'').', cell, h.of_cells,
                                h.role, h.role);
    END;
    problem := casino_internal.cell_problem(state, cell, began, clock_timestamp());
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cell % cannot be taken in: %', cell,
            problem USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF (state ->> 'epoch')::bigint > h.epoch THEN
        IF before.cell IS NOT NULL THEN
            RAISE EXCEPTION 'cell % obeys another hub',
                cell USING ERRCODE = 'object_not_in_prerequisite_state',
                DETAIL = format('Its epoch is %s, this one''s is %s.', state ->> 'epoch', h.epoch),
                HINT = 'Stop that hub, run casino.install_hub() and casino.catch_up() here.';
        END IF;
        UPDATE casino.hub SET epoch = casino_internal.hub_new_epoch((state ->> 'epoch')::bigint);
    END IF;
    IF before.cell IS NULL AND (state ->> 'players')::bigint > 0 THEN
        -- a cell that a hub had before: it tells whom it knows
        RAISE NOTICE 'cell % has % players, whose home it is', cell, state ->> 'players';
    END IF;
    -- R13.40: a copy of this hub from before reads of the new cell in each of the others
    IF before.cell IS NULL AND h.timeline <> 0 THEN
        PERFORM casino_internal.hub_tell_cells(ARRAY(SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell)
                                               || cell,
                                               (SELECT count(*)::integer + 1 FROM casino.hub_cell));
    END IF;
    INSERT INTO casino.hub_cell (cell, conninfo, added_at, takes_persons, persons, learned)
    VALUES (cell, conninfo, clock_timestamp(), takes_persons, 0, h.timeline <> 0)
    ON CONFLICT ON CONSTRAINT hub_cell_pkey DO UPDATE SET conninfo = EXCLUDED.conninfo,
        takes_persons = EXCLUDED.takes_persons;
    IF before.cell IS NULL THEN
        accounts := (SELECT jsonb_agg(p)
                       FROM casino_internal.hub_read(add_cell.cell, 'persons', '{"since": "-infinity"}',
                                                     20) p);
        PERFORM casino_internal.hub_keep_person(p ->> 'external_ref', add_cell.cell)
           FROM jsonb_array_elements(accounts) p;
        PERFORM casino_internal.hub_keep_players(add_cell.cell, accounts);
        -- all tables, and as far as they are the rounds of which something will be told yet: in play, or
        -- withheld
        INSERT INTO casino.hub_answer (decision_no, cell, table_id)
        SELECT d.decision_no, add_cell.cell, d.table_id FROM casino.hub_decision d
          LEFT JOIN casino.hub_round r ON r.round_id = d.round_id
         WHERE (d.round_id IS NULL OR r.status IN ('open', 'closed', 'withheld')
                AND d.call <> 'hand_over_box')
           AND casino_internal.hub_stands(d.decision_no);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.add_cell(integer, text, boolean) IS
    'Takes a cell in, also while others play, or says what is wrong with it; casino.catch_up() then sends '
    'it the tables and open rounds. The same cell again: it has moved';

CREATE FUNCTION casino_internal.hub_tell_cells(cells integer[], number integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers CONSTANT casino.cell_answer[] :=
        casino_internal.hub_ask(cells, 0, 'cells', jsonb_build_object('cells', number));
    a casino.cell_answer;
BEGIN
    PERFORM casino_internal.raise_refusal(answers);
    FOREACH a IN ARRAY answers LOOP
        IF a.code <> '00000' THEN
            RAISE EXCEPTION 'cell % must know that there is another cell', a.cell
                USING ERRCODE = 'connection_failure', DETAIL = a.message,
                      HINT = 'Add the cell when all others are up.';
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_tell_cells(integer[], integer)
    IS 'Part of the hub: tells cells how many there are; 08006 when one of them does not hear';

-- What a cell says of itself against what the hub is; NULL: it fits
CREATE FUNCTION casino_internal.cell_problem(state jsonb, cell integer, began timestamptz,
                                             ended timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    clock CONSTANT timestamptz := (state ->> 'clock')::timestamptz;
    skew CONSTANT interval := interval '5 seconds';      -- as far as an event's time may be off
    here record;
    problems text[] := '{}';
BEGIN
    SELECT h.of_cells, h.role, e.extversion, (SELECT max(v.version)
                                              FROM casino.schema_version v) AS schema_version
      INTO here FROM casino.hub h, pg_extension e WHERE e.extname = 'casino';
    IF state ->> 'cell' IS NULL THEN
        problems := problems || format('it is no cell; there: SELECT casino.become_cell(%s, %s)', cell,
                                       here.of_cells);
    ELSIF (state ->> 'cell', state ->> 'of_cells') <> (cell::text, here.of_cells::text) THEN
        problems := problems || format('it is cell %s of %s, not cell %s of %s', state ->> 'cell',
                                       state ->> 'of_cells', cell, here.of_cells);
    END IF;
    IF (state ->> 'extension_version', state ->> 'schema_version') IS DISTINCT FROM (here.extversion::text,
            here.schema_version::text) THEN
        problems := problems || format('it has casino %s with tables of version %s, the hub %s with %s',
                                       state ->> 'extension_version', state ->> 'schema_version',
                                       here.extversion, here.schema_version);
    END IF;
    IF state ->> 'plan_digest' IS DISTINCT FROM to_jsonb(casino.plan_digest()) #>> '{}' THEN
        problems := problems || 'its plan versions are not the hub''s (casino.plan_digest() differs)'::text;
    END IF;
    IF clock < began - skew OR clock > ended + skew THEN
        problems := problems || format('its clock is off by %s', CASE WHEN clock < began THEN clock - began
                                       ELSE clock - ended END);
    END IF;
    IF jsonb_array_length(state -> 'others') > 0 THEN
        problems := problems || format('calls of the hub are open to others there: %s',
                                       (SELECT string_agg(o, ', ')
                                        FROM jsonb_array_elements_text(state -> 'others') o));
    END IF;
    RETURN nullif(array_to_string(problems, '; '), '');
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_problem(jsonb, integer, timestamptz, timestamptz) IS
    'Part of add_cell() and cell_status: version, numbering, plans, clock and privileges of a cell';

CREATE FUNCTION casino.cell_states(OUT cell integer, OUT up boolean, OUT problem text,
                                   OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text,
                                       OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.cell_states() IS 'What the view cell_status of a hub shows: asks every cell';

CREATE FUNCTION casino_internal.cell_states_impl(OUT cell integer, OUT up boolean, OUT problem text,
                                                 OUT clock_difference interval, OUT waiting bigint,
                                                     OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text,
                                       OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c casino.hub_cell;
    h casino.hub;
    began timestamptz[] := '{}';
    ended timestamptz[] := '{}';
    states jsonb[] := '{}';
    reasons text[] := '{}';
    digests text[] := '{}';
    counts bigint[] := '{}';
    tables text;
    tables_wait boolean;
    waits text;
    state jsonb;
    reason text;
    i integer := 0;
    cells CONSTANT integer := (SELECT count(*) FROM casino.hub_cell);
BEGIN
    SELECT x.* INTO STRICT h FROM casino.hub x;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        began := began || clock_timestamp();
        -- before the cell is asked: it has a player first
        counts := counts || (SELECT x.players FROM casino.hub_cell x WHERE x.cell = c.cell);
        SELECT s.state, s.problem INTO state, reason FROM casino_internal.hub_ask_state(c.cell, 'report') s;
        ended := ended || clock_timestamp();
        states := states || state;
        reasons := reasons || reason;
        -- who has carried out everything has the tables of the others
        IF NOT EXISTS (SELECT FROM casino.hub_answer a
                       JOIN casino.hub_decision d ON d.decision_no = a.decision_no
                        WHERE a.cell = c.cell AND a.answered_at IS NULL AND d.round_id IS NULL) THEN
            digests := digests || (state ->> 'table_digest');
        END IF;
    END LOOP;
    SELECT d INTO tables FROM unnest(digests) d WHERE d IS NOT NULL GROUP BY d ORDER BY count(*) DESC, d
     LIMIT 1;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        i := i + 1;
        CONTINUE WHEN i > cardinality(began);
        cell := c.cell;
        conninfo := c.conninfo;
        state := states[i];
        reason := reasons[i];
        up := state IS NOT NULL;
        SELECT count(*), clock_timestamp() - min(d.decided_at),
               count(*) FILTER (WHERE NOT casino_internal.passes_by(a.code)),
               bool_or(d.round_id IS NULL),
               min(format('decision %s (%s of table %s): %s', a.decision_no, d.call, a.table_id,
                          a.message)) FILTER (WHERE a.code = '55P03'),
               coalesce(reason, min(format('decision %s (%s of table %s) is refused: %s', a.decision_no,
                                           d.call, a.table_id,
                                           a.message)) FILTER (WHERE NOT casino_internal.passes_by(a.code)))
          INTO waiting, oldest, refused, tables_wait, waits, reason
          FROM casino.hub_answer a JOIN casino.hub_decision d ON d.decision_no = a.decision_no
         WHERE a.cell = c.cell AND a.answered_at IS NULL;
        clock_difference := (state ->> 'clock')::timestamptz - (began[i] + (ended[i] - began[i]) / 2);
        same_plans := state ->> 'plan_digest' = to_jsonb(casino.plan_digest()) #>> '{}';
        table_digest := state ->> 'table_digest';
        last_clean_night := (state ->> 'last_clean_night')::date;
        players := (state ->> 'players')::bigint;
        problem := concat_ws('; ', reason,
                             CASE WHEN up AND c.down_since IS NOT NULL
                                 THEN 'it was down and waits for casino.catch_up()' END,
                             casino_internal.hub_too_old(c.cell, state),
                             CASE WHEN up AND casino_internal.hub_lost_tables(c.cell, state) <> '{}'
                                       AND casino_internal.hub_too_old(c.cell, state) IS NULL
                                 THEN 'it was restored and waits for casino.catch_up()' END,
                             CASE WHEN waits IS NOT NULL THEN 'it does not answer in time: ' || waits END,
                             CASE WHEN up AND (state ->> 'epoch')::bigint > h.epoch
                                 THEN 'it obeys another hub' END,
                             CASE WHEN (state ->> 'cells')::integer > cells
                                  THEN format('it knows of %s cells, this hub of %s: casino.add_cell()',
                                              state ->> 'cells', cells)
                              END,
                             casino_internal.hub_lost_erasures(c.cell),
                             CASE WHEN players < counts[i]
                                  THEN 'it has lost players and waits for casino.catch_up()' END,
                             casino_internal.hub_lost_players(c.cell),
                             casino_internal.hub_moves_waiting(c.cell, state),
                             CASE WHEN NOT c.learned
                                 THEN 'it has not told the restored hub what it knows' END,
                             CASE WHEN up AND table_digest <> tables AND tables_wait IS NOT TRUE
                                  THEN 'its tables or their limits are not those of the other cells '
                                            '(casino.table_digest() differs)' END,
                             CASE WHEN up
                                 THEN casino_internal.cell_problem(state, c.cell, began[i], ended[i]) END);
        problem := nullif(problem, '');
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.cell_states_impl()
    IS 'Body of cell_states(), run as the owner of the ledger';
