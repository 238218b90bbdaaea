/*
 * canonical_json.c
 *	  jsonb in one form: no white space, members in the order jsonb keeps them
 *	  (by length of the name, then by its bytes), numbers in decimal notation
 *	  as they came, strings with the least escapes.
 */
#include "evidence/evidence.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "core/evidence/line.h"

static void
put(CasinoBuffer *buffer, const char *text)
{
	casino_buffer_put(buffer, text, strlen(text));
}

static void
write_scalar(CasinoBuffer *buffer, const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			casino_line_string(buffer, value->val.string.val, (size_t) value->val.string.len);
			break;
		case jbvNumeric:
			put(buffer, DatumGetCString(DirectFunctionCall1(numeric_out,
															NumericGetDatum(value->val.numeric))));
			break;
		case jbvBool:
			put(buffer, value->val.boolean ? "true" : "false");
			break;
		default:
			put(buffer, "null");
	}
}

void
casino_json_write(CasinoBuffer *buffer, JsonbContainer *container)
{
	JsonbIterator *iterator = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	value;
	bool		comma = false;
	bool		raw_scalar = false;

	/* jsonb has its keys in one order; a comma stands before what follows something on its level */
	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		switch (token)
		{
			case WJB_BEGIN_ARRAY:
				if (comma)
					put(buffer, ",");
				if (value.val.array.rawScalar)
					raw_scalar = true;
				else
					put(buffer, "[");
				comma = false;
				break;
			case WJB_BEGIN_OBJECT:
				put(buffer, comma ? ",{" : "{");
				comma = false;
				break;
			case WJB_KEY:
				if (comma)
					put(buffer, ",");
				write_scalar(buffer, &value);
				put(buffer, ":");
				comma = false;
				break;
			case WJB_VALUE:
			case WJB_ELEM:
				if (comma)
					put(buffer, ",");
				write_scalar(buffer, &value);
				comma = true;
				break;
			case WJB_END_ARRAY:
				if (!raw_scalar)
					put(buffer, "]");
				comma = true;
				break;
			case WJB_END_OBJECT:
				put(buffer, "}");
				comma = true;
				break;
			default:
				elog(ERROR, "unexpected jsonb token %d", (int) token);
		}
	}
}
