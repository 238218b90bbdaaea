/*
 * payouts.h
 *	  From grades to money: what each wager of a round gets, and its posting.
 */
#ifndef CASINO_PAYOUTS_H
#define CASINO_PAYOUTS_H

#include "postgres.h"

#include "games/outcome.h"
#include "state/round.h"
#include "state/round_wagers.h"

/* Figures of an evaluated round, haléře. */
typedef struct RoundFigures
{
	int64		wagers;
	int64		players;
	int64		staked;
	int64		paid;			/* or to be paid */
} RoundFigures;

/*
 * Evaluate a round's wagers by a checked outcome and the odds of its plan,
 * player by player, and sum up.  55000 for a grade without a line of the
 * paytable, XX001 for a wager that the outcome does not decide, 22003 on overflow.
 */
extern void casino_payouts_reckon(const RoundState *round, const Outcome *outcome, RoundWagers *wagers,
								  RoundFigures *figures);

/*
 * Post an entry for each wager that is due, and credit the players, in the
 * order of their numbers: payouts with their grades, or refunds with a reason.
 */
extern void casino_payouts_post(int64 round_id, const RoundWagers *wagers, TimestampTz at);
extern void casino_payouts_refund(int64 round_id, const RoundWagers *wagers, TimestampTz at,
								  const char *reason);

#endif							/* CASINO_PAYOUTS_H */
