/*
 * recorder.c
 *	  Who called: role, login and person of every entry and act (R12.11).
 *
 * Code of ours works as the owner of the ledger, so the role in effect is kept
 * when it is called: current_user, also after SET ROLE or within a SECURITY
 * DEFINER function of somebody else.  The person is what the client says in
 * casino.actor; it grants nothing.  Whether casino.shared_logins was on is kept
 * too, since it decides who counts as a second person.  Each combination is a row of
 * casino.recorder, so that a ledger entry carries one integer, and roles that
 * are dropped keep their names in evidence.
 */
#include "server/recorder.h"

#include "access/xact.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/caller.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"

/* acts of a row: opened, betting closed, decisions closed, evaluated, withheld, released, voided */
#define MAX_ACTS		7
#define ACTOR_BYTES		(CASINO_ACTOR_MAX * MAX_MULTIBYTE_CHAR_LEN)

/* The number found last and what it stands for. */
static struct
{
	int32		number;			/* 0: none */
	Oid			ledger;
	char		role[NAMEDATALEN];
	char		login[NAMEDATALEN];
	char		actor[ACTOR_BYTES + 1];
	bool		shared_logins;
}			known;

/* Two sessions may enter the same combination at once: neither waits for the other, both numbers mean it. */
static PreparedQuery find_recorder = {
	.sql = "SELECT r.recorder_id FROM casino.recorder r"
	" WHERE r.role = $1 AND r.login = $2 AND coalesce(r.actor, '') = $3"
	"   AND r.shared_logins = $4 ORDER BY r.recorder_id LIMIT 1",
	.args = {ARG_TEXT, ARG_TEXT, ARG_TEXT, ARG_BOOL}
};

static PreparedQuery insert_recorder = {
	.sql = "INSERT INTO casino.recorder (recorder_id, role, login, actor, shared_logins, recorded_at)"
	" VALUES (nextval('casino.recorder_id_seq'), $1, $2, nullif($3, ''), $4, clock_timestamp())"
	" RETURNING recorder_id",
	.args = {ARG_TEXT, ARG_TEXT, ARG_TEXT, ARG_BOOL}
};

/* The row of what a transaction entered is gone when it fails; a prepared one is not committed yet. */
static void
forget_in_subtransaction(SubXactEvent event, SubTransactionId mine, SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		known.number = 0;
}

static void
forget_in_transaction(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		known.number = 0;
}

void
casino_recorder_init(void)
{
	RegisterXactCallback(forget_in_transaction, NULL);
	RegisterSubXactCallback(forget_in_subtransaction, NULL);
}

/* Name of a role; of one that was dropped meanwhile its number. */
static void
role_name(Oid role, char *name)
{
	char	   *found = GetUserNameFromId(role, true);

	if (found != NULL)
		strlcpy(name, found, NAMEDATALEN);
	else
		snprintf(name, NAMEDATALEN, "%u", role);
}

/* Look the combination up, or enter it. */
static int32
find_or_enter(const char *role, const char *login, const char *actor)
{
	Datum		values[4];
	RunAsOwner	as_owner;
	int32		number;

	casino_as_owner_begin(&as_owner);
	values[0] = CStringGetTextDatum(role);
	values[1] = CStringGetTextDatum(login);
	values[2] = CStringGetTextDatum(actor);
	values[3] = BoolGetDatum(casino_shared_logins);
	if (casino_read_latest(&find_recorder, values, NULL) == 0)
		casino_execute_posting(&insert_recorder, values, NULL);
	number = casino_column_int(0, ONLY_COLUMN);
	casino_as_owner_end(&as_owner);
	return number;
}

int32
casino_recorder(void)
{
	const char *actor = casino_caller_actor();
	Oid			ledger = casino_ledger_oid();
	char		role[NAMEDATALEN];
	char		login[NAMEDATALEN];

	role_name(casino_caller_role(), role);
	role_name(GetSessionUserId(), login);
	if (known.number == 0 || known.ledger != ledger || known.shared_logins != casino_shared_logins ||
		strcmp(known.actor, actor) != 0 || strcmp(known.role, role) != 0 || strcmp(known.login, login) != 0)
	{
		known.number = 0;
		strlcpy(known.role, role, NAMEDATALEN);
		strlcpy(known.login, login, NAMEDATALEN);
		strlcpy(known.actor, actor, sizeof(known.actor));
		known.ledger = ledger;
		known.shared_logins = casino_shared_logins;
		known.number = find_or_enter(role, login, actor);
	}
	return known.number;
}

/* A column of the trigger's table by its name in an argument of the trigger. */
static int
column_number(const TriggerData *trigger, int argument)
{
	const char *name = trigger->tg_trigger->tgargs[argument];
	int			number = SPI_fnumber(RelationGetDescr(trigger->tg_relation), name);

	if (number <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("\"%s\" has no column \"%s\"", RelationGetRelationName(trigger->tg_relation), name)));
	return number;
}

/* Is the column of that number NULL in the row? */
static bool
is_null(const TriggerData *trigger, HeapTuple row, int number)
{
	bool		isnull;

	(void) SPI_getbinval(row, RelationGetDescr(trigger->tg_relation), number, &isnull);
	return isnull;
}

/*
 * Columns that are filled in of a row: numbers and values.  An act needs two of
 * them: who did it, and when that was written.
 */
typedef struct FilledColumns
{
	int			n;
	int			numbers[2 * MAX_ACTS];
	Datum		values[2 * MAX_ACTS];
	bool		nulls[2 * MAX_ACTS];
} FilledColumns;

/* Fill in a column: the value for an act of now, else the one recorded before. */
static void
fill_in(FilledColumns *filled, const TriggerData *trigger, int number, bool done_now, Datum value)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			i = filled->n++;

	filled->numbers[i] = number;
	filled->values[i] = value;
	filled->nulls[i] = !done_now;
	if (!done_now && TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
		filled->values[i] = SPI_getbinval(trigger->tg_trigtuple, desc, number, &filled->nulls[i]);
}

/* Is the time of an act filled in by this statement? */
static bool
is_done_now(const TriggerData *trigger, HeapTuple row, int when)
{
	if (is_null(trigger, row, when))
		return false;
	return !TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) || is_null(trigger, trigger->tg_trigtuple, when);
}

/*
 * record_who(when, who, written, ...), BEFORE INSERT OR UPDATE FOR EACH ROW:
 * the columns of an act's time, of its recorder and of the time of writing, at
 * most MAX_ACTS times; an empty name where the row does not keep the last.  Or
 * record_who(who): who wrote the row.  What a statement says of recorder and
 * writing is overwritten.
 */
PG_FUNCTION_INFO_V1(casino_sql_record_who);
Datum
casino_sql_record_who(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	FilledColumns filled = {0};
	TupleDesc	desc;
	HeapTuple	row;
	int			nargs;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.record_who() must be called as a trigger")));
	nargs = trigger->tg_trigger->tgnargs;
	if (!TRIGGER_FIRED_BEFORE(trigger->tg_event) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		TRIGGER_FIRED_BY_DELETE(trigger->tg_event) || nargs == 0 || (nargs > 1 && nargs % 3 != 0) ||
		nargs > 3 * MAX_ACTS)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("casino_internal.record_who() must be fired BEFORE INSERT OR UPDATE FOR EACH ROW,"
						" with three columns for each act")));
	row = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : trigger->tg_trigtuple;
	desc = RelationGetDescr(trigger->tg_relation);
	if (nargs == 1)
	{
		casino_check_type(desc, column_number(trigger, 0), INT4OID);
		fill_in(&filled, trigger, column_number(trigger, 0), true, Int32GetDatum(casino_recorder()));
	}
	for (int i = 0; i + 2 < nargs; i += 3)
	{
		bool		done_now = is_done_now(trigger, row, column_number(trigger, i));

		casino_check_type(desc, column_number(trigger, i + 1), INT4OID);
		fill_in(&filled, trigger, column_number(trigger, i + 1), done_now,
				done_now ? Int32GetDatum(casino_recorder()) : (Datum) 0);
		if (trigger->tg_trigger->tgargs[i + 2][0] == '\0')
			continue;
		casino_check_type(desc, column_number(trigger, i + 2), TIMESTAMPTZOID);
		fill_in(&filled, trigger, column_number(trigger, i + 2), done_now,
				TimestampTzGetDatum(GetCurrentTimestamp()));
	}
	return PointerGetDatum(heap_modify_tuple_by_cols(row, desc, filled.n, filled.numbers, filled.values,
													 filled.nulls));
}

/*
 * recorder_guard(), BEFORE INSERT FOR EACH ROW on casino.recorder: KL001 unless our own code enters the
 * row.
 */
PG_FUNCTION_INFO_V1(casino_sql_recorder_guard);
Datum
casino_sql_recorder_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) || !TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.recorder_guard() must be fired BEFORE INSERT FOR EACH ROW")));
	if (!casino_is_posting())
		ereport(ERROR,
				(errrefusal(REFUSAL_LEDGER_IMMUTABLE,
							REFUSED_TEXT("table", RelationGetRelationName(trigger->tg_relation))),
				 errmsg("INSERT on \"%s\" is refused: the ledger keeps these rows",
						RelationGetRelationName(trigger->tg_relation)),
				 errdetail("Who recorded an entry follows from the role and casino.actor of the session.")));
	return PointerGetDatum(trigger->tg_trigtuple);
}

/* recorded_by(): number of the current caller, for functions of ours. */
PG_FUNCTION_INFO_V1(casino_sql_recorded_by);
Datum
casino_sql_recorded_by(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(casino_recorder());
}
