/*
 * blackjack_plan.c
 *	  What the plan of a blackjack can say: its rules (blackjack_rules.c), and
 *	  the grades that each kind of bet can have under them.
 */
#include "core/games/family.h"

#include <string.h>

#include "core/games/blackjack_rules.h"

#define BIT(grade)		CASINO_GRADE_BIT(CASINO_##grade)
#define BETWEEN(a, b)	((BIT(b) << 1) - BIT(a))	/* grades a to b in the order of the enum */

#define WIN_OR_PUSH		(BIT(WIN) | BIT(PUSH))

/* a doubled hand has three cards and no more */
#define DOUBLED_CARDS	3

/* cards of one rank and suit that a pair and three of a kind need */
#define PAIR_DECKS		2
#define TRIPS_DECKS		3

/*
 * doubled_is_charlie
 *		Is every doubled hand that is not over 21 a Charlie?
 */
static bool
doubled_is_charlie(const CasinoBlackjackRules *rules)
{
	return rules->charlie_cards > 0 && rules->charlie_cards <= DOUBLED_CARDS;
}

/*
 * play_grades
 *		Grades of a wager on the hand itself (R1.5).
 */
static CasinoGrades
play_grades(int kind, const CasinoBlackjackRules *rules)
{
	CasinoGrades found = 0;
	bool		original = kind == CASINO_MAIN || kind == CASINO_BEHIND;
	bool		splits = rules == NULL || rules->max_hands > 1;
	bool		doubles_split = splits && (rules == NULL || rules->double_after_split);
	int			charlie = rules == NULL ? DOUBLED_CARDS : rules->charlie_cards;
	bool		always_charlie = rules != NULL && doubled_is_charlie(rules);

	if (kind == CASINO_SPLIT_PAIR && !splits)
		return 0;
	if (kind == CASINO_BEHIND && rules != NULL && rules->behind == CASINO_BEHIND_NONE)
		return 0;
	if (kind != CASINO_DOUBLE_DOWN || !always_charlie)
		found |= WIN_OR_PUSH;
	if (original)
		found |= BIT(BLACKJACK);
	if (original && (rules == NULL || rules->even_money != CASINO_EVEN_MONEY_NONE))
		found |= BIT(EVEN_MONEY);
	if (original && (rules == NULL || rules->surrender != CASINO_SURRENDER_NONE))
		found |= BIT(SURRENDER);
	if (charlie > 0 && (kind != CASINO_DOUBLE_DOWN || charlie <= DOUBLED_CARDS))
		found |= BIT(CHARLIE);
	if ((rules == NULL || rules->doubled_returned_on_ten_ace) && !always_charlie &&
		(kind != CASINO_SPLIT_PAIR || doubles_split))
		found |= BIT(RETURNED);
	return found;
}

/*
 * side_grades
 *		Grades of a side bet: with fewer decks no two or three
 *		cards are the same.
 */
static CasinoGrades
side_grades(int kind, const CasinoBlackjackRules *rules)
{
	int			decks = rules == NULL ? TRIPS_DECKS : rules->decks;
	CasinoGrades found = 0;

	switch (kind)
	{
		case CASINO_21_PLUS_3:
			found = BETWEEN(SUITED_TRIPS, FLUSH);
			break;
		case CASINO_TOP3:
			found = BETWEEN(SUITED_TRIPS, TRIPS);
			break;
		case CASINO_PLAYER_PAIR:
		case CASINO_DEALER_PAIR:
			found = BETWEEN(SUITED_PAIR, MIXED_PAIR);
			break;
		case CASINO_LUCKY_LUCKY:
			found = BETWEEN(SUITED_777, TOTAL_19);
			break;
		case CASINO_HOT3:
			found = BIT(777) | BETWEEN(SUITED_21, TOTAL_19);
			break;
		case CASINO_BUSTER:
			found = BETWEEN(BUST_3, BUST_8_BLACKJACK);
			break;
		case CASINO_BUST_IT:
			found = BETWEEN(BUST_3, BUST_8) | BIT(PUSH);
			break;
		case CASINO_PUSH22:
			found = BIT(WIN);
			break;
		default:
			break;
	}
	if (decks < PAIR_DECKS)
		found &= ~BIT(SUITED_PAIR);
	if (decks < TRIPS_DECKS)
		found &= ~(BIT(SUITED_TRIPS) | BIT(SUITED_777));
	return found;
}

/*
 * grades
 *		See CasinoFamilyPlan.
 */
static CasinoGrades
grades(int kind, const void *rules_of_plan)
{
	const CasinoBlackjackRules *rules = rules_of_plan;

	switch (kind)
	{
		case CASINO_MAIN:
		case CASINO_BEHIND:
		case CASINO_DOUBLE_DOWN:
		case CASINO_SPLIT_PAIR:
			return play_grades(kind, rules);
		case CASINO_FREE_SPLIT:
			if (rules != NULL && (rules->max_hands < 2 || rules->free_split_on == CASINO_FREE_SPLIT_NONE))
				return 0;
			return WIN_OR_PUSH;
		case CASINO_FREE_DOUBLE:
			if (rules != NULL && rules->free_double_on == CASINO_FREE_DOUBLE_NONE)
				return 0;
			return rules != NULL && doubled_is_charlie(rules) ? BIT(WIN) : WIN_OR_PUSH;
		case CASINO_INSURANCE:
			return BIT(WIN) | BIT(RETURNED);
		default:
			return side_grades(kind, rules);
	}
}

static bool
rule(int n, CasinoPlanRule *rule)
{
	rule->name = casino_blackjack_rule_name(n);
	rule->informative = casino_blackjack_rule_is_informative(n);
	rule->required = !rule->informative;
	return rule->name != NULL;
}

static bool
check_rule(const char *name, const char *value, CasinoError *error)
{
	CasinoBlackjackRules one;

	memset(&one, 0, sizeof(one));
	return casino_blackjack_rule_set(&one, name, value, error);
}

const CasinoFamilyPlan casino_blackjack_plan = {
	.name = "blackjack",
	.rule = rule,
	.check_rule = check_rule,
	.grades = grades
};
