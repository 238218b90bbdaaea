/*
 * evaluate.c
 *	  One player's wagers of a round and the facts of the round in, grades and
 *	  payouts out.
 */
#include "core/games/evaluate.h"

#include <string.h>

#include "core/games/baccarat.h"
#include "core/games/blackjack_grade.h"
#include "core/games/casino_holdem.h"
#include "core/games/roulette.h"

bool
casino_is_among(int64_t player_id, const int64_t *players, int n)
{
	int			low = 0;
	int			high = n;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (players[middle] == player_id)
			return true;
		if (players[middle] < player_id)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

char
casino_dealt_side_letter(const char *side)
{
	return strcmp(side, "board") == 0 ? 'o' : strcmp(side, "box") == 0 ? 'x' : side[0];
}

const CasinoHand *
casino_dealt_side(const CasinoDealtHand *hands, char side)
{
	static const CasinoHand none;

	for (; hands != NULL; hands = hands->next)
		if (hands->side == side)
			return &hands->cards;
	return &none;
}

/* ------------------------------------------------------------ grades */

/* The wagers of one player, all together. */
typedef struct Evaluating
{
	const CasinoRoundFacts *facts;
	int64_t		player_id;
	const CasinoStake *stakes;
	int			n;
	uint64_t	kinds;			/* of the standing wagers: bit n is kind n */
} Evaluating;

#define KIND_BIT(kind)	(UINT64_C(1) << (kind))

_Static_assert(CASINO_BET_KIND_END <= 64, "a kind of bet has a bit of 64");

static uint64_t
kinds_of(const CasinoStake *stakes, int n)
{
	uint64_t	kinds = 0;

	for (int i = 0; i < n; i++)
		if (!stakes[i].returned)
			kinds |= KIND_BIT(stakes[i].bet.kind);
	return kinds;
}

/* A wager without a hand lies on the first (R2.3). */
static int
hand_of(const CasinoStake *stake)
{
	return stake->hand < 1 ? 1 : stake->hand;
}

static CasinoGrade
grade_roulette(const Evaluating *in, const CasinoStake *stake)
{
	return in->facts->number < 0 || in->facts->number > 36 ? CASINO_GRADE_NONE
		: casino_grade_roulette(&stake->bet, in->facts->number);
}

static CasinoGrade
grade_baccarat(const Evaluating *in, const CasinoStake *stake)
{
	const CasinoHand *player = casino_dealt_side(in->facts->hands, 'p');
	const CasinoHand *banker = casino_dealt_side(in->facts->hands, 'b');

	return player->count < 2 || banker->count < 2 ? CASINO_GRADE_NONE
		: casino_grade_baccarat(&stake->bet, player, banker);
}

/* Does the player have a standing wager of that kind on that seat and hand?  0: on any. */
static bool
has_wager(const Evaluating *in, int kind, int seat, int number)
{
	if (number == 0 || (in->kinds & KIND_BIT(kind)) == 0)
		return (in->kinds & KIND_BIT(kind)) != 0;
	for (int i = 0; i < in->n; i++)
		if (!in->stakes[i].returned && in->stakes[i].bet.kind == kind &&
			in->stakes[i].seat == seat && hand_of(&in->stakes[i]) == number)
			return true;
	return false;
}

/* Group of the player at a shared box; 0: of everybody. */
static int
group_of(const CasinoDealtHand *hands, int seat, int64_t player_id)
{
	for (; hands != NULL; hands = hands->next)
		if (hands->side == 'x' && hands->seat == seat && hands->number == 1 && hands->group > 0 &&
			casino_is_among(player_id, hands->players, hands->nplayers))
			return hands->group;
	return 0;
}

/* On the hands of its box, or of its player's group at a shared box. */
static CasinoGrade
grade_blackjack(const Evaluating *in, const CasinoStake *stake)
{
	static const CasinoHand none;
	const CasinoHand *hands[CASINO_BOX_HANDS_MAX];
	CasinoBlackjackWager wager = {.rules = in->facts->rules};
	int			group = group_of(in->facts->hands, stake->seat, in->player_id);
	int			number = hand_of(stake);
	int			count = 0;

	for (int i = 0; i < CASINO_BOX_HANDS_MAX; i++)
		hands[i] = &none;
	for (const CasinoDealtHand *hand = in->facts->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side != 'x' || hand->seat != stake->seat || hand->group != group || hand->number < 1 ||
			hand->number > CASINO_BOX_HANDS_MAX)
			continue;
		hands[hand->number - 1] = &hand->cards;
		count = hand->number > count ? hand->number : count;
		if (hand->surrendered)
			wager.flags |= CASINO_WAGER_SURRENDERED;
		if (hand->even_money ||
			(hand->number == 1 && casino_is_among(in->player_id, hand->even, hand->neven)))
			wager.flags |= CASINO_WAGER_EVEN_MONEY;
	}
	if (number > count)
		return CASINO_GRADE_NONE;
	if (has_wager(in, CASINO_DOUBLE_DOWN, stake->seat, number))
		wager.flags |= CASINO_WAGER_DOUBLED;
	wager.dealer = casino_dealt_side(in->facts->hands, 'd');
	wager.own = hands[number - 1];
	wager.first = hands[0];
	wager.second = count > 1 ? hands[1] : NULL;
	return casino_grade_blackjack(stake->bet.kind, &wager);
}

/* A player without a call has folded. */
static CasinoGrade
grade_casino_holdem(const Evaluating *in, const CasinoStake *stake)
{
	const CasinoDealtHand *hands = in->facts->hands;

	return casino_grade_holdem(&stake->bet, casino_dealt_side(hands, 'p'), casino_dealt_side(hands, 'o'),
							   casino_dealt_side(hands, 'd'), has_wager(in, CASINO_CALL, 0, 0));
}

/* The players are paid from each other's stakes (pots.h). */
#define grade_texas_holdem	NULL

typedef CasinoGrade (*Grader) (const Evaluating *in, const CasinoStake *stake);

static const Grader graders[CASINO_FAMILY_END] = {
#define CASINO_FAMILY(symbol, name)	[CASINO_FAMILY_##symbol] = grade_##name,
#include "core/games/family_list.h"
};

bool
casino_evaluates_alone(CasinoFamily family)
{
	return graders[family] != NULL;
}

/* ------------------------------------------------------------ money */

CasinoEvaluation
casino_evaluate_payout(const CasinoBet *bet, CasinoOddsLine odds, int64_t declared_win, int64_t before,
					   int64_t *payout, CasinoShare *share)
{
	if (odds.den == 0)
		return CASINO_NO_ODDS;
	if (!casino_money_share(before, bet->stake, odds.num, odds.den, declared_win, share))
		return CASINO_PROFIT_TOO_LARGE;
	if (!casino_money_add(casino_bet_kind_is_free(bet->kind) ? 0 : bet->stake, share->profit, payout) ||
		*payout < 0)
		return CASINO_PAYOUT_TOO_LARGE;
	return CASINO_EVALUATED;
}

uint32_t
casino_evaluate_slots(int n)
{
	uint32_t	slots = 16;

	while (slots < 2 * (uint32_t) n)
		slots *= 2;
	return slots;
}

/* Pay a graded wager, on whose position "before" lies. */
static CasinoEvaluation
pay(const CasinoPaytable *paytable, CasinoStake *stake, int64_t before)
{
	int			kind = stake->bet.kind;
	CasinoShare share;
	CasinoEvaluation result;

	stake->payout = 0;
	stake->capped = false;
	if (stake->grade == CASINO_LOSE)
		return CASINO_EVALUATED;
	result = casino_evaluate_payout(&stake->bet, paytable->odds.lines[kind][stake->grade],
									paytable->declared_win[kind], before, &stake->payout, &share);
	if (result == CASINO_EVALUATED)
		stake->capped = share.capped;
	return result;
}

CasinoEvaluation
casino_evaluate(const CasinoRoundFacts *facts, int64_t player_id, CasinoStake *stakes, int n,
				CasinoPosition *positions, int *at)
{
	Evaluating	in = {facts, player_id, stakes, n, kinds_of(stakes, n)};
	Grader		grade = graders[facts->family];
	uint32_t	slots = casino_evaluate_slots(n);
	uint32_t	taken = 0;

	/* a single wager has its position to itself */
	if (n > 1)
		memset(positions, 0, slots * sizeof(CasinoPosition));
	for (int i = 0; i < n; i++)
	{
		CasinoStake *stake = &stakes[i];
		CasinoEvaluation result;
		int64_t		before = 0;

		*at = i;
		if (stake->returned)
			continue;
		stake->grade = grade == NULL ? CASINO_GRADE_NONE : grade(&in, stake);
		if (stake->grade == CASINO_GRADE_NONE)
			return CASINO_NOT_DECIDED;
		if (n > 1 && !casino_position_add(positions, slots, &taken, &stake->bet, stake->seat, stake->hand,
										  &before))
			return CASINO_STAKES_TOO_LARGE;
		result = pay(facts->paytable, stake, before);
		if (result != CASINO_EVALUATED)
			return result;
	}
	return CASINO_EVALUATED;
}
