/*
 * chance.c
 *	  SQL function of the chi-square distribution.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"

#include "core/returns/chance.h"

/* chi_square_probability(chi_square, degrees) */
PG_FUNCTION_INFO_V1(casino_sql_chi_square_probability);
Datum
casino_sql_chi_square_probability(PG_FUNCTION_ARGS)
{
	float8		value = PG_GETARG_FLOAT8(0);
	int32		degrees = PG_GETARG_INT32(1);

	if (isnan(value) || value < 0 || degrees < 1 || degrees > 1000000)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("chi-square must not be negative, and its degrees of freedom be 1 to 1000000")));
	PG_RETURN_FLOAT8(casino_chi_square_tail(value, degrees));
}
