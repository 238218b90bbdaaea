/*
 * roulette.c
 *	  Roulette: grading the wagers of a round.
 */
#include "games/families.h"

#include "core/roulette.h"

/* See families.h. */
static void
grade(const RoundState *round, const Outcome *outcome, RoundWagers *wagers)
{
	int			number = outcome->number;

	for (int i = 0; i < wagers->count; i++)
		wagers->wagers[i].grade = casino_grade_roulette(&wagers->wagers[i].bet, number);
}

const FamilyRules casino_roulette_family = {
	"roulette", NULL, NULL, NULL, NULL, grade, NULL, false
};
