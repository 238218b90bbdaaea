/*
 * other_play.c
 *	  Play of the operator's other products.  No money of this ledger moves, but
 *	  the player's limits hold jointly (D4 §6.5), so it counts in the same
 *	  counters: may_stake_elsewhere() before it is played, count_other_play()
 *	  afterwards.
 *
 * Counted play has happened: it is recorded whatever the limits say, of excluded players
 * and closed accounts too (R7.29), and the next stake here is refused where it has
 * used a limit up.  A feed may come later than the play; each row counts in
 * the Prague day and month of its own time (R7.28).
 */
#include "duties/limits.h"
#include "duties/register_check.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duties.h"
#include "server/bounds.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/cell.h"
#include "state/player.h"
#include "state/request.h"

#define PRODUCT_BYTES	100

/* one row may hold so much, in haléře: a day's play of anybody, and a month of rows stays within int64 */
#define PLAY_MAX		INT64_C(100000000000000)

/* Against register_player(), which gives a new account the counters of the former. */
static PreparedQuery lock_person = {
	.sql = "SELECT FROM casino.person o"
	" WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = $1) FOR SHARE",
	.args = {ARG_INT8}
};

/* The account, and those that the person has opened since. */
static PreparedQuery find_accounts = {
	.sql = "SELECT n.player_id FROM casino.player p"
	"  JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id >= p.player_id"
	" WHERE p.player_id = $1 ORDER BY n.player_id",
	.args = {ARG_INT8}
};

static PreparedQuery last_play = {
	.sql = "SELECT coalesce(max(o.play_no), 0) FROM casino.other_play o WHERE o.player_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery insert_play = {
	.sql = "INSERT INTO casino.other_play "
	"(player_id, play_no, product, staked, result, request_id, played_at, recorded_at)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
	.args = {ARG_INT8, ARG_INT8, ARG_TEXT, ARG_NUMERIC, ARG_NUMERIC, ARG_TEXT, ARG_TIMESTAMPTZ,
	ARG_TIMESTAMPTZ}
};

/* One row of play as it comes. */
typedef struct OtherPlay
{
	int64		player_id;
	text	   *product;
	int64		staked;			/* haléře */
	int64		result;			/* haléře, of the player: what he won is positive, what he lost negative */
	text	   *request_id;		/* NULL: none */
	EventTime	time;
} OtherPlay;

/* 22003 for more than a row may hold */
static void
check_size(const char *name, int64 halere)
{
	if (halere > PLAY_MAX || halere < -PLAY_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%s of %s CZK is out of range", name, casino_money_cstring(halere)),
				 errdetail("At most %s CZK are counted at once.", casino_money_cstring(PLAY_MAX))));
}

/* The product and the size of the figures: 22023, 22003 */
static void
check_play(const OtherPlay *play)
{
	casino_bound_text("product", play->product, PRODUCT_BYTES);
	casino_bound_text("request_id", play->request_id, CASINO_KEY_BYTES);
	casino_cell_refuse_move_name(play->request_id);
	if (casino_is_blank(text_to_cstring(play->product)))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("product must not be empty")));
	check_size("staked", play->staked);
	check_size("result", play->result);
	/* one digit too many would keep the player from all games for a month */
	if (play->result < -play->staked)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a loss of %s CZK is greater than the stake",
							   casino_money_cstring(-play->result)),
						errdetail("%s CZK were staked.", casino_money_cstring(play->staked))));
}

/* The arguments of count_other_play() */
static void
read_play(FunctionCallInfo fcinfo, OtherPlay *play)
{
	casino_require_argument(fcinfo, 0, "player_id");
	casino_require_argument(fcinfo, 1, "product");
	casino_require_argument(fcinfo, 2, "staked");
	casino_require_argument(fcinfo, 3, "result");
	play->player_id = PG_GETARG_INT64(0);
	play->product = PG_GETARG_TEXT_PP(1);
	play->staked = casino_numeric_to_halere(PG_GETARG_NUMERIC(2));
	play->result = casino_numeric_to_halere_signed(PG_GETARG_NUMERIC(3));
	play->request_id = PG_ARGISNULL(4) ? NULL : PG_GETARG_TEXT_PP(4);
	casino_time_argument(fcinfo, 5, &play->time);
	check_play(play);
}

/*
 * The arguments of may_stake_elsewhere().  Until the product tells of a win, the
 * whole stake counts as lost, as an open stake does here (R7.93).
 */
static void
read_stake(FunctionCallInfo fcinfo, OtherPlay *play)
{
	casino_require_argument(fcinfo, 0, "player_id");
	casino_require_argument(fcinfo, 1, "product");
	casino_require_argument(fcinfo, 2, "amount");
	casino_require_argument(fcinfo, 3, "request_id");
	play->player_id = PG_GETARG_INT64(0);
	play->product = PG_GETARG_TEXT_PP(1);
	play->staked = casino_numeric_to_halere(PG_GETARG_NUMERIC(2));
	play->result = -play->staked;
	play->request_id = PG_GETARG_TEXT_PP(3);
	casino_time_init(&play->time, false, 0);
	if (play->staked == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("amount must be greater than 0")));
	check_play(play);
}

/* Lock the account and the person's later ones in the order of their numbers; 23503. */
static PlayerState *
lock_accounts(int64 player_id, int *count)
{
	Datum		values[1] = {Int64GetDatum(player_id)};
	PlayerState *accounts;
	Numbers		only = {1, &player_id};
	Numbers		found;

	casino_execute(&lock_person, values, NULL);
	found = casino_column_numbers(casino_read_latest(&find_accounts, values, NULL), ONLY_COLUMN);
	if (found.n == 0)			/* also one who is not there, for the error */
		found = only;
	accounts = palloc(sizeof(PlayerState) * found.n);
	for (int i = 0; i < found.n; i++)
		casino_player_lock(found.numbers[i], &accounts[i]);
	*count = found.n;
	return accounts;
}

/* Is this what the request counted when it came first? */
static bool
same_content(const void *content, const RequestLine *lines, int n)
{
	const OtherPlay *play = content;

	return lines[0].product != NULL && lines[0].amount == play->staked && lines[0].result == play->result &&
		strcmp(lines[0].product, text_to_cstring(play->product)) == 0;
}

/* A feed comes after the play, however long; nothing is played in the future. */
static void
take_time(EventTime *time)
{
	if (time->given && !TIMESTAMP_NOT_FINITE(time->at) && time->at < time->arrived)
		return;
	casino_time_take(time);
}

/* Write the row; returns its number. */
static int64
record(const OtherPlay *play)
{
	Datum		values[8] = {Int64GetDatum(play->player_id)};
	char		nulls[] = "        ";
	int64		number;

	casino_read_latest(&last_play, values, NULL);
	number = casino_column_int64(0, ONLY_COLUMN) + 1;
	values[1] = Int64GetDatum(number);
	values[2] = PointerGetDatum(play->product);
	values[3] = NumericGetDatum(casino_halere_to_numeric(play->staked));
	values[4] = NumericGetDatum(casino_halere_to_numeric(play->result));
	values[5] = PointerGetDatum(play->request_id);
	values[6] = TimestampTzGetDatum(play->time.at);
	values[7] = TimestampTzGetDatum(GetCurrentTimestamp());
	if (play->request_id == NULL)
		nulls[5] = 'n';
	casino_execute(&insert_play, values, nulls);
	return number;
}

/* Refuse a stake elsewhere: of a closed account 55000, while excluded KC004, above a limit KC005. */
static void
judge(const OtherPlay *play, const PlayerState *account)
{
	casino_duties_check_admitted(account, play->time.at);
	casino_register_check(account->player_id, play->time.at);
	casino_limits_check_elsewhere(account, play->staked, play->time.at);
}

/*
 * Book the play under the locks of the person's accounts, judged first if it
 * has not happened yet; returns its number, the same again for the same request.
 */
static int64
book(OtherPlay *play, bool judged)
{
	RunAsOwner	as_owner;
	PlayerState *accounts;
	RequestLine *lines;
	int			naccounts;
	int64		number;

	casino_as_owner_begin(&as_owner);
	accounts = lock_accounts(play->player_id, &naccounts);
	if (casino_request_answered(play->player_id, play->request_id, same_content, play, &lines) > 0)
		number = lines[0].entry_no;
	else
	{
		/* counted here, it would be missing in the limits of the account there (R12.115) */
		if (accounts[0].closed)
			casino_cell_check_moved(play->player_id);
		take_time(&play->time);
		if (judged)
			judge(play, &accounts[0]);
		number = record(play);
		for (int i = 0; i < naccounts; i++)
			casino_limits_count_play(&accounts[i], play->staked, -play->result, play->time.at);
	}
	casino_as_owner_end(&as_owner);
	return number;
}

/* count_other_play(player_id, product, staked, result, request_id, at) */
PG_FUNCTION_INFO_V1(casino_sql_count_other_play);
Datum
casino_sql_count_other_play(PG_FUNCTION_ARGS)
{
	OtherPlay	play;

	read_play(fcinfo, &play);
	PG_RETURN_INT64(book(&play, false));
}

/* may_stake_elsewhere(player_id, product, amount, request_id) */
PG_FUNCTION_INFO_V1(casino_sql_may_stake_elsewhere);
Datum
casino_sql_may_stake_elsewhere(PG_FUNCTION_ARGS)
{
	OtherPlay	play;

	read_stake(fcinfo, &play);
	PG_RETURN_INT64(book(&play, true));
}
