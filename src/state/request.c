/*
 * request.c
 *	  Requests: a key of a player and one content, answered the same again.
 *
 * Called with the player's row locked, so that what is found is final.
 */
#include "state/ledger.h"

#include "utils/builtins.h"

static LedgerQuery find_request = {
	.sql = "SELECT l.request_line, l.entry_no, l.kind, l.round_id, l.bet, l.seat, l.hand, l.amount"
	"  FROM casino.ledger l WHERE l.player_id = $1 AND l.request_id = $2"
	" UNION ALL "
	"SELECT 0, NULL, NULL, c.round_id, NULL, NULL, NULL, NULL"
	"  FROM casino.cancelled_request c WHERE c.player_id = $1 AND c.request_id = $2"
	" ORDER BY 1",
	.args = {ARG_INT8, ARG_TEXT}
};

void
casino_request_conflict(int64 player_id, text *request_id, const char *detail)
{
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_REQUEST_CONFLICT),
			 errmsg("request \"%s\" of player " INT64_FORMAT " was used before",
					text_to_cstring(request_id), player_id),
			 errdetail("%s", detail),
			 errhint("A retry must have the content of the first request; a new request needs a new key.")));
}

int
casino_request_find(int64 player_id, text *request_id, bool raise_cancelled,
					RequestLine **lines, bool *cancelled)
{
	Datum		values[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	uint64		rows = casino_look(&find_request, values, NULL);
	int			found = 0;

	*lines = palloc0(sizeof(RequestLine) * Max(rows, 1));
	*cancelled = false;
	for (uint64 row = 0; row < rows; row++)
	{
		RequestLine *line = &(*lines)[found];
		bool		isnull;
		Datum		value = casino_column(row, 2, &isnull);

		if (isnull)
		{
			*cancelled = true;
			continue;
		}
		line->entry_no = DatumGetInt64(value);
		line->kind = casino_column_cstring(row, 3);
		line->round_id = casino_column_int64(row, 4);
		value = casino_column(row, 5, &isnull);
		line->has_bet = !isnull;
		if (!isnull)
			line->bet = *DatumGetBet(value);
		line->seat = DatumGetInt32(casino_column(row, 6, &isnull));
		line->hand = DatumGetInt32(casino_column(row, 7, &isnull));
		line->amount = casino_column_halere(row, 8, 0);
		found++;
	}
	if (*cancelled && raise_cancelled)
		casino_request_conflict(player_id, request_id, "It was cancelled before it arrived.");
	return found;
}
