/*
 * adjustments.h
 *	  Large adjustments need a second person (R7.73).
 */
#ifndef CASINO_ADJUSTMENTS_H
#define CASINO_ADJUSTMENTS_H

#include "ledger/entry.h"

/*
 * Under the player's lock: 42501 when it needs an approval that a second person did not give, 22023 for a
 * request of a move, KB004 of money for an account that has moved.
 */
extern void casino_adjustment_check(const Entry *entry, const PlayerState *player);

#endif							/* CASINO_ADJUSTMENTS_H */
