/*
 * evaluation_query.c
 *	  Queries of the evaluation of wagers, one for each family of games.
 */
#include "state/evaluation_query.h"

#include "utils/memutils.h"

static PreparedQuery find_family = {
	.sql = "SELECT g.family FROM casino.round r"
	"  JOIN casino.game_plan p ON p.plan_id = r.plan_id"
	"  JOIN casino.game g ON g.game = p.game"
	" WHERE r.round_id = $1 AND r.status IN ('withheld', 'settled')",
	.args = {ARG_INT8}
};

char *
casino_evaluated_family(int64 round_id)
{
	Datum		values[1] = {Int64GetDatum(round_id)};

	return casino_read_snapshot(&find_family, values, NULL) == 1 ? casino_column_cstring(0, ONLY_COLUMN) :
		NULL;
}

PreparedQuery *
casino_evaluation_query(EvaluationQuery *evaluation, const char *family)
{
	MemoryContext saved;
	StringInfoData sql;
	char	   *name;
	int			i = 0;

	while (i < CASINO_FAMILY_END && evaluation->family[i] != NULL)
	{
		if (strcmp(evaluation->family[i], family) == 0)
			return &evaluation->query[i];
		i++;
	}
	if (i == CASINO_FAMILY_END)
		elog(ERROR, "more than %d families of games", CASINO_FAMILY_END);

	/* kept as long as the session lives, as its plan is */
	saved = MemoryContextSwitchTo(TopMemoryContext);
	initStringInfo(&sql);
	appendStringInfo(&sql, evaluation->sql, family);	/* casino.game allows names of views only */
	name = pstrdup(family);
	MemoryContextSwitchTo(saved);
	evaluation->query[i].sql = sql.data;
	memcpy(evaluation->query[i].args, evaluation->args, sizeof(evaluation->args));
	evaluation->family[i] = name;
	return &evaluation->query[i];
}
