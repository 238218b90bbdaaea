/*
 * plan_grades.c
 *	  The kinds of bet of a family, and the grades that each can have.
 *
 * test/unit/plan.c holds this against what the grading functions give.
 */
#include "core/games/plan_grades.h"

#include <string.h>

CasinoGrades
casino_plan_grades(CasinoFamily family, int kind, const void *rules)
{
	const CasinoFamilyPlan *plan = casino_family_plan(family);

	return plan == NULL ? 0 : plan->grades(kind, rules);
}

bool
casino_plan_has_kind(CasinoFamily family, int kind)
{
	const CasinoFamilyPlan *plan = casino_family_plan(family);

	return plan != NULL && (plan->grades(kind, NULL) != 0 || (plan->pot != 0 && plan->pot == kind));
}

CasinoGrade
casino_grade_lookup(const char *name)
{
	int			grade;

	for (grade = CASINO_LOSE; grade < CASINO_GRADE_END; grade++)
	{
		if (strcmp(casino_grade_name((CasinoGrade) grade), name) == 0)
			return (CasinoGrade) grade;
	}
	return CASINO_GRADE_NONE;
}
