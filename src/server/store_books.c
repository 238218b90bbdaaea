/*
 * store_books.c
 *	  Which books have no row that a question looks for?  For the planner,
 *	  which then leaves them out.
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
