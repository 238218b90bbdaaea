-- round_changes() and player_day_changes() at a hub (R8.27): each cell numbers its own, and the hub numbers
-- their answers, under its own lock of readers. It keeps how far it has read each cell.

CREATE FUNCTION casino_internal.install_hub_changes() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF to_regclass('casino.hub_change') IS NOT NULL THEN
        RETURN;
    END IF;
    CREATE TABLE casino.hub_change (
        feed           text NOT NULL,
        number         bigint NOT NULL,
        day            date NOT NULL,
        cell           integer NOT NULL,
        cell_change_no bigint NOT NULL,
        change_no      bigint NOT NULL,
        data           jsonb NOT NULL,
        PRIMARY KEY (feed, number, day, cell)
    );
    CREATE INDEX hub_change_cell ON casino.hub_change (feed, cell, cell_change_no);
    COMMENT ON INDEX casino.hub_change_cell IS 'Finds how far a cell was read';
    CREATE INDEX hub_change_no ON casino.hub_change (change_no);
    COMMENT ON INDEX casino.hub_change_no IS 'Finds the changes after a cursor';
    COMMENT ON TABLE casino.hub_change
        IS 'The last change of each round and of each player''s day in each cell; of a round that has ended '
           'where nobody staked in the cell, only when it came last (R12.140)';
    COMMENT ON COLUMN casino.hub_change.feed IS 'round_changes or player_day_changes';
    COMMENT ON COLUMN casino.hub_change.number IS 'Round or player';
    COMMENT ON COLUMN casino.hub_change.day IS 'Day of a player; of a round 1970-01-01';
    COMMENT ON COLUMN casino.hub_change.cell IS 'Cell that said so';
    COMMENT ON COLUMN casino.hub_change.cell_change_no IS 'Number that the cell has given';
    COMMENT ON COLUMN casino.hub_change.change_no IS 'Number that the hub has given';
    COMMENT ON COLUMN casino.hub_change.data IS 'The answer of the cell';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_hub_changes() IS 'Part of install_hub(): changes in the cells';

CREATE FUNCTION casino_internal.hub_read_changes(feed text, since bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    after jsonb;
    first bigint;
BEGIN
    PERFORM casino_internal.check_change_reader(since);
    SELECT coalesce(jsonb_object_agg(c.cell, l.cell_change_no), '{}') INTO after
      FROM casino.hub_cell c
     CROSS JOIN LATERAL (SELECT h.cell_change_no
                           FROM casino.hub_change h
                          WHERE h.feed = hub_read_changes.feed AND h.cell = c.cell
                          ORDER BY h.cell_change_no DESC
                          LIMIT 1) l;
    first := casino_internal.next_change_no((SELECT max(h.change_no) FROM casino.hub_change h));
    INSERT INTO casino.hub_change AS h (feed, number, day, cell, cell_change_no, change_no, data)
    SELECT hub_read_changes.feed, coalesce(r.data -> 'round_id', r.data -> 'player_id')::bigint,
           coalesce((r.data ->> 'day')::date, '1970-01-01'), r.cell, (r.data ->> 'change_no')::bigint,
           first + row_number() OVER (ORDER BY r.cell, (r.data ->> 'change_no')::bigint) - 1, r.data
      FROM casino_internal.hub_rows(hub_read_changes.feed, jsonb_build_object('after', after)) r
    ON CONFLICT (feed, number, day, cell) DO UPDATE
       SET cell_change_no = excluded.cell_change_no, change_no = excluded.change_no, data = excluded.data;
    -- R12.140: a cell where nobody staked adds nothing to an ended round; a change that comes later is whole
    DELETE FROM casino.hub_change x
     USING casino.hub_change y
     WHERE hub_read_changes.feed = 'round_changes'
       AND y.feed = hub_read_changes.feed
       AND y.number IN (SELECT n.number
                          FROM casino.hub_change n
                         WHERE n.feed = hub_read_changes.feed AND n.change_no >= first
                         UNION
                        -- how far a cell was read until now is said by other rows now
                        SELECT n.number
                          FROM jsonb_each_text(after) f (cell, last)
                          JOIN casino.hub_change n
                            ON n.feed = hub_read_changes.feed
                           AND n.cell = f.cell::integer
                           AND n.cell_change_no = f.last::bigint)
       AND x.feed = y.feed
       AND x.number = y.number
       AND x.change_no < y.change_no
       AND x.data ->> 'status' IN ('settled', 'voided')
       AND y.data ->> 'status' IN ('settled', 'voided')
       AND (x.data ->> 'wagers')::bigint = 0
       AND (x.data ->> 'outcome' IS NULL OR y.data ->> 'outcome' IS NOT NULL)
       -- up to here the cell was read
       AND x.cell_change_no < (SELECT max(m.cell_change_no)
                                 FROM casino.hub_change m
                                WHERE m.feed = x.feed AND m.cell = x.cell);
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_read_changes(text, bigint)
    IS 'Part of round_changes() and player_day_changes() at a hub: asks the cells and numbers the news';

CREATE FUNCTION casino_internal.hub_round_changes(since bigint, OUT change_no bigint, OUT round_id bigint,
                                                  OUT table_id bigint, OUT round_ref text, OUT status text,
                                                  OUT opened_at timestamptz,
                                                      OUT betting_closed_at timestamptz,
                                                  OUT evaluated_at timestamptz, OUT outcome jsonb,
                                                  OUT wagers bigint, OUT players bigint, OUT staked numeric,
                                                  OUT paid numeric)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM casino_internal.hub_read_changes('round_changes', since);
    RETURN QUERY
        SELECT c.change_no, r.round_id, r.table_id, r.round_ref, r.status, r.opened_at, r.betting_closed_at,
               r.evaluated_at, c.outcome, c.wagers, c.players, c.staked, c.paid
          FROM (SELECT h.number, max(h.change_no) AS change_no,
                       (array_agg(h.data -> 'outcome' ORDER BY h.change_no DESC)
                            FILTER (WHERE jsonb_typeof(h.data -> 'outcome') <> 'null'))[1] AS outcome,
                       sum((h.data ->> 'wagers')::bigint)::bigint AS wagers,
                       sum((h.data ->> 'players')::bigint)::bigint AS players,
                       sum((h.data ->> 'staked')::numeric) AS staked,
                       sum((h.data ->> 'paid')::numeric) AS paid
                  FROM casino.hub_change h
                 WHERE h.feed = 'round_changes'
                   AND h.number IN (SELECT n.number
                                      FROM casino.hub_change n
                                     WHERE n.feed = 'round_changes' AND n.change_no > coalesce(since, 0))
                 GROUP BY h.number) c
          JOIN casino.hub_round r ON r.round_id = c.number
         ORDER BY c.change_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_round_changes(bigint)
    IS 'Part of round_changes() at a hub: figures of all cells';

CREATE FUNCTION casino_internal.hub_player_day_changes(since bigint, OUT change_no bigint,
                                                       OUT player_id bigint,
                                                       OUT day date)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    PERFORM casino_internal.hub_read_changes('player_day_changes', since);
    RETURN QUERY
        SELECT h.change_no, h.number, h.day
          FROM casino.hub_change h
         WHERE h.feed = 'player_day_changes' AND h.change_no > coalesce(since, 0)
         ORDER BY h.change_no;
END
$fn$;
COMMENT ON FUNCTION casino_internal.hub_player_day_changes(bigint) IS 'Part of player_day_changes() at a hub';
