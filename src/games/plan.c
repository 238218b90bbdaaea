/*
 * plan.c
 *	  SQL functions by which plan data are checked: the rules, kinds of bet and
 *	  grades that a family of games has.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "casino.h"
#include "core/bet.h"
#include "core/games/plan_grades.h"
#include "core/games/plan_rules.h"
#include "games/families.h"
#include "state/plan_bets.h"

/* The family of a name; 22023 when there is none. */
static CasinoFamily
get_family(const text * name)
{
	char	   *family = text_to_cstring(name);
	CasinoFamily found = casino_family_lookup(family);

	if (found == CASINO_FAMILY_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no family of games \"%s\"", family)));
	return found;
}

/* plan_rules(family): rule, informative, required */
PG_FUNCTION_INFO_V1(casino_sql_plan_rules);
Datum
casino_sql_plan_rules(PG_FUNCTION_ARGS)
{
	CasinoFamily family = get_family(PG_GETARG_TEXT_PP(0));
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	CasinoPlanRule rule;

	InitMaterializedSRF(fcinfo, 0);
	for (int n = 0; casino_plan_rule(family, n, &rule); n++)
	{
		Datum		values[3] = {CStringGetTextDatum(rule.name), BoolGetDatum(rule.informative),
		BoolGetDatum(rule.required)};
		bool		nulls[3] = {false, false, false};

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* plan_rule_problem(family, rule, value): why it is none, NULL when it is one */
PG_FUNCTION_INFO_V1(casino_sql_plan_rule_problem);
Datum
casino_sql_plan_rule_problem(PG_FUNCTION_ARGS)
{
	CasinoError error;

	if (casino_plan_rule_check(get_family(PG_GETARG_TEXT_PP(0)), text_to_cstring(PG_GETARG_TEXT_PP(1)),
							   text_to_cstring(PG_GETARG_TEXT_PP(2)), &error))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(error.detail));
}

/* plan_kinds(family): kinds of bet of its games */
PG_FUNCTION_INFO_V1(casino_sql_plan_kinds);
Datum
casino_sql_plan_kinds(PG_FUNCTION_ARGS)
{
	CasinoFamily family = get_family(PG_GETARG_TEXT_PP(0));
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		Datum		value = CStringGetTextDatum(casino_bet_kind_name(kind));
		bool		isnull = false;

		if (casino_plan_has_kind(family, kind))
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &value, &isnull);
	}
	return (Datum) 0;
}

/*
 * plan_grades(family, rules): kind and grade of all that can be paid under the rules; rules NULL: under
 * any
 */
PG_FUNCTION_INFO_V1(casino_sql_plan_grades);
Datum
casino_sql_plan_grades(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	const void *rules = NULL;
	const FamilyRules *registered;
	CasinoFamily family;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("family must be given")));
	family = get_family(PG_GETARG_TEXT_PP(0));
	registered = casino_family_of_name(casino_family_name(family));
	if (!PG_ARGISNULL(1) && registered->read_rules != NULL)
		rules = registered->read_rules(casino_rules_of_document(PG_GETARG_JSONB_P(1)));
	InitMaterializedSRF(fcinfo, 0);
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		CasinoGrades grades = casino_plan_grades(family, kind, rules);

		for (int grade = CASINO_LOSE; grade < CASINO_GRADE_END; grade++)
		{
			Datum		values[2];
			bool		nulls[2] = {false, false};

			if ((grades & CASINO_GRADE_BIT(grade)) == 0)
				continue;
			values[0] = CStringGetTextDatum(casino_bet_kind_name(kind));
			values[1] = CStringGetTextDatum(casino_grade_name((CasinoGrade) grade));
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		}
	}
	return (Datum) 0;
}

/* plan_is_checked(plan_id): was the version found without problems before? */
PG_FUNCTION_INFO_V1(casino_sql_plan_is_checked);
Datum
casino_sql_plan_is_checked(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_plan_is_checked(PG_GETARG_INT64(0)));
}

/* plan_note_checked(plan_id): the version in force has no problems */
PG_FUNCTION_INFO_V1(casino_sql_plan_note_checked);
Datum
casino_sql_plan_note_checked(PG_FUNCTION_ARGS)
{
	casino_plan_note_checked(PG_GETARG_INT64(0));
	PG_RETURN_VOID();
}
