/*
 * plan_bets.h
 *	  The bets a plan version offers and their rules, read once a backend.
 */
#ifndef CASINO_PLAN_BETS_H
#define CASINO_PLAN_BETS_H

#include "state/ledger.h"

typedef struct PlanBets
{
	int64		plan_id;		/* hash key */
	int64		round_max;		/* haléře one player may stake in a round; INT64_MAX: none declared */
	int			nrules;
	BetRule		rules[CASINO_BET_KIND_END];	/* without the table's own limits */
} PlanBets;

extern void casino_plan_bets(int64 plan_id, PlanBets *plan);

#endif							/* CASINO_PLAN_BETS_H */
