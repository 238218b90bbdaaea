/*
 * numeric.c
 *	  Money between SQL's numeric with two decimals and the core's haléře.
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#include "casino.h"

/* how much of a refused amount an error message repeats */
#define AMOUNT_SHOWN	40

/*
 * Refuse an amount; text is its digits, detail says what is wrong with it.
 */
static void pg_attribute_noreturn()
amount_refused(const char *text, const char *detail)
{
	bool		clipped = strlen(text) > AMOUNT_SHOWN;

	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("amount %.*s%s is out of range",
					AMOUNT_SHOWN, text, clipped ? "..." : ""),
			 errdetail_internal("%s", detail)));
}

/*
 * Amount in CZK to haléře, exactly.  NaN, infinities, fractions of a haléř and
 * what 63 bits cannot hold are refused with 22003.  Zeros after the second
 * decimal are fine.
 */
int64
casino_numeric_to_halere_signed(Numeric amount)
{
	char	   *text;
	const char *at;
	bool		negative;
	int			decimals = -1;	/* digits after the point, -1 before it */
	int64		halere = 0;

	if (numeric_is_nan(amount) || numeric_is_inf(amount))
	{
		text = DatumGetCString(DirectFunctionCall1(numeric_out,
												   NumericGetDatum(amount)));
		amount_refused(text, "An amount of money is a finite number.");
	}

	/* plain decimal digits without trailing zeros after the point */
	text = numeric_normalize(amount);
	at = text;
	negative = *at == '-';
	if (negative)
		at++;

	for (; *at != '\0'; at++)
	{
		if (*at == '.')
		{
			decimals = 0;
			continue;
		}
		if (decimals >= 0 && ++decimals > 2)
			amount_refused(text, "An amount of money has at most two decimals.");
		if (pg_mul_s64_overflow(halere, 10, &halere) ||
			pg_add_s64_overflow(halere, *at - '0', &halere))
			amount_refused(text, "The largest amount is 92233720368547758.07.");
	}
	for (decimals = Max(decimals, 0); decimals < 2; decimals++)
	{
		if (pg_mul_s64_overflow(halere, 10, &halere))
			amount_refused(text, "The largest amount is 92233720368547758.07.");
	}

	pfree(text);
	return negative ? -halere : halere;
}

/*
 * The same for an amount that cannot be negative.
 */
int64
casino_numeric_to_halere(Numeric amount)
{
	int64		halere = casino_numeric_to_halere_signed(amount);

	if (halere < 0)
		amount_refused(numeric_normalize(amount), "An amount of money must not be negative here.");
	return halere;
}

/*
 * Haléře to an amount in CZK with two decimals.
 */
Numeric
casino_halere_to_numeric(int64 halere)
{
	return int64_div_fast_to_numeric(halere, 2);
}

char *
casino_money_cstring(int64 halere)
{
	return DatumGetCString(DirectFunctionCall1(numeric_out,
											   NumericGetDatum(casino_halere_to_numeric(halere))));
}
