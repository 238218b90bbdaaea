/*
 * pots.h
 *	  Settlement of a Texas Hold'em cash game: uncalled money, main and side pots,
 *	  shares (D2 Texas Holdem, Showdown; R6.8 to R6.16).
 *
 * Money only moves between the players: what the seats get is what they put in.
 */
#ifndef CASINO_POTS_H
#define CASINO_POTS_H

#include "core/hand.h"

#define CASINO_SEATS_MAX	10	/* seats 1 to 10, clockwise; seat n lies at [n - 1] */

/* the highest a seat may have put in: ten of them stay far inside 63 bits */
#define CASINO_CONTRIBUTED_MAX	INT64_C(99999999999999)

/* Seats as bits: bit n - 1 is seat n. */
typedef uint16_t CasinoSeats;

#define CASINO_SEAT_BIT(seat)	((CasinoSeats) (1u << ((seat) - 1)))

typedef struct CasinoPotSeat
{
	int64_t		contributed;	/* haléře in the whole hand; 0: the seat is not looked at */
	bool		folded;
	bool		has_cards;		/* cards shown; needed at a showdown */
	CasinoCard	cards[2];
} CasinoPotSeat;

typedef struct CasinoPotHand
{
	CasinoPotSeat seats[CASINO_SEATS_MAX];
	CasinoHand	board;			/* 5 cards at a showdown, else 0, 3, 4 or 5 */
	int			button;			/* 1 to 10; the seat may be empty */
} CasinoPotHand;

typedef struct CasinoPot
{
	int64_t		level;			/* up to which contribution */
	int64_t		amount;
	CasinoSeats contenders;		/* paid the level and did not fold */
	CasinoSeats winners;
	int64_t		shares[CASINO_SEATS_MAX];
} CasinoPot;

typedef struct CasinoPots
{
	int			count;			/* main pot first; no two have the same contenders */
	CasinoPot	pots[CASINO_SEATS_MAX];
	int64_t		won[CASINO_SEATS_MAX];	/* from all pots */
	int64_t		returned[CASINO_SEATS_MAX]; /* uncalled */
	int			numbers[CASINO_SEATS_MAX];	/* poker_rank.h; 0 for who showed or needed no cards */
	bool		showdown;
} CasinoPots;

/*
 * Who must show cards: the seats that paid and did not fold, when there are
 * two or more; nobody when the hand was won without a showdown.
 */
extern CasinoSeats casino_pots_must_show(const CasinoPotHand *hand);

/*
 * Settle a hand.  CASINO_OUT_OF_RANGE for amounts and a button that are none,
 * CASINO_ILLEGAL_OUTCOME for a hand that cannot have been played so: money that
 * only folded seats paid, nobody left, cards missing or twice.
 */
extern bool casino_pots_settle(const CasinoPotHand *hand, CasinoPots *pots,
							   CasinoError *error);

/* The first of these seats left of the button, the button itself last; 0 for none. */
extern int	casino_first_left_of(int button, CasinoSeats seats);

#endif							/* CASINO_POTS_H */
