/*
 * limit_usage.c
 *	  Counting a stake in casino.limit_state, and what is used of each limit
 *	  with it (D4 §6.5): by the store, or by SQL where the table asks for it.
 */
#include "duties/limit_usage.h"

#include "access/xact.h"
#include "common/int.h"
#include "utils/date.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/days.h"
#include "server/query.h"
#include "state/tables.h"

/*
 * Counts a stake of $2 CZK at $5, in the Prague day $3 and month $4, and gives
 * what is used of each limit then, the limits, and whether the counters are of
 * a later day, because a round was evaluated on that (an event dated within the
 * skew): they stay, and count_past_stake tells what is used (R7.24).
 */
#define LIMIT_IN_FORCE(limit) \
	" CASE WHEN $5 >= s." limit "_from THEN s." limit "_next ELSE s." limit " END"

static PreparedQuery count_stake = {
	.sql = "UPDATE casino.limit_state s"
	"   SET day = greatest(s.day, $3), month = greatest(s.month, $4),"
	"       staked_day = CASE WHEN s.day > $3 THEN s.staked_day WHEN s.day = $3 THEN s.staked_day + $2 ELSE $2 END,"
	"       lost_day = CASE WHEN s.day >= $3 THEN s.lost_day + 0.00 ELSE 0.00 END,"
	"       staked_month = CASE WHEN s.month > $4 THEN s.staked_month WHEN s.month = $4 THEN s.staked_month + $2 ELSE $2 END,"
	"       lost_month = CASE WHEN s.month >= $4 THEN s.lost_month + 0.00 ELSE 0.00 END,"
	"       open_staked = s.open_staked + $2"
	" WHERE s.player_id = $1"
	" RETURNING s.staked_day, s.staked_month, s.lost_day + s.open_staked, s.lost_month + s.open_staked,"
	LIMIT_IN_FORCE("limit_stake_day") "," LIMIT_IN_FORCE("limit_stake_month") ","
	LIMIT_IN_FORCE("limit_net_loss_day") "," LIMIT_IN_FORCE("limit_net_loss_month") ", s.day > $3",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_DATE, ARG_DATE, ARG_TIMESTAMPTZ}
};

/* its columns, where several follow in the order of LimitKind the first of them */
enum
{
	COUNTED_USED = 1, COUNTED_LIMITS = COUNTED_USED + LIMIT_KINDS, COUNTED_PAST = COUNTED_LIMITS + LIMIT_KINDS
};

/*
 * What is used with a stake of $2 CZK at $3, on a day before that of the
 * counters, recomputed.  What was lost since was open then (R7.26).
 */
static PreparedQuery count_past_stake = {
	.sql = "SELECT u.staked_day + $2, u.staked_month + $2,"
	"       u.lost_day + u.open_staked + $2 + greatest(s.lost_day, 0),"
	"       u.lost_month + u.open_staked + $2 + CASE WHEN s.month > u.month THEN greatest(s.lost_month, 0) ELSE 0 END"
	"  FROM casino.limit_state s, casino.limit_usage($1, $3) u WHERE s.player_id = $1",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_TIMESTAMPTZ}
};

/* The counters and when they are counted. */
typedef struct Counters
{
	DateADT		day;
	DateADT		month;
	int64		staked_day;		/* haléře; losses may be negative */
	int64		lost_day;
	int64		staked_month;
	int64		lost_month;
	int64		open_staked;
} Counters;

static int64
sum(int64 a, int64 b)
{
	int64		result;

	if (pg_add_s64_overflow(a, b, &result))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("counter of a self-limit is out of range")));
	return result;
}

/* The same as count_stake does. */
static void
add_stake(Counters *counters, DateADT day, DateADT month, int64 cost)
{
	counters->staked_day = counters->day > day ? counters->staked_day :
		counters->day == day ? sum(counters->staked_day, cost) : cost;
	counters->lost_day = counters->day >= day ? counters->lost_day : 0;
	counters->staked_month = counters->month > month ? counters->staked_month :
		counters->month == month ? sum(counters->staked_month, cost) : cost;
	counters->lost_month = counters->month >= month ? counters->lost_month : 0;
	counters->day = Max(counters->day, day);
	counters->month = Max(counters->month, month);
	counters->open_staked = sum(counters->open_staked, cost);
}

static int64
column_halere(const StoreScan *scan, int column, int64 if_null)
{
	bool		isnull;
	Datum		value = casino_store_column(scan, column, &isnull);

	return isnull ? if_null : casino_numeric_to_halere_signed(DatumGetNumeric(value));
}

static int64
counter(const StoreScan *scan, int column)
{
	return casino_numeric_to_halere_signed(DatumGetNumeric(casino_store_value(scan, column)));
}

/* The row that the scan stands on; limits as of "at". */
static void
read_row(const StoreScan *scan, TimestampTz at, Counters *counters, LimitUsage *usage)
{
	bool		isnull;

	counters->day = DatumGetDateADT(casino_store_value(scan, LIMIT_STATE_DAY));
	counters->month = DatumGetDateADT(casino_store_value(scan, LIMIT_STATE_MONTH));
	counters->staked_day = counter(scan, LIMIT_STATE_STAKED_DAY);
	counters->lost_day = counter(scan, LIMIT_STATE_LOST_DAY);
	counters->staked_month = counter(scan, LIMIT_STATE_STAKED_MONTH);
	counters->lost_month = counter(scan, LIMIT_STATE_LOST_MONTH);
	counters->open_staked = counter(scan, LIMIT_STATE_OPEN_STAKED);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
	{
		int			first = LIMIT_STATE_LIMITS + 3 * kind;
		Datum		from = casino_store_column(scan, first + 2, &isnull);
		bool		next = !isnull && at >= DatumGetTimestampTz(from);

		usage->limits[kind] = column_halere(scan, next ? first + 1 : first, PG_INT64_MAX);
	}
}

/* Write the counters back; false when an evaluation went ahead. */
static bool
write_row(Store *store, const StoreScan *scan, const Counters *counters)
{
	static const int columns[] = {LIMIT_STATE_DAY, LIMIT_STATE_STAKED_DAY, LIMIT_STATE_LOST_DAY, LIMIT_STATE_MONTH,
	LIMIT_STATE_STAKED_MONTH, LIMIT_STATE_LOST_MONTH, LIMIT_STATE_OPEN_STAKED};
	static const bool nulls[lengthof(columns)] = {false};
	Datum		values[lengthof(columns)];

	values[0] = DateADTGetDatum(counters->day);
	values[1] = NumericGetDatum(casino_halere_to_numeric(counters->staked_day));
	values[2] = NumericGetDatum(casino_halere_to_numeric(counters->lost_day));
	values[3] = DateADTGetDatum(counters->month);
	values[4] = NumericGetDatum(casino_halere_to_numeric(counters->staked_month));
	values[5] = NumericGetDatum(casino_halere_to_numeric(counters->lost_month));
	values[6] = NumericGetDatum(casino_halere_to_numeric(counters->open_staked));
	return casino_store_update(store, scan, lengthof(columns), columns, values, nulls);
}

/* By the access methods; returns whether the counters are of a later day. */
static bool
count_by_store(Store *store, int64 player_id, int64 cost, DateADT day, DateADT month, TimestampTz at,
			   LimitUsage *usage)
{
	Datum		keys[1] = {Int64GetDatum(player_id)};
	Counters	counters;
	bool		done = false;

	while (!done)
	{
		Snapshot	snapshot;
		StoreScan	scan;

		CommandCounterIncrement();
		snapshot = RegisterSnapshot(GetLatestSnapshot());
		casino_store_scan(store, LIMIT_STATE_BY_PLAYER, snapshot, 1, keys, &scan);
		if (!casino_store_next(&scan))
			elog(ERROR, "counters of player " INT64_FORMAT " vanished", player_id);
		read_row(&scan, at, &counters, usage);
		add_stake(&counters, day, month, cost);
		done = write_row(store, &scan, &counters);
		casino_store_end(&scan);
		UnregisterSnapshot(snapshot);
	}
	CommandCounterIncrement();
	usage->used[LIMIT_STAKE_DAY] = counters.staked_day;
	usage->used[LIMIT_STAKE_MONTH] = counters.staked_month;
	usage->used[LIMIT_NET_LOSS_DAY] = sum(counters.lost_day, counters.open_staked);
	usage->used[LIMIT_NET_LOSS_MONTH] = sum(counters.lost_month, counters.open_staked);
	return counters.day > day;
}

/* By the executor. */
static bool
count_by_query(Datum *values, int64 player_id, LimitUsage *usage)
{

	if (casino_execute(&count_stake, values, NULL) != 1)
		elog(ERROR, "counters of player " INT64_FORMAT " vanished", player_id);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
	{
		usage->used[kind] = casino_column_halere(0, COUNTED_USED + kind, 0);
		usage->limits[kind] = casino_column_halere(0, COUNTED_LIMITS + kind, PG_INT64_MAX);
	}
	return casino_column_bool(0, COUNTED_PAST);
}

void
casino_limit_usage_with(int64 player_id, int64 cost, TimestampTz at, LimitUsage *usage)
{
	Datum		values[5];
	Store		store;
	bool		past;

	values[0] = Int64GetDatum(player_id);
	values[1] = NumericGetDatum(casino_halere_to_numeric(cost));
	casino_prague_day(at, &values[2], &values[3]);
	values[4] = TimestampTzGetDatum(at);
	if (casino_store_open(&casino_limit_state_table, &store, RowExclusiveLock))
	{
		past = count_by_store(&store, player_id, cost, DatumGetDateADT(values[2]), DatumGetDateADT(values[3]), at,
							  usage);
		casino_store_close(&store);
	}
	else
		past = count_by_query(values, player_id, usage);
	if (!past)
		return;
	values[2] = values[4];
	casino_read_latest(&count_past_stake, values, NULL);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		usage->used[kind] = casino_column_halere(0, COUNTED_USED + kind, 0);
}
