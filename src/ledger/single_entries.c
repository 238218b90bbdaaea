/*
 * single_entries.c
 *	  Functions that post one entry of a player's money: deposit(), adjust(),
 *	  request_withdrawal().
 *
 * They answer the repetition of their request first, and are else held to the
 * rules of a plain INSERT of the row.
 */
#include "ledger/entry.h"

#include "utils/builtins.h"

#include "casino.h"
#include "duties/withdrawals.h"
#include "server/event_time.h"
#include "server/run_as_owner.h"
#include "state/clear_text.h"
#include "state/ledger_row.h"
#include "state/player.h"
#include "state/request.h"

/* Write the row of a booked entry. */
static void
insert_row(const Entry *entry, int64 balance)
{
	LedgerRow	row;
	LedgerWriter writer;

	casino_ledger_row_init(&row, entry->player_id, entry->kind, entry->time.at);
	casino_ledger_row_book(&row, entry->entry_no, entry->amount, balance);
	if (entry->has_round_id)
		casino_ledger_row_set(&row, LEDGER_ROUND_ID, Int64GetDatum(entry->round_id));
	if (entry->request_id != NULL)
	{
		casino_ledger_row_set(&row, LEDGER_REQUEST_ID, PointerGetDatum(entry->request_id));
		casino_ledger_row_set(&row, LEDGER_REQUEST_LINE, Int32GetDatum(1));
	}
	casino_ledger_row_text(&row, LEDGER_REASON, entry->reason);
	casino_ledger_row_text(&row, LEDGER_METHOD, entry->method);
	casino_ledger_row_text(&row, LEDGER_REFERENCE, entry->reference);
	casino_ledger_row_text(&row, LEDGER_PLACE, entry->place);
	casino_ledger_write_begin(&writer);
	casino_ledger_write(&writer, &row);
	casino_ledger_write_end(&writer);
}

static bool
same_text(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

/* Is this what the request posted when it came first? */
static bool
same_content(const void *content, const RequestLine *lines, int n)
{
	const Entry *entry = content;

	return n == 1 && !lines[0].has_bet && lines[0].product == NULL &&
		strcmp(lines[0].kind, entry->kind) == 0 &&
		lines[0].amount == entry->amount && lines[0].round_id == entry->round_id &&
		same_text(lines[0].reason, entry->reason) && same_text(lines[0].method, entry->method) &&
		same_text(lines[0].place, entry->place) &&
		casino_clear_text_is(entry->player_id, lines[0].reference, entry->reference);
}

/* Post it, or answer its repetition; returns the entry's number. */
static int64
post_once(Entry *entry)
{
	RunAsOwner	as_owner;
	PlayerState player;
	RequestLine *lines;
	int64		entry_no;

	casino_as_owner_begin(&as_owner);
	casino_entry_lock(entry, &player);
	if (casino_request_answered(entry->player_id, entry->request_id, same_content, entry, &lines) > 0)
		entry_no = lines[0].entry_no;
	else
	{
		casino_entry_book(entry, &player);
		insert_row(entry, player.balance);
		entry_no = entry->entry_no;
	}
	casino_as_owner_end(&as_owner);
	return entry_no;
}

/* Text argument n, palloc'ed; NULL when it is null. */
static char *
text_argument(FunctionCallInfo fcinfo, int n)
{
	return PG_ARGISNULL(n) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(n));
}

/* What all three are given: player_id, amount, request_id (argument "request") and at (argument "at"). */
static void
read_entry(FunctionCallInfo fcinfo, const char *kind, int request, int at, Entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	entry->kind = pstrdup(kind);
	entry->has_player_id = !PG_ARGISNULL(0);
	if (entry->has_player_id)
		entry->player_id = PG_GETARG_INT64(0);
	entry->has_amount = !PG_ARGISNULL(1);
	if (entry->has_amount)
		entry->amount = casino_numeric_to_halere_signed(PG_GETARG_NUMERIC(1));
	entry->request_id = PG_ARGISNULL(request) ? NULL : PG_GETARG_TEXT_PP(request);
	casino_time_argument(fcinfo, at, &entry->time);
}

/* deposit(player_id, amount, request_id, at, method, reference, place) returns the entry number */
PG_FUNCTION_INFO_V1(casino_sql_deposit);
Datum
casino_sql_deposit(PG_FUNCTION_ARGS)
{
	Entry		entry;

	read_entry(fcinfo, "deposit", 2, 3, &entry);
	entry.method = text_argument(fcinfo, 4);
	entry.reference = text_argument(fcinfo, 5);
	entry.place = text_argument(fcinfo, 6);
	PG_RETURN_INT64(post_once(&entry));
}

/* adjust(player_id, amount, reason, request_id, at, round_id) returns the entry number */
PG_FUNCTION_INFO_V1(casino_sql_adjust);
Datum
casino_sql_adjust(PG_FUNCTION_ARGS)
{
	Entry		entry;

	read_entry(fcinfo, "adjustment", 3, 4, &entry);
	entry.reason = text_argument(fcinfo, 2);
	entry.has_round_id = !PG_ARGISNULL(5);
	if (entry.has_round_id)
		entry.round_id = PG_GETARG_INT64(5);
	PG_RETURN_INT64(post_once(&entry));
}

/* request_withdrawal(player_id, amount, method, request_id, at) returns the withdrawal's number */
PG_FUNCTION_INFO_V1(casino_sql_request_withdrawal);
Datum
casino_sql_request_withdrawal(PG_FUNCTION_ARGS)
{
	Entry		entry;
	int64		entry_no;

	read_entry(fcinfo, "withdrawal", 3, 4, &entry);
	entry.method = text_argument(fcinfo, 2);
	entry_no = post_once(&entry);
	PG_RETURN_INT64(casino_withdrawal_id(entry.player_id, entry_no));
}
