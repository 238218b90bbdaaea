/*
 * card.h
 *	  One playing card as a byte, its text form, and nothing of PostgreSQL.
 *
 * A card is rank * 4 + suit, 0 (2c) to 51 (As), so that cards sort by rank
 * first.  Ranks run 2..10, J, Q, K, A (0..12); suits c, d, h, s (0..3).
 */
#ifndef CASINO_CARD_H
#define CASINO_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t CasinoCard;

#define CASINO_CARDS_IN_DECK	52
#define CASINO_RANKS			13
#define CASINO_SUITS			4

/* ranks as stored */
enum
{
	CASINO_RANK_2, CASINO_RANK_3, CASINO_RANK_4, CASINO_RANK_5, CASINO_RANK_6,
	CASINO_RANK_7, CASINO_RANK_8, CASINO_RANK_9, CASINO_RANK_T,
	CASINO_RANK_J, CASINO_RANK_Q, CASINO_RANK_K, CASINO_RANK_A
};

/* suits as stored */
enum
{
	CASINO_SUIT_CLUBS, CASINO_SUIT_DIAMONDS, CASINO_SUIT_HEARTS, CASINO_SUIT_SPADES
};

/* longest text of a card: one rank letter, one suit letter */
#define CASINO_CARD_TEXT_LEN	2

static inline int
casino_card_rank(CasinoCard card)
{
	return card >> 2;
}

static inline int
casino_card_suit(CasinoCard card)
{
	return card & 3;
}

static inline CasinoCard
casino_card_make(int rank, int suit)
{
	return (CasinoCard) (rank << 2 | suit);
}

static inline bool
casino_card_is_valid(unsigned card)
{
	return card < CASINO_CARDS_IN_DECK;
}

/*
 * Read one card at text[0..len): rank 23456789TJQKA or "10", then suit c d h s
 * or its symbol (U+2663, 2666, 2665, 2660 in UTF-8).  Returns the number of
 * bytes taken, 0 when no card stands there; what follows is the caller's.
 */
extern size_t casino_card_scan(const char *text, size_t len, CasinoCard *card);

/* Write the two letters of a valid card; no terminating NUL. */
extern void casino_card_print(CasinoCard card, char text[CASINO_CARD_TEXT_LEN]);

#endif							/* CASINO_CARD_H */
