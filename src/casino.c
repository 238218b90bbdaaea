/*
 * casino.c
 *	  The way from an error of the pure core to an ereport.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "casino.h"
#include "server/refusal.h"

/*
 * Report an error of the core under a message; the core's sentence becomes the
 * detail.  The hint may be NULL.
 */
static void
pg_attribute_noreturn()
report(const CasinoError *error, const char *message, const char *hint)
{
	ereport(ERROR,
			(casino_errcore(error),
			 errmsg_internal("%s", message),
			 errdetail_internal("%s", error->detail),
			 hint == NULL ? 0 : errhint("%s", hint)));
}

/* The same, with a message in the style of printf. */
void
casino_ereport(const CasinoError *error, const char *format,...)
{
	StringInfoData message;

	initStringInfo(&message);
	for (;;)
	{
		va_list		args;
		int			needed;

		va_start(args, format);
		needed = appendStringInfoVA(&message, format, args);
		va_end(args);
		if (needed == 0)
			break;
		enlargeStringInfo(&message, needed);
	}
	report(error, message.data, NULL);
}

/*
 * Report that a type's input function refuses a text, in the words PostgreSQL
 * uses for its own types.  The hint, NULL for none, is for a malformed text.
 */
void
casino_ereport_input(const CasinoError *error, const char *type_name,
					 const char *text, const char *hint)
{
	if (error->code == CASINO_OUT_OF_RANGE)
		casino_ereport(error, "value \"%s\" is out of range for type %s",
					   text, type_name);
	report(error, psprintf("invalid input syntax for type %s: \"%s\"", type_name, text), hint);
}

/*
 * Report that a type's receive function refuses its bytes.  What is malformed
 * as text is an invalid binary representation here; an amount out of range
 * keeps its code.
 */
void
casino_ereport_binary(const CasinoError *error, const char *type_name)
{
	if (error->code == CASINO_OUT_OF_RANGE)
		casino_ereport(error, "binary value is out of range for type %s", type_name);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid binary representation of type %s", type_name),
			 errdetail_internal("%s", error->detail)));
}
