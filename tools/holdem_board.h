/*
 * holdem_board.h
 *	  Casino Hold'em on one board of five cards: what each of the 1,081 pairs of
 *	  cards a player may hold meets in all 990 hands of the dealer.
 *
 * For tools/holdem_counts.c, which counts all boards, and for the unit program
 * that holds it against the extension's own grading.
 */
#ifndef CASINO_HOLDEM_BOARD_H
#define CASINO_HOLDEM_BOARD_H

#include <string.h>

#include "core/games/casino_holdem.h"
#include "core/returns/count_holdem.h"
#include "core/games/poker_rank.h"

#define BOARD_PAIRS		1081	/* of the 47 cards that are not on the board */
#define DEALER_HANDS	990		/* of the 45 that are not the player's either */

typedef struct BoardPair
{
	CasinoCard	a;
	CasinoCard	b;
	int			number;
	int			dealers[CASINO_HOLDEM_CASES];	/* dealer's hands of each case */
} BoardPair;

/* Line of the ante, from the best one, for a hand of that number. */
static inline int
ante_line(int number)
{
	switch (casino_poker_category(number))
	{
		case CASINO_POKER_ROYAL_FLUSH:
			return 0;
		case CASINO_POKER_STRAIGHT_FLUSH:
			return 1;
		case CASINO_POKER_FOUR_OF_A_KIND:
			return 2;
		case CASINO_POKER_FULL_HOUSE:
			return 3;
		case CASINO_POKER_FLUSH:
			return 4;
		default:
			return 5;
	}
}

/* How many pairs of a set there are, and how many with each card. */
typedef struct PairCount
{
	int			all;
	int			with[CASINO_CARDS_IN_DECK];
} PairCount;

static inline void
count_pair(PairCount *count, const BoardPair *pair)
{
	count->all++;
	count->with[pair->a]++;
	count->with[pair->b]++;
}

/* Pairs of the set that have no card of this one, which is (1) or is not (0) in the set itself. */
static inline int
apart_from(const PairCount *count, const BoardPair *pair, int itself)
{
	return count->all - count->with[pair->a] - count->with[pair->b] + itself;
}

/* One pair, from how many dealer's hands qualify, are better and are equal. */
static inline void
fill_cases(BoardPair *pair, int qualified, int better, int equal)
{
	int			line = ante_line(pair->number);

	memset(pair->dealers, 0, sizeof(pair->dealers));
	if (!casino_holdem_qualifies(pair->number))
	{
		better = qualified;		/* whoever qualifies is better */
		equal = 0;
	}
	pair->dealers[CASINO_HOLDEM_WON + line] = qualified - better - equal;
	pair->dealers[CASINO_HOLDEM_UNQUALIFIED + line] = DEALER_HANDS - qualified;
	pair->dealers[CASINO_HOLDEM_PUSHED] = equal;
	pair->dealers[CASINO_HOLDEM_LOST] = better;
}

/* All pairs of a board with their cases, best hands first. */
static inline void
count_board(const CasinoCard board[CASINO_HOLDEM_BOARD], BoardPair pairs[BOARD_PAIRS])
{
	static int	first[CASINO_POKER_WORST + 2];	/* place of the first pair of a number */
	BoardPair	found[BOARD_PAIRS];
	PairCount	qualified = {0, {0}};
	PairCount	better = {0, {0}};
	uint64_t	on_board = 0;
	int			count = 0;
	int			number;
	int			i;
	int			k;

	for (i = 0; i < CASINO_HOLDEM_BOARD; i++)
		on_board |= UINT64_C(1) << board[i];
	memset(first, 0, sizeof(first));
	for (i = 1; i < CASINO_CARDS_IN_DECK; i++)
	{
		for (k = 0; k < i; k++)
		{
			CasinoCard	cards[CASINO_POKER_CARDS_MAX];
			BoardPair  *pair = &found[count];

			if ((on_board >> i & 1) != 0 || (on_board >> k & 1) != 0)
				continue;
			memcpy(cards, board, CASINO_HOLDEM_BOARD);
			cards[CASINO_HOLDEM_BOARD] = pair->a = (CasinoCard) k;
			cards[CASINO_HOLDEM_BOARD + 1] = pair->b = (CasinoCard) i;
			pair->number = casino_poker_rank7(cards);
			if (casino_holdem_qualifies(pair->number))
				count_pair(&qualified, pair);
			first[pair->number + 1]++;
			count++;
		}
	}
	for (number = 1; number <= CASINO_POKER_WORST + 1; number++)
		first[number] += first[number - 1];
	for (i = 0; i < BOARD_PAIRS; i++)
		pairs[first[found[i].number]++] = found[i];

	for (i = 0; i < BOARD_PAIRS; i = k)
	{
		PairCount	equal = {0, {0}};
		int			qualifies = casino_holdem_qualifies(pairs[i].number) ? 1 : 0;
		int			j;

		for (k = i; k < BOARD_PAIRS && pairs[k].number == pairs[i].number; k++)
			count_pair(&equal, &pairs[k]);
		for (j = i; j < k; j++)
			fill_cases(&pairs[j], apart_from(&qualified, &pairs[j], qualifies),
					   apart_from(&better, &pairs[j], 0), apart_from(&equal, &pairs[j], 1));
		for (j = i; j < k; j++)
			count_pair(&better, &pairs[j]);
	}
}

#endif							/* CASINO_HOLDEM_BOARD_H */
