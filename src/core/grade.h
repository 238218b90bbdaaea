/*
 * grade.h
 *	  How a wager ended, as a word.  The paytable of a plan turns (kind, grade)
 *	  into odds; "lose" has no line in any paytable and pays nothing.
 */
#ifndef CASINO_GRADE_H
#define CASINO_GRADE_H

#include "core/bet.h"

typedef enum CasinoGrade
{
	CASINO_GRADE_NONE,			/* this kind has no place in this game */
	CASINO_LOSE,
	CASINO_PUSH,
	CASINO_WIN,
	CASINO_TIE_0, CASINO_TIE_1, CASINO_TIE_2, CASINO_TIE_3, CASINO_TIE_4,
	CASINO_TIE_5, CASINO_TIE_6, CASINO_TIE_7, CASINO_TIE_8, CASINO_TIE_9,
	/* blackjack, the play */
	CASINO_BLACKJACK, CASINO_EVEN_MONEY, CASINO_SURRENDER, CASINO_CHARLIE,
	CASINO_RETURNED,			/* a doubled stake against ten and ace; a wager never on offer */
	/* blackjack, side bets on three cards */
	CASINO_SUITED_TRIPS, CASINO_STRAIGHT_FLUSH, CASINO_TRIPS, CASINO_STRAIGHT_CARDS,
	CASINO_FLUSH,
	CASINO_SUITED_777, CASINO_SUITED_678, CASINO_777, CASINO_678,
	CASINO_SUITED_21, CASINO_TOTAL_21, CASINO_TOTAL_20, CASINO_TOTAL_19,
	/* blackjack, pairs */
	CASINO_SUITED_PAIR, CASINO_COLOURED_PAIR, CASINO_MIXED_PAIR,
	/* blackjack, the dealer over 21 with so many cards; 8 is 8 or more */
	CASINO_BUST_3, CASINO_BUST_4, CASINO_BUST_5, CASINO_BUST_6, CASINO_BUST_7, CASINO_BUST_8,
	CASINO_BUST_7_BLACKJACK, CASINO_BUST_8_BLACKJACK,	/* and the player has a blackjack */
	/* hold'em; straight_flush and flush are blackjack's as well */
	CASINO_ROYAL_FLUSH, CASINO_FOUR_OF_A_KIND, CASINO_FULL_HOUSE,
	CASINO_PAIR_OF_ACES,
	CASINO_WHEEL_SUITED, CASINO_WHEEL, CASINO_SIX, CASINO_SEVEN, CASINO_EIGHT, CASINO_NINE,
	CASINO_TEN, CASINO_JACK,

	CASINO_GRADE_END
} CasinoGrade;

/* "lose", "push", "win", "tie_4" ...; NULL for CASINO_GRADE_NONE and non-grades. */
extern const char *casino_grade_name(CasinoGrade grade);

#endif							/* CASINO_GRADE_H */
