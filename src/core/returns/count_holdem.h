/*
 * count_holdem.h
 *	  Exact counts of Casino Hold'em: ante and call under the best decision, AA
 *	  and Razz on the first five cards (D4 Casino Hold'em 7 to 18).
 */
#ifndef CASINO_COUNT_HOLDEM_H
#define CASINO_COUNT_HOLDEM_H

#include "core/returns/count.h"

/*
 * How ante and call of a player who called can end.  Six cases by the line of
 * the ante, royal flush first and "win" last, where the dealer qualifies and is
 * beaten; six where he does not qualify; then the equal and the better dealer.
 */
enum
{
	CASINO_HOLDEM_WON,
	CASINO_HOLDEM_UNQUALIFIED = 6,
	CASINO_HOLDEM_PUSHED = 12,
	CASINO_HOLDEM_LOST,
	CASINO_HOLDEM_CASES
};

#define CASINO_HOLDEM_LINES		6

/* antes a call costs (D4 Casino Hold'em 10) */
#define CASINO_HOLDEM_CALL		2

/* Grade of the ante on a line, from the best one. */
extern const CasinoGrade casino_holdem_line_grades[CASINO_HOLDEM_LINES];

/*
 * Rows of ante, call, aa or razz.  The best decision depends on the odds: ante
 * and call are there for those odds whose counts are kept
 * (count_holdem_kept.h); false without a row for others.
 */
extern bool casino_count_holdem(int kind, const CasinoOdds *odds, CasinoCountSink sink, void *context);

#endif							/* CASINO_COUNT_HOLDEM_H */
