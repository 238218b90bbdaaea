/*
 * grading.c
 *	  Wagers graded again.
 */
#include "grading.h"

#include <inttypes.h>

#include "baccarat.h"
#include "blackjack_grade.h"
#include "casino_holdem.h"
#include "money.h"
#include "position.h"
#include "pots.h"
#include "roulette.h"
#include "values.h"

/* Why the round took no such wager at its time; NULL: it did (R12.15). */
static const char *
out_of_time(const Round *round, const Stake *stake)
{
	char		phase = round->plan == NULL || round->plan->lost ? '\0' : round->plan->phase[stake->bet.kind];
	int64_t		at = stake->posted_at;
	bool		closed = round->betting_closed_at != NO_TIME;

	if (at < round->opened_at)
		return "before its round was opened";
	if (at > round->evaluated_at)
		return "after its round was evaluated";
	if (round->actions_closed_at != NO_TIME && at > round->actions_closed_at)
		return "after the decisions of its round had ended";
	if (phase == 'b' && closed && at > round->betting_closed_at)
		return "after the betting of its round was closed";
	if (round->betting_until != NO_TIME && at >= round->betting_until &&
		(phase == 'b' || !closed || at < round->betting_closed_at))
		return "after the time until which its round took bets";
	if (phase == 'p' && (!closed || at < round->betting_closed_at))
		return "in play, before the betting of its round was closed";
	return NULL;
}

void
check_times(const Round *round, const Stake *all, int n)
{
	for (int i = 0; i < n; i++)
	{
		const Stake *stake = &all[i];
		const char *why = stake->never_placed ? NULL : out_of_time(round, stake);

		if (why != NULL)
			refuse(stake->place, "entry %" PRId64 " of player %" PRId64 " was staked %s", stake->entry_no,
				   stake->player_id, why);
		/* a payout bears the time of the evaluation (R12.12, R12.21); what was withheld is paid later */
		if (stake->end == 'p' && (stake->end_posted_at < round->evaluated_at ||
								  (stake->end_posted_at != round->evaluated_at &&
								   round->withheld_at == NO_TIME && !round->some_withheld)))
			refuse(stake->end_place, "entry %" PRId64 " of player %" PRId64 " was paid at another time than its round %" PRId64 " was evaluated",
				   stake->entry_no, stake->player_id, round->round_id);
	}
}

/* A blackjack wager on the hands of its box, or of its player's group at a shared box. */
static CasinoGrade
grade_blackjack(const Round *round, const Stake *stake, const Stake *all, int n)
{
	CasinoHand	hands[16];
	CasinoBlackjackWager wager = {0};
	int			group = 0;
	int			count = 0;
	int			number = stake->hand < 1 ? 1 : stake->hand;

	memset(hands, 0, sizeof(hands));
	for (const Hand *hand = round->hands; hand != NULL; hand = hand->next)
		if (hand->side == 'x' && hand->seat == stake->seat && hand->number == 1 && hand->group > 0 &&
			has_player(hand->players, hand->nplayers, stake->player_id))
			group = hand->group;
	for (const Hand *hand = round->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side != 'x' || hand->seat != stake->seat || hand->group != group || hand->number < 1 ||
			hand->number > 16)
			continue;
		hands[hand->number - 1] = hand->cards;
		count = hand->number > count ? hand->number : count;
		if (hand->surrendered)
			wager.flags |= CASINO_WAGER_SURRENDERED;
		if (hand->even_money || (hand->number == 1 && has_player(hand->even, hand->neven, stake->player_id)))
			wager.flags |= CASINO_WAGER_EVEN_MONEY;
	}
	if (number > count)
		return CASINO_GRADE_NONE;
	for (int i = 0; i < n; i++)
		if (all[i].end != 'r' && all[i].bet.kind == CASINO_DOUBLE_DOWN && all[i].seat == stake->seat &&
			(all[i].hand < 1 ? 1 : all[i].hand) == number)
			wager.flags |= CASINO_WAGER_DOUBLED;
	wager.rules = &round->plan->rules;
	wager.own = &hands[number - 1];
	wager.first = &hands[0];
	wager.second = count > 1 ? &hands[1] : NULL;
	wager.dealer = side_cards(round, 'd');
	return casino_grade_blackjack(stake->bet.kind, &wager);
}

static CasinoGrade
grade_roulette(const Round *round, const Stake *stake, const Stake *all, int n)
{
	return round->number < 0 || round->number > 36 ? CASINO_GRADE_NONE
		: casino_grade_roulette(&stake->bet, round->number);
}

static CasinoGrade
grade_baccarat(const Round *round, const Stake *stake, const Stake *all, int n)
{
	if (side_cards(round, 'p')->count < 2 || side_cards(round, 'b')->count < 2)
		return CASINO_GRADE_NONE;
	return casino_grade_baccarat(&stake->bet, side_cards(round, 'p'), side_cards(round, 'b'));
}

static CasinoGrade
grade_casino_holdem(const Round *round, const Stake *stake, const Stake *all, int n)
{
	bool		called = false;

	for (int i = 0; i < n; i++)
		called |= all[i].end != 'r' && all[i].bet.kind == CASINO_CALL;
	return casino_grade_holdem(&stake->bet, side_cards(round, 'p'), side_cards(round, 'o'), side_cards(round, 'd'),
							   called);
}

/* The players are paid from each other's stakes: by settle_texas(), when all are known. */
#define grade_texas_holdem	NULL

/* How a wager of each family is graded. */
typedef CasinoGrade (*Grader) (const Round *round, const Stake *stake, const Stake *all, int n);

static const Grader graders[CASINO_FAMILY_END] = {
#define CASINO_FAMILY(symbol, name)	[CASINO_FAMILY_##symbol] = grade_##name,
#include "family_list.h"
};

/* What the wager was paid against what the plan gives. */
static void
check_payout(const Stake *stake, const char *word, int64_t payout)
{
	int64_t		paid = stake->end == 'p' ? stake->end_amount : 0;

	if (payout != paid || (stake->end == 'p' && strcmp(stake->grade, word) != 0) || (stake->end == 'p' && payout == 0))
		refuse(stake->end == 'p' ? stake->end_place : stake->place,
			   "entry %" PRId64 " of player %" PRId64 " was paid %" PRId64
			   ".%02d%s%s, but ended \"%s\" and gets %" PRId64 ".%02d",
			   stake->entry_no, stake->player_id, paid / 100, (int) (paid % 100), stake->end == 'p' ? " as " : "",
			   stake->end == 'p' ? stake->grade : "", word, payout / 100, (int) (payout % 100));
}

/* Money of a Texas Hold'em seat; settled when all players are known. */
int
collect_texas(Round *round, const Stake *all, int n)
{
	int			graded = 0;

	if (round->seats == NULL)
	{
		round->seats = resize(NULL, CASINO_SEATS_MAX, sizeof(Seat));
		memset(round->seats, 0, CASINO_SEATS_MAX * sizeof(Seat));
	}
	for (int i = 0; i < n; i++)
	{
		Seat	   *seat;

		if (all[i].end == 'r')
			continue;
		if (all[i].seat < 1 || all[i].seat > CASINO_SEATS_MAX)
			refuse(all[i].place, "entry %" PRId64 " of player %" PRId64 " has no seat", all[i].entry_no, all[i].player_id);
		seat = &round->seats[all[i].seat - 1];
		if (!casino_money_add(seat->staked, all[i].amount, &seat->staked) ||
			(all[i].end == 'p' && !casino_money_add(seat->paid, all[i].end_amount, &seat->paid)))
			refuse(all[i].place, "the money of its seat is out of range");
		if (seat->place.line == 0 || all[i].end == 'p')
			seat->place = all[i].end == 'p' ? all[i].end_place : all[i].place;
		graded++;
	}
	return graded;
}

const char *
texas_dues(const Round *round, int64_t dues[])
{
	static CasinoError error;
	CasinoPotHand hand;
	CasinoPots	pots;

	memset(&hand, 0, sizeof(hand));
	hand.button = round->button;
	hand.board = *side_cards(round, 'o');
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
	{
		hand.seats[i].contributed = round->seats[i].staked;
		hand.seats[i].folded = true;
	}
	for (const Hand *h = round->hands; h != NULL; h = h->next)
		if (h->side == 'x' && h->seat >= 1 && h->seat <= CASINO_SEATS_MAX)
		{
			hand.seats[h->seat - 1].folded = h->folded;
			if (h->cards.count == 2)
			{
				hand.seats[h->seat - 1].has_cards = true;
				memcpy(hand.seats[h->seat - 1].cards, h->cards.cards, 2);
			}
		}
	if (!casino_pots_settle(&hand, &pots, &error))
		return error.detail;
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
		dues[i] = pots.won[i] + pots.returned[i];
	return NULL;
}

void
settle_texas(const Round *round)
{
	int64_t		dues[CASINO_SEATS_MAX];
	const char *why = texas_dues(round, dues);

	for (int i = 0; i < CASINO_SEATS_MAX; i++)
	{
		if (why != NULL && round->seats[i].place.line != 0)
			refuse(round->seats[i].place, "round %" PRId64 " cannot have been played so: %s",
				   round->round_id, why);
		if (why == NULL && dues[i] != round->seats[i].paid)
			refuse(round->seats[i].place,
				   "seat %d of round %" PRId64 " was paid %" PRId64 ".%02d and gets %" PRId64 ".%02d", i + 1,
				   round->round_id, round->seats[i].paid / 100, (int) (round->seats[i].paid % 100),
				   dues[i] / 100,
				   (int) (dues[i] % 100));
	}
}

bool
is_by_seat(const Round *round)
{
	return graders[round->plan->family] == NULL;
}

void
grade_dues(const Round *round, const Stake *all, int n, int64_t *dues, CasinoGrade *grades)
{
	CasinoPosition small[32];
	CasinoPosition *table = small;
	uint32_t	size = 32;
	uint32_t	taken = 0;

	/* stakes on one position share its profit: what lay there before each of them */
	while (size < 2 * (uint32_t) n)
		size *= 2;
	if (size > 32)
		table = resize(NULL, size, sizeof(CasinoPosition));
	memset(table, 0, size * sizeof(CasinoPosition));
	for (int i = 0; i < n; i++)
	{
		const Stake *stake = &all[i];
		CasinoGrade result;
		const Odds *odds;
		int64_t		before;
		CasinoShare share;

		dues[i] = 0;
		grades[i] = CASINO_GRADE_NONE;
		if (stake->end == 'r')
			continue;
		/* graded by the cards, then paid by the plan */
		result = graders[round->plan->family] (round, stake, all, n);
		if (result == CASINO_GRADE_NONE)
			refuse(stake->place, "the cards of round %" PRId64 " do not decide entry %" PRId64 " of player %" PRId64, round->round_id,
				   stake->entry_no, stake->player_id);
		odds = &round->plan->odds[stake->bet.kind][result];
		if (!casino_position_add(table, size, &taken, &stake->bet, stake->seat, stake->hand, &before))
			refuse(stake->place, "the stakes on its position are out of range");
		if (result != CASINO_LOSE)
		{
			if (odds->den == 0)
				refuse(stake->place, "the paytable of the plan has no line for %s graded %s", casino_bet_kind_name(stake->bet.kind),
					   casino_grade_name(result));
			if (!casino_money_share(before, stake->bet.stake, odds->num, odds->den,
									round->plan->cap[stake->bet.kind], &share) ||
				!casino_money_add(casino_bet_kind_is_free(stake->bet.kind) ? 0 : stake->bet.stake, share.profit,
								  &dues[i]))
				refuse(stake->place, "its payout is out of range");
		}
		grades[i] = result;
	}
	if (table != small)
		free(table);
}

/* Wagers of one player in one round that has ended, by entry_no. */
int
grade_group(Round *round, const Stake *all, int n)
{
	int			graded = 0;
	int64_t    *dues;
	CasinoGrade *grades;

	if (round->plan == NULL || round->plan->lost || round->plan->family == CASINO_FAMILY_NONE)
		return -1;
	if (is_by_seat(round))
		return collect_texas(round, all, n);
	dues = resize(NULL, (size_t) n, sizeof(int64_t));
	grades = resize(NULL, (size_t) n, sizeof(CasinoGrade));
	grade_dues(round, all, n, dues, grades);
	for (int i = 0; i < n; i++)
		if (all[i].end != 'r')
		{
			check_payout(&all[i], casino_grade_name(grades[i]), dues[i]);
			graded++;
		}
	free(dues);
	free(grades);
	return graded;
}
