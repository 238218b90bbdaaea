/*
 * count_play_splits.c
 *	  Pairs of blackjack that are split, against an endless shoe.
 *
 * The hands of a split are worth the sum of their values, as an endless shoe
 * forgets what lies; their results are added up for each of the dealer's hands,
 * which they share.
 */
#include <string.h>

#include "core/games/blackjack_options.h"
#include "core/returns/count_play_steps.h"

static bool
may_split(Play *play, const Pair *pair, int rank, int hands)
{
	CasinoError error;

	if (pair->free)
		return casino_blackjack_may_split_free(&play->at, pair->card, card_of(rank), hands, &error);
	return casino_blackjack_may_split(&play->at, pair->card, card_of(rank), hands, &error);
}

/* Halves that wait for their second card. */
typedef struct Halves
{
	int			paid;
	int			free;
	int			splits_left;
} Halves;

static Halves
without_next(Halves halves)
{
	*(halves.paid > 0 ? &halves.paid : &halves.free) -= 1;
	return halves;
}

/* The next half got its like and was split again: it and a new one wait. */
static Halves
with_split(const Pair *pair, Halves halves)
{
	*(pair->free ? &halves.free : &halves.paid) += 1;
	halves.splits_left--;
	return halves;
}

static CasinoThirteenths halves_value(Play *play, const Pair *pair, Halves halves);

/* Is splitting again best for the next half, which got a card of that rank? */
static bool
splits_again(Play *play, const Pair *pair, Halves halves, int rank, const Choice *choice)
{
	if (halves.splits_left == 0 || !may_split(play, pair, rank,
											  play->at.rules->max_hands - halves.splits_left))
		return false;
	return casino_thirteenths_compare(halves_value(play, pair, with_split(pair, halves)),
									  casino_thirteenths_add(choice->value,
															 halves_value(play, pair, without_next(halves)))) > 0;
}

/* What the waiting halves are worth together. */
static CasinoThirteenths
halves_value(Play *play, const Pair *pair, Halves halves)
{
	Waiting    *waiting = &play->waiting[halves.paid][halves.free][halves.splits_left];
	int			payer = halves.paid > 0 ? PAID : FREE;
	CasinoThirteenths sum = nothing();
	int			rank;

	if (halves.paid + halves.free == 0)
		return sum;
	if (waiting->known)
		return waiting->value;
	for (rank = 0; rank < RANKS; rank++)
	{
		CasinoHand	two = {2, {pair->card, card_of(rank)}};
		Choice		choice = casino_play_choose(play, &two, payer, true, pair->free);

		if (splits_again(play, pair, halves, rank, &choice))
			add_to(&sum, halves_value(play, pair, with_split(pair, halves)));
		else
			add_to(&sum, casino_thirteenths_add(choice.value,
												halves_value(play, pair, without_next(halves))));
	}
	waiting->value = casino_thirteenths_over_13(sum);
	waiting->known = true;
	return waiting->value;
}

/* Results of the waiting halves against a kind of the dealer's hand. */
static const Results *
halves_results(Play *play, const Pair *pair, Halves halves, int dealer)
{
	Waiting    *waiting = &play->waiting[halves.paid][halves.free][halves.splits_left];
	int			payer = halves.paid > 0 ? PAID : FREE;
	Spread		spread;
	Results		next;
	int64_t		again = 0;
	int			rank;
	int			i;

	/* known from another way of getting here */
	if (waiting->results_known)
		return &waiting->results;
	waiting->results_known = true;
	waiting->results.count = 0;
	if (halves.paid + halves.free == 0)
	{
		casino_play_add_result(play, &waiting->results, 0, casino_thirteenths(1, 0));
		return &waiting->results;
	}

	/* the next half with each second card: played, or split again */
	memset(&spread, 0, sizeof(spread));
	for (rank = 0; rank < RANKS; rank++)
	{
		CasinoHand	two = {2, {pair->card, card_of(rank)}};
		Choice		choice = casino_play_choose(play, &two, payer, true, pair->free);

		if (splits_again(play, pair, halves, rank, &choice))
			again++;
		else
			casino_play_add_spread(play, &spread, &two, &choice, payer, true, 1, 1);
	}

	/* played: its result with those of the halves that wait */
	casino_play_spread_results(play, &spread, dealer, payer, true, &next);
	casino_play_add_sums(play, &waiting->results, &next,
						 halves_results(play, pair, without_next(halves), dealer));

	/* split again: one more half waits */
	if (again > 0)
	{
		const Results *split = halves_results(play, pair, with_split(pair, halves), dealer);

		for (i = 0; i < split->count; i++)
			casino_play_add_result(play, &waiting->results, split->profit[i],
								   casino_thirteenths_over_13(casino_thirteenths_times(split->chance[i],
																					   again)));
	}
	return &waiting->results;
}

static void
forget_results(Play *play)
{
	Waiting    *waiting = &play->waiting[0][0][0];
	size_t		i;

	for (i = 0; i < sizeof(play->waiting) / sizeof(*waiting); i++)
		waiting[i].results_known = false;
}

/* Two cards that are the start of a split; false when they may not be split. */
bool
casino_play_start_pair(Play *play, const CasinoHand *two, Pair *pair)
{
	CasinoError error;
	int			i;

	pair->card = casino_blackjack_is_ten(two->cards[0]) ? card_of(CASINO_RANK_T) : two->cards[0];
	pair->free = casino_blackjack_may_split_free(&play->at, two->cards[0], two->cards[1], 1, &error);
	if (!pair->free && !casino_blackjack_may_split(&play->at, two->cards[0], two->cards[1], 1, &error))
		return false;
	for (i = 0; i < (int) (sizeof(play->waiting) / sizeof(Waiting)); i++)
		(&play->waiting[0][0][0])[i].known = false;
	return true;
}

static Halves
after_first_split(const Play *play, const Pair *pair)
{
	Halves		halves = {pair->free ? 1 : 2, pair->free ? 1 : 0, play->at.rules->max_hands - 2};

	return halves;
}

CasinoThirteenths
casino_play_split_value(Play *play, const Pair *pair)
{
	return halves_value(play, pair, after_first_split(play, pair));
}

const Results *
casino_play_split_results(Play *play, const Pair *pair, int dealer)
{
	forget_results(play);
	return halves_results(play, pair, after_first_split(play, pair), dealer);
}
