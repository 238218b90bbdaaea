/*
 * layout.h
 *	  The roulette layout and wheel (R4.9; D2 Americká ruleta;
 *	  D4 Roulette (Synot) 21, (Evolution) 18, (Absolute) 25).
 */
#ifndef CASINO_LAYOUT_H
#define CASINO_LAYOUT_H

#include "core/bet.h"

#define CASINO_ROULETTE_NUMBERS		37	/* 0 to 36 */

/* Numbers around the wheel, clockwise from zero (D2 Cylindr). */
extern const uint8_t casino_wheel[CASINO_ROULETTE_NUMBERS];

extern bool casino_number_is_red(int number);

/* Is this ascending set of numbers a position of that kind? */
extern bool casino_layout_is_position(int kind, const uint8_t *numbers, size_t count);

/* Does the bet cover the number?  False for kinds that are not roulette's. */
extern bool casino_bet_covers(const CasinoBet *bet, int number);

#endif							/* CASINO_LAYOUT_H */
