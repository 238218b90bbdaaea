/*
 * as_owner.c
 *	  Functions of the interface whose body is PL/pgSQL on tables that their
 *	  callers may not touch.
 *
 * SECURITY DEFINER would run the body as the owner of the extension, a
 * superuser, on tables that may belong to somebody else, who could then make
 * triggers on them run as superuser.  So the function granted to callers is C:
 * it takes on the identity of the ledger's owner, as the ledger's own code
 * does, and calls the body, a function of the same arguments whose name ends
 * in _impl.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "server/caller.h"
#include "server/event_time.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"

/* Body of the function being called: same arguments, its name with this before and that after it. */
static Oid
body_of(Oid function, const char *before, const char *after)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc proc;
	Oid			body;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	name = psprintf("%s%s%s", before, NameStr(proc->proname), after);
	body = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
						   PointerGetDatum(&proc->proargtypes), ObjectIdGetDatum(casino_internal_schema()));
	ReleaseSysCache(tuple);
	if (!OidIsValid(body))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function casino_internal.%s does not exist", name)));
	return body;
}

/* 55000 where a function of hubs is called in a database that is none; sums over cells are its own there. */
static void
check_hub(Oid function)
{
	static const char *const of_hubs[] = {"hub_cells", "cell_states", "hub_corrections", "cell_of_person"};
	char	   *name = get_func_name(function);

	for (int i = 0; name != NULL && i < (int) lengthof(of_hubs); i++)
		if (strcmp(name, of_hubs[i]) == 0 &&
			!OidIsValid(get_relname_relid("hub", get_namespace_oid("casino", false))))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("this database is no hub"),
					 errdetail("casino.%s() asks the cells of a hub.", name),
					 errhint("casino.install_hub() makes one.")));
}

/* Call the body with our arguments as the owner of the ledger. */
static Datum
call_as_owner(FunctionCallInfo fcinfo, const char *before, const char *after)
{
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	FmgrInfo   *body = fcinfo->flinfo->fn_extra;
	Oid			saved_user;
	int			saved_security;
	bool		outermost;
	TimestampTz outer_call;
	MemoryContext context = CurrentMemoryContext;
	bool		marked;
	volatile Datum result = (Datum) 0;

	/* found once a query */
	if (body == NULL)
	{
		check_hub(fcinfo->flinfo->fn_oid);
		body = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(FmgrInfo));
		fmgr_info_cxt(body_of(fcinfo->flinfo->fn_oid, before, after), body, fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = body;
	}
	/* the result set, if there is one, is made by the body; the body of a trigger sees the row */
	InitFunctionCallInfoData(*call, body, PG_NARGS(), PG_GET_COLLATION(),
							 CALLED_AS_TRIGGER(fcinfo) ? fcinfo->context : NULL, fcinfo->resultinfo);
	for (int i = 0; i < PG_NARGS(); i++)
		call->args[i] = fcinfo->args[i];

	/* who called is kept before the identity changes; an error unwinds both with the transaction */
	outermost = casino_caller_enter();
	GetUserIdAndSecContext(&saved_user, &saved_security);
	SetUserIdAndSecContext(casino_ledger_owner(), saved_security | SECURITY_LOCAL_USERID_CHANGE);
	outer_call = casino_call_begin();
	marked = casino_refusals_are_marked();
	PG_TRY();
	{
		result = FunctionCallInvoke(call);
		casino_call_end(outer_call);
	}
	PG_CATCH();
	{
		casino_call_end(outer_call);
		/* a refusal of the body, which cannot say its reason in the context itself */
		if (marked)
		{
			ErrorData  *error;

			MemoryContextSwitchTo(context);
			error = CopyErrorData();
			FlushErrorState();
			casino_mark_refusal(error);
			ReThrowError(error);
		}
		PG_RE_THROW();
	}
	PG_END_TRY();
	SetUserIdAndSecContext(saved_user, saved_security);
	casino_caller_leave(outermost);

	fcinfo->isnull = call->isnull;
	return result;
}

PG_FUNCTION_INFO_V1(casino_sql_as_owner);
Datum
casino_sql_as_owner(PG_FUNCTION_ARGS)
{
	return call_as_owner(fcinfo, "", "_impl");
}

/*
 * obey(): all calls of a hub come from one login, which speaks for the persons
 * it names, so that two of them are two (R13.43, R7.61); the hub compares the
 * logins.
 */
PG_FUNCTION_INFO_V1(casino_sql_obey);
Datum
casino_sql_obey(PG_FUNCTION_ARGS)
{
	int			guc_level = NewGUCNestLevel();
	Datum		result;

	(void) set_config_option("casino.shared_logins", "on", PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE,
							 true, 0, false);
	result = call_as_owner(fcinfo, "", "_impl");
	AtEOXact_GUC(true, guc_level);
	return result;
}

/*
 * What install_hub() makes of a function that is decided at the hub: its body
 * there has the name with hub_ before it.
 */
PG_FUNCTION_INFO_V1(casino_sql_hub_as_owner);
Datum
casino_sql_hub_as_owner(PG_FUNCTION_ARGS)
{
	casino_check_hub_login(fcinfo->flinfo->fn_oid);
	return call_as_owner(fcinfo, "hub_", "");
}
