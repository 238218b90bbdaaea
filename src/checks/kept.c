/*
 * kept.c
 *	  What a step of a nightly run keeps for the next ones: what the sieve has
 *	  named, and what became of the lines of the providers.
 *
 * It is the session's memory: a table could be written to by others, and a run
 * that goes on in another session finds it out again.  Outside of a run
 * nothing is kept, so that nobody can have prepared it.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/memutils.h"

#include "checks/kept.h"
#include "compat.h"

typedef enum KeptSlot
{
	KEPT_SUSPECTS, KEPT_FINDINGS, KEPT_SLOTS
} KeptSlot;

static bool keeping;
static MemoryContext context;
static struct varlena *values[KEPT_SLOTS];

void
casino_kept_reset(bool running)
{
	if (context == NULL)
		context = AllocSetContextCreate(TopMemoryContext, "casino kept for a run", ALLOCSET_SMALL_SIZES);
	MemoryContextReset(context);
	memset(values, 0, sizeof(values));
	keeping = running;
}

static Datum
keep(KeptSlot slot, FunctionCallInfo fcinfo)
{
	if (keeping)
	{
		struct varlena *value = PG_DETOAST_DATUM(PG_GETARG_DATUM(0));

		values[slot] = MemoryContextAllocHuge(context, VARSIZE(value));
		memcpy(values[slot], value, VARSIZE(value));
	}
	PG_RETURN_VOID();
}

static Datum
kept(KeptSlot slot, FunctionCallInfo fcinfo)
{
	if (values[slot] == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(values[slot]);
}

/* keep_suspects(numbers), kept_suspects(): see casino_internal.suspects() */
PG_FUNCTION_INFO_V1(casino_sql_keep_suspects);
Datum
casino_sql_keep_suspects(PG_FUNCTION_ARGS)
{
	return keep(KEPT_SUSPECTS, fcinfo);
}

PG_FUNCTION_INFO_V1(casino_sql_kept_suspects);
Datum
casino_sql_kept_suspects(PG_FUNCTION_ARGS)
{
	return kept(KEPT_SUSPECTS, fcinfo);
}

/* keep_findings(lines), kept_findings(): see casino_internal.provider_findings() */
PG_FUNCTION_INFO_V1(casino_sql_keep_findings);
Datum
casino_sql_keep_findings(PG_FUNCTION_ARGS)
{
	return keep(KEPT_FINDINGS, fcinfo);
}

PG_FUNCTION_INFO_V1(casino_sql_kept_findings);
Datum
casino_sql_kept_findings(PG_FUNCTION_ARGS)
{
	return kept(KEPT_FINDINGS, fcinfo);
}
