/*
 * fuzz_announced.c
 *	  libFuzzer driver: any bytes as the name of an announced bet.
 */
#include "fuzz.h"

#include "core/games/announced.h"
#include "core/layout.h"

static void
require_sound(const CasinoAnnounced *announced, int64_t chip)
{
	int64_t		total = 0;
	int			i;
	int			k;

	REQUIRE(announced->count >= 1 && announced->count <= CASINO_ANNOUNCED_MAX);
	for (i = 0; i < announced->count; i++)
	{
		const CasinoBet *bet = &announced->bets[i];
		CasinoBet	again;
		CasinoError error;
		char		text[CASINO_BET_TEXT_SIZE];
		size_t		len = casino_bet_print(bet, text);

		REQUIRE(casino_layout_is_position(bet->kind, bet->numbers, bet->count));
		REQUIRE(bet->stake == chip || bet->stake == 2 * chip);
		REQUIRE(casino_bet_parse(text, len, &again, &error));
		REQUIRE(memcmp(bet, &again, sizeof(again)) == 0);
		total += bet->stake;
		for (k = 0; k < i; k++)
			REQUIRE(!casino_bet_same_position(bet, &announced->bets[k]));
	}
	REQUIRE(total <= CASINO_STAKE_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int64_t chips[] = {1, 10000, CASINO_STAKE_MAX / 19, CASINO_STAKE_MAX,
	CASINO_STAKE_MAX + 1, 0, -1, INT64_MAX, INT64_MIN};
	const char *name = (const char *) data;
	size_t		stem = casino_announced_stem(name, size);
	size_t		i;
	bool		is_name = false;

	REQUIRE(stem <= size);
	REQUIRE(stem == 0 || stem == size || name[stem] == ':');
	REQUIRE(stem == 0 || casino_announced_stem(name, stem) == stem);

	for (i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
	{
		CasinoAnnounced announced;
		CasinoError error = {CASINO_OK, ""};

		if (casino_announced_expand(name, size, chips[i], &announced, &error))
		{
			REQUIRE(stem > 0 && chips[i] >= 1 && chips[i] <= CASINO_STAKE_MAX);
			REQUIRE(i == 0 || is_name);
			is_name = true;
			require_sound(&announced, chips[i]);
		}
		else
		{
			REQUIRE(announced.count == 0);
			REQUIRE(error.code == (is_name ? CASINO_OUT_OF_RANGE : CASINO_MALFORMED));
			REQUIRE(error.detail[0] != '\0' && error.detail[strlen(error.detail) - 1] == '.');
		}
	}
	return 0;
}
