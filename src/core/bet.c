/*
 * bet.c
 *	  The catalogue of bet kinds and the canonical form of a bet.
 */
#include <stdio.h>
#include <string.h>

#include "core/bet.h"
#include "core/layout.h"

/* The catalogue; numbers counts the selection. */
typedef struct BetKindInfo
{
	const char *name;
	CasinoSelectionShape shape;
	uint8_t		numbers;
	bool		is_free;
} BetKindInfo;

static const BetKindInfo bet_kinds[CASINO_BET_KIND_END] = {
	/* roulette, inside: D2 Výherní možnosti; D4 Roulette (Synot) 21 */
	[CASINO_STRAIGHT] = {"straight", CASINO_SELECT_NUMBERS, 1, false},
	[CASINO_SPLIT] = {"split", CASINO_SELECT_NUMBERS, 2, false},
	[CASINO_STREET] = {"street", CASINO_SELECT_NUMBERS, 3, false},
	[CASINO_TRIO] = {"trio", CASINO_SELECT_NUMBERS, 3, false},
	[CASINO_CORNER] = {"corner", CASINO_SELECT_NUMBERS, 4, false},
	[CASINO_FIRST_FOUR] = {"first_four", CASINO_SELECT_FIXED, 4, false},
	[CASINO_SIX_LINE] = {"six_line", CASINO_SELECT_NUMBERS, 6, false},

	/* roulette, outside */
	[CASINO_DOZEN] = {"dozen", CASINO_SELECT_THIRD, 1, false},
	[CASINO_COLUMN] = {"column", CASINO_SELECT_THIRD, 1, false},
	[CASINO_RED] = {"red", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BLACK] = {"black", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_ODD] = {"odd", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_EVEN] = {"even", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_LOW] = {"low", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_HIGH] = {"high", CASINO_SELECT_NOTHING, 0, false},

	/* baccarat: D4 Baccarat 18 */
	[CASINO_PLAYER] = {"player", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BANKER] = {"banker", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_TIE] = {"tie", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_EGALITE] = {"egalite", CASINO_SELECT_POINTS, 1, false},
	[CASINO_BIG] = {"big", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_SMALL] = {"small", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_PLAYER_PAIR] = {"player_pair", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BANKER_PAIR] = {"banker_pair", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_ANY_PAIR] = {"any_pair", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_PERFECT_PAIR] = {"perfect_pair", CASINO_SELECT_NOTHING, 0, false},

	/* blackjack, play; the house pays for the free split and double (D3) */
	[CASINO_MAIN] = {"main", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BEHIND] = {"behind", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_DOUBLE_DOWN] = {"double_down", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_SPLIT_PAIR] = {"split_pair", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_INSURANCE] = {"insurance", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_FREE_SPLIT] = {"free_split", CASINO_SELECT_NOTHING, 0, true},
	[CASINO_FREE_DOUBLE] = {"free_double", CASINO_SELECT_NOTHING, 0, true},

	/* blackjack, side bets */
	[CASINO_21_PLUS_3] = {"21+3", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_TOP3] = {"top3", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_DEALER_PAIR] = {"dealer_pair", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_LUCKY_LUCKY] = {"lucky_lucky", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BUSTER] = {"buster", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_BUST_IT] = {"bust_it", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_HOT3] = {"hot3", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_PUSH22] = {"push22", CASINO_SELECT_NOTHING, 0, false},

	/* hold'em */
	[CASINO_ANTE] = {"ante", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_CALL] = {"call", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_AA] = {"aa", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_RAZZ] = {"razz", CASINO_SELECT_NOTHING, 0, false},
	[CASINO_POT] = {"pot", CASINO_SELECT_NOTHING, 0, false}
};

/*
 * is_kind
 *		Is the number one of CasinoBetKind?
 */
static bool
is_kind(int kind)
{
	return kind >= CASINO_STRAIGHT && kind < CASINO_BET_KIND_END;
}

/*
 * casino_bet_kind_name
 *		Name of a kind as in SQL, NULL for a number that is none.
 */
const char *
casino_bet_kind_name(int kind)
{
	return is_kind(kind) ? bet_kinds[kind].name : NULL;
}

/*
 * casino_bet_kind_lookup
 *		Kind of a name of len bytes, 0 when there is none; case matters.
 */
int
casino_bet_kind_lookup(const char *name, size_t len)
{
	int			kind;

	for (kind = CASINO_STRAIGHT; kind < CASINO_BET_KIND_END; kind++)
	{
		/* the first letter tells nearly always */
		if (len > 0 && bet_kinds[kind].name[0] == name[0] && strlen(bet_kinds[kind].name) == len &&
			memcmp(bet_kinds[kind].name, name, len) == 0)
			return kind;
	}
	return 0;
}

/*
 * casino_bet_kind_shape
 *		What stands after the colon of a kind; nothing for non-kinds.
 */
CasinoSelectionShape
casino_bet_kind_shape(int kind)
{
	return is_kind(kind) ? bet_kinds[kind].shape : CASINO_SELECT_NOTHING;
}

/*
 * casino_bet_kind_covers
 *		How many numbers a bet of the kind covers, whatever its selection.
 */
int
casino_bet_kind_covers(int kind)
{
	if (kind >= CASINO_RED && kind <= CASINO_HIGH)
		return 18;
	switch (casino_bet_kind_shape(kind))
	{
		case CASINO_SELECT_NUMBERS:
		case CASINO_SELECT_FIXED:
			return bet_kinds[kind].numbers;
		case CASINO_SELECT_THIRD:
			return 12;
		case CASINO_SELECT_NOTHING:
		case CASINO_SELECT_POINTS:
			break;
	}
	return 0;
}

/*
 * casino_bet_kind_is_free
 *		Does a wager of this kind cost nothing (D3: free split, free double)?
 */
bool
casino_bet_kind_is_free(int kind)
{
	return is_kind(kind) && bet_kinds[kind].is_free;
}

/*
 * sort_numbers
 *		Insertion sort of at most six numbers.
 */
static void
sort_numbers(uint8_t *numbers, size_t count)
{
	size_t		i;

	for (i = 1; i < count; i++)
	{
		uint8_t		number = numbers[i];
		size_t		at = i;

		for (; at > 0 && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}

/*
 * refuse_position
 *		"The numbers 1 and 9 are not a split of the layout."
 */
static bool
refuse_position(int kind, const uint8_t *numbers, size_t count, CasinoError *error)
{
	char		list[CASINO_BET_NUMBERS_MAX * 8] = "";
	size_t		len = 0;
	size_t		i;

	for (i = 0; i < count; i++)
	{
		const char *between = i == 0 ? "" : i == count - 1 ? " and " : ", ";

		len += (size_t) snprintf(list + len, sizeof(list) - len, "%s%d",
								 between, numbers[i]);
	}
	return casino_fail(error, CASINO_MALFORMED,
					   "The numbers %s are not a %s of the layout.",
					   list, bet_kinds[kind].name);
}

/*
 * check_layout_numbers
 *		Are these ascending numbers, as many as the kind takes, a position?
 */
static bool
check_layout_numbers(int kind, const uint8_t *numbers, size_t count, CasinoError *error)
{
	size_t		i;

	for (i = 0; i < count; i++)
	{
		if (numbers[i] >= CASINO_ROULETTE_NUMBERS)
			return casino_fail(error, CASINO_MALFORMED,
							   "The number %d is not on the layout.", numbers[i]);
		if (i > 0 && numbers[i] == numbers[i - 1])
			return casino_fail(error, CASINO_MALFORMED,
							   "The number %d stands twice in the selection.", numbers[i]);
	}
	if (!casino_layout_is_position(kind, numbers, count))
		return refuse_position(kind, numbers, count, error);
	return true;
}

/*
 * check_range
 *		Does the one number of the selection lie in low to high?
 */
static bool
check_range(int kind, int number, int low, int high, CasinoError *error)
{
	if (number < low || number > high)
		return casino_fail(error, CASINO_MALFORMED,
						   "The selection of %s is %d to %d, not %d.",
						   bet_kinds[kind].name, low, high, number);
	return true;
}

/*
 * check_selection
 *		Is this ascending selection one of the kind?  CASINO_MALFORMED if not.
 */
static bool
check_selection(int kind, const uint8_t *numbers, size_t count, CasinoError *error)
{
	const BetKindInfo *info = &bet_kinds[kind];

	if (count != info->numbers)
	{
		if (info->numbers == 0)
			return casino_fail(error, CASINO_MALFORMED,
							   "The kind %s takes no selection.", info->name);
		return casino_fail(error, CASINO_MALFORMED,
						   "The kind %s takes %d number%s, not %zu.", info->name,
						   info->numbers, info->numbers == 1 ? "" : "s", count);
	}
	switch (info->shape)
	{
		case CASINO_SELECT_NUMBERS:
		case CASINO_SELECT_FIXED:
			return check_layout_numbers(kind, numbers, count, error);
		case CASINO_SELECT_THIRD:
			return check_range(kind, numbers[0], 1, 3, error);
		case CASINO_SELECT_POINTS:
			return check_range(kind, numbers[0], 0, 9, error);
		case CASINO_SELECT_NOTHING:
			break;
	}
	return true;
}

/*
 * casino_bet_make
 *		The one canonicaliser of bets.
 *
 * Takes count numbers in any order (NULL when count is 0) and a stake in
 * haléře, 1 to CASINO_STAKE_MAX.  The numbers are stored ascending, the rest
 * zero; first_four may come without its numbers and is stored with them.
 * CASINO_MALFORMED for a kind or a selection that does not exist, then
 * CASINO_OUT_OF_RANGE for the stake; *bet is written on success only.
 */
bool
casino_bet_make(int kind, const uint8_t *numbers, size_t count, int64_t stake,
				CasinoBet *bet, CasinoError *error)
{
	static const uint8_t first_four[] = {0, 1, 2, 3};
	CasinoBet	made = {0};

	if (!is_kind(kind))
		return casino_fail(error, CASINO_MALFORMED, "There is no kind of bet numbered %d.", kind);
	if (count > CASINO_BET_NUMBERS_MAX)
		return casino_fail(error, CASINO_MALFORMED, "A selection has %d numbers at most.",
						   CASINO_BET_NUMBERS_MAX);
	if (count == 0 && bet_kinds[kind].shape == CASINO_SELECT_FIXED)
	{
		numbers = first_four;
		count = sizeof(first_four);
	}
	if (count > 0)
		memcpy(made.numbers, numbers, count);
	sort_numbers(made.numbers, count);
	if (!check_selection(kind, made.numbers, count, error))
		return false;
	if (stake < 1 || stake > CASINO_STAKE_MAX)
		return casino_fail(error, CASINO_OUT_OF_RANGE,
						   "A stake is 0.01 to 999999999999.99.");
	made.stake = stake;
	made.kind = (uint8_t) kind;
	made.count = (uint8_t) count;
	*bet = made;
	return true;
}

/*
 * compare_position
 *		Order of two bets by kind, then selection.
 */
static int
compare_position(const CasinoBet *a, const CasinoBet *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	return memcmp(a->numbers, b->numbers, CASINO_BET_NUMBERS_MAX);
}

/*
 * casino_bet_compare
 *		Total order of bets by kind, selection, stake: below, at or above 0.
 */
int
casino_bet_compare(const CasinoBet *a, const CasinoBet *b)
{
	int			order = compare_position(a, b);

	if (order != 0)
		return order;
	return (a->stake > b->stake) - (a->stake < b->stake);
}

/*
 * casino_bet_same_position
 *		Do both bets stand on one position, whatever their stakes?
 */
bool
casino_bet_same_position(const CasinoBet *a, const CasinoBet *b)
{
	return compare_position(a, b) == 0;
}
