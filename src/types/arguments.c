/*
 * arguments.c
 *	  The shape of jsonb and array arguments.
 *
 * A caller may pass any jsonb and any array.  What reads their inside takes
 * the shape for granted: it goes through here first.
 */
#include "postgres.h"

#include "utils/array.h"
#include "utils/jsonb.h"

#include "casino.h"

/*
 * 22023 unless the JsonbContainer is an object; what is found by key in
 * anything else is foreign memory.
 */
void
casino_require_object(const void *document, const char *what)
{
	const JsonbContainer *container = document;

	if (!JsonContainerIsObject(container))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a JSON object", what)));
}

/*
 * Elements of an array of one dimension (or none), and their number.  NULL
 * elements are refused unless the caller takes "nulls".
 */
int
casino_array_elements(ArrayType *array, const char *what, int16 length, bool by_value, char align,
					  Datum **elements, bool **nulls)
{
	bool	   *isnull;
	int			count;

	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("%s must be a one-dimensional array", what)));
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align, elements, &isnull, &count);
	for (int i = 0; i < count && nulls == NULL; i++)
		if (isnull[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("%s must not contain nulls", what)));
	if (nulls != NULL)
		*nulls = isnull;
	return count;
}

void
casino_require_argument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
}
