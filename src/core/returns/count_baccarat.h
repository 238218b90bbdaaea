/*
 * count_baccarat.h
 *	  Baccarat bets over all deals from a number of decks (R8.13).
 */
#ifndef CASINO_COUNT_BACCARAT_H
#define CASINO_COUNT_BACCARAT_H

#include "core/returns/count.h"

/* most decks whose six cards in order are counted in 64 bits */
#define CASINO_COUNT_DECKS_MOST		30

/*
 * Rows of a kind, of egalite for every points.  The main bets, tie, egalite,
 * big and small are out of all ordered deals of six cards, a pair of one side
 * out of all pairs of cards, those of either side out of two such.  False for
 * a kind that is not baccarat's.
 */
extern bool casino_count_baccarat(int kind, int decks, CasinoCountSink sink, void *context);

#endif							/* CASINO_COUNT_BACCARAT_H */
