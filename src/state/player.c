/*
 * player.c
 *	  The player's row: the one lock that orders his entries.
 */
#include "state/ledger.h"

#include "common/int.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

static LedgerQuery lock_player = {
	.sql = "SELECT balance, last_entry_no, last_posted_at, last_round_id, sequence_started_at,"
	"       previous_round_id, previous_sequence_started_at, excluded_until, limited,"
	"       closed_at IS NOT NULL"
	"  FROM casino.player WHERE player_id = $1 FOR NO KEY UPDATE",
	.args = {ARG_INT8}
};

static LedgerQuery find_player = {
	.sql = "SELECT FROM casino.player WHERE player_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery save_player = {
	.sql = "UPDATE casino.player"
	"   SET balance = $2, last_entry_no = $3, last_posted_at = $4, last_round_id = $5,"
	"       sequence_started_at = $6, previous_round_id = $7, previous_sequence_started_at = $8"
	" WHERE player_id = $1",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_INT8, ARG_TIMESTAMPTZ, ARG_INT8, ARG_TIMESTAMPTZ,
	ARG_INT8, ARG_TIMESTAMPTZ}
};

void
casino_player_lock(int64 player_id, PlayerState *player)
{
	Datum		values[1] = {Int64GetDatum(player_id)};
	bool		isnull;

	if (casino_run(&lock_player, values, NULL) != 1)
	{
		if (casino_look(&find_player, values, NULL) == 1)
			casino_snapshot_too_old("player", player_id, "is younger than");
		ereport(ERROR,
				(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
				 errmsg("player " INT64_FORMAT " does not exist", player_id),
				 errhint("casino.register_player() makes one.")));
	}
	player->player_id = player_id;
	player->balance = casino_column_halere(0, 1, 0);
	player->last_entry_no = casino_column_int64(0, 2);
	player->last_posted_at = casino_column_time(0, 3, DT_NOBEGIN);
	player->last_round_id = casino_column_int64(0, 4);
	player->sequence_started_at = casino_column_time(0, 5, DT_NOBEGIN);
	player->previous_round_id = casino_column_int64(0, 6);
	player->previous_sequence_started_at = casino_column_time(0, 7, DT_NOBEGIN);
	player->excluded_until = casino_column_time(0, 8, DT_NOBEGIN);
	player->limited = DatumGetBool(casino_column(0, 9, &isnull));
	player->closed = DatumGetBool(casino_column(0, 10, &isnull));
}

void
casino_player_save(const PlayerState *player)
{
	Datum		values[8];
	char		nulls[] = "        ";

	values[0] = Int64GetDatum(player->player_id);
	values[1] = NumericGetDatum(casino_halere_to_numeric(player->balance));
	values[2] = Int64GetDatum(player->last_entry_no);
	values[3] = TimestampTzGetDatum(player->last_posted_at);
	values[4] = Int64GetDatum(player->last_round_id);
	values[5] = TimestampTzGetDatum(player->sequence_started_at);
	values[6] = Int64GetDatum(player->previous_round_id);
	values[7] = TimestampTzGetDatum(player->previous_sequence_started_at);
	if (player->last_round_id == 0)
		nulls[4] = nulls[5] = 'n';
	if (player->previous_round_id == 0)
		nulls[6] = nulls[7] = 'n';
	if (casino_run_posting(&save_player, values, nulls) != 1)
		elog(ERROR, "row of player " INT64_FORMAT " vanished", player->player_id);
}

void
casino_player_time(const PlayerState *player, EventTime *time)
{
	casino_time_take(time);
	if (casino_time_reach(time, player->last_posted_at))
		return;
	ereport(ERROR,
			(errcode(CASINO_ERRCODE_BACKDATED),
			 errmsg("time %s is before the last entry of player " INT64_FORMAT,
					timestamptz_to_str(time->at), player->player_id),
			 errdetail("Entry " INT64_FORMAT " was posted at %s.", player->last_entry_no,
					   pstrdup(timestamptz_to_str(player->last_posted_at)))));
}

void
casino_player_move(PlayerState *player, int64 change)
{
	int64		balance;

	if (pg_add_s64_overflow(player->balance, change, &balance))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("balance of player " INT64_FORMAT " out of range", player->player_id)));
	if (balance < 0)
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_INSUFFICIENT_FUNDS),
				 errmsg("player " INT64_FORMAT " has %s CZK, %s CZK are needed",
						player->player_id, casino_money_cstring(player->balance),
						casino_money_cstring(-change)),
				 errdetail("%s CZK are missing.", casino_money_cstring(-balance)),
				 errhint("Deposit more or stake less.")));
	player->balance = balance;
}
