/*
 * card.c
 *	  Text form of one playing card.
 */
#include <string.h>

#include "core/card.h"

/* letters by rank and suit as stored; case matters, as printed */
static const char rank_letters[CASINO_RANKS] = {
	'2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'
};
static const char suit_letters[CASINO_SUITS] = {'c', 'd', 'h', 's'};

/* suit symbols U+2663, U+2666, U+2665, U+2660 in UTF-8, by suit as stored */
#define SUIT_SYMBOL_LEN 3
static const char suit_symbols[CASINO_SUITS][SUIT_SYMBOL_LEN] = {
	{'\xE2', '\x99', '\xA3'},
	{'\xE2', '\x99', '\xA6'},
	{'\xE2', '\x99', '\xA5'},
	{'\xE2', '\x99', '\xA0'}
};

/*
 * scan_rank
 *		Read a rank letter or "10"; returns the bytes taken, 0 for none.
 */
static size_t
scan_rank(const char *text, size_t len, int *rank)
{
	const char *found;

	if (len >= 2 && text[0] == '1' && text[1] == '0')
	{
		*rank = CASINO_RANK_T;
		return 2;
	}
	if (len == 0)
		return 0;
	found = memchr(rank_letters, text[0], sizeof(rank_letters));
	if (found == NULL)
		return 0;
	*rank = (int) (found - rank_letters);
	return 1;
}

/*
 * scan_suit
 *		Read a suit letter or symbol; returns the bytes taken, 0 for none.
 */
static size_t
scan_suit(const char *text, size_t len, int *suit)
{
	const char *found;
	int			i;

	if (len == 0)
		return 0;
	found = memchr(suit_letters, text[0], sizeof(suit_letters));
	if (found != NULL)
	{
		*suit = (int) (found - suit_letters);
		return 1;
	}
	if (len < SUIT_SYMBOL_LEN)
		return 0;
	for (i = 0; i < CASINO_SUITS; i++)
	{
		if (memcmp(text, suit_symbols[i], SUIT_SYMBOL_LEN) == 0)
		{
			*suit = i;
			return SUIT_SYMBOL_LEN;
		}
	}
	return 0;
}

/*
 * casino_card_scan
 *		Read one card at text[0..len): rank 23456789TJQKA or "10", then suit
 *		cdhs or its symbol.
 *
 * Returns the bytes taken, 0 when no card stands there (*card is untouched).
 */
size_t
casino_card_scan(const char *text, size_t len, CasinoCard *card)
{
	int			rank;
	int			suit;
	size_t		rank_len;
	size_t		suit_len;

	rank_len = scan_rank(text, len, &rank);
	if (rank_len == 0)
		return 0;
	suit_len = scan_suit(text + rank_len, len - rank_len, &suit);
	if (suit_len == 0)
		return 0;
	*card = casino_card_make(rank, suit);
	return rank_len + suit_len;
}

/*
 * casino_card_print
 *		Write rank and suit letter, no NUL; "??" for a byte that is no card.
 */
void
casino_card_print(CasinoCard card, char text[CASINO_CARD_TEXT_LEN])
{
	bool		valid = casino_card_is_valid(card);

	text[0] = valid ? rank_letters[casino_card_rank(card)] : '?';
	text[1] = valid ? suit_letters[casino_card_suit(card)] : '?';
}
