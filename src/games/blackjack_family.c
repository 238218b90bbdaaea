/*
 * blackjack_family.c
 *	  Blackjack in the registry of families, and the rules of its plans.
 */
#include "games/blackjack_table.h"

#include "core/returns/count_blackjack.h"
#include "core/returns/count_play.h"
#include "games/blackjack_box.h"

/* selection of the main bet's rows at tables that offer surrender */
#define WITH_SURRENDER	"surrender"

void
casino_blackjack_rules_of(const PlanRuleSet *set, CasinoBlackjackRules *rules,
						  CasinoBlackjackSources *sources)
{
	CasinoError error;

	memset(rules, 0, sizeof(*rules));
	if (sources != NULL)
		memset(sources, 0, sizeof(*sources));
	for (int i = 0; i < set->n; i++)
	{
		const RuleOfPlan *rule = &set->rules[i];

		if (!casino_blackjack_rule_set(rules, rule->name, rule->value, &error))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the game plan has a wrong value of rule \"%s\"", rule->name),
					 errdetail_internal("%s", error.detail)));
		if (sources != NULL)
			casino_blackjack_source_set(sources, rule->name, rule->paragraph);
	}
	if (!casino_blackjack_rules_complete(rules, &error))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the game plan lacks a rule of blackjack"),
				 errdetail_internal("%s", error.detail)));
}

void
casino_blackjack_plan_load(int64 plan_id, CasinoBlackjackRules *rules, CasinoBlackjackSources *sources)
{
	casino_blackjack_rules_of(casino_rules_load(plan_id), rules, sources);
}

/* See families.h. */
static const void *
read_rules(const PlanRuleSet *set)
{
	CasinoBlackjackRules *rules = palloc(sizeof(CasinoBlackjackRules));

	casino_blackjack_rules_of(set, rules, NULL);
	return rules;
}

/* See families.h.  The main bet is counted without and, where a table may offer it, with surrender. */
static void
count(int kind, const char *name, const PlanRuleSet *set, const CasinoOdds *odds, CasinoCountSink sink,
	  void *context)
{
	CasinoBlackjackRules rules;

	casino_blackjack_rules_of(set, &rules, NULL);
	if (kind != CASINO_MAIN)
		(void) casino_count_blackjack(kind, &rules, sink, context);
	else if (casino_count_play(&rules, odds, false, "", sink, context) &&
			 rules.surrender == CASINO_SURRENDER_TABLE)
		(void) casino_count_play(&rules, odds, true, WITH_SURRENDER, sink, context);
}

/* See families.h: of one box. */
static void
best_round(const PlanRuleSet *set, const CasinoOdds *odds, const CasinoStakes *stakes, CasinoBestRound *best)
{
	CasinoBlackjackRules rules;

	casino_blackjack_rules_of(set, &rules, NULL);
	casino_best_box(&rules, odds, stakes, best);
}

const FamilyRules casino_blackjack_family = {
	.plan = &casino_blackjack_plan,
	.read_outcome = casino_blackjack_read_outcome,
	.check_outcome = casino_blackjack_check_outcome,
	.hands = casino_blackjack_hands,
	.check_stakes = casino_blackjack_check_stakes,
	.hand_over = casino_blackjack_hand_over,
	.decide = casino_blackjack_decide,
	.check_round = casino_blackjack_check_round,
	.quote_hands = casino_blackjack_quote_hands,
	.read_rules = read_rules,
	.count = count,
	.best_round = best_round
};
