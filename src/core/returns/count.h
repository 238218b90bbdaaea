/*
 * count.h
 *	  How often a bet ends how: exact counts out of all deals or numbers, for the
 *	  audit of a plan (R8.13).
 *
 * No sampling and no floating point: a count and what it is out of are
 * integers.  What a count depends on are the rules of the plan (decks) and,
 * where a decision of the player changes it, its odds.
 */
#ifndef CASINO_COUNT_H
#define CASINO_COUNT_H

#include "core/returns/count_big.h"
#include "core/grade.h"
#include "core/odds.h"

#define CASINO_COUNT_TEXT_SIZE	32

/* One way in which a bet can end. */
typedef struct CasinoCountLine
{
	char		selection[CASINO_COUNT_TEXT_SIZE];	/* as in the bet's text; "" for none */
	char		grade[CASINO_COUNT_TEXT_SIZE];	/* word of the grade */
	CasinoBig	ways;
	CasinoBig	of;
	bool		several;		/* a play of several wagers: the grade is its result, as "+1.5" */
	int32_t		num;			/* and this its profit to the stake; else the paytable says it */
	int32_t		den;
} CasinoCountLine;

/* Takes the lines one after the other; those of one selection together. */
typedef void (*CasinoCountSink) (void *context, const CasinoCountLine *line);

/* A line of a single wager, by its grade. */
extern void casino_count_emit(CasinoCountSink sink, void *context, const char *selection,
							  CasinoGrade grade, CasinoBig ways, CasinoBig of);

/*
 * A line of a play of several wagers: its result is num / den chips, or main
 * stakes, of which so many make up the whole stake that the profit is told of.
 */
extern void casino_count_emit_result(CasinoCountSink sink, void *context, const char *selection,
									 int32_t num, int32_t den, int32_t stakes,
									 CasinoBig ways, CasinoBig of);

#endif							/* CASINO_COUNT_H */
