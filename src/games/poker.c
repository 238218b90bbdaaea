/*
 * poker.c
 *	  SQL functions of poker hands.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "casino.h"
#include "core/games/poker_rank.h"

/* The hand of an argument, 5 to 7 cards of one deck; 22003 else. */
static void
get_poker_hand(FunctionCallInfo fcinfo, int n, CasinoHand *hand)
{
	CasinoError error;

	PG_GETARG_HAND(n, hand);
	if (!casino_poker_check(hand, &error))
		casino_ereport(&error, "this is no poker hand");
}

/* poker_rank(hand): 1 = royal flush ... 7462 = 7-5-4-3-2 */
PG_FUNCTION_INFO_V1(casino_sql_poker_rank);
Datum
casino_sql_poker_rank(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	get_poker_hand(fcinfo, 0, &hand);
	PG_RETURN_INT32(casino_poker_rank(hand.cards, hand.count));
}

/* poker_category(hand): royal_flush ... high_card */
PG_FUNCTION_INFO_V1(casino_sql_poker_category);
Datum
casino_sql_poker_category(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	int			rank;

	get_poker_hand(fcinfo, 0, &hand);
	rank = casino_poker_rank(hand.cards, hand.count);
	PG_RETURN_TEXT_P(cstring_to_text(casino_poker_category_name(casino_poker_category(rank))));
}

/* best_five(hand): the five cards that count */
PG_FUNCTION_INFO_V1(casino_sql_best_five);
Datum
casino_sql_best_five(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;
	CasinoHand	best;

	get_poker_hand(fcinfo, 0, &hand);
	casino_poker_best_five(&hand, &best);
	PG_RETURN_HAND(&best);
}
