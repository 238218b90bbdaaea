/*
 * count_play.c
 *	  The main bet of blackjack under the best play against an endless shoe.
 *
 * For each first card of the dealer: the chances of his hands; then the value of
 * each hand of the player from the end backwards (stand or hit, double, split,
 * give up), which decides; then, under these decisions, the chances of the
 * player's final hands, and with those of the dealer's the chances of each
 * result.  The hands of a split are worth the sum of their values, as an
 * endless shoe forgets what lies; their results are added up for each of the
 * dealer's hands, which they share.
 *
 * What is allowed and what a final hand gets is asked of the extension's own
 * options and grades, on cards that stand for their kind.
 */
#include <stdlib.h>
#include <string.h>

#include "blackjack_dealer.h"
#include "blackjack_grade.h"
#include "blackjack_options.h"
#include "count_blackjack.h"
#include "count_play.h"

#define RANKS				CASINO_RANKS
#define DEALER_POWER		11	/* cards the dealer draws at most */
#define HANDS_MOST			6
#define CARDS_MOST			22	/* of a hand not over 21, and one more */
#define RESULTS_MOST		96

/* Kinds of the dealer's hand that the players meet. */
enum
{
	DEALER_BLACKJACK, DEALER_17, DEALER_21 = DEALER_17 + 4, DEALER_22, DEALER_OVER_22, DEALER_KINDS
};

/* Kinds of final hand; a total is that total less 3. */
enum
{
	FINAL_BUST, FINAL_21 = 18, FINAL_CHARLIE, FINAL_BLACKJACK, FINAL_EVEN_MONEY, FINAL_SURRENDER, FINAL_KINDS
};

#define FINAL_OF_TOTAL(total)	((total) - 3)

/* What lies on a hand beside its first wager. */
enum
{
	PLAIN, DOUBLED, DOUBLED_FREE, MODES
};

/* Who pays the first wager of a hand. */
enum
{
	PAID, FREE, PAYERS
};

/* A hand of the play: all that matters for what can become of it. */
typedef struct State
{
	bool		known;
	bool		hits;
	bool		spread_known;
	CasinoThirteenths value;
	CasinoThirteenths spread[FINAL_CHARLIE + 1];	/* chances of its final kinds */
} State;

typedef enum Action
{
	ACT_PLAY, ACT_DOUBLE, ACT_DOUBLE_FREE, ACT_SPLIT, ACT_END	/* END: at once, as a final kind */
} Action;

/* What is done with two cards, and what it is worth. */
typedef struct Choice
{
	Action		action;
	int			final;			/* of ACT_END */
	CasinoThirteenths value;
} Choice;

/* Chances of final kinds by mode. */
typedef struct Spread
{
	CasinoThirteenths chance[FINAL_KINDS][MODES];
} Spread;

/* Chances of results, in main stakes times scale. */
typedef struct Results
{
	int			count;
	int64_t		profit[RESULTS_MOST];
	CasinoThirteenths chance[RESULTS_MOST];
} Results;

/* What became of waiting halves of a split: so many paid, so many free, so many splits left. */
typedef struct Waiting
{
	bool		known;
	bool		results_known;
	CasinoThirteenths value;
	Results		results;
} Waiting;

typedef struct Play
{
	CasinoBlackjackCase at;
	const CasinoOdds *odds;
	int64_t		scale;			/* of profits: common multiple of the odds' denominators */
	bool		offers_surrender;
	bool		failed;
	/* of the dealer's first card */
	CasinoHand	up;
	CasinoHand	dealer[DEALER_KINDS];	/* a hand of each kind; empty where there is none */
	int64_t		dealer_ways[DEALER_KINDS];	/* out of 13^DEALER_POWER */
	bool		profit_known[DEALER_KINDS][FINAL_KINDS][MODES][PAYERS][2];
	int64_t		profits[DEALER_KINDS][FINAL_KINDS][MODES][PAYERS][2];
	State		states[PAYERS][2][CARDS_MOST + 1][CASINO_BLACKJACK_BEST + 1][2];
	/* of the pair being split */
	Waiting		waiting[HANDS_MOST + 1][HANDS_MOST + 1][HANDS_MOST];
	/* of the whole game */
	Results		all;
} Play;

static CasinoCard
card_of(int rank)
{
	return casino_card_make(rank, 0);
}

static CasinoThirteenths
nothing(void)
{
	return casino_thirteenths(0, 0);
}

static void
add_to(CasinoThirteenths *sum, CasinoThirteenths what)
{
	*sum = casino_thirteenths_add(*sum, what);
}

/* ---------- the dealer ---------- */

static int
dealer_kind(const CasinoHand *hand)
{
	int			total = casino_blackjack_total(hand);

	if (casino_blackjack_dealer_has_blackjack(hand))
		return DEALER_BLACKJACK;
	if (total <= CASINO_BLACKJACK_BEST)
		return DEALER_17 + total - 17;
	return total == 22 ? DEALER_22 : DEALER_OVER_22;
}

static void
deal_on(Play *play, CasinoHand *hand, int64_t ways)
{
	int			rank;

	if (hand->count >= 2 && !casino_blackjack_dealer_may_draw(casino_blackjack_total(hand)))
	{
		int			kind = dealer_kind(hand);
		int			drawn;

		for (drawn = hand->count - 1; drawn < DEALER_POWER; drawn++)
			ways *= RANKS;
		play->dealer_ways[kind] += ways;
		play->dealer[kind] = *hand;
		return;
	}
	for (rank = CASINO_RANK_2; rank <= CASINO_RANK_A; rank++)
	{
		if (rank == CASINO_RANK_J || rank == CASINO_RANK_Q || rank == CASINO_RANK_K)
			continue;			/* as the ten */
		hand->cards[hand->count++] = card_of(rank);
		deal_on(play, hand, rank == CASINO_RANK_T ? 4 * ways : ways);
		hand->count--;
	}
}

static void
start_up_card(Play *play, int rank)
{
	CasinoHand	hand = {1, {card_of(rank)}};

	play->up = hand;
	memset(play->dealer, 0, sizeof(play->dealer));
	memset(play->dealer_ways, 0, sizeof(play->dealer_ways));
	memset(play->profit_known, 0, sizeof(play->profit_known));
	memset(play->states, 0, sizeof(play->states));
	deal_on(play, &hand, 1);
}

/* ---------- what a final hand gets ---------- */

/* Cards of a final kind that is no blackjack. */
static CasinoHand
final_cards(const Play *play, int final, bool split)
{
	CasinoHand	bust = {3, {card_of(CASINO_RANK_T), card_of(CASINO_RANK_T), card_of(CASINO_RANK_5)}};
	CasinoHand	three = {3, {card_of(CASINO_RANK_T), card_of(CASINO_RANK_9), card_of(CASINO_RANK_2)}};
	CasinoHand	two = {2, {card_of(CASINO_RANK_A), card_of(CASINO_RANK_T)}};
	int			total = final + 3;
	int			i;

	if (final == FINAL_BUST)
		return bust;
	if (final == FINAL_CHARLIE)
	{
		two.count = play->at.rules->charlie_cards;
		for (i = 0; i < two.count; i++)
			two.cards[i] = card_of(CASINO_RANK_A);
		return two;
	}
	if (final == FINAL_21 && !split)
		return three;
	if (final >= FINAL_21)
		return two;				/* a split hand's 21, or a blackjack */
	two.cards[0] = card_of(total <= 11 ? CASINO_RANK_2 : CASINO_RANK_T);
	two.cards[1] = card_of((total <= 11 ? total - 2 : total - 10) - 2);
	return two;
}

static unsigned
flags_of(int final, int mode)
{
	if (final == FINAL_SURRENDER)
		return CASINO_WAGER_SURRENDERED;
	if (final == FINAL_EVEN_MONEY)
		return CASINO_WAGER_EVEN_MONEY;
	return mode == DOUBLED ? CASINO_WAGER_DOUBLED : 0;
}

/* Profit of one wager. */
static int64_t
wager_profit(Play *play, int kind, const CasinoBlackjackWager *wager)
{
	CasinoGrade grade = casino_grade_blackjack(kind, wager);
	const CasinoOddsLine *line = &play->odds->lines[kind][grade];

	if (grade == CASINO_LOSE)
		return casino_bet_kind_is_free(kind) ? 0 : -play->scale;
	if (line->den == 0)
	{
		play->failed = true;
		return 0;
	}
	return line->num * (play->scale / line->den);
}

/* Profit of all wagers of a final hand against a kind of the dealer's. */
static int64_t
profit_of(Play *play, int dealer, int final, int mode, int payer, bool split)
{
	bool	   *known = &play->profit_known[dealer][final][mode][payer][split];
	int64_t    *profit = &play->profits[dealer][final][mode][payer][split];

	if (!*known && play->dealer_ways[dealer] > 0)
	{
		CasinoHand	own = final_cards(play, final, split);
		CasinoBlackjackWager wager = {play->at.rules, &own, &own, split ? &own : NULL,
		&play->dealer[dealer], flags_of(final, mode)};

		*profit = wager_profit(play, payer == FREE ? CASINO_FREE_SPLIT : CASINO_MAIN, &wager);
		if (mode != PLAIN)
			*profit += wager_profit(play, mode == DOUBLED ? CASINO_DOUBLE_DOWN : CASINO_FREE_DOUBLE, &wager);
	}
	*known = true;
	return *profit;
}

/* Value of a final hand: its profit against all hands of the dealer. */
static CasinoThirteenths
final_value(Play *play, int final, int mode, int payer, bool split)
{
	int64_t		sum = 0;
	int			dealer;

	for (dealer = 0; dealer < DEALER_KINDS; dealer++)
		sum += play->dealer_ways[dealer] * profit_of(play, dealer, final, mode, payer, split);
	return casino_thirteenths(sum, DEALER_POWER);
}

/* ---------- hands that are played on ---------- */

/* A hand by its sum with aces as 1, whether it has one, and its cards. */
typedef struct Cards
{
	int			sum;
	bool		ace;
	int			count;
} Cards;

static Cards
with_card(Cards cards, int rank)
{
	cards.sum += casino_blackjack_card_value(card_of(rank));
	cards.ace = cards.ace || rank == CASINO_RANK_A;
	cards.count++;
	return cards;
}

static int
total_of(Cards cards)
{
	return cards.ace && cards.sum <= CASINO_BLACKJACK_BEST - 10 ? cards.sum + 10 : cards.sum;
}

/* Final kind when nothing more is drawn. */
static int
final_of(const Play *play, Cards cards)
{
	if (cards.sum > CASINO_BLACKJACK_BEST)
		return FINAL_BUST;
	if (play->at.rules->charlie_cards > 0 && cards.count >= play->at.rules->charlie_cards)
		return FINAL_CHARLIE;
	return FINAL_OF_TOTAL(total_of(cards));
}

static State *
state_of(Play *play, Cards cards, int payer, bool split)
{
	/* how many cards there are matters for a Charlie only */
	int			count = play->at.rules->charlie_cards > 0 ? cards.count : 0;

	return &play->states[payer][split][count][cards.sum][cards.ace];
}

/*
 * play_on
 *		The hand under the best of standing and hitting; NULL when it has ended.
 */
static const State *
play_on(Play *play, Cards cards, int payer, bool split)
{
	const CasinoBlackjackRules *rules = play->at.rules;
	int			final = final_of(play, cards);
	int			total = total_of(cards);
	CasinoThirteenths drawn = nothing();
	State	   *state;
	int			rank;

	if (final == FINAL_BUST || final == FINAL_CHARLIE || cards.count >= CARDS_MOST)
		return NULL;
	state = state_of(play, cards, payer, split);
	if (state->known)
		return state;
	state->known = true;
	state->value = final_value(play, final, PLAIN, payer, split);
	if (total == CASINO_BLACKJACK_BEST && !rules->draw_on_21)
		return state;
	for (rank = 0; rank < RANKS; rank++)
	{
		Cards		more = with_card(cards, rank);
		const State *next = play_on(play, more, payer, split);

		add_to(&drawn, next ? next->value : final_value(play, final_of(play, more), PLAIN, payer, split));
	}
	drawn = casino_thirteenths_over_13(drawn);
	if (total <= rules->must_draw_to || casino_thirteenths_compare(drawn, state->value) > 0)
	{
		state->hits = true;
		state->value = drawn;
	}
	return state;
}

/* Chances of the final kinds of a hand that play_on has decided. */
static const CasinoThirteenths *
spread_of(Play *play, Cards cards, int payer, bool split)
{
	State	   *state = state_of(play, cards, payer, split);
	int			rank;
	int			i;

	if (state->spread_known)
		return state->spread;
	for (i = 0; i <= FINAL_CHARLIE; i++)
		state->spread[i] = nothing();
	if (!state->hits)
		state->spread[final_of(play, cards)] = casino_thirteenths(1, 0);
	for (rank = 0; rank < RANKS && state->hits; rank++)
	{
		Cards		more = with_card(cards, rank);

		if (play_on(play, more, payer, split) == NULL)
			add_to(&state->spread[final_of(play, more)], casino_thirteenths(1, 1));
		else
		{
			const CasinoThirteenths *next = spread_of(play, more, payer, split);

			for (i = 0; i <= FINAL_CHARLIE; i++)
			{
				if (!casino_big_is_zero(next[i].number))
					add_to(&state->spread[i], casino_thirteenths_over_13(next[i]));
			}
		}
	}
	state->spread_known = true;
	return state->spread;
}

/* ---------- two cards ---------- */

static Cards
cards_of(const CasinoHand *two)
{
	Cards		cards = {0, false, 0};

	cards = with_card(cards, casino_card_rank(two->cards[0]));
	return with_card(cards, casino_card_rank(two->cards[1]));
}

static void
choose_better(Choice *best, Action action, int final, CasinoThirteenths value)
{
	if (casino_thirteenths_compare(value, best->value) <= 0)
		return;
	best->action = action;
	best->final = final;
	best->value = value;
}

static CasinoThirteenths
double_value(Play *play, Cards cards, int mode, int payer, bool split)
{
	CasinoThirteenths sum = nothing();
	int			rank;

	for (rank = 0; rank < RANKS; rank++)
		add_to(&sum, final_value(play, final_of(play, with_card(cards, rank)), mode, payer, split));
	return casino_thirteenths_over_13(sum);
}

/*
 * choose_for_two
 *		Best play of two cards that are not split (again).
 */
static Choice
choose_for_two(Play *play, const CasinoHand *two, int payer, bool split, bool free_split)
{
	Cards		cards = cards_of(two);
	Choice		best = {ACT_END, final_of(play, cards), nothing()};
	CasinoError error;

	if (!split && casino_blackjack_is_blackjack(two))
	{
		best.final = FINAL_BLACKJACK;
		best.value = final_value(play, FINAL_BLACKJACK, PLAIN, payer, split);
		if (casino_blackjack_may_take_even_money(&play->at, play->up.cards[0], true, &error))
			choose_better(&best, ACT_END, FINAL_EVEN_MONEY,
						  final_value(play, FINAL_EVEN_MONEY, PLAIN, payer, split));
		return best;
	}
	if (split && casino_blackjack_is_ace(two->cards[0]) && play->at.rules->cards_on_split_ace > 0)
	{
		best.value = final_value(play, best.final, PLAIN, payer, split);
		return best;
	}
	best.action = ACT_PLAY;
	best.value = play_on(play, cards, payer, split)->value;
	if (casino_blackjack_may_double(&play->at, two, split, &error))
		choose_better(&best, ACT_DOUBLE, 0, double_value(play, cards, DOUBLED, payer, split));
	if (casino_blackjack_may_double_free(&play->at, two, split, free_split, &error))
		choose_better(&best, ACT_DOUBLE_FREE, 0, double_value(play, cards, DOUBLED_FREE, payer, split));
	if (casino_blackjack_may_surrender(&play->at, two, split, play->offers_surrender, &error))
		choose_better(&best, ACT_END, FINAL_SURRENDER,
					  final_value(play, FINAL_SURRENDER, PLAIN, payer, split));
	return best;
}

/* Add the chances of final kinds of two cards under a choice, out of 13^power. */
static void
add_spread(Play *play, Spread *sum, const CasinoHand *two, const Choice *choice, int payer, bool split, int64_t ways, int power)
{
	Cards		cards = cards_of(two);
	CasinoThirteenths weight = casino_thirteenths(ways, power);
	int			i;

	if (choice->action == ACT_END)
		add_to(&sum->chance[choice->final][PLAIN], weight);
	else if (choice->action == ACT_PLAY)
	{
		const CasinoThirteenths *spread = spread_of(play, cards, payer, split);

		for (i = 0; i <= FINAL_CHARLIE; i++)
		{
			if (!casino_big_is_zero(spread[i].number))
				add_to(&sum->chance[i][PLAIN], casino_thirteenths_multiply(spread[i], weight));
		}
	}
	else
	{
		for (i = 0; i < RANKS; i++)
			add_to(&sum->chance[final_of(play, with_card(cards, i))][choice->action == ACT_DOUBLE ? DOUBLED : DOUBLED_FREE],
				   casino_thirteenths_over_13(weight));
	}
}

/* ---------- results ---------- */

static void
add_result(Play *play, Results *results, int64_t profit, CasinoThirteenths chance)
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

static void
spread_results(Play *play, const Spread *spread, int dealer, int payer, bool split, Results *results)
{
	int			final;
	int			mode;

	results->count = 0;
	for (final = 0; final < FINAL_KINDS; final++)
	{
		for (mode = 0; mode < MODES; mode++)
		{
			if (!casino_big_is_zero(spread->chance[final][mode].number))
				add_result(play, results, profit_of(play, dealer, final, mode, payer, split),
						   spread->chance[final][mode]);
		}
	}
}

/* Add the sums of two results that know nothing of each other. */
static void
add_sums(Play *play, Results *sum, const Results *a, const Results *b)
{
	int			i;
	int			k;

	for (i = 0; i < a->count; i++)
		for (k = 0; k < b->count; k++)
			add_result(play, sum, a->profit[i] + b->profit[k],
					   casino_thirteenths_multiply(a->chance[i], b->chance[k]));
}

/* ---------- splits ---------- */

/* A pair that is split: its card, and whether free of charge. */
typedef struct Pair
{
	CasinoCard	card;
	bool		free;
} Pair;

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
	if (halves.splits_left == 0 || !may_split(play, pair, rank, play->at.rules->max_hands - halves.splits_left))
		return false;
	return casino_thirteenths_compare(halves_value(play, pair, with_split(pair, halves)),
									  casino_thirteenths_add(choice->value, halves_value(play, pair, without_next(halves)))) > 0;
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
		Choice		choice = choose_for_two(play, &two, payer, true, pair->free);

		if (splits_again(play, pair, halves, rank, &choice))
			add_to(&sum, halves_value(play, pair, with_split(pair, halves)));
		else
			add_to(&sum, casino_thirteenths_add(choice.value, halves_value(play, pair, without_next(halves))));
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

	if (waiting->results_known)
		return &waiting->results;
	waiting->results_known = true;
	waiting->results.count = 0;
	if (halves.paid + halves.free == 0)
	{
		add_result(play, &waiting->results, 0, casino_thirteenths(1, 0));
		return &waiting->results;
	}
	memset(&spread, 0, sizeof(spread));
	for (rank = 0; rank < RANKS; rank++)
	{
		CasinoHand	two = {2, {pair->card, card_of(rank)}};
		Choice		choice = choose_for_two(play, &two, payer, true, pair->free);

		if (splits_again(play, pair, halves, rank, &choice))
			again++;
		else
			add_spread(play, &spread, &two, &choice, payer, true, 1, 1);
	}
	spread_results(play, &spread, dealer, payer, true, &next);
	add_sums(play, &waiting->results, &next, halves_results(play, pair, without_next(halves), dealer));
	if (again > 0)
	{
		const Results *split = halves_results(play, pair, with_split(pair, halves), dealer);

		for (i = 0; i < split->count; i++)
			add_result(play, &waiting->results, split->profit[i],
					   casino_thirteenths_over_13(casino_thirteenths_times(split->chance[i], again)));
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

/* ---------- the game ---------- */

static Halves
after_first_split(const Play *play, const Pair *pair)
{
	Halves		halves = {pair->free ? 1 : 2, pair->free ? 1 : 0, play->at.rules->max_hands - 2};

	return halves;
}

/* Two cards that are the start of a split; false when they may not be split. */
static bool
start_pair(Play *play, const CasinoHand *two, Pair *pair)
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
		forget_results(play);
		results = halves_results(play, pair, after_first_split(play, pair), dealer);
		for (i = 0; i < results->count; i++)
			add_result(play, &play->all, results->profit[i], casino_thirteenths_multiply(results->chance[i], chance));
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
		spread_results(play, spread, dealer, PAID, false, &results);
		for (i = 0; i < results.count; i++)
			add_result(play, &play->all, results.profit[i],
					   casino_thirteenths_multiply(results.chance[i],
												   casino_thirteenths(play->dealer_ways[dealer], DEALER_POWER + 1)));
	}
}

/* All rounds in which the dealer's first card is that; ten-values are four ranks in one. */
static void
play_up_card(Play *play, int up, int64_t up_ways)
{
	Spread		unsplit;
	int			a;
	int			b;

	start_up_card(play, up);
	memset(&unsplit, 0, sizeof(unsplit));
	for (a = 0; a < RANKS; a++)
	{
		for (b = a; b < RANKS; b++)
		{
			CasinoHand	two = {2, {card_of(a), card_of(b)}};
			Choice		choice = choose_for_two(play, &two, PAID, false, false);
			int64_t		ways = (a == b ? 1 : 2) * up_ways;
			Pair		pair;

			if (start_pair(play, &two, &pair))
				choose_better(&choice, ACT_SPLIT, 0, halves_value(play, &pair, after_first_split(play, &pair)));
			if (choice.action == ACT_SPLIT)
				add_split(play, &pair, ways);
			else
				add_spread(play, &unsplit, &two, &choice, PAID, false, ways, 2);
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

		if ((int64_t) main->num * split->den != (int64_t) split->num * main->den || (main->den == 0) != (split->den == 0))
			return false;
	}
	return true;
}

/* Rows, from the greatest result down, over the smallest common power of 13. */
static void
emit_results(Results *results, int64_t scale, const char *selection, CasinoCountSink sink, void *context)
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
		casino_count_emit_result(sink, context, selection, (int32_t) results->profit[best], (int32_t) scale, 1,
								 casino_thirteenths_over(results->chance[best], power),
								 casino_thirteenths_over(casino_thirteenths(1, 0), power));
		results->chance[best].power = -1;
	}
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
		emit_results(&play->all, play->scale, selection, sink, context);
	free(play);
	return counted;
}
