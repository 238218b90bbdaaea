/*
 * store_sql.c
 *	  The hot tables by SQL, where the access methods may not be used: see
 *	  store_sql.h.
 *
 * The statements are made from the description of the table, once a session.
 * Rows that are changed have their first column as key, as in store.c (8).
 */
#include "server/store_sql.h"

#include "access/xact.h"
#include "lib/stringinfo.h"
#include "storage/itemptr.h"
#include "utils/memutils.h"

#include "server/posting.h"

/* sets of columns that one table's updates change */
#define UPDATES_MAX		4

/* An update of some columns, known by the caller's list of them. */
typedef struct UpdateStatement
{
	const int  *columns;
	PreparedQuery query;
} UpdateStatement;

/* The statements of a table; one without text has not been needed yet. */
typedef struct StoreStatements
{
	PreparedQuery select[STORE_INDEXES_MAX][STORE_KEYS_MAX];	/* by index and number of keys */
	PreparedQuery lock;			/* by the first column */
	PreparedQuery insert;
	UpdateStatement updates[UPDATES_MAX];
} StoreStatements;

static int
count_columns(const StoreTable *table)
{
	int			n = 0;

	while (table->columns[n].name != NULL)
		n++;
	Assert(n <= QUERY_ARGS);
	return n;
}

/* The type of a column by its name. */
static QueryArg
type_of(const StoreTable *table, const char *name)
{
	for (int i = 0; table->columns[i].name != NULL; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return table->columns[i].type;
	elog(ERROR, "unknown column \"%s\" of casino.%s", name, table->name);
	return ARG_END;				/* keep compilers quiet */
}

static StoreStatements *
statements_of(StoreTable *table)
{
	if (table->statements == NULL)
		table->statements = MemoryContextAllocZero(TopMemoryContext, sizeof(StoreStatements));
	return table->statements;
}

/* Begin a text that lives as long as the session. */
static void
begin_text(StringInfo text)
{
	MemoryContext saved = MemoryContextSwitchTo(TopMemoryContext);

	initStringInfo(text);
	MemoryContextSwitchTo(saved);
}

/* "SELECT" the columns, in their order, and the place of the row after them. */
static void
append_select(StringInfo text, const StoreTable *table)
{
	appendStringInfoString(text, "SELECT ");
	for (int i = 0; table->columns[i].name != NULL; i++)
		appendStringInfo(text, "%s, ", table->columns[i].name);
	appendStringInfo(text, "ctid FROM casino.%s WHERE ", table->name);
}

/* Rows with equal values for the first columns of an index, in its order. */
static PreparedQuery *
select_statement(StoreTable *table, int index, int nkeys)
{
	PreparedQuery *query = &statements_of(table)->select[index][nkeys - 1];
	const StoreIndex *by = &table->indexes[index];
	StringInfoData text;

	Assert(index < STORE_INDEXES_MAX && nkeys > 0 && nkeys <= by->nkeys);
	if (query->sql != NULL)
		return query;
	begin_text(&text);
	append_select(&text, table);
	for (int i = 0; i < nkeys; i++)
	{
		query->args[i] = type_of(table, by->keys[i]);
		appendStringInfo(&text, "%s%s = $%d", i > 0 ? " AND " : "", by->keys[i], i + 1);
	}
	/* without its predicate a partial index serves no plan for all values */
	if (by->predicate != NULL)
		appendStringInfo(&text, " AND %s", by->predicate);
	if (by->forgetful)
		appendStringInfoString(&text, " AND book > casino_internal.last_book_forgotten()");
	if (by->bounded)
		appendStringInfoString(&text, " AND book > casino_internal.last_book_without($1)");
	for (int i = 0; i < by->nkeys; i++)
		appendStringInfo(&text, "%s%s", i == 0 ? " ORDER BY " : ", ", by->keys[i]);
	query->sql = text.data;
	return query;
}

static PreparedQuery *
lock_statement(StoreTable *table)
{
	PreparedQuery *query = &statements_of(table)->lock;
	StringInfoData text;

	if (query->sql != NULL)
		return query;
	begin_text(&text);
	append_select(&text, table);
	appendStringInfo(&text, "%s = $1 FOR NO KEY UPDATE", table->columns[0].name);
	query->args[0] = table->columns[0].type;
	query->sql = text.data;
	return query;
}

/* The book is the column's default: the table's lock is held, and no other book will be opened. */
static PreparedQuery *
insert_statement(StoreTable *table)
{
	PreparedQuery *query = &statements_of(table)->insert;
	StringInfoData text;
	int			n = count_columns(table) - (table->by_books ? 1 : 0);

	if (query->sql != NULL)
		return query;
	begin_text(&text);
	appendStringInfo(&text, "INSERT INTO casino.%s", table->name);
	for (int i = 0; i < n; i++)
		appendStringInfo(&text, "%s%s", i == 0 ? " (" : ", ", table->columns[i].name);
	for (int i = 0; i < n; i++)
	{
		query->args[i] = table->columns[i].type;
		appendStringInfo(&text, "%s$%d", i == 0 ? ") VALUES (" : ", ", i + 1);
	}
	appendStringInfoChar(&text, ')');
	query->sql = text.data;
	return query;
}

/* $1 is the key, the columns' values follow. */
static PreparedQuery *
update_statement(StoreTable *table, int n, const int *columns)
{
	UpdateStatement *update = statements_of(table)->updates;
	StringInfoData text;

	while (update->columns != NULL && update->columns != columns)
		update++;
	Assert(update < statements_of(table)->updates + UPDATES_MAX && n < QUERY_ARGS);
	if (update->columns != NULL)
		return &update->query;
	begin_text(&text);
	appendStringInfo(&text, "UPDATE casino.%s", table->name);
	update->query.args[0] = table->columns[0].type;
	for (int i = 0; i < n; i++)
	{
		update->query.args[1 + i] = table->columns[columns[i]].type;
		appendStringInfo(&text, "%s%s = $%d", i == 0 ? " SET " : ", ",
						 table->columns[columns[i]].name, i + 2);
	}
	appendStringInfo(&text, " WHERE %s = $1", table->columns[0].name);
	update->query.sql = text.data;
	update->columns = columns;
	return &update->query;
}

/* What a caller reads of a query of his own stays as it is while the store runs one. */
typedef struct SavedResult
{
	SPITupleTable *rows;
	uint64		processed;
} SavedResult;

static SavedResult
save_result(void)
{
	return (SavedResult)
	{
		SPI_tuptable, SPI_processed
	};
}

static void
restore_result(SavedResult saved)
{
	SPI_tuptable = saved.rows;
	SPI_processed = saved.processed;
}

/* The row that the scan stands on. */
static HeapTuple
row_of(const StoreScan *scan)
{
	Assert(scan->row > 0 && scan->row <= scan->nrows);
	return scan->found->vals[scan->row - 1];
}

static ItemPointerData
place_of(HeapTuple row, const SPITupleTable *rows)
{
	bool		isnull;
	Datum		place = SPI_getbinval(row, rows->tupdesc, rows->tupdesc->natts, &isnull);

	Assert(!isnull);
	return *(ItemPointer) DatumGetPointer(place);
}

void
casino_store_sql_scan(Store *store, int index, int nkeys, const Datum *keys, StoreScan *scan)
{
	SavedResult saved = save_result();

	scan->scan = NULL;
	scan->slot = NULL;
	scan->store = store;
	scan->table = store->table;
	scan->index = index;
	scan->nkeys = nkeys;
	scan->nrows = casino_read_latest(select_statement(store->table, index, nkeys), (Datum *) keys, NULL);
	scan->found = SPI_tuptable;
	scan->row = 0;
	restore_result(saved);
}

/* Is the row one of those that a scan beyond a value looks for? */
static bool
is_beyond(const StoreScan *scan)
{
	const char *name = scan->table->indexes[scan->index].keys[scan->nkeys];
	bool		isnull;

	for (int i = 0; scan->table->columns[i].name != NULL; i++)
		if (strcmp(scan->table->columns[i].name, name) == 0)
			return DatumGetInt64(casino_store_sql_column(scan, i, &isnull)) > scan->least;
	elog(ERROR, "unknown column \"%s\" of casino.%s", name, scan->table->name);
	return false;				/* keep compilers quiet */
}

bool
casino_store_sql_next(StoreScan *scan)
{
	do
	{
		if (scan->row == scan->nrows)
			return false;
		scan->row++;
	} while (scan->beyond && !is_beyond(scan));
	return true;
}

void
casino_store_sql_end(StoreScan *scan)
{
	SPI_freetuptable(scan->found);
	scan->found = NULL;
	scan->nrows = scan->row = 0;
}

Datum
casino_store_sql_column(const StoreScan *scan, int column, bool *isnull)
{
	casino_check_type(scan->found->tupdesc, column + 1, casino_arg_type(scan->table->columns[column].type));
	return SPI_getbinval(row_of(scan), scan->found->tupdesc, column + 1, isnull);
}

void
casino_store_sql_insert(Store *store, const Datum *values, const bool *nulls)
{
	SavedResult saved = save_result();
	char		sql_nulls[QUERY_ARGS];

	for (int i = 0; store->table->columns[i].name != NULL; i++)
		sql_nulls[i] = nulls[i] ? 'n' : ' ';
	casino_execute_posting(insert_statement(store->table), (Datum *) values, sql_nulls);
	restore_result(saved);
}

/*
 * Lock the row and read it again into *rows, which the caller frees; false when
 * it was deleted.  The scan has seen the row: a snapshot that does not is too old.
 */
static bool
lock_row(Store *store, const StoreScan *scan, SPITupleTable **rows)
{
	SavedResult saved = save_result();
	bool		isnull;
	Datum		key[1] = {casino_store_sql_column(scan, 0, &isnull)};
	bool		found;

	Assert(!isnull && store->table->columns[0].type == ARG_INT8);
	found = casino_execute(lock_statement(store->table), key, NULL) == 1;
	*rows = SPI_tuptable;
	restore_result(saved);
	if (!found && IsolationUsesXactSnapshot())
		casino_snapshot_too_old(store->table->row, DatumGetInt64(key[0]), "is younger than");
	return found;
}

bool
casino_store_sql_lock(Store *store, StoreScan *scan)
{
	SPITupleTable *rows;

	if (!lock_row(store, scan, &rows))
		return false;
	SPI_freetuptable(scan->found);
	scan->found = rows;
	scan->nrows = scan->row = 1;
	return true;
}

bool
casino_store_sql_update(Store *store, const StoreScan *scan, int n, const int *columns,
						const Datum *values, const bool *nulls)
{
	SPITupleTable *rows;
	ItemPointerData read = place_of(row_of(scan), scan->found);
	ItemPointerData locked;
	SavedResult saved;
	Datum		args[QUERY_ARGS];
	char		sql_nulls[QUERY_ARGS];
	bool		isnull;

	if (!lock_row(store, scan, &rows))
		elog(ERROR, "a row of \"%s\" was deleted", store->table->name);
	locked = place_of(rows->vals[0], rows);
	SPI_freetuptable(rows);
	/* store.c (7): the row has changed since its values were read */
	if (!ItemPointerEquals(&read, &locked))
		return false;
	args[0] = casino_store_sql_column(scan, 0, &isnull);
	sql_nulls[0] = ' ';
	for (int i = 0; i < n; i++)
	{
		args[1 + i] = values[i];
		sql_nulls[1 + i] = nulls[i] ? 'n' : ' ';
	}
	saved = save_result();
	if (casino_execute_posting(update_statement(store->table, n, columns), args, sql_nulls) != 1)
		elog(ERROR, "a row of \"%s\" was not updated", store->table->name);
	restore_result(saved);
	return true;
}
