/*
 * store_write.c
 *	  The hot tables: insertion, locks of rows, updates.  The numbers are those
 *	  at the head of store.c.
 */
#include "server/store.h"

#include "access/amapi.h"
#include "access/genam.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "executor/executor.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "casino.h"
#include "server/store_shape.h"
#include "server/store_sql.h"

/* rows written at once, as COPY does */
#define BUFFERED_ROWS	500

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

	if (store->info->ri_IndexRelationDescs != NULL)
		return;
	saved = MemoryContextSwitchTo(store->estate->es_query_cxt);
	casino_store_open_indexes(store->info);
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

/* 23502, as the executor says it, of one attribute, counted from 0. */
static void
check_not_null(Store *store, TupleTableSlot *slot, int a)
{
	Form_pg_attribute attribute = TupleDescAttr(slot->tts_tupleDescriptor, a);

	if (slot->tts_isnull[a] && attribute->attnotnull)
		ereport(ERROR,
				(errcode(ERRCODE_NOT_NULL_VIOLATION),
				 errmsg("null value in column \"%s\" of relation \"%s\" violates not-null constraint",
						NameStr(attribute->attname), RelationGetRelationName(store->now.relation)),
				 errtablecol(store->now.relation, a + 1)));
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
	for (int a = 0; a < slot->tts_tupleDescriptor->natts; a++)
		check_not_null(store, slot, a); /* (4) */
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

	/* the executor's checks and steps in its order: NOT NULL of the changed columns, the row, its indexes */
	for (int i = 0; i < n; i++)
		check_not_null(store, slot, store->table->numbers[columns[i]] - 1);
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
