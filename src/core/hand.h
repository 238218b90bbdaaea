/*
 * hand.h
 *	  Cards in the order they were dealt, of any number of decks.
 */
#ifndef CASINO_HAND_H
#define CASINO_HAND_H

#include "core/card.h"
#include "core/error.h"

/* Most cards of one hand: a shared blackjack hand of aces from eight decks stays below. */
#define CASINO_HAND_MAX		24

typedef struct CasinoHand
{
	uint8_t		count;			/* 0 to CASINO_HAND_MAX */
	CasinoCard	cards[CASINO_HAND_MAX];
} CasinoHand;

/* longest printed hand: two letters a card and blanks between, with NUL */
#define CASINO_HAND_TEXT_SIZE	(CASINO_HAND_MAX * 3)

/* Read a whole text of cards, blanks optional; the empty text is the empty hand. */
extern bool casino_hand_parse(const char *text, size_t len, CasinoHand *hand,
							  CasinoError *error);

/* Write "As Td 5c" with a terminating NUL; returns its length. */
extern size_t casino_hand_print(const CasinoHand *hand, char text[CASINO_HAND_TEXT_SIZE]);

/*
 * The one canonicaliser: cards as bytes from binary receive, an array or a
 * concatenation become a hand, or are refused.
 */
extern bool casino_hand_from_cards(const uint8_t *cards, size_t count,
								   CasinoHand *hand, CasinoError *error);

#endif							/* CASINO_HAND_H */
