/*
 * blackjack_hand.h
 *	  What cards count in blackjack (D0 HODNOTY KARET; D4
 *	  Blackjack 6).
 */
#ifndef CASINO_BLACKJACK_HAND_H
#define CASINO_BLACKJACK_HAND_H

#include "core/hand.h"

#define CASINO_BLACKJACK_BEST	21	/* the total that nothing may exceed */

/* Value of a card: 2 to 10, pictures 10, ace 1; 0 for a byte that is no card. */
extern int	casino_blackjack_card_value(CasinoCard card);

extern bool casino_blackjack_is_ace(CasinoCard card);
extern bool casino_blackjack_is_ten(CasinoCard card);	/* ten or picture */

/* Total of the first count cards; one ace counts 11 unless that is over 21. */
extern int	casino_blackjack_total_of(const CasinoHand *hand, int count);
extern int	casino_blackjack_total(const CasinoHand *hand);

/* Does an ace of the hand count 11? */
extern bool casino_blackjack_is_soft(const CasinoHand *hand);

/* Ace and ten-value, and no other card.  Whether the hand was split, the caller knows. */
extern bool casino_blackjack_is_blackjack(const CasinoHand *hand);

/* Two letters of a card with NUL, for messages. */
typedef struct CasinoCardText
{
	char		text[CASINO_CARD_TEXT_LEN + 1];
} CasinoCardText;

extern CasinoCardText casino_card_text(CasinoCard card);

#endif							/* CASINO_BLACKJACK_HAND_H */
