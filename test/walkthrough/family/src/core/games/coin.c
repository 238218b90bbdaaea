/*
 * coin.c
 *	  A coin: its plan, and the grading of a wager.
 */
#include "core/games/coin.h"

#include "core/games/family.h"

/* What a plan may say: nothing is left to it but that the coin has two sides. */
static const CasinoRuleValues rules[] = {
	CASINO_RULE_FACT("sides", 2, 2),
	CASINO_RULE_LAST
};

static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	return kind == CASINO_RED || kind == CASINO_BLACK ? CASINO_GRADE_BIT(CASINO_WIN) : 0;
}

const CasinoFamilyPlan casino_coin_plan = {
	.name = "coin",
	.rules = rules,
	.grades = grades
};

CasinoGrade
casino_grade_coin(const CasinoBet *bet, int side)
{
	if (bet->kind != CASINO_RED && bet->kind != CASINO_BLACK)
		return CASINO_GRADE_NONE;
	return (bet->kind == CASINO_RED) == (side == 1) ? CASINO_WIN : CASINO_LOSE;
}
