/*
 * bounds.c
 *	  Bounds of texts that are kept.
 *
 * The tables have the same bounds as constraints; what is refused here is
 * refused by the name of the argument and before anything is locked or read.
 */
#include "server/bounds.h"

#include "utils/builtins.h"

#include "casino.h"
#include "compat.h"

/* 22001: value has more bytes than may be kept */
static void
too_long(const char *name, int64 bytes, int max)
{
	ereport(ERROR,
			(errcode(ERRCODE_STRING_DATA_RIGHT_TRUNCATION),
			 errmsg("%s is too long", name),
			 errdetail("It has " INT64_FORMAT " bytes, at most %d are kept.", bytes, max)));
}

void
casino_bound_text(const char *name, const text * value, int bytes)
{
	if (value != NULL && VARSIZE_ANY_EXHDR(value) > (Size) bytes)
		too_long(name, (int64) VARSIZE_ANY_EXHDR(value), bytes);
}

void
casino_bound_cstring(const char *name, const char *value, int bytes)
{
	if (value != NULL && strlen(value) > (size_t) bytes)
		too_long(name, (int64) strlen(value), bytes);
}

bool
casino_is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

char *
casino_reason_argument(FunctionCallInfo fcinfo, int n, const char *what)
{
	char	   *reason;

	casino_require_argument(fcinfo, n, "reason");
	casino_bound_text("reason", PG_GETARG_TEXT_PP(n), CASINO_REASON_BYTES);
	reason = text_to_cstring(PG_GETARG_TEXT_PP(n));
	if (casino_is_blank(reason))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s needs a reason", what)));
	return reason;
}

void
casino_bound_document(const char *name, const Jsonb *document)
{
	if (VARSIZE(document) > CASINO_DOCUMENT_BYTES)
		too_long(name, (int64) VARSIZE(document), CASINO_DOCUMENT_BYTES);
}

/* bounded(value, name, bytes): the value itself; 22001 when it is longer */
PG_FUNCTION_INFO_V1(casino_sql_bounded);
Datum
casino_sql_bounded(PG_FUNCTION_ARGS)
{
	text	   *value = PG_GETARG_TEXT_PP(0);

	casino_bound_text(text_to_cstring(PG_GETARG_TEXT_PP(1)), value, PG_GETARG_INT32(2));
	PG_RETURN_TEXT_P(value);
}
