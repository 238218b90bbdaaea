/*
 * kept.c
 *	  What a check of a night, of reconcile() or of check_days() keeps for the
 *	  next checks: the suspects of the sieve, and the findings about the lines
 *	  of the providers.
 *
 * The session's memory keeps them, because others could write to a table.  A
 * run that goes on in another session finds them out again.  Outside of a run
 * nothing is kept, so that no caller can have prepared the suspects.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/memutils.h"

#include "checks/kept.h"
#include "compat.h"

static Kept current;

void
casino_kept_begin(Kept *outer)
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "casino kept for a run",
												  ALLOCSET_SMALL_SIZES);

	*outer = current;
	memset(&current, 0, sizeof(current));
	current.context = context;
}

void
casino_kept_end(const Kept *outer)
{
	Assert(current.context != NULL);
	MemoryContextDelete(current.context);
	current = *outer;
}

static Datum
keep(KeptSlot slot, FunctionCallInfo fcinfo)
{
	if (current.context != NULL)
	{
		struct varlena *value = PG_DETOAST_DATUM(PG_GETARG_DATUM(0));

		current.values[slot] = MemoryContextAllocHuge(current.context, VARSIZE(value));
		memcpy(current.values[slot], value, VARSIZE(value));
	}
	PG_RETURN_VOID();
}

static Datum
kept(KeptSlot slot, FunctionCallInfo fcinfo)
{
	if (current.values[slot] == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(current.values[slot]);
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
