/*
 * plan_rule_set.c
 *	  The rules of a plan version: see plan_rule_set.h.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "casino.h"
#include "server/query.h"
#include "state/plan_rule_set.h"

static PreparedQuery load_rules = {
	.sql = "SELECT rule, value, paragraph FROM casino.plan_rule WHERE plan_id = $1",
	.args = {ARG_INT8}
};

enum
{
	RULE_NAME = 1, RULE_VALUE, RULE_PARAGRAPH
};

PlanRuleSet *
casino_rules_load(int64 plan_id)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	uint64		rows = casino_read_latest(&load_rules, values, NULL);
	PlanRuleSet *set = palloc(sizeof(PlanRuleSet));

	set->n = (int) rows;
	set->rules = palloc(sizeof(RuleOfPlan) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
	{
		set->rules[row].name = casino_column_word(row, RULE_NAME);
		set->rules[row].value = casino_column_word(row, RULE_VALUE);
		set->rules[row].paragraph = casino_column_cstring(row, RULE_PARAGRAPH);
	}
	return set;
}

PlanRuleSet *
casino_rules_of_document(const Jsonb *document)
{
	PlanRuleSet *set = palloc0(sizeof(PlanRuleSet));
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	value;

	casino_require_object(&document->root, "the rules of a game plan");
	set->rules = palloc0(sizeof(RuleOfPlan) * Max(JB_ROOT_COUNT(document), 1));
	iterator = JsonbIteratorInit((JsonbContainer *) &document->root);
	while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE)
	{
		RuleOfPlan *rule = &set->rules[set->n];

		if (token == WJB_KEY)
			rule->name = pnstrdup(value.val.string.val, value.val.string.len);
		else if (token == WJB_VALUE)
		{
			if (value.type != jbvString)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("the rule %s must be a string", rule->name)));
			rule->value = pnstrdup(value.val.string.val, value.val.string.len);
			set->n++;
		}
	}
	return set;
}

const char *
casino_rules_text(const PlanRuleSet *rules, const char *name)
{
	for (int i = 0; i < rules->n; i++)
		if (strcmp(rules->rules[i].name, name) == 0)
			return rules->rules[i].value;
	return NULL;
}

int
casino_rules_number(const PlanRuleSet *rules, const char *name)
{
	const char *value = casino_rules_text(rules, name);

	if (value == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the game plan has no rule \"%s\"", name)));
	return pg_strtoint32(value);
}
