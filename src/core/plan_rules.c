/*
 * plan_rules.c
 *	  The rules that a plan version of a family of games has, and their values.
 */
#include "plan_rules.h"

#include <string.h>

#include "blackjack_rules.h"
#include "text.h"

/* A rule: a word, or a number from min to max. */
typedef struct RuleInfo
{
	CasinoPlanRule rule;
	const char *word;			/* its only value, NULL: a number */
	int			min;
	int			max;
} RuleInfo;

#define OBEYED(name, min, max)		{{name, false, true}, NULL, min, max}
#define FACT(name, min, max)		{{name, true, false}, NULL, min, max}
#define FACT_WORD(name, word)		{{name, true, false}, word, 0, 0}
#define LAST						{{NULL, false, false}, NULL, 0, 0}

#define AMOUNT_MAX		1000000		/* CZK of a blind */

/* Values of a fact about what the code does in any case are those that it does (R1.4). */
static const RuleInfo roulette_rules[] = {
	FACT("numbers", 37, 37),			/* pockets of the wheel */
	FACT("min_turns", 1, 99),			/* turns of the ball (R4.8); with fewer the spin is void */
	LAST
};

static const RuleInfo baccarat_rules[] = {
	OBEYED("decks", 1, 15),
	LAST
};

static const RuleInfo casino_holdem_rules[] = {
	FACT("decks", 1, 1),
	FACT("burnt_cards", 0, 9),
	FACT("call_multiple", 2, 2),		/* of the ante */
	FACT_WORD("dealer_qualifies", "pair_of_fours"),
	FACT("board_without_call", 3, 3),	/* board cards that are enough when nobody called */
	LAST
};

static const RuleInfo texas_holdem_rules[] = {
	FACT("decks", 1, 1),
	FACT("burnt_cards", 0, 9),
	OBEYED("small_blind", 1, AMOUNT_MAX),
	OBEYED("big_blind", 1, AMOUNT_MAX),
	OBEYED("min_raise_multiple", 2, 9),		/* of the last bet */
	FACT("rake", 0, 0),
	LAST
};

/* blackjack has its list in blackjack_rules.c */
static const struct
{
	const char *name;
	const RuleInfo *rules;
}			families[CASINO_FAMILY_END] = {
	[CASINO_FAMILY_ROULETTE] = {"roulette", roulette_rules},
	[CASINO_FAMILY_BACCARAT] = {"baccarat", baccarat_rules},
	[CASINO_FAMILY_BLACKJACK] = {"blackjack", NULL},
	[CASINO_FAMILY_CASINO_HOLDEM] = {"casino_holdem", casino_holdem_rules},
	[CASINO_FAMILY_TEXAS_HOLDEM] = {"texas_holdem", texas_holdem_rules}
};

/*
 * casino_family_lookup
 *		Family of its name; CASINO_FAMILY_NONE when there is none.
 */
CasinoFamily
casino_family_lookup(const char *name)
{
	int			family;

	for (family = CASINO_FAMILY_ROULETTE; family < CASINO_FAMILY_END; family++)
	{
		if (strcmp(families[family].name, name) == 0)
			return (CasinoFamily) family;
	}
	return CASINO_FAMILY_NONE;
}

/*
 * casino_family_name
 *		Name of a family; NULL for a number that is none.
 */
const char *
casino_family_name(CasinoFamily family)
{
	return (int) family > CASINO_FAMILY_NONE && family < CASINO_FAMILY_END ? families[family].name : NULL;
}

/*
 * find_info
 *		Entry of a name in the family's list, NULL when there is none.
 */
static const RuleInfo *
find_info(CasinoFamily family, const char *name)
{
	const RuleInfo *info = casino_family_name(family) == NULL ? NULL : families[family].rules;

	while (info != NULL && info->rule.name != NULL && strcmp(info->rule.name, name) != 0)
		info++;
	return info != NULL && info->rule.name != NULL ? info : NULL;
}

/*
 * casino_plan_rule
 *		Rule number n of the family; false past the last.
 */
bool
casino_plan_rule(CasinoFamily family, int n, CasinoPlanRule *rule)
{
	int			i;

	if (n < 0 || casino_family_name(family) == NULL)
		return false;
	if (family == CASINO_FAMILY_BLACKJACK)
	{
		rule->name = casino_blackjack_rule_name(n);
		rule->informative = casino_blackjack_rule_is_informative(n);
		rule->required = !rule->informative;
		return rule->name != NULL;
	}
	for (i = 0; i < n && families[family].rules[i].rule.name != NULL; i++)
		;
	*rule = families[family].rules[i].rule;
	return rule->name != NULL;
}

/*
 * casino_plan_rule_find
 *		Rule of a name; false when the family has none.
 */
bool
casino_plan_rule_find(CasinoFamily family, const char *name, CasinoPlanRule *rule)
{
	int			n;

	for (n = 0; casino_plan_rule(family, n, rule); n++)
	{
		if (strcmp(rule->name, name) == 0)
			return true;
	}
	return false;
}

/*
 * casino_plan_rule_check
 *		May the rule have that value?  CASINO_MALFORMED for a name or value
 *		that is none.
 */
bool
casino_plan_rule_check(CasinoFamily family, const char *name, const char *value, CasinoError *error)
{
	const RuleInfo *info = find_info(family, name);
	size_t		len = strlen(value);
	int			number;

	if (family == CASINO_FAMILY_BLACKJACK)
	{
		CasinoBlackjackRules one;

		memset(&one, 0, sizeof(one));
		return casino_blackjack_rule_set(&one, name, value, error);
	}
	if (info == NULL)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a rule of %s.",
						   casino_text_quoted(strlen(name)), name,
						   casino_family_name(family) == NULL ? "any family" : casino_family_name(family));
	if (info->word != NULL ? strcmp(info->word, value) == 0 :
		len > 0 && casino_text_number(value, len, &number) == len && number >= info->min && number <= info->max)
		return true;
	return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a value of the rule %s.",
					   casino_text_quoted(len), value, name);
}
