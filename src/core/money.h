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
 * (RULEBOOK section 2); num may be negative (surrender is -1/2), den is
 * positive.  False on overflow or a den that is not positive.
 */
extern bool casino_money_profit(int64_t stake, int32_t num, int32_t den, int64_t *profit);

/* Half of a stake: what the player must put in (rounded down) or gets (half up). */
extern int64_t casino_money_half_down(int64_t stake);
extern int64_t casino_money_half_up(int64_t stake);

#endif							/* CASINO_MONEY_H */
