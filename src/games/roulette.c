/*
 * roulette.c
 *	  Roulette: its outcome {"number": 17}, grading, counting, and its functions
 *	  in SQL.
 */
#include "games/families.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "casino.h"
#include "core/games/announced.h"
#include "core/returns/count_roulette.h"
#include "core/layout.h"
#include "core/games/roulette.h"
#include "games/outcome_json.h"
#include "state/round.h"

/* The one member; there is nothing partial about a number. */
static void
read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const names[] = {"number"};
	JsonbParseState *state = NULL;
	JsonbValue	buffer;
	JsonbValue *value;
	int64		number;

	casino_outcome_check_members(&document->root, names, lengthof(names));
	value = casino_outcome_member(&document->root, "number", &buffer);
	if (value == NULL)
		casino_outcome_illegal("The outcome has no member \"number\".");
	number = casino_outcome_integer(value, "number", 0, CASINO_ROULETTE_NUMBERS - 1);
	outcome->number = (int) number;
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	casino_outcome_push_integer(&state, "number", number);
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* See families.h. */
static void
count(int kind, const char *name, const PlanRuleSet *rules, const CasinoOdds *odds, CasinoCountSink sink,
	  void *context)
{
	if (kind != 0)
		(void) casino_count_roulette(kind, sink, context);
	else
		(void) casino_count_announced(name, odds, sink, context);
}

/* A number that the wheel has can always have fallen; every position stands for itself. */
const FamilyRules casino_roulette_family = {
	.plan = &casino_roulette_plan,
	.read_outcome = read_outcome,
	.count = count
};

/* grade_roulette(bet, number) */
PG_FUNCTION_INFO_V1(casino_sql_grade_roulette);
Datum
casino_sql_grade_roulette(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	int			number = PG_GETARG_INT32(1);

	if (number < 0 || number > 36)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%d is not a number of the wheel", number)));
	return casino_grade_datum(casino_grade_roulette(bet, number), bet, &casino_roulette_family);
}

/* announced_stem(name): what a plan offers, the name up to its colon; NULL when unknown */
PG_FUNCTION_INFO_V1(casino_sql_announced_stem);
Datum
casino_sql_announced_stem(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(0);
	size_t		length = casino_announced_stem(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));

	if (length == 0)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text_with_len(VARDATA_ANY(name), (int) length));
}

/* expand_announced(name, chip): the bets an announced bet is made of, whatever a plan offers */
PG_FUNCTION_INFO_V1(casino_sql_expand_announced);
Datum
casino_sql_expand_announced(PG_FUNCTION_ARGS)
{
	text	   *name = PG_GETARG_TEXT_PP(0);
	int64		chip = casino_numeric_to_halere(PG_GETARG_NUMERIC(1));
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	CasinoAnnounced announced;
	CasinoError error;

	if (!casino_announced_expand(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name), chip,
								 &announced, &error))
		casino_ereport(&error, "invalid announced bet \"%s\"", text_to_cstring(name));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	for (int i = 0; i < announced.count; i++)
	{
		Datum		value = BetGetDatum(&announced.bets[i]);
		bool		isnull = false;

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &value, &isnull);
	}
	return (Datum) 0;
}
