/*
 * payout.c
 *	  SQL functions that turn a grade into money.
 *
 * All are immutable and read no table: everything they need is an argument,
 * joined in by the evaluation view.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/games/evaluate.h"

/*
 * Payout in haléře of a wager that is not lost.  A line of the paytable that is
 * missing (den 0) is an error; an infinite declared win bounds nothing.
 */
static void
settle_wager(const CasinoBet *bet, const text * grade, CasinoOddsLine odds, Numeric declared, int64 before,
			 int64 *payout, CasinoShare *share)
{
	int64		declared_win = numeric_is_inf(declared) ? CASINO_NO_CAP : casino_numeric_to_halere(declared);

	switch (casino_evaluate_payout(bet, odds, declared_win, before, payout, share))
	{
		case CASINO_EVALUATED:
			return;
		case CASINO_NO_ODDS:
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the paytable has no line for %s graded %s",
							casino_bet_kind_name(bet->kind), text_to_cstring(grade)),
					 errhint("Add the line to casino.paytable in a new plan version.")));
		case CASINO_PROFIT_TOO_LARGE:
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("profit at %d:%d is out of range", odds.num, odds.den)));
		default:
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("payout is out of range"),
					 errdetail("%s graded %s pays %d:%d.", casino_bet_kind_name(bet->kind),
							   text_to_cstring(grade), odds.num, odds.den)));
	}
}

static bool
is_lost(const text * grade)
{
	const char *lose = casino_grade_name(CASINO_LOSE);

	return VARSIZE_ANY_EXHDR(grade) == strlen(lose) &&
		memcmp(VARDATA_ANY(grade), lose, strlen(lose)) == 0;
}

/* Arguments (bet, grade, num, den, declared_win, before) */
static void
settle_arguments(FunctionCallInfo fcinfo, int64 *payout, CasinoShare *share)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	text	   *grade = PG_GETARG_TEXT_PP(1);
	CasinoOddsLine odds = {.num = PG_GETARG_INT32(2), .den = PG_GETARG_INT32(3)};

	*payout = 0;
	memset(share, 0, sizeof(*share));
	if (is_lost(grade))
		return;
	settle_wager(bet, grade, odds, PG_GETARG_NUMERIC(4), PG_GETARG_INT64(5), payout, share);
}

/* payout(bet, grade, num, den, declared_win, before): CZK that the wager gets back */
PG_FUNCTION_INFO_V1(casino_sql_payout);
Datum
casino_sql_payout(PG_FUNCTION_ARGS)
{
	int64		payout;
	CasinoShare share;

	settle_arguments(fcinfo, &payout, &share);
	PG_RETURN_NUMERIC(casino_halere_to_numeric(payout));
}

/* is_capped(the same): did the declared win bound the profit of the position with this wager? */
PG_FUNCTION_INFO_V1(casino_sql_is_capped);
Datum
casino_sql_is_capped(PG_FUNCTION_ARGS)
{
	int64		payout;
	CasinoShare share;

	settle_arguments(fcinfo, &payout, &share);
	PG_RETURN_BOOL(share.capped);
}

/* reaches_cap(the same): is it the first wager of the position that the declared win cut? */
PG_FUNCTION_INFO_V1(casino_sql_reaches_cap);
Datum
casino_sql_reaches_cap(PG_FUNCTION_ARGS)
{
	int64		payout;
	CasinoShare share;

	settle_arguments(fcinfo, &payout, &share);
	PG_RETURN_BOOL(share.reached);
}

/* planned_as_ten_rows(): one row, whatever the planner thinks; for the list of a SELECT */
PG_FUNCTION_INFO_V1(casino_sql_many);
Datum
casino_sql_many(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo) || !(rsinfo->allowedModes & SFRM_ValuePerCall))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("casino_internal.planned_as_ten_rows() must be called in the list of a SELECT")));
	rsinfo->isDone = ExprSingleResult;
	PG_RETURN_BOOL(true);
}

/* cost(bet): CZK that the wager takes from the wallet, 0 for free ones */
PG_FUNCTION_INFO_V1(casino_sql_cost);
Datum
casino_sql_cost(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);

	PG_RETURN_NUMERIC(casino_halere_to_numeric(casino_bet_kind_is_free(bet->kind) ? 0 : bet->stake));
}

/* money(amount): the amount with two decimals, refused unless finite, not negative and in whole haléře */
PG_FUNCTION_INFO_V1(casino_sql_money);
Datum
casino_sql_money(PG_FUNCTION_ARGS)
{
	PG_RETURN_NUMERIC(casino_halere_to_numeric(casino_numeric_to_halere(PG_GETARG_NUMERIC(0))));
}
