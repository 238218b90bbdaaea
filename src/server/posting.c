/*
 * posting.c
 *	  Statements of our own that write what only the ledger may write: see
 *	  posting.h.
 */
#include "server/posting.h"

#include "commands/trigger.h"
#include "utils/builtins.h"

/*
 * Depth of triggers at which our own posting statement runs, -1 when none does:
 * the row trigger it fires is one deeper, and only that one passes.
 */
static int	posting_depth = -1;

/* pg_trigger_depth(), which counts the triggers now being executed */
static int
trigger_depth(void)
{
	return DatumGetInt32(DirectFunctionCall1(pg_trigger_depth, (Datum) 0));
}

uint64
casino_execute_posting(PreparedQuery *query, Datum *values, const char *nulls)
{
	int			saved = posting_depth;
	uint64		processed = 0;

	PG_TRY();
	{
		posting_depth = trigger_depth();
		processed = casino_execute(query, values, nulls);
	}
	PG_FINALLY();
	{
		posting_depth = saved;
	}
	PG_END_TRY();
	return processed;
}

bool
casino_is_posting(void)
{
	return posting_depth >= 0 && trigger_depth() == posting_depth + 1;
}

/* posting_now(): the same for a trigger in SQL. */
PG_FUNCTION_INFO_V1(casino_sql_posting_now);
Datum
casino_sql_posting_now(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(casino_is_posting());
}
