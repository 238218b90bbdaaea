/*
 * plan_grades.h
 *	  The kinds of bet of a family of games, and the grades that each can have
 *	  under the rules of a plan: what a paytable needs a line for.
 */
#ifndef CASINO_PLAN_GRADES_H
#define CASINO_PLAN_GRADES_H

#include "core/games/family.h"

/* Is the kind bet in games of the family? */
extern bool casino_plan_has_kind(CasinoFamily family, int kind);

/* See CasinoFamilyPlan.grades; of blackjack the rules are CasinoBlackjackRules. */
extern CasinoGrades casino_plan_grades(CasinoFamily family, int kind, const void *rules);

/* Grade of a name, CASINO_GRADE_NONE when there is none. */
extern CasinoGrade casino_grade_lookup(const char *name);

#endif							/* CASINO_PLAN_GRADES_H */
