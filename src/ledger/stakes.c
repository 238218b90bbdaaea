/*
 * stakes.c
 *	  Placing bets: the functions place_bets(), place_bets_balance() and
 *	  place_bet().
 */
#include "state/ledger.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "core/money.h"
#include "server/bounds.h"
#include "state/box.h"
#include "state/ledger_row.h"

/* most bets of one call: a complete bet on every number is far below */
#define PLACE_BETS_MAX	1000

static LedgerQuery load_wagers = {
	.sql = "SELECT s.entry_no, s.bet, s.seat, s.hand, s.request_id, s.posted_at"
	"  FROM casino.ledger s"
	" WHERE s.round_id = $1 AND s.kind = 'stake' AND s.player_id = $2"
	"   AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                    WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)"
	" ORDER BY s.entry_no",
	.args = {ARG_INT8, ARG_INT8}
};

/* By the executor. */
static int
load_by_query(int64 round_id, int64 player_id, Wager **wagers)
{
	Datum		values[2] = {Int64GetDatum(round_id), Int64GetDatum(player_id)};
	uint64		rows = casino_look(&load_wagers, values, NULL);
	bool		isnull;

	*wagers = palloc0(sizeof(Wager) * Max(rows, 1));
	for (uint64 row = 0; row < rows; row++)
	{
		Wager	   *wager = &(*wagers)[row];

		wager->entry_no = casino_column_int64(row, 1);
		wager->bet = *DatumGetBet(casino_column(row, 2, &isnull));
		wager->seat = DatumGetInt32(casino_column(row, 3, &isnull));
		wager->hand = DatumGetInt32(casino_column(row, 4, &isnull));
		wager->request_id = casino_column_cstring(row, 5);
		wager->posted_at = casino_column_time(row, 6, DT_NOBEGIN);
	}
	return (int) rows;
}

/* A wager of the row that the scan stands on. */
static void
read_wager(const StoreScan *scan, Wager *wager)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, LEDGER_REQUEST_ID, &isnull);

	wager->request_id = isnull ? NULL : TextDatumGetCString(value);
	wager->entry_no = casino_store_int64(scan, LEDGER_ENTRY_NO);
	wager->bet = *DatumGetBet(casino_store_column(scan, LEDGER_BET, &isnull));
	wager->seat = DatumGetInt32(casino_store_column(scan, LEDGER_SEAT, &isnull));
	wager->hand = DatumGetInt32(casino_store_column(scan, LEDGER_HAND, &isnull));
	wager->posted_at = DatumGetTimestampTz(casino_store_column(scan, LEDGER_POSTED_AT, &isnull));
}

/* By the index: his stakes of the round, less those that something was posted for. */
static int
load_by_scan(Store *ledger, int64 round_id, int64 player_id, Wager **wagers)
{
	Datum		keys[3] = {Int64GetDatum(round_id), CStringGetTextDatum("stake"), Int64GetDatum(player_id)};
	Snapshot	snapshot;
	StoreScan	scan;
	StoreScan	paid;
	int			n = 0;
	int			kept = 0;
	int			room = 8;

	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	*wagers = palloc(sizeof(Wager) * room);
	casino_store_scan(ledger, LEDGER_BY_ROUND, snapshot, 3, keys, &scan);
	for (; casino_store_next(&scan); n++)
	{
		if (n == room)
		{
			room *= 2;
			*wagers = repalloc(*wagers, sizeof(Wager) * room);
		}
		read_wager(&scan, &(*wagers)[n]);
	}
	casino_store_end(&scan);
	for (int i = 0; i < n; i++)
	{
		Datum		stake[2] = {Int64GetDatum(player_id), Int64GetDatum((*wagers)[i].entry_no)};

		if (i == 0)
			casino_store_scan(ledger, LEDGER_BY_STAKE, snapshot, 2, stake, &paid);
		else
			casino_store_rescan(&paid, 2, stake);
		if (!casino_store_next(&paid))
			(*wagers)[kept++] = (*wagers)[i];
	}
	if (n > 0)
		casino_store_end(&paid);
	UnregisterSnapshot(snapshot);
	return kept;
}

int
casino_wagers_load(int64 round_id, int64 player_id, Wager **wagers)
{
	Store		ledger;
	int			n;

	if (!casino_store_open(&casino_ledger_table, &ledger, AccessShareLock))
		return load_by_query(round_id, player_id, wagers);
	n = load_by_scan(&ledger, round_id, player_id, wagers);
	casino_store_close(&ledger);
	return n;
}

/* Arguments that both functions share. */
typedef struct PlaceArgs
{
	int64		round_id;
	int64		player_id;
	text	   *request_id;		/* NULL: none */
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
	EventTime	time;
	int			n;
	Wager	   *wagers;
} PlaceArgs;

/* Read all arguments but the bets, which the callers have put into args. */
static void
read_place_args(FunctionCallInfo fcinfo, PlaceArgs *args)
{
	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	args->round_id = PG_GETARG_INT64(0);
	args->player_id = PG_GETARG_INT64(1);
	args->request_id = PG_ARGISNULL(3) ? NULL : PG_GETARG_TEXT_PP(3);
	args->seat = PG_ARGISNULL(4) ? 0 : PG_GETARG_INT32(4);
	args->hand = PG_ARGISNULL(5) ? 0 : PG_GETARG_INT32(5);
	casino_bound_text("request_id", args->request_id, CASINO_KEY_BYTES);
	casino_time_argument(fcinfo, 6, &args->time);
	if ((!PG_ARGISNULL(4) && args->seat < 1) || (!PG_ARGISNULL(5) && args->hand < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("seats and hands are numbered from 1")));
	for (int i = 0; i < args->n; i++)
	{
		args->wagers[i].seat = args->seat;
		args->wagers[i].hand = args->hand;
	}
}

/* Is this what the request placed when it came first? */
static bool
same_content(const PlaceArgs *args, const RequestLine *lines, int nlines)
{
	if (nlines != args->n)
		return false;
	for (int i = 0; i < nlines; i++)
		if (!lines[i].has_bet || strcmp(lines[i].kind, "stake") != 0 ||
			lines[i].round_id != args->round_id || lines[i].seat != args->seat ||
			lines[i].hand != args->hand ||
			casino_bet_compare(&lines[i].bet, &args->wagers[i].bet) != 0)
			return false;
	return true;
}

/* Answer a repeated request with the entries of the first; false when it is new. */
static bool
answer_retry(const PlaceArgs *args, int64 *entries)
{
	RequestLine *lines;
	bool		cancelled;
	int			nlines;

	if (args->request_id == NULL)
		return false;
	nlines = casino_request_find(args->player_id, args->request_id, true, &lines, &cancelled);
	if (nlines == 0)
		return false;
	if (!same_content(args, lines, nlines))
		casino_request_conflict(args->player_id, args->request_id, lines, nlines);
	for (int i = 0; i < nlines; i++)
		entries[i] = lines[i].entry_no;
	return true;
}

/* Write the rows of the stakes, numbered on from the player's last entry. */
static void
insert_stakes(const PlaceArgs *args, PlayerState *player, int64 *entries)
{
	LedgerRow	row;
	LedgerWriter writer;

	casino_ledger_row_init(&row, args->player_id, "stake", args->time.at);
	casino_ledger_row_set(&row, LEDGER_ROUND_ID, Int64GetDatum(args->round_id));
	casino_ledger_row_place(&row, args->seat, args->hand);
	casino_ledger_write_begin(&writer);
	for (int i = 0; i < args->n; i++)
	{
		CasinoBet  *bet = &args->wagers[i].bet;
		int64		cost = casino_wager_cost(bet);

		casino_player_move(player, -cost);
		entries[i] = ++player->last_entry_no;
		casino_ledger_row_book(&row, entries[i], cost, player->balance);
		casino_ledger_row_set(&row, LEDGER_BET, BetGetDatum(bet));
		if (args->request_id != NULL)
		{
			casino_ledger_row_set(&row, LEDGER_REQUEST_ID, PointerGetDatum(args->request_id));
			casino_ledger_row_set(&row, LEDGER_REQUEST_LINE, Int32GetDatum(i + 1));
		}
		casino_ledger_write(&writer, &row);
	}
	casino_ledger_write_end(&writer);
}

static LedgerQuery find_balance = {
	.sql = "SELECT l.balance FROM casino.ledger l WHERE l.player_id = $1 AND l.entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* The wallet as it was after that entry, in haléře. */
static int64
balance_after(int64 player_id, int64 entry_no)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	if (casino_look(&find_balance, values, NULL) != 1)
		elog(ERROR, "entry " INT64_FORMAT " of player " INT64_FORMAT " vanished", entry_no, player_id);
	return casino_column_halere(0, 1, 0);
}

/* haléře the request takes from the wallet; 22003 on overflow */
static int64
cost_of(const PlaceArgs *args)
{
	int64		cost = 0;

	for (int i = 0; i < args->n; i++)
		if (!casino_money_add(cost, casino_wager_cost(&args->wagers[i].bet), &cost))
			ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
							errmsg("sum of the stakes is out of range")));
	return cost;
}

/*
 * The whole of placing bets; entries has room for args->n numbers.  Of
 * balance, unless it is NULL, it makes the wallet after the last of them, as
 * it was then.
 */
static void
place(PlaceArgs *args, int64 *entries, int64 *balance)
{
	LedgerScope scope;
	PlayerState player;
	RoundState	round;
	Wager	   *lying;
	int			nlying;

	casino_scope_enter(&scope);
	casino_round_lock_shared(args->round_id);
	if (args->seat != 0)
		casino_box_lock(args->round_id, args->seat);
	casino_player_lock(args->player_id, &player);
	if (!answer_retry(args, entries))
	{
		casino_round_load(args->round_id, &round);
		casino_player_time(&player, &args->time);
		casino_compliance_check_admitted(&player, args->time.at);
		casino_round_check_time(&round, &args->time, round.opened_at, "opened");
		casino_round_check_over(&round, args->time.at);
		nlying = casino_wagers_load(args->round_id, args->player_id, &lying);
		casino_stake_check(&round, &player, lying, nlying, args->wagers, args->n);
		if (round.status == ROUND_CLOSED)
			casino_round_check_time(&round, &args->time, round.betting_closed_at, "closed");
		casino_compliance_check_stake(&player, &round, nlying > 0, cost_of(args), &args->time);
		/* the duties may have moved a time that was not given */
		casino_round_check_over(&round, args->time.at);
		insert_stakes(args, &player, entries);
		player.last_posted_at = args->time.at;
		casino_player_save(&player);
		if (balance != NULL)
			*balance = player.balance;
	}
	else if (balance != NULL)
		*balance = balance_after(args->player_id, entries[args->n - 1]);
	casino_scope_leave(&scope);
}

/* Read the bets and all other arguments of a request. */
static void
read_request(FunctionCallInfo fcinfo, PlaceArgs *args)
{
	Datum	   *bets;

	casino_require_argument(fcinfo, 2, "bets");
	args->n = casino_array_elements(PG_GETARG_ARRAYTYPE_P(2), "bets", sizeof(CasinoBet), false, TYPALIGN_DOUBLE,
									&bets, NULL);
	if (args->n < 1 || args->n > PLACE_BETS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a request has 1 to %d bets, not %d", PLACE_BETS_MAX, args->n)));
	args->wagers = palloc0(sizeof(Wager) * args->n);
	for (int i = 0; i < args->n; i++)
		args->wagers[i].bet = *DatumGetBet(bets[i]);
	read_place_args(fcinfo, args);
}

/* bigint[] of n numbers */
static Datum
number_array(const int64 *numbers, int n)
{
	Datum	   *elements = palloc(sizeof(Datum) * n);

	for (int i = 0; i < n; i++)
		elements[i] = Int64GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, n, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/*
 * place_bets(round_id, player_id, bets, request_id, seat, hand, at) returns
 * the entry numbers in the order of the bets.  All are placed or none (R11.2).
 */
PG_FUNCTION_INFO_V1(casino_sql_place_bets);
Datum
casino_sql_place_bets(PG_FUNCTION_ARGS)
{
	PlaceArgs	args;
	int64	   *entries;

	read_request(fcinfo, &args);
	entries = palloc(sizeof(int64) * args.n);
	place(&args, entries, NULL);
	PG_RETURN_DATUM(number_array(entries, args.n));
}

/* place_bets_balance(...) returns the entry numbers and the wallet after the last of them. */
PG_FUNCTION_INFO_V1(casino_sql_place_bets_balance);
Datum
casino_sql_place_bets_balance(PG_FUNCTION_ARGS)
{
	PlaceArgs	args;
	TupleDesc	desc;
	int64	   *entries;
	int64		balance = 0;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	read_request(fcinfo, &args);
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	entries = palloc(sizeof(int64) * args.n);
	place(&args, entries, &balance);
	values[0] = number_array(entries, args.n);
	values[1] = NumericGetDatum(casino_halere_to_numeric(balance));
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

/* place_bet(round_id, player_id, bet, request_id, seat, hand, at) returns the entry number. */
PG_FUNCTION_INFO_V1(casino_sql_place_bet);
Datum
casino_sql_place_bet(PG_FUNCTION_ARGS)
{
	PlaceArgs	args;
	Wager		wager = {0};
	int64		entry_no = 0;

	casino_require_argument(fcinfo, 2, "bet");
	wager.bet = *PG_GETARG_BET(2);
	args.n = 1;
	args.wagers = &wager;
	read_place_args(fcinfo, &args);
	place(&args, &entry_no, NULL);
	PG_RETURN_INT64(entry_no);
}
