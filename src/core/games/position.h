/*
 * position.h
 *	  What lies on the positions of one player in a round, wager by wager in the
 *	  order of entry (R2.2).
 *
 * A hash table in memory of the caller's: all zero at first, its size a power
 * of two, and never more than half full, so that a place is found at once.
 */
#ifndef CASINO_POSITION_H
#define CASINO_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/bet.h"

typedef struct CasinoPosition
{
	uint64_t	place;			/* kind and selection */
	int32_t		seat;			/* 0: none */
	int32_t		hand;			/* from 1; 0: this slot is free */
	int64_t		staked;			/* haléře; of free wagers their notional */
} CasinoPosition;

/* Slot of the wager's position in a table of "size" slots, free if nothing lies there yet. */
extern CasinoPosition *casino_position_find(CasinoPosition *table, uint32_t size,
											const CasinoBet *bet, int seat, int hand);

/*
 * Put a wager down; *before is what lay on its position.  "taken" counts the
 * slots in use.  False when the sum overflows.
 */
extern bool casino_position_add(CasinoPosition *table, uint32_t size, uint32_t *taken,
								const CasinoBet *bet, int seat, int hand, int64_t *before);

/* Copy a table into a larger empty one. */
extern void casino_position_move(const CasinoPosition *from, uint32_t from_size,
								 CasinoPosition *to, uint32_t to_size);

#endif							/* CASINO_POSITION_H */
