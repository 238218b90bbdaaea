/*
 * plan_bets.h
 *	  The bets a plan version offers and their rules, read once a session.
 */
#ifndef CASINO_PLAN_BETS_H
#define CASINO_PLAN_BETS_H

#include "postgres.h"

#include "casino.h"
#include "state/round.h"

typedef struct PlanBets
{
	int64		plan_id;		/* hash key */
	int			version;		/* of its game */
	int64		round_max;		/* haléře one player may stake in a round; INT64_MAX: none declared */
	int			nrules;
	BetRule		rules[CASINO_BET_KIND_END]; /* without the table's own limits */
} PlanBets;

extern void casino_plan_bets(int64 plan_id, PlanBets *plan);

/* Has the version, which is in force and does not change, been found without problems before? */
extern bool casino_plan_is_checked(int64 plan_id);
extern void casino_plan_note_checked(int64 plan_id);

#endif							/* CASINO_PLAN_BETS_H */
