/*
 * outcome.c
 *	  Outcome documents, by family of games.
 */
#include "games/outcome.h"

#include "fmgr.h"
#include "utils/builtins.h"

static const OutcomeFamily *const families[] = {
	&casino_outcome_roulette,
	&casino_outcome_baccarat,
	&casino_outcome_blackjack,
	&casino_outcome_casino_holdem,
	&casino_outcome_texas_holdem,
};

/* Family of its name, NULL when it is not built. */
static const OutcomeFamily *
family_of_name(const char *name)
{
	for (int i = 0; i < (int) lengthof(families); i++)
		if (strcmp(families[i]->name, name) == 0)
			return families[i];
	return NULL;
}

bool
casino_family_is_built(const char *family)
{
	return family_of_name(family) != NULL;
}

void
casino_outcome_read(const char *family, const Jsonb *document, bool partial, Outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->family = family_of_name(family);
	if (outcome->family == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("games of the family \"%s\" cannot be settled yet", family)));
	outcome->family->read(document, partial, outcome);
}

void
casino_outcome_check(const Outcome *outcome, const Jsonb *rules)
{
	outcome->family->check(outcome, rules);
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

/* family_is_built(family): can its rounds be opened and settled? */
PG_FUNCTION_INFO_V1(casino_sql_family_is_built);
Datum
casino_sql_family_is_built(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_family_is_built(text_to_cstring(PG_GETARG_TEXT_PP(0))));
}

/*
 * canonical_outcome(family, rules, outcome): the document in one form, after
 * all checks that need no wagers.
 */
PG_FUNCTION_INFO_V1(casino_sql_canonical_outcome);
Datum
casino_sql_canonical_outcome(PG_FUNCTION_ARGS)
{
	char	   *family = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Outcome		outcome;

	casino_outcome_read(family, PG_GETARG_JSONB_P(2), false, &outcome);
	casino_outcome_check(&outcome, PG_GETARG_JSONB_P(1));
	PG_RETURN_JSONB_P(outcome.canonical);
}
