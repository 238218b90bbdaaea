-- Boxes whose owner is absent: who decides in his place (D3 §1).

CREATE FUNCTION casino_internal.install_boxes() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.box_handover (
        round_id     bigint NOT NULL,
        seat         integer NOT NULL CHECK (seat > 0),
        handover_no  integer NOT NULL CHECK (handover_no > 0),
        owner        bigint NOT NULL,
        former_owner bigint NOT NULL CHECK (former_owner <> owner),
        handed_at    timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (round_id, seat, handover_no)
    );
    COMMENT ON TABLE casino.box_handover
        IS 'Append-only: boxes handed over to another player who decides for the absent owner. The last one '
           'counts whose player has a main bet on the box; without any, who staked first owns it';
    COMMENT ON COLUMN casino.box_handover.round_id IS 'Round';
    COMMENT ON COLUMN casino.box_handover.seat IS 'Seat (box)';
    COMMENT ON COLUMN casino.box_handover.handover_no IS 'Counts the handovers of the box from 1';
    COMMENT ON COLUMN casino.box_handover.owner IS 'Player who decides on the box from then on';
    COMMENT ON COLUMN casino.box_handover.former_owner IS 'Player who decided before';
    COMMENT ON COLUMN casino.box_handover.handed_at IS 'When it happened';
    COMMENT ON COLUMN casino.box_handover.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('box_handover');
    PERFORM casino_internal.make_recorded('box_handover');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_boxes() IS 'Part of casino.install(): boxes handed over';

CREATE FUNCTION casino.hand_over_box(round_id bigint, seat integer, player_id bigint,
                                     at timestamptz DEFAULT NULL)
RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_hand_over_box' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.hand_over_box(bigint, integer, bigint, timestamptz)
    IS 'Lets the second player on a box decide from now on because its owner is absent (D3 §1), or the '
       'owner again when he is back. Who takes over must have followed what was decided before. The same '
       'again changes nothing';
