/*
 * rounds.c
 *	  Exported rounds.
 */
#include "rounds.h"

#include <inttypes.h>

#include "core/evidence/canonical_json.h"
#include "core/games/pots.h"
#include "core/evidence/value_text.h"
#include "values.h"

static Round *rounds[BUCKETS];

/* ------------------------------------------------------------ which have been seen */

/* Rounds are numbered one after the other: a bit each, 512 to a page; a page is made when it is needed. */
#define PAGE_BITS	512

typedef struct Page
{
	int64_t		number;
	struct Page *next;			/* of the bucket */
	uint64_t	sealed[PAGE_BITS / 64];
	uint64_t	ended[PAGE_BITS / 64];
} Page;

static Page *pages[BUCKETS];

static Page *
page_of(int64_t round_id, bool make)
{
	int64_t		number = round_id / PAGE_BITS - (round_id % PAGE_BITS < 0);
	Page	  **at = &pages[bucket(number)];

	while (*at != NULL && (*at)->number != number)
		at = &(*at)->next;
	if (*at == NULL && make)
	{
		*at = resize(NULL, 1, sizeof(Page));
		memset(*at, 0, sizeof(Page));
		(*at)->number = number;
	}
	return *at;
}

static bool
is_set(const uint64_t *bits, int64_t round_id)
{
	uint64_t	n = (uint64_t) round_id % PAGE_BITS;

	return (bits[n / 64] >> n % 64 & 1) != 0;
}

static void
set(uint64_t *bits, int64_t round_id)
{
	uint64_t	n = (uint64_t) round_id % PAGE_BITS;

	bits[n / 64] |= UINT64_C(1) << n % 64;
}

/* ------------------------------------------------------------ rounds */

Round *
round_find(int64_t round_id)
{
	Round	   *round = rounds[bucket(round_id)];

	while (round != NULL && round->round_id != round_id)
		round = round->next;
	return round;
}

bool
round_is_past(int64_t round_id, int64_t seal_no)
{
	const Round *round = round_find(round_id);
	const Page *page = page_of(round_id, false);

	return round != NULL ? round->seal_no != seal_no : page != NULL && is_set(page->sealed, round_id);
}

int
outcome_number(const CasinoValue *outcome, const char *name)
{
	const char *text;
	size_t		len;
	int64_t		number;

	if (outcome->presence != CASINO_PRESENT ||
		!casino_canonical_member(outcome->text, outcome->len, name, &text, &len) || len == 0 ||
		casino_int_scan(text, len, &number) != len || number < 0 || number > 999)
		return -1;
	return (int) number;
}

void
take_round(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	Round	   *round = resize(NULL, 1, sizeof(Round));
	int64_t		round_id = number_of(layout, values, "round_id");
	Page	   *page = page_of(round_id, true);
	uint32_t	b = bucket(round_id);

	if (is_set(page->sealed, round_id))
		refuse(place, "round %" PRId64 " was sealed before", round_id);
	set(page->sealed, round_id);
	memset(round, 0, sizeof(*round));
	round->round_id = round_id;
	round->seal_no = seal_no;
	round->plan = plan_find(number_of(layout, values, "plan_id"));
	round->number = outcome_number(value_of(layout, values, "outcome"), "number");
	round->button = outcome_number(value_of(layout, values, "outcome"), "button");
	round->opened_at = time_in(value_of(layout, values, "opened_at"));
	round->betting_until = time_in(value_of(layout, values, "betting_until"));
	round->betting_closed_at = time_in(value_of(layout, values, "betting_closed_at"));
	round->actions_closed_at = time_in(value_of(layout, values, "actions_closed_at"));
	round->evaluated_at = time_in(value_of(layout, values, "evaluated_at"));
	round->recorded_at = time_in(value_of(layout, values, "evaluation_recorded_at"));
	round->withheld_at = time_in(value_of(layout, values, "withheld_at"));
	if (round->opened_at == NO_TIME || round->evaluated_at == NO_TIME ||
		round->evaluated_at < round->opened_at ||
		(round->betting_closed_at != NO_TIME &&
		 (round->betting_closed_at < round->opened_at || round->betting_closed_at > round->evaluated_at)))
		refuse(place, "round %" PRId64 " was not opened, closed and evaluated in this order", round_id);
	round->next = rounds[b];
	rounds[b] = round;
}

void
take_round_end(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	int64_t		round_id = number_of(layout, values, "round_id");
	Round	   *round = round_find(round_id);
	Page	   *page = page_of(round_id, true);
	const CasinoValue *status = value_of(layout, values, "status");

	if (is_set(page->ended, round_id))
		refuse(place, "the end of round %" PRId64 " was sealed before", round_id);
	set(page->ended, round_id);
	if (!is_text(status, "voided") && !is_text(status, "settled"))
		refuse(place, "a round does not end so");
	if (round == NULL)
		return;
	round->ended = true;
	round->voided = is_text(status, "voided");
}

/* ------------------------------------------------------------ hands */

static int
ascending(const void *a, const void *b)
{
	int64_t		x = *(const int64_t *) a;
	int64_t		y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

static int64_t *
copy_numbers(const CasinoValue *value, int *count)
{
	int64_t    *numbers;

	*count = value->presence == CASINO_PRESENT ? (int) value->len : 0;
	if (*count == 0)
		return NULL;
	numbers = resize(NULL, (size_t) *count, sizeof(int64_t));
	memcpy(numbers, value->numbers, (size_t) *count * sizeof(int64_t));
	qsort(numbers, (size_t) *count, sizeof(int64_t), ascending);
	return numbers;
}

CasinoDealtHand *
hand_read(const CasinoLayout *layout, const CasinoValue *values, Place place)
{
	const CasinoValue *side = value_of(layout, values, "side");
	const CasinoValue *cards = value_of(layout, values, "cards");
	CasinoDealtHand *hand;

	if (side->presence != CASINO_PRESENT || side->len == 0)
		refuse(place, "nobody's cards cannot be");
	hand = resize(NULL, 1, sizeof(CasinoDealtHand));
	memset(hand, 0, sizeof(*hand));
	hand->side = is_text(side, "board") ? 'o' : is_text(side, "box") ? 'x' : side->text[0];
	hand->seat = small_in(value_of(layout, values, "seat"), place);
	hand->group = small_in(value_of(layout, values, "group_no"), place);
	hand->number = small_in(value_of(layout, values, "hand"), place);
	if (cards->presence == CASINO_PRESENT)
		hand->cards = cards->hand;
	hand->surrendered = number_of(layout, values, "surrendered") != 0;
	hand->folded = number_of(layout, values, "folded") != 0;
	hand->even_money = number_of(layout, values, "even_money") != 0;
	hand->even = copy_numbers(value_of(layout, values, "even_money_players"), &hand->neven);
	hand->players = copy_numbers(value_of(layout, values, "players"), &hand->nplayers);
	return hand;
}

void
take_hand(const CasinoLayout *layout, const CasinoValue *values, int64_t seal_no, Place place)
{
	int64_t		round_id = number_of(layout, values, "round_id");
	Round	   *round = round_find(round_id);
	CasinoDealtHand *hand;

	if (round == NULL || round->seal_no != seal_no)
		refuse(place, "round %" PRId64 " is not in this seal: the cards were put into it afterwards",
			   round_id);
	hand = hand_read(layout, values, place);
	hand->next = round->hands;
	round->hands = hand;
}

/* ------------------------------------------------------------ the end */

void
hands_free(CasinoDealtHand *hands)
{
	while (hands != NULL)
	{
		CasinoDealtHand *hand = hands;

		hands = hand->next;
		free(hand->even);
		free(hand->players);
		free(hand);
	}
}

static void
round_free(Round *round)
{
	hands_free(round->hands);
	free(round->seats);
	free(round->void_players);
	free(round);
}

void
rounds_seal_end(void (*done) (const Round *round), bool keep)
{
	for (int i = 0; i < BUCKETS; i++)
	{
		Round	  **at = &rounds[i];

		while (*at != NULL)
		{
			Round	   *round = *at;

			if (round->seats != NULL && !round->voided && !round->waits)
				done(round);
			if (round->ended && !keep && !round->corrected)
			{
				*at = round->next;
				round_free(round);
				continue;
			}
			free(round->seats);
			round->seats = NULL;
			at = &round->next;
		}
	}
}

void
rounds_gap(void)
{
	for (int i = 0; i < BUCKETS; i++)
		while (rounds[i] != NULL)
		{
			Round	   *round = rounds[i];

			rounds[i] = round->next;
			round_free(round);
		}
}
