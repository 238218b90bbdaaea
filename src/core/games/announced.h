/*
 * announced.h
 *	  Announced (call) bets, made of bets on the layout (R4.5).
 */
#ifndef CASINO_ANNOUNCED_H
#define CASINO_ANNOUNCED_H

#include "core/bet.h"

/* complete:N of a middle number has the most chips (1 + 4 + 1 + 4 + 2), neighbours:N/9 has 19 */
#define CASINO_ANNOUNCED_MAX	24

typedef struct CasinoAnnounced
{
	int			count;
	CasinoBet	bets[CASINO_ANNOUNCED_MAX]; /* one a position; two chips are one bet of twice the stake */
} CasinoAnnounced;

/*
 * The stem of a name, up to its colon ("neighbours" of "neighbours:17/2"), is
 * what a plan offers or does not.  Returns its length, 0 when unknown.
 */
extern size_t casino_announced_stem(const char *name, size_t len);

/*
 * Expand "voisins", "tiers", "orphelins", "zero_game", "jeu_7_9",
 * "orphelins_plein", "neighbours:N/k", "complete:N", "semi_complete:N",
 * "finale_plein:d", "finale_cheval:a-b" with chips of that many haléře.
 * neighbours takes k 0 to 9; a plan that starts at 1 says so itself.
 */
extern bool casino_announced_expand(const char *name, size_t len, int64_t chip,
									CasinoAnnounced *announced, CasinoError *error);

#endif							/* CASINO_ANNOUNCED_H */
