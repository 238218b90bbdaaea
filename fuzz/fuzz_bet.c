/*
 * fuzz_bet.c
 *	  libFuzzer driver: any bytes as the text, the selection, the amount and
 *	  the binary fields of a bet.
 */
#include "fuzz.h"

#include "core/bet.h"
#include "core/layout.h"

static void
require_canonical(const CasinoBet *bet)
{
	CasinoBet	again;
	CasinoError error;
	char		text[CASINO_BET_TEXT_SIZE];
	char		text_again[CASINO_BET_TEXT_SIZE];
	char		selection[CASINO_BET_TEXT_SIZE];
	size_t		len = casino_bet_print(bet, text);
	size_t		selection_len = casino_bet_print_selection(bet, selection);
	int			covered = 0;
	int			i;

	REQUIRE(len < sizeof(text) && len == strlen(text));
	REQUIRE(selection_len < len && selection_len == strlen(selection));
	REQUIRE(casino_bet_kind_name(bet->kind) != NULL);
	REQUIRE(bet->stake >= 1 && bet->stake <= CASINO_STAKE_MAX);
	REQUIRE(bet->count <= CASINO_BET_NUMBERS_MAX);
	for (i = 0; i < CASINO_BET_NUMBERS_MAX; i++)
	{
		if (i >= bet->count)
			REQUIRE(bet->numbers[i] == 0);
		else
			REQUIRE(i == 0 || bet->numbers[i - 1] < bet->numbers[i]);
	}
	for (i = -1; i <= CASINO_ROULETTE_NUMBERS; i++)
		covered += casino_bet_covers(bet, i);
	REQUIRE(covered == casino_bet_covered_count(bet));
	REQUIRE((covered > 0) == (bet->kind <= CASINO_HIGH));

	REQUIRE(casino_bet_parse(text, len, &again, &error));
	REQUIRE(memcmp(bet, &again, sizeof(again)) == 0);
	REQUIRE(casino_bet_compare(bet, &again) == 0 && casino_bet_same_position(bet, &again));
	REQUIRE(casino_bet_print(&again, text_again) == len && strcmp(text, text_again) == 0);
	REQUIRE(casino_bet_make(bet->kind, bet->numbers, bet->count, bet->stake, &again, &error));
	REQUIRE(memcmp(bet, &again, sizeof(again)) == 0);
	REQUIRE(casino_bet_make_text(bet->kind, selection, selection_len, bet->stake, &again, &error));
	REQUIRE(memcmp(bet, &again, sizeof(again)) == 0);
}

static void
require_refused(const CasinoError *error)
{
	const char *p;

	REQUIRE(error->code == CASINO_MALFORMED || error->code == CASINO_OUT_OF_RANGE);
	REQUIRE(memchr(error->detail, '\0', sizeof(error->detail)) != NULL);
	REQUIRE(error->detail[0] != '\0' && error->detail[strlen(error->detail) - 1] == '.');
	for (p = error->detail; *p != '\0'; p++)
		REQUIRE(*p >= 0x20 && *p <= 0x7E);
}

/* raw: kind, stake in eight bytes, then the numbers */
static void
make_from_bytes(const uint8_t *data, size_t size)
{
	CasinoBet	bet;
	CasinoError error = {CASINO_OK, ""};
	int64_t		stake;

	if (size < 1 + sizeof(stake))
		return;
	memcpy(&stake, data + 1, sizeof(stake));
	if (casino_bet_make((int8_t) data[0], data + 9, size - 9, stake, &bet, &error))
		require_canonical(&bet);
	else
		require_refused(&error);

	/* once more with a stake in range, to reach the selections often */
	stake = 1 + (int64_t) ((uint64_t) stake % CASINO_STAKE_MAX);
	if (casino_bet_make(1 + data[0] % (CASINO_BET_KIND_END - 1), data + 9, size - 9, stake, &bet, &error))
		require_canonical(&bet);
	else
		require_refused(&error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	CasinoBet	bet;
	CasinoError error = {CASINO_OK, ""};
	int64_t		halere;

	if (casino_bet_parse(text, size, &bet, &error))
		require_canonical(&bet);
	else
		require_refused(&error);

	if (casino_amount_parse(text, size, &halere, &error))
		REQUIRE(halere >= 1 && halere <= CASINO_STAKE_MAX);
	else
		require_refused(&error);

	make_from_bytes(data, size);

	if (size > 0)
	{
		if (casino_bet_make_text(data[0], text + 1, size - 1, 100, &bet, &error))
			require_canonical(&bet);
		else
			require_refused(&error);
	}
	return 0;
}
