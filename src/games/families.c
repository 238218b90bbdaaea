/*
 * families.c
 *	  The families of games by name, and for SQL.
 */
#include "games/families.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

static const FamilyRules *const families[CASINO_FAMILY_END] = {
#define CASINO_FAMILY(symbol, name)	[CASINO_FAMILY_##symbol] = &casino_##name##_family,
#include "core/games/family_list.h"
};

const FamilyRules *
casino_family_of_name(const char *name)
{
	return families[casino_family_lookup(name)];
}

const FamilyRules *
casino_family_rules(const RoundState *round)
{
	const FamilyRules *family = casino_family_of_name(round->family);

	if (family == NULL)
		elog(ERROR, "unknown family \"%s\" of games", round->family);
	return family;
}

Datum
casino_grade_datum(CasinoGrade grade, const CasinoBet *bet, const FamilyRules *family)
{
	if (grade == CASINO_GRADE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is not a bet of %s", casino_bet_kind_name(bet->kind), family->plan->name)));
	return CStringGetTextDatum(casino_grade_name(grade));
}

/* family_is_built(family): can its rounds be opened and settled? */
PG_FUNCTION_INFO_V1(casino_sql_family_is_built);
Datum
casino_sql_family_is_built(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_family_of_name(text_to_cstring(PG_GETARG_TEXT_PP(0))) != NULL);
}

/* families(): family, seats, between_players */
PG_FUNCTION_INFO_V1(casino_sql_families);
Datum
casino_sql_families(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = CASINO_FAMILY_NONE + 1; i < CASINO_FAMILY_END; i++)
	{
		const FamilyRules *family = families[i];
		Datum		values[3] = {CStringGetTextDatum(family->plan->name), Int32GetDatum(family->seats),
		BoolGetDatum(family->share != NULL)};
		bool		nulls[3] = {false, family->seats == 0, false};

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
