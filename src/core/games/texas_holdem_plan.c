/*
 * texas_holdem_plan.c
 *	  What the plan of a Texas Hold'em can say (D2 Texas Holdem): no paytable, as
 *	  the players are paid from each other's stakes.
 */
#include "core/games/family.h"

#define AMOUNT_MAX		1000000 /* CZK of a blind */

static const CasinoRuleValues rules[] = {
	CASINO_RULE_FACT("decks", 1, 1),
	CASINO_RULE_FACT("burnt_cards", 0, 9),
	CASINO_RULE_OBEYED("small_blind", 1, AMOUNT_MAX),
	CASINO_RULE_OBEYED("big_blind", 1, AMOUNT_MAX),
	CASINO_RULE_OBEYED("min_raise_multiple", 2, 9), /* of the last bet */
	CASINO_RULE_SWITCH("actions_required"),
	CASINO_RULE_FACT("rake", 0, 0),
	CASINO_RULE_LAST
};

static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	return 0;
}

const CasinoFamilyPlan casino_texas_holdem_plan = {
	.name = "texas_holdem",
	.rules = rules,
	.grades = grades,
	.pot = CASINO_POT
};
