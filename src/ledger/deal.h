/*
 * deal.h
 *	  Cards of a round on their way into casino.dealt_hand.
 */
#ifndef CASINO_DEAL_H
#define CASINO_DEAL_H

#include "state/round.h"

#include "games/outcome.h"
#include "state/round_wagers.h"

/*
 * Check an outcome against the plan's rules, the cards dealt before and the
 * wagers of the round.  "partial": cards as they fall.  KR001 names what does
 * not hold.
 */
extern void casino_deal_check(const RoundState *round, const Outcome *outcome,
							  const RoundWagers *wagers, bool partial);

/* The same without the cards dealt before: what a correction of them is held to. */
extern void casino_deal_check_played(const RoundState *round, const Outcome *outcome,
									 const RoundWagers *wagers, bool partial);

/* Keep a document of deal() or correct_deal() as it came; gives its number. */
extern int	casino_deal_keep_document(int64 round_id, Jsonb *document, TimestampTz at);

/* Put the cards of an outcome in the place of those kept before. */
extern void casino_deal_keep(int64 round_id, const Outcome *outcome);

#endif							/* CASINO_DEAL_H */
