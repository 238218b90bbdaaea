/*
 * plan_rules.h
 *	  The rules of a plan version, read once a backend.
 */
#ifndef CASINO_PLAN_RULES_H
#define CASINO_PLAN_RULES_H

#include "ledger.h"

typedef struct PlanRules
{
	int64		plan_id;		/* hash key */
	int64		round_max;		/* haléře one player may stake in a round; INT64_MAX: none declared */
	int			nrules;
	BetRule		rules[CASINO_BET_KIND_END];	/* without the table's own limits */
} PlanRules;

extern void casino_plan_rules(int64 plan_id, PlanRules *plan);

#endif							/* CASINO_PLAN_RULES_H */
