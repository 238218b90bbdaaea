/*
 * copies.c
 *	  No card is on the table more often than there are decks.
 */
#include "core/games/copies.h"

/*
 * casino_copies_add
 *		Count the cards of one more hand.
 */
void
casino_copies_add(CasinoCopies *copies, const CasinoHand *hand)
{
	int			i;

	for (i = 0; i < hand->count && i < CASINO_HAND_MAX; i++)
	{
		CasinoCard	card = hand->cards[i];

		if (casino_card_is_valid(card) && copies->seen[card] < UINT16_MAX)
			copies->seen[card]++;
	}
}

/*
 * casino_copies_take
 *		Count one more card; false for what is no card, and for one that is
 *		there more often than that many decks have it.
 */
bool
casino_copies_take(CasinoCopies *copies, CasinoCard card, int decks)
{
	return casino_card_is_valid(card) && copies->seen[card]++ < decks;
}

/*
 * casino_copies_check
 *		Is no card there more often than that many decks have it?
 *		CASINO_ILLEGAL_OUTCOME naming the first that is.
 */
bool
casino_copies_check(const CasinoCopies *copies, int decks, CasinoError *error)
{
	unsigned	card;

	for (card = 0; card < CASINO_CARDS_IN_DECK; card++)
	{
		char		text[CASINO_CARD_TEXT_LEN];

		if (copies->seen[card] <= decks)
			continue;
		casino_card_print((CasinoCard) card, text);
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The card %.2s was dealt %d time%s from %d deck%s.", text, copies->seen[card],
						   copies->seen[card] == 1 ? "" : "s", decks, decks == 1 ? "" : "s");
	}
	return true;
}
