/*
 * outcome.c
 *	  Outcome documents, by family of games.
 */
#include "games/outcome.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "games/families.h"

void
casino_outcome_read(const FamilyRules *family, const Jsonb *document, bool partial, Outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->family = family;
	family->read_outcome(document, partial, outcome);
}

void
casino_outcome_check(const Outcome *outcome, const PlanRuleSet *rules)
{
	if (outcome->family->check_outcome != NULL)
		outcome->family->check_outcome(outcome, rules);
}

const OutcomeHand *
casino_outcome_hand(const Outcome *outcome, const char *side, int seat, int group, int hand)
{
	for (int i = 0; i < outcome->nhands; i++)
	{
		const OutcomeHand *h = &outcome->hands[i];

		if (h->seat == seat && h->group == group && h->hand == hand && strcmp(h->side, side) == 0)
			return h;
	}
	return NULL;
}

/*
 * canonical_outcome(family, rules, outcome): the document in one form, after
 * all checks that need no wagers.
 */
PG_FUNCTION_INFO_V1(casino_sql_canonical_outcome);
Datum
casino_sql_canonical_outcome(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const FamilyRules *family = casino_family_of_name(name);
	Outcome		outcome;

	if (family == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("games of the family \"%s\" cannot be settled yet", name)));
	casino_outcome_read(family, PG_GETARG_JSONB_P(2), false, &outcome);
	casino_outcome_check(&outcome, casino_rules_of_document(PG_GETARG_JSONB_P(1)));
	PG_RETURN_JSONB_P(outcome.canonical);
}
