/*
 * cancel.c
 *	  Stakes returned before betting closes: cancelled by the player or, when
 *	  he is disconnected, by the operator (D4 §9.4 and the games' paragraphs on
 *	  disconnection, R7.12, R11.10).
 */
#include "ledger/refunds.h"

#include "access/xact.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "ledger/closing.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/locking.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/box.h"
#include "state/cell.h"
#include "state/player.h"
#include "state/request.h"
#include "state/round.h"
#include "state/tables.h"
#include "state/wagers.h"

/*
 * While betting is open ($5), each disconnection that returns stakes; afterwards
 * once an absence: a player who has not staked since, nor come back, is still
 * away (R7.14, R11.75).
 */
static PreparedQuery insert_disconnection = {
	.sql = "INSERT INTO casino.disconnection (player_id, round_id, disconnected_at, recorded_at)"
	" SELECT $1, $2, $3, $4"
	"  WHERE $5"
	"     OR NOT EXISTS (SELECT FROM casino.disconnection d"
	"                     WHERE d.player_id = $1 AND d.round_id = $2"
	"                       AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                                        WHERE f.round_id = $2 AND f.kind = 'refund' AND f.player_id = $1"
	"                                          AND f.reason = 'disconnected'"
	"                                          AND f.posted_at = d.disconnected_at)"
	"                       AND NOT EXISTS (SELECT FROM casino.ledger s"
	"                                        WHERE s.round_id = $2 AND s.kind = 'stake' AND s.player_id = $1"
	"                                          AND s.posted_at > d.disconnected_at)"
	"                       AND NOT EXISTS (SELECT FROM casino.reconnection c"
	"                                        WHERE c.round_id = $2 AND c.player_id = $1"
	"                                          AND c.reconnected_at > d.disconnected_at))"
	" ON CONFLICT DO NOTHING",
	.args = {ARG_INT8, ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ, ARG_BOOL}
};

static PreparedQuery insert_tombstone = {
	.sql = "INSERT INTO casino.cancelled_request (player_id, request_id, round_id, cancelled_at, recorded_at)"
	" VALUES ($1, $2, $3, $4, $5)",
	.args = {ARG_INT8, ARG_TEXT, ARG_INT8, ARG_TIMESTAMPTZ, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_tombstone = {
	.sql = "SELECT round_id, cancelled_at FROM casino.cancelled_request WHERE player_id = $1"
	" AND request_id = $2",
	.args = {ARG_INT8, ARG_TEXT}
};

/* its columns */
enum
{
	TOMBSTONE_ROUND_ID = 1, TOMBSTONE_CANCELLED_AT
};

/*
 * Copy entry numbers out of SPI's memory: the array of them is made once the owner's identity has been
 * left.
 */
static int64 *
upper_copy(const int64 *entries, int n)
{
	int64	   *copy = SPI_palloc(sizeof(int64) * Max(n, 1));

	if (n > 0)
		memcpy(copy, entries, sizeof(int64) * n);
	return copy;
}

/* Leave a tombstone for a request that has not arrived. */
static void
leave_tombstone(int64 round_id, int64 player_id, text * request_id, EventTime *time)
{
	Datum		values[5];

	casino_time_take(time);
	values[0] = Int64GetDatum(player_id);
	values[1] = PointerGetDatum(request_id);
	values[2] = Int64GetDatum(round_id);
	values[3] = TimestampTzGetDatum(time->at);
	values[4] = TimestampTzGetDatum(GetCurrentTimestamp());
	casino_execute(&insert_tombstone, values, NULL);
}

/* KL003 for a cancellation before arrival that was meant for another round. */
static void
check_tombstone(int64 round_id, int64 player_id, text * request_id)
{
	Datum		values[2] = {Int64GetDatum(player_id), PointerGetDatum(request_id)};

	if (casino_read_latest(&find_tombstone, values, NULL) == 1 &&
		casino_column_int64(0, TOMBSTONE_ROUND_ID) != round_id)
		casino_request_was_cancelled(player_id, request_id, casino_column_int64(0, TOMBSTONE_ROUND_ID),
									 casino_column_time(0, TOMBSTONE_CANCELLED_AT, DT_NOBEGIN));
}

/* Is the stake one of the request's? */
static bool
is_of_request(const RequestLine *lines, int nlines, int64 stake_entry_no)
{
	for (int i = 0; i < nlines; i++)
		if (lines[i].entry_no == stake_entry_no)
			return true;
	return false;
}

/* Refunds that were posted for a request's wagers in the round, in their order. */
static int
refunds_of_request(int64 round_id, int64 player_id, const RequestLine *lines, int nlines, int64 **entries)
{
	Datum		keys[3] = {Int64GetDatum(round_id), CStringGetTextDatum("refund"), Int64GetDatum(player_id)};
	Store		ledger;
	StoreScan	scan;
	Snapshot	snapshot;
	int			n = 0;

	*entries = palloc(sizeof(int64) * Max(nlines, 1));
	casino_store_open(&casino_ledger_table, &ledger, AccessShareLock);
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	casino_store_scan(&ledger, LEDGER_BY_ROUND, snapshot, 3, keys, &scan);
	while (n < nlines && casino_store_next(&scan))
		if (is_of_request(lines, nlines, casino_store_int64(&scan, LEDGER_STAKE_ENTRY_NO)))
			(*entries)[n++] = casino_store_int64(&scan, LEDGER_ENTRY_NO);
	casino_store_end(&scan);
	UnregisterSnapshot(snapshot);
	casino_store_close(&ledger);
	qsort(*entries, n, sizeof(int64), casino_numbers_compare);
	return n;
}

/* A player with his boxes in a round at a table with seats, and those who bet behind him. */
typedef struct Seated
{
	int64		round_id;
	int64		player_id;
	Company    *company;
} Seated;

/*
 * A stake locks its box before its player: with him locked it is final which
 * boxes he has.  False when one came to them that may not be locked.
 */
static bool
try_lock_seated(void *what)
{
	Seated	   *seated = what;
	int		   *boxes;
	int			nboxes = casino_box_seats(seated->round_id, seated->player_id, &boxes);
	int		   *now;
	int			nnow;
	Numbers		players = casino_box_followers(seated->round_id, seated->player_id);

	players.numbers = repalloc(players.numbers, sizeof(int64) * (players.n + 1));
	players.numbers[players.n++] = seated->player_id;
	casino_company_lock(players, seated->company);
	nnow = casino_box_seats(seated->round_id, seated->player_id, &now);
	return nnow == nboxes && memcmp(now, boxes, sizeof(int) * nnow) == 0;
}

/* Lock a player and, at a table with seats, first his boxes, and with him those who bet behind him. */
static void
lock_with_followers(const RoundState *round, int64 player_id, Company *company)
{
	/* cppcheck-suppress ctuuninitvar; filled in by what it is passed to */
	Seated		seated = {round->round_id, player_id, company};
	Numbers		alone = {1, &player_id};

	if (round->seated)
		casino_lock_all(try_lock_seated, &seated);
	else
		casino_company_lock(alone, company);
}

/* Return the wagers of a request, what cannot stand without them, and the bets behind. */
static void
cancel_wagers(const Company *company, int64 player_id, const RoundState *round, text * request_id,
			  EventTime *time)
{
	PlayerState *player = casino_company_player(company, player_id);
	char	   *request = text_to_cstring(request_id);
	Wager	   *wagers;
	int			n = casino_wagers_load(round->round_id, player_id, &wagers);
	bool	   *gone = palloc0(sizeof(bool) * Max(n, 1));
	int			count;

	if (round->status != ROUND_OPEN)
		ereport(ERROR,
				(errrefusal(REFUSAL_BETTING_CLOSED, REFUSED_INT("round_id", round->round_id),
							REFUSED_TEXT("status", casino_round_status_name(round->status))),
				 errmsg("betting of round " INT64_FORMAT " is closed", round->round_id),
				 errdetail("Bets can be cancelled until then; the round is %s.",
						   casino_round_status_name(round->status))));
	casino_player_time(player, time);
	casino_round_check_over(round, time->at);
	for (int i = 0; i < n; i++)
		gone[i] = wagers[i].request_id != NULL && strcmp(wagers[i].request_id, request) == 0;
	(void) casino_return_wagers(player, round, wagers, n, gone, time->at, "cancelled", &count);
	if (round->seated)
		(void) casino_return_behind(company, round, time->at, "cancelled");
}

/* Wagers of the request that lie in a round under way though the key is forgotten (R12.130), as its lines. */
static int
forgotten_lines(const RoundState *round, int64 player_id, text * request_id, RequestLine **lines)
{
	char	   *request = text_to_cstring(request_id);
	Wager	   *wagers;
	int			n;
	int			found = 0;

	/* books of another round may be away */
	if (round->status != ROUND_OPEN && round->status != ROUND_CLOSED)
		return 0;
	n = casino_wagers_load(round->round_id, player_id, &wagers);
	*lines = palloc0(sizeof(RequestLine) * Max(n, 1));
	for (int i = 0; i < n; i++)
		if (wagers[i].request_id != NULL && strcmp(wagers[i].request_id, request) == 0)
			(*lines)[found++].entry_no = wagers[i].entry_no;
	return found;
}

/*
 * cancel_bet(round_id, player_id, request_id, at) returns the refunds of the
 * request's wagers.  Before betting closes (KB001); a request that has not
 * arrived leaves a tombstone and an empty answer; one of another round or
 * content is KL003.  The request itself, sent again afterwards, has its first
 * answer (R12.105).
 */
PG_FUNCTION_INFO_V1(casino_sql_cancel_bet);
Datum
casino_sql_cancel_bet(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	int64		player_id = PG_GETARG_INT64(1);
	text	   *request_id;
	EventTime	time;
	RunAsOwner	as_owner;
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
	casino_cell_refuse_move_name(request_id);
	casino_time_argument(fcinfo, 3, &time);
	casino_as_owner_begin(&as_owner);

	/* round, boxes, players: the one order of locks */
	casino_round_lock_shared(round_id);
	casino_round_load(round_id, &round);
	lock_with_followers(&round, player_id, &company);

	/* under the lock of the player it is final whether the request has come */
	nlines = casino_request_find(player_id, request_id, false, &lines, &cancelled);
	for (int i = 0; i < nlines; i++)
		if (strcmp(lines[i].kind, "stake") != 0 || lines[i].round_id != round_id)
			casino_request_conflict(player_id, request_id, lines, nlines);

	if (nlines == 0 && !cancelled)
		nlines = forgotten_lines(&round, player_id, request_id, &lines);
	/* not yet: should it come, it will find that it was cancelled */
	if (nlines == 0 && !cancelled)
		leave_tombstone(round_id, player_id, request_id, &time);
	if (cancelled)
		check_tombstone(round_id, player_id, request_id);
	if (nlines > 0)
	{
		nentries = refunds_of_request(round_id, player_id, lines, nlines, &entries);
		/* all were returned: a retry; some: with another request that they could not stand without */
		if (nentries < nlines)
		{
			cancel_wagers(&company, player_id, &round, request_id, &time);
			nentries = refunds_of_request(round_id, player_id, lines, nlines, &entries);
		}
		entries = upper_copy(entries, nentries);
	}

	/* the answer was copied out, as SPI takes its memory along */
	casino_as_owner_end(&as_owner);
	PG_RETURN_DATUM(casino_numbers_array(entries, nentries));
}

/* A player who takes part is disconnected: the stakes go back, or the round plays on (D4 §9.3, §9.4). */
static void
record_disconnection(int64 round_id, int64 player_id, TimestampTz at, bool returned)
{
	Datum		values[5] = {
		Int64GetDatum(player_id), Int64GetDatum(round_id), TimestampTzGetDatum(at),
		TimestampTzGetDatum(GetCurrentTimestamp()), BoolGetDatum(returned)
	};

	casino_execute(&insert_disconnection, values, NULL);
}

/*
 * disconnect(round_id, player_id, at): while betting is open the player's
 * stakes are returned, afterwards they stay and the round plays on, which is
 * recorded.  Returns the refunds.
 */
PG_FUNCTION_INFO_V1(casino_sql_disconnect);
Datum
casino_sql_disconnect(PG_FUNCTION_ARGS)
{
	int64		round_id = PG_GETARG_INT64(0);
	int64		player_id = PG_GETARG_INT64(1);
	EventTime	time;
	RunAsOwner	as_owner;
	Company		company;
	RoundState	round;
	PlayerState *player;
	TimestampTz not_before;
	bool		returns;
	Wager	   *wagers;
	int			n = 0;
	int64	   *entries = NULL;
	int			nentries = 0;

	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	casino_time_argument(fcinfo, 2, &time);
	casino_as_owner_begin(&as_owner);

	/* round, boxes, players: the one order of locks */
	casino_round_lock_shared(round_id);
	casino_round_load(round_id, &round);
	lock_with_followers(&round, player_id, &company);
	player = casino_company_player(&company, player_id);
	not_before = Max(round.opened_at, round.betting_closed_at);
	returns = round.status == ROUND_OPEN &&
		!casino_round_is_over(&round, time.given ? time.at : GetCurrentTimestamp());
	if (round.status == ROUND_OPEN || round.status == ROUND_CLOSED)
		n = casino_wagers_load(round_id, player_id, &wagers);
	if (returns && n > 0)
	{
		casino_player_time(player, &time);
		/* the player's last entry may be dated ahead, to when chips stay (R13.35) */
		returns = !casino_round_is_over(&round, time.at);
		not_before = Max(not_before, time.at);
	}
	if (returns && n > 0)
	{
		bool	   *all = palloc(sizeof(bool) * n);

		memset(all, true, n);
		/* this row proves the reason of the refunds, and comes before them (R7.69) */
		record_disconnection(round_id, player_id, time.at, true);
		entries = casino_return_wagers(player, &round, wagers, n, all, time.at, "disconnected", &nentries);
		(void) casino_return_behind(&company, &round, time.at, "disconnected");
		entries = upper_copy(entries, nentries);
	}
	else if (!returns && (round.status == ROUND_OPEN || round.status == ROUND_CLOSED))
	{
		casino_time_take(&time);
		/* the night holds it against the round's times (R12.7) */
		casino_time_follow(&time, not_before);
		/* cards that the player has seen, a return and own wagers were before */
		casino_reach_round(round_id, &time);
		for (int i = 0; i < n; i++)
			(void) casino_time_reach(&time, wagers[i].posted_at);
		if (n > 0)
			record_disconnection(round_id, player_id, time.at, false);
	}
	casino_as_owner_end(&as_owner);
	PG_RETURN_DATUM(casino_numbers_array(entries, nentries));
}
