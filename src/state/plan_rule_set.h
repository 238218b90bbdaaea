/*
 * plan_rule_set.h
 *	  The rules of a plan version, as they stand in casino.plan_rule or in an
 *	  object {rule: value}: the one reader of both.
 */
#ifndef CASINO_PLAN_RULE_SET_H
#define CASINO_PLAN_RULE_SET_H

#include "postgres.h"

#include "utils/jsonb.h"

typedef struct RuleOfPlan
{
	char	   *name;
	char	   *value;
	char	   *paragraph;		/* where it stands; NULL: not known */
} RuleOfPlan;

typedef struct PlanRuleSet
{
	int			n;
	RuleOfPlan *rules;
} PlanRuleSet;

/* Of a version, palloc'ed. */
extern PlanRuleSet *casino_rules_load(int64 plan_id);

/* Of an argument; 22023 for anything but an object of strings. */
extern PlanRuleSet *casino_rules_of_document(const Jsonb *document);

/* Value of a rule; NULL when the plan has none. */
extern const char *casino_rules_text(const PlanRuleSet *rules, const char *name);

/* Value of a rule that is a number; 55000 when the plan has none. */
extern int	casino_rules_number(const PlanRuleSet *rules, const char *name);

#endif							/* CASINO_PLAN_RULE_SET_H */
