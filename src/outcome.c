/*
 * outcome.c
 *	  Outcome documents of the families of games that are built.
 */
#include "outcome.h"

#include "utils/builtins.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/baccarat.h"
#include "core/layout.h"

/* What a family does with its documents. */
typedef struct OutcomeFamily
{
	const char *name;
	void		(*read) (const Jsonb *document, Outcome *outcome);
	void		(*check) (const Outcome *outcome, Jsonb *rules);
} OutcomeFamily;

/* KR001 with its detail. */
static void
illegal(const char *detail)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_ILLEGAL_OUTCOME),
			 errmsg("illegal outcome"),
			 errdetail("%s", detail)));
}

/* Refuse anything but an object with these members and no others. */
static void
check_members(const Jsonb *document, const char *const *names, int nnames)
{
	JsonbIterator *iterator;
	JsonbValue	key;
	JsonbIteratorToken token;

	if (!JB_ROOT_IS_OBJECT(document))
		illegal("The outcome must be a JSON object.");
	iterator = JsonbIteratorInit((JsonbContainer *) &document->root);
	token = JsonbIteratorNext(&iterator, &key, true);
	while ((token = JsonbIteratorNext(&iterator, &key, true)) != WJB_DONE)
	{
		bool		known = false;

		if (token != WJB_KEY)
			continue;
		for (int i = 0; i < nnames && !known; i++)
			known = strlen(names[i]) == (size_t) key.val.string.len &&
				memcmp(names[i], key.val.string.val, key.val.string.len) == 0;
		if (!known)
			illegal(psprintf("The outcome has an unknown member \"%.*s\".",
							 Min(key.val.string.len, 64), key.val.string.val));
	}
}

/* A member of the document's object, NULL when it is not there. */
static JsonbValue *
member(const Jsonb *document, const char *name, JsonbValue *buffer)
{
	return getKeyJsonValueFromContainer((JsonbContainer *) &document->root, name,
										(int) strlen(name), buffer);
}

/* The cards of a member. */
static void
read_hand(const Jsonb *document, const char *name, CasinoHand *hand)
{
	JsonbValue	buffer;
	JsonbValue *value = member(document, name, &buffer);
	CasinoError error;

	if (value == NULL)
		illegal(psprintf("The outcome has no member \"%s\".", name));
	if (value->type != jbvString)
		illegal(psprintf("Member \"%s\" of the outcome must be cards in a string.", name));
	if (!casino_hand_parse(value->val.string.val, value->val.string.len, hand, &error))
		casino_ereport(&error, "invalid cards in member \"%s\" of the outcome", name);
}

/* Append a member to the object under construction. */
static void
push_member(JsonbParseState **state, const char *name, JsonbValue *value)
{
	JsonbValue	key;

	key.type = jbvString;
	key.val.string.val = (char *) name;
	key.val.string.len = (int) strlen(name);
	pushJsonbValue(state, WJB_KEY, &key);
	pushJsonbValue(state, WJB_VALUE, value);
}

/* Append cards in their canonical text. */
static void
push_hand(JsonbParseState **state, const char *name, const CasinoHand *hand)
{
	char	   *text = palloc(CASINO_HAND_TEXT_SIZE);
	JsonbValue	value;

	value.type = jbvString;
	value.val.string.len = (int) casino_hand_print(hand, text);
	value.val.string.val = text;
	push_member(state, name, &value);
}

/* {"number": 17} */
static void
read_roulette(const Jsonb *document, Outcome *outcome)
{
	static const char *const names[] = {"number"};
	JsonbParseState *state = NULL;
	JsonbValue	buffer;
	JsonbValue *value;
	Datum		number;

	check_members(document, names, lengthof(names));
	value = member(document, "number", &buffer);
	if (value == NULL || value->type != jbvNumeric)
		illegal("Member \"number\" of the outcome must be a number from 0 to 36.");
	number = DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric));
	if (DatumGetBool(DirectFunctionCall2(numeric_lt, NumericGetDatum(value->val.numeric),
										 NumericGetDatum(int64_to_numeric(0)))) ||
		DatumGetBool(DirectFunctionCall2(numeric_ge, NumericGetDatum(value->val.numeric),
										 NumericGetDatum(int64_to_numeric(CASINO_ROULETTE_NUMBERS)))))
		illegal(psprintf("%s is not a number of the wheel, 0 to 36.", DatumGetCString(number)));
	outcome->number = DatumGetInt32(DirectFunctionCall1(numeric_int4,
														NumericGetDatum(value->val.numeric)));
	if (!DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(value->val.numeric),
										  NumericGetDatum(int64_to_numeric(outcome->number)))))
		illegal(psprintf("%s is not a number of the wheel, 0 to 36.", DatumGetCString(number)));

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	buffer.type = jbvNumeric;
	buffer.val.numeric = int64_to_numeric(outcome->number);
	push_member(&state, "number", &buffer);
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* A number that the wheel has can always have fallen. */
static void
check_roulette(const Outcome *outcome, Jsonb *rules)
{
	Assert(outcome->number >= 0 && outcome->number < CASINO_ROULETTE_NUMBERS);
}

/* {"player": "9h 4d", "banker": "Kc 7s 2d"} */
static void
read_baccarat(const Jsonb *document, Outcome *outcome)
{
	static const char *const sides[] = {"player", "banker"};
	JsonbParseState *state = NULL;

	check_members(document, sides, lengthof(sides));
	outcome->nhands = lengthof(sides);
	outcome->hands = palloc0(sizeof(OutcomeHand) * lengthof(sides));
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < (int) lengthof(sides); i++)
	{
		outcome->hands[i].side = sides[i];
		outcome->hands[i].hand = 1;
		read_hand(document, sides[i], &outcome->hands[i].cards);
		push_hand(&state, sides[i], &outcome->hands[i].cards);
	}
	outcome->canonical = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

/* A number among the plan's rules. */
static int
rule_number(Jsonb *rules, const char *name)
{
	JsonbValue	buffer;
	JsonbValue *value = member(rules, name, &buffer);

	if (value == NULL || value->type != jbvString)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the game plan has no rule \"%s\"", name)));
	return pg_strtoint32(pnstrdup(value->val.string.val, value->val.string.len));
}

/* D4 Baccarat §9 */
static void
check_baccarat(const Outcome *outcome, Jsonb *rules)
{
	CasinoError error;

	if (!casino_baccarat_check(&outcome->hands[0].cards, &outcome->hands[1].cards,
							   rule_number(rules, "decks"), &error))
		casino_ereport(&error, "illegal outcome");
}

static const OutcomeFamily families[] = {
	{"roulette", read_roulette, check_roulette},
	{"baccarat", read_baccarat, check_baccarat},
};

/* Family of its name, NULL when it is not built. */
static const OutcomeFamily *
family_of_name(const char *name)
{
	for (int i = 0; i < (int) lengthof(families); i++)
		if (strcmp(families[i].name, name) == 0)
			return &families[i];
	return NULL;
}

bool
casino_family_is_built(const char *family)
{
	return family_of_name(family) != NULL;
}

void
casino_outcome_read(const char *family, const Jsonb *document, Outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->family = family_of_name(family);
	if (outcome->family == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("games of the family \"%s\" cannot be settled yet", family)));
	outcome->family->read(document, outcome);
}

void
casino_outcome_check(const Outcome *outcome, Jsonb *rules)
{
	outcome->family->check(outcome, rules);
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

	casino_outcome_read(family, PG_GETARG_JSONB_P(2), &outcome);
	casino_outcome_check(&outcome, PG_GETARG_JSONB_P(1));
	PG_RETURN_JSONB_P(outcome.canonical);
}
