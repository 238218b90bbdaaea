/*
 * closing.h
 *	  What the end of betting and of the decisions means for the stakes.
 */
#ifndef CASINO_CLOSING_H
#define CASINO_CLOSING_H

#include "postgres.h"

#include "server/event_time.h"
#include "state/round.h"

/*
 * Betting of an open round, locked exclusively, ends at "at": stakes dated
 * after that were never placed and go back as late, with what cannot stand
 * without them.  "all": lock all players of the round, because more of them
 * are to be locked afterwards.  Gives how many went back.
 */
extern int	casino_return_late(const RoundState *round, TimestampTz at, bool all);

/* Breaches for what lay there when betting ended and was taken back before that was known here (R13.35). */
extern void casino_record_taken_back(const RoundState *round, const EventTime *time);

/* Tell the caller of those. */
extern void casino_report_late(const RoundState *round, TimestampTz at, int returned);

/* Does the game have wagers that are placed in play? */
extern bool casino_has_play(const RoundState *round);

/* KL005 unless the event is on or after every in-play wager of the closed round. */
extern void casino_check_after_play(const RoundState *round, EventTime *time);

/*
 * A time that is not given is not before the records of the round: cards,
 * disconnections, returns, boxes handed over and chips brought to the table (R12.7).
 */
extern void casino_follow_round(int64 round_id, EventTime *time);

/*
 * The end of betting of an open round at a time that is not given is not before
 * the stakes that lie there, where casino gave them their time (R12.163), nor
 * before the refund of one that lay there by then (R12.165); KL005 beyond
 * casino.clock_skew.  Returns whether stakes are dated later, which go
 * back: their callers gave them a time after the end (R11.8).
 */
extern bool casino_follow_stakes(int64 round_id, EventTime *time);

/* casino_follow_round() of an event that is never refused for its time: it stays where the clock is. */
extern void casino_reach_round(int64 round_id, EventTime *time);

#endif							/* CASINO_CLOSING_H */
