/*
 * count_play.c
 *	  The main bet of blackjack under the best play against an endless shoe.
 *
 * For each first card of the dealer: the best play of each two cards of the
 * player, which may be to split them, and under these decisions the chances of
 * his final hands; with those of the dealer's hands, the chances of each result.
 *
 * What is allowed and what a final hand gets is asked of the extension's own
 * options and grades, on cards that stand for their kind.
 */
#include "core/returns/count_play.h"

#include <stdlib.h>
#include <string.h>

#include "core/returns/count_play_steps.h"

/* Add the results of a pair that is split, which is dealt in so many ways of 169, to those of the game. */
static void
add_split(Play *play, const Pair *pair, int64_t ways)
{
	int			dealer;
	int			i;

	for (dealer = 0; dealer < DEALER_KINDS; dealer++)
	{
		CasinoThirteenths chance = casino_thirteenths(ways * play->dealer_ways[dealer], DEALER_POWER + 3);
		const Results *results;

		if (play->dealer_ways[dealer] == 0)
			continue;
		results = casino_play_split_results(play, pair, dealer);
		for (i = 0; i < results->count; i++)
			casino_play_add_result(play, &play->all, results->profit[i],
								   casino_thirteenths_multiply(results->chance[i], chance));
	}
}

/* Add the results of all hands that are not split. */
static void
add_unsplit(Play *play, const Spread *spread)
{
	Results		results;
	int			dealer;
	int			i;

	for (dealer = 0; dealer < DEALER_KINDS; dealer++)
	{
		if (play->dealer_ways[dealer] == 0)
			continue;
		casino_play_spread_results(play, spread, dealer, PAID, false, &results);
		for (i = 0; i < results.count; i++)
			casino_play_add_result(play, &play->all, results.profit[i],
								   casino_thirteenths_multiply(results.chance[i],
															   casino_thirteenths(play->dealer_ways[dealer],
																				  DEALER_POWER + 1)));
	}
}

/* All rounds in which the dealer's first card is that; ten-values are four ranks in one. */
static void
play_up_card(Play *play, int up, int64_t up_ways)
{
	Spread		unsplit;
	int			a;
	int			b;

	casino_play_start_up_card(play, up);
	memset(&unsplit, 0, sizeof(unsplit));
	for (a = 0; a < RANKS; a++)
	{
		for (b = a; b < RANKS; b++)
		{
			CasinoHand	two = {2, {card_of(a), card_of(b)}};
			Choice		choice = casino_play_choose(play, &two, PAID, false, false);
			int64_t		ways = (a == b ? 1 : 2) * up_ways;
			Pair		pair;

			if (casino_play_start_pair(play, &two, &pair))
				casino_play_choose_better(&choice, ACT_SPLIT, 0, casino_play_split_value(play, &pair));
			if (choice.action == ACT_SPLIT)
				add_split(play, &pair, ways);
			else
				casino_play_add_spread(play, &unsplit, &two, &choice, PAID, false, ways, 2);
		}
	}
	add_unsplit(play, &unsplit);
}

/* Common multiple of the denominators; 0 where it is out of bounds. */
static int64_t
common_scale(const CasinoOdds *odds)
{
	static const int kinds[] = {CASINO_MAIN, CASINO_DOUBLE_DOWN, CASINO_FREE_SPLIT, CASINO_FREE_DOUBLE};
	int64_t		scale = 1;
	size_t		i;
	int			grade;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
	{
		for (grade = 0; grade < CASINO_GRADE_END; grade++)
		{
			int64_t		den = odds->lines[kinds[i]][grade].den;
			int64_t		multiple = scale;

			if (den == 0)
				continue;
			while (multiple % den != 0)
				multiple += scale;
			scale = multiple;
			if (scale > 10000)
				return 0;
		}
	}
	return scale;
}

/* Are the hands of a split paid as the main bet is? */
static bool
pays_splits_alike(const CasinoOdds *odds)
{
	static const CasinoGrade grades[] = {CASINO_WIN, CASINO_PUSH, CASINO_CHARLIE, CASINO_RETURNED};
	size_t		i;

	for (i = 0; i < sizeof(grades) / sizeof(grades[0]); i++)
	{
		const CasinoOddsLine *main = &odds->lines[CASINO_MAIN][grades[i]];
		const CasinoOddsLine *split = &odds->lines[CASINO_SPLIT_PAIR][grades[i]];

		if ((int64_t) main->num * split->den != (int64_t) split->num * main->den ||
			(main->den == 0) != (split->den == 0))
			return false;
	}
	return true;
}

static bool
is_counted(const Play *play)
{
	int			i;

	for (i = 0; i < play->all.count; i++)
	{
		if (play->all.chance[i].power > CASINO_THIRTEENTHS_MOST)
			return false;
	}
	return !play->failed;
}

/*
 * casino_count_play
 *		Rows of the main bet by result.
 */
bool
casino_count_play(const CasinoBlackjackRules *rules, const CasinoOdds *odds, bool offers_surrender,
				  const char *selection, CasinoCountSink sink, void *context)
{
	Play	   *play;
	bool		counted;
	int			up;

	if (rules->cards_on_split_ace > 1 || rules->max_hands > HANDS_MOST || common_scale(odds) == 0 ||
		(rules->max_hands > 1 && !pays_splits_alike(odds)))
		return false;
	play = calloc(1, sizeof(*play));
	if (play == NULL)
		return false;
	play->at.rules = rules;
	play->odds = odds;
	play->scale = common_scale(odds);
	play->offers_surrender = offers_surrender;
	for (up = CASINO_RANK_2; up <= CASINO_RANK_A; up++)
	{
		if (up != CASINO_RANK_J && up != CASINO_RANK_Q && up != CASINO_RANK_K)
			play_up_card(play, up, up == CASINO_RANK_T ? 4 : 1);
	}
	counted = is_counted(play);
	if (counted)
		casino_play_emit_results(&play->all, play->scale, selection, sink, context);
	free(play);
	return counted;
}
