/*
 * store.c
 *	  The hot tables, read and written by the access methods.
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
 */
#include "server/store.h"

#include "access/amapi.h"
#include "access/heapam.h"
#include "access/relation.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/execPartition.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "casino.h"
#include "server/store_shape.h"
#include "server/store_sql.h"

/* entries of an index that a seek passes before it searches from the root again */
#define SEEK_STEPS		32

/* rows written at once, as COPY does */
#define BUFFERED_ROWS	500

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

/* Open the leaves that scans read beside that of now. */
static bool
open_older(StoreTable *table, Store *store)
{
	bool		fits = true;

	store->older = palloc0(sizeof(StoreOpened) * table->nleaves);
	for (int n = 0; n < table->nleaves && fits; n++)
		if (n != table->open_leaf)
			fits = open_leaf(table, n, AccessShareLock, &store->older[store->nolder++]);
	return fits;
}

/* Open the leaves; false when the store cannot use all of them. */
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
	return open_leaf(table, table->open_leaf, mode, &store->now) &&
		(mode != AccessShareLock || table->nleaves == 1 || open_older(table, store));
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

int32
casino_store_open_book(StoreTable *table)
{
	relation_close(casino_store_open_named(table, RowExclusiveLock), NoLock);
	return table->open_book;
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

/* Fill in the keys of a scan: columns of int8 and text. */
static void
make_keys(Relation index, int nkeys, const Datum *values, ScanKeyData *keys)
{
	Assert(nkeys > 0 && nkeys <= STORE_KEYS_MAX);
	Assert(nkeys <= IndexRelationGetNumberOfKeyAttributes(index));
	for (int i = 0; i < nkeys; i++)
	{
		Oid			type = TupleDescAttr(RelationGetDescr(index), i)->atttypid;

		ScanKeyEntryInitialize(&keys[i], 0, i + 1, BTEqualStrategyNumber, InvalidOid,
							   index->rd_indcollation[i],
							   type == TEXTOID ? F_TEXTEQ : type == INT4OID ? F_INT4EQ : F_INT8EQ, values[i]);
	}
}

/* The index of a leaf. */
static Relation
index_of(StoreOpened *opened, int index)
{
	if (opened->indexes[index] == NULL)
		opened->indexes[index] = index_open(opened->leaf.index_oids[index], AccessShareLock);
	return opened->indexes[index];
}

/* Read a leaf by an index. */
static void
begin_leaf(StoreScan *scan, StoreOpened *opened)
{
	Relation	index = index_of(opened, scan->index);
	ScanKeyData keys[STORE_KEYS_MAX];

	make_keys(index, scan->nkeys, scan->keys, keys);
	scan->opened = opened;
	scan->slot = table_slot_create(opened->relation, NULL);
	scan->scan = casino_index_beginscan(opened->relation, index, scan->snapshot, scan->nkeys);
	index_rescan(scan->scan, keys, scan->nkeys, NULL, 0);
}

static void
end_leaf(StoreScan *scan)
{
	index_endscan(scan->scan);
	ExecDropSingleTupleTableSlot(scan->slot);
}

/* Begin with the oldest leaf. */
static void
begin_leaves(StoreScan *scan)
{
	scan->leaf = 0;
	begin_leaf(scan, scan->store->nolder > 0 ? &scan->store->older[0] : &scan->store->now);
}

/* Go on with the next leaf; false behind the last. */
static bool
next_leaf(StoreScan *scan)
{
	Store	   *store = scan->store;

	if (scan->leaf == store->nolder)
		return false;
	scan->leaf++;
	end_leaf(scan);
	begin_leaf(scan, scan->leaf < store->nolder ? &store->older[scan->leaf] : &store->now);
	return true;
}

void
casino_store_scan(Store *store, int index, Snapshot snapshot, int nkeys, const Datum *values,
				  StoreScan *scan)
{
	Assert(index < STORE_INDEXES_MAX && nkeys <= store->table->indexes[index].nkeys);
	if (store->by_sql)
	{
		casino_store_sql_scan(store, index, nkeys, values, scan);
		return;
	}
	scan->store = store;
	scan->table = store->table;
	scan->index = index;
	scan->snapshot = snapshot;
	scan->nkeys = nkeys;
	memcpy(scan->keys, values, sizeof(Datum) * nkeys);
	begin_leaves(scan);
}

void
casino_store_rescan(StoreScan *scan, int nkeys, const Datum *values)
{
	ScanKeyData keys[STORE_KEYS_MAX];

	if (scan->store->by_sql)
	{
		casino_store_sql_end(scan);
		casino_store_sql_scan(scan->store, scan->index, nkeys, values, scan);
		return;
	}
	if (scan->store->nolder == 0)
	{
		make_keys(scan->scan->indexRelation, nkeys, values, keys);
		index_rescan(scan->scan, keys, nkeys, NULL, 0);
		return;
	}
	end_leaf(scan);
	scan->nkeys = nkeys;
	memcpy(scan->keys, values, sizeof(Datum) * nkeys);
	begin_leaves(scan);
}

bool
casino_store_next(StoreScan *scan)
{
	if (scan->store->by_sql)
		return casino_store_sql_next(scan);
	do
	{
		if (index_getnext_slot(scan->scan, ForwardScanDirection, scan->slot))
			return true;
	} while (next_leaf(scan));
	return false;
}

void
casino_store_end(StoreScan *scan)
{
	if (scan->store->by_sql)
		casino_store_sql_end(scan);
	else
		end_leaf(scan);
}

void
casino_store_seek_begin(Store *store, int index, Snapshot snapshot, StoreScan *scan)
{
	scan->store = store;
	scan->table = store->table;
	scan->placed = scan->exhausted = false;
	scan->sought = PG_INT64_MIN;
	scan->index = index;
	scan->found = NULL;
	if (store->by_sql)
		return;
	Assert(!store->table->by_books);
	scan->slot = table_slot_create(store->now.relation, NULL);
	scan->scan = casino_index_beginscan(store->now.relation, index_of(&store->now, index), snapshot, 1);
	/* keys are compared in the index: most that is asked for is not there */
	scan->scan->xs_want_itup = true;
}

/* Enter the index at the first key that is not less. */
static void
enter_at(StoreScan *scan, int64 key)
{
	ScanKeyData least;

	ScanKeyEntryInitialize(&least, 0, 1, BTGreaterEqualStrategyNumber, InvalidOid, InvalidOid, F_INT8GE,
						   Int64GetDatum(key));
	index_rescan(scan->scan, &least, 1, NULL, 0);
	scan->exhausted = index_getnext_tid(scan->scan, ForwardScanDirection) == NULL;
	scan->placed = true;
}

bool
casino_store_seek(StoreScan *scan, int64 key)
{
	Assert(key > scan->sought || !scan->placed);
	scan->sought = key;
	if (scan->store->by_sql)
	{
		Datum		keys[1] = {Int64GetDatum(key)};

		casino_store_sql_end(scan);
		casino_store_sql_scan(scan->store, scan->index, 1, keys, scan);
		scan->placed = true;
		return casino_store_sql_next(scan);
	}
	if (!scan->placed)
		enter_at(scan, key);
	for (int steps = 0; !scan->exhausted; steps++)
	{
		bool		isnull;
		int64		here = DatumGetInt64(index_getattr(scan->scan->xs_itup, 1, scan->scan->xs_itupdesc, &isnull));

		/* versions that the snapshot does not see have entries, too */
		if (here == key && index_fetch_heap(scan->scan, scan->slot))
			return true;
		if (here > key)
			return false;
		if (here < key && steps == SEEK_STEPS)
			enter_at(scan, key);
		else
			scan->exhausted = index_getnext_tid(scan->scan, ForwardScanDirection) == NULL;
	}
	return false;
}

Datum
casino_store_column(const StoreScan *scan, int column, bool *isnull)
{
	if (scan->store->by_sql)
		return casino_store_sql_column(scan, column, isnull);
	return slot_getattr(scan->slot, scan->table->numbers[column], isnull);
}

Datum
casino_store_value(const StoreScan *scan, int column)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("column \"%s\" of a stored row must not be NULL", scan->table->columns[column].name)));
	return value;
}

int64
casino_store_int64(const StoreScan *scan, int column)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

/* Get ready to write. */
static void
begin_writing(Store *store)
{
	MemoryContext saved;

	Assert(store->table->plain);	/* (1) */
	Assert(CheckRelationLockedByMe(store->now.relation, RowExclusiveLock, true));	/* (2) */
	Assert(store->root == NULL || CheckRelationLockedByMe(store->root, RowExclusiveLock, true));
	Assert(!IsolationUsesXactSnapshot());	/* (3) */
	if (store->info != NULL)
		return;
	store->estate = CreateExecutorState();
	saved = MemoryContextSwitchTo(store->estate->es_query_cxt);
	store->info = makeNode(ResultRelInfo);
	InitResultRelInfo(store->info, store->now.relation, 1, NULL, 0);
	store->rows = AllocSetContextCreate(store->estate->es_query_cxt, "casino rows", ALLOCSET_DEFAULT_SIZES);
	store->slots = palloc(sizeof(TupleTableSlot *) * BUFFERED_ROWS);
	MemoryContextSwitchTo(saved);
}

/* Open the indexes: not before an entry is to be made, since most updates make none. */
static void
open_indexes(Store *store)
{
	MemoryContext saved;

	if (store->info->ri_IndexRelationDescs != NULL || store->info->ri_NumIndices > 0)
		return;
	saved = MemoryContextSwitchTo(store->estate->es_query_cxt);
	ExecOpenIndices(store->info, false);
	MemoryContextSwitchTo(saved);
}

/* Put the row of a slot into one index, where the index covers it. */
static void
insert_into_index(Store *store, int i, TupleTableSlot *slot, bool unchanged)
{
	Relation	index = store->info->ri_IndexRelationDescs[i];
	IndexInfo  *info = store->info->ri_IndexRelationInfo[i];
	ExprContext *context = GetPerTupleExprContext(store->estate);
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	if (!info->ii_ReadyForInserts)
		return;
	context->ecxt_scantuple = slot;
	if (info->ii_Predicate != NIL)
	{
		if (info->ii_PredicateState == NULL)
			info->ii_PredicateState = ExecPrepareQual(info->ii_Predicate, store->estate);
		if (!ExecQual(info->ii_PredicateState, context))
			return;
	}
	FormIndexDatum(info, slot, store->estate, values, nulls);
	(void) index_insert(index, values, nulls, &slot->tts_tid, store->now.relation,
						index->rd_index->indisunique ? UNIQUE_CHECK_YES : UNIQUE_CHECK_NO, unchanged, info);
}

/* 23502, as the executor says it. */
static void
check_not_null(Store *store, TupleTableSlot *slot)
{
	TupleDesc	desc = slot->tts_tupleDescriptor;

	for (int i = 0; i < desc->natts; i++)
		if (slot->tts_isnull[i] && TupleDescAttr(desc, i)->attnotnull)
			ereport(ERROR,
					(errcode(ERRCODE_NOT_NULL_VIOLATION),
					 errmsg("null value in column \"%s\" of relation \"%s\" violates not-null constraint",
							NameStr(TupleDescAttr(desc, i)->attname),
							RelationGetRelationName(store->now.relation)),
					 errtablecol(store->now.relation, i + 1)));
}

MemoryContext
casino_store_row_context(Store *store)
{
	if (!store->by_sql)
		begin_writing(store);
	else if (store->rows == NULL)
		store->rows = AllocSetContextCreate(CurrentMemoryContext, "casino rows", ALLOCSET_DEFAULT_SIZES);
	return store->rows;
}

void
casino_store_insert(Store *store, const Datum *values, const bool *nulls)
{
	TupleTableSlot *slot;

	if (store->by_sql)
	{
		casino_store_sql_insert(store, values, nulls);
		return;
	}
	begin_writing(store);
	if (store->nbuffered == store->nslots)
	{
		MemoryContext saved = MemoryContextSwitchTo(store->estate->es_query_cxt);

		store->slots[store->nslots++] = table_slot_create(store->now.relation, NULL);
		MemoryContextSwitchTo(saved);
	}
	Assert(store->nbuffered < BUFFERED_ROWS);
	slot = store->slots[store->nbuffered++];
	ExecClearTuple(slot);
	memset(slot->tts_isnull, true, sizeof(bool) * slot->tts_tupleDescriptor->natts);	/* (4) dropped ones */
	for (int i = 0; i < store->table->ncolumns; i++)
	{
		int			a = store->table->numbers[i] - 1;

		slot->tts_values[a] = values[i];
		slot->tts_isnull[a] = nulls[i];
	}
	if (store->table->by_books)
	{
		int			a = store->table->numbers[store->table->ncolumns - 1] - 1;

		slot->tts_values[a] = Int32GetDatum(store->now.leaf.book);
		slot->tts_isnull[a] = false;
	}
	ExecStoreVirtualTuple(slot);
	check_not_null(store, slot);	/* (4) */
	if (store->nbuffered == BUFFERED_ROWS)
		casino_store_flush(store);
}

void
casino_store_flush(Store *store)
{
	MemoryContext saved;

	if (store->by_sql && store->rows != NULL)
		MemoryContextReset(store->rows);
	if (store->nbuffered == 0)
		return;
	/* the access methods leave memory behind */
	saved = MemoryContextSwitchTo(GetPerTupleMemoryContext(store->estate));
	if (store->nbuffered == 1)
		table_tuple_insert(store->now.relation, store->slots[0], GetCurrentCommandId(true), 0, NULL);
	else
		table_multi_insert(store->now.relation, store->slots, store->nbuffered,
						   GetCurrentCommandId(true), 0, NULL);
	open_indexes(store);
	/* (5) index by index: neighbours of one index come one after the other */
	for (int i = 0; i < store->info->ri_NumIndices; i++)
		for (int n = 0; n < store->nbuffered; n++)
			insert_into_index(store, i, store->slots[n], false);
	for (int n = 0; n < store->nbuffered; n++)
		ExecClearTuple(store->slots[n]);
	MemoryContextSwitchTo(saved);
	ResetPerTupleExprContext(store->estate);
	MemoryContextReset(store->rows);	/* (9) */
	store->nbuffered = 0;
}

/* (5) The index entries of a row's new version: all of them, or of summarizing indexes only. */
static void
update_indexes(Store *store, TupleTableSlot *slot, CasinoUpdateIndexes update)
{
	if (CASINO_UPDATES_NO_INDEX(update))
		return;
	open_indexes(store);
	for (int i = 0; i < store->info->ri_NumIndices; i++)
	{
		if (CASINO_UPDATES_SUMMARIZING(update) &&
			!store->info->ri_IndexRelationDescs[i]->rd_indam->amcanorder)
			insert_into_index(store, i, slot, false);
		if (!CASINO_UPDATES_SUMMARIZING(update))
			insert_into_index(store, i, slot, true);
	}
}

bool
casino_store_lock(Store *store, StoreScan *scan, Snapshot snapshot)
{
	TM_FailureData failure;
	ItemPointerData tid;
	TM_Result	result;

	if (store->by_sql)
		return casino_store_sql_lock(store, scan);
	tid = scan->slot->tts_tid;
	result = table_tuple_lock(store->now.relation, &tid, snapshot, scan->slot,
							  GetCurrentCommandId(true), LockTupleNoKeyExclusive, LockWaitBlock,
							  TUPLE_LOCK_FLAG_FIND_LAST_VERSION, &failure);

	if (result != TM_Ok && result != TM_Deleted)
		elog(ERROR, "unexpected result %d of a lock in \"%s\"", (int) result,
			 RelationGetRelationName(store->now.relation));
	return result == TM_Ok;
}

bool
casino_store_update(Store *store, const StoreScan *scan, int n, const int *columns,
					const Datum *values, const bool *nulls)
{
	TupleTableSlot *old = scan->slot;
	TupleTableSlot *slot;
	TM_FailureData failure;
	LockTupleMode lock_mode;
	CasinoUpdateIndexes update;
	TM_Result	result;
	MemoryContext saved;

	if (store->by_sql)
		return casino_store_sql_update(store, scan, n, columns, values, nulls);
	begin_writing(store);
	if (store->changed == NULL)
	{
		CheckCmdReplicaIdentity(store->now.relation, CMD_UPDATE);
		saved = MemoryContextSwitchTo(store->estate->es_query_cxt);
		store->changed = table_slot_create(store->now.relation, NULL);
		MemoryContextSwitchTo(saved);
	}

	/* the new row is the old one with these columns changed */
	slot = store->changed;
	ExecClearTuple(slot);
	slot_getallattrs(old);
	memcpy(slot->tts_values, old->tts_values, sizeof(Datum) * old->tts_tupleDescriptor->natts);
	memcpy(slot->tts_isnull, old->tts_isnull, sizeof(bool) * old->tts_tupleDescriptor->natts);
	for (int i = 0; i < n; i++)
	{
		int			a = store->table->numbers[columns[i]] - 1;

		/* (8): tables that are updated have their first column as key */
		Assert(columns[i] > 0 && columns[i] < store->table->ncolumns);
		slot->tts_values[a] = values[i];
		slot->tts_isnull[a] = nulls[i];
	}
	ExecStoreVirtualTuple(slot);

	/* (4) */
	for (int a = 0; a < slot->tts_tupleDescriptor->natts; a++)
		if (TupleDescAttr(slot->tts_tupleDescriptor, a)->attisdropped)
			slot->tts_isnull[a] = true;

	/* what the executor would check and do, in its order: NOT NULL, the row, its indexes */
	check_not_null(store, slot);
	saved = MemoryContextSwitchTo(GetPerTupleMemoryContext(store->estate));
	result = table_tuple_update(store->now.relation, &old->tts_tid, slot, GetCurrentCommandId(true),
								InvalidSnapshot, InvalidSnapshot, true, &failure, &lock_mode, &update);

	/* (7) somebody was faster where our snapshot could not see it: the caller reads again */
	if (result == TM_Ok)
		update_indexes(store, slot, update);
	else if (result != TM_Updated)
		elog(ERROR, "unexpected result %d of an update of \"%s\"", (int) result,
			 RelationGetRelationName(store->now.relation));
	MemoryContextSwitchTo(saved);
	ExecClearTuple(slot);
	ResetPerTupleExprContext(store->estate);
	return result == TM_Ok;
}
