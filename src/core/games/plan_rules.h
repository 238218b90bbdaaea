/*
 * plan_rules.h
 *	  The rules that a plan version of a family of games has, and their values:
 *	  the one list by which plan data are checked (each family's own, family.h).
 */
#ifndef CASINO_PLAN_RULES_H
#define CASINO_PLAN_RULES_H

#include "core/games/family.h"

/* Rule number n of the family, from 0; false past the last. */
extern bool casino_plan_rule(CasinoFamily family, int n, CasinoPlanRule *rule);

/* Rule of a name; false when the family has none. */
extern bool casino_plan_rule_find(CasinoFamily family, const char *name, CasinoPlanRule *rule);

/* May the rule have that value?  CASINO_MALFORMED for a name or value that is none. */
extern bool casino_plan_rule_check(CasinoFamily family, const char *name, const char *value,
								   CasinoError *error);

#endif							/* CASINO_PLAN_RULES_H */
