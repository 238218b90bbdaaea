/*
 * corrections.h
 *	  The money of a correction: what another result of an evaluated round
 *	  gives each wager more, or less.
 */
#ifndef CASINO_CORRECTIONS_H
#define CASINO_CORRECTIONS_H

#include "state/round.h"
#include "state/round_wagers.h"

/* What a correction posts. */
typedef struct CorrectionPosting
{
	int64		correction_no;
	const char *reason;
	TimestampTz at;

	/* sums, haléře */
	int64		entries;
	int64		posted;			/* given, less taken */
	int64		claimed;		/* could not be taken */
} CorrectionPosting;

/*
 * Post for each wager the difference between its payout and what was posted
 * for it, of the players with whom the round was settled; for all others count
 * the evaluation of the withheld wager anew.  The wagers have what the
 * right result gives them, "former" what the evaluation before gave them.  The
 * round's lock is held; locks the players in the order of their numbers.
 */
extern void casino_correction_post(const RoundState *round, const RoundWagers *wagers,
								   const RoundWagers *former,
								   CorrectionPosting *posting);

/* The wagers of players with whom the round was settled, or (false) of those whose winnings are withheld. */
extern RoundWagers casino_correction_part(const RoundState *round, const RoundWagers *wagers, bool settled);

#endif							/* CASINO_CORRECTIONS_H */
