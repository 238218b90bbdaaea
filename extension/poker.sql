-- Poker hands, of Casino Hold'em and Texas Hold'em.

CREATE FUNCTION casino.poker_rank(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_poker_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_rank(casino.hand)
    IS 'Number of the best five of 5 to 7 cards: 1 = royal flush ... 7462 = 7-5-4-3-2';

CREATE FUNCTION casino.poker_category(hand casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_poker_category' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_category(casino.hand)
    IS 'royal_flush, straight_flush ... high_card of the best five of 5 to 7 cards (D4 Casino Hold''em §14)';

CREATE FUNCTION casino.best_five(hand casino.hand) RETURNS casino.hand
    AS 'MODULE_PATHNAME', 'casino_sql_best_five' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.best_five(casino.hand) IS 'The five of 5 to 7 cards that count';
