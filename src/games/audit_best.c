/*
 * audit_best.c
 *	  SQL function that finds the most one player's bets can win together
 *	  (core/returns/best_round.h).
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "casino.h"
#include "core/returns/best_round.h"
#include "games/audit.h"
#include "games/families.h"
#include "games/odds_document.h"

/* Greatest stakes {kind: CZK}. */
static void
read_stakes(const Jsonb *document, CasinoStakes *stakes)
{
	memset(stakes, 0, sizeof(*stakes));
	casino_require_object(&document->root, "the greatest stakes");
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		const char *name = casino_bet_kind_name(kind);
		JsonbValue	value;

		if (getKeyJsonValueFromContainer((JsonbContainer *) &document->root, name, strlen(name),
										 &value) == NULL)
			continue;
		if (value.type != jbvNumeric)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the greatest stake of %s must be a number", name)));
		stakes->most[kind] = casino_numeric_to_halere(value.val.numeric);
		if (stakes->most[kind] > CASINO_STAKE_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("the greatest stake of %s is out of range", name)));
	}
}

/* The best round of these arguments; false for a family that has none. */
static bool
find_best(const char *family_name, const Jsonb *rules, const Jsonb *odds_document,
		  const Jsonb *stakes_document,
		  CasinoBestRound *best)
{
	const FamilyRules *family = casino_family_of_name(family_name);
	CasinoStakes stakes;
	CasinoOdds	odds;

	if (family == NULL || family->best_round == NULL)
		return false;
	memset(best, 0, sizeof(*best));
	casino_odds_read(odds_document, &odds);
	read_stakes(stakes_document, &stakes);
	family->best_round(casino_rules_of_document(rules), &odds, &stakes, best);
	return true;
}

/* best_round(family, rules, odds, stakes): profit, cards; NULL for other families */
PG_FUNCTION_INFO_V1(casino_sql_best_round);
Datum
casino_sql_best_round(PG_FUNCTION_ARGS)
{
	const CasinoBestRound *kept = casino_audit_kept(fcinfo);
	CasinoBestRound best;
	TupleDesc	desc;
	Datum		values[2];
	bool		nulls[2] = {false};

	if (kept != NULL)
		best = *kept;
	else
	{
		if (!find_best(text_to_cstring(PG_GETARG_TEXT_PP(0)), PG_GETARG_JSONB_P(1), PG_GETARG_JSONB_P(2),
					   PG_GETARG_JSONB_P(3), &best))
			PG_RETURN_NULL();
		casino_audit_keep(fcinfo, &best, sizeof(best));
	}
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	values[0] = NumericGetDatum(casino_halere_to_numeric(best.profit));
	values[1] = CStringGetTextDatum(best.cards);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
