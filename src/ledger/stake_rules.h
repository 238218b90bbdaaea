/*
 * stake_rules.h
 *	  The rules of games and tables for stakes.
 */
#ifndef CASINO_STAKE_RULES_H
#define CASINO_STAKE_RULES_H

#include "state/player.h"
#include "state/round.h"
#include "state/wagers.h"

/* What names a limit of a position. */
typedef enum LimitSource
{
	LIMIT_NONE,					/* no limit */
	LIMIT_OF_PLAN,				/* the game plan */
	LIMIT_OF_KIND,				/* the table, for this kind of bet */
	LIMIT_OF_TABLE,				/* the table, for its principal bet */
	LIMIT_OF_STRAIGHT			/* the table's straight, times the numbers covered (R4.4) */
} LimitSource;

/* Limits of one player's position, all its chips together, in haléře. */
typedef struct PositionLimits
{
	int64		min;			/* 0: none */
	int64		max;			/* INT64_MAX: none */
	LimitSource min_from;
	LimitSource max_from;
} PositionLimits;

/* Return the limits that casino_stake_check() enforces on a position of the rule's kind. */
extern PositionLimits casino_stake_limits(const RoundState *round, const BetRule *rule);

/*
 * KB001, KB005: does the round take wagers of that phase now (R3.52, R11.16)?  "kind" is its word,
 * "bet" NULL for a decision that stakes nothing.
 */
extern void casino_stake_check_phase(const RoundState *round, char phase, const char *kind,
									 const CasinoBet *bet);

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
