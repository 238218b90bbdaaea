/*
 * limits.h
 *	  The counters of self-limits (D4 §6.5) beyond what a duty is asked (duty.h).
 */
#ifndef CASINO_LIMITS_H
#define CASINO_LIMITS_H

#include "postgres.h"

#include "state/player.h"

/* Count play of another product, haléře, if the player has set limits; his row is locked. */
extern void casino_limits_count_play(const PlayerState *player, int64 staked, int64 lost, TimestampTz at);

/*
 * Count haléře that a player has lost by a result changed later, also in the
 * accounts that have taken over the limits since (R11.85).
 */
extern void casino_limits_count_result(const PlayerState *player, int64 lost, TimestampTz at);

/*
 * Refuse a stake of "cost" haléře in another product that would pass a limit:
 * KC005.  It leaves the counters as they were; the player's row is locked.
 */
extern void casino_limits_check_elsewhere(const PlayerState *player, int64 cost, TimestampTz at);

/*
 * Lock the counters of all these that have some, and those that have taken
 * over their limits, in the order of the players' numbers, if there are
 * several: stakes are returned in another order, and evaluations lock the
 * counters of losers without their players.
 */
extern void casino_limits_lock(const PlayerState *players, int n);

#endif							/* CASINO_LIMITS_H */
