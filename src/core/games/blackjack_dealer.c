/*
 * blackjack_dealer.c
 *	  The dealer's drawing rule.
 */
#include "core/games/blackjack_dealer.h"

/* D0 VÝHERNÍ SESTAVA KARET, D2 Pravidla, D3 §3, D4 Blackjack §14: soft 17 too (R3.2) */
#define STANDS_ON	17

/*
 * casino_blackjack_dealer_may_draw
 *		May the dealer draw on this total?  Never on 17, soft too.
 */
bool
casino_blackjack_dealer_may_draw(int total)
{
	return total < STANDS_ON;
}

/*
 * casino_blackjack_dealer_must_draw
 *		Must the dealer draw on this total?  On 16 or less; where 16 is left
 *		open both ways are right there ("minimálně 16", D1 Pravidla hry).
 */
bool
casino_blackjack_dealer_must_draw(const CasinoBlackjackRules *rules, int total)
{
	return total < STANDS_ON - (rules->dealer_16 == CASINO_DEALER_16_EITHER ? 1 : 0);
}

/*
 * casino_blackjack_dealer_suffices
 *		Does the dealer's hand hold as much as is needed?
 */
bool
casino_blackjack_dealer_suffices(const CasinoBlackjackRules *rules, const CasinoHand *dealer,
								 CasinoDealerNeed need)
{
	switch (need)
	{
		case CASINO_NEEDS_UP_CARD:
			return dealer->count >= 1;
		case CASINO_NEEDS_TWO_CARDS:
			return dealer->count >= 2;
		case CASINO_NEEDS_WHOLE_HAND:
		default:
			return dealer->count >= 2 &&
				!casino_blackjack_dealer_must_draw(rules, casino_blackjack_total(dealer));
	}
}

/*
 * casino_blackjack_dealer_has_blackjack
 *		Are the dealer's first two cards an ace and a ten-value?
 */
bool
casino_blackjack_dealer_has_blackjack(const CasinoHand *dealer)
{
	return dealer->count >= 2 &&
		casino_blackjack_total_of(dealer, 2) == CASINO_BLACKJACK_BEST;
}

/*
 * check_drawn
 *		Was every card after the second drawn on a total that let him draw?
 */
static bool
check_drawn(const CasinoBlackjackCase *at, const CasinoHand *dealer, CasinoError *error)
{
	CasinoHand	before = *dealer;
	int			i;

	for (i = 2; i < dealer->count; i++)
	{
		int			total = casino_blackjack_total_of(dealer, i);

		if (casino_blackjack_dealer_may_draw(total))
			continue;
		before.count = (uint8_t) i;
		return casino_blackjack_refuse(at, CASINO_BJ_DEALER_16, error,
									   "the dealer stands on %s%d and may not draw %s",
									   casino_blackjack_is_soft(&before) ? "soft " : "", total,
									   casino_card_text(dealer->cards[i]).text);
	}
	return true;
}

/*
 * casino_blackjack_check_dealer
 *		Could the dealer's cards have been drawn so, and are they as many as
 *		the live wagers need?  CASINO_ILLEGAL_OUTCOME if not.
 */
bool
casino_blackjack_check_dealer(const CasinoBlackjackCase *at, const CasinoHand *dealer,
							  CasinoDealerNeed need, CasinoError *error)
{
	if (dealer->count == 0)
		return casino_blackjack_refuse(at, CASINO_BJ_HOLE_CARD, error,
									   "the dealer has no card");
	if (!check_drawn(at, dealer, error))
		return false;
	if (casino_blackjack_dealer_suffices(at->rules, dealer, need))
		return true;
	if (dealer->count < 2)
		return casino_blackjack_refuse(at, CASINO_BJ_HOLE_CARD, error,
									   "the dealer has only %s and needs a second card, on which a wager "
									   "depends",
									   casino_card_text(dealer->cards[0]).text);
	return casino_blackjack_refuse(at, CASINO_BJ_DEALER_16, error,
								   "the dealer has %s%d and must draw, as a wager depends on it",
								   casino_blackjack_is_soft(dealer) ? "soft " : "",
								   casino_blackjack_total(dealer));
}
