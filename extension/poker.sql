-- Poker hands, Casino Hold'em, pots of Texas Hold'em.

CREATE FUNCTION casino.poker_rank(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_poker_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_rank(casino.hand) IS 'Number of the best five of 5 to 7 cards: 1 = royal flush ... 7462 = 7-5-4-3-2';

CREATE FUNCTION casino.poker_category(hand casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_poker_category' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_category(casino.hand) IS 'royal_flush, straight_flush ... high_card of the best five of 5 to 7 cards (D4 Casino Hold''em §14)';

CREATE FUNCTION casino.best_five(hand casino.hand) RETURNS casino.hand
    AS 'MODULE_PATHNAME', 'casino_sql_best_five' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.best_five(casino.hand) IS 'The five of 5 to 7 cards that count';

CREATE FUNCTION casino.grade_casino_holdem(bet casino.bet, player casino.hand, board casino.hand, dealer casino.hand, called boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_casino_holdem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_casino_holdem(casino.bet, casino.hand, casino.hand, casino.hand, boolean) IS 'Grade of a Casino Hold''em wager of a player who called or folded (D4 Casino Hold''em §11 to §18)';

CREATE FUNCTION casino.split_pots(contributed numeric[], folded boolean[], hands casino.hand[], board casino.hand, button integer,
                                  OUT pot integer, OUT amount numeric, OUT contenders integer[], OUT winners integer[], OUT shares numeric[])
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_split_pots' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 3;
COMMENT ON FUNCTION casino.split_pots(numeric[], boolean[], casino.hand[], casino.hand, integer) IS 'Pots of a Texas Hold''em hand and each seat''s share: seat n is the nth element, hands may be NULL where nothing is shown; pot 1 is the main pot, pot 0 money that nobody called';

CREATE FUNCTION casino.pot_shares(contributed numeric[], folded boolean[], hands casino.hand[], board casino.hand, button integer,
                                  OUT seat integer, OUT won numeric, OUT returned numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_pot_shares' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.pot_shares(numeric[], boolean[], casino.hand[], casino.hand, integer) IS 'What each seat of a Texas Hold''em hand gets: winnings from all pots, and money that nobody called';
