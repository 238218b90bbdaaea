/*
 * plan_rules.c
 *	  The rules that a plan version of a family of games has, and their values.
 */
#include "core/games/plan_rules.h"

#include <string.h>

#include "core/ground.h"
#include "core/text.h"

/*
 * casino_plan_rule
 *		Rule number n of the family; false past the last.
 */
bool
casino_plan_rule(CasinoFamily family, int n, CasinoPlanRule *rule)
{
	const CasinoFamilyPlan *plan = casino_family_plan(family);
	int			i;

	if (n < 0 || plan == NULL)
		return false;
	if (plan->rules == NULL)
		return plan->rule(n, rule);
	for (i = 0; i < n && plan->rules[i].rule.name != NULL; i++)
		;
	*rule = plan->rules[i].rule;
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
	const CasinoFamilyPlan *plan = casino_family_plan(family);
	const CasinoRuleValues *values = plan == NULL ? NULL : plan->rules;
	size_t		len = strlen(value);
	int			number;

	if (plan != NULL && casino_rule_is_ground(name))
		return casino_ground_check(name, value, error);
	if (plan != NULL && plan->rules == NULL)
		return plan->check_rule(name, value, error);
	while (values != NULL && values->rule.name != NULL && strcmp(values->rule.name, name) != 0)
		values++;
	if (values == NULL || values->rule.name == NULL)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a rule of %s.",
						   casino_text_quoted(strlen(name)), name, plan == NULL ? "any family" : plan->name);
	if (values->word != NULL ? strcmp(values->word, value) == 0 :
		len > 0 && casino_text_number(value, len, &number) == len && number >= values->min &&
		number <= values->max)
		return true;
	return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a value of the rule %s.",
					   casino_text_quoted(len), value, name);
}
