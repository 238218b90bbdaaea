/*
 * money.h
 *	  Integer haléře and exact odds; every operation checks for overflow.
 */
#ifndef CASINO_MONEY_H
#define CASINO_MONEY_H

#include <stdbool.h>
#include <stdint.h>

/* a + b into *sum; false on overflow */
extern bool casino_money_add(int64_t a, int64_t b, int64_t *sum);

/*
 * stake * num / den rounded half up (towards plus infinity) to one haléř
 * (R2.1); num may be negative (surrender is -1/2), den is
 * positive.  False on overflow or a den that is not positive.
 */
extern bool casino_money_profit(int64_t stake, int32_t num, int32_t den, int64_t *profit);

/* A position whose profit no declared win bounds. */
#define CASINO_NO_CAP	INT64_MAX

/*
 * A position is all chips of one player on the same kind and selection of the
 * same seat and hand.  Its profit is reckoned and rounded once, and is not
 * above "cap" (haléře, not negative, R2.6).  "capped": it would be.  False on
 * overflow, for a den that is not positive and for a negative stake.
 */
extern bool casino_money_position_profit(int64_t staked, int32_t num, int32_t den, int64_t cap,
										 int64_t *profit, bool *capped);

/*
 * What a wager of a position gets of its profit, by cumulative rounding in the
 * order of entry: profit of the position with the wager less profit of what
 * lay there "before" it.  So the shares of all its wagers add up to the profit
 * of the position, whatever they are cut into.
 */
typedef struct CasinoShare
{
	int64_t		profit;			/* haléře */
	bool		capped;			/* the declared win bounds the position with this wager */
	bool		reached;		/* and did not without it: the first one that it cuts */
} CasinoShare;

extern bool casino_money_share(int64_t before, int64_t stake, int32_t num, int32_t den, int64_t cap,
							   CasinoShare *share);

/* Half of a stake: what the player must put in (rounded down) or gets (half up). */
extern int64_t casino_money_half_down(int64_t stake);
extern int64_t casino_money_half_up(int64_t stake);

#endif							/* CASINO_MONEY_H */
