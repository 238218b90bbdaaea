/*
 * coin.h
 *	  A coin: red is heads, black is tails.
 */
#ifndef CASINO_COIN_H
#define CASINO_COIN_H

#include "core/grade.h"

/* win or lose on 0 (tails) or 1 (heads); CASINO_GRADE_NONE for a kind that is not the coin's. */
extern CasinoGrade casino_grade_coin(const CasinoBet *bet, int side);

#endif							/* CASINO_COIN_H */
