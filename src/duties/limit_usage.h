/*
 * limit_usage.h
 *	  What a stake uses of the player's self-limits.
 */
#ifndef CASINO_LIMIT_USAGE_H
#define CASINO_LIMIT_USAGE_H

#include "postgres.h"

#include "datatype/timestamp.h"

#include "state/round_wagers.h"

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
extern void casino_limit_usage_with(int64 player_id, int64 cost, TimestampTz at, LimitUsage *usage);

/*
 * Count what the players of an evaluated round have lost or won, in those
 * counters that are there, in the order of the players' numbers.
 */
extern void casino_limit_usage_evaluated(const RoundWagers *wagers, TimestampTz at);

#endif							/* CASINO_LIMIT_USAGE_H */
