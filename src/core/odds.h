/*
 * odds.h
 *	  The odds of one plan, and the declared wins that bound them.
 */
#ifndef CASINO_ODDS_H
#define CASINO_ODDS_H

#include <stdint.h>

#include "core/bet.h"
#include "core/grade.h"

/* Profit to stake. */
typedef struct CasinoOddsLine
{
	int32_t		num;
	int32_t		den;			/* 0: the paytable has no such line */
} CasinoOddsLine;

/* By kind and grade. */
typedef struct CasinoOdds
{
	CasinoOddsLine lines[CASINO_BET_KIND_END][CASINO_GRADE_END];
} CasinoOdds;

/* All that turns a grade into money. */
typedef struct CasinoPaytable
{
	CasinoOdds	odds;
	int64_t		declared_win[CASINO_BET_KIND_END];	/* haléře; CASINO_NO_CAP: none declared */
} CasinoPaytable;

#endif							/* CASINO_ODDS_H */
