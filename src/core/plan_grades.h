/*
 * plan_grades.h
 *	  The kinds of bet of a family of games, and the grades that each can have
 *	  under the rules of a plan: what a paytable needs a line for.
 */
#ifndef CASINO_PLAN_GRADES_H
#define CASINO_PLAN_GRADES_H

#include "blackjack_rules.h"
#include "grade.h"
#include "plan_rules.h"

/* A set of grades: bit n is grade n. */
typedef uint64_t CasinoGrades;

#define CASINO_GRADE_BIT(grade)	(UINT64_C(1) << (grade))

/* Is the kind bet in games of the family? */
extern bool casino_plan_has_kind(CasinoFamily family, int kind);

/*
 * Grades other than "lose" that a wager of the kind can have.  Of blackjack
 * under these rules; without rules, under any.  Empty where the rules leave the
 * kind no place, and for kinds that no paytable pays (pot).
 */
extern CasinoGrades casino_plan_grades(CasinoFamily family, int kind, const CasinoBlackjackRules *rules);

/* Grade of a name, CASINO_GRADE_NONE when there is none. */
extern CasinoGrade casino_grade_lookup(const char *name);

#endif							/* CASINO_PLAN_GRADES_H */
