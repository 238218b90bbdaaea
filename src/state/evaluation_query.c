/*
 * evaluation_query.c
 *	  Queries of the evaluation of wagers, one for each family of games.
 */
#include "state/evaluation_query.h"

#include "utils/memutils.h"

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

	/* kept as long as the backend lives, as its plan is */
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
