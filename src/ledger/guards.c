/*
 * guards.c
 *	  Triggers that keep what is written: refuse_change() on append-only
 *	  tables, player_guard() on the players.
 */
#include "state/ledger.h"

#include "commands/trigger.h"
#include "utils/builtins.h"
#include "utils/rel.h"

/* 39P01 unless called as a trigger that fires BEFORE, without arguments. */
static TriggerData *
before_trigger(FunctionCallInfo fcinfo, const char *function)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.%s() must be called as a trigger", function)));
	if (!TRIGGER_FIRED_BEFORE(trigger->tg_event) || TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		trigger->tg_trigger->tgnargs != 0)
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.%s() must be fired BEFORE UPDATE, DELETE or TRUNCATE, without arguments",
							   function)));
	return trigger;
}

/* What the trigger was fired by, for messages. */
static const char *
event_name(TriggerEvent event)
{
	if (TRIGGER_FIRED_BY_UPDATE(event))
		return "UPDATE";
	if (TRIGGER_FIRED_BY_DELETE(event))
		return "DELETE";
	return "TRUNCATE";
}

/* refuse_change(): KL001, always. */
PG_FUNCTION_INFO_V1(casino_sql_refuse_change);
Datum
casino_sql_refuse_change(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = before_trigger(fcinfo, "refuse_change");

	ereport(ERROR,
			(errcode(CASINO_ERRCODE_LEDGER_IMMUTABLE),
			 errmsg("%s on \"%s\" is refused: it is append-only", event_name(trigger->tg_event),
					RelationGetRelationName(trigger->tg_relation)),
			 errdetail("What is recorded is evidence and stays."),
			 errhint("Correct the ledger with an adjustment and its reason.")));
	PG_RETURN_NULL();			/* not reached */
}

/*
 * player_guard(), BEFORE UPDATE, DELETE or TRUNCATE FOR EACH STATEMENT: KL001
 * unless the ledger's own code updates the rows.  Not for each row: that would
 * lock every player of a settlement once more before updating him.
 */
PG_FUNCTION_INFO_V1(casino_sql_player_guard);
Datum
casino_sql_player_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = before_trigger(fcinfo, "player_guard");

	if (TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino.player_guard() must be fired FOR EACH STATEMENT")));
	if (!TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) || !casino_is_posting())
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_LEDGER_IMMUTABLE),
				 errmsg("%s on \"%s\" is refused: the ledger keeps these rows",
						event_name(trigger->tg_event), RelationGetRelationName(trigger->tg_relation)),
				 errdetail("Only entries of casino.ledger and the functions of casino change players."),
				 errhint("Balances follow from ledger entries.")));
	PG_RETURN_POINTER(NULL);
}
