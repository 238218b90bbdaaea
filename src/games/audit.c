/*
 * audit.c
 *	  SQL function that counts how often a bet ends how, exactly (core/returns/count.h).
 *
 * It is immutable: what a count depends on, the rules and odds of a plan, are
 * arguments.  Counts that take milliseconds are kept in the session.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/games/announced.h"
#include "core/games/plan_grades.h"
#include "games/audit.h"
#include "games/families.h"
#include "games/odds_document.h"

/* Lines of one bet. */
typedef struct Lines
{
	int			count;
	int			room;
	CasinoCountLine *lines;
} Lines;

static void
add_line(void *context, const CasinoCountLine *line)
{
	Lines	   *lines = context;

	if (lines->count == lines->room)
	{
		lines->room = Max(16, 2 * lines->room);
		lines->lines = lines->lines == NULL ? palloc(lines->room * sizeof(*line))
			: repalloc(lines->lines, lines->room * sizeof(*line));
	}
	lines->lines[lines->count++] = *line;
}

/* Count a bet; none of its family, and what cannot be counted, has no lines. */
static void
count_lines(const char *family_name, const Jsonb *rules, const Jsonb *odds_document, const char *name,
			Lines *lines)
{
	const FamilyRules *family = casino_family_of_name(family_name);
	int			kind = casino_bet_kind_lookup(name, strlen(name));
	CasinoOdds	odds;

	if (kind == 0 && casino_announced_stem(name, strlen(name)) != strlen(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is neither a kind of bet nor an announced bet", name)));
	if (family == NULL || family->count == NULL ||
		(kind != 0 && !casino_plan_has_kind(casino_family_lookup(family_name), kind)))
		return;
	casino_odds_read(odds_document, &odds);
	family->count(kind, name, casino_rules_of_document(rules), &odds, add_line, lines);
}

static Datum
big_datum(CasinoBig big)
{
	char		text[CASINO_BIG_TEXT_SIZE];

	casino_big_print(big, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

/* Lines of these arguments, kept with the number of them before. */
static const CasinoCountLine *
lines_of(FunctionCallInfo fcinfo, int *count)
{
	const char *kept = casino_audit_kept(fcinfo);
	Lines		lines = {0};
	char	   *both;

	if (kept == NULL)
	{
		count_lines(text_to_cstring(PG_GETARG_TEXT_PP(0)), PG_GETARG_JSONB_P(1), PG_GETARG_JSONB_P(2),
					text_to_cstring(PG_GETARG_TEXT_PP(3)), &lines);
		both = palloc0(MAXALIGN(sizeof(int)) + lines.count * sizeof(CasinoCountLine));
		memcpy(both, &lines.count, sizeof(int));
		if (lines.count > 0)
			memcpy(both + MAXALIGN(sizeof(int)), lines.lines, lines.count * sizeof(CasinoCountLine));
		casino_audit_keep(fcinfo, both, MAXALIGN(sizeof(int)) + lines.count * sizeof(CasinoCountLine));
		kept = both;
	}
	memcpy(count, kept, sizeof(int));
	return (const CasinoCountLine *) (kept + MAXALIGN(sizeof(int)));
}

/* count_bet(family, rules, odds, kind): selection, grade, ways, of, num, den */
PG_FUNCTION_INFO_V1(casino_sql_count_bet);
Datum
casino_sql_count_bet(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int			count;
	const CasinoCountLine *lines = lines_of(fcinfo, &count);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < count; i++)
	{
		const CasinoCountLine *line = &lines[i];
		Datum		values[6];
		bool		nulls[6] = {false};

		nulls[0] = line->selection[0] == '\0';
		values[0] = nulls[0] ? (Datum) 0 : CStringGetTextDatum(line->selection);
		values[1] = CStringGetTextDatum(line->grade);
		values[2] = big_datum(line->ways);
		values[3] = big_datum(line->of);
		values[4] = Int32GetDatum(line->num);
		values[5] = Int32GetDatum(line->den);
		nulls[4] = nulls[5] = !line->several;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
