-- Players who play for each other: money that goes from one to the other at poker, players who sit together,
-- accounts that several persons have (D0, D3 §1; R7.94 to R7.96).

-- R7.94: a loss goes to the winners of the hand by their shares. Shares are cut from the running sum, so that
-- no haléř is lost.
CREATE FUNCTION casino.pot_flow(from_day date, to_day date)
RETURNS TABLE (loser bigint, winner bigint, loser_ref text, winner_ref text, rounds bigint, amount numeric,
               back numeric, first_at timestamptz, last_at timestamptz)
LANGUAGE sql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(pot_flow.from_day, pot_flow.to_day);
    WITH result AS MATERIALIZED (
        SELECT w.round_id, w.player_id, r.evaluated_at, sum(coalesce(w.payout, 0) - w.staked) AS amount
          FROM casino.round r
          JOIN casino.game_plan n ON n.plan_id = r.plan_id
          JOIN casino.game g ON g.game = n.game
         CROSS JOIN LATERAL (SELECT x.* FROM casino.wager x WHERE x.round_id = r.round_id OFFSET 0) w
         WHERE r.evaluated_at >= casino.day_start(pot_flow.from_day)
           AND r.evaluated_at < casino.day_start(pot_flow.to_day + 1)
           AND r.status IN ('settled', 'withheld')
           AND g.family IN (SELECT f.family FROM casino.families() f WHERE f.between_players)
           AND w.status <> 'refunded'
         GROUP BY w.round_id, w.player_id, r.evaluated_at
    ), won AS (
        SELECT x.*, sum(x.amount) OVER (PARTITION BY x.round_id ORDER BY x.player_id) AS upto,
               sum(x.amount) OVER (PARTITION BY x.round_id) AS whole
          FROM result x
         WHERE x.amount > 0
    ), flow AS MATERIALIZED (
        SELECT l.player_id AS loser, w.player_id AS winner, count(*) AS rounds,
               sum(round(-l.amount * w.upto / w.whole, 2)
                   - round(-l.amount * (w.upto - w.amount) / w.whole, 2)) AS amount,
               min(l.evaluated_at) AS first_at, max(l.evaluated_at) AS last_at
          FROM result l
          JOIN won w ON w.round_id = l.round_id
         WHERE l.amount < 0
         GROUP BY l.player_id, w.player_id
    )
    SELECT f.loser, f.winner, p.external_ref, q.external_ref, f.rounds, f.amount, coalesce(b.amount, 0.00),
           f.first_at, f.last_at
      FROM flow f
      JOIN casino.player p ON p.player_id = f.loser
      JOIN casino.player q ON q.player_id = f.winner
      LEFT JOIN flow b ON b.loser = f.winner AND b.winner = f.loser
     ORDER BY f.amount DESC, f.loser, f.winner
$fn$;
COMMENT ON FUNCTION casino.pot_flow(date, date)
    IS 'Texas Hold''em by Prague day of the evaluation: how much went from one player to another, in how '
       'many rounds, and how much came back. A loss goes to the winners of its round by their shares';

-- R7.95: together is in one round at seats; at a wheel everybody plays with everybody.
CREATE FUNCTION casino.played_together(from_day date, to_day date, "least" bigint DEFAULT 2)
RETURNS TABLE (player_a bigint, player_b bigint, ref_a text, ref_b text, rounds bigint, same_seat bigint,
               rounds_a bigint, rounds_b bigint, result_a numeric, result_b numeric)
LANGUAGE sql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.require_days(played_together.from_day, played_together.to_day);
    SELECT casino_internal.require_given(played_together."least" IS NOT NULL, 'least');
    WITH seated AS MATERIALIZED (
        SELECT w.round_id, w.player_id, array_agg(DISTINCT w.seat) AS seats,
               sum(coalesce(w.payout, 0) - w.staked) AS result
          FROM casino.round r
         CROSS JOIN LATERAL (SELECT x.* FROM casino.wager x WHERE x.round_id = r.round_id OFFSET 0) w
         WHERE r.evaluated_at >= casino.day_start(played_together.from_day)
           AND r.evaluated_at < casino.day_start(played_together.to_day + 1)
           AND r.status IN ('settled', 'withheld')
           AND w.seat IS NOT NULL
           AND w.status <> 'refunded'
         GROUP BY w.round_id, w.player_id
    ), total AS (
        SELECT s.player_id, count(*) AS rounds
          FROM seated s
         GROUP BY s.player_id
        HAVING count(*) >= played_together."least"
    )
    SELECT a.player_id, b.player_id, p.external_ref, q.external_ref, count(*),
           count(*) FILTER (WHERE a.seats && b.seats), x.rounds, y.rounds, sum(a.result), sum(b.result)
      FROM seated a
      JOIN total x ON x.player_id = a.player_id
      JOIN seated b ON b.round_id = a.round_id AND b.player_id > a.player_id
      JOIN total y ON y.player_id = b.player_id
      JOIN casino.player p ON p.player_id = a.player_id
      JOIN casino.player q ON q.player_id = b.player_id
     GROUP BY a.player_id, b.player_id, p.external_ref, q.external_ref, x.rounds, y.rounds
    HAVING count(*) >= greatest(played_together."least", 1)
     ORDER BY count(*) DESC, a.player_id, b.player_id
$fn$;
COMMENT ON FUNCTION casino.played_together(date, date, bigint)
    IS 'Pairs of players who sat in the same rounds at tables with seats at least so often, by Prague day of '
       'the evaluation: rounds together and at one seat, rounds of each, and the results of each in the '
       'rounds together';

-- R7.96
CREATE FUNCTION casino.shared_accounts()
RETURNS TABLE (account text, persons text[], players bigint[], first_at timestamptz, last_at timestamptz,
               paid numeric)
LANGUAGE sql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
    WITH account AS (
        -- R7.114: an erased text belongs to nobody any more
        SELECT a.player_id, a.registered_at, c.clear, a.account AS token
          FROM casino.payment_account a
          JOIN casino.text_of_token c ON c.player_id = a.player_id AND c.token = a.account)
    SELECT a.clear, array_agg(DISTINCT p.external_ref ORDER BY p.external_ref),
           array_agg(DISTINCT a.player_id ORDER BY a.player_id), min(a.registered_at), max(a.registered_at),
           (SELECT coalesce(sum(l.amount), 0.00)
              FROM casino.ledger l
             WHERE l.player_id = ANY (array_agg(a.player_id))
               AND l.kind = 'transfer_paid'
               AND l.account = ANY (array_agg(a.token)))
      FROM account a
      JOIN casino.player p ON p.player_id = a.player_id
     GROUP BY a.clear
    HAVING count(DISTINCT p.external_ref) > 1
     ORDER BY count(DISTINCT p.external_ref) DESC, a.clear
$fn$;
COMMENT ON FUNCTION casino.shared_accounts()
    IS 'Payment accounts that more than one person registered, with the CZK that were paid to each';
