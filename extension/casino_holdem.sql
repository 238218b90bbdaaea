-- Casino Hold'em: grading.

CREATE FUNCTION casino.grade_casino_holdem(bet casino.bet, player casino.hand, board casino.hand,
                                           dealer casino.hand, called boolean)
RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_casino_holdem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_casino_holdem(casino.bet, casino.hand, casino.hand, casino.hand, boolean)
    IS 'Grade of a Casino Hold''em wager of a player who called or folded (D4 Casino Hold''em §11 to §18)';

CREATE FUNCTION casino_internal.quote_grades_casino_holdem(rules jsonb, outcome jsonb, bets casino.bet[],
                                                           hands integer[])
RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF casino.card_count((outcome ->> 'board')::casino.hand) < 5
       AND 'call' IN (SELECT casino.kind(b) FROM unnest(bets) b) THEN
        RAISE EXCEPTION 'illegal outcome'
            USING ERRCODE = 'KR001', CONSTRAINT = 'illegal_outcome',
                  DATATYPE = jsonb_build_object('why', 'board')::text,
                  DETAIL = 'The ante was called, so that the board has five cards (D4 Casino Hold''em §7).';
    END IF;
    RETURN ARRAY (SELECT casino.grade_casino_holdem(b.bet, (outcome ->> 'player')::casino.hand,
                                                    (outcome ->> 'board')::casino.hand,
                                                    (outcome ->> 'dealer')::casino.hand,
                                                    bool_or(casino.kind(b.bet) = 'call') OVER ())
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n);
END
$fn$;
COMMENT ON FUNCTION casino_internal.quote_grades_casino_holdem(jsonb, jsonb, casino.bet[], integer[])
    IS 'Part of quote(): quote_grades() of the family casino_holdem';

CREATE FUNCTION casino_internal.install_casino_holdem() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Casino Hold'em: each wager, and whether its player called.
    CREATE VIEW casino.casino_holdem_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               bool_or(casino.kind(s.bet) = 'call') OVER player AS called,
               casino_internal.position_staked(s.bet, s.seat, s.hand) OVER (player ORDER BY s.entry_no)
                   AS before
          FROM casino.standing_stake s
         WHERE s.family = 'casino_holdem'
        WINDOW player AS (PARTITION BY s.round_id, s.player_id);
    COMMENT ON VIEW casino.casino_holdem_wager
        IS 'Part of casino.evaluation: wagers of evaluated Casino Hold''em rounds';
    COMMENT ON COLUMN casino.casino_holdem_wager.before
        IS 'Haléře on the position before this wager, see casino_internal.position_staked()';
    COMMENT ON COLUMN casino.casino_holdem_wager.called IS 'The player has called; else he has folded';

    CREATE VIEW casino.graded_casino_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.casino_holdem_wager s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_casino_holdem(s.bet,
                                                               (SELECT d.cards
                                                                  FROM casino.dealt_hand d
                                                                 WHERE d.round_id = s.round_id
                                                                   AND d.side = 'player'),
                                                               (SELECT d.cards
                                                                  FROM casino.dealt_hand d
                                                                 WHERE d.round_id = s.round_id
                                                                   AND d.side = 'board'),
                                                               (SELECT d.cards
                                                                  FROM casino.dealt_hand d
                                                                 WHERE d.round_id = s.round_id
                                                                   AND d.side = 'dealer'),
                                                               s.called) AS grade
                             OFFSET 0) k;

    PERFORM casino_internal.install_evaluation_of('casino_holdem');
END
$fn$;
COMMENT ON FUNCTION casino_internal.install_casino_holdem()
    IS 'Part of casino.install(): how wagers of the family casino_holdem are graded';
