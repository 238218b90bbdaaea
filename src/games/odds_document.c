/*
 * odds_document.c
 *	  The odds of a plan as SQL passes them: see odds_document.h.
 */
#include "games/odds_document.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#include "casino.h"
#include "core/grade.h"

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

const JsonbContainer *
casino_odds_of_kind(const Jsonb *odds, const char *kind)
{
	JsonbValue	value;

	casino_require_object(&odds->root, "the odds of a plan");
	if (getKeyJsonValueFromContainer((JsonbContainer *) &odds->root, kind, strlen(kind), &value) == NULL)
		return NULL;
	if (value.type != jbvBinary || !JsonContainerIsObject(value.val.binary.data))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the odds of %s must be a JSON object", kind)));
	return value.val.binary.data;
}

bool
casino_odds_of_grade(const JsonbContainer *of_kind, const char *kind, const char *grade, int len, int32 *num,
					 int32 *den)
{
	JsonbValue	value;

	if (getKeyJsonValueFromContainer((JsonbContainer *) of_kind, grade, len, &value) == NULL)
		return false;
	if (value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("odds must be arrays of two numbers")));
	*num = element(value.val.binary.data, 0);
	*den = element(value.val.binary.data, 1);
	if (*den < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the odds of %s graded %.*s have a denominator of %d", kind, len, grade, *den)));
	return true;
}

void
casino_odds_read(const Jsonb *document, CasinoOdds *odds)
{
	memset(odds, 0, sizeof(*odds));
	for (int kind = 1; kind < CASINO_BET_KIND_END; kind++)
	{
		const char *name = casino_bet_kind_name(kind);
		const JsonbContainer *of_kind = casino_odds_of_kind(document, name);

		for (int grade = CASINO_LOSE; of_kind != NULL && grade < CASINO_GRADE_END; grade++)
		{
			const char *word = casino_grade_name((CasinoGrade) grade);
			CasinoOddsLine *line = &odds->lines[kind][grade];

			(void) casino_odds_of_grade(of_kind, name, word, strlen(word), &line->num, &line->den);
		}
	}
}
