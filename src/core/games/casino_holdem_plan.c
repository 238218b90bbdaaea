/*
 * casino_holdem_plan.c
 *	  What the plan of a Casino Hold'em can say (D4 Casino Hold'em §13 to §18).
 */
#include "core/games/family.h"

#define BIT(grade)		CASINO_GRADE_BIT(CASINO_##grade)

static const CasinoRuleValues rules[] = {
	CASINO_RULE_FACT("decks", 1, 1),
	CASINO_RULE_FACT("burnt_cards", 0, 9),
	CASINO_RULE_FACT("call_multiple", 2, 2),	/* of the ante */
	CASINO_RULE_FACT_WORD("dealer_qualifies", "pair_of_fours"),
	CASINO_RULE_FACT("board_without_call", 3, 3),	/* board cards that are enough when nobody called */
	CASINO_RULE_LAST
};

static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	CasinoGrades by_hand = BIT(ROYAL_FLUSH) | BIT(STRAIGHT_FLUSH) | BIT(FOUR_OF_A_KIND) |
	BIT(FULL_HOUSE) | BIT(FLUSH);

	switch (kind)
	{
		case CASINO_ANTE:
			return by_hand | BIT(WIN) | BIT(PUSH);
		case CASINO_CALL:
			return BIT(WIN) | BIT(PUSH);
		case CASINO_AA:
			return by_hand | BIT(PAIR_OF_ACES);
		case CASINO_RAZZ:
			return (BIT(JACK) << 1) - BIT(WHEEL_SUITED);	/* wheel_suited to jack */
		default:
			return 0;
	}
}

const CasinoFamilyPlan casino_casino_holdem_plan = {
	.name = "casino_holdem",
	.rules = rules,
	.grades = grades
};
