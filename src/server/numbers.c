/*
 * numbers.c
 *	  Lists of numbers: see numbers.h.
 */
#include "server/numbers.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "server/query.h"

Numbers
casino_column_numbers(uint64 rows, int column)
{
	Numbers		list = {(int) rows, palloc(sizeof(int64) * Max(rows, 1))};

	for (uint64 row = 0; row < rows; row++)
		list.numbers[row] = casino_column_int64(row, column);
	return list;
}

Datum
casino_numbers_array(const int64 *numbers, int n)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(n, 1));

	for (int i = 0; i < n; i++)
		elements[i] = Int64GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, n, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

bool
casino_numbers_have(Numbers list, int64 number)
{
	return list.n > 0 &&
		bsearch(&number, list.numbers, list.n, sizeof(int64), casino_numbers_compare) != NULL;
}

int
casino_numbers_compare(const void *a, const void *b)
{
	int64		left = *(const int64 *) a;
	int64		right = *(const int64 *) b;

	return left < right ? -1 : left > right;
}
