/*
 * relay.c
 *	  A call at a hub that goes to the cell of its player, with the person on
 *	  whose behalf it is made (R13.19).
 *
 * PL/Proxy sends the arguments of a function and nothing else; who acts is a
 * setting of the session.  So what install_hub() makes of casino.deposit() is C:
 * it calls casino_internal.send_deposit() of the same arguments, a function of PL/Proxy,
 * or, where the session names a person, the one that has him as its first
 * argument and lets the cell set casino.actor for the call.  Callers may not
 * call either of them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "casino.h"
#include "server/caller.h"
#include "server/run_as_owner.h"
#include "server/refusal.h"

/* Found once a query: without a person, with one; and the argument that says which cell. */
typedef struct Senders
{
	FmgrInfo	plain;
	FmgrInfo	named;
	int			whose;
	char	   *whose_name;
	bool		erases;
} Senders;

/* casino_internal.send_NAME() of the function's arguments, with a text before them if so. */
static Oid
sender_of(Form_pg_proc function, bool named)
{
	char	   *name = psprintf("send_%s", NameStr(function->proname));
	int			given = function->proargtypes.dim1;
	Oid			types[FUNC_MAX_ARGS];
	Oid			sender;

	if (given + named > FUNC_MAX_ARGS)
		elog(ERROR, "too many arguments");
	types[0] = TEXTOID;
	memcpy(types + named, function->proargtypes.values, given * sizeof(Oid));
	sender = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
							 PointerGetDatum(buildoidvector(types, given + named)),
							 ObjectIdGetDatum(casino_internal_schema()));
	if (!OidIsValid(sender))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function casino_internal.%s does not exist", name),
				 errhint("casino.install_hub() makes it.")));
	return sender;
}

/*
 * What an approval compares is done under the login's own name: a cell takes
 * the role at the hub for the login, so that SET ROLE here would make two
 * persons of one there (R7.60).
 */
static void
check_login(Form_pg_proc function)
{
	static const char *const compared[] = {"set_payment_account", "approve_withdrawal", "pay_withdrawal",
		"try_pay_withdrawal", "correct_round", "approve_correction", "adjust", "approve_adjustment",
	"approve_exclusion_mistake", "erase_person", "approve_erasure"};

	for (int i = 0; i < (int) lengthof(compared); i++)
		if (strcmp(NameStr(function->proname), compared[i]) == 0 && GetUserId() != GetSessionUserId())
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("at a hub casino.%s() is called by a login under its own name", compared[i]),
					 errdetail("The session is of \"%s\", the call of \"%s\".",
							   GetUserNameFromId(GetSessionUserId(), false),
							   GetUserNameFromId(GetUserId(), false)),
					 errhint("Log in as the role that has the profile; each person has a login.")));
}

void
casino_check_hub_login(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	check_login((Form_pg_proc) GETSTRUCT(tuple));
	ReleaseSysCache(tuple);
}

/* Which argument is the player, or says the player: a withdrawal, a claim or a person? */
static void
find_whose(HeapTuple tuple, MemoryContext context, Senders *senders)
{
	char	  **names;
	Oid		   *types;
	char	   *modes;
	int			n = get_func_arg_info(tuple, &types, &names, &modes);

	for (int i = 0; i < n && names != NULL; i++)
		if (strcmp(names[i], "player_id") == 0 || strcmp(names[i], "id") == 0 ||
			strcmp(names[i], "claim_no") == 0 || strcmp(names[i], "external_ref") == 0)
		{
			senders->whose = i;
			senders->whose_name = MemoryContextStrdup(context, names[i]);
			return;
		}
	elog(ERROR, "no argument says which cell");
}

static Senders *
find_senders(FmgrInfo *info)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(info->fn_oid));
	Senders    *senders;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", info->fn_oid);
	check_login((Form_pg_proc) GETSTRUCT(tuple));
	senders = MemoryContextAlloc(info->fn_mcxt, sizeof(Senders));
	fmgr_info_cxt(sender_of((Form_pg_proc) GETSTRUCT(tuple), false), &senders->plain, info->fn_mcxt);
	fmgr_info_cxt(sender_of((Form_pg_proc) GETSTRUCT(tuple), true), &senders->named, info->fn_mcxt);
	find_whose(tuple, info->fn_mcxt, senders);
	senders->erases = strcmp(NameStr(((Form_pg_proc) GETSTRUCT(tuple))->proname), "approve_erasure") == 0;
	ReleaseSysCache(tuple);
	return senders;
}

/* The cell has erased the person: so does the hub (R12.93). */
static void
erase_here(Datum external_ref)
{
	RunAsOwner	as_owner;
	Oid			type = TEXTOID;

	casino_as_owner_begin(&as_owner);
	if (SPI_execute_with_args("SELECT casino_internal.hub_erased($1)", 1, &type, &external_ref, NULL, false,
							  0) != SPI_OK_SELECT)
		elog(ERROR, "hub_erased() failed");
	casino_as_owner_end(&as_owner);
}

PG_FUNCTION_INFO_V1(casino_sql_relay);
Datum
casino_sql_relay(PG_FUNCTION_ARGS)
{
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	const char *actor = casino_caller_actor();
	int			named = actor[0] != '\0';
	Senders    *senders = fcinfo->flinfo->fn_extra;
	MemoryContext context = CurrentMemoryContext;
	volatile Datum result = (Datum) 0;

	if (senders == NULL)
		senders = fcinfo->flinfo->fn_extra = find_senders(fcinfo->flinfo);

	/*
	 * before PL/Proxy looks for the cell of nobody; one that is in no cell in use is refused in another one
	 */
	casino_require_argument(fcinfo, senders->whose, senders->whose_name);
	InitFunctionCallInfoData(*call, named ? &senders->named : &senders->plain, PG_NARGS() + named,
							 PG_GET_COLLATION(),
							 NULL, fcinfo->resultinfo);
	if (named)
	{
		call->args[0].value = CStringGetTextDatum(actor);
		call->args[0].isnull = false;
	}
	for (int i = 0; i < PG_NARGS(); i++)
		call->args[i + named] = fcinfo->args[i];
	PG_TRY();
	{
		result = FunctionCallInvoke(call);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		casino_read_mark(error);
		ReThrowError(error);
	}
	PG_END_TRY();
	fcinfo->isnull = call->isnull;
	if (senders->erases)
		erase_here(fcinfo->args[senders->whose].value);
	return result;
}
