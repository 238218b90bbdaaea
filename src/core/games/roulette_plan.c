/*
 * roulette_plan.c
 *	  What the plan of a roulette can say.
 */
#include "core/games/family.h"

static const CasinoRuleValues rules[] = {
	CASINO_RULE_FACT("numbers", 37, 37),	/* pockets of the wheel */
	CASINO_RULE_FACT("min_turns", 1, 99),	/* turns of the ball (R4.8); with fewer the spin is void */
	CASINO_RULE_LAST
};

static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	return kind >= CASINO_STRAIGHT && kind <= CASINO_HIGH ? CASINO_GRADE_BIT(CASINO_WIN) : 0;
}

const CasinoFamilyPlan casino_roulette_plan = {
	.name = "roulette",
	.rules = rules,
	.grades = grades
};
