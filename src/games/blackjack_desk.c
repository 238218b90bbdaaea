/*
 * blackjack_desk.c
 *	  What a player has on a seat: see blackjack_desk.h.
 */
#include "games/blackjack_desk.h"

#include "common/int.h"

#include "casino.h"
#include "games/blackjack_marks.h"

void
casino_desk_not_now(const Wager *wager, RefusalReason reason, const char *detail)
{
	ereport(ERROR,
			(errrefusal(reason, REFUSED_TEXT("kind", casino_bet_kind_name(wager->bet.kind)),
						REFUSED_PLACE("seat", wager->seat), REFUSED_PLACE("hand", wager->hand),
						REFUSED_TEXT("why", reason == REFUSAL_NOT_WITH_CARDS ? detail : NULL)),
			 errmsg("%s is not allowed now", casino_bet_kind_name(wager->bet.kind)),
			 errdetail_internal("%s", detail)));
}

void
casino_desk_not_with(const Wager *wager, RefusalReason reason, const char *name, int number,
					 const char *detail)
{
	ereport(ERROR,
			(errrefusal(reason, REFUSED_TEXT("kind", casino_bet_kind_name(wager->bet.kind)),
						REFUSED_PLACE("seat", wager->seat), REFUSED_PLACE("hand", wager->hand),
						REFUSED_INT(name, number)),
			 errmsg("%s is not allowed now", casino_bet_kind_name(wager->bet.kind)),
			 errdetail_internal("%s", detail),
			 reason == REFUSAL_OTHER_HAND ?
			 errhint("A split names the hand that it opens: hand => %d.", number) : 0));
}

int
casino_desk_hand_of(const Wager *wager)
{
	return Max(wager->hand, 1);
}

/* haléře of a kind on a seat and hand (0: any) among these */
static int64
sum_of(const Wager *wagers, int n, int kind, int seat, int hand)
{
	int64		sum = 0;

	for (int i = 0; i < n; i++)
		if (wagers[i].bet.kind == kind && wagers[i].seat == seat &&
			(hand == 0 || casino_desk_hand_of(&wagers[i]) == hand) &&
			pg_add_s64_overflow(sum, wagers[i].bet.stake, &sum))
			return PG_INT64_MAX;
	return sum;
}

int64
casino_desk_own_sum(const Desk *desk, int kind, int seat, int hand)
{
	int64		placed = sum_of(desk->placed, desk->nplaced, kind, seat, hand);
	int64		sum;

	if (pg_add_s64_overflow(placed, sum_of(desk->added, desk->nadded, kind, seat, hand), &sum))
		return PG_INT64_MAX;
	return sum;
}

bool
casino_desk_has_hand(const Desk *desk, int seat, int hand)
{
	return hand == 1 || casino_desk_own_sum(desk, CASINO_SPLIT_PAIR, seat, hand) > 0 ||
		casino_desk_own_sum(desk, CASINO_FREE_SPLIT, seat, hand) > 0;
}

bool
casino_desk_no_paid_split(const Desk *desk, int seat, int hand)
{
	bool		paid = false;

	for (int i = hand; i <= MARK_HANDS; i++)
	{
		if (casino_desk_own_sum(desk, CASINO_FREE_SPLIT, seat, i) > 0)
			return true;
		if (casino_desk_own_sum(desk, CASINO_SPLIT_PAIR, seat, i) > 0)
			paid = true;
	}
	return !paid;
}

int64
casino_desk_original_stake(const Desk *desk, int seat)
{
	int64		stake = casino_desk_own_sum(desk, CASINO_MAIN, seat, 0);

	return stake > 0 ? stake : casino_desk_own_sum(desk, CASINO_BEHIND, seat, 0);
}

int
casino_desk_highest_hand(const Desk *desk, const Wager *wager)
{
	int			highest = 1;

	for (int i = 0; i < desk->nplaced + desk->nadded; i++)
	{
		const Wager *w = i < desk->nplaced ? &desk->placed[i] : &desk->added[i - desk->nplaced];

		if (w != wager && w->seat == wager->seat &&
			(w->bet.kind == CASINO_SPLIT_PAIR || w->bet.kind == CASINO_FREE_SPLIT))
			highest = Max(highest, casino_desk_hand_of(w));
	}
	return highest;
}

bool
casino_desk_decides(const Desk *desk)
{
	return !desk->round->seated || desk->box.owner == desk->player->player_id;
}

bool
casino_desk_has_doubled(const Desk *desk, int seat, int hand)
{
	return casino_desk_own_sum(desk, CASINO_DOUBLE_DOWN, seat, hand) > 0 ||
		casino_desk_own_sum(desk, CASINO_FREE_DOUBLE, seat, hand) > 0;
}
