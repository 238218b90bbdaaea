/*
 * blackjack_dealer.h
 *	  The dealer's hand: did he draw and stand right, and how much of it must
 *	  be known (R3.1 to R3.4; D0 VÝHERNÍ SESTAVA KARET; D1; D3 3; D4
 *	  Blackjack 14).
 */
#ifndef CASINO_BLACKJACK_DEALER_H
#define CASINO_BLACKJACK_DEALER_H

#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_rules.h"

/* How much of the dealer's hand decides a wager; the larger includes the smaller. */
typedef enum CasinoDealerNeed
{
	CASINO_NEEDS_UP_CARD,		/* his first card, if that */
	CASINO_NEEDS_TWO_CARDS,		/* has he a blackjack, a pair? */
	CASINO_NEEDS_WHOLE_HAND		/* until the rules make him stand */
} CasinoDealerNeed;

/* May the dealer draw on this total of his?  Must he? */
extern bool casino_blackjack_dealer_may_draw(int total);
extern bool casino_blackjack_dealer_must_draw(const CasinoBlackjackRules *rules, int total);

/* Does the hand hold as much as is needed? */
extern bool casino_blackjack_dealer_suffices(const CasinoBlackjackRules *rules,
											 const CasinoHand *dealer, CasinoDealerNeed need);

/* Ace and ten-value as the first two cards, whatever may follow. */
extern bool casino_blackjack_dealer_has_blackjack(const CasinoHand *dealer);

/*
 * Could the dealer's cards have been drawn so, and are they as many as the
 * live wagers need?  A hand that goes on further than needed is as right as
 * one that stops early.  "The dealer stands on soft 17 and may not draw 5c
 * (D4 Blackjack §14)."
 */
extern bool casino_blackjack_check_dealer(const CasinoBlackjackCase *at, const CasinoHand *dealer,
										  CasinoDealerNeed need, CasinoError *error);

#endif							/* CASINO_BLACKJACK_DEALER_H */
