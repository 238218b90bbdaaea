/*
 * grading.c
 *	  Wagers graded again.
 */
#include "grading.h"

#include <inttypes.h>

#include "core/games/evaluate.h"
#include "core/money.h"
#include "core/games/pots.h"
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
			refuse(stake->end_place, "entry %" PRId64 " of player %"
				   PRId64 " was paid at another time than its round %" PRId64 " was evaluated",
				   stake->entry_no, stake->player_id, round->round_id);
	}
}

/* What the wager was paid against what the plan gives. */
static void
check_payout(const Stake *stake, const char *word, int64_t payout)
{
	int64_t		paid = stake->end == 'p' ? stake->end_amount : 0;

	if (payout != paid || (stake->end == 'p' && strcmp(stake->grade, word) != 0) ||
		(stake->end == 'p' && payout == 0))
		refuse(stake->end == 'p' ? stake->end_place : stake->place,
			   "entry %" PRId64 " of player %" PRId64 " was paid %" PRId64
			   ".%02d%s%s, but ended \"%s\" and gets %" PRId64 ".%02d",
			   stake->entry_no, stake->player_id, paid / 100, (int) (paid % 100),
			   stake->end == 'p' ? " as " : "",
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
			refuse(all[i].place, "entry %" PRId64 " of player %" PRId64 " has no seat", all[i].entry_no,
				   all[i].player_id);
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
	hand.board = *casino_dealt_side(round->hands, 'o');
	for (int i = 0; i < CASINO_SEATS_MAX; i++)
	{
		hand.seats[i].contributed = round->seats[i].staked;
		hand.seats[i].folded = true;
	}
	for (const CasinoDealtHand *h = round->hands; h != NULL; h = h->next)
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
	return !casino_evaluates_alone(round->plan->family);
}

/* Why the wager cannot be evaluated. */
static void
refuse_wager(const Round *round, const Stake *stake, CasinoGrade grade, CasinoEvaluation why)
{
	switch (why)
	{
		case CASINO_NOT_DECIDED:
			refuse(stake->place,
				   "the cards of round %" PRId64 " do not decide entry %" PRId64 " of player %" PRId64,
				   round->round_id, stake->entry_no, stake->player_id);
		case CASINO_NO_ODDS:
			refuse(stake->place, "the paytable of the plan has no line for %s graded %s",
				   casino_bet_kind_name(stake->bet.kind), casino_grade_name(grade));
		case CASINO_STAKES_TOO_LARGE:
			refuse(stake->place, "the stakes on its position are out of range");
		case CASINO_PROFIT_TOO_LARGE:
		case CASINO_PAYOUT_TOO_LARGE:
			refuse(stake->place, "its payout is out of range");
		case CASINO_EVALUATED:
			break;
	}
}

void
grade_dues(const Round *round, const Stake *all, int n, int64_t *dues, CasinoGrade *grades)
{
	CasinoRoundFacts facts = {
		.family = round->plan->family,
		.rules = &round->plan->rules,
		.paytable = &round->plan->paytable,
		.number = round->number,
		.hands = round->hands
	};
	CasinoPosition *positions = resize(NULL, casino_evaluate_slots(n), sizeof(CasinoPosition));
	CasinoStake *stakes = resize(NULL, (size_t) n, sizeof(CasinoStake));
	CasinoEvaluation why;
	int			at;

	for (int i = 0; i < n; i++)
		stakes[i] = (CasinoStake)
	{
		.bet = all[i].bet, .seat = all[i].seat, .hand = all[i].hand, .returned = all[i].end == 'r'
	};
	why = casino_evaluate(&facts, all[0].player_id, stakes, n, positions, &at);
	if (why != CASINO_EVALUATED)
		refuse_wager(round, &all[at], stakes[at].grade, why);
	for (int i = 0; i < n; i++)
	{
		dues[i] = stakes[i].payout;
		grades[i] = stakes[i].grade;
	}
	free(positions);
	free(stakes);
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
