/*
 * copies.h
 *	  No card is on the table more often than there are decks.
 */
#ifndef CASINO_COPIES_H
#define CASINO_COPIES_H

#include "core/hand.h"

/* How often each card has been seen; start from all zero bytes. */
typedef struct CasinoCopies
{
	uint16_t	seen[CASINO_CARDS_IN_DECK];
} CasinoCopies;

/* Count the cards of one more hand. */
extern void casino_copies_add(CasinoCopies *copies, const CasinoHand *hand);

/*
 * Count one more card; false for what is no card, and for one that is there
 * more often than that many decks have it.  The one recipe: who asks says
 * where it lies.
 */
extern bool casino_copies_take(CasinoCopies *copies, CasinoCard card, int decks);

/* Is no card there more often than that many decks have it? */
extern bool casino_copies_check(const CasinoCopies *copies, int decks, CasinoError *error);

#endif							/* CASINO_COPIES_H */
