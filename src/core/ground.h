/*
 * ground.h
 *	  Grounds of a void or of a withholding that a game plan lists: a rule
 *	  ground_CODE each, whose value is the document's text.
 */
#ifndef CASINO_GROUND_H
#define CASINO_GROUND_H

#include <stdbool.h>

#include "core/error.h"

/* Is the rule of a plan a ground? */
extern bool casino_rule_is_ground(const char *rule);

/* May the ground have that text?  CASINO_MALFORMED if not. */
extern bool casino_ground_check(const char *rule, const char *text, CasinoError *error);

#endif							/* CASINO_GROUND_H */
