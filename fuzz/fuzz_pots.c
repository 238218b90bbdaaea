/*
 * fuzz_pots.c
 *	  libFuzzer driver: any bytes as a Texas Hold'em hand to be settled.
 */
#include "fuzz.h"

#include "core/games/pots.h"

typedef struct Input
{
	const uint8_t *data;
	size_t		left;
} Input;

static uint8_t
next_byte(Input *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->data++;
}

/* One byte for most amounts; the largest and impossible ones, too. */
static int64_t
next_amount(Input *in)
{
	uint8_t		byte = next_byte(in);
	int64_t		amount = 0;
	int			i;

	if (byte < 240)
		return byte * (int64_t) (1 + byte % 3 * 100);
	if (byte == 240)
		return CASINO_CONTRIBUTED_MAX;
	for (i = 0; i < 8; i++)
		amount = (int64_t) ((uint64_t) amount << 8 | next_byte(in));
	return amount;
}

static void
require_sound(const CasinoPotHand *hand, const CasinoPots *pots)
{
	int64_t		in = 0;
	int64_t		out = 0;
	int64_t		in_pots = 0;
	int			i;
	int			k;

	REQUIRE(pots->count >= 0 && pots->count <= CASINO_SEATS_MAX);
	for (i = 0; i < pots->count; i++)
	{
		const CasinoPot *pot = &pots->pots[i];
		int64_t		shared = 0;
		int64_t		least = INT64_MAX;
		int64_t		most = 0;

		REQUIRE(pot->winners != 0 && (pot->winners & ~pot->contenders) == 0);
		REQUIRE(pot->amount > 0 && pot->level > 0);
		if (i > 0)
		{
			/* fewer and fewer, at higher and higher levels */
			REQUIRE((pot->contenders & ~pot[-1].contenders) == 0);
			REQUIRE(pot->contenders != pot[-1].contenders && pot->level > pot[-1].level);
		}
		for (k = 0; k < CASINO_SEATS_MAX; k++)
		{
			bool		wins = pot->winners >> k & 1;

			REQUIRE(wins || pot->shares[k] == 0);
			if (!wins)
				continue;
			REQUIRE(!hand->seats[k].folded && hand->seats[k].contributed >= pot->level);
			shared += pot->shares[k];
			least = pot->shares[k] < least ? pot->shares[k] : least;
			most = pot->shares[k] > most ? pot->shares[k] : most;
		}
		REQUIRE(shared == pot->amount && most - least <= 1);
		in_pots += pot->amount;
	}
	for (i = 0; i < CASINO_SEATS_MAX; i++)
	{
		int64_t		reach = 0;

		for (k = 0; k < CASINO_SEATS_MAX; k++)
			reach += hand->seats[k].contributed < hand->seats[i].contributed ?
				hand->seats[k].contributed : hand->seats[i].contributed;
		REQUIRE(pots->won[i] >= 0 && pots->won[i] <= reach);
		REQUIRE(pots->returned[i] >= 0 && pots->returned[i] <= hand->seats[i].contributed);
		REQUIRE(!hand->seats[i].folded || pots->won[i] + pots->returned[i] == 0);
		in += hand->seats[i].contributed;
		out += pots->won[i] + pots->returned[i];
		in_pots += pots->returned[i];
	}
	REQUIRE(in == out && in == in_pots);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Input		in = {data, size};
	CasinoError error = {CASINO_OK, ""};
	CasinoPotHand hand;
	CasinoPots	pots;
	CasinoCard	deck = 0;
	uint8_t		flags;
	int			i;
	int			k;

	memset(&hand, 0, sizeof(hand));
	hand.button = next_byte(&in) % 13;
	flags = next_byte(&in);
	hand.board.count = flags & 1 ? 5 : flags % 25;
	for (i = 0; i < hand.board.count; i++)
		hand.board.cards[i] = flags & 2 ? next_byte(&in) : deck++;
	for (i = 0; i < CASINO_SEATS_MAX; i++)
	{
		CasinoPotSeat *seat = &hand.seats[i];
		uint8_t		state = next_byte(&in);

		if (state % 4 == 0)
			continue;
		seat->folded = state & 4;
		seat->has_cards = (state & 24) != 0;
		seat->contributed = next_amount(&in);
		for (k = 0; k < 2; k++)
			seat->cards[k] = flags & 4 ? next_byte(&in) : (CasinoCard) (deck++ % 52);
	}

	if (casino_pots_settle(&hand, &pots, &error))
		require_sound(&hand, &pots);
	else
	{
		static const CasinoPots none;

		REQUIRE(memcmp(&pots, &none, sizeof(none)) == 0);
		REQUIRE(error.code == CASINO_ILLEGAL_OUTCOME || error.code == CASINO_OUT_OF_RANGE);
		REQUIRE(error.detail[0] != '\0' && error.detail[strlen(error.detail) - 1] == '.');
	}
	return 0;
}
