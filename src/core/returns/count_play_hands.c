/*
 * count_play_hands.c
 *	  Hands of blackjack against an endless shoe: the dealer's, and one hand of the
 *	  player from the end backwards.
 *
 * For a first card of the dealer: the chances of his hands; what each final hand
 * of the player gets against them; then the value of each hand that is played
 * (stand or hit, double, give up), which decides, and under these decisions the
 * chances of the final hands.
 */
#include <string.h>

#include "core/games/blackjack_dealer.h"
#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_options.h"
#include "core/returns/count_play_steps.h"

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

void
casino_play_start_up_card(Play *play, int rank)
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
int64_t
casino_play_profit(Play *play, int dealer, int final, int mode, int payer, bool split)
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
		sum += play->dealer_ways[dealer] * casino_play_profit(play, dealer, final, mode, payer, split);
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

void
casino_play_choose_better(Choice *best, Action action, int final, CasinoThirteenths value)
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
 * casino_play_choose
 *		Best play of two cards that are not split (again).
 */
Choice
casino_play_choose(Play *play, const CasinoHand *two, int payer, bool split, bool free_split)
{
	Cards		cards = cards_of(two);
	Choice		best = {ACT_END, final_of(play, cards), nothing()};
	CasinoError error;

	if (!split && casino_blackjack_is_blackjack(two))
	{
		best.final = FINAL_BLACKJACK;
		best.value = final_value(play, FINAL_BLACKJACK, PLAIN, payer, split);
		if (casino_blackjack_may_take_even_money(&play->at, play->up.cards[0], true, &error))
			casino_play_choose_better(&best, ACT_END, FINAL_EVEN_MONEY,
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
		casino_play_choose_better(&best, ACT_DOUBLE, 0, double_value(play, cards, DOUBLED, payer, split));
	if (casino_blackjack_may_double_free(&play->at, two, split, free_split, &error))
		casino_play_choose_better(&best, ACT_DOUBLE_FREE, 0,
								  double_value(play, cards, DOUBLED_FREE, payer, split));
	if (casino_blackjack_may_surrender(&play->at, two, split, play->offers_surrender, &error))
		casino_play_choose_better(&best, ACT_END, FINAL_SURRENDER,
								  final_value(play, FINAL_SURRENDER, PLAIN, payer, split));
	return best;
}

/* Add the chances of final kinds of two cards under a choice, out of 13^power. */
void
casino_play_add_spread(Play *play, Spread *sum, const CasinoHand *two, const Choice *choice, int payer,
					   bool split,
					   int64_t ways, int power)
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
		int			mode = choice->action == ACT_DOUBLE ? DOUBLED : DOUBLED_FREE;

		for (i = 0; i < RANKS; i++)
			add_to(&sum->chance[final_of(play, with_card(cards, i))][mode],
				   casino_thirteenths_over_13(weight));
	}
}
