/*
 * adjustments.c
 *	  Large adjustments need a second person (R7.73).
 *
 * The operator sets the figure adjust_amount; before the operator does, no
 * amount is large.  An approval names the request, which posts one entry.
 * Money that a move to another cell takes and brings needs no approval (R12.114):
 * the record of the move stands for it.  No other entry has its request.
 */
#include "ledger/adjustments.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/query.h"
#include "server/recorder.h"
#include "state/cell.h"

static PreparedQuery find_limit = {
	.sql = "SELECT least(casino.duty_value('adjust_amount', $1)::numeric,"
	"             casino.duty_value('adjust_amount', $2)::numeric)",
	.args = {ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

/* Approvals of this very entry: why the caller is not a second person, or NULL. */
static PreparedQuery find_approvals = {
	.sql = "SELECT casino_internal.same_eyes(a.recorded_by, $6)"
	"  FROM casino.adjustment_approval a"
	" WHERE a.player_id = $1 AND a.request_id = $2 AND a.amount = $3 AND a.reason = $4"
	"   AND a.round_id IS NOT DISTINCT FROM $5"
	"   AND casino_internal.approval_counts(a.recorded_at)"
	" ORDER BY 1 NULLS FIRST LIMIT 1",
	.args = {ARG_INT8, ARG_TEXT, ARG_NUMERIC, ARG_TEXT, ARG_INT8, ARG_INT4}
};

/*
 * Is an entry that of a move: the first of an account that has come, or one of
 * an account that is being closed?  The row of the move stays and a request is
 * forgotten some day (R12.51), so an entry with its key since is another one.
 */
static PreparedQuery find_move = {
	.sql = "SELECT 1 FROM casino.account_move m"
	" WHERE m.player_id = $1 AND m.request_id = $2"
	"   AND CASE m.direction WHEN 'in' THEN $3 = m.amount AND $4"
	/* a cell that was put back may have less than went (R12.117) */
	"       ELSE $3 BETWEEN - m.amount AND 0 AND $5 END",
	.args = {ARG_INT8, ARG_TEXT, ARG_NUMERIC, ARG_BOOL, ARG_BOOL}
};

/* The entry of a move needs no approval; any other with its name is refused. */
static void
check_move(const Entry *entry, const PlayerState *player)
{
	Datum		values[5] = {
		Int64GetDatum(entry->player_id), PointerGetDatum(entry->request_id),
		NumericGetDatum(casino_halere_to_numeric(entry->amount)),
		BoolGetDatum(player->last_entry_no == 0), BoolGetDatum(!player->closed)
	};

	if (entry->has_round_id || casino_read_latest(&find_move, values, NULL) == 0)
		casino_cell_refuse_move_name(entry->request_id);
}

/* Haléře above which it needs an approval; PG_INT64_MAX: no figure is set. */
static int64
limit_at(TimestampTz at)
{
	Datum		values[2] = {TimestampTzGetDatum(at), TimestampTzGetDatum(GetCurrentTimestamp())};
	bool		isnull;
	Datum		limit;

	casino_read_latest(&find_limit, values, NULL);
	limit = casino_column(0, ONLY_COLUMN, ARG_NUMERIC, &isnull);
	return isnull ? PG_INT64_MAX : casino_datum_to_halere(limit);
}

void
casino_adjustment_check(const Entry *entry, const PlayerState *player)
{
	int64		limit = limit_at(entry->time.at);
	Datum		values[6];
	char		nulls[] = "      ";
	char	   *same = NULL;

	if (casino_cell_names_move(entry->request_id))
	{
		check_move(entry, player);
		return;
	}
	/* R12.156: the person could not play with it; of a round it is as a correction */
	if (player->closed && entry->amount > 0 && !entry->has_round_id)
		casino_cell_check_moved(entry->player_id);
	if (entry->amount <= limit && entry->amount >= -limit)
		return;
	if (entry->request_id != NULL)
	{
		values[0] = Int64GetDatum(entry->player_id);
		values[1] = PointerGetDatum(entry->request_id);
		values[2] = NumericGetDatum(casino_halere_to_numeric(entry->amount));
		values[3] = CStringGetTextDatum(entry->reason);
		values[4] = Int64GetDatum(entry->round_id);
		nulls[4] = entry->has_round_id ? ' ' : 'n';
		values[5] = Int32GetDatum(casino_recorder());
		if (casino_read_latest(&find_approvals, values, nulls) > 0)
		{
			same = casino_column_cstring(0, ONLY_COLUMN);
			if (same == NULL)
				return;
		}
	}
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("an adjustment above %s CZK needs the approval of a second person",
					casino_money_cstring(limit)),
			 same != NULL ? errdetail("%s", same) :
			 entry->request_id == NULL ? errdetail("It has no request_id, which an approval names.") :
			 errdetail("No approval names its player, request, amount, reason and round."),
			 errhint("A second person, under another login, calls casino.approve_adjustment() before it.")));
}
