/*
 * plans.h
 *	  Exported games and plans, as far as grading needs them.
 */
#ifndef CASINO_VERIFY_PLANS_H
#define CASINO_VERIFY_PLANS_H

#include "core/bet.h"
#include "core/games/blackjack_rules.h"
#include "core/games/family.h"
#include "core/evidence/leaf.h"
#include "core/odds.h"
#include "verify.h"

typedef struct Plan
{
	int64_t		plan_id;
	int64_t		seal_no;		/* its rows are all in this seal */
	bool		lost;			/* seals after it were not exported */
	CasinoFamily family;
	CasinoBlackjackRules rules;
	char		phase[CASINO_BET_KIND_END]; /* first letter; NUL: not offered */
	CasinoPaytable paytable;
} Plan;

extern void take_game(const CasinoLayout *layout, const CasinoValue *values, Place place);
extern void take_plan(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);

/* Rows of a plan, which must be sealed with it. */
extern void take_rule(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);
extern void take_cap(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);
extern void take_odds(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place);

extern const Plan *plan_find(int64_t plan_id);
extern void plans_gap(void);

#endif							/* CASINO_VERIFY_PLANS_H */
