/*
 * count_roulette.h
 *	  Roulette bets over the 37 numbers (R8.13).
 */
#ifndef CASINO_COUNT_ROULETTE_H
#define CASINO_COUNT_ROULETTE_H

#include "core/returns/count.h"

/* Rows of every position of a kind; false for a kind that is not roulette's. */
extern bool casino_count_roulette(int kind, CasinoCountSink sink, void *context);

/*
 * Rows of an announced bet, of every selection of its stem: "voisins", or
 * "neighbours" for 0/0 to 36/9.  The result is that of all its chips together.
 * False for what is no stem, and where the odds lack a bet it is made of.
 */
extern bool casino_count_announced(const char *stem, const CasinoOdds *odds,
								   CasinoCountSink sink, void *context);

#endif							/* CASINO_COUNT_ROULETTE_H */
