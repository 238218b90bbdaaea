/*
 * count_roulette.c
 *	  Roulette bets over the 37 numbers.
 */
#include <stdio.h>
#include <string.h>

#include "core/games/announced.h"
#include "core/returns/count_roulette.h"
#include "core/layout.h"
#include "core/games/roulette.h"

/* Rows of one position, as the extension grades it. */
static void
count_position(const CasinoBet *bet, CasinoCountSink sink, void *context)
{
	char		selection[CASINO_BET_TEXT_SIZE];
	int			won = 0;
	int			number;

	for (number = 0; number < CASINO_ROULETTE_NUMBERS; number++)
		won += casino_grade_roulette(bet, number) == CASINO_WIN ? 1 : 0;
	casino_bet_print_selection(bet, selection);
	casino_count_emit(sink, context, selection, CASINO_WIN, casino_big(won),
					  casino_big(CASINO_ROULETTE_NUMBERS));
	casino_count_emit(sink, context, selection, CASINO_LOSE,
					  casino_big(CASINO_ROULETTE_NUMBERS - won), casino_big(CASINO_ROULETTE_NUMBERS));
}

static void
count_if_position(int kind, const uint8_t *numbers, size_t count, CasinoCountSink sink, void *context)
{
	CasinoBet	bet;
	CasinoError error;

	if (casino_bet_make(kind, numbers, count, 1, &bet, &error))
		count_position(&bet, sink, context);
}

/* Every position of the layout: from its lowest number all shapes that positions have. */
static void
count_layout(int kind, CasinoCountSink sink, void *context)
{
	static const struct
	{
		size_t		count;
		uint8_t		steps[CASINO_BET_NUMBERS_MAX];
	}			shapes[] = {
		{1, {0}}, {2, {0, 1}}, {2, {0, 2}}, {2, {0, 3}}, {3, {0, 1, 2}}, {3, {0, 2, 3}},
		{4, {0, 1, 2, 3}}, {4, {0, 1, 3, 4}}, {6, {0, 1, 2, 3, 4, 5}}
	};
	int			lowest;
	size_t		shape;
	size_t		i;

	for (lowest = 0; lowest < CASINO_ROULETTE_NUMBERS; lowest++)
	{
		for (shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++)
		{
			uint8_t		numbers[CASINO_BET_NUMBERS_MAX];

			for (i = 0; i < shapes[shape].count; i++)
				numbers[i] = (uint8_t) (lowest + shapes[shape].steps[i]);
			if (casino_layout_is_position(kind, numbers, shapes[shape].count))
				count_if_position(kind, numbers, shapes[shape].count, sink, context);
		}
	}
}

/*
 * casino_count_roulette
 *		Rows of every position of a kind.
 */
bool
casino_count_roulette(int kind, CasinoCountSink sink, void *context)
{
	uint8_t		third;

	switch (kind)
	{
		case CASINO_STRAIGHT:
		case CASINO_SPLIT:
		case CASINO_STREET:
		case CASINO_TRIO:
		case CASINO_CORNER:
		case CASINO_SIX_LINE:
			count_layout(kind, sink, context);
			return true;
		case CASINO_DOZEN:
		case CASINO_COLUMN:
			for (third = 1; third <= 3; third++)
				count_if_position(kind, &third, 1, sink, context);
			return true;
		case CASINO_FIRST_FOUR:
		case CASINO_RED:
		case CASINO_BLACK:
		case CASINO_ODD:
		case CASINO_EVEN:
		case CASINO_LOW:
		case CASINO_HIGH:
			count_if_position(kind, NULL, 0, sink, context);
			return true;
		default:
			return false;
	}
}

/* Result of all chips on a number, in chips of which scale are one; false without odds. */
static bool
result_on(const CasinoAnnounced *announced, int number, const CasinoOdds *odds, int32_t *num, int32_t den)
{
	int			i;

	*num = 0;
	for (i = 0; i < announced->count; i++)
	{
		const CasinoBet *bet = &announced->bets[i];
		const CasinoOddsLine *line = &odds->lines[bet->kind][CASINO_WIN];

		if (line->den == 0 || den % line->den != 0)
			return false;
		*num += (int32_t) bet->stake *
			(casino_grade_roulette(bet, number) == CASINO_WIN ? line->num * (den / line->den) : -den);
	}
	return true;
}

/* Least common multiple of the odds' denominators. */
static int32_t
common_den(const CasinoAnnounced *announced, const CasinoOdds *odds)
{
	int32_t		common = 1;
	int			i;

	for (i = 0; i < announced->count; i++)
	{
		int32_t		den = odds->lines[announced->bets[i].kind][CASINO_WIN].den;
		int32_t		a = common;
		int32_t		b = den;

		if (den == 0)
			return 0;
		while (b != 0)
		{
			int32_t		rest = a % b;

			a = b;
			b = rest;
		}
		common = common / a * den;
	}
	return common;
}

/*
 * count_announced
 *		Rows of one announced bet, from its greatest result down; the result is
 *		to the stake of one chip, the profit to that of all.
 */
static bool
count_announced(const char *name, const char *selection, const CasinoOdds *odds,
				CasinoCountSink sink, void *context)
{
	CasinoAnnounced announced;
	CasinoError error;
	int32_t		results[CASINO_ROULETTE_NUMBERS];
	bool		counted[CASINO_ROULETTE_NUMBERS] = {false};
	int32_t		den;
	int32_t		chips = 0;
	int			number;
	int			i;

	if (!casino_announced_expand(name, strlen(name), 1, &announced, &error))
		return false;
	den = common_den(&announced, odds);
	if (den == 0)
		return false;
	for (i = 0; i < announced.count; i++)
		chips += (int32_t) announced.bets[i].stake;

	/* what the chips bring together, number by number */
	for (number = 0; number < CASINO_ROULETTE_NUMBERS; number++)
	{
		if (!result_on(&announced, number, odds, &results[number], den))
			return false;
	}

	/* numbers with the same result in one row, the greatest first */
	for (;;)
	{
		int			best = -1;
		int			ways = 0;

		for (number = 0; number < CASINO_ROULETTE_NUMBERS; number++)
		{
			if (!counted[number] && (best < 0 || results[number] > results[best]))
				best = number;
		}
		if (best < 0)
			return true;
		for (number = 0; number < CASINO_ROULETTE_NUMBERS; number++)
		{
			if (results[number] != results[best] || counted[number])
				continue;
			counted[number] = true;
			ways++;
		}
		casino_count_emit_result(sink, context, selection, results[best], den, chips,
								 casino_big(ways), casino_big(CASINO_ROULETTE_NUMBERS));
	}
}

/*
 * count_selections
 *		Rows of all selections that a format makes of up to two numbers.
 */
static bool
count_selections(const char *stem, const char *format, int first_end, int second_end,
				 const CasinoOdds *odds, CasinoCountSink sink, void *context)
{
	int			a;
	int			b;

	for (b = 0; b < second_end; b++)
	{
		for (a = 0; a < first_end; a++)
		{
			char		selection[CASINO_COUNT_TEXT_SIZE];
			char		name[2 * CASINO_COUNT_TEXT_SIZE];

			snprintf(selection, sizeof(selection), format, a, second_end > 1 ? b : a + 3);
			snprintf(name, sizeof(name), "%.31s:%s", stem, selection);
			if (!count_announced(name, selection, odds, sink, context))
				return false;
		}
	}
	return true;
}

/*
 * casino_count_announced
 *		Rows of every selection of an announced bet.
 */
bool
casino_count_announced(const char *stem, const CasinoOdds *odds, CasinoCountSink sink, void *context)
{
	if (casino_announced_stem(stem, strlen(stem)) != strlen(stem))
		return false;
	if (strcmp(stem, "neighbours") == 0)
		return count_selections(stem, "%d/%d", CASINO_ROULETTE_NUMBERS, 10, odds, sink, context);
	if (strcmp(stem, "complete") == 0 || strcmp(stem, "semi_complete") == 0)
		return count_selections(stem, "%d", CASINO_ROULETTE_NUMBERS, 1, odds, sink, context);
	if (strcmp(stem, "finale_plein") == 0)
		return count_selections(stem, "%d", 10, 1, odds, sink, context);
	if (strcmp(stem, "finale_cheval") == 0)
		return count_selections(stem, "%d-%d", 10, 1, odds, sink, context);
	return count_announced(stem, "", odds, sink, context);
}
