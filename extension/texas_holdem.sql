-- Texas Hold'em: pots, which the players are paid from.

CREATE FUNCTION casino.split_pots(contributed numeric[], folded boolean[], hands casino.hand[],
                                  board casino.hand, button integer,
                                  OUT pot integer, OUT amount numeric, OUT contenders integer[],
                                  OUT winners integer[], OUT shares numeric[])
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_split_pots' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 3;
COMMENT ON FUNCTION casino.split_pots(numeric[], boolean[], casino.hand[], casino.hand, integer)
    IS 'Pots of a Texas Hold''em hand and each seat''s share: seat n is the nth element, hands may be NULL '
       'where nothing is shown; pot 1 is the main pot, pot 0 money that nobody called';

CREATE FUNCTION casino.pot_shares(contributed numeric[], folded boolean[], hands casino.hand[],
                                  board casino.hand, button integer,
                                  OUT seat integer, OUT won numeric,
                                  OUT returned numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_pot_shares' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.pot_shares(numeric[], boolean[], casino.hand[], casino.hand, integer)
    IS 'What each seat of a Texas Hold''em hand gets: winnings from all pots, and money that nobody called';

CREATE FUNCTION casino_internal.install_texas_holdem() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Texas Hold'em: what each seat gets, and each stake with the seat's share on the player's first one.
    CREATE VIEW casino.texas_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               row_number() OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) = 1 AS first
          FROM casino.standing_stake s
         WHERE s.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_wager
        IS 'Part of casino.evaluation: pot stakes of evaluated Texas Hold''em rounds';
    COMMENT ON COLUMN casino.texas_wager.first
        IS 'The player''s first stake of the round, which carries what his seat gets';

    -- Correlated on the round, so that the hand of one round is found by its number alone; what h asks of its
    -- round holds before it looks at the cards, in whatever order the planner joins.
    CREATE VIEW casino.texas_hand AS
        SELECT r.round_id, h.button, h.contributed, h.folded, h.hands, h.board
          FROM casino.round r
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT (r.outcome ->> 'button')::integer AS button,
                       (SELECT array_agg(coalesce(c.amount, 0) ORDER BY n.seat)
                          FROM generate_series(1, 10) AS n (seat)
                          LEFT JOIN (SELECT s.seat, sum(s.amount) AS amount FROM casino.ledger s
                                      WHERE s.round_id = r.round_id AND s.kind = 'stake'
                                        AND (SELECT f.kind FROM casino.ledger f
                                              WHERE f.player_id = s.player_id
                                                AND f.stake_entry_no = s.entry_no
                                                AND f.correction_no IS NULL)
                                            IS DISTINCT FROM 'refund'
                                      GROUP BY s.seat) c ON c.seat = n.seat) AS contributed,
                       ARRAY (SELECT coalesce((SELECT d.folded FROM casino.dealt_hand d
                                                WHERE d.round_id = r.round_id
                                                  AND d.side = 'box'
                                                  AND d.seat = n.seat), true)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS folded,
                       ARRAY (SELECT (SELECT d.cards FROM casino.dealt_hand d
                                       WHERE d.round_id = r.round_id AND d.side = 'box' AND d.seat = n.seat
                                         AND casino.card_count(d.cards) = 2)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS hands,
                       (SELECT d.cards
                          FROM casino.dealt_hand d
                         WHERE d.round_id = r.round_id AND d.side = 'board') AS board
                 WHERE p.plan_id = r.plan_id AND g.game = p.game AND g.family = 'texas_holdem'
                   -- in a cell that is not the table's home nobody has a stake (R13.10)
                   AND (SELECT l.player_id
                          FROM casino.ledger l
                         WHERE l.round_id = r.round_id AND l.kind = 'stake'
                         ORDER BY l.player_id
                         LIMIT 1) IS NOT NULL
                OFFSET 0) h
         WHERE r.status IN ('settled', 'withheld') AND g.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_hand
        IS 'Part of casino.evaluation: evaluated Texas Hold''em rounds as split_pots() takes them; seat n is '
           'the nth element';
    COMMENT ON COLUMN casino.texas_hand.button IS 'Seat of the button';
    COMMENT ON COLUMN casino.texas_hand.contributed IS 'CZK that each seat put in';
    COMMENT ON COLUMN casino.texas_hand.folded IS 'Has the seat folded, or is it empty';
    COMMENT ON COLUMN casino.texas_hand.hands IS 'The two cards of a seat, NULL where they are not known';
    COMMENT ON COLUMN casino.texas_hand.board IS 'Common cards';

    CREATE VIEW casino.texas_share AS
        SELECT h.round_id, x.seat, x.won, x.returned
          FROM casino.texas_hand h
         CROSS JOIN LATERAL casino.pot_shares(h.contributed, h.folded, h.hands, h.board, h.button) x;
    COMMENT ON VIEW casino.texas_share
        IS 'Part of casino.evaluation: what each seat of an evaluated Texas Hold''em round gets';
    COMMENT ON COLUMN casino.texas_share.won IS 'CZK from all pots';
    COMMENT ON COLUMN casino.texas_share.returned IS 'CZK that nobody called';

    CREATE VIEW casino.graded_texas_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               casino.kind(s.bet) AS kind,
               CASE WHEN s.first AND x.won > 0 THEN 'win'
                    WHEN s.first AND x.returned > 0 THEN 'returned'
                    ELSE 'lose' END AS grade,
               CASE WHEN s.first THEN x.won + x.returned ELSE 0.00 END AS share, NULL::bigint AS before
          FROM casino.texas_wager s
          LEFT JOIN LATERAL (SELECT t.won, t.returned FROM casino.texas_share t
                              WHERE s.first AND t.round_id = s.round_id AND t.seat = s.seat
                             OFFSET 0) x ON true;

    PERFORM casino_internal.install_evaluation_of('texas_holdem');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_texas_holdem()
    IS 'Part of casino.install(): how wagers of the family texas_holdem are graded';
