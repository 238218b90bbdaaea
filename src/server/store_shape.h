/*
 * store_shape.h
 *	  What a hot table looks like now: for the files of the store only.
 */
#ifndef CASINO_STORE_SHAPE_H
#define CASINO_STORE_SHAPE_H

#include "server/store.h"

/*
 * Open and lock the table that has the name now, and find out what it looks
 * like, unless that is known and nothing has changed since.  42P01 when there
 * is no such table.
 */
extern Relation casino_store_open_named(StoreTable *table, LOCKMODE mode);

/* The same, also while a book is neither attached nor put away. */
extern Relation casino_store_open_known(StoreTable *table, LOCKMODE mode);

/*
 * Open, lock and look at a leaf of a table that is open and in books.  NULL
 * when the leaf has gone.
 */
extern Relation casino_store_open_leaf(StoreTable *table, int n, LOCKMODE mode);

/* As casino_store_last_forgotten(), of a table that is open. */
extern int32 casino_store_forgotten(const StoreTable *table);

/*
 * Open an older leaf of a store that was opened to read, unless it is open;
 * false when the store cannot use the leaf.
 */
extern bool casino_store_open_older(Store *store, int n);

/*
 * Open the indexes of a leaf for entries, as ExecOpenIndices() does, in the
 * current memory; ExecCloseIndices() closes them.
 */
extern void casino_store_open_indexes(ResultRelInfo *info);

/* The relation, or any (InvalidOid), may have changed: describe its indexes anew. */
extern void casino_store_forget_indexes(Oid relation);

/* The greatest value in the first column of an index, also of rows that nobody sees; NULLs aside. */
extern int64 casino_store_greatest(Relation leaf, Relation index);

/* Go on by SQL, with a store that was opened to read and has no scan. */
extern void casino_store_go_by_sql(Store *store);

#endif							/* CASINO_STORE_SHAPE_H */
