-- What a player may do now, and what a client that reconnects is shown.

CREATE FUNCTION casino_internal.play_candidates(round_id bigint, player_id bigint,
                                                OUT bet casino.bet, OUT seat integer, OUT hand integer,
                                                OUT action text)
RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $fn$
#variable_conflict use_column
BEGIN
    -- in PL/pgSQL, which keeps its plan for the session
    RETURN QUERY
    -- the player's stakes that stand, seat by seat
    WITH stake AS (
        SELECT w.seat, w.hand, casino.kind(w.bet) AS kind, casino.stake(w.bet) AS amount
          FROM casino.wager w
         WHERE w.round_id = play_candidates.round_id
           AND w.player_id = play_candidates.player_id
           AND w.status = 'open'),
    place AS (
        SELECT s.seat,
               sum(s.amount) FILTER (WHERE s.kind IN ('main', 'behind', 'ante')) AS base,
               coalesce(sum(s.amount) FILTER (WHERE s.kind = 'main'), 0) AS main,
               coalesce(sum(s.amount) FILTER (WHERE s.kind IN ('double_down', 'split_pair')), 0) AS added,
               coalesce(sum(s.amount) FILTER (WHERE s.kind = 'insurance'), 0) AS insured,
               1 + count(DISTINCT s.hand) FILTER (WHERE s.kind IN ('split_pair', 'free_split')) AS hands
          FROM stake s
         GROUP BY s.seat),
    kind AS (
        SELECT b.kind,
               -- Casino Hold'em §10: a call of twice the ante
               CASE b.kind WHEN 'call' THEN 2 ELSE 1 END AS times,
               b.kind IN ('double_down', 'split_pair', 'free_double', 'free_split') AS by_hand,
               -- hands of the game; one more than it has is a split too many
               h.value::integer + (b.kind IN ('split_pair', 'free_split'))::integer AS hands
          FROM casino.round r
          JOIN casino.bet_rule b ON b.plan_id = r.plan_id
          LEFT JOIN casino.plan_rule h ON h.plan_id = r.plan_id AND h.rule = 'max_hands'
         WHERE r.round_id = play_candidates.round_id AND b.phase <> 'betting' AND b.kind <> 'pot')
    SELECT casino.bet(k.kind, NULL, CASE k.kind WHEN 'insurance' THEN i.amount ELSE p.base * k.times END),
           p.seat, h.hand,
           CASE k.kind WHEN 'double_down' THEN 'double' WHEN 'split_pair' THEN 'split' ELSE k.kind END
      FROM place p
     CROSS JOIN kind k
     -- the most that insures the box: half of the stakes that count, in the game's steps (R3.27)
      LEFT JOIN LATERAL (SELECT CASE WHEN q.most > p.insured AND q.insurance <> 'half'
                                     THEN q.most - p.insured
                                     ELSE coalesce(nullif(q.most, 0), p.base) END AS amount
                           FROM (SELECT u.value AS insurance,
                                        CASE WHEN u.value = 'multiple_of_half_minimum'
                                             THEN n.half - n.half % n.step ELSE n.half END AS most
                                   FROM casino.round r
                                   JOIN casino.plan_rule u ON u.plan_id = r.plan_id AND u.rule = 'insurance'
                                   JOIN casino.plan_rule c ON c.plan_id = r.plan_id
                                                          AND c.rule = 'insurance_on_added_stakes'
                                  CROSS JOIN LATERAL casino.table_limits_at(r.table_id, r.opened_at) t
                                  CROSS JOIN LATERAL (SELECT CASE c.value WHEN 'true' THEN p.added
                                                                          ELSE 0 END AS more) a
                                  -- half of a minimum may be no amount of money
                                  CROSS JOIN LATERAL (SELECT trunc((p.main + a.more) / 2, 2) AS half,
                                                             CASE WHEN t.min_stake % 0.02 = 0
                                                                  THEN t.min_stake / 2
                                                                  ELSE t.min_stake END AS step) n
                                  WHERE r.round_id = play_candidates.round_id) q) i ON k.kind = 'insurance'
     -- a split makes one hand more: the numbers that the hands can have by now
     CROSS JOIN LATERAL (SELECT g.n::integer AS hand
                           FROM generate_series(1, least(2 * p.hands, k.hands)) g (n)
                          WHERE k.by_hand
                          UNION ALL SELECT NULL::integer WHERE NOT k.by_hand) h
     WHERE p.base > 0
    UNION ALL
    -- a raise is the player's choice: the most that wallet, table and plan leave
    SELECT casino.bet('pot', NULL, m.amount), s.seat, NULL, 'stake'
      FROM (SELECT x.seat, sum(x.amount) AS staked FROM stake x WHERE x.kind = 'pot' GROUP BY x.seat
            UNION ALL
            -- a player who posted no blind puts in the first money after the cards, at a seat that nobody has
            SELECT f.seat, 0
              FROM casino.round r
             CROSS JOIN LATERAL casino.table_limits_at(r.table_id, r.opened_at) t
             CROSS JOIN LATERAL generate_series(1, t.seats) f (seat)
             WHERE r.round_id = play_candidates.round_id
               AND r.status = 'closed'
               AND NOT EXISTS (SELECT FROM stake)
               AND NOT EXISTS (SELECT FROM casino.ledger l
                                WHERE l.round_id = r.round_id AND l.kind = 'stake' AND l.seat = f.seat)) s
      JOIN casino.round r ON r.round_id = play_candidates.round_id
      JOIN casino.game_plan g ON g.plan_id = r.plan_id
      JOIN casino.player y ON y.player_id = play_candidates.player_id
      JOIN casino.position_limits(r.table_id, r.opened_at) l ON l.kind = 'pot'
     -- all in is the rest of the stack (R6.30); before the first stake the wallet is the stack
      LEFT JOIN LATERAL (SELECT k.stack - k.staked AS chips
                           FROM casino_internal.stacks_of(play_candidates.round_id) k
                          WHERE k.player_id = play_candidates.player_id) c ON true
     CROSS JOIN LATERAL (SELECT least(y.balance, c.chips, l.max - s.staked,
                                      g.round_max_stake - s.staked) AS amount) m
     WHERE m.amount > 0
    UNION ALL
    -- decisions that stake nothing, where the plan has them: marks of a hand that was not split
    SELECT NULL, p.seat, 1, u.rule
      FROM place p
     CROSS JOIN casino.round r
      JOIN casino.plan_rule u ON u.plan_id = r.plan_id
     WHERE p.base > 0
       AND r.round_id = play_candidates.round_id
       AND u.rule IN ('even_money', 'surrender')
       AND u.value <> 'none';
END
$fn$;
COMMENT ON FUNCTION casino_internal.play_candidates(bigint, bigint)
    IS 'Part of may_play(): wagers that may be placed and decisions that may be taken while a round is '
       'played, for each seat and hand of the player, allowed or not';

CREATE FUNCTION casino_internal.check_decision(round_id bigint, player_id bigint, decision text, seat integer)
RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_check_decision' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino_internal.check_decision(bigint, bigint, text, integer)
    IS 'Part of may_play(): refuses a decision that stakes nothing, even_money or surrender, where the '
       'player may not take it now, or deal() would not take the mark';

CREATE FUNCTION casino.may_play(round_id bigint, player_id bigint,
                                OUT bet casino.bet, OUT seat integer, OUT hand integer, OUT amount numeric,
                                OUT why_not text, OUT action text, OUT reason text, OUT data jsonb)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.may_play(bigint, bigint)
    IS 'What a player may do now in a round: each wager in play by seat and hand, with its amount in CZK '
       '(the most for insurance and a raise); why_not is NULL when place_bet() would take it, else its '
       'refusal, with reason and data for message_for_player(). Action is double, split, insurance, call, '
       'free_double, free_split, stake, even_money or surrender. The last two stake nothing: they have no '
       'bet and no amount, and their why_not is NULL when deal() would take the mark. The hand of a split is '
       'the hand it opens, of a double the hand it lies on. Leaves nothing behind';

-- The code that refuses is asked. Each wager is placed and taken back; each mark is held against the cards
-- (R11.70).
CREATE FUNCTION casino_internal.may_play_impl(round_id bigint, player_id bigint,
                                              OUT bet casino.bet, OUT seat integer, OUT hand integer,
                                              OUT amount numeric, OUT why_not text, OUT action text,
                                              OUT reason text, OUT data jsonb)
RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    candidate record;
    told text;
    detail text;
BEGIN
    IF may_play_impl.round_id IS NULL OR may_play_impl.player_id IS NULL THEN
        RAISE EXCEPTION 'round_id and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM FROM casino.round r WHERE r.round_id = may_play_impl.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', may_play_impl.round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    PERFORM FROM casino.player p WHERE p.player_id = may_play_impl.player_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', may_play_impl.player_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.register_player() registers one.';
    END IF;
    FOR candidate IN SELECT c.bet, c.seat, c.hand, c.action
                       FROM casino_internal.play_candidates(may_play_impl.round_id, may_play_impl.player_id) c
                      ORDER BY c.seat, c.hand NULLS FIRST, casino.kind(c.bet), c.action LOOP
        bet := candidate.bet;
        seat := candidate.seat;
        hand := candidate.hand;
        amount := casino.stake(candidate.bet);
        action := candidate.action;
        why_not := NULL;
        reason := NULL;
        data := NULL;
        BEGIN
            IF candidate.bet IS NULL THEN
                PERFORM casino_internal.check_decision(may_play_impl.round_id, may_play_impl.player_id,
                                                       candidate.action, candidate.seat);
            ELSE
                PERFORM casino.place_bet(may_play_impl.round_id, may_play_impl.player_id, candidate.bet, NULL,
                                         candidate.seat, candidate.hand);
            END IF;
            -- ends the block, which takes the wager and its locks back
            RAISE SQLSTATE 'KZ000';
        EXCEPTION
            WHEN SQLSTATE 'KZ000' THEN
                NULL;
            WHEN SQLSTATE 'KR001' THEN
                -- what deal() would say of the mark: the cards do not allow the decision
                GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
                why_not := candidate.action || ' is not allowed now';
                reason := 'not_with_cards';
                data := jsonb_strip_nulls(jsonb_build_object('kind', candidate.action, 'seat', candidate.seat,
                                                             'hand', candidate.hand, 'why', detail));
            WHEN SQLSTATE 'KB001'
                 OR SQLSTATE 'KB002'
                 OR SQLSTATE 'KB003'
                 OR SQLSTATE 'KB004'
                 OR SQLSTATE 'KB005'
              OR SQLSTATE 'KC001'
              OR SQLSTATE 'KC002'
              OR SQLSTATE 'KC004'
              OR SQLSTATE 'KC005'
              OR SQLSTATE 'KL002'
              OR invalid_parameter_value THEN
                GET STACKED DIAGNOSTICS why_not = MESSAGE_TEXT, reason = CONSTRAINT_NAME,
                    told = PG_DATATYPE_NAME;
                data := casino_internal.refusal_data(reason, told);
                reason := nullif(reason, '');
        END;
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino_internal.may_play_impl(bigint, bigint)
    IS 'Body of may_play(), run as the owner of the ledger';

CREATE FUNCTION casino.round_view(table_id bigint, player_id bigint) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.round_view(bigint, bigint)
    IS 'What a client that reconnects is shown, in one call: table, its latest round with clock and cards, '
       'the player''s wagers in it, what he may do now, his wallet in CZK';

CREATE FUNCTION casino_internal.round_view_impl(table_id bigint, player_id bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    r casino.round;
    balance numeric;
    wagers jsonb;
    plays jsonb;
    shown jsonb;
BEGIN
    IF round_view_impl.table_id IS NULL OR round_view_impl.player_id IS NULL THEN
        RAISE EXCEPTION 'table_id and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT jsonb_build_object('table_id', t.table_id, 'name', t.name, 'game', t.game) INTO shown
      FROM casino.game_table t
     WHERE t.table_id = round_view_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', round_view_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT p.balance INTO balance FROM casino.player p WHERE p.player_id = round_view_impl.player_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', round_view_impl.player_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.register_player() registers one.';
    END IF;
    SELECT o.* INTO r
      FROM casino.round o
     WHERE o.table_id = round_view_impl.table_id
     ORDER BY o.opened_at DESC, o.round_id DESC
     LIMIT 1;
    SELECT coalesce(jsonb_agg(jsonb_build_object('entry_no', w.entry_no, 'bet', w.bet, 'seat', w.seat,
                                                 'hand', w.hand, 'status', w.status,
                                                 'grade', w.grade, 'payout', w.payout) ORDER BY w.entry_no),
                                                 '[]')
      INTO wagers
      FROM casino.wager w
     WHERE w.round_id = r.round_id AND w.player_id = round_view_impl.player_id;
    plays := '[]';
    IF r.status IN ('open', 'closed') THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('bet', m.bet, 'seat', m.seat, 'hand', m.hand,
                                                     'amount', m.amount, 'action', m.action)
                                  ORDER BY m.seat, m.hand, casino.kind(m.bet), m.action), '[]')
          INTO plays
          FROM casino.may_play(r.round_id, round_view_impl.player_id) m
         WHERE m.why_not IS NULL;
    END IF;
    RETURN jsonb_build_object('table', shown,
                              'round', CASE WHEN r.round_id IS NOT NULL THEN
                                  jsonb_build_object('round_id', r.round_id, 'round_ref', r.round_ref,
                                                     'status',
                                                     CASE WHEN r.status = 'open'
                                                               AND r.betting_until <= clock_timestamp()
                                                          THEN 'closed' ELSE r.status END,
                                                     'opened_at', r.opened_at,
                                                     'betting_until', r.betting_until,
                                                     'betting_closed_at', r.betting_closed_at,
                                                     'actions_closed_at', r.actions_closed_at,
                                                     'evaluated_at', r.evaluated_at,
                                                     'outcome', r.outcome) END,
                              'dealt', CASE WHEN r.round_id IS NOT NULL THEN casino.last_deal(r.round_id) END,
                              'wagers', wagers, 'may_play', plays, 'balance', balance);
END
$fn$;
COMMENT ON FUNCTION casino_internal.round_view_impl(bigint, bigint)
    IS 'Body of round_view(), run as the owner of the ledger';
