/*
 * blackjack_grade.h
 *	  Grade of every wager of blackjack (R3.14 to R3.17, R3.47, R3.53), and how much of
 *	  the dealer's hand it depends on.
 */
#ifndef CASINO_BLACKJACK_GRADE_H
#define CASINO_BLACKJACK_GRADE_H

#include "core/games/blackjack_dealer.h"
#include "core/grade.h"

/* What is true of the player who made the wager. */
typedef enum CasinoWagerFlag
{
	CASINO_WAGER_DOUBLED = 1 << 0,	/* he has a double_down on this hand */
	CASINO_WAGER_SURRENDERED = 1 << 1,	/* the hand was given up for half */
	CASINO_WAGER_EVEN_MONEY = 1 << 2	/* he took 1:1 for his blackjack */
} CasinoWagerFlag;

/* All that a grade depends on. */
typedef struct CasinoBlackjackWager
{
	const CasinoBlackjackRules *rules;
	const CasinoHand *own;		/* hand that the wager lies on; hand 1 for insurance and side bets */
	const CasinoHand *first;	/* hand 1 of the box or player */
	const CasinoHand *second;	/* hand 2, NULL or empty when it was not split */
	const CasinoHand *dealer;
	unsigned	flags;			/* CasinoWagerFlag */
} CasinoBlackjackWager;

/*
 * How much of the dealer's hand the wager depends on.  What it depends on of
 * his hand is decided by the player's cards and the dealer's first one.
 */
extern CasinoDealerNeed casino_blackjack_needs_dealer(int kind, const CasinoBlackjackWager *wager);

/*
 * Grade of a wager on checked cards.  CASINO_GRADE_NONE for a kind that is not
 * blackjack's, and for cards that do not decide it yet.
 */
extern CasinoGrade casino_grade_blackjack(int kind, const CasinoBlackjackWager *wager);

#endif							/* CASINO_BLACKJACK_GRADE_H */
