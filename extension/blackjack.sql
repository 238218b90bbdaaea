-- Blackjack: totals and grading.

CREATE FUNCTION casino.blackjack_total(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_total(casino.hand) IS 'Blackjack total of a hand, the best not over 21 if there is one';

CREATE FUNCTION casino.is_soft(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_soft' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_soft(casino.hand) IS 'Does an ace of the hand count 11 in its blackjack total';

CREATE FUNCTION casino.is_blackjack(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_blackjack(casino.hand) IS 'Ace and ten-value and nothing else; after a split it is a 21 all the same';

CREATE FUNCTION casino.blackjack_rules(rules jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_rules' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_rules(jsonb) IS 'The rules of a blackjack plan as one number for grade_blackjack()';

CREATE FUNCTION casino.blackjack_mark(bet casino.bet, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_mark' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_mark(casino.bet, integer) IS 'Bit of a wager among the marks of its player on its box';

CREATE FUNCTION casino.grade_blackjack(bet casino.bet, hand integer, marks bigint, rules bigint, hands casino.hand[],
                                       dealer casino.hand, surrendered boolean, even_money boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_blackjack(casino.bet, integer, bigint, bigint, casino.hand[], casino.hand, boolean, boolean) IS 'Grade of a blackjack wager on a hand, from the marks of its player''s wagers, the rules and all cards it depends on';
