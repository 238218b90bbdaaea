/*
 * poker_tables.c
 *	  Writes src/core/generated/poker_tables.h, the tables of the evaluator, when
 *	  the extension is built.
 *
 * A hand without a flush is known by how often each rank is in it: 73,775
 * multisets of 5, 6 or 7 ranks, no rank more than four times.  Their number of
 * each rank in three bits is the key; a multiplication spreads the keys, the
 * top bits of the product choose a bucket, the next ones a place, and the
 * bucket's shift (by exclusive or) moves the place to where no other key lies
 * (hash and displace; the shifts are found here, first fit, the fullest bucket
 * first).
 * A hand with a flush is known by the 13 bits of the ranks of its suit.
 *
 * The numbers 1 (royal flush) to 7462 (7-5-4-3-2) come from sorting the 7,462
 * kinds of five cards by strength, the strength of six and seven cards is the
 * best of their fives.  test/unit/poker.c checks the result in another way.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS		13
#define ACE			12
#define CLASSES		7462
#define KEYS		73775		/* 6,175 of five ranks, 18,395 of six, 49,205 of seven */

#define KEY_BITS	39			/* 13 ranks of 3 bits; what lies above must not count */
#define BUCKET_BITS	13
#define PLACE_BITS	17
#define BUCKETS		(1 << BUCKET_BITS)
#define PLACES		(1 << PLACE_BITS)
#define SHIFTS		65536
#define ATTEMPTS	1000

/* strength categories, best highest */
enum
{
	HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH
};

typedef struct Key
{
	uint64_t	key;
	uint16_t	value;			/* 1 to 7462 */
	uint32_t	bucket;
	uint32_t	place;
} Key;

static uint32_t classes[CLASSES];	/* strengths, best first */
static int	class_count;
static Key	keys[KEYS];
static int	key_count;
static uint16_t shifts[BUCKETS];
static uint16_t values[PLACES];

static void
fail(const char *what)
{
	fprintf(stderr, "poker_tables: %s\n", what);
	exit(1);
}

/*
 * straight_top
 *		Highest rank of the best straight in a set of ranks, -1 for none; the ace
 *		is below the two as well.
 */
static int
straight_top(unsigned mask)
{
	int			top;

	for (top = ACE; top >= 4; top--)
	{
		if ((mask >> (top - 4) & 31) == 31)
			return top;
	}
	return (mask & (1u << ACE)) && (mask & 15) == 15 ? 3 : -1;
}

/*
 * strength
 *		Strength of exactly five cards: the category, then the ranks, those that
 *		are there more often first, then the higher first; of a straight its top.
 */
static uint32_t
strength(const int *counts, bool flush)
{
	uint32_t	ranks = 0;
	unsigned	mask = 0;
	int			top;
	int			times;
	int			rank;
	int			most = 0;
	int			pairs = 0;
	int			category;

	for (rank = 0; rank < RANKS; rank++)
	{
		if (counts[rank] > 0)
			mask |= 1u << rank;
		if (counts[rank] > most)
			most = counts[rank];
		if (counts[rank] == 2)
			pairs++;
	}
	top = straight_top(mask);
	if (top >= 0)
		return (uint32_t) (flush ? STRAIGHT_FLUSH : STRAIGHT) << 20 | (uint32_t) top;
	for (times = 4; times >= 1; times--)
	{
		for (rank = RANKS - 1; rank >= 0; rank--)
		{
			if (counts[rank] == times)
				ranks = ranks << 4 | (uint32_t) rank;
		}
	}
	if (flush)
		category = FLUSH;
	else if (most == 4)
		category = FOUR;
	else if (most == 3)
		category = pairs == 1 ? FULL_HOUSE : THREE;
	else
		category = pairs == 2 ? TWO_PAIRS : pairs == 1 ? ONE_PAIR : HIGH_CARD;
	return (uint32_t) category << 20 | ranks;
}

/*
 * best
 *		Strength of the best five of a multiset: take one card away until five
 *		are left.
 */
static uint32_t
best(int *counts, int cards, bool flush)
{
	uint32_t	found = 0;
	int			rank;

	if (cards == 5)
		return strength(counts, flush);
	for (rank = 0; rank < RANKS; rank++)
	{
		uint32_t	without;

		if (counts[rank] == 0)
			continue;
		counts[rank]--;
		without = best(counts, cards - 1, flush);
		counts[rank]++;
		if (without > found)
			found = without;
	}
	return found;
}

static int
descending(const void *a, const void *b)
{
	uint32_t	x = *(const uint32_t *) a;
	uint32_t	y = *(const uint32_t *) b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/*
 * class_number
 *		Number 1 to 7462 of a strength.
 */
static uint16_t
class_number(uint32_t of)
{
	const uint32_t *found = bsearch(&of, classes, CLASSES, sizeof(of), descending);

	if (found == NULL)
		fail("a strength that no five cards have");
	return (uint16_t) (found - classes + 1);
}

typedef void (*Visit) (int *counts, int cards);

/*
 * each_multiset
 *		Visit every multiset of that many ranks, none more than four times.
 */
static void
each_multiset(int *counts, int rank, int left, int cards, Visit visit)
{
	int			times;

	if (rank == RANKS)
	{
		if (left == 0)
			visit(counts, cards);
		return;
	}
	for (times = 0; times <= 4 && times <= left; times++)
	{
		counts[rank] = times;
		each_multiset(counts, rank + 1, left - times, cards, visit);
	}
	counts[rank] = 0;
}

static void
add_class(int *counts, int cards)
{
	(void) cards;
	classes[class_count++] = strength(counts, false);
}

static void
add_key(int *counts, int cards)
{
	Key		   *key = &keys[key_count++];
	int			rank;

	key->key = 0;
	for (rank = 0; rank < RANKS; rank++)
		key->key |= (uint64_t) counts[rank] << 3 * rank;
	key->value = class_number(best(counts, cards, false));
}

/*
 * mask_counts
 *		A set of ranks as counts; returns how many there are.
 */
static int
mask_counts(unsigned mask, int *counts)
{
	int			cards = 0;
	int			rank;

	for (rank = 0; rank < RANKS; rank++)
	{
		counts[rank] = (int) (mask >> rank & 1);
		cards += counts[rank];
	}
	return cards;
}

static int
by_bucket(const void *a, const void *b)
{
	const Key  *x = a;
	const Key  *y = b;

	if (x->bucket != y->bucket)
		return x->bucket < y->bucket ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key ? 1 : 0;
}

/*
 * fits
 *		Are the places of a bucket's keys free at this shift?
 */
static bool
fits(const Key *first, int count, int shift)
{
	int			i;

	for (i = 0; i < count; i++)
	{
		if (values[first[i].place ^ (uint32_t) shift] != 0)
			return false;
	}
	return true;
}

/*
 * place_bucket
 *		First shift at which the keys of a bucket fit; false when there is none,
 *		or when two of them have one place.
 */
static bool
place_bucket(const Key *first, int count)
{
	int			shift;
	int			i;
	int			k;

	for (i = 0; i < count; i++)
	{
		for (k = 0; k < i; k++)
		{
			if (first[i].place == first[k].place)
				return false;
		}
	}
	for (shift = 0; shift < SHIFTS; shift++)
	{
		if (fits(first, count, shift))
			break;
	}
	if (shift == SHIFTS)
		return false;
	for (i = 0; i < count; i++)
		values[first[i].place ^ (uint32_t) shift] = first[i].value;
	shifts[first->bucket] = (uint16_t) shift;
	return true;
}

/*
 * place_all
 *		Find the shifts for one multiplier.
 */
static bool
place_all(uint64_t multiplier)
{
	static int	start[BUCKETS + 1];
	int			size;
	int			i;

	memset(values, 0, sizeof(values));
	memset(shifts, 0, sizeof(shifts));
	memset(start, 0, sizeof(start));
	for (i = 0; i < key_count; i++)
	{
		uint64_t	product = keys[i].key * multiplier;

		keys[i].bucket = (uint32_t) (product >> (64 - BUCKET_BITS));
		keys[i].place = (uint32_t) (product >> (64 - BUCKET_BITS - PLACE_BITS)) % PLACES;
		start[keys[i].bucket + 1]++;
	}
	qsort(keys, (size_t) key_count, sizeof(keys[0]), by_bucket);
	for (i = 0; i < BUCKETS; i++)
		start[i + 1] += start[i];
	for (size = key_count; size > 0; size--)
	{
		for (i = 0; i < BUCKETS; i++)
		{
			if (start[i + 1] - start[i] == size && !place_bucket(keys + start[i], size))
				return false;
		}
		if (size > 200)
			size = 200;			/* no bucket is that full */
	}
	return true;
}

/*
 * next_multiplier
 *		Odd numbers from a generator with a fixed seed (splitmix64), moved left so
 *		that the product has nothing of what lies above the key.
 */
static uint64_t
next_multiplier(uint64_t *state)
{
	uint64_t	z = (*state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return ((z ^ z >> 31) | 1) << (64 - KEY_BITS);
}

static void
print_table(const char *what, const char *name, const uint16_t *table, int count)
{
	int			i;

	printf("\n/* %s */\nstatic const uint16_t %s[%d] = {", what, name, count);
	for (i = 0; i < count; i++)
		printf("%s%d%s", i % 16 == 0 ? "\n\t" : " ", table[i], i + 1 < count ? "," : "");
	printf("\n};\n");
}

int
main(void)
{
	static uint16_t flushes[1 << RANKS];
	int			counts[RANKS] = {0};
	uint64_t	state = 0;
	uint64_t	multiplier = 0;
	unsigned	mask;
	int			attempt;

	each_multiset(counts, 0, 5, 5, add_class);
	for (mask = 0; mask < 1u << RANKS; mask++)
	{
		if (mask_counts(mask, counts) == 5)
			classes[class_count++] = strength(counts, true);
	}
	if (class_count != CLASSES)
		fail("not 7462 kinds of five cards");
	qsort(classes, CLASSES, sizeof(classes[0]), descending);

	for (mask = 0; mask < 1u << RANKS; mask++)
	{
		int			cards = mask_counts(mask, counts);

		if (cards >= 5 && cards <= 7)
			flushes[mask] = class_number(best(counts, cards, true));
	}
	memset(counts, 0, sizeof(counts));
	each_multiset(counts, 0, 5, 5, add_key);
	each_multiset(counts, 0, 6, 6, add_key);
	each_multiset(counts, 0, 7, 7, add_key);
	if (key_count != KEYS)
		fail("not 73775 multisets");

	for (attempt = 0;; attempt++)
	{
		if (attempt == ATTEMPTS)
			fail("no multiplier found");
		multiplier = next_multiplier(&state);
		if (place_all(multiplier))
			break;
	}

	printf("/* Written by tools/poker_tables.c when building: do not edit, do not commit. */\n\n");
	printf("#define POKER_MULTIPLIER\tUINT64_C(0x%016" PRIX64 ")\n", multiplier);
	printf("#define POKER_BUCKET_BITS\t%d\n#define POKER_PLACE_BITS\t%d\n", BUCKET_BITS, PLACE_BITS);
	print_table("by bucket: what moves its places", "poker_shifts", shifts, BUCKETS);
	print_table("by place: 1 to 7462, 0 where no key leads", "poker_values", values, PLACES);
	print_table("by the ranks of a suit with five to seven cards", "poker_flushes", flushes,
				1 << RANKS);
	if (fflush(stdout) != 0 || ferror(stdout))
		fail("cannot write");
	return 0;
}
