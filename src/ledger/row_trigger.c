/*
 * row_trigger.c
 *	  ledger_post(): the BEFORE INSERT row trigger that every entry passes.
 *
 * Rows of our own statements, checked before, pass untouched.  Any other row
 * is held to the same rules as the functions: the player's row is locked, the
 * request must be new, the rules of the kind are checked, the row is numbered
 * and the player's row brought up to date.  Runs before NOT NULL and CHECK.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/partition.h"
#include "commands/trigger.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "ledger/entry.h"
#include "server/event_time.h"
#include "server/posting.h"
#include "server/query.h"
#include "server/recorder.h"
#include "server/run_as_owner.h"
#include "state/player.h"
#include "state/request.h"
#include "state/tables.h"

/* Value of a column by name and type; NULL columns give 0 and *given = false. */
static Datum
column(const TriggerData *trigger, const char *name, QueryArg type, bool *given)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			number = SPI_fnumber(desc, name);
	bool		isnull;
	Datum		value;

	if (number <= 0)
		elog(ERROR, "casino.ledger has no column \"%s\"", name);
	casino_check_type(desc, number, casino_arg_type(type));
	value = heap_getattr(trigger->tg_trigtuple, number, desc, &isnull);
	*given = !isnull;
	return isnull ? (Datum) 0 : value;
}

/* Text of a column, palloc'ed; NULL when it is null. */
static char *
text_column(const TriggerData *trigger, const char *name)
{
	bool		given;
	Datum		value = column(trigger, name, ARG_TEXT, &given);

	return given ? TextDatumGetCString(value) : NULL;
}

/*
 * An entry goes into the book that is open (R12.40).  The row may have waited
 * for a turn of the books, or name a book itself.
 */
static void
check_book(const TriggerData *trigger)
{
	int32		open = casino_store_open_book(&casino_ledger_table);
	bool		given;
	int32		book = DatumGetInt32(column(trigger, "book", ARG_INT4, &given));

	if (given && book == open)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("book of a ledger entry is given by the ledger"),
			 errdetail("Entries go into book %d.", open),
			 errhint("Insert into casino.ledger and leave the column out.")));
}

/* Is the trigger's table a book of casino.ledger? */
static bool
is_book(Relation relation)
{
	return relation->rd_rel->relispartition &&
		get_partition_parent(RelationGetRelid(relation), true) == casino_ledger_oid();
}

/* All columns of the new row. */
static void
read_entry(const TriggerData *trigger, Entry *entry)
{
	bool		given;
	Datum		value;

	memset(entry, 0, sizeof(*entry));
	entry->player_id = DatumGetInt64(column(trigger, "player_id", ARG_INT8, &entry->has_player_id));
	entry->entry_no = DatumGetInt64(column(trigger, "entry_no", ARG_INT8, &entry->has_entry_no));
	entry->kind = text_column(trigger, "kind");
	value = column(trigger, "amount", ARG_NUMERIC, &entry->has_amount);
	if (entry->has_amount)
		entry->amount = casino_datum_to_halere(value);
	entry->round_id = DatumGetInt64(column(trigger, "round_id", ARG_INT8, &entry->has_round_id));
	value = column(trigger, "bet", ARG_BET, &entry->has_bet);
	if (entry->has_bet)
		entry->bet = *DatumGetBet(value);
	entry->seat = DatumGetInt32(column(trigger, "seat", ARG_INT4, &entry->has_seat));
	entry->hand = DatumGetInt32(column(trigger, "hand", ARG_INT4, &entry->has_hand));
	entry->stake_entry_no = DatumGetInt64(column(trigger, "stake_entry_no", ARG_INT8,
												 &entry->has_stake_entry_no));
	entry->grade = text_column(trigger, "grade");
	value = column(trigger, "request_id", ARG_TEXT, &given);
	entry->request_id = given ? DatumGetTextPCopy(value) : NULL;
	entry->request_line = DatumGetInt32(column(trigger, "request_line", ARG_INT4, &entry->has_request_line));
	entry->reason = text_column(trigger, "reason");
	entry->method = text_column(trigger, "method");
	entry->withdrawal_entry_no = DatumGetInt64(column(trigger, "withdrawal_entry_no", ARG_INT8,
													  &entry->has_withdrawal_entry_no));
	(void) column(trigger, "correction_no", ARG_INT8, &given);
	if (given)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("correction_no of a ledger entry is given by approve_correction()")));
	entry->account = text_column(trigger, "account");
	entry->reference = text_column(trigger, "reference");
	entry->place = text_column(trigger, "place");
	value = column(trigger, "posted_at", ARG_TIMESTAMPTZ, &given);
	casino_time_init(&entry->time, given, DatumGetTimestampTz(value));
}

/* KL003 for a request that was used; request_line of a single row is 1. */
static void
check_request(Entry *entry)
{
	RequestLine *lines;

	if (entry->has_request_line && (entry->request_id == NULL || entry->request_line != 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("request_line is numbered by the ledger"),
						errhint("place_bets() places several bets of one request.")));
	/* a row cannot answer a repetition: nothing is the same */
	(void) casino_request_answered(entry->player_id, entry->request_id, NULL, NULL, &lines);
}

/* The row to be stored: as given, with what the ledger fills in, after which the wallet has "balance". */
static HeapTuple
complete_row(const TriggerData *trigger, const Entry *entry, int64 balance)
{
	static const char *const names[] = {"entry_no", "amount", "round_id", "seat", "hand", "grade",
	"request_line", "reason", "account", "reference", "posted_at", "recorded_at", "recorded_by", "balance"};
	static const QueryArg types[] = {ARG_INT8, ARG_NUMERIC, ARG_INT8, ARG_INT4, ARG_INT4, ARG_TEXT,
	ARG_INT4, ARG_TEXT, ARG_TEXT, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT4, ARG_NUMERIC};
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			numbers[lengthof(names)];
	Datum		values[lengthof(names)];
	bool		nulls[lengthof(names)] = {false};

	StaticAssertStmt(lengthof(types) == lengthof(names), "a type for each column");
	for (int i = 0; i < (int) lengthof(names); i++)
	{
		numbers[i] = SPI_fnumber(desc, names[i]);
		casino_check_type(desc, numbers[i], casino_arg_type(types[i]));
	}
	values[0] = Int64GetDatum(entry->entry_no);
	values[1] = NumericGetDatum(casino_halere_to_numeric(entry->amount));
	values[2] = Int64GetDatum(entry->round_id);
	nulls[2] = !entry->has_round_id;
	values[3] = Int32GetDatum(entry->seat);
	nulls[3] = !entry->has_seat;
	values[4] = Int32GetDatum(entry->hand);
	nulls[4] = !entry->has_hand;
	values[5] = entry->grade ? CStringGetTextDatum(entry->grade) : (Datum) 0;
	nulls[5] = entry->grade == NULL;
	values[6] = Int32GetDatum(1);
	nulls[6] = entry->request_id == NULL;
	values[7] = entry->reason ? CStringGetTextDatum(entry->reason) : (Datum) 0;
	nulls[7] = entry->reason == NULL;
	values[8] = entry->account ? CStringGetTextDatum(entry->account) : (Datum) 0;
	nulls[8] = entry->account == NULL;
	values[9] = entry->reference ? CStringGetTextDatum(entry->reference) : (Datum) 0;
	nulls[9] = entry->reference == NULL;
	values[10] = TimestampTzGetDatum(entry->time.at);
	values[11] = TimestampTzGetDatum(casino_time_of_record(entry->time.recorded_from));
	values[12] = Int32GetDatum(casino_recorder());
	values[13] = NumericGetDatum(casino_halere_to_numeric(balance));
	/* nobody casts to a column's length after a trigger */
	for (int i = 0; i < (int) lengthof(names); i++)
		if (types[i] == ARG_NUMERIC)
			values[i] = DirectFunctionCall2(numeric, values[i],
											Int32GetDatum(TupleDescAttr(desc, numbers[i] - 1)->atttypmod));
	return heap_modify_tuple_by_cols(trigger->tg_trigtuple, desc, lengthof(names), numbers, values, nulls);
}

/* Everything about one row of a client. */
static HeapTuple
post_entry(const TriggerData *trigger)
{
	MemoryContext caller = CurrentMemoryContext;
	RunAsOwner	as_owner;
	Entry		entry;
	PlayerState player;
	HeapTuple	row;

	casino_as_owner_begin(&as_owner);
	check_book(trigger);
	read_entry(trigger, &entry);
	casino_entry_lock(&entry, &player);
	check_request(&entry);
	casino_entry_book(&entry, &player);

	MemoryContextSwitchTo(caller);
	row = complete_row(trigger, &entry, player.balance);
	casino_as_owner_end(&as_owner);
	return row;
}

/*
 * ledger_post(), BEFORE INSERT FOR EACH ROW on casino.ledger, without
 * arguments.
 */
PG_FUNCTION_INFO_V1(casino_sql_ledger_post);
Datum
casino_sql_ledger_post(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.ledger_post() must be called as a trigger")));
	if (!TRIGGER_FIRED_BEFORE(trigger->tg_event) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!TRIGGER_FIRED_BY_INSERT(trigger->tg_event) || trigger->tg_trigger->tgnargs != 0)
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.ledger_post() must be fired BEFORE INSERT FOR EACH ROW, "
							   "without arguments")));
	if (casino_is_posting())
		return PointerGetDatum(trigger->tg_trigtuple);
	if (!is_book(trigger->tg_relation))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("casino_internal.ledger_post() belongs on casino.ledger, not on \"%s\"",
							   RelationGetRelationName(trigger->tg_relation))));
	return PointerGetDatum(post_entry(trigger));
}
