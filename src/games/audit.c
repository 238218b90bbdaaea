/*
 * audit.c
 *	  SQL function that counts how often a bet ends how, exactly (core/count.h).
 *
 * It is immutable: what a count depends on, the rules and odds of a plan, are
 * arguments.  Counts that take milliseconds are kept in the backend.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/announced.h"
#include "core/count_baccarat.h"
#include "core/count_blackjack.h"
#include "core/count_holdem.h"
#include "core/count_play.h"
#include "core/count_roulette.h"
#include "games/audit.h"
#include "games/blackjack_marks.h"

/* selection of the main bet's rows at tables that offer surrender */
#define WITH_SURRENDER	"surrender"

/* A number of an array in jsonb. */
static int32
element(JsonbContainer *array, uint32 i)
{
	JsonbValue *value = getIthJsonbValueFromContainer(array, i);

	if (value == NULL || value->type != jbvNumeric)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("odds must be arrays of two numbers")));
	return DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(value->val.numeric)));
}

void
casino_audit_odds(const Jsonb *document, CasinoOdds *odds)
{
	memset(odds, 0, sizeof(*odds));
	casino_require_object(&document->root, "the odds of a plan");
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		const char *name = casino_bet_kind_name(kind);
		JsonbValue	of_kind;

		if (getKeyJsonValueFromContainer((JsonbContainer *) &document->root, name, strlen(name), &of_kind) == NULL)
			continue;
		if (of_kind.type != jbvBinary || !JsonContainerIsObject(of_kind.val.binary.data))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the odds of %s must be a JSON object", name)));
		for (int grade = CASINO_LOSE; grade < CASINO_GRADE_END; grade++)
		{
			const char *word = casino_grade_name((CasinoGrade) grade);
			CasinoOddsLine *line = &odds->lines[kind][grade];
			JsonbValue	value;

			if (getKeyJsonValueFromContainer(of_kind.val.binary.data, word, strlen(word), &value) == NULL)
				continue;
			if (value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("odds must be arrays of two numbers")));
			line->num = element(value.val.binary.data, 0);
			line->den = element(value.val.binary.data, 1);
			if (line->den < 1)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("the odds of %s graded %s have a denominator of %d", name, word, line->den)));
		}
	}
}

/* Text of a rule; NULL when it is not given. */
static char *
rule_text(const Jsonb *rules, const char *rule)
{
	JsonbValue	value;

	casino_require_object(&rules->root, "the rules of a plan");
	if (getKeyJsonValueFromContainer((JsonbContainer *) &rules->root, rule, strlen(rule), &value) == NULL)
		return NULL;
	if (value.type != jbvString)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the rule %s must be a string", rule)));
	return pnstrdup(value.val.string.val, value.val.string.len);
}

int
casino_audit_number(const Jsonb *rules, const char *rule, int otherwise)
{
	char	   *text = rule_text(rules, rule);

	return text == NULL ? otherwise : DatumGetInt32(DirectFunctionCall1(int4in, CStringGetDatum(text)));
}

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

/* Count a bet of blackjack: the main bet without and, where a table may offer it, with surrender. */
static void
count_blackjack(int kind, const Jsonb *rules_document, const Jsonb *odds_document, Lines *lines)
{
	CasinoBlackjackRules rules;
	CasinoOdds	odds;

	casino_blackjack_rules_read(rules_document, &rules);
	if (kind != CASINO_MAIN)
	{
		casino_count_blackjack(kind, &rules, add_line, lines);
		return;
	}
	casino_audit_odds(odds_document, &odds);
	if (casino_count_play(&rules, &odds, false, "", add_line, lines) && rules.surrender == CASINO_SURRENDER_TABLE)
		casino_count_play(&rules, &odds, true, WITH_SURRENDER, add_line, lines);
}

/* Count a bet; none of its family, and what cannot be counted, has no lines. */
static void
count_lines(const char *family, const Jsonb *rules, const Jsonb *odds_document, const char *name, Lines *lines)
{
	int			kind = casino_bet_kind_lookup(name, strlen(name));
	CasinoOdds	odds;

	if (kind == 0 && casino_announced_stem(name, strlen(name)) != strlen(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is neither a kind of bet nor an announced bet", name)));
	if (strcmp(family, "roulette") == 0 && kind != 0)
		casino_count_roulette(kind, add_line, lines);
	else if (strcmp(family, "roulette") == 0)
	{
		casino_audit_odds(odds_document, &odds);
		casino_count_announced(name, &odds, add_line, lines);
	}
	else if (strcmp(family, "baccarat") == 0)
		casino_count_baccarat(kind, casino_audit_number(rules, "decks", 0), add_line, lines);
	else if (strcmp(family, "blackjack") == 0)
		count_blackjack(kind, rules, odds_document, lines);
	else if (strcmp(family, "casino_holdem") == 0)
	{
		casino_audit_odds(odds_document, &odds);
		casino_count_holdem(kind, &odds, add_line, lines);
	}
}

static Datum
big_datum(CasinoBig big)
{
	char		text[CASINO_BIG_TEXT_SIZE];

	casino_big_print(big, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
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
