/*
 * count_play_results.c
 *	  Results of blackjack against an endless shoe, with their chances.
 */
#include "core/returns/count_play_steps.h"

void
casino_play_add_result(Play *play, Results *results, int64_t profit, CasinoThirteenths chance)
{
	int			i;

	if (casino_big_is_zero(chance.number))
		return;
	for (i = 0; i < results->count && results->profit[i] != profit; i++)
		;
	if (i == RESULTS_MOST)
	{
		play->failed = true;
		return;
	}
	if (i == results->count)
	{
		results->profit[i] = profit;
		results->chance[i] = nothing();
		results->count++;
	}
	add_to(&results->chance[i], chance);
}

void
casino_play_spread_results(Play *play, const Spread *spread, int dealer, int payer, bool split,
						   Results *results)
{
	int			final;
	int			mode;

	results->count = 0;
	for (final = 0; final < FINAL_KINDS; final++)
	{
		for (mode = 0; mode < MODES; mode++)
		{
			if (!casino_big_is_zero(spread->chance[final][mode].number))
				casino_play_add_result(play, results,
									   casino_play_profit(play, dealer, final, mode, payer, split),
									   spread->chance[final][mode]);
		}
	}
}

/* Add the sums of two results that know nothing of each other. */
void
casino_play_add_sums(Play *play, Results *sum, const Results *a, const Results *b)
{
	int			i;
	int			k;

	for (i = 0; i < a->count; i++)
		for (k = 0; k < b->count; k++)
			casino_play_add_result(play, sum, a->profit[i] + b->profit[k],
								   casino_thirteenths_multiply(a->chance[i], b->chance[k]));
}

/* Rows, from the greatest result down, over the smallest common power of 13. */
void
casino_play_emit_results(Results *results, int64_t scale, const char *selection, CasinoCountSink sink,
						 void *context)
{
	int			power = 0;
	int			i;
	int			k;

	for (i = 0; i < results->count; i++)
	{
		CasinoThirteenths *chance = &results->chance[i];

		for (;;)
		{
			uint32_t	rest;
			CasinoBig	less = casino_big_divide(chance->number, RANKS, &rest);

			if (rest != 0 || chance->power == 0)
				break;
			chance->number = less;
			chance->power--;
		}
		power = chance->power > power ? chance->power : power;
	}
	for (i = 0; i < results->count; i++)
	{
		int			best = -1;

		for (k = 0; k < results->count; k++)
		{
			if (results->chance[k].power >= 0 && (best < 0 || results->profit[k] > results->profit[best]))
				best = k;
		}
		if (best < 0)
			break;				/* as many are left as there were */
		casino_count_emit_result(sink, context, selection, (int32_t) results->profit[best], (int32_t) scale,
								 1,
								 casino_thirteenths_over(results->chance[best], power),
								 casino_thirteenths_over(casino_thirteenths(1, 0), power));
		results->chance[best].power = -1;
	}
}
