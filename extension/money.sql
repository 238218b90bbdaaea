-- Grading and money: immutable functions that read no table.

CREATE FUNCTION casino.grade_roulette(bet casino.bet, number integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_roulette' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_roulette(casino.bet, integer) IS 'win or lose of a roulette bet on a number of the wheel';

CREATE FUNCTION casino.grade_baccarat(bet casino.bet, player casino.hand, banker casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_baccarat' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_baccarat(casino.bet, casino.hand, casino.hand) IS 'win, push, lose or tie_n of a baccarat bet on the cards of both sides (D4 Baccarat §21 to §23)';

CREATE FUNCTION casino.baccarat_points(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_baccarat_points' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.baccarat_points(casino.hand) IS 'Points of a baccarat hand, 0 to 9 (D4 Baccarat §5)';

-- The profit of a position is rounded and capped once and shared by its wagers in the order of entry (RULEBOOK §2): so what a
-- wager gets depends on the haléře that lay on its position before it, which position_staked() finds.
CREATE FUNCTION casino.position_staked(bet casino.bet, seat integer, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_position_staked' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.position_staked(casino.bet, integer, integer) IS 'Window function over the wagers of one player in a round, in the order of entry: haléře that lie on the wager''s position before it (same kind, selection, seat and hand; no hand is hand 1)';

CREATE FUNCTION casino.payout(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_payout' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.payout(casino.bet, text, integer, integer, numeric, bigint) IS 'CZK a wager of that grade gets back at odds num:den, with its share of the profit of its position, on which lay "before" haléře: the profit is rounded half up and cut to the declared win once for the position; 0 for lose; an error for den 0';

CREATE FUNCTION casino.payout(bet casino.bet, grade text, odds jsonb, before bigint DEFAULT 0) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_payout' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.payout(casino.bet, text, jsonb, bigint) IS 'The same by the odds of a whole plan as casino.plan_odds has them';

CREATE FUNCTION casino.is_capped(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_capped' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_capped(casino.bet, text, integer, integer, numeric, bigint) IS 'Did the declared win cut the profit of the position, as far as this wager';

CREATE FUNCTION casino.is_capped(bet casino.bet, grade text, odds jsonb, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_capped' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_capped(casino.bet, text, jsonb, bigint) IS 'The same by the odds of a whole plan as casino.plan_odds has them';

CREATE FUNCTION casino.reaches_cap(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_reaches_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.reaches_cap(casino.bet, text, integer, integer, numeric, bigint) IS 'Is this the first wager of its position that the declared win cut';

CREATE FUNCTION casino.reaches_cap(bet casino.bet, grade text, odds jsonb, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_reaches_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.reaches_cap(casino.bet, text, jsonb, bigint) IS 'The same by the odds of a whole plan as casino.plan_odds has them';

CREATE FUNCTION casino.many() RETURNS SETOF boolean
    AS 'MODULE_PATHNAME', 'casino_sql_many' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.many() IS 'Part of casino.standing_stake: one row, which the planner takes for ten';

CREATE FUNCTION casino.cost(bet casino.bet) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_cost' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.cost(casino.bet) IS 'CZK a wager takes from the wallet: its stake, 0 when it is free';

CREATE FUNCTION casino.money(amount numeric) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_money' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.money(numeric) IS 'The amount with two decimals; 22003 unless finite, not negative and in whole haléře';

CREATE FUNCTION casino.payment_due_at(since timestamptz, days integer) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (date_trunc('day', since AT TIME ZONE 'Europe/Prague') + make_interval(days => days + 1)) AT TIME ZONE 'Europe/Prague';
COMMENT ON FUNCTION casino.payment_due_at(timestamptz, integer) IS 'First instant after that many calendar days in Europe/Prague, the day of the event not counted (D4 §11)';

CREATE FUNCTION casino.announced_stem(name text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_announced_stem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.announced_stem(text) IS 'Name of an announced bet up to its colon; NULL for none';

CREATE FUNCTION casino.expand_announced(name text, chip numeric) RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_expand_announced' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 6;
COMMENT ON FUNCTION casino.expand_announced(text, numeric) IS 'Bets on the layout that an announced bet is made of, whatever a game offers';

CREATE FUNCTION casino.family_is_built(family text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_family_is_built' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.family_is_built(text) IS 'Can rounds of this family of games be opened and settled';

CREATE FUNCTION casino.canonical_outcome(family text, rules jsonb, outcome jsonb) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_canonical_outcome' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.canonical_outcome(text, jsonb, jsonb) IS 'The outcome document in one form; KR001 when it could not have been dealt so under the rules';
