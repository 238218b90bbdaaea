/*
 * position.c
 *	  What lies on the positions of one player in a round.
 */
#include "core/games/position.h"

#include "core/money.h"

/*
 * place_of
 *		Kind and selection as one number; equal where casino_bet_same_position()
 *		says so.
 */
static uint64_t
place_of(const CasinoBet *bet)
{
	uint64_t	place = (uint64_t) bet->kind << 8 | bet->count;
	int			i;

	for (i = 0; i < CASINO_BET_NUMBERS_MAX; i++)
		place = place << 8 | bet->numbers[i];
	return place;
}

/*
 * find
 *		The slot of that position, or the free one where it belongs.
 */
static CasinoPosition *
find(CasinoPosition *table, uint32_t size, uint64_t place, int32_t seat, int32_t hand)
{
	uint64_t	hash = (place ^ (uint64_t) (uint32_t) seat << 32 ^ (uint32_t) hand) *
	UINT64_C(0x9E3779B97F4A7C15);
	uint32_t	slot = (uint32_t) (hash >> 32) & (size - 1);

	while (table[slot].hand != 0 &&
		   (table[slot].place != place || table[slot].seat != seat || table[slot].hand != hand))
		slot = (slot + 1) & (size - 1);
	return &table[slot];
}

/*
 * casino_position_find
 *		A wager without a hand lies on the first, one without a seat on seat 0 (R2.3).
 */
CasinoPosition *
casino_position_find(CasinoPosition *table, uint32_t size, const CasinoBet *bet, int seat, int hand)
{
	return find(table, size, place_of(bet), seat, hand < 1 ? 1 : hand);
}

/*
 * casino_position_add
 *		Put a wager down and say what lay there before.
 */
bool
casino_position_add(CasinoPosition *table, uint32_t size, uint32_t *taken, const CasinoBet *bet,
					int seat, int hand, int64_t *before)
{
	CasinoPosition *position = casino_position_find(table, size, bet, seat, hand);

	if (position->hand == 0)
	{
		position->place = place_of(bet);
		position->seat = seat;
		position->hand = hand < 1 ? 1 : hand;
		position->staked = 0;
		(*taken)++;
	}
	*before = position->staked;
	return casino_money_add(position->staked, bet->stake, &position->staked);
}

/*
 * casino_position_move
 *		Copy a table into a larger empty one.
 */
void
casino_position_move(const CasinoPosition *from, uint32_t from_size, CasinoPosition *to, uint32_t to_size)
{
	uint32_t	i;

	for (i = 0; i < from_size; i++)
	{
		if (from[i].hand != 0)
			*find(to, to_size, from[i].place, from[i].seat, from[i].hand) = from[i];
	}
}
