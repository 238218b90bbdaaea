/*
 * best_round.h
 *	  The most that one player's bets can win together in a round, every kind at
 *	  its greatest stake: what lost stakes take is not deducted, as in the
 *	  declared wins of the plans (D4 Baccarat, Základní informace, R8.9).
 */
#ifndef CASINO_BEST_ROUND_H
#define CASINO_BEST_ROUND_H

#include "core/games/blackjack_rules.h"
#include "core/returns/count.h"

/* Greatest stakes by kind in haléře; 0: the kind is not offered. */
typedef struct CasinoStakes
{
	int64_t		most[CASINO_BET_KIND_END];
} CasinoStakes;

typedef struct CasinoBestRound
{
	int64_t		profit;			/* haléře */
	char		cards[160];		/* how it comes about */
} CasinoBestRound;

/*
 * Of a box of blackjack, with doubled and split hands and insurance; decks enough for every hand (four
 * do).
 */
extern void casino_best_box(const CasinoBlackjackRules *rules, const CasinoOdds *odds,
							const CasinoStakes *stakes, CasinoBestRound *best);

extern void casino_best_baccarat(int decks, const CasinoOdds *odds, const CasinoStakes *stakes,
								 CasinoBestRound *best);

extern void casino_best_holdem(const CasinoOdds *odds, const CasinoStakes *stakes,
							   CasinoBestRound *best);

#endif							/* CASINO_BEST_ROUND_H */
