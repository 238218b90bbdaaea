/*
 * roulette.h
 *	  Grading of a roulette wager (D4 Roulette (Synot) §21, R4.9).
 */
#ifndef CASINO_ROULETTE_H
#define CASINO_ROULETTE_H

#include "core/grade.h"

/* win or lose on the number 0 to 36; CASINO_GRADE_NONE for a kind that is not roulette's. */
extern CasinoGrade casino_grade_roulette(const CasinoBet *bet, int number);

#endif							/* CASINO_ROULETTE_H */
