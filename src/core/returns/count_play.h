/*
 * count_play.h
 *	  The main bet of blackjack under the best play against an endless shoe.
 *
 * The main bet has no return without a strategy, and the best strategy depends
 * on every card seen.  In an endless shoe each card has one of thirteen ranks
 * whatever came before; there the best play is a matter of the hand and the
 * dealer's first card, and what it brings is an exact fraction over a power of
 * 13.  It is counted for what a round brings in all (R8.1): doubled, split and free
 * wagers of the hand included, per main stake; without insurance.
 */
#ifndef CASINO_COUNT_PLAY_H
#define CASINO_COUNT_PLAY_H

#include "core/games/blackjack_rules.h"
#include "core/returns/count.h"

/*
 * Rows by result, greatest first, under the rules and odds of a plan.
 * offers_surrender: at a table that does (R8.4).  The dealer looks at his second card
 * when the players are done, and draws on 16 where the plan leaves that open (R8.2, R8.3).
 * False, with at most some rows, where the odds lack a line that can occur or
 * pay split hands otherwise than the main bet, and for rules beyond what is
 * counted here (more than one card, but not any number, on a split ace; more
 * than six hands).
 */
extern bool casino_count_play(const CasinoBlackjackRules *rules, const CasinoOdds *odds,
							  bool offers_surrender, const char *selection,
							  CasinoCountSink sink, void *context);

#endif							/* CASINO_COUNT_PLAY_H */
