/*
 * coin.c
 *	  A coin: its outcome {"number": 1} (1 is heads, 0 tails), grading, and its
 *	  function in SQL.
 */
#include "games/families.h"

#include "fmgr.h"

#include "casino.h"
#include "core/games/coin.h"
#include "games/outcome_json.h"

/* See families.h. */
static void
read_outcome(const Jsonb *document, bool partial, Outcome *outcome)
{
	static const char *const names[] = {"number"};
	JsonbParseState *state = NULL;
	JsonbValue	buffer;
	JsonbValue *value;

	casino_outcome_check_members(&document->root, names, lengthof(names));
	value = casino_outcome_member(&document->root, "number", &buffer);
	if (value == NULL)
		casino_outcome_illegal("The outcome has no member \"number\".");
	outcome->number = (int) casino_outcome_integer(value, "number", 0, 1);
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	casino_outcome_push_integer(&state, "number", outcome->number);
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

const FamilyRules casino_coin_family = {
	.plan = &casino_coin_plan,
	.read_outcome = read_outcome
};

/* grade_coin(bet, side) */
PG_FUNCTION_INFO_V1(casino_sql_grade_coin);
Datum
casino_sql_grade_coin(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);

	return casino_grade_datum(casino_grade_coin(bet, PG_GETARG_INT32(1)), bet, &casino_coin_family);
}
