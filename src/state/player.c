/*
 * player.c
 *	  The player's row: the one lock that orders his entries.
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/int.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/event_time.h"
#include "server/posting.h"
#include "server/query.h"
#include "state/cell.h"
#include "state/player.h"
#include "state/tables.h"

static PreparedQuery lock_player = {
	.sql = "SELECT balance, last_entry_no, last_posted_at, last_round_id, sequence_started_at,"
	"       previous_round_id, previous_sequence_started_at, excluded_until, limited,"
	"       closed_at IS NOT NULL"
	"  FROM casino.player WHERE player_id = $1 FOR NO KEY UPDATE",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	STATE_BALANCE = 1, STATE_LAST_ENTRY_NO, STATE_LAST_POSTED_AT, STATE_LAST_ROUND_ID,
	STATE_SEQUENCE_STARTED_AT, STATE_PREVIOUS_ROUND_ID, STATE_PREVIOUS_SEQUENCE_STARTED_AT,
	STATE_EXCLUDED_UNTIL, STATE_LIMITED, STATE_CLOSED
};

static PreparedQuery find_player = {
	.sql = "SELECT FROM casino.player WHERE player_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery save_player = {
	.sql = "UPDATE casino.player"
	"   SET balance = $2, last_entry_no = $3, last_posted_at = $4, last_round_id = $5,"
	"       sequence_started_at = $6, previous_round_id = $7, previous_sequence_started_at = $8"
	" WHERE player_id = $1",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_INT8, ARG_TIMESTAMPTZ, ARG_INT8, ARG_TIMESTAMPTZ,
	ARG_INT8, ARG_TIMESTAMPTZ}
};

/* By the executor, which knows what REPEATABLE READ promises. */
static void
lock_by_query(int64 player_id, PlayerState *player)
{
	Datum		values[1] = {Int64GetDatum(player_id)};

	if (casino_execute(&lock_player, values, NULL) != 1)
	{
		if (casino_read_latest(&find_player, values, NULL) == 1)
			casino_snapshot_too_old("player", player_id, "is younger than");
		casino_cell_no_such_player(player_id);
	}
	player->balance = casino_column_halere(0, STATE_BALANCE, 0);
	player->last_entry_no = casino_column_int64(0, STATE_LAST_ENTRY_NO);
	player->last_posted_at = casino_column_time(0, STATE_LAST_POSTED_AT, DT_NOBEGIN);
	player->last_round_id = casino_column_int64(0, STATE_LAST_ROUND_ID);
	player->sequence_started_at = casino_column_time(0, STATE_SEQUENCE_STARTED_AT, DT_NOBEGIN);
	player->previous_round_id = casino_column_int64(0, STATE_PREVIOUS_ROUND_ID);
	player->previous_sequence_started_at = casino_column_time(0, STATE_PREVIOUS_SEQUENCE_STARTED_AT, DT_NOBEGIN);
	player->excluded_until = casino_column_time(0, STATE_EXCLUDED_UNTIL, DT_NOBEGIN);
	player->limited = casino_column_bool(0, STATE_LIMITED);
	player->closed = casino_column_bool(0, STATE_CLOSED);
}

/* Put the scan on the player's row as committed last; false when there is none. */
static bool
find_row(Store *store, int64 player_id, StoreScan *scan, Snapshot *snapshot)
{
	Datum		keys[1] = {Int64GetDatum(player_id)};

	CommandCounterIncrement();
	*snapshot = RegisterSnapshot(GetLatestSnapshot());
	casino_store_scan(store, PLAYER_BY_ID, *snapshot, 1, keys, scan);
	return casino_store_next(scan);
}

static void
leave_row(StoreScan *scan, Snapshot snapshot)
{
	casino_store_end(scan);
	UnregisterSnapshot(snapshot);
}

static TimestampTz
row_time(const StoreScan *scan, int column, TimestampTz if_null)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	return isnull ? if_null : DatumGetTimestampTz(value);
}

static void
lock_by_store(Store *store, int64 player_id, PlayerState *player)
{
	StoreScan	scan;
	Snapshot	snapshot;
	bool		isnull;

	if (!find_row(store, player_id, &scan, &snapshot) || !casino_store_lock(store, &scan, snapshot))
		casino_cell_no_such_player(player_id);
	player->balance = casino_numeric_to_halere(DatumGetNumeric(casino_store_value(&scan, PLAYER_BALANCE)));
	player->last_entry_no = casino_store_int64(&scan, PLAYER_LAST_ENTRY_NO);
	player->last_posted_at = row_time(&scan, PLAYER_LAST_POSTED_AT, DT_NOBEGIN);
	player->last_round_id = casino_store_int64(&scan, PLAYER_LAST_ROUND_ID);
	player->sequence_started_at = row_time(&scan, PLAYER_SEQUENCE_STARTED_AT, DT_NOBEGIN);
	player->previous_round_id = casino_store_int64(&scan, PLAYER_PREVIOUS_ROUND_ID);
	player->previous_sequence_started_at = row_time(&scan, PLAYER_PREVIOUS_SEQUENCE_STARTED_AT, DT_NOBEGIN);
	player->excluded_until = row_time(&scan, PLAYER_EXCLUDED_UNTIL, DT_NOBEGIN);
	player->limited = DatumGetBool(casino_store_value(&scan, PLAYER_LIMITED));
	(void) casino_store_column(&scan, PLAYER_CLOSED_AT, &isnull);
	player->closed = !isnull;
	leave_row(&scan, snapshot);
}

void
casino_player_lock(int64 player_id, PlayerState *player)
{
	Store		store;

	player->player_id = player_id;
	if (casino_store_open(&casino_player_table, &store, RowExclusiveLock))
	{
		lock_by_store(&store, player_id, player);
		casino_store_close(&store);
	}
	else
		lock_by_query(player_id, player);
}

/* See casino_player_save: the row is ours, so that nobody can have changed it. */
static void
save_by_store(Store *store, int64 player_id, const Datum *values, const bool *nulls)
{
	static const int columns[] = {PLAYER_BALANCE, PLAYER_LAST_ENTRY_NO, PLAYER_LAST_POSTED_AT, PLAYER_LAST_ROUND_ID,
	PLAYER_SEQUENCE_STARTED_AT, PLAYER_PREVIOUS_ROUND_ID, PLAYER_PREVIOUS_SEQUENCE_STARTED_AT};
	StoreScan	scan;
	Snapshot	snapshot;

	if (!find_row(store, player_id, &scan, &snapshot) ||
		!casino_store_update(store, &scan, lengthof(columns), columns, values, nulls))
		elog(ERROR, "row of player " INT64_FORMAT " vanished", player_id);
	leave_row(&scan, snapshot);
	CommandCounterIncrement();
}

void
casino_player_save(const PlayerState *player)
{
	Datum		values[8];
	bool		nulls[8] = {false};
	char		sql_nulls[] = "        ";
	Store		store;

	values[0] = Int64GetDatum(player->player_id);
	values[1] = NumericGetDatum(casino_halere_to_numeric(player->balance));
	values[2] = Int64GetDatum(player->last_entry_no);
	values[3] = TimestampTzGetDatum(player->last_posted_at);
	values[4] = Int64GetDatum(player->last_round_id);
	values[5] = TimestampTzGetDatum(player->sequence_started_at);
	values[6] = Int64GetDatum(player->previous_round_id);
	values[7] = TimestampTzGetDatum(player->previous_sequence_started_at);
	nulls[4] = nulls[5] = player->last_round_id == 0;
	nulls[6] = nulls[7] = player->previous_round_id == 0;
	if (casino_store_open(&casino_player_table, &store, RowExclusiveLock))
	{
		save_by_store(&store, player->player_id, &values[1], &nulls[1]);
		casino_store_close(&store);
		return;
	}
	for (int i = 0; i < (int) lengthof(nulls); i++)
		sql_nulls[i] = nulls[i] ? 'n' : ' ';
	if (casino_execute_posting(&save_player, values, sql_nulls) != 1)
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
