-- Money: what a grade is worth on a position, rounding and the declared win. Immutable functions that read no
-- table.

-- The profit of a position is rounded and capped once and shared by its wagers in the order of entry (R2.1,
-- R2.2): so what a wager gets depends on the haléře that lay on its position before it, which
-- position_staked() finds.
CREATE FUNCTION casino_internal.position_staked(bet casino.bet, seat integer, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_position_staked' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.position_staked(casino.bet, integer, integer)
    IS 'Window function over the wagers of one player in a round, in the order of entry: haléře that lie on '
       'the wager''s position before it (same kind, selection, seat and hand; no hand is hand 1)';

CREATE FUNCTION casino.payout(bet casino.bet, grade text, num integer, den integer, declared_win numeric,
                              before bigint DEFAULT 0)
RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_payout' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.payout(casino.bet, text, integer, integer, numeric, bigint)
    IS 'CZK a wager of that grade gets back at odds num:den, with its share of the profit of its position, '
       'on which lay "before" haléře: the profit is rounded half up and cut to the declared win once for '
       'the position; 0 for lose; an error for den 0';

CREATE FUNCTION casino_internal.is_capped(bet casino.bet, grade text, num integer, den integer,
                                          declared_win numeric,
                                          before bigint DEFAULT 0)
RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_capped' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.is_capped(casino.bet, text, integer, integer, numeric, bigint)
    IS 'Did the declared win cut the profit of the position, as far as this wager';

CREATE FUNCTION casino_internal.reaches_cap(bet casino.bet, grade text, num integer, den integer,
                                            declared_win numeric,
                                            before bigint DEFAULT 0)
RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_reaches_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino_internal.reaches_cap(casino.bet, text, integer, integer, numeric, bigint)
    IS 'Is this the first wager of its position that the declared win cut';

CREATE FUNCTION casino.cost(bet casino.bet) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_cost' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.cost(casino.bet)
    IS 'CZK a wager takes from the wallet: its stake, 0 when it is free';

CREATE FUNCTION casino.checked_amount(amount numeric) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_money' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.checked_amount(numeric)
    IS 'The amount with two decimals; 22003 unless finite, not negative and in whole haléře';
