/*
 * count_play_steps.h
 *	  The steps of counting blackjack's main bet (count_play.c), for its own files.
 */
#ifndef CASINO_COUNT_PLAY_STEPS_H
#define CASINO_COUNT_PLAY_STEPS_H

#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_rules.h"
#include "core/returns/count.h"
#include "core/returns/count_big.h"

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

/* A pair that is split: its card, and whether free of charge. */
typedef struct Pair
{
	CasinoCard	card;
	bool		free;
} Pair;

static inline CasinoCard
card_of(int rank)
{
	return casino_card_make(rank, 0);
}

static inline CasinoThirteenths
nothing(void)
{
	return casino_thirteenths(0, 0);
}

static inline void
add_to(CasinoThirteenths *sum, CasinoThirteenths what)
{
	*sum = casino_thirteenths_add(*sum, what);
}

/* ---------- hands ---------- */

/* Begin with a first card of the dealer: the chances of his hands; nothing is known of the player's. */
extern void casino_play_start_up_card(Play *play, int rank);

/* Profit of all wagers of a final hand against a kind of the dealer's. */
extern int64_t casino_play_profit(Play *play, int dealer, int final, int mode, int payer, bool split);

/* Best play of two cards that are not split (again). */
extern Choice casino_play_choose(Play *play, const CasinoHand *two, int payer, bool split, bool free_split);

/* Keep that action where it is worth more. */
extern void casino_play_choose_better(Choice *best, Action action, int final, CasinoThirteenths value);

/* Add the chances of final kinds of two cards under a choice, dealt in so many ways of 13^power. */
extern void casino_play_add_spread(Play *play, Spread *sum, const CasinoHand *two, const Choice *choice,
								   int payer,
								   bool split, int64_t ways, int power);

/* ---------- results ---------- */

extern void casino_play_add_result(Play *play, Results *results, int64_t profit, CasinoThirteenths chance);

/* Results of final hands against a kind of the dealer's. */
extern void casino_play_spread_results(Play *play, const Spread *spread, int dealer, int payer, bool split,
									   Results *results);

/* Add the sums of two results that know nothing of each other. */
extern void casino_play_add_sums(Play *play, Results *sum, const Results *a, const Results *b);

/* Rows, from the greatest result down, over the smallest common power of 13. */
extern void casino_play_emit_results(Results *results, int64_t scale, const char *selection,
									 CasinoCountSink sink,
									 void *context);

/* ---------- splits ---------- */

/* Two cards that are the start of a split; false when they may not be split. */
extern bool casino_play_start_pair(Play *play, const CasinoHand *two, Pair *pair);

/* What the hands of a split are worth together, and their results against a kind of the dealer's hand. */
extern CasinoThirteenths casino_play_split_value(Play *play, const Pair *pair);
extern const Results *casino_play_split_results(Play *play, const Pair *pair, int dealer);

#endif							/* CASINO_COUNT_PLAY_STEPS_H */
