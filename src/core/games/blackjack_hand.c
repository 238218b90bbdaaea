/*
 * blackjack_hand.c
 *	  Values and totals of blackjack hands.
 */
#include "core/games/blackjack_hand.h"

/* D0 HODNOTY KARET, D4 Blackjack §6, by rank as stored; the ace at its lower value */
static const uint8_t rank_values[CASINO_RANKS] = {
	2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1
};

#define ACE_EXTRA	10			/* an ace at 11 rather than 1 */

/*
 * casino_blackjack_card_value
 *		Value of one card, an ace 1 (D0 HODNOTY KARET, D4 Blackjack §6); 0 for
 *		a byte that is none.
 */
int
casino_blackjack_card_value(CasinoCard card)
{
	return casino_card_is_valid(card) ? rank_values[casino_card_rank(card)] : 0;
}

/*
 * casino_blackjack_is_ace
 *		Is the card an ace?
 */
bool
casino_blackjack_is_ace(CasinoCard card)
{
	return casino_blackjack_card_value(card) == 1;
}

/*
 * casino_blackjack_is_ten
 *		Does the card count 10, a ten or a picture?
 */
bool
casino_blackjack_is_ten(CasinoCard card)
{
	return casino_blackjack_card_value(card) == 10;
}

/*
 * sum_cards
 *		Sum of the first count cards with every ace at 1; *aces says if there
 *		is one.
 */
static int
sum_cards(const CasinoHand *hand, int count, bool *aces)
{
	int			sum = 0;
	int			i;

	*aces = false;
	for (i = 0; i < count && i < hand->count && i < CASINO_HAND_MAX; i++)
	{
		sum += casino_blackjack_card_value(hand->cards[i]);
		if (casino_blackjack_is_ace(hand->cards[i]))
			*aces = true;
	}
	return sum;
}

/*
 * casino_blackjack_total_of
 *		Total of the first count cards; one ace counts 11 unless the total
 *		would be over 21 (D0 HODNOTY KARET, D4 Blackjack §6).
 */
int
casino_blackjack_total_of(const CasinoHand *hand, int count)
{
	bool		aces;
	int			sum = sum_cards(hand, count, &aces);

	return aces && sum + ACE_EXTRA <= CASINO_BLACKJACK_BEST ? sum + ACE_EXTRA : sum;
}

/*
 * casino_blackjack_total
 *		Total of a hand.
 */
int
casino_blackjack_total(const CasinoHand *hand)
{
	return casino_blackjack_total_of(hand, hand->count);
}

/*
 * casino_blackjack_is_soft
 *		Does an ace of the hand count 11 (D4 Blackjack §6)?
 */
bool
casino_blackjack_is_soft(const CasinoHand *hand)
{
	bool		aces;
	int			sum = sum_cards(hand, hand->count, &aces);

	return aces && sum + ACE_EXTRA <= CASINO_BLACKJACK_BEST;
}

/*
 * casino_blackjack_is_blackjack
 *		Is the hand an ace and a ten-value of two cards (D3 §3, D4 Blackjack
 *		§27)?  Of a split hand that is only 21; the caller knows.
 */
bool
casino_blackjack_is_blackjack(const CasinoHand *hand)
{
	return hand->count == 2 && casino_blackjack_total(hand) == CASINO_BLACKJACK_BEST;
}

/*
 * casino_card_text
 *		The letters of a card as a string.
 */
CasinoCardText
casino_card_text(CasinoCard card)
{
	CasinoCardText result;

	casino_card_print(card, result.text);
	result.text[CASINO_CARD_TEXT_LEN] = '\0';
	return result;
}
