/*
 * layout.c
 *	  The roulette layout and wheel.
 *
 * Rows of three run 1-2-3, 4-5-6, ... 34-35-36 (D2 Americká ruleta; pictures
 * in D4 Roulette (Synot) 21, (Evolution) 18, (Absolute) 25); zero lies along
 * the first row.
 */
#include "core/layout.h"

/* D2 Cylindr: the order of the numbers on the wheel */
const uint8_t casino_wheel[CASINO_ROULETTE_NUMBERS] = {
	0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
	5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26
};

/* The red numbers; zero has no colour (R4.9). */
static const bool red_numbers[CASINO_ROULETTE_NUMBERS] = {
	[1] = true, [3] = true, [5] = true, [7] = true, [9] = true, [12] = true,
	[14] = true, [16] = true, [18] = true, [19] = true, [21] = true, [23] = true,
	[25] = true, [27] = true, [30] = true, [32] = true, [34] = true, [36] = true
};

/*
 * is_on_layout
 *		0 to 36?
 */
static bool
is_on_layout(int number)
{
	return number >= 0 && number < CASINO_ROULETTE_NUMBERS;
}

/*
 * casino_number_is_red
 *		Is the number red?  False for zero and for numbers not on the wheel.
 */
bool
casino_number_is_red(int number)
{
	return is_on_layout(number) && red_numbers[number];
}

/*
 * are_steps
 *		Are the numbers numbers[0] + steps[i]?
 */
static bool
are_steps(const uint8_t *numbers, size_t count, const uint8_t *steps)
{
	size_t		i;

	for (i = 0; i < count; i++)
	{
		if (numbers[i] != numbers[0] + steps[i])
			return false;
	}
	return true;
}

/*
 * is_split
 *		Two neighbours, 0 < a: across the rows, or along one row.
 *		Zero neighbours 1, 2 and 3 (D4 Roulette (Synot) §21).
 */
static bool
is_split(int a, int b)
{
	if (a == 0)
		return b >= 1 && b <= 3;
	return b == a + 3 || (b == a + 1 && a % 3 != 0);
}

/*
 * casino_layout_is_position
 *		Are these ascending numbers a position of that kind?
 *
 * D2 Výherní možnosti; D4 Roulette (Synot) 21: trio 0-1-2 and 0-2-3, Basket
 * 0-1-2-3.  False for kinds whose selection is not numbers of the layout, and
 * for numbers in any other order.
 */
bool
casino_layout_is_position(int kind, const uint8_t *numbers, size_t count)
{
	static const uint8_t row[] = {0, 1, 2};
	static const uint8_t trio_left[] = {0, 1, 2};
	static const uint8_t trio_right[] = {0, 2, 3};
	static const uint8_t square[] = {0, 1, 3, 4};
	static const uint8_t zero_and_row[] = {0, 1, 2, 3};
	static const uint8_t two_rows[] = {0, 1, 2, 3, 4, 5};

	if (count == 0 || count > CASINO_BET_NUMBERS_MAX || !is_on_layout(numbers[count - 1]))
		return false;

	switch (kind)
	{
		case CASINO_STRAIGHT:
			return count == 1;
		case CASINO_SPLIT:
			return count == 2 && is_split(numbers[0], numbers[1]);
		case CASINO_STREET:
			return count == 3 && numbers[0] % 3 == 1 && are_steps(numbers, count, row);
		case CASINO_TRIO:
			return count == 3 && numbers[0] == 0 &&
				(are_steps(numbers, count, trio_left) ||
				 are_steps(numbers, count, trio_right));
		case CASINO_CORNER:
			return count == 4 && numbers[0] % 3 != 0 && are_steps(numbers, count, square);
		case CASINO_FIRST_FOUR:
			return count == 4 && numbers[0] == 0 && are_steps(numbers, count, zero_and_row);
		case CASINO_SIX_LINE:
			return count == 6 && numbers[0] % 3 == 1 && are_steps(numbers, count, two_rows);
		default:
			return false;
	}
}

/*
 * casino_bet_covers
 *		Does the bet win on that number?
 *
 * Zero is in no outside bet (D4 Roulette (Synot) 21).  False for numbers not
 * on the wheel and for kinds that are not roulette's.
 */
bool
casino_bet_covers(const CasinoBet *bet, int number)
{
	int			i;

	if (!is_on_layout(number))
		return false;

	/* inside bets name their numbers, outside bets are a rule; of these none covers zero */
	switch (bet->kind)
	{
		case CASINO_STRAIGHT:
		case CASINO_SPLIT:
		case CASINO_STREET:
		case CASINO_TRIO:
		case CASINO_CORNER:
		case CASINO_FIRST_FOUR:
		case CASINO_SIX_LINE:
			for (i = 0; i < bet->count && i < CASINO_BET_NUMBERS_MAX; i++)
			{
				if (bet->numbers[i] == number)
					return true;
			}
			return false;
		case CASINO_DOZEN:
			return number != 0 && (number - 1) / 12 + 1 == bet->numbers[0];
		case CASINO_COLUMN:
			return number != 0 && (number - 1) % 3 + 1 == bet->numbers[0];
		case CASINO_RED:
			return red_numbers[number];
		case CASINO_BLACK:
			return number != 0 && !red_numbers[number];
		case CASINO_ODD:
			return number % 2 == 1;
		case CASINO_EVEN:
			return number != 0 && number % 2 == 0;
		case CASINO_LOW:
			return number >= 1 && number <= 18;
		case CASINO_HIGH:
			return number >= 19;
		default:
			return false;
	}
}
