/*
 * box.h
 *	  The boxes of a seated round: their locks, and who else is on them.
 */
#ifndef CASINO_BOX_H
#define CASINO_BOX_H

#include "postgres.h"

#include "server/numbers.h"

/* Exclusive lock on a seat (box) of a round, after the round's and before players'. */
extern void casino_box_lock(int64 round_id, int seat);

/* Seats where the player has staked in the round, ascending, returned stakes too; returns how many. */
extern int	casino_box_seats(int64 round_id, int64 player_id, int **seats);

/*
 * Players whose bets behind lie on the boxes where this player's main bets are
 * (his own lock not yet taken): locks those boxes, and gives the players
 * ascending.  They are to be locked in order with him.
 */
extern Numbers casino_box_followers(int64 round_id, int64 player_id);

/* Players with a bet behind on the box, ascending, none of them returned.  Its lock is held. */
extern Numbers casino_box_behind(int64 round_id, int seat);

/* Is there still a main bet on the box? */
extern bool casino_box_has_main(int64 round_id, int seat);

/* Is there a bet behind on the box?  Its lock is held. */
extern bool casino_box_has_behind(int64 round_id, int seat);

#endif							/* CASINO_BOX_H */
