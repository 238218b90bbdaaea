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
#include "core/grade.h"
#include "core/money.h"

/* Odds of a grade with the declared win of its kind; den 0: the paytable has no such line */
typedef struct Odds
{
	int32		num;
	int32		den;
	Numeric		declared;		/* infinite: none declared */
} Odds;

/*
 * Payout in haléře of a wager with its share of the position's profit, "before"
 * haléře of which lay there before it.  A lost wager gets nothing, any other
 * grade by its odds: a line that is missing is an error.  A free wager gets its
 * profit only.
 */
static void
settle_wager(const CasinoBet *bet, const text * grade, const Odds *odds, int64 before,
			 int64 *payout, CasinoShare *share)
{
	int64		cap = CASINO_NO_CAP;

	if (odds->den == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the paytable has no line for %s graded %s",
						casino_bet_kind_name(bet->kind), text_to_cstring(grade)),
				 errhint("Add the line to casino.paytable in a new plan version.")));
	if (!numeric_is_inf(odds->declared))
		cap = casino_numeric_to_halere(odds->declared);
	if (!casino_money_share(before, bet->stake, odds->num, odds->den, cap, share))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("profit at %d:%d is out of range", odds->num, odds->den)));
	if (!casino_money_add(casino_bet_kind_is_free(bet->kind) ? 0 : bet->stake, share->profit, payout) ||
		*payout < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("payout is out of range"),
				 errdetail("%s graded %s pays %d:%d.", casino_bet_kind_name(bet->kind),
						   text_to_cstring(grade), odds->num, odds->den)));
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
	Odds		odds = {
		.num = PG_GETARG_INT32(2),
		.den = PG_GETARG_INT32(3),
		.declared = PG_GETARG_NUMERIC(4),
	};

	*payout = 0;
	memset(share, 0, sizeof(*share));
	if (is_lost(grade))
		return;
	settle_wager(bet, grade, &odds, PG_GETARG_INT64(5), payout, share);
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
				 errmsg("casino.planned_as_ten_rows() must be called in the list of a SELECT")));
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
