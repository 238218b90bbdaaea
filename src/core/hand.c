/*
 * hand.c
 *	  Hands: cards in the order they were dealt.
 */
#include <string.h>

#include "core/hand.h"
#include "core/text.h"

/*
 * is_blank
 *		ASCII white space; no locale has a say in it.
 */
static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * casino_hand_parse
 *		Read a whole text of cards with any blanks around them.
 *
 * The empty or blank text is the empty hand.  CASINO_MALFORMED for anything
 * that is not a card and for more than CASINO_HAND_MAX cards; *hand is written
 * on success only.
 */
bool
casino_hand_parse(const char *text, size_t len, CasinoHand *hand, CasinoError *error)
{
	CasinoCard	cards[CASINO_HAND_MAX];
	size_t		count = 0;
	size_t		at = 0;

	for (;;)
	{
		CasinoCard	card;
		size_t		taken;

		while (at < len && is_blank(text[at]))
			at++;
		if (at == len)
			return casino_hand_from_cards(cards, count, hand, error);
		taken = casino_card_scan(text + at, len - at, &card);
		if (taken == 0)
			return casino_fail(error, CASINO_MALFORMED,
							   "There is no card at \"%.*s\": cards are written as Ts, 9h or 10d.",
							   casino_text_quoted(len - at), text + at);
		if (count == CASINO_HAND_MAX)
			return casino_fail(error, CASINO_MALFORMED,
							   "A hand has %d cards at most.", CASINO_HAND_MAX);
		cards[count++] = card;
		at += taken;
	}
}

/*
 * casino_hand_print
 *		Write "As Td 5c" with NUL; returns its length, 0 for the empty hand.
 */
size_t
casino_hand_print(const CasinoHand *hand, char text[CASINO_HAND_TEXT_SIZE])
{
	size_t		len = 0;
	int			i;

	for (i = 0; i < hand->count && i < CASINO_HAND_MAX; i++)
	{
		if (i > 0)
			text[len++] = ' ';
		casino_card_print(hand->cards[i], text + len);
		len += CASINO_CARD_TEXT_LEN;
	}
	text[len] = '\0';
	return len;
}

/*
 * casino_hand_from_cards
 *		Make a hand of count bytes, or refuse them as CASINO_MALFORMED.
 *
 * Unused cards of the hand are zero, so that equal hands are equal bytes.
 * cards may be NULL when count is 0, and may lie inside *hand.
 */
bool
casino_hand_from_cards(const uint8_t *cards, size_t count, CasinoHand *hand,
					   CasinoError *error)
{
	size_t		i;

	if (count > CASINO_HAND_MAX)
		return casino_fail(error, CASINO_MALFORMED,
						   "A hand has %d cards at most, not %zu.",
						   CASINO_HAND_MAX, count);
	for (i = 0; i < count; i++)
	{
		if (!casino_card_is_valid(cards[i]))
			return casino_fail(error, CASINO_MALFORMED,
							   "Byte %d in place %zu of the hand is not a card.",
							   cards[i], i + 1);
	}
	if (count > 0)
		memmove(hand->cards, cards, count);
	memset(hand->cards + count, 0, CASINO_HAND_MAX - count);
	hand->count = (uint8_t) count;
	return true;
}
