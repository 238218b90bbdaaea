/*
 * families.c
 *	  The families of games.
 */
#include "games/families.h"

static const FamilyRules *const families[] = {
	&casino_roulette_family,
	&casino_baccarat_family,
	&casino_blackjack_family,
	&casino_casino_holdem_family,
	&casino_texas_holdem_family,
};

static LedgerQuery load_rules = {
	.sql = "SELECT coalesce(jsonb_object_agg(rule, value), '{}')"
	"  FROM casino.plan_rule WHERE plan_id = $1",
	.args = {ARG_INT8}
};

const FamilyRules *
casino_family_rules(const RoundState *round)
{
	for (int i = 0; i < (int) lengthof(families); i++)
		if (strcmp(families[i]->family, round->family) == 0)
			return families[i];
	elog(ERROR, "unknown family \"%s\" of games", round->family);
	return NULL;				/* keep compilers quiet */
}

Jsonb *
casino_plan_rules(int64 plan_id)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	bool		isnull;

	casino_look(&load_rules, values, NULL);
	return DatumGetJsonbPCopy(casino_column(0, 1, &isnull));
}
