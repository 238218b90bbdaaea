/*
 * stake_rules.h
 *	  The rules of games and tables for stakes.
 */
#ifndef CASINO_STAKE_RULES_H
#define CASINO_STAKE_RULES_H

#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/*
 * May these wagers be placed together beside those that lie there?  Raises
 * KB001 to KB005.  The round's rules must cover the kinds of the new ones.
 */
extern void casino_stake_check(const RoundState *round, const PlayerState *player,
							   const Wager *placed, int nplaced, const Wager *added, int nadded);

/*
 * Can the wagers stand, each position at its minimum and each with what it
 * requires?  Returns the index of the first that cannot, or -1.  "gone" marks
 * those that are not there.
 */
extern int	casino_stake_unsupported(const RoundState *round, const Wager *wagers, int n,
									 const bool *gone);

#endif							/* CASINO_STAKE_RULES_H */
