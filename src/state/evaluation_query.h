/*
 * evaluation_query.h
 *	  Queries of the evaluation of wagers, one for each family of games.
 */
#ifndef CASINO_EVALUATION_QUERY_H
#define CASINO_EVALUATION_QUERY_H

#include "postgres.h"

#include "core/games/family.h"
#include "server/query.h"

/*
 * A query of the wagers' evaluation, with one %s for the family of the round's
 * game: its own views casino.graded_* and casino.evaluation_* are planned in a
 * fraction of the time that casino.evaluation takes.  One plan a family.
 */
typedef struct EvaluationQuery
{
	const char *sql;
	QueryArg	args[QUERY_ARGS + 1];
	char	   *family[CASINO_FAMILY_END];	/* NULL: free */
	PreparedQuery query[CASINO_FAMILY_END];
} EvaluationQuery;

/*
 * Family of the game of an evaluated round, in the snapshot of the query that asks; NULL: it is not
 * evaluated.
 */
extern char *casino_evaluated_family(int64 round_id);

/* The query for that family's evaluation. */
extern PreparedQuery *casino_evaluation_query(EvaluationQuery *evaluation, const char *family);

#endif							/* CASINO_EVALUATION_QUERY_H */
