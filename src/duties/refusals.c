/*
 * refusals.c
 *	  Part of record_refusal(): the number of a refusal that a front end records.
 */
#include "postgres.h"

#include "fmgr.h"

#include "server/query.h"
#include "server/run_as_owner.h"

static PreparedQuery last_refusal = {
	.sql = "SELECT coalesce(max(refusal_no), 0) FROM casino.refusal WHERE player_id = $1",
	.args = {ARG_INT8}
};

/*
 * next_refusal_no(player_id), with the player's row locked: counted on from
 * what is committed, not from the transaction's snapshot, because a refusal
 * changes nothing in the player's row that the snapshot could be too old for.
 */
PG_FUNCTION_INFO_V1(casino_sql_next_refusal_no);
Datum
casino_sql_next_refusal_no(PG_FUNCTION_ARGS)
{
	Datum		values[1] = {PG_GETARG_DATUM(0)};
	RunAsOwner	as_owner;
	int64		number;

	casino_as_owner_begin(&as_owner);
	casino_read_latest(&last_refusal, values, NULL);
	number = casino_column_int64(0, ONLY_COLUMN) + 1;
	casino_as_owner_end(&as_owner);
	PG_RETURN_INT64(number);
}
