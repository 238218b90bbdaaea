/*
 * store_sql.h
 *	  The hot tables by SQL, where the access methods may not be used: for
 *	  store.c only.
 */
#ifndef CASINO_STORE_SQL_H
#define CASINO_STORE_SQL_H

#include "server/store.h"

/*
 * Each does what the function of store.h of that name promises.  Rows are read
 * as they are committed now, and written in the transaction's snapshot: above
 * READ COMMITTED a row that changed since is 40001.
 */
extern void casino_store_sql_scan(Store *store, int index, int nkeys, const Datum *keys, StoreScan *scan);
extern bool casino_store_sql_next(StoreScan *scan);
extern void casino_store_sql_end(StoreScan *scan);
extern Datum casino_store_sql_column(const StoreScan *scan, int column, bool *isnull);
extern void casino_store_sql_insert(Store *store, const Datum *values, const bool *nulls);
extern bool casino_store_sql_lock(Store *store, StoreScan *scan);
extern bool casino_store_sql_update(Store *store, const StoreScan *scan, int n, const int *columns,
									const Datum *values, const bool *nulls);

#endif							/* CASINO_STORE_SQL_H */
