-- Winnings that are withheld while a round or a player is investigated (D4 §11.1, D0).

CREATE FUNCTION casino_internal.install_withholding() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.withholding (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        ground      text NOT NULL DEFAULT 'other' CHECK (octet_length(ground) <= 64),
        withheld_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id)
    );
    CREATE INDEX withholding_round ON casino.withholding (round_id);
    COMMENT ON INDEX casino.withholding_round IS 'Finds the players of a round who are withheld';
    COMMENT ON TABLE casino.withholding
        IS 'Append-only: single players whose winnings of a round are held back while it is investigated '
           '(D4 §11.1, D0)';
    COMMENT ON COLUMN casino.withholding.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding.reason IS 'Why';
    COMMENT ON COLUMN casino.withholding.ground
        IS 'On which ground: one of casino.plan_grounds(), or other';
    COMMENT ON COLUMN casino.withholding.withheld_at IS 'When it was ordered';
    COMMENT ON COLUMN casino.withholding.recorded_at IS 'When it was written';

    CREATE TABLE casino.withholding_end (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        how         text NOT NULL CHECK (how IN ('paid', 'voided')),
        reason      text CHECK (octet_length(reason) <= 1000),
        ground      text CHECK (octet_length(ground) <= 64),
        ended_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id),
        CHECK (reason IS NOT NULL OR how = 'paid'),
        CHECK ((how = 'voided') = (ground IS NOT NULL))
    );
    CREATE INDEX withholding_end_voided ON casino.withholding_end (round_id) WHERE how = 'voided';
    COMMENT ON INDEX casino.withholding_end_voided IS 'Finds the players of a round whose wagers were voided';
    COMMENT ON TABLE casino.withholding_end
        IS 'Append-only: how the withholding of single players ended, also of players paid or voided alone '
           'in a round withheld as a whole';
    COMMENT ON COLUMN casino.withholding_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding_end.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding_end.how
        IS 'paid: what he won was posted; voided: his stakes went back';
    COMMENT ON COLUMN casino.withholding_end.reason IS 'Why the wagers were voided, or the winnings released';
    COMMENT ON COLUMN casino.withholding_end.ground
        IS 'Ground on which the wagers were voided: one of casino.plan_grounds(), or other; NULL: paid';
    COMMENT ON COLUMN casino.withholding_end.ended_at IS 'When it ended';
    COMMENT ON COLUMN casino.withholding_end.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('withholding', 'withholding_end');
    PERFORM casino_internal.make_recorded('withholding');
    PERFORM casino_internal.make_recorded('withholding_end');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_withholding() IS 'Part of casino.install(): winnings withheld';

CREATE FUNCTION casino_internal.install_withholding_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.unpaid_winnings AS
        SELECT e.player_id, e.entry_no, r.round_id, e.bet, e.grade, e.payout, r.evaluated_at, r.due_at,
               clock_timestamp() >= r.due_at AS overdue,
               coalesce(h.reason, r.withheld_reason) AS reason,
               coalesce(h.withheld_at, r.withheld_at) AS withheld_at,
               coalesce(h.recorded_by, r.withheld_by) AS withheld_by,
               (SELECT x.reason
                  FROM casino.excused_delay x
                 WHERE x.player_id = e.player_id AND x.entry_no = e.entry_no
                 ORDER BY x.excuse_no DESC LIMIT 1) AS excuse
          FROM (SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by,
                       casino.payment_due_at(w.evaluated_at, p.number::integer) AS due_at
                  FROM casino.round w
                  JOIN casino.duty_period p ON p.name = 'winnings_days'
                                           AND w.evaluated_at >= p.valid_from
                                           AND w.evaluated_at < p.valid_until
                 WHERE w.status = 'withheld'
                UNION ALL
                SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by,
                       casino.payment_due_at(w.evaluated_at, p.number::integer)
                  FROM (SELECT DISTINCT p.round_id FROM casino.withholding p
                         WHERE NOT EXISTS (SELECT FROM casino.withholding_end n
                                            WHERE n.player_id = p.player_id AND n.round_id = p.round_id)) o
                  JOIN casino.round w ON w.round_id = o.round_id AND w.status = 'settled'
                  JOIN casino.duty_period p ON p.name = 'winnings_days'
                                           AND w.evaluated_at >= p.valid_from
                                           AND w.evaluated_at < p.valid_until) r
         CROSS JOIN LATERAL casino_internal.withheld_winnings(r.round_id) e
          LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = r.round_id;
    COMMENT ON VIEW casino.unpaid_winnings
        IS 'Evaluated wagers whose payout is withheld, with the end of the 30th day after the day of '
           'evaluation (D4 §11.1; of the figure winnings_days in force then)';
    COMMENT ON COLUMN casino.unpaid_winnings.payout IS 'CZK to be paid';
    COMMENT ON COLUMN casino.unpaid_winnings.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.unpaid_winnings.overdue IS 'The deadline has passed';
    COMMENT ON COLUMN casino.unpaid_winnings.reason
        IS 'Why it is withheld: the player''s own reason, else the round''s';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_at IS 'When that was ordered';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_by IS 'Who ordered it: casino.recorder';
    COMMENT ON COLUMN casino.unpaid_winnings.excuse IS 'The last reason recorded for its delay';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_withholding_views()
    IS 'Part of casino.install(): unpaid winnings';

CREATE FUNCTION casino.withhold_winnings(round_id bigint, player_id bigint, reason text,
                                         at timestamptz DEFAULT NULL, ground text DEFAULT NULL)
RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_withhold_winnings' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.withhold_winnings(bigint, bigint, text, timestamptz, text)
    IS 'Holds back what a player wins in a round (NULL: what all win) when it is settled; the others are '
       'paid (D4 §11.1, D0). The ground is one that the game plan lists, else other, which needs a reason';

CREATE FUNCTION casino.pay_withheld(round_id bigint, at timestamptz DEFAULT NULL,
                                    player_id bigint DEFAULT NULL,
                                    reason text DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_pay_withheld' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withheld(bigint, timestamptz, bigint, text)
    IS 'Posts the payouts that were withheld: of one player, or all that the round''s own withholding holds '
       'back (where only single players are withheld, theirs). What withhold_winnings() has ordered is '
       'released by a role that may order it, with a reason';

CREATE FUNCTION casino_internal.pay_withheld_for(round_id bigint, at timestamptz, player_id bigint,
                                                 reason text,
                                                 authority text)
RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_pay_withheld_for' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.pay_withheld_for(bigint, timestamptz, bigint, text, text)
    IS 'Part of obey(): pay_withheld() of a caller at the hub who has that release_authority()';

CREATE FUNCTION casino_internal.release_authority() RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_release_authority' LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.release_authority()
    IS 'Part of the hub: what the caller may release of what was withheld by order: none, all with a '
       'reason, or all';

CREATE FUNCTION casino.void_wagers(round_id bigint, player_id bigint, reason text,
                                   at timestamptz DEFAULT NULL, ground text DEFAULT NULL)
RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_wagers' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_wagers(bigint, bigint, text, timestamptz, text)
    IS 'Returns the stakes of a player whose winnings are withheld: his wagers are void (D0), on a ground of '
       'the game plan, or other, which needs a reason. The round''s figures stay those of its evaluation';

CREATE FUNCTION casino_internal.withheld_winnings(round_id bigint, OUT player_id bigint, OUT entry_no bigint,
                                                  OUT bet casino.bet,
                                                  OUT grade text, OUT payout numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_withheld_winnings' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino_internal.withheld_winnings(bigint)
    IS 'Part of casino.unpaid_winnings: wagers of a withheld round that won and are not paid';
