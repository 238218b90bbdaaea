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
#include "state/request.h"
#include "state/tables.h"

/* what a message shows of a request's content */
#define SHOWN_BETS		5
#define SHOWN_BYTES		200

static PreparedQuery find_request = {
	.sql = "SELECT l.request_line, l.entry_no, l.kind, l.round_id, l.bet, l.seat, l.hand, l.amount, l.method, l.reason,"
	"       NULL::timestamptz, NULL::numeric, l.reference"
	"  FROM casino.ledger l WHERE l.player_id = $1 AND l.request_id = $2"
	" UNION ALL "
	"SELECT 0, NULL, NULL, c.round_id, NULL, NULL, NULL, NULL, NULL, NULL, c.cancelled_at, NULL, NULL"
	"  FROM casino.cancelled_request c WHERE c.player_id = $1 AND c.request_id = $2"
	" UNION ALL "
	"SELECT 1, o.play_no, 'other_play', NULL, NULL, NULL, NULL, o.staked, NULL, o.product, NULL, o.result, NULL"
	"  FROM casino.other_play o WHERE o.player_id = $1 AND o.request_id = $2"
	" ORDER BY request_line",
	.args = {ARG_INT8, ARG_TEXT}
};

/* its columns */
enum
{
	LINE_NO = 1, LINE_ENTRY_NO, LINE_KIND, LINE_ROUND_ID, LINE_BET, LINE_SEAT, LINE_HAND,
	LINE_AMOUNT, LINE_METHOD, LINE_REASON, LINE_CANCELLED_AT, LINE_RESULT, LINE_REFERENCE
};

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
raise_conflict(int64 player_id, text * request_id, const char *detail)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_REQUEST_CONFLICT),
			 errmsg("request \"%s\" of player " INT64_FORMAT " was used before",
					text_to_cstring(request_id), player_id),
			 errdetail_internal("%s", detail),
			 errhint("A retry must have the content of the first request; a new request needs a new key.")));
}

void
casino_request_conflict(int64 player_id, text * request_id, const RequestLine *lines, int n)
{
	raise_conflict(player_id, request_id, psprintf("It posted %s.", request_content(lines, n)));
	pg_unreachable();
}

void
casino_request_was_cancelled(int64 player_id, text * request_id, int64 round_id, TimestampTz at)
{
	raise_conflict(player_id, request_id,
				   psprintf("It was cancelled in round " INT64_FORMAT " at %s, before it arrived.",
							round_id, timestamptz_to_str(at)));
	pg_unreachable();
}

/* Has a table a row of the request?  "unknown" is set when its index cannot be asked. */
static bool
is_in(StoreTable *table, int index, Snapshot snapshot, int64 player_id, text * request_id, bool *unknown)
{
	Datum		keys[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	Store		store;
	StoreScan	scan;
	bool		found;

	if (*unknown || !casino_store_open(table, &store, AccessShareLock))
	{
		*unknown = true;
		return false;
	}
	casino_store_scan(&store, index, snapshot, 2, keys, &scan);
	found = casino_store_next(&scan);
	casino_store_end(&scan);
	casino_store_close(&store);
	return found;
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
	line->seat = DatumGetInt32(casino_store_column(scan, LEDGER_SEAT, &isnull));
	line->hand = DatumGetInt32(casino_store_column(scan, LEDGER_HAND, &isnull));
	value = casino_store_value(scan, LEDGER_AMOUNT);
	line->amount = casino_numeric_to_halere_signed(DatumGetNumeric(value));
}

/* Entries of the request in the ledger, in the order of their lines. */
static int
read_ledger(Snapshot snapshot, int64 player_id, text * request_id, RequestLine **lines, bool *unknown)
{
	Datum		keys[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	Store		ledger;
	StoreScan	scan;
	int			found = 0;
	int			room = 4;

	*lines = palloc(sizeof(RequestLine) * room);
	if (!casino_store_open(&casino_ledger_table, &ledger, AccessShareLock))
	{
		*unknown = true;
		return 0;
	}
	casino_store_scan(&ledger, LEDGER_BY_REQUEST, snapshot, 2, keys, &scan);
	while (casino_store_next(&scan))
	{
		if (found == room)
		{
			room *= 2;
			*lines = repalloc(*lines, sizeof(RequestLine) * room);
		}
		read_line(&scan, &(*lines)[found++]);
	}
	casino_store_end(&scan);
	casino_store_close(&ledger);
	return found;
}

/*
 * The request by the indexes, when it is nowhere but in the ledger: most are
 * new, the rest mostly retries.  False: ask the executor.
 */
static bool
find_by_scan(int64 player_id, text * request_id, RequestLine **lines, int *found)
{
	bool		unknown = false;
	bool		elsewhere;
	Snapshot	snapshot;

	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	*found = read_ledger(snapshot, player_id, request_id, lines, &unknown);
	elsewhere =
		is_in(&casino_cancelled_request_table, CANCELLED_REQUEST_BY_ID, snapshot, player_id, request_id, &unknown) ||
		is_in(&casino_other_play_table, OTHER_PLAY_BY_REQUEST, snapshot, player_id, request_id, &unknown);
	UnregisterSnapshot(snapshot);
	return !elsewhere && !unknown;
}

int
casino_request_find(int64 player_id, text * request_id, bool raise_cancelled,
					RequestLine **lines, bool *cancelled)
{
	Datum		values[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	uint64		rows;
	int			found = 0;

	casino_request_check(request_id);
	*cancelled = false;

	/* nearly always: a new key, or a retry of what the ledger has */
	if (find_by_scan(player_id, request_id, lines, &found))
		return found;

	/* cancelled before it came, or play of another product: all three tables in one query */
	found = 0;
	rows = casino_read_latest(&find_request, values, NULL);
	*lines = palloc0(sizeof(RequestLine) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
	{
		RequestLine *line = &(*lines)[found];
		bool		isnull;
		Datum		value = casino_column(row, LINE_ENTRY_NO, ARG_INT8, &isnull);

		/* a tombstone has no entry */
		if (isnull)
		{
			if (raise_cancelled)
				casino_request_was_cancelled(player_id, request_id, casino_column_int64(row, LINE_ROUND_ID),
											 casino_column_time(row, LINE_CANCELLED_AT, DT_NOBEGIN));
			*cancelled = true;
			continue;
		}
		line->entry_no = DatumGetInt64(value);
		line->kind = casino_column_cstring(row, LINE_KIND);
		line->round_id = casino_column_int64(row, LINE_ROUND_ID);
		value = casino_column(row, LINE_BET, ARG_BET, &isnull);
		line->has_bet = !isnull;
		if (!isnull)
			line->bet = *DatumGetBet(value);
		line->seat = casino_column_int(row, LINE_SEAT);
		line->hand = casino_column_int(row, LINE_HAND);
		line->amount = casino_column_halere(row, LINE_AMOUNT, 0);
		line->method = casino_column_cstring(row, LINE_METHOD);
		line->reason = casino_column_cstring(row, LINE_REASON);
		line->result = casino_column_halere(row, LINE_RESULT, 0);
		line->reference = casino_column_cstring(row, LINE_REFERENCE);
		line->product = NULL;
		/* the query has the product in the place of the reason */
		if (strcmp(line->kind, "other_play") == 0)
		{
			line->product = line->reason;
			line->reason = NULL;
		}
		found++;
	}
	return found;
}

int
casino_request_answered(int64 player_id, text * request_id, SameContent same, const void *content, RequestLine **lines)
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
