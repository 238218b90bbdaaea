/*
 * texas_holdem.h
 *	  What the files of Texas Hold'em share.
 */
#ifndef CASINO_TEXAS_HOLDEM_H
#define CASINO_TEXAS_HOLDEM_H

#include "games/outcome.h"

/* See FamilyRules.read_outcome, FamilyRules.check_outcome. */
extern void casino_texas_read_outcome(const Jsonb *document, bool partial, Outcome *outcome);
extern void casino_texas_check_outcome(const Outcome *outcome, const PlanRuleSet *rules);

#endif							/* CASINO_TEXAS_HOLDEM_H */
