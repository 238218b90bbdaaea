/*
 * roulette.c
 *	  Grading of a roulette wager (D4 Roulette (Synot) §21, R4.9).
 */
#include "core/layout.h"
#include "core/games/roulette.h"

/*
 * casino_grade_roulette
 *		CASINO_WIN when the bet covers the number, else CASINO_LOSE (D2
 *		Americká ruleta; D4 Roulette (Synot) 24 to 26).
 *
 * CASINO_GRADE_NONE for a kind that is not roulette's, and for a number that
 * is not on the wheel: such a spin is no outcome and decides nothing.
 */
CasinoGrade
casino_grade_roulette(const CasinoBet *bet, int number)
{
	if (bet->kind < CASINO_STRAIGHT || bet->kind > CASINO_HIGH)
		return CASINO_GRADE_NONE;
	if (number < 0 || number >= CASINO_ROULETTE_NUMBERS)
		return CASINO_GRADE_NONE;
	return casino_bet_covers(bet, number) ? CASINO_WIN : CASINO_LOSE;
}
