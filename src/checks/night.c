/*
 * night.c
 *	  CALL nightly() and CALL reconcile(): the transactions around their steps.
 *
 * What a step does is SQL (extension/reconciliation.sql).  Here each one
 * runs as the owner of the ledger in a transaction of its own, in READ
 * COMMITTED, so that others see how far it is, a stopped run loses one step
 * at most, and no snapshot is older than a step.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "catalog/pg_type.h"

#include "checks/kept.h"
#include "server/caller.h"
#include "server/event_time.h"
#include "server/own_lock.h"
#include "server/query.h"
#include "server/run_as_owner.h"

/* Run a statement as the owner of the ledger; its first row is in SPI_tuptable. */
static void
run_as_owner(const char *sql, int nargs, Oid *types, Datum *values, const char *nulls)
{
	Oid			saved_user;
	int			saved_security;
	bool		outermost = casino_caller_enter();
	TimestampTz outer_call;

	GetUserIdAndSecContext(&saved_user, &saved_security);
	SetUserIdAndSecContext(casino_ledger_owner(), saved_security | SECURITY_LOCAL_USERID_CHANGE);
	outer_call = casino_call_begin();
	PG_TRY();
	{
		int			result = SPI_execute_with_args(sql, nargs, types, values, nulls, false, 0);

		if (result != SPI_OK_SELECT || SPI_processed != 1)
			elog(ERROR, "could not run \"%s\": %s", sql, SPI_result_code_string(result));
	}
	PG_FINALLY();
	{
		casino_call_end(outer_call);
	}
	PG_END_TRY();
	SetUserIdAndSecContext(saved_user, saved_security);
	casino_caller_leave(outermost);
}

/* Commit, and go on in a new transaction that sees what is committed at each statement. */
static void
next_transaction(void)
{
	SPI_commit();
	XactIsoLevel = XACT_READ_COMMITTED;
	EnsurePortalSnapshotExists();
}

/* The run to do, 0 when there is nothing to do. */
static int64
begin_run(Datum from_day, bool from_null, Datum to_day, bool to_null, bool night)
{
	Oid			types[] = {DATEOID, DATEOID, BOOLOID};
	Datum		values[] = {from_day, to_day, BoolGetDatum(night)};
	char		nulls[] = {from_null ? 'n' : ' ', to_null ? 'n' : ' ', ' '};

	run_as_owner("SELECT casino_internal.begin_reconciliation($1, $2, $3)", 3, types, values, nulls);
	return casino_column_int64(0, ONLY_COLUMN);
}

/* columns of reconciliation_step() */
enum
{
	STEP_MORE = 1, STEP_ERROR
};

/* Do the next step; is there another one? */
static bool
run_step(int64 run_no, char **error)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(run_no)};

	run_as_owner("SELECT s.more, s.error FROM casino_internal.reconciliation_step($1) s", 1, types,
				 values, NULL);
	*error = casino_column_cstring(0, STEP_ERROR);
	return casino_column_bool(0, STEP_MORE);
}

/* All steps of a run, under the lock. */
static void
run_steps(Datum from_day, bool from_null, Datum to_day, bool to_null, bool night)
{
	char	   *error = NULL;
	int64		run_no;
	bool		more;

	next_transaction();
	run_no = begin_run(from_day, from_null, to_day, to_null, night);
	if (run_no == 0)
		return;
	do
	{
		next_transaction();
		more = run_step(run_no, &error);
	} while (more);
	next_transaction();
	if (error != NULL && strlen(error) > 6)
		ereport(ERROR,
				(errcode(MAKE_SQLSTATE(error[0], error[1], error[2], error[3], error[4])),
				 errmsg("a step of reconciliation " INT64_FORMAT " failed: %s", run_no, error + 6),
				 errhint("Call it again when the cause is removed: it goes on with that step.")));
}

/* All steps of a run; a check may keep values for the next ones. */
static void
run_keeping(Datum from_day, bool from_null, Datum to_day, bool to_null, bool night)
{
	Kept		outer;

	casino_kept_begin(&outer);
	PG_TRY();
	{
		if (SPI_connect_ext(SPI_OPT_NONATOMIC) != SPI_OK_CONNECT)
			elog(ERROR, "could not connect to SPI");
		run_steps(from_day, from_null, to_day, to_null, night);
		SPI_finish();
	}
	PG_FINALLY();
	{
		casino_kept_end(&outer);
	}
	PG_END_TRY();
}

/* Never two at a time, in this database; the lock is the session's, since we commit. */
static void
run_alone(FunctionCallInfo fcinfo, const char *name, Datum from_day, bool from_null, Datum to_day,
		  bool to_null,
		  bool night)
{
	if (fcinfo->context == NULL || !IsA(fcinfo->context, CallContext) ||
		castNode(CallContext, fcinfo->context)->atomic)
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("casino.%s() cannot run inside a transaction block", name),
				 errdetail("It commits after each of its steps."),
				 errhint("Call it outside a transaction block.")));
	if (!casino_own_lock(LOCK_CLASS_NIGHT, 0, ExclusiveLock, true, false))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("another night or reconciliation is under way"),
				 errhint("casino.reconciliation shows how far it is.")));
	PG_TRY();
	{
		run_keeping(from_day, from_null, to_day, to_null, night);
	}
	PG_FINALLY();
	{
		(void) casino_own_unlock(LOCK_CLASS_NIGHT, 0, ExclusiveLock);
	}
	PG_END_TRY();
}

static PreparedQuery find_unfinished = {
	.sql = "SELECT r.run_no FROM casino.reconciliation r WHERE r.run_no = $1 AND r.finished_at IS NULL",
	.args = {ARG_INT8}
};

/*
 * left_unfinished(run_no): R10.59.  The caller's statement saw the run, then
 * nobody held the lock, then the run was not finished yet.  A run that began
 * after the first look is not asked about, and one that ended before the lock
 * was free is finished at the last look, also in an old transaction.
 */
PG_FUNCTION_INFO_V1(casino_sql_left_unfinished);
Datum
casino_sql_left_unfinished(PG_FUNCTION_ARGS)
{
	Datum		values[] = {PG_GETARG_DATUM(0)};
	RunAsOwner	as_owner;
	bool		unfinished;

	/* a standby does not know the sessions of its primary */
	if (RecoveryInProgress() || casino_own_lock_taken(LOCK_CLASS_NIGHT, 0))
		PG_RETURN_BOOL(false);
	casino_as_owner_begin(&as_owner);
	unfinished = casino_read_latest(&find_unfinished, values, NULL) > 0;
	casino_as_owner_end(&as_owner);
	PG_RETURN_BOOL(unfinished);
}

PG_FUNCTION_INFO_V1(casino_sql_nightly);
Datum
casino_sql_nightly(PG_FUNCTION_ARGS)
{
	run_alone(fcinfo, "nightly", (Datum) 0, true, PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0),
			  PG_ARGISNULL(0), true);
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(casino_sql_reconcile);
Datum
casino_sql_reconcile(PG_FUNCTION_ARGS)
{
	run_alone(fcinfo, "reconcile", PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0), PG_ARGISNULL(0),
			  PG_ARGISNULL(1) ? (Datum) 0 : PG_GETARG_DATUM(1), PG_ARGISNULL(1), false);
	PG_RETURN_VOID();
}

/*
 * check_days(): the checks of a night without its steps, and in the caller's
 * transaction.  The sieve reads the entries once for all checks, as in a night.
 */
PG_FUNCTION_INFO_V1(casino_sql_check_days);
Datum
casino_sql_check_days(PG_FUNCTION_ARGS)
{
	Kept		outer;
	volatile Datum result = (Datum) 0;

	casino_kept_begin(&outer);
	PG_TRY();
	{
		result = casino_sql_as_owner(fcinfo);
	}
	PG_FINALLY();
	{
		casino_kept_end(&outer);
	}
	PG_END_TRY();
	return result;
}
