/*
 * round_evaluation.h
 *	  What each wager of a round gets by an outcome.
 */
#ifndef CASINO_ROUND_EVALUATION_H
#define CASINO_ROUND_EVALUATION_H

#include "postgres.h"

#include "games/outcome.h"
#include "state/round.h"
#include "state/round_wagers.h"

/*
 * Give each wager its grade and its payout in haléře by a checked outcome.  The
 * wagers are in the order of players and entries.  22003 for an amount that
 * does not fit, 55000 for a plan that is wrong or lacks a line, XX001 for a
 * wager that the family does not grade.
 */
extern void casino_round_evaluate(const RoundState *round, const Outcome *outcome, RoundWagers *wagers);

#endif							/* CASINO_ROUND_EVALUATION_H */
