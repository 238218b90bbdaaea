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
static void
pg_attribute_noreturn()
amount_refused(const char *text, const char *detail)
{
	bool		clipped = strlen(text) > AMOUNT_SHOWN;

	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("amount %.*s%s is out of range",
					AMOUNT_SHOWN, text, clipped ? "..." : ""),
			 errdetail_internal("%s", detail)));
}

void
casino_amount_out_of_range(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s is out of range", what)));
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

	if (casino_numeric_try_halere(NumericGetDatum(amount), &halere))
		return halere;
	if (numeric_is_nan(amount) || numeric_is_inf(amount))
	{
		text = DatumGetCString(DirectFunctionCall1(numeric_out,
												   NumericGetDatum(amount)));
		amount_refused(text, "An amount of money is a finite number.");
	}

	/* plain decimal digits without trailing zeros after the point */
	halere = 0;
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
 * The same of a numeric in a row, which need not be copied for that.
 */
int64
casino_datum_to_halere(Datum datum)
{
	int64		halere;

	return casino_numeric_try_halere(datum, &halere) ? halere :
		casino_numeric_to_halere_signed(DatumGetNumeric(datum));
}

/*
 * The same without an error: false for what is no amount of haléře.  "datum"
 * is a numeric of a row.  Amounts are read from the digits to the base 10000
 * that a numeric has on disk (its short form); what is larger, or not in whole
 * haléře, is left to the text.
 */
bool
casino_numeric_try_halere(Datum datum, int64 *halere)
{
	const struct varlena *value = (const struct varlena *) DatumGetPointer(datum);
	uint16		header;
	int16		digit;
	int			weight;
	int			ndigits;
	int64		sum = 0;

	/* compressed, or stored elsewhere, whose pointer counts as short, too: longer than any amount */
	if (VARATT_IS_EXTERNAL(value) || (VARATT_IS_EXTENDED(value) && !VARATT_IS_SHORT(value)))
		return false;
	memcpy(&header, VARDATA_ANY(value), sizeof(header));
	if ((header & 0xC000) != 0x8000)
		return false;			/* NaN, infinite, or very long */
	weight = (header & 0x0040) ? (int) (header & 0x003F) - 64 : header & 0x003F;
	ndigits = (int) ((VARSIZE_ANY_EXHDR(value) - sizeof(header)) / sizeof(digit));
	if (weight > 3)
		return false;			/* from 10^16 on */
	for (int i = 0; i < ndigits || i <= weight; i++)
	{
		if (i < ndigits)
			memcpy(&digit, VARDATA_ANY(value) + sizeof(header) + (size_t) i * sizeof(digit), sizeof(digit));
		else
			digit = 0;
		if (i <= weight)
			sum = sum * 10000 + digit;
		else if (i == weight + 1 && digit % 100 == 0)
			sum = sum * 100 + digit / 100;
		else
			return false;		/* a fraction of a haléř */
	}
	/* without decimals */
	if (ndigits <= weight + 1)
		sum *= 100;
	*halere = (header & 0x2000) ? -sum : sum;
	return true;
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
