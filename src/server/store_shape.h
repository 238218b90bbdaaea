/*
 * store_shape.h
 *	  What a hot table looks like now: for store.c only.
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

/*
 * Open, lock and look at a leaf of a table that is open and in books.  NULL
 * when the leaf has gone.
 */
extern Relation casino_store_open_leaf(StoreTable *table, int n, LOCKMODE mode);

#endif							/* CASINO_STORE_SHAPE_H */
