/*
 * fuzz_hand.c
 *	  libFuzzer driver: any bytes as the text and as the cards of a hand.
 */
#include "fuzz.h"

#include "core/hand.h"

static void
require_canonical(const CasinoHand *hand)
{
	CasinoHand	again;
	CasinoError error;
	char		text[CASINO_HAND_TEXT_SIZE];
	char		text_again[CASINO_HAND_TEXT_SIZE];
	size_t		len = casino_hand_print(hand, text);
	size_t		i;

	REQUIRE(hand->count <= CASINO_HAND_MAX);
	REQUIRE(len < sizeof(text) && len == strlen(text));
	REQUIRE(len == (hand->count > 0 ? (size_t) hand->count * 3 - 1 : 0));
	for (i = 0; i < CASINO_HAND_MAX; i++)
		REQUIRE(i < hand->count ? casino_card_is_valid(hand->cards[i]) : hand->cards[i] == 0);

	REQUIRE(casino_hand_parse(text, len, &again, &error));
	REQUIRE(memcmp(hand, &again, sizeof(again)) == 0);
	REQUIRE(casino_hand_print(&again, text_again) == len && strcmp(text, text_again) == 0);
	REQUIRE(casino_hand_from_cards(hand->cards, hand->count, &again, &error));
	REQUIRE(memcmp(hand, &again, sizeof(again)) == 0);
}

static void
require_refused(const CasinoError *error)
{
	const char *p;

	REQUIRE(error->code == CASINO_MALFORMED);
	REQUIRE(memchr(error->detail, '\0', sizeof(error->detail)) != NULL);
	REQUIRE(error->detail[0] != '\0' && error->detail[strlen(error->detail) - 1] == '.');
	for (p = error->detail; *p != '\0'; p++)
		REQUIRE(*p >= 0x20 && *p <= 0x7E);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CasinoHand	hand;
	CasinoError error = {CASINO_OK, ""};

	if (casino_hand_parse((const char *) data, size, &hand, &error))
		require_canonical(&hand);
	else
		require_refused(&error);

	if (casino_hand_from_cards(data, size, &hand, &error))
	{
		REQUIRE(hand.count == size && (size == 0 || memcmp(hand.cards, data, size) == 0));
		require_canonical(&hand);
	}
	else
		require_refused(&error);
	return 0;
}
