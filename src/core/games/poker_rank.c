/*
 * poker_rank.c
 *	  Evaluator of poker hands.
 *
 * A card adds one to the count of its rank (13 fields of three bits) and to the
 * count of its suit (four fields of four bits above them, which start at three,
 * so that five cards of a suit set the field's top bit).  With a flush the set
 * of the suit's ranks is the place in a table; five cards of a suit leave no
 * room for four of a kind or a full house.  Without one the sum, multiplied so
 * that the suits fall out at the top, leads to the place in another.  The
 * tables (300 kB) are written by tools/poker_tables.c.
 */
#include <string.h>

#include "core/games/poker_rank.h"

#include "core/games/copies.h"
#include "poker_tables.h"

#define SUITS_AT		40		/* first bit of the suits' counts */
#define SUITS_START		(UINT64_C(0x3333) << SUITS_AT)
#define SUITS_FLUSH		(UINT64_C(0x8888) << SUITS_AT)

#define CARD(rank, suit)	(UINT64_C(1) << 3 * (rank) | UINT64_C(1) << (SUITS_AT + 4 * (suit)))
#define RANK(rank)			CARD(rank, 0), CARD(rank, 1), CARD(rank, 2), CARD(rank, 3)

/* by card: what it adds; 64 entries, so that no byte's low six bits lead outside */
static const uint64_t card_counts[64] = {
	RANK(0), RANK(1), RANK(2), RANK(3), RANK(4), RANK(5), RANK(6),
	RANK(7), RANK(8), RANK(9), RANK(10), RANK(11), RANK(12)
};

/*
 * Worst number of each category.  Of 7,462 kinds: 10 straights of one suit,
 * 13 * 12 fours of a kind, 13 * 12 full houses, 1,287 - 10 flushes, 10
 * straights, 13 * 66 threes, 78 * 11 two pairs, 13 * 220 pairs, 1,277 others.
 */
static const uint16_t category_worst[CASINO_POKER_CATEGORY_END] = {
	[CASINO_POKER_ROYAL_FLUSH] = 1,
	[CASINO_POKER_STRAIGHT_FLUSH] = 10,
	[CASINO_POKER_FOUR_OF_A_KIND] = 166,
	[CASINO_POKER_FULL_HOUSE] = 322,
	[CASINO_POKER_FLUSH] = 1599,
	[CASINO_POKER_STRAIGHT] = 1609,
	[CASINO_POKER_THREE_OF_A_KIND] = 2467,
	[CASINO_POKER_TWO_PAIRS] = 3325,
	[CASINO_POKER_ONE_PAIR] = 6185,
	[CASINO_POKER_HIGH_CARD] = CASINO_POKER_WORST
};

/* three other cards beside a pair: 12 * 11 * 10 / 6 */
#define KICKERS_OF_A_PAIR	220

static const char *const category_names[CASINO_POKER_CATEGORY_END] = {
	[CASINO_POKER_ROYAL_FLUSH] = "royal_flush",
	[CASINO_POKER_STRAIGHT_FLUSH] = "straight_flush",
	[CASINO_POKER_FOUR_OF_A_KIND] = "four_of_a_kind",
	[CASINO_POKER_FULL_HOUSE] = "full_house",
	[CASINO_POKER_FLUSH] = "flush",
	[CASINO_POKER_STRAIGHT] = "straight",
	[CASINO_POKER_THREE_OF_A_KIND] = "three_of_a_kind",
	[CASINO_POKER_TWO_PAIRS] = "two_pairs",
	[CASINO_POKER_ONE_PAIR] = "one_pair",
	[CASINO_POKER_HIGH_CARD] = "high_card"
};

/*
 * rank_flush
 *		Number of cards of which five or more have one suit; flush is the one bit
 *		set among SUITS_FLUSH.
 */
static int
rank_flush(const CasinoCard *cards, int count, uint64_t flush)
{
	unsigned	ranks = 0;
	int			i;

	for (i = 0; i < count; i++)
	{
		if (flush >> (SUITS_AT + 3 + 4 * casino_card_suit(cards[i])) & 1)
			ranks |= 1u << (casino_card_rank(cards[i]) & 15);
	}
	return poker_flushes[ranks % (1u << CASINO_RANKS)];
}

/*
 * rank_sum
 *		Number of cards whose counts add up to sum.
 */
static inline int
rank_sum(const CasinoCard *cards, int count, uint64_t sum)
{
	uint64_t	product;
	uint64_t	place;

	if (__builtin_expect((sum & SUITS_FLUSH) != 0, 0))
		return rank_flush(cards, count, sum & SUITS_FLUSH);
	product = sum * POKER_MULTIPLIER;
	place = product >> (64 - POKER_BUCKET_BITS - POKER_PLACE_BITS) & ((1u << POKER_PLACE_BITS) - 1);
	return poker_values[place ^ poker_shifts[product >> (64 - POKER_BUCKET_BITS)]];
}

/*
 * casino_poker_rank7
 *		Number 1 to 7462 of the best five of seven different cards.
 */
int
casino_poker_rank7(const CasinoCard cards[CASINO_POKER_CARDS_MAX])
{
	uint64_t	sum = SUITS_START;

	sum += card_counts[cards[0] & 63] + card_counts[cards[1] & 63];
	sum += card_counts[cards[2] & 63] + card_counts[cards[3] & 63];
	sum += card_counts[cards[4] & 63] + card_counts[cards[5] & 63];
	sum += card_counts[cards[6] & 63];
	return rank_sum(cards, CASINO_POKER_CARDS_MAX, sum);
}

/*
 * casino_poker_rank
 *		Number 1 to 7462 of the best five of five to seven different cards; 0 for
 *		another count.
 */
int
casino_poker_rank(const CasinoCard *cards, int count)
{
	uint64_t	sum = SUITS_START;
	int			i;

	if (count < CASINO_POKER_CARDS_MIN || count > CASINO_POKER_CARDS_MAX)
		return 0;
	for (i = 0; i < count; i++)
		sum += card_counts[cards[i] & 63];
	return rank_sum(cards, count, sum);
}

/*
 * casino_poker_worst_pair
 *		Number of the worst hand that is a pair of that rank.
 */
int
casino_poker_worst_pair(int rank)
{
	return category_worst[CASINO_POKER_TWO_PAIRS] + (CASINO_RANKS - rank) * KICKERS_OF_A_PAIR;
}

/*
 * casino_poker_category
 *		Category of a number; CASINO_POKER_NONE for one that is none.
 */
CasinoPokerCategory
casino_poker_category(int number)
{
	int			category = CASINO_POKER_ROYAL_FLUSH;

	if (number < CASINO_POKER_BEST || number > CASINO_POKER_WORST)
		return CASINO_POKER_NONE;
	while (number > category_worst[category])
		category++;
	return (CasinoPokerCategory) category;
}

/*
 * casino_poker_category_name
 *		Name of a category; NULL for CASINO_POKER_NONE and non-categories.
 */
const char *
casino_poker_category_name(CasinoPokerCategory category)
{
	if ((int) category < 0 || category >= CASINO_POKER_CATEGORY_END)
		return NULL;
	return category_names[category];
}

/*
 * casino_poker_check
 *		Are these five to seven cards of one deck (D4 Casino Hold'em §5)?
 */
bool
casino_poker_check(const CasinoHand *hand, CasinoError *error)
{
	CasinoCopies copies = {{0}};
	int			i;

	if (hand->count < CASINO_POKER_CARDS_MIN || hand->count > CASINO_POKER_CARDS_MAX)
		return casino_fail(error, CASINO_OUT_OF_RANGE,
						   "A poker hand has 5 to 7 cards, not %d.", hand->count);
	for (i = 0; i < hand->count; i++)
	{
		char		text[CASINO_CARD_TEXT_LEN];

		casino_card_print(hand->cards[i], text);
		if (!casino_card_is_valid(hand->cards[i]))
			return casino_fail(error, CASINO_OUT_OF_RANGE,
							   "Byte %d in place %d of the hand is not a card.",
							   hand->cards[i], i + 1);
		if (!casino_copies_take(&copies, hand->cards[i], 1))
			return casino_fail(error, CASINO_OUT_OF_RANGE,
							   "The card %.2s is in the hand twice; poker is played with one deck.",
							   text);
	}
	return true;
}

/*
 * read_out
 *		Sort five cards as one reads them: by how often their rank is there, then
 *		by rank, then by suit; the ace of 5-4-3-2-A last.
 */
static void
read_out(CasinoCard cards[CASINO_POKER_CARDS_MIN])
{
	int			times[CASINO_RANKS] = {0};
	int			order[CASINO_POKER_CARDS_MIN] = {0};
	bool		wheel;
	int			i;
	int			k;

	for (i = 0; i < CASINO_POKER_CARDS_MIN; i++)
		times[casino_card_rank(cards[i])]++;
	wheel = times[CASINO_RANK_A] == 1 && times[CASINO_RANK_2] == 1 && times[CASINO_RANK_3] == 1 &&
		times[CASINO_RANK_4] == 1 && times[CASINO_RANK_5] == 1;

	for (i = 0; i < CASINO_POKER_CARDS_MIN; i++)
	{
		CasinoCard	card = cards[i];
		int			key = times[casino_card_rank(card)] * 64 + card;

		if (wheel && casino_card_rank(card) == CASINO_RANK_A)
			key = 0;
		for (k = i; k > 0 && order[k - 1] < key; k--)
		{
			order[k] = order[k - 1];
			cards[k] = cards[k - 1];
		}
		order[k] = key;
		cards[k] = card;
	}
}

/*
 * casino_poker_best_five
 *		The best five of five to seven different cards; *best is empty for
 *		another count.
 */
void
casino_poker_best_five(const CasinoHand *hand, CasinoHand *best)
{
	int			best_number = CASINO_POKER_WORST + 1;
	unsigned	chosen;

	memset(best, 0, sizeof(*best));
	if (hand->count < CASINO_POKER_CARDS_MIN || hand->count > CASINO_POKER_CARDS_MAX)
		return;

	/* sets of places in which the first places are the lowest bits: those dealt first come first */
	for (chosen = 0; chosen < 1u << hand->count; chosen++)
	{
		CasinoCard	five[CASINO_POKER_CARDS_MIN];
		int			count = 0;
		int			number;
		int			i;

		if (__builtin_popcount(chosen) != CASINO_POKER_CARDS_MIN)
			continue;
		for (i = 0; i < hand->count; i++)
		{
			if (chosen >> i & 1)
				five[count++] = hand->cards[i];
		}
		number = casino_poker_rank(five, count);
		if (number < best_number)
		{
			best_number = number;
			memcpy(best->cards, five, sizeof(five));
		}
	}
	best->count = CASINO_POKER_CARDS_MIN;
	read_out(best->cards);
}
