-- The audit of a plan: what every bet returns, exactly, and what it can win at most against what the plan
-- declares (R8.1 to R8.9, R8.13). Counting is C (core/count*.c); what is asked of a plan's tables is asked
-- here.

CREATE FUNCTION casino_internal.count_bet(family text, rules jsonb, odds jsonb, kind text, OUT selection text,
                                          OUT grade text, OUT ways numeric,
                                          OUT of numeric, OUT num integer, OUT den integer)
                                              RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_count_bet'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000 ROWS 20;
COMMENT ON FUNCTION casino_internal.count_bet(text, jsonb, jsonb, text)
    IS 'Part of bet_return(): in how many ways out of how many a bet, or an announced bet, ends with each '
       'grade; num/den is the profit where several wagers are counted together. No rows where nothing is '
       'counted';

CREATE FUNCTION casino_internal.best_round(family text, rules jsonb, odds jsonb, stakes jsonb,
                                           OUT profit numeric,
                                           OUT cards text)
    AS 'MODULE_PATHNAME', 'casino_sql_best_round' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;
COMMENT ON FUNCTION casino_internal.best_round(text, jsonb, jsonb, jsonb)
    IS 'Part of plan_audit(): the most CZK one player''s bets can win together in a round, or on a box, at '
       'the stakes given by kind, and on which cards; lost stakes are not deducted';

-- The only division of an audit is its last step.
CREATE FUNCTION casino_internal.exact_quotient(dividend numeric, divisor numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN trim_scale(round(round(dividend * 1e20 / divisor) * 1e-20, 20));
COMMENT ON FUNCTION casino_internal.exact_quotient(numeric, numeric)
    IS 'Part of plan_audit(): quotient rounded to twenty decimals';

CREATE FUNCTION casino_internal.common_denominator(denominators integer[]) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    common numeric := 1;
    d integer;
BEGIN
    FOREACH d IN ARRAY denominators LOOP
        common := lcm(common, d::numeric);
    END LOOP;
    RETURN common;
END
$fn$;
COMMENT ON FUNCTION casino_internal.common_denominator(integer[])
    IS 'Part of plan_audit(): least common multiple';

-- Behind copies the owner's play (R8.5). A position that the plan does not offer is none of its bets.
CREATE FUNCTION casino_internal.plan_lines(plan_id bigint, kind text)
RETURNS TABLE (selection text, grade text, ways numeric, of numeric, num integer, den integer)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    family text;
    rules jsonb;
    odds jsonb;
    zero_offered boolean;
    neighbours int4range;
BEGIN
    SELECT g.family, o.odds,
           (SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}')
              FROM casino.plan_rule r
             WHERE r.plan_id = p.plan_id)
      INTO family, odds, rules
      FROM casino.game_plan p
      JOIN casino.game g ON g.game = p.game
      LEFT JOIN casino.plan_odds o ON o.plan_id = p.plan_id
     WHERE p.plan_id = plan_lines.plan_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT b.zero_offered OR b.kind = 'straight' INTO zero_offered FROM casino.bet_rule b
     WHERE b.plan_id = plan_lines.plan_id AND b.kind = plan_lines.kind;
    SELECT int4range(a.min_neighbours, a.max_neighbours, '[]') INTO neighbours FROM casino.announced_rule a
     WHERE a.plan_id = plan_lines.plan_id AND a.stem = plan_lines.kind AND a.stem = 'neighbours';
    RETURN QUERY
    SELECT c.selection, c.grade, c.ways, c.of, coalesce(c.num, t.num, CASE WHEN c.grade = 'lose' THEN -1 END),
           coalesce(c.den, t.den, 1)
      FROM casino_internal.count_bet(family, rules, coalesce(odds, '{}'),
                                     CASE plan_lines.kind WHEN 'behind' THEN 'main'
                                         ELSE plan_lines.kind END) c
      LEFT JOIN casino.paytable t
           ON t.plan_id = plan_lines.plan_id AND t.kind = plan_lines.kind AND t.grade = c.grade
     WHERE (zero_offered IS NOT FALSE OR '0' <> ALL (string_to_array(c.selection, '-')))
       AND (neighbours IS NULL OR split_part(c.selection, '/', 2)::integer <@ neighbours);
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_lines(bigint, text)
    IS 'Part of bet_return() and plan_audit(): the counts of a kind of bet, or of an announced bet, with '
       'the odds of the plan version';

CREATE FUNCTION casino.bet_return(game text, kind text, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (selection text, grade text, ways numeric, of numeric, probability numeric, profit numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.bet_return(text, text, timestamptz)
    IS 'How often a bet of the plan then in force ends how, counted exactly: ways out of all, and the '
       'profit to a stake of 1 CZK (-1 for lose). Of a play of several wagers, as main, an announced bet or '
       'an ante with its call, the grade is its result in main stakes, chips or antes';

CREATE FUNCTION casino_internal.bet_return_impl(game text, kind text, at timestamptz)
RETURNS TABLE (selection text, grade text, ways numeric, of numeric, probability numeric, profit numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino_internal.plan_by_date(game, at);
BEGIN
    IF NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = bet_return_impl.kind)
       AND NOT EXISTS (SELECT FROM casino.announced_rule a
                        WHERE a.plan_id = plan AND a.stem = bet_return_impl.kind) THEN
        RAISE EXCEPTION '% does not offer %', game, kind
            USING ERRCODE = 'KB004', CONSTRAINT = 'not_offered',
                  DATATYPE = jsonb_build_object('game', game, 'kind', kind)::text,
                  DETAIL = format('No such bet stands in %s.', casino_internal.plan_name(plan));
    END IF;
    RETURN QUERY
    SELECT l.selection, l.grade, l.ways, l.of, casino_internal.exact_quotient(l.ways, l.of),
           casino_internal.exact_quotient(l.num, l.den)
      FROM casino_internal.plan_lines(plan, bet_return_impl.kind) l;
END
$fn$;
COMMENT ON FUNCTION casino_internal.bet_return_impl(text, text, timestamptz)
    IS 'Body of bet_return(), run as the owner of the ledger';

-- Sums over the lines of each selection: exact integers, divided once. Without odds of a grade that occurs
-- there is no return.
CREATE FUNCTION casino_internal.plan_returns(plan_id bigint, kind text)
RETURNS TABLE (selection text, rtp numeric, hit_rate numeric, variance numeric, best_num integer,
               best_den integer)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH line AS MATERIALIZED (
        SELECT l.selection, l.ways, l.of, l.num, l.den, l.place
          FROM casino_internal.plan_lines(plan_returns.plan_id, plan_returns.kind)
               WITH ORDINALITY AS l (selection, grade, ways, of, num, den, place)
    ), common AS MATERIALIZED (
        SELECT casino_internal.common_denominator(array_agg(DISTINCT l.den)) AS den FROM line l
    ), sums AS (
        SELECT l.selection, c.den AS common, max(l.of) AS of, min(l.place) AS place,
               bool_and(l.num IS NOT NULL) AS whole,
               sum(l.ways * l.num * (c.den / l.den)) AS sum,
               sum(l.ways * l.num * l.num * (c.den / l.den) * (c.den / l.den)) AS squares,
               coalesce(sum(l.ways) FILTER (WHERE l.num > 0), 0) AS hits,
               (array_agg(l.num ORDER BY l.num::numeric / l.den DESC NULLS LAST))[1] AS best_num,
               (array_agg(l.den ORDER BY l.num::numeric / l.den DESC NULLS LAST))[1] AS best_den
          FROM line l CROSS JOIN common c
         GROUP BY l.selection, c.den
    )
    SELECT s.selection, CASE WHEN s.whole THEN 1 + casino_internal.exact_quotient(s.sum, s.of * s.common) END,
           casino_internal.exact_quotient(s.hits, s.of),
           CASE WHEN s.whole
                    THEN casino_internal.exact_quotient(s.squares * s.of - s.sum * s.sum,
                                                        s.of * s.of * s.common * s.common) END,
           s.best_num, s.best_den
      FROM sums s
     ORDER BY s.place;
END;
COMMENT ON FUNCTION casino_internal.plan_returns(bigint, text)
    IS 'Part of plan_audit() and return_watch: return, hit rate and variance of each selection of a kind, '
       'and its best line';

-- What is said of a bet's greatest win: first what the plan declares of it, then what is odd (R8.8).
CREATE FUNCTION casino_internal.audit_verdict(rtp numeric, how text, max_stake numeric, max_profit numeric,
                                              position_profit numeric, kind_profit numeric,
                                              declared_win numeric, named text, paragraph text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN rtp IS NULL THEN 'not counted; '
                ELSE
                    coalesce(how || '; ', '')
                        || CASE WHEN rtp >= 1 AND how IS DISTINCT FROM 'without the call that goes with it'
                                THEN 'returns not less than is staked; ' ELSE '' END
           END
           || CASE
               WHEN max_stake IS NULL AND declared_win IS NULL THEN
                   'the plan sets no maximum stake and declares no win'
               WHEN max_stake IS NULL THEN
                   format('the plan declares %s CZK and sets no maximum stake', declared_win)
               WHEN declared_win IS NULL
                   THEN
                       format('no win is declared: wins up to %s CZK', max_profit)
                           || coalesce('; the plan names ' || named, '')
               WHEN position_profit < max_profit
                   THEN
                       format('declared %s CZK are of the main bet alone%s; doubled and split hands win up '
                              'to %s CZK',
                              declared_win,
                              CASE WHEN position_profit <> declared_win
                                       THEN format(', which wins up to %s CZK', position_profit)
                                   ELSE '' END,
                              max_profit)
               WHEN kind_profit > declared_win
                   THEN
                       format('wins up to %s CZK, more than the declared %s CZK, to which it is cut',
                              kind_profit, declared_win)
               WHEN kind_profit < declared_win
                   THEN format('wins up to %s CZK, less than the declared %s CZK', kind_profit, declared_win)
               WHEN max_profit < kind_profit
                   THEN
                       format('declared %s CZK are of another selection; this one wins up to %s CZK',
                              declared_win, max_profit)
               ELSE 'wins as much as is declared'
              END
           || format(' (%s)', paragraph);
END;
COMMENT ON FUNCTION casino_internal.audit_verdict(numeric, text, numeric, numeric, numeric, numeric, numeric,
                                                  text,
                                                  text)
    IS 'Part of plan_audit(): what is declared against what can be won, in words with the paragraph';

-- Rows of one kind. Limits and declared wins are the kind's; an announced bet has those of the bets it is
-- made of.
CREATE FUNCTION casino_internal.audit_kinds(plan_id bigint)
RETURNS TABLE (kind text, selection text, rtp numeric, hit_rate numeric, variance numeric, max_stake numeric,
               max_profit numeric,
               declared_win numeric, verdict text)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH named AS MATERIALIZED (
        SELECT string_agg(format('%s CZK of %s', b.declared_win, b.kind), ', '
                          ORDER BY b.declared_win DESC, b.kind) || ' only' AS wins
          FROM casino.bet_rule b
         WHERE b.plan_id = audit_kinds.plan_id
           AND b.declared_win IS NOT NULL
           AND b.kind NOT IN ('main', 'behind')
    ), offered AS MATERIALIZED (
        SELECT b.kind, b.max_stake, b.declared_win, b.paragraph, false AS announced, k.place, b.requires,
               b.phase,
               (SELECT max(round(b.max_stake * t.num / t.den, 2)) FROM casino.paytable t
                 WHERE t.plan_id = b.plan_id AND t.kind = b.kind) AS position_profit
          FROM casino.bet_rule b
          JOIN casino.bet_kinds() WITH ORDINALITY AS k (kind, shape, free, place) ON k.kind = b.kind
         WHERE b.plan_id = audit_kinds.plan_id
        UNION ALL
        SELECT a.stem, NULL, NULL, a.paragraph, true, 1000, NULL, 'betting', NULL
          FROM casino.announced_rule a WHERE a.plan_id = audit_kinds.plan_id
    ), figure AS MATERIALIZED (
        -- every chip of an announced bet within the maximum of its position
        SELECT o.*, r.*, CASE WHEN o.announced
                              THEN (SELECT CASE WHEN bool_and(m.max_stake IS NOT NULL)
                                                THEN
                                                    sum(casino.stake(e.bet))
                                                        * min(trunc(m.max_stake / casino.stake(e.bet), 2)) END
                                      FROM casino.expand_announced(concat_ws(':', o.kind, r.selection),
                                                                   1) AS e (bet)
                                      LEFT JOIN casino.bet_rule m
                                           ON m.plan_id = audit_kinds.plan_id AND m.kind = casino.kind(e.bet))
                              ELSE o.max_stake END AS stake_most
          FROM offered o
          LEFT JOIN LATERAL casino_internal.plan_returns(audit_kinds.plan_id, o.kind) WITH ORDINALITY
               AS r (selection, rtp, hit_rate, variance, best_num, best_den, line) ON true
    ), judged AS (
        SELECT f.*, round(f.stake_most * f.best_num / f.best_den, 2) AS profit_most,
               max(round(f.stake_most * f.best_num / f.best_den, 2)) OVER (PARTITION BY f.kind) AS kind_most
          FROM figure f
    )
    SELECT j.kind, j.selection, j.rtp, j.hit_rate, j.variance, j.stake_most, j.profit_most, j.declared_win,
           CASE WHEN j.announced
                    THEN format('paid, limited and declared as the bets it is made of (%s)', j.paragraph)
                WHEN j.kind = 'pot' THEN
                    format('the players are paid from each other''s stakes (%s)', j.paragraph)
                WHEN j.rtp IS NULL AND j.phase = 'play' AND j.kind <> 'insurance'
                    THEN format('part of the play of main, and counted there (%s)', j.paragraph)
                ELSE
                    casino_internal.audit_verdict(j.rtp,
                                                  CASE WHEN j.kind IN ('main', 'behind')
                                                           THEN 'best play against an endless shoe'
                                                       WHEN j.kind = 'ante' AND j.selection IS NULL THEN
                                                           'without the call that goes with it' END,
                                                  j.stake_most, j.profit_most,
                                                  CASE WHEN j.kind IN ('main', 'behind')
                                                      THEN j.position_profit
                                                       ELSE j.profit_most END,
                                                  CASE WHEN j.kind IN ('main', 'behind')
                                                      THEN j.position_profit
                                                       ELSE j.kind_most END,
                                                  j.declared_win, (SELECT n.wins FROM named n), j.paragraph)
           END
      FROM judged j
     ORDER BY j.place, j.kind, j.line
$fn$;
COMMENT ON FUNCTION casino_internal.audit_kinds(bigint)
    IS 'Part of plan_audit(): a row for each selection of each kind of bet and announced bet of a plan '
       'version';

-- All bets together: a box of blackjack with everything on it, and a round.
CREATE FUNCTION casino_internal.audit_round(plan_id bigint)
RETURNS TABLE (kind text, selection text, max_stake numeric, max_profit numeric, declared_win numeric,
               verdict text)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan casino.game_plan;
    family text;
    rules jsonb;
    stakes jsonb;
    staked numeric;
    unlimited boolean;
    main_win numeric;
    best record;
    boxes integer;
    declared text;
BEGIN
    SELECT p.* INTO plan FROM casino.game_plan p WHERE p.plan_id = audit_round.plan_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT g.family INTO family FROM casino.game g WHERE g.game = plan.game;
    SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}')
      INTO rules
      FROM casino.plan_rule r
     WHERE r.plan_id = plan.plan_id;
    -- doubled, split and insured stakes follow from the main bet
    SELECT jsonb_object_agg(b.kind, coalesce(b.max_stake, 0.01)),
           sum(b.max_stake) FILTER (WHERE b.kind <> 'behind'),
           bool_or(b.max_stake IS NULL AND b.phase <> 'play'),
           max(b.declared_win) FILTER (WHERE b.kind = 'main')
      INTO stakes, staked, unlimited, main_win
      FROM casino.bet_rule b WHERE b.plan_id = plan.plan_id;
    IF unlimited OR stakes IS NULL THEN
        RETURN QUERY SELECT 'round', NULL::text, plan.round_max_stake, NULL::numeric, plan.declared_round_win,
                            format('the plan sets no maximum stake (%s)', plan.document);
        RETURN;
    END IF;
    declared := CASE WHEN plan.declared_round_win IS NULL THEN 'no win of a round is declared' END;
    IF family = 'roulette' THEN
        -- everything that covers a number, each position at its maximum
        SELECT n.number, sum(b.max_stake * t.num / t.den) AS profit, sum(b.max_stake) AS stake INTO best
          FROM casino.bet_rule b
          JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind AND t.grade = 'win'
         CROSS JOIN LATERAL casino_internal.plan_lines(b.plan_id, b.kind) l
         CROSS JOIN LATERAL unnest(casino.covers(casino.bet(b.kind, l.selection, 1))) AS n (number)
         WHERE b.plan_id = plan.plan_id AND l.grade = 'win'
         GROUP BY n.number ORDER BY profit DESC, n.number LIMIT 1;
        RETURN QUERY SELECT 'round', best.number::text, best.stake, round(best.profit, 2),
                            plan.declared_round_win,
                            format('%s; all positions that cover %s win up to %s CZK together (%s)', declared,
                                   best.number,
                                   round(best.profit, 2), plan.document);
        RETURN;
    END IF;
    SELECT b.profit, b.cards INTO best
      FROM casino_internal.best_round(family, rules,
                                      (SELECT o.odds FROM casino.plan_odds o WHERE o.plan_id = plan.plan_id),
                                      stakes) b;
    IF best.profit IS NULL THEN
        RETURN;
    END IF;
    IF family <> 'blackjack' THEN
        RETURN QUERY SELECT 'round', NULL::text, plan.round_max_stake, best.profit, plan.declared_round_win,
            CASE WHEN declared IS NOT NULL THEN format('%s: wins up to %s CZK', declared, best.profit)
                 WHEN best.profit > plan.declared_round_win
                     THEN
                         format('wins up to %s CZK, more than the declared %s CZK', best.profit,
                                plan.declared_round_win)
                 WHEN best.profit < plan.declared_round_win
                     THEN
                         format('wins up to %s CZK, less than the declared %s CZK', best.profit,
                                plan.declared_round_win)
                 ELSE 'wins as much as is declared' END
            || format(', with %s (%s)', best.cards, plan.document);
        RETURN;
    END IF;
    boxes := coalesce((rules ->> 'max_seats')::integer, 0);
    RETURN QUERY SELECT 'box', NULL::text, staked, best.profit, main_win,
        format('a box with everything on it wins up to %s CZK, with %s; %s (%s)', best.profit, best.cards,
               coalesce(format('the declared %s CZK are of one main bet', main_win), 'no win is declared'),
               plan.document);
    IF boxes > 0 THEN
        RETURN QUERY SELECT 'round', NULL::text, boxes * staked, boxes * best.profit, plan.declared_round_win,
            coalesce(declared, format('declared %s CZK', plan.declared_round_win))
            || CASE WHEN boxes = 1
                        THEN format('; a round has one box and wins up to %s CZK (%s)', best.profit,
                                    plan.document)
                    ELSE
                        format('; %s boxes win less than %s CZK, as not all of them can have the best cards '
                               'at once (%s)',
                               boxes,
                               boxes * best.profit, plan.document) END;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino_internal.audit_round(bigint) IS 'Part of plan_audit(): the rows box and round';

CREATE FUNCTION casino.plan_audit(game text, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (kind text, selection text, rtp numeric, house_edge numeric, hit_rate numeric, variance numeric,
               max_stake numeric,
               max_profit numeric, declared_win numeric, verdict text)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.plan_audit(text, timestamptz)
    IS 'Every bet of the plan then in force: what it returns, how often it wins, its variance at a stake of '
       '1, the most it can win at the plan''s greatest stake, what the plan declares, and what is to be '
       'said of that. The rows box and round are of all bets together';

CREATE FUNCTION casino_internal.plan_audit_impl(game text, at timestamptz)
RETURNS TABLE (kind text, selection text, rtp numeric, house_edge numeric, hit_rate numeric, variance numeric,
               max_stake numeric,
               max_profit numeric, declared_win numeric, verdict text)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino_internal.plan_by_date(game, at);
BEGIN
    RETURN QUERY
    SELECT k.kind, k.selection, k.rtp, 1 - k.rtp, k.hit_rate, k.variance, k.max_stake, k.max_profit,
           k.declared_win, k.verdict
      FROM casino_internal.audit_kinds(plan) k;
    RETURN QUERY
    SELECT r.kind, r.selection, NULL::numeric, NULL::numeric, NULL::numeric, NULL::numeric, r.max_stake,
           r.max_profit, r.declared_win, r.verdict
      FROM casino_internal.audit_round(plan) r;
END
$fn$;
COMMENT ON FUNCTION casino_internal.plan_audit_impl(text, timestamptz)
    IS 'Body of plan_audit(), run as the owner of the ledger';
