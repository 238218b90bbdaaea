/*
 * deal.h
 *	  Cards of a round on their way into casino.dealt_hand.
 */
#ifndef CASINO_DEAL_H
#define CASINO_DEAL_H

#include "state/round.h"

#include "games/outcome.h"
#include "server/event_time.h"
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

/*
 * Stakes in play and cards follow each other in the order
 * of their records, which no clock changes: under the round's lock each record
 * of a stake in play has a time not before that of the cards that lie there,
 * and each record of cards one after all stakes (R12.158).
 */

/* When the last document of cards was written; DT_NOBEGIN: no cards yet. */
extern TimestampTz casino_deal_last_recorded_at(int64 round_id);

/* Before cards are kept: when they are written.  The round's wagers were read under its exclusive lock. */
extern TimestampTz casino_deal_recorded_at(const RoundState *round, const RoundWagers *wagers);

/* A time of cards that was not given comes after the stakes in play; KL005 beyond casino.clock_skew. */
extern void casino_deal_follow_stakes(const RoundWagers *wagers, EventTime *time);

/* Keep a document of deal() or correct_deal() as it came; gives its number. */
extern int	casino_deal_keep_document(int64 round_id, Jsonb *document, TimestampTz at,
									  TimestampTz recorded_at);

/* Put the cards of an outcome in the place of those kept before. */
extern void casino_deal_keep(int64 round_id, const Outcome *outcome);

#endif							/* CASINO_DEAL_H */
