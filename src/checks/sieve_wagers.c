/*
 * sieve_wagers.c
 *	  One player's wagers in a round: are they within the limits, and is what
 *	  they were paid what the cards and the plan give?
 *
 * Grades and money are the pure core's, as those of casino.evaluation are.
 */
#include "checks/sieve.h"

#include "core/baccarat.h"
#include "core/casino_holdem.h"
#include "core/position.h"
#include "core/roulette.h"

#define HANDS_MAX	16

static const CasinoHand *
side_cards(const SieveRound *round, char side)
{
	static const CasinoHand none;

	for (const SieveHand *hand = round->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side == side)
			return &hand->cards;
	}
	return &none;
}

static bool
is_among(int64 player_id, const int64 *players, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (players[i] == player_id)
			return true;
	}
	return false;
}

/* Group of the player at a shared box; 0: everybody's. */
static int
group_of(const SieveRound *round, int64 player_id, int seat)
{
	for (const SieveHand *hand = round->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side == 'x' && hand->seat == seat && hand->hand == 1 && hand->group_no > 0 &&
			is_among(player_id, hand->players, hand->nplayers))
			return hand->group_no;
	}
	return 0;
}

static CasinoGrade
grade_blackjack(const SieveRound *round, int64 player_id, const SieveStake *stake, const SieveStake *all, int n)
{
	CasinoHand	hands[HANDS_MAX];
	CasinoBlackjackWager wager = {0};
	int			group_no = group_of(round, player_id, stake->seat);
	int			count = 0;
	int			number = Max(stake->hand, 1);

	memset(hands, 0, sizeof(hands));
	for (const SieveHand *hand = round->hands; hand != NULL; hand = hand->next)
	{
		if (hand->side != 'x' || hand->seat != stake->seat || hand->group_no != group_no || hand->hand < 1 ||
			hand->hand > HANDS_MAX)
			continue;
		hands[hand->hand - 1] = hand->cards;
		count = Max(count, hand->hand);
		if (hand->surrendered)
			wager.flags |= CASINO_WAGER_SURRENDERED;
		if (hand->even_money || (hand->hand == 1 && is_among(player_id, hand->even, hand->neven)))
			wager.flags |= CASINO_WAGER_EVEN_MONEY;
	}
	if (number > count)
		return CASINO_GRADE_NONE;
	for (int i = 0; i < n; i++)
	{
		if (all[i].end != 'r' && all[i].bet.kind == CASINO_DOUBLE_DOWN && all[i].seat == stake->seat &&
			Max(all[i].hand, 1) == number)
			wager.flags |= CASINO_WAGER_DOUBLED;
	}
	wager.rules = &round->plan->rules;
	wager.own = &hands[number - 1];
	wager.first = &hands[0];
	wager.second = count > 1 ? &hands[1] : NULL;
	wager.dealer = side_cards(round, 'd');
	return casino_grade_blackjack(stake->bet.kind, &wager);
}

static CasinoGrade
grade(const SieveRound *round, int64 player_id, const SieveStake *stake, const SieveStake *all, int n)
{
	bool		called = false;

	switch (round->plan->family)
	{
		case CASINO_FAMILY_ROULETTE:
			return round->number < 0 || round->number > 36 ? CASINO_GRADE_NONE
				: casino_grade_roulette(&stake->bet, round->number);
		case CASINO_FAMILY_BACCARAT:
			if (side_cards(round, 'p')->count < 2 || side_cards(round, 'b')->count < 2)
				return CASINO_GRADE_NONE;
			return casino_grade_baccarat(&stake->bet, side_cards(round, 'p'), side_cards(round, 'b'));
		case CASINO_FAMILY_BLACKJACK:
			return grade_blackjack(round, player_id, stake, all, n);
		case CASINO_FAMILY_CASINO_HOLDEM:
			for (int i = 0; i < n; i++)
				called |= all[i].end != 'r' && all[i].bet.kind == CASINO_CALL;
			return casino_grade_holdem(&stake->bet, side_cards(round, 'p'), side_cards(round, 'o'),
									   side_cards(round, 'd'), called);
		case CASINO_FAMILY_TEXAS_HOLDEM:	/* paid from each other's stakes: left to the check */
		case CASINO_FAMILY_NONE:
		case CASINO_FAMILY_END:
			break;
	}
	return CASINO_GRADE_NONE;
}

/* A table of positions with room for n wagers: the caller's, or a larger one. */
static CasinoPosition *
positions_for(int n, CasinoPosition *own, uint32 *size)
{
	if ((uint32) n * 2 > *size)
	{
		while (*size < (uint32) n * 2)
			*size *= 2;
		own = palloc(sizeof(CasinoPosition) * *size);
	}
	memset(own, 0, sizeof(CasinoPosition) * *size);
	return own;
}

bool
casino_sieve_payouts_fit(const SieveRound *round, int64 player_id, const SieveStake *stakes, int n)
{
	CasinoPosition own[16];
	uint32		size = lengthof(own);
	CasinoPosition *table = positions_for(n, own, &size);
	uint32		taken = 0;

	for (int i = 0; i < n; i++)
	{
		const SieveStake *stake = &stakes[i];
		CasinoGrade result;
		const SieveOdds *odds;
		CasinoShare share;
		int64		before = 0;
		int64		payout = 0;

		if (stake->end == 'r')
			continue;
		result = grade(round, player_id, stake, stakes, n);
		if (result == CASINO_GRADE_NONE ||
			(n > 1 && !casino_position_add(table, size, &taken, &stake->bet, stake->seat, stake->hand, &before)))
			return false;
		odds = &round->plan->odds[stake->bet.kind][result];
		if (result != CASINO_LOSE &&
			(odds->den == 0 ||
			 !casino_money_share(before, stake->bet.stake, odds->num, odds->den,
								 round->plan->declared_win[stake->bet.kind], &share) ||
			 !casino_money_add(casino_bet_kind_is_free(stake->bet.kind) ? 0 : stake->bet.stake, share.profit,
							   &payout)))
			return false;
		if (payout > 0 ? stake->end != 'p' || stake->end_amount != payout ||
			strcmp(stake->grade, casino_grade_name(result)) != 0
			: stake->end == 'p')
			return false;
	}
	return true;
}

/* Numbers that a bet covers, where limits count them. */
static int
numbers_of(const CasinoBet *bet)
{
	switch (bet->kind)
	{
		case CASINO_DOZEN:
		case CASINO_COLUMN:
			return 12;
		case CASINO_RED:
		case CASINO_BLACK:
		case CASINO_ODD:
		case CASINO_EVEN:
		case CASINO_LOW:
		case CASINO_HIGH:
			return 18;
		default:
			return bet->count;
	}
}

/* Least and most that may lie on the bet's position; false when it is not offered, or the limits are not known. */
static bool
limits_of(const SieveRound *round, const CasinoBet *bet, int64 *least, int64 *most)
{
	const SievePlan *plan = round->plan;
	const SieveTable *table = round->table;
	const SieveLimit *own;
	int64		table_least = 0;
	int64		table_most = PG_INT64_MAX;
	int			kind = bet->kind;
	char		rule;

	if (plan == NULL || table == NULL || !plan->offered[kind])
		return false;
	rule = plan->table_limits[kind];
	own = &table->limits[kind];
	if (table->limit.least < 0 || table->limit.most < 0 || plan->limits[kind].least == -2 ||
		plan->limits[kind].most == -2 || own->least == -2 || own->most == -2)
		return false;
	if (!plan->zero_offered[kind] &&
		(kind == CASINO_FIRST_FOUR || (kind >= CASINO_SPLIT && kind <= CASINO_SIX_LINE && bet->numbers[0] == 0)))
		return false;
	if (own->least != -1)
		table_least = own->least;
	else if (rule != 'n')
		table_least = table->limit.least;
	if (rule == 'c' && (own->most == -1 || plan->limits[kind].most != -1))
		table_most = table->limit.most * numbers_of(bet);
	if (own->most != -1)
		table_most = Min(table_most, own->most);
	else if (rule == 'p' || (rule == 'n' && plan->phase[kind] == 'b' && plan->limits[kind].most == -1))
		table_most = table->limit.most;
	else if (rule == 'm' && plan->limits[kind].most == -1)
		table_most = table->limit.most * numbers_of(bet);
	*least = Max(plan->limits[kind].least, table_least);
	*most = plan->limits[kind].most == -1 ? table_most : Min(plan->limits[kind].most, table_most);
	return true;
}

bool
casino_sieve_limits_fit(const SieveRound *round, const SieveStake *stakes, int n)
{
	CasinoPosition own[16];
	uint32		size = lengthof(own);
	CasinoPosition *table = positions_for(n, own, &size);
	uint32		taken = 0;
	int64		staked = 0;
	int64		before;
	int64		least;
	int64		most;

	if (round->plan == NULL || round->plan->box_together)
		return false;
	for (int i = 0; i < n; i++)
	{
		if (stakes[i].never_placed)
			continue;
		staked += stakes[i].amount;
		if (!casino_position_add(table, size, &taken, &stakes[i].bet, stakes[i].seat, stakes[i].hand, &before))
			return false;
	}
	for (int i = 0; i < n; i++)
	{
		const CasinoPosition *position;

		if (stakes[i].never_placed)
			continue;
		position = casino_position_find(table, size, &stakes[i].bet, stakes[i].seat, stakes[i].hand);
		if (!limits_of(round, &stakes[i].bet, &least, &most) || position->staked < least || position->staked > most)
			return false;
	}
	return round->plan->round_most == -1 || staked <= round->plan->round_most;
}
