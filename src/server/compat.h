/*
 * compat.h
 *	  Where the server's interfaces differ between PostgreSQL 15 and later
 *	  versions: the only place that asks for PG_VERSION_NUM.
 *
 * Include after postgres.h.
 */
#ifndef CASINO_COMPAT_H
#define CASINO_COMPAT_H

#include "access/genam.h"
#include "access/tableam.h"

/* 18: pg_attribute_noreturn() has gone, pg_noreturn stands before the declaration */
#ifndef pg_attribute_noreturn
#define pg_attribute_noreturn()
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
typedef TU_UpdateIndexes CasinoUpdateIndexes;
#define CASINO_UPDATES_NO_INDEX(update)		((update) == TU_None)
#define CASINO_UPDATES_SUMMARIZING(update)	((update) == TU_Summarizing)
#else
typedef bool CasinoUpdateIndexes;
#define CASINO_UPDATES_NO_INDEX(update)		(!(update))
#define CASINO_UPDATES_SUMMARIZING(update)	false
#endif

#endif							/* CASINO_COMPAT_H */
