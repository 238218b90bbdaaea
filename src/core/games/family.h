/*
 * family.h
 *	  The families of games as their plans know them: the rules of a plan, the
 *	  kinds of bet, and the grades that each can have.
 */
#ifndef CASINO_FAMILY_H
#define CASINO_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/grade.h"

typedef enum CasinoFamily
{
	CASINO_FAMILY_NONE,
#define CASINO_FAMILY(symbol, name)	CASINO_FAMILY_##symbol,
#include "core/games/family_list.h"
	CASINO_FAMILY_END
} CasinoFamily;

/*
 * A rule that a plan has.  It is obeyed by code that reads it, or it is a fact
 * for people ("informative"): what the document says and the code does in any
 * case, or what happens where no code is.
 */
typedef struct CasinoPlanRule
{
	const char *name;
	bool		informative;	/* for people: no code reads it */
	bool		required;		/* a plan of the family is incomplete without it */
} CasinoPlanRule;

/* A rule with its values: a word, or a number from min to max. */
typedef struct CasinoRuleValues
{
	CasinoPlanRule rule;
	const char *word;			/* its only value, NULL: a number */
	int			min;
	int			max;
} CasinoRuleValues;

/* Values of a fact about what the code does in any case are those that it does (R1.4). */
#define CASINO_RULE_OBEYED(name, min, max)	{{name, false, true}, NULL, min, max}
/* may be absent, which is false */
#define CASINO_RULE_SWITCH(name)			{{name, false, false}, "true", 0, 0}
#define CASINO_RULE_FACT(name, min, max)	{{name, true, false}, NULL, min, max}
#define CASINO_RULE_FACT_WORD(name, word)	{{name, true, false}, word, 0, 0}
#define CASINO_RULE_LAST					{{NULL, false, false}, NULL, 0, 0}

/* A set of grades: bit n is grade n. */
typedef uint64_t CasinoGrades;

#define CASINO_GRADE_BIT(grade)	(UINT64_C(1) << (grade))

typedef struct CasinoFamilyPlan
{
	const char *name;

	/* Rules of its plans, up to CASINO_RULE_LAST.  NULL: by the two functions. */
	const CasinoRuleValues *rules;

	/* Rule number n, from 0; false past the last. */
	bool		(*rule) (int n, CasinoPlanRule *rule);

	/* May the rule have that value?  CASINO_MALFORMED for a name or value that is none. */
	bool		(*check_rule) (const char *name, const char *value, CasinoError *error);

	/*
	 * Grades other than "lose" that a wager of the kind can have, under the rules of a plan as the family
	 * reads them; NULL: under any.  Empty where the rules leave the kind no place.
	 */
	CasinoGrades (*grades) (int kind, const void *rules);

	/* Kind that is bet without a paytable, 0: none. */
	int			pot;
} CasinoFamilyPlan;

#define CASINO_FAMILY(symbol, name)	extern const CasinoFamilyPlan casino_##name##_plan;
#include "core/games/family_list.h"

/* NULL for a number that is no family. */
extern const CasinoFamilyPlan *casino_family_plan(CasinoFamily family);
extern const char *casino_family_name(CasinoFamily family);

/* CASINO_FAMILY_NONE for a name that is none. */
extern CasinoFamily casino_family_lookup(const char *name);

#endif							/* CASINO_FAMILY_H */
