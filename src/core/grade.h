/*
 * grade.h
 *	  How a wager ended, as a word.  The paytable of a plan turns (kind, grade)
 *	  into odds; "lose" has no line in any paytable and pays nothing.
 */
#ifndef CASINO_GRADE_H
#define CASINO_GRADE_H

#include "bet.h"

typedef enum CasinoGrade
{
	CASINO_GRADE_NONE,			/* this kind has no place in this game */
	CASINO_LOSE,
	CASINO_PUSH,
	CASINO_WIN,
	CASINO_TIE_0, CASINO_TIE_1, CASINO_TIE_2, CASINO_TIE_3, CASINO_TIE_4,
	CASINO_TIE_5, CASINO_TIE_6, CASINO_TIE_7, CASINO_TIE_8, CASINO_TIE_9,

	CASINO_GRADE_END
} CasinoGrade;

/* "lose", "push", "win", "tie_4" ...; NULL for CASINO_GRADE_NONE and non-grades. */
extern const char *casino_grade_name(CasinoGrade grade);

#endif							/* CASINO_GRADE_H */
