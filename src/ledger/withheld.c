/*
 * withheld.c
 *	  What a withheld round still owes its players.
 *
 * A function and not part of the view unpaid_winnings, so that each round is
 * evaluated by the views of its own family, with a plan kept by the backend.
 */
#include "state/ledger.h"

#include "funcapi.h"

static LedgerQuery find_family = {
	.sql = "SELECT g.family FROM casino.round r"
	"  JOIN casino.game_plan p ON p.plan_id = r.plan_id"
	"  JOIN casino.game g ON g.game = p.game"
	" WHERE r.round_id = $1 AND r.status = 'withheld'",
	.args = {ARG_INT8}
};

/* OFFSET 0: each is looked up, whatever the planner thinks of their number */
static EvaluationQuery find_winnings = {
	.sql = "SELECT e.player_id, e.entry_no, e.bet, e.grade, e.payout"
	"  FROM casino.evaluation_%s e"
	" WHERE e.round_id = $1 AND e.payout > 0"
	"   AND NOT EXISTS (SELECT FROM casino.ledger p"
	"                    WHERE p.player_id = e.player_id AND p.stake_entry_no = e.entry_no OFFSET 0)",
	.args = {ARG_INT8}
};

/* withheld_winnings(round_id): wagers of a withheld round that won and are not paid */
PG_FUNCTION_INFO_V1(casino_sql_withheld_winnings);
Datum
casino_sql_withheld_winnings(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		values[1] = {PG_GETARG_DATUM(0)};
	LedgerScope scope;
	uint64		rows = 0;

	InitMaterializedSRF(fcinfo, 0);
	casino_scope_enter(&scope);
	if (casino_read(&find_family, values, NULL) == 1)
		rows = casino_read(casino_evaluation_query(&find_winnings, casino_column_cstring(0, 1)), values, NULL);
	for (uint64 row = 0; row < rows; row++)
		tuplestore_puttuple(rsinfo->setResult, SPI_tuptable->vals[row]);
	casino_scope_leave(&scope);
	return (Datum) 0;
}
