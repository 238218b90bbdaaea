/*
 * limit_counters.h
 *	  Counting a stake against the player's self-limits (D4 §6.5), in his row of
 *	  casino.limit_state.
 */
#ifndef CASINO_LIMIT_COUNTERS_H
#define CASINO_LIMIT_COUNTERS_H

#include "state/ledger.h"

/* Measures and periods of limits, in this order everywhere. */
typedef enum LimitKind
{
	LIMIT_STAKE_DAY, LIMIT_STAKE_MONTH, LIMIT_NET_LOSS_DAY, LIMIT_NET_LOSS_MONTH,
	LIMIT_KINDS
} LimitKind;

typedef struct LimitUsage
{
	int64		used[LIMIT_KINDS];	/* haléře, with the stake; net losses with what is open */
	int64		limits[LIMIT_KINDS];	/* haléře, INT64_MAX: none */
} LimitUsage;

/* Count a stake of "cost" haléře at "at" and say what of each limit is used then. */
extern void casino_limits_count_stake(int64 player_id, int64 cost, TimestampTz at, LimitUsage *usage);

#endif							/* CASINO_LIMIT_COUNTERS_H */
