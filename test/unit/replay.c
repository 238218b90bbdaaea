/*
 * replay.c
 *	  Unit program of the replay of a Texas Hold'em hand, blinds 25 and 50.
 *
 * A hand is written as <seat><action>[CZK] with "|" between the streets: sb and
 * bb (with ! when that was all the seat had), f fold, x check, c call, b bet,
 * r raise, a all in, ? an action that is none.
 */
#include "poker_test.h"
#include "core/games/texas_replay.h"

static CasinoError err;
static const CasinoTexasRules plan = {2500, 5000, 2};

#define ACTIONS_MAX 100

static int
read_actions(const char *text, CasinoAction *actions)
{
	int			count = 0;
	CasinoStreet street = CASINO_PREFLOP;

	while (*text != '\0')
	{
		CasinoAction *a = &actions[count];
		char	   *end;

		if (*text == ' ')
		{
			text++;
			continue;
		}
		if (*text == '|')
		{
			street++;
			text++;
			continue;
		}
		memset(a, 0, sizeof(*a));
		a->street = street;
		a->seat = (int) strtol(text, &end, 10);
		text = end;
		switch (*text++)
		{
			case 's':
				a->kind = CASINO_ACTION_SMALL_BLIND;
				text++;
				break;
			case 'b':
				a->kind = *text == 'b' ? CASINO_ACTION_BIG_BLIND : CASINO_ACTION_BET;
				text += *text == 'b' ? 1 : 0;
				break;
			case 'f':
				a->kind = CASINO_ACTION_FOLD;
				break;
			case 'x':
				a->kind = CASINO_ACTION_CHECK;
				break;
			case 'c':
				a->kind = CASINO_ACTION_CALL;
				break;
			case 'r':
				a->kind = CASINO_ACTION_RAISE;
				break;
			case 'a':
				a->kind = CASINO_ACTION_ALL_IN;
				break;
			case '?':
				a->kind = CASINO_ACTION_END;
				break;
			default:
				printf("bad actions at %s\n", text - 1);
				exit(2);
		}
		if (*text == '-' || (*text >= '0' && *text <= '9'))
		{
			a->to = (int64_t) (strtod(text, &end) * 100 + 0.5);
			text = end;
		}
		if (*text == '!')
		{
			a->all_in = true;
			text++;
		}
		count++;
	}
	return count;
}

/* The seats as digits, "0" for ten. */
static CasinoSeats
seats_of(const char *digits)
{
	CasinoSeats seats = 0;

	for (; *digits != '\0'; digits++)
		seats |= CASINO_SEAT_BIT(*digits == '0' ? 10 : *digits - '0');
	return seats;
}

static bool
replay_text(const char *seats, int button, int board, const char *text, CasinoReplay *replay)
{
	CasinoAction actions[ACTIONS_MAX];
	int			count = read_actions(text, actions);

	return casino_texas_replay(&plan, seats_of(seats), button, board, actions, count, replay, &err);
}

/* want: "1=50 2=50f 3=75a showdown", f folded, a all in */
static void
check_legal(const char *seats, int button, int board, const char *text, const char *want)
{
	CasinoReplay replay;
	char		got[256] = "";
	size_t		len = 0;
	int			seat;

	if (!replay_text(seats, button, board, text, &replay))
	{
		printf("%s\n", text);
		CHECK_FOR(false, err.detail);
		return;
	}
	for (seat = 1; seat <= 10; seat++)
	{
		CasinoSeats bit = CASINO_SEAT_BIT(seat);

		if (!(seats_of(seats) & bit))
		{
			CHECK_INT(replay.contributed[seat - 1], 0);
			continue;
		}
		len += (size_t) snprintf(got + len, sizeof(got) - len, "%d=%g%s%s ", seat,
								 (double) replay.contributed[seat - 1] / 100,
								 replay.folded & bit ? "f" : "", replay.all_in & bit ? "a" : "");
	}
	snprintf(got + len, sizeof(got) - len, "%s", replay.showdown ? "showdown" :
			 casino_street_name(replay.last_street));
	CHECK_TEXT(got, want);
	CHECK_INT(replay.board_cards, board);
}

static void
check_refused(const char *seats, int button, int board, const char *text, const char *want)
{
	CasinoReplay replay;
	static const CasinoReplay none;

	err.detail[0] = '\0';
	CHECK_FOR(!replay_text(seats, button, board, text, &replay), text);
	CHECK_TEXT(err.detail, want);
	CHECK_INT(err.code, CASINO_ILLEGAL_OUTCOME);
	CHECK(memcmp(&replay, &none, sizeof(none)) == 0);
}

static void
test_legal(void)
{
	/* everybody folds to the big blind */
	check_legal("123", 1, 0, "2sb 3bb 1f 2f", "1=0f 2=25f 3=50 preflop");
	/* heads-up: the button posts the small blind and begins, afterwards the other begins */
	check_legal("12", 1, 5, "1sb 2bb 1c 2x | 2x 1x | 2x 1x | 2x 1x", "1=50 2=50 showdown");
	check_legal("37", 7, 5, "7sb 3bb 7c 3x | 3b50 7c | 3x 7b100 3c | 3x 7x", "3=200 7=200 showdown");
	/* two players and the button at an empty seat: the first left of it posts the small blind (R6.24) */
	check_legal("12", 5, 0, "1sb 2bb 1f", "1=25f 2=50 preflop");
	/* round the table: button 9, seats 10 and 1 post, 4 begins */
	check_legal("1490", 9, 5, "10sb 1bb 4c 9c 10c 1x | 10x 1x 4x 9x | 10x 1x 4x 9x | 10x 1x 4x 9x",
				"1=50 4=50 9=50 10=50 showdown");
	/* the amounts of blinds and calls may be given */
	check_legal("123", 1, 3, "2sb25 3bb50 1c50 2c50 3x | 2b50 3f 1f", "1=50f 2=100 3=50f flop");
	/* the big blind may raise when nobody did; raise, re-raise to twice and more */
	check_legal("123", 1, 0, "2sb 3bb 1c 2c 3r100 1r200 2f 3r400 1f", "1=200f 2=50f 3=400 preflop");
	/* raise to 101, at least 202 */
	check_legal("123", 1, 0, "2sb 3bb 1r101 2r202 3f 1f", "1=101f 2=202 3=50f preflop");
	/* bets on every street; the smallest is the big blind */
	check_legal("123", 1, 5, "2sb 3bb 1c 2c 3x | 2b50 3r100 1f 2c | 2x 3b50 2c | 2x 3x",
				"1=50f 2=200 3=200 showdown");
	/* ends on the turn and on the river without a showdown */
	check_legal("12", 1, 4, "1sb 2bb 1c 2x | 2x 1x | 2b50 1f", "1=50f 2=100 turn");
	check_legal("12", 1, 5, "1sb 2bb 1c 2x | 2x 1x | 2x 1x | 2b50 1f", "1=50f 2=100 river");
	/* folding where a check was possible (R6.21) */
	check_legal("123", 1, 3, "2sb 3bb 1c 2c 3x | 2f 3f", "1=50 2=50f 3=50f flop");
	check_legal("12", 1, 0, "1sb 2bb 1c 2f", "1=50 2=50f preflop");
}

static void
test_all_in(void)
{
	/* both all in before the flop: five board cards, no further action */
	check_legal("12", 1, 5, "1sb 2bb 1a1000 2a800", "1=1000a 2=800a showdown");
	check_legal("12", 1, 5, "1sb 2bb 1a1000 2c", "1=1000a 2=1000 showdown");
	/* one all in, two play on for the side pot */
	check_legal("123", 1, 5, "2sb 3bb 1a80 2c 3c | 2b50 3c | 2x 3x | 2x 3x", "1=80a 2=130 3=130 showdown");
	/* ... and one of them folds: nobody left to bet against (R6.22) */
	check_legal("123", 1, 5, "2sb 3bb 1a80 2c 3c | 2b50 3f", "1=80a 2=130 3=80f showdown");
	/* all in for less than the call */
	check_legal("123", 1, 5, "2sb 3bb 1r200 2a60 3f", "1=200 2=60a 3=50f showdown");
	/* all in for less than a bet on the flop: 20; who comes after may raise to the big blind */
	check_legal("123", 1, 5, "2sb 3bb 1c 2c 3x | 2a20 3r50 1f", "1=50f 2=70a 3=100 showdown");
	check_legal("123", 1, 5, "2sb 3bb 1c 2c 3x | 2a20 3c 1c | 3x 1x | 3x 1x", "1=70 2=70a 3=70 showdown");
	/* all in in full reopens: 100, all in 200, the first may raise to 400 */
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a200 3f 1r400", "1=400 2=200a 3=50f showdown");
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a200 3c 1r400 3c | 3x 1x | 3x 1x | 3x 1x",
				"1=400 2=200a 3=400 showdown");
}

static void
test_blinds(void)
{
	/* short blinds are all the seat had; 50 is called nevertheless (R6.20) */
	check_legal("123", 1, 5, "2sb 3bb30 1c 2c | 2x 1x | 2x 1x | 2x 1x", "1=50 2=50 3=30a showdown");
	check_legal("123", 1, 5, "2sb10 3bb 1c 3x | 3x 1x | 3x 1x | 3x 1x", "1=50 2=10a 3=50 showdown");
	/* heads-up: behind a short big blind of 30 the small blind calls 30 */
	check_legal("12", 1, 5, "1sb 2bb30 1c", "1=30 2=30a showdown");
	check_legal("12", 1, 5, "1sb 2bb30 1c30", "1=30 2=30a showdown");
	check_legal("12", 1, 0, "1sb 2bb30 1f", "1=25f 2=30a preflop");
	/* ... of 20 he has put in more already, of just 25 as much */
	check_legal("12", 1, 5, "1sb 2bb20", "1=25 2=20a showdown");
	check_legal("12", 1, 5, "1sb 2bb25", "1=25 2=25a showdown");
	/* a blind that was just all the seat had is said to be */
	check_legal("12", 1, 5, "1sb25! 2bb", "1=25a 2=50 showdown");
	check_legal("12", 1, 5, "1sb 2bb! 1c", "1=50 2=50a showdown");
	check_legal("12", 1, 5, "1sb 2bb! 1a40", "1=40a 2=50a showdown");
	check_legal("123", 1, 5, "2sb! 3bb! 1c", "1=50 2=25a 3=50a showdown");

	check_refused("123", 1, 0, "",
				  "A hand begins with the small and the big blind (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb",
				  "A hand begins with the small and the big blind (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "1f 2sb 3bb",
				  "Action 1, seat 1, fold: the hand begins with the small blind (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb 1f 3bb",
				  "Action 2, seat 1, fold: after the small blind comes the big blind "
				  "(D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "1sb 2bb",
				  "Action 1, seat 1, small_blind: this blind is seat 2's (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb 1bb",
				  "Action 2, seat 1, big_blind: this blind is seat 3's (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 0, "2sb 1bb",
				  "Action 1, seat 2, small_blind: this blind is seat 1's (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb30 3bb",
				  "Action 1, seat 2, small_blind: the blind is 25.00 (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb 3bb100",
				  "Action 2, seat 3, big_blind: the blind is 50.00 (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb 3bb-1",
				  "Action 2, seat 3, big_blind: the blind is 50.00 (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "2sb 3bb 1bb",
				  "Action 3, seat 1, big_blind: the blinds are posted once, before all else "
				  "(D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 0, "| 2sb 3bb",
				  "Action 1, seat 2, small_blind: the hand begins with the small blind "
				  "(D2 Texas Holdem, Preflop).");
	check_refused("123", 0, 0, "2sb 3bb", "The button lies at a seat from 1 to 10, not at 0.");
	check_refused("123", 11, 0, "2sb 3bb", "The button lies at a seat from 1 to 10, not at 11.");
	check_refused("1", 1, 0, "1sb 1bb", "A hand is played by 2 to 10 seats, not 1.");
}

static void
test_turn(void)
{
	check_refused("123", 1, 0, "2sb 3bb 2f 1f",
				  "Action 3, seat 2, fold: before the flop it is seat 1's turn (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x | 1x 2x",
				  "Action 5, seat 1, check: on the flop it is seat 2's turn (D2 Texas Holdem, Flop).");
	check_refused("123", 1, 3, "2sb 3bb 1f 2c 3x | 1b50",
				  "Action 6, seat 1, bet: on the flop it is seat 2's turn (D2 Texas Holdem, Flop).");
	check_refused("123", 1, 3, "2sb 3bb 9c",
				  "Action 3, seat 9, call: before the flop it is seat 1's turn (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 3, "2sb 3bb 1000c",
				  "Action 3, seat 1000, call: before the flop it is seat 1's turn "
				  "(D2 Texas Holdem, Preflop).");
	/* an all-in seat is passed over */
	check_refused("123", 1, 5, "2sb 3bb 1c 2a50 3x | 2x",
				  "Action 6, seat 2, check: on the flop it is seat 3's turn (D2 Texas Holdem, Flop).");
	check_refused("123", 1, 0, "2sb 3bb 1f 2f 3x",
				  "Action 5, seat 3, check: all others have folded, the hand is over "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 5, "1sb 2bb 1a1000 2c | 2x",
				  "Action 5, seat 2, check: the others are all in, nobody can bet any more "
				  "(D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x 1x",
				  "Action 5, seat 1, check: the betting before the flop is over (D2 Texas Holdem, Flop).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x | 2x 1x | 2x 1x | 2x 1x 2b50",
				  "Action 11, seat 2, bet: the betting on the river is over (D2 Texas Holdem, River).");
	check_refused("12", 1, 5, "1sb 2bb 1c | 2x 1x",
				  "Action 4, seat 2, check: it comes on another street, before the flop seat 2 has to act "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x | | 2x 1x",
				  "Action 5, seat 2, check: it comes on another street, on the flop seat 2 has to act "
				  "(D2 Texas Holdem, Flop).");
	check_refused("123", 1, 5, "2sb 3bb 1?",
				  "Action 3, seat 1, unknown: there is no such action (D2 Texas Holdem, Preflop).");
}

static void
test_amounts(void)
{
	check_refused("123", 1, 0, "2sb 3bb 1x",
				  "Action 3, seat 1, check: no check, there is a bet to call, to 50.00 "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 3, "1sb 2bb 1c 2x | 2b50 1x",
				  "Action 6, seat 1, check: no check, there is a bet to call, to 50.00 "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 3, "1sb 2bb 1x",
				  "Action 3, seat 1, check: no check, there is a bet to call, to 50.00 "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 3, "1sb 2bb 1c 2c",
				  "Action 4, seat 2, call: there is nothing to call (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1c40",
				  "Action 3, seat 1, call: a call goes to 50.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb30 1c50",
				  "Action 3, seat 1, call: a call goes to 30.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1b100",
				  "Action 3, seat 1, bet: there is a bet already, it can only be raised "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 3, "1sb 2bb 1c 2x | 2r100",
				  "Action 5, seat 2, raise: there is no bet to raise (D2 Texas Holdem, Flop).");
	check_refused("12", 1, 3, "1sb 2bb 1c 2x | 2b49.99",
				  "Action 5, seat 2, bet: the smallest bet is 50.00 (R6.18).");
	check_refused("12", 1, 3, "1sb 2bb 1r99.99",
				  "Action 3, seat 1, raise: the smallest raise goes to 100.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1r120 2r239",
				  "Action 4, seat 2, raise: the smallest raise goes to 240.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1c 2x | 2b60 1r119",
				  "Action 6, seat 1, raise: the smallest raise goes to 120.00 (D2 Texas Holdem, Preflop).");
	/* after an all-in of 20 the smallest raise goes to the big blind; after one of 150 to 300 (R6.17) */
	check_refused("123", 1, 5, "2sb 3bb 1c 2c 3x | 2a20 3r49",
				  "Action 7, seat 3, raise: the smallest raise goes to 50.00 (D2 Texas Holdem, Preflop).");
	check_refused("123", 1, 5, "2sb 3bb 1r100 2a150 3r299",
				  "Action 5, seat 3, raise: the smallest raise goes to 300.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1a25",
				  "Action 3, seat 1, all_in: the seat has already put in 25.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1a",
				  "Action 3, seat 1, all_in: the seat has already put in 25.00 (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1f5",
				  "Action 3, seat 1, fold: it takes no amount (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1r-5",
				  "Action 3, seat 1, raise: the amount is out of range (D2 Texas Holdem, Preflop).");
	check_refused("12", 1, 3, "1sb 2bb 1a250000000000",
				  "Action 3, seat 1, all_in: the amount is out of range (D2 Texas Holdem, Preflop).");
}

static void
test_reopening(void)
{
	const char *only = "nobody raised in full since it acted, so it may only call or fold (R6.19).";
	char		want[192];

	/* 100, all in for 150: the first may not raise again, not by an all-in either (R6.19) */
	snprintf(want, sizeof(want), "Action 6, seat 1, raise: %s", only);
	check_refused("123", 1, 5, "2sb 3bb 1r100 2a150 3f 1r300", want);
	snprintf(want, sizeof(want), "Action 6, seat 1, all_in: %s", only);
	check_refused("123", 1, 5, "2sb 3bb 1r100 2a150 3f 1a500", want);
	/* call, fold, and all in for no more than the call he may */
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a150 3f 1c", "1=150 2=150a 3=50f showdown");
	check_legal("123", 1, 0, "2sb 3bb 1r100 2a150 3f 1f", "1=100f 2=150a 3=50f preflop");
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a150 3f 1a140", "1=140a 2=150a 3=50f showdown");
	/* who had not acted may raise in full, and opens the betting for all */
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a150 3r300 1r600 3c | 3x 1x | 3x 1x | 3x 1x",
				"1=600 2=150a 3=600 showdown");
	check_legal("123", 1, 5, "2sb 3bb 1r100 2a150 3c 1c | 3b50 1c | 3x 1x | 3x 1x",
				"1=200 2=150a 3=200 showdown");
	/* who checked may not raise an all-in that is less than a bet */
	snprintf(want, sizeof(want), "Action 9, seat 2, raise: %s", only);
	check_refused("123", 1, 5, "2sb 3bb 1c 2c 3x | 2x 3a20 1c 2r100", want);
	/* two all-ins that are no raises: 150 over 100, 200 over 150 */
	snprintf(want, sizeof(want), "Action 7, seat 4, raise: %s", only);
	check_refused("1234", 1, 5, "2sb 3bb 4r100 1a150 2a200 3f 4r400", want);
	/* a new street opens everything again */
	check_legal("1234", 1, 5, "2sb 3bb 4r100 1a150 2c 3f 4c | 2b50 4r100 2c | 2x 4x | 2x 4x",
				"1=150a 2=250 3=50f 4=250 showdown");
}

static void
test_end(void)
{
	check_refused("123", 1, 0, "2sb 3bb 1f",
				  "After action 3 the betting before the flop is not over, seat 2 has to act "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 5, "1sb 2bb 1c",
				  "After action 3 the betting before the flop is not over, seat 2 has to act "
				  "(D2 Texas Holdem, Flop).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x",
				  "After action 4 the betting on the flop is missing, seat 2 has to act "
				  "(D2 Texas Holdem, Flop to River).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x | 2x 1x | 2x 1x",
				  "After action 8 the betting on the river is missing, seat 2 has to act "
				  "(D2 Texas Holdem, Flop to River).");
	check_refused("12", 1, 3, "1sb 2bb 1f",
				  "The board has 3 cards; a hand that ends before the flop has 0 "
				  "(D2 Texas Holdem, Flop to Showdown).");
	check_refused("12", 1, 5, "1sb 2bb 1c 2x | 2b50 1f",
				  "The board has 5 cards; a hand that ends on the flop has 3 "
				  "(D2 Texas Holdem, Flop to Showdown).");
	check_refused("12", 1, 3, "1sb 2bb 1a500 2c",
				  "The board has 3 cards; a hand that ends with a showdown has 5 "
				  "(D2 Texas Holdem, Flop to Showdown).");
}

static void
test_agreement(void)
{
	CasinoReplay replay;
	int64_t		staked[10] = {2500, 5000};
	CasinoTexasRules odd = plan;
	CasinoAction actions[ACTIONS_MAX];

	CHECK(replay_text("12", 1, 0, "1sb 2bb 1f", &replay));
	CHECK(casino_texas_agrees(&replay, staked, 1, &err));
	CHECK(!casino_texas_agrees(&replay, staked, 0, &err));
	CHECK_TEXT(err.detail, "By the actions seat 1 folded (D2 Texas Holdem, Flop).");
	CHECK(!casino_texas_agrees(&replay, staked, 3, &err));
	CHECK_TEXT(err.detail, "By the actions seat 2 did not fold (D2 Texas Holdem, Flop).");
	staked[1] = 4999;
	CHECK(!casino_texas_agrees(&replay, staked, 1, &err) && err.code == CASINO_ILLEGAL_OUTCOME);
	CHECK_TEXT(err.detail, "By the actions seat 2 put in 50.00, its stakes are 49.99 "
			   "(D2 Texas Holdem, Flop).");
	staked[1] = 5000;
	staked[9] = 1;
	CHECK(!casino_texas_agrees(&replay, staked, 1, &err));
	CHECK_TEXT(err.detail, "By the actions seat 10 put in 0.00, its stakes are 0.01 "
			   "(D2 Texas Holdem, Flop).");

	CHECK(!casino_texas_replay(&odd, 0xF800, 1, 0, actions, 2, &replay, &err));
	CHECK_TEXT(err.detail, "A hand is played by 2 to 10 seats, not 5.");
	odd.small_blind = 5001;
	CHECK(!casino_texas_replay(&odd, 3, 1, 0, actions, 2, &replay, &err) && err.code == CASINO_OUT_OF_RANGE);
	odd.small_blind = 0;
	CHECK(!casino_texas_replay(&odd, 3, 1, 0, actions, 2, &replay, &err));
	odd = plan;
	odd.min_raise_multiple = 1;
	CHECK(!casino_texas_replay(&odd, 3, 1, 0, actions, 2, &replay, &err));
	odd.min_raise_multiple = 101;
	CHECK(!casino_texas_replay(&odd, 3, 1, 0, actions, 2, &replay, &err));
	odd = plan;
	odd.big_blind = INT64_MAX;
	CHECK(!casino_texas_replay(&odd, 3, 1, 0, actions, 2, &replay, &err));
	CHECK_TEXT(err.detail, "The blinds and the smallest raise of the plan are out of range.");
}

static void
test_names(void)
{
	int			i;

	for (i = CASINO_ACTION_SMALL_BLIND; i < CASINO_ACTION_END; i++)
	{
		const char *name = casino_action_name((CasinoActionKind) i);

		CHECK_INT(casino_action_lookup(name, strlen(name)), i);
	}
	for (i = CASINO_PREFLOP; i < CASINO_STREET_END; i++)
	{
		const char *name = casino_street_name((CasinoStreet) i);

		CHECK_INT(casino_street_lookup(name, strlen(name)), i);
	}
	CHECK_TEXT(casino_action_name(CASINO_ACTION_ALL_IN), "all_in");
	CHECK(casino_action_name(CASINO_ACTION_NONE) == NULL && casino_action_name(CASINO_ACTION_END) == NULL);
	CHECK(casino_street_name(CASINO_STREET_END) == NULL);
	CHECK_INT(casino_action_lookup("muck", 4), CASINO_ACTION_NONE);
	CHECK_INT(casino_action_lookup("", 0), CASINO_ACTION_NONE);
	CHECK_INT(casino_action_lookup("foldx", 5), CASINO_ACTION_NONE);
	CHECK_INT(casino_street_lookup("showdown", 8), CASINO_STREET_END);
}

int
main(void)
{
	test_legal();
	test_all_in();
	test_blinds();
	test_turn();
	test_amounts();
	test_reopening();
	test_end();
	test_agreement();
	test_names();
	return conclude("replay");
}
