/*
 * compat.h
 *	  Where the server's interfaces differ between PostgreSQL 15 and later
 *	  versions: the only place that asks for PG_VERSION_NUM.
 *
 * Include after postgres.h.  What the macros are made of is included where
 * they are used.
 */
#ifndef CASINO_COMPAT_H
#define CASINO_COMPAT_H

/* 16: postgres.h has the macros of varlenas no more */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 18: pg_attribute_noreturn() has gone; its pg_noreturn would have to stand before the declaration */
#ifndef pg_attribute_noreturn
#define pg_attribute_noreturn()	__attribute__((noreturn))
#endif

/* 18: a scan may count its searches */
#if PG_VERSION_NUM >= 180000
#define casino_index_beginscan(heap, index, snapshot, nkeys) \
	index_beginscan(heap, index, snapshot, NULL, nkeys, 0)
#else
#define casino_index_beginscan(heap, index, snapshot, nkeys) \
	index_beginscan(heap, index, snapshot, nkeys, 0)
#endif

/* 16: an update says which indexes it touched; only whether all did matters to tables without BRIN indexes */
#if PG_VERSION_NUM >= 160000
#define CasinoUpdateIndexes					TU_UpdateIndexes
#define CASINO_UPDATES_NO_INDEX(update)		((update) == TU_None)
#define CASINO_UPDATES_SUMMARIZING(update)	((update) == TU_Summarizing)
#else
#define CasinoUpdateIndexes					bool
#define CASINO_UPDATES_NO_INDEX(update)		(!(update))
#define CASINO_UPDATES_SUMMARIZING(update)	false
#endif

/* 17: stronger modes may count, too */
#if PG_VERSION_NUM >= 170000
#define casino_lock_held(tag, mode)	LockHeldByMe(tag, mode, false)
#else
#define casino_lock_held(tag, mode)	LockHeldByMe(tag, mode)
#endif

/* 17: a path of a foreign scan names the clauses of a join pushed down; 18: how many nodes are disabled */
#if PG_VERSION_NUM >= 180000
#define casino_foreignscan_path(root, rel, rows, startup, total, outer) \
	create_foreignscan_path(root, rel, NULL, rows, 0, startup, total, NIL, outer, NULL, NIL, NIL)
#elif PG_VERSION_NUM >= 170000
#define casino_foreignscan_path(root, rel, rows, startup, total, outer) \
	create_foreignscan_path(root, rel, NULL, rows, startup, total, NIL, outer, NULL, NIL, NIL)
#else
#define casino_foreignscan_path(root, rel, rows, startup, total, outer) \
	create_foreignscan_path(root, rel, NULL, rows, startup, total, NIL, outer, NULL, NIL)
#endif

#endif							/* CASINO_COMPAT_H */
