/*
 * duty_rule.c
 *	  See duty_rule.h.
 *
 * The table is append-only and small.  Rows are kept until a row is
 * written: the table's trigger tells all sessions through the relation cache
 * when that is committed, and this one at once.  Where the row is rolled back,
 * PostgreSQL tells this session again (R7.83).
 */
#include "state/duty_rule.h"

#include "catalog/namespace.h"
#include "commands/trigger.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/query.h"

/* Of a figure: its name in the table, and what one of its value is. */
static const struct
{
	const char *name;
	int64		unit;
}			figures[DUTY_FIGURES] =

{
	[DUTY_SEQUENCE] = {"sequence_minutes", USECS_PER_MINUTE},
	[DUTY_BREAK] = {"break_minutes", USECS_PER_MINUTE},
	[DUTY_LIVE_TABLES] = {"live_tables", 1},
	[DUTY_CASH_AMOUNT] = {"cash_amount", 100},
	[DUTY_CASH_WINDOW] = {"cash_window", USECS_PER_HOUR},
	[DUTY_REGISTER_CHECK] = {"register_check", 1}
};

static PreparedQuery load_figures = {
	.sql = "SELECT d.name, d.valid_from, substring(d.value FROM '^\\d+')::bigint, d.paragraph"
	"  FROM casino.duty_rule d ORDER BY d.valid_from",
	.args = {ARG_END}
};

/* its columns */
enum
{
	FIGURE_NAME = 1, FIGURE_VALID_FROM, FIGURE_VALUE, FIGURE_PARAGRAPH
};

typedef struct KeptFigure
{
	int			n;
	DutyVersion *versions;		/* by time */
} KeptFigure;

static KeptFigure kept[DUTY_FIGURES];
static bool is_kept = false;
static uint64 times_forgotten = 0;
static Oid	table_id = InvalidOid;
static MemoryContext kept_context = NULL;

/* Callback of the relation cache: the table changed, or any may have. */
static void
forget_figures(Datum arg, Oid relation)
{
	if (OidIsValid(relation) && relation != table_id)
		return;
	is_kept = false;
	times_forgotten++;
}

/* Start keeping figures, afresh. */
static void
clear_figures(void)
{
	if (kept_context == NULL)
	{
		kept_context = AllocSetContextCreate(CacheMemoryContext, "casino duty figures", ALLOCSET_SMALL_SIZES);
		CacheRegisterRelcacheCallback(forget_figures, (Datum) 0);
	}
	is_kept = false;
	table_id = get_relname_relid("duty_rule", get_namespace_oid("casino", false));
	memset(kept, 0, sizeof(kept));
	MemoryContextReset(kept_context);
}

/* A row of load_figures; figures that C does not ask for are left. */
static void
keep_row(uint64 row, uint64 rows)
{
	char	   *name = casino_column_word(row, FIGURE_NAME);

	for (int i = 0; i < DUTY_FIGURES; i++)
	{
		KeptFigure *figure = &kept[i];
		DutyVersion *version;

		if (strcmp(name, figures[i].name) != 0)
			continue;
		if (figure->versions == NULL)
			figure->versions = MemoryContextAlloc(kept_context, rows * sizeof(DutyVersion));
		version = &figure->versions[figure->n++];
		version->valid_from = casino_column_time(row, FIGURE_VALID_FROM, DT_NOBEGIN);
		version->figure = casino_column_int64(row, FIGURE_VALUE) * figures[i].unit;
		version->paragraph = MemoryContextStrdup(kept_context, casino_column_word(row, FIGURE_PARAGRAPH));
	}
}

/* XX001 where a figure has no version from the beginning of time, so that no rule is broken unseen. */
static void
check_figures(void)
{
	for (int i = 0; i < DUTY_FIGURES; i++)
		if (kept[i].n == 0 || kept[i].versions[0].valid_from != DT_NOBEGIN)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("figure \"%s\" of the operator's duties has no first version", figures[i].name),
					 errdetail("A row of casino.duty_rule that is valid from -infinity is missing.")));
}

/* Callers may hold the result of a query of theirs. */
static void
load(void)
{
	SPITupleTable *result = SPI_tuptable;
	uint64		processed = SPI_processed;
	uint64		forgotten;

	clear_figures();
	forgotten = times_forgotten;
	{
		uint64		rows = casino_read_latest(&load_figures, NULL, NULL);

		for (uint64 row = 0; row < rows; row++)
			keep_row(row, rows);
	}
	check_figures();
	/* one that was written meanwhile is read at the next question */
	is_kept = forgotten == times_forgotten;
	SPI_tuptable = result;
	SPI_processed = processed;
}

const DutyVersion *
casino_duty_version(DutyFigure figure, TimestampTz at)
{
	int			i;

	if (unlikely(!is_kept))
		load();
	i = kept[figure].n - 1;
	while (i > 0 && kept[figure].versions[i].valid_from > at)
		i--;
	return &kept[figure].versions[i];
}

int64
casino_duty_greatest(DutyFigure figure)
{
	int64		greatest = casino_duty_figure(figure, DT_NOEND);

	for (int i = 0; i < kept[figure].n; i++)
		greatest = Max(greatest, kept[figure].versions[i].figure);
	return greatest;
}

char *
casino_minutes_cstring(int64 usecs)
{
	int64		n = usecs / USECS_PER_MINUTE;

	return psprintf(INT64_FORMAT " minute%s", n, n == 1 ? "" : "s");
}

/* Trigger of casino.duty_rule, for each statement: all sessions read it again. */
PG_FUNCTION_INFO_V1(casino_sql_duty_rule_changed);
Datum
casino_sql_duty_rule_changed(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("duty_rule_changed() must be called as a trigger")));
	CacheInvalidateRelcache(((TriggerData *) fcinfo->context)->tg_relation);
	PG_RETURN_POINTER(NULL);
}
