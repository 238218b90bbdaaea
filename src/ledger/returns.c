/*
 * returns.c
 *	  Stakes returned before betting closes: cancelled by the player or, when
 *	  he is disconnected, by the operator (D4 §9.4 and the games' paragraphs on
 *	  disconnection).
 */
#include "state/ledger.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "games/families.h"
#include "server/bounds.h"
#include "server/caller.h"

static LedgerQuery insert_refund = {
	.sql = "INSERT INTO casino.ledger (player_id, entry_no, kind, amount, round_id, seat, hand,"
	"                           stake_entry_no, reason, posted_at, recorded_at, recorded_by)"
	" VALUES ($1, $2, 'refund', $3, $4, $5, $6, $7, $8, $9, $10, $11)",
	.args = {ARG_INT8, ARG_INT8, ARG_NUMERIC, ARG_INT8, ARG_INT4, ARG_INT4,
	ARG_INT8, ARG_TEXT, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_INT4}
};

static LedgerQuery find_refunds = {
	.sql = "SELECT f.entry_no"
	"  FROM casino.ledger s"
	"  JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no"
	" WHERE s.player_id = $1 AND s.request_id = $2 AND f.kind = 'refund'"
	" ORDER BY f.entry_no",
	.args = {ARG_INT8, ARG_TEXT}
};

static LedgerQuery lock_counters = {
	.sql = "SELECT FROM casino.limit_state s WHERE s.player_id = ANY ($1)"
	" ORDER BY s.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8_ARRAY}
};

static LedgerQuery insert_tombstone = {
	.sql = "INSERT INTO casino.cancelled_request (player_id, request_id, round_id, cancelled_at)"
	" VALUES ($1, $2, $3, $4)",
	.args = {ARG_INT8, ARG_TEXT, ARG_INT8, ARG_TIMESTAMPTZ}
};

static LedgerQuery find_tombstone = {
	.sql = "SELECT round_id, cancelled_at FROM casino.cancelled_request WHERE player_id = $1 AND request_id = $2",
	.args = {ARG_INT8, ARG_TEXT}
};

int64 *
casino_post_refunds(PlayerState *player, int64 round_id, const Wager *wagers, int n,
					const bool *chosen, TimestampTz at, const char *reason, int *count)
{
	int64	   *entries = palloc(sizeof(int64) * Max(n, 1));
	Datum		values[11];

	values[0] = Int64GetDatum(player->player_id);
	values[3] = Int64GetDatum(round_id);
	values[7] = CStringGetTextDatum(reason);
	values[8] = TimestampTzGetDatum(at);
	values[9] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[10] = Int32GetDatum(casino_recorder());
	*count = 0;
	casino_compliance_undo_stakes(player, round_id, wagers, n, chosen);
	for (int i = 0; i < n; i++)
	{
		char		nulls[] = "           ";
		int64		cost = casino_wager_cost(&wagers[i].bet);

		if (!chosen[i])
			continue;
		casino_player_move(player, cost);
		entries[*count] = ++player->last_entry_no;
		values[1] = Int64GetDatum(player->last_entry_no);
		values[2] = NumericGetDatum(casino_halere_to_numeric(cost));
		values[4] = Int32GetDatum(wagers[i].seat);
		values[5] = Int32GetDatum(wagers[i].hand);
		values[6] = Int64GetDatum(wagers[i].entry_no);
		if (wagers[i].seat == 0)
			nulls[4] = 'n';
		if (wagers[i].hand == 0)
			nulls[5] = 'n';
		casino_run_posting(&insert_refund, values, nulls);
		(*count)++;
	}
	if (*count > 0)
	{
		player->last_posted_at = at;
		casino_player_save(player);
	}
	return entries;
}

/*
 * Entry numbers as bigint[] that outlives SPI: made in the upper context once
 * the scope has been left.
 */
static Datum
entries_array(const int64 *entries, int n)
{
	Datum	   *datums = palloc(sizeof(Datum) * Max(n, 1));

	for (int i = 0; i < n; i++)
		datums[i] = Int64GetDatum(entries[i]);
	return PointerGetDatum(construct_array(datums, n, INT8OID, sizeof(int64),
										   FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* Copy entry numbers out of SPI's memory. */
static int64 *
upper_copy(const int64 *entries, int n)
{
	int64	   *copy = SPI_palloc(sizeof(int64) * Max(n, 1));

	memcpy(copy, entries, sizeof(int64) * n);
	return copy;
}

/* Leave a tombstone for a request that has not arrived. */
static void
leave_tombstone(int64 round_id, int64 player_id, text *request_id, EventTime *time)
{
	Datum		values[4];

	casino_time_take(time);
	values[0] = Int64GetDatum(player_id);
	values[1] = PointerGetDatum(request_id);
	values[2] = Int64GetDatum(round_id);
	values[3] = TimestampTzGetDatum(time->at);
	casino_run(&insert_tombstone, values, NULL);
}

/* KL003 for a cancellation before arrival that was meant for another round. */
static void
check_tombstone(int64 round_id, int64 player_id, text *request_id)
{
	Datum		values[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};

	if (casino_look(&find_tombstone, values, NULL) == 1 && casino_column_int64(0, 1) != round_id)
		casino_request_was_cancelled(player_id, request_id, casino_column_int64(0, 1),
									 casino_column_time(0, 2, DT_NOBEGIN));
}

/* Refunds that were posted for a request's wagers. */
static int
refunds_of_request(int64 player_id, text *request_id, int64 **entries)
{
	Datum		values[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};
	uint64		rows = casino_look(&find_refunds, values, NULL);

	*entries = palloc(sizeof(int64) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
		(*entries)[row] = casino_column_int64(row, 1);
	return (int) rows;
}

/* A player with others who bet behind him, all locked in the order of their numbers. */
typedef struct Company
{
	PlayerState player;
	int			nfollowers;
	PlayerState *followers;
} Company;

/*
 * The counters of all that have some, in the order of the players' numbers:
 * stakes are returned to the owner first, whatever his number, and evaluations
 * lock the counters of losers without their players.
 */
static void
lock_counters_of(const Company *company)
{
	Datum	   *players = palloc(sizeof(Datum) * (company->nfollowers + 1));
	Datum		values[1];
	int			n = 0;

	if (company->player.limited)
		players[n++] = Int64GetDatum(company->player.player_id);
	for (int i = 0; i < company->nfollowers; i++)
		if (company->followers[i].limited)
			players[n++] = Int64GetDatum(company->followers[i].player_id);
	if (n < 2)
		return;
	values[0] = PointerGetDatum(construct_array(players, n, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
												TYPALIGN_DOUBLE));
	casino_run(&lock_counters, values, NULL);
}

/* Lock a player and those behind him. */
static void
lock_company(int64 round_id, int64 player_id, Company *company)
{
	int64	   *ids = casino_box_followers(round_id, player_id, &company->nfollowers);
	bool		locked = false;

	company->followers = palloc(sizeof(PlayerState) * Max(company->nfollowers, 1));
	for (int i = 0; i < company->nfollowers; i++)
	{
		if (!locked && ids[i] > player_id)
		{
			casino_player_lock(player_id, &company->player);
			locked = true;
		}
		casino_player_lock(ids[i], &company->followers[i]);
	}
	if (!locked)
		casino_player_lock(player_id, &company->player);
	lock_counters_of(company);
}

/* Return the bets behind boxes on which no main bet is left (RULEBOOK section 3). */
static void
return_behind(Company *company, int64 round_id, TimestampTz at, const char *reason)
{
	for (int i = 0; i < company->nfollowers; i++)
	{
		PlayerState *follower = &company->followers[i];
		Wager	   *wagers;
		int			n = casino_wagers_load(round_id, follower->player_id, &wagers);
		bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));
		int			count;

		for (int w = 0; w < n; w++)
			gone[w] = wagers[w].bet.kind == CASINO_BEHIND &&
				!casino_box_has_main(round_id, wagers[w].seat);
		/* another player's event: dated with it, but not before the follower's own last entry */
		casino_post_refunds(follower, round_id, wagers, n, gone,
							Max(at, follower->last_posted_at), reason, &count);
	}
}

/*
 * Return the wagers of a request and whatever cannot stand without them: side
 * bets that lose their main wager, chips that are left below the minimum of
 * their position (RULEBOOK section 3).
 */
static void
cancel_wagers(PlayerState *player, int64 round_id, text *request_id, EventTime *time)
{
	char	   *request = text_to_cstring(request_id);
	Wager	   *wagers;
	int			n = casino_wagers_load(round_id, player->player_id, &wagers);
	bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));
	RoundState	round;
	int			fallen;
	int			count;

	casino_round_load(round_id, &round);
	if (round.status != ROUND_OPEN)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_BETTING_CLOSED),
				 errmsg("betting of round " INT64_FORMAT " is closed", round_id),
				 errdetail("Bets can be cancelled until then; the round is %s.",
						   casino_round_status_name(round.status))));
	casino_player_time(player, time);
	for (int i = 0; i < n; i++)
		gone[i] = wagers[i].request_id != NULL && strcmp(wagers[i].request_id, request) == 0;
	while ((fallen = casino_stake_unsupported(&round, wagers, n, gone)) >= 0)
		gone[fallen] = true;
	casino_post_refunds(player, round_id, wagers, n, gone, time->at, "cancelled", &count);
}

/*
 * cancel_bet(round_id, player_id, request_id, at) returns the refunds of the
 * request's wagers.  Before betting closes (KB001); a request that has not
 * arrived leaves a tombstone and an empty answer; one of another round or
 * content is KL003.
 */
PG_FUNCTION_INFO_V1(casino_sql_cancel_bet);
Datum
casino_sql_cancel_bet(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	int64		player_id = PG_GETARG_INT64(1);
	text	   *request_id;
	EventTime	time;
	LedgerScope scope;
	Company		company;
	RoundState	round;
	RequestLine *lines;
	bool		cancelled;
	int			nlines;
	int64	   *entries = NULL;
	int			nentries = 0;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	casino_require_argument(fcinfo, 2, "request_id");
	request_id = PG_GETARG_TEXT_PP(2);
	casino_bound_text("request_id", request_id, CASINO_KEY_BYTES);
	casino_time_argument(fcinfo, 3, &time);
	casino_scope_enter(&scope);
	casino_round_lock_shared(round_id);
	lock_company(round_id, player_id, &company);
	nlines = casino_request_find(player_id, request_id, false, &lines, &cancelled);
	for (int i = 0; i < nlines; i++)
		if (strcmp(lines[i].kind, "stake") != 0 || lines[i].round_id != round_id)
			casino_request_conflict(player_id, request_id, lines, nlines);
	if (nlines == 0 && !cancelled)
	{
		casino_round_load(round_id, &round);
		leave_tombstone(round_id, player_id, request_id, &time);
	}
	if (cancelled)
		check_tombstone(round_id, player_id, request_id);
	if (nlines > 0)
	{
		nentries = refunds_of_request(player_id, request_id, &entries);
		/* all were returned: a retry; some: with another request that they could not stand without */
		if (nentries < nlines)
		{
			cancel_wagers(&company.player, round_id, request_id, &time);
			return_behind(&company, round_id, time.at, "cancelled");
			nentries = refunds_of_request(player_id, request_id, &entries);
		}
		entries = upper_copy(entries, nentries);
	}
	casino_scope_leave(&scope);
	PG_RETURN_DATUM(entries_array(entries, nentries));
}

/*
 * disconnect(round_id, player_id, at): while betting is open the player's
 * stakes are returned, afterwards they stay and the round plays on.  Returns
 * the refunds.
 */
PG_FUNCTION_INFO_V1(casino_sql_disconnect);
Datum
casino_sql_disconnect(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	int64		player_id = PG_GETARG_INT64(1);
	EventTime	time;
	LedgerScope scope;
	Company		company;
	RoundState	round;
	int64	   *entries = NULL;
	int			nentries = 0;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	casino_time_argument(fcinfo, 2, &time);
	casino_scope_enter(&scope);
	casino_round_lock_shared(round_id);
	lock_company(round_id, player_id, &company);
	casino_round_load(round_id, &round);
	if (round.status == ROUND_OPEN)
	{
		Wager	   *wagers;
		int			n = casino_wagers_load(round_id, player_id, &wagers);
		bool	   *all = palloc(sizeof(bool) * Max(n, 1));

		memset(all, true, n);
		casino_player_time(&company.player, &time);
		entries = casino_post_refunds(&company.player, round_id, wagers, n, all, time.at, "disconnected",
									  &nentries);
		return_behind(&company, round_id, time.at, "disconnected");
		entries = upper_copy(entries, nentries);
	}
	casino_scope_leave(&scope);
	PG_RETURN_DATUM(entries_array(entries, nentries));
}
