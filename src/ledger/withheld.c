/*
 * withheld.c
 *	  What a withheld round still owes its players.
 *
 * Functions and not parts of the views unpaid_winnings and wager, so that each
 * round is evaluated by the views of its own family, with a plan kept by the
 * backend: planning the evaluation of all games takes longer than any answer.
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

static EvaluationQuery find_wager = {
	.sql = "SELECT e.grade, e.payout FROM casino.evaluation_%s e"
	" WHERE e.round_id = $1 AND e.player_id = $2 AND e.entry_no = $3",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8}
};

/*
 * The rows that a query of the evaluation gives for the function's arguments,
 * of which the first is the round; none when that is not withheld.
 */
static Datum
answer(FunctionCallInfo fcinfo, EvaluationQuery *query)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		values[3];
	LedgerScope scope;
	uint64		rows = 0;

	for (int i = 0; i < PG_NARGS(); i++)
		values[i] = PG_GETARG_DATUM(i);
	InitMaterializedSRF(fcinfo, 0);
	casino_scope_enter(&scope);
	if (casino_read(&find_family, values, NULL) == 1)
		rows = casino_read(casino_evaluation_query(query, casino_column_cstring(0, 1)), values, NULL);
	for (uint64 row = 0; row < rows; row++)
		tuplestore_puttuple(rsinfo->setResult, SPI_tuptable->vals[row]);
	casino_scope_leave(&scope);
	return (Datum) 0;
}

/* withheld_winnings(round_id): wagers of a withheld round that won and are not paid */
PG_FUNCTION_INFO_V1(casino_sql_withheld_winnings);
Datum
casino_sql_withheld_winnings(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &find_winnings);
}

/* withheld_wager(round_id, player_id, entry_no): grade and payout of a wager of a withheld round */
PG_FUNCTION_INFO_V1(casino_sql_withheld_wager);
Datum
casino_sql_withheld_wager(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &find_wager);
}
