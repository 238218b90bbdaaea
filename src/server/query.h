/*
 * query.h
 *	  Prepared queries and their results, as the owner of the ledger
 *	  (server/run_as_owner.h).
 */
#ifndef CASINO_QUERY_H
#define CASINO_QUERY_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "compat.h"
#include "core/bet.h"

/* Kinds of parameters of a prepared query; types of the extension are looked up. */
typedef enum QueryArg
{
	ARG_END,
	ARG_INT4,
	ARG_INT8,
	ARG_TEXT,
	ARG_TEXT_ARRAY,
	ARG_NUMERIC,
	ARG_TIMESTAMPTZ,
	ARG_JSONB,
	ARG_BET,
	ARG_HAND,
	ARG_BOOL,
	ARG_DATE,
	ARG_INT8_ARRAY
} QueryArg;

#define QUERY_ARGS	24

/* The type of a parameter. */
extern Oid	casino_arg_type(QueryArg arg);

/* A static query of a file, prepared once a session. */
typedef struct PreparedQuery
{
	const char *sql;
	QueryArg	args[QUERY_ARGS + 1];
	SPIPlanPtr	plan;
	Oid			bet_type;		/* for which casino.bet it was prepared */
} PreparedQuery;

/*
 * casino_execute runs a query that writes or locks, in the transaction's
 * snapshot (a fresh one in READ COMMITTED).  casino_read_latest reads what is
 * committed now (and this transaction's own rows) whatever the isolation level:
 * for decisions taken under a lock.  casino_read_snapshot answers a question in
 * the snapshot of the query that asks.  All return the number of rows; results
 * are in SPI_tuptable.
 */
extern uint64 casino_execute(PreparedQuery *query, Datum *values, const char *nulls);
extern uint64 casino_read_latest(PreparedQuery *query, Datum *values, const char *nulls);
extern uint64 casino_read_snapshot(PreparedQuery *query, Datum *values, const char *nulls);

/* 42804 for a column of a row that our code would take for one of another type. */
extern void casino_check_type(TupleDesc desc, int number, Oid type);

/* 40001: "what" number "id" ("is younger than") this transaction. */
extern void casino_snapshot_too_old(const char *what, int64 id, const char *relation) pg_attribute_noreturn();

/*
 * Columns of row "row" of the last result, by the numbers that an enum beside
 * the query names.  A null is 0, false, or NULL unless said otherwise.  42804
 * for a column that the owner gave another type; "untyped" does not ask.
 * casino_column() refuses a null (XX001) where "isnull" is NULL, because its
 * Datum would be taken for a pointer.
 */
extern Datum casino_column(uint64 row, int column, QueryArg type, bool *isnull);
extern Datum casino_column_untyped(uint64 row, int column, bool *isnull);
extern bool casino_column_is_null(uint64 row, int column);
extern bool casino_column_bool(uint64 row, int column);
extern int	casino_column_int(uint64 row, int column);
extern int64 casino_column_int64(uint64 row, int column);
extern int64 casino_column_halere(uint64 row, int column, int64 if_null);
extern TimestampTz casino_column_time(uint64 row, int column, TimestampTz if_null);
extern CasinoBet casino_column_bet(uint64 row, int column); /* XX001 for NULL */
extern char *casino_column_cstring(uint64 row, int column);

/* A text that no row may lack; XX001 where NOT NULL was taken off its column, and a row lacks it. */
extern char *casino_column_word(uint64 row, int column);

/* the column of a query that has one */
#define ONLY_COLUMN	1

#endif							/* CASINO_QUERY_H */
