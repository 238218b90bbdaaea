/*
 * module.c
 *	  Loading of the module, and its settings.
 */
#include "postgres.h"

#include <limits.h>

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "pgtime.h"
#include "utils/guc.h"

#include "casino.h"
#include "server/caller.h"
#include "server/recorder.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

/* casino.clock_skew */
int			casino_clock_skew = 5;

/* casino.shared_logins */
bool		casino_shared_logins = false;

/* casino.operator, read by SQL alone */
static char *operator_name = NULL;

/* casino.notify */
bool		casino_notify = false;

/* casino.request_memory, seconds */
int			casino_request_memory = 0;

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

	DefineCustomBoolVariable("casino.notify",
							 "Sends what happens to rounds with NOTIFY, on channel casino_round.",
							 "Each commit that sends waits for the others. doc/backend.md has the messages.",
							 &casino_notify,
							 false,
							 PGC_USERSET,
							 0,
							 NULL,
							 NULL,
							 NULL);

	DefineCustomStringVariable("casino.operator",
							   "Sets the operator that stands at the head of a page.",
							   "Empty: a page says that the setting is missing.",
							   &operator_name,
							   "",
							   PGC_SUSET,
							   0,
							   NULL, NULL, NULL);
	DefineCustomIntVariable("casino.request_memory",
							"Least time for which requests are remembered: a younger book is not put away.",
							"A night looks back over two months: less is for tests.",
							&casino_request_memory,
							62 * SECS_PER_DAY,
							0,
							INT_MAX,
							PGC_SUSET,
							GUC_UNIT_S,
							NULL,
							NULL,
							NULL);

	DefineCustomBoolVariable("casino.shared_logins",
							 "Several persons work under one login: two that are named count as two.",
							 "Off: what one login has done the same login cannot approve. Kept with every "
							 "entry and act.",
							 &casino_shared_logins,
							 false,
							 PGC_SUSET,
							 0,
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

	/*
	 * PostgreSQL keeps a zone that it has read.  A backend that had no memory left to read it would refuse a
	 * stake as 22023, which no client repeats.
	 */
	(void) pg_tzset("Europe/Prague");

	MarkGUCPrefixReserved("casino");
}
