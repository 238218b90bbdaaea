/*
 * plan_rules.h
 *	  The rules that a plan version of a family of games has, and their values:
 *	  the one list by which plan data are checked.
 *
 * A rule is obeyed by code that reads it, or it is a fact for people
 * ("informative"): what the document says and the code does in any case, or
 * what happens where no code is.
 */
#ifndef CASINO_PLAN_RULES_H
#define CASINO_PLAN_RULES_H

#include <stdbool.h>

#include "error.h"

typedef enum CasinoFamily
{
	CASINO_FAMILY_NONE,
	CASINO_FAMILY_ROULETTE,
	CASINO_FAMILY_BACCARAT,
	CASINO_FAMILY_BLACKJACK,
	CASINO_FAMILY_CASINO_HOLDEM,
	CASINO_FAMILY_TEXAS_HOLDEM,
	CASINO_FAMILY_END
} CasinoFamily;

/* CASINO_FAMILY_NONE for a name that is none; NULL for a number that is none. */
extern CasinoFamily casino_family_lookup(const char *name);
extern const char *casino_family_name(CasinoFamily family);

typedef struct CasinoPlanRule
{
	const char *name;
	bool		informative;	/* for people: no code reads it */
	bool		required;		/* a plan of the family is incomplete without it */
} CasinoPlanRule;

/* Rule number n of the family, from 0; false past the last. */
extern bool casino_plan_rule(CasinoFamily family, int n, CasinoPlanRule *rule);

/* Rule of a name; false when the family has none. */
extern bool casino_plan_rule_find(CasinoFamily family, const char *name, CasinoPlanRule *rule);

/* May the rule have that value?  CASINO_MALFORMED for a name or value that is none. */
extern bool casino_plan_rule_check(CasinoFamily family, const char *name, const char *value,
								   CasinoError *error);

#endif							/* CASINO_PLAN_RULES_H */
