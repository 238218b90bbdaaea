/*
 * outcome_json.c
 *	  Reading and writing the members of outcome documents.
 */
#include "games/outcome_json.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "casino.h"
#include "server/refusal.h"

void
casino_outcome_illegal(const char *format,...)
{
	StringInfoData detail;
	va_list		args;
	int			needed;

	initStringInfo(&detail);
	for (;;)
	{
		va_start(args, format);
		needed = appendStringInfoVA(&detail, format, args);
		va_end(args);
		if (needed == 0)
			break;
		enlargeStringInfo(&detail, needed);
	}
	ereport(ERROR,
			(errrefusal(REFUSAL_ILLEGAL_OUTCOME, REFUSED_TEXT("why", detail.data)),
			 errmsg("illegal outcome"),
			 errdetail_internal("%s", detail.data)));
}

void
casino_outcome_check_members(const JsonbContainer *object, const char *const *names, int nnames)
{
	JsonbIterator *iterator;
	JsonbValue	key;
	JsonbIteratorToken token;

	if (!JsonContainerIsObject(object))
		casino_outcome_illegal("The outcome and each of its hands must be JSON objects.");
	iterator = JsonbIteratorInit((JsonbContainer *) object);
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
		{
			int			length = pg_mbcliplen(key.val.string.val, key.val.string.len, 64);

			casino_outcome_illegal("The outcome has an unknown member \"%.*s\".", length,
								   key.val.string.val);
		}
	}
}

JsonbValue *
casino_outcome_member(const JsonbContainer *object, const char *name, JsonbValue *buffer)
{
	casino_require_object(object, "an outcome document");
	return getKeyJsonValueFromContainer((JsonbContainer *) object, name, (int) strlen(name), buffer);
}

void
casino_outcome_read_hand(const JsonbContainer *object, const char *name, CasinoHand *hand)
{
	JsonbValue	buffer;
	JsonbValue *value = casino_outcome_member(object, name, &buffer);
	CasinoError error;

	if (value == NULL)
		casino_outcome_illegal("The outcome has no member \"%s\".", name);
	if (value->type != jbvString)
		casino_outcome_illegal("Member \"%s\" of the outcome must be cards in a string.", name);
	if (!casino_hand_parse(value->val.string.val, value->val.string.len, hand, &error))
		casino_ereport(&error, "invalid cards in member \"%s\" of the outcome", name);
}

int64
casino_outcome_integer(const JsonbValue *value, const char *name, int64 min, int64 max)
{
	Datum		number;
	int64		result;

	if (value->type != jbvNumeric)
		casino_outcome_illegal("Member \"%s\" of the outcome must be a number.", name);
	number = NumericGetDatum(value->val.numeric);
	if (!DatumGetBool(DirectFunctionCall2(numeric_ge, number, NumericGetDatum(int64_to_numeric(min)))) ||
		!DatumGetBool(DirectFunctionCall2(numeric_le, number, NumericGetDatum(int64_to_numeric(max)))))
		casino_outcome_illegal("Member \"%s\" of the outcome must be from " INT64_FORMAT " to "
							   INT64_FORMAT ".",
							   name, min, max);
	result = DatumGetInt64(DirectFunctionCall1(numeric_int8, number));
	if (!DatumGetBool(DirectFunctionCall2(numeric_eq, number, NumericGetDatum(int64_to_numeric(result)))))
		casino_outcome_illegal("Member \"%s\" of the outcome must be a whole number.", name);
	return result;
}

int64
casino_outcome_read_integer(const JsonbContainer *object, const char *name, int64 min, int64 max,
							int64 if_missing)
{
	JsonbValue	buffer;
	JsonbValue *value = casino_outcome_member(object, name, &buffer);

	return value == NULL ? if_missing : casino_outcome_integer(value, name, min, max);
}

bool
casino_outcome_read_flag(const JsonbContainer *object, const char *name)
{
	JsonbValue	buffer;
	JsonbValue *value = casino_outcome_member(object, name, &buffer);

	if (value == NULL)
		return false;
	if (value->type != jbvBool)
		casino_outcome_illegal("Member \"%s\" of the outcome must be true or false.", name);
	return value->val.boolean;
}

void
casino_outcome_push_key(JsonbParseState **state, const char *name)
{
	JsonbValue	key;

	key.type = jbvString;
	key.val.string.val = (char *) name;
	key.val.string.len = (int) strlen(name);
	pushJsonbValue(state, WJB_KEY, &key);
}

void
casino_outcome_push(JsonbParseState **state, const char *name, JsonbValue *value)
{
	casino_outcome_push_key(state, name);
	pushJsonbValue(state, WJB_VALUE, value);
}

void
casino_outcome_push_hand(JsonbParseState **state, const char *name, const CasinoHand *hand)
{
	char	   *text = palloc(CASINO_HAND_TEXT_SIZE);
	JsonbValue	value;

	value.type = jbvString;
	value.val.string.len = (int) casino_hand_print(hand, text);
	value.val.string.val = text;
	casino_outcome_push(state, name, &value);
}

void
casino_outcome_push_integer(JsonbParseState **state, const char *name, int64 value)
{
	JsonbValue	number;

	number.type = jbvNumeric;
	number.val.numeric = int64_to_numeric(value);
	casino_outcome_push(state, name, &number);
}

void
casino_outcome_push_flag(JsonbParseState **state, const char *name, bool value)
{
	JsonbValue	flag;

	flag.type = jbvBool;
	flag.val.boolean = value;
	casino_outcome_push(state, name, &flag);
}
