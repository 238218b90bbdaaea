/*
 * limits.c
 *	  Self-limits (D4 §6.5): the counters of the players who have set some, in
 *	  casino.limit_state, which nobody else touches.
 *
 * A row has the counters of one Prague day and its month, and the limits.  A
 * stake holds the lock of the player's own row; an evaluation counts losses
 * without it, and the two meet at the row here.
 */
#include "duties/limits.h"

#include "access/xact.h"
#include "common/int.h"
#include "utils/date.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duty.h"
#include "server/days.h"
#include "server/event_time.h"
#include "server/locking.h"
#include "server/posting.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/evaluation_query.h"
#include "state/round.h"
#include "state/tables.h"
#include "state/wagers.h"

/* Measures and periods of limits, in this order everywhere. */
typedef enum LimitKind
{
	LIMIT_STAKE_DAY, LIMIT_STAKE_MONTH, LIMIT_NET_LOSS_DAY, LIMIT_NET_LOSS_MONTH,
	LIMIT_KINDS
} LimitKind;

typedef struct LimitUsage
{
	int64		used[LIMIT_KINDS];	/* haléře, with the stake; net losses with what is open */
	int64		limits[LIMIT_KINDS];	/* haléře, INT64_MAX: none */
} LimitUsage;

/* Names of the kinds of limits */
static const struct
{
	const char *measure;
	const char *period;
}			limit_kinds[] = {
	[LIMIT_STAKE_DAY] = {"stake", "day"},
	[LIMIT_STAKE_MONTH] = {"stake", "month"},
	[LIMIT_NET_LOSS_DAY] = {"net_loss", "day"},
	[LIMIT_NET_LOSS_MONTH] = {"net_loss", "month"},
};

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

/* The row that the scan stands on; limits as of "at". */
static void
read_row(const StoreScan *scan, TimestampTz at, Counters *counters, LimitUsage *usage)
{
	bool		isnull;

	counters->day = DatumGetDateADT(casino_store_column(scan, LIMIT_STATE_DAY, &isnull));
	counters->month = DatumGetDateADT(casino_store_column(scan, LIMIT_STATE_MONTH, &isnull));
	counters->staked_day = column_halere(scan, LIMIT_STATE_STAKED_DAY, 0);
	counters->lost_day = column_halere(scan, LIMIT_STATE_LOST_DAY, 0);
	counters->staked_month = column_halere(scan, LIMIT_STATE_STAKED_MONTH, 0);
	counters->lost_month = column_halere(scan, LIMIT_STATE_LOST_MONTH, 0);
	counters->open_staked = column_halere(scan, LIMIT_STATE_OPEN_STAKED, 0);
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

/* Count a stake of "cost" haléře at "at" and say what of each limit is used then. */
static void
count_stake_of(int64 player_id, int64 cost, TimestampTz at, LimitUsage *usage)
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

/* ---------- at a stake ---------- */

/* A stake that was never placed leaves the counters of its own day and month. */
static PreparedQuery uncount_stake = {
	.sql = "UPDATE casino.limit_state s"
	"   SET staked_day = s.staked_day - CASE WHEN s.day = casino.prague_day($2) THEN $3 ELSE 0 END,"
	"       staked_month = s.staked_month - CASE WHEN s.month = casino.prague_month($2) THEN $3 ELSE 0 END,"
	"       open_staked = s.open_staked - $3"
	" WHERE s.player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_NUMERIC}
};

/* KC005; counts the stake. */
static void
check_self_limits(const PlayerState *player, int64 cost, TimestampTz at)
{
	LimitUsage	usage;

	count_stake_of(player->player_id, cost, at, &usage);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		if (usage.used[kind] > usage.limits[kind])
			ereport(ERROR,
					(errcode(CASINO_ERRCODE_SELF_LIMIT),
					 errmsg("player " INT64_FORMAT " has set a %s limit of %s CZK a %s",
							player->player_id, limit_kinds[kind].measure,
							casino_money_cstring(usage.limits[kind]), limit_kinds[kind].period),
					 errdetail("%s CZK of it are used, %s CZK were to be staked (D4 §6.5).",
							   casino_money_cstring(usage.used[kind] - cost), casino_money_cstring(cost))));
}

/* See duties.h. */
static void
check_stake(PlayerState *player, const RoundState *round, bool joined, int64 cost, EventTime *time)
{
	if (player->limited && cost > 0)
		check_self_limits(player, cost, time->at);
}

/* See duties.h. */
static void
undo_stakes(PlayerState *player, int64 round_id, const Wager *wagers, int n, const bool *returned)
{
	for (int i = 0; i < n && player->limited; i++)
		if (returned[i])
		{
			Datum		values[3] = {Int64GetDatum(player->player_id),
				TimestampTzGetDatum(wagers[i].posted_at),
			NumericGetDatum(casino_halere_to_numeric(casino_wager_cost(&wagers[i].bet)))};

			casino_execute(&uncount_stake, values, NULL);
		}
}

/* ---------- at the end of a round, set-based, under its exclusive lock ---------- */

#define COUNTERS_OF_ROUND \
	"  FROM casino.limit_state l" \
	" WHERE l.player_id IN (SELECT s.player_id FROM casino.ledger s" \
	"                        WHERE s.round_id = $1 AND s.kind = 'stake')"

static PreparedQuery find_counters = {
	.sql = "SELECT count(*)" COUNTERS_OF_ROUND,
	.args = {ARG_INT8}
};

static PreparedQuery lock_counters_of_round = {
	.sql = "SELECT" COUNTERS_OF_ROUND " ORDER BY l.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8}
};

/* A net loss counts in the Prague day and month of the evaluation (R7.21). */
static EvaluationQuery count_evaluation = {
	.sql = "UPDATE casino.limit_state s"
	"   SET day = greatest(s.day, t.day), month = greatest(s.month, t.month),"
	"       staked_day = CASE WHEN s.day >= t.day THEN s.staked_day ELSE 0 END,"
	"       lost_day = CASE WHEN s.day > t.day THEN s.lost_day"
	"                       WHEN s.day = t.day THEN s.lost_day + q.staked - q.payout"
	"                       ELSE q.staked - q.payout END,"
	"       staked_month = CASE WHEN s.month >= t.month THEN s.staked_month ELSE 0 END,"
	"       lost_month = CASE WHEN s.month > t.month THEN s.lost_month"
	"                         WHEN s.month = t.month THEN s.lost_month + q.staked - q.payout"
	"                         ELSE q.staked - q.payout END,"
	"       open_staked = s.open_staked - q.staked"
	"  FROM (SELECT e.player_id, sum(e.staked) AS staked, sum(e.payout) AS payout"
	"          FROM casino.evaluation_%s e WHERE e.round_id = $1 GROUP BY e.player_id) q,"
	"       (SELECT casino.prague_day($2) AS day, casino.prague_month($2) AS month) t"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/*
 * Voided: nothing was lost.  What was staked counts as staked once betting had
 * closed (the stricter reading, R7.11); before, it was never placed.  OFFSET 0: each
 * stake is looked up, never each compared with each.
 */
static PreparedQuery count_void = {
	.sql = "UPDATE casino.limit_state s"
	"   SET open_staked = s.open_staked - q.staked,"
	"       staked_day = s.staked_day - CASE WHEN $2 THEN 0 ELSE q.staked_day END,"
	"       staked_month = s.staked_month - CASE WHEN $2 THEN 0 ELSE q.staked_month END"
	"  FROM (SELECT l.player_id, sum(l.amount) AS staked,"
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_day(l.posted_at) = x.day), 0) AS staked_day,"
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_month(l.posted_at) = x.month), 0) AS staked_month"
	"          FROM casino.ledger l"
	"          JOIN casino.limit_state x ON x.player_id = l.player_id"
	"         WHERE l.round_id = $1 AND l.kind = 'stake'"
	"           AND NOT EXISTS (SELECT FROM casino.ledger f"
	"                            WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no OFFSET 0)"
	"         GROUP BY l.player_id) q"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_BOOL}
};

/*
 * Voided after the evaluation, which has counted what was lost and won: it was
 * not.  What was staked stays counted as staked (R7.22).
 */
static EvaluationQuery count_late_void = {
	.sql = "UPDATE casino.limit_state s"
	"   SET lost_day = s.lost_day - CASE WHEN s.day = t.day THEN q.staked - q.payout ELSE 0 END,"
	"       lost_month = s.lost_month - CASE WHEN s.month = t.month THEN q.staked - q.payout ELSE 0 END"
	"  FROM (SELECT e.player_id, sum(e.staked) AS staked, sum(e.payout) AS payout"
	"          FROM casino.evaluation_%s e WHERE e.round_id = $1 AND ($3 = 0 OR e.player_id = $3) GROUP BY e.player_id) q,"
	"       (SELECT casino.prague_day($2) AS day, casino.prague_month($2) AS month) t"
	" WHERE s.player_id = q.player_id",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ, ARG_INT8}
};

/*
 * Lock the counters of the round's players in the order of their numbers; the
 * rows of losers are not locked.  Are there any?  40001 when the transaction's
 * snapshot misses some.  No more come while the round's lock is held: the
 * first limit of a player takes it too.
 */
static bool
lock_counters_of(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	int64		counters;

	casino_read_latest(&find_counters, values, NULL);
	counters = casino_column_int64(0, ONLY_COLUMN);
	if (counters > 0 && casino_execute(&lock_counters_of_round, values, NULL) != (uint64) counters)
		casino_snapshot_too_old("round", round_id, "has players whose limits are younger than");
	return counters > 0;
}

/* See duties.h: net losses and open stakes. */
static void
evaluated(const RoundState *round, TimestampTz at)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(at)};

	if (lock_counters_of(round->round_id))
		casino_execute(casino_evaluation_query(&count_evaluation, round->family), values, NULL);
}

/* See duties.h. */
static void
voided(const RoundState *round)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), BoolGetDatum(round->status != ROUND_OPEN)};

	if (lock_counters_of(round->round_id))
		casino_execute(&count_void, values, NULL);
}

/* See duties.h: what was lost is no loss. */
static void
voided_late(const RoundState *round, int64 player_id, TimestampTz at)
{
	Datum		values[3] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(round->evaluated_at),
	Int64GetDatum(player_id)};

	if (lock_counters_of(round->round_id))
		casino_execute(casino_evaluation_query(&count_late_void, round->family), values, NULL);
}

const Duty	casino_limits_duty = {
	.paragraph = "D4 §6.5",
	.check_stake = check_stake,
	.undo_stakes = undo_stakes,
	.evaluated = evaluated,
	.voided = voided,
	.voided_late = voided_late
};

/* ---------- play of other products, several players ---------- */

/* $2 CZK staked and $3 lost, in the Prague day $4 and month $5; counters of a later day or month stay. */
static PreparedQuery count_play = {
	.sql = "UPDATE casino.limit_state s"
	"   SET day = greatest(s.day, $4), month = greatest(s.month, $5),"
	"       staked_day = CASE WHEN s.day > $4 THEN s.staked_day WHEN s.day = $4 THEN s.staked_day + $2 ELSE $2 END,"
	"       lost_day = CASE WHEN s.day > $4 THEN s.lost_day WHEN s.day = $4 THEN s.lost_day + $3 ELSE $3 END,"
	"       staked_month = CASE WHEN s.month > $5 THEN s.staked_month WHEN s.month = $5 THEN s.staked_month + $2 ELSE $2 END,"
	"       lost_month = CASE WHEN s.month > $5 THEN s.lost_month WHEN s.month = $5 THEN s.lost_month + $3 ELSE $3 END"
	" WHERE s.player_id = $1",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_NUMERIC, ARG_DATE, ARG_DATE}
};

static PreparedQuery lock_counters = {
	.sql = "SELECT FROM casino.limit_state s WHERE s.player_id = ANY ($1)"
	" ORDER BY s.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8_ARRAY}
};

void
casino_limits_count_play(const PlayerState *player, int64 staked, int64 lost, TimestampTz at)
{
	Datum		values[5] = {Int64GetDatum(player->player_id)};

	if (!player->limited)
		return;
	values[1] = NumericGetDatum(casino_halere_to_numeric(staked));
	values[2] = NumericGetDatum(casino_halere_to_numeric(lost));
	casino_prague_day(at, &values[3], &values[4]);
	if (casino_execute(&count_play, values, NULL) != 1)
		elog(ERROR, "counters of player " INT64_FORMAT " vanished", player->player_id);
}

void
casino_limits_lock(const PlayerState *players, int nplayers)
{
	int64	   *ids = palloc(sizeof(int64) * Max(nplayers, 1));
	Datum		values[1];
	int			n = 0;

	for (int i = 0; i < nplayers; i++)
		if (players[i].limited)
			ids[n++] = players[i].player_id;
	if (n < 2)
		return;
	values[0] = casino_numbers_array(ids, n);
	casino_execute(&lock_counters, values, NULL);
}

/* ---------- a player sets limits ---------- */

static PreparedQuery note_limits = {
	.sql = "UPDATE casino.player SET limited = true WHERE player_id = $1",
	.args = {ARG_INT8}
};

/*
 * Counters of a player who has none yet, of the day of what he staked or lost
 * last when the limit is dated before that: what they leave out of a day they
 * would never count again (R7.25).
 */
static PreparedQuery count_usage = {
	.sql = "SELECT u.day, u.staked_day, u.lost_day, u.month, u.staked_month, u.lost_month, u.open_staked"
	"  FROM casino.limit_usage($1, (SELECT greatest($2, max(l.posted_at), max(r.evaluated_at),"
	"                                               (SELECT max(o.played_at) FROM casino.other_play o WHERE o.player_id = $1))"
	"                                 FROM casino.ledger l LEFT JOIN casino.round r ON r.round_id = l.round_id"
	"                                WHERE l.player_id = $1)) u"
	" WHERE NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = $1)",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

/* the player, and the columns of count_usage */
#define USAGE_COLUMNS	7

static PreparedQuery insert_counters = {
	.sql = "INSERT INTO casino.limit_state (player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked)"
	" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
	.args = {ARG_INT8, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_DATE, ARG_NUMERIC, ARG_NUMERIC, ARG_NUMERIC}
};

#define LIMIT(column, measure, period) \
	" limit_" column " = (SELECT f.amount FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_next = (SELECT f.next_amount FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')," \
	" limit_" column "_from = (SELECT f.next_from FROM in_force f WHERE f.measure = '" measure "' AND f.period = '" period "')"

/*
 * All four as of the latest request: one that is dated before a request of
 * another kind must not take that one's limit back.
 */
static PreparedQuery set_limits = {
	.sql = "WITH in_force AS MATERIALIZED ("
	"  SELECT * FROM casino.limits_in_force($1, (SELECT greatest($2, max(l.requested_at))"
	"                                              FROM casino.player_limit l WHERE l.player_id = $1)))"
	" UPDATE casino.limit_state SET"
	LIMIT("stake_day", "stake", "day") ","
	LIMIT("stake_month", "stake", "month") ","
	LIMIT("net_loss_day", "net_loss", "day") ","
	LIMIT("net_loss_month", "net_loss", "month")
	" WHERE player_id = $1",
	.args = {ARG_INT8, ARG_TIMESTAMPTZ}
};

static PreparedQuery find_unevaluated_rounds = {
	.sql = "SELECT r.round_id FROM casino.round r"
	" WHERE r.status IN ('open', 'closed')"
	"   AND EXISTS (SELECT FROM casino.ledger s"
	"                WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = $1)"
	" ORDER BY r.round_id",
	.args = {ARG_INT8}
};

/*
 * note_limits(player_id, at): the player has limits, or others than before.
 * His counters start from what is committed now, not from the transaction's
 * snapshot: a round that was evaluated since would stay open in them for ever.
 */
PG_FUNCTION_INFO_V1(casino_sql_note_limits);
Datum
casino_sql_note_limits(PG_FUNCTION_ARGS)
{
	Datum		values[2] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)};
	Datum		counters[1 + USAGE_COLUMNS] = {PG_GETARG_DATUM(0)};
	RunAsOwner	as_owner;
	bool		isnull;

	casino_as_owner_begin(&as_owner);
	if (casino_read_latest(&count_usage, values, NULL) > 0)
	{
		for (int column = 1; column <= USAGE_COLUMNS; column++)
			counters[column] = casino_column(0, column, &isnull);
		casino_execute(&insert_counters, counters, NULL);
	}
	casino_execute(&set_limits, values, NULL);
	casino_execute_posting(&note_limits, values, NULL);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}

/* Rounds that are not evaluated where stakes of the player lie, ascending. */
static Numbers
load_unevaluated(int64 player_id)
{
	Datum		values[1] = {Int64GetDatum(player_id)};

	return casino_column_numbers(casino_read_latest(&find_unevaluated_rounds, values, NULL), ONLY_COLUMN);
}

/* Lock the rounds, then the player; false when he has meanwhile staked in another one. */
static bool
try_lock_rounds(void *what)
{
	int64		player_id = *(int64 *) what;
	PlayerState player;
	Numbers		rounds = load_unevaluated(player_id);
	Numbers		now;

	for (int i = 0; i < rounds.n; i++)
		casino_round_lock_shared(rounds.numbers[i]);
	casino_player_lock(player_id, &player);
	/* some may have been evaluated before they were locked */
	now = load_unevaluated(player_id);
	for (int i = 0; i < now.n; i++)
		if (!casino_numbers_have(rounds, now.numbers[i]))
			return false;
	return true;
}

/*
 * lock_unevaluated_rounds(player_id): shared locks of the rounds where stakes
 * of the player lie, in the order of their numbers, and of the player after
 * them, so that none is evaluated before this transaction ends.
 */
PG_FUNCTION_INFO_V1(casino_sql_lock_unevaluated_rounds);
Datum
casino_sql_lock_unevaluated_rounds(PG_FUNCTION_ARGS)
{
	int64		player_id = PG_GETARG_INT64(0);
	RunAsOwner	as_owner;

	casino_as_owner_begin(&as_owner);
	casino_lock_all(try_lock_rounds, &player_id);
	casino_as_owner_end(&as_owner);
	PG_RETURN_VOID();
}
