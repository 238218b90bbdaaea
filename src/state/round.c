/*
 * round.c
 *	  The round: its lock and its state.
 *
 * The lock stands in the lock table, not on the row, so that stakes, which
 * take it shared, write nothing to the round.  Its tag is an advisory lock's
 * with a field that SQL's advisory lock functions never use.
 */
#include "state/ledger.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "games/families.h"
#include "state/plan_bets.h"

/* What a table sets for one kind of bet, in haléře. */
typedef struct TableLimit
{
	int			kind;			/* CasinoBetKind, 0: none */
	int64		min;
	int64		max;
} TableLimit;

/* objsubid of the round's lock in pg_locks; SQL's advisory locks have 1 and 2 */
#define ROUND_LOCK_CLASS	0xCA00

static const char *const status_names[] = {
	[ROUND_OPEN] = "open",
	[ROUND_CLOSED] = "closed",
	[ROUND_WITHHELD] = "withheld",
	[ROUND_SETTLED] = "settled",
	[ROUND_VOIDED] = "voided"
};

static LedgerQuery load_round = {
	.sql = "SELECT r.status, r.plan_id, r.opened_at, r.betting_closed_at, r.actions_closed_at,"
	"       r.evaluated_at, g.game, g.family, t.name, v.seats, v.min_stake, v.max_stake,"
	"       r.outcome, r.void_reason, r.withheld_paid_at, g.live, l.kind, l.min_stake, l.max_stake,"
	"       v.surrender, v.behind"
	"  FROM casino.round r"
	"  JOIN casino.game_table t ON t.table_id = r.table_id"
	"  JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version"
	"  JOIN casino.game g ON g.game = t.game"
	"  LEFT JOIN casino.table_limit l ON l.table_id = r.table_id AND l.version = r.table_version"
	" WHERE r.round_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery load_live_round = {
	.sql = "SELECT r.evaluated_at, r.table_id FROM casino.round r WHERE r.round_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery load_table_name = {
	.sql = "SELECT t.name FROM casino.game_table t WHERE t.table_id = $1",
	.args = {ARG_INT8}
};

static LedgerQuery count_entries = {
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
	elog(ERROR, "unknown status \"%s\" of a round", name);
	return ROUND_VOIDED;		/* keep compilers quiet */
}

/* Exclusive lock on a seat of a round: the lock classes after the round's own. */
void
casino_box_lock(int64 round_id, int seat)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) ((uint64) round_id >> 32),
						 (uint32) round_id, ROUND_LOCK_CLASS + 1 + (seat & 0xFF));
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/* Take the lock of a round until the end of the transaction; false when it would have to wait. */
static bool
lock_round(int64 round_id, LOCKMODE mode, bool wait)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) ((uint64) round_id >> 32),
						 (uint32) round_id, ROUND_LOCK_CLASS);
	return LockAcquire(&tag, mode, false, !wait) != LOCKACQUIRE_NOT_AVAIL;
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

/* The table's own limits, columns 17 to 19 of load_round, palloc'ed; kind 0: none. */
static TableLimit *
read_table_limits(uint64 rows)
{
	TableLimit *limits = palloc0(sizeof(TableLimit) * rows);

	for (uint64 row = 0; row < rows; row++)
	{
		char	   *name = casino_column_cstring(row, 17);

		if (name == NULL)
			continue;
		limits[row].kind = casino_bet_kind_lookup(name, strlen(name));
		limits[row].min = casino_column_halere(row, 18, 0);
		limits[row].max = casino_column_halere(row, 19, PG_INT64_MAX);
	}
	return limits;
}

/* The rules of the round's plan, with what its table limits further. */
static void
load_rules(RoundState *round, const TableLimit *limits, uint64 nlimits)
{
	PlanBets  *plan = palloc(sizeof(PlanBets));

	casino_plan_bets(round->plan_id, plan);
	round->round_max = plan->round_max;
	round->nrules = plan->nrules;
	round->rules = plan->rules;
	for (uint64 l = 0; l < nlimits; l++)
		for (int i = 0; i < round->nrules; i++)
			if (round->rules[i].kind == limits[l].kind)
			{
				round->rules[i].table_min = limits[l].min;
				round->rules[i].table_max = limits[l].max;
			}
}

void
casino_round_load(int64 round_id, RoundState *round)
{
	Datum		values[1] = {Int64GetDatum(round_id)};
	uint64		rows = casino_look(&load_round, values, NULL);
	bool		isnull;
	Datum		value;

	if (rows == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
				 errmsg("round " INT64_FORMAT " does not exist", round_id),
				 errhint("casino.open_round() opens one.")));

	memset(round, 0, sizeof(*round));
	round->round_id = round_id;
	round->status = status_of_name(casino_column_cstring(0, 1));
	round->plan_id = casino_column_int64(0, 2);
	round->opened_at = casino_column_time(0, 3, DT_NOBEGIN);
	round->betting_closed_at = casino_column_time(0, 4, DT_NOBEGIN);
	round->actions_closed_at = casino_column_time(0, 5, DT_NOBEGIN);
	round->evaluated_at = casino_column_time(0, 6, DT_NOBEGIN);
	round->game = casino_column_cstring(0, 7);
	round->family = casino_column_cstring(0, 8);
	round->table_name = casino_column_cstring(0, 9);
	value = casino_column(0, 10, &isnull);
	round->seated = !isnull;
	round->seats = isnull ? 0 : DatumGetInt32(value);
	round->table_min = casino_column_halere(0, 11, 0);
	round->table_max = casino_column_halere(0, 12, PG_INT64_MAX);
	value = casino_column(0, 13, &isnull);
	round->outcome = isnull ? NULL : DatumGetJsonbPCopy(value);
	round->void_reason = casino_column_cstring(0, 14);
	round->withheld_paid_at = casino_column_time(0, 15, DT_NOBEGIN);
	round->live = DatumGetBool(casino_column(0, 16, &isnull));
	round->surrender = DatumGetBool(casino_column(0, 20, &isnull));
	round->behind = DatumGetBool(casino_column(0, 21, &isnull));
	load_rules(round, read_table_limits(rows), rows);
}

void
casino_live_round_load(int64 round_id, TimestampTz at, LiveRound *round)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	if (casino_look(&load_live_round, values, NULL) != 1)
		elog(ERROR, "round " INT64_FORMAT " vanished", round_id);
	round->round_id = round_id;
	round->table_name = NULL;
	round->evaluated_at = casino_column_time(0, 1, DT_NOBEGIN);
	if (round->evaluated_at == DT_NOBEGIN || at < round->evaluated_at)
	{
		values[0] = Int64GetDatum(casino_column_int64(0, 2));
		if (casino_look(&load_table_name, values, NULL) != 1)
			elog(ERROR, "table of round " INT64_FORMAT " vanished", round_id);
		round->table_name = casino_column_cstring(0, 1);
	}
}

void
casino_round_update(LedgerQuery *query, Datum *values, const char *nulls)
{
	if (casino_run(query, values, nulls) != 1)
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
	casino_run(&count_entries, values, NULL);
	visible = casino_column_int64(0, 1);
	casino_look(&count_entries, values, NULL);
	committed = casino_column_int64(0, 1);
	if (visible != committed)
		casino_snapshot_too_old("round", round_id, "has entries younger than");
}

void
casino_round_check_time(const RoundState *round, EventTime *time, TimestampTz not_before,
						const char *event)
{
	if (!casino_time_reach(time, not_before))
		ereport(ERROR,
				(errcode(CASINO_ERRCODE_BACKDATED),
				 errmsg("time %s is before round " INT64_FORMAT " was %s",
						timestamptz_to_str(time->at), round->round_id, event),
				 errdetail("It was %s at %s.", event, pstrdup(timestamptz_to_str(not_before)))));
}

/* await_round(round_id): the round's shared lock, as a stake takes it. */
PG_FUNCTION_INFO_V1(casino_sql_await_round);
Datum
casino_sql_await_round(PG_FUNCTION_ARGS)
{
	casino_round_lock_shared(PG_GETARG_INT64(0));
	PG_RETURN_VOID();
}
