/*
 * announced.c
 *	  Announced (call) bets, made of bets on the layout.
 *
 * R4.5 to R4.7; D4 Roulette (Synot) 21, (Evolution) 18, (Absolute) 25.
 * While a bet is put together its stakes count chips; the chip's value is
 * multiplied in at the end.
 */
#include <string.h>

#include "core/games/announced.h"
#include "core/layout.h"
#include "core/text.h"

/* One position of an announced bet that is always the same. */
typedef struct ChipsOn
{
	uint8_t		kind;
	uint8_t		chips;			/* 0 ends the list */
	uint8_t		count;
	uint8_t		numbers[4];
} ChipsOn;

/* Malá série, Tiers du Cylindre: D4 Roulette (Synot) 21 Racetrack a */
static const ChipsOn tiers[] = {
	{CASINO_SPLIT, 1, 2, {5, 8}},
	{CASINO_SPLIT, 1, 2, {10, 11}},
	{CASINO_SPLIT, 1, 2, {13, 16}},
	{CASINO_SPLIT, 1, 2, {23, 24}},
	{CASINO_SPLIT, 1, 2, {27, 30}},
	{CASINO_SPLIT, 1, 2, {33, 36}},
	{0, 0, 0, {0}}
};

/* Velká série, Voisins du Zero: D4 Roulette (Synot) 21 Racetrack b */
static const ChipsOn voisins[] = {
	{CASINO_TRIO, 2, 3, {0, 2, 3}},
	{CASINO_CORNER, 2, 4, {25, 26, 28, 29}},
	{CASINO_SPLIT, 1, 2, {4, 7}},
	{CASINO_SPLIT, 1, 2, {12, 15}},
	{CASINO_SPLIT, 1, 2, {18, 21}},
	{CASINO_SPLIT, 1, 2, {19, 22}},
	{CASINO_SPLIT, 1, 2, {32, 35}},
	{0, 0, 0, {0}}
};

/* Orphelins (a Cheval): D4 Roulette (Synot) 21 Racetrack c */
static const ChipsOn orphelins[] = {
	{CASINO_STRAIGHT, 1, 1, {1}},
	{CASINO_SPLIT, 1, 2, {6, 9}},
	{CASINO_SPLIT, 1, 2, {14, 17}},
	{CASINO_SPLIT, 1, 2, {17, 20}},
	{CASINO_SPLIT, 1, 2, {31, 34}},
	{0, 0, 0, {0}}
};

/* Zero Spiel, Jeu Zero, Zero Game: D4 Roulette (Synot) 21 Racetrack d */
static const ChipsOn zero_game[] = {
	{CASINO_STRAIGHT, 1, 1, {26}},
	{CASINO_SPLIT, 1, 2, {0, 3}},
	{CASINO_SPLIT, 1, 2, {12, 15}},
	{CASINO_SPLIT, 1, 2, {32, 35}},
	{0, 0, 0, {0}}
};

/* Jeu 7/9: D4 Roulette (Synot) 21 Moje sázky d */
static const ChipsOn jeu_7_9[] = {
	{CASINO_STRAIGHT, 1, 1, {19}},
	{CASINO_STRAIGHT, 1, 1, {27}},
	{CASINO_SPLIT, 1, 2, {7, 8}},
	{CASINO_SPLIT, 1, 2, {8, 9}},
	{CASINO_SPLIT, 1, 2, {17, 18}},
	{CASINO_SPLIT, 1, 2, {28, 29}},
	{0, 0, 0, {0}}
};

/* Orphelins en Plein: D4 Roulette (Synot) 21 Moje sázky e */
static const ChipsOn orphelins_plein[] = {
	{CASINO_STRAIGHT, 1, 1, {1}},
	{CASINO_STRAIGHT, 1, 1, {6}},
	{CASINO_STRAIGHT, 1, 1, {9}},
	{CASINO_STRAIGHT, 1, 1, {14}},
	{CASINO_STRAIGHT, 1, 1, {17}},
	{CASINO_STRAIGHT, 1, 1, {20}},
	{CASINO_STRAIGHT, 1, 1, {31}},
	{CASINO_STRAIGHT, 1, 1, {34}},
	{0, 0, 0, {0}}
};

/*
 * The shapes of positions as steps from their lowest number: with every number
 * of the layout as the lowest, and the layout's word for what is a position,
 * they give all positions.
 */
typedef struct PositionShape
{
	uint8_t		kind;
	uint8_t		count;
	uint8_t		steps[CASINO_BET_NUMBERS_MAX];
	bool		in_semi_complete;
} PositionShape;

static const PositionShape position_shapes[] = {
	{CASINO_STRAIGHT, 1, {0}, true},
	{CASINO_SPLIT, 2, {0, 1}, true},
	{CASINO_SPLIT, 2, {0, 2}, true},
	{CASINO_SPLIT, 2, {0, 3}, true},
	{CASINO_STREET, 3, {0, 1, 2}, false},
	{CASINO_TRIO, 3, {0, 1, 2}, false},
	{CASINO_TRIO, 3, {0, 2, 3}, false},
	{CASINO_CORNER, 4, {0, 1, 3, 4}, true},
	{CASINO_SIX_LINE, 6, {0, 1, 2, 3, 4, 5}, false}
};

/*
 * put_chips
 *		Put that many chips on one position.
 */
static bool
put_chips(CasinoAnnounced *announced, int kind, const uint8_t *numbers, size_t count,
		  int chips, CasinoError *error)
{
	if (announced->count == CASINO_ANNOUNCED_MAX)
		return casino_fail(error, CASINO_MALFORMED,
						   "An announced bet has %d positions at most.",
						   CASINO_ANNOUNCED_MAX);
	if (!casino_bet_make(kind, numbers, count, chips,
						 &announced->bets[announced->count], error))
		return false;
	announced->count++;
	return true;
}

/*
 * put_straight
 *		Put one chip on one number.
 */
static bool
put_straight(CasinoAnnounced *announced, int number, CasinoError *error)
{
	uint8_t		numbers[1];

	numbers[0] = (uint8_t) number;
	return put_chips(announced, CASINO_STRAIGHT, numbers, 1, 1, error);
}

/*
 * put_list
 *		Put the chips of a fixed announced bet.
 */
static bool
put_list(CasinoAnnounced *announced, const ChipsOn *on, CasinoError *error)
{
	for (; on->chips > 0; on++)
	{
		if (!put_chips(announced, on->kind, on->numbers, on->count, on->chips, error))
			return false;
	}
	return true;
}

/*
 * put_neighbours
 *		The number and k on either side of it along the wheel
 *		(D4 Roulette (Synot) 21 Racetrack: 1 to 9; (Evolution) 18: 0 to 9).
 */
static bool
put_neighbours(CasinoAnnounced *announced, int number, int k, CasinoError *error)
{
	int			at = 0;
	int			step;

	while (casino_wheel[at] != number)
		at++;
	for (step = -k; step <= k; step++)
	{
		int			place = (at + step + CASINO_ROULETTE_NUMBERS) % CASINO_ROULETTE_NUMBERS;

		if (!put_straight(announced, casino_wheel[place], error))
			return false;
	}
	return true;
}

/*
 * put_shape
 *		Put a chip on each position of one shape that contains the number.
 */
static bool
put_shape(CasinoAnnounced *announced, const PositionShape *shape, int number,
		  CasinoError *error)
{
	int			lowest;
	int			i;

	for (lowest = 0; lowest <= number; lowest++)
	{
		uint8_t		numbers[CASINO_BET_NUMBERS_MAX];
		bool		contains = false;

		for (i = 0; i < shape->count; i++)
		{
			numbers[i] = (uint8_t) (lowest + shape->steps[i]);
			contains = contains || numbers[i] == number;
		}
		if (contains && casino_layout_is_position(shape->kind, numbers, shape->count) &&
			!put_chips(announced, shape->kind, numbers, shape->count, 1, error))
			return false;
	}
	return true;
}

/*
 * put_complete
 *		Every position with the number: straight, splits, corners, and for the
 *		whole bet streets, trios (D4's "tři čísla, Street") and six lines too
 *		(D4 Roulette (Synot) 21 Moje sázky a, b; (Evolution) 18 a).
 */
static bool
put_complete(CasinoAnnounced *announced, int number, bool semi, CasinoError *error)
{
	size_t		i;

	for (i = 0; i < sizeof(position_shapes) / sizeof(position_shapes[0]); i++)
	{
		if (semi && !position_shapes[i].in_semi_complete)
			continue;
		if (!put_shape(announced, &position_shapes[i], number, error))
			return false;
	}
	return true;
}

/*
 * put_finale_plein
 *		The numbers that end in the digit (D4 Roulette (Synot) 21 Moje sázky c).
 */
static bool
put_finale_plein(CasinoAnnounced *announced, int digit, CasinoError *error)
{
	int			number;

	for (number = digit; number < CASINO_ROULETTE_NUMBERS; number += 10)
	{
		if (!put_straight(announced, number, error))
			return false;
	}
	return true;
}

/*
 * put_finale_cheval
 *		(R4.6) The splits a/a+3, a+10/a+13 ... of the layout (D4 Roulette (Evolution)
 *		18 c, which speaks of four chips; from 4/7 on only three splits exist).
 */
static bool
put_finale_cheval(CasinoAnnounced *announced, int a, CasinoError *error)
{
	for (; a < CASINO_ROULETTE_NUMBERS; a += 10)
	{
		uint8_t		numbers[2];

		numbers[0] = (uint8_t) a;
		numbers[1] = (uint8_t) (a + 3);
		if (casino_layout_is_position(CASINO_SPLIT, numbers, 2) &&
			!put_chips(announced, CASINO_SPLIT, numbers, 2, 1, error))
			return false;
	}
	return true;
}

/* What the name has after its stem, and the catalogue of the stems. */
typedef enum AnnouncedShape
{
	FIXED, NEIGHBOURS, COMPLETE, SEMI_COMPLETE, FINALE_PLEIN, FINALE_CHEVAL
} AnnouncedShape;

typedef struct AnnouncedInfo
{
	const char *stem;
	AnnouncedShape shape;
	const ChipsOn *list;		/* of FIXED */
	const char *form;			/* how the name is written */
	char		separator;		/* between the two numbers, 0 for one number */
	uint8_t		max_first;
	uint8_t		max_second;
} AnnouncedInfo;

static const AnnouncedInfo announced_bets[] = {
	{"voisins", FIXED, voisins, "voisins", 0, 0, 0},
	{"tiers", FIXED, tiers, "tiers", 0, 0, 0},
	{"orphelins", FIXED, orphelins, "orphelins", 0, 0, 0},
	{"zero_game", FIXED, zero_game, "zero_game", 0, 0, 0},
	{"jeu_7_9", FIXED, jeu_7_9, "jeu_7_9", 0, 0, 0},
	{"orphelins_plein", FIXED, orphelins_plein, "orphelins_plein", 0, 0, 0},
	{"neighbours", NEIGHBOURS, NULL, "neighbours:N/k with N 0 to 36 and k 0 to 9", '/', 36, 9},
	{"complete", COMPLETE, NULL, "complete:N with N 0 to 36", 0, 36, 0},
	{"semi_complete", SEMI_COMPLETE, NULL, "semi_complete:N with N 0 to 36", 0, 36, 0},
	{"finale_plein", FINALE_PLEIN, NULL, "finale_plein:d with d 0 to 9", 0, 9, 0},
	{"finale_cheval", FINALE_CHEVAL, NULL, "finale_cheval:a-b with a 0 to 9 and b = a + 3",
	'-', 9, 12}
};

/*
 * find_announced
 *		The announced bet with this stem of the name, NULL when unknown.
 */
static const AnnouncedInfo *
find_announced(const char *name, size_t len)
{
	const char *colon = len > 0 ? memchr(name, ':', len) : NULL;
	size_t		stem_len = colon != NULL ? (size_t) (colon - name) : len;
	size_t		i;

	for (i = 0; i < sizeof(announced_bets) / sizeof(announced_bets[0]); i++)
	{
		const char *stem = announced_bets[i].stem;

		if (strlen(stem) == stem_len && memcmp(stem, name, stem_len) == 0)
			return &announced_bets[i];
	}
	return NULL;
}

/*
 * casino_announced_stem
 *		Length of the stem of a name, 0 when it is not an announced bet's.
 */
size_t
casino_announced_stem(const char *name, size_t len)
{
	const AnnouncedInfo *info = find_announced(name, len);

	return info != NULL ? strlen(info->stem) : 0;
}

/*
 * parse_parameters
 *		Read the numbers after the stem: none, ":N" or ":N/k"; false when the
 *		text is not of the bet's form.
 */
static bool
parse_parameters(const AnnouncedInfo *info, const char *text, size_t len,
				 int *first, int *second)
{
	size_t		at = 1;
	size_t		taken;

	if (info->shape == FIXED)
		return len == 0;
	if (len == 0)
		return false;
	taken = casino_text_number(text + at, len - at, first);
	if (taken == 0 || *first > info->max_first)
		return false;
	at += taken;
	if (info->separator == 0)
		return at == len;
	if (at == len || text[at] != info->separator)
		return false;
	at++;
	taken = casino_text_number(text + at, len - at, second);
	if (taken == 0 || *second > info->max_second || at + taken != len)
		return false;
	return info->shape != FINALE_CHEVAL || *second == *first + 3;
}

/*
 * multiply_chips
 *		Turn the stakes from chips into haléře.  The whole announced bet is
 *		worth CASINO_STAKE_MAX at most.
 */
static bool
multiply_chips(CasinoAnnounced *announced, int64_t chip, CasinoError *error)
{
	int64_t		chips = 0;
	int			i;

	for (i = 0; i < announced->count; i++)
		chips += announced->bets[i].stake;
	if (chip < 1)
		return casino_fail(error, CASINO_OUT_OF_RANGE, "A chip is worth 0.01 at least.");
	if (chip > CASINO_STAKE_MAX / chips)
		return casino_fail(error, CASINO_OUT_OF_RANGE,
						   "The %d chips are worth more than 999999999999.99.",
						   (int) chips);
	for (i = 0; i < announced->count; i++)
		announced->bets[i].stake *= chip;
	return true;
}

/*
 * casino_announced_expand
 *		The bets of an announced bet with chips of that many haléře.
 *
 * CASINO_MALFORMED for a name that is none, CASINO_OUT_OF_RANGE for a chip
 * below one haléř or chips worth more than CASINO_STAKE_MAX together;
 * announced->count is then 0.
 */
bool
casino_announced_expand(const char *name, size_t len, int64_t chip,
						CasinoAnnounced *announced, CasinoError *error)
{
	const AnnouncedInfo *info = find_announced(name, len);
	size_t		stem_len;
	int			first = 0;
	int			second = 0;
	bool		done = false;

	announced->count = 0;
	if (info == NULL)
		return casino_fail(error, CASINO_MALFORMED, "There is no announced bet \"%.*s\".",
						   casino_text_quoted(len), name);
	stem_len = strlen(info->stem);
	if (!parse_parameters(info, name + stem_len, len - stem_len, &first, &second))
		return casino_fail(error, CASINO_MALFORMED,
						   "\"%.*s\" is not of the form %s.",
						   casino_text_quoted(len), name, info->form);

	/* with chips of 1, then with as many as were asked for */
	switch (info->shape)
	{
		case FIXED:
			done = put_list(announced, info->list, error);
			break;
		case NEIGHBOURS:
			done = put_neighbours(announced, first, second, error);
			break;
		case COMPLETE:
			done = put_complete(announced, first, false, error);
			break;
		case SEMI_COMPLETE:
			done = put_complete(announced, first, true, error);
			break;
		case FINALE_PLEIN:
			done = put_finale_plein(announced, first, error);
			break;
		case FINALE_CHEVAL:
			done = put_finale_cheval(announced, first, error);
			break;
	}
	done = done && multiply_chips(announced, chip, error);
	if (!done)
		announced->count = 0;
	return done;
}
