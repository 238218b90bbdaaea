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
#include "server/refusal.h"
#include "state/cell.h"
#include "state/player.h"
#include "state/tables.h"

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

void
casino_player_lock(int64 player_id, PlayerState *player)
{
	Store		store;
	StoreScan	scan;
	Snapshot	snapshot;
	bool		isnull;

	casino_store_open(&casino_player_table, &store, RowExclusiveLock);
	if (!find_row(&store, player_id, &scan, &snapshot) || !casino_store_lock(&store, &scan, snapshot))
		casino_cell_no_such_player(player_id);
	player->player_id = player_id;
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
	casino_store_close(&store);
}

void
casino_player_save(const PlayerState *player)
{
	static const int columns[] = {PLAYER_BALANCE, PLAYER_LAST_ENTRY_NO, PLAYER_LAST_POSTED_AT,
		PLAYER_LAST_ROUND_ID,
	PLAYER_SEQUENCE_STARTED_AT, PLAYER_PREVIOUS_ROUND_ID, PLAYER_PREVIOUS_SEQUENCE_STARTED_AT};
	Datum		values[lengthof(columns)];
	bool		nulls[lengthof(columns)] = {false};
	Store		store;
	StoreScan	scan;
	Snapshot	snapshot;

	values[0] = NumericGetDatum(casino_halere_to_numeric(player->balance));
	values[1] = Int64GetDatum(player->last_entry_no);
	values[2] = TimestampTzGetDatum(player->last_posted_at);
	values[3] = Int64GetDatum(player->last_round_id);
	values[4] = TimestampTzGetDatum(player->sequence_started_at);
	values[5] = Int64GetDatum(player->previous_round_id);
	values[6] = TimestampTzGetDatum(player->previous_sequence_started_at);
	nulls[3] = nulls[4] = player->last_round_id == 0;
	nulls[5] = nulls[6] = player->previous_round_id == 0;
	casino_store_open(&casino_player_table, &store, RowExclusiveLock);
	/* the row is locked, so that no other transaction can have changed it */
	if (!find_row(&store, player->player_id, &scan, &snapshot) ||
		!casino_store_update(&store, &scan, lengthof(columns), columns, values, nulls))
		elog(ERROR, "row of player " INT64_FORMAT " vanished", player->player_id);
	leave_row(&scan, snapshot);
	casino_store_close(&store);
	CommandCounterIncrement();
}

void
casino_player_time(const PlayerState *player, EventTime *time)
{
	casino_time_take(time);
	if (casino_time_reach(time, player->last_posted_at))
		return;
	ereport(ERROR,
			(errrefusal(REFUSAL_BACKDATED, REFUSED_TIME("at", time->at),
						REFUSED_TIME("not_before", player->last_posted_at)),
			 errmsg("time %s is before the last entry of player " INT64_FORMAT,
					timestamptz_to_str(time->at), player->player_id),
			 errdetail("Entry " INT64_FORMAT " was posted at %s.", player->last_entry_no,
					   pstrdup(timestamptz_to_str(player->last_posted_at)))));
}

void
casino_player_move(PlayerState *player, int64 change, const char *hint)
{
	int64		balance;

	if (pg_add_s64_overflow(player->balance, change, &balance))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("balance of player " INT64_FORMAT " out of range", player->player_id)));
	if (balance < 0)
		ereport(ERROR,
				(errrefusal(REFUSAL_INSUFFICIENT_FUNDS, REFUSED_MONEY("balance", player->balance),
							REFUSED_MONEY("needed", -change), REFUSED_MONEY("missing", -balance)),
				 errmsg("player " INT64_FORMAT " has %s CZK, %s CZK are needed",
						player->player_id, casino_money_cstring(player->balance),
						casino_money_cstring(-change)),
				 errdetail("%s CZK are missing.", casino_money_cstring(-balance)),
				 hint == NULL ? 0 : errhint("%s", hint)));
	player->balance = balance;
}
