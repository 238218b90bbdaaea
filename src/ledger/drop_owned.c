/*
 * drop_owned.c
 *	  Event trigger refuse_drop_owned(): DROP OWNED BY the owner of the ledger
 *	  would take all tables without a question (R12.170).
 */
#include "postgres.h"

#include "commands/event_trigger.h"
#include "commands/user.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"

#include "casino.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"

/*
 * refuse_drop_owned(), ON ddl_command_start: KL001 where a role that is named
 * owns the ledger.  Other roles lose their grants and tables as elsewhere.
 */
PG_FUNCTION_INFO_V1(casino_sql_refuse_drop_owned);
Datum
casino_sql_refuse_drop_owned(PG_FUNCTION_ARGS)
{
	EventTriggerData *data = (EventTriggerData *) fcinfo->context;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.refuse_drop_owned() must be called as an event trigger")));
	if (IsA(data->parsetree, DropOwnedStmt) && casino_ledger_exists() &&
		list_member_oid(roleSpecsToIds(((DropOwnedStmt *) data->parsetree)->roles), casino_ledger_owner()))
		ereport(ERROR,
				(errrefusal(REFUSAL_LEDGER_IMMUTABLE, REFUSED_TEXT("table", "ledger")),
				 errmsg("DROP OWNED BY the owner of the ledger is refused"),
				 errdetail("Role \"%s\" owns casino.ledger: all evidence would be dropped.",
						   GetUserNameFromId(casino_ledger_owner(), false)),
				 errhint("Revoke the grants of the role one by one; DROP SCHEMA casino CASCADE drops the"
						 " ledger.")));
	PG_RETURN_NULL();
}
