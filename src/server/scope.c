/*
 * scope.c
 *	  The scope in which ledger code runs, and its prepared queries.
 */
#include "state/ledger.h"

#include <math.h>

#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "catalog/pg_class.h"
#include "utils/timestamp.h"

#include "server/caller.h"

/*
 * Depth of triggers at which our own posting statement runs, -1 when none does:
 * the row trigger it fires is one deeper, and only that one passes.
 */
static int	posting_depth = -1;

Oid
casino_ledger_oid(void)
{
	Oid			namespace = get_namespace_oid("casino", true);
	Oid			ledger = OidIsValid(namespace) ? get_relname_relid("ledger", namespace) : InvalidOid;

	if (!OidIsValid(ledger))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table casino.ledger does not exist"),
				 errhint("Create the tables with SELECT casino.install().")));
	return ledger;
}

/* Owner of a relation, from the catalog cache. */
static Oid
relation_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relation);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

Oid
casino_ledger_owner(void)
{
	return relation_owner(casino_ledger_oid());
}

void
casino_scope_enter(LedgerScope *scope)
{
	Oid			owner = casino_ledger_owner();

	scope->outermost = casino_caller_enter();
	GetUserIdAndSecContext(&scope->saved_user, &scope->saved_security);
	SetUserIdAndSecContext(owner, scope->saved_security | SECURITY_LOCAL_USERID_CHANGE);
	scope->guc_level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	/* the statements are short; their estimates on views of all games are not, and would be compiled each time */
	(void) set_config_option("jit", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	/* plans are kept, also those made when a table had one page: everything that grows is found by an index */
	(void) set_config_option("enable_seqscan", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	SPI_connect();
}

void
casino_scope_leave(const LedgerScope *scope)
{
	SPI_finish();
	AtEOXact_GUC(true, scope->guc_level);
	SetUserIdAndSecContext(scope->saved_user, scope->saved_security);
	casino_caller_leave(scope->outermost);
}

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

/* Type of a parameter. */
static Oid
arg_type(LedgerArg arg)
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
prepare(LedgerQuery *query)
{
	Oid			types[LEDGER_QUERY_ARGS];
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
		types[nargs] = arg_type(query->args[nargs]);
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
finish(const LedgerQuery *query, int result)
{
	if (result < 0)
		elog(ERROR, "could not run \"%s\": %s", query->sql, SPI_result_code_string(result));
	return SPI_processed;
}

uint64
casino_run(LedgerQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	return finish(query, SPI_execute_plan(query->plan, values, nulls, false, 0));
}

uint64
casino_look(LedgerQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	/* make this transaction's own rows visible, also those of the running command */
	CommandCounterIncrement();
	return finish(query, SPI_execute_snapshot(query->plan, values, nulls, GetLatestSnapshot(),
											  InvalidSnapshot, true, false, 0));
}

uint64
casino_read(LedgerQuery *query, Datum *values, const char *nulls)
{
	prepare(query);
	return finish(query, SPI_execute_plan(query->plan, values, nulls, true, 0));
}

void
casino_snapshot_too_old(const char *what, int64 id, const char *relation)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("could not serialize access: %s " INT64_FORMAT " %s this transaction", what, id, relation),
			 errhint("Run the transaction again.")));
}

/* pg_trigger_depth(), which counts the triggers now being executed */
static int
trigger_depth(void)
{
	return DatumGetInt32(DirectFunctionCall1(pg_trigger_depth, (Datum) 0));
}

uint64
casino_run_posting(LedgerQuery *query, Datum *values, const char *nulls)
{
	int			saved = posting_depth;
	uint64		processed = 0;

	PG_TRY();
	{
		posting_depth = trigger_depth();
		processed = casino_run(query, values, nulls);
	}
	PG_FINALLY();
	{
		posting_depth = saved;
	}
	PG_END_TRY();
	return processed;
}

bool
casino_is_posting(void)
{
	return posting_depth >= 0 && trigger_depth() == posting_depth + 1;
}

void
casino_require_argument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
}

Datum
casino_column(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}

int64
casino_column_int64(uint64 row, int column)
{
	bool		isnull;
	Datum		value = casino_column(row, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

int64
casino_column_halere(uint64 row, int column, int64 if_null)
{
	bool		isnull;
	Datum		value = casino_column(row, column, &isnull);

	return isnull ? if_null : casino_numeric_to_halere_signed(DatumGetNumeric(value));
}

TimestampTz
casino_column_time(uint64 row, int column, TimestampTz if_null)
{
	bool		isnull;
	Datum		value = casino_column(row, column, &isnull);

	return isnull ? if_null : DatumGetTimestampTz(value);
}

char *
casino_column_cstring(uint64 row, int column)
{
	return SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);
}

char *
casino_money_cstring(int64 halere)
{
	return DatumGetCString(DirectFunctionCall1(numeric_out,
											   NumericGetDatum(casino_halere_to_numeric(halere))));
}
