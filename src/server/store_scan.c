/*
 * store_scan.c
 *	  The hot tables: reading by an index, leaf by leaf, the oldest first.
 */
#include "server/store.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "casino.h"
#include "server/store_shape.h"
#include "server/store_sql.h"

/* entries of an index that a seek passes before it searches from the root again */
#define SEEK_STEPS		32

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
	int			nkeys = scan->nkeys;

	make_keys(index, nkeys, scan->keys, keys);
	if (scan->beyond)
	{
		nkeys++;
		ScanKeyEntryInitialize(&keys[nkeys - 1], 0, nkeys, BTGreaterStrategyNumber, InvalidOid, InvalidOid,
							   F_INT8GT, Int64GetDatum(scan->least));
	}
	scan->opened = opened;
	scan->slot = table_slot_create(opened->relation, NULL);
	scan->scan = casino_index_beginscan(opened->relation, index, scan->snapshot, nkeys);
	index_rescan(scan->scan, keys, nkeys, NULL, 0);
}

static void
end_leaf(StoreScan *scan)
{
	index_endscan(scan->scan);
	ExecDropSingleTupleTableSlot(scan->slot);
}

/* Refuse a scan that would need books that were put away. */
static void
ask_away(StoreScan *scan)
{
	const StoreTable *table = scan->table;

	if (OidIsValid(table->stand_in))
		table->ask_away(table->stand_in, scan->index, scan->nkeys, scan->keys);
}

static StoreOpened *
leaf_of(StoreScan *scan)
{
	return scan->leaf < scan->store->nolder ? &scan->store->older[scan->leaf] : &scan->store->now;
}

/* The book of that leaf as the backend keeps it. */
static StoreLeaf *
kept_leaf(StoreScan *scan, const StoreOpened *opened)
{
	for (int n = 0; n < scan->table->nleaves; n++)
		if (scan->table->leaves[n].relid == opened->leaf.relid)
			return &scan->table->leaves[n];
	elog(ERROR, "a book of \"%s\" has gone", scan->table->name);
	return NULL;				/* keep compilers quiet */
}

/* May the older leaf have a row that the scan looks for?  False at *fits: the store cannot use the leaf. */
static bool
may_have_rows(StoreScan *scan, int n, bool *fits)
{
	const StoreIndex *index = &scan->table->indexes[scan->index];
	StoreOpened *opened = &scan->store->older[n];
	StoreLeaf  *leaf;

	if (index->forgetful && opened->leaf.book <= casino_store_forgotten(scan->table))
		return false;
	leaf = kept_leaf(scan, opened);
	if (index->bounded && leaf->known && leaf->is_bounded && DatumGetInt64(scan->keys[0]) > leaf->greatest)
		return false;
	*fits = casino_store_open_older(scan->store, n);
	if (!*fits || !index->bounded)
		return *fits;
	/* R12.131: the leaf is not the open one, so that with the table's lock its rows stay as they are */
	if (!leaf->is_bounded)
		leaf->greatest = casino_store_greatest(opened->relation, index_of(opened, scan->index));
	leaf->is_bounded = true;
	return DatumGetInt64(scan->keys[0]) <= leaf->greatest;
}

/* Open the leaves that may have rows; false when the store cannot use one of them. */
static bool
open_asked(StoreScan *scan)
{
	bool		fits = true;

	for (int n = 0; n < scan->store->nolder && fits; n++)
		scan->store->older[n].asked = may_have_rows(scan, n, &fits);
	return fits;
}

/* The next leaf that is asked, from this one on; that of now is the last. */
static int
next_asked(StoreScan *scan, int leaf)
{
	while (leaf < scan->store->nolder && !scan->store->older[leaf].asked)
		leaf++;
	return leaf;
}

/* Begin with the oldest leaf that is asked, or by SQL where the store cannot use one. */
static void
begin_leaves(StoreScan *scan)
{
	if (!open_asked(scan))
	{
		casino_store_go_by_sql(scan->store);
		casino_store_sql_scan(scan->store, scan->index, scan->nkeys, scan->keys, scan);
		return;
	}
	scan->leaf = next_asked(scan, 0);
	begin_leaf(scan, leaf_of(scan));
}

/* Go on with the next leaf; false behind the last. */
static bool
next_leaf(StoreScan *scan)
{
	Store	   *store = scan->store;

	if (scan->leaf == store->nolder)
		return false;
	scan->leaf = next_asked(scan, scan->leaf + 1);
	end_leaf(scan);
	begin_leaf(scan, leaf_of(scan));
	return true;
}

/* Begin a scan of which is set how the next column is bounded. */
static void
begin(Store *store, int index, Snapshot snapshot, int nkeys, const Datum *values, StoreScan *scan)
{
	if (store->by_sql)
	{
		casino_store_sql_scan(store, index, nkeys, values, scan);
		return;
	}
	/* opened for writing, the store has the leaf of now alone: rows of older books would be missed */
	if (store->table->by_books && store->nolder + 1 != store->table->nleaves)
		elog(ERROR, "\"%s\" was not opened for reading", store->table->name);
	scan->store = store;
	scan->table = store->table;
	scan->index = index;
	scan->snapshot = snapshot;
	scan->nkeys = nkeys;
	memcpy(scan->keys, values, sizeof(Datum) * nkeys);
	ask_away(scan);
	begin_leaves(scan);
}

void
casino_store_scan(Store *store, int index, Snapshot snapshot, int nkeys, const Datum *values,
				  StoreScan *scan)
{
	Assert(index < STORE_INDEXES_MAX && nkeys <= store->table->indexes[index].nkeys);
	scan->beyond = false;
	begin(store, index, snapshot, nkeys, values, scan);
}

void
casino_store_scan_beyond(Store *store, int index, Snapshot snapshot, int nkeys, const Datum *values,
						 int64 least, StoreScan *scan)
{
	Assert(index < STORE_INDEXES_MAX && nkeys < store->table->indexes[index].nkeys);
	scan->beyond = true;
	scan->least = least;
	begin(store, index, snapshot, nkeys, values, scan);
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
	scan->nkeys = nkeys;
	memcpy(scan->keys, values, sizeof(Datum) * nkeys);
	ask_away(scan);
	if (scan->store->nolder == 0)
	{
		make_keys(scan->scan->indexRelation, nkeys, values, keys);
		index_rescan(scan->scan, keys, nkeys, NULL, 0);
		return;
	}
	end_leaf(scan);
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
	scan->beyond = false;
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
		IndexScanDesc in = scan->scan;
		bool		isnull;
		int64		here = DatumGetInt64(index_getattr(in->xs_itup, 1, in->xs_itupdesc, &isnull));

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
				 errmsg("column \"%s\" of a stored row must not be NULL",
						scan->table->columns[column].name)));
	return value;
}

int64
casino_store_int64(const StoreScan *scan, int column)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}
