/*
 * refusal.c
 *	  Refusals: code, reason and values of an error, and the list of all reasons (R12.30).
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/tuplestore.h"

#include "casino.h"
#include "server/refusal.h"

typedef struct ReasonText
{
	const char *word;
	int			code;
	const char *values;
	const char *english;
	const char *czech;
} ReasonText;

#define REASON(name, word, code, values, english, czech) \
	{word, CASINO_ERRCODE_##code, values, english, czech},

static const ReasonText reasons[] = {
#include "server/refusal_reasons.h"
};

#ifdef USE_ASSERT_CHECKING
/* Is the name one of the reason's list? */
static bool
is_listed(const ReasonText *reason, const char *name)
{
	const char *at = reason->values;
	size_t		len = strlen(name);

	for (; (at = strstr(at, name)) != NULL; at += len)
		if ((at == reason->values || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}
#endif

static bool
is_left_out(const RefusalValue *value)
{
	return (value->type == REFUSAL_VALUE_TEXT && value->text == NULL) ||
		(value->type == REFUSAL_VALUE_PLACE && value->number == 0) ||
		(value->type == REFUSAL_VALUE_TIME && value->number == DT_NOBEGIN);
}

static void
append_value(StringInfo json, const RefusalValue *value)
{
	char		time[MAXDATELEN + 1];

	switch (value->type)
	{
		case REFUSAL_VALUE_TEXT:
			escape_json(json, value->text);
			break;
		case REFUSAL_VALUE_INT:
		case REFUSAL_VALUE_PLACE:
			appendStringInfo(json, INT64_FORMAT, value->number);
			break;
		case REFUSAL_VALUE_MONEY:
			appendStringInfoString(json, casino_money_cstring(value->number));
			break;
		case REFUSAL_VALUE_TIME:
			JsonEncodeDateTime(time, Int64GetDatum(value->number), TIMESTAMPTZOID, NULL);
			escape_json(json, time);
			break;
	}
}

/*
 * R12.70: PL/Proxy brings code, message, detail, hint and context of an error from a
 * cell to its hub, and no other field: in a cell a refusal says its reason and
 * values in a line of its context, too, which relay.c reads at the hub.
 */
static const char mark[] = "refusal ";

/* before what PL/Proxy brings */
static const char remote[] = "Remote context: ";

/*
 * Is this database a cell?  Once it is, it remains one (R13.1).
 */
bool
casino_refusals_are_marked(void)
{
	static bool in_cell = false;
	Oid			cell;
	Relation	relation;
	SysScanDesc scan;

	if (in_cell || IsInParallelMode())
		return in_cell;
	cell = get_relname_relid("cell", get_namespace_oid("casino", false));
	if (!OidIsValid(cell))
		return false;
	relation = table_open(cell, AccessShareLock);
	scan = systable_beginscan(relation, InvalidOid, false, NULL, 0, NULL);
	in_cell = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return in_cell;
}

/* Is it a word of the list? */
static bool
is_reason(const char *word)
{
	for (int i = 0; word != NULL && i < (int) lengthof(reasons); i++)
		if (strcmp(reasons[i].word, word) == 0)
			return true;
	return false;
}

/* See refusal.h. */
void
casino_mark_refusal(ErrorData *error)
{
	const char *values = error->datatype_name;

	if (!is_reason(error->constraint_name) ||
		(error->context != NULL && strncmp(error->context, mark, strlen(mark)) == 0))
		return;
	error->context = psprintf("%s%s %s%s%s", mark, error->constraint_name, values != NULL ? values : "{}",
							  error->context != NULL ? "\n" : "",
							  error->context != NULL ? error->context : "");
}

/* See refusal.h. */
void
casino_read_mark(ErrorData *error)
{
	char	   *word;
	char	   *values;
	char	   *end;

	/* further on stand texts of callers, as the statement of theirs that called us */
	if (error->context == NULL || error->constraint_name != NULL ||
		strncmp(error->context, remote, strlen(remote)) != 0 ||
		strncmp(error->context + strlen(remote), mark, strlen(mark)) != 0)
		return;
	word = pstrdup(error->context + strlen(remote) + strlen(mark));
	end = strchr(word, '\n');
	if (end != NULL)
		*end = '\0';
	values = strchr(word, ' ');
	if (values == NULL)
		return;
	*values++ = '\0';
	if (!is_reason(word))
		return;
	error->constraint_name = word;
	error->datatype_name = values;
}

/* See refusal.h. */
int
casino_errrefusal(const Refusal *refusal)
{
	const ReasonText *reason = &reasons[refusal->reason];
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	for (int i = 0; i < REFUSAL_MAX_VALUES && refusal->values[i].name != NULL; i++)
	{
		const RefusalValue *value = &refusal->values[i];

		if (is_left_out(value))
			continue;
		Assert(is_listed(reason, value->name));
		if (json.len > 1)
			appendStringInfoString(&json, ", ");
		escape_json(&json, value->name);
		appendStringInfoString(&json, ": ");
		append_value(&json, value);
	}
	appendStringInfoChar(&json, '}');
	err_generic_string(PG_DIAG_CONSTRAINT_NAME, reason->word);
	err_generic_string(PG_DIAG_DATATYPE_NAME, json.data);
	if (casino_refusals_are_marked())
		errcontext("%s%s %s", mark, reason->word, json.data);
	return errcode(reason->code);
}

/* See refusal.h. */
int
casino_errcore(const CasinoError *error)
{
	switch (error->code)
	{
		case CASINO_MALFORMED:
			return errcode(ERRCODE_INVALID_TEXT_REPRESENTATION);
		case CASINO_OUT_OF_RANGE:
			return errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE);
		case CASINO_ILLEGAL_OUTCOME:
			return errrefusal(REFUSAL_ILLEGAL_OUTCOME, REFUSED_TEXT("why", error->detail));
		case CASINO_OK:
			break;
	}
	return errcode(ERRCODE_INTERNAL_ERROR);
}

/* refusal_reasons(): reason, code, the names of the values in data, text in English and Czech */
PG_FUNCTION_INFO_V1(casino_sql_refusal_reasons);
Datum
casino_sql_refusal_reasons(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < (int) lengthof(reasons); i++)
	{
		bool		nulls[5] = {false};
		Datum		row[5];

		row[0] = CStringGetTextDatum(reasons[i].word);
		row[1] = CStringGetTextDatum(unpack_sql_state(reasons[i].code));
		row[2] = CStringGetTextDatum(reasons[i].values);
		row[3] = CStringGetTextDatum(reasons[i].english);
		row[4] = CStringGetTextDatum(reasons[i].czech);
		tuplestore_putvalues(result->setResult, result->setDesc, row, nulls);
	}
	return (Datum) 0;
}
