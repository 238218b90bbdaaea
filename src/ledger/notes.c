/*
 * notes.c
 *	  What SQL functions note in a player's row: an exclusion, that he has set
 *	  limits, that his account is closed.  Nothing of it can be taken back.
 */
#include "ledger.h"

static LedgerQuery note_exclusion = {
	.sql = "UPDATE casino.player SET excluded_until = greatest(excluded_until, $2) WHERE player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static LedgerQuery note_limits = {
	.sql = "UPDATE casino.player SET limited = true WHERE player_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery note_closing = {
	.sql = "UPDATE casino.player SET closed_at = $2 WHERE player_id = $1 AND closed_at IS NULL",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* Run one of them past the guard of casino.player. */
static void
note(LedgerQuery *query, FunctionCallInfo fcinfo)
{
	Datum		values[2] = {PG_GETARG_DATUM(0), PG_NARGS() > 1 ? PG_GETARG_DATUM(1) : (Datum) 0};
	LedgerScope scope;

	casino_scope_enter(&scope);
	casino_run_posting(query, values, NULL);
	casino_scope_leave(&scope);
}

/* note_exclusion(player_id, until): excluded_until never moves back */
PG_FUNCTION_INFO_V1(casino_sql_note_exclusion);
Datum
casino_sql_note_exclusion(PG_FUNCTION_ARGS)
{
	note(&note_exclusion, fcinfo);
	PG_RETURN_VOID();
}

/* note_limits(player_id) */
PG_FUNCTION_INFO_V1(casino_sql_note_limits);
Datum
casino_sql_note_limits(PG_FUNCTION_ARGS)
{
	note(&note_limits, fcinfo);
	PG_RETURN_VOID();
}

/* note_closing(player_id, at) */
PG_FUNCTION_INFO_V1(casino_sql_note_closing);
Datum
casino_sql_note_closing(PG_FUNCTION_ARGS)
{
	note(&note_closing, fcinfo);
	PG_RETURN_VOID();
}
