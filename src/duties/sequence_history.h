/*
 * sequence_history.h
 *	  A player's betting sequence and exclusion as they were known to hold at a
 *	  time, from what is recorded.
 */
#ifndef CASINO_SEQUENCE_HISTORY_H
#define CASINO_SEQUENCE_HISTORY_H

#include "state/round.h"

/* What casino.player says of a player now, of a time that is past. */
typedef struct BreakState
{
	LiveRound	last;			/* last live round he had joined; round_id 0: none */
	TimestampTz started_at;		/* first stake of its sequence */
	TimestampTz excluded_until; /* DT_NOBEGIN: not excluded */
} BreakState;

extern void casino_break_at(int64 player_id, int64 last_entry_no, TimestampTz at, BreakState *state);

/*
 * What is dated further than this from when it was written was put in later, of a time that was known
 * then.
 */
#define REPLAY_DISTANCE		USECS_PER_MINUTE

#endif							/* CASINO_SEQUENCE_HISTORY_H */
