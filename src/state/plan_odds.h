/*
 * plan_odds.h
 *	  Paytable and declared wins of a plan version, for settling a round.
 */
#ifndef CASINO_PLAN_ODDS_H
#define CASINO_PLAN_ODDS_H

#include "postgres.h"

#include "casino.h"
#include "core/grade.h"

typedef struct GradeOdds
{
	int32		num;
	int32		den;			/* 0: the paytable has no such line */
} GradeOdds;

typedef struct KindOdds
{
	int64		declared_win;	/* haléře, INT64_MAX: none declared */
	GradeOdds	grades[CASINO_GRADE_END];
} KindOdds;

typedef struct PlanOdds
{
	KindOdds	kinds[CASINO_BET_KIND_END];
} PlanOdds;

/* palloc'ed */
extern PlanOdds *casino_plan_odds(int64 plan_id);

#endif							/* CASINO_PLAN_ODDS_H */
