/*
 * guards.c
 *	  Triggers that keep what is written: refuse_change() on append-only
 *	  tables, player_guard() on the players, round_guard() on the rounds.
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/rel.h"

#include "casino.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/refusal.h"

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
						errmsg("casino.%s() must be fired BEFORE UPDATE, DELETE or TRUNCATE, without "
							   "arguments",
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
			(errrefusal(REFUSAL_LEDGER_IMMUTABLE,
						REFUSED_TEXT("table", RelationGetRelationName(trigger->tg_relation))),
			 errmsg("%s on \"%s\" is refused: it is append-only", event_name(trigger->tg_event),
					RelationGetRelationName(trigger->tg_relation)),
			 errdetail("Recorded evidence never changes."),
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
						errmsg("casino_internal.player_guard() must be fired FOR EACH STATEMENT")));
	if (!TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) || !casino_is_posting())
		ereport(ERROR,
				(errrefusal(REFUSAL_LEDGER_IMMUTABLE,
							REFUSED_TEXT("table", RelationGetRelationName(trigger->tg_relation))),
				 errmsg("%s on \"%s\" is refused: the ledger keeps these rows",
						event_name(trigger->tg_event), RelationGetRelationName(trigger->tg_relation)),
				 errdetail("Only entries of casino.ledger and the functions of casino change players."),
				 errhint("Balances follow from ledger entries.")));
	PG_RETURN_POINTER(NULL);
}

/* A column of the row before the update (or of the deleted one), or after it. */
static Datum
round_column(const TriggerData *trigger, bool after, const char *column, bool *isnull)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			number = SPI_fnumber(desc, column);

	if (number <= 0)
		elog(ERROR, "casino.round has no column \"%s\"", column);
	return heap_getattr(after ? trigger->tg_newtuple : trigger->tg_trigtuple, number, desc, isnull);
}

/* The same as text, NULL for a null. */
static const char *
round_text(const TriggerData *trigger, bool after, const char *column)
{
	bool		isnull;
	Datum		value = round_column(trigger, after, column, &isnull);
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);

	casino_check_type(desc, SPI_fnumber(desc, column), TEXTOID);
	return isnull ? NULL : TextDatumGetCString(value);
}

static bool
is_null(const TriggerData *trigger, bool after, const char *column)
{
	bool		isnull;

	(void) round_column(trigger, after, column, &isnull);
	return isnull;
}

/* Does the update change one of the columns?  Up to NULL. */
static bool
changes(const TriggerData *trigger, const char *const *columns)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);

	for (; *columns != NULL; columns++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, SPI_fnumber(desc, *columns) - 1);
		bool		was_null;
		bool		is_null;
		Datum		was = round_column(trigger, false, *columns, &was_null);
		Datum		is = round_column(trigger, true, *columns, &is_null);

		if (was_null != is_null ||
			(!was_null && !datum_image_eq(was, is, attribute->attbyval, attribute->attlen)))
			return true;
	}
	return false;
}

/*
 * Does the update change what an evaluated round keeps?  The figures are
 * filled in once; what is withheld is paid once, or voided.
 */
static bool
changes_evaluated(const TriggerData *trigger, const char *was)
{
	static const char *const evaluation[] = {
		"outcome", "outcome_document", "evaluated_at", "evaluation_recorded_at",
		"betting_closed_at", "actions_closed_at", "withheld_at", NULL
	};
	static const char *const payment[] = {"withheld_paid_at", "withheld_paid_reason", NULL};
	static const char *const end[] = {"void_reason", "void_ground", "voided_at", NULL};
	static const char *const figures[] = {"wagers", "players", "staked", "paid", NULL};
	const char *is = round_text(trigger, true, "status");
	bool		voids = strcmp(was, "withheld") == 0 && strcmp(is, "voided") == 0;
	bool		pays = strcmp(was, "withheld") == 0 && strcmp(is, "settled") == 0;

	/* a correction that a second person has approved */
	if (casino_is_posting())
		return false;
	if (changes(trigger, evaluation) || (!pays && changes(trigger, payment)))
		return true;
	if (!voids && (changes(trigger, end) ||
				   (!is_null(trigger, false, "wagers") && changes(trigger, figures))))
		return true;
	return strcmp(was, is) != 0 && !voids && !pays;
}

/*
 * round_guard(), BEFORE UPDATE OR DELETE FOR EACH ROW of casino.round: KR002
 * when a round is deleted, is to become another one, or changes after its
 * evaluation.
 */
PG_FUNCTION_INFO_V1(casino_sql_round_guard);
Datum
casino_sql_round_guard(PG_FUNCTION_ARGS)
{
	static const char *const identity[] = {
		"round_id", "table_id", "table_version", "round_ref", "plan_id", "opened_at", "betting_until",
		"facts", NULL
	};
	static const char *const withholding[] = {"withheld_at", "withheld_reason", "withheld_ground", NULL};
	TriggerData *trigger = before_trigger(fcinfo, "round_guard");
	const char *status;
	int64		round_id;
	bool		isnull;

	if (!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.round_guard() must be fired FOR EACH ROW")));

	/* a round never goes; what it is never changes; once evaluated, nothing of it does */
	round_id = DatumGetInt64(round_column(trigger, false, "round_id", &isnull));
	if (TRIGGER_FIRED_BY_DELETE(trigger->tg_event))
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_KEPT, REFUSED_INT("round_id", round_id)),
				 errmsg("cannot delete round " INT64_FORMAT, round_id),
				 errdetail("Rounds are evidence and stay.")));
	if (changes(trigger, identity))
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_KEPT, REFUSED_INT("round_id", round_id)),
				 errmsg("cannot change the identity of round " INT64_FORMAT, round_id),
				 errdetail("That is its number, table and its version, round_ref, plan version,"
						   " time of opening, betting_until and facts.")));
	if (!is_null(trigger, false, "withheld_at") && changes(trigger, withholding))
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_KEPT, REFUSED_INT("round_id", round_id)),
				 errmsg("cannot change why round " INT64_FORMAT " is withheld", round_id),
				 errdetail("It is: %s", round_text(trigger, false, "withheld_reason"))));
	status = round_text(trigger, false, "status");
	if (strcmp(status, "open") != 0 && strcmp(status, "closed") != 0 && changes_evaluated(trigger, status))
		ereport(ERROR,
				(errrefusal(REFUSAL_ROUND_STATE, REFUSED_INT("round_id", round_id),
							REFUSED_TEXT("status", status)),
				 errmsg("round " INT64_FORMAT " is %s", round_id, status),
				 errdetail("An evaluated round does not change.")));
	PG_RETURN_POINTER(trigger->tg_newtuple);
}
