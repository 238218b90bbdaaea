-- Questions about bets: what they would get, what they can win at most.

CREATE FUNCTION casino.quote(game text, bets casino.bet[], outcome jsonb,
                             at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.quote(text, casino.bet[], jsonb, timestamptz)
    IS 'What one player''s bets would get on an outcome, as a round with the same wagers in that order: '
       'grade, profit (payout less stake) and payout. KR001 for cards that could not have been dealt and '
       'played so';

CREATE FUNCTION casino_internal.quote_impl(game text, bets casino.bet[], outcome jsonb, at timestamptz)
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino_internal.plan_by_date(game, at);
    family text;
    rules jsonb;
    document jsonb;
    hands integer[];
    unknown casino.bet;
BEGIN
    SELECT g.family INTO family FROM casino.game g WHERE g.game = quote_impl.game;
    SELECT jsonb_object_agg(r.rule, r.value) INTO rules FROM casino.plan_rule r WHERE r.plan_id = plan;
    document := casino.canonical_outcome(family, coalesce(rules, '{}'), outcome);
    SELECT b.bet INTO unknown FROM unnest(bets) b (bet)
     WHERE NOT EXISTS (SELECT FROM casino.bet_rule k WHERE k.plan_id = plan AND k.kind = casino.kind(b.bet)
                          AND (k.zero_offered OR k.kind = 'straight' OR 0 <> ALL (casino.covers(b.bet))))
                        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% does not offer %', game, unknown
            USING ERRCODE = 'KB004', CONSTRAINT = 'position_not_offered',
                  DATATYPE = jsonb_build_object('game', game, 'bet', unknown)::text,
                  DETAIL = format('No such bet stands in %s.', casino_internal.plan_name(plan));
    END IF;
    hands := casino_internal.quote_hands(family, plan, document, bets);
    -- the bets are one player's wagers in the order of entry: those on one position share its profit
    RETURN QUERY
    SELECT w.bet, w.grade, w.payout - casino.cost(w.bet), w.payout
      FROM (SELECT g.bet, g.grade, g.ordinality,
                   casino.payout(g.bet, g.grade, coalesce(t.num, 0), coalesce(t.den, 0),
                                 coalesce(k.declared_win, 'Infinity'), g.before) AS payout
              FROM (SELECT b.bet, b.grade, b.ordinality,
                           casino_internal.position_staked(b.bet, NULL, b.hand) OVER (ORDER BY b.ordinality)
                               AS before
                      FROM unnest(bets,
                                  casino_internal.quote_grades(family, coalesce(rules, '{}'), document, bets,
                                                               hands),
                                  hands)
                           WITH ORDINALITY b (bet, grade, hand, ordinality)) g
              JOIN casino.bet_rule k ON k.plan_id = plan AND k.kind = casino.kind(g.bet)
              LEFT JOIN casino.paytable t
                   ON t.plan_id = plan AND t.kind = casino.kind(g.bet) AND t.grade = g.grade) w
     ORDER BY w.ordinality;
END
$fn$;
COMMENT ON FUNCTION casino_internal.quote_impl(text, casino.bet[], jsonb, timestamptz)
    IS 'Body of quote(), run as the owner of the ledger';

CREATE FUNCTION casino.max_win(game text, bet casino.bet, at timestamptz DEFAULT clock_timestamp())
RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.max_win(text, casino.bet, timestamptz)
    IS 'Largest possible profit in CZK of one wager alone on its position, never above the declared one';

CREATE FUNCTION casino_internal.max_win_impl(game text, bet casino.bet, at timestamptz) RETURNS numeric
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino_internal.plan_by_date(game, at);
    rule casino.bet_rule;
    win numeric;
BEGIN
    SELECT b.*
      INTO rule
      FROM casino.bet_rule b
     WHERE b.plan_id = plan AND b.kind = casino.kind(max_win_impl.bet);
    IF NOT FOUND OR NOT (rule.zero_offered OR rule.kind = 'straight' OR 0 <> ALL (casino.covers(bet))) THEN
        RAISE EXCEPTION '% does not offer %', game, bet
            USING ERRCODE = 'KB004', CONSTRAINT = 'position_not_offered',
                  DATATYPE = jsonb_build_object('game', game, 'bet', bet)::text,
                  DETAIL = format('No such bet stands in %s.', casino_internal.plan_name(plan));
    END IF;
    -- egalite pays by the points it names; a grade of other points is not this bet's
    SELECT max(casino.payout(max_win_impl.bet, t.grade, t.num, t.den,
                             coalesce(rule.declared_win, 'Infinity'))) - casino.cost(bet)
      INTO win
      FROM casino.paytable t
     WHERE t.plan_id = plan AND t.kind = casino.kind(max_win_impl.bet)
       AND (casino.kind(max_win_impl.bet) <> 'egalite'
            OR t.grade = 'tie_' || casino.selection(max_win_impl.bet));
    RETURN win;
END
$fn$;
COMMENT ON FUNCTION casino_internal.max_win_impl(text, casino.bet, timestamptz)
    IS 'Body of max_win(), run as the owner of the ledger';
