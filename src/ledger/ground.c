/*
 * ground.c
 *	  Grounds of a void or of a withholding: see ground.h.
 *
 * D4 Blackjack §16 and its like list the grounds for cancelling a round; they
 * are rules of the plan (ground_CODE), in the document's words.
 */
#include "ledger/ground.h"

#include "utils/builtins.h"

#include "casino.h"
#include "server/bounds.h"
#include "server/query.h"
#include "server/run_as_owner.h"

/* The text of the ground, and all grounds of the plan. */
static PreparedQuery find_ground = {
	.sql = "SELECT (SELECT g.text FROM casino.plan_grounds($1) g WHERE g.ground = $2),"
	"       (SELECT string_agg(g.ground, ', ' ORDER BY g.ground) FROM casino.plan_grounds($1) g)",
	.args = {ARG_INT8, ARG_TEXT}
};

enum
{
	GROUND_TEXT = 1, GROUND_ALL
};

static PreparedQuery find_void_ground = {
	.sql = "SELECT 1 FROM casino.round WHERE round_id = $1 AND void_ground = $2",
	.args = {ARG_INT8, ARG_TEXT}
};

static const char *
ground_code(FunctionCallInfo fcinfo, int ground)
{
	if (PG_ARGISNULL(ground))
		return CASINO_GROUND_OTHER;
	casino_bound_text("ground", PG_GETARG_TEXT_PP(ground), CASINO_WORD_BYTES);
	return text_to_cstring(PG_GETARG_TEXT_PP(ground));
}

void
casino_ground_argument(FunctionCallInfo fcinfo, int reason, int ground, const char *what, Ground *found)
{
	found->code = ground_code(fcinfo, ground);
	found->reason = NULL;
	if (!PG_ARGISNULL(reason) || strcmp(found->code, CASINO_GROUND_OTHER) == 0)
		found->reason = casino_reason_argument(fcinfo, reason, what);
}

void
casino_withholding_argument(FunctionCallInfo fcinfo, int reason, int ground, Ground *found)
{
	found->code = ground_code(fcinfo, ground);
	found->reason = strcmp(found->code, CASINO_GROUND_OTHER) == 0 ? "withheld at the settlement" : NULL;
	if (PG_ARGISNULL(reason))
		return;
	casino_bound_text("withhold_reason", PG_GETARG_TEXT_PP(reason), CASINO_REASON_BYTES);
	found->reason = text_to_cstring(PG_GETARG_TEXT_PP(reason));
}

void
casino_ground_of_plan(const RoundState *round, Ground *ground)
{
	Datum		values[2] = {Int64GetDatum(round->plan_id)};
	char	   *text;
	char	   *all;

	if (strcmp(ground->code, CASINO_GROUND_OTHER) == 0)
		return;
	values[1] = CStringGetTextDatum(ground->code);
	casino_read_latest(&find_ground, values, NULL);
	text = casino_column_cstring(0, GROUND_TEXT);
	all = casino_column_cstring(0, GROUND_ALL);
	if (text == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the game plan has no ground \"%s\"", ground->code),
				 all == NULL ? errdetail("It lists none: the ground is \"other\", with a reason.") :
				 errdetail("Its grounds are %s, and \"other\" with a reason.", all)));
	if (ground->reason == NULL)
		ground->reason = text;
}

bool
casino_void_ground_is(int64 round_id, const char *code)
{
	Datum		values[2] = {Int64GetDatum(round_id), CStringGetTextDatum(code)};

	return casino_read_latest(&find_void_ground, values, NULL) == 1;
}

/* require_ground(round_id, ground): see casino_ground_of_plan() */
PG_FUNCTION_INFO_V1(casino_sql_require_ground);
Datum
casino_sql_require_ground(PG_FUNCTION_ARGS)
{
	Ground		ground = {text_to_cstring(PG_GETARG_TEXT_PP(1))};
	RunAsOwner	as_owner;
	RoundState	round;

	casino_as_owner_begin(&as_owner);
	casino_round_load(PG_GETARG_INT64(0), &round);
	casino_ground_of_plan(&round, &ground);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
