/*
 * baccarat_plan.c
 *	  What the plan of a baccarat can say (D4 Baccarat §21 to §23).
 */
#include "core/games/family.h"

#define BIT(grade)		CASINO_GRADE_BIT(CASINO_##grade)

static const CasinoRuleValues rules[] = {
	CASINO_RULE_OBEYED("decks", 1, 15),
	CASINO_RULE_LAST
};

static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	switch (kind)
	{
		case CASINO_PLAYER:
		case CASINO_BANKER:
			return BIT(WIN) | BIT(PUSH);
		case CASINO_EGALITE:
			return (BIT(TIE_9) << 1) - BIT(TIE_0);	/* tie_0 to tie_9 */
		case CASINO_TIE:
		case CASINO_BIG:
		case CASINO_SMALL:
		case CASINO_PLAYER_PAIR:
		case CASINO_BANKER_PAIR:
		case CASINO_ANY_PAIR:
		case CASINO_PERFECT_PAIR:
			return BIT(WIN);
		default:
			return 0;
	}
}

const CasinoFamilyPlan casino_baccarat_plan = {
	.name = "baccarat",
	.rules = rules,
	.grades = grades
};
