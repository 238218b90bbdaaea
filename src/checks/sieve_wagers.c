/*
 * sieve_wagers.c
 *	  One player's wagers in a round: are they within the limits, and is what
 *	  they were paid what the cards and the plan give?
 *
 * Grades and money are the pure core's, as those of casino.evaluation are.
 */
#include "checks/sieve.h"

#include "core/games/evaluate.h"

/* A cleared table of positions with room for n wagers: the caller's, or a larger one. */
static CasinoPosition *
positions_for(int n, CasinoPosition *own, uint32 *size)
{
	uint32		slots = casino_evaluate_slots(n);

	if (slots > *size)
	{
		own = palloc(sizeof(CasinoPosition) * slots);
		*size = slots;
	}
	memset(own, 0, sizeof(CasinoPosition) * *size);
	return own;
}

/* Was the stake paid the amount that is due, by that grade? */
static bool
payout_fits(const SieveStake *stake, const CasinoStake *due)
{
	if (due->returned)
		return true;
	if (due->payout == 0)
		return stake->end != 'p';
	return stake->end == 'p' && stake->end_amount == due->payout &&
		strcmp(stake->grade, casino_grade_name(due->grade)) == 0;
}

bool
casino_sieve_payouts_fit(const SieveRound *round, int64 player_id, const SieveStake *stakes, int n)
{
	CasinoRoundFacts facts = {
		.family = round->plan->family,
		.rules = &round->plan->rules,
		.paytable = &round->plan->paytable,
		.number = round->number,
		.hands = round->hands
	};
	CasinoPosition own[16];
	uint32		size = lengthof(own);
	CasinoPosition *table = positions_for(n, own, &size);
	CasinoStake few[lengthof(own) / 2];
	CasinoStake *dues = n <= (int) lengthof(few) ? few : palloc(sizeof(CasinoStake) * (size_t) n);
	int			at;

	for (int i = 0; i < n; i++)
		dues[i] = (CasinoStake)
	{
		.bet = stakes[i].bet, .seat = stakes[i].seat, .hand = stakes[i].hand, .returned = stakes[i].end == 'r'
	};
	/* players paid from each other's stakes are left to the check */
	if (casino_evaluate(&facts, player_id, dues, n, table, &at) != CASINO_EVALUATED)
		return false;
	for (int i = 0; i < n; i++)
		if (!payout_fits(&stakes[i], &dues[i]))
			return false;
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

/*
 * Least and most that may lie on the bet's position; false when it is not offered, or the limits are
 * not known.
 */
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
		(kind == CASINO_FIRST_FOUR || (kind >= CASINO_SPLIT && kind <= CASINO_SIX_LINE &&
									   bet->numbers[0] == 0)))
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
		if (!casino_position_add(table, size, &taken, &stakes[i].bet, stakes[i].seat, stakes[i].hand,
								 &before))
			return false;
	}
	for (int i = 0; i < n; i++)
	{
		const CasinoPosition *position;

		if (stakes[i].never_placed)
			continue;
		position = casino_position_find(table, size, &stakes[i].bet, stakes[i].seat, stakes[i].hand);
		if (!limits_of(round, &stakes[i].bet, &least, &most) || position->staked < least ||
			position->staked > most)
			return false;
	}
	return round->plan->round_most == -1 || staked <= round->plan->round_most;
}
