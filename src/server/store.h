/*
 * store.h
 *	  The hot tables, read and written by PostgreSQL's table and index access
 *	  methods, without the executor, or by SQL where that may not be.
 *
 * A table is described once (StoreTable).  SQL is needed where an INSERT or
 * UPDATE would have to honour something that the store does not know (a
 * trigger, rule, constraint, row security ... that an operator has added), and
 * under REPEATABLE READ and SERIALIZABLE, because the executor keeps what these
 * promise about snapshots and predicates.  casino_store_open() decides; callers
 * need not know.  Visibility is the caller's business: the caller holds the
 * lock that makes the latest snapshot final.
 */
#ifndef CASINO_STORE_H
#define CASINO_STORE_H

#include "postgres.h"

#include "access/attnum.h"
#include "access/skey.h"
#include "executor/tuptable.h"
#include "datatype/timestamp.h"
#include "nodes/execnodes.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "server/query.h"

#define STORE_COLUMNS_MAX	32
#define STORE_INDEXES_MAX	4
#define STORE_KEYS_MAX		4

/* An index that scans are made by. */
typedef struct StoreIndex
{
	const char *name;
	int			nkeys;
	const char *keys[STORE_KEYS_MAX];	/* columns, in the order of the index */
	const char *predicate;		/* as pg_get_expr() prints it; NULL: covers all rows */
	bool		forgetful;		/* rows of books that casino_store_last_forgotten() names are not asked for */
	bool		bounded;		/* by its first column, of which each book has a greatest value */
} StoreIndex;

/* A column and the type that our code gives and takes. */
typedef struct StoreColumn
{
	const char *name;
	QueryArg	type;
} StoreColumn;

/* Where rows lie: the table itself, or one book of a table that is divided into books. */
typedef struct StoreLeaf
{
	int32		book;			/* 0: the table is not in books */
	Oid			relid;
	bool		known;			/* as of StoreTable */
	bool		readable;
	bool		plain;
	Oid			index_oids[STORE_INDEXES_MAX];
	TimestampTz opened_at;		/* when the book was opened; DT_NOEND: not known */
	bool		is_bounded;		/* the next is known; only of a book that was turned, which never changes */
	int64		greatest;		/* of the first column of the index that is bounded */
} StoreLeaf;

/* What a table of schema casino looks like; the rest is kept by the backend. */
typedef struct StoreTable
{
	const char *name;
	const char *row;			/* what a message calls the row of a key */
	bool		by_books;		/* partitioned by its last column, whose default names the open book */
	/* refuse a scan that would need books that were put away; NULL: the table has one book */
	void		(*ask_away) (Oid stand_in, int index, int nkeys, const Datum *keys);
	TimestampTz (*opened_at) (int32 book);	/* NULL: the table has one book */
	const StoreColumn *columns; /* no name at the end; callers number them from 0 */
	const char *const *triggers;	/* ours, by name, NULL at the end */
	const char *const *checks;	/* constraints of ours, whose rows keep them; NULL at the end */
	StoreIndex	indexes[STORE_INDEXES_MAX];

	/* found out when first opened, and again after the relation has changed */
	bool		known;			/* and nothing has changed since */
	bool		readable;		/* columns are there, and nothing that a reader would have to honour */
	bool		plain;			/* nor a writer */
	Oid			relid;
	int32		open_book;		/* for new rows; 0: the column has no such default */
	int32		missing_book;	/* neither attached nor put away; 0: none */
	int32		last_away;		/* the last book that was put away; 0: none */
	Oid			stand_in;		/* in the place of books that were put away; invalid: none */
	int			nleaves;
	int			open_leaf;		/* of the leaves, where new rows go */
	StoreLeaf  *leaves;			/* by book, the oldest first */
	uint64		looks;			/* how often they were found out */
	int			ncolumns;
	AttrNumber	numbers[STORE_COLUMNS_MAX]; /* the attribute of each column */
	struct StoreTable *next;	/* of the tables whose changes are watched */
	struct StoreStatements *statements; /* of store_sql.c, made when first needed */
} StoreTable;

/* A leaf of an open table. */
typedef struct StoreOpened
{
	StoreLeaf	leaf;
	Relation	relation;		/* NULL: not opened yet */
	bool		asked;			/* by the scan that goes on */
	Relation	indexes[STORE_INDEXES_MAX]; /* opened for scans, NULL: not yet */
} StoreOpened;

/* An open table. */
typedef struct Store
{
	StoreTable *table;
	bool		by_sql;			/* all that follows but "rows" is not used then */
	Relation	root;			/* the table that has the name, where that is not the leaf of now */
	StoreOpened now;			/* where new rows go */
	int			nolder;			/* other leaves that scans read, the oldest first */
	StoreOpened *older;			/* each opened by the first scan that asks it */

	/* writing: made by the first insert or update */
	EState	   *estate;
	ResultRelInfo *info;
	int			nslots;
	int			nbuffered;
	TupleTableSlot **slots;
	TupleTableSlot *changed;	/* new version of a row */
	MemoryContext rows;			/* what buffered rows refer to; reset when they are written */
} Store;

/*
 * To read with AccessShareLock, to write with RowExclusiveLock.  Scans read all
 * books of a table that has some; a writer's see only the one that is open.
 */
extern void casino_store_open(StoreTable *table, Store *store, LOCKMODE mode);
extern void casino_store_close(Store *store);

/*
 * The book that new rows of a table in books belong to, and will until the end
 * of the transaction, since the table is locked as a writer locks it; 0: no book.
 */
extern int32 casino_store_open_book(StoreTable *table);

/* The last book that was put away, 0: none.  Error 55000 when a book is missing. */
extern int32 casino_store_last_away(StoreTable *table);

/*
 * The last book whose requests are forgotten, 0: none.  The book was put away,
 * or turned more than casino.request_memory before the open book was opened;
 * and so was each book before (R12.130).  Errors as above.
 */
extern int32 casino_store_last_forgotten(StoreTable *table);

/*
 * Values of a column of an index, int8: of the first one, or of the second one
 * with one value of the first.
 */
typedef struct StoreRange
{
	int			index;
	bool		of_key;
	int64		key;
	int64		least;
	int64		greatest;
} StoreRange;

/*
 * Books of a table that were turned and have no row in the range, ascending;
 * gives how many.  A book that was turned never changes, so that they never
 * will have one.  An uncertain one is not among them.
 */
extern int	casino_store_books_without(StoreTable *table, const StoreRange *range, int32 **books);

/*
 * Up to which book, from the one after "first" on, were all turned, with lesser
 * values alone in the index that is bounded?  "first" when that one has others.
 */
extern int32 casino_store_last_less(StoreTable *table, int index, int64 value, int32 first);

/* A scan by one of the table's indexes with equal values for its first columns. */
typedef struct StoreScan
{
	struct IndexScanDescData *scan;
	TupleTableSlot *slot;
	StoreTable *table;
	Store	   *store;
	StoreOpened *opened;		/* the leaf that is read */
	int			leaf;			/* its number: older ones from 0, then the leaf of now */
	int			nkeys;
	Datum		keys[STORE_KEYS_MAX];
	bool		beyond;			/* the next column of the index is greater than this, too */
	int64		least;
	Snapshot	snapshot;
	bool		placed;			/* of a seek: the index has been entered */
	bool		exhausted;		/* of a seek: no greater key is left */
	int64		sought;			/* of a seek: the last key asked for */

	/* by SQL */
	int			index;
	SPITupleTable *found;
	uint64		nrows;
	uint64		row;			/* the row that the scan stands on counts from 1; 0: before the first */
} StoreScan;

/*
 * Values of the first nkeys columns of the index: int8 and text, which must
 * live as long as the scan.  Rows of one book come in the order of the index,
 * rows of an older book before rows of a newer one.
 */
extern void casino_store_scan(Store *store, int index, Snapshot snapshot, int nkeys,
							  const Datum *keys, StoreScan *scan);
extern bool casino_store_next(StoreScan *scan);

/*
 * The same of rows whose next column of the index, an int8, is greater than
 * "least".  Without casino_store_rescan().
 */
extern void casino_store_scan_beyond(Store *store, int index, Snapshot snapshot, int nkeys,
									 const Datum *keys, int64 least, StoreScan *scan);
extern void casino_store_rescan(StoreScan *scan, int nkeys, const Datum *keys);
extern void casino_store_end(StoreScan *scan);

/*
 * Rows by a unique index whose first column is an int8, the keys asked for
 * ascending: neighbours are found by a step, not by a search from the root.
 */
extern void casino_store_seek_begin(Store *store, int index, Snapshot snapshot, StoreScan *scan);
extern bool casino_store_seek(StoreScan *scan, int64 key);

/* A column of the row that the scan stands on. */
extern Datum casino_store_column(const StoreScan *scan, int column, bool *isnull);
extern Datum casino_store_value(const StoreScan *scan, int column); /* XX001 for NULL */
extern int64 casino_store_int64(const StoreScan *scan, int column);

/*
 * Add a row, columns in the table's order.  Rows are buffered and written page
 * by page; values by reference must live until casino_store_flush(), in
 * the context of casino_store_row_context(), which is reset then.
 */
extern MemoryContext casino_store_row_context(Store *store);
extern void casino_store_insert(Store *store, const Datum *values, const bool *nulls);
extern void casino_store_flush(Store *store);

/*
 * Lock the row that the scan stands on until the end of the transaction, as
 * SELECT FOR NO KEY UPDATE does; the scan's slot then has the row's latest
 * version.  False when the row was deleted.
 */
extern bool casino_store_lock(Store *store, StoreScan *scan, Snapshot snapshot);

/*
 * Change columns of the row that the scan stands on.  False when somebody else
 * changed it: look for it again in a new snapshot.  No column may be one of
 * the primary key, which is the table's first column.  "columns" is static.
 */
extern bool casino_store_update(Store *store, const StoreScan *scan, int n, const int *columns,
								const Datum *values, const bool *nulls);

#endif							/* CASINO_STORE_H */
