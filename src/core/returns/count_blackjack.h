/*
 * count_blackjack.h
 *	  Side bets and insurance of blackjack over all deals from the decks of the
 *	  plan (R8.6, R8.13).
 */
#ifndef CASINO_COUNT_BLACKJACK_H
#define CASINO_COUNT_BLACKJACK_H

#include "core/games/blackjack_rules.h"
#include "core/returns/count.h"

/* no dealer holds more: A A A A A A 6 A A A A and one more */
#define CASINO_COUNT_DEALER_CARDS	12
#define CASINO_COUNT_DEALER_TOTAL	26

/*
 * The dealer's whole hand from a shoe: ordered deals of twelve cards, of which
 * he takes as many as he must, by his total and by how many cards he took.
 */
typedef struct CasinoDealerWays
{
	CasinoWide	ways[CASINO_COUNT_DEALER_TOTAL + 1][CASINO_COUNT_DEALER_CARDS + 1];
	CasinoWide	all;
} CasinoDealerWays;

/* From whole decks, or from such that a blackjack of the player was taken from. */
extern void casino_count_dealer(int decks, bool without_blackjack, CasinoDealerWays *dealer);

/*
 * Rows of a side bet or of insurance; false for another kind.  Insurance has
 * three selections where one's own blackjack may be insured: "" of all hands,
 * "own_blackjack" and "no_blackjack"; else the last one only.
 */
extern bool casino_count_blackjack(int kind, const CasinoBlackjackRules *rules,
								   CasinoCountSink sink, void *context);

#endif							/* CASINO_COUNT_BLACKJACK_H */
