/*
 * request.c
 *	  Requests: a key of a player and one content, answered the same again (R12.1).
 *
 * Called with the player's row locked, so that what is found is final.
 */
#include "postgres.h"

#include "access/xact.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/bounds.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/request.h"
#include "state/tables.h"

/* what a message shows of a request's content */
#define SHOWN_BETS		5
#define SHOWN_BYTES		200

void
casino_request_check(text * request_id)
{
	char	   *key = request_id ? text_to_cstring(request_id) : NULL;

	if (key != NULL && casino_is_blank(key))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("request_id must not be empty"),
				 errdetail("It is the key by which a retry is recognised."),
				 errhint("Give NULL where no retry is to be recognised.")));
}

/* The reason of an adjustment, as far as a message has room for it. */
static char *
short_text(const char *text)
{
	int			len = strlen(text);
	int			shown = pg_mbcliplen(text, len, SHOWN_BYTES);

	return psprintf("%.*s%s", shown, text, shown < len ? " ..." : "");
}

/* Where wagers lie: " in round 3, seat 2, hand 1" */
static void
append_place(StringInfo content, const RequestLine *line)
{
	appendStringInfo(content, " in round " INT64_FORMAT, line->round_id);
	if (line->seat != 0)
		appendStringInfo(content, ", seat %d", line->seat);
	if (line->hand != 0)
		appendStringInfo(content, ", hand %d", line->hand);
}

/* What a request posted, in words; its lines are of one kind, round, seat and hand. */
static char *
request_content(const RequestLine *lines, int n)
{
	StringInfoData content;

	initStringInfo(&content);
	if (lines[0].product != NULL)
	{
		appendStringInfo(&content, "other play " INT64_FORMAT ": %s CZK staked on \"%s\", result %s CZK",
						 lines[0].entry_no, casino_money_cstring(lines[0].amount), lines[0].product,
						 casino_money_cstring(lines[0].result));
		return content.data;
	}
	if (n == 1)
		appendStringInfo(&content, "entry " INT64_FORMAT ": ", lines[0].entry_no);
	else
		appendStringInfo(&content, "entries " INT64_FORMAT " to " INT64_FORMAT ": ",
						 lines[0].entry_no, lines[n - 1].entry_no);
	appendStringInfoString(&content, lines[0].kind);
	if (lines[0].has_bet)
	{
		for (int i = 0; i < n && i < SHOWN_BETS; i++)
			appendStringInfo(&content, "%s %s", i > 0 ? "," : "", casino_bet_cstring(&lines[i].bet));
		if (n > SHOWN_BETS)
			appendStringInfo(&content, " and %d more", n - SHOWN_BETS);
		append_place(&content, &lines[0]);
		return content.data;
	}
	appendStringInfo(&content, " of %s CZK", casino_money_cstring(lines[0].amount));
	if (lines[0].method != NULL)
		appendStringInfo(&content, " by %s", lines[0].method);
	if (lines[0].reason != NULL)
		appendStringInfo(&content, ": %s", short_text(lines[0].reason));
	return content.data;
}

/* KL003 with a sentence about what the key was used for. */
static void
raise_conflict(int64 player_id, text * request_id, const Refusal *refusal, const char *detail)
{
	ereport(ERROR,
			(casino_errrefusal(refusal),
			 errmsg("request \"%s\" of player " INT64_FORMAT " was used before",
					text_to_cstring(request_id), player_id),
			 errdetail_internal("%s", detail),
			 errhint("A retry must have the content of the first request; a new request needs a new key.")));
}

void
casino_request_conflict(int64 player_id, text * request_id, const RequestLine *lines, int n)
{
	const char *posted = psprintf("It posted %s.", request_content(lines, n));
	const Refusal refusal = {REFUSAL_REQUEST_CONFLICT,
	{REFUSED_TEXT("request_id", text_to_cstring(request_id)), REFUSED_TEXT("why", posted)}};

	raise_conflict(player_id, request_id, &refusal, posted);
	pg_unreachable();
}

void
casino_request_was_cancelled(int64 player_id, text * request_id, int64 round_id, TimestampTz at)
{
	const Refusal refusal = {REFUSAL_REQUEST_CANCELLED,
		{REFUSED_TEXT("request_id", text_to_cstring(request_id)), REFUSED_INT("round_id", round_id),
	REFUSED_TIME("at", at)}};

	raise_conflict(player_id, request_id, &refusal,
				   psprintf("It was cancelled in round " INT64_FORMAT " at %s, before it arrived.",
							round_id, timestamptz_to_str(at)));
	pg_unreachable();
}

/* Text of a column, palloc'ed; NULL when it is null. */
static char *
scanned_text(const StoreScan *scan, int column)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

/* The ledger entry that the scan stands on. */
static void
read_line(const StoreScan *scan, RequestLine *line)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, LEDGER_BET, &isnull);

	memset(line, 0, sizeof(*line));
	line->has_bet = !isnull;
	if (!isnull)
		line->bet = *DatumGetBet(value);
	line->entry_no = casino_store_int64(scan, LEDGER_ENTRY_NO);
	line->round_id = casino_store_int64(scan, LEDGER_ROUND_ID);
	line->kind = scanned_text(scan, LEDGER_KIND);
	line->method = scanned_text(scan, LEDGER_METHOD);
	line->reason = scanned_text(scan, LEDGER_REASON);
	line->reference = scanned_text(scan, LEDGER_REFERENCE);
	line->place = scanned_text(scan, LEDGER_PLACE);
	line->seat = DatumGetInt32(casino_store_column(scan, LEDGER_SEAT, &isnull));
	line->hand = DatumGetInt32(casino_store_column(scan, LEDGER_HAND, &isnull));
	value = casino_store_value(scan, LEDGER_AMOUNT);
	line->amount = casino_datum_to_halere(value);
}

/* A scan for a request's key. */
typedef struct KeyScan
{
	Store		store;
	StoreScan	scan;
	Snapshot	snapshot;
} KeyScan;

static void
begin_scan(StoreTable *table, int index, const Datum *keys, KeyScan *by)
{
	casino_store_open(table, &by->store, AccessShareLock);
	CommandCounterIncrement();
	by->snapshot = RegisterSnapshot(GetLatestSnapshot());
	casino_store_scan(&by->store, index, by->snapshot, 2, keys, &by->scan);
}

static void
end_scan(KeyScan *by)
{
	casino_store_end(&by->scan);
	UnregisterSnapshot(by->snapshot);
	casino_store_close(&by->store);
}

/* Entries of the request in the ledger, in the order of their lines. */
static int
read_ledger(const Datum *keys, RequestLine **lines)
{
	KeyScan		by;
	int			found = 0;
	int			room = 4;

	*lines = palloc(sizeof(RequestLine) * room);
	begin_scan(&casino_ledger_table, LEDGER_BY_REQUEST, keys, &by);
	while (casino_store_next(&by.scan))
	{
		if (found == room)
		{
			room *= 2;
			*lines = repalloc(*lines, sizeof(RequestLine) * room);
		}
		read_line(&by.scan, &(*lines)[found++]);
	}
	end_scan(&by);
	return found;
}

/* Play of another product that the request counted. */
static bool
read_other_play(const Datum *keys, RequestLine *line)
{
	KeyScan		by;
	bool		found;

	begin_scan(&casino_other_play_table, OTHER_PLAY_BY_REQUEST, keys, &by);
	found = casino_store_next(&by.scan);
	if (found)
	{
		memset(line, 0, sizeof(*line));
		line->kind = pstrdup("other_play");
		line->entry_no = casino_store_int64(&by.scan, OTHER_PLAY_PLAY_NO);
		line->product = scanned_text(&by.scan, OTHER_PLAY_PRODUCT);
		line->amount = casino_numeric_to_halere(DatumGetNumeric(casino_store_value(&by.scan,
																				   OTHER_PLAY_STAKED)));
		line->result =
			casino_datum_to_halere(casino_store_value(&by.scan, OTHER_PLAY_RESULT));
	}
	end_scan(&by);
	return found;
}

static bool
read_tombstone(const Datum *keys, int64 *round_id, TimestampTz *at)
{
	KeyScan		by;
	bool		found;

	begin_scan(&casino_cancelled_request_table, CANCELLED_REQUEST_BY_ID, keys, &by);
	found = casino_store_next(&by.scan);
	if (found)
	{
		*round_id = casino_store_int64(&by.scan, CANCELLED_ROUND_ID);
		*at = DatumGetTimestampTz(casino_store_value(&by.scan, CANCELLED_CANCELLED_AT));
	}
	end_scan(&by);
	return found;
}

int
casino_request_find(int64 player_id, text * request_id, bool raise_cancelled,
					RequestLine **lines, bool *cancelled)
{
	Datum		keys[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	RequestLine play;
	int64		round_id;
	TimestampTz at;
	int			found;

	casino_request_check(request_id);
	found = read_ledger(keys, lines);
	*cancelled = read_tombstone(keys, &round_id, &at);
	if (*cancelled && raise_cancelled)
		casino_request_was_cancelled(player_id, request_id, round_id, at);
	/* a key is used once (R12.1) */
	if (found == 0 && read_other_play(keys, &play))
	{
		(*lines)[0] = play;
		found = 1;
	}
	return found;
}

int
casino_request_answered(int64 player_id, text * request_id, SameContent same, const void *content,
						RequestLine **lines)
{
	bool		cancelled;
	int			n;

	if (request_id == NULL)
		return 0;
	n = casino_request_find(player_id, request_id, true, lines, &cancelled);
	if (n > 0 && (same == NULL || !same(content, *lines, n)))
		casino_request_conflict(player_id, request_id, *lines, n);
	return n;
}
