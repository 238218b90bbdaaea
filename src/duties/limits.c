/*
 * limits.c
 *	  Self-limits (D4 §6.5): the counters of the players who have set some, in
 *	  casino.limit_state, which nothing but limits*.c and limit_usage.c touches.
 *
 * A row has the counters of one Prague day and its month, and the limits.  A
 * stake holds the lock of the player's own row; an evaluation counts losses
 * without it, and the two meet at the row here.
 */
#include "duties/limits.h"

#include "utils/timestamp.h"

#include "casino.h"
#include "duties/duty.h"
#include "duties/limit_usage.h"
#include "server/days.h"
#include "server/event_time.h"
#include "server/numbers.h"
#include "server/query.h"
#include "server/refusal.h"
#include "state/evaluation_query.h"
#include "state/round.h"
#include "state/wagers.h"

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

	casino_limit_usage_with(player->player_id, cost, at, &usage);
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		if (usage.used[kind] > usage.limits[kind])
			ereport(ERROR,
					(errrefusal(REFUSAL_SELF_LIMIT, REFUSED_TEXT("measure", limit_kinds[kind].measure),
								REFUSED_TEXT("period", limit_kinds[kind].period),
								REFUSED_MONEY("limit", usage.limits[kind]),
								REFUSED_MONEY("used", usage.used[kind] - cost),
								REFUSED_MONEY("stake", cost)),
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

/* The counters give a stake back that was counted at "at". */
static void
uncount(int64 player_id, int64 cost, TimestampTz at)
{
	Datum		values[3] = {Int64GetDatum(player_id), TimestampTzGetDatum(at),
	NumericGetDatum(casino_halere_to_numeric(cost))};

	casino_execute(&uncount_stake, values, NULL);
}

/* See duties.h. */
static void
undo_stakes(PlayerState *player, int64 round_id, const Wager *wagers, int n, const bool *returned)
{
	for (int i = 0; i < n && player->limited; i++)
		if (returned[i])
			uncount(player->player_id, casino_wager_cost(&wagers[i].bet), wagers[i].posted_at);
}

/* See limits.h.  The check counts an open stake, which this ledger does not have. */
void
casino_limits_check_elsewhere(const PlayerState *player, int64 cost, TimestampTz at)
{
	if (!player->limited)
		return;
	check_self_limits(player, cost, at);
	uncount(player->player_id, cost, at);
}

/* ---------- at the end of a round, set-based, under its exclusive lock ---------- */

#define STAKED_IN_ROUND \
	"SELECT s.player_id FROM casino.ledger s WHERE s.round_id = $1 AND s.kind = 'stake'"

#define COUNTERS_OF_ROUND \
	"  FROM casino.limit_state l" \
	" WHERE l.player_id IN (" STAKED_IN_ROUND ")"

/* and of the accounts that have taken over limits of one of these (R11.85): one IN, each row by its key */
#define LATER_COUNTERS_OF_ROUND \
	"  FROM casino.limit_state l" \
	" WHERE l.player_id IN (" STAKED_IN_ROUND \
	"                       UNION SELECT p.later" \
	"                         FROM casino_internal.limits_passed_on(ARRAY(" STAKED_IN_ROUND ")) p)"

static PreparedQuery find_counters = {
	.sql = "SELECT count(*)" COUNTERS_OF_ROUND,
	.args = {ARG_INT8}
};

static PreparedQuery lock_counters_of_round = {
	.sql = "SELECT" COUNTERS_OF_ROUND " ORDER BY l.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8}
};

static PreparedQuery find_later_counters = {
	.sql = "SELECT count(*)" LATER_COUNTERS_OF_ROUND,
	.args = {ARG_INT8}
};

static PreparedQuery lock_later_counters = {
	.sql = "SELECT" LATER_COUNTERS_OF_ROUND " ORDER BY l.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8}
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
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_day(l.posted_at) = x.day), 0) AS "
	"staked_day,"
	"               coalesce(sum(l.amount) FILTER (WHERE casino.prague_month(l.posted_at) = x.month), 0) "
	"AS staked_month"
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
	"  FROM (SELECT p.later AS player_id, sum(e.staked) AS staked, sum(e.payout) AS payout"
	"          FROM casino.evaluation_%s e"
	"          JOIN (SELECT l.player_id, l.later"
	"                       FROM casino_internal.limits_passed_on(ARRAY(" STAKED_IN_ROUND ")) l"
	"                     UNION ALL"
	"                     SELECT DISTINCT s.player_id, s.player_id FROM casino.ledger s"
	"                      WHERE s.round_id = $1 AND s.kind = 'stake') p ON p.player_id = e.player_id"
	"         WHERE e.round_id = $1 AND ($3 = 0 OR e.player_id = $3)"
	" GROUP BY 1) q,"
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
lock_counters_of(int64 round_id, PreparedQuery *find, PreparedQuery *lock)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	int64		counters;

	casino_read_latest(find, values, NULL);
	counters = casino_column_int64(0, ONLY_COLUMN);
	if (counters > 0 && casino_execute(lock, values, NULL) != (uint64) counters)
		casino_snapshot_too_old("round", round_id, "has players whose limits are younger than");
	return counters > 0;
}

/* See duties.h: net losses and open stakes. */
static void
evaluated(const RoundState *round, const RoundWagers *wagers, TimestampTz at)
{
	casino_limit_usage_evaluated(wagers, at);
}

/* See duties.h. */
static void
voided(const RoundState *round)
{
	Datum		values[2] = {Int64GetDatum(round->round_id), BoolGetDatum(round->status != ROUND_OPEN)};

	if (lock_counters_of(round->round_id, &find_counters, &lock_counters_of_round))
		casino_execute(&count_void, values, NULL);
}

/* See duties.h: nothing was lost, in the accounts opened since neither (R11.85). */
static void
voided_late(const RoundState *round, int64 player_id, TimestampTz at)
{
	Datum		values[3] = {Int64GetDatum(round->round_id), TimestampTzGetDatum(round->evaluated_at),
	Int64GetDatum(player_id)};

	if (lock_counters_of(round->round_id, &find_later_counters, &lock_later_counters))
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
	"       staked_day = CASE WHEN s.day > $4 THEN s.staked_day WHEN s.day = $4 THEN s.staked_day + $2"
	" ELSE $2 END,"
	"       lost_day = CASE WHEN s.day > $4 THEN s.lost_day WHEN s.day = $4 THEN s.lost_day + $3 ELSE $3 END,"
	"       staked_month = CASE WHEN s.month > $5 THEN s.staked_month"
	" WHEN s.month = $5 THEN s.staked_month + $2 ELSE $2 END,"
	"       lost_month = CASE WHEN s.month > $5 THEN s.lost_month WHEN s.month = $5 THEN s.lost_month + $3"
	" ELSE $3 END"
	" WHERE s.player_id = $1",
	.args = {ARG_INT8, ARG_NUMERIC, ARG_NUMERIC, ARG_DATE, ARG_DATE}
};

static PreparedQuery lock_counters = {
	.sql = "SELECT FROM casino.limit_state s WHERE s.player_id = ANY ($1)"
	" ORDER BY s.player_id FOR NO KEY UPDATE",
	.args = {ARG_INT8_ARRAY}
};

static PreparedQuery find_later = {
	.sql = "SELECT p.later FROM casino_internal.limits_passed_on($1) p ORDER BY p.later",
	.args = {ARG_INT8_ARRAY}
};

static void
count_in(int64 player_id, int64 staked, int64 lost, TimestampTz at)
{
	Datum		values[5] = {Int64GetDatum(player_id)};

	values[1] = NumericGetDatum(casino_halere_to_numeric(staked));
	values[2] = NumericGetDatum(casino_halere_to_numeric(lost));
	casino_prague_day(at, &values[3], &values[4]);
	if (casino_execute(&count_play, values, NULL) != 1)
		casino_snapshot_too_old("player", player_id, "has limits that are younger than");
}

void
casino_limits_count_play(const PlayerState *player, int64 staked, int64 lost, TimestampTz at)
{
	if (player->limited)
		count_in(player->player_id, staked, lost, at);
}

/*
 * The accounts that have taken over limits of these, in the order of their
 * numbers.  No more come while the players are locked: open_account() locks
 * the former account.
 */
static Numbers
later_accounts(const int64 *ids, int n)
{
	Datum		values[1] = {casino_numbers_array(ids, n)};

	return casino_column_numbers(casino_read_latest(&find_later, values, NULL), ONLY_COLUMN);
}

void
casino_limits_count_result(const PlayerState *player, int64 lost, TimestampTz at)
{
	casino_limits_count_play(player, 0, lost, at);
	if (player->limited && player->closed)
	{
		Numbers		later = later_accounts(&player->player_id, 1);

		for (int i = 0; i < later.n; i++)
			count_in(later.numbers[i], 0, lost, at);
	}
}

void
casino_limits_lock(const PlayerState *players, int nplayers)
{
	int64	   *ids = palloc(sizeof(int64) * Max(nplayers, 1));
	int64	   *closed = palloc(sizeof(int64) * Max(nplayers, 1));
	Datum		values[1];
	int			n = 0;
	int			nclosed = 0;

	for (int i = 0; i < nplayers; i++)
		if (players[i].limited)
		{
			ids[n++] = players[i].player_id;
			if (players[i].closed)
				closed[nclosed++] = players[i].player_id;
		}
	if (nclosed > 0)
	{
		Numbers		later = later_accounts(closed, nclosed);

		ids = repalloc(ids, sizeof(int64) * (n + later.n));
		memcpy(ids + n, later.numbers, sizeof(int64) * later.n);
		n += later.n;
	}
	if (n < 2)
		return;
	values[0] = casino_numbers_array(ids, n);
	casino_execute(&lock_counters, values, NULL);
}
