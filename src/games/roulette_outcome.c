/*
 * roulette_outcome.c
 *	  {"number": 17}
 */
#include "games/outcome.h"

#include "core/layout.h"
#include "games/outcome_json.h"

/* The one member; there is nothing partial about a number. */
static void
read_roulette(const Jsonb *document, bool partial, Outcome *outcome)
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

/* A number that the wheel has can always have fallen. */
static void
check_roulette(const Outcome *outcome, const Jsonb *rules)
{
}

const OutcomeFamily casino_outcome_roulette = {"roulette", read_roulette, check_roulette};
