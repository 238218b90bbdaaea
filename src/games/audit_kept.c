/*
 * audit_kept.c
 *	  What the functions that audit a plan have worked out, kept in the session.
 *
 * Some counts take tenths of a second and depend on nothing but the arguments.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/memutils.h"

#include "games/audit.h"
#include "compat.h"

/* the plans of the sixteen games have half of that; then all is forgotten */
#define KEPT_MOST	512

typedef struct Kept
{
	Oid			function;
	int			length;
	const char *key;			/* all arguments */
	const void *what;
} Kept;

static Kept kept[KEPT_MOST];
static int	kept_count = 0;
static MemoryContext kept_context = NULL;

/* All arguments in one string of bytes. */
static void
make_key(FunctionCallInfo fcinfo, StringInfo key)
{
	initStringInfo(key);
	for (int i = 0; i < PG_NARGS(); i++)
	{
		struct varlena *argument = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(i));
		int32		size = VARSIZE_ANY_EXHDR(argument);

		appendBinaryStringInfo(key, (char *) &size, sizeof(size));
		appendBinaryStringInfo(key, VARDATA_ANY(argument), size);
	}
}

const void *
casino_audit_kept(FunctionCallInfo fcinfo)
{
	StringInfoData key;

	make_key(fcinfo, &key);
	for (int i = 0; i < kept_count; i++)
		if (kept[i].function == fcinfo->flinfo->fn_oid && kept[i].length == key.len &&
			memcmp(kept[i].key, key.data, key.len) == 0)
			return kept[i].what;
	return NULL;
}

static void *
copy_of(const void *what, Size size)
{
	return memcpy(MemoryContextAlloc(kept_context, size), what, size);
}

/* It counts as kept when it is whole: running out of memory before leaves nothing to be found. */
void
casino_audit_keep(FunctionCallInfo fcinfo, const void *what, Size size)
{
	StringInfoData key;

	if (kept_context == NULL)
		kept_context = AllocSetContextCreate(TopMemoryContext, "casino audit", ALLOCSET_DEFAULT_SIZES);
	if (kept_count == KEPT_MOST)
	{
		kept_count = 0;
		MemoryContextReset(kept_context);
	}
	make_key(fcinfo, &key);
	kept[kept_count].function = fcinfo->flinfo->fn_oid;
	kept[kept_count].length = key.len;
	kept[kept_count].key = copy_of(key.data, key.len);
	kept[kept_count].what = copy_of(what, size);
	kept_count++;
}
