/*
 * limit_usage.c
 *	  Counting a stake in casino.limit_state, and what is used of each limit
 *	  with it (D4 §6.5).
 */
#include "duties/limit_usage.h"

#include "access/xact.h"
#include "common/int.h"
#include "miscadmin.h"
#include "utils/date.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/days.h"
#include "server/query.h"
#include "state/tables.h"
#include "state/wagers.h"

/*
 * What is used with a stake of $2 CZK at $3, on a day before that of the
 * counters, recomputed.  What was lost since was open then (R7.26).
 */
static PreparedQuery count_past_stake = {
	.sql = "SELECT u.staked_day + $2, u.staked_month + $2,"
	"       u.lost_day + u.open_staked + $2 + greatest(s.lost_day, 0),"
	"       u.lost_month + u.open_staked + $2 + CASE WHEN s.month > u.month THEN greatest(s.lost_month, 0)"
	" ELSE 0 END"
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

/*
 * Count a stake of so many haléře.  Counters of a later day stay, because a
 * round was evaluated on that (an event dated within the skew, R7.24).
 */
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

	return isnull ? if_null : casino_datum_to_halere(value);
}

static int64
counter(const StoreScan *scan, int column)
{
	return casino_datum_to_halere(casino_store_value(scan, column));
}

/* Of the row that the scan stands on: the last column first, which takes the row apart once. */
static void
read_counters(const StoreScan *scan, Counters *counters)
{
	counters->open_staked = counter(scan, LIMIT_STATE_OPEN_STAKED);
	counters->day = DatumGetDateADT(casino_store_value(scan, LIMIT_STATE_DAY));
	counters->month = DatumGetDateADT(casino_store_value(scan, LIMIT_STATE_MONTH));
	counters->staked_day = counter(scan, LIMIT_STATE_STAKED_DAY);
	counters->lost_day = counter(scan, LIMIT_STATE_LOST_DAY);
	counters->staked_month = counter(scan, LIMIT_STATE_STAKED_MONTH);
	counters->lost_month = counter(scan, LIMIT_STATE_LOST_MONTH);
}

/* Its limits, as of "at". */
static void
read_limits(const StoreScan *scan, TimestampTz at, LimitUsage *usage)
{
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
	{
		int			first = LIMIT_STATE_LIMITS + 3 * kind;
		bool		isnull;
		Datum		from = casino_store_column(scan, first + 2, &isnull);
		bool		next = !isnull && at >= DatumGetTimestampTz(from);

		usage->limits[kind] = column_halere(scan, next ? first + 1 : first, PG_INT64_MAX);
	}
}

/*
 * Write back the counters that changed since they were read; false when an
 * evaluation went ahead.  Within a day a stake and an evaluation change three.
 */
static bool
write_row(Store *store, const StoreScan *scan, const Counters *read, const Counters *counters)
{
	static const int all[] = {LIMIT_STATE_DAY, LIMIT_STATE_STAKED_DAY, LIMIT_STATE_LOST_DAY,
		LIMIT_STATE_MONTH,
	LIMIT_STATE_STAKED_MONTH, LIMIT_STATE_LOST_MONTH, LIMIT_STATE_OPEN_STAKED};
	static const int staked[] = {LIMIT_STATE_STAKED_DAY, LIMIT_STATE_STAKED_MONTH, LIMIT_STATE_OPEN_STAKED};
	static const int lost[] = {LIMIT_STATE_LOST_DAY, LIMIT_STATE_LOST_MONTH, LIMIT_STATE_OPEN_STAKED};
	static const bool nulls[lengthof(all)] = {false};
	bool		same_days = counters->day == read->day && counters->month == read->month;
	bool		same_staked = counters->staked_day == read->staked_day &&
	counters->staked_month == read->staked_month;
	bool		same_lost = counters->lost_day == read->lost_day && counters->lost_month == read->lost_month;
	Datum		values[lengthof(all)];

	if (same_days && (same_staked || same_lost))
	{
		int64		day = same_lost ? counters->staked_day : counters->lost_day;
		int64		month = same_lost ? counters->staked_month : counters->lost_month;

		values[0] = NumericGetDatum(casino_halere_to_numeric(day));
		values[1] = NumericGetDatum(casino_halere_to_numeric(month));
		values[2] = NumericGetDatum(casino_halere_to_numeric(counters->open_staked));
		return casino_store_update(store, scan, 3, same_lost ? staked : lost, values, nulls);
	}
	values[0] = DateADTGetDatum(counters->day);
	values[1] = NumericGetDatum(casino_halere_to_numeric(counters->staked_day));
	values[2] = NumericGetDatum(casino_halere_to_numeric(counters->lost_day));
	values[3] = DateADTGetDatum(counters->month);
	values[4] = NumericGetDatum(casino_halere_to_numeric(counters->staked_month));
	values[5] = NumericGetDatum(casino_halere_to_numeric(counters->lost_month));
	values[6] = NumericGetDatum(casino_halere_to_numeric(counters->open_staked));
	return casino_store_update(store, scan, lengthof(all), all, values, nulls);
}

/*
 * Count the stake. True: the counters are of a later day, so that count_past_stake tells the use of
 * limits.
 */
static bool
count(Store *store, int64 player_id, int64 cost, DateADT day, DateADT month, TimestampTz at,
	  LimitUsage *usage)
{
	Datum		keys[1] = {Int64GetDatum(player_id)};
	Counters	read;
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
		read_counters(&scan, &read);
		read_limits(&scan, at, usage);
		counters = read;
		add_stake(&counters, day, month, cost);
		done = write_row(store, &scan, &read, &counters);
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

void
casino_limit_usage_with(int64 player_id, int64 cost, TimestampTz at, LimitUsage *usage)
{
	Datum		values[3];
	Datum		day;
	Datum		month;
	Store		store;
	bool		past;

	casino_prague_day(at, &day, &month);
	casino_store_open(&casino_limit_state_table, &store, RowExclusiveLock);
	past = count(&store, player_id, cost, DatumGetDateADT(day), DatumGetDateADT(month), at, usage);
	casino_store_close(&store);
	if (!past)
		return;
	values[0] = Int64GetDatum(player_id);
	values[1] = NumericGetDatum(casino_halere_to_numeric(cost));
	values[2] = TimestampTzGetDatum(at);
	casino_read_latest(&count_past_stake, values, NULL);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		usage->used[kind] = casino_column_halere(0, 1 + kind, 0);
}

/* ---------- at the end of a round ---------- */

/* What the evaluation of a round brings each of its players with counters. */
typedef struct Evaluating
{
	Store		store;
	StoreScan	scan;			/* of counters by their player's number */
	Snapshot	snapshot;
	MemoryContext row;			/* of the store, reset after each row */
	DateADT		day;
	DateADT		month;
} Evaluating;

/* A net loss counts in the Prague day and month of the evaluation (R7.21). */
static void
add_evaluation(Counters *counters, DateADT day, DateADT month, int64 staked, int64 payout)
{
	int64		lost = sum(staked, -payout);

	counters->lost_day = counters->day > day ? counters->lost_day :
		counters->day == day ? sum(counters->lost_day, lost) : lost;
	counters->staked_day = counters->day >= day ? counters->staked_day : 0;
	counters->lost_month = counters->month > month ? counters->lost_month :
		counters->month == month ? sum(counters->lost_month, lost) : lost;
	counters->staked_month = counters->month >= month ? counters->staked_month : 0;
	counters->day = Max(counters->day, day);
	counters->month = Max(counters->month, month);
	counters->open_staked = sum(counters->open_staked, -staked);
}

static void
begin_scan(Evaluating *evaluating)
{
	evaluating->snapshot = RegisterSnapshot(GetLatestSnapshot());
	casino_store_seek_begin(&evaluating->store, LIMIT_STATE_BY_PLAYER, evaluating->snapshot,
							&evaluating->scan);
}

static void
end_scan(Evaluating *evaluating)
{
	casino_store_end(&evaluating->scan);
	UnregisterSnapshot(evaluating->snapshot);
}

/* The wagers of one player; most have no counters. */
static void
count_player(Evaluating *evaluating, const RoundWager *wagers, int n)
{
	int64		staked = 0;
	int64		payout = 0;

	if (!casino_store_seek(&evaluating->scan, wagers[0].player_id))
		return;
	for (int i = 0; i < n; i++)
	{
		staked = sum(staked, casino_wager_cost(&wagers[i].bet));
		payout = sum(payout, wagers[i].payout);
	}
	for (;;)
	{
		MemoryContext saved = MemoryContextSwitchTo(evaluating->row);
		Counters	read;
		Counters	counters;
		bool		written;

		read_counters(&evaluating->scan, &read);
		counters = read;
		add_evaluation(&counters, evaluating->day, evaluating->month, staked, payout);
		written = write_row(&evaluating->store, &evaluating->scan, &read, &counters);
		MemoryContextSwitchTo(saved);
		MemoryContextReset(evaluating->row);
		if (written)
			return;
		/* a stake of his went ahead while we waited for the row */
		end_scan(evaluating);
		begin_scan(evaluating);
		if (!casino_store_seek(&evaluating->scan, wagers[0].player_id))
			elog(ERROR, "counters of player " INT64_FORMAT " vanished", wagers[0].player_id);
	}
}

void
casino_limit_usage_evaluated(const RoundWagers *wagers, TimestampTz at)
{
	Evaluating	evaluating;
	Datum		day;
	Datum		month;

	casino_store_open(&casino_limit_state_table, &evaluating.store, RowExclusiveLock);
	casino_prague_day(at, &day, &month);
	evaluating.day = DatumGetDateADT(day);
	evaluating.month = DatumGetDateADT(month);
	evaluating.row = casino_store_row_context(&evaluating.store);
	Assert(casino_round_wagers_in_order(wagers));
	CommandCounterIncrement();
	begin_scan(&evaluating);
	for (int first = 0, next; first < wagers->count; first = next)
	{
		CHECK_FOR_INTERRUPTS();
		next = casino_round_wagers_next_player(wagers, first);
		count_player(&evaluating, &wagers->wagers[first], next - first);
	}
	end_scan(&evaluating);
	casino_store_close(&evaluating.store);
	CommandCounterIncrement();
}
