/*
 * plan_odds.h
 *	  Paytable and declared wins of a plan version, for settling a round.
 */
#ifndef CASINO_PLAN_ODDS_H
#define CASINO_PLAN_ODDS_H

#include "postgres.h"

#include "casino.h"
#include "core/odds.h"

/* palloc'ed */
extern CasinoPaytable *casino_plan_odds(int64 plan_id);

#endif							/* CASINO_PLAN_ODDS_H */
