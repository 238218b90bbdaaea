/*
 * query.c
 *	  Prepared queries of the ledger's code: see query.h.
 */
#include "server/query.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "casino.h"

/* OID of a type of the extension. */
static Oid
extension_type(const char *name)
{
	Oid			namespace = get_namespace_oid("casino", false);
	Oid			type = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
									   CStringGetDatum(name), ObjectIdGetDatum(namespace));

	if (!OidIsValid(type))
		elog(ERROR, "type casino.%s does not exist", name);
	return type;
}

Oid
casino_arg_type(QueryArg arg)
{
	switch (arg)
	{
		case ARG_INT4:
			return INT4OID;
		case ARG_INT8:
			return INT8OID;
		case ARG_TEXT:
			return TEXTOID;
		case ARG_TEXT_ARRAY:
			return TEXTARRAYOID;
		case ARG_NUMERIC:
			return NUMERICOID;
		case ARG_TIMESTAMPTZ:
			return TIMESTAMPTZOID;
		case ARG_JSONB:
			return JSONBOID;
		case ARG_INT8_ARRAY:
			return INT8ARRAYOID;
		case ARG_BOOL:
			return BOOLOID;
		case ARG_DATE:
			return DATEOID;
		case ARG_BET:
			return extension_type("bet");
		case ARG_HAND:
			return extension_type("hand");
		case ARG_END:
			break;
	}
	elog(ERROR, "unknown kind of parameter %d", arg);
	return InvalidOid;			/* keep compilers quiet */
}

/*
 * Prepare a query unless it is.  A plan made for types of an extension that
 * was dropped and created again in this session is thrown away.
 */
static void
prepare(PreparedQuery *query)
{
	Oid			types[QUERY_ARGS];
	Oid			bet_type = extension_type("bet");
	int			nargs = 0;

	if (query->plan != NULL && query->bet_type == bet_type)
		return;
	if (query->plan != NULL)
	{
		SPI_freeplan(query->plan);
		query->plan = NULL;
	}
	while (query->args[nargs] != ARG_END)
	{
		types[nargs] = casino_arg_type(query->args[nargs]);
		nargs++;
	}
	/* one plan for all values: the views of evaluation take long to plan, and no value changes the way */
	query->plan = SPI_prepare_cursor(query->sql, nargs, types, CURSOR_OPT_GENERIC_PLAN);
	if (query->plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", query->sql,
			 SPI_result_code_string(SPI_result));
	if (SPI_keepplan(query->plan) != 0)
		elog(ERROR, "could not keep the plan of \"%s\"", query->sql);
	query->bet_type = bet_type;
}

/* Complain about a failed SPI call, else give the number of rows. */
static uint64
finish(const PreparedQuery *query, int result)
{
	if (result < 0)
		elog(ERROR, "could not run \"%s\": %s", query->sql, SPI_result_code_string(result));
	return SPI_processed;
}

uint64
casino_execute(PreparedQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	return finish(query, SPI_execute_plan(query->plan, values, nulls, false, 0));
}

uint64
casino_read_latest(PreparedQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	/* make this transaction's own rows visible, also those of the running command */
	CommandCounterIncrement();
	return finish(query, SPI_execute_snapshot(query->plan, values, nulls, GetLatestSnapshot(),
											  InvalidSnapshot, true, false, 0));
}

uint64
casino_read_snapshot(PreparedQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	return finish(query, SPI_execute_plan(query->plan, values, nulls, true, 0));
}

void
casino_snapshot_too_old(const char *what, int64 id, const char *relation)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("could not serialize access: %s " INT64_FORMAT " %s this transaction", what, id,
					relation),
			 errhint("Run the transaction again.")));
}

/* XX001: NOT NULL was taken off the column, and a row lacks it. */
static void
null_column(int column)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("column \"%s\" of a stored row must not be NULL",
					SPI_fname(SPI_tuptable->tupdesc, column))));
}

void
casino_check_type(TupleDesc desc, int number, Oid type)
{
	Form_pg_attribute attribute = TupleDescAttr(desc, number - 1);

	if (attribute->atttypid == type)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" must be of type %s", NameStr(attribute->attname), format_type_be(type)),
			 errdetail("It is of type %s.", format_type_with_typemod(attribute->atttypid,
																	 attribute->atttypmod)),
			 errhint("Give the column back the type that casino.install() gave it.")));
}

Datum
casino_column(uint64 row, int column, QueryArg type, bool *isnull)
{
	bool		is_null;
	Datum		value;

	casino_check_type(SPI_tuptable->tupdesc, column, casino_arg_type(type));
	value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, &is_null);
	if (isnull != NULL)
		*isnull = is_null;
	else if (is_null)
		null_column(column);
	return value;
}

Datum
casino_column_untyped(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}

bool
casino_column_is_null(uint64 row, int column)
{
	bool		isnull;

	(void) casino_column_untyped(row, column, &isnull);
	return isnull;
}

bool
casino_column_bool(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_BOOL, &isnull);

	return !isnull && DatumGetBool(value);
}

int
casino_column_int(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_INT4, &isnull);

	return isnull ? 0 : DatumGetInt32(value);
}

int64
casino_column_int64(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_INT8, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

int64
casino_column_halere(uint64 row, int column, int64 if_null)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_NUMERIC, &isnull);

	return isnull ? if_null : casino_datum_to_halere(value);
}

TimestampTz
casino_column_time(uint64 row, int column, TimestampTz if_null)
{
	bool		isnull;
	Datum		value = casino_column(row, column, ARG_TIMESTAMPTZ, &isnull);

	return isnull ? if_null : DatumGetTimestampTz(value);
}

CasinoBet
casino_column_bet(uint64 row, int column)
{
	return *DatumGetBet(casino_column(row, column, ARG_BET, NULL));
}

char *
casino_column_cstring(uint64 row, int column)
{
	return SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
}

char *
casino_column_word(uint64 row, int column)
{
	char	   *word = casino_column_cstring(row, column);

	if (word == NULL)
		null_column(column);
	return word;
}
