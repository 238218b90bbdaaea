/*
 * round.c
 *	  The round: its lock and its state.
 *
 * The lock stands in the lock table, not on the row, so that stakes, which
 * take it shared, write nothing to the round.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/event_time.h"
#include "server/own_lock.h"
#include "server/query.h"
#include "server/refusal.h"
#include "server/run_as_owner.h"
#include "state/box.h"
#include "state/plan_bets.h"
#include "state/round.h"
#include "state/table_version.h"
#include "state/tables.h"

static const char *const status_names[] = {
	[ROUND_OPEN] = "open",
	[ROUND_CLOSED] = "closed",
	[ROUND_WITHHELD] = "withheld",
	[ROUND_SETTLED] = "settled",
	[ROUND_VOIDED] = "voided"
};

static PreparedQuery count_entries = {
	.sql = "SELECT count(*) FROM casino.ledger WHERE round_id = $1 AND kind IN ('stake', 'refund')",
	.args = {ARG_INT8}
};

const char *
casino_round_status_name(RoundStatus status)
{
	return status_names[status];
}

/* Status of its name in casino.round. */
static RoundStatus
status_of_name(const char *name)
{
	for (int i = 0; i < (int) lengthof(status_names); i++)
		if (strcmp(status_names[i], name) == 0)
			return (RoundStatus) i;
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("\"%s\" is no status of a round", name)));
	return ROUND_VOIDED;		/* keep compilers quiet */
}

/* Exclusive lock on a seat of a round. */
void
casino_box_lock(int64 round_id, int seat)
{
	(void) casino_own_lock(LOCK_CLASS_BOX(seat), (uint64) round_id, ExclusiveLock, false, true);
}

/* Take the lock of a round until the end of the transaction; false when it would have to wait. */
static bool
lock_round(int64 round_id, LOCKMODE mode, bool wait)
{
	return casino_own_lock(LOCK_CLASS_ROUND, (uint64) round_id, mode, false, wait);
}

void
casino_round_lock_shared(int64 round_id)
{
	(void) lock_round(round_id, ShareLock, true);
}

bool
casino_round_try_lock_shared(int64 round_id)
{
	return lock_round(round_id, ShareLock, false);
}

void
casino_round_lock_exclusive(int64 round_id)
{
	(void) lock_round(round_id, ExclusiveLock, true);
}

bool
casino_round_try_lock_exclusive(int64 round_id)
{
	return lock_round(round_id, ExclusiveLock, false);
}

bool
casino_round_is_locked(int64 round_id, bool exclusive)
{
	return casino_own_lock_held(LOCK_CLASS_ROUND, (uint64) round_id, ExclusiveLock) ||
		(!exclusive && casino_own_lock_held(LOCK_CLASS_ROUND, (uint64) round_id, ShareLock));
}

/* The rules of the round's plan, with what its table limits further. */
static void
load_rules(RoundState *round, const TableVersion *table)
{
	PlanBets   *plan = palloc(sizeof(PlanBets));

	casino_plan_bets(round->plan_id, plan);
	round->plan_version = plan->version;
	round->round_max = plan->round_max;
	round->nrules = plan->nrules;
	round->rules = plan->rules;
	for (int l = 0; l < table->nlimits; l++)
		for (int i = 0; i < round->nrules; i++)
			if (round->rules[i].kind == table->limits[l].kind)
			{
				round->rules[i].table_min = table->limits[l].min;
				round->rules[i].table_max = table->limits[l].max;
			}
}

/* What the round has from the version of its table. */
static void
load_table(RoundState *round, int64 table_id, int version)
{
	const TableVersion *table = casino_table_version(table_id, version);

	round->game = pstrdup(table->game);
	round->family = pstrdup(table->family);
	round->live = table->live;
	round->table_name = pstrdup(table->name);
	round->seated = table->seated;
	round->seats = table->seats;
	round->surrender = table->surrender;
	round->behind = table->behind;
	round->home_cell = table->home_cell;
	round->away = table->away;
	round->table_min = table->min_stake;
	round->table_max = table->max_stake;
	load_rules(round, table);
}

/* The columns of a round's row, in the order of RoundColumn, into its state. */
static void
read_row(const Datum *values, const bool *nulls, bool with_outcome, RoundState *round)
{
#define TIME_OF(column) (nulls[column] ? DT_NOBEGIN : DatumGetTimestampTz(values[column]))
	round->plan_id = DatumGetInt64(values[ROUND_PLAN_ID]);
	round->status = status_of_name(nulls[ROUND_STATUS] ? "" : TextDatumGetCString(values[ROUND_STATUS]));
	round->opened_at = TIME_OF(ROUND_OPENED_AT);
	round->betting_until = nulls[ROUND_BETTING_UNTIL] ? DT_NOEND :
		DatumGetTimestampTz(values[ROUND_BETTING_UNTIL]);
	round->betting_closed_at = TIME_OF(ROUND_BETTING_CLOSED_AT);
	round->actions_closed_at = TIME_OF(ROUND_ACTIONS_CLOSED_AT);
	round->evaluated_at = TIME_OF(ROUND_EVALUATED_AT);
	round->withheld_paid_at = TIME_OF(ROUND_WITHHELD_PAID_AT);
	if (with_outcome && !nulls[ROUND_OUTCOME])
		round->outcome = DatumGetJsonbPCopy(values[ROUND_OUTCOME]);
	round->void_reason = nulls[ROUND_VOID_REASON] ? NULL : TextDatumGetCString(values[ROUND_VOID_REASON]);
#undef TIME_OF
}

/* The round's row as committed now; false when there is none. */
static bool
find_row(int64 round_id, bool with_outcome, RoundState *round, int64 *table_id, int *version)
{
	Datum		key[1] = {Int64GetDatum(round_id)};
	Datum		values[ROUND_COLUMNS];
	bool		nulls[ROUND_COLUMNS];
	Store		store;
	StoreScan	scan;
	Snapshot	snapshot;
	bool		found;

	casino_store_open(&casino_round_table, &store, AccessShareLock);
	CommandCounterIncrement();
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	casino_store_scan(&store, ROUND_BY_ID, snapshot, 1, key, &scan);
	found = casino_store_next(&scan);
	for (int i = 0; found && i < ROUND_COLUMNS; i++)
		values[i] = casino_store_column(&scan, i, &nulls[i]);
	if (found)
		read_row(values, nulls, with_outcome, round);
	casino_store_end(&scan);
	UnregisterSnapshot(snapshot);
	casino_store_close(&store);
	if (found)
	{
		*table_id = DatumGetInt64(values[ROUND_TABLE_ID]);
		*version = DatumGetInt32(values[ROUND_TABLE_VERSION]);
	}
	return found;
}

void
casino_round_prepare(int64 table_id, int table_version, int64 plan_id, RoundState *round)
{
	memset(round, 0, sizeof(*round));
	round->plan_id = plan_id;
	load_table(round, table_id, table_version);
}

void
casino_round_load(int64 round_id, RoundState *round)
{
	int64		table_id;
	int			version;

	memset(round, 0, sizeof(*round));
	round->round_id = round_id;
	if (!find_row(round_id, true, round, &table_id, &version))
		ereport(ERROR,
				(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
				 errmsg("round " INT64_FORMAT " does not exist", round_id),
				 errhint("casino.open_round() opens one.")));
	load_table(round, table_id, version);
}

void
casino_live_round_load(int64 round_id, TimestampTz at, LiveRound *round)
{
	RoundState	state = {.round_id = round_id};
	int64		table_id;
	int			version;

	if (!find_row(round_id, false, &state, &table_id, &version))
		elog(ERROR, "round " INT64_FORMAT " vanished", round_id);
	round->round_id = round_id;
	round->table_name = NULL;
	round->evaluated_at = state.evaluated_at;
	if (round->evaluated_at == DT_NOBEGIN || at < round->evaluated_at)
		round->table_name = pstrdup(casino_table_version(table_id, version)->name);
}

bool
casino_round_is_over(const RoundState *round, TimestampTz at)
{
	if (round->status != ROUND_OPEN)
		return false;
	return at >= round->betting_until ||
		(casino_clock_skew != CASINO_CLOCK_SKEW_ANY && GetCurrentTimestamp() >= round->betting_until);
}

/* Of betting, not of decisions (R13.4). */
void
casino_round_check_over(const RoundState *round, TimestampTz at)
{
	if (casino_round_is_over(round, at))
		ereport(ERROR,
				(errrefusal(REFUSAL_BETTING_CLOSED, REFUSED_INT("round_id", round->round_id),
							REFUSED_TEXT("status", casino_round_status_name(round->status)),
							REFUSED_TIME("until", round->betting_until)),
				 errmsg("betting of round " INT64_FORMAT " is closed", round->round_id),
				 errdetail("It was open until %s.", timestamptz_to_str(round->betting_until))));
}

void
casino_round_update(PreparedQuery *query, Datum *values, const char *nulls)
{
	if (casino_execute(query, values, nulls) != 1)
		casino_snapshot_too_old("round", DatumGetInt64(values[0]), "is younger than");
}

void
casino_round_check_snapshot(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	int64		visible;
	int64		committed;

	if (!IsolationUsesXactSnapshot())
		return;
	casino_execute(&count_entries, values, NULL);
	visible = casino_column_int64(0, ONLY_COLUMN);
	casino_read_latest(&count_entries, values, NULL);
	committed = casino_column_int64(0, ONLY_COLUMN);
	if (visible != committed)
		casino_snapshot_too_old("round", round_id, "has entries younger than");
}

void
casino_round_check_time(const RoundState *round, EventTime *time, TimestampTz not_before,
						const char *event)
{
	if (!casino_time_reach(time, not_before))
		ereport(ERROR,
				(errrefusal(REFUSAL_BACKDATED, REFUSED_TIME("at", time->at),
							REFUSED_TIME("not_before", not_before)),
				 errmsg("time %s is before round " INT64_FORMAT " was %s",
						timestamptz_to_str(time->at), round->round_id, event),
				 errdetail("It was %s at %s.", event, pstrdup(timestamptz_to_str(not_before)))));
}

/* lock_box(round_id, seat): the seat's exclusive lock, as a stake on it takes it. */
PG_FUNCTION_INFO_V1(casino_sql_lock_box);
Datum
casino_sql_lock_box(PG_FUNCTION_ARGS)
{
	casino_box_lock(PG_GETARG_INT64(0), PG_GETARG_INT32(1));
	PG_RETURN_VOID();
}

/* await_round(round_id): the round's shared lock, as a stake takes it. */
PG_FUNCTION_INFO_V1(casino_sql_await_round);
Datum
casino_sql_await_round(PG_FUNCTION_ARGS)
{
	casino_round_lock_shared(PG_GETARG_INT64(0));
	PG_RETURN_VOID();
}

static PreparedQuery find_plan_decision = {
	.sql = "SELECT 1 FROM casino.plan_approval a WHERE a.plan_id = $1"
	" UNION ALL SELECT 1 FROM casino.plan_withdrawal w WHERE w.plan_id = $1",
	.args = {ARG_INT8}
};

static PreparedQuery find_plan_round = {
	.sql = "SELECT 1 FROM casino.round r WHERE r.plan_id = $1 LIMIT 1",
	.args = {ARG_INT8}
};

/* Does the query find a row of the plan version, as of now and not of the transaction's snapshot? */
static Datum
found_now(PreparedQuery *query, Datum plan_id)
{
	Datum		values[1] = {plan_id};
	RunAsOwner	as_owner;
	bool		found;

	casino_as_owner_begin(&as_owner);
	found = casino_read_latest(query, values, NULL) > 0;
	casino_as_owner_end(&as_owner);
	PG_RETURN_BOOL(found);
}

/* plan_is_used(plan_id): was a round opened under the version? */
PG_FUNCTION_INFO_V1(casino_sql_plan_is_used);
Datum
casino_sql_plan_is_used(PG_FUNCTION_ARGS)
{
	return found_now(&find_plan_round, PG_GETARG_DATUM(0));
}

/* plan_is_decided(plan_id): was the version approved or withdrawn? */
PG_FUNCTION_INFO_V1(casino_sql_plan_is_decided);
Datum
casino_sql_plan_is_decided(PG_FUNCTION_ARGS)
{
	return found_now(&find_plan_decision, PG_GETARG_DATUM(0));
}

/* A number of a table as it is now, not as the snapshot of the transaction has it; false: NULL. */
static bool
find_latest(PreparedQuery *query, Datum table_id, int64 *found)
{
	Datum		values[1] = {table_id};
	RunAsOwner	as_owner;
	bool		known;

	casino_as_owner_begin(&as_owner);
	known = casino_read_latest(query, values, NULL) > 0 && !casino_column_is_null(0, ONLY_COLUMN);
	if (known)
		*found = casino_column_int64(0, ONLY_COLUMN);
	casino_as_owner_end(&as_owner);
	return known;
}

static PreparedQuery find_unevaluated = {
	.sql = "SELECT r.round_id FROM casino.round r"
	" WHERE r.table_id = $1 AND r.status IN ('open', 'closed')",
	.args = {ARG_INT8}
};

/* table_round(table_id): the round of a table that is not evaluated. */
PG_FUNCTION_INFO_V1(casino_sql_table_round);
Datum
casino_sql_table_round(PG_FUNCTION_ARGS)
{
	int64		round_id;

	if (!find_latest(&find_unevaluated, PG_GETARG_DATUM(0), &round_id))
		PG_RETURN_NULL();
	PG_RETURN_INT64(round_id);
}

static PreparedQuery find_closed = {
	.sql = "SELECT o.operation_no::bigint FROM casino.table_operation o"
	" WHERE o.table_id = $1 AND NOT o.opened"
	" AND NOT EXISTS (SELECT FROM casino.table_operation n"
	" WHERE n.table_id = o.table_id AND n.operation_no > o.operation_no)",
	.args = {ARG_INT8}
};

/* table_closed_by(table_id): number of the event that has closed a table, which is closed (R8.28). */
PG_FUNCTION_INFO_V1(casino_sql_table_closed_by);
Datum
casino_sql_table_closed_by(PG_FUNCTION_ARGS)
{
	int64		operation_no;

	if (!find_latest(&find_closed, PG_GETARG_DATUM(0), &operation_no))
		PG_RETURN_NULL();
	PG_RETURN_INT64(operation_no);
}
