-- R13.17: what a hub adds up over its cells.  A sum without a cell would be wrong: when one does not answer
-- there is an error that names it.

CREATE FUNCTION casino_internal.hub_rows(what text, arguments jsonb DEFAULT '{}', OUT cell integer,
                                         OUT data jsonb) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    cells CONSTANT integer[] := ARRAY(SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell);
    -- times hub.patience: a sum over years takes its time
    long CONSTANT integer := 120;
    one integer;
    down text;
BEGIN
    IF cells = '{}' THEN
        RETURN;
    END IF;
    -- R13.41: a frozen cell is found before so long a time is over
    FOREACH one IN ARRAY cells LOOP
        SELECT format('Cell %s: %s', one, s.problem) INTO down
          FROM casino_internal.hub_ask_state(one, 'presence') s
         WHERE s.problem IS NOT NULL;
        EXIT WHEN down IS NOT NULL;
    END LOOP;
    IF down IS NULL THEN
        BEGIN
            PERFORM casino_internal.wait_at_most(casino_internal.hub_patience(long));
            RETURN QUERY SELECT f.cell, f.data
                           FROM casino.hub_fetch(cells, hub_rows.what, hub_rows.arguments) f;
            PERFORM casino_internal.wait_at_most(0);
            RETURN;
        EXCEPTION
            WHEN lock_not_available THEN
                PERFORM casino_internal.wait_at_most(0);
                down := SQLERRM;
            WHEN connection_exception OR internal_error OR operator_intervention THEN
                PERFORM casino_internal.wait_at_most(0);
                down := SQLERRM;
            WHEN OTHERS THEN
                PERFORM casino_internal.wait_at_most(0);
                RAISE;
        END;
    END IF;
    RAISE EXCEPTION 'a sum over all cells needs all of them'
        USING ERRCODE = 'connection_failure', DETAIL = down,
            HINT = 'casino.cell_status shows which cell is down; each of the others can be asked itself.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_rows(text, jsonb)
    IS 'Part of the hub: rows of all cells, or an error';

CREATE FUNCTION casino.all_trial_balance(OUT account text, OUT debit numeric, OUT credit numeric,
                                         OUT balance numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.all_trial_balance() IS
    'View casino.trial_balance over all cells of a hub; the balances sum to zero';

CREATE FUNCTION casino_internal.all_trial_balance_impl(OUT account text, OUT debit numeric,
                                                       OUT credit numeric,
                                                       OUT balance numeric) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RETURN QUERY SELECT t.account, t.debit, t.credit, t.balance FROM casino.trial_balance t
            ORDER BY t.account;
    ELSE
        RETURN QUERY
            SELECT t.account, sum(t.debit), sum(t.credit), sum(t.balance)
              FROM casino_internal.hub_rows('trial_balance') r
             CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (account text, debit numeric, credit numeric,
                                                              balance numeric)
             GROUP BY t.account ORDER BY t.account;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.all_trial_balance_impl() IS
    'Body of all_trial_balance(), run as the owner of the ledger';

CREATE FUNCTION casino.all_daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer,
               rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric,
               withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM casino_internal.require_days(all_daily_table.from_day, all_daily_table.to_day);
    RETURN QUERY SELECT d.* FROM casino.daily_table(all_daily_table.from_day, all_daily_table.to_day) d;
END
$fn$;
COMMENT ON FUNCTION casino.all_daily_table(date, date) IS
    'daily_table() over all cells of a hub, which is what daily_table() gives there';

-- A round is in every cell, its wagers are in that of the player.  z stays NULL: results of one spin in
-- several cells are not independent, so that it cannot be had from theirs; casino.return_watch has it in each
-- cell.
CREATE FUNCTION casino_internal.hub_daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer,
               rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric,
               withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.day, t.game, t.table_id, min(t.table_name), p.plan_id, t.plan_version, max(t.rounds_settled),
               max(t.rounds_withheld), max(t.rounds_voided), max(t.rounds_open),
               sum(t.wagers)::bigint, sum(t.staked), sum(t.won), sum(t.withheld), sum(t.returned), sum(t.ggr),
               round(sum(t.ggr) / nullif(sum(t.staked), 0), 6),
               round(sum(t.expected_hold * t.staked)
                     / nullif(sum(t.staked) FILTER (WHERE t.expected_hold IS NOT NULL), 0), 6),
               NULL::numeric, sum(t.corrected)
          FROM casino_internal.hub_rows('daily_table',
                                        jsonb_build_object('from_day', hub_daily_table.from_day,
                                                                          'to_day', hub_daily_table.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data)
               AS t (day date, game text, table_id bigint, table_name text, plan_version integer,
                     rounds_settled bigint, rounds_withheld bigint, rounds_voided bigint,
                     rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric,
                     returned numeric, ggr numeric, expected_hold numeric, corrected numeric)
          -- the same version has another number in each database
          JOIN casino.game_plan p ON p.game = t.game AND p.version = t.plan_version
         GROUP BY t.day, t.game, t.table_id, p.plan_id, t.plan_version
             ORDER BY t.day, t.game, min(t.table_name), t.plan_version;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_daily_table(date, date) IS 'Part of daily_table() at a hub';

CREATE FUNCTION casino_internal.hub_tax_base(from_day date, to_day date)
RETURNS TABLE (day date, game text, live boolean, stakes numeric, returned numeric, winnings numeric,
               base numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.day, t.game, t.live, sum(t.stakes), sum(t.returned), sum(t.winnings), sum(t.base),
               sum(t.corrected)
          FROM casino_internal.hub_rows('tax_base',
                                        jsonb_build_object('from_day', hub_tax_base.from_day, 'to_day',
                                                                       hub_tax_base.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (day date, game text, live boolean, stakes numeric,
                                                          returned numeric, winnings numeric, base numeric,
                                                          corrected numeric)
         GROUP BY t.day, t.game, t.live ORDER BY t.day, t.game;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_tax_base(date, date) IS 'Part of tax_base() at a hub';

CREATE FUNCTION casino_internal.hub_account_movements(from_day date, to_day date)
RETURNS TABLE (account text, opening numeric, debits numeric, credits numeric, closing numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.account, sum(t.opening), sum(t.debits), sum(t.credits), sum(t.closing)
          FROM casino_internal.hub_rows('account_movements',
                                        jsonb_build_object('from_day', hub_account_movements.from_day,
                                                           'to_day',
                                                           hub_account_movements.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (account text, opening numeric, debits numeric,
                                                          credits numeric, closing numeric)
         GROUP BY t.account ORDER BY t.account;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_account_movements(date, date)
    IS 'Part of account_movements() at a hub';

CREATE FUNCTION casino_internal.hub_liability(at timestamptz)
RETURNS TABLE (wallets numeric, open_stakes numeric, withheld_winnings numeric, withdrawals_payable numeric,
               total numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM casino_internal.require_given(at IS NOT NULL, 'at');
    RETURN QUERY
        SELECT sum(t.wallets), sum(t.open_stakes), sum(t.withheld_winnings), sum(t.withdrawals_payable),
               sum(t.total)
          FROM casino_internal.hub_rows('liability', jsonb_build_object('at', hub_liability.at)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (wallets numeric, open_stakes numeric,
                                                          withheld_winnings numeric,
                                                          withdrawals_payable numeric, total numeric);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_liability(timestamptz) IS 'Part of liability() at a hub';

-- Rounds as the hub has them, wagers as the cells have them.
CREATE FUNCTION casino_internal.hub_open_rounds(at timestamptz, OUT table_id bigint, OUT table_name text,
                                                OUT game text, OUT round_id bigint,
                                      OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                                                   OUT betting_closed_at timestamptz,
                                      OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint,
                                                   OUT wagers bigint, OUT staked numeric,
                                      OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.table_id, min(t.table_name), min(t.game), t.round_id, min(t.round_ref), min(t.status),
               min(t.opened_at), min(t.betting_closed_at),
               min(t.actions_closed_at), max(t.age), sum(t.players)::bigint, sum(t.wagers)::bigint,
               sum(t.staked),
               (array_agg(t.dealt ORDER BY t.dealt_at DESC NULLS LAST))[1], max(t.dealt_at)
          FROM casino_internal.hub_rows('open_rounds', jsonb_build_object('at',
                  coalesce(hub_open_rounds.at, clock_timestamp()))) r
         CROSS JOIN LATERAL jsonb_to_record(r.data)
               AS t (table_id bigint, table_name text, game text, round_id bigint, round_ref text,
                     status text, opened_at timestamptz, betting_closed_at timestamptz,
                     actions_closed_at timestamptz, age interval, players bigint, wagers bigint,
                     staked numeric, dealt jsonb, dealt_at timestamptz)
         GROUP BY t.table_id, t.round_id ORDER BY min(t.opened_at), t.round_id;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_open_rounds(timestamptz) IS 'Part of open_rounds(at) at a hub';

CREATE FUNCTION casino.all_open_rounds(at timestamptz DEFAULT NULL, OUT table_id bigint, OUT table_name text,
                                       OUT game text, OUT round_id bigint,
                                      OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                                          OUT betting_closed_at timestamptz,
                                      OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint,
                                          OUT wagers bigint, OUT staked numeric,
                                      OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT o.* FROM casino.open_rounds(all_open_rounds.at) o;
END
$fn$;
COMMENT ON FUNCTION casino.all_open_rounds(timestamptz) IS
    'open_rounds(at) over all cells of a hub, which is what it gives there';

-- ------------------------------------------------------------------------------------------------ nights

CREATE FUNCTION casino.all_report(day date) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.all_report(date) IS
    'One report of all cells on a Prague day: their nights with what did not fit, rounds that are not the '
    'same everywhere, plans, tables, and the figures added up';

CREATE FUNCTION casino_internal.all_report_impl(day date) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    nights jsonb;
    rounds jsonb;
    cells jsonb;
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is not a hub' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'casino.daily_report() is the report of one server.';
    END IF;
    SELECT jsonb_object_agg(c.cell, coalesce(n.night, '"none"')) INTO nights
      FROM casino.hub_cell c
      LEFT JOIN (SELECT r.cell, jsonb_build_object('status', r.data -> 'status', 'differences',
                                                   r.data -> 'differences', 'seal', r.data -> 'seal',
                                                   'finished_at', r.data -> 'finished_at',
                                                   'unfinished', r.data -> 'unfinished') AS night
                   FROM casino_internal.hub_rows('night',
                                                 jsonb_build_object('from_day',
                                                                    all_report_impl.day)) r) n
                                                                        ON n.cell = c.cell;
    -- what the hub has decided against what each cell has done
    SELECT coalesce(jsonb_agg(jsonb_build_object('round_id', d.round_id, 'hub', d.status, 'cells', d.cells)
                              ORDER BY d.round_id), '[]') INTO rounds
      FROM (SELECT coalesce(h.round_id, f.round_id) AS round_id, h.status, f.cells
              FROM (SELECT r.round_id, r.status FROM casino.hub_round r
                     WHERE r.evaluated_at >= casino.day_start(all_report_impl.day)
                         AND r.evaluated_at < casino.day_start(all_report_impl.day + 1)) h
              FULL JOIN (SELECT (r.data ->> 'round_id')::bigint AS round_id,
                         jsonb_object_agg(r.cell, r.data -> 'status') AS cells,
                                count(*) AS n, min(r.data ->> 'status') AS least,
                                max(r.data ->> 'status') AS most,
                                count(DISTINCT r.data -> 'outcome') AS outcomes
                           FROM casino_internal.hub_rows('round_figures',
                                                         jsonb_build_object('from_day', all_report_impl.day,
                                                                            'to_day',
                                                                            all_report_impl.day)) r
                          GROUP BY 1) f ON f.round_id = h.round_id
             WHERE h.status IS NULL OR f.round_id IS NULL OR f.least <> h.status OR f.most <> h.status
                 OR f.outcomes > 1
                OR f.n < (SELECT count(*) FROM casino.hub_cell c
                          JOIN casino.hub_round r ON r.round_id = h.round_id AND c.added_at < r.opened_at)) d;
    SELECT jsonb_agg(to_jsonb(s) - 'conninfo' ORDER BY s.cell) INTO cells
        FROM casino_internal.cell_states_impl() s;
    RETURN jsonb_build_object(
        'day', day,
        'nights', nights,
        'clean', NOT EXISTS (SELECT FROM jsonb_each(nights) n
                             WHERE n.value ->> 'status' IS DISTINCT FROM 'clean')
                 AND rounds = '[]' AND NOT EXISTS (SELECT FROM jsonb_array_elements(cells) c
                                                   WHERE c ->> 'problem' IS NOT NULL),
        'rounds_that_differ', rounds,
        'cells', cells,
        'daily_table', (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')
                        FROM casino_internal.hub_daily_table(day, day) t),
        'tax_base',
            (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM casino_internal.hub_tax_base(day, day) t),
        'account_movements', (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]')
                              FROM casino_internal.hub_account_movements(day, day) m),
        'liability', (SELECT to_jsonb(l) FROM casino_internal.hub_liability(casino.day_start(day + 1)) l));
END
$fn$;
COMMENT ON FUNCTION casino_internal.all_report_impl(date)
    IS 'Body of all_report(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------- tables and rounds

-- R9.52: a cell that lags behind does not know the newest version yet, so that all cells are asked.
CREATE FUNCTION casino_internal.hub_table_limits_at(table_id bigint, at timestamptz, OUT version integer,
                                                    OUT valid_from timestamptz, OUT valid_until timestamptz,
                                                    OUT min_stake numeric, OUT max_stake numeric,
                                                    OUT surrender boolean, OUT behind boolean,
                                                    OUT seats integer, OUT limits jsonb,
                                                    OUT recorded_at timestamptz) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.hub_table t WHERE t.table_id = hub_table_limits_at.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT t.version, t.valid_from, t.valid_until, t.min_stake, t.max_stake, t.surrender, t.behind, t.seats,
           t.limits, t.recorded_at
      INTO version, valid_from, valid_until, min_stake, max_stake, surrender, behind, seats, limits,
           recorded_at
      FROM casino_internal.hub_rows('table_limits',
                                    jsonb_build_object('table_id', hub_table_limits_at.table_id,
                                                       'at', hub_table_limits_at.at)) r
     CROSS JOIN LATERAL jsonb_to_record(r.data)
           AS t (version integer, valid_from timestamptz, valid_until timestamptz, min_stake numeric,
                 max_stake numeric, surrender boolean, behind boolean, seats integer, limits jsonb,
                 recorded_at timestamptz)
     ORDER BY t.version DESC NULLS LAST, t.valid_until NULLS LAST, r.cell
     LIMIT 1;
    limits := coalesce(limits, '{}');
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_table_limits_at(bigint, timestamptz)
    IS 'Part of table_limits_at() at a hub';

-- Elements of one member of several recalls, each once, in the order of the numbers and texts named.
CREATE FUNCTION casino_internal.recall_list(recalls jsonb[], member text, VARIADIC by_fields text[])
    RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(e.element ORDER BY e.fields, e.element), '[]')
      FROM (SELECT DISTINCT x.element, ARRAY (SELECT x.element -> f
                                                FROM unnest(recall_list.by_fields) WITH ORDINALITY k (f, n)
                                               ORDER BY k.n) AS fields
              FROM unnest(recalls) r
             CROSS JOIN LATERAL jsonb_array_elements(r -> recall_list.member) x (element)) e
$fn$;
COMMENT ON FUNCTION casino_internal.recall_list(jsonb[], text, text[])
    IS 'Part of game_recall() at a hub: what several cells have, put together';

-- Numbers of one object of each recall added up, beside what else the first one says.
CREATE FUNCTION casino_internal.recall_sum(objects jsonb[], VARIADIC fields text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT objects[1] || coalesce((SELECT jsonb_object_agg(f, s.total)
                                     FROM unnest(fields) f
                                    CROSS JOIN LATERAL (SELECT sum((o ->> f)::numeric) AS total
                                                          FROM unnest(objects) o) s
                                    WHERE objects[1] ? f), '{}')
$fn$;
COMMENT ON FUNCTION casino_internal.recall_sum(jsonb[], text[])
    IS 'Part of game_recall() at a hub: figures of a round added up over the cells';

-- R9.52: the round is in every cell, the wagers of a player are in one.
CREATE FUNCTION casino_internal.hub_game_recall(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    cells integer[];
    recalls jsonb[];
    versions jsonb;
BEGIN
    IF round_id IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM casino.hub_round r WHERE r.round_id = hub_game_recall.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- where there are wagers first: that cell has seen the whole round
    SELECT array_agg(r.cell ORDER BY (r.data -> 'round' ->> 'wagers')::bigint DESC NULLS LAST, r.cell),
           array_agg(r.data ORDER BY (r.data -> 'round' ->> 'wagers')::bigint DESC NULLS LAST, r.cell)
      INTO cells, recalls
      FROM casino_internal.hub_rows('game_recall',
                                    jsonb_build_object('round_id', hub_game_recall.round_id)) r;
    IF recalls IS NULL THEN
        RAISE EXCEPTION 'round % is in no cell', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT coalesce(jsonb_agg(v.version ORDER BY v.version -> 'correction_no'), '[]')
      INTO versions
      FROM (SELECT casino_internal.recall_sum(array_agg(x.element ORDER BY r.n), 'entries', 'posted',
                                              'claimed')
                   || jsonb_build_object('former',
                                         casino_internal.recall_sum(array_agg(x.element -> 'former'
                                                                              ORDER BY r.n),
                                                                    'wagers', 'players', 'staked', 'paid'))
                   AS version
              FROM unnest(recalls) WITH ORDINALITY r (recall, n)
             CROSS JOIN LATERAL jsonb_array_elements(r.recall -> 'versions') x (element)
             GROUP BY x.element -> 'correction_no') v;
    RETURN recalls[1] || jsonb_build_object(
        'cells', (SELECT jsonb_object_agg(c.cell, c.recall -> 'round' -> 'status')
                    FROM unnest(cells, recalls) c (cell, recall)),
        'round', casino_internal.recall_sum(ARRAY (SELECT r -> 'round' FROM unnest(recalls) r), 'wagers',
                                            'players', 'staked', 'paid'),
        -- the same version has another number in each database
        'plan', recalls[1] -> 'plan' || jsonb_build_object(
                    'plan_id', (SELECT p.plan_id FROM casino.game_plan p
                                 WHERE p.game = recalls[1] -> 'table' ->> 'game'
                                   AND p.version = (recalls[1] -> 'plan' ->> 'version')::integer),
                    -- kinds that were staked
                    'bets', (SELECT coalesce(jsonb_object_agg(b.key, b.value), '{}')
                               FROM unnest(recalls) r
                              CROSS JOIN LATERAL jsonb_each(r -> 'plan' -> 'bets') b)),
        'cards', casino_internal.recall_list(recalls, 'cards', 'side', 'seat', 'group', 'hand'),
        'wagers', casino_internal.recall_list(recalls, 'wagers', 'at', 'player_id', 'entry_no'),
        'handovers', casino_internal.recall_list(recalls, 'handovers', 'seat', 'at'),
        'stacks', casino_internal.recall_list(recalls, 'stacks', 'seat'),
        'disconnections', casino_internal.recall_list(recalls, 'disconnections', 'at', 'player_id'),
        'reconnections', casino_internal.recall_list(recalls, 'reconnections', 'at', 'player_id'),
        'withholdings', casino_internal.recall_list(recalls, 'withholdings', 'player_id'),
        'corrections', casino_internal.recall_list(recalls, 'corrections', 'at', 'player_id', 'entry_no'),
        'versions', versions,
        'claims', casino_internal.recall_list(recalls, 'claims', 'player_id', 'claim_no'),
        'breaches', casino_internal.recall_list(recalls, 'breaches', 'player_id', 'entry_no', 'rule'));
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_game_recall(bigint)
    IS 'Part of game_recall() at a hub: the recalls of all cells as one';
