/*
 * fuzz_card.c
 *	  libFuzzer driver: any bytes as the text of a card.
 */
#include "fuzz.h"

#include "core/card.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CasinoCard	card = 255;
	CasinoCard	again = 255;
	char		text[CASINO_CARD_TEXT_LEN];
	size_t		taken = casino_card_scan((const char *) data, size, &card);

	REQUIRE(taken <= size && taken <= 5);
	if (taken == 0)
	{
		REQUIRE(card == 255);
		return 0;
	}
	REQUIRE(casino_card_is_valid(card));

	/* no more than the bytes taken were needed, and no fewer */
	REQUIRE(casino_card_scan((const char *) data, taken, &again) == taken && again == card);
	REQUIRE(casino_card_scan((const char *) data, taken - 1, &again) == 0);

	casino_card_print(card, text);
	REQUIRE(casino_card_scan(text, sizeof(text), &again) == sizeof(text) && again == card);
	return 0;
}
