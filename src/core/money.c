/*
 * money.c
 *	  Integer haléře and exact odds (R2.1, R2.5, R2.11).
 */
#include "core/money.h"

/*
 * casino_money_add
 *		a + b into *sum; false on overflow.
 */
bool
casino_money_add(int64_t a, int64_t b, int64_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}

/*
 * floor_divide
 *		a / b rounded towards minus infinity, b positive.
 */
static int64_t
floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0 ? 1 : 0);
}

/*
 * casino_money_profit
 *		stake * num / den in haléře, rounded half up (towards plus infinity).
 *
 * False on overflow and for a den that is not positive; *profit is then
 * undefined.  The whole and the rest of stake / den are taken apart, so that
 * the product needs no more than 64 bits: |rest| < den < 2^31, hence
 * |2 * rest * num| + den < 2^63.  Both parts have one sign, so only a result
 * that is itself too large overflows.
 */
bool
casino_money_profit(int64_t stake, int32_t num, int32_t den, int64_t *profit)
{
	int64_t		whole;
	int64_t		rounded_rest;

	if (den <= 0)
		return false;
	if (__builtin_mul_overflow(stake / den, (int64_t) num, &whole))
		return false;
	rounded_rest = floor_divide(2 * (stake % den) * num + den, 2 * (int64_t) den);
	return casino_money_add(whole, rounded_rest, profit);
}

/*
 * casino_money_position_profit
 *		Profit of all chips of a position together, rounded half up once.
 *
 * What is too large for 64 bits is above every cap, and an error without one.
 */
bool
casino_money_position_profit(int64_t staked, int32_t num, int32_t den, int64_t cap,
							 int64_t *profit, bool *capped)
{
	*capped = false;
	if (staked < 0 || den <= 0 || cap < 0)
		return false;
	if (!casino_money_profit(staked, num, den, profit))
	{
		if (num < 0 || cap == CASINO_NO_CAP)
			return false;
		*capped = true;
	}
	else
		*capped = *profit > cap;
	if (*capped)
		*profit = cap;
	return true;
}

/*
 * casino_money_share
 *		What one wager gets of the profit of its position.
 */
bool
casino_money_share(int64_t before, int64_t stake, int32_t num, int32_t den, int64_t cap,
				   CasinoShare *share)
{
	int64_t		staked;
	int64_t		with;
	int64_t		without;
	bool		capped_before;

	if (stake < 0 || !casino_money_add(before, stake, &staked) ||
		!casino_money_position_profit(before, num, den, cap, &without, &capped_before) ||
		!casino_money_position_profit(staked, num, den, cap, &with, &share->capped))
		return false;
	share->profit = with - without; /* both have the sign of num: no overflow */
	share->reached = share->capped && !capped_before;
	return true;
}

/*
 * casino_money_half_down
 *		Half of a stake rounded down to one haléř: what the player must stake.
 */
int64_t
casino_money_half_down(int64_t stake)
{
	return floor_divide(stake, 2);
}

/*
 * casino_money_half_up
 *		Half of a stake rounded half up to one haléř: what the player receives.
 */
int64_t
casino_money_half_up(int64_t stake)
{
	return stake - floor_divide(stake, 2);
}
