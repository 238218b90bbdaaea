-- What a hub no longer keeps (R12.71): decisions and answers on rounds that ended long ago.
--
-- The protocol needs a decision for three things:
-- - A cell that has not answered it is told it again.  Only decisions that every cell has answered go.
-- - A cell that was put back to an earlier state is told again the decisions that it has lost.
--   hub_told.forgotten says up to where the hub can no longer do that.  Such a cell is taken for down,
--   because it must neither agree to anything nor play on with less than it was told (R13.31).
-- - A caller who repeats a call gets its first answer.  A round keeps forgotten_at: the repetition is
--   refused, 55000, and never decided anew.
-- So the hub lets go only of decisions that the model of the protocol (model/README.md) never looks at again,
-- or whose repetition is refused.  A restored hub that reads of such a round in a cell finds its row, and
-- learns nothing anew.

CREATE FUNCTION casino_internal.hub_decision_stays() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- a later decision, a correction, stays
    IF EXISTS (SELECT FROM casino.hub_round r
                WHERE r.round_id = OLD.round_id AND r.forgotten_at > OLD.decided_at) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'DELETE on "%" is refused: it is append-only', TG_TABLE_NAME
        USING ERRCODE = 'KL001', CONSTRAINT = 'ledger_immutable',
              DATATYPE = jsonb_build_object('table', TG_TABLE_NAME)::text,
              DETAIL = 'A decision is kept until its round is forgotten.';
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_decision_stays() IS
    'Trigger of hub_decision: KL001, but for decisions on a round that the hub forgets';

-- A repetition that came too late.
CREATE FUNCTION casino_internal.hub_remember(id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_round;
BEGIN
    SELECT h.* INTO r FROM casino.hub_round h WHERE h.round_id = id AND h.forgotten_at IS NOT NULL;
    IF FOUND THEN
        RAISE EXCEPTION 'what was decided on round % is no longer kept at the hub', id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It was %s at %s; the hub has let go of its decisions at %s.', r.status,
                                  r.evaluated_at, r.forgotten_at),
                  HINT = 'Each cell has the round with its money: casino.round and casino.evaluation there.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_remember(bigint) IS
    'Part of the hub: 55000 where a call is repeated on a round whose decisions the hub has let go of';

-- Is a cell back to before the first decision that the hub can tell again?
CREATE FUNCTION casino_internal.hub_too_old(of_cell integer, state jsonb) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT casino_internal.hub_too_old_text(min(t.table_id)) FROM casino.hub_told t
             WHERE t.cell = of_cell
               AND t.forgotten > coalesce((state -> 'obeyed' ->> t.table_id::text)::bigint, 0)
            HAVING count(*) > 0);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_too_old(integer, jsonb) IS
    'Part of the hub: the problem of a cell that lacks decisions which the hub no longer keeps; '
    'NULL: it lacks nothing';

CREATE FUNCTION casino_internal.hub_too_old_text(table_id bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN format('it was put back to before what this hub can tell again (table %s): restore it from a '
                  'later backup', table_id);
COMMENT ON FUNCTION casino_internal.hub_too_old_text(bigint) IS
    'Part of the hub: the problem of a cell that is too old';

-- Answers of cells that are too old count as none.
CREATE FUNCTION casino_internal.hub_in_reach(answers casino.cell_answer[], of_table bigint)
RETURNS casino.cell_answer[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT array_agg(CASE WHEN x.obeyed < t.forgotten
                          THEN (x.cell, '08006', casino_internal.hub_too_old_text(of_table), NULL, NULL,
                                NULL, NULL,
                                NULL, NULL)::casino.cell_answer
                          ELSE (x.cell, x.code, x.message, x.detail, x.hint, x.result, x.obeyed, x.reason,
                                x.data)::casino.cell_answer END)
      FROM unnest(answers) x
      LEFT JOIN casino.hub_told t ON t.cell = x.cell AND t.table_id = of_table
$fn$;
COMMENT ON FUNCTION casino_internal.hub_in_reach(casino.cell_answer[], bigint) IS
    'Part of the hub: 08006 in place of the answer of a cell that lacks decisions which the hub no '
    'longer keeps';

-- The rounds of a table that can go, the oldest first.  sealed: all cells have sealed the days up to this
-- instant, and it is long enough ago; told: the cells had answered before this instant.
CREATE FUNCTION casino_internal.hub_forgettable(of_table bigint, sealed timestamptz, told timestamptz)
RETURNS SETOF bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.round_id
      FROM casino.hub_round r
     WHERE r.forgotten_at IS NULL AND r.table_id = of_table
       AND r.status IN ('settled', 'voided') AND r.evaluated_at < sealed
       AND NOT EXISTS (SELECT FROM casino.hub_decision d
                        WHERE d.round_id = r.round_id
                          AND (d.decided_at >= clock_timestamp()
                                               - current_setting('casino.request_memory')::interval
                               -- who found a result wrong, and who agreed, is recorded here alone
                               OR d.call = 'correct_round'))
       AND NOT EXISTS (SELECT FROM casino.hub_decision d
                         JOIN casino.hub_answer a ON a.decision_no = d.decision_no
                         LEFT JOIN casino.hub_told t ON t.cell = a.cell AND t.table_id = a.table_id
                        WHERE d.round_id = r.round_id
                          AND (a.answered_at IS NULL OR a.answered_at >= told
                               OR a.excused_by IS NULL AND coalesce(t.decision_no, 0) < a.decision_no))
     ORDER BY r.evaluated_at, r.round_id
$fn$;
COMMENT ON FUNCTION casino_internal.hub_forgettable(bigint, timestamptz, timestamptz) IS
    'Part of catch_up(): ended rounds that were not corrected, answered by every cell, sealed, and older '
    'than casino.request_memory';

-- R12.71, at the end of catch_up(): every minute a part, in the transaction of that call.  A crash leaves all
-- of it or nothing.  states: what each cell has said of itself just now.
CREATE FUNCTION casino_internal.hub_forget(states jsonb, at_once integer DEFAULT 20000) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    cells CONSTANT integer := (SELECT count(*) FROM casino.hub_cell);
    -- a round has five decisions or so
    rounds integer := greatest(1, at_once / greatest(1, 5 * cells));
    sealed timestamptz;
    told timestamptz;
    t casino.hub_table;
    ids bigint[];
    numbers bigint[];
    gone bigint := 0;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' OR NOT casino_internal.hub_is_current()
       OR EXISTS (SELECT FROM casino.hub_cell c
                   WHERE NOT c.learned OR states -> c.cell::text ->> 'sealed_at' IS NULL) THEN
        RETURN 0;
    END IF;
    SELECT least(casino.day_start(min((s.value ->> 'sealed_day')::date) + 1),
                 clock_timestamp() - current_setting('casino.request_memory')::interval),
           -- the clocks of hub and cells may differ by so much
           min((s.value ->> 'sealed_at')::timestamptz) - interval '5 seconds'
      INTO sealed, told
      FROM jsonb_each(states) s;
    FOR t IN SELECT x.* FROM casino.hub_table x
              WHERE EXISTS (SELECT FROM casino.hub_round r
                             WHERE r.table_id = x.table_id AND r.forgotten_at IS NULL
                               AND r.evaluated_at < sealed)
              ORDER BY x.table_id LOOP
        EXIT WHEN rounds <= 0;
        -- nobody repeats a call on the table meanwhile; where somebody does, it is done another time
        CONTINUE WHEN NOT casino_internal.try_lock('hub table ' || t.table_id);
        ids := ARRAY(SELECT f FROM casino_internal.hub_forgettable(t.table_id, sealed, told) f LIMIT rounds);
        CONTINUE WHEN ids = '{}';
        numbers := ARRAY(SELECT d.decision_no FROM casino.hub_decision d WHERE d.round_id = ANY (ids));
        UPDATE casino.hub_told x SET forgotten = greatest(x.forgotten, g.last)
          FROM (SELECT a.cell, max(a.decision_no) AS last
                  FROM casino.hub_answer a
                  JOIN casino.hub_told o ON o.cell = a.cell AND o.table_id = a.table_id
                 WHERE a.decision_no = ANY (numbers) AND a.decision_no <= o.decision_no
                 GROUP BY a.cell) g
         WHERE x.cell = g.cell AND x.table_id = t.table_id;
        UPDATE casino.hub_round r SET forgotten_at = clock_timestamp() WHERE r.round_id = ANY (ids);
        DELETE FROM casino.hub_answer a WHERE a.decision_no = ANY (numbers);
        DELETE FROM casino.hub_withdrawal w WHERE w.decision_no = ANY (numbers);
        DELETE FROM casino.hub_decision d WHERE d.decision_no = ANY (numbers);
        rounds := rounds - cardinality(ids);
        gone := gone + cardinality(ids);
    END LOOP;
    RETURN gone;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_forget(jsonb, integer) IS
    'Part of catch_up(): lets go of decisions and answers on rounds that nobody asks for any more. Returns '
    'how many rounds';
