/*
 * told.c
 *	  NOTIFY of what happens to rounds, where casino.notify is on (R12.31).
 *
 * The triggers of the tables send it: an operator's own INSERT or UPDATE is
 * told like that of a function.  PostgreSQL delivers at commit, and sends
 * nothing after a rollback.
 */
#include "postgres.h"

#include "commands/async.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "casino.h"
#include "server/query.h"

#define CHANNEL		"casino_round"

enum
{
	TABLE_OF_ROUND = 1, STATUS_OF_ROUND
};

static PreparedQuery find_round = {
	.sql = "SELECT r.table_id, r.status FROM casino.round r WHERE r.round_id = $1",
	.args = {ARG_INT8}
};

static Datum
column_of(const TriggerData *trigger, HeapTuple row, const char *column, bool *isnull)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			number = SPI_fnumber(desc, column);

	if (number <= 0)
		elog(ERROR, "casino.%s has no column \"%s\"", RelationGetRelationName(trigger->tg_relation), column);
	return heap_getattr(row, number, desc, isnull);
}

/* A text that is never null. */
static const char *
text_of(const TriggerData *trigger, HeapTuple row, const char *column)
{
	bool		isnull;

	return TextDatumGetCString(column_of(trigger, row, column, &isnull));
}

/* The event of a round's new row; NULL: nothing to tell. */
static const char *
round_event(const TriggerData *trigger)
{
	const char *was;
	const char *is;
	bool		was_null;
	bool		is_null;

	if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		return "opened";
	was = text_of(trigger, trigger->tg_trigtuple, "status");
	is = text_of(trigger, trigger->tg_newtuple, "status");
	/* a correction tells of itself */
	if (strcmp(was, "settled") == 0 || strcmp(was, "voided") == 0)
		return NULL;
	if (strcmp(was, is) != 0)
		return pstrdup(is);
	(void) column_of(trigger, trigger->tg_trigtuple, "actions_closed_at", &was_null);
	(void) column_of(trigger, trigger->tg_newtuple, "actions_closed_at", &is_null);
	return was_null && !is_null ? "actions_closed" : NULL;
}

static void
tell(const char *event, int64 table_id, int64 round_id, const char *status)
{
	Async_Notify(CHANNEL, psprintf("{\"event\": \"%s\", \"table_id\": " INT64_FORMAT ", \"round_id\": "
								   INT64_FORMAT ", \"status\": \"%s\"}", event, table_id, round_id, status));
}

/* A row of another table, about a round. */
static void
tell_of_round(const char *event, int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	SPI_connect();
	if (casino_read_latest(&find_round, values, NULL) == 1)
		tell(event, casino_column_int64(0, TABLE_OF_ROUND), round_id,
			 casino_column_cstring(0, STATUS_OF_ROUND));
	SPI_finish();
}

/*
 * tell_round(), AFTER INSERT OR UPDATE FOR EACH ROW of casino.round, and AFTER
 * INSERT FOR EACH ROW of tables about rounds, with the event as argument.
 */
PG_FUNCTION_INFO_V1(casino_sql_tell_round);
Datum
casino_sql_tell_round(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	HeapTuple	row;
	const char *event;
	int64		round_id;
	bool		isnull;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_AFTER(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("casino_internal.tell_round() must be fired AFTER INSERT OR UPDATE FOR EACH ROW")));
	if (!casino_notify)
		return PointerGetDatum(NULL);
	row = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : trigger->tg_trigtuple;
	round_id = DatumGetInt64(column_of(trigger, row, "round_id", &isnull));
	if (trigger->tg_trigger->tgnargs == 1)
		tell_of_round(trigger->tg_trigger->tgargs[0], round_id);
	else if ((event = round_event(trigger)) != NULL)
		tell(event, DatumGetInt64(column_of(trigger, row, "table_id", &isnull)), round_id,
			 text_of(trigger, row, "status"));
	return PointerGetDatum(NULL);
}
