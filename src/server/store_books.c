/*
 * store_books.c
 *	  Which books have no row that a question looks for?  For questions by SQL,
 *	  which then leave them out.
 */
#include "server/store.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "casino.h"
#include "compat.h"
#include "server/store_shape.h"

/* Has the index an entry in the range, also of rows that nobody sees? */
static bool
has_entry(Relation relation, Relation index, const StoreRange *range)
{
	ScanKeyData keys[3];
	int			nkeys = 0;
	IndexScanDesc scan;
	bool		found;

	if (range->of_key)
		ScanKeyEntryInitialize(&keys[nkeys++], 0, 1, BTEqualStrategyNumber, InvalidOid, InvalidOid, F_INT8EQ,
							   Int64GetDatum(range->key));
	ScanKeyEntryInitialize(&keys[nkeys], 0, nkeys + 1, BTGreaterEqualStrategyNumber, InvalidOid, InvalidOid,
						   F_INT8GE, Int64GetDatum(range->least));
	ScanKeyEntryInitialize(&keys[nkeys + 1], 0, nkeys + 1, BTLessEqualStrategyNumber, InvalidOid, InvalidOid,
						   F_INT8LE, Int64GetDatum(range->greatest));
	nkeys += 2;
	scan = casino_index_beginscan(relation, index, SnapshotAny, nkeys);
	index_rescan(scan, keys, nkeys, NULL, 0);
	found = index_getnext_tid(scan, ForwardScanDirection) != NULL;
	index_endscan(scan);
	return found;
}

int64
casino_store_greatest(Relation leaf, Relation index)
{
	IndexScanDesc scan = casino_index_beginscan(leaf, index, SnapshotAny, 1);
	int64		greatest = PG_INT64_MIN;
	bool		isnull;
	ScanKeyData key;

	ScanKeyEntryInitialize(&key, SK_ISNULL | SK_SEARCHNOTNULL, 1, InvalidStrategy, InvalidOid, InvalidOid,
						   InvalidOid, (Datum) 0);
	scan->xs_want_itup = true;
	index_rescan(scan, &key, 1, NULL, 0);
	if (index_getnext_tid(scan, BackwardScanDirection) != NULL)
		greatest = DatumGetInt64(index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &isnull));
	index_endscan(scan);
	return greatest;
}

/* Is it certain that the book has no row in the range?  Its locks are given back: the table is locked. */
static bool
is_without(StoreTable *table, int n, const StoreRange *range)
{
	Relation	relation = casino_store_open_leaf(table, n, AccessShareLock);
	bool		without = false;

	if (relation == NULL)
		return false;
	if (table->leaves[n].readable)
	{
		Relation	index = index_open(table->leaves[n].index_oids[range->index], AccessShareLock);

		without = !has_entry(relation, index, range);
		index_close(index, AccessShareLock);
	}
	relation_close(relation, AccessShareLock);
	return without;
}

/* Is every value of the index that is bounded less, in a book that was turned? */
static bool
is_less(StoreTable *table, int n, int index, int64 value)
{
	StoreLeaf  *leaf = &table->leaves[n];
	Relation	relation;

	if (leaf->known && leaf->is_bounded)
		return leaf->greatest < value;
	relation = casino_store_open_leaf(table, n, AccessShareLock);
	if (relation == NULL)
		return false;
	if (leaf->readable)
	{
		Relation	bounded = index_open(leaf->index_oids[index], AccessShareLock);

		leaf->greatest = casino_store_greatest(relation, bounded);
		leaf->is_bounded = true;
		index_close(bounded, AccessShareLock);
	}
	relation_close(relation, AccessShareLock);
	return leaf->is_bounded && leaf->greatest < value;
}

int32
casino_store_last_less(StoreTable *table, int index, int64 value, int32 first)
{
	Relation	root = casino_store_open_known(table, AccessShareLock);
	int32		last = first;

	Assert(table->indexes[index].bounded);
	for (int i = 0; table->readable && i < table->nleaves; i++)
	{
		if (table->leaves[i].book <= last)
			continue;
		if (table->leaves[i].book != last + 1 || last + 1 >= table->open_book ||
			!is_less(table, i, index, value))
			break;
		last++;
	}
	relation_close(root, NoLock);
	return last;
}

int
casino_store_books_without(StoreTable *table, const StoreRange *range, int32 **books)
{
	Relation	root = casino_store_open_known(table, AccessShareLock);
	int			n = 0;

	*books = palloc(sizeof(int32) * (table->nleaves + 1));
	for (int i = 0; table->readable && i < table->nleaves; i++)
		if (table->leaves[i].book < table->open_book && is_without(table, i, range))
			(*books)[n++] = table->leaves[i].book;
	relation_close(root, NoLock);
	return n;
}
