/*
 * duty.h
 *	  One duty of the operator: what it checks, what it records.
 *
 * What a duty is asked by SQL stands in its file, too.  All state is in rows of
 * the player, read and written under the lock of his casino.player row;
 * nothing is scanned at a stake.
 */
#ifndef CASINO_DUTY_H
#define CASINO_DUTY_H

#include "postgres.h"

#include "duties/duties.h"
#include "server/event_time.h"
#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* Members that are NULL: nothing to do. */
typedef struct Duty
{
	const char *paragraph;		/* for people */

	/* See the functions of the same names in duties.h. */
	void		(*check_admitted) (const PlayerState *player, TimestampTz at);
	void		(*check_stake) (PlayerState *player, const RoundState *round, bool joined, int64 cost,
								EventTime *time);
	void		(*undo_stakes) (PlayerState *player, int64 round_id, const Wager *wagers, int n,
								const bool *returned);
	void		(*evaluated) (const RoundState *round, const RoundWagers *wagers, TimestampTz at);
	void		(*voided) (const RoundState *round);
	void		(*voided_late) (const RoundState *round, int64 player_id, TimestampTz at);
	void		(*paid_late) (int64 round_id, TimestampTz at);
	void		(*paid_one) (int64 round_id, int64 player_id, int64 stake_entry_no, int64 amount,
							 TimestampTz at);
} Duty;

extern const Duty casino_exclusion_duty;
extern const Duty casino_register_duty;
extern const Duty casino_sequence_duty;
extern const Duty casino_limits_duty;
extern const Duty casino_deadlines_duty;

#endif							/* CASINO_DUTY_H */
