/*
 * quote.c
 *	  SQL function of the hands on which the bets of a quote lie.
 */
#include "games/families.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "casino.h"
#include "server/run_as_owner.h"

/* The bets of the argument, palloc'ed; 22004 for a null among them. */
static CasinoBet *
read_bets(ArrayType *array, int *n)
{
	CasinoBet  *bets;
	Datum	   *datums;
	bool	   *nulls;

	deconstruct_array(array, ARR_ELEMTYPE(array), sizeof(CasinoBet), false, TYPALIGN_DOUBLE, &datums,
					  &nulls, n);
	bets = palloc(sizeof(CasinoBet) * Max(*n, 1));
	for (int i = 0; i < *n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("bets must not contain nulls")));
		bets[i] = *DatumGetBet(datums[i]);
	}
	return bets;
}

/* quote_hands(family, plan_id, outcome, bets): hand of each bet */
PG_FUNCTION_INFO_V1(casino_sql_quote_hands);
Datum
casino_sql_quote_hands(PG_FUNCTION_ARGS)
{
	const FamilyRules *family = casino_family_of_name(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	int			n;
	CasinoBet  *bets = read_bets(PG_GETARG_ARRAYTYPE_P(3), &n);
	int		   *hands = palloc(sizeof(int) * Max(n, 1));
	Datum	   *result = palloc(sizeof(Datum) * Max(n, 1));
	RunAsOwner	as_owner;

	for (int i = 0; i < n; i++)
		hands[i] = 1;
	if (family != NULL && family->quote_hands != NULL)
	{
		casino_as_owner_begin(&as_owner);
		family->quote_hands(PG_GETARG_INT64(1), PG_GETARG_JSONB_P(2), n, bets, hands);
		casino_as_owner_end(&as_owner);
	}
	for (int i = 0; i < n; i++)
		result[i] = Int32GetDatum(hands[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(result, n, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}
