/*
 * casino.c
 *	  Loading of the module, its setting, and the way from an error of the pure
 *	  core to an ereport.
 */
#include "postgres.h"

#include <limits.h>

#include "lib/stringinfo.h"
#include "utils/guc.h"

#include "casino.h"
#include "server/caller.h"
#include "server/recorder.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

/* casino.clock_skew */
int			casino_clock_skew = 5;

/* casino.store */
bool		casino_use_store = true;

/*
 * Module load: define the settings and refuse every other of their prefix.
 */
void
_PG_init(void)
{
	DefineCustomIntVariable("casino.clock_skew",
							"Seconds by which an event's time may differ from the clock.",
							"-1 allows any difference, for replays.",
							&casino_clock_skew,
							5,
							CASINO_CLOCK_SKEW_ANY,
							INT_MAX,
							PGC_SUSET,
							GUC_UNIT_S,
							NULL,
							NULL,
							NULL);

	DefineCustomBoolVariable("casino.store",
							 "Reads and writes the hot tables without the executor.",
							 "Off: by SQL, as where a table has triggers or constraints of the operator's.",
							 &casino_use_store,
							 true,
							 PGC_SUSET,
							 GUC_NOT_IN_SAMPLE,
							 NULL,
							 NULL,
							 NULL);

	casino_caller_init();
	casino_recorder_init();

	MarkGUCPrefixReserved("casino");
}

/*
 * The SQLSTATE that goes with a code of the core.
 */
int
casino_errcode(CasinoErrorCode code)
{
	switch (code)
	{
		case CASINO_MALFORMED:
			return ERRCODE_INVALID_TEXT_REPRESENTATION;
		case CASINO_OUT_OF_RANGE:
			return ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE;
		case CASINO_ILLEGAL_OUTCOME:
			return CASINO_ERRCODE_ILLEGAL_OUTCOME;
		case CASINO_OK:
			break;
	}
	return ERRCODE_INTERNAL_ERROR;
}

/*
 * Report an error of the core under a message of the caller; the core's
 * sentence becomes the detail.
 */
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

	ereport(ERROR,
			(errcode(casino_errcode(error->code)),
			 errmsg_internal("%s", message.data),
			 errdetail_internal("%s", error->detail)));
}

/*
 * Report that a type's input function refuses a text, in the words PostgreSQL
 * uses for its own types.
 */
void
casino_ereport_input(const CasinoError *error, const char *type_name,
					 const char *text)
{
	if (error->code == CASINO_OUT_OF_RANGE)
		casino_ereport(error, "value \"%s\" is out of range for type %s",
					   text, type_name);
	casino_ereport(error, "invalid input syntax for type %s: \"%s\"",
				   type_name, text);
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
