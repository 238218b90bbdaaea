/*
 * export.c
 *	  A day's evidence line by line: each query is read by a cursor, a thousand
 *	  lines at a time, so that neither memory nor disk hold a day.
 */
#include "evidence/evidence.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#define BATCH	1000

/* A seal begins, lines of it, a seal ends. */
typedef struct Part
{
	int64		seal_no;
	char	   *first;			/* line before those of the query, NULL: none */
	char	   *query;
	bool		last;			/* of its seal */
} Part;

typedef struct Export
{
	Part	   *parts;
	int			nparts;
	int			part;
	char	   *cursor;			/* open, NULL: none */
	int64		lines;			/* of this seal */
	MemoryContext batch;		/* lines that were read and not handed out */
	text	  **ready;
	int			nready;
	int			next;
} Export;

/* Names in our own SQL mean what they say, whatever the caller's search_path is. */
static int
safe_path(void)
{
	int			level = NewGUCNestLevel();

	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	return level;
}

static char *
text_of(MemoryContext context, int row, int column)
{
	char	   *value = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);

	return value == NULL ? NULL : MemoryContextStrdup(context, value);
}

/* What the export of the day consists of. */
static Export *
begin_export(MemoryContext context, Datum day)
{
	Export	   *export = MemoryContextAllocZero(context, sizeof(Export));
	Oid			type = DATEOID;
	int			level;

	export->batch = AllocSetContextCreate(context, "casino lines of an export", ALLOCSET_DEFAULT_SIZES);
	SPI_connect();
	level = safe_path();
	if (SPI_execute_with_args("SELECT p.seal_no, p.first, p.query, p.last"
							  " FROM casino_internal.export_parts($1) p", 1, &type, &day, NULL, true,
							  0) != SPI_OK_SELECT)
		elog(ERROR, "could not list the parts of an export");
	AtEOXact_GUC(true, level);
	export->nparts = (int) SPI_processed;
	export->parts = MemoryContextAllocZero(context, Max(export->nparts, 1) * sizeof(Part));
	for (int i = 0; i < export->nparts; i++)
	{
		bool		isnull;

		export->parts[i].seal_no =
			DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull));
		export->parts[i].first = text_of(context, i, 2);
		export->parts[i].query = text_of(context, i, 3);
		export->parts[i].last = DatumGetBool(SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 4,
														   &isnull));
	}
	SPI_finish();
	return export;
}

static void
add_line(Export *export, const char *line, size_t len)
{
	MemoryContext old = MemoryContextSwitchTo(export->batch);

	export->ready[export->nready++] = cstring_to_text_with_len(line, (int) len);
	export->lines++;
	MemoryContextSwitchTo(old);
}

/* The cursor of this part. */
static Portal
cursor_of(Export *export, MemoryContext context)
{
	Part	   *part = &export->parts[export->part];
	Oid			type = INT8OID;
	Datum		seal_no = Int64GetDatum(part->seal_no);
	Portal		portal;

	if (export->cursor != NULL)
	{
		portal = SPI_cursor_find(export->cursor);
		if (portal == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_CURSOR_STATE),
					 errmsg("the export was interrupted"),
					 errdetail("The transaction that it began in has ended.")));
	}
	else
	{
		int			level = safe_path();

		portal = SPI_cursor_open_with_args(NULL, part->query, 1, &type, &seal_no, NULL, true,
										   CURSOR_OPT_NO_SCROLL);
		AtEOXact_GUC(true, level);
		export->cursor = MemoryContextStrdup(context, portal->name);
		if (part->first != NULL)
		{
			export->lines = 0;
			add_line(export, part->first, strlen(part->first));
		}
	}
	return portal;
}

/* Get more lines ready; at the end of the day there are none. */
static void
read_on(Export *export, MemoryContext context)
{
	MemoryContextReset(export->batch);
	export->ready = MemoryContextAlloc(export->batch, (BATCH + 2) * sizeof(text *));
	export->nready = export->next = 0;
	SPI_connect();
	while (export->nready == 0 && export->part < export->nparts)
	{
		const Part *part = &export->parts[export->part];
		Portal		portal = cursor_of(export, context);

		SPI_cursor_fetch(portal, true, BATCH);
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			bool		isnull;
			Datum		line = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull);
			text	   *bytes = DatumGetTextPP(line);

			add_line(export, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
		}
		if (SPI_processed == 0)
		{
			SPI_cursor_close(portal);
			pfree(export->cursor);
			export->cursor = NULL;
			export->part++;
			if (part->last)
			{
				char	   *end = psprintf("{\"end\":{\"seal_no\":" INT64_FORMAT ",\"lines\":"
										   INT64_FORMAT "}}", part->seal_no, export->lines + 1);

				add_line(export, end, strlen(end));
			}
		}
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_finish();
}

/* export_day(day): lines, one a call */
PG_FUNCTION_INFO_V1(casino_sql_export_day);
Datum
casino_sql_export_day(PG_FUNCTION_ARGS)
{
	FuncCallContext *call;
	Export	   *export;
	text	   *line;

	if (SRF_IS_FIRSTCALL())
	{
		call = SRF_FIRSTCALL_INIT();
		call->user_fctx = begin_export(call->multi_call_memory_ctx, PG_GETARG_DATUM(0));
	}
	call = SRF_PERCALL_SETUP();
	export = call->user_fctx;
	if (export->next == export->nready)
		read_on(export, call->multi_call_memory_ctx);
	if (export->next == export->nready)
		SRF_RETURN_DONE(call);
	/* what was handed out must outlive the batch */
	line = export->ready[export->next++];
	SRF_RETURN_NEXT(call, PointerGetDatum(pg_detoast_datum_copy((struct varlena *) line)));
}
