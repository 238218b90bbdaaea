/*
 * stakes.c
 *	  Placing bets: the functions place_bets(), place_bets_balance() and
 *	  place_bet().
 */
#include "postgres.h"

#include "access/xact.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "casino.h"
#include "ledger/entry.h"
#include "ledger/refunds.h"
#include "ledger/stakes.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/box.h"
#include "state/cell.h"
#include "state/ledger_row.h"
#include "state/player.h"
#include "state/request.h"
#include "state/round.h"
#include "state/wagers.h"

/* most bets of one call: a complete bet on every number is far below */
#define PLACE_BETS_MAX	1000

/* Arguments that both functions share. */
typedef struct PlaceArgs
{
	int64		round_id;
	int64		player_id;
	text	   *request_id;		/* NULL: none */
	int			seat;			/* 0: none */
	int			hand;			/* 0: none */
	EventTime	time;
	bool		follows;		/* for a bet behind, in the owner's call */
	int			n;
	Wager	   *wagers;
} PlaceArgs;

/* The key of the request: looked at before all other arguments, as texts of a row are. */
static text *
read_key(FunctionCallInfo fcinfo)
{
	text	   *request_id = PG_ARGISNULL(3) ? NULL : PG_GETARG_TEXT_PP(3);

	casino_bound_text("request_id", request_id, CASINO_KEY_BYTES);
	casino_cell_refuse_move_name(request_id);
	return request_id;
}

/* Read all arguments but the key and the bets, which the callers have put into args. */
static void
read_place_args(FunctionCallInfo fcinfo, PlaceArgs *args)
{
	casino_require_argument(fcinfo, 0, "round_id");
	casino_require_argument(fcinfo, 1, "player_id");
	args->round_id = PG_GETARG_INT64(0);
	args->player_id = PG_GETARG_INT64(1);
	args->seat = PG_ARGISNULL(4) ? 0 : PG_GETARG_INT32(4);
	args->hand = PG_ARGISNULL(5) ? 0 : PG_GETARG_INT32(5);
	casino_time_argument(fcinfo, 6, &args->time);
	if ((!PG_ARGISNULL(4) && args->seat < 1) || (!PG_ARGISNULL(5) && args->hand < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("seat and hand must be 1 or greater")));
	for (int i = 0; i < args->n; i++)
	{
		args->wagers[i].seat = args->seat;
		args->wagers[i].hand = args->hand;
		args->wagers[i].follows = args->follows;
	}
}

/* Is this what the request placed when it came first? */
static bool
same_content(const void *content, const RequestLine *lines, int nlines)
{
	const PlaceArgs *args = content;

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

/* Write the rows of the stakes, numbered on from the player's last entry. */
static void
insert_stakes(const PlaceArgs *args, PlayerState *player, int64 *entries)
{
	LedgerRow	row;
	LedgerWriter writer;

	casino_ledger_row_init(&row, args->player_id, "stake", args->time.at);
	casino_ledger_row_set(&row, LEDGER_RECORDED_AT,
						  TimestampTzGetDatum(casino_time_of_record(args->time.recorded_from)));
	casino_ledger_row_set(&row, LEDGER_ROUND_ID, Int64GetDatum(args->round_id));
	casino_ledger_row_place(&row, args->seat, args->hand);
	casino_ledger_write_begin(&writer);
	for (int i = 0; i < args->n; i++)
	{
		CasinoBet  *bet = &args->wagers[i].bet;
		int64		cost = casino_wager_cost(bet);

		casino_player_move(player, -cost, CASINO_HINT_STAKE);
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

static PreparedQuery find_balance = {
	.sql = "SELECT l.balance FROM casino.ledger l WHERE l.player_id = $1 AND l.entry_no = $2",
	.args = {ARG_INT8, ARG_INT8}
};

/* The wallet as it was after that entry, in haléře. */
static int64
balance_after(int64 player_id, int64 entry_no)
{
	Datum		values[2] = {Int64GetDatum(player_id), Int64GetDatum(entry_no)};

	if (casino_read_latest(&find_balance, values, NULL) != 1)
		elog(ERROR, "entry " INT64_FORMAT " of player " INT64_FORMAT " vanished", entry_no, player_id);
	return casino_column_halere(0, ONLY_COLUMN, 0);
}

static PreparedQuery follow_owner = {
	.sql = "SELECT casino_internal.follow_owner($1, $2, $3, $4, $5, $6, $7)",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8_ARRAY, ARG_BOOL, ARG_BOOL, ARG_INT4, ARG_TIMESTAMPTZ}
};

/* Is there a wager of the kind among those of the request? */
static bool
places(const PlaceArgs *args, int kind)
{
	for (int i = 0; i < args->n; i++)
		if (args->wagers[i].bet.kind == kind)
			return true;
	return false;
}

/* Can the request place stakes of others, of bets behind the player's box (R3.75)? */
static bool
may_lead(const PlaceArgs *args)
{
	return args->seat != 0 && !args->follows &&
		(places(args, CASINO_DOUBLE_DOWN) || places(args, CASINO_SPLIT_PAIR));
}

/*
 * Take the locks of round, box and player; with the player, in the order of
 * players, those whose bets behind may follow.  Gives these players.
 */
static Numbers
take_locks(const PlaceArgs *args, PlayerState *player)
{
	Numbers		behind = {0, NULL};
	Numbers		players;
	Company		company;

	if (may_lead(args))
	{
		casino_round_lock_shared(args->round_id);
		casino_box_lock(args->round_id, args->seat);
		behind = casino_box_behind(args->round_id, args->seat);
	}
	if (behind.n == 0 || casino_numbers_have(behind, args->player_id))
	{
		behind.n = 0;
		casino_entry_take_locks(args->round_id, args->seat, args->player_id, player);
		return behind;
	}
	players.n = behind.n + 1;
	players.numbers = palloc(sizeof(int64) * players.n);
	memcpy(players.numbers, behind.numbers, sizeof(int64) * behind.n);
	players.numbers[behind.n] = args->player_id;
	casino_company_lock(players, &company);
	*player = *casino_company_player(&company, args->player_id);
	return behind;
}

/* The owner's double or split places those of the bets behind, or keeps why not. */
static void
lead(const PlaceArgs *args, Numbers behind)
{
	Datum		values[7] = {
		Int64GetDatum(args->round_id), Int64GetDatum(args->seat),
		casino_numbers_array(behind.numbers, behind.n),
		BoolGetDatum(places(args, CASINO_DOUBLE_DOWN)), BoolGetDatum(places(args, CASINO_SPLIT_PAIR)),
		Int32GetDatum(args->hand), TimestampTzGetDatum(args->time.at)
	};

	casino_execute(&follow_owner, values, NULL);
}

/*
 * The whole of placing bets; entries has room for args->n numbers.  Of
 * balance, unless it is NULL, it makes the wallet after the last of them, as
 * it was then.
 */
static void
place(PlaceArgs *args, int64 *entries, int64 *balance)
{
	RunAsOwner	as_owner;
	PlayerState player;
	RequestLine *lines;
	Numbers		behind;
	int			nlines;

	casino_as_owner_begin(&as_owner);
	behind = take_locks(args, &player);
	nlines = casino_request_answered(args->player_id, args->request_id, same_content, args, &lines);
	for (int i = 0; i < nlines; i++)
		entries[i] = lines[i].entry_no;
	if (nlines == 0)
	{
		/* the time is the owner's: entries of the player elsewhere since do not free (R11.60) */
		if (args->follows)
			args->time.at = Max(args->time.at, player.last_posted_at);
		casino_player_time(&player, &args->time);
		(void) casino_stakes_admit(&player, args->round_id, args->wagers, args->n, &args->time);
		insert_stakes(args, &player, entries);
		player.last_posted_at = args->time.at;
		casino_player_save(&player);
		if (behind.n > 0)
			lead(args, behind);
		if (balance != NULL)
			*balance = player.balance;
	}
	else if (balance != NULL)
		*balance = balance_after(args->player_id, entries[args->n - 1]);
	casino_as_owner_end(&as_owner);
}

/* Read the bets and all other arguments of a request. */
static void
read_request(FunctionCallInfo fcinfo, PlaceArgs *args)
{
	Datum	   *bets;

	args->request_id = read_key(fcinfo);
	casino_require_argument(fcinfo, 2, "bets");
	args->n = casino_array_elements(PG_GETARG_ARRAYTYPE_P(2), "bets", sizeof(CasinoBet), false,
									TYPALIGN_DOUBLE,
									&bets, NULL);
	if (args->n < 1 || args->n > PLACE_BETS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a request must have 1 to %d bets, not %d", PLACE_BETS_MAX, args->n)));
	args->wagers = palloc0(sizeof(Wager) * args->n);
	for (int i = 0; i < args->n; i++)
		args->wagers[i].bet = *DatumGetBet(bets[i]);
	read_place_args(fcinfo, args);
}

/*
 * place_bets(round_id, player_id, bets, request_id, seat, hand, at) returns
 * the entry numbers in the order of the bets.  All are placed or none (R11.2).
 */
PG_FUNCTION_INFO_V1(casino_sql_place_bets);
Datum
casino_sql_place_bets(PG_FUNCTION_ARGS)
{
	PlaceArgs	args = {0};
	int64	   *entries;

	read_request(fcinfo, &args);
	entries = palloc(sizeof(int64) * args.n);
	place(&args, entries, NULL);
	PG_RETURN_DATUM(casino_numbers_array(entries, args.n));
}

/* place_bets_balance(...) returns the entry numbers and the wallet after the last of them. */
PG_FUNCTION_INFO_V1(casino_sql_place_bets_balance);
Datum
casino_sql_place_bets_balance(PG_FUNCTION_ARGS)
{
	PlaceArgs	args = {0};
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
	values[0] = casino_numbers_array(entries, args.n);
	values[1] = NumericGetDatum(casino_halere_to_numeric(balance));
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}

static PreparedQuery followed = {
	.sql = "SELECT casino_internal.followed($1, $2, $3, $4, $5)",
	.args = {ARG_INT8, ARG_INT8, ARG_INT8_ARRAY, ARG_INT4, ARG_INT4}
};

/* The document of the bets behind that followed the request, or stayed out; false without such bets. */
static bool
find_followed(const PlaceArgs *args, Datum entry_nos, Datum *data)
{
	RunAsOwner	as_owner;
	Datum		values[5] = {
		Int64GetDatum(args->round_id), Int64GetDatum(args->player_id), entry_nos,
		Int32GetDatum(args->seat), Int32GetDatum(args->hand)
	};
	char		nulls[5] = {' ', ' ', ' ', ' ', args->hand == 0 ? 'n' : ' '};
	bool		isnull;

	casino_as_owner_begin(&as_owner);
	if (casino_execute(&followed, values, nulls) != 1)
		elog(ERROR, "followed() gave no row");
	*data = casino_column(0, ONLY_COLUMN, ARG_JSONB, &isnull);
	if (!isnull)
		*data = SPI_datumTransfer(*data, false, -1);
	casino_as_owner_end(&as_owner);
	return !isnull;
}

/* Columns of type casino.placed. */
enum PlacedColumn
{
	PLACED_PLAYER_ID, PLACED_REQUEST_ID, PLACED_SEAT, PLACED_HAND, PLACED_ACCEPTED, PLACED_ENTRY_NOS,
	PLACED_BALANCE, PLACED_CODE, PLACED_MESSAGE, PLACED_DETAIL, PLACED_REASON, PLACED_DATA, PLACED_COLUMNS
};

/* Take a row of casino.placed apart; its description is the caller's to release. */
static TupleDesc
read_placed(HeapTupleHeader row, Datum *values, bool *nulls)
{
	HeapTupleData tuple;
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));

	if (desc->natts != PLACED_COLUMNS)
		elog(ERROR, "type casino.placed has %d columns instead of %d", desc->natts, PLACED_COLUMNS);
	tuple.t_len = HeapTupleHeaderGetDatumLength(row);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = row;
	heap_deform_tuple(&tuple, desc, values, nulls);
	return desc;
}

static NullableDatum
argument(const Datum *values, const bool *nulls, int column)
{
	NullableDatum argument;

	argument.value = values[column];
	argument.isnull = nulls[column];
	return argument;
}

/* The arguments of place_bets() for a request: the row's, with round, bets and time of the call. */
static void
read_placed_request(FunctionCallInfo fcinfo, const Datum *values, const bool *nulls, PlaceArgs *args)
{
	LOCAL_FCINFO(call, 7);

	InitFunctionCallInfoData(*call, NULL, 7, InvalidOid, NULL, NULL);
	call->args[0] = fcinfo->args[0];
	call->args[1] = argument(values, nulls, PLACED_PLAYER_ID);
	call->args[2] = fcinfo->args[2];
	call->args[3] = argument(values, nulls, PLACED_REQUEST_ID);
	call->args[4] = argument(values, nulls, PLACED_SEAT);
	call->args[5] = argument(values, nulls, PLACED_HAND);
	call->args[6] = fcinfo->args[3];
	read_request(call, args);
}

/*
 * placed_request(round_id, request, bets, at), part of place_many(): place the
 * request, a row of casino.placed.  Give the row with entry numbers, the wallet
 * after them, and the document of bets behind that followed.
 */
PG_FUNCTION_INFO_V1(casino_sql_placed_request);
Datum
casino_sql_placed_request(PG_FUNCTION_ARGS)
{
	PlaceArgs	args = {0};
	Datum		values[PLACED_COLUMNS];
	bool		nulls[PLACED_COLUMNS];
	int64	   *entries;
	int64		balance = 0;
	TupleDesc	desc;
	HeapTuple	placed;

	casino_require_argument(fcinfo, 1, "request");
	desc = read_placed(PG_GETARG_HEAPTUPLEHEADER(1), values, nulls);
	read_placed_request(fcinfo, values, nulls, &args);
	entries = palloc(sizeof(int64) * args.n);
	place(&args, entries, &balance);
	values[PLACED_ACCEPTED] = BoolGetDatum(true);
	values[PLACED_ENTRY_NOS] = casino_numbers_array(entries, args.n);
	values[PLACED_BALANCE] = NumericGetDatum(casino_halere_to_numeric(balance));
	nulls[PLACED_ACCEPTED] = nulls[PLACED_ENTRY_NOS] = nulls[PLACED_BALANCE] = false;
	if (may_lead(&args))
		nulls[PLACED_DATA] = !find_followed(&args, values[PLACED_ENTRY_NOS], &values[PLACED_DATA]);
	placed = heap_form_tuple(desc, values, nulls);
	ReleaseTupleDesc(desc);
	PG_RETURN_DATUM(HeapTupleGetDatum(placed));
}

/* place_followed(...), as place_bets(), for a bet behind in the owner's call: under its locks */
PG_FUNCTION_INFO_V1(casino_sql_place_followed);
Datum
casino_sql_place_followed(PG_FUNCTION_ARGS)
{
	PlaceArgs	args = {.follows = true};
	int64	   *entries;

	read_request(fcinfo, &args);
	entries = palloc(sizeof(int64) * args.n);
	place(&args, entries, NULL);
	PG_RETURN_DATUM(casino_numbers_array(entries, args.n));
}

/* place_bet(round_id, player_id, bet, request_id, seat, hand, at) returns the entry number. */
PG_FUNCTION_INFO_V1(casino_sql_place_bet);
Datum
casino_sql_place_bet(PG_FUNCTION_ARGS)
{
	PlaceArgs	args = {0};
	Wager		wager = {0};
	int64		entry_no = 0;

	args.request_id = read_key(fcinfo);
	casino_require_argument(fcinfo, 2, "bet");
	wager.bet = *PG_GETARG_BET(2);
	args.n = 1;
	args.wagers = &wager;
	read_place_args(fcinfo, &args);
	place(&args, &entry_no, NULL);
	PG_RETURN_INT64(entry_no);
}
