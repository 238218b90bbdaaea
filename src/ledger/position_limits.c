/*
 * position_limits.c
 *	  The limits that a table enforces, kind by kind, as a set of rows.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "casino.h"
#include "ledger/stake_rules.h"
#include "server/query.h"
#include "server/run_as_owner.h"
#include "state/round.h"

static PreparedQuery find_versions = {
	.sql = "SELECT 1 FROM casino.table_version v"
	"  JOIN casino.game_table t ON t.table_id = v.table_id"
	"  JOIN casino.game_plan p ON p.game = t.game"
	" WHERE v.table_id = $1 AND v.version = $2 AND p.plan_id = $3",
	.args = {ARG_INT8, ARG_INT4, ARG_INT8}
};

static const char *const source_names[] = {
	[LIMIT_NONE] = NULL,
	[LIMIT_OF_PLAN] = "plan",
	[LIMIT_OF_KIND] = "kind",
	[LIMIT_OF_TABLE] = "table",
	[LIMIT_OF_STRAIGHT] = "straight"
};

/* Put an amount in haléře into a column as CZK, or NULL for "none". */
static void
put_amount(int64 halere, int64 none, Datum *value, bool *isnull)
{
	*isnull = halere == none;
	if (!*isnull)
		*value = NumericGetDatum(casino_halere_to_numeric(halere));
}

/* Put where a limit comes from into a column, NULL when there is no limit. */
static void
put_source(LimitSource source, Datum *value, bool *isnull)
{
	*isnull = source_names[source] == NULL;
	if (!*isnull)
		*value = CStringGetTextDatum(source_names[source]);
}

/*
 * position_limits_of(table_id, table_version, plan_id): kind, min, max,
 * min_from, max_from of each kind that the plan offers.
 */
PG_FUNCTION_INFO_V1(casino_sql_position_limits_of);
Datum
casino_sql_position_limits_of(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		versions[3] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2)};
	RoundState	round = {0};
	RunAsOwner	as_owner;

	InitMaterializedSRF(fcinfo, 0);
	casino_as_owner_begin(&as_owner);
	/* no rows for versions that are not the table's, or of another game */
	if (casino_read_snapshot(&find_versions, versions, NULL) > 0)
		casino_round_prepare(PG_GETARG_INT64(0), PG_GETARG_INT32(1), PG_GETARG_INT64(2), &round);
	for (int i = 0; i < round.nrules; i++)
	{
		PositionLimits limits = casino_stake_limits(&round, &round.rules[i]);
		Datum		values[5] = {0};
		bool		nulls[5] = {false};

		values[0] = CStringGetTextDatum(casino_bet_kind_name(round.rules[i].kind));
		/* no stake is smaller than a haléř */
		put_amount(Max(limits.min, 1), 0, &values[1], &nulls[1]);
		put_amount(limits.max, PG_INT64_MAX, &values[2], &nulls[2]);
		put_source(limits.min_from, &values[3], &nulls[3]);
		put_source(limits.max_from, &values[4], &nulls[4]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	casino_as_owner_end(&as_owner);
	return (Datum) 0;
}
