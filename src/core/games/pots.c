/*
 * pots.c
 *	  Uncalled money, main and side pots, shares (R6.8 to R6.16).
 *
 * The contributions, from the lowest to the highest, cut the money into levels.
 * Who contends for a level contends for those below it, so levels with the same
 * contenders lie side by side and are one pot.
 */
#include <string.h>

#include "core/games/pots.h"

#include "core/games/copies.h"
#include "core/games/poker_rank.h"

#define BOARD_CARDS		5
#define HOLE_CARDS		2

/*
 * casino_first_left_of
 *		First of these seats left of the button: clockwise, the next higher number,
 *		after seat 10 seat 1; the button's own seat comes last.  0 for none.
 */
int
casino_first_left_of(int button, CasinoSeats seats)
{
	int			i;

	for (i = 0; i < CASINO_SEATS_MAX; i++)
	{
		int			at = (button + i) % CASINO_SEATS_MAX;

		if (seats >> at & 1)
			return at + 1;
	}
	return 0;
}

/*
 * payers
 *		Seats that put in at least so much, the folded ones among them or not.
 */
static CasinoSeats
payers(const CasinoPotHand *hand, int64_t level, bool folded_too)
{
	CasinoSeats seats = 0;
	int			seat;

	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		const CasinoPotSeat *s = &hand->seats[seat - 1];

		if (s->contributed >= level && (folded_too || !s->folded))
			seats |= CASINO_SEAT_BIT(seat);
	}
	return seats;
}

/*
 * count_seats
 *		How many seats are in a set.
 */
static int
count_seats(CasinoSeats seats)
{
	return __builtin_popcount(seats);
}

/*
 * next_level
 *		The lowest contribution above a level, 0 when there is none.
 */
static int64_t
next_level(const CasinoPotHand *hand, int64_t level)
{
	int64_t		next = 0;
	int			i;

	for (i = 0; i < CASINO_SEATS_MAX; i++)
	{
		int64_t		contributed = hand->seats[i].contributed;

		if (contributed > level && (next == 0 || contributed < next))
			next = contributed;
	}
	return next;
}

/*
 * casino_pots_must_show
 *		Seats that must show their cards: those left, when they are two or more
 *		(D2 Texas Holdem, Showdown).
 */
CasinoSeats
casino_pots_must_show(const CasinoPotHand *hand)
{
	CasinoSeats left = payers(hand, 1, false);

	return count_seats(left) >= 2 ? left : 0;
}

/*
 * check_amounts
 *		Is the button a seat, and is every contribution an amount?
 */
static bool
check_amounts(const CasinoPotHand *hand, CasinoError *error)
{
	int			seat;

	if (hand->button < 1 || hand->button > CASINO_SEATS_MAX)
		return casino_fail(error, CASINO_OUT_OF_RANGE,
						   "The button lies at a seat from 1 to %d, not at %d.",
						   CASINO_SEATS_MAX, hand->button);
	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		int64_t		contributed = hand->seats[seat - 1].contributed;

		if (contributed < 0 || contributed > CASINO_CONTRIBUTED_MAX)
			return casino_fail(error, CASINO_OUT_OF_RANGE,
							   "The contribution of seat %d is out of range.", seat);
	}
	return true;
}

/*
 * check_deck
 *		No card twice among the board and what was shown; also of folded seats.
 */
static bool
check_deck(const CasinoPotHand *hand, CasinoError *error)
{
	CasinoCopies copies = {{0}};
	int			seat;
	int			i;

	/* the board as seat 0 */
	for (seat = 0; seat <= CASINO_SEATS_MAX; seat++)
	{
		const CasinoCard *cards = seat == 0 ? hand->board.cards : hand->seats[seat - 1].cards;
		int			count = hand->board.count;

		if (seat > 0)
			count = hand->seats[seat - 1].has_cards ? HOLE_CARDS : 0;
		for (i = 0; i < count; i++)
		{
			char		text[CASINO_CARD_TEXT_LEN];

			casino_card_print(cards[i], text);
			if (!casino_card_is_valid(cards[i]))
				return casino_fail(error, CASINO_ILLEGAL_OUTCOME, "Byte %d is not a card.", cards[i]);
			if (!casino_copies_take(&copies, cards[i], 1))
				return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
								   "The card %.2s was dealt twice from one deck (R6.14).", text);
		}
	}
	return true;
}

/*
 * check_cards
 *		Are the cards there that the hand needs (D2 Texas Holdem, Flop to
 *		Showdown), and none twice?
 */
static bool
check_cards(const CasinoPotHand *hand, CasinoSeats must_show, CasinoError *error)
{
	int			count = hand->board.count;
	int			seat;

	if (count > BOARD_CARDS || count == 1 || count == 2)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The board has %d card%s; it has 0, 3, 4 or 5 (D2 Texas Holdem, Flop to River).",
						   count, count == 1 ? "" : "s");
	if (must_show != 0 && count != BOARD_CARDS)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "The board has %d cards and %d seats are left; a showdown needs five "
						   "(D2 Texas Holdem, Showdown).",
						   count, count_seats(must_show));
	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		if ((must_show & CASINO_SEAT_BIT(seat)) && !hand->seats[seat - 1].has_cards)
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "Seat %d did not fold and shows no cards at the showdown "
							   "(D2 Texas Holdem, Showdown).",
							   seat);
	}
	return check_deck(hand, error);
}

/*
 * give_back_uncalled
 *		What only one seat put in above all others goes back to it; returns up to
 *		which level there are pots, in *top, or refuses a seat that folded to
 *		its own money.
 */
static bool
give_back_uncalled(const CasinoPotHand *hand, CasinoPots *pots, int64_t *top,
				   CasinoError *error)
{
	int64_t		highest = 0;
	int64_t		second = 0;
	int			owner = 0;
	int			seat;

	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		int64_t		contributed = hand->seats[seat - 1].contributed;

		if (contributed > highest)
		{
			second = highest;
			highest = contributed;
			owner = seat;
		}
		else if (contributed > second)
			second = contributed;
	}
	*top = second;
	if (highest == second)
		return true;
	if (hand->seats[owner - 1].folded)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "Seat %d folded, though nobody else had put in as much (R6.11).",
						   owner);
	pots->returned[owner - 1] = highest - second;
	return true;
}

/*
 * collect_pots
 *		Put the levels up to top into pots.
 */
static bool
collect_pots(const CasinoPotHand *hand, int64_t top, CasinoPots *pots, CasinoError *error)
{
	int64_t		below = 0;
	int64_t		level;

	for (level = next_level(hand, 0); level != 0 && level <= top; level = next_level(hand, level))
	{
		CasinoSeats contenders = payers(hand, level, false);
		CasinoPot  *pot = &pots->pots[pots->count > 0 ? pots->count - 1 : 0];

		if (contenders == 0)
			return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
							   "Everybody who put in more than %lld.%02d folded; the last of them cannot "
							   "have (R6.11).",
							   (long long) (below / 100), (int) (below % 100));
		if (pots->count == 0 || pot->contenders != contenders)
		{
			pot = &pots->pots[pots->count++];
			pot->contenders = contenders;
		}
		pot->level = level;
		pot->amount += (level - below) * count_seats(payers(hand, level, true));
		below = level;
	}
	return true;
}

/*
 * find_winners
 *		The contenders with the best hand; the only contender needs no cards (R6.12).
 */
static CasinoSeats
find_winners(CasinoSeats contenders, const int numbers[CASINO_SEATS_MAX])
{
	CasinoSeats winners = 0;
	int			best = CASINO_POKER_WORST + 1;
	int			seat;

	if (count_seats(contenders) == 1)
		return contenders;
	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		if (!(contenders & CASINO_SEAT_BIT(seat)) || numbers[seat - 1] > best)
			continue;
		if (numbers[seat - 1] < best)
			winners = 0;
		best = numbers[seat - 1];
		winners |= CASINO_SEAT_BIT(seat);
	}
	return winners;
}

/*
 * share_pot
 *		Divide a pot among its winners in haléře, the odd ones one each from the
 *		first winner left of the button (R6.10).
 */
static void
share_pot(CasinoPot *pot, int button, int64_t won[CASINO_SEATS_MAX])
{
	int			count = count_seats(pot->winners);
	int64_t		odd = pot->amount % count;
	CasinoSeats left = pot->winners;

	while (left != 0)
	{
		int			seat = casino_first_left_of(button, left);
		int64_t		share = pot->amount / count + (odd > 0 ? 1 : 0);

		odd--;
		left &= (CasinoSeats) ~CASINO_SEAT_BIT(seat);
		pot->shares[seat - 1] = share;
		won[seat - 1] += share;
	}
}

/*
 * rank_hands
 *		Numbers of the hands that take part in the showdown.
 */
static void
rank_hands(const CasinoPotHand *hand, CasinoSeats shown, int numbers[CASINO_SEATS_MAX])
{
	CasinoCard	cards[HOLE_CARDS + BOARD_CARDS];
	int			seat;

	memcpy(cards + HOLE_CARDS, hand->board.cards, BOARD_CARDS);
	for (seat = 1; seat <= CASINO_SEATS_MAX; seat++)
	{
		if (!(shown & CASINO_SEAT_BIT(seat)))
			continue;
		memcpy(cards, hand->seats[seat - 1].cards, HOLE_CARDS);
		numbers[seat - 1] = casino_poker_rank7(cards);
	}
}

/*
 * casino_pots_settle
 *		Settle a hand: uncalled money, pots, winners and shares.
 *
 * On refusal *pots is empty.
 */
bool
casino_pots_settle(const CasinoPotHand *hand, CasinoPots *pots, CasinoError *error)
{
	CasinoSeats must_show;
	int64_t		top;
	int			i;

	memset(pots, 0, sizeof(*pots));
	if (!check_amounts(hand, error))
		return false;
	must_show = casino_pots_must_show(hand);
	if (!check_cards(hand, must_show, error))
		return false;
	if (payers(hand, 1, false) == 0)
		return casino_fail(error, CASINO_ILLEGAL_OUTCOME,
						   "No seat with money in the pot is left (R6.11).");
	if (!give_back_uncalled(hand, pots, &top, error) || !collect_pots(hand, top, pots, error))
	{
		memset(pots, 0, sizeof(*pots));
		return false;
	}
	pots->showdown = must_show != 0;
	rank_hands(hand, must_show, pots->numbers);
	for (i = 0; i < pots->count; i++)
	{
		pots->pots[i].winners = find_winners(pots->pots[i].contenders, pots->numbers);
		share_pot(&pots->pots[i], hand->button, pots->won);
	}
	return true;
}
