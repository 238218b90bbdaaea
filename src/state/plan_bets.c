/*
 * plan_bets.c
 *	  The bets a plan version offers and their rules, read once a session.
 *
 * A version in force never changes (plan_guard), so its rules are kept once
 * no change made before that can still be under way.  Whoever puts the guard
 * out of action alters the table, which throws away what is kept.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "casino.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/plan_bets.h"
#include "state/round.h"

/* no transaction lasts that long */
#define PLAN_SETTLED_AFTER	USECS_PER_HOUR

static PreparedQuery load_plan = {
	.sql = "SELECT p.valid_from, p.round_max_stake, b.kind, b.min_stake, b.max_stake, b.table_limits,"
	"       b.phase, b.requires, b.zero_offered, b.declared_win, coalesce(w.num, 0), coalesce(w.den, 1),"
	"       p.version, p.xmin, b.xmin"
	"  FROM casino.game_plan p LEFT JOIN casino.bet_rule b ON b.plan_id = p.plan_id"
	"  LEFT JOIN LATERAL (SELECT t.num, t.den FROM casino.paytable t"
	"                      WHERE t.plan_id = b.plan_id AND t.kind = b.kind AND t.num > 0"
	"                      ORDER BY t.num::numeric / t.den DESC LIMIT 1) w ON true"
	" WHERE p.plan_id = $1",
	.args = {ARG_INT8}
};

/* its columns */
enum
{
	PLAN_VALID_FROM = 1, PLAN_ROUND_MAX, RULE_KIND, RULE_MIN_STAKE, RULE_MAX_STAKE,
	RULE_TABLE_LIMITS, RULE_PHASE, RULE_REQUIRES, RULE_ZERO_OFFERED, RULE_DECLARED_WIN,
	RULE_WIN_NUM, RULE_WIN_DEN, PLAN_VERSION, PLAN_XMIN, RULE_XMIN
};

/* PlanBets by plan_id, in a context of its own; NULL: nothing is kept */
static HTAB *kept_plans = NULL;
static MemoryContext kept_context = NULL;
static uint64 times_forgotten = 0;

/* versions found without problems by casino.check_plan(), kept as long */
#define CHECKED_MAX		64
static int64 checked_plans[CHECKED_MAX];
static int	nchecked = 0;

/* tables whose change throws away what is kept */
static const char *const plan_tables[] = {"game_plan", "plan_rule", "bet_rule", "paytable", "announced_rule"};
static Oid	plan_table_ids[lengthof(plan_tables)];

/* Callback of the relation cache: the tables changed, or any may have. */
static void
forget_plans(Datum arg, Oid relation)
{
	bool		concerned = !OidIsValid(relation);

	for (int i = 0; i < (int) lengthof(plan_tables); i++)
		concerned = concerned || relation == plan_table_ids[i];
	if (kept_context == NULL || !concerned)
		return;
	kept_plans = NULL;			/* keep_plans() frees the memory */
	nchecked = 0;
	times_forgotten++;
}

/* Start keeping plans, afresh after the tables changed. */
static void
keep_plans(void)
{
	Oid			namespace = get_namespace_oid("casino", false);
	HASHCTL		control = {.keysize = sizeof(int64), .entrysize = sizeof(PlanBets)};

	if (kept_context == NULL)
	{
		kept_context = AllocSetContextCreate(CacheMemoryContext, "casino plans",
											 ALLOCSET_DEFAULT_SIZES);
		CacheRegisterRelcacheCallback(forget_plans, (Datum) 0);
	}
	for (int i = 0; i < (int) lengthof(plan_tables); i++)
		plan_table_ids[i] = get_relname_relid(plan_tables[i], namespace);
	MemoryContextReset(kept_context);
	control.hcxt = kept_context;
	kept_plans = hash_create("casino plans", 16, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* One row of load_plan as a rule of a kind, without limits of a table. */
static void
read_rule(uint64 row, BetRule *rule)
{
	char	   *name = casino_column_word(row, RULE_KIND);
	char	   *requires = casino_column_cstring(row, RULE_REQUIRES);

	rule->kind = casino_bet_kind_lookup(name, strlen(name));
	rule->min_stake = casino_column_halere(row, RULE_MIN_STAKE, 0);
	rule->max_stake = casino_column_halere(row, RULE_MAX_STAKE, PG_INT64_MAX);
	rule->table_min = 0;
	rule->table_max = PG_INT64_MAX;
	rule->table_limits = casino_column_word(row, RULE_TABLE_LIMITS)[0];
	rule->phase = casino_column_word(row, RULE_PHASE)[0];
	rule->requires = requires ? casino_bet_kind_lookup(requires, strlen(requires)) : 0;
	rule->zero_offered = casino_column_bool(row, RULE_ZERO_OFFERED);
	rule->declared_win = casino_column_halere(row, RULE_DECLARED_WIN, PG_INT64_MAX);
	rule->win_num = casino_column_int(row, RULE_WIN_NUM);
	rule->win_den = casino_column_int(row, RULE_WIN_DEN);
}

/* Was the row of that column, an xmin, written by this transaction, which may still be rolled back? */
static bool
is_uncommitted(uint64 row, int column)
{
	bool		isnull;
	Datum		xmin = casino_column_untyped(row, column, &isnull);

	return !isnull && TransactionIdIsCurrentTransactionId(DatumGetTransactionId(xmin));
}

/* Read the version from its tables; returns when it came into force, never for what is not committed. */
static TimestampTz
read_plan(int64 plan_id, PlanBets *plan)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	uint64		rows = casino_read_latest(&load_plan, values, NULL);
	bool		uncommitted = false;
	bool		isnull;

	if (rows == 0)
		elog(ERROR, "game plan " INT64_FORMAT " vanished", plan_id);
	plan->plan_id = plan_id;
	plan->round_max = casino_column_halere(0, PLAN_ROUND_MAX, PG_INT64_MAX);
	plan->version = casino_column_int(0, PLAN_VERSION);
	plan->nrules = 0;
	for (uint64 row = 0; row < rows && row < CASINO_BET_KIND_END; row++)
	{
		(void) casino_column_untyped(row, RULE_KIND, &isnull);
		if (!isnull)
			read_rule(row, &plan->rules[plan->nrules++]);
	}
	for (uint64 row = 0; row < rows; row++)
		uncommitted = uncommitted || is_uncommitted(row, PLAN_XMIN) || is_uncommitted(row, RULE_XMIN);
	return uncommitted ? DT_NOEND : casino_column_time(0, PLAN_VALID_FROM, DT_NOEND);
}

void
casino_plan_bets(int64 plan_id, PlanBets *plan)
{
	PlanBets   *kept = kept_plans ? hash_search(kept_plans, &plan_id, HASH_FIND, NULL) : NULL;
	TimestampTz valid_from;
	uint64		forgotten;

	if (kept != NULL)
	{
		*plan = *kept;
		return;
	}
	if (kept_plans == NULL)
		keep_plans();
	forgotten = times_forgotten;
	valid_from = read_plan(plan_id, plan);
	if (valid_from >= GetCurrentTimestamp() - PLAN_SETTLED_AFTER || forgotten != times_forgotten)
		return;
	kept = hash_search(kept_plans, &plan_id, HASH_ENTER, NULL);
	*kept = *plan;
}

static PreparedQuery read_kept_plan = {
	.sql = "SELECT FROM casino.kept_plan k WHERE k.plan_id = $1 AND k.guards = casino_internal.plan_guards()",
	.args = {ARG_INT8}
};

/* Does this session know that the version has no problems, or the table that install() and the night fill? */
bool
casino_plan_is_checked(int64 plan_id)
{
	Datum		values[1] = {Int64GetDatum(plan_id)};
	RunAsOwner	as_owner;
	bool		kept;

	for (int i = 0; i < nchecked; i++)
		if (checked_plans[i] == plan_id)
			return true;
	casino_as_owner_begin(&as_owner);
	kept = casino_read_latest(&read_kept_plan, values, NULL) > 0;
	casino_as_owner_end(&as_owner);
	if (kept)
		casino_plan_note_checked(plan_id);
	return kept;
}

void
casino_plan_note_checked(int64 plan_id)
{
	if (kept_plans == NULL)
		keep_plans();
	if (nchecked < CHECKED_MAX)
		checked_plans[nchecked++] = plan_id;
}
