/*
 * holdem_counts.c
 *	  All deals of Casino Hold'em, and the best decision after each flop: writes
 *	  src/core/returns/count_holdem_kept.h.  Run by `make holdem-counts`; a minute or two
 *	  and 300 MB.
 *
 * 1,326 hands of the player, 19,600 flops, 1,081 turns and rivers and 990 hands
 * of the dealer are 27,813,810,024,000 deals.  Suits have no order, so that
 * 134,459 of the 2,598,960 boards stand for all, each for up to 24.  On one
 * board all hands are ranked once; how many of the dealer's are better, equal
 * or do not qualify follows from the order for each hand of the player.  The
 * deals of a hand and a flop, of which 1,286,792 differ in more than their
 * suits, are added up over the ten flops of every board, and then it is decided
 * to call or to fold: calling is best where ante and call together do not bring
 * less than the lost ante.
 *
 * Arguments: odds of the ante's six lines, best first; without them those of
 * D4 Casino Hold'em §17.  A call costs two antes (§10).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "holdem_board.h"

#define FLOPS			22100
#define HOLES			1326
#define BOARDS			2598960
#define ALL_CLASSES		1286792
#define BOARD_CLASSES	134459

typedef struct Class
{
	int64_t		deals[CASINO_HOLDEM_CASES];
} Class;

static uint32_t *class_of;		/* by flop and hole, counted from 1 */
static Class *classes;
static int	suit_orders[24][4];

static void
fail(const char *what)
{
	fprintf(stderr, "holdem_counts: %s\n", what);
	exit(1);
}

static void *
room(size_t count, size_t size)
{
	void	   *memory = calloc(count, size);

	if (memory == NULL)
		fail("out of memory");
	return memory;
}

/* n over k, for places in the order of combinations */
static int
choose(int n, int k)
{
	int			ways = 1;
	int			i;

	for (i = 0; i < k; i++)
		ways = ways * (n - i) / (i + 1);
	return ways;
}

/* Place of ascending cards among all combinations of so many. */
static int
place(const int *cards, int count)
{
	static int	ways[CASINO_CARDS_IN_DECK][6];
	int			at = 0;
	int			i;

	if (ways[1][1] == 0)
	{
		for (i = 0; i < CASINO_CARDS_IN_DECK * 6; i++)
			ways[i / 6][i % 6] = choose(i / 6, i % 6);
	}
	for (i = 0; i < count; i++)
		at += ways[cards[i]][i + 1];
	return at;
}

static void
sort(int *cards, int count)
{
	int			i;
	int			k;

	for (i = 1; i < count; i++)
	{
		int			card = cards[i];

		for (k = i; k > 0 && cards[k - 1] > card; k--)
			cards[k] = cards[k - 1];
		cards[k] = card;
	}
}

/* Place of the same cards with other suits. */
static int
place_in_suits(const int *cards, int count, const int *suits)
{
	int			other[5];
	int			i;

	for (i = 0; i < count; i++)
		other[i] = casino_card_make(casino_card_rank((CasinoCard) cards[i]),
									suits[casino_card_suit((CasinoCard) cards[i])]);
	sort(other, count);
	return place(other, count);
}

static void
make_suit_orders(void)
{
	int			count = 0;
	int			code;

	for (code = 0; code < 256; code++)
	{
		int			suits[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};

		if ((1 << suits[0] | 1 << suits[1] | 1 << suits[2] | 1 << suits[3]) == 15)
			memcpy(suit_orders[count++], suits, sizeof(suits));
	}
}

/* Number the classes of flop and hole. */
static void
make_classes(void)
{
	uint32_t	count = 0;
	int			flop[3];
	int			hole[2];
	int			order;

	for (flop[2] = 2; flop[2] < CASINO_CARDS_IN_DECK; flop[2]++)
		for (flop[1] = 1; flop[1] < flop[2]; flop[1]++)
			for (flop[0] = 0; flop[0] < flop[1]; flop[0]++)
				for (hole[1] = 1; hole[1] < CASINO_CARDS_IN_DECK; hole[1]++)
					for (hole[0] = 0; hole[0] < hole[1]; hole[0]++)
					{
						if (hole[0] == flop[0] || hole[0] == flop[1] || hole[0] == flop[2] ||
							hole[1] == flop[0] || hole[1] == flop[1] || hole[1] == flop[2] ||
							class_of[place(flop, 3) * HOLES + place(hole, 2)] != 0)
							continue;
						count++;
						for (order = 0; order < 24; order++)
							class_of[place_in_suits(flop, 3, suit_orders[order]) * HOLES +
									 place_in_suits(hole, 2, suit_orders[order])] = count;
					}
	if (count != ALL_CLASSES)
		fail("not 1286792 kinds of hand and flop");
}

/* Add a board that stands for so many to the classes of its ten flops. */
static void
add_board(const int *cards, int64_t stands_for)
{
	static BoardPair pairs[BOARD_PAIRS];
	CasinoCard	board[CASINO_HOLDEM_BOARD];
	int			flops[10];
	int			count = 0;
	int			i;
	int			k;
	int			n;

	for (i = 0; i < CASINO_HOLDEM_BOARD; i++)
		board[i] = (CasinoCard) cards[i];
	for (i = 0; i < 5; i++)
		for (k = i + 1; k < 5; k++)
			for (n = k + 1; n < 5; n++)
			{
				int			flop[3] = {cards[i], cards[k], cards[n]};

				flops[count++] = place(flop, 3) * HOLES;
			}
	count_board(board, pairs);
	for (i = 0; i < BOARD_PAIRS; i++)
	{
		int			hole[2] = {pairs[i].a, pairs[i].b};
		int			at = place(hole, 2);

		for (k = 0; k < 10; k++)
		{
			Class	   *class = &classes[class_of[flops[k] + at] - 1];

			for (n = 0; n < CASINO_HOLDEM_CASES; n++)
				class->deals[n] += stands_for * pairs[i].dealers[n];
		}
	}
}

static void
add_boards(void)
{
	uint8_t    *seen = room(BOARDS, 1);
	int			count = 0;
	int			c[5];
	int			order;

	for (c[4] = 4; c[4] < CASINO_CARDS_IN_DECK; c[4]++)
		for (c[3] = 3; c[3] < c[4]; c[3]++)
			for (c[2] = 2; c[2] < c[3]; c[2]++)
				for (c[1] = 1; c[1] < c[2]; c[1]++)
					for (c[0] = 0; c[0] < c[1]; c[0]++)
					{
						int			stands_for = 0;

						if (seen[place(c, 5)])
							continue;
						for (order = 0; order < 24; order++)
						{
							int			other = place_in_suits(c, 5, suit_orders[order]);

							stands_for += seen[other] ? 0 : 1;
							seen[other] = 1;
						}
						add_board(c, stands_for);
						if (++count % 10000 == 0)
							fprintf(stderr, "%d of %d boards\n", count, BOARD_CLASSES);
					}
	free(seen);
	if (count != BOARD_CLASSES)
		fail("not 134459 kinds of board");
}

/* Profit of ante and call in antes, over the deals of a class. */
static int64_t
profit(const Class *class, const int *odds)
{
	int64_t		sum = -class->deals[CASINO_HOLDEM_LOST] * (1 + CASINO_HOLDEM_CALL);
	int			i;

	for (i = 0; i < CASINO_HOLDEM_LINES; i++)
		sum += class->deals[CASINO_HOLDEM_WON + i] * (odds[i] + CASINO_HOLDEM_CALL) +
			class->deals[CASINO_HOLDEM_UNQUALIFIED + i] * odds[i];
	return sum;
}

static int64_t
deals_of(const Class *class)
{
	int64_t		sum = 0;
	int			i;

	for (i = 0; i < CASINO_HOLDEM_CASES; i++)
		sum += class->deals[i];
	return sum;
}

static void
print_deals(const char *what, const int64_t *deals)
{
	int			i;

	printf("\t\t/* %s */\n\t\t{", what);
	for (i = 0; i < CASINO_HOLDEM_CASES; i++)
		printf("%s%s%" PRId64, i == 0 ? "" : ",", i == 0 ? "" : i % 6 == 0 ? "\n\t\t" : " ", deals[i]);
	printf("}");
}

int
main(int argc, char **argv)
{
	int			odds[CASINO_HOLDEM_LINES] = {100, 20, 10, 3, 2, 1};
	Class		best = {{0}};
	Class		always = {{0}};
	int64_t		folded = 0;
	int			called = 0;
	int			i;
	int			n;

	if (argc != 1 && argc != CASINO_HOLDEM_LINES + 1)
		fail("usage: holdem_counts [ROYAL STRAIGHT_FLUSH FOUR FULL_HOUSE FLUSH WIN]");
	for (i = 1; i < argc; i++)
		odds[i - 1] = atoi(argv[i]);

	class_of = room((size_t) FLOPS * HOLES, sizeof(uint32_t));
	classes = room(ALL_CLASSES, sizeof(Class));
	make_suit_orders();
	make_classes();
	add_boards();
	for (i = 0; i < ALL_CLASSES; i++)
	{
		int64_t		deals = deals_of(&classes[i]);
		bool		calls = profit(&classes[i], odds) >= -deals;

		for (n = 0; n < CASINO_HOLDEM_CASES; n++)
		{
			always.deals[n] += classes[i].deals[n];
			best.deals[n] += calls ? classes[i].deals[n] : 0;
		}
		folded += calls ? 0 : deals;
		called += calls ? 1 : 0;
	}
	if (deals_of(&always) != INT64_C(27813810024000) || deals_of(&best) + folded != deals_of(&always))
		fail("not 27813810024000 deals");

	printf("/* Written by tools/holdem_counts.c (make holdem-counts): do not edit.  Deals by case, see "
		   "count_holdem.h. */\n\n");
	printf("/* odds of the ante's lines; the player calls with %d of %d kinds of hand and flop */\n",
		   called, ALL_CLASSES);
	printf("static const HoldemKept holdem_kept[] = {\n\t{\n\t\t{");
	for (i = 0; i < CASINO_HOLDEM_LINES; i++)
		printf("%s%d", i == 0 ? "" : ", ", odds[i]);
	printf("},\n\t\t/* folded */\n\t\tINT64_C(%" PRId64 "),\n", folded);
	print_deals("called, by the best decision", best.deals);
	printf("\n\t}\n};\n\n");
	printf("/* deals if every hand is called, whatever the odds */\nstatic const int64_t "
		   "holdem_every_call[CASINO_HOLDEM_CASES] = {\n\t");
	for (i = 0; i < CASINO_HOLDEM_CASES; i++)
		printf("%" PRId64 "%s", always.deals[i],
			   i + 1 == CASINO_HOLDEM_CASES ? "\n};\n" : i % 6 == 5 ? ",\n\t" : ", ");
	fprintf(stderr, "ante and call return %.6f %% of the ante\n",
			100.0 + 100.0 * (double) (profit(&best, odds) - folded) / (double) deals_of(&always));
	return 0;
}
