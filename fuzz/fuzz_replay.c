/*
 * fuzz_replay.c
 *	  libFuzzer driver: any bytes as the actions of a Texas Hold'em hand.
 *
 * Actions are either taken as they are, or put together to a hand: an action
 * is kept when the replay does not object to it, whichever seat and street it
 * needs.  What is accepted must make sense to the settlement of the pots.
 */
#include "fuzz.h"

#include <stdio.h>

#include "core/games/texas_replay.h"

#define ACTIONS_MAX 40

static const CasinoTexasRules rules = {2500, 5000, 2};

static void
require_refused(const CasinoReplay *replay, const CasinoError *error)
{
	static const CasinoReplay none;

	REQUIRE(memcmp(replay, &none, sizeof(none)) == 0);
	REQUIRE(error->code == CASINO_ILLEGAL_OUTCOME);
	REQUIRE(error->detail[0] != '\0' && error->detail[strlen(error->detail) - 1] == '.');
}

/* Uncalled money, levels and folds of a replayed hand never contradict each other. */
static void
require_settles(const CasinoReplay *replay, CasinoSeats seats, int button)
{
	CasinoPotHand hand;
	CasinoPots	pots;
	CasinoError error;
	CasinoSeats left = seats & (CasinoSeats) ~replay->folded;
	int			i;

	REQUIRE((replay->folded & ~seats) == 0 && (replay->all_in & ~seats) == 0);
	REQUIRE((replay->folded & replay->all_in) == 0 && left != 0);
	REQUIRE(replay->showdown == (__builtin_popcount(left) > 1));
	memset(&hand, 0, sizeof(hand));
	hand.button = button;
	hand.board.count = (uint8_t) replay->board_cards;
	for (i = 0; i < hand.board.count; i++)
		hand.board.cards[i] = (CasinoCard) i;
	for (i = 0; i < CASINO_SEATS_MAX; i++)
	{
		hand.seats[i].contributed = replay->contributed[i];
		hand.seats[i].folded = replay->folded >> i & 1;
		hand.seats[i].has_cards = true;
		hand.seats[i].cards[0] = (CasinoCard) (5 + 2 * i);
		hand.seats[i].cards[1] = (CasinoCard) (6 + 2 * i);
		REQUIRE(replay->contributed[i] >= 0 && (replay->contributed[i] == 0 || seats >> i & 1));
	}
	REQUIRE(casino_pots_settle(&hand, &pots, &error));
	REQUIRE(pots.showdown == replay->showdown);
	REQUIRE(casino_texas_agrees(replay, replay->contributed, replay->folded, &error));
}

static bool
replay_any_board(CasinoSeats seats, int button, const CasinoAction *actions, int count,
				 CasinoReplay *replay, CasinoError *error)
{
	static const int boards[] = {0, 3, 4, 5};
	int			i;

	for (i = 0; i < 4; i++)
	{
		if (casino_texas_replay(&rules, seats, button, boards[i], actions, count, replay, error))
		{
			REQUIRE(replay->board_cards == boards[i]);
			return true;
		}
		require_refused(replay, error);
	}
	return false;
}

static void
raw(CasinoSeats seats, int button, const uint8_t *data, size_t size)
{
	CasinoAction actions[ACTIONS_MAX];
	CasinoReplay replay;
	CasinoError error;
	int			count = 0;

	while (count < ACTIONS_MAX && size >= 8)
	{
		CasinoAction *a = &actions[count++];
		int32_t		amount;

		memset(a, 0, sizeof(*a));
		a->seat = (int8_t) data[0];
		a->street = (CasinoStreet) (data[1] % 6);
		a->kind = (CasinoActionKind) (data[2] % 12);
		a->all_in = data[3] & 1;
		memcpy(&amount, data + 4, sizeof(amount));
		a->to = data[3] & 2 ? (int64_t) ((uint64_t) (int64_t) amount << 31) : amount;
		data += 8;
		size -= 8;
	}
	if (replay_any_board(seats, button, actions, count, &replay, &error))
		require_settles(&replay, seats, button);
}

/* Was it this action that was refused (not the hand that ends after it)? */
static bool
objects(const CasinoError *error, int number)
{
	char		start[32];

	snprintf(start, sizeof(start), "Action %d,", number);
	return strncmp(error->detail, start, strlen(start)) == 0 ||
		strncmp(error->detail, "A hand is played", 16) == 0;
}

static void
guided(CasinoSeats seats, int button, const uint8_t *data, size_t size)
{
	CasinoAction actions[ACTIONS_MAX];
	CasinoReplay replay;
	CasinoError error = {CASINO_OK, ""};
	CasinoStreet street = CASINO_PREFLOP;
	int			count = 0;
	size_t		at;

	memset(actions, 0, sizeof(actions));
	for (at = 0; at + 1 < size && count < ACTIONS_MAX; at += 2)
	{
		CasinoAction *a = &actions[count];
		bool		taken = false;
		int			s;
		int			ahead;

		a->kind = count == 0 ? CASINO_ACTION_SMALL_BLIND : count == 1 ? CASINO_ACTION_BIG_BLIND :
			(CasinoActionKind) (CASINO_ACTION_FOLD + data[at] % 6);
		a->to = 0;
		a->all_in = count < 2 && data[at] % 8 == 1;
		if (count < 2 && data[at] % 8 == 2)
			a->to = 1 + data[at + 1] * 10;
		if (a->kind == CASINO_ACTION_BET || a->kind == CASINO_ACTION_RAISE || a->kind == CASINO_ACTION_ALL_IN)
			a->to = (1 + data[at + 1]) * (data[at] & 64 ? 1000 : 100);
		for (ahead = 0; ahead < 2 && !taken; ahead++)
		{
			for (s = 1; s <= CASINO_SEATS_MAX && !taken; s++)
			{
				if (!(seats & CASINO_SEAT_BIT(s)))
					continue;
				a->seat = s;
				a->street = (CasinoStreet) (street + (CasinoStreet) ahead);
				/* the first blind is looked at only when a second is there */
				if (count == 0)
					actions[1] = *a;
				taken = casino_texas_replay(&rules, seats, button, 0, actions, count == 0 ? 2 : count + 1,
											&replay, &error) || !objects(&error, count + 1);
			}
		}
		if (!taken)
			continue;
		street = a->street;
		count++;
	}
	if (replay_any_board(seats, button, actions, count, &replay, &error))
		require_settles(&replay, seats, button);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CasinoSeats seats;
	int			button;

	if (size < 4)
		return 0;
	seats = (CasinoSeats) (data[0] | data[1] << 8);
	button = data[2] % 13;
	if (data[3] & 1)
		raw(seats, button, data + 4, size - 4);
	else
		guided(seats & ((1 << CASINO_SEATS_MAX) - 1), 1 + button % CASINO_SEATS_MAX, data + 4, size - 4);
	return 0;
}
