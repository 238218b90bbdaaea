/*
 * store.c
 *	  The hot tables, read and written by the access methods: opening and
 *	  closing.  store_scan.c reads, store_write.c writes.
 *
 * What the executor would do for us is done here.  WAL, statistics and
 * visibility are the access methods' own.  These hold all the time; the number
 * stands where each is kept:
 *
 * (1) A table is read only while its shape is the one that our code knows, and
 *	   written only while nothing else wants something of its rows.
 * (2) The shape is that of the table that has the name, found out under the
 *	   lock that the work holds, so that it stays so.  A table in books is
 *	   locked as a whole, before the book is chosen and to the end of the
 *	   transaction.  Meanwhile no other book is opened, so that no row goes
 *	   into a book that was turned.
 * (3) Nothing is written above READ COMMITTED, in a read-only transaction or
 *	   in a parallel worker.
 * (4) Every row has a value in each column that is NOT NULL, and NULL in each
 *	   column that was dropped.
 * (5) Every version of a row has an entry in every index whose predicate it
 *	   meets, unless it is a heap-only one, and a unique index has checked it.
 * (6) A buffered row is in the table, with its entries, before anybody looks
 *	   for it: at the latest when the table is closed.
 * (7) An update changes the version that was read, or nothing: when another
 *	   transaction was faster the caller reads again.
 * (8) No column of a primary key changes, so that FOR NO KEY UPDATE is enough
 *	   and no foreign key has to be asked.
 * (9) Values that a buffered row refers to live until the row is written.
 * (10) A table in books is used only while each book up to the open one is
 *	   a partition, or the stand-in holds its place: without a book a scan
 *	   would find less than there is, and a request would be posted again.
 */
#include "server/store.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "casino.h"
#include "server/store_shape.h"
#include "server/store_sql.h"

/* Open a leaf and copy its description; false when the store cannot use the leaf. */
static bool
open_leaf(StoreTable *table, int n, LOCKMODE mode, StoreOpened *opened)
{
	opened->relation = casino_store_open_leaf(table, n, mode);
	if (opened->relation == NULL)
		return false;
	opened->leaf = table->leaves[n];
	return mode == AccessShareLock ? opened->leaf.readable : opened->leaf.plain;
}

/* Room for the leaves that scans read beside that of now. */
static void
prepare_older(StoreTable *table, Store *store)
{
	store->older = palloc0(sizeof(StoreOpened) * table->nleaves);
	for (int n = 0; n < table->nleaves; n++)
		if (n != table->open_leaf)
			store->older[store->nolder++].leaf = table->leaves[n];
}

bool
casino_store_open_older(Store *store, int n)
{
	StoreOpened *opened = &store->older[n];

	for (int i = 0; opened->relation == NULL && i < store->table->nleaves; i++)
		if (store->table->leaves[i].relid == opened->leaf.relid)
			return open_leaf(store->table, i, AccessShareLock, opened);
	return opened->relation != NULL;
}

/* Open the leaf of now; false when the store cannot use the leaf. */
static bool
open_leaves(StoreTable *table, Store *store, LOCKMODE mode)
{
	if (!(mode == AccessShareLock ? table->readable : table->plain))
		return false;
	if (!table->by_books)
	{
		store->now.relation = store->root;
		store->now.leaf = table->leaves[0];
		store->root = NULL;
		return true;
	}
	if (!open_leaf(table, table->open_leaf, mode, &store->now))
		return false;
	if (mode == AccessShareLock && table->nleaves > 1)
		prepare_older(table, store);
	return true;
}

static void
close_leaf(StoreOpened *opened)
{
	for (int i = 0; i < STORE_INDEXES_MAX; i++)
		if (opened->indexes[i] != NULL)
			index_close(opened->indexes[i], NoLock);
	if (opened->relation != NULL)
		table_close(opened->relation, NoLock);
}

/* Close the relations; their locks stay. */
static void
close_relations(Store *store)
{
	for (int n = 0; n < store->nolder; n++)
		close_leaf(&store->older[n]);
	store->nolder = 0;
	close_leaf(&store->now);
	if (store->root != NULL)
		relation_close(store->root, NoLock);
}

void
casino_store_open(StoreTable *table, Store *store, LOCKMODE mode)
{
	memset(store, 0, sizeof(*store));
	store->table = table;
	/* (3) what the executor asks of INSERT, UPDATE and FOR NO KEY UPDATE, on a standby too: 25006 */
	if (mode != AccessShareLock)
	{
		PreventCommandIfReadOnly("INSERT or UPDATE");
		PreventCommandIfParallelMode("INSERT or UPDATE");
	}
	/* (2), by SQL too: a snapshot older than the lock would miss rows of the transaction waited for */
	store->root = casino_store_open_named(table, mode);
	/* (1) */
	store->by_sql = !casino_use_store || IsolationUsesXactSnapshot() || !open_leaves(table, store, mode);
	if (store->by_sql)
		close_relations(store);
}

void
casino_store_go_by_sql(Store *store)
{
	close_relations(store);
	store->by_sql = true;
}

int32
casino_store_open_book(StoreTable *table)
{
	relation_close(casino_store_open_named(table, RowExclusiveLock), NoLock);
	return table->open_book;
}

int32
casino_store_last_away(StoreTable *table)
{
	relation_close(casino_store_open_named(table, AccessShareLock), NoLock);
	return table->last_away;
}

int32
casino_store_last_forgotten(StoreTable *table)
{
	relation_close(casino_store_open_named(table, AccessShareLock), NoLock);
	return casino_store_forgotten(table);
}

void
casino_store_close(Store *store)
{
	if (store->by_sql)
	{
		if (store->rows != NULL)
			MemoryContextDelete(store->rows);
		return;
	}
	if (store->info != NULL)
	{
		casino_store_flush(store);	/* (6) */
		for (int i = 0; i < store->nslots; i++)
			ExecDropSingleTupleTableSlot(store->slots[i]);
		if (store->changed != NULL)
			ExecDropSingleTupleTableSlot(store->changed);
		ExecCloseIndices(store->info);
		FreeExecutorState(store->estate);
	}
	close_relations(store);
}
