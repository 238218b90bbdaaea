/*
 * plan_guards.c
 *	  The guards of the plan tables as they stand in the catalog.
 *
 * Each change of a trigger writes its row of pg_trigger anew, so its xmin
 * tells also of a change that was undone.  Results of plans worked out under
 * other guards count for nothing: state/plan_bets.c, kept_plans.sql.
 *
 * In C, because every session asks before its first round: SQL over pg_trigger
 * and pg_class costs a session that has planned nothing yet as much as the
 * round itself.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_trigger.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

static const char *const plan_tables[] = {"game_plan", "plan_rule", "bet_rule", "paytable", "announced_rule"};
static const char *const guards[] = {"plan_guard", "plan_unchanged", "plan_forget"};

static bool
is_guard(const NameData *trigger)
{
	for (int i = 0; i < (int) lengthof(guards); i++)
		if (strcmp(NameStr(*trigger), guards[i]) == 0)
			return true;
	return false;
}

/* The guards of one table, by name, appended to the text. */
static void
append_guards(StringInfo text, Relation pg_trigger, Oid table)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_trigger_tgrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(pg_trigger, TriggerRelidNameIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_trigger trigger = (Form_pg_trigger) GETSTRUCT(tuple);

		if (is_guard(&trigger->tgname))
			appendStringInfo(text, "%s%u %c", text->len > 0 ? ", " : "",
							 HeapTupleHeaderGetRawXmin(tuple->t_data), trigger->tgenabled);
	}
	systable_endscan(scan);
}

/* plan_guards(): when each guard was written and whether it fires; NULL without guards */
PG_FUNCTION_INFO_V1(casino_sql_plan_guards);
Datum
casino_sql_plan_guards(PG_FUNCTION_ARGS)
{
	Oid			schema = get_namespace_oid("casino", false);
	Relation	pg_trigger = table_open(TriggerRelationId, AccessShareLock);
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < (int) lengthof(plan_tables); i++)
	{
		Oid			table = get_relname_relid(plan_tables[i], schema);

		if (OidIsValid(table))
			append_guards(&text, pg_trigger, table);
	}
	table_close(pg_trigger, AccessShareLock);
	if (text.len == 0)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text_with_len(text.data, text.len));
}
