/*
 * evaluation_query.c
 *	  Queries of the evaluation of wagers, one for each family of games.
 */
#include "state/ledger.h"

#include "utils/memutils.h"

LedgerQuery *
casino_evaluation_query(EvaluationQuery *evaluation, const char *family)
{
	MemoryContext saved;
	StringInfoData sql;
	char	   *name;
	int			i = 0;

	while (i < LEDGER_FAMILIES && evaluation->family[i] != NULL)
	{
		if (strcmp(evaluation->family[i], family) == 0)
			return &evaluation->query[i];
		i++;
	}
	if (i == LEDGER_FAMILIES)
		elog(ERROR, "more than %d families of games", LEDGER_FAMILIES);

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
