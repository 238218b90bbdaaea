-- Wagers: placing and cancelling them, and what became of each.

CREATE FUNCTION casino_internal.install_wagers() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.cancelled_request (
        player_id    bigint NOT NULL,
        request_id   text NOT NULL CHECK (octet_length(request_id) <= 200),
        round_id     bigint NOT NULL,
        cancelled_at timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (player_id, request_id)
    );
    COMMENT ON TABLE casino.cancelled_request
        IS 'Requests cancelled before they arrived: they are refused when they do';
    COMMENT ON COLUMN casino.cancelled_request.player_id IS 'Player';
    COMMENT ON COLUMN casino.cancelled_request.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.cancelled_request.round_id IS 'Round it was meant for';
    COMMENT ON COLUMN casino.cancelled_request.cancelled_at IS 'When it was cancelled';
    COMMENT ON COLUMN casino.cancelled_request.recorded_at IS 'When it was written';

    PERFORM casino_internal.make_append_only('cancelled_request');
    PERFORM casino_internal.make_recorded('cancelled_request');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_wagers() IS 'Part of casino.install(): cancelled requests';

CREATE FUNCTION casino_internal.install_wager_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.wager AS
        SELECT s.player_id, s.entry_no, s.round_id, r.table_id, s.bet, casino.kind(s.bet) AS kind, s.seat,
               s.hand,
               s.amount AS staked, s.request_id, s.posted_at,
               CASE WHEN p.kind = 'refund' THEN 'refunded'
                    WHEN r.status IN ('open', 'closed') THEN 'open'
                    -- another result was found: the last one counts
                    WHEN c.round_id IS NOT NULL AND r.status = 'voided' THEN 'refunded'
                    WHEN p.entry_no IS NULL AND e.payout > 0 AND NOT coalesce(c.paid, false) THEN 'withheld'
                    -- a free wager that is pushed gets nothing and has lost nothing
                    WHEN p.entry_no IS NULL AND NOT coalesce(c.paid, false) THEN
                        CASE e.grade WHEN 'push' THEN 'pushed' ELSE 'lost' END
                    WHEN coalesce(e.payout, p.amount) > s.amount THEN 'won'
                    WHEN coalesce(e.payout, p.amount) < s.amount THEN 'lost'
                    WHEN s.amount = 0 AND e.grade = 'lose' THEN 'lost'
                    -- no profit, be it that its share of the position's is less than half a haléř (R2.4): the
                    -- odds say what it was
                    ELSE coalesce((SELECT CASE WHEN t.num > 0 THEN 'won' WHEN t.num < 0 THEN 'lost' END
                                     FROM casino.paytable t
                                    WHERE t.plan_id = r.plan_id
                                      AND t.kind = casino.kind(s.bet)
                                      AND t.grade = coalesce(e.grade, p.grade)), 'pushed')
               END AS status,
               CASE WHEN p.kind = 'refund' OR r.status NOT IN ('settled', 'withheld') THEN NULL
                    WHEN c.round_id IS NULL AND p.kind = 'payout' THEN p.grade
                    ELSE coalesce(e.grade, 'lose')
               END AS grade,
               CASE WHEN p.kind = 'refund' OR r.status IN ('open', 'closed') THEN NULL
                    WHEN p.kind = 'payout' OR c.paid THEN
                        coalesce(p.amount, 0.00) + coalesce(x.corrected, 0.00)
                    WHEN r.status IN ('settled', 'withheld') THEN coalesce(e.payout, 0.00)
               END AS payout,
               x.corrected,
               p.entry_no AS paid_entry_no, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN casino.ledger p
               ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no AND p.correction_no IS NULL
              AND casino_internal.in_books(p.book, p.player_id, p.entry_no, NULL, s.round_id)
          LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id
          -- of rounds whose result was corrected: was the wager settled with its player, so that corrections
          -- were posted for it
          LEFT JOIN LATERAL (SELECT d.round_id,
                                    CASE r.status
                                         WHEN 'withheld' THEN coalesce(n.how = 'paid', false)
                                         ELSE h.round_id IS NULL
                                         OR coalesce(n.how = 'paid', false) END AS paid
                               FROM casino.correction_decision d
                               LEFT JOIN casino.withholding_end n
                                    ON n.player_id = s.player_id AND n.round_id = s.round_id
                              WHERE d.round_id = s.round_id AND d.version IS NOT NULL
                              LIMIT 1) c ON true
          LEFT JOIN LATERAL (SELECT sum(l.amount) AS corrected FROM casino.ledger l
                              WHERE c.round_id IS NOT NULL
                                AND l.player_id = s.player_id
                                AND l.stake_entry_no = s.entry_no
                                AND l.correction_no IS NOT NULL
                                AND casino_internal.in_books(l.book, l.player_id, l.entry_no, NULL,
                                                             s.round_id)) x ON true
          LEFT JOIN LATERAL casino_internal.evaluated_wager(CASE WHEN c.round_id IS NOT NULL
                                                            AND r.status <> 'voided'
                                                                 OR p.entry_no IS NULL
                                                                    AND (r.status = 'withheld'
                                                                         OR (r.status = 'settled'
                                                                             AND (s.amount = 0
                                                                                  OR h.round_id IS NOT NULL)))
                                                                 THEN r.round_id END,
                                                            s.player_id, s.entry_no) e ON true
         WHERE s.kind = 'stake'
           AND casino_internal.in_books(s.book, s.player_id, s.entry_no, s.round_id, NULL);
    COMMENT ON VIEW casino.wager
        IS 'Every stake with what became of it: open, won, pushed, lost, refunded or withheld. A chip whose '
           'share of the profit of its position is 0.00 has won all the same';
    COMMENT ON COLUMN casino.wager.payout
        IS 'CZK paid, with corrections, or withheld; 0 when lost, NULL while open and when refunded before '
           'the evaluation';
    COMMENT ON COLUMN casino.wager.corrected
        IS 'CZK of it that corrections of the result have added, or taken (negative); NULL: none';
    COMMENT ON COLUMN casino.wager.paid_entry_no IS 'Entry that paid or returned it';
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_wager_views() IS 'Part of casino.install(): wagers';

CREATE FUNCTION casino.place_bets(round_id bigint, player_id bigint, bets casino.bet[],
                                  request_id text DEFAULT NULL,
                                  seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_place_bets' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bets(bigint, bigint, casino.bet[], text, integer, integer, timestamptz)
    IS 'Places all bets or none and returns their entry numbers in order; the same request again returns '
       'the same numbers';

CREATE FUNCTION casino.place_bets_balance(round_id bigint, player_id bigint, bets casino.bet[],
                                          request_id text DEFAULT NULL,
                                          seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                          at timestamptz DEFAULT NULL,
                                          OUT entry_nos bigint[], OUT balance numeric) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_place_bets_balance' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bets_balance(bigint, bigint, casino.bet[], text, integer, integer,
                                              timestamptz)
    IS 'place_bets() that also returns the wallet in CZK after the last of its entries; the same request '
       'again returns the same, as it was then';

CREATE FUNCTION casino_internal.lock_box(round_id bigint, seat integer) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_box' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.lock_box(bigint, integer)
    IS 'Part of place_many(): the lock of a seat of a round, until the transaction ends';

CREATE FUNCTION casino.place_bet(round_id bigint, player_id bigint, bet casino.bet,
                                 request_id text DEFAULT NULL,
                                 seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                 at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_place_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bet(bigint, bigint, casino.bet, text, integer, integer, timestamptz)
    IS 'Places one bet and returns its entry number; the same request again returns the same number';

CREATE FUNCTION casino.cancel_bet(round_id bigint, player_id bigint, request_id text,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_cancel_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_bet(bigint, bigint, text, timestamptz)
    IS 'Returns the stakes of a request before betting closes, with those that cannot stand without them. '
       'Gives the entry numbers of the refunds of the request itself. A request that has not arrived is '
       'refused when it does';
