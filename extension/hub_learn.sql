-- A hub that was restored, or takes over, reads its decisions from the cells (R13.33, R13.34).

-- R13.16, R13.18: a hub that was restored tells the cells to obey no other one, and then reads from them what
-- it has forgotten: what one of them was told had been decided.
CREATE FUNCTION casino_internal.hub_read_cells(states jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    obeyed CONSTANT bigint := (SELECT coalesce(max((s.value ->> 'epoch')::bigint), 0)
                               FROM jsonb_each(states) s);
    since timestamptz;
    c record;
    one integer;
    following integer[] := '{}';
    arguments jsonb;
    known jsonb := '[]';
    -- times hub.patience: a hub that has lost much reads all rounds of its cells
    long CONSTANT integer := 20;
    problem text;
BEGIN
    IF EXISTS (SELECT FROM casino.hub h WHERE h.timeline NOT IN (0, casino.timeline()) OR h.timeline = 0
               AND obeyed > h.epoch)
       OR EXISTS (SELECT FROM jsonb_each(states) s
                  JOIN casino.hub_cell x ON x.cell = s.key::integer AND x.learned
                      WHERE casino_internal.hub_knows_less(s.value)) THEN
        PERFORM casino.hub_write('restored', jsonb_build_object('epoch', obeyed));
    ELSIF NOT EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned) THEN
        -- killed before it could write that it is current
        IF casino_internal.hub_has_all_cells(states) AND (SELECT h.timeline = 0 FROM casino.hub h) THEN
            PERFORM casino.hub_write('current', '{}');
        END IF;
        RETURN '{}';
    END IF;
    -- every cell obeys this hub before the first is read: what another hub has told them until then is read,
    -- too
    FOR c IN SELECT x.cell FROM casino.hub_cell x WHERE NOT x.learned AND states ? x.cell::text
        ORDER BY x.cell LOOP
        IF (SELECT a.code FROM unnest(casino_internal.hub_ask(ARRAY[c.cell], 0, 'follow', '{}')) a)
            = '00000' THEN
            following := following || c.cell;
        END IF;
    END LOOP;
    -- R13.33: all, or those that the owner goes on with
    IF following = '{}' AND EXISTS (SELECT FROM casino.hub_cell)
        OR EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned AND x.cell <> ALL (following))
       AND NOT EXISTS (SELECT FROM casino.hub_takeover t JOIN casino.hub h ON h.epoch = t.epoch)
       OR NOT casino_internal.hub_has_all_cells(states) THEN
        RETURN '{}';
    END IF;
    SELECT greatest((SELECT max(d.decided_at) FROM casino.hub_decision d),
                    (SELECT max(p.assigned_at) FROM casino.hub_person p))
           - (SELECT h.replayed FROM casino.hub h) INTO since;
    arguments := jsonb_build_object('since', coalesce(since, '-infinity'));
    FOREACH one IN ARRAY following LOOP
        BEGIN
            known := known || (jsonb_build_object(
                'cell', one,
                'tables', (SELECT coalesce(jsonb_agg(f), '[]')
                             FROM casino_internal.hub_read(one, 'tables', times => long) f),
                'rounds', (SELECT coalesce(jsonb_agg(f), '[]')
                             FROM casino_internal.hub_read(one, 'rounds', arguments, long) f),
                'persons', (SELECT coalesce(jsonb_agg(f), '[]')
                              FROM casino_internal.hub_read(one, 'persons', arguments, long) f))
                || (SELECT jsonb_build_object('obeyed', f -> 'obeyed', 'last_round', f -> 'last_round',
                                              'last_table', f -> 'last_table')
                      FROM casino_internal.hub_read(one, 'presence') f));
        EXCEPTION WHEN connection_failure THEN
            -- all are asked when it is up
            GET STACKED DIAGNOSTICS problem = PG_EXCEPTION_DETAIL;
            RETURN jsonb_build_object(one, problem);
        END;
    END LOOP;
    -- together, so that the end of a round that one cell knows comes before the next round that another one
    -- knows
    PERFORM casino.hub_write('learn', known);
    IF (SELECT h.timeline = 0 FROM casino.hub h) THEN
        PERFORM casino.hub_write('current', '{}');
    END IF;
    RETURN '{}';
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_read_cells(jsonb)
    IS 'Part of catch_up(): what a restored hub has forgotten. Returns the problem of a cell that could not '
       'be '
       'read';

-- R13.33: the owner's word that a restored hub decides again without cells that are lost for long
CREATE FUNCTION casino.decide_without(reason text) RETURNS integer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing integer[];
    unknown integer;
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino_internal.must_be_hub();
    PERFORM FROM casino.catch_up();
    IF casino_internal.hub_is_current() THEN
        RETURN '{}';
    END IF;
    missing := ARRAY(SELECT c.cell FROM casino.hub_cell c WHERE NOT c.learned AND c.down_since IS NOT NULL
                     ORDER BY c.cell);
    unknown := casino_internal.hub_unknown_cells((SELECT coalesce(jsonb_object_agg(c.cell, s.state), '{}')
                                                    FROM casino.hub_cell c
                                                   CROSS JOIN LATERAL casino_internal.hub_ask_state(c.cell,
                                                                                                 'presence') s
                                                   WHERE c.down_since IS NULL AND s.state IS NOT NULL));
    IF (SELECT h.timeline <> 0 FROM casino.hub h)
       OR missing = '{}' AND unknown = 0
       OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL) THEN
        RAISE EXCEPTION 'no cell has been asked what it knows'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'At least one cell must be up; see casino.cell_status.';
    END IF;
    PERFORM casino.hub_write('without', jsonb_build_object('reason', reason, 'login', session_user,
                                                           'cells', missing, 'unknown', unknown));
    PERFORM FROM casino.catch_up();
    RETURN missing;
END
$fn$;
COMMENT ON FUNCTION casino.decide_without(text) IS
    'At a restored hub, by its owner: it decides again though some cells have not told it what they know. '
    'Recorded in hub_takeover with who, why and which rounds these cells may have been told another end of; '
    'the hub that it was restored from must be stopped before. Returns the cells';

-- known: what some cells know, [{"cell", "tables", "rounds", "persons"}].  Whoever of them knows more of a
-- round completes it.
CREATE FUNCTION casino_internal.hub_learn(known jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t record;
    r record;
BEGIN
    -- R13.34
    IF NOT casino_internal.hub_is_current() THEN
        PERFORM casino_internal.hub_withdraw();
    END IF;
    -- no number that another hub has given is given again
    PERFORM setval('casino.hub_decision_no_seq', greatest(nextval('casino.hub_decision_no_seq'),
                (SELECT max(o.value::bigint) FROM jsonb_array_elements(known) k
                 CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o))),
            setval('casino.round_id_seq', greatest(nextval('casino.round_id_seq'),
                                                   (SELECT max((k.value ->> 'last_round')::bigint)
                                                    FROM jsonb_array_elements(known) k))),
            setval('casino.table_id_seq', greatest(nextval('casino.table_id_seq'),
                                                   (SELECT max((k.value ->> 'last_table')::bigint)
                                                    FROM jsonb_array_elements(known) k)));
    INSERT INTO casino.hub_told (cell, table_id, decision_no)
    SELECT (k.value ->> 'cell')::integer, o.key::bigint, o.value::bigint FROM jsonb_array_elements(known) k
     CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no
            WHERE casino.hub_told.decision_no < EXCLUDED.decision_no;
    PERFORM casino_internal.hub_keep_person(p.value ->> 'external_ref', (k.value ->> 'cell')::integer)
       FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'persons') p;
    PERFORM casino_internal.hub_keep_players((k.value ->> 'cell')::integer, k.value -> 'persons')
       FROM jsonb_array_elements(known) k;
    FOR t IN SELECT x.value ->> 'game' AS game, x.value ->> 'name' AS name,
        (x.value ->> 'table_id')::bigint AS table_id, x.value AS data, k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE x.value ->> 'version' = '1' ORDER BY 3, 5 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_table h
                       WHERE h.table_id = t.table_id OR (h.game, h.name) = (t.game, t.name)) THEN
            PERFORM casino_internal.hub_write_decision('add_game_table', t.table_id, NULL,
                                                       t.data - '{home_cell,version,valid_from}'::text[],
                                                       'cell ' || t.cell);
        END IF;
    END LOOP;
    FOR r IN SELECT x.value AS data, k.value ->> 'cell' AS cell, (x.value ->> 'table_id')::bigint AS table_id,
        (x.value ->> 'opened_at')::timestamptz AS opened_at
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'rounds') x
               JOIN casino.hub_table h ON h.table_id = (x.value ->> 'table_id')::bigint
              ORDER BY (x.value ->> 'round_id')::bigint, 2 LOOP
        PERFORM casino_internal.hub_learn_limits(known, r.table_id, r.opened_at);
        PERFORM casino_internal.hub_learn_round(r.data, 'cell ' || r.cell);
    END LOOP;
    PERFORM casino_internal.hub_learn_limits(known, h.table_id, 'infinity') FROM casino.hub_table h
      ORDER BY h.table_id;
    UPDATE casino.hub_cell c SET learned = true FROM jsonb_array_elements(known) k
     WHERE c.cell = (k.value ->> 'cell')::integer;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_learn(jsonb) IS
    'Part of catch_up(): writes down what cells know and the restored hub does not';

CREATE FUNCTION casino_internal.hub_learn_limits(known jsonb, table_id bigint, until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    v record;
BEGIN
    FOR v IN SELECT DISTINCT ON (1) (x.value ->> 'valid_from')::timestamptz AS at, x.value AS data,
        k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k
                   CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE (x.value ->> 'table_id')::bigint = hub_learn_limits.table_id
                  AND (x.value ->> 'version')::integer > 1
                      AND (x.value ->> 'valid_from')::timestamptz <= until
              ORDER BY 1, 3 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_decision d
                       WHERE d.table_id = hub_learn_limits.table_id AND d.round_id IS NULL
                           AND d.call = 'set_table_limits' AND casino_internal.hub_stands(d.decision_no)
                          AND (d.arguments ->> 'at')::timestamptz = v.at) THEN
            PERFORM casino_internal.hub_write_decision('set_table_limits', table_id, NULL,
                                                       jsonb_build_object('table_id', table_id, 'min_stake',
                                                                          v.data -> 'min_stake',
                                                           'max_stake', v.data -> 'max_stake', 'options',
                                                           v.data -> 'options', 'at', v.at),
                                                               'cell ' || v.cell);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_learn_limits(jsonb, bigint, timestamptz) IS
    'Part of catch_up(): limits of a table that a restored hub does not know';

CREATE FUNCTION casino_internal.hub_learn_round(round jsonb, source text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r record;
    d record;
    here casino.hub_round;
    withheld boolean;
BEGIN
    SELECT x.* INTO r FROM jsonb_to_record(round)
        AS x (round_id bigint, table_id bigint, round_ref text, status text, opened_at timestamptz,
              betting_until timestamptz, betting_closed_at timestamptz,
              actions_closed_at timestamptz, evaluated_at timestamptz, withheld_at timestamptz,
              withheld_reason text, withheld_ground text, facts jsonb, void_ground text,
              withheld_paid_at timestamptz, withheld_paid_reason text,
              voided_at timestamptz, outcome jsonb, reason text, plan_version integer, deals jsonb,
              corrections jsonb);
    -- a round that is voided after its evaluation was withheld till then
    withheld := r.withheld_at IS NOT NULL OR r.status = 'withheld' OR r.withheld_paid_at IS NOT NULL
        OR r.status = 'voided' AND r.outcome IS NOT NULL;
    SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    IF NOT FOUND OR here.status = 'withdrawn' THEN
        PERFORM casino_internal.hub_write_decision('open_round', r.table_id, r.round_id,
            jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'at', r.opened_at,
                               'round_id', r.round_id, 'plan_version', r.plan_version,
                               'betting_until', r.betting_until)
            || jsonb_strip_nulls(jsonb_build_object('facts', r.facts)), source, learned => true);
        SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    END IF;
    IF here.status = 'open' AND r.betting_closed_at IS NOT NULL THEN
        PERFORM casino_internal.hub_write_decision('close_betting', r.table_id, r.round_id,
                                                   jsonb_build_object('round_id', r.round_id, 'at',
                                                                      r.betting_closed_at), source);
        here.status := 'closed';
    END IF;
    IF here.status IN ('open', 'closed') AND r.withheld_at IS NOT NULL
        AND casino_internal.hub_decided(r.round_id, 'withhold_winnings') = 0 THEN
        PERFORM casino_internal.hub_write_decision('withhold_winnings', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'reason', r.withheld_reason, 'at', r.withheld_at,
                               'ground', r.withheld_ground),
            source);
    END IF;
    FOR d IN SELECT x.value -> 'document' AS document, x.value -> 'at' AS at, x.value ->> 'reason' AS reason,
        x.value -> 'wagers_stand' AS wagers_stand
        FROM jsonb_array_elements(r.deals) WITH ORDINALITY x (value, n) ORDER BY x.n LOOP
        IF here.status = 'closed' AND NOT EXISTS (SELECT FROM casino.hub_decision e
                                                  WHERE e.round_id = r.round_id
                                                      AND e.call IN ('deal', 'correct_deal')
                                                      AND e.arguments -> 'document' = d.document
                                                      AND (d.reason IS NULL
                                                           OR (e.arguments ->> 'at')::timestamptz
                                                                  = (d.at #>> '{}')::timestamptz)
                                                           AND casino_internal.hub_stands(e.decision_no)) THEN
            PERFORM casino_internal.hub_write_decision(CASE WHEN d.reason IS NULL THEN 'deal'
                                                       ELSE 'correct_deal' END,
                                                       r.table_id, r.round_id,
                                                       jsonb_build_object('round_id', r.round_id, 'document',
                                                                          d.document, 'at', d.at)
                                                       || CASE WHEN d.reason IS NULL THEN '{}'::jsonb
                                                          ELSE jsonb_build_object('reason', d.reason,
                                                                                  'wagers_stand',
                                                                                  d.wagers_stand) END,
                                                                                      source);
        END IF;
    END LOOP;
    IF here.status = 'closed' AND here.actions_closed_at IS NULL AND r.actions_closed_at IS NOT NULL THEN
        PERFORM casino_internal.hub_write_decision('close_actions', r.table_id, r.round_id,
                                                   jsonb_build_object('round_id', r.round_id, 'at',
                                                                      r.actions_closed_at), source);
    END IF;
    IF here.status = 'closed' AND r.outcome IS NOT NULL AND r.evaluated_at IS NOT NULL THEN
        PERFORM casino_internal.hub_write_decision('settle_round', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'outcome', r.outcome, 'at', r.evaluated_at, 'withhold',
                               withheld, 'withhold_reason', r.withheld_reason, 'ground',
                               r.withheld_ground), source);
        here.status := CASE WHEN withheld THEN 'withheld' ELSE 'settled' END;
    END IF;
    IF r.corrections IS NOT NULL THEN
        PERFORM casino_internal.hub_learn_corrections(r.round_id, r.table_id, r.corrections,
                                                      coalesce(r.withheld_paid_at, '-infinity'), source);
        SELECT h.status INTO here.status FROM casino.hub_round h WHERE h.round_id = r.round_id;
    END IF;
    IF here.status IN ('open', 'closed', 'withheld') AND r.status = 'voided' THEN
        PERFORM casino_internal.hub_write_decision('void_round', r.table_id, r.round_id,
                                                   jsonb_build_object('round_id', r.round_id, 'reason',
                                                                      r.reason, 'at',
                                                                      coalesce(r.voided_at, r.evaluated_at),
                                                                      'ground', r.void_ground), source);
    ELSIF here.status = 'withheld' AND r.withheld_paid_at IS NOT NULL THEN
        PERFORM casino_internal.hub_write_decision('pay_withheld', r.table_id, r.round_id,
            -- a cell has released it: so it was allowed
            jsonb_build_object('round_id', r.round_id, 'at', r.withheld_paid_at, 'reason',
                               r.withheld_paid_reason, 'authority', 'all'), source);
    END IF;
    IF r.corrections IS NOT NULL THEN
        PERFORM casino_internal.hub_learn_corrections(r.round_id, r.table_id, r.corrections, 'infinity',
                                                      source);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_learn_round(jsonb, text) IS
    'Part of catch_up(): what a cell knows of a round and the restored hub does not';
