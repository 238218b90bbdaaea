/*
 * poker_rank.h
 *	  Poker hands of five, six and seven cards (D4 Casino Hold'em 14; D2 Texas
 *	  Holdem, Showdown): the number 1 to 7462 of the best five.
 *
 * Two hands are worth the same exactly when their numbers are equal; the
 * smaller number is the better hand.  1 is the royal flush, 7462 is 7-5-4-3-2
 * of several suits.  The ace is high, and low in 5-4-3-2-A.
 */
#ifndef CASINO_POKER_RANK_H
#define CASINO_POKER_RANK_H

#include "core/hand.h"

#define CASINO_POKER_BEST		1
#define CASINO_POKER_WORST		7462

#define CASINO_POKER_CARDS_MIN	5
#define CASINO_POKER_CARDS_MAX	7

/* in the order of D4 Casino Hold'em 14, best first */
typedef enum CasinoPokerCategory
{
	CASINO_POKER_NONE,			/* of a number that is no rank */
	CASINO_POKER_ROYAL_FLUSH,
	CASINO_POKER_STRAIGHT_FLUSH,	/* the others */
	CASINO_POKER_FOUR_OF_A_KIND,
	CASINO_POKER_FULL_HOUSE,
	CASINO_POKER_FLUSH,
	CASINO_POKER_STRAIGHT,
	CASINO_POKER_THREE_OF_A_KIND,
	CASINO_POKER_TWO_PAIRS,
	CASINO_POKER_ONE_PAIR,
	CASINO_POKER_HIGH_CARD,

	CASINO_POKER_CATEGORY_END
} CasinoPokerCategory;

/*
 * Number of count cards, 5 to 7, all valid and no two the same: the caller's
 * duty, other cards give a number without meaning.  0 for another count.
 * poker_rank7 is the same for seven, without the question.
 */
extern int	casino_poker_rank(const CasinoCard *cards, int count);
extern int	casino_poker_rank7(const CasinoCard cards[CASINO_POKER_CARDS_MAX]);

/* Worst number of a pair of that rank (7462 being worse than any): "at least a pair of fours". */
extern int	casino_poker_worst_pair(int rank);

extern CasinoPokerCategory casino_poker_category(int number);

/* "royal_flush" ... "high_card"; NULL for CASINO_POKER_NONE and what is no category. */
extern const char *casino_poker_category_name(CasinoPokerCategory category);

/* Are these 5 to 7 cards of one deck?  CASINO_OUT_OF_RANGE names what is wrong. */
extern bool casino_poker_check(const CasinoHand *hand, CasinoError *error);

/*
 * The best five of a checked hand, as one reads them out: what is there more
 * often first, then the higher first, the ace of 5-4-3-2-A last.  Where several
 * fives are worth the same, the one dealt first.
 */
extern void casino_poker_best_five(const CasinoHand *hand, CasinoHand *best);

#endif							/* CASINO_POKER_RANK_H */
