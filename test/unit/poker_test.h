/*
 * poker_test.h
 *	  What the poker programs share: cards from text, random numbers from a seed,
 *	  and a slow evaluator that has nothing of ours in it.
 */
#ifndef POKER_TEST_H
#define POKER_TEST_H

#include <stdlib.h>

#include "check.h"
#include "core/grade.h"
#include "core/hand.h"

/* A hand of a text; a test with cards that are none is no test. */
static inline CasinoHand
cards(const char *text)
{
	CasinoHand	hand;
	CasinoError error;

	if (!casino_hand_parse(text, strlen(text), &hand, &error))
	{
		printf("%s: %s\n", text, error.detail);
		exit(2);
	}
	return hand;
}

/* xorshift, the same numbers in every run */
static uint64_t random_state = UINT64_C(0x9E3779B97F4A7C15);

static inline uint64_t
random_below(uint64_t bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % bound;
}

/* The first count cards of a shuffled deck. */
static inline void
random_deal(CasinoCard *deal, int count)
{
	CasinoCard	deck[52];
	int			i;

	for (i = 0; i < 52; i++)
		deck[i] = (CasinoCard) i;
	for (i = 0; i < count; i++)
	{
		int			at = i + (int) random_below((uint64_t) (52 - i));
		CasinoCard	card = deck[at];

		deck[at] = deck[i];
		deck[i] = card;
		deal[i] = card;
	}
}

/*
 * Strength of five cards as a number that grows with it: nine categories, then
 * five digits of base 15, by looking at the sorted ranks (2 to 14).
 */
static inline int
slow_five(const CasinoCard *five)
{
	int			r[5];
	int			digits[5];
	int			category;
	bool		suited = true;
	bool		run = true;
	int			value;
	int			i;
	int			k;

	for (i = 0; i < 5; i++)
	{
		r[i] = five[i] / 4 + 2;
		suited = suited && five[i] % 4 == five[0] % 4;
	}
	for (i = 0; i < 5; i++)
	{
		for (k = i + 1; k < 5; k++)
		{
			if (r[k] > r[i])
			{
				int			swap = r[k];

				r[k] = r[i];
				r[i] = swap;
			}
		}
	}
	if (r[0] == 14 && r[1] == 5 && r[2] == 4 && r[3] == 3 && r[4] == 2)
	{
		for (i = 0; i < 4; i++)
			r[i] = r[i + 1];
		r[4] = 1;
	}
	for (i = 1; i < 5; i++)
		run = run && r[i] == r[i - 1] - 1;
	memcpy(digits, r, sizeof(digits));

	/* what lies side by side after sorting: bring it to the front */
#define FRONT(a, b, c, d, e) \
	(digits[0] = r[a], digits[1] = r[b], digits[2] = r[c], digits[3] = r[d], digits[4] = r[e])
	if (run)
		category = suited ? 8 : 4;
	else if (r[0] == r[3])
		category = 7;
	else if (r[1] == r[4])
		category = 7, FRONT(1, 2, 3, 4, 0);
	else if (r[0] == r[2] && r[3] == r[4])
		category = 6;
	else if (r[2] == r[4] && r[0] == r[1])
		category = 6, FRONT(2, 3, 4, 0, 1);
	else if (suited)
		category = 5;
	else if (r[0] == r[2])
		category = 3;
	else if (r[1] == r[3])
		category = 3, FRONT(1, 2, 3, 0, 4);
	else if (r[2] == r[4])
		category = 3, FRONT(2, 3, 4, 0, 1);
	else if (r[0] == r[1] && r[2] == r[3])
		category = 2;
	else if (r[0] == r[1] && r[3] == r[4])
		category = 2, FRONT(0, 1, 3, 4, 2);
	else if (r[1] == r[2] && r[3] == r[4])
		category = 2, FRONT(1, 2, 3, 4, 0);
	else if (r[0] == r[1])
		category = 1;
	else if (r[1] == r[2])
		category = 1, FRONT(1, 2, 0, 3, 4);
	else if (r[2] == r[3])
		category = 1, FRONT(2, 3, 0, 1, 4);
	else if (r[3] == r[4])
		category = 1, FRONT(3, 4, 0, 1, 2);
	else
		category = 0;
#undef FRONT

	value = category;
	for (i = 0; i < 5; i++)
		value = value * 15 + digits[i];
	return value;
}

/* The best of all fives of five to seven cards. */
static inline int
slow_best(const CasinoCard *all, int count)
{
	int			best = -1;
	int			a,
				b,
				c,
				d,
				e;

	for (a = 0; a < count; a++)
		for (b = a + 1; b < count; b++)
			for (c = b + 1; c < count; c++)
				for (d = c + 1; d < count; d++)
					for (e = d + 1; e < count; e++)
					{
						CasinoCard	five[5] = {all[a], all[b], all[c], all[d], all[e]};
						int			value = slow_five(five);

						if (value > best)
							best = value;
					}
	return best;
}

#endif							/* POKER_TEST_H */
