/*
 * stakes.h
 *	  The one recipe of stakes, for the functions and for rows of any client.
 */
#ifndef CASINO_STAKES_H
#define CASINO_STAKES_H

#include "postgres.h"

#include "server/event_time.h"
#include "state/player.h"
#include "state/wagers.h"

/*
 * May the player place these together, under the locks of round, box and
 * player, at the time that his row has taken?  In this order: 23503 unless the
 * round is there; KC004, 55000 unless he is admitted; KL005 before the round
 * was opened; KB001 past its betting_until; KB001 to KB005, 22003 by the rules
 * of stakes; KL005 before betting closed; KC001 to KC005 by the duties, which
 * then have noted them; KB001 if they moved the time past betting_until.
 * Returns the haléře that they take from the wallet.
 */
extern int64 casino_stakes_admit(PlayerState *player, int64 round_id, const Wager *added, int nadded,
								 EventTime *time);

#endif							/* CASINO_STAKES_H */
